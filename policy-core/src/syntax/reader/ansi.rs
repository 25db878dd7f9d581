//! `$'…'`: the escapes of ANSI-C quoting.
//!
//! Gives the text bash would pass, or a part of unknown value where that depends on the version or the locale: a NUL (bash drops
//! the rest), bytes that are no UTF-8, `\x{…}`.

use alloc::{string::String, vec::Vec};

use crate::syntax::ast::Part;

use super::Reader;

impl Reader<'_> {
    /// At the quote after the `$`; `start` is the place of the `$`.
    pub(super) fn ansi_quoted(&mut self, start: usize) -> Part {
        self.bump();
        let inside = self.pos;
        loop {
            match self.raw(0) {
                None => {
                    self.fail("a quote opened with `$'` is not closed", start);
                    break;
                }
                Some(b'\'') => break,
                Some(b'\\') => self.pos += if self.raw(1).is_some() { 2 } else { 1 },
                Some(_) => self.pos += 1,
            }
        }
        let close = self.pos.min(self.end);
        self.steps(close - inside);
        self.node();
        let value = decode(self.slice(inside, close));
        if !self.failed() {
            self.pos += 1;
        }
        let span = self.span_from(start);
        match value {
            Some(text) => Part::Quoted(text, span),
            None => Part::Opaque(
                "ANSI-C quoting with a value that depends on the shell",
                span,
            ),
        }
    }
}

/// The value of the text between the quotes.
fn decode(text: &str) -> Option<String> {
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes().iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let Some(escape) = rest.next() else {
            out.push(b'\\');
            break;
        };
        let mut digits = |most: usize, radix: u32, from: u32| {
            let mut value = from;
            let mut count = 0;
            while count < most {
                let Some(digit) = rest
                    .peek()
                    .and_then(|byte| char::from(*byte).to_digit(radix))
                else {
                    break;
                };
                value = value.wrapping_mul(radix).wrapping_add(digit);
                rest.next();
                count += 1;
            }
            (count > 0).then_some(value)
        };
        let value = match escape {
            b'a' => 7,
            b'b' => 8,
            b'e' | b'E' => 27,
            b'f' => 12,
            b'n' => 10,
            b'r' => 13,
            b't' => 9,
            b'v' => 11,
            b'\\' | b'\'' | b'"' | b'?' => u32::from(escape),
            b'0'..=b'7' => {
                let first = u32::from(escape - b'0');
                digits(2, 8, first).unwrap_or(first)
            }
            b'x' => digits(2, 16, 0)?,
            b'u' | b'U' => {
                let code = digits(if escape == b'u' { 4 } else { 8 }, 16, 0)?;
                let letter = char::from_u32(code).filter(|letter| *letter != '\0')?;
                out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            b'c' => {
                let letter = rest.next().filter(u8::is_ascii_alphabetic)?;
                u32::from(letter.to_ascii_lowercase() & 0x1f)
            }
            _ => {
                out.push(b'\\');
                out.push(escape);
                continue;
            }
        };
        let value = u8::try_from(value & 0xff)
            .ok()
            .filter(|value| *value != 0)?;
        out.push(value);
    }
    String::from_utf8(out).ok()
}
