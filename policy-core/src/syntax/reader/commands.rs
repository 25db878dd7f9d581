//! Lists, and-or lists and pipelines.
//!
//! Reserved words count only where a command can begin. A list ends at what its caller can use (`Stop`); anything else
//! that cannot begin a command is a fault.

use alloc::vec::Vec;

use crate::syntax::ast::{AndOr, AndOrOp, Command, Item, Pipeline, Script, Stage};

use super::{Reader, cursor::is_meta};

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

/// Whether a word means something where a command begins, in any shell.
pub(in crate::syntax) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word) || super::zsh::RESERVED.contains(&word)
}

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
        // `[[<(x)` is a word.
        let next = self.at(self.joined(at + 1));
        if matches!(self.at(at), Some(b'<' | b'>')) && next == Some(b'(') {
            return None;
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
                    let at = self.pos;
                    self.bash_only("`|&`", at);
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
}
