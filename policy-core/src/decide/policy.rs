//! The front door: rules and settings compiled once, then any number of requests.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use super::{
    case::{Case, Part},
    judge::matches::denied_effects,
    message::tick,
    names::Knowledge,
    verdict,
};
use crate::{
    classify::special,
    decision::{Decision, Layer},
    diagnostic::Code,
    effect::Effect,
    facts::{Facts, Mode},
    rules::{Book, Certainty, Lint, RuleSet, RuleSource, Set, SetFault},
    span::Span,
    specs::SpecSet,
    suggest::Registry,
    wire::{
        Reason, Request, RuleLists, Suggestion, Verdict,
        config::{ConfigFault, LayerConfig, PolicyConfig, RuleEntry, Settings},
        report::{Explanation, ParseReport},
    },
};

mod session;
use session::Session;

/// Rules and settings, ready to answer. Made once; answers any number of requests, from any thread.
///
/// ```
/// use policy_core::{Policy, PolicyConfig, Request};
/// let policy = Policy::new(PolicyConfig::default()).unwrap();
/// let request: Request = serde_json::from_str(r#"{"command": "npm test", "deny": ["npm:*"]}"#).unwrap();
/// # let _ = (policy, request);
/// ```
#[derive(Debug, Clone)]
pub struct Policy {
    book: Book,
    denied: Vec<Effect>,
    specs: SpecSet,
    settings: Settings,
    registry: Option<Registry>,
    sets: Vec<Set>,
}

impl Policy {
    /// Compiles a configuration.
    ///
    /// # Errors
    /// Every fault of it, in order; nothing half-read becomes a policy.
    pub fn new(config: PolicyConfig) -> Result<Self, Vec<ConfigFault>> {
        let mut sources = Vec::new();
        let mut origins = Vec::new();
        let layers = [
            (Layer::Managed, &config.managed),
            (Layer::CommandLine, &config.command_line),
            (Layer::Local, &config.local),
            (Layer::Project, &config.project),
            (Layer::User, &config.user),
        ];
        for (layer, lists) in layers {
            for (decision, index, entry) in entries(lists) {
                sources.push(source(layer, decision, entry));
                origins.push((layer, decision, index));
            }
        }
        let texts: Vec<String> = sources.iter().map(|source| source.text.clone()).collect();
        let (book, faults) = Book::compile(sources);
        let mut faults: Vec<ConfigFault> = faults
            .into_iter()
            .filter_map(|(at, fault)| {
                let (layer, list, index) = *origins.get(at)?;
                Some(ConfigFault {
                    layer: Some(layer),
                    list: Some(list),
                    set: None,
                    index,
                    rule: texts.get(at)?.clone(),
                    message: fault.message,
                    help: fault.help.map(Into::into),
                    span: fault.span,
                })
            })
            .collect();
        let mut specs = SpecSet::default();
        for (index, document) in config.commands.iter().enumerate() {
            faults.extend(add_spec(&mut specs, index, document));
        }
        let mut sets = Vec::new();
        for set in &config.rule_sets {
            match Set::compile(set) {
                Ok(set) => sets.push(set),
                Err(found) => faults.extend(found.iter().map(|fault| set_fault(set, fault))),
            }
        }
        let policy = Self {
            denied: denied_effects(&book, &sets, &specs),
            book,
            specs,
            settings: config.settings,
            registry: None,
            sets,
        };
        if faults.is_empty() {
            for (layer, lists) in layers {
                for (decision, index, entry) in entries(lists) {
                    faults.extend(policy.try_examples(layer, decision, index, entry));
                }
            }
        }
        if faults.is_empty() {
            Ok(policy)
        } else {
            Err(faults)
        }
    }

    /// With a registry of commands, which makes suggestions finer and changes no decision.
    #[must_use]
    pub fn with_registry(mut self, registry: Registry) -> Self {
        self.registry = Some(registry);
        self
    }

    /// As [`Policy::with_registry`].
    pub(crate) fn set_registry(&mut self, registry: Registry) {
        self.registry = Some(registry);
    }

