//! Pieces of an expanded word to arguments: splitting, globs, and what is known of each.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use super::{model::Value, scope::Known};
use crate::{facts::Shell, limits::MAX_VALUES};

/// Most arguments that one word is split into.
pub(super) const MAX_FIELDS: usize = 256;

/// A piece of a word after expansion.
#[derive(Clone, Debug)]
pub(super) enum Seg {
    Text(String),
    OneOf(Vec<String>),
    /// Known text that is split and globbed.
    Split(String),
    Digits,
    /// As `One`, but an integer.
    Integer,
    /// As `One`, but digits or nothing.
    Count,
    /// As `One`, but lines of digits.
    Numbers,
    /// As `One`, but of a match of a pattern.
    Match,
    /// As `Many`, but each word is made of digits.
    NumberWords,
    /// One unknown piece that is not split.
    One,
    /// As `One`, but when it is all of the word there may be none.
    Maybe,
    /// Any number of unknown words.
    Many,
    /// A pattern character.
    Glob(char),
}

/// Adds known text, to the last piece if that is known text too.
pub(super) fn push_text(segs: &mut Vec<Seg>, text: &str) {
    if let Some(Seg::Text(last)) = segs.last_mut() {
        last.push_str(text);
    } else {
        segs.push(Seg::Text(text.to_string()));
    }
}

/// Adds a value of which this is known.
pub(super) fn push_known(known: &Known, quoted: bool, shell: Shell, segs: &mut Vec<Seg>) {
    match known {
        Known::Digits => segs.push(Seg::Digits),
        Known::Integer => segs.push(Seg::Integer),
        Known::Count => segs.push(if quoted { Seg::Count } else { Seg::Maybe }),
        Known::Numbers => segs.push(if quoted {
            Seg::Numbers
        } else {
            Seg::NumberWords
        }),
        Known::Values(all) if quoted => segs.push(Seg::OneOf(all.clone())),
        Known::Match(text) if quoted => {
            segs.push(Seg::Text(text.clone()));
            segs.push(Seg::Match);
        }
        Known::Prefix(text) if quoted => {
            segs.push(Seg::Text(text.clone()));
            segs.push(Seg::One);
        }
        Known::Names | Known::Rooted | Known::Any if quoted => segs.push(Seg::One),
        Known::Values(all) => match all.as_slice() {
            // zsh neither splits nor globs a value, but drops an empty one.
            [one] if shell == Shell::Zsh && !one.is_empty() => segs.push(Seg::OneOf(all.clone())),
            [one] => segs.push(Seg::Split(one.clone())),
            all if all.iter().all(|text| {
                !text.is_empty() && !text.contains([' ', '\t', '\n', '*', '?', '[', '\\', '('])
            }) =>
            {
                segs.push(Seg::OneOf(all.to_vec()));
            }
            _ => segs.push(Seg::Many),
        },
        // The first word begins as the value does; what a blank in the rest makes of it is any number of words more.
        Known::Prefix(text) | Known::Match(text)
            if !text.is_empty() && !text.contains([' ', '\t', '\n', '*', '?', '[', '\\', '(']) =>
        {
            segs.push(Seg::Text(text.clone()));
            segs.push(Seg::One);
            segs.push(Seg::Split(" ".into()));
            segs.push(Seg::Many);
        }
        Known::Prefix(_) | Known::Match(_) | Known::Names | Known::Rooted | Known::Any => {
            segs.push(Seg::Many);
        }
    }
}

/// One argument that a word makes.
pub(super) struct Field {
    pub(super) value: Value,
    /// See [`super::model::Arg`].
    pub(super) shapes: Vec<String>,
    /// See [`super::model::Arg`].
    pub(super) samples: Vec<String>,
    /// See [`super::model::Arg`].
    pub(super) matched: bool,
}

impl Field {
    /// Nothing is known but the value.
    pub(super) fn of(value: Value) -> Self {
        Self {
            value,
            shapes: Vec::new(),
            samples: Vec::new(),
            matched: false,
        }
    }
}

/// The arguments that an unquoted word makes.
pub(super) fn fields(segs: &[Seg]) -> Vec<Field> {
    let mut done: Vec<Field> = Vec::new();
    let mut current: Vec<Seg> = Vec::new();
    let mut finish = |current: &mut Vec<Seg>| {
        if !current.is_empty() {
            let value = one(current);
            let shapes = match &value {
                Value::Exact(_) | Value::OneOf(_) | Value::Digits => Vec::new(),
                _ => alloc::vec![shape(current)],
            };
            done.push(Field {
                value,
                shapes,
                samples: samples(current),
                matched: is_match(current),
            });
            current.clear();
        }
    };
    for seg in segs {
        let Seg::Split(text) = seg else {
            current.push(seg.clone());
            continue;
        };
        for (index, piece) in text.split([' ', '\t', '\n']).enumerate() {
            if index > 0 {
                finish(&mut current);
            }
            // A backslash in a value takes part in globbing.
            match piece.find(['*', '?', '[', '\\']) {
                _ if piece.is_empty() => {}
                Some(at) => {
                    current.push(Seg::Text(piece.get(..at).unwrap_or("").to_string()));
                    current.push(Seg::Glob('*'));
                }
                None => current.push(Seg::Text(piece.to_string())),
            }
        }
    }
    finish(&mut current);
    if done.len() > MAX_FIELDS {
        return alloc::vec![Field::of(Value::Many(String::new()))];
    }
    done
}

