//! Control structure: lists, and-or lists, pipelines and compound commands, with the scope carried through them.
//!
//! What runs in a subshell gets a copy of the scope; where branches meet, scopes are joined; a loop is entered with
//! what its body cannot have changed. `cd` that may fail leaves two states, joined unless `&&` tells them apart.

use alloc::vec::Vec;

use super::{
    Context, Lowerer,
    assigned::{Changes, changes},
    model::{Connector, Cwd, HazardKind, Stdin},
    printed::Printed,
    scope::{Known, Scope},
    values::printed_after,
};
use crate::{
    facts::Shell,
    span::Span,
    syntax::ast::{AndOr, AndOrOp, Command, Compound, CompoundKind, Item, Pipeline, Script, Word},
};

impl Lowerer<'_> {
    /// Lowers a list; `scope` is the state after it.
    pub(super) fn script(&mut self, script: &Script, scope: &mut Scope, context: Context) {
        let mut context = context;
        for item in &script.items {
            if self.full {
                return;
            }
            self.item(item, scope, context);
            context.connector = if item.background {
                Connector::Background
            } else {
                Connector::Sequence
            };
        }
    }

    fn item(&mut self, item: &Item, scope: &mut Scope, context: Context) {
        if item.background {
            let mut copy = scope.clone();
            self.and_or(&item.and_or, &mut copy, context);
        } else {
            self.and_or(&item.and_or, scope, context);
        }
    }

    fn and_or(&mut self, list: &AndOr, scope: &mut Scope, context: Context) {
        let alone = list.rest.is_empty();
        let condition = context.condition || !alone;
        let mut failed = self.pipeline(
            &list.first,
            scope,
            Context {
                condition,
                ..context
            },
        );
        for (position, (op, pipeline)) in list.rest.iter().enumerate() {
            let last = position + 1 == list.rest.len();
            let here = Context {
                connector: match op {
                    AndOrOp::And => Connector::And,
                    AndOrOp::Or => Connector::Or,
                },
                condition: context.condition || !last,
                ..context
            };
            match op {
                AndOrOp::And => {
                    let before = failed.unwrap_or_else(|| scope.clone());
                    let failed_here = self.pipeline(pipeline, scope, here);
                    let mut either = failed_here.unwrap_or_else(|| scope.clone());
                    either.join(&before);
                    failed = Some(either);
                }
                AndOrOp::Or => {
                    let mut after = failed.unwrap_or_else(|| scope.clone());
                    failed = self.pipeline(pipeline, &mut after, here);
                    if failed.is_none() {
                        failed = Some(after.clone());
                    }
                    scope.join(&after);
                }
            }
        }
        if let Some(failed) = failed {
            let leaves = alone && scope.errexit && !context.condition;
            if !leaves {
                scope.join(&failed);
            }
        }
    }

    /// Lowers a pipeline: `scope` is the state when it succeeds, the result the one when it fails, if another.
    fn pipeline(
        &mut self,
        pipeline: &Pipeline,
        scope: &mut Scope,
        context: Context,
    ) -> Option<Scope> {
        if let [only] = pipeline.stages.as_slice() {
            let context = if pipeline.bangs > 0 {
                Context {
                    condition: true,
                    ..context
                }
            } else {
                context
            };
            let failed = self.command(&only.command, scope, context);
            return match failed {
                Some(failed) if pipeline.bangs % 2 == 1 => Some(core::mem::replace(scope, failed)),
                other => other,
            };
        }
        let last = pipeline.stages.len().saturating_sub(1);
        let mut before = None;
        for (index, stage) in pipeline.stages.iter().enumerate() {
            let mut here = Context {
                condition: true,
                ..context
            };
            if index > 0 {
                here.stdin = Stdin::Pipe;
                here.piped = Printed::Anything;
                if !stage.stderr_too {
                    here.piped = before.unwrap_or(Printed::Anything);
                }
                here.connector = if stage.stderr_too {
                    Connector::PipeBoth
                } else {
                    Connector::Pipe
                };
            }
            before = Some(printed_after(before, stage));
            here.terminal &= index == last;
            if index == last && self.shell != Shell::Bash {
                // zsh runs the last command of a pipeline in the shell itself; a POSIX shell may.
                let mut after = scope.clone();
                self.command(&stage.command, &mut after, here);
                scope.join(&after);
            } else {
                let mut copy = scope.clone();
                self.command(&stage.command, &mut copy, here);
            }
        }
        None
    }

    /// Lowers a command; the result is the state when it fails, if another than `scope` then.
    pub(super) fn command(
        &mut self,
        command: &Command,
        scope: &mut Scope,
        context: Context,
    ) -> Option<Scope> {
        match command {
            Command::Simple(simple) => return self.simple(simple, scope, context),
            Command::Compound(compound) => self.compound(compound, scope, context),
            Command::Function(function) => {
                self.hazard(HazardKind::FunctionDefinition, function.span);
                // Its body is reported for deny rules; whoever calls it changes anything.
                let mut copy = scope.clone();
                copy.forget_all();
                copy.cwd = Cwd::Unknown;
                self.command(&function.body, &mut copy, context.compound());
            }
            Command::Coproc(inner, span) => {
                self.hazard(HazardKind::Coproc, *span);
                let mut copy = scope.clone();
                let inside = Context {
                    stdin: Stdin::Pipe,
                    piped: Printed::Anything,
                    terminal: false,
                    ..context.compound()
                };
                self.command(inner, &mut copy, inside);
            }
        }
        None
    }

    fn compound(&mut self, compound: &Compound, scope: &mut Scope, context: Context) {
        let mut inside = context.compound();
        let mut opens = Vec::new();
        for redirect in &compound.redirects {
            let resolved = self.redirect(redirect, scope, inside);
            if let Some(stdin) = resolved.stdin {
                inside.stdin = stdin;
                inside.piped = Printed::Anything;
            }
            inside.terminal &= !resolved.stdout;
            opens.extend(resolved.opens);
        }
        self.program.redirects.extend(opens);
        match &compound.kind {
            CompoundKind::Subshell(body) => {
                let mut copy = scope.clone();
                copy.dead = false;
                self.script(body, &mut copy, inside);
            }
            CompoundKind::Group(body) => self.script(body, scope, inside),
            CompoundKind::If(branches, last) => {
                self.branches(branches, last.as_ref(), scope, inside)
            }
            CompoundKind::While {
                condition, body, ..
            } => {
                let mut found = changes(condition);
                found.merge(&changes(body));
                self.enter_loop(scope, &found);
                let mut entry = scope.clone();
                let check = Context {
                    condition: true,
                    ..inside
                };
                self.script(condition, scope, check);
                let left = scope.clone();
                self.script(body, scope, inside.next());
                self.leave_loop(scope, &found, &mut entry);
                scope.join(&left);
            }
            CompoundKind::For {
                name,
                words,
                body,
                select,
            } => self.for_words(
                name,
                words.as_deref(),
                body,
                *select,
                compound.span,
                scope,
                inside,
            ),
            CompoundKind::ForArith { expression, body } => {
                self.walk_arith_parts(&expression.parts, scope, inside);
                let found = changes(body);
                // The first of the three expressions runs before the body, the others after it.
                self.arithmetic(expression, scope);
                self.enter_loop(scope, &found);
                self.arithmetic(expression, scope);
                let mut entry = scope.clone();
                self.script(body, scope, inside);
                self.leave_loop(scope, &found, &mut entry);
            }
            CompoundKind::Case { subject, arms } => {
                self.walk_word(subject, scope, inside);
                let mut entry = scope.clone();
                for (patterns, body) in arms {
                    for pattern in patterns {
                        self.walk_word(pattern, &mut entry, inside);
                    }
                    let mut arm = entry.clone();
                    self.script(body, &mut arm, inside.next());
                    scope.join(&entry);
                    scope.join(&arm);
                    // `;&` and `;;&` go on from the end of this arm.
                    entry.join(&arm);
                }
            }
            CompoundKind::Cond(tokens) => self.condition(tokens, scope, inside, compound.span),
            CompoundKind::Arith(text) => {
                self.walk_arith_parts(&text.parts, scope, inside);
                self.arithmetic(text, scope);
            }
            CompoundKind::Opaque(_) => self.hazard(HazardKind::Opaque, compound.span),
        }
    }

    fn branches(
        &mut self,
        branches: &[(Script, Script)],
        last: Option<&Script>,
        scope: &mut Scope,
        inside: Context,
    ) {
        let mut ends: Vec<Scope> = Vec::new();
        let mut inside = inside;
        for (condition, body) in branches {
            let check = Context {
                condition: true,
                ..inside
            };
            self.script(condition, scope, check);
            inside = inside.next();
            let mut taken = scope.clone();
            self.script(body, &mut taken, inside);
            ends.push(taken);
        }
        if let Some(body) = last {
            self.script(body, scope, inside);
        }
        for end in &ends {
            scope.join(end);
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the fields of one node and where it stands"
    )]
    fn for_words(
        &mut self,
        name: &str,
        words: Option<&[Word]>,
        body: &Script,
        select: bool,
        span: Span,
        scope: &mut Scope,
        inside: Context,
    ) {
        let mut values: Option<Known> = None;
        let before = scope.clone();
        for word in words.unwrap_or_default() {
            self.walk_word(word, scope, inside);
        }
        scope.settle(&before);
        for word in words.unwrap_or_default() {
            for arg in self.expander(scope).argument(word) {
                if self.is_share(arg.value.known_prefix()) {
                    self.hazard(HazardKind::Opaque, word.span);
                }
                let known = Known::from_arg(&arg);
                values = Some(match values {
                    None => known,
                    Some(so_far) => so_far.join(&known),
                });
            }
        }
        let value = match values {
            Some(known) if words.is_some() && !select => known,
            _ => Known::Any,
        };
        let found = changes(body);
        self.enter_loop(scope, &found);
        let mut entry = scope.clone();
        self.assign(name, value, span, scope);
        if select {
            scope.forget("REPLY");
        }
        self.script(body, scope, inside.next());
        self.leave_loop(scope, &found, &mut entry);
    }

    /// What is known at the entry of a loop: nothing that an earlier round may have changed.
    fn enter_loop(&self, scope: &mut Scope, found: &Changes) {
        if found.anything {
            scope.forget_all();
            scope.cwd = Cwd::Unknown;
            scope.forget_directories();
        }
        for (name, arithmetic) in &found.variables {
            let stays_integer = *arithmetic && scope.variable(name).is_some_and(Known::is_integer);
            scope.set(
                name,
                if stays_integer {
                    Known::Integer
                } else {
                    Known::Any
                },
            );
        }
        for name in &found.arrays {
            scope.note_array(name);
        }
        if found.directory {
            scope.cwd = Cwd::Unknown;
            scope.forget_directories();
        }
    }

    /// After a loop: it ran some times or not at all, and `break` may have left it anywhere.
    fn leave_loop(&self, scope: &mut Scope, found: &Changes, entry: &mut Scope) {
        scope.dead = false;
        scope.join(entry);
        self.enter_loop(scope, found);
    }
}

impl Context {
    /// The same place for a later list: what stands before its first command is a separator.
    fn next(self) -> Self {
        Self {
            connector: Connector::Sequence,
            ..self
        }
    }
}

impl Changes {
    fn merge(&mut self, other: &Self) {
        self.directory |= other.directory;
        self.anything |= other.anything;
        self.arrays.extend(other.arrays.iter().cloned());
        for (name, arithmetic) in &other.variables {
            self.note(name, *arithmetic);
        }
    }
}
