//! The checks that specs name, each with the language it reads in a file of its own.
//!
//! One row a check. A spec that names a check not listed here does not compile.

mod awk;
mod find;
mod jq;
mod script;
mod sed;

use super::check::Check;

/// Every check: the name in specs and the function.
static CHECKS: &[(&str, Check)] = &[];

/// The check of this name.
#[must_use]
pub fn lookup(name: &str) -> Option<Check> {
    CHECKS
        .iter()
        .find_map(|&(known, check)| (known == name).then_some(check))
}
