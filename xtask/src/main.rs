//! `cargo run -p xtask -- TASK [--check]`: builds the module and the files that are generated and kept in git.
//!
//! One row a task. A task that generates files writes them, or with `--check` compares and fails when they differ.
//! `./x` calls these; nobody has to call them by hand.

mod order;
mod reasons;
mod registry;
#[path = "../../executor-native/build/sources.rs"]
mod sources;
mod toolchain;
#[path = "../../executor-native/src/engine/tuning.rs"]
mod tuning;
mod types;
mod wasm;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

/// Whether a task writes what it generates, or compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Writes.
    Write,
    /// Compares, and fails when something differs.
    Check,
}

struct Task {
    name: &'static str,
    about: &'static str,
    /// Its result is kept in git: `generated` runs it, and with `--check` compares.
    kept: bool,
    run: fn(&Path, Mode, &[String]) -> anyhow::Result<()>,
}

const TASKS: &[Task] = &[
    Task {
        name: "wasm",
        about: "build target/portcullis: the module, its JavaScript, its precompiled form",
        kept: false,
        run: wasm::build,
    },
    Task {
        name: "reasons",
        about: "write docs/reason-codes.md from the table of reason codes",
        kept: true,
        run: reasons::run,
    },
    Task {
        name: "registry",
        about: "write the registry of commands from the pinned completion specs",
        kept: true,
        run: registry::run,
    },
    Task {
        name: "types",
        about: "write the TypeScript of the boundary from the Rust types",
        kept: true,
        run: types::run,
    },
];

fn main() -> anyhow::Result<()> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let mode = match words.iter().position(|word| word == "--check") {
        Some(at) => {
            words.remove(at);
            Mode::Check
        }
        None => Mode::Write,
    };
    let root = root()?;
    let Some(name) = words.first() else {
        for task in TASKS {
            println!("{:10} {}", task.name, task.about);
        }
        println!("{:10} every task whose result is kept in git", "generated");
        return Ok(());
    };
    if name == "generated" {
        return TASKS
            .iter()
            .filter(|task| task.kept)
            .try_for_each(|task| (task.run)(&root, mode, &[]).context(task.name));
    }
    match TASKS.iter().find(|task| task.name == name) {
        Some(task) => (task.run)(&root, mode, words.get(1..).unwrap_or_default()),
        None => bail!("no task `{name}`; without arguments the tasks are listed"),
    }
}

fn root() -> anyhow::Result<PathBuf> {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map(Path::to_owned)
        .context("xtask lies in the workspace")
}
