//! D: whatever a command prints, memory stays flat, nothing is mangled, and the whole can be found again.

use std::{
    os::unix::fs::PermissionsExt,
    time::{Duration, Instant},
};

use executor_native::{
    input::Input,
    output::Retention,
    plan::Limits,
    spawn::{Reason, RunState},
};

use crate::common::*;

fn capped(cap: u64) -> World {
    World::wanting(Wants {
        limits: Limits {
            output_cap: cap,
            grace: 300,
            ..Limits::default()
        },
        ..Wants::default()
    })
}

/// Resident size of this process, in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn d01_a_flood_costs_no_memory_and_is_kept_within_bounds() {
    within(Duration::from_secs(60), async {
        let world = World::new();
        let session = world.session();
        run(&session, "true").await;
        let before = resident();
        let done = run(&session, "yes | head -c 200000000").await;
        assert!(
            resident() < before + 32 * 1024,
            "{} then {} KiB",
            before,
            resident()
        );
        assert_eq!((done.exit_code, done.total_bytes), (Some(0), 200_000_000));
        assert!(done.truncated && done.stdout.len() <= 30_000);
        let file = done.output_file.as_ref().unwrap();
        assert!(file.starts_with(world.state().join("results")));
        assert_eq!(std::fs::metadata(file).unwrap().len(), 64 * 1024 * 1024);
        let words = done.for_model();
        assert!(
            words.contains("190.7 MiB")
                && words.contains(file.to_str().unwrap())
                && words.len() < 5_000
        );
        assert!(done.tail_for_model().contains("last lines"));
    });
}

#[test]
fn d02_a_flood_without_end_is_stopped_with_that_as_the_reason() {
    test(async {
        let world = capped(10_000_000);
        let session = world.session();
        let task = background(&session, "yes").await;
        let ended = world.executor().next_ended("test").await;
        assert_eq!(ended.info.id, task.task_id);
        assert_eq!(
            (ended.record.reason, ended.record.state),
            (Some(Reason::OutputLimit), RunState::Killed)
        );
        assert!(std::fs::metadata(&ended.output_file).unwrap().len() <= 10_000_000);
        assert!(ended.record.lost_bytes > 0);
        assert!(ended.notification().contains("printed too much"));
    });
}

#[test]
fn d04_a_full_disk_holds_nothing_up_and_is_told() {
    crate::d_disk::on_small_disk("1m", |disk| {
        test(async {
            let mut wants = Wants::default();
            wants.limits.free_floor = 0;
            let executor = make(&disk.join("state"), wants);
            let world = World::new();
            let session = executor.session(world.options()).unwrap();
            let done = run(&session, "seq 400000; echo end >&2").await;
            assert_eq!((done.exit_code, done.state), (Some(0), RunState::Completed));
            assert!(done.lost_bytes > 1_000_000, "{}", done.lost_bytes);
            assert!(
                done.notes
                    .iter()
                    .any(|note| note.contains("could not be kept"))
            );
        });
    });
}

#[test]
fn d05_d06_the_streams_can_be_opened_again_by_name() {
    test(async {
        let world = World::new();
        let done = run(
            &world.session(),
            "echo a; echo b > /dev/stdout; echo c | tee /dev/stderr; echo d >> /dev/fd/1",
        )
        .await;
        assert_eq!(done.stdout, "a\nb\nc\nc\nd");
    });
}

#[test]
fn d07_bytes_that_are_no_text_stay_in_the_file() {
    test(async {
        let world = World::wanting(Wants {
            inline: 1000,
            ..Wants::default()
        });
        let done = run(&world.session(), "head -c 4096 /dev/urandom > x; cat x").await;
        assert!(done.binary);
        assert!(
            done.stdout
                .chars()
                .all(|c| c == '\n' || c == '\t' || !c.is_control())
        );
        let kept = std::fs::read(done.output_file.unwrap()).unwrap();
        assert_eq!(kept, std::fs::read(world.work().join("x")).unwrap());
    });
}

#[test]
fn d08_no_control_byte_reaches_a_model() {
    test(async {
        let world = World::new();
        let done = run(
            &world.session(),
            r"printf 'a\0b\x1b[31mred\x1b]52;c;eA==\x07\n'",
        )
        .await;
        assert_eq!(done.stdout, "a\u{2400}bred");
    });
}

#[test]
fn d09_d10_characters_are_whole_at_every_seam() {
    test(async {
        let world = World::wanting(Wants {
            inline: 8192,
            ..Wants::default()
        });
        let command =
            "python3 -c 'import sys\nsys.stdout.buffer.write(b\"a\"*8191+\"é👩‍👩‍👧\".encode()*5000)'";
        let done = run(&world.session(), command).await;
        assert!(done.truncated && !done.binary && !done.stdout.contains('\u{fffd}'));
        assert_eq!(done.stdout.len(), 8191);
    });
}

#[test]
fn d12_progress_shows_as_its_last_state() {
    test(async {
        let world = World::new();
        let done = run(
            &world.session(),
            r"for i in $(seq 1 1000); do printf '\r%d%%' $i; done",
        )
        .await;
        assert_eq!(done.stdout, "1000%");
    });
}

