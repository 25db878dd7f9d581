//! Arithmetic, which is an evaluator: bash reads the value of a name as an expression again, and a subscript in it
//! may hold a substitution (`x='a[$(cmd)]'; echo $((x))` runs it).
//!
//! So an expression is safe only when every name in it is known to hold an integer, or is assigned one before it is
//! used. Array elements and text that only exists at run time are not.

use alloc::{string::String, vec::Vec};

use super::{model::Value, scope::Known, words::Expander};
use crate::syntax::ast::{ArithText, ParamOp, Part};

/// Stands in the flattened text for an integer that is only known when it runs.
const NUMBER: char = '\u{1}';

/// What an expression does.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    /// It evaluates nothing but itself.
    pub(super) safe: bool,
    /// The variables it assigns: integers afterwards.
    pub(super) assigned: Vec<String>,
}

/// Judges an expression at a point of the text.
pub(super) fn judge<'a>(text: &'a ArithText, expander: &Expander<'a>) -> Outcome {
    let mut flat = String::new();
    let safe = flatten(&text.parts, expander, &mut flat);
    let mut outcome = judge_text(&flat, expander);
    outcome.safe &= safe;
    outcome
}

/// Judges an expression that is given as text: an operand of `let` or of `-eq`.
pub(super) fn judge_value(value: &Value, expander: &Expander<'_>) -> Outcome {
    match value {
        Value::Exact(text) => judge_text(text, expander),
        Value::OneOf(all) => all.iter().fold(
            Outcome {
                safe: true,
                assigned: Vec::new(),
            },
            |mut so_far, text| {
                let next = judge_text(text, expander);
                so_far.safe &= next.safe;
                so_far.assigned.extend(next.assigned);
                so_far
            },
        ),
        Value::Digits => Outcome {
            safe: true,
            assigned: Vec::new(),
        },
        Value::Prefix(_) | Value::Unknown | Value::Many(_) => Outcome {
            safe: false,
            assigned: Vec::new(),
        },
    }
}

/// The value of an expression of literals and known integers.
pub(super) fn constant<'a>(text: &'a ArithText, expander: &Expander<'a>) -> Option<i64> {
    let mut flat = String::new();
    if !flatten(&text.parts, expander, &mut flat) || flat.contains("++") || flat.contains("--") {
        return None;
    }
    let mut tokens = Vec::new();
    for token in tokenize(&flat)? {
        tokens.push(match token {
            Token::Number(digits) => Term::Number(plain_number(digits)?),
            Token::Name(name) => {
                Term::Number(expander.variable(name).only().and_then(plain_number)?)
            }
            Token::Op(op @ ('+' | '-' | '*' | '/' | '%' | '(' | ')')) => Term::Op(op),
            Token::Op(_) => return None,
        });
    }
    let mut reader = Reader {
        tokens: &tokens,
        depth: 0,
    };
    let value = reader.sum()?;
    reader.tokens.is_empty().then_some(value)
}

/// Decimal without a leading zero (which would make it octal).
fn plain_number(text: &str) -> Option<i64> {
    if text.len() > 1 && text.starts_with('0') {
        return None;
    }
    text.parse().ok()
}

/// Writes the parts as text, integers that are not known as [`NUMBER`]; false when some part may be anything.
fn flatten<'a>(parts: &'a [Part], expander: &Expander<'a>, flat: &mut String) -> bool {
    let mut safe = true;
    for part in parts {
        match part {
            Part::Literal(text, _) | Part::Quoted(text, _) => flat.push_str(text),
            Part::Double(inner, _) => safe &= flatten(inner, expander, flat),
            Part::Param(param) => {
                let known = match &param.op {
                    ParamOp::None | ParamOp::Length => expander.parameter(param),
                    ParamOp::Default(..) => expander.parameter(param),
                    _ => Known::Any,
                };
                safe &= push(&known, flat);
            }
            Part::CommandSub(script, _) => safe &= push(&expander.output(script), flat),
            Part::Arith(text, _) => {
                // Judged on its own when the driver walks it; its value is an integer.
                match constant(text, expander) {
                    Some(number) => flat.push_str(&alloc::format!("{number}")),
                    None => flat.push(NUMBER),
                }
            }
            Part::ProcessSub { .. } | Part::ExtGlob(..) | Part::Array(..) | Part::Opaque(..) => {
                safe = false;
            }
        }
    }
    safe
}

