//! Rules that do not do what they look like: said with the reason and what to write instead.
//!
//! Looks at rules alone: what a command does is not asked here. Finds rules that another one makes useless, that contradict
//! each other, that allow nearly everything, that can never match because a text is judged part by part, and rules for
//! other tools. A rule that is reported still counts; nothing is repaired silently.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    book::{Book, Rule, RuleId},
    parse::{Pattern, quote},
};
use crate::{
    decision::{Decision, Layer},
    sorted::Map,
};

/// What is wrong with a rule. Serialized as its slug.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LintKind {
    /// The same rule is there twice.
    Duplicate,
    /// A wider rule of the same kind covers it.
    Shadowed,
    /// A stricter rule covers all it could match.
    Unreachable,
    /// The same rule is in two lists.
    Contradictory,
    /// It allows nearly everything, or whatever code follows.
    OverWide,
    /// It is written for a whole pipeline or list, but parts are matched one by one.
    NeverMatches,
    /// `test*` also matches `test-and-publish`.
    LooseEnd,
    /// It is about another tool than the shell.
    NoEffect,
}

/// A rule and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Lint {
    /// What kind of fault.
    pub kind: LintKind,
    /// The layer of the rule.
    pub layer: Layer,
    /// Its list.
    pub list: Decision,
    /// The rule as written.
    pub rule: String,
    /// One line: what is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
    /// The other rule, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
}

/// Commands that run whatever follows them, or can do anything by an argument.
const RUNNERS: &[&str] = &[
    "sh",
    "bash",
    "zsh",
    "dash",
    "ksh",
    "fish",
    "pwsh",
    "powershell",
    "cmd",
    "eval",
    "exec",
    "source",
    "sudo",
    "doas",
    "su",
    "env",
    "xargs",
    "nohup",
    "timeout",
    "time",
    "nice",
    "watch",
    "parallel",
    "command",
    "python",
    "python3",
    "node",
    "ruby",
    "perl",
    "php",
    "deno",
    "bun",
    "npx",
    "bunx",
    "uvx",
    "ssh",
    "find",
    "awk",
    "gawk",
    "docker",
    "podman",
    "kubectl",
    "make",
];
/// Commands whose subcommands range from reading to publishing.
const FAMILIES: &[&str] = &[
    "git",
    "gh",
    "npm",
    "pnpm",
    "yarn",
    "cargo",
    "pip",
    "aws",
    "gcloud",
    "az",
    "terraform",
    "helm",
    "systemctl",
    "brew",
    "apt",
    "apt-get",
];

/// Everything there is to say about the rules of a book, in their order.
#[must_use]
pub fn lint(book: &Book) -> Vec<Lint> {
    let rules = book.rules();
    let index = Index::new(rules);
    rules
        .iter()
        .enumerate()
        .flat_map(|(id, rule)| of_rule(id, rule, rules, &index))
        .collect()
}

fn of_rule(id: RuleId, rule: &Rule, rules: &[Rule], index: &Index) -> Vec<Lint> {
    let mut found = Vec::new();
    let mut say = |kind: LintKind, message: String, help: String, other: Option<RuleId>| {
        found.push(Lint {
            kind,
            layer: rule.source.layer,
            list: rule.source.decision,
            rule: rule.source.text.clone(),
            message,
            help,
            other: other
                .and_then(|other| rules.get(other))
                .map(|other| other.source.text.clone()),
        });
    };
    let text = |id: RuleId| rules.get(id).map_or("", |rule| rule.source.text.as_str());
    let decision = rule.source.decision;
    match &rule.parsed.pattern {
        Pattern::Foreign(tool) => {
            say(
                LintKind::NoEffect,
                format!("it is about the tool `{tool}`, not about commands"),
                "it is kept, but nothing is matched with it; remove it here".into(),
                None,
            );
            return found;
        }
        Pattern::Prompt(_) => return found,
        _ => {}
    }
    if let Some(operator) = operator(rule) {
        say(
            LintKind::NeverMatches,
            format!("each part of a command is matched alone, so no part holds `{operator}`"),
            "write one rule for each part".into(),
            None,
        );
    }
    if decision == Decision::Allow
        && let Some((message, help)) = too_wide(rule)
    {
        say(LintKind::OverWide, message, help, None);
    }
    if decision == Decision::Allow
        && let Pattern::Wildcard(_) = rule.parsed.pattern
        && let Some(stem) = rule.parsed.raw.strip_suffix('*')
        && stem.ends_with(|last: char| last.is_ascii_alphanumeric())
        && stem.contains(' ')
        && !stem.contains('*')
    {
        say(
            LintKind::LooseEnd,
            format!("it also allows commands that go on after `{stem}` without a blank"),
            format!("write `{stem}:*`"),
            None,
        );
    }
    let same = |other: Decision| index.same(other, &rule.parsed.content, id);
    if let Some(first) = index
        .same(decision, &rule.parsed.content, id)
        .filter(|first| *first < id)
    {
        say(
            LintKind::Duplicate,
            "the same rule is there already".into(),
            "remove one of them".into(),
            Some(first),
        );
        return found;
    }
    let stricter: &[Decision] = match decision {
        Decision::Allow => &[Decision::Deny, Decision::Ask],
        Decision::Ask => &[Decision::Deny],
        Decision::Deny => &[],
    };
    for other in stricter {
        if let Some(against) = same(*other) {
            let list = name(*other);
            say(
                LintKind::Contradictory,
                format!("the same rule is in the list `{list}`, which wins"),
                "remove one of them".into(),
                Some(against),
            );
            return found;
        }
        if let Some(over) = index.covering(*other, rule, rules, id) {
            let verb = if *other == Decision::Deny {
                "denies"
            } else {
                "asks about"
            };
            say(
                LintKind::Unreachable,
                format!("`{}` {verb} all that it could match", text(over)),
                format!("narrow `{}`, or remove this rule", text(over)),
                Some(over),
            );
            return found;
        }
    }
    if let Some(wider) = index.covering(decision, rule, rules, id) {
        say(
            LintKind::Shadowed,
            format!("`{}` covers all that it could match", text(wider)),
            format!("remove it, or remove `{}` when it is too wide", text(wider)),
            Some(wider),
        );
    }
    found
}

