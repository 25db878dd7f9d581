//! Words to values: quoting, braces, tilde, parameters, globs and splitting, as far as the text tells.
//!
//! Nothing here changes state or reports: the driver has already walked the word for what runs in it. A value is
//! never claimed more exactly than bash would make it; where splitting could make any words of any text, the
//! answer is [`Value::Many`] of nothing.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use super::{
    arith, braces, cwd,
    model::{Arg, Value},
    scope::{Known, Scope},
};
use crate::{
    facts::{Facts, Platform, Shell},
    limits::MAX_VALUES,
    syntax::ast::{Command, Param, ParamOp, Part, RedirectOp, Script, Word},
};

/// Most arguments that one word is split into.
const MAX_FIELDS: usize = 256;

/// Expands words at one point of the text.
#[derive(Clone, Copy)]
pub(super) struct Expander<'a> {
    pub(super) scope: &'a Scope,
    pub(super) facts: &'a Facts,
    pub(super) shell: Shell,
}

/// A character or piece of a word before expansion.
#[derive(Clone, Debug)]
pub(super) enum Atom<'a> {
    /// An unquoted character.
    Char(char),
    /// Text that means itself; it makes a field even when empty.
    Quoted(String),
    /// An expansion, and whether it stands in double quotes.
    Part(&'a Part, bool),
}

/// A piece of a word after expansion.
#[derive(Clone, Debug)]
enum Seg {
    Text(String),
    OneOf(Vec<String>),
    /// Known text that is split and globbed.
    Split(String),
    Digits,
    /// One unknown piece that is not split.
    One,
    /// Any number of unknown words.
    Many,
    /// A pattern character.
    Glob(char),
}

/// How a word is expanded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// An argument: braces, tilde, splitting, globs.
    Argument,
    /// One word: no braces, splitting or globs; tilde at its start.
    Single,
    /// The right-hand side of an assignment: as `Single`, with tilde also after `:`.
    Assignment,
    /// As `Single` without tilde: text inside quotes or a here-document.
    Quoted,
}

impl<'a> Expander<'a> {
    /// A word in argument position.
    pub(super) fn argument(&self, word: &'a Word) -> Vec<Arg> {
        let atoms = atoms(&word.parts);
        let words =
            if self.shell == Shell::Sh && braces::expand(&atoms).is_none_or(|all| all.len() != 1) {
                // dash has no braces, but a bash called as sh has.
                None
            } else {
                braces::expand(&atoms)
            };
        let values = match words {
            Some(words) => {
                let mut values = Vec::new();
                for atoms in words {
                    values.extend(fields(&self.segments(&atoms, Style::Argument)));
                }
                if values.len() > MAX_FIELDS {
                    values = alloc::vec![(Value::Many(String::new()), Vec::new())];
                }
                values
            }
            None => alloc::vec![(Value::Many(plain_start(&atoms)), Vec::new())],
        };
        values
            .into_iter()
            .map(|(value, shapes)| Arg {
                value,
                span: word.span,
                shapes,
            })
            .collect()
    }

    /// An argument of `export`, `declare` and kin: one that looks like an assignment is not split.
    pub(super) fn declaration(&self, word: &'a Word) -> Vec<Arg> {
        let atoms = atoms(&word.parts);
        let is_assignment = assigned_name(&atoms).is_some();
        let braced = braces::expand(&atoms).is_none_or(|all| all.len() != 1);
        if !is_assignment || braced {
            return self.argument(word);
        }
        let value = one(&self.segments(&atoms, Style::Assignment));
        alloc::vec![Arg::new(value, word.span)]
    }

    /// A word that is neither split nor globbed: a case subject, an operand of `[[ ]]`, a here-string.
    pub(super) fn single(&self, word: &'a Word) -> Value {
        one(&self.segments(&atoms(&word.parts), Style::Single))
    }

