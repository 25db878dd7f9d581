//! The user's login environment, taken once a session and cheap to have in every command.
//!
//! A login shell runs under a supervisor of its own, with a time limit, caps and no terminal, and tells what it
//! has. Functions, aliases and options become a file of plain declarations that commands source; exported
//! variables stay with the host, which merges them into each command's environment, so that they are scrubbed
//! like all others and no secret is written to disk. Whatever start-up files do, the worst is a plain shell.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::{OsStr, OsString},
    io::Write,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{Kind, Shell, capture, quote};
use crate::{
    protocol::{Brief, Bytes, Leftovers, RunState, files},
    spawn::{Program, create_private, supervise},
};

/// How long start-up files may take.
const TIME_LIMIT_MS: u64 = 10_000;
/// How much they may print, and how much the shell may tell.
const CAP: u64 = 4 * 1024 * 1024;
/// The most functions text that each command should have to read; completion helpers go first.
const FUNCTIONS_MOST: usize = 256 * 1024;
/// Functions that would stand in the wrapper's way.
const NOT_TAKEN: [&str; 8] = [
    "builtin", "command", "eval", "source", "trap", "exec", "set", "shopt",
];

/// How a command's shell comes to the user's environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Snapshot {
    /// By declarations in a file, and these variables.
    Taken {
        /// The file to source.
        file: PathBuf,
        /// Exported variables that differ from the host's own.
        exports: BTreeMap<OsString, OsString>,
    },
    /// By being a login shell each time: the start-up files are sound, but could not be captured.
    Login,
    /// Not at all: the start-up files hang, flood, exit or replace the shell.
    Plain,
}

/// What is needed to take one.
#[derive(Debug)]
pub struct SnapshotRequest<'a> {
    /// Whose start-up files.
    pub shell: &'a Shell,
    /// The environment they run in.
    pub env: Vec<(OsString, OsString)>,
    /// A private folder for this purpose; it exists and is empty.
    pub folder: PathBuf,
    /// As an interactive shell: many start-up files do nothing otherwise.
    pub interactive: bool,
    /// The supervisor's program.
    pub program: &'a Arc<Program>,
}

/// Takes a snapshot; the second part says what went wrong, for diagnostics.
pub async fn take(request: SnapshotRequest<'_>) -> (Snapshot, Option<String>) {
    let Some(script) = capture::script(request.shell.kind) else {
        return (Snapshot::Plain, None);
    };
    let base: BTreeMap<OsString, OsString> = request.env.iter().cloned().collect();
    let brief = Brief {
        id: "snapshot".into(),
        folder: Bytes::from(&request.folder),
        program: Bytes::from(&request.shell.path),
        // A supervised shell has a session and no terminal, so an interactive one takes nobody's.
        args: match request.interactive {
            true => ["-l", "-i", "-c", &script].map(Bytes::from).to_vec(),
            false => ["-l", "-c", &script].map(Bytes::from).to_vec(),
        },
        env: request
            .env
            .iter()
            .map(|(name, value)| (Bytes::from(name), Bytes::from(value)))
            .collect(),
        cwd: base
            .get(OsStr::new("HOME"))
            .filter(|home| Path::new(home).is_dir())
            .map_or(Bytes(b"/".to_vec()), Bytes::from),
        stdin: false,
        split: false,
        keep_report: Some(CAP),
        output_cap: CAP,
        free_floor: 0,
        timeout: Some(TIME_LIMIT_MS),
        grace: 200,
        detached: false,
        leftovers: Leftovers::Stop,
    };
    let supervised = match supervise(request.program, brief).await {
        Ok(supervised) => supervised,
        Err(failure) => return (Snapshot::Plain, Some(failure.message)),
    };
    let status = supervised.ended().await;
    let answer = std::fs::read(request.folder.join(files::REPORT)).unwrap_or_default();
    for name in [files::REPORT, files::OUTPUT, files::ORDERS, files::RECORD] {
        let _ = std::fs::remove_file(request.folder.join(name));
    }
    let told = capture::read(&answer);
    if !told.begun
        || status.record.timed_out
        || status.record.state != RunState::Completed && !told.complete
    {
        let why = match (status.failed, status.record.reason) {
            (Some(failure), _) => failure.message,
            (None, Some(reason)) => format!(
                "the start-up files of the shell were ended ({})",
                reason.as_str()
            ),
            (None, None) => "the start-up files of the shell never came to their end".into(),
        };
        return (Snapshot::Plain, Some(why));
    }
    if !told.complete {
        return (
            Snapshot::Login,
            Some("the login shell did not tell all it has".into()),
        );
    }
    let file = request.folder.join("snapshot");
    let written = create_private(&file)
        .and_then(|mut open| open.write_all(&declarations(request.shell.kind, &told)));
    if let Err(error) = written {
        return (
            Snapshot::Login,
            Some(format!("cannot keep the snapshot: {error}")),
        );
    }
    let exports = told
        .exports
        .into_iter()
        .map(|(name, value)| (OsString::from_vec(name), OsString::from_vec(value)))
        .filter(|(name, value)| base.get(name) != Some(value) && is_worth_keeping(name))
        .collect();
    (Snapshot::Taken { file, exports }, None)
}

