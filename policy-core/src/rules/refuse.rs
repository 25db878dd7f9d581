//! The careful matching of deny and ask rules: no spelling of the same command slips past.
//!
//! A rule matches when its words stand first, and also when its operands are there and its options are there in
//! whatever spelling: `rm -rf:*` matches `rm -fr d`, `rm -r -f d` and `rm --recursive --force d`. The
//! words up to the subcommand are anchored; later operands may stand anywhere after them. A word that is only
//! known when the command runs gives [`Certainty::Maybe`]. Which options are the same comes from the specs, through [`Options`].

use alloc::{string::String, vec::Vec};

use crate::command::model::Value;

/// Whether a rule matches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Certainty {
    /// It cannot.
    No,
    /// It does for some value of a word that is not known.
    Maybe,
    /// It does.
    Yes,
}

/// What is known of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionFacts<'a> {
    /// All spellings, separated by one space.
    pub names: &'a str,
    /// The next word is its value when none is attached.
    pub takes_value: bool,
}

/// What the matcher asks about commands.
pub trait Options {
    /// The option of the command `words` (name, then operands that may be a subcommand) with this spelling.
    fn option(&self, words: &[&str], spelling: &str) -> Option<OptionFacts<'_>>;
    /// How many of the operands are the subcommand; `None` when nothing is known of the command.
    fn subcommand_words(&self, command: &str, operands: &[&str]) -> Option<usize>;
    /// Options are written with one dash and never in clusters.
    fn single_dash(&self, command: &str) -> bool;
}

/// Whether `rule` (command first) matches the words of a command.
#[must_use]
pub fn matches(rule: &[String], exact: bool, form: &[Value], options: &dyn Options) -> Certainty {
    let direct = in_order(rule, exact, form);
    if direct == Certainty::Yes {
        return direct;
    }
    direct.max(by_parts(rule, exact, form, options))
}

/// The rule's words stand first.
fn in_order(rule: &[String], exact: bool, form: &[Value]) -> Certainty {
    let mut sure = Certainty::Yes;
    let mut words = form.iter();
    for wanted in rule {
        match words.next() {
            None => return Certainty::No,
            Some(Value::Many(_)) => return sure.min(Certainty::Maybe),
            Some(word) => sure = sure.min(one(wanted, word)),
        }
        if sure == Certainty::No {
            return sure;
        }
    }
    if exact && let Some(next) = words.next() {
        return if matches!(next, Value::Many(_)) {
            sure.min(Certainty::Maybe)
        } else {
            Certainty::No
        };
    }
    sure
}

/// Whether a word is (or may be) `wanted`. A loop over values runs the command with each of them.
fn one(wanted: &str, word: &Value) -> Certainty {
    match word {
        Value::Exact(text) if text == wanted => Certainty::Yes,
        Value::OneOf(all) if all.iter().any(|text| text == wanted) => Certainty::Yes,
        Value::Exact(_) | Value::OneOf(_) => Certainty::No,
        Value::Prefix(start) | Value::Many(start) if wanted.starts_with(start.as_str()) => {
            Certainty::Maybe
        }
        Value::Prefix(_) | Value::Many(_) => Certainty::No,
        Value::Digits if wanted.bytes().all(|byte| byte.is_ascii_digit()) => Certainty::Maybe,
        Value::Digits => Certainty::No,
        Value::Unknown => Certainty::Maybe,
    }
}

/// A command line taken apart.
#[derive(Default)]
struct Parts<'a> {
    operands: Vec<Operand<'a>>,
    options: Vec<Opt<'a>>,
    dashes: bool,
}

/// A word of a command line: known, or what it begins with.
#[derive(Clone, Copy)]
enum Token<'a> {
    Word(&'a str),
    Gap(&'a str),
}

impl<'a> Token<'a> {
    fn word(self) -> Option<&'a str> {
        match self {
            Self::Word(word) => Some(word),
            Self::Gap(_) => None,
        }
    }
}

