//! What a command led to, and how that is told to a model.

use std::{fmt::Write as _, path::PathBuf, time::Duration};

use policy_core::wire::Verdict;
use serde::Serialize;

use crate::{
    input::InputError,
    lifecycle::How,
    output::{Image, human_size},
    spawn::{Failure, Leaked, Reason, RunState},
};

/// What became of a command.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase", tag = "status")]
pub enum Outcome {
    /// It ended.
    Finished(Box<Finished>),
    /// It goes on in the background.
    Backgrounded(Backgrounded),
}

impl Outcome {
    /// The words for a model.
    pub fn for_model(&self) -> String {
        match self {
            Self::Finished(finished) => finished.for_model(),
            Self::Backgrounded(backgrounded) => backgrounded.for_model(),
        }
    }

    /// The result, if it ended.
    pub fn finished(&self) -> Option<&Finished> {
        match self {
            Self::Finished(finished) => Some(finished),
            Self::Backgrounded(_) => None,
        }
    }

    /// The task, if it goes on.
    pub fn backgrounded(&self) -> Option<&Backgrounded> {
        match self {
            Self::Finished(_) => None,
            Self::Backgrounded(backgrounded) => Some(backgrounded),
        }
    }
}

/// A command that ended.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finished {
    /// What it printed: both streams in order, unless they are kept apart. Cleaned; the beginning, if cut.
    pub stdout: String,
    /// What it printed on stderr, if kept apart; and words of the executor's.
    pub stderr: String,
    /// Completed or killed.
    pub state: RunState,
    /// The exit code; 128 + n after a signal.
    pub exit_code: Option<i32>,
    /// The signal that ended the shell.
    pub signal: Option<i32>,
    /// Its time was up.
    pub timed_out: bool,
    /// Why it was ended from outside.
    pub reason: Option<Reason>,
    /// Who ended it.
    pub stopped_by: Option<String>,
    /// It counts as an error.
    pub is_error: bool,
    /// What the exit code says, where it is an answer.
    pub exit_meaning: Option<String>,
    /// The output is longer than what is here.
    pub truncated: bool,
    /// All of the output, if it was kept.
    pub output_file: Option<PathBuf>,
    /// Bytes printed.
    pub total_bytes: u64,
    /// Lines printed.
    pub total_lines: u64,
    /// Bytes that could not be kept.
    pub lost_bytes: u64,
    /// The output was no valid UTF-8.
    pub binary: bool,
    /// The output is this image.
    pub image: Option<Image>,
    /// Processes that outlived the command.
    pub leaked: Vec<Leaked>,
    /// Processes that could not be ended.
    pub kill_unconfirmed: Vec<i32>,
    /// Where the session is now.
    pub cwd: PathBuf,
    /// Words for the model.
    pub notes: Vec<String>,
    /// How long it took.
    pub duration_ms: u64,
    /// Time between TERM and its order, for nobody but the envelope.
    #[serde(skip)]
    pub(crate) envelope: Option<String>,
    /// The end of a cut output.
    #[serde(skip)]
    pub(crate) tail: String,
}

impl Finished {
    /// The words for a model. An image is a block of its own, beside them.
    pub fn for_model(&self) -> String {
        let mut text = String::new();
        if let (true, Some(code)) = (
            self.is_error && self.state == RunState::Completed,
            self.exit_code,
        ) {
            let _ = match self.signal {
                Some(signal) => writeln!(text, "Exit code {code} (ended by signal {signal})"),
                None => writeln!(text, "Exit code {code}"),
            };
        }
        match (&self.envelope, &self.image) {
            (Some(envelope), _) => paragraph(&mut text, envelope),
            (None, Some(image)) => paragraph(&mut text, &format!("[{} image]", image.media_type)),
            (None, None) => paragraph(&mut text, &self.stdout),
        }
        paragraph(&mut text, &self.stderr);
        if let Some(meaning) = &self.exit_meaning {
            paragraph(&mut text, &format!("[{meaning}]"));
        }
        for note in &self.notes {
            paragraph(&mut text, note);
        }
        if self.state == RunState::Lost {
            paragraph(
                &mut text,
                "<error>Command was lost: its supervisor was killed, and how it ended is not known</error>",
            );
        }
        match self.why_ended() {
            Some(why) => paragraph(&mut text, &format!("<error>Command {why}</error>")),
            None if self.state == RunState::Killed => {
                paragraph(
                    &mut text,
                    "<error>Command was aborted before completion</error>",
                );
            }
            None => {}
        }
        text.trim_end().to_owned()
    }

