//! Arithmetic text: `$((…))`, `((…))`, `$[…]`, subscripts and slices.
//!
//! The expression is not parsed: it is expanded as if in double quotes, so its literal text and expansions are all that matters.
//! Its end is found by counting brackets outside quotes. Text between single quotes is expanded
//! like the rest (bash drops no quote there), while the quotes still hide brackets.

use crate::syntax::ast::ArithText;

use super::{Reader, cursor::Map, words::Parts};

/// What ends the text; the closing byte is not taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Close {
    /// `)`; parentheses nest.
    Paren,
    /// `]`; brackets nest.
    Bracket,
    /// `]` of a subscript inside `${…}`: brackets nest, `}` is a fault.
    BracedBracket,
    /// `]` of an assignment's subscript.
    Subscript,
    /// `}`; nothing nests.
    Brace,
}

impl Reader<'_> {
    /// Text up to the closing byte or the end.
    pub(super) fn arithmetic(&mut self, close: Close) -> ArithText {
        self.peek();
        let start = self.pos;
        let mut parts = Parts::quoted();
        let mut open = 0usize;
        while let Some(byte) = self.peek() {
            match (byte, close) {
                (b')', Close::Paren)
                | (b']', Close::Bracket | Close::BracedBracket | Close::Subscript)
                    if open == 0 =>
                {
                    break;
                }
                (b'}', Close::Brace) => break,
                (b'}', Close::BracedBracket) => {
                    let at = self.pos;
                    self.fail_as(
                        "a subscript is not closed before `}`".into(),
                        at,
                        false,
                        false,
                    );
                    break;
                }
                (b'(', Close::Paren)
                | (b'[', Close::Bracket | Close::BracedBracket | Close::Subscript) => open += 1,
                (b')', Close::Paren)
                | (b']', Close::Bracket | Close::BracedBracket | Close::Subscript) => open -= 1,
                (b'<' | b'>', Close::Subscript | Close::BracedBracket)
                    if self.peek_second() == Some(b'(') =>
                {
                    let part = self.process_sub(byte == b'>');
                    parts.push(self, part);
                    continue;
                }
                (b'\'', _) => {
                    self.quotes_in_arithmetic(&mut parts);
                    continue;
                }
                (b'"', _) => {
                    let at = self.pos;
                    let part = self.double_quoted(at);
                    parts.push(self, part);
                    continue;
                }
                _ => {}
            }
            self.quoted_step(&mut parts, byte, true, false);
        }
        let span = self.span_from(start);
        ArithText {
            parts: parts.finish(self),
            span,
        }
    }

    /// `'…'` inside arithmetic.
    fn quotes_in_arithmetic(&mut self, parts: &mut Parts) {
        let start = self.pos;
        let rest = self.text.get(start + 1..self.end).unwrap_or("");
        let Some(length) = rest.find('\'') else {
            self.pos = self.end;
            self.fail("a single quote is not closed", start);
            return;
        };
        self.steps(length + 1);
        let text = rest.get(..length).unwrap_or("");
        parts.text("'", start, start + 1);
        if text.contains(['$', '`']) {
            let map = match &self.map {
                Map::Base(base) => Map::Base(base + start + 1),
                Map::Table(table) => Map::Table(
                    table
                        .get(start + 1..start + 1 + length)
                        .unwrap_or(&[])
                        .into(),
                ),
            };
            let inside = self.inner(text, map, |inner| inner.quoted_text(None, true));
            for part in inside {
                parts.push(self, part);
            }
        } else {
            parts.text(text, start + 1, start + 1 + length);
        }
        parts.text("'", start + 1 + length, start + 2 + length);
        // Never back from the end, where a fault has put it.
        self.pos = self.pos.max(start + 2 + length);
    }
}
