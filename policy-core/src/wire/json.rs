//! JSON texts to the types of the wire, as strictly as `serde_json` reads them and with its words for what is wrong.
//!
//! Each type says in `shapes` which keys it has and where their values go; the work is done here, once for all of them. Readers derived by
//! serde are compiled anew for each type, and a web page has to load them. A test holds that both read alike.
//! Numbers are whole: nothing on the wire is another, and one that is another is refused by name.

use alloc::{borrow::Cow, boxed::Box, format, string::String};

mod shapes;
mod values;
mod write;

pub use write::write;

/// Most objects and lists in one another.
const MAX_DEPTH: u8 = 127;

/// What can be read.
pub(crate) trait Read: Sized {
    /// One that nothing was read into.
    fn blank() -> Self;

    /// Reads the value that comes into a blank one.
    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault>;
}

/// What reads the value of an item: it is told its key, or the position of that.
type Item<'a, 'de, Key> = &'a mut dyn FnMut(Key, &mut Reader<'de>) -> Result<(), Fault>;

/// Reads a JSON text.
///
/// # Errors
/// In words, what is wrong and where.
pub(crate) fn read<T: Read>(text: &str) -> Result<T, String> {
    let mut reader = Reader {
        text,
        at: 0,
        depth: 0,
    };
    let mut value = T::blank();
    let read = value.read(&mut reader).and_then(|()| reader.finish());
    match read {
        Ok(()) => Ok(value),
        Err(fault) => Err(reader.describe(&fault)),
    }
}

/// What is wrong, in words.
#[derive(Debug)]
#[expect(
    clippy::box_collection,
    reason = "one word: every result of a reader moves it"
)]
pub(crate) struct Fault(Box<String>);

impl Fault {
    #[inline(never)]
    fn new(message: &str) -> Self {
        Self(Box::new(message.into()))
    }
}

