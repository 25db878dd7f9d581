//! The shape of `portcullis.toml` and `portcullis.json`.

use policy_core::facts::Mode;
use policy_core::wire::Analysis;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One configuration file. Every key may be left out; an unknown one is an error.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct File {
    /// Where the schema of this file is, for editors.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// How freely commands may run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<super::schema::ModeName>")]
    pub mode: Option<Mode>,
    /// Which analysis decides what may be judged part by part.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<super::schema::AnalysisName>")]
    pub analysis: Option<Analysis>,
    /// Ask about a service's own reading commands (`gh pr list`) too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask_network: Option<bool>,
    /// Read paths that hold credentials without a question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_sensitive_reads: Option<bool>,
    /// The rules.
    #[serde(skip_serializing_if = "RuleLists::is_empty")]
    pub rules: RuleLists,
    /// Commands that are not known, or are known otherwise: the format of the built-in specs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<serde_json::Map<String, serde_json::Value>>,
}

/// Rules by what they decide. Deny beats ask beats allow, whatever the order and the file.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct RuleLists {
    /// Runs without a question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<RuleEntry>,
    /// Asks, whatever allows it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ask: Vec<RuleEntry>,
    /// Never runs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deny: Vec<RuleEntry>,
}

impl RuleLists {
    /// No rule in any list.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.allow.is_empty() && self.ask.is_empty() && self.deny.is_empty()
    }
}

/// A rule: its text alone, or with the reason for it and examples that are checked when the file is read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RuleEntry {
    /// `"npm test:*"`
    Text(String),
    /// `{ rule = "git push:*", because = "…", match = ["git push"], noMatch = ["git pull"] }`
    Full(FullRule),
}

/// A rule with its reason and examples.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FullRule {
    /// The rule's text: exact, `prefix:*`, with `*`, or `prompt: words`.
    pub rule: String,
    /// Why it is there; shown when it decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// Commands it must match.
    #[serde(default, rename = "match", skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<String>,
    /// Commands it must not match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub no_match: Vec<String>,
}

impl RuleEntry {
    /// The rule's text.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Full(full) => &full.rule,
        }
    }
}
