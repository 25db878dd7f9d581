//! What comes to lie in a folder, and what a link leads to: operands of which the command line shows only a part.
//!
//! `cp d/.envrc .` writes `./.envrc`, and `ln -s / r` makes `r/home` a folder elsewhere. Whether the last operand of these
//! commands is a folder is not known, so both are looked at.

use alloc::{
    format,
    string::{String, ToString},
};

use super::{Judgement, paths};
use crate::{
    command::model::{Arg, Invocation, Value},
    effect::{Effect, Place, Touch},
    facts::Facts,
    specs::{
        model::{Kind, Operand},
        options::Parsed,
    },
};

/// Adds the names under which `cp`, `mv`, `install` and `ln` put things into a folder, and the targets of links.
pub(super) fn judge(
    judgement: &mut Judgement,
    invocation: &Invocation,
    parsed: &Parsed<'_>,
    facts: &Facts,
) {
    let kinds = parsed.form.operands.kinds;
    let lands = parsed.form.kind == Kind::FileOp && kinds.len() == 2;
    if !lands || kinds.iter().last() != Some(Operand::Write) {
        return;
    }
    let mut operands = parsed
        .operands
        .iter()
        .filter_map(|&index| invocation.argv.get(index));
    let into = parsed.all("-t").find_map(|option| option.value.clone());
    let into = match into {
        Some(folder) => folder,
        // `ln -s d/x` makes the link here.
        None if parsed.operands.len() < 2 => Value::Exact(".".into()),
        None => match operands.next_back() {
            Some(last) => last.value.clone(),
            None => return,
        },
    };
    let links = parsed.spec.name == "ln" || parsed.has("-s -l");
    for source in operands {
        let lands = landing(&into, source, parsed, facts, invocation);
        if let Some(lands) = lands {
            let touch = paths::touch(&lands, Effect::Write, &invocation.cwd, facts);
            if touch.place > Some(Place::Inside) {
                judgement.touch(touch, source.span);
            }
        }
        if links && leads_out(&into, source, invocation, facts) {
            let touch = Touch {
                effect: Effect::Write,
                place: Some(Place::Outside),
                target: source.value.exact().map(Into::into),
            };
            judgement.touch(touch, source.span);
        }
    }
}

/// The path that `source` gets in the folder `into`; `None` where nothing is known that could be protected.
fn landing(
    into: &Value,
    source: &Arg,
    parsed: &Parsed<'_>,
    facts: &Facts,
    invocation: &Invocation,
) -> Option<Value> {
    let folder = into.exact()?;
    let text = source.value.known_prefix();
    let trimmed = text.trim_end_matches('/');
    let name = trimmed.rsplit('/').next().unwrap_or(trimmed);
    let contents = matches!(name, "." | "..") || parsed.has("-T");
    if contents && source.value.exact().is_some() {
        // What a folder holds comes into another: where that is a project, its settings are among what may be replaced.
        let there = paths::resolve(folder, &invocation.cwd, facts);
        let project = there.is_none_or(|there| {
            let roots = facts.cwd.iter().chain(&facts.workspace);
            roots
                .into_iter()
                .any(|root| paths::is_under(&paths::normalise(root), &there))
        });
        let whole = parsed.has("-r -a") && project;
        return whole.then(|| Value::Prefix(in_folder(folder, "")));
    }
    match &source.value {
        Value::Exact(_) if name.is_empty() => None,
        Value::Exact(_) => Some(Value::Exact(in_folder(folder, name))),
        Value::OneOf(all) => {
            let names = all.iter().filter_map(|text| text.rsplit('/').next());
            Some(Value::OneOf(
                names.map(|name| in_folder(folder, name)).collect(),
            ))
        }
        // A glob does not match hidden names, and of the others none begins like a setting of which more is known.
        Value::Prefix(_) | Value::Many(_) if text.ends_with('/') || !name.starts_with('.') => None,
        Value::Prefix(_) | Value::Many(_) => Some(Value::Prefix(in_folder(folder, name))),
        Value::Unknown => Some(Value::Unknown),
        Value::Digits => None,
    }
}

/// Whether the link may lead out of the workspace or to something protected, seen from where it may lie.
fn leads_out(into: &Value, source: &Arg, invocation: &Invocation, facts: &Facts) -> bool {
    let (Some(target), Some(link)) = (source.value.exact(), into.exact()) else {
        return true;
    };
    let parent = link.rsplit_once('/').map_or(".", |(parent, _)| parent);
    let seen_from = |folder: &str| {
        let path = if target.starts_with(['/', '~']) {
            target.to_string()
        } else {
            in_folder(folder, target)
        };
        let value = Value::Exact(paths::normalise(&path));
        paths::place(&value, Effect::Write, &invocation.cwd, facts)
    };
    let places = [seen_from("."), seen_from(parent), seen_from(link)];
    // A name in the folder of the link is as good as one in the link that is a folder.
    let worst = if target.starts_with("..") {
        let [_, beside, below] = places;
        if link.ends_with('/') || link == "." {
            below
        } else {
            beside
        }
    } else {
        places.into_iter().max().unwrap_or(Place::Outside)
    };
    worst > Place::Inside
}

fn in_folder(folder: &str, name: &str) -> String {
    match folder.trim_end_matches('/') {
        "" => format!("/{name}"),
        folder => format!("{folder}/{name}"),
    }
}
