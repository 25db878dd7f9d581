//! Commands that run in another folder than the one that rules were made for.

use super::paths;
use crate::{
    command::model::{Cwd, Invocation},
    facts::Facts,
    specs::model::Kind,
};

/// Whether the command may be that of another project: it heeds what lies where it runs, and that is not sure to be a workspace.
/// What was allowed for one project says nothing of another.
#[must_use]
pub fn runs_elsewhere(invocation: &Invocation, kind: Kind, facts: &Facts) -> bool {
    let heeds = !matches!(
        kind,
        Kind::Search
            | Kind::Read
            | Kind::List
            | Kind::Neutral
            | Kind::FileOp
            | Kind::Process
            | Kind::System
            | Kind::Network
            | Kind::Wrapper
    );
    let inside = |to: &Cwd| {
        paths::directory(to, facts).is_some_and(|there| {
            // Where no workspace is named it is where the text starts.
            let start = facts.cwd.iter().filter(|_| facts.workspace.is_empty());
            let mut roots = facts.workspace.iter().chain(start);
            roots.any(|root| paths::is_under(&there, &paths::normalise(root)))
        })
    };
    heeds
        && match &invocation.cwd {
            Cwd::Initial => facts.cwd.is_some() && !inside(&Cwd::Initial),
            Cwd::Among(likely) => !likely.iter().all(|to| inside(&Cwd::Moved(to.clone()))),
            // Without facts nothing is known of the start either.
            to => facts.cwd.is_some() && !inside(to),
        }
}
