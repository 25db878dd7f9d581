//! The end of a foreground command: its output made presentable, the session moved on, its files put away.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use policy_core::outcome::{RATE_LIMIT_REMINDER, Step, exit_meaning, is_rate_limited, steps};

use super::{Finished, Inner, running::Start, running::is_success};
use crate::{
    cwd::{self, Next},
    output::{IMAGE_MOST, PERSISTED_MOST, clean, image_block, persisted, read_head, read_tail},
    spawn::{Record, RunState, files},
};

/// Bytes of a cut output's end.
const TAIL: usize = 16 * 1024;
/// How often GitHub's rate limit is explained.
const REMIND_EVERY: Duration = Duration::from_secs(60);

/// Makes the result and moves the session on.
pub(super) fn settle(session: &Inner, start: &Start, record: &Record) -> Finished {
    let inline = session.shared.inline;
    let output = start.folder.join(files::OUTPUT);
    let head = read_head(&output, inline).unwrap_or_default();
    let cleaned = clean(&head.bytes);
    let steps = steps(&start.command, start.shell);
    let code = record.exit_code.unwrap_or(0);
    let meaning = exit_meaning(steps.as_deref(), code);
    let mut finished = Finished {
        stdout: trim(&cleaned.text),
        state: record.state,
        exit_code: record.exit_code,
        signal: record.signal,
        timed_out: record.timed_out,
        reason: record.reason,
        stopped_by: record.stopped_by.clone(),
        is_error: meaning.is_error || record.state != RunState::Completed,
        exit_meaning: meaning
            .note
            .map(str::to_owned)
            .filter(|_| record.state == RunState::Completed),
        truncated: head.cut,
        total_bytes: record.bytes,
        total_lines: record.lines,
        lost_bytes: record.lost_bytes,
        binary: cleaned.lossy,
        leaked: record.leaked.clone(),
        kill_unconfirmed: record.unconfirmed.clone(),
        notes: start.notes.clone(),
        duration_ms: record.duration,
        ..Finished::default()
    };
    let stderr = read_head(&start.folder.join(files::STDERR), inline).unwrap_or_default();
    finished.stderr = trim(&clean(&stderr.bytes).text);
    if stderr.cut {
        finished.stderr.push_str("\n[stderr is longer than this]");
        finished.truncated = true;
    }
    if is_success(record.state, record.exit_code) {
        finished.image = image(&output, &head.bytes, head.cut);
    }
    if session.options.keep_output {
        // Left whole where it is, for whoever asked for that.
        finished.output_file = Some(output);
    } else if finished.truncated && finished.image.is_none() {
        keep_output(session, start, &output, &mut finished);
        finished.tail = read_tail(finished.output_file.as_deref().unwrap_or(&output), TAIL)
            .map(|view| clean(&view.bytes).text)
            .unwrap_or_default();
        finished.envelope = finished.output_file.as_deref().map(|file| {
            let tail = finished.is_error.then_some(finished.tail.as_str());
            persisted(record.bytes, file, &finished.stdout, tail)
        });
    } else if !record.leaked.is_empty() {
        finished.output_file = Some(output);
    }
    add_notes(session, record, steps.as_deref(), &mut finished);
    move_session(session, start, record, steps.as_deref(), &mut finished);
    finished
}

/// Blank lines at the edges say nothing.
fn trim(text: &str) -> String {
    let text = text.trim_end();
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            break;
        }
        from += line.len();
    }
    text.get(from..).unwrap_or_default().to_owned()
}

fn image(output: &Path, head: &[u8], cut: bool) -> Option<crate::output::Image> {
    if !head.trim_ascii_start().starts_with(b"data:image/") {
        return None;
    }
    if !cut {
        return image_block(head);
    }
    let whole = read_head(output, IMAGE_MOST)
        .ok()
        .filter(|view| !view.cut)?;
    image_block(&whole.bytes)
}

