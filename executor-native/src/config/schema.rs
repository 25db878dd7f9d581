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

/// The rules of one file of another tool.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct Set {
    /// The tool.
    vendor: String,
    /// Its file.
    file: String,
    /// Which of the rules that match decides.
    resolution: Resolution,
    /// What an assignment in front of a command does.
    assignments: Option<Assignments>,
    /// Its allow rules count only in plain texts.
    plain_only: Option<bool>,
    /// The text as a whole is tried too.
    whole_text: Option<bool>,
    /// Its allow rules never count.
    tighten_only: Option<bool>,
    /// Commands that only an allow rule without a wildcard may allow.
    exact_only: Option<Vec<Vec<String>>>,
    /// Paths by which a command is the program of that name.
    executables: Option<std::collections::BTreeMap<String, Vec<String>>>,
    /// The rules, in the order of the file.
    rules: Vec<SetRule>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
enum Resolution {
    Strictest,
    Priority,
    LastMatch,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
enum Assignments {
    Strip,
    Keep,
    Never,
}

/// One rule of another tool.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct SetRule {
    /// As written there.
    rule: String,
    /// What it decides.
    decision: DecisionName,
    /// What it matches.
    #[schemars(rename = "match")]
    matches: SetMatch,
    /// Its line there.
    line: Option<u32>,
    /// Its column there.
    column: Option<u32>,
    /// The greater comes first.
    priority: Option<i64>,
    /// Why it is there.
    justification: Option<String>,
    /// The modes in which it counts.
    modes: Option<Vec<ModeName>>,
    /// It is matched on the whole text.
    whole_line: Option<bool>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
enum DecisionName {
    Allow,
    Ask,
    Deny,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
enum SetMatch {
    /// The whole text of a command, `*` any text.
    Glob(String),
    /// The same, and `?` any character.
    Wild(String),
    /// The first words, each one of these.
    Words(Vec<Vec<String>>),
    /// A regular expression on the text.
    Regex(String),
    /// A regular expression on the call as JSON.
    Json(String),
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
