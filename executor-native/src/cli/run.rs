//! `portcullis run`: judge, ask where there is somebody to ask, run.

use super::{Failure, Outcome, args::RunArgs};

pub(super) fn run(_args: &RunArgs) -> Outcome {
    Err(Failure::internal("not yet"))
}
