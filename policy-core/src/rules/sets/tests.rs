//! What sets say, over invocations made by hand. Expected answers follow the documentation of the tool a set comes from.

use alloc::{borrow::ToOwned as _, string::ToString};

use super::*;
use crate::{
    command::model::{Arg, Assign, Connector, Cwd, Invocation, Site, Stdin},
    decision::Layer,
    rules::{
        parse::split,
        shape::{SetMatch, SetRule},
        subjects::Names,
    },
    span::Span,
};

struct Plain;
impl Names for Plain {
    fn harmless_variable(&self, name: &str, _: Option<&str>) -> bool {
        name == "CI"
    }
    fn global_option(&self, _: &str, _: &[&str], _: bool) -> usize {
        0
    }
}

/// `A=1` words in front are assignments; `?` is a word nobody knows.
fn subjects(text: &str) -> Subjects {
    let span = Span::default();
    let mut assignments = Vec::new();
    let mut argv = Vec::new();
    for word in split(text) {
        match word.split_once('=') {
            Some((name, value)) if argv.is_empty() => assignments.push(Assign {
                name: name.into(),
                value: Value::Exact(value.into()),
                span,
            }),
            _ => argv.push(Arg::new(
                if word == "?" {
                    Value::Unknown
                } else {
                    Value::Exact(word)
                },
                span,
            )),
        }
    }
    let invocation = Invocation {
        argv,
        span,
        text: text.replace('?', "$x"),
        assignments: Vec::new(),
        redirects: Vec::new(),
        connector: Connector::Start,
        site: Site::Top,
        parent: None,
        wrappers: Vec::new(),
        cwd: Cwd::Initial,
        stdin: Stdin::Inherited,
        stdout_terminal: false,
    };
    Subjects::new(&invocation, &assignments, true, &Plain)
}

fn set(resolution: Resolution, rules: &[(Decision, SetMatch)]) -> RuleSet {
    RuleSet {
        vendor: "test".into(),
        file: "f".into(),
        layer: Layer::User,
        resolution,
        assignments: Assignments::Strip,
        plain_only: false,
        whole_text: false,
        tighten_only: false,
        exact_only: Vec::new(),
        executables: BTreeMap::new(),
        rules: rules
            .iter()
            .enumerate()
            .map(|(index, (decision, matches))| SetRule {
                rule: index.to_string(),
                decision: *decision,
                matches: matches.clone(),
                line: 1,
                column: 1,
                priority: 0,
                justification: None,
                modes: Vec::new(),
                whole_line: false,
            })
            .collect(),
    }
}

/// The decision, the number of the rule, and whether it is sure.
fn says(set: &RuleSet, text: &str) -> Option<(Decision, usize, bool)> {
    let compiled = Set::compile(set).expect("patterns that can be read");
    let subjects = subjects(text);
    let opinion = compiled.opinion(&View {
        subjects: &subjects,
        whole: text,
        plain: !text.contains(['?', '=']),
        mode: Mode::Build,
    })?;
    Some((
        opinion.rule.source.decision,
        opinion.rule.source.text.parse().expect("a number"),
        opinion.sure == Certainty::Yes,
    ))
}

fn glob(text: &str) -> SetMatch {
    SetMatch::Glob(text.into())
}
fn wild(text: &str) -> SetMatch {
    SetMatch::Wild(text.into())
}
fn words(text: &[&[&str]]) -> SetMatch {
    SetMatch::Words(
        text.iter()
            .map(|all| all.iter().map(ToString::to_string).collect())
            .collect(),
    )
}

use Decision::{Allow, Ask, Deny};

