//! A path word and the facts → where it lies.
//!
//! Purely textual: `.`, `..` and `//` are normalised, links are the host's business; but what is written behind `name/..` does
//! not count as inside. A path whose beginning alone is
//! known is judged by its folder; when the working directory is unknown every relative path is outside.

use alloc::{borrow::Cow, format, string::String};

use super::places;
use crate::{
    command::model::{Arg, Cwd, Value},
    effect::{Effect, Place, Touch},
    facts::{Facts, Platform},
};

/// What `effect` on the path `value` touches.
#[must_use]
pub(super) fn touch(value: &Value, effect: Effect, cwd: &Cwd, facts: &Facts) -> Touch {
    let target = match value {
        Value::Exact(text) => Some(text.clone()),
        _ => None,
    };
    Touch {
        effect,
        place: Some(place(value, effect, cwd, facts)),
        target,
    }
}

/// What `effect` on the path `arg` touches: as [`touch`], and a shape that names credentials is one of them.
#[must_use]
pub(super) fn touch_word(arg: &Arg, effect: Effect, cwd: &Cwd, facts: &Facts) -> Touch {
    if let (Cwd::Among(likely), false) = (cwd, arg.shapes.is_empty()) {
        let mut touch = touch(&arg.value, effect, cwd, facts);
        for to in likely {
            let there = touch_word(arg, effect, &Cwd::Moved(to.clone()), facts);
            touch.place = touch.place.max(there.place);
        }
        return touch;
    }
    let mut touch = touch(&arg.value, effect, cwd, facts);
    if effect != Effect::Read || arg.shapes.is_empty() {
        return touch;
    }
    // The shapes say more than that the word begins with a folder.
    if let Value::Prefix(text) | Value::Many(text) = &arg.value
        && text.ends_with('/')
    {
        touch.place = Some(place_of(text, false, effect, cwd, facts));
    }
    if arg.shapes.iter().any(|shape| is_suspect(shape, cwd, facts)) {
        touch.place = touch.place.max(Some(Place::Sensitive));
    }
    touch
}

/// Whether the shape names credentials, seen from the working directory where that is known.
fn is_suspect(shape: &str, cwd: &Cwd, facts: &Facts) -> bool {
    let there = resolve(shape, cwd, facts).unwrap_or_else(|| normalise(shape));
    places::is_sensitive_shape(&there)
}

/// Where the path `value` lies, for `effect` on it.
#[must_use]
pub(super) fn place(value: &Value, effect: Effect, cwd: &Cwd, facts: &Facts) -> Place {
    if let Cwd::Among(likely) = cwd {
        let places = likely
            .iter()
            .map(|to| place(value, effect, &Cwd::Moved(to.clone()), facts));
        return places.fold(Place::Outside, Place::max);
    }
    match value {
        Value::Exact(text) => place_of(text, true, effect, cwd, facts),
        // The worst of all.
        Value::OneOf(all) => all
            .iter()
            .map(|text| place_of(text, true, effect, cwd, facts))
            .max()
            .unwrap_or(Place::Outside),
        Value::Prefix(text) | Value::Many(text) if !text.is_empty() => {
            let known = place_of(text, false, effect, cwd, facts).max(Place::Outside);
            // Any name of the folder.
            let suspect = effect == Effect::Read
                && text.ends_with('/')
                && is_suspect(&format!("{text}*"), cwd, facts);
            if suspect {
                known.max(Place::Sensitive)
            } else {
                known
            }
        }
        _ => Place::Outside,
    }
}

/// `whole`: the text is all of the path, not its beginning.
fn place_of(text: &str, whole: bool, effect: Effect, cwd: &Cwd, facts: &Facts) -> Place {
    let absolute = resolve(text, cwd, facts);
    // Without a working directory the text itself still shows `.ssh/id_rsa`.
    let relative = match absolute {
        Some(_) => String::new(),
        None => normalise(&text.replace('\\', "/")),
    };
    let shown = absolute.as_deref().unwrap_or(&relative);
    let home = facts.home.as_deref();
    let special = match effect {
        Effect::Write if places::is_protected(shown, home, whole) => Some(Place::Protected),
        Effect::Delete if whole && is_critical(text, absolute.as_deref(), facts) => {
            Some(Place::Critical)
        }
        Effect::Delete if places::is_protected(shown, home, whole) => Some(Place::Protected),
        // A whole folder is before what is not known, which its shape says more of.
        Effect::Read if !whole && text.ends_with('/') => {
            places::is_sensitive(&format!("{shown}/"), home, facts.platform, whole)
                .then_some(Place::Sensitive)
        }
        // Links of the kernel lead on from there, to the environment of processes too.
        Effect::Read
            if text.contains("..")
                && (text.starts_with("/proc/") || text.starts_with("/dev/fd")) =>
        {
            Some(Place::Sensitive)
        }
        Effect::Read if places::is_sensitive(shown, home, facts.platform, whole) => {
            Some(Place::Sensitive)
        }
        _ => None,
    };
    if let Some(place) = special {
        return place;
    }
    let changes = matches!(effect, Effect::Write | Effect::Delete);
    match absolute {
        Some(path)
            if whole
                && !(changes && climbs(text, cwd))
                && facts
                    .workspace
                    .iter()
                    .any(|root| is_under(&path, &normalise(root))) =>
        {
            Place::Inside
        }
        _ => Place::Outside,
    }
}

