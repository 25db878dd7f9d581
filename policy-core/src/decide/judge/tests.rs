//! The documented order, row by row, over invocations made by hand: what the readers and specs say is tested elsewhere.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};

use super::*;
use crate::{
    classify::model::Finding,
    command::model::{
        Arg, Connector, Cwd, Hazard, HazardKind, Invocation, Program, RedirectKind, Redirection,
        Site, Stdin, Value,
    },
    decide::case::{Part, is_gated},
    effect::{Effect, Place, Touch},
    facts::{Facts, SandboxFacts},
    rules::{RuleSource, Subjects, parse::split},
    span::Span,
    specs::{SpecSet, model::Kind},
    syntax::{Reading, ast::Script},
};

/// A made-up command by its first word: what it is found to do.
fn finding(words: &[String], span: Span) -> Finding {
    let name = words.first().map(String::as_str).unwrap_or_default();
    let why = |code: Code| Why {
        code,
        message: code.meaning().into(),
        span,
    };
    let touch = |effect, place| Touch {
        effect,
        target: Some("x".into()),
        place,
    };
    let mut found = Finding {
        read_only: false,
        kind: Kind::Unknown,
        touches: Vec::new(),
        only_writes: true,
        why: why(Code::CommandEffect),
        guarded: None,
        sensitive: None,
        conditions: BTreeMap::new(),
    };
    match name {
        "look" => {
            found.read_only = true;
            found.why = why(Code::ReadOnly);
        }
        "peek" => {
            found.read_only = true;
            found.sensitive = Some(why(Code::PathSensitive));
        }
        "list-remote" => {
            found.read_only = true;
            found.touches.push(touch(Effect::Network, None));
        }
        "make-inside" => {
            found.kind = Kind::FileOp;
            found
                .touches
                .push(touch(Effect::Write, Some(Place::Inside)));
        }
        "make-outside" => {
            found.kind = Kind::FileOp;
            found
                .touches
                .push(touch(Effect::Write, Some(Place::Outside)));
        }
        "hook-writer" => {
            found
                .touches
                .push(touch(Effect::Write, Some(Place::Protected)));
            found.guarded = Some(why(Code::PathProtected));
        }
        _ => found.touches.push(touch(Effect::Exec, None)),
    }
    found
}

/// One row: a text whose commands are separated by `;`, and what is around it.
#[derive(Default)]
struct Row<'a> {
    text: &'a str,
    allow: &'a [&'a str],
    ask: &'a [&'a str],
    deny: &'a [&'a str],
    managed_ask: &'a [&'a str],
    mode: Mode,
    hook: Option<Decision>,
    unattended: bool,
    hazard: Option<HazardKind>,
    error: bool,
    gated: bool,
    sandbox: bool,
    excluded: &'a [&'a str],
    ask_network: bool,
    yes: bool,
}

fn decide(row: &Row<'_>) -> (Decision, &'static str, usize) {
    let text = row.text;
    let facts = Facts {
        mode: row.mode,
        unattended: row.unattended,
        ask_network: row.ask_network,
        sandbox: SandboxFacts {
            available: row.sandbox,
            enabled: row.sandbox,
            auto_allow: row.sandbox,
            excluded: row.excluded.iter().map(ToString::to_string).collect(),
            disabled_by_call: false,
        },
        ..Facts::default()
    };
    let specs = SpecSet::default();
    let knowledge = Knowledge {
        specs: &specs,
        here: Vec::new(),
    };
    let mut program = Program::default();
    let mut parts = Vec::new();
    let mut at = 0;
    for piece in text.split(';') {
        let span = Span::new(at, at + piece.len());
        at += piece.len() + 1;
        let words = split(piece);
        let redirects = if row.gated {
            alloc::vec![Redirection {
                kind: RedirectKind::Write(Value::Exact("f".into())),
                span,
                cwd: Cwd::Initial
            }]
        } else {
            Vec::new()
        };
        let invocation = Invocation {
            argv: words
                .iter()
                .map(|word| Arg::new(Value::Exact(word.clone()), span))
                .collect(),
            span,
            text: piece.trim().into(),
            assignments: Vec::new(),
            redirects,
            connector: Connector::Start,
            site: Site::Top,
            parent: None,
            wrappers: Vec::new(),
            cwd: Cwd::Initial,
            stdin: Stdin::Inherited,
            stdout_terminal: true,
        };
        parts.push(Part {
            finding: finding(&words, span),
            subjects: Subjects::new(&invocation, &[], !is_gated(&invocation, &[]), &knowledge),
        });
        program.invocations.push(invocation);
    }
    let why = |code: Code| Why {
        code,
        message: code.meaning().into(),
        span: Span::default(),
    };
    let unsafe_why = match row.hazard {
        Some(kind) => {
            program.hazards.push(Hazard {
                kind,
                span: Span::default(),
                what: String::new(),
            });
            Some(why(super::super::case::hazard_code(kind)))
        }
        None => row.error.then(|| why(Code::ParseError)),
    };
    let case = Case {
        text,
        facts: &facts,
        reading: Reading {
            status: if row.error { Status::Error } else { Status::Ok },
            fault: None,
            script: Script::default(),
            incomplete: false,
            hazards: Vec::new(),
        },
        program,
        parts,
        unsafe_why,
        loose: None,
        conditions: Ok(BTreeMap::new()),
    };
    let rules = |texts: &[&str], decision, layer| -> Vec<RuleSource> {
        texts
            .iter()
            .map(|text| RuleSource {
                text: text.to_string(),
                decision,
                layer,
                justification: None,
            })
            .collect()
    };
    let (book, faults) = Book::compile(
        [
            rules(row.allow, Decision::Allow, Layer::User),
            rules(row.ask, Decision::Ask, Layer::User),
            rules(row.deny, Decision::Deny, Layer::User),
            rules(row.managed_ask, Decision::Ask, Layer::Managed),
        ]
        .concat(),
    );
    assert!(faults.is_empty());
    let answers = BTreeMap::new();
    let mut bench = Bench {
        case: &case,
        books: &[&book],
        sets: &[],
        denied: &super::matches::denied_effects(&book, &[], &specs),
        knowledge: &knowledge,
        hook: row.hook,
        answers: &answers,
    };
    let judged = judge(&bench);
    if !row.yes {
        return (
            judged.decision,
            judged.reason.code.slug(),
            judged.questions.len(),
        );
    }
    let ids: Vec<String> = judged
        .questions
        .iter()
        .map(|question| question.id.clone())
        .collect();
    let answers: BTreeMap<String, bool> = ids.into_iter().map(|id| (id, true)).collect();
    bench.answers = &answers;
    let judged = judge(&bench);
    (
        judged.decision,
        judged.reason.code.slug(),
        judged.questions.len(),
    )
}

