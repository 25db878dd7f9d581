//! F: the command means what it means in a shell of its own, and its last directory is known all the same.

use std::path::PathBuf;

use executor_native::{RunError, Session, input::Input, spawn::FailureKind};

use crate::common::*;

/// A session whose workspace is everything, so that a directory is kept wherever it is.
fn free(world: &World) -> Session {
    world.session_with(|options| options.workspace = vec![PathBuf::from("/")])
}

/// Runs in a fresh session; gives output, exit code and last directory.
async fn after(world: &World, command: &str) -> (String, Option<i32>, PathBuf) {
    let session = free(world);
    let done = run(&session, command).await;
    (done.stdout, done.exit_code, session.cwd())
}

#[test]
fn f02_errexit_means_what_it_says() {
    test(async {
        let world = World::new();
        let done = after(&world, "set -e; cd /usr; false; echo no").await;
        assert_eq!(done, (String::new(), Some(1), PathBuf::from("/usr")));
    });
}

#[test]
fn f09_what_is_not_a_command_is_a_clean_error() {
    test(async {
        let world = World::new();
        for command in [
            "echo \"x",
            "echo 'x",
            "(",
            "if true; then",
            "echo $(",
            "cat <<",
            "a |",
            "done",
        ] {
            let (printed, code, cwd) = after(&world, command).await;
            assert_ne!(code, Some(0), "{command}");
            assert_eq!(cwd, world.work(), "{command}");
            assert!(
                !printed.contains("__p") && !printed.contains("builtin"),
                "{command}: {printed}"
            );
        }
    });
}

#[test]
fn f11_who_breaks_the_report_breaks_only_the_report() {
    test(async {
        let world = World::new();
        for command in [
            "builtin(){ :; }; cd /usr",
            "enable -n builtin pwd printf; cd /usr",
            "unset -f __portcullis_report; cd /usr",
            r"for fd in /proc/self/fd/*; do printf 'C/evil\0E0\0' > $fd; done 2>/dev/null; cd /usr",
            "exec 97>&-; cd /usr",
        ] {
            let (_, code, cwd) = after(&world, command).await;
            assert!(code.is_some());
            assert!(
                cwd == world.work() || cwd == std::path::Path::new("/usr"),
                "{command}: {cwd:?}"
            );
        }
    });
}

#[test]
fn f15_any_name_is_a_directory() {
    test(async {
        let world = World::new();
        let session = world.session();
        for name in ["it's", "a b", "a\nb", "nl\n", "-x", "é", "$(x)", "*"] {
            let path = world.work().join(name);
            std::fs::create_dir(&path).unwrap();
            let quoted = name.replace('\'', "'\\''");
            run(
                &session,
                &format!("cd -- '{}'/'{quoted}'", world.work().display()),
            )
            .await;
            assert_eq!(session.cwd(), path);
            assert_eq!(run(&session, "pwd; cd ..").await.exit_code, Some(0));
        }
        let odd = run(&session, r"d=$(printf 'x\xff'); mkdir -- $d; cd -- $d").await;
        assert_eq!(odd.exit_code, Some(0));
        assert!(session.cwd().to_str().is_none());
        assert_eq!(
            run(&session, "pwd >/dev/null && echo here").await.stdout,
            "here"
        );
    });
}

#[test]
fn f16_f17_a_directory_that_is_gone_is_not_the_end() {
    test(async {
        let world = World::new();
        let session = world.session();
        let done = run(&session, "mkdir d; cd d; rmdir ../d").await;
        assert_eq!(done.exit_code, Some(0));
        assert_eq!(
            run(&session, "pwd").await.stdout,
            world.work().to_str().unwrap()
        );
        run(&session, "mkdir d; cd d").await;
        assert_eq!(session.cwd(), world.work().join("d"));
        std::fs::remove_dir(world.work().join("d")).unwrap();
        let done = run(&session, "pwd").await;
        assert_eq!(done.stdout, world.work().to_str().unwrap());
        assert!(
            done.notes
                .iter()
                .any(|note| note.contains("is not there any more"))
        );
        assert_eq!(session.cwd(), world.work());
        let work = world.work();
        std::fs::remove_dir_all(&work).unwrap();
        match session.run(Input::new("pwd")).await {
            Err(RunError::Start(failure)) => assert_eq!(failure.kind, FailureKind::CwdMissing),
            other => panic!("{other:?}"),
        }
        std::fs::create_dir(&work).unwrap();
        assert_eq!(run(&session, "pwd").await.stdout, work.to_str().unwrap());
    });
}

#[test]
fn f21_the_directory_before_is_remembered() {
    test(async {
        let world = World::new();
        let session = free(&world);
        run(&session, "cd /usr").await;
        assert_eq!(
            run(&session, "cd -").await.stdout,
            world.work().to_str().unwrap()
        );
        assert_eq!(session.cwd(), world.work());
    });
}

