//! Our own reader of bash: text to tree, by recursive descent, from the bash manual.
//!
//! It never stops at a fault: the first one is kept, the text counts as ended there, and every
//! construct that was open closes with what it has, so that deny rules see what could be read. Work is
//! bounded: nodes and depth by `limits`, repeated looks at the same bytes by `MAX_STEPS`. Words and quotes
//! are in `words`, expansions in `expand`, `param` and `arith`, here-documents in `heredoc`, lists and simple commands in
//! `commands` and `simple`, redirects in `redirect`, the compound forms in `compound` and `cond`, what zsh reads otherwise in `zsh`.

mod ansi;
mod arith;
mod commands;
mod compound;
mod cond;
mod cursor;
mod expand;
mod heredoc;
mod param;
mod redirect;
mod simple;
#[cfg(test)]
mod tests;
mod words;
mod zsh;

use alloc::{format, string::String, vec::Vec};

use crate::{
    facts::Shell,
    limits::{MAX_DEPTH, MAX_NODES},
    sorted::Set,
    span::Span,
    syntax::ast::{HereDoc, Item, Script},
};

pub(in crate::syntax) use commands::is_reserved;
use cursor::Map;
use heredoc::Pending;

/// Most byte steps for one text; hostile nesting that makes the reader look again and again ends here.
const MAX_STEPS: usize = 2_000_000;
/// Most times that reading starts anew after a fault.
const MAX_RESUMES: usize = 16;
/// Bytes that are read again after faults at most, beside the text once more: a long text is not read sixteen times.
const MAX_READ_AGAIN: usize = 4_000;

/// What the reader makes of a text.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The tree, whole or what could be read.
    pub(super) script: Script,
    /// The first fault.
    pub(super) problem: Option<Problem>,
    /// Invisible characters outside quotes.
    pub(super) hidden: Vec<Span>,
    /// The top-level statements: bytes of the text, and how many items of the script each holds.
    pub(super) pieces: Vec<Piece>,
}

/// A stretch of the text that holds whole statements and their here-documents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// From the first item to the end of the last, or of the last here-document.
    pub(super) span: Span,
    /// The items: a range of the script's.
    pub(super) items: (usize, usize),
}

/// Why the text cannot be read whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Problem {
    /// In words.
    pub(super) message: String,
    /// Where the construct that fails begins, and where it was noticed.
    pub(super) span: Span,
    /// More text could mend it.
    pub(super) incomplete: bool,
    /// It is the size of the text, not its syntax.
    pub(super) too_complex: bool,
}

/// Reads the whole text.
pub(super) fn read_text(text: &str, shell: Shell) -> Outcome {
    let mut outcome = Outcome::default();
    let mut shared = Shared::default();
    let mut from = 0;
    let mut again = text.len() + MAX_READ_AGAIN;
    for _ in 0..=MAX_RESUMES {
        let mut reader = Reader::new(text, Map::Base(0), shell, shared);
        reader.pos = from;
        read_items(&mut reader, &mut outcome);
        shared = reader.shared;
        let Some(problem) = shared.problem.take() else {
            break;
        };
        let stopped = (problem.span.start as usize).max(from);
        let fatal = problem.too_complex;
        outcome.problem.get_or_insert(problem);
        let rest = text.get(stopped..).unwrap_or("");
        let Some(next) = rest.find(['\n', ';']) else {
            break;
        };
        from = stopped + next + 1;
        match again.checked_sub(text.len() - from) {
            Some(left) if !fatal => again = left,
            _ => break,
        }
    }
    heredoc::attach(&mut outcome.script, &mut shared.bodies);
    outcome.hidden = shared.hidden;
    if let (Some(first), Some(last)) = (outcome.script.items.first(), outcome.script.items.last()) {
        outcome.script.span = first.span.to(last.span);
    }
    outcome
}

/// The top-level list, with the piece each item belongs to.
fn read_items(reader: &mut Reader<'_>, outcome: &mut Outcome) {
    loop {
        reader.skip_newlines();
        if reader.peek().is_none() {
            break;
        }
        let start = reader.pos;
        let first = outcome.script.items.len();
        loop {
            let more = reader.item(&mut outcome.script.items);
            let waits = !reader.pending.is_empty();
            reader.skip_blanks();
            let at_line_end = matches!(reader.peek(), None | Some(b'\n'));
            if !more && !at_line_end {
                reader.unexpected();
            }
            if !more || at_line_end || !waits {
                break;
            }
        }
        let mut end = outcome
            .script
            .items
            .last()
            .map_or(start, |item| item.span.end as usize);
        if !reader.pending.is_empty() {
            if reader.peek().is_none() {
                reader.end_of_text_with_documents();
            } else {
                reader.skip_newline();
                end = reader.pos;
            }
        }
        let last = outcome.script.items.len();
        if last > first && reader.shared.problem.is_none() {
            outcome.pieces.push(Piece {
                span: Span::new(start, end),
                items: (first, last),
            });
        }
        if reader.shared.problem.is_some() {
            break;
        }
    }
}

