//! Invocations × specs × facts → findings: what each invocation does and whether it only reads.
//!
//! Order of judgement: the tool's identity; options that act; assignments; redirects; privileged wrappers; UNC paths;
//! git; then subcommand, effects, options, operands by the spec, and the spec's own check. The first refusal is the
//! reason; touches are collected from all. Nothing here knows rules or modes, and one invocation is judged by itself:
//! hazards of the text and the commands nested in it are others' to add.

mod assignments;
pub mod check;
mod destinations;
mod elsewhere;
mod form;
mod git;
mod guard;
mod identity;
mod index;
pub mod model;
mod paths;
mod places;
pub mod redirects;
pub mod special;
mod stripped;

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

pub use elsewhere::runs_elsewhere;
pub(crate) use git::NO_TRANSPORT;
use model::{Finding, Why};

use crate::{
    command::model::{Arg, Assign, Invocation, Program, Site, Value},
    diagnostic::Code,
    effect::{Effect, Touch},
    facts::Facts,
    limits,
    span::Span,
    specs::{
        SpecSet,
        model::{Flag, FlagValue, Kind, Spec},
        options,
    },
};

/// Judges the invocation at `index` of `program`; `None` when there is no such invocation.
#[must_use]
pub fn classify(
    program: &Program,
    index: usize,
    facts: &Facts,
    specs: &SpecSet,
) -> Option<Finding> {
    let invocation = program.invocations.get(index)?;
    let mut judgement = Judgement::default();
    let kind = judgement.judge(program, invocation, facts, specs);
    Some(judgement.finish(invocation.span, kind, facts))
}

/// Judges the redirects that belong to no invocation (of a compound command, bare ones); `None` when there are none.
#[must_use]
pub fn classify_redirects(program: &Program, facts: &Facts) -> Option<Finding> {
    let span = program
        .redirects
        .iter()
        .map(|redirect| redirect.span)
        .reduce(Span::to)?;
    let found = redirects::judge(&program.redirects, facts);
    let judgement = Judgement {
        refusals: found.refusal.into_iter().collect(),
        touches: found.touches,
        ..Judgement::default()
    };
    Some(judgement.finish(span, Kind::Neutral, facts))
}

/// Whether a variable of this name may be set before any command: it changes no code that runs.
#[must_use]
pub fn is_harmless_variable(name: &str) -> bool {
    assignments::passes(name, false)
}

/// What is found, as it is collected.
#[derive(Default)]
struct Judgement {
    /// Refusals in the order of judgement.
    refusals: Vec<Why>,
    touches: Vec<(Touch, Span)>,
    guarded: Option<Why>,
    conditions: BTreeMap<String, String>,
    /// A check stands against it, which need not say all that is touched.
    unsaid: bool,
}

impl Judgement {
    fn refuse(&mut self, code: Code, message: impl Into<String>, span: Span) {
        self.refusals.push(Why {
            code,
            message: message.into(),
            span,
        });
    }

    fn touch(&mut self, touch: Touch, span: Span) {
        self.touches.push((touch, span));
    }

    fn judge(
        &mut self,
        program: &Program,
        invocation: &Invocation,
        facts: &Facts,
        specs: &SpecSet,
    ) -> Kind {
        let redirects = redirects::judge(&invocation.redirects, facts);
        let Some(first) = invocation.argv.first() else {
            // A bare assignment changes only the shell's own variables; influential ones are hazards of the text.
            self.judge_assignments(&invocation.assignments, "", true);
            self.add_redirects(redirects);
            return Kind::Neutral;
        };
        let spec = match first.value.exact() {
            None => {
                self.refuse(
                    Code::ShellDynamicCommand,
                    "which command runs is only known when it runs",
                    first.span,
                );
                None
            }
            Some(word) => {
                match identity::identify(word, facts.platform) {
                    None => {
                        self.refuse(
                        Code::CommandByPath,
                        format!("`{word}` is named by a path, so it need not be the tool of that name"),
                        first.span,
                    );
                        None
                    }
                    Some(name) => {
                        let spec = specs.find(&name);
                        if spec.is_none() {
                            self.refuse(
                                Code::CommandUnknown,
                                format!("nothing is known of `{name}`"),
                                first.span,
                            );
                        }
                        spec
                    }
                }
            }
        };
        let Some(spec) = spec else {
            self.add_redirects(redirects);
            guard::judge_outputs(self, invocation, facts);
            return Kind::Unknown;
        };
        let parsed = read_own(spec, &invocation.argv);
        let form = form::FormJudge::new(invocation, &parsed, facts);
        form.judge_acting_options(self);
        let own = own_assignments(program, invocation);
        let tool = called(invocation, &parsed);
        self.judge_assignments(&own, tool, true);
        self.judge_assignments(
            &effective_assignments(program, invocation),
            tool,
            is_plain(spec),
        );
        self.refusals.extend(redirects.refusal);
        form.judge_unc(self);
        if spec.name == "git" {
            git::judge(self, invocation, &parsed, facts);
        }
        form.judge(self);
        if !form.only_informs() {
            self.run_check(invocation, &parsed, facts, specs);
        }
        // After what the command itself does, so that a file for its output does not stand for what it writes.
        self.touches.extend(redirects.touches);
        destinations::judge(self, invocation, &parsed, facts);
        stripped::judge(self, program, invocation, specs);
        guard::judge_removals(self, invocation, &parsed, facts);
        guard::judge_searches(self, invocation, &parsed, facts);
        if !self.refusals.is_empty() {
            guard::judge_outputs(self, invocation, facts);
        }
        parsed.form.kind
    }

