//! The environment of a command: the host's, minus what would change how a shell starts, minus secrets when
//! scrubbing is on, plus what keeps tools from waiting for a person, plus the session's own.
//!
//! Pure: variables in, variables out. Names and patterns are in `names`; taking variables out of the host's own
//! environment (`seal`) is the one thing here that touches it.

mod names;
mod seal;

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStrExt,
    path::Path,
};

pub use names::{is_secret, scrub_patterns};
pub use seal::Sealed;

use crate::protocol::TASK_VARIABLE;

/// What a session wants of its commands' environment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Policy {
    /// Take secrets out.
    pub scrub: bool,
    /// Names that stay even so.
    pub keep: Vec<String>,
    /// The session's own: set, or (with `None`) taken out.
    pub overrides: BTreeMap<String, Option<String>>,
}

/// What differs from one command to the next.
#[derive(Clone, Debug)]
pub struct Circumstances<'a> {
    /// The shell's program.
    pub shell: &'a Path,
    /// The task's id.
    pub task: &'a str,
    /// Where it starts.
    pub cwd: &'a Path,
    /// Where the command before it started or ended.
    pub previous_cwd: Option<&'a Path>,
    /// A folder for temporary files, where the host's own is not usable.
    pub tmpdir: Option<&'a Path>,
    /// What the start-up files of the shell exported.
    pub exports: &'a BTreeMap<OsString, OsString>,
    /// What the host took out of its own environment for its children alone.
    pub sealed: &'a [(OsString, OsString)],
    /// What the verdict depends on.
    pub conditions: &'a BTreeMap<String, String>,
}

/// The environment, and the names of what was taken out as secret.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Environment {
    /// All variables, sorted by name.
    pub variables: BTreeMap<OsString, OsString>,
    /// Names of secrets that are not in it.
    pub scrubbed: Vec<String>,
}

/// Makes the environment.
pub fn environment(
    host: impl IntoIterator<Item = (OsString, OsString)>,
    policy: &Policy,
    around: &Circumstances<'_>,
) -> Environment {
    let mut made = Environment::default();
    let inherited = host
        .into_iter()
        .chain(
            around
                .exports
                .iter()
                .map(|(name, value)| (name.clone(), value.clone())),
        )
        .chain(around.sealed.iter().cloned());
    for (name, value) in inherited {
        if names::changes_the_shell(name.as_bytes()) || is_malformed(&name, &value) {
            continue;
        }
        let text = name.to_string_lossy();
        if policy.scrub
            && !policy.keep.iter().any(|kept| *kept == text)
            && is_secret(&text, value.as_bytes())
        {
            made.scrubbed.push(text.into_owned());
            continue;
        }
        made.variables.insert(name, value);
    }
    made.scrubbed.sort();
    made.scrubbed.dedup();
    let mut set = |name: &str, value: &OsStr| made.variables.insert(name.into(), value.into());
    for (name, value) in names::FIXED {
        set(name, OsStr::new(value));
    }
    set("SHELL", around.shell.as_os_str());
    set(TASK_VARIABLE, OsStr::new(around.task));
    set("PWD", around.cwd.as_os_str());
    if let Some(previous) = around.previous_cwd {
        set("OLDPWD", previous.as_os_str());
    }
    if let Some(tmpdir) = around.tmpdir {
        set("TMPDIR", tmpdir.as_os_str());
        set("TMPPREFIX", tmpdir.join("zsh").as_os_str());
    }
    if around.previous_cwd.is_none() {
        made.variables.remove(OsStr::new("OLDPWD"));
    }
    if !has_utf8_locale(&made.variables) && cfg!(target_os = "linux") {
        made.variables.remove(OsStr::new("LC_ALL"));
        made.variables.insert("LC_CTYPE".into(), "C.UTF-8".into());
    }
    for (name, value) in &policy.overrides {
        match value {
            Some(value) => made.variables.insert(name.into(), value.into()),
            None => made.variables.remove(OsStr::new(name)),
        };
    }
    for (name, value) in around.conditions {
        made.variables.insert(name.into(), value.into());
    }
    made
}

/// Names a shell cannot hold, or bytes no process can be given.
fn is_malformed(name: &OsStr, value: &OsStr) -> bool {
    name.is_empty()
        || name.as_bytes().iter().any(|byte| matches!(byte, b'=' | 0))
        || value.as_bytes().contains(&0)
}

