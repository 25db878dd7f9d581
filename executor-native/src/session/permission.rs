//! From a command to its permit: judged, put to a classifier where there are prompt rules, asked about where the verdict
//! says so. Wishes are heard all the while, so that an aborted turn takes its question back.

use std::{
    future::Future,
    path::{Path, PathBuf},
    pin::Pin,
    sync::Arc,
};

use policy_core::Decision;
use tokio::sync::mpsc;

use super::{Inner, Refusal, RunError};
use crate::{
    approve::{Answer, Question},
    engine::judge::{Case, Judged},
    input::Input,
    lifecycle::{Abort, Wish},
    off_thread::off_thread,
    permit::Permit,
};

/// A permit, after asking whoever can answer if the verdict says so.
pub(super) async fn permit(
    session: &Inner,
    input: &Input,
    wishes: &mut mpsc::Receiver<Wish>,
    cwd: &Path,
    workspace: &[PathBuf],
) -> Result<Permit, RunError> {
    let mut judged = judge(session, input, cwd, workspace).await?;
    let approver = Arc::clone(&session.options.approver);
    let description = input.description.clone();
    if judged.verdict().decision != Decision::Deny && !judged.verdict().questions.is_empty() {
        let classified = approver.classify(
            &judged.verdict().questions,
            question(&judged, description.as_deref()),
        );
        let answers = patiently(wishes, classified).await?;
        if !answers.is_empty() {
            let engine = Arc::clone(&session.shared.engine);
            judged = blocking(move || judged.answered(&answers, &engine)).await?;
        }
    }
    let mut said_yes = false;
    if judged.verdict().decision == Decision::Ask {
        let asked = approver.ask(question(&judged, description.as_deref()));
        match patiently(wishes, asked).await? {
            Answer::Once => said_yes = true,
            Answer::Always(rules) => {
                said_yes = true;
                if let Some(store) = &session.options.rules
                    && let Err(error) = store.store(&rules)
                {
                    session
                        .lock()
                        .diagnostics
                        .push(format!("cannot store the rule: {error}"));
                }
            }
            Answer::No(because) => {
                let because = because.unwrap_or_else(|| "the user said no".into());
                return Err(refused(judged, Some(because)));
            }
        }
    }
    judged
        .permit(said_yes)
        .map_err(|judged| refused(*judged, None))
}

async fn judge(
    session: &Inner,
    input: &Input,
    cwd: &Path,
    workspace: &[PathBuf],
) -> Result<Judged, RunError> {
    let options = &session.options;
    let case = Case {
        command: input.command.clone(),
        cwd: cwd.to_owned(),
        workspace: workspace.to_vec(),
        shell: session.shell.kind.fact(),
        session: options.kind,
        mode: options.mode,
        unattended: options.unattended,
        leaves_sandbox: input.dangerously_disable_sandbox,
        more: options.facts.clone(),
    };
    let engine = Arc::clone(&session.shared.engine);
    blocking(move || case.judge(&engine)).await
}

/// Off the runtime's own threads.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, RunError> {
    off_thread(work)
        .await
        .map_err(|error| RunError::NotNow(format!("the policy engine cannot work: {error}")))
}

/// Waits for an answer while wishes are still heard.
async fn patiently<T>(
    wishes: &mut mpsc::Receiver<Wish>,
    mut answer: Pin<Box<dyn Future<Output = T> + Send + '_>>,
) -> Result<T, RunError> {
    loop {
        tokio::select! {
            answer = &mut answer => return Ok(answer),
            wish = wishes.recv() => match wish {
                Some(Wish::Abort(Abort::Interrupt)) => {}
                Some(Wish::Background(moved)) => drop(moved.send(false)),
                Some(Wish::Abort(Abort::Because(_))) | None => return Err(RunError::Aborted),
            },
        }
    }
}

fn question<'a>(judged: &'a Judged, description: Option<&'a str>) -> Question<'a> {
    Question {
        request: judged.request(),
        verdict: judged.verdict(),
        description,
    }
}

fn refused(judged: Judged, because: Option<String>) -> RunError {
    RunError::Refused(Box::new(Refusal {
        verdict: judged.into_verdict(),
        because,
    }))
}
