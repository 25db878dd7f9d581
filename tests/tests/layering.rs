//! The import matrix: data flows one way, so an arrow that runs back fails here.
//!
//! One row a room: which rooms its files may name by `crate::`. Test modules may name anything.

use std::{fs, path::Path};

/// What every room may use.
const LEAVES: &[&str] = &[
    "span",
    "limits",
    "decision",
    "effect",
    "facts",
    "diagnostic",
];

/// Room, and the rooms it may use beside the leaves and itself. `command::model` means that part alone.
const CORE: &[(&str, &[&str])] = &[
    ("span", &[]),
    ("limits", &[]),
    ("decision", &[]),
    ("effect", &[]),
    ("facts", &[]),
    ("diagnostic", &[]),
    ("syntax", &["command::model"]),
    ("specs", &["command::model"]),
    ("command", &["syntax", "specs"]),
    ("classify", &["command", "specs", "syntax"]),
    ("rules", &["command::model", "specs"]),
    ("wire", &["specs::model", "rules::shape", "outcome::Tools"]),
    ("outcome", &["command", "syntax", "specs"]),
    (
        "suggest",
        &["command", "specs", "classify::model", "rules", "wire"],
    ),
    (
        "decide",
        &[
            "syntax", "command", "specs", "classify", "rules", "suggest", "wire",
        ],
    ),
    (
        "service",
        &[
            "syntax", "command", "specs", "classify", "rules", "suggest", "wire", "decide",
            "outcome",
        ],
    ),
    (
        "lib",
        &[
            "service", "syntax", "command", "specs", "classify", "rules", "suggest", "wire",
            "decide", "outcome",
        ],
    ),
];

/// Names outside the core that a room of the executor must not use: processes are made in one place, and adapters and
/// the command line stay above the engine.
const EXECUTOR: &[(&str, &[&str])] = &[
    (
        "engine",
        &["spawn", "lifecycle", "session", "cli", "adapters", "tasks"],
    ),
    (
        // Words alone: whoever speaks them depends on it, and it on nobody.
        "protocol",
        &[
            "spawn",
            "lifecycle",
            "session",
            "cli",
            "adapters",
            "engine",
            "tasks",
            "plan",
            "shell",
            "env",
            "output",
        ],
    ),
    (
        // A plan is written in the words of the protocol; it starts nothing.
        "plan",
        &["spawn", "lifecycle", "session", "cli", "adapters", "tasks"],
    ),
    // A permit is made of what the engine judged, and of nothing else.
    (
        "permit",
        &["spawn", "session", "cli", "adapters", "approve"],
    ),
    ("spawn", &["session", "cli", "adapters", "engine"]),
    ("lifecycle", &["session", "cli", "adapters", "engine"]),
    (
        "output",
        &["session", "cli", "adapters", "engine", "spawn", "lifecycle"],
    ),
    (
        "env",
        &["spawn", "session", "cli", "adapters", "engine", "lifecycle"],
    ),
    (
        "shell",
        &["session", "cli", "adapters", "engine", "lifecycle"],
    ),
    ("tasks", &["session", "cli", "adapters", "engine"]),
    (
        "config",
        &["session", "cli", "adapters", "spawn", "lifecycle", "tasks"],
    ),
    (
        "import",
        &[
            "session",
            "cli",
            "adapters",
            "spawn",
            "lifecycle",
            "tasks",
            "engine",
            "config",
        ],
    ),
    ("adapters", &["spawn", "lifecycle"]),
    ("session", &["cli", "adapters"]),
];

