//! Whether a value is one that an option takes.

use alloc::format;

use super::{
    super::{Judgement, assignments},
    FormJudge,
};
use crate::{
    command::model::Value,
    diagnostic::Code,
    specs::{model::FlagValue, options::ReadOption},
};

impl FormJudge<'_> {
    /// A word of its own that is spelled like an option is a value only to an option that surely takes one: versions of a
    /// tool differ in that, and many tools leave a value out where an option follows.
    pub(super) fn judge_taken(&self, option: &ReadOption<'_>, judgement: &mut Judgement) {
        let (Some(flag), Some(value)) = (option.flag, &option.value) else {
            return;
        };
        let takes_any = self.form().operands.dropped_by;
        let surely = takes_any.split(' ').any(|name| flag.is_spelled(name));
        if surely || flag.effect.is_some() || option.value_index == Some(option.index) {
            return;
        }
        let spelled = |text: &str| {
            text.strip_prefix('-')
                .is_some_and(|rest| rest.starts_with(|c: char| c == '-' || c.is_ascii_alphabetic()))
        };
        let is_option = match value {
            Value::OneOf(all) => all.iter().any(|text| spelled(text)),
            value => spelled(value.known_prefix()),
        };
        if is_option {
            judgement.refuse(
                Code::CommandFlagValue,
                format!(
                    "`{}` after `{}` of `{}` may be an option of its own",
                    value.known_prefix(),
                    option.name,
                    self.name()
                ),
                self.span(option.value_index.unwrap_or(option.index)),
            );
        }
    }

    pub(super) fn judge_value(&self, option: &ReadOption<'_>, judgement: &mut Judgement) {
        let Some(flag) = option.flag else { return };
        let Some(value) = &option.value else { return };
        if flag.effect.is_some() {
            return;
        }
        let span = self.span(option.value_index.unwrap_or(option.index));
        let fits = match value {
            Value::Exact(text) => value_fits(flag.value, flag.allowed, text),
            Value::OneOf(all) => all
                .iter()
                .all(|text| value_fits(flag.value, flag.allowed, text)),
            // A value that is not what the tool expects is its error; only fixed words must be known.
            _ => {
                flag.allowed.is_empty()
                    && !matches!(
                        flag.value,
                        FlagValue::None | FlagValue::Name | FlagValue::Braces | FlagValue::Eof
                    )
            }
        };
        if !fits {
            judgement.refuse(
                Code::CommandFlagValue,
                match value.exact() {
                    Some(text) => format!(
                        "`{}` of `{}` does not take `{text}`",
                        option.name,
                        self.name()
                    ),
                    None => format!(
                        "`{}` of `{}` has a value only known at run time",
                        option.name,
                        self.name()
                    ),
                },
                span,
            );
        }
    }
}

/// `allowed`: the only values, parted by `|`; empty for any of the kind.
fn value_fits(kind: FlagValue, allowed: &str, text: &str) -> bool {
    if !allowed.is_empty() {
        return allowed.split('|').any(|word| word == text);
    }
    match kind {
        FlagValue::None => false,
        FlagValue::Number => is_number(text),
        FlagValue::String | FlagValue::OptionalString | FlagValue::Path | FlagValue::OutPath => {
            true
        }
        FlagValue::Char => {
            let mut letters = text.chars();
            matches!(
                (letters.next(), letters.next(), letters.next()),
                (Some(_), None, _) | (Some('\\'), Some(_), None)
            )
        }
        FlagValue::Name => assignments::is_name(text) && assignments::passes(text, true),
        FlagValue::Braces => text == "{}",
        FlagValue::Eof => text == "EOF",
    }
}

/// Digits with an optional sign, decimals and unit letters: `10`, `+5`, `-1`, `1.5`, `10M`, `2KiB`, `5s`, `0x1f`.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = digits.strip_prefix("0x").unwrap_or(digits);
    let unit = digits.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    unit.len() < digits.len()
        && unit.len() <= 4
        && unit.bytes().all(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for text in ["1", "+5", "-1", "1.5", "10M", "2KiB", "5s", "0", "0x10"] {
            assert!(is_number(text), "{text}");
        }
        for text in ["", "-", "lots", "5 6", "1;2", "M"] {
            assert!(!is_number(text), "{text}");
        }
    }
}
