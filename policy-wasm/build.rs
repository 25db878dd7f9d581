//! Bounds the module's memory: what a browser tab would give a runaway module is 4 GiB, and no policy needs that.

/// Most memory the module may have, in bytes; past it an allocation fails and the host makes a fresh instance.
const MAX_MEMORY: u32 = 256 << 20;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        println!("cargo::rustc-link-arg-cdylib=--max-memory={MAX_MEMORY}");
    }
}
