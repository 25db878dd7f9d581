//! One request at work: what was read of it, and the rules of the request beside those of the policy.
//!
//! It decides as often as it is asked to, each time with other allow rules on top: that is how suggestions are tried.

use alloc::{string::String, vec::Vec};

use super::Policy;
use crate::{
    decide::{
        case::Case,
        judge::{Bench, Judgement, Standing, judge},
        names::Knowledge,
    },
    decision::{Decision, Layer},
    effect::Effect,
    facts::Mode,
    rules::{Book, RuleSource},
    suggest::{self, Item},
    wire::{Request, Suggestion},
};

/// One request at work.
pub(super) struct Session<'a> {
    pub(super) policy: &'a Policy,
    pub(super) request: &'a Request,
    pub(super) own: Book,
    pub(super) denied: Vec<Effect>,
    pub(super) knowledge: Knowledge<'a>,
    pub(super) case: Case<'a>,
}

impl Session<'_> {
    /// Decides, with more allow rules than there are.
    pub(super) fn judge(&self, more: &[String]) -> Judgement {
        let extra;
        let mut books: Vec<&Book> = alloc::vec![&self.own, &self.policy.book];
        if !more.is_empty() {
            let sources = more.iter().map(|text| RuleSource {
                text: text.clone(),
                decision: Decision::Allow,
                layer: Layer::User,
                justification: None,
            });
            extra = Book::compile(sources).0;
            books.push(&extra);
        }
        judge(&Bench {
            case: &self.case,
            books: &books,
            sets: &self.policy.sets,
            denied: &self.denied,
            knowledge: &self.knowledge,
            hook: self.request.hook,
            answers: &self.request.answers,
        })
    }

    pub(super) fn suggest(&self, judged: &Judgement) -> Vec<Suggestion> {
        if self.request.facts.mode == Mode::Plan || self.case.is_empty() {
            return Vec::new();
        }
        let open =
            |standing: Standing| standing == Standing::Open || judged.decision == Decision::Allow;
        let items: Vec<Item<'_>> = self
            .case
            .pairs()
            .enumerate()
            .zip(&judged.parts)
            .filter(|(_, (_, _, standing))| open(*standing))
            .map(|((index, (invocation, part)), _)| Item {
                index,
                invocation,
                form: part.subjects.allow.first().map(Vec::as_slice),
                short: part.subjects.allow.last().map(Vec::as_slice),
                kind: part.finding.kind,
                why: part.finding.why.code,
                prefix: part.finding.guarded.is_none()
                    && self.case.unsafe_why.is_none()
                    && self
                        .case
                        .loose
                        .as_ref()
                        .is_none_or(|loose| loose.is_free(self.case.facts)),
            })
            .collect();
        suggest::suggest(
            self.case.text,
            &items,
            &self.policy.specs,
            self.policy.registry.as_ref(),
            &|rules| self.judge(rules).decision == Decision::Allow,
        )
    }
}
