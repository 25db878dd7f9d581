//! I: the life of the host, and what happens when it, or a supervisor, ends before its time.

use std::{
    process::{Command, Stdio},
    time::Duration,
};

use executor_native::{
    RunError,
    input::Input,
    spawn::{FailureKind, RunState, tree},
    tasks::Tasks,
};

use crate::{b_killing::ready, common::*};

/// A host of its own: the command-line program, on the state folder of this world.
fn host(world: &World, args: &[&str]) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_portcullis"))
        .args(["run", "--yes", "--no-config", "--engine", "native"])
        .args(args)
        .env("PORTCULLIS_STATE_DIR", world.state())
        .env("PORTCULLIS_SHELL", "/bin/bash")
        .current_dir(world.work())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn i01_a_host_that_is_killed_takes_its_foreground_with_it() {
    test(async {
        let world = World::new();
        let mut child = host(&world, &["--", "setsid sleep 999 & touch ready; sleep 999"]);
        ready(&world).await;
        child.kill().unwrap();
        child.wait().unwrap();
        let gone = async {
            while !processes_of(world.root.path()).is_empty() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(8), gone)
            .await
            .expect("the command goes on");
    });
}

#[test]
fn i01_c13_but_not_its_background() {
    test(async {
        let world = World::new();
        let child = host(
            &world,
            &[
                "--background",
                "--",
                "for i in 1 2 3 4 5 6 7 8 9; do echo $i; sleep 0.1; done; exit 5",
            ],
        );
        let output = child.wait_with_output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let id = String::from_utf8(output.stdout).unwrap().trim().to_owned();
        let tasks = Tasks::open(&world.state()).unwrap();
        let output = tasks.output(&id, &Default::default()).await.unwrap();
        assert_eq!(output.text, "1\n2\n3\n4\n5\n6\n7\n8\n9");
        assert_eq!(
            (output.task.record.exit_code, output.task.status()),
            (Some(5), "failed")
        );
    });
}

#[test]
fn i02_a_supervisor_that_is_killed_is_noticed_and_its_command_ended() {
    test(async {
        let world = World::new();
        let session = world.session();
        let running = session.start(Input::new("setsid sleep 999 & touch ready; sleep 999"));
        ready(&world).await;
        let supervisors = processes_with("__supervise");
        let mine: Vec<i32> = supervisors
            .into_iter()
            .filter(|pid| {
                tree::descendants(*pid).iter().any(|below| {
                    processes_of(world.root.path())
                        .iter()
                        .any(|(p, _)| *p == below.pid)
                })
            })
            .collect();
        assert_eq!(mine.len(), 1);
        kill(mine[0]);
        let outcome = running.outcome().await.unwrap();
        let done = outcome.finished().unwrap();
        assert_eq!(done.state, RunState::Lost);
        assert!(done.is_error);
        assert_eq!(processes_of(world.root.path()), []);
    });
}

#[test]
fn i02_so_is_one_of_a_background_task() {
    test(async {
        let world = World::new();
        let session = world.session();
        let task = background(&session, "sleep 999 & sleep 998").await;
        let tasks = world.executor().tasks();
        let found = tasks.find(&task.task_id, None).unwrap();
        kill(found.record.supervisor.pid);
        let ended = world.executor().next_ended("test").await;
        assert_eq!(ended.status(), "lost");
        assert!(ended.notification().contains("was lost"));
        assert_eq!(processes_of(world.root.path()), []);
    });
}

#[test]
fn i05_a_shell_that_is_gone_is_told_apart_from_a_directory_that_is() {
    test(async {
        let world = World::new();
        let shell = world.root.path().join("bash");
        std::fs::copy("/bin/bash", &shell).unwrap();
        let session = world.session_with(|options| {
            options.shell = Some(executor_native::shell::Shell {
                path: shell.clone(),
                kind: executor_native::shell::Kind::Bash,
            });
        });
        assert_eq!(run(&session, "echo hi").await.stdout, "hi");
        std::fs::remove_file(&shell).unwrap();
        match session.run(Input::new("echo hi")).await {
            Err(RunError::Start(failure)) => assert_eq!(failure.kind, FailureKind::ShellMissing),
            other => panic!("{other:?}"),
        }
        assert_eq!(files_below(&world.state()), [] as [std::path::PathBuf; 0]);
    });
}

#[test]
fn i06_no_zombie_is_left() {
    within(Duration::from_secs(60), async {
        let world = World::new();
        let session = world.session();
        for _ in 0..100 {
            run(&session, "true").await;
        }
        let me = std::process::id() as i32;
        let clean = async {
            loop {
                let zombies = tree::descendants(me)
                    .into_iter()
                    .filter(|process| process.dead)
                    .count();
                if zombies == 0 {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        // Other tests' supervisors pass through here too, so it may take a moment.
        tokio::time::timeout(Duration::from_secs(20), clean)
            .await
            .unwrap();
    });
}

#[test]
fn i07_dropping_the_future_ends_the_command() {
    test(async {
        let world = World::new();
        let session = world.session();
        let future = session.run(Input::new("touch ready; sleep 999"));
        tokio::select! {
            _ = future => panic!("it ended by itself"),
            () = ready(&world) => {}
        }
        let gone = async {
            while !processes_of(world.root.path()).is_empty() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(5), gone)
            .await
            .unwrap();
    });
}

#[test]
fn i09_without_a_place_for_state_commands_run_all_the_same() {
    test(async {
        let world = World::new();
        let executor = make(std::path::Path::new("/proc/nowhere"), Wants::default());
        assert!(executor.state().is_temporary());
        let session = executor.session(world.options()).unwrap();
        assert_eq!(run(&session, "echo hi").await.stdout, "hi");
    });
}

#[test]
fn i10_samples_end_before_the_outcome() {
    within(Duration::from_secs(20), async {
        let world = World::new();
        let session = world.session();
        let mut running = session.start(Input::new(
            "sleep 0; for i in 1 2 3; do echo $i; sleep 1; done",
        ));
        let mut progress = running.progress().unwrap();
        let mut last = 0;
        let watched = async {
            while let Some(sample) = progress.next().await {
                assert!(sample.sequence > last);
                last = sample.sequence;
            }
        };
        let (outcome, ()) = tokio::join!(running.outcome(), watched);
        assert_eq!(outcome.unwrap().finished().unwrap().exit_code, Some(0));
    });
}
