//! The literal part of Starlark: calls of plain functions with literal arguments, each with its place.
//!
//! `name(key = "text", other = ["a", ["b", "c"]])`. Anything else at the top of a file (assignments, `def`, `load`, loops, comprehensions,
//! computed arguments) is a statement that is not read, with its place; it is never guessed at. Texts as Starlark has them: both quotes, three
//! of them, raw, joined by standing side by side or by `+`.

use super::Spot;

/// A statement at the top of the file.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Statement {
    /// A call with literal arguments.
    Call(Call),
    /// Something else: its first line.
    Other(Spot, String, &'static str),
}

/// A call.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Call {
    pub(super) at: Spot,
    pub(super) name: String,
    /// Arguments; one without a name stands under `""`.
    pub(super) arguments: Vec<(String, Spot, Literal)>,
    /// As written, on one line.
    pub(super) source: String,
}

/// A literal value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Literal {
    Text(String),
    List(Vec<(Spot, Literal)>),
    /// `(a, b)`: no list, where a list is wanted.
    Tuple,
    Number(String),
    Bool(bool),
    None,
}

/// Reads a file; a text that is no Starlark at all (an open quote or bracket) is a fault.
pub(super) fn read(text: &str) -> Result<Vec<Statement>, (Spot, String)> {
    let mut reader = Reader { text, at: 0 };
    let mut statements = Vec::new();
    loop {
        reader.blank(true);
        let from = reader.at;
        if reader.peek().is_none() {
            return Ok(statements);
        }
        match reader.call() {
            Ok(call) if reader.ends() => statements.push(Statement::Call(call)),
            Ok(_) => {
                reader.at = from;
                statements
                    .push(reader.skip("only one call with literal arguments on a line is read")?);
            }
            Err(Stop::NotRead(why)) => {
                reader.at = from;
                statements.push(reader.skip(why)?);
            }
            Err(Stop::Broken(at, message)) => return Err((Spot::of(text, at), message)),
        }
    }
}

