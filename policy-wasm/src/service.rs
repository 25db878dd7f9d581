//! Operations by name, JSON in, JSON out: what both doors of the module call.
//!
//! Promises that every call returns: a value, or a [`Fault`] with a code. Serialization is done here, once,
//! so that each host gets the same text. Panics are left to the host, which throws the instance away.

use policy_core::{
    Decision, Span,
    diagnostic::Code,
    wire::{
        Capability, Conditions, Parse, ParseStatus, Reason, Request, RiskLevel, SideEffectScope,
        Verdict,
    },
};
use serde::Serialize;

use crate::faults;

/// In which units spans are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offsets {
    /// Bytes of the UTF-8 text.
    Utf8,
    /// Code units of the UTF-16 text, as JavaScript counts.
    Utf16,
}

/// A call that gave no result. Serialized as `{"error": {"code", "message"}}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fault {
    /// `request.invalid`, `config.invalid` or `engine.fault`.
    pub code: &'static str,
    /// One line.
    pub message: String,
}

impl Fault {
    pub(crate) fn engine(message: impl Into<String>) -> Self {
        Self {
            code: "engine.fault",
            message: message.into(),
        }
    }

    pub(crate) fn request(message: impl Into<String>) -> Self {
        Self {
            code: "request.invalid",
            message: message.into(),
        }
    }
}

/// A policy, ready to answer.
#[derive(Debug)]
pub struct Service {}

impl Service {
    /// Reads the configuration (a JSON text; empty for none).
    ///
    /// # Errors
    /// `config.invalid` when it is not a valid configuration.
    pub fn new(_config: &str) -> Result<Self, Fault> {
        Ok(Self {})
    }

    /// Runs one operation on one JSON text.
    ///
    /// Operations: `evaluate`, `suggest`, `parse`, `explain`, `update`.
    ///
    /// # Errors
    /// `request.invalid` when the request cannot be read, `engine.fault` when the operation is unknown.
    pub fn call(
        &mut self,
        operation: &str,
        json: &str,
        _offsets: Offsets,
    ) -> Result<String, Fault> {
        match operation {
            "evaluate" => {
                let request: Request = serde_json::from_str(json)
                    .map_err(|error| Fault::request(error.to_string()))?;
                faults::inject(&request.command);
                write(&not_yet(&request))
            }
            _ => Err(Fault::engine(format!("no operation `{operation}`"))),
        }
    }
}

fn write<T: Serialize>(value: &T) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| Fault::engine(error.to_string()))
}

fn not_yet(request: &Request) -> Verdict {
    let reading = policy_core::syntax::read(&request.command, request.facts.shell);
    Verdict {
        decision: Decision::Ask,
        reason: Reason {
            code: Code::EngineFault,
            message: format!("no policy yet ({:?})", reading.status),
            span: Span::new(0, request.command.len()),
            rule: None,
        },
        capability: Capability {
            read_only: false,
            needs_approval: true,
            risk_level: RiskLevel::High,
            side_effect_scope: SideEffectScope::System,
        },
        parse: Parse {
            status: ParseStatus::Error,
            permission_safe: false,
            unsupported: Vec::new(),
            incomplete: reading.incomplete,
        },
        commands: Vec::new(),
        suggestions: Vec::new(),
        conditions: Conditions::default(),
        questions: Vec::new(),
    }
}
