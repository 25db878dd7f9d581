//! Assignments and array literals: what they evaluate, and what they leave in the variables.

use alloc::string::String;

use super::{
    Context, Lowerer,
    model::{Arg, HazardKind},
    scope::{Known, Scope},
    words::{literal_text, static_text},
};
use crate::syntax::ast::{AssignValue, Assignment, Part, Word};

impl Lowerer<'_> {
    /// A bare assignment: the variable holds the value from here on.
    pub(super) fn persist(&mut self, assignment: &Assignment, scope: &mut Scope) {
        let known = match (&assignment.value, &assignment.subscript, assignment.append) {
            (AssignValue::Word(word), None, false) => self.expander(scope).known(word),
            (AssignValue::Word(word), None, true) => {
                let added = self.expander(scope).assigned(word);
                match (
                    scope.variable(&assignment.name).and_then(Known::only),
                    added.exact(),
                ) {
                    (Some(before), Some(added)) => {
                        let mut both = String::from(before);
                        both.push_str(added);
                        Known::exact(both)
                    }
                    _ => Known::Any,
                }
            }
            _ => Known::Any,
        };
        if assignment.subscript.is_some() || matches!(assignment.value, AssignValue::Array(_)) {
            scope.note_array(&assignment.name);
        }
        self.assign(&assignment.name, known, assignment.span, scope);
    }

    pub(super) fn walk_assignment(
        &mut self,
        assignment: &Assignment,
        scope: &mut Scope,
        context: Context,
    ) {
        if let Some(subscript) = &assignment.subscript {
            self.subscript(&assignment.name, subscript, scope, context);
        }
        match &assignment.value {
            AssignValue::Word(word) => self.walk_word(word, scope, context),
            AssignValue::Array(words) => {
                for word in words {
                    self.walk_word(word, scope, context);
                    if !scope.is_map(&assignment.name) {
                        self.element(word);
                    }
                }
            }
        }
    }

    /// An element of an indexed array: in `[subscript]=value` the subscript is arithmetic.
    fn element(&mut self, word: &Word) {
        if !matches!(word.parts.first(), Some(Part::Literal(text, _)) if text.starts_with('[')) {
            return;
        }
        let digits = static_text(&word.parts).is_some_and(|text| {
            text.get(1..)
                .and_then(|rest| rest.split_once("]="))
                .is_some_and(|(index, _)| {
                    !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit())
                })
        });
        if !digits {
            self.hazard(HazardKind::ArithmeticEval, word.span);
        }
    }

    /// Array literals among the words of `declare` and kin.
    pub(super) fn elements(&mut self, words: &[Word], scope: &mut Scope) {
        let map = words.iter().filter_map(literal_text).any(|text| {
            text.strip_prefix('-')
                .is_some_and(|letters| letters.contains('A'))
        });
        for word in words {
            let Some(Part::Array(elements, _)) = word.parts.last() else {
                continue;
            };
            if let Some(Part::Literal(sign, _)) = word.parts.first() {
                scope.note_array(sign.trim_end_matches(['+', '=']));
            }
            for element in elements.iter().filter(|_| !map) {
                self.element(element);
            }
        }
    }

    /// `mapfile`, `readarray`; `args` without the name.
    pub(super) fn mapfile(&mut self, args: &[Arg], scope: &mut Scope) {
        let mut rest = args.iter();
        scope.forget("MAPFILE");
        while let Some(arg) = rest.next() {
            match arg.value.exact() {
                Some("-t" | "--") => {}
                Some("-n" | "-O" | "-s" | "-u" | "-d" | "-c") => {
                    rest.next();
                }
                Some(text) if text.starts_with("-C") => {
                    self.hazard_in(HazardKind::DeferredExec, arg.span, text);
                }
                Some(text) if text.starts_with('-') => {
                    if text.contains('C') {
                        self.hazard_in(HazardKind::DeferredExec, arg.span, text);
                    }
                }
                _ => {
                    scope.note_array(arg.value.known_prefix());
                    self.store(arg, Known::Any, scope);
                }
            }
        }
    }
}
