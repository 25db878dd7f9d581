//! Gemini CLI's policies (`[[rule]]` in TOML) and the tool lists of its older `settings.json`.
//!
//! The rule of the greatest priority decides, of equal ones the first. Patterns are regular expressions over the arguments of the call as
//! JSON; a prefix ends at a blank, a quote or the end. A text is judged as a whole and part by part, and the strictest answer holds.
//! Source: its page on the policy engine and its loader.

use policy_core::{Assignments, Decision, Resolution, SetMatch, facts::Mode};
use toml::de::{DeTable, DeValue};

use super::{
    Draft, Grade, ImportFault, Spot,
    json::{self, Node},
    regex,
};

const TOOL: &str = "run_shell_command";

/// What Gemini makes of a prefix, behind `"command":"`.
pub(super) fn prefix(text: &str) -> String {
    let json = serde_json::to_string(text).unwrap_or_default();
    let inner = json
        .get(1..json.len().saturating_sub(1))
        .unwrap_or_default();
    format!("{}(?:[\\s\"]|\\\\\")", regex::escape(inner))
}

fn lead(rest: &str) -> SetMatch {
    SetMatch::Json(format!("\"command\":\"{rest}"))
}

pub(super) fn read(text: &str, draft: &mut Draft<'_>) -> Result<(), ImportFault> {
    draft.set.resolution = Resolution::Priority;
    draft.set.assignments = Assignments::Keep;
    draft.set.whole_text = true;
    if text.trim_start().starts_with(['{', '/']) {
        return settings(text, draft);
    }
    let table = DeTable::parse(text).map_err(|error| ImportFault {
        at: Spot::of(text, error.span().map_or(0, |span| span.start)),
        message: error.message().lines().collect::<Vec<_>>().join(", "),
    })?;
    for (key, value) in table.get_ref() {
        let at = Spot::of(text, key.span().start);
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("rule", DeValue::Array(rules)) => {
                for rule in rules {
                    let at = Spot::of(text, rule.span().start);
                    let DeValue::Table(table) = rule.get_ref() else {
                        return Err(ImportFault {
                            at,
                            message: "a rule has to be a table".into(),
                        });
                    };
                    Rule { text, at, table }.read(draft)?;
                }
            }
            ("safety_checker", _) => draft.note(
                Grade::Aside,
                at,
                "safety_checker",
                "a program that checks calls, no rule",
            ),
            (other, _) => draft.note(Grade::Aside, at, other, "not a rule: not imported"),
        }
    }
    Ok(())
}

/// One `[[rule]]`.
struct Rule<'a> {
    text: &'a str,
    at: Spot,
    table: &'a DeTable<'a>,
}

const KEYS: &[&str] = &[
    "toolName",
    "mcpName",
    "subagent",
    "commandPrefix",
    "commandRegex",
    "argsPattern",
    "toolAnnotations",
    "decision",
    "priority",
    "modes",
    "interactive",
    "allowRedirection",
    "allow_redirection",
    "denyMessage",
    "deny_message",
];

impl<'a> Rule<'a> {
    fn value(&self, key: &str) -> Option<&'a DeValue<'a>> {
        self.table
            .iter()
            .find(|(name, _)| name.get_ref().as_ref() == key)
            .map(|(_, value)| value.get_ref())
    }

    fn fault(&self, message: impl Into<String>) -> ImportFault {
        ImportFault {
            at: self.at,
            message: message.into(),
        }
    }

    /// A text or a list of texts.
    fn texts(&self, key: &str) -> Result<Option<Vec<String>>, ImportFault> {
        let wrong = || self.fault(format!("`{key}` has to be a text or a list of texts"));
        match self.value(key) {
            None => Ok(None),
            Some(DeValue::String(text)) => Ok(Some(vec![text.to_string()])),
            Some(DeValue::Array(items)) => {
                let texts = items.iter().map(|item| match item.get_ref() {
                    DeValue::String(text) => Some(text.to_string()),
                    _ => None,
                });
                texts
                    .collect::<Option<Vec<_>>>()
                    .map(Some)
                    .ok_or_else(wrong)
            }
            Some(_) => Err(wrong()),
        }
    }

