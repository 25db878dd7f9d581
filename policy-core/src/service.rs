//! Operations by name, JSON in, JSON out: what every host calls, through the module or directly.
//!
//! Promises that every call returns a text or a [`Fault`] with a code. Serialization is done here, once, so that a browser,
//! Node, wasmtime and the native engine get the same bytes.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use serde::Serialize;

use crate::{
    decide::Policy,
    decision::{Decision, Layer},
    outcome::{Tools, description},
    suggest::Registry,
    wire::{
        Request, Verdict,
        config::{ConfigFault, PolicyConfig},
        json,
        utf16::Utf16,
    },
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
    /// `request.invalid`, `config.invalid`, `rule.invalid` or `engine.fault`.
    pub code: &'static str,
    /// One line.
    pub message: String,
    /// Which key of the configuration (`user.allow[3]`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Where in the text of that key, or in the JSON text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// Every fault of the configuration, the first one included.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<ConfigFault>,
}

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Position {
    /// In the units asked for.
    pub offset: u32,
}

impl Fault {
    /// The engine cannot do that.
    #[must_use]
    pub fn engine(message: String) -> Self {
        Self::plain("engine.fault", message)
    }

    /// The caller asked for something that is not a request.
    #[must_use]
    pub fn request(message: String) -> Self {
        Self::plain("request.invalid", message)
    }

    fn plain(code: &'static str, message: String) -> Self {
        Self {
            code,
            message,
            path: None,
            position: None,
            faults: Vec::new(),
        }
    }

    fn rules(mut faults: Vec<ConfigFault>, offsets: Offsets) -> Self {
        if offsets == Offsets::Utf16 {
            for fault in &mut faults {
                fault.span = Utf16::new(&fault.rule).span(fault.span);
            }
        }
        let mut fault = Self::plain("rule.invalid", String::new());
        if let Some(first) = faults.first() {
            let list = match first.list {
                Some(Decision::Allow) => "allow",
                Some(Decision::Ask) => "ask",
                Some(Decision::Deny) => "deny",
                None if first.set.is_some() => "ruleSets",
                None => "commands",
            };
            let layer = first.layer.map(Layer::key);
            let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
            fault.message = lines.join("\n");
            fault.path = Some(match layer.filter(|_| first.set.is_none()) {
                Some(layer) => format!("{layer}.{list}[{}]", first.index),
                None => format!("{list}[{}]", first.index),
            });
            fault.position = Some(Position {
                offset: first.span.start,
            });
        }
        fault.faults = faults;
        fault
    }
}

/// A policy, ready to answer.
#[derive(Debug)]
pub struct Service {
    policy: Policy,
    registry: Option<Registry>,
}

impl Service {
    /// Reads the configuration ([`PolicyConfig`] as a JSON text; empty for none).
    ///
    /// # Errors
    /// `config.invalid` when it is not of that shape, `rule.invalid` when a rule cannot be read.
    pub fn new(config: &str, offsets: Offsets) -> Result<Self, Fault> {
        let config = if config.is_empty() {
            PolicyConfig::default()
        } else {
            json::read(config).map_err(|error| Fault::plain("config.invalid", error))?
        };
        match Policy::new(config) {
            Ok(policy) => Ok(Self {
                policy,
                registry: None,
            }),
            Err(faults) => Err(Fault::rules(faults, offsets)),
        }
    }

    /// Gives the policy a registry of commands; it stays when the configuration is replaced.
    ///
    /// # Errors
    /// `config.invalid` when the bytes are not a registry.
    pub fn set_registry(&mut self, bytes: Vec<u8>) -> Result<(), Fault> {
        let registry = Registry::new(bytes).ok_or_else(|| {
            Fault::plain(
                "config.invalid",
                "the bytes are not a registry of commands".into(),
            )
        })?;
        self.use_registry(registry);
        Ok(())
    }

