//! C: time limits, the way to the background, and tasks that outlive whoever started them.

use std::time::{Duration, Instant};

use executor_native::{
    Outcome,
    input::{Input, Timeouts},
    lifecycle::{Abort, How},
    spawn::{Reason, RunState},
    tasks::{OutputRequest, TaskError, Wait},
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
fn c06_the_end_of_a_task_is_told_until_somebody_listened() {
    test(async {
        let world = World::new();
        let session = world.session();
        let executor = world.executor();
        let task = background(&session, "sleep 0.3; exit 3").await;
        let ended = executor.next_ended("test").await;
        assert_eq!(ended.info.id, task.task_id);
        let words = ended.notification();
        assert!(
            words.starts_with("<task-notification>")
                && words.contains("exit code 3")
                && words.contains("failed"),
            "{words}"
        );
        // Nobody said that it was told: it comes again, also from another executor.
        assert_eq!(executor.next_ended("test").await.info.id, task.task_id);
        let other = make(&world.state(), Wants::default());
        assert_eq!(other.tasks().pending(Some("test")).len(), 1);
        assert!(other.tasks().pending(Some("somebody else")).is_empty());
        assert!(executor.tasks().mark_notified(&task.task_id));
        assert!(!other.tasks().mark_notified(&task.task_id));
        assert!(other.tasks().pending(Some("test")).is_empty());
    });
}

#[test]
fn c06_a_reader_who_gave_up_was_not_told() {
    test(async {
        let world = World::new();
        let session = world.session();
        let tasks = world.executor().tasks();
        let task = background(&session, "sleep 0.4").await;
        let soon = tokio::time::sleep(Duration::from_millis(100));
        let (output, given_up) = tasks
            .output_unless(&task.task_id, &OutputRequest::default(), soon)
            .await
            .unwrap();
        assert!(given_up && output.wait == Wait::NotReady);
        world.executor().next_ended("test").await;
        assert_eq!(tasks.pending(Some("test")).len(), 1);
        tasks
            .output(&task.task_id, &OutputRequest::default())
            .await
            .unwrap();
        assert!(tasks.pending(Some("test")).is_empty());
    });
}

#[test]
fn c07_a_task_that_left_something_running_says_so() {
    test(async {
        let world = World::new();
        let session = world.session();
        let task = background(&session, "sleep 60 & echo hi").await;
        let tasks = world.executor().tasks();
        let output = tasks
            .output(&task.task_id, &OutputRequest::default())
            .await
            .unwrap();
        assert_eq!(
            (output.task.status(), output.task.record.leaked.len()),
            ("completed", 1)
        );
        let stopped = tasks.stop(&task.task_id, "the test", None).await.unwrap();
        assert!(stopped.already_finished && !stopped.unconfirmed);
        assert_eq!(stopped.task.status(), "completed");
    });
}

#[test]
fn c08_an_output_file_that_was_removed_is_started_again() {
    test(async {
        let world = World::new();
        let session = world.session();
        let task = background(&session, "echo one; sleep 1; echo two; sleep 1; echo three").await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        std::fs::remove_file(&task.output_file).unwrap();
        let tasks = world.executor().tasks();
        let gone = tasks
            .output(
                &task.task_id,
                &OutputRequest {
                    block: false,
                    ..Default::default()
                },
            )
            .await
            .unwrap();
        assert!(gone.text.contains("cannot be read"));
        let output = tasks
            .output(&task.task_id, &OutputRequest::default())
            .await
            .unwrap();
        assert!(output.text.ends_with("three"), "{}", output.text);
        assert!(output.task.record.gap_bytes > 0);
    });
}

#[test]
fn c09_reading_on_never_splits_a_character() {
    test(async {
        let world = World::new();
        let session = world.session();
        let command = "python3 -c 'import sys,time\nfor i in range(60):\n sys.stdout.buffer.write(\"é日\".encode()[i%5:i%5+1]); sys.stdout.flush(); time.sleep(0.005)'";
        let task = background(&session, command).await;
        let tasks = world.executor().tasks();
        let (mut all, mut cursor) = (Vec::new(), 0);
        loop {
            let piece = tasks.read_on(&task.task_id, cursor, 7, None).unwrap();
            assert!(std::str::from_utf8(&piece.bytes).is_ok() && !piece.gap);
            all.extend(&piece.bytes);
            cursor = piece.cursor;
            if !piece.running && piece.bytes.is_empty() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert_eq!(String::from_utf8(all).unwrap(), "é日".repeat(12));
    });
}

#[test]
fn c12_a_host_that_comes_back_finds_its_tasks() {
    test(async {
        let world = World::new();
        let first = make(&world.state(), Wants::default());
        let session = first.session(world.options()).unwrap();
        let task = background(&session, "for i in $(seq 100); do echo $i; sleep 0.1; done").await;
        drop(session);
        drop(first);
        let tasks = world.executor().tasks();
        let listed = tasks.list(Some("test"));
        assert_eq!((listed.len(), listed[0].status()), (1, "running"));
        let request = OutputRequest {
            block: false,
            ..Default::default()
        };
        let before = tasks.output(&task.task_id, &request).await.unwrap();
        assert_eq!(before.wait, Wait::NotReady);
        tokio::time::sleep(Duration::from_millis(500)).await;
        let after = tasks.output(&task.task_id, &request).await.unwrap();
        assert!(after.text.len() > before.text.len());
        let stopped = tasks
            .stop(&task.task_id, "the second host", None)
            .await
            .unwrap();
        assert_eq!(stopped.task.status(), "killed");
        assert!(
            stopped
                .task
                .notification()
                .contains("stopped by the second host")
        );
    });
}

#[test]
fn c14_a_record_of_another_boot_is_nobody() {
    test(async {
        let world = World::new();
        let session = world.session();
        let task = background(&session, "sleep 999").await;
        let tasks = world.executor().tasks();
        let file = tasks.folder(&task.task_id).join("record.json");
        let text = std::fs::read_to_string(&file).unwrap();
        let boot = executor_native::spawn::tree::boot_id();
        // The supervisor is a stranger now; what carries the task's mark is ended, nothing else.
        std::fs::write(&file, text.replace(&boot, "another-boot")).unwrap();
        let found = tasks.find(&task.task_id, None).unwrap();
        assert_eq!(found.status(), "lost");
    });
}

#[test]
fn c15_a_task_belongs_to_its_session() {
    test(async {
        let world = World::new();
        let session = world.session();
        let task = background(&session, "sleep 999").await;
        let tasks = world.executor().tasks();
        let theirs = |result: Result<_, TaskError>| matches!(result, Err(TaskError::NotOwner(_)));
        assert!(theirs(
            tasks
                .stop(&task.task_id, "x", Some("other"))
                .await
                .map(drop)
        ));
        assert!(theirs(tasks.tail(&task.task_id, Some("other")).map(drop)));
        let request = OutputRequest {
            owner: Some("other".into()),
            ..Default::default()
        };
        assert!(theirs(
            tasks.output(&task.task_id, &request).await.map(drop)
        ));
        tasks.stop(&task.task_id, "x", Some("test")).await.unwrap();
    });
}

#[test]
fn c16_two_hundred_at_once() {
    within(Duration::from_secs(60), async {
        let world = World::new();
        let session = world.session();
        run(&session, "true").await;
        let before = descriptors();
        let mut rounds = tokio::task::JoinSet::new();
        for i in 0..200 {
            let session = session.clone();
            rounds.spawn(async move { (i, run(&session, &format!("echo {i}")).await) });
        }
        while let Some(done) = rounds.join_next().await {
            let (i, done) = done.unwrap();
            assert_eq!(done.stdout, i.to_string());
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(
            descriptors() <= before + 2,
            "{} then {}",
            before,
            descriptors()
        );
        assert_eq!(files_below(&world.state()), [] as [std::path::PathBuf; 0]);
    });
}

#[test]
fn c18_a_blocking_budget_moves_a_command_by_itself() {
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
fn c19_nobody_who_watches_slowly_holds_a_command_up() {
    within(Duration::from_secs(30), async {
        let world = World::new();
        let session = world.session();
        let mut running = session.start(Input::new(
            "for i in 1 2 3 4 5; do echo line $i; sleep 1; done",
        ));
        let mut progress = running.progress().unwrap();
        let outcome = tokio::spawn(running.outcome());
        let first = progress.next().await.unwrap();
        assert!(first.elapsed >= 1_900, "{first:?}");
        assert!(
            first.total_lines >= 2 && first.tail.contains("line 2"),
            "{first:?}"
        );
        // Reads nothing for a while: samples are skipped, the command is not.
        let done = outcome.await.unwrap().unwrap();
        assert_eq!(done.finished().unwrap().total_lines, 5);
        let mut last = first.sequence;
        while let Some(sample) = progress.next().await {
            assert!(sample.sequence > last);
            last = sample.sequence;
        }
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
