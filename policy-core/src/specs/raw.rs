//! A command spec as it is written: the keys of the TOML document, nothing checked but their names and types.
//!
//! `read` makes it of a JSON value, which the build script reads from TOML. `compile` turns it into a spec and finds the
//! mistakes. docs/spec-format.md explains every key.

use alloc::{string::String, vec::Vec};

use super::model::Kind;
use crate::{effect::Effect, sorted::Map};

/// One document.
#[derive(Clone, PartialEq, Debug)]
pub struct RawSpec {
    /// The command name.
    pub name: String,
    /// Other names with the same grammar.
    pub aliases: Vec<String>,
    /// One line: what it does.
    pub summary: String,
    /// Where its behaviour is documented.
    pub manual: String,
    /// What it is for; also the default of its subcommands.
    pub kind: Kind,
    /// How options are written; also the default of its subcommands.
    pub grammar: Option<RawGrammar>,
    /// As in [`RawSub`].
    pub any_flags: bool,
    /// As in [`RawSub`].
    pub read_only: Option<bool>,
    /// As in [`RawSub`].
    pub effects: Vec<Effect>,
    /// As in [`RawSub`].
    pub check: Option<String>,
    /// As in [`RawSub`].
    pub info: Vec<String>,
    /// As in [`RawSub`].
    pub uses: Vec<String>,
    /// As in [`RawSub`].
    pub flags: RawFlags,
    /// As in [`RawSub`].
    pub refuse: RawRefuse,
    /// As in [`RawSub`].
    pub choices: Map<String, String>,
    /// As in [`RawSub`].
    pub operands: Vec<String>,
    /// As in [`RawSub`].
    pub dropped_by: Vec<String>,
    /// Flags without which there may be no operands (`git branch --list x`).
    pub operands_only_with: Vec<String>,
    /// As in [`RawSub`].
    pub wrapper: Option<RawWrapper>,
    /// Options that may stand before the subcommand.
    pub globals: RawGlobals,
    /// Sets of flags that several forms share.
    pub sets: Map<String, RawSet>,
    /// Subcommands.
    pub sub: Vec<RawSub>,
    /// Examples that are run as tests.
    pub examples: Option<RawExamples>,
}

/// A subcommand: its words and the keys of a form.
#[derive(Clone, PartialEq, Debug)]
pub struct RawSub {
    /// Its words; several lists of words share the form.
    pub words: OneOrMany,
    /// What it is for.
    pub kind: Option<Kind>,
    /// How options are written.
    pub grammar: Option<RawGrammar>,
    /// Every option is harmless.
    pub any_flags: bool,
    /// Whether it can be read-only.
    pub read_only: Option<bool>,
    /// What running it does.
    pub effects: Vec<Effect>,
    /// The check in Rust that has the last word.
    pub check: Option<String>,
    /// Options that only print when they are the only word.
    pub info: Vec<String>,
    /// Sets of flags it has.
    pub uses: Vec<String>,
    /// Safe flags.
    pub flags: RawFlags,
    /// Flags with effects.
    pub refuse: RawRefuse,
    /// The values a flag may have, by one of its spellings.
    pub choices: Map<String, String>,
    /// What the operands are, in order.
    pub operands: Vec<String>,
    /// Flags that take the place of the operand that does not repeat (`grep -e`).
    pub dropped_by: Vec<String>,
    /// Flags without which there may be no operands (`git branch --list x`).
    pub operands_only_with: Vec<String>,
    /// It runs a command made of its operands.
    pub wrapper: Option<RawWrapper>,
}

/// One text or several.
#[derive(Clone, PartialEq, Debug)]
pub enum OneOrMany {
    /// One.
    One(String),
    /// Several.
    Many(Vec<String>),
}

/// Safe flags by the type of their value; each entry holds all spellings of one flag.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RawFlags {
    /// No value.
    pub none: Vec<String>,
    /// A number.
    pub number: Vec<String>,
    /// Any text.
    pub string: Vec<String>,
    /// Any text, only attached.
    pub optional: Vec<String>,
    /// One character.
    pub char: Vec<String>,
    /// A path that is read.
    pub path: Vec<String>,
    /// The name of a variable, which is set.
    pub name: Vec<String>,
    /// The literal `{}`.
    pub braces: Vec<String>,
    /// The literal `EOF`.
    pub eof: Vec<String>,
}

/// Flags with effects; an entry ends in `PATH`, `VALUE` or `[VALUE]` when the flag takes one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RawRefuse {
    /// It reads more than the text names.
    pub read: Vec<String>,
    /// It creates or changes files.
    pub write: Vec<String>,
    /// It removes files.
    pub delete: Vec<String>,
    /// It runs something.
    pub exec: Vec<String>,
    /// It contacts another machine.
    pub network: Vec<String>,
    /// It signals or changes processes.
    pub process: Vec<String>,
    /// It changes the machine or the shell.
    pub system: Vec<String>,
}

/// Flags that several forms share.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RawSet {
    /// Further sets it holds.
    pub uses: Vec<String>,
    /// Safe flags.
    pub flags: RawFlags,
    /// Flags with effects.
    pub refuse: RawRefuse,
    /// The values a flag may have.
    pub choices: Map<String, String>,
}

/// Options before the subcommand.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RawGlobals {
    /// They may also stand between and after the subcommand's words.
    pub anywhere: bool,
    /// Sets of flags it holds.
    pub uses: Vec<String>,
    /// Safe flags.
    pub flags: RawFlags,
    /// Flags with effects.
    pub refuse: RawRefuse,
    /// The values a flag may have.
    pub choices: Map<String, String>,
}

/// How options are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RawGrammar {
    /// See [`super::model::Grammar`].
    Gnu,
    /// See [`super::model::Grammar`].
    Posix,
    /// See [`super::model::Grammar`].
    GnuCount,
    /// See [`super::model::Grammar`].
    SingleDash,
    /// See [`super::model::Grammar`].
    None,
}

/// How a wrapper finds the command it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawWrapper {
    /// Operands of its own before the command.
    pub skip: u8,
    /// `NAME=VALUE` operands come before the command.
    pub assignments: bool,
    /// What follows.
    pub runs: RawRuns,
    /// Never read-only.
    pub privileged: bool,
}

/// What the operands of a wrapper are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RawRuns {
    /// See [`super::model::Runs`].
    Argv,
    /// See [`super::model::Runs`].
    ArgvAndMore,
    /// See [`super::model::Runs`].
    ShellText,
}

/// Examples that are run as tests.
#[derive(Clone, PartialEq, Debug)]
pub struct RawExamples {
    /// Judged read-only.
    pub read_only: Option<Vec<String>>,
    /// Not judged read-only.
    pub not_read_only: Option<Vec<String>>,
}
