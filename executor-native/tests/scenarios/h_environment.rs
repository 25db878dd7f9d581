//! H: what a command finds around it: no leftovers of its host, no secrets it was not to have, room for its text.

use std::time::Duration;

use executor_native::{RunError, input::Input, spawn::FailureKind};

use crate::common::*;

#[test]
fn h01_h17_large_commands_and_large_here_documents() {
    test(async {
        let world = World::new();
        let session = world.session();
        let body = "x".repeat(200_000);
        let done = run(&session, &format!("cat > f <<'E'\n{body}\nE\nwc -c < f")).await;
        assert_eq!(done.stdout, "200001");
        let input = Input::new(format!(": {}", "y".repeat(3_000_000)));
        assert_eq!(run_with(&session, input).await.exit_code, Some(0));
    });
}

#[test]
fn h02_an_environment_that_is_too_large_is_named() {
    test(async {
        let world = World::new();
        let session = world.session_with(|options| {
            options
                .env
                .overrides
                .insert("HUGE_ONE".into(), Some("x".repeat(200_000)));
        });
        match session.run(Input::new("true")).await {
            Err(RunError::Start(failure)) => {
                assert_eq!(failure.kind, FailureKind::TooLarge);
                assert!(failure.message.contains("HUGE_ONE"), "{}", failure.message);
            }
            other => panic!("{other:?}"),
        }
    });
}

#[test]
fn h03_the_command_is_in_nobodys_arguments() {
    test(async {
        let world = World::new();
        let done = run(
            &world.session(),
            ": SECRETWORD; cat /proc/$$/cmdline /proc/$PPID/cmdline | tr '\\0' ' '",
        )
        .await;
        assert!(!done.stdout.contains("SECRETWORD"), "{}", done.stdout);
        assert!(done.stdout.contains("__supervise"));
    });
}

#[test]
fn h06_functions_from_the_environment_do_not_arrive() {
    test(async {
        let world = World::new();
        let session = world.session_with(|options| {
            options
                .env
                .overrides
                .insert("PLAIN".into(), Some("yes".into()));
        });
        let done = run(
            &session,
            "echo $PLAIN $PORTCULLIS $FROM_THE_VERDICT $SHELL; env | grep -c BASH_FUNC",
        )
        .await;
        assert_eq!(done.stdout, "yes 1 1 /bin/bash\n0");
    });
}

#[test]
fn h10_the_supervisor_tells_nothing() {
    test(async {
        let world = World::new();
        let session = world.session_with(|options| {
            options
                .env
                .overrides
                .insert("MARKER_OF_THE_TEST".into(), Some("1".into()));
        });
        let done = run(
            &session,
            "tr '\\0' '\\n' < /proc/$PPID/environ 2>/dev/null; echo end",
        )
        .await;
        assert_eq!(done.stdout, "end");
    });
}

#[test]
fn h11_signals_are_as_they_should_be() {
    test(async {
        let world = World::new();
        let done = run(
            &world.session(),
            "grep -E '^Sig(Blk|Ign)' /proc/self/status; ulimit -c",
        )
        .await;
        assert_eq!(
            done.stdout,
            "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n0"
        );
    });
}

#[test]
fn h12_memory_trouble_hits_the_command_first() {
    test(async {
        let world = World::new();
        let own: i32 = std::fs::read_to_string("/proc/self/oom_score_adj")
            .unwrap()
            .trim()
            .parse()
            .unwrap();
        let done = run(&world.session(), "cat /proc/self/oom_score_adj").await;
        assert!(done.stdout.parse::<i32>().unwrap() >= own.max(200));
    });
}

#[test]
fn h13_no_descriptor_is_inherited() {
    test(async {
        let world = World::new();
        // One of ours that lacks close-on-exec.
        let file = std::fs::File::open("/dev/null").unwrap();
        let leaky = rustix_dup(&file);
        let done = run(&world.session(), "ls /proc/self/fd").await;
        drop(leaky);
        let listed: Vec<&str> = done.stdout.lines().collect();
        // Its three streams, the report pipe, and the folder that `ls` reads.
        assert_eq!(listed, ["0", "1", "2", "3", "97"]);
    });
}

fn rustix_dup(file: &std::fs::File) -> std::os::fd::OwnedFd {
    use std::os::fd::{AsRawFd, FromRawFd};
    // SAFETY: the descriptor is open, and the copy is ours.
    unsafe { std::os::fd::OwnedFd::from_raw_fd(libc::dup(file.as_raw_fd())) }
}

#[test]
fn h14_text_is_utf8() {
    test(async {
        let world = World::new();
        assert_eq!(
            run(&world.session(), "python3 -c 'print(\"é\")'")
                .await
                .stdout,
            "é"
        );
    });
}

#[test]
fn h15_the_users_own_mask_is_kept() {
    test(async {
        let world = World::new();
        let own = std::process::Command::new("sh")
            .args(["-c", "umask"])
            .output()
            .unwrap();
        let own = String::from_utf8(own.stdout).unwrap();
        assert_eq!(
            run(&world.session(), "sh -c umask").await.stdout,
            own.trim()
        );
    });
}

#[test]
fn h19_processor_time_of_the_whole_tree_is_known() {
    within(Duration::from_secs(30), async {
        let world = World::new();
        let session = world.session();
        let task = background(&session, "(setsid python3 -c 'import time\nt=time.process_time()\nwhile time.process_time()-t<0.4: pass') & sleep 0.1").await;
        let file = task.output_file.with_file_name("record.json");
        let record = async {
            loop {
                let text = std::fs::read_to_string(&file).unwrap_or_default();
                let record: executor_native::spawn::Record =
                    serde_json::from_str(&text).unwrap_or_default();
                if record.gone {
                    return record;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let record = record.await;
        assert!(record.cpu >= 300, "{} ms", record.cpu);
        assert!(record.max_rss > 1_000);
    });
}
