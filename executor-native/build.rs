//! Embeds the precompiled module that `./x build` made, never one older than its sources.
//!
//! Missing or stale: a release build fails and says what to do. A debug build goes on without the
//! module, so that the rest can be worked on; its wasm engine then answers every question with `engine.fault`.

#[path = "build/sources.rs"]
mod sources;

use std::{env, fs, path::PathBuf, process::ExitCode};

fn main() -> ExitCode {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("..");
    let module = root.join("target/portcullis");
    println!("cargo::rerun-if-changed=build");
    println!(
        "cargo::rerun-if-changed={}",
        module.join("sources").display()
    );
    for source in sources::SOURCES {
        if root.join(source).exists() {
            println!("cargo::rerun-if-changed={}", root.join(source).display());
        }
    }
    let state = match sources::fingerprint(&root) {
        Err(error) => Err(format!("cannot read the sources of the module: {error}")),
        Ok(now) => match fs::read_to_string(module.join("sources")) {
            Err(_) => Err("the WebAssembly module is not built yet; run `./x build`".to_owned()),
            Ok(made) if made != now => {
                Err("the WebAssembly module is older than its sources; run `./x build`".to_owned())
            }
            Ok(_) => Ok(()),
        },
    };
    let text = match state {
        Ok(()) => {
            let digest = fs::read_to_string(module.join("portcullis.sha256")).unwrap_or_default();
            println!("cargo::rustc-env=PORTCULLIS_MODULE={digest}");
            format!(
                "pub(crate) const MODULE: Result<&[u8], &str> = Ok(include_bytes!({:?}));\n",
                module.join("portcullis.cwasm"),
            )
        }
        Err(why) if env::var("PROFILE").is_ok_and(|profile| profile == "release") => {
            println!("cargo::error={why}");
            return ExitCode::FAILURE;
        }
        Err(why) => {
            println!("cargo::warning={why}");
            println!("cargo::rustc-env=PORTCULLIS_MODULE=none");
            format!("pub(crate) const MODULE: Result<&[u8], &str> = Err({why:?});\n")
        }
    };
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("module.rs");
    if let Err(error) = fs::write(&out, text) {
        println!("cargo::error=cannot write {}: {error}", out.display());
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
