//! The precompiled module, as the build script found it, and the registry of commands.

include!(concat!(env!("OUT_DIR"), "/module.rs"));

/// SHA-256 of the module's WebAssembly bytes, in hexadecimal; `none` in a build without it.
pub const MODULE_SHA256: &str = env!("PORTCULLIS_MODULE");

/// The registry of commands, which makes suggestions finer and changes no decision.
pub(crate) const REGISTRY: &[u8] = include_bytes!("../../../policy-core/registry/registry.bin");