#[test]
fn the_strictest_holds_wherever_it_stands() {
    let set = set(
        Resolution::Strictest,
        &[
            (Allow, glob("git *")),
            (Ask, glob("git push *")),
            (Deny, glob("git push --force *")),
        ],
    );
    assert_eq!(says(&set, "git status"), Some((Allow, 0, true)));
    assert_eq!(says(&set, "git push"), Some((Ask, 1, true)));
    assert_eq!(says(&set, "git push --force x"), Some((Deny, 2, true)));
    assert_eq!(says(&set, "gitk"), None);
    // Refusing rules see past assignments and paths, allow rules past harmless ones alone.
    assert_eq!(says(&set, "A=1 /usr/bin/git push"), Some((Ask, 1, true)));
    assert_eq!(says(&set, "CI=1 git status"), Some((Allow, 0, true)));
    assert_eq!(says(&set, "A=1 git status"), None);
    // Where a word is not known a refusing rule may match.
    assert_eq!(says(&set, "git ?"), Some((Deny, 2, false)));
}

#[test]
fn the_last_match_holds_in_an_ordered_set() {
    let base = set(
        Resolution::LastMatch,
        &[
            (Ask, wild("*")),
            (Allow, wild("git *")),
            (Deny, wild("git push *")),
            (Allow, wild("git push origin dev?")),
        ],
    );
    assert_eq!(says(&base, "ls"), Some((Ask, 0, true)));
    assert_eq!(says(&base, "git"), Some((Allow, 1, true)));
    assert_eq!(says(&base, "git push"), Some((Deny, 2, true)));
    assert_eq!(says(&base, "git push origin dev1"), Some((Allow, 3, true)));
    assert_eq!(says(&base, "git push origin dev12"), Some((Deny, 2, true)));
    // An assignment is part of the text where the set keeps it.
    let keeps = RuleSet {
        assignments: Assignments::Keep,
        ..base.clone()
    };
    assert_eq!(says(&keeps, "CI=1 git status"), Some((Ask, 0, true)));
    // An untrusted set never allows, and its allow rules still end the search.
    let tight = RuleSet {
        tighten_only: true,
        ..base
    };
    assert_eq!(says(&tight, "git status"), None);
    assert_eq!(says(&tight, "git push"), Some((Deny, 2, true)));
}

#[test]
fn the_greatest_priority_holds_then_the_first() {
    let mut base = set(
        Resolution::Priority,
        &[
            (Deny, glob("npm *")),
            (Allow, glob("npm test *")),
            (Ask, glob("npm *")),
            (Deny, glob("npm test *")),
        ],
    );
    for (rule, priority) in base.rules.iter_mut().zip([10, 20, 10, 20]) {
        rule.priority = priority;
    }
    assert_eq!(says(&base, "npm test"), Some((Allow, 1, true)));
    assert_eq!(says(&base, "npm ci"), Some((Deny, 0, true)));
    base.rules
        .iter_mut()
        .take(1)
        .for_each(|rule| rule.modes = alloc::vec![Mode::Plan]);
    assert_eq!(says(&base, "npm ci"), Some((Ask, 2, true)));
}

#[test]
fn words_are_tokens_with_alternatives() {
    let base = set(
        Resolution::Strictest,
        &[
            (Allow, words(&[&["gh", "hub"], &["pr"], &["view", "list"]])),
            (Deny, words(&[&["rm"]])),
        ],
    );
    assert_eq!(says(&base, "gh pr view 1"), Some((Allow, 0, true)));
    assert_eq!(says(&base, "hub pr list"), Some((Allow, 0, true)));
    assert_eq!(says(&base, "gh pr"), None);
    assert_eq!(says(&base, "gh 'pr view'"), None);
    assert_eq!(says(&base, "gh pr ?"), None);
    assert_eq!(says(&base, "/usr/bin/gh pr view"), None);
    assert_eq!(says(&base, "/bin/rm x"), Some((Deny, 1, true)));
    let mut hosts = base.clone();
    hosts
        .executables
        .insert("gh".to_owned(), alloc::vec!["/usr/bin/gh".to_owned()]);
    assert_eq!(says(&hosts, "/usr/bin/gh pr view"), Some((Allow, 0, true)));
    assert_eq!(says(&hosts, "/opt/gh pr view"), None);
    let plain = RuleSet {
        plain_only: true,
        assignments: Assignments::Never,
        ..base
    };
    assert_eq!(says(&plain, "CI=1 gh pr view"), None);
    assert_eq!(says(&plain, "gh pr view ?"), None);
}

