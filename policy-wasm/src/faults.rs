//! Faults on purpose, in modules built for the suites only.
//!
//! With the feature `fault-injection`, three magic commands panic, never return, or take memory without end,
//! so that a suite can see what a host makes of a broken engine. Without it, [`inject`] is nothing.

/// Fails as a request says.
#[cfg(feature = "fault-injection")]
pub(crate) fn inject(request: &str) {
    if request.contains("portcullis-fault panic") {
        panic!("fault on purpose");
    }
    if request.contains("portcullis-fault loop") {
        loop {
            core::hint::black_box(());
        }
    }
    if request.contains("portcullis-fault memory") {
        let mut hoard: alloc::vec::Vec<alloc::vec::Vec<u8>> = alloc::vec::Vec::new();
        loop {
            hoard.push(core::hint::black_box(alloc::vec![1; 1 << 20]));
        }
    }
}

/// Nothing.
#[cfg(not(feature = "fault-injection"))]
pub(crate) const fn inject(_request: &str) {}
