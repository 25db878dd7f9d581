//! What rules need to know of commands and variables, answered from the specs.

use alloc::vec::Vec;

use crate::{
    classify,
    rules::{
        refuse::{OptionFacts, Options},
        subjects::Names,
    },
    specs::{
        SpecSet,
        model::{Flag, FlagValue, Form, Grammar, Spec},
    },
};

/// Answers from the specs.
pub(crate) struct Knowledge<'a> {
    /// Built-in specs and the user's.
    pub(crate) specs: &'a SpecSet,
    /// The working directory and the workspace roots: `git -C` to one of them changes nothing.
    pub(crate) here: Vec<&'a str>,
}

impl Names for Knowledge<'_> {
    fn harmless_variable(&self, name: &str, _value: Option<&str>) -> bool {
        classify::is_harmless_variable(name)
    }

    fn global_option(&self, command: &str, rest: &[&str], harmless_only: bool) -> usize {
        let Some(first) = rest
            .first()
            .copied()
            .filter(|word| word.len() > 1 && word.starts_with('-'))
        else {
            return 0;
        };
        if harmless_only {
            return self.harmless_global(command, first, rest);
        }
        let (name, attached) = first
            .split_once('=')
            .map_or((first, false), |(name, _)| (name, true));
        // git lists these in git(1); its spec names only those it may be read-only with.
        let git_value = command == "git"
            && matches!(
                name,
                "-c" | "-C"
                    | "--git-dir"
                    | "--work-tree"
                    | "--exec-path"
                    | "--config-env"
                    | "--namespace"
                    | "--super-prefix"
                    | "--shallow-file"
                    | "--attr-source"
                    | "--list-cmds"
            );
        let takes_value = match self.specs.find(command) {
            Some(spec) if !spec.subs.is_empty() => {
                let listed = spec.globals.iter().find(|flag| spelled(flag, name));
                git_value || listed.is_some_and(takes_value)
            }
            _ if git_value => true,
            // Without subcommands there is nothing that an option could stand before.
            _ if command != "git" => return 0,
            _ => false,
        };
        if takes_value && !attached && name != "--exec-path" {
            rest.len().min(2)
        } else {
            1
        }
    }
}

impl Knowledge<'_> {
    fn harmless_global(&self, command: &str, first: &str, rest: &[&str]) -> usize {
        if command != "git" {
            return 0;
        }
        match first {
            "--no-pager"
            | "-P"
            | "--no-optional-locks"
            | "--literal-pathspecs"
            | "--no-replace-objects"
            | "--no-lazy-fetch"
            | "--no-advice" => 1,
            "-C" if rest.get(1).is_some_and(|path| self.is_here(path)) => 2,
            _ => 0,
        }
    }

    fn is_here(&self, path: &str) -> bool {
        let path = path.strip_suffix('/').unwrap_or(path);
        path == "."
            || self
                .here
                .iter()
                .any(|root| root.strip_suffix('/').unwrap_or(root) == path)
    }
}

impl Options for Knowledge<'_> {
    fn option(&self, words: &[&str], spelling: &str) -> Option<OptionFacts<'_>> {
        let spec = self.specs.find(words.first()?)?;
        let operands = words.get(1..).unwrap_or_default();
        let sub = sub_form(spec, operands).map(|(_, form)| form.flags.iter());
        let flag = sub
            .into_iter()
            .flatten()
            .chain(spec.globals.iter())
            .chain(spec.root.flags.iter())
            .find(|flag| spelled(flag, spelling))?;
        Some(OptionFacts {
            names: &flag.names,
            takes_value: takes_value(flag),
        })
    }

    fn subcommand_words(&self, command: &str, operands: &[&str]) -> Option<usize> {
        let spec = self.specs.find(command)?;
        if spec.subs.is_empty() {
            return Some(0);
        }
        Some(sub_form(spec, operands).map_or(1, |(words, _)| words))
    }

    fn single_dash(&self, command: &str) -> bool {
        self.specs
            .find(command)
            .is_some_and(|spec| matches!(spec.root.grammar, Grammar::SingleDash | Grammar::None))
    }
}

/// The longest subcommand that the operands begin with, and how many words it has.
fn sub_form<'a>(spec: &'a Spec, operands: &[&str]) -> Option<(usize, &'a Form)> {
    spec.subs
        .iter()
        .filter(|sub| {
            let mut given = operands.iter();
            sub.words.split(' ').all(|word| given.next() == Some(&word))
        })
        .map(|sub| (sub.words.split(' ').count(), &sub.form))
        .max_by_key(|(words, _)| *words)
}

fn spelled(flag: &Flag, name: &str) -> bool {
    flag.names.split(' ').any(|known| known == name)
}

fn takes_value(flag: &Flag) -> bool {
    !matches!(flag.value, FlagValue::None | FlagValue::OptionalString)
}