fn row(text: &str) -> Row<'_> {
    Row {
        text,
        ..Row::default()
    }
}

fn expect(row: &Row<'_>, decision: Decision, code: &str) {
    let (got, got_code, _) = decide(row);
    assert_eq!(
        (got, got_code),
        (decision, code),
        "{} in {:?}",
        row.text,
        row.mode
    );
}

use Decision::{Allow, Ask, Deny};

#[test]
fn deny_comes_first_in_every_mode() {
    for mode in [
        Mode::Plan,
        Mode::Build,
        Mode::Edit,
        Mode::Yolo,
        Mode::DontAsk,
    ] {
        let all = Row {
            deny: &["look:*"],
            ask: &["look:*"],
            allow: &["look x"],
            hook: Some(Allow),
            sandbox: true,
            mode,
            ..row("look x")
        };
        expect(&all, Deny, "rule.deny");
    }
    expect(
        &Row {
            deny: &["rm:*"],
            allow: &["*"],
            ..row("look; rm -rf d")
        },
        Deny,
        "rule.deny",
    );
}

#[test]
fn ask_comes_before_anything_that_allows() {
    for mode in [Mode::Build, Mode::Edit, Mode::Yolo] {
        expect(
            &Row {
                ask: &["look:*"],
                allow: &["look x"],
                sandbox: true,
                mode,
                ..row("look x")
            },
            Ask,
            "rule.ask",
        );
    }
    // A hook may settle an ask rule, but not a managed one.
    expect(
        &Row {
            ask: &["run:*"],
            hook: Some(Allow),
            ..row("run x")
        },
        Allow,
        "hook.answer",
    );
    expect(
        &Row {
            managed_ask: &["run:*"],
            hook: Some(Allow),
            ..row("run x")
        },
        Ask,
        "rule.ask",
    );
    // Only stricter: what plan mode or a hook would deny is denied all the same.
    expect(
        &Row {
            ask: &["run:*"],
            mode: Mode::Plan,
            ..row("run x")
        },
        Deny,
        "mode.plan",
    );
    expect(
        &Row {
            ask: &["run:*"],
            hook: Some(Deny),
            ..row("run x")
        },
        Deny,
        "hook.answer",
    );
    expect(
        &Row {
            ask: &["run:*"],
            unattended: true,
            ..row("run x")
        },
        Deny,
        "mode.unattended",
    );
}