#[test]
fn the_core_flows_one_way() {
    let mut wrong = Vec::new();
    for (file, line, used) in uses("policy-core/src") {
        let room = room(&file);
        let Some((_, may)) = CORE.iter().find(|(name, _)| *name == room) else {
            wrong.push(format!(
                "{file}:{line}: no row of the matrix for the room `{room}`"
            ));
            continue;
        };
        let top = used.split("::").next().unwrap_or("");
        let known = CORE.iter().any(|(name, _)| *name == top);
        let fine = !known
            || top == room
            || LEAVES.contains(&top)
            || may
                .iter()
                .any(|allowed| used == *allowed || used.starts_with(&format!("{allowed}::")));
        if !fine {
            wrong.push(format!("{file}:{line}: `{room}` may not use `{used}`"));
        }
    }
    assert!(
        wrong.is_empty(),
        "arrows that run back:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn the_executor_flows_one_way() {
    let mut wrong = Vec::new();
    for (file, line, used) in uses("executor-native/src") {
        let top = used.split("::").next().unwrap_or("");
        if let Some((room, _)) = EXECUTOR
            .iter()
            .find(|(name, not)| *name == room(&file) && not.contains(&top))
        {
            wrong.push(format!("{file}:{line}: `{room}` may not use `{used}`"));
        }
    }
    assert!(
        wrong.is_empty(),
        "arrows that run back:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn only_the_binding_names_wasm_bindgen() {
    for folder in ["policy-core", "executor-native/src"] {
        for (file, text) in sources(folder) {
            assert!(!text.contains("wasm_bindgen"), "{file} names wasm_bindgen");
        }
    }
}

#[test]
fn the_core_is_pure() {
    let manifest =
        fs::read_to_string(root().join("policy-core/Cargo.toml")).expect("the core's manifest");
    let lib = fs::read_to_string(root().join("policy-core/src/lib.rs")).expect("the core's root");
    assert!(lib.contains("#![no_std]") && lib.contains("#![forbid(unsafe_code)]"));
    for crate_name in ["tokio", "rand", "libc", "rustix", "chrono", "time ="] {
        assert!(
            !manifest.contains(crate_name),
            "the core depends on `{crate_name}`"
        );
    }
    for (file, text) in sources("policy-core/src") {
        let code: String = text.split("#[cfg(test)]").next().unwrap_or("").to_owned();
        for name in [
            "std::fs",
            "std::env",
            "std::time",
            "std::process",
            "std::net",
            "std::thread",
            "static mut ",
        ] {
            assert!(!code.contains(name), "{file} names `{name}`");
        }
    }
}

#[test]
fn files_stay_short() {
    for folder in [
        "policy-core/src",
        "policy-wasm/src",
        "executor-native/src",
        "xtask/src",
    ] {
        for (file, text) in sources(folder) {
            let lines = text.lines().count();
            assert!(
                lines <= 500 || file.ends_with("tests.rs") || file.contains("/tests/"),
                "{file} has {lines} lines: move a part out"
            );
            assert!(
                text.starts_with("//!"),
                "{file} does not open with what it does"
            );
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace")
}

/// Every Rust file below a folder of the workspace, with its text.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut todo = vec![root().join(folder)];
    while let Some(dir) = todo.pop() {
        let Ok(entries) = fs::read_dir(&dir) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                if path.file_name().is_none_or(|name| name != "target") {
                    todo.push(path);
                }
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let name = path
                    .strip_prefix(root())
                    .unwrap_or(&path)
                    .to_string_lossy()
                    .into_owned();
                found.push((name, fs::read_to_string(&path).expect("a source file")));
            }
        }
    }
    found.sort();
    found
}

/// Every `crate::…` path outside test code: file, line, the path after `crate::`. Grouped imports are taken apart.
fn uses(folder: &str) -> Vec<(String, usize, String)> {
    let mut found = Vec::new();
    for (file, text) in sources(folder) {
        if file.ends_with("tests.rs") || file.contains("/tests/") {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        let mut at = 0;
        while let Some(position) = code[at..].find("crate::").map(|p| p + at) {
            at = position + "crate::".len();
            let line_start = code[..position].rfind('\n').map_or(0, |p| p + 1);
            if code[line_start..position].trim_start().starts_with("//") {
                continue;
            }
            let line = code[..position].lines().count().max(1);
            let rest = &code[at..];
            if let Some(group) = rest.strip_prefix('{') {
                found.extend(
                    members(group)
                        .into_iter()
                        .map(|path| (file.clone(), line, path)),
                );
            } else {
                let path: String = rest
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_' || *c == ':')
                    .collect();
                found.push((file.clone(), line, path.trim_end_matches(':').to_owned()));
            }
        }
    }
    found
}

/// The members of an import group, nested groups named by their prefix.
fn members(group: &str) -> Vec<String> {
    let (mut depth, mut member, mut found) = (0, String::new(), Vec::new());
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(std::mem::take(&mut member));
                continue;
            }
            _ => {}
        }
        if depth == 0 && c != '}' {
            member.push(c);
        }
    }
    found.push(member);
    found
        .into_iter()
        .map(|path| path.trim().trim_end_matches(':').to_owned())
        .filter(|path| !path.is_empty())
        .collect()
}

/// The room of a file: the folder or file name right below `src`.
fn room(file: &str) -> String {
    let below = file.split("/src/").nth(1).unwrap_or(file);
    below
        .split('/')
        .next()
        .unwrap_or("")
        .trim_end_matches(".rs")
        .to_owned()
}
