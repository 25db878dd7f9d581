//! What is known at a point of the text: values of variables, the working directory, a few shell flags.
//!
//! A scope is copied for everything that runs in a subshell, and two scopes are joined where branches meet: what
//! they do not share is not known afterwards. A variable that is in neither comes from the environment.

use alloc::{rc::Rc, string::String, vec::Vec};
use core::cmp::Ordering;

use super::{
    model::{Arg, Cwd, Value},
    names,
};
use crate::{
    limits::{MAX_VALUES, MAX_VARIABLES},
    sorted::{Map, Set},
};

/// Longest value that is followed, in bytes, all that a variable may hold together: doubling one must not outgrow the text's own limit.
const MAX_VALUE_BYTES: usize = 10_000;
/// Most directories that `pushd` left and `popd` finds again.
const MAX_STACK: usize = 16;

/// What is known of a variable's value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// One of these; at least one.
    Values(Vec<String>),
    /// ASCII digits.
    Digits,
    /// A decimal integer, perhaps negative.
    Integer,
    /// What a command that counts prints: an integer, or nothing when it fails.
    Count,
    /// Any number of lines, each of ASCII digits.
    Numbers,
    /// A match of a pattern that begins with this text.
    Match(String),
    /// Begins with this text, not empty.
    Prefix(String),
    /// Any number of words, none of which begins with `-`, `+` or holds anything but letters, digits and what revisions have.
    Names,
    /// Begins with `/`, or is empty; blanks may stand in it.
    Rooted,
    /// Nothing.
    Any,
}

impl Known {
    pub(super) fn exact(text: impl Into<String>) -> Self {
        Self::Values(alloc::vec![text.into()]).bounded()
    }