#[derive(Clone, Copy)]
struct Operand<'a> {
    /// The word; for one that is not known, what it begins with.
    word: &'a str,
    /// The word is not known.
    gap: bool,
    /// It follows an option that nothing is known of, so it may be that option's value.
    or_value: bool,
}

struct Opt<'a> {
    /// Its spellings, or the one spelling when nothing is known.
    names: &'a str,
    letter: Option<char>,
    value: Option<&'a str>,
}

impl Opt<'_> {
    fn is(&self, other: &Opt<'_>) -> bool {
        let same_letter = self.letter.is_some() && self.letter == other.letter;
        let spelled = |names: &str, spelling: &str| {
            names.split(' ').any(|name| {
                // A GNU abbreviation is the option for a refusing rule.
                name == spelling
                    || (spelling.len() > 4
                        && spelling.starts_with("--")
                        && name.starts_with(spelling))
            })
        };
        same_letter
            || self.names.split(' ').any(|mine| spelled(other.names, mine))
            || other
                .names
                .split(' ')
                .any(|theirs| spelled(self.names, theirs))
    }
}

fn by_parts(rule: &[String], exact: bool, form: &[Value], options: &dyn Options) -> Certainty {
    let (Some(command), Some(called)) = (rule.first(), form.first()) else {
        return Certainty::No;
    };
    let mut sure = one(command, called);
    if sure == Certainty::No {
        return sure;
    }
    let rule_words: Vec<Token<'_>> = rule.iter().map(|word| Token::Word(word)).collect();
    let wanted = take_apart(&rule_words, options);
    // Each value of a word that takes several is there once the loop has run.
    let mut given_words: Vec<Token<'_>> = alloc::vec![Token::Word(command)];
    for word in form.iter().skip(1) {
        match word {
            Value::Exact(text) => given_words.push(Token::Word(text)),
            Value::OneOf(all) => given_words.extend(all.iter().map(|text| Token::Word(text))),
            Value::Prefix(start) | Value::Many(start) => given_words.push(Token::Gap(start)),
            Value::Digits | Value::Unknown => given_words.push(Token::Gap("")),
        }
    }
    let given = take_apart(&given_words, options);
    let gaps: Vec<&str> = given_words
        .iter()
        .filter_map(|token| match token {
            Token::Gap(start) => Some(*start),
            Token::Word(_) => None,
        })
        .collect();
    let could = |word: &str| gaps.iter().any(|start| word.starts_with(start));

    // Without anything that may come in another order the direct comparison has said it all.
    let operands: Vec<&str> = wanted.operands.iter().map(|operand| operand.word).collect();
    let anchored = options
        .subcommand_words(command, &operands)
        .unwrap_or_else(|| {
            usize::from(
                operands
                    .first()
                    .is_some_and(|word| !word.contains(['/', '.', ':'])),
            )
        });
    let mut given_operands = given.operands.iter();
    for (index, operand) in operands.iter().enumerate() {
        let found = if index < anchored {
            loop {
                match given_operands.next() {
                    Some(next) if next.gap && operand.starts_with(next.word) => {
                        sure = sure.min(Certainty::Maybe);
                        break true;
                    }
                    Some(next) if !next.gap && next.word == *operand => break true,
                    Some(next) if next.or_value => {}
                    _ => return Certainty::No,
                }
            }
        } else {
            given_operands
                .clone()
                .any(|next| !next.gap && next.word == *operand)
        };
        if !found {
            if !could(operand) {
                return Certainty::No;
            }
            sure = sure.min(Certainty::Maybe);
        }
    }
    for option in &wanted.options {
        let found = given.options.iter().any(|other| {
            option.is(other) && (option.value.is_none() || option.value == other.value)
        });
        if !found {
            let spelled = |name: &str| could(name);
            if !option.names.split(' ').any(spelled) {
                return Certainty::No;
            }
            sure = sure.min(Certainty::Maybe);
        }
    }
    if wanted.dashes && !given.dashes {
        if !could("--") {
            return Certainty::No;
        }
        sure = sure.min(Certainty::Maybe);
    }
    if exact {
        let more = given.operands.iter().filter(|operand| !operand.gap).count()
            > wanted.operands.len()
            || given
                .options
                .iter()
                .any(|option| !wanted.options.iter().any(|other| other.is(option)));
        if more {
            return Certainty::No;
        }
    }
    sure
}

