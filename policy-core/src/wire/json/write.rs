//! Values to JSON texts, as `serde_json` writes them, byte for byte.
//!
//! What a derived writer calls is one function for all types, so that a field costs its name and the value's own writer. Where a comma
//! belongs, the text tells: everywhere but behind an opening brace or bracket, for a text ends in a quote.

use alloc::string::{String, ToString};
use core::fmt::{self, Display};

use serde::{
    Serialize, Serializer,
    ser::{
        self, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
        SerializeTupleStruct, SerializeTupleVariant,
    },
};

/// Writes a value.
#[must_use]
pub fn write<T: Serialize + ?Sized>(value: &T) -> String {
    let mut writer = Writer {
        text: String::new(),
    };
    match value.serialize(&mut writer) {
        Ok(()) => writer.text,
        Err(never) => match never {},
    }
}

/// Why a value of the wire could not be written: there is no reason.
#[derive(Debug)]
enum Never {}

impl Display for Never {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl core::error::Error for Never {}

impl ser::Error for Never {
    fn custom<T: Display>(message: T) -> Self {
        unreachable!("no type of the wire refuses to be written: {message}")
    }
}

struct Writer {
    text: String,
}

impl Writer {
    #[inline(never)]
    fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }

    #[inline(never)]
    fn comma(&mut self) {
        if !self.text.ends_with(['{', '[']) {
            self.text.push(',');
        }
    }

    #[inline(never)]
    fn string(&mut self, value: &str) {
        self.text.push('"');
        for letter in value.chars() {
            let escape = match letter {
                '"' | '\\' => letter,
                '\u{8}' => 'b',
                '\u{c}' => 'f',
                '\n' => 'n',
                '\r' => 'r',
                '\t' => 't',
                '\0'..' ' => 'u',
                _ => {
                    self.text.push(letter);
                    continue;
                }
            };
            self.text.push('\\');
            self.text.push(escape);
            if escape == 'u' {
                let code = u32::from(letter);
                self.text.push_str(if code < 16 { "000" } else { "001" });
                self.text.extend(char::from_digit(code % 16, 16));
            }
        }
        self.text.push('"');
    }

    #[inline(never)]
    fn key(&mut self, key: &str) {
        self.comma();
        self.string(key);
        self.text.push(':');
    }

    #[inline(never)]
    fn number(&mut self, value: u64) {
        self.text.push_str(&value.to_string());
    }

    /// Begins the object that a variant with a value is.
    #[inline(never)]
    fn variant(&mut self, name: &str, begin: &str) {
        self.raw("{");
        self.key(name);
        self.raw(begin);
    }
}

type Done = Result<(), Never>;

impl<'a> Serializer for &'a mut Writer {
    type Ok = ();
    type Error = Never;
    type SerializeSeq = Inside<'a>;
    type SerializeTuple = Inside<'a>;
    type SerializeTupleStruct = Inside<'a>;
    type SerializeTupleVariant = Inside<'a>;
    type SerializeMap = Inside<'a>;
    type SerializeStruct = Inside<'a>;
    type SerializeStructVariant = Inside<'a>;

    fn serialize_bool(self, value: bool) -> Done {
        self.raw(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_i8(self, value: i8) -> Done {
        self.serialize_i64(value.into())
    }

    fn serialize_i16(self, value: i16) -> Done {
        self.serialize_i64(value.into())
    }

    fn serialize_i32(self, value: i32) -> Done {
        self.serialize_i64(value.into())
    }

    fn serialize_i64(self, value: i64) -> Done {
        if value < 0 {
            self.raw("-");
        }
        self.number(value.unsigned_abs());
        Ok(())
    }

    fn serialize_u8(self, value: u8) -> Done {
        self.serialize_u64(value.into())
    }

    fn serialize_u16(self, value: u16) -> Done {
        self.serialize_u64(value.into())
    }

    fn serialize_u32(self, value: u32) -> Done {
        self.serialize_u64(value.into())
    }

    fn serialize_u64(self, value: u64) -> Done {
        self.number(value);
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Done {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Done {
        if !value.is_finite() {
            return self.serialize_unit();
        }
        self.raw(&alloc::format!("{value:?}"));
        Ok(())
    }

    fn serialize_char(self, value: char) -> Done {
        self.string(value.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Done {
        self.string(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Done {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Done {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Done {
        self.raw("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Done {
        self.serialize_str(name)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Done {
        self.variant(name, "");
        value.serialize(&mut *self)?;
        self.raw("}");
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Inside<'a>, Never> {
        self.raw("[");
        Ok(Inside(self, "]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Inside<'a>, Never> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Inside<'a>, Never> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Inside<'a>, Never> {
        self.variant(name, "[");
        Ok(Inside(self, "]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Inside<'a>, Never> {
        self.raw("{");
        Ok(Inside(self, "}"))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Inside<'a>, Never> {
        self.serialize_map(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Inside<'a>, Never> {
        self.variant(name, "{");
        Ok(Inside(self, "}}"))
    }
}

/// Inside a list or an object, and what ends it.
struct Inside<'a>(&'a mut Writer, &'static str);

impl Inside<'_> {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        self.0.comma();
        value.serialize(&mut *self.0)
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Done {
        self.0.key(key);
        value.serialize(&mut *self.0)
    }

    fn leave(self) -> Done {
        self.0.raw(self.1);
        Ok(())
    }
}

/// The traits that differ in nothing but their names.
macro_rules! inside {
    ($($trait:ident: $item:ident;)*) => {
        $(impl $trait for Inside<'_> {
            type Ok = ();
            type Error = Never;

            fn $item<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
                self.item(value)
            }

            fn end(self) -> Done {
                self.leave()
            }
        })*
    };
    ($($trait:ident;)*) => {
        $(impl $trait for Inside<'_> {
            type Ok = ();
            type Error = Never;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Done {
                self.field(key, value)
            }

            fn end(self) -> Done {
                self.leave()
            }
        })*
    };
}

inside! {
    SerializeSeq: serialize_element;
    SerializeTuple: serialize_element;
    SerializeTupleStruct: serialize_field;
    SerializeTupleVariant: serialize_field;
}

inside! {
    SerializeStruct;
    SerializeStructVariant;
}

impl SerializeMap for Inside<'_> {
    type Ok = ();
    type Error = Never;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        let written = write(key);
        // A key is a text; a number becomes one.
        let bare = written
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'));
        self.0.comma();
        self.0.raw("\"");
        self.0.raw(bare.unwrap_or(&written));
        self.0.raw("\":");
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        value.serialize(&mut *self.0)
    }

    fn end(self) -> Done {
        self.leave()
    }
}
