//! The façade: judge → plan → spawn → follow → settle, for one agent's commands.
//!
//! An [`Executor`] holds what all sessions of a host share (engine, supervisor program, state folder); a [`Session`]
//! holds a working directory, a shell with its snapshot, and what was read. [`Session::start`] gives a
//! [`Running`] command whose future, progress and controls the host uses as it likes.

mod edit;
mod outcome;
mod permission;
mod running;
mod settle;
mod state_dir;

use std::{
    collections::BTreeMap,
    fs, io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use policy_core::facts;
use tokio::sync::{Notify, OnceCell, Semaphore, watch};

pub use outcome::{Backgrounded, Finished, Outcome, Refusal, RunError};
pub use running::{Control, Running};
pub use state_dir::StateDir;

use crate::{
    approve::{Approver, Nobody, RuleStore},
    engine::Engine,
    env::{Circumstances, Policy, Sealed, environment},
    input::{Input, Timeouts},
    output::{Retention, inline_limit},
    plan::Limits,
    read_state::ReadState,
    shell::{self, Restored, Shell, Snapshot, SnapshotRequest, Wishes},
    spawn::{Leftovers, Program},
    tasks::Tasks,
};

/// Commands that run at the same time; more wait for their turn.
const AT_ONCE: usize = 256;

/// What all sessions of a host share.
#[derive(Clone)]
pub struct Executor {
    shared: Arc<Shared>,
}

pub(crate) struct Shared {
    engine: Arc<Mutex<Box<dyn Engine>>>,
    program: Arc<Program>,
    state: StateDir,
    tasks: Tasks,
    sealed: Sealed,
    limits: Limits,
    inline: usize,
    timeouts: Timeouts,
    slots: Arc<Semaphore>,
    /// Rung when a background task ends.
    ended: Notify,
    /// When GitHub's rate limit was last explained.
    reminded: Mutex<Option<Instant>>,
}

/// How an executor is set up.
pub struct ExecutorOptions {
    /// What judges.
    pub engine: Box<dyn Engine>,
    /// The supervisor; `None`: this program, which must have called [`crate::supervise_if_asked`].
    pub supervisor: Option<Program>,
    /// The state folder; `None`: the user's own.
    pub state: Option<PathBuf>,
    /// Variables that only children have.
    pub sealed: Sealed,
    /// Limits of each command.
    pub limits: Limits,
    /// How long old outputs are kept.
    pub retention: Retention,
    /// Time limits; from the environment by default.
    pub timeouts: Timeouts,
    /// Bytes of output given inline; from the environment by default.
    pub inline: usize,
}

impl ExecutorOptions {
    /// With this engine, and the rest as usual.
    pub fn new(engine: Box<dyn Engine>) -> Self {
        Self {
            engine,
            supervisor: None,
            state: None,
            sealed: Sealed::none(),
            limits: Limits::default(),
            retention: Retention::default(),
            timeouts: Timeouts::from_env(),
            inline: inline_limit(std::env::var("BASH_MAX_OUTPUT_LENGTH").ok().as_deref()),
        }
    }
}

/// An executor that cannot be.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The program never called [`crate::supervise_if_asked`].
    #[error("call `supervise_if_asked` first in `main`, or name a supervisor")]
    NoSupervisor,
    /// No folder for the state.
    #[error("cannot keep state: {0}")]
    State(#[from] io::Error),
    /// No shell.
    #[error("no shell was found; set `PORTCULLIS_SHELL`")]
    NoShell,
}

impl Executor {
    /// Sets one up. Old outputs are cleaned on the way.
    pub fn new(options: ExecutorOptions) -> Result<Self, SetupError> {
        let program = match options.supervisor {
            Some(program) => program,
            None => Program::this().ok_or(SetupError::NoSupervisor)?,
        };
        let state = StateDir::open(options.state)?;
        let tasks = Tasks::open(state.path())?;
        tasks.clean(&state.results(), &options.retention);
        clean_snapshots(&state.snapshots());
        Ok(Self {
            shared: Arc::new(Shared {
                engine: Arc::new(Mutex::new(options.engine)),
                program: Arc::new(program),
                state,
                tasks,
                sealed: options.sealed,
                limits: options.limits,
                inline: options.inline,
                timeouts: options.timeouts,
                slots: Arc::new(Semaphore::new(AT_ONCE)),
                ended: Notify::new(),
                reminded: Mutex::new(None),
            }),
        })
    }

    /// The background tasks of this user.
    pub fn tasks(&self) -> &Tasks {
        &self.shared.tasks
    }

    /// The state folder, and whether it is only a temporary one.
    pub fn state(&self) -> &StateDir {
        &self.shared.state
    }

    /// Waits until a background task of `owner` has ended that nobody was told of. The same one is given again until
    /// [`Tasks::mark_notified`] says that its end was told, so that a host that dies in between loses nothing.
    pub async fn next_ended(&self, owner: &str) -> crate::tasks::Task {
        loop {
            let rung = self.shared.ended.notified();
            if let Some(task) = self.shared.tasks.pending(Some(owner)).into_iter().next() {
                return task;
            }
            // Tasks that another host started ring no bell here.
            let _ = tokio::time::timeout(Duration::from_secs(1), rung).await;
        }
    }

    /// Opens a session.
    pub fn session(&self, options: SessionOptions) -> Result<Session, SetupError> {
        let wishes = Wishes::from_env();
        let (shell, restored) = match options.shell.clone() {
            Some(stored) => match shell::restore(stored, &wishes) {
                Restored::Same(shell) => (shell, None),
                changed => {
                    let note = changed.note();
                    match changed {
                        Restored::Fallback { now, .. } => (now, note),
                        _ => return Err(SetupError::NoShell),
                    }
                }
            },
            None => (shell::select(&wishes).ok_or(SetupError::NoShell)?, None),
        };
        let cwd = match &options.cwd {
            Some(cwd) => std::path::absolute(cwd)?,
            None => std::env::current_dir()?,
        };
        let (alive, watched) = watch::channel(());
        Ok(Session {
            inner: Arc::new(Inner {
                shared: Arc::clone(&self.shared),
                shell,
                snapshot: OnceCell::new(),
                mutable: Mutex::new(Mutable {
                    cwd,
                    previous_cwd: None,
                    reads: ReadState::default(),
                    notes: restored.into_iter().collect(),
                    diagnostics: Vec::new(),
                }),
                alive: watched,
                options,
            }),
            _alive: Arc::new(alive),
        })
    }
}

/// What a foreground command comes to at its time limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AtLimit {
    /// It goes on in the background, where it can: not in an idle session, and not when all it does is sleep.
    #[default]
    Background,
    /// It is ended.
    End,
    /// It has no limit, unless the caller gave one; then it is ended.
    EndIfGiven,
}

