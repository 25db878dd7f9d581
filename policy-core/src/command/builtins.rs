//! What a command does to the shell that runs it, by its name: dispatch to state, directory, scripts and wrappers.
//!
//! Only effects on later commands and code that would run are followed here; whether a builtin is read-only is
//! judged by its spec like any other command.

use alloc::{string::ToString, vec::Vec};

use super::{
    Context, Lowerer, arith,
    conditions::may_hold_subscript,
    cwd,
    model::{Arg, Cwd, HazardKind, Value},
    printed::Printed,
    scope::{Known, Scope},
};
use crate::facts::Shell;

/// Folders whose tools are those of their name.
const SYSTEM_FOLDERS: &[&str] = &[
    "/bin/",
    "/usr/bin/",
    "/sbin/",
    "/usr/sbin/",
    "/usr/local/bin/",
    "/usr/local/sbin/",
    "/opt/homebrew/bin/",
];

impl Lowerer<'_> {
    /// Follows what running `argv` does. `index` is its invocation, `body` a literal standard input. The result is the
    /// state when it fails, if another than `scope` then.
    pub(super) fn run(
        &mut self,
        argv: &[Arg],
        index: usize,
        body: Option<&str>,
        scope: &mut Scope,
        context: Context,
    ) -> Option<Scope> {
        let (command, args) = argv.split_first()?;
        let Some(name) = command.value.exact() else {
            let what = command.value.known_prefix().to_string();
            self.hazard_in(HazardKind::DynamicCommand, command.span, &what);
            scope.forget_all();
            scope.cwd = Cwd::Unknown;
            return None;
        };
        let tool = SYSTEM_FOLDERS
            .iter()
            .find_map(|folder| name.strip_prefix(folder))
            .filter(|rest| !rest.contains('/'));
        if let Some(tool) = tool {
            return self.start(tool, argv, index, body, scope, context);
        }
        match self.builtin(name, args, index, body, scope, context) {
            Some(failed) => Some(failed),
            None => self.start(name, argv, index, body, scope, context),
        }
    }

    fn builtin(
        &mut self,
        name: &str,
        args: &[Arg],
        index: usize,
        body: Option<&str>,
        scope: &mut Scope,
        context: Context,
    ) -> Option<Scope> {
        let span = args.first().map_or_else(
            || {
                self.program
                    .invocations
                    .get(index)
                    .map_or_else(Default::default, |it| it.span)
            },
            |arg| arg.span,
        );
        if self.is_zsh() {
            self.zsh_builtin(name, args, scope);
        }
        match name {
            "cd" | "chdir" => return Some(self.change_directory(args, index, scope)),
            "pushd" => {
                let before = scope.clone();
                scope.push_directory(before.cwd.clone());
                let plain = |arg: &Arg| {
                    let text = arg.value.exact();
                    text.is_some_and(|text| !text.starts_with(['-', '+']))
                };
                scope.cwd = if args.is_empty() || !args.iter().all(plain) {
                    // `-n` and `+1` change what `popd` finds.
                    scope.forget_directories();
                    Cwd::Unknown
                } else {
                    cwd::change(&before, self.facts, args, false)
                };
                return Some(before);
            }
            "popd" => {
                let before = scope.clone();
                scope.cwd = match scope.pop_directory() {
                    Some(cwd) if args.is_empty() => cwd,
                    _ => Cwd::Unknown,
                };
                if !args.is_empty() {
                    scope.forget_directories();
                }
                return Some(before);
            }
            // Otherwise it may only complain and go on.
            "exit" => {
                scope.dead = match args {
                    [] => true,
                    [status] => match &status.value {
                        Value::Digits => true,
                        Value::Exact(text) => {
                            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
                        }
                        _ => false,
                    },
                    _ => false,
                };
            }
            "dirs" => scope.forget_directories(),
            "declare" | "typeset" if self.shell == Shell::Sh => {
                // Where `sh` is dash they are commands that are not there.
                self.hazard_in(HazardKind::Opaque, span, name);
                scope.forget_all();
            }
            "export" | "declare" | "typeset" | "local" | "readonly" | "integer" | "float" => {
                self.declare(name, args, scope);
            }
            "unset" => self.unset(args, scope),
            "set" => self.set_options(args, scope),
            "shift" => scope.positional = None,
            "shopt" | "setopt" | "unsetopt" => self.shell_options(name, args),
            "emulate" | "zmodload" | "zstyle" | "disable" if self.is_zsh() => {
                self.hazard_in(HazardKind::ShellOption, span, name);
            }
            "read" => self.read(args, index, body, scope, context),
            "mapfile" | "readarray" => self.mapfile(args, scope),
            "printf" => self.printf(args, scope),
            "getopts" => {
                if let Some(arg) = args.get(1) {
                    self.store(arg, Known::Any, scope);
                }
                scope.forget("OPTARG");
                scope.set("OPTIND", Known::Digits);
            }
            "wait" => {
                let mut args = args.iter();
                while let Some(arg) = args.next() {
                    // `-pNAME`: the subscript of an attached name is evaluated too.
                    let attached = arg.value.exact().filter(|text| {
                        text.starts_with('-') && text.contains('p') && !text.ends_with('p')
                    });
                    if let Some(text) = attached {
                        self.hazard_in(HazardKind::ArithmeticEval, arg.span, text);
                        continue;
                    }
                    let names = arg
                        .value
                        .exact()
                        .is_none_or(|text| text.starts_with('-') && text.contains('p'));
                    if names && let Some(next) = args.next() {
                        self.store(next, Known::Any, scope);
                    }
                }
            }
            "let" => {
                for arg in args {
                    let outcome = arith::judge_value(&arg.value, &self.expander(scope));
                    if !outcome.safe {
                        let what = arg.value.exact().unwrap_or("").to_string();
                        self.hazard_in(HazardKind::ArithmeticEval, arg.span, &what);
                    }
                    for name in &outcome.assigned {
                        scope.set(name, Known::Integer);
                        if super::names::influence(name, self.shell)
                            == super::names::Influence::Influential
                        {
                            self.hazard_in(HazardKind::EnvPersist, arg.span, name);
                        }
                    }
                }
            }
            "test" | "[" => self.test(args, scope),
            "trap" => self.trap(args, index, scope, context),
            "alias" | "hash" | "enable" | "unfunction" | "unhash" | "rehash" => {
                self.names_shown(name, args, span);
                if name == "alias" {
                    self.aliased(args, index, scope, context);
                }
            }
            "autoload" | "functions" | "zle" | "add-zsh-hook" | "sched" | "zcompile" | "vared"
            | "fc" | "r"
                if (self.is_zsh()
                    || name == "fc" && !args.iter().any(|arg| arg.value.exact() == Some("-l"))) =>
            {
                self.hazard_in(HazardKind::EvalUnknown, span, name);
            }
            "complete" | "compopt" | "bind" | "bindkey" | "compdef" => {
                self.hazard_in(HazardKind::DeferredExec, span, name);
            }
            "compgen" => {
                let harmless = |arg: &Arg| {
                    arg.value.exact().is_some_and(|text| {
                        !text.starts_with('-')
                            || text
                                .bytes()
                                .skip(1)
                                .all(|letter| b"abcdefgjksuv".contains(&letter))
                    })
                };
                if !args.iter().all(harmless) {
                    self.hazard_in(HazardKind::DeferredExec, span, name);
                }
            }
            "source" | "." => {
                self.hazard_in(HazardKind::EvalUnknown, span, name);
                scope.forget_all();
                scope.cwd = Cwd::Unknown;
            }
            "eval" => self.eval(args, index, scope, context),
            _ => {}
        }
        None
    }

    fn change_directory(&mut self, args: &[Arg], index: usize, scope: &mut Scope) -> Scope {
        let before = scope.clone();
        let assigned = self
            .program
            .invocations
            .get(index)
            .is_some_and(|it| !it.assignments.is_empty());
        let cdpath = assigned || scope.variable("CDPATH").is_some();
        scope.cwd = cwd::change(&before, self.facts, args, cdpath);
        scope.forget("OLDPWD");
        before
    }

    fn read(
        &mut self,
        args: &[Arg],
        index: usize,
        body: Option<&str>,
        scope: &mut Scope,
        context: Context,
    ) {
        // Of lines that hold no sign every part is as harmless.
        let plain = |arg: &Arg| {
            arg.value
                .exact()
                .is_some_and(|text| text == "-r" || !text.starts_with('-'))
        };
        // One word that nothing parts: all of it goes to a single name.
        let given = body.map(|text| text.trim_end_matches('\n')).filter(|text| {
            let simple = |c: char| c.is_ascii_alphanumeric() || "._/-".contains(c);
            let invocation = self.program.invocations.get(index);
            invocation.is_some_and(|it| it.assignments.is_empty())
                && args.len() < 3
                && args.iter().all(plain)
                && text.chars().all(simple)
        });
        let names = args.iter().filter(|arg| arg.value.exact() != Some("-r"));
        let known = if let (Some(text), 1) = (given, names.count()) {
            Known::exact(text)
        } else if !self.is_zsh() && args.iter().all(plain) {
            match self.piped_to(index, context) {
                Printed::Hashes => Known::Names,
                Printed::Numbers => Known::Count,
                _ => Known::Any,
            }
        } else {
            Known::Any
        };
        let mut rest = args.iter();
        let mut named = false;
        let mut ended = false;
        while let Some(arg) = rest.next() {
            match arg.value.exact() {
                Some("--") if !ended => ended = true,
                Some(text) if !ended && text.starts_with('-') && text.len() > 1 => {
                    // Each letter takes the rest of the word or the next word, or nothing.
                    let valued = text
                        .char_indices()
                        .skip(1)
                        .find(|(_, letter)| "adinNptu".contains(*letter));
                    if let Some((at, letter)) = valued {
                        let attached = text.get(at + letter.len_utf8()..).unwrap_or("");
                        let value = if attached.is_empty() {
                            rest.next().cloned()
                        } else {
                            Some(Arg::new(Value::Exact(attached.to_string()), arg.span))
                        };
                        if letter == 'a'
                            && let Some(value) = value
                        {
                            named = true;
                            scope.note_array(value.value.known_prefix());
                            self.store(&value, Known::Any, scope);
                        }
                    }
                }
                Some(text) if self.is_zsh() && text.contains('?') => {
                    self.hazard_in(HazardKind::Opaque, arg.span, text);
                }
                _ => {
                    named = true;
                    ended = true;
                    self.store(arg, known.clone(), scope);
                }
            }
        }
        if !named {
            scope.forget("REPLY");
        }
    }

    fn printf(&mut self, args: &[Arg], scope: &mut Scope) {
        let Some((first, rest)) = args.split_first() else {
            return;
        };
        match first.value.exact() {
            Some("-v") => {
                if let Some(name) = rest.first() {
                    self.store(name, Known::Any, scope);
                }
            }
            Some(text) if text.starts_with("-v") => {
                let name = Arg::new(
                    Value::Exact(text.get(2..).unwrap_or("").to_string()),
                    first.span,
                );
                self.store(&name, Known::Any, scope);
            }
            Some(format) => {
                if format.contains('%') && format.contains('n') && !self.is_zsh() {
                    // `%n` stores a count in the variable that its argument names.
                    for arg in rest.iter().filter(|_| counts(format)) {
                        self.store(arg, Known::Any, scope);
                    }
                }
            }
            None => {
                let may_be_v = match &first.value {
                    Value::Prefix(start) => {
                        "-v".starts_with(start.as_str()) || start.starts_with("-v")
                    }
                    value => value.may_be_option(false),
                };
                let several = matches!(first.value, Value::Many(_));
                if may_be_v
                    && (several
                        || rest.iter().any(|arg| {
                            may_hold_subscript(&arg.value)
                                || arg.value.exact().is_some_and(super::names::is_name)
                        }))
                {
                    self.hazard_in(HazardKind::ArithmeticEval, first.span, "");
                }
            }
        }
    }

    fn trap(&mut self, args: &[Arg], index: usize, scope: &Scope, context: Context) {
        let mut args = args.iter();
        let Some(first) = args.by_ref().find(|arg| arg.value.exact() != Some("--")) else {
            return;
        };
        // Shown, reset or ignored.
        let harmless = match first.value.exact() {
            Some("-p" | "-l" | "-" | "") => true,
            Some(text) => {
                args.next().is_none()
                    && !text.is_empty()
                    && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
            }
            None => false,
        };
        if !harmless {
            let what = first.value.exact().unwrap_or("").to_string();
            self.hazard_in(HazardKind::DeferredExec, first.span, &what);
            // Rules that refuse see what would run then.
            let inner = Context {
                parent: Some(index),
                ..context
            };
            self.script_in_string(&what, self.shell, first.span, &mut scope.clone(), inner);
        }
    }

    /// `alias`, `hash`, `enable`: they show with some arguments and change with others.
    fn names_shown(&mut self, name: &str, args: &[Arg], span: crate::span::Span) {
        let shows = |arg: &Arg| {
            let Some(text) = arg.value.exact() else {
                return false;
            };
            match name {
                "alias" => text == "-p" || (!text.contains('=') && !text.starts_with('-')),
                "hash" => {
                    matches!(text, "-r" | "-l" | "-t")
                        || (!text.starts_with('-') && !text.contains('='))
                }
                "enable" => matches!(text, "-p" | "-a" | "-s" | "-ps" | "-pa"),
                _ => name == "rehash",
            }
        };
        if !args.iter().all(shows) {
            self.hazard_in(HazardKind::Shadowing, span, name);
        }
    }

    /// What aliases will run, for rules that refuse; nothing with one is allowed.
    fn aliased(&mut self, args: &[Arg], index: usize, scope: &Scope, context: Context) {
        for arg in args {
            if let Some((_, text)) = arg.value.exact().and_then(|text| text.split_once('=')) {
                let inner = Context {
                    parent: Some(index),
                    ..context
                };
                self.script_in_string(text, self.shell, arg.span, &mut scope.clone(), inner);
            }
        }
    }

    fn eval(&mut self, args: &[Arg], index: usize, scope: &mut Scope, context: Context) {
        let args = match args.split_first() {
            Some((first, rest)) if first.value.exact() == Some("--") => rest,
            _ => args,
        };
        let Some(first) = args.first() else {
            return;
        };
        let texts: Option<Vec<&str>> = args.iter().map(|arg| arg.value.exact()).collect();
        let span = args
            .last()
            .map_or(first.span, |last| first.span.to(last.span));
        match texts {
            Some(texts) => {
                let text = texts.join(" ");
                let inner = Context {
                    parent: Some(index),
                    ..context
                };
                self.script_in_string(&text, self.shell, span, scope, inner);
            }
            None => {
                self.hazard_in(HazardKind::EvalUnknown, span, "eval");
                scope.forget_all();
                scope.cwd = Cwd::Unknown;
            }
        }
    }
}

/// Whether a format has a `%n`.
fn counts(format: &str) -> bool {
    conversions(format).any(|conversion| conversion == 'n')
}

/// Whether a format has a conversion of numbers.
pub(super) fn has_numeric_conversion(format: &str) -> bool {
    conversions(format).any(|conversion| !matches!(conversion, 's' | 'b' | 'q' | 'c' | '%'))
}

fn conversions(format: &str) -> impl Iterator<Item = char> + '_ {
    let mut rest = format;
    core::iter::from_fn(move || {
        let (_, after) = rest.split_once('%')?;
        let after =
            after.trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #0.*'$lhjzt".contains(c));
        let conversion = after.chars().next()?;
        rest = after.get(conversion.len_utf8()..).unwrap_or("");
        Some(conversion)
    })
}
