//! Any text gets a verdict, the same twice; strict allows no more than deep; what follows `; rm -rf x` is never allowed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use policy_core::{Analysis, Decision, Policy, PolicyConfig, Request, facts::{GitFacts, GitState}};

fuzz_target!(|text: &str| {
    let policy = Policy::new(PolicyConfig::default()).expect("no rules");
    let mut request = Request { command: text.into(), ..Request::default() };
    request.facts.git = GitFacts { state: GitState::Trusted, executing_keys: Vec::new() };
    request.facts.cwd = Some("/w/app".into());
    request.facts.workspace = vec!["/w/app".into()];
    let verdict = policy.evaluate(&request);
    assert_eq!(serde_json::to_string(&verdict).expect("JSON"), serde_json::to_string(&policy.evaluate(&request)).expect("JSON"));
    for command in &verdict.commands {
        assert!(text.get(command.span.start as usize..command.span.end as usize).is_some(), "a span cuts a character");
    }
    let strict = policy.evaluate(&Request { analysis: Analysis::Strict, ..request.clone() });
    assert!(strict.decision != Decision::Allow || verdict.decision == Decision::Allow, "strict allows what deep does not");
    let appended = policy.evaluate(&Request { command: format!("{text}\n; rm -rf x"), ..request.clone() });
    let newline = policy.evaluate(&Request { command: format!("{text}\nrm -rf x"), ..request });
    // Behind an open here-document the text is data, and an open quote or comment is no command: then it does not parse whole.
    let runs = |verdict: &policy_core::Verdict| verdict.commands.iter().any(|command| command.argv.first().is_some_and(|word| word.as_deref() == Some("rm")));
    assert!(!runs(&appended) || appended.decision != Decision::Allow);
    assert!(!runs(&newline) || newline.decision != Decision::Allow);
});
