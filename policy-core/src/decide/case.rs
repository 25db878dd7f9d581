//! Everything that is known of a request before it is judged: the reading, what would run, what it does, its subjects.
//!
//! Facts only: nothing here looks at a rule or a mode. `judge` decides from it, `verdict` reports it.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use super::{message::tick, names::Knowledge};
use crate::{
    classify::{
        self,
        model::{Finding, Why},
    },
    command::{
        self,
        model::{
            Assign, Connector, Hazard, HazardKind, Invocation, Program, RedirectKind, Redirection,
            Site,
        },
    },
    diagnostic::Code,
    effect::{Effect, Place, Touch},
    facts::Facts,
    rules::Subjects,
    span::Span,
    specs::{SpecSet, model::Kind},
    syntax::{self, Reading, Status},
    wire::Analysis,
};

/// A request, understood.
pub(crate) struct Case<'a> {
    /// The command text.
    pub(crate) text: &'a str,
    /// What the host knows.
    pub(crate) facts: &'a Facts,
    /// How the text was read.
    pub(crate) reading: Reading,
    /// What would run.
    pub(crate) program: Program,
    /// One for each invocation.
    pub(crate) parts: Vec<Part>,
    /// Why the text cannot be judged part by part; `None`: it is permission-safe.
    pub(crate) unsafe_why: Option<Why>,
    /// What the redirects of no single invocation do; no rule covers them.
    pub(crate) loose: Option<Part>,
    /// The environment under which the findings hold, or the variable they disagree on.
    pub(crate) conditions: Result<BTreeMap<String, String>, String>,
}

/// One invocation.
pub(crate) struct Part {
    /// What it does.
    pub(crate) finding: Finding,
    /// What rules are matched on.
    pub(crate) subjects: Subjects,
}

impl<'a> Case<'a> {
    /// Reads, lowers and classifies.
    pub(crate) fn new(
        text: &'a str,
        facts: &'a Facts,
        analysis: Analysis,
        specs: &SpecSet,
        knowledge: &Knowledge<'_>,
    ) -> Self {
        let reading = syntax::read(text, facts.shell);
        let mut program = command::lower(&reading.script, text, facts, specs);
        program.hazards.extend(reading.hazards.iter().cloned());
        let mut parts: Vec<Part> = program
            .invocations
            .iter()
            .enumerate()
            .map(|(index, invocation)| {
                let finding = classify::classify(&program, index, facts, specs)
                    .unwrap_or_else(|| unknown(invocation));
                let assignments = classify::effective_assignments(&program, invocation);
                // A UNC path hands credentials to the machine it names: a prefix does not say which.
                let coverable = !is_gated(invocation, &assignments)
                    && finding.why.code != Code::CommandUnc
                    && !classify::runs_elsewhere(invocation, finding.kind, facts);
                let subjects = Subjects::new(invocation, &assignments, coverable, knowledge);
                Part { finding, subjects }
            })
            .collect();
        hold_hazards_against(&mut parts, &program);
        let unsafe_why = unsafe_why(&reading, &program, text, analysis);
        let loose = classify::classify_redirects(&program, facts).map(|finding| Part {
            finding,
            subjects: Subjects::default(),
        });
        let conditions = merge_conditions(&parts);
        Self {
            text,
            facts,
            reading,
            program,
            parts,
            unsafe_why,
            loose,
            conditions,
        }
    }

    /// All of the text.
    pub(crate) fn whole(&self) -> Span {
        Span::new(0, self.text.len())
    }

