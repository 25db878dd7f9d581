//! C: time limits, the way to the background, and clocks that do not run as they should.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use executor_native::{
    Executor, ExecutorOptions, Outcome,
    input::{Input, Timeouts},
    lifecycle::{Abort, How},
    spawn::{Program, Reason, RunState},
    tasks::{OutputRequest, Wait},
};

use crate::{b_killing::ready, common::*};

fn quick() -> World {
    World::wanting(Wants {
        timeouts: Timeouts {
            default: 1_000,
            most: 600_000,
        },
        ..Wants::default()
    })
}

#[test]
fn c01_at_its_time_limit_a_command_goes_on_in_the_background() {
    test(async {
        let world = quick();
        let session = world.session();
        let began = Instant::now();
        let outcome = session
            .run(Input::new(
                "for i in $(seq 1 25); do echo $i; sleep 0.1; done; exit 5",
            ))
            .await
            .unwrap();
        let Outcome::Backgrounded(task) = outcome else {
            panic!("{outcome:?}")
        };
        assert!(
            began.elapsed() >= Duration::from_secs(1) && began.elapsed() < Duration::from_secs(2)
        );
        assert_eq!(task.how, How::Timeout);
        let words = task.for_model();
        assert!(
            words.contains(&task.task_id) && words.contains(task.output_file.to_str().unwrap()),
            "{words}"
        );
        let output = world
            .executor()
            .tasks()
            .output(&task.task_id, &OutputRequest::default())
            .await
            .unwrap();
        assert_eq!(output.wait, Wait::Done);
        let expected: Vec<String> = (1..=25).map(|i| i.to_string()).collect();
        assert_eq!(output.text, expected.join("\n"));
        let record = &output.task.record;
        assert_eq!(
            (record.exit_code, record.state, record.shell.pid),
            (Some(5), RunState::Completed, task.pid)
        );
        assert!(!record.timed_out);
    });
}

#[test]
fn c01_sleep_and_idle_sessions_end_at_their_time_limit() {
    test(async {
        let world = quick();
        let done = run(&world.session(), "sleep 30").await;
        assert!(done.timed_out && done.is_error);
        assert_eq!(
            (done.reason, done.exit_code),
            (Some(Reason::Timeout), Some(143))
        );
        let idle = world.session_with(|options| options.kind = policy_core::facts::Session::Idle);
        let done = run(&idle, "while :; do sleep 0.1; done").await;
        assert!(done.timed_out);
        let refused = idle
            .run(Input {
                run_in_background: true,
                ..Input::new("ls")
            })
            .await
            .unwrap_err();
        assert!(refused.to_string().contains("idle session"), "{refused}");
    });
}

#[test]
fn c02_the_end_of_a_turn_does_not_reach_a_task() {
    test(async {
        let world = World::new();
        let session = world.session();
        let running = session.start(Input::new("touch ready; sleep 1.5; echo done"));
        ready(&world).await;
        let control = running.control();
        assert!(control.move_to_background().await);
        // The turn is aborted right after the move; the task does not notice.
        running.abort(Abort::Because("the test".into())).await;
        assert!(!running.move_to_background().await);
        let Outcome::Backgrounded(task) = running.outcome().await.unwrap() else {
            panic!()
        };
        assert_eq!(task.how, How::User);
        let output = world
            .executor()
            .tasks()
            .output(&task.task_id, &OutputRequest::default())
            .await
            .unwrap();
        assert_eq!(
            (output.text.as_str(), output.task.record.exit_code),
            ("done", Some(0))
        );
    });
}

#[test]
fn c02_an_interrupt_neither_kills_nor_moves() {
    test(async {
        let world = World::new();
        let session = world.session();
        let running = session.start(Input::new("touch ready; sleep 0.5; echo done"));
        ready(&world).await;
        running.abort(Abort::Interrupt).await;
        let outcome = running.outcome().await.unwrap();
        assert_eq!(outcome.finished().unwrap().stdout, "done");
    });
}

#[test]
fn c03_a_time_limit_given_with_a_background_task_is_kept() {
    test(async {
        let world = World::new();
        let session = world.session();
        let input = Input {
            run_in_background: true,
            timeout: Some(700),
            ..Input::new("sleep 999")
        };
        let Outcome::Backgrounded(task) = session.run(input).await.unwrap() else {
            panic!()
        };
        let output = world
            .executor()
            .tasks()
            .output(&task.task_id, &OutputRequest::default())
            .await
            .unwrap();
        assert!(output.task.record.timed_out);
        assert_eq!(output.task.status(), "killed");
        assert!(output.task.notification().contains("its time was up"));
    });
}

