//! The policy as one WebAssembly module: the same bytes for browsers, Node and wasmtime.
//!
//! Two doors lead to one room. [`js`] is for JavaScript (a class, values in and out, UTF-16 spans); [`raw`] is
//! for hosts without JavaScript (linear memory and JSON, UTF-8 spans). Both call
//! [`policy_core::service`], which speaks JSON, so they cannot answer differently. This is the only package that names `wasm_bindgen`.

#![no_std]

extern crate alloc;
// Where it is not a module it is built for tests and lints only.
#[cfg(not(target_arch = "wasm32"))]
extern crate std;

mod faults;
#[cfg(any(test, target_arch = "wasm32"))]
mod heap;
pub mod js;
pub mod raw;
#[cfg(target_arch = "wasm32")]
mod runtime;
