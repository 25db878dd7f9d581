//! D, where it lands: a small disk shared by many, folders that somebody prepared, and a place that is no memory.

use std::{os::unix::fs::symlink, path::Path, process::Command, time::Duration};

use executor_native::{
    input::Input,
    session::StateDir,
    spawn::{Reason, RunState},
    tasks::OutputRequest,
};

use crate::common::*;

/// A disk of its own for the length of a test. Only root can mount: elsewhere the test says so and ends.
pub(crate) fn on_small_disk(size: &str, test: impl FnOnce(&Path) + std::panic::UnwindSafe) {
    let root = crate::suite::folder();
    let disk = root.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
        .arg(&disk)
        .status()
        .is_ok_and(|status| status.success());
    if !mounted {
        println!("not tried: a small disk cannot be mounted here");
        return;
    }
    let result = std::panic::catch_unwind(|| test(&disk));
    let until = eventually(Duration::from_secs(5), || {
        Command::new("umount")
            .arg(&disk)
            .status()
            .is_ok_and(|status| status.success())
            .then_some(())
    });
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
    assert!(until.is_some(), "the disk is still in use");
}

#[test]
fn d03_many_below_their_caps_do_not_fill_the_disk_together() {
    on_small_disk("8m", |disk| {
        within(Duration::from_secs(60), async {
            // The floor is a tenth of such a disk; each command prints far less than its cap, all of them far too much.
            let executor = make(&disk.join("state"), Wants::default());
            let world = World::new();
            let session = executor.session(world.options()).unwrap();
            let mut all = tokio::task::JoinSet::new();
            for _ in 0..40 {
                let session = session.clone();
                // Prints 400 kB and stays, so that no output is removed before the others came.
                let command = "seq 70000; sleep 2";
                all.spawn(async move { run(&session, command).await });
            }
            let (mut stopped, mut whole) = (0, 0);
            while let Some(done) = all.join_next().await {
                let done = done.unwrap();
                match done.reason {
                    Some(Reason::DiskFloor) => {
                        assert_eq!(done.state, RunState::Killed);
                        assert!(done.for_model().contains("the disk is nearly full"));
                        stopped += 1;
                    }
                    None => {
                        assert_eq!((done.exit_code, done.lost_bytes), (Some(0), 0));
                        whole += 1;
                    }
                    other => panic!("{other:?}"),
                }
            }
            assert!(stopped > 0 && whole > 0, "{stopped} stopped, {whole} whole");
            drop(session);
            drop(executor);
        });
    });
}

#[test]
fn d04_the_end_of_a_task_is_known_although_the_disk_is_full() {
    on_small_disk("1m", |disk| {
        test(async {
            let mut wants = Wants::default();
            wants.limits.free_floor = 0;
            let executor = make(&disk.join("state"), wants);
            let world = World::new();
            let session = executor.session(world.options()).unwrap();
            let task = background(&session, "seq 400000; sleep 0.2; exit 6").await;
            let output = executor
                .tasks()
                .output(&task.task_id, &OutputRequest::default())
                .await
                .unwrap();
            let record = &output.task.record;
            assert_eq!(
                (record.state, record.exit_code),
                (RunState::Completed, Some(6))
            );
            assert!(record.lost_bytes > 1_000_000);
            drop(session);
            drop(executor);
        });
    });
}

#[test]
fn d23_a_folder_that_somebody_prepared_is_not_used() {
    let root = crate::suite::folder();
    let theirs = root.path().join("theirs");
    std::fs::create_dir(&theirs).unwrap();
    let planted = root.path().join("state");
    symlink(&theirs, &planted).unwrap();
    let state = StateDir::open(Some(planted)).unwrap();
    assert!(state.is_temporary() && !state.path().starts_with(root.path()));
    assert_eq!(std::fs::read_dir(&theirs).unwrap().count(), 0);
    // A file in its place is none either.
    let file = root.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(StateDir::open(Some(file)).unwrap().is_temporary());
}

#[test]
fn d23_ids_cannot_be_guessed_and_folders_are_new() {
    test(async {
        let world = World::new();
        let tasks = world.executor().tasks();
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..200 {
            let (id, folder) = tasks.create().unwrap();
            assert!(id.len() == 13 && seen.insert(id.clone()), "{id}");
            // Taken: nobody gets the same one, whatever lies there.
            assert!(std::fs::create_dir(folder).is_err());
        }
    });
}

#[test]
fn d24_outputs_are_kept_where_configured_else_in_the_users_state_folder() {
    let world = World::new();
    let home = world.root.path().join("home");
    let start = |variable: &str, folder: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
        command
            .args(["run", "--yes", "--no-config", "--engine", "native"])
            .args(["--background", "--json", "--", "true"])
            .current_dir(world.work())
            .env_remove("PORTCULLIS_STATE_DIR")
            .env_remove("XDG_STATE_HOME")
            .env("HOME", &home)
            .env(variable, folder);
        let output = command.output().unwrap();
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        std::path::PathBuf::from(told["outputFile"].as_str().unwrap())
    };
    let given = world.root.path().join("given");
    assert!(start("PORTCULLIS_STATE_DIR", &given).starts_with(&given));
    let state = world.root.path().join("xdg");
    assert!(start("XDG_STATE_HOME", &state).starts_with(state.join("portcullis")));
    assert!(start("HOME", &home).starts_with(home.join(".local/state/portcullis")));
}

#[test]
fn d25_what_a_live_task_writes_is_never_old() {
    test(async {
        let world = World::new();
        let session = world.session();
        let task = background(&session, "seq 1000; sleep 999").await;
        let keep = executor_native::output::Retention {
            age: Duration::ZERO,
            size: 0,
        };
        let tasks = world.executor().tasks();
        let results = world.state().join("results");
        assert_eq!(tasks.clean(&results, &keep), 0);
        assert!(task.output_file.exists());
        tasks.stop(&task.task_id, "the test", None).await.unwrap();
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(tasks.clean(&results, &keep), 1);
        assert!(!task.output_file.exists());
        let gone = session.run(Input::new("true")).await;
        assert!(gone.is_ok());
    });
}
