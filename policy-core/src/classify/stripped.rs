//! Conditions that do not reach the command: `env -i git log`, `env -u GIT_PAGER git log`.
//!
//! A verdict with conditions asks the executor to set variables. A wrapper that empties the environment, or takes one of
//! those variables or another that the tool heeds out of it, starts the tool without them, so the verdict would not hold.

use super::{Judgement, assignments, is_env};
use crate::{
    command::model::{Arg, Invocation, Program, Value},
    diagnostic::Code,
    specs::{SpecSet, options},
};

/// Refuses when the conditions found so far would be taken away by what the invocation is started by.
pub(super) fn judge(
    judgement: &mut Judgement,
    program: &Program,
    invocation: &Invocation,
    specs: &SpecSet,
) {
    if judgement.conditions.is_empty() {
        return;
    }
    let mut at = invocation;
    while let Some(parent) = at.parent.and_then(|index| program.invocations.get(index)) {
        if let Some(word) = strips(judgement, parent, specs) {
            judgement.refuse(
                Code::CommandAssignment,
                "the variables under which it only reads are taken away",
                word.span,
            );
            return;
        }
        at = parent;
    }
}

/// The word by which `env` takes away a condition.
fn strips<'a>(judgement: &Judgement, env: &'a Invocation, specs: &SpecSet) -> Option<&'a Arg> {
    if !is_env(env) {
        return None;
    }
    let parsed = options::read(specs.find("env")?, &env.argv);
    let first = parsed.operands.first().copied();
    let dash = first.filter(|&index| {
        env.argv
            .get(index)
            .is_some_and(|arg| arg.value.exact() == Some("-"))
    });
    let emptied = parsed.all("-i").next().map(|option| option.index);
    let taken = parsed.all("-u").find(|option| {
        let name = option.value.as_ref().and_then(Value::exact);
        name.is_none_or(|name| {
            judgement.conditions.contains_key(name) || !assignments::passes(name, true)
        })
    });
    let index = dash.or(emptied).or(taken.map(|option| option.index))?;
    env.argv.get(index)
}
