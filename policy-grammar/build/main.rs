//! The package `tree-sitter-bash` → `grammar.bin`, which the crate includes.
//!
//! The tables are read from the package as it is linked; the lexers, which are code, from its source. The layout is
//! described in `src/unpack.rs`; a test there holds that what is unpacked is what the package has.

extern crate alloc;

#[path = "../src/raw.rs"]
mod raw;
mod source;
mod tables;

use std::{
    collections::{BTreeMap, HashMap},
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, bail};
use raw::Action;
use serde_json::Value;
use tables::Tables;

/// The package whose grammar is packed.
const PACKAGE: &str = "tree-sitter-bash";

fn main() -> anyhow::Result<()> {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/raw.rs");
    println!("cargo::rerun-if-changed=Cargo.toml");
    let parser = fs::read_to_string(sources()?.join("src/parser.c"))
        .context("read the parser of tree-sitter-bash")?;
    // SAFETY: tree-sitter's generator made the language of the package, and it is static.
    let tables = unsafe {
        let language = tree_sitter_bash::LANGUAGE.into_raw()().cast::<raw::Language>();
        tables::tables(language.as_ref().context("the package has no language")?)
    };
    let mut out = Writer::default();
    out.tables(&tables)?;
    out.lexer(&source::lexer(&parser, "ts_lex")?);
    out.lexer(&source::lexer(&parser, "ts_lex_keywords")?);
    let folder = env::var_os("OUT_DIR").context("cargo names no folder for what is built")?;
    fs::write(Path::new(&folder).join("grammar.bin"), out.0).context("write the packed grammar")
}

