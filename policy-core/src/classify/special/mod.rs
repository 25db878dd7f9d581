//! The checks that specs name, each with the language it reads in a file of its own.
//!
//! One row a check. A spec that names a check not listed here does not compile.

mod alone;
mod awk;
pub(super) mod fd;
mod find;
mod gh;
pub(super) mod inputs;
mod jq;
mod modes;
pub(super) mod pager;
mod script;
mod sed;
pub(super) mod service;
mod shells;
mod sqlite;
mod system_words;
mod tar;
mod test_expr;

use super::check::Check;

/// Every check: the name in specs and the function.
static CHECKS: &[(&str, Check)] = &[
    ("awk", awk::check),
    ("aws", service::aws),
    ("az", service::az),
    ("blkidProbe", modes::blkid_probe),
    ("brewName", service::brew_name),
    ("codesignShows", modes::codesign_shows),
    ("date", system_words::date),
    ("dd", system_words::dd),
    ("dryRun", modes::dry_run),
    ("find", find::check),
    ("fzfFilter", inputs::fzf_filter),
    ("gcloud", service::gcloud),
    ("gh", gh::reading),
    ("ghApi", gh::api),
    ("gpgListing", modes::gpg_listing),
    ("hostValue", service::host_value),
    ("joWords", inputs::jo_words),
    ("jq", jq::check),
    ("jqFlag", jq::check_flag),
    ("killNone", modes::kill_none),
    ("kubectl", service::kubectl),
    ("lessValues", modes::less_values),
    ("localFile", inputs::local_file),
    ("localInputs", inputs::local_inputs),
    ("mlrVerbs", inputs::mlr_verbs),
    ("needsBatch", modes::needs_batch),
    ("needsList", modes::needs_list),
    ("noArchives", inputs::no_archives),
    ("notAlone", alone::not_alone),
    ("packageName", service::package_name),
    ("pager", pager::check),
    ("pandoc", inputs::pandoc),
    ("patchelf", inputs::patchelf),
    ("plainPaths", inputs::plain_paths),
    ("plainWords", inputs::plain_words),
    ("printenv", system_words::printenv),
    ("printf", test_expr::check_printf),
    ("ps", system_words::ps),
    ("qpdfShows", modes::qpdf_shows),
    ("rpmQuery", service::rpm_query),
    ("sed", sed::check),
    ("shell", shells::check),
    ("sipsShows", modes::sips_shows),
    ("spctlShows", modes::spctl_shows),
    ("sqlite3", sqlite::check),
    ("sshKeygen", modes::ssh_keygen),
    ("straceExpression", modes::strace_expression),
    ("svnPaths", inputs::svn_paths),
    ("sysctl", system_words::sysctl),
    ("tar", tar::check),
    ("terraformFmt", service::terraform_fmt),
    ("test", test_expr::check),
    ("tmuxCapture", modes::tmux_capture),
    ("toOutput", modes::to_output),
    ("unzip", modes::unzip),
    ("xxd", modes::xxd),
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
