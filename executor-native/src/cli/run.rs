//! `portcullis run`: judge, ask where somebody is there to ask, run, and end as the command did.
//!
//! Output is shown as it comes: as it is where a program reads it, cleaned and by lines on a terminal, which would
//! obey what is in it. With `--json` it is part of the result instead, bounded.

use std::{
    fs::File,
    io::{IsTerminal as _, Read as _, Seek as _, SeekFrom, stderr, stdin, stdout},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    signal::unix::{SignalKind, signal},
    sync::watch,
};

use super::{Failure, Outcome, args::RunArgs, print, prompt::Terminal, setup, status};
use crate::{
    approve::{Nobody, SaidYes},
    engine::facts::project_root,
    input::Input,
    lifecycle::Abort,
    output::clean,
    session::{
        AtLimit, Executor, ExecutorOptions, Finished, Outcome as Led, Refusal, RunError, Running,
        Session, SessionOptions, SetupError,
    },
    spawn::{FailureKind, Leftovers, RunState},
};

/// How often the output file is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(30);
/// A line without an end is shown in pieces of this.
const LINE_MOST: usize = 64 * 1024;
/// Tasks started from a command line belong to this session.
pub(super) const OWNER: &str = "cli";

pub(super) fn run(args: &RunArgs) -> Outcome {
    let command = setup::command(&args.command)?;
    let session = session(args)?;
    let mut input = Input::new(command);
    input.timeout = args.timeout;
    input.run_in_background = args.background;
    if args.stdin {
        let mut data = Vec::new();
        stdin()
            .read_to_end(&mut data)
            .map_err(|error| Failure::usage(format!("stdin cannot be read: {error}")))?;
        input.stdin = Some(data);
    }
    setup::descriptors()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::internal(error.to_string()))?;
    runtime.block_on(follow(args, session, input))
}

fn session(args: &RunArgs) -> Result<Session, Failure> {
    let executor =
        Executor::new(ExecutorOptions::new(setup::engine(&args.policy)?)).map_err(trouble)?;
    let cwd = setup::cwd(&args.policy)?;
    let options = SessionOptions {
        cwd: Some(cwd.clone()),
        workspace: args.policy.workspace.clone(),
        mode: args.policy.mode.map(Into::into),
        unattended: args.policy.unattended,
        // The terminal's own environment is the user's; there is nothing to capture.
        snapshot: false,
        at_limit: AtLimit::EndIfGiven,
        // As with a shell: what a command put in the background is the user's to end.
        leftovers: Leftovers::Keep,
        keep_output: !args.json,
        approver: match (args.yes, talks(args)) {
            (true, _) => Arc::new(SaidYes),
            (false, true) => Arc::new(Terminal),
            (false, false) => Arc::new(Nobody),
        },
        rules: Some(Arc::new(super::prompt::LocalFile::of(&project_root(&cwd)))),
        ..SessionOptions::new(OWNER)
    };
    executor.session(options).map_err(trouble)
}

/// Somebody is there who can be asked.
fn talks(args: &RunArgs) -> bool {
    stdin().is_terminal() && stderr().is_terminal() && !args.json && !args.stdin && !args.yes
}

fn trouble(error: SetupError) -> Failure {
    match error {
        SetupError::NoShell => Failure {
            status: status::NO_SHELL,
            message: error.to_string(),
        },
        other => Failure::internal(other.to_string()),
    }
}

async fn follow(args: &RunArgs, session: Session, input: Input) -> Outcome {
    let running = session.start(input);
    let shown = Arc::new(Mutex::new(Shown::default()));
    let showing = (!args.json && !args.background)
        .then(|| tokio::spawn(show(running.output_file(), Arc::clone(&shown))));
    let outcome = wait(running).await;
    if let Some(showing) = showing {
        showing.abort();
        let _ = showing.await;
    }
    if let (true, Ok(led)) = (args.json, &outcome) {
        let _ = print::line(&serde_json::to_string(led).unwrap_or_default());
    }
    match outcome {
        Ok(Led::Finished(finished)) => {
            if !args.json {
                show_rest(&finished, &mut lock(&shown));
            }
            for diagnostic in session.diagnostics() {
                print::note(&format!("portcullis: {diagnostic}"));
            }
            Ok(code(&finished))
        }
        Ok(Led::Backgrounded(task)) => {
            if !args.json {
                let _ = print::line(&task.task_id);
                print::note(&format!(
                    "portcullis: its output is written to {}",
                    task.output_file.display()
                ));
            }
            Ok(0)
        }
        Err(RunError::Refused(refusal)) => {
            refused(&refusal, args);
            Ok(status::REFUSED)
        }
        Err(error) => Err(failure(&error)),
    }
}

