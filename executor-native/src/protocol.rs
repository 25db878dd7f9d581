//! What host and supervisor tell each other, and what the supervisor writes down.
//!
//! The host sends one [`Brief`] (length, then JSON) and afterwards lines of [`Order`]; the supervisor answers
//! with lines of [`Notice`] and leaves a [`Record`] in the task's folder, which is all that a later host needs.
//! Words only: `plan` writes in them, `spawn` speaks them, `tasks` reads what was written; nothing here acts.
//! Paths and variables are bytes: neither is UTF-8 by law.

use std::{
    ffi::{OsStr, OsString},
    io::{self, Read},
    os::fd::RawFd,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::PathBuf,
};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Names of the files in a task's folder.
pub mod files {
    /// The command text, evaluated by the shell; 0600.
    pub const SCRIPT: &str = "command";
    /// What the command printed, raw.
    pub const OUTPUT: &str = "output";
    /// What it printed on stderr, when the two are split.
    pub const STDERR: &str = "stderr";
    /// Input for the command, when some was given.
    pub const STDIN: &str = "stdin";
    /// What came through the report descriptor, kept only for snapshots.
    pub const REPORT: &str = "report";
    /// The [`super::Record`].
    pub const RECORD: &str = "record.json";
    /// Orders from hosts that did not start the task: a FIFO.
    pub const ORDERS: &str = "orders";
}

/// Every process of a task carries its id under this name.
pub const TASK_VARIABLE: &str = "PORTCULLIS_TASK";

/// Where the shell finds the report pipe. Above the descriptors that users name (3–9), those that bash takes
/// for itself (10 upward, few) and those of its coprocesses and process substitutions (63 downward).
pub const REPORT_FD: RawFd = 97;

/// The largest brief that is accepted; an environment cannot be larger than about 2 MiB on Linux.
const MAX_BRIEF: u32 = 16 * 1024 * 1024;

/// Bytes that are usually text: JSON string if UTF-8, else an array of numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    /// As the operating system takes it.
    pub fn as_os(&self) -> &OsStr {
        OsStr::from_bytes(&self.0)
    }
    /// As a path.
    pub fn to_path(&self) -> PathBuf {
        PathBuf::from(OsString::from_vec(self.0.clone()))
    }
}

impl<T: AsRef<OsStr> + ?Sized> From<&T> for Bytes {
    fn from(value: &T) -> Self {
        Self(value.as_ref().as_bytes().to_vec())
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => self.0.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Text(String),
            Raw(Vec<u8>),
        }
        Ok(match Either::deserialize(deserializer)? {
            Either::Text(text) => Self(text.into_bytes()),
            Either::Raw(raw) => Self(raw),
        })
    }
}

/// One process, for good.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Identity {
    /// The process id; 0 for none.
    pub pid: i32,
    /// Its start, in clock ticks since the boot.
    pub start: u64,
    /// The boot's id.
    pub boot: String,
}

/// All that a supervisor needs to run one command.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Brief {
    /// The task's id.
    pub id: String,
    /// Its folder, which exists and is private.
    pub folder: Bytes,
    /// The program to start: the shell, or a sandbox around it.
    pub program: Bytes,
    /// Its arguments, without the name.
    pub args: Vec<Bytes>,
    /// The whole environment of the command.
    pub env: Vec<(Bytes, Bytes)>,
    /// Where it starts.
    pub cwd: Bytes,
    /// Read standard input from the folder's `stdin` file; else it is closed.
    pub stdin: bool,
    /// Keep stderr in a file of its own.
    pub split: bool,
    /// Keep what came through the report descriptor in a file, up to this many bytes.
    pub keep_report: Option<u64>,
    /// Stop the command when it has printed this many bytes.
    pub output_cap: u64,
    /// Stop the command when less than this is free on the output's file system (bytes); 0: no floor.
    pub free_floor: u64,
    /// Kill the command after this time, in milliseconds.
    pub timeout: Option<u64>,
    /// Time between TERM and KILL, in milliseconds.
    pub grace: u64,
    /// It is a background task from the start: the host's end changes nothing.
    pub detached: bool,
    /// What becomes of processes that outlive the shell.
    pub leftovers: Leftovers,
}

/// What becomes of processes that outlive their shell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Leftovers {
    /// They go on, whatever happens to the host.
    Keep,
    /// They go on until the host (or the session) ends.
    #[default]
    UntilHostEnds,
    /// They are stopped with the shell.
    Stop,
}

/// An order, one a line: `detach`, or `stop REASON BY…`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// The command is a background task from now on.
    Detach,
    /// End the whole tree.
    Stop {
        /// Why.
        reason: Reason,
        /// Who said so.
        by: String,
    },
}

impl Order {
    /// The line, with its end.
    pub fn to_line(&self) -> String {
        match self {
            Self::Detach => "detach\n".into(),
            Self::Stop { reason, by } => {
                let by: String = by.chars().filter(|c| !c.is_control()).take(100).collect();
                format!("stop {} {by}\n", reason.as_str())
            }
        }
    }

    /// Reads a line; `None` for one that is no order.
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = line.trim_end().splitn(3, ' ');
        match words.next()? {
            "detach" => Some(Self::Detach),
            "stop" => Some(Self::Stop {
                reason: Reason::parse(words.next()?)?,
                by: words.next().unwrap_or_default().into(),
            }),
            _ => None,
        }
    }
}

/// Why a command was ended from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Reason {
    /// Somebody stopped the task.
    Stopped,
    /// Its turn was aborted.
    Aborted,
    /// The caller lost interest (the future was dropped).
    Cancelled,
    /// Its time was up.
    Timeout,
    /// It printed more than may be kept.
    OutputLimit,
    /// The disk is nearly full.
    DiskFloor,
    /// The host that waited for it is gone.
    HostGone,
    /// Somebody asked its supervisor to end (a signal).
    Signal,
}

