//! What comes to lie in a folder, and what a link leads to: operands of which the command line shows only a part.
//!
//! `cp d/.envrc .` writes `./.envrc`, and `ln -s / r` makes `r/home` a folder elsewhere. Whether the last operand of these
//! commands is a folder is not known, so both are looked at.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{Judgement, paths, places};
use crate::{
    command::model::{Arg, Cwd, Invocation, Value},
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
    let outside = |target: Option<&str>| Touch {
        effect: Effect::Write,
        place: Some(Place::Outside),
        target: target.map(Into::into),
    };
    if let Some(option) = parsed.all("-S --suffix").next() {
        // What is replaced is kept under a name made of its own and this.
        let span = invocation
            .argv
            .get(option.index)
            .map_or(invocation.span, |arg| arg.span);
        judgement.touch(outside(None), span);
    }
    // A folder that becomes `.github` brings its workflows.
    let moves = links || parsed.spec.name == "mv" || parsed.has("-r -a");
    if moves && into.exact().is_some_and(places::is_above_protected) {
        judgement.touch(outside(into.exact()), invocation.span);
    }
    for source in operands {
        let renames = links || parsed.spec.name == "mv";
        let secret = paths::touch_word(source, Effect::Read, &invocation.cwd, facts);
        let home = parsed.has("-r -a") && holds_home(source, invocation, facts);
        if (renames && secret.place == Some(Place::Sensitive)) || home {
            judgement.touch(
                Touch {
                    place: Some(Place::Sensitive),
                    ..secret
                },
                source.span,
            );
        }
        for lands in landings(&into, source, parsed, facts, invocation) {
            let touch = paths::touch(&lands, Effect::Write, &invocation.cwd, facts);
            let above = moves && lands.exact().is_some_and(places::is_above_protected);
            if touch.place > Some(Place::Inside) {
                judgement.touch(touch, source.span);
            } else if above {
                judgement.touch(outside(lands.exact()), source.span);
            }
        }
        if links && leads_out(&into, source, parsed, invocation, facts) {
            judgement.touch(outside(source.value.exact()), source.span);
        }
    }
}

/// Whether all of the home folder is in it.
fn holds_home(source: &Arg, invocation: &Invocation, facts: &Facts) -> bool {
    let there = source
        .value
        .exact()
        .and_then(|text| paths::resolve(text, &invocation.cwd, facts));
    let home = facts.home.as_deref().map(paths::normalise);
    home.zip(there)
        .is_some_and(|(home, there)| paths::is_under(&home, &there))
}

/// The paths that `source` gets in the folder `into`, as far as what is known of them could be protected.
fn landings(
    into: &Value,
    source: &Arg,
    parsed: &Parsed<'_>,
    facts: &Facts,
    invocation: &Invocation,
) -> Vec<Value> {
    let Some(folder) = into.exact() else {
        return Vec::new();
    };
    let name_of = |text: &str| {
        let text = text.trim_end_matches('/');
        String::from(text.rsplit('/').next().unwrap_or(text))
    };
    let known: Vec<&str> = match &source.value {
        Value::Exact(text) => alloc::vec![text],
        Value::OneOf(all) => all.iter().map(String::as_str).collect(),
        Value::Digits => return Vec::new(),
        _ if source.shapes.is_empty() => return alloc::vec![Value::Unknown],
        _ => {
            let open = |shape: &String| {
                let name = name_of(shape);
                match name.split_once('*') {
                    None => Some(Value::Exact(in_folder(folder, &name))),
                    // A pattern does not match hidden names unless it says so.
                    Some((start, _)) if source.matched && !start.starts_with('.') => None,
                    Some(("", _)) => Some(Value::Unknown),
                    Some((start, _)) => Some(Value::Prefix(in_folder(folder, start))),
                }
            };
            return source.shapes.iter().filter_map(open).collect();
        }
    };
    let mut all = Vec::new();
    for text in known {
        let name = name_of(text);
        if matches!(name.as_str(), "." | "..") || parsed.has("-T") {
            // What a folder holds comes into another: where that is a project, its settings are among what may be replaced.
            let there = paths::resolve(folder, &invocation.cwd, facts);
            let project = there.is_none_or(|there| {
                let mut roots = facts.cwd.iter().chain(&facts.workspace);
                roots.any(|root| paths::is_under(&paths::normalise(root), &there))
            });
            if parsed.has("-r -a") && project {
                all.push(Value::Prefix(in_folder(folder, "")));
            }
        } else if parsed.has("--parents") {
            all.push(Value::Exact(in_folder(folder, text)));
        } else if !name.is_empty() {
            all.push(Value::Exact(in_folder(folder, &name)));
        }
    }
    all
}

/// Whether the link may lead out of the workspace or to something protected, seen from where it may lie.
fn leads_out(
    into: &Value,
    source: &Arg,
    parsed: &Parsed<'_>,
    invocation: &Invocation,
    facts: &Facts,
) -> bool {
    let (Some(target), Some(link)) = (source.value.exact(), into.exact()) else {
        return true;
    };
    if paths::climbs(target, &Cwd::Initial) || places::is_above_protected(target) {
        return true;
    }
    let seen_from = |folder: &str| {
        let path = if target.starts_with(['/', '~']) {
            target.to_string()
        } else {
            in_folder(folder, target)
        };
        let value = Value::Exact(paths::normalise(&path));
        paths::place(&value, Effect::Write, &invocation.cwd, facts) > Place::Inside
    };
    // Only what a symbolic link holds is seen from the link; `ln -r` makes it so.
    let text_of_link = parsed.spec.name == "ln" && parsed.has("-s") && !parsed.has("-r");
    let parent = link.rsplit_once('/').map_or(".", |(parent, _)| parent);
    if !text_of_link {
        seen_from(".")
    } else if !target.starts_with("..") {
        seen_from(".") || seen_from(parent) || seen_from(link)
    } else if link.ends_with('/') || link == "." {
        seen_from(link)
    } else {
        seen_from(parent)
    }
}

fn in_folder(folder: &str, name: &str) -> String {
    match folder.trim_end_matches('/') {
        "" => format!("/{name}"),
        folder => format!("{folder}/{name}"),
    }
}
