//! Which shell runs the commands, and how text is quoted for it.
//!
//! Chosen once a session and kept with it: a changed setting counts for new sessions only. `snapshot` makes the
//! user's login environment cheap to have in every command.

mod capture;
mod snapshot;

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

pub use snapshot::{Snapshot, SnapshotRequest, take};

/// The kinds of shell that are understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// GNU bash.
    Bash,
    /// Z shell.
    Zsh,
    /// A plain POSIX shell, where there is neither of the two.
    Sh,
}

impl Kind {
    /// Its usual name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Zsh => "zsh",
            Self::Sh => "sh",
        }
    }

    /// By the name of the program.
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        match name {
            _ if name.contains("bash") => Some(Self::Bash),
            _ if name.contains("zsh") => Some(Self::Zsh),
            "sh" | "dash" | "ash" => Some(Self::Sh),
            _ => None,
        }
    }

    /// As the policy names it.
    pub fn fact(self) -> policy_core::facts::Shell {
        match self {
            Self::Bash => policy_core::facts::Shell::Bash,
            Self::Zsh => policy_core::facts::Shell::Zsh,
            Self::Sh => policy_core::facts::Shell::Sh,
        }
    }
}

/// A shell.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shell {
    /// Its program.
    pub path: PathBuf,
    /// Its kind.
    pub kind: Kind,
}

/// What the choice depends on; given, so that it can be tested without touching the process's environment.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// `PORTCULLIS_SHELL`.
    pub configured: Option<OsString>,
    /// `SHELL`.
    pub login: Option<OsString>,
}

impl Wishes {
    /// From the environment.
    pub fn from_env() -> Self {
        Self {
            configured: std::env::var_os("PORTCULLIS_SHELL"),
            login: std::env::var_os("SHELL"),
        }
    }
}

/// Folders that are searched when the user's own shell is none of ours.
const FOLDERS: [&str; 4] = ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/// Chooses the shell. `None`: there is none, not even `/bin/sh`.
pub fn select(wishes: &Wishes) -> Option<Shell> {
    select_among(wishes, &FOLDERS.map(Path::new), &is_executable)
}

fn select_among(
    wishes: &Wishes,
    folders: &[&Path],
    executable: &dyn Fn(&Path) -> bool,
) -> Option<Shell> {
    let named = |wish: &Option<OsString>| {
        let path = PathBuf::from(wish.as_ref()?);
        let kind = Kind::of(&path).filter(|kind| *kind != Kind::Sh)?;
        (path.is_absolute() && executable(&path)).then_some(Shell { path, kind })
    };
    if let Some(shell) = named(&wishes.configured).or_else(|| named(&wishes.login)) {
        return Some(shell);
    }
    let login = wishes
        .login
        .as_deref()
        .map(OsStr::as_bytes)
        .unwrap_or_default();
    let order = match login.windows(4).any(|part| part == b"bash") {
        true => [Kind::Bash, Kind::Zsh],
        // macOS, where most such users are, has zsh as its own.
        false => [Kind::Zsh, Kind::Bash],
    };
    let search = |kind: Kind| {
        folders
            .iter()
            .map(|folder| folder.join(kind.name()))
            .find(|path| executable(path))
            .map(|path| Shell { path, kind })
    };
    order.into_iter().chain([Kind::Sh]).find_map(search)
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// The key under which a session stores its choice.
pub fn selection_key(session: &str) -> String {
    format!("{session}:runtime:bash_shell_selection")
}

/// What became of a stored choice when a session was resumed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Restored {
    /// The same shell.
    Same(Shell),
    /// The stored one is gone; this one is there. The model should be told.
    Fallback {
        /// What was stored.
        was: Shell,
        /// What is used now.
        now: Shell,
    },
    /// The stored one is gone and there is no other.
    Stale(Shell),
}

impl Restored {
    /// What the model should know, if anything changed.
    pub fn note(&self) -> Option<String> {
        match self {
            Self::Same(_) => None,
            Self::Fallback { was, now } => Some(format!(
                "The shell of this session changed from {} to {}, because the former is not there any more.",
                was.path.display(),
                now.path.display(),
            )),
            Self::Stale(was) => Some(format!(
                "The shell of this session, {}, is not there any more, and no other was found.",
                was.path.display(),
            )),
        }
    }
}

/// Resumes a stored choice.
pub fn restore(stored: Shell, wishes: &Wishes) -> Restored {
    if is_executable(&stored.path) {
        return Restored::Same(stored);
    }
    match select(wishes) {
        Some(now) => Restored::Fallback { was: stored, now },
        None => Restored::Stale(stored),
    }
}

/// One shell word that means exactly these bytes, in every POSIX shell.
pub fn quote(text: impl AsRef<OsStr>) -> Vec<u8> {
    let mut quoted = vec![b'\''];
    for byte in text.as_ref().as_bytes() {
        match byte {
            b'\'' => quoted.extend(b"'\\''"),
            other => quoted.push(*other),
        }
    }
    quoted.push(b'\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(configured: Option<&str>, login: Option<&str>, there: &[&str]) -> Option<String> {
        let wishes = Wishes {
            configured: configured.map(Into::into),
            login: login.map(Into::into),
        };
        let there: Vec<PathBuf> = there.iter().map(PathBuf::from).collect();
        select_among(&wishes, &FOLDERS.map(Path::new), &|path| {
            there.iter().any(|p| p == path)
        })
        .map(|shell| shell.path.display().to_string())
    }

    #[test]
    fn the_configured_shell_wins_then_the_users_own_then_a_search() {
        let both = ["/bin/bash", "/usr/bin/zsh"];
        assert_eq!(
            choose(Some("/bin/bash"), Some("/usr/bin/zsh"), &both).unwrap(),
            "/bin/bash"
        );
        assert_eq!(
            choose(None, Some("/usr/bin/zsh"), &both).unwrap(),
            "/usr/bin/zsh"
        );
        assert_eq!(choose(None, None, &both).unwrap(), "/usr/bin/zsh");
        assert_eq!(
            choose(None, Some("/gone/bash"), &both).unwrap(),
            "/bin/bash"
        );
    }

    #[test]
    fn f33_fish_is_not_used_and_i05_sh_is_the_last_resort() {
        assert_eq!(
            choose(None, Some("/usr/bin/fish"), &["/usr/bin/fish", "/bin/bash"]).unwrap(),
            "/bin/bash"
        );
        assert_eq!(
            choose(Some("relative/bash"), None, &["relative/bash", "/bin/sh"]).unwrap(),
            "/bin/sh"
        );
        assert_eq!(choose(None, None, &[]), None);
    }

    #[test]
    fn a_stored_choice_is_kept_while_it_can_run() {
        let bash = Shell {
            path: "/bin/bash".into(),
            kind: Kind::Bash,
        };
        assert_eq!(
            restore(bash.clone(), &Wishes::default()),
            Restored::Same(bash.clone())
        );
        let gone = Shell {
            path: "/nowhere/zsh".into(),
            kind: Kind::Zsh,
        };
        let restored = restore(
            gone.clone(),
            &Wishes {
                configured: Some("/bin/bash".into()),
                login: None,
            },
        );
        assert_eq!(
            restored,
            Restored::Fallback {
                was: gone,
                now: bash
            }
        );
        assert!(restored.note().unwrap().contains("/nowhere/zsh"));
    }

    #[test]
    fn quoting_is_exact() {
        assert_eq!(quote("it's"), b"'it'\\''s'");
        assert_eq!(quote(""), b"''");
    }
}
