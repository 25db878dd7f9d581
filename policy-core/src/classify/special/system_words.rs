//! The command lines of `date`, `ps`, `dd` and the like, whose words are no ordinary options.
//!
//! Each check looks at the words the tables cannot describe: an operand that sets the clock, BSD letters without a
//! dash, `key=value` operands. Sources: coreutils manual, procps `ps(1)`, macOS `date(1)` and `ps(1)`, POSIX.

use alloc::{format, vec::Vec};

use super::{
    super::{check::CheckInput, model::Why},
    awk::is_plain_variable,
    script::{texts, touch},
};
use crate::{
    command::model::Value,
    diagnostic::Code,
    effect::{Effect, Touch},
};

type Outcome = Result<Vec<Touch>, Why>;

/// The check `date`: an operand that is no `+FORMAT` sets the clock, unless macOS's `-j` stands there; `-f` is a format
/// there and a file elsewhere.
pub(super) fn date(input: &CheckInput<'_>) -> Outcome {
    if input.parsed.has("-j") {
        return Ok(Vec::new());
    }
    if let Some(option) = input.parsed.all("-f --file").next() {
        return Err(input.refuse(
            Code::CommandFlag,
            option.index,
            "`-f` reads dates from a file and prints its lines in errors",
        ));
    }
    for (index, value) in input.operands() {
        if !value.known_prefix().starts_with('+')
            && !texts(value).is_some_and(|all| all.iter().all(|text| text.starts_with('+')))
        {
            return Err(input.refuse(
                Code::CommandOperand,
                index,
                "an operand of `date` that does not begin with `+` sets the clock",
            ));
        }
    }
    Ok(Vec::new())
}

/// The check `ps`: in BSD style (`ps axe`, and `ps -axe` where procps falls back to it) the letter `e` shows the
/// environment of every process.
pub(super) fn ps(input: &CheckInput<'_>) -> Outcome {
    let start = input.parsed.start;
    let mut words = input.words().iter().enumerate();
    while let Some((offset, word)) = words.next() {
        let index = start + offset;
        let Some(all) = input.texts(index, &word.value) else {
            return Err(input.unknown(index));
        };
        let mut takes_next = false;
        for text in all {
            let shows = || {
                input.refuse(
                    Code::PathSensitive,
                    index,
                    format!("`{text}` may show the environment of processes"),
                )
            };
            // `environ` is a column of some: `-o environ`, `-oenviron`, `--format=environ`.
            if text.contains("environ") {
                return Err(shows());
            }
            if let Some(long) = text.strip_prefix("--") {
                let (name, value) = match long.split_once('=') {
                    Some((name, _)) => (name, true),
                    None => (long, false),
                };
                match name {
                    "forest" | "no-headers" | "no-heading" | "noheaders" | "headers"
                    | "heading" | "deselect" | "info" | "version" | "help" | "cumulative"
                    | "context" => {}
                    "sort" | "format" | "pid" | "ppid" | "quick-pid" | "user" | "User"
                    | "group" | "Group" | "tty" | "sid" | "cols" | "columns" | "width" | "rows"
                    | "lines" => takes_next |= !value,
                    _ => {
                        return Err(input.refuse(
                            Code::CommandFlag,
                            index,
                            format!("`{text}` is not known to be harmless"),
                        ));
                    }
                }
                continue;
            }
            if let Some(letters) = text.strip_prefix('-') {
                // Letters up to the first that takes a value.
                let taking =
                    letters.find(|c| "oOpqutUgGCstkND".contains(c) && !matches!(c, 'u' | 'D'));
                let flags = letters
                    .get(..taking.unwrap_or(letters.len()))
                    .unwrap_or(letters);
                let bsd =
                    flags.contains(['u', 'x', 'r', 'm', 'v', 'h', 'S']) || flags.contains("ww");
                if flags.contains('E') || (bsd && flags.contains('e')) {
                    return Err(shows());
                }
                if !flags
                    .chars()
                    .all(|c| "AadefFlLjHMPTVwyZcrxuvmhSnX1".contains(c))
                {
                    return Err(input.refuse(
                        Code::CommandFlag,
                        index,
                        format!("`{text}` is not known to be harmless"),
                    ));
                }
                takes_next |= taking.is_some_and(|at| at + 1 == letters.len())
                    || (taking.is_none() && letters == "u");
                continue;
            }
            if text.chars().all(|c| c.is_ascii_digit() || c == ',') {
                continue;
            }
            let taking = text.find(|c| "oOptUkNq".contains(c));
            let flags = text.get(..taking.unwrap_or(text.len())).unwrap_or(text);
            if flags.contains(['e', 'E']) {
                return Err(shows());
            }
            if !flags
                .chars()
                .all(|c| "aTrxfgjlnsuvwXZcCHhmMSLV".contains(c))
            {
                return Err(input.refuse(
                    Code::CommandOperand,
                    index,
                    format!("`{text}` is not known to be harmless"),
                ));
            }
            takes_next |= taking.is_some_and(|at| at + 1 == text.len());
        }
        if takes_next {
            // Its value: a user, a number, a list of columns; `environ` is a column elsewhere.
            if let Some((offset, word)) = words.next() {
                let shows = match input.texts(start + offset, &word.value) {
                    Some(all) => all.iter().any(|text| text.contains("environ")),
                    None => matches!(word.value, Value::Many(_)),
                };
                if shows {
                    return Err(input.unknown(start + offset));
                }
            }
        }
    }
    Ok(Vec::new())
}

