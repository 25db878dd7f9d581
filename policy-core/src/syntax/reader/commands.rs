//! Lists, pipelines, simple commands, assignments and redirects.
//!
//! Reserved words count only where a command can begin. A list ends at what its caller can use (`Stop`); anything else
//! that cannot begin a command is a fault.

use alloc::{boxed::Box, string::String, vec::Vec};

use crate::syntax::ast::{
    AndOr, AndOrOp, AssignValue, Assignment, Command, Descriptor, Function, Item, Part, Pipeline,
    Redirect, RedirectOp, Script, Simple, Stage, Word,
};

use super::{
    Reader,
    arith::Close,
    cursor::{is_meta, is_name, is_name_start},
    words::{Parts, Place},
};

/// What ends a list, besides the end of the text.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Stop(u16);

impl Stop {
    pub(super) const PAREN: Self = Self(1);
    pub(super) const THEN: Self = Self(2);
    pub(super) const DO: Self = Self(4);
    pub(super) const DONE: Self = Self(8);
    pub(super) const BRACE: Self = Self(16);
    /// `;;`, `;&`, `;;&` and `esac`.
    pub(super) const ARM: Self = Self(32);
    /// `elif`, `else` and `fi`.
    pub(super) const FI: Self = Self(64);
    /// `{`, for the short forms of zsh.
    pub(super) const OPEN_BRACE: Self = Self(128);
    /// `}` even when it is only the beginning of a word: the end of `${ list; }`.
    pub(super) const ANY_BRACE: Self = Self(256);

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The reserved words of bash, and zsh's further ones.
const RESERVED: &[&str] = &[
    "if", "then", "else", "elif", "fi", "case", "esac", "for", "select", "while", "until", "do",
    "done", "function", "time", "{", "}", "!", "[[", "coproc",
];

/// Builtins whose arguments may be array assignments.
const DECLARING: &[&str] = &[
    "declare", "typeset", "local", "export", "readonly", "alias", "eval", "let",
];

impl Reader<'_> {
    /// The reserved word at the cursor, not taken, and where it ends.
    pub(super) fn reserved(&mut self) -> Option<(&'static str, usize)> {
        let first = self.peek()?;
        if !(first.is_ascii_lowercase() || matches!(first, b'{' | b'}' | b'!' | b'[')) {
            return None;
        }
        let mut text = [0u8; 9];
        let mut length = 0;
        let mut at = self.pos;
        loop {
            at = self.joined(at);
            match self.at(at).filter(|byte| !is_meta(*byte)) {
                None => break,
                Some(byte) => {
                    *text.get_mut(length)? = byte;
                    length += 1;
                    at += 1;
                }
            }
        }
        let text = text.get(..length)?;
        let known = RESERVED.iter().chain(if self.zsh() {
            super::zsh::RESERVED
        } else {
            &[]
        });
        known
            .copied()
            .find(|word| word.as_bytes() == text)
            .map(|word| (word, at))
    }

    /// Takes this reserved word.
    pub(super) fn eat_reserved(&mut self, word: &str) -> bool {
        match self.reserved() {
            Some((found, end)) if found == word => {
                self.pos = end;
                true
            }
            _ => false,
        }
    }

    /// Takes this reserved word or faults; `from` is where its construct begins.
    pub(super) fn expect_reserved(&mut self, word: &str, from: usize) {
        if !self.eat_reserved(word) {
            let at_end = self.peek().is_none();
            let message = alloc::format!("`{word}` is missing");
            self.fail_as(message, from, at_end && self.map.is_outermost(), false);
        }
    }

    /// Whether the list ends here.
    fn stops(&mut self, stop: Stop) -> bool {
        match self.peek() {
            None => true,
            Some(b')') => stop.has(Stop::PAREN),
            Some(b'}') if stop.has(Stop::ANY_BRACE) => true,
            Some(b';') => {
                stop.has(Stop::ARM) && matches!(self.peek_second(), Some(b';' | b'&' | b'|'))
            }
            Some(_) => match self.reserved() {
                Some(("then", _)) => stop.has(Stop::THEN),
                Some(("do", _)) => stop.has(Stop::DO),
                Some(("done", _)) => stop.has(Stop::DONE),
                Some(("}", _)) => stop.has(Stop::BRACE),
                Some(("esac", _)) => stop.has(Stop::ARM),
                Some(("elif" | "else" | "fi", _)) => stop.has(Stop::FI),
                Some(("{", _)) => stop.has(Stop::OPEN_BRACE),
                _ => false,
            },
        }
    }

