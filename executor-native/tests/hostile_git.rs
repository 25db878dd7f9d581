//! Repositories whose configuration runs programs, made by the real git: what the guard finds in them, and what git then
//! does under the verdict.
//!
//! Each trap is sprung first without the guard, so that it is known to work; then every reading command that is allowed
//! runs under the conditions of its verdict, and must not spring it. A host that applies no conditions gets the same
//! treatment without them. Everything runs by bwrap without network, on a copy of the repository, on a terminal (so that
//! pagers count). Without bwrap, git or script the suite fails.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
};

use executor_native::engine::facts::{Given, gather};
use policy_core::{Decision, Policy, PolicyConfig, Request, facts::GitState};

/// Reading commands that an agent sends.
const READING: &[&str] = &[
    "git status",
    "git status --porcelain=2 -v",
    "git status --ignore-submodules=none",
    "git diff",
    "git diff HEAD",
    "git diff --cached",
    "git diff --stat HEAD",
    "git diff --no-ext-diff --no-textconv",
    "git log",
    "git log -p -2",
    "git log --format=%h",
    "git show",
    "git show HEAD:f.txt",
    "git blame f.txt",
    "git grep x",
    "git ls-files -m",
    "git ls-files --eol",
    "git branch -a",
    "git tag -l",
    "git stash list",
    "git describe --always",
    "git rev-parse HEAD",
    "git submodule status",
    "git shortlog -s HEAD",
    "git cat-file -p HEAD:f.txt",
    "git diff-index -p HEAD",
    "git range-diff --no-textconv --no-ext-diff HEAD~1...HEAD",
    "git remote -v",
    "git config --list",
];

/// What the guard must say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Guard {
    /// The repository could redirect git: no command in it is allowed.
    Suspicious,
    /// An ordinary repository with a key of this name.
    Key(&'static str),
    /// An ordinary repository, and nothing that a command of git's own name looks at.
    Clean,
}

struct Trap {
    name: &'static str,
    /// Run by sh in the repository; `$evil` is a program that leaves a mark.
    setup: &'static str,
    /// Where the commands run, below the repository.
    cwd: &'static str,
    /// A command that springs it.
    springs: &'static str,
    guard: Guard,
}

const fn trap(
    name: &'static str,
    setup: &'static str,
    springs: &'static str,
    guard: Guard,
) -> Trap {
    Trap {
        name,
        setup,
        cwd: "",
        springs,
        guard,
    }
}

const MODULE: &str = "git init -q -b main ../lib; (cd ../lib; echo a >l.txt; git add .; git commit -qm l); \
    git -c protocol.file.allow=always submodule --quiet add ../lib s; git commit -qm s;";

/// A commit with a signature that gpg would be asked about.
const SIGNED: &str = "c=$( { printf 'tree %s\\nparent %s\\nauthor u <u@e> 1 +0000\\ncommitter u <u@e> 1 +0000\\ngpgsig -----BEGIN PGP SIGNATURE-----\\n \\n x\\n -----END PGP SIGNATURE-----\\n\\nsigned\\n' \
    $(git rev-parse HEAD^{tree}) $(git rev-parse HEAD); } | git hash-object -t commit -w --stdin --literally); git reset -q --soft $c;";

