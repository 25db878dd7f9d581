//! What hosts say about a command that ran: pure helpers around a result, none of which touches a verdict.
//!
//! Command text, output and exit code in; meaning, hints and texts out. They look at the shape of the command
//! ([`steps`]) and give up where that is not plain.

mod data_url;
mod description;
mod exit_code;
mod formatters;
mod rate_limit;
mod read_sources;
mod sed_edit;

use alloc::{string::String, vec::Vec};

use crate::{
    facts::Shell,
    syntax::{
        self, Status,
        ast::{AndOrOp, Command, Part, Redirect, RedirectOp, Simple, Word},
    },
};

pub use data_url::{DataUrl, data_url};
pub use description::{Tools, description};
pub use exit_code::{ExitMeaning, exit_meaning};
pub use formatters::{changed_files_note, may_reformat};
pub use rate_limit::{RATE_LIMIT_REMINDER, is_rate_limited};
pub use read_sources::{ReadRange, ReadSource, read_sources};
pub use sed_edit::{SedEdit, sed_edit};

/// One simple command of a plain list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Its words; `None` for one that is only known when it runs.
    pub argv: Vec<Option<String>>,
    /// What stands before it.
    pub joint: Joint,
    /// It has a redirect other than to nowhere.
    pub redirected: bool,
    /// It is negated, timed or put in the background: its status is not its own.
    pub altered: bool,
}

/// What stands between two commands of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Joint {
    /// `;`, a newline, or nothing.
    Sequence,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|` or `|&`
    Pipe,
}

impl Step {
    /// The command's name, without a path.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        let first = self.argv.first()?.as_deref()?;
        first.rsplit('/').next()
    }

    /// The words after the name, if all are known.
    #[must_use]
    pub fn known_args(&self) -> Option<Vec<&str>> {
        self.argv
            .iter()
            .skip(1)
            .map(|word| word.as_deref())
            .collect()
    }
}

/// The simple commands of a text that consists of nothing else; `None` for any other text.
#[must_use]
pub fn steps(command: &str, shell: Shell) -> Option<Vec<Step>> {
    let reading = syntax::read(command, shell);
    if reading.status != Status::Ok {
        return None;
    }
    let mut steps = Vec::new();
    for item in &reading.script.items {
        let rest = item.and_or.rest.iter().map(|(op, pipeline)| match op {
            AndOrOp::And => (Joint::And, pipeline),
            AndOrOp::Or => (Joint::Or, pipeline),
        });
        for (joint, pipeline) in core::iter::once((Joint::Sequence, &item.and_or.first)).chain(rest)
        {
            for (place, stage) in pipeline.stages.iter().enumerate() {
                let Command::Simple(simple) = &stage.command else {
                    return None;
                };
                let altered = pipeline.bangs > 0 || pipeline.timed || item.background;
                let joint = if place == 0 { joint } else { Joint::Pipe };
                steps.push(step(simple, joint, altered));
            }
        }
    }
    (!steps.is_empty()).then_some(steps)
}

fn step(simple: &Simple, joint: Joint, altered: bool) -> Step {
    Step {
        argv: simple.words.iter().map(word_text).collect(),
        joint,
        redirected: simple.redirects.iter().any(is_real),
        altered,
    }
}

fn is_real(redirect: &Redirect) -> bool {
    match redirect.op {
        RedirectOp::DupOutput | RedirectOp::DupInput => false,
        _ => word_text(&redirect.target).as_deref() != Some("/dev/null"),
    }
}

/// The text of a word in which nothing is expanded.
fn word_text(word: &Word) -> Option<String> {
    let mut text = String::new();
    for part in &word.parts {
        match part {
            Part::Literal(piece, _) if !piece.contains(['~', '*', '?', '[', '{']) => {
                text.push_str(piece)
            }
            Part::Quoted(piece, _) => text.push_str(piece),
            Part::Double(inner, _) => {
                for part in inner {
                    let Part::Quoted(piece, _) = part else {
                        return None;
                    };
                    text.push_str(piece);
                }
            }
            _ => return None,
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of steps, as tests write it: `grep x f | wc -l`.
    pub(super) fn list(text: &str) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut joint = Joint::Sequence;
        let mut argv = Vec::new();
        for word in text.split_whitespace().chain([";"]) {
            let next = match word {
                "|" => Joint::Pipe,
                "&&" => Joint::And,
                "||" => Joint::Or,
                ";" => Joint::Sequence,
                other => {
                    argv.push((other != "$X").then(|| other.replace('_', " ")));
                    continue;
                }
            };
            steps.push(Step {
                argv: core::mem::take(&mut argv),
                joint,
                redirected: false,
                altered: false,
            });
            joint = next;
        }
        steps
    }
}
