//! From text to verdict: every reason code by its documented example, rules against real commands, suggestions.

use alloc::{
    string::{String, ToString},
    vec,
    vec::Vec,
};

use super::*;
use crate::{
    facts::{GitFacts, GitState, SandboxFacts},
    wire::Analysis,
};

fn request(command: &str) -> Request {
    Request {
        command: command.into(),
        facts: Facts {
            cwd: Some("/w/app".into()),
            workspace: vec!["/w/app".into()],
            home: Some("/home/u".into()),
            git: GitFacts {
                state: GitState::Trusted,
                executing_keys: Vec::new(),
            },
            can_apply_conditions: true,
            ..Facts::default()
        },
        ..Request::default()
    }
}

fn policy() -> Policy {
    Policy::new(PolicyConfig::default()).expect("an empty configuration")
}

fn with(command: &str, allow: &[&str], ask: &[&str], deny: &[&str]) -> Verdict {
    let texts = |rules: &[&str]| rules.iter().map(ToString::to_string).collect();
    let mut request = request(command);
    request.rules = RuleLists {
        allow: texts(allow),
        ask: texts(ask),
        deny: texts(deny),
    };
    policy().evaluate(&request)
}

fn suggested(command: &str, allow: &[&str]) -> Vec<String> {
    with(command, allow, &[], &[])
        .suggestions
        .into_iter()
        .map(|suggestion| suggestion.rule)
        .collect()
}

#[test]
fn every_reason_code_with_an_example_gives_that_code() {
    let mut wrong = Vec::new();
    for code in Code::ALL {
        let (command, setting) = code.example();
        if command.is_empty() {
            continue;
        }
        let mut request = request(command);
        if let Some((key, value)) = setting.split_once('=') {
            let value: String = value.into();
            match key {
                "allow" => request.rules.allow.push(value),
                "ask" => request.rules.ask.push(value),
                "deny" => request.rules.deny.push(value),
                "analysis" => request.analysis = Analysis::Strict,
                "mode" => {
                    request.facts.mode = match value.as_str() {
                        "plan" => Mode::Plan,
                        "edit" => Mode::Edit,
                        _ => Mode::Yolo,
                    };
                }
                "unattended" => request.facts.unattended = true,
                "ask-network" => request.facts.ask_network = true,
                _ => {
                    request.facts.sandbox = SandboxFacts {
                        available: true,
                        enabled: true,
                        auto_allow: true,
                        ..SandboxFacts::default()
                    };
                }
            }
        }
        let reason = policy().evaluate(&request).reason;
        if reason.code != *code {
            wrong.push(alloc::format!(
                "{}: `{command}` gives {} ({})",
                code.slug(),
                reason.code.slug(),
                reason.message
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
