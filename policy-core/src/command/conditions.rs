//! `test`, `[` and `[[`: what they evaluate besides comparing.
//!
//! `-v name` and `-R name` evaluate a subscript in the name, and inside `[[` (in zsh in `[` too) the operands of `-eq`
//! and kin are arithmetic. Everything else compares text or asks the file system.

use super::{
    Context, Lowerer, arith,
    model::{Arg, HazardKind, Value},
    scope::{Known, Scope},
};
use crate::{facts::Platform, span::Span, syntax::ast::CondToken};

/// Operators whose operands are numbers.
const NUMERIC: &[&str] = &["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

impl Lowerer<'_> {
    /// `[[ … ]]`
    pub(super) fn condition(
        &mut self,
        tokens: &[CondToken],
        scope: &mut Scope,
        context: Context,
        span: Span,
    ) {
        let earlier = scope.clone();
        for token in tokens {
            if let CondToken::Word(word) = token {
                self.walk_word(word, scope, context);
            }
        }
        scope.settle(&earlier);
        for token in tokens {
            if let CondToken::Word(word) = token
                && self.is_share(self.expander(scope).single(word).known_prefix())
            {
                self.hazard(HazardKind::Opaque, word.span);
            }
        }
        let mut before: Option<&CondToken> = None;
        let mut rest = tokens;
        while let Some((token, after)) = rest.split_first() {
            if let CondToken::Op(op, _) = token {
                if matches!(op.as_str(), "-v" | "-R") {
                    if let Some(CondToken::Word(word)) = after.first() {
                        let value = self.expander(scope).single(word);
                        if may_hold_subscript(&value) {
                            self.hazard(HazardKind::ArithmeticEval, word.span);
                        }
                    } else {
                        self.hazard(HazardKind::Opaque, span);
                    }
                }
                let terminal = op.as_str() == "-t" && self.is_zsh();
                if terminal || NUMERIC.contains(&op.as_str()) {
                    for operand in [before, after.first()] {
                        let Some(CondToken::Word(word)) = operand else {
                            continue;
                        };
                        let outcome = {
                            let expander = self.expander(scope);
                            let value = expander.single(word);
                            if is_integer_word(word, &expander) {
                                continue;
                            }
                            arith::judge_value(&value, &expander)
                        };
                        if !outcome.safe {
                            self.hazard(HazardKind::ArithmeticEval, word.span);
                        }
                        for name in &outcome.assigned {
                            self.assign(name, Known::Integer, word.span, scope);
                        }
                    }
                }
            }
            before = Some(token);
            rest = after;
        }
        if self.shell != crate::facts::Shell::Sh {
            scope.forget("BASH_REMATCH");
        }
    }

    /// `test …`, `[ … ]`; `argv` without the name.
    pub(super) fn test(&mut self, argv: &[Arg], scope: &Scope) {
        let mut rest = argv;
        let mut before: Option<&Arg> = None;
        while let Some((arg, after)) = rest.split_first() {
            let next = after.first();
            // Several words in one place may hold both the operator and its operand.
            if matches!(&arg.value, Value::Many(start) if "-v".starts_with(start.as_str()) || "-R".starts_with(start.as_str()))
            {
                self.hazard_in(HazardKind::ArithmeticEval, arg.span, "");
            }
            if (may_be(&arg.value, "-v") || may_be(&arg.value, "-R"))
                && let Some(next) = next
                && may_hold_subscript(&next.value)
            {
                self.hazard_in(HazardKind::ArithmeticEval, next.span, "");
            }
            let numeric = arg
                .value
                .exact()
                .is_some_and(|text| NUMERIC.contains(&text));
            if numeric && self.is_zsh() {
                for operand in [before, next].into_iter().flatten() {
                    if !arith::judge_value(&operand.value, &self.expander(scope)).safe {
                        self.hazard_in(HazardKind::ArithmeticEval, operand.span, "");
                    }
                }
            }
            before = Some(arg);
            rest = after;
        }
    }
}

impl Lowerer<'_> {
    /// Whether Windows reads the path as one of another machine, which is then told who asks.
    pub(super) fn is_share(&self, path: &str) -> bool {
        let slash = |byte: Option<&u8>| matches!(byte, Some(b'/' | b'\\'));
        let bytes = path.as_bytes();
        self.facts.platform == Platform::Windows
            && slash(bytes.first())
            && slash(bytes.get(1))
            && !slash(bytes.get(2))
            && bytes.len() > 2
    }
}

/// A word of one expansion that is known to be an integer (`$n`, `"$n"`, `$((…))`, `$(… | wc -l)`).
fn is_integer_word<'a>(
    word: &'a crate::syntax::ast::Word,
    expander: &super::words::Expander<'a>,
) -> bool {
    use crate::syntax::ast::Part;
    let part = match word.parts.as_slice() {
        [Part::Double(inner, _)] => match inner.as_slice() {
            [part] => part,
            _ => return false,
        },
        [part] => part,
        _ => return false,
    };
    match part {
        Part::Param(param) => expander.parameter(param).is_integer(),
        Part::CommandSub(script, _) => expander.output(script).is_integer(),
        Part::Arith(..) => true,
        _ => false,
    }
}

/// Whether a word may be exactly this text.
fn may_be(value: &Value, text: &str) -> bool {
    match value {
        Value::Exact(known) => known == text,
        Value::OneOf(all) => all.iter().any(|known| known == text),
        Value::Prefix(start) | Value::Many(start) => text.starts_with(start.as_str()),
        Value::Unknown => true,
        Value::Digits => false,
    }
}

/// Whether a name that is looked up may be an array element whose subscript evaluates something.
pub(super) fn may_hold_subscript(value: &Value) -> bool {
    let evaluates = |text: &str| {
        text.split_once('[').is_some_and(|(_, subscript)| {
            let subscript = subscript.strip_suffix(']').unwrap_or(subscript);
            !(matches!(subscript, "@" | "*")
                || !subscript.is_empty() && subscript.bytes().all(|byte| byte.is_ascii_digit()))
        })
    };
    match value {
        Value::Exact(text) => evaluates(text),
        Value::OneOf(all) => all.iter().any(|text| evaluates(text)),
        Value::Digits => false,
        Value::Prefix(_) | Value::Unknown | Value::Many(_) => true,
    }
}
