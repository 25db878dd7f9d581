//! Commands that start others: the command inside becomes an invocation of its own, nested in the wrapper's.
//!
//! Where the inner command begins is read by the wrapper's spec; only what no table can say is here: `env -S`, what
//! `xargs -I`, `find -exec` and `fd -x` put in place of `{}`, and tools that are never read-only but whose inner command
//! deny rules should see. An argument that could shift the inner command is a hazard.

use alloc::{string::String, string::ToString, vec::Vec};

use super::{
    Context, Lowerer, cwd,
    model::{Arg, Assign, Cwd, HazardKind, Site, Value},
    scope::Scope,
    shells::shell_of,
};
use crate::{
    facts::Shell,
    limits::MAX_WRAPPERS,
    specs::{model::Runs, options},
};

/// A wrapper without a spec: never read-only itself, looked through so that rules see what it starts.
struct Plain {
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
            "setarch",
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
    plain(&["gosu", "su-exec", "chpst", "sg"], "", &[], 1),
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
            &["su", "runuser"],
            "gGsTuw",
            &["--group", "--supp-group", "--shell", "--user"],
            usize::MAX,
        )
    },
    Plain {
        command_option: Some("-c --command"),
        ..plain(&["script"], "EmoBIOTt", &[], usize::MAX)
    },
    // `at` and `batch` read what they run from standard input.
];

