//! The process that stands between a host and one command: synchronous, single-threaded, a few hundred KiB.
//!
//! A [`Brief`] comes in on descriptor 0, which stays open as the host's sign of life; [`Notice`]s go out on
//! descriptor 1. It owns the command: its output pipe and file, its exit record, its time limit, and, as
//! subreaper, every process it leaves. It ends when nothing of the tree is left.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Write},
    os::fd::{AsFd, AsRawFd, OwnedFd},
    os::unix::fs::OpenOptionsExt,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use rustix::{
    event::{PollFd, PollFlags, poll},
    process::{Signal, WaitOptions},
};

use super::{
    protocol::{
        Brief, Bytes, Failure, FailureKind, Leaked, Leftovers, Notice, Order, Reason, Record,
        RunState, files, read_brief,
    },
    report::Report,
    sink::{Kept, Sink, create_private},
    tree::{self, Identity},
    unix,
};

/// The hidden argument that makes our binary a supervisor.
pub const ARGUMENT: &str = "__supervise";

/// After the shell's end: nothing more for this long, and the result is given back.
const DRAIN_IDLE: Duration = Duration::from_millis(50);
/// After the shell's end: the result is given back now, whoever still prints.
const DRAIN_MOST: Duration = Duration::from_millis(250);
/// How often the tree is looked at while it is being ended.
const KILL_TICK: Duration = Duration::from_millis(5);
/// How long KILL is repeated before survivors are reported instead.
const KILL_MOST: Duration = Duration::from_secs(5);
/// How often progress is told, and how often the output file is looked at.
const PROGRESS_EVERY: Duration = Duration::from_millis(250);
/// Leaked processes named in a record.
const LEAKED_MOST: usize = 10;

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

struct Ending {
    since: Instant,
    killing: Option<Instant>,
    gave_up: bool,
}

impl Supervisor {
    fn start(brief: Brief) -> Result<Self, Failure> {
        let state = |error: io::Error| {
            failure(
                FailureKind::State,
                format!("cannot prepare the task's files: {error}"),
            )
        };
        let folder = brief.folder.to_path();
        #[cfg(target_os = "linux")]
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
            .map_err(|error| failure(FailureKind::Other, error.to_string()))?;
        let signals =
            unix::signal_pipe(&[libc::SIGCHLD, libc::SIGTERM, libc::SIGINT, libc::SIGHUP])
                .map_err(state)?;
        unix::set_nonblocking(&io::stdin()).map_err(state)?;
        unix::set_nonblocking(&io::stdout()).map_err(state)?;
        let orders = open_orders(&folder).ok();
        let sink = Sink::create(
            folder.join(files::OUTPUT),
            brief.output_cap,
            brief.free_floor,
        )
        .map_err(state)?;
        let mut error_sink = None;
        let (output, output_in) = io::pipe().map_err(state)?;
        let (report_end, report_in) = io::pipe().map_err(state)?;
        let mut errors = None;
        let mut command = Command::new(brief.program.as_os());
        command.args(brief.args.iter().map(Bytes::as_os));
        command.env_clear();
        command.envs(
            brief
                .env
                .iter()
                .map(|(name, value)| (name.as_os(), value.as_os())),
        );
        let cwd = brief.cwd.to_path();
        check_cwd(&cwd)?;
        command.current_dir(&cwd);
        command.stdin(match brief.stdin {
            true => Stdio::from(File::open(folder.join(files::STDIN)).map_err(state)?),
            false => Stdio::null(),
        });
        command.stdout(output_in.try_clone().map_err(state)?);
        if brief.split {
            let (reader, writer) = io::pipe().map_err(state)?;
            errors = Some(File::from(OwnedFd::from(reader)));
            error_sink = Some(
                Sink::create(
                    folder.join(files::STDERR),
                    brief.output_cap,
                    brief.free_floor,
                )
                .map_err(state)?,
            );
            command.stderr(writer);
            drop(output_in);
        } else {
            command.stderr(output_in);
        }
        unix::isolate(&mut command, Some(report_in.as_raw_fd()));
        command.arg0(brief.program.as_os());
        let child = command.spawn().map_err(|error| explain(&error, &brief))?;
        // The writing ends live in `command`: with them open, end-of-file would never come.
        drop(command);
        drop(report_in);
        let shell = child.id() as i32;
        #[cfg(target_os = "linux")]
        let _ =
            rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
        let output = File::from(OwnedFd::from(output));
        let report_end = File::from(OwnedFd::from(report_end));
        for end in [Some(&output), Some(&report_end), errors.as_ref()]
            .into_iter()
            .flatten()
        {
            unix::set_nonblocking(end).map_err(state)?;
        }
        let now = Instant::now();
        let record = Record {
            schema: 1,
            id: brief.id.clone(),
            supervisor: Identity::of(std::process::id() as i32),
            shell: Identity::of(shell),
            started_at: unix_ms(),
            ..Record::default()
        };
        let report_cap = brief.keep_report.unwrap_or(64 * 1024);
        Ok(Self {
            detached: brief.detached,
            folder,
            record,
            begun: now,
            shell,
            signals,
            orders,
            host: true,
            inbox: Vec::new(),
            outbox: Outbox::default(),
            output: Some(output),
            errors,
            report_end: Some(report_end),
            report: Report::new(report_cap as usize, brief.keep_report.is_some()),
            sink,
            error_sink,
            shell_ended: None,
            last_output: now,
            settled: false,
            ending: None,
            told: (now, 0),
            brief,
        })
    }

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

