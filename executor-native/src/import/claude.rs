//! Claude Code's settings: `permissions.allow`, `ask` and `deny`, texts `Tool(specifier)`.
//!
//! Deny over ask over allow in whatever order; each command of a text by itself; `*` any text, a trailing ` *` or `:*` a word boundary that also
//! matches the bare command; harmless assignments seen past by allow rules, all of them by deny and ask. Some wrappers, and `find` that acts, no
//! wildcard allows. Source: the permissions page of its documentation.

use policy_core::{Assignments, Decision, Resolution, SetMatch};

use super::{
    Draft, Grade, ImportFault, Spot,
    json::{self, Json, Node},
};

/// Never allowed by a rule with a wildcard.
const EXACT_ONLY: &[&[&str]] = &[
    &["watch"],
    &["setsid"],
    &["ionice"],
    &["flock"],
    &["find", "-exec"],
    &["find", "-execdir"],
    &["find", "-ok"],
    &["find", "-okdir"],
    &["find", "-delete"],
];

pub(super) fn read(text: &str, draft: &mut Draft<'_>) -> Result<(), ImportFault> {
    let root = json::read(text, false).map_err(|(at, message)| ImportFault { at, message })?;
    draft.set.resolution = Resolution::Strictest;
    draft.set.assignments = Assignments::Strip;
    draft.set.exact_only = EXACT_ONLY
        .iter()
        .map(|words| words.iter().map(ToString::to_string).collect())
        .collect();
    let Some(permissions) = root.get("permissions") else {
        draft.note(
            Grade::Aside,
            root.at,
            "permissions",
            "there are no permissions in this file",
        );
        return Ok(());
    };
    for (key, value) in permissions.members() {
        let decision = match key.name.as_str() {
            "allow" => Decision::Allow,
            "ask" => Decision::Ask,
            "deny" => Decision::Deny,
            "defaultMode" => {
                let mode = value.text().unwrap_or_default();
                draft.note(
                    Grade::Aside,
                    key.at,
                    format!("defaultMode: {mode}"),
                    "a mode is no rule; set `mode` in the configuration",
                );
                continue;
            }
            name => {
                draft.note(
                    Grade::Aside,
                    key.at,
                    name,
                    "a setting, no rule: not imported",
                );
                continue;
            }
        };
        list(value, decision, draft)?;
    }
    Ok(())
}

fn list(value: &Node, decision: Decision, draft: &mut Draft<'_>) -> Result<(), ImportFault> {
    if !matches!(value.value, Json::List(_)) {
        return Err(ImportFault {
            at: value.at,
            message: "a list of rules was expected".into(),
        });
    }
    for item in value.items() {
        match item.text() {
            Some(text) => rule(text, item.at, decision, draft),
            // Claude Code leaves out such an entry and keeps the file.
            None => draft.cannot(decision, item.at, "", "a rule has to be a text"),
        }
    }
    Ok(())
}

fn rule(text: &str, at: Spot, decision: Decision, draft: &mut Draft<'_>) {
    let trimmed = text.trim();
    let (tool, inner) = match trimmed.split_once('(') {
        None => (trimmed, None),
        Some((tool, rest)) => match rest.strip_suffix(')') {
            Some(inner) => (tool, Some(inner)),
            None => {
                return draft.cannot(
                    decision,
                    at,
                    text,
                    "the parenthesis is not closed; Claude Code leaves the rule out too",
                );
            }
        },
    };
    // Names of tools with `*` count in deny and ask rules alone.
    let every = tool == "*" || (tool.contains('*') && glob(tool, "Bash"));
    if every && decision > Decision::Allow && inner.is_none() {
        draft.note(
            Grade::Warning,
            at,
            text,
            "it is about every tool: here, every command",
        );
        draft.rule(at, text, decision, SetMatch::Glob("*".into()));
        return;
    }
    if tool != "Bash" {
        return foreign(text, tool, at, decision, draft);
    }
    let inner = inner.map(str::trim).unwrap_or("*");
    if inner.is_empty() {
        return draft.cannot(
            decision,
            at,
            text,
            "there is nothing between the parentheses",
        );
    }
    if inner.starts_with("command:") && decision > Decision::Allow {
        return draft.cannot(
            decision,
            at,
            text,
            "Claude Code refuses `command:` in a rule about Bash",
        );
    }
    let mut pattern = match inner.strip_suffix(":*") {
        Some(prefix) => format!("{prefix} *"),
        None => inner.to_owned(),
    };
    if inner.contains(":*") && !inner.ends_with(":*") {
        draft.note(
            Grade::Warning,
            at,
            text,
            "`:*` counts at the end alone: this colon is a colon of the command",
        );
    }
    // Blanks are joined in rules with a wildcard.
    if pattern.contains('*') {
        let open = pattern.ends_with(" *");
        pattern = pattern.split_whitespace().collect::<Vec<_>>().join(" ");
        if open && !pattern.ends_with(" *") {
            pattern.push_str(" *");
        }
    }
    draft.rule(at, text, decision, SetMatch::Glob(pattern));
}

/// A rule about another tool than the shell.
fn foreign(text: &str, tool: &str, at: Spot, decision: Decision, draft: &mut Draft<'_>) {
    let message = match tool {
        "Read" | "Edit" | "Write" | "MultiEdit" | "NotebookEdit" | "Glob" | "Grep"
            if decision > Decision::Allow =>
        {
            // There it also holds commands that read or write such a file (`cat .env`); rules about paths are not known here.
            return draft.note(
                Grade::Lost,
                at,
                text,
                "a rule about files, which there also holds for commands such as `cat`; here only paths with credentials are asked about",
            );
        }
        "PowerShell" => "it is about PowerShell",
        _ => "it is about another tool than the shell",
    };
    draft.note(Grade::Aside, at, text, message);
}

fn glob(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, end)) => {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
    }
}
