//! What a piece of the text may change: the variables it assigns and whether it changes directory.
//!
//! A loop's body runs again after itself, so what it assigns is not known at its entry. This is a survey without
//! state: it names too much rather than too little.

use alloc::{string::String, vec::Vec};

use super::{
    names::is_name,
    visit::{Node, visit},
    words::static_text,
};
use crate::{
    sorted::Map,
    syntax::ast::{AssignValue, CompoundKind, Descriptor, ParamOp, Part, Script, Simple},
};

/// What may change.
#[derive(Default, Debug)]
pub(super) struct Changes {
    /// Each variable that may be assigned, and whether only arithmetic and integers are.
    pub(super) variables: Map<String, bool>,
    /// Those that may become arrays.
    pub(super) arrays: Vec<String>,
    /// The directory may change.
    pub(super) directory: bool,
    /// Anything may (`eval`, a command that is not known).
    pub(super) anything: bool,
}

impl Changes {
    pub(super) fn note(&mut self, name: &str, arithmetic: bool) {
        if let Some(known) = self.variables.entry(name.into(), || true) {
            *known &= arithmetic;
        }
    }
}

/// Surveys `script`.
pub(super) fn changes(script: &Script) -> Changes {
    let mut found = Changes::default();
    visit(script, &mut |node| match node {
        Node::Assignment(assignment) => {
            if assignment.subscript.is_some() || matches!(assignment.value, AssignValue::Array(_)) {
                found.arrays.push(assignment.name.clone());
            }
            let integer = match &assignment.value {
                AssignValue::Word(word) => match word.parts.as_slice() {
                    [Part::Arith(..)] => true,
                    parts => static_text(parts).is_some_and(|text| text.parse::<i64>().is_ok()),
                },
                AssignValue::Array(_) => false,
            };
            found.note(
                &assignment.name,
                integer && assignment.subscript.is_none() && !assignment.append,
            );
        }
        Node::Compound(compound) => {
            if let CompoundKind::For { name, .. } = &compound.kind {
                found.note(name, false);
            }
        }
        Node::Param(param) => {
            if matches!(param.op, ParamOp::Default("=" | ":=", _)) {
                found.note(&param.name, false);
            }
        }
        Node::Arith(text) => {
            let mut flat = String::new();
            for part in &text.parts {
                match part {
                    Part::Literal(text, _) | Part::Quoted(text, _) => flat.push_str(text),
                    _ => flat.push(' '),
                }
            }
            names_in(&flat, |name| found.note(name, true));
        }
        Node::Redirect(redirect) => {
            if let Some(Descriptor::Variable(name)) = &redirect.descriptor {
                found.note(name, false);
            }
        }
        Node::Simple(simple) => survey_simple(simple, &mut found),
        _ => {}
    });
    found
}

fn survey_simple(simple: &Simple, found: &mut Changes) {
    let mut words = simple.words.iter().map(|word| static_text(&word.parts));
    let Some(first) = words.next() else {
        return;
    };
    match first.as_deref() {
        None | Some("eval" | "source" | ".") => {
            found.anything = true;
        }
        Some("cd" | "pushd" | "popd" | "chdir") => found.directory = true,
        Some(
            "read" | "mapfile" | "readarray" | "declare" | "typeset" | "local" | "export"
            | "readonly" | "unset" | "printf" | "print" | "getopts" | "let" | "wait" | "set"
            | "shift" | "integer" | "float" | "vared" | "zstyle" | "zparseopts" | "sysread"
            | "zstat",
        ) => {
            found.note("REPLY", false);
            found.note("MAPFILE", false);
            found.note("OPTARG", false);
            found.note("OPTIND", false);
            for word in &simple.words {
                // Expansions in these words make hazards or are values; names stand in the literal text.
                for part in &word.parts {
                    if let Part::Literal(text, _) | Part::Quoted(text, _) = part {
                        names_in(text, |name| found.note(name, false));
                    }
                    if let Part::Double(inner, _) = part {
                        names_in(&static_text(inner).unwrap_or_default(), |name| {
                            found.note(name, false);
                        });
                    }
                }
            }
        }
        Some(
            "command" | "builtin" | "noglob" | "nocorrect" | "-" | "exec" | "time" | "if"
            | "repeat",
        ) => {
            found.anything = true;
        }
        Some(_) => {}
    }
}

fn names_in(text: &str, mut note: impl FnMut(&str)) {
    for name in text.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()) {
        if is_name(name) {
            note(name);
        }
    }
}
