//! OpenCode's configuration: `permission`, an action, or an object of tools with an action or an object of patterns.
//!
//! The last entry that matches decides, in the order of the file, so keys keep their order; `*` and `?` are wildcards over the text of each
//! command as it is written, a trailing ` *` may be missing; assignments are part of that text. Source: its page on permissions and the
//! program itself.

use policy_core::{Assignments, Decision, Resolution, SetMatch};

use super::{
    Draft, Grade, ImportFault, Spot,
    json::{self, Json, Node},
};

pub(super) fn read(text: &str, draft: &mut Draft<'_>) -> Result<(), ImportFault> {
    let root = json::read(text, true).map_err(|(at, message)| ImportFault { at, message })?;
    draft.set.resolution = Resolution::LastMatch;
    draft.set.assignments = Assignments::Keep;
    let mut seen = false;
    if let Some(off) = root
        .path("tools.bash")
        .filter(|value| value.bool() == Some(false))
    {
        seen = true;
        draft.rule(
            off.at,
            "tools.bash: false",
            Decision::Deny,
            SetMatch::Wild("*".into()),
        );
    }
    if let Some(permission) = root.get("permission") {
        seen = true;
        permissions(permission, draft)?;
    }
    for (agent, value) in root.get("agent").map(Node::members).unwrap_or_default() {
        let inner = value.get("permission");
        let bash = inner.and_then(|inner| {
            inner
                .get("bash")
                .or_else(|| inner.get("*"))
                .or_else(|| inner.text().and(Some(inner)))
        });
        let Some(bash) = bash else { continue };
        let only_allows = actions(bash).all(|action| action == "allow");
        let decision = if only_allows {
            Decision::Allow
        } else {
            Decision::Ask
        };
        draft.cannot(
            decision,
            agent.at,
            format!("agent.{}.permission", agent.name),
            "it counts for this agent alone, and which agent asks is not known here",
        );
    }
    if !seen {
        draft.note(
            Grade::Aside,
            root.at,
            "permission",
            "there are no permissions in this file",
        );
    }
    Ok(())
}

fn actions(node: &Node) -> Box<dyn Iterator<Item = &str> + '_> {
    match node.text() {
        Some(text) => Box::new(std::iter::once(text)),
        None => Box::new(node.members().iter().filter_map(|(_, value)| value.text())),
    }
}

fn permissions(permission: &Node, draft: &mut Draft<'_>) -> Result<(), ImportFault> {
    if permission.text().is_some() {
        return action(permission, "permission", permission.at, "*", draft);
    }
    let Json::Object(members) = &permission.value else {
        return Err(ImportFault {
            at: permission.at,
            message: "an action or an object of tools was expected".into(),
        });
    };
    for (tool, value) in members {
        if !wildcard(&tool.name, "bash") {
            draft.note(
                Grade::Aside,
                tool.at,
                &tool.name,
                "it is about another tool than the shell",
            );
            continue;
        }
        if value.text().is_some() {
            action(value, &tool.name, tool.at, "*", draft)?;
            continue;
        }
        let Json::Object(patterns) = &value.value else {
            return Err(ImportFault {
                at: value.at,
                message: "an action or an object of patterns was expected".into(),
            });
        };
        for (pattern, value) in patterns {
            action(value, &pattern.name, pattern.at, &pattern.name, draft)?;
        }
    }
    Ok(())
}

fn action(
    value: &Node,
    name: &str,
    at: Spot,
    pattern: &str,
    draft: &mut Draft<'_>,
) -> Result<(), ImportFault> {
    let decision = match value.text() {
        Some("allow") => Decision::Allow,
        Some("ask") => Decision::Ask,
        Some("deny") => Decision::Deny,
        _ => {
            return Err(ImportFault {
                at: value.at,
                message: "`allow`, `ask` or `deny` was expected".into(),
            });
        }
    };
    let written = format!("{name:?}: {:?}", value.text().unwrap_or_default());
    let home = draft.around.home.map(str::to_owned);
    let expanded = ["~", "$HOME"].into_iter().find_map(|lead| {
        let rest = pattern.strip_prefix(lead)?;
        (rest.is_empty() || rest.starts_with('/'))
            .then(|| home.as_ref().map(|home| format!("{home}{rest}")))?
    });
    let pattern = expanded.unwrap_or_else(|| pattern.to_owned());
    if pattern.contains('\\') {
        draft.cannot(
            decision,
            at,
            written,
            "OpenCode reads a backslash as `/`, in the command too",
        );
        return Ok(());
    }
    if pattern == "*" && decision > Decision::Allow {
        draft.note(
            Grade::Warning,
            at,
            &written,
            "it is about every command, also those that only read",
        );
    }
    draft.rule(at, written, decision, SetMatch::Wild(pattern));
    Ok(())
}

/// Whether a tool's name matches a key with `*` and `?`.
fn wildcard(pattern: &str, name: &str) -> bool {
    fn go(pattern: &[u8], name: &[u8]) -> bool {
        match (pattern.split_first(), name.split_first()) {
            (None, None) => true,
            (Some((b'*', rest)), _) => {
                go(rest, name)
                    || name
                        .split_first()
                        .is_some_and(|(_, left)| go(pattern, left))
            }
            (Some((b'?', rest)), Some((_, left))) => go(rest, left),
            (Some((one, rest)), Some((two, left))) => one == two && go(rest, left),
            _ => false,
        }
    }
    pattern.len() <= 64 && go(pattern.as_bytes(), name.as_bytes())
}
