//! Invocations × specs × facts → findings: what each invocation does and whether it only reads.

pub mod check;
pub mod model;
pub mod special;

use crate::{command::model::Program, facts::Facts, specs::SpecSet};

/// Judges the invocation at `index` of `program`.
#[must_use]
pub fn classify(
    _program: &Program,
    _index: usize,
    _facts: &Facts,
    _specs: &SpecSet,
) -> Option<model::Finding> {
    None
}