enum Stop {
    NotRead(&'static str),
    Broken(usize, String),
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
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

    fn spot(&self) -> Spot {
        Spot::of(self.text, self.at)
    }

    /// Skips blanks and comments, and line ends where they mean nothing.
    fn blank(&mut self, lines: bool) {
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\r') => self.at += 1,
                Some('\n' | ';') if lines => self.at += 1,
                Some('#') => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                Some('\\') if self.rest().starts_with("\\\n") => self.at += 2,
                _ => return,
            }
        }
    }

    /// Whether the statement ends here.
    fn ends(&mut self) -> bool {
        self.blank(false);
        matches!(self.peek(), None | Some('\n' | ';'))
    }

    fn name(&mut self) -> Option<String> {
        let rest = self.rest();
        let end = rest
            .find(|each: char| !each.is_alphanumeric() && each != '_')
            .unwrap_or(rest.len());
        let name = rest
            .get(..end)
            .filter(|name| {
                !name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit())
            })?
            .to_owned();
        self.at += end;
        Some(name)
    }

    fn call(&mut self) -> Result<Call, Stop> {
        let (at, from) = (self.spot(), self.at);
        let line = self
            .text
            .get(..from)
            .and_then(|before| before.rsplit('\n').next());
        if at.column != 1 && line.is_some_and(|line| line.trim().is_empty()) {
            return Err(Stop::NotRead("a line that is indented is not read"));
        }
        let name = self
            .name()
            .ok_or(Stop::NotRead("only calls of functions are read"))?;
        self.blank(false);
        if self.peek() != Some('(') {
            return Err(Stop::NotRead("only calls of functions are read"));
        }
        let open = self.at;
        self.next();
        let mut arguments = Vec::new();
        loop {
            self.blank(true);
            if self.peek() == Some(')') {
                self.next();
                break;
            }
            if self.peek().is_none() {
                return Err(Stop::Broken(open, "this `(` is not closed".into()));
            }
            let (spot, before) = (self.spot(), self.at);
            let key = self.name();
            self.blank(true);
            let key = match key {
                Some(key) if self.peek() == Some('=') && !self.rest().starts_with("==") => {
                    self.next();
                    self.blank(true);
                    key
                }
                _ => {
                    self.at = before;
                    String::new()
                }
            };
            let value = self.literal()?;
            arguments.push((key, spot, value));
            self.blank(true);
            match self.peek() {
                Some(',') => self.at += 1,
                Some(')') => {}
                None => return Err(Stop::Broken(open, "this `(` is not closed".into())),
                Some(_) => return Err(Stop::NotRead("an argument is computed")),
            }
        }
        let source = self.text.get(from..self.at).unwrap_or_default();
        let source = source.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Call {
            at,
            name,
            arguments,
            source,
        })
    }

    fn literal(&mut self) -> Result<Literal, Stop> {
        let value = match self.peek() {
            Some('"' | '\'') => Literal::Text(self.texts()?),
            Some('r' | 'b') if matches!(self.rest().as_bytes().get(1), Some(b'"' | b'\'')) => {
                if self.peek() == Some('b') {
                    return Err(Stop::NotRead("bytes are not read"));
                }
                Literal::Text(self.texts()?)
            }
            Some(open @ ('[' | '(')) => self.list(open)?,
            Some('0'..='9' | '-') => {
                let rest = self.rest();
                let end = rest
                    .find(|each: char| !each.is_ascii_alphanumeric() && !"-._".contains(each))
                    .unwrap_or(rest.len());
                let number = rest.get(..end).unwrap_or_default().to_owned();
                self.at += end;
                Literal::Number(number)
            }
            _ => match self.name().as_deref() {
                Some("None") => Literal::None,
                Some("True") => Literal::Bool(true),
                Some("False") => Literal::Bool(false),
                _ => return Err(Stop::NotRead("an argument is computed")),
            },
        };
        Ok(value)
    }

    fn list(&mut self, open: char) -> Result<Literal, Stop> {
        let (from, close) = (self.at, if open == '[' { ']' } else { ')' });
        self.next();
        let mut items = Vec::new();
        loop {
            self.blank(true);
            if self.peek() == Some(close) {
                self.next();
                return Ok(if open == '[' {
                    Literal::List(items)
                } else {
                    Literal::Tuple
                });
            }
            if self.peek().is_none() {
                return Err(Stop::Broken(from, format!("this `{open}` is not closed")));
            }
            let spot = self.spot();
            items.push((spot, self.literal()?));
            self.blank(true);
            match self.peek() {
                Some(',') => self.at += 1,
                Some(each) if each == close => {}
                None => return Err(Stop::Broken(from, format!("this `{open}` is not closed"))),
                Some(_) => return Err(Stop::NotRead("a list is computed")),
            }
        }
    }

    /// A text, and those that stand beside it.
    fn texts(&mut self) -> Result<String, Stop> {
        let mut out = self.string()?;
        loop {
            let before = self.at;
            self.blank(true);
            if self.peek() == Some('+') {
                self.next();
                self.blank(true);
                if !matches!(self.peek(), Some('"' | '\'')) {
                    return Err(Stop::NotRead("a text is computed"));
                }
            } else if matches!(self.peek(), Some('"' | '\'')) {
                return Err(Stop::NotRead("texts that stand side by side are not read"));
            } else if matches!(self.peek(), Some('.' | '%')) {
                return Err(Stop::NotRead("a text is computed"));
            } else {
                self.at = before;
                return Ok(out);
            }
            out.push_str(&self.string()?);
        }
    }

    fn string(&mut self) -> Result<String, Stop> {
        let from = self.at;
        let raw = self.peek() == Some('r');
        if raw {
            self.next();
        }
        let broken = |what: &str| Stop::Broken(from, what.to_owned());
        let quote = self.next().ok_or_else(|| broken("a text was expected"))?;
        let three = quote.to_string().repeat(3);
        let long = self
            .text
            .get(self.at - 1..)
            .is_some_and(|rest| rest.starts_with(&three));
        if long {
            self.at += 2;
        }
        let mut out = String::new();
        loop {
            if long && self.rest().starts_with(&three) {
                self.at += 3;
                return Ok(out);
            }
            match self.next() {
                None => return Err(broken("this text is not closed")),
                Some('\n') if !long => return Err(broken("this text is not closed")),
                Some(each) if each == quote && !long => return Ok(out),
                Some('\\') if raw => {
                    out.push('\\');
                    out.extend(self.next());
                }
                Some('\\') => match self.next() {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some('r') => out.push('\r'),
                    Some('\n') => {}
                    Some(each @ ('\\' | '\'' | '"')) => out.push(each),
                    Some(_) => {
                        return Err(Stop::NotRead("an escape that is not read stands in a text"));
                    }
                    None => return Err(broken("this text is not closed")),
                },
                Some(each) => out.push(each),
            }
        }
    }

    /// Skips a statement that is not read: to the end of its line, its brackets and the lines indented below it.
    fn skip(&mut self, why: &'static str) -> Result<Statement, (Spot, String)> {
        let (at, from) = (self.spot(), self.at);
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                None => break,
                Some('\n') if depth == 0 => {
                    self.at += 1;
                    let indented = self.rest().starts_with([' ', '\t']);
                    let empty = self
                        .rest()
                        .lines()
                        .next()
                        .is_none_or(|line| line.trim().is_empty() || line.starts_with('#'));
                    // `else:` and the like go on with the statement above.
                    let goes_on = ["else", "elif"]
                        .iter()
                        .any(|word| self.rest().starts_with(word));
                    if !(indented || goes_on || (empty && !self.rest().is_empty())) {
                        break;
                    }
                }
                Some('"' | '\'') => match self.string() {
                    Ok(_) | Err(Stop::NotRead(_)) => {}
                    Err(Stop::Broken(at, message)) => {
                        return Err((Spot::of(self.text, at), message));
                    }
                },
                Some('#') => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                Some('(' | '[' | '{') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(')' | ']' | '}') => {
                    depth = depth.saturating_sub(1);
                    self.at += 1;
                }
                Some(other) => self.at += other.len_utf8(),
            }
        }
        let source = self.text.get(from..self.at).unwrap_or_default();
        Ok(Statement::Other(
            at,
            source.lines().next().unwrap_or_default().trim().to_owned(),
            why,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(text: &str) -> Vec<(String, u32)> {
        read(text)
            .expect("Starlark")
            .into_iter()
            .map(|statement| match statement {
                Statement::Call(call) => (call.name, call.at.line),
                Statement::Other(at, first, _) => (format!("? {first}"), at.line),
            })
            .collect()
    }

    #[test]
    fn calls_with_literals_are_read() {
        let text = "# why\nf(a = \"x\", b = ['y', [\"z\"]], c = None,)\n\ng(\n  r'\\d',\n  \"\"\"long\ntext\"\"\",\n)  # end\n";
        assert_eq!(calls(text), [("f".to_owned(), 2), ("g".to_owned(), 4)]);
        let Some(Statement::Call(call)) =
            read("f(a = \"x\" + 'y')").expect("read").into_iter().next()
        else {
            unreachable!("a call");
        };
        assert_eq!(
            call.arguments
                .first()
                .map(|(name, _, value)| (name.as_str(), value.clone())),
            Some(("a", Literal::Text("xy".into())))
        );
    }

    #[test]
    fn what_is_not_literal_is_told_and_skipped() {
        let text = "X = [\"a\"]\nf(a = X)\ndef g(y):\n    f(a = y)\n\n    f(a = y)\n[f(a = [c]) for c in [\"1\", \"2\"]]\nfor x in X:\n  f(a=x)\nh(a = \"k\")\nload(\"x\", \"y\") ; f(a = 1)\n";
        assert_eq!(
            calls(text),
            [
                ("? X = [\"a\"]".to_owned(), 1),
                ("? f(a = X)".to_owned(), 2),
                ("? def g(y):".to_owned(), 3),
                ("? [f(a = [c]) for c in [\"1\", \"2\"]]".to_owned(), 7),
                ("? for x in X:".to_owned(), 8),
                ("h".to_owned(), 10),
                ("load".to_owned(), 11),
                ("f".to_owned(), 11),
            ]
        );
    }

    #[test]
    fn what_is_broken_is_a_fault() {
        for (text, line, column) in [
            ("f(a = \"x\n)", 1, 7),
            ("f(\n a = [\"x\"", 2, 6),
            ("\nf(", 2, 2),
        ] {
            assert_eq!(
                read(text).err().map(|(at, _)| (at.line, at.column)),
                Some((line, column)),
                "{text:?}"
            );
        }
    }
}
