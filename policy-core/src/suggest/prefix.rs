//! The stable prefix of one command: the words that name what it does, without what changes from call to call.
//!
//! Roots that are too powerful never get one. Interpreters, task runners and clouds have fixed depths; for other commands
//! the subcommand is found in the specs. File operations are named with their operands, since `rm:*` or `mkdir:*` says
//! nothing about which files.

use alloc::{format, string::String, vec::Vec};

mod tables;

use super::{Item, registry::Registry};
use crate::{
    command::model::Value,
    diagnostic::Code,
    rules::parse::{Pattern, parse, render},
    specs::{
        SpecSet,
        model::{Flag, FlagValue, Kind, Spec},
    },
    wire::SuggestionScope,
};
pub(crate) use tables::HIGH_RISK;
use tables::{GROUPS, INTERPRETERS, NAMED_WHOLE, PLAIN, RUNNERS, SHOWING, SUBCOMMANDS};

/// A rule for one part with its scope and words; `None` when there is none but the whole command.
pub(super) fn rule_for(
    item: &Item<'_>,
    specs: &SpecSet,
    registry: Option<&Registry>,
) -> Option<(String, SuggestionScope, Vec<String>)> {
    if !item.prefix {
        return None;
    }
    let mut form = item.form?;
    // The shorter form is what the next call will look like too.
    if item.invocation.assignments.is_empty()
        && let Some(short) = item.short.filter(|short| short.len() < form.len())
    {
        form = short;
    }
    let words: Vec<&str> = form.iter().map_while(Value::exact).collect();
    let assigned = words.iter().take_while(|word| assigns(word)).count();
    if words
        .iter()
        .take(assigned)
        .any(|word| word.contains(char::is_whitespace))
    {
        return None;
    }
    let command = words.get(assigned..)?;
    let root = *command.first()?;
    let whole = command.len() + assigned == form.len();
    let name = root.rsplit(['/', '\\']).next().unwrap_or(root);
    if HIGH_RISK.contains(&name) || name.starts_with("mkfs.") {
        return None;
    }
    let depth = depth(command, name, specs, registry);
    if is_named_whole(item, root == name, depth) || shows_or_is_wide(command) {
        let owned: Vec<String> = words.iter().map(|word| String::from(*word)).collect();
        let text = render(&owned).filter(|_| whole)?;
        return reads_back(text, SuggestionScope::Exact, owned);
    }
    let depth = assigned + depth?;
    let owned: Vec<String> = words
        .get(..depth)?
        .iter()
        .map(|word| String::from(*word))
        .collect();
    let text = render(&owned)?;
    reads_back(format!("{text}:*"), SuggestionScope::Prefix, owned)
}

/// Whether all words are what is to be allowed: a prefix would allow much that this call does not do.
fn is_named_whole(item: &Item<'_>, bare: bool, depth: Option<usize>) -> bool {
    // It could only read; what acts is this option, operand or script.
    let by_argument = matches!(
        item.why,
        Code::CommandFlag
            | Code::CommandFlagEffect
            | Code::CommandFlagValue
            | Code::CommandOperand
            | Code::CommandScript
            | Code::CommandUnknownWord
            // Elsewhere it would be another repository that is asked.
            | Code::CommandGit
    );
    // The command alone says nothing: which files, which host.
    let wide = !matches!(
        item.kind,
        Kind::Build | Kind::Package | Kind::Unknown | Kind::Vcs | Kind::Container | Kind::Cloud
    );
    by_argument || (bare && (item.kind == Kind::FileOp || (wide && depth == Some(1))))
}

/// Whether a prefix of the call would allow much more than the call does.
fn shows_or_is_wide(command: &[&str]) -> bool {
    let shows = |word: &&str| {
        let name = word.split_once('=').map_or(*word, |(name, _)| name);
        SHOWING.contains(&name)
    };
    let git_shows = matches!(command, ["git", "push" | "add" | "rm" | "mv" | "prune" | "fetch", rest @ ..]
        if rest.iter().any(|word| matches!(*word, "-n" | "-f" | "-d") || word.starts_with(['+', ':'])));
    git_shows
        || command.iter().skip(1).any(shows)
        || NAMED_WHOLE.iter().any(|words| begins(command, words))
}

/// Whether these are the first words of the command.
fn begins(command: &[&str], words: &str) -> bool {
    let mut given = command.iter();
    words.split(' ').all(|word| given.next() == Some(&word))
}

