//! Who is who among processes: identity, descendants, signals that reach only whom they are meant for.
//!
//! A pid alone names nobody (a whole turn of the numbers takes under a second on a busy machine), so a process is
//! its pid, its start time and the boot it belongs to, and signals go through a pidfd that was checked against them.

use std::{collections::HashSet, fs, io, path::Path};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

pub use crate::protocol::Identity;

/// The signal that nobody can refuse.
pub const KILL: Signal = Signal::KILL;

impl Identity {
    /// The process that has this pid now.
    pub fn of(pid: i32) -> Self {
        Self {
            pid,
            start: stat(pid).map_or(0, |stat| stat.start),
            boot: boot_id(),
        }
    }

    /// It still runs (a zombie does not).
    pub fn is_alive(&self) -> bool {
        self.pid > 0
            && self.boot == boot_id()
            && stat(self.pid).is_some_and(|stat| stat.start == self.start && !stat.is_dead())
    }

    /// Sends a signal to this very process.
    pub fn signal(&self, signal: Signal) -> io::Result<()> {
        if self.boot != boot_id() {
            return Err(io::Error::from_raw_os_error(libc::ESRCH));
        }
        signal_exactly(self.pid, self.start, signal)
    }
}

/// What `/proc/PID/stat` says.
#[derive(Clone, Copy, Debug)]
pub struct Stat {
    /// The parent.
    pub parent: i32,
    /// The state letter.
    pub state: u8,
    /// The start, in clock ticks since the boot.
    pub start: u64,
}

impl Stat {
    /// A zombie, or just gone.
    pub fn is_dead(self) -> bool {
        matches!(self.state, b'Z' | b'X' | b'x')
    }
}

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

/// A process found below another.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Its pid.
    pub pid: i32,
    /// Its start.
    pub start: u64,
    /// It has ended and waits to be reaped.
    pub dead: bool,
}

/// All processes below `root`, nearest first. Complete for a subreaper, but for those forked while it looked.
pub fn descendants(root: i32) -> Vec<Found> {
    let mut found = Vec::new();
    let mut seen = HashSet::from([root]);
    let mut todo = vec![root];
    while let Some(parent) = todo.pop() {
        for pid in children(parent) {
            if !seen.insert(pid) {
                continue;
            }
            if let Some(stat) = stat(pid) {
                found.push(Found {
                    pid,
                    start: stat.start,
                    dead: stat.is_dead(),
                });
                todo.push(pid);
            }
        }
    }
    found
}

fn children(parent: i32) -> Vec<i32> {
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
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
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

/// The command line of a process, for people: at most 200 characters, nothing a terminal would act on.
pub fn command_line(pid: i32) -> String {
    let raw = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let text = String::from_utf8_lossy(&raw);
    let line: String = text
        .trim_end_matches('\0')
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(200)
        .collect();
    if !line.is_empty() {
        return line;
    }
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    name.chars().filter(|c| !c.is_control()).collect()
}

/// Live processes whose environment holds `NAME=value`: those that a dead supervisor left behind.
pub fn carrying(name: &str, value: &str) -> Vec<Identity> {
    let marker = format!("{name}={value}").into_bytes();
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
        .filter(|pid| {
            fs::read(format!("/proc/{pid}/environ")).is_ok_and(|environ| {
                environ
                    .split(|byte| *byte == 0)
                    .any(|entry| entry == marker)
            })
        })
        .map(Identity::of)
        .filter(Identity::is_alive)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b11_a_wrong_start_time_is_refused() {
        let mut child = std::process::Command::new("sleep")
            .arg("30")
            .spawn()
            .unwrap();
        let pid = child.id() as i32;
        let start = stat(pid).unwrap().start;
        assert!(signal_exactly(pid, start + 1, Signal::KILL).is_err());
        assert!(stat(pid).is_some_and(|stat| !stat.is_dead()));
        signal_exactly(pid, start, Signal::KILL).unwrap();
        child.wait().unwrap();
        assert!(signal_exactly(pid, start, Signal::KILL).is_err());
    }

    #[test]
    fn c14_another_boot_is_another_process() {
        let me = Identity::of(std::process::id() as i32);
        assert!(me.is_alive());
        let other = Identity {
            boot: "00000000-0000-0000-0000-000000000000".into(),
            ..me
        };
        assert!(!other.is_alive());
        assert!(other.signal(Signal::CONT).is_err());
    }

    #[test]
    fn descendants_reach_grandchildren() {
        let mut child = std::process::Command::new("sh")
            .args(["-c", "sleep 30 & wait"])
            .spawn()
            .unwrap();
        let pid = child.id() as i32;
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(5);
        while descendants(pid).is_empty() && std::time::Instant::now() < deadline {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let below = descendants(pid);
        assert_eq!(below.len(), 1);
        signal_exactly(below[0].pid, below[0].start, Signal::KILL).unwrap();
        child.wait().unwrap();
    }
}