/// Whether nothing but a pattern is open.
fn is_match(segs: &[Seg]) -> bool {
    let mut found = false;
    segs.iter().all(|seg| match seg {
        Seg::Match | Seg::Glob(_) => {
            found = true;
            true
        }
        seg => matches!(seg, Seg::Text(_) | Seg::Split(_) | Seg::OneOf(_)),
    }) && found
}

/// Most samples of one field.
const MAX_SAMPLES: usize = 16;

/// What a field is but for the digits of its numbers; empty where it holds none, or something else that is open.
fn samples(segs: &[Seg]) -> Vec<String> {
    let is_number = |seg: &Seg| {
        matches!(
            seg,
            Seg::Digits | Seg::Integer | Seg::Count | Seg::Maybe | Seg::Numbers | Seg::NumberWords
        )
    };
    if !segs.iter().any(is_number) {
        return Vec::new();
    }
    let mut all: Vec<String> = alloc::vec![String::new()];
    for seg in segs {
        let ends: Vec<&str> = match seg {
            Seg::Text(text) | Seg::Split(text) => alloc::vec![text],
            Seg::OneOf(values) => values.iter().map(String::as_str).collect(),
            Seg::Digits => alloc::vec!["1"],
            Seg::Integer => alloc::vec!["1", "-1"],
            Seg::Count | Seg::Maybe => alloc::vec!["1", ""],
            Seg::Numbers => alloc::vec!["1", "", "1\n1"],
            Seg::NumberWords if segs.len() == 1 => alloc::vec!["1"],
            Seg::NumberWords | Seg::Match | Seg::One | Seg::Many | Seg::Glob(_) => {
                return Vec::new();
            }
        };
        if all.len() * ends.len() > MAX_SAMPLES {
            return Vec::new();
        }
        all = all
            .iter()
            .flat_map(|start| ends.iter().map(move |end| [start, *end].concat()))
            .collect();
    }
    all
}

/// The known text of a field with `*` for what is not known.
fn shape(segs: &[Seg]) -> String {
    let mut text = String::new();
    let mut bracket = false;
    for seg in segs {
        match seg {
            // A bracket expression stands for one character.
            Seg::Text(piece) if bracket => {
                if let Some((_, after)) = piece.split_once(']') {
                    bracket = false;
                    text.push_str(after);
                }
            }
            Seg::Text(piece) | Seg::Split(piece) => text.push_str(piece),
            Seg::Glob(c) => {
                bracket = *c == '[';
                text.push('*');
            }
            _ => text.push('*'),
        }
    }
    text
}

/// The value of one field.
pub(super) fn one(segs: &[Seg]) -> Value {
    if segs
        .iter()
        .any(|seg| matches!(seg, Seg::Many | Seg::NumberWords))
    {
        return Value::Many(String::new());
    }
    match strip_empty(segs) {
        [Seg::Digits] => return Value::Digits,
        [Seg::Maybe, rest @ ..] if rest.iter().all(|seg| matches!(seg, Seg::Maybe)) => {
            return Value::Many(String::new());
        }
        _ => {}
    }
    let mut known: Vec<String> = alloc::vec![String::new()];
    let mut open = false;
    let glob = segs.iter().any(|seg| matches!(seg, Seg::Glob(_)));
    for seg in segs {
        match seg {
            Seg::Text(text) | Seg::Split(text) => {
                known.iter_mut().for_each(|all| all.push_str(text))
            }
            Seg::OneOf(values) if known.len() * values.len() <= MAX_VALUES => {
                known = known
                    .iter()
                    .flat_map(|start| {
                        values.iter().map(move |end| {
                            let mut text = start.clone();
                            text.push_str(end);
                            text
                        })
                    })
                    .collect();
            }
            _ => {
                open = true;
                break;
            }
        }
    }
    known.dedup();
    if glob {
        return Value::Many(common_start(&known));
    }
    if open {
        let start = common_start(&known);
        return if start.is_empty() {
            Value::Unknown
        } else {
            Value::Prefix(start)
        };
    }
    if known.len() > 1 {
        return Value::OneOf(known);
    }
    Value::Exact(known.pop().unwrap_or_default())
}

fn strip_empty(segs: &[Seg]) -> &[Seg] {
    match segs {
        [Seg::Text(text), rest @ ..] if text.is_empty() => rest,
        other => other,
    }
}

fn common_start(all: &[String]) -> String {
    let Some((first, rest)) = all.split_first() else {
        return String::new();
    };
    let mut end = first.len();
    for other in rest {
        let shared = first
            .char_indices()
            .zip(other.chars())
            .find(|((_, a), b)| a != b)
            .map_or_else(|| first.len().min(other.len()), |((at, _), _)| at);
        end = end.min(shared);
    }
    first.get(..end).unwrap_or("").to_string()
}
