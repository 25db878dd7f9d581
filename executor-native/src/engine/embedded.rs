//! The precompiled module, as the build script found it.

include!(concat!(env!("OUT_DIR"), "/module.rs"));

/// SHA-256 of the module's WebAssembly bytes, in hexadecimal; `none` in a build without it.
pub const MODULE_SHA256: &str = env!("PORTCULLIS_MODULE");
