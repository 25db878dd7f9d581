//! Operations by name, JSON in, JSON out: what every host calls, through the module or directly.
//!
//! Promises that every call returns a text or a [`Fault`] with a code. Serialization is done here, once, so that a browser,
//! Node, wasmtime and the native engine get the same bytes.

use alloc::string::{String, ToString};
use serde::Serialize;

use crate::{
    decide::Policy,
    wire::{Request, Verdict, config::PolicyConfig},
};

/// In which units spans are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offsets {
    /// Bytes of the UTF-8 text.
    Utf8,
    /// Code units of the UTF-16 text, as JavaScript counts.
    Utf16,
}

/// A call that gave no result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fault {
    /// `request.invalid`, `config.invalid` or `engine.fault`.
    pub code: &'static str,
    /// One line.
    pub message: String,
}

impl Fault {
    /// The engine cannot do that.
    #[must_use]
    pub fn engine(message: String) -> Self {
        Self {
            code: "engine.fault",
            message,
        }
    }

    /// The configuration is not valid.
    #[must_use]
    pub fn config(message: String) -> Self {
        Self {
            code: "config.invalid",
            message,
        }
    }

    /// The caller asked for something that is not a request.
    #[must_use]
    pub fn request(message: String) -> Self {
        Self {
            code: "request.invalid",
            message,
        }
    }
}

/// A policy, ready to answer.
#[derive(Debug)]
pub struct Service {
    policy: Policy,
}

impl Service {
    /// Reads the configuration: the JSON text of a [`PolicyConfig`]; empty for none.
    ///
    /// # Errors
    /// `config.invalid` when it is not a valid configuration, with every fault in the message, one a line.
    pub fn new(config: &str) -> Result<Self, Fault> {
        let config: PolicyConfig = if config.trim().is_empty() {
            PolicyConfig::default()
        } else {
            serde_json::from_str(config).map_err(|error| Fault::config(error.to_string()))?
        };
        match Policy::new(config) {
            Ok(policy) => Ok(Self { policy }),
            Err(faults) => {
                let lines: alloc::vec::Vec<String> =
                    faults.iter().map(ToString::to_string).collect();
                Err(Fault::config(lines.join("\n")))
            }
        }
    }

    /// The policy that answers.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Judges a request.
    #[must_use]
    pub fn evaluate(&self, request: &Request) -> Verdict {
        self.policy.evaluate(request)
    }

    /// Runs one operation on one JSON text: `evaluate`, `suggest`, `parse` and `explain` take a request, `update` a
    /// configuration that takes the place of the present one (which stays when the new one is faulty).
    ///
    /// # Errors
    /// `request.invalid` when the text cannot be read, `config.invalid` when a new configuration is not valid,
    /// `engine.fault` when there is no such operation.
    pub fn call(&mut self, operation: &str, json: &str, offsets: Offsets) -> Result<String, Fault> {
        let utf16 = offsets == Offsets::Utf16;
        match operation {
            "evaluate" => {
                let request: Request = read(json)?;
                let mut verdict = self.policy.evaluate(&request);
                if utf16 {
                    verdict.spans_to_utf16(&request.command);
                }
                write(&verdict)
            }
            "suggest" => write(&self.policy.suggest(&read(json)?)),
            "parse" => {
                let request: Request = read(json)?;
                let mut report = self.policy.parse(&request);
                if utf16 {
                    report.spans_to_utf16(&request.command);
                }
                write(&report)
            }
            "explain" => {
                let mut explanation = self.policy.explain(&read(json)?);
                if utf16 {
                    explanation.spans_to_utf16();
                }
                write(&explanation)
            }
            "update" => {
                *self = Self::new(json)?;
                Ok("null".into())
            }
            _ => Err(Fault::engine(alloc::format!("no operation `{operation}`"))),
        }
    }
}

fn read<'a, T: serde::Deserialize<'a>>(json: &'a str) -> Result<T, Fault> {
    serde_json::from_str(json).map_err(|error| Fault::request(error.to_string()))
}

fn write<T: Serialize>(value: &T) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| Fault::engine(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(service: &mut Service, operation: &str, json: &str) -> String {
        match service.call(operation, json, Offsets::Utf16) {
            Ok(text) => text,
            Err(fault) => alloc::format!("{}: {}", fault.code, fault.message),
        }
    }

    #[test]
    fn faults_have_codes_and_the_old_policy_stays() {
        let fault = Service::new(r#"{"user":{"deny":["Bash(","ok",":*"]}}"#).err();
        let fault = fault.expect("two rules cannot be read");
        assert_eq!(fault.code, "config.invalid");
        assert_eq!(
            fault.message,
            "deny[0] of the user's rules, `Bash(`: `Bash(` is not closed (end the rule with `)`)\n\
             deny[2] of the user's rules, `:*`: the prefix before `:*` is empty (write `*` to match every command)"
        );
        let mut service = Service::new(r#"{"user":{"deny":["ls"]}}"#).expect("readable");
        assert!(
            call(&mut service, "update", r#"{"uzer":{}}"#)
                .starts_with("config.invalid: unknown field `uzer`")
        );
        assert!(
            call(&mut service, "evaluate", r#"{"command":"ls"}"#)
                .starts_with(r#"{"decision":"deny","reason":{"code":"rule.deny""#)
        );
        assert_eq!(call(&mut service, "update", "{}"), "null");
        assert!(
            call(&mut service, "evaluate", r#"{"cmd":"ls"}"#)
                .starts_with("request.invalid: unknown field `cmd`")
        );
        assert!(call(&mut service, "dance", "{}").starts_with("engine.fault"));
    }

    #[test]
    fn a_service_crosses_threads() {
        fn crosses<T: Send + Sync>() {}
        crosses::<Service>();
    }
}
