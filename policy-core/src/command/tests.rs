//! Text to a dump of what was made of it. The expected dumps come from what bash does, not from the output.
//!
//! An argument is written as its text, `a|b` for one of several, `a…` for a known beginning, `#` for digits, `?` for
//! one unknown word, `a*…` for any number of words; nested invocations follow in order with their site.

use alloc::{format, string::String, vec::Vec};

use super::{lower, model::*};
use crate::{
    facts::{Facts, Shell},
    specs::SpecSet,
    syntax::read,
};

mod scripts;
mod state;
mod words;
mod wrappers;

fn facts(shell: Shell) -> Facts {
    Facts {
        cwd: Some("/w/app".into()),
        home: Some("/home/u".into()),
        workspace: alloc::vec!["/w/app".into()],
        shell,
        ..Facts::default()
    }
}

fn program(text: &str, shell: Shell) -> Program {
    let facts = facts(shell);
    let reading = read(text, shell);
    // Where the second reader disagrees the verdict is "ask", but the tree is whole.
    let whole = reading
        .fault
        .as_ref()
        .is_none_or(|fault| fault.code == crate::diagnostic::Code::ParseReadersDisagree);
    assert!(whole, "{text}: {:?}", reading.fault);
    lower(&reading.script, text, &facts, &SpecSet::default())
}

fn value(value: &Value) -> String {
    match value {
        Value::Exact(text) if text.is_empty() || text.contains([' ', '\n']) => {
            format!("'{text}'")
        }
        Value::Exact(text) => text.clone(),
        Value::OneOf(all) => all.join("|"),
        Value::Prefix(text) => format!("{text}…"),
        Value::Digits => "#".into(),
        Value::Unknown => "?".into(),
        Value::Many(text) => format!("{text}*…"),
    }
}

fn redirect(redirect: &Redirection) -> Option<String> {
    match &redirect.kind {
        RedirectKind::Read(target) => Some(format!("<{}", value(target))),
        RedirectKind::Write(target) => Some(format!(">{}", value(target))),
        RedirectKind::Nothing => None,
        RedirectKind::Network(target) => Some(format!("net:{}", value(target))),
    }
}

/// The dump: invocations separated by ` ; `, then hazards after ` !`.
fn dump_in(text: &str, shell: Shell) -> String {
    let program = program(text, shell);
    let mut parts: Vec<String> = Vec::new();
    for invocation in &program.invocations {
        let mut words: Vec<String> = Vec::new();
        match invocation.site {
            Site::Top => {}
            Site::Compound => words.push("{}".into()),
            Site::Substitution => words.push("$()".into()),
            Site::Wrapped => words.push("->".into()),
            Site::Script => words.push("''".into()),
        }
        match &invocation.cwd {
            Cwd::Initial => {}
            Cwd::Moved(path) => words.push(format!("[{path}]")),
            Cwd::Unknown | Cwd::Among(_) => words.push("[?]".into()),
        }
        for assign in &invocation.assignments {
            words.push(format!("{}={}", assign.name, value(&assign.value)));
        }
        words.extend(invocation.argv.iter().map(|arg| value(&arg.value)));
        words.extend(invocation.redirects.iter().filter_map(redirect));
        parts.push(words.join(" "));
    }
    parts.extend(program.redirects.iter().filter_map(redirect));
    let mut dump = parts.join(" ; ");
    for hazard in &program.hazards {
        dump.push_str(&format!(" !{:?}", hazard.kind));
    }
    dump
}

fn check_in(shell: Shell, cases: &[(&str, &str)]) {
    let mut wrong = String::new();
    for (text, expected) in cases {
        let dump = dump_in(text, shell);
        if dump != *expected {
            wrong.push_str(&format!(
                "\n{text}\n  expected {expected}\n  found    {dump}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn check(cases: &[(&str, &str)]) {
    check_in(Shell::Bash, cases);
}
