//! `portcullis tasks`: background tasks of this user, their output, their end.

use std::time::Duration;

use super::{
    Failure, Outcome,
    args::{TasksArgs, TasksVerb},
    print, run,
};
use crate::{
    session::{Executor, ExecutorOptions},
    tasks::{OutputRequest, Task, TaskError},
};

pub(super) fn run(args: &TasksArgs) -> Outcome {
    // Tasks are looked at, not judged; the engine is only what an executor is made with.
    let engine = crate::engine::engine(crate::engine::EngineKind::Native, "")
        .map_err(|refused| Failure::internal(refused.message))?;
    let executor = Executor::new(ExecutorOptions::new(engine))
        .map_err(|error| Failure::internal(error.to_string()))?;
    let tasks = executor.tasks();
    match &args.verb {
        TasksVerb::List { json } => {
            for task in tasks.list(None) {
                if *json {
                    let _ = print::line(&text(&task)?);
                } else {
                    print::safe_line(&row(&task));
                }
            }
            Ok(0)
        }
        TasksVerb::Output {
            id,
            block,
            timeout,
            json,
        } => {
            let request = OutputRequest {
                block: *block,
                timeout: Duration::from_millis(*timeout),
                ..OutputRequest::default()
            };
            let output = run::runtime()?
                .block_on(tasks.output(id, &request))
                .map_err(|error| unknown(&error))?;
            if *json {
                let _ = print::line(&text(&output)?);
            } else {
                print::output(&output.text);
                print::note(&format!("{} {}", output.task.info.id, output.task.status()));
                if output.cut {
                    print::note(&format!("all of it: {}", output.task.output_file.display()));
                }
            }
            Ok(0)
        }
        TasksVerb::Stop { id } => {
            let stopped = run::runtime()?
                .block_on(tasks.stop(id, "user", None))
                .map_err(|error| unknown(&error))?;
            print::safe_line(&row(&stopped.task));
            if stopped.unconfirmed {
                return Err(Failure::internal(
                    "some of its processes could not be seen to end",
                ));
            }
            Ok(0)
        }
    }
}

fn row(task: &Task) -> String {
    format!("{} {:9} {}", task.info.id, task.status(), task.info.command)
}

fn text<T: serde::Serialize>(value: &T) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::internal(error.to_string()))
}

fn unknown(error: &TaskError) -> Failure {
    Failure::usage(format!("{error}; `portcullis tasks list` names them"))
}
