//! Packs `commands/**/*.toml`: the specs, sorted by name, a sorted index of names and aliases, and the notes. Also tables of cases.
//!
//! Uses the very same modules as the run time, and reads back what it packed. A mistake fails the build with one line for each:
//! file, field, what is wrong.
#![allow(dead_code, unreachable_pub, missing_docs)]

extern crate alloc;

#[path = "src/effect.rs"]
mod effect;
#[path = "src/sorted.rs"]
mod sorted;
#[path = "src/specs"]
mod specs {
    pub mod compile;
    pub mod draft;
    pub mod model;
    pub mod pack;
    pub mod packed;
    pub mod raw;
    pub mod read;
}

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use specs::{
    draft::{Flag, Form, Operand, Spec},
    model,
    pack::{self, Packer},
    packed::{List, Packed, Reader},
};

/// Of so many names one is listed with its place.
const LISTED: usize = 16;

fn main() -> ExitCode {
    let folder =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("commands");
    for watched in [
        "commands",
        "src/specs/raw.rs",
        "src/specs/read.rs",
        "src/specs/compile.rs",
        "src/specs/draft.rs",
        "src/specs/model.rs",
        "src/specs/pack.rs",
        "src/specs/packed.rs",
        "src/effect.rs",
        "src/sorted.rs",
    ] {
        println!("cargo::rerun-if-changed={watched}");
    }
    let mut files = Vec::new();
    let mut errors = Vec::new();
    find_documents(&folder, &mut files, &mut errors);
    files.sort();
    let mut specs = Vec::new();
    let mut owners: BTreeMap<String, String> = BTreeMap::new();
    for file in &files {
        let shown = file
            .strip_prefix(&folder)
            .unwrap_or(file)
            .display()
            .to_string();
        let spec = match read_document(file) {
            Ok(spec) => spec,
            Err(faults) => {
                errors.extend(
                    faults
                        .iter()
                        .map(|fault| format!("commands/{shown}: {fault}")),
                );
                continue;
            }
        };
        for name in std::iter::once(&spec.name).chain(&spec.aliases) {
            if let Some(other) = owners.insert(name.to_string(), shown.clone()) {
                errors.push(format!(
                    "commands/{shown}: name: `{name}` is also described in {other}"
                ));
            }
        }
        specs.push(spec);
    }
    specs.sort_by(|left, right| left.name.cmp(&right.name));
    if !errors.is_empty() {
        for error in &errors {
            println!("cargo::error={}", error.replace('\n', " "));
        }
        return ExitCode::FAILURE;
    }
    match write(&specs).and_then(|()| write_case()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error={error}");
            ExitCode::FAILURE
        }
    }
}

/// Packs the specs, sorted by name, into the files that `specs/builtin.rs` reads.
fn write(specs: &[Spec]) -> Result<(), String> {
    let mut packer = Packer::default();
    let mut names = BTreeMap::new();
    let mut notes = Vec::new();
    for spec in specs {
        let at = packer.spec(spec);
        let read = Packed::unpack(&mut Reader::at(&packer.bytes, at).ok_or("the place is wrong")?);
        if !read.is_some_and(|read| is_same(&read, spec)) {
            return Err(format!("`{}` is not read as it was packed", spec.name));
        }
        for name in std::iter::once(&spec.name).chain(&spec.aliases) {
            names.insert(name.as_str(), at);
        }
        pack::notes(&mut notes, spec);
    }
    let mut entries = Vec::new();
    let mut places = Vec::new();
    for (index, (name, at)) in names.iter().enumerate() {
        if index % LISTED == 0 {
            let place = names.len().div_ceil(LISTED) * 2 + entries.len();
            places.extend(
                u16::try_from(place)
                    .map_err(|_| "too many names")?
                    .to_le_bytes(),
            );
        }
        pack::text(&mut entries, name);
        pack::number(&mut entries, *at);
    }
    places.extend(entries);
    let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    for (file, bytes) in [
        ("specs.bin", packer.bytes),
        ("names.bin", places),
        ("notes.bin", notes),
    ] {
        let target = folder.join(file);
        fs::write(&target, bytes)
            .map_err(|error| format!("cannot write {}: {error}", target.display()))?;
    }
    Ok(())
}