    /// A list up to one of the stops, which is not taken.
    pub(super) fn list(&mut self, stop: Stop) -> Script {
        let mut items = Vec::new();
        loop {
            self.skip_newlines();
            if self.stops(stop) {
                break;
            }
            let before = items.len();
            let more = self.item(&mut items);
            if items.len() == before {
                self.unexpected();
                break;
            }
            if !more && !self.skip_newline() {
                break;
            }
        }
        self.script(items)
    }

    /// A list that bash wants not to be empty.
    pub(super) fn full_list(&mut self, stop: Stop) -> Script {
        let script = self.list(stop);
        if script.items.is_empty() && !self.zsh() {
            self.unexpected();
        }
        script
    }

    /// One and-or list with its `;` or `&`; true when such a terminator was taken.
    pub(super) fn item(&mut self, items: &mut Vec<Item>) -> bool {
        self.skip_blanks();
        let start = self.pos;
        let Some(and_or) = self.and_or() else {
            return false;
        };
        let end = self.and_or_end(&and_or, start);
        self.skip_blanks();
        let (background, more) = match (self.peek(), self.peek_second()) {
            (Some(b';'), Some(b';' | b'&')) => (false, false),
            (Some(b';'), Some(b'|')) if self.zsh() => (false, false),
            (Some(b';'), _) => {
                self.bump();
                (false, true)
            }
            (Some(b'&'), Some(b'&')) => (false, false),
            (Some(b'&'), second) => {
                self.bump();
                if self.zsh() && matches!(second, Some(b'!' | b'|')) {
                    self.bump();
                }
                (true, true)
            }
            _ => (false, false),
        };
        items.push(Item {
            and_or,
            background,
            span: end,
        });
        more
    }

    fn and_or_end(&self, and_or: &AndOr, start: usize) -> crate::span::Span {
        let last = and_or
            .rest
            .last()
            .map_or(&and_or.first, |(_, pipeline)| pipeline);
        self.span(start, start).to(last.span)
    }

