//! One command on its way: judged, permitted, planned, started, followed, settled.
//!
//! All of it happens in a task of its own, so that dropping the caller's future in the middle leaves nothing half
//! done: the command is then ended and its tree with it.

use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use policy_core::facts;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot, watch};

use super::{AtLimit, Backgrounded, Finished, Inner, Outcome, RunError, edit, permission, settle};
use crate::{
    cwd,
    engine::facts::{Given, gather},
    env::{Circumstances, environment, scrub_patterns},
    input::Input,
    lifecycle::{Abort, How, Settled, Terms, Wish, drive},
    output::{Progress, Sample, channel},
    plan::{Choices, plan},
    shell::Snapshot,
    spawn::{Bytes, RunState, Supervised, create_private, files, launch},
    tasks::{Info, unix_ms},
};

/// How long the end of a supervisor may hold a result back.
const GONE_WITHIN: Duration = Duration::from_millis(200);

/// A command that was started. Dropping it before its outcome is there ends the command.
#[derive(Debug)]
pub struct Running {
    wishes: mpsc::Sender<Wish>,
    outcome: oneshot::Receiver<Result<Outcome, RunError>>,
    progress: Option<Progress>,
    output: watch::Receiver<Option<PathBuf>>,
}

impl Running {
    pub(super) fn start(session: Arc<Inner>, input: Input) -> Self {
        let (wishes, heard) = mpsc::channel(8);
        let (samples, progress) = channel();
        let (answer, outcome) = oneshot::channel();
        let (announce, output) = watch::channel(None);
        tokio::spawn(async move {
            let job = Job {
                session,
                input,
                wishes: heard,
                samples,
                announce,
            };
            job.run(answer).await;
        });
        Self {
            wishes,
            outcome,
            progress: Some(progress),
            output,
        }
    }

    /// The output file, once it is known; it may not be there yet, and soon not be there any more, unless the
    /// session keeps outputs.
    pub fn output_file(&self) -> watch::Receiver<Option<PathBuf>> {
        self.output.clone()
    }

    /// The stream of samples; once.
    pub fn progress(&mut self) -> Option<Progress> {
        self.progress.take()
    }

    /// Moves the command to the background; true if it was running and did.
    pub async fn move_to_background(&self) -> bool {
        let (answer, moved) = oneshot::channel();
        self.wishes.send(Wish::Background(answer)).await.is_ok() && moved.await.unwrap_or(false)
    }

    /// Aborts the turn that the command belongs to.
    pub async fn abort(&self, abort: Abort) {
        let _ = self.wishes.send(Wish::Abort(abort)).await;
    }

    /// A handle to do either from elsewhere, while the outcome is waited for.
    pub fn control(&self) -> Control {
        Control(self.wishes.downgrade())
    }

    /// Waits for what becomes of it.
    pub async fn outcome(mut self) -> Result<Outcome, RunError> {
        (&mut self.outcome).await.unwrap_or(Err(RunError::Aborted))
    }
}

/// Moves or aborts a command whose outcome somebody else waits for.
#[derive(Clone, Debug)]
pub struct Control(mpsc::WeakSender<Wish>);

impl Control {
    /// See [`Running::move_to_background`].
    pub async fn move_to_background(&self) -> bool {
        let (answer, moved) = oneshot::channel();
        match self.0.upgrade() {
            Some(wishes) => {
                wishes.send(Wish::Background(answer)).await.is_ok() && moved.await.unwrap_or(false)
            }
            None => false,
        }
    }

    /// See [`Running::abort`].
    pub async fn abort(&self, abort: Abort) {
        if let Some(wishes) = self.0.upgrade() {
            let _ = wishes.send(Wish::Abort(abort)).await;
        }
    }
}

/// The workspace roots for a command that starts in `cwd`.
pub(super) fn workspace(session: &Inner, cwd: &Path) -> Vec<PathBuf> {
    match session.options.workspace.is_empty() {
        true => gather(&Given {
            cwd: Some(cwd.to_owned()),
            workspace: Vec::new(),
        })
        .workspace
        .into_iter()
        .map(PathBuf::from)
        .collect(),
        false => session.options.workspace.clone(),
    }
}

struct Job {
    session: Arc<Inner>,
    input: Input,
    wishes: mpsc::Receiver<Wish>,
    samples: mpsc::Sender<Sample>,
    announce: watch::Sender<Option<PathBuf>>,
}

/// Everything about one start that the end needs again.
pub(super) struct Start {
    pub(super) id: String,
    pub(super) folder: PathBuf,
    pub(super) cwd: PathBuf,
    pub(super) workspace: Vec<PathBuf>,
    pub(super) began: SystemTime,
    pub(super) notes: Vec<String>,
    pub(super) command: String,
    pub(super) shell: facts::Shell,
}

