//! Commands out of a spec's safe flags: a base example with one to three more options in it.

use policy_core::specs::model::{Flag, FlagValue, Form, Notes, Spec};

use crate::oracle::generate::Random;

/// Up to `count` commands: read-only examples of the spec with safe options added right after the command word (or the
/// subcommand's words).
#[must_use]
pub fn combine(
    spec: &Spec<'_>,
    notes: &Notes<'_>,
    count: usize,
    random: &mut Random,
) -> Vec<String> {
    let mut made = Vec::new();
    // Only examples that are one plain call of this very command: nothing else to put options into.
    let bases: Vec<&str> = notes
        .examples_read_only
        .iter()
        .filter(|text: &&str| {
            !text.contains(['|', ';', '&', '<', '>', '\n', '('])
                && text.split(' ').next() == Some(spec.name)
        })
        .collect();
    if bases.is_empty() {
        return made;
    }
    for _ in 0..count {
        let base = bases[random.below(bases.len())];
        let (form, head) = form_of(spec, base);
        let safe: Vec<Flag<'_>> = form
            .flags
            .iter()
            .filter(|flag| flag.effect.is_none())
            .collect();
        if safe.is_empty() {
            continue;
        }
        let rest = &base[head..];
        let mut text = base[..head].to_owned();
        for _ in 0..=random.below(3) {
            let flag = &safe[random.below(safe.len())];
            text += " ";
            text += &spell(flag, random);
        }
        made.push(text + rest);
    }
    made.sort();
    made.dedup();
    made
}

/// The form that an example uses, and the length of the words that name it.
fn form_of<'a>(spec: &Spec<'a>, base: &str) -> (Form<'a>, usize) {
    let after = base.get(spec.name.len()..).unwrap_or("").trim_start();
    let best = spec
        .subs
        .iter()
        .filter(|sub| {
            after == sub.words
                || after
                    .strip_prefix(sub.words)
                    .is_some_and(|rest| rest.starts_with(' '))
        })
        .max_by_key(|sub| sub.words.len());
    match best {
        Some(sub) => (sub.form(), spec.name.len() + 1 + sub.words.len()),
        None => (spec.root, spec.name.len()),
    }
}

fn spell(flag: &Flag<'_>, random: &mut Random) -> String {
    let names: Vec<&str> = flag.names.split(' ').collect();
    let name = names[random.below(names.len())];
    let long = name.starts_with("--");
    let choices: Vec<&str> = flag
        .allowed
        .split('|')
        .filter(|choice| !choice.is_empty())
        .collect();
    let value = match flag.value {
        FlagValue::None => return name.to_owned(),
        _ if !choices.is_empty() => choices[random.below(choices.len())].to_owned(),
        FlagValue::Number => "1".to_owned(),
        FlagValue::String | FlagValue::OptionalString => {
            ["x", "1", "f.txt"][random.below(3)].to_owned()
        }
        FlagValue::Name => "x".to_owned(),
        FlagValue::Char => ",".to_owned(),
        FlagValue::Path | FlagValue::OutPath => "f.txt".to_owned(),
        FlagValue::Braces => "{}".to_owned(),
        FlagValue::Eof => "EOF".to_owned(),
    };
    match (long, flag.value) {
        (true, _) => format!("{name}={value}"),
        (false, FlagValue::OptionalString) => name.to_owned(),
        (false, _) => format!("{name} {value}"),
    }
}
