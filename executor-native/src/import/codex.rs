//! Codex's `.rules`: `prefix_rule`, `host_executable` and `network_rule` with literal arguments.
//!
//! Rules are lists of tokens with alternatives; the strictest that matches decides. A text is taken apart only when it is plain words joined by
//! `&&`, `||`, `;` and `|`. A file with a wrong decision, an empty pattern, an unknown argument or an example that does not hold is
//! refused as a whole, as Codex does. What is computed (`def`, comprehensions) is reported. Source: the README of its execpolicy, and the program.

use policy_core::{Assignments, Decision, Resolution, SetMatch, split_quoted};

use super::{
    Draft, Grade, ImportFault, Spot,
    starlark::{self, Call, Literal, Statement},
};

pub(super) fn read(text: &str, draft: &mut Draft<'_>) -> Result<(), ImportFault> {
    draft.set.resolution = Resolution::Strictest;
    draft.set.assignments = Assignments::Never;
    draft.set.plain_only = true;
    let statements = starlark::read(text).map_err(|(at, message)| ImportFault { at, message })?;
    let mut examples = Vec::new();
    for statement in &statements {
        match statement {
            Statement::Other(at, first, why) => draft.note(Grade::Lost, *at, first, *why),
            Statement::Call(call) => match call.name.as_str() {
                "prefix_rule" => prefix_rule(call, draft, &mut examples)?,
                "host_executable" => host_executable(call, draft)?,
                "network_rule" => network_rule(call, draft)?,
                other => draft.note(
                    Grade::Lost,
                    call.at,
                    &call.source,
                    format!("the function `{other}` is not known"),
                ),
            },
        }
    }
    // Paths may be listed after the rule.
    for example in &examples {
        example.holds(draft)?;
    }
    if draft
        .set
        .rules
        .iter()
        .any(|rule| rule.decision == Decision::Allow)
    {
        draft.note(Grade::Aside, Spot { line: 1, column: 1 }, "allow", "Codex runs what such a rule allows outside of its sandbox; here it only needs no question");
    }
    Ok(())
}

fn fault(at: Spot, message: impl Into<String>) -> ImportFault {
    ImportFault {
        at,
        message: message.into(),
    }
}

/// The arguments by name; those without one are `order`'s, which lists every name there is.
fn arguments<'a>(
    call: &'a Call,
    order: &[&'static str],
) -> Result<Vec<(&'a str, Spot, &'a Literal)>, ImportFault> {
    let mut found: Vec<(&str, Spot, &Literal)> = Vec::new();
    for (index, (name, at, value)) in call.arguments.iter().enumerate() {
        let name = match name.as_str() {
            "" => order.get(index).copied().unwrap_or_default(),
            name => name,
        };
        if !order.contains(&name) {
            let what = if name.is_empty() {
                "an argument too many".to_owned()
            } else {
                format!("the argument `{name}`")
            };
            return Err(fault(
                *at,
                format!("{what} of `{}` is not known", call.name),
            ));
        }
        if found.iter().any(|(other, ..)| *other == name) {
            return Err(fault(*at, format!("`{name}` is given twice")));
        }
        found.push((name, *at, value));
    }
    Ok(found)
}

fn text<'a>(at: Spot, name: &str, value: &'a Literal) -> Result<&'a str, ImportFault> {
    match value {
        Literal::Text(text) => Ok(text),
        _ => Err(fault(at, format!("`{name}` has to be a text"))),
    }
}

fn decision(at: Spot, value: &Literal) -> Result<Decision, ImportFault> {
    match text(at, "decision", value)? {
        "allow" => Ok(Decision::Allow),
        "prompt" => Ok(Decision::Ask),
        "forbidden" => Ok(Decision::Deny),
        other => Err(fault(
            at,
            format!("`decision` is `{other}`, which is none of `allow`, `prompt`, `forbidden`"),
        )),
    }
}

fn prefix_rule(
    call: &Call,
    draft: &mut Draft<'_>,
    examples: &mut Vec<Example>,
) -> Result<(), ImportFault> {
    let order = ["pattern", "decision", "match", "not_match", "justification"];
    let mut pattern = None;
    let mut decides = Decision::Allow;
    let mut justification = None;
    let mut given = Vec::new();
    for (name, at, value) in arguments(call, &order)? {
        match name {
            "pattern" => pattern = Some(tokens(at, value)?),
            "decision" => decides = decision(at, value)?,
            "justification" => {
                let words = text(at, name, value)?.trim();
                if words.is_empty() {
                    return Err(fault(at, "`justification` is empty"));
                }
                justification = Some(words.to_owned());
            }
            _ => given.push((name == "match", at, value)),
        }
    }
    let Some(pattern) = pattern else {
        return Err(fault(call.at, "the rule has no `pattern`"));
    };
    for (wanted, at, value) in given {
        let Literal::List(items) = value else {
            return Err(fault(at, "examples have to be a list"));
        };
        for (at, item) in items {
            examples.push(Example {
                at: *at,
                words: example(*at, item)?,
                pattern: pattern.clone(),
                wanted,
            });
        }
    }
    // Without its examples: what it says, not what it is tried on.
    if let Some(rule) = draft.rule(
        call.at,
        shown(&pattern, decides),
        decides,
        SetMatch::Words(pattern),
    ) {
        rule.justification = justification;
    }
    Ok(())
}

/// A command that a rule has to match, or must not.
struct Example {
    at: Spot,
    words: Vec<String>,
    pattern: Vec<Vec<String>>,
    wanted: bool,
}

