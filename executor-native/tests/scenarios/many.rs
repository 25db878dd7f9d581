//! Two hundred commands at once, each with a fate of its own: every one is accounted for, and nothing survives.

use std::{collections::BTreeSet, time::Duration};

use executor_native::{
    Outcome, RunError, Session, input::Input, lifecycle::Abort, spawn::RunState,
    tasks::OutputRequest,
};

use crate::common::*;

/// The same fates every time; another seed by `SCENARIO_SEED`.
struct Fates(u64);

impl Fates {
    fn new() -> Self {
        let seed = std::env::var("SCENARIO_SEED")
            .ok()
            .and_then(|seed| seed.parse().ok());
        Self(seed.unwrap_or(20_261_130))
    }

    /// A number below `end` (splitmix64).
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

#[derive(Debug)]
enum Came {
    Ended,
    Killed,
    NeverBegan,
    Dropped,
    Task(String),
}

async fn one(session: Session, fate: u64, after: Duration, command: String) -> Came {
    if fate == 0 {
        let task = background(&session, &command).await;
        return Came::Task(task.task_id);
    }
    let running = session.start(Input::new(command));
    match fate {
        1 => {
            tokio::time::sleep(after).await;
            drop(running);
            return Came::Dropped;
        }
        2 => {
            tokio::time::sleep(after).await;
            running.abort(Abort::Because("the test".into())).await;
        }
        3 => {
            tokio::time::sleep(after).await;
            running.move_to_background().await;
        }
        4 => {
            // Both at once.
            let (a, b) = (running.control(), running.control());
            tokio::time::sleep(after).await;
            tokio::join!(a.move_to_background(), b.abort(Abort::Because("x".into())));
        }
        _ => {}
    }
    match running.outcome().await {
        Ok(Outcome::Finished(done)) if done.state == RunState::Completed => Came::Ended,
        Ok(Outcome::Finished(_)) => Came::Killed,
        Ok(Outcome::Backgrounded(task)) => Came::Task(task.task_id),
        Err(RunError::Aborted) => Came::NeverBegan,
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn two_hundred_at_once_with_every_fate() {
    within(Duration::from_secs(120), async {
        let world = World::new();
        let session = world.session();
        run(&session, "true").await;
        let before = descriptors();
        let mut fates = Fates::new();
        let mut all = tokio::task::JoinSet::new();
        for n in 0..200 {
            let (fate, after) = (fates.below(6), Duration::from_millis(fates.below(900)));
            let (lives, leaves) = (fates.below(9) + 1, fates.below(3) == 0);
            let leak = if leaves { "setsid sleep 997 & " } else { "" };
            let command = format!(
                "{leak}sleep 0.{lives}; sleep 0.{lives}; echo end {n}; exit {}",
                n % 7
            );
            all.spawn(one(session.clone(), fate, after, command));
        }
        let (mut ended, mut killed, mut never, mut dropped) = (0, 0, 0, 0);
        let mut tasks = BTreeSet::new();
        while let Some(came) = all.join_next().await {
            match came.unwrap() {
                Came::Ended => ended += 1,
                Came::Killed => killed += 1,
                Came::NeverBegan => never += 1,
                Came::Dropped => dropped += 1,
                Came::Task(id) => assert!(tasks.insert(id)),
            }
        }
        println!(
            "{ended} ended, {killed} killed, {never} never began, {dropped} dropped, {} moved",
            tasks.len()
        );
        assert_eq!(ended + killed + never + dropped + tasks.len(), 200);
        for count in [ended, killed, dropped, tasks.len()] {
            assert!(count > 5, "the seed leaves a fate out");
        }
        // Every task is known, ended by itself, and its end is told once.
        let known = world.executor().tasks();
        let listed: BTreeSet<String> = known
            .list(Some("test"))
            .into_iter()
            .map(|task| task.info.id)
            .collect();
        assert_eq!(listed, tasks);
        for id in &tasks {
            let output = known.output(id, &OutputRequest::default()).await.unwrap();
            let words: Vec<&str> = output.text.split_whitespace().collect();
            let n: i32 = words[1].parse().unwrap();
            assert_eq!(
                (output.task.record.state, output.task.record.exit_code),
                (RunState::Completed, Some(n % 7))
            );
            assert!(!known.mark_notified(id), "told twice");
            known.stop(id, "the test", None).await.unwrap();
        }
        assert!(known.pending(None).is_empty());
        // What the others left running goes with the session.
        drop(session);
        let empty = async {
            while !everything_of(&world.state()).is_empty()
                || !processes_of(world.root.path()).is_empty()
            {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            while descriptors() > before {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        if tokio::time::timeout(Duration::from_secs(20), empty)
            .await
            .is_err()
        {
            panic!(
                "left: {:?}; {} descriptors, then {}",
                everything_of(world.root.path()),
                before,
                descriptors()
            );
        }
    });
}
