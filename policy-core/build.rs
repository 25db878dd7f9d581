//! Compiles `commands/**/*.toml` into static tables: one `Spec` a document, sorted by name, and a sorted index of
//! names and aliases.
//!
//! Uses the very same `raw` and `compile` modules as the run time. A mistake fails the build with one line for each:
//! file, field, what is wrong.
#![allow(dead_code, unreachable_pub, missing_docs)]

extern crate alloc;

#[path = "src/effect.rs"]
mod effect;
#[path = "src/specs"]
mod specs {
    pub mod compile;
    pub mod model;
    pub mod raw;
}

use std::{
    collections::{BTreeMap, HashMap},
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use specs::model::{Flag, Form, Operand, Spec, Text};

fn main() -> ExitCode {
    let folder =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("commands");
    for watched in [
        "commands",
        "src/specs/raw.rs",
        "src/specs/compile.rs",
        "src/specs/model.rs",
        "src/effect.rs",
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
        for name in std::iter::once(&spec.name).chain(spec.aliases.iter()) {
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
    let target = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("specs.rs");
    match fs::write(&target, Writer::default().tables(&specs)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error=cannot write {}: {error}", target.display());
            ExitCode::FAILURE
        }
    }
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
    let raw = toml::from_str(&text).map_err(|error| vec![error.to_string()])?;
    specs::compile::compile(&raw, None)
        .map_err(|faults| faults.iter().map(ToString::to_string).collect())
}

/// Writes Rust source. Lists are statics of their own, shared where they are equal.
#[derive(Default)]
struct Writer {
    statics: String,
    known: HashMap<String, String>,
}

impl Writer {
    fn tables(mut self, specs: &[Spec]) -> String {
        let rows: Vec<String> = specs.iter().map(|spec| self.spec(spec)).collect();
        let mut names: Vec<(&str, usize)> = specs
            .iter()
            .enumerate()
            .flat_map(|(index, spec)| {
                std::iter::once(&spec.name)
                    .chain(spec.aliases.iter())
                    .map(move |name| (name.as_ref(), index))
            })
            .collect();
        names.sort_unstable();
        let mut out = String::from("// Made by build.rs from commands/**/*.toml.\n");
        out.push_str(&self.statics);
        let _ = writeln!(
            out,
            "/// The built-in specs, sorted by name.\npub(super) static SPECS: [Spec; {}] = [\n{}];",
            rows.len(),
            rows.join(",\n")
        );
        let _ = writeln!(
            out,
            "/// Names and aliases, sorted, with the index of their spec.\npub(super) static NAMES: [(&str, u16); {}] = {names:?};",
            names.len()
        );
        out
    }

    /// A list of `kind` as a `Cow`.
    fn list(&mut self, kind: &str, rows: &[String]) -> String {
        if rows.is_empty() {
            return "Cow::Borrowed(&[])".to_owned();
        }
        let body = format!("[{kind}; {}] = [{}]", rows.len(), rows.join(", "));
        let next = format!("LIST_{}", self.known.len());
        let name = self.known.entry(body.clone()).or_insert_with(|| {
            let _ = writeln!(self.statics, "static {next}: {body};");
            next
        });
        format!("Cow::Borrowed(&{name})")
    }

    fn texts(&mut self, texts: &[Text]) -> String {
        let rows: Vec<String> = texts.iter().map(text).collect();
        self.list("Text", &rows)
    }

    fn flags(&mut self, flags: &[Flag]) -> String {
        let rows: Vec<String> = flags
            .iter()
            .map(|flag| {
                let effect = flag.effect.map_or("None".to_owned(), |effect| {
                    format!("Some(Effect::{effect:?})")
                });
                format!(
                    "Flag {{ names: {}, value: FlagValue::{:?}, effect: {effect}, allowed: {} }}",
                    text(&flag.names),
                    flag.value,
                    text(&flag.allowed)
                )
            })
            .collect();
        self.list("Flag", &rows)
    }

    fn form(&mut self, form: &Form) -> String {
        let effects: Vec<String> = form
            .effects
            .iter()
            .map(|effect| format!("Effect::{effect:?}"))
            .collect();
        let effects = self.list("Effect", &effects);
        let flags = self.flags(&form.flags);
        let kinds: Vec<String> = form
            .operands
            .kinds
            .iter()
            .map(|kind| match kind {
                Operand::OneOf(words) => format!("Operand::OneOf({})", text(words)),
                other => format!("Operand::{other:?}"),
            })
            .collect();
        let kinds = self.list("Operand", &kinds);
        let wrapper = form.wrapper.map_or("None".to_owned(), |wrapper| {
            format!(
                "Some(Wrapper {{ skip: {}, assignments: {}, runs: Runs::{:?}, privileged: {} }})",
                wrapper.skip, wrapper.assignments, wrapper.runs, wrapper.privileged
            )
        });
        let check = form
            .check
            .as_ref()
            .map_or("None".to_owned(), |check| format!("Some({})", text(check)));
        format!(
            "Form {{ kind: Kind::{:?}, effects: {effects}, read_only: {}, grammar: Grammar::{:?}, any_flags: {}, \
             flags: {flags}, operands: Operands {{ kinds: {kinds}, repeat: {:?}, min: {}, dropped_by: {}, only_with: {} }}, \
             info: {}, wrapper: {wrapper}, check: {check} }}",
            form.kind,
            form.read_only,
            form.grammar,
            form.any_flags,
            form.operands.repeat,
            form.operands.min,
            text(&form.operands.dropped_by),
            text(&form.operands.only_with),
            text(&form.info)
        )
    }

    fn spec(&mut self, spec: &Spec) -> String {
        let subs: Vec<String> = spec
            .subs
            .iter()
            .map(|sub| {
                let form = self.form(&sub.form);
                format!("Sub {{ words: {}, form: {form} }}", text(&sub.words))
            })
            .collect();
        let subs = self.list("Sub", &subs);
        let root = self.form(&spec.root);
        let aliases = self.texts(&spec.aliases);
        let globals = self.flags(&spec.globals);
        let read_only = self.texts(&spec.examples_read_only);
        let not_read_only = self.texts(&spec.examples_not_read_only);
        format!(
            "Spec {{ name: {}, aliases: {aliases}, summary: {}, manual: {}, root: {root}, globals: {globals}, \
             globals_anywhere: {}, subs: {subs}, examples_read_only: {read_only}, examples_not_read_only: {not_read_only} }}",
            text(&spec.name),
            text(&spec.summary),
            text(&spec.manual),
            spec.globals_anywhere
        )
    }
}

fn text(text: &Text) -> String {
    format!("Cow::Borrowed({:?})", text.as_ref())
}
