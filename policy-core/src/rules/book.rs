//! Many rules, compiled once: a verdict costs the same with ten of them and with ten thousand.
//!
//! Allow prefixes and exact rules share one trie of words. Deny and ask rules are found by their command and first
//! operand, then compared with care (`refuse`). Wildcards are found by their literal command where they have
//! one. Which rule is named in a reason does not depend on luck: the higher layer first, then the order of writing.

use alloc::{string::String, vec::Vec};

use super::{
    glob::GAP,
    parse::{Parsed, Pattern, RuleFault, parse},
    refuse::{self, Certainty, Options},
    shape::Origin,
    subjects::{Subjects, flat},
};
use crate::{
    command::model::Value,
    decision::{Decision, Layer},
    sorted::{self, Map, Set},
};

/// A rule before it is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleSource {
    /// As written.
    pub text: String,
    /// What it decides.
    pub decision: Decision,
    /// Where it comes from.
    pub layer: Layer,
    /// Why it is there, for the reason.
    pub justification: Option<String>,
}

/// A rule, read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Where it comes from and what it decides.
    pub source: RuleSource,
    /// What it says.
    pub parsed: Parsed,
    /// Where it was written, for a rule of another tool's file.
    pub origin: Option<Origin>,
}

/// A rule of one book.
pub type RuleId = usize;

/// Rules, compiled.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Book {
    rules: Vec<Rule>,
    whole: Map<(Decision, String), RuleId>,
    trie: Vec<Node>,
    allow_globs: Globs,
    deny: Refusals,
    ask: Refusals,
    prompts: Vec<RuleId>,
}

#[derive(Clone, PartialEq, Debug, Default)]
struct Node {
    next: Map<String, usize>,
    prefix: Option<RuleId>,
    exact: Option<RuleId>,
}

#[derive(Clone, PartialEq, Debug, Default)]
struct Globs {
    named: Map<String, Vec<RuleId>>,
    other: Vec<RuleId>,
}

#[derive(Clone, PartialEq, Debug, Default)]
struct Refusals {
    /// By command; within it by first operand (empty: none).
    commands: Map<String, Map<String, Vec<RuleId>>>,
    globs: Globs,
    count: usize,
}

/// An allow rule that covers an invocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cover<'a> {
    /// The rule.
    pub rule: &'a Rule,
    /// How many words of the invocation it names; 0 for a wildcard.
    pub words: usize,
    /// It is a wildcard that does not even name the command (`*`, `* --help`).
    pub nameless: bool,
}

impl Book {
    /// Compiles the rules; every fault is reported with the position of its rule in the input.
    #[must_use]
    pub fn compile(
        sources: impl IntoIterator<Item = RuleSource>,
    ) -> (Self, Vec<(usize, RuleFault)>) {
        let mut book = Self {
            trie: alloc::vec![Node::default()],
            ..Self::default()
        };
        let mut faults = Vec::new();
        let mut rules = Vec::new();
        for (index, source) in sources.into_iter().enumerate() {
            match parse(&source.text) {
                Ok(parsed) => rules.push(Rule {
                    source,
                    parsed,
                    origin: None,
                }),
                Err(fault) => faults.push((index, fault)),
            }
        }
        sorted::sort_by_key(&mut rules, |rule| rule.source.layer);
        for (id, rule) in rules.iter().enumerate() {
            book.add(id, rule);
        }
        book.rules = rules;
        (book, faults)
    }

    /// The rules, strongest layer first.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Whether there is a rule that denies or asks.
    #[must_use]
    pub fn refuses_anything(&self) -> bool {
        self.deny.count + self.ask.count > 0
    }

    /// Rules for a classifier.
    pub fn prompts(&self) -> impl Iterator<Item = &Rule> {
        self.prompts.iter().filter_map(|id| self.rules.get(*id))
    }

