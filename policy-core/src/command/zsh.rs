//! What builtins of zsh evaluate and those of bash do not.
//!
//! zsh reads every number as arithmetic, and arithmetic runs the substitution in a subscript: `exit 'path[$(cmd)]'`.
//! Tried with zsh 5.9 for each builtin that takes a number.

use alloc::string::ToString;

use super::{
    Lowerer, arith,
    builtins::has_numeric_conversion,
    model::{Arg, HazardKind, Value},
    scope::Scope,
};

impl Lowerer<'_> {
    /// Hazards in the arguments of the builtin `name`; `args` without it.
    pub(super) fn zsh_builtin(&mut self, name: &str, args: &[Arg], scope: &Scope) {
        match name {
            "exit" | "return" | "break" | "continue" | "shift" | "bye" | "logout" => {
                for arg in args {
                    self.number(arg, scope);
                }
            }
            "test" | "[" => {
                let descriptors = args.iter().zip(args.iter().skip(1));
                for (_, next) in descriptors.filter(|(arg, _)| may_be_terminal_test(&arg.value)) {
                    self.number(next, scope);
                }
            }
            "printf" => {
                let Some((format, rest)) = args.split_first() else {
                    return;
                };
                let text = format.value.known_prefix();
                if has_numeric_conversion(text) || text.contains('*') {
                    for arg in rest {
                        self.number(arg, scope);
                    }
                }
            }
            // Each word may be a name: the options that take a value are others than in bash.
            "read" => {
                let fine = |arg: &Arg| arg.value.exact().is_some_and(|text| !text.contains('['));
                if let Some(arg) = args.iter().find(|arg| !fine(arg)) {
                    self.hazard_in(HazardKind::ArithmeticEval, arg.span, "");
                }
            }
            "print" => {
                let acts = |arg: &&Arg| match arg.value.exact() {
                    Some(text) => {
                        text.starts_with('-') && text.contains(['P', 'v', 'z', 's', 'S', 'f'])
                    }
                    None => arg.value.may_be_option(false),
                };
                if let Some(arg) = args.iter().find(acts) {
                    self.hazard_in(HazardKind::ExpansionEval, arg.span, name);
                }
            }
            _ => {}
        }
    }

    /// A word that is read as a number.
    fn number(&mut self, arg: &Arg, scope: &Scope) {
        if !arith::judge_value(&arg.value, &self.expander(scope)).safe {
            let what = arg.value.known_prefix().to_string();
            self.hazard_in(HazardKind::ArithmeticEval, arg.span, &what);
        }
    }
}

/// Whether the word may be `-t`.
fn may_be_terminal_test(value: &Value) -> bool {
    match value {
        Value::Exact(text) => text == "-t",
        Value::Digits => false,
        _ => value.may_be_option(false),
    }
}