#[test]
fn d13_one_endless_line_is_only_a_line() {
    test(async {
        let world = World::new();
        let session = world.session();
        run(&session, "true").await;
        let before = resident();
        let done = run(&session, "head -c 50000000 /dev/zero | tr '\\0' x").await;
        assert!(done.stdout.len() <= 30_000 && done.total_lines == 0);
        assert!(resident() < before + 32 * 1024);
    });
}

#[test]
fn d14_a_failure_shows_its_end_too() {
    test(async {
        let world = World::new();
        let done = run(&world.session(), "seq 200000; exit 1").await;
        let words = done.for_model();
        assert!(words.starts_with("Exit code 1\n"));
        assert!(
            words.contains("\n1\n2\n") && words.contains("\n200000\n"),
            "{words}"
        );
        assert!(words.contains("1.2 MiB"));
    });
}

#[test]
fn d15_the_order_of_the_streams_is_kept_or_they_are_kept_apart() {
    test(async {
        let world = World::new();
        let command = "for i in 1 2 3; do echo o$i; echo e$i >&2; done";
        assert_eq!(
            run(&world.session(), command).await.stdout,
            "o1\ne1\no2\ne2\no3\ne3"
        );
        let apart = world.session_with(|options| options.split_stderr = true);
        let done = run(&apart, command).await;
        assert_eq!(
            (done.stdout.as_str(), done.stderr.as_str()),
            ("o1\no2\no3", "e1\ne2\ne3")
        );
    });
}

#[test]
fn d16_d17_nothing_of_ours_is_in_the_output_and_nothing_in_it_is_believed() {
    test(async {
        let world = World::new();
        let session = world.session();
        assert_eq!(run(&session, "printf abc").await.stdout, "abc");
        let done = run(&session, r"printf 'C/etc\0E0\0'; exit 3").await;
        assert_eq!((done.exit_code, session.cwd()), (Some(3), world.work()));
    });
}

#[test]
fn d18_d19_there_is_no_terminal_to_be_wrong_about() {
    test(async {
        let world = World::new();
        let session = world.session();
        let done = run(&session, "printf 'x%.0s' $(seq 1000); echo; [ -t 0 ] || [ -t 1 ] || echo none; echo $TERM $PAGER").await;
        assert_eq!(done.stdout, format!("{}\nnone\ndumb cat", "x".repeat(1000)));
        let began = Instant::now();
        run(&session, "git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && git log && git diff").await;
        assert!(began.elapsed() < Duration::from_secs(5));
    });
}

#[test]
fn d20_an_image_is_an_image() {
    test(async {
        let world = World::new();
        let pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
        let session = world.session();
        let done = run(&session, &format!("echo 'data:image/png;base64,{pixel}'")).await;
        assert_eq!(done.image.as_ref().unwrap().data, pixel);
        assert_eq!(done.for_model(), "[image/png image]");
        assert!(
            run(
                &session,
                &format!("echo 'data:image/png;base64,{pixel}'; exit 1")
            )
            .await
            .image
            .is_none()
        );
    });
}

#[test]
fn d21_a_slow_writer_without_lines_is_seen() {
    within(Duration::from_secs(30), async {
        let world = World::new();
        let mut running = world.session().start(Input::new(
            "for i in 1 2 3 4 5 6; do printf .; sleep 0.5; done",
        ));
        let mut progress = running.progress().unwrap();
        let outcome = tokio::spawn(running.outcome());
        let sample = progress.next().await.unwrap();
        assert!(
            sample.total_bytes >= 3 && sample.tail.starts_with("..."),
            "{sample:?}"
        );
        outcome.await.unwrap().unwrap();
    });
}

#[test]
fn d22_nobody_else_may_read_what_was_printed() {
    test(async {
        let world = World::new();
        let session = world.session();
        let task = background(&session, "umask 0; echo secret; sleep 0.2").await;
        world.executor().next_ended("test").await;
        let mode =
            |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let folder = task.output_file.parent().unwrap();
        assert_eq!(
            (mode(&task.output_file), mode(folder), mode(&world.state())),
            (0o600, 0o700, 0o700)
        );
        for file in files_below(folder) {
            assert_eq!(mode(&file), 0o600, "{file:?}");
        }
    });
}

#[test]
fn d25_old_outputs_go_when_a_host_starts() {
    test(async {
        let world = World::new();
        let session = world.session();
        let done = run(&session, "seq 100000").await;
        let live = background(&session, "sleep 999").await;
        let keep = Retention {
            age: Duration::ZERO,
            size: 0,
        };
        tokio::time::sleep(Duration::from_millis(20)).await;
        world
            .executor()
            .tasks()
            .clean(&world.executor().state().results(), &keep);
        assert!(!done.output_file.unwrap().exists());
        assert!(live.output_file.exists());
        world
            .executor()
            .tasks()
            .stop(&live.task_id, "the test", None)
            .await
            .unwrap();
    });
}