/// The check `dd`: `of=` writes.
pub(super) fn dd(input: &CheckInput<'_>) -> Outcome {
    let mut touches = Vec::new();
    for (index, value) in input.operands() {
        let known = value.known_prefix();
        let Some((key, rest)) = known.split_once('=') else {
            return Err(input.refuse(
                Code::CommandOperand,
                index,
                "a word of `dd` that is no `key=value`",
            ));
        };
        let whole = value.exact().map(|_| rest);
        match key {
            "if" => touches.push(touch(Effect::Read, whole)),
            "of" if matches!(whole, Some("/dev/null" | "/dev/stdout" | "/dev/stderr")) => {}
            "of" => touches.push(touch(Effect::Write, whole)),
            "bs" | "cbs" | "conv" | "count" | "files" | "ibs" | "iflag" | "iseek" | "obs"
            | "oflag" | "oseek" | "seek" | "skip" | "speed" | "status" => {}
            _ => {
                return Err(input.refuse(
                    Code::CommandOperand,
                    index,
                    format!("`{key}=` is no known operand of `dd`"),
                ));
            }
        }
    }
    Ok(touches)
}

/// The check `printenv`: only variables named as harmless, at least one.
pub(super) fn printenv(input: &CheckInput<'_>) -> Outcome {
    let mut named = false;
    for (index, value) in input.operands() {
        named = true;
        if !texts(value).is_some_and(|all| all.iter().all(|name| is_plain_variable(name))) {
            return Err(input.refuse(
                Code::PathSensitive,
                index,
                "a variable that may hold a secret is shown",
            ));
        }
    }
    if named {
        Ok(Vec::new())
    } else {
        Err(input.refuse(
            Code::PathSensitive,
            0,
            "the environment is shown, which may hold secrets",
        ))
    }
}

/// The check `sysctl`: `name=value` (and macOS's `-w`, which is refused by the table) sets; a `name` is shown.
pub(super) fn sysctl(input: &CheckInput<'_>) -> Outcome {
    for (index, value) in input.operands() {
        if texts(value).is_none_or(|all| all.iter().any(|text| text.contains('='))) {
            return Err(input.refuse(
                Code::CommandOperand,
                index,
                "`name=value` sets a kernel parameter",
            ));
        }
    }
    Ok(Vec::new())
}
