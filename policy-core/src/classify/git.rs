//! git: what the repository's configuration can make of a harmless command line.
//!
//! The command line itself is the spec's business. Here: the state of the repository as the host found it, the
//! directory git runs in, formats that start GPG, and the environment under which a reading command only reads.

use alloc::{
    format,
    string::{String, ToString},
};

use super::{Judgement, paths};
use crate::{
    command::model::{Cwd, Invocation, Value},
    diagnostic::Code,
    facts::{Facts, GitState},
    specs::options::Parsed,
};

/// Adds what git's own ways add to the judgement of the spec.
pub(super) fn judge(
    judgement: &mut Judgement,
    invocation: &Invocation,
    parsed: &Parsed<'_>,
    facts: &Facts,
) {
    judge_formats(judgement, invocation, parsed);
    judge_directory_options(judgement, invocation, parsed, facts);
    let words = parsed.sub.map(|sub| sub.words.as_ref());
    if matches!(words, None | Some("version")) {
        // `git --version` reads no configuration.
        return;
    }
    judge_directory(judgement, invocation, facts);
    match facts.git.state {
        GitState::Trusted | GitState::None => {}
        GitState::Suspicious => judgement.refuse(
            Code::CommandGit,
            "the repository is laid out so that it could redirect git",
            invocation.span,
        ),
        GitState::Unknown => judgement.refuse(
            Code::CommandGit,
            "nothing is known of the repository, and its configuration can run programs",
            invocation.span,
        ),
    }
    judge_configuration(judgement, invocation, words.unwrap_or_default(), facts);
    for (name, value) in [
        // `git status` would write the refreshed index.
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_PAGER", "cat"),
        ("GIT_TERMINAL_PROMPT", "0"),
    ] {
        judgement
            .conditions
            .insert(name.to_string(), value.to_string());
    }
}

/// git in another directory is git with another repository's configuration.
fn judge_directory(judgement: &mut Judgement, invocation: &Invocation, facts: &Facts) {
    let start = paths::directory(&Cwd::Initial, facts);
    let here = match &invocation.cwd {
        Cwd::Initial => return,
        Cwd::Moved(to) if to.is_empty() || to == "." => return,
        cwd => paths::directory(cwd, facts),
    };
    if here.is_none() || here != start {
        judgement.refuse(
            Code::CommandGit,
            "git runs in another directory, whose configuration may run programs",
            invocation.span,
        );
    }
}

/// `-C .` changes nothing; any other directory is another repository.
fn judge_directory_options(
    judgement: &mut Judgement,
    invocation: &Invocation,
    parsed: &Parsed<'_>,
    facts: &Facts,
) {
    for option in parsed.options.iter().take(parsed.global_count) {
        if option.name != "-C" {
            continue;
        }
        let stays = option
            .value
            .as_ref()
            .and_then(Value::exact)
            .is_some_and(|text| {
                // git reads `-C ""` as nothing.
                text.is_empty() || text == "." || text == "./" || {
                    let there = paths::resolve(text, &invocation.cwd, facts);
                    there.is_some() && there == paths::directory(&Cwd::Initial, facts)
                }
            });
        if !stays {
            judgement.refuse(
                Code::CommandGit,
                "`-C` runs git in another directory, whose configuration may run programs",
                invocation.span,
            );
        }
    }
}

/// `%G?` and `%(signature)` in a format start GPG, and a format by name is looked up in the configuration.
fn judge_formats(judgement: &mut Judgement, invocation: &Invocation, parsed: &Parsed<'_>) {
    for option in parsed.all("--format --pretty --sort") {
        let Some(value) = &option.value else { continue };
        let unknown = !matches!(value, Value::Exact(_) | Value::OneOf(_));
        let mut signs = unknown;
        let mut look = |text: &str| {
            signs |= text.contains("%G") || text.contains("signature");
        };
        match value {
            Value::Exact(text) | Value::Prefix(text) | Value::Many(text) => look(text),
            Value::OneOf(all) => all.iter().for_each(|text| look(text)),
            Value::Digits | Value::Unknown => {}
        }
        if signs {
            let span = invocation
                .argv
                .get(option.index)
                .map_or(invocation.span, |arg| arg.span);
            judgement.refuse(
                Code::CommandGit,
                format!("a `{}` with signatures starts gpg", option.name),
                span,
            );
        }
    }
}

/// Keys found in the repository's configuration that can run a program: blanked where git permits it.
fn judge_configuration(
    judgement: &mut Judgement,
    invocation: &Invocation,
    sub: &str,
    facts: &Facts,
) {
    let mut count = 0_usize;
    for key in &facts.git.executing_keys {
        let Some(value) = blank(key, sub) else {
            judgement.refuse(
                Code::CommandGit,
                format!(
                    "the configuration has `{key}`, which runs a program and cannot be switched off"
                ),
                invocation.span,
            );
            continue;
        };
        if !facts.can_apply_conditions {
            judgement.refuse(
                Code::CommandGit,
                format!("the configuration has `{key}`, which runs a program"),
                invocation.span,
            );
            continue;
        }
        let conditions = &mut judgement.conditions;
        conditions.insert(format!("GIT_CONFIG_KEY_{count}"), key.clone());
        conditions.insert(format!("GIT_CONFIG_VALUE_{count}"), String::from(value));
        count += 1;
    }
    if count > 0 {
        judgement
            .conditions
            .insert("GIT_CONFIG_COUNT".to_string(), count.to_string());
    }
}

/// The value under which an executing key runs nothing; `None` when there is none.
fn blank(key: &str, _sub: &str) -> Option<&'static str> {
    let lower = key.to_ascii_lowercase();
    let (section, name) = match lower.split_once('.') {
        Some((section, rest)) => (
            section,
            rest.rsplit_once('.').map_or(rest, |(_, name)| name),
        ),
        None => return None,
    };
    match (section, name) {
        ("core", "fsmonitor") => Some("false"),
        ("core", "hookspath") => Some("/dev/null"),
        ("core", "pager") => Some("cat"),
        ("pager", _) => Some("false"),
        ("core", "editor") | ("sequence", "editor") => Some("true"),
        // A driver whose command is empty is no driver (convert.c, `apply_filter`).
        ("filter", "clean" | "smudge" | "process") => Some(""),
        ("filter", "required") => Some("false"),
        // An empty value clears the list (gitcredentials(7)).
        ("credential", "helper") => Some(""),
        ("core", "askpass" | "sshcommand" | "gitproxy" | "alternaterefscommand") => Some("true"),
        // Never consulted for a command of git's own name (git-config(1), alias.*).
        ("alias", _) => Some(""),
        ("gpg", _) => Some("true"),
        _ => None,
    }
}
