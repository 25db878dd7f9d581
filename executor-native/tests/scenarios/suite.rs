//! What the whole program leaves behind, looked at when it ends: no process of ours, no descriptor, no folder.
//!
//! The test harness has no end to hook into, so this is an exit handler of the C library; what it finds, it prints, and
//! the program then fails although every test passed.

use std::{collections::BTreeSet, fs, path::PathBuf, sync::Once, time::Duration};

use crate::common::{eventually, everything_of, kill};

static ONCE: Once = Once::new();
static BEFORE: std::sync::OnceLock<BTreeSet<String>> = std::sync::OnceLock::new();

/// All folders of this program begin so.
fn prefix() -> String {
    format!("scenario-{}-", std::process::id())
}

/// A folder for one test.
pub(crate) fn folder() -> tempfile::TempDir {
    ONCE.call_once(|| {
        // The first runtime makes tokio's one pair of sockets for signals, which stays.
        let runtime = || {
            tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
        };
        let _ = std::thread::spawn(move || drop(runtime())).join();
        let _ = BEFORE.set(open_files());
        // SAFETY: a plain function that lives as long as the program.
        unsafe { libc::atexit(look) };
    });
    tempfile::Builder::new()
        .prefix(&prefix())
        .tempdir()
        .unwrap()
}

/// What our descriptors are open on, but for the harness's own pipes and what belongs to nobody.
fn open_files() -> BTreeSet<String> {
    fs::read_dir("/proc/self/fd")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let target = fs::read_link(entry.path()).ok()?;
            Some(format!(
                "{} {}",
                entry.file_name().to_str()?,
                target.display()
            ))
        })
        .filter(|line| !line.contains("/proc/") && !line.contains("/dev/null"))
        .collect()
}

extern "C" fn look() {
    let mut wrong = Vec::new();
    let base = std::env::temp_dir().join(prefix());
    let ours = |path: &PathBuf| {
        path.as_os_str()
            .as_encoded_bytes()
            .starts_with(base.as_os_str().as_encoded_bytes())
    };
    let folders: Vec<PathBuf> = fs::read_dir(std::env::temp_dir())
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(ours)
        .collect();
    for folder in &folders {
        wrong.push(format!("a folder: {}", folder.display()));
        let _ = fs::remove_dir_all(folder);
    }
    // Children that nobody waited for, and whatever stands on a folder of ours.
    let me = std::process::id() as i32;
    let none = eventually(Duration::from_secs(5), || {
        executor_native::spawn::tree::descendants(me)
            .is_empty()
            .then_some(())
    });
    if none.is_none() {
        for found in executor_native::spawn::tree::descendants(me) {
            let line = executor_native::spawn::tree::command_line(found.pid);
            wrong.push(format!(
                "a process: {} (dead: {}) {line}",
                found.pid, found.dead
            ));
        }
    }
    for (pid, line) in everything_with(&base) {
        wrong.push(format!("a process: {pid} {line}"));
        kill(pid);
    }
    let before = BEFORE.get().cloned().unwrap_or_default();
    let extra: Vec<String> = open_files().difference(&before).cloned().collect();
    if !extra.is_empty() {
        wrong.push(format!("descriptors: {extra:?}"));
    }
    if !wrong.is_empty() {
        eprintln!("\nleft behind by the suite:\n  {}", wrong.join("\n  "));
        // SAFETY: ends the program at once, which is wanted.
        unsafe { libc::_exit(101) };
    }
}

fn everything_with(base: &std::path::Path) -> Vec<(i32, String)> {
    everything_of(base)
}

#[test]
fn what_is_left_behind_is_seen() {
    // The watchman is watched: a folder, an open file and a process of a test are all found while they are there.
    let folder = folder();
    let file = fs::File::create(folder.path().join("f")).unwrap();
    assert!(
        open_files()
            .iter()
            .any(|line| line.contains(folder.path().to_str().unwrap()))
    );
    let mut child = std::process::Command::new("sleep")
        .arg("30")
        .env("MARK", folder.path())
        .spawn()
        .unwrap();
    let seen = everything_of(folder.path());
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(
        seen.iter().any(|(pid, _)| *pid == child.id() as i32),
        "{seen:?}"
    );
    drop(file);
    assert!(everything_of(folder.path()).is_empty());
}
