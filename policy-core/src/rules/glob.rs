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
        let Some((start, rest)) = subject.split_once(GAP) else {
            return self.matches(subject);
        };
        let end = rest.rsplit(GAP).next().unwrap_or(rest);
        match self.parts.as_slice() {
            [] => false,
            // No star: what is known has to stand in it, in order.
            [only] => {
                let known = Self {
                    parts: subject.split(GAP).map(String::from).collect(),
                    open_tail: false,
                };
                known.matches(only)
            }
            // A gap may hold all that the pattern wants between two stars, and a star all that stands between two gaps: only the
            // ends can part.
            [first, .., last] => {
                (first.starts_with(start) || start.starts_with(first.as_str()))
                    && (last.ends_with(end) || end.ends_with(last.as_str()))
            }
        }
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

    /// Whether the two have a text in common, by trying. `*` in either is any text.
    fn share(left: &str, right: &str) -> bool {
        let rest = |text: &str| String::from(text.get(1..).unwrap_or_default());
        if left.starts_with('*') {
            share(&rest(left), right) || (!right.is_empty() && share(left, &rest(right)))
        } else if right.starts_with('*') {
            share(right, left)
        } else if left.is_empty() || right.is_empty() {
            left == right
        } else {
            left.get(..1) == right.get(..1) && share(&rest(left), &rest(right))
        }
    }

    #[test]
    fn a_gap_matches_where_some_text_would() {
        let all: Vec<String> = (0..6_u32)
            .flat_map(|length| (0..3_u32.pow(length)).map(move |number| (length, number)))
            .map(|(length, number)| {
                let letter = |at| ['a', 'b', '*'][(number / 3_u32.pow(at) % 3) as usize];
                (0..length).map(letter).collect()
            })
            .collect();
        for pattern in &all {
            let glob = Glob::new(pattern);
            for subject in all.iter().filter(|subject| subject.contains('*')) {
                let gaps = subject.replace('*', "\0");
                assert_eq!(
                    glob.may_match(&gaps),
                    share(pattern, subject),
                    "{pattern} {subject}"
                );
            }
        }
    }
}
