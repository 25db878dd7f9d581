//! The hosts that the differential suite compares: the built program, Node, the code compiled in.
//!
//! Everything built is taken from where `./x build` puts it, and only when it was made from the sources as they are: a
//! suite that compares yesterday's module proves nothing.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use policy_core::{
    Registry,
    service::{Offsets, Service},
};
use serde_json::Value;

#[path = "../../executor-native/build/sources.rs"]
mod sources;

/// The root of the workspace.
///
/// # Panics
/// Never: this package lies in the workspace.
#[must_use]
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("a workspace")
}

/// The folder of the module.
///
/// # Panics
/// When it is missing or older than its sources.
#[must_use]
pub fn module() -> PathBuf {
    let folder = root().join("target/portcullis");
    let made = std::fs::read_to_string(folder.join("sources")).unwrap_or_default();
    let now = sources::fingerprint(root()).expect("readable sources");
    assert_eq!(
        made, now,
        "the module is missing or older than its sources; run `./x build`"
    );
    folder
}

/// The SHA-256 that was written beside the module.
///
/// # Panics
/// As [`module`].
#[must_use]
pub fn digest() -> String {
    std::fs::read_to_string(module().join("portcullis.sha256")).expect("a digest")
}

/// The program as built by `./x build`.
///
/// # Panics
/// When it is missing, or embeds another module than the present one.
#[must_use]
pub fn program() -> PathBuf {
    let program = root().join("target/release/portcullis");
    let version = Command::new(&program)
        .arg("--version")
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}; run `./x build`", program.display()));
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    assert!(
        version.contains(&digest()),
        "target/release/portcullis embeds another module ({version}); run `./x build`"
    );
    program
}

/// Verdicts of the program's engine, one for each request.
///
/// # Panics
/// When the program fails or gives another number of lines.
#[must_use]
pub fn program_verdicts(engine: &str, requests: &[Value]) -> Vec<String> {
    program_batch(&["--no-config", "--engine", engine], requests)
}

/// As [`program_verdicts`], with these arguments.
///
/// # Panics
/// As [`program_verdicts`].
#[must_use]
pub fn program_batch(arguments: &[&str], requests: &[Value]) -> Vec<String> {
    let mut command = Command::new(program());
    command
        .args(["check", "--batch"])
        .args(arguments)
        .env("SHELL", "/bin/bash")
        .env_remove("PORTCULLIS_SHELL");
    lines(&mut command, requests, requests.len())
}

/// Answers of the module in Node to `(operation, request)`; the first line is the digest of what Node loaded.
///
/// # Panics
/// When Node is missing or fails.
#[must_use]
pub fn node_answers(questions: &[Value]) -> Vec<String> {
    let mut command = Command::new("node");
    command
        .arg(root().join("tests/node/answers.mjs"))
        .arg(module());
    lines(&mut command, questions, questions.len() + 1)
}

/// The code compiled in, with the registry as every host has it.
///
/// # Panics
/// When the registry kept in git is none.
#[must_use]
pub fn native_service(offsets: Offsets) -> Service {
    let mut service = Service::new("", offsets).expect("no configuration is one");
    let bytes = include_bytes!("../../policy-core/registry/registry.bin");
    service.use_registry(Registry::borrowed(bytes).expect("a registry"));
    service
}

/// The answer of the code compiled in.
#[must_use]
pub fn native_answer(
    service: &mut Service,
    operation: &str,
    request: &Value,
    offsets: Offsets,
) -> String {
    match service.call(operation, &request.to_string(), offsets) {
        Ok(answer) => answer,
        Err(error) => serde_json::json!({ "error": error }).to_string(),
    }
}

/// Feeds JSON lines from a thread of its own, so that neither side waits for the other.
fn lines(command: &mut Command, input: &[Value], expected: usize) -> Vec<String> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let mut text = String::new();
    for line in input {
        text.push_str(&line.to_string());
        text.push('\n');
    }
    let mut stdin = child.stdin.take().expect("piped");
    let feeder = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("waited for");
    let _ = feeder.join();
    assert!(output.status.success(), "{command:?}: {}", output.status);
    let lines: Vec<String> = String::from_utf8(output.stdout)
        .expect("UTF-8")
        .lines()
        .map(str::to_owned)
        .collect();
    assert_eq!(lines.len(), expected, "{command:?}: lines in and out");
    lines
}
