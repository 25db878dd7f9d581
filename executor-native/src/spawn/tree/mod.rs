//! Who is who among processes: identity, descendants, signals that reach only whom they are meant for.
//!
//! A pid alone names nobody (a whole turn of the numbers takes under a second on a busy machine), so a process is
//! its pid, its start time and the boot it belongs to, and signals go through a pidfd that was checked against them.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;

use std::{collections::HashSet, io};

use rustix::process::Signal;

#[cfg(target_os = "linux")]
use self::linux as system;
#[cfg(target_os = "macos")]
use self::macos as system;
pub use crate::protocol::Identity;
pub use system::{boot_id, signal_exactly, stat};

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

/// What the system says of a process.
#[derive(Clone, Copy, Debug)]
pub struct Stat {
    /// The parent.
    pub parent: i32,
    /// The state letter.
    pub state: u8,
    /// The start, in the system's own unit; only compared.
    pub start: u64,
}

impl Stat {
    /// A zombie, or just gone.
    pub fn is_dead(self) -> bool {
        matches!(self.state, b'Z' | b'X' | b'x')
    }
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
        for pid in system::children(parent) {
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

/// What is left of a command: the processes that came from `shell`, whoever their parent is now. `mark` is the variable
/// that all of them were started with.
pub fn left_by(supervisor: i32, shell: i32, mark: (&str, &str)) -> Vec<Found> {
    system::left_by(supervisor, shell, mark)
}

/// The command line of a process, for people: at most 200 characters, nothing a terminal would act on.
pub fn command_line(pid: i32) -> String {
    let raw = system::raw_command_line(pid);
    String::from_utf8_lossy(&raw)
        .trim_end_matches(['\0', '\n'])
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(200)
        .collect()
}

/// Live processes whose environment holds `NAME=value`: those that a dead supervisor left behind.
pub fn carrying(name: &str, value: &str) -> Vec<Identity> {
    let marker = format!("{name}={value}").into_bytes();
    system::all()
        .into_iter()
        .filter(|pid| {
            let environment = system::environment(*pid);
            environment
                .split(|byte| *byte == 0)
                .any(|entry| entry == marker)
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
