//! What is found out about one invocation.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use crate::{effect::Touch, span::Span, specs::model::Kind};

/// The judgement of one invocation by its spec and the facts; rules play no part in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// It changes nothing, local or remote, runs nothing unnamed and sets nothing for later. For a wrapper this
    /// speaks of the wrapper alone; the command it starts is an invocation of its own.
    pub read_only: bool,
    /// What the command is for.
    pub kind: Kind,
    /// What it does, in order, without duplicates.
    pub touches: Vec<Touch>,
    /// Nothing stands against it but the writing and removing that `touches` tells.
    pub only_writes: bool,
    /// Why it is not read-only (or, when it is, why it could be said): code, words, place.
    pub why: Why,
    /// It writes a protected path, removes something critical, reads a sensitive path or is otherwise beyond prefix
    /// rules: it asks whatever rule but an exact one allows it.
    pub guarded: Option<Why>,
    /// It reads a sensitive path.
    pub sensitive: Option<Why>,
    /// Environment under which `read_only` holds (`GIT_OPTIONAL_LOCKS=0`, …).
    pub conditions: BTreeMap<String, String>,
}

/// A reason in parts: `decide` turns it into a reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Why {
    /// One of the closed list.
    pub code: crate::diagnostic::Code,
    /// One line, lower case, no period, input in backticks.
    pub message: String,
    /// Where.
    pub span: Span,
}
