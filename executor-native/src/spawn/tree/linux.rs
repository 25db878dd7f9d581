//! Linux: `/proc`, pidfds, and the subreaper, which makes every process below a supervisor a descendant of it.

use std::{fs, io, path::Path};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::{Found, Stat, descendants};

/// The state of a process, `None` if there is none.
pub fn stat(pid: i32) -> Option<Stat> {
    let text = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, may hold anything: fields are counted from the last one.
    let after = text.iter().rposition(|byte| *byte == b')')? + 2;
    let rest = std::str::from_utf8(text.get(after..)?).ok()?;
    let mut fields = rest.split(' ');
    let state = *fields.next()?.as_bytes().first()?;
    let parent = fields.next()?.parse().ok()?;
    // Field 22 of the whole line, the 20th from the state on.
    let start = fields.nth(17)?.parse().ok()?;
    Some(Stat {
        parent,
        state,
        start,
    })
}

/// The id of this boot.
pub fn boot_id() -> String {
    fs::read_to_string("/proc/sys/kernel/random/boot_id")
        .map(|id| id.trim().to_owned())
        .unwrap_or_default()
}

pub(super) fn children(parent: i32) -> Vec<i32> {
    let threads = match fs::read_dir(format!("/proc/{parent}/task")) {
        Ok(threads) => threads,
        Err(_) => return Vec::new(),
    };
    let mut pids = Vec::new();
    for thread in threads.flatten() {
        match fs::read_to_string(thread.path().join("children")) {
            Ok(text) => pids.extend(
                text.split_ascii_whitespace()
                    .filter_map(|pid| pid.parse::<i32>().ok()),
            ),
            // A kernel without CONFIG_PROC_CHILDREN; or the thread has just ended.
            Err(_)
                if !Path::new("/proc/self/task")
                    .join(std::process::id().to_string())
                    .join("children")
                    .exists() =>
            {
                return children_by_parent(parent);
            }
            Err(_) => {}
        }
    }
    pids
}

fn children_by_parent(parent: i32) -> Vec<i32> {
    all()
        .into_iter()
        .filter(|pid| stat(*pid).is_some_and(|stat| stat.parent == parent))
        .collect()
}

/// Sends `signal` to the process with this pid and start, to no other.
pub fn signal_exactly(pid: i32, start: u64, signal: Signal) -> io::Result<()> {
    let gone = || io::Error::from_raw_os_error(libc::ESRCH);
    let target = Pid::from_raw(pid).ok_or_else(gone)?;
    let handle = pidfd_open(target, PidfdFlags::empty())?;
    // The handle holds whoever had the pid when it was opened; if the start is right now, it was that process.
    match stat(pid) {
        Some(stat) if stat.start == start => Ok(pidfd_send_signal(&handle, signal)?),
        _ => Err(gone()),
    }
}

/// The command line of a process, arguments separated by NULs; or its name, in parentheses a kernel gave it.
pub(super) fn raw_command_line(pid: i32) -> Vec<u8> {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    match line.is_empty() {
        true => fs::read(format!("/proc/{pid}/comm")).unwrap_or_default(),
        false => line,
    }
}

/// The environment that a process was started with, entries separated by NULs; empty when it may not be read.
pub(super) fn environment(pid: i32) -> Vec<u8> {
    fs::read(format!("/proc/{pid}/environ")).unwrap_or_default()
}

/// All processes.
pub(super) fn all() -> Vec<i32> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
        .collect()
}

/// What is left of a command: everything below its supervisor.
pub(super) fn left_by(supervisor: i32, _shell: i32, _mark: (&str, &str)) -> Vec<Found> {
    descendants(supervisor)
}
