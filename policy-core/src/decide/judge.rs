//! The only place where a verdict is made: twelve stages, in order, the first that answers decides.
//!
//! [`order`] is the documented order. An answer can afterwards only become stricter: a hook that is stricter, plan mode,
//! and nobody there to ask. Deny and ask rules are looked at before anything can allow, over every invocation
//! that can be seen, and over the raw text where not all of it can be.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use super::{
    case::Case,
    message::{clean, tick},
    names::Knowledge,
    raw,
};
use crate::{
    classify::model::Why,
    decision::{Decision, Layer},
    diagnostic::Code,
    effect::Effect,
    facts::Mode,
    rules::{Book, Certainty, Rule, Set},
    syntax::Status,
    wire::{Question, Reason},
};

pub(super) mod matches;
mod parts;
mod prompts;

/// What is decided from.
pub(crate) struct Bench<'a> {
    /// The request, understood.
    pub(crate) case: &'a Case<'a>,
    /// Rules of the policy and of the request.
    pub(crate) books: &'a [&'a Book],
    /// Rules of other tools.
    pub(crate) sets: &'a [Set],
    /// What the deny rules are plainly about.
    pub(crate) denied: &'a [Effect],
    /// What the specs say.
    pub(crate) knowledge: &'a Knowledge<'a>,
    /// What a hook of the host said.
    pub(crate) hook: Option<Decision>,
    /// Answers to prompt rules.
    pub(crate) answers: &'a BTreeMap<String, bool>,
}

impl Bench<'_> {
    /// Whether there is a rule that denies or asks.
    fn refuses_anything(&self) -> bool {
        self.books.iter().any(|book| book.refuses_anything())
            || self.sets.iter().any(Set::refuses_anything)
    }
}

/// What was decided.
pub(crate) struct Judgement {
    /// The answer.
    pub(crate) decision: Decision,
    /// Why.
    pub(crate) reason: Reason,
    /// The answer for each invocation alone.
    pub(crate) parts: Vec<(Decision, Reason, Standing)>,
    /// Prompt rules nobody answered yet.
    pub(crate) questions: Vec<Question>,
}

/// How an invocation stands before modes are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// It needs no rule.
    Free,
    /// A rule covers it.
    Covered,
    /// Edit mode lets it pass.
    Edit,
    /// It needs one.
    Open,
}

/// An answer and why.
struct Answer(Decision, Reason);

/// The stages, in the order in which they are asked.
const fn order<'a>() -> [(&'static str, Stage<'a>); 12] {
    [
        ("a deny rule matches", Judge::deny_rules),
        ("an ask rule matches", Judge::ask_rules),
        (
            "plan mode: reading is allowed, all else denied",
            Judge::plan_mode,
        ),
        ("a hook of the host answered", Judge::hook_answer),
        (
            "what no prefix rule and no mode but yolo may allow",
            Judge::guarded,
        ),
        (
            "allow rules cover every part that needs one",
            Judge::allow_rules,
        ),
        ("the sandbox contains it", Judge::sandbox),
        ("a prompt rule was answered", Judge::prompt_rules),
        ("every part only reads", Judge::read_only),
        (
            "edit mode: file work inside the workspace",
            Judge::edit_mode,
        ),
        ("yolo mode", Judge::yolo_mode),
        ("ask", Judge::ask),
    ]
}

type Stage<'a> = fn(&Judge<'a>) -> Option<Answer>;

/// Decides.
pub(crate) fn judge(bench: &Bench<'_>) -> Judgement {
    let judge = Judge::new(bench);
    let Answer(decision, reason) = order()
        .iter()
        .find_map(|(_, stage)| stage(&judge))
        .unwrap_or_else(|| {
            Answer(
                Decision::Ask,
                judge.whole(Code::RuleNone, Code::RuleNone.meaning().into(), None),
            )
        });
    let Answer(decision, reason) = judge.tighten(Answer(decision, reason));
    let reason = on_the_command(reason, bench.case);
    let reached_prompts = !matches!(
        reason.code,
        Code::RuleDeny
            | Code::RuleAsk
            | Code::RuleExact
            | Code::RuleAllow
            | Code::ModePlan
            | Code::HookAnswer
            | Code::SandboxAuto
    );
    let questions = if reached_prompts && judge.guarded().is_none() {
        judge.questions()
    } else {
        Vec::new()
    };
    let parts = (0..bench.case.parts.len())
        .filter_map(|index| judge.part_answer(index))
        .collect();
    Judgement {
        decision,
        reason,
        parts,
        questions,
    }
}

/// The reason of the whole points at the command it is about; that of the command points at the word.
fn on_the_command(mut reason: Reason, case: &Case<'_>) -> Reason {
    let around = case
        .program
        .invocations
        .iter()
        .map(|invocation| invocation.span)
        .filter(|span| span.contains(reason.span))
        .min_by_key(|span| span.len());
    reason.span = around.unwrap_or(reason.span);
    reason
}

