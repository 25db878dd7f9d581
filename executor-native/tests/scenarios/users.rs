//! A host that runs as another user, for what root cannot show: limits that bind, and processes it may not signal.

use std::{
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
    path::PathBuf,
    process::{Command, Stdio},
};

use crate::common::World;

/// Nobody's own number, so that limits on its processes count only ours.
const USER: u32 = 54_321;

/// The command line as that user on the folders of `world`; `None`, and said so, where we are not root.
pub(crate) fn host_as_another(world: &World, limits: &[&str], args: &[&str]) -> Option<Command> {
    let owner = std::fs::metadata("/proc/self").unwrap().uid();
    if owner != 0 {
        println!("not tried: only root can become another user");
        return None;
    }
    let root = world.root.path();
    std::fs::set_permissions(root, std::fs::Permissions::from_mode(0o755)).unwrap();
    for folder in [world.work(), world.state()] {
        chown_all(&folder);
    }
    let program = root.join("portcullis");
    if !program.exists() {
        // Where it was built may be closed to others.
        std::fs::copy(env!("CARGO_BIN_EXE_portcullis"), &program).unwrap();
    }
    let mut command = Command::new("setpriv");
    command
        .args([format!("--reuid={USER}"), format!("--regid={USER}")])
        .args(["--clear-groups", "prlimit"])
        .args(limits)
        .arg(&program)
        .args(["run", "--yes", "--no-config", "--engine", "native"])
        .args(args)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", world.work())
        .env("PORTCULLIS_STATE_DIR", world.state())
        .env("PORTCULLIS_SHELL", "/bin/bash")
        .current_dir(world.work())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Some(command)
}

fn chown_all(path: &PathBuf) {
    chown(path, Some(USER), Some(USER)).unwrap();
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        match entry.path().is_dir() {
            true => chown_all(&entry.path()),
            false => chown(entry.path(), Some(USER), Some(USER)).unwrap(),
        }
    }
}

/// Live processes of that user.
pub(crate) fn processes() -> Vec<i32> {
    std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter(|entry| entry.metadata().is_ok_and(|meta| meta.uid() == USER))
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| executor_native::spawn::tree::stat(*pid).is_some_and(|stat| !stat.is_dead()))
        .collect()
}
