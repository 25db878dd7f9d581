//! Words to values: quoting, braces, tilde, parameters, globs and splitting, as far as the text tells.
//!
//! Nothing here changes state or reports: the driver has already walked the word for what runs in it. A value is
//! never claimed more exactly than bash would make it; where splitting could make any words of any text, the
//! answer is [`Value::Many`] of nothing.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::cell::Cell;

use super::{
    arith,
    atoms::{Atom, assigned_name, atoms, plain_start, push_quoted},
    braces::{self, Expanded},
    fields::{Field, MAX_FIELDS, Seg, fields, one, push_known, push_text},
    model::{Arg, Value},
    scope::{Known, Scope},
    tilde::Place,
};
use crate::{
    facts::{Facts, Shell},
    limits::{MAX_BRACE_WORDS, MAX_MADE_WORDS},
    syntax::ast::{Param, ParamOp, Part, Word},
};

/// So many characters that braces repeat cost as much as a word.
const CHARS_OF_WORD: usize = 16;

/// Expands words at one point of the text.
#[derive(Clone, Copy)]
pub(super) struct Expander<'a> {
    pub(super) scope: &'a Scope,
    pub(super) facts: &'a Facts,
    pub(super) shell: Shell,
    /// Bytes of variables' values that were put into words so far.
    pub(super) spent: &'a Cell<usize>,
    /// Words that braces and variables made beyond those of the text.
    pub(super) made: &'a Cell<usize>,
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
    /// A whole `name=value` of `export` and kin.
    Declaration,
    /// As `Single` without tilde: text inside quotes or a here-document.
    Quoted,
}

impl<'a> Expander<'a> {
    /// A word in argument position.
    pub(super) fn argument(&self, word: &'a Word) -> Vec<Arg> {
        if let Some(text) = self.plain(word) {
            return alloc::vec![Arg::new(Value::Exact(text), word.span)];
        }
        let atoms = atoms(&word.parts);
        // dash has no braces, but a bash called as sh has.
        let words = self
            .braces(&atoms)
            .filter(|expanded| self.shell != Shell::Sh || *expanded == Expanded::Same);
        let mut values = match words.filter(|_| self.may_make(0)) {
            Some(Expanded::Same) => {
                fields(&self.segments(&atoms, Style::Argument, assigned_name(&atoms)))
            }
            Some(Expanded::Words(words)) => {
                let mut values = Vec::new();
                for atoms in words {
                    // What braces made no longer counts as an assignment.
                    values.extend(fields(&self.segments(&atoms, Style::Argument, None)));
                }
                if values.len() > MAX_FIELDS {
                    values = alloc::vec![Field::of(Value::Many(String::new()))];
                }
                values
            }
            None => alloc::vec![Field::of(Value::Many(plain_start(&atoms)))],
        };
        let count = |field: &Field| match &field.value {
            Value::OneOf(all) => all.len(),
            _ => 1,
        };
        let made: usize = values.iter().map(count).sum();
        if made > 1 && !self.may_make(made - 1) {
            values = alloc::vec![Field::of(Value::Many(plain_start(&atoms)))];
        }
        let no_option = self.makes_no_option(word);
        let suspects = match only_expansion(&word.parts) {
            Some(Part::CommandSub(script, _)) => self.suspects(script),
            // `${x:-.env}`
            Some(Part::Param(Param {
                op: ParamOp::Default(_, word),
                ..
            })) => static_text(word).into_iter().collect(),
            _ => Vec::new(),
        };
        values
            .into_iter()
            .map(|field| {
                let Field {
                    value,
                    mut shapes,
                    samples,
                    matched,
                } = field;
                if value.exact().is_none() {
                    shapes.extend(suspects.iter().cloned());
                }
                let unsigned = |text: &String| !text.starts_with(['-', '+']);
                Arg {
                    value,
                    span: word.span,
                    shapes,
                    no_option: no_option || (!samples.is_empty() && samples.iter().all(unsigned)),
                    samples,
                    matched,
                }
            })
            .collect()
    }

    /// The text of a word that is one argument as it stands, as nearly every word is.
    fn plain(&self, word: &Word) -> Option<String> {
        // zsh has more signs than those that `literal_text` knows.
        literal_text(word).filter(|text| !text.is_empty() && self.shell != Shell::Zsh)
    }

