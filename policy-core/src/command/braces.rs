//! Brace expansion: `{a,b}`, `{1..9}`, `{a..e..2}`, nested and in sequence, bounded.
//!
//! It comes before every other expansion and looks only at unquoted characters, as bash does it: an unmatched brace
//! and one without a comma or a valid sequence mean themselves.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::words::Atom;
use crate::limits::MAX_BRACE_WORDS;

/// More braces than this in one word are not followed.
const MAX_BRACES: usize = 100;
/// Nor are deeper ones.
const MAX_NESTED: usize = 12;

/// The words that the braces of one word make, in order; `None` when there are more than the limit.
pub(super) fn expand<'a>(atoms: &[Atom<'a>]) -> Option<Vec<Vec<Atom<'a>>>> {
    let braces = atoms
        .iter()
        .filter(|atom| matches!(atom, Atom::Char('{')))
        .count();
    if braces > MAX_BRACES {
        return None;
    }
    if braces == 0 {
        return Some(alloc::vec![atoms.to_vec()]);
    }
    expand_deep(atoms, 0)
}

fn expand_deep<'a>(atoms: &[Atom<'a>], depth: usize) -> Option<Vec<Vec<Atom<'a>>>> {
    if depth > MAX_NESTED {
        return None;
    }
    for (open, _) in atoms
        .iter()
        .enumerate()
        .filter(|(_, atom)| matches!(atom, Atom::Char('{')))
    {
        let Some((close, commas)) = matching(atoms, open) else {
            continue;
        };
        let inner = atoms.get(open + 1..close).unwrap_or(&[]);
        let mut middles: Vec<Vec<Atom<'a>>> = Vec::new();
        if commas.is_empty() {
            match sequence(inner) {
                Sequence::Not => continue,
                Sequence::TooLong => return None,
                Sequence::Words(words) => {
                    middles.extend(
                        words
                            .into_iter()
                            .map(|word| word.chars().map(Atom::Char).collect::<Vec<_>>()),
                    );
                }
            }
        } else {
            let mut start = open + 1;
            for end in commas.into_iter().chain([close]) {
                middles.extend(expand_deep(
                    atoms.get(start..end).unwrap_or(&[]),
                    depth + 1,
                )?);
                start = end + 1;
            }
        }
        let tails = expand_deep(atoms.get(close + 1..).unwrap_or(&[]), depth + 1)?;
        if middles.len() * tails.len() > MAX_BRACE_WORDS {
            return None;
        }
        let head = atoms.get(..open).unwrap_or(&[]);
        return Some(
            middles
                .iter()
                .flat_map(|middle| {
                    tails
                        .iter()
                        .map(move |tail| [head, middle.as_slice(), tail.as_slice()].concat())
                })
                .collect(),
        );
    }
    Some(alloc::vec![atoms.to_vec()])
}

/// The brace that closes the one at `open`, and the commas between at its own level.
fn matching(atoms: &[Atom<'_>], open: usize) -> Option<(usize, Vec<usize>)> {
    let mut depth = 0usize;
    let mut commas = Vec::new();
    for (index, atom) in atoms.iter().enumerate().skip(open) {
        match atom {
            Atom::Char('{') => depth += 1,
            Atom::Char('}') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some((index, commas));
                }
            }
            Atom::Char(',') if depth == 1 => commas.push(index),
            _ => {}
        }
    }
    None
}

enum Sequence {
    Not,
    TooLong,
    Words(Vec<String>),
}

