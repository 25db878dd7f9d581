//! Judging: a command and the facts around it become a verdict, and an allowed one a permit.
//!
//! Two engines give the same JSON: [`wasm`], the module every host uses (the default), and [`native`], the same code
//! compiled in. [`facts`] gathers what the policy must know of the world, [`judge`] asks and makes permits. A failing engine never allows: the
//! answer is then ask, `engine.fault`.

mod embedded;
pub mod facts;
mod git;
mod gitconfig;
mod gitindex;
pub mod judge;
pub mod native;
mod tuning;
pub mod wasm;

use policy_core::{
    Decision,
    diagnostic::Code,
    wire::{Request, Verdict},
};

pub use embedded::MODULE_SHA256;

/// Something that judges.
pub trait Engine: Send {
    /// `wasm` or `native`.
    fn name(&self) -> &'static str;

    /// Runs an operation of [`policy_core::service::Service`] on a JSON text. The answer may be an object with `error`.
    ///
    /// # Errors
    /// When the engine itself failed; it is whole again at the next call.
    fn call(&mut self, operation: &str, json: &str) -> Result<String, EngineFault>;

    /// Judges a request as JSON text; the answer is a verdict in any case.
    fn evaluate_json(&mut self, json: &str) -> String {
        let (code, message) = match self.call("evaluate", json) {
            Ok(answer) => match error_of(&answer) {
                None => return answer,
                Some((slug, message)) => {
                    let known = Code::ALL.iter().find(|code| code.slug() == slug);
                    (known.copied().unwrap_or(Code::EngineFault), message)
                }
            },
            Err(fault) => (Code::EngineFault, fault.message),
        };
        serde_json::to_string(&careful(json, code, message)).unwrap_or_default()
    }

    /// Judges a request.
    fn evaluate(&mut self, request: &Request) -> Verdict {
        match serde_json::to_string(request) {
            Err(error) => careful("", Code::RequestInvalid, error.to_string()),
            Ok(json) => {
                let answer = self.evaluate_json(&json);
                serde_json::from_str(&answer)
                    .unwrap_or_else(|error| careful(&json, Code::EngineFault, error.to_string()))
            }
        }
    }
}

/// The answer without an engine: ask, or deny where nobody could be asked.
fn careful(json: &str, code: Code, message: String) -> Verdict {
    let request: serde_json::Value = serde_json::from_str(json).unwrap_or_default();
    let command = request
        .get("command")
        .and_then(serde_json::Value::as_str)
        .unwrap_or_default();
    let mut verdict = Verdict::careful(command, code, message);
    let mode = request.get("mode").and_then(serde_json::Value::as_str);
    if request.get("unattended") == Some(&serde_json::Value::Bool(true))
        || matches!(mode, Some("plan" | "dontAsk"))
    {
        verdict.decision = Decision::Deny;
    }
    verdict
}

/// The engine failed: a trap, no fuel or memory left, a module that does not load.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineFault {
    /// One line.
    pub message: String,
}

impl std::fmt::Display for EngineFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for EngineFault {}

impl EngineFault {
    fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }
}

/// Which engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EngineKind {
    /// The module every host uses.
    #[default]
    Wasm,
    /// The same code, compiled in.
    Native,
}

/// Makes an engine for a configuration (JSON; empty for none).
///
/// # Errors
/// When the configuration is not a valid one, or the embedded module is missing.
pub fn engine(kind: EngineKind, config: &str) -> Result<Box<dyn Engine>, Refused> {
    Ok(match kind {
        EngineKind::Wasm => Box::new(wasm::WasmEngine::new(config)?),
        EngineKind::Native => Box::new(native::NativeEngine::new(config)?),
    })
}

/// The engine did not take the configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// `config.invalid`, …
    pub code: String,
    /// One line.
    pub message: String,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for Refused {}

/// Code and message of `{"error": {"code", "message"}}`, when the answer is one.
pub(crate) fn error_of(answer: &str) -> Option<(String, String)> {
    // A verdict never starts so, and is not parsed a second time to find out.
    if !answer.starts_with("{\"error\"") {
        return None;
    }
    let value: serde_json::Value = serde_json::from_str(answer).ok()?;
    let text = |key: &str| value.get("error")?.get(key)?.as_str().map(str::to_owned);
    Some((
        text("code").unwrap_or_else(|| "engine.fault".to_owned()),
        text("message").unwrap_or_else(|| "no message".to_owned()),
    ))
}
