//! The program with its embedded module, kept running: one verdict after the other, and what each used of the processor.
//!
//! The time on the wall tells as much of the machine's other work as of the text, so it is only taken where no kernel tells the other.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use portcullis_tests::hosts;
use serde_json::Value;

/// See the module.
pub(crate) struct Module {
    child: Child,
    requests: ChildStdin,
    verdicts: BufReader<ChildStdout>,
}

impl Module {
    /// Starts the program with this configuration, and has it judge something that is asked about, so that nothing is left to load.
    pub(crate) fn start(config: Option<&str>) -> Self {
        let mut command = Command::new(hosts::program());
        command.args(["check", "--batch", "--engine", "wasm"]);
        match config {
            Some(path) => command.args(["--config", path]),
            None => command.arg("--no-config"),
        };
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let requests = child.stdin.take().expect("piped");
        let verdicts = BufReader::new(child.stdout.take().expect("piped"));
        let mut module = Self {
            child,
            requests,
            verdicts,
        };
        module.verdict(&serde_json::json!({"command": "npm run x"}));
        module
    }

    /// The least that some calls took, and the verdict.
    pub(crate) fn least(&mut self, request: &Value, calls: usize) -> (Duration, String) {
        (0..calls.max(1))
            .map(|_| self.verdict(request))
            .min()
            .expect("a call")
    }

    fn verdict(&mut self, request: &Value) -> (Duration, String) {
        let (begun, before) = (Instant::now(), self.used());
        writeln!(self.requests, "{request}").expect("the program reads");
        let mut verdict = String::new();
        self.verdicts
            .read_line(&mut verdict)
            .expect("the program answers");
        let wall = begun.elapsed();
        let time = match (before, self.used()) {
            (Some(before), Some(after)) => after.saturating_sub(before),
            _ => wall,
        };
        (time, verdict)
    }

    /// What its one thread has used of the processor, once it waits for the next request.
    fn used(&self) -> Option<Duration> {
        let folder = format!("/proc/{}", self.child.id());
        loop {
            let state = std::fs::read_to_string(format!("{folder}/stat")).ok()?;
            if state.rsplit_once(')')?.1.trim_start().starts_with('S') {
                break;
            }
            sleep(Duration::from_micros(20));
        }
        let told = std::fs::read_to_string(format!("{folder}/schedstat")).ok()?;
        let nanos = told.split(' ').next()?.parse().ok()?;
        Some(Duration::from_nanos(nanos))
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
