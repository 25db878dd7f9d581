//! JSON texts to the types of the wire, as strictly as `serde_json` reads them and with its words for what is wrong.
//!
//! The derived readers are compiled against this one type, which gives each only what it asks for (an object for a struct, a text for
//! a name); `serde_json` gives them more and brings the arithmetic of floating point with it, and a web page has to load all of that.
//! Numbers are whole: nothing on the wire is another, and one that is another is refused by name.

use alloc::{
    borrow::Cow,
    boxed::Box,
    format,
    string::{String, ToString},
};
use core::fmt::{self, Display};

use serde::{
    Deserialize,
    de::{self, Error as _, Expected, Unexpected, Visitor},
};

use derived::Items;

mod derived;

/// Most objects and lists in one another.
const MAX_DEPTH: u8 = 127;

/// Reads a JSON text.
///
/// # Errors
/// In words, what is wrong and where.
pub fn read<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, String> {
    let mut reader = Reader {
        text,
        at: 0,
        depth: 0,
    };
    let value = T::deserialize(&mut reader).and_then(|value| match reader.peek() {
        None => Ok(value),
        Some(_) => {
            reader.at += 1;
            Err(Fault::custom("trailing characters"))
        }
    });
    value.map_err(|fault| reader.describe(&fault))
}

/// What is wrong.
#[derive(Debug)]
#[expect(
    clippy::box_collection,
    reason = "one word: every result of a reader moves it"
)]
struct Fault(Box<String>);

impl Display for Fault {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

impl core::error::Error for Fault {}

impl de::Error for Fault {
    #[inline(never)]
    fn custom<T: Display>(message: T) -> Self {
        Self(Box::new(message.to_string()))
    }

    #[inline(never)]
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        mismatch("type", found, expected)
    }

    #[inline(never)]
    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        mismatch("value", found, expected)
    }
}

fn mismatch(what: &str, found: Unexpected<'_>, expected: &dyn Expected) -> Fault {
    let found = match found {
        Unexpected::Bool(value) => format!("boolean `{value}`"),
        Unexpected::Unsigned(value) => format!("integer `{value}`"),
        Unexpected::Signed(value) => format!("integer `{value}`"),
        Unexpected::Str(value) => format!("string {value:?}"),
        Unexpected::Unit => "null".into(),
        Unexpected::Seq => "sequence".into(),
        Unexpected::Map => "map".into(),
        Unexpected::UnitVariant => "unit variant".into(),
        Unexpected::NewtypeVariant => "newtype variant".into(),
        Unexpected::Other(other) => other.into(),
        _ => String::from("value"),
    };
    Fault::custom(format_args!("invalid {what}: {found}, expected {expected}"))
}

/// A place in a text.
struct Reader<'de> {
    text: &'de str,
    at: usize,
    /// Of objects and lists around it.
    depth: u8,
}

/// A value that is no object and no list.
enum Scalar<'de> {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Text(Cow<'de, str>),
}

impl<'de> Reader<'de> {
    /// The fault with its place.
    fn describe(&self, fault: &Fault) -> String {
        let read = self.text.as_bytes().get(..self.at).unwrap_or_default();
        let line = read.split(|byte| *byte == b'\n').count();
        let column = read.rsplit(|byte| *byte == b'\n').next();
        format!(
            "{fault} at line {line} column {}",
            column.map_or(0, <[u8]>::len)
        )
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte that is no white space.
    #[inline(never)]
    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.byte() {
            self.at += 1;
        }
        self.byte()
    }

    /// A fault at the byte that comes next.
    #[inline(never)]
    fn fault(&mut self, message: &str) -> Fault {
        if self.byte().is_some() {
            self.at += 1;
        }
        Fault::custom(message)
    }

    fn end(&mut self, end: &str, other: &str) -> Fault {
        let message = if self.byte().is_none() { end } else { other };
        self.fault(message)
    }