const fn plain(
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
    /// Follows what running the program `tool` starts; `argv` with its name.
    pub(super) fn start(
        &mut self,
        tool: &str,
        argv: &[Arg],
        index: usize,
        body: Option<&str>,
        scope: &mut Scope,
        context: Context,
    ) -> Option<Scope> {
        if self.full {
            return None;
        }
        if let Some(shell) = shell_of(tool) {
            self.start_shell(shell, argv, index, body, scope, context);
            return None;
        }
        match tool {
            "find" | "gfind" => self.find(argv, index, scope, context),
            "fd" | "fdfind" => self.fd(argv, index, scope, context),
            "xargs" | "gxargs" => self.xargs(argv, index, scope, context),
            "env" | "genv" => self.env(argv, index, body, scope, context),
            "parallel" => self.parallel(argv, index, scope, context),
            "at" | "batch" => {
                let span = argv.first().map_or_else(Default::default, |arg| arg.span);
                self.hazard_in(HazardKind::DeferredExec, span, tool);
            }
            "exec" => self.exec(argv, index, body, scope, context),
            "noglob" | "nocorrect" | "-" if self.is_zsh() => {
                let rest = argv.get(1..).unwrap_or(&[]).to_vec();
                return self.wrapped(tool, rest, index, body, scope, context);
            }
            _ => return self.by_spec(tool, argv, index, body, scope, context),
        }
        None
    }

    fn by_spec(
        &mut self,
        tool: &str,
        argv: &[Arg],
        index: usize,
        body: Option<&str>,
        scope: &mut Scope,
        context: Context,
    ) -> Option<Scope> {
        let specs = self.specs;
        let parsed = specs.find(tool).map(|spec| options::read(spec, argv));
        let Some((parsed, wrapper)) =
            parsed.and_then(|parsed| parsed.form.wrapper.map(|wrapper| (parsed, wrapper)))
        else {
            self.by_table(tool, argv, index, body, scope, context);
            return None;
        };
        if tool == "command" && parsed.has("-v -V") {
            return None;
        }
        let start = parsed.wrapped(argv);
        if self.may_shift(argv, start, parsed.uncertain) {
            scope.forget_all();
        }
        let start = start?;
        let rest = argv.get(start..).unwrap_or(&[]).to_vec();
        if wrapper.assignments {
            self.assigned_by_wrapper = parsed
                .operands
                .iter()
                .take_while(|&&at| at < start)
                .filter_map(|&at| argv.get(at))
                .filter_map(assignment_operand)
                .collect();
        }
        match wrapper.runs {
            Runs::Argv if matches!(tool, "command" | "builtin") => {
                return self.wrapped(tool, rest, index, body, scope, context);
            }
            Runs::Argv => {
                let mut copy = self.copy_for(&parsed, scope);
                self.wrapped(tool, rest, index, body, &mut copy, context);
            }
            Runs::ArgvAndMore => {
                let mut rest = rest;
                rest.extend(more(argv));
                self.wrapped(tool, rest, index, None, &mut scope.clone(), context);
            }
            Runs::ShellText => self.shell_text(&rest, index, scope, context),
        }
        None
    }

    /// The scope of a started program; options like `-C DIR` move it.
    fn copy_for(&self, parsed: &options::Parsed<'_>, scope: &Scope) -> Scope {
        let mut copy = scope.clone();
        for option in parsed.all("-C --chdir -D --directory -R --chroot") {
            let changes = option.name == "--chdir"
                || (option.name == "-C" && parsed.spec.name == "env")
                || (parsed.spec.name == "sudo"
                    && matches!(option.name.as_str(), "-D" | "-R" | "--chroot"));
            if changes {
                copy.cwd = match option.value.as_ref().and_then(Value::exact) {
                    Some(text) if option.name != "-R" && option.name != "--chroot" => {
                        cwd::resolve(&copy.cwd, self.facts, text)
                    }
                    _ => Cwd::Unknown,
                };
            }
        }
        copy
    }

    /// Reports words that could move the place where the inner command begins.
    fn may_shift(&mut self, argv: &[Arg], start: Option<usize>, uncertain: Option<usize>) -> bool {
        let end = start.unwrap_or(argv.len());
        let shifting = argv
            .iter()
            .enumerate()
            .take(end)
            .skip(1)
            .find(|(at, arg)| uncertain == Some(*at) || matches!(arg.value, Value::Many(_)));
        let Some((_, arg)) = shifting else {
            return false;
        };
        let what = arg.value.known_prefix().to_string();
        self.hazard_in(HazardKind::DynamicCommand, arg.span, &what);
        true
    }

    fn by_table(
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
            return;
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
                Some(attached) if arg.value.exact().is_some() => Some(Arg {
                    value: Value::Exact(attached.to_string()),
                    span: arg.span,
                }),
                Some(_) => Some(Arg {
                    value: Value::Unknown,
                    span: arg.span,
                }),
                None if takes_next => args.next().cloned(),
                None => None,
            };
            if let Some(command) = command {
                self.shell_text(&[command], index, scope, context);
            }
        }
    }

    /// Words that are joined by blanks and read by `sh`.
    fn shell_text(&mut self, words: &[Arg], index: usize, scope: &Scope, context: Context) {
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            return;
        };
        let span = first.span.to(last.span);
        let texts: Option<Vec<&str>> = words.iter().map(|arg| arg.value.exact()).collect();
        let Some(texts) = texts else {
            self.hazard_in(HazardKind::EvalUnknown, span, first.value.known_prefix());
            return;
        };
        let inner = Context {
            parent: Some(index),
            ..context
        };
        let mut fresh = self.fresh_scope(scope, index);
        self.script_in_string(&texts.join(" "), Shell::Sh, span, &mut fresh, inner);
    }

    /// Adds the command that the wrapper at `index` starts, and follows it.
    fn wrapped(
        &mut self,
        tool: &str,
        argv: Vec<Arg>,
        index: usize,
        body: Option<&str>,
        scope: &mut Scope,
        context: Context,
    ) -> Option<Scope> {
        let first = argv.first()?;
        // Words that come from elsewhere (`xargs`) stand where the wrapper does, before the command.
        let span = argv
            .iter()
            .map(|arg| arg.span)
            .filter(|span| span.start >= first.span.start)
            .fold(first.span, |all, span| all.to(span));
        let outer = self.program.invocations.get(index)?;
        let mut wrappers = outer.wrappers.clone();
        wrappers.push(tool.to_string());
        if wrappers.len() > MAX_WRAPPERS {
            let what = first.value.known_prefix().to_string();
            self.hazard_in(HazardKind::TooDeep, span, &what);
            return None;
        }
        let here = Context {
            site: Site::Wrapped,
            parent: Some(index),
            ..context
        };
        let text = match self.pin {
            // Spans of a script in a string all point at the string.
            Some(_) => joined(&argv),
            None => self.source(span),
        };
        let mut invocation = self.invocation(argv.clone(), span, scope, here);
        invocation.text = text;
        invocation.wrappers = wrappers;
        invocation.assignments = core::mem::take(&mut self.assigned_by_wrapper);
        let inner = self.push(invocation)?;
        let here = Context {
            parent: Some(inner),
            site: context.site,
            ..context
        };
        self.run(&argv, inner, body, scope, here)
    }

    /// `exec [-cl] [-a name] command`; without a command only its redirects stay.
    fn exec(
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

    fn env(
        &mut self,
        argv: &[Arg],
        index: usize,
        body: Option<&str>,
        scope: &mut Scope,
        context: Context,
    ) {
        let split = argv.iter().enumerate().skip(1).find_map(|(at, arg)| {
            let text = arg.value.known_prefix();
            let attached = if let Some(rest) = text.strip_prefix("--split-string") {
                rest.strip_prefix('=')
            } else {
                let letters = text
                    .strip_prefix('-')
                    .filter(|letters| !letters.starts_with('-'))?;
                let place = letters.find(['S', 's'])?;
                let before = letters.get(..place)?;
                if before.contains(['u', 'C', 'P']) {
                    return None;
                }
                letters.get(place + 1..).filter(|rest| !rest.is_empty())
            };
            Some((
                at,
                attached.map(ToString::to_string),
                arg.value.exact().is_some(),
            ))
        });
        let before_command = |at: usize| {
            // Only options and assignments may stand before it.
            argv.iter().take(at).skip(1).all(|arg| {
                let text = arg.value.known_prefix();
                text.starts_with('-') || text.contains('=')
            })
        };
        if let Some((at, attached, whole)) = split
            && before_command(at)
        {
            let (text, rest) = match attached {
                Some(text) => (whole.then_some(text), argv.get(at + 1..)),
                None => (
                    argv.get(at + 1)
                        .and_then(|arg| arg.value.exact())
                        .map(ToString::to_string),
                    argv.get(at + 2..),
                ),
            };
            let span = argv.get(at).map_or_else(Default::default, |arg| arg.span);
            // Quotes, escapes and `${NAME}` of its own; plain words are split at blanks.
            let Some(text) = text.filter(|text| !text.contains(['$', '\\', '"', '\'', '#'])) else {
                self.hazard_in(HazardKind::EvalUnknown, span, "env -S");
                return;
            };
            let mut words: Vec<Arg> = argv.get(..at).unwrap_or(&[]).to_vec();
            words.extend(text.split_whitespace().map(|piece| Arg {
                value: Value::Exact(piece.to_string()),
                span,
            }));
            words.extend(rest.unwrap_or(&[]).iter().cloned());
            if words.len() <= argv.len() + text.len() && text.contains(|c: char| !c.is_whitespace())
            {
                self.by_spec("env", &words, index, body, scope, context);
            }
            return;
        }
        self.by_spec("env", argv, index, body, scope, context);
    }

    fn xargs(&mut self, argv: &[Arg], index: usize, scope: &Scope, context: Context) {
        let specs = self.specs;
        let Some(spec) = specs.find("xargs") else {
            return;
        };
        let parsed = options::read(spec, argv);
        let start = parsed.wrapped(argv);
        self.may_shift(argv, start, parsed.uncertain);
        let Some(start) = start else {
            return;
        };
        let mut rest = argv.get(start..).unwrap_or(&[]).to_vec();
        let replaced = parsed.all("-I -i --replace -J").last();
        let mark = replaced.map(|option| match option.value.as_ref().map(Value::exact) {
            None => Some("{}".to_string()),
            Some(text) => text.map(ToString::to_string),
        });
        match mark {
            None => rest.extend(more(argv)),
            Some(Some(mark)) if !mark.is_empty() => {
                let whole = replaced.is_some_and(|option| option.name == "-J");
                for arg in &mut rest {
                    replace(arg, &mark, "", whole);
                }
            }
            // What is replaced is not known.
            Some(_) => {
                for arg in &mut rest {
                    arg.value = Value::Unknown;
                }
            }
        }
        self.wrapped("xargs", rest, index, None, &mut scope.clone(), context);
    }

    fn find(&mut self, argv: &[Arg], index: usize, scope: &Scope, context: Context) {
        let root = search_root(argv);
        let mut rest = argv.get(1..).unwrap_or(&[]);
        while let Some((arg, after)) = rest.split_first() {
            rest = after;
            let in_folder = match arg.value.exact() {
                Some("-exec" | "-ok") => false,
                Some("-execdir" | "-okdir") => true,
                _ => continue,
            };
            let mut words: Vec<Arg> = Vec::new();
            let mut batch = false;
            while let Some((word, after)) = rest.split_first() {
                rest = after;
                match word.value.exact() {
                    Some(";") => break,
                    Some("+")
                        if words.last().and_then(|arg: &Arg| arg.value.exact()) == Some("{}") =>
                    {
                        batch = true;
                        break;
                    }
                    Some(_) => {}
                    None => {
                        // It may be the `;`, and then the next word is an expression.
                        let next = rest.first().and_then(|arg| arg.value.exact());
                        let harmless = !matches!(word.value, Value::Many(_))
                            && next
                                .is_some_and(|next| !next.starts_with(['-', '(', ')', '!', ',']));
                        if !harmless {
                            let what = word.value.known_prefix().to_string();
                            self.hazard_in(HazardKind::DynamicCommand, word.span, &what);
                        }
                    }
                }
                words.push(word.clone());
            }
            let start = if in_folder { "" } else { root.as_str() };
            for word in &mut words {
                replace(word, "{}", start, batch);
            }
            let mut copy = scope.clone();
            if in_folder {
                copy.cwd = Cwd::Unknown;
            }
            self.wrapped("find", words, index, None, &mut copy, context);
        }
    }

    fn fd(&mut self, argv: &[Arg], index: usize, scope: &Scope, context: Context) {
        const BOOLEAN: &str = "HIusigFapLln01hVqA";
        let mut rest = argv.get(1..).unwrap_or(&[]);
        while let Some((arg, after)) = rest.split_first() {
            rest = after;
            let Some(text) = arg.value.exact() else {
                continue;
            };
            if text == "--" {
                return;
            }
            let (batch, attached) = match text {
                "--exec" => (false, ""),
                "--exec-batch" => (true, ""),
                _ => {
                    if let Some(command) = text.strip_prefix("--exec=") {
                        (false, command)
                    } else if let Some(command) = text.strip_prefix("--exec-batch=") {
                        (true, command)
                    } else {
                        let Some(letters) = text.strip_prefix('-') else {
                            continue;
                        };
                        let Some(place) = letters.find(['x', 'X']) else {
                            continue;
                        };
                        if !letters
                            .chars()
                            .take(place)
                            .all(|letter| BOOLEAN.contains(letter))
                        {
                            continue;
                        }
                        (
                            letters
                                .get(place..)
                                .is_some_and(|rest| rest.starts_with('X')),
                            letters.get(place + 1..).unwrap_or(""),
                        )
                    }
                }
            };
            let mut words: Vec<Arg> = Vec::new();
            if !attached.is_empty() {
                words.push(Arg {
                    value: Value::Exact(attached.to_string()),
                    span: arg.span,
                });
            }
            while let Some((word, after)) = rest.split_first() {
                rest = after;
                if word.value.exact() == Some(";") {
                    break;
                }
                words.push(word.clone());
            }
            let mut found = false;
            for word in &mut words {
                for mark in ["{}", "{/}", "{//}", "{.}", "{/.}"] {
                    let marked = word.value.exact().is_some_and(|text| text.contains(mark));
                    found |= marked;
                    if marked {
                        replace(word, mark, "", batch);
                    }
                }
            }
            if !found {
                words.extend(more(argv));
            }
            self.wrapped("fd", words, index, None, &mut scope.clone(), context);
        }
    }

    /// GNU parallel makes shell text of its words; what is known of it is reported for deny rules.
    fn parallel(&mut self, argv: &[Arg], index: usize, scope: &Scope, context: Context) {
        let row = plain(
            &["parallel"],
            "jaSnNlLdCEIPs",
            &[
                "--jobs",
                "--arg-file",
                "--colsep",
                "--delay",
                "--timeout",
                "--joblog",
                "--results",
                "--max-args",
            ],
            0,
        );
        let span = argv.first().map_or_else(Default::default, |arg| arg.span);
        self.hazard_in(HazardKind::EvalUnknown, span, "parallel");
        if let Some(start) = first_operand(argv, &row) {
            let mut words: Vec<Arg> = argv
                .get(start..)
                .unwrap_or(&[])
                .iter()
                .take_while(|arg| !arg.value.known_prefix().starts_with(":::"))
                .cloned()
                .collect();
            for word in &mut words {
                replace(word, "{}", "", false);
            }
            words.extend(more(argv));
            self.wrapped("parallel", words, index, None, &mut scope.clone(), context);
        }
    }
}

