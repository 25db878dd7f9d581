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
fn f_the_directory_is_known_after_all_of_these() {
    within(std::time::Duration::from_secs(60), async {
        let world = World::new();
        let work = world.work();
        std::fs::create_dir(work.join("d")).unwrap();
        // Command, output (None: not compared), exit code, directory.
        let table: &[(&str, Option<&str>, i32, &str)] = &[
            ("cd /usr; false", Some(""), 1, "/usr"),
            ("cd /usr; exit 3", Some(""), 3, "/usr"),
            ("set -e; cd /usr; false; echo no", Some(""), 1, "/usr"),
            (
                "set -e\ncd /usr\nfalse || true\n(exit 4)\necho no",
                Some(""),
                4,
                "/usr",
            ),
            ("trap 'echo bye' EXIT; cd /usr", Some("bye"), 0, "/usr"),
            (
                "trap 'echo bye; exit 7' EXIT; cd /usr",
                Some("bye"),
                7,
                "/usr",
            ),
            ("trap 'cd /var' EXIT; cd /usr", Some(""), 0, "/var"),
            (
                "trap -- 'echo bye # c' EXIT; cd /usr",
                Some("bye"),
                0,
                "/usr",
            ),
            ("cd /usr; trap - EXIT", Some(""), 0, "/usr"),
            ("cd /usr; trap EXIT", Some(""), 0, "/usr"),
            (
                "cd /usr; trap 'echo $?' EXIT; (exit 5)",
                Some("5"),
                5,
                "/usr",
            ),
            (
                "trap x NOSUCH 2>/dev/null; echo $?; cd /usr",
                Some("1"),
                0,
                "/usr",
            ),
            (
                "trap 'echo u' USR1; trap -p USR1; cd /usr",
                Some("trap -- 'echo u' SIGUSR1"),
                0,
                "/usr",
            ),
            (
                "trap 'echo u' USR1; kill -USR1 $$; cd /usr",
                Some("u"),
                0,
                "/usr",
            ),
            ("cd /usr # comment", Some(""), 0, "/usr"),
            ("cd /usr; echo hi \\", None, 0, "/usr"),
            ("cd /usr; cat <<EOF\nbody\nEOF", Some("body"), 0, "/usr"),
            (
                "pwd(){ echo evil; }; printf(){ echo evil; }; cd /usr",
                Some(""),
                0,
                "/usr",
            ),
            // One more `+` than at top level: the text is evaluated.
            ("set -x; cd /usr", Some("++ cd /usr"), 0, "/usr"),
            (
                "set -u; cd /usr\n\necho $NOSUCH; echo no",
                Some("bash: line 3: NOSUCH: unbound variable"),
                127,
                "/usr",
            ),
            ("ulimit -f 0; cd /usr", Some(""), 0, "/usr"),
            ("umask 777; cd /usr", Some(""), 0, "/usr"),
            ("set -o noclobber; cd /usr", Some(""), 0, "/usr"),
            ("PATH=; cd /usr", Some(""), 0, "/usr"),
            ("IFS=/; cd /usr", Some(""), 0, "/usr"),
            ("set -o posix; cd /usr", Some(""), 0, "/usr"),
            ("set -f; cd /usr", Some(""), 0, "/usr"),
            ("exec >/dev/null; cd /usr", Some(""), 0, "/usr"),
            (
                "for fd in 3 4 5 6 7 8 9; do eval \"exec $fd>&-\"; done; cd /usr",
                Some(""),
                0,
                "/usr",
            ),
            ("f(){ cd /usr; return 6; }; f", Some(""), 6, "/usr"),
            ("(cd /usr)", Some(""), 0, ""),
            ("cd /usr | cat", Some(""), 0, ""),
            ("cd /usr & wait", Some(""), 0, ""),
            (
                "(trap 'echo sub' EXIT; cd /usr); echo $?",
                Some("sub\n0"),
                0,
                "",
            ),
            ("cd /usr; (exit 1) || cd bin", Some(""), 0, "/usr/bin"),
            ("exec true", Some(""), 0, ""),
            ("cd /usr; exec bash -c 'exit 4'", Some(""), 4, ""),
            ("cd /usr; kill -9 $$", Some(""), 137, ""),
            ("CDPATH=/usr; cd bin", Some("/usr/bin"), 0, "/usr/bin"),
            ("cd d; rmdir ../d; mkdir ../d; cd ../d", Some(""), 0, "d"),
            ("echo a!b; cd /usr", Some("a!b"), 0, "/usr"),
            (
                "echo '$HOME `echo pwn`'; cd /usr",
                Some("$HOME `echo pwn`"),
                0,
                "/usr",
            ),
            ("[[ abc == @(abc) ]]; echo $?; cd /usr", None, 0, "/usr"),
            ("echo $0; cd /usr", Some("bash"), 0, "/usr"),
            ("return 3; cd /usr", None, 0, "/usr"),
            ("true &&\n\n\ncd /usr", Some(""), 0, "/usr"),
            ("if true; then cd /usr; fi;", Some(""), 0, "/usr"),
            ("", Some(""), 0, ""),
            ("   ", Some(""), 0, ""),
            ("# nothing", Some(""), 0, ""),
        ];
        let mut wrong = Vec::new();
        for (command, output, code, directory) in table {
            let (printed, exit, cwd) = after(&world, command).await;
            let expected = work.join(directory);
            let expected = expected.to_str().unwrap().trim_end_matches('/');
            let fine = output.is_none_or(|output| output == printed)
                && exit == Some(*code)
                && cwd.to_str() == Some(expected);
            if !fine || printed.contains("__p") {
                wrong.push(format!("{command:?}: {printed:?} {exit:?} {cwd:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
fn f31_zsh_reports_too() {
    within(std::time::Duration::from_secs(30), async {
        if !std::path::Path::new("/usr/bin/zsh").exists() {
            println!("not tried: there is no zsh");
            return;
        }
        let world = World::new();
        for (command, code, directory) in [
            ("cd /usr; false", 1, "/usr"),
            ("cd /usr; exit 3", 3, "/usr"),
            ("set -e; cd /usr; false; echo no", 1, "/usr"),
            ("trap 'echo bye' EXIT; cd /usr", 0, "/usr"),
            ("cd /usr # comment", 0, ""),
            ("cat <<EOF\nbody\nEOF\ncd /usr", 0, "/usr"),
            ("(cd /usr)", 0, ""),
            ("f(){ cd /usr }; f", 0, "/usr"),
            ("cd /usr; echo $ZSH_VERSION", 0, "/usr"),
        ] {
            let mut options = world.options();
            options.workspace = vec![PathBuf::from("/")];
            options.shell = world.zsh().shell().clone().into();
            let session = world.executor().session(options).unwrap();
            let done = run(&session, command).await;
            assert_eq!(done.exit_code, Some(code), "{command}: {}", done.stdout);
            assert!(!done.stdout.contains("__p"), "{command}: {}", done.stdout);
            let expected = world.work().join(directory);
            // An interactive comment is no comment in a zsh script of its own; either reading is zsh's affair.
            if command != "cd /usr # comment" {
                assert_eq!(
                    session.cwd(),
                    PathBuf::from(expected.to_str().unwrap().trim_end_matches('/')),
                    "{command}"
                );
            }
        }
        let broken = run(&world.zsh(), "echo one\necho \"x").await;
        assert_ne!(broken.exit_code, Some(0));
    });
}
