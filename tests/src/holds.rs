//! What must hold of any text: the bodies of the fuzz targets, which the suites also run over corpora and generated texts.
//!
//! Each takes one text and panics when something does not hold. They cost a few verdicts each.

use policy_core::{
    Analysis, Decision, Policy, PolicyConfig, Request, RuleLists, Span, Verdict,
    facts::{GitFacts, GitState, Shell},
    service::{Offsets, Service},
    syntax::read,
};

/// A policy without rules, made once.
#[must_use]
pub fn bare_policy() -> Policy {
    Policy::new(PolicyConfig::default()).expect("no rules")
}

/// A request for `text` in the usual workspace.
#[must_use]
pub fn request(text: &str) -> Request {
    let mut request = Request {
        command: text.into(),
        ..Request::default()
    };
    request.facts.git = GitFacts {
        state: GitState::Trusted,
        executing_keys: Vec::new(),
    };
    request.facts.cwd = Some("/w/app".into());
    request.facts.workspace = vec!["/w/app".into()];
    request.facts.home = Some("/home/u".into());
    request
}

fn fits(text: &str, span: Span, what: &str) {
    let inside = text.get(span.start as usize..span.end as usize);
    assert!(inside.is_some(), "{what} {span:?} cuts {text:?}");
}

/// Every shell's reading ends, and its spans lie on character boundaries of the text.
pub fn reading(text: &str) {
    for shell in [Shell::Bash, Shell::Zsh, Shell::Sh] {
        let reading = read(text, shell);
        if let Some(fault) = &reading.fault {
            fits(text, fault.span, "the span of a fault");
        }
        for item in &reading.script.items {
            fits(text, item.span, "the span of an item");
        }
        for hazard in &reading.hazards {
            fits(text, hazard.span, "the span of a hazard");
        }
    }
}

/// A verdict is the same twice, its spans fit, strict allows no more than deep, and nothing hides a command that follows.
pub fn verdict(policy: &Policy, text: &str) {
    let request = request(text);
    let verdict = policy.evaluate(&request);
    let json = |verdict: &Verdict| serde_json::to_string(verdict).expect("JSON");
    assert_eq!(
        json(&verdict),
        json(&policy.evaluate(&request)),
        "two verdicts on {text:?}"
    );
    fits(text, verdict.reason.span, "the span of the reason");
    for command in &verdict.commands {
        fits(text, command.span, "the span of a command");
        fits(text, command.reason.span, "the span of a command's reason");
    }
    let units = text.encode_utf16().count();
    let mut utf16 = verdict.clone();
    utf16.spans_to_utf16(text);
    let past = |span: Span| span.start > span.end || span.end as usize > units;
    assert!(
        !past(utf16.reason.span) && !utf16.commands.iter().any(|command| past(command.span)),
        "a UTF-16 span lies outside {text:?}"
    );
    strict_within_deep(policy, &request, &verdict);
    for glue in ["\n; rm -rf x", "\nrm -rf x"] {
        let longer = policy.evaluate(&Request {
            command: format!("{text}{glue}"),
            ..request.clone()
        });
        // Behind an open here-document the text is data, and an open quote or comment is no command.
        let runs = longer.commands.iter().any(|command| {
            let name = command.argv.first().and_then(|word| word.as_deref());
            name == Some("rm")
        });
        assert!(
            !runs || longer.decision != Decision::Allow,
            "{text:?} hides {glue:?}"
        );
    }
}

/// What the strict analysis allows, the deep one allows.
pub fn strict_within_deep(policy: &Policy, request: &Request, deep: &Verdict) {
    let strict = policy.evaluate(&Request {
        analysis: Analysis::Strict,
        ..request.clone()
    });
    assert!(
        strict.decision >= deep.decision,
        "strict says {:?}, deep {:?} of {:?}",
        strict.decision,
        deep.decision,
        request.command
    );
}

/// The first line is a command, the others are rules: they compile or are refused with a reason, and those that compile answer. A
/// deny rule never loosens, an allow rule never tightens.
pub fn rules(policy: &Policy, text: &str) {
    let mut lines = text.lines();
    let command = lines.next().unwrap_or("");
    let rules: Vec<String> = lines.map(String::from).collect();
    let lists = |allow: &[String], deny: &[String]| RuleLists {
        allow: allow.to_vec(),
        ask: Vec::new(),
        deny: deny.to_vec(),
    };
    let judge = |rules: RuleLists| {
        policy
            .evaluate(&Request {
                rules,
                ..request(command)
            })
            .decision
    };
    let none = judge(RuleLists::default());
    if Policy::check_rules(&lists(&rules, &[])).is_empty() {
        let allowed = judge(lists(&rules, &[]));
        assert!(allowed <= none, "{rules:?} as allow tighten {command:?}");
    }
    if Policy::check_rules(&lists(&[], &rules)).is_empty() {
        let denied = judge(lists(&[], &rules));
        assert!(denied >= none, "{rules:?} as deny loosen {command:?}");
    }
}

/// The JSON door: the first character picks the operation, the rest is a configuration and a request, parted by a NUL. Any text
/// gives a text or a fault.
pub fn service(text: &str) {
    let (config, json) = text.split_once('\0').unwrap_or(("", text));
    let operations = [
        "evaluate", "suggest", "parse", "explain", "update", "nothing",
    ];
    let pick = text.bytes().next().map_or(0, usize::from);
    let operation = operations[pick % operations.len()];
    let config = config.get(1..).unwrap_or("");
    let Ok(mut service) = Service::new(config, Offsets::Utf16) else {
        return;
    };
    let _ = service.call(operation, json, Offsets::Utf16);
    let wrapped = serde_json::json!({ "command": json }).to_string();
    let answer = service.call(operation, &wrapped, Offsets::Utf8);
    if let Ok(answer) = answer {
        let value: Result<serde_json::Value, _> = serde_json::from_str(&answer);
        assert!(value.is_ok(), "{operation} answers no JSON: {answer}");
    }
}