/// `1..9`, `01..10..3`, `a..e`.
fn sequence(inner: &[Atom<'_>]) -> Sequence {
    let mut text = String::new();
    for atom in inner {
        match atom {
            Atom::Char(c) => text.push(*c),
            _ => return Sequence::Not,
        }
    }
    let pieces: Vec<&str> = text.split("..").collect();
    let (from, to, step) = match pieces.as_slice() {
        [from, to] => (*from, *to, 1),
        [from, to, step] => match step.parse::<i64>() {
            Ok(step) => (*from, *to, step.saturating_abs().max(1)),
            Err(_) => return Sequence::Not,
        },
        _ => return Sequence::Not,
    };
    if let (Ok(first), Ok(last)) = (from.parse::<i64>(), to.parse::<i64>()) {
        let padded = |text: &str| {
            let digits = text.trim_start_matches(['-', '+']);
            digits.len() > 1 && digits.starts_with('0')
        };
        let width = if padded(from) || padded(to) {
            from.len().max(to.len())
        } else {
            0
        };
        return match steps(first, last, step) {
            Some(all) => Sequence::Words(
                all.into_iter()
                    .map(|number| {
                        if width == 0 {
                            number.to_string()
                        } else {
                            format!("{number:0width$}")
                        }
                    })
                    .collect(),
            ),
            None => Sequence::TooLong,
        };
    }
    let letter = |text: &str| {
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) if c.is_ascii_alphabetic() => Some(c),
            _ => None,
        }
    };
    let (Some(first), Some(last)) = (letter(from), letter(to)) else {
        return Sequence::Not;
    };
    if first.is_ascii_lowercase() != last.is_ascii_lowercase() {
        // The signs between the two alphabets are among them.
        return Sequence::TooLong;
    }
    match steps(i64::from(first as u32), i64::from(last as u32), step) {
        Some(all) => Sequence::Words(
            all.into_iter()
                .filter_map(|code| u32::try_from(code).ok().and_then(char::from_u32))
                .map(String::from)
                .collect(),
        ),
        None => Sequence::TooLong,
    }
}

fn steps(first: i64, last: i64, step: i64) -> Option<Vec<i64>> {
    let mut all = Vec::new();
    let mut at = first;
    loop {
        all.push(at);
        if all.len() > MAX_BRACE_WORDS {
            return None;
        }
        let next = if first <= last {
            at.checked_add(step)?
        } else {
            at.checked_sub(step)?
        };
        if (first <= last && next > last) || (first > last && next < last) {
            return Some(all);
        }
        at = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Option<Vec<String>> {
        let atoms: Vec<Atom<'_>> = text.chars().map(Atom::Char).collect();
        expand(&atoms).map(|all| {
            all.iter()
                .map(|atoms| {
                    atoms
                        .iter()
                        .map(|atom| match atom {
                            Atom::Char(c) => c.to_string(),
                            Atom::Quoted(text) => text.clone(),
                            Atom::Part(..) => String::new(),
                        })
                        .collect()
                })
                .collect()
        })
    }

    // Expected words as bash 5.2 prints them.
    #[test]
    fn braces_expand_as_in_bash() {
        for (text, expected) in [
            ("a{b,c}d", "abd acd"),
            ("{a,b}{1,2}", "a1 a2 b1 b2"),
            ("{a,{b,c}d}", "a bd cd"),
            ("{}", "{}"),
            ("{a}", "{a}"),
            ("{a{b,c}}", "{ab} {ac}"),
            ("{a,{b,c}", "{a,b {a,c"),
            ("a}{b,c}", "a}b a}c"),
            ("{1..4}", "1 2 3 4"),
            ("{4..1}", "4 3 2 1"),
            ("{1..9..4}", "1 5 9"),
            ("{01..3}", "01 02 03"),
            ("{-1..1}", "-1 0 1"),
            ("{a..e..2}", "a c e"),
            ("{e..c}", "e d c"),
            ("{1..x}", "{1..x}"),
            ("{,x}", " x"),
            ("-{o,x}", "-o -x"),
        ] {
            assert_eq!(
                words(text).map(|all| all.join(" ")).as_deref(),
                Some(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn too_many_words_are_not_made() {
        assert_eq!(words("{1..65}"), None);
        assert_eq!(words("{1..9}{1..9}"), None);
        assert_eq!(
            words(&"{a,".repeat(50)),
            Some(alloc::vec!["{a,".repeat(50)])
        );
        assert_eq!(
            words(&alloc::format!("{}{}", "{a,".repeat(50), "}".repeat(50))),
            None
        );
    }
}
