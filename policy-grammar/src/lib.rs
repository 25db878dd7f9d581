//! tree-sitter's grammar of bash, with its tables packed.
//!
//! What tree-sitter generates is 1.3 MB of tables and a lexer of 200 KB of code, made for speed of building; packed, all of it is a
//! third of what a web page would load otherwise. [`LANGUAGE`] unpacks them when it is first asked for and keeps them; the scanner is
//! that of the package `tree-sitter-bash`. The build script packs what that package has, and a test holds that every
//! table, and every step of the lexers, is what the package has.
#![no_std]

extern crate alloc;

mod lexer;
mod raw;
#[cfg(test)]
#[path = "../build/tables.rs"]
mod tables;
mod unpack;

use alloc::boxed::Box;
use core::{
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
};

use tree_sitter_language::LanguageFn;

/// The grammar, as `tree_sitter::Language::from` takes it.
// SAFETY: what `bash` gives is laid out as the generator of tree-sitter lays it out, by the test below.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(bash) };

static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/grammar.bin"));

/// The unpacked grammar, once somebody asked for it; null before. It is never freed.
static UNPACKED: AtomicPtr<unpack::Unpacked> = AtomicPtr::new(ptr::null_mut());

/// The unpacked grammar.
fn unpacked() -> Option<&'static unpack::Unpacked> {
    let known = UNPACKED.load(Ordering::Acquire);
    let known = if known.is_null() {
        let fresh = Box::into_raw(Box::new(unpack::unpack(BYTES)?));
        match UNPACKED.compare_exchange(known, fresh, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => fresh,
            Err(other) => {
                // SAFETY: it was made above and nobody else knows it.
                drop(unsafe { Box::from_raw(fresh) });
                other
            }
        }
    } else {
        known
    };
    // SAFETY: not null, made by `Box`, and never freed or changed once it is stored.
    Some(unsafe { &*known })
}

unsafe extern "C" fn bash() -> *const () {
    unpacked().map_or(ptr::null(), |unpacked| {
        ptr::from_ref(&unpacked.language).cast()
    })
}

#[cfg(test)]
mod tests;
