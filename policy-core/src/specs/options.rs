//! Reads an argument list by a spec: subcommand, options with their values, operands.
//!
//! Knows how options are written (clusters, attached values, `--flag=value`, `--`, counts, single-dash long
//! options) and nothing of what they do. Never guesses: an option that is not listed is reported as unknown, a word
//! that is only known at run time and may be an option is reported as uncertain. Judging is left to `classify`,
//! finding the command of a wrapper in the program to `command`.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use super::{
    model::{Flag, FlagValue, Form, Grammar, Spec, Sub},
    packed::is_spelled,
    spellings::Spellings,
};
use crate::command::model::{Arg, Value};

/// An argument list, read.
#[derive(Clone, PartialEq, Debug)]
pub struct Parsed<'a> {
    /// The spec it was read by.
    pub spec: Spec<'a>,
    /// The subcommand, when the spec has any and one stands there.
    pub sub: Option<Sub<'a>>,
    /// The form that applies: the subcommand's, or the root.
    pub form: Form<'a>,
    /// The word that stands where a subcommand is expected and is none (or is not known).
    pub unknown_sub: Option<usize>,
    /// Index of the first word after the command name, the options before the subcommand, and its words.
    pub start: usize,
    /// Options before the subcommand (also counted in `options`): the first this many.
    pub global_count: usize,
    /// Every listed option that stands there, in order, those before the subcommand included.
    pub options: Vec<ReadOption<'a>>,
    /// Indices of the operands.
    pub operands: Vec<usize>,
    /// Indices of words holding an option that is not listed.
    pub unknown: Vec<usize>,
    /// The options of `unknown` as spelled, without value: one for each.
    pub unknown_names: Vec<String>,
    /// The first word before `--` that is only known at run time and may be an option (or no word, or several).
    pub uncertain: Option<usize>,
    /// Index of the `--` that ended the options.
    pub end_of_options: Option<usize>,
}

/// One option that stands there.
#[derive(Clone, PartialEq, Debug)]
pub struct ReadOption<'a> {
    /// As spelled, without value; in a cluster one letter with its dash. A count (`-20`) is `-NUM`.
    pub name: String,
    /// What the spec says of it; `None` only for a count. An abbreviation of an option with an effect is that option.
    pub flag: Option<Flag<'a>>,
    /// Its value, attached or the next word.
    pub value: Option<Value>,
    /// Index of the word it stands in.
    pub index: usize,
    /// Index of the word its value stands in: `index` for an attached one.
    pub value_index: Option<usize>,
}

impl<'a> Parsed<'a> {
    /// Whether one of these spellings stands there (`"-n --quiet"`); other spellings of the same flag count.
    #[must_use]
    pub fn has(&self, names: &str) -> bool {
        self.all(names).next().is_some()
    }

    /// The options with one of these spellings, in order; other spellings of the same flag count.
    pub fn all<'s>(&'s self, names: &'s str) -> impl Iterator<Item = &'s ReadOption<'a>> + 's {
        self.options.iter().filter(move |option| {
            names.split(' ').any(|name| {
                option.name == name || option.flag.is_some_and(|flag| flag.is_spelled(name))
            })
        })
    }

    /// Where the command that a wrapper starts begins; `None` when the form is no wrapper or nothing follows.
    #[must_use]
    pub fn wrapped(&self, argv: &[Arg]) -> Option<usize> {
        let wrapper = self.form.wrapper?;
        let mut rest = self.operands.iter().copied();
        if wrapper.assignments {
            let value = |index: usize| argv.get(index).map(|arg| &arg.value);
            let mut first = true;
            rest.find(|&index| {
                // `env -` is an old spelling of `env -i`.
                let dash =
                    core::mem::take(&mut first) && value(index).and_then(Value::exact) == Some("-");
                !dash && !value(index).is_some_and(|value| value.known_prefix().contains('='))
            })
        } else {
            rest.nth(usize::from(wrapper.skip))
        }
    }
}

impl Flag<'_> {
    /// Whether this is one of its spellings.
    #[must_use]
    pub fn is_spelled(&self, name: &str) -> bool {
        is_spelled(self.names.as_bytes(), name.as_bytes())
    }
}

/// Reads `argv`, command name included, by `spec`.
#[must_use]
pub fn read<'a>(spec: Spec<'a>, argv: &[Arg]) -> Parsed<'a> {
    let mut reader = Reader {
        argv,
        parsed: Parsed {
            spec,
            sub: None,
            form: spec.root,
            unknown_sub: None,
            start: 1,
            global_count: 0,
            options: Vec::new(),
            operands: Vec::new(),
            unknown: Vec::new(),
            unknown_names: Vec::new(),
            uncertain: None,
            end_of_options: None,
        },
        in_globals: false,
        plus: false,
        own: Spellings::of(spec.root.flags),
        globals: Spellings::of(spec.globals),
    };
    let next = if spec.subs.is_empty() {
        1
    } else {
        reader.read_subcommand()
    };
    reader.parsed.start = next;
    reader.parsed.global_count = reader.parsed.options.len();
    reader.read_form(next);
    reader.parsed
}

