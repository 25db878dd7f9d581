//! Arguments to what judging needs: an engine with the configuration compiled in, and the request as JSON.
//!
//! Facts are gathered for the directory the command would run in. Rules of the command line are a layer of the
//! configuration, so that their faults are reported with all others.

use std::{
    io::Read as _,
    path::{Path, PathBuf},
};

use policy_core::{LayerConfig, Policy, PolicyConfig, RuleEntry};
use serde_json::{Map, Value};

use super::{
    Failure,
    args::{CommandArg, EngineName, PolicyArgs},
};
use crate::{
    config::{self, Loaded},
    engine::{
        self, Engine, EngineKind,
        facts::{Given, gather, project_root},
    },
};

/// Longest command text that is read from stdin, in bytes; the policy's own limit is far below.
const STDIN_LIMIT: u64 = 1 << 20;

/// An engine, ready.
pub(super) fn engine(args: &PolicyArgs) -> Result<Box<dyn Engine>, Failure> {
    let (loaded, config) = policy(args)?;
    engine_of(args, &loaded, config)
}

/// An engine for a configuration that was loaded.
pub(super) fn engine_of(
    args: &PolicyArgs,
    loaded: &Loaded,
    config: PolicyConfig,
) -> Result<Box<dyn Engine>, Failure> {
    let text =
        serde_json::to_string(&config).map_err(|error| Failure::internal(error.to_string()))?;
    let kind = match args.engine {
        EngineName::Wasm => EngineKind::Wasm,
        EngineName::Native => EngineKind::Native,
    };
    engine::engine(kind, &text).map_err(|refused| match refused.code.as_str() {
        "rule.invalid" | "config.invalid" => {
            Failure::usage(located(loaded, config, &refused.message))
        }
        _ => Failure::internal(refused.message),
    })
}

/// The configuration that counts, and the files it is from.
pub(super) fn policy(args: &PolicyArgs) -> Result<(Loaded, PolicyConfig), Failure> {
    let cwd = cwd(args)?;
    let loaded = match &args.config {
        Some(file) => config::load_only(file),
        None if args.no_config => config::load_managed(),
        None => config::load(&cwd, &project_root(&cwd)),
    };
    let loaded = loaded.map_err(|faults| {
        Failure::usage(
            faults
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("\n"),
        )
    })?;
    let rules = |texts: &[String]| texts.iter().cloned().map(RuleEntry::Text).collect();
    let mut config = loaded.policy(LayerConfig {
        allow: rules(&args.allow),
        ask: rules(&args.ask),
        deny: rules(&args.deny),
    });
    if let Some(mode) = args.mode {
        config.settings.mode = mode.into();
    }
    if let Some(analysis) = args.analysis {
        config.settings.analysis = analysis.into();
    }
    Ok((loaded, config))
}

/// The directory the command would run in.
pub(super) fn cwd(args: &PolicyArgs) -> Result<PathBuf, Failure> {
    let here = match &args.cwd {
        Some(cwd) => std::path::absolute(cwd),
        None => std::env::current_dir(),
    };
    here.map_err(|error| {
        Failure::usage(format!(
            "the working directory cannot be told: {error}; give one with --cwd"
        ))
    })
}

/// What a runtime and a command's pipes need, looked for before they do: the runtime would panic.
pub(super) fn descriptors() -> Result<(), Failure> {
    const NEEDED: usize = 24;
    let mut held = Vec::new();
    for _ in 0..NEEDED {
        match std::fs::File::open("/dev/null") {
            Ok(file) => held.push(file),
            Err(error) => {
                return Err(Failure::internal(format!(
                    "too few descriptors are left: {error}; raise the limit with `ulimit -n`"
                )));
            }
        }
    }
    Ok(())
}

/// The facts of this machine as the request's keys. Settings are the policy's, and left out.
pub(super) fn facts(args: &PolicyArgs) -> Map<String, Value> {
    let mut request = gathered(args.cwd.as_deref(), &args.workspace);
    if args.unattended {
        request.insert("unattended".into(), true.into());
    }
    request
}

/// The facts found out for a directory.
pub(super) fn gathered(cwd: Option<&Path>, workspace: &[PathBuf]) -> Map<String, Value> {
    let facts = gather(&Given {
        cwd: cwd.map(Path::to_owned),
        workspace: workspace.to_vec(),
    });
    let Ok(Value::Object(mut request)) = serde_json::to_value(&facts) else {
        return Map::new();
    };
    request.retain(|key, _| {
        ["cwd", "workspace", "home", "platform", "shell", "git"].contains(&key.as_str())
    });
    request
}

/// The request as JSON text.
pub(super) fn request(args: &PolicyArgs, command: &str) -> Value {
    let mut request = facts(args);
    request.insert("command".into(), command.into());
    Value::Object(request)
}

/// Runs an operation; a fault of the engine or of the request is a failure.
pub(super) fn ask(
    engine: &mut dyn Engine,
    operation: &str,
    request: &str,
) -> Result<String, Failure> {
    let answer = engine
        .call(operation, request)
        .map_err(|fault| Failure::internal(fault.message))?;
    match engine::error_of(&answer) {
        Some((_, message)) => Err(Failure::usage(message)),
        None => Ok(answer),
    }
}

/// The command text. Words of plain characters may be joined with blanks; a word with any other character would not
/// mean the same afterwards, and which quotes it needs is not for us to guess.
pub(super) fn command(arg: &CommandArg) -> Result<String, Failure> {
    match arg.command.as_slice() {
        [] => Err(Failure::usage(
            "no command given; write it as one string after `--`, or `-` to read it from stdin",
        )),
        [one] if one == "-" => {
            let mut text = String::new();
            match std::io::stdin().take(STDIN_LIMIT).read_to_string(&mut text) {
                Ok(_) => Ok(text),
                Err(error) => Err(Failure::usage(format!(
                    "the command cannot be read from stdin: {error}"
                ))),
            }
        }
        [one] => Ok(one.clone()),
        words if words.iter().all(|word| plain(word)) => Ok(words.join(" ")),
        words => Err(Failure::usage(format!(
            "the command has {} words, and joining them could change what they mean; quote it as one string: \
             portcullis check -- 'git log --oneline'",
            words.len()
        ))),
    }
}

fn plain(word: &str) -> bool {
    !word.is_empty()
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c))
}

/// The faults of a configuration with file, line and column.
fn located(loaded: &Loaded, config: PolicyConfig, message: &str) -> String {
    match Policy::new(config) {
        Err(faults) => faults
            .iter()
            .map(|fault| loaded.locate(fault).to_string())
            .collect::<Vec<_>>()
            .join("\n"),
        Ok(_) => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(words: &[&str]) -> Option<String> {
        command(&CommandArg {
            command: words.iter().map(ToString::to_string).collect(),
        })
        .ok()
    }

    #[test]
    fn only_plain_words_are_joined() {
        assert_eq!(
            joined(&["git", "log", "-n1"]).as_deref(),
            Some("git log -n1")
        );
        assert_eq!(joined(&["echo a  b"]).as_deref(), Some("echo a  b"));
        assert_eq!(joined(&["echo", "a b"]), None);
        assert_eq!(joined(&["echo", "$x"]), None);
        assert_eq!(joined(&["echo", ""]), None);
        assert_eq!(joined(&[]), None);
    }
}
