//! Landmarks of a tree: what both readers must find at the same places.

use alloc::vec::Vec;

use super::ast::{
    ArithText, AssignValue, Command, CompoundKind, CondToken, Descriptor, Item, ParamOp, Part,
    Pipeline, Redirect, Script, Simple, Word,
};

use crate::{sorted, span::Span};

/// What begins at a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// A command's name.
    Command,
    /// A further word of a command, or of a `for`.
    Word,
    /// An assignment that is not a word of a command.
    Assignment,
    /// A redirect, from its descriptor on.
    Redirect,
    /// A here-document's body that is not empty.
    Body,
}

/// A place where something begins. `end` is set for bodies only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Landmark {
    pub(super) start: u32,
    pub(super) kind: Kind,
    pub(super) end: u32,
}

/// What our tree holds.
#[derive(Default)]
pub(super) struct Found {
    /// Sorted.
    pub(super) landmarks: Vec<Landmark>,
    /// Words that a continued line runs through, or that hold `$"`.
    pub(super) joined: Vec<Span>,
    /// Words of commands and loops: where each begins, and the furthest end of it and all before it. Sorted.
    pub(super) words: Vec<(u32, u32)>,
    /// Redirects that begin with `{name}`: the witness's grammar takes that for a word.
    pub(super) named: Vec<Span>,
    /// From a `time`, or the first of several `!`, to where the command begins: the witness's grammar takes the keyword for the
    /// command's name.
    pub(super) timed: Vec<Span>,
    /// Arithmetic inside arithmetic: the witness's grammar takes it for a substitution.
    pub(super) nested_arithmetic: Vec<Span>,
    depth: usize,
}

/// The landmarks of these items of `text`.
pub(super) fn of_items(text: &str, items: &[Item]) -> Found {
    let mut finder = Finder {
        text,
        found: Found::default(),
    };
    finder.items(items);
    let mut found = finder.found;
    sorted::sort(&mut found.landmarks);
    found.landmarks.dedup();
    sorted::sort(&mut found.words);
    carry_ends(&mut found.words);
    found
}

/// Makes the end of each stretch the furthest of it and all before it; they are sorted by where they begin.
pub(super) fn carry_ends(stretches: &mut [(u32, u32)]) {
    let mut furthest = 0;
    for (_, end) in stretches {
        furthest = furthest.max(*end);
        *end = furthest;
    }
}

/// Whether a place lies strictly inside one of these stretches, whose ends were carried.
pub(super) fn lies_inside(at: u32, stretches: &[(u32, u32)]) -> bool {
    let before = stretches.partition_point(|(start, _)| *start < at);
    before
        .checked_sub(1)
        .and_then(|last| stretches.get(last))
        .is_some_and(|(_, furthest)| at < *furthest)
}

/// The landmark of a here-document's body, unless it is blank. The witness leaves out the blanks at its beginning, and takes those
/// before its terminator for a part of it, so both are left out.
pub(super) fn body(text: &str, start: u32, end: u32) -> Option<Landmark> {
    let inside = text.get(start as usize..end as usize)?;
    let length = |text: &str| u32::try_from(text.len()).unwrap_or(u32::MAX);
    let rest = inside.trim_ascii_start();
    let kept = rest.trim_ascii_end();
    (!kept.is_empty()).then(|| {
        let from = end - length(rest);
        Landmark {
            start: from,
            kind: Kind::Body,
            end: from + length(kept),
        }
    })
}

/// Where a command begins.
fn begin(command: &Command) -> u32 {
    match command {
        Command::Simple(simple) => simple.span.start,
        Command::Compound(compound) => compound.span.start,
        Command::Function(function) => function.span.start,
        Command::Coproc(_, span) => span.start,
    }
}

struct Finder<'t> {
    text: &'t str,
    found: Found,
}