    /// The right-hand side of an assignment.
    pub(super) fn assigned(&self, word: &'a Word) -> Value {
        one(&self.segments(&atoms(&word.parts), Style::Assignment))
    }

    /// What a variable holds after `word` has been assigned to it.
    pub(super) fn known(&self, word: &'a Word) -> Known {
        let part = match word.parts.as_slice() {
            [Part::Double(inner, _)] => inner.as_slice(),
            parts => parts,
        };
        match part {
            [Part::Param(param)]
                if param.subscript.is_none() && !matches!(param.name.as_str(), "@" | "*") =>
            {
                self.parameter(param)
            }
            [Part::CommandSub(script, _)] => self.output(script),
            [Part::Arith(text, _)] => arith::constant(text, self)
                .map_or(Known::Integer, |number| Known::exact(number.to_string())),
            _ => Known::from_value(&self.assigned(word)),
        }
    }

    /// Parts as inside double quotes.
    pub(super) fn quoted(&self, parts: &'a [Part]) -> Value {
        let mut all = Vec::new();
        push_quoted(parts, &mut all);
        one(&self.segments(&all, Style::Quoted))
    }

    fn segments(&self, atoms: &[Atom<'a>], style: Style) -> Vec<Seg> {
        let mut segs = Vec::new();
        let mut rest = atoms;
        // bash also expands a tilde after the `=` of an argument that looks like an assignment.
        let assignment = assigned_name(atoms);
        let mut at = 0;
        let mut tilde_here = style != Style::Quoted;
        while let Some((first, after)) = rest.split_first() {
            if tilde_here && let Some((seg, used)) = self.tilde(rest, style) {
                segs.push(seg);
                rest = rest.get(used..).unwrap_or(&[]);
                at += used;
                tilde_here = false;
                continue;
            }
            tilde_here = false;
            match first {
                Atom::Quoted(text) => segs.push(Seg::Text(text.clone())),
                Atom::Part(Part::Param(param), false) if continues(param, after) => {
                    segs.push(Seg::Many);
                }
                Atom::Part(part, quoted) => {
                    self.part(part, *quoted || style != Style::Argument, &mut segs)
                }
                Atom::Char(c) => {
                    let glob = style == Style::Argument
                        && match c {
                            '*' | '?' => true,
                            '[' => after.iter().any(|atom| matches!(atom, Atom::Char(']'))),
                            // zsh: alternatives and qualifiers, approximations and numeric ranges.
                            '(' | '<' | '^' | '#' => self.shell == Shell::Zsh,
                            _ => false,
                        };
                    segs.push(if glob {
                        Seg::Glob(*c)
                    } else {
                        Seg::Text(c.to_string())
                    });
                    tilde_here = match c {
                        '=' => assignment == Some(at),
                        ':' => {
                            style == Style::Assignment || assignment.is_some_and(|sign| at > sign)
                        }
                        _ => false,
                    };
                }
            }
            rest = after;
            at += 1;
        }
        segs
    }

    /// A tilde prefix at the start of `atoms`: what it becomes and how many atoms it takes.
    fn tilde(&self, atoms: &[Atom<'a>], style: Style) -> Option<(Seg, usize)> {
        let (Atom::Char('~'), rest) = atoms.split_first()? else {
            return None;
        };
        let mut name = String::new();
        for atom in rest {
            match atom {
                Atom::Char('/') => break,
                Atom::Char(':') if style == Style::Assignment => break,
                Atom::Char(c) => name.push(*c),
                // A quote or an expansion in the prefix switches it off.
                Atom::Quoted(_) | Atom::Part(..) => return None,
            }
        }
        let mut literal = String::from("~");
        literal.push_str(&name);
        let here = cwd::absolute(&self.scope.cwd, self.facts);
        let seg = match name.as_str() {
            "" => match self.scope.variable("HOME") {
                None => Seg::Text(cwd::home(self.facts).to_string()),
                Some(known) => known
                    .only()
                    .map_or(Seg::One, |home| Seg::Text(home.to_string())),
            },
            "root" if self.facts.platform == Platform::Linux => Seg::Text("/root".into()),
            "+" if here.is_some() => Seg::Text(here.unwrap_or_default()),
            // An entry of the directory stack, or as it is.
            name if name.starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c)) => Seg::One,
            // No user's name, so it stays as it is.
            name if name.contains(|c: char| !(c.is_ascii_alphanumeric() || "._-+".contains(c))) => {
                Seg::Text(literal)
            }
            // Another user's home, if there is one; if not, it stays as it is.
            _ => {
                let mut path = String::from("/");
                path.push_str(&literal);
                Seg::OneOf(alloc::vec![path, literal])
            }
        };
        Some((seg, 1 + name.chars().count()))
    }

