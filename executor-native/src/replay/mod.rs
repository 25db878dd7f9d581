//! An agent's past commands against a policy: how many would be allowed, asked about, denied, and which few rules would
//! remove most questions.
//!
//! `transcript` finds commands in a line of a transcript or list; [`Replay`] judges them one at a time and keeps counts and
//! suggestions only, so memory does not grow with the number of commands.

mod transcript;

use std::collections::{BTreeMap, HashMap};

use policy_core::{Decision, Verdict};
use serde::Serialize;

pub use transcript::{Found, commands};

/// Most different suggestions kept; past that, the rarest are given up.
const MAX_SUGGESTIONS: usize = 20_000;

/// Counts over the commands seen so far.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    decisions: [u64; 3],
    reasons: BTreeMap<&'static str, u64>,
    /// Sets of rules that would together allow a command that asked, with how many asked so.
    wanted: HashMap<Vec<String>, u64>,
    unreadable: u64,
    given_up: u64,
}

/// The outcome of a replay.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Commands judged.
    pub commands: u64,
    /// How many would be allowed.
    pub allow: u64,
    /// How many would be asked about.
    pub ask: u64,
    /// How many would be denied.
    pub deny: u64,
    /// Lines that are neither a transcript's nor a command.
    pub unreadable: u64,
    /// Reasons of what is not allowed, by code.
    pub reasons: BTreeMap<&'static str, u64>,
    /// Rules that would remove most questions, the most useful first.
    pub rules: Vec<RuleGain>,
}

/// A rule and what it would save, given the rules before it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleGain {
    /// The rules that have to be stored together.
    pub rules: Vec<String>,
    /// Questions that they remove beyond those that earlier rows remove.
    pub questions: u64,
}

impl Replay {
    /// Takes one verdict into account.
    pub fn add(&mut self, verdict: &Verdict) {
        let slot = match verdict.decision {
            Decision::Allow => 0,
            Decision::Ask => 1,
            Decision::Deny => 2,
        };
        if let Some(count) = self.decisions.get_mut(slot) {
            *count += 1;
        }
        if verdict.decision == Decision::Allow {
            return;
        }
        *self.reasons.entry(verdict.reason.code.slug()).or_default() += 1;
        if verdict.decision == Decision::Ask && !verdict.suggestions.is_empty() {
            let mut rules: Vec<String> = verdict
                .suggestions
                .iter()
                .map(|suggestion| suggestion.rule.clone())
                .collect();
            rules.sort();
            *self.wanted.entry(rules).or_default() += 1;
            if self.wanted.len() > MAX_SUGGESTIONS {
                self.forget_the_rarest();
            }
        }
    }

    /// Counts a line that could not be read.
    pub fn unreadable(&mut self) {
        self.unreadable += 1;
    }

    /// Commands judged so far.
    #[must_use]
    pub fn commands(&self) -> u64 {
        self.decisions.iter().sum()
    }

    /// The outcome, with at most `most` rows of rules.
    #[must_use]
    pub fn summary(&self, most: usize) -> Summary {
        let [allow, ask, deny] = self.decisions;
        Summary {
            commands: allow + ask + deny,
            allow,
            ask,
            deny,
            unreadable: self.unreadable,
            reasons: self.reasons.clone(),
            rules: self.cover(most),
        }
    }

    /// Greedy cover: again and again the set of rules that, with those already taken, removes most questions for each rule
    /// it adds.
    fn cover(&self, most: usize) -> Vec<RuleGain> {
        let mut left: Vec<(&Vec<String>, u64)> = self
            .wanted
            .iter()
            .map(|(rules, count)| (rules, *count))
            .collect();
        left.sort();
        let mut taken: Vec<&str> = Vec::new();
        let mut rows = Vec::new();
        while rows.len() < most && !left.is_empty() {
            // What each set still lacks, and how many questions all sets with that lack make together.
            let mut gains: BTreeMap<Vec<&str>, u64> = BTreeMap::new();
            for (rules, count) in &left {
                let lacks: Vec<&str> = rules
                    .iter()
                    .map(String::as_str)
                    .filter(|rule| !taken.contains(rule))
                    .collect();
                *gains.entry(lacks).or_default() += count;
            }
            // A set also removes the questions of every set it holds.
            let whole = |set: &Vec<&str>| -> u64 {
                gains
                    .iter()
                    .filter(|(other, _)| other.iter().all(|rule| set.contains(rule)))
                    .map(|(_, count)| count)
                    .sum()
            };
            let sets: Vec<&Vec<&str>> = if gains.len() > 2_000 {
                let mut some: Vec<_> = gains.iter().collect();
                some.sort_by(|a, b| b.1.cmp(a.1));
                some.truncate(2_000);
                some.into_iter().map(|(set, _)| set).collect()
            } else {
                gains.keys().collect()
            };
            let Some((set, questions)) =
                sets.into_iter()
                    .map(|set| (set, whole(set)))
                    .max_by(|a, b| {
                        let per_rule = |(set, gain): &(&Vec<&str>, u64)| {
                            gain * 1_000 / (set.len().max(1) as u64)
                        };
                        per_rule(a).cmp(&per_rule(b)).then_with(|| b.0.cmp(a.0))
                    })
            else {
                break;
            };
            let set: Vec<&str> = set.clone();
            rows.push(RuleGain {
                rules: set.iter().map(|&rule| rule.to_owned()).collect(),
                questions,
            });
            taken.extend(set);
            left.retain(|(rules, _)| !rules.iter().all(|rule| taken.contains(&rule.as_str())));
        }
        rows
    }

