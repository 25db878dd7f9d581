//! What is known at a point of the text: values of variables, the working directory, a few shell flags.
//!
//! A scope is copied for everything that runs in a subshell, and two scopes are joined where branches meet: what
//! they do not share is not known afterwards. A variable that is in neither comes from the environment.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use super::{
    model::{Cwd, Value},
    names,
};
use crate::limits::MAX_VALUES;

/// Longest value that is followed, in bytes: doubling a variable must not outgrow the text's own limit.
const MAX_VALUE_BYTES: usize = 10_000;

/// What is known of a variable's value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// One of these; at least one.
    Values(Vec<String>),
    /// ASCII digits.
    Digits,
    /// A decimal integer, perhaps negative.
    Integer,
    /// Begins with this text, not empty.
    Prefix(String),
    /// Nothing.
    Any,
}

impl Known {
    pub(super) fn exact(text: impl Into<String>) -> Self {
        Self::Values(alloc::vec![text.into()]).bounded()
    }

    /// What a variable holds after one word has been assigned to it.
    pub(super) fn from_value(value: &Value) -> Self {
        match value {
            Value::Exact(text) => Self::exact(text.as_str()),
            Value::OneOf(all) => Self::Values(all.clone()).bounded(),
            Value::Prefix(text) => Self::Prefix(text.clone()),
            Value::Digits => Self::Digits,
            Value::Many(text) if !text.is_empty() => Self::Prefix(text.clone()),
            Value::Unknown | Value::Many(_) => Self::Any,
        }
    }

    /// What is known when it is one or the other.
    pub(super) fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Self::Values(a), Self::Values(b)) => {
                let mut all = a.clone();
                all.extend(b.iter().filter(|text| !a.contains(text)).cloned());
                Self::Values(all).bounded()
            }
            (a, b) if a.is_digits() && b.is_digits() => Self::Digits,
            (a, b) if a.is_integer() && b.is_integer() => Self::Integer,
            _ => Self::Any,
        }
    }

    /// Whether every value is made of digits.
    pub(super) fn is_digits(&self) -> bool {
        match self {
            Self::Digits => true,
            Self::Values(all) => all.iter().all(|text| is_number(text)),
            Self::Integer | Self::Prefix(_) | Self::Any => false,
        }
    }

    /// Whether every value is an integer, so that arithmetic on it evaluates nothing else.
    pub(super) fn is_integer(&self) -> bool {
        match self {
            Self::Digits | Self::Integer => true,
            Self::Values(all) => all
                .iter()
                .all(|text| is_number(text.strip_prefix(['-', '+']).unwrap_or(text))),
            Self::Prefix(_) | Self::Any => false,
        }
    }

    /// The value when there is only one.
    pub(super) fn only(&self) -> Option<&str> {
        match self {
            Self::Values(all) => match all.as_slice() {
                [one] => Some(one),
                _ => None,
            },
            _ => None,
        }
    }

    fn bounded(self) -> Self {
        match self {
            Self::Values(all)
                if all.is_empty()
                    || all.len() > MAX_VALUES
                    || all.iter().any(|text| text.len() > MAX_VALUE_BYTES) =>
            {
                Self::Any
            }
            other => other,
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Everything known at one point.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Scope {
    vars: BTreeMap<String, Known>,
    /// Associative arrays: their subscripts are text, not arithmetic.
    pub(super) maps: BTreeSet<String>,
    /// Read-only variables: a later assignment fails and the old value stays.
    pub(super) frozen: BTreeSet<String>,
    /// Names that were exported by the text.
    pub(super) exported: BTreeSet<String>,
    /// The working directory.
    pub(super) cwd: Cwd,
    /// What `pushd` left.
    pub(super) stack: Vec<Cwd>,
    /// `$0`, `$1`, … of a script in a string; `None` when not known.
    pub(super) positional: Option<Vec<Known>>,
    /// `set -e` is on.
    pub(super) errexit: bool,
    /// The shell has left (`exit`): nothing follows from this state.
    pub(super) dead: bool,
}

impl Scope {
    pub(super) fn new() -> Self {
        Self {
            vars: BTreeMap::new(),
            maps: BTreeSet::new(),
            frozen: BTreeSet::new(),
            exported: BTreeSet::new(),
            cwd: Cwd::Initial,
            stack: Vec::new(),
            positional: None,
            errexit: false,
            dead: false,
        }
    }

    /// What is known of a variable; `None` when the text has not touched it.
    pub(super) fn variable(&self, name: &str) -> Option<&Known> {
        self.vars.get(name)
    }

    pub(super) fn set(&mut self, name: &str, known: Known) {
        let known = if self.frozen.contains(name) || names::is_dynamic(name) {
            Known::Any
        } else {
            known
        };
        self.vars.insert(name.into(), known);
    }

    pub(super) fn forget(&mut self, name: &str) {
        self.set(name, Known::Any);
    }

    pub(super) fn forget_all(&mut self) {
        for known in self.vars.values_mut() {
            *known = Known::Any;
        }
        self.positional = None;
    }

    /// What the words of one command changed (`${x:=v}`, `$((x=1))`) may be seen by the words before it or not.
    pub(super) fn settle(&mut self, before: &Self) {
        for (name, known) in &mut self.vars {
            *known = match before.vars.get(name) {
                Some(there) => there.join(known),
                None => Known::Any,
            };
        }
    }

    /// The state where control comes from here or from `other`.
    pub(super) fn join(&mut self, other: &Self) {
        if other.dead {
            return;
        }
        if self.dead {
            *self = other.clone();
            return;
        }
        for (name, known) in &mut self.vars {
            *known = match other.vars.get(name) {
                Some(there) => known.join(there),
                None => Known::Any,
            };
        }
        for name in other.vars.keys() {
            if !self.vars.contains_key(name) {
                self.vars.insert(name.clone(), Known::Any);
            }
        }
        self.maps.retain(|name| other.maps.contains(name));
        self.frozen.extend(other.frozen.iter().cloned());
        self.exported.extend(other.exported.iter().cloned());
        if self.cwd != other.cwd {
            self.cwd = Cwd::Unknown;
        }
        if self.stack != other.stack {
            self.stack.clear();
        }
        if self.positional != other.positional {
            self.positional = None;
        }
        self.errexit &= other.errexit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn join_keeps_what_both_know() {
        let mut a = Scope::new();
        a.set("x", Known::exact("1"));
        a.set("y", Known::exact("1"));
        let mut b = Scope::new();
        b.set("x", Known::exact("2"));
        b.cwd = Cwd::Moved("sub".into());
        a.join(&b);
        assert_eq!(
            a.variable("x"),
            Some(&Known::Values(alloc::vec!["1".into(), "2".into()]))
        );
        assert_eq!(a.variable("y"), Some(&Known::Any));
        assert_eq!(a.cwd, Cwd::Unknown);
    }

    #[test]
    fn a_dead_branch_adds_nothing() {
        let mut a = Scope::new();
        a.cwd = Cwd::Moved("sub".into());
        let mut b = Scope::new();
        b.dead = true;
        a.join(&b);
        assert_eq!(a.cwd, Cwd::Moved("sub".into()));
    }

    #[test]
    fn long_values_are_not_followed() {
        assert_eq!(Known::exact("x".repeat(MAX_VALUE_BYTES + 1)), Known::Any);
    }
}
