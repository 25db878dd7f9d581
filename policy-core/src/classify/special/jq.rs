//! jq filters: whether a filter shows the environment or loads code or files.
//!
//! Text in, nothing or a fault out: a jq filter has no other effects than its output. Object keys, fields, string
//! text and comments are told from names. Covers jq 1.5 to 1.7, gojq, jaq, and `gh --jq`; `yq` names the
//! further functions of mikefarah's yq.
//! Sources: jq manual, `lexer.l` and `parser.y` of jq 1.7; yq documentation.

use alloc::{format, string::String, vec::Vec};

use super::{
    awk::is_plain_variable,
    script::{Cursor, Fault, texts, touch},
};
use crate::{
    classify::{check::CheckInput, model::Why},
    command::model::{Arg, Value},
    diagnostic::Code,
    effect::{Effect, Touch},
};

/// Whether a word that is not known is a file to jq, or an option that it does not know: no option that is one word acts, and no
/// option that takes another ends like a file (`*.json`). jaq has others.
fn is_file(input: &CheckInput<'_>, word: &Arg) -> bool {
    let name = input.word(0).and_then(|name| name.value.exact());
    let ends_like_one = |shape: &alloc::string::String| {
        shape
            .rsplit('*')
            .next()
            .is_some_and(|end| end.starts_with('.') && end.len() > 2)
    };
    let several = matches!(word.value, Value::Many(_));
    name.is_some_and(|name| name.rsplit('/').next() == Some("jq"))
        && (!several || (!word.shapes.is_empty() && word.shapes.iter().all(ends_like_one)))
}

/// The check `jq`: reads jq's command line (its options are unlike others': `--arg` takes two words, `--args`
/// changes what operands are) and judges the filter.
pub(super) fn check(input: &CheckInput<'_>) -> Result<Vec<Touch>, Why> {
    let start = input.parsed.start;
    let mut words = input.words().iter().enumerate();
    let mut touches = Vec::new();
    let (mut filter, mut files, mut ended) = (false, true, false);
    while let Some((offset, word)) = words.next() {
        let index = start + offset;
        let known = texts(&word.value);
        if ended || !word.value.may_be_option(false) {
            if filter {
                if files {
                    touches.push(touch(Effect::Read, word.value.exact()));
                }
                continue;
            }
            filter = true;
            for text in known.ok_or_else(|| input.unknown(index))? {
                touches.extend(
                    read_filter(text, Dialect::Jq).map_err(|fault| input.fault(index, &fault))?,
                );
            }
            continue;
        }
        let Some(option) = word.value.exact() else {
            if filter && is_file(input, word) {
                touches.push(touch(Effect::Read, None));
                continue;
            }
            return Err(input.unknown(index));
        };
        let values = match option {
            "-" => {
                // A file named `-`, or nothing: harmless either way once there is a filter.
                0
            }
            "--" => {
                ended = true;
                0
            }
            "--args" | "--jsonargs" => {
                files = false;
                0
            }
            "--arg" | "--argjson" => 2,
            "--indent" => 1,
            "--tab"
            | "--seq"
            | "--stream"
            | "--stream-errors"
            | "--slurp"
            | "--raw-input"
            | "--null-input"
            | "--compact-output"
            | "--color-output"
            | "--monochrome-output"
            | "--ascii-output"
            | "--unbuffered"
            | "--sort-keys"
            | "--raw-output"
            | "--raw-output0"
            | "--join-output"
            | "--exit-status"
            | "--help"
            | "--version"
            | "--build-configuration"
            | "--yaml-output"
            | "--yaml-input"
            | "--binary" => 0,
            short
                if short.strip_prefix('-').is_some_and(|letters| {
                    letters.chars().all(|c| "srRncCMaSjeVhb".contains(c))
                }) =>
            {
                0
            }
            other => {
                return Err(input.refuse(
                    Code::CommandFlag,
                    index,
                    format!("`{other}` is not known to be harmless"),
                ));
            }
        };
        for _ in 0..values {
            match words.next() {
                Some((offset, word)) if matches!(word.value, Value::Many(_)) => {
                    return Err(input.unknown(start + offset));
                }
                _ => {}
            }
        }
    }
    Ok(touches)
}

/// The check `jqFlag`: judges the filter given to `-q`/`--jq` (`gh`), a jq without files.
pub(super) fn check_flag(input: &CheckInput<'_>) -> Result<Vec<Touch>, Why> {
    let mut touches = Vec::new();
    for option in input.parsed.all("-q --jq") {
        let (Some(value), Some(index)) = (&option.value, option.value_index) else {
            continue;
        };
        for text in texts(value).ok_or_else(|| input.unknown(index))? {
            touches.extend(
                read_filter(text, Dialect::Jq).map_err(|fault| input.fault(index, &fault))?,
            );
        }
    }
    Ok(touches)
}

