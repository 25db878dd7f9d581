//! What is judged read-only is really run, and must not write, remove, connect or start something unnamed.
//!
//! Every read-only example of every built-in spec whose tool is installed, and commands made of its safe flags:
//! `PORTCULLIS_EFFECT_COMBINATIONS` of them a spec (default 3). Tools that are not installed are named, not passed
//! in silence. Without bwrap or strace the suite fails.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use policy_core::{
    Decision, Facts, Policy, PolicyConfig, Request, Verdict,
    facts::{GitFacts, GitState},
    specs::{
        builtin,
        model::{Notes, Spec},
    },
};
use portcullis_tests::{
    effect::{acts::Act, combine, trace, tree::Tree},
    oracle::generate::Random,
};

/// Programs that a tool starts as part of itself: installed as a script over them, or a helper of its own package. The
/// tool, what it may start, and why that is the tool itself.
const PARTS: &[(&str, &[&str])] = &[
    // Shell scripts over the tool proper.
    ("egrep", &["grep"]),
    ("fgrep", &["grep"]),
    ("zcat", &["gzip"]),
    ("zgrep", &["gzip", "grep", "sed", "expr", "cat"]),
    ("zegrep", &["zgrep", "gzip", "grep", "sed", "expr", "cat"]),
    ("zfgrep", &["zgrep", "gzip", "grep", "sed", "expr", "cat"]),
    ("xzgrep", &["xz", "grep", "sed", "expr", "cat"]),
    ("bzgrep", &["bzip2", "grep", "sed"]),
    ("zstdgrep", &["zstd", "grep", "sed"]),
    ("rgrep", &["grep"]),
    ("zdiff", &["gzip", "diff", "cmp", "mktemp"]),
    ("zcmp", &["gzip", "cmp"]),
    ("which", &[]),
    ("ldd", &["ld-linux-x86-64.so.2"]),
    ("lsb_release", &["python3", "getopt", "cut", "tr"]),
    // Debian's package tools ask each other.
    ("apt", &["dpkg"]),
    ("apt-cache", &["dpkg"]),
    ("apt-mark", &["dpkg"]),
    ("apt-config", &["dpkg"]),
    ("dpkg", &["dpkg-query"]),
    // A login shell reads the user's own profile.
    ("bash", &["id"]),
    // Pages are set by groff's programs.
    (
        "man",
        &[
            "col", "groff", "grotty", "locale", "nroff", "preconv", "tbl", "troff", "apropos",
            "whatis",
        ],
    ),
    // They compare, or sort, by the tools for it.
    ("wdiff", &["diff"]),
    ("dwdiff", &["diff"]),
    ("datamash", &["sh", "sort"]),
    ("cloc", &["pwd"]),
    // What machine it is, for the name of the client.
    (
        "aws",
        &["lsb_release", "getopt", "cut", "tr", "uname", "python3"],
    ),
    ("gem", &["ruby"]),
    // The C compiler it would use is asked for its options.
    ("go", &["gcc", "as", "ld", "cc1", "collect2"]),
    // Debian's asks a shell for the home folder.
    ("rpm", &["sh", "bash", "sort", "awk", "sed"]),
    ("podman", &["conmon", "modprobe"]),
    ("tar", &["gzip"]),
    ("gunzip", &["gzip"]),
    // Without a command it echoes what it reads.
    ("xargs", &["echo"]),
    // It asks git for the name of the user's list of ignored files (`git config --get`, which runs nothing).
    ("ag", &["sh", "git"]),
    ("npx", &["node"]),
    ("tsc", &["node"]),
    // Debian's yq is a wrapper of jq.
    ("yq", &["jq"]),
    // Of git and ssh it asks the version.
    (
        "gcloud",
        &[
            "python3", "dirname", "readlink", "tput", "uname", "git", "ssh",
        ],
    ),
    // git starts its own parts.
    (
        "git",
        &[
            "git",
            "git-submodule",
            "basename",
            "envsubst",
            "gettext",
            "sed",
            "uname",
        ],
    ),
    // Started through an interpreter by its first line.
    ("npm", &["node", "sh", "bash", "npm-cli.js"]),
];

/// Places below the home folder that a tool keeps its own notes in: logs and caches that nothing reads as settings.
const NOTES: &[&str] = &[
    "/home/u/.npm/_logs",
    "/home/u/.npm/_cacache",
    "/home/u/.npm",
    "/home/u/.cache",
    "/home/u/.config/gcloud",
    "/home/u/.config/procps",
    "/home/u/.gnupg",
    // An empty store, where there was none.
    "/home/u/.rpmdb",
    // Its settings as they come, and folders for them.
    "/home/u/.subversion",
    "/var/lib/containers",
    "/var/cache/man",
    "/tmp",
];

fn request(command: &str) -> Request {
    Request {
        command: command.into(),
        facts: Facts {
            cwd: Some("/mnt/app".into()),
            workspace: vec!["/mnt/app".into()],
            home: Some("/home/u".into()),
            git: GitFacts {
                state: GitState::Trusted,
                executing_keys: Vec::new(),
            },
            can_apply_conditions: true,
            ..Facts::default()
        },
        ..Request::default()
    }
}

fn installed(name: &str) -> bool {
    trace::PATH
        .split(':')
        .any(|folder| std::path::Path::new(folder).join(name).is_file())
        || builtin_of_bash(name)
}