struct Reader<'a, 'v> {
    argv: &'v [Arg],
    parsed: Parsed<'a>,
    /// Before the subcommand: the globals and the root's own options count.
    in_globals: bool,
    /// The form has options that begin with `+`.
    plus: bool,
    /// Flags of the form.
    own: Spellings<'a>,
    globals: Spellings<'a>,
}

impl<'a> Reader<'a, '_> {
    /// Reads options before and between the words of a subcommand; returns where its own words begin.
    fn read_subcommand(&mut self) -> usize {
        let spec = self.parsed.spec;
        self.in_globals = true;
        let mut words: Vec<&str> = Vec::new();
        let mut first_word = None;
        let mut best = None;
        let mut index = 1;
        while let Some(arg) = self.argv.get(index) {
            let dashed = self.is_option(&arg.value)
                || matches!(&arg.value, Value::Prefix(text) if text.starts_with('-'));
            if dashed && arg.value.exact() != Some("--") {
                // Once a subcommand is found, an option may be its own.
                if best.is_some() || !(words.is_empty() || spec.globals_anywhere) {
                    break;
                }
                index = self.read_option(index);
                continue;
            }
            first_word.get_or_insert(index);
            let Some(word) = arg.value.exact() else {
                // It may be a word of a longer subcommand.
                self.doubt(index);
                break;
            };
            words.push(word);
            let (full, longer) = spec.match_words(&words);
            if let Some(sub) = full {
                best = Some((sub, index + 1));
            }
            if !longer {
                break;
            }
            index += 1;
        }
        self.in_globals = false;
        match best {
            Some((sub, next)) => {
                self.parsed.sub = Some(sub);
                self.parsed.form = sub.form();
                self.own = Spellings::of(self.parsed.form.flags);
                next
            }
            None => {
                self.parsed.unknown_sub = first_word;
                first_word.unwrap_or(index)
            }
        }
    }

    fn read_form(&mut self, start: usize) {
        let form = self.parsed.form;
        // Asked only where it matters: few forms have such options, and all flags are looked through.
        let plus = |arg: &Arg| arg.value.exact().is_none_or(|text| text.starts_with('+'));
        self.plus = self.argv.iter().skip(start).any(plus)
            && form.flags.iter().any(|flag| flag.names.contains('+'));
        let mut index = start;
        while let Some(arg) = self.argv.get(index) {
            let ended = self.parsed.end_of_options.is_some()
                || form.grammar == Grammar::None
                || (form.grammar == Grammar::Posix && !self.parsed.operands.is_empty());
            if ended {
                self.parsed.operands.push(index);
                index += 1;
                continue;
            }
            match &arg.value {
                Value::Exact(text) if text == "--" => {
                    self.parsed.end_of_options = Some(index);
                    index += 1;
                }
                Value::Exact(_) if self.is_option(&arg.value) => index = self.read_option(index),
                Value::Prefix(text) if text.starts_with('-') => index = self.read_option(index),
                Value::Exact(_) => {
                    self.parsed.operands.push(index);
                    index += 1;
                }
                _ => {
                    if arg.may_be_option(self.plus) {
                        self.doubt(index);
                    }
                    self.parsed.operands.push(index);
                    index += 1;
                }
            }
        }
    }

    fn is_option(&self, value: &Value) -> bool {
        let Some(text) = value.exact() else {
            return false;
        };
        text.len() > 1
            && (text.starts_with('-') || (self.plus && text.starts_with('+')))
            && self.parsed.form.grammar != Grammar::None
    }

    /// Reads the option at `index` and its value; returns the index after them.
    fn read_option(&mut self, index: usize) -> usize {
        let (text, whole) = match self.argv.get(index).map(|arg| &arg.value) {
            Some(Value::Exact(text)) => (text.clone(), true),
            Some(Value::Prefix(text)) => (text.clone(), false),
            _ => return index + 1,
        };
        let text = text.as_str();
        let (name, attached) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let attached_value = attached.map(|value| match (whole, value) {
            (true, value) => Value::Exact(value.to_string()),
            (false, "") => Value::Unknown,
            (false, value) => Value::Prefix(value.to_string()),
        });
        if !whole && attached.is_none() {
            return self.read_open_short(index, text);
        }
        if let Some(flag) = self.flag(name) {
            return self.push(name, flag, attached_value, index);
        }
        let grammar = self.parsed.form.grammar;
        if grammar == Grammar::GnuCount
            && whole
            && text
                .strip_prefix('-')
                .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
        {
            self.parsed.options.push(ReadOption {
                name: "-NUM".to_string(),
                flag: None,
                value: text.get(1..).map(|digits| Value::Exact(digits.to_string())),
                index,
                value_index: Some(index),
            });
            return index + 1;
        }
        if name.starts_with("--") || grammar == Grammar::SingleDash {
            if let Some(flag) = self.abbreviated_effect(name) {
                return self.push(name, flag, attached_value, index);
            }
            self.unknown(name, index);
            return index + 1;
        }
        self.read_cluster(index, text, whole)
    }

    /// `-abc`: each letter an option, the last may take the rest or the next word as its value.
    fn read_cluster(&mut self, index: usize, text: &str, whole: bool) -> usize {
        let sign = text.chars().next().unwrap_or('-');
        let letters = text.char_indices().skip(1);
        for (at, letter) in letters {
            let mut name = String::from(sign);
            name.push(letter);
            let Some(flag) = self.flag(&name) else {
                self.unknown(&name, index);
                if self.parsed.form.any_flags {
                    continue;
                }
                return index + 1;
            };
            let rest = text.get(at + letter.len_utf8()..).unwrap_or("");
            if flag.value == FlagValue::None {
                self.push_read(&name, flag, None, index, None);
                continue;
            }
            let value = match (rest, whole) {
                ("", true) => None,
                ("", false) => Some(Value::Unknown),
                (rest, true) => Some(Value::Exact(rest.to_string())),
                (rest, false) => Some(Value::Prefix(rest.to_string())),
            };
            return self.push(&name, flag, value, index);
        }
        if !whole {
            // More letters may follow.
            self.doubt(index);
        }
        index + 1
    }

    /// `-n$x`, `--form$x`: only a short option with a value makes sense of an unknown rest.
    fn read_open_short(&mut self, index: usize, text: &str) -> usize {
        if text.starts_with("--")
            || text.len() < 2
            || self.parsed.form.grammar == Grammar::SingleDash
        {
            self.doubt(index);
            return index + 1;
        }
        self.read_cluster(index, text, false)
    }

    /// Records an option; takes its value from the next word when it needs one and has none.
    fn push(&mut self, name: &str, flag: Flag<'a>, attached: Option<Value>, index: usize) -> usize {
        if attached.is_some() || matches!(flag.value, FlagValue::None | FlagValue::OptionalString) {
            let place = attached.is_some().then_some(index);
            self.push_read(name, flag, attached, index, place);
            return index + 1;
        }
        let value = self.argv.get(index + 1).map(|arg| arg.value.clone());
        // An unquoted expansion may be no word or several: then what follows shifts. A known beginning makes it
        // at least one word, and the further ones begin like it.
        if let Some(Value::Many(text)) = &value
            && (text.is_empty() || text.starts_with('-'))
        {
            self.doubt(index + 1);
        }
        let place = value.is_some().then_some(index + 1);
        self.push_read(name, flag, value, index, place);
        index + 2
    }

    fn push_read(
        &mut self,
        name: &str,
        flag: Flag<'a>,
        value: Option<Value>,
        index: usize,
        value_index: Option<usize>,
    ) {
        self.parsed.options.push(ReadOption {
            name: name.to_string(),
            flag: Some(flag),
            value,
            index,
            value_index,
        });
    }

    fn unknown(&mut self, name: &str, index: usize) {
        self.parsed.unknown.push(index);
        self.parsed.unknown_names.push(name.to_string());
    }

    fn doubt(&mut self, index: usize) {
        if !self.parsed.form.any_flags || self.in_globals {
            self.parsed.uncertain.get_or_insert(index);
        }
    }

    fn flag(&mut self, name: &str) -> Option<Flag<'a>> {
        let spec = self.parsed.spec;
        let found = if self.in_globals {
            self.globals.flag(name).or_else(|| self.own.flag(name))
        } else {
            self.own.flag(name).or_else(|| {
                (spec.globals_anywhere || spec.subs.is_empty())
                    .then(|| self.globals.flag(name))
                    .flatten()
            })
        };
        if found.is_none() && self.parsed.form.grammar == Grammar::SingleDash {
            // Go's flag package takes one dash or two.
            let other = name.strip_prefix("--")?;
            return self.own.flag(name).or_else(|| {
                let mut single = String::from("-");
                single.push_str(other);
                self.own.flag(&single)
            });
        }
        found
    }

    /// GNU accepts any unambiguous beginning of a long option; one that may be an option with an effect is that.
    fn abbreviated_effect(&mut self, name: &str) -> Option<Flag<'a>> {
        if name.len() < 3 {
            return None;
        }
        self.own.effect(name)
    }
}

impl<'a> Spec<'a> {
    /// The subcommand with exactly these words, and whether a longer one may begin with them.
    fn match_words(&self, words: &[&str]) -> (Option<Sub<'a>>, bool) {
        let mut full: Option<Sub<'a>> = None;
        let mut open = false;
        for sub in self.subs.near(words.first().copied().unwrap_or_default()) {
            let mut parts = sub.words.split(' ');
            let fits = words
                .iter()
                .all(|word| parts.next().is_some_and(|part| word_fits(part, word)));
            if !fits {
                continue;
            }
            if parts.next().is_some() {
                open = true;
            } else if full.is_none() || !sub.words.contains('*') {
                full = Some(sub);
            }
        }
        (full, open)
    }
}

/// A word of a subcommand may end in `*` (`describe-*`).
fn word_fits(part: &str, word: &str) -> bool {
    match part.strip_suffix('*') {
        Some(start) => word.starts_with(start) && !word.starts_with('-'),
        None => part == word,
    }
}

#[cfg(test)]
mod tests;