fn traps() -> Vec<(Trap, String)> {
    use Guard::{Clean, Key, Suspicious};
    let plain = [
        trap(
            "file system monitor",
            "git config core.fsmonitor \"$evil\"",
            "git status",
            Key("core.fsmonitor"),
        ),
        trap(
            "text conversion",
            "git config diff.x.textconv \"$evil\"; echo '*.txt diff=x' >.gitattributes",
            "git diff",
            Key("diff.x.textconv"),
        ),
        trap(
            "external diff",
            "git config diff.external \"$evil\"",
            "git diff",
            Key("diff.external"),
        ),
        trap(
            "diff driver",
            "git config diff.x.command \"$evil\"; echo '*.txt diff=x' >.gitattributes",
            "git diff",
            Key("diff.x.command"),
        ),
        trap(
            "pager",
            "git config core.pager \"$evil\"",
            "git log",
            Key("core.pager"),
        ),
        trap(
            "pager of one command",
            "git config pager.log \"$evil\"",
            "git log",
            Key("pager.log"),
        ),
        trap(
            "folder of hooks",
            "mkdir ../hooks; cp \"$evil\" ../hooks/post-index-change; git config core.hooksPath \"$PWD/../hooks\"; touch f.txt",
            "git status",
            Key("core.hooksPath"),
        ),
        trap(
            "hook in its place",
            "mkdir -p .git/hooks; cp \"$evil\" .git/hooks/post-index-change; touch f.txt",
            "git status",
            Key("core.hooksPath"),
        ),
        trap(
            "alias",
            "git config alias.st \"!$evil\"; git config alias.status \"!$evil\"",
            "git st",
            Key("alias.st"),
        ),
        trap(
            "filter",
            "git config filter.x.clean \"$evil\"; echo '*.txt filter=x' >.gitattributes; touch f.txt",
            "git diff",
            Key("filter.x.clean"),
        ),
        trap(
            "required filter process",
            "git config filter.x.process \"$evil\"; git config filter.x.required true; echo '*.txt filter=x' >.gitattributes; touch f.txt",
            "git diff",
            Key("filter.x.process"),
        ),
        trap(
            "include",
            "printf '[core]\\n\\tfsmonitor = %s\\n' \"$evil\" >../more; git config include.path ../../more",
            "git status",
            Key("core.fsmonitor"),
        ),
        trap(
            "conditional include",
            "printf '[core]\\n\\tfsmonitor = %s\\n' \"$evil\" >../more; git config 'includeIf.gitdir:/**.path' ../../more",
            "git status",
            Key("core.fsmonitor"),
        ),
        trap(
            "configuration of the work tree",
            "git config extensions.worktreeConfig true; git config --worktree core.fsmonitor \"$evil\"",
            "git status",
            Key("core.fsmonitor"),
        ),
        trap(
            "repository inside its work tree",
            "git config core.fsmonitor \"$evil\"; mkdir evil; mv .git evil/.git; echo 'gitdir: evil/.git' >.git",
            "git status",
            Suspicious,
        ),
        trap(
            "repository that is named no .git",
            "git config core.fsmonitor \"$evil\"; mv .git ../other; echo 'gitdir: ../other' >.git",
            "git status",
            Suspicious,
        ),
        trap(
            "repository of another tree",
            "git config core.fsmonitor \"$evil\"; mkdir ../o; mv .git ../o/.git; echo 'gitdir: ../o/.git' >.git",
            "git status",
            Key("core.fsmonitor"),
        ),
        Trap {
            cwd: "sub",
            ..trap(
                "bare repository in the work tree",
                "mkdir sub; cp -r .git/objects .git/refs .git/HEAD .git/index sub; printf '[core]\\nrepositoryFormatVersion = 0\\nbare = false\\nworktree = .\\nfsmonitor = %s\\n' \"$evil\" >sub/config",
                "git status",
                Suspicious,
            )
        },
        trap(
            "other work tree",
            "mkdir ../w; git config core.worktree \"$PWD/../w\"; git config core.fsmonitor \"$evil\"",
            "git status",
            Key("core.worktree"),
        ),
        Trap {
            cwd: "../linked",
            ..trap(
                "linked work tree",
                "git config core.fsmonitor \"$evil\"; git worktree add -q ../linked",
                "git status",
                Key("core.fsmonitor"),
            )
        },
        trap(
            "partial clone",
            "git config remote.o.url ssh://example.invalid/r; git config remote.o.promisor true; \
             rm .git/objects/$(git rev-parse HEAD~1:f.txt | sed 's,^..,&/,')",
            "git log -p",
            Key("remote.o.promisor"),
        ),
        trap(
            "partial clone by its extension",
            "git config core.repositoryFormatVersion 1; git config extensions.partialClone o; git config remote.o.url ssh://example.invalid/r; \
             rm .git/objects/$(git rev-parse HEAD~1:f.txt | sed 's,^..,&/,')",
            "git log -p",
            Key("extensions.partialClone"),
        ),
        trap(
            "partial clone with a program of its own",
            "git config remote.o.url \"$PWD\"; git config remote.o.promisor true; git config remote.o.uploadpack \"$evil\"; \
             rm .git/objects/$(git rev-parse HEAD~1:f.txt | sed 's,^..,&/,')",
            "git log -p",
            Key("remote.o.uploadpack"),
        ),
    ];
    let signed = [
        trap(
            "signatures shown",
            "git config log.showSignature true",
            "git log",
            Key("log.showSignature"),
        ),
        trap(
            "format with signatures",
            "git config format.pretty '%h %G?'",
            "git log",
            Key("format.pretty"),
        ),
        trap(
            "named format with signatures",
            "git config pretty.x '%h %G?'",
            "git log --format=x",
            Key("pretty.x"),
        ),
        trap(
            "program for signatures",
            "git config gpg.program \"$evil\"; git config log.showSignature true",
            "git log",
            Key("gpg.program"),
        ),
    ];
    let modules = [
        trap(
            "submodule",
            "git -C s config core.fsmonitor \"$evil\"",
            "git status",
            Key("core.fsmonitor"),
        ),
        trap(
            "submodule in an index of version 4",
            "git -C s config core.fsmonitor \"$evil\"; git update-index --index-version 4",
            "git status",
            Key("core.fsmonitor"),
        ),
        trap(
            "submodule in a split index",
            "git -C s config core.fsmonitor \"$evil\"; git update-index --split-index; echo n >n; git add n",
            "git status",
            Key("core.fsmonitor"),
        ),
        trap(
            "filter of a submodule",
            "git -C s config filter.x.clean \"$evil\"; echo '*.txt filter=x' >s/.gitattributes; touch s/l.txt",
            "git status",
            Key("filter.x.clean"),
        ),
        trap(
            "external diff of a submodule",
            "git -C s config diff.external \"$evil\"; git config diff.submodule diff; echo b >>s/l.txt; git -C s commit -qam b",
            "git diff",
            Key("diff.external"),
        ),
        trap(
            "submodule with a repository of its own",
            "rm s/.git; mv .git/modules/s s/.git; git config -f s/.git/config --unset core.worktree; git -C s config core.fsmonitor \"$evil\"",
            "git status",
            Key("core.fsmonitor"),
        ),
        Trap {
            cwd: "s",
            ..trap(
                "inside a submodule",
                "git -C s config core.fsmonitor \"$evil\"",
                "git status",
                Key("core.fsmonitor"),
            )
        },
    ];
    let with = |before: &'static str, traps: Vec<Trap>| {
        traps.into_iter().map(move |trap| {
            let script = format!("{before} {}", trap.setup);
            (trap, script)
        })
    };
    let harmless = trap(
        "submodule without a trap",
        "git config alias.st \"!$evil\"",
        "git st",
        Clean,
    );
    with("", plain.into())
        .chain(with(SIGNED, signed.into()))
        .chain(with(MODULE, modules.into()))
        .chain(with(MODULE, vec![harmless]))
        .collect()
}

