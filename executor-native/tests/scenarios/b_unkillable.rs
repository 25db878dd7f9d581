//! B, the hard ones: processes that cannot be ended, may not be ended, or are made faster than they are.

use std::{
    io::{BufRead, BufReader},
    os::unix::fs::PermissionsExt,
    process::{Command, Stdio},
    time::Duration,
};

use executor_native::{input::Input, lifecycle::Abort, spawn::RunState};

use crate::{b_killing::ready, common::*, users};

/// One at a time: they count the processes of the same user.
static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());

fn alone() -> std::sync::MutexGuard<'static, ()> {
    ALONE
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[test]
fn b08_a_fork_bomb_ends_and_its_host_still_answers() {
    let _alone = alone();
    let world = World::new();
    // Forty processes at most; the host takes its threads out of them too.
    let bomb = ":(){ :|:& };: ; sleep 60";
    let args = ["--timeout", "1500", "--", bomb];
    let Some(mut host) = users::host_as_another(&world, &["--nproc=40"], &args) else {
        return;
    };
    let output = host.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    // By the first signal or the last: a shell that waits to fork again hears neither at once.
    assert!(matches!(output.status.code(), Some(143 | 137)), "{text}");
    assert!(text.contains("time limit"), "{text}");
    let empty = eventually(Duration::from_secs(10), || {
        users::processes().is_empty().then_some(())
    });
    let left = users::processes();
    left.iter().for_each(|pid| kill(*pid));
    assert!(empty.is_some(), "{left:?}");
    let mut host = users::host_as_another(&world, &["--nproc=40"], &["--", "echo alive"]).unwrap();
    assert_eq!(host.output().unwrap().stdout, b"alive\n");
}

#[test]
fn b19_what_may_not_be_signalled_is_named() {
    let _alone = alone();
    let world = World::new();
    // A program that becomes root, as sudo does. The world's folder is closed to others until it is given away.
    let python = world.root.path().join("python");
    std::fs::copy("/usr/bin/python3", &python).unwrap();
    std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o4755)).unwrap();
    let text = "import os,time\nos.setreuid(0,0)\nopen(\"ready\",\"w\").write(str(os.getpid()))\ntime.sleep(60)";
    let command = format!("{} -c '{text}'", python.display());
    let args = ["--timeout", "1000", "--json", "--", &command];
    let Some(mut host) = users::host_as_another(&world, &["--nproc=100"], &args) else {
        return;
    };
    let output = host.output().unwrap();
    let root: i32 = std::fs::read_to_string(world.work().join("ready"))
        .unwrap()
        .parse()
        .unwrap();
    let alive = executor_native::spawn::tree::stat(root).is_some_and(|stat| !stat.is_dead());
    kill(root);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(alive, "it was ended after all: {told}");
    assert_eq!(told["killUnconfirmed"], serde_json::json!([root]), "{told}");
    assert!(told["timedOut"].as_bool().unwrap());
}

/// A file system whose answers never come, and whoever waits for one cannot be ended.
const HUNG: &str = r#"
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
fd = os.open("/dev/fuse", os.O_RDWR)
options = b"fd=%d,rootmode=40000,user_id=0,group_id=0" % fd
if libc.mount(b"hung", sys.argv[1].encode(), b"fuse", 0, options) != 0:
    sys.exit(os.strerror(ctypes.get_errno()))
request = os.read(fd, 1 << 20)
unique = struct.unpack_from("<Q", request, 8)[0]
reply = struct.pack("<IIIIHHIIHHI7I", 7, 31, 131072, 0, 16, 12, 131072, 1, 0, 0, 0, *[0] * 7)
os.write(fd, struct.pack("<IiQ", 16 + len(reply), 0, unique) + reply)
print("mounted", flush=True)
while True:
    os.read(fd, 1 << 20)
"#;

#[test]
fn b09_a_process_that_waits_in_the_kernel_is_not_waited_for() {
    let world = World::new();
    let mount = world.root.path().join("mount");
    std::fs::create_dir(&mount).unwrap();
    let mut system = Command::new("python3")
        .args(["-c", HUNG])
        .arg(&mount)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(system.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let mounted = line.trim() == "mounted";
    if !mounted {
        println!("not tried: a file system of our own cannot be mounted here");
    } else {
        let result = std::panic::catch_unwind(|| {
            within(Duration::from_secs(60), async {
                let session = world.session();
                let command = format!("touch ready; cat '{}/x'", mount.display());
                let running = session.start(Input::new(command));
                ready(&world).await;
                tokio::time::sleep(Duration::from_millis(300)).await;
                running.abort(Abort::Because("the test".into())).await;
                let outcome = running.outcome().await.unwrap();
                let done = outcome.finished().unwrap();
                assert_eq!(done.state, RunState::Killed);
                assert_eq!(done.kill_unconfirmed.len(), 1, "{done:?}");
                let words = done.for_model();
                assert!(words.contains("Could not be ended"), "{words}");
            });
        });
        // The end of its server lets the waiting process go.
        system.kill().unwrap();
        system.wait().unwrap();
        let unmounted = Command::new("umount")
            .arg("-l")
            .arg(&mount)
            .status()
            .unwrap();
        assert!(unmounted.success());
        result.unwrap();
    }
    let _ = system.wait();
}
