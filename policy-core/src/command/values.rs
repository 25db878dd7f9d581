//! What is known of a variable, a parameter expansion or the output of a substitution, at one point of the text.
//!
//! Never more than bash would make of it: a value that the shell or the world may change is [`Known::Any`].

use alloc::{string::String, vec::Vec};

use super::{
    cwd,
    scope::Known,
    words::{Expander, static_text},
};
use crate::{
    facts::Shell,
    limits::MAX_EXPANDED_BYTES,
    syntax::ast::{Command, Param, ParamOp, RedirectOp, Script},
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
            Known::Prefix(text) => text.len(),
            Known::Digits | Known::Integer | Known::Count | Known::Any => 0,
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
        let [item] = script.items.as_slice() else {
            return Known::Any;
        };
        if item.background || !item.and_or.rest.is_empty() {
            return Known::Any;
        }
        let stages = &item.and_or.first.stages;
        let Some(Command::Simple(simple)) = stages.last().map(|stage| &stage.command) else {
            return Known::Any;
        };
        let redirected = simple.redirects.iter().any(|redirect| {
            !matches!(
                redirect.op,
                RedirectOp::Read | RedirectOp::HereDoc | RedirectOp::HereDocTabs
            )
        });
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
            _ => Known::Any,
        }
    }
}
