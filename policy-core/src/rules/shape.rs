//! Rules of another tool, as data: the set of one file, with that tool's own way to match and to choose among its rules.
//!
//! Importers make these from a vendor's file, a configuration keeps them, `sets` decides by them. Nothing is flattened: an ordered file stays
//! ordered, tokens stay tokens. Each rule keeps its file, line and column, so that a verdict can name them.

use alloc::{collections::BTreeMap, string::String, vec::Vec};
use serde::{Deserialize, Serialize};

use crate::{
    decision::{Decision, Layer},
    facts::Mode,
};

/// The rules of one file of another tool.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RuleSet {
    /// The tool it comes from: `claude`, `codex`, `gemini`, `opencode`, `vscode` or another word.
    pub vendor: String,
    /// The file it comes from, for people.
    pub file: String,
    /// Where it counts; default the user's rules.
    #[serde(default = "user", skip_serializing_if = "is_user")]
    pub layer: Layer,
    /// Which of the rules that match decides.
    pub resolution: Resolution,
    /// What an assignment in front of a command (`A=1 npm test`) does; default strip.
    #[serde(default, skip_serializing_if = "is_default")]
    pub assignments: Assignments,
    /// Its allow rules count only in a text of plain words joined by `&&`, `||`, `;` and `|`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub plain_only: bool,
    /// The text as a whole is tried too, and a stricter answer for it counts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub whole_text: bool,
    /// Its allow rules never count: a project's file that nobody has trusted.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tighten_only: bool,
    /// Commands (first word, then words that have to be among the rest) that only an allow rule without a wildcard may allow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exact_only: Vec<Vec<String>>,
    /// Paths by which a command is the program of that name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub executables: BTreeMap<String, Vec<String>>,
    /// The rules, in the order of the file.
    pub rules: Vec<SetRule>,
}

/// One rule of a set.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetRule {
    /// As written in its file, for people.
    pub rule: String,
    /// What it decides.
    pub decision: Decision,
    /// What it matches.
    #[serde(rename = "match")]
    pub matches: SetMatch,
    /// Its line in the file, from 1; 0 when not known.
    #[serde(default, skip_serializing_if = "is_default")]
    pub line: u32,
    /// Its column, from 1; 0 when not known.
    #[serde(default, skip_serializing_if = "is_default")]
    pub column: u32,
    /// For the resolution `priority`: the greater comes first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub priority: i64,
    /// Why it is there; shown with the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub justification: Option<String>,
    /// The modes in which it counts; all when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<Mode>,
    /// It is matched on the whole text instead of each command.
    #[serde(default, skip_serializing_if = "is_default")]
    pub whole_line: bool,
}

/// What a rule of a set matches.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum SetMatch {
    /// The whole text of a command, `*` any text; a trailing ` *` may be missing.
    Glob(String),
    /// The same, and `?` is any character.
    Wild(String),
    /// The first words, each one of these.
    Words(Vec<Vec<String>>),
    /// A regular expression looked for in the text of a command; `(?i)` may stand first.
    Regex(String),
    /// A regular expression looked for in `{"command":"…"}`, the text of the command as a JSON string.
    Json(String),
}

/// Which of the rules that match decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Resolution {
    /// The strictest: deny over ask over allow, wherever they stand.
    Strictest,
    /// The one of the greatest priority; of equal ones the first.
    Priority,
    /// The last in the file.
    LastMatch,
}

/// What an assignment in front of a command does to the rules of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Assignments {
    /// Allow rules see the command without harmless ones, deny and ask rules without any.
    #[default]
    Strip,
    /// It is part of the text.
    Keep,
    /// No allow rule counts.
    Never,
}

const fn user() -> Layer {
    Layer::User
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the shape serde asks for"
)]
fn is_user(layer: &Layer) -> bool {
    *layer == Layer::User
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Where a rule was written.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    /// The file.
    pub file: String,
    /// Its line, from 1; 0 when not known.
    pub line: u32,
    /// Its column, from 1; 0 when not known.
    pub column: u32,
}
