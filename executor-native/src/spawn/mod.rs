//! The only place where processes are made.
//!
//! A [`Permit`] and a [`Brief`] come in, a [`Supervised`] command comes out. The command runs under a supervisor
//! of its own (our binary, re-executed), so that whatever happens to this process nothing is lost or left over.

mod report;
mod sink;
mod supervisor;
pub mod tree;
mod unix;

use std::{
    fs::File,
    io::{self, Write},
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use rustix::process::Signal;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    net::unix::pipe,
    sync::watch,
};

pub use crate::protocol::{
    Brief, Bytes, Failure, FailureKind, Leaked, Leftovers, Notice, Order, REPORT_FD, Reason,
    Record, RunState, TASK_VARIABLE, files,
};
pub use sink::create_private;
pub use supervisor::ARGUMENT;
pub(crate) use unix::random;

use crate::{off_thread::off_thread, permit::Permit, protocol::encode_brief};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Call this first in `main` of a program that embeds the executor: when the program was started to supervise a
/// command, it does that and the result is the exit code to end with.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     if let Some(code) = executor_native::supervise_if_asked() {
///         return code;
///     }
///     // the program itself
///     std::process::ExitCode::SUCCESS
/// }
/// ```
pub fn supervise_if_asked() -> Option<ExitCode> {
    ASKED.store(true, Ordering::Relaxed);
    let mut args = std::env::args_os();
    args.next();
    (args.next()? == ARGUMENT).then(supervisor::main)
}

/// The program that supervises: this one, or another that calls [`supervise_if_asked`].
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
    /// Held open, so that an upgrade on disk changes nothing for a running host.
    _image: Option<File>,
}

impl Program {
    /// This very program. `None` if it never called [`supervise_if_asked`]: it would start itself over and over.
    pub fn this() -> Option<Self> {
        if !ASKED.load(Ordering::Relaxed) {
            return None;
        }
        #[cfg(target_os = "linux")]
        {
            let image = rustix::fs::open(
                "/proc/self/exe",
                rustix::fs::OFlags::PATH | rustix::fs::OFlags::CLOEXEC,
                rustix::fs::Mode::empty(),
            )
            .ok()?;
            let image = File::from(image);
            let number = std::os::fd::AsRawFd::as_raw_fd(&image);
            Some(Self {
                path: format!("/proc/self/fd/{number}").into(),
                _image: Some(image),
            })
        }
        #[cfg(not(target_os = "linux"))]
        Some(Self {
            path: std::env::current_exe().ok()?,
            _image: None,
        })
    }

    /// Another program.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            _image: None,
        }
    }
}

/// What the host knows of a command.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// The record as of the start, then of the shell's end, then of the tree's end.
    pub record: Record,
    /// The shell runs, or has run.
    pub started: bool,
    /// The result is there.
    pub ended: bool,
    /// Nothing is left.
    pub gone: bool,
    /// It could not be started.
    pub failed: Option<Failure>,
    /// Bytes printed so far.
    pub bytes: u64,
    /// Newlines printed so far.
    pub lines: u64,
}

impl Status {
    /// There is nothing more to wait for but the end of leftovers.
    pub fn is_over(&self) -> bool {
        self.ended || self.failed.is_some()
    }
}

/// A command under its supervisor. Dropping it tells the supervisor that the host is gone.
#[derive(Debug)]
pub struct Supervised {
    folder: PathBuf,
    control: Mutex<Option<File>>,
    status: watch::Receiver<Status>,
}

impl Supervised {
    /// The task's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is known, and a way to wait for more.
    pub fn status(&self) -> watch::Receiver<Status> {
        self.status.clone()
    }

    /// Gives an order. Too late is no error: the command has then ended by itself.
    pub fn order(&self, order: &Order) {
        let control = self.control.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mut control) = control.as_ref() {
            let _ = control.write_all(order.to_line().as_bytes());
        }
    }

    /// Waits for the result, or for the failure to start.
    pub async fn ended(&self) -> Status {
        let mut status = self.status.clone();
        match status.wait_for(Status::is_over).await {
            Ok(status) => status.clone(),
            Err(_) => self.status.borrow().clone(),
        }
    }
}

/// Starts what was permitted.
///
/// The text that runs is the permit's: it is written here, to the script file, and nowhere else. So are the directory it
/// was judged for and the environment under which the verdict holds.
pub async fn launch(
    permit: &Permit,
    program: &Arc<Program>,
    brief: Brief,
) -> Result<Supervised, Failure> {
    let mut brief = brief;
    if brief.cwd != Bytes::from(permit.cwd()) {
        return Err(Failure {
            kind: FailureKind::Other,
            message: "the command was judged for another directory".into(),
        });
    }
    for (name, value) in permit.env() {
        brief.env.retain(|(known, _)| known.0 != name.as_bytes());
        brief.env.push((Bytes::from(name), Bytes::from(value)));
    }
    let folder = brief.folder.to_path();
    let script = create_private(&folder.join(files::SCRIPT));
    script
        .and_then(|mut file| file.write_all(permit.command().as_bytes()))
        .map_err(|error| state_failure(&error))?;
    supervise(program, brief).await
}