impl Example {
    fn holds(&self, draft: &Draft<'_>) -> Result<(), ImportFault> {
        let mut words = self.words.clone();
        // A path is the program of its name, unless other paths are listed for that.
        if let Some(first) = words.first_mut()
            && first.starts_with('/')
            && let Some(name) = first.rsplit('/').next().map(str::to_owned)
            && draft
                .set
                .executables
                .get(&name)
                .is_none_or(|paths| paths.contains(first))
        {
            *first = name;
        }
        if [&self.words, &words]
            .iter()
            .any(|words| begins(words, &self.pattern))
            == self.wanted
        {
            return Ok(());
        }
        let shown = self.words.join(" ");
        Err(fault(
            self.at,
            if self.wanted {
                format!("the rule does not match its example `{shown}`")
            } else {
                format!("the rule matches `{shown}`, which it must not")
            },
        ))
    }
}

fn shown(pattern: &[Vec<String>], decision: Decision) -> String {
    let word = |word: &String| format!("{word:?}");
    let tokens: Vec<String> = pattern
        .iter()
        .map(|alternatives| match alternatives.as_slice() {
            [one] => word(one),
            many => format!("[{}]", many.iter().map(word).collect::<Vec<_>>().join(", ")),
        })
        .collect();
    let decision = match decision {
        Decision::Allow => "allow",
        Decision::Ask => "prompt",
        Decision::Deny => "forbidden",
    };
    format!("prefix_rule([{}], {decision})", tokens.join(", "))
}

/// Each token, or its alternatives.
fn tokens(at: Spot, value: &Literal) -> Result<Vec<Vec<String>>, ImportFault> {
    let Literal::List(items) = value else {
        return Err(fault(at, "`pattern` has to be a list"));
    };
    if items.is_empty() {
        return Err(fault(at, "`pattern` is empty"));
    }
    items
        .iter()
        .map(|(at, item)| match item {
            Literal::Text(token) => Ok(vec![token.clone()]),
            Literal::List(alternatives) if !alternatives.is_empty() => alternatives
                .iter()
                .map(|(at, each)| text(*at, "an alternative", each).map(str::to_owned))
                .collect(),
            _ => Err(fault(*at, "a token has to be a text or a list of texts")),
        })
        .collect()
}

fn example(at: Spot, value: &Literal) -> Result<Vec<String>, ImportFault> {
    match value {
        Literal::Text(text) => split_quoted(text)
            .filter(|words| !words.is_empty())
            .ok_or_else(|| fault(at, "the example cannot be taken apart into words")),
        Literal::List(items) if !items.is_empty() => items
            .iter()
            .map(|(at, each)| text(*at, "a word", each).map(str::to_owned))
            .collect(),
        _ => Err(fault(at, "an example has to be a text or a list of texts")),
    }
}

fn begins(words: &[String], pattern: &[Vec<String>]) -> bool {
    words.len() >= pattern.len()
        && pattern
            .iter()
            .zip(words)
            .all(|(alternatives, word)| alternatives.contains(word))
}

fn host_executable(call: &Call, draft: &mut Draft<'_>) -> Result<(), ImportFault> {
    let mut name = None;
    let mut listed = None;
    for (key, at, value) in arguments(call, &["name", "paths"])? {
        match (key, value) {
            ("name", _) => name = Some(text(at, key, value)?.to_owned()),
            (_, Literal::List(items)) => {
                let paths = items
                    .iter()
                    .map(|(at, each)| text(*at, "a path", each).map(|path| (*at, path.to_owned())));
                listed = Some(paths.collect::<Result<Vec<_>, _>>()?);
            }
            _ => return Err(fault(at, "`paths` has to be a list")),
        }
    }
    let (Some(name), Some(listed)) = (name, listed) else {
        return Err(fault(call.at, "`host_executable` needs `name` and `paths`"));
    };
    let mut paths = Vec::new();
    for (at, path) in listed {
        let full = match (path.strip_prefix("~/"), draft.around.home) {
            (Some(rest), Some(home)) => format!("{home}/{rest}"),
            _ => path.clone(),
        };
        if !full.starts_with('/') || full.rsplit('/').next() != Some(&name) {
            return Err(fault(
                at,
                format!("`{path}` is no absolute path of a program `{name}`"),
            ));
        }
        paths.push(full);
    }
    draft.set.executables.entry(name).or_default().extend(paths);
    Ok(())
}

fn network_rule(call: &Call, draft: &mut Draft<'_>) -> Result<(), ImportFault> {
    let order = ["host", "protocol", "decision", "justification"];
    let mut decides = None;
    let mut host = None;
    for (name, at, value) in arguments(call, &order)? {
        match (name, value) {
            ("decision", Literal::Text(word)) if word == "deny" => decides = Some(Decision::Deny),
            ("decision", _) => decides = Some(decision(at, value)?),
            ("host", _) => host = Some(text(at, name, value)?),
            _ => {}
        }
    }
    let (Some(decides), Some(host)) = (decides, host) else {
        return Err(fault(
            call.at,
            "`network_rule` needs `host`, `protocol` and `decision`",
        ));
    };
    let message = "a rule about hosts, which the sandbox of Codex keeps: not one about commands";
    match decides {
        Decision::Allow => draft.note(
            Grade::Aside,
            call.at,
            format!("network_rule {host}"),
            message,
        ),
        _ => draft.note(
            Grade::Lost,
            call.at,
            format!("network_rule {host}"),
            message,
        ),
    }
    Ok(())
}
