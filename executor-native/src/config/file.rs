//! The shape of `portcullis.toml` and `portcullis.json`.

use policy_core::{Analysis, LayerConfig, RuleSet, facts::Mode};
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
    /// The rules. Deny beats ask beats allow, whatever the order and the file.
    #[serde(skip_serializing_if = "is_empty")]
    #[schemars(with = "super::schema::Rules")]
    pub rules: LayerConfig,
    /// Rules of other tools, a set for each of their files, as `portcullis rules import` writes them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<super::schema::Set>")]
    pub rule_sets: Vec<RuleSet>,
    /// Commands that are not known, or are known otherwise: the format of the built-in specs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<serde_json::Map<String, serde_json::Value>>,
}

fn is_empty(rules: &LayerConfig) -> bool {
    rules.allow.is_empty() && rules.ask.is_empty() && rules.deny.is_empty()
}
