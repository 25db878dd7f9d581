//! A wildcard pattern: literal stretches with `*` between them, matched against a whole text.
//!
//! `*` stands for any text, blanks and newlines included. A trailing ` *` also matches nothing, so that `git log *`
//! allows `git log`. A subject may hold [`GAP`]: text that is only known when the command runs. For an
//! allow rule only `*` covers a gap; for deny and ask a gap may be anything.

use alloc::{string::String, vec::Vec};

/// Stands in a subject for text that is not known. NUL: no argument and no rule can hold it.
pub const GAP: char = '\0';

/// A compiled wildcard pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Glob {
    /// The literal stretches; a star stands between each two.
    parts: Vec<String>,
    /// It ends in ` *`.
    open_tail: bool,
}

impl Glob {
    /// Reads a rule's content; `\*` is a literal star.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut parts = Vec::new();
        let mut part = String::new();
        let mut rest = text.chars().peekable();
        while let Some(each) = rest.next() {
            match each {
                '\\' if rest.peek() == Some(&'*') => {
                    part.extend(rest.next());
                }
                '*' => parts.push(core::mem::take(&mut part)),
                other => part.push(other),
            }
        }
        let open_tail = part.is_empty()
            && parts
                .last()
                .is_some_and(|last| last.len() > 1 && last.ends_with(' '));
        parts.push(part);
        Self { parts, open_tail }
    }

    /// The first word when it is literal: only commands of that name can match.
    #[must_use]
    pub fn command(&self) -> Option<&str> {
        let first = self.parts.first()?;
        first
            .split_once(' ')
            .map(|(word, _)| word)
            .filter(|word| !word.is_empty())
    }

    /// Whether all of `subject` matches.
    #[must_use]
    pub fn matches(&self, subject: &str) -> bool {
        if self.open_tail
            && self.parts.len() == 2
            && self
                .parts
                .first()
                .is_some_and(|first| first.trim_end() == subject)
        {
            return true;
        }
        let (Some(first), Some(last)) = (self.parts.first(), self.parts.last()) else {
            return false;
        };
        if self.parts.len() == 1 {
            return first == subject;
        }
        // Most that do not match part at an end, which takes no search.
        let rest = subject.strip_prefix(first.as_str());
        let Some(mut rest) = rest.filter(|rest| rest.ends_with(last.as_str())) else {
            return false;
        };
        let middle = self.parts.get(1..self.parts.len() - 1).unwrap_or_default();
        for part in middle {
            let Some(at) = rest.find(part.as_str()) else {
                return false;
            };
            rest = rest.get(at + part.len()..).unwrap_or_default();
        }
        rest.ends_with(last.as_str())
    }

    /// Whether `subject` matches for some text in the place of its gaps.
    #[must_use]
    pub fn may_match(&self, subject: &str) -> bool {
        if self.matches(subject) {
            return true;
        }
        if !subject.contains(GAP) {
            return false;
        }
        // `None` is "any text" on either side: the question is whether the two patterns have a text in common.
        let mut pattern: Vec<Option<char>> = Vec::new();
        for (index, part) in self.parts.iter().enumerate() {
            if index > 0 {
                pattern.push(None);
            }
            pattern.extend(part.chars().map(Some));
        }
        let mut row: Vec<bool> = alloc::vec![false; pattern.len() + 1];
        fill_stars(&mut row, &pattern, true);
        for each in subject.chars() {
            let mut next = alloc::vec![false; pattern.len() + 1];
            if each == GAP {
                // The gap may take up any number of pattern characters.
                let mut reached = false;
                for (old, new) in row.iter().zip(next.iter_mut()) {
                    reached |= *old;
                    *new = reached;
                }
            } else {
                let mut before: Option<bool> = None;
                let mut targets = next.iter_mut();
                for (index, old) in row.iter().enumerate() {
                    let Some(target) = targets.next() else { break };
                    let previous = index.checked_sub(1).and_then(|at| pattern.get(at)).copied();
                    *target = match previous {
                        Some(None) => *old,
                        Some(Some(literal)) => literal == each && before.unwrap_or(false),
                        None => false,
                    };
                    before = Some(*old);
                }
                fill_stars(&mut next, &pattern, false);
            }
            row = next;
        }
        row.last().copied().unwrap_or(false)
    }
}

/// A star may be empty: what is reached before it is reached after it.
fn fill_stars(row: &mut [bool], pattern: &[Option<char>], start: bool) {
    let mut reached = start;
    for (index, cell) in row.iter_mut().enumerate() {
        let star = index.checked_sub(1).and_then(|at| pattern.get(at)) == Some(&None);
        *cell |= (index == 0 && start) || (star && reached);
        reached = *cell;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_take_any_text() {
        let glob = Glob::new("git * main");
        assert!(glob.matches("git push origin main"));
        assert!(!glob.matches("git push main x") && !glob.matches("git main"));
        assert!(Glob::new("*").matches("") && Glob::new("*").matches("a\nb"));
        assert!(
            Glob::new("git log *").matches("git log")
                && Glob::new("git log *").matches("git log -1")
        );
        assert!(
            !Glob::new("git log *").matches("git logs")
                && Glob::new("git log*").matches("git logs")
        );
        assert!(
            Glob::new("echo \\*").matches("echo *") && !Glob::new("echo \\*").matches("echo x")
        );
        assert!(!Glob::new("ab*ba").matches("aba"));
        assert_eq!(Glob::new("git push*").command(), Some("git"));
        assert_eq!(Glob::new("git*").command(), None);
    }

    #[test]
    fn a_gap_is_covered_by_a_star_and_may_be_anything() {
        let glob = Glob::new("git push * main");
        assert!(!glob.matches("git push origin \0") && glob.may_match("git push origin \0"));
        assert!(glob.matches("git push \0 main"));
        assert!(
            glob.may_match("git \0")
                && !glob.may_match("svn \0")
                && !glob.may_match("git \0 master")
        );
    }
}
