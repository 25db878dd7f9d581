//! Here-documents: delimiters, bodies by exact terminator lines, and their way back into the tree.
//!
//! A body begins after the next newline token and ends at the line that is exactly the delimiter; inside `$(…)` and `<(…)` bash also ends
//! it at a line that begins with the delimiter and holds a `)`, and reads on behind the delimiter. In an unquoted one
//! backslash-newline is removed before the lines are compared, and the text is expanded as if in double quotes (where `"` is an
//! ordinary character). A body without its terminator is a fault: more text may come.

use alloc::{format, string::String, vec::Vec};

use crate::{
    facts::Shell,
    syntax::ast::{Command, CompoundKind, HereDoc, Part, Redirect, RedirectOp, Script, Word},
};

use super::{Reader, cursor::Map};

/// A here-document whose body was not yet reached.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    /// Where its body goes: an index into the bodies.
    pub(super) id: usize,
    /// The terminator line.
    pub(super) delimiter: String,
    /// Leading tabs are removed.
    pub(super) tabs: bool,
    /// The delimiter was quoted.
    pub(super) literal: bool,
    /// Where the operator stands, for the fault.
    pub(super) from: usize,
}

impl Reader<'_> {
    /// Notes the here-document of an operator at `from` with this delimiter; gives the placeholder for the tree.
    pub(super) fn begin_document(&mut self, op: RedirectOp, target: &Word, from: usize) -> HereDoc {
        let mut delimiter = String::new();
        let mut literal = false;
        let known = flatten(&target.parts, &mut delimiter, &mut literal);
        if !known {
            self.fail_as(
                "a here-document's delimiter holds an expansion".into(),
                from,
                false,
                false,
            );
        }
        let id = self.shared.bodies.len();
        self.shared.bodies.push(HereDoc {
            literal,
            ..HereDoc::default()
        });
        let tabs = op == RedirectOp::HereDocTabs;
        self.pending.push(Pending {
            id,
            delimiter,
            tabs,
            literal,
            from,
        });
        HereDoc {
            parts: Vec::new(),
            literal,
            span: crate::span::Span::new(id, id),
        }
    }

    /// After a newline: reads the bodies that wait.
    pub(super) fn read_bodies(&mut self) {
        let mut waiting = core::mem::take(&mut self.pending).into_iter();
        while let Some(document) = waiting.next() {
            let closes = self.read_body(&document);
            if closes && waiting.len() > 0 {
                self.two_ends(&document);
            }
        }
    }

    /// The text ended before the bodies: the fault that says so.
    pub(super) fn end_of_text_with_documents(&mut self) {
        if let Some(document) = self.pending.first() {
            let from = document.from;
            let message = format!("the here-document `{}` has no body", document.delimiter);
            self.fail(message, from);
        }
        self.pending.clear();
    }

    /// A here-document inside parentheses that bash reads twice, first as arithmetic: it may lose the body's lines.
    pub(super) fn refuse_documents(&mut self, before: usize, from: usize) {
        if self.shared.bodies.len() > before && !self.failed() {
            self.fail_as(
                "a here-document inside `((` can be read in two ways".into(),
                from,
                false,
                false,
            );
        }
    }

    /// A line of a body on which shells differ.
    fn two_ends(&mut self, document: &Pending) {
        let message = format!(
            "the here-document `{}` can end in two ways",
            document.delimiter
        );
        self.fail_as(message, document.from, false, false);
    }

    /// Where the text behind the delimiter begins, when this line begins with it and closes the substitution around.
    fn end_before_paren(&mut self, line: &[(usize, usize)], document: &Pending) -> Option<usize> {
        let mut left = document.delimiter.as_str();
        let mut behind = None;
        let mut text = String::new();
        for (from, to) in line {
            let piece = self.slice(*from, *to);
            if behind.is_some() {
                text.push_str(piece);
                continue;
            }
            let taken = left.len().min(piece.len());
            if piece.get(..taken) != left.get(..taken) {
                return None;
            }
            left = left.get(taken..)?;
            if left.is_empty() {
                behind = Some(from + taken);
                text.push_str(piece.get(taken..)?);
            }
        }
        if !text.contains(')') {
            return None;
        }
        if !text.starts_with(')') || self.shell != Shell::Bash {
            self.two_ends(document);
        }
        behind
    }

    /// True when the body ended before the `)` of a substitution, in the middle of a line.
    fn read_body(&mut self, document: &Pending) -> bool {
        let start = self.pos;
        let mut body: Vec<(usize, usize)> = Vec::new();
        let mut closed = None;
        let mut behind = None;
        while self.pos < self.end {
            let line_start = self.pos;
            let mut line = self.line(document.literal);
            if document.tabs {
                self.strip_tabs(&mut line);
            }
            let text_end = if self.pos > line_start && self.at(self.pos - 1) == Some(b'\n') {
                1
            } else {
                0
            };
            if self.is_delimiter(&line, text_end, &document.delimiter) {
                closed = Some(line_start);
                break;
            }
            if self.in_substitution {
                behind = self.end_before_paren(&line, document);
                if behind.is_some() {
                    closed = Some(line_start);
                    break;
                }
            }
            for piece in line {
                match body.last_mut() {
                    Some(last) if last.1 == piece.0 => last.1 = piece.1,
                    _ => body.push(piece),
                }
            }
        }
        self.steps(self.pos - start);
        let end = closed.unwrap_or(self.end);
        let span = self.span(start, end);
        let parts = self.body_parts(&body, document.literal);
        if let Some(slot) = self.shared.bodies.get_mut(document.id) {
            *slot = HereDoc {
                parts,
                literal: document.literal,
                span,
            };
        }
        if closed.is_none() {
            let message = format!("the here-document `{}` is not closed", document.delimiter);
            self.fail(message, document.from);
        }
        if let Some(behind) = behind.filter(|_| !self.failed()) {
            self.pos = behind;
        }
        behind.is_some()
    }

    /// The stretches of one line with its newline; continued lines are joined unless the document is literal.
    fn line(&mut self, literal: bool) -> Vec<(usize, usize)> {
        let mut pieces = Vec::new();
        let mut from = self.pos;
        while let Some(byte) = self.raw(0) {
            self.pos += 1;
            if byte == b'\n' {
                break;
            }
            if byte == b'\\' && !literal {
                match self.raw(0) {
                    Some(b'\n') => {
                        if self.pos - 1 > from {
                            pieces.push((from, self.pos - 1));
                        }
                        self.pos += 1;
                        from = self.pos;
                    }
                    Some(_) => self.pos += 1,
                    None => {}
                }
            }
        }
        if self.pos > from {
            pieces.push((from, self.pos));
        }
        pieces
    }

    fn strip_tabs(&self, line: &mut Vec<(usize, usize)>) {
        while let Some(first) = line.first_mut() {
            while first.0 < first.1 && self.at(first.0) == Some(b'\t') {
                first.0 += 1;
            }
            if first.0 < first.1 {
                return;
            }
            line.remove(0);
        }
    }

    fn is_delimiter(&self, line: &[(usize, usize)], newline: usize, delimiter: &str) -> bool {
        let length: usize = line.iter().map(|(from, to)| to - from).sum();
        if length != delimiter.len() + newline {
            return false;
        }
        let text: String = line
            .iter()
            .map(|(from, to)| self.slice(*from, *to))
            .collect();
        text.get(..delimiter.len()) == Some(delimiter)
    }

    /// The body's text with its expansions.
    fn body_parts(&mut self, pieces: &[(usize, usize)], literal: bool) -> Vec<Part> {
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
            return Vec::new();
        };
        self.node();
        let text: String = pieces
            .iter()
            .map(|(from, to)| self.slice(*from, *to))
            .collect();
        if literal || !text.contains(['$', '`', '\\']) {
            return alloc::vec![Part::Quoted(text, self.span(first.0, last.1))];
        }
        let map = match (&self.map, pieces) {
            (Map::Base(base), [(from, _)]) => Map::Base(base + from),
            _ => Map::Table(
                pieces
                    .iter()
                    .flat_map(|(from, to)| *from..*to)
                    .map(|at| u32::try_from(self.map.place(at)).unwrap_or(u32::MAX))
                    .collect(),
            ),
        };
        self.deeper(|reader| {
            reader.inner(&text, map, |inner| {
                inner.in_double += 1;
                inner.quoted_text(None, false)
            })
        })
    }
}

