//! `./x bench`: timings in one table, each with its ratio to a yardstick measured in the same run.
//!
//! Verdicts by kind of command, compiled in and through the embedded module; cold starts of the program against
//! `bash -c :`; compiling and judging with 10 to 10,000 rules of every kind. Medians; a loaded machine shows in the yardsticks too.

use std::{
    hint::black_box,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use policy_core::{
    service::{Offsets, Service},
    specs::builtin,
};
use portcullis_tests::hosts;
use serde_json::{Value, json};

/// Name and command.
const KINDS: &[(&str, &str)] = &[
    ("plain", "ls -la src"),
    ("list", "cd app && git status && git diff --stat | head -20"),
    (
        "find",
        "find . -name '*.rs' -newer Cargo.toml -exec grep -l unsafe {} \\;",
    ),
    (
        "script",
        "for f in a b c; do if [ -f \"$f\" ]; then sed -n '1,20p' \"$f\"; fi; done",
    ),
    (
        "nested",
        "bash -c 'echo $(git rev-parse HEAD) | xargs -n1 echo' && awk '{print $1}' x | sort -u",
    ),
    ("asks", "npm test && git push origin main"),
];

fn main() {
    println!("{:34} {:>12} {:>8}", "what", "median", "ratio");
    let base = verdicts_native();
    lookups(base.first().copied());
    specs();
    verdicts_module(&base);
    cold_starts();
    rules();
}

fn row(what: &str, time: Duration, yardstick: Option<Duration>) {
    let ratio = yardstick.map_or(String::new(), |base| {
        format!("{:.1}x", time.as_secs_f64() / base.as_secs_f64().max(1e-12))
    });
    println!("{what:34} {:>9.1} µs {ratio:>8}", time.as_secs_f64() * 1e6);
}

fn median(count: usize, mut once: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..count)
        .map(|_| {
            let begun = Instant::now();
            once();
            begun.elapsed()
        })
        .collect();
    times.sort();
    times[times.len() / 2]
}

fn request(command: &str) -> Value {
    json!({"command": command, "cwd": "/w/app", "workspace": ["/w/app"], "home": "/home/u", "git": "trusted",
           "platform": "linux", "shell": "bash"})
}

fn verdicts_native() -> Vec<Duration> {
    let mut service = Service::new("", Offsets::Utf8).expect("no configuration is one");
    let mut times = Vec::new();
    for (name, command) in KINDS {
        let text = request(command).to_string();
        let time = median(2000, || {
            black_box(service.call("evaluate", black_box(&text), Offsets::Utf8))
                .expect("a verdict");
        });
        row(
            &format!("verdict, compiled in: {name}"),
            time,
            times.first().copied(),
        );
        times.push(time);
    }
    times
}

/// Finding the spec of one name among all names, and one that is not there: what more specs can cost a verdict.
fn lookups(verdict: Option<Duration>) {
    let names: Vec<&str> = builtin::all()
        .flat_map(|spec| std::iter::once(spec.name).chain(spec.aliases.iter()))
        .collect();
    let each =
        |count: usize, time: Duration| time / u32::try_from(count).unwrap_or(u32::MAX).max(1);
    let found = median(200, || {
        for name in &names {
            black_box(builtin::find(black_box(name)));
        }
    });
    let missing = median(200, || {
        for _ in 0..1000 {
            black_box(builtin::find(black_box("frobnicate")));
        }
    });
    row(
        &format!("a spec by name, of {}", names.len()),
        each(names.len(), found),
        verdict,
    );
    row("a spec that is not there", each(1000, missing), verdict);
}

/// A verdict where a configuration brings specs of its own, 60 and 300 of them, each against the same with 60.
fn specs() {
    for (name, command) in [
        ("its own", "tool7 --flag file"),
        ("built in", "ls -la src"),
        ("not there", "frobnicate x"),
    ] {
        let mut base = None;
        for count in [60, 300] {
            let own: Vec<Value> = (0..count)
                .map(|number| {
                    let tool = format!("tool{number}");
                    json!({"name": tool, "summary": "a tool", "manual": "man", "kind": "list", "flags": {"none": ["--flag"]},
                           "operands": ["text*"], "examples": {"readOnly": [tool], "notReadOnly": [format!("{tool} --other")]}})
                })
                .collect();
            let config = json!({"commands": own}).to_string();
            let mut service = Service::new(&config, Offsets::Utf8).expect("the specs are right");
            let text = request(command).to_string();
            let time = median(2000, || {
                black_box(service.call("evaluate", black_box(&text), Offsets::Utf8))
                    .expect("a verdict");
            });
            row(&format!("verdict, {count} own specs: {name}"), time, base);
            base = base.or(Some(time));
        }
    }
}

