//! Brace expansion: `{a,b}`, `{1..9}`, `{a..e..2}`, nested and in sequence, bounded.
//!
//! It comes before every other expansion and looks only at unquoted characters. An unmatched brace and one without a comma or a
//! valid sequence mean themselves; which brace closes which was seen in bash 5.2.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::atoms::Atom;
use crate::{
    limits::MAX_BRACE_WORDS,
    syntax::ast::{ParamOp, Part},
};

/// More braces than this in one word are not followed.
const MAX_BRACES: usize = 100;
/// Nor are deeper ones.
const MAX_NESTED: usize = 12;
/// Nor are words that come to more characters than this together.
const MAX_BRACE_ATOMS: usize = 20_000;

/// What the braces of one word make of it.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Expanded<'a> {
    /// There are none, or none that expands.
    Same,
    /// These words, in order.
    Words(Vec<Vec<Atom<'a>>>),
}

/// Expands the braces of one word; `None` when there are more words than the limit, or it cannot be told.
pub(super) fn expand<'a>(atoms: &[Atom<'a>]) -> Option<Expanded<'a>> {
    let braces = atoms
        .iter()
        .filter(|atom| matches!(atom, Atom::Char('{')))
        .count();
    if braces == 0 {
        return Some(Expanded::Same);
    }
    // bash takes the `${` of `$${` for the beginning of an expansion here, and later `$$` for the process's number.
    let after_dollar = atoms.windows(2).any(|pair| {
        matches!(pair, [Atom::Part(Part::Param(param), false), Atom::Char('{')] if param.name == "$")
    });
    // A `{}` after an escaped blank is no brace, one after a quoted blank is.
    let after_blank = atoms.windows(3).any(|three| {
        matches!(three, [Atom::Quoted(text), Atom::Char('{'), Atom::Char('}')] if text.ends_with([' ', '\t', '\n']))
    });
    // bash counts the braces in the text of `${x:-{}` too.
    let inside = atoms
        .iter()
        .any(|atom| matches!(atom, Atom::Part(Part::Param(param), _) if op_holds_brace(&param.op)));
    if braces > MAX_BRACES || after_dollar || after_blank || inside {
        return None;
    }
    let words = expand_deep(atoms, 0)?;
    Some(match words.as_slice() {
        [only] if only.len() == atoms.len() => Expanded::Same,
        _ => Expanded::Words(words),
    })
}

/// Whether the operands of a parameter expansion hold a brace that is no expansion's own.
fn op_holds_brace(op: &ParamOp) -> bool {
    match op {
        ParamOp::Default(_, parts) | ParamOp::Pattern(_, parts) | ParamOp::Opaque(parts) => {
            parts.iter().any(holds_brace)
        }
        ParamOp::Slice(text) => text.parts.iter().any(holds_brace),
        ParamOp::None | ParamOp::Length | ParamOp::Indirect | ParamOp::Transform(_) => false,
    }
}

fn holds_brace(part: &Part) -> bool {
    match part {
        Part::Literal(text, _) | Part::Quoted(text, _) => text.contains(['{', '}']),
        Part::Double(parts, _) | Part::ExtGlob(parts, _) => parts.iter().any(holds_brace),
        Part::Param(param) => op_holds_brace(&param.op),
        _ => false,
    }
}