/// The text of a delimiter after quote removal; false when it holds an expansion.
fn flatten(parts: &[Part], text: &mut String, quoted: &mut bool) -> bool {
    parts.iter().all(|part| match part {
        Part::Literal(piece, _) => {
            text.push_str(piece);
            true
        }
        Part::Quoted(piece, _) => {
            text.push_str(piece);
            *quoted = true;
            true
        }
        Part::Double(inside, _) => {
            *quoted = true;
            flatten(inside, text, quoted)
        }
        _ => false,
    })
}

/// Puts the bodies into the redirects that hold their numbers.
pub(super) fn attach(script: &mut Script, bodies: &mut [HereDoc]) {
    if bodies.is_empty() {
        return;
    }
    // Bodies may hold substitutions with here-documents of their own, so they are filled first to last from copies.
    let mut filled: Vec<HereDoc> = bodies.to_vec();
    for at in (0..filled.len()).rev() {
        let Some(mut body) = filled.get(at).cloned() else {
            continue;
        };
        fill_parts(&mut body.parts, &filled);
        if let Some(slot) = filled.get_mut(at) {
            *slot = body;
        }
    }
    fill_script(script, &filled);
}

fn fill_script(script: &mut Script, bodies: &[HereDoc]) {
    for item in &mut script.items {
        let rest = item.and_or.rest.iter_mut().map(|(_, pipeline)| pipeline);
        for pipeline in core::iter::once(&mut item.and_or.first).chain(rest) {
            for stage in &mut pipeline.stages {
                fill_command(&mut stage.command, bodies);
            }
        }
    }
}