#[test]
fn f_leaving_the_workspace_leads_back_to_its_root() {
    test(async {
        let world = World::new();
        let session = world.session();
        let done = run(&session, "cd /usr").await;
        assert_eq!(
            done.stderr,
            format!("Shell cwd was reset to {}", world.work().display())
        );
        assert_eq!(session.cwd(), world.work());
        run(&session, "mkdir -p a/b; cd a/b").await;
        assert_eq!(session.cwd(), world.work().join("a/b"));
        let helper =
            world.session_with(|options| options.kind = policy_core::facts::Session::Subagent);
        run(&helper, "cd a").await;
        assert_eq!(helper.cwd(), world.work());
    });
}

#[test]
fn f23_f25_exit_codes_are_the_kernels() {
    test(async {
        let world = World::new();
        let session = world.session();
        let term = run(&session, "kill -TERM $$").await;
        assert_eq!(
            (term.exit_code, term.signal, term.is_error),
            (Some(143), Some(15), true)
        );
        assert!(
            term.for_model()
                .starts_with("Exit code 143 (ended by signal 15)")
        );
        let spoofed = run(&session, "trap 'false' EXIT; exit 0").await;
        assert_eq!(spoofed.exit_code, Some(0));
        assert_eq!(run(&session, "nosuchcommand").await.exit_code, Some(127));
        assert_eq!(run(&session, "exit 255").await.exit_code, Some(255));
    });
}

#[test]
fn f18_a_directory_that_may_not_be_entered_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let closed = world.work().join("closed");
    std::fs::create_dir(&closed).unwrap();
    let mode =
        |mode| std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(mode)).unwrap();
    let args = ["--cwd", closed.to_str().unwrap(), "--", "echo hi"];
    let Some(mut host) = crate::users::host_as_another(&world, &["--nproc=100"], &args) else {
        return;
    };
    mode(0o000);
    let output = host.output().unwrap();
    mode(0o755);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_ne!(output.status.code(), Some(0));
    assert!(
        told.contains("cannot enter the working directory") && told.contains("Permission denied"),
        "{told}"
    );
}

#[test]
fn f19_a_workspace_behind_a_link_is_the_same_workspace() {
    test(async {
        let world = World::new();
        let link = world.root.path().join("link");
        std::os::unix::fs::symlink(world.work(), &link).unwrap();
        std::fs::create_dir(world.work().join("sub")).unwrap();
        let session = world.session_with(|options| {
            options.cwd = Some(link.clone());
            options.workspace = vec![link.clone()];
        });
        // The shell goes by the name it was given, as a person's does.
        assert_eq!(run(&session, "pwd").await.stdout, link.to_str().unwrap());
        let done = run(&session, "cd sub").await;
        assert_eq!(done.stderr, "", "it is inside");
        assert_eq!(session.cwd(), world.work().join("sub"));
        let done = run(&session, "cd ..").await;
        assert_eq!(done.stderr, "");
        let done = run(&session, "cd /usr").await;
        assert_eq!(
            done.stderr,
            format!("Shell cwd was reset to {}", link.display())
        );
    });
}

#[test]
fn f30_line_ends_of_other_systems_are_as_bash_takes_them() {
    test(async {
        let world = World::new();
        // bash reads the carriage return as a character of the word; the text that runs is the one that was judged, so
        // nothing is repaired on the way.
        let (printed, _, cwd) = after(&world, "echo hi\r\ncd /usr").await;
        assert_eq!((printed.trim_end(), cwd), ("hi", PathBuf::from("/usr")));
        let (_, code, _) = after(&world, "false\r\n").await;
        assert_eq!(code, Some(127));
        let (printed, code, _) = after(&world, "\u{feff}echo hi").await;
        assert_eq!(code, Some(127), "{printed}");
        let (printed, code, _) = after(&world, "echo a\u{a0}b\u{2028}c").await;
        assert_eq!((printed.as_str(), code), ("a\u{a0}b\u{2028}c", Some(0)));
        let (_, code, _) = after(&world, "-x").await;
        assert_eq!(code, Some(127));
    });
}

#[test]
fn f34_a_daemon_that_holds_the_report_holds_nothing_up() {
    test(async {
        let world = World::new();
        let session = free(&world);
        let done = run(&session, "cd /usr; sleep 994 & echo hi").await;
        assert_eq!(done.leaked.len(), 1);
        let held = std::fs::read_link(format!("/proc/{}/fd/97", done.leaked[0].pid));
        assert!(held.is_ok(), "the daemon has the report's descriptor");
        assert_eq!(
            (done.stdout.as_str(), session.cwd()),
            ("hi", PathBuf::from("/usr"))
        );
    });
}