    /// As [`Service::set_registry`], for one that was made before.
    pub fn use_registry(&mut self, registry: Registry) {
        self.policy.set_registry(registry.clone());
        self.registry = Some(registry);
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

    /// Runs one operation on one JSON text: `evaluate`, `suggest`, `parse` and `explain` take a [`Request`], `update` takes a
    /// [`PolicyConfig`] that replaces the present one (on a fault the present one stays) and answers `null`, `describe` takes [`Tools`] and
    /// answers with the description of the shell tool.
    ///
    /// # Errors
    /// `request.invalid` when the request cannot be read, as [`Service::new`] for a configuration, `engine.fault` when
    /// there is no such operation.
    pub fn call(&mut self, operation: &str, json: &str, offsets: Offsets) -> Result<String, Fault> {
        let utf16 = offsets == Offsets::Utf16;
        match operation {
            "evaluate" => {
                let request: Request = read(json)?;
                let mut verdict = self.policy.evaluate(&request);
                if utf16 {
                    verdict.spans_to_utf16(&request.command);
                }
                Ok(json::write(&verdict))
            }
            "suggest" => Ok(json::write(&self.policy.suggest(&read(json)?))),
            "parse" => {
                let request: Request = read(json)?;
                let mut report = self.policy.parse(&request);
                if utf16 {
                    report.spans_to_utf16(&request.command);
                }
                Ok(json::write(&report))
            }
            "explain" => {
                let mut explanation = self.policy.explain(&read(json)?);
                if utf16 {
                    explanation.spans_to_utf16();
                }
                Ok(json::write(&explanation))
            }
            "describe" => Ok(json::write(&description(&read::<Tools>(json)?))),
            "lint" => Ok(json::write(&self.policy.lint())),
            "update" => {
                let fresh = Self::new(json, offsets)?.policy;
                self.policy = match &self.registry {
                    Some(registry) => fresh.with_registry(registry.clone()),
                    None => fresh,
                };
                Ok("null".into())
            }
            _ => Err(Fault::engine(format!("no operation `{operation}`"))),
        }
    }
}

fn read<T: json::Read>(json: &str) -> Result<T, Fault> {
    json::read(json).map_err(Fault::request)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn service(config: &str) -> Result<Service, Fault> {
        Service::new(config, Offsets::Utf8)
    }

    #[test]
    fn what_is_wrong_has_a_code() {
        let code = |config: &str| service(config).err().map(|fault| fault.code);
        assert_eq!(code("{\"user\": {\"alow\": []}}"), Some("config.invalid"));
        assert_eq!(
            code("{\"user\": {\"allow\": [\"\"]}}"),
            Some("rule.invalid")
        );
        assert_eq!(code(""), None);
    }

    #[test]
    fn a_wrong_rule_is_named_by_its_place() {
        let fault = service("{\"user\": {\"deny\": [\"git push:*\", \"\"]}}").err();
        assert_eq!(
            fault.and_then(|fault| fault.path).as_deref(),
            Some("user.deny[1]")
        );
    }

    #[test]
    fn a_request_that_cannot_be_read_and_an_unknown_operation_are_faults() {
        let Ok(mut service) = service("") else {
            unreachable!("an empty configuration is one");
        };
        let mut code = |operation: &str, json: &str| {
            service
                .call(operation, json, Offsets::Utf8)
                .err()
                .map(|fault| fault.code)
        };
        assert_eq!(code("evaluate", "{}"), Some("request.invalid"));
        assert_eq!(
            code("evaluate", "{\"command\": \"ls\", \"alow\": []}"),
            Some("request.invalid")
        );
        assert_eq!(code("frobnicate", "{}"), Some("engine.fault"));
        assert_eq!(code("update", "{\"user\": {\"allow\": [\"x\"]}}"), None);
    }

    fn call(service: &mut Service, operation: &str, json: &str) -> String {
        match service.call(operation, json, Offsets::Utf16) {
            Ok(text) => text,
            Err(fault) => alloc::format!("{}: {}", fault.code, fault.message),
        }
    }

    #[test]
    fn the_tool_is_described_for_the_host_that_asks() {
        let mut service = Service::new("", Offsets::Utf8).expect("no configuration is one");
        let text = call(
            &mut service,
            "describe",
            r#"{"shell":"zsh","grep":"Search"}"#,
        );
        assert!(text.starts_with('"') && text.contains("Use Search to search in files"));
        let fault = call(&mut service, "describe", r#"{"shel":"zsh"}"#);
        assert!(
            fault.starts_with("request.invalid: unknown field `shel`"),
            "{fault}"
        );
    }

    #[test]
    fn faults_have_codes_and_the_old_policy_stays() {
        let fault = Service::new(r#"{"user":{"deny":["Bash(","ok",":*"]}}"#, Offsets::Utf8).err();
        let fault = fault.expect("two rules cannot be read");
        assert_eq!(fault.code, "rule.invalid");
        assert_eq!(
            fault.message,
            "deny[0] of the user's rules, `Bash(`: `Bash(` is not closed (end the rule with `)`)\n\
             deny[2] of the user's rules, `:*`: the prefix before `:*` is empty (write `*` to match every command)"
        );
        let mut service =
            Service::new(r#"{"user":{"deny":["ls"]}}"#, Offsets::Utf8).expect("readable");
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
