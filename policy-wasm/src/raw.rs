//! The door for hosts without JavaScript: linear memory, handles, JSON texts.
//!
//! ```text
//! portcullis_alloc(len) -> ptr                      room for an argument; the host writes, the call takes it back
//! portcullis_free(ptr, len)                         gives back a result
//! portcullis_new(json_ptr, json_len) -> packed      {"handle": n} or {"error": {…}}
//! portcullis_call(handle, op_ptr, op_len, json_ptr, json_len) -> packed
//! portcullis_set_registry(handle, ptr, len) -> packed      null or {"error": {…}}; the bytes of registry.bin, for finer suggestions
//! portcullis_drop(handle)
//! ```
//! `packed` is `ptr << 32 | len` of a UTF-8 JSON text which the host frees. Arguments are owned by the call: it
//! frees them. Every argument is checked (handles, operation, UTF-8); what cannot be checked is that the host
//! passes `ptr, len` pairs it got from `portcullis_alloc`. A host that lies damages only its own instance.

use alloc::{
    alloc::{Layout, alloc, dealloc},
    boxed::Box,
    format,
    string::String,
    vec::Vec,
};

use policy_core::{
    service::{Fault, Offsets, Service},
    sorted::Map,
    wire::json,
};
use serde::Serialize;

use crate::faults;

struct Table {
    next: u32,
    services: Map<u32, Service>,
}

impl Table {
    const fn new() -> Self {
        Self {
            next: 0,
            services: Map::new(),
        }
    }
}

#[cfg(target_arch = "wasm32")]
static TABLE: crate::runtime::Local<Table> = crate::runtime::Local::new(Table::new());

#[cfg(not(target_arch = "wasm32"))]
std::thread_local! {
    static TABLE: core::cell::RefCell<Table> = const { core::cell::RefCell::new(Table::new()) };
}

/// Room for `len` bytes; null for 0 or when there is no memory.
#[unsafe(no_mangle)]
pub extern "C" fn portcullis_alloc(len: usize) -> *mut u8 {
    match layout(len) {
        // SAFETY: the layout has a size above 0.
        Some(layout) => unsafe { alloc(layout) },
        None => core::ptr::null_mut(),
    }
}

/// Gives back room from `portcullis_alloc` or a result.
///
/// # Safety
/// `ptr` and `len` are a pair the module gave out and nobody gave back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portcullis_free(ptr: *mut u8, len: usize) {
    if let (false, Some(layout)) = (ptr.is_null(), layout(len)) {
        // SAFETY: by the contract above it was made by `alloc` with this layout.
        unsafe { dealloc(ptr, layout) }
    }
}

/// Compiles a configuration.
///
/// # Safety
/// As [`portcullis_free`], for the argument.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portcullis_new(json: *mut u8, json_len: usize) -> u64 {
    #[derive(Serialize)]
    struct Made {
        handle: u32,
    }
    // SAFETY: passed on.
    let config = unsafe { take(json, json_len) };
    let made = config
        .and_then(|config| Service::new(&config, Offsets::Utf8))
        .map(|service| {
            TABLE.with_borrow_mut(|table| {
                table.next = table.next.wrapping_add(1);
                table.services.insert(table.next, service);
                Made { handle: table.next }
            })
        });
    give(made.map(|made| json::write(&made)))
}

/// Runs one operation of a policy.
///
/// # Safety
/// As [`portcullis_free`], for both arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portcullis_call(
    handle: u32,
    operation: *mut u8,
    operation_len: usize,
    json: *mut u8,
    json_len: usize,
) -> u64 {
    // SAFETY: passed on; both are taken before either is looked at, so that neither leaks.
    let (operation, json) = unsafe { (take(operation, operation_len), take(json, json_len)) };
    give(operation.and_then(|operation| {
        let json = json?;
        faults::inject(&json);
        TABLE.with_borrow_mut(|table| match table.services.get_mut(&handle) {
            Some(service) => service.call(&operation, &json, Offsets::Utf8),
            None => Err(Fault::engine(format!("no policy with handle {handle}"))),
        })
    }))
}

/// Gives a policy the registry of commands.
///
/// # Safety
/// As [`portcullis_free`], for the argument.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portcullis_set_registry(handle: u32, bytes: *mut u8, len: usize) -> u64 {
    // SAFETY: passed on.
    let bytes = unsafe { take_bytes(bytes, len) };
    give(
        TABLE.with_borrow_mut(|table| match table.services.get_mut(&handle) {
            Some(service) => service.set_registry(bytes).map(|()| "null".into()),
            None => Err(Fault::engine(format!("no policy with handle {handle}"))),
        }),
    )
}

/// Forgets a policy; an unknown handle is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn portcullis_drop(handle: u32) {
    TABLE.with_borrow_mut(|table| table.services.remove(&handle));
}

fn layout(len: usize) -> Option<Layout> {
    (len > 0).then(|| Layout::array::<u8>(len).ok())?
}

/// The argument as text; frees it.
unsafe fn take(ptr: *mut u8, len: usize) -> Result<String, Fault> {
    // SAFETY: passed on.
    let bytes = unsafe { take_bytes(ptr, len) };
    String::from_utf8(bytes).map_err(|_| Fault::request("not UTF-8".into()))
}

/// The argument as bytes; frees it.
unsafe fn take_bytes(ptr: *mut u8, len: usize) -> Vec<u8> {
    if ptr.is_null() || len == 0 {
        return Vec::new();
    }
    // SAFETY: by the contract of the callers, `len` bytes made by `alloc` with the layout a `Vec` of that capacity has.
    unsafe { Vec::from_raw_parts(ptr, len, len) }
}

/// The answer as `ptr << 32 | len`.
fn give(answer: Result<String, Fault>) -> u64 {
    #[derive(Serialize)]
    struct Failed {
        error: Fault,
    }
    let text = answer.unwrap_or_else(|error| json::write(&Failed { error }));
    let bytes = Box::leak(text.into_bytes().into_boxed_slice());
    ((bytes.as_mut_ptr() as usize as u64) << 32) | bytes.len() as u64
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    // Pointers of a 64-bit test do not fit the packed form, so only the sizes and the table are tested here;
    // the suites drive the exports through wasmtime.
    use super::*;

    #[test]
    fn nothing_is_allocated_for_nothing() {
        assert!(portcullis_alloc(0).is_null());
        // SAFETY: null is nothing.
        unsafe { portcullis_free(core::ptr::null_mut(), 0) };
        portcullis_drop(7);
    }

    #[test]
    fn an_argument_is_taken_back() {
        let ptr = portcullis_alloc(3);
        // SAFETY: three bytes were given.
        let text = unsafe {
            ptr.copy_from_nonoverlapping(b"abc".as_ptr(), 3);
            take(ptr, 3)
        };
        assert_eq!(text.as_deref(), Ok("abc"));
    }
}
