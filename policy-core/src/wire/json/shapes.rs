//! The types of the wire: which keys and names each has, and where their values go.
//!
//! In a list of names one that begins with `=` is another for the one before it. What stands here has to agree with
//! what serde derives for these types; the tests read each of them both ways.

use alloc::{string::String, vec::Vec};

use serde_json::Value;

use super::{Fault, Read, Reader};
use crate::{
    decision::{Decision, Layer},
    facts::{Facts, GitFacts, GitState, Mode, Platform, SandboxFacts, Session, Shell},
    outcome::Tools,
    rules::shape::{Assignments, Resolution, RuleSet, SetMatch, SetRule},
    wire::{
        Analysis, Request,
        config::{LayerConfig, PolicyConfig, RuleDetails, RuleEntry, Settings},
    },
};

/// Enums without values: their names, and their variants in the order of these; what is read replaces the first.
macro_rules! names {
    ($($type:ident $names:literal $first:ident $(, $variant:ident)*;)*) => {
        $(impl Read for $type {
            fn blank() -> Self {
                Self::$first
            }

            fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
                const ALL: &[$type] = &[$type::$first $(, $type::$variant)*];
                if let Some(found) = ALL.get(from.name($names, None)?) {
                    *self = *found;
                }
                Ok(())
            }
        })*
    };
}

names! {
    Platform "linux darwin =macos win32 =windows" Linux, Macos, Windows;
    Shell "bash zsh sh" Bash, Zsh, Sh;
    Mode "plan build =default =manual acceptEdits =edit bypass =bypassPermissions =yolo dontAsk" Plan, Build, Edit, Yolo, DontAsk;
    Session "main subagent idle" Main, Subagent, Idle;
    GitState "trusted suspicious unknown none" Trusted, Suspicious, Unknown, None;
    Analysis "strict deep" Strict, Deep;
    Decision "allow ask deny" Allow, Ask, Deny;
    Layer "managed commandLine local project user" Managed, CommandLine, Local, Project, User;
    Resolution "strictest priority lastMatch" Strictest, Priority, LastMatch;
    Assignments "strip keep never" Strip, Keep, Never;
}

impl Read for Request {
    fn blank() -> Self {
        let mut blank = Self::default();
        blank.left_out.mode = true;
        blank.left_out.analysis = true;
        blank.left_out.ask_network = true;
        blank.left_out.allow_sensitive_reads = true;
        blank
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        let Self {
            command,
            facts,
            analysis,
            rules,
            hook,
            answers,
            left_out,
        } = self;
        let Facts {
            cwd,
            workspace,
            home,
            platform,
            shell,
            mode,
            session,
            unattended,
            git,
            sandbox,
            can_apply_conditions,
            ask_network,
            allow_sensitive_reads,
        } = facts;
        let keys = "command cwd workspace home platform shell mode session unattended git sandbox canApplyConditions \
            askNetwork allowSensitiveReads analysis allow ask deny hook answers";
        from.object("struct Flat", keys, 1, &mut |key, from| match key {
            0 => command.read(from),
            1 => cwd.read(from),
            2 => one_or_many(workspace, from),
            3 => home.read(from),
            4 => platform.read(from),
            5 => shell.read(from),
            6 => unless_null(&mut left_out.mode, mode, from),
            7 => session.read(from),
            8 => unattended.read(from),
            9 => git.read(from),
            10 => sandbox.read(from),
            11 => can_apply_conditions.read(from),
            12 => unless_null(&mut left_out.ask_network, ask_network, from),
            13 => unless_null(
                &mut left_out.allow_sensitive_reads,
                allow_sensitive_reads,
                from,
            ),
            14 => unless_null(&mut left_out.analysis, analysis, from),
            15 => rules.allow.read(from),
            16 => rules.ask.read(from),
            17 => rules.deny.read(from),
            18 => hook.read(from),
            _ => answers.read(from),
        })
    }
}

