//! `portcullis run`: judge, ask where there is somebody to ask, run, and end as the command did.
//!
//! What the command printed goes to stdout as it is told to a model: cleaned, and whole where it was cut. Words of
//! our own go to stderr.

use std::{io::IsTerminal as _, sync::Arc};

use policy_core::facts::Mode;

use super::{Failure, Outcome, args::RunArgs, print, setup, status};
use crate::{
    approve::{Answer, Approver, Nobody, Pending, Question, SaidYes},
    input::{Input, Timeouts},
    session::{Executor, ExecutorOptions, Finished, Outcome as Ended, RunError, SessionOptions},
    spawn::FailureKind,
};

/// The session that commands of the command line belong to.
pub(super) const OWNER: &str = "cli";

pub(super) fn run(args: &RunArgs) -> Outcome {
    let command = setup::command(&args.command)?;
    let (loaded, config) = setup::policy(&args.policy)?;
    let mode = config.settings.mode;
    let engine = setup::engine_of(&args.policy, &loaded, config)?;
    let executor = Executor::new(ExecutorOptions::new(engine))
        .map_err(|error| Failure::internal(error.to_string()))?;
    let mut input = Input::new(command);
    input.run_in_background = args.background;
    // A person who waits can stop it himself; the limit for agents is shorter.
    input.timeout = Some(args.timeout.unwrap_or(Timeouts::from_env().most));
    runtime()?.block_on(foreground(&executor, input, args, mode))
}

/// A runtime for one command.
pub(super) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Failure::internal(format!("no threads can be started: {error}")))
}

async fn foreground(executor: &Executor, input: Input, args: &RunArgs, mode: Mode) -> Outcome {
    let approver: Arc<dyn Approver> = if args.yes {
        Arc::new(SaidYes)
    } else if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() && !args.json {
        Arc::new(Terminal)
    } else {
        Arc::new(Nobody)
    };
    let session = executor
        .session(SessionOptions {
            cwd: args.policy.cwd.clone(),
            workspace: args.policy.workspace.clone(),
            mode,
            unattended: args.policy.unattended,
            approver,
            snapshot: false,
            ..SessionOptions::new(OWNER)
        })
        .map_err(|error| Failure {
            status: status::NO_SHELL,
            message: error.to_string(),
        })?;
    let mut running = session.start(input);
    let watched = running
        .progress()
        .filter(|_| std::io::stderr().is_terminal());
    let watching = tokio::spawn(async move {
        let Some(mut progress) = watched else { return };
        while let Some(sample) = progress.next().await {
            print::progress(sample.elapsed, sample.total_lines);
        }
        print::progress_over();
    });
    let ended = running.outcome().await;
    let _ = watching.await;
    match ended {
        Ok(ended) if args.json => {
            let text = serde_json::to_string(&ended)
                .map_err(|error| Failure::internal(error.to_string()))?;
            let _ = print::line(&text);
            Ok(code(&ended))
        }
        Ok(ended) => {
            show(&ended);
            Ok(code(&ended))
        }
        Err(error) => refused(error, args.json),
    }
}

fn show(ended: &Ended) {
    let Some(finished) = ended.finished() else {
        print::note(&ended.for_model());
        return;
    };
    match &finished.output_file {
        Some(file) if finished.truncated => print::file(file),
        _ => print::output(&finished.stdout),
    }
    print::note(&finished.stderr);
    for note in &finished.notes {
        print::note(note);
    }
    if finished.timed_out {
        print::error("the command was ended because its time limit was reached");
    }
    for leaked in &finished.leaked {
        print::note(&format!("portcullis: left running: {leaked:?}"));
    }
}

/// The status to end with.
fn code(ended: &Ended) -> u8 {
    match ended.finished() {
        Some(Finished {
            exit_code: Some(code),
            ..
        }) => u8::try_from(*code).unwrap_or(status::FAULT),
        Some(_) => status::FAULT,
        None => 0,
    }
}

fn refused(error: RunError, json: bool) -> Outcome {
    match error {
        RunError::Refused(refusal) => {
            if json {
                let text = serde_json::json!({ "status": "refused", "verdict": refusal.verdict, "because": refusal.because });
                let _ = print::line(&text.to_string());
            } else {
                print::verdict_to_stderr(&refusal.verdict);
                if let Some(because) = &refusal.because {
                    print::note(&format!(
                        "  not run: {because}; `--yes` answers a question with yes"
                    ));
                }
            }
            Ok(status::REFUSED)
        }
        RunError::Input(error) => Err(Failure::usage(error.to_string())),
        RunError::Start(failure) => Err(Failure {
            status: match failure.kind {
                FailureKind::ShellMissing | FailureKind::CwdMissing => status::NO_SHELL,
                _ => status::FAULT,
            },
            message: failure.message,
        }),
        other => Err(Failure {
            status: status::REFUSED,
            message: other.to_string(),
        }),
    }
}

/// The person at the terminal.
struct Terminal;

impl Approver for Terminal {
    fn ask<'a>(&'a self, question: Question<'a>) -> Pending<'a> {
        print::verdict_to_stderr(question.verdict);
        Box::pin(async {
            // Reading blocks; the thread ends with the program.
            let answer = tokio::task::spawn_blocking(|| {
                print::prompt("run it? [y/N] ");
                let mut line = String::new();
                std::io::stdin().read_line(&mut line).map(|_| line)
            })
            .await;
            match answer {
                Ok(Ok(line)) if matches!(line.trim(), "y" | "Y" | "yes") => Answer::Once,
                _ => Answer::No(Some("you said no".to_owned())),
            }
        })
    }
}
