//! awk programs: what a program reads, writes and runs.
//!
//! Text in (the program operand or the `--source` pieces joined by newlines), touches out; `system`, pipes, `@`,
//! the environment and computed file names are faults. Covers POSIX awk, gawk, mawk, BSD and busybox awk.
//! Sources: POSIX awk grammar, gawk manual and `awkgram.y` (regexp and bracket lexing), mawk `scan.c`.

use alloc::{format, vec::Vec};

use super::script::{Fault, touch};
use crate::{
    classify::{check::CheckInput, model::Why},
    command::model::Value,
    diagnostic::Code,
    effect::{Effect, Touch},
};

mod lexer;

use lexer::{Kind, Lexer, Token, is_keyword};

/// The check `awk`: finds the program of a command line and looks at the operands.
pub(super) fn check(input: &CheckInput<'_>) -> Result<Vec<Touch>, Why> {
    input.certain()?;
    let mut operands = input.operands();
    let mut programs: Vec<(usize, &Value)> = input
        .parsed
        .all("-e --source")
        .filter_map(|option| Some((option.value_index?, option.value.as_ref()?)))
        .collect();
    if programs.is_empty() {
        programs.extend(operands.next());
    }
    let mut touches = Vec::new();
    for (index, value) in programs {
        let known = input
            .texts(index, value)
            .ok_or_else(|| input.unknown(index))?;
        for program in known {
            touches.extend(read_program(program).map_err(|fault| input.fault(index, &fault))?);
        }
    }
    for (index, value) in operands {
        let Some(text) = value.exact() else {
            continue;
        };
        if names_connection(text) {
            return Err(input.refuse(
                Code::CommandNetwork,
                index,
                format!("`{text}` is a connection to gawk"),
            ));
        }
        // busybox reads options after the program too.
        if text.len() > 1 && text.starts_with('-') && input.parsed.end_of_options.is_none() {
            return Err(input.refuse(
                Code::CommandOperand,
                index,
                format!("`{text}` may be read as an option"),
            ));
        }
    }
    Ok(touches)
}

/// What running `program` touches.
///
/// gawk lets a `/` inside brackets stand for itself, others end the regular expression there: the program
/// is read both ways, neither may act, and one at least must be valid.
pub(crate) fn read_program(program: &str) -> Result<Vec<Touch>, Fault> {
    let judge = |brackets| {
        Lexer::new(program, brackets)
            .tokens()
            .and_then(|tokens| judge(&tokens))
    };
    let plain = judge(false);
    if !program.contains('[') {
        return plain;
    }
    match (plain, judge(true)) {
        (Err(fault), _) | (_, Err(fault)) if fault.acts => Err(fault),
        (Err(fault), Err(_)) => Err(fault),
        (Ok(one), Err(_)) | (Err(_), Ok(one)) => Ok(one),
        (Ok(mut all), Ok(more)) => {
            for one in more {
                if !all.contains(&one) {
                    all.push(one);
                }
            }
            Ok(all)
        }
    }
}

/// Variables of the environment whose values are no secret.
pub(super) const PLAIN_VARIABLES: &[&str] = &[
    "HOME",
    "USER",
    "LOGNAME",
    "PATH",
    "PWD",
    "OLDPWD",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TERM",
    "TZ",
    "TMPDIR",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "HOSTNAME",
    "COLUMNS",
    "LINES",
    "CI",
    "NODE_ENV",
    "COLORTERM",
    "DISPLAY",
    "SHLVL",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "CONDA_DEFAULT_ENV",
    "GOPATH",
    "GOROOT",
    "GOBIN",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTFLAGS",
    "JAVA_HOME",
    "ANDROID_HOME",
    "ANDROID_SDK_ROOT",
    "NVM_DIR",
    "PYTHONPATH",
    "PYENV_ROOT",
    "UID",
    "EUID",
    "HOSTTYPE",
    "OSTYPE",
    "MACHTYPE",
    "BASH_VERSION",
    "ZSH_VERSION",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
    "XDG_RUNTIME_DIR",
    "LD_LIBRARY_PATH",
    "CC",
    "CXX",
    "CFLAGS",
    "CXXFLAGS",
    "LDFLAGS",
    "MAKEFLAGS",
    "DEBUG",
    "NO_COLOR",
    "PS1",
    "IFS",
    "MANPATH",
    "NODE_PATH",
];