/// By batches through the program, less the start of it.
fn verdicts_module(native: &[Duration]) {
    let start = median(5, || {
        drop(hosts::program_verdicts("wasm", &[request("ls")]))
    });
    for ((name, command), native) in KINDS.iter().zip(native) {
        let many = vec![request(command); 2000];
        let all = median(3, || drop(hosts::program_verdicts("wasm", &many)));
        let each = all.saturating_sub(start) / 2000;
        row(
            &format!("verdict, module, with I/O: {name}"),
            each,
            Some(*native),
        );
    }
}

fn cold_starts() {
    let program = hosts::program();
    let start = |command: &mut Command| {
        let status = command.stdout(Stdio::null()).status();
        assert!(status.is_ok_and(|status| status.success()), "{command:?}");
    };
    let bash = median(40, || start(Command::new("bash").args(["-c", ":"])));
    row("start: bash -c :", bash, None);
    for engine in ["wasm", "native"] {
        let time = median(40, || {
            start(Command::new(&program).args([
                "check",
                "--no-config",
                "--engine",
                engine,
                "--",
                "ls",
            ]));
        });
        row(&format!("start: check, {engine}"), time, Some(bash));
    }
    let run = median(20, || {
        start(Command::new(&program).args(["run", "--no-config", "--", "true"]))
    });
    row("start: run -- true", run, Some(bash));
}

/// A configuration of so many rules of every kind: prefixes that allow, deny and ask, wildcards, and rule sets of other tools.
fn many_rules(count: usize) -> Value {
    let rules = |kind: usize, text: &dyn Fn(usize) -> String| -> Vec<String> {
        (0..count).filter(|n| n % 6 == kind).map(text).collect()
    };
    let set = |resolution: &str, kind: usize, form: &str| {
        let rules: Vec<Value> = rules(kind, &|n| format!("tool{n} sub{} *", n % 7))
            .into_iter()
            .enumerate()
            .map(|(n, text)| {
                let decision = ["allow", "ask", "deny"].get(n % 3);
                json!({"rule": text, "decision": decision, "match": {form: text}})
            })
            .collect();
        json!({"vendor": form, "file": form, "resolution": resolution, "rules": rules})
    };
    let mut allow = rules(0, &|n| format!("tool{n} sub{}:*", n % 7));
    allow.extend(rules(3, &|n| format!("tool{n} * x{n}")));
    let deny = rules(1, &|n| format!("tool{n} sub{} -f:*", n % 7));
    let ask = rules(2, &|n| format!("tool{n} sub{}:*", n % 7));
    json!({
        "user": { "allow": allow, "deny": deny, "ask": ask },
        "ruleSets": [set("strictest", 4, "glob"), set("lastMatch", 5, "wild")],
    })
}

const RULED: &str = "tool5 sub5 x && tool6 y x6 && ls";

fn rules() {
    let mut first = None;
    for count in [10, 100, 1_000, 10_000] {
        let config = many_rules(count).to_string();
        let begun = Instant::now();
        let mut service = Service::new(&config, Offsets::Utf8).expect("rules");
        let compiled = begun.elapsed();
        let text = request(RULED).to_string();
        let time = median(500, || {
            black_box(service.call("evaluate", &text, Offsets::Utf8)).expect("a verdict");
        });
        row(&format!("{count} rules: compile"), compiled, None);
        row(&format!("{count} rules: verdict, compiled in"), time, first);
        first.get_or_insert(time);
    }
    let mut first = None;
    for count in [10, 10_000] {
        let config = many_rules(count);
        let file = json!({ "rules": config["user"], "ruleSets": config["ruleSets"] });
        let path =
            std::env::temp_dir().join(format!("portcullis-bench-{}.json", std::process::id()));
        std::fs::write(&path, file.to_string()).expect("a file for a moment");
        let shown = path.display().to_string();
        let args = ["--engine", "wasm", "--config", shown.as_str()];
        let start = median(5, || drop(hosts::program_batch(&args, &[request("ls")])));
        let many = vec![request(RULED); 2000];
        let all = median(3, || drop(hosts::program_batch(&args, &many)));
        std::fs::remove_file(&path).expect("it is there");
        let each = all.saturating_sub(start) / 2000;
        row(&format!("{count} rules: verdict, module, I/O"), each, first);
        row(&format!("{count} rules: start, module"), start, None);
        first.get_or_insert(each);
    }
}