/// Links the output into the results folder, where it stays after the task's own folder is gone.
fn keep_output(session: &Inner, start: &Start, output: &Path, finished: &mut Finished) {
    let kept: PathBuf = session
        .shared
        .state
        .results()
        .join(format!("{}.txt", start.id));
    let linked = fs::hard_link(output, &kept).or_else(|_| fs::copy(output, &kept).map(drop));
    if linked.is_err() {
        finished.output_file = Some(output.to_owned());
        return;
    }
    let longer = fs::metadata(&kept).is_ok_and(|meta| meta.len() > PERSISTED_MOST);
    // Somebody may still be writing to it; then it is as long as they make it.
    if longer && finished.leaked.is_empty() {
        let cut = fs::OpenOptions::new()
            .write(true)
            .open(&kept)
            .and_then(|file| file.set_len(PERSISTED_MOST));
        if cut.is_ok() {
            finished.notes.push(format!(
                "[Only the first {} of the output were kept]",
                crate::output::human_size(PERSISTED_MOST)
            ));
        }
    }
    finished.output_file = Some(kept);
}

fn add_notes(session: &Inner, record: &Record, steps: Option<&[Step]>, finished: &mut Finished) {
    if record.lost_bytes > 0 {
        finished.notes.push(format!(
            "[{} bytes of the output could not be kept]",
            record.lost_bytes
        ));
    }
    if record.gap_bytes > 0 {
        finished.notes.push(format!(
            "[The output file was removed while the command ran; its first {} bytes are gone]",
            record.gap_bytes
        ));
    }
    if finished.binary {
        finished
            .notes
            .push("[The output is not all text; bytes that are none are shown as \u{fffd}]".into());
    }
    if !record.leaked.is_empty() {
        let named: Vec<String> = record
            .leaked
            .iter()
            .map(|leaked| format!("{} ({})", leaked.pid, leaked.command))
            .collect();
        finished.notes.push(format!(
            "[Still running after the command: {}]",
            named.join(", ")
        ));
    }
    if !record.unconfirmed.is_empty() {
        finished.notes.push(format!(
            "[Could not be ended: processes {:?}]",
            record.unconfirmed
        ));
    }
    if record.state == RunState::Completed && record.signal == Some(9) {
        finished
            .notes
            .push("[Signal 9 may mean that memory ran out]".into());
    }
    let limited = steps.is_some_and(|steps| {
        is_rate_limited(steps, &finished.stdout) || is_rate_limited(steps, &finished.stderr)
    });
    if limited {
        let mut last = session
            .shared
            .reminded
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if last.is_none_or(|last| last.elapsed() >= REMIND_EVERY) {
            *last = Some(Instant::now());
            finished.notes.push(RATE_LIMIT_REMINDER.into());
        }
    }
}

/// Directory and read state; both change only by commands that ended by themselves.
fn move_session(
    session: &Inner,
    start: &Start,
    record: &Record,
    steps: Option<&[Step]>,
    finished: &mut Finished,
) {
    let main = session.options.kind == policy_core::facts::Session::Main;
    let mut mutable = session.lock();
    if main && record.state == RunState::Completed {
        let reported = record.cwd.as_ref().map(crate::spawn::Bytes::to_path);
        let before = start.cwd.clone();
        match cwd::next(&before, reported.as_deref(), &start.workspace) {
            Next::Same => {
                // The command itself may have been moved here, because its directory was gone.
                if mutable.cwd != before && !mutable.cwd.is_dir() {
                    mutable.cwd = before;
                }
            }
            Next::Moved(to) => {
                mutable.previous_cwd = Some(before);
                mutable.cwd = to;
            }
            Next::Reset { to, note } => {
                if !finished.stderr.is_empty() {
                    finished.stderr.push('\n');
                }
                finished.stderr.push_str(&note);
                mutable.cwd = to;
            }
        }
    }
    finished.cwd = mutable.cwd.clone();
    let shown_whole = !finished.truncated && finished.image.is_none();
    if let (true, true, Some(steps)) = (
        is_success(record.state, record.exit_code),
        shown_whole,
        steps,
    ) {
        finished
            .notes
            .extend(mutable.reads.after_command(steps, &start.cwd, start.began));
    }
}