/// The check `yq`: mikefarah's yq and the jq wrapper of that name; the expression must be harmless to both.
pub(super) fn check_yq(input: &CheckInput<'_>) -> Result<Vec<Touch>, Why> {
    input.certain()?;
    let mut expressions: Vec<(usize, &Value)> = input
        .parsed
        .all("--expression")
        .filter_map(|option| Some((option.value_index?, option.value.as_ref()?)))
        .collect();
    let mut operands: Vec<(usize, &Value)> = input.operands().collect();
    if let Some((_, first)) = operands.first()
        && matches!(first.exact(), Some("eval" | "e" | "eval-all" | "ea"))
    {
        operands.remove(0);
    }
    let in_place = input.parsed.has("-i --inplace --in-place");
    // A lone operand that is a file is the file, and the expression is then `.`.
    let given = !expressions.is_empty() || (in_place && operands.len() == 1);
    if !given && !operands.is_empty() {
        expressions.push(operands.remove(0));
    }
    let mut touches = Vec::new();
    for (index, value) in expressions {
        for text in texts(value).ok_or_else(|| input.unknown(index))? {
            for dialect in [Dialect::Jq, Dialect::Yq] {
                touches.extend(
                    read_filter(text, dialect).map_err(|fault| input.fault(index, &fault))?,
                );
            }
        }
    }
    if in_place {
        touches.extend(
            operands
                .iter()
                .map(|(_, value)| touch(Effect::Write, value.exact())),
        );
    }
    Ok(touches)
}

/// Which functions exist.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Dialect {
    /// jq and its like.
    Jq,
    /// mikefarah's yq: `load`, `env`, `strenv`, `envsubst`, `eval`.
    Yq,
}

/// What running `filter` touches.
pub(crate) fn read_filter(filter: &str, dialect: Dialect) -> Result<Vec<Touch>, Fault> {
    let mut tokens = Vec::new();
    let mut lexer = Lexer {
        text: Cursor::new(filter),
        tokens: &mut tokens,
        depth: 0,
    };
    lexer.until(None)?;
    judge(&tokens, dialect)
}

#[derive(Clone, PartialEq, Debug)]
enum Kind<'a> {
    /// A name, with `::` parts.
    Name(&'a str),
    /// `.name`
    Field,
    /// `$name`
    Variable(&'a str),
    /// `@base64`
    Format,
    /// A whole string without interpolation or escapes.
    Text(&'a str),
    /// A string with interpolation or escapes; its inner tokens came before.
    Built,
    Number,
    Op(char),
}

struct Token<'a> {
    kind: Kind<'a>,
    at: usize,
}

struct Lexer<'a, 't> {
    text: Cursor<'a>,
    tokens: &'t mut Vec<Token<'a>>,
    depth: usize,
}

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl<'a> Lexer<'a, '_> {
    /// Reads tokens up to the end, or up to the parenthesis that closes an interpolation.
    fn until(&mut self, close: Option<char>) -> Result<(), Fault> {
        let mut open = 0_usize;
        while let Some(next) = self.text.peek() {
            let at = self.text.at();
            let kind = match next {
                c if c.is_ascii_whitespace() => {
                    self.text.bump();
                    continue;
                }
                '#' => {
                    self.comment()?;
                    continue;
                }
                '"' => self.string()?,
                '.' => {
                    self.text.bump();
                    if self.text.peek().is_some_and(is_name_start) {
                        self.text.take_while(is_name);
                        Kind::Field
                    } else if self.text.peek().is_some_and(|c| c.is_ascii_digit()) {
                        self.number();
                        Kind::Number
                    } else {
                        Kind::Op('.')
                    }
                }
                '$' => {
                    self.text.bump();
                    // jq 1.7 takes blanks between the sign and the name.
                    self.text.take_while(|c| c.is_ascii_whitespace());
                    Kind::Variable(self.name())
                }
                '@' => {
                    self.text.bump();
                    self.text.take_while(is_name);
                    Kind::Format
                }
                c if is_name_start(c) => Kind::Name(self.name()),
                c if c.is_ascii_digit() => {
                    self.number();
                    Kind::Number
                }
                c if c.is_ascii_graphic() && c != '\\' && c != '`' => {
                    self.text.bump();
                    match c {
                        '(' => open += 1,
                        ')' if open == 0 && close == Some(')') => return Ok(()),
                        ')' => open = open.saturating_sub(1),
                        _ => {}
                    }
                    Kind::Op(c)
                }
                _ => return Err(Fault::unread(at, "a character that is no jq")),
            };
            self.tokens.push(Token { kind, at });
        }
        match close {
            None => Ok(()),
            Some(_) => Err(Fault::unread(
                self.text.at(),
                "an interpolation is not closed",
            )),
        }
    }

    fn name(&mut self) -> &'a str {
        let start = self.text.at();
        loop {
            self.text.take_while(is_name);
            let mut ahead = self.text;
            if ahead.eat("::") && ahead.peek().is_some_and(is_name_start) {
                self.text = ahead;
            } else {
                return self.text.since(start);
            }
        }
    }

    fn number(&mut self) {
        self.text.take_while(|c| c.is_ascii_digit() || c == '.');
        let mut ahead = self.text;
        if ahead.eat("e") || ahead.eat("E") {
            if !ahead.eat("+") {
                ahead.eat("-");
            }
            if !ahead.take_while(|c| c.is_ascii_digit()).is_empty() {
                self.text = ahead;
            }
        }
    }

    /// jq 1.7.1 lets an odd number of backslashes continue a comment, older ones do not.
    fn comment(&mut self) -> Result<(), Fault> {
        let at = self.text.at();
        let line = self.text.take_while(|c| c != '\n');
        if line.trim_end_matches('\r').ends_with('\\') {
            return Err(Fault::unread(at, "a comment that ends in a backslash"));
        }
        Ok(())
    }

    fn string(&mut self) -> Result<Kind<'a>, Fault> {
        let at = self.text.at();
        self.text.bump();
        self.depth += 1;
        if self.depth > 20 {
            return Err(Fault::unread(at, "strings are nested too deep"));
        }
        let start = self.text.at();
        let mut built = false;
        loop {
            let end = self.text.at();
            match self.text.bump() {
                None => return Err(Fault::unread(at, "a string is not closed")),
                Some('"') => {
                    self.depth -= 1;
                    if built {
                        return Ok(Kind::Built);
                    }
                    let all = self.text.since(start);
                    return Ok(Kind::Text(all.get(..end - start).unwrap_or("")));
                }
                Some('\\') => {
                    built = true;
                    if self.text.bump() == Some('(') {
                        let opened = self.text.at();
                        self.tokens.push(Token {
                            kind: Kind::Op('('),
                            at: opened,
                        });
                        self.until(Some(')'))?;
                        self.tokens.push(Token {
                            kind: Kind::Op(')'),
                            at: self.text.at(),
                        });
                    }
                }
                Some(_) => {}
            }
        }
    }
}

