//! Understands a shell command and decides allow, ask or deny.
//!
//! Text and facts go in, a [`Verdict`] comes out; nothing else happens. The crate does no I/O and has no
//! global state: no filesystem, clock, environment, threads or randomness, `no_std` with `alloc`.
//!
//! Flow, one way: `text → syntax → command → classify ∥ rules → decide → verdict → wire`.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod classify;
pub mod command;
pub mod decide;
pub mod decision;
pub mod diagnostic;
pub mod effect;
pub mod facts;
pub mod limits;
pub mod outcome;
pub mod rules;
pub mod service;
pub mod sorted;
pub mod span;
pub mod specs;
pub mod suggest;
pub mod syntax;
pub mod wire;

// The public interface is:
pub use decide::Policy;
pub use decision::{Decision, Layer};
pub use facts::Facts;
pub use rules::{
    Assignments, Lint, LintKind, Origin, Resolution, RuleSet, SetMatch, SetRule, split_quoted,
};
pub use span::Span;
pub use suggest::Registry;
pub use wire::{
    Analysis, Request, RuleLists, Suggestion, Verdict,
    config::{ConfigFault, LayerConfig, PolicyConfig, RuleDetails, RuleEntry, Settings},
    report::{Explanation, ParseReport},
};