/// Null leaves out what it stands for.
fn unless_null<T: Read>(
    left_out: &mut bool,
    value: &mut T,
    from: &mut Reader<'_>,
) -> Result<(), Fault> {
    *left_out = from.null()?;
    if *left_out {
        return Ok(());
    }
    value.read(from)
}

/// One of the ways to read a value.
type Reading<'a> = &'a mut dyn FnMut(&mut Reader<'_>) -> Result<(), Fault>;

/// A value of which it takes a second reading to know what it is: whatever it is has to be JSON, and where it is none of what it may be,
/// that is all that is told.
fn either(from: &mut Reader<'_>, name: &str, readings: &mut [Reading<'_>]) -> Result<(), Fault> {
    let (start, depth) = (from.at, from.depth);
    Value::Null.read(from)?;
    let end = from.at;
    for reading in readings {
        (from.at, from.depth) = (start, depth);
        if reading(from).is_ok() {
            return Ok(());
        }
    }
    (from.at, from.depth) = (end, depth);
    let mut message = String::from("data did not match any variant of untagged enum ");
    message.push_str(name);
    Err(Fault::new(&message))
}

fn one_or_many(texts: &mut Vec<String>, from: &mut Reader<'_>) -> Result<(), Fault> {
    if from.peek() == Some(b'"') {
        texts.push(from.string()?.into_owned());
        return Ok(());
    }
    either(from, "Either", &mut [&mut |from| texts.read(from)])
}

impl Read for GitFacts {
    fn blank() -> Self {
        Self::default()
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        let (mut word, mut full) = (GitState::Unknown, Self::default());
        let Self {
            state,
            executing_keys,
        } = &mut full;
        either(
            from,
            "Either",
            &mut [&mut |from| word.read(from), &mut |from| {
                from.object("", "state executingKeys", 1, &mut |key, from| match key {
                    0 => state.read(from),
                    _ => executing_keys.read(from),
                })
            }],
        )?;
        if word != GitState::Unknown {
            full.state = word;
        }
        *self = full;
        Ok(())
    }
}

impl Read for SandboxFacts {
    fn blank() -> Self {
        Self::default()
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        let keys = "available enabled autoAllow excluded disabledByCall";
        from.object("struct SandboxFacts", keys, 0, &mut |key, from| match key {
            0 => self.available.read(from),
            1 => self.enabled.read(from),
            2 => self.auto_allow.read(from),
            3 => self.excluded.read(from),
            _ => self.disabled_by_call.read(from),
        })
    }
}

impl Read for Tools {
    fn blank() -> Self {
        Self::default()
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        let keys = "shell defaultTimeout maxTimeout glob grep read edit write background sandbox mayLeaveSandbox";
        from.object("struct Tools", keys, 0, &mut |key, from| match key {
            0 => self.shell.read(from),
            1 => self.default_timeout.read(from),
            2 => self.max_timeout.read(from),
            3 => self.glob.read(from),
            4 => self.grep.read(from),
            5 => self.read.read(from),
            6 => self.edit.read(from),
            7 => self.write.read(from),
            8 => self.background.read(from),
            9 => self.sandbox.read(from),
            _ => self.may_leave_sandbox.read(from),
        })
    }
}

impl Read for PolicyConfig {
    fn blank() -> Self {
        Self::default()
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        let keys = "managed commandLine local project user ruleSets settings commands";
        from.object("struct PolicyConfig", keys, 0, &mut |key, from| match key {
            0 => self.managed.read(from),
            1 => self.command_line.read(from),
            2 => self.local.read(from),
            3 => self.project.read(from),
            4 => self.user.read(from),
            5 => self.rule_sets.read(from),
            6 => self.settings.read(from),
            _ => self.commands.read(from),
        })
    }
}