    fn add_redirects(&mut self, redirects: redirects::Redirects) {
        self.touches.extend(redirects.touches);
        self.refusals.extend(redirects.refusal);
    }

    fn judge_assignments(&mut self, assigns: &[Assign], tool: &str, plain: bool) {
        if let Err(why) = assignments::judge(assigns, tool, plain) {
            self.refusals.push(why);
        }
    }

    fn run_check(
        &mut self,
        invocation: &Invocation,
        parsed: &options::Parsed<'_>,
        facts: &Facts,
        specs: &SpecSet,
    ) {
        let Some(name) = parsed.form.check else {
            return;
        };
        let Some(check) = special::lookup(name) else {
            self.refuse(
                Code::CommandScript,
                format!("the check `{name}` is not there"),
                invocation.span,
            );
            return;
        };
        let input = check::CheckInput {
            invocation,
            parsed,
            facts,
            specs,
        };
        match check(&input) {
            Ok(touches) => {
                let conditions = match name {
                    "pager" if special::pager::is_needed(&input) => special::pager::CONDITIONS,
                    "mlrVerbs" => special::inputs::NO_MLRRC,
                    "brewName" => special::service::NO_UPDATE,
                    _ => &[],
                };
                let conditions = conditions.iter();
                self.conditions
                    .extend(conditions.map(|&(name, value)| (name.into(), value.into())));
                for touch in touches {
                    self.check_touched(touch, invocation, parsed, facts);
                }
            }
            Err(why) => {
                self.refusals.push(why);
                self.unsaid = true;
            }
        }
    }

    /// Nothing but files that are named, written or removed, stands against it so far.
    fn only_writes(&self) -> bool {
        let writes = |code| {
            matches!(
                code,
                Code::CommandEffect | Code::CommandFlagEffect | Code::RedirectWrite
            )
        };
        !self.unsaid && self.refusals.iter().all(|why| writes(why.code))
    }

    /// What a check found to be touched: a path gets its place, and all but reading stands against the invocation.
    fn check_touched(
        &mut self,
        touch: Touch,
        invocation: &Invocation,
        parsed: &options::Parsed<'_>,
        facts: &Facts,
    ) {
        let name = called(invocation, parsed);
        let on_path = matches!(touch.effect, Effect::Read | Effect::Write | Effect::Delete);
        let touch = if on_path && touch.place.is_none() {
            let value = touch.target.map_or(Value::Unknown, Value::Exact);
            paths::touch(&value, touch.effect, &invocation.cwd, facts)
        } else {
            touch
        };
        let shown = touch.target.as_deref();
        let does = match touch.effect {
            Effect::Read | Effect::Network => None,
            Effect::Write => Some("writes"),
            Effect::Delete => Some("removes"),
            Effect::Exec | Effect::Process | Effect::System => Some("acts on"),
        };
        if let Some(does) = does {
            let sub = parsed.sub.map_or("", |sub| sub.words);
            let gap = if sub.is_empty() { "" } else { " " };
            let message = match shown {
                Some(shown) => format!("`{name}{gap}{sub}` {does} `{shown}`"),
                None if touch.effect == Effect::Process => {
                    format!("`{name}` acts on processes")
                }
                None => format!("`{name}{gap}{sub}` {does} files"),
            };
            self.refuse(Code::CommandEffect, message, invocation.span);
        }
        self.touch(touch, invocation.span);
    }

    fn finish(mut self, span: Span, kind: Kind, facts: &Facts) -> Finding {
        guard::judge_touches(&mut self);
        // A listing shows names, not what the files hold.
        let sensitive = if facts.allow_sensitive_reads || kind == Kind::List {
            None
        } else {
            guard::sensitive(&self.touches)
        };
        let read_only = self.refusals.is_empty();
        let only_writes = self.only_writes();
        let why = self.refusals.into_iter().next().unwrap_or_else(|| Why {
            code: Code::ReadOnly,
            message: "it only reads".into(),
            span,
        });
        let mut touches: Vec<Touch> = Vec::new();
        for (touch, _) in self.touches {
            if !touches.contains(&touch) {
                touches.push(touch);
            }
        }
        if kind == Kind::Unknown || (!read_only && touches.is_empty() && is_opaque(why.code)) {
            // What is not known may do anything; running it at all is the least.
            let exec = Touch {
                effect: Effect::Exec,
                target: None,
                place: None,
            };
            if !touches.contains(&exec) {
                touches.push(exec);
            }
        }
        Finding {
            read_only,
            kind,
            touches,
            only_writes,
            why,
            // A rule for `cat` was not meant for private keys: a path that holds them needs an exact one.
            guarded: self.guarded.or_else(|| sensitive.clone()),
            sensitive,
            conditions: if read_only {
                self.conditions
            } else {
                BTreeMap::new()
            },
        }
    }
}

