//! The rules of another tool's file, compiled: what such a set says of an invocation.
//!
//! The rules are put into the order in which the set asks them (the strictest, the greatest priority or the last first), so that for every kind of set
//! the first that matches decides. Deny and ask also see the forms that our own refusing rules see where the set goes by strictness;
//! an ordered set sees the text as its tool would, because a further form could meet an earlier rule there. What an allow from here may
//! loosen is not decided here.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use super::{
    book::Rule,
    pattern::{Matcher, PatternFault},
    refuse::Certainty,
    shape::{Assignments, Resolution, RuleSet},
    subjects::{Subjects, flat},
};
use crate::{
    command::model::Value,
    decision::Decision,
    facts::Mode,
    sorted::{self, Map},
};

mod entry;
use entry::{Entry, JSON_LEAD, LONGEST_KEY, Test, ends, escaped, is_wildcard, rule_of};

/// A set, compiled.
#[derive(Clone, Debug)]
pub struct Set {
    resolution: Resolution,
    assignments: Assignments,
    plain_only: bool,
    whole_text: bool,
    tighten_only: bool,
    exact_only: Vec<Vec<String>>,
    executables: BTreeMap<String, Vec<String>>,
    /// In the order in which they are asked.
    entries: Vec<Entry>,
    /// By the literal text their matches begin with.
    starts: Map<String, Vec<usize>>,
}

/// A rule of a set that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetFault {
    /// Position in the set.
    pub index: usize,
    /// What, and where in the pattern.
    pub fault: PatternFault,
}

/// What is asked about.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The invocation.
    pub subjects: &'a Subjects,
    /// The whole command text.
    pub whole: &'a str,
    /// The whole text is plain words joined by `&&`, `||`, `;` and `|`.
    pub plain: bool,
    /// The mode of the request.
    pub mode: Mode,
}

/// What a set says.
#[derive(Clone, Copy, Debug)]
pub struct Opinion<'a> {
    /// Whether the rule matches, or may.
    pub sure: Certainty,
    /// The rule.
    pub rule: &'a Rule,
    /// It allows whatever command it is.
    pub nameless: bool,
}

impl Opinion<'_> {
    /// The stricter the greater.
    fn weight(&self) -> (Decision, Certainty) {
        match (self.sure, self.rule.source.decision) {
            (Certainty::Yes, decision) => (decision, Certainty::Yes),
            (sure, _) => (Decision::Ask, sure),
        }
    }
}

/// One form of what is matched.
struct Text<'a> {
    text: String,
    json: String,
    words: &'a [Value],
    /// An allow rule may count on it.
    coverable: bool,
}

