//! What no prefix rule may allow: protected writes and removals that cannot be mended.

use alloc::format;

use super::{Judgement, model::Why, paths, places};
use crate::{
    command::model::{Arg, Invocation, Value},
    diagnostic::Code,
    effect::{Effect, Place, Touch},
    facts::Facts,
    span::Span,
    specs::{model::Operand, options::Parsed},
};

/// Guards by the places that were touched.
pub(super) fn judge_touches(judgement: &mut Judgement) {
    let worst = judgement.touches.iter().find_map(|(touch, span)| {
        let shown = touch.target.as_deref().unwrap_or("a path");
        match (touch.effect, touch.place?) {
            (Effect::Delete, Place::Critical) => Some(Why {
                code: Code::PathCritical,
                message: format!("the loss of `{shown}` could not be mended"),
                span: *span,
            }),
            (Effect::Write | Effect::Delete, Place::Protected) => Some(Why {
                code: Code::PathProtected,
                message: format!("`{shown}` gains execution later or holds settings that do"),
                span: *span,
            }),
            _ => None,
        }
    });
    if judgement.guarded.is_none() {
        judgement.guarded = worst;
    }
}

/// The first sensitive path that is read.
pub(super) fn sensitive(touches: &[(Touch, Span)]) -> Option<Why> {
    touches.iter().find_map(|(touch, span)| {
        (touch.effect == Effect::Read && touch.place == Some(Place::Sensitive)).then(|| Why {
            code: Code::PathSensitive,
            message: match touch.target.as_deref() {
                Some(path) => format!("`{path}` holds credentials or other secrets"),
                None => "a path is read that holds credentials or other secrets".into(),
            },
            span: *span,
        })
    })
}

/// Options that name an output in most tools, also in those of which no more is known.
const OUTPUTS: &[&str] = &[
    "-o",
    "-O",
    "--output",
    "--out",
    "--outfile",
    "--outFile",
    "--output-file",
    "--output-dir",
    "--output-directory",
];

/// An output at a protected place: whatever rule allows the tool.
pub(super) fn judge_outputs(judgement: &mut Judgement, invocation: &Invocation, facts: &Facts) {
    let words = invocation.argv.iter().skip(1);
    let nexts = invocation.argv.iter().skip(2).map(Some).chain([None]);
    for (word, next) in words.zip(nexts) {
        let Some(text) = word.value.exact() else {
            continue;
        };
        let attached = OUTPUTS.iter().find_map(|option| {
            let rest = text.strip_prefix(option)?;
            if option.starts_with("--") {
                rest.strip_prefix('=')
            } else {
                Some(rest).filter(|rest| !rest.is_empty())
            }
        });
        let value = match attached {
            Some(path) => Some(Value::Exact(path.into())),
            None if OUTPUTS.contains(&text) => next.map(|next| next.value.clone()),
            None => None,
        };
        if let Some(value) = value {
            let touch = paths::touch(&value, Effect::Write, &invocation.cwd, facts);
            if touch.place == Some(Place::Protected) {
                judgement.touch(touch, word.span);
            }
        }
    }
}

/// Searches through everything below a folder that holds the home folder, hidden files included: keys are among it.
pub(super) fn judge_searches(
    judgement: &mut Judgement,
    invocation: &Invocation,
    parsed: &Parsed<'_>,
    facts: &Facts,
) {
    let deep = match parsed.spec.name {
        "grep" => invocation.argv.iter().any(|arg| {
            let text = arg.value.exact().unwrap_or_default();
            // Its spec lists only what takes a value.
            let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
            matches!(text, "--recursive" | "--dereference-recursive")
                || letters.is_some_and(|letters| {
                    let mut flags = letters.chars().take_while(|c| !"efmABCdD".contains(*c));
                    flags.any(|flag| matches!(flag, 'r' | 'R'))
                })
        }),
        "rg" => parsed.has("--hidden") || parsed.all("-u").count() > 1,
        _ => false,
    };
    if !matches!(parsed.spec.name, "grep" | "rg") {
        return;
    }
    // The files are named by a pattern.
    for option in parsed.all("--include -g --glob --iglob") {
        let name = option.value.as_ref().and_then(Value::exact);
        if let Some(name) = name.filter(|name| places::is_sensitive_shape(name)) {
            let touch = Touch {
                effect: Effect::Read,
                place: Some(Place::Sensitive),
                target: Some(name.into()),
            };
            judgement.touch(touch, invocation.span);
        }
    }
    let Some(home) = facts.home.as_deref().filter(|_| deep) else {
        return;
    };
    let words = parsed
        .operands
        .iter()
        .skip(usize::from(!parsed.has("-e -f")))
        .filter_map(|&index| invocation.argv.get(index));
    for arg in words {
        let there = arg
            .value
            .exact()
            .and_then(|text| paths::resolve(text, &invocation.cwd, facts));
        let holds = |there: &str| {
            paths::is_under(&paths::normalise(home), there) || paths::is_under(there, "/proc")
        };
        if there.is_some_and(|there| holds(&there)) {
            let touch = Touch {
                effect: Effect::Read,
                place: Some(Place::Sensitive),
                target: arg.value.exact().map(Into::into),
            };
            judgement.touch(touch, arg.span);
        }
    }
}

/// Removals of everything in a folder: `rm -rf x/*`, and of what an empty variable would make of `"$x"/*`.
pub(super) fn judge_removals(
    judgement: &mut Judgement,
    invocation: &Invocation,
    parsed: &Parsed<'_>,
    facts: &Facts,
) {
    let kinds = parsed.form.operands.kinds;
    if !kinds.contains(&Operand::Delete) {
        return;
    }
    for arg in parsed
        .operands
        .iter()
        .filter_map(|&index| invocation.argv.get(index))
    {
        if empties_critical(arg, invocation, facts) {
            judgement.guarded = Some(Why {
                code: Code::PathCritical,
                message: "everything in a folder whose loss could not be mended is removed".into(),
                span: arg.span,
            });
            return;
        }
    }
}

fn empties_critical(arg: &Arg, invocation: &Invocation, facts: &Facts) -> bool {
    let prefix = match &arg.value {
        Value::Exact(_) | Value::OneOf(_) | Value::Digits => return false,
        Value::Prefix(text) | Value::Many(text) => text.as_str(),
        Value::Unknown => "",
    };
    let source = source(arg, invocation);
    let everything = source.ends_with("/*") || source == "*" || source.ends_with("/.*");
    if source.starts_with(['$', '"']) && prefix.is_empty() {
        // An empty variable leaves `/…`.
        return everything || source.trim_end_matches('"').ends_with('/');
    }
    if !everything {
        return false;
    }
    match prefix.rsplit_once('/') {
        Some(("", _)) => true,
        Some((folder, _)) => paths::is_critical_folder(folder, &invocation.cwd, facts),
        None => paths::is_critical_folder(".", &invocation.cwd, facts),
    }
}

/// The word as written; empty when it is not in the invocation's own text.
fn source<'a>(arg: &Arg, invocation: &'a Invocation) -> &'a str {
    let start = arg.span.start.saturating_sub(invocation.span.start);
    let end = arg.span.end.saturating_sub(invocation.span.start);
    invocation
        .text
        .get(start as usize..end as usize)
        .unwrap_or("")
}
