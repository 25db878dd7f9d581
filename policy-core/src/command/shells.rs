//! Shells as commands: `bash -c 'script' name args…`, a shell fed by a here-document, by a pipe, by a file.
//!
//! A script that is known is read and followed as its own, in a scope that inherits the directory and what was
//! exported. Code that is not known is a hazard; a script in a file is an ordinary invocation of the shell, which no
//! spec calls harmless.

use alloc::{rc::Rc, string::ToString};

use super::{
    Context, Lowerer,
    model::{Arg, HazardKind, Site, Stdin, Value},
    scope::{Known, Scope},
};
use crate::facts::Shell;

/// The shell that a command name starts, if its language is one that is read.
pub(super) fn shell_of(tool: &str) -> Option<Shell> {
    Some(match tool {
        "bash" | "rbash" => Shell::Bash,
        "sh" | "dash" | "ash" => Shell::Sh,
        "zsh" | "rzsh" => Shell::Zsh,
        "ksh" | "ksh93" | "mksh" | "lksh" | "oksh" | "yash" => Shell::Bash,
        _ => return None,
    })
}

impl Lowerer<'_> {
    /// The scope of a new shell that the invocation at `index` starts: what was put in its environment on the way to it
    /// is not what the text before it knew.
    pub(super) fn fresh_scope(&self, scope: &Scope, index: usize) -> Scope {
        let mut fresh = scope.fresh();
        let mut at = self.program.invocations.get(index);
        while let Some(invocation) = at {
            for assignment in &invocation.assignments {
                fresh.forget(&assignment.name);
            }
            let tool = invocation.argv.first().and_then(|arg| arg.value.exact());
            // They may set another home, or clear the environment.
            if tool.is_some_and(|tool| {
                let name = tool.rsplit('/').next().unwrap_or(tool);
                matches!(
                    name,
                    "env"
                        | "sudo"
                        | "doas"
                        | "su"
                        | "runuser"
                        | "chroot"
                        | "unshare"
                        | "nsenter"
                        | "exec"
                )
            }) && invocation
                .argv
                .iter()
                .skip(1)
                .any(|arg| arg.value.known_prefix().starts_with('-') || tool != Some("env"))
            {
                fresh.forget("HOME");
            }
            at = match invocation.site {
                Site::Wrapped => invocation
                    .parent
                    .and_then(|parent| self.program.invocations.get(parent)),
                _ => None,
            };
        }
        fresh
    }

    /// Follows a shell's own arguments; `argv` with its name.
    pub(super) fn start_shell(
        &mut self,
        shell: Shell,
        argv: &[Arg],
        index: usize,
        body: Option<&str>,
        scope: &Scope,
        context: Context,
    ) {
        let Some((name, args)) = argv.split_first() else {
            return;
        };
        if name.value.exact().is_some_and(|name| {
            name.ends_with("ksh") || name.ends_with("ksh93") || name.ends_with("yash")
        }) {
            // It reads most of bash's language, and evaluates more of it.
            self.hazard_in(HazardKind::EvalUnknown, name.span, "ksh");
        }
        if only_checks_syntax(argv) {
            return;
        }
        let mut fresh = self.fresh_scope(scope, index);
        let mut in_string = false;
        let mut from_stdin = false;
        let mut rest = args;
        while let Some((arg, after)) = rest.split_first() {
            let Some(text) = arg.value.exact() else {
                break;
            };
            if text == "--" || text == "-" {
                rest = after;
                break;
            }
            if text.starts_with("--") {
                rest = after;
                match text {
                    "--rcfile" | "--init-file" => {
                        self.hazard_in(HazardKind::EvalUnknown, arg.span, text);
                        rest = rest.get(1..).unwrap_or(&[]);
                    }
                    "--help" | "--version" => return,
                    _ => {}
                }
                continue;
            }
            let Some(letters) = text
                .strip_prefix(['-', '+'])
                .filter(|letters| !letters.is_empty())
            else {
                break;
            };
            let on = text.starts_with('-');
            rest = after;
            for letter in letters.chars() {
                match letter {
                    'c' if on => in_string = true,
                    's' if on => from_stdin = true,
                    'e' => fresh.errexit = on,
                    'o' | 'O' => {
                        let option = rest.first().and_then(|arg| arg.value.exact());
                        if option == Some("errexit") {
                            fresh.errexit = on;
                        } else if !matches!(option, Some("pipefail" | "nounset" | "xtrace")) {
                            self.hazard_in(HazardKind::ShellOption, arg.span, text);
                        }
                        rest = rest.get(1..).unwrap_or(&[]);
                    }
                    'i' | 'l' | 'n' | 'r' | 'u' | 'v' | 'x' | 'f' | 'h' | 'm' | 'p' | 'B' => {}
                    _ => self.hazard_in(HazardKind::ShellOption, arg.span, text),
                }
            }
        }
        let inner = Context {
            parent: Some(index),
            condition: false,
            ..context
        };
        if in_string {
            let Some((script, arguments)) = rest.split_first() else {
                return;
            };
            fresh.positional = positional(arguments);
            match &script.value {
                Value::Exact(text) => {
                    self.script_in_string(text, shell, script.span, &mut fresh, inner);
                }
                Value::OneOf(all) => {
                    for text in all {
                        self.script_in_string(text, shell, script.span, &mut fresh.clone(), inner);
                    }
                }
                value => {
                    let what = value.known_prefix().to_string();
                    self.hazard_in(HazardKind::EvalUnknown, script.span, &what);
                    // What is known of it is followed all the same, up to the last whole word: rules that refuse see it.
                    if let Some((known, _)) = what.rsplit_once([' ', '\t', '\n', ';']) {
                        self.script_in_string(known, shell, script.span, &mut fresh, inner);
                    }
                }
            }
            return;
        }
        match rest.first().filter(|_| !from_stdin) {
            Some(file) => {
                let known = file
                    .value
                    .exact()
                    .is_some_and(|path| !path.starts_with("/dev/") && !path.starts_with("/proc/"));
                if !known {
                    let what = file.value.known_prefix().to_string();
                    self.hazard_in(HazardKind::EvalUnknown, file.span, &what);
                }
            }
            None => match body {
                Some(text) => {
                    self.script_in_string(text, shell, name.span, &mut fresh, inner);
                }
                None if context.stdin != Stdin::Inherited => {
                    let what = name.value.known_prefix().to_string();
                    self.hazard_in(HazardKind::EvalUnknown, name.span, &what);
                }
                None => {}
            },
        }
    }
}

/// `bash -n script`: it is read and nothing of it runs (bash manual, The Set Builtin). `+n` after it would take that back.
pub(crate) fn only_checks_syntax(argv: &[Arg]) -> bool {
    matches!(argv, [_, option, script]
        if option.value.exact() == Some("-n")
            && !script.may_be_option(true)
            && !matches!(script.value, Value::Many(_)))
}

/// `$0`, `$1`, …, when each argument is one word.
fn positional(arguments: &[Arg]) -> Option<Rc<[Known]>> {
    if arguments.is_empty() {
        return None;
    }
    arguments
        .iter()
        .map(|arg| match &arg.value {
            Value::Many(_) => None,
            value => Some(Known::from_value(value)),
        })
        .collect()
}