/// Starts a supervisor for a text of our own (a snapshot's capture); commands come through [`launch`].
pub(crate) async fn supervise(program: &Arc<Program>, brief: Brief) -> Result<Supervised, Failure> {
    let folder = brief.folder.to_path();
    let id = brief.id.clone();
    let program = Arc::clone(program);
    // Not cancelled half-way: a started child is always handed to its follower.
    let started = off_thread(move || start(&program, &brief)).await;
    let (child, control, notices) = started
        .and_then(|started| started)
        .map_err(|error| start_failure(&error))?;
    let (sender, status) = watch::channel(Status::default());
    let notices = pipe::Receiver::from_owned_fd(notices).map_err(|error| start_failure(&error))?;
    tokio::spawn(follow(
        Supervisor(Some(child)),
        notices,
        sender,
        folder.clone(),
        id,
    ));
    Ok(Supervised {
        folder,
        control: Mutex::new(Some(control)),
        status,
    })
}

fn start_failure(error: &io::Error) -> Failure {
    Failure {
        kind: match error.raw_os_error() {
            Some(libc::EAGAIN | libc::ENOMEM | libc::EMFILE | libc::ENFILE) => {
                FailureKind::Exhausted
            }
            Some(libc::E2BIG) => FailureKind::TooLarge,
            _ => FailureKind::Other,
        },
        message: format!("cannot start a supervisor: {error}"),
    }
}

fn state_failure(error: &io::Error) -> Failure {
    Failure {
        kind: FailureKind::State,
        message: format!("cannot prepare the task: {error}"),
    }
}

fn start(program: &Program, brief: &Brief) -> io::Result<(Child, File, OwnedFd)> {
    let mut command = Command::new(&program.path);
    // An environment of its own: neither the host's secrets nor the command's variables belong there.
    command
        .arg(ARGUMENT)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn()?;
    let (Some(control), Some(notices)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::Error::other("no pipes to the supervisor"));
    };
    let mut control = File::from(OwnedFd::from(control));
    let sent = encode_brief(brief).and_then(|bytes| control.write_all(&bytes));
    if let Err(error) = sent {
        drop(control);
        let _ = child.wait();
        return Err(error);
    }
    Ok((child, control, OwnedFd::from(notices)))
}

/// A supervisor's process, which is reaped in any case: a runtime that is shut down drops its tasks where they are.
struct Supervisor(Option<Child>);

impl Supervisor {
    fn reap(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.wait();
        }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take()
            && !matches!(child.try_wait(), Ok(Some(_)))
        {
            // Without a thread it stays a zombie until the host ends.
            let _ = std::thread::Builder::new().spawn(move || child.wait());
        }
    }
}

/// Reads what the supervisor tells until it ends, then reaps it; a supervisor that ended too early is mourned.
async fn follow(
    mut child: Supervisor,
    notices: pipe::Receiver,
    sender: watch::Sender<Status>,
    folder: PathBuf,
    id: String,
) {
    let mut lines = BufReader::new(notices).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let Ok(notice) = serde_json::from_str::<Notice>(&line) else {
            continue;
        };
        sender.send_modify(|status| match notice {
            Notice::Started(record) => {
                status.record = *record;
                status.started = true;
            }
            Notice::Progress { bytes, lines } => {
                status.bytes = bytes;
                status.lines = lines;
            }
            Notice::Ended(record) => {
                status.bytes = record.bytes;
                status.lines = record.lines;
                status.record = *record;
                status.ended = true;
            }
            Notice::Gone(record) => {
                status.record = *record;
                status.gone = true;
            }
            Notice::Failed(failure) => status.failed = Some(failure),
        });
    }
    let _ = off_thread(move || child.reap()).await;
    let lost = {
        let status = sender.borrow();
        !status.gone && status.failed.is_none()
    };
    if lost {
        let before = sender.borrow().record.clone();
        let known = before.clone();
        let mourning = off_thread(move || mourn(&folder, &id, before));
        let record = mourning.await.unwrap_or(known);
        sender.send_modify(|status| {
            if !status.started {
                status.failed = Some(Failure {
                    kind: FailureKind::Other,
                    message: "the supervisor ended before the command began".into(),
                });
            }
            status.record = record;
            status.ended = true;
            status.gone = true;
        });
    }
}

/// A supervisor that was killed leaves processes behind: ends those that carry the task's mark, and writes it down.
pub(crate) fn mourn(folder: &Path, id: &str, mut record: Record) -> Record {
    for _ in 0..200 {
        let left = tree::carrying(TASK_VARIABLE, id);
        record.unconfirmed = left.iter().map(|process| process.pid).collect();
        if left.is_empty() {
            break;
        }
        for process in &left {
            let _ = process.signal(Signal::KILL);
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    if record.exit_code.is_none() {
        record.state = RunState::Lost;
    }
    record.id = id.to_owned();
    record.gone = true;
    let beside = folder.join("record.lost");
    let write = || -> io::Result<()> {
        let _ = std::fs::remove_file(&beside);
        create_private(&beside)?.write_all(&serde_json::to_vec(&record)?)?;
        std::fs::rename(&beside, folder.join(files::RECORD))
    };
    let _ = write();
    record
}
