//! The other case of a letter, as `char` knows it: the tables of `core` are 20 KB, these, which the build script makes of them, are 5.
//!
//! Where a letter has several in the other case, the first counts.

/// First letter, twice the last one (and one more where only every other letter is meant), distance to the other case.
type Stretch = (u32, u32, u32);

include!(concat!(env!("OUT_DIR"), "/case.rs"));

/// The small letter of a capital one; any other as it is.
pub(super) fn lower(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_lowercase();
    }
    other(LOWER, letter)
}

/// The capital letter of a small one; any other as it is.
pub(super) fn upper(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_uppercase();
    }
    other(UPPER, letter)
}

fn other(stretches: &[Stretch], letter: char) -> char {
    let code = u32::from(letter);
    let at = stretches.partition_point(|(_, last, _)| last / 2 < code);
    match stretches.get(at) {
        Some((first, last, distance)) if *first <= code && (code - first) % (last % 2 + 1) == 0 => {
            char::from_u32(code.wrapping_add(*distance)).unwrap_or(letter)
        }
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_has_the_case_that_core_says() {
        for letter in '\0'..=char::MAX {
            assert_eq!(Some(lower(letter)), letter.to_lowercase().next());
            assert_eq!(Some(upper(letter)), letter.to_uppercase().next());
            // What a class is compared with: of a small letter the capital one, of any other the small one.
            if lower(letter) == letter && upper(letter) != letter {
                assert!(letter.is_lowercase(), "{letter}");
            }
            if letter.is_lowercase() {
                assert_eq!(lower(letter), letter);
            }
        }
    }
}
