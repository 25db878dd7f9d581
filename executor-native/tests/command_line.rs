//! `portcullis run` and `portcullis tasks`, as a person and as a script use them.

use std::{
    io::Write,
    path::PathBuf,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

struct World {
    root: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let root = tempfile::Builder::new().prefix("cli-").tempdir().unwrap();
        std::fs::create_dir(root.path().join("work")).unwrap();
        Self { root }
    }

    fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    fn prepare(&self, mut command: Command) -> Command {
        command
            .current_dir(self.work())
            .env("PORTCULLIS_STATE_DIR", self.root.path().join("state"))
            .env("XDG_CONFIG_HOME", self.root.path().join("config"))
            .env("XDG_DATA_HOME", self.root.path().join("data"))
            .env("PORTCULLIS_SHELL", "/bin/bash")
            .stdin(Stdio::null());
        command
    }

    fn portcullis(&self, args: &[&str]) -> Output {
        let mut command = self.prepare(Command::new(env!("CARGO_BIN_EXE_portcullis")));
        command.args(args).output().unwrap()
    }

    fn run(&self, args: &[&str]) -> Output {
        self.portcullis(&[&["run", "--engine", "native"], args].concat())
    }

    /// On a terminal of its own, with these lines typed.
    fn on_terminal(&self, command: &str, typed: &str) -> String {
        let line = format!(
            "{} run --engine native -- '{command}'; echo status $?",
            env!("CARGO_BIN_EXE_portcullis")
        );
        let mut script = Command::new("script");
        script.args(["-qec", &line, "/dev/null"]);
        let mut child = self
            .prepare(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(typed.as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        String::from_utf8_lossy(&output.stdout).replace('\r', "")
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn files(path: &std::path::Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        match entry.path().is_dir() {
            true => found.extend(files(&entry.path())),
            false => found.push(entry.path()),
        }
    }
    found
}

#[test]
fn it_ends_as_the_command_did_and_leaves_nothing() {
    let world = World::new();
    let done = world.run(&["--yes", "--", "echo out; echo err >&2; exit 7"]);
    assert_eq!(
        (text(&done.stdout).as_str(), done.status.code()),
        ("out\nerr\n", Some(7))
    );
    let done = world.run(&["--yes", "--", r"printf 'a\0b\xff'; kill -TERM $$"]);
    assert_eq!(
        (&done.stdout[..], done.status.code()),
        (&b"a\0b\xff"[..], Some(143))
    );
    assert_eq!(files(&world.root.path().join("state")), [] as [PathBuf; 0]);
}

#[test]
fn a_long_output_comes_whole() {
    let world = World::new();
    let done = world.run(&["--yes", "--", "seq 300000"]);
    let expected: String = (1..=300_000).map(|n| format!("{n}\n")).collect();
    assert_eq!(text(&done.stdout), expected);
}

#[test]
fn what_is_not_allowed_is_refused_with_126() {
    let world = World::new();
    let done = world.run(&["--", "touch f"]);
    assert_eq!(done.status.code(), Some(126));
    assert!(
        text(&done.stderr).contains("nobody is there"),
        "{}",
        text(&done.stderr)
    );
    let done = world.run(&["--yes", "--deny", "touch:*", "--", "touch f"]);
    assert_eq!(done.status.code(), Some(126));
    assert!(!world.work().join("f").exists());
    let done = world.run(&["--json", "--", "touch f"]);
    let json: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(
        (
            json["status"].as_str(),
            json["verdict"]["decision"].as_str()
        ),
        (Some("refused"), Some("ask"))
    );
}

#[test]
fn without_a_shell_the_status_is_127() {
    let world = World::new();
    let shell = world.root.path().join("bash");
    std::fs::write(&shell, "no program").unwrap();
    std::os::unix::fs::symlink("/nowhere", world.root.path().join("zsh")).unwrap();
    let mut command = world.prepare(Command::new(env!("CARGO_BIN_EXE_portcullis")));
    let mut mode = std::fs::metadata(&shell).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
    std::fs::set_permissions(&shell, mode).unwrap();
    let done = command
        .env("PORTCULLIS_SHELL", &shell)
        .args(["run", "--engine", "native", "--", "echo hi"])
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(127), "{}", text(&done.stderr));
}

#[test]
fn json_holds_the_result() {
    let world = World::new();
    let done = world.run(&["--json", "--yes", "--", r"printf 'a\033[31mb'; exit 2"]);
    let json: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert_eq!(
        (json["status"].as_str(), json["stdout"].as_str()),
        (Some("finished"), Some("ab"))
    );
    assert_eq!(
        (json["exitCode"].as_i64(), json["isError"].as_bool()),
        (Some(2), Some(true))
    );
}

#[test]
fn input_is_given_only_when_asked() {
    let world = World::new();
    for (args, expected) in [
        (&["--stdin", "--", "cat"][..], "typed\n"),
        (&["--", "cat"][..], ""),
    ] {
        let mut command = world.prepare(Command::new(env!("CARGO_BIN_EXE_portcullis")));
        let mut child = command
            .args(["run", "--engine", "native"])
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // A closed reader is no fault here.
        let _ = child.stdin.take().unwrap().write_all(b"typed\n");
        assert_eq!(text(&child.wait_with_output().unwrap().stdout), expected);
    }
}

#[test]
fn a_time_limit_ends_it() {
    let world = World::new();
    let began = Instant::now();
    let done = world.run(&["--yes", "--timeout", "300", "--", "sleep 60 & sleep 60"]);
    assert!(began.elapsed() < Duration::from_secs(5));
    assert_eq!(done.status.code(), Some(143));
    assert!(
        text(&done.stderr).contains("time limit was reached"),
        "{}",
        text(&done.stderr)
    );
}

#[test]
fn an_interrupt_ends_it_and_its_last_words_are_shown() {
    let world = World::new();
    let mut command = world.prepare(Command::new(env!("CARGO_BIN_EXE_portcullis")));
    let child = command
        .args([
            "run",
            "--engine",
            "native",
            "--yes",
            "--",
            "trap 'echo bye; exit 9' TERM; touch ready; while :; do sleep 0.1; done",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let until = Instant::now() + Duration::from_secs(10);
    while !world.work().join("ready").exists() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    let interrupt = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(interrupt.success());
    let output = child.wait_with_output().unwrap();
    assert!(
        text(&output.stdout).ends_with("bye\n"),
        "{}",
        text(&output.stdout)
    );
    assert_eq!(output.status.code(), Some(9));
}

#[test]
fn tasks_are_listed_read_and_stopped() {
    let world = World::new();
    let started = world.run(&[
        "--yes",
        "--background",
        "--",
        "echo one; sleep 0.3; echo two",
    ]);
    let id = text(&started.stdout).trim().to_owned();
    let listed = text(&world.portcullis(&["tasks", "list"]).stdout);
    assert!(
        listed.contains(&id) && listed.contains("running"),
        "{listed}"
    );
    let read = world.portcullis(&["tasks", "output", &id, "--block"]);
    assert_eq!(text(&read.stdout), "one\ntwo\n");
    assert!(text(&read.stderr).contains("ended with exit code 0"));
    let started = world.run(&["--yes", "--background", "--json", "--", "sleep 999"]);
    let json: serde_json::Value = serde_json::from_slice(&started.stdout).unwrap();
    assert_eq!(
        (json["status"].as_str(), json["how"].as_str()),
        (Some("backgrounded"), Some("explicit"))
    );
    let id = json["taskId"].as_str().unwrap();
    assert!(world.portcullis(&["tasks", "stop", id]).status.success());
    let again = world.portcullis(&["tasks", "stop", id]);
    assert!(again.status.success() && text(&again.stderr).contains("had ended before"));
    let unknown = world.portcullis(&["tasks", "stop", "bnosuchtask"]);
    assert_eq!(unknown.status.code(), Some(2));
}

#[test]
fn on_a_terminal_a_person_is_asked() {
    if Command::new("script").arg("--version").output().is_err() {
        println!("not tried: there is no `script` to make a terminal");
        return;
    }
    let world = World::new();
    let shown = world.on_terminal("touch a", "n\n");
    assert!(
        shown.contains("Run it?")
            && shown.contains("portcullis: not run\n")
            && shown.contains("status 126"),
        "{shown}"
    );
    // The verdict is said once.
    assert_eq!(shown.matches("writes files").count(), 1, "{shown}");
    assert!(!world.work().join("a").exists());
    let shown = world.on_terminal("touch a", "what\ny\n");
    assert!(shown.contains("status 0"), "{shown}");
    assert!(world.work().join("a").exists());
    // Always: the suggested rule is stored, and the next time nobody is asked.
    let shown = world.on_terminal("touch b c", "a\n");
    assert!(shown.contains("stored in"), "{shown}");
    let stored = std::fs::read_to_string(world.work().join("portcullis.local.toml")).unwrap();
    assert!(stored.contains("touch"), "{stored}");
    let done = world.run(&["--", "touch b c"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    // What a command prints cannot repaint the terminal.
    let shown = world.on_terminal("echo x[2Jy", "y\n");
    assert!(!shown.contains("\u{1b}[2J"));
}

#[test]
fn a_projects_allow_rules_count_once_its_file_is_trusted() {
    let world = World::new();
    let file = world.work().join("portcullis.toml");
    std::fs::write(
        &file,
        "[rules]\nallow = [\"npm test:*\"]\ndeny = [\"curl:*\"]\n",
    )
    .unwrap();
    let check = |command: &str| {
        let args = ["check", "--engine", "native", "--", command];
        world.portcullis(&args).status.code()
    };
    assert_eq!((check("npm test"), check("curl x")), (Some(3), Some(4)));
    let trusted = world.portcullis(&["config", "trust", "portcullis.toml"]);
    assert!(trusted.status.success(), "{}", text(&trusted.stderr));
    assert_eq!(check("npm test"), Some(0));
    std::fs::write(&file, "[rules]\nallow = [\"npm test:*\", \"rm:*\"]\n").unwrap();
    assert_eq!((check("npm test"), check("rm x")), (Some(3), Some(3)));
}

#[test]
fn rules_that_do_not_do_what_they_look_like_are_told() {
    let world = World::new();
    let wide = world.portcullis(&["rules", "lint", "--allow", "python3:*"]);
    assert_eq!(wide.status.code(), Some(1));
    assert!(
        text(&wide.stdout).contains("`python3:*`"),
        "{}",
        text(&wide.stdout)
    );
    let fine = world.portcullis(&["rules", "lint", "--allow", "npm test:*"]);
    assert_eq!(
        (fine.status.code(), text(&fine.stdout)),
        (Some(0), String::new())
    );
}

#[test]
fn past_commands_are_replayed() {
    let world = World::new();
    let list = "ls\nnpm run x\nnpm run x\n{\"command\":\"cargo test\"}\n{\"torn\n";
    std::fs::write(world.work().join("list"), list).unwrap();
    let told = world.portcullis(&[
        "replay",
        "--engine",
        "native",
        "--no-config",
        "--json",
        "list",
    ]);
    let summary: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    assert_eq!(
        (
            &summary["commands"],
            &summary["allow"],
            &summary["ask"],
            &summary["unreadable"]
        ),
        (&4.into(), &1.into(), &3.into(), &1.into())
    );
    assert_eq!(summary["rules"][0]["questions"], 2);
    let missing = world.portcullis(&["replay", "--engine", "native", "nothing"]);
    assert_eq!(missing.status.code(), Some(2));
}