fn reads_back(
    text: String,
    scope: SuggestionScope,
    words: Vec<String>,
) -> Option<(String, SuggestionScope, Vec<String>)> {
    let same = match (parse(&text).ok()?.pattern, scope) {
        (Pattern::Exact(read), SuggestionScope::Exact)
        | (Pattern::Prefix(read), SuggestionScope::Prefix) => read == words,
        _ => false,
    };
    same.then_some((text, scope, words))
}

fn assigns(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name
                .chars()
                .all(|each| each.is_ascii_alphanumeric() || each == '_')
            && !name.starts_with(|first: char| first.is_ascii_digit())
    })
}

/// How many words name what is done.
fn depth(
    command: &[&str],
    name: &str,
    specs: &SpecSet,
    registry: Option<&Registry>,
) -> Option<usize> {
    let root = *command.first()?;
    let base = name.trim_end_matches(|each: char| each.is_ascii_digit() || each == '.');
    if let Some(runner) = RUNNERS.iter().find(|words| begins(command, words)) {
        let at = runner.split(' ').count();
        let program = *command.get(at)?;
        let any =
            HIGH_RISK.contains(&program) || INTERPRETERS.iter().any(|it| program.starts_with(it));
        return (is_word(program) && !any).then_some(at + 1);
    }
    match base {
        "python" | "pypy" => return python(command),
        "node" | "ruby" | "perl" | "php" | "lua" | "Rscript" | "tsx" | "ts-node" => {
            return script(command);
        }
        "npm" | "pnpm" | "yarn" | "bun" => {
            return runner(command, &["run", "run-script", "exec", "x", "dlx"]);
        }
        "npx" | "bunx" | "uvx" | "pipx" => return nth_word(command, &["run"], 1),
        "deno" => return runner(command, &["task", "run"]),
        "make" | "gmake" | "just" | "task" | "rake" | "mask" | "gradle" | "gradlew" | "mvn"
        | "mvnw" | "ant" | "bazel" | "invoke" => {
            // Without a target it is the whole call that is named: `make:*` would allow every target.
            return first_operand(command).map(|at| at + 1);
        }
        "aws" | "az" => return fixed(command, 2),
        "gcloud" => return fixed(command, 3),
        _ => {}
    }
    if root != name {
        // A program of the project or of the machine by its path: that program.
        return Some(1);
    }
    let walk = registry.and_then(|registry| registry.walk(command));
    if walk.is_some_and(|walk| walk.runs_command) {
        // What it starts is named by what follows, so a prefix would say nothing.
        return None;
    }
    let known = specs
        .find(name)
        .map_or(Depth::Nothing, |spec| by_spec(command, spec));
    let walked = walk.filter(|walk| walk.words > 1).map(|walk| walk.words);
    match (known, walked) {
        (Depth::Sub(words), walked) => Some(walked.map_or(words, |walked| walked.max(words))),
        (Depth::Group, _) => None,
        (Depth::Unlisted(words), Some(walked)) => Some(walked.max(words)),
        (_, Some(walked)) => Some(walked),
        (Depth::Bare, None) => None,
        (Depth::Root, None) => Some(1),
        (Depth::Unlisted(words), None) => Some(words),
        (Depth::Nothing, None) => {
            known_root(command, name).or_else(|| walk.filter(|walk| !walk.unknown_sub).map(|_| 1))
        }
    }
}

/// `python -m module`, `python script.py`, `python manage.py command`.
fn python(command: &[&str]) -> Option<usize> {
    match command.get(1..)? {
        ["-m", "pip" | "venv" | "pdm" | "poetry", verb, ..] if is_word(verb) => Some(4),
        ["-m", module, ..] if is_word(module) => Some(3),
        [file @ ("manage.py" | "./manage.py"), sub, ..] if is_word(sub) => {
            Some(if file.is_empty() { 2 } else { 3 })
        }
        _ => script(command),
    }
}

/// The script an interpreter is given by name; code in an argument has no stable prefix.
fn script(command: &[&str]) -> Option<usize> {
    let first = command.get(1)?;
    (!first.starts_with('-') && !first.is_empty()).then_some(2)
}

/// `npm run build`, `npm test`, with options before them kept.
fn runner(command: &[&str], deeper: &[&str]) -> Option<usize> {
    let at = first_operand(command)?;
    let verb = *command.get(at)?;
    if !deeper.contains(&verb) {
        return Some(at + 1);
    }
    let next = *command.get(at + 1)?;
    is_word(next).then_some(at + 2)
}

