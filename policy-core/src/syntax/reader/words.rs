//! Words: unquoted text, backslashes, single and double quotes, and what may stand inside.
//!
//! A word ends at a metacharacter. Quotes are removed here and nothing is expanded; a `(` that belongs to a pattern
//! or a regex is read to its partner, and every substitution inside it is read too.

use alloc::{string::String, vec::Vec};

use crate::{
    span::Span,
    syntax::ast::{Part, Script, Word},
};

use super::{
    Reader,
    cursor::{Map, is_meta},
};

/// Where a word stands, as far as that changes how it is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A command's word, a redirect's target, an array's element, a pattern of `case`.
    Plain,
    /// The right side of `=~`: `(…)` and `|` belong to it.
    Regex,
}

/// Parts being collected, with the literal text that is not yet a part.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) list: Vec<Part>,
    literal: String,
    from: usize,
    to: usize,
    quoted: bool,
}

impl Parts {
    /// Collects text that is quoted (inside double quotes, here-documents, arithmetic).
    pub(super) fn quoted() -> Self {
        Self {
            quoted: true,
            ..Self::default()
        }
    }

    /// Adds text that stands at `start..end`.
    pub(super) fn text(&mut self, text: &str, start: usize, end: usize) {
        if self.literal.is_empty() {
            self.from = start;
        }
        self.literal.push_str(text);
        self.to = end;
    }

    /// Ends the literal text.
    pub(super) fn flush(&mut self, reader: &mut Reader<'_>) {
        if self.literal.is_empty() {
            return;
        }
        reader.node();
        let span = reader.span(self.from, self.to);
        let text = core::mem::take(&mut self.literal);
        self.list.push(if self.quoted {
            Part::Quoted(text, span)
        } else {
            Part::Literal(text, span)
        });
    }

    /// Adds a part.
    pub(super) fn push(&mut self, reader: &mut Reader<'_>, part: Part) {
        self.flush(reader);
        self.list.push(part);
    }

    /// The parts.
    pub(super) fn finish(mut self, reader: &mut Reader<'_>) -> Vec<Part> {
        self.flush(reader);
        self.list
    }
}

