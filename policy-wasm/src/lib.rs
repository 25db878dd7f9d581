//! The policy as one WebAssembly module: the same bytes for browsers, Node and wasmtime.
//!
//! Two doors lead to one room. [`js`] is for JavaScript (a class, values in and out, UTF-16 spans); [`raw`] is
//! for hosts without JavaScript (linear memory and JSON, UTF-8 spans). Both call
//! [`policy_core::service`], which speaks JSON, so they cannot answer differently. This is the only package that names `wasm_bindgen`.

mod faults;
pub mod js;
pub mod raw;