impl Finder<'_> {
    fn mark(&mut self, start: u32, kind: Kind) {
        self.found.landmarks.push(Landmark {
            start,
            kind,
            end: 0,
        });
    }

    fn script(&mut self, script: &Script) {
        self.items(&script.items);
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            let rest = item.and_or.rest.iter().map(|(_, pipeline)| pipeline);
            for pipeline in core::iter::once(&item.and_or.first).chain(rest) {
                if pipeline.timed || pipeline.bangs > 1 {
                    let end = pipeline
                        .stages
                        .first()
                        .map_or(pipeline.span.end, |stage| begin(&stage.command));
                    self.found.timed.push(Span {
                        start: pipeline.span.start,
                        end,
                    });
                    self.timed_group(pipeline);
                }
                for stage in &pipeline.stages {
                    self.command(&stage.command);
                }
            }
        }
    }

    /// `time { a; }`: to the witness's grammar `{` and `a` are arguments of `time`, and `}` is a command.
    fn timed_group(&mut self, pipeline: &Pipeline) {
        let Some(Command::Compound(compound)) = pipeline.stages.first().map(|it| &it.command)
        else {
            return;
        };
        let CompoundKind::Group(body) = &compound.kind else {
            return;
        };
        let (Some(first), Some(last)) = (body.items.first(), body.items.last()) else {
            return;
        };
        let Some(inner) = first.and_or.first.stages.first() else {
            return;
        };
        let end = last
            .and_or
            .rest
            .last()
            .map_or(&last.and_or.first, |(_, it)| it)
            .span
            .end;
        let rest = self.text.get(end as usize..).unwrap_or_default();
        let Some(close) = rest.bytes().position(|byte| byte == b'}') else {
            return;
        };
        let close = end + u32::try_from(close).unwrap_or(u32::MAX);
        for span in [(pipeline.span.start, begin(&inner.command)), (close, close)] {
            let (start, end) = span;
            self.found.timed.push(Span { start, end });
        }
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound) => {
                self.compound(&compound.kind);
                self.redirects(&compound.redirects);
            }
            Command::Function(function) => self.command(&function.body),
            Command::Coproc(inner, _) => self.command(inner),
        }
    }

    fn simple(&mut self, simple: &Simple) {
        for assignment in &simple.assignments {
            self.mark(assignment.span.start, Kind::Assignment);
            if let Some(subscript) = &assignment.subscript {
                self.arithmetic(subscript);
            }
            match &assignment.value {
                AssignValue::Word(word) => self.parts(&word.parts),
                AssignValue::Array(words) => self.inside(words),
            }
        }
        for (at, word) in simple.words.iter().enumerate() {
            self.found.words.push((word.span.start, word.span.end));
            self.mark(
                word.span.start,
                if at == 0 { Kind::Command } else { Kind::Word },
            );
            let text = word.span.slice(self.text);
            if text.contains("\\\n") || text.contains("$\"") {
                self.found.joined.push(word.span);
            }
        }
        self.inside(&simple.words);
        self.redirects(&simple.redirects);
    }

    fn compound(&mut self, kind: &CompoundKind) {
        match kind {
            CompoundKind::Subshell(script) | CompoundKind::Group(script) => self.script(script),
            CompoundKind::If(arms, last) => {
                for (condition, body) in arms {
                    self.script(condition);
                    self.script(body);
                }
                if let Some(body) = last {
                    self.script(body);
                }
            }
            CompoundKind::While {
                condition, body, ..
            } => {
                self.script(condition);
                self.script(body);
            }
            CompoundKind::For { words, body, .. } => {
                for word in words.iter().flatten() {
                    self.mark(word.span.start, Kind::Word);
                    self.found.words.push((word.span.start, word.span.end));
                    self.parts(&word.parts);
                }
                self.script(body);
            }
            CompoundKind::ForArith { expression, body } => {
                self.arithmetic(expression);
                self.script(body);
            }
            CompoundKind::Case { subject, arms } => {
                self.parts(&subject.parts);
                for (patterns, body) in arms {
                    self.inside(patterns);
                    self.script(body);
                }
            }
            CompoundKind::Cond(tokens) => {
                for token in tokens {
                    if let CondToken::Word(word) = token {
                        self.parts(&word.parts);
                    }
                }
            }
            CompoundKind::Arith(text) => self.arithmetic(text),
            CompoundKind::Opaque(_) => {}
        }
    }

    fn redirects(&mut self, redirects: &[Redirect]) {
        for redirect in redirects {
            self.mark(redirect.span.start, Kind::Redirect);
            if matches!(redirect.descriptor, Some(Descriptor::Variable(_))) {
                self.found.named.push(redirect.span);
            }
            self.parts(&redirect.target.parts);
            if let Some(document) = &redirect.heredoc {
                let body = body(self.text, document.span.start, document.span.end);
                self.found.landmarks.extend(body);
                self.parts(&document.parts);
            }
        }
    }

    fn inside(&mut self, words: &[Word]) {
        for word in words {
            self.parts(&word.parts);
        }
    }

    fn arithmetic(&mut self, text: &ArithText) {
        if self.found.depth > 0 {
            self.found.nested_arithmetic.push(text.span);
        }
        self.found.depth += 1;
        self.parts(&text.parts);
        self.found.depth -= 1;
    }

    fn parts(&mut self, parts: &[Part]) {
        for part in parts {
            match part {
                Part::Double(inside, _) | Part::ExtGlob(inside, _) => self.parts(inside),
                Part::Array(words, _) => self.inside(words),
                Part::CommandSub(script, _) | Part::ProcessSub { script, .. } => {
                    self.script(script)
                }
                Part::Arith(text, _) => self.arithmetic(text),
                Part::Param(param) => {
                    if let Some(subscript) = &param.subscript {
                        self.arithmetic(subscript);
                    }
                    match &param.op {
                        ParamOp::Default(_, inside)
                        | ParamOp::Pattern(_, inside)
                        | ParamOp::Opaque(inside) => self.parts(inside),
                        ParamOp::Slice(text) => self.arithmetic(text),
                        ParamOp::None
                        | ParamOp::Length
                        | ParamOp::Indirect
                        | ParamOp::Transform(_) => {}
                    }
                }
                Part::Literal(..) | Part::Quoted(..) | Part::Opaque(..) => {}
            }
        }
    }
}