struct Judge<'a> {
    bench: &'a Bench<'a>,
    case: &'a Case<'a>,
    /// For each invocation the deny rule, the ask rule, and the allow rule.
    matched: Vec<Matched<'a>>,
    /// Commands in a text that could not be read whole.
    hidden: Vec<crate::rules::Subjects>,
}

struct Matched<'a> {
    deny: Option<(Certainty, &'a Rule)>,
    ask: Option<(Certainty, &'a Rule)>,
    allow: Option<&'a Rule>,
    standing: Standing,
}

impl<'a> Judge<'a> {
    fn new(bench: &'a Bench<'a>) -> Self {
        let case = bench.case;
        let hidden = if case.may_hide() && bench.refuses_anything() {
            raw::subjects(case.text, bench.knowledge)
        } else {
            Vec::new()
        };
        let mut judge = Self {
            bench,
            case,
            matched: Vec::new(),
            hidden,
        };
        let covers = judge.covers();
        judge.matched = case
            .parts
            .iter()
            .zip(covers)
            .map(|(part, allow)| Matched {
                deny: judge.refused(&part.subjects, Decision::Deny),
                ask: judge.refused(&part.subjects, Decision::Ask),
                allow,
                standing: match allow {
                    _ if part.is_free(case.facts) => Standing::Free,
                    Some(_) => Standing::Covered,
                    None if case.facts.mode == Mode::Edit && part.edits_inside() => Standing::Edit,
                    None => Standing::Open,
                },
            })
            .collect();
        judge
    }
    fn whole(&self, code: Code, message: String, rule: Option<&Rule>) -> Reason {
        Reason {
            code,
            message,
            span: self.case.whole(),
            rule: rule.map(|rule| rule.source.text.clone()),
            from: rule.and_then(|rule| rule.origin.clone()),
        }
    }

    fn exact(&self) -> Option<&'a Rule> {
        self.bench
            .books
            .iter()
            .find_map(|book| book.whole(self.case.text, Decision::Allow))
    }

    // The stages.

    fn deny_rules(&self) -> Option<Answer> {
        self.refusing(Decision::Deny, Certainty::Yes, |_| true)
    }

    fn ask_rules(&self) -> Option<Answer> {
        // A deny rule that only may match is asked about. A hook may settle ask rules that are not managed.
        let settled = self.bench.hook == Some(Decision::Allow);
        let counts = |rule: &Rule| !settled || rule.source.layer == Layer::Managed;
        self.refusing(Decision::Deny, Certainty::Maybe, |_| true)
            .or_else(|| self.refusing(Decision::Ask, Certainty::Maybe, counts))
    }

    fn plan_mode(&self) -> Option<Answer> {
        if self.case.facts.mode != Mode::Plan {
            return None;
        }
        self.read_only().or_else(|| {
            let held = self
                .case
                .read_only()
                .then(|| self.first_held_back())
                .flatten();
            Some(match held {
                // It only reads, but something that is not free.
                Some(reason) => Answer(Decision::Ask, reason),
                None => {
                    let why = self
                        .first_held_back()
                        .map(|reason| format!(": {}", reason.message))
                        .unwrap_or_default();
                    Answer(
                        Decision::Deny,
                        self.whole(
                            Code::ModePlan,
                            format!("while planning only reading is allowed{why}"),
                            None,
                        ),
                    )
                }
            })
        })
    }

    fn hook_answer(&self) -> Option<Answer> {
        let decision = self.bench.hook?;
        let said = match decision {
            Decision::Allow => "a hook allows it",
            Decision::Ask => "a hook asks for a yes",
            Decision::Deny => "a hook denies it",
        };
        Some(Answer(
            decision,
            self.whole(Code::HookAnswer, said.into(), None),
        ))
    }

    fn guarded(&self) -> Option<Answer> {
        let case = self.case;
        if self.exact().is_some() {
            return None;
        }
        if case.facts.mode == Mode::Yolo {
            // Deny and ask rules hold in every mode, and they could not be tried on all of this text.
            let unseen = case.reading.status != Status::Ok && self.bench.refuses_anything();
            return case
                .unsafe_why
                .as_ref()
                .filter(|_| unseen)
                .map(|why| Answer(Decision::Ask, reason_of(why)));
        }
        let guarded = case
            .all_parts()
            .find_map(|part| part.finding.guarded.as_ref());
        if let Some(why) = guarded.or(case.unsafe_why.as_ref()) {
            return Some(Answer(Decision::Ask, reason_of(why)));
        }
        match &case.conditions {
            Ok(_) => None,
            Err(name) => Some(Answer(
                Decision::Ask,
                self.whole(
                    Code::CommandGit,
                    format!("its parts need different values of {}", tick(name)),
                    None,
                ),
            )),
        }
    }

    fn allow_rules(&self) -> Option<Answer> {
        if let Some(rule) = self.exact() {
            let message = format!("the rule equals the whole command{}", because(rule));
            return Some(Answer(
                Decision::Allow,
                self.whole(Code::RuleExact, message, Some(rule)),
            ));
        }
        if self
            .case
            .loose
            .as_ref()
            .is_some_and(|loose| !loose.is_free(self.case.facts))
            || self
                .matched
                .iter()
                .any(|matched| matches!(matched.standing, Standing::Open | Standing::Edit))
        {
            return None;
        }
        let rule = self
            .matched
            .iter()
            .find(|matched| matched.standing == Standing::Covered)?
            .allow?;
        let message = format!("{} allows it{}", tick(&rule.source.text), because(rule));
        Some(Answer(
            Decision::Allow,
            self.whole(Code::RuleAllow, message, Some(rule)),
        ))
    }

    fn sandbox(&self) -> Option<Answer> {
        let sandbox = &self.case.facts.sandbox;
        let on =
            sandbox.available && sandbox.enabled && sandbox.auto_allow && !sandbox.disabled_by_call;
        if !on || self.is_excluded(&sandbox.excluded) {
            return None;
        }
        Some(Answer(
            Decision::Allow,
            self.whole(Code::SandboxAuto, Code::SandboxAuto.meaning().into(), None),
        ))
    }

    fn prompt_rules(&self) -> Option<Answer> {
        let answered = self
            .prompts()
            .filter(|(question, _)| self.bench.answers.get(&question.id) == Some(&true));
        let (question, rule) = answered.max_by_key(|(question, _)| question.decision)?;
        let message = format!("it matches the prompt rule {}", tick(&question.prompt));
        Some(Answer(
            question.decision,
            self.whole(Code::PromptAnswer, message, Some(rule)),
        ))
    }

    fn read_only(&self) -> Option<Answer> {
        let case = self.case;
        if case.is_empty() {
            return Some(Answer(
                Decision::Allow,
                self.whole(Code::ParseEmpty, Code::ParseEmpty.meaning().into(), None),
            ));
        }
        let free = case.read_only() && case.all_parts().all(|part| part.is_free(case.facts));
        free.then(|| {
            Answer(
                Decision::Allow,
                self.whole(Code::ReadOnly, Code::ReadOnly.meaning().into(), None),
            )
        })
    }

    fn edit_mode(&self) -> Option<Answer> {
        let case = self.case;
        let loose = case.loose.as_ref();
        let spills = loose.is_some_and(|loose| !loose.is_free(case.facts) && !loose.edits_inside());
        if case.facts.mode != Mode::Edit || case.unsafe_why.is_some() || spills {
            return None;
        }
        let fine = self
            .matched
            .iter()
            .all(|matched| matched.standing != Standing::Open);
        fine.then(|| {
            Answer(
                Decision::Allow,
                self.whole(Code::ModeEdit, Code::ModeEdit.meaning().into(), None),
            )
        })
    }

    fn yolo_mode(&self) -> Option<Answer> {
        (self.case.facts.mode == Mode::Yolo).then(|| {
            Answer(
                Decision::Allow,
                self.whole(Code::ModeYolo, Code::ModeYolo.meaning().into(), None),
            )
        })
    }

    fn ask(&self) -> Option<Answer> {
        let reason = self
            .first_open()
            .unwrap_or_else(|| self.whole(Code::RuleNone, Code::RuleNone.meaning().into(), None));
        Some(Answer(Decision::Ask, reason))
    }

    /// What came out may still be too loose: an ask rule in plan mode, a hook that is stricter, nobody to ask.
    fn tighten(&self, answer: Answer) -> Answer {
        let mut answer = answer;
        if answer.0 == Decision::Ask
            && let Some(planned) = self.plan_mode().filter(|planned| planned.0 > answer.0)
        {
            answer = planned;
        }
        if let Some(hook) = self.hook_answer().filter(|hook| hook.0 > answer.0) {
            answer = hook;
        }
        let nobody = self.case.facts.unattended || self.case.facts.mode == Mode::DontAsk;
        if answer.0 == Decision::Ask && nobody {
            let message = format!("nobody is there to answer: {}", answer.1.message);
            let code = if self.case.facts.unattended || self.case.facts.mode == Mode::DontAsk {
                Code::ModeUnattended
            } else {
                answer.1.code
            };
            answer = Answer(
                Decision::Deny,
                Reason {
                    code,
                    message,
                    ..answer.1
                },
            );
        }
        answer
    }
}

fn reason_of(why: &Why) -> Reason {
    Reason {
        code: why.code,
        message: why.message.clone(),
        span: why.span,
        rule: None,
        from: None,
    }
}

/// Why a rule is there, and where, as the end of a message.
fn because(rule: &Rule) -> String {
    let place = rule.origin.as_ref().map(|origin| {
        let file = clean(&origin.file, 200);
        match origin.line {
            0 => format!(" ({file})"),
            line => format!(" ({file}:{line})"),
        }
    });
    let words = rule.source.justification.as_deref().map(str::trim);
    let words = words
        .filter(|words| !words.is_empty())
        .map(|words| format!(": {}", clean(words, 200)));
    place.unwrap_or_default() + &words.unwrap_or_default()
}

#[cfg(test)]
mod tests;
