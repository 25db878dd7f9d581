//! What the executor costs over a bare shell: one table, medians and 99th percentiles, each beside its yardstick.
//!
//! `./x bench`, or `cargo bench -p executor-native`. Rows and yardsticks take turns, so that a busy machine shows in both.

use std::{
    ffi::OsString,
    path::Path,
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use executor_native::{
    Executor, ExecutorOptions, Session, SessionOptions,
    engine::{EngineKind, engine},
    input::Input,
    shell::{Kind, Shell},
};

const ROUNDS: usize = 300;

/// Start-up files as people have them: a few variables, aliases, dozens of functions, and some programs that are run.
fn profile() -> String {
    let mut text = String::from(
        "export EDITOR=vim LESS=-R PATH=\"$HOME/bin:$HOME/.local/bin:$PATH\"\nexport HOST_NAME=$(uname -n) TODAY=$(date +%F)\n\
         shopt -s globstar\n[ -f /usr/share/bash-completion/bash_completion ] && . /usr/share/bash-completion/bash_completion\n",
    );
    for n in 0..40 {
        text.push_str(&format!("alias a{n}='ls -l --color=auto {n}'\n"));
        text.push_str(&format!(
            "f{n}() {{ local dir=$1; for f in \"$dir\"/*.txt; do if [ -f \"$f\" ]; then _h{n} \"$f\"; fi; done; }}\n_h{n}() {{ echo \"$1\"; }}\n"
        ));
    }
    text
}

fn main() -> ExitCode {
    if let Some(code) = executor_native::supervise_if_asked() {
        return code;
    }
    // `cargo test --benches` asks for a list; there is nothing to test here.
    if std::env::args().any(|arg| arg == "--test" || arg == "--list") {
        return ExitCode::SUCCESS;
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(".bash_profile"), profile()).expect("a profile");
    let home = OsString::from(folder.path());
    // SAFETY: no other thread runs yet.
    unsafe { std::env::set_var("HOME", &home) };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    println!(
        "{:42} {:>10} {:>10} {:>8} {:>12}",
        "what", "median", "p99", "ratio", "over bare"
    );
    runtime.block_on(tables(folder.path()));
    ExitCode::SUCCESS
}

async fn tables(folder: &Path) {
    let mut options = ExecutorOptions::new(engine(EngineKind::Native, "").expect("an engine"));
    options.state = Some(folder.join("state"));
    let executor = Executor::new(options).expect("an executor");
    let open = |snapshot| {
        let options = SessionOptions {
            cwd: Some(folder.to_owned()),
            workspace: vec![folder.to_owned()],
            snapshot,
            shell: Some(Shell {
                path: "/bin/bash".into(),
                kind: Kind::Bash,
            }),
            ..SessionOptions::new("bench")
        };
        executor.session(options).expect("a session")
    };
    let (plain, taken) = (open(false), open(true));
    let rows: [(&str, &str, &[&str], &Session); 3] = [
        ("run(\"true\")", "bash -c true", &["-c", "true"], &plain),
        (
            "run(\"true\"), with a snapshot",
            "bash -lc true",
            &["-l", "-c", "true"],
            &taken,
        ),
        ("run(\"ls\")", "bash -c ls", &["-c", "ls"], &plain),
    ];
    for (what, yardstick, args, session) in rows {
        let command = *args.last().unwrap_or(&"true");
        session.run(Input::new(command)).await.expect("it runs");
        let (mut ours, mut bare) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let begun = Instant::now();
            session.run(Input::new(command)).await.expect("it runs");
            ours.push(begun.elapsed());
            bare.push(shell(args, folder));
        }
        ours.sort();
        bare.sort();
        row(yardstick, &bare, None);
        row(what, &ours, Some(&bare));
    }
}

fn shell(args: &[&str], folder: &Path) -> Duration {
    let begun = Instant::now();
    let output = Command::new("/bin/bash")
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    assert!(output.status.success());
    begun.elapsed()
}

fn row(what: &str, times: &[Duration], bare: Option<&[Duration]>) {
    let ms = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1e3);
    let (median, last) = (at(times, 50), at(times, 99));
    let (ratio, over) = bare.map_or(Default::default(), |bare| {
        let base = at(bare, 50);
        (
            format!("{:.1}x", median.as_secs_f64() / base.as_secs_f64()),
            format!(
                "{:+.2} ms",
                (median.as_secs_f64() - base.as_secs_f64()) * 1e3
            ),
        )
    });
    println!(
        "{what:42} {:>10} {:>10} {ratio:>8} {over:>12}",
        ms(median),
        ms(last)
    );
}

fn at(sorted: &[Duration], percent: usize) -> Duration {
    sorted
        .get(sorted.len() * percent / 100)
        .copied()
        .unwrap_or_default()
}
