//! Launchers without a spec: never read-only themselves, looked through so that rules see what they start.
//!
//! A row says no more than where the inner command begins. Where a word could move that place, it is a hazard.

use alloc::string::ToString;

use super::{
    Context, Lowerer,
    model::{Arg, Cwd, Value},
    scope::Scope,
};

/// A wrapper without a spec: never read-only itself, looked through so that rules see what it starts.
pub(super) struct Plain {
    names: &'static [&'static str],
    /// Short options with a value.
    valued: &'static str,
    /// Long options whose value is the next word.
    long: &'static [&'static str],
    /// Operands before the command.
    skip: usize,
    /// The command is text for a shell.
    text: bool,
    /// An option that gives the command as text.
    command_option: Option<&'static str>,
}

const PLAIN: &[Plain] = &[
    plain(
        &["flock"],
        "wE",
        &["--timeout", "--wait", "--conflict-exit-code"],
        1,
    ),
    plain(&["chroot"], "", &[], 1),
    plain(
        &["unshare"],
        "SGRw",
        &["--setuid", "--setgid", "--root", "--wd"],
        0,
    ),
    plain(
        &["nsenter"],
        "tSG",
        &["--target", "--setuid", "--setgid"],
        0,
    ),
    plain(
        &["strace"],
        "eopsaEuPXOSbIU",
        &[
            "--trace",
            "--output",
            "--attach",
            "--string-limit",
            "--user",
        ],
        0,
    ),
    plain(&["ltrace"], "eopsaulnADFLSwx", &[], 0),
    plain(&["taskset"], "", &[], 1),
    plain(&["chrt"], "TPDp", &[], 1),
    plain(
        &["setpriv", "pkexec"],
        "",
        &["--user", "--reuid", "--regid"],
        0,
    ),
    plain(
        &["numactl"],
        "NmiCpl",
        &[
            "--cpunodebind",
            "--membind",
            "--physcpubind",
            "--interleave",
            "--preferred",
        ],
        0,
    ),
    plain(
        &["systemd-run"],
        "pEuGtMH",
        &[
            "--unit",
            "--property",
            "--setenv",
            "--slice",
            "--description",
        ],
        0,
    ),
    plain(
        &[
            "valgrind",
            "fakeroot",
            "eatmydata",
            "caffeinate",
            "unbuffer",
            "rlwrap",
            "catchsegv",
            "busybox",
            "toybox",
            "torsocks",
            "proxychains",
            "proxychains4",
            "xvfb-run",
            "dbus-run-session",
            "linux32",
            "linux64",
            "prlimit",
            "firejail",
            "gdb",
            "perf",
            "entr",
            "chronic",
            "ifne",
            "dotenv",
            "direnv",
            "daemonize",
            "nocache",
            "trickle",
            "rr",
        ],
        "",
        &[],
        0,
    ),
    plain(&["gosu", "su-exec", "chpst", "sg", "setarch"], "", &[], 1),
    Plain {
        text: true,
        ..plain(&["watch"], "nq", &["--interval", "--equexit"], 0)
    },
    Plain {
        text: true,
        ..plain(
            &["hyperfine"],
            "wmMrspLDSn",
            &[
                "--warmup",
                "--runs",
                "--min-runs",
                "--max-runs",
                "--setup",
                "--prepare",
                "--export-json",
            ],
            0,
        )
    },
    Plain {
        command_option: Some("-c --command --session-command"),
        ..plain(
            &["su"],
            "gGsTw",
            &["--group", "--supp-group", "--shell"],
            usize::MAX,
        )
    },
    Plain {
        command_option: Some("-c --command --session-command"),
        ..plain(
            &["runuser"],
            "gGsTuw",
            &["--group", "--supp-group", "--shell", "--user"],
            0,
        )
    },
    Plain {
        command_option: Some("-c --command"),
        ..plain(&["script"], "EmoBIOTt", &[], usize::MAX)
    },
    // `at` and `batch` read what they run from standard input.
];

pub(super) const fn plain(
    names: &'static [&'static str],
    valued: &'static str,
    long: &'static [&'static str],
    skip: usize,
) -> Plain {
    Plain {
        names,
        valued,
        long,
        skip,
        text: false,
        command_option: None,
    }
}

