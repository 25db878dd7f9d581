//! `portcullis check`: one command, one verdict.

use policy_core::{Decision, Verdict};

use super::{Failure, Outcome, args::CheckArgs, batch, print, setup, status};

pub(super) fn run(args: &CheckArgs) -> Outcome {
    if args.batch {
        return batch::run(&args.policy);
    }
    let command = setup::command(&args.command)?;
    let mut engine = setup::engine(&args.policy)?;
    let answer = engine.evaluate_json(&setup::request(&args.policy, &command).to_string());
    let verdict: Verdict =
        serde_json::from_str(&answer).map_err(|error| Failure::internal(error.to_string()))?;
    if args.json {
        let _ = print::line(&answer);
    } else {
        print::verdict(&verdict);
    }
    Ok(of(verdict.decision))
}

/// The status that tells a decision.
pub(super) const fn of(decision: Decision) -> u8 {
    match decision {
        Decision::Allow => status::ALLOW,
        Decision::Ask => status::ASK,
        Decision::Deny => status::DENY,
    }
}
