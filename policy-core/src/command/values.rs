//! What is known of a variable, a parameter expansion or the output of a substitution, at one point of the text.
//!
//! Never more than bash would make of it: a value that the shell or the world may change is [`Known::Any`].

use alloc::{string::String, vec::Vec};

use super::{
    cwd, found,
    printed::{Printed, printed},
    scope::Known,
    words::{Expander, literal_text, static_text},
};
use crate::{
    facts::Shell,
    limits::MAX_EXPANDED_BYTES,
    syntax::ast::{
        Command, Descriptor, Param, ParamOp, Part, Redirect, RedirectOp, Script, Simple, Stage,
        Word,
    },
};

impl<'a> Expander<'a> {
    /// What is known of the value of a parameter expansion as one word.
    pub(super) fn parameter(&self, param: &'a Param) -> Known {
        if matches!(param.op, ParamOp::Length) {
            return Known::Digits;
        }
        let value = if param.subscript.is_some() {
            Known::Any
        } else {
            self.variable(&param.name)
        };
        match &param.op {
            ParamOp::None => value,
            ParamOp::Default(op, word) => match (*op, value.only()) {
                ("-" | "=" | "?", Some(_)) => value,
                (":-" | ":=" | ":?", Some(text)) if !text.is_empty() => value,
                ("+", Some(_)) => Known::from_value(&self.quoted(word)),
                (":+", Some(text)) if !text.is_empty() => Known::from_value(&self.quoted(word)),
                (":+", Some(_)) => Known::exact(""),
                _ => Known::Any,
            },
            _ => Known::Any,
        }
    }

    /// What is known of a variable; nothing, once values have filled more than the limit.
    pub(super) fn variable(&self, name: &str) -> Known {
        let known = self.value(name);
        let size = match &known {
            Known::Values(all) => all.iter().map(String::len).sum(),
            Known::Prefix(text) | Known::Match(text) => text.len(),
            Known::Digits
            | Known::Integer
            | Known::Count
            | Known::Numbers
            | Known::Names
            | Known::Rooted
            | Known::Any => 0,
        };
        let spent = self.spent.get() + size;
        if spent > MAX_EXPANDED_BYTES {
            return Known::Any;
        }
        self.spent.set(spent);
        known
    }

    fn value(&self, name: &str) -> Known {
        match name {
            "?" | "#" | "$" => return Known::Digits,
            "PWD" => {
                return cwd::absolute(&self.scope.cwd, self.facts).map_or(Known::Any, Known::exact);
            }
            _ => {}
        }
        match name {
            "LINENO" | "PPID" => return Known::Digits,
            "RANDOM" | "SECONDS" | "UID" | "EUID" | "BASHPID" | "EPOCHSECONDS" | "SRANDOM"
                if self.shell != Shell::Sh =>
            {
                return Known::Digits;
            }
            _ => {}
        }
        if let Some(known) = self.scope.variable(name) {
            return known.clone();
        }
        match name {
            "HOME" => self.facts.home.as_deref().map_or(Known::Any, Known::exact),
            _ => match (name.parse::<usize>(), &self.scope.positional) {
                (Ok(index), Some(all)) => all.get(index).cloned().unwrap_or(Known::exact("")),
                _ => Known::Any,
            },
        }
    }

