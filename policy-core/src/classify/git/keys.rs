//! `git config key value`: whether the key makes a later git run something.
//!
//! Such a line is as good as a hook, so it is a protected write that no prefix rule covers. From git-config(1).

use alloc::string::ToString;

use super::super::Judgement;
use crate::{
    command::model::{Invocation, Value},
    diagnostic::Code,
    effect::{Effect, Place, Touch},
    specs::options::{Parsed, ReadOption},
};

/// Adds a protected write where a key is set that gains execution, or one that is not known.
pub(super) fn judge(judgement: &mut Judgement, invocation: &Invocation, parsed: &Parsed<'_>) {
    let mut set = match parsed.sub.map(|sub| sub.words) {
        Some("config") => {
            let reads = "--get --get-all --get-regexp --get-urlmatch --list --unset --unset-all";
            let changes = parsed.has("--add --replace-all --rename-section");
            changes || (parsed.operands.len() > 1 && !parsed.has(reads))
        }
        Some(words) => words.starts_with("config set"),
        None => false,
    };
    // Options end at the first operand: what follows is the value, however it is spelled.
    let first = parsed.operands.first().copied();
    if let (Some("config"), Some(at)) = (parsed.sub.map(|sub| sub.words), first)
        && let Some(value) = invocation.argv.get(at + 1)
    {
        let reads = "--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool";
        let before = |option: &ReadOption<'_>| option.index < at;
        if !parsed.all(reads).any(before) {
            set = true;
            judgement.refuse(
                Code::CommandEffect,
                "`git config` with a value sets it",
                value.span,
            );
        }
    }
    // `config set` is one row with other verbs: the verb is a word of the command line.
    let words = invocation.argv.iter().filter_map(|arg| arg.value.exact());
    let removes = words
        .take(parsed.start)
        .any(|word| word.starts_with("unset"));
    if !set || removes {
        return;
    }
    let key = parsed
        .operands
        .first()
        .and_then(|&index| invocation.argv.get(index));
    let gains = key.is_none_or(|key| match &key.value {
        Value::Exact(key) => gains_execution(key),
        Value::OneOf(keys) => keys.iter().any(|key| gains_execution(key)),
        _ => true,
    });
    if gains {
        let touch = Touch {
            effect: Effect::Write,
            place: Some(Place::Protected),
            target: Some(".git/config".to_string()),
        };
        judgement.touch(touch, key.map_or(invocation.span, |key| key.span));
    }
}

/// Whether git, told this key, runs a program, reads more configuration or takes code from elsewhere.
fn gains_execution(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let Some((section, rest)) = key.split_once('.') else {
        // A section, as `--rename-section` names one.
        return true;
    };
    let name = rest.rsplit_once('.').map_or(rest, |(_, name)| name);
    match section {
        "alias" | "pager" | "filter" | "include" | "includeif" | "hook" | "browser" | "man"
        | "mergetool" | "difftool" | "url" | "protocol" | "sendemail" | "instaweb" => true,
        "core" => matches!(
            name,
            "fsmonitor"
                | "hookspath"
                | "pager"
                | "editor"
                | "sshcommand"
                | "askpass"
                | "gitproxy"
                | "alternaterefscommand"
                | "worktree"
                | "attributesfile"
        ),
        "sequence" => name == "editor",
        "interactive" => name == "difffilter",
        "diff" => matches!(name, "external" | "command" | "textconv"),
        "merge" => matches!(name, "driver" | "tool"),
        "credential" => name == "helper",
        "gpg" => matches!(name, "program" | "defaultkeycommand"),
        "init" => name == "templatedir",
        "uploadpack" => name == "packobjectshook",
        "remote" => matches!(
            name,
            "uploadpack" | "receivepack" | "proxy" | "vcs" | "url" | "pushurl"
        ),
        "submodule" => matches!(name, "update" | "url"),
        "trailer" => matches!(name, "command" | "cmd"),
        "tar" | "web" | "help" | "guitool" | "imap" => true,
        "http" | "https" | "ssh" => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::gains_execution;

    #[test]
    fn keys_that_run_something() {
        for key in [
            "core.hooksPath",
            "alias.x",
            "diff.a.b.textconv",
            "filter.lfs.clean",
            "include.path",
            "core.fsmonitor",
        ] {
            assert!(gains_execution(key), "{key}");
        }
        for key in [
            "user.name",
            "core.autocrlf",
            "pull.rebase",
            "diff.algorithm",
            "branch.main.remote",
        ] {
            assert!(!gains_execution(key), "{key}");
        }
    }
}
