//! What the readers of small argument languages share: a cursor over text, the fault they report, touches.
//!
//! Each language reader is pure: program text in, what running it touches out, or a [`Fault`] that says what acts
//! (or cannot be followed) and where. The checks beside them find the programs in a command line.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use crate::{
    classify::{check::CheckInput, model::Why},
    command::model::{Arg, Value},
    diagnostic::Code,
    effect::{Effect, Touch},
};

/// Why a program is not harmless.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    /// Byte offset in the program text.
    pub(crate) at: usize,
    /// One line, lower case, input in backticks: what acts, or what is not followed.
    pub(crate) what: String,
    /// It acts; otherwise it is not valid, or not followed.
    pub(crate) acts: bool,
}

impl Fault {
    /// Something that runs, writes, connects or shows secrets.
    pub(crate) fn acts(at: usize, what: impl ToString) -> Self {
        Self {
            at,
            what: what.to_string(),
            acts: true,
        }
    }

    /// Something that is no valid program, or is not followed.
    pub(crate) fn unread(at: usize, what: impl ToString) -> Self {
        Self {
            at,
            what: what.to_string(),
            acts: false,
        }
    }
}

/// A touch of a path that may be known.
pub(crate) fn touch(effect: Effect, target: Option<&str>) -> Touch {
    Touch {
        effect,
        target: target.map(ToString::to_string),
        place: None,
    }
}

impl CheckInput<'_> {
    /// The word at `index` of the command line.
    pub(crate) fn word(&self, index: usize) -> Option<&Arg> {
        self.invocation.argv.get(index)
    }

    /// The words after the command name (and after the subcommand).
    pub(crate) fn words(&self) -> &[Arg] {
        self.invocation.argv.get(self.parsed.start..).unwrap_or(&[])
    }

    /// The values of the operands, in order.
    pub(crate) fn operands(&self) -> impl Iterator<Item = (usize, &Value)> {
        self.parsed
            .operands
            .iter()
            .filter_map(|&index| Some((index, &self.word(index)?.value)))
    }

    /// The texts that `value`, which stands in the word at `index`, can have; those with other numbers in them are left out.
    pub(crate) fn texts<'v>(&'v self, index: usize, value: &'v Value) -> Option<Vec<&'v str>> {
        texts(value).or_else(|| {
            let word = self.word(index).filter(|word| word.value == *value)?;
            let samples = word.samples.iter().map(String::as_str);
            (!word.samples.is_empty()).then(|| samples.collect())
        })
    }

    /// A refusal that points at the word at `index`.
    pub(crate) fn refuse(&self, code: Code, index: usize, message: impl ToString) -> Why {
        Why {
            code,
            message: message.to_string(),
            span: self
                .word(index)
                .map_or(self.invocation.span, |word| word.span),
        }
    }

    /// A refusal because of what the program in the word at `index` does.
    pub(crate) fn fault(&self, index: usize, fault: &Fault) -> Why {
        self.refuse(Code::CommandScript, index, &fault.what)
    }

    /// A refusal because the word at `index` is only known when it runs.
    pub(crate) fn unknown(&self, index: usize) -> Why {
        self.refuse(
            Code::CommandUnknownWord,
            index,
            "a word that is only known when it runs could act here",
        )
    }

    /// Refuses when a word that is only known when it runs may be an option: for commands some of whose
    /// listed options act.
    pub(crate) fn certain(&self) -> Result<(), Why> {
        match self.parsed.uncertain {
            Some(index) => Err(self.unknown(index)),
            None => Ok(()),
        }
    }
}

/// The texts that a value can have, when they are known.
pub(crate) fn texts(value: &Value) -> Option<Vec<&str>> {
    match value {
        Value::Exact(text) => Some(alloc::vec![text.as_str()]),
        Value::OneOf(all) => Some(all.iter().map(String::as_str).collect()),
        _ => None,
    }
}

/// A position in a text.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Byte offset.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// What is left.
    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// The text from an earlier offset to here.
    pub(crate) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or("")
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Takes `wanted` when it is next.
    pub(crate) fn eat(&mut self, wanted: &str) -> bool {
        let found = self.rest().starts_with(wanted);
        if found {
            self.at += wanted.len();
        }
        found
    }

    /// Takes characters as long as `keep` holds.
    pub(crate) fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&keep) {
            self.bump();
        }
        self.since(start)
    }

    /// Takes spaces and tabs.
    pub(crate) fn skip_blanks(&mut self) {
        self.take_while(|c| c == ' ' || c == '\t');
    }
}
