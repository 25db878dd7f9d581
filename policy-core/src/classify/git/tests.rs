//! What the host's git facts make of reading commands.

use alloc::{vec, vec::Vec};

use crate::{
    classify::{classify, model::Finding},
    command::model::{Arg, Connector, Cwd, Invocation, Program, Site, Stdin, Value},
    diagnostic::Code,
    facts::{Facts, GitFacts, GitState},
    span::Span,
    specs::SpecSet,
};

fn judge(words: &[&str], state: GitState, keys: &[&str], apply: bool, cwd: Cwd) -> Finding {
    let invocation = Invocation {
        argv: words
            .iter()
            .map(|word| Arg::new(Value::Exact((*word).into()), Span::default()))
            .collect(),
        span: Span::default(),
        text: words.join(" "),
        assignments: Vec::new(),
        redirects: Vec::new(),
        connector: Connector::Start,
        site: Site::Top,
        parent: None,
        wrappers: Vec::new(),
        cwd,
        stdin: Stdin::Inherited,
        stdout_terminal: false,
    };
    let facts = Facts {
        cwd: Some("/w/app".into()),
        workspace: vec!["/w/app".into()],
        git: GitFacts {
            state,
            executing_keys: keys.iter().map(|key| (*key).into()).collect(),
        },
        can_apply_conditions: apply,
        ..Facts::default()
    };
    let program = Program {
        invocations: vec![invocation],
        ..Program::default()
    };
    classify(&program, 0, &facts, &SpecSet::default()).expect("one invocation")
}

fn status(state: GitState, keys: &[&str], apply: bool) -> Finding {
    judge(&["git", "status"], state, keys, apply, Cwd::Initial)
}

#[test]
fn only_an_ordinary_repository_or_none_is_read() {
    assert!(status(GitState::Trusted, &[], false).read_only);
    assert!(status(GitState::None, &[], false).read_only);
    for state in [GitState::Suspicious, GitState::Unknown] {
        assert_eq!(status(state, &[], true).why.code, Code::CommandGit);
    }
    let version = judge(
        &["git", "--version"],
        GitState::Unknown,
        &[],
        false,
        Cwd::Initial,
    );
    assert!(version.read_only);
}

#[test]
fn executing_keys_are_blanked_by_conditions() {
    let finding = status(
        GitState::Trusted,
        &["core.fsmonitor", "filter.x.clean"],
        true,
    );
    assert!(finding.read_only, "{:?}", finding.why);
    let value = |name: &str| finding.conditions.get(name).map(|value| value.as_str());
    assert_eq!(value("GIT_CONFIG_COUNT"), Some("4"));
    assert_eq!(value("GIT_CONFIG_KEY_1"), Some("core.fsmonitor"));
    assert_eq!(value("GIT_CONFIG_VALUE_1"), Some("false"));
    assert_eq!(value("GIT_CONFIG_KEY_2"), Some("filter.x.required"));
    assert_eq!(value("GIT_CONFIG_KEY_3"), Some("filter.x.clean"));
    assert_eq!(value("GIT_CONFIG_VALUE_3"), Some(""));
    assert_eq!(value("GIT_OPTIONAL_LOCKS"), Some("0"));
}

#[test]
fn a_host_that_cannot_apply_conditions_has_no_executing_keys() {
    assert!(!status(GitState::Trusted, &["core.fsmonitor"], false).read_only);
}

#[test]
fn keys_that_cannot_be_blanked_count_where_they_are_used() {
    for key in [
        "diff.external",
        "diff.x.command",
        "diff.x.textconv",
        "frob.nicate",
    ] {
        let diff = judge(
            &["git", "diff"],
            GitState::Trusted,
            &[key],
            true,
            Cwd::Initial,
        );
        assert_eq!(diff.why.code, Code::CommandGit, "{key}");
    }
    assert!(
        status(
            GitState::Trusted,
            &["diff.external", "diff.x.textconv"],
            true
        )
        .read_only
    );
    assert!(!status(GitState::Trusted, &["frob.nicate"], true).read_only);
    let without = ["git", "diff", "--no-ext-diff", "--no-textconv"];
    let finding = judge(
        &without,
        GitState::Trusted,
        &["diff.external", "diff.x.textconv"],
        true,
        Cwd::Initial,
    );
    assert!(finding.read_only, "{:?}", finding.why);
    // In a submodule these options do not hold; the condition does.
    assert!(
        finding
            .conditions
            .values()
            .any(|value| value == "diff.submodule")
    );
    let keys = ["diff.external"];
    let alone = judge(&without, GitState::Trusted, &keys, false, Cwd::Initial);
    assert!(!alone.read_only);
}

#[test]
fn a_partial_clone_uses_no_transport() {
    for key in ["remote.o.promisor", "extensions.partialClone"] {
        let finding = status(GitState::Trusted, &[key], true);
        assert!(finding.read_only, "{key}: {:?}", finding.why);
        let transport = finding.conditions.get(crate::classify::NO_TRANSPORT);
        assert_eq!(transport.map(|value| value.as_str()), Some("none"), "{key}");
        assert!(!status(GitState::Trusted, &[key], false).read_only, "{key}");
    }
    assert!(!status(GitState::Trusted, &["remote.o.uploadpack"], true).read_only);
}

#[test]
fn git_elsewhere_is_another_repository() {
    let at = |cwd| judge(&["git", "status"], GitState::Trusted, &[], true, cwd).read_only;
    assert!(at(Cwd::Moved("/w/app".into())));
    assert!(at(Cwd::Moved("sub/..".into())));
    assert!(!at(Cwd::Moved("sub".into())));
    assert!(!at(Cwd::Moved("/tmp".into())));
    assert!(!at(Cwd::Unknown));
}

#[test]
fn merges_are_not_shown_by_merging_again() {
    let show = |words: &[&str], apply: bool| {
        let driver = &["merge.ours.driver"];
        judge(words, GitState::Trusted, driver, apply, Cwd::Initial)
    };
    let finding = show(&["git", "show", "-m", "HEAD"], true);
    assert!(finding.read_only, "{:?}", finding.why);
    let value = |name: &str| finding.conditions.get(name).map(|value| value.as_str());
    assert_eq!(value("GIT_CONFIG_KEY_1"), Some("log.diffMerges"));
    assert_eq!(value("GIT_CONFIG_VALUE_1"), Some("separate"));
    assert!(!show(&["git", "show", "-m", "HEAD"], false).read_only);
    assert!(!show(&["git", "log", "-mp"], false).read_only);
    assert!(show(&["git", "log", "-p"], false).read_only);
}

#[test]
fn commands_that_start_another_do_not_pass_the_options_on() {
    for words in [
        &["git", "range-diff", "--no-textconv", "a...b"][..],
        &["git", "notes", "show", "HEAD"],
    ] {
        let finding = judge(
            words,
            GitState::Trusted,
            &["diff.ev.textconv"],
            true,
            Cwd::Initial,
        );
        assert_eq!(finding.why.code, Code::CommandGit, "{words:?}");
    }
    let finding = judge(
        &["git", "diff", "--no-textconv"],
        GitState::Trusted,
        &["diff.ev.textconv"],
        true,
        Cwd::Initial,
    );
    assert!(finding.read_only, "{:?}", finding.why);
}