#[test]
fn plan_mode_allows_reading_alone() {
    let plan = |text| Row {
        mode: Mode::Plan,
        ..row(text)
    };
    expect(&plan("look"), Allow, "read-only");
    expect(&plan("run x"), Deny, "mode.plan");
    expect(
        &Row {
            allow: &["run:*"],
            ..plan("run x")
        },
        Deny,
        "mode.plan",
    );
    expect(
        &Row {
            allow: &["run x"],
            ..plan("run x")
        },
        Deny,
        "mode.plan",
    );
    expect(
        &Row {
            hook: Some(Allow),
            ..plan("run x")
        },
        Deny,
        "mode.plan",
    );
    expect(
        &Row {
            hook: Some(Ask),
            ..plan("look")
        },
        Ask,
        "hook.answer",
    );
    expect(
        &Row {
            sandbox: true,
            ..plan("run x")
        },
        Deny,
        "mode.plan",
    );
    expect(&plan("make-inside"), Deny, "mode.plan");
    expect(&plan("peek"), Ask, "path.sensitive");
    expect(
        &Row {
            error: true,
            ..plan("look")
        },
        Deny,
        "mode.plan",
    );
}

#[test]
fn a_hook_decides_what_rules_left() {
    expect(
        &Row {
            hook: Some(Allow),
            ..row("run x")
        },
        Allow,
        "hook.answer",
    );
    expect(
        &Row {
            hook: Some(Deny),
            ..row("look")
        },
        Deny,
        "hook.answer",
    );
    expect(
        &Row {
            hook: Some(Ask),
            allow: &["run:*"],
            ..row("run x")
        },
        Ask,
        "hook.answer",
    );
    expect(
        &Row {
            hook: Some(Allow),
            hazard: Some(HazardKind::EvalUnknown),
            ..row("run x")
        },
        Allow,
        "hook.answer",
    );
}

#[test]
fn guarded_and_unread_texts_need_their_own_exact_rule() {
    for mode in [Mode::Build, Mode::Edit] {
        expect(
            &Row {
                allow: &["hook-writer:*", "*"],
                sandbox: true,
                mode,
                ..row("hook-writer x")
            },
            Ask,
            "path.protected",
        );
        expect(
            &Row {
                allow: &["*"],
                sandbox: true,
                hazard: Some(HazardKind::EvalUnknown),
                mode,
                ..row("look")
            },
            Ask,
            "shell.eval-unknown",
        );
        expect(
            &Row {
                allow: &["*"],
                sandbox: true,
                error: true,
                mode,
                ..row("look")
            },
            Ask,
            "parse.error",
        );
    }
    expect(
        &Row {
            allow: &["hook-writer x"],
            ..row("hook-writer x")
        },
        Allow,
        "rule.exact",
    );
    expect(
        &Row {
            allow: &["look"],
            error: true,
            ..row("look")
        },
        Allow,
        "rule.exact",
    );
    expect(
        &Row {
            mode: Mode::Yolo,
            ..row("hook-writer x")
        },
        Allow,
        "mode.yolo",
    );
    expect(
        &Row {
            mode: Mode::Yolo,
            error: true,
            ..row("look")
        },
        Allow,
        "mode.yolo",
    );
    // Deny rules hold in yolo mode, and not all of this text could be read.
    expect(
        &Row {
            mode: Mode::Yolo,
            error: true,
            deny: &["rm:*"],
            ..row("look")
        },
        Ask,
        "parse.error",
    );
    expect(
        &Row {
            error: true,
            deny: &["rm:*"],
            ..row("look; rm 'x")
        },
        Deny,
        "rule.deny",
    );
}

#[test]
fn allow_rules_cover_every_part_that_needs_one() {
    expect(
        &Row {
            allow: &["run:*"],
            ..row("look; run x; look")
        },
        Allow,
        "rule.allow",
    );
    expect(
        &Row {
            allow: &["run:*"],
            ..row("run x; build y")
        },
        Ask,
        "rule.none",
    );
    expect(
        &Row {
            allow: &["run:*", "build:*"],
            ..row("run x; build y")
        },
        Allow,
        "rule.allow",
    );
    expect(
        &Row {
            allow: &["run:*"],
            gated: true,
            ..row("run x")
        },
        Ask,
        "rule.none",
    );
    expect(
        &Row {
            allow: &["run x"],
            gated: true,
            ..row("run x")
        },
        Allow,
        "rule.exact",
    );
    expect(
        &Row {
            allow: &["run:*"],
            ..row("peek; run x")
        },
        Ask,
        "path.sensitive",
    );
    expect(
        &Row {
            allow: &["peek:*"],
            ..row("peek")
        },
        Allow,
        "rule.allow",
    );
}