#[test]
fn patterns_see_the_call_as_json() {
    let prefix =
        |text: &str| SetMatch::Json(alloc::format!("\"command\":\"{text}(?:[\\s\"]|\\\\\")"));
    let base = set(
        Resolution::Strictest,
        &[
            (Allow, prefix("git log")),
            (Deny, SetMatch::Json("--force".into())),
        ],
    );
    assert_eq!(says(&base, "git log"), Some((Allow, 0, true)));
    assert_eq!(says(&base, "git log -1"), Some((Allow, 0, true)));
    assert_eq!(says(&base, "git logs"), None);
    assert_eq!(says(&base, "git push --force"), Some((Deny, 1, true)));
    assert_eq!(says(&base, "echo 'git log'"), None);
    let quoted = set(
        Resolution::Strictest,
        &[(Ask, SetMatch::Json("\"command\":\"echo \\\\\"".into()))],
    );
    assert_eq!(says(&quoted, "echo \"a\""), Some((Ask, 0, true)));
    assert_eq!(says(&quoted, "echo a"), None);
}

#[test]
fn what_only_an_exact_rule_may_allow() {
    let base = RuleSet {
        exact_only: alloc::vec![
            alloc::vec!["find".into(), "-delete".into()],
            alloc::vec!["watch".into()]
        ],
        ..set(
            Resolution::Strictest,
            &[
                (Allow, glob("find *")),
                (Allow, glob("watch *")),
                (Allow, glob("find x -delete")),
            ],
        )
    };
    assert_eq!(says(&base, "find . -name y"), Some((Allow, 0, true)));
    assert_eq!(says(&base, "find . -delete"), None);
    assert_eq!(says(&base, "watch ls"), None);
    assert_eq!(says(&base, "find x -delete"), Some((Allow, 2, true)));
    assert_eq!(says(&base, "find . ?"), None);
}

#[test]
fn a_line_rule_and_the_whole_text() {
    let mut line = set(
        Resolution::Strictest,
        &[(Allow, SetMatch::Regex("^cd a && make$".into()))],
    );
    line.rules
        .iter_mut()
        .for_each(|rule| rule.whole_line = true);
    let compiled = Set::compile(&line).expect("read");
    let subjects = subjects("make");
    let at = |whole| {
        compiled
            .opinion(&View {
                subjects: &subjects,
                whole,
                plain: true,
                mode: Mode::Build,
            })
            .is_some()
    };
    assert!(at("cd a && make") && !at("make"));
    let whole = RuleSet {
        whole_text: true,
        ..set(
            Resolution::Strictest,
            &[(Deny, SetMatch::Regex("a.*z".into()))],
        )
    };
    let compiled = Set::compile(&whole).expect("read");
    assert!(
        compiled
            .whole(&View {
                subjects: &subjects,
                whole: "a; z",
                plain: true,
                mode: Mode::Build
            })
            .is_some()
    );
}

/// The index finds what trying every rule finds.
#[test]
fn many_rules_answer_as_each_alone() {
    let patterns: Vec<(Decision, SetMatch)> = [
        "git *",
        "*",
        "git push *",
        "gi*",
        "g?t *",
        "",
        "git log --oneline --graph *",
        "ls",
    ]
    .iter()
    .enumerate()
    .map(|(index, text)| ([Allow, Ask, Deny][index % 3], wild(text)))
    .collect();
    for text in [
        "git",
        "git push x",
        "git log --oneline --graph -3",
        "ls",
        "get x",
        "? x",
        "gi",
    ] {
        let all = says(&set(Resolution::LastMatch, &patterns), text);
        let mut last = None;
        for (index, pattern) in patterns.iter().enumerate() {
            if let Some((decision, _, true)) = says(
                &set(Resolution::LastMatch, core::slice::from_ref(pattern)),
                text,
            ) {
                last = Some((decision, index));
            }
        }
        // The doubtful ones are asked about above what is sure.
        let sure = all
            .filter(|(_, _, sure)| *sure)
            .map(|(decision, index, _)| (decision, index));
        assert!(
            sure == last || (sure.is_none() && text.contains('?')),
            "{text}: {all:?}, {last:?}"
        );
    }
}
