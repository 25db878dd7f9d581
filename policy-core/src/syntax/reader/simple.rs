//! Simple commands: assignments, arrays and words, and the definition of a function that begins like one.
//!
//! An assignment counts before the first word only; arrays may also stand in the arguments of `declare` and kin.

use alloc::{boxed::Box, string::String, vec::Vec};

use crate::syntax::ast::{AssignValue, Assignment, Command, Function, Part, Simple, Word};

use super::{
    Reader,
    arith::Close,
    cursor::{is_meta, is_name, is_name_start},
    words::{Parts, Place},
};

/// Builtins whose arguments may be array assignments.
const DECLARING: &[&str] = &[
    "declare", "typeset", "local", "export", "readonly", "alias", "eval", "let",
];

impl Reader<'_> {
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
        let array = self.peek() == Some(b'(');
        if append || array || subscript.is_some() {
            self.bash_only("this assignment", start);
        }
        let value = if array {
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
}
