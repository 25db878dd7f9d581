//! One executor a test, on a state folder of its own; a policy that allows, since policy is not tested here.
//!
//! What is left behind fails: a process, file or descriptor of one test at its own end (`World::drop`), of all of them at
//! the end of the program (`suite`).

use std::{
    fs,
    future::Future,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use executor_native::{
    Executor, ExecutorOptions, Outcome, Session, SessionOptions,
    engine::{Engine, EngineFault},
    input::{Input, Timeouts},
    plan::Limits,
    session::{Backgrounded, Finished},
    shell::{Kind, Shell},
    spawn::Program,
};
use policy_core::{
    Decision,
    diagnostic::Code,
    wire::{Request, Verdict},
};

/// Says the same to everything.
pub(crate) struct Always(pub(crate) Decision);

impl Engine for Always {
    fn name(&self) -> &'static str {
        "always"
    }

    fn call(&mut self, _: &str, json: &str) -> Result<String, EngineFault> {
        let request: Request = serde_json::from_str(json).unwrap();
        let mut verdict = Verdict::careful(&request.command, Code::RuleNone, String::from("test"));
        verdict.decision = self.0;
        verdict
            .conditions
            .env
            .insert("FROM_THE_VERDICT".into(), "1".into());
        Ok(serde_json::to_string(&verdict).unwrap())
    }
}

/// A test's world: a workspace, a state folder, an executor.
pub(crate) struct World {
    pub(crate) root: tempfile::TempDir,
    pub(crate) executor: Option<Executor>,
}

/// What a test may want differently.
pub(crate) struct Wants {
    pub(crate) limits: Limits,
    pub(crate) timeouts: Timeouts,
    pub(crate) inline: usize,
    pub(crate) decision: Decision,
}

impl Default for Wants {
    fn default() -> Self {
        Self {
            limits: Limits {
                grace: 300,
                ..Limits::default()
            },
            timeouts: Timeouts {
                default: 120_000,
                most: 600_000,
            },
            inline: 30_000,
            decision: Decision::Allow,
        }
    }
}

impl World {
    pub(crate) fn new() -> Self {
        Self::wanting(Wants::default())
    }

    pub(crate) fn wanting(wants: Wants) -> Self {
        let root = crate::suite::folder();
        fs::create_dir(root.path().join("work")).unwrap();
        let executor = make(&root.path().join("state"), wants);
        Self {
            root,
            executor: Some(executor),
        }
    }

    pub(crate) fn executor(&self) -> &Executor {
        self.executor.as_ref().unwrap()
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.root.path().join("state")
    }

    /// The workspace, as the file system names it.
    pub(crate) fn work(&self) -> PathBuf {
        self.root.path().join("work").canonicalize().unwrap()
    }

    pub(crate) fn options(&self) -> SessionOptions {
        SessionOptions {
            cwd: Some(self.work()),
            workspace: vec![self.work()],
            snapshot: false,
            shell: Some(Shell {
                path: "/bin/bash".into(),
                kind: Kind::Bash,
            }),
            ..SessionOptions::new("test")
        }
    }

    pub(crate) fn session(&self) -> Session {
        self.executor().session(self.options()).unwrap()
    }

    pub(crate) fn session_with(&self, change: impl FnOnce(&mut SessionOptions)) -> Session {
        let mut options = self.options();
        change(&mut options);
        self.executor().session(options).unwrap()
    }

    /// A session with this shell.
    pub(crate) fn zsh(&self) -> Session {
        self.session_with(|options| {
            options.shell = Some(Shell {
                path: "/usr/bin/zsh".into(),
                kind: Kind::Zsh,
            });
        })
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.executor = None;
        let root = self.root.path().to_owned();
        let left = eventually(Duration::from_secs(10), || {
            let left = everything_of(&root);
            left.is_empty().then_some(())
        });
        let survivors = everything_of(&root);
        for (pid, _) in &survivors {
            kill(*pid);
        }
        // Nobody writes there any more.
        let removed = fs::remove_dir_all(&root);
        if std::thread::panicking() {
            return;
        }
        assert!(left.is_some(), "processes left behind: {survivors:?}");
        // A test that locks its folders opens them again.
        removed.unwrap();
    }
}

