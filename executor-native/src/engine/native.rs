//! The policy compiled in: no module, no sandbox, the same service.
//!
//! For comparing (the differential suite) and for hosts that want the last microsecond. A panic is caught and is a
//! fault of the engine, as a trap is in the module.

use std::panic::{AssertUnwindSafe, catch_unwind};

use policy_core::{
    Registry,
    service::{Fault, Offsets, Service},
};

use super::{Engine, EngineFault, Refused, embedded::REGISTRY};

/// See the module.
#[derive(Debug)]
pub struct NativeEngine {
    config: String,
    service: Option<Service>,
}

impl NativeEngine {
    /// Compiles a configuration.
    ///
    /// # Errors
    /// When it is not a valid one.
    pub fn new(config: &str) -> Result<Self, Refused> {
        Ok(Self {
            config: config.to_owned(),
            service: Some(compile(config)?),
        })
    }
}

impl Engine for NativeEngine {
    fn name(&self) -> &'static str {
        "native"
    }

    fn call(&mut self, operation: &str, json: &str) -> Result<String, EngineFault> {
        // Taken out for the call: a service that panicked is not used again.
        let mut service = match self.service.take() {
            Some(service) => service,
            None => compile(&self.config).map_err(|refused| EngineFault::new(refused.message))?,
        };
        let answer = catch_unwind(AssertUnwindSafe(|| {
            service.call(operation, json, Offsets::Utf8)
        }))
        .map_err(|_| EngineFault::new("the policy panicked"))?;
        self.service = Some(service);
        Ok(answer.unwrap_or_else(|fault| failed(&fault)))
    }
}

fn compile(config: &str) -> Result<Service, Refused> {
    let mut service = Service::new(config, Offsets::Utf8).map_err(|fault| Refused {
        code: fault.code.to_owned(),
        message: fault.message,
    })?;
    // Nothing of it is read until a suggestion is made.
    if let Some(registry) = Registry::borrowed(REGISTRY) {
        service.use_registry(registry);
    }
    Ok(service)
}

/// As `raw.rs` of the module writes it.
fn failed(fault: &Fault) -> String {
    serde_json::json!({ "error": fault }).to_string()
}
