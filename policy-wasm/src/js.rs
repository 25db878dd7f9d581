//! The door for JavaScript: a class whose methods take and return plain values.
//!
//! Values cross as JSON text (`JSON.stringify` on the way in, `JSON.parse` on the way out): measured, that
//! costs no more than building the objects one property at a time, and every host then shares one serializer. Spans are
//! UTF-16 offsets. Failures are thrown as `{code, message}`; `host-js` makes them a `PolicyError`.

use js_sys::JSON;
use policy_core::service::{Fault, Offsets, Service};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::faults;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("../types/portcullis.d.ts");

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "PolicyConfig | undefined")]
    /// A configuration.
    pub type JsConfig;
    #[wasm_bindgen(typescript_type = "Request")]
    /// A request.
    pub type JsRequest;
    #[wasm_bindgen(typescript_type = "Verdict")]
    /// A verdict.
    pub type JsVerdict;
}

/// A compiled policy. Call `free()` (or use `using`) when it is no longer needed.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Policy {
    service: Service,
}

#[wasm_bindgen]
impl Policy {
    /// Compiles a configuration.
    ///
    /// # Errors
    /// Throws `{code: "config.invalid", …}`.
    #[wasm_bindgen(constructor)]
    pub fn new(config: &JsConfig) -> Result<Policy, JsValue> {
        let text = if config.is_undefined() {
            String::new()
        } else {
            text_of(config)?
        };
        Service::new(&text)
            .map(|service| Self { service })
            .map_err(|fault| thrown(&fault))
    }

    /// Judges a command.
    ///
    /// # Errors
    /// Throws `{code: "request.invalid", …}`.
    pub fn evaluate(&mut self, request: &JsRequest) -> Result<JsVerdict, JsValue> {
        self.call("evaluate", request)
            .map(wasm_bindgen::JsCast::unchecked_into)
    }
}

impl Policy {
    fn call(&mut self, operation: &str, argument: &JsValue) -> Result<JsValue, JsValue> {
        let text = text_of(argument)?;
        faults::inject(&text);
        let answer = self
            .service
            .call(operation, &text, Offsets::Utf16)
            .map_err(|fault| thrown(&fault))?;
        JSON::parse(&answer)
    }
}

/// `JSON.stringify` gives no text for `undefined`, functions and symbols, whatever its type says.
fn text_of(value: &JsValue) -> Result<String, JsValue> {
    JsValue::from(JSON::stringify(value)?)
        .as_string()
        .ok_or_else(|| thrown(&Fault::request("not a JSON value".into())))
}

fn thrown(fault: &Fault) -> JsValue {
    serde_json::to_string(fault)
        .ok()
        .and_then(|text| JSON::parse(&text).ok())
        .unwrap_or_else(|| JsValue::from_str(fault.code))
}
