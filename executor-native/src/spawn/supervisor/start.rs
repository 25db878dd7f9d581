//! From a brief to a running shell: files, pipes, the fork, and what to say when one of them fails.

use std::{
    fs::{File, OpenOptions},
    io,
    os::fd::{AsRawFd, OwnedFd},
    os::unix::fs::OpenOptionsExt,
    os::unix::process::CommandExt,
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

use super::{Outbox, Supervisor, unix_ms};
use crate::{
    protocol::{Brief, Bytes, Failure, FailureKind, Identity, Record, files},
    spawn::{report::Report, sink::Sink, unix},
};

impl Supervisor {
    pub(super) fn start(brief: Brief) -> Result<Self, Failure> {
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
