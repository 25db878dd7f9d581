//! What the host knows about the world, given with each request; the core looks at nothing itself.
//!
//! A missing fact gives the careful answer: no workspace means that every path is outside, an unknown
//! git state counts as suspicious wherever a repository's configuration could run something.

use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// Facts of one request. All optional; unknown keys are refused.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Facts {
    /// Absolute working directory of the command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Absolute workspace roots.
    #[serde(deserialize_with = "one_or_many")]
    pub workspace: Vec<String>,
    /// Absolute home directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub home: Option<String>,
    /// The operating system; default Linux.
    pub platform: Platform,
    /// The shell that will run the text; default bash.
    pub shell: Shell,
    /// How freely commands may run; default [`Mode::Build`].
    pub mode: Mode,
    /// Who is asking; default [`Session::Main`].
    pub session: Session,
    /// Nobody is there to answer: what would ask is denied.
    pub unattended: bool,
    /// What is known of the repository at `cwd`.
    pub git: GitFacts,
    /// The sandbox the executor would use.
    pub sandbox: SandboxFacts,
    /// Whether the host applies the verdict's `conditions.env` to what it runs; default true for our
    /// executor, false when left out by another host.
    pub can_apply_conditions: bool,
    /// Turn the network effect of services' own reading verbs (`gh pr list`) into a question.
    pub ask_network: bool,
    /// Allow reading sensitive paths without a question.
    pub allow_sensitive_reads: bool,
}

/// The operating system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Platform {
    /// Linux.
    #[default]
    Linux,
    /// macOS.
    #[serde(alias = "darwin")]
    Macos,
    /// Windows.
    #[serde(alias = "win32")]
    Windows,
}

/// The shell that runs the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Shell {
    /// GNU bash.
    #[default]
    Bash,
    /// Z shell.
    Zsh,
    /// A POSIX shell (dash, busybox sh).
    Sh,
}

/// How freely commands may run. The common names of other tools are accepted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// Only reading.
    Plan,
    /// Reading is free, everything else asks.
    #[default]
    #[serde(alias = "default", alias = "manual")]
    Build,
    /// Also file operations inside the workspace.
    #[serde(alias = "acceptEdits")]
    Edit,
    /// Everything but deny, ask and managed rules.
    #[serde(alias = "bypassPermissions", alias = "bypass")]
    Yolo,
    /// As build, but what would ask is denied.
    DontAsk,
}

/// Who is asking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Session {
    /// The main conversation.
    #[default]
    Main,
    /// A helper of it.
    Subagent,
    /// Work done while nobody waits.
    Idle,
}

/// What the host found about the repository that holds `cwd`.
///
/// Accepted on the wire as a bare word (`"trusted"`) or as an object.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GitFacts {
    /// The state of the `.git` that git would use.
    pub state: GitState,
    /// Configuration keys found there that can run a program (`core.fsmonitor`, `diff.external`, …).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub executing_keys: Vec<String>,
}

/// The state of the repository.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum GitState {
    /// An ordinary repository of the user.
    Trusted,
    /// A repository whose shape could redirect git (bare inside a work tree, foreign gitdir).
    Suspicious,
    /// Nobody looked.
    #[default]
    Unknown,
    /// No repository.
    None,
}

/// The sandbox.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SandboxFacts {
    /// A sandbox was probed and works.
    pub available: bool,
    /// It is switched on.
    pub enabled: bool,
    /// Commands that run inside it need no question.
    pub auto_allow: bool,
    /// Commands that run outside it: exact, `prefix:*` or wildcard.
    pub excluded: Vec<String>,
    /// The call asked to leave the sandbox.
    pub disabled_by_call: bool,
}

impl<'de> Deserialize<'de> for GitFacts {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        struct Full {
            state: GitState,
            #[serde(default)]
            executing_keys: Vec<String>,
        }
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Word(GitState),
            Full(Full),
        }
        Ok(match Either::deserialize(deserializer)? {
            Either::Word(state) => Self {
                state,
                executing_keys: Vec::new(),
            },
            Either::Full(full) => Self {
                state: full.state,
                executing_keys: full.executing_keys,
            },
        })
    }
}

pub(crate) fn one_or_many<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        One(String),
        Many(Vec<String>),
    }
    Ok(match Either::deserialize(deserializer)? {
        Either::One(one) => alloc::vec![one],
        Either::Many(many) => many,
    })
}
