//! What is known of commands: the spec type, its compiler, the built-in tables, lookup, and the option reader.
//!
//! Nothing here knows any one command; that is data, in `commands/`. docs/spec-format.md describes the format.

pub mod builtin;
pub mod compile;
pub mod model;
pub mod options;
pub mod raw;

use alloc::vec::Vec;

use compile::Fault;
use model::Spec;
use raw::RawSpec;

/// The built-in specs and a user's own.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SpecSet {
    /// A user's own specs; they come before the built-in ones.
    pub user: Vec<Spec>,
}

impl SpecSet {
    /// The spec of a command by name or alias.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Spec> {
        self.user
            .iter()
            .find(|spec| spec.name == name || spec.aliases.iter().any(|alias| alias == name))
            .or_else(|| builtin::find(name))
    }

    /// Adds a user's own spec; it replaces the built-in one of its names. `checks` are the names of the checks
    /// there are.
    ///
    /// # Errors
    /// The mistakes in it.
    pub fn add(&mut self, raw: &RawSpec, checks: &[&str]) -> Result<(), Vec<Fault>> {
        self.user.push(compile::compile(raw, Some(checks))?);
        Ok(())
    }
}
