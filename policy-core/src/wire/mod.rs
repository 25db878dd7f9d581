//! The shapes on every boundary: camelCase JSON, unknown fields refused on the way in.
//!
//! The same types make the JSON of the CLI, the wasm module, Node and Rust. Spans are UTF-8 byte offsets here; the
//! JavaScript binding asks for UTF-16 offsets instead ([`Verdict::spans_to_utf16`]).

pub mod config;
pub mod json;
pub mod report;
pub mod request;
pub mod utf16;

use alloc::{collections::BTreeMap, string::String, vec::Vec};
use serde::{Deserialize, Serialize};

use crate::{
    decision::Decision,
    diagnostic::Code,
    effect::{Effect, Place},
    facts::Facts,
    rules::shape::Origin,
    span::Span,
    specs::model::Kind,
};

/// One question: a command, the facts around it, and rules for it alone.
///
/// Read from JSON, unknown keys are refused by name (`request`).
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// The command text.
    pub command: String,
    /// The facts, flat beside the command on the wire.
    #[serde(flatten)]
    pub facts: Facts,
    /// Which analysis; default deep.
    pub analysis: Analysis,
    /// Rules that count for this request only (the command-line layer).
    #[serde(flatten)]
    pub rules: RuleLists,
    /// What a hook of the host said, if one was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hook: Option<Decision>,
    /// Answers to prompt rules asked before: question id to "it matches".
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, bool>,
    /// What the JSON left out, for the policy's settings to fill; nothing for a request built in Rust.
    #[serde(skip)]
    pub left_out: request::LeftOut,
}

/// Rules as texts, by what they decide.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct RuleLists {
    /// Allowed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<String>,
    /// Asked about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ask: Vec<String>,
    /// Denied.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deny: Vec<String>,
}

/// Which analysis decides what is permission-safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Analysis {
    /// Only lists, and-or lists and pipelines of static words.
    Strict,
    /// Follows compound commands, substitutions and known variables.
    #[default]
    Deep,
}

/// The answer.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// allow, ask or deny.
    pub decision: Decision,
    /// The reason that decided.
    pub reason: Reason,
    /// What the command as a whole may do.
    pub capability: Capability,
    /// How the text was read.
    pub parse: Parse,
    /// Every invocation that would run, nested ones too, in the order of the text.
    pub commands: Vec<CommandVerdict>,
    /// Rules that "always allow" would store.
    pub suggestions: Vec<Suggestion>,
    /// Under which circumstances the verdict holds.
    pub conditions: Conditions,
    /// Prompt rules that a classifier of the host may answer.
    pub questions: Vec<Question>,
}

impl Verdict {
    /// The careful answer when nothing could be judged: ask, with `code` ([`Code::EngineFault`] or [`Code::RequestInvalid`])
    /// over the whole of `command`.
    #[must_use]
    pub fn careful(command: &str, code: Code, message: String) -> Self {
        Self {
            decision: Decision::Ask,
            reason: Reason {
                code,
                message,
                span: Span::new(0, command.len()),
                rule: None,
                from: None,
            },
            capability: Capability {
                read_only: false,
                needs_approval: true,
                risk_level: RiskLevel::High,
                side_effect_scope: SideEffectScope::System,
            },
            parse: Parse {
                status: ParseStatus::Error,
                permission_safe: false,
                unsupported: Vec::new(),
                incomplete: false,
            },
            commands: Vec::new(),
            suggestions: Vec::new(),
            conditions: Conditions::default(),
            questions: Vec::new(),
        }
    }
}

/// Why.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reason {
    /// One of the closed list.
    pub code: Code,
    /// One line in words.
    pub message: String,
    /// Where in the command.
    pub span: Span,
    /// The rule that decided, as written.
    pub rule: Option<String>,
    /// Where that rule was written, when it is one of another tool's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Origin>,
}

/// What the command as a whole may do.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Capability {
    /// It only reads.
    pub read_only: bool,
    /// It needs a yes.
    pub needs_approval: bool,
    /// low, medium or high.
    pub risk_level: RiskLevel,
    /// How far its effects reach.
    pub side_effect_scope: SideEffectScope,
}

/// How much may go wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum RiskLevel {
    /// It only reads.
    Low,
    /// Known file operations inside the workspace.
    Medium,
    /// Everything else.
    High,
}

/// How far effects reach.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum SideEffectScope {
    /// None.
    None,
    /// Files of the workspace.
    Workspace,
    /// Other machines, reading only.
    Network,
    /// Anything.
    System,
}

/// How the text was read.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Parse {
    /// ok, error, tooLong or tooComplex.
    pub status: ParseStatus,
    /// Its parts may be judged one by one.
    pub permission_safe: bool,
    /// Constructs that the chosen analysis does not follow, as slugs.
    pub unsupported: Vec<String>,
    /// The text ended inside a quote, a substitution or a compound command.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub incomplete: bool,
}

/// See [`crate::syntax::Status`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ParseStatus {
    /// Read whole.
    Ok,
    /// Not valid, or the readers disagree.
    Error,
    /// Too many characters.
    TooLong,
    /// Too many or too deep parts.
    TooComplex,
}

/// One invocation, judged.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CommandVerdict {
    /// Its source.
    pub text: String,
    /// Its words; `null` for a word that is only known when it runs.
    pub argv: Vec<Option<String>>,
    /// Where it stands.
    pub span: Span,
    /// It only reads.
    pub read_only: bool,
    /// What it is for.
    pub kind: Kind,
    /// Which effects it has, a set.
    pub effects: Vec<Effect>,
    /// What the effects fall on, where known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<Target>,
    /// The answer for it alone.
    pub decision: Decision,
    /// Why.
    pub reason: Reason,
    /// The normalised texts that rules were matched on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<String>,
}

/// What an effect falls on.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    /// Which effect.
    pub effect: Effect,
    /// The path or host.
    pub target: String,
    /// Where a path lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// A rule that could be stored.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    /// The rule text.
    pub rule: String,
    /// prefix or exact.
    pub scope: SuggestionScope,
    /// Indices into `commands` that it would allow.
    pub covers: Vec<usize>,
}

/// How wide a suggested rule is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum SuggestionScope {
    /// `prefix:*`
    Prefix,
    /// The whole command, letter for letter.
    Exact,
}

/// Under which circumstances the verdict holds.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Conditions {
    /// Environment variables that must be set for the command.
    pub env: BTreeMap<String, String>,
}

/// A prompt rule that may match; the host's classifier answers by id.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// Stable for the rule and command.
    pub id: String,
    /// The words of the rule.
    pub prompt: String,
    /// What a yes would decide.
    pub decision: Decision,
}
