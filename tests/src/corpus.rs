//! Reads `tests/corpora/*.txt`: plain text, one case a line, readable as a specification.
//!
//! ```text
//! # a comment
//! == a heading that names the cases below ==
//! @ allow = echo:* ;; git log:*      settings of the next case only
//! @@ shell = zsh                     settings of the rest of the file
//! ask   | echo ok && touch x
//! allow | ls ⏎ pwd
//! ```
//! A verdict is `allow`, `ask` (must not be allowed: `deny` is right too) or `deny`. Control characters stand as
//! their pictures, a newline as `⏎`. A case that is known to come out wrong carries `@ known = REASON` and
//! fails as soon as it comes out right.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::{Map, Value, json};

/// One case of a corpus.
#[derive(Clone, Debug)]
pub struct Case {
    /// `file.txt:12`.
    pub place: String,
    /// The heading above it.
    pub section: String,
    /// The right verdict.
    pub want: Want,
    /// The command text.
    pub command: String,
    /// The request as JSON, facts and rules included.
    pub request: Value,
    /// The rules that must be offered, in order, when given.
    pub suggest: Option<Vec<String>>,
    /// Why it is known to come out wrong.
    pub known: Option<String>,
}

/// The right verdict of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// It must be allowed.
    Allow,
    /// It must not be allowed.
    Ask,
    /// It must be denied.
    Deny,
}

/// Reads every `*.txt` below `dir`, in the order of their names.
///
/// # Panics
/// When a file cannot be read or a line has no verdict: a corpus that is not read whole is no corpus.
#[must_use]
pub fn load(dir: &Path) -> Vec<Case> {
    let mut files: Vec<_> = fs::read_dir(dir)
        .unwrap_or_else(|error| panic!("{}: {error}", dir.display()))
        .map(|entry| entry.expect("folder entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "txt"))
        .collect();
    files.sort();
    files.iter().flat_map(|path| read(path)).collect()
}

/// The folder of the corpora.
#[must_use]
pub fn dir() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora")
}

fn read(path: &Path) -> Vec<Case> {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut cases = Vec::new();
    let mut section = String::new();
    let mut file_wide: BTreeMap<String, String> = BTreeMap::new();
    let mut next: BTreeMap<String, String> = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let place = format!("{name}:{}", index + 1);
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(heading) = line.strip_prefix("== ") {
            heading
                .trim_end_matches('=')
                .trim()
                .clone_into(&mut section);
        } else if let Some(setting) = line.strip_prefix("@@ ") {
            let (key, value) = setting
                .split_once('=')
                .unwrap_or_else(|| panic!("{place}: a setting is `key = value`"));
            file_wide.insert(key.trim().into(), value.trim().into());
        } else if let Some(setting) = line.strip_prefix("@ ") {
            let (key, value) = setting
                .split_once('=')
                .unwrap_or_else(|| panic!("{place}: a setting is `key = value`"));
            next.insert(key.trim().into(), value.trim().into());
        } else {
            let (verdict, command) = line
                .split_once('|')
                .unwrap_or_else(|| panic!("{place}: a case is `verdict | command`"));
            let want = match verdict.trim() {
                "allow" => Want::Allow,
                "ask" => Want::Ask,
                "deny" => Want::Deny,
                other => panic!("{place}: no verdict `{other}`"),
            };
            let command = unpicture(command.strip_prefix(' ').unwrap_or(command));
            let mut settings = file_wide.clone();
            settings.append(&mut next);
            let suggest = settings.remove("suggest").map(|rules| split(&rules));
            let known = settings.remove("known");
            let request = request(&command, &settings, &place);
            cases.push(Case {
                place,
                section: section.clone(),
                want,
                command,
                request,
                suggest,
                known,
            });
        }
    }
    assert!(
        next.is_empty(),
        "{name}: settings without a case at the end"
    );
    cases
}

fn split(list: &str) -> Vec<String> {
    list.split(";;")
        .map(|rule| unpicture(rule.trim()))
        .filter(|rule| !rule.is_empty())
        .collect()
}

/// The request of a case: the usual workspace, then its settings.
fn request(command: &str, settings: &BTreeMap<String, String>, place: &str) -> Value {
    let mut request = Map::new();
    request.insert("command".into(), json!(command));
    for (key, value) in [
        ("cwd", json!("/w/app")),
        ("workspace", json!(["/w/app"])),
        ("home", json!("/home/u")),
        ("git", json!("trusted")),
    ] {
        request.insert(key.into(), value);
    }
    for (key, value) in settings {
        let value = match key.as_str() {
            "allow" | "ask" | "deny" => json!(split(value)),
            "unattended" | "canApplyConditions" | "askNetwork" => json!(value == "true"),
            "cwd" | "workspace" | "home" | "platform" | "shell" | "mode" | "session" | "git"
            | "analysis" | "hook" => {
                if value == "missing" {
                    request.remove(key);
                    continue;
                }
                json!(value)
            }
            "gitKeys" => {
                request.insert(
                    "git".into(),
                    json!({"state": "trusted", "executingKeys": split(value)}),
                );
                continue;
            }
            "sandbox" => serde_json::from_str(value)
                .unwrap_or_else(|error| panic!("{place}: sandbox: {error}")),
            other => panic!("{place}: no setting `{other}`"),
        };
        request.insert(key.clone(), value);
    }
    Value::Object(request)
}

/// Control pictures to the characters they stand for.
fn unpicture(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '⏎' => '\n',
            '␀'..='␟' => char::from_u32(c as u32 - '␀' as u32).unwrap_or(c),
            '␡' => '\u{7f}',
            other => other,
        })
        .collect()
}
