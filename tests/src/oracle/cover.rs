//! Whether a command that ran is one of the invocations we reported.

use policy_core::command::model::{Arg, Program, Value};

/// Whether some invocation of the program covers these words.
#[must_use]
pub fn covers(program: &Program, ran: &[String]) -> bool {
    program
        .invocations
        .iter()
        .any(|invocation| matches(&invocation.argv, ran))
}

fn matches(pattern: &[Arg], ran: &[String]) -> bool {
    let Some((first, rest)) = pattern.split_first() else {
        return ran.is_empty();
    };
    let one = |fits: bool| fits && matches(rest, ran.get(1..).unwrap_or(&[]));
    match (&first.value, ran.first()) {
        (Value::Exact(text), Some(word)) => one(text == word),
        (Value::OneOf(all), Some(word)) => one(all.contains(word)),
        // Of an array literal after `declare` bash hands on the name alone.
        (Value::Prefix(text), Some(word)) if first.no_option && text.ends_with('=') => one(word
            .starts_with(text.as_str())
            || text.trim_end_matches(['+', '=']) == word.as_str()),
        (Value::Prefix(text), Some(word)) => one(word.starts_with(text.as_str())),
        (Value::Digits, Some(word)) => {
            one(!word.is_empty() && word.chars().all(|c| c.is_ascii_digit()))
        }
        (Value::Unknown, Some(_)) => one(true),
        (Value::Many(text), _) => (0..=ran.len()).any(|n| {
            let (taken, left) = ran.split_at(n);
            taken.iter().all(|word| word.starts_with(text.as_str())) && matches(rest, left)
        }),
        (_, None) => false,
    }
}
