//! The settings of wasmtime: the same where the module is compiled (`xtask`) and where it runs.
//!
//! A precompiled module loads only under the settings it was made with, so there is one function, included by
//! both. It names no CPU feature of the machine at hand: the result runs on any machine of the target.

use wasmtime::Config;

/// The settings; `target` only where code is compiled.
///
/// # Errors
/// When the target is not one wasmtime compiles for.
pub(crate) fn config(target: Option<&str>) -> Result<Config, wasmtime::Error> {
    let mut config = Config::new();
    if let Some(target) = target {
        config.target(target)?;
    }
    config
        .consume_fuel(true)
        // Nobody reads a backtrace of the module, and what it needs is a third of the precompiled file.
        .wasm_backtrace_max_frames(None)
        .generate_address_map(false)
        .native_unwind_info(false)
        .wasm_bulk_memory(true)
        .wasm_multi_value(true)
        .wasm_reference_types(true)
        .wasm_simd(false)
        .wasm_relaxed_simd(false);
    Ok(config)
}
