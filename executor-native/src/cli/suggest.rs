//! `portcullis suggest`: the rules that "always allow" would store, one a line.

use policy_core::Suggestion;

use super::{Failure, Outcome, args::JudgeArgs, print, setup};

pub(super) fn run(args: &JudgeArgs) -> Outcome {
    let command = setup::command(&args.command)?;
    let mut engine = setup::engine(&args.policy)?;
    let request = setup::request(&args.policy, &command).to_string();
    let answer = setup::ask(engine.as_mut(), "suggest", &request)?;
    if args.json {
        let _ = print::line(&answer);
        return Ok(0);
    }
    let rules: Vec<Suggestion> =
        serde_json::from_str(&answer).map_err(|error| Failure::internal(error.to_string()))?;
    for suggestion in &rules {
        print::safe_line(&suggestion.rule);
    }
    Ok(0)
}
