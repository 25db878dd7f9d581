//! One line of a transcript or list to the commands in it.
//!
//! Known lines: Claude Code transcripts (`tool_use` of `Bash`), Codex rollouts (`function_call` of a shell tool,
//! `local_shell_call`), JSON lines with a `command`, shell history with time stamps, and plain commands, one a line.

use serde_json::Value;

/// A command found in a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Its text.
    pub command: String,
    /// The working directory, where the line says it.
    pub cwd: Option<String>,
}

/// The commands of a line; `None` when it is neither a transcript's nor a command. Lines of a transcript without a command
/// give an empty list.
#[must_use]
pub fn commands(line: &str) -> Option<Vec<Found>> {
    let line = line.trim_end_matches(['\r', '\n']);
    if line.trim().is_empty() {
        return Some(Vec::new());
    }
    if line.starts_with('{') {
        if let Ok(value) = serde_json::from_str::<Value>(line) {
            return Some(of_json(&value));
        }
        // A group command of a plain list begins so too; a damaged JSON line does not end in `}` of a shell group.
        if line.starts_with("{\"") {
            return None;
        }
    }
    if line.starts_with('#') {
        return Some(Vec::new());
    }
    // zsh history: `: 1700000000:0;command`.
    let command = match line
        .strip_prefix(": ")
        .and_then(|rest| rest.split_once(';'))
    {
        Some((stamp, command)) if stamp.chars().all(|c| c.is_ascii_digit() || c == ':') => command,
        _ => line,
    };
    Some(vec![Found {
        command: command.to_owned(),
        cwd: None,
    }])
}

fn of_json(value: &Value) -> Vec<Found> {
    let text = |value: &Value, key: &str| {
        value
            .get(key)
            .and_then(Value::as_str)
            .map(ToOwned::to_owned)
    };
    if let Some(command) = text(value, "command") {
        return vec![Found {
            command,
            cwd: text(value, "cwd"),
        }];
    }
    let cwd = text(value, "cwd");
    // Claude Code: {"type":"assistant","cwd":…,"message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":…}}]}}
    if let Some(content) = value.pointer("/message/content").and_then(Value::as_array) {
        return content
            .iter()
            .filter(|part| {
                part.get("type").and_then(Value::as_str) == Some("tool_use")
                    && part.get("name").and_then(Value::as_str) == Some("Bash")
            })
            .filter_map(|part| text(part.get("input")?, "command"))
            .map(|command| Found {
                command,
                cwd: cwd.clone(),
            })
            .collect();
    }
    // Codex: {"type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[…]}"}}
    let item = value.get("payload").unwrap_or(value);
    match item.get("type").and_then(Value::as_str) {
        Some("function_call") => {
            let shell = matches!(
                item.get("name").and_then(Value::as_str),
                Some("shell" | "shell_command" | "exec_command" | "local_shell" | "container.exec")
            );
            let arguments = item
                .get("arguments")
                .and_then(Value::as_str)
                .and_then(|text| serde_json::from_str::<Value>(text).ok());
            match arguments {
                Some(arguments) if shell => {
                    let cwd = text(&arguments, "workdir")
                        .or_else(|| text(&arguments, "cwd"))
                        .or(cwd);
                    arguments
                        .get("command")
                        .or_else(|| arguments.get("cmd"))
                        .and_then(of_argv)
                        .map(|command| Found { command, cwd })
                        .into_iter()
                        .collect()
                }
                _ => Vec::new(),
            }
        }
        Some("local_shell_call") => {
            let action = item.get("action");
            let cwd = action
                .and_then(|action| text(action, "working_directory"))
                .or(cwd);
            action
                .and_then(|action| action.get("command"))
                .and_then(of_argv)
                .map(|command| Found { command, cwd })
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// A command given as one text or as words; `bash -lc SCRIPT` is its script.
fn of_argv(value: &Value) -> Option<String> {
    if let Some(text) = value.as_str() {
        return Some(text.to_owned());
    }
    let words: Vec<&str> = value
        .as_array()?
        .iter()
        .map(Value::as_str)
        .collect::<Option<_>>()?;
    match words.as_slice() {
        [] => None,
        [shell, flag, script]
            if ["bash", "sh", "zsh"]
                .iter()
                .any(|name| shell.rsplit('/').next() == Some(name))
                && ["-c", "-lc"].contains(flag) =>
        {
            Some((*script).to_owned())
        }
        words => Some(
            words
                .iter()
                .map(|word| quote(word))
                .collect::<Vec<_>>()
                .join(" "),
        ),
    }
}

fn quote(word: &str) -> String {
    let plain = !word.is_empty()
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c));
    if plain {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<String> {
        commands(line)
            .expect("readable")
            .into_iter()
            .map(|found| found.command)
            .collect()
    }

    #[test]
    fn claude_code_transcripts() {
        let line = r#"{"type":"assistant","cwd":"/w","message":{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"1","name":"Bash","input":{"command":"npm test","description":"d"}},{"type":"tool_use","name":"Read","input":{"file_path":"f"}}]}}"#;
        assert_eq!(
            commands(line),
            Some(vec![Found {
                command: "npm test".into(),
                cwd: Some("/w".into())
            }])
        );
        assert_eq!(
            texts(r#"{"type":"user","message":{"role":"user","content":"hi"}}"#),
            [""; 0]
        );
    }

    #[test]
    fn codex_rollouts() {
        let line = r#"{"timestamp":"t","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"ls | head\"],\"workdir\":\"/w\"}"}}"#;
        assert_eq!(
            commands(line),
            Some(vec![Found {
                command: "ls | head".into(),
                cwd: Some("/w".into())
            }])
        );
        assert_eq!(
            texts(
                r#"{"type":"local_shell_call","action":{"type":"exec","command":["echo","a b"]}}"#
            ),
            ["echo 'a b'"]
        );
        assert_eq!(
            texts(
                r#"{"type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"git status\"}"}}"#
            ),
            ["git status"]
        );
    }

    #[test]
    fn lists_and_histories() {
        assert_eq!(texts("git status"), ["git status"]);
        assert_eq!(texts(r#"{"command":"ls","cwd":"/x"}"#), ["ls"]);
        assert_eq!(texts("{ ls; }"), ["{ ls; }"]);
        assert_eq!(texts(": 1700000000:0;make"), ["make"]);
        assert_eq!(texts("#1700000000"), [""; 0]);
        assert_eq!(texts(""), [""; 0]);
        assert_eq!(commands(r#"{"command": "ls"#), None);
    }
}