impl Reason {
    const ALL: [(Self, &'static str); 8] = [
        (Self::Stopped, "stopped"),
        (Self::Aborted, "aborted"),
        (Self::Cancelled, "cancelled"),
        (Self::Timeout, "timeout"),
        (Self::OutputLimit, "outputLimit"),
        (Self::DiskFloor, "diskFloor"),
        (Self::HostGone, "hostGone"),
        (Self::Signal, "signal"),
    ];

    /// Its slug.
    pub fn as_str(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(reason, _)| *reason == self)
            .map_or("stopped", |(_, slug)| slug)
    }

    fn parse(slug: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(_, known)| *known == slug)
            .map(|(reason, _)| *reason)
    }
}

/// What the supervisor tells its host, one JSON a line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Notice {
    /// The shell runs.
    Started(Box<Record>),
    /// So much was printed so far. Left out when the host is slow.
    Progress {
        /// Bytes.
        bytes: u64,
        /// Newlines.
        lines: u64,
    },
    /// The shell ended and its output was drained: this is the result.
    Ended(Box<Record>),
    /// Nothing is left; the supervisor ends too.
    Gone(Box<Record>),
    /// The command could not be started.
    Failed(Failure),
}

/// Why a command could not be started.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// What kind.
    pub kind: FailureKind,
    /// In words.
    pub message: String,
}

/// The kinds of [`Failure`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FailureKind {
    /// The working directory is not there, or may not be entered.
    CwdMissing,
    /// The shell is not there, or may not be started.
    ShellMissing,
    /// The environment is too large; the message names the largest variable.
    TooLarge,
    /// No process or descriptor to be had.
    Exhausted,
    /// The task's files could not be made.
    State,
    /// Anything else.
    Other,
}

/// How a command is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RunState {
    /// The shell runs.
    #[default]
    Running,
    /// The shell ended by itself.
    Completed,
    /// It was ended from outside.
    Killed,
    /// Its supervisor is gone and nobody knows how it ended.
    Lost,
}

/// A process that outlived its shell.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Leaked {
    /// Its pid.
    pub pid: i32,
    /// Its command line, shortened.
    pub command: String,
}

/// What is known of a command, as written to its folder.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Record {
    /// Version of this shape.
    pub schema: u32,
    /// The task's id.
    pub id: String,
    /// Its supervisor.
    pub supervisor: Identity,
    /// Its shell.
    pub shell: Identity,
    /// Unix time of the start, in milliseconds.
    pub started_at: u64,
    /// Unix time of the shell's end, in milliseconds.
    pub ended_at: Option<u64>,
    /// How long the shell ran, in milliseconds by a monotonic clock.
    pub duration: u64,
    /// How it is doing.
    pub state: RunState,
    /// The exit code; 128 + n when a signal ended the shell.
    pub exit_code: Option<i32>,
    /// The signal that ended the shell.
    pub signal: Option<i32>,
    /// Its time was up.
    pub timed_out: bool,
    /// Why it was ended from outside.
    pub reason: Option<Reason>,
    /// Who ended it.
    pub stopped_by: Option<String>,
    /// Bytes printed.
    pub bytes: u64,
    /// Newlines printed.
    pub lines: u64,
    /// Bytes that could not be kept (disk full, or past the cap).
    pub lost_bytes: u64,
    /// Bytes that are in no file any more because somebody removed it while the command ran.
    pub gap_bytes: u64,
    /// Something was printed after the shell's end.
    pub output_after_exit: bool,
    /// Processes that outlived the shell.
    pub leaked: Vec<Leaked>,
    /// Processes that could not be ended.
    pub unconfirmed: Vec<i32>,
    /// The directory that the shell was in at its end.
    pub cwd: Option<Bytes>,
    /// Processor time of the whole tree, in milliseconds; set when all of it has ended.
    pub cpu: u64,
    /// Largest resident size of one process of the tree, in KiB.
    pub max_rss: u64,
    /// Nothing of the tree is left.
    pub gone: bool,
}

/// Reads a brief: four bytes of length, little endian, then JSON.
pub(crate) fn read_brief(input: &mut impl Read) -> io::Result<Brief> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length > MAX_BRIEF {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "brief too large",
        ));
    }
    let mut json = vec![0; length as usize];
    input.read_exact(&mut json)?;
    Ok(serde_json::from_slice(&json)?)
}

/// The bytes that [`read_brief`] reads.
pub(crate) fn encode_brief(brief: &Brief) -> io::Result<Vec<u8>> {
    let json = serde_json::to_vec(brief)?;
    let length = u32::try_from(json.len()).ok().filter(|n| *n <= MAX_BRIEF);
    let length = length.ok_or_else(|| io::Error::from_raw_os_error(libc::E2BIG))?;
    let mut out = length.to_le_bytes().to_vec();
    out.extend(json);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_round_trip_through_json() {
        for raw in [&b"/tmp/it's"[..], b"\xff\xfe/x", b""] {
            let json = serde_json::to_string(&Bytes(raw.to_vec())).unwrap();
            assert_eq!(serde_json::from_str::<Bytes>(&json).unwrap().0, raw);
        }
    }

    #[test]
    fn orders_round_trip_and_cannot_smuggle_a_second_line() {
        let order = Order::Stop {
            reason: Reason::Stopped,
            by: "the user\ndetach".into(),
        };
        let line = order.to_line();
        assert_eq!(line, "stop stopped the userdetach\n");
        assert!(matches!(Order::parse(&line), Some(Order::Stop { .. })));
        assert_eq!(Order::parse("detach\n"), Some(Order::Detach));
        assert_eq!(Order::parse("stop nonsense x"), None);
    }
}
