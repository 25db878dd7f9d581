//! Asking at the terminal: once, always (with the rule that would be stored), or no.

use std::{
    io::stdin,
    path::{Path, PathBuf},
};

use super::print;
use crate::{
    approve::{Answer, Approver, Pending, Question, RuleStore},
    config::{Change, ConfigFault, RuleList, Trust, read, trust, write},
    off_thread::off_thread,
};

/// The person at the terminal.
pub(super) struct Terminal;

impl Approver for Terminal {
    fn ask<'a>(&'a self, question: Question<'a>) -> Pending<'a> {
        Box::pin(async move {
            let rules = question.suggested();
            print::note(&question.request.command);
            print::verdict_to_stderr(question.verdict);
            if let Some(description) = question.description {
                print::note(&format!("  said to be for: {description}"));
            }
            loop {
                print::prompt(match rules.len() {
                    0 => "Run it? [y] yes  [n] no > ",
                    1 => "Run it? [y] yes, this once  [a] always: store the rule above  [n] no > ",
                    _ => "Run it? [y] yes, this once  [a] always: store the rules above  [n] no > ",
                });
                // Not on the runtime's own threads, whose end it waits for: nobody may press Enter any more.
                let line = off_thread(|| {
                    let mut line = String::new();
                    stdin().read_line(&mut line).map(|read| (read, line))
                })
                .await;
                let Ok(Ok((1.., line))) = line else {
                    print::end_line();
                    return Answer::No(None);
                };
                match line.trim().to_ascii_lowercase().as_str() {
                    "y" | "yes" => return Answer::Once,
                    "a" | "always" if !rules.is_empty() => return Answer::Always(rules),
                    "n" | "no" => return Answer::No(None),
                    _ => {}
                }
            }
        })
    }
}

/// The git-ignored file beside the project's settings.
pub(super) struct LocalFile(PathBuf);

impl LocalFile {
    /// In this folder.
    pub(super) fn of(root: &Path) -> Self {
        Self(root.join("portcullis.local.toml"))
    }
}

impl RuleStore for LocalFile {
    fn store(&self, rules: &[String]) -> Result<(), String> {
        let told = |fault: ConfigFault| fault.to_string();
        // A file that somebody else wrote is not trusted along with the rule that is added to it.
        let before = read(&self.0).map_err(told)?;
        let ours = before.is_none_or(|(_, text)| Trust::open().holds(&self.0, &text));
        for rule in rules {
            write(&self.0, &Change::Add(RuleList::Allow, rule.clone(), None)).map_err(told)?;
        }
        if ours {
            trust(&self.0).map_err(told)?;
            print::note(&format!("portcullis: stored in {}", self.0.display()));
        } else {
            print::note(&format!(
                "portcullis: stored in {}, whose allow rules do not count until you trust that file",
                self.0.display()
            ));
        }
        Ok(())
    }
}
