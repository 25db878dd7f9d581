//! A: a command is over when its shell is, whoever still holds its pipe.

use std::time::{Duration, Instant};

use crate::common::*;

#[test]
fn a01_a_child_that_keeps_the_pipe_holds_nothing_up() {
    test(async {
        let world = World::new();
        let session = world.session();
        let began = Instant::now();
        let done = run(&session, "sleep 60 & echo hi").await;
        assert!(
            began.elapsed() < Duration::from_secs(1),
            "{:?}",
            began.elapsed()
        );
        assert_eq!((done.stdout.as_str(), done.exit_code), ("hi", Some(0)));
        assert_eq!(done.leaked.len(), 1);
        assert!(done.leaked[0].command.contains("sleep 60"));
        assert!(done.for_model().contains("Still running after the command"));
        // It lives as long as its session.
        let pid = done.leaked[0].pid;
        assert!(executor_native::spawn::tree::stat(pid).is_some());
        drop(session);
        let gone = eventually(Duration::from_secs(3), || {
            executor_native::spawn::tree::stat(pid)
                .is_none()
                .then_some(())
        });
        assert!(gone.is_some());
    });
}

#[test]
fn a02_not_even_from_another_session_and_no_descriptor_is_lost() {
    within(Duration::from_secs(60), async {
        let world = World::new();
        let session = world.session();
        run(&session, "true").await;
        let before = descriptors();
        for _ in 0..50 {
            let session = world.session();
            let began = Instant::now();
            let done = run(&session, "setsid sleep 60 & echo hi").await;
            assert!(began.elapsed() < Duration::from_secs(1));
            assert_eq!(done.stdout, "hi");
        }
        let level = async {
            while descriptors() > before {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(5), level)
            .await
            .expect("descriptors lost");
    });
}

#[test]
fn a03_the_output_is_whole_although_somebody_holds_the_pipe() {
    test(async {
        let world = World::new();
        let done = run(&world.session(), "sleep 60 & seq 100000 | tail -n 3000").await;
        assert!(done.stdout.ends_with("100000"));
        assert!(done.stdout.starts_with("97001"));
    });
}

#[test]
fn a04_late_output_reaches_the_file() {
    test(async {
        let world = World::new();
        let session = world.session();
        let began = Instant::now();
        let done = run(
            &session,
            "(for i in 1 2 3; do sleep 0.3; echo late $i; done) & echo now",
        )
        .await;
        assert!(began.elapsed() < Duration::from_secs(1));
        assert!(done.stdout.contains("now"));
        let file = done.output_file.unwrap();
        let late = async {
            while !std::fs::read_to_string(&file)
                .unwrap_or_default()
                .contains("late 3")
            {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(5), late)
            .await
            .unwrap();
    });
}

#[test]
fn a07_process_substitution_is_waited_for() {
    within(Duration::from_secs(30), async {
        let world = World::new();
        let session = world.session();
        for _ in 0..50 {
            assert_eq!(run(&session, "echo hi > >(cat)").await.stdout, "hi");
        }
        assert_eq!(run(&session, "coproc cat; echo hi").await.stdout, "hi");
        assert_eq!(
            run(&session, "exec 5> >(cat >/dev/null); echo hi")
                .await
                .stdout,
            "hi"
        );
    });
}

#[test]
fn a08_a_daemon_that_forked_twice_holds_nothing_up() {
    test(async {
        let world = World::new();
        let session = world.session();
        let daemon = "python3 -c 'import os,time\nif os.fork(): os._exit(0)\nos.setsid()\nif os.fork(): os._exit(0)\ntime.sleep(60)'; echo up";
        let began = Instant::now();
        let done = run(&session, daemon).await;
        assert!(began.elapsed() < Duration::from_secs(3));
        assert_eq!(done.stdout, "up");
        assert_eq!(done.leaked.len(), 1);
    });
}

#[test]
fn a09_a_flood_that_outlives_its_shell_is_capped() {
    test(async {
        let world = World::wanting(Wants {
            limits: executor_native::plan::Limits {
                output_cap: 1_000_000,
                grace: 300,
                ..Default::default()
            },
            ..Wants::default()
        });
        let session = world.session();
        let done = run(&session, "(sleep 0.5; exec yes) & echo hi").await;
        assert_eq!(done.stdout, "hi");
        let pid = done.leaked[0].pid;
        let gone = eventually(Duration::from_secs(5), || {
            executor_native::spawn::tree::stat(pid)
                .is_none()
                .then_some(())
        });
        assert!(gone.is_some(), "the flood goes on");
    });
}

#[test]
fn a10_a_closed_pipe_is_not_the_end() {
    test(async {
        let world = World::new();
        let began = Instant::now();
        let done = run(&world.session(), "exec >&- 2>&-; sleep 1; exit 4").await;
        assert!(began.elapsed() >= Duration::from_secs(1));
        assert_eq!(done.exit_code, Some(4));
    });
}

#[test]
fn a05_a_server_in_the_background_is_left_alone() {
    test(async {
        let world = World::new();
        let session = world.session();
        let command = "python3 -m http.server 0 --bind 127.0.0.1 >/dev/null 2>&1 & echo up";
        let done = run(&session, command).await;
        assert_eq!((done.stdout.as_str(), done.exit_code), ("up", Some(0)));
        assert_eq!(done.leaked.len(), 1);
        let pid = done.leaked[0].pid;
        // The next command finds it still there.
        let next = run(&session, &format!("kill -0 {pid} && echo alive")).await;
        assert_eq!(next.stdout, "alive");
        drop(session);
        let gone = eventually(Duration::from_secs(5), || {
            executor_native::spawn::tree::stat(pid)
                .is_none()
                .then_some(())
        });
        assert!(gone.is_some());
    });
}

#[test]
fn a06_a_host_that_adopts_orphans_does_not_wait_for_them() {
    // The attribute lives through exec, so the program itself starts as a reaper of whatever its children leave.
    let reaper = "import ctypes,os,sys\nassert ctypes.CDLL(None).prctl(36,1,0,0,0)==0\nos.execv(sys.argv[1],sys.argv[1:])";
    let world = World::new();
    let output = std::process::Command::new("python3")
        .args(["-c", reaper, env!("CARGO_BIN_EXE_portcullis")])
        .args([
            "run",
            "--yes",
            "--no-config",
            "--engine",
            "native",
            "--",
            "sleep 995 & echo hi",
        ])
        .env("PORTCULLIS_STATE_DIR", world.state())
        .env("PORTCULLIS_SHELL", "/bin/bash")
        .current_dir(world.work())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert_eq!(
        (output.stdout, output.status.code()),
        (b"hi\n".to_vec(), Some(0))
    );
    // It ended while the orphan, which `run` leaves alone, still lives.
    let left = processes_with("995");
    left.iter().for_each(|pid| kill(*pid));
    assert_eq!(left.len(), 1);
}
