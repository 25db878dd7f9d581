//! The lexers in the source of a generated parser, as tables.
//!
//! A generated lexer is a `switch` of states; each accepts a token or not, then goes through clauses of the form
//! `if (condition on the character or the end) ADVANCE(state);`. A condition holds for stretches of characters, so it is
//! asked at every character where one of its constants makes a difference. What is not of that form is an error.

use std::collections::{BTreeSet, HashMap};

use anyhow::{Context as _, bail};

/// A state of a lexer. Characters count one more than their code point: 0 is what is no text.
#[derive(Debug)]
pub(super) struct State {
    /// The token it accepts.
    pub(super) accepts: Option<usize>,
    /// The end of the text: 0 as the character 0, 1 the lexer stops, else two more than a step.
    pub(super) end: usize,
    /// First and last character, and the step: twice the next state, one more when the character is skipped.
    pub(super) stretches: Vec<(usize, usize, usize)>,
}

const LAST: i64 = 0x10_ffff;

/// The lexer in `function` of the parser.
pub(super) fn lexer(parser: &str, function: &str) -> anyhow::Result<Vec<State>> {
    let body = between(
        parser,
        &format!("static bool {function}(TSLexer *lexer, TSStateId state) {{"),
        "\n}\n",
    )?;
    let tokens = tokens(parser)?;
    let sets = sets(parser)?;
    let mut states = Vec::new();
    for (number, case) in body.split("case ").skip(1).enumerate() {
        let (label, code) = case.split_once(':').context("a case has no colon")?;
        if label.trim().parse() != Ok(number) {
            bail!("state {number} is not where it should be");
        }
        let code = code.split("END_STATE();").next().unwrap_or_default();
        let mut words = Words {
            all: split(code),
            at: 0,
            sets: &sets,
        };
        let state = words
            .state(&tokens)
            .with_context(|| format!("state {number} of {function}"))?;
        states.push(state);
    }
    Ok(states)
}

fn between<'a>(text: &'a str, from: &str, to: &str) -> anyhow::Result<&'a str> {
    let (_, rest) = text
        .split_once(from)
        .with_context(|| format!("`{from}` is not in the parser"))?;
    Ok(rest.split_once(to).context("it does not end")?.0)
}

/// The numbers of the tokens.
fn tokens(parser: &str) -> anyhow::Result<HashMap<&str, usize>> {
    let mut all = HashMap::from([("ts_builtin_sym_end", 0)]);
    for line in between(parser, "enum ts_symbol_identifiers {", "};")?.lines() {
        if let Some((name, number)) = line.trim().trim_end_matches(',').split_once(" = ") {
            all.insert(name, number.parse()?);
        }
    }
    Ok(all)
}

/// The sets of characters that have a name.
fn sets(parser: &str) -> anyhow::Result<HashMap<&str, Vec<(i64, i64)>>> {
    let mut all = HashMap::new();
    for part in parser.split("static const TSCharacterRange ").skip(1) {
        let (name, rest) = part.split_once("[] = {").context("a set has no list")?;
        let list = rest.split("};").next().unwrap_or_default();
        let numbers: Vec<i64> = split(list)
            .iter()
            .filter(|word| !matches!(**word, "{" | "}" | ","))
            .map(|word| character(word))
            .collect::<anyhow::Result<_>>()?;
        let ranges = numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect();
        all.insert(name, ranges);
    }
    Ok(all)
}

/// The words of C: names, numbers, characters, operators.
fn split(code: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = code.trim_start();
    while !rest.is_empty() {
        let length = if rest.starts_with("'\\") {
            4
        } else if rest.starts_with('\'') {
            rest.char_indices()
                .nth(2)
                .map_or(rest.len(), |(at, _)| at + 1)
        } else if let Some(two) = rest.get(..2)
            && ["<=", ">=", "==", "!=", "&&", "||"].contains(&two)
        {
            2
        } else {
            let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            rest.find(|letter| !is_name(letter))
                .unwrap_or(rest.len())
                .max(1)
        };
        let (word, after) = rest.split_at(length);
        words.push(word);
        rest = after.trim_start();
    }
    words
}

fn character(word: &str) -> anyhow::Result<i64> {
    if let Some(quoted) = word
        .strip_prefix('\'')
        .and_then(|rest| rest.strip_suffix('\''))
    {
        let escaped = quoted.strip_prefix('\\');
        return Ok(match escaped {
            None => i64::from(u32::from(quoted.chars().next().context("no character")?)),
            Some("n") => 10,
            Some("t") => 9,
            Some("r") => 13,
            Some("f") => 12,
            Some("v") => 11,
            Some("0") => 0,
            Some("'") => 39,
            Some("\\") => 92,
            Some(other) => bail!("`\\{other}` is not known"),
        });
    }
    let number = match word.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => word.parse(),
    };
    number.with_context(|| format!("`{word}` is no character"))
}

