//! B: ending a command ends all of it, and nobody else.

use std::time::{Duration, Instant};

use executor_native::{input::Input, lifecycle::Abort, session::Running, spawn::RunState};

use crate::common::*;

/// Aborts after the command printed `ready`, and gives the result.
async fn abort_when_ready(running: Running, world: &World) -> executor_native::session::Finished {
    ready(world).await;
    // The shell goes on from saying so to what it is to be ended in.
    tokio::time::sleep(Duration::from_millis(150)).await;
    running.abort(Abort::Because("the test".into())).await;
    match running.outcome().await.unwrap() {
        executor_native::Outcome::Finished(finished) => *finished,
        other => panic!("{other:?}"),
    }
}

/// Waits for a file `ready` in the workspace.
pub(crate) async fn ready(world: &World) {
    let file = world.work().join("ready");
    let there = async {
        while !file.exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), there)
        .await
        .expect("never ready");
    std::fs::remove_file(file).unwrap();
}

fn killed(world: &World, command: &str) -> executor_native::session::Finished {
    let mut result = None;
    test(async {
        let session = world.session();
        let began = Instant::now();
        let running = session.start(Input::new(command));
        let finished = abort_when_ready(running, world).await;
        assert!(began.elapsed() < Duration::from_secs(10));
        assert_eq!(finished.state, RunState::Killed);
        assert_eq!(finished.kill_unconfirmed, [0; 0]);
        assert_eq!(processes_of(world.root.path()), []);
        result = Some(finished);
    });
    result.unwrap()
}

#[test]
fn b01_sessions_and_nohup_do_not_help() {
    let world = World::new();
    let done = killed(
        &world,
        "setsid sleep 999 & nohup setsid sleep 999 & touch ready; sleep 999",
    );
    assert_eq!((done.exit_code, done.signal), (Some(143), Some(15)));
    assert!(
        done.for_model()
            .contains("<error>Command was aborted before completion</error>")
    );
    assert_eq!(done.stopped_by.as_deref(), Some("the test"));
}

#[test]
fn b02_a_double_fork_does_not_help() {
    let world = World::new();
    killed(
        &world,
        "python3 -c 'import os,time\nif os.fork()==0:\n os.setsid()\n if os.fork(): os._exit(0)\n time.sleep(999)'; touch ready; sleep 999",
    );
}

#[test]
fn b03_nor_does_running_away() {
    for _ in 0..5 {
        let world = World::new();
        killed(
            &world,
            "timeout 30 python3 -c 'import os,time\nopen(\"ready\",\"w\")\nwhile True:\n if os.fork(): os._exit(0)\n os.setsid()' & sleep 30",
        );
    }
}

#[test]
fn b04_nor_does_ignoring_the_signal() {
    let world = World::new();
    let done = killed(
        &world,
        "bash -c 'trap \"\" TERM; touch ready; while :; do sleep 1; done' & exec sleep 999",
    );
    assert_eq!(done.signal, Some(15));
    let done = killed(
        &world,
        "trap '' TERM; touch ready; while :; do sleep 1; done",
    );
    assert_eq!((done.exit_code, done.signal), (Some(137), Some(9)));
}

#[test]
fn b05_a_stopped_process_ends_by_the_first_signal() {
    let world = World::new();
    let done = killed(&world, "touch ready; kill -STOP $$; sleep 1");
    assert_eq!(done.exit_code, Some(143));
}

#[test]
fn b06_a_trap_gets_its_word_in() {
    let world = World::new();
    let done = killed(
        &world,
        "trap 'echo bye; exit 9' TERM; (sleep 0.2; touch ready) & sleep 30",
    );
    // bash also says that its child was terminated.
    assert!(done.stdout.ends_with("bye"), "{}", done.stdout);
    assert_eq!(done.exit_code, Some(9));
}

#[test]
fn b07_background_jobs_that_ignore_interrupts_end_too() {
    let world = World::new();
    killed(&world, "sleep 999 & touch ready; wait");
}

#[test]
fn b10_a_zombie_is_no_survivor() {
    let world = World::new();
    let began = Instant::now();
    killed(
        &world,
        "python3 -c 'import os,time\nos.fork() or os._exit(0)\nopen(\"ready\",\"w\")\ntime.sleep(99)'",
    );
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn b12_stopping_twice_is_no_error() {
    test(async {
        let world = World::new();
        let session = world.session();
        let task = background(&session, "sleep 999").await;
        let tasks = world.executor().tasks();
        let first = tasks.stop(&task.task_id, "the test", None).await.unwrap();
        assert!(!first.already_finished && !first.unconfirmed);
        for _ in 0..2 {
            let again = tasks
                .stop(&task.task_id, "somebody else", None)
                .await
                .unwrap();
            assert!(again.already_finished);
            assert_eq!(again.task.record, first.task.record);
            assert_eq!(again.task.record.stopped_by.as_deref(), Some("the test"));
        }
        assert!(tasks.stop("bnosuchtask", "x", None).await.is_err());
        assert!(tasks.stop("../../etc", "x", None).await.is_err());
    });
}

#[test]
fn b13_aborting_at_any_moment_leaves_nothing() {
    within(Duration::from_secs(60), async {
        let world = World::new();
        let session = world.session();
        for round in 0..60u64 {
            let running = session.start(Input::new("sleep 997 & sleep 998"));
            tokio::time::sleep(Duration::from_micros(round * 150)).await;
            match round % 2 {
                0 => drop(running),
                _ => {
                    running.abort(Abort::Because("the test".into())).await;
                    let _ = running.outcome().await;
                }
            }
        }
        let empty = async {
            while !processes_of(world.root.path()).is_empty() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), empty)
            .await
            .unwrap();
    });
}

#[test]
fn b14_the_command_outlives_the_thread_that_started_it() {
    within(Duration::from_secs(30), async {
        let world = World::new();
        let session = world.session();
        // Started from a pool thread of another runtime, which then goes away.
        let task = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(background(&session, "sleep 2; echo alive"))
        })
        .join()
        .unwrap();
        let request = executor_native::tasks::OutputRequest::default();
        let output = world
            .executor()
            .tasks()
            .output(&task.task_id, &request)
            .await
            .unwrap();
        assert_eq!(output.text, "alive");
        assert_eq!(output.task.record.exit_code, Some(0));
    });
}

#[test]
fn b15_killing_ones_group_kills_nobody_else() {
    test(async {
        let world = World::new();
        let session = world.session();
        let done = run(&session, "kill 0; sleep 5").await;
        assert_eq!(
            (done.exit_code, done.signal, done.state),
            (Some(143), Some(15), RunState::Completed)
        );
        assert!(done.is_error);
        assert_eq!(run(&session, "echo still here").await.stdout, "still here");
    });
}

#[test]
fn b16_a_command_does_not_find_itself() {
    test(async {
        let world = World::new();
        let done = run(
            &world.session(),
            "sleep 3979 & sleep .2; pkill -f 'sleep 3979'; echo ALIVE",
        )
        .await;
        assert_eq!(done.stdout, "ALIVE");
    });
}

#[test]
fn b18_python_prints_before_it_is_stopped() {
    let world = World::new();
    let done = killed(
        &world,
        "python3 -c 'import time\nprint(\"x\")\nopen(\"ready\",\"w\")\ntime.sleep(30)'",
    );
    assert_eq!(done.stdout, "x");
}
