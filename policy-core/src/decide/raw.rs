//! A crude look at a text that could not be read whole, for deny and ask rules only.
//!
//! Splits at everything that could begin a command and drops quotes. It may see commands that would not run: that
//! is the right side to err on, since such a text is never allowed by anything but its own exact rule. Bounded:
//! only the first [`MOST_BYTES`] are looked at.

use alloc::{string::String, vec::Vec};

use super::names::Knowledge;
use crate::{
    command::model::{Arg, Connector, Cwd, Invocation, Site, Stdin, Value},
    rules::Subjects,
    span::Span,
};

/// How much of the text is looked at.
const MOST_BYTES: usize = 1 << 20;
/// Most commands looked at.
const MOST_COMMANDS: usize = 20_000;
/// Words of each that are looked at.
const MOST_WORDS: usize = 64;

/// Subjects of what may be commands in `text`.
pub(crate) fn subjects(text: &str, knowledge: &Knowledge<'_>) -> Vec<Subjects> {
    let mut end = text.len().min(MOST_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut found = Vec::new();
    // `\`+newline joins, as in the shell.
    let joined = text.get(..end).unwrap_or_default().replace("\\\n", "");
    let pieces = joined.split(|each: char| {
        matches!(
            each,
            ';' | '&' | '|' | '\n' | '(' | ')' | '`' | '{' | '}' | '\'' | '"'
        )
    });
    let unquoted = joined.split([';', '&', '|', '\n', '(', ')', '`']);
    for piece in unquoted.chain(pieces).take(MOST_COMMANDS) {
        let mut words: Vec<String> = piece
            .split_whitespace()
            .take(MOST_WORDS)
            .map(|word| {
                word.chars()
                    .filter(|each| !matches!(each, '\'' | '"' | '\\'))
                    .collect()
            })
            .filter(|word: &String| !word.is_empty())
            .collect();
        // Reserved words and assignments may stand before the command.
        while let Some(first) = words.first() {
            let skip = matches!(
                first.as_str(),
                "!" | "{"
                    | "if"
                    | "then"
                    | "else"
                    | "elif"
                    | "do"
                    | "while"
                    | "until"
                    | "time"
                    | "coproc"
            ) || first.split_once('=').is_some_and(|(name, _)| {
                name.chars()
                    .all(|each| each.is_ascii_alphanumeric() || each == '_')
            });
            if !skip {
                break;
            }
            words.remove(0);
        }
        if words.is_empty() {
            continue;
        }
        found.push(Subjects::new(
            &invocation(piece, words),
            &[],
            false,
            knowledge,
        ));
    }
    found
}

fn invocation(text: &str, words: Vec<String>) -> Invocation {
    let span = Span::default();
    Invocation {
        argv: words
            .into_iter()
            .map(|word| Arg::new(Value::Exact(word), span))
            .collect(),
        span,
        text: text.trim().into(),
        assignments: Vec::new(),
        redirects: Vec::new(),
        connector: Connector::Start,
        site: Site::Top,
        parent: None,
        wrappers: Vec::new(),
        cwd: Cwd::Unknown,
        stdin: Stdin::Inherited,
        stdout_terminal: false,
    }
}
