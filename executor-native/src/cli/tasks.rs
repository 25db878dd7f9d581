//! `portcullis tasks`: what runs in the background, whoever started it.

use std::time::Duration;

use super::{Failure, Outcome, args::TasksArgs, args::TasksVerb, print, status};
use crate::{
    output::human_size,
    session::StateDir,
    tasks::{OutputRequest, Task, TaskError, Tasks, text_limit, unix_ms},
};

pub(super) fn run(args: &TasksArgs) -> Outcome {
    let internal = |error: std::io::Error| Failure::internal(error.to_string());
    let state = StateDir::open(None).map_err(internal)?;
    let tasks = Tasks::open(state.path()).map_err(internal)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(internal)?;
    match &args.verb {
        TasksVerb::List { json } => {
            list(&tasks, *json);
            Ok(0)
        }
        TasksVerb::Output {
            id,
            block,
            timeout,
            json,
        } => runtime.block_on(output(&tasks, id, *block, *timeout, *json)),
        TasksVerb::Stop { id, json } => runtime.block_on(stop(&tasks, id, *json)),
    }
}

fn list(tasks: &Tasks, json: bool) {
    let all = tasks.list(None);
    if !json && print::to_a_person() {
        match all.is_empty() {
            true => print::note("portcullis: no background tasks"),
            false => print::safe_line(&format!(
                "{:13}  {:9}  {:>4}  {:>7}  {:>10}  COMMAND",
                "ID", "STATE", "EXIT", "AGE", "OUTPUT"
            )),
        }
    }
    for task in all {
        let line = match json {
            true => serde_json::to_string(&task).unwrap_or_default(),
            false => row(&task),
        };
        if json {
            if print::line(&line).is_gone() {
                return;
            }
        } else {
            print::safe_line(&line);
        }
    }
}

fn row(task: &Task) -> String {
    let code = task.record.exit_code;
    let since = Duration::from_millis(unix_ms().saturating_sub(task.info.since));
    format!(
        "{:13}  {:9}  {:>4}  {:>7}  {:>10}  {}",
        task.info.id,
        task.status(),
        code.map_or_else(|| "-".into(), |code| code.to_string()),
        age(since),
        human_size(task.record.bytes.max(size(task))),
        task.info.command,
    )
}

/// `40 s`, `12 min`, `5 h`, `3 d`.
fn age(since: Duration) -> String {
    match since.as_secs() {
        seconds @ ..120 => format!("{seconds} s"),
        seconds @ ..7_200 => format!("{} min", seconds / 60),
        seconds @ ..172_800 => format!("{} h", seconds / 3_600),
        seconds => format!("{} d", seconds / 86_400),
    }
}

/// The record counts bytes only from time to time.
fn size(task: &Task) -> u64 {
    std::fs::metadata(&task.output_file).map_or(0, |meta| meta.len())
}

async fn output(tasks: &Tasks, id: &str, block: bool, timeout: u64, json: bool) -> Outcome {
    let limit = std::env::var("TASK_MAX_OUTPUT_LENGTH").ok();
    let request = OutputRequest {
        block,
        timeout: Duration::from_millis(timeout),
        owner: None,
        most: text_limit(limit.as_deref()),
    };
    let output = tasks.output(id, &request).await.map_err(fault)?;
    if json {
        let _ = print::line(&serde_json::to_string(&output).unwrap_or_default());
    } else {
        if !output.text.is_empty() {
            print::block(&output.text);
        }
        print::note(&format!("portcullis: {id} {}", output.task.how_it_ended()));
    }
    Ok(0)
}

async fn stop(tasks: &Tasks, id: &str, json: bool) -> Outcome {
    let stopped = tasks.stop(id, "the user", None).await.map_err(fault)?;
    if json {
        let _ = print::line(&serde_json::to_string(&stopped).unwrap_or_default());
    } else {
        print::note(&match (stopped.already_finished, stopped.unconfirmed) {
            (true, _) => format!(
                "portcullis: {id} had ended before ({})",
                stopped.task.status()
            ),
            (false, false) => format!("portcullis: {id} was stopped"),
            (false, true) => {
                format!("portcullis: {id} was told to stop, but something of it still runs")
            }
        });
    }
    Ok(if stopped.unconfirmed {
        status::FAULT
    } else {
        0
    })
}

fn fault(error: TaskError) -> Failure {
    match error {
        TaskError::Unreadable { .. } => Failure::internal(error.to_string()),
        TaskError::Unknown(_) | TaskError::NotOwner(_) => Failure::usage(format!(
            "{error}\n`portcullis tasks list` shows the tasks there are"
        )),
    }
}
