//! Tree to invocations: what would run, with words as exactly known as the text permits.
//!
//! [`lower`] follows the tree as bash would run it, with what is known at each point (`scope`): `flow` the control
//! structure, `simple` one command with its words, assignments and redirects, `builtins` and `state` what changes the
//! shell itself, `wrappers` and `shells` commands that start others. Every command that bash could run becomes an
//! [`Invocation`] or lies behind a [`Hazard`]; more than that may be reported, less never.

mod arith;
mod assigned;
mod atoms;
mod braces;
mod builtins;
mod conditions;
mod cwd;
mod elements;
mod fields;
mod flow;
mod found;
mod launchers;
pub mod model;
mod names;
mod printed;
mod redirects;
mod scope;
mod shells;
mod simple;
mod state;
mod strict;
mod tilde;
mod values;
mod visit;
mod words;
mod wrappers;
mod zsh;

#[cfg(test)]
mod tests;

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::cell::Cell;

pub use cwd::UNKNOWN_HOME;
use model::{Arg, Assign, Connector, Hazard, HazardKind, Invocation, Program, Site, Stdin};
pub(crate) use names::is_harmless_value;
use printed::Printed;
use scope::Scope;
pub(crate) use shells::only_checks_syntax;
use words::Expander;

use crate::{
    facts::{Facts, Shell},
    limits::{MAX_CHARS, MAX_INVOCATIONS, MAX_MADE_WORDS, MAX_SCRIPT_DEPTH},
    span::Span,
    specs::SpecSet,
    syntax::{self, Status, ast::Script},
};

/// Bytes of scripts in strings that are read for one text.
const MAX_SCRIPT_BYTES: usize = 2 * MAX_CHARS;

/// Lowers a tree: resolves words, follows state and the working directory, looks through wrappers and into scripts.
#[must_use]
pub fn lower(script: &Script, text: &str, facts: &Facts, specs: &SpecSet) -> Program {
    let mut lowerer = Lowerer {
        facts,
        specs,
        shell: facts.shell,
        text: text.to_string(),
        pin: None,
        program: Program::default(),
        script_depth: 0,
        script_bytes: 0,
        full: false,
        assigned_by_wrapper: Vec::new(),
        wrapped_words: 0,
        spent: Cell::new(0),
        made: Cell::new(0),
    };
    let mut scope = Scope::new();
    lowerer.script(script, &mut scope, Context::top());
    let made = lowerer.made.get();
    let mut program = lowerer.program;
    if made > MAX_MADE_WORDS {
        // First, for it is why nothing is known of the words that came later.
        let too_many = Hazard {
            kind: HazardKind::TooMany,
            span: Span::new(0, text.len()),
            what: String::new(),
        };
        program.hazards.insert(0, too_many);
    }
    (program.unsupported, program.dynamic) = strict::survey(script);
    program
}

/// The pass over one text.
struct Lowerer<'f> {
    facts: &'f Facts,
    specs: &'f SpecSet,
    /// The shell that reads the current script.
    shell: Shell,
    /// The text that spans of the current script point into.
    text: String,
    /// Where the current script stands in the whole text, when it comes from a string.
    pin: Option<Span>,
    program: Program,
    script_depth: usize,
    script_bytes: usize,
    /// A limit was hit: nothing more is reported.
    full: bool,
    /// Assignments among a wrapper's operands, for the command that is about to be added.
    assigned_by_wrapper: Vec<Assign>,
    /// Words of commands behind wrappers so far.
    wrapped_words: usize,
    /// Bytes of variables' values that were put into words.
    spent: Cell<usize>,
    /// Words that braces and variables made beyond those of the text.
    made: Cell<usize>,
}

/// Where a command stands.
#[derive(Clone, Copy)]
struct Context {
    site: Site,
    parent: Option<usize>,
    connector: Connector,
    stdin: Stdin,
    /// What the commands before it in its pipeline print.
    piped: Printed,
    /// Standard output may be a terminal.
    terminal: bool,
    /// Its failure does not end the shell under `set -e`.
    condition: bool,
}

impl Context {
    fn top() -> Self {
        Self {
            site: Site::Top,
            parent: None,
            connector: Connector::Start,
            stdin: Stdin::Inherited,
            piped: Printed::Anything,
            terminal: true,
            condition: false,
        }
    }

