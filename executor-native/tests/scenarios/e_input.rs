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
