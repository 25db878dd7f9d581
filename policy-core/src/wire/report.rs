//! What `parse` and `explain` answer: the command as the policy sees it, as data.
//!
//! Rendering (colours, columns, escapes) is the business of whoever shows it; the text of a command is hostile.

use alloc::{string::String, vec::Vec};
use serde::Serialize;

use super::{Parse, Reason};
use crate::{decision::Decision, effect::Effect, span::Span, specs::model::Kind};

/// The invocations of a text.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ParseReport {
    /// How the text was read.
    pub parse: Parse,
    /// What is wrong with it, when something is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Reason>,
    /// In the order of the text.
    pub invocations: Vec<InvocationReport>,
    /// Redirects that belong to no single invocation.
    pub redirects: Vec<RedirectReport>,
    /// What makes the text not permission-safe.
    pub hazards: Vec<HazardReport>,
}

/// One invocation.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InvocationReport {
    /// Its source.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Its words after expansion.
    pub argv: Vec<WordReport>,
    /// Assignments before it.
    pub assignments: Vec<AssignmentReport>,
    /// Its redirects.
    pub redirects: Vec<RedirectReport>,
    /// What stands before it: `start`, `sequence`, `and`, `or`, `pipe`, `pipeBoth`, `background`.
    pub connector: &'static str,
    /// Where in the structure: `top`, `compound`, `substitution`, `wrapped`, `script`.
    pub site: &'static str,
    /// The invocation it is nested in, by position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// Wrappers that were looked through, outermost first.
    pub wrappers: Vec<String>,
    /// The working directory where it is known to have changed; `null` when it is not known.
    pub cwd: Option<String>,
}

/// A word.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WordReport {
    /// `exact`, `oneOf`, `prefix`, `unknown` (one argument) or `many` (any number).
    pub kind: &'static str,
    /// The value, the values, or the text it begins with.
    pub values: Vec<String>,
    /// Its source.
    pub span: Span,
}

/// An assignment.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AssignmentReport {
    /// The variable.
    pub name: String,
    /// What is assigned.
    pub value: WordReport,
}

/// A redirect.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RedirectReport {
    /// `read`, `write`, `nothing` or `network`.
    pub kind: &'static str,
    /// File or host; none for `nothing`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<WordReport>,
    /// Operator and target.
    pub span: Span,
}

/// A hazard.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HazardReport {
    /// Its reason code.
    pub code: crate::diagnostic::Code,
    /// The offending text, short.
    pub what: String,
    /// Where.
    pub span: Span,
}

/// Why a command is answered as it is, part by part.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The command.
    pub command: String,
    /// The answer.
    pub decision: Decision,
    /// The reason that decided.
    pub reason: Reason,
    /// How the text was read.
    pub parse: Parse,
    /// Parts with a reason of their own, by place.
    pub spans: Vec<ExplainedSpan>,
}

/// A part of the command and what is said of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplainedSpan {
    /// Where.
    pub span: Span,
    /// `command`, `redirect`, `hazard` or `text` (all of it).
    pub part: &'static str,
    /// The answer for it.
    pub decision: Decision,
    /// Why.
    pub reason: Reason,
    /// What a command is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// Which effects a command has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
    /// The texts that rules are matched on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<String>,
}