    fn word(&mut self, word: &str) -> Result<(), Fault> {
        for byte in word.bytes() {
            if self.byte() != Some(byte) {
                return Err(self.end("EOF while parsing a value", "expected ident"));
            }
            self.at += 1;
        }
        Ok(())
    }

    /// A value; the byte it begins with where it is an object or a list, which is left to read.
    #[inline(never)]
    fn scalar(&mut self) -> Result<Result<Scalar<'de>, u8>, Fault> {
        Ok(Ok(match self.peek() {
            Some(begin @ (b'{' | b'[')) => return Ok(Err(begin)),
            Some(b'"') => Scalar::Text(self.string()?),
            Some(b'n') => self.word("null").map(|()| Scalar::Null)?,
            Some(b't') => self.word("true").map(|()| Scalar::Bool(true))?,
            Some(b'f') => self.word("false").map(|()| Scalar::Bool(false))?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => return Err(self.end("EOF while parsing a value", "expected value")),
        }))
    }

    fn number(&mut self) -> Result<Scalar<'de>, Fault> {
        let start = self.at;
        let is_negative = self.byte() == Some(b'-');
        self.at += usize::from(is_negative);
        let mut value = Some(0_u64);
        let first = self.at;
        while let Some(digit @ b'0'..=b'9') = self.byte() {
            if self.at > first && self.text.as_bytes().get(first) == Some(&b'0') {
                return Err(self.fault("invalid number"));
            }
            let shifted = value.and_then(|value| value.checked_mul(10));
            value = shifted.and_then(|value| value.checked_add(u64::from(digit - b'0')));
            self.at += 1;
        }
        if self.at == first {
            return Err(self.end("EOF while parsing a value", "invalid number"));
        }
        let is_whole = !matches!(self.byte(), Some(b'.' | b'e' | b'E'));
        let whole = value.filter(|_| is_whole).and_then(|value| {
            if is_negative {
                0_i64.checked_sub_unsigned(value).map(Scalar::Signed)
            } else {
                Some(Scalar::Unsigned(value))
            }
        });
        whole.ok_or_else(|| {
            while let Some(b'.' | b'e' | b'E' | b'+' | b'-' | b'0'..=b'9') = self.byte() {
                self.at += 1;
            }
            let number = self.text.get(start..self.at).unwrap_or_default();
            Fault::custom(format_args!("`{number}` is no whole number of 64 bits"))
        })
    }

    fn string(&mut self) -> Result<Cow<'de, str>, Fault> {
        self.at += 1;
        let mut start = self.at;
        let mut text = String::new();
        loop {
            match self.byte() {
                Some(end @ (b'"' | b'\\')) => {
                    let part = self.text.get(start..self.at).unwrap_or_default();
                    self.at += 1;
                    if end == b'"' && text.is_empty() {
                        return Ok(Cow::Borrowed(part));
                    }
                    text.push_str(part);
                    if end == b'"' {
                        return Ok(Cow::Owned(text));
                    }
                    text.push(self.escape()?);
                    start = self.at;
                }
                Some(0..0x20) => {
                    return Err(self.fault(
                        "control character (\\u0000-\\u001F) found while parsing a string",
                    ));
                }
                Some(_) => self.at += 1,
                None => return Err(self.fault("EOF while parsing a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let plain = match self.byte() {
            Some(same @ (b'"' | b'\\' | b'/')) => char::from(same),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode();
            }
            _ => return Err(self.end("EOF while parsing a string", "invalid escape")),
        };
        self.at += 1;
        Ok(plain)
    }

    fn unicode(&mut self) -> Result<char, Fault> {
        let high = self.unit()?;
        if !(0xd800..0xdc00).contains(&high) {
            let lone = "lone leading surrogate in hex escape";
            return char::from_u32(high).ok_or_else(|| Fault::custom(lone));
        }
        if self.byte() != Some(b'\\') {
            return Err(self.end("EOF while parsing a string", "unexpected end of hex escape"));
        }
        self.at += 1;
        if self.byte() != Some(b'u') {
            return Err(self.end("EOF while parsing a string", "unexpected end of hex escape"));
        }
        self.at += 1;
        let low = self.unit()?;
        let both = low
            .checked_sub(0xdc00)
            .filter(|low| *low < 0x400)
            .and_then(|low| char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + low));
        both.ok_or_else(|| Fault::custom("lone leading surrogate in hex escape"))
    }

    fn unit(&mut self) -> Result<u32, Fault> {
        let Some(digits) = self.text.as_bytes().get(self.at..self.at + 4) else {
            self.at = self.text.len();
            return Err(self.fault("EOF while parsing a string"));
        };
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        let unit = digits
            .iter()
            .try_fold(0, |unit, byte| Some(unit * 16 + digit(byte)?));
        self.at += 4;
        unit.ok_or_else(|| Fault::custom("invalid escape"))
    }

    /// Goes into an object or a list.
    #[inline(never)]
    fn enter(&mut self) -> Result<(), Fault> {
        if self.depth >= MAX_DEPTH {
            return Err(self.fault("recursion limit exceeded"));
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    /// Goes out of one.
    #[inline(never)]
    fn leave(&mut self, end: u8) -> Result<(), Fault> {
        self.depth -= 1;
        match self.peek() {
            Some(byte) if byte == end => {
                self.at += 1;
                Ok(())
            }
            _ => Err(self.end("EOF while parsing a value", "trailing characters")),
        }
    }

    /// Whether there is another item before `end`.
    #[inline(never)]
    fn more(&mut self, is_first: &mut bool, end: u8) -> Result<bool, Fault> {
        let (eof, wanted) = if end == b']' {
            ("EOF while parsing a list", "expected `,` or `]`")
        } else {
            ("EOF while parsing an object", "expected `,` or `}`")
        };
        match self.peek() {
            Some(byte) if byte == end => return Ok(false),
            Some(b',') if !*is_first => {
                self.at += 1;
                if self.peek() == Some(end) {
                    return Err(self.fault("trailing comma"));
                }
            }
            Some(_) if *is_first => {}
            _ => return Err(self.end(eof, wanted)),
        }
        *is_first = false;
        if self.peek().is_none() {
            return Err(self.fault("EOF while parsing a value"));
        }
        Ok(true)
    }

    /// The key of an object.
    #[inline(never)]
    fn key(&mut self) -> Result<Cow<'de, str>, Fault> {
        if self.peek() != Some(b'"') {
            return Err(self.fault("key must be a string"));
        }
        self.string()
    }

    #[inline(never)]
    fn colon(&mut self) -> Result<(), Fault> {
        if self.peek() != Some(b':') {
            return Err(self.end("EOF while parsing an object", "expected `:`"));
        }
        self.at += 1;
        Ok(())
    }

    /// The value that comes is not what was expected.
    #[inline(never)]
    fn unexpected(&mut self, expected: &dyn Expected) -> Fault {
        let found = match self.scalar() {
            Err(fault) => return fault,
            Ok(found) => found,
        };
        let found = match &found {
            Ok(Scalar::Null) => Unexpected::Unit,
            Ok(Scalar::Bool(value)) => Unexpected::Bool(*value),
            Ok(Scalar::Unsigned(value)) => Unexpected::Unsigned(*value),
            Ok(Scalar::Signed(value)) => Unexpected::Signed(*value),
            Ok(Scalar::Text(text)) => Unexpected::Str(text),
            Err(b'[') => Unexpected::Seq,
            Err(_) => Unexpected::Map,
        };
        Fault::invalid_type(found, expected)
    }

    fn object<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Fault> {
        self.enter()?;
        let value = visitor.visit_map(Items {
            reader: self,
            is_first: true,
        })?;
        self.leave(b'}')?;
        Ok(value)
    }

    fn list<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Fault> {
        self.enter()?;
        let value = visitor.visit_seq(Items {
            reader: self,
            is_first: true,
        })?;
        self.leave(b']')?;
        Ok(value)
    }
}

#[cfg(test)]
mod tests;
