//! Everything before the system call as one value: program, arguments, environment, directory, limits.
//!
//! Pure: a `Plan` is made from choices already taken and can be compared and printed in tests. Judging comes
//! before it (`engine`), starting after it (`spawn`).

mod wrapper;

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

pub use wrapper::{Parts, wrapper};

use crate::{
    protocol::{Brief, Bytes, Leftovers, files},
    shell::{Kind, Shell, Snapshot, quote},
};

/// Time between TERM and KILL.
pub const GRACE_MS: u64 = 1_500;
/// What a running task may print before it is stopped.
pub const TASK_OUTPUT_CAP: u64 = 5 * 1024 * 1024 * 1024;
/// The least free space: under it (or under a tenth of the disk, if that is less) a printing command is stopped.
pub const FREE_FLOOR: u64 = 256 * 1024 * 1024;

/// Limits of one command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes printed before it is stopped.
    pub output_cap: u64,
    /// Free bytes on the disk before it is stopped.
    pub free_floor: u64,
    /// Milliseconds between TERM and KILL.
    pub grace: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            output_cap: TASK_OUTPUT_CAP,
            free_floor: FREE_FLOOR,
            grace: GRACE_MS,
        }
    }
}

/// The choices that make a plan.
#[derive(Clone, Debug)]
pub struct Choices<'a> {
    /// The task's id.
    pub id: &'a str,
    /// Its private folder.
    pub folder: &'a Path,
    /// The shell.
    pub shell: &'a Shell,
    /// How it comes to the user's environment.
    pub startup: &'a Snapshot,
    /// Variable patterns to hide where start-up files run.
    pub unset: &'a [String],
    /// Tools that the host brings.
    pub shims: &'a [(String, String)],
    /// The whole environment.
    pub env: Vec<(OsString, OsString)>,
    /// Where it starts.
    pub cwd: PathBuf,
    /// There is input for it.
    pub stdin: bool,
    /// Keep stderr apart.
    pub split: bool,
    /// Kill it after this many milliseconds.
    pub timeout: Option<u64>,
    /// A background task from the start.
    pub detached: bool,
    /// What becomes of processes that outlive the shell.
    pub leftovers: Leftovers,
    /// Limits.
    pub limits: Limits,
}

/// What will be started, as the supervisor takes it.
pub fn plan(choices: Choices<'_>) -> Brief {
    let script = quote(choices.folder.join(files::SCRIPT));
    let cwd = quote(&choices.cwd);
    let login = *choices.startup == Snapshot::Login;
    let text = wrapper(
        choices.shell.kind,
        &Parts {
            snapshot: match choices.startup {
                Snapshot::Taken { file, .. } => Some(file),
                Snapshot::Login | Snapshot::Plain => None,
            },
            script: &script,
            unset: if login { choices.unset } else { &[] },
            cwd: login.then_some(&cwd),
            shims: choices.shims,
        },
    );
    let mut args: Vec<Bytes> = Vec::new();
    let flags: &[&str] = match (choices.shell.kind, login) {
        (Kind::Sh, _) | (Kind::Bash, false) => &[],
        // -f: zsh reads ~/.zshenv even with -c.
        (Kind::Zsh, false) => &["-f"],
        (Kind::Bash | Kind::Zsh, true) => &["-l"],
    };
    args.extend(flags.iter().map(|flag| Bytes::from(*flag)));
    args.push(Bytes::from("-c"));
    args.push(Bytes(text));
    // `$0`, as an interactive shell would have it.
    args.push(Bytes::from(choices.shell.kind.name()));
    Brief {
        id: choices.id.to_owned(),
        folder: Bytes::from(choices.folder),
        program: Bytes::from(&choices.shell.path),
        args,
        env: choices
            .env
            .iter()
            .map(|(name, value)| (Bytes::from(name), Bytes::from(value)))
            .collect(),
        cwd: Bytes::from(&choices.cwd),
        stdin: choices.stdin,
        split: choices.split,
        keep_report: None,
        output_cap: choices.limits.output_cap,
        free_floor: choices.limits.free_floor,
        timeout: choices.timeout,
        grace: choices.limits.grace,
        detached: choices.detached,
        leftovers: choices.leftovers,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn h03_the_plan_never_holds_the_command() {
        let shell = Shell {
            path: "/bin/bash".into(),
            kind: Kind::Bash,
        };
        let brief = plan(Choices {
            id: "b1",
            folder: Path::new("/state/it's"),
            shell: &shell,
            startup: &Snapshot::Taken {
                file: "/state/snapshot".into(),
                exports: Default::default(),
            },
            unset: &["*_TOKEN".into()],
            shims: &[("rg".into(), "/opt/x/rg".into())],
            env: vec![("A".into(), "b".into())],
            cwd: "/work".into(),
            stdin: false,
            split: false,
            timeout: None,
            detached: false,
            leftovers: Leftovers::Keep,
            limits: Limits::default(),
        });
        assert_eq!(brief.args.len(), 3);
        let text = String::from_utf8(brief.args[1].0.clone()).unwrap();
        assert!(
            text.starts_with("\\builtin eval $'\\\\builtin source \\'/state/snapshot\\' "),
            "{text}"
        );
        assert_eq!(text.lines().count(), 1);
        assert!(text.ends_with("\\builtin eval \" $(<'/state/it'\\''s/command')\"\n"));
        // With a snapshot nothing is left to hide.
        assert!(!text.contains("*_TOKEN"));
    }
}
