//! `test` and `[`: operands that the shell evaluates.
//!
//! Only `-v` and `-R` evaluate (the subscript of their operand, which may hold a command substitution); but a word
//! that is only known when it runs may itself be `-v`. Values are not followed here; `command` follows the state.
//! Sources: bash manual (Bash Conditional Expressions, `test` by number of arguments), bash 5.2 runs.

use alloc::vec::Vec;

use super::super::{check::CheckInput, model::Why};
use crate::{command::model::Value, diagnostic::Code, effect::Touch};

/// The check `test`.
pub(super) fn check(input: &CheckInput<'_>) -> Result<Vec<Touch>, Why> {
    let start = input.parsed.start;
    let words = input.words();
    for (offset, word) in words.iter().enumerate() {
        let index = start + offset;
        let next = words.get(offset + 1).map(|word| &word.value);
        match &word.value {
            Value::Exact(text) if matches!(text.as_str(), "-v" | "-R") => {
                let harmless = match next {
                    None => true,
                    Some(Value::Exact(name)) => is_operator(name) || is_plain_reference(name),
                    Some(_) => false,
                };
                if !harmless {
                    return Err(input.refuse(
                        Code::ShellArithmeticEval,
                        index + 1,
                        "the subscript of this name is evaluated",
                    ));
                }
            }
            Value::Exact(_) => {}
            // Any number of words: `-v`, a name with a subscript, and `-o` to make the rest fit.
            Value::Many(beginning) if beginning.is_empty() || beginning.starts_with('-') => {
                return Err(input.unknown(index));
            }
            // It may be `-v`, when what follows can be its operand.
            value if value.may_be_option(false) => match next {
                Some(Value::Exact(text)) if !text.contains('[') || text == "[" => {}
                Some(Value::Exact(_)) => return Err(input.unknown(index)),
                Some(next) if next.known_prefix().is_empty() => return Err(input.unknown(index)),
                _ => {}
            },
            _ => {}
        }
    }
    Ok(Vec::new())
}

fn is_operator(text: &str) -> bool {
    matches!(
        text,
        "=" | "=="
            | "!="
            | "<"
            | ">"
            | "-eq"
            | "-ne"
            | "-lt"
            | "-le"
            | "-gt"
            | "-ge"
            | "-nt"
            | "-ot"
            | "-ef"
            | "-a"
            | "-o"
            | "]"
            | ")"
    )
}

/// `name`, `name[3]`, `name[key]`, `name[@]`.
pub(super) fn is_plain_reference(text: &str) -> bool {
    let (name, subscript) = match text.split_once('[') {
        Some((name, rest)) => match rest.strip_suffix(']') {
            Some(subscript) => (name, subscript),
            None => return false,
        },
        None => (text, "0"),
    };
    let word = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let subscript_fine =
        matches!(subscript, "@" | "*") || (!subscript.is_empty() && word(subscript));
    let positional = name.len() < 4 && !name.is_empty() && name.chars().all(|c| c.is_ascii_digit());
    subscript_fine
        && (positional
            || (word(name) && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')))
}

/// The check `printf`: `-v` may set a subscript, which is evaluated; `%n` sets the variable that its argument names.
pub(super) fn check_printf(input: &CheckInput<'_>) -> Result<Vec<Touch>, Why> {
    let start = input.parsed.start;
    let Some(first) = input.words().first() else {
        return Ok(Vec::new());
    };
    if let Value::Exact(text) = &first.value {
        let variable = match text.strip_prefix("-v") {
            Some("") => input.words().get(1).map(|word| &word.value),
            Some(_) => Some(&first.value),
            None => None,
        };
        if let Some(variable) = variable {
            let name = variable
                .exact()
                .map(|name| name.strip_prefix("-v").unwrap_or(name));
            if !name.is_some_and(is_plain_reference) {
                return Err(input.refuse(
                    Code::ShellArithmeticEval,
                    start,
                    "the subscript of this name is evaluated",
                ));
            }
        }
        let format = match text.as_str() {
            "--" => input.words().get(1).and_then(|word| word.value.exact()),
            _ if variable.is_some() => input
                .words()
                .iter()
                .skip(1)
                .find_map(|word| word.value.exact().filter(|text| text.contains('%'))),
            text => Some(text),
        };
        if format.is_some_and(has_count) {
            return Err(input.refuse(
                Code::ShellEnvPersist,
                start,
                "`%n` sets the variable that its argument names",
            ));
        }
        return Ok(Vec::new());
    }
    // A first word that is not known may be `-v`, alone or with its name.
    if first.value.may_be_option(false) {
        return Err(input.unknown(start));
    }
    Ok(Vec::new())
}

/// Whether a format holds the conversion `%n`.
fn has_count(format: &str) -> bool {
    let mut rest = format;
    while let Some((_, after)) = rest.split_once('%') {
        let after = after.trim_start_matches(|c: char| "-+ #0'123456789.*hlLjzt".contains(c));
        if after.starts_with('n') {
            return true;
        }
        rest = after.strip_prefix('%').unwrap_or(after);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_references() {
        for text in ["x", "_a1", "arr[0]", "map[key]", "arr[@]", "1"] {
            assert!(is_plain_reference(text), "{text}");
        }
        for text in [
            "", "a[$(x)]", "a[`x`]", "a[b[c]]", "a[", "a[]", "a b", "$x", "a[0]b", "[0]", "a[x+1]",
        ] {
            assert!(!is_plain_reference(text), "{text}");
        }
    }

    #[test]
    fn counts_are_found() {
        assert!(has_count("a%n") && has_count("%5ln") && has_count("%%%n"));
        assert!(!has_count("%%n") && !has_count("%s\\n") && !has_count("%dn") && !has_count(""));
    }
}