impl Read for LayerConfig {
    fn blank() -> Self {
        Self::default()
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        from.object(
            "struct LayerConfig",
            "allow ask deny",
            0,
            &mut |key, from| match key {
                0 => self.allow.read(from),
                1 => self.ask.read(from),
                _ => self.deny.read(from),
            },
        )
    }
}

impl Read for RuleEntry {
    fn blank() -> Self {
        Self::Text(String::new())
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        if from.peek() == Some(b'"') {
            *self = Self::Text(from.string()?.into_owned());
            return Ok(());
        }
        let mut details = RuleDetails::default();
        let RuleDetails {
            rule,
            justification,
            matches,
            no_match,
        } = &mut details;
        let keys = "rule justification =because match noMatch =notMatch";
        either(
            from,
            "RuleEntry",
            &mut [&mut |from| {
                from.object("", keys, 1, &mut |key, from| match key {
                    0 => rule.read(from),
                    1 => justification.read(from),
                    2 => matches.read(from),
                    _ => no_match.read(from),
                })
            }],
        )?;
        *self = Self::Full(details);
        Ok(())
    }
}

impl Read for Settings {
    fn blank() -> Self {
        Self::default()
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        let keys = "mode analysis askNetwork allowSensitiveReads";
        from.object("struct Settings", keys, 0, &mut |key, from| match key {
            0 => self.mode.read(from),
            1 => self.analysis.read(from),
            2 => self.ask_network.read(from),
            _ => self.allow_sensitive_reads.read(from),
        })
    }
}

impl Read for RuleSet {
    fn blank() -> Self {
        Self {
            vendor: String::new(),
            file: String::new(),
            layer: Layer::User,
            resolution: Resolution::Strictest,
            assignments: Assignments::default(),
            plain_only: false,
            whole_text: false,
            tighten_only: false,
            exact_only: Vec::new(),
            executables: Read::blank(),
            rules: Vec::new(),
        }
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        let keys = "vendor file layer resolution assignments plainOnly wholeText tightenOnly exactOnly executables rules";
        from.object(
            "struct RuleSet",
            keys,
            0b100_0000_1011,
            &mut |key, from| match key {
                0 => self.vendor.read(from),
                1 => self.file.read(from),
                2 => self.layer.read(from),
                3 => self.resolution.read(from),
                4 => self.assignments.read(from),
                5 => self.plain_only.read(from),
                6 => self.whole_text.read(from),
                7 => self.tighten_only.read(from),
                8 => self.exact_only.read(from),
                9 => self.executables.read(from),
                _ => self.rules.read(from),
            },
        )
    }
}

impl Read for SetRule {
    fn blank() -> Self {
        Self {
            rule: String::new(),
            decision: Decision::Deny,
            matches: SetMatch::blank(),
            line: 0,
            column: 0,
            priority: 0,
            justification: None,
            modes: Vec::new(),
            whole_line: false,
        }
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        let keys = "rule decision match line column priority justification modes wholeLine";
        from.object("struct SetRule", keys, 0b111, &mut |key, from| match key {
            0 => self.rule.read(from),
            1 => self.decision.read(from),
            2 => self.matches.read(from),
            3 => self.line.read(from),
            4 => self.column.read(from),
            5 => self.priority.read(from),
            6 => self.justification.read(from),
            7 => self.modes.read(from),
            _ => self.whole_line.read(from),
        })
    }
}

impl Read for SetMatch {
    fn blank() -> Self {
        Self::Glob(String::new())
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Fault> {
        let (mut text, mut words) = (String::new(), Vec::new());
        let found = from.name(
            "glob wild words regex json",
            Some(&mut |name, from| match name {
                2 => words.read(from),
                _ => text.read(from),
            }),
        )?;
        *self = match found {
            0 => Self::Glob(text),
            1 => Self::Wild(text),
            2 => Self::Words(words),
            3 => Self::Regex(text),
            _ => Self::Json(text),
        };
        Ok(())
    }
}
