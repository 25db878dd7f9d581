//! Tree to invocations: what would run, with words as exactly known as the text permits.

pub mod model;

use crate::{facts::Facts, specs::SpecSet, syntax::ast::Script};

/// Lowers a tree: resolves words, follows state and the working directory, looks through wrappers and into scripts.
#[must_use]
pub fn lower(_script: &Script, _text: &str, _facts: &Facts, _specs: &SpecSet) -> model::Program {
    model::Program::default()
}
