//! The module every host uses, run by wasmtime.
//!
//! The module is compiled ahead of time and embedded, so a start costs about a millisecond. A call gets so much fuel and
//! memory and no more; a trap, an end of either or an answer that is no text is a fault, and the instance is
//! thrown away: the next call gets a fresh one. The module sees nothing of the machine: every import traps.

use std::sync::OnceLock;

use wasmtime::{
    Instance, Linker, Memory, Module, Store, StoreLimits, StoreLimitsBuilder, TypedFunc,
};

use super::{Engine, EngineFault, Refused, embedded, error_of, tuning};

/// Fuel of one call: some seconds of work; a common command uses less than a thousandth of it.
const FUEL: u64 = 4_000_000_000;
/// Memory of one instance, in bytes.
const MEMORY: usize = 128 << 20;
/// Longest answer that is read, in bytes.
const ANSWER: usize = 64 << 20;
/// Bytes of a request from which on judging it once more would take longer than copying the registry in.
const LONG: usize = 500;
/// How a verdict that asks begins, as `policy_core` writes it; only such a one has suggestions.
const ASKS: &str = "{\"decision\":\"ask\"";

/// See the module.
pub struct WasmEngine {
    loaded: Loaded,
    config: String,
    live: Option<Live>,
}

#[derive(Clone)]
struct Loaded {
    engine: wasmtime::Engine,
    module: Module,
}

struct Live {
    store: Store<StoreLimits>,
    instance: Instance,
    memory: Memory,
    alloc: TypedFunc<u32, u32>,
    free: TypedFunc<(u32, u32), ()>,
    call: TypedFunc<(u32, u32, u32, u32, u32), u64>,
    handle: u32,
    /// It has the registry of commands.
    registry: bool,
}

impl WasmEngine {
    /// Compiles a configuration in an instance of the embedded module.
    ///
    /// # Errors
    /// When it is not a valid one, or when this program was built without the module.
    pub fn new(config: &str) -> Result<Self, Refused> {
        Self::with(embedded_module().map_err(refused)?, config)
    }

    /// As [`Self::new`], for another precompiled module: the suites' broken ones.
    ///
    /// # Errors
    /// As [`Self::new`], and when the module does not load.
    ///
    /// # Safety
    /// `precompiled` is machine code: it has to come from wasmtime's compiler, unchanged.
    pub unsafe fn from_precompiled(precompiled: &[u8], config: &str) -> Result<Self, Refused> {
        // SAFETY: passed on.
        let loaded = unsafe { load(precompiled) }.map_err(refused)?;
        Self::with(loaded, config)
    }

    fn with(loaded: Loaded, config: &str) -> Result<Self, Refused> {
        let live = Live::start(&loaded, config)?;
        Ok(Self {
            loaded,
            config: config.to_owned(),
            live: Some(live),
        })
    }
}

impl std::fmt::Debug for WasmEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WasmEngine").finish_non_exhaustive()
    }
}

impl Engine for WasmEngine {
    fn name(&self) -> &'static str {
        "wasm"
    }

    fn call(&mut self, operation: &str, json: &str) -> Result<String, EngineFault> {
        // Taken out for the call: an instance that trapped is not used again.
        let mut live = match self.live.take() {
            Some(live) => live,
            None => Live::start(&self.loaded, &self.config)
                .map_err(|refused| EngineFault::new(refused.message))?,
        };
        let answer = live
            .answer(operation, json)
            .map_err(|error| fault(&error))?;
        self.live = Some(live);
        Ok(answer)
    }
}

impl Live {
    fn start(loaded: &Loaded, config: &str) -> Result<Self, Refused> {
        let made = Self::instantiate(loaded, config).map_err(|error| refused(fault(&error)))?;
        match made {
            Ok(live) => Ok(live),
            Err(answer) => Err(match error_of(&answer) {
                Some((code, message)) => Refused { code, message },
                None => refused(EngineFault::new("the module gave no handle")),
            }),
        }
    }

    /// The instance, or the answer of a module that did not take the configuration.
    fn instantiate(loaded: &Loaded, config: &str) -> wasmtime::Result<Result<Self, String>> {
        let limits = StoreLimitsBuilder::new()
            .memory_size(MEMORY)
            .instances(1)
            .memories(1)
            .build();
        let mut store = Store::new(&loaded.engine, limits);
        store.limiter(|limits| limits);
        store.set_fuel(FUEL)?;
        let mut linker = Linker::new(&loaded.engine);
        // What the JavaScript glue would bring; nothing here calls it.
        linker.define_unknown_imports_as_traps(&loaded.module)?;
        let instance = linker.instantiate(&mut store, &loaded.module)?;
        let memory = instance
            .get_memory(&mut store, "memory")
            .ok_or_else(|| wasmtime::Error::msg("the module exports no memory"))?;
        let new: TypedFunc<(u32, u32), u64> = export(&instance, &mut store, "portcullis_new")?;
        let mut live = Self {
            instance,
            memory,
            alloc: export(&instance, &mut store, "portcullis_alloc")?,
            free: export(&instance, &mut store, "portcullis_free")?,
            call: export(&instance, &mut store, "portcullis_call")?,
            handle: 0,
            registry: false,
            store,
        };
        let (at, len) = live.put(config.as_bytes())?;
        let packed = new.call(&mut live.store, (at, len))?;
        let answer = live.take(packed)?;
        let handle = serde_json::from_str::<serde_json::Value>(&answer)
            .ok()
            .and_then(|answer| u32::try_from(answer.get("handle")?.as_u64()?).ok());
        Ok(match handle {
            Some(handle) => {
                live.handle = handle;
                Ok(live)
            }
            None => Err(answer),
        })
    }