/// A folder with the repository `app`, the program and a home.
struct World {
    folder: tempfile::TempDir,
}

impl World {
    fn new(script: &str) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("hostile-git-")
            .tempdir()
            .expect("a folder");
        let world = Self { folder };
        for name in ["app", "home", "empty"] {
            fs::create_dir(world.path(name)).expect("made");
        }
        let evil = world.path("evil");
        fs::write(
            &evil,
            format!(
                "#!/bin/sh\n: >'{}'\ncat -- \"$@\" 2>/dev/null\nexit 0\n",
                world.path("mark").display()
            ),
        )
        .expect("written");
        fs::set_permissions(&evil, fs::Permissions::from_mode(0o755)).expect("executable");
        let made = Command::new("sh")
            .args(["-ec", &format!(
                "git init -q -b main .; echo x >f.txt; git add f.txt; git commit -qm one; echo y >f.txt; git commit -qam two; echo z >f.txt; {script}"
            )])
            .current_dir(world.path("app"))
            .env("evil", &evil)
            .env("HOME", world.path("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .envs(["AUTHOR", "COMMITTER"].into_iter().flat_map(|who| {
                [
                    (format!("GIT_{who}_NAME"), "u"),
                    (format!("GIT_{who}_EMAIL"), "u@example.invalid"),
                ]
            }))
            .stdin(Stdio::null())
            .output()
            .expect("sh");
        assert!(
            made.status.success(),
            "{script}: {}",
            String::from_utf8_lossy(&made.stderr)
        );
        // Making the repository may have sprung it.
        let _ = fs::remove_file(world.path("mark"));
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Those of `commands` that run the program, when they are run one by one at `cwd` on a copy of everything.
    fn sprung(&self, commands: &[&str], cwd: &Path, env: &BTreeMap<String, String>) -> Vec<String> {
        let copy = tempfile::Builder::new()
            .prefix("hostile-git-copy-")
            .tempdir()
            .expect("a folder");
        let copied = Command::new("cp")
            .arg("-a")
            .arg(self.folder.path().join("."))
            .arg(copy.path())
            .status()
            .expect("cp");
        assert!(copied.success());
        let mut bwrap = Command::new("bwrap");
        bwrap
            .args([
                "--unshare-net",
                "--unshare-pid",
                "--unshare-ipc",
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
            ])
            .arg("--bind")
            .arg(copy.path())
            .arg(self.folder.path());
        // Whatever git would connect or check by.
        for program in ["/usr/bin/ssh", "/usr/bin/gpg"] {
            if Path::new(program).exists() {
                bwrap.arg("--ro-bind").arg(self.path("evil")).arg(program);
            }
        }
        bwrap
            .args(["--clearenv", "--setenv", "PATH"])
            .arg(std::env::var_os("PATH").unwrap_or_default())
            .arg("--setenv")
            .arg("HOME")
            .arg(self.path("home"))
            .args(["--setenv", "PAGER", "cat", "--chdir"])
            .arg(cwd);
        for (name, value) in env {
            bwrap.args(["--setenv", name, value]);
        }
        let each = format!(
            "for command; do script -qec \"$command\" /dev/null; if [ -e '{0}' ]; then rm '{0}'; echo \"$command\" >>'{1}'; fi; done >/dev/null",
            self.path("mark").display(),
            self.path("sprung").display(),
        );
        let ran = bwrap
            .args(["timeout", "-k", "1", "60", "sh", "-c", &each, "sh"])
            .args(commands)
            .stdin(Stdio::null())
            .output()
            .expect("bwrap (Debian: apt-get install bubblewrap)");
        assert!(
            ran.status.success(),
            "{commands:?}: {}",
            String::from_utf8_lossy(&ran.stderr)
        );
        let sprung = fs::read_to_string(copy.path().join("sprung")).unwrap_or_default();
        sprung.lines().map(str::to_owned).collect()
    }
}

