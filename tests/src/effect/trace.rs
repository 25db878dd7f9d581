//! Runs one command in the tree, without network, under a system-call trace.

use std::{
    collections::BTreeMap,
    fs, io,
    process::{Command, Stdio},
};

use super::{
    acts::{Act, acts},
    tree::Tree,
};

/// Where tools are looked for: what the system installed, no version manager's stand-ins.
pub const PATH: &str = "/usr/bin:/bin:/usr/sbin:/sbin";

/// What a command did when it was run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Everything that changed, started or connected, in order.
    pub acts: Vec<Act>,
    /// Its exit code, `None` when it was ended by the time limit or a signal.
    pub code: Option<i32>,
}

/// Whether bwrap and strace are there.
#[must_use]
pub fn available() -> bool {
    let found = |program: &str, flag: &str| {
        Command::new(program)
            .arg(flag)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    };
    found("bwrap", "--version") && found("strace", "-V")
}

/// Runs `command` by `bash -c` at `/mnt/app`, with `env` set, for five seconds at most.
///
/// # Errors
/// When bwrap or strace cannot be started or left no trace.
pub fn run(tree: &Tree, command: &str, env: &BTreeMap<String, String>) -> io::Result<Run> {
    let out = tree.root().join("trace");
    fs::write(&out, "")?;
    let mut bwrap = Command::new("bwrap");
    bwrap
        .args([
            "--unshare-net",
            "--unshare-pid",
            "--unshare-ipc",
            "--unshare-uts",
            "--die-with-parent",
            "--new-session",
        ])
        .args([
            "--ro-bind",
            "/",
            "/",
            "--dev",
            "/dev",
            "--proc",
            "/proc",
            "--tmpfs",
            "/tmp",
            "--tmpfs",
            "/mnt",
        ])
        .arg("--bind")
        .arg(tree.app())
        .arg("/mnt/app")
        .args(["--tmpfs", "/home"])
        .arg("--bind")
        .arg(tree.home())
        .arg("/home/u")
        .arg("--bind")
        .arg(&out)
        .arg("/tmp/trace")
        .args(["--chdir", "/mnt/app", "--clearenv"])
        .args(["--setenv", "PATH", PATH])
        .args([
            "--setenv",
            "HOME",
            "/home/u",
            "--setenv",
            "npm_config_update_notifier",
            "false",
            "--setenv",
            "LC_ALL",
            "C.UTF-8",
            "--setenv",
            "USER",
            "u",
        ]);
    for (name, value) in env {
        bwrap.args(["--setenv", name, value]);
    }
    let status = bwrap
        .args(["timeout", "-k", "1", "5", "strace", "-f", "-qq",
            "-y", "-s", "300", "-o", "/tmp/trace"])
        .args(["-e", "trace=%file,%network,execve,execveat,ftruncate,fchmod,fchown,fsetxattr,sethostname,settimeofday,clock_settime"])
        .args(["bash", "--norc", "--noprofile", "-c", command])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    let trace = String::from_utf8_lossy(&fs::read(&out)?).into_owned();
    if trace.is_empty() {
        return Err(io::Error::other(format!("no trace of `{command}`")));
    }
    // The first start is bash itself.
    let acts = acts(&trace).into_iter().skip(1).collect();
    Ok(Run {
        acts,
        code: status.code().filter(|&code| code != 124 && code != 137),
    })
}