    fn add(&mut self, id: RuleId, rule: &Rule) {
        let decision = rule.source.decision;
        match &rule.parsed.pattern {
            Pattern::Prompt(_) => return self.prompts.push(id),
            Pattern::Foreign(_) => return,
            _ => {}
        }
        for text in [&rule.parsed.content, &rule.parsed.raw] {
            self.whole.entry((decision, text.clone()), || id);
        }
        let refusals = match decision {
            Decision::Allow => None,
            Decision::Ask => Some(&mut self.ask),
            Decision::Deny => Some(&mut self.deny),
        };
        match (refusals, &rule.parsed.pattern) {
            (None, Pattern::Exact(words)) => {
                let end = self.path(words);
                if let Some(node) = self.trie.get_mut(end) {
                    node.exact.get_or_insert(id);
                }
            }
            (None, Pattern::Prefix(words)) => {
                let end = self.path(words);
                if let Some(node) = self.trie.get_mut(end) {
                    node.prefix.get_or_insert(id);
                }
            }
            (None, Pattern::Wildcard(glob)) => self.allow_globs.add(id, glob.command()),
            (Some(refusals), Pattern::Wildcard(glob)) => {
                refusals.count += 1;
                refusals.globs.add(id, glob.command());
            }
            (Some(refusals), Pattern::Exact(words) | Pattern::Prefix(words)) => {
                refusals.count += 1;
                let Some((command, rest)) = words.split_first() else {
                    return;
                };
                let operand = rest
                    .iter()
                    .find(|word| !word.starts_with('-'))
                    .cloned()
                    .unwrap_or_default();
                let by_operand = refusals.commands.entry(command.clone(), Map::new);
                if let Some(rules) = by_operand.and_then(|all| all.entry(operand, Vec::new)) {
                    rules.push(id);
                }
            }
            (_, Pattern::Prompt(_) | Pattern::Foreign(_)) => {}
        }
    }

    fn path(&mut self, words: &[String]) -> usize {
        let mut at = 0;
        for word in words {
            let fresh = self.trie.len();
            let Some(node) = self.trie.get_mut(at) else {
                return at;
            };
            at = node
                .next
                .entry(word.clone(), || fresh)
                .map_or(at, |next| *next);
            if at == fresh {
                self.trie.push(Node::default());
            }
        }
        at
    }

    /// The rule whose content equals the whole command, letter for letter.
    #[must_use]
    pub fn whole(&self, command: &str, decision: Decision) -> Option<&Rule> {
        let id = self.whole.get(&(decision, command.trim().into()))?;
        self.rules.get(*id)
    }