    /// The registry is copied in when the first suggestion is to be made, for most calls need none; a long text is not judged twice
    /// for that.
    fn answer(&mut self, operation: &str, json: &str) -> wasmtime::Result<String> {
        if operation == "suggest" || (operation == "evaluate" && json.len() > LONG) {
            self.load_registry()?;
        }
        let answer = self.call(operation, json)?;
        if !self.registry && operation == "evaluate" && answer.starts_with(ASKS) {
            self.load_registry()?;
            return self.call(operation, json);
        }
        Ok(answer)
    }

    fn load_registry(&mut self) -> wasmtime::Result<()> {
        if self.registry {
            return Ok(());
        }
        self.store.set_fuel(FUEL)?;
        let set: TypedFunc<(u32, u32, u32), u64> =
            export(&self.instance, &mut self.store, "portcullis_set_registry")?;
        let (at, len) = self.put(embedded::REGISTRY)?;
        let packed = set.call(&mut self.store, (self.handle, at, len))?;
        let answer = self.take(packed)?;
        if answer != "null" {
            return Err(wasmtime::Error::msg("the registry was not taken"));
        }
        self.registry = true;
        Ok(())
    }

    fn call(&mut self, operation: &str, json: &str) -> wasmtime::Result<String> {
        self.store.set_fuel(FUEL)?;
        let (op_at, op_len) = self.put(operation.as_bytes())?;
        let (at, len) = self.put(json.as_bytes())?;
        let packed = self
            .call
            .call(&mut self.store, (self.handle, op_at, op_len, at, len))?;
        self.take(packed)
    }

    /// Copies bytes into the module.
    fn put(&mut self, bytes: &[u8]) -> wasmtime::Result<(u32, u32)> {
        let len = u32::try_from(bytes.len())?;
        if len == 0 {
            return Ok((0, 0));
        }
        let at = self.alloc.call(&mut self.store, len)?;
        if at == 0 {
            return Err(wasmtime::Error::msg("the module has no memory left"));
        }
        self.memory.write(&mut self.store, at as usize, bytes)?;
        Ok((at, len))
    }

    /// Copies an answer out and gives its room back.
    fn take(&mut self, packed: u64) -> wasmtime::Result<String> {
        let (at, len) = ((packed >> 32) as u32, packed as u32);
        if len as usize > ANSWER {
            return Err(wasmtime::Error::msg("the answer is too long"));
        }
        let mut bytes = vec![0; len as usize];
        self.memory.read(&self.store, at as usize, &mut bytes)?;
        self.free.call(&mut self.store, (at, len))?;
        Ok(String::from_utf8(bytes)?)
    }
}

fn export<P: wasmtime::WasmParams, R: wasmtime::WasmResults>(
    instance: &Instance,
    store: &mut Store<StoreLimits>,
    name: &str,
) -> wasmtime::Result<TypedFunc<P, R>> {
    instance.get_typed_func(store, name)
}

/// The embedded module, loaded once a process.
fn embedded_module() -> Result<Loaded, EngineFault> {
    static LOADED: OnceLock<Result<Loaded, EngineFault>> = OnceLock::new();
    LOADED
        .get_or_init(|| {
            let bytes = embedded::MODULE.map_err(EngineFault::new)?;
            // SAFETY: made by wasmtime's compiler in our own build and part of this program.
            unsafe { load(bytes) }
        })
        .clone()
}

/// # Safety
/// See [`WasmEngine::from_precompiled`].
unsafe fn load(precompiled: &[u8]) -> Result<Loaded, EngineFault> {
    let engine = tuning::config(None)
        .and_then(|config| wasmtime::Engine::new(&config))
        .map_err(|error| fault(&error))?;
    // SAFETY: passed on.
    let module =
        unsafe { Module::deserialize(&engine, precompiled) }.map_err(|error| fault(&error))?;
    Ok(Loaded { engine, module })
}

fn fault(error: &wasmtime::Error) -> EngineFault {
    let why = match error.downcast_ref::<wasmtime::Trap>() {
        Some(wasmtime::Trap::OutOfFuel) => "the policy took too long".to_owned(),
        Some(trap) => format!("the policy stopped: {trap}"),
        None => error.root_cause().to_string(),
    };
    EngineFault::new(why)
}

fn refused(fault: EngineFault) -> Refused {
    Refused {
        code: "engine.fault".to_owned(),
        message: fault.message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registry_is_there_for_what_asks_and_for_what_is_long() {
        for (command, loads) in [
            ("ls".to_owned(), false),
            ("npm run x".to_owned(), true),
            ("ls; ".repeat(LONG), true),
        ] {
            let mut engine = WasmEngine::new("").expect("the module");
            let request = serde_json::json!({ "command": command }).to_string();
            engine.call("evaluate", &request).expect("a verdict");
            let loaded = engine.live.expect("it lives").registry;
            assert_eq!(loaded, loads, "{command:.20}");
        }
    }
}
