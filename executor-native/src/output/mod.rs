//! What a command printed, made fit for a model, a person or a screen; the raw bytes stay in their file.
//!
//! Everything here reads at most a bounded piece of the file, so memory stays flat whatever was printed.

mod clean;
mod envelope;
mod image;
mod progress;
mod retention;
mod view;

pub use clean::{Cleaned, clean};
pub use envelope::{PREVIEW_CHARS, human_size, persisted, tail_view};
pub use image::{IMAGE_MOST, Image, image_block};
pub use progress::{PROGRESS_AFTER, PROGRESS_EVERY, Progress, Ring, Sample, channel};
pub use retention::{Retention, sweep};
pub use view::{View, cut_at_char, read_head, read_tail};

/// Bytes of a result that are given inline.
pub const INLINE_DEFAULT: usize = 30_000;
/// The most that `BASH_MAX_OUTPUT_LENGTH` can make of it.
pub const INLINE_MOST: usize = 150_000;
/// Bytes of a result that are kept in the results folder.
pub const PERSISTED_MOST: u64 = 64 * 1024 * 1024;

/// How many bytes are given inline, by the value of `BASH_MAX_OUTPUT_LENGTH`.
pub fn inline_limit(configured: Option<&str>) -> usize {
    configured
        .and_then(|text| text.trim().parse::<usize>().ok())
        .filter(|n| *n > 0)
        .map_or(INLINE_DEFAULT, |n| n.min(INLINE_MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inline_limit_has_a_ceiling() {
        assert_eq!(inline_limit(None), 30_000);
        assert_eq!(inline_limit(Some("50000")), 50_000);
        assert_eq!(inline_limit(Some("99999999")), 150_000);
        assert_eq!(inline_limit(Some("0")), 30_000);
        assert_eq!(inline_limit(Some("-5")), 30_000);
        assert_eq!(inline_limit(Some("many")), 30_000);
    }
}