/// `NAME=VALUE` as an operand of `env`: an assignment before the inner command.
fn assignment_operand(arg: &Arg) -> Option<Assign> {
    let (name, value) = arg.value.known_prefix().split_once('=')?;
    Some(Assign {
        name: name.into(),
        value: match (&arg.value, value) {
            (Value::Exact(_), value) => Value::Exact(value.into()),
            (_, "") => Value::Unknown,
            (_, value) => Value::Prefix(value.into()),
        },
        span: arg.span,
    })
}

/// Any number of arguments that come from elsewhere.
fn more(argv: &[Arg]) -> Option<Arg> {
    argv.first().map(|first| Arg {
        value: Value::Many(String::new()),
        span: first.span,
    })
}

/// Puts what is known of a replaced mark into a word: text that begins with `start`.
fn replace(arg: &mut Arg, mark: &str, start: &str, many: bool) {
    let Value::Exact(text) = &arg.value else {
        // An unknown word may hold the mark; it is no better known than before.
        if let Value::OneOf(all) = &arg.value
            && all.iter().any(|text| text.contains(mark))
        {
            arg.value = Value::Unknown;
        }
        return;
    };
    let Some((before, _)) = text.split_once(mark) else {
        return;
    };
    let mut known = before.to_string();
    known.push_str(start);
    arg.value = match (many, known.is_empty()) {
        (true, _) => Value::Many(known),
        (false, true) => Value::Unknown,
        (false, false) => Value::Prefix(known),
    };
}