    fn text(&self, key: &str) -> Result<Option<String>, ImportFault> {
        match self.value(key) {
            None => Ok(None),
            Some(DeValue::String(text)) => Ok(Some(text.to_string())),
            Some(_) => Err(self.fault(format!("`{key}` has to be a text"))),
        }
    }

    fn flag(&self, key: &str) -> Option<bool> {
        match self.value(key) {
            Some(DeValue::Boolean(flag)) => Some(*flag),
            _ => None,
        }
    }

    fn read(&self, draft: &mut Draft<'_>) -> Result<(), ImportFault> {
        let decision = match self.text("decision")?.as_deref() {
            Some("allow") => Decision::Allow,
            Some("deny") => Decision::Deny,
            Some("ask_user") => Decision::Ask,
            Some(other) => {
                return Err(self.fault(format!(
                    "`decision` is `{other}`, which is none of `allow`, `deny`, `ask_user`"
                )));
            }
            None => return Err(self.fault("the rule has no `decision`")),
        };
        let priority = match self.value("priority") {
            Some(DeValue::Integer(number)) => {
                i64::from_str_radix(number.as_str(), number.radix()).ok()
            }
            _ => None,
        };
        let Some(priority) = priority.filter(|priority| (0..1000).contains(priority)) else {
            return Err(self.fault("`priority` has to be a whole number from 0 to 999"));
        };
        let prefixes = self.texts("commandPrefix")?;
        let pattern = self.text("commandRegex")?;
        let args = self.text("argsPattern")?;
        if usize::from(prefixes.is_some())
            + usize::from(pattern.is_some())
            + usize::from(args.is_some())
            > 1
        {
            return Err(
                self.fault("`commandPrefix`, `commandRegex` and `argsPattern` exclude one another")
            );
        }
        let tools = self.texts("toolName")?;
        let named = tools
            .as_ref()
            .is_some_and(|tools| tools.iter().any(|tool| tool == TOOL));
        let about_shell = named
            || tools
                .as_ref()
                .is_none_or(|tools| tools.iter().any(|tool| tool == "*"));
        if (prefixes.is_some() || pattern.is_some()) && !named {
            return Err(self.fault(format!(
                "`commandPrefix` and `commandRegex` need `toolName = \"{TOOL}\"`"
            )));
        }
        if !about_shell
            || self.value("mcpName").is_some()
            || self.value("toolAnnotations").is_some()
        {
            draft.note(
                Grade::Aside,
                self.at,
                tools.unwrap_or_default().join(", "),
                "it is about another tool than the shell",
            );
            return Ok(());
        }
        let mut wanted: Vec<(String, SetMatch)> = Vec::new();
        for prefix_text in prefixes.into_iter().flatten() {
            let trimmed = prefix_text.trim_end();
            let written = format!("commandPrefix = {prefix_text:?}");
            if trimmed.len() < prefix_text.len() {
                draft.note(
                    Grade::Warning,
                    self.at,
                    &written,
                    "the blank at its end is left out: a prefix ends at a word all the same",
                );
            }
            wanted.push((written, lead(&prefix(trimmed))));
        }
        if let Some(pattern) = pattern {
            wanted.push((format!("commandRegex = {pattern:?}"), lead(&pattern)));
        } else if let Some(args) = args {
            wanted.push((format!("argsPattern = {args:?}"), SetMatch::Json(args)));
        } else if wanted.is_empty() {
            wanted.push((format!("toolName = {TOOL:?}"), SetMatch::Glob("*".into())));
        }
        let Some(conditions) = self.conditions(decision, &wanted, draft)? else {
            return Ok(());
        };
        for (written, matches) in wanted {
            if let Some(rule) = draft.rule(self.at, written, decision, matches) {
                rule.priority = priority;
                rule.justification = conditions.message.clone();
                rule.modes.clone_from(&conditions.modes);
            }
        }
        Ok(())
    }

