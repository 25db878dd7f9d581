//! Hostile text to text that a terminal shows and does not obey.
//!
//! A command is chosen by a model or an attacker: its escapes could repaint an approval prompt, its bidirectional and
//! invisible characters could hide what runs. All of them become visible; offsets can be carried over.

use std::ops::Range;

use policy_core::Span;

/// Text made safe, line breaks kept.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Safe {
    text: String,
    /// For each replacement: where it ended in the original, and how much longer the text was then.
    shifts: Vec<(usize, isize)>,
}

impl Safe {
    pub(super) fn new(text: &str) -> Self {
        let mut safe = Self::default();
        for (at, c) in text.char_indices() {
            match shown(c) {
                None => safe.text.push(c),
                Some(instead) => {
                    safe.text.push_str(&instead);
                    let end = at + c.len_utf8();
                    safe.shifts
                        .push((end, safe.text.len() as isize - end as isize));
                }
            }
        }
        safe
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Where a span of the original lies now.
    pub(super) fn range(&self, span: Span) -> Range<usize> {
        let start = self.offset(span.start as usize);
        start..self.offset(span.end as usize).max(start)
    }

    fn offset(&self, byte: usize) -> usize {
        let passed = self.shifts.partition_point(|(end, _)| *end <= byte);
        let shift = passed
            .checked_sub(1)
            .and_then(|last| self.shifts.get(last))
            .map_or(0, |(_, shift)| *shift);
        byte.saturating_add_signed(shift).min(self.text.len())
    }
}

/// Text made safe, on one line.
pub(super) fn line(text: &str) -> String {
    Safe::new(text).text.replace('\n', "␊")
}

/// What to show in place of a character, if it cannot be shown as it is.
fn shown(c: char) -> Option<String> {
    match c {
        '\n' => None,
        '\0'..='\x1f' => char::from_u32(0x2400 + c as u32).map(String::from),
        '\x7f' => Some("␡".to_owned()),
        // C1 controls, soft hyphen, Arabic letter mark, fillers, zero width and bidirectional marks, line and paragraph
        // separators, interlinear marks, tags, variation selectors: nothing of these is seen, or it moves what is.
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' => Some(format!("<U+{:04X}>", c as u32)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        assert_eq!(line("a\x1b[2Jb\x07\x7f"), "a␛[2Jb␇␡");
        assert_eq!(
            line("a\u{202e}b\u{200b}\u{85}"),
            "a<U+202E>b<U+200B><U+0085>"
        );
        assert_eq!(line("a\r\nb\té"), "a␍␊b␉é");
    }

    #[test]
    fn spans_follow_the_text() {
        let text = "\x1bls \u{202e}x y";
        let safe = Safe::new(text);
        for word in ["ls", "x", "y"] {
            let at = text.find(word).expect("there");
            let range = safe.range(Span::new(at, at + word.len()));
            assert_eq!(safe.text().get(range), Some(word));
        }
        assert_eq!(safe.range(Span::new(0, text.len())), 0..safe.text().len());
    }
}
