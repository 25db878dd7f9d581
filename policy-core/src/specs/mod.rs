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

use alloc::vec::Vec;

use compile::Fault;
use model::Spec;
use pack::Packer;
use packed::{Packed, Reader};

/// The built-in specs and a user's own.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SpecSet {
    /// A user's own specs; they come before the built-in ones.
    user: Vec<UserSpec>,
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
        self.user
            .iter()
            .filter_map(UserSpec::read)
            .find(|spec| spec.name == name || spec.aliases.contains(&name))
            .or_else(|| builtin::find(name))
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
        self.user.push(UserSpec {
            bytes: packer.bytes,
            at,
        });
        Ok(())
    }
}
