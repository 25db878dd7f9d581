//! A small regular expression: text patterns of other tools' rules, read and matched.
//!
//! What is read: literals and escapes, `.`, classes, `\d \s \w \b` and their opposites, `^ $`, groups, `|`, `* + ? {n,m}` (lazy ones too), `(?i)` and
//! `(?s)` at the start. Look-around, back references and anything else are faults with a place: a pattern is never half-read. Matching keeps a set
//! of states, so its work is bounded by length times size. A subject may hold [`GAP`]: text that nobody knows yet.

use alloc::{boxed::Box, format, string::String, vec::Vec};

mod case;
mod read;

use super::glob::GAP;
use case::{lower, upper};

/// Most instructions of one pattern.
const MOST: usize = 4_000;

/// Why a pattern cannot be used, and where (a byte of it).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternFault {
    /// One line, lower case.
    pub message: String,
    /// Byte offset.
    pub at: usize,
}

/// A pattern, ready to match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matcher {
    program: Vec<Step>,
    ignore_case: bool,
    start: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Step {
    One(char),
    Any {
        newline: bool,
    },
    Class {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
    Split(usize, usize),
    Jump(usize),
    Here(Place),
    Found,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Start,
    End,
    Boundary,
    NoBoundary,
}

/// A pattern as a tree.
#[derive(Clone, Debug)]
enum Tree {
    Step(Step),
    Run(Vec<Tree>),
    Either(Vec<Tree>),
    Repeat(Box<Tree>, u32, Option<u32>),
}

impl Matcher {
    /// Reads a regular expression. It is looked for anywhere in a subject, so `^` and `$` mean something.
    ///
    /// # Errors
    /// When it holds what is not read here.
    pub fn new(text: &str) -> Result<Self, PatternFault> {
        let (tree, ignore_case) = read::read(text)?;
        Self::compile(&tree, ignore_case)
    }

    /// A wildcard over the whole subject: `*` is any text and, with `question`, `?` any character; a trailing ` *` also matches nothing.
    ///
    /// # Errors
    /// When it is too long.
    pub fn glob(text: &str, question: bool) -> Result<Self, PatternFault> {
        let any = || Tree::Step(Step::Any { newline: true });
        let many = || Tree::Repeat(Box::new(any()), 0, None);
        let (body, open) = match text.strip_suffix(" *") {
            Some(body) if !body.is_empty() => (body, true),
            _ => (text, false),
        };
        let mut run = alloc::vec![Tree::Step(Step::Here(Place::Start))];
        run.extend(body.chars().map(|each| match each {
            '*' => many(),
            '?' if question => any(),
            other => Tree::Step(Step::One(other)),
        }));
        if open {
            let tail = Tree::Run(alloc::vec![Tree::Step(Step::One(' ')), many()]);
            run.push(Tree::Repeat(Box::new(tail), 0, Some(1)));
        }
        run.push(Tree::Step(Step::Here(Place::End)));
        Self::compile(&Tree::Run(run), false)
    }

    fn compile(tree: &Tree, ignore_case: bool) -> Result<Self, PatternFault> {
        let mut program = Vec::new();
        emit(tree, &mut program)?;
        program.push(Step::Found);
        let start = if ignore_case {
            String::new()
        } else {
            literal_start(&program)
        };
        Ok(Self {
            program,
            ignore_case,
            start,
        })
    }

    /// The literal text every match begins with at the very start of its subject; empty when there is none.
    #[must_use]
    pub fn start(&self) -> &str {
        &self.start
    }

    /// The same pattern for what follows `lead`, when every match begins with these characters.
    #[must_use]
    pub fn after(&self, lead: &str) -> Option<Self> {
        if self.ignore_case {
            return None;
        }
        let count = lead.chars().count();
        let literal = lead
            .chars()
            .zip(&self.program)
            .all(|(each, step)| *step == Step::One(each));
        let certain = self
            .program
            .iter()
            .position(|step| matches!(step, Step::Split(..) | Step::Jump(_)));
        if !literal || self.program.len() <= count || certain.is_some_and(|certain| certain < count)
        {
            return None;
        }
        // One step takes the place of the lead, so that every target moves by the same distance.
        let moved = |to: usize| (to + 1).saturating_sub(count);
        let mut program = alloc::vec![Step::Here(Place::Start)];
        program.extend(self.program.iter().skip(count).map(|step| match step {
            Step::Split(one, two) => Step::Split(moved(*one), moved(*two)),
            Step::Jump(to) => Step::Jump(moved(*to)),
            other => other.clone(),
        }));
        let start = literal_start(&program);
        Some(Self {
            program,
            ignore_case: false,
            start,
        })
    }

    /// Whether it matches; text that is not known matches only what matches any text.
    #[must_use]
    pub fn matches(&self, subject: &str) -> bool {
        self.run(subject, false)
    }

    /// Whether it matches for some text in the place of the gaps, where its match begins outside of them.
    #[must_use]
    pub fn may_match(&self, subject: &str) -> bool {
        self.run(subject, true)
    }

    fn run(&self, subject: &str, may: bool) -> bool {
        let anchored = matches!(self.program.first(), Some(Step::Here(Place::Start)));
        let mut here = States::new(self.program.len());
        let mut next = States::new(self.program.len());
        let mut before = None;
        let mut rest = subject.chars();
        loop {
            let at = rest.clone().next();
            // No match begins inside of a gap: any text at all could stand there.
            if before.is_none() || !(anchored || (may && at == Some(GAP))) {
                here.add(&self.program, 0, before, at, may);
            }
            if here.found {
                return true;
            }
            if here.list.is_empty() && anchored {
                return false;
            }
            let Some(each) = rest.next() else {
                return false;
            };
            next.clear();
            let after = rest.clone().next();
            if each == GAP && may {
                // The gap may take up any number of steps, or none.
                let mut index = 0;
                for pc in &here.list {
                    next.add(&self.program, *pc, before, after, true);
                }
                while let Some(pc) = next.list.get(index).copied() {
                    index += 1;
                    next.add(&self.program, pc + 1, Some(GAP), after, true);
                }
            } else {
                for pc in &here.list {
                    if self.takes(*pc, each) {
                        next.add(&self.program, pc + 1, Some(each), after, may);
                    }
                }
            }
            core::mem::swap(&mut here, &mut next);
            before = Some(each);
        }
    }

    fn takes(&self, pc: usize, each: char) -> bool {
        let inside = |ranges: &[(char, char)], each: char| {
            ranges
                .iter()
                .any(|(low, high)| (*low..=*high).contains(&each))
        };
        match self.program.get(pc) {
            Some(Step::One(wanted)) => {
                *wanted == each || (self.ignore_case && lower(*wanted) == lower(each))
            }
            Some(Step::Any { newline }) => *newline || !matches!(each, '\n' | '\r'),
            // What is not known may be what a class leaves out.
            Some(Step::Class { .. }) if each == GAP => false,
            Some(Step::Class { negated, ranges }) => {
                let small = lower(each);
                let other = if small == each { upper(each) } else { small };
                let found = inside(ranges, each) || (self.ignore_case && inside(ranges, other));
                found != *negated
            }
            _ => false,
        }
    }
}

/// The states reached, each once.
struct States {
    list: Vec<usize>,
    seen: Vec<bool>,
    stack: Vec<usize>,
    found: bool,
}

impl States {
    fn new(size: usize) -> Self {
        Self {
            list: Vec::new(),
            seen: alloc::vec![false; size],
            stack: Vec::new(),
            found: false,
        }
    }

    fn clear(&mut self) {
        self.list.clear();
        self.seen.fill(false);
        self.found = false;
    }

    fn add(
        &mut self,
        program: &[Step],
        pc: usize,
        before: Option<char>,
        after: Option<char>,
        may: bool,
    ) {
        self.stack.push(pc);
        while let Some(pc) = self.stack.pop() {
            match self.seen.get_mut(pc) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            match program.get(pc) {
                Some(Step::Split(one, two)) => self.stack.extend([*two, *one]),
                Some(Step::Jump(to)) => self.stack.push(*to),
                Some(Step::Here(place)) if holds(*place, before, after, may) => {
                    self.stack.push(pc + 1);
                }
                Some(Step::Here(_)) => {}
                Some(Step::Found) => self.found = true,
                Some(_) => self.list.push(pc),
                None => {}
            }
        }
    }
}

fn holds(place: Place, before: Option<char>, after: Option<char>, may: bool) -> bool {
    let word =
        |each: Option<char>| each.is_some_and(|each| each.is_ascii_alphanumeric() || each == '_');
    let unknown = before == Some(GAP) || after == Some(GAP);
    match place {
        Place::Start => before.is_none(),
        Place::End => after.is_none() || (may && after == Some(GAP)),
        Place::Boundary | Place::NoBoundary if unknown => may,
        Place::Boundary => word(before) != word(after),
        Place::NoBoundary => word(before) == word(after),
    }
}

fn literal_start(program: &[Step]) -> String {
    let mut steps = program.iter();
    if steps.next() != Some(&Step::Here(Place::Start)) {
        return String::new();
    }
    // A jump to somewhere in between would make what stands before it no longer certain.
    let split = program
        .iter()
        .position(|step| matches!(step, Step::Split(..) | Step::Jump(_)));
    let certain = split.unwrap_or(program.len());
    steps
        .take(certain.saturating_sub(1))
        .map_while(|step| match step {
            Step::One(each) => Some(*each),
            _ => None,
        })
        .collect()
}

fn emit(tree: &Tree, program: &mut Vec<Step>) -> Result<(), PatternFault> {
    if program.len() > MOST {
        return Err(PatternFault {
            message: format!("the pattern has more than {MOST} steps"),
            at: 0,
        });
    }
    match tree {
        Tree::Step(step) => program.push(step.clone()),
        Tree::Run(parts) => {
            for part in parts {
                emit(part, program)?;
            }
        }
        Tree::Either(branches) => {
            let mut ends = Vec::new();
            for (index, branch) in branches.iter().enumerate() {
                let last = index + 1 == branches.len();
                let split = program.len();
                if !last {
                    program.push(Step::Split(split + 1, 0));
                }
                emit(branch, program)?;
                if !last {
                    ends.push(program.len());
                    program.push(Step::Jump(0));
                    let next = program.len();
                    set(program, split, Step::Split(split + 1, next));
                }
            }
            let end = program.len();
            for jump in ends {
                set(program, jump, Step::Jump(end));
            }
        }
        Tree::Repeat(part, least, most) => {
            for _ in 0..*least {
                emit(part, program)?;
            }
            match most {
                None => {
                    let split = program.len();
                    program.push(Step::Split(0, 0));
                    emit(part, program)?;
                    program.push(Step::Jump(split));
                    let end = program.len();
                    set(program, split, Step::Split(split + 1, end));
                }
                Some(most) => {
                    let mut splits = Vec::new();
                    for _ in *least..*most {
                        splits.push(program.len());
                        program.push(Step::Split(0, 0));
                        emit(part, program)?;
                    }
                    let end = program.len();
                    for split in splits {
                        set(program, split, Step::Split(split + 1, end));
                    }
                }
            }
        }
    }
    Ok(())
}

fn set(program: &mut [Step], at: usize, step: Step) {
    if let Some(slot) = program.get_mut(at) {
        *slot = step;
    }
}

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
