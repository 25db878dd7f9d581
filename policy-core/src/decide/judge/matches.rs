//! Which rules match which invocation: the ground the stages stand on.

use alloc::{format, string::String, vec::Vec};

use super::{Answer, Judge, because};
use crate::{
    command::model::Site,
    decide::{case::Part, message::tick},
    decision::{Decision, Layer},
    diagnostic::Code,
    effect::Effect,
    rules::{Book, Certainty, Pattern, Rule, RuleSource, Set, Subjects, View},
    span::Span,
    specs::{SpecSet, model::Kind},
    wire::Reason,
};

impl<'a> Judge<'a> {
    /// The strictest match over the books.
    pub(super) fn refused(
        &self,
        subjects: &Subjects,
        decision: Decision,
    ) -> Option<(Certainty, &'a Rule)> {
        let books = self.bench.books.iter();
        let found = books.filter_map(|book| book.refuses(subjects, decision, self.bench.knowledge));
        let sets = self.bench.sets.iter();
        let imported = sets
            .filter_map(|set| set.opinion(&self.view(subjects)))
            .filter(|opinion| opinion.rule.source.decision == decision)
            .map(|opinion| (opinion.sure, opinion.rule));
        let found = found.chain(imported);
        found.min_by_key(|(sure, rule)| (core::cmp::Reverse(*sure), rule.source.layer))
    }

    /// What a set is asked about.
    fn view<'b>(&self, subjects: &'b Subjects) -> View<'b>
    where
        'a: 'b,
    {
        View {
            subjects,
            whole: self.case.text,
            plain: self.case.is_plain(),
            mode: self.case.facts.mode,
        }
    }

    /// What the sets have against the text as a whole.
    fn refused_whole(&self, decision: Decision) -> Option<(Certainty, &'a Rule)> {
        let nothing = Subjects::default();
        let view = self.view(&nothing);
        let found = self.bench.sets.iter().filter_map(|set| set.whole(&view));
        found
            .filter(|opinion| opinion.rule.source.decision == decision)
            .map(|opinion| (opinion.sure, opinion.rule))
            .min_by_key(|(sure, rule)| (core::cmp::Reverse(*sure), rule.source.layer))
    }

    /// The allow rule of each invocation. A rule that names the command a wrapper starts covers that command too.
    pub(super) fn covers(&self) -> Vec<Option<&'a Rule>> {
        let case = self.case;
        let kept = self.bench.denied;
        let mut covers: Vec<Option<(usize, &'a Rule)>> = Vec::new();
        for (index, (invocation, part)) in case.pairs().enumerate() {
            let own = self
                .bench
                .books
                .iter()
                .filter_map(|book| book.covers(&part.subjects))
                .filter(|cover| !(cover.nameless && escapes(part, kept)))
                .min_by_key(|cover| (cover.nameless, cover.rule.source.layer))
                .map(|cover| (cover.words, cover.rule))
                .or_else(|| {
                    let sets = self.bench.sets.iter();
                    sets.filter_map(|set| set.opinion(&self.view(&part.subjects)))
                        .filter(|opinion| opinion.rule.source.decision == Decision::Allow)
                        .filter(|opinion| !(opinion.nameless && escapes(part, kept)))
                        .min_by_key(|opinion| (opinion.nameless, opinion.rule.source.layer))
                        .map(|opinion| (0, opinion.rule))
                });
            let inherited = || {
                let parent = invocation
                    .parent
                    .filter(|parent| *parent < index && invocation.site == Site::Wrapped)?;
                let (words, rule) = (*covers.get(parent)?)?;
                let outer = case.program.invocations.get(parent)?;
                let first = invocation.argv.first()?.span;
                let at = outer.argv.iter().position(|arg| arg.span == first)?;
                let left = words.checked_sub(at).filter(|left| *left > 0)?;
                (outer.assignments.is_empty() && at > 0).then_some((left, rule))
            };
            covers.push(own.or_else(inherited));
        }
        covers
            .into_iter()
            .map(|cover| cover.map(|(_, rule)| rule))
            .collect()
    }

    /// Whether one of these patterns names a command of the text.
    pub(super) fn is_excluded(&self, patterns: &[String]) -> bool {
        if patterns.is_empty() {
            return false;
        }
        let sources = patterns.iter().map(|text| RuleSource {
            text: text.clone(),
            decision: Decision::Deny,
            layer: Layer::CommandLine,
            justification: None,
        });
        let (book, faults) = Book::compile(sources);
        // A pattern nobody can read might name this command.
        !faults.is_empty()
            || book.whole(self.case.text, Decision::Deny).is_some()
            || self.case.parts.iter().any(|part| {
                book.refuses(&part.subjects, Decision::Deny, self.bench.knowledge)
                    .is_some()
            })
    }

    /// The first rule of this kind that matches with at least this certainty.
    pub(super) fn refusing(
        &self,
        decision: Decision,
        at_least: Certainty,
        counts: impl Fn(&Rule) -> bool,
    ) -> Option<Answer> {
        let answer = |sure: Certainty| {
            if sure == Certainty::Yes {
                decision
            } else {
                Decision::Ask
            }
        };
        let code = if decision == Decision::Deny {
            Code::RuleDeny
        } else {
            Code::RuleAsk
        };
        let prompted = self.prompts().find(|(question, rule)| {
            question.decision == decision
                && counts(rule)
                && self.bench.answers.get(&question.id) == Some(&true)
        });
        if let Some((question, rule)) = prompted {
            let message = format!("it matches the prompt rule {}", tick(&question.prompt));
            return Some(Answer(
                decision,
                self.whole(Code::PromptAnswer, message, Some(rule)),
            ));
        }
        if let Some(rule) = self
            .bench
            .books
            .iter()
            .find_map(|book| book.whole(self.case.text, decision))
            .filter(|rule| counts(rule))
        {
            let message = format!("the rule equals the whole command{}", because(rule));
            return Some(Answer(decision, self.whole(code, message, Some(rule))));
        }
        for ((invocation, _), matched) in self.case.pairs().zip(&self.matched) {
            let found = if decision == Decision::Deny {
                matched.deny
            } else {
                matched.ask
            };
            if let Some((sure, rule)) =
                found.filter(|(sure, rule)| *sure >= at_least && counts(rule))
            {
                return Some(Answer(
                    answer(sure),
                    refusal(code, sure, rule, &invocation.text, invocation.span),
                ));
            }
        }
        if let Some((sure, rule)) = self
            .refused_whole(decision)
            .filter(|(sure, rule)| *sure >= at_least && counts(rule))
        {
            return Some(Answer(
                answer(sure),
                refusal(code, sure, rule, self.case.text, self.case.whole()),
            ));
        }
        for subjects in &self.hidden {
            if let Some((sure, rule)) = self
                .refused(subjects, decision)
                .filter(|(sure, rule)| *sure >= at_least && counts(rule))
            {
                return Some(Answer(
                    answer(sure),
                    refusal(code, sure, rule, &subjects.source, self.case.whole()),
                ));
            }
        }
        None
    }
}

