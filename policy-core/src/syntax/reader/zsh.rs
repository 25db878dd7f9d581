//! What zsh reads otherwise than bash.
//!
//! Short loop and conditional forms, `repeat`, `foreach`, `always`, anonymous functions, `}` without a `;` before it, glob
//! qualifiers, `=(…)`, `<->` and parameter flags. What has no shape in the tree is opaque, with the substitutions inside it read.

use alloc::{string::String, vec::Vec};

use crate::syntax::ast::{
    Command, CompoundKind, Function, Param, ParamOp, Part, Pipeline, Script, Simple, Stage, Word,
};

use super::{
    Reader,
    commands::Stop,
    cursor::{is_meta, is_name_start},
    words::{Parts, Place},
};

/// Reserved words that bash does not have.
pub(super) const RESERVED: &[&str] = &["repeat", "foreach", "end", "always"];

impl Reader<'_> {
    /// Whether `${` goes on with zsh's flags: `(flags)`, `=`, `~`, `^`, `+`, or another expansion.
    pub(super) fn zsh_flags_ahead(&mut self) -> bool {
        matches!(
            self.peek(),
            Some(b'(' | b'=' | b'~' | b'^' | b'+' | b'$' | b'{' | b'"' | b':')
        )
    }

    /// `$+name`, `$^name`, `$=name`, `$~name`.
    pub(super) fn zsh_flagged_param(&mut self, start: usize) -> Option<Part> {
        if !self.peek_third().is_some_and(|byte| {
            is_name_start(byte) || matches!(byte, b'{' | b'@' | b'*' | b'+' | b'^' | b'=' | b'~')
        }) {
            return None;
        }
        self.bump();
        while matches!(self.peek(), Some(b'+' | b'^' | b'=' | b'~')) {
            self.bump();
        }
        let mut inside = Vec::new();
        if self.peek() == Some(b'{') {
            self.bump();
            inside.push(self.braced(start, false));
        }
        let name = self.name();
        self.zsh_param_goes_on(&name);
        let span = self.span_from(start);
        Some(Part::Param(Param {
            name,
            subscript: None,
            op: ParamOp::Opaque(inside),
            span,
        }))
    }

    /// After `$name`: a subscript or a modifier belongs to the expansion. The subscript is left to the word, where it is read as text.
    pub(super) fn zsh_param_goes_on(&mut self, _name: &str) -> bool {
        match self.peek() {
            Some(b'[') => true,
            Some(b':') => self
                .peek_second()
                .is_some_and(|byte| byte.is_ascii_alphabetic()),
            _ => false,
        }
    }

    /// Where `<1-5>` or `<->` ends, which is a pattern and not a redirect.
    pub(super) fn zsh_range_end(&mut self) -> Option<usize> {
        self.peek();
        let mut at = self.joined(self.pos + 1);
        let mut dash = false;
        loop {
            match self.at(at)? {
                b'0'..=b'9' => {}
                b'-' if !dash => dash = true,
                b'>' if dash => return Some(at + 1),
                _ => return None,
            }
            at = self.joined(at + 1);
        }
    }

    /// `(…)` in a word: a pattern, or glob qualifiers, which can run code.
    pub(super) fn zsh_group(&mut self, parts: &mut Parts) {
        let part = Part::Opaque(
            "a glob qualifier may run code",
            self.span(self.pos, self.pos + 1),
        );
        parts.push(self, part);
        self.group(parts);
    }

    /// What only zsh reads at the start of a word: `=(list)`, `=command`, `~[name]`.
    pub(super) fn zsh_word_start(&mut self, parts: &mut Parts) {
        let start = self.pos;
        match (self.peek(), self.peek_second()) {
            (Some(b'='), Some(b'(')) => {
                let part = self.process_sub(false);
                parts.push(self, part);
            }
            (Some(b'='), Some(byte)) if !is_meta(byte) => {
                self.bump();
                let part = Part::Opaque("`=name` is the path of a command", self.span_from(start));
                parts.push(self, part);
            }
            (Some(b'~'), Some(b'[')) => {
                self.bump();
                let part = Part::Opaque("`~[name]` calls a function", self.span_from(start));
                parts.push(self, part);
            }
            _ => {}
        }
    }

    /// Whether a simple command ends after this word: never by itself; kept for `}`.
    pub(super) fn zsh_ends_simple(&mut self, _simple: &Simple) -> bool {
        self.skip_blanks();
        matches!(self.reserved(), Some(("}", _)))
    }

    /// A `}` at the end of a word closes a group in zsh; it is not followed.
    pub(super) fn zsh_refuse_closing_brace(&mut self, word: &Word) {
        let mut open = 0i32;
        for part in &word.parts {
            let Part::Literal(text, _) = part else {
                continue;
            };
            for byte in text.bytes() {
                open += match byte {
                    b'{' => 1,
                    b'}' => -1,
                    _ => 0,
                };
                if open < 0 && !self.failed() {
                    let at = self.pos;
                    self.fail_as("zsh may end a group at this brace".into(), at, false, false);
                    return;
                }
            }
        }
    }

    /// The body of a function: any command.
    pub(super) fn zsh_body(&mut self) -> Option<Command> {
        self.command()
    }

    /// `() { … }`: runs at once.
    pub(super) fn zsh_anonymous(&mut self, start: usize) -> Command {
        self.bump();
        self.skip_blanks();
        self.eat(b')');
        let body = self.function_body(String::new(), start);
        match body {
            Command::Function(Function { body, span, .. }) => {
                let script = one_command(*body, span);
                let mut words = Vec::new();
                loop {
                    self.skip_blanks();
                    let word = self.word(Place::Plain);
                    if word.parts.is_empty() {
                        break;
                    }
                    words.push(word);
                }
                let kind = if words.is_empty() {
                    CompoundKind::Group(script)
                } else {
                    // Its arguments are what `$1` and kin stand for: the shape of a loop over them says as much.
                    CompoundKind::For {
                        name: "argv".into(),
                        words: Some(words),
                        body: script,
                        select: false,
                    }
                };
                self.compound(start, Some(kind))
            }
            other => other,
        }
    }

    /// After `{ … }`: an `always` block.
    pub(super) fn zsh_after_group(&mut self, script: Script, start: usize) -> CompoundKind {
        self.skip_blanks();
        if !self.eat_reserved("always") {
            return CompoundKind::Group(script);
        }
        self.skip_blanks();
        self.expect_reserved("{", start);
        let last = self.list(Stop::BRACE);
        self.expect_reserved("}", start);
        let mut items = script.items;
        items.extend(last.items);
        CompoundKind::Group(self.script(items))
    }

    /// The condition of `if`, `while`, `until`.
    pub(super) fn zsh_condition(&mut self, stop: Stop) -> Script {
        self.skip_newlines();
        let short =
            self.peek() == Some(b'(') || matches!(self.reserved(), Some(("[[", _) | ("{", _)));
        if !short {
            return self.list(stop.or(Stop::OPEN_BRACE));
        }
        let mut items = Vec::new();
        self.item(&mut items);
        self.skip_newlines();
        let ends = self
            .reserved()
            .is_some_and(|(word, _)| matches!(word, "then" | "do" | "{"));
        if !ends {
            return self.script(items);
        }
        let more = self.list(stop.or(Stop::OPEN_BRACE));
        items.extend(more.items);
        self.script(items)
    }

    /// `if list { … } elif list { … } else { … }` and `if (list) command`.
    pub(super) fn zsh_short_if(
        &mut self,
        mut arms: Vec<(Script, Script)>,
        condition: Script,
        start: usize,
    ) -> CompoundKind {
        let mut condition = condition;
        loop {
            let braced = matches!(self.reserved(), Some(("{", _)));
            let body = self.zsh_short_body(start);
            arms.push((condition, body));
            if !braced {
                return CompoundKind::If(arms, None);
            }
            self.skip_blanks();
            if self.eat_reserved("elif") {
                condition = self.zsh_condition(Stop::default());
                continue;
            }
            let last = self.eat_reserved("else").then(|| {
                self.skip_newlines();
                self.zsh_short_body(start)
            });
            return CompoundKind::If(arms, last);
        }
    }

    /// `{ … }` or one command.
    pub(super) fn zsh_short_body(&mut self, start: usize) -> Script {
        self.skip_newlines();
        if self.eat_reserved("{") {
            let body = self.list(Stop::BRACE);
            self.expect_reserved("}", start);
            return body;
        }
        let mut items = Vec::new();
        self.deeper(|reader| reader.item(&mut items));
        if items.is_empty() {
            self.unexpected();
        }
        self.script(items)
    }

    /// `repeat n body` and `foreach name (words) … end`.
    pub(super) fn zsh_loop(&mut self, word: &str, start: usize) -> CompoundKind {
        self.skip_blanks();
        if word == "repeat" {
            let count = self.word(Place::Plain);
            self.skip_blanks();
            self.eat(b';');
            self.skip_newlines();
            let body = self.loop_body(start);
            return CompoundKind::For {
                name: "repeat".into(),
                words: Some(alloc::vec![count]),
                body,
                select: false,
            };
        }
        let name = self.name();
        self.skip_blanks();
        let words = self.zsh_parenthesized_words();
        let mut items = Vec::new();
        loop {
            self.skip_newlines();
            self.eat(b';');
            self.skip_newlines();
            if self.eat_reserved("end") {
                break;
            }
            let before = items.len();
            self.item(&mut items);
            if items.len() == before {
                self.fail("`end` is missing", start);
                break;
            }
        }
        let body = self.script(items);
        CompoundKind::For {
            name,
            words: Some(words),
            body,
            select: false,
        }
    }

    /// `(word …)`.
    pub(super) fn zsh_parenthesized_words(&mut self) -> Vec<Word> {
        let start = self.pos;
        let mut words = Vec::new();
        if !self.eat(b'(') {
            self.unexpected();
        }
        loop {
            self.skip_newlines();
            if self.eat(b')') {
                return words;
            }
            let word = self.word(Place::Plain);
            if word.parts.is_empty() {
                self.fail("a list of words is not closed", start);
                return words;
            }
            words.push(word);
        }
    }

    /// `(pattern|pattern)` before an arm; the parentheses may also be part of a longer pattern.
    pub(super) fn zsh_patterns(&mut self, start: usize) -> Vec<Word> {
        let mut patterns = Vec::new();
        let word = self.word(Place::Plain);
        patterns.push(word);
        self.skip_blanks();
        while self.eat(b'|') {
            self.skip_blanks();
            let word = self.word(Place::Plain);
            if word.parts.is_empty() {
                self.fail("a pattern is missing", start);
                return patterns;
            }
            patterns.push(word);
            self.skip_blanks();
        }
        self.eat(b')');
        patterns
    }
}

/// A list of one command.
fn one_command(command: Command, span: crate::span::Span) -> Script {
    let pipeline = Pipeline {
        bangs: 0,
        timed: false,
        stages: alloc::vec![Stage {
            command,
            stderr_too: false
        }],
        span,
    };
    let and_or = crate::syntax::ast::AndOr {
        first: pipeline,
        rest: Vec::new(),
    };
    Script {
        items: alloc::vec![crate::syntax::ast::Item {
            and_or,
            background: false,
            span
        }],
        span,
    }
}
