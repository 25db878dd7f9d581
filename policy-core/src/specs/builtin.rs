//! The built-in specs, as the build script wrote them from `commands/**/*.toml`.

use alloc::borrow::Cow;

use super::model::{
    Flag, FlagValue, Form, Grammar, Kind, Operand, Operands, Runs, Spec, Sub, Text, Wrapper,
};
use crate::effect::Effect;

include!(concat!(env!("OUT_DIR"), "/specs.rs"));

/// Every built-in spec, sorted by name.
#[must_use]
pub fn all() -> &'static [Spec] {
    &SPECS
}

/// The built-in spec of a command by name or alias.
#[must_use]
pub fn find(name: &str) -> Option<&'static Spec> {
    let at = NAMES
        .binary_search_by(|(known, _)| (*known).cmp(name))
        .ok()?;
    let (_, index) = NAMES.get(at)?;
    SPECS.get(usize::from(*index))
}