/// The folder of the package's sources: a package does not say where it is, cargo does.
fn sources() -> anyhow::Result<PathBuf> {
    let cargo = env::var_os("CARGO").context("cargo does not name itself")?;
    let output = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--locked", "--offline"])
        .output()
        .context("run `cargo metadata`")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("`cargo metadata` failed: {said}");
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).context("read its answer")?;
    let manifest = metadata["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|package| package["name"] == PACKAGE)
        .and_then(|package| package["manifest_path"].as_str())
        .with_context(|| format!("`cargo metadata` does not know `{PACKAGE}`"))?;
    let folder = Path::new(manifest).parent();
    Ok(folder
        .context("a manifest lies in no folder")?
        .to_path_buf())
}

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, mut value: usize) {
        while value >= 0x80 {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    fn words(&mut self, words: &[u16]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.bytes(&bytes);
    }

    fn split(&mut self, words: &[u16]) {
        let low = words.iter().map(|word| word.to_le_bytes()[0]);
        let high = words.iter().map(|word| word.to_le_bytes()[1]);
        let bytes: Vec<u8> = low.chain(high).collect();
        self.bytes(&bytes);
    }

    /// Values that tend to come again, with the kind of each.
    fn recent(&mut self, values: impl Iterator<Item = (usize, u16)>) {
        let (mut places, mut fresh) = (Vec::new(), Vec::new());
        let mut recent = Recent::default();
        for (kind, value) in values {
            let place = recent.place(kind, value);
            places.push(place);
            if place == 0 {
                fresh.push(value);
            }
        }
        self.bytes(&places);
        self.split(&fresh);
    }

    fn lists(&mut self, lists: &[Vec<u16>]) {
        self.number(lists.len());
        for list in lists {
            self.number(list.len());
            let mut before = 0_u16;
            for &word in list {
                self.number(usize::from(zigzag(word.wrapping_sub(before))));
                before = word;
            }
        }
    }

    fn tables(&mut self, tables: &Tables<'_>) -> anyhow::Result<()> {
        for number in tables.numbers {
            self.number(number as usize);
        }
        for names in [&tables.symbol_names, &tables.field_names] {
            let all: Vec<u8> = names
                .iter()
                .flat_map(|name| name.to_bytes_with_nul())
                .copied()
                .collect();
            self.bytes(&all);
        }
        self.bytes(tables.symbol_metadata.as_flattened());
        self.bytes(tables.field_map_entries.as_flattened());
        self.bytes(tables.scanner_states);
        self.words(tables.public_symbol_map);
        self.words(tables.field_map_slices.as_flattened());
        self.words(tables.alias_map);
        self.words(tables.alias_sequences);
        self.words(tables.scanner_symbols);
        self.words(tables.supertype_symbols);
        self.words(tables.supertype_map_slices.as_flattened());
        self.words(tables.supertype_map_entries);
        let mode = |index: usize| -> Vec<u16> {
            tables.lex_modes.iter().map(|mode| mode[index]).collect()
        };
        if mode(2).iter().any(|set| *set != 0) {
            bail!("the grammar has reserved words, which are not packed");
        }
        let [_, symbols, _, _, _, _, large, ..] = tables.numbers.map(|number| number as usize);
        let column = |column: usize| tables.parse_table.iter().skip(column).step_by(symbols);
        let columns = (0..symbols).flat_map(|at| column(at).map(move |value| (at, *value)));
        self.recent(columns);
        let rows = self.small_table(tables)?;
        let kinds =
            std::iter::repeat_n(0, large).chain(rows.iter().map(|row| usize::from(*row) + 1));
        self.recent(kinds.zip(mode(0)));
        self.recent(mode(0).into_iter().map(usize::from).zip(mode(1)));
        self.actions(tables)
    }

    /// Gives the template of each row.
    fn small_table(&mut self, tables: &Tables<'_>) -> anyhow::Result<Vec<u16>> {
        let [_, symbols, _, tokens, ..] = tables.numbers.map(|number| number as usize);
        let table = tables.small_parse_table;
        let (mut groups, mut templates) = (Numbered::default(), Numbered::default());
        let (mut rows, mut places) = (Vec::new(), vec![Vec::new(); symbols]);
        let (mut new_actions, mut new_states) = (Vec::new(), Vec::new());
        let large = tables.parse_table.chunks(symbols);
        let mut largest = *large
            .flat_map(|row| row.iter().take(tokens))
            .max()
            .context("there are no large states")?;
        let mut state = 0_u16;
        let mut recent = Recent::default();
        let mut at = 0;
        for &start in tables.small_parse_table_map {
            if start as usize != at {
                bail!("the rows of the small table are not in the order of the states");
            }
            let mut template = Vec::new();
            let count = table[at];
            at += 1;
            for _ in 0..count {
                let (value, length) = (table[at], usize::from(table[at + 1]));
                let group = table[at + 2..at + 2 + length].to_vec();
                at += 2 + length;
                let first = usize::from(group[0]);
                template.push(groups.number(group));
                let place = recent.place(first, value);
                places[first].push(place);
                if place == 0 && first < tokens {
                    new_actions.push(zigzag(value.wrapping_sub(largest)));
                    largest = largest.max(value);
                } else if place == 0 {
                    new_states.push(zigzag(value.wrapping_sub(state)));
                    state = value;
                }
            }
            rows.push(templates.number(template));
        }
        self.lists(&groups.all);
        self.lists(&templates.all);
        let mut next = 0;
        let told: Vec<u16> = rows
            .iter()
            .map(|row| {
                let told = next - row;
                next = next.max(row + 1);
                told
            })
            .collect();
        self.split(&told);
        for places in &places {
            self.bytes(places);
        }
        self.split(&new_actions);
        self.split(&new_states);
        Ok(rows)
    }

    fn actions(&mut self, tables: &Tables<'_>) -> anyhow::Result<()> {
        let mut shapes: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        let mut lists = Vec::new();
        let mut targets = Vec::new();
        let mut reductions: Numbered<Action> = Numbered::default();
        let mut reduced = Vec::new();
        let mut entries = tables.parse_actions.iter();
        while let Some(Action([count, reusable, ..])) = entries.next() {
            let mut shape = vec![*reusable];
            for _ in 0..*count {
                let action = entries.next().context("the last list is cut")?;
                shape.push(match action.0 {
                    [0, _, _, _, 1, 0, ..] => 2,
                    [0, _, low, high, 0, repetition, ..] => {
                        targets.push(u16::from_le_bytes([low, high]));
                        repetition
                    }
                    [1, ..] => {
                        reduced.push(reductions.number(*action));
                        3
                    }
                    [kind @ (2 | 3), ..] => kind + 2,
                    other => bail!("an action is not known: {other:?}"),
                });
            }
            lists.push(shape);
        }
        for shape in &lists {
            shapes.entry(shape.clone()).or_default();
        }
        for (number, known) in shapes.values_mut().enumerate() {
            *known = number;
        }
        self.number(shapes.len());
        for shape in shapes.keys() {
            self.bytes(shape);
        }
        let lists: Result<Vec<u8>, _> = lists.iter().map(|list| shapes[list].try_into()).collect();
        self.bytes(&lists.context("there are too many shapes of action lists")?);
        self.split(&targets);
        let reductions: Vec<u8> = reductions.all.iter().flat_map(|each| each.0).collect();
        self.bytes(&reductions);
        self.split(&reduced);
        Ok(())
    }

    fn lexer(&mut self, lexer: &[source::State]) {
        self.number(lexer.len());
        for state in lexer {
            self.number(state.accepts.map_or(0, |token| token + 1));
            self.number(state.end);
            self.number(state.stretches.len());
            let mut next = 0;
            for &(first, last, step) in &state.stretches {
                self.number(first - next);
                self.number(last - first);
                self.number(step);
                next = last + 1;
            }
        }
    }
}

/// The values of each kind, last used last.
#[derive(Default)]
struct Recent(HashMap<usize, Vec<u16>>);

impl Recent {
    /// The place of a value among those of its kind, counted from the last one used; 0 when it is not among the last 255.
    fn place(&mut self, kind: usize, value: u16) -> u8 {
        let used = self.0.entry(kind).or_default();
        let known = used.iter().rev().take(255).position(|each| *each == value);
        if let Some(known) = known {
            used.remove(used.len() - 1 - known);
        }
        used.push(value);
        known.map_or(0, |known| known as u8 + 1)
    }
}

/// Numbers values in the order in which they are met.
struct Numbered<T> {
    all: Vec<T>,
    known: HashMap<T, u16>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            known: HashMap::new(),
        }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Numbered<T> {
    fn number(&mut self, value: T) -> u16 {
        let next = self.all.len() as u16;
        *self.known.entry(value.clone()).or_insert_with(|| {
            self.all.push(value);
            next
        })
    }
}

const fn zigzag(value: u16) -> u16 {
    (value << 1) ^ (value >> 15).wrapping_neg()
}
