//! The JSON door: any operation and any text gives a text or a fault.
#![no_main]

use libfuzzer_sys::fuzz_target;
use policy_core::service::{Offsets, Service};

fuzz_target!(|input: (u8, &str, &str)| {
    let (operation, config, json) = input;
    let operations = ["evaluate", "suggest", "parse", "explain", "update", "nothing"];
    let operation = operations[usize::from(operation) % operations.len()];
    if let Ok(mut service) = Service::new(if config.len() % 2 == 0 { "" } else { config }, Offsets::Utf16) {
        let _ = service.call(operation, json, Offsets::Utf16);
        let wrapped = serde_json::json!({ "command": json }).to_string();
        let _ = service.call(operation, &wrapped, Offsets::Utf8);
    }
});
