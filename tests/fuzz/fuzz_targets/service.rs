//! The JSON door: any operation and any text gives a text or a fault.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| portcullis_tests::holds::service(text));
