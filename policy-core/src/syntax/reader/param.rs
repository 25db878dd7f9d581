//! `${…}`: the parameter, its subscript, and what is done to it.
//!
//! The operands are read as bash expands them: quotes count in patterns even inside double quotes, in default words only
//! outside them. A form that bash answers with "bad substitution" is an opaque expansion whose inside is still read.

use alloc::{string::String, vec::Vec};

use crate::{
    facts::Shell,
    syntax::ast::{ArithText, Param, ParamOp, Part},
};

use super::{
    Reader,
    arith::Close,
    commands::Stop,
    cursor::{Map, is_name_start},
    words::Parts,
};

/// Quoted text that means the same without its quotes, wherever it stands in `${…}`.
fn is_plain(part: &Part) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_./,:=+-\n\t".contains(&byte);
    matches!(part, Part::Quoted(text, _) if text.bytes().all(plain))
}

impl Reader<'_> {
    /// After `${`; takes the `}`.
    pub(super) fn braced(&mut self, start: usize, quoted: bool) -> Part {
        if matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'|')) {
            return self.function_substitution(start);
        }
        let inside = self.deeper(|reader| reader.braced_inside(start, quoted));
        let (name, subscript, op) =
            inside.unwrap_or_else(|| (String::new(), None, ParamOp::Opaque(Vec::new())));
        if !self.eat(b'}') {
            self.fail("`${` is not closed", start);
        }
        Part::Param(Param {
            name,
            subscript,
            op,
            span: self.span_from(start),
        })
    }

    fn braced_inside(
        &mut self,
        start: usize,
        quoted: bool,
    ) -> Option<(String, Option<ArithText>, ParamOp)> {
        if self.zsh() && self.zsh_flags_ahead() {
            let parts = self.operand(quoted, false);
            return Some((String::new(), None, ParamOp::Opaque(parts)));
        }
        let first = self.peek();
        let second = self.peek_second();
        if first == Some(b'#') && self.length_ahead(second) {
            self.bump();
            let name = self.parameter();
            let subscript = self.subscript(&name);
            if self.peek() == Some(b'}') {
                return Some((name, subscript, ParamOp::Length));
            }
            let parts = self.operand(quoted, false);
            return Some((name, subscript, ParamOp::Opaque(parts)));
        }
        if first == Some(b'!') && self.indirect_ahead() {
            self.bump();
            let name = self.parameter();
            let subscript = self.subscript(&name);
            if matches!(self.peek(), Some(b'*' | b'@')) && self.peek_second() == Some(b'}') {
                self.bump();
            }
            if self.peek() == Some(b'}') {
                return Some((name, subscript, ParamOp::Indirect));
            }
            let parts = self.operand(quoted, false);
            return Some((name, subscript, ParamOp::Opaque(parts)));
        }
        let name = self.parameter();
        if name.is_empty() {
            if self.peek() == Some(b'}') || self.peek().is_none() {
                self.fail("`${` names no parameter", start);
                return None;
            }
            let parts = self.operand(quoted, false);
            return Some((name, None, ParamOp::Opaque(parts)));
        }
        let subscript = self.subscript(&name);
        let op = self.operation(quoted);
        Some((name, subscript, op))
    }

    /// Whether `${#` is a length: a parameter follows, and it is not `$#` with an operator.
    fn length_ahead(&mut self, second: Option<u8>) -> bool {
        match second {
            Some(byte)
                if is_name_start(byte)
                    || byte.is_ascii_digit()
                    || matches!(byte, b'@' | b'*' | b'$' | b'!') =>
            {
                true
            }
            Some(b'#' | b'?' | b'-') => self.peek_third() == Some(b'}'),
            _ => false,
        }
    }

    /// Whether `${!` is indirect: a parameter follows.
    fn indirect_ahead(&mut self) -> bool {
        self.peek_second().is_some_and(|byte| {
            is_name_start(byte)
                || byte.is_ascii_digit()
                || matches!(byte, b'@' | b'*' | b'#' | b'$' | b'!')
        })
    }

    /// A parameter's name: a variable, digits or one special character.
    fn parameter(&mut self) -> String {
        let name = self.name();
        if !name.is_empty() {
            return name;
        }
        let mut digits = String::new();
        while let Some(byte) = self.peek().filter(u8::is_ascii_digit) {
            digits.push(char::from(byte));
            self.bump();
        }
        if digits.is_empty()
            && let Some(byte @ (b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')) = self.peek()
        {
            digits.push(char::from(byte));
            self.bump();
        }
        digits
    }

    /// `[…]` after a variable's name.
    fn subscript(&mut self, name: &str) -> Option<ArithText> {
        let variable = name.bytes().next().is_some_and(is_name_start) || self.zsh();
        if !variable || self.peek() != Some(b'[') {
            return None;
        }
        let start = self.pos;
        self.bump();
        let inside = self.deeper(|reader| reader.arithmetic(Close::BracedBracket));
        if !self.eat(b']') {
            self.fail("a subscript is not closed", start);
        }
        Some(inside)
    }

    /// What follows the name, up to the `}`.
    fn operation(&mut self, quoted: bool) -> ParamOp {
        let Some(first) = self.peek() else {
            return ParamOp::None;
        };
        let second = self.peek_second();
        let doubled = second == Some(first);
        let (op, width, pattern) = match (first, second) {
            (b'}', _) => return ParamOp::None,
            (b':', Some(b'-')) => (":-", 2, false),
            (b':', Some(b'=')) => (":=", 2, false),
            (b':', Some(b'?')) => (":?", 2, false),
            (b':', Some(b'+')) => (":+", 2, false),
            (b'-', _) => ("-", 1, false),
            (b'=', _) => ("=", 1, false),
            (b'?', _) => ("?", 1, false),
            (b'+', _) => ("+", 1, false),
            (b'#', _) if doubled => ("##", 2, true),
            (b'#', _) => ("#", 1, true),
            (b'%', _) if doubled => ("%%", 2, true),
            (b'%', _) => ("%", 1, true),
            (b'/', Some(b'/')) => ("//", 2, true),
            (b'/', Some(b'#')) => ("/#", 2, true),
            (b'/', Some(b'%')) => ("/%", 2, true),
            (b'/', _) => ("/", 1, true),
            (b'^', _) if doubled => ("^^", 2, true),
            (b'^', _) => ("^", 1, true),
            (b',', _) if doubled => (",,", 2, true),
            (b',', _) => (",", 1, true),
            (b':', _) => {
                if self.zsh()
                    && second.is_some_and(|byte| {
                        byte.is_ascii_alphabetic()
                            || matches!(byte, b':' | b'#' | b'|' | b'*' | b'^')
                    })
                {
                    return ParamOp::Opaque(self.operand(quoted, false));
                }
                self.bump();
                return ParamOp::Slice(self.arithmetic(Close::Brace));
            }
            (b'@', Some(letter))
                if letter.is_ascii_alphabetic() && self.peek_third() == Some(b'}') =>
            {
                self.bump();
                self.bump();
                return ParamOp::Transform(char::from(letter));
            }
            _ => return ParamOp::Opaque(self.operand(quoted, false)),
        };
        for _ in 0..width {
            self.bump();
        }
        let parts = self.operand(quoted && !pattern, quoted);
        if pattern {
            ParamOp::Pattern(op, parts)
        } else {
            ParamOp::Default(op, parts)
        }
    }

    /// A word or pattern up to `}`, as inside double quotes or not. `enclosed`: the whole expansion stands inside double
    /// quotes, where a quote or substitution that holds a `}` is read differently by different versions.
    fn operand(&mut self, quoted: bool, enclosed: bool) -> Vec<Part> {
        self.peek();
        let start = self.pos;
        let mut parts = if quoted {
            Parts::quoted()
        } else {
            Parts::default()
        };
        while let Some(byte) = self.peek().filter(|byte| *byte != b'}') {
            let at = self.pos;
            match byte {
                b'\'' if quoted => self.quotes_in_quoted_operand(&mut parts),
                b'"' if quoted => {
                    let part = self.double_quoted(at);
                    parts.push(self, part);
                }
                _ if quoted => self.quoted_step(&mut parts, byte, true, true),
                _ if self.quote_or_expansion(&mut parts, byte) => {
                    // In a pattern bash knows single quotes there too.
                    let two_ways = match byte {
                        b'\'' => self.shell != Shell::Bash,
                        b'<' | b'>' => true,
                        _ => false,
                    };
                    let two_ways =
                        enclosed && two_ways && self.slice(at, self.pos).contains(['}', '"']);
                    // bash 5.2 puts the bare value of `$'…'` in here when the whole stands in double quotes, and reads on in that.
                    let bare = self.in_double > 0
                        && self.slice(at, self.pos).starts_with("$'")
                        && !parts.list.last().is_some_and(is_plain);
                    if two_ways || bare {
                        self.fail_as(
                            "a quote inside `${…}` can be read in two ways".into(),
                            at,
                            false,
                            false,
                        );
                    }
                }
                _ => self.literal_byte(&mut parts),
            }
        }
        self.steps(self.pos - start);
        parts.finish(self)
    }

    /// `'…'` in a default word inside double quotes: bash finds the end of `${…}` as if it quoted, and expands the inside all
    /// the same.
    fn quotes_in_quoted_operand(&mut self, parts: &mut Parts) {
        let start = self.pos;
        let rest = self.text.get(start + 1..self.end).unwrap_or("");
        let text = rest.find('\'').and_then(|length| rest.get(..length));
        let Some(text) = text.filter(|text| !text.contains(['}', '"', '\\'])) else {
            self.fail_as(
                "a quote inside `\"${…}\"` can be read in two ways".into(),
                start,
                false,
                false,
            );
            return;
        };
        self.steps(text.len() + 1);
        let close = start + 1 + text.len();
        parts.text("'", start, start + 1);
        let map = match &self.map {
            Map::Base(base) => Map::Base(base + start + 1),
            Map::Table(table) => Map::Table(table.get(start + 1..close).unwrap_or(&[]).into()),
        };
        let inside = self.inner(text, map, |inner| inner.quoted_text(None, true));
        for part in inside {
            parts.push(self, part);
        }
        parts.text("'", close, close + 1);
        self.pos = self.pos.max(close + 1);
    }

    /// `${ list; }` and `${| list; }`: bash 5.3 runs the list; older versions call it a bad substitution, and find the
    /// end at the first `}`.
    fn function_substitution(&mut self, start: usize) -> Part {
        let inside = self.pos;
        self.eat(b'|');
        let waiting = core::mem::take(&mut self.pending);
        let bodies = self.shared.bodies.len();
        let script = self.deeper(|reader| reader.list(Stop::ANY_BRACE));
        self.skip_newlines();
        let end = self.pos;
        if !self.eat(b'}') {
            self.fail("`${` is not closed", start);
        } else if self.slice(inside, end).contains(['}', '\'', '"', '\\'])
            || self.shared.bodies.len() > bodies
        {
            self.fail_as(
                "`${ …; }` can be read in two ways".into(),
                start,
                false,
                false,
            );
        }
        self.pending = waiting;
        Part::CommandSub(script, self.span_from(start))
    }
}
