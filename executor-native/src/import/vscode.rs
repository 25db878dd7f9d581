//! VS Code's settings: `chat.tools.terminal.autoApprove` and the keys it had before.
//!
//! A key is a command, a path or `/pattern/flags`; `true` approves, `false` requires approval (here: ask, never deny), `null` takes a
//! default back. Any `false` beats any `true`; a command with an assignment in front is never approved. A literal ends at `\b`, so `git`
//! also matches `git-lfs`. Source: the auto approver of its terminal tool, and the page on approvals.

use policy_core::{Assignments, Decision, Resolution, SetMatch};

use super::{
    Draft, Grade, ImportFault, Spot,
    json::{self, Json, Node},
    regex,
};

const NOW: &str = "chat.tools.terminal.autoApprove";
const BEFORE: &str = "chat.agent.terminal.autoApprove";
/// Older still: an object of patterns, each `true`.
const LISTS: &[(&str, Decision)] = &[
    ("chat.agent.terminal.allowList", Decision::Allow),
    ("chat.agent.terminal.denyList", Decision::Ask),
    (
        "github.copilot.chat.agent.terminal.allowList",
        Decision::Allow,
    ),
    ("github.copilot.chat.agent.terminal.denyList", Decision::Ask),
];

pub(super) fn read(text: &str, draft: &mut Draft<'_>) -> Result<(), ImportFault> {
    let root = json::read(text, true).map_err(|(at, message)| ImportFault { at, message })?;
    draft.set.resolution = Resolution::Strictest;
    draft.set.assignments = Assignments::Never;
    // A workspace file keeps them one level down.
    let settings = root
        .get("settings")
        .filter(|inner| matches!(inner.value, Json::Object(_)))
        .unwrap_or(&root);
    let mut seen = false;
    for key in [NOW, BEFORE] {
        if let Some(rules) = settings.path(key) {
            seen = true;
            table(rules, draft)?;
        }
    }
    for (key, decision) in LISTS {
        let Some(rules) = settings.path(key) else {
            continue;
        };
        seen = true;
        for (index, (name, value)) in rules.members().iter().enumerate() {
            let last = rules
                .members()
                .iter()
                .rposition(|(other, _)| other.name == name.name)
                == Some(index);
            if last && value.bool() == Some(true) {
                rule(&name.name, name.at, *decision, false, draft);
            }
        }
    }
    if let Some(off) = settings
        .path("chat.tools.terminal.enableAutoApprove")
        .filter(|value| value.bool() == Some(false))
    {
        draft.note(
            Grade::Warning,
            off.at,
            "enableAutoApprove: false",
            "nothing is approved there at all; these rules would be",
        );
    }
    if !seen {
        draft.note(
            Grade::Aside,
            root.at,
            NOW,
            "there are no rules of the terminal in this file",
        );
    }
    Ok(())
}

fn table(rules: &Node, draft: &mut Draft<'_>) -> Result<(), ImportFault> {
    let Json::Object(members) = &rules.value else {
        return Err(ImportFault {
            at: rules.at,
            message: "an object of rules was expected".into(),
        });
    };
    for (index, (key, value)) in members.iter().enumerate() {
        // Of keys that stand there twice the last counts.
        if members
            .iter()
            .rposition(|(other, _)| other.name == key.name)
            != Some(index)
        {
            draft.note(
                Grade::Aside,
                key.at,
                &key.name,
                "the same key stands there again further down, and that one counts",
            );
            continue;
        }
        let (approve, line) = match &value.value {
            Json::Bool(approve) => (Some(*approve), false),
            Json::Object(_) => (
                value.get("approve").and_then(Node::bool),
                value.get("matchCommandLine").and_then(Node::bool) == Some(true),
            ),
            Json::Null => {
                draft.note(
                    Grade::Aside,
                    key.at,
                    &key.name,
                    "`null` takes back a default of VS Code; its defaults are not imported",
                );
                continue;
            }
            _ => (None, false),
        };
        match approve {
            Some(true) => rule(&key.name, key.at, Decision::Allow, line, draft),
            Some(false) => rule(&key.name, key.at, Decision::Ask, line, draft),
            None => draft.note(
                Grade::Aside,
                key.at,
                &key.name,
                "neither `true` nor `false`: VS Code leaves it out",
            ),
        }
    }
    Ok(())
}

fn rule(key: &str, at: Spot, decision: Decision, line: bool, draft: &mut Draft<'_>) {
    let written = format!("{key:?}: {}", decision == Decision::Allow);
    if key.is_empty() {
        return draft.note(Grade::Aside, at, written, "an empty key matches nothing");
    }
    let pattern = match expression(key) {
        Some((body, flags)) => {
            let case = if flags.contains('i') { "(?i)" } else { "" };
            let dot = if flags.contains('s') { "(?s)" } else { "" };
            let both = if case.is_empty() || dot.is_empty() {
                format!("{case}{dot}")
            } else {
                "(?is)".into()
            };
            if flags.contains(['m', 'v', 'y']) {
                return draft.cannot(
                    decision,
                    at,
                    written,
                    format!("the flags `{flags}` are not kept"),
                );
            }
            format!("{both}{body}")
        }
        None if key.contains(['/', '\\']) => {
            // A path: `./` may stand in front, and either separator counts.
            let plain = key
                .strip_prefix("./")
                .or_else(|| key.strip_prefix(".\\"))
                .unwrap_or(key);
            let parts: Vec<String> = plain.split(['/', '\\']).map(regex::escape).collect();
            format!(r"^(?:\.[\\/])?{}\b", parts.join(r"[\\/]"))
        }
        None => format!(r"^{}\b", regex::escape(key)),
    };
    if expression(key).is_none()
        && !key.ends_with(|last: char| last.is_ascii_alphanumeric() || last == '_')
    {
        draft.note(
            Grade::Warning,
            at,
            &written,
            "after its last character `\\b` wants a letter, digit or `_`",
        );
    }
    if let Some(rule) = draft.rule(at, written, decision, SetMatch::Regex(pattern)) {
        rule.whole_line = line;
    }
}

/// Pattern and flags of `/pattern/flags`.
fn expression(key: &str) -> Option<(&str, &str)> {
    let (body, flags) = key.strip_prefix('/')?.rsplit_once('/')?;
    (!body.is_empty() && flags.chars().all(|flag| "dgimsuvy".contains(flag)))
        .then_some((body, flags))
}
