//! Raw terminal output to text: escapes out, carriage-return progress collapsed, other control bytes visible.
//!
//! The result holds no byte below space but newline and tab, and nothing a terminal would act on. A sequence that
//! never ends hides nothing: its introducer is shown and the text after it stays.

/// Text for a model or a person.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cleaned {
    /// The text.
    pub text: String,
    /// The bytes were no valid UTF-8; replacement characters stand for them.
    pub lossy: bool,
    /// Control bytes other than newline, tab and carriage return were shown as pictures.
    pub controls: bool,
}

/// The longest control string (title, link, clipboard) that is taken for one.
const STRING_MOST: usize = 4096;

/// Cleans one piece of output.
pub fn clean(bytes: &[u8]) -> Cleaned {
    let text = String::from_utf8_lossy(bytes);
    let mut screen = Screen::default();
    let mut rest = &text[..];
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        match c {
            '\u{1b}' => match sequence(after) {
                Some((length, erases)) => {
                    screen.erase(erases);
                    rest = &after[length..];
                    continue;
                }
                None => screen.show('\u{241b}', true),
            },
            // The one-byte forms of the introducers.
            '\u{9b}' => match control_sequence(after) {
                Some((length, erases)) => {
                    screen.erase(erases);
                    rest = &after[length..];
                    continue;
                }
                None => screen.show('\u{fffd}', true),
            },
            '\n' => screen.newline(),
            '\r' => screen.returned = true,
            '\t' => screen.show('\t', false),
            '\u{8}' => screen.backspace(),
            '\0'..='\u{1f}' => {
                let picture = char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}');
                screen.show(picture, true);
            }
            '\u{7f}' => screen.show('\u{2421}', true),
            '\u{80}'..='\u{9f}' => screen.show('\u{fffd}', true),
            other => screen.show(other, false),
        }
        rest = after;
    }
    Cleaned {
        text: screen.text,
        lossy: std::str::from_utf8(bytes).is_err(),
        controls: screen.controls,
    }
}

#[derive(Default)]
struct Screen {
    text: String,
    line: usize,
    returned: bool,
    controls: bool,
}

impl Screen {
    fn show(&mut self, c: char, control: bool) {
        if self.returned {
            self.text.truncate(self.line);
            self.returned = false;
        }
        self.controls |= control;
        self.text.push(c);
    }

    fn newline(&mut self) {
        self.returned = false;
        self.text.push('\n');
        self.line = self.text.len();
    }

    fn backspace(&mut self) {
        if self.text.len() > self.line {
            self.text.pop();
        }
    }

    fn erase(&mut self, erases: bool) {
        if erases && self.returned {
            self.text.truncate(self.line);
        }
    }
}

/// The length of the escape sequence after ESC, and whether it erases the line. `None`: it is none.
fn sequence(after: &str) -> Option<(usize, bool)> {
    let first = after.chars().next()?;
    match first {
        '[' => control_sequence(&after[1..]).map(|(length, erases)| (length + 1, erases)),
        ']' | 'P' | 'X' | '^' | '_' => {
            control_string(&after[1..]).map(|length| (length + 1, false))
        }
        // Two-character sequences, with intermediates before the final byte.
        ' '..='/' => {
            let length = after.find(|c: char| !(' '..='/').contains(&c))?;
            after[length..]
                .chars()
                .next()
                .filter(char::is_ascii)
                .map(|_| (length + 1, false))
        }
        '0'..='~' => Some((1, false)),
        _ => None,
    }
}

/// Parameters, intermediates, final byte. One that the text ends in counts as whole: it was cut there.
fn control_sequence(text: &str) -> Option<(usize, bool)> {
    let Some(end) = text.find(|c: char| !(' '..='?').contains(&c)) else {
        return Some((text.len(), false));
    };
    let last = text[end..].chars().next()?;
    ('@'..='~')
        .contains(&last)
        .then_some((end + 1, last == 'K'))
}

fn control_string(text: &str) -> Option<usize> {
    for (at, c) in text.char_indices() {
        match c {
            '\u{7}' | '\u{9c}' => return Some(at + c.len_utf8()),
            '\u{1b}' => return text[at + 1..].starts_with('\\').then_some(at + 2),
            '\n' | '\r' => return None,
            _ if at > STRING_MOST => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> String {
        clean(bytes).text
    }

    #[test]
    fn d11_escapes_go_whatever_their_form() {
        assert_eq!(text(b"\x1b[1;31mred\x1b[0m"), "red");
        assert_eq!(
            text(b"\x1b]0;title\x07a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\"),
            "alink"
        );
        assert_eq!(text(b"\x1b]52;c;ZXZpbA==\x07x"), "x");
        assert_eq!(text(b"\x1b(B\x1b=\x1b7a\x1b8"), "a");
        assert_eq!(text("\u{9b}31mx".as_bytes()), "x");
        assert_eq!(text(b"cut in \x1b[3"), "cut in ");
    }

    #[test]
    fn a_string_that_never_ends_hides_nothing() {
        assert_eq!(text(b"\x1b]0;a\nrm -rf x"), "\u{241b}]0;a\nrm -rf x");
        assert!(text(&[b"\x1bP".to_vec(), vec![b'x'; 10_000]].concat()).len() > 10_000);
    }

    #[test]
    fn d12_progress_collapses_to_its_last_state() {
        let mut raw = Vec::new();
        for i in 0..=1000 {
            raw.extend(format!("\r{i}%").bytes());
        }
        assert_eq!(text(&raw), "1000%");
        assert_eq!(text(b"a\r\nb\r\n"), "a\nb\n");
        assert_eq!(text(b"10%\r100%\r\x1b[Kdone\nnext"), "done\nnext");
        assert_eq!(text(b"100%\r\nx"), "100%\nx");
        assert_eq!(text(b"wait\r\x1b[K\nx"), "\nx");
    }

    #[test]
    fn d08_no_control_byte_is_left() {
        let all: Vec<u8> = (0..=0x7f).filter(|b| *b != 0x1b).collect();
        let cleaned = clean(&all);
        assert!(cleaned.controls);
        assert!(
            cleaned
                .text
                .chars()
                .all(|c| c == '\n' || c == '\t' || !c.is_control()),
            "{:?}",
            cleaned.text
        );
        assert_eq!(text(b"a\0b"), "a\u{2400}b");
    }

    #[test]
    fn d07_invalid_bytes_are_replaced_and_flagged() {
        let cleaned = clean(b"caf\xe9\n");
        assert_eq!(cleaned.text, "caf\u{fffd}\n");
        assert!(cleaned.lossy);
        assert!(!clean("café".as_bytes()).lossy);
    }

    #[test]
    fn overstrike_keeps_the_last_character() {
        assert_eq!(text(b"N\x08NA\x08A"), "NA");
        assert_eq!(text(b"\x08x"), "x");
    }
}
