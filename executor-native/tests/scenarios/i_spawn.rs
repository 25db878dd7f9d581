//! I, the edges of starting: a program replaced under its host, nothing left to start with, records torn by a crash, a
//! terminal that must stay as it was.

use std::{
    io::Write,
    process::{Command, Output, Stdio},
    time::Duration,
};

use executor_native::tasks::Tasks;

use crate::{common::*, users};

fn host(world: &World, program: &std::path::Path, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command
        .args(["run", "--yes", "--no-config", "--engine", "native"])
        .args(args)
        .env("PORTCULLIS_STATE_DIR", world.state())
        .env("PORTCULLIS_SHELL", "/bin/bash")
        .current_dir(world.work())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

#[test]
fn i03_a_host_whose_program_was_replaced_goes_on() {
    let world = World::new();
    let program = world.root.path().join("portcullis");
    std::fs::copy(env!("CARGO_BIN_EXE_portcullis"), &program).unwrap();
    let mut child = host(&world, &program, &["--stdin", "--", "cat"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    // It waits for its input, and by then holds its own program open.
    let pid = child.id();
    let holds = || {
        let entries = std::fs::read_dir(format!("/proc/{pid}/fd")).ok()?;
        entries
            .flatten()
            .any(|entry| std::fs::read_link(entry.path()).is_ok_and(|path| path == program))
            .then_some(())
    };
    let held = eventually(Duration::from_secs(20), holds);
    std::fs::remove_file(&program).unwrap();
    std::fs::write(&program, "#!/bin/sh\necho another program\n").unwrap();
    child.stdin.take().unwrap().write_all(b"typed\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(held.is_some());
    assert_eq!(
        (output.stdout, output.status.code()),
        (b"typed\n".to_vec(), Some(0)),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// It ran, or it said in one line why not; it never panicked and never hung.
fn civil(output: &Output) -> bool {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!stderr.contains("panicked"), "{stderr}");
    if output.status.success() {
        assert_eq!(output.stdout, b"hi\n");
        return true;
    }
    assert!(
        output.status.code().is_some(),
        "{:?}: {stderr}",
        output.status
    );
    assert!(!stderr.trim().is_empty());
    false
}

#[test]
fn i04_without_descriptors_there_is_an_error_and_no_panic() {
    let world = World::new();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_portcullis"));
    let (mut ran, mut failed) = (0, 0);
    for limit in (4..60).step_by(3) {
        let inner = host(&world, program, &["--", "echo hi"]);
        let mut limited = Command::new("prlimit");
        limited
            .arg(format!("--nofile={limit}"))
            .arg(program)
            .args(inner.get_args())
            .current_dir(world.work())
            .env("PORTCULLIS_STATE_DIR", world.state())
            .env("PORTCULLIS_SHELL", "/bin/bash")
            .env("TMPDIR", world.work())
            .stdin(Stdio::null());
        match civil(&limited.output().unwrap()) {
            true => ran += 1,
            false => failed += 1,
        }
    }
    assert!(ran > 0 && failed > 0, "{ran} ran, {failed} failed");
    // No half-made state either.
    assert_eq!(files_below(&world.work()), [] as [std::path::PathBuf; 0]);
    assert_eq!(std::fs::read_dir(world.work()).unwrap().count(), 0);
}

#[test]
fn i04_without_processes_there_is_an_error_and_no_panic() {
    let world = World::new();
    let (mut ran, mut failed) = (0, 0);
    for limit in 0..10 {
        let limit = format!("--nproc={limit}");
        let Some(mut host) = users::host_as_another(&world, &[&limit], &["--", "echo hi"]) else {
            return;
        };
        match civil(&host.output().unwrap()) {
            true => ran += 1,
            false => failed += 1,
        }
    }
    assert!(ran > 0 && failed > 0, "{ran} ran, {failed} failed");
}

#[test]
fn i08_two_hosts_killed_at_any_moment_tear_no_record() {
    let world = World::new();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_portcullis"));
    let tasks = Tasks::open(&world.state()).unwrap();
    for round in 0..12 {
        let start = || {
            host(
                &world,
                program,
                &["--background", "--", "echo hi; sleep 0.2; exit 3"],
            )
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
        };
        let mut both = [start(), start()];
        std::thread::sleep(Duration::from_millis(round * 9));
        for child in &mut both {
            let _ = child.kill();
            child.wait().unwrap();
            // Read in the middle of it all: never half a task.
            for task in tasks.list(None) {
                assert_eq!(task.info.command, "echo hi; sleep 0.2; exit 3");
            }
        }
    }
    let all = eventually(Duration::from_secs(20), || {
        let all = tasks.list(None);
        all.iter().all(|task| !task.is_running()).then_some(all)
    });
    let all = all.expect("some task never ends");
    assert!(!all.is_empty(), "no host lived long enough");
    for task in all {
        assert_eq!((task.status(), task.record.exit_code), ("failed", Some(3)));
    }
}

/// On a terminal of its own; `None`, and said so, where none can be made.
fn on_terminal(world: &World, line: &str) -> Option<String> {
    let output = Command::new("script")
        .args(["-qec", line, "/dev/null"])
        .env("PORTCULLIS_STATE_DIR", world.state())
        .env("PORTCULLIS_SHELL", "/bin/bash")
        .env("PORTCULLIS", env!("CARGO_BIN_EXE_portcullis"))
        .env("RUN", "run --yes --no-config --engine native")
        .current_dir(world.work())
        .stdin(Stdio::null())
        .output();
    match output {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).replace('\r', "")),
        Err(_) => {
            println!("not tried: there is no `script` to make a terminal");
            None
        }
    }
}

#[test]
fn i11_the_terminal_stays_as_it_was() {
    let world = World::new();
    let command = "stty raw </dev/tty; stty -echo; printf '\\033[?25l'; sleep 60";
    let line = format!(
        "stty -g; $PORTCULLIS $RUN --timeout 700 -- \"{command}\" >/dev/null 2>&1; echo ended $?; stty -g"
    );
    let Some(shown) = on_terminal(&world, &line) else {
        return;
    };
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 3, "{shown}");
    assert_eq!(lines[1], "ended 143");
    assert_eq!(lines[0], lines[2]);
}

#[test]
fn i12_an_interactive_shell_does_not_stop_its_host() {
    let world = World::new();
    // An interactive shell takes the terminal for itself, and whoever writes or reads there is then stopped.
    let line = "$PORTCULLIS $RUN -- 'bash -i -c \"echo inner\" 2>/dev/null; set -m; sleep 0.1; echo outer'; echo ended $?";
    let Some(shown) = on_terminal(&world, line) else {
        return;
    };
    assert_eq!(shown, "inner\nouter\nended 0\n");
}
