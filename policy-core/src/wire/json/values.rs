//! Values of every type: texts, numbers, lists, maps, what may be missing, and JSON that is kept as it is.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use serde_json::{Map, Value};

use super::{Fault, Read, Reader, Scalar};

impl Read for String {
    fn blank() -> Self {
        Self::new()
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        *self = from.text()?.into_owned();
        Ok(())
    }
}

impl Read for bool {
    fn blank() -> Self {
        false
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        *self = from.peek() == Some(b't');
        match from.peek() {
            Some(b't') => from.word("true"),
            Some(b'f') => from.word("false"),
            _ => Err(from.unexpected("a boolean")),
        }
    }
}

impl Read for u64 {
    fn blank() -> Self {
        0
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        *self = from.unsigned("u64", Self::MAX)?;
        Ok(())
    }
}

impl Read for u32 {
    fn blank() -> Self {
        0
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        *self = from.unsigned("u32", Self::MAX.into())? as Self;
        Ok(())
    }
}

impl Read for i64 {
    fn blank() -> Self {
        0
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        if from.peek() == Some(b'-') {
            if let Scalar::Signed(value) = from.number()? {
                *self = value;
            }
            return Ok(());
        }
        *self = from.unsigned("i64", Self::MAX as u64)? as Self;
        Ok(())
    }
}

impl Reader<'_> {
    fn unsigned(&mut self, expected: &str, most: u64) -> Result<u64, Fault> {
        if let Some(b'0'..=b'9') = self.peek()
            && let Scalar::Unsigned(value) = self.number()?
        {
            if value > most {
                let found = format!("invalid value: integer `{value}`, expected {expected}");
                return Err(Fault::new(&found));
            }
            return Ok(value);
        }
        Err(self.unexpected(expected))
    }
}

impl<T: Read> Read for Option<T> {
    fn blank() -> Self {
        None
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        if from.null()? {
            return Ok(());
        }
        self.insert(T::blank()).read(from)
    }
}

impl<T: Read> Read for Vec<T> {
    fn blank() -> Self {
        Self::new()
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        from.list(&mut |from| {
            let mut item = T::blank();
            item.read(from)?;
            self.push(item);
            Ok(())
        })
    }
}

impl<T: Read> Read for BTreeMap<String, T> {
    fn blank() -> Self {
        Self::new()
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        from.map("a map", &mut |key, from| {
            from.colon()?;
            let mut value = T::blank();
            value.read(from)?;
            self.insert(key.into_owned(), value);
            Ok(())
        })
    }
}

impl Read for Value {
    fn blank() -> Self {
        Self::Null
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        *self = match from.scalar()? {
            Ok(Scalar::Null) => Self::Null,
            Ok(Scalar::Bool(value)) => Self::Bool(value),
            Ok(Scalar::Unsigned(value)) => Self::Number(value.into()),
            Ok(Scalar::Signed(value)) => Self::Number(value.into()),
            Ok(Scalar::Text(text)) => Self::String(text.into_owned()),
            Err(b'[') => {
                let mut items = Vec::new();
                items.read(from)?;
                Self::Array(items)
            }
            Err(_) => {
                let mut items = Map::new();
                from.map("", &mut |key, from| {
                    from.colon()?;
                    let mut value = Self::Null;
                    value.read(from)?;
                    items.insert(key.into_owned(), value);
                    Ok(())
                })?;
                Self::Object(items)
            }
        };
        Ok(())
    }
}
