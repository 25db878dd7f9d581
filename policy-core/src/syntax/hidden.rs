//! Characters a terminal hides or shows as something else.
//!
//! Controls and direction marks are never harmless: the text a person approves must be the text that runs. Spaces that are no blanks
//! of the shell, and joiners that emoji need, are suspicious only outside quotes, where the reader asks for each literal run.

use alloc::{format, vec::Vec};

use crate::{
    command::model::{Hazard, HazardKind},
    sorted,
    span::Span,
};

/// Whether a character is a hazard wherever it stands.
fn hides(letter: char) -> bool {
    match letter {
        '\t' | '\n' => false,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'
        | '\u{2029}' => true,
        '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' => true,
        '\u{e0000}'..='\u{e007f}' => true,
        _ => false,
    }
}

/// Whether a character is a hazard outside quotes only.
pub(super) fn hides_outside_quotes(letter: char) -> bool {
    matches!(
        letter,
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{200c}' | '\u{200d}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
            | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{2800}' | '\u{fe00}'..='\u{fe0f}'
    )
}

/// The hazards of a text, with those the reader found outside quotes, in order.
pub(super) fn find(text: &str, outside: &[Span]) -> Vec<Hazard> {
    let mut found: Vec<Span> = outside.to_vec();
    let plain = text
        .bytes()
        .all(|byte| matches!(byte, b'\t' | b'\n' | b' '..=b'~'));
    if !plain {
        let places = text.char_indices().filter(|(_, letter)| hides(*letter));
        found.extend(places.map(|(at, letter)| Span::new(at, at + letter.len_utf8())));
    }
    sorted::sort(&mut found);
    found.dedup();
    let name = |span: &Span| span.slice(text).chars().next().map_or(0, u32::from);
    found
        .iter()
        .map(|span| Hazard {
            kind: HazardKind::HiddenCharacter,
            span: *span,
            what: format!("U+{:04X}", name(span)),
        })
        .collect()
}