impl Lowerer<'_> {
    /// Follows a launcher of the table, if `tool` is one.
    pub(super) fn by_table(
        &mut self,
        tool: &str,
        argv: &[Arg],
        index: usize,
        body: Option<&str>,
        scope: &Scope,
        context: Context,
    ) {
        let Some(row) = PLAIN.iter().find(|row| row.names.contains(&tool)) else {
            return;
        };
        if let Some(option) = row.command_option {
            self.command_option(option, argv, index, scope, context);
            if row.skip == usize::MAX {
                return;
            }
        }
        let Some(start) = first_operand(argv, row).map(|at| at + row.skip) else {
            return;
        };
        self.may_shift(argv, Some(start), None);
        let mut rest = argv.get(start..).unwrap_or(&[]).to_vec();
        if tool == "flock" && rest.first().and_then(|arg| arg.value.exact()) == Some("-c") {
            rest.remove(0);
            self.shell_text(&rest, index, scope, context);
            return;
        }
        let mut copy = scope.clone();
        if matches!(tool, "chroot" | "unshare" | "nsenter") {
            copy.cwd = Cwd::Unknown;
        }
        let executes = argv
            .iter()
            .take(start)
            .any(|arg| matches!(arg.value.exact(), Some("-x" | "--exec")));
        if row.text && !executes {
            self.shell_text(&rest, index, scope, context);
        } else {
            self.wrapped(tool, rest, index, body, &mut copy, context);
        }
    }

    /// `su -c 'command'`, `script -qc 'command'`.
    fn command_option(
        &mut self,
        names: &str,
        argv: &[Arg],
        index: usize,
        scope: &Scope,
        context: Context,
    ) {
        let mut args = argv.iter().skip(1);
        while let Some(arg) = args.next() {
            let text = arg.value.known_prefix();
            let attached = names.split(' ').find_map(|name| {
                text.strip_prefix(name)
                    .filter(|_| name.starts_with("--"))
                    .and_then(|rest| rest.strip_prefix('='))
            });
            let takes_next = names.split(' ').any(|name| name == text)
                || (text.starts_with('-') && !text.starts_with("--") && text.ends_with('c'));
            let command = match attached {
                Some(attached) if arg.value.exact().is_some() => {
                    Some(Arg::new(Value::Exact(attached.to_string()), arg.span))
                }
                Some(_) => Some(Arg::new(Value::Unknown, arg.span)),
                None if takes_next => args.next().cloned(),
                None => None,
            };
            if let Some(command) = command {
                self.shell_text(&[command], index, scope, context);
            }
        }
    }

    /// `exec [-cl] [-a name] command`; without a command only its redirects stay.
    pub(super) fn exec(
        &mut self,
        argv: &[Arg],
        index: usize,
        body: Option<&str>,
        scope: &Scope,
        context: Context,
    ) {
        let row = plain(&["exec"], "a", &[], 0);
        let Some(start) = first_operand(argv, &row) else {
            return;
        };
        self.may_shift(argv, Some(start), None);
        let rest = argv.get(start..).unwrap_or(&[]).to_vec();
        self.wrapped("exec", rest, index, body, &mut scope.clone(), context);
    }
}

/// The first word that is no option by `row`.
pub(super) fn first_operand(argv: &[Arg], row: &Plain) -> Option<usize> {
    let mut at = 1;
    while let Some(arg) = argv.get(at) {
        let text = match arg.value.exact() {
            Some(text) => text,
            None => return Some(at),
        };
        if text == "--" {
            return Some(at + 1);
        }
        if !text.starts_with('-') || text == "-" {
            return Some(at);
        }
        at += 1;
        let takes_next = if text.starts_with("--") {
            row.long.contains(&text)
        } else {
            // The last letter of a cluster, when it takes a value and none is attached.
            let mut letters = text.chars().skip(1);
            let valued = letters.by_ref().any(|letter| row.valued.contains(letter));
            valued && letters.next().is_none()
        };
        if takes_next {
            at += 1;
        }
    }
    None
}
