//! The module: built once, the same bytes for the browser, Node and wasmtime.
//!
//! cargo (profile `wasm`) → wasm-bindgen → an order that compresses well → wasmtime's compiler, into
//! ```text
//! target/portcullis/portcullis.wasm      the module
//! target/portcullis/portcullis.sha256    of those bytes
//! target/portcullis/portcullis.cwasm     compiled for this machine's target, embedded by executor-native
//! target/portcullis/sources              fingerprint of what it was made from
//! target/portcullis/web/portcullis.js    glue of wasm-bindgen (target `web`) and its .d.ts
//! ```
//! No wasm-opt: what it saves in the file (4 %) it costs in the download (3 % more after brotli, measured with
//! binaryen 132), and every machine makes the same bytes without it.
//! `--fault-injection` builds the suites' broken module into `target/portcullis-fault` instead.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, bail};
use sha2::{Digest as _, Sha256};
use wasm_bindgen_cli_support::Bindgen;

use crate::{Mode, order, sources, toolchain, tuning};

/// Builds it, unless what is there was made from the same sources.
pub(crate) fn build(root: &Path, _mode: Mode, words: &[String]) -> anyhow::Result<()> {
    let faulty = words.iter().any(|word| word == "--fault-injection");
    let out = root.join(if faulty {
        "target/portcullis-fault"
    } else {
        "target/portcullis"
    });
    let fingerprint = sources::fingerprint(root).context("read the sources")?;
    if fs::read_to_string(out.join("sources")).is_ok_and(|made| made == fingerprint) {
        return Ok(());
    }
    let compiled = compile(root, faulty)?;
    let fresh = root.join(if faulty {
        "target/portcullis-fault.new"
    } else {
        "target/portcullis.new"
    });
    if fresh.exists() {
        fs::remove_dir_all(&fresh)?;
    }
    fs::create_dir_all(&fresh)?;
    let module = bind(&compiled, &fresh.join("web"))?;
    let bytes = order::reorder(&fs::read(&module)?)?;
    fs::remove_file(&module)?;
    fs::write(fresh.join("portcullis.wasm"), &bytes)?;
    let digest = Sha256::digest(&bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect::<String>();
    fs::write(fresh.join("portcullis.sha256"), &digest)?;
    fs::write(fresh.join("portcullis.cwasm"), precompile(&bytes)?)?;
    fs::write(fresh.join("sources"), &fingerprint)?;
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    fs::rename(&fresh, &out)?;
    println!(
        "{}: {} bytes, sha256 {digest}",
        out.join("portcullis.wasm").display(),
        bytes.len()
    );
    Ok(())
}

fn compile(root: &Path, faulty: bool) -> anyhow::Result<PathBuf> {
    // A target folder of its own: a wasm build with other features must not evict the real one.
    let target = root.join("target/wasm");
    let mut cargo = Command::new(toolchain::cargo());
    cargo
        .args([
            "build",
            "--locked",
            "--package",
            "policy-wasm",
            "--profile",
            "wasm",
        ])
        .args(["--target", "wasm32-unknown-unknown", "--target-dir"])
        .arg(&target)
        .envs(toolchain::environment(root)?)
        .current_dir(root);
    if faulty {
        cargo.args(["--features", "fault-injection"]);
    }
    run(&mut cargo)?;
    Ok(target.join("wasm32-unknown-unknown/wasm/policy_wasm.wasm"))
}

fn bind(compiled: &Path, web: &Path) -> anyhow::Result<PathBuf> {
    Bindgen::new()
        .input_path(compiled)
        .out_name("portcullis")
        .web(true)?
        .typescript(true)
        .omit_default_module_path(true)
        // A trap leaves an instance in an unknown state; the host throws it away and makes another.
        .reset_state_function(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(web)
        .context("wasm-bindgen")?;
    Ok(web.join("portcullis_bg.wasm"))
}

/// Machine code for the target of this machine, without the special features of this very CPU.
fn precompile(module: &[u8]) -> anyhow::Result<Vec<u8>> {
    let config = tuning::config(Some(&host_target()?))?;
    let engine = wasmtime::Engine::new(&config)?;
    Ok(engine.precompile_module(module)?)
}

fn host_target() -> anyhow::Result<String> {
    let output = Command::new("rustc")
        .arg("-vV")
        .output()
        .context("run `rustc -vV`")?;
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .context("`rustc -vV` names no host")
}

fn run(command: &mut Command) -> anyhow::Result<()> {
    let status = command
        .status()
        .with_context(|| format!("start {:?}", command.get_program()))?;
    if !status.success() {
        bail!("{:?} failed: {status}", command.get_program());
    }
    Ok(())
}
