//! The working directory, followed as text: `cd`, `pushd`, `popd` with literal targets, but not `cd -P`.
//!
//! Paths are normalised as bash's logical `cd` does it (`a/..` is dropped); symbolic links are the host's
//! business. Whatever cannot be told from the text makes the directory unknown.

use alloc::{string::String, vec::Vec};

use super::{
    model::{Arg, Cwd},
    scope::Scope,
};
use crate::facts::Facts;

/// Stands for the home directory when the host did not say where it is: absolute, in no workspace, and the rest of
/// the path still tells what is named (`/~/.ssh/id_rsa`).
pub const UNKNOWN_HOME: &str = "/~";

/// Longest working directory that is followed, in bytes.
const MAX_PATH: usize = 1_000;
/// And in components.
const MAX_COMPONENTS: usize = 40;

/// The text that `~` expands to.
pub(super) fn home(facts: &Facts) -> &str {
    facts.home.as_deref().unwrap_or(UNKNOWN_HOME)
}

/// Where `cd argv…` leads; `argv` without the command name.
pub(super) fn change(scope: &Scope, facts: &Facts, argv: &[Arg], cdpath: bool) -> Cwd {
    let mut operands = argv.iter().peekable();
    let mut physical = false;
    while let Some(arg) = operands.peek() {
        match arg.value.exact() {
            Some("--") => {
                operands.next();
                break;
            }
            Some(option @ ("-L" | "-P" | "-e" | "-@")) => {
                physical |= option == "-P";
                operands.next();
            }
            _ => break,
        }
    }
    let target = operands.next();
    if operands.next().is_some() {
        return Cwd::Unknown;
    }
    let Some(target) = target else {
        return resolve(&scope.cwd, facts, home(facts));
    };
    match target.value.exact() {
        None | Some("-") => Cwd::Unknown,
        Some("") => scope.cwd.clone(),
        Some(text) if text.starts_with(['+', '-']) => Cwd::Unknown,
        Some(text) if cdpath && !is_anchored(text) => Cwd::Unknown,
        // Links are followed, and what a later `..` leaves is not the name given here.
        Some(text) if physical && text != "." => Cwd::Unknown.or(&resolve(&scope.cwd, facts, text)),
        Some(text) => resolve(&scope.cwd, facts, text),
    }
}

/// `CDPATH` is not looked at for these.
fn is_anchored(text: &str) -> bool {
    text.starts_with('/')
        || text.starts_with("./")
        || text.starts_with("../")
        || text == "."
        || text == ".."
}

/// The directory that `target` names, seen from `cwd`.
pub(super) fn resolve(cwd: &Cwd, facts: &Facts, target: &str) -> Cwd {
    let path = if target.starts_with('/') {
        normalise(target)
    } else {
        match cwd {
            Cwd::Unknown => return Cwd::Unknown,
            Cwd::Among(bases) => {
                let each = |base: &String| resolve(&Cwd::Moved(base.clone()), facts, target);
                let all = bases.iter().map(each);
                return all.reduce(|all, one| all.or(&one)).unwrap_or(Cwd::Unknown);
            }
            Cwd::Initial => normalise(target),
            Cwd::Moved(base) => {
                let mut joined = base.clone();
                joined.push('/');
                joined.push_str(target);
                normalise(&joined)
            }
        }
    };
    // Every later path is seen from here: a hostile depth must not be paid for again and again.
    if path.len() > MAX_PATH || path.split('/').count() > MAX_COMPONENTS {
        return Cwd::Unknown;
    }
    let start = facts.cwd.as_deref().map(normalise);
    if path == "." || Some(&path) == start.as_ref() {
        Cwd::Initial
    } else {
        Cwd::Moved(path)
    }
}

/// The absolute path of the working directory.
pub(super) fn absolute(cwd: &Cwd, facts: &Facts) -> Option<String> {
    match cwd {
        Cwd::Initial => facts.cwd.clone(),
        Cwd::Moved(path) if path.starts_with('/') => Some(path.clone()),
        Cwd::Moved(path) => {
            let mut joined = facts.cwd.clone()?;
            joined.push('/');
            joined.push_str(path);
            Some(normalise(&joined))
        }
        Cwd::Unknown | Cwd::Among(_) => None,
    }
}

/// Drops `.`, `//` and `a/..`; `..` at the start of a relative path stays.
pub(super) fn normalise(path: &str) -> String {
    let absolute = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    for piece in path.split('/') {
        match piece {
            "" | "." => {}
            ".." => match kept.last() {
                Some(&last) if last != ".." => {
                    kept.pop();
                }
                _ if absolute => {}
                _ => kept.push(".."),
            },
            piece => kept.push(piece),
        }
    }
    let joined = kept.join("/");
    match (absolute, joined.is_empty()) {
        (true, _) => {
            let mut path = String::from("/");
            path.push_str(&joined);
            path
        }
        (false, true) => ".".into(),
        (false, false) => joined,
    }
}

/// Stands among likely directories for one that is not known: in no workspace.
const ANYWHERE: &str = "/?";
/// Most likely directories that are kept.
const MAX_LIKELY: usize = 4;

impl Cwd {
    /// One or the other.
    pub(super) fn or(&self, other: &Self) -> Self {
        if self == other {
            return self.clone();
        }
        let likely = |cwd: &Self| match cwd {
            Self::Initial => alloc::vec![String::from(".")],
            Self::Moved(to) => alloc::vec![to.clone()],
            Self::Unknown => alloc::vec![String::from(ANYWHERE)],
            Self::Among(all) => all.clone(),
        };
        let mut all = likely(self);
        all.extend(likely(other));
        crate::sorted::sort(&mut all);
        all.dedup();
        if all.len() > MAX_LIKELY {
            all.truncate(MAX_LIKELY);
            all.push(ANYWHERE.into());
        }
        Self::Among(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalised_as_text() {
        for (path, expected) in [
            ("a/../b", "b"),
            ("./a//b/.", "a/b"),
            ("..", ".."),
            ("../a/../..", "../.."),
            ("/..", "/"),
            ("/a/b/../c", "/a/c"),
            ("", "."),
        ] {
            assert_eq!(normalise(path), expected, "{path}");
        }
    }

    #[test]
    fn resolve_comes_back_to_the_start() {
        let facts = Facts {
            cwd: Some("/w/app".into()),
            ..Facts::default()
        };
        let sub = resolve(&Cwd::Initial, &facts, "sub");
        assert_eq!(sub, Cwd::Moved("sub".into()));
        assert_eq!(resolve(&sub, &facts, ".."), Cwd::Initial);
        assert_eq!(resolve(&sub, &facts, "/w/app/"), Cwd::Initial);
        assert_eq!(resolve(&Cwd::Unknown, &facts, "x"), Cwd::Unknown);
        assert_eq!(absolute(&sub, &facts).as_deref(), Some("/w/app/sub"));
    }
}