    /// Gives up the rarer half. What stays keeps its count, since the counts are what is shown.
    fn forget_the_rarest(&mut self) {
        let before = self.wanted.len();
        let mut counts: Vec<u64> = self.wanted.values().copied().collect();
        counts.sort_unstable_by_key(|count| std::cmp::Reverse(*count));
        let room = MAX_SUGGESTIONS / 2;
        let least = counts.get(room).copied().unwrap_or(0);
        // Of those as rare as the last that has room, as many as there is room for.
        let mut spare = room - counts.iter().filter(|count| **count > least).count();
        self.wanted.retain(|_, count| {
            let tie = *count == least && spare > 0;
            spare -= usize::from(tie);
            *count > least || tie
        });
        self.given_up += (before - self.wanted.len()) as u64;
    }
}

#[cfg(test)]
mod tests {
    use policy_core::{Policy, PolicyConfig, Request};

    use super::*;

    fn replay(commands: &[&str]) -> Summary {
        let policy = Policy::new(PolicyConfig::default()).expect("no rules");
        let mut replay = Replay::default();
        for command in commands {
            replay.add(&policy.evaluate(&Request {
                command: (*command).into(),
                ..Request::default()
            }));
        }
        replay.summary(10)
    }

    #[test]
    fn counts_add_up() {
        let summary = replay(&["npm test", "npm test", "cargo build"]);
        assert_eq!((summary.commands, summary.ask), (3, 3));
    }

    #[test]
    fn the_rule_that_saves_most_comes_first() {
        let mut replay = Replay::default();
        for (rules, count) in [
            (vec!["a:*"], 5),
            (vec!["b:*"], 7),
            (vec!["a:*", "b:*"], 4),
            (vec!["c:*"], 1),
        ] {
            replay
                .wanted
                .insert(rules.into_iter().map(ToOwned::to_owned).collect(), count);
        }
        let rows = replay.summary(10).rules;
        let shown: Vec<(String, u64)> = rows
            .iter()
            .map(|row| (row.rules.join(" "), row.questions))
            .collect();
        // `a` and `b` together remove 16 by two rules (8 a rule), more than `b` alone (7).
        assert_eq!(shown, [("a:* b:*".to_owned(), 16), ("c:*".to_owned(), 1)]);
    }

    #[test]
    fn memory_is_bounded() {
        let mut replay = Replay::default();
        for n in 0..50_000 {
            replay.wanted.insert(vec![format!("tool{n}:*")], 1);
            if replay.wanted.len() > MAX_SUGGESTIONS {
                replay.forget_the_rarest();
            }
        }
        assert!(replay.wanted.len() <= MAX_SUGGESTIONS);
    }

    /// What is asked again and again keeps its true count, however many rare ones pass by.
    #[test]
    fn counts_of_the_frequent_stay_true() {
        let policy = Policy::new(PolicyConfig::default()).expect("no rules");
        let verdict = policy.evaluate(&Request {
            command: "npm test".into(),
            ..Request::default()
        });
        let mut replay = Replay::default();
        for n in 0..60_000 {
            replay.wanted.insert(vec![format!("tool{n}:*")], 1);
            if n % 3 == 0 {
                replay.add(&verdict);
            }
            if replay.wanted.len() > MAX_SUGGESTIONS {
                replay.forget_the_rarest();
            }
        }
        let rows = replay.summary(1).rules;
        assert_eq!(
            rows.first().map(|row| row.questions),
            Some(20_000),
            "{rows:?}"
        );
    }
}
