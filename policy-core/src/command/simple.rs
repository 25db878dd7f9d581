//! One simple command: what runs in its words first, then its values, redirects and assignments, then what it does.
//!
//! Walking reports what a word runs (substitutions, at any depth) and what it changes (`${x:=v}`, arithmetic); values
//! come from `words`. An invocation is added before those nested in its words.

use alloc::{string::String, vec::Vec};

use super::{
    Context, Lowerer, arith,
    model::{Arg, Assign, Connector, HazardKind, Redirection, Stdin, Value},
    names,
    printed::Printed,
    redirects::{self, Resolved},
    scope::{Known, Scope},
    visit::{Node, visit},
    words::{literal_text, static_text},
};
use crate::{
    facts::Shell,
    limits::MAX_DEPTH,
    span::Span,
    syntax::ast::{
        ArithText, AssignValue, Assignment, Descriptor, Param, ParamOp, Part, Redirect, RedirectOp,
        Script, Simple, Word,
    },
};

/// Builtins whose arguments that look like assignments are treated as such.
const DECLARATIONS: &[&str] = &[
    "export", "declare", "typeset", "local", "readonly", "integer", "float",
];

impl Lowerer<'_> {
    /// Lowers a simple command; the result is the state when it fails, if another than `scope` then.
    pub(super) fn simple(
        &mut self,
        simple: &Simple,
        scope: &mut Scope,
        context: Context,
    ) -> Option<Scope> {
        if simple.words.is_empty() && simple.assignments.is_empty() {
            for redirect in &simple.redirects {
                let resolved = self.redirect(redirect, scope, context);
                self.program.redirects.extend(resolved.opens);
            }
            return None;
        }
        let index = {
            let invocation = self.invocation(Vec::new(), simple.span, scope, context);
            self.push(invocation)?
        };
        let inner = Context {
            parent: Some(index),
            ..context
        };
        let before = scope.clone();
        for word in &simple.words {
            self.walk_word(word, scope, inner);
        }
        self.elements(&simple.words, scope);
        for assignment in &simple.assignments {
            self.walk_assignment(assignment, scope, inner);
        }
        let mut redirects: Vec<Redirection> = Vec::new();
        let mut stdin = context.stdin;
        let mut piped = context.piped;
        let mut terminal = context.terminal;
        for redirect in &simple.redirects {
            let resolved = self.redirect(redirect, scope, inner);
            if let Some(new) = resolved.stdin {
                stdin = new;
                piped = Printed::Anything;
            }
            terminal &= !resolved.stdout;
            redirects.extend(resolved.opens);
        }
        scope.settle(&before);
        let argv = self.arguments(&simple.words, scope);
        let assignments = self.assignments(&simple.assignments, scope);
        let argv_is_empty = argv.is_empty();
        // zsh evaluates a number before a command, too.
        let number = |assign: &&Assign| {
            let known = Known::from_value(&assign.value);
            self.is_zsh() && names::is_integer(&assign.name, self.shell) && !known.is_integer()
        };
        if let Some(assign) = assignments.iter().find(number) {
            let (span, name) = (assign.span, assign.name.clone());
            self.hazard_in(HazardKind::ArithmeticEval, span, &name);
        }
        if let Some(invocation) = self.program.invocations.get_mut(index) {
            invocation.argv = argv.clone();
            invocation.assignments = assignments;
            invocation.redirects = redirects;
            invocation.stdin = stdin;
            invocation.stdout_terminal = terminal;
        }
        if argv_is_empty {
            for assignment in &simple.assignments {
                self.persist(assignment, scope);
            }
            return None;
        }
        if piped != context.piped && argv.iter().any(|arg| arg.value.exact() == Some("exec")) {
            // What comes later reads from elsewhere too, which is not followed.
            self.hazard(HazardKind::Opaque, simple.span);
        }
        let here = Context {
            parent: Some(index),
            stdin,
            piped,
            terminal,
            ..context
        };
        let body = self.literal_input(&simple.redirects, scope);
        // A builtin (`eval`, `let`, `cd`) sees them; afterwards they are as before, which is not followed.
        for assignment in &simple.assignments {
            scope.forget(&assignment.name);
        }
        match argv.split_first() {
            Some((first, words)) if matches!(first.value, Value::OneOf(_)) => {
                self.each(first, words, index, body.as_deref(), scope, here)
            }
            _ => self.run(&argv, index, body.as_deref(), scope, here),
        }
    }

    /// The command is one of a few names (a loop goes through them): an invocation for each.
    fn each(
        &mut self,
        first: &Arg,
        words: &[Arg],
        index: usize,
        body: Option<&str>,
        scope: &mut Scope,
        context: Context,
    ) -> Option<Scope> {
        let Value::OneOf(names) = &first.value else {
            return None;
        };
        let model = self.program.invocations.get(index)?.clone();
        let before = scope.clone();
        let mut failed: Option<Scope> = None;
        for (at, name) in names.iter().enumerate() {
            let name = Arg::new(Value::Exact(name.clone()), first.span);
            let argv: Vec<Arg> = core::iter::once(&name).chain(words).cloned().collect();
            let mut invocation = model.clone();
            invocation.argv.clone_from(&argv);
            let index = if at == 0 {
                *self.program.invocations.get_mut(index)? = invocation;
                index
            } else {
                self.push(invocation)?
            };
            let here = Context {
                parent: Some(index),
                ..context
            };
            let mut after = before.clone();
            let left = self.run(&argv, index, body, &mut after, here);
            let left = left.unwrap_or_else(|| after.clone());
            match &mut failed {
                None => {
                    *scope = after;
                    failed = Some(left);
                }
                Some(failed) => {
                    scope.join(&after);
                    failed.join(&left);
                }
            }
        }
        failed
    }

    /// What standard input holds, when the last redirect of it gives it as text.
    fn literal_input(&self, redirects: &[Redirect], scope: &Scope) -> Option<String> {
        let last = redirects.iter().rev().find(|redirect| {
            matches!(redirect.descriptor, None | Some(Descriptor::Number(0)))
                && matches!(
                    redirect.op,
                    RedirectOp::Read
                        | RedirectOp::ReadWrite
                        | RedirectOp::DupInput
                        | RedirectOp::HereDoc
                        | RedirectOp::HereDocTabs
                        | RedirectOp::HereString
                )
        })?;
        match (&last.heredoc, last.op) {
            (Some(body), _) => static_text(&body.parts),
            (None, RedirectOp::HereString) => {
                let value = self.expander(scope).single(&last.target);
                value.exact().map(Into::into)
            }
            _ => None,
        }
    }

    fn arguments(&self, words: &[Word], scope: &Scope) -> Vec<Arg> {
        let expander = self.expander(scope);
        let declares = words
            .first()
            .and_then(literal_text)
            .is_some_and(|name| DECLARATIONS.contains(&name.as_str()));
        words
            .iter()
            .enumerate()
            .flat_map(|(position, word)| {
                if declares && position > 0 {
                    expander.declaration(word)
                } else {
                    expander.argument(word)
                }
            })
            .map(|arg| Arg {
                span: self.place(arg.span),
                ..arg
            })
            .collect()
    }

    fn assignments(&self, assignments: &[Assignment], scope: &Scope) -> Vec<Assign> {
        let expander = self.expander(scope);
        assignments
            .iter()
            .map(|assignment| Assign {
                name: assignment.name.clone(),
                value: match &assignment.value {
                    AssignValue::Word(word)
                        if assignment.subscript.is_none() && !assignment.append =>
                    {
                        expander.assigned(word)
                    }
                    _ => Value::Unknown,
                },
                span: self.place(assignment.span),
            })
            .collect()
    }

    /// Reports what runs in a word, and what it changes.
    pub(super) fn walk_word(&mut self, word: &Word, scope: &mut Scope, context: Context) {
        if self.shell == Shell::Zsh {
            self.walk_zsh(word);
        }
        // Braces are expanded before `$` is looked at: `{a,$}x` makes `$x`.
        let literal = |c: char| {
            word.parts
                .iter()
                .any(|part| matches!(part, Part::Literal(text, _) if text.contains(c)))
        };
        if literal('{') && (literal('$') || self.shell == Shell::Zsh && literal('=')) {
            self.hazard(HazardKind::Opaque, word.span);
        }
        self.walk_parts(&word.parts, scope, context);
    }

    /// What zsh does with unquoted text and bash does not.
    fn walk_zsh(&mut self, word: &Word) {
        let mut first = true;
        for part in &word.parts {
            if let Part::Literal(text, _) = part {
                let expands =
                    first && text.len() > 1 && text.starts_with('=') && !text.starts_with("==");
                let named = first && text.starts_with("~[");
                let qualified = text.contains('(');
                if expands || named || qualified {
                    self.hazard(HazardKind::Opaque, word.span);
                    return;
                }
            }
            if matches!(part, Part::ExtGlob(..)) {
                // `*(e:…:)` has the form of an extended pattern.
                self.hazard(HazardKind::Opaque, word.span);
                return;
            }
            first = false;
        }
    }

    pub(super) fn walk_parts(&mut self, parts: &[Part], scope: &mut Scope, context: Context) {
        for part in parts {
            match part {
                Part::Literal(..) | Part::Quoted(..) => {}
                Part::Double(inner, _) | Part::ExtGlob(inner, _) => {
                    self.walk_parts(inner, scope, context);
                }
                Part::Param(param) => self.walk_param(param, scope, context),
                Part::CommandSub(script, span) => {
                    let backticks = self.source(*span).starts_with('`');
                    if !backticks && runs_together(script) {
                        self.hazard(HazardKind::Opaque, *span);
                    }
                    let mut copy = scope.clone();
                    copy.dead = false;
                    copy.errexit = false;
                    self.script(script, &mut copy, context.substitution(context.parent));
                }
                Part::ProcessSub {
                    output,
                    script,
                    span,
                } => {
                    // bash 5.2 runs the text that it makes of the tree again, and loses the separator after a
                    // here-document that stands in a substitution in there: `<(x $(cat <<E … E; y))`.
                    let source = self.source(*span);
                    let nested =
                        source.replace("<<<", "").contains("<<") && source.contains(['$', '`']);
                    if nested || runs_together(script) {
                        self.hazard(HazardKind::Opaque, *span);
                    }
                    let mut copy = scope.clone();
                    copy.dead = false;
                    let mut inside = context.substitution(context.parent);
                    if *output {
                        inside.stdin = Stdin::Pipe;
                        inside.terminal = context.terminal;
                    }
                    self.script(script, &mut copy, inside);
                }
                Part::Arith(text, _) => {
                    self.walk_arith_parts(&text.parts, scope, context);
                    self.arithmetic(text, scope);
                }
                Part::Array(words, _) => {
                    for word in words {
                        self.walk_word(word, scope, context);
                    }
                }
                Part::Opaque(_, span) => self.hazard(HazardKind::Opaque, *span),
            }
        }
    }

    fn walk_param(&mut self, param: &Param, scope: &mut Scope, context: Context) {
        if let Some(subscript) = &param.subscript {
            self.subscript(&param.name, subscript, scope, context);
        }
        match &param.op {
            ParamOp::None | ParamOp::Length => {}
            // `${!map[@]}` lists the subscripts and evaluates nothing.
            ParamOp::Indirect => {
                let keys = param
                    .subscript
                    .as_ref()
                    .and_then(|text| static_text(&text.parts))
                    .is_some_and(|text| text == "@" || text == "*");
                if !keys {
                    self.hazard(HazardKind::ExpansionEval, param.span);
                }
            }
            ParamOp::Default(op, word) => {
                self.walk_parts(word, scope, context);
                if op.ends_with('=') {
                    let known = self.expander(scope).parameter(param);
                    self.assign(&param.name, known, param.span, scope);
                }
            }
            ParamOp::Pattern(_, word) => self.walk_parts(word, scope, context),
            ParamOp::Slice(text) => {
                self.walk_arith_parts(&text.parts, scope, context);
                self.arithmetic(text, scope);
            }
            ParamOp::Transform('P') => self.hazard(HazardKind::ExpansionEval, param.span),
            ParamOp::Transform(_) => {}
            ParamOp::Opaque(inside) => {
                self.walk_parts(inside, scope, context);
                self.hazard(HazardKind::ExpansionEval, param.span);
            }
        }
    }

    /// Reports what runs inside an arithmetic expression.
    pub(super) fn walk_arith_parts(&mut self, parts: &[Part], scope: &mut Scope, context: Context) {
        self.walk_parts(parts, scope, context);
    }

    /// Judges an expression and applies its assignments.
    pub(super) fn arithmetic(&mut self, text: &ArithText, scope: &mut Scope) {
        let outcome = arith::judge(text, &self.expander(scope));
        if !outcome.safe {
            self.hazard(HazardKind::ArithmeticEval, text.span);
        }
        for name in &outcome.assigned {
            self.assign(name, Known::Integer, text.span, scope);
        }
    }

    /// `name[subscript]`: arithmetic, unless the array is known to be associative.
    pub(super) fn subscript(
        &mut self,
        name: &str,
        subscript: &ArithText,
        scope: &mut Scope,
        context: Context,
    ) {
        self.walk_arith_parts(&subscript.parts, scope, context);
        let all = static_text(&subscript.parts).is_some_and(|text| text == "@" || text == "*");
        if !all && !scope.is_map(name) {
            self.arithmetic(subscript, scope);
        }
    }

    /// Walks and resolves a redirect.
    pub(super) fn redirect(
        &mut self,
        redirect: &Redirect,
        scope: &mut Scope,
        context: Context,
    ) -> Resolved {
        let inner = Context {
            connector: Connector::Start,
            ..context
        };
        match &redirect.heredoc {
            Some(body) => self.walk_parts(&body.parts, scope, inner),
            None => self.walk_word(&redirect.target, scope, inner),
        }
        if let Some(Descriptor::Variable(name)) = &redirect.descriptor {
            self.assign(name, Known::Digits, redirect.span, scope);
        }
        let resolved =
            redirects::resolve(redirect, &self.expander(scope), self.place(redirect.span));
        if let Some(kind) = resolved.hazard {
            self.hazard(kind, redirect.span);
        }
        resolved
    }
}

/// Whether a command stands behind a here-document of the same substitution. bash 5.2 runs the text that it makes of the tree, in
/// which the next `;` is lost: `$(cat <<E … E` newline `a; b)` runs `a b`.
fn runs_together(script: &Script) -> bool {
    let mut first: Option<u32> = None;
    let mut items: Vec<u32> = Vec::new();
    let mut inner: Vec<Span> = Vec::new();
    visit(script, &mut |node| match node {
        Node::Part(Part::CommandSub(_, span) | Part::ProcessSub { span, .. }) => inner.push(*span),
        Node::Item(item) if !is_in(&inner, item.span.start) => items.push(item.span.start),
        Node::Redirect(redirect)
            if redirect.heredoc.is_some() && !is_in(&inner, redirect.span.start) =>
        {
            first = Some(first.map_or(redirect.span.start, |at| at.min(redirect.span.start)));
        }
        _ => {}
    });
    first.is_some_and(|first| items.iter().any(|item| *item > first))
}

/// Whether a place lies in the stretch that was added last, or in one before that ends later.
fn is_in(stretches: &[Span], at: u32) -> bool {
    stretches
        .iter()
        .rev()
        .take(MAX_DEPTH)
        .any(|span| span.start < at && at < span.end)
}