fn is_worth_keeping(name: &OsStr) -> bool {
    !matches!(name.as_bytes(), b"PWD" | b"OLDPWD" | b"SHLVL" | b"_")
        && !name.as_bytes().starts_with(b"BASH_FUNC_")
}

/// The file: no conditions, no calls, one declaration after the other, none able to spoil the rest.
fn declarations(kind: Kind, told: &capture::Told) -> Vec<u8> {
    let mut text = Vec::new();
    let functions = select(&told.functions);
    let (before, after): (&[u8], &[u8]) = match kind {
        // A function whose text holds extended patterns is a syntax error without them.
        Kind::Bash => (
            b"\\builtin shopt -s extglob\n",
            b"\\builtin shopt -u extglob\n",
        ),
        _ => (b"setopt EXTENDED_GLOB\n", b"setopt NO_EXTENDED_GLOB\n"),
    };
    text.extend(before);
    for (_, definition) in functions {
        text.extend(b"\\builtin eval ");
        text.extend(quote(OsStr::from_bytes(definition)));
        text.push(b'\n');
    }
    text.extend(after);
    for (name, value) in &told.aliases {
        if !name.starts_with('-') {
            text.extend(b"\\builtin alias ");
            text.extend(quote(OsStr::from_bytes(
                &[name.as_bytes(), b"=", value].concat(),
            )));
            text.push(b'\n');
        }
    }
    for option in &told.options {
        let set = match kind {
            Kind::Bash => "\\builtin shopt -s",
            _ => "builtin setopt",
        };
        text.extend(format!("{set} {option}\n").as_bytes());
    }
    text
}

/// The functions to take: all public ones, and of those that begin with `_` the ones that public ones use.
fn select(functions: &[(String, Vec<u8>)]) -> Vec<&(String, Vec<u8>)> {
    let usable: Vec<_> = functions
        .iter()
        .filter(|(name, _)| {
            !NOT_TAKEN.contains(&name.as_str()) && !name.starts_with("__portcullis")
        })
        .collect();
    let by_name: BTreeMap<&str, &[u8]> = usable
        .iter()
        .map(|(name, text)| (name.as_str(), &text[..]))
        .collect();
    let mut kept: BTreeSet<&str> = BTreeSet::new();
    let mut todo: Vec<&str> = by_name
        .keys()
        .filter(|name| !name.starts_with('_'))
        .copied()
        .collect();
    while let Some(name) = todo.pop() {
        if !kept.insert(name) {
            continue;
        }
        let text = by_name.get(name).copied().unwrap_or_default();
        for word in text.split(|byte| !(byte.is_ascii_alphanumeric() || b"_-:.".contains(byte))) {
            if let Some((known, _)) = std::str::from_utf8(word)
                .ok()
                .and_then(|word| by_name.get_key_value(word))
            {
                todo.push(known);
            }
        }
    }
    let mut size = 0;
    usable
        .into_iter()
        .filter(|(name, _)| kept.contains(name.as_str()))
        .take_while(|(_, text)| {
            size += text.len();
            size <= FUNCTIONS_MOST
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(name: &str, body: &str) -> (String, Vec<u8>) {
        (
            name.into(),
            format!("{name} () \n{{ {body}\n}}").into_bytes(),
        )
    }

    #[test]
    fn g10_helpers_of_public_functions_are_kept() {
        let functions = [
            function("pub", "_helper x"),
            function("_helper", "_deeper"),
            function("_deeper", "echo"),
            function("_completion", "compgen"),
            function("builtin", ":"),
        ];
        let names: Vec<_> = select(&functions)
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(names, ["pub", "_helper", "_deeper"]);
    }

    #[test]
    fn g05_each_function_stands_alone() {
        let told = capture::Told {
            functions: vec![
                function("a", "echo 'x'"),
                function("b", "case $1 in !(x)) ;; esac"),
            ],
            aliases: vec![("ll".into(), b"ls -l 'a'".to_vec())],
            options: vec!["nullglob".into()],
            ..capture::Told::default()
        };
        let text = String::from_utf8(declarations(Kind::Bash, &told)).unwrap();
        assert_eq!(
            text,
            "\\builtin shopt -s extglob\n\
             \\builtin eval 'a () \n{ echo '\\''x'\\''\n}'\n\
             \\builtin eval 'b () \n{ case $1 in !(x)) ;; esac\n}'\n\
             \\builtin shopt -u extglob\n\
             \\builtin alias 'll=ls -l '\\''a'\\'''\n\
             \\builtin shopt -s nullglob\n"
        );
    }
}