/// The folder that a glob of everything (`x/*`) empties: its loss is the folder's.
#[must_use]
pub(super) fn is_critical_folder(folder: &str, cwd: &Cwd, facts: &Facts) -> bool {
    let folder = if folder.is_empty() { "." } else { folder };
    is_critical(folder, resolve(folder, cwd, facts).as_deref(), facts)
}

/// A path whose loss cannot be mended: `/`, a top-level folder, the home folder, the working directory, a workspace
/// root, and the parents of each.
fn is_critical(text: &str, absolute: Option<&str>, facts: &Facts) -> bool {
    let Some(path) = absolute else {
        // Relative to somewhere unknown: only names that go up or stay are certain to hurt.
        let path = normalise(text);
        return path.is_empty() || path == "." || path.starts_with("..");
    };
    let depth = path.split('/').filter(|part| !part.is_empty()).count();
    if depth <= 1 || (depth == 2 && path.as_bytes().get(1) == Some(&b':')) {
        return true;
    }
    facts
        .home
        .iter()
        .chain(&facts.cwd)
        .chain(&facts.workspace)
        .any(|precious| is_under(&normalise(precious), path))
}

/// The absolute, normalised path; `None` when it depends on an unknown working directory.
#[must_use]
pub(super) fn resolve(text: &str, cwd: &Cwd, facts: &Facts) -> Option<String> {
    let windows = facts.platform == Platform::Windows;
    let text = if windows {
        Cow::Owned(text.replace('\\', "/"))
    } else {
        Cow::Borrowed(text)
    };
    let below = |folder: &str, text: &str| normalise(&[folder, text].join("/"));
    if let (Some(rest), Some(home)) = (text.strip_prefix("~/"), &facts.home) {
        return Some(below(home, rest));
    }
    if text == "~" {
        return facts.home.as_deref().map(normalise);
    }
    let drive = windows && text.as_bytes().get(1) == Some(&b':');
    if text.starts_with('/') || drive {
        return Some(normalise(&text));
    }
    let start = facts.cwd.as_deref();
    match cwd {
        Cwd::Initial => Some(below(start?, &text)),
        Cwd::Moved(to) if to.starts_with('/') => Some(below(to, &text)),
        Cwd::Moved(to) => Some(below(start?, &[to.as_str(), &*text].join("/"))),
        Cwd::Unknown | Cwd::Among(_) => None,
    }
}

/// Whether a `..` follows a name: where it leads depends on whether the name is a link. Only `cd` takes the name away as text.
#[must_use]
pub(super) fn climbs(text: &str, cwd: &Cwd) -> bool {
    let base = match cwd {
        Cwd::Moved(to) if !text.starts_with(['/', '~']) => to.as_str(),
        _ => "",
    };
    let mut named = false;
    base.split('/')
        .chain(text.split(['/', '\\']))
        .any(|part| match part {
            ".." => named,
            "" | "." | "~" => false,
            _ => {
                named = true;
                false
            }
        })
}

/// The working directory itself.
#[must_use]
pub(super) fn directory(cwd: &Cwd, facts: &Facts) -> Option<String> {
    resolve(".", cwd, facts)
}

/// Removes `.`, `..` and repeated slashes. `..` above the root stays there; leading ones of a relative path are kept.
#[must_use]
pub(super) fn normalise(path: &str) -> String {
    let is_absolute = path.starts_with('/');
    // Each part with a slash before it.
    let mut kept = String::with_capacity(path.len() + 1);
    let mut rest = Some(path);
    while let Some(path) = rest {
        let (part, more) = places::first_of(path);
        rest = more;
        let last = match part {
            "" | "." => continue,
            ".." => kept.bytes().rposition(|byte| byte == b'/'),
            _ => None,
        };
        match last {
            Some(at) if kept.get(at..) != Some("/..") => kept.truncate(at),
            _ if part == ".." && is_absolute => {}
            _ => {
                kept.push('/');
                kept.push_str(part);
            }
        }
    }
    match (is_absolute, kept.is_empty()) {
        (true, true) => kept.push('/'),
        (false, false) => drop(kept.remove(0)),
        _ => {}
    }
    kept
}

/// Whether the normalised `path` is `root` or lies under it.
#[must_use]
pub(super) fn is_under(path: &str, root: &str) -> bool {
    let root = root.trim_end_matches('/');
    path.strip_prefix(root)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// `//host/share`, `\\host\share`: a name on another machine where Windows reads it.
#[must_use]
pub(super) fn is_unc(text: &str) -> bool {
    let host = |rest: &str, slash: &[char]| {
        rest.split_once(slash).is_some_and(|(host, share)| {
            !host.is_empty() && !share.starts_with(slash) && !host.contains(char::is_whitespace)
        })
    };
    // Windows takes either slash, mixed too.
    if let Some(rest) = text.strip_prefix("//") {
        return host(rest, &['/']);
    }
    ["\\\\", "\\/", "/\\"]
        .iter()
        .find_map(|start| text.strip_prefix(start))
        .is_some_and(|rest| host(rest, &['\\', '/']))
}

#[cfg(test)]
mod tests;
