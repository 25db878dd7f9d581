//! The generic judgement of one invocation by its form: options, operands, effects.

use alloc::{format, string::String};

use super::{Judgement, assignments, called, model::Why, paths, places};
use crate::{
    command::model::{Arg, Invocation, Value},
    diagnostic::Code,
    effect::{Effect, Touch},
    facts::{Facts, Platform},
    span::Span,
    specs::{
        model::{FlagValue, Form, Operand},
        options::Parsed,
    },
};

mod value;

/// One invocation and its form.
pub(super) struct FormJudge<'a> {
    invocation: &'a Invocation,
    parsed: &'a Parsed<'a>,
    facts: &'a Facts,
}

impl<'a> FormJudge<'a> {
    pub(super) fn new(
        invocation: &'a Invocation,
        parsed: &'a Parsed<'a>,
        facts: &'a Facts,
    ) -> Self {
        Self {
            invocation,
            parsed,
            facts,
        }
    }

    fn form(&self) -> Form<'a> {
        self.parsed.form
    }

    fn arg(&self, index: usize) -> Option<&'a Arg> {
        self.invocation.argv.get(index)
    }

    fn span(&self, index: usize) -> Span {
        self.arg(index).map_or(self.invocation.span, |arg| arg.span)
    }

    /// The command with its subcommand, for messages.
    fn name(&self) -> String {
        let name = called(self.invocation, self.parsed);
        match self.parsed.sub {
            Some(sub) => format!("{name} {}", sub.words),
            None => name.into(),
        }
    }

    /// Options with effects veto before anything else is looked at.
    pub(super) fn judge_acting_options(&self, judgement: &mut Judgement) {
        for option in &self.parsed.options {
            let Some((flag, effect)) = option.flag.and_then(|flag| Some((flag, flag.effect?)))
            else {
                continue;
            };
            let value = option.value.as_ref();
            if flag.value == FlagValue::OutPath
                && value
                    .and_then(Value::exact)
                    .is_some_and(places::is_harmless_device)
            {
                continue;
            }
            let span = self.span(option.index);
            let touch = match (flag.value, value) {
                (FlagValue::OutPath | FlagValue::Path, Some(value)) => {
                    paths::touch(value, effect, &self.invocation.cwd, self.facts)
                }
                (_, value) => Touch {
                    effect,
                    target: value
                        .filter(|_| effect == Effect::Network)
                        .and_then(Value::exact)
                        .map(Into::into),
                    place: None,
                },
            };
            // An in-place edit writes the operands; `judge_operands` says which.
            if !(self.edits_in_place() && touch.target.is_none() && effect == Effect::Write) {
                judgement.touch(touch, span);
            }
            let does = match effect {
                Effect::Read => "reads more than the text names",
                Effect::Write => "writes",
                Effect::Delete => "deletes",
                Effect::Network => "connects",
                Effect::Exec => "runs something",
                Effect::Process => "acts on processes",
                Effect::System => "changes the system",
            };
            judgement.refuse(
                Code::CommandFlagEffect,
                format!("`{}` of `{}` {does}", option.name, self.name()),
                span,
            );
        }
    }

    /// An option says that the files read are written back (`sed -i`): one that writes and names no file.
    fn edits_in_place(&self) -> bool {
        self.parsed.options.iter().any(|option| {
            option.flag.is_some_and(|flag| {
                flag.effect == Some(Effect::Write) && flag.value != FlagValue::OutPath
            })
        }) && self.form().operands.kinds.contains(&Operand::Read)
    }

    /// On Windows any word, elsewhere only paths, may not name another machine.
    pub(super) fn judge_unc(&self, judgement: &mut Judgement) {
        let windows = self.facts.platform == Platform::Windows;
        let count = self.parsed.operands.len();
        let dropped = self.dropped();
        for (index, arg) in self.invocation.argv.iter().enumerate().skip(1) {
            // A pattern is enough: to match it the share is read.
            let known = Some(arg.value.known_prefix());
            let Some(text) = known.filter(|text| paths::is_unc(text)) else {
                continue;
            };
            let is_path = || {
                self.parsed
                    .operands
                    .iter()
                    .position(|&operand| operand == index)
                    .is_some_and(|position| {
                        let kind = self.form().operands.kind_at(position, count, dropped);
                        self.form().any_flags
                            || !matches!(kind, Some(Operand::Text | Operand::OneOf(_)))
                    })
            };
            if windows || is_path() {
                let why = Why {
                    code: Code::CommandUnc,
                    message: format!(
                        "`{text}` may name another machine, which would be told who asks"
                    ),
                    span: arg.span,
                };
                judgement.guarded.get_or_insert_with(|| why.clone());
                judgement.refusals.push(why);
                return;
            }
        }
    }

    /// The whole command only asks the tool about itself: `--version`, `--help`; `--version --verbose` where `-vV` is known.
    pub(super) fn only_informs(&self) -> bool {
        let own_words = if self.parsed.sub.is_some() {
            self.parsed.start
        } else {
            1
        };
        let mut rest = self.invocation.argv.iter().skip(own_words);
        let mut next = || rest.next().map(|arg| arg.value.exact());
        let informs = |word: &str| self.form().info.split(' ').any(|info| info == word);
        match (next(), next(), next()) {
            (Some(Some(word)), None, _) => informs(word),
            (Some(Some("--version" | "-V")), Some(Some("--verbose" | "-v")), None) => {
                informs("-vV") && self.parsed.sub.is_none()
            }
            _ => false,
        }
    }

    /// Subcommand, effects, options and operands.
    pub(super) fn judge(&self, judgement: &mut Judgement) {
        if self.only_informs() {
            return;
        }
        let form = self.form();
        if let Some(index) = self.parsed.unknown_sub {
            let word = self.arg(index).and_then(|arg| arg.value.exact());
            let message = match word {
                Some(word) => format!("`{} {word}` is not known to be read-only", self.name()),
                None => format!(
                    "which subcommand of `{}` runs is only known when it runs",
                    self.name()
                ),
            };
            judgement.refuse(Code::CommandSub, message, self.span(index));
            return;
        }
        self.judge_operands(judgement);
        self.judge_effects(judgement);
        self.read_named_files(judgement);
        for option in &self.parsed.options {
            self.judge_taken(option, judgement);
        }
        if form.any_flags {
            return;
        }
        for (&index, name) in self.parsed.unknown.iter().zip(&self.parsed.unknown_names) {
            judgement.refuse(
                Code::CommandFlag,
                format!("`{name}` of `{}` is not known to be harmless", self.name()),
                self.span(index),
            );
        }
        for option in &self.parsed.options {
            self.judge_value(option, judgement);
        }
        if let Some(index) = self.parsed.uncertain {
            let pattern = self
                .arg(index)
                .filter(|arg| arg.matched && matches!(arg.value, Value::Many(_)))
                .and_then(|arg| arg.shapes.first());
            let name = self.name();
            let message = match pattern {
                Some(it) => format!("`{it}` may match an option of `{name}`; `./{it}` cannot"),
                None => format!("a word only known at run time could be an option of `{name}`"),
            };
            judgement.refuse(Code::CommandUnknownWord, message, self.span(index));
        }
    }

    fn judge_effects(&self, judgement: &mut Judgement) {
        let form = self.form();
        for effect in form.effects.iter() {
            let told = judgement
                .touches
                .iter()
                .any(|(touch, _)| touch.effect == effect);
            if !told {
                judgement.touch(
                    Touch {
                        effect,
                        target: None,
                        place: None,
                    },
                    self.invocation.span,
                );
            }
        }
        if form.read_only {
            return;
        }
        let span = self.span(0);
        let name = self.name();
        if form.wrapper.is_some_and(|wrapper| wrapper.privileged) {
            judgement.refuse(
                Code::CommandPrivileged,
                format!("`{name}` runs a command with other rights"),
                span,
            );
        } else if form.effects.first() == Some(Effect::Network) {
            judgement.refuse(
                Code::CommandNetwork,
                format!("`{name}` talks to another machine"),
                span,
            );
        } else if form.effects.iter().all(|effect| effect == Effect::Read) {
            judgement.refuse(
                Code::CommandSub,
                format!("`{name}` is not known to be read-only"),
                span,
            );
        } else {
            let does = match form.effects.first() {
                Some(Effect::Write) => "writes files",
                Some(Effect::Delete) => "removes files",
                Some(Effect::Exec) => "runs code that is not named in the text",
                Some(Effect::Process) => "acts on processes",
                _ => "changes the system",
            };
            judgement.refuse(Code::CommandEffect, format!("`{name}` {does}"), span);
        }
    }

    fn dropped(&self) -> bool {
        let by = &self.form().operands.dropped_by;
        !by.is_empty() && self.parsed.has(by)
    }

    fn judge_operands(&self, judgement: &mut Judgement) {
        let form = self.form();
        let operands = &form.operands;
        if form.wrapper.is_some_and(|wrapper| wrapper.assignments)
            && self.parsed.wrapped(&self.invocation.argv).is_none()
        {
            judgement.refuse(
                Code::CommandOperand,
                format!(
                    "`{}` alone prints the environment, which may hold secrets",
                    self.name()
                ),
                self.invocation.span,
            );
        }
        if form.wrapper.is_some() || (form.any_flags && operands.kinds.is_empty()) {
            return;
        }
        let dropped = self.dropped();
        if let Some(arg) = self
            .parsed
            .operands
            .first()
            .and_then(|&index| self.arg(index))
            && !operands.only_with.is_empty()
            && !self.parsed.has(operands.only_with)
        {
            judgement.refuse(
                Code::CommandOperand,
                format!("`{}` with a name changes something", self.name()),
                arg.span,
            );
        }
        let in_place = self.edits_in_place();
        let count = self.parsed.operands.len();
        let shifting = self.parsed.operands.iter().any(|&index| {
            self.arg(index)
                .is_some_and(|arg| matches!(arg.value, Value::Many(_)))
        });
        // With an unknown number of words any of them may stand anywhere.
        let plain = operands.repeat.is_some()
            && operands
                .kinds
                .iter()
                .all(|kind| matches!(kind, Operand::Text | Operand::Read));
        for (position, &index) in self.parsed.operands.iter().enumerate() {
            let Some(arg) = self.arg(index) else { continue };
            let Some(kind) = operands.kind_at(position, count, dropped) else {
                judgement.refuse(
                    Code::CommandOperand,
                    match arg.value.exact() {
                        Some(word) => format!(
                            "`{}` is not known to be harmless with `{word}`",
                            self.name()
                        ),
                        None => format!(
                            "`{}` is not known to be harmless with that many words",
                            self.name()
                        ),
                    },
                    arg.span,
                );
                continue;
            };
            let kind = if in_place && kind == Operand::Read {
                Operand::Write
            } else {
                kind
            };
            self.judge_operand(kind, arg, judgement);
        }
        if shifting && !plain && form.read_only {
            judgement.refuse(
                Code::CommandUnknownWord,
                format!(
                    "how many words `{}` gets is only known when it runs",
                    self.name()
                ),
                self.invocation.span,
            );
        }
        if count < usize::from(operands.min) {
            judgement.refuse(
                Code::CommandOperand,
                format!(
                    "`{}` is not known to be harmless without further words",
                    self.name()
                ),
                self.invocation.span,
            );
        }
    }

    fn judge_operand(&self, kind: Operand<'_>, arg: &Arg, judgement: &mut Judgement) {
        let form = self.form();
        let refuse = |judgement: &mut Judgement, code: Code, does: &str| {
            // What writes by its nature says so in `judge_effects`.
            if form.read_only {
                let word = arg.value.exact().unwrap_or("…");
                judgement.refuse(code, format!("`{}` {does} `{word}`", self.name()), arg.span);
            }
        };
        let touch = |effect| paths::touch_word(arg, effect, &self.invocation.cwd, self.facts);
        match kind {
            Operand::Text => {}
            Operand::Assignment => self.judge_assignment(arg, judgement),
            Operand::Read if arg.value.exact() == Some("-") => {}
            Operand::Read => judgement.touch(touch(Effect::Read), arg.span),
            Operand::Write if arg.value.exact().is_some_and(places::is_harmless_device) => {}
            Operand::Write => {
                judgement.touch(touch(Effect::Write), arg.span);
                refuse(judgement, Code::CommandEffect, "writes");
            }
            Operand::Delete => {
                judgement.touch(touch(Effect::Delete), arg.span);
                refuse(judgement, Code::CommandEffect, "removes");
            }
            Operand::Host => {
                judgement.touch(
                    Touch {
                        effect: Effect::Network,
                        target: arg.value.exact().map(Into::into),
                        place: None,
                    },
                    arg.span,
                );
                if !form.effects.contains(&Effect::Network) {
                    refuse(judgement, Code::CommandOperand, "contacts");
                }
            }
            Operand::OneOf(words) => {
                let known = |text: &str| words.split('|').any(|word| word == text);
                let fits = match &arg.value {
                    Value::Exact(text) => known(text),
                    Value::OneOf(all) => all.iter().all(|text| known(text)),
                    _ => false,
                };
                if !fits {
                    judgement.refuse(
                        Code::CommandOperand,
                        format!(
                            "`{}` is known to be harmless only with one of `{words}` here",
                            self.name()
                        ),
                        arg.span,
                    );
                }
            }
        }
    }

    /// The files that safe options name.
    fn read_named_files(&self, judgement: &mut Judgement) {
        for option in &self.parsed.options {
            let (Some(flag), Some(value)) = (option.flag, &option.value) else {
                continue;
            };
            if flag.value == FlagValue::Path && flag.effect.is_none() {
                judgement.touch(
                    paths::touch(value, Effect::Read, &self.invocation.cwd, self.facts),
                    self.span(option.value_index.unwrap_or(option.index)),
                );
            }
        }
    }

    /// `export NAME=VALUE`, `read NAME`: a subscript in the name would be evaluated.
    fn judge_assignment(&self, arg: &Arg, judgement: &mut Judgement) {
        let text = arg.value.known_prefix();
        let (name, known) = match text.split_once('=') {
            Some((name, _)) => (name.strip_suffix('+').unwrap_or(name), true),
            None => (text, arg.value.exact().is_some()),
        };
        if !known {
            judgement.refuse(
                Code::CommandUnknownWord,
                format!(
                    "which variable `{}` sets is only known when it runs",
                    self.name()
                ),
                arg.span,
            );
        } else if !assignments::is_name(name) || !assignments::passes(name, true) {
            judgement
                .refusals
                .push(assignments::refusal(name, arg.span));
        }
    }
}