fn nth_word(command: &[&str], skip: &[&str], count: usize) -> Option<usize> {
    let mut left = count;
    for (at, word) in command.iter().enumerate().skip(1) {
        if word.starts_with('-') || (at == 1 && skip.contains(word)) {
            continue;
        }
        left -= 1;
        if left == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// So many words after the root, options between them kept (`aws --profile x s3 ls`).
fn fixed(command: &[&str], words: usize) -> Option<usize> {
    let mut left = words;
    let mut at = 1;
    while left > 0 {
        let word = *command.get(at)?;
        if word.starts_with("--") {
            at += if word.contains('=') { 1 } else { 2 };
            continue;
        }
        if word.starts_with('-') || !is_word(word) {
            return None;
        }
        left -= 1;
        at += 1;
    }
    Some(at)
}

/// The first operand, with the options of well-known runners that take a value skipped.
fn first_operand(command: &[&str]) -> Option<usize> {
    const WITH_VALUE: &[&str] = &[
        "--prefix",
        "-C",
        "--cwd",
        "--dir",
        "-w",
        "--workspace",
        "--filter",
        "-F",
        "-f",
        "--file",
        "-j",
        "-p",
        "-b",
        "--config",
        "--loglevel",
        "--silent-value",
    ];
    let mut at = 1;
    loop {
        let word = *command.get(at)?;
        if !word.starts_with('-') {
            return is_word(word).then_some(at);
        }
        at += if WITH_VALUE.contains(&word) { 2 } else { 1 };
    }
}

/// What a spec says of the words that name what is done.
enum Depth {
    /// So many words, a subcommand that is listed.
    Sub(usize),
    /// The command alone.
    Root,
    /// So many words, the last one a word that could be a subcommand nobody listed.
    Unlisted(usize),
    /// A group of subcommands, and none of them is named.
    Group,
    /// It has subcommands and none is named, so the command alone would allow each of them.
    Bare,
    /// Nothing.
    Nothing,
}

/// Root and subcommand as the spec has them.
fn by_spec(command: &[&str], spec: Spec<'_>) -> Depth {
    if spec.subs.is_empty() {
        let verbs = matches!(
            spec.root.kind,
            Kind::Package | Kind::Cloud | Kind::Container | Kind::Vcs | Kind::Build
        ) && !PLAIN.contains(&spec.name);
        return match command.get(1..) {
            Some([group, verb, ..]) if verbs && GROUPS.contains(group) && is_word(verb) => {
                Depth::Unlisted(3)
            }
            Some([verb, ..]) if verbs && is_word(verb) => Depth::Unlisted(2),
            _ => Depth::Root,
        };
    }
    let takes_value =
        |flag: Flag<'_>| !matches!(flag.value, FlagValue::None | FlagValue::OptionalString);
    let mut at = 1;
    while let Some(word) = command.get(at).filter(|word| word.starts_with('-')) {
        let (name, attached) = word
            .split_once('=')
            .map_or((*word, false), |(name, _)| (name, true));
        let Some(flag) = spec.globals.iter().find(|flag| flag.is_spelled(name)) else {
            // It may take the next word, so nobody knows where the subcommand is.
            return Depth::Bare;
        };
        at += if takes_value(flag) && !attached { 2 } else { 1 };
    }
    let rest = command.get(at..).unwrap_or_default();
    let known = spec
        .subs
        .iter()
        .map(|sub| sub.words.split(' ').collect::<Vec<_>>())
        .filter(|words| rest.starts_with(words))
        .map(|words| words.len())
        .max();
    if let Some(words) = known {
        return Depth::Sub(at + words);
    }
    // `gh pr`: the name of a group is no subcommand yet.
    let group = spec
        .subs
        .iter()
        .map(|sub| {
            let words = sub.words.split(' ').count();
            let shared = sub.words.split(' ').zip(rest);
            shared
                .take_while(|(word, given)| word == *given)
                .count()
                .min(words - 1)
        })
        .max()
        .unwrap_or(0);
    match rest.get(group) {
        Some(word) if GROUPS.contains(word) => match rest.get(group + 1) {
            Some(next) if is_word(next) => Depth::Unlisted(at + group + 2),
            _ => Depth::Group,
        },
        Some(word) if is_word(word) => Depth::Unlisted(at + group + 1),
        _ if group > 0 => Depth::Group,
        _ => Depth::Bare,
    }
}

/// Commands without a spec whose first word is a subcommand, or that have none.
fn known_root(command: &[&str], name: &str) -> Option<usize> {
    if SUBCOMMANDS.contains(&name) {
        return is_word(command.get(1)?).then_some(2);
    }
    PLAIN.contains(&name).then_some(1)
}

/// A word that could name a subcommand, target or module.
fn is_word(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '@')
        && word
            .chars()
            .all(|each| each.is_ascii_alphanumeric() || "-_:.@/".contains(each))
}
