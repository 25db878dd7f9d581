//! `portcullis check --batch`: JSON lines in, JSON lines out, in the same order, each as soon as it is judged.
//!
//! A line is a request with an optional `id`, which is given back. Facts of the line win over facts gathered; what depends
//! on a directory is gathered for the line's own `cwd`. A line that is no request gets a verdict too (`request.invalid`),
//! so that every line has its answer.

use std::{
    collections::HashMap,
    io::BufRead as _,
    path::{Path, PathBuf},
};

use policy_core::{Verdict, diagnostic::Code};
use serde_json::{Map, Value};

use super::{Failure, Outcome, args::PolicyArgs, print, setup};
use crate::engine::Engine;

pub(super) fn run(args: &PolicyArgs) -> Outcome {
    let mut engine = setup::engine(args)?;
    let mut facts = Facts {
        args,
        base: setup::facts(args),
        known: HashMap::new(),
    };
    for line in std::io::stdin().lock().lines() {
        let line =
            line.map_err(|error| Failure::usage(format!("stdin cannot be read: {error}")))?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = answer(&line, engine.as_mut(), &mut facts);
        if print::line(&answer).is_gone() {
            break;
        }
    }
    Ok(0)
}

fn answer(line: &str, engine: &mut dyn Engine, facts: &mut Facts<'_>) -> String {
    let mut given = match serde_json::from_str(line) {
        Ok(Value::Object(given)) => given,
        Ok(_) => return invalid("a line is not a JSON object"),
        Err(error) => return invalid(&format!("a line is not JSON: {error}")),
    };
    let id = given.remove("id");
    let request = facts.complete(given);
    let verdict = engine.evaluate_json(&Value::Object(request).to_string());
    match (id, verdict.strip_prefix('{')) {
        (Some(id), Some(rest)) => format!("{{\"id\":{id},{rest}"),
        _ => verdict,
    }
}

fn invalid(message: &str) -> String {
    let verdict = Verdict::careful("", Code::RequestInvalid, message.to_owned());
    serde_json::to_string(&verdict).unwrap_or_default()
}

/// Facts gathered, by directory.
struct Facts<'a> {
    args: &'a PolicyArgs,
    base: Map<String, Value>,
    known: HashMap<String, Map<String, Value>>,
}

impl Facts<'_> {
    fn complete(&mut self, given: Map<String, Value>) -> Map<String, Value> {
        let mut request = match given.get("cwd").and_then(Value::as_str) {
            Some(cwd) if self.args.cwd.is_none() => {
                // With both given there is nothing left to find out about the directory.
                let whole = given.contains_key("workspace") && given.contains_key("git");
                let mut request = self.base.clone();
                if !whole {
                    request.extend(self.of(cwd));
                }
                request
            }
            _ => self.base.clone(),
        };
        request.extend(given);
        request
    }

    fn of(&mut self, cwd: &str) -> Map<String, Value> {
        let workspace: &[PathBuf] = &self.args.workspace;
        self.known
            .entry(cwd.to_owned())
            .or_insert_with(|| setup::gathered(Some(Path::new(cwd)), workspace))
            .clone()
    }
}