    /// The best allow rule for an invocation.
    #[must_use]
    pub fn covers(&self, subjects: &Subjects) -> Option<Cover<'_>> {
        let mut best: Option<(RuleId, usize, bool)> = None;
        let mut offer = |id: RuleId, words: usize, nameless: bool| {
            let key = |(id, words, nameless): (RuleId, usize, bool)| {
                (nameless, core::cmp::Reverse(words), id)
            };
            if best.is_none_or(|old| key((id, words, nameless)) < key(old)) {
                best = Some((id, words, nameless));
            }
        };
        for form in &subjects.allow {
            let mut at = Some(0);
            let mut depth = 0;
            let mut words = form.iter();
            while let Some(node) = at.and_then(|at| self.trie.get(at)) {
                if let Some(id) = node.prefix {
                    offer(id, depth, false);
                }
                match words.next() {
                    None => {
                        if let Some(id) = node.exact {
                            offer(id, depth, false);
                        }
                        break;
                    }
                    Some(Value::Exact(word)) => at = node.next.get(word).copied(),
                    Some(_) => break,
                }
                depth += 1;
            }
            if self.allow_globs.is_empty() {
                continue;
            }
            let text = flat(form, true);
            for id in self.allow_globs.candidates(form) {
                if let Some(Rule {
                    parsed:
                        Parsed {
                            pattern: Pattern::Wildcard(glob),
                            ..
                        },
                    ..
                }) = self.rules.get(id)
                    && glob.matches(&text)
                {
                    offer(id, 0, glob.command().is_none());
                }
            }
        }
        let (id, words, nameless) = best?;
        Some(Cover {
            rule: self.rules.get(id)?,
            words,
            nameless,
        })
    }

    /// The deny or ask rule that matches an invocation, or may.
    #[must_use]
    pub fn refuses(
        &self,
        subjects: &Subjects,
        decision: Decision,
        options: &dyn Options,
    ) -> Option<(Certainty, &Rule)> {
        let refusals = match decision {
            Decision::Allow => return None,
            Decision::Ask => &self.ask,
            Decision::Deny => &self.deny,
        };
        if refusals.count == 0 {
            return None;
        }
        let mut best: Option<(Certainty, RuleId)> = None;
        let mut offer = |sure: Certainty, id: RuleId| {
            if sure > Certainty::No
                && best.is_none_or(|(old, first)| {
                    (old, core::cmp::Reverse(first)) < (sure, core::cmp::Reverse(id))
                })
            {
                best = Some((sure, id));
            }
        };
        for form in &subjects.refuse {
            for &id in refusals.candidates(form).iter() {
                match self.rules.get(id).map(|rule| &rule.parsed.pattern) {
                    Some(Pattern::Exact(words)) => {
                        offer(refuse::matches(words, true, form, options), id)
                    }
                    Some(Pattern::Prefix(words)) => {
                        offer(refuse::matches(words, false, form, options), id)
                    }
                    _ => {}
                }
            }
            if refusals.globs.is_empty() {
                continue;
            }
            let (quoted, bare) = (flat(form, true), flat(form, false));
            // Mostly all are the same text, and nothing in it is unknown: there may be many rules.
            let mut texts = alloc::vec![quoted.as_str(), bare.as_str(), subjects.source.as_str()];
            texts.dedup();
            let open = bare.contains(GAP);
            for id in refusals.globs.candidates(form) {
                if let Some(Pattern::Wildcard(glob)) =
                    self.rules.get(id).map(|rule| &rule.parsed.pattern)
                {
                    if texts.iter().any(|text| glob.matches(text)) {
                        offer(Certainty::Yes, id);
                    } else if open && glob.may_match(&bare) {
                        offer(Certainty::Maybe, id);
                    }
                }
            }
        }
        let (sure, id) = best?;
        Some((sure, self.rules.get(id)?))
    }
}

impl Globs {
    fn add(&mut self, id: RuleId, command: Option<&str>) {
        match command {
            Some(command) => {
                if let Some(rules) = self.named.entry(command.into(), Vec::new) {
                    rules.push(id);
                }
            }
            None => self.other.push(id),
        }
    }

    fn is_empty(&self) -> bool {
        self.named.is_empty() && self.other.is_empty()
    }

    fn candidates<'a>(&'a self, form: &'a [Value]) -> impl Iterator<Item = RuleId> + 'a {
        let named: &[RuleId] = match form.first() {
            Some(Value::Exact(command)) => self.named.get(command).map_or(&[], Vec::as_slice),
            _ => &[],
        };
        named.iter().chain(&self.other).copied()
    }
}

impl Refusals {
    /// The rules worth comparing with a form, each once.
    fn candidates(&self, form: &[Value]) -> Set<RuleId> {
        let mut found = Set::new();
        let commands: Vec<&str> = match form.first() {
            Some(Value::Exact(command)) => alloc::vec![command],
            Some(Value::OneOf(all)) => all.iter().map(String::as_str).collect(),
            Some(Value::Digits) | None => Vec::new(),
            // Whatever it may be.
            Some(open) => {
                let start = open.known_prefix();
                let could = self
                    .commands
                    .iter()
                    .filter(|(name, _)| name.starts_with(start));
                found.extend(could.flat_map(|(_, rules)| rules.values().flatten().copied()));
                return found;
            }
        };
        for command in commands {
            let Some(by_operand) = self.commands.get(command) else {
                continue;
            };
            let mut all = false;
            found.extend(by_operand.get("").into_iter().flatten().copied());
            for word in form.iter().skip(1) {
                match word {
                    Value::Exact(word) => {
                        found.extend(by_operand.get(word).into_iter().flatten().copied())
                    }
                    Value::OneOf(words) => {
                        for word in words {
                            found.extend(by_operand.get(word).into_iter().flatten().copied());
                        }
                    }
                    _ => all = true,
                }
            }
            if all {
                found.extend(by_operand.values().flatten().copied());
            }
        }
        found
    }
}
