//! Commands that start others: the command inside becomes an invocation of its own, nested in the wrapper's.
//!
//! Where the inner command begins is read by the wrapper's spec; only what no table can say is here (`env -S`).
//! Launchers without a spec are in `launchers`; what is run on things found is in `found`.
//! An argument that could shift the inner command is a hazard.

use alloc::{string::String, string::ToString, vec::Vec};

use super::{
    Context, Lowerer, cwd,
    found::more,
    model::{Arg, Assign, Cwd, HazardKind, Site, Value},
    scope::Scope,
    shells::shell_of,
};
use crate::{
    facts::Shell,
    limits::{MAX_WRAPPED_WORDS, MAX_WRAPPERS},
    specs::{model::Runs, options},
};

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
            "xargs" | "gxargs" => self.xargs(argv, index, body, scope, context),
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
            // In zsh `command` starts programs only.
            Runs::Argv if tool == "builtin" || (tool == "command" && !self.is_zsh()) => {
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
    pub(super) fn may_shift(
        &mut self,
        argv: &[Arg],
        start: Option<usize>,
        uncertain: Option<usize>,
    ) -> bool {
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

    /// Words that are joined by blanks and read by `sh`.
    pub(super) fn shell_text(
        &mut self,
        words: &[Arg],
        index: usize,
        scope: &Scope,
        context: Context,
    ) {
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
    pub(super) fn wrapped(
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
        self.wrapped_words += argv.len();
        if self.wrapped_words > MAX_WRAPPED_WORDS {
            // Every wrapper reads the same words once more.
            self.hazard_in(HazardKind::TooMany, span, tool);
            return None;
        }
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
            words.extend(
                text.split_whitespace()
                    .map(|piece| Arg::new(Value::Exact(piece.to_string()), span)),
            );
            words.extend(rest.unwrap_or(&[]).iter().cloned());
            if words.len() <= argv.len() + text.len() && text.contains(|c: char| !c.is_whitespace())
            {
                self.by_spec("env", &words, index, body, scope, context);
            }
            return;
        }
        self.by_spec("env", argv, index, body, scope, context);
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
