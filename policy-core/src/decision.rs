//! The three answers, ordered so that the stricter is the greater, and the layers that rules come from.

use serde::{Deserialize, Serialize};

/// The answer for a command or a part of it. Parts combine by [`Ord::max`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Decision {
    /// It may run without a question.
    Allow,
    /// A person (or hook) has to say yes.
    Ask,
    /// It must not run.
    Deny,
}

/// Where a rule comes from, the strongest first.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "camelCase")]
pub enum Layer {
    /// The administrator of the machine.
    Managed,
    /// This call.
    CommandLine,
    /// The git-ignored file beside the project's.
    Local,
    /// The project's file.
    Project,
    /// The user's own file.
    User,
}

impl Layer {
    /// Its key in a configuration.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::CommandLine => "commandLine",
            Self::Local => "local",
            Self::Project => "project",
            Self::User => "user",
        }
    }
}
