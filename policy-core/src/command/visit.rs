//! Visits every node of a tree, in the order of the text, whatever it stands in.
//!
//! For questions about a tree that need no state: what the strict analysis does not follow (`strict`), which
//! variables a loop assigns (`assigned`). Lowering itself does not use it: it has to know where it is.

use crate::syntax::ast::{
    ArithText, AssignValue, Assignment, Command, Compound, CompoundKind, CondToken, Item, Param,
    ParamOp, Part, Pipeline, Redirect, Script, Simple, Word,
};

/// A node.
#[derive(Clone, Copy)]
pub(super) enum Node<'a> {
    Item(&'a Item),
    Pipeline(&'a Pipeline),
    Simple(&'a Simple),
    Compound(&'a Compound),
    Function,
    Coproc,
    Assignment(&'a Assignment),
    Redirect(&'a Redirect),
    Word(&'a Word),
    Part(&'a Part),
    Param(&'a Param),
    Arith(&'a ArithText),
}

/// Calls `see` on every node of `script`, a node before what it holds.
pub(super) fn visit<'a>(script: &'a Script, see: &mut dyn FnMut(Node<'a>)) {
    for item in &script.items {
        see(Node::Item(item));
        visit_pipeline(&item.and_or.first, see);
        for (_, pipeline) in &item.and_or.rest {
            visit_pipeline(pipeline, see);
        }
    }
}

fn visit_pipeline<'a>(pipeline: &'a Pipeline, see: &mut dyn FnMut(Node<'a>)) {
    see(Node::Pipeline(pipeline));
    for stage in &pipeline.stages {
        visit_command(&stage.command, see);
    }
}

fn visit_command<'a>(command: &'a Command, see: &mut dyn FnMut(Node<'a>)) {
    match command {
        Command::Simple(simple) => {
            see(Node::Simple(simple));
            for assignment in &simple.assignments {
                see(Node::Assignment(assignment));
                if let Some(subscript) = &assignment.subscript {
                    visit_arith(subscript, see);
                }
                match &assignment.value {
                    AssignValue::Word(word) => visit_word(word, see),
                    AssignValue::Array(words) => visit_words(words, see),
                }
            }
            visit_words(&simple.words, see);
            visit_redirects(&simple.redirects, see);
        }
        Command::Compound(compound) => {
            see(Node::Compound(compound));
            visit_compound(&compound.kind, see);
            visit_redirects(&compound.redirects, see);
        }
        Command::Function(function) => {
            see(Node::Function);
            visit_command(&function.body, see);
        }
        Command::Coproc(inner, _) => {
            see(Node::Coproc);
            visit_command(inner, see);
        }
    }
}

fn visit_compound<'a>(kind: &'a CompoundKind, see: &mut dyn FnMut(Node<'a>)) {
    match kind {
        CompoundKind::Subshell(body) | CompoundKind::Group(body) => visit(body, see),
        CompoundKind::If(branches, last) => {
            for (condition, body) in branches {
                visit(condition, see);
                visit(body, see);
            }
            if let Some(body) = last {
                visit(body, see);
            }
        }
        CompoundKind::While {
            condition, body, ..
        } => {
            visit(condition, see);
            visit(body, see);
        }
        CompoundKind::For { words, body, .. } => {
            if let Some(words) = words {
                visit_words(words, see);
            }
            visit(body, see);
        }
        CompoundKind::ForArith { expression, body } => {
            visit_arith(expression, see);
            visit(body, see);
        }
        CompoundKind::Case { subject, arms } => {
            visit_word(subject, see);
            for (patterns, body) in arms {
                visit_words(patterns, see);
                visit(body, see);
            }
        }
        CompoundKind::Cond(tokens) => {
            for token in tokens {
                if let CondToken::Word(word) = token {
                    visit_word(word, see);
                }
            }
        }
        CompoundKind::Arith(text) => visit_arith(text, see),
        CompoundKind::Opaque(_) => {}
    }
}

fn visit_redirects<'a>(redirects: &'a [Redirect], see: &mut dyn FnMut(Node<'a>)) {
    for redirect in redirects {
        see(Node::Redirect(redirect));
        visit_word(&redirect.target, see);
        if let Some(body) = &redirect.heredoc {
            visit_parts(&body.parts, see);
        }
    }
}

fn visit_words<'a>(words: &'a [Word], see: &mut dyn FnMut(Node<'a>)) {
    for word in words {
        visit_word(word, see);
    }
}

fn visit_word<'a>(word: &'a Word, see: &mut dyn FnMut(Node<'a>)) {
    see(Node::Word(word));
    visit_parts(&word.parts, see);
}

fn visit_arith<'a>(text: &'a ArithText, see: &mut dyn FnMut(Node<'a>)) {
    see(Node::Arith(text));
    visit_parts(&text.parts, see);
}

fn visit_parts<'a>(parts: &'a [Part], see: &mut dyn FnMut(Node<'a>)) {
    for part in parts {
        see(Node::Part(part));
        match part {
            Part::Literal(..) | Part::Quoted(..) | Part::Opaque(..) => {}
            Part::Double(inner, _) | Part::ExtGlob(inner, _) => visit_parts(inner, see),
            Part::Param(param) => {
                see(Node::Param(param));
                if let Some(subscript) = &param.subscript {
                    visit_arith(subscript, see);
                }
                match &param.op {
                    ParamOp::Default(_, inner) | ParamOp::Pattern(_, inner) => {
                        visit_parts(inner, see);
                    }
                    ParamOp::Slice(text) => visit_arith(text, see),
                    ParamOp::None | ParamOp::Length | ParamOp::Indirect | ParamOp::Transform(_) => {
                    }
                    ParamOp::Opaque(inner) => visit_parts(inner, see),
                }
            }
            Part::CommandSub(script, _) | Part::ProcessSub { script, .. } => visit(script, see),
            Part::Arith(text, _) => visit_arith(text, see),
            Part::Array(words, _) => visit_words(words, see),
        }
    }
}
