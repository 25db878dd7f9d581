//! Operations by name, JSON in, JSON out: what every host calls, through the module or directly.
//!
//! Promises that every call returns a text or a [`Fault`] with a code. Serialization is done here, once, so that a browser,
//! Node, wasmtime and the native engine get the same bytes.

use alloc::{
    format,
    string::{String, ToString},
};
use serde::Serialize;

use crate::{
    diagnostic::Code,
    wire::{Request, Verdict},
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
pub struct Service {}

impl Service {
    /// Reads the configuration: a JSON text; empty for none.
    ///
    /// # Errors
    /// `config.invalid` when it is not a valid configuration.
    pub fn new(_config: &str) -> Result<Self, Fault> {
        Ok(Self {})
    }

    /// Judges a request.
    #[must_use]
    pub fn evaluate(&self, request: &Request) -> Verdict {
        let reading = crate::syntax::read(&request.command, request.facts.shell);
        Verdict::careful(
            &request.command,
            Code::EngineFault,
            format!("no policy yet ({:?})", reading.status),
        )
    }

    /// Runs one operation on one JSON text: `evaluate`, `suggest`, `parse`, `explain`, `update`.
    ///
    /// # Errors
    /// `request.invalid` when the text cannot be read, `engine.fault` when there is no such operation.
    pub fn call(
        &mut self,
        operation: &str,
        json: &str,
        _offsets: Offsets,
    ) -> Result<String, Fault> {
        match operation {
            "evaluate" => write(&self.evaluate(&read(json)?)),
            _ => Err(Fault::engine(format!("no operation `{operation}`"))),
        }
    }
}

fn read<'a, T: serde::Deserialize<'a>>(json: &'a str) -> Result<T, Fault> {
    serde_json::from_str(json).map_err(|error| Fault::request(error.to_string()))
}

fn write<T: Serialize>(value: &T) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| Fault::engine(error.to_string()))
}
