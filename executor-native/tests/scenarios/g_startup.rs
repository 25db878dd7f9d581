//! G: whatever start-up files do, commands run, quickly, with what the user set and without what they hide.
//!
//! `HOME` of this process is set once for the whole group, so its tests run one after the other.

use std::{
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use executor_native::{
    Session,
    shell::{Kind, Shell},
};

use crate::common::*;

static HOME: Mutex<()> = Mutex::new(());

/// A home with this `.bash_profile`, for as long as it lives.
struct Home {
    folder: tempfile::TempDir,
    before: Option<std::ffi::OsString>,
    _only: MutexGuard<'static, ()>,
}

impl Home {
    fn with(file: &str, text: &str) -> Self {
        let only = HOME.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::Builder::new().prefix("home-").tempdir().unwrap();
        std::fs::write(folder.path().join(file), text).unwrap();
        let before = std::env::var_os("HOME");
        // SAFETY: nobody else in this program reads or writes the environment by pointer; std's own lock guards it.
        unsafe { std::env::set_var("HOME", folder.path()) };
        Self {
            folder,
            before,
            _only: only,
        }
    }

    fn bash(text: &str) -> Self {
        Self::with(".bash_profile", text)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // SAFETY: as above.
            unsafe { std::env::set_var("HOME", before) };
        }
    }
}

fn session(world: &World) -> Session {
    world.session_with(|options| options.snapshot = true)
}

/// Runs one command in a session with these start-up files.
fn with_profile(profile: &str, command: &str) -> (String, Vec<String>) {
    let home = Home::bash(profile);
    let world = World::new();
    let mut result = None;
    within(Duration::from_secs(30), async {
        let session = session(&world);
        let done = run(&session, command).await;
        assert_eq!(done.exit_code, Some(0), "{}", done.stdout);
        result = Some((done.stdout, session.diagnostics()));
    });
    drop(home);
    result.unwrap()
}

#[test]
fn g05_g10_g16_the_users_environment_arrives() {
    let profile = "export PATH=\"/opt/marker:$PATH\" MULTI='a\nb'\nfn(){ echo from fn; }\n_helper(){ echo helped; }\npub(){ _helper; }\n\
                   alias ll='ls -l'\nshopt -s nullglob extglob\neval 'odd(){ case $1 in !(x)) echo odd;; esac; }'";
    let (out, trouble) = with_profile(
        profile,
        "case $PATH in /opt/marker:*) echo path;; esac; echo \"$MULTI\"; fn; pub; type -t odd; echo *.nosuch; alias ll",
    );
    assert_eq!(
        out,
        "path\na\nb\nfrom fn\nhelped\nfunction\n\nalias ll='ls -l'"
    );
    assert_eq!(trouble, [""; 0]);
}

#[test]
fn g01_g07_what_start_up_files_print_is_not_output() {
    let (out, trouble) = with_profile(
        "echo WELCOME; echo WELCOME >&2; trap 'echo RC' EXIT",
        "echo hi",
    );
    assert_eq!((out.as_str(), trouble.len()), ("hi", 0));
}

#[test]
fn g02_start_up_files_that_hang_cost_ten_seconds_once() {
    let home = Home::bash("trap '' TERM; sleep 100");
    let world = World::new();
    within(Duration::from_secs(40), async {
        let session = session(&world);
        let began = Instant::now();
        assert_eq!(run(&session, "echo works").await.stdout, "works");
        assert!(
            began.elapsed() < Duration::from_secs(13),
            "{:?}",
            began.elapsed()
        );
        let began = Instant::now();
        assert_eq!(run(&session, "echo works").await.stdout, "works");
        assert!(began.elapsed() < Duration::from_secs(2));
        assert_eq!(session.diagnostics().len(), 1);
    });
    drop(home);
}

#[test]
fn g02_g03_reading_gets_nothing_and_leaving_is_survived() {
    for profile in [
        "read x",
        "exit 0",
        "exit 3",
        "exec true",
        "kill -9 $$",
        "exec bash -c 'echo x'",
        "if",
        "cd /nowhere/at/all",
    ] {
        let (out, _) = with_profile(profile, "echo works");
        assert_eq!(out, "works", "{profile}");
    }
}

#[test]
fn g04_a_flood_is_bounded() {
    let (out, trouble) = with_profile("yes", "echo works");
    assert_eq!((out.as_str(), trouble.len()), ("works", 1));
    assert!(trouble[0].contains("outputLimit"), "{trouble:?}");
}

#[test]
fn g06_options_do_not_leak() {
    for option in [
        "set -u",
        "set -o noclobber",
        "set -e",
        "set -x",
        "set -v",
        "set -f",
        "IFS=x",
        "set -o posix",
    ] {
        let (out, _) = with_profile(
            option,
            "echo \"[$UNSET]\"; echo a > f; echo b > f; false; echo end",
        );
        assert_eq!(out, "[]\nend", "{option}");
    }
}

#[test]
fn g08_read_only_and_typed_variables_do_no_harm() {
    let (out, trouble) = with_profile(
        "declare -ix n=5; readonly a=1; readonly PATH; export a",
        "echo $n $a",
    );
    assert_eq!((out.as_str(), trouble.len()), ("5 1", 0));
}

#[test]
fn g09_aliases_are_known_but_not_used() {
    let (out, _) = with_profile(
        "alias echo='echo evil'; alias cd='false'",
        "echo hi; cd / && pwd",
    );
    assert_eq!(out, "hi\n/");
}