pub(crate) fn make(state: &Path, wants: Wants) -> Executor {
    let mut options = ExecutorOptions::new(Box::new(Always(wants.decision)));
    options.supervisor = Some(Program::at(env!("CARGO_BIN_EXE_portcullis")));
    options.state = Some(state.to_owned());
    options.limits = wants.limits;
    options.timeouts = wants.timeouts;
    options.inline = wants.inline;
    Executor::new(options).unwrap()
}

/// Ends a process that a test of ours left behind.
pub(crate) fn kill(pid: i32) {
    let _ = rustix_kill(pid);
}

fn rustix_kill(pid: i32) -> std::io::Result<()> {
    let target = executor_native::spawn::tree::Identity::of(pid);
    target.signal(executor_native::spawn::tree::KILL)
}

/// Runs a test on a runtime of its own, within a time limit.
pub(crate) fn within<F: Future<Output = ()>>(limit: Duration, test: F) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        tokio::time::timeout(limit, test)
            .await
            .expect("the test took too long");
    });
}

/// Ten seconds are plenty for nearly all.
pub(crate) fn test<F: Future<Output = ()>>(test: F) {
    within(Duration::from_secs(20), test);
}

pub(crate) async fn run(session: &Session, command: &str) -> Finished {
    match session.run(Input::new(command)).await {
        Ok(Outcome::Finished(finished)) => *finished,
        other => panic!("`{command}`: {other:?}"),
    }
}

pub(crate) async fn run_with(session: &Session, input: Input) -> Finished {
    match session.run(input).await {
        Ok(Outcome::Finished(finished)) => *finished,
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn background(session: &Session, command: &str) -> Backgrounded {
    let input = Input {
        run_in_background: true,
        ..Input::new(command)
    };
    match session.run(input).await {
        Ok(Outcome::Backgrounded(backgrounded)) => backgrounded,
        other => panic!("`{command}`: {other:?}"),
    }
}

/// Looks until there is something, or the time is up. Blocks; for use outside of futures or with little to do.
pub(crate) fn eventually<T>(limit: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let until = Instant::now() + limit;
    loop {
        if let Some(found) = look() {
            return Some(found);
        }
        if Instant::now() >= until {
            return None;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Live processes whose command line or environment names `root`: commands (by `PWD`), and supervisors' children.
pub(crate) fn processes_of(root: &Path) -> Vec<(i32, String)> {
    let needle = root.to_str().unwrap().as_bytes();
    let holds = |bytes: Vec<u8>| bytes.windows(needle.len()).any(|window| window == needle);
    each_process(|pid| {
        let environ = fs::read(format!("/proc/{pid}/environ")).is_ok_and(holds);
        let cmdline = || fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(holds);
        environ || cmdline()
    })
}

/// Those, and the supervisors that have a file open there: their own environment is empty.
pub(crate) fn everything_of(root: &Path) -> Vec<(i32, String)> {
    let mut found = processes_of(root);
    found.extend(each_process(|pid| holds_open(pid, root)));
    found.sort();
    found.dedup();
    found
}

fn holds_open(pid: i32, root: &Path) -> bool {
    fs::read_dir(format!("/proc/{pid}/fd"))
        .into_iter()
        .flatten()
        .flatten()
        .any(|entry| fs::read_link(entry.path()).is_ok_and(|target| target.starts_with(root)))
}

/// Live processes with this word on their command line; use a number nobody else has.
pub(crate) fn processes_with(word: &str) -> Vec<i32> {
    let found = each_process(|pid| {
        fs::read(format!("/proc/{pid}/cmdline"))
            .is_ok_and(|line| line.split(|byte| *byte == 0).any(|w| w == word.as_bytes()))
    });
    found.into_iter().map(|(pid, _)| pid).collect()
}

fn each_process(mut wanted: impl FnMut(i32) -> bool) -> Vec<(i32, String)> {
    let me = std::process::id() as i32;
    fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| *pid != me && wanted(*pid))
        .filter(|pid| executor_native::spawn::tree::stat(*pid).is_some_and(|stat| !stat.is_dead()))
        .map(|pid| (pid, executor_native::spawn::tree::command_line(pid)))
        .collect()
}

/// Open descriptors of this process.
pub(crate) fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Files below the state folder, but for the folders themselves.
pub(crate) fn files_below(path: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => found.extend(files_below(&path)),
            false => found.push(path),
        }
    }
    found
}
