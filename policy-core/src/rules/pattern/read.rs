//! The text of a regular expression to its tree, or to a fault with its place.

use alloc::{boxed::Box, vec::Vec};

use super::{GAP, PatternFault, Place, Step, Tree};

/// Deepest nesting of groups.
const DEEPEST: usize = 60;
/// Most repetitions of one `{n,m}`.
const REPEATS: u32 = 200;

/// The tree, and whether case is ignored.
pub(super) fn read(text: &str) -> Result<(Tree, bool), PatternFault> {
    let mut reader = Reader {
        text,
        at: 0,
        newline: false,
        depth: 0,
    };
    let mut ignore_case = false;
    if let Some((flags, _)) = text
        .strip_prefix("(?")
        .and_then(|rest| rest.split_once(')'))
        && !flags.is_empty()
        && flags.bytes().all(|flag| matches!(flag, b'i' | b's'))
    {
        ignore_case = flags.contains('i');
        reader.newline = flags.contains('s');
        reader.at = flags.len() + 3;
    }
    let tree = reader.either()?;
    if reader.at < text.len() {
        return Err(reader.fault("this `)` closes nothing"));
    }
    Ok((tree, ignore_case))
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    newline: bool,
    depth: usize,
}

impl Reader<'_> {
    fn fault(&self, message: &str) -> PatternFault {
        PatternFault {
            message: message.into(),
            at: self.at.min(self.text.len()),
        }
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let each = self.peek()?;
        self.at += each.len_utf8();
        Some(each)
    }

    fn eat(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.at += wanted.len_utf8();
        }
        there
    }

    fn either(&mut self) -> Result<Tree, PatternFault> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.fault("groups are nested too deep"));
        }
        let mut branches = alloc::vec![self.run()?];
        while self.eat('|') {
            branches.push(self.run()?);
        }
        self.depth -= 1;
        Ok(match (branches.len(), branches.pop()) {
            (1, Some(only)) => only,
            (_, last) => {
                branches.extend(last);
                Tree::Either(branches)
            }
        })
    }

    fn run(&mut self) -> Result<Tree, PatternFault> {
        let mut parts = Vec::new();
        while let Some(each) = self.peek() {
            if matches!(each, '|' | ')') {
                break;
            }
            let one = self.one()?;
            parts.push(self.repeated(one)?);
        }
        Ok(Tree::Run(parts))
    }

    fn one(&mut self) -> Result<Tree, PatternFault> {
        let from = self.at;
        let step = match self.next() {
            Some('.') => Step::Any {
                newline: self.newline,
            },
            Some('^') => Step::Here(Place::Start),
            Some('$') => Step::Here(Place::End),
            Some('[') => return self.class().map(Tree::Step),
            Some('(') => {
                if self.eat('?') && !self.eat(':') {
                    self.at = from;
                    return Err(
                        self.fault("look-around, named groups and flags inside are not read")
                    );
                }
                let group = self.either()?;
                if !self.eat(')') {
                    self.at = from;
                    return Err(self.fault("this `(` is not closed"));
                }
                return Ok(group);
            }
            Some('\\') => self.escape(from)?,
            Some('*' | '+' | '?') => {
                self.at = from;
                return Err(self.fault("there is nothing to repeat"));
            }
            Some(other) => Step::One(other),
            None => return Err(self.fault("the pattern ends too soon")),
        };
        Ok(Tree::Step(step))
    }

    fn repeated(&mut self, one: Tree) -> Result<Tree, PatternFault> {
        let from = self.at;
        let (least, most) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => match self.bounds() {
                Some(bounds) => bounds,
                None => return Ok(one),
            },
            _ => return Ok(one),
        };
        if self.at == from {
            self.at += 1;
        }
        if matches!(one, Tree::Step(Step::Here(_))) {
            self.at = from;
            return Err(self.fault("a place cannot be repeated"));
        }
        if least > REPEATS || most.is_some_and(|most| most > REPEATS || most < least) {
            self.at = from;
            return Err(self.fault("it is repeated too often"));
        }
        // Lazy: it matches the same texts.
        self.eat('?');
        if matches!(self.peek(), Some('*' | '+' | '?')) {
            return Err(self.fault("a repetition of a repetition is not read"));
        }
        Ok(Tree::Repeat(Box::new(one), least, most))
    }

    /// `{n}`, `{n,}` or `{n,m}`; anything else after `{` is that character.
    fn bounds(&mut self) -> Option<(u32, Option<u32>)> {
        let rest = self.text.get(self.at + 1..)?;
        let (inner, _) = rest.split_once('}')?;
        let number = |text: &str| {
            text.bytes()
                .all(|byte| byte.is_ascii_digit())
                .then(|| text.parse().ok())?
        };
        let bounds = match inner.split_once(',') {
            None => (number(inner)?, Some(number(inner)?)),
            Some((least, "")) => (number(least)?, None),
            Some((least, most)) => (number(least)?, Some(number(most)?)),
        };
        self.at += inner.len() + 2;
        Some(bounds)
    }

    fn escape(&mut self, from: usize) -> Result<Step, PatternFault> {
        let Some(each) = self.next() else {
            return Err(self.fault("the pattern ends in a backslash"));
        };
        Ok(match each {
            'b' => Step::Here(Place::Boundary),
            'B' => Step::Here(Place::NoBoundary),
            'd' | 'D' | 's' | 'S' | 'w' | 'W' => Step::Class {
                negated: each.is_ascii_uppercase(),
                ranges: known_class(each).to_vec(),
            },
            _ => Step::One(self.character(each, from)?),
        })
    }

    /// What `\` and this character stand for.
    fn character(&mut self, each: char, from: usize) -> Result<char, PatternFault> {
        Ok(match each {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'f' => '\u{c}',
            'v' => '\u{b}',
            'x' | 'u' => {
                let digits = if each == 'x' { 2 } else { 4 };
                let code = self.text.get(self.at..self.at + digits);
                let read = code
                    .and_then(|code| u32::from_str_radix(code, 16).ok())
                    .and_then(char::from_u32);
                let Some(read) = read.filter(|read| *read != GAP) else {
                    self.at = from;
                    return Err(self.fault("this escape is not read"));
                };
                self.at += digits;
                read
            }
            other if !other.is_ascii_alphanumeric() => other,
            _ => {
                self.at = from;
                return Err(self
                    .fault("this escape is not read (a back reference, a property, or unknown)"));
            }
        })
    }

    fn class(&mut self) -> Result<Step, PatternFault> {
        let open = self.at.saturating_sub(1);
        let negated = self.eat('^');
        let mut ranges = Vec::new();
        loop {
            let from = self.at;
            let low = match self.next() {
                None => {
                    self.at = open;
                    return Err(self.fault("this class is not closed"));
                }
                Some(']') => return Ok(Step::Class { negated, ranges }),
                Some('\\') => match self.next() {
                    Some(each @ ('d' | 's' | 'w')) => {
                        ranges.extend_from_slice(known_class(each));
                        continue;
                    }
                    Some('b') => '\u{8}',
                    Some(each @ ('S' | 'D' | 'W')) => {
                        ranges.extend(opposite(known_class(each)));
                        continue;
                    }
                    Some(each) => self.character(each, from)?,
                    None => return Err(self.fault("the pattern ends in a backslash")),
                },
                Some(each) => each,
            };
            let mut ahead = self.text.get(self.at..).unwrap_or_default().chars();
            if ahead.next() != Some('-') || matches!(ahead.next(), Some(']') | None) {
                ranges.push((low, low));
                continue;
            }
            self.at += 1;
            let from = self.at;
            let high = match self.next() {
                Some('\\') => match self.next() {
                    Some(each) => self.character(each, from)?,
                    None => return Err(self.fault("the pattern ends in a backslash")),
                },
                Some(each) => each,
                None => return Err(self.fault("this class is not closed")),
            };
            if high < low {
                self.at = from;
                return Err(self.fault("the range runs backwards"));
            }
            ranges.push((low, high));
        }
    }
}

fn known_class(name: char) -> &'static [(char, char)] {
    match name.to_ascii_lowercase() {
        'd' => &[('0', '9')],
        'w' => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        _ => &[
            ('\t', '\r'),
            (' ', ' '),
            ('\u{a0}', '\u{a0}'),
            ('\u{1680}', '\u{1680}'),
            ('\u{2000}', '\u{200a}'),
            ('\u{2028}', '\u{2029}'),
            ('\u{202f}', '\u{202f}'),
            ('\u{205f}', '\u{205f}'),
            ('\u{3000}', '\u{3000}'),
            ('\u{feff}', '\u{feff}'),
        ],
    }
}

/// Everything between sorted ranges. NUL is left out: it stands for what is not known.
fn opposite(ranges: &[(char, char)]) -> Vec<(char, char)> {
    let mut from = '\u{1}';
    let mut out = Vec::new();
    for (low, high) in ranges {
        if let Some(before) =
            char::from_u32(u32::from(*low).saturating_sub(1)).filter(|before| from <= *before)
        {
            out.push((from, before));
        }
        from = char::from_u32(u32::from(*high) + 1).unwrap_or(char::MAX);
    }
    out.push((from, char::MAX));
    out
}
