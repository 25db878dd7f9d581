//! Proof that this exact text, in this directory, was judged and may run.
//!
//! Only `engine` makes one, so `spawn`, which takes nothing else, cannot run what nobody judged.

use std::{collections::BTreeMap, path::{Path, PathBuf}};

/// See the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Permit {
    command: String,
    cwd: PathBuf,
    env: BTreeMap<String, String>,
}

impl Permit {
    /// The text that was judged, which is the text that runs.
    pub fn command(&self) -> &str {
        &self.command
    }
    /// The directory it was judged for.
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }
    /// The environment under which the verdict holds.
    pub fn env(&self) -> &BTreeMap<String, String> {
        &self.env
    }
    /// For `engine` alone.
    pub(crate) fn granted(command: String, cwd: PathBuf, env: BTreeMap<String, String>) -> Self {
        Self { command, cwd, env }
    }
}
