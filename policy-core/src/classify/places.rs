//! Whether a path holds credentials, or gains execution later.
//!
//! By the patterns of `lists`. A pattern is a run of path components that may stand anywhere in the path; `*` matches within one component. A
//! pattern that begins with `/` is absolute, one that begins with `~/` is under the home folder; whatever lies under a
//! match matches too.

use alloc::{borrow::Cow, vec::Vec};

use super::index::Index;
use crate::facts::Platform;
use lists::{HARMLESS_DEVICES, NOT_SENSITIVE, PROTECTED, SENSITIVE};

mod lists;

const SENSITIVE_INDEX: Index<{ SENSITIVE.len() }> = Index::new(SENSITIVE);
const NOT_SENSITIVE_INDEX: Index<{ NOT_SENSITIVE.len() }> = Index::new(NOT_SENSITIVE);
const PROTECTED_INDEX: Index<{ PROTECTED.len() }> = Index::new(PROTECTED);

/// Whether reading the normalised path gives away credentials. `whole`: it is all of the path.
#[must_use]
pub(super) fn is_sensitive(
    path: &str,
    home: Option<&str>,
    platform: Platform,
    whole: bool,
) -> bool {
    any(
        &SENSITIVE_INDEX,
        path,
        home,
        whole,
        platform != Platform::Linux,
    ) && !(whole && any(&NOT_SENSITIVE_INDEX, path, home, true, false))
}

/// Whether a path of which only a shape is known (`*` is any text) names credentials by what is known of it.
///
/// Any shape could become any path; it counts when a component spells a listed name out (`*/.ssh/x`, `*.key`), when it
/// begins one and leaves less than half of it open (`id_*sa`), when it stands for dotted names (`.*`), some of which
/// are listed, or for all names of a folder that holds listed ones (`/etc/*`). `*.env` is a file of somebody's environment as likely as not, so it does not.
#[must_use]
pub(super) fn is_sensitive_shape(shape: &str) -> bool {
    let parts: Vec<&str> = shape.split('/').collect();
    let exempt = |last: &&str| !last.contains('*') && spells(&[last], &NOT_SENSITIVE_INDEX);
    spells(&parts, &SENSITIVE_INDEX) && !parts.last().is_some_and(exempt)
}

/// Whether the components spell out one of the patterns.
fn spells<const N: usize>(parts: &[&str], index: &Index<N>) -> bool {
    (0..parts.len()).any(|from| {
        let rest = parts.get(from..).unwrap_or_default();
        let first = rest.first().copied().unwrap_or_default();
        let second = rest.get(1).copied().unwrap_or_default();
        let open = first.contains('*');
        // The component before the first `/` of an absolute path is empty.
        let anchored = if from == 0 && first.is_empty() {
            index.anchored()
        } else {
            &[]
        };
        let below = |pattern: &&&str| {
            pattern
                .strip_prefix('/')
                .is_some_and(|below| second.starts_with('*') || may_begin(second, below))
        };
        let may_be = |pattern: &&&str| {
            may_begin(first, pattern)
                && if open {
                    holds_all(first, pattern)
                } else {
                    may_end(pattern, first)
                }
        };
        let wild = if open {
            index.wild()
        } else {
            index.wild_for(first)
        };
        let anywhere = wild.iter().chain(index.alike(first));
        anchored
            .iter()
            .filter(below)
            .chain(anywhere.filter(may_be))
            .any(|pattern| spells_from(rest, pattern))
    })
}

/// Whether all that is known of a component stands somewhere in the pattern.
fn holds_all(part: &str, pattern: &str) -> bool {
    part.bytes()
        .all(|byte| byte == b'*' || pattern.as_bytes().contains(&byte))
}

/// Whether the components begin by spelling out the pattern.
fn spells_from(parts: &[&str], pattern: &str) -> bool {
    let (mut rest, mut pattern) = (parts.iter(), Some(pattern));
    while let Some(patterns) = pattern {
        let (wanted, more) = first_of(patterns);
        let at_start = rest.len() == parts.len();
        let spelled = rest.next().is_some_and(|part| {
            let all = !at_start && *part == "*" && rest.len() == 0;
            all || spells_out(part, wanted)
        });
        if !spelled {
            return false;
        }
        pattern = more;
    }
    true
}

/// Asked for every pattern there is: nearly all part at the first letter.
fn may_begin(part: &str, pattern: &str) -> bool {
    let wanted = pattern.bytes().next();
    match wanted {
        Some(b'*') => true,
        Some(b'/') => part.is_empty(),
        wanted => wanted == part.bytes().next(),
    }
}

/// Whether the component `part`, in which `*` is any text, is or spells most of the listed component.
fn spells_out(part: &str, wanted: &str) -> bool {
    if wanted == "*" || !part.contains('*') {
        return matches(wanted, part, false);
    }
    let literal = part.bytes().filter(|byte| *byte != b'*').count();
    let begins = !part.starts_with('*') || wanted.starts_with('*');
    if literal == 0 || !begins {
        return false;
    }
    // What of the listed name is sure to be there.
    let sure = if wanted.contains('*') {
        Cow::Owned(wanted.replace('*', ""))
    } else {
        Cow::Borrowed(wanted)
    };
    let dotted = part.starts_with('.') && sure.starts_with('.');
    (dotted || literal * 2 > sure.len()) && glob_matches(part, &sure)
}

/// Whether `text` is one that `pattern` stands for; `*` is any text.
fn glob_matches(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    let Some(mut text) = text.strip_prefix(start).filter(|text| text.ends_with(last)) else {
        return false;
    };
    for piece in middle.split('*') {
        match text.find(piece) {
            Some(at) => text = text.get(at + piece.len()..).unwrap_or(""),
            None => return false,
        }
    }
    text.ends_with(last)
}