/// What every path that `find` reports begins with.
fn search_root(argv: &[Arg]) -> String {
    let mut roots: Vec<&str> = Vec::new();
    let mut args = argv.iter().skip(1).peekable();
    while let Some(arg) = args.peek() {
        match arg.value.exact() {
            Some("-H" | "-L" | "-P") => {
                args.next();
            }
            Some("-D") => {
                args.next();
                args.next();
            }
            Some(text) if text.starts_with("-O") => {
                args.next();
            }
            _ => break,
        }
    }
    for arg in args {
        match arg.value.exact() {
            Some(text) if text.starts_with(['-', '(', '!', ',']) => break,
            Some(text) => roots.push(text),
            None => roots.push(arg.value.known_prefix()),
        }
    }
    match roots.as_slice() {
        [] => ".".into(),
        [first, rest @ ..] => {
            let mut shared = first.to_string();
            for other in rest {
                let same = shared
                    .char_indices()
                    .zip(other.chars())
                    .find(|((_, a), b)| a != b)
                    .map_or_else(|| shared.len().min(other.len()), |((at, _), _)| at);
                shared.truncate(same);
            }
            shared
        }
    }
}

/// The first word that is no option by `row`.
fn first_operand(argv: &[Arg], row: &Plain) -> Option<usize> {
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

fn joined(argv: &[Arg]) -> String {
    argv.iter()
        .map(|arg| match &arg.value {
            Value::Exact(text) => text.clone(),
            value => {
                let mut text = value.known_prefix().to_string();
                text.push('…');
                text
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}
