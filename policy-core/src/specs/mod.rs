//! What is known of commands: the spec type, its compiler and packed form, the built-in tables, lookup, and the option reader.
//!
//! Nothing here knows any one command; that is data, in `commands/`. docs/spec-format.md describes the format.

pub mod builtin;
pub mod compile;
pub mod draft;
pub mod model;
pub mod options;
pub mod pack;
pub mod packed;
pub mod raw;
pub mod read;
mod spellings;

use alloc::{string::String, vec::Vec};

use compile::Fault;
use model::Spec;
use pack::Packer;
use packed::{Packed, Reader};

/// The built-in specs and a user's own.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SpecSet {
    /// A user's own specs; they come before the built-in ones.
    user: Vec<UserSpec>,
    /// Their names and aliases, sorted, each with the first spec of that name: looking one up must cost no more with many.
    names: Vec<(String, usize)>,
}

/// A user's own spec, packed.
#[derive(Clone, PartialEq, Debug)]
struct UserSpec {
    bytes: Vec<u8>,
    at: usize,
}

impl UserSpec {
    fn read(&self) -> Option<Spec<'_>> {
        Spec::unpack(&mut Reader::at(&self.bytes, self.at)?)
    }
}

impl SpecSet {
    /// The spec of a command by name or alias.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Spec<'_>> {
        let own = || {
            let place = self.place(name).ok()?;
            let (_, index) = self.names.get(place)?;
            self.user.get(*index)?.read()
        };
        own().or_else(|| builtin::find(name))
    }

    /// Adds a user's own spec; it replaces the built-in one of its names. `checks` are the names of the checks
    /// there are.
    ///
    /// # Errors
    /// The mistakes in it.
    pub fn add(&mut self, document: &serde_json::Value, checks: &[&str]) -> Result<(), Vec<Fault>> {
        let spec = compile::compile(&read::read(document)?, Some(checks))?;
        let mut packer = Packer::default();
        let at = packer.spec(&spec);
        for name in core::iter::once(&spec.name).chain(&spec.aliases) {
            if let Err(place) = self.place(name) {
                self.names.insert(place, (name.clone(), self.user.len()));
            }
        }
        self.user.push(UserSpec {
            bytes: packer.bytes,
            at,
        });
        Ok(())
    }

    /// Where a name stands among those of the user's own specs, or would.
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.names
            .binary_search_by(|(known, _)| known.as_str().cmp(name))
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString, vec};

    use serde_json::json;

    use super::*;

    #[test]
    fn own_specs_are_found_by_every_name_and_the_first_of_a_name_counts() {
        let mut specs = SpecSet::default();
        for (number, aliases) in [(1, vec!["one", "both"]), (2, vec!["both"]), (0, vec!["ls"])] {
            let name = format!("tool{number}");
            let document = json!({"name": name, "aliases": aliases, "summary": "a tool", "manual": "man", "kind": "list",
                "examples": {"readOnly": [name], "notReadOnly": [format!("{name} --x")]}});
            assert_eq!(specs.add(&document, &[]), Ok(()));
        }
        let found = |name: &str| specs.find(name).map(|spec| spec.name.to_string());
        assert_eq!(found("tool2").as_deref(), Some("tool2"));
        assert_eq!(found("one").as_deref(), Some("tool1"));
        assert_eq!(found("both").as_deref(), Some("tool1"));
        assert_eq!(found("ls").as_deref(), Some("tool0"));
        assert_eq!(found("cat").as_deref(), Some("cat"));
        assert_eq!(found("frobnicate"), None);
    }
}