    fn part(&self, part: &'a Part, quoted: bool, segs: &mut Vec<Seg>) {
        match part {
            Part::Literal(text, _) | Part::Quoted(text, _) => segs.push(Seg::Text(text.clone())),
            Part::Double(inner, _) => {
                for part in inner {
                    self.part(part, true, segs);
                }
            }
            Part::Param(param) => self.param(param, quoted, segs),
            Part::CommandSub(script, _) => {
                let known = self.output(script);
                push_known(&known, quoted, self.shell, segs);
            }
            Part::ProcessSub { .. } => {
                // A path under /dev/fd or /proc; zsh's `=(…)` a temporary file.
                segs.push(Seg::Text("/".into()));
                segs.push(Seg::One);
            }
            Part::Arith(text, _) => match arith::constant(text, self) {
                Some(number) => segs.push(Seg::Text(number.to_string())),
                None => segs.push(Seg::One),
            },
            Part::ExtGlob(..) => segs.push(if quoted { Seg::One } else { Seg::Glob('*') }),
            Part::Array(..) => segs.push(Seg::One),
            Part::Opaque(..) => segs.push(Seg::Many),
        }
    }

    fn param(&self, param: &'a Param, quoted: bool, segs: &mut Vec<Seg>) {
        let all_at = |text: &str| text == "@" || (text == "*" && !quoted);
        let subscript = param
            .subscript
            .as_ref()
            .map(|text| static_text(&text.parts));
        if !matches!(param.op, ParamOp::Length)
            && (all_at(&param.name) || matches!(&subscript, Some(Some(text)) if all_at(text)))
        {
            segs.push(Seg::Many);
            return;
        }
        push_known(&self.parameter(param), quoted, self.shell, segs);
    }

    /// What is known of the value of a parameter expansion as one word.
    pub(super) fn parameter(&self, param: &'a Param) -> Known {
        if matches!(param.op, ParamOp::Length) {
            return Known::Digits;
        }
        let value = if param.subscript.is_some() {
            Known::Any
        } else {
            self.variable(&param.name)
        };
        match &param.op {
            ParamOp::None => value,
            ParamOp::Default(op, word) => match (*op, value.only()) {
                ("-" | "=" | "?", Some(_)) => value,
                (":-" | ":=" | ":?", Some(text)) if !text.is_empty() => value,
                ("+", Some(_)) => Known::from_value(&self.quoted(word)),
                (":+", Some(text)) if !text.is_empty() => Known::from_value(&self.quoted(word)),
                (":+", Some(_)) => Known::exact(""),
                _ => Known::Any,
            },
            _ => Known::Any,
        }
    }