#[test]
fn no_allowed_command_springs_a_trap() {
    let policy = Policy::new(PolicyConfig::default()).expect("no rules");
    let (traps, next, ran) = (traps(), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((trap, script)) = traps.get(next.fetch_add(1, Ordering::Relaxed)) {
                    ran.fetch_add(hold(trap, script, &policy), Ordering::Relaxed);
                }
            });
        }
    });
    println!(
        "{} traps, {} allowed commands run",
        traps.len(),
        ran.into_inner()
    );
}

/// How many allowed commands were run in it.
fn hold(trap: &Trap, script: &str, policy: &Policy) -> usize {
    let Trap {
        name,
        springs,
        guard,
        ..
    } = trap;
    let world = World::new(script);
    let cwd = fs::canonicalize(world.path("app").join(trap.cwd)).expect("a folder");
    assert_eq!(
        world.sprung(&[*springs], &cwd, &BTreeMap::new()),
        [*springs],
        "{name}: `{springs}` springs nothing, so the trap proves nothing"
    );
    let mut facts = gather(&Given {
        cwd: Some(cwd.clone()),
        workspace: Vec::new(),
    });
    match guard {
        Guard::Suspicious => assert_eq!(facts.git.state, GitState::Suspicious, "{name}"),
        Guard::Key(key) => assert!(
            facts.git.executing_keys.iter().any(|found| found == key),
            "{name}: {key} is not among {:?}",
            facts.git.executing_keys
        ),
        Guard::Clean => assert_eq!(facts.git.executing_keys, ["alias.st"], "{name}"),
    }
    let mut ran = 0;
    for applies in [true, false] {
        facts.can_apply_conditions = applies;
        let mut allowed: BTreeMap<BTreeMap<String, String>, Vec<&str>> = BTreeMap::new();
        for command in READING.iter().chain([springs]) {
            let verdict = policy.evaluate(&Request {
                command: (*command).into(),
                facts: facts.clone(),
                ..Request::default()
            });
            if verdict.decision == Decision::Allow {
                let env = if applies {
                    verdict.conditions.env
                } else {
                    BTreeMap::new()
                };
                allowed.entry(env).or_default().push(command);
                ran += 1;
            } else {
                let own = command != springs;
                assert!(
                    *guard != Guard::Clean || !own,
                    "{name}: `{command}` asks for nothing"
                );
            }
        }
        assert!(
            *guard != Guard::Suspicious || allowed.is_empty(),
            "{name}: {allowed:?}"
        );
        for (env, commands) in allowed {
            assert_eq!(
                world.sprung(&commands, &cwd, &env),
                Vec::<String>::new(),
                "{name}: allowed, and they spring it (conditions applied: {applies})"
            );
        }
    }
    ran
}

