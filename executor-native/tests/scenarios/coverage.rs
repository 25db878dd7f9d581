//! Every scenario of groups A to I is a test named by its id, or stands in the list of those that are none, with the reason.
//!
//! A name begins with its ids, joined by `_` (`i01_c13_…`). The list is the table in `docs/executor.md`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Group and number of its scenarios.
const GROUPS: [(char, u32); 9] = [
    ('a', 10),
    ('b', 20),
    ('c', 20),
    ('d', 25),
    ('e', 9),
    ('f', 34),
    ('g', 22),
    ('h', 20),
    ('i', 12),
];

fn all() -> BTreeSet<String> {
    GROUPS
        .iter()
        .flat_map(|(group, count)| (1..=*count).map(move |n| format!("{group}{n:02}")))
        .collect()
}

fn is_id(word: &str) -> bool {
    word.len() == 3 && all().contains(word)
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        match entry.path() {
            path if path.is_dir() => found.extend(rust_files(&path)),
            path if path.extension().is_some_and(|ending| ending == "rs") => found.push(path),
            _ => {}
        }
    }
    found
}

/// Ids that a test's name begins with, and the test.
fn tested() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeMap::new();
    for folder in ["src", "tests"] {
        for file in rust_files(&root.join(folder)) {
            let text = fs::read_to_string(file).unwrap();
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            for (at, line) in lines.iter().enumerate() {
                let Some(name) = line
                    .strip_prefix("fn ")
                    .and_then(|rest| rest.split('(').next())
                else {
                    continue;
                };
                let attributes = lines.get(at.saturating_sub(2)..at).unwrap_or_default();
                if !attributes.contains(&"#[test]") {
                    continue;
                }
                for id in name.split('_').take_while(|word| is_id(word)) {
                    found.insert(id.to_owned(), name.to_owned());
                }
            }
            // The rows of `f_table` begin with theirs.
            for line in &lines {
                let row = line
                    .strip_prefix("(\"")
                    .unwrap_or(line.strip_prefix('"').unwrap_or_default());
                if let Some(id) = row.split('"').next().filter(|id| is_id(id)) {
                    found
                        .entry(id.to_owned())
                        .or_insert_with(|| "a row of the table".to_owned());
                }
            }
        }
    }
    found
}

/// The rows `| B20 | reason |` of the page.
fn excused() -> BTreeMap<String, String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/executor.md");
    let text = fs::read_to_string(page).unwrap();
    text.lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| ")?.split(" | ");
            let id = cells.next()?.to_ascii_lowercase();
            let reason = cells.next()?.trim_end_matches([' ', '|']);
            is_id(&id).then(|| (id, reason.to_owned()))
        })
        .collect()
}

#[test]
fn every_scenario_is_a_test_or_says_why_not() {
    let (tested, excused) = (tested(), excused());
    let mut wrong = Vec::new();
    for id in all() {
        match (tested.get(&id), excused.get(&id)) {
            (None, None) => wrong.push(format!("{id}: neither a test nor in docs/executor.md")),
            (Some(name), Some(_)) => wrong.push(format!("{id}: excused, and yet {name}")),
            (None, Some(reason)) if reason.len() < 20 => wrong.push(format!("{id}: no reason")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
