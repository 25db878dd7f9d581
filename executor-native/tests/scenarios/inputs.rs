//! Input that is none: the error names what is wrong, nobody is asked, and nothing starts.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use executor_native::{
    Executor, ExecutorOptions, RunError,
    engine::{Engine, EngineFault},
    input::{Input, Origin},
    spawn::Program,
};
use serde_json::{Value, json};

use crate::common::*;

/// Counts how often it was asked.
struct Counts(Arc<AtomicUsize>);

impl Engine for Counts {
    fn name(&self) -> &'static str {
        "counts"
    }

    fn call(&mut self, operation: &str, json: &str) -> Result<String, EngineFault> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Always(policy_core::Decision::Allow).call(operation, json)
    }
}

/// Input as a model gives it, and the words of the error.
fn wrong() -> Vec<(Value, &'static str)> {
    let milliseconds = "`timeout` must be a whole number of milliseconds, at least 1";
    let with = |key: &str, value: Value| json!({"command": "touch f", key: value});
    vec![
        (json!(null), "the input must be an object"),
        (json!("touch f"), "the input must be an object"),
        (json!(["touch f"]), "the input must be an object"),
        (json!({}), "`command` is missing"),
        (json!({"timeout": 5}), "`command` is missing"),
        (json!({"command": null}), "`command` must be a string"),
        (json!({"command": 5}), "`command` must be a string"),
        (
            json!({"command": ["touch", "f"]}),
            "`command` must be a string",
        ),
        (
            json!({"command": "touch f\u{0}"}),
            "`command` contains a NUL character",
        ),
        (with("timeout", json!(0)), milliseconds),
        (with("timeout", json!(-1)), milliseconds),
        (with("timeout", json!("soon")), milliseconds),
        (with("timeout", json!("-5")), milliseconds),
        (with("timeout", json!(true)), milliseconds),
        (with("timeout", json!([])), milliseconds),
        (with("timeout", json!(1e300)), milliseconds),
        (with("timeout", json!(0.2)), milliseconds),
        (
            with("description", json!(5)),
            "`description` must be a string",
        ),
        (
            with("runInBackground", json!("maybe")),
            "`runInBackground` must be true or false",
        ),
        (
            with("runInBackground", json!(2)),
            "`runInBackground` must be true or false",
        ),
        (
            with("runInBackground", json!({})),
            "`runInBackground` must be true or false",
        ),
        (
            with("run_in_background", json!("perhaps")),
            "`run_in_background` must be true or false",
        ),
        (
            with("dangerouslyDisableSandbox", json!("si")),
            "`dangerouslyDisableSandbox` must be true or false",
        ),
        (with("cwd", json!("/")), "unknown key `cwd`"),
        (with("Command", json!("x")), "unknown key `Command`"),
        (with("timeout ", json!(5)), "unknown key `timeout `"),
        (with("stdin", json!("x")), "unknown key `stdin`"),
        (with("__proto__", json!({})), "unknown key `__proto__`"),
        (
            with(
                "simulatedSedEdit",
                json!({"filePath": "f", "newContent": ""}),
            ),
            "unknown key `simulatedSedEdit`",
        ),
    ]
}

/// What the host may also give, and the words of the error.
fn wrong_from_the_host() -> Vec<(Value, &'static str)> {
    let edit = |value: Value| json!({"command": "sed -i s/a/b/ f", "simulatedSedEdit": value});
    vec![
        (edit(json!("f")), "`simulatedSedEdit` must be an object"),
        (
            edit(json!({"newContent": ""})),
            "`simulatedSedEdit.filePath` must be a string",
        ),
        (
            edit(json!({"filePath": "f"})),
            "`simulatedSedEdit.newContent` must be a string",
        ),
        (
            edit(json!({"filePath": 1, "newContent": ""})),
            "`simulatedSedEdit.filePath` must be a string",
        ),
        (
            edit(json!({"filePath": "f", "newContent": "", "mode": 7})),
            "unknown key `simulatedSedEdit.mode`",
        ),
    ]
}

#[test]
fn what_is_wrong_is_named() {
    for (value, expected) in wrong() {
        let told = Input::parse(&value, Origin::Model).unwrap_err().to_string();
        assert_eq!(told, expected, "{value}");
    }
    for (value, expected) in wrong_from_the_host() {
        let told = Input::parse(&value, Origin::Host).unwrap_err().to_string();
        assert_eq!(told, expected, "{value}");
    }
}

#[test]
fn nothing_is_asked_and_nothing_starts() {
    test(async {
        let world = World::new();
        let asked = Arc::new(AtomicUsize::new(0));
        let mut options = ExecutorOptions::new(Box::new(Counts(Arc::clone(&asked))));
        options.supervisor = Some(Program::at(env!("CARGO_BIN_EXE_portcullis")));
        options.state = Some(world.state());
        let executor = Executor::new(options).unwrap();
        let session = executor.session(world.options()).unwrap();
        // Inputs that were made by hand go the same way.
        let made = [
            Input {
                timeout: Some(0),
                ..Input::new("touch f")
            },
            Input::new("touch f\0"),
        ];
        for input in made {
            match session.run(input).await {
                Err(RunError::Input(error)) => assert!(error.to_string().contains('`'), "{error}"),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(asked.load(Ordering::Relaxed), 0);
        assert_eq!(std::fs::read_dir(world.work()).unwrap().count(), 0);
        assert_eq!(
            std::fs::read_dir(world.state().join("tasks"))
                .unwrap()
                .count(),
            0
        );
        // The same session runs what is right.
        run(&session, "touch f").await;
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        assert!(world.work().join("f").exists());
    });
}

#[test]
fn c11_no_time_limit_overflows() {
    test(async {
        let world = World::new();
        let session = world.session();
        let limits = [
            1,
            500,
            600_000,
            u64::from(u32::MAX),
            u64::MAX / 1000,
            u64::MAX - 1,
            u64::MAX,
        ];
        for at_limit in [
            executor_native::session::AtLimit::Background,
            executor_native::session::AtLimit::End,
            executor_native::session::AtLimit::EndIfGiven,
        ] {
            let session = world.session_with(|options| options.at_limit = at_limit);
            for timeout in limits.into_iter().skip(1) {
                let input = Input {
                    timeout: Some(timeout),
                    ..Input::new("echo hi")
                };
                let done = run_with(&session, input).await;
                assert_eq!(done.stdout, "hi", "{timeout} {at_limit:?}");
            }
        }
        let input = Input {
            timeout: Some(limits[0]),
            ..Input::new("sleep 30")
        };
        assert!(run_with(&session, input).await.timed_out);
        let session = world.session_with(|options| {
            options.blocking_budget = Some(std::time::Duration::MAX);
        });
        assert_eq!(run(&session, "echo hi").await.stdout, "hi");
    });
}