#[test]
fn the_sandbox_then_prompts_then_reading_then_modes() {
    expect(
        &Row {
            sandbox: true,
            ..row("run x")
        },
        Allow,
        "sandbox.auto-allow",
    );
    expect(
        &Row {
            sandbox: true,
            excluded: &["run:*"],
            ..row("run x")
        },
        Ask,
        "rule.none",
    );
    expect(
        &Row {
            sandbox: true,
            excluded: &["r*n *"],
            ..row("run x")
        },
        Ask,
        "rule.none",
    );
    expect(
        &Row {
            sandbox: true,
            excluded: &["Bash("],
            ..row("run x")
        },
        Ask,
        "rule.none",
    );
    let prompt = Row {
        deny: &["prompt: acts"],
        allow: &["prompt: is fine"],
        ..row("run x")
    };
    assert_eq!(decide(&prompt), (Ask, "rule.none", 2));
    assert_eq!(
        decide(&Row {
            yes: true,
            ..prompt
        }),
        (Deny, "prompt.answer", 0)
    );
    let fine = Row {
        allow: &["prompt: is fine"],
        ..row("run x")
    };
    assert_eq!(
        decide(&Row { yes: true, ..fine }),
        (Allow, "prompt.answer", 0)
    );
    expect(&row("look; look y"), Allow, "read-only");
    expect(&row("peek"), Ask, "path.sensitive");
    expect(&row("list-remote"), Allow, "read-only");
    expect(
        &Row {
            ask_network: true,
            ..row("list-remote")
        },
        Ask,
        "network-read",
    );
}

#[test]
fn the_modes_and_the_last_answer() {
    let edit = |text| Row {
        mode: Mode::Edit,
        ..row(text)
    };
    expect(&edit("make-inside; look"), Allow, "mode.edit");
    expect(&edit("make-outside"), Ask, "command.effect");
    expect(&edit("make-inside; run x"), Ask, "rule.none");
    expect(
        &Row {
            allow: &["run:*"],
            ..edit("make-inside; run x")
        },
        Allow,
        "mode.edit",
    );
    expect(&row("make-inside"), Ask, "command.effect");
    expect(
        &Row {
            mode: Mode::Yolo,
            ..row("run x; make-outside")
        },
        Allow,
        "mode.yolo",
    );
    expect(&row("run x"), Ask, "rule.none");
    expect(
        &Row {
            mode: Mode::DontAsk,
            ..row("run x")
        },
        Deny,
        "mode.unattended",
    );
    expect(
        &Row {
            mode: Mode::DontAsk,
            ..row("look")
        },
        Allow,
        "read-only",
    );
    expect(
        &Row {
            unattended: true,
            ..row("run x")
        },
        Deny,
        "mode.unattended",
    );
}

/// Over every combination of the facts above: a further deny or ask rule never loosens, a further allow rule never
/// tightens, unattended never loosens.
#[test]
fn rules_move_verdicts_one_way() {
    let texts = [
        "look",
        "run x",
        "make-inside",
        "hook-writer x",
        "peek; run x",
        "look; make-outside",
    ];
    let modes = [
        Mode::Plan,
        Mode::Build,
        Mode::Edit,
        Mode::Yolo,
        Mode::DontAsk,
    ];
    let mut seen = 0;
    for text in texts {
        for mode in modes {
            for bits in 0..32 {
                for hook in [None, Some(Allow), Some(Ask), Some(Deny)] {
                    let base = Row {
                        mode,
                        hook,
                        error: bits & 1 != 0,
                        gated: bits & 2 != 0,
                        sandbox: bits & 4 != 0,
                        allow: if bits & 8 != 0 { &["run:*"] } else { &[] },
                        ask: if bits & 16 != 0 {
                            &["make-inside:*"]
                        } else {
                            &[]
                        },
                        ..row(text)
                    };
                    let (before, _, _) = decide(&base);
                    for rule in ["run:*", "look:*", "*", text] {
                        let (allowed, ..) = decide(&Row {
                            allow: &[rule, "run:*"],
                            ..Row {
                                ask: base.ask,
                                deny: base.deny,
                                ..again(&base)
                            }
                        });
                        let (with_run, ..) = decide(&Row {
                            allow: &["run:*"],
                            ..again(&base)
                        });
                        assert!(allowed <= with_run, "allow {rule} tightened {text}");
                        let (denied, ..) = decide(&Row {
                            deny: &[rule],
                            ..again(&base)
                        });
                        assert!(
                            denied >= before,
                            "deny {rule} loosened {text} in {mode:?} with {bits} {hook:?}"
                        );
                        let asks = [rule, "make-inside:*"];
                        let (asked, ..) = decide(&Row {
                            ask: if base.ask.is_empty() {
                                asks.get(..1).unwrap_or_default()
                            } else {
                                &asks
                            },
                            ..again(&base)
                        });
                        assert!(
                            asked >= before,
                            "ask {rule} loosened {text} in {mode:?} with {bits} {hook:?}"
                        );
                    }
                    let (alone, ..) = decide(&Row {
                        unattended: true,
                        ..again(&base)
                    });
                    assert!(alone >= before && alone != Ask);
                    seen += 1;
                }
            }
        }
    }
    assert_eq!(seen, 6 * 5 * 32 * 4);
}

fn again<'a>(row: &Row<'a>) -> Row<'a> {
    Row { ..*row }
}
