//! A `sed -i` whose effect can be shown beforehand: substitutions of literal text in named files.
//!
//! So that a person sees the change and not the program. What is not of this shape is `None` and is asked about as
//! any other command.

use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    vec::Vec,
};

use super::Step;

/// Substitutions in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SedEdit {
    /// The file, as the command names it.
    pub path: String,
    substitutions: Vec<Substitution>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Substitution {
    at_start: bool,
    at_end: bool,
    pattern: String,
    replacement: Vec<Piece>,
    global: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Text(String),
    Match,
}

/// The edit that a single `sed -i` makes.
#[must_use]
pub fn sed_edit(steps: &[Step]) -> Option<SedEdit> {
    let [step] = steps else { return None };
    if step.name() != Some("sed") || step.redirected || step.altered {
        return None;
    }
    let mut substitutions = Vec::new();
    let mut operands = Vec::new();
    let (mut in_place, mut extended, mut scripts) = (false, false, Vec::new());
    let args = step.known_args()?;
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        match arg {
            "-i" | "--in-place" => in_place = true,
            "-E" | "-r" | "--regexp-extended" => extended = true,
            "-e" | "--expression" => scripts.push(args.next()?),
            "--" => operands.extend(args.by_ref()),
            _ if arg.starts_with('-') => return None,
            other => operands.push(other),
        }
    }
    if scripts.is_empty() && !operands.is_empty() {
        scripts.push(operands.remove(0));
    }
    for script in scripts {
        for line in script
            .split(['\n', ';'])
            .filter(|line| !line.trim().is_empty())
        {
            substitutions.push(substitution(line.trim(), extended)?);
        }
    }
    let [path] = operands.as_slice() else {
        return None;
    };
    (in_place && !substitutions.is_empty()).then(|| SedEdit {
        path: (*path).to_owned(),
        substitutions,
    })
}

/// `s/pattern/replacement/[g]` with a pattern that means itself.
fn substitution(text: &str, extended: bool) -> Option<Substitution> {
    let mut chars = text.strip_prefix('s')?.chars();
    let delimiter = chars
        .next()
        .filter(|c| !c.is_alphanumeric() && *c != '\\' && *c != '\n')?;
    let mut fields = [String::new(), String::new()];
    for field in &mut fields {
        loop {
            match chars.next()? {
                c if c == delimiter => break,
                '\\' => match chars.next()? {
                    c if c == delimiter => field.push(c),
                    c => field.extend(['\\', c]),
                },
                c => field.push(c),
            }
        }
    }
    let flags: String = chars.collect();
    let global = match flags.as_str() {
        "" => false,
        "g" => true,
        _ => return None,
    };
    let [pattern, replacement] = fields;
    let (at_start, rest) = match pattern.strip_prefix('^') {
        Some(rest) => (true, rest),
        None => (false, pattern.as_str()),
    };
    let (at_end, rest) = match rest.strip_suffix('$') {
        Some(head) if !head.ends_with('\\') => (true, head),
        _ => (false, rest),
    };
    Some(Substitution {
        at_start,
        at_end,
        pattern: literal(rest, extended)?,
        replacement: pieces(&replacement)?,
        global,
    })
}

/// The text a regular expression matches when it is nothing but text.
fn literal(pattern: &str, extended: bool) -> Option<String> {
    let special: &[char] = match extended {
        true => &['.', '*', '[', '^', '$', '+', '?', '(', ')', '{', '}', '|'],
        false => &['.', '*', '[', '^', '$'],
    };
    let mut text = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next()? {
                c if c.is_ascii_alphanumeric() => return None,
                // In basic expressions a backslash makes these special.
                '+' | '?' | '(' | ')' | '{' | '}' | '|' | '<' | '>' | '`' | '\'' if !extended => {
                    return None;
                }
                '<' | '>' | '`' | '\'' => return None,
                c => text.push(c),
            },
            c if special.contains(&c) => return None,
            c => text.push(c),
        }
    }
    (!text.is_empty()).then_some(text)
}