#[test]
fn c04_an_end_exactly_at_the_limit_is_told_once() {
    within(Duration::from_secs(60), async {
        let world = World::wanting(Wants {
            timeouts: Timeouts {
                default: 100,
                most: 600_000,
            },
            ..Wants::default()
        });
        let session = world.session();
        let tasks = world.executor().tasks();
        let mut rounds = tokio::task::JoinSet::new();
        for _ in 0..60 {
            let session = session.clone();
            rounds.spawn(async move {
                session
                    .run(Input::new(": ; sleep 0.1; echo end"))
                    .await
                    .unwrap()
            });
        }
        let (mut ended, mut moved) = (0, Vec::new());
        while let Some(outcome) = rounds.join_next().await {
            match outcome.unwrap() {
                Outcome::Finished(done) => {
                    assert_eq!(done.stdout, "end");
                    ended += 1;
                }
                Outcome::Backgrounded(task) => moved.push(task.task_id),
            }
        }
        for id in &moved {
            let output = tasks.output(id, &OutputRequest::default()).await.unwrap();
            assert_eq!(
                (output.text.as_str(), output.task.record.exit_code),
                ("end", Some(0))
            );
        }
        assert_eq!(tasks.list(None).len(), moved.len());
        assert_eq!(ended + moved.len(), 60);
    });
}

#[test]
fn c05_moving_and_aborting_at_once_has_one_outcome() {
    within(Duration::from_secs(60), async {
        let world = World::new();
        let session = world.session();
        for round in 0..20 {
            let running = session.start(Input::new(
                "sleep 0.0; for i in 1 2 3 4 5 6 7 8 9; do sleep 0.05; done",
            ));
            let (a, b) = (running.control(), running.control());
            tokio::time::sleep(Duration::from_millis(round * 2)).await;
            let mover = tokio::spawn(async move { a.move_to_background().await });
            b.abort(Abort::Because("the test".into())).await;
            let moved = mover.await.unwrap();
            match running.outcome().await {
                Ok(Outcome::Backgrounded(task)) => {
                    assert!(moved);
                    let output = world
                        .executor()
                        .tasks()
                        .output(&task.task_id, &OutputRequest::default())
                        .await
                        .unwrap();
                    assert_eq!(output.task.record.state, RunState::Completed);
                }
                Ok(Outcome::Finished(done)) => {
                    assert!(!moved);
                    assert_eq!(done.state, RunState::Killed);
                }
                Err(error) => assert!(!moved, "{error}"),
            }
        }
    });
}

#[test]
fn c01_a_blocking_budget_moves_a_command_by_itself() {
    test(async {
        let world = World::new();
        let session = world
            .session_with(|options| options.blocking_budget = Some(Duration::from_millis(600)));
        let outcome = session
            .run(Input::new("for i in 1 2 3; do sleep 0.5; done"))
            .await
            .unwrap();
        let task = outcome.backgrounded().unwrap();
        assert_eq!(task.how, How::Budget);
        assert!(
            outcome
                .for_model()
                .contains("as long as this session may wait")
        );
    });
}

#[test]
fn c20_the_commands_own_time_limit_is_its_own() {
    test(async {
        let world = World::new();
        let done = run(&world.session(), "timeout 0.2 sleep 5").await;
        assert_eq!((done.exit_code, done.timed_out), (Some(124), false));
    });
}

/// A wall clock that jumps by an hour, forward and back, at every look.
const SHIM: &str = r#"
#define _GNU_SOURCE
#include <time.h>
#include <sys/syscall.h>
#include <unistd.h>
static long jump = 3600;
int clock_gettime(clockid_t id, struct timespec *out) {
    int result = syscall(SYS_clock_gettime, id, out);
    if (id == CLOCK_REALTIME) {
        out->tv_sec += jump;
        jump = -jump;
    }
    return result;
}
"#;

/// The shim, compiled; `None`, and said so, without a compiler.
fn shim(world: &World) -> Option<PathBuf> {
    let (source, library) = (
        world.root.path().join("shim.c"),
        world.root.path().join("shim.so"),
    );
    std::fs::write(&source, SHIM).unwrap();
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([&library, &source])
        .status();
    if !compiled.is_ok_and(|status| status.success()) {
        println!("not tried: there is no C compiler");
        return None;
    }
    // It does what it should: the year of two looks differs by hours.
    let told = Command::new("python3")
        .args([
            "-c",
            "import time; print(abs(time.time() - time.time()) > 3600)",
        ])
        .env("LD_PRELOAD", &library)
        .output()
        .unwrap();
    assert_eq!(told.stdout, b"True\n");
    Some(library)
}