impl Job {
    async fn run(mut self, answer: oneshot::Sender<Result<Outcome, RunError>>) {
        match self.begin().await {
            Err(error) => drop(answer.send(Err(error))),
            Ok(Begun::Edited(finished)) => drop(answer.send(Ok(Outcome::Finished(finished)))),
            Ok(Begun::Started(supervised, start, slot)) => {
                self.follow(*supervised, *start, slot, answer).await
            }
        }
    }

    async fn begin(&mut self) -> Result<Begun, RunError> {
        let session = Arc::clone(&self.session);
        let options = &session.options;
        self.input.check()?;
        if self.input.run_in_background && options.kind == facts::Session::Idle {
            return Err(RunError::NotNow(
                "background tasks cannot be started in an idle session: their end would begin a turn that nobody asked for"
                    .into(),
            ));
        }
        let (wanted, previous) = {
            let mutable = self.session.lock();
            (mutable.cwd.clone(), mutable.previous_cwd.clone())
        };
        let workspace = workspace(&self.session, &wanted);
        let (cwd, note) = cwd::usable(&wanted, &workspace);
        let permit =
            permission::permit(&session, &self.input, &mut self.wishes, &cwd, &workspace).await?;
        let mut notes = std::mem::take(&mut self.session.lock().notes);
        notes.extend(note);
        if let Some(edit) = self.input.simulated_sed_edit.take() {
            let shell = self.session.shell.kind.fact();
            return edit::simulate(&cwd, permit.command(), shell, &edit)
                .map(|finished| Begun::Edited(Box::new(finished)));
        }
        let state =
            |error: std::io::Error| RunError::NotNow(format!("cannot prepare the task: {error}"));
        let snapshot = session.snapshot().await;
        let slots = Arc::clone(&session.shared.slots);
        let slot = slots
            .acquire_owned()
            .await
            .map_err(|error| RunError::NotNow(error.to_string()))?;
        let (id, folder) = self.session.shared.tasks.create().map_err(state)?;
        if let Some(data) = &self.input.stdin {
            create_private(&folder.join(files::STDIN))
                .and_then(|mut file| file.write_all(data))
                .map_err(state)?;
        }
        let empty = Default::default();
        let made = environment(
            std::env::vars_os(),
            &options.env,
            &Circumstances {
                shell: &self.session.shell.path,
                task: &id,
                cwd: &cwd,
                previous_cwd: previous.as_deref(),
                tmpdir: usable_tmpdir(&folder).as_deref(),
                exports: match snapshot {
                    Snapshot::Taken { exports, .. } => exports,
                    Snapshot::Login | Snapshot::Plain => &empty,
                },
                sealed: self.session.shared.sealed.variables(),
                conditions: permit.env(),
            },
        );
        let patterns = scrub_patterns();
        let brief = plan(Choices {
            id: &id,
            folder: &folder,
            shell: &self.session.shell,
            startup: snapshot,
            unset: if options.env.scrub { &patterns } else { &[] },
            shims: &options.shims,
            env: made.variables.into_iter().collect(),
            cwd: cwd.clone(),
            stdin: self.input.stdin.is_some(),
            split: options.split_stderr,
            timeout: self.killing_timeout(),
            detached: self.input.run_in_background,
            leftovers: options.leftovers,
            limits: self.session.shared.limits.clone(),
        });
        let began = SystemTime::now();
        let supervised = match launch(&permit, &self.session.shared.program, brief).await {
            Ok(supervised) => supervised,
            Err(failure) => {
                let _ = std::fs::remove_dir_all(&folder);
                return Err(RunError::Start(failure));
            }
        };
        Ok(Begun::Started(
            Box::new(supervised),
            Box::new(Start {
                id,
                folder,
                cwd,
                workspace,
                began,
                notes,
                command: permit.command().to_owned(),
                shell: self.session.shell.kind.fact(),
            }),
            slot,
        ))
    }

    fn first_word_is_sleep(&self) -> bool {
        self.input.command.split_whitespace().next() == Some("sleep")
    }

    /// The paths that end at the time limit are those that cannot go on in the background.
    fn killing_timeout(&self) -> Option<u64> {
        let options = &self.session.options;
        let idle = options.kind == facts::Session::Idle;
        let timeouts = &self.session.shared.timeouts;
        if self.input.run_in_background {
            return self
                .input
                .timeout
                .map(|wanted| timeouts.limit(Some(wanted)));
        }
        match options.at_limit {
            AtLimit::EndIfGiven => self.input.timeout,
            AtLimit::End => Some(timeouts.limit(self.input.timeout)),
            AtLimit::Background if idle || self.first_word_is_sleep() => {
                Some(timeouts.limit(self.input.timeout))
            }
            AtLimit::Background => None,
        }
    }

