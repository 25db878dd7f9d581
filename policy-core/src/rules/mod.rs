//! The rule language: texts to patterns, layers of rules, and which rules match an invocation.
//!
//! Knows no classification: what a command does is not asked here. `parse` reads one rule, `book` compiles many,
//! `subjects` gives the forms of an invocation that rules are matched on, `refuse` is the careful matching of deny and ask.
//! `shape` and `sets` are the rules of other tools, each file with its own way to match and to choose (`pattern`: their regular expressions).

pub mod book;
pub mod glob;
pub mod lint;
pub mod parse;
pub mod pattern;
pub mod refuse;
pub mod sets;
pub mod shape;
pub mod subjects;

pub use book::{Book, Cover, Rule, RuleId, RuleSource};
pub use lint::{Lint, LintKind};
pub use parse::{Parsed, Pattern, RuleFault, split_quoted};
pub use refuse::{Certainty, Options};
pub use sets::{Opinion, Set, SetFault, View};
pub use shape::{Assignments, Origin, Resolution, RuleSet, SetMatch, SetRule};
pub use subjects::Subjects;