/// Whether writing the normalised path gains execution later. File systems of macOS and Windows take `.GIT` and `.git.` for
/// `.git`; so does nobody's honest project on Linux.
#[must_use]
pub(super) fn is_protected(path: &str, home: Option<&str>, whole: bool) -> bool {
    !is_harmless_device(path) && any(&PROTECTED_INDEX, path, home, whole, true)
}

/// Whether something protected lies in a folder of this name: `.github`, `node_modules`.
#[must_use]
pub(super) fn is_above_protected(path: &str) -> bool {
    let name = path.trim_end_matches('/');
    let name = bare(name.rsplit('/').next().unwrap_or(name), true);
    let below = |pattern: &&str| pattern.contains('/');
    !name.is_empty() && PROTECTED_INDEX.of(name).iter().any(below)
}

/// `/dev/null` and its kin: writing there keeps nothing.
#[must_use]
pub(super) fn is_harmless_device(path: &str) -> bool {
    HARMLESS_DEVICES.contains(&path)
}

fn any<const N: usize>(
    index: &Index<N>,
    path: &str,
    home: Option<&str>,
    whole: bool,
    fold: bool,
) -> bool {
    let under = |patterns: &[&str], from: &str| {
        patterns
            .iter()
            .any(|pattern| begins(pattern, from, whole, fold))
    };
    let below_root = path.strip_prefix('/');
    let below_home = home
        .and_then(|home| path.strip_prefix(home.trim_end_matches('/')))
        .and_then(|under| under.strip_prefix('/'));
    let anchored = index.anchored().iter().any(|pattern| {
        let (skipped, below) = if pattern.as_bytes().first() == Some(&b'~') {
            (2, below_home)
        } else {
            (1, below_root)
        };
        let rest = pattern.get(skipped..).unwrap_or_default();
        below.is_some_and(|below| begins(rest, below, whole, fold))
    });
    if anchored {
        return true;
    }
    let mut from = path.trim_start_matches('/');
    loop {
        let parted = part_at(from, b'/');
        // Of the last component of a path that goes on only a beginning is known.
        let found = match parted.map(|(first, _)| first).or(whole.then_some(from)) {
            Some(part) => {
                let part = bare(part, fold);
                let mut wild = index.wild_for(part).iter();
                under(index.of(part), from)
                    || wild.any(|it| may_end(it, part) && begins(it, from, whole, fold))
            }
            // Of a single letter nothing is thought.
            None if from.len() <= 1 => false,
            None => under(index.alike(from), from) || under(index.wild(), from),
        };
        if found {
            return true;
        }
        match parted {
            Some((_, rest)) => from = rest,
            None => return false,
        }
    }
}

/// Whether a component may be what a pattern of one component stands for: nearly all part at the last letter.
fn may_end(pattern: &str, component: &str) -> bool {
    match (pattern.as_bytes().last(), component.as_bytes().last()) {
        (Some(b'*'), _) => true,
        (Some(wanted), Some(last)) => wanted.eq_ignore_ascii_case(last) || pattern.contains('/'),
        _ => false,
    }
}

/// Whether `path` begins with the components of `pattern`. When the path is not whole, its last component is only a
/// beginning, and matches what it may become.
fn begins(pattern: &str, path: &str, whole: bool, fold: bool) -> bool {
    // Asked for every pattern there is: nearly all part at the first letter.
    if let (Some(wanted), Some(letter)) = (pattern.bytes().next(), path.bytes().next())
        && wanted != b'*'
        && !wanted.eq_ignore_ascii_case(&letter)
    {
        return false;
    }
    let (mut pattern, mut path) = (Some(pattern), Some(path));
    while let Some(patterns) = pattern {
        let Some(paths) = path else {
            return false;
        };
        let (wanted, more) = first_of(patterns);
        let (part, rest) = first_of(paths);
        if rest.is_none() && !whole {
            // `.e*` could be `.env`; an empty beginning says nothing.
            return part.len() > 1 && wanted.starts_with(part);
        }
        if !matches(wanted, part, fold) {
            return false;
        }
        (pattern, path) = (more, rest);
    }
    true
}

/// The first component, and what follows it.
pub(super) fn first_of(path: &str) -> (&str, Option<&str>) {
    match part_at(path, b'/') {
        Some((first, rest)) => (first, Some(rest)),
        None => (path, None),
    }
}

/// `split_once`; a search by bytes is the faster one on texts as short as these.
fn part_at(text: &str, at: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == at)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// The component as file systems that fold names see it: Windows drops dots and blanks at the end.
fn bare(part: &str, fold: bool) -> &str {
    if fold && part.ends_with(['.', ' ']) {
        part.trim_end_matches(['.', ' '])
    } else {
        part
    }
}

fn matches(pattern: &str, part: &str, fold: bool) -> bool {
    let part = bare(part, fold);
    let same = |left: &str, right: &str| {
        if fold {
            left.eq_ignore_ascii_case(right)
        } else {
            left == right
        }
    };
    match part_at(pattern, b'*') {
        None => same(pattern, part),
        Some((start, end)) => {
            let (end, _) = part_at(end, b'*').unwrap_or((end, ""));
            part.len() >= start.len() + end.len()
                && part
                    .get(..start.len())
                    .is_some_and(|text| same(text, start))
                && part
                    .get(part.len().saturating_sub(end.len())..)
                    .is_some_and(|text| same(text, end))
        }
    }
}
