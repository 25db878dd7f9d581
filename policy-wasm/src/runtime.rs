//! What the module brings instead of the standard library: memory, and a trap where the program panics.
//!
//! Nobody could read the message of a panic: the host sees a trap and throws the instance away.

use core::{
    alloc::{GlobalAlloc, Layout},
    arch::wasm32,
    cell::{RefCell, UnsafeCell},
    panic::PanicInfo,
    ptr,
};

use crate::heap::{ALIGNMENT, Heap, size_for};

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    wasm32::unreachable()
}

#[global_allocator]
static BLOCKS: Blocks = Blocks(UnsafeCell::new(Heap::new()));

struct Blocks(UnsafeCell<Heap>);

// SAFETY: an instance has one thread.
unsafe impl Sync for Blocks {}

const PAGE: usize = 1 << 16;

/// Fewest pages to grow by: growing is a call of the host's.
const PAGES: usize = 4;

/// Grows the memory by at least so many bytes.
fn more(bytes: usize) -> Option<(*mut u8, usize)> {
    let pages = bytes.div_ceil(PAGE).max(PAGES);
    let before = wasm32::memory_grow(0, pages);
    // It is all ones where the memory may not grow.
    (before != usize::MAX).then(|| {
        let fresh = ptr::with_exposed_provenance_mut(before * PAGE);
        (fresh, pages * PAGE)
    })
}

// SAFETY: blocks are large enough and aligned to more than anything asks for; what asks for still more gets none.
unsafe impl GlobalAlloc for Blocks {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() > ALIGNMENT {
            return ptr::null_mut();
        }
        // SAFETY: there is one thread, and the heap calls nobody but `more`; nobody else uses what the memory grows by.
        unsafe { (*self.0.get()).take(layout.size(), more) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above; by contract the block was taken with this layout, or changed to it within its size.
        unsafe { (*self.0.get()).give(block, layout.size()) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        if size_for(layout.size()) == size_for(bytes) {
            return block;
        }
        // SAFETY: by contract the new layout is one; both blocks have room for what is copied, and lie apart.
        unsafe {
            let fresh = self.alloc(Layout::from_size_align_unchecked(bytes, layout.align()));
            if !fresh.is_null() {
                block.copy_to_nonoverlapping(fresh, layout.size().min(bytes));
                self.dealloc(block, layout);
            }
            fresh
        }
    }
}

/// A variable of the instance, used as one of a thread is.
pub(crate) struct Local<T>(RefCell<T>);

// SAFETY: an instance has one thread.
unsafe impl<T> Sync for Local<T> {}

impl<T> Local<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(RefCell::new(value))
    }

    pub(crate) fn with_borrow_mut<R>(&self, act: impl FnOnce(&mut T) -> R) -> R {
        act(&mut self.0.borrow_mut())
    }
}
