//! Findings for invocations built by hand: what depends on the text being read is tested with the specs' examples.

use super::*;
use crate::command::model::{Arg, Connector, Cwd, Stdin, Value};

fn span() -> Span {
    Span { start: 0, end: 0 }
}

fn invocation(words: &[&str]) -> Invocation {
    Invocation {
        argv: words
            .iter()
            .map(|word| Arg::new(Value::Exact((*word).into()), span()))
            .collect(),
        span: span(),
        text: words.join(" "),
        assignments: Vec::new(),
        redirects: Vec::new(),
        connector: Connector::Start,
        site: Site::Top,
        parent: None,
        wrappers: Vec::new(),
        cwd: Cwd::Initial,
        stdin: Stdin::Inherited,
        stdout_terminal: true,
    }
}

fn find(words: &[&str]) -> Finding {
    find_by(words, false)
}

fn find_by(words: &[&str], can_apply_conditions: bool) -> Finding {
    let program = Program {
        invocations: alloc::vec![invocation(words)],
        ..Program::default()
    };
    let facts = Facts {
        cwd: Some("/w/app".into()),
        workspace: alloc::vec!["/w/app".into()],
        home: Some("/home/u".into()),
        git: crate::facts::GitFacts {
            state: crate::facts::GitState::Trusted,
            executing_keys: Vec::new(),
        },
        can_apply_conditions,
        ..Facts::default()
    };
    classify(&program, 0, &facts, &SpecSet::default()).expect("the index is there")
}

#[test]
fn a_listed_command_reads_only() {
    let finding = find(&["grep", "-rn", "TODO", "src"]);
    assert!(finding.read_only, "{:?}", finding.why);
    assert_eq!(finding.touches.len(), 1);
}

#[test]
fn unlisted_options_are_refused() {
    assert_eq!(
        find(&["sort", "--frobnicate", "x"]).why.code,
        Code::CommandFlag
    );
    assert_eq!(
        find(&["sort", "--parallel", "lots", "x"]).why.code,
        Code::CommandFlagValue
    );
    assert_eq!(find(&["./grep", "x"]).why.code, Code::CommandByPath);
    assert_eq!(find(&["frobnicate"]).why.code, Code::CommandUnknown);
}

#[test]
fn sensitive_reads_are_flagged() {
    assert!(
        find(&["grep", "x", "/home/u/.ssh/id_rsa"])
            .sensitive
            .is_some()
    );
    assert!(find(&["grep", "x", "README.md"]).sensitive.is_none());
}

#[test]
fn what_reads_settings_of_the_folder_or_updates_itself_needs_a_condition() {
    for (words, name) in [
        (["mlr", "--icsv", "cat", "f.csv"].as_slice(), "MLRRC"),
        (&["brew", "outdated"], "HOMEBREW_NO_AUTO_UPDATE"),
    ] {
        assert!(!find(words).read_only, "{words:?}");
        let finding = find_by(words, true);
        assert!(finding.read_only, "{:?}", finding.why);
        assert!(finding.conditions.contains_key(name), "{words:?}");
    }
}
