//! Any text is read without a panic, by every shell, and spans lie on character boundaries.
#![no_main]

use libfuzzer_sys::fuzz_target;
use policy_core::{facts::Shell, syntax::read};

fuzz_target!(|text: &str| {
    for shell in [Shell::Bash, Shell::Zsh, Shell::Sh] {
        let reading = read(text, shell);
        if let Some(fault) = &reading.fault {
            assert!(text.get(fault.span.start as usize..fault.span.end as usize).is_some(), "a fault's span cuts a character");
        }
        for item in &reading.script.items {
            assert!(text.get(item.span.start as usize..item.span.end as usize).is_some(), "an item's span cuts a character");
        }
    }
});
