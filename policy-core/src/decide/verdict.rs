//! A judged request as the shapes of the boundary: the verdict, the parse report, the explanation.

use alloc::{string::ToString, vec::Vec};

use super::{
    case::{Case, hazard_code, hazard_why},
    judge::Judgement,
};
use crate::{
    command::model::{Arg, Connector, Cwd, RedirectKind, Redirection, Site, Value},
    decision::Decision,
    effect::Effect,
    sorted,
    span::Span,
    syntax::Status,
    wire::{
        Capability, CommandVerdict, Conditions, Parse, ParseStatus, Reason, RiskLevel,
        SideEffectScope, Suggestion, Target, Verdict,
        report::{
            AssignmentReport, ExplainedSpan, Explanation, HazardReport, InvocationReport,
            ParseReport, RedirectReport, WordReport,
        },
    },
};

pub(crate) fn verdict(case: &Case<'_>, judged: Judgement, suggestions: Vec<Suggestion>) -> Verdict {
    let commands = case
        .pairs()
        .zip(judged.parts)
        .map(|((invocation, part), (decision, reason, _))| {
            let mut effects: Vec<Effect> = part
                .finding
                .touches
                .iter()
                .map(|touch| touch.effect)
                .collect();
            sorted::sort(&mut effects);
            effects.dedup();
            let targets = part.finding.touches.iter().filter_map(|touch| {
                Some(Target {
                    effect: touch.effect,
                    target: touch.target.clone()?,
                    place: touch.place,
                })
            });
            CommandVerdict {
                text: invocation.text.clone(),
                argv: invocation
                    .argv
                    .iter()
                    .map(|arg| arg.value.exact().map(ToString::to_string))
                    .collect(),
                span: invocation.span,
                read_only: part.finding.read_only,
                kind: part.finding.kind,
                effects,
                targets: targets.collect(),
                decision,
                reason,
                subjects: part.subjects.texts(),
            }
        })
        .collect();
    Verdict {
        decision: judged.decision,
        reason: judged.reason,
        capability: capability(case),
        parse: parse(case),
        commands,
        suggestions,
        conditions: Conditions {
            env: case.conditions.clone().unwrap_or_default(),
        },
        questions: judged.questions,
    }
}

/// What the command as a whole may do, whatever the rules and the mode.
fn capability(case: &Case<'_>) -> Capability {
    let read_only = case.read_only();
    let network = case.all_parts().any(|part| {
        part.finding
            .touches
            .iter()
            .any(|touch| touch.effect == Effect::Network)
    });
    let inside = case.unsafe_why.is_none()
        && case
            .all_parts()
            .all(|part| part.finding.read_only || part.edits_inside());
    let (risk_level, side_effect_scope) = match (read_only, inside, network) {
        (true, _, false) => (RiskLevel::Low, SideEffectScope::None),
        (true, _, true) => (RiskLevel::Low, SideEffectScope::Network),
        (false, true, false) => (RiskLevel::Medium, SideEffectScope::Workspace),
        _ => (RiskLevel::High, SideEffectScope::System),
    };
    let free = read_only && case.all_parts().all(|part| part.is_free(case.facts));
    Capability {
        read_only,
        needs_approval: !free,
        risk_level,
        side_effect_scope,
    }
}

pub(crate) fn parse(case: &Case<'_>) -> Parse {
    Parse {
        status: match case.reading.status {
            Status::Ok => ParseStatus::Ok,
            Status::Error => ParseStatus::Error,
            Status::TooLong => ParseStatus::TooLong,
            Status::TooComplex => ParseStatus::TooComplex,
        },
        permission_safe: case.unsafe_why.is_none(),
        unsupported: case
            .program
            .unsupported
            .iter()
            .map(ToString::to_string)
            .collect(),
        incomplete: case.reading.incomplete,
    }
}

