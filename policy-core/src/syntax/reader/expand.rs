//! What a `$` begins: parameters, command substitutions, arithmetic, `$'…'` and `$"…"`.
//!
//! `$((` is arithmetic when its parentheses balance up to `))`; otherwise it is a substitution that begins
//! with a subshell, and both readings must end at the same place.

use alloc::string::String;

use crate::syntax::ast::{Param, ParamOp, Part, Script};

use super::{Reader, arith::Close, commands::Stop, cursor::is_name_start};

impl Reader<'_> {
    /// At a `$`. `None` when it is a plain dollar sign (which is not taken).
    pub(super) fn dollar(&mut self, quoted: bool) -> Option<Part> {
        let start = self.pos;
        let next = self.peek_second()?;
        if next == b'[' || (!quoted && matches!(next, b'\'' | b'"')) {
            self.bash_only("this dollar sign", start);
        }
        let part = match next {
            b'(' => {
                self.bump();
                self.bump();
                if self.peek() == Some(b'(') {
                    self.dollar_parens(start)
                } else {
                    self.command_sub(start)
                }
            }
            b'{' => {
                self.bump();
                self.bump();
                self.braced(start, quoted)
            }
            b'[' => {
                self.bump();
                self.bump();
                let inside = self.deeper(|reader| reader.arithmetic(Close::Bracket));
                if !self.eat(b']') {
                    self.fail("`$[` is not closed", start);
                }
                Part::Arith(inside, self.span_from(start))
            }
            b'\'' if !quoted => {
                self.bump();
                self.ansi_quoted(start)
            }
            b'"' if !quoted => {
                self.bump();
                self.double_quoted(start)
            }
            _ => return self.plain_param(start, next),
        };
        Some(part)
    }

    /// `$name`, `$1`, `$?`.
    fn plain_param(&mut self, start: usize, next: u8) -> Option<Part> {
        let name = if is_name_start(next) {
            self.bump();
            self.name()
        } else if next.is_ascii_digit()
            || matches!(next, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')
        {
            self.bump();
            self.bump();
            String::from(char::from(next))
        } else if self.zsh() && matches!(next, b'+' | b'^' | b'=' | b'~') {
            return self.zsh_flagged_param(start);
        } else {
            return None;
        };
        self.node();
        let mut op = ParamOp::None;
        if self.zsh() && self.zsh_param_goes_on(&name) {
            op = ParamOp::Opaque(alloc::vec::Vec::new());
        }
        let span = self.span_from(start);
        Some(Part::Param(Param {
            name,
            subscript: None,
            op,
            span,
        }))
    }

    /// After `$(`.
    fn command_sub(&mut self, start: usize) -> Part {
        let script = self.substituted_list(start);
        Part::CommandSub(script, self.span_from(start))
    }

    /// A list up to its `)`, which is taken.
    pub(super) fn substituted_list(&mut self, start: usize) -> Script {
        let waiting = core::mem::take(&mut self.pending);
        let outside = core::mem::replace(&mut self.in_substitution, true);
        let script = self.deeper(|reader| {
            let script = reader.list(Stop::PAREN);
            if !reader.failed() && !reader.pending.is_empty() {
                reader.fail(
                    "a here-document's body is not inside its substitution",
                    start,
                );
            }
            if !reader.eat(b')') {
                if reader.peek().is_some() {
                    reader.unexpected();
                } else {
                    reader.fail("a substitution is not closed", start);
                }
            }
            script
        });
        self.in_substitution = outside;
        self.pending = waiting;
        script
    }

    /// At the second parenthesis of `$((`.
    fn dollar_parens(&mut self, start: usize) -> Part {
        let second = self.pos;
        let bodies = self.shared.bodies.len();
        if !self.not_arithmetic.contains(&second) {
            self.bump();
            let inside = self.deeper(|reader| reader.arithmetic(Close::Paren));
            if self.failed() {
                return Part::Arith(inside, self.span_from(start));
            }
            if self.peek() == Some(b')') && self.peek_second() == Some(b')') {
                self.bump();
                self.bump();
                return Part::Arith(inside, self.span_from(start));
            }
            if !self.eat(b')') {
                self.fail("`$((` is not closed", start);
                return Part::Arith(inside, self.span_from(start));
            }
            self.not_arithmetic.insert(second);
            // bash fixes the end by counting parentheses before it knows that this is a list.
            let _ = self.deeper(|reader| reader.arithmetic(Close::Paren));
            let counted = self.pos;
            if self.failed() || self.peek() != Some(b')') {
                self.fail("`$((` is not closed", start);
                return Part::Arith(inside, self.span_from(start));
            }
            self.pos = second;
            let script = self.substituted_list(start);
            if !self.failed() && self.pos != counted + 1 {
                self.pos = self.pos.min(self.end);
                self.fail_as("`$((` can be read in two ways".into(), start, false, false);
            }
            self.refuse_documents(bodies, start);
            return Part::CommandSub(script, self.span_from(start));
        }
        self.command_sub(start)
    }
}
