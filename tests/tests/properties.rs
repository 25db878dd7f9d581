//! Properties that hold for every text, over the corpora and over texts made of their pieces: what a rule may move, what
//! wrapping may not loosen, that suggestions are true, that spans fit.

use std::path::Path;

use policy_core::{Analysis, Decision, Policy, Request, RuleLists, Verdict, facts::Mode};
use portcullis_tests::corpus;

struct Hosts {
    policy: Policy,
    requests: Vec<Request>,
}

impl Hosts {
    fn new() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora");
        let cases = corpus::load(&folder);
        let mut requests: Vec<Request> = cases
            .into_iter()
            .map(|case| {
                let mut request: Request =
                    serde_json::from_value(case.request).expect("a request of the corpus");
                request.rules = RuleLists::default();
                request.hook = None;
                request
            })
            .collect();
        assert!(requests.len() > 800, "the corpora are there");
        // Texts joined from two cases: what stands alone must stand beside another.
        let mut state = 7_usize;
        for at in 0..400 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let (Some(one), Some(two)) = (
                requests.get(at % requests.len()),
                requests.get((state >> 33) % requests.len()),
            ) else {
                continue;
            };
            let glue = ["; ", " && ", " | ", "\n", " || "][at % 5];
            let command = format!("{}{glue}{}", one.command, two.command);
            requests.push(Request {
                command,
                ..one.clone()
            });
        }
        Self {
            policy: Policy::new(Default::default()).expect("an empty configuration"),
            requests,
        }
    }

    fn judge(&self, request: &Request) -> Verdict {
        self.policy.evaluate(request)
    }

    /// Every request in every mode, with its verdict.
    fn each(&self, mut look: impl FnMut(&Request, &Verdict, &mut Vec<String>)) {
        let mut wrong = Vec::new();
        for request in &self.requests {
            for mode in [Mode::Build, Mode::Plan, Mode::Edit, Mode::Yolo] {
                let mut request = request.clone();
                request.facts.mode = mode;
                let verdict = self.judge(&request);
                look(&request, &verdict, &mut wrong);
            }
        }
        assert!(
            wrong.is_empty(),
            "{} times:\n{}",
            wrong.len(),
            wrong
                .iter()
                .take(20)
                .cloned()
                .collect::<Vec<_>>()
                .join("\n")
        );
    }
}

fn with_rules(request: &Request, allow: &[&str], ask: &[&str], deny: &[&str]) -> Request {
    let texts = |rules: &[&str]| rules.iter().map(ToString::to_string).collect();
    Request {
        rules: RuleLists {
            allow: texts(allow),
            ask: texts(ask),
            deny: texts(deny),
        },
        ..request.clone()
    }
}

#[test]
fn a_suggestion_stored_alone_allows_the_command() {
    let hosts = Hosts::new();
    let mut seen = 0;
    hosts.each(|request, verdict, wrong| {
        let rules: Vec<&str> = verdict
            .suggestions
            .iter()
            .map(|found| found.rule.as_str())
            .collect();
        if rules.is_empty() {
            return;
        }
        seen += 1;
        if rules.len() > 5 {
            wrong.push(format!("{:?}: {} rules", request.command, rules.len()));
        }
        if hosts.judge(&with_rules(request, &rules, &[], &[])).decision != Decision::Allow {
            wrong.push(format!("{:?} is not allowed by {rules:?}", request.command));
        }
    });
    assert!(seen > 200, "only {seen} suggestions");
}

#[test]
fn rules_move_a_verdict_one_way() {
    let hosts = Hosts::new();
    hosts.each(|request, verdict, wrong| {
        let first = request.command.split_whitespace().next().unwrap_or("x").replace('*', "\\*");
        let own = format!("{first}:*");
        for rule in ["ls:*", "*", "git:*", own.as_str()] {
            let Ok(_) = Policy::new(serde_json::from_value(serde_json::json!({"user": {"deny": [rule]}})).expect("a shape")) else { continue };
            let denied = hosts.judge(&with_rules(request, &[], &[], &[rule])).decision;
            let asked = hosts.judge(&with_rules(request, &[], &[rule], &[])).decision;
            let allowed = hosts.judge(&with_rules(request, &[rule], &[], &[])).decision;
            if denied < verdict.decision || asked < verdict.decision || allowed > verdict.decision {
                wrong.push(format!("{:?} {:?}: {:?}, with {rule}: deny {denied:?}, ask {asked:?}, allow {allowed:?}", request.facts.mode, request.command, verdict.decision));
            }
        }
    });
}

#[test]
fn deep_allows_what_strict_allows() {
    let hosts = Hosts::new();
    hosts.each(|request, verdict, wrong| {
        let strict = hosts.judge(&Request {
            analysis: Analysis::Strict,
            ..request.clone()
        });
        if strict.decision < verdict.decision {
            wrong.push(format!(
                "{:?}: strict {:?}, deep {:?}",
                request.command, strict.decision, verdict.decision
            ));
        }
    });
}

#[test]
fn what_acts_is_not_hidden_by_what_stands_around_it() {
    let hosts = Hosts::new();
    hosts.each(|request, verdict, wrong| {
        let text = &request.command;
        let judge = |command: String| {
            hosts.judge(&Request {
                command,
                ..request.clone()
            })
        };
        let ended = judge(format!("{text}\n rm -rf x"));
        // A here-document or quote that is left open swallows what follows, and is never allowed either.
        if request.facts.mode != Mode::Yolo
            && request.facts.mode != Mode::Edit
            && ended.decision == Decision::Allow
        {
            wrong.push(format!("{text:?} and then rm is allowed"));
        }
        for around in [
            format!("(\n{text}\n)"),
            format!("{{\n{text}\n}}"),
            format!("if true; then\n{text}\nfi"),
        ] {
            let wrapped = judge(around.clone());
            if wrapped.decision < verdict.decision {
                wrong.push(format!(
                    "{around:?}: {:?}, alone {:?} ({})",
                    wrapped.decision, verdict.decision, verdict.reason.message
                ));
            }
        }
    });
}

#[test]
fn verdicts_are_the_same_each_time_and_their_spans_fit() {
    let hosts = Hosts::new();
    hosts.each(|request, verdict, wrong| {
        let json = |verdict: &Verdict| serde_json::to_string(verdict).expect("JSON");
        if json(&hosts.judge(request)) != json(verdict) {
            wrong.push(format!("{:?}: two verdicts", request.command));
        }
        let text = &request.command;
        let fits =
            |span: policy_core::Span| text.get(span.start as usize..span.end as usize).is_some();
        let commands = verdict.commands.iter();
        if !fits(verdict.reason.span)
            || !commands
                .clone()
                .all(|command| fits(command.span) && fits(command.reason.span))
        {
            wrong.push(format!("{text:?}: a span is not inside"));
        }
        let message = &verdict.reason.message;
        if message.contains(['\n', '\u{1b}']) || message.is_empty() || message.ends_with('.') {
            wrong.push(format!("{text:?}: message {message:?}"));
        }
        let mut utf16 = verdict.clone();
        utf16.spans_to_utf16(text);
        let units = text.encode_utf16().count();
        if utf16.reason.span.end as usize > units
            || utf16
                .commands
                .iter()
                .any(|command| command.span.end as usize > units)
        {
            wrong.push(format!("{text:?}: UTF-16 span past the end"));
        }
    });
}
