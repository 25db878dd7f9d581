//! The rules that "always allow" would store.
//!
//! For each part that needs a rule, the stable prefix that names what it does (`npm test:*`), at most five; where one
//! cannot be found, the whole command letter for letter. Promises that a suggestion is true: stored, it allows this
//! very command (the caller's `verify` is asked). May suggest, never permit: nothing here is read by `decide`'s stages.

mod prefix;
pub mod registry;

pub use registry::Registry;

use alloc::{string::String, vec::Vec};

use crate::{
    command::model::{Invocation, Value},
    diagnostic::Code,
    rules::parse::{Pattern, parse},
    sorted,
    specs::{SpecSet, model::Kind},
    wire::{Suggestion, SuggestionScope},
};

/// Most rules suggested for one command.
const MOST: usize = 5;

/// A part that needs a rule.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// Its position in the verdict's `commands`.
    pub index: usize,
    /// The part.
    pub invocation: &'a Invocation,
    /// Its words as a rule would name them (assignments that act in front); `None` when no prefix rule counts for it.
    pub form: Option<&'a [Value]>,
    /// The same without harmless global options.
    pub short: Option<&'a [Value]>,
    /// What it is for.
    pub kind: Kind,
    /// Why it is not read-only.
    pub why: Code,
    /// A prefix rule may allow it at all.
    pub prefix: bool,
}

/// Suggests rules for the parts of `text` that need one; `verify` tells whether these rules, stored, allow the text.
#[must_use]
pub fn suggest(
    text: &str,
    items: &[Item<'_>],
    specs: &SpecSet,
    registry: Option<&Registry>,
    verify: &dyn Fn(&[String]) -> bool,
) -> Vec<Suggestion> {
    if items.iter().any(|item| holds_secret(item.invocation)) {
        return Vec::new();
    }
    if let Some(found) = prefixes(items, specs, registry) {
        let rules: Vec<String> = found
            .iter()
            .map(|suggestion| suggestion.rule.clone())
            .collect();
        if verify(&rules) {
            return found;
        }
    }
    exact(text, items)
        .filter(|suggestion| verify(core::slice::from_ref(&suggestion.rule)))
        .into_iter()
        .collect()
}

/// A rule for each part; `None` when one has none or there are too many.
fn prefixes(
    items: &[Item<'_>],
    specs: &SpecSet,
    registry: Option<&Registry>,
) -> Option<Vec<Suggestion>> {
    let mut found: Vec<(Suggestion, Vec<String>)> = Vec::new();
    for item in items {
        let (rule, scope, words) = prefix::rule_for(item, specs, registry)?;
        match found.iter_mut().find(|(old, _)| old.rule == rule) {
            Some((old, _)) => old.covers.push(item.index),
            None => found.push((
                Suggestion {
                    rule,
                    scope,
                    covers: alloc::vec![item.index],
                },
                words,
            )),
        }
    }
    // A narrower rule says nothing that a wider one in the list does not.
    let mut kept: Vec<(Suggestion, Vec<String>)> = Vec::new();
    for (at, (suggestion, words)) in found.iter().enumerate() {
        let wider = found.iter().enumerate().find(|(other, (wide, start))| {
            *other != at
                && wide.scope == SuggestionScope::Prefix
                && words.len() > start.len()
                && words.starts_with(start)
        });
        if wider.is_none() {
            kept.push((suggestion.clone(), words.clone()));
        }
    }
    for (suggestion, words) in &found {
        if let Some((wide, _)) = kept.iter_mut().find(|(wide, start)| {
            wide.scope == SuggestionScope::Prefix
                && words.len() > start.len()
                && words.starts_with(start)
        }) {
            wide.covers.extend(&suggestion.covers);
        }
    }
    (!kept.is_empty() && kept.len() <= MOST).then(|| {
        kept.into_iter()
            .map(|(mut suggestion, _)| {
                sorted::sort(&mut suggestion.covers);
                suggestion
            })
            .collect()
    })
}

/// The whole command, letter for letter. Not offered when a rule cannot be one line.
fn exact(text: &str, items: &[Item<'_>]) -> Option<Suggestion> {
    let text = text.trim();
    if text.is_empty() || text.contains(['\n', '\r', '\0']) {
        return None;
    }
    let mut rule = text.replace('*', "\\*");
    // What would be read as something else keeps its meaning inside `Bash(…)`.
    let same = |rule: &str| {
        parse(rule).is_ok_and(|parsed| {
            parsed.content == text && matches!(parsed.pattern, Pattern::Exact(_))
        })
    };
    if !same(&rule) {
        rule = alloc::format!("Bash({rule})");
    }
    same(&rule).then(|| Suggestion {
        rule,
        scope: SuggestionScope::Exact,
        covers: items.iter().map(|item| item.index).collect(),
    })
}

/// Whether a stored rule would store a password or token with it.
fn holds_secret(invocation: &Invocation) -> bool {
    let secret = |name: &str| {
        let name = name.to_ascii_uppercase();
        [
            "TOKEN",
            "SECRET",
            "PASSWORD",
            "PASSWD",
            "APIKEY",
            "API_KEY",
            "ACCESS_KEY",
            "PRIVATE_KEY",
            "CREDENTIAL",
        ]
        .iter()
        .any(|part| name.contains(part))
            || name.ends_with("_PAT")
            || name == "PAT"
    };
    let assigned = invocation
        .assignments
        .iter()
        .any(|assignment| secret(&assignment.name));
    let passed = invocation
        .argv
        .iter()
        .filter_map(|arg| arg.value.exact())
        .any(|word| {
            word.split_once('=').is_some_and(|(name, value)| {
                !value.is_empty()
                    && name
                        .chars()
                        .all(|each| each.is_ascii_alphanumeric() || "-_".contains(each))
                    && secret(name)
            })
        });
    assigned || passed
}
