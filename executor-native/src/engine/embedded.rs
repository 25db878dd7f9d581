//! The precompiled module, as the build script found it.

include!(concat!(env!("OUT_DIR"), "/module.rs"));
