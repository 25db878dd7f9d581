//! Reading a task's output: now, or when there is more to say.
//!
//! While it runs the beginning is shown, after its end the end; what goes to a model is bounded, with the path
//! of the whole.

use std::{
    fs::File,
    future::Future,
    io::{Read, Seek, SeekFrom},
    time::{Duration, Instant},
};

use serde::Serialize;

use super::{Task, TaskError, Tasks};
use crate::{
    output::{clean, read_head, read_tail},
    spawn::RunState,
};

/// Bytes shown while a task runs.
const RUNNING_MOST: usize = 30_000;
/// Bytes read after its end.
const ENDED_MOST: usize = 8 * 1024 * 1024;
/// Characters given to a model.
const TEXT_DEFAULT: usize = 32_000;
/// The most that `TASK_MAX_OUTPUT_LENGTH` can make of it.
const TEXT_MOST: usize = 160_000;
/// Bytes given to an interface.
const INTERFACE_MOST: usize = 8_192;
/// Between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// How long to wait at most.
const WAIT_MOST: Duration = Duration::from_secs(600);

/// Characters given to a model, by the value of `TASK_MAX_OUTPUT_LENGTH`.
pub fn text_limit(configured: Option<&str>) -> usize {
    configured
        .and_then(|text| text.trim().parse::<usize>().ok())
        .filter(|n| *n > 0)
        .map_or(TEXT_DEFAULT, |n| n.min(TEXT_MOST))
}

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputRequest {
    /// Wait for the end.
    pub block: bool,
    /// At most this long; no more than ten minutes.
    pub timeout: Duration,
    /// Who asks, when only the owner may.
    pub owner: Option<String>,
    /// Characters of text at most.
    pub most: usize,
}

impl Default for OutputRequest {
    fn default() -> Self {
        Self {
            block: true,
            timeout: Duration::from_secs(30),
            owner: None,
            most: TEXT_DEFAULT,
        }
    }
}

/// How the wait ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Wait {
    /// It still runs, and nobody wanted to wait.
    NotReady,
    /// It still runs, and the time is up.
    Timeout,
    /// It ended.
    Done,
}

/// A task and what it printed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskOutput {
    /// How the wait ended.
    pub wait: Wait,
    /// The task.
    pub task: Task,
    /// What it printed, cleaned and bounded.
    pub text: String,
    /// There is more in the file.
    pub cut: bool,
}

/// A piece of a growing output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Where to go on.
    pub cursor: u64,
    /// The file was removed in between; this is from its new beginning.
    pub gap: bool,
    /// More may come.
    pub running: bool,
}

impl Tasks {
    /// Waits as asked and reads. The end counts as told only when all of this was done.
    pub async fn output(&self, id: &str, request: &OutputRequest) -> Result<TaskOutput, TaskError> {
        self.output_unless(id, request, std::future::pending())
            .await
            .map(|(output, _)| output)
    }

    /// The same, but ended early by `aborted`; then nothing counts as told. The flag says whether it was.
    pub async fn output_unless(
        &self,
        id: &str,
        request: &OutputRequest,
        aborted: impl Future<Output = ()>,
    ) -> Result<(TaskOutput, bool), TaskError> {
        let until = Instant::now() + request.timeout.min(WAIT_MOST);
        let mut aborted = std::pin::pin!(aborted);
        let mut given_up = false;
        let wait = loop {
            let task = self.find(id, request.owner.as_deref())?;
            if !task.is_running() {
                break Wait::Done;
            }
            if !request.block {
                break Wait::NotReady;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break Wait::Timeout;
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK_EVERY.min(left)) => {}
                () = &mut aborted => { given_up = true; break Wait::NotReady; }
            }
        };
        let task = self.find(id, request.owner.as_deref())?;
        let output = project(wait, task, request.most);
        if wait == Wait::Done && !given_up {
            self.mark_notified(id);
        }
        Ok((output, given_up))
    }

    /// What was printed since `cursor` (0 at first), raw, and the cursor for the next time. Characters are never
    /// split: one that is still being written is left for later. `most` bounds the bytes.
    pub fn read_on(
        &self,
        id: &str,
        cursor: u64,
        most: usize,
        owner: Option<&str>,
    ) -> Result<Piece, TaskError> {
        let task = self.find(id, owner)?;
        let unreadable = |error| TaskError::Unreadable {
            id: id.to_owned(),
            error,
        };
        let mut file = File::open(&task.output_file).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        // Shorter than what was read: somebody removed the file, and it was started again.
        let gap = length < cursor;
        let from = if gap { 0 } else { cursor };
        file.seek(SeekFrom::Start(from)).map_err(unreadable)?;
        let mut bytes = Vec::new();
        file.take(most.max(4) as u64)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        let whole = match std::str::from_utf8(&bytes) {
            // Only an unfinished end is held back, and only while there may be more.
            Err(error)
                if error.error_len().is_none()
                    && (task.is_running() || bytes.len() >= most.max(4)) =>
            {
                error.valid_up_to()
            }
            Ok(_) | Err(_) => bytes.len(),
        };
        bytes.truncate(whole);
        Ok(Piece {
            cursor: from + bytes.len() as u64,
            bytes,
            gap,
            running: task.is_running(),
        })
    }

    /// The last bytes, for an interface that shows a task's details.
    pub fn tail(&self, id: &str, owner: Option<&str>) -> Result<String, TaskError> {
        let task = self.find(id, owner)?;
        let view = read_tail(&task.output_file, INTERFACE_MOST).unwrap_or_default();
        Ok(clean(&view.bytes).text)
    }
}

fn project(wait: Wait, task: Task, most: usize) -> TaskOutput {
    let running = task.record.state == RunState::Running;
    let view = match running {
        true => read_head(&task.output_file, RUNNING_MOST),
        false => read_tail(&task.output_file, ENDED_MOST),
    };
    let (text, mut cut) = match view {
        Ok(view) => (clean(&view.bytes).text, view.cut),
        Err(error) => (
            format!(
                "[The output file {} cannot be read: {error}]",
                task.output_file.display()
            ),
            false,
        ),
    };
    let mut text = text.trim_end().to_owned();
    if let Some(from) = text
        .char_indices()
        .nth_back(most.saturating_sub(1))
        .map(|(at, _)| at)
        && from > 0
    {
        text.drain(..from);
        cut = true;
    }
    if cut {
        let part = if running { "a part" } else { "the end" };
        text = format!(
            "[This is only {part} of the output; all of it is in {}]\n{text}",
            task.output_file.display(),
        );
    }
    TaskOutput {
        wait,
        task,
        text,
        cut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_limit_has_a_ceiling() {
        assert_eq!(text_limit(None), 32_000);
        assert_eq!(text_limit(Some("1000000")), 160_000);
        assert_eq!(text_limit(Some("100")), 100);
        assert_eq!(text_limit(Some("x")), 32_000);
    }
}
