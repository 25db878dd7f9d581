//! What is known of commands: the spec type, its compiler, the built-in tables, lookup, and the option reader.

pub mod model;
pub mod options;

use alloc::vec::Vec;

use model::Spec;

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
    }
}
