//! `fd -x COMMAND`: where fd's own words end and those of the command begin.
//!
//! The command is an invocation of its own and judged as one; here the words that are fd's are told apart from it, so that
//! `fd -x wc -l` is not read as fd's `-l`. Source: fd(1), "Command execution".

use crate::command::model::{Arg, Value};

/// The words before the option that starts a command, when everything after it is that command for certain; otherwise all,
/// and then the option is refused by the table like any that runs something.
pub(in crate::classify) fn own_words<'a>(tool: &str, argv: &'a [Arg]) -> &'a [Arg] {
    if tool != "fd" {
        return argv;
    }
    let starts = |arg: &Arg| {
        matches!(
            arg.value.exact(),
            Some("-x" | "-X" | "--exec" | "--exec-batch")
        )
    };
    let Some(at) = argv.iter().position(starts) else {
        return argv;
    };
    let (Some(own), Some(command)) = (argv.get(..at), argv.get(at + 1..)) else {
        return argv;
    };
    let ended = own.iter().any(|arg| arg.value.exact() == Some("--"));
    let command = match command.split_last() {
        Some((last, before)) if last.value.exact() == Some(";") => before,
        _ => command,
    };
    if ended || command.is_empty() || command.iter().any(may_end) {
        return argv;
    }
    own
}

/// A word that may be the `;` after which fd's options go on.
fn may_end(word: &Arg) -> bool {
    match &word.value {
        Value::Exact(text) => text == ";",
        Value::OneOf(all) => all.iter().any(|text| text == ";"),
        Value::Prefix(text) | Value::Many(text) => text.is_empty() || text == ";",
        Value::Digits => false,
        Value::Unknown => true,
    }
}

#[cfg(test)]
mod tests {
    use alloc::{string::ToString, vec::Vec};

    use super::*;
    use crate::span::Span;

    fn own(line: &str) -> usize {
        let argv: Vec<Arg> = line
            .split(' ')
            .map(|word| {
                let value = match word {
                    "$x" => Value::Many("".into()),
                    word => Value::Exact(word.to_string()),
                };
                Arg::new(value, Span::default())
            })
            .collect();
        own_words("fd", &argv).len()
    }

    #[test]
    fn the_command_is_told_from_the_options_before_it() {
        assert_eq!(own("fd -e rs -x wc -l"), 3);
        assert_eq!(own("fd foo --exec-batch grep -l x ;"), 2);
        assert_eq!(own("fd foo"), 2);
    }

    #[test]
    fn what_may_go_on_after_the_command_is_fds() {
        for line in [
            "fd -x echo ; -X rm",
            "fd -x echo $x",
            "fd -x",
            "fd -x ;",
            "fd -- -x rm",
        ] {
            assert_eq!(own(line), line.split(' ').count(), "{line}");
        }
    }
}
