//! Whether a path holds credentials, or gains execution later.
//!
//! By the patterns of `lists`. A pattern is a run of path components that may stand anywhere in the path; `*` matches within one component. A
//! pattern that begins with `/` is absolute, one that begins with `~/` is under the home folder; whatever lies under a
//! match matches too.

use alloc::vec::Vec;

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
    let exempt = parts
        .last()
        .is_some_and(|last| !last.contains('*') && spells(&[last], NOT_SENSITIVE));
    spells(&parts, SENSITIVE) && !exempt
}

/// Whether the components spell out one of the patterns.
fn spells(parts: &[&str], patterns: &[&str]) -> bool {
    let elsewhere = patterns.iter().filter(|it| !it.starts_with('~'));
    elsewhere.into_iter().any(|pattern| {
        // The component before the first `/` of an absolute path is empty.
        let places = if pattern.starts_with('/') {
            1
        } else {
            parts.len()
        };
        (0..places).any(|from| {
            let mut rest = parts.iter().skip(from);
            let alike = rest
                .clone()
                .next()
                .is_some_and(|part| may_begin(part, pattern));
            let part = |(at, wanted): (usize, &str)| {
                rest.next().is_some_and(|part| {
                    let all = at > 0 && *part == "*" && rest.len() == 0;
                    all || spells_out(part, wanted)
                })
            };
            alike && pattern.split('/').enumerate().all(part)
        })
    })
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
    // What of the listed name is sure to be there.
    let sure = wanted.replace('*', "");
    let literal = part.len() - part.matches('*').count();
    let dotted = part.starts_with('.') && sure.starts_with('.');
    let begins = !part.starts_with('*') || wanted.starts_with('*');
    begins && (dotted || literal * 2 > sure.len()) && literal > 0 && glob_matches(part, &sure)
}

/// Whether `text` is one that `pattern` stands for; `*` is any text.
fn glob_matches(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(start) else {
        return false;
    };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let last = pieces.pop().unwrap_or("");
    for piece in pieces {
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
    let anchored = index.anchored().iter().any(|pattern| {
        if let Some(rest) = pattern.strip_prefix("~/") {
            return home
                .and_then(|home| path.strip_prefix(home.trim_end_matches('/')))
                .and_then(|under| under.strip_prefix('/'))
                .is_some_and(|under| begins(rest, under, whole, fold));
        }
        pattern.strip_prefix('/').is_some_and(|rest| {
            path.strip_prefix('/')
                .is_some_and(|under| begins(rest, under, whole, fold))
        })
    });
    if anchored {
        return true;
    }
    let mut from = path.trim_start_matches('/');
    loop {
        let parted = part_at(from, b'/');
        // Of the last component of a path that goes on only a beginning is known.
        let keyed = match parted {
            Some((first, _)) => index.of(bare(first, fold)),
            None if whole => index.of(bare(from, fold)),
            None => index.keyed(),
        };
        if under(keyed, from) || under(index.wild(), from) {
            return true;
        }
        match parted {
            Some((_, rest)) => from = rest,
            None => return false,
        }
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
fn first_of(path: &str) -> (&str, Option<&str>) {
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
