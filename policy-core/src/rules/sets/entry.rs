//! One rule of a set, compiled: how it is tried, and what the texts that it matches begin with.

use alloc::{format, string::String, vec::Vec};

use super::super::{
    book::{Rule, RuleSource},
    parse::{Parsed, Pattern},
    pattern::{Matcher, PatternFault},
    shape::{Origin, RuleSet, SetMatch, SetRule},
};
use crate::facts::Mode;

/// How a pattern over the call as JSON begins when it is about the command from its start.
pub(super) const JSON_LEAD: &str = "\"command\":\"";
/// Longest literal beginning that rules are found by, in bytes.
pub(super) const LONGEST_KEY: usize = 24;

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) rule: Rule,
    pub(super) test: Test,
    pub(super) modes: Vec<Mode>,
    pub(super) whole_line: bool,
    pub(super) wildcard: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Test {
    Text(Matcher),
    /// On the text as the inside of a JSON string, and what ends the call.
    Command(Matcher),
    /// On the whole call as JSON.
    Call(Matcher),
    Words(Vec<Vec<String>>),
}

/// Where characters end, up to the longest key.
pub(super) fn ends(text: &str) -> impl Iterator<Item = usize> {
    text.char_indices()
        .map(|(at, each)| at + each.len_utf8())
        .take_while(|end| *end <= LONGEST_KEY)
}

impl Test {
    pub(super) fn new(matches: &SetMatch) -> Result<Self, PatternFault> {
        Ok(match matches {
            SetMatch::Glob(text) => Self::Text(Matcher::glob(text, false)?),
            SetMatch::Wild(text) => Self::Text(Matcher::glob(text, true)?),
            SetMatch::Regex(text) => Self::Text(Matcher::new(text)?),
            SetMatch::Words(words) if words.is_empty() || words.iter().any(Vec::is_empty) => {
                return Err(PatternFault {
                    message: "there are no words".into(),
                    at: 0,
                });
            }
            SetMatch::Words(words) => Self::Words(words.clone()),
            SetMatch::Json(text) => {
                let matcher = Matcher::new(text)?;
                match matcher.after(JSON_LEAD) {
                    Some(rest) => Self::Command(rest),
                    None => Self::Call(matcher),
                }
            }
        })
    }

    /// What the texts it matches begin with.
    pub(super) fn keys(&self, rule: &SetRule) -> Vec<String> {
        let cut = |text: &str| {
            String::from(
                text.get(..ends(text).last().unwrap_or(0))
                    .unwrap_or_default(),
            )
        };
        match self {
            _ if rule.whole_line => alloc::vec![String::new()],
            Self::Text(matcher) | Self::Command(matcher) => alloc::vec![cut(matcher.start())],
            Self::Call(_) => alloc::vec![String::new()],
            Self::Words(words) => words
                .first()
                .map(Vec::as_slice)
                .unwrap_or_default()
                .iter()
                .map(|word| cut(word))
                .collect(),
        }
    }

    pub(super) fn is_nameless(&self) -> bool {
        match self {
            Self::Text(matcher) | Self::Command(matcher) => matcher.start().is_empty(),
            Self::Call(_) => true,
            Self::Words(_) => false,
        }
    }
}

/// Text as the inside of a JSON string, as `JSON.stringify` writes it; a gap stays one.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for each in text.chars() {
        match each {
            '"' | '\\' => out.extend(['\\', each]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{1}'..='\u{1f}' => out.push_str(&format!("\\u{:04x}", u32::from(each))),
            other => out.push(other),
        }
    }
    out
}

pub(super) fn is_wildcard(rule: &SetRule) -> bool {
    match &rule.matches {
        SetMatch::Glob(text) => text.contains('*'),
        SetMatch::Wild(text) => text.contains(['*', '?']),
        SetMatch::Words(_) | SetMatch::Regex(_) | SetMatch::Json(_) => true,
    }
}

pub(super) fn rule_of(set: &RuleSet, rule: &SetRule) -> Rule {
    Rule {
        source: RuleSource {
            text: rule.rule.clone(),
            decision: rule.decision,
            layer: set.layer,
            justification: rule.justification.clone(),
        },
        parsed: Parsed {
            content: rule.rule.clone(),
            raw: rule.rule.clone(),
            pattern: Pattern::Foreign(set.vendor.clone()),
        },
        origin: Some(Origin {
            file: set.file.clone(),
            line: rule.line,
            column: rule.column,
        }),
    }
}
