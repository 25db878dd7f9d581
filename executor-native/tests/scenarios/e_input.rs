//! E: nothing waits for a person who is not there, and nobody's keystrokes are taken.

use std::time::{Duration, Instant};

use executor_native::input::Input;

use crate::common::*;

#[test]
fn e01_e06_input_is_closed_unless_given() {
    test(async {
        let world = World::new();
        let session = world.session();
        let began = Instant::now();
        let done = run(
            &session,
            "read x; echo rc=$?; cat; python3 -; readlink /proc/self/fd/0",
        )
        .await;
        assert_eq!(done.stdout, "rc=1\n/dev/null");
        assert!(began.elapsed() < Duration::from_secs(2));
        let input = Input {
            stdin: Some(b"one\ntwo\n".to_vec()),
            ..Input::new("read x; echo got $x; cat")
        };
        assert_eq!(run_with(&session, input).await.stdout, "got one\ntwo");
    });
}

#[test]
fn e02_an_editor_fails_at_once() {
    test(async {
        let world = World::new();
        let began = Instant::now();
        let done = run(
            &world.session(),
            "${EDITOR:-vi} file; echo $?; ${VISUAL:-vi} file; echo $?; echo $GIT_EDITOR",
        )
        .await;
        assert_eq!(done.stdout, "1\n1\ntrue");
        assert!(began.elapsed() < Duration::from_secs(2));
    });
}

#[test]
fn e03_there_is_no_terminal_to_ask_on() {
    test(async {
        let world = World::new();
        let done = run(&world.session(), ": </dev/tty").await;
        assert_ne!(done.exit_code, Some(0));
        assert!(
            done.stdout.contains("No such device or address"),
            "{}",
            done.stdout
        );
    });
}

#[test]
fn e05_redirections_of_the_command_are_its_own() {
    test(async {
        let world = World::new();
        let done = run(
            &world.session(),
            "printf x | wc -c; cat <<E\nbody\nE\necho abc > f; wc -c < f",
        )
        .await;
        assert_eq!(done.stdout, "1\nbody\n4");
    });
}

#[test]
fn e08_input_that_nobody_reads_blocks_nobody() {
    test(async {
        let world = World::new();
        let input = Input {
            stdin: Some(vec![b'x'; 10_000_000]),
            ..Input::new("true")
        };
        assert_eq!(run_with(&world.session(), input).await.exit_code, Some(0));
    });
}

#[test]
fn e09_a_closed_pipe_ends_its_writer() {
    test(async {
        let world = World::new();
        let done = run(&world.session(), "yes | head -1; echo ${PIPESTATUS[0]}").await;
        assert_eq!(done.stdout, "y\n141");
    });
}

#[test]
fn e04_whoever_asks_gets_the_end_of_the_input_and_not_an_answer() {
    test(async {
        let world = World::new();
        let session = world.session();
        std::fs::write(world.work().join("kept"), "").unwrap();
        // A question, asked again and again until something is said.
        let done = run(
            &session,
            "rm -i kept; while ! read -p 'Proceed? [y/N] ' answer; do n=$((n+1)); [ $n = 3 ] && break; done; echo asked $n",
        )
        .await;
        assert!(done.stdout.ends_with("asked 3"), "{}", done.stdout);
        assert!(world.work().join("kept").exists());
        let python = "python3 -c 'input(\"Project name: \")'";
        let done = run(&session, python).await;
        assert_eq!(done.exit_code, Some(1));
        assert!(
            done.stdout.starts_with("Project name: ") && done.stdout.contains("EOFError"),
            "{}",
            done.stdout
        );
        // So does one who wants the terminal itself.
        let getpass = "python3 -W ignore -c 'import getpass; getpass.getpass()'";
        assert_eq!(run(&session, getpass).await.exit_code, Some(1));
    });
}

#[test]
fn e07_programs_for_a_screen_end_without_one() {
    test(async {
        let world = World::new();
        let session = world.session();
        std::fs::write(world.work().join("f"), "one\ntwo\n").unwrap();
        // Each as far as it is installed; `more` is part of every Debian.
        let tried = run(
            &session,
            "for p in less more most; do command -v $p >/dev/null && $p f; done; echo end",
        )
        .await;
        assert!(tried.stdout.ends_with("one\ntwo\nend"), "{}", tried.stdout);
        let pager = run(&session, "${PAGER:-less} f; ${MANPAGER:-less} f; git --no-optional-locks --version | ${GIT_PAGER:-less}").await;
        assert!(
            pager.stdout.starts_with("one\ntwo\none\ntwo\ngit version"),
            "{}",
            pager.stdout
        );
        let screen = run(&session, "command -v top >/dev/null && top; command -v vi >/dev/null && vi -c q f >/dev/null 2>&1; echo end").await;
        assert!(screen.stdout.ends_with("end"), "{}", screen.stdout);
        assert!(!screen.stdout.contains('\u{1b}'));
    });
}
