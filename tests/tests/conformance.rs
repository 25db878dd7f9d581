//! Every case of the corpora comes out right, in the native engine; a known-wrong case that comes out right fails too.

use policy_core::{Decision, Policy, PolicyConfig, Request};
use portcullis_tests::corpus::{self, Want};

#[test]
fn every_case_comes_out_right() {
    let policy = Policy::new(PolicyConfig::default()).expect("no rules");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for case in corpus::load(&corpus::dir()) {
        count += 1;
        let request: Request = serde_json::from_value(case.request.clone())
            .unwrap_or_else(|error| panic!("{}: {error}", case.place));
        let verdict = policy.evaluate(&request);
        let right = match case.want {
            Want::Allow => verdict.decision == Decision::Allow,
            Want::Ask => verdict.decision != Decision::Allow,
            Want::Deny => verdict.decision == Decision::Deny,
        };
        let offered: Vec<&str> = verdict
            .suggestions
            .iter()
            .map(|suggestion| suggestion.rule.as_str())
            .collect();
        let suggested = case
            .suggest
            .as_ref()
            .is_none_or(|wanted| wanted.iter().all(|rule| offered.contains(&rule.as_str())));
        match (right && suggested, &case.known) {
            (true, None) | (false, Some(_)) => {}
            (true, Some(reason)) => wrong.push(format!(
                "{}: `{}` comes out right now; its `known = {reason}` can go",
                case.place, case.command
            )),
            (false, None) => wrong.push(format!(
                "{} [{}] `{}`: want {:?}, got {:?} ({}){}",
                case.place,
                case.section,
                case.command,
                case.want,
                verdict.decision,
                verdict.reason.code.slug(),
                if suggested {
                    String::new()
                } else {
                    format!(" offered {offered:?}")
                }
            )),
        }
    }
    assert!(count > 500, "only {count} cases were read");
    assert!(
        wrong.is_empty(),
        "{} of {count} cases are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
