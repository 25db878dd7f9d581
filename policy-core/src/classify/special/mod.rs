//! The checks that specs name, each with the language it reads in a file of its own.
//!
//! One row a check. A spec that names a check not listed here does not compile.

mod awk;
mod find;
mod jq;
mod script;
mod sed;
mod service;

use super::check::Check;

/// Every check: the name in specs and the function.
static CHECKS: &[(&str, Check)] = &[
    ("awk", awk::check),
    ("aws", service::aws),
    ("az", service::az),
    ("brewName", service::brew_name),
    ("find", find::check),
    ("gcloud", service::gcloud),
    ("hostValue", service::host_value),
    ("jq", jq::check),
    ("jqFlag", jq::check_flag),
    ("kubectl", service::kubectl),
    ("packageName", service::package_name),
    ("rpmQuery", service::rpm_query),
    ("sed", sed::check),
    ("terraformFmt", service::terraform_fmt),
    ("yq", jq::check_yq),
];

/// The check of this name.
#[must_use]
pub fn lookup(name: &str) -> Option<Check> {
    CHECKS
        .iter()
        .find_map(|&(known, check)| (known == name).then_some(check))
}

/// The names a spec may use.
#[must_use]
pub fn names() -> alloc::vec::Vec<&'static str> {
    CHECKS.iter().map(|&(name, _)| name).collect()
}

#[cfg(test)]
mod tests;