fn fill_command(command: &mut Command, bodies: &[HereDoc]) {
    match command {
        Command::Simple(simple) => {
            for assignment in &mut simple.assignments {
                if let Some(subscript) = &mut assignment.subscript {
                    fill_parts(&mut subscript.parts, bodies);
                }
                match &mut assignment.value {
                    crate::syntax::ast::AssignValue::Word(word) => {
                        fill_parts(&mut word.parts, bodies)
                    }
                    crate::syntax::ast::AssignValue::Array(words) => fill_words(words, bodies),
                }
            }
            fill_words(&mut simple.words, bodies);
            fill_redirects(&mut simple.redirects, bodies);
        }
        Command::Compound(compound) => {
            fill_compound(&mut compound.kind, bodies);
            fill_redirects(&mut compound.redirects, bodies);
        }
        Command::Function(function) => fill_command(&mut function.body, bodies),
        Command::Coproc(inner, _) => fill_command(inner, bodies),
    }
}

fn fill_compound(kind: &mut CompoundKind, bodies: &[HereDoc]) {
    match kind {
        CompoundKind::Subshell(script) | CompoundKind::Group(script) => fill_script(script, bodies),
        CompoundKind::If(arms, last) => {
            for (condition, body) in arms {
                fill_script(condition, bodies);
                fill_script(body, bodies);
            }
            if let Some(body) = last {
                fill_script(body, bodies);
            }
        }
        CompoundKind::While {
            condition, body, ..
        } => {
            fill_script(condition, bodies);
            fill_script(body, bodies);
        }
        CompoundKind::For { words, body, .. } => {
            if let Some(words) = words {
                fill_words(words, bodies);
            }
            fill_script(body, bodies);
        }
        CompoundKind::ForArith { expression, body } => {
            fill_parts(&mut expression.parts, bodies);
            fill_script(body, bodies);
        }
        CompoundKind::Case { subject, arms } => {
            fill_parts(&mut subject.parts, bodies);
            for (patterns, body) in arms {
                fill_words(patterns, bodies);
                fill_script(body, bodies);
            }
        }
        CompoundKind::Cond(tokens) => {
            for token in tokens {
                if let crate::syntax::ast::CondToken::Word(word) = token {
                    fill_parts(&mut word.parts, bodies);
                }
            }
        }
        CompoundKind::Arith(text) => fill_parts(&mut text.parts, bodies),
        CompoundKind::Opaque(_) => {}
    }
}

fn fill_words(words: &mut [Word], bodies: &[HereDoc]) {
    for word in words {
        fill_parts(&mut word.parts, bodies);
    }
}

fn fill_redirects(redirects: &mut [Redirect], bodies: &[HereDoc]) {
    for redirect in redirects {
        fill_parts(&mut redirect.target.parts, bodies);
        if let Some(document) = &mut redirect.heredoc
            && let Some(body) = bodies.get(document.span.start as usize)
        {
            *document = body.clone();
        }
    }
}

fn fill_parts(parts: &mut [Part], bodies: &[HereDoc]) {
    use crate::syntax::ast::ParamOp;
    for part in parts {
        match part {
            Part::Double(inside, _) | Part::ExtGlob(inside, _) => fill_parts(inside, bodies),
            Part::Array(words, _) => fill_words(words, bodies),
            Part::CommandSub(script, _) | Part::ProcessSub { script, .. } => {
                fill_script(script, bodies)
            }
            Part::Arith(text, _) => fill_parts(&mut text.parts, bodies),
            Part::Param(param) => {
                if let Some(subscript) = &mut param.subscript {
                    fill_parts(&mut subscript.parts, bodies);
                }
                match &mut param.op {
                    ParamOp::Default(_, inside)
                    | ParamOp::Pattern(_, inside)
                    | ParamOp::Opaque(inside) => fill_parts(inside, bodies),
                    ParamOp::Slice(text) => fill_parts(&mut text.parts, bodies),
                    ParamOp::None | ParamOp::Length | ParamOp::Indirect | ParamOp::Transform(_) => {
                    }
                }
            }
            Part::Literal(..) | Part::Quoted(..) | Part::Opaque(..) => {}
        }
    }
}