    /// The examples of a rule that it does not keep.
    fn try_examples(
        &self,
        layer: Layer,
        decision: Decision,
        index: usize,
        entry: &RuleEntry,
    ) -> Vec<ConfigFault> {
        let RuleEntry::Full(details) = entry else {
            return Vec::new();
        };
        if details.matches.is_empty() && details.no_match.is_empty() {
            return Vec::new();
        }
        let (book, _) = Book::compile([source(layer, decision, entry)]);
        let tries = |command: &String| {
            let facts = Facts::default();
            let knowledge = Knowledge {
                specs: &self.specs,
                here: Vec::new(),
            };
            let case = Case::new(
                command,
                &facts,
                self.settings.analysis,
                &self.specs,
                &knowledge,
            );
            let one = |part: &Part| match decision {
                Decision::Allow => book.covers(&part.subjects).is_some(),
                _ => book
                    .refuses(&part.subjects, decision, &knowledge)
                    .is_some_and(|(sure, _)| sure == Certainty::Yes),
            };
            book.whole(command, decision).is_some() || case.parts.iter().any(one)
        };
        let missed = details.matches.iter().filter(|command| !tries(command));
        let caught = details.no_match.iter().filter(|command| tries(command));
        let words = missed
            .map(|command| format!("it does not match its example {}", tick(command)))
            .chain(
                caught.map(|command| format!("it matches {}, which it must not", tick(command))),
            );
        words
            .map(|message| ConfigFault {
                layer: Some(layer),
                list: Some(decision),
                set: None,
                index,
                rule: details.rule.clone(),
                message,
                help: None,
                span: Span::new(0, details.rule.len()),
            })
            .collect()
    }

    /// Faults of the rules of a request; [`Policy::evaluate`] answers such a request with the careful verdict.
    #[must_use]
    pub fn check_rules(rules: &RuleLists) -> Vec<ConfigFault> {
        let layer = LayerConfig {
            allow: rules
                .allow
                .iter()
                .map(|rule| RuleEntry::Text(rule.clone()))
                .collect(),
            ask: rules
                .ask
                .iter()
                .map(|rule| RuleEntry::Text(rule.clone()))
                .collect(),
            deny: rules
                .deny
                .iter()
                .map(|rule| RuleEntry::Text(rule.clone()))
                .collect(),
        };
        Self::new(PolicyConfig {
            command_line: layer,
            ..PolicyConfig::default()
        })
        .err()
        .unwrap_or_default()
    }

    /// Decides.
    #[must_use]
    pub fn evaluate(&self, request: &Request) -> Verdict {
        self.run(request, |session| {
            let judged = session.judge(&[]);
            let suggestions = if judged.decision == Decision::Ask {
                session.suggest(&judged)
            } else {
                Vec::new()
            };
            verdict::verdict(&session.case, judged, suggestions)
        })
        .unwrap_or_else(|reason| careful(request, reason))
    }

    /// The rules that "always allow" would store: those of the verdict; for a command that needs none, the rules that
    /// would describe it.
    #[must_use]
    pub fn suggest(&self, request: &Request) -> Vec<Suggestion> {
        self.run(request, |session| {
            let judged = session.judge(&[]);
            match judged.decision {
                Decision::Deny => Vec::new(),
                Decision::Ask | Decision::Allow => session.suggest(&judged),
            }
        })
        .unwrap_or_default()
    }

    /// The invocations as the policy sees them.
    #[must_use]
    pub fn parse(&self, request: &Request) -> ParseReport {
        let request = self.filled(request);
        let knowledge = self.knowledge(&request);
        verdict::report(&Case::new(
            &request.command,
            &request.facts,
            request.analysis,
            &self.specs,
            &knowledge,
        ))
    }

    /// Why, part by part.
    #[must_use]
    pub fn explain(&self, request: &Request) -> Explanation {
        self.run(request, |session| {
            let judged = session.judge(&[]);
            verdict::explanation(
                &session.case,
                verdict::verdict(&session.case, judged, Vec::new()),
            )
        })
        .unwrap_or_else(|reason| {
            let verdict = careful(request, reason);
            Explanation {
                command: request.command.clone(),
                decision: verdict.decision,
                reason: verdict.reason,
                parse: verdict.parse,
                spans: Vec::new(),
            }
        })
    }

    /// Rules of the policy that do not do what they look like.
    #[must_use]
    pub fn lint(&self) -> Vec<Lint> {
        crate::rules::lint::lint(&self.book)
    }

