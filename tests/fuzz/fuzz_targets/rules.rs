//! Any rule texts are compiled or refused with a reason, and a policy of those that compile answers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use policy_core::{Policy, Request, RuleLists};

fuzz_target!(|input: (Vec<String>, String)| {
    let (rules, command) = input;
    let lists = RuleLists { allow: rules.clone(), ask: rules.iter().rev().take(3).cloned().collect(), deny: Vec::new() };
    let faults = Policy::check_rules(&lists);
    let policy = Policy::new(policy_core::PolicyConfig::default()).expect("no rules");
    if faults.is_empty() {
        let _ = policy.evaluate(&Request { command, rules: lists, ..Request::default() });
    }
});