    /// What is known of the output of a substitution: a literal here-document through `cat`, a count, the directory.
    pub(super) fn output(&self, script: &'a Script) -> Known {
        let Some(stages) = only_pipeline(script) else {
            return Known::Any;
        };
        let Some(Command::Simple(simple)) = stages.last().map(|stage| &stage.command) else {
            return Known::Any;
        };
        let redirected = simple.redirects.iter().any(|redirect| {
            !matches!(
                redirect.op,
                RedirectOp::Read | RedirectOp::HereDoc | RedirectOp::HereDocTabs
            )
        });
        if stages.len() == 1
            && simple.redirects.is_empty()
            && let Some(text) = self.echoed(simple)
        {
            return Known::exact(text);
        }
        let words: Option<Vec<String>> = simple
            .words
            .iter()
            .map(|word| static_text(&word.parts))
            .collect();
        let Some(words) = words else {
            return Known::Any;
        };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["pwd"] if stages.len() == 1 && !redirected => {
                cwd::absolute(&self.scope.cwd, self.facts).map_or(Known::Any, Known::exact)
            }
            ["cat"] if stages.len() == 1 && !redirected => match simple.redirects.as_slice() {
                [only] => match &only.heredoc {
                    Some(body) if body.literal => static_text(&body.parts)
                        .map_or(Known::Any, |text| Known::exact(text.trim_end_matches('\n'))),
                    _ => Known::Any,
                },
                _ => Known::Any,
            },
            ["date", "+%s"] | ["nproc"] if stages.len() == 1 => Known::Count,
            // One count and no file name. (BSD pads it with blanks, which splitting drops.)
            ["wc", "-l" | "-c" | "-w" | "-m"]
                if stages.len() > 1 || !simple.redirects.is_empty() =>
            {
                Known::Count
            }
            _ => self.printed_by(stages).known(),
        }
    }

    /// What `echo` and `printf %s` print of words that are known, without the line end.
    fn echoed(&self, simple: &'a Simple) -> Option<String> {
        let (name, words) = simple.words.split_first()?;
        let name = literal_text(name).filter(|name| matches!(name.as_str(), "echo" | "printf"))?;
        // A substitution in there is not looked into: with braces the work would double at every depth.
        if !words.iter().all(|word| is_flat(&word.parts)) {
            return None;
        }
        let args: Vec<_> = words.iter().flat_map(|word| self.argument(word)).collect();
        let args: Vec<&str> = args
            .iter()
            .map(|arg| arg.value.exact())
            .collect::<Option<_>>()?;
        match (name.as_str(), args.as_slice()) {
            ("printf", ["%s" | "%s\\n", only]) => Some((*only).into()),
            ("printf", [only]) => {
                Some((*only).into()).filter(|text: &String| !text.contains(['%', '\\', '-']))
            }
            ("printf", _) => None,
            // Options, and escapes in some shells.
            (_, args)
                if args
                    .iter()
                    .any(|arg| arg.starts_with('-') || arg.contains('\\')) =>
            {
                None
            }
            (_, args) => Some(args.join(" ")),
        }
        .map(|text| text.trim_end_matches('\n').into())
    }

    /// The names that a substitution may print because its words say them: `$(find ~/.ssh -type f)`. Only for suspicion.
    pub(super) fn suspects(&self, script: &'a Script) -> Vec<String> {
        let stages = only_pipeline(script).unwrap_or_default();
        let simple = stages.iter().filter_map(|stage| match &stage.command {
            Command::Simple(simple) if simple.words.iter().all(|word| is_flat(&word.parts)) => {
                Some(simple)
            }
            _ => None,
        });
        simple
            .flat_map(|simple| {
                let words = simple.words.iter();
                let argv: Vec<_> = words.flat_map(|word| self.argument(word)).collect();
                found::names_printed(&argv)
            })
            .collect()
    }

    /// Whether a word that begins with an expansion makes no argument that begins with `-`.
    pub(super) fn makes_no_option(&self, word: &'a Word) -> bool {
        let Some((first, rest)) = word.parts.split_first() else {
            return false;
        };
        let quoted = matches!(first, Part::Double(..));
        let first = match first {
            Part::Double(inner, _) => match inner.as_slice() {
                [only] => only,
                _ => return false,
            },
            first => first,
        };
        let known = match first {
            Part::CommandSub(script, _) => &self.printed_in(script).known(),
            Part::Param(param) if param.subscript.is_none() && param.op == ParamOp::None => {
                match self.scope.variable(&param.name) {
                    Some(known) => known,
                    None => return false,
                }
            }
            _ => return false,
        };
        // `$(git rev-parse HEAD)..main`: where the first is empty, the word begins with the rest.
        let literal = static_text(rest).is_some_and(|text| !text.starts_with(['-', '+']));
        literal
            && (matches!(known, Known::Names | Known::Numbers)
                || (quoted && *known == Known::Rooted))
    }

    /// What the output of a substitution is, by the words of its commands.
    pub(super) fn printed_in(&self, script: &Script) -> Printed {
        only_pipeline(script).map_or(Printed::Anything, |stages| self.printed_by(stages))
    }

    /// What the output of these stages of a pipeline is.
    fn printed_by(&self, stages: &[Stage]) -> Printed {
        let each = |before, stage| Some(printed_after(before, stage));
        stages.iter().fold(None, each).unwrap_or(Printed::Anything)
    }
}

/// What the output of a stage is that reads what was printed `before` it, or stands first.
pub(super) fn printed_after(before: Option<Printed>, stage: &Stage) -> Printed {
    let (Command::Simple(simple), true) = (&stage.command, before != Some(Printed::Anything))
    else {
        return Printed::Anything;
    };
    // Errors that come along are no object names.
    let quiet = |redirect: &Redirect| {
        redirect.op == RedirectOp::Write && redirect.descriptor == Some(Descriptor::Number(2))
    };
    let plain =
        !stage.stderr_too && simple.assignments.is_empty() && simple.redirects.iter().all(quiet);
    if !plain {
        return Printed::Anything;
    }
    let words: Vec<_> = simple.words.iter().map(literal_text).collect();
    printed(before, &words)
}

/// Whether no command runs in these parts.
fn is_flat(parts: &[Part]) -> bool {
    parts.iter().all(|part| match part {
        Part::Double(inner, _) => is_flat(inner),
        Part::Param(param) => param.subscript.is_none() && matches!(param.op, ParamOp::None),
        Part::Literal(..) | Part::Quoted(..) => true,
        _ => false,
    })
}

/// The stages of a script that is one pipeline.
fn only_pipeline(script: &Script) -> Option<&[Stage]> {
    match script.items.as_slice() {
        [item] if !item.background && item.and_or.rest.is_empty() => {
            Some(&item.and_or.first.stages)
        }
        _ => None,
    }
}
