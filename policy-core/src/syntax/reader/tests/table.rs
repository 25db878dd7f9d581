//! Texts bash accepts, with their trees.

use alloc::{format, string::String};

use super::{super::read_text, dump};
use crate::facts::Shell;

/// The tree of a text, or its fault.
pub(super) fn read(text: &str, shell: Shell) -> String {
    let outcome = read_text(text, shell);
    match outcome.problem {
        Some(problem) => format!(
            "! {}{}",
            problem.message,
            if problem.incomplete { " …" } else { "" }
        ),
        None => dump::script(&outcome.script),
    }
}

pub(super) fn check(shell: Shell, table: &[(&str, &str)]) {
    let mut wrong = String::new();
    for (text, expected) in table {
        let seen = read(text, shell);
        if seen != *expected {
            wrong += &format!("{text:?}\n  expected {expected}\n  seen     {seen}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn simple_commands() {
    check(
        Shell::Bash,
        &[
            ("", ""),
            ("ls", "(ls)"),
            ("ls -la /tmp", "(ls -la /tmp)"),
            ("  ls\t-l  ", "(ls -l)"),
            ("a; b; c", "(a) ; (b) ; (c)"),
            ("a & b &", "(a) & ; (b) &"),
            ("a && b || c", "(a) && (b) || (c)"),
            ("a | b |& c", "(a) | (b) |& (c)"),
            ("a\nb\n\n\nc\n", "(a) ; (b) ; (c)"),
            ("a &&\n\nb |\n# note\nc", "(a) && (b) | (c)"),
            ("x=1 y=2 cmd z=3", "(x=1 y=2 cmd z=3)"),
            ("x= y", "(x= y)"),
            ("x=1", "(x=1)"),
        ],
    );
}