    /// What is known of a variable.
    pub(super) fn variable(&self, name: &str) -> Known {
        match name {
            "?" | "#" | "$" => return Known::Digits,
            "PWD" => {
                return cwd::absolute(&self.scope.cwd, self.facts).map_or(Known::Any, Known::exact);
            }
            _ => {}
        }
        match name {
            "LINENO" | "PPID" => return Known::Digits,
            "RANDOM" | "SECONDS" | "UID" | "EUID" | "BASHPID" | "EPOCHSECONDS" | "SRANDOM"
                if self.shell != Shell::Sh =>
            {
                return Known::Digits;
            }
            _ => {}
        }
        if let Some(known) = self.scope.variable(name) {
            return known.clone();
        }
        match name {
            "HOME" => self.facts.home.as_deref().map_or(Known::Any, Known::exact),
            _ => match (name.parse::<usize>(), &self.scope.positional) {
                (Ok(index), Some(all)) => all.get(index).cloned().unwrap_or(Known::exact("")),
                _ => Known::Any,
            },
        }
    }

    /// What is known of the output of a substitution: a literal here-document through `cat`, a count, the directory.
    pub(super) fn output(&self, script: &'a Script) -> Known {
        let [item] = script.items.as_slice() else {
            return Known::Any;
        };
        if item.background || !item.and_or.rest.is_empty() {
            return Known::Any;
        }
        let stages = &item.and_or.first.stages;
        let Some(Command::Simple(simple)) = stages.last().map(|stage| &stage.command) else {
            return Known::Any;
        };
        let redirected = simple.redirects.iter().any(|redirect| {
            !matches!(
                redirect.op,
                RedirectOp::Read | RedirectOp::HereDoc | RedirectOp::HereDocTabs
            )
        });
        let words: Option<Vec<String>> = simple
            .words
            .iter()
            .map(|word| static_text(&word.parts))
            .collect();
        let Some(words) = words else {
            return Known::Any;
        };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["pwd"] if stages.len() == 1 && !redirected => {
                cwd::absolute(&self.scope.cwd, self.facts).map_or(Known::Any, Known::exact)
            }
            ["cat"] if stages.len() == 1 && !redirected => match simple.redirects.as_slice() {
                [only] => match &only.heredoc {
                    Some(body) if body.literal => static_text(&body.parts)
                        .map_or(Known::Any, |text| Known::exact(text.trim_end_matches('\n'))),
                    _ => Known::Any,
                },
                _ => Known::Any,
            },
            ["date", "+%s"] | ["nproc"] if stages.len() == 1 => Known::Digits,
            // One count and no file name; a failing reader leaves 0. (BSD pads it with blanks, which splitting drops.)
            ["wc", "-l" | "-c" | "-w" | "-m"]
                if stages.len() > 1 || !simple.redirects.is_empty() =>
            {
                Known::Integer
            }
            _ => Known::Any,
        }
    }
}

/// The text of parts that hold no expansion.
pub(super) fn static_text(parts: &[Part]) -> Option<String> {
    let mut all = String::new();
    for part in parts {
        match part {
            Part::Literal(text, _) | Part::Quoted(text, _) => all.push_str(text),
            Part::Double(inner, _) => all.push_str(&static_text(inner)?),
            _ => return None,
        }
    }
    Some(all)
}

/// The text of a word that means itself: no active tilde, brace or glob either.
pub(super) fn literal_text(word: &Word) -> Option<String> {
    let text = static_text(&word.parts)?;
    let active = word.parts.iter().any(
        |part| matches!(part, Part::Literal(text, _) if text.contains(['*', '?', '[', '~', '{'])),
    );
    (!active || text == "[").then_some(text)
}

fn atoms(parts: &[Part]) -> Vec<Atom<'_>> {
    let mut all = Vec::new();
    for part in parts {
        match part {
            Part::Literal(text, _) => all.extend(text.chars().map(Atom::Char)),
            Part::Quoted(text, _) => all.push(Atom::Quoted(text.clone())),
            Part::Double(inner, _) => {
                if inner.iter().all(|part| !is_vanishing(part)) {
                    all.push(Atom::Quoted(String::new()));
                }
                push_quoted(inner, &mut all);
            }
            other => all.push(Atom::Part(other, false)),
        }
    }
    all
}