    fn and_or(&mut self) -> Option<AndOr> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.skip_blanks();
            let op = match (self.peek(), self.peek_second()) {
                (Some(b'&'), Some(b'&')) => AndOrOp::And,
                (Some(b'|'), Some(b'|')) => AndOrOp::Or,
                _ => break,
            };
            self.bump();
            self.bump();
            self.skip_newlines();
            match self.pipeline() {
                Some(pipeline) => rest.push((op, pipeline)),
                None => {
                    self.unexpected();
                    break;
                }
            }
        }
        Some(AndOr { first, rest })
    }

    fn pipeline(&mut self) -> Option<Pipeline> {
        self.skip_blanks();
        self.peek();
        let start = self.pos;
        let mut end = start;
        let mut bangs = 0;
        let mut timed = false;
        loop {
            if self.eat_reserved("!") {
                bangs += 1;
            } else if self.eat_reserved("time") {
                timed = true;
                end = self.pos;
                self.skip_blanks();
                if self.eat_option("-p") {
                    end = self.pos;
                    self.skip_blanks();
                }
                if self.eat_option("--") {
                    end = self.pos;
                    self.skip_blanks();
                }
                continue;
            } else {
                break;
            }
            end = self.pos;
            self.skip_blanks();
        }
        let mut stages = Vec::new();
        let mut stderr_too = false;
        while let Some(command) = self.command() {
            end = self.pos;
            stages.push(Stage {
                command,
                stderr_too,
            });
            self.skip_blanks();
            match (self.peek(), self.peek_second()) {
                (Some(b'|'), Some(b'|')) => break,
                (Some(b'|'), Some(b'&')) => {
                    self.bump();
                    self.bump();
                    stderr_too = true;
                }
                (Some(b'|'), _) => {
                    self.bump();
                    stderr_too = false;
                }
                _ => break,
            }
            let from = self.pos;
            self.skip_newlines();
            let more = self.pos;
            if self.peek().is_none() || matches!(self.reserved(), Some(("!", _))) {
                self.pos = more;
                if self.peek().is_none() {
                    self.fail("a pipeline ends without a command", from);
                } else {
                    self.unexpected();
                }
                break;
            }
        }
        if stages.is_empty() && bangs == 0 && !timed {
            return None;
        }
        Some(Pipeline {
            bangs,
            timed,
            stages,
            span: self.span(start, end),
        })
    }

    /// Takes a word that is exactly this option.
    fn eat_option(&mut self, option: &str) -> bool {
        let mut at = self.joined(self.pos);
        for byte in option.bytes() {
            at = self.joined(at);
            if self.at(at) != Some(byte) {
                return false;
            }
            at += 1;
        }
        let whole = self.at(self.joined(at)).is_none_or(is_meta);
        if whole {
            self.pos = at;
        }
        whole
    }

    /// A command, or nothing when none begins here.
    pub(super) fn command(&mut self) -> Option<Command> {
        self.skip_blanks();
        match self.peek()? {
            b'\n' | b'|' | b';' | b')' => return None,
            b'&' if self.peek_second() != Some(b'>') => return None,
            b'(' => return Some(self.parenthesized()),
            _ => {}
        }
        if let Some((word, end)) = self.reserved() {
            return self.reserved_command(word, end);
        }
        if self.zsh() && self.peek() == Some(b'{') {
            let at = self.pos;
            self.fail_as(
                "zsh may begin a group at this brace".into(),
                at,
                false,
                false,
            );
            return None;
        }
        self.node();
        Some(self.simple())
    }

    /// Assignments, words and redirects; or a function's definition.
    pub(super) fn simple(&mut self) -> Command {
        let start = self.pos;
        let mut simple = Simple::default();
        let mut end = start;
        let mut declares = false;
        loop {
            self.skip_blanks();
            let Some(byte) = self.peek() else { break };
            if let Some(redirect) = self.redirect(byte) {
                simple.redirects.push(redirect);
                end = self.pos;
                continue;
            }
            match byte {
                b'\n' | b';' | b'|' | b'&' | b')' => break,
                b'(' if self.zsh()
                    && !simple.words.is_empty()
                    && self.peek_second() != Some(b')') => {}
                b'(' => {
                    if simple.words.len() == 1
                        && simple.assignments.is_empty()
                        && simple.redirects.is_empty()
                    {
                        return self.function_after_name(start, end, simple);
                    }
                    self.unexpected();
                    break;
                }
                _ => {}
            }
            if simple.words.is_empty()
                && let Some(assignment) = self.assignment()
            {
                simple.assignments.push(assignment);
                end = self.pos;
                continue;
            }
            let before = self.pos;
            let word = if declares {
                self.declared_word()
            } else {
                self.word(Place::Plain)
            };
            if self.pos == before || word.parts.is_empty() {
                self.unexpected();
                break;
            }
            if simple.words.is_empty() {
                declares = matches!(word.parts.as_slice(), [Part::Literal(name, _)] if DECLARING.contains(&name.as_str()));
            }
            self.refuse_descriptor_word(&word);
            if self.zsh() {
                self.zsh_refuse_closing_brace(&word);
            }
            simple.words.push(word);
            end = self.pos.min(self.end);
            if self.zsh() && self.zsh_ends_simple(&simple) {
                break;
            }
        }
        simple.span = self.span(start, end);
        Command::Simple(simple)
    }

    /// `{name[sub]}>` is a descriptor to bash; it is not followed.
    fn refuse_descriptor_word(&mut self, word: &Word) {
        if matches!(self.peek(), Some(b'<' | b'>'))
            && let Some(Part::Literal(text, _)) = word.parts.first()
            && text.starts_with('{')
            && text.contains('[')
            && word.span.slice(self.text).ends_with('}')
        {
            let at = self.pos;
            self.fail_as(
                "a descriptor variable with a subscript is not read".into(),
                at,
                false,
                false,
            );
        }
    }

    /// `name ()` was begun: its parentheses and body.
    fn function_after_name(&mut self, start: usize, name_end: usize, simple: Simple) -> Command {
        let name: String = self.slice(start, name_end).into();
        let open = self.pos;
        self.bump();
        self.skip_blanks();
        if !self.eat(b')') {
            self.pos = open;
            self.unexpected();
            return Command::Simple(simple);
        }
        self.function_body(name, start)
    }

    /// The body of a function, after its name and parentheses.
    pub(super) fn function_body(&mut self, name: String, start: usize) -> Command {
        self.skip_newlines();
        let body = self.deeper(|reader| {
            if reader.zsh() {
                reader.zsh_body()
            } else {
                reader.compound_only()
            }
        });
        let body = body.unwrap_or_else(|| {
            self.unexpected();
            Command::Simple(Simple::default())
        });
        Command::Function(Function {
            name,
            body: Box::new(body),
            span: self.span_from(start),
        })
    }

    /// An assignment at the cursor.
    fn assignment(&mut self) -> Option<Assignment> {
        if !self.peek().is_some_and(is_name_start) {
            return None;
        }
        let start = self.pos;
        let mut at = start;
        while self.at(at).is_some_and(is_name) {
            at = self.joined(at + 1);
        }
        let next = self.at(at);
        let after = self.at(self.joined(at + 1));
        match next {
            Some(b'=' | b'[') => {}
            Some(b'+') if after == Some(b'=') => {}
            _ => return None,
        }
        let name = self.name();
        let mut subscript = None;
        if self.peek() == Some(b'[') {
            let open = self.pos;
            self.bump();
            let inside = self.deeper(|reader| reader.arithmetic(Close::Subscript));
            if !self.eat(b']') {
                self.fail("a subscript is not closed", open);
            }
            let assigns = match self.peek() {
                Some(b'=') => true,
                Some(b'+') => self.peek_second() == Some(b'='),
                _ => false,
            };
            if !assigns && !self.failed() {
                // A word such as `a[1]`: bash reads the brackets as one unit all the same, blanks included.
                if self
                    .slice(open, self.pos)
                    .contains([' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')'])
                {
                    self.fail_as(
                        "a subscript without an assignment is not followed".into(),
                        open,
                        false,
                        false,
                    );
                }
                self.pos = start;
                return None;
            }
            subscript = Some(inside);
        }
        let append = self.eat(b'+');
        self.eat(b'=');
        self.node();
        let value = if self.peek() == Some(b'(') {
            self.array_value()
        } else {
            AssignValue::Word(self.assigned_word())
        };
        Some(Assignment {
            name,
            append,
            subscript,
            value,
            span: self.span_from(start),
        })
    }

    /// The word after `=`; empty when nothing follows.
    fn assigned_word(&mut self) -> Word {
        self.word(Place::Plain)
    }

    /// `(…)` after `=`.
    fn array_value(&mut self) -> AssignValue {
        let start = self.pos;
        let words = self.array();
        let goes_on = self.peek().is_some_and(|byte| {
            !is_meta(byte) || (matches!(byte, b'<' | b'>') && self.peek_second() == Some(b'('))
        });
        if !goes_on {
            return AssignValue::Array(words);
        }
        let mut parts = Parts::default();
        let array = Part::Array(words, self.span_from(start));
        parts.push(self, array);
        self.word_rest(&mut parts, Place::Plain);
        let span = self.span_from(start);
        AssignValue::Word(Word {
            parts: parts.finish(self),
            span,
        })
    }

    /// The elements between parentheses, which are taken.
    fn array(&mut self) -> Vec<Word> {
        let start = self.pos;
        self.bump();
        self.deeper(|reader| {
            let mut words = Vec::new();
            loop {
                reader.skip_newlines();
                match reader.peek() {
                    Some(b')') => {
                        reader.bump();
                        break;
                    }
                    None => {
                        reader.fail("an array is not closed", start);
                        break;
                    }
                    Some(b'[') => {
                        let word = reader.element_with_subscript();
                        words.push(word);
                    }
                    Some(_) => {
                        let word = reader.word(Place::Plain);
                        if word.parts.is_empty() {
                            reader.unexpected();
                            break;
                        }
                        words.push(word);
                    }
                }
            }
            words
        })
    }

    /// `[subscript]=value` in an array: the brackets are read as one unit.
    fn element_with_subscript(&mut self) -> Word {
        let start = self.pos;
        let mut parts = Parts::default();
        self.literal_byte(&mut parts);
        let inside = self.deeper(|reader| reader.arithmetic(Close::Subscript));
        for part in inside.parts {
            parts.push(self, part);
        }
        if self.peek() == Some(b']') {
            self.literal_byte(&mut parts);
        } else {
            self.fail("a subscript is not closed", start);
        }
        self.word_rest(&mut parts, Place::Plain);
        let span = self.span_from(start);
        Word {
            parts: parts.finish(self),
            span,
        }
    }

    /// A word of `declare` and kin: `name=(…)` may stand there.
    fn declared_word(&mut self) -> Word {
        self.peek();
        let start = self.pos;
        let mut at = start;
        while self.at(at).is_some_and(is_name) {
            at = self.joined(at + 1);
        }
        if at > start && self.at(at) == Some(b'+') {
            at = self.joined(at + 1);
        }
        let open = self.joined(at + 1);
        if at == start || self.at(at) != Some(b'=') || self.at(open) != Some(b'(') {
            return self.word(Place::Plain);
        }
        let mut parts = Parts::default();
        while self.pos < open {
            self.literal_byte(&mut parts);
        }
        let words = self.array();
        let array = Part::Array(words, self.span_from(open));
        parts.push(self, array);
        self.word_rest(&mut parts, Place::Plain);
        let span = self.span_from(start);
        Word {
            parts: parts.finish(self),
            span,
        }
    }

    /// A redirect at the cursor.
    pub(super) fn redirect(&mut self, byte: u8) -> Option<Redirect> {
        let start = self.pos;
        if byte == b'<' && self.zsh() && self.zsh_range_end().is_some() {
            return None;
        }
        let descriptor = match byte {
            b'<' | b'>' | b'&' => None,
            b'0'..=b'9' => Some(self.number_descriptor()?),
            b'{' => Some(self.variable_descriptor()?),
            _ => return None,
        };
        if byte != b'&' && self.peek_second() == Some(b'(') {
            self.pos = start;
            return None;
        }
        let Some(op) = self.redirect_operator() else {
            self.pos = start;
            return None;
        };
        self.node();
        if self.zsh()
            && matches!(
                op,
                RedirectOp::Write
                    | RedirectOp::Append
                    | RedirectOp::DupOutput
                    | RedirectOp::WriteBoth
                    | RedirectOp::AppendBoth
            )
        {
            let _ = self.eat(b'!') || self.eat(b'|');
        }
        self.skip_blanks();
        self.peek();
        let target_start = self.pos;
        let closes =
            matches!(op, RedirectOp::DupInput | RedirectOp::DupOutput) && self.peek() == Some(b'-');
        let target = if closes {
            // `>&-` is a token of its own: what follows the dash is another word.
            self.pos += 1;
            let span = self.span_from(target_start);
            Word {
                parts: alloc::vec![Part::Literal("-".into(), span)],
                span,
            }
        } else {
            self.word(Place::Plain)
        };
        if target.parts.is_empty() {
            let message = "a redirect has no target";
            self.fail(message, start);
        }
        let span = self.span_from(start);
        let heredoc = matches!(op, RedirectOp::HereDoc | RedirectOp::HereDocTabs)
            .then(|| self.begin_document(op, &target, start));
        Some(Redirect {
            descriptor,
            op,
            target,
            heredoc,
            span,
        })
    }

    fn number_descriptor(&mut self) -> Option<Descriptor> {
        let start = self.pos;
        let mut at = start;
        let mut digits = String::new();
        while let Some(byte) = self.at(at).filter(u8::is_ascii_digit) {
            if digits.len() > 10 {
                return None;
            }
            digits.push(char::from(byte));
            at = self.joined(at + 1);
        }
        // zsh knows descriptors of one digit only.
        if !matches!(self.at(at), Some(b'<' | b'>')) || (self.zsh() && digits.len() > 1) {
            return None;
        }
        let number = digits
            .parse::<i32>()
            .ok()
            .and_then(|number| u32::try_from(number).ok())?;
        self.pos = at;
        Some(Descriptor::Number(number))
    }

    fn variable_descriptor(&mut self) -> Option<Descriptor> {
        let start = self.pos;
        self.bump();
        let name = self.name();
        let closed = !name.is_empty() && self.eat(b'}') && matches!(self.peek(), Some(b'<' | b'>'));
        if closed {
            return Some(Descriptor::Variable(name));
        }
        self.pos = start;
        None
    }

    fn redirect_operator(&mut self) -> Option<RedirectOp> {
        let first = self.peek()?;
        let second = self.peek_second();
        let third = self.peek_third();
        let (op, width) = match (first, second, third) {
            (b'<', Some(b'<'), Some(b'<')) => (RedirectOp::HereString, 3),
            (b'<', Some(b'<'), Some(b'-')) => (RedirectOp::HereDocTabs, 3),
            (b'<', Some(b'<'), _) => (RedirectOp::HereDoc, 2),
            (b'<', Some(b'&'), _) => (RedirectOp::DupInput, 2),
            (b'<', Some(b'>'), _) => (RedirectOp::ReadWrite, 2),
            (b'<', _, _) => (RedirectOp::Read, 1),
            (b'>', Some(b'>'), Some(b'&')) if self.zsh() => (RedirectOp::AppendBoth, 3),
            (b'>', Some(b'>'), _) => (RedirectOp::Append, 2),
            (b'>', Some(b'|'), _) => (RedirectOp::Clobber, 2),
            (b'>', Some(b'&'), _) => (RedirectOp::DupOutput, 2),
            (b'>', _, _) => (RedirectOp::Write, 1),
            (b'&', Some(b'>'), Some(b'>')) => (RedirectOp::AppendBoth, 3),
            (b'&', Some(b'>'), _) => (RedirectOp::WriteBoth, 2),
            _ => return None,
        };
        for _ in 0..width {
            self.bump();
        }
        Some(op)
    }
}