fn judge(tokens: &[Token<'_>], dialect: Dialect) -> Result<Vec<Touch>, Fault> {
    let mut touches = Vec::new();
    let mut open: Vec<char> = Vec::new();
    let kind = |index: usize| tokens.get(index).map(|token| &token.kind);
    let is_op =
        |index: usize, op: char| matches!(kind(index), Some(Kind::Op(found)) if *found == op);
    for (index, token) in tokens.iter().enumerate() {
        match &token.kind {
            Kind::Op(c @ ('(' | '[' | '{')) => open.push(*c),
            Kind::Op(')' | ']' | '}') => {
                open.pop();
            }
            Kind::Variable(name) if name.rsplit("::").next() == Some("ENV") => {
                let one = match (kind(index + 1), kind(index + 2), kind(index + 3)) {
                    (Some(Kind::Op('[')), Some(Kind::Text(name)), Some(Kind::Op(']'))) => {
                        is_plain_variable(name)
                    }
                    _ => false,
                };
                if !one {
                    return Err(Fault::acts(token.at, "`$ENV` shows the environment"));
                }
            }
            Kind::Name(name) => {
                let before = index.checked_sub(1);
                // `{env: 1}`, `{env}`: a key.
                let key = open.last() == Some(&'{')
                    && before.is_some_and(|before| is_op(before, '{') || is_op(before, ','))
                    && (is_op(index + 1, ':') || is_op(index + 1, ',') || is_op(index + 1, '}'));
                if key {
                    continue;
                }
                let argument = match (kind(index + 1), kind(index + 2), kind(index + 3)) {
                    (Some(Kind::Op('(')), Some(Kind::Text(text)), Some(Kind::Op(')'))) => {
                        Some(String::from(*text))
                    }
                    (Some(Kind::Op('(')), Some(Kind::Name(name)), Some(Kind::Op(')'))) => {
                        Some(String::from(*name))
                    }
                    _ => None,
                };
                let last = name.rsplit("::").next().unwrap_or(name);
                match (dialect, last) {
                    (Dialect::Jq, "env" | "input_filename") | (_, "get_search_list" | "getenv") => {
                        return Err(Fault::acts(
                            token.at,
                            format!("`{last}` shows more than the input"),
                        ));
                    }
                    (_, "include" | "import" | "modulemeta") => {
                        return Err(Fault::acts(token.at, format!("`{last}` loads a file")));
                    }
                    (Dialect::Yq, "env" | "strenv" | "envsubst") => {
                        let plain = argument.as_deref().is_some_and(is_plain_variable);
                        if last == "envsubst" || !plain {
                            return Err(Fault::acts(
                                token.at,
                                format!("`{last}` shows the environment"),
                            ));
                        }
                    }
                    (Dialect::Yq, "eval" | "system" | "exec") => {
                        return Err(Fault::acts(
                            token.at,
                            format!("`{last}` runs what it is given"),
                        ));
                    }
                    (
                        Dialect::Yq,
                        "load" | "load_str" | "load_xml" | "load_props" | "load_base64" | "loadstr"
                        | "strload" | "xmlload" | "propload",
                    ) => match argument {
                        Some(path) if matches!(kind(index + 2), Some(Kind::Text(_))) => {
                            touches.push(touch(Effect::Read, Some(&path)));
                        }
                        _ => {
                            return Err(Fault::unread(token.at, "a computed file is loaded"));
                        }
                    },
                    _ => {}
                }
            }
            _ => {}
        }
    }
    Ok(touches)
}

#[cfg(test)]
mod tests;
