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
        Known::Integer => segs.push(Seg::One),
        Known::Count => segs.push(if quoted { Seg::One } else { Seg::Maybe }),
        Known::Values(all) if quoted => segs.push(Seg::OneOf(all.clone())),
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
        Known::Prefix(text) if !text.contains([' ', '\t', '\n', '*', '?', '[', '\\', '(']) => {
            segs.push(Seg::Text(text.clone()));
            segs.push(Seg::One);
            segs.push(Seg::Split(" ".into()));
            segs.push(Seg::Many);
        }
        Known::Prefix(_) | Known::Names | Known::Rooted | Known::Any => segs.push(Seg::Many),
    }
}

/// The arguments that an unquoted word makes, each with its shapes (see [`super::model::Arg`]).
pub(super) fn fields(segs: &[Seg]) -> Vec<(Value, Vec<String>)> {
    let mut done: Vec<(Value, Vec<String>)> = Vec::new();
    let mut current: Vec<Seg> = Vec::new();
    let mut finish = |current: &mut Vec<Seg>| {
        if !current.is_empty() {
            let value = one(current);
            let shapes = match &value {
                Value::Exact(_) | Value::OneOf(_) | Value::Digits => Vec::new(),
                _ => alloc::vec![shape(current)],
            };
            done.push((value, shapes));
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
        return alloc::vec![(Value::Many(String::new()), Vec::new())];
    }
    done
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
            Seg::OneOf(_) | Seg::Digits | Seg::One | Seg::Maybe | Seg::Many => text.push('*'),
        }
    }
    text
}

/// The value of one field.
pub(super) fn one(segs: &[Seg]) -> Value {
    if segs.iter().any(|seg| matches!(seg, Seg::Many)) {
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
            Seg::OneOf(_) | Seg::Digits | Seg::One | Seg::Maybe | Seg::Many | Seg::Glob(_) => {
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
