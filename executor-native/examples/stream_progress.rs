//! Watching a long command: samples as a stream, and a move to the background from elsewhere.
//!
//! `cargo run -p executor-native --example stream_progress`

use std::{process::ExitCode, sync::Arc, time::Duration};

use executor_native::{
    Executor, ExecutorOptions, SessionOptions,
    approve::SaidYes,
    engine::{EngineKind, engine},
    input::Input,
};

fn main() -> ExitCode {
    if let Some(code) = executor_native::supervise_if_asked() {
        return code;
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    match runtime.block_on(watch()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn watch() -> Result<(), Box<dyn std::error::Error>> {
    let executor = Executor::new(ExecutorOptions::new(engine(EngineKind::Native, "")?))?;
    let session = executor.session(SessionOptions {
        approver: Arc::new(SaidYes),
        ..SessionOptions::new("stream-demo")
    })?;

    let mut running = session.start(Input::new(
        "for i in $(seq 100); do echo line $i; sleep 0.1; done",
    ));
    let mut progress = running.progress().expect("taken once");
    let control = running.control();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(5)).await;
        control.move_to_background().await;
    });
    tokio::spawn(async move {
        // A reader may take its time: it gets the newest sample, and the command never waits for it.
        while let Some(sample) = progress.next().await {
            let last = sample.tail.lines().last().unwrap_or_default();
            println!(
                "{:>5} ms  {:>6} bytes  {:>4} lines  {last}",
                sample.elapsed, sample.total_bytes, sample.total_lines
            );
        }
    });
    let outcome = running.outcome().await?;
    println!("{}", outcome.for_model());
    if let Some(task) = outcome.backgrounded() {
        let stopped = executor
            .tasks()
            .stop(&task.task_id, "the example", None)
            .await?;
        println!("{}", stopped.task.notification());
    }
    Ok(())
}