/// Options and operands of a command line whose words are all known.
fn take_apart<'a>(words: &[Token<'a>], options: &'a dyn Options) -> Parts<'a> {
    let mut parts = Parts::default();
    let Some((Token::Word(command), rest)) = words.split_first() else {
        return parts;
    };
    let known = rest.iter().filter_map(|token| match token {
        Token::Word(word) if !word.starts_with('-') => Some(*word),
        _ => None,
    });
    let plain: Vec<&str> = core::iter::once(*command).chain(known).collect();
    let single = options.single_dash(command);
    let mut rest = rest.iter().copied().peekable();
    let mut after_unknown_option = false;
    while let Some(token) = rest.next() {
        let word = match token {
            Token::Word(word) => word,
            Token::Gap(word) => {
                parts.operands.push(Operand {
                    word,
                    gap: true,
                    or_value: true,
                });
                after_unknown_option = false;
                continue;
            }
        };
        if parts.dashes || word.len() < 2 || !word.starts_with('-') {
            parts.operands.push(Operand {
                word,
                gap: false,
                or_value: after_unknown_option,
            });
            after_unknown_option = false;
            continue;
        }
        after_unknown_option = false;
        if word == "--" {
            parts.dashes = true;
            continue;
        }
        let (name, attached) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        if let Some(facts) = options.option(&plain, name) {
            let value = attached.or_else(|| {
                if facts.takes_value {
                    rest.next().and_then(Token::word)
                } else {
                    None
                }
            });
            parts.options.push(Opt {
                names: facts.names,
                letter: None,
                value,
            });
            continue;
        }
        let body = name.strip_prefix('-').unwrap_or_default();
        if body.starts_with('-') || single || !cluster(body) {
            parts.options.push(Opt {
                names: name,
                letter: None,
                value: attached,
            });
            after_unknown_option = attached.is_none();
            continue;
        }
        // A cluster of short options; one with a value ends it.
        parts.options.push(Opt {
            names: name,
            letter: None,
            value: attached,
        });
        let mut letters = body.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let mut spelling = String::from("-");
            spelling.push(letter);
            match options.option(&plain, &spelling) {
                Some(facts) => {
                    let last = letters.peek().is_none();
                    let value = match (facts.takes_value, last) {
                        (true, true) => attached.or_else(|| rest.next().and_then(Token::word)),
                        (true, false) => body.get(at + letter.len_utf8()..),
                        (false, _) => None,
                    };
                    parts.options.push(Opt {
                        names: facts.names,
                        letter: Some(letter),
                        value,
                    });
                    if facts.takes_value {
                        break;
                    }
                }
                None => {
                    parts.options.push(Opt {
                        names: "",
                        letter: Some(letter),
                        value: None,
                    });
                    after_unknown_option = letters.peek().is_none();
                }
            }
        }
    }
    // The whole cluster as one spelling is only of use where it is one option; its letters say the rest.
    let has_letters = parts.options.iter().any(|option| option.letter.is_some());
    if has_letters {
        parts.options.retain(|option| {
            let body = option.names.strip_prefix('-').unwrap_or_default();
            option.letter.is_some()
                || body.starts_with('-')
                || option.names.contains(' ')
                || !cluster(body)
                || single
        });
    }
    parts
}