/// What git starts by another command of its own, where no condition and no option of the first reaches.
#[test]
fn commands_that_git_starts_by_itself_are_asked_about() {
    let policy = Policy::new(PolicyConfig::default()).expect("no rules");
    for (script, command) in [
        (
            "git config man.viewer evil; git config man.evil.cmd \"$evil\"",
            "git rev-parse --help",
        ),
        (
            "git config diff.x.textconv \"$evil\"; echo '*.txt diff=x' >.gitattributes",
            "git range-diff --no-textconv HEAD~1..HEAD HEAD~1..HEAD",
        ),
    ] {
        let world = World::new(script);
        let cwd = fs::canonicalize(world.path("app")).expect("a folder");
        assert_eq!(
            world.sprung(&[command], &cwd, &BTreeMap::new()),
            [command],
            "`{command}` springs nothing, so the trap proves nothing"
        );
        let mut facts = gather(&Given {
            cwd: Some(cwd),
            workspace: Vec::new(),
        });
        facts.can_apply_conditions = true;
        let verdict = policy.evaluate(&Request {
            command: command.into(),
            facts,
            ..Request::default()
        });
        assert_eq!(verdict.decision, Decision::Ask, "{command}");
    }
}

#[test]
fn conditions_hold_for_a_whole_line_or_not_at_all() {
    let world = World::new("git config remote.o.promisor true");
    let mut facts = gather(&Given {
        cwd: Some(world.path("app")),
        workspace: Vec::new(),
    });
    facts.can_apply_conditions = true;
    let config: PolicyConfig =
        serde_json::from_value(serde_json::json!({"user": {"allow": ["git push:*"]}}))
            .expect("a rule");
    let policy = Policy::new(config).expect("a rule");
    let decide = |command: &str| {
        let request = Request {
            command: command.into(),
            facts: facts.clone(),
            ..Request::default()
        };
        policy.evaluate(&request).decision
    };
    assert_eq!(decide("git status"), Decision::Allow);
    assert_eq!(decide("git push"), Decision::Allow);
    // Under the condition of the first nothing could be pushed.
    assert_eq!(decide("git status && git push"), Decision::Ask);
}
