//! An invocation to the forms that rules are matched on.
//!
//! Allow rules see the words as they are, with harmless assignments left out and git's harmless global options too;
//! any other assignment stays in front as a word of its own, so that only a rule that names it matches.
//! Deny and ask rules see every form: with and without assignments, the command by its base name, without any global
//! option. Wrappers need no stripping here: what they start is an invocation of its own.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

use super::glob::GAP;
use super::parse::quote;
use crate::command::model::{Arg, Assign, Invocation, Value};

/// The forms of one invocation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Subjects {
    /// Forms that an allow rule may match; none when only the whole command, letter for letter, can be allowed.
    pub allow: Vec<Vec<Value>>,
    /// Forms that deny and ask rules are tried on.
    pub refuse: Vec<Vec<Value>>,
    /// The source text, for wildcards of deny and ask.
    pub source: String,
    /// Every assignment, then the words: nothing left out.
    pub written: Vec<Value>,
    /// How many of the written words are assignments.
    pub assigned: usize,
}

/// What the subjects need to know of variables and global options.
pub trait Names {
    /// Setting the variable changes nothing about which code runs.
    fn harmless_variable(&self, name: &str, value: Option<&str>) -> bool;
    /// How many words from the front of `rest` (the words after the command name) are one global option that stands
    /// before the subcommand; 0 when none does. With `harmless_only`, only one that changes nothing about what the
    /// subcommand means.
    fn global_option(&self, command: &str, rest: &[&str], harmless_only: bool) -> usize;
}

impl Subjects {
    /// The forms of `invocation` under these assignments (its own, and those of the wrappers that start it).
    /// `coverable` says that an allow rule for it may count at all.
    #[must_use]
    pub fn new(
        invocation: &Invocation,
        assignments: &[Assign],
        coverable: bool,
        names: &dyn Names,
    ) -> Self {
        let argv: Vec<Value> = invocation
            .argv
            .iter()
            .map(|arg: &Arg| arg.value.clone())
            .collect();
        let mut subjects = Self {
            allow: Vec::new(),
            refuse: Vec::new(),
            source: invocation.text.clone(),
            written: Vec::new(),
            assigned: assignments.len(),
        };
        if argv.is_empty() && assignments.is_empty() {
            return subjects;
        }
        let mut assigned = Vec::new();
        let mut acting = Vec::new();
        let mut known = true;
        for assignment in assignments {
            let value = assignment.value.exact();
            known &= value.is_some();
            let word = match value {
                Some(value) => Value::Exact(format!("{}={value}", assignment.name)),
                None => Value::Prefix(format!("{}=", assignment.name)),
            };
            if !names.harmless_variable(&assignment.name, value) {
                acting.push(word.clone());
            }
            assigned.push(word);
        }
        subjects.written = [&assigned[..], &argv].concat();
        if coverable && known && !argv.is_empty() {
            add(&mut subjects.allow, [&acting[..], &argv].concat());
            add(&mut subjects.allow, [&assigned[..], &argv].concat());
            if let Some(short) = without_globals(&argv, names, true) {
                add(&mut subjects.allow, [&acting[..], &short].concat());
            }
        }
        let mut bases: Vec<Vec<Value>> = Vec::new();
        for form in [Some(argv.clone()), without_globals(&argv, names, false)]
            .into_iter()
            .flatten()
        {
            let short = by_base_name(&form);
            add(&mut bases, form);
            if let Some(short) = short {
                if let Some(shorter) = without_globals(&short, names, false) {
                    add(&mut bases, shorter);
                }
                add(&mut bases, short);
            }
        }
        for form in bases {
            if !assigned.is_empty() {
                add(&mut subjects.refuse, [&assigned[..], &form].concat());
            }
            add(&mut subjects.refuse, form);
        }
        subjects
    }

    /// The forms an allow rule is matched on, as texts, for people.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        for form in self.allow.iter().chain(&self.refuse) {
            let text = flat(form, true).replace(GAP, "…");
            if !text.is_empty() && !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts
    }
}

/// The words joined by one blank; unknown stretches are [`GAP`]. With `quoted`, a word with blanks or quotes keeps
/// quotes around it, so that its parts cannot be taken for words of their own.
#[must_use]
pub fn flat(form: &[Value], quoted: bool) -> String {
    let mut out = String::new();
    for (index, value) in form.iter().enumerate() {
        if index > 0 {
            out.push(' ');
        }
        match value {
            Value::Exact(text) if quoted => out.push_str(&quote(text)),
            Value::Exact(text) => out.push_str(text),
            Value::Prefix(start) | Value::Many(start) => {
                out.push_str(start);
                out.push(GAP);
            }
            Value::OneOf(_) | Value::Digits | Value::Unknown => out.push(GAP),
        }
    }
    out
}

fn add(forms: &mut Vec<Vec<Value>>, form: Vec<Value>) {
    if !form.is_empty() && !forms.contains(&form) {
        forms.push(form);
    }
}

fn without_globals(argv: &[Value], names: &dyn Names, harmless_only: bool) -> Option<Vec<Value>> {
    let (command, rest) = argv.split_first()?;
    let name = command.exact()?;
    let words: Vec<&str> = rest.iter().map_while(Value::exact).collect();
    let mut skipped = 0;
    loop {
        let left = words.get(skipped..)?;
        match names.global_option(name, left, harmless_only) {
            0 => break,
            count => skipped += count.min(left.len()),
        }
    }
    if skipped == 0 {
        return None;
    }
    let mut form = alloc::vec![command.clone()];
    form.extend_from_slice(rest.get(skipped..).unwrap_or_default());
    Some(form)
}

/// The command by its base name, when it is named by a path.
fn by_base_name(argv: &[Value]) -> Option<Vec<Value>> {
    let (command, rest) = argv.split_first()?;
    let (_, base) = command.exact()?.rsplit_once(['/', '\\'])?;
    let mut form = alloc::vec![Value::Exact(base.to_owned())];
    form.extend_from_slice(rest);
    Some(form)
}
