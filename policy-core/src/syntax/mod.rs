//! Text to tree: two readers of one text, and the check that they agree.
//!
//! [`read`] never fails: it gives a tree, what is wrong with the text, and where. Our own reader (`reader/`, written
//! from the bash manual) makes the tree; tree-sitter-bash (`witness`) reads the same text, and where it
//! reads it without an error, both must see the same commands (`agree`). Statements that cannot be read in two ways (`plain`)
//! are not read twice.

mod agree;
pub mod ast;
mod hidden;
mod landmark;
mod plain;
mod reader;
#[cfg(test)]
mod tests;
mod witness;

use alloc::{format, string::String, vec::Vec};

use agree::Agreement;

use crate::{
    command::model::Hazard, diagnostic::Code, facts::Shell, limits::MAX_CHARS, span::Span,
};

/// What became of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Both readers agree, or ours read it whole where tree-sitter could not.
    Ok,
    /// Not valid, or the readers disagree.
    Error,
    /// Longer than [`crate::limits::MAX_CHARS`].
    TooLong,
    /// More nodes or depth than the limits.
    TooComplex,
}

/// A text, read.
#[derive(Clone, PartialEq, Debug)]
pub struct Reading {
    /// What became of it.
    pub status: Status,
    /// What is wrong, when the status is not `Ok`.
    pub fault: Option<Fault>,
    /// The tree: whole when the status is `Ok`, otherwise what could be read (deny rules look at it).
    pub script: ast::Script,
    /// The text ended inside a quote, a substitution, a here-document or a compound command: more of it may come.
    pub incomplete: bool,
    /// Hidden characters, wherever they stand.
    pub hazards: Vec<Hazard>,
}

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// `parse.*`
    pub code: Code,
    /// One line: what, in words.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// Reads `text` as `shell` would.
#[must_use]
pub fn read(text: &str, shell: Shell) -> Reading {
    let cut = text.char_indices().nth(MAX_CHARS).map(|(at, _)| at);
    let seen = cut.and_then(|at| text.get(..at)).unwrap_or(text);
    let outcome = reader::read_text(seen, shell);
    let hazards = hidden::find(seen, &outcome.hidden);
    let mut reading = Reading {
        status: Status::Ok,
        fault: None,
        script: outcome.script,
        incomplete: false,
        hazards,
    };
    if cut.is_some() {
        reading.status = Status::TooLong;
        reading.fault = Some(Fault {
            code: Code::ParseTooLong,
            message: format!("the text has more than {MAX_CHARS} characters"),
            span: Span::new(0, text.len()),
        });
    } else if let Some(problem) = outcome.problem {
        reading.incomplete = problem.incomplete;
        let (status, code) = if problem.too_complex {
            (Status::TooComplex, Code::ParseTooComplex)
        } else {
            (Status::Error, Code::ParseError)
        };
        reading.status = status;
        reading.fault = Some(Fault {
            code,
            message: problem.message,
            span: problem.span,
        });
    } else {
        match agree::compare(seen, &reading.script, &outcome.pieces) {
            Agreement::Whole => {}
            Agreement::Parts(span, message) => {
                reading.status = Status::Error;
                reading.fault = Some(Fault {
                    code: Code::ParseReadersDisagree,
                    message,
                    span,
                });
            }
            Agreement::TooLong => {
                reading.status = Status::TooComplex;
                reading.fault = Some(Fault {
                    code: Code::ParseTooComplex,
                    message: "the text takes too long to read".into(),
                    span: Span::new(0, text.len()),
                });
            }
        }
    }
    reading
}
