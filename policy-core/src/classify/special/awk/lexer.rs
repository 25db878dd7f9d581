//! The words of an awk program: where a regular expression may stand, a string ends, a parenthesis belongs to a statement.
//!
//! Sources: POSIX awk grammar, gawk `awkgram.y` (regexp and bracket lexing), mawk `scan.c`.

use alloc::{string::String, vec::Vec};

use crate::classify::special::script::{Cursor, Fault};

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind<'a> {
    Name(&'a str),
    Number,
    /// A string; its value when it holds no escape that tools read differently.
    Text(Option<String>),
    Regex,
    Op(&'static str),
    /// `)` of `if (…)`, `while (…)`, `for (…)`, `switch (…)`.
    CloseControl,
    Newline,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind<'a>,
    pub(super) at: usize,
}

pub(super) struct Lexer<'a> {
    text: Cursor<'a>,
    brackets: bool,
    tokens: Vec<Token<'a>>,
    /// For each open parenthesis, whether it belongs to a control statement.
    open: Vec<bool>,
}

const OPERATORS: &[&str] = &[
    "**=", "|&", "||", "&&", "==", "!=", "<=", ">=", ">>", "++", "--", "+=", "-=", "*=", "%=",
    "^=", "**", "!~", "{", "}", "(", ")", "[", "]", ";", ",", "+", "-", "*", "%", "^", "!", "<",
    ">", "|", "?", ":", "~", "$", "=",
];

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, brackets: bool) -> Self {
        Self {
            text: Cursor::new(text),
            brackets,
            tokens: Vec::new(),
            open: Vec::new(),
        }
    }

    pub(super) fn tokens(mut self) -> Result<Vec<Token<'a>>, Fault> {
        while let Some(next) = self.text.peek() {
            let at = self.text.at();
            let kind = match next {
                ' ' | '\t' => {
                    self.text.bump();
                    continue;
                }
                '\\' => {
                    if !self.text.eat("\\\n") {
                        return Err(Fault::unread(at, "a backslash stands alone"));
                    }
                    continue;
                }
                '#' => {
                    self.text.take_while(|c| c != '\n');
                    continue;
                }
                '\n' => {
                    self.text.bump();
                    Kind::Newline
                }
                '"' => Kind::Text(self.string()?),
                '0'..='9' | '.' => self.number()?,
                '/' => self.slash()?,
                '@' => {
                    return Err(Fault::acts(
                        at,
                        "`@` in the awk program loads or calls code",
                    ));
                }
                c if c.is_ascii_alphabetic() || c == '_' => {
                    let name = self
                        .text
                        .take_while(|c| c.is_ascii_alphanumeric() || c == '_');
                    if self.text.rest().starts_with("::") {
                        return Err(Fault::unread(at, "a namespace is not followed"));
                    }
                    Kind::Name(name)
                }
                _ => self.operator()?,
            };
            self.tokens.push(Token { kind, at });
        }
        Ok(self.tokens)
    }

    fn last(&self) -> Option<&Kind<'a>> {
        self.tokens.last().map(|token| &token.kind)
    }

    fn operator(&mut self) -> Result<Kind<'a>, Fault> {
        let at = self.text.at();
        let Some(&op) = OPERATORS.iter().find(|op| self.text.eat(op)) else {
            return Err(Fault::unread(at, "a character that is no awk"));
        };
        Ok(match op {
            "(" => {
                let control = matches!(
                    self.last(),
                    Some(Kind::Name("if" | "while" | "for" | "switch"))
                );
                self.open.push(control);
                Kind::Op("(")
            }
            ")" if self.open.pop() == Some(true) => Kind::CloseControl,
            _ => Kind::Op(op),
        })
    }

    /// Letters glued to a number are read differently: only an exponent or hexadecimal digits pass.
    fn number(&mut self) -> Result<Kind<'a>, Fault> {
        let at = self.text.at();
        self.text.take_while(|c| c.is_ascii_digit() || c == '.');
        let letters = self
            .text
            .take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        let mut chars = letters.chars();
        let fine = match chars.next() {
            None => true,
            Some('e' | 'E') => chars.all(|c| c.is_ascii_digit()),
            Some('x' | 'X') => chars.all(|c| c.is_ascii_hexdigit()),
            Some(_) => false,
        };
        if fine {
            Ok(Kind::Number)
        } else {
            Err(Fault::unread(at, "a name is glued to a number"))
        }
    }

    fn string(&mut self) -> Result<Option<String>, Fault> {
        let at = self.text.at();
        self.text.bump();
        let mut value = Some(String::new());
        loop {
            match self.text.bump() {
                Some('"') => return Ok(value),
                Some('\\') => match self.text.bump() {
                    Some(c @ ('"' | '\\' | '/')) => {
                        if let Some(value) = &mut value {
                            value.push(c);
                        }
                    }
                    _ => value = None,
                },
                None | Some('\n') => return Err(Fault::unread(at, "a string is not closed")),
                Some(c) => {
                    if let Some(value) = &mut value {
                        value.push(c);
                    }
                }
            }
        }
    }

    /// A division after an operand, a regular expression elsewhere (mawk goes by the token before, gawk by the
    /// grammar; where they differ the program is not followed).
    fn slash(&mut self) -> Result<Kind<'a>, Fault> {
        let at = self.text.at();
        let divides = match self.last() {
            Some(Kind::CloseControl | Kind::Name("length" | "getline") | Kind::Op("$")) => {
                return Err(Fault::unread(at, "`/` here is read differently by awks"));
            }
            Some(Kind::Name(name)) => !is_keyword(name),
            Some(Kind::Op(op)) => matches!(*op, ")" | "]" | "++" | "--"),
            Some(Kind::Number | Kind::Text(_) | Kind::Regex) => true,
            Some(Kind::Newline) | None => false,
        };
        self.text.bump();
        if divides {
            self.text.eat("=");
            return Ok(Kind::Op("/"));
        }
        let mut depth = 0_i32;
        let mut first = None;
        let mut taken = 0_usize;
        let mut before = '/';
        loop {
            let Some(next) = self.text.bump() else {
                return Err(Fault::unread(at, "a regular expression is not closed"));
            };
            match next {
                '\n' => return Err(Fault::unread(at, "a regular expression is not closed")),
                '\\' => {
                    self.text.bump();
                    taken += 2;
                    before = ' ';
                    continue;
                }
                '[' if self.brackets && (depth == 0 || self.text.peek() == Some(':')) => {
                    depth += 1;
                    if depth == 1 {
                        first = Some(taken);
                    }
                }
                ']' if self.brackets => {
                    let at_start = depth > 0
                        && first.is_some_and(|first| {
                            taken == first + 1 || (taken == first + 2 && before == '^')
                        });
                    if !at_start {
                        depth -= 1;
                        if depth == 0 {
                            first = None;
                        }
                    }
                }
                '/' if depth <= 0 => return Ok(Kind::Regex),
                _ => {}
            }
            taken += 1;
            before = next;
        }
    }
}

pub(super) fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "BEGIN"
            | "END"
            | "BEGINFILE"
            | "ENDFILE"
            | "function"
            | "func"
            | "if"
            | "else"
            | "while"
            | "for"
            | "do"
            | "break"
            | "continue"
            | "next"
            | "nextfile"
            | "exit"
            | "return"
            | "delete"
            | "in"
            | "print"
            | "printf"
            | "case"
            | "default"
            | "switch"
    )
}
