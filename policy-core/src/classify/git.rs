//! git: what the repository's configuration can make of a harmless command line.
//!
//! The command line itself is the spec's business. Here: the state of the repository as the host found it, the
//! directory git runs in, formats that start GPG, files whose old contents are shown, and the environment under which a reading command only reads.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

mod keys;

use super::{Judgement, paths};
use crate::{
    command::model::{Arg, Cwd, Invocation, Value},
    diagnostic::Code,
    effect::{Effect, Place},
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
    keys::judge(judgement, invocation, parsed);
    judge_formats(judgement, invocation, parsed);
    judge_contents(judgement, invocation, parsed, facts);
    judge_directory_options(judgement, invocation, parsed, facts);
    let words = parsed.sub.map(|sub| sub.words);
    if matches!(words, None | Some("version")) {
        // `git --version` reads no configuration.
        return;
    }
    let mut after = invocation.argv.iter().skip(parsed.start);
    if let Some(help) = after.find(|arg| arg.value.exact() == Some("--help")) {
        // git makes `git help X` of it, which starts the viewer or browser that the configuration names.
        judgement.refuse(
            Code::CommandGit,
            "`--help` starts a viewer that the configuration may name",
            help.span,
        );
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
    judge_configuration(judgement, invocation, parsed, facts);
    for (name, value) in [
        // `git status` would write the refreshed index.
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_PAGER", "cat"),
        // A partial clone would fetch what is missing; see also `NO_TRANSPORT`.
        ("GIT_NO_LAZY_FETCH", "1"),
        ("GIT_TERMINAL_PROMPT", "0"),
    ] {
        judgement
            .conditions
            .insert(name.to_string(), value.to_string());
    }
}

/// A condition under which nothing but reading works: git then uses no transport (git(1), `GIT_ALLOW_PROTOCOL`: a list of
/// names, here one that none has). `GIT_NO_LAZY_FETCH` says it better but came with git 2.44 and the security releases of
/// the versions before it.
pub(crate) const NO_TRANSPORT: &str = "GIT_ALLOW_PROTOCOL";

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
                    let certain = there.is_some() && !paths::climbs(text, &invocation.cwd);
                    certain && there == paths::directory(&Cwd::Initial, facts)
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
    for option in parsed.all("--format --pretty --sort --group") {
        let Some(value) = &option.value else { continue };
        let unknown = !matches!(value, Value::Exact(_) | Value::OneOf(_));
        let mut signs = unknown;
        // Between `%` and the letter a sign may stand (git-log(1), PRETTY FORMATS: `%+x`, `%-x`, `% x`).
        let mut look = |text: &str| {
            let mut placeholders = text.split('%').skip(1);
            signs |= text.contains("signature")
                || placeholders
                    .any(|rest| rest.trim_start_matches(['+', '-', ' ']).starts_with('G'));
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

/// A file that holds credentials holds them in every revision too: `HEAD:.env`, `:.env` (gitrevisions(7)), `-- .env`.
fn judge_contents(
    judgement: &mut Judgement,
    invocation: &Invocation,
    parsed: &Parsed<'_>,
    facts: &Facts,
) {
    let words = parsed.sub.map_or("", |sub| sub.words);
    let patch = "-p --patch-with-raw --patch-with-stat -U -W --word-diff --color-words --cc -c -m --dd --diff-merges --binary -L -G -S";
    let shows = match words {
        "log" | "whatchanged" | "reflog" | "reflog show" | "stash list" | "stash show" => {
            parsed.has(patch)
        }
        other => matches!(
            other,
            "show"
                | "cat-file"
                | "blame"
                | "annotate"
                | "grep"
                | "diff"
                | "diff-tree"
                | "diff-index"
                | "diff-files"
        ),
    };
    if !shows {
        return;
    }
    let mut read = |arg: Arg| {
        let touch = paths::touch_word(&arg, Effect::Read, &invocation.cwd, facts);
        if touch.place == Some(Place::Sensitive) {
            judgement.touch(touch, arg.span);
        }
    };
    // The first word of `git grep` is what is looked for.
    let pattern = usize::from(words == "grep" && !parsed.has("-e -f"));
    for arg in parsed
        .operands
        .iter()
        .skip(pattern)
        .filter_map(|&index| invocation.argv.get(index))
    {
        read(arg.clone());
        read(part_of(arg, path_in_tree));
    }
    for option in parsed.all("-L") {
        if let (Some(value), Some(arg)) = (&option.value, invocation.argv.get(option.index)) {
            let arg = Arg::new(value.clone(), arg.span);
            read(part_of(&arg, |text| {
                text.rsplit_once(':').map(|(_, path)| path)
            }));
        }
    }
}

/// A part of a word, and of its shapes; of a word that has none of it nothing is known.
fn part_of(arg: &Arg, part: impl Fn(&str) -> Option<&str>) -> Arg {
    let part = |text: &String| part(text).map(ToString::to_string);
    let value = match &arg.value {
        Value::Exact(text) => part(text).map(Value::Exact),
        Value::OneOf(all) => Some(Value::OneOf(all.iter().filter_map(part).collect())),
        _ => None,
    };
    Arg {
        shapes: arg.shapes.iter().filter_map(part).collect(),
        ..Arg::new(value.unwrap_or(Value::Unknown), arg.span)
    }
}

/// The path in `rev:path`, `:path`, `:2:path` (a stage) or `:(magic)path`.
fn path_in_tree(text: &str) -> Option<&str> {
    // `HEAD@{10:00}:f`, `HEAD^{/a:b}:f`: not those in braces.
    let mut depth = 0usize;
    let at = text.find(|c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ':' && depth == 0
    })?;
    let path = text.get(at + 1..)?;
    let path = match path.split_once(':') {
        Some(("0" | "1" | "2" | "3", path)) => path,
        _ => path,
    };
    let path = match path.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((magic, _)) if magic.contains("exclude") => return None,
        Some((_, path)) => path,
        None => path,
    };
    (!path.starts_with(['!', '^'])).then_some(path.trim_start_matches('/'))
}

/// Keys found in the repository's configuration that can run a program: blanked where git permits it.
///
/// The same conditions for every git command, so that those of several in one text agree.
fn judge_configuration(
    judgement: &mut Judgement,
    invocation: &Invocation,
    parsed: &Parsed<'_>,
    facts: &Facts,
) {
    // `git diff` would write the refreshed index whatever GIT_OPTIONAL_LOCKS says (git-config(1)).
    let mut overrides: Vec<(String, &'static str)> = Vec::new();
    overrides.push(("diff.autoRefreshIndex".to_string(), "false"));
    if facts
        .git
        .executing_keys
        .iter()
        .any(|key| is_diff_program(key))
    {
        // The user's own configuration may say `diff`: git then shows submodules without heeding `--no-ext-diff`.
        overrides.push(("diff.submodule".to_string(), "short"));
    }
    if facts
        .git
        .executing_keys
        .iter()
        .any(|key| is_merge_driver(key))
    {
        // Else the configuration could make `-m` merge again, by the driver.
        overrides.push(("log.diffMerges".to_string(), "separate"));
    }
    for key in &facts.git.executing_keys {
        let effect = effect_of(key, parsed);
        if matches!(effect, Key::Blanked(_) | Key::Fetches | Key::Declined)
            && !facts.can_apply_conditions
        {
            judgement.refuse(
                Code::CommandGit,
                format!("the configuration has `{key}`, which runs a program"),
                invocation.span,
            );
        }
        match effect {
            Key::Unused | Key::Declined => {}
            Key::Fetches => {
                judgement
                    .conditions
                    .insert(NO_TRANSPORT.to_string(), "none".to_string());
            }
            Key::Blanked(value) => {
                if let Some(driver) = key.rsplit_once('.').map(|(driver, _)| driver)
                    && key.to_ascii_lowercase().starts_with("filter.")
                {
                    // A driver that is required and absent is an error.
                    overrides.push((format!("{driver}.required"), "false"));
                }
                overrides.push((key.clone(), value));
            }
            Key::Runs => judgement.refuse(
                Code::CommandGit,
                format!(
                    "the configuration has `{key}`, which runs a program and cannot be switched off"
                ),
                invocation.span,
            ),
        }
    }
    let conditions = &mut judgement.conditions;
    conditions.insert("GIT_CONFIG_COUNT".to_string(), overrides.len().to_string());
    for (number, (key, value)) in overrides.into_iter().enumerate() {
        conditions.insert(format!("GIT_CONFIG_KEY_{number}"), key);
        conditions.insert(format!("GIT_CONFIG_VALUE_{number}"), value.to_string());
    }
}

/// What an executing key means for a reading command.
enum Key {
    /// The command does not look at it.
    Unused,
    /// Under this value it runs nothing.
    Blanked(&'static str),
    /// An option says no to it, and a condition for submodules; or a condition alone.
    Declined,
    /// What a partial clone lacks would be fetched: no transport may be used.
    Fetches,
    /// It runs its program.
    Runs,
}

/// Tried with git 2.47: which value runs nothing, and where none does.
fn effect_of(key: &str, parsed: &Parsed<'_>) -> Key {
    let lower = key.to_ascii_lowercase();
    let Some((section, rest)) = lower.split_once('.') else {
        return Key::Runs;
    };
    let name = rest.rsplit_once('.').map_or(rest, |(_, name)| name);
    match (section, name) {
        ("core", "fsmonitor") | ("pager", _) | ("log", "showsignature") => Key::Blanked("false"),
        ("core", "hookspath") => Key::Blanked("/dev/null"),
        ("core", "pager") => Key::Blanked("cat"),
        ("core", "editor") | ("sequence", "editor") => Key::Blanked("true"),
        // A filter whose command is empty is none (convert.c, `apply_filter`).
        ("filter", "clean" | "smudge" | "process") => Key::Blanked(""),
        ("filter", "required") => Key::Blanked("false"),
        // An empty value clears the list (gitcredentials(7)).
        ("credential", "helper") => Key::Blanked(""),
        ("core", "askpass" | "sshcommand" | "gitproxy" | "alternaterefscommand") => {
            Key::Blanked("true")
        }
        ("gpg", "program" | "defaultkeycommand") => Key::Blanked("true"),
        ("format", "pretty") => Key::Blanked("medium"),
        ("diff", "submodule") => Key::Blanked("short"),
        ("branch" | "tag", "sort") => Key::Blanked("refname"),
        ("extensions", "partialclone") | ("remote", "promisor") => Key::Fetches,
        // An override says how `-m` shows merges, see `judge_configuration`.
        ("merge", "driver") if parsed.has("-m") => Key::Declined,
        // Never consulted for a command of git's own name (git-config(1), alias.*).
        ("alias", _) => Key::Unused,
        // An empty command is an error, so the options or the command must do without.
        ("diff", "external" | "command") if !shows_differences(parsed) => Key::Unused,
        ("diff", "external" | "command") if parsed.has("--no-ext-diff") && !starts_log(parsed) => {
            Key::Declined
        }
        ("diff", "textconv") if !converts(parsed) => Key::Unused,
        ("diff", "textconv") if parsed.has("--no-textconv") && !starts_log(parsed) => Key::Declined,
        // `remote.*` is not here: a partial clone fetches by it what is missing. These only matter to commands that merge,
        // push, send or start a tool.
        (
            "merge" | "mergetool" | "difftool" | "guitool" | "browser" | "man" | "instaweb"
            | "sendemail" | "interactive" | "submodule" | "uploadpack" | "receive" | "web" | "imap"
            | "trailer" | "init" | "tar" | "hook" | "protocol" | "ssh" | "commit" | "gc" | "rebase",
            _,
        ) => Key::Unused,
        _ => Key::Runs,
    }
}

/// Commands that start a `git log` or `git show` of their own, which does not get the options.
fn starts_log(parsed: &Parsed<'_>) -> bool {
    let words = parsed.sub.map_or("", |sub| sub.words);
    matches!(words, "range-diff" | "notes show")
}

/// A program for differences, of the repository or of one driver.
fn is_diff_program(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    lower.starts_with("diff.")
        && [".external", ".command", ".textconv"]
            .iter()
            .any(|name| lower.ends_with(name))
}

/// A program that merges a kind of file.
fn is_merge_driver(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    lower.starts_with("merge.") && lower.ends_with(".driver")
}

/// Commands that start an external diff.
fn shows_differences(parsed: &Parsed<'_>) -> bool {
    let words = parsed.sub.map_or("", |sub| sub.words);
    matches!(
        words,
        "diff"
            | "diff-tree"
            | "diff-index"
            | "diff-files"
            | "log"
            | "show"
            | "whatchanged"
            | "stash show"
            | "stash list"
            | "reflog"
            | "reflog show"
            | "range-diff"
            | "notes show"
    )
}

/// Commands that convert what they show or search.
fn converts(parsed: &Parsed<'_>) -> bool {
    let words = parsed.sub.map_or("", |sub| sub.words);
    shows_differences(parsed)
        || matches!(
            words,
            "blame" | "annotate" | "grep" | "cat-file" | "shortlog" | "rev-list"
        )
        || (words == "status" && parsed.has("-v"))
}

#[cfg(test)]
mod tests;
