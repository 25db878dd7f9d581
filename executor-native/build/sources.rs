//! The fingerprint of everything the WebAssembly module is made from.
//!
//! Shared by `xtask`, which writes it beside the module, and the build script of `executor-native`, which compares:
//! a module older than its sources is never embedded. It guards against forgetting, not against malice, so 64 bits
//! of FNV-1a (which need no crate) are enough.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// What the module is made from, under the root of the workspace.
pub(crate) const SOURCES: &[&str] = &[
    "Cargo.lock",
    "Cargo.toml",
    "policy-core/Cargo.toml",
    "policy-core/build.rs",
    "policy-core/build",
    "policy-core/commands",
    "policy-core/src",
    "policy-grammar/Cargo.toml",
    "policy-grammar/build",
    "policy-grammar/src",
    "policy-wasm/Cargo.toml",
    "policy-wasm/build.rs",
    "policy-wasm/shim",
    "policy-wasm/src",
    "executor-native/src/engine/tuning.rs",
    "host-js/src/generated/wire.ts",
    "rust-toolchain.toml",
    "executor-native/build/sources.rs",
    "xtask/src/toolchain.rs",
    "xtask/src/wasm.rs",
];

/// The fingerprint, 16 hexadecimal digits. Paths that do not exist count as absent.
pub(crate) fn fingerprint(root: &Path) -> io::Result<String> {
    fingerprint_of(root, SOURCES)
}

/// As [`fingerprint`], of these files and folders.
pub(crate) fn fingerprint_of(root: &Path, sources: &[&str]) -> io::Result<String> {
    let mut files = Vec::new();
    for source in sources {
        collect(&root.join(source), &mut files)?;
    }
    files.sort();
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for file in files {
        let name = file.strip_prefix(root).unwrap_or(&file);
        hash.write(name.to_string_lossy().as_bytes());
        let bytes = fs::read(&file)?;
        hash.write(&(bytes.len() as u64).to_le_bytes());
        hash.write(&bytes);
    }
    Ok(format!("{:016x}", hash.0))
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    } else if path.is_file() {
        files.push(path.to_owned());
    }
    Ok(())
}

struct Fnv(u64);

impl Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
