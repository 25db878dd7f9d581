//! `xtask registry`: `policy-core/registry/registry.bin` from the pinned completion specs.
//!
//! Installs the package (no scripts of it run) beside the generator, runs the generator under Node's permission model, and
//! writes the result, or with `--check` compares it byte for byte. A copy goes to `target/portcullis` for the npm package.

use std::{fs, path::Path, process::Command};

use anyhow::{Context as _, bail};

use crate::Mode;

/// Generates or compares.
pub(crate) fn run(root: &Path, mode: Mode, _words: &[String]) -> anyhow::Result<()> {
    let folder = root.join("xtask/registry");
    if !folder.join("node_modules/@withfig/autocomplete").exists() {
        let status = Command::new("npm")
            .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
            .current_dir(&folder)
            .status()
            .context("npm cannot be started")?;
        if !status.success() {
            bail!("npm ci failed in {}", folder.display());
        }
    }
    let out = root.join("target/portcullis");
    fs::create_dir_all(&out)?;
    let fresh = out.join("registry.bin");
    let counts = out.join("registry.json");
    // The specs are other people's code: it may read, and write the two files.
    let status = Command::new("node")
        .args([
            "--no-warnings",
            "--experimental-permission",
            "--allow-fs-read=*",
        ])
        .arg(format!("--allow-fs-write={}", fresh.display()))
        .arg(format!("--allow-fs-write={}", counts.display()))
        .arg("generate.mjs")
        .arg("node_modules/@withfig/autocomplete")
        .arg(&fresh)
        .current_dir(&folder)
        .status()
        .context("node cannot be started")?;
    if !status.success() {
        bail!("the registry could not be generated");
    }
    for (fresh, name) in [(fresh, "registry.bin"), (counts, "counts.json")] {
        let kept = root.join("policy-core/registry").join(name);
        let bytes = fs::read(&fresh)?;
        if mode == Mode::Write {
            fs::write(&kept, bytes).context("the registry cannot be written")?;
        } else if fs::read(&kept).is_ok_and(|old| old == bytes) {
            continue;
        } else {
            bail!(
                "{} differs from what is generated: run `xtask registry`",
                kept.display()
            );
        }
    }
    Ok(())
}