/// Writes the tables of `rules/pattern/case.rs`: stretches of letters that have their other case equally far away.
fn write_case() -> Result<(), String> {
    let lower = stretches(|letter| letter.to_lowercase().next());
    let upper = stretches(|letter| letter.to_uppercase().next());
    let text =
        format!("static LOWER: &[Stretch] = &{lower:?};\nstatic UPPER: &[Stretch] = &{upper:?};\n");
    let target = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("case.rs");
    fs::write(&target, text).map_err(|error| format!("cannot write {}: {error}", target.display()))
}

/// First letter, twice the last one (and one more where only every other letter is meant), distance.
fn stretches(other: impl Fn(char) -> Option<char>) -> Vec<(u32, u32, u32)> {
    let mut all: Vec<(u32, u32, u32, u32)> = Vec::new();
    for letter in '\u{80}'..=char::MAX {
        let (code, distance) = match other(letter) {
            Some(other) if other != letter => (
                u32::from(letter),
                u32::from(other).wrapping_sub(u32::from(letter)),
            ),
            _ => continue,
        };
        match all.last_mut() {
            Some((first, last, step, same))
                if *same == distance
                    && (code - *last == *step || (first == last && code - *last == 2)) =>
            {
                *step = code - *last;
                *last = code;
            }
            _ => all.push((code, code, 1, distance)),
        }
    }
    all.into_iter()
        .map(|(first, last, step, distance)| (first, last * 2 + step - 1, distance))
        .collect()
}

/// Whether the packed form says what was packed.
fn is_same(read: &model::Spec<'_>, spec: &Spec) -> bool {
    let subs = spec.subs.iter();
    read.name == spec.name
        && read.aliases.iter().eq(spec.aliases.iter())
        && read.globals_anywhere == spec.globals_anywhere
        && same_flags(read.globals, &spec.globals)
        && same_form(&read.root, &spec.root)
        && read.subs.len() == spec.subs.len()
        && read
            .subs
            .iter()
            .zip(subs)
            .all(|(read, sub)| read.words == sub.words && same_form(&read.form(), &sub.form))
}

fn same_flags(read: List<'_, model::Flag<'_>>, flags: &[Flag]) -> bool {
    let all = |flag: &Flag| {
        (
            flag.names.clone(),
            flag.value,
            flag.effect,
            flag.allowed.clone(),
        )
    };
    read.iter()
        .map(|flag| {
            let (names, allowed) = (flag.names.to_owned(), flag.allowed.to_owned());
            (names, flag.value, flag.effect, allowed)
        })
        .eq(flags.iter().map(all))
}

fn same_form(read: &model::Form<'_>, form: &Form) -> bool {
    let kind = |read: model::Operand<'_>| match read {
        model::Operand::Text => Operand::Text,
        model::Operand::Read => Operand::Read,
        model::Operand::Write => Operand::Write,
        model::Operand::Delete => Operand::Delete,
        model::Operand::Host => Operand::Host,
        model::Operand::Assignment => Operand::Assignment,
        model::Operand::OneOf(words) => Operand::OneOf(words.to_owned()),
    };
    read.kind == form.kind
        && read.effects.iter().eq(form.effects.iter().copied())
        && (read.read_only, read.any_flags) == (form.read_only, form.any_flags)
        && read.grammar == form.grammar
        && same_flags(read.flags, &form.flags)
        && read
            .operands
            .kinds
            .iter()
            .map(kind)
            .eq(form.operands.kinds.iter().cloned())
        && (read.operands.repeat, read.operands.min) == (form.operands.repeat, form.operands.min)
        && read.operands.dropped_by == form.operands.dropped_by
        && read.operands.only_with == form.operands.only_with
        && read.info == form.info
        && read.wrapper == form.wrapper
        && read.check == form.check.as_deref()
}

fn find_documents(folder: &Path, files: &mut Vec<PathBuf>, errors: &mut Vec<String>) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            errors.push(format!("cannot list {}: {error}", folder.display()));
            return;
        }
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            find_documents(&path, files, errors);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            files.push(path);
        }
    }
}

fn read_document(file: &Path) -> Result<Spec, Vec<String>> {
    let text = fs::read_to_string(file).map_err(|error| vec![error.to_string()])?;
    let document: serde_json::Value =
        toml::from_str(&text).map_err(|error| vec![error.to_string()])?;
    specs::read::read(&document)
        .and_then(|raw| specs::compile::compile(&raw, None))
        .map_err(|faults| faults.iter().map(ToString::to_string).collect())
}
