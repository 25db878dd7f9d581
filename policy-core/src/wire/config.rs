//! What a policy is made from: rules by layer, settings, and the faults found in them.
//!
//! The host reads files and hands their content over in this shape; nothing half-read ever becomes a policy.

use alloc::{string::String, vec::Vec};
use core::fmt;
use serde::{Deserialize, Serialize};

use super::Analysis;
use crate::{
    decision::{Decision, Layer},
    facts::Mode,
    rules::shape::RuleSet,
    span::Span,
};

/// The configuration of a policy. Unknown keys are refused.
///
/// ```
/// use policy_core::{Policy, PolicyConfig, Request};
/// let config: PolicyConfig = serde_json::from_str(r#"{"user": {"allow": ["npm test:*"], "deny": [{"rule": "git push:*", "justification": "the release job pushes"}]}}"#).unwrap();
/// let policy = Policy::new(config).unwrap();
/// let verdict = policy.evaluate(&Request { command: "git push".into(), ..Request::default() });
/// # let _ = verdict;
/// ```
#[derive(Clone, PartialEq, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PolicyConfig {
    /// The administrator's rules: their deny and ask cannot be loosened, not even by a hook.
    pub managed: LayerConfig,
    /// Rules of this call (the command line, the session).
    pub command_line: LayerConfig,
    /// The git-ignored file beside the project's.
    pub local: LayerConfig,
    /// The project's file.
    pub project: LayerConfig,
    /// The user's own file.
    pub user: LayerConfig,
    /// Rules of other tools, a set for each of their files. The strictest answer of all sets and rules holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rule_sets: Vec<RuleSet>,
    /// Defaults for requests that leave them out.
    pub settings: Settings,
    /// Specs of commands that are not known, or are known otherwise, in the format of the built-in ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<serde_json::Value>,
}

/// The rules of one layer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct LayerConfig {
    /// Allowed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<RuleEntry>,
    /// Asked about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ask: Vec<RuleEntry>,
    /// Denied.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deny: Vec<RuleEntry>,
}

/// A rule: its text alone, or with details.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub enum RuleEntry {
    /// The text.
    Text(String),
    /// The text and more.
    Full(RuleDetails),
}

/// A rule with its details.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RuleDetails {
    /// The rule text.
    pub rule: String,
    /// Why it is there; shown with the verdict.
    #[serde(default, alias = "because", skip_serializing_if = "Option::is_none")]
    pub justification: Option<String>,
    /// Commands it must match; checked when the policy is made.
    #[serde(default, rename = "match", skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<String>,
    /// Commands it must not match; checked when the policy is made.
    #[serde(default, alias = "notMatch", skip_serializing_if = "Vec::is_empty")]
    pub no_match: Vec<String>,
}

impl RuleEntry {
    /// The rule text.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Full(details) => &details.rule,
        }
    }
}

impl From<&str> for RuleEntry {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

/// Defaults for requests that leave these keys out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Settings {
    /// How freely commands may run; default build.
    pub mode: Mode,
    /// Which analysis; default deep.
    pub analysis: Analysis,
    /// Ask about the reading verbs of services (`gh pr list`).
    pub ask_network: bool,
    /// Allow reading sensitive paths without a question.
    pub allow_sensitive_reads: bool,
}

/// A fault in a configuration: which entry, and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConfigFault {
    /// The layer of a rule; none for a command spec.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<Layer>,
    /// In which of its lists; none for a command spec.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<Decision>,
    /// The file of the rule set, for a rule of another tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// Position in the list (of rules, of the rules of a set, or of command specs), from 0.
    pub index: usize,
    /// The rule as written; the name of the command for a spec.
    pub rule: String,
    /// One line, lower case, input in backticks.
    pub message: String,
    /// What to write instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Where in the rule text.
    pub span: Span,
}

impl fmt::Display for ConfigFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = match self.list {
            Some(Decision::Allow) => "allow",
            Some(Decision::Ask) => "ask",
            Some(Decision::Deny) => "deny",
            None if self.set.is_some() => "rule",
            None => "commands",
        };
        let layer = match self.layer {
            Some(Layer::Managed) => " of the managed rules",
            Some(Layer::CommandLine) => " of the command line",
            Some(Layer::Local) => " of the local rules",
            Some(Layer::Project) => " of the project's rules",
            Some(Layer::User) => " of the user's rules",
            None => "",
        };
        write!(out, "{list}[{}]{layer}", self.index)?;
        if let Some(file) = &self.set {
            write!(out, " of the rule set of `{file}`")?;
        }
        write!(out, ", `{}`: {}", self.rule, self.message)?;
        match &self.help {
            Some(help) => write!(out, " ({help})"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for ConfigFault {}
