//! A broken engine never allows: modules that panic, loop and hoard memory on purpose, run by the real host.
//!
//! `cargo run -p xtask -- wasm --fault-injection` (part of `./x test`) builds the module.

use std::{fs, path::Path, time::Instant};

use executor_native::engine::{Engine as _, wasm::WasmEngine};
use policy_core::{Decision, Request, diagnostic::Code, facts::Facts};

#[path = "../build/sources.rs"]
mod sources;

fn engine() -> WasmEngine {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = root.join("target/portcullis-fault");
    let made = fs::read_to_string(folder.join("sources")).unwrap_or_default();
    assert_eq!(
        made,
        sources::fingerprint(&root).expect("readable sources"),
        "the module with faults is missing or old; run `./x test`, or `cargo run -p xtask -- wasm --fault-injection`"
    );
    let precompiled = fs::read(folder.join("portcullis.cwasm")).expect("the module");
    // SAFETY: made by wasmtime's compiler in our own build.
    unsafe { WasmEngine::from_precompiled(&precompiled, "") }.expect("it loads")
}

fn request(command: &str) -> Request {
    Request {
        command: command.to_owned(),
        ..Request::default()
    }
}

#[test]
fn every_fault_is_a_question_and_the_next_call_is_answered() {
    let mut engine = engine();
    let healthy = engine.evaluate(&request("echo hello"));
    assert_ne!(healthy.reason.code, Code::EngineFault);
    for (fault, why) in [
        ("panic", "stopped"),
        ("loop", "took too long"),
        ("memory", "stopped"),
    ] {
        let begun = Instant::now();
        let verdict = engine.evaluate(&request(&format!("portcullis-fault {fault}")));
        assert_eq!(verdict.decision, Decision::Ask, "{fault}");
        assert_eq!(verdict.reason.code, Code::EngineFault, "{fault}");
        assert!(
            verdict.reason.message.contains(why),
            "{fault}: {}",
            verdict.reason.message
        );
        assert!(begun.elapsed().as_secs() < 30, "{fault}: bounded");
        assert_eq!(
            engine.evaluate(&request("echo hello")),
            healthy,
            "after {fault}"
        );
    }
}

#[test]
fn where_nobody_can_be_asked_a_fault_is_a_denial() {
    let mut engine = engine();
    let verdict = engine.evaluate(&Request {
        facts: Facts {
            unattended: true,
            ..Facts::default()
        },
        ..request("portcullis-fault panic")
    });
    assert_eq!(verdict.decision, Decision::Deny);
    assert_eq!(verdict.reason.code, Code::EngineFault);
}
