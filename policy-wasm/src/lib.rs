//! policy-wasm
