//! Compound commands: groups, conditionals, loops, `case`, functions and coprocesses.

use alloc::{boxed::Box, string::String, vec::Vec};

use crate::syntax::ast::{Command, Compound, CompoundKind, Script, Word};

use super::{Reader, arith::Close, commands::Stop, cursor::is_meta, words::Place};

impl Reader<'_> {
    /// At a `(`: arithmetic or a subshell.
    pub(super) fn parenthesized(&mut self) -> Command {
        let start = self.pos;
        if self.zsh() && self.peek_second() == Some(b')') {
            return self.zsh_anonymous(start);
        }
        let kind = self.deeper(|reader| Some(reader.arithmetic_or_subshell(start)));
        self.compound(start, kind)
    }

    fn arithmetic_or_subshell(&mut self, start: usize) -> CompoundKind {
        let second = self.joined(start + 1);
        let bodies = self.shared.bodies.len();
        let doubled = self.at(second) == Some(b'(');
        if doubled {
            self.bash_only("`((`", start);
        }
        if doubled && !self.not_arithmetic.contains(&second) {
            let waiting = self.pending.clone();
            self.bump();
            self.bump();
            let inside = self.arithmetic(Close::Paren);
            if self.failed() {
                return CompoundKind::Arith(inside);
            }
            if self.peek() == Some(b')') && self.peek_second() == Some(b')') {
                self.bump();
                self.bump();
                return CompoundKind::Arith(inside);
            }
            if self.peek().is_none() {
                self.fail("`((` is not closed", start);
                return CompoundKind::Arith(inside);
            }
            self.not_arithmetic.insert(second);
            self.pending = waiting;
            self.pos = start;
        }
        self.bump();
        let script = self.full_list(Stop::PAREN);
        if !self.eat(b')') {
            self.fail("a subshell is not closed", start);
        }
        if doubled {
            self.refuse_documents(bodies, start);
        }
        CompoundKind::Subshell(script)
    }

    /// A compound command with the redirects that follow it.
    pub(super) fn compound(&mut self, start: usize, kind: Option<CompoundKind>) -> Command {
        let kind = kind.unwrap_or(CompoundKind::Opaque("nested too deep to be read"));
        let mut redirects = Vec::new();
        let mut end = self.pos;
        loop {
            self.skip_blanks();
            let Some(byte) = self.peek() else { break };
            let Some(redirect) = self.redirect(byte) else {
                break;
            };
            redirects.push(redirect);
            end = self.pos;
        }
        Command::Compound(Compound {
            kind,
            redirects,
            span: self.span(start, end),
        })
    }

    /// A compound command, or nothing: a function's body.
    pub(super) fn compound_only(&mut self) -> Option<Command> {
        self.skip_blanks();
        if self.peek()? == b'(' {
            return Some(self.parenthesized());
        }
        match self.reserved()? {
            ("time" | "!" | "coproc" | "function", _) => None,
            (word, end) => self.reserved_command(word, end),
        }
    }

    /// The command that this reserved word begins; nothing when it begins none.
    pub(super) fn reserved_command(&mut self, word: &'static str, end: usize) -> Option<Command> {
        let start = self.pos;
        if matches!(word, "[[" | "function" | "select" | "coproc") {
            self.bash_only("this word", start);
            if self.failed() {
                return None;
            }
        }
        let kind = match word {
            "if" | "while" | "until" | "for" | "select" | "case" | "{" | "[[" | "repeat"
            | "foreach" => {
                self.pos = end;
                self.deeper(|reader| Some(reader.compound_kind(word, start)))
            }
            "function" => {
                self.pos = end;
                return Some(self.function(start));
            }
            "coproc" => {
                self.pos = end;
                return Some(self.coprocess(start));
            }
            "time" if self.zsh() => {
                self.pos = end;
                return self.deeper(Self::command);
            }
            "time" => {
                // After `|` it is a command's name.
                self.node();
                return Some(self.simple());
            }
            _ => return None,
        };
        Some(self.compound(start, kind))
    }

    fn compound_kind(&mut self, word: &str, start: usize) -> CompoundKind {
        match word {
            "if" => self.conditional(start),
            "while" | "until" => {
                let condition = self.condition(Stop::DO);
                let body = self.do_body(start);
                CompoundKind::While {
                    until: word == "until",
                    condition,
                    body,
                }
            }
            "for" | "select" => self.for_loop(start, word == "select"),
            "case" => self.case(start),
            "[[" => self.cond(start),
            "repeat" | "foreach" => self.zsh_loop(word, start),
            _ => {
                let script = self.full_list(Stop::BRACE);
                self.expect_reserved("}", start);
                if self.zsh() {
                    return self.zsh_after_group(script, start);
                }
                CompoundKind::Group(script)
            }
        }
    }

    /// A condition; zsh may go on with `{` instead of the reserved word.
    fn condition(&mut self, stop: Stop) -> Script {
        if self.zsh() {
            return self.zsh_condition(stop);
        }
        self.full_list(stop)
    }

    fn conditional(&mut self, start: usize) -> CompoundKind {
        let mut arms = Vec::new();
        loop {
            let condition = self.condition(Stop::THEN);
            if self.zsh() && self.reserved().is_none_or(|(word, _)| word != "then") {
                return self.zsh_short_if(arms, condition, start);
            }
            self.expect_reserved("then", start);
            let body = self.full_list(Stop::FI);
            arms.push((condition, body));
            if !self.eat_reserved("elif") {
                break;
            }
        }
        let last = self.eat_reserved("else").then(|| self.full_list(Stop::FI));
        self.expect_reserved("fi", start);
        CompoundKind::If(arms, last)
    }

    /// `do …; done`, or zsh's short bodies.
    fn do_body(&mut self, start: usize) -> Script {
        if self.zsh() && self.reserved().is_none_or(|(word, _)| word != "do") {
            return self.zsh_short_body(start);
        }
        self.expect_reserved("do", start);
        let body = self.full_list(Stop::DONE);
        self.expect_reserved("done", start);
        body
    }

    /// `do …; done` or `{ …; }`.
    pub(super) fn loop_body(&mut self, start: usize) -> Script {
        if self.eat_reserved("{") {
            let body = self.full_list(Stop::BRACE);
            self.expect_reserved("}", start);
            return body;
        }
        self.do_body(start)
    }

    fn for_loop(&mut self, start: usize, select: bool) -> CompoundKind {
        self.skip_blanks();
        if !select && self.peek() == Some(b'(') && self.peek_second() == Some(b'(') {
            return self.for_arithmetic(start);
        }
        let name_start = self.pos;
        let word = self.word(Place::Plain);
        if word.parts.is_empty() {
            self.unexpected();
        }
        let name: String = self.slice(name_start, self.pos).into();
        self.skip_blanks();
        let mut words = None;
        if self.zsh() && self.peek() == Some(b'(') {
            words = Some(self.zsh_parenthesized_words());
            self.skip_separator();
        } else if self.peek() == Some(b';') {
            self.bump();
        } else {
            self.skip_newlines();
            if self.eat_in() {
                words = Some(self.words_to_line_end());
                self.skip_separator();
            }
        }
        self.skip_newlines();
        let body = self.loop_body(start);
        CompoundKind::For {
            name,
            words,
            body,
            select,
        }
    }

    /// A `;` or a newline after a list of words.
    fn skip_separator(&mut self) {
        self.skip_blanks();
        if self.peek() == Some(b';') {
            self.bump();
        } else if !self.skip_newline() && !self.zsh() {
            self.unexpected();
        }
    }

    fn words_to_line_end(&mut self) -> Vec<Word> {
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            let word = self.word(Place::Plain);
            if word.parts.is_empty() {
                return words;
            }
            words.push(word);
        }
    }

    /// Takes the word `in`.
    fn eat_in(&mut self) -> bool {
        self.skip_blanks();
        if self.peek() != Some(b'i') || self.peek_second() != Some(b'n') {
            return false;
        }
        let second = self.joined(self.pos + 1);
        let after = self.joined(second + 1);
        let whole = self.at(after).is_none_or(is_meta);
        if whole {
            self.pos = after;
        }
        whole
    }

    fn for_arithmetic(&mut self, start: usize) -> CompoundKind {
        self.bash_only("`((`", start);
        self.bump();
        self.bump();
        let expression = self.arithmetic(Close::Paren);
        if !(self.eat(b')') && self.eat(b')')) {
            self.fail("`for ((` is not closed", start);
        }
        self.skip_blanks();
        if self.peek() == Some(b';') {
            self.bump();
        }
        self.skip_newlines();
        let body = self.loop_body(start);
        CompoundKind::ForArith { expression, body }
    }

    fn case(&mut self, start: usize) -> CompoundKind {
        self.skip_blanks();
        let subject = self.word(Place::Plain);
        if subject.parts.is_empty() {
            self.unexpected();
        }
        self.skip_newlines();
        if !self.eat_in() {
            self.fail("`case` has no `in`", start);
        }
        let mut arms = Vec::new();
        loop {
            self.skip_newlines();
            if self.peek().is_none() {
                self.fail("`esac` is missing", start);
                break;
            }
            if self.eat_reserved("esac") {
                break;
            }
            let patterns = self.patterns(start);
            let body = self.list(Stop::ARM);
            arms.push((patterns, body));
            if self.failed() {
                break;
            }
            self.skip_blanks();
            if self.peek() == Some(b';') {
                self.bump();
                let second = self.peek();
                self.bump();
                if second == Some(b';') && self.peek() == Some(b'&') {
                    self.bump();
                }
            } else if self.peek().is_none() {
                self.fail("`esac` is missing", start);
                break;
            } else if !matches!(self.reserved(), Some(("esac", _))) {
                self.unexpected();
                break;
            }
        }
        CompoundKind::Case { subject, arms }
    }

    /// The patterns of an arm, with their parenthesis.
    fn patterns(&mut self, start: usize) -> Vec<Word> {
        let mut patterns = Vec::new();
        if self.zsh() && self.peek() == Some(b'(') {
            return self.zsh_patterns(start);
        }
        self.eat(b'(');
        loop {
            self.skip_blanks();
            let pattern = self.word(Place::Plain);
            if pattern.parts.is_empty() {
                self.unexpected();
                return patterns;
            }
            patterns.push(pattern);
            self.skip_blanks();
            if self.eat(b')') {
                return patterns;
            }
            if !self.eat(b'|') {
                if self.peek().is_none() {
                    self.fail("`esac` is missing", start);
                } else {
                    self.unexpected();
                }
                return patterns;
            }
        }
    }

    /// After `function`.
    fn function(&mut self, start: usize) -> Command {
        self.skip_blanks();
        let name_start = self.pos;
        let word = self.word(Place::Plain);
        let name: String = self.slice(name_start, self.pos).into();
        if word.parts.is_empty() && !self.zsh() {
            self.unexpected();
        }
        self.skip_blanks();
        if self.peek() == Some(b'(') {
            let open = self.pos;
            self.bump();
            self.skip_blanks();
            if !self.eat(b')') {
                // `function f (list)`: the parenthesis is the body's.
                self.pos = open;
            }
        }
        self.function_body(name, start)
    }

    /// After `coproc`.
    fn coprocess(&mut self, start: usize) -> Command {
        let inner = self.deeper(|reader| {
            if let Some(body) = reader.compound_only() {
                return Some(body);
            }
            reader.skip_blanks();
            let name_start = reader.pos;
            let name = reader.word(Place::Plain);
            if !name.parts.is_empty()
                && let Some(body) = reader.compound_only()
            {
                return Some(body);
            }
            reader.pos = name_start;
            reader.node();
            Some(reader.simple())
        });
        let inner = inner.unwrap_or_else(|| Command::Simple(crate::syntax::ast::Simple::default()));
        Command::Coproc(Box::new(inner), self.span_from(start))
    }
}
