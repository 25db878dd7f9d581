//! Background tasks: which there are, what they print, how they ended, and how to stop them.
//!
//! The registry is the state folder itself: one folder a task, with what the host knew (`task.json`) and what
//! its supervisor wrote (`record.json`). So a host that died and came back, or another one, sees the same tasks
//! as the one that started them, and there is no list to go stale.

mod names;
mod notify;
mod read;
mod stop;

use std::{
    fs, io,
    io::Write,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

pub use names::{OutputInput, StopInput, Tool, tool};
pub use read::{OutputRequest, Piece, TaskOutput, Wait, text_limit};
pub use stop::Stopped;

use crate::{
    lifecycle::How,
    output::{Retention, sweep},
    spawn::{Bytes, Record, RunState, create_private, files, mourn},
};

/// File names of the host's own in a task's folder.
const INFO: &str = "task.json";
const NOTIFIED: &str = "notified";

/// What the host knew when the command became a task.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Info {
    /// Version of this shape.
    pub schema: u32,
    /// The task's id.
    pub id: String,
    /// The session it belongs to.
    pub owner: String,
    /// The command.
    pub command: String,
    /// What it is for.
    pub description: Option<String>,
    /// Where it started.
    pub cwd: Bytes,
    /// How it came to the background.
    pub how: How,
    /// Unix time of that, in milliseconds.
    pub since: u64,
}

/// A background task.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    /// What the host knew.
    pub info: Info,
    /// What the supervisor wrote.
    pub record: Record,
    /// Its output.
    pub output_file: PathBuf,
    #[serde(skip)]
    folder: PathBuf,
}

impl Task {
    /// The shell still runs.
    pub fn is_running(&self) -> bool {
        self.record.state == RunState::Running
    }

    /// In one word, as people and models are told.
    pub fn status(&self) -> &'static str {
        match self.record.state {
            RunState::Running => "running",
            RunState::Completed if self.record.exit_code == Some(0) => "completed",
            RunState::Completed => "failed",
            RunState::Killed => "killed",
            RunState::Lost => "lost",
        }
    }

    /// Its end was told.
    pub fn is_notified(&self) -> bool {
        self.folder.join(NOTIFIED).exists()
    }
}

/// Why a task could not be looked at.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// There is none of this id.
    #[error("no task `{0}`")]
    Unknown(String),
    /// It belongs to another session.
    #[error("task `{0}` belongs to another session")]
    NotOwner(String),
    /// Its files cannot be read.
    #[error("cannot read task `{id}`: {error}")]
    Unreadable {
        /// Which.
        id: String,
        /// Why.
        error: io::Error,
    },
}

/// The tasks below one state folder.
#[derive(Clone, Debug)]
pub struct Tasks {
    root: PathBuf,
}

impl Tasks {
    /// Of this state folder; made, private, if it is not there.
    pub fn open(state: &Path) -> io::Result<Self> {
        let root = state.join("tasks");
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&root)?;
        Ok(Self { root })
    }

    /// The folder of a task, which need not exist.
    pub fn folder(&self, id: &str) -> PathBuf {
        self.root.join(id)
    }

    /// A fresh private folder, and its id.
    pub fn create(&self) -> io::Result<(String, PathBuf)> {
        for _ in 0..8 {
            let id = fresh_id()?;
            let folder = self.root.join(&id);
            match fs::DirBuilder::new().mode(0o700).create(&folder) {
                Ok(()) => return Ok((id, folder)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::from(io::ErrorKind::AlreadyExists))
    }

    /// Makes a running command a task.
    pub(crate) fn register(&self, info: &Info) -> io::Result<()> {
        let folder = self.folder(&info.id);
        let beside = folder.join("task.new");
        let mut file = create_private(&beside)?;
        file.write_all(&serde_json::to_vec(info)?)?;
        file.sync_data()?;
        fs::rename(beside, folder.join(INFO))
    }

    /// All tasks, oldest first; of one session, if it is named.
    pub fn list(&self, owner: Option<&str>) -> Vec<Task> {
        let Ok(entries) = fs::read_dir(&self.root) else {
            return Vec::new();
        };
        let mut tasks: Vec<Task> = entries
            .flatten()
            .filter_map(|entry| self.load(entry.file_name().to_str()?).ok())
            .filter(|task| owner.is_none_or(|owner| task.info.owner == owner))
            .collect();
        tasks.sort_by(|a, b| (a.info.since, &a.info.id).cmp(&(b.info.since, &b.info.id)));
        tasks
    }

    /// One task; `owner` must be its session, if it is given.
    pub fn find(&self, id: &str, owner: Option<&str>) -> Result<Task, TaskError> {
        let task = self.load(id)?;
        match owner {
            Some(owner) if owner != task.info.owner => Err(TaskError::NotOwner(id.to_owned())),
            _ => Ok(task),
        }
    }

    fn load(&self, id: &str) -> Result<Task, TaskError> {
        let unknown = || TaskError::Unknown(id.to_owned());
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(unknown());
        }
        let folder = self.folder(id);
        let unreadable = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => unknown(),
            _ => TaskError::Unreadable {
                id: id.to_owned(),
                error,
            },
        };
        let info = fs::read(folder.join(INFO)).map_err(unreadable)?;
        let info: Info = serde_json::from_slice(&info).map_err(|error| unreadable(error.into()))?;
        let mut record = read_record(&folder);
        if !record.gone && !record.supervisor.is_alive() {
            // It may have ended between the two looks.
            record = read_record(&folder);
            if !record.gone {
                record = mourn(&folder, id, record);
            }
        }
        Ok(Task {
            info,
            record,
            output_file: folder.join(files::OUTPUT),
            folder,
        })
    }

    /// Removes old outputs; never those of live tasks.
    pub fn clean(&self, results: &Path, keep: &Retention) -> usize {
        let is_live = |path: &Path| {
            let record = read_record(path);
            record.supervisor.pid != 0 && !record.gone && record.supervisor.is_alive()
                // Being made just now.
                || record.supervisor.pid == 0 && age(path).is_some_and(|age| age < Duration::from_secs(600))
        };
        let results_live = |path: &Path| path.starts_with(&self.root) && is_live(path);
        let mut removed = 0;
        // What a killed host left of commands that never became tasks.
        for entry in fs::read_dir(&self.root).into_iter().flatten().flatten() {
            let path = entry.path();
            let settled = age(&path).is_some_and(|age| age > Duration::from_secs(600));
            if settled
                && !path.join(INFO).exists()
                && !is_live(&path)
                && fs::remove_dir_all(&path).is_ok()
            {
                removed += 1;
            }
        }
        removed
            + sweep(
                &[&self.root, results],
                keep,
                SystemTime::now(),
                &results_live,
            )
    }
}

fn read_record(folder: &Path) -> Record {
    fs::read(folder.join(files::RECORD))
        .ok()
        .and_then(|json| serde_json::from_slice(&json).ok())
        .unwrap_or_default()
}

fn age(path: &Path) -> Option<Duration> {
    fs::symlink_metadata(path)
        .ok()?
        .modified()
        .ok()?
        .elapsed()
        .ok()
}

/// `b` and twelve letters and digits: 60 bits that cannot be guessed.
fn fresh_id() -> io::Result<String> {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let mut random = [0; 12];
    crate::spawn::random(&mut random)?;
    let letters = random
        .iter()
        .map(|byte| char::from(LETTERS[usize::from(byte % 32)]));
    Ok(std::iter::once('b').chain(letters).collect())
}

/// Unix time in milliseconds.
pub(crate) fn unix_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_millis() as u64)
}
