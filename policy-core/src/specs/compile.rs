//! Checks a spec document and makes a [`Spec`] of it.
//!
//! Every mistake is reported with the field it is in; a spec with mistakes does not exist. What is promised of a
//! compiled spec: spellings are unique within a form, a form that accepts any flag has no safe ones, sets and
//! checks that are named exist, there is a manual and there are examples of both kinds.
//! Shared by the build script (built-in specs) and the run time (a user's own).

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use super::{
    draft::{Flag, Form, Operand, Operands, Spec, Sub},
    model::{FlagValue, Grammar, Kind, Runs, Wrapper},
    raw::{
        OneOrMany, RawFlags, RawGrammar, RawRefuse, RawRuns, RawSet, RawSpec, RawSub, RawWrapper,
    },
};
use crate::{
    effect::Effect,
    sorted::{self, Map, Set},
};

/// A mistake in a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The key it is in: `sub log: flags`.
    pub field: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.field, self.message)
    }
}

/// Compiles a document. `checks` are the names a `check` may have (`None`: not looked at, the caller does).
///
/// # Errors
/// All mistakes found.
pub fn compile(raw: &RawSpec, checks: Option<&[&str]>) -> Result<Spec, Vec<Fault>> {
    let mut compiler = Compiler {
        sets: &raw.sets,
        checks,
        faults: Vec::new(),
        place: String::new(),
    };
    let spec = compiler.spec(raw);
    if compiler.faults.is_empty() {
        Ok(spec)
    } else {
        Err(compiler.faults)
    }
}

struct Compiler<'a> {
    sets: &'a Map<String, RawSet>,
    checks: Option<&'a [&'a str]>,
    faults: Vec<Fault>,
    /// `sub log: ` while inside one.
    place: String,
}

/// The keys that the root and a subcommand have in common.
struct RawForm<'a> {
    kind: Kind,
    grammar: RawGrammar,
    any_flags: bool,
    read_only: Option<bool>,
    effects: &'a [Effect],
    check: Option<&'a str>,
    info: &'a [String],
    uses: &'a [String],
    flags: &'a RawFlags,
    refuse: &'a RawRefuse,
    choices: &'a Map<String, String>,
    operands: &'a [String],
    dropped_by: &'a [String],
    only_with: &'a [String],
    wrapper: Option<RawWrapper>,
}

