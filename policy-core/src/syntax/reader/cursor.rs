//! The cursor: bytes with backslash-newline removed as bash removes it, blanks, comments, spans.
//!
//! `peek` joins continued lines; `raw` does not, for single quotes, comments and quoted here-documents. Delimiters
//! are ASCII, so every slice taken between two of them lies on character boundaries.

use alloc::{format, string::String, vec::Vec};

use crate::span::Span;

use super::Reader;

/// Where the bytes of a text come from.
#[derive(Clone, Debug)]
pub(super) enum Map {
    /// The text is a stretch of the original that begins here.
    Base(usize),
    /// The original place of each byte, for texts with escapes or tabs removed.
    Table(Vec<u32>),
}

impl Map {
    /// The original place of a byte.
    pub(super) fn place(&self, at: usize) -> usize {
        match self {
            Self::Base(base) => base + at,
            Self::Table(table) => match table.get(at) {
                Some(place) => *place as usize,
                None => table.last().map_or(0, |last| *last as usize + 1),
            },
        }
    }

    /// Whether it is the given text itself, where an early end means that more may come.
    pub(super) fn is_outermost(&self) -> bool {
        matches!(self, Self::Base(0))
    }
}

/// Whether a byte ends a word: the metacharacters of the manual.
pub(super) fn is_meta(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\n' | b'|' | b'&' | b';' | b'(' | b')' | b'<' | b'>'
    )
}

/// Whether a byte can begin a variable's name.
pub(super) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Whether a byte can go on in a variable's name.
pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl Reader<'_> {
    /// The byte `ahead` places on, as it stands.
    pub(super) fn raw(&self, ahead: usize) -> Option<u8> {
        let at = self.pos + ahead;
        if at < self.end {
            self.bytes.get(at).copied()
        } else {
            None
        }
    }

    /// The next byte, continued lines joined.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            match self.raw(0) {
                Some(b'\\') if self.raw(1) == Some(b'\n') => {
                    self.pos += 2;
                }
                other => return other,
            }
        }
    }

    /// The place of the next byte at or after `at`, continued lines joined.
    pub(super) fn joined(&self, mut at: usize) -> usize {
        while at + 1 < self.end
            && self.bytes.get(at) == Some(&b'\\')
            && self.bytes.get(at + 1) == Some(&b'\n')
        {
            at += 2;
        }
        at
    }

    /// The byte at a place, unless the text ends before it.
    pub(super) fn at(&self, place: usize) -> Option<u8> {
        if place < self.end {
            self.bytes.get(place).copied()
        } else {
            None
        }
    }

    /// The byte after the next one, continued lines joined.
    pub(super) fn peek_second(&mut self) -> Option<u8> {
        self.peek()?;
        let second = self.joined(self.pos + 1);
        self.at(second)
    }

    /// The third byte, continued lines joined.
    pub(super) fn peek_third(&mut self) -> Option<u8> {
        self.peek()?;
        let second = self.joined(self.pos + 1);
        let third = self.joined(second + 1);
        self.at(third)
    }

    /// Takes the next byte, which must be ASCII.
    pub(super) fn bump(&mut self) {
        self.peek();
        if self.pos < self.end {
            self.pos += 1;
        }
    }

    /// Takes the next byte if it is this one.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let same = self.peek() == Some(byte);
        if same {
            self.pos += 1;
        }
        same
    }

    /// The text between two places.
    pub(super) fn slice(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or("")
    }

    /// The original span of a stretch.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        let from = self.map.place(start);
        let to = if end > start {
            self.map.place(end - 1) + 1
        } else {
            from
        };
        Span::new(from, to)
    }

    /// The original span from a place to here.
    pub(super) fn span_from(&self, start: usize) -> Span {
        self.span(start, self.pos)
    }

    /// Skips blanks, continued lines and a comment: a `#` that begins a token.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.pos += 1,
                Some(b'#') => {
                    let start = self.pos;
                    while !matches!(self.raw(0), None | Some(b'\n')) {
                        self.pos += 1;
                    }
                    self.steps(self.pos - start);
                    return;
                }
                _ => return,
            }
        }
    }

    /// Skips one newline, with the bodies of the here-documents that wait for it.
    pub(super) fn skip_newline(&mut self) -> bool {
        if self.peek() != Some(b'\n') {
            return false;
        }
        self.pos += 1;
        if !self.pending.is_empty() {
            self.read_bodies();
        }
        true
    }

    /// Skips blanks, comments and newlines.
    pub(super) fn skip_newlines(&mut self) {
        loop {
            self.skip_blanks();
            if !self.skip_newline() {
                return;
            }
        }
    }

    /// The fault of a token that cannot stand here.
    pub(super) fn unexpected(&mut self) {
        let start = self.pos;
        let message = match self.peek() {
            None => String::from("the text ends where a command is expected"),
            Some(b'\n') => String::from("a line ends where a command is expected"),
            Some(_) => {
                let token: String = self.slice(self.pos, self.end).chars().take(1).collect();
                self.pos += token.len();
                let message = format!("`{token}` cannot stand here");
                self.fail_as(message, start, false, false);
                return;
            }
        };
        self.fail(message, start);
    }

    /// A name at the cursor, continued lines joined; empty when there is none.
    pub(super) fn name(&mut self) -> String {
        let mut name = String::new();
        if self.peek().is_some_and(is_name_start) {
            while let Some(byte) = self.peek().filter(|byte| is_name(*byte)) {
                name.push(char::from(byte));
                self.pos += 1;
            }
        }
        self.steps(name.len());
        name
    }
}
