//! What a caller may say about a command: a strict object that is lenient about spelling.
//!
//! An unknown key is an error that names it; "yes" is a boolean and "5000" a number, because models write them.
//! The schema shown to models lacks the one internal key.

use serde_json::{Map, Value, json};

/// Default time limit, in milliseconds.
pub const TIMEOUT_DEFAULT: u64 = 120_000;
/// Largest time limit a caller may ask for, unless configured otherwise.
pub const TIMEOUT_MOST: u64 = 600_000;
/// What a time limit must be.
const MILLISECONDS: &str = "a whole number of milliseconds, at least 1";
/// No configuration makes it larger.
pub const TIMEOUT_CEILING: u64 = 1_800_000;

/// One command, with what the caller said about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Input {
    /// The command text.
    pub command: String,
    /// Time limit in milliseconds.
    pub timeout: Option<u64>,
    /// What it is for.
    pub description: Option<String>,
    /// Start it as a background task.
    pub run_in_background: bool,
    /// Leave the sandbox.
    pub dangerously_disable_sandbox: bool,
    /// An edit that stands for the command; only from the host itself.
    pub simulated_sed_edit: Option<SimulatedEdit>,
    /// Input for the command; only from the host itself. Without it standard input is closed.
    pub stdin: Option<Vec<u8>>,
}

/// The outcome of a `sed -i` that a person has seen and accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimulatedEdit {
    /// Which file.
    pub file_path: String,
    /// What it holds afterwards.
    pub new_content: String,
}

/// An input that is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InputError {
    /// Not an object.
    #[error("the input must be an object")]
    NotAnObject,
    /// A key that does not exist.
    #[error("unknown key `{0}`")]
    UnknownKey(String),
    /// The command is missing.
    #[error("`command` is missing")]
    NoCommand,
    /// A value of the wrong type.
    #[error("`{key}` must be {expected}")]
    WrongType {
        /// Which key.
        key: String,
        /// What it must be.
        expected: &'static str,
    },
    /// Text that no shell can be given.
    #[error("`command` contains a NUL character")]
    Nul,
}

/// Who may say what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A model: the public schema.
    Model,
    /// The host: also `simulatedSedEdit`.
    Host,
}

impl Input {
    /// A command and nothing else.
    pub fn new(command: impl Into<String>) -> Self {
        Self {
            command: command.into(),
            ..Self::default()
        }
    }

    /// Reads an object.
    pub fn parse(value: &Value, origin: Origin) -> Result<Self, InputError> {
        let object = value.as_object().ok_or(InputError::NotAnObject)?;
        let mut input = Self::default();
        let mut command = None;
        for (key, value) in object {
            match key.as_str() {
                "command" => command = Some(text(key, value)?),
                "description" => input.description = optional(value, |value| text(key, value))?,
                "timeout" => input.timeout = optional(value, |value| milliseconds(key, value))?,
                "runInBackground" | "run_in_background" => {
                    input.run_in_background =
                        optional(value, |value| boolean(key, value))?.unwrap_or(false);
                }
                "dangerouslyDisableSandbox" => {
                    input.dangerously_disable_sandbox =
                        optional(value, |value| boolean(key, value))?.unwrap_or(false);
                }
                "simulatedSedEdit" if origin == Origin::Host => {
                    input.simulated_sed_edit = optional(value, edit)?;
                }
                other => return Err(InputError::UnknownKey(other.to_owned())),
            }
        }
        input.command = command.ok_or(InputError::NoCommand)?;
        input.check()?;
        Ok(input)
    }

    /// What the types leave open: called for every command, however its input was made.
    pub fn check(&self) -> Result<(), InputError> {
        if self.command.contains('\0') {
            return Err(InputError::Nul);
        }
        if self.timeout == Some(0) {
            return Err(wrong("timeout", MILLISECONDS));
        }
        Ok(())
    }
}