    /// The same place inside a compound command.
    fn compound(self) -> Self {
        let site = match self.site {
            Site::Top => Site::Compound,
            other => other,
        };
        Self { site, ..self }
    }

    /// Inside a substitution of the command at `parent`.
    fn substitution(self, parent: Option<usize>) -> Self {
        Self {
            site: Site::Substitution,
            parent: parent.or(self.parent),
            connector: Connector::Start,
            stdin: self.stdin,
            piped: Printed::Anything,
            terminal: false,
            condition: false,
        }
    }
}

impl Lowerer<'_> {
    fn expander<'a>(&'a self, scope: &'a Scope) -> Expander<'a> {
        Expander {
            scope,
            facts: self.facts,
            shell: self.shell,
            spent: &self.spent,
            made: &self.made,
        }
    }

    /// Where a span of the current script stands in the whole text.
    fn place(&self, span: Span) -> Span {
        self.pin.unwrap_or(span)
    }

    /// The source under a span of the current script.
    fn source(&self, span: Span) -> String {
        let slice = span.slice(&self.text);
        if slice.is_empty() && !span.is_empty() {
            return self.text.clone();
        }
        slice.to_string()
    }

    fn hazard(&mut self, kind: HazardKind, span: Span) {
        let what = self.source(span);
        self.hazard_in(kind, self.place(span), &what);
    }

    /// A hazard at a place of the whole text.
    fn hazard_in(&mut self, kind: HazardKind, span: Span, what: &str) {
        let what: String = match what.char_indices().nth(80) {
            Some((end, _)) => what.get(..end).unwrap_or("").to_string() + "…",
            None => what.to_string(),
        };
        let hazard = Hazard { kind, span, what };
        if self.program.hazards.len() < MAX_INVOCATIONS && !self.program.hazards.contains(&hazard) {
            self.program.hazards.push(hazard);
        }
    }

    /// Adds an invocation; `None` once there are too many.
    fn push(&mut self, invocation: Invocation) -> Option<usize> {
        if self.program.invocations.len() >= MAX_INVOCATIONS {
            if !self.full {
                self.full = true;
                let text = invocation.text.clone();
                self.hazard_in(HazardKind::TooMany, invocation.span, &text);
            }
            return None;
        }
        self.program.invocations.push(invocation);
        Some(self.program.invocations.len() - 1)
    }

    /// An invocation of `argv` in this place, nothing else known of it yet.
    fn invocation(
        &self,
        argv: Vec<Arg>,
        span: Span,
        scope: &Scope,
        context: Context,
    ) -> Invocation {
        Invocation {
            argv,
            span: self.place(span),
            text: self.source(span),
            assignments: Vec::new(),
            redirects: Vec::new(),
            connector: context.connector,
            site: context.site,
            parent: context.parent,
            wrappers: Vec::new(),
            cwd: scope.cwd.clone(),
            stdin: context.stdin,
            stdout_terminal: context.terminal,
        }
    }

    /// Reads and lowers a script that is given as a string, in `scope`, as `shell` would.
    ///
    /// `span` is where the string stands in the whole text.
    fn script_in_string(
        &mut self,
        text: &str,
        shell: Shell,
        span: Span,
        scope: &mut Scope,
        context: Context,
    ) {
        if self.full {
            return;
        }
        if self.script_depth >= MAX_SCRIPT_DEPTH {
            self.hazard_in(HazardKind::TooDeep, span, text);
            return;
        }
        self.script_bytes += text.len();
        if self.script_bytes > MAX_SCRIPT_BYTES {
            self.hazard_in(HazardKind::TooMany, span, text);
            return;
        }
        let reading = syntax::read(text, shell);
        if reading.status != Status::Ok {
            self.hazard_in(HazardKind::EvalUnknown, span, text);
        }
        for hazard in &reading.hazards {
            self.hazard_in(hazard.kind, span, &hazard.what);
        }
        let outer_text = core::mem::replace(&mut self.text, text.to_string());
        let outer_pin = self.pin.replace(span);
        let outer_shell = core::mem::replace(&mut self.shell, shell);
        self.script_depth += 1;
        self.script(
            &reading.script,
            scope,
            Context {
                site: Site::Script,
                connector: Connector::Start,
                ..context
            },
        );
        self.script_depth -= 1;
        self.text = outer_text;
        self.pin = outer_pin;
        self.shell = outer_shell;
    }
}