    fn time_limit(&self) -> Option<Instant> {
        if self.settled || self.ending.is_some() {
            return None;
        }
        self.begun
            .checked_add(Duration::from_millis(self.brief.timeout?))
    }

    fn reap(&mut self) {
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

    fn read_signals(&mut self) {
        let mut buffer = [0; 64];
        while let Ok(n @ 1..) = rustix::io::read(&self.signals, &mut buffer) {
            if buffer
                .iter()
                .take(n)
                .any(|signal| i32::from(*signal) != libc::SIGCHLD)
            {
                self.stop(Reason::Signal, "a signal to the supervisor");
            }
        }
    }

    fn read_host(&mut self) {
        let mut buffer = [0; 512];
        while self.host {
            match io::stdin().lock().read(&mut buffer) {
                Ok(0) => {
                    self.host = false;
                    if !self.detached {
                        self.stop(Reason::HostGone, "the end of its host");
                    }
                }
                Ok(n) => {
                    self.inbox.extend(buffer.iter().take(n));
                    while let Some(end) = self.inbox.iter().position(|byte| *byte == b'\n') {
                        let line: Vec<u8> = self.inbox.drain(..=end).collect();
                        self.obey(&String::from_utf8_lossy(&line));
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
    }

    fn read_orders(&mut self) {
        let mut buffer = [0; 512];
        // A line from one writer arrives whole: it is far below PIPE_BUF.
        while let Some(Ok(n @ 1..)) = self.orders.as_mut().map(|orders| orders.read(&mut buffer)) {
            for line in String::from_utf8_lossy(&buffer[..n]).lines() {
                self.obey(line);
            }
        }
    }

    fn obey(&mut self, line: &str) {
        match Order::parse(line) {
            Some(Order::Detach) => self.detached = true,
            Some(Order::Stop { reason, by }) => self.stop(reason, &by),
            None => {}
        }
    }

    fn read_output(&mut self) {
        let before = self.sink.bytes + self.error_sink.as_ref().map_or(0, |sink| sink.bytes);
        let verdict = pump(&mut self.output, &mut self.sink);
        let errors = match &mut self.error_sink {
            Some(sink) => pump(&mut self.errors, sink),
            None => Kept::Fine,
        };
        let after = self.sink.bytes + self.error_sink.as_ref().map_or(0, |sink| sink.bytes);
        if after != before {
            self.last_output = Instant::now();
            self.record.output_after_exit |= self.settled;
        }
        for kept in [verdict, errors] {
            match kept {
                Kept::Fine => {}
                Kept::AtCap => self.stop(Reason::OutputLimit, "the limit on output"),
                Kept::AtFloor => self.stop(Reason::DiskFloor, "the limit on free disk space"),
            }
        }
    }

    fn read_report(&mut self) {
        let Some(end) = &mut self.report_end else {
            return;
        };
        let mut buffer = [0; 16 * 1024];
        for _ in 0..64 {
            match end.read(&mut buffer) {
                Ok(0) => {
                    self.report_end = None;
                    return;
                }
                Ok(n) => {
                    if !self.report.take(&buffer[..n]) {
                        self.stop(Reason::OutputLimit, "the limit on the report");
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    fn watch_time(&mut self) {
        if self
            .time_limit()
            .is_some_and(|limit| limit <= Instant::now())
        {
            self.record.timed_out = true;
            self.stop(Reason::Timeout, "its time limit");
        }
    }

    /// Begins to end the tree; a second order changes nothing.
    fn stop(&mut self, reason: Reason, by: &str) {
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

    fn signal_tree(&mut self, signal: Signal) {
        self.record.unconfirmed.clear();
        for process in tree::descendants(std::process::id() as i32) {
            if !process.dead && tree::signal_exactly(process.pid, process.start, signal).is_err() {
                self.record.unconfirmed.push(process.pid);
            }
        }
    }

    fn end_tree(&mut self) {
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
                let survivors = tree::descendants(std::process::id() as i32);
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

    fn tree_is_empty(&self) -> bool {
        // ECHILD: not even a zombie is left. Whatever is below us is a child of ours or below one.
        matches!(
            rustix::process::waitid(
                rustix::process::WaitId::All,
                rustix::process::WaitIdOptions::EXITED
                    | rustix::process::WaitIdOptions::NOHANG
                    | rustix::process::WaitIdOptions::NOWAIT,
            ),
            Err(rustix::io::Errno::CHILD)
        )
    }

    /// Gives the result back once the shell has ended and its output is read.
    fn settle(&mut self) {
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

    fn give_result(&mut self) {
        self.settled = true;
        self.record.leaked = tree::descendants(std::process::id() as i32)
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

    fn count(&mut self) {
        self.record.bytes = self.sink.bytes + self.error_sink.as_ref().map_or(0, |sink| sink.bytes);
        self.record.lines = self.sink.lines + self.error_sink.as_ref().map_or(0, |sink| sink.lines);
        self.record.lost_bytes =
            self.sink.lost + self.error_sink.as_ref().map_or(0, |sink| sink.lost);
        self.record.gap_bytes = self.sink.gap + self.error_sink.as_ref().map_or(0, |sink| sink.gap);
    }

    fn tell_progress(&mut self) {
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

    /// Written beside and renamed over, so that a reader never sees half of it.
    fn write_record(&self, durable: bool) {
        let target = self.folder.join(files::RECORD);
        let beside = self.folder.join("record.new");
        let write = || -> io::Result<()> {
            let _ = std::fs::remove_file(&beside);
            let mut file = create_private(&beside)?;
            file.write_all(&serde_json::to_vec(&self.record)?)?;
            if durable {
                file.sync_data()?;
            }
            std::fs::rename(&beside, &target)
        };
        let _ = write();
    }
}

/// Moves what is in the pipe to the file; a closed pipe is dropped.
fn pump(pipe: &mut Option<File>, sink: &mut Sink) -> Kept {
    let mut kept = Kept::Fine;
    let Some(file) = pipe else { return kept };
    let mut buffer = [0; 64 * 1024];
    // Bounded, so that a flood does not keep orders waiting.
    for _ in 0..16 {
        match file.read(&mut buffer) {
            Ok(0) => {
                *pipe = None;
                break;
            }
            Ok(n) => match sink.take(&buffer[..n]) {
                Kept::Fine => {}
                other => kept = other,
            },
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    kept
}

/// Lines for the host; kept while the host does not read, never waited for while the command runs.
#[derive(Default)]
struct Outbox {
    pending: Vec<u8>,
    closed: bool,
}

impl Outbox {
    fn push(&mut self, notice: &Notice) {
        if let Ok(line) = serde_json::to_vec(notice) {
            self.pending.extend(line);
            self.pending.push(b'\n');
        }
    }

    fn send(&mut self) {
        while !self.pending.is_empty() && !self.closed {
            // Not through `io::stdout()`, whose buffer would keep what could not be written.
            match rustix::io::write(io::stdout().as_fd(), &self.pending) {
                Ok(n) => drop(self.pending.drain(..n)),
                Err(rustix::io::Errno::AGAIN) => break,
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => self.closed = true,
            }
        }
    }

    /// The last words: a host that reads gets them, one that does not is waited for a second.
    fn finish(&mut self) {
        let until = Instant::now() + Duration::from_secs(1);
        loop {
            self.send();
            if self.pending.is_empty() || self.closed || Instant::now() >= until {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

fn open_orders(folder: &Path) -> io::Result<File> {
    let path = folder.join(files::ORDERS);
    unix::make_fifo(&path)?;
    // Opened for both, so that it never ends when a writer goes.
    OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_CLOEXEC | libc::O_NOFOLLOW)
        .open(path)
}

fn check_cwd(cwd: &Path) -> Result<(), Failure> {
    let missing = |error: &dyn std::fmt::Display| {
        failure(
            FailureKind::CwdMissing,
            format!(
                "cannot enter the working directory `{}`: {error}",
                cwd.display()
            ),
        )
    };
    match std::fs::metadata(cwd) {
        Ok(meta) if meta.is_dir() => {
            rustix::fs::access(cwd, rustix::fs::Access::EXEC_OK).map_err(|error| missing(&error))
        }
        Ok(_) => Err(missing(&"not a directory")),
        Err(error) => Err(missing(&error)),
    }
}

fn explain(error: &io::Error, brief: &Brief) -> Failure {
    let program = brief.program.to_path();
    match error.raw_os_error() {
        Some(libc::E2BIG) => {
            let largest = brief.env.iter().max_by_key(|(_, value)| value.0.len());
            let (name, size) = largest.map_or((String::new(), 0), |(name, value)| {
                (String::from_utf8_lossy(&name.0).into_owned(), value.0.len())
            });
            failure(
                FailureKind::TooLarge,
                format!(
                    "the environment is too large for a new process; the largest variable is `{name}` with {size} bytes"
                ),
            )
        }
        Some(libc::EAGAIN | libc::ENOMEM | libc::EMFILE | libc::ENFILE) => failure(
            FailureKind::Exhausted,
            format!("cannot start another process: {error}"),
        ),
        Some(libc::ENOENT | libc::EACCES | libc::ENOEXEC) => failure(
            FailureKind::ShellMissing,
            format!("cannot start `{}`: {error}", program.display()),
        ),
        _ => failure(
            FailureKind::Other,
            format!("cannot start `{}`: {error}", program.display()),
        ),
    }
}

fn failure(kind: FailureKind, message: String) -> Failure {
    Failure { kind, message }
}

fn unix_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_millis() as u64)
}