pub(crate) fn report(case: &Case<'_>) -> ParseReport {
    let invocations = case
        .program
        .invocations
        .iter()
        .map(|invocation| InvocationReport {
            text: invocation.text.clone(),
            span: invocation.span,
            argv: invocation
                .argv
                .iter()
                .map(|arg: &Arg| word(&arg.value, arg.span))
                .collect(),
            assignments: invocation
                .assignments
                .iter()
                .map(|assignment| AssignmentReport {
                    name: assignment.name.clone(),
                    value: word(&assignment.value, assignment.span),
                })
                .collect(),
            redirects: invocation.redirects.iter().map(redirect).collect(),
            connector: match invocation.connector {
                Connector::Start => "start",
                Connector::Sequence => "sequence",
                Connector::And => "and",
                Connector::Or => "or",
                Connector::Pipe => "pipe",
                Connector::PipeBoth => "pipeBoth",
                Connector::Background => "background",
            },
            site: match invocation.site {
                Site::Top => "top",
                Site::Compound => "compound",
                Site::Substitution => "substitution",
                Site::Wrapped => "wrapped",
                Site::Script => "script",
            },
            parent: invocation.parent,
            wrappers: invocation.wrappers.clone(),
            cwd: match &invocation.cwd {
                Cwd::Initial => Some(".".into()),
                Cwd::Moved(path) => Some(path.clone()),
                Cwd::Unknown | Cwd::Among(_) => None,
            },
        });
    ParseReport {
        parse: parse(case),
        fault: case.reading.fault.as_ref().map(|fault| Reason {
            code: fault.code,
            message: fault.message.clone(),
            span: fault.span,
            rule: None,
            from: None,
        }),
        invocations: invocations.collect(),
        redirects: case.program.redirects.iter().map(redirect).collect(),
        hazards: case
            .program
            .hazards
            .iter()
            .map(|hazard| HazardReport {
                code: hazard_code(hazard.kind),
                what: hazard.what.clone(),
                span: hazard.span,
            })
            .collect(),
    }
}

fn word(value: &Value, span: Span) -> WordReport {
    let (kind, values) = match value {
        Value::Exact(text) => ("exact", alloc::vec![text.clone()]),
        Value::OneOf(all) => ("oneOf", all.clone()),
        Value::Prefix(start) => ("prefix", alloc::vec![start.clone()]),
        Value::Digits => ("digits", Vec::new()),
        Value::Unknown => ("unknown", Vec::new()),
        Value::Many(start) if start.is_empty() => ("many", Vec::new()),
        Value::Many(start) => ("many", alloc::vec![start.clone()]),
    };
    WordReport { kind, values, span }
}

fn redirect(redirect: &Redirection) -> RedirectReport {
    let (kind, target) = match &redirect.kind {
        RedirectKind::Read(target) => ("read", Some(target)),
        RedirectKind::Write(target) => ("write", Some(target)),
        RedirectKind::Nothing => ("nothing", None),
        RedirectKind::Network(target) => ("network", Some(target)),
    };
    RedirectReport {
        kind,
        target: target.map(|target| word(target, redirect.span)),
        span: redirect.span,
    }
}

pub(crate) fn explanation(case: &Case<'_>, verdict: Verdict) -> Explanation {
    let mut spans: Vec<ExplainedSpan> = Vec::new();
    let plain = |span, part, decision, reason| ExplainedSpan {
        span,
        part,
        decision,
        reason,
        kind: None,
        effects: Vec::new(),
        subjects: Vec::new(),
    };
    let unsafe_decision = verdict
        .decision
        .max(if verdict.decision == Decision::Allow {
            Decision::Allow
        } else {
            Decision::Ask
        });
    if let Some(fault) = &case.reading.fault {
        let reason = Reason {
            code: fault.code,
            message: fault.message.clone(),
            span: fault.span,
            rule: None,
            from: None,
        };
        spans.push(plain(fault.span, "text", unsafe_decision, reason));
    }
    for hazard in &case.program.hazards {
        let why = hazard_why(hazard);
        let reason = Reason {
            code: why.code,
            message: why.message,
            span: why.span,
            rule: None,
            from: None,
        };
        spans.push(plain(hazard.span, "hazard", unsafe_decision, reason));
    }
    if let Some(why) = case
        .loose
        .as_ref()
        .and_then(|loose| loose.held_back(case.facts))
    {
        let reason = Reason {
            code: why.code,
            message: why.message,
            span: why.span,
            rule: None,
            from: None,
        };
        spans.push(plain(why.span, "redirect", unsafe_decision, reason));
    }
    for command in verdict.commands {
        spans.push(ExplainedSpan {
            span: command.span,
            part: "command",
            decision: command.decision,
            reason: command.reason,
            kind: Some(command.kind),
            effects: command.effects,
            subjects: command.subjects,
        });
    }
    sorted::sort_by_key(&mut spans, |part| {
        (part.span.start, core::cmp::Reverse(part.span.end))
    });
    Explanation {
        command: case.text.into(),
        decision: verdict.decision,
        reason: verdict.reason,
        parse: verdict.parse,
        spans,
    }
}