    /// As [`Known::from_value`], for one of the words that a loop goes through.
    pub(super) fn from_arg(arg: &Arg) -> Self {
        match arg.value {
            Value::Many(_) if arg.samples == ["1"] => Self::Digits,
            Value::Many(ref start) | Value::Prefix(ref start) if arg.matched => {
                Self::Match(start.clone())
            }
            Value::Unknown if arg.matched => Self::Match(String::new()),
            // Nothing of it could be split into words that begin otherwise.
            Value::Many(_) if arg.no_option => Self::Names,
            Value::Unknown if arg.no_option => Self::Rooted,
            _ => Self::from_value(&arg.value),
        }
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
            (a, b) if a.is_integer() && b.is_integer() => {
                let several = |known: &Self| matches!(known, Self::Numbers);
                let count = |known: &Self| matches!(known, Self::Count);
                if several(a) || several(b) {
                    Self::Any
                } else if count(a) || count(b) {
                    Self::Count
                } else {
                    Self::Integer
                }
            }
            _ => Self::Any,
        }
    }

    /// As [`Self::join`]; what is no news is not made anew.
    fn or_shared(self: &Rc<Self>, other: &Rc<Self>) -> Rc<Self> {
        if Rc::ptr_eq(self, other) || **self == Self::Any || self == other {
            Rc::clone(self)
        } else if **other == Self::Any {
            Rc::clone(other)
        } else {
            Rc::new(self.join(other))
        }
    }

    /// Whether every value is made of digits.
    pub(super) fn is_digits(&self) -> bool {
        match self {
            Self::Digits => true,
            Self::Values(all) => all.iter().all(|text| is_number(text)),
            Self::Integer
            | Self::Count
            | Self::Numbers
            | Self::Match(_)
            | Self::Prefix(_)
            | Self::Names
            | Self::Rooted
            | Self::Any => false,
        }
    }

    /// Whether every value is an integer (or nothing, which counts as 0), so that arithmetic on it evaluates nothing else.
    pub(super) fn is_integer(&self) -> bool {
        match self {
            // More numbers than one are no expression.
            Self::Digits | Self::Integer | Self::Count | Self::Numbers => true,
            Self::Values(all) => all
                .iter()
                .all(|text| is_number(text.strip_prefix(['-', '+']).unwrap_or(text))),
            Self::Match(_) | Self::Prefix(_) | Self::Names | Self::Rooted | Self::Any => false,
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
                    || all.iter().map(String::len).sum::<usize>() > MAX_VALUE_BYTES =>
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

type Variables = Map<Rc<str>, Rc<Known>>;

/// Everything known at one point. A copy is cheap until one of the two changes.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Scope {
    vars: Rc<Variables>,
    /// Associative arrays: their subscripts are text, not arithmetic.
    maps: Rc<Set<String>>,
    /// Names that are arrays or were once: `declare` reads a value as an array literal then.
    arrays: Rc<Set<String>>,
    /// Read-only variables: a later assignment fails and the old value stays.
    frozen: Rc<Set<String>>,
    /// Names that were exported by the text.
    exported: Rc<Set<String>>,
    /// The working directory.
    pub(super) cwd: Cwd,
    /// What `pushd` left.
    stack: Vec<Cwd>,
    /// `$0`, `$1`, … of a script in a string; `None` when not known.
    pub(super) positional: Option<Rc<[Known]>>,
    /// `set -e` is on.
    pub(super) errexit: bool,
    /// The shell has left (`exit`): nothing follows from this state.
    pub(super) dead: bool,
}

impl Scope {
    pub(super) fn new() -> Self {
        Self {
            vars: Rc::default(),
            maps: Rc::default(),
            arrays: Rc::default(),
            frozen: Rc::default(),
            exported: Rc::default(),
            cwd: Cwd::Initial,
            stack: Vec::new(),
            positional: None,
            errexit: false,
            dead: false,
        }
    }

    /// The scope of a new process that inherits nothing but the directory and exported variables.
    pub(super) fn fresh(&self) -> Self {
        let mut fresh = Self::new();
        fresh.cwd = self.cwd.clone();
        for (name, known) in self.vars.iter() {
            if self.is_exported(name) {
                fresh.set(name, Known::clone(known));
            }
        }
        fresh
    }

    /// What is known of a variable; `None` when the text has not touched it.
    pub(super) fn variable(&self, name: &str) -> Option<&Known> {
        self.vars.get(name).map(Rc::as_ref)
    }

    /// A variable holds this from here on. Of more variables than the limit nothing is known, as if the environment had set them.
    pub(super) fn set(&mut self, name: &str, known: Known) {
        let known = if self.frozen.contains(name) || names::is_dynamic(name) {
            Known::Any
        } else {
            known
        };
        let is_followed = self.vars.len() < MAX_VARIABLES
            || self.vars.contains_key(name)
            || is_always_followed(name);
        if is_followed && self.variable(name) != Some(&known) {
            Rc::make_mut(&mut self.vars).insert(name.into(), Rc::new(known));
        }
    }

    pub(super) fn forget(&mut self, name: &str) {
        self.set(name, Known::Any);
    }

    pub(super) fn forget_all(&mut self) {
        let any = Rc::new(Known::Any);
        for known in Rc::make_mut(&mut self.vars).values_mut() {
            known.clone_from(&any);
        }
        self.positional = None;
    }

    /// Whether it is an associative array.
    pub(super) fn is_map(&self, name: &str) -> bool {
        self.maps.contains(name)
    }

    /// It is an associative array from here on, or none.
    pub(super) fn set_map(&mut self, name: &str, is_map: bool) {
        if self.maps.contains(name) != is_map {
            let maps = Rc::make_mut(&mut self.maps);
            if is_map {
                maps.insert(name.into());
            } else {
                maps.remove(name);
            }
        }
    }

    /// Whether it may be an array, associative or not, by what the text did.
    pub(super) fn is_array(&self, name: &str) -> bool {
        self.arrays.contains(name)
    }

    /// It is an array from here on.
    pub(super) fn note_array(&mut self, name: &str) {
        if !self.arrays.contains(name) {
            Rc::make_mut(&mut self.arrays).insert(name.into());
        }
    }

    /// It cannot be assigned from here on.
    pub(super) fn freeze(&mut self, name: &str) {
        if !self.frozen.contains(name) {
            Rc::make_mut(&mut self.frozen).insert(name.into());
        }
    }

    /// Whether the text exported it.
    pub(super) fn is_exported(&self, name: &str) -> bool {
        self.exported.contains(name)
    }

    /// Other programs see it from here on.
    pub(super) fn export(&mut self, name: &str) {
        if !self.exported.contains(name) {
            Rc::make_mut(&mut self.exported).insert(name.into());
        }
    }

    /// `pushd`: the directory is kept for `popd`; the oldest is lost past a limit.
    pub(super) fn push_directory(&mut self, cwd: Cwd) {
        if self.stack.len() >= MAX_STACK {
            self.stack.remove(0);
        }
        self.stack.push(cwd);
    }

    /// `popd`: the directory kept last, if it is known.
    pub(super) fn pop_directory(&mut self) -> Option<Cwd> {
        self.stack.pop()
    }

    /// Nothing is known of the directories that `pushd` kept.
    pub(super) fn forget_directories(&mut self) {
        self.stack.clear();
    }

    /// What the words of one command changed (`${x:=v}`, `$((x=1))`) may be seen by the words before it or not.
    pub(super) fn settle(&mut self, before: &Self) {
        if Rc::ptr_eq(&self.vars, &before.vars) {
            return;
        }
        self.vars = merged(&before.vars, &self.vars);
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
        if !Rc::ptr_eq(&self.vars, &other.vars) {
            self.vars = merged(&self.vars, &other.vars);
        }
        if self.maps != other.maps {
            Rc::make_mut(&mut self.maps).retain(|name| other.maps.contains(name));
        }
        if self.arrays != other.arrays {
            Rc::make_mut(&mut self.arrays).extend(other.arrays.iter().cloned());
        }
        if self.frozen != other.frozen {
            Rc::make_mut(&mut self.frozen).extend(other.frozen.iter().cloned());
        }
        if self.exported != other.exported {
            Rc::make_mut(&mut self.exported).extend(other.exported.iter().cloned());
        }
        if self.cwd != other.cwd {
            self.cwd = self.cwd.or(&other.cwd);
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

/// What is known of variables that are as in one of the two. Every `&&` joins what came before, so this is one walk through both, and
/// what does not change is shared.
fn merged(one: &Rc<Variables>, other: &Rc<Variables>) -> Rc<Variables> {
    let mut room = MAX_VARIABLES.saturating_sub(one.len());
    let any = Rc::new(Known::Any);
    let mut vars = Map::new();
    let (mut is_one, mut is_other) = (true, true);
    let (mut ones, mut others) = (one.iter().peekable(), other.iter().peekable());
    loop {
        let order = match (ones.peek(), others.peek()) {
            (Some((name, _)), Some((there, _))) if Rc::ptr_eq(name, there) => Ordering::Equal,
            (Some((name, _)), Some((there, _))) => name.cmp(there),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => break,
        };
        let here = ones.next_if(|_| order != Ordering::Greater);
        let there = others.next_if(|_| order != Ordering::Less);
        let (known, other_known) = (here.map(|(_, known)| known), there.map(|(_, known)| known));
        let joined = match (known, other_known) {
            (Some(known), Some(there)) => known.or_shared(there),
            _ => Rc::clone(&any),
        };
        let Some((name, _)) = here.or(there) else {
            break;
        };
        if known.is_none() && !is_always_followed(name) {
            if room == 0 {
                is_other = false;
                continue;
            }
            room -= 1;
        }
        is_one &= known.is_some_and(|known| Rc::ptr_eq(known, &joined));
        is_other &= other_known.is_some_and(|known| Rc::ptr_eq(known, &joined));
        vars.append(Rc::clone(name), joined);
    }
    if is_one {
        Rc::clone(one)
    } else if is_other {
        Rc::clone(other)
    } else {
        Rc::new(vars)
    }
}

/// What `~` and `cd` look at.
fn is_always_followed(name: &str) -> bool {
    matches!(name, "HOME" | "CDPATH")
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
        assert_eq!(a.cwd, Cwd::Among(alloc::vec![".".into(), "sub".into()]));
    }

    #[test]
    fn what_one_branch_alone_sets_is_not_known_and_the_rest_is_shared() {
        let mut a = Scope::new();
        for at in 0..70 {
            a.set(&alloc::format!("v{at}"), Known::exact("1"));
        }
        let mut b = a.clone();
        b.set("v7", Known::Any);
        let before = b.clone();
        b.join(&a);
        assert!(Rc::ptr_eq(&b.vars, &before.vars));
        a.join(&b);
        assert!(Rc::ptr_eq(&a.vars, &b.vars));
        b.set("a", Known::Digits);
        a.set("z", Known::Digits);
        a.join(&b);
        assert_eq!(a.vars.len(), 72);
        for (name, known) in [
            ("a", Known::Any),
            ("v7", Known::Any),
            ("v69", Known::exact("1")),
            ("z", Known::Any),
        ] {
            assert_eq!(a.variable(name), Some(&known), "{name}");
        }
    }

    #[test]
    fn a_join_follows_no_more_variables_than_the_limit() {
        let (mut a, mut b) = (Scope::new(), Scope::new());
        for at in 0..MAX_VARIABLES {
            a.set(&alloc::format!("a{at}"), Known::exact("1"));
            b.set(&alloc::format!("b{at}"), Known::exact("1"));
        }
        b.set("HOME", Known::exact("/x"));
        a.join(&b);
        assert_eq!(a.vars.len(), MAX_VARIABLES + 1);
        assert_eq!(a.variable("HOME"), Some(&Known::Any));
        assert_eq!(a.variable("b0"), None);
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
