//! The door for JavaScript: a class whose methods take and return plain values.
//!
//! Values cross as JSON text (`JSON.stringify` on the way in, `JSON.parse` on the way out): measured, that
//! costs no more than building the objects one property at a time, and every host then shares one serializer. Spans are
//! UTF-16 offsets. Failures are thrown as `{code, message}`; `host-js` makes them a `PolicyError`.

use alloc::{string::String, vec::Vec};

use policy_core::{
    service::{Fault, Offsets, Service},
    wire::json,
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::faults;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = JSON, js_name = parse, catch)]
    fn parse(text: &str) -> Result<JsValue, JsValue>;

    /// Nothing for `undefined`, functions and symbols.
    #[wasm_bindgen(js_namespace = JSON, js_name = stringify, catch)]
    fn stringify(value: &JsValue) -> Result<Option<String>, JsValue>;
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("../../host-js/src/generated/wire.ts");

/// A compiled policy. Call `free()` when it is no longer needed.
///
/// Each method takes and returns plain objects; their types are generated from the Rust types (`./x types`).
#[wasm_bindgen]
#[derive(Debug)]
pub struct Policy {
    service: Service,
}

#[wasm_bindgen]
impl Policy {
    /// Compiles a configuration; `undefined` for none.
    ///
    /// # Errors
    /// Throws `{code: "config.invalid" | "rule.invalid", message, path?, position?}`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "PolicyConfig | undefined")] config: &JsValue,
    ) -> Result<Policy, JsValue> {
        let text = if config.is_undefined() {
            String::new()
        } else {
            text_of(config)?
        };
        Service::new(&text, Offsets::Utf16)
            .map(|service| Self { service })
            .map_err(|fault| thrown(&fault))
    }

    /// Judges a command.
    ///
    /// # Errors
    /// Throws `{code: "request.invalid", message}`.
    #[wasm_bindgen(unchecked_return_type = "Verdict")]
    pub fn evaluate(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Request")] request: &JsValue,
    ) -> Result<JsValue, JsValue> {
        self.call("evaluate", request)
    }

    /// The rules that "always allow" would store.
    ///
    /// # Errors
    /// As [`Policy::evaluate`].
    #[wasm_bindgen(unchecked_return_type = "Suggestion[]")]
    pub fn suggest(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Request")] request: &JsValue,
    ) -> Result<JsValue, JsValue> {
        self.call("suggest", request)
    }

    /// The invocations as the policy sees them.
    ///
    /// # Errors
    /// As [`Policy::evaluate`].
    #[wasm_bindgen(unchecked_return_type = "ParseReport")]
    pub fn parse(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Request")] request: &JsValue,
    ) -> Result<JsValue, JsValue> {
        self.call("parse", request)
    }

    /// Why, part by part.
    ///
    /// # Errors
    /// As [`Policy::evaluate`].
    #[wasm_bindgen(unchecked_return_type = "Explanation")]
    pub fn explain(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Request")] request: &JsValue,
    ) -> Result<JsValue, JsValue> {
        self.call("explain", request)
    }

    /// The description of the shell tool for a model.
    ///
    /// # Errors
    /// As [`Policy::evaluate`].
    #[wasm_bindgen(js_name = describeTool)]
    pub fn describe_tool(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Tools")] tools: &JsValue,
    ) -> Result<JsValue, JsValue> {
        self.call("describe", tools)
    }

    /// Gives the registry of commands, which makes suggestions finer and changes no decision; updates keep it.
    ///
    /// # Errors
    /// Throws `{code: "config.invalid", message}` when the bytes are not a registry.
    #[wasm_bindgen(js_name = setRegistry)]
    pub fn set_registry(&mut self, bytes: Vec<u8>) -> Result<(), JsValue> {
        self.service
            .set_registry(bytes)
            .map_err(|fault| thrown(&fault))
    }

    /// Replaces the configuration; on a fault the present one stays.
    ///
    /// # Errors
    /// As [`Policy::new`].
    pub fn update(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "PolicyConfig")] config: &JsValue,
    ) -> Result<(), JsValue> {
        self.call("update", config).map(drop)
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
        parse(&answer)
    }
}

fn text_of(value: &JsValue) -> Result<String, JsValue> {
    stringify(value)?.ok_or_else(|| thrown(&Fault::request("not a JSON value".into())))
}

fn thrown(fault: &Fault) -> JsValue {
    parse(&json::write(fault)).unwrap_or_else(|_| JsValue::from_str(fault.code))
}