    /// The request with the settings where its JSON left something out.
    fn filled<'a>(&self, request: &'a Request) -> Cow<'a, Request> {
        let left = request.left_out;
        if left == Default::default() {
            return Cow::Borrowed(request);
        }
        let mut request = request.clone();
        if left.mode {
            request.facts.mode = self.settings.mode;
        }
        if left.analysis {
            request.analysis = self.settings.analysis;
        }
        if left.ask_network {
            request.facts.ask_network = self.settings.ask_network;
        }
        if left.allow_sensitive_reads {
            request.facts.allow_sensitive_reads = self.settings.allow_sensitive_reads;
        }
        Cow::Owned(request)
    }

    fn knowledge<'a>(&'a self, request: &'a Request) -> Knowledge<'a> {
        let here = request
            .facts
            .cwd
            .iter()
            .chain(&request.facts.workspace)
            .map(String::as_str)
            .collect();
        Knowledge {
            specs: &self.specs,
            here,
        }
    }

    fn run<T>(
        &self,
        request: &Request,
        answer: impl FnOnce(&Session<'_>) -> T,
    ) -> Result<T, Reason> {
        let request = self.filled(request);
        let mut sources = Vec::new();
        for (decision, texts) in [
            (Decision::Allow, &request.rules.allow),
            (Decision::Ask, &request.rules.ask),
            (Decision::Deny, &request.rules.deny),
        ] {
            sources.extend(texts.iter().map(|text| RuleSource {
                text: text.clone(),
                decision,
                layer: Layer::CommandLine,
                justification: None,
            }));
        }
        let (own, faults) = Book::compile(sources);
        if let Some((_, fault)) = faults.into_iter().next() {
            return Err(Reason {
                from: None,
                code: Code::RequestInvalid,
                message: format!("a rule of the request cannot be read: {}", fault.message),
                span: Span::new(0, request.command.len()),
                rule: None,
            });
        }
        let knowledge = self.knowledge(&request);
        let case = Case::new(
            &request.command,
            &request.facts,
            request.analysis,
            &self.specs,
            &knowledge,
        );
        let mut denied = self.denied.clone();
        denied.extend(denied_effects(&own, &[], &self.specs));
        Ok(answer(&Session {
            policy: self,
            request: &request,
            own,
            denied,
            knowledge,
            case,
        }))
    }
}

fn entries(lists: &LayerConfig) -> impl Iterator<Item = (Decision, usize, &RuleEntry)> {
    [
        (Decision::Allow, &lists.allow),
        (Decision::Ask, &lists.ask),
        (Decision::Deny, &lists.deny),
    ]
    .into_iter()
    .flat_map(|(decision, list)| {
        list.iter()
            .enumerate()
            .map(move |(index, entry)| (decision, index, entry))
    })
}

fn source(layer: Layer, decision: Decision, entry: &RuleEntry) -> RuleSource {
    let justification = match entry {
        RuleEntry::Text(_) => None,
        RuleEntry::Full(details) => details.justification.clone(),
    };
    RuleSource {
        text: entry.text().into(),
        decision,
        layer,
        justification,
    }
}

/// The verdict when a request cannot be judged at all.
fn careful(request: &Request, reason: Reason) -> Verdict {
    let nobody =
        request.facts.unattended || matches!(request.facts.mode, Mode::DontAsk | Mode::Plan);
    let mut verdict = Verdict::careful(&request.command, reason.code, reason.message);
    if nobody {
        verdict.decision = Decision::Deny;
    }
    verdict
}

/// A rule of a set that cannot be read, as a fault of the configuration.
fn set_fault(set: &RuleSet, found: &SetFault) -> ConfigFault {
    let rule = set.rules.get(found.index);
    let at = found.fault.at;
    ConfigFault {
        layer: Some(set.layer),
        list: None,
        set: Some(set.file.clone()),
        index: found.index,
        rule: rule.map(|rule| rule.rule.clone()).unwrap_or_default(),
        message: found.fault.message.clone(),
        help: None,
        span: Span::new(at, at),
    }
}

/// Adds a user's own spec; gives the mistakes in it.
fn add_spec(specs: &mut SpecSet, index: usize, document: &serde_json::Value) -> Vec<ConfigFault> {
    let name = document
        .get("name")
        .and_then(serde_json::Value::as_str)
        .unwrap_or("?");
    let fault = |message: String| ConfigFault {
        layer: None,
        list: None,
        set: None,
        index,
        rule: name.into(),
        message,
        help: None,
        span: Span::default(),
    };
    match specs.add(document, &special::names()) {
        Ok(()) => Vec::new(),
        Err(mistakes) => mistakes
            .iter()
            .map(|mistake| fault(format!("{mistake}")))
            .collect(),
    }
}

#[cfg(test)]
mod tests;
