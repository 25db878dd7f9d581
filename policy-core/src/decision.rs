//! The three answers, ordered so that the stricter is the greater.

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