    /// Why it was ended from outside, where that was no order of somebody's: "was ended because …".
    pub fn why_ended(&self) -> Option<String> {
        if self.state != RunState::Killed {
            return None;
        }
        let because = match self.reason? {
            Reason::Timeout => format!(
                "its time limit was reached, after {}",
                seconds(self.duration_ms)
            ),
            Reason::OutputLimit => format!(
                "it printed more than may be kept ({})",
                human_size(self.total_bytes - self.lost_bytes.min(self.total_bytes))
            ),
            Reason::DiskFloor => format!(
                "the disk is nearly full; it had printed {}",
                human_size(self.total_bytes)
            ),
            Reason::Stopped
            | Reason::Aborted
            | Reason::Cancelled
            | Reason::HostGone
            | Reason::Signal => return None,
        };
        Some(format!("was ended because {because}"))
    }

    /// The last lines and the path, instead of the beginning.
    pub fn tail_for_model(&self) -> String {
        match (&self.output_file, self.truncated) {
            (Some(file), true) => crate::output::tail_view(self.total_bytes, file, &self.tail),
            _ => self.for_model(),
        }
    }

    /// How long it took.
    pub fn duration(&self) -> Duration {
        Duration::from_millis(self.duration_ms)
    }
}

/// `0.7 s`, `12 s`.
fn seconds(ms: u64) -> String {
    match ms {
        ..10_000 => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
        _ => format!("{} s", ms / 1000),
    }
}

fn paragraph(text: &mut String, piece: &str) {
    if piece.is_empty() {
        return;
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(piece);
}

/// A command that goes on in the background.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Backgrounded {
    /// The task's id.
    pub task_id: String,
    /// How it came there.
    pub how: How,
    /// Its output, growing.
    pub output_file: PathBuf,
    /// Its shell.
    pub pid: i32,
    /// After how long it moved.
    pub after_ms: u64,
    /// Words for the model.
    pub notes: Vec<String>,
}

impl Backgrounded {
    /// The words for a model.
    pub fn for_model(&self) -> String {
        let id = &self.task_id;
        let seconds = self.after_ms as f64 / 1000.0;
        let mut text = match self.how {
            How::Explicit => format!("The command runs in the background with the id {id}."),
            How::Timeout => format!(
                "The command did not end within its time limit ({seconds:.0} s). It was not stopped: it goes on in the \
                 background with the id {id}."
            ),
            How::User => format!(
                "The user moved the command to the background, where it goes on with the id {id}."
            ),
            How::Budget => format!(
                "The command blocked for {seconds:.0} s, which is as long as this session may wait. It goes on in the \
                 background with the id {id}."
            ),
        };
        let _ = write!(
            text,
            " Its output is written to {}; read that file to see how far it is. You will be told when it ends.",
            self.output_file.display(),
        );
        for note in &self.notes {
            paragraph(&mut text, note);
        }
        text
    }
}

/// A command that did not run.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RunError {
    /// The input is none.
    #[error(transparent)]
    Input(#[from] InputError),
    /// It may not run here and now.
    #[error("{0}")]
    NotNow(String),
    /// The policy or a person said no.
    #[error("{0}")]
    Refused(Box<Refusal>),
    /// It could not be started.
    #[error("{}", .0.message)]
    Start(Failure),
    /// Its turn was aborted before it began.
    #[error("the command was aborted before it began")]
    Aborted,
}

/// Who said no, and why.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The verdict.
    pub verdict: Verdict,
    /// What the person who was asked said; `None` when the policy denied.
    pub because: Option<String>,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "refused: {} ({})",
            self.verdict.reason.message,
            self.verdict.reason.code.slug()
        )?;
        if let Some(because) = &self.because {
            write!(f, "; {because}")?;
        }
        Ok(())
    }
}