    /// Parts with their invocations.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&Invocation, &Part)> {
        self.program.invocations.iter().zip(&self.parts)
    }

    /// The invocations, and what redirects do beside them.
    pub(crate) fn all_parts(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().chain(&self.loose)
    }

    /// Nothing would run and nothing is opened.
    pub(crate) fn is_empty(&self) -> bool {
        self.reading.status == Status::Ok
            && self.parts.is_empty()
            && self.program.redirects.is_empty()
            && self.program.hazards.is_empty()
    }

    /// Every part only reads.
    pub(crate) fn read_only(&self) -> bool {
        self.unsafe_why.is_none()
            && self.conditions.is_ok()
            && self.all_parts().all(|part| part.finding.read_only)
    }

    /// Plain words joined by `&&`, `||`, `;` and `|`: no redirect, assignment, expansion, background, nothing nested.
    pub(crate) fn is_plain(&self) -> bool {
        let simple = |invocation: &Invocation| {
            matches!(invocation.site, Site::Top | Site::Wrapped | Site::Script)
                && invocation.connector != Connector::Background
                && invocation.connector != Connector::PipeBoth
                && invocation.redirects.is_empty()
                && invocation.assignments.is_empty()
                && invocation
                    .argv
                    .iter()
                    .all(|arg| arg.value.exact().is_some())
        };
        self.unsafe_why.is_none()
            && self.program.unsupported.is_empty()
            && !self.program.dynamic
            && self.program.redirects.is_empty()
            && self.program.invocations.iter().all(simple)
    }

    /// Hazards after which invocations may be there that were not seen.
    pub(crate) fn may_hide(&self) -> bool {
        self.reading.status != Status::Ok
            || self.program.hazards.iter().any(|hazard| {
                matches!(
                    hazard.kind,
                    HazardKind::Opaque | HazardKind::TooMany | HazardKind::TooDeep
                )
            })
    }
}

/// A redirect to a file or host, or an assignment whose value is not known: only the whole command, letter for
/// letter, can allow it.
pub(crate) fn is_gated(invocation: &Invocation, assignments: &[Assign]) -> bool {
    let opens = |redirect: &Redirection| {
        matches!(
            redirect.kind,
            RedirectKind::Write(_) | RedirectKind::Network(_)
        )
    };
    invocation.redirects.iter().any(opens)
        || assignments
            .iter()
            .any(|assignment| assignment.value.exact().is_none())
}

impl Part {
    /// It may run without a rule: it only reads, and nothing that the settings protect.
    pub(crate) fn is_free(&self, facts: &Facts) -> bool {
        self.held_back(facts).is_none()
    }

    /// Why it may not run without a rule.
    pub(crate) fn held_back(&self, facts: &Facts) -> Option<Why> {
        if !self.finding.read_only {
            return Some(self.finding.why.clone());
        }
        if let Some(why) = &self.finding.sensitive
            && !facts.allow_sensitive_reads
        {
            return Some(why.clone());
        }
        let network = self
            .finding
            .touches
            .iter()
            .any(|touch| touch.effect == Effect::Network);
        (facts.ask_network && network).then(|| Why {
            code: Code::NetworkRead,
            message: format!(
                "{} reads from another machine, and the setting asks about that",
                tick(self.subjects.source.trim())
            ),
            span: self.finding.why.span,
        })
    }

    /// It only creates, changes or removes files inside the workspace, and nothing else stands against it.
    pub(crate) fn edits_inside(&self) -> bool {
        let fine = |touch: &Touch| match touch.effect {
            Effect::Read => touch.place != Some(Place::Sensitive),
            Effect::Write | Effect::Delete => {
                touch.place == Some(Place::Inside) && touch.target.is_some()
            }
            _ => false,
        };
        let file_work = matches!(
            self.finding.kind,
            Kind::FileOp | Kind::Read | Kind::Search | Kind::List | Kind::Neutral
        );
        let only_writes = matches!(
            self.finding.why.code,
            Code::CommandEffect | Code::CommandFlagEffect | Code::RedirectWrite
        );
        file_work
            && only_writes
            && self.finding.only_writes
            && self.finding.guarded.is_none()
            && self
                .finding
                .touches
                .iter()
                .any(|touch| touch.effect != Effect::Read)
            && self.finding.touches.iter().all(fine)
    }
}

/// An invocation that holds a hazard is not called harmless, whatever its command would be without it.
fn hold_hazards_against(parts: &mut [Part], program: &Program) {
    for hazard in &program.hazards {
        let holds = |invocation: &Invocation| {
            invocation.span.start <= hazard.span.start && hazard.span.end <= invocation.span.end
        };
        let innermost = program
            .invocations
            .iter()
            .zip(parts.iter_mut())
            .filter(|(invocation, _)| holds(invocation))
            .min_by_key(|(invocation, _)| invocation.span.len());
        if let Some((_, part)) = innermost
            && part.finding.read_only
        {
            part.finding.read_only = false;
            part.finding.why = hazard_why(hazard);
        }
    }
}