fn optional<T>(
    value: &Value,
    read: impl FnOnce(&Value) -> Result<T, InputError>,
) -> Result<Option<T>, InputError> {
    match value {
        Value::Null => Ok(None),
        value => read(value).map(Some),
    }
}

fn wrong(key: &str, expected: &'static str) -> InputError {
    InputError::WrongType {
        key: key.to_owned(),
        expected,
    }
}

fn text(key: &str, value: &Value) -> Result<String, InputError> {
    value
        .as_str()
        .map(str::to_owned)
        .ok_or_else(|| wrong(key, "a string"))
}

/// Lenient about the way a boolean is written.
pub(crate) fn boolean(key: &str, value: &Value) -> Result<bool, InputError> {
    match value {
        Value::Bool(value) => Ok(*value),
        Value::String(word) => match word.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "1" | "on" => Ok(true),
            "false" | "no" | "0" | "off" | "" => Ok(false),
            _ => Err(wrong(key, "true or false")),
        },
        Value::Number(number) if number.as_u64() == Some(1) => Ok(true),
        Value::Number(number) if number.as_u64() == Some(0) => Ok(false),
        _ => Err(wrong(key, "true or false")),
    }
}

/// Lenient about the way a number is written.
pub(crate) fn milliseconds(key: &str, value: &Value) -> Result<u64, InputError> {
    let number = match value {
        // A fraction of a millisecond is not worth an error.
        Value::Number(number) => number.as_u64().or_else(|| {
            let float = number.as_f64()?;
            (1.0..1e15).contains(&float).then_some(float as u64)
        }),
        Value::String(digits) => digits.trim().parse().ok(),
        _ => None,
    };
    number
        .filter(|number| *number > 0)
        .ok_or_else(|| wrong(key, MILLISECONDS))
}

fn edit(value: &Value) -> Result<SimulatedEdit, InputError> {
    let object = value
        .as_object()
        .ok_or_else(|| wrong("simulatedSedEdit", "an object"))?;
    if let Some(key) = object
        .keys()
        .find(|key| !matches!(key.as_str(), "filePath" | "newContent"))
    {
        return Err(InputError::UnknownKey(format!("simulatedSedEdit.{key}")));
    }
    let field = |key: &str| match object.get(key) {
        Some(value) => text(&format!("simulatedSedEdit.{key}"), value),
        None => Err(wrong(&format!("simulatedSedEdit.{key}"), "a string")),
    };
    Ok(SimulatedEdit {
        file_path: field("filePath")?,
        new_content: field("newContent")?,
    })
}

/// Time limits, as configured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// Where the caller says nothing.
    pub default: u64,
    /// The most a caller gets.
    pub most: u64,
}

impl Timeouts {
    /// By the values of `BASH_DEFAULT_TIMEOUT_MS` and `BASH_MAX_TIMEOUT_MS`.
    pub fn configured(default: Option<&str>, most: Option<&str>) -> Self {
        let read = |text: Option<&str>| {
            text.and_then(|text| text.trim().parse::<u64>().ok())
                .filter(|n| *n > 0)
        };
        let default = read(default)
            .unwrap_or(TIMEOUT_DEFAULT)
            .min(TIMEOUT_CEILING);
        let most = read(most)
            .unwrap_or(TIMEOUT_MOST)
            .max(default)
            .min(TIMEOUT_CEILING);
        Self { default, most }
    }

    /// From the environment.
    pub fn from_env() -> Self {
        let read = |name| std::env::var(name).ok();
        Self::configured(
            read("BASH_DEFAULT_TIMEOUT_MS").as_deref(),
            read("BASH_MAX_TIMEOUT_MS").as_deref(),
        )
    }

    /// What a caller gets who asked for `wanted`.
    pub fn limit(&self, wanted: Option<u64>) -> u64 {
        wanted.map_or(self.default, |wanted| wanted.min(self.most))
    }
}

