//! The bash oracle: what real bash executes, against what we say would run.
//!
//! `run` hands texts to bash inside a bwrap root that holds nothing but bash, and reads its trace; `cover` says whether
//! a traced command is one of our invocations; `generate` makes texts. A command that ran and that a text we
//! called followable does not report is a security fault.

pub mod cover;
pub mod generate;
pub mod run;