fn pieces(replacement: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut chars = replacement.chars();
    while let Some(c) = chars.next() {
        match c {
            '&' => {
                pieces.push(Piece::Text(core::mem::take(&mut text)));
                pieces.push(Piece::Match);
            }
            '\\' => match chars.next()? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                c if c.is_ascii_alphanumeric() => return None,
                c => text.push(c),
            },
            c => text.push(c),
        }
    }
    pieces.push(Piece::Text(text));
    Some(pieces)
}

impl SedEdit {
    /// The file's content after the edit.
    #[must_use]
    pub fn apply(&self, content: &str) -> String {
        content
            .split_inclusive('\n')
            .map(|line| {
                let (body, end) = match line.strip_suffix('\n') {
                    Some(body) => (body, "\n"),
                    None => (line, ""),
                };
                let mut body = body.to_string();
                for substitution in &self.substitutions {
                    body = substitution.apply(&body);
                }
                body + end
            })
            .collect()
    }
}

impl Substitution {
    fn apply(&self, line: &str) -> String {
        let mut out = String::new();
        let mut rest = line;
        while let Some((before, after)) = self.find(rest, rest.len() == line.len()) {
            out.push_str(before);
            for piece in &self.replacement {
                match piece {
                    Piece::Text(text) => out.push_str(text),
                    Piece::Match => out.push_str(&self.pattern),
                }
            }
            rest = after;
            if !self.global {
                break;
            }
        }
        out + rest
    }

    fn find<'a>(&self, text: &'a str, is_start: bool) -> Option<(&'a str, &'a str)> {
        match (self.at_start, self.at_end) {
            (true, false) => is_start
                .then(|| text.strip_prefix(&*self.pattern))?
                .map(|rest| ("", rest)),
            (true, true) => (is_start && text == self.pattern).then_some(("", "")),
            (false, true) => text.strip_suffix(&*self.pattern).map(|head| (head, "")),
            (false, false) => text.split_once(&*self.pattern),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::tests::list, *};

    fn after(command: &str, content: &str) -> Option<String> {
        sed_edit(&list(command)).map(|edit| edit.apply(content))
    }

    // What GNU sed 4.9 prints for each of these was checked by hand.
    #[test]
    fn literal_substitutions() {
        assert_eq!(
            after("sed -i s/foo/bar/ f", "foo foo\nx foo\n").unwrap(),
            "bar foo\nx bar\n"
        );
        assert_eq!(after("sed -i s/foo/bar/g f", "foo foo").unwrap(), "bar bar");
        assert_eq!(after("sed -i -e s|a/b|c&d| f", "a/b").unwrap(), "ca/bd");
        assert_eq!(
            after("sed -i s/^a/b/;s/c$/d/ f", "aac\nac\n").unwrap(),
            "bad\nbd\n"
        );
        assert_eq!(after(r"sed -i s/a\.b/x/ f", "acb a.b").unwrap(), "acb x");
        assert_eq!(after(r"sed -i -E s/a\(b/x/ f", "a(b").unwrap(), "x");
        assert_eq!(after("sed -i s/aa/a/g f", "aaaa").unwrap(), "aa");
        assert_eq!(after("sed -i s/^a/b/g f", "aaa").unwrap(), "baa");
    }

    #[test]
    fn what_is_not_shown_beforehand() {
        for command in [
            "sed s/a/b/ f",
            "sed -i s/a.b/x/ f",
            r"sed -i s/\(a\)/\1/ f",
            "sed -i s/a/b/e f",
            "sed -i s/a/b/w f",
            "sed -i 1d f",
            "sed -i.bak s/a/b/ f",
            "sed -i s/a/b/ f g",
            "sed -i s/a/b/ $X",
            "sed -i s/a/b/ f ; ls",
            r"sed -i s/a/\U&/ f",
            "sed -i s/a*/b/ f",
            "sed -i s//b/ f",
        ] {
            assert_eq!(after(command, "a"), None, "{command}");
        }
    }
}
