//! The executor inside another program: judge, run, keep a directory, go to the background, read, stop.
//!
//! `cargo run -p executor-native --example embed`

use std::process::ExitCode;

use executor_native::{
    Executor, ExecutorOptions, Outcome, SessionOptions,
    engine::{EngineKind, engine},
    input::Input,
    tasks::OutputRequest,
};

fn main() -> ExitCode {
    // First of all: this program is also started to supervise the commands it runs.
    if let Some(code) = executor_native::supervise_if_asked() {
        return code;
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    match runtime.block_on(demo()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn demo() -> Result<(), Box<dyn std::error::Error>> {
    // The policy as it is without any configuration; a JSON text here holds rules and settings.
    let engine = engine(EngineKind::Native, "")?;
    let executor = Executor::new(ExecutorOptions::new(engine))?;
    let session = executor.session(SessionOptions::new("embed-demo"))?;

    let outcome = session.run(Input::new("pwd && ls | head -3")).await?;
    println!("{}", outcome.for_model());

    // Nobody is there to be asked, so what needs a yes is refused, with the reason.
    if let Err(refused) = session.run(Input::new("rm -rf build")).await {
        println!("{refused}");
    }

    let input = Input {
        run_in_background: true,
        ..Input::new("for i in 1 2 3; do echo $i; sleep 0.2; done")
    };
    match session.run(input).await {
        Ok(Outcome::Backgrounded(task)) => {
            println!("{}", task.for_model());
            let output = executor
                .tasks()
                .output(&task.task_id, &OutputRequest::default())
                .await?;
            println!("{}\n{}", output.text, output.task.notification());
        }
        Ok(outcome) => println!("{}", outcome.for_model()),
        Err(refused) => println!("{refused}"),
    }
    Ok(())
}