fn push(known: &Known, flat: &mut String) -> bool {
    match known.only() {
        Some(text) => flat.push_str(text),
        None if known.is_integer() => flat.push(NUMBER),
        None => return false,
    }
    true
}

fn judge_text(text: &str, expander: &Expander<'_>) -> Outcome {
    let unsafe_outcome = Outcome {
        safe: false,
        assigned: Vec::new(),
    };
    let Some(tokens) = tokenize(text) else {
        return unsafe_outcome;
    };
    let mut assigned: Vec<String> = Vec::new();
    let mut changed: Vec<String> = Vec::new();
    // After `&&`, `||` or `?` an assignment may not have happened.
    let mut conditional = false;
    let mut rest = tokens.as_slice();
    while let Some((token, after)) = rest.split_first() {
        match token {
            Token::Name(name) => {
                let assigns =
                    matches!(after, [Token::Op('='), next, ..] if *next != Token::Op('='));
                let integer = assigned.iter().any(|known| known == name)
                    || expander.variable(name).is_integer();
                if matches!(after, [Token::Op('['), ..]) || !(assigns || integer) {
                    return unsafe_outcome;
                }
                if assigns && !conditional {
                    assigned.push((*name).into());
                }
                changed.push((*name).into());
            }
            Token::Op('?' | '&' | '|') => conditional = true,
            Token::Op('[' | ']') => return unsafe_outcome,
            Token::Number(_) | Token::Op(_) => {}
        }
        rest = after;
    }
    let assigns = text.contains('=') || text.contains("++") || text.contains("--");
    Outcome {
        safe: true,
        assigned: if assigns { changed } else { Vec::new() },
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'t> {
    Number(&'t str),
    Name(&'t str),
    Op(char),
}

fn tokenize(text: &str) -> Option<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let run = |accept: fn(char) -> bool| rest.find(|c: char| !accept(c)).unwrap_or(rest.len());
        let used = if c.is_ascii_digit() || c == NUMBER {
            let end = run(|c| c.is_ascii_alphanumeric() || matches!(c, '#' | '@' | '_' | NUMBER));
            let digits = rest.get(..end)?;
            tokens.push(Token::Number(digits));
            end
        } else if c.is_ascii_alphabetic() || c == '_' {
            let end = run(|c| c.is_ascii_alphanumeric() || c == '_' || c == NUMBER);
            let name = rest.get(..end)?;
            if name.contains(NUMBER) {
                return None;
            }
            tokens.push(Token::Name(name));
            end
        } else if matches!(c, ' ' | '\t' | '\n') {
            1
        } else if "+-*/%()<>=!&|^~?:,;[]".contains(c) {
            tokens.push(Token::Op(c));
            1
        } else {
            return None;
        };
        rest = rest.get(used..)?;
    }
    Some(tokens)
}

enum Term {
    Number(i64),
    Op(char),
}

/// Reads `+ - * / %` and parentheses.
struct Reader<'t> {
    tokens: &'t [Term],
    depth: usize,
}

impl Reader<'_> {
    fn take(&mut self, accept: &[char]) -> Option<char> {
        match self.tokens.split_first() {
            Some((Term::Op(op), rest)) if accept.contains(op) => {
                self.tokens = rest;
                Some(*op)
            }
            _ => None,
        }
    }

    fn sum(&mut self) -> Option<i64> {
        let mut value = self.product()?;
        while let Some(op) = self.take(&['+', '-']) {
            let next = self.product()?;
            value = if op == '+' {
                value.checked_add(next)?
            } else {
                value.checked_sub(next)?
            };
        }
        Some(value)
    }

    fn product(&mut self) -> Option<i64> {
        let mut value = self.unary()?;
        while let Some(op) = self.take(&['*', '/', '%']) {
            let next = self.unary()?;
            value = match op {
                '*' => value.checked_mul(next)?,
                '/' => value.checked_div(next)?,
                _ => value.checked_rem(next)?,
            };
        }
        Some(value)
    }

    fn unary(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > 64 {
            return None;
        }
        if self.take(&['-']).is_some() {
            return self.unary()?.checked_neg();
        }
        if self.take(&['+']).is_some() {
            return self.unary();
        }
        if self.take(&['(']).is_some() {
            let value = self.sum()?;
            self.take(&[')'])?;
            return Some(value);
        }
        match self.tokens.split_first() {
            Some((Term::Number(number), rest)) => {
                self.tokens = rest;
                Some(*number)
            }
            _ => None,
        }
    }
}