fn expand_deep<'a>(atoms: &[Atom<'a>], depth: usize) -> Option<Vec<Vec<Atom<'a>>>> {
    if depth > MAX_NESTED {
        return None;
    }
    let found = (0..atoms.len())
        .filter(|open| is(atoms, *open, '{') && !(*open == 0 && is(atoms, 1, '}')))
        .find_map(|open| Some((open, matching(atoms, open)?)));
    let Some((open, close)) = found else {
        return Some(alloc::vec![atoms.to_vec()]);
    };
    let inner = atoms.get(open + 1..close).unwrap_or(&[]);
    let after = atoms.get(close + 1..).unwrap_or(&[]);
    let mut middles: Vec<Vec<Atom<'a>>> = Vec::new();
    if inner.iter().any(|atom| matches!(atom, Atom::Char(','))) {
        for piece in alternatives(inner) {
            middles.extend(expand_deep(piece, depth + 1)?);
        }
    } else {
        match sequence(inner) {
            Sequence::TooLong => return None,
            // The braces in it mean themselves too.
            Sequence::Not if after.is_empty() => return Some(alloc::vec![atoms.to_vec()]),
            Sequence::Not => middles.push(atoms.get(open..=close).unwrap_or(&[]).to_vec()),
            Sequence::Words(words) => middles.extend(
                words
                    .into_iter()
                    .map(|word| word.chars().map(Atom::Char).collect::<Vec<_>>()),
            ),
        }
    }
    let tails = expand_deep(after, depth + 1)?;
    let head = atoms.get(..open).unwrap_or(&[]);
    let count = middles.len() * tails.len();
    let longest = |all: &[Vec<Atom<'a>>]| all.iter().map(Vec::len).max().unwrap_or(0);
    let size = count * (head.len() + longest(&middles) + longest(&tails));
    if count > MAX_BRACE_WORDS || size > MAX_BRACE_ATOMS {
        return None;
    }
    Some(
        middles
            .iter()
            .flat_map(|middle| {
                tails
                    .iter()
                    .map(move |tail| [head, middle.as_slice(), tail.as_slice()].concat())
            })
            .collect(),
    )
}

fn is(atoms: &[Atom<'_>], at: usize, sign: char) -> bool {
    matches!(atoms.get(at), Some(Atom::Char(c)) if *c == sign)
}

/// The brace that closes the one at `open`: the first at its level that has a comma or `..` before it.
fn matching(atoms: &[Atom<'_>], open: usize) -> Option<usize> {
    let mut level = 0usize;
    let mut parted = false;
    for at in open + 1..atoms.len() {
        match atoms.get(at) {
            Some(Atom::Char('}')) if level == 0 && parted => return Some(at),
            Some(Atom::Char('}')) => level = level.saturating_sub(1),
            Some(Atom::Char('{')) => level += 1,
            Some(Atom::Char(',')) if level == 0 => parted = true,
            Some(Atom::Char('.')) if level == 0 => {
                parted |= is(atoms, at + 1, '.') && !is(atoms, at + 2, '}');
            }
            _ => {}
        }
    }
    None
}

/// What stands between the commas that are in no further braces.
fn alternatives<'w, 'a>(inner: &'w [Atom<'a>]) -> Vec<&'w [Atom<'a>]> {
    let mut level = 0usize;
    inner
        .split(|atom| {
            match atom {
                Atom::Char('{') => level += 1,
                Atom::Char('}') => level = level.saturating_sub(1),
                _ => {}
            }
            level == 0 && matches!(atom, Atom::Char(','))
        })
        .collect()
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
        expand(&atoms).map(|expanded| {
            let all = match expanded {
                Expanded::Same => alloc::vec![atoms.clone()],
                Expanded::Words(all) => all,
            };
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
            ("{hostd}name,passwd}", "hostd}name passwd"),
            ("{},a}", "{},a}"),
            ("x{},a}", "x} xa"),
            ("{ab..{c,d}}", "ab..c ab..d"),
            ("{a..{b}}", "{a..{b}}"),
            ("{ab..c{d..e}}", "{ab..c{d..e}}"),
            ("{ab..c{d..e}}{1,2}", "{ab..c{d..e}}1 {ab..c{d..e}}2"),
            ("{x..y}z,w}", "xz,w} yz,w}"),
            ("{ab..cd}z,w}", "{ab..cd}z,w}"),
            ("x{a}b{c,d}", "x{a}bc x{a}bd"),
            ("{a{b}c,d}", "a{b}c d"),
            ("{{a}b,c}", "{a}b c"),
            ("{a..}x,y}", "a..}x y"),
            ("{a,b}}c,d}", "a}c,d} b}c,d}"),
            ("{}{a,b}", "{}a {}b"),
            ("{{a,b}", "{a {b"),
            ("{1..3}{a", "1{a 2{a 3{a"),
            ("{a..{1,2}..3}", "a..1..3 a..2..3"),
            ("{a{1..2}}", "{a1} {a2}"),
            ("{a,{},b}", "a {} b"),
            ("{-01..3}", "-01 000 001 002 003"),
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