impl Compiler<'_> {
    fn fault(&mut self, field: &str, message: impl Into<String>) {
        self.faults.push(Fault {
            field: format!("{}{field}", self.place),
            message: message.into(),
        });
    }

    fn spec(&mut self, raw: &RawSpec) -> Spec {
        self.name("name", &raw.name);
        let mut names = Set::new();
        names.insert(raw.name.as_str());
        for alias in &raw.aliases {
            self.name("aliases", alias);
            if !names.insert(alias) {
                self.fault("aliases", format!("`{alias}` is named twice"));
            }
        }
        for (field, text) in [("summary", &raw.summary), ("manual", &raw.manual)] {
            if text.trim().is_empty() || text.contains('\n') {
                self.fault(field, "one line of text is needed");
            }
        }
        let root = self.form(&RawForm {
            kind: raw.kind,
            grammar: raw.grammar.unwrap_or(RawGrammar::Gnu),
            any_flags: raw.any_flags,
            read_only: raw.read_only,
            effects: &raw.effects,
            check: raw.check.as_deref(),
            info: &raw.info,
            uses: &raw.uses,
            flags: &raw.flags,
            refuse: &raw.refuse,
            choices: &raw.choices,
            operands: &raw.operands,
            dropped_by: &raw.dropped_by,
            only_with: &raw.operands_only_with,
            wrapper: raw.wrapper,
        });
        if !raw.sub.is_empty() && !raw.operands.is_empty() {
            self.fault(
                "operands",
                "a command with subcommands has none: make the word a subcommand",
            );
        }
        let globals = self.flags(
            "globals",
            &raw.globals.uses,
            &raw.globals.flags,
            &raw.globals.refuse,
            &raw.globals.choices,
        );
        let mut subs = Vec::new();
        for sub in &raw.sub {
            self.sub(raw, sub, &mut subs);
        }
        sorted::sort_by(&mut subs, |left, right| left.words.cmp(&right.words));
        let twice: Vec<String> = subs
            .iter()
            .zip(subs.iter().skip(1))
            .filter(|(left, right)| left.words == right.words)
            .map(|(left, _)| left.words.to_string())
            .collect();
        for words in twice {
            self.fault("sub", format!("`{words}` is described twice"));
        }
        let can_be_read_only = root.read_only
            || !root.info.is_empty()
            || subs
                .iter()
                .any(|sub| sub.form.read_only || !sub.form.info.is_empty());
        let examples = raw.examples.as_ref();
        let read_only = self.examples(
            "examples.readOnly",
            examples.and_then(|examples| examples.read_only.as_deref()),
            can_be_read_only,
        );
        let not_read_only = self.examples(
            "examples.notReadOnly",
            examples.and_then(|examples| examples.not_read_only.as_deref()),
            true,
        );
        Spec {
            name: raw.name.clone(),
            aliases: raw.aliases.clone(),
            summary: raw.summary.clone(),
            manual: raw.manual.clone(),
            root,
            globals,
            globals_anywhere: raw.globals.anywhere,
            subs,
            examples_read_only: read_only,
            examples_not_read_only: not_read_only,
        }
    }

    fn name(&mut self, field: &str, name: &str) {
        if name.is_empty() || name.contains(|letter: char| letter == '/' || letter.is_whitespace())
        {
            self.fault(field, format!("`{name}` is no command name"));
        }
    }

    fn examples(&mut self, field: &str, list: Option<&[String]>, needed: bool) -> Vec<String> {
        match list {
            None => self.fault(field, "missing: every spec has examples of both kinds"),
            Some([]) if needed => self.fault(field, "empty: every spec has examples of both kinds"),
            Some(_) => {}
        }
        let mut seen = Set::new();
        for example in list.unwrap_or_default() {
            if !seen.insert(example) {
                self.fault(field, format!("`{example}` stands there twice"));
            }
        }
        list.unwrap_or_default().to_vec()
    }

    fn sub(&mut self, raw: &RawSpec, sub: &RawSub, subs: &mut Vec<Sub>) {
        let all = match &sub.words {
            OneOrMany::One(words) => core::slice::from_ref(words),
            OneOrMany::Many(all) => all.as_slice(),
        };
        if all.is_empty() {
            self.fault("sub", "`words` is empty");
        }
        self.place = format!("sub {}: ", all.first().map_or("", String::as_str));
        let form = self.form(&RawForm {
            kind: sub.kind.unwrap_or(raw.kind),
            grammar: sub.grammar.or(raw.grammar).unwrap_or(RawGrammar::Gnu),
            any_flags: sub.any_flags,
            read_only: sub.read_only,
            effects: &sub.effects,
            check: sub.check.as_deref(),
            info: &sub.info,
            uses: &sub.uses,
            flags: &sub.flags,
            refuse: &sub.refuse,
            choices: &sub.choices,
            operands: &sub.operands,
            dropped_by: &sub.dropped_by,
            only_with: &sub.operands_only_with,
            wrapper: sub.wrapper,
        });
        for words in all {
            if words
                .split(' ')
                .any(|word| word.is_empty() || word.starts_with('-'))
            {
                self.fault(
                    "words",
                    format!("`{words}` is not words with one space between"),
                );
            }
            subs.push(Sub {
                words: words.to_string(),
                form: form.clone(),
            });
        }
        self.place.clear();
    }

    fn form(&mut self, raw: &RawForm<'_>) -> Form {
        let flags = self.flags("flags", raw.uses, raw.flags, raw.refuse, raw.choices);
        let dead = |flag: &&Flag| flag.effect.is_none() && flag.value == FlagValue::None;
        if raw.any_flags
            && let Some(flag) = flags.iter().find(dead)
        {
            self.fault(
                "flags",
                format!(
                    "`{}` is dead where `anyFlags` is set: only flags with a value count there",
                    flag.names
                ),
            );
        }
        if let (Some(check), Some(known)) = (raw.check, self.checks)
            && !known.contains(&check)
        {
            self.fault("check", format!("there is no check `{check}`"));
        }
        for flag in raw.info.iter().chain(raw.dropped_by).chain(raw.only_with) {
            if !flag.starts_with(['-', '+']) || flag.contains(' ') {
                self.fault("info", format!("`{flag}` is not one option"));
            }
        }
        let privileged = raw.wrapper.is_some_and(|wrapper| wrapper.privileged);
        let harmless = raw.effects.iter().all(|effect| *effect == Effect::Read);
        let read_only = raw.read_only.unwrap_or(harmless && !privileged);
        let contradicts = |effect: &&Effect| !matches!(effect, Effect::Read | Effect::Network);
        if read_only && let Some(effect) = raw.effects.iter().find(contradicts) {
            self.fault("readOnly", format!("contradicts the effect {effect:?}"));
        }
        if read_only && privileged {
            self.fault("readOnly", "a privileged wrapper is never read-only");
        }
        let operands = self.operands(raw);
        Form {
            kind: raw.kind,
            effects: raw.effects.to_vec(),
            read_only,
            grammar: match raw.grammar {
                RawGrammar::Gnu => Grammar::Gnu,
                RawGrammar::Posix => Grammar::Posix,
                RawGrammar::GnuCount => Grammar::GnuCount,
                RawGrammar::SingleDash => Grammar::SingleDash,
                RawGrammar::None => Grammar::None,
            },
            any_flags: raw.any_flags,
            flags,
            operands,
            info: raw.info.join(" "),
            wrapper: raw.wrapper.map(|wrapper| Wrapper {
                skip: wrapper.skip,
                assignments: wrapper.assignments,
                runs: match wrapper.runs {
                    RawRuns::Argv => Runs::Argv,
                    RawRuns::ArgvAndMore => Runs::ArgvAndMore,
                    RawRuns::ShellText => Runs::ShellText,
                },
                privileged: wrapper.privileged,
            }),
            check: raw.check.map(ToString::to_string),
        }
    }

    fn operands(&mut self, raw: &RawForm<'_>) -> Operands {
        let mut kinds = Vec::new();
        let mut repeat = None;
        let mut min = 0;
        for (index, word) in raw.operands.iter().enumerate() {
            let (word, mark) = match word.strip_suffix(['*', '+', '!']) {
                Some(rest) => (rest, word.chars().next_back()),
                None => (word.as_str(), None),
            };
            match mark {
                Some('!') => min += 1,
                Some(mark) => {
                    if repeat.is_some() {
                        self.fault("operands", "only one kind can repeat");
                    }
                    repeat = u8::try_from(index).ok();
                    min += u8::from(mark == '+');
                }
                None => {}
            }
            kinds.push(match word {
                "text" => Operand::Text,
                "read" => Operand::Read,
                "write" => Operand::Write,
                "delete" => Operand::Delete,
                "host" => Operand::Host,
                "assignment" => Operand::Assignment,
                _ => match word.strip_prefix('=') {
                    Some(words) if !words.is_empty() => Operand::OneOf(words.to_string()),
                    _ => {
                        self.fault("operands", format!("`{word}` is no kind of operand"));
                        Operand::Text
                    }
                },
            });
        }
        Operands {
            kinds,
            repeat,
            min,
            dropped_by: raw.dropped_by.join(" "),
            only_with: raw.only_with.join(" "),
        }
    }

    fn flags(
        &mut self,
        field: &str,
        uses: &[String],
        flags: &RawFlags,
        refuse: &RawRefuse,
        choices: &Map<String, String>,
    ) -> Vec<Flag> {
        let mut all = Vec::new();
        self.own_flags(field, flags, refuse, choices, &mut all);
        self.used_flags(uses, 0, &mut all);
        sorted::sort_by(&mut all, |left, right| left.names.cmp(&right.names));
        let mut spellings = Set::new();
        let twice: Vec<String> = all
            .iter()
            .flat_map(|flag| flag.names.split(' '))
            .filter(|name| !spellings.insert(name.to_string()))
            .map(ToString::to_string)
            .collect();
        for name in twice {
            self.fault(field, format!("`{name}` is listed twice"));
        }
        all
    }

    fn used_flags(&mut self, uses: &[String], depth: usize, all: &mut Vec<Flag>) {
        if depth > 8 {
            self.fault("use", "the sets hold each other");
            return;
        }
        for name in uses {
            let sets = self.sets;
            let Some(set) = sets.get(name) else {
                self.fault("use", format!("there is no set `{name}`"));
                continue;
            };
            self.own_flags(
                &format!("sets.{name}"),
                &set.flags,
                &set.refuse,
                &set.choices,
                all,
            );
            self.used_flags(&set.uses, depth + 1, all);
        }
    }

    fn own_flags(
        &mut self,
        field: &str,
        flags: &RawFlags,
        refuse: &RawRefuse,
        choices: &Map<String, String>,
        all: &mut Vec<Flag>,
    ) {
        let from = all.len();
        let safe = [
            (&flags.none, FlagValue::None),
            (&flags.number, FlagValue::Number),
            (&flags.string, FlagValue::String),
            (&flags.optional, FlagValue::OptionalString),
            (&flags.char, FlagValue::Char),
            (&flags.path, FlagValue::Path),
            (&flags.name, FlagValue::Name),
            (&flags.braces, FlagValue::Braces),
            (&flags.eof, FlagValue::Eof),
        ];
        for (entry, value) in safe
            .iter()
            .flat_map(|(list, value)| list.iter().map(move |entry| (entry, *value)))
        {
            self.spellings(field, entry);
            all.push(flag(entry, value, None));
        }
        let acting = [
            (&refuse.read, Effect::Read),
            (&refuse.write, Effect::Write),
            (&refuse.delete, Effect::Delete),
            (&refuse.exec, Effect::Exec),
            (&refuse.network, Effect::Network),
            (&refuse.process, Effect::Process),
            (&refuse.system, Effect::System),
        ];
        for (entry, effect) in acting
            .iter()
            .flat_map(|(list, effect)| list.iter().map(move |entry| (entry, *effect)))
        {
            let (names, value) = match entry.rsplit_once(' ') {
                Some((names, "PATH")) if effect == Effect::Write => (names, FlagValue::OutPath),
                Some((names, "PATH")) => (names, FlagValue::Path),
                Some((names, "VALUE")) => (names, FlagValue::String),
                Some((names, "[VALUE]")) => (names, FlagValue::OptionalString),
                _ => (entry.as_str(), FlagValue::None),
            };
            self.spellings("refuse", names);
            all.push(flag(names, value, Some(effect)));
        }
        for (name, allowed) in choices {
            let owner = all
                .iter_mut()
                .skip(from)
                .find(|flag| flag.names.split(' ').any(|known| known == name));
            match owner {
                Some(flag) if flag.value != FlagValue::None => flag.allowed = allowed.to_string(),
                _ => self.fault("choices", format!("`{name}` is no flag with a value here")),
            }
        }
    }

    fn spellings(&mut self, field: &str, names: &str) {
        let wrong =
            |name: &str| !name.starts_with(['-', '+']) || name.len() < 2 || name.contains('=');
        if let Some(name) = names.split(' ').find(|name| wrong(name)) {
            self.fault(field, format!("`{name}` in `{names}` is no option"));
        }
    }
}

fn flag(names: &str, value: FlagValue, effect: Option<Effect>) -> Flag {
    Flag {
        names: names.to_string(),
        value,
        effect,
        allowed: String::new(),
    }
}
