//! Tools that start a pager when their output is a terminal: `man`, `systemctl`, `journalctl`, `bat`.
//!
//! The pager is chosen by the environment, so it runs something that the text does not name. Where the host
//! applies a verdict's conditions the environment names `cat`; elsewhere the command must say so itself
//! (`--no-pager`) or must not write to a terminal. Sources: systemd `systemctl(1)`, man-db `man(1)`, bat's README.

use alloc::vec::Vec;

use super::super::{check::CheckInput, model::Why};
use crate::{diagnostic::Code, effect::Touch};

/// The environment that makes every pager a plain copy.
pub(in crate::classify) const CONDITIONS: &[(&str, &str)] = &[
    ("PAGER", "cat"),
    ("MANPAGER", "cat"),
    ("SYSTEMD_PAGER", "cat"),
    ("BAT_PAGER", "cat"),
];

/// The check `pager`.
pub(super) fn check(input: &CheckInput<'_>) -> Result<Vec<Touch>, Why> {
    if is_needed(input) && !input.facts.can_apply_conditions {
        return Err(input.refuse(
            Code::CommandEffect,
            0,
            "it starts a pager when its output is a terminal",
        ));
    }
    Ok(Vec::new())
}

/// Whether the pager would be started, so that the verdict holds only under [`CONDITIONS`].
pub(in crate::classify) fn is_needed(input: &CheckInput<'_>) -> bool {
    let never = input
        .parsed
        .all("--paging")
        .any(|option| option.value.as_ref().and_then(|value| value.exact()) == Some("never"));
    input.invocation.stdout_terminal && !never && !input.parsed.has("--no-pager --nopager -P -pp")
}
