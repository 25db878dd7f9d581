//! What changes the shell for later commands: variables, exports, options.
//!
//! A variable of the text's own is followed; one that the shell or a program looks at is a hazard, and so is any
//! export that is not known to be harmless. Options are few enough to list the harmless ones.

use alloc::string::ToString;

use super::{
    Lowerer,
    model::{Arg, HazardKind, Value},
    names::{self, Influence, influence, is_name},
    scope::{Known, Scope},
};
use crate::{facts::Shell, span::Span};

/// What the options of `declare` say of the names after them.
#[derive(Clone, Copy)]
struct Attributes {
    /// `-x`
    exports: bool,
    /// `-a` or `-A`
    list: bool,
    /// `-A`
    map: bool,
    /// `-u` and kin: the value is another than the text.
    changed: bool,
    /// `-r`
    frozen: bool,
}

impl Lowerer<'_> {
    /// A variable gets a value that later commands see.
    pub(super) fn assign(&mut self, name: &str, known: Known, span: Span, scope: &mut Scope) {
        let place = self.place(span);
        self.assign_at(name, known, place, scope);
    }

    fn assign_at(&mut self, name: &str, known: Known, place: Span, scope: &mut Scope) {
        match influence(name, self.shell) {
            Influence::Influential if !names::is_harmless_value(name, known.only()) => {
                self.hazard_in(HazardKind::EnvPersist, place, name);
            }
            Influence::Plain if scope.is_exported(name) => {
                self.hazard_in(HazardKind::EnvPersist, place, name);
            }
            _ => {}
        }
        if names::is_integer(name, self.shell) && !known.is_integer() {
            self.hazard_in(HazardKind::ArithmeticEval, place, name);
        }
        scope.set(name, known);
    }

    fn export(&mut self, name: &str, value: Option<&Value>, place: Span, scope: &mut Scope) {
        let harmless = influence(name, self.shell) == Influence::Harmless
            || names::is_harmless_value(
                name,
                match value {
                    Some(value) => value.exact(),
                    None => scope.variable(name).and_then(Known::only),
                },
            );
        if !harmless {
            self.hazard_in(HazardKind::EnvPersist, place, name);
        }
        scope.export(name);
    }

    /// `export`, `declare`, `typeset`, `local`, `readonly`; `argv` without the name.
    pub(super) fn declare(&mut self, builtin: &str, argv: &[Arg], scope: &mut Scope) {
        let mut exports = builtin == "export";
        let mut list = false;
        let mut map = false;
        // Outside a function `local` fails and changes nothing.
        let mut changed = builtin == "local";
        let mut frozen = builtin == "readonly";
        let mut functions = false;
        let mut operands = argv.iter();
        for arg in operands.by_ref() {
            let Some(text) = arg.value.exact() else {
                self.declare_one(
                    arg,
                    Attributes {
                        exports,
                        list,
                        map,
                        changed,
                        frozen,
                    },
                    scope,
                );
                break;
            };
            if text == "--" {
                break;
            }
            let sign = text.starts_with('-');
            let letters = match text.strip_prefix(['-', '+']) {
                Some(letters) if !letters.is_empty() => letters,
                _ => {
                    if !functions {
                        self.declare_one(
                            arg,
                            Attributes {
                                exports,
                                list,
                                map,
                                changed,
                                frozen,
                            },
                            scope,
                        );
                    }
                    break;
                }
            };
            for letter in letters.chars() {
                match letter {
                    'x' => exports = sign,
                    'n' if builtin == "export" => exports = false,
                    // A reference: assigning to it assigns to the variable it names.
                    'n' => self.hazard_in(HazardKind::ExpansionEval, arg.span, text),
                    'i' if sign => self.hazard_in(HazardKind::ArithmeticEval, arg.span, text),
                    'A' => {
                        list = true;
                        map = true;
                    }
                    'a' => list = true,
                    // What is assigned later is changed, too.
                    'u' | 'l' | 'c' => {
                        changed = true;
                        frozen = true;
                    }
                    'f' | 'F' => functions = true,
                    // Shows instead of declaring.
                    'p' => return,
                    'r' => frozen = true,
                    'g' | 'I' | 'i' | 'H' => {}
                    _ => self.hazard_in(HazardKind::ShellOption, arg.span, text),
                }
            }
        }
        if functions {
            // `-f name` shows a function; `export -f` passes it on to other shells.
            if exports {
                self.hazard_all(HazardKind::FunctionDefinition, argv);
            }
            return;
        }
        if matches!(builtin, "integer" | "float") {
            self.hazard_all(HazardKind::ArithmeticEval, argv);
        }
        for arg in operands {
            self.declare_one(
                arg,
                Attributes {
                    exports,
                    list,
                    map,
                    changed,
                    frozen,
                },
                scope,
            );
        }
    }

    fn declare_one(&mut self, arg: &Arg, attributes: Attributes, scope: &mut Scope) {
        let Attributes {
            exports,
            list,
            map,
            changed,
            frozen,
        } = attributes;
        let (text, whole) = match &arg.value {
            Value::Exact(text) => (text.as_str(), true),
            Value::Prefix(text) => (text.as_str(), false),
            Value::OneOf(all) => {
                for text in all {
                    let one = Arg::new(Value::Exact(text.clone()), arg.span);
                    self.declare_one(
                        &one,
                        Attributes {
                            changed: true,
                            ..attributes
                        },
                        scope,
                    );
                }
                return;
            }
            Value::Digits => return,
            Value::Unknown | Value::Many(_) => {
                self.hazard_in(HazardKind::EnvPersist, arg.span, "");
                return;
            }
        };
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (
                name.strip_suffix('+').unwrap_or(name),
                Some(match (whole && !changed && !name.ends_with('+'), value) {
                    (true, value) => Value::Exact(value.to_string()),
                    (false, _) => Value::Unknown,
                }),
            ),
            None if whole => (text, None),
            None => {
                self.hazard_in(HazardKind::EnvPersist, arg.span, text);
                return;
            }
        };
        if !is_name(name) {
            // A subscript is evaluated; anything else is refused by the shell.
            if name.contains('[') {
                self.hazard_in(HazardKind::ArithmeticEval, arg.span, text);
            }
            return;
        }
        if let Some((_, held)) = text.split_once('=') {
            let unknown = !whole && held.is_empty() && !arg.no_option;
            let evaluates = held.starts_with('(') && held.contains(['$', '`', '[']);
            let is_array = list || scope.is_array(name) || names::is_dynamic(name);
            if evaluates || is_array && (unknown || held.starts_with('(')) {
                // Quoted or not, it is read as an array literal once more.
                self.hazard_in(HazardKind::EvalUnknown, arg.span, text);
            }
        }
        if list {
            scope.note_array(name);
        }
        if let Some(value) = &value
            && names::is_integer(name, self.shell)
            && !Known::from_value(value).is_integer()
        {
            self.hazard_in(HazardKind::ArithmeticEval, arg.span, text);
        }
        if exports {
            self.export(name, value.as_ref(), arg.span, scope);
        }
        match &value {
            Some(value) if influence(name, self.shell) == Influence::Plain => {
                scope.set(name, Known::from_value(value));
            }
            Some(value) => self.assign_at(name, Known::from_value(value), arg.span, scope),
            None if influence(name, self.shell) == Influence::Influential && !exports => {
                // `local PATH` and `declare IFS` leave it unset.
                self.hazard_in(HazardKind::EnvPersist, arg.span, name);
            }
            None => {}
        }
        if frozen {
            scope.freeze(name);
        }
        // An array literal arrives as an assignment of its own; what it holds is not followed.
        if map {
            scope.forget(name);
            scope.set_map(name, true);
        } else if value.is_some() && scope.is_exported(name) && !exports {
            self.export(name, value.as_ref(), arg.span, scope);
        }
    }

    /// A builtin stores something unknown under a name that it is given.
    pub(super) fn store(&mut self, arg: &Arg, known: Known, scope: &mut Scope) {
        match arg.value.exact() {
            Some(name) if is_name(name) => self.assign_at(name, known, arg.span, scope),
            // Not a name and no subscript: the builtin refuses it.
            Some(text) if !text.contains('[') => {}
            Some(text) => self.hazard_in(HazardKind::ArithmeticEval, arg.span, text),
            None => match &arg.value {
                Value::OneOf(all) => {
                    for text in all {
                        let one = Arg::new(Value::Exact(text.clone()), arg.span);
                        self.store(&one, known.clone(), scope);
                    }
                }
                Value::Digits => {}
                _ => self.hazard_in(HazardKind::ArithmeticEval, arg.span, ""),
            },
        }
    }

    pub(super) fn unset(&mut self, argv: &[Arg], scope: &mut Scope) {
        for arg in argv {
            match arg.value.exact() {
                Some("-f") => self.hazard_in(HazardKind::Shadowing, arg.span, "-f"),
                Some("-v" | "--") => {}
                Some("-n") => self.hazard_in(HazardKind::ExpansionEval, arg.span, "-n"),
                Some("IFS") => {}
                _ => {
                    if let Some(name) = arg.value.exact() {
                        scope.set_map(name, false);
                    }
                    self.store(arg, Known::Any, scope);
                }
            }
        }
    }

    /// `set`; `argv` without the name.
    pub(super) fn set_options(&mut self, argv: &[Arg], scope: &mut Scope) {
        let mut args = argv.iter();
        while let Some(arg) = args.next() {
            let Some(text) = arg.value.exact() else {
                // Positional parameters, unless it begins with a sign.
                if arg.value.may_be_option(true) {
                    self.hazard_in(HazardKind::ShellOption, arg.span, "");
                }
                scope.positional = None;
                return;
            };
            if text == "--" || text == "-" || !text.starts_with(['-', '+']) {
                scope.positional = None;
                return;
            }
            let on = text.starts_with('-');
            for letter in text.chars().skip(1) {
                match letter {
                    'e' => scope.errexit = on,
                    'u' | 'x' | 'v' | 'f' | 'C' | 'b' | 'E' => {}
                    'o' => {
                        let Some(name) = args.next() else {
                            break;
                        };
                        match name.value.exact() {
                            Some("errexit") => scope.errexit = on,
                            Some(
                                "nounset" | "pipefail" | "xtrace" | "verbose" | "noglob"
                                | "noclobber" | "errtrace",
                            ) => {}
                            _ => {
                                let what = name.value.exact().unwrap_or("").to_string();
                                self.hazard_in(HazardKind::ShellOption, name.span, &what);
                            }
                        }
                    }
                    _ => self.hazard_in(HazardKind::ShellOption, arg.span, text),
                }
            }
        }
    }

    /// `shopt`, and zsh's `setopt` and `unsetopt`; `argv` without the name.
    pub(super) fn shell_options(&mut self, builtin: &str, argv: &[Arg]) {
        const HARMLESS: &[&str] = &[
            "nullglob",
            "dotglob",
            "globstar",
            "nocaseglob",
            "failglob",
            "nocasematch",
            "inherit_errexit",
            "checkwinsize",
            "pipefail",
            "errexit",
            "nounset",
            "xtrace",
            "nonomatch",
            "globdots",
        ];
        let mut sets = builtin != "shopt";
        for arg in argv {
            match arg.value.exact() {
                Some("-s" | "-u") if builtin == "shopt" => sets = true,
                Some("-p" | "-q" | "-o") if builtin == "shopt" => {}
                Some(name) if !sets && !name.starts_with('-') => {}
                Some(name)
                    if HARMLESS.contains(&name.to_ascii_lowercase().replace('_', "").as_str())
                        || HARMLESS.contains(&name) => {}
                other => {
                    let what = other.unwrap_or("").to_string();
                    self.hazard_in(HazardKind::ShellOption, arg.span, &what);
                }
            }
        }
    }

    fn hazard_all(&mut self, kind: HazardKind, argv: &[Arg]) {
        if let Some(arg) = argv.first() {
            let what = arg.value.exact().unwrap_or("").to_string();
            self.hazard_in(kind, arg.span, &what);
        }
    }

    /// Whether the current shell is zsh.
    pub(super) fn is_zsh(&self) -> bool {
        self.shell == Shell::Zsh
    }
}