/// What readers of one text and of the texts inside it have in common.
#[derive(Debug, Default)]
struct Shared {
    problem: Option<Problem>,
    bodies: Vec<HereDoc>,
    hidden: Vec<Span>,
    nodes: usize,
    depth: usize,
    steps: usize,
}

/// A place in a text.
struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    pos: usize,
    end: usize,
    map: Map,
    shell: Shell,
    shared: Shared,
    /// Here-documents whose bodies begin after the next newline.
    pending: Vec<Pending>,
    /// Places of `((` already known not to be arithmetic.
    not_arithmetic: Set<usize>,
    /// Inside `$(…)`, `<(…)` or `>(…)` of this text.
    in_substitution: bool,
    /// Double quotes and here-documents around the cursor, those around a substitution included.
    in_double: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, map: Map, shell: Shell, shared: Shared) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            pos: 0,
            end: text.len(),
            map,
            shell,
            shared,
            pending: Vec::new(),
            not_arithmetic: Set::new(),
            in_substitution: false,
            in_double: 0,
        }
    }

    fn zsh(&self) -> bool {
        self.shell == Shell::Zsh
    }

    /// Syntax of bash that a POSIX shell reads otherwise: `[[ a || b ]]` runs `b` there. Which shell `sh` is nobody knows.
    fn bash_only(&mut self, what: &str, from: usize) {
        if self.shell == Shell::Sh {
            self.fail_as(
                format!("{what} means something else to a plain sh"),
                from,
                false,
                false,
            );
        }
    }

    /// Keeps the first fault and counts the text as ended.
    fn fail(&mut self, message: impl Into<String>, from: usize) {
        let incomplete = self.pos >= self.end && self.map.is_outermost();
        self.fail_as(message.into(), from, incomplete, false);
    }

    fn fail_as(&mut self, message: String, from: usize, incomplete: bool, too_complex: bool) {
        if self.shared.problem.is_none() {
            let span = self.span(from, self.pos.max(from));
            self.shared.problem = Some(Problem {
                message,
                span,
                incomplete,
                too_complex,
            });
        }
        self.pos = self.end;
    }

    fn failed(&self) -> bool {
        self.shared.problem.is_some()
    }

    /// Counts a node; past the limit the text counts as ended.
    fn node(&mut self) {
        self.shared.nodes += 1;
        if self.shared.nodes > MAX_NODES {
            let at = self.pos;
            self.fail_as("the text has too many parts".into(), at, false, true);
        }
    }

    /// Counts bytes looked at.
    fn steps(&mut self, count: usize) {
        self.shared.steps += count;
        if self.shared.steps > MAX_STEPS {
            let at = self.pos;
            self.fail_as("the text takes too long to read".into(), at, false, true);
        }
    }

    /// Runs `inside` one level deeper.
    fn deeper<T: Default>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.node();
        if self.shared.depth >= MAX_DEPTH {
            let at = self.pos;
            self.fail_as("the text is nested too deep".into(), at, false, true);
            return T::default();
        }
        self.shared.depth += 1;
        let made = inside(self);
        self.shared.depth -= 1;
        made
    }

    /// Reads another text that stands inside this one (backticks, a here-document's body).
    fn inner<T>(&mut self, text: &str, map: Map, read: impl FnOnce(&mut Reader<'_>) -> T) -> T {
        let shared = core::mem::take(&mut self.shared);
        let mut inner = Reader::new(text, map, self.shell, shared);
        inner.in_double = self.in_double;
        let made = read(&mut inner);
        self.shared = inner.shared;
        if self.failed() {
            self.pos = self.end;
        }
        made
    }

    /// A list that fills the whole text.
    fn whole_list(&mut self) -> Script {
        let script = self.list(commands::Stop::default());
        if self.peek().is_some() {
            self.unexpected();
        }
        if !self.pending.is_empty() {
            self.end_of_text_with_documents();
        }
        script
    }

    /// The span of a list from its items.
    fn script(&self, items: Vec<Item>) -> Script {
        let span = match (items.first(), items.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => Span::default(),
        };
        Script { items, span }
    }
}
