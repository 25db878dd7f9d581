//! What is told: progress, the result once the shell has ended and its output is read, and the record of both.

use std::{
    fs::OpenOptions,
    io::{self, Write},
    time::Instant,
};

use super::{DRAIN_IDLE, DRAIN_MOST, PROGRESS_EVERY, Supervisor, unix_ms};
use crate::{
    protocol::{Leaked, Leftovers, Notice, Reason, RunState, files},
    spawn::{sink::create_private, tree},
};

/// Bytes that a record takes at least: most never need more.
const RECORD_ROOM: usize = 2048;
/// Leaked processes named in a record.
const LEAKED_MOST: usize = 10;

impl Supervisor {
    /// Gives the result back once the shell has ended and its output is read.
    pub(super) fn settle(&mut self) {
        if self.settled {
            return;
        }
        let gave_up = self.ending.as_ref().is_some_and(|ending| ending.gave_up);
        let Some(ended) = self.shell_ended else {
            if gave_up {
                // The shell itself cannot be ended (it waits in the kernel): say so, do not wait with it.
                self.record.state = RunState::Killed;
                self.record.duration = self.begun.elapsed().as_millis() as u64;
                self.record.ended_at = Some(unix_ms());
                self.give_result();
            }
            return;
        };
        let closed = self.output.is_none() && self.errors.is_none();
        let empty = self.tree_is_empty();
        let idle =
            self.last_output.max(ended).elapsed() >= DRAIN_IDLE || ended.elapsed() >= DRAIN_MOST;
        if self.ending.is_some() && !empty && !gave_up {
            return;
        }
        if closed || empty || idle || gave_up {
            self.read_output();
            self.read_report();
            self.give_result();
        }
    }

    pub(super) fn give_result(&mut self) {
        self.settled = true;
        self.record.leaked = self
            .tree()
            .iter()
            .filter(|process| !process.dead)
            .take(LEAKED_MOST)
            .map(|process| Leaked {
                pid: process.pid,
                command: tree::command_line(process.pid),
            })
            .collect();
        if self.record.state == RunState::Completed {
            self.record.cwd = self.report.directory();
        }
        if self.brief.keep_report.is_some() {
            let _ = create_private(&self.folder.join(files::REPORT))
                .and_then(|mut file| file.write_all(self.report.raw()));
        }
        self.count();
        self.write_record(self.detached);
        self.outbox
            .push(&Notice::Ended(Box::new(self.record.clone())));
        let host_ended =
            !self.host && self.brief.leftovers == Leftovers::UntilHostEnds && !self.detached;
        if !self.record.leaked.is_empty() && (self.brief.leftovers == Leftovers::Stop || host_ended)
        {
            self.stop(Reason::Stopped, "the end of its shell");
        }
    }

    pub(super) fn count(&mut self) {
        self.record.bytes = self.sink.bytes + self.error_sink.as_ref().map_or(0, |sink| sink.bytes);
        self.record.lines = self.sink.lines + self.error_sink.as_ref().map_or(0, |sink| sink.lines);
        self.record.lost_bytes =
            self.sink.lost + self.error_sink.as_ref().map_or(0, |sink| sink.lost);
        self.record.gap_bytes = self.sink.gap + self.error_sink.as_ref().map_or(0, |sink| sink.gap);
    }

    pub(super) fn tell_progress(&mut self) {
        if self.told.0.elapsed() < PROGRESS_EVERY {
            return;
        }
        self.told.0 = Instant::now();
        if !self.settled || self.detached {
            self.sink.restore();
        }
        if self.sink.bytes != self.told.1 && self.outbox.pending.is_empty() {
            self.told.1 = self.sink.bytes;
            self.outbox.push(&Notice::Progress {
                bytes: self.sink.bytes,
                lines: self.sink.lines,
            });
        }
    }

    /// Written beside and renamed over, so that a reader never sees half of it. On a full disk, where nothing new can be
    /// written, the old one is overwritten in the room it has: better torn for a moment than wrong for ever.
    pub(super) fn write_record(&self, durable: bool) {
        let target = self.folder.join(files::RECORD);
        let beside = self.folder.join("record.new");
        let Ok(mut json) = serde_json::to_vec(&self.record) else {
            return;
        };
        // Blanks after the end are no part of the JSON, and room for later.
        json.resize(json.len().max(RECORD_ROOM), b' ');
        let write = || -> io::Result<()> {
            let _ = std::fs::remove_file(&beside);
            let mut file = create_private(&beside)?;
            file.write_all(&json)?;
            if durable {
                file.sync_data()?;
            }
            std::fs::rename(&beside, &target)
        };
        if write().is_err() {
            let _ = std::fs::remove_file(&beside);
            let overwrite = || -> io::Result<()> {
                let mut file = OpenOptions::new().write(true).open(&target)?;
                file.write_all(&json)?;
                file.set_len(json.len() as u64)
            };
            let _ = overwrite();
        }
    }
}
