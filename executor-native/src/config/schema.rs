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

/// The schema, in draft-07, which editors' TOML plug-ins understand.
#[must_use]
pub fn schema() -> serde_json::Value {
    let mut schema = SchemaSettings::draft07()
        .into_generator()
        .into_root_schema_for::<File>();
    schema.insert("title".into(), "Portcullis configuration".into());
    schema.to_value()
}