    /// What else has to hold; `None` when the rule is left out for it.
    fn conditions(
        &self,
        decision: Decision,
        wanted: &[(String, SetMatch)],
        draft: &mut Draft<'_>,
    ) -> Result<Option<Conditions>, ImportFault> {
        let written = wanted
            .iter()
            .map(|(text, _)| text.as_str())
            .collect::<Vec<_>>()
            .join("; ");
        for (key, _) in self.table {
            let name = key.get_ref().as_ref();
            if !KEYS.contains(&name) {
                draft.note(
                    Grade::Warning,
                    Spot::of(self.text, key.span().start),
                    name,
                    "a key that is not known here",
                );
            }
            // A condition that cannot be kept: an allow rule is left out, one that refuses holds without it.
            if matches!(name, "subagent" | "interactive") {
                if decision == Decision::Allow {
                    draft.note(
                        Grade::LeftOut,
                        self.at,
                        &written,
                        format!("`{name}` is not known here"),
                    );
                    return Ok(None);
                }
                draft.note(
                    Grade::Warning,
                    self.at,
                    &written,
                    format!("`{name}` is not known here: the rule holds without it"),
                );
            }
        }
        let mut modes = Vec::new();
        for name in self.texts("modes")?.unwrap_or_default() {
            modes.push(match name.as_str() {
                "default" => Mode::Build,
                "autoEdit" | "auto_edit" => Mode::Edit,
                "yolo" => Mode::Yolo,
                "plan" => Mode::Plan,
                other => return Err(self.fault(format!("there is no mode `{other}`"))),
            });
        }
        // Ours has one more, which is as careful as build.
        if modes.contains(&Mode::Build) {
            modes.push(Mode::DontAsk);
        }
        if decision == Decision::Allow
            && (self.flag("allowRedirection") == Some(true)
                || self.flag("allow_redirection") == Some(true))
        {
            draft.note(
                Grade::Warning,
                self.at,
                &written,
                "a redirect to a file is asked about here all the same",
            );
        }
        let message = match self.text("denyMessage")? {
            Some(message) => Some(message),
            None => self.text("deny_message")?,
        };
        Ok(Some(Conditions { modes, message }))
    }
}

struct Conditions {
    modes: Vec<Mode>,
    message: Option<String>,
}

/// The tool lists of settings: where in the order of priorities each stands, as thousandths within the user's tier.
const LISTS: &[(&str, Decision, i64)] = &[
    ("tools.exclude", Decision::Deny, 400),
    ("excludeTools", Decision::Deny, 400),
    ("tools.confirmationRequired", Decision::Ask, 350),
    ("tools.allowed", Decision::Allow, 300),
    ("allowedTools", Decision::Allow, 300),
    ("tools.core", Decision::Allow, 250),
    ("coreTools", Decision::Allow, 250),
];

fn settings(text: &str, draft: &mut Draft<'_>) -> Result<(), ImportFault> {
    let root = json::read(text, true).map_err(|(at, message)| ImportFault { at, message })?;
    let mut seen = false;
    for (key, decision, priority) in LISTS {
        let Some(list) = root.path(key) else { continue };
        seen = true;
        let core = key.ends_with("core") || *key == "coreTools";
        for item in list.items() {
            tool(item, key, *decision, *priority, draft);
        }
        // What `core` does not list is not there at all.
        if core
            && let Some(rule) = draft.rule(
                list.at,
                format!("{key} without {TOOL}"),
                Decision::Deny,
                SetMatch::Glob("*".into()),
            )
        {
            rule.priority = 240;
        }
    }
    if !seen {
        draft.note(
            Grade::Aside,
            root.at,
            "tools",
            "there are no lists of tools in this file",
        );
    }
    Ok(())
}

fn tool(item: &Node, key: &str, decision: Decision, priority: i64, draft: &mut Draft<'_>) {
    let Some(name) = item.text() else {
        return draft.cannot(decision, item.at, key, "the name of a tool was expected");
    };
    let (tool, inner) = match name.split_once('(') {
        Some((tool, rest)) => (tool.trim(), rest.strip_suffix(')').map(str::trim)),
        None => (name, None),
    };
    if !matches!(tool, TOOL | "ShellTool") {
        return draft.note(
            Grade::Aside,
            item.at,
            name,
            "it is about another tool than the shell",
        );
    }
    let matches = match inner {
        Some(text) if !text.is_empty() => lead(&prefix(text)),
        _ => SetMatch::Glob("*".into()),
    };
    if let Some(rule) = draft.rule(item.at, format!("{key}: {name}"), decision, matches) {
        rule.priority = priority;
    }
}