/// Whether a name without braces runs on in what brace expansion put after it: `$x{a,b}` is `$xa $xb`.
fn continues(param: &Param, after: &[Atom<'_>]) -> bool {
    let bare = param.span.len() == param.name.len() + 1;
    bare && param
        .name
        .starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())
        && matches!(after.first(), Some(Atom::Char(c)) if *c == '_' || c.is_ascii_alphanumeric())
}

/// `"$@"` makes no field when there are no arguments.
fn is_vanishing(part: &Part) -> bool {
    matches!(part, Part::Param(param) if param.name == "@" || param.subscript.is_some())
}

fn push_quoted<'a>(parts: &'a [Part], all: &mut Vec<Atom<'a>>) {
    for part in parts {
        match part {
            Part::Literal(text, _) | Part::Quoted(text, _) => all.push(Atom::Quoted(text.clone())),
            Part::Double(inner, _) => push_quoted(inner, all),
            other => all.push(Atom::Part(other, true)),
        }
    }
}

/// The index of the `=` when the word begins as an assignment does.
fn assigned_name(atoms: &[Atom<'_>]) -> Option<usize> {
    for (index, atom) in atoms.iter().enumerate() {
        match atom {
            Atom::Char('=') if index > 0 => return Some(index),
            Atom::Char('+')
                if index > 0 && matches!(atoms.get(index + 1), Some(Atom::Char('='))) =>
            {
                return Some(index + 1);
            }
            Atom::Char(c) if *c == '_' || c.is_ascii_alphabetic() => {}
            Atom::Char(c) if index > 0 && c.is_ascii_digit() => {}
            _ => return None,
        }
    }
    None
}

/// The literal text before anything active.
fn plain_start(atoms: &[Atom<'_>]) -> String {
    let mut text = String::new();
    for atom in atoms {
        match atom {
            Atom::Char('~' | '{' | '*' | '?' | '[' | '(') | Atom::Part(..) => break,
            Atom::Char(c) => text.push(*c),
            Atom::Quoted(quoted) => text.push_str(quoted),
        }
    }
    text
}

fn push_known(known: &Known, quoted: bool, shell: Shell, segs: &mut Vec<Seg>) {
    match known {
        Known::Digits => segs.push(Seg::Digits),
        Known::Integer => segs.push(Seg::One),
        Known::Values(all) if quoted => segs.push(Seg::OneOf(all.clone())),
        Known::Prefix(text) if quoted => {
            segs.push(Seg::Text(text.clone()));
            segs.push(Seg::One);
        }
        Known::Any if quoted => segs.push(Seg::One),
        Known::Values(all) => match all.as_slice() {
            // zsh neither splits nor globs a value, but drops an empty one.
            [one] if shell == Shell::Zsh && !one.is_empty() => segs.push(Seg::OneOf(all.clone())),
            [one] => segs.push(Seg::Split(one.clone())),
            all if all.iter().all(|text| {
                !text.is_empty() && !text.contains([' ', '\t', '\n', '*', '?', '[', '\\', '('])
            }) =>
            {
                segs.push(Seg::OneOf(all.to_vec()));
            }
            _ => segs.push(Seg::Many),
        },
        // The first word begins as the value does; what a blank in the rest makes of it is any number of words more.
        Known::Prefix(text) if !text.contains([' ', '\t', '\n', '*', '?', '[', '\\', '(']) => {
            segs.push(Seg::Text(text.clone()));
            segs.push(Seg::One);
            segs.push(Seg::Split(" ".into()));
            segs.push(Seg::Many);
        }
        Known::Prefix(_) | Known::Any => segs.push(Seg::Many),
    }
}

/// The arguments that an unquoted word makes, each with its shapes (see [`Arg`]).
fn fields(segs: &[Seg]) -> Vec<(Value, Vec<String>)> {
    let mut done: Vec<(Value, Vec<String>)> = Vec::new();
    let mut current: Vec<Seg> = Vec::new();
    let mut finish = |current: &mut Vec<Seg>| {
        if !current.is_empty() {
            let value = one(current);
            let shapes = match &value {
                Value::Exact(_) | Value::OneOf(_) | Value::Digits => Vec::new(),
                _ => alloc::vec![shape(current)],
            };
            done.push((value, shapes));
            current.clear();
        }
    };
    for seg in segs {
        let Seg::Split(text) = seg else {
            current.push(seg.clone());
            continue;
        };
        for (index, piece) in text.split([' ', '\t', '\n']).enumerate() {
            if index > 0 {
                finish(&mut current);
            }
            // A backslash in a value takes part in globbing.
            match piece.find(['*', '?', '[', '\\']) {
                _ if piece.is_empty() => {}
                Some(at) => {
                    current.push(Seg::Text(piece.get(..at).unwrap_or("").to_string()));
                    current.push(Seg::Glob('*'));
                }
                None => current.push(Seg::Text(piece.to_string())),
            }
        }
    }
    finish(&mut current);
    if done.len() > MAX_FIELDS {
        return alloc::vec![(Value::Many(String::new()), Vec::new())];
    }
    done
}

/// The known text of a field with `*` for what is not known.
fn shape(segs: &[Seg]) -> String {
    let mut text = String::new();
    let mut bracket = false;
    for seg in segs {
        match seg {
            // A bracket expression stands for one character.
            Seg::Text(piece) if bracket => bracket = !piece.ends_with(']'),
            Seg::Text(piece) | Seg::Split(piece) => text.push_str(piece),
            Seg::Glob(c) => {
                bracket = *c == '[';
                text.push('*');
            }
            Seg::OneOf(_) | Seg::Digits | Seg::One | Seg::Many => text.push('*'),
        }
    }
    text
}

/// The value of one field.
fn one(segs: &[Seg]) -> Value {
    if segs.iter().any(|seg| matches!(seg, Seg::Many)) {
        return Value::Many(String::new());
    }
    if let [Seg::Digits] = strip_empty(segs) {
        return Value::Digits;
    }
    let mut known: Vec<String> = alloc::vec![String::new()];
    let mut open = false;
    let glob = segs.iter().any(|seg| matches!(seg, Seg::Glob(_)));
    for seg in segs {
        match seg {
            Seg::Text(text) | Seg::Split(text) => {
                known.iter_mut().for_each(|all| all.push_str(text))
            }
            Seg::OneOf(values) if known.len() * values.len() <= MAX_VALUES => {
                known = known
                    .iter()
                    .flat_map(|start| {
                        values.iter().map(move |end| {
                            let mut text = start.clone();
                            text.push_str(end);
                            text
                        })
                    })
                    .collect();
            }
            Seg::OneOf(_) | Seg::Digits | Seg::One | Seg::Many | Seg::Glob(_) => {
                open = true;
                break;
            }
        }
    }
    known.dedup();
    if glob {
        return Value::Many(common_start(&known));
    }
    if open {
        let start = common_start(&known);
        return if start.is_empty() {
            Value::Unknown
        } else {
            Value::Prefix(start)
        };
    }
    if known.len() > 1 {
        return Value::OneOf(known);
    }
    Value::Exact(known.pop().unwrap_or_default())
}

fn strip_empty(segs: &[Seg]) -> &[Seg] {
    match segs {
        [Seg::Text(text), rest @ ..] if text.is_empty() => rest,
        other => other,
    }
}

fn common_start(all: &[String]) -> String {
    let Some((first, rest)) = all.split_first() else {
        return String::new();
    };
    let mut end = first.len();
    for other in rest {
        let shared = first
            .char_indices()
            .zip(other.chars())
            .find(|((_, a), b)| a != b)
            .map_or_else(|| first.len().min(other.len()), |((at, _), _)| at);
        end = end.min(shared);
    }
    first.get(..end).unwrap_or("").to_string()
}
