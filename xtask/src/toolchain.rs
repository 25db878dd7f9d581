//! Finds the C compiler for wasm32 and gives the environment that `cargo build --target wasm32…` needs.
//!
//! tree-sitter brings its own small libc for wasm32; the bash scanner needs the include path of it (from the
//! package `tree-sitter-language`) and one function it lacks (`policy-wasm/shim`).

use std::{path::Path, process::Command};

use anyhow::{Context as _, bail};

use crate::sources;

/// Newest first; plain `clang` is Apple's own on macOS, which cannot do wasm32, so Homebrew's come before it.
const CLANGS: &[&str] = &[
    "clang-21",
    "clang-20",
    "clang-19",
    "clang-18",
    "/opt/homebrew/opt/llvm/bin/clang",
    "/usr/local/opt/llvm/bin/clang",
    "clang",
    "clang-14",
];

/// What rustc takes for granted of wasm32 too.
const FEATURES: &str = "-mbulk-memory -msign-ext -mnontrapping-fptoint";

/// The variables for the C compiler.
pub(crate) fn environment(root: &Path) -> anyhow::Result<Vec<(&'static str, String)>> {
    let shim = root.join("policy-wasm/shim/include");
    let language = package_dir(root, "tree-sitter-language")?;
    // The C is compiled anew when the flags change, and nothing else tells that a header of ours did. The small libc is not exported, as
    // scanners loaded at run time would need it: so what nobody calls is left out.
    let version = sources::fingerprint_of(root, &["policy-wasm/shim"])?;
    let mut environment = vec![(
        "CFLAGS_wasm32_unknown_unknown",
        format!(
            "-DPORTCULLIS_SHIM=0x{version} -DTS_WASM_EXPORT(name)= {FEATURES} -I{} -I{language}/wasm/include",
            shim.display()
        ),
    )];
    if std::env::var_os("CC_wasm32_unknown_unknown").is_none() {
        environment.push(("CC_wasm32_unknown_unknown", clang()?));
    }
    if std::env::var_os("AR_wasm32_unknown_unknown").is_none()
        && let Some(ar) = archiver()
    {
        environment.push(("AR_wasm32_unknown_unknown", ar));
    }
    Ok(environment)
}

fn clang() -> anyhow::Result<String> {
    for clang in CLANGS {
        let targets = Command::new(clang).arg("--print-targets").output();
        if targets.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("wasm32")) {
            return Ok((*clang).to_owned());
        }
    }
    bail!("no clang that compiles for wasm32; run `./x build`, which installs one or says how")
}

fn archiver() -> Option<String> {
    [
        "llvm-ar-21",
        "llvm-ar-20",
        "llvm-ar-19",
        "llvm-ar-18",
        "/opt/homebrew/opt/llvm/bin/llvm-ar",
        "/usr/local/opt/llvm/bin/llvm-ar",
        "llvm-ar",
        "llvm-ar-14",
    ]
    .into_iter()
    .find(|ar| {
        Command::new(ar)
            .arg("--version")
            .output()
            .is_ok_and(|output| output.status.success())
    })
    .map(str::to_owned)
}

/// The folder of a dependency's sources, from `cargo metadata`.
fn package_dir(root: &Path, name: &str) -> anyhow::Result<String> {
    let output = Command::new(cargo())
        .args(["metadata", "--format-version=1", "--locked"])
        .current_dir(root)
        .output()
        .context("run `cargo metadata`")?;
    if !output.status.success() {
        bail!(
            "cargo metadata failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let manifest = metadata["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|package| package["name"] == name)
        .and_then(|package| package["manifest_path"].as_str())
        .with_context(|| format!("package `{name}` is not in the lock file"))?;
    Ok(manifest.trim_end_matches("/Cargo.toml").to_owned())
}

/// The cargo that runs us.
pub(crate) fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}
