//! JSON as settings files have it, with the order of keys, every duplicate and the place of each value kept.
//!
//! Comments and trailing commas are taken where the vendor takes them. What is not valid is a fault at its line and column.

use super::Spot;

/// A value and where it begins.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Node {
    /// Where.
    pub(crate) at: Spot,
    /// What.
    pub(crate) value: Json,
    /// Its bytes in the text.
    pub(crate) bytes: std::ops::Range<usize>,
}

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    /// As written.
    Number(String),
    Text(String),
    List(Vec<Node>),
    /// In the order of the file, duplicates too.
    Object(Vec<(Key, Node)>),
}

/// A key and where it begins.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Key {
    pub(crate) at: Spot,
    pub(crate) name: String,
}

impl Node {
    /// The value of a key: of several the last, as `JSON.parse` has it.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.members()
            .iter()
            .rev()
            .find(|(name, _)| name.name == key)
            .map(|(_, value)| value)
    }

    /// The value behind keys one below the other, or behind one key with dots in it.
    pub(crate) fn path(&self, dotted: &str) -> Option<&Node> {
        let nested = dotted.split('.').try_fold(self, |node, key| node.get(key));
        self.get(dotted).or(nested)
    }

    pub(crate) fn members(&self) -> &[(Key, Node)] {
        match &self.value {
            Json::Object(members) => members,
            _ => &[],
        }
    }

    pub(crate) fn items(&self) -> &[Node] {
        match &self.value {
            Json::List(items) => items,
            _ => &[],
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn bool(&self) -> Option<bool> {
        match self.value {
            Json::Bool(value) => Some(value),
            _ => None,
        }
    }
}

/// Reads a document; `lenient` takes comments and trailing commas.
pub(crate) fn read(text: &str, lenient: bool) -> Result<Node, (Spot, String)> {
    let mut reader = Reader {
        text,
        at: if text.starts_with('\u{feff}') { 3 } else { 0 },
        lenient,
        depth: 0,
    };
    reader.blank()?;
    let node = reader.value()?;
    reader.blank()?;
    match reader.peek() {
        None => Ok(node),
        Some(_) => Err(reader.fault("there is text after the end")),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    lenient: bool,
    depth: usize,
}

type Read<T> = Result<T, (Spot, String)>;

impl Reader<'_> {
    fn spot(&self) -> Spot {
        Spot::of(self.text, self.at)
    }

    fn fault(&self, message: &str) -> (Spot, String) {
        (self.spot(), message.to_owned())
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let each = self.peek()?;
        self.at += each.len_utf8();
        Some(each)
    }

    fn blank(&mut self) -> Read<()> {
        loop {
            let rest = self.rest();
            let skipped = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
            self.at += skipped;
            let rest = self.rest();
            if self.lenient && rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if self.lenient && rest.starts_with("/*") {
                match rest.find("*/") {
                    Some(end) => self.at += end + 2,
                    None => return Err(self.fault("this comment is not closed")),
                }
            } else {
                return Ok(());
            }
        }
    }

    fn value(&mut self) -> Read<Node> {
        let (at, from) = (self.spot(), self.at);
        self.depth += 1;
        if self.depth > 100 {
            return Err(self.fault("values are nested too deep"));
        }
        let value = match self.peek() {
            Some('{') => self.object()?,
            Some('[') => self.list()?,
            Some('"') => Json::Text(self.string()?),
            Some('-' | '0'..='9') => {
                let rest = self.rest();
                let end = rest
                    .find(|each: char| !each.is_ascii_alphanumeric() && !"+-.".contains(each))
                    .unwrap_or(rest.len());
                let number = rest.get(..end).unwrap_or_default().to_owned();
                if number.parse::<f64>().is_err() {
                    return Err(self.fault("this is no number"));
                }
                self.at += end;
                Json::Number(number)
            }
            _ => {
                let words = [
                    ("null", Json::Null),
                    ("true", Json::Bool(true)),
                    ("false", Json::Bool(false)),
                ];
                let found = words.into_iter().find(|(word, _)| {
                    let after = self.rest().strip_prefix(word);
                    after.is_some_and(|after| {
                        !after.starts_with(|each: char| each.is_alphanumeric())
                    })
                });
                let Some((word, value)) = found else {
                    return Err(self.fault("a value was expected"));
                };
                self.at += word.len();
                value
            }
        };
        self.depth -= 1;
        Ok(Node {
            at,
            value,
            bytes: from..self.at,
        })
    }

    fn object(&mut self) -> Read<Json> {
        self.next();
        let mut members = Vec::new();
        loop {
            self.blank()?;
            if self.peek() == Some('}') && (members.is_empty() || self.lenient) {
                self.next();
                return Ok(Json::Object(members));
            }
            let at = self.spot();
            if self.peek() != Some('"') {
                return Err(self.fault("a key in quotes was expected"));
            }
            let name = self.string()?;
            self.blank()?;
            if self.peek() != Some(':') {
                return Err(self.fault("`:` was expected after the key"));
            }
            self.next();
            self.blank()?;
            let value = self.value()?;
            members.push((Key { at, name }, value));
            self.blank()?;
            match self.peek() {
                Some(',') => self.at += 1,
                Some('}') => {
                    self.next();
                    return Ok(Json::Object(members));
                }
                _ => return Err(self.fault("`,` or `}` was expected")),
            }
        }
    }

    fn list(&mut self) -> Read<Json> {
        self.next();
        let mut items = Vec::new();
        loop {
            self.blank()?;
            if self.peek() == Some(']') && (items.is_empty() || self.lenient) {
                self.next();
                return Ok(Json::List(items));
            }
            items.push(self.value()?);
            self.blank()?;
            match self.peek() {
                Some(',') => self.at += 1,
                Some(']') => {
                    self.next();
                    return Ok(Json::List(items));
                }
                _ => return Err(self.fault("`,` or `]` was expected")),
            }
        }
    }

    fn string(&mut self) -> Read<String> {
        let open = self.spot();
        self.next();
        let mut out = String::new();
        loop {
            match self.next() {
                None | Some('\n') => return Err((open, "this text is not closed".to_owned())),
                Some('"') => return Ok(out),
                Some('\\') => match self.next() {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some('r') => out.push('\r'),
                    Some('b') => out.push('\u{8}'),
                    Some('f') => out.push('\u{c}'),
                    Some('u') => {
                        let high = self.unit()?;
                        let pair =
                            (0xd800..0xdc00).contains(&high) && self.rest().starts_with("\\u");
                        let units = if pair {
                            self.at += 2;
                            vec![high, self.unit()?]
                        } else {
                            vec![high]
                        };
                        out.push_str(&String::from_utf16_lossy(&units));
                    }
                    Some(each @ ('"' | '\\' | '/')) => out.push(each),
                    _ => return Err(self.fault("this escape is none")),
                },
                Some(each) if u32::from(each) < 0x20 => {
                    return Err(self.fault("a control character stands in a text"));
                }
                Some(each) => out.push(each),
            }
        }
    }

    fn unit(&mut self) -> Read<u16> {
        let unit = self
            .rest()
            .get(..4)
            .and_then(|digits| u16::from_str_radix(digits, 16).ok());
        self.at += if unit.is_some() { 4 } else { 0 };
        unit.ok_or_else(|| self.fault("four hexadecimal digits were expected"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_duplicates_and_places_are_kept() {
        let node = read(
            "{\n  \"b\": 1,\n  \"a\": [true, null],\n  \"b\": \"x\\u00e9\\ud83d\\ude00\"\n}",
            false,
        )
        .expect("valid");
        let keys: Vec<(&str, u32, u32)> = node
            .members()
            .iter()
            .map(|(key, _)| (key.name.as_str(), key.at.line, key.at.column))
            .collect();
        assert_eq!(keys, [("b", 2, 3), ("a", 3, 3), ("b", 4, 3)]);
        assert_eq!(node.get("b").and_then(Node::text), Some("xé😀"));
        assert_eq!(node.get("a").map(|list| list.items().len()), Some(2));
    }

    #[test]
    fn dotted_keys_and_nested_ones() {
        let node = read(r#"{"a.b": 1, "c": {"d": 2}}"#, false).expect("valid");
        assert!(
            node.path("a.b").is_some() && node.path("c.d").is_some() && node.path("a.c").is_none()
        );
    }

    #[test]
    fn comments_are_taken_where_the_vendor_takes_them() {
        let text = "// x\n{ /* y */ \"a\": 1, // z\n}";
        assert!(read(text, true).is_ok());
        assert_eq!(
            read(text, false).err().map(|(at, _)| (at.line, at.column)),
            Some((1, 1))
        );
        assert_eq!(
            read("{\"a\": 1,}", false).err().map(|(at, _)| at.column),
            Some(9)
        );
    }

    #[test]
    fn faults_have_their_place() {
        for (text, line, column) in [
            ("{\"a\" 1}", 1, 6),
            ("[1 2]", 1, 4),
            ("{\"a\": \"x", 1, 7),
            ("{\"a\": tru}", 1, 7),
            ("", 1, 1),
            ("{}\n{}", 2, 1),
            ("[\"\\x\"]", 1, 5),
        ] {
            let found = read(text, true).err().map(|(at, _)| (at.line, at.column));
            assert_eq!(found, Some((line, column)), "{text:?}");
        }
    }
}