fn refused(refusal: &Refusal, args: &RunArgs) {
    if args.json {
        let object = serde_json::json!({
            "status": "refused",
            "verdict": refusal.verdict,
            "because": refusal.because,
        });
        let _ = print::line(&object.to_string());
        return;
    }
    // Who was asked has seen the verdict, and needs no advice.
    if talks(args) && refusal.because.is_some() {
        return print::note("portcullis: not run");
    }
    print::verdict_to_stderr(&refusal.verdict);
    if let Some(because) = &refusal.because {
        print::note(&format!(
            "portcullis: not run: {because}; `--yes` answers with yes"
        ));
    }
}

/// Waits for the outcome; the first Ctrl-C ends the command and waits on.
async fn wait(running: Running) -> Result<Led, RunError> {
    let control = running.control();
    let interrupt = signal(SignalKind::interrupt());
    let mut outcome = Box::pin(running.outcome());
    let Ok(mut interrupt) = interrupt else {
        return outcome.await;
    };
    loop {
        tokio::select! {
            outcome = &mut outcome => return outcome,
            _ = interrupt.recv() => {
                print::end_line();
                control.abort(Abort::Because("Ctrl-C".into())).await;
            }
        }
    }
}

/// Output on its way to whoever reads it.
#[derive(Default)]
struct Shown {
    read: u64,
    held: Vec<u8>,
}

impl Shown {
    fn take(&mut self, new: &[u8]) {
        self.read += new.len() as u64;
        if !stdout().is_terminal() {
            return print::bytes(new);
        }
        self.held.extend(new);
        let lines = self
            .held
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let ready = if self.held.len() > LINE_MOST {
            self.held.len()
        } else {
            lines
        };
        let ready: Vec<u8> = self.held.drain(..ready).collect();
        print::bytes(clean(&ready).text.as_bytes());
    }

    fn finish(&mut self) {
        let rest = std::mem::take(&mut self.held);
        if !rest.is_empty() {
            print::bytes(clean(&rest).text.as_bytes());
            print::bytes(b"\n");
        }
    }

    fn take_from(&mut self, path: &Path, chunks: usize) {
        let Ok(mut file) = File::open(path) else {
            return;
        };
        if file.seek(SeekFrom::Start(self.read)).is_err() {
            return;
        }
        let mut buffer = vec![0; 64 * 1024];
        for _ in 0..chunks {
            match file.read(&mut buffer) {
                Ok(n @ 1..) => self.take(buffer.get(..n).unwrap_or_default()),
                _ => return,
            }
        }
    }
}

/// Shows the output as it grows; never ends by itself.
async fn show(mut path: watch::Receiver<Option<PathBuf>>, shown: Arc<Mutex<Shown>>) {
    let Ok(path) = path
        .wait_for(Option::is_some)
        .await
        .map(|path| path.clone().unwrap_or_default())
    else {
        return;
    };
    loop {
        let before = lock(&shown).read;
        lock(&shown).take_from(&path, 16);
        let same = lock(&shown).read == before;
        match same {
            true => tokio::time::sleep(LOOK_EVERY).await,
            // A flood must not keep the end from being noticed.
            false => tokio::task::yield_now().await,
        }
    }
}

fn lock(shown: &Mutex<Shown>) -> MutexGuard<'_, Shown> {
    shown.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What was printed since the last look, then what there is to say.
fn show_rest(finished: &Finished, shown: &mut Shown) {
    if let Some(path) = &finished.output_file {
        shown.take_from(path, usize::MAX);
        shown.finish();
        // All of it was shown. What still runs goes on writing there.
        if finished.leaked.is_empty()
            && let Some(folder) = path.parent()
        {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
    for note in &finished.notes {
        print::note(note);
    }
    if finished.state == RunState::Killed {
        let why = finished.why_ended().unwrap_or_else(|| {
            let by = finished.stopped_by.as_deref().unwrap_or("somebody");
            format!("was stopped by {by}")
        });
        print::note(&format!("portcullis: the command {why}"));
    }
}

fn code(finished: &Finished) -> u8 {
    finished
        .exit_code
        .and_then(|code| u8::try_from(code).ok())
        .unwrap_or(status::FAULT)
}

fn failure(error: &RunError) -> Failure {
    let status = match error {
        RunError::Refused(_) => status::REFUSED,
        RunError::Start(start) if start.kind == FailureKind::ShellMissing => status::NO_SHELL,
        RunError::Input(_) => status::USAGE,
        RunError::Aborted => 130,
        RunError::Start(_) | RunError::NotNow(_) => status::FAULT,
    };
    let message = error.to_string();
    Failure { status, message }
}