    fn terms(&self) -> Terms {
        let options = &self.session.options;
        let moves = !self.input.run_in_background
            && options.at_limit == AtLimit::Background
            && self.killing_timeout().is_none();
        let limit = self.session.shared.timeouts.limit(self.input.timeout);
        Terms {
            explicit: self.input.run_in_background,
            deadline: moves.then(|| Duration::from_millis(limit)),
            budget: options.blocking_budget.filter(|_| moves),
        }
    }

    async fn follow(
        mut self,
        supervised: Supervised,
        mut start: Start,
        slot: OwnedSemaphorePermit,
        answer: oneshot::Sender<Result<Outcome, RunError>>,
    ) {
        self.announce
            .send_replace(Some(start.folder.join(files::OUTPUT)));
        let session = Arc::clone(&self.session);
        let (info_id, description, cwd) = (
            start.id.clone(),
            self.input.description.clone(),
            start.cwd.clone(),
        );
        let command = start.command.clone();
        let register = |how: How| {
            session.shared.tasks.register(&Info {
                schema: 1,
                id: info_id.clone(),
                owner: session.options.id.clone(),
                command: command.clone(),
                description: description.clone(),
                cwd: Bytes::from(&cwd),
                how,
                since: unix_ms(),
            })
        };
        let terms = self.terms();
        let settled = drive(
            &supervised,
            terms,
            &mut self.wishes,
            Some(self.samples.clone()),
            register,
        )
        .await;
        drop(slot);
        match settled {
            Settled::Failed(failure) => {
                let _ = std::fs::remove_dir_all(&start.folder);
                let _ = answer.send(Err(RunError::Start(failure)));
            }
            Settled::Ended(status) => {
                let leftovers = !status.record.leaked.is_empty() && !status.gone;
                let finished = settle::settle(&self.session, &start, &status.record);
                if !leftovers {
                    // Usually there before this line; a host that ends right after its answer leaves nothing behind.
                    let mut status = supervised.status();
                    let gone = status.wait_for(|status| status.gone);
                    let _ = tokio::time::timeout(GONE_WITHIN, gone).await;
                    if !self.session.options.keep_output {
                        let _ = std::fs::remove_dir_all(&start.folder);
                    }
                }
                let _ = answer.send(Ok(Outcome::Finished(Box::new(finished))));
                self.keep_until_gone(supervised, leftovers, false, &start)
                    .await;
            }
            Settled::Backgrounded(how) => {
                let status = supervised.status().borrow().clone();
                let backgrounded = Backgrounded {
                    task_id: start.id.clone(),
                    how,
                    output_file: start.folder.join(files::OUTPUT),
                    pid: status.record.shell.pid,
                    after_ms: start.began.elapsed().unwrap_or_default().as_millis() as u64,
                    notes: std::mem::take(&mut start.notes),
                };
                let _ = answer.send(Ok(Outcome::Backgrounded(backgrounded)));
                self.keep_until_gone(supervised, true, true, &start).await;
            }
        }
    }

    /// Holds the supervisor's control pipe while something is left that depends on it.
    async fn keep_until_gone(
        self,
        supervised: Supervised,
        leftovers: bool,
        task: bool,
        start: &Start,
    ) {
        let shared = Arc::clone(&self.session.shared);
        let keep = leftovers || self.session.options.keep_output;
        let mut alive = self.session.alive.clone();
        // From here on this job must not keep its own session alive.
        drop(self);
        if task {
            supervised.ended().await;
            shared.ended.notify_waiters();
        }
        let mut status = supervised.status();
        tokio::select! {
            _ = status.wait_for(|status| status.gone) => {}
            // The session is over: closing the pipe tells the supervisor.
            _ = async { while alive.changed().await.is_ok() {} }, if leftovers && !task => {}
        }
        drop(supervised);
        if !task {
            let _ = status.wait_for(|status| status.gone).await;
            // What was left running wrote to a file that the result named: that one stays for a while.
            if !keep {
                let _ = std::fs::remove_dir_all(&start.folder);
            }
        }
    }
}

enum Begun {
    Started(Box<Supervised>, Box<Start>, OwnedSemaphorePermit),
    /// The command was an edit that the host made itself.
    Edited(Box<Finished>),
}

/// A folder for temporary files when the host's own is not usable; bash drops here-documents silently without one.
fn usable_tmpdir(folder: &Path) -> Option<PathBuf> {
    let own = std::env::temp_dir();
    let usable = own.is_dir()
        && rustix::fs::access(
            &own,
            rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK,
        )
        .is_ok();
    if usable {
        return None;
    }
    let tmpdir = folder.join("tmp");
    super::private_folder(&tmpdir).ok()?;
    Some(tmpdir)
}

/// A record that says "killed" although nobody is to blame is still told as an end from outside.
pub(super) fn is_success(state: RunState, code: Option<i32>) -> bool {
    state == RunState::Completed && code == Some(0)
}