/// A condition on the character and the end of the text.
enum Condition {
    Any(Vec<Condition>),
    All(Vec<Condition>),
    Not(Box<Condition>),
    End,
    Ranges(Vec<(i64, i64)>),
}

impl Condition {
    fn holds(&self, character: i64, end: bool) -> bool {
        match self {
            Self::Any(all) => all.iter().any(|each| each.holds(character, end)),
            Self::All(all) => all.iter().all(|each| each.holds(character, end)),
            Self::Not(one) => !one.holds(character, end),
            Self::End => end,
            Self::Ranges(all) => all
                .iter()
                .any(|(first, last)| (*first..=*last).contains(&character)),
        }
    }

    /// Where the answer may change.
    fn edges(&self, edges: &mut BTreeSet<i64>) {
        match self {
            Self::Any(all) | Self::All(all) => all.iter().for_each(|each| each.edges(edges)),
            Self::Not(one) => one.edges(edges),
            Self::End => {}
            Self::Ranges(all) => {
                for (first, last) in all {
                    edges.extend([*first, last + 1]);
                }
            }
        }
    }
}

struct Words<'a> {
    all: Vec<&'a str>,
    at: usize,
    sets: &'a HashMap<&'a str, Vec<(i64, i64)>>,
}

impl<'a> Words<'a> {
    fn peek(&self) -> &'a str {
        self.all.get(self.at).copied().unwrap_or("")
    }

    fn next(&mut self) -> &'a str {
        let word = self.peek();
        self.at += 1;
        word
    }

    fn expect(&mut self, wanted: &str) -> anyhow::Result<()> {
        let word = self.next();
        if word != wanted {
            bail!("`{word}` stands where `{wanted}` was expected");
        }
        Ok(())
    }

    fn state(&mut self, tokens: &HashMap<&str, usize>) -> anyhow::Result<State> {
        let mut accepts = None;
        let mut clauses = Vec::new();
        loop {
            match self.next() {
                "" => break,
                "ACCEPT_TOKEN" if clauses.is_empty() => {
                    self.expect("(")?;
                    let token = self.next();
                    accepts = Some(*tokens.get(token).context("a token is not known")?);
                    self.expect(")")?;
                    self.expect(";")?;
                }
                "ADVANCE_MAP" => {
                    self.expect("(")?;
                    while self.peek() != ")" {
                        let wanted = character(self.next())?;
                        self.expect(",")?;
                        let state: usize = self.next().parse()?;
                        self.expect(",")?;
                        clauses.push((Condition::Ranges(vec![(wanted, wanted)]), state * 2));
                    }
                    self.expect(")")?;
                    self.expect(";")?;
                }
                "if" => {
                    self.expect("(")?;
                    let condition = self.any()?;
                    self.expect(")")?;
                    let skips = match self.next() {
                        "ADVANCE" => 0,
                        "SKIP" => 1,
                        word => bail!("`{word}` is no step"),
                    };
                    self.expect("(")?;
                    let state: usize = self.next().parse()?;
                    self.expect(")")?;
                    self.expect(";")?;
                    clauses.push((condition, state * 2 + skips));
                }
                word => bail!("`{word}` begins no clause"),
            }
        }
        let mut edges = BTreeSet::from([-1]);
        clauses
            .iter()
            .for_each(|(condition, _)| condition.edges(&mut edges));
        let step = |character: i64, end: bool| {
            let found = clauses
                .iter()
                .find(|(condition, _)| condition.holds(character, end));
            found.map(|(_, step)| *step)
        };
        let mut stretches: Vec<(usize, usize, usize)> = Vec::new();
        let starts: Vec<i64> = edges.into_iter().filter(|edge| *edge <= LAST).collect();
        for (index, &start) in starts.iter().enumerate() {
            let Some(step) = step(start, false) else {
                continue;
            };
            let last = starts.get(index + 1).map_or(LAST, |next| next - 1);
            let (first, last) = (usize::try_from(start + 1)?, usize::try_from(last + 1)?);
            match stretches.last_mut() {
                Some(before) if before.1 + 1 == first && before.2 == step => before.1 = last,
                _ => stretches.push((first, last, step)),
            }
        }
        let end = match step(0, true) {
            same if same == step(0, false) => 0,
            None => 1,
            Some(step) => step + 2,
        };
        Ok(State {
            accepts,
            end,
            stretches,
        })
    }

    fn any(&mut self) -> anyhow::Result<Condition> {
        let mut all = vec![self.all_of()?];
        while self.peek() == "||" {
            self.at += 1;
            all.push(self.all_of()?);
        }
        Ok(Condition::Any(all))
    }

    fn all_of(&mut self) -> anyhow::Result<Condition> {
        let mut all = vec![self.one()?];
        while self.peek() == "&&" {
            self.at += 1;
            all.push(self.one()?);
        }
        Ok(Condition::All(all))
    }

    fn one(&mut self) -> anyhow::Result<Condition> {
        match self.peek() {
            "(" => {
                self.at += 1;
                let inner = self.any()?;
                self.expect(")")?;
                Ok(inner)
            }
            "!" => {
                self.at += 1;
                Ok(Condition::Not(Box::new(self.one()?)))
            }
            "eof" => {
                self.at += 1;
                Ok(Condition::End)
            }
            "set_contains" => {
                self.at += 1;
                self.expect("(")?;
                let set = self.sets.get(self.next()).context("a set is not known")?;
                self.expect(",")?;
                if self.next().parse() != Ok(set.len()) {
                    bail!("a set is not as long as it is said to be");
                }
                self.expect(",")?;
                self.expect("lookahead")?;
                self.expect(")")?;
                Ok(Condition::Ranges(set.clone()))
            }
            _ => self.comparison(),
        }
    }

    /// `lookahead` on one side, a character on the other.
    fn comparison(&mut self) -> anyhow::Result<Condition> {
        let (left, operator, right) = (self.next(), self.next(), self.next());
        let (value, operator) = if left == "lookahead" {
            (character(right)?, operator)
        } else if right == "lookahead" {
            let turned = match operator {
                "<" => ">",
                "<=" => ">=",
                ">" => "<",
                ">=" => "<=",
                same => same,
            };
            (character(left)?, turned)
        } else {
            bail!("`{left} {operator} {right}` is no condition on the character");
        };
        let range = |first, last| Condition::Ranges(vec![(first, last)]);
        Ok(match operator {
            "==" => range(value, value),
            "!=" => Condition::Not(Box::new(range(value, value))),
            "<" => range(-1, value - 1),
            "<=" => range(-1, value),
            ">" => range(value + 1, LAST),
            ">=" => range(value, LAST),
            other => bail!("`{other}` is no comparison"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_with_its_clauses_in_order() {
        let parser = "enum ts_symbol_identifiers {\n  word = 7,\n};\n\
            static const TSCharacterRange set_1[] = {\n  {'a', 'c'}, {0x78, 'z'},\n};\n\
            static bool ts_lex(TSLexer *lexer, TSStateId state) {\n  switch (state) {\n    case 0:\n      ACCEPT_TOKEN(word);\n\
            \x20     if (eof) ADVANCE(5);\n      ADVANCE_MAP(\n        '(', 2,\n        '\\'', 3,\n      );\n\
            \x20     if (lookahead == ' ' ||\n          lookahead == '\\t') SKIP(4);\n\
            \x20     if ((!eof && set_contains(set_1, 2, lookahead))) ADVANCE(1);\n      END_STATE();\n    default:\n      return false;\n  }\n}\n";
        let states = lexer(parser, "ts_lex").expect("of the known form");
        let state = states.first().expect("one state");
        assert_eq!((state.accepts, state.end), (Some(7), 12));
        let at = |letter: u8| usize::from(letter) + 1;
        assert_eq!(
            state.stretches,
            [
                (at(b'\t'), at(b'\t'), 9),
                (at(b' '), at(b' '), 9),
                (at(b'\''), at(b'\''), 6),
                (at(b'('), at(b'('), 4),
                (at(b'a'), at(b'c'), 2),
                (at(b'x'), at(b'z'), 2),
            ]
        );
    }

    #[test]
    fn what_is_not_of_the_form_is_an_error() {
        let parser = "enum ts_symbol_identifiers {\n};\n\
            static bool ts_lex(TSLexer *lexer, TSStateId state) {\n    case 0:\n      do_more();\n      END_STATE();\n}\n";
        let error = lexer(parser, "ts_lex").expect_err("an unknown clause");
        assert_eq!(
            format!("{error:#}"),
            "state 0 of ts_lex: `do_more` begins no clause"
        );
    }
}
