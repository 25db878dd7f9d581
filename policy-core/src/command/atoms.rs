//! A word in pieces, before it is expanded: unquoted characters, text that means itself, expansions.
//!
//! What braces, tildes and assignments look like is asked of these pieces: only an unquoted character counts.

use alloc::{string::String, vec::Vec};

use crate::syntax::ast::Part;

/// A character or piece of a word before expansion.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Atom<'a> {
    /// An unquoted character.
    Char(char),
    /// Text that means itself; it makes a field even when empty.
    Quoted(String),
    /// An expansion, and whether it stands in double quotes.
    Part(&'a Part, bool),
}

/// The pieces of a word.
pub(super) fn atoms(parts: &[Part]) -> Vec<Atom<'_>> {
    let mut all = Vec::new();
    for part in parts {
        match part {
            Part::Literal(text, _) => all.extend(text.chars().map(Atom::Char)),
            Part::Quoted(text, _) => all.push(Atom::Quoted(text.clone())),
            Part::Double(inner, _) => {
                if inner.iter().all(|part| !is_vanishing(part)) {
                    all.push(Atom::Quoted(String::new()));
                }
                push_quoted(inner, &mut all);
            }
            other => all.push(Atom::Part(other, false)),
        }
    }
    all
}

/// `"$@"` makes no field when there are no arguments.
fn is_vanishing(part: &Part) -> bool {
    matches!(part, Part::Param(param) if param.name == "@" || param.subscript.is_some())
}

/// Adds the pieces of what stands in double quotes.
pub(super) fn push_quoted<'a>(parts: &'a [Part], all: &mut Vec<Atom<'a>>) {
    for part in parts {
        match part {
            Part::Literal(text, _) | Part::Quoted(text, _) => all.push(Atom::Quoted(text.clone())),
            Part::Double(inner, _) => push_quoted(inner, all),
            other => all.push(Atom::Part(other, true)),
        }
    }
}

/// The index of the `=` when the word begins as an assignment does.
pub(super) fn assigned_name(atoms: &[Atom<'_>]) -> Option<usize> {
    let is = |at: usize, sign: char| matches!(atoms.get(at), Some(Atom::Char(c)) if *c == sign);
    let mut at = atoms
        .iter()
        .enumerate()
        .position(|(at, atom)| match atom {
            Atom::Char(c) if c.is_ascii_digit() => at == 0,
            Atom::Char(c) => *c != '_' && !c.is_ascii_alphabetic(),
            _ => true,
        })
        .filter(|at| *at > 0)?;
    if is(at, '[') {
        let mut open = 0usize;
        at += 1 + atoms.get(at..)?.iter().position(|atom| {
            match atom {
                Atom::Char('[') => open += 1,
                Atom::Char(']') => open -= 1,
                _ => {}
            }
            open == 0
        })?;
    }
    at += usize::from(is(at, '+'));
    is(at, '=').then_some(at)
}

/// The literal text before anything active.
pub(super) fn plain_start(atoms: &[Atom<'_>]) -> String {
    let mut text = String::new();
    for atom in atoms {
        match atom {
            Atom::Char('~' | '{' | '*' | '?' | '[' | '(') | Atom::Part(..) => break,
            Atom::Char(c) => text.push(*c),
            Atom::Quoted(quoted) => text.push_str(quoted),
        }
    }
    text
}