#[test]
fn g13_g14_secrets_are_neither_written_nor_passed_on() {
    let home = Home::bash("export FAKE_TOKEN=sk-0123456789 HARMLESS=yes");
    let world = World::new();
    within(Duration::from_secs(30), async {
        let session = world.session_with(|options| {
            options.snapshot = true;
            options.env.scrub = true;
        });
        let done = run(
            &session,
            "echo \"[$FAKE_TOKEN]\" $HARMLESS; env | grep -c sk-0123",
        )
        .await;
        assert_eq!(done.stdout, "[] yes\n0");
        for file in files_below(&world.state()) {
            let text = std::fs::read(&file).unwrap_or_default();
            assert!(!text.windows(7).any(|part| part == b"sk-0123"), "{file:?}");
        }
    });
    drop(home);
}

#[test]
fn g17_a_huge_profile_costs_little() {
    let profile = "for i in $(seq 3000); do eval \"fn$i(){ echo $i; : xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; }\"; done";
    let home = Home::bash(profile);
    let world = World::new();
    within(Duration::from_secs(30), async {
        let session = session(&world);
        run(&session, "true").await;
        let began = Instant::now();
        for _ in 0..5 {
            run(&session, "true").await;
        }
        assert!(
            began.elapsed() < Duration::from_secs(2),
            "{:?}",
            began.elapsed()
        );
    });
    drop(home);
}

#[test]
fn g19_a_snapshot_that_was_removed_breaks_nothing() {
    let home = Home::bash("export A=1; f(){ echo f; }");
    let world = World::new();
    within(Duration::from_secs(30), async {
        let session = session(&world);
        assert_eq!(run(&session, "f").await.stdout, "f");
        std::fs::remove_dir_all(world.state().join("snapshots")).unwrap();
        assert_eq!(run(&session, "echo $A works").await.stdout, "1 works");
    });
    drop(home);
}

#[test]
fn g21_daemons_of_start_up_files_hold_nothing_up() {
    let (out, trouble) = with_profile("(sleep 60 &); sleep 61 & export A=1", "echo $A");
    assert_eq!((out.as_str(), trouble.len()), ("1", 0));
    let left = eventually(Duration::from_secs(3), || {
        processes_with("61").is_empty().then_some(())
    });
    assert!(left.is_some());
}

#[test]
fn g22_commands_start_where_they_should() {
    let home = Home::bash("cd /usr");
    let world = World::new();
    within(Duration::from_secs(30), async {
        assert_eq!(
            run(&session(&world), "pwd").await.stdout,
            world.work().to_str().unwrap()
        );
    });
    drop(home);
}

#[test]
fn g12_zsh_has_a_snapshot_of_its_own() {
    if !PathBuf::from("/usr/bin/zsh").exists() {
        println!("not tried: there is no zsh");
        return;
    }
    let home = Home::with(
        ".zprofile",
        "export FROM_ZSH=1; zf(){ echo from zf }; alias -g G='| grep'; echo NOISE",
    );
    std::fs::write(home.folder.path().join(".zshenv"), "echo NOISE").unwrap();
    let world = World::new();
    within(Duration::from_secs(30), async {
        let session = world.session_with(|options| {
            options.snapshot = true;
            options.shell = Some(Shell {
                path: "/usr/bin/zsh".into(),
                kind: Kind::Zsh,
            });
        });
        let done = run(&session, "echo $FROM_ZSH; zf").await;
        assert_eq!(done.stdout, "1\nfrom zf", "{:?}", session.diagnostics());
    });
    drop(home);
}

#[test]
fn g11_zsh_functions_that_load_themselves_arrive_whole() {
    if !std::path::Path::new("/usr/bin/zsh").exists() {
        println!("not tried: there is no zsh");
        return;
    }
    let home = Home::with(
        ".zprofile",
        "fpath=(~/functions $fpath)\nautoload -U lazy missing\n",
    );
    std::fs::create_dir(home.folder.path().join("functions")).unwrap();
    std::fs::write(
        home.folder.path().join("functions/lazy"),
        "echo loaded $1\n",
    )
    .unwrap();
    let world = World::new();
    test(async {
        let mut options = world.options();
        options.snapshot = true;
        options.shell = Some(Shell {
            path: "/usr/bin/zsh".into(),
            kind: Kind::Zsh,
        });
        let session = world.executor().session(options).unwrap();
        let done = run(&session, "lazy now; echo end").await;
        assert_eq!(done.stdout, "loaded now\nend");
        assert_eq!(session.diagnostics(), [""; 0]);
    });
}

#[test]
fn g15_what_is_only_for_interactive_shells_arrives_where_that_is_asked_for() {
    let profile = "[ -f ~/.bashrc ] && . ~/.bashrc\n";
    let home = Home::bash(profile);
    let guarded = "[[ $- == *i* ]] || return\nPS1='\\u@\\h '\nexport PATH=\"/opt/guarded:$PATH\"\necho WELCOME\n";
    std::fs::write(home.folder.path().join(".bashrc"), guarded).unwrap();
    let world = World::new();
    test(async {
        let command = "case $PATH in /opt/guarded:*) echo there;; *) echo not there;; esac";
        assert_eq!(run(&session(&world), command).await.stdout, "not there");
        let session = world.session_with(|options| {
            options.snapshot = true;
            options.interactive_startup = true;
        });
        assert_eq!(run(&session, command).await.stdout, "there");
        assert_eq!(session.diagnostics(), [""; 0]);
    });
}