/// The JSON Schema (draft-07) of the input that a model may give.
pub fn schema(timeouts: &Timeouts) -> Value {
    let mut properties = Map::new();
    let mut add = |name: &str, value: Value| properties.insert(name.into(), value);
    add(
        "command",
        json!({"type": "string", "description": "The command to run."}),
    );
    add(
        "timeout",
        json!({
            "type": "integer",
            "minimum": 1,
            "maximum": timeouts.most,
            "description": format!("Time limit in milliseconds; {} if left out.", timeouts.default),
        }),
    );
    add(
        "description",
        json!({"type": "string", "description": "What the command is for, in five to ten words."}),
    );
    add(
        "runInBackground",
        json!({"type": "boolean", "description": "Start it as a background task and go on at once."}),
    );
    add(
        "dangerouslyDisableSandbox",
        json!({"type": "boolean", "description": "Run it outside the sandbox; somebody will be asked."}),
    );
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": properties,
        "required": ["command"],
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(value: Value) -> Result<Input, String> {
        Input::parse(&value, Origin::Model).map_err(|error| error.to_string())
    }

    #[test]
    fn lenient_about_spelling() {
        let input = parse(json!({
            "command": "ls", "timeout": "5000", "runInBackground": "Yes", "dangerouslyDisableSandbox": "off",
            "description": null,
        }))
        .unwrap();
        assert_eq!(input.timeout, Some(5000));
        assert!(input.run_in_background && !input.dangerously_disable_sandbox);
        assert!(
            parse(json!({"command": "ls", "run_in_background": 1}))
                .unwrap()
                .run_in_background
        );
    }

    #[test]
    fn strict_about_everything_else() {
        let error = |value| parse(value).unwrap_err();
        assert_eq!(
            error(json!({"command": "ls", "cwd": "/"})),
            "unknown key `cwd`"
        );
        assert_eq!(error(json!({"timeout": 5})), "`command` is missing");
        assert_eq!(error(json!([])), "the input must be an object");
        assert_eq!(error(json!({"command": 5})), "`command` must be a string");
        assert_eq!(
            error(json!({"command": "ls", "runInBackground": "maybe"})),
            "`runInBackground` must be true or false"
        );
        assert_eq!(
            error(json!({"command": "a\u{0}b"})),
            "`command` contains a NUL character"
        );
    }

    #[test]
    fn c11_odd_time_limits_are_refused_or_clamped() {
        for odd in [
            json!(0),
            json!(-5),
            json!("x"),
            json!("-1"),
            json!(1e30),
            json!(true),
        ] {
            assert!(
                parse(json!({"command": "ls", "timeout": odd})).is_err(),
                "{odd}"
            );
        }
        let huge = parse(json!({"command": "ls", "timeout": u64::MAX})).unwrap();
        assert_eq!(
            Timeouts::configured(None, None).limit(huge.timeout),
            600_000
        );
    }

    #[test]
    fn configured_limits_keep_their_order_and_ceiling() {
        assert_eq!(
            Timeouts::configured(None, None),
            Timeouts {
                default: 120_000,
                most: 600_000
            }
        );
        assert_eq!(
            Timeouts::configured(Some("900000"), Some("5")),
            Timeouts {
                default: 900_000,
                most: 900_000
            }
        );
        assert_eq!(
            Timeouts::configured(Some("x"), Some("99999999")),
            Timeouts {
                default: 120_000,
                most: 1_800_000
            }
        );
    }

    #[test]
    fn only_the_host_may_simulate() {
        let value = json!({"command": "sed -i s/a/b/ f", "simulatedSedEdit": {"filePath": "f", "newContent": "b"}});
        assert_eq!(
            parse(value.clone()).unwrap_err(),
            "unknown key `simulatedSedEdit`"
        );
        let input = Input::parse(&value, Origin::Host).unwrap();
        assert_eq!(input.simulated_sed_edit.unwrap().new_content, "b");
        assert!(
            !schema(&Timeouts::from_env())
                .to_string()
                .contains("simulated")
        );
    }
}
