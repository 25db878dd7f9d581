//! What the strict analysis does not follow: constructs by slug, and whether anything is not static.
//!
//! Strict knows statements, and-or lists and pipelines of simple commands whose words are literal. A tilde is
//! static only as `~` or `~/…`; an active brace, glob or bracket is an expansion like any other.

use alloc::vec::Vec;

use super::visit::{Node, visit};
use crate::syntax::ast::{CompoundKind, Part, Script, Word};

/// The constructs of `script` that strict does not follow (deduplicated, in order), and whether something is dynamic.
pub(super) fn survey(script: &Script) -> (Vec<&'static str>, bool) {
    let mut unsupported: Vec<&'static str> = Vec::new();
    let mut dynamic = false;
    let mut note = |slug: &'static str| {
        if !unsupported.contains(&slug) {
            unsupported.push(slug);
        }
    };
    visit(script, &mut |node| match node {
        Node::Item(item) if item.background => note("background"),
        Node::Pipeline(pipeline) if pipeline.stages.is_empty() => note("bare-bang"),
        Node::Compound(compound) => note(slug(&compound.kind)),
        Node::Function => note("function"),
        Node::Coproc => note("coproc"),
        Node::Assignment(assignment) if assignment.subscript.is_some() => dynamic = true,
        Node::Word(word) => dynamic |= !is_static(word),
        Node::Part(part) => {
            dynamic |= !matches!(
                part,
                Part::Literal(..) | Part::Quoted(..) | Part::Double(..) | Part::Array(..)
            );
        }
        _ => {}
    });
    (unsupported, dynamic)
}

fn slug(kind: &CompoundKind) -> &'static str {
    match kind {
        CompoundKind::Subshell(_) => "subshell",
        CompoundKind::Group(_) => "group",
        CompoundKind::If(..) => "if",
        CompoundKind::While { until: false, .. } => "while",
        CompoundKind::While { until: true, .. } => "until",
        CompoundKind::For { select: true, .. } => "select",
        CompoundKind::For { .. } => "for",
        CompoundKind::ForArith { .. } => "for-arith",
        CompoundKind::Case { .. } => "case",
        CompoundKind::Cond(_) => "cond",
        CompoundKind::Arith(_) => "arith",
        CompoundKind::Opaque(_) => "opaque",
    }
}

/// Whether the unquoted text of a word holds nothing that the shell expands.
fn is_static(word: &Word) -> bool {
    let mut first = true;
    let mut brace = false;
    for part in &word.parts {
        if let Part::Literal(text, _) = part {
            let text = match text.strip_prefix('~') {
                Some("") if first && word.parts.len() == 1 => "",
                Some(rest) if first && rest.starts_with('/') => rest,
                _ => text.as_str(),
            };
            // `~` after `=` or `:` expands in assignments; `{}` and a lone `[` mean themselves.
            if text.contains(['*', '?', '~']) || (text.contains('[') && text != "[") {
                return false;
            }
            brace |= text.contains('{') && text != "{}";
            if brace && (text.contains(',') || text.contains("..")) {
                return false;
            }
        }
        first = false;
    }
    true
}