/// Reads the words that are the tool's own: those of a command that it starts are an invocation of their own.
fn read_own<'a>(spec: Spec<'a>, argv: &[Arg]) -> options::Parsed<'a> {
    let own = special::fd::own_words(spec.name, argv);
    let parsed = options::read(spec, own);
    let takes = |flag: &Flag| !matches!(flag.value, FlagValue::None | FlagValue::OptionalString);
    // The option that starts the command could be the value of the one before it.
    let open = parsed
        .options
        .iter()
        .any(|option| option.value.is_none() && option.flag.as_ref().is_some_and(takes));
    if open && own.len() < argv.len() {
        return options::read(spec, argv);
    }
    parsed
}

/// Refusals that mean "nobody knows what it does".
fn is_opaque(code: Code) -> bool {
    matches!(
        code,
        Code::CommandUnknown
            | Code::CommandByPath
            | Code::CommandSub
            | Code::CommandScript
            | Code::ShellDynamicCommand
    )
}

/// The variables in force: its own, and those of the wrappers it is started by.
#[must_use]
pub fn effective_assignments(program: &Program, invocation: &Invocation) -> Vec<Assign> {
    let mut all = invocation.assignments.clone();
    let mut at = invocation;
    for _ in 0..limits::MAX_WRAPPERS {
        if at.site != Site::Wrapped {
            break;
        }
        let Some(parent) = at.parent.and_then(|index| program.invocations.get(index)) else {
            break;
        };
        all.extend(parent.assignments.iter().cloned());
        all.extend(assignment_operands(parent, Some(at)));
        at = parent;
    }
    all
}

/// The `NAME=VALUE` words of an `env`.
fn own_assignments(program: &Program, env: &Invocation) -> Vec<Assign> {
    let is_started = |command: &&Invocation| {
        let parent = command
            .parent
            .and_then(|index| program.invocations.get(index));
        command.site == Site::Wrapped && parent.is_some_and(|parent| core::ptr::eq(parent, env))
    };
    if !is_env(env) {
        return Vec::new();
    }
    let command = program.invocations.iter().find(is_started);
    assignment_operands(env, command).collect()
}

fn is_env(invocation: &Invocation) -> bool {
    invocation
        .argv
        .first()
        .and_then(|arg| arg.value.exact())
        .and_then(|name| name.rsplit('/').next())
        .is_some_and(|name| matches!(name, "env" | "genv"))
}

/// The `NAME=VALUE` words of `env` before its command, whose words are the last of its own; all of them without one.
fn assignment_operands<'a>(
    parent: &'a Invocation,
    command: Option<&Invocation>,
) -> impl Iterator<Item = Assign> + 'a {
    let after = command.map_or(0, |command| command.argv.len());
    let before = parent.argv.len().saturating_sub(after);
    let is_env = is_env(parent);
    parent
        .argv
        .iter()
        .take(before)
        .skip(1)
        .filter(move |_| is_env)
        .filter_map(|arg| {
            let (name, _) = arg.value.known_prefix().split_once('=')?;
            let rest = |text: &str| text.get(name.len() + 1..).unwrap_or_default().into();
            let value = match &arg.value {
                Value::Exact(text) => Value::Exact(rest(text)),
                _ => Value::Unknown,
            };
            Some(Assign {
                name: name.into(),
                value,
                span: arg.span,
            })
        })
}

/// The tool by the name it was called by, of the several that a spec may have.
fn called<'a>(invocation: &'a Invocation, parsed: &options::Parsed<'a>) -> &'a str {
    let word = invocation.argv.first().and_then(|word| word.value.exact());
    let name = word.map(|word| word.rsplit('/').next().unwrap_or(word));
    name.filter(|name| parsed.spec.aliases.contains(name))
        .unwrap_or(parsed.spec.name)
}

/// A text tool without configuration of its own: an unknown variable cannot matter to it.
fn is_plain(spec: Spec<'_>) -> bool {
    spec.subs.is_empty()
        && matches!(
            spec.root.kind,
            Kind::Search
                | Kind::Read
                | Kind::List
                | Kind::Neutral
                | Kind::FileOp
                | Kind::Wrapper
                | Kind::Process
                | Kind::System
        )
}

#[cfg(test)]
mod tests;
