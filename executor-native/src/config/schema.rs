//! The JSON Schema of the configuration, made from its types.

use schemars::{JsonSchema, generate::SchemaSettings};

use super::File;

/// The names of the modes, those of other tools included.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum ModeName {
    Plan,
    Build,
    Edit,
    Yolo,
    DontAsk,
    Default,
    Manual,
    AcceptEdits,
    BypassPermissions,
    Bypass,
}

/// The names of the analyses.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum AnalysisName {
    Strict,
    Deep,
}

/// Rules by what they decide.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct Rules {
    /// Runs without a question.
    allow: Option<Vec<Rule>>,
    /// Asks, whatever allows it.
    ask: Option<Vec<Rule>>,
    /// Never runs.
    deny: Option<Vec<Rule>>,
}

/// A rule: its text alone, or with the reason for it and examples that are checked when the file is read.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum Rule {
    /// Exact, `prefix:*`, with `*`, or `prompt: words`.
    Text(String),
    /// With details.
    Full(FullRule),
}

/// A rule with details.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct FullRule {
    /// The rule's text.
    rule: String,
    /// Why it is there; shown when it decides.
    justification: Option<String>,
    /// Commands it must match.
    #[schemars(rename = "match")]
    matches: Option<Vec<String>>,
    /// Commands it must not match.
    no_match: Option<Vec<String>>,
}

/// The schema, in draft-07, which editors' TOML plug-ins understand.
#[must_use]
pub fn schema() -> serde_json::Value {
    let mut schema = SchemaSettings::draft07()
        .into_generator()
        .into_root_schema_for::<File>();
    schema.insert("title".into(), "Portcullis configuration".into());
    schema.to_value()
}
