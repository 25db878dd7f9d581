//! Any rule texts are compiled or refused with a reason; deny never loosens, allow never tightens.
#![no_main]

use std::cell::LazyCell;

use policy_core::Policy;
use portcullis_tests::holds;

thread_local! {
    static POLICY: LazyCell<Policy> = LazyCell::new(holds::bare_policy);
}

libfuzzer_sys::fuzz_target!(|text: &str| POLICY.with(|policy| holds::rules(policy, text)));
