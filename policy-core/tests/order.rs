//! The documented order of decisions, written a second time as a plain list of steps, against the policy over every combination of facts.
//!
//! Kinds of commands, deny, ask and allow rules, modes, hooks, sandboxes, prompt answers, and whether anybody is there. The steps are those of
//! `docs/rules.md`; what a command of each kind does is told here by hand.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;

use policy_core::{
    Decision::{self, Allow, Ask, Deny},
    Facts, LayerConfig, Policy, PolicyConfig, Request,
    facts::{Mode, SandboxFacts},
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Only reads.
    Reads,
    /// Runs the project's own code.
    Acts,
    /// Makes a file inside the workspace.
    Edits,
    /// Writes what gains execution later.
    Protected,
    /// Removes what cannot be mended.
    Critical,
    /// Runs a text nobody knows.
    Unknown,
    /// Reads credentials: no prefix says which.
    Sensitive,
    /// Acts, and writes a file by a redirect.
    Redirects,
}

const COMMANDS: &[(Kind, &str, &str)] = &[
    (Kind::Reads, "ls -la", "ls"),
    (Kind::Acts, "npm test", "npm"),
    (Kind::Edits, "touch f", "touch"),
    (Kind::Protected, "touch .git/hooks/pre-commit", "touch"),
    (Kind::Critical, "rm -rf /", "rm"),
    (Kind::Unknown, "eval \"$x\"", "eval"),
    (Kind::Sensitive, "cat /home/u/.ssh/id_rsa", "cat"),
    (Kind::Redirects, "npm test > out.txt", "npm"),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AskRule {
    No,
    User,
    Managed,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AllowRule {
    No,
    Prefix,
    Exact,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sandbox {
    Off,
    On,
    Excluded,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    kind: Kind,
    deny: bool,
    ask: AskRule,
    allow: AllowRule,
    /// A prompt rule that a classifier said yes to.
    prompt: Option<Decision>,
    mode: Mode,
    hook: Option<Decision>,
    sandbox: Sandbox,
    unattended: bool,
}

/// The steps of the documentation.
fn expected(row: &Row) -> Decision {
    let settled = row.hook == Some(Allow);
    let first = if row.deny || row.prompt == Some(Deny) {
        Deny
    } else if row.ask == AskRule::Managed
        || (!settled && (row.ask == AskRule::User || row.prompt == Some(Ask)))
    {
        Ask
    } else if row.mode == Mode::Plan {
        planned(row.kind)
    } else if let Some(said) = row.hook {
        said
    } else {
        later(row)
    };
    // Afterwards only stricter: plan mode for what asks, a hook, nobody there.
    let mut answer = first;
    if answer == Ask && row.mode == Mode::Plan {
        answer = answer.max(planned(row.kind));
    }
    answer = answer.max(row.hook.unwrap_or(Allow));
    if answer == Ask && (row.unattended || row.mode == Mode::DontAsk) {
        Deny
    } else {
        answer
    }
}

fn planned(kind: Kind) -> Decision {
    match kind {
        Kind::Reads => Allow,
        Kind::Sensitive => Ask,
        _ => Deny,
    }
}

fn later(row: &Row) -> Decision {
    let exact = row.allow == AllowRule::Exact;
    let guarded = matches!(
        row.kind,
        Kind::Protected | Kind::Critical | Kind::Unknown | Kind::Sensitive
    );
    if guarded && !exact && row.mode != Mode::Yolo {
        return Ask;
    }
    let needs_rule = row.kind != Kind::Reads;
    let coverable = matches!(row.kind, Kind::Acts | Kind::Edits);
    let allows = [
        exact || (row.allow == AllowRule::Prefix && needs_rule && coverable),
        row.sandbox == Sandbox::On,
        row.prompt == Some(Allow),
        row.kind == Kind::Reads,
        row.mode == Mode::Edit && row.kind == Kind::Edits,
        row.mode == Mode::Yolo,
    ];
    if allows.contains(&true) { Allow } else { Ask }
}

fn policy(row: &Row, text: &str, word: &str) -> Policy {
    let prefix = format!("{word}:*");
    let mut config = PolicyConfig::default();
    let user: &mut LayerConfig = &mut config.user;
    if row.deny {
        user.deny.push(prefix.as_str().into());
    }
    match row.ask {
        AskRule::No => {}
        AskRule::User => user.ask.push(prefix.as_str().into()),
        AskRule::Managed => config.managed.ask.push(prefix.as_str().into()),
    }
    match row.allow {
        AllowRule::No => {}
        AllowRule::Prefix => config.user.allow.push(prefix.as_str().into()),
        AllowRule::Exact => config.user.allow.push(text.into()),
    }
    match row.prompt {
        None => {}
        Some(Deny) => config.user.deny.push("prompt: it does that".into()),
        Some(Ask) => config.user.ask.push("prompt: it does that".into()),
        Some(Allow) => config.user.allow.push("prompt: it does that".into()),
    }
    Policy::new(config).unwrap()
}

/// The id of the question about this command, as a verdict that asks it gives it.
fn question(text: &str, decision: Decision) -> String {
    let row = Row {
        kind: Kind::Acts,
        deny: false,
        ask: AskRule::No,
        allow: AllowRule::No,
        prompt: Some(decision),
        mode: Mode::Build,
        hook: None,
        sandbox: Sandbox::Off,
        unattended: false,
    };
    // The question is not asked where a rule of another kind decides; its id depends on rule and text alone.
    let asked = policy(&row, text, "none").evaluate(&Request {
        command: text.into(),
        ..Request::default()
    });
    asked
        .questions
        .first()
        .map(|question| question.id.clone())
        .unwrap_or_default()
}

#[test]
fn the_policy_decides_in_the_documented_order() {
    let mut wrong = Vec::new();
    let mut seen = [0_u32; 3];
    for (kind, text, word) in COMMANDS {
        let ids: BTreeMap<Decision, String> = [Allow, Ask, Deny]
            .map(|decision| (decision, question(text, decision)))
            .into();
        for deny in [false, true] {
            for ask in [AskRule::No, AskRule::User, AskRule::Managed] {
                for allow in [AllowRule::No, AllowRule::Prefix, AllowRule::Exact] {
                    for prompt in [None, Some(Allow), Some(Ask), Some(Deny)] {
                        // Such a text is never put to a classifier: it needs a person.
                        if prompt
                            .is_some_and(|prompt| ids.get(&prompt).is_none_or(String::is_empty))
                        {
                            assert!(
                                matches!(
                                    kind,
                                    Kind::Protected
                                        | Kind::Critical
                                        | Kind::Unknown
                                        | Kind::Sensitive
                                ),
                                "{text} is not asked about"
                            );
                            continue;
                        }
                        let base = Row {
                            kind: *kind,
                            deny,
                            ask,
                            allow,
                            prompt,
                            mode: Mode::Build,
                            hook: None,
                            sandbox: Sandbox::Off,
                            unattended: false,
                        };
                        let policy = policy(&base, text, word);
                        for row in rows(&base) {
                            let answers = prompt
                                .and_then(|prompt| ids.get(&prompt))
                                .map(|id| (id.clone(), true));
                            let got = policy.evaluate(&Request {
                                command: (*text).into(),
                                facts: facts(&row, word),
                                hook: row.hook,
                                answers: answers.into_iter().collect(),
                                ..Request::default()
                            });
                            let want = expected(&row);
                            if let Some(count) = seen.get_mut(want as usize) {
                                *count += 1;
                            }
                            if got.decision != want {
                                wrong.push(format!(
                                    "{text}: {:?} ({}), not {want:?}: {row:?}",
                                    got.decision,
                                    got.reason.code.slug()
                                ));
                            }
                        }
                    }
                }
            }
        }
    }
    let shown: Vec<&String> = wrong.iter().take(10).collect();
    assert!(wrong.is_empty(), "{} of {seen:?}: {shown:#?}", wrong.len());
    assert!(seen.iter().all(|count| *count > 1_000), "{seen:?}");
}

fn rows(base: &Row) -> Vec<Row> {
    let mut rows = Vec::new();
    for mode in [
        Mode::Plan,
        Mode::Build,
        Mode::Edit,
        Mode::Yolo,
        Mode::DontAsk,
    ] {
        for hook in [None, Some(Allow), Some(Ask), Some(Deny)] {
            for sandbox in [Sandbox::Off, Sandbox::On, Sandbox::Excluded] {
                for unattended in [false, true] {
                    rows.push(Row {
                        mode,
                        hook,
                        sandbox,
                        unattended,
                        ..*base
                    });
                }
            }
        }
    }
    rows
}

fn facts(row: &Row, word: &str) -> Facts {
    Facts {
        cwd: Some("/w".into()),
        workspace: vec!["/w".into()],
        home: Some("/home/u".into()),
        mode: row.mode,
        unattended: row.unattended,
        sandbox: SandboxFacts {
            available: row.sandbox != Sandbox::Off,
            enabled: row.sandbox != Sandbox::Off,
            auto_allow: row.sandbox != Sandbox::Off,
            excluded: if row.sandbox == Sandbox::Excluded {
                vec![format!("{word}:*")]
            } else {
                Vec::new()
            },
            disabled_by_call: false,
        },
        ..Facts::default()
    }
}

/// Each of the facts that have to hold for the sandbox to allow anything.
#[test]
fn the_sandbox_allows_only_when_all_of_it_holds() {
    let policy = Policy::new(PolicyConfig::default()).unwrap();
    for bits in 0..16_u32 {
        let on = |bit: u32| bits & (1 << bit) != 0;
        let sandbox = SandboxFacts {
            available: on(0),
            enabled: on(1),
            auto_allow: on(2),
            excluded: Vec::new(),
            disabled_by_call: on(3),
        };
        let want = if bits == 0b0111 { Allow } else { Ask };
        let got = policy.evaluate(&Request {
            command: "npm test".into(),
            facts: Facts {
                sandbox,
                ..Facts::default()
            },
            ..Request::default()
        });
        assert_eq!(got.decision, want, "{bits:04b}");
    }
}

/// Every question is asked until each is answered; a no is an answer.
#[test]
fn questions_are_asked_once() {
    let mut config = PolicyConfig::default();
    config.user.allow.push("prompt: is fine".into());
    config.user.deny.push("prompt: is bad".into());
    let policy = Policy::new(config).unwrap();
    let ask = |answers: BTreeMap<String, bool>| {
        policy.evaluate(&Request {
            command: "npm test".into(),
            answers,
            ..Request::default()
        })
    };
    let first = ask(BTreeMap::new());
    assert_eq!((first.decision, first.questions.len()), (Ask, 2));
    let id = |decision: Decision| {
        first
            .questions
            .iter()
            .find(|question| question.decision == decision)
            .map(|question| question.id.clone())
            .unwrap()
    };
    let second = ask([(id(Allow), true)].into());
    assert_eq!(
        (second.decision, second.questions.len()),
        (Allow, 1),
        "the other may still deny"
    );
    assert_eq!(
        ask([(id(Allow), true), (id(Deny), true)].into()).decision,
        Deny
    );
    let refused = ask([(id(Allow), false), (id(Deny), false)].into());
    assert_eq!((refused.decision, refused.questions.len()), (Ask, 0));
    // What only reads needs no answer, but one that would deny is asked for.
    let reads = policy.evaluate(&Request {
        command: "ls".into(),
        ..Request::default()
    });
    assert_eq!(reads.decision, Allow);
}