/// A place in a text.
pub(crate) struct Reader<'de> {
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
        let (fault, column) = (&fault.0, column.map_or(0, <[u8]>::len));
        format!("{fault} at line {line} column {column}")
    }

    /// Nothing may follow.
    fn finish(&mut self) -> Result<(), Fault> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.fault("trailing characters")),
        }
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
        Fault::new(message)
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
            Fault::new(&format!("`{number}` is no whole number of 64 bits"))
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
            return char::from_u32(high).ok_or_else(|| Fault::new(lone));
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
        both.ok_or_else(|| Fault::new("lone leading surrogate in hex escape"))
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
        unit.ok_or_else(|| Fault::new("invalid escape"))
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
    fn unexpected(&mut self, expected: &str) -> Fault {
        let found = match self.scalar() {
            Err(fault) => return fault,
            Ok(found) => found,
        };
        let found = match found {
            Ok(Scalar::Null) => "null".into(),
            Ok(Scalar::Bool(value)) => format!("boolean `{value}`"),
            Ok(Scalar::Unsigned(value)) => format!("integer `{value}`"),
            Ok(Scalar::Signed(value)) => format!("integer `{value}`"),
            Ok(Scalar::Text(text)) => format!("string {}", write(&text)),
            Err(b'[') => "sequence".into(),
            Err(_) => String::from("map"),
        };
        Fault::new(&format!("invalid type: {found}, expected {expected}"))
    }

    /// Whether null comes, which is read then.
    fn null(&mut self) -> Result<bool, Fault> {
        let is_null = self.peek() == Some(b'n');
        if is_null {
            self.word("null")?;
        }
        Ok(is_null)
    }

    fn text(&mut self) -> Result<Cow<'de, str>, Fault> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a string"));
        }
        self.string()
    }

    /// A list; each of its items is read by `item`.
    #[inline(never)]
    fn list(&mut self, item: &mut dyn FnMut(&mut Self) -> Result<(), Fault>) -> Result<(), Fault> {
        if self.peek() != Some(b'[') {
            return Err(self.unexpected("a sequence"));
        }
        self.enter()?;
        let mut is_first = true;
        while self.more(&mut is_first, b']')? {
            item(self)?;
        }
        self.leave(b']')
    }

    /// An object of any keys; the value of each is read by `item`.
    #[inline(never)]
    fn map(&mut self, expected: &str, item: Item<'_, 'de, Cow<'de, str>>) -> Result<(), Fault> {
        if self.peek() != Some(b'{') {
            return Err(self.unexpected(expected));
        }
        self.enter()?;
        let mut is_first = true;
        while self.more(&mut is_first, b'}')? {
            let key = self.key()?;
            item(key, self)?;
        }
        self.leave(b'}')
    }

    /// An object of these keys, each at most once; those of `needed`, a bit each, have to be there. The value of each is read by
    /// `item`, which is told the position of its key.
    #[inline(never)]
    fn object(
        &mut self,
        expected: &str,
        keys: &str,
        needed: u32,
        item: Item<'_, 'de, usize>,
    ) -> Result<(), Fault> {
        if self.peek() != Some(b'{') {
            return Err(self.unexpected(expected));
        }
        self.enter()?;
        let (mut is_first, mut seen) = (true, 0_u32);
        while self.more(&mut is_first, b'}')? {
            let key = self.key()?;
            let position = position(keys, &key).ok_or_else(|| unknown("field", &key, keys))?;
            if seen & 1 << position != 0 {
                return Err(Fault::new(&format!("duplicate field `{key}`")));
            }
            seen |= 1 << position;
            self.colon()?;
            item(position, self)?;
        }
        for (position, key) in keys.split(' ').enumerate() {
            if needed & !seen & 1 << position != 0 {
                return Err(Fault::new(&format!("missing field `{key}`")));
            }
        }
        self.leave(b'}')
    }

    /// One of these names, by its position: a text, or an object with the name as its only key. A name with a value has it read by
    /// `value`; for one without, nothing or null is its value.
    #[inline(never)]
    fn name(&mut self, names: &str, value: Option<Item<'_, 'de, usize>>) -> Result<usize, Fault> {
        let begin = self.peek();
        match begin {
            Some(b'"') => {}
            Some(b'{') => self.enter()?,
            _ => return Err(self.end("EOF while parsing a value", "expected value")),
        }
        let name = self.key()?;
        let position = position(names, &name).ok_or_else(|| unknown("variant", &name, names))?;
        match (begin, value) {
            (Some(b'{'), value) => {
                self.colon()?;
                match value {
                    Some(value) => value(position, self)?,
                    None if self.null()? => {}
                    None => return Err(self.unexpected("unit")),
                }
                self.leave(b'}')?;
            }
            (_, Some(_)) => {
                return Err(Fault::new(
                    "invalid type: unit variant, expected newtype variant",
                ));
            }
            (_, None) => {}
        }
        Ok(position)
    }
}

/// The position of a name in a list of them: those that begin with `=` are others for the one before.
fn position(names: &str, wanted: &str) -> Option<usize> {
    let mut position = 0;
    for (at, name) in names.split(' ').enumerate() {
        let other = name.strip_prefix('=');
        position += usize::from(at > 0 && other.is_none());
        if other.unwrap_or(name) == wanted {
            return Some(position);
        }
    }
    None
}

fn unknown(what: &str, found: &str, names: &str) -> Fault {
    let mut message = format!("unknown {what} `{found}`, expected ");
    let count = names.split(' ').count();
    if count > 2 {
        message.push_str("one of ");
    }
    for (at, name) in names.split(' ').enumerate() {
        if at > 0 {
            message.push_str(if count > 2 { ", " } else { " or " });
        }
        message.push('`');
        message.push_str(name.strip_prefix('=').unwrap_or(name));
        message.push('`');
    }
    Fault::new(&message)
}

#[cfg(test)]
mod tests;
