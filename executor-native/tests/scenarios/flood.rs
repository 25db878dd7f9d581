//! Floods of gigabytes. They take minutes and disk space, so they run only with `SCENARIO_FLOOD=1`; the sizes of every day
//! are in `d_output`.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use executor_native::{
    plan::Limits,
    spawn::{Reason, RunState, tree},
};

use crate::common::*;

const GIGABYTE: u64 = 1_000_000_000;

fn wanted() -> bool {
    let wanted = std::env::var_os("SCENARIO_FLOOD").is_some();
    if !wanted {
        println!("not run: set SCENARIO_FLOOD=1");
    }
    wanted
}

/// Memory of a process that is its own, in KiB: what is shared with others of the same program counts once.
fn own_memory(pid: i32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let field = |name: &str| -> u64 {
        text.lines()
            .find_map(|line| {
                line.strip_prefix(name)?
                    .split_whitespace()
                    .next()?
                    .parse()
                    .ok()
            })
            .unwrap_or(0)
    };
    field("RssAnon:") + field("RssShmem:")
}

/// The most that this process and the supervisors below it had at once, in KiB.
struct Peak {
    most: Arc<AtomicU64>,
    over: Arc<AtomicBool>,
    watcher: Option<std::thread::JoinHandle<()>>,
}

impl Peak {
    fn watch() -> Self {
        let (most, over) = (
            Arc::new(AtomicU64::new(0)),
            Arc::new(AtomicBool::new(false)),
        );
        let (seen, ended) = (Arc::clone(&most), Arc::clone(&over));
        let me = std::process::id() as i32;
        let watcher = std::thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                let supervisors: u64 = tree::descendants(me)
                    .iter()
                    .filter(|found| tree::command_line(found.pid).contains("__supervise"))
                    .map(|found| own_memory(found.pid))
                    .sum();
                seen.fetch_max(own_memory(me) + supervisors, Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        Self {
            most,
            over,
            watcher: Some(watcher),
        }
    }

    fn kib(mut self) -> u64 {
        self.over.store(true, Ordering::Relaxed);
        self.watcher.take().unwrap().join().unwrap();
        self.most.load(Ordering::Relaxed)
    }
}

fn world(output_cap: u64) -> World {
    World::wanting(Wants {
        limits: Limits {
            output_cap,
            ..Limits::default()
        },
        ..Wants::default()
    })
}

#[test]
fn ten_gigabytes_through_one_command() {
    if !wanted() {
        return;
    }
    within(Duration::from_secs(600), async {
        let world = world(20 * GIGABYTE);
        // However long that takes here.
        let session = world.session_with(|options| {
            options.at_limit = executor_native::session::AtLimit::EndIfGiven;
        });
        let (peak, began) = (Peak::watch(), Instant::now());
        let done = run(&session, "yes 0123456789012345678901234567890123456789012345678901234567890123456789 | head -c 10000000000").await;
        let (took, kib) = (began.elapsed(), peak.kib());
        println!("10 GB in {took:.1?}; peak of host and supervisor {kib} KiB");
        assert_eq!((done.exit_code, done.total_bytes), (Some(0), 10 * GIGABYTE));
        assert!(done.for_model().contains("9.3 GiB"), "{}", done.for_model());
        assert!(kib < 64 * 1024, "{kib} KiB");
    });
}

#[test]
fn the_cap_of_a_running_task_stops_it_with_that_as_the_reason() {
    if !wanted() {
        return;
    }
    within(Duration::from_secs(600), async {
        let world = World::new();
        let session = world.session();
        let (peak, began) = (Peak::watch(), Instant::now());
        let task = background(
            &session,
            "yes 0123456789012345678901234567890123456789012345678901234567890123456789",
        )
        .await;
        let ended = world.executor().next_ended("test").await;
        let (took, kib) = (began.elapsed(), peak.kib());
        println!(
            "stopped after {took:.1?}; peak of host and supervisor {kib} KiB; {}",
            ended.notification()
        );
        assert_eq!(ended.info.id, task.task_id);
        assert_eq!(
            (ended.record.reason, ended.record.state),
            (Some(Reason::OutputLimit), RunState::Killed)
        );
        assert_eq!(
            std::fs::metadata(&ended.output_file).unwrap().len(),
            executor_native::plan::TASK_OUTPUT_CAP
        );
        assert!(kib < 64 * 1024, "{kib} KiB");
    });
}

#[test]
fn one_gigabyte_through_each_of_twenty() {
    if !wanted() {
        return;
    }
    within(Duration::from_secs(900), async {
        let world = world(2 * GIGABYTE);
        let session = world.session_with(|options| {
            options.at_limit = executor_native::session::AtLimit::EndIfGiven;
        });
        let (peak, began) = (Peak::watch(), Instant::now());
        let mut all = tokio::task::JoinSet::new();
        for _ in 0..20 {
            let session = session.clone();
            all.spawn(async move {
                run(
                    &session,
                    "yes 0123456789012345678901234567890123456789 | head -c 1000000000",
                )
                .await
            });
        }
        while let Some(done) = all.join_next().await {
            let done = done.unwrap();
            assert_eq!(
                (done.exit_code, done.total_bytes, done.lost_bytes),
                (Some(0), GIGABYTE, 0)
            );
        }
        let (took, kib) = (began.elapsed(), peak.kib());
        println!("20 x 1 GB in {took:.1?}; peak of host and supervisors {kib} KiB");
        assert!(kib < 20 * 64 * 1024, "{kib} KiB");
    });
}