fn name(decision: Decision) -> &'static str {
    match decision {
        Decision::Allow => "allow",
        Decision::Ask => "ask",
        Decision::Deny => "deny",
    }
}

/// An operator of the shell in a rule that is matched part by part.
fn operator(rule: &Rule) -> Option<&'static str> {
    const OPERATORS: &[&str] = &["&&", "||", "|&", "|", ";", ">>", ">", "<"];
    let words = match &rule.parsed.pattern {
        // An exact rule may still equal a whole command.
        Pattern::Prefix(words) => words,
        Pattern::Wildcard(_) => &rule
            .parsed
            .raw
            .split_whitespace()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
        _ => return None,
    };
    // A quoted operator is an argument like any other.
    let bare = |operator: &&&str| {
        rule.parsed
            .raw
            .split_whitespace()
            .any(|word| word == **operator)
    };
    OPERATORS
        .iter()
        .filter(bare)
        .copied()
        .find(|operator| words.iter().any(|word| word == operator))
}

fn too_wide(rule: &Rule) -> Option<(String, String)> {
    let (command, alone) = match &rule.parsed.pattern {
        Pattern::Wildcard(glob) => match glob.command() {
            None if rule.parsed.raw == "*" => {
                return Some((
                    "it allows every command".into(),
                    "name the commands, or use the mode `yolo` and say so".into(),
                ));
            }
            None => {
                return Some((
                    "it does not name a command, so it allows every command that is spelled so"
                        .into(),
                    "begin the rule with the command".into(),
                ));
            }
            Some(command) => (
                command,
                rule.parsed.raw.trim_start_matches(command).trim() == "*",
            ),
        },
        Pattern::Prefix(words) => (words.first()?.as_str(), words.len() == 1),
        _ => return None,
    };
    if !alone {
        return None;
    }
    if RUNNERS.contains(&command) {
        return Some((
            format!("`{command}` can run or do anything by what follows it"),
            format!("name what it runs: `{command} …:*`"),
        ));
    }
    FAMILIES.contains(&command).then(|| {
        (
            format!("it allows every subcommand of `{command}`, those that publish or delete too"),
            format!("name the subcommand: `{command} …:*`"),
        )
    })
}

/// Rules by their words, to find what covers a rule without comparing all pairs.
#[derive(Default)]
struct Index {
    contents: Map<(Decision, String), Vec<RuleId>>,
    prefixes: Map<(Decision, Vec<String>), RuleId>,
    globs: Vec<(Decision, RuleId)>,
}

impl Index {
    fn new(rules: &[Rule]) -> Self {
        let mut index = Self::default();
        for (id, rule) in rules.iter().enumerate() {
            let decision = rule.source.decision;
            match &rule.parsed.pattern {
                Pattern::Prefix(words) => {
                    index.prefixes.entry((decision, words.clone()), || id);
                }
                Pattern::Wildcard(_) => index.globs.push((decision, id)),
                Pattern::Foreign(_) | Pattern::Prompt(_) => continue,
                Pattern::Exact(_) => {}
            }
            let content = (decision, rule.parsed.content.clone());
            if let Some(rules) = index.contents.entry(content, Vec::new) {
                rules.push(id);
            }
        }
        index
    }

