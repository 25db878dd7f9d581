//! `portcullis replay`: past commands against the rules, one at a time, in flat memory.

use std::{
    fs::File,
    io::{BufRead as _, BufReader, IsTerminal as _},
    time::{Duration, Instant},
};

use policy_core::Verdict;
use serde_json::Value;

use super::{Failure, Outcome, args::ReplayArgs, print, setup};
use crate::replay::{Replay, Summary, commands};

/// How many commands lie between two looks at the clock.
const LOOK_EVERY: u64 = 256;
/// How often progress is shown on a terminal.
const SHOW_EVERY: Duration = Duration::from_millis(300);

pub(super) fn run(args: &ReplayArgs) -> Outcome {
    let mut engine = setup::engine(&args.policy)?;
    let base = setup::facts(&args.policy);
    let mut replay = Replay::default();
    let mut progress = Progress::new();
    for path in &args.files {
        let cannot = |error: std::io::Error| {
            Failure::usage(format!("`{}` cannot be read: {error}", path.display()))
        };
        let mut lines = BufReader::new(File::open(path).map_err(cannot)?);
        let mut line = Vec::new();
        loop {
            line.clear();
            if lines.read_until(b'\n', &mut line).map_err(cannot)? == 0 {
                break;
            }
            let Some(found) = commands(&String::from_utf8_lossy(&line)) else {
                replay.unreadable();
                continue;
            };
            for one in found {
                let mut request = base.clone();
                request.insert("command".into(), one.command.into());
                if let (Some(cwd), None) = (one.cwd, &args.policy.cwd) {
                    request.insert("cwd".into(), cwd.into());
                }
                let answer = engine.evaluate_json(&Value::Object(request).to_string());
                let verdict: Verdict = serde_json::from_str(&answer)
                    .map_err(|error| Failure::internal(error.to_string()))?;
                replay.add(&verdict);
                progress.show(replay.commands());
            }
        }
    }
    progress.clear();
    show(&replay.summary(args.most), args.json)
}

/// A line on the terminal that says how far it is.
struct Progress {
    begun: Instant,
    shown: Option<Instant>,
    terminal: bool,
}

impl Progress {
    fn new() -> Self {
        Self {
            begun: Instant::now(),
            shown: None,
            terminal: std::io::stderr().is_terminal(),
        }
    }

    fn show(&mut self, commands: u64) {
        if !self.terminal || !commands.is_multiple_of(LOOK_EVERY) {
            return;
        }
        let last = self.shown.unwrap_or(self.begun);
        if last.elapsed() < SHOW_EVERY {
            return;
        }
        self.shown = Some(Instant::now());
        let rate = commands as f64 / self.begun.elapsed().as_secs_f64().max(0.001);
        print::progress(&format!("{commands} commands, {rate:.0} a second"));
    }

    fn clear(&self) {
        if self.shown.is_some() {
            print::progress("");
        }
    }
}

fn show(summary: &Summary, json: bool) -> Outcome {
    if json {
        let text = serde_json::to_string(summary).map_err(|e| Failure::internal(e.to_string()))?;
        let _ = print::line(&text);
        return Ok(0);
    }
    print::safe_line(&format!(
        "{} commands: {} allowed, {} asked, {} denied; {} lines not read",
        summary.commands, summary.allow, summary.ask, summary.deny, summary.unreadable
    ));
    let mut reasons: Vec<(&&str, &u64)> = summary.reasons.iter().collect();
    reasons.sort_by_key(|(code, count)| (std::cmp::Reverse(**count), **code));
    for (code, count) in reasons {
        print::safe_line(&format!("{count:8} not allowed for {code}"));
    }
    for row in &summary.rules {
        let rules: Vec<String> = row.rules.iter().map(|rule| format!("`{rule}`")).collect();
        print::safe_line(&format!(
            "{:8} fewer with {}",
            row.questions,
            rules.join(" and ")
        ));
    }
    Ok(0)
}
