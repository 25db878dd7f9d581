//! Proof that this exact text, in this directory, was judged and may run.
//!
//! `spawn` takes nothing else, so what nobody judged cannot run. A permit comes from a verdict that allows, or from
//! one that asks and a person (or a hook of the host) who said yes; never from a denial.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use policy_core::{
    Decision,
    wire::{Request, Verdict},
};

/// See the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Permit {
    command: String,
    cwd: PathBuf,
    env: BTreeMap<String, String>,
}

impl Permit {
    /// The permit that follows from a verdict, if one does.
    pub(crate) fn from_verdict(
        request: &Request,
        verdict: &Verdict,
        approved: bool,
        cwd: &Path,
    ) -> Option<Self> {
        match verdict.decision {
            Decision::Allow => {}
            Decision::Ask if approved => {}
            Decision::Ask | Decision::Deny => return None,
        }
        // Judged for this directory, or for an unknown one because its name is no text.
        if request
            .facts
            .cwd
            .as_deref()
            .is_some_and(|judged| Path::new(judged) != cwd)
        {
            return None;
        }
        Some(Self {
            command: request.command.clone(),
            cwd: cwd.to_owned(),
            env: verdict.conditions.env.clone(),
        })
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