/// Whether reading this variable of the environment shows no secret.
pub(super) fn is_plain_variable(name: &str) -> bool {
    PLAIN_VARIABLES.contains(&name) || (name.starts_with("LC_") && name.len() < 24)
}

/// The place in a token list, with what came before.
struct Judge<'t, 'a> {
    tokens: &'t [Token<'a>],
    touches: Vec<Touch>,
    /// Some function stores through its arguments (`sub`, `split`, …) or `getline` stores into a variable.
    stores: bool,
}

fn judge(tokens: &[Token<'_>]) -> Result<Vec<Touch>, Fault> {
    let stores = tokens.iter().any(|token| {
        matches!(
            token.kind,
            Kind::Name(
                "sub" | "gsub" | "split" | "patsplit" | "match" | "getline" | "asort" | "asorti"
            )
        )
    });
    let mut judge = Judge {
        tokens,
        touches: Vec::new(),
        stores,
    };
    judge.run()?;
    Ok(judge.touches)
}

impl Judge<'_, '_> {
    fn kind(&self, index: usize) -> Option<&Kind<'_>> {
        self.tokens.get(index).map(|token| &token.kind)
    }

    fn is_op(&self, index: usize, ops: &[&str]) -> bool {
        matches!(self.kind(index), Some(Kind::Op(op)) if ops.contains(op))
    }

    fn run(&mut self) -> Result<(), Fault> {
        // Inside `print`/`printf`: the depth of brackets since.
        let mut print: Option<i32> = None;
        for (index, token) in self.tokens.iter().enumerate() {
            let at = token.at;
            match &token.kind {
                Kind::Name("print" | "printf") => print = Some(0),
                Kind::Name("system") => return Err(Fault::acts(at, "`system` runs a command")),
                Kind::Name("getline") => self.getline(index)?,
                Kind::Name("ENVIRON") => self.environment(index)?,
                Kind::Name("SYMTAB" | "FUNCTAB") => {
                    return Err(Fault::acts(at, "variables are reached by computed names"));
                }
                Kind::Name("ARGV" | "ARGC") => self.arguments(index)?,
                Kind::Op("|" | "|&") => {
                    return Err(Fault::acts(at, "a pipe in the awk program runs a command"));
                }
                Kind::Op("(" | "[") => print = print.map(|depth| depth + 1),
                Kind::Op(")" | "]") | Kind::CloseControl => {
                    print = print.map(|depth| depth - 1);
                }
                Kind::Op(";" | "{" | "}") => print = None,
                Kind::Newline => {
                    let goes_on = index
                        .checked_sub(1)
                        .is_some_and(|before| self.is_op(before, &[",", "&&", "||", "?", ":"]));
                    if !goes_on && print.is_some_and(|depth| depth <= 0) {
                        print = None;
                    }
                }
                Kind::Op(">" | ">>") if print.is_some_and(|depth| depth <= 0) => {
                    self.redirect(index)?;
                    print = None;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// `print … > target`: only a whole literal is followed.
    fn redirect(&mut self, index: usize) -> Result<(), Fault> {
        let at = self.tokens.get(index).map_or(0, |token| token.at);
        let ends = match self.kind(index + 2) {
            None | Some(Kind::Newline) => true,
            Some(_) => self.is_op(index + 2, &[";", "}"]),
        };
        let target = match self.kind(index + 1) {
            Some(Kind::Text(Some(target))) if ends && !target.is_empty() => target.clone(),
            _ => return Err(Fault::acts(at, "`print` writes to a file")),
        };
        match target.as_str() {
            "/dev/stdout" | "/dev/stderr" | "/dev/null" => {}
            name if names_connection(name) => {
                return Err(Fault::acts(at, "`print` opens a connection"));
            }
            name => self.touches.push(touch(Effect::Write, Some(name))),
        }
        Ok(())
    }

    /// `getline [variable] [< file]`
    fn getline(&mut self, index: usize) -> Result<(), Fault> {
        let mut next = index + 1;
        if self.is_op(next, &["$"]) {
            // `$NF`, `$(…)`, `$1`: the field that is set.
            next += 1;
            while self.is_op(next, &["$", "++", "--"]) {
                next += 1;
            }
        }
        match self.kind(next) {
            Some(Kind::Name(name)) if !is_keyword(name) => {
                next += 1;
                if self.is_op(next, &["["]) {
                    next = self.past_group(next);
                }
            }
            Some(Kind::Number) => next += 1,
            Some(Kind::Op("(")) if next > index + 1 => next = self.past_group(next),
            _ => {}
        }
        if !self.is_op(next, &["<"]) {
            return Ok(());
        }
        let at = self.tokens.get(next).map_or(0, |token| token.at);
        let ends = match self.kind(next + 2) {
            None | Some(Kind::Newline | Kind::CloseControl) => true,
            Some(Kind::Op(op)) => !matches!(*op, "(" | "$" | "[" | "!" | "-" | "+"),
            Some(_) => false,
        };
        let source = match self.kind(next + 1) {
            Some(Kind::Text(Some(source))) if ends => source.clone(),
            _ => return Err(Fault::unread(at, "`getline` reads a computed file")),
        };
        if names_connection(&source) {
            return Err(Fault::acts(at, "`getline` opens a connection"));
        }
        if !matches!(source.as_str(), "-" | "/dev/stdin") {
            self.touches.push(touch(Effect::Read, Some(&source)));
        }
        Ok(())
    }

    /// Only `ENVIRON["NAME"]` of a plain variable is read without a word.
    fn environment(&self, index: usize) -> Result<(), Fault> {
        let plain = self.is_op(index + 1, &["["])
            && self.is_op(index + 3, &["]"])
            && matches!(self.kind(index + 2), Some(Kind::Text(Some(name))) if is_plain_variable(name));
        if plain {
            return Ok(());
        }
        let at = self.tokens.get(index).map_or(0, |token| token.at);
        Err(Fault::acts(at, "`ENVIRON` shows the environment"))
    }

    /// Assigning to `ARGV` or `ARGC` makes awk open other files (gawk: connections), so they may only be read.
    fn arguments(&self, index: usize) -> Result<(), Fault> {
        const STORES: &[&str] = &["=", "+=", "-=", "*=", "/", "%=", "^=", "**=", "++", "--"];
        let at = self.tokens.get(index).map_or(0, |token| token.at);
        let fault = || Fault::unread(at, "`ARGV` or `ARGC` may be set");
        let array = matches!(self.kind(index), Some(Kind::Name("ARGV")));
        let after = match (array, self.is_op(index + 1, &["["])) {
            (true, true) => self.past_group(index + 1),
            (true, false) => return Err(fault()),
            (false, _) => index + 1,
        };
        let before = index.checked_sub(1);
        let stored = self.is_op(after, STORES)
            || matches!(self.kind(after), Some(Kind::Name("in")) if !array)
            || before.is_some_and(|before| self.is_op(before, &["++", "--"]));
        if self.stores || stored {
            return Err(fault());
        }
        Ok(())
    }

    /// The index after the group that opens at `index`.
    fn past_group(&self, index: usize) -> usize {
        let mut depth = 0_usize;
        let mut at = index;
        while let Some(kind) = self.kind(at) {
            at += 1;
            match kind {
                Kind::Op("(" | "[") => depth += 1,
                Kind::Op(")" | "]") | Kind::CloseControl => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        break;
                    }
                }
                _ => {}
            }
        }
        at
    }
}

/// gawk's special files that open a socket (`/inet/tcp/0/host/80`).
pub(super) fn names_connection(name: &str) -> bool {
    name.starts_with("/inet")
}

#[cfg(test)]
#[path = "awk/tests.rs"]
mod tests;