/// How a session is set up.
#[derive(Clone)]
pub struct SessionOptions {
    /// Its id; tasks belong to it.
    pub id: String,
    /// Where it starts; the process's own directory by default.
    pub cwd: Option<PathBuf>,
    /// Its workspace roots; found from the directory when empty.
    pub workspace: Vec<PathBuf>,
    /// Main conversation, helper, or idle work.
    pub kind: facts::Session,
    /// How freely commands may run; as configured when left out.
    pub mode: Option<facts::Mode>,
    /// Nobody is there to answer.
    pub unattended: bool,
    /// More keys of the request to the policy, as on the wire; the ones above, and those gathered per command, win.
    pub facts: serde_json::Map<String, serde_json::Value>,
    /// The environment of commands.
    pub env: Policy,
    /// A shell stored with the session, when it is resumed.
    pub shell: Option<Shell>,
    /// Take a snapshot of the login environment; else commands get the host's own.
    pub snapshot: bool,
    /// Take the snapshot as an interactive shell, for start-up files that do nothing otherwise. Slower, and what they do to
    /// a terminal is lost on none.
    pub interactive_startup: bool,
    /// Move a foreground command to the background after this time.
    pub blocking_budget: Option<Duration>,
    /// What a foreground command comes to at its time limit.
    pub at_limit: AtLimit,
    /// Processes that outlive their command.
    pub leftovers: Leftovers,
    /// Tools that the host brings: name and program.
    pub shims: Vec<(String, String)>,
    /// Keep stderr apart.
    pub split_stderr: bool,
    /// Leave the output file of a foreground command where it is; who asks for that removes its folder.
    pub keep_output: bool,
    /// Who is asked.
    pub approver: Arc<dyn Approver>,
    /// Who keeps "always".
    pub rules: Option<Arc<dyn RuleStore>>,
}

impl SessionOptions {
    /// A main session of this id, with nobody to ask.
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            cwd: None,
            workspace: Vec::new(),
            kind: facts::Session::Main,
            mode: None,
            unattended: false,
            facts: serde_json::Map::new(),
            env: Policy {
                scrub: std::env::var("PORTCULLIS_SUBPROCESS_ENV_SCRUB").is_ok_and(|value| {
                    !matches!(value.as_str(), "" | "0" | "false" | "no" | "off")
                }),
                ..Policy::default()
            },
            shell: None,
            snapshot: true,
            interactive_startup: false,
            blocking_budget: None,
            at_limit: AtLimit::default(),
            leftovers: Leftovers::default(),
            shims: Vec::new(),
            split_stderr: false,
            keep_output: false,
            approver: Arc::new(Nobody),
            rules: None,
        }
    }
}

/// One agent's commands. When the last clone is dropped, processes that commands left running end too.
#[derive(Clone)]
pub struct Session {
    inner: Arc<Inner>,
    _alive: Arc<watch::Sender<()>>,
}

