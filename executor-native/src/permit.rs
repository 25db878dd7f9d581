//! Proof that this exact text, in this directory, was judged and may run.
//!
//! `spawn` takes nothing else, so what nobody judged cannot run. A permit is made of a [`Judged`], which only the engine
//! makes: of a verdict that allows, or of one that asks and a person (or a hook of the host) who said yes; never of a denial.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use crate::engine::judge::Judged;

/// See the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Permit {
    command: String,
    cwd: PathBuf,
    env: BTreeMap<String, String>,
}

impl Permit {
    /// For [`Judged::permit`], which has looked at the verdict.
    pub(crate) fn of(judged: &Judged) -> Self {
        Self {
            command: judged.request().command.clone(),
            cwd: judged.cwd().to_owned(),
            env: judged.verdict().conditions.env.clone(),
        }
    }

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
}
