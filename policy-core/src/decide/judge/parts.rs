//! The answer for each invocation alone, and what still stands against the whole.

use alloc::{format, string::String};

use super::{Judge, Standing, because, matches::refusal, reason_of};
use crate::{
    decide::message::tick,
    decision::Decision,
    diagnostic::Code,
    effect::Effect,
    facts::Mode,
    rules::{Certainty, Rule},
    wire::Reason,
};

impl Judge<'_> {
    /// What may not run without a rule, the first.
    pub(super) fn first_held_back(&self) -> Option<Reason> {
        let case = self.case;
        case.unsafe_why
            .clone()
            .or_else(|| case.all_parts().find_map(|part| part.held_back(case.facts)))
            .map(|why| reason_of(&why))
    }

    /// What still needs a rule, the first.
    pub(super) fn first_open(&self) -> Option<Reason> {
        let case = self.case;
        if let Some(why) = &case.unsafe_why {
            return Some(reason_of(why));
        }
        let open = (0..case.parts.len()).find(|index| {
            self.matched
                .get(*index)
                .is_some_and(|matched| matched.standing == Standing::Open)
        });
        match open {
            Some(index) => self.open_reason(index),
            None => {
                let why = case.loose.as_ref()?.held_back(case.facts)?;
                Some(reason_of(&why))
            }
        }
    }

    pub(super) fn open_reason(&self, index: usize) -> Option<Reason> {
        let (part, invocation) = (
            self.case.parts.get(index)?,
            self.case.program.invocations.get(index)?,
        );
        let why = part.held_back(self.case.facts)?;
        // A program whose whole purpose is to run the project's own code: what is missing is a rule.
        let runs_code = part
            .finding
            .touches
            .iter()
            .any(|touch| touch.effect == Effect::Exec);
        if why.code == Code::CommandEffect && runs_code {
            let message = format!("no rule allows {}", tick(invocation.text.trim()));
            return Some(Reason {
                code: Code::RuleNone,
                message,
                span: invocation.span,
                rule: None,
                from: None,
            });
        }
        Some(reason_of(&why))
    }

    pub(super) fn part_answer(&self, index: usize) -> Option<(Decision, Reason, Standing)> {
        let (part, matched, invocation) = (
            self.case.parts.get(index)?,
            self.matched.get(index)?,
            self.case.program.invocations.get(index)?,
        );
        let mode = self.case.facts.mode;
        let here = |code: Code, message: String, rule: Option<&Rule>| Reason {
            code,
            message,
            span: invocation.span,
            rule: rule.map(|rule| rule.source.text.clone()),
            from: rule.and_then(|rule| rule.origin.clone()),
        };
        let refused = [
            (matched.deny, Code::RuleDeny, Decision::Deny),
            (matched.ask, Code::RuleAsk, Decision::Ask),
        ];
        for (found, code, decision) in refused {
            if let Some((sure, rule)) = found {
                let decision = if sure == Certainty::Yes {
                    decision
                } else {
                    Decision::Ask
                };
                return Some((
                    decision,
                    refusal(code, sure, rule, &invocation.text, invocation.span),
                    matched.standing,
                ));
            }
        }
        let guarded = part
            .finding
            .guarded
            .as_ref()
            .filter(|_| mode != Mode::Yolo && self.exact().is_none());
        let (decision, reason) = if let Some(why) = guarded {
            (Decision::Ask, reason_of(why))
        } else if matched.standing == Standing::Free {
            (Decision::Allow, reason_of(&part.finding.why))
        } else if let Some(rule) = matched
            .allow
            .filter(|_| mode != Mode::Plan && self.case.unsafe_why.is_none())
        {
            (
                Decision::Allow,
                here(
                    Code::RuleAllow,
                    format!("{} allows it{}", tick(&rule.source.text), because(rule)),
                    Some(rule),
                ),
            )
        } else if mode == Mode::Plan {
            (
                Decision::Deny,
                here(Code::ModePlan, Code::ModePlan.meaning().into(), None),
            )
        } else if matched.standing == Standing::Edit {
            (
                Decision::Allow,
                here(Code::ModeEdit, Code::ModeEdit.meaning().into(), None),
            )
        } else if mode == Mode::Yolo {
            (
                Decision::Allow,
                here(Code::ModeYolo, Code::ModeYolo.meaning().into(), None),
            )
        } else {
            (
                Decision::Ask,
                self.open_reason(index)
                    .unwrap_or_else(|| reason_of(&part.finding.why)),
            )
        };
        Some((decision, reason, matched.standing))
    }
}
