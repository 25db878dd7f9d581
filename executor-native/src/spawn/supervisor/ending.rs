//! The end of the shell, and the end of all that it left: by itself, by its time limit, or because somebody said so.

use std::time::{Duration, Instant};

use rustix::process::{Signal, WaitOptions};

use super::{Supervisor, unix_ms};
use crate::{
    protocol::{Leftovers, Reason, RunState, TASK_VARIABLE},
    spawn::tree,
};

/// How long KILL is repeated before survivors are reported instead.
const KILL_MOST: Duration = Duration::from_secs(5);

/// A tree on its way out.
pub(super) struct Ending {
    since: Instant,
    killing: Option<Instant>,
    pub(super) gave_up: bool,
}

impl Supervisor {
    pub(super) fn time_limit(&self) -> Option<Instant> {
        if self.settled || self.ending.is_some() {
            return None;
        }
        self.begun
            .checked_add(Duration::from_millis(self.brief.timeout?))
    }

    pub(super) fn watch_time(&mut self) {
        if self
            .time_limit()
            .is_some_and(|limit| limit <= Instant::now())
        {
            self.record.timed_out = true;
            self.stop(Reason::Timeout, "its time limit");
        }
    }

    pub(super) fn reap(&mut self) {
        while let Ok(Some((pid, status))) = rustix::process::wait(WaitOptions::NOHANG) {
            if pid.as_raw_nonzero().get() != self.shell || self.shell_ended.is_some() {
                continue;
            }
            self.shell_ended = Some(Instant::now());
            self.record.duration = self.begun.elapsed().as_millis() as u64;
            self.record.ended_at = Some(unix_ms());
            self.record.signal = status.terminating_signal();
            self.record.exit_code = match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => Some(code),
                (None, Some(signal)) => Some(128 + signal),
                (None, None) => None,
            };
            self.record.state = match self.ending {
                Some(_) => RunState::Killed,
                None => RunState::Completed,
            };
        }
    }

    /// Begins to end the tree; a second order changes nothing.
    pub(super) fn stop(&mut self, reason: Reason, by: &str) {
        if self.ending.is_some() {
            return;
        }
        let over = self.shell_ended.is_some();
        // What the host's end means for those that outlived their shell was said in the brief.
        if over && reason == Reason::HostGone && self.brief.leftovers == Leftovers::Keep {
            return;
        }
        if !over {
            self.record.reason = Some(reason);
            self.record.stopped_by = Some(by.to_owned());
        }
        self.ending = Some(Ending {
            since: Instant::now(),
            killing: None,
            gave_up: false,
        });
        self.signal_tree(Signal::TERM);
        self.signal_tree(Signal::CONT);
    }

    pub(super) fn signal_tree(&mut self, signal: Signal) {
        self.record.unconfirmed.clear();
        for process in self.tree() {
            if !process.dead && tree::signal_exactly(process.pid, process.start, signal).is_err() {
                self.record.unconfirmed.push(process.pid);
            }
        }
    }

    pub(super) fn end_tree(&mut self) {
        let Some(ending) = &mut self.ending else {
            return;
        };
        if ending.gave_up {
            return;
        }
        let grace = Duration::from_millis(self.brief.grace);
        if ending.killing.is_none() && ending.since.elapsed() >= grace {
            ending.killing = Some(Instant::now());
        }
        let killing = ending.killing;
        if self.tree_is_empty() {
            self.record.unconfirmed.clear();
            // Nothing more can come; `settle` gives the result back if that is not done yet.
            if self.settled {
                self.ending = None;
            }
            return;
        }
        if let Some(since) = killing {
            self.signal_tree(Signal::KILL);
            self.reap();
            if since.elapsed() >= KILL_MOST {
                let survivors = self.tree();
                self.record.unconfirmed = survivors
                    .iter()
                    .filter(|p| !p.dead)
                    .map(|p| p.pid)
                    .collect();
                if let Some(ending) = &mut self.ending {
                    ending.gave_up = true;
                }
            }
        }
    }

    /// What is left of the command.
    pub(super) fn tree(&self) -> Vec<tree::Found> {
        let mark = (TASK_VARIABLE, self.brief.id.as_str());
        tree::left_by(std::process::id() as i32, self.shell, mark)
    }

    pub(super) fn tree_is_empty(&self) -> bool {
        // ECHILD: not even a zombie is left. Whatever is below a subreaper is a child of it or below one.
        let no_child = matches!(
            rustix::process::waitid(
                rustix::process::WaitId::All,
                rustix::process::WaitIdOptions::EXITED
                    | rustix::process::WaitIdOptions::NOHANG
                    | rustix::process::WaitIdOptions::NOWAIT,
            ),
            Err(rustix::io::Errno::CHILD)
        );
        no_child && (cfg!(target_os = "linux") || self.tree().iter().all(|process| process.dead))
    }
}
