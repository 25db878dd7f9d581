//! The shape of a check: Rust code that has the last word on one invocation, named by its spec.
//!
//! A check runs after the generic judgement (options listed, operands as declared, nothing uncertain that matters), so
//! it only looks at what the tables cannot say: the tool's own language, combinations of operands. It also runs where
//! something stands against the invocation already, for what else is touched: a rule may allow the one and not the
//! other. It may add touches or refuse; it cannot make anything read-only.

use alloc::vec::Vec;

use super::model::Why;
use crate::{
    command::model::Invocation,
    effect::Touch,
    facts::Facts,
    specs::{SpecSet, options::Parsed},
};

/// What a check looks at.
#[derive(Clone, Copy, Debug)]
pub struct CheckInput<'a> {
    /// The invocation.
    pub invocation: &'a Invocation,
    /// Its words, read by its spec.
    pub parsed: &'a Parsed<'a>,
    /// What the host knows.
    pub facts: &'a Facts,
    /// All specs, for commands named inside the tool's language.
    pub specs: &'a SpecSet,
}

/// `Ok`: it passes, and also does this. `Err`: it is not read-only, and why.
pub type Check = fn(&CheckInput<'_>) -> Result<Vec<Touch>, Why>;