/// What is found of an invocation nobody can say anything of.
fn unknown(invocation: &Invocation) -> Finding {
    let name = invocation
        .argv
        .first()
        .and_then(|arg| arg.value.exact())
        .unwrap_or(&invocation.text);
    Finding {
        read_only: false,
        kind: Kind::Unknown,
        touches: Vec::new(),
        only_writes: false,
        why: Why {
            code: Code::CommandUnknown,
            message: format!("nothing is known of {}", tick(name)),
            span: invocation.span,
        },
        guarded: None,
        sensitive: None,
        conditions: BTreeMap::new(),
    }
}

fn unsafe_why(reading: &Reading, program: &Program, text: &str, analysis: Analysis) -> Option<Why> {
    let whole = Span::new(0, text.len());
    if reading.status != Status::Ok {
        let code = match reading.status {
            Status::TooLong => Code::ParseTooLong,
            Status::TooComplex => Code::ParseTooComplex,
            Status::Error | Status::Ok => Code::ParseError,
        };
        // That the readers part says less than what they part on.
        let disagree = Code::ParseReadersDisagree;
        if let Some(hazard) = program.hazards.first()
            && reading
                .fault
                .as_ref()
                .is_some_and(|fault| fault.code == disagree)
        {
            return Some(hazard_why(hazard));
        }
        return Some(match &reading.fault {
            Some(fault) => Why {
                code: fault.code,
                message: fault.message.clone(),
                span: fault.span,
            },
            None => Why {
                code,
                message: code.meaning().into(),
                span: whole,
            },
        });
    }
    if let Some(hazard) = program.hazards.first() {
        return Some(hazard_why(hazard));
    }
    if analysis == Analysis::Strict {
        if let Some(slug) = program.unsupported.first() {
            return Some(Why {
                code: Code::ShellUnsupported,
                message: format!("the strict analysis does not follow `{slug}`"),
                span: whole,
            });
        }
        if program.dynamic {
            return Some(Why {
                code: Code::ShellDynamic,
                message: "a word is only known when it runs".into(),
                span: whole,
            });
        }
    }
    None
}

/// A hazard in words.
pub(crate) fn hazard_why(hazard: &Hazard) -> Why {
    let code = hazard_code(hazard.kind);
    let message = if hazard.what.trim().is_empty() {
        code.meaning().into()
    } else {
        format!("{}: {}", code.meaning(), tick(&hazard.what))
    };
    Why {
        code,
        message,
        span: hazard.span,
    }
}

/// The reason code of a hazard.
pub(crate) fn hazard_code(kind: HazardKind) -> Code {
    match kind {
        HazardKind::DynamicCommand => Code::ShellDynamicCommand,
        HazardKind::EvalUnknown => Code::ShellEvalUnknown,
        HazardKind::ArithmeticEval => Code::ShellArithmeticEval,
        HazardKind::ExpansionEval => Code::ShellExpansionEval,
        HazardKind::FunctionDefinition => Code::ShellFunctionDefinition,
        HazardKind::Shadowing => Code::ShellShadowing,
        HazardKind::EnvPersist => Code::ShellEnvPersist,
        HazardKind::ShellOption => Code::ShellOption,
        HazardKind::DeferredExec => Code::ShellDeferredExec,
        HazardKind::Coproc => Code::ShellCoproc,
        HazardKind::DynamicRedirect => Code::ShellDynamicRedirect,
        HazardKind::Opaque => Code::ShellOpaque,
        HazardKind::HiddenCharacter => Code::ShellHiddenCharacter,
        HazardKind::TooDeep => Code::ShellTooDeep,
        HazardKind::TooMany => Code::ShellTooMany,
    }
}

/// The conditions of all parts together; the name of one that cannot hold for all of them.
fn merge_conditions(parts: &[Part]) -> Result<BTreeMap<String, String>, String> {
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    let acts = parts.iter().any(|part| !part.finding.read_only);
    let alone = |part: &Part| part.finding.conditions.contains_key(classify::NO_TRANSPORT);
    if acts && parts.iter().any(alone) {
        return Err(classify::NO_TRANSPORT.into());
    }
    for (name, value) in parts.iter().flat_map(|part| &part.finding.conditions) {
        match all.get(name) {
            Some(old) if old != value => return Err(name.clone()),
            _ => {
                all.insert(name.clone(), value.clone());
            }
        }
    }
    Ok(all)
}