    /// What braces make of a word, unless the text made too much already.
    fn braces(&self, atoms: &[Atom<'a>]) -> Option<Expanded<'a>> {
        let any = atoms.iter().any(|atom| matches!(atom, Atom::Char('{')));
        if !any || !self.may_make(0) {
            return Some(Expanded::Same);
        }
        let expanded = braces::expand(atoms);
        let cost = match &expanded {
            Some(Expanded::Same) => 0,
            // The words are counted by who takes them, and are dearer the longer they are.
            Some(Expanded::Words(all)) => all.iter().map(Vec::len).sum::<usize>() / CHARS_OF_WORD,
            // Made, and found to be too many.
            None => MAX_BRACE_WORDS,
        };
        let fits = self.may_make(cost);
        expanded.filter(|_| fits)
    }

    /// Whether the text may make so many words more.
    fn may_make(&self, words: usize) -> bool {
        self.made.set(self.made.get().saturating_add(words));
        self.made.get() <= MAX_MADE_WORDS
    }

    /// An argument of `export`, `declare` and kin: one that looks like an assignment is not split.
    pub(super) fn declaration(&self, word: &'a Word) -> Vec<Arg> {
        let atoms = atoms(&word.parts);
        let sign = assigned_name(&atoms);
        if sign.is_none() || braces::expand(&atoms) != Some(Expanded::Same) {
            return self.argument(word);
        }
        let value = one(&self.segments(&atoms, Style::Declaration, sign));
        let is_literal = word
            .parts
            .iter()
            .any(|part| matches!(part, Part::Array(..)));
        alloc::vec![Arg {
            no_option: is_literal,
            ..Arg::new(value, word.span)
        }]
    }

    /// A word that is neither split nor globbed: a case subject, an operand of `[[ ]]`, a here-string.
    pub(super) fn single(&self, word: &'a Word) -> Value {
        let atoms = atoms(&word.parts);
        one(&self.segments(&atoms, Style::Single, assigned_name(&atoms)))
    }

    /// The right-hand side of an assignment.
    pub(super) fn assigned(&self, word: &'a Word) -> Value {
        one(&self.segments(&atoms(&word.parts), Style::Assignment, None))
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
        one(&self.segments(&all, Style::Quoted, None))
    }

    /// The pieces that `atoms` expand to. `like_assignment`: where the `=` stands when bash took the word for one that looks like an
    /// assignment, after which it expands tildes too.
    fn segments(
        &self,
        atoms: &[Atom<'a>],
        style: Style,
        like_assignment: Option<usize>,
    ) -> Vec<Seg> {
        let mut segs = Vec::new();
        let last_bracket = atoms
            .iter()
            .rposition(|atom| matches!(atom, Atom::Char(']')));
        let mut place = match style {
            Style::Argument => Some(Place::Start),
            Style::Single => Some(Place::Word),
            Style::Assignment => Some(Place::Assignment),
            Style::Declaration | Style::Quoted => None,
        };
        let mut at = 0;
        while let Some(first) = atoms.get(at) {
            let rest = atoms.get(at..).unwrap_or(&[]);
            if let Some((seg, used)) = place.take().and_then(|place| self.tilde(rest, place)) {
                segs.push(seg);
                at += used;
                continue;
            }
            match first {
                Atom::Quoted(text) => push_text(&mut segs, text),
                Atom::Part(Part::Param(param), false)
                    if continues(param, rest.get(1..).unwrap_or(&[])) =>
                {
                    segs.push(Seg::Many);
                }
                Atom::Part(part, quoted) => {
                    self.part(part, *quoted || style != Style::Argument, &mut segs);
                }
                Atom::Char(c) => {
                    let glob = style == Style::Argument
                        && match c {
                            '*' | '?' => true,
                            '[' => last_bracket.is_some_and(|last| last > at),
                            // zsh: alternatives and qualifiers, approximations and numeric ranges.
                            '(' | '<' | '^' | '#' => self.shell == Shell::Zsh,
                            _ => false,
                        };
                    if glob {
                        segs.push(Seg::Glob(*c));
                    } else {
                        push_text(&mut segs, c.encode_utf8(&mut [0; 4]));
                    }
                    place = match (c, like_assignment) {
                        ('=', Some(sign)) if sign == at => Some(style.assigned()),
                        (':', Some(sign)) if at > sign => Some(style.assigned()),
                        (':', None) if style == Style::Assignment => Some(Place::Assignment),
                        _ => None,
                    };
                }
            }
            at += 1;
        }
        // bash 5.2 does not split what is expanded in a word with a dollar sign that means itself: `$x$`.
        let lone_dollar = atoms.iter().any(|atom| matches!(atom, Atom::Char('$')))
            && atoms
                .iter()
                .any(|atom| matches!(atom, Atom::Part(_, false)));
        if style == Style::Argument && lone_dollar {
            for seg in &mut segs {
                if let Seg::Split(text) = seg {
                    *seg = Seg::Text(core::mem::take(text));
                }
            }
            segs.push(Seg::Many);
        }
        segs
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
            // `<()` makes nothing.
            Part::ProcessSub { script, .. } if script.items.is_empty() => segs.push(Seg::Many),
            Part::ProcessSub { .. } => {
                // A path under /dev/fd or /proc; zsh's `=(…)` a temporary file.
                segs.push(Seg::Text("/".into()));
                segs.push(Seg::One);
            }
            Part::Arith(text, _) => match arith::constant(text, self) {
                Some(number) => segs.push(Seg::Text(number.to_string())),
                None => segs.push(Seg::Integer),
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
}

/// The expansion of a word that is nothing else.
fn only_expansion(parts: &[Part]) -> Option<&Part> {
    match parts {
        [Part::Double(inner, _)] => only_expansion(inner),
        [only] => Some(only),
        _ => None,
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
    // In the middle of a word a tilde is one, but where the word may be taken for an assignment.
    let home =
        |text: &str| text.starts_with('~') || (text.contains('~') && text.contains([':', '=']));
    let active = word.parts.iter().any(
        |part| matches!(part, Part::Literal(text, _) if text.contains(['*', '?', '[', '{']) || home(text)),
    );
    (!active || text == "[").then_some(text)
}

/// Whether a name without braces runs on in what brace expansion put after it: `$x{a,b}` is `$xa $xb`.
fn continues(param: &Param, after: &[Atom<'_>]) -> bool {
    let bare = param.span.len() == param.name.len() + 1;
    bare && param
        .name
        .starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())
        && matches!(after.first(), Some(Atom::Char(c)) if *c == '_' || c.is_ascii_alphanumeric())
}

impl Style {
    /// What a tilde after the `=` of a word that looks like an assignment counts as.
    fn assigned(self) -> Place {
        if self == Self::Declaration {
            Place::Assignment
        } else {
            Place::LikeAssignment
        }
    }
}
