//! Any text is read without a panic, by every shell, and spans lie on character boundaries.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| portcullis_tests::holds::reading(text));
