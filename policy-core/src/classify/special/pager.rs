//! Tools that start a pager when their output is a terminal: `man`, `systemctl`, `journalctl`, `bat`.
//!
//! The pager is named by the environment of whoever runs the command, which the text cannot change without being
//! refused for that. So the command still only reads; the verdict's conditions name `cat`, so that a host that applies
//! them never waits for a key. Sources: systemd `systemctl(1)`, man-db `man(1)`, bat's README.

use alloc::vec::Vec;

use super::super::{check::CheckInput, model::Why};
use crate::effect::Touch;

/// The environment that makes every pager a plain copy.
pub(in crate::classify) const CONDITIONS: &[(&str, &str)] = &[
    ("PAGER", "cat"),
    ("MANPAGER", "cat"),
    ("SYSTEMD_PAGER", "cat"),
    ("BAT_PAGER", "cat"),
];

/// The check `pager`: nothing to refuse; the conditions are all there is to say.
pub(super) fn check(_: &CheckInput<'_>) -> Result<Vec<Touch>, Why> {
    Ok(Vec::new())
}

/// Whether the pager would be started, so that the verdict comes with [`CONDITIONS`].
pub(in crate::classify) fn is_needed(input: &CheckInput<'_>) -> bool {
    let never = input
        .parsed
        .all("--paging")
        .any(|option| option.value.as_ref().and_then(|value| value.exact()) == Some("never"));
    input.invocation.stdout_terminal && !never && !input.parsed.has("--no-pager --nopager -P -pp")
}
