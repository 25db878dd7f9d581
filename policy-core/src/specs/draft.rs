//! A spec that was checked: what `compile` makes and `pack` writes.
//!
//! Owned data and nothing else. What it means is told at the types of `model`, which read the packed form of this.

use alloc::{string::String, vec::Vec};

use super::model::{FlagValue, Grammar, Kind, Wrapper};
use crate::effect::Effect;

/// See [`super::model::Spec`], with its [`super::model::Notes`].
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "the fields are those of the model")]
pub struct Spec {
    pub name: String,
    pub aliases: Vec<String>,
    pub summary: String,
    pub manual: String,
    pub root: Form,
    pub globals: Vec<Flag>,
    pub globals_anywhere: bool,
    pub subs: Vec<Sub>,
    pub examples_read_only: Vec<String>,
    pub examples_not_read_only: Vec<String>,
}

/// See [`super::model::Sub`].
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "the fields are those of the model")]
pub struct Sub {
    pub words: String,
    pub form: Form,
}

/// See [`super::model::Form`].
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "the fields are those of the model")]
pub struct Form {
    pub kind: Kind,
    pub effects: Vec<Effect>,
    pub read_only: bool,
    pub grammar: Grammar,
    pub any_flags: bool,
    pub flags: Vec<Flag>,
    pub operands: Operands,
    pub info: String,
    pub wrapper: Option<Wrapper>,
    pub check: Option<String>,
}

/// See [`super::model::Flag`].
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "the fields are those of the model")]
pub struct Flag {
    pub names: String,
    pub value: FlagValue,
    pub effect: Option<Effect>,
    pub allowed: String,
}

/// See [`super::model::Operands`].
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "the fields are those of the model")]
pub struct Operands {
    pub kinds: Vec<Operand>,
    pub repeat: Option<u8>,
    pub min: u8,
    pub dropped_by: String,
    pub only_with: String,
}

/// See [`super::model::Operand`].
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "the variants are those of the model")]
pub enum Operand {
    Text,
    Read,
    Write,
    Delete,
    Host,
    Assignment,
    OneOf(String),
}
