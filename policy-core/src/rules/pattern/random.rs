//! Patterns and subjects at random, against the crate `regex`: the same answer, and a match stays possible when a part
//! of the subject is not known.
//!
//! ASCII alone and without `\r`, where ECMAScript and the crate mean the same by `.`, `\s`, `\w`, `\b` and `$`.

use alloc::{format, string::String, vec::Vec};

use super::*;

/// Compared pairs of a pattern and a subject.
const PAIRS: usize = 60_000;
const LETTERS: &[&str] = &["a", "b", "A", "1", " ", "-", "_", ".", "\n", "/"];

struct Dice(u64);

impl Dice {
    /// A number below `sides`, by xorshift.
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % sides
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from.get(self.roll(from.len())).expect("in range")
    }

    fn subject(&mut self) -> String {
        let length = self.roll(9);
        (0..length).map(|_| self.pick(LETTERS)).collect()
    }

    fn pattern(&mut self, depth: usize) -> String {
        let branches = 1 + self.roll(8) / 6;
        let branches: Vec<String> = (0..branches).map(|_| self.branch(depth)).collect();
        branches.join("|")
    }

    fn branch(&mut self, depth: usize) -> String {
        let mut out = String::new();
        for _ in 0..self.roll(5) {
            let atom = match self.roll(if depth == 0 { 12 } else { 15 }) {
                0..=5 => match self.pick(LETTERS) {
                    "." => String::from(r"\."),
                    letter => String::from(letter),
                },
                6 => String::from("."),
                7 => String::from(self.pick(&[r"\d", r"\D", r"\s", r"\S", r"\w", r"\W"])),
                8 | 9 => {
                    let negated = if self.roll(3) == 0 { "^" } else { "" };
                    let inside: String = (0..=self.roll(3))
                        .map(|_| {
                            self.pick(&[
                                "a", "b", "A", "1", "_", ".", "a-c", "0-9", " ", r"\s", r"\d",
                                r"\-",
                            ])
                        })
                        .collect();
                    format!("[{negated}{inside}]")
                }
                10 | 11 => {
                    out.push_str(self.pick(&["^", "$", r"\b", r"\B"]));
                    continue;
                }
                _ => {
                    let lead = self.pick(&["", "?:"]);
                    format!("({lead}{})", self.pattern(depth - 1))
                }
            };
            out.push_str(&atom);
            if self.roll(3) == 0 {
                out.push_str(self.pick(&["*", "+", "?", "{2}", "{0,1}", "{1,}", "{1,3}"]));
                out.push_str(self.pick(&["", "", "", "?"]));
            }
        }
        out
    }
}

#[test]
fn answers_are_those_of_the_crate_regex() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let (mut matched, mut refused) = (0, 0);
    for _ in 0..PAIRS / 20 {
        let flags = dice.pick(&["", "", "(?i)", "(?s)"]);
        let pattern = format!("{flags}{}", dice.pattern(2));
        let theirs = regex::bytes::RegexBuilder::new(&pattern)
            .unicode(false)
            .build()
            .unwrap_or_else(|error| panic!("{pattern:?}: {error}"));
        let ours =
            Matcher::new(&pattern).unwrap_or_else(|fault| panic!("{pattern:?}: {}", fault.message));
        for _ in 0..20 {
            let subject = dice.subject();
            let found = theirs.find(subject.as_bytes()).map(|found| found.start());
            let expected = found.is_some();
            assert_eq!(
                ours.matches(&subject),
                expected,
                "{pattern:?} on {subject:?}"
            );
            *(if expected { &mut matched } else { &mut refused }) += 1;
            let (from, to) = (dice.roll(subject.len() + 1), dice.roll(subject.len() + 1));
            let (from, to) = (from.min(to), from.max(to));
            let mut hidden = subject.clone();
            hidden.replace_range(from..to, &String::from(GAP));
            // A match is only looked for where it begins outside of what is not known.
            let outside = found.is_some_and(|start| start < from || start >= to);
            assert!(
                !outside || ours.may_match(&hidden),
                "{pattern:?} matches {subject:?}, so it may match {hidden:?}"
            );
        }
    }
    // Neither answer is rare, or the comparison would say little.
    assert!(
        matched > PAIRS / 5 && refused > PAIRS / 5,
        "{matched} {refused}"
    );
}