/// It does, or may do unseen, what a deny rule is about.
fn escapes(part: &Part, kept: &[Effect]) -> bool {
    if kept.is_empty() || part.finding.read_only {
        return false;
    }
    let does = part
        .finding
        .touches
        .iter()
        .any(|touch| kept.contains(&touch.effect));
    // Code in an argument (`python -c`) can do anything; the project's own scripts are what `*` was written for.
    does || part.finding.kind == Kind::Interpreter
}

/// The reason of a rule that denies or asks.
pub(super) fn refusal(code: Code, sure: Certainty, rule: &Rule, text: &str, span: Span) -> Reason {
    let verb = match (sure, rule.source.decision) {
        (Certainty::Yes, Decision::Deny) => "denies",
        (Certainty::Yes, _) => "asks about",
        _ => "may match",
    };
    let message = format!(
        "{} {verb} {}{}",
        tick(&rule.source.text),
        tick(text.trim()),
        because(rule)
    );
    Reason {
        code,
        message,
        span,
        rule: Some(rule.source.text.clone()),
        from: rule.origin.clone(),
    }
}

/// What deny rules are plainly about: a rule that allows everything (`*`) does not allow that by another name.
pub(crate) fn denied_effects(book: &Book, sets: &[Set], specs: &SpecSet) -> Vec<Effect> {
    let mut effects: Vec<Effect> = Vec::new();
    let own =
        book.rules()
            .iter()
            .filter_map(|rule| match (rule.source.decision, &rule.parsed.pattern) {
                (Decision::Deny, Pattern::Exact(words) | Pattern::Prefix(words)) => {
                    words.first().map(String::as_str)
                }
                _ => None,
            });
    let imported = sets.iter().flat_map(Set::denied_commands);
    for name in own.chain(imported) {
        let spec = specs.find(name);
        for effect in spec.iter().flat_map(|spec| spec.root.effects.iter()) {
            let strong = matches!(effect, Effect::Delete | Effect::Network | Effect::Process);
            if strong && !effects.contains(&effect) {
                effects.push(effect);
            }
        }
    }
    effects
}
