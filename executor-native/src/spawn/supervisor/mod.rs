//! The process that stands between a host and one command: synchronous, single-threaded, a few hundred KiB.
//!
//! A [`Brief`] comes in on descriptor 0, which stays open as the host's sign of life; [`Notice`]s go out on
//! descriptor 1. It owns the command: its output pipe and file, its exit record, its time limit, and, as
//! subreaper, every process it leaves. It ends when nothing of the tree is left. `start` makes the shell, `hear` takes in
//! what comes, `ending` ends the tree, `result` tells.

mod ending;
mod hear;
mod outbox;
mod result;
mod start;

use std::{
    fs::File,
    io::{self, Write},
    os::fd::OwnedFd,
    path::PathBuf,
    process::ExitCode,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use rustix::event::{PollFd, PollFlags, poll};

use self::{ending::Ending, outbox::Outbox};
use super::{report::Report, sink::Sink, unix};
use crate::protocol::{Brief, Notice, Record, read_brief};

/// The hidden argument that makes our binary a supervisor.
pub const ARGUMENT: &str = "__supervise";

/// After the shell's end: nothing more for this long, and the result is given back.
const DRAIN_IDLE: Duration = Duration::from_millis(50);
/// After the shell's end: the result is given back now, whoever still prints.
const DRAIN_MOST: Duration = Duration::from_millis(250);
/// How often the tree is looked at while it is being ended.
const KILL_TICK: Duration = Duration::from_millis(5);
/// How often progress is told, and how often the output file is looked at.
const PROGRESS_EVERY: Duration = Duration::from_millis(250);

/// Runs one command as the brief on standard input says.
pub(super) fn main() -> ExitCode {
    let _ = rustix::process::setsid();
    unix::close_from(3);
    let brief = match read_brief(&mut io::stdin().lock()) {
        Ok(brief) => brief,
        Err(_) => return ExitCode::from(2),
    };
    let mut outbox = Outbox::default();
    match Supervisor::start(brief) {
        Ok(mut supervisor) => {
            supervisor.follow();
            ExitCode::SUCCESS
        }
        Err(failure) => {
            outbox.push(&Notice::Failed(failure));
            let _ = io::stdout().write_all(&outbox.pending);
            ExitCode::from(1)
        }
    }
}

struct Supervisor {
    brief: Brief,
    folder: PathBuf,
    record: Record,
    begun: Instant,
    shell: i32,
    signals: OwnedFd,
    orders: Option<File>,
    host: bool,
    detached: bool,
    inbox: Vec<u8>,
    outbox: Outbox,
    output: Option<File>,
    errors: Option<File>,
    report_end: Option<File>,
    report: Report,
    sink: Sink,
    error_sink: Option<Sink>,
    shell_ended: Option<Instant>,
    last_output: Instant,
    settled: bool,
    ending: Option<Ending>,
    told: (Instant, u64),
}

impl Supervisor {
    /// Follows the command until nothing of it is left.
    fn follow(&mut self) {
        self.write_record(false);
        self.outbox
            .push(&Notice::Started(Box::new(self.record.clone())));
        // Orders may have come with the brief, into the buffer where `poll` does not see them.
        self.read_host();
        while !self.step() {}
        let (cpu, rss) = unix::children_usage();
        self.record.cpu = cpu;
        self.record.max_rss = rss;
        self.record.gone = true;
        self.count();
        // Of a foreground command nobody reads it who was not told already.
        self.write_record(self.detached);
        self.outbox
            .push(&Notice::Gone(Box::new(self.record.clone())));
        self.outbox.finish();
    }

    /// One turn: wait for something, deal with it. True when all is over.
    fn step(&mut self) -> bool {
        self.wait();
        self.reap();
        self.read_signals();
        self.read_host();
        self.read_orders();
        self.read_output();
        self.read_report();
        self.watch_time();
        self.end_tree();
        self.settle();
        self.tell_progress();
        self.outbox.send();
        self.settled && self.ending.is_none() && self.tree_is_empty()
            || self.settled && self.ending.as_ref().is_some_and(|ending| ending.gave_up)
    }

    fn wait(&mut self) {
        let timeout = self.patience();
        let stdin = io::stdin();
        let stdout = io::stdout();
        let mut fds = vec![PollFd::new(&self.signals, PollFlags::IN)];
        if self.host {
            fds.push(PollFd::new(&stdin, PollFlags::IN));
        }
        if !self.outbox.pending.is_empty() && !self.outbox.closed {
            fds.push(PollFd::new(&stdout, PollFlags::OUT));
        }
        for file in [&self.output, &self.errors, &self.report_end, &self.orders]
            .into_iter()
            .flatten()
        {
            fds.push(PollFd::new(file, PollFlags::IN));
        }
        let timeout = rustix::time::Timespec {
            tv_sec: timeout.as_secs() as i64,
            tv_nsec: i64::from(timeout.subsec_nanos()),
        };
        let _ = poll(&mut fds, Some(&timeout));
    }

    /// How long nothing needs to happen by itself.
    fn patience(&self) -> Duration {
        let now = Instant::now();
        let mut next = Duration::from_secs(2);
        if let Some(limit) = self.time_limit() {
            next = next.min(limit.saturating_duration_since(now));
        }
        if self.ending.is_some() {
            next = next.min(KILL_TICK);
        }
        if let (Some(ended), false) = (self.shell_ended, self.settled) {
            let idle = self.last_output.max(ended) + DRAIN_IDLE;
            next = next.min(idle.min(ended + DRAIN_MOST).saturating_duration_since(now));
        }
        if self.host && self.sink.bytes != self.told.1 {
            next = next.min((self.told.0 + PROGRESS_EVERY).saturating_duration_since(now));
        }
        next
    }
}

fn unix_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_millis() as u64)
}
