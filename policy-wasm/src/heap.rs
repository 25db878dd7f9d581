//! Memory for the module: a list of free blocks for each size, and fresh memory for when it is empty.
//!
//! A block is of one of a few sizes and keeps it for good: small ones are multiples of 16, the others powers of two. So there is
//! nothing to search and nothing to join, and it is a sixth of the standard library's allocator to load. What that costs: memory
//! freed at one size serves no other, so a module takes what its largest use of each size was.

use core::ptr;

/// What every block is aligned to; nothing in the module asks for more.
pub(crate) const ALIGNMENT: usize = 16;

/// Up to this, sizes are multiples of [`ALIGNMENT`].
const SMALL: usize = 1024;

const SMALL_SIZES: usize = SMALL / ALIGNMENT;

/// And above it the powers of two up to 1 GiB.
const SIZES: usize = SMALL_SIZES + 20;

/// The free blocks, and the memory of which no block was made yet.
pub(crate) struct Heap {
    /// The first free block of each size; a free block holds the next of its size.
    free: [*mut u8; SIZES],
    /// Where fresh memory begins.
    next: *mut u8,
    /// How much there is from there.
    left: usize,
}

/// Which size a block of at least that many bytes has, as a number and in bytes.
pub(crate) fn size_for(bytes: usize) -> (usize, usize) {
    if bytes <= SMALL {
        let size = bytes.saturating_sub(1) / ALIGNMENT;
        (size, (size + 1) * ALIGNMENT)
    } else {
        let power = usize::BITS - (bytes - 1).leading_zeros();
        let size = SMALL_SIZES + (power - SMALL.ilog2() - 1) as usize;
        (size, 1_usize.checked_shl(power).unwrap_or(usize::MAX))
    }
}

impl Heap {
    pub(crate) const fn new() -> Self {
        Self {
            free: [ptr::null_mut(); SIZES],
            next: ptr::null_mut(),
            left: 0,
        }
    }

    /// A block of at least that many bytes; null when there is no memory. `more` gives fresh memory, aligned and of at least the size
    /// that it is asked for; when it follows on the last it gave, the rest of that is used too.
    ///
    /// # Safety
    /// What `more` gives is nobody else's, and stays.
    pub(crate) unsafe fn take(
        &mut self,
        bytes: usize,
        more: impl FnOnce(usize) -> Option<(*mut u8, usize)>,
    ) -> *mut u8 {
        let (size, room) = size_for(bytes);
        let Some(free) = self.free.get_mut(size) else {
            return ptr::null_mut();
        };
        let block = *free;
        if !block.is_null() {
            // SAFETY: a free block has room for a pointer, is aligned for it, and holds the next one.
            *free = unsafe { block.cast::<*mut u8>().read() };
            return block;
        }
        if self.left < room {
            let Some((fresh, length)) = more(room) else {
                return ptr::null_mut();
            };
            if self.next.wrapping_add(self.left) != fresh {
                (self.next, self.left) = (fresh, 0);
            }
            self.left += length;
        }
        let block = self.next;
        self.next = block.wrapping_add(room);
        self.left -= room;
        block
    }

    /// Takes a block back.
    ///
    /// # Safety
    /// It was taken for this many bytes, or for as many as give the same size, and nobody uses it any more.
    pub(crate) unsafe fn give(&mut self, block: *mut u8, bytes: usize) {
        if let Some(free) = self.free.get_mut(size_for(bytes).0) {
            // SAFETY: the block is ours again, has room for a pointer and is aligned for it.
            unsafe { block.cast::<*mut u8>().write(*free) };
            *free = block;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{vec, vec::Vec};

    use super::*;

    /// Aligned memory that is given out in parts.
    struct Memory(Vec<u128>);

    impl Memory {
        fn new(bytes: usize) -> Self {
            Self(vec![0; bytes / ALIGNMENT])
        }

        fn at(&mut self, start: usize, length: usize) -> Option<(*mut u8, usize)> {
            (start + length <= self.0.len() * ALIGNMENT).then(|| {
                let all = self.0.as_mut_ptr().cast::<u8>();
                (all.wrapping_add(start), length)
            })
        }
    }

    #[test]
    fn a_size_has_room_for_what_is_asked_and_is_never_less_than_a_smaller_one() {
        let mut last = (0, ALIGNMENT);
        for bytes in (0..10_000).chain([1 << 20, (1 << 20) + 1, 1 << 30]) {
            let (size, room) = size_for(bytes);
            assert!(room >= bytes && room % ALIGNMENT == 0 && size < SIZES);
            assert!(room <= bytes.max(8) * 2, "{bytes} is given {room}");
            assert!((size, room) >= last && (size > last.0) == (room > last.1));
            last = (size, room);
        }
        for bytes in [(1 << 30) + 1, usize::MAX / 2, usize::MAX] {
            assert!(size_for(bytes).0 >= SIZES, "{bytes}");
        }
    }

    #[test]
    fn a_block_that_was_given_back_is_taken_again_for_its_size_alone() {
        let (mut memory, mut heap) = (Memory::new(4096), Heap::new());
        let all = memory.at(0, 4096);
        // SAFETY: the memory is the heap's; a block is given back once, with its size.
        unsafe {
            let first = heap.take(20, |_| all);
            let second = heap.take(20, |_| None);
            assert_eq!(second, first.wrapping_add(32));
            heap.give(first, 20);
            heap.give(second, 20);
            assert_eq!(heap.take(33, |_| None), first.wrapping_add(64));
            assert_eq!(heap.take(32, |_| None), second);
            assert_eq!(heap.take(17, |_| None), first);
        }
    }

    #[test]
    fn fresh_memory_that_follows_is_joined_and_other_is_taken_instead() {
        let (mut memory, mut heap) = (Memory::new(4096), Heap::new());
        let parts = [memory.at(0, 64), memory.at(64, 64), memory.at(1024, 64)];
        // SAFETY: the parts are the heap's and lie apart.
        unsafe {
            let first = heap.take(48, |_| parts[0]);
            assert_eq!(heap.take(64, |_| parts[1]), first.wrapping_add(48));
            assert_eq!(heap.take(32, |_| parts[2]), first.wrapping_add(1024));
            assert!(heap.take(48, |_| None).is_null());
            // What there is serves who asks for less.
            assert_eq!(heap.take(32, |_| None), first.wrapping_add(1056));
            assert!(heap.take(usize::MAX, |_| None).is_null());
        }
    }
}