    fn same(&self, decision: Decision, content: &str, not: RuleId) -> Option<RuleId> {
        let all = self.contents.get(&(decision, content.into()))?;
        all.iter().copied().find(|id| *id != not)
    }

    /// A rule that matches all that `rule` matches.
    fn covering(
        &self,
        decision: Decision,
        rule: &Rule,
        rules: &[Rule],
        not: RuleId,
    ) -> Option<RuleId> {
        let (words, open) = match &rule.parsed.pattern {
            Pattern::Exact(words) => (words, false),
            Pattern::Prefix(words) => (words, true),
            _ => return None,
        };
        for count in 1..=words.len() {
            let start = words.get(..count).unwrap_or_default().to_vec();
            if let Some(id) = self
                .prefixes
                .get(&(decision, start))
                .filter(|id| **id != not)
            {
                return Some(*id);
            }
        }
        let flat: Vec<String> = words.iter().map(|word| quote(word)).collect();
        let flat = flat.join(" ");
        let longer = format!("{flat} x");
        self.globs.iter().copied().find_map(|(other, id)| {
            let Pattern::Wildcard(glob) = &rules.get(id)?.parsed.pattern else {
                return None;
            };
            let covers = other == decision
                && id != not
                && glob.matches(&flat)
                && (!open || glob.matches(&longer));
            covers.then_some(id)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSource;

    /// `allow: a; b` lines to `rule: slug (help)` lines.
    fn check(lists: &[(Decision, &[&str])]) -> Vec<(String, LintKind)> {
        let sources = lists.iter().flat_map(|(decision, rules)| {
            rules.iter().map(|text| RuleSource {
                text: text.to_string(),
                decision: *decision,
                layer: Layer::User,
                justification: None,
            })
        });
        let (book, faults) = Book::compile(sources);
        assert!(faults.is_empty());
        lint(&book)
            .into_iter()
            .map(|lint| (lint.rule, lint.kind))
            .collect()
    }

    fn one(rule: &str, kind: LintKind) -> (String, LintKind) {
        (rule.into(), kind)
    }

    use Decision::{Allow, Ask, Deny};
    use LintKind::{
        Contradictory, Duplicate, LooseEnd, NeverMatches, NoEffect, OverWide, Shadowed, Unreachable,
    };

    #[test]
    fn useless_rules_are_found() {
        assert_eq!(
            check(&[(Allow, &["npm run:*", "npm run build:*", "npm run x"])]),
            [one("npm run build:*", Shadowed), one("npm run x", Shadowed)]
        );
        assert_eq!(
            check(&[(Allow, &["go test:*", "go test:*"])]),
            [one("go test:*", Duplicate)]
        );
        assert_eq!(
            check(&[(Allow, &["rm x:*"]), (Deny, &["rm:*"])]),
            [one("rm x:*", Unreachable)]
        );
        assert_eq!(
            check(&[(Allow, &["tsc -p a"]), (Ask, &["tsc *"])]),
            [one("tsc -p a", Unreachable)]
        );
        assert_eq!(
            check(&[(Allow, &["tsc:*"]), (Deny, &["tsc:*"])]),
            [one("tsc:*", Contradictory)]
        );
        assert_eq!(check(&[(Allow, &["Read(x)"])]), [one("Read(x)", NoEffect)]);
        // Narrower the other way round is what exceptions are made of.
        assert_eq!(check(&[(Allow, &["tsc:*"]), (Deny, &["tsc --init:*"])]), []);
    }

    #[test]
    fn wide_and_dead_rules_are_found() {
        assert_eq!(check(&[(Allow, &["*"])]), [one("*", OverWide)]);
        assert_eq!(
            check(&[(Allow, &["* --help"])]),
            [one("* --help", OverWide)]
        );
        assert_eq!(
            check(&[(Allow, &["bash:*", "git *", "git log:*"])]),
            [
                one("bash:*", OverWide),
                one("git *", OverWide),
                one("git log:*", Shadowed)
            ]
        );
        assert_eq!(
            check(&[(Deny, &["*", "bash:*"])]),
            [one("bash:*", Shadowed)]
        );
        assert_eq!(
            check(&[(Allow, &["cd app && npm test:*"])]),
            [one("cd app && npm test:*", NeverMatches)]
        );
        assert_eq!(
            check(&[(Allow, &["grep 'a|b' x:*", "cd app && npm test"])]),
            []
        );
        assert_eq!(
            check(&[(Allow, &["npm run test*"])]),
            [one("npm run test*", LooseEnd)]
        );
    }
}