pub(crate) struct Inner {
    shared: Arc<Shared>,
    options: SessionOptions,
    shell: Shell,
    snapshot: OnceCell<Snapshot>,
    mutable: Mutex<Mutable>,
    /// Closed when the session is.
    alive: watch::Receiver<()>,
}

struct Mutable {
    cwd: PathBuf,
    previous_cwd: Option<PathBuf>,
    reads: ReadState,
    /// Words for the model, with the next result.
    notes: Vec<String>,
    diagnostics: Vec<String>,
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, Mutable> {
        self.mutable.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The snapshot, taken at the first need.
    async fn snapshot(&self) -> &Snapshot {
        self.snapshot
            .get_or_init(|| async {
                if !self.options.snapshot {
                    return Snapshot::Plain;
                }
                let (snapshot, trouble) = match self.capture().await {
                    Ok(taken) => taken,
                    Err(error) => (Snapshot::Plain, Some(error.to_string())),
                };
                self.lock()
                    .diagnostics
                    .extend(trouble.map(|what| format!("shell snapshot: {what}")));
                snapshot
            })
            .await
    }

    async fn capture(&self) -> io::Result<(Snapshot, Option<String>)> {
        let parent = self.shared.state.snapshots();
        let folder = parent.join(format!(
            "{}-{}",
            std::process::id(),
            crate::tasks::unix_ms()
        ));
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&parent)?;
        fs::DirBuilder::new().mode(0o700).create(&folder)?;
        let home = std::env::home_dir().unwrap_or_else(|| PathBuf::from("/"));
        let env = environment(
            std::env::vars_os(),
            &self.options.env,
            &Circumstances {
                shell: &self.shell.path,
                task: "snapshot",
                cwd: &home,
                previous_cwd: None,
                tmpdir: None,
                exports: &BTreeMap::new(),
                sealed: &[],
                conditions: &BTreeMap::new(),
            },
        );
        Ok(shell::take(SnapshotRequest {
            shell: &self.shell,
            env: env.variables.into_iter().collect(),
            folder,
            interactive: self.options.interactive_startup,
            program: &self.shared.program,
        })
        .await)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(Snapshot::Taken { file, .. }) = self.snapshot.get()
            && let Some(folder) = file.parent()
        {
            let _ = fs::remove_dir_all(folder);
        }
    }
}

impl Session {
    /// Its id.
    pub fn id(&self) -> &str {
        &self.inner.options.id
    }

    /// Where the next command starts.
    pub fn cwd(&self) -> PathBuf {
        self.inner.lock().cwd.clone()
    }

    /// Its shell; to be stored with the session, under [`shell::selection_key`].
    pub fn shell(&self) -> &Shell {
        &self.inner.shell
    }

    /// What went wrong without harm, for a person who looks.
    pub fn diagnostics(&self) -> Vec<String> {
        self.inner.lock().diagnostics.clone()
    }

    /// What was read by commands.
    pub fn reads(&self) -> ReadState {
        self.inner.lock().reads.clone()
    }

    /// Another tool of the host read a file.
    pub fn record_read(&self, path: PathBuf, lines: Option<(u64, u64)>) {
        self.inner.lock().reads.record(path, lines);
    }

    /// What a lone `sed -i` would make of its file, for a host that shows the change to a person. Put into the input as
    /// `simulated_sed_edit`, it is made in place of running the command, if the file is still what it was.
    ///
    /// `None` for other commands, and for a file that is not there, larger than 10 MiB, or no text.
    pub fn preview_edit(&self, command: &str) -> Option<crate::input::SimulatedEdit> {
        edit::preview(&self.cwd(), command, self.shell().kind.fact())
    }

    /// Runs a command to its end, or to the background.
    pub async fn run(&self, input: Input) -> Result<Outcome, RunError> {
        self.start(input).outcome().await
    }

    /// Starts a command. Needs a tokio runtime.
    pub fn start(&self, input: Input) -> Running {
        Running::start(Arc::clone(&self.inner), input)
    }

    /// The executor's tasks that belong to this session.
    pub fn tasks(&self) -> Vec<crate::tasks::Task> {
        self.inner.shared.tasks.list(Some(self.id()))
    }

    /// The workspace roots, as commands are judged by.
    pub fn workspace(&self) -> Vec<PathBuf> {
        running::workspace(&self.inner, &self.cwd())
    }
}

/// Snapshots of hosts that were killed; a session's own goes with the session.
fn clean_snapshots(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let host = name
            .to_str()
            .and_then(|name| name.split('-').next()?.parse::<i32>().ok());
        let old = entry
            .metadata()
            .and_then(|meta| meta.modified())
            .is_ok_and(|at| {
                at.elapsed()
                    .is_ok_and(|age| age > Duration::from_secs(24 * 3600))
            });
        if old && host.is_none_or(|host| crate::spawn::tree::stat(host).is_none()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The folder that `path` is in, made for this user alone.
pub(crate) fn private_folder(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
}
