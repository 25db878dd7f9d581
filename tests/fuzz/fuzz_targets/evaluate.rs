//! Any text gets a verdict, the same twice; strict allows no more than deep; what follows `; rm -rf x` is never allowed.
#![no_main]

use std::cell::LazyCell;

use policy_core::Policy;
use portcullis_tests::holds;

thread_local! {
    static POLICY: LazyCell<Policy> = LazyCell::new(holds::bare_policy);
}

libfuzzer_sys::fuzz_target!(|text: &str| POLICY.with(|policy| holds::verdict(policy, text)));
