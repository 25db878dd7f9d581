//! The TypeScript of every boundary, made from the Rust types: `policy-core/src/**` → `wire.ts` of the npm package.
//!
//! Reads the sources (not a build of them), follows every type that the roots reach, and turns its serde attributes into
//! TypeScript. A shape it does not know is an error, never a guess. Types whose serde is written by hand, and no others,
//! have their TypeScript in [`BY_HAND`].

use std::{
    collections::{BTreeSet, VecDeque},
    fs,
    path::Path,
};

use anyhow::{Context as _, ensure};

use crate::Mode;
use shapes::Shapes;

mod attributes;
mod shapes;
mod source;
#[cfg(test)]
mod tests;

/// What the boundary is made of; everything else is reached from these.
const ROOTS: &[(&str, Way)] = &[
    ("Request", Way::In),
    ("PolicyConfig", Way::In),
    ("Tools", Way::In),
    ("Verdict", Way::Out),
    ("ParseReport", Way::Out),
    ("Explanation", Way::Out),
];

/// Types that are read through another struct, and where the documentation of its fields stands.
const THROUGH: &[(&str, &str, &[&str])] =
    &[("Request", "Flat", &["Request", "Facts", "RuleLists"])];

/// Which way a type goes through the boundary, which says what its optional keys are: a host may leave out what has a
/// default, and is never given what is left out when empty. A type that goes both ways is written as it goes in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Way {
    In,
    Out,
}

/// Where the result goes.
const PLACE: &str = "host-js/src/generated/wire.ts";

/// Types with serde written by hand, and what their code reads and writes.
const BY_HAND: &[(&str, &str)] = &[
    ("Span", "[start: number, end: number]"),
    (
        "GitFacts",
        "GitState | { state: GitState; executingKeys?: string[] }",
    ),
];

/// Functions named by `deserialize_with`, and what they read (`$` is the type of the field's items).
const READERS: &[(&str, &str)] = &[("one_or_many", "$ | $[]")];

/// Writes the files, or compares them.
pub(crate) fn run(root: &Path, mode: Mode, _words: &[String]) -> anyhow::Result<()> {
    let text = generate(&root.join("policy-core/src"))?;
    let path = root.join(PLACE);
    if mode == Mode::Write {
        return fs::write(&path, &text).with_context(|| format!("write {PLACE}"));
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    ensure!(
        there == text,
        "{PLACE} is not what `./x types` makes of the Rust types: run it and commit the result"
    );
    Ok(())
}

fn generate(sources: &Path) -> anyhow::Result<String> {
    let shapes = Shapes::read(sources)?;
    let mut out = String::from(
        "// Made by `./x types` from the Rust types of policy-core; do not edit.\n\
         // Spans are UTF-16 offsets here: `command.slice(...span)` is the text meant.\n",
    );
    let mut seen = BTreeSet::new();
    let mut queue: VecDeque<(String, Way)> = ROOTS
        .iter()
        .map(|&(name, way)| (name.to_owned(), way))
        .collect();
    // Everything that goes in comes first, so that a type of both ways is written so.
    while let Some((name, way)) = take_first(&mut queue) {
        if !seen.insert(name.clone()) {
            continue;
        }
        let mut used = Vec::new();
        out.push('\n');
        out.push_str(
            &shapes
                .write(&name, way, &mut used)
                .with_context(|| format!("type `{name}`"))?,
        );
        queue.extend(used.into_iter().map(|name| (name, way)));
    }
    Ok(out)
}

fn take_first(queue: &mut VecDeque<(String, Way)>) -> Option<(String, Way)> {
    let at = queue.iter().position(|(_, way)| *way == Way::In);
    queue.remove(at.unwrap_or(0))
}