impl Reader<'_> {
    /// The word at the cursor; empty when a metacharacter stands there.
    pub(super) fn word(&mut self, place: Place) -> Word {
        self.peek();
        let start = self.pos;
        let mut parts = Parts::default();
        if self.zsh() {
            self.zsh_word_start(&mut parts);
        }
        self.word_rest(&mut parts, place);
        let end = self.pos;
        let parts = parts.finish(self);
        Word {
            parts,
            span: self.span(start, end),
        }
    }

    /// Goes on with a word that was begun.
    pub(super) fn word_rest(&mut self, parts: &mut Parts, place: Place) {
        loop {
            if self.plain_run(parts) {
                continue;
            }
            let Some(byte) = self.peek() else { return };
            if self.quote_or_expansion(parts, byte) {
                continue;
            }
            match byte {
                b'(' if place == Place::Regex => self.group(parts),
                // `f()` begins a function.
                b'(' if self.zsh() && self.peek_second() != Some(b')') => self.zsh_group(parts),
                b'|' if place == Place::Regex => self.literal_byte(parts),
                b'<' if self.zsh() => match self.zsh_range_end() {
                    Some(end) => {
                        while self.pos < end {
                            self.literal_byte(parts);
                        }
                    }
                    None => return,
                },
                _ if is_meta(byte) => return,
                b'?' | b'*' | b'+' | b'@' | b'!'
                    if place == Place::Plain && !self.zsh() && self.peek_second() == Some(b'(') =>
                {
                    self.extglob(parts);
                }
                _ => self.literal_byte(parts),
            }
        }
    }

    /// Takes a run of bytes that mean nothing to the shell's reader.
    fn plain_run(&mut self, parts: &mut Parts) -> bool {
        let start = self.pos;
        while let Some(byte) = self.raw(0) {
            if byte.is_ascii_alphanumeric()
                || byte >= 0x80
                || matches!(
                    byte,
                    b'-' | b'.'
                        | b'/'
                        | b'_'
                        | b','
                        | b':'
                        | b'='
                        | b'%'
                        | b'~'
                        | b'['
                        | b']'
                        | b'{'
                        | b'}'
                        | b'^'
                        | b'#'
                )
            {
                self.pos += 1;
            } else {
                break;
            }
        }
        if self.pos == start {
            return false;
        }
        self.steps(self.pos - start);
        let (text, end) = (self.text, self.pos.min(self.end));
        let run = text.get(start..end).unwrap_or("");
        if !run.is_ascii() {
            self.note_hidden(run, start);
        }
        parts.text(run, start, end);
        true
    }

    /// Notes spaces that look like the shell's blanks and are none.
    fn note_hidden(&mut self, run: &str, start: usize) {
        for (at, letter) in run.char_indices() {
            if crate::syntax::hidden::hides_outside_quotes(letter) {
                let span = self.span(start + at, start + at + letter.len_utf8());
                self.shared.hidden.push(span);
            }
        }
    }

    /// Takes one ASCII byte as literal text.
    pub(super) fn literal_byte(&mut self, parts: &mut Parts) {
        self.peek();
        let start = self.pos;
        let width = self
            .text
            .get(start..)
            .and_then(|rest| rest.chars().next())
            .map_or(1, char::len_utf8);
        self.pos = (start + width).min(self.end);
        let (text, end) = (self.text, self.pos);
        parts.text(text.get(start..end).unwrap_or(""), start, end);
        self.steps(1);
    }

    /// Reads what begins with `byte` outside double quotes if it is a quote, an expansion or a substitution.
    pub(super) fn quote_or_expansion(&mut self, parts: &mut Parts, byte: u8) -> bool {
        let part = match byte {
            b'\\' => self.escaped(),
            b'\'' => self.single_quoted(),
            b'"' => {
                let start = self.pos;
                self.double_quoted(start)
            }
            b'`' => self.backticks(false),
            b'$' => match self.dollar(false) {
                Some(part) => part,
                None => {
                    self.literal_byte(parts);
                    return true;
                }
            },
            b'<' | b'>' if self.peek_second() == Some(b'(') => self.process_sub(byte == b'>'),
            _ => return false,
        };
        parts.push(self, part);
        true
    }

    /// A backslash and the character it quotes.
    fn escaped(&mut self) -> Part {
        let start = self.pos;
        self.pos += 1;
        let Some(letter) = self
            .text
            .get(self.pos..self.end)
            .and_then(|rest| rest.chars().next())
        else {
            self.fail("the text ends in a backslash", start);
            return Part::Quoted("\\".into(), self.span(start, start + 1));
        };
        self.pos += letter.len_utf8();
        self.node();
        Part::Quoted(letter.into(), self.span_from(start))
    }

    /// `'…'`
    fn single_quoted(&mut self) -> Part {
        let start = self.pos;
        self.pos += 1;
        let inside = self.pos;
        let rest = self.text.get(inside..self.end).unwrap_or("");
        self.node();
        let length = rest.find('\'');
        let text: String = length
            .and_then(|end| rest.get(..end))
            .unwrap_or(rest)
            .into();
        self.steps(text.len());
        match length {
            Some(end) if !self.failed() => self.pos = inside + end + 1,
            _ => {
                self.pos = self.end;
                self.fail("a single quote is not closed", start);
            }
        }
        Part::Quoted(text, self.span_from(start))
    }

    /// `"…"`, at the quote; `start` is where it begins (a `$` may stand before it).
    pub(super) fn double_quoted(&mut self, start: usize) -> Part {
        self.bump();
        self.in_double += 1;
        let parts = self.quoted_text(Some(b'"'), true);
        self.in_double -= 1;
        if !self.eat(b'"') {
            self.fail("a double quote is not closed", start);
        }
        self.node();
        Part::Double(parts, self.span_from(start))
    }

    /// Text as inside double quotes, up to `close` (not taken) or the end. `escape_quote`: a backslash quotes `"`.
    pub(super) fn quoted_text(&mut self, close: Option<u8>, escape_quote: bool) -> Vec<Part> {
        let mut parts = Parts::quoted();
        loop {
            let start = self.pos;
            while let Some(byte) = self.raw(0) {
                if matches!(byte, b'\\' | b'$' | b'`') || Some(byte) == close {
                    break;
                }
                self.pos += 1;
            }
            if self.pos > start {
                self.steps(self.pos - start);
                let (text, end) = (self.text, self.pos);
                parts.text(text.get(start..end).unwrap_or(""), start, end);
            }
            let Some(byte) = self.peek() else { break };
            if Some(byte) == close {
                break;
            }
            self.quoted_step(&mut parts, byte, escape_quote, false);
        }
        parts.finish(self)
    }

    /// One backslash, expansion or other character inside double quotes.
    pub(super) fn quoted_step(
        &mut self,
        parts: &mut Parts,
        byte: u8,
        escape_quote: bool,
        escape_brace: bool,
    ) {
        match byte {
            b'\\' => {
                let start = self.pos;
                self.pos += 1;
                match self.raw(0) {
                    Some(next)
                        if matches!(next, b'$' | b'`' | b'\\')
                            || (next == b'"' && escape_quote)
                            || (next == b'}' && escape_brace) =>
                    {
                        self.pos += 1;
                        let (text, end) = (self.text, self.pos);
                        parts.text(text.get(start + 1..end).unwrap_or(""), start, end);
                    }
                    Some(_) => {
                        parts.text("\\", start, start + 1);
                        self.literal_byte(parts);
                    }
                    None => parts.text("\\", start, start + 1),
                }
            }
            b'$' => match self.dollar(true) {
                Some(part) => parts.push(self, part),
                None => self.literal_byte(parts),
            },
            b'`' => {
                let part = self.backticks(escape_quote);
                parts.push(self, part);
            }
            _ => self.literal_byte(parts),
        }
    }

    /// `<(…)` or `>(…)`.
    pub(super) fn process_sub(&mut self, output: bool) -> Part {
        let start = self.pos;
        self.bash_only("a process substitution", start);
        self.bump();
        self.bump();
        let script: Script = self.substituted_list(start);
        let span: Span = self.span_from(start);
        Part::ProcessSub {
            output,
            script,
            span,
        }
    }

    /// `@(…)` and kin: one part that holds what is inside.
    fn extglob(&mut self, parts: &mut Parts) {
        let start = self.pos;
        let mut inside = Parts::default();
        self.literal_byte(&mut inside);
        self.group(&mut inside);
        let inside = inside.finish(self);
        let part = Part::ExtGlob(inside, self.span_from(start));
        parts.push(self, part);
    }

    /// `(…)` of a pattern or a regex: blanks and operators inside are text, substitutions are read.
    pub(super) fn group(&mut self, parts: &mut Parts) {
        let start = self.pos;
        self.literal_byte(parts);
        let mut open = 1usize;
        while open > 0 {
            if self.plain_run(parts) {
                continue;
            }
            let Some(byte) = self.peek() else {
                self.fail("a pattern's parenthesis is not closed", start);
                return;
            };
            if self.quote_or_expansion(parts, byte) {
                continue;
            }
            match byte {
                b'(' => open += 1,
                b')' => open -= 1,
                _ => {}
            }
            self.literal_byte(parts);
        }
    }

    /// `` `…` ``: the text up to the next backtick without a backslash, one layer of backslashes removed, is a list of its own.
    pub(super) fn backticks(&mut self, in_double: bool) -> Part {
        let start = self.pos;
        self.pos += 1;
        let mut text: Vec<u8> = Vec::new();
        let mut table: Vec<u32> = Vec::new();
        let mut take = |byte: u8, place: usize| {
            text.push(byte);
            table.push(u32::try_from(place).unwrap_or(u32::MAX));
        };
        loop {
            match self.raw(0) {
                None => {
                    self.fail("a backtick is not closed", start);
                    break;
                }
                Some(b'`') => {
                    self.pos += 1;
                    break;
                }
                Some(b'\\') => {
                    match self.raw(1) {
                        Some(b'\n') => {}
                        Some(next)
                            if matches!(next, b'$' | b'`' | b'\\')
                                || (next == b'"' && in_double) =>
                        {
                            take(next, self.map.place(self.pos + 1));
                        }
                        Some(next) => {
                            take(b'\\', self.map.place(self.pos));
                            take(next, self.map.place(self.pos + 1));
                        }
                        None => take(b'\\', self.map.place(self.pos)),
                    }
                    self.pos = (self.pos + 2).min(self.end);
                }
                Some(byte) => {
                    take(byte, self.map.place(self.pos));
                    self.pos += 1;
                }
            }
        }
        let end = self.pos;
        self.steps(end - start);
        let text = String::from_utf8(text).unwrap_or_default();
        let script = self
            .deeper(|reader| reader.inner(&text, Map::Table(table), |inner| inner.whole_list()));
        Part::CommandSub(script, self.span(start, end))
    }
}
