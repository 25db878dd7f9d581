//! C: background tasks: they outlive whoever started them, are read while they run, and tell their end.

use std::time::Duration;

use executor_native::{
    input::Input,
    tasks::{OutputRequest, TaskError, Wait},
};

use crate::common::*;

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
fn c17_a_task_outlives_its_session_and_what_a_command_left_does_not() {
    test(async {
        let world = World::new();
        let session = world.session_with(|options| {
            options.id = "helper".into();
            options.kind = policy_core::facts::Session::Subagent;
        });
        let task = background(&session, "sleep 0.6; echo done; exit 4").await;
        let left = run(&session, "sleep 998 & echo left").await;
        assert_eq!(left.leaked.len(), 1);
        drop(session);
        let gone = eventually(Duration::from_secs(5), || {
            executor_native::spawn::tree::stat(left.leaked[0].pid)
                .is_none()
                .then_some(())
        });
        assert!(
            gone.is_some(),
            "what a foreground command left goes with its session"
        );
        // The task belongs to the session that is gone, and only that name may read it.
        let tasks = world.executor().tasks();
        let request = |owner: &str| OutputRequest {
            owner: Some(owner.into()),
            ..OutputRequest::default()
        };
        assert!(tasks.output(&task.task_id, &request("test")).await.is_err());
        let output = tasks
            .output(&task.task_id, &request("helper"))
            .await
            .unwrap();
        assert_eq!(
            (output.text.as_str(), output.task.record.exit_code),
            ("done", Some(4))
        );
    });
}

#[test]
fn c17_leftovers_live_as_the_session_says() {
    use executor_native::spawn::Leftovers;
    test(async {
        for (leftovers, lives) in [
            (Leftovers::Stop, false),
            (Leftovers::UntilHostEnds, true),
            (Leftovers::Keep, true),
        ] {
            let world = World::new();
            let session = world.session_with(|options| options.leftovers = leftovers);
            let done = run(&session, "sleep 997 & echo left").await;
            let pid = done.leaked[0].pid;
            let alive =
                || executor_native::spawn::tree::stat(pid).is_some_and(|stat| !stat.is_dead());
            if lives {
                assert!(alive(), "{leftovers:?}");
            }
            drop(session);
            if leftovers == Leftovers::Keep {
                tokio::time::sleep(Duration::from_millis(300)).await;
                assert!(alive());
                kill(pid);
            }
            let gone = eventually(Duration::from_secs(5), || (!alive()).then_some(()));
            assert!(gone.is_some(), "{leftovers:?}");
        }
    });
}