impl Set {
    /// Compiles a set.
    ///
    /// # Errors
    /// Each rule whose pattern cannot be read.
    pub fn compile(set: &RuleSet) -> Result<Self, Vec<SetFault>> {
        let mut faults = Vec::new();
        let mut entries = Vec::new();
        for (index, rule) in set.rules.iter().enumerate() {
            match Test::new(&rule.matches) {
                Ok(test) => entries.push((index, rule, test)),
                Err(fault) => faults.push(SetFault { index, fault }),
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        // Stable: of equals the first in the file is asked first, but where the last one wins.
        match set.resolution {
            Resolution::Strictest => sorted::sort_by_key(&mut entries, |(_, rule, _)| {
                core::cmp::Reverse(rule.decision)
            }),
            Resolution::Priority => sorted::sort_by_key(&mut entries, |(_, rule, _)| {
                core::cmp::Reverse(rule.priority)
            }),
            Resolution::LastMatch => entries.reverse(),
        }
        let mut compiled = Self {
            resolution: set.resolution,
            assignments: set.assignments,
            plain_only: set.plain_only,
            whole_text: set.whole_text,
            tighten_only: set.tighten_only,
            exact_only: set.exact_only.clone(),
            executables: set.executables.clone(),
            entries: Vec::new(),
            starts: Map::new(),
        };
        for (rank, (_, rule, test)) in entries.into_iter().enumerate() {
            for key in test.keys(rule) {
                if let Some(ranks) = compiled.starts.entry(key, Vec::new) {
                    ranks.push(rank);
                }
            }
            compiled.entries.push(Entry {
                rule: rule_of(set, rule),
                wildcard: is_wildcard(rule),
                test,
                modes: rule.modes.clone(),
                whole_line: rule.whole_line,
            });
        }
        Ok(compiled)
    }

    /// The rules, in the order in which they are asked.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.entries.iter().map(|entry| &entry.rule)
    }

    /// Whether it has a rule that denies or asks.
    #[must_use]
    pub fn refuses_anything(&self) -> bool {
        self.rules()
            .any(|rule| rule.source.decision > Decision::Allow)
    }

    /// The commands its deny rules name.
    pub fn denied_commands(&self) -> impl Iterator<Item = &str> {
        let denied = self
            .entries
            .iter()
            .filter(|entry| entry.rule.source.decision == Decision::Deny);
        denied.flat_map(|entry| match &entry.test {
            Test::Words(words) => words
                .first()
                .map(Vec::as_slice)
                .unwrap_or_default()
                .iter()
                .map(String::as_str)
                .collect(),
            Test::Text(matcher) | Test::Command(matcher) => matcher
                .start()
                .split_whitespace()
                .next()
                .into_iter()
                .collect::<Vec<_>>(),
            Test::Call(_) => Vec::new(),
        })
    }

    /// What it says of an invocation; nothing when no rule matches.
    #[must_use]
    pub fn opinion(&self, view: &View<'_>) -> Option<Opinion<'_>> {
        let texts = self.texts(view.subjects);
        let found = texts.iter().filter_map(|text| self.decide(text, view));
        // Of equals the first form's.
        found.reduce(|best, next| {
            if next.weight() > best.weight() {
                next
            } else {
                best
            }
        })
    }

    /// What stands against the text as a whole, for a set that looks at it.
    #[must_use]
    pub fn whole(&self, view: &View<'_>) -> Option<Opinion<'_>> {
        if !self.whole_text {
            return None;
        }
        let text = Text {
            text: view.whole.trim().into(),
            json: escaped(view.whole.trim()),
            words: &[],
            coverable: false,
        };
        self.decide(&text, view)
    }

    /// The forms of an invocation that rules are matched on.
    fn texts<'a>(&self, subjects: &'a Subjects) -> Vec<Text<'a>> {
        let mut texts: Vec<Text<'a>> = Vec::new();
        let mut add = |text: String, words: &'a [Value], coverable: bool| match texts
            .iter_mut()
            .find(|old| old.text == text && old.words == words)
        {
            Some(old) => old.coverable |= coverable,
            None => texts.push(Text {
                json: escaped(&text),
                text,
                words,
                coverable,
            }),
        };
        let coverable = !subjects.allow.is_empty();
        let assigned = subjects.assigned > 0;
        match self.assignments {
            Assignments::Strip => {
                for form in &subjects.allow {
                    add(flat(form, true), form, true);
                }
            }
            Assignments::Keep => add(flat(&subjects.written, true), &subjects.written, coverable),
            Assignments::Never => add(
                flat(&subjects.written, true),
                &subjects.written,
                coverable && !assigned,
            ),
        }
        // As written, for patterns with quotes; where a backslash or an expansion stands in it, what it says is not what it reads like.
        let source = subjects.source.trim();
        let literal = !source.contains(['\\', '$', '`', '\n', '\r', '\0']);
        let never = assigned && self.assignments == Assignments::Never;
        if !source.is_empty() {
            add(source.into(), &[], coverable && literal && !never);
        }
        if self.resolution == Resolution::Strictest {
            for form in &subjects.refuse {
                add(flat(form, true), form, false);
                add(flat(form, false), form, false);
            }
        }
        texts
    }

    /// The first rule that matches a text, in the order in which the set asks.
    fn decide<'a>(&'a self, text: &Text<'_>, view: &View<'_>) -> Option<Opinion<'a>> {
        let mut maybe: Option<Opinion<'a>> = None;
        for rank in self.candidates(text) {
            let Some(entry) = self.entries.get(rank) else {
                continue;
            };
            let allows = entry.rule.source.decision == Decision::Allow;
            if !(entry.modes.is_empty() || entry.modes.contains(&view.mode)) {
                continue;
            }
            if allows && entry.wildcard && self.is_exact_only(view.subjects) {
                continue;
            }
            let whole;
            let text = if entry.whole_line {
                whole = Text {
                    text: view.whole.trim().into(),
                    json: escaped(view.whole.trim()),
                    words: &[],
                    coverable: text.coverable,
                };
                &whole
            } else {
                text
            };
            let sure = self.matches(entry, text, allows);
            if sure == Certainty::No {
                continue;
            }
            let opinion = Opinion {
                sure,
                rule: &entry.rule,
                nameless: entry.test.is_nameless(),
            };
            if sure == Certainty::Maybe {
                // An allow rule that only may match says nothing.
                if !allows {
                    maybe = maybe.or(Some(opinion));
                }
                continue;
            }
            if allows {
                let counts =
                    text.coverable && !self.tighten_only && (view.plain || !self.plain_only);
                return maybe.or(counts.then_some(opinion));
            }
            return Some(opinion);
        }
        maybe
    }

    fn matches(&self, entry: &Entry, text: &Text<'_>, allows: bool) -> Certainty {
        let look = |matcher: &Matcher, subject: &str| {
            if matcher.matches(subject) {
                Certainty::Yes
            } else if !allows && matcher.may_match(subject) {
                Certainty::Maybe
            } else {
                Certainty::No
            }
        };
        match &entry.test {
            Test::Text(matcher) => look(matcher, &text.text),
            Test::Command(matcher) => look(matcher, &format!("{}\"}}", text.json)),
            Test::Call(matcher) => look(matcher, &format!("{{{JSON_LEAD}{}\"}}", text.json)),
            Test::Words(wanted) => self.words(wanted, text.words, allows),
        }
    }

    /// The first words, each one of the alternatives.
    fn words(&self, wanted: &[Vec<String>], form: &[Value], all: bool) -> Certainty {
        let mut sure = Certainty::Yes;
        let mut given = form.iter();
        for (index, alternatives) in wanted.iter().enumerate() {
            let is = |word: &str| alternatives.iter().any(|alternative| alternative == word);
            sure = sure.min(match given.next() {
                None => return Certainty::No,
                Some(Value::Exact(word)) if is(word) => Certainty::Yes,
                Some(Value::Exact(path)) if index == 0 && self.program(path).is_some_and(is) => {
                    Certainty::Yes
                }
                Some(Value::Exact(_)) => return Certainty::No,
                Some(Value::OneOf(words)) if words.iter().all(|word| is(word)) => Certainty::Yes,
                Some(Value::OneOf(words)) if words.iter().any(|word| is(word)) => {
                    if all {
                        Certainty::Maybe
                    } else {
                        Certainty::Yes
                    }
                }
                Some(Value::OneOf(_)) => return Certainty::No,
                Some(Value::Many(start)) => {
                    let could = alternatives
                        .iter()
                        .any(|word| word.starts_with(start.as_str()));
                    return if could {
                        Certainty::Maybe
                    } else {
                        Certainty::No
                    };
                }
                Some(Value::Prefix(start))
                    if alternatives
                        .iter()
                        .any(|word| word.starts_with(start.as_str())) =>
                {
                    Certainty::Maybe
                }
                Some(Value::Digits)
                    if alternatives
                        .iter()
                        .any(|word| word.bytes().all(|byte| byte.is_ascii_digit())) =>
                {
                    Certainty::Maybe
                }
                Some(Value::Unknown) => Certainty::Maybe,
                Some(Value::Prefix(_) | Value::Digits) => return Certainty::No,
            });
        }
        sure
    }

    /// The program that a listed path stands for.
    fn program<'a>(&self, path: &'a str) -> Option<&'a str> {
        let (_, name) = path.rsplit_once('/')?;
        self.executables
            .get(name)?
            .iter()
            .any(|listed| listed == path)
            .then_some(name)
    }

    fn is_exact_only(&self, subjects: &Subjects) -> bool {
        let form = subjects
            .written
            .get(subjects.assigned..)
            .unwrap_or_default();
        self.exact_only.iter().any(|words| {
            let Some((command, rest)) = words.split_first() else {
                return false;
            };
            let given = |word: &String| {
                form.iter()
                    .skip(1)
                    .any(|each| each.exact().is_none_or(|each| each == word))
            };
            form.first()
                .is_some_and(|first| first.exact() == Some(command))
                && rest.iter().all(given)
        })
    }

    /// The ranks of the rules whose matches may begin as this text does, in order.
    fn candidates(&self, text: &Text<'_>) -> Vec<usize> {
        let mut subjects: Vec<&str> = alloc::vec![&text.text];
        if text.json != text.text {
            subjects.push(&text.json);
        }
        // A path that stands for a program is found by the name of that.
        if let Some(Value::Exact(path)) = text.words.first() {
            subjects.extend(self.program(path));
        }
        let mut ranks: Vec<usize> = Vec::new();
        let rows = |key: &str| self.starts.get(key).map(Vec::as_slice).unwrap_or_default();
        ranks.extend(rows(""));
        for subject in subjects {
            let known = match subject.find('\0') {
                Some(at) => subject.get(..at).unwrap_or_default(),
                None => subject,
            };
            for end in ends(known) {
                ranks.extend(known.get(..end).map(rows).unwrap_or_default());
            }
            // A gap may complete any longer beginning.
            if known.len() < subject.len().min(LONGEST_KEY) {
                ranks.extend(
                    self.starts
                        .from(known)
                        .take_while(|(key, _)| key.starts_with(known))
                        .flat_map(|(_, rows)| rows),
                );
            }
        }
        sorted::sort(&mut ranks);
        ranks.dedup();
        ranks
    }
}

#[cfg(test)]
mod tests;
