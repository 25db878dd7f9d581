//! `[[ … ]]`: its operators and operands, by bash's grammar of conditions.
//!
//! Operands are words in which `<`, `>`, `&`, `|`, `(` and `)` end the word, except in a regex after `=~` and in
//! extended patterns. An unquoted `]]` ends the command wherever a word may stand.

use alloc::vec::Vec;

use crate::{
    facts::Shell,
    syntax::ast::{CompoundKind, CondToken, Word},
};

use super::{Reader, cursor::is_meta, words::Place};

/// The operators that take one operand.
const UNARY: &[u8] = b"abcdefghknoprstuvwxzGLNORS";
/// The words that are operators between two operands.
const BINARY: &[&str] = &[
    "==", "=", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef",
];

impl Reader<'_> {
    /// After `[[`.
    pub(super) fn cond(&mut self, start: usize) -> CompoundKind {
        let mut tokens = Vec::new();
        self.cond_or(&mut tokens);
        self.skip_newlines();
        if !self.eat_close() {
            self.cond_fault(start);
        }
        CompoundKind::Cond(tokens)
    }

    fn cond_fault(&mut self, start: usize) {
        if self.peek().is_none() {
            self.fail("`[[` is not closed", start);
        } else {
            self.unexpected();
        }
    }

    /// Whether `]]` stands here as a word.
    fn at_close(&mut self) -> bool {
        if self.peek() != Some(b']') || self.peek_second() != Some(b']') {
            return false;
        }
        self.peek_third().is_none_or(is_meta)
    }

    fn eat_close(&mut self) -> bool {
        let closes = self.at_close();
        if closes {
            self.bump();
            self.bump();
        }
        closes
    }

    fn cond_or(&mut self, tokens: &mut Vec<CondToken>) {
        loop {
            self.cond_term(tokens);
            self.skip_newlines();
            let joined = matches!(
                (self.peek(), self.peek_second()),
                (Some(b'&'), Some(b'&')) | (Some(b'|'), Some(b'|'))
            );
            if !joined {
                return;
            }
            self.cond_op(tokens, 2);
        }
    }

    /// Takes an operator of this many bytes.
    fn cond_op(&mut self, tokens: &mut Vec<CondToken>, width: usize) {
        self.peek();
        let start = self.pos;
        let mut text = alloc::string::String::new();
        for _ in 0..width {
            if let Some(byte) = self.peek() {
                text.push(char::from(byte));
                self.bump();
            }
        }
        self.node();
        tokens.push(CondToken::Op(text, self.span_from(start)));
    }

    fn cond_term(&mut self, tokens: &mut Vec<CondToken>) {
        self.skip_newlines();
        loop {
            let bang = self.peek() == Some(b'!') && self.peek_second().is_none_or(is_meta);
            if !bang {
                break;
            }
            self.cond_op(tokens, 1);
            self.skip_newlines();
        }
        if self.peek() == Some(b'(') {
            let open = self.pos;
            self.deeper(|reader| {
                reader.cond_op(tokens, 1);
                reader.cond_or(tokens);
                reader.skip_newlines();
                if reader.peek() == Some(b')') {
                    reader.cond_op(tokens, 1);
                } else {
                    reader.cond_fault(open);
                }
            });
            return;
        }
        if let Some(b'-') = self.peek()
            && self.peek_second().is_some_and(|byte| UNARY.contains(&byte))
            && self
                .peek_third()
                .is_none_or(|byte| matches!(byte, b' ' | b'\t'))
            && self.unary_ahead()
        {
            self.cond_op(tokens, 2);
            self.skip_blanks();
            self.operand_word(tokens, Place::Plain);
            return;
        }
        self.operand_word(tokens, Place::Plain);
        self.skip_blanks();
        if let Some(width) = self.binary_ahead() {
            let regex = self.peek_second() == Some(b'~');
            self.cond_op(tokens, width);
            self.skip_blanks();
            self.operand_word(tokens, if regex { Place::Regex } else { Place::Plain });
        }
    }

    /// Whether `-x` here is an operator: to bash whenever a word follows; elsewhere not when an operator between operands follows it
    /// (`[[ -f == x ]]`).
    fn unary_ahead(&mut self) -> bool {
        if self.shell == Shell::Bash {
            return true;
        }
        let at = self.pos;
        self.bump();
        self.bump();
        self.skip_blanks();
        let binary = self.binary_ahead().is_some() && !self.at_close();
        self.pos = at;
        !binary
    }

    /// The width of an operator between operands that stands here.
    fn binary_ahead(&mut self) -> Option<usize> {
        let first = self.peek()?;
        if matches!(first, b'<' | b'>') {
            return (self.peek_second() != Some(b'(')).then_some(1);
        }
        let mut text = alloc::string::String::new();
        let mut at = self.pos;
        while let Some(byte) = self.at(at).filter(|byte| !is_meta(*byte)) {
            if text.len() > 3 || !byte.is_ascii() {
                return None;
            }
            text.push(char::from(byte));
            at = self.joined(at + 1);
        }
        BINARY.contains(&text.as_str()).then_some(text.len())
    }

    fn operand_word(&mut self, tokens: &mut Vec<CondToken>, place: Place) {
        if self.at_close() {
            self.unexpected();
            return;
        }
        let word: Word = self.word(place);
        if word.parts.is_empty() {
            let at = self.pos;
            self.cond_fault(at);
            return;
        }
        tokens.push(CondToken::Word(word));
    }
}
