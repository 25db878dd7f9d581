//! A host that is killed in the middle of its work, and another that takes over: three tasks, none lost.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
    time::Duration,
};

use executor_native::{SessionOptions, spawn::RunState, tasks::OutputRequest};

use crate::common::*;

const ROOT: &str = "SCENARIO_HOST_ROOT";

/// Three tasks: one that counts on, two that end by themselves with a code of their own.
const COMMANDS: [&str; 3] = [
    "for i in $(seq 1000); do echo $i; sleep 0.05; done",
    "sleep 1.5; echo second; exit 5",
    "(setsid sleep 0.5); sleep 1.2; echo third; kill -TERM $$",
];

/// The first host: this very program, started again with a folder to work in; killed from outside.
#[test]
#[ignore = "a host for the test below, which starts it"]
fn host_of_three_tasks() {
    let root = PathBuf::from(std::env::var_os(ROOT).unwrap());
    within(Duration::from_secs(60), async {
        let executor = make(&root.join("state"), Wants::default());
        let session = executor
            .session(SessionOptions {
                cwd: Some(root.join("work")),
                workspace: vec![root.join("work")],
                snapshot: false,
                ..SessionOptions::new("first")
            })
            .unwrap();
        let mut ids = Vec::new();
        for command in COMMANDS {
            ids.push(background(&session, command).await.task_id);
        }
        // And one in the foreground, which has nobody left to tell.
        let foreground = session.start(executor_native::input::Input::new(
            "touch foreground; sleep 999",
        ));
        std::fs::write(root.join("ids.new"), ids.join("\n")).unwrap();
        std::fs::rename(root.join("ids.new"), root.join("ids")).unwrap();
        let _ = foreground.outcome().await;
    });
}

fn portcullis(world: &World, args: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_portcullis"))
        .args(args)
        .env("PORTCULLIS_STATE_DIR", world.state())
        .current_dir(world.work())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn c12_c13_i01_three_tasks_outlive_a_host_that_is_killed() {
    let world = World::new();
    let mut host = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "second_host::host_of_three_tasks", "--ignored"])
        .env(ROOT, world.root.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let ids = eventually(Duration::from_secs(20), || {
        std::fs::read_to_string(world.root.path().join("ids")).ok()
    });
    let began = eventually(Duration::from_secs(20), || {
        world.work().join("foreground").exists().then_some(())
    });
    host.kill().unwrap();
    host.wait().unwrap();
    assert!(began.is_some());
    let ids: Vec<String> = ids.unwrap().lines().map(str::to_owned).collect();

    // All go on, and a new host lists them.
    let (listed, _) = portcullis(&world, &["tasks", "list", "--json"]);
    let listed: Vec<serde_json::Value> = listed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let told: Vec<&str> = listed
        .iter()
        .map(|task| task["info"]["id"].as_str().unwrap())
        .collect();
    assert_eq!(told, ids);
    for task in &listed {
        assert_eq!(task["record"]["state"], "running", "{task}");
    }
    // It reads the first, which grows.
    let (before, note) = portcullis(&world, &["tasks", "output", &ids[0]]);
    assert!(
        before.starts_with("1\n") && note.contains("still running"),
        "{before} {note}"
    );
    let grown = eventually(Duration::from_secs(10), || {
        let (now, _) = portcullis(&world, &["tasks", "output", &ids[0]]);
        (now.len() > before.len()).then_some(())
    });
    assert!(grown.is_some());
    // It stops the first, and learns how the others ended.
    let (_, stopped) = portcullis(&world, &["tasks", "stop", &ids[0]]);
    assert!(stopped.contains("was stopped"), "{stopped}");
    let (second, _) = portcullis(&world, &["tasks", "output", &ids[1], "--block"]);
    assert_eq!(second, "second\n");
    test(async {
        let tasks = world.executor().tasks();
        let third = tasks
            .output(&ids[2], &OutputRequest::default())
            .await
            .unwrap();
        assert_eq!(third.text, "third");
        let ends: Vec<_> = ids
            .iter()
            .map(|id| tasks.find(id, None).unwrap().record)
            .map(|record| (record.state, record.exit_code, record.signal))
            .collect();
        assert_eq!(
            ends,
            [
                (RunState::Killed, Some(143), Some(15)),
                (RunState::Completed, Some(5), None),
                (RunState::Completed, Some(143), Some(15)),
            ]
        );
        // Reading the end of the second and third told it; of the first nobody was told but who stopped it.
        let pending: Vec<String> = tasks
            .pending(Some("first"))
            .into_iter()
            .map(|task| task.info.id)
            .collect();
        assert_eq!(pending, ids[..1]);
        // The foreground command ended with its host; the World sees to it that nothing is left.
    });
}