fn has_utf8_locale(variables: &BTreeMap<OsString, OsString>) -> bool {
    let deciding = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| {
        variables
            .get(OsStr::new(name))
            .filter(|value| !value.is_empty())
    });
    deciding.is_some_and(|value| {
        let value = value.to_string_lossy().to_ascii_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(host: &[(&str, &str)], policy: &Policy) -> Environment {
        environment(
            host.iter().map(|(name, value)| (name.into(), value.into())),
            policy,
            &Circumstances {
                shell: Path::new("/bin/bash"),
                task: "b1",
                cwd: Path::new("/w"),
                previous_cwd: None,
                tmpdir: None,
                exports: &BTreeMap::from([
                    ("FROM_RC".into(), "1".into()),
                    ("RC_TOKEN".into(), "s".into()),
                ]),
                sealed: &[("https_proxy".into(), "http://p".into())],
                conditions: &BTreeMap::from([("GIT_OPTIONAL_LOCKS".into(), "0".into())]),
            },
        )
    }

    fn value<'a>(made: &'a Environment, name: &str) -> Option<&'a str> {
        made.variables.get(OsStr::new(name))?.to_str()
    }

    #[test]
    fn h04_h05_h06_nothing_that_changes_how_a_shell_starts() {
        let host = [
            ("BASH_ENV", "/tmp/x"),
            ("ENV", "/tmp/x"),
            ("SHELLOPTS", "errexit"),
            ("BASHOPTS", "extglob"),
            ("IFS", "x"),
            ("PS4", "$(touch /tmp/x)"),
            ("CDPATH", "/usr"),
            ("BASH_FUNC_cd%%", "() { echo; }"),
            ("LD_PRELOAD", "/tmp/x.so"),
            ("GIT_DIR", "/tmp/x"),
            ("HOME", "/root"),
        ];
        let made = make(&host, &Policy::default());
        for (name, _) in &host[..10] {
            assert_eq!(value(&made, name), None, "{name}");
        }
        assert_eq!(value(&made, "HOME"), Some("/root"));
    }

    #[test]
    fn fixed_then_overrides_then_conditions() {
        let mut policy = Policy::default();
        policy.overrides.insert("PAGER".into(), Some("less".into()));
        policy.overrides.insert("TERM".into(), None);
        policy
            .overrides
            .insert("GIT_OPTIONAL_LOCKS".into(), Some("1".into()));
        let made = make(&[("GIT_EDITOR", "vim"), ("LANG", "de_DE.UTF-8")], &policy);
        assert_eq!(value(&made, "GIT_EDITOR"), Some("true"));
        assert_eq!(value(&made, "GIT_TERMINAL_PROMPT"), Some("0"));
        assert_eq!(value(&made, "PORTCULLIS"), Some("1"));
        assert_eq!(value(&made, "PAGER"), Some("less"));
        assert_eq!(value(&made, "TERM"), None);
        assert_eq!(value(&made, "GIT_OPTIONAL_LOCKS"), Some("0"));
        assert_eq!(value(&made, "https_proxy"), Some("http://p"));
        assert_eq!(value(&made, "LC_CTYPE"), None);
    }

    #[test]
    fn g14_scrubbing_reaches_what_start_up_files_export() {
        let policy = Policy {
            scrub: true,
            keep: vec!["KEPT_TOKEN".into()],
            ..Policy::default()
        };
        let made = make(
            &[("AWS_SECRET_ACCESS_KEY", "x"), ("KEPT_TOKEN", "y")],
            &policy,
        );
        assert_eq!(made.scrubbed, ["AWS_SECRET_ACCESS_KEY", "RC_TOKEN"]);
        assert_eq!(value(&made, "FROM_RC"), Some("1"));
        assert_eq!(value(&made, "KEPT_TOKEN"), Some("y"));
        assert_eq!(value(&make(&[], &Policy::default()), "RC_TOKEN"), Some("s"));
    }

    #[test]
    fn h14_a_utf8_locale_if_there_is_none() {
        assert_eq!(
            value(&make(&[("LC_ALL", "C")], &Policy::default()), "LC_CTYPE"),
            Some("C.UTF-8")
        );
        assert_eq!(
            value(
                &make(&[("LANG", "en_US.utf8")], &Policy::default()),
                "LC_CTYPE"
            ),
            None
        );
    }
}
