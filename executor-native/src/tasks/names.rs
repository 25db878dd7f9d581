//! The names and parameters under which agents know these tools, old ones included.

use std::time::Duration;

use serde_json::Value;

use super::OutputRequest;
use crate::input::{InputError, boolean, milliseconds};

/// The tools around tasks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    /// Read a task's output.
    Output,
    /// Stop a task.
    Stop,
}

/// The tool that a name stands for.
pub fn tool(name: &str) -> Option<Tool> {
    match name {
        "TaskOutput" | "AgentOutputTool" | "BashOutputTool" | "AgentOutput" | "BashOutput" => {
            Some(Tool::Output)
        }
        "TaskStop" | "KillShell" | "KillBash" => Some(Tool::Stop),
        _ => None,
    }
}

/// Parameters of [`Tool::Output`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputInput {
    /// Which task.
    pub id: String,
    /// Wait for its end.
    pub block: bool,
    /// How long.
    pub timeout: Duration,
}

impl OutputInput {
    /// Reads an object.
    pub fn parse(value: &Value) -> Result<Self, InputError> {
        let default = OutputRequest::default();
        let mut input = Self {
            id: String::new(),
            block: default.block,
            timeout: default.timeout,
        };
        for (key, value) in value.as_object().ok_or(InputError::NotAnObject)? {
            match key.as_str() {
                "block" => input.block = boolean(key, value)?,
                "timeout" => {
                    input.timeout = Duration::from_millis(milliseconds(key, value)?.min(600_000))
                }
                key => input.id = id(key, value)?,
            }
        }
        named(input.id).map(|id| Self { id, ..input })
    }
}

/// Parameters of [`Tool::Stop`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StopInput {
    /// Which task.
    pub id: String,
}

impl StopInput {
    /// Reads an object.
    pub fn parse(value: &Value) -> Result<Self, InputError> {
        let mut found = String::new();
        for (key, value) in value.as_object().ok_or(InputError::NotAnObject)? {
            found = id(key, value)?;
        }
        named(found).map(|id| Self { id })
    }
}

fn id(key: &str, value: &Value) -> Result<String, InputError> {
    if !matches!(
        key,
        "taskId" | "task_id" | "shell_id" | "bash_id" | "agentId"
    ) {
        return Err(InputError::UnknownKey(key.to_owned()));
    }
    value
        .as_str()
        .map(str::to_owned)
        .ok_or_else(|| InputError::WrongType {
            key: key.to_owned(),
            expected: "a string",
        })
}

fn named(id: String) -> Result<String, InputError> {
    if id.is_empty() {
        return Err(InputError::WrongType {
            key: "taskId".into(),
            expected: "the id of a task",
        });
    }
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn old_names_are_understood() {
        for name in ["AgentOutput", "BashOutput", "TaskOutput"] {
            assert_eq!(tool(name), Some(Tool::Output));
        }
        for name in ["KillShell", "KillBash", "TaskStop"] {
            assert_eq!(tool(name), Some(Tool::Stop));
        }
        assert_eq!(
            StopInput::parse(&json!({"shell_id": "b1"})).unwrap().id,
            "b1"
        );
        let input = OutputInput::parse(&json!({"task_id": "b1", "block": "no", "timeout": "5000"}))
            .unwrap();
        assert_eq!(
            (input.block, input.timeout),
            (false, Duration::from_secs(5))
        );
        assert!(OutputInput::parse(&json!({"block": true})).is_err());
        assert_eq!(
            StopInput::parse(&json!({"pid": 1}))
                .unwrap_err()
                .to_string(),
            "unknown key `pid`"
        );
    }
}
