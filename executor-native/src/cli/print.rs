//! The only place that writes to the terminal. Results go to stdout, messages to stderr.
//!
//! Everything that may hold text of a command goes through `safe`. A reader that went away (a closed pipe) is no
//! fault. Colours only on terminals, and never with `NO_COLOR`.

use std::io::{IsTerminal as _, Write as _, stderr, stdout};

use policy_core::{Decision, Verdict};

use super::safe;

/// What became of a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub(super) struct Written(bool);

impl Written {
    /// Nobody reads any more.
    pub(super) const fn is_gone(self) -> bool {
        !self.0
    }
}

/// A line of a result, as it is: JSON, which escapes what a terminal would obey, or text made by us.
pub(super) fn line(text: &str) -> Written {
    raw(text.as_bytes(), b"\n")
}

/// A line that holds hostile text.
pub(super) fn safe_line(text: &str) {
    let _ = line(&safe::line(text));
}

/// A block rendered by us out of safe parts.
pub(super) fn block(text: &str) {
    let _ = line(text.trim_end());
}

/// Goes to a new line after what a person typed, or the terminal wrote for it (`^C`).
pub(super) fn end_line() {
    if stderr().is_terminal() {
        let _ = writeln!(stderr().lock());
    }
}

/// Whether results go to a person and not to a program.
pub(super) fn to_a_person() -> bool {
    stdout().is_terminal()
}

/// A question to the person at the terminal.
pub(super) fn prompt(text: &str) {
    let mut out = stderr().lock();
    let _ = write!(out, "{text}").and_then(|()| out.flush());
}

/// Bytes of a command's output, as they are.
pub(super) fn bytes(bytes: &[u8]) {
    let _ = raw(bytes, b"");
}

fn raw(bytes: &[u8], end: &[u8]) -> Written {
    let mut out = stdout().lock();
    let result = out
        .write_all(bytes)
        .and_then(|()| out.write_all(end))
        .and_then(|()| out.flush());
    Written(result.is_ok())
}

/// A line of progress on the terminal, in the place of the one before.
pub(super) fn progress(text: &str) {
    let mut out = stderr().lock();
    // Nobody minds when it is not seen.
    let _ = write!(out, "\r\x1b[K{}", safe::line(text)).and_then(|()| out.flush());
}

/// A message, each line made safe.
pub(super) fn note(text: &str) {
    let mut out = stderr().lock();
    for part in text.lines() {
        if writeln!(out, "{}", safe::line(part)).is_err() {
            return;
        }
    }
}

/// A failure: what, and what to do next.
pub(super) fn error(text: &str) {
    let mut lines = text.lines();
    note(&format!("portcullis: {}", lines.next().unwrap_or_default()));
    for more in lines {
        note(more);
    }
}

/// Usage, help or version, as clap words it.
pub(super) fn clap(error: &clap::Error) {
    // Nothing can be done when this fails.
    let _ = error.print();
}

/// A completion script.
pub(super) fn completions(shell: clap_complete::Shell, command: &mut clap::Command) {
    let mut script = Vec::new();
    clap_complete::generate(shell, command, "portcullis", &mut script);
    let _ = raw(&script, b"");
}

/// Whether stdout may have colours.
pub(super) fn coloured() -> bool {
    colours(stdout().is_terminal())
}

fn colours(terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !set("NO_COLOR") && (terminal && !dumb || set("CLICOLOR_FORCE"))
}

/// A verdict in a few lines: the answer and why, each part that is not harmless, what would allow it.
pub(super) fn verdict(verdict: &Verdict) {
    block(&verdict_lines(verdict, coloured()));
}

/// The same as a message, where stdout belongs to the command.
pub(super) fn verdict_to_stderr(verdict: &Verdict) {
    let lines = verdict_lines(verdict, colours(stderr().is_terminal()));
    // Its parts are safe, and its colours are ours.
    let _ = writeln!(stderr().lock(), "{lines}");
}

fn verdict_lines(verdict: &Verdict, coloured: bool) -> String {
    let mut lines = vec![format!(
        "{}: {} [{}]",
        word(verdict.decision, coloured),
        safe::line(&verdict.reason.message),
        verdict.reason.code.slug()
    )];
    // A command that is its only part is not said twice.
    let alone = verdict.commands.len() == 1;
    for part in &verdict.commands {
        let said = alone
            && (part.reason.code, &part.reason.message)
                == (verdict.reason.code, &verdict.reason.message);
        if part.decision != Decision::Allow && !said {
            lines.push(format!(
                "  {}: {} [{}]",
                safe::line(&part.text),
                safe::line(&part.reason.message),
                part.reason.code.slug()
            ));
        }
    }
    if verdict.decision == Decision::Ask && !verdict.suggestions.is_empty() {
        let rules: Vec<String> = verdict
            .suggestions
            .iter()
            .map(|suggestion| format!("`{}`", safe::line(&suggestion.rule)))
            .collect();
        lines.push(format!("  would be allowed by {}", rules.join(" and ")));
    }
    lines.join("\n")
}

/// The word for a decision.
pub(super) fn word(decision: Decision, coloured: bool) -> String {
    let (word, colour) = match decision {
        Decision::Allow => ("allow", "32"),
        Decision::Ask => ("ask", "33"),
        Decision::Deny => ("deny", "31"),
    };
    if coloured {
        format!("\x1b[1;{colour}m{word}\x1b[0m")
    } else {
        word.to_owned()
    }
}