#[test]
fn c10_a_clock_that_jumps_ends_nothing_and_saves_nobody() {
    use std::os::unix::fs::PermissionsExt;
    within(Duration::from_secs(60), async {
        let world = World::new();
        let Some(library) = shim(&world) else { return };
        // The supervisor, which keeps the limit that kills.
        let program = world.root.path().join("supervisor");
        let text = format!(
            "#!/bin/sh\nLD_PRELOAD='{}' exec '{}' \"$@\"\n",
            library.display(),
            env!("CARGO_BIN_EXE_portcullis")
        );
        std::fs::write(&program, text).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut options = ExecutorOptions::new(Box::new(Always(policy_core::Decision::Allow)));
        options.supervisor = Some(Program::at(&program));
        options.state = Some(world.state());
        let executor = Executor::new(options).unwrap();
        let mut options = world.options();
        options.at_limit = executor_native::session::AtLimit::End;
        let session = executor.session(options).unwrap();
        let input = Input {
            timeout: Some(20_000),
            ..Input::new("sleep 0.5; echo done")
        };
        let done = run_with(&session, input).await;
        assert_eq!((done.stdout.as_str(), done.timed_out), ("done", false));
        let input = Input {
            timeout: Some(600),
            ..Input::new("sleep 999")
        };
        assert!(run_with(&session, input).await.timed_out);
        // The host, which keeps the deadlines that do not kill.
        let host = Command::new(env!("CARGO_BIN_EXE_portcullis"))
            .args(["run", "--yes", "--no-config", "--engine", "native"])
            .args(["--timeout", "20000", "--", "sleep 0.3; echo done"])
            .env("LD_PRELOAD", &library)
            .env("PORTCULLIS_STATE_DIR", world.state())
            .current_dir(world.work())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(
            (host.stdout, host.status.code()),
            (b"done\n".to_vec(), Some(0))
        );
    });
}

const STOPPED_HOST: &str = "SCENARIO_STOPPED_HOST";

/// A host with a deadline of a second, which is stopped over it.
#[test]
#[ignore = "a host for the test below, which starts it"]
fn host_that_is_stopped() {
    let root = PathBuf::from(std::env::var_os(STOPPED_HOST).unwrap());
    test(async {
        let wants = Wants {
            timeouts: Timeouts {
                default: 1_000,
                most: 600_000,
            },
            ..Wants::default()
        };
        let executor = make(&root.join("state"), wants);
        let session = executor
            .session(executor_native::SessionOptions {
                cwd: Some(root.join("work")),
                workspace: vec![root.join("work")],
                snapshot: false,
                ..executor_native::SessionOptions::new("stopped")
            })
            .unwrap();
        let outcome = session
            .run(Input::new("touch ready; sleep 0.4; echo done"))
            .await
            .unwrap();
        std::fs::write(root.join("told"), format!("{outcome:?}")).unwrap();
    });
}

#[test]
fn c18_a_host_that_was_stopped_over_a_deadline_sees_the_end_first() {
    let world = World::new();
    let mut host = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "c_limits::host_that_is_stopped", "--ignored"])
        .env(STOPPED_HOST, world.root.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let began = eventually(Duration::from_secs(20), || {
        world.work().join("ready").exists().then_some(())
    });
    assert!(began.is_some());
    let signal = |name: &str| {
        let done = Command::new("kill")
            .args([name, &host.id().to_string()])
            .status();
        assert!(done.unwrap().success());
    };
    signal("-STOP");
    std::thread::sleep(Duration::from_millis(2_500));
    signal("-CONT");
    assert!(host.wait().unwrap().success());
    let told = std::fs::read_to_string(world.root.path().join("told")).unwrap();
    assert!(
        told.starts_with("Finished") && told.contains("stdout: \"done\""),
        "{told}"
    );
}

#[test]
fn c18_a_limit_that_kills_holds_although_the_host_is_stopped() {
    let world = World::new();
    let mut host = Command::new(env!("CARGO_BIN_EXE_portcullis"))
        .args([
            "run",
            "--yes",
            "--no-config",
            "--engine",
            "native",
            "--timeout",
            "700",
        ])
        .args(["--", "touch ready; sleep 996"])
        .env("PORTCULLIS_STATE_DIR", world.state())
        .current_dir(world.work())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let began = eventually(Duration::from_secs(20), || {
        world.work().join("ready").exists().then_some(())
    });
    let signal = |name: &str| {
        let done = Command::new("kill")
            .args([name, &host.id().to_string()])
            .status();
        assert!(done.unwrap().success());
    };
    signal("-STOP");
    let ended = eventually(Duration::from_secs(10), || {
        processes_with("996").is_empty().then_some(())
    });
    signal("-CONT");
    assert_eq!(host.wait().unwrap().code(), Some(143));
    assert!(began.is_some() && ended.is_some());
}