/// Whether `-body` may be short options written together.
fn cluster(body: &str) -> bool {
    !body.is_empty() && body.len() <= 8 && body.chars().all(|each| each.is_ascii_alphanumeric())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::rules::parse::split;

    /// rm and git as their specs have them.
    pub(crate) struct Some2;
    impl Options for Some2 {
        fn option(&self, words: &[&str], spelling: &str) -> Option<OptionFacts<'_>> {
            let table: &[(&str, bool)] = match words {
                ["rm", ..] => &[
                    ("-r -R --recursive", false),
                    ("-f --force", false),
                    ("-v --verbose", false),
                ],
                ["git", "push", ..] => &[("-f --force", false), ("-o --push-option", true)],
                _ => &[],
            };
            table
                .iter()
                .find(|(names, _)| names.split(' ').any(|name| name == spelling))
                .map(|(names, takes_value)| OptionFacts {
                    names,
                    takes_value: *takes_value,
                })
        }
        fn subcommand_words(&self, command: &str, _: &[&str]) -> Option<usize> {
            match command {
                "git" => Some(1),
                "rm" | "cat" => Some(0),
                _ => None,
            }
        }
        fn single_dash(&self, _: &str) -> bool {
            false
        }
    }

    fn check(rule: &str, command: &str) -> Certainty {
        let form: Vec<Value> = split(command)
            .into_iter()
            .map(|word| match word.as_str() {
                "?" => Value::Unknown,
                "?many" => Value::Many(String::new()),
                _ => Value::Exact(word),
            })
            .collect();
        match rule.strip_suffix(":*") {
            Some(prefix) => matches(&split(prefix), false, &form, &Some2),
            None => matches(&split(rule), true, &form, &Some2),
        }
    }

    #[test]
    fn every_spelling_of_the_options_is_refused() {
        for command in [
            "rm -rf d",
            "rm -fr d",
            "rm -r -f d",
            "rm --recursive --force d",
            "rm -R --force d",
            "rm d -rf",
            "rm -rfv d",
            "rm --recurs --forc d",
        ] {
            assert_eq!(check("rm -rf:*", command), Certainty::Yes, "{command}");
            assert_eq!(
                check("rm --force --recursive:*", command),
                Certainty::Yes,
                "{command}"
            );
        }
        for command in ["rm -r d", "rm d", "rm -- -rf", "rmdir -rf d", "rm -f d"] {
            assert_eq!(check("rm -rf:*", command), Certainty::No, "{command}");
        }
        assert_eq!(check("rm -rf d:*", "rm -rfv d"), Certainty::Yes);
        assert_eq!(check("rm -rf d:*", "rm -rf e"), Certainty::No);
        assert_eq!(check("rm -rf d", "rm -fr d"), Certainty::Yes);
        assert_eq!(check("rm -rf d", "rm -fr d e"), Certainty::No);
    }

    #[test]
    fn operands_stand_anywhere_but_subcommands_do_not() {
        assert_eq!(
            check("cat /etc/passwd:*", "cat /etc/hostname /etc/passwd"),
            Certainty::Yes
        );
        assert_eq!(check("git push:*", "git commit -m push"), Certainty::No);
        assert_eq!(
            check("git push --force:*", "git push -f origin"),
            Certainty::Yes
        );
        assert_eq!(
            check("git push --force:*", "git push -o --force origin"),
            Certainty::No
        );
        assert_eq!(
            check("git checkout --:*", "git checkout HEAD -- f"),
            Certainty::Yes
        );
        assert_eq!(check("git clean -f:*", "git clean -fq"), Certainty::Yes);
        assert_eq!(check("foo bar:*", "foo baz bar"), Certainty::No);
        assert_eq!(check("foo bar:*", "foo --opt value bar"), Certainty::Yes);
    }

    #[test]
    fn what_is_not_known_may_match() {
        assert_eq!(check("rm -rf:*", "rm ?many"), Certainty::Maybe);
        assert_eq!(check("git push:*", "git ?"), Certainty::Maybe);
        assert_eq!(check("git push:*", "git log ?"), Certainty::No);
        assert_eq!(check("rm:*", "rm ?many"), Certainty::Yes);
        assert_eq!(check("cat /etc/passwd:*", "cat ?"), Certainty::Maybe);
    }
}