fn builtin_of_bash(name: &str) -> bool {
    [
        "cd", "echo", "printf", "true", "false", ":", "test", "[", "pwd", "type", "command",
        "builtin", "hash", "read", "let", "times", "ulimit", "umask", "dirs", "jobs", "help",
        "history", "time", "wait", "exit", "return", "break", "continue", "shift", "local",
        "export", "set", "unset", "declare", "alias",
    ]
    .contains(&name)
}

/// What a command did that a reading command does not: acts that are neither its named programs nor their own parts.
fn faults(verdict: &Verdict, acts: &[Act]) -> Vec<String> {
    let named: BTreeSet<&str> = verdict
        .commands
        .iter()
        .flat_map(|command| command.argv.iter().flatten())
        .map(|word| word.rsplit('/').next().unwrap_or(word))
        .collect();
    let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let part = |program: &str| {
        PARTS
            .iter()
            .any(|(tool, parts)| named.contains(tool) && parts.contains(&program))
    };
    let mut faults: Vec<String> = acts
        .iter()
        .filter_map(|act| match act {
            Act::Started(path) => {
                let program = base(path);
                (!named.contains(program.as_str()) && !part(&program))
                    .then(|| format!("started {path}"))
            }
            // The folder of all settings, made for the notes in it.
            Act::Changed(what) if what == "mkdir /home/u/.config" => None,
            Act::Changed(what) => (!NOTES.iter().any(|notes| {
                what.split(' ')
                    .nth(1)
                    .is_some_and(|path| path.starts_with(notes))
            }))
            .then(|| format!("changed: {what}")),
            // A service's own reading verb connects; there is no network here, so nothing is reached.
            Act::Connected(what) => {
                let may = verdict.commands.iter().any(|command| {
                    command
                        .effects
                        .contains(&policy_core::effect::Effect::Network)
                });
                (!may).then(|| format!("connected: {what}"))
            }
        })
        .collect();
    faults.sort();
    faults.dedup();
    faults
}

#[test]
fn what_is_judged_read_only_only_reads() {
    assert!(
        trace::available(),
        "the effect oracle needs bwrap and strace (Debian: apt-get install bubblewrap strace)"
    );
    let combinations = env::var("PORTCULLIS_EFFECT_COMBINATIONS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(3);
    let only = env::var("PORTCULLIS_EFFECT_ONLY").ok();
    let specs: Vec<(Spec<'_>, Notes<'_>)> = builtin::noted()
        .filter(|(spec, _)| only.as_deref().is_none_or(|only| spec.name == only))
        .collect();
    let policy = Policy::new(PolicyConfig::default()).expect("no rules");
    let (next, ran) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (wrong, missing, tried) = (
        Mutex::new(Vec::new()),
        Mutex::new(BTreeSet::new()),
        Mutex::new(BTreeMap::new()),
    );
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let tree = Tree::new().expect("a throw-away tree");
                while let Some((spec, notes)) = specs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let names: Vec<&str> = std::iter::once(spec.name)
                        .chain(spec.aliases.iter())
                        .filter(|name| installed(name))
                        .collect();
                    if names.is_empty() {
                        missing
                            .lock()
                            .expect("no panic")
                            .insert(spec.name.to_string());
                        continue;
                    }
                    let mut random = Random::new(7);
                    let mut commands: Vec<String> = notes
                        .examples_read_only
                        .iter()
                        .map(ToString::to_string)
                        .collect();
                    commands.extend(combine::combine(spec, notes, combinations, &mut random));
                    for command in commands {
                        let verdict = policy.evaluate(&request(&command));
                        if verdict.decision != Decision::Allow || !verdict.capability.read_only {
                            continue;
                        }
                        let run = match trace::run(&tree, &command, &verdict.conditions.env) {
                            Ok(run) => run,
                            Err(error) => {
                                wrong
                                    .lock()
                                    .expect("no panic")
                                    .push(format!("{command}\n    cannot be traced: {error}"));
                                continue;
                            }
                        };
                        ran.fetch_add(1, Ordering::Relaxed);
                        *tried
                            .lock()
                            .expect("no panic")
                            .entry(spec.name.to_string())
                            .or_insert(0) += 1;
                        let faults = faults(&verdict, &run.acts);
                        if !faults.is_empty() {
                            wrong
                                .lock()
                                .expect("no panic")
                                .push(format!("{command}\n    {}", faults.join("\n    ")));
                        }
                    }
                }
            });
        }
    });
    let (wrong, missing, tried) = (
        wrong.into_inner().expect("no panic"),
        missing.into_inner().expect("no panic"),
        tried.into_inner().expect("no panic"),
    );
    println!(
        "{} commands of {} specs run; {} specs not tried, their tools are not installed: {}",
        ran.into_inner(),
        tried.len(),
        missing.len(),
        missing.iter().cloned().collect::<Vec<_>>().join(" ")
    );
    assert!(
        wrong.is_empty(),
        "{} commands judged read-only acted:\n{}",
        wrong.len(),
        wrong
            .iter()
            .take(200)
            .cloned()
            .collect::<Vec<_>>()
            .join("\n")
    );
    assert!(
        only.is_some() || tried.len() >= 20,
        "only {} specs could be tried",
        tried.len()
    );
}
