//! `portcullis parse`: the invocations as the policy sees them.

use serde_json::Value;

use super::{Failure, Outcome, args::ParseArgs, print, setup};

pub(super) fn run(args: &ParseArgs) -> Outcome {
    let command = setup::command(&args.command)?;
    let mut engine = setup::engine(&args.policy)?;
    let request = setup::request(&args.policy, &command).to_string();
    let answer = setup::ask(engine.as_mut(), "parse", &request)?;
    if args.json {
        let _ = print::line(&answer);
        return Ok(0);
    }
    let report: Value =
        serde_json::from_str(&answer).map_err(|error| Failure::internal(error.to_string()))?;
    let items = |key: &str| {
        report
            .get(key)
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    if let Some(message) = report.pointer("/fault/message").and_then(Value::as_str) {
        print::safe_line(&format!("fault: {message}"));
    }
    for invocation in items("invocations") {
        let text = |key: &str| {
            invocation
                .get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let words: Vec<String> = invocation
            .get("argv")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .map(word)
            .collect();
        print::safe_line(&format!(
            "{:10} {:12} {}",
            text("connector"),
            text("site"),
            words.join(" ")
        ));
    }
    for hazard in items("hazards") {
        let text = |key: &str| hazard.get(key).and_then(Value::as_str).unwrap_or_default();
        print::safe_line(&format!("hazard     {:12} {}", text("code"), text("what")));
    }
    Ok(0)
}

/// A word with what is known of it.
fn word(word: &Value) -> String {
    let values: Vec<String> = word
        .get("values")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(Value::to_string)
        .collect();
    match word.get("kind").and_then(Value::as_str) {
        Some("exact") => values.concat(),
        Some("prefix") => format!("{}…", values.concat()),
        Some("oneOf") => format!("({})", values.join("|")),
        Some("many") => "?…".to_owned(),
        _ => "?".to_owned(),
    }
}
