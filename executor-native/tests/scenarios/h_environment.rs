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

/// The command line with these variables around it: what a host really inherits.
fn hosted(world: &World, variables: &[(&str, &str)], args: &[&str]) -> String {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_portcullis"))
        .args(["run", "--yes", "--no-config", "--engine", "native"])
        .args(args)
        .envs(variables.iter().copied())
        .env("PORTCULLIS_STATE_DIR", world.state())
        .env("PORTCULLIS_SHELL", "/bin/bash")
        .current_dir(world.work())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Names of the variables that a command finds.
fn names(world: &World, variables: &[(&str, &str)]) -> std::collections::BTreeSet<String> {
    hosted(world, variables, &["--", "compgen -e"])
        .lines()
        .map(str::to_owned)
        .collect()
}

#[test]
fn h04_h05_h07_what_would_change_a_shell_or_a_repository_does_not_arrive() {
    let world = World::new();
    let evil = world.work().join("evil");
    std::fs::write(&evil, "touch sourced; echo sourced\n").unwrap();
    let evil = evil.to_str().unwrap();
    let gone = [
        ("BASH_ENV", evil),
        ("ENV", evil),
        ("SHELLOPTS", "errexit:xtrace"),
        ("BASHOPTS", "extglob"),
        ("POSIXLY_CORRECT", "1"),
        ("IFS", "x"),
        ("PS4", "$(touch traced)"),
        ("CDPATH", "/usr"),
        ("GLOBIGNORE", "*"),
        ("GCONV_PATH", "/nowhere"),
        ("LD_AUDIT", ""),
        ("LESSOPEN", "|touch opened"),
        ("RIPGREP_CONFIG_PATH", evil),
        ("GIT_ASKPASS", evil),
        ("GIT_EXTERNAL_DIFF", evil),
        ("GIT_DIR", "/nowhere"),
        ("GIT_WORK_TREE", "/nowhere"),
        ("GIT_INDEX_FILE", "/nowhere"),
        ("GIT_CONFIG_COUNT", "0"),
    ];
    let found = names(&world, &gone);
    // The shell sets some of these anew, for itself and unexported.
    for (name, _) in gone {
        assert!(!found.contains(name), "{name} arrives");
    }
    for file in ["sourced", "traced", "opened"] {
        assert!(!world.work().join(file).exists());
    }
    // Tools' own variables are the user's business, and arrive.
    let kept = [
        ("NODE_OPTIONS", ""),
        ("RUSTC_WRAPPER", "sccache"),
        ("LD_LIBRARY_PATH", "/opt/lib"),
    ];
    let found = names(&world, &kept);
    for (name, _) in kept {
        assert!(found.contains(name), "{name} is lost");
    }
}

#[test]
fn h08_proxies_arrive_as_they_are() {
    let world = World::new();
    let proxies = [
        ("http_proxy", "http://user:word@proxy:3128"),
        ("HTTPS_PROXY", "http://proxy:3128"),
        ("all_proxy", "socks5://proxy:1080"),
        ("no_proxy", "localhost,127.0.0.1"),
        ("PORTCULLIS_SUBPROCESS_ENV_SCRUB", "1"),
    ];
    let told = hosted(
        &world,
        &proxies,
        &["--", "echo $http_proxy $HTTPS_PROXY $all_proxy $no_proxy"],
    );
    assert_eq!(
        told,
        "http://user:word@proxy:3128 http://proxy:3128 socks5://proxy:1080 localhost,127.0.0.1\n"
    );
}

#[test]
fn h09_secrets_go_and_what_only_looks_like_one_stays() {
    let world = World::new();
    let secret = [
        ("AWS_SECRET_ACCESS_KEY", "x"),
        ("AWS_SESSION_TOKEN", "x"),
        ("ANTHROPIC_API_KEY", "x"),
        ("GITHUB_TOKEN", "x"),
        ("INPUT_NPM_TOKEN", "x"),
        ("MY_CLIENT_SECRET", "x"),
        ("db_password", "x"),
        ("PGPASSWORD", "x"),
        ("DATABASE_URL", "postgres://user:word@host/db"),
        ("HARMLESS_NAME", "ghp_0123456789abcdefghijklmnopqrstuvwxyz"),
        ("SIGNING", "-----BEGIN PRIVATE KEY-----\nxxxx"),
    ];
    let harmless = [
        ("SSH_AUTH_SOCK", "/run/agent"),
        ("XAUTHORITY", "/root/.Xauthority"),
        ("KEYBOARD", "de"),
        ("MONKEY", "x"),
        ("TOKENIZERS_PARALLELISM", "false"),
        ("DATABASE_HOST", "localhost"),
        ("PRIMARY_KEY_COLUMN", "id"),
        ("SECRETARY", "x"),
        ("PASSWORD_STORE_DIR", "/root/.password-store"),
        ("REPOSITORY_URL", "https://host/path"),
    ];
    let scrub = [("PORTCULLIS_SUBPROCESS_ENV_SCRUB", "1")];
    let all: Vec<(&str, &str)> = secret
        .iter()
        .chain(&harmless)
        .chain(&scrub)
        .copied()
        .collect();
    let found = names(&world, &all);
    let arrived: Vec<_> = secret
        .iter()
        .filter(|(name, _)| found.contains(*name))
        .collect();
    let lost: Vec<_> = harmless
        .iter()
        .filter(|(name, _)| !found.contains(*name))
        .collect();
    assert!(
        arrived.is_empty() && lost.is_empty(),
        "arrived: {arrived:?}; lost: {lost:?}"
    );
    // Without scrubbing all of them arrive.
    let found = names(&world, &secret);
    assert!(secret.iter().all(|(name, _)| found.contains(*name)));
}

#[test]
fn h16_what_python_prints_is_seen_while_it_runs() {
    test(async {
        let world = World::new();
        let session = world.session();
        let command = "python3 -c 'import time\nprint(\"first\")\ntime.sleep(60)'";
        let task = background(&session, command).await;
        let seen = eventually(Duration::from_secs(10), || {
            std::fs::read_to_string(&task.output_file)
                .is_ok_and(|text| text == "first\n")
                .then_some(())
        });
        assert!(seen.is_some(), "held back");
        world
            .executor()
            .tasks()
            .stop(&task.task_id, "the test", None)
            .await
            .unwrap();
    });
}

#[test]
fn h18_when_memory_runs_out_the_command_ends_and_nobody_else() {
    // A group of its own with little memory; only root on the first version of cgroups can make one so simply.
    let group = std::path::PathBuf::from(format!(
        "/sys/fs/cgroup/memory/scenario-{}",
        std::process::id()
    ));
    if std::fs::create_dir(&group).is_err() {
        println!("not tried: no memory group can be made here");
        return;
    }
    let limited = std::fs::write(group.join("memory.limit_in_bytes"), "64M").is_ok();
    let result = std::panic::catch_unwind(|| {
        test(async {
            assert!(limited);
            let world = World::new();
            let session = world.session();
            let command = format!(
                "echo $$ > {}/cgroup.procs; exec python3 -c 'x = bytearray(2**30)'",
                group.display()
            );
            let done = run(&session, &command).await;
            assert_eq!(
                (done.exit_code, done.signal),
                (Some(137), Some(9)),
                "{done:?}"
            );
            assert!(done.for_model().contains("memory ran out"));
            assert_eq!(run(&session, "echo alive").await.stdout, "alive");
        });
    });
    let removed = eventually(Duration::from_secs(5), || std::fs::remove_dir(&group).ok());
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
    assert!(removed.is_some());
}

#[test]
fn h20_an_agent_in_an_agent_is_a_task_of_its_own() {
    let world = World::new();
    let inner = format!(
        "echo $PORTCULLIS_TASK; {} run --yes --no-config --engine native -- 'echo $PORTCULLIS_TASK $CI $CLAUDECODE'",
        env!("CARGO_BIN_EXE_portcullis")
    );
    let told = hosted(&world, &[("CI", "1"), ("CLAUDECODE", "2")], &["--", &inner]);
    let (outer, rest) = told.split_once('\n').unwrap();
    let (inner, others) = rest.trim().split_once(' ').unwrap();
    // What other agents and CI set is passed on; our own mark is the task's.
    assert_eq!(others, "1 2");
    assert!(
        outer.len() == 13 && inner.len() == 13 && outer != inner,
        "{told}"
    );
}
