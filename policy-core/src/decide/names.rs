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
        // rustup's proxies take a toolchain before everything else.
        let toolchain = rest.first().is_some_and(|word| word.starts_with('+'));
        if toolchain && !harmless_only && command == "cargo" {
            return 1;
        }
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
        let Some(spec) = words.first().and_then(|name| self.specs.find(name)) else {
            return listed(words, spelling);
        };
        let operands = words.get(1..).unwrap_or_default();
        let sub = sub_form(spec, operands).map(|(_, form)| form.flags.iter());
        if let Some(facts) = listed(words, spelling) {
            return Some(facts);
        }
        let flag = sub
            .into_iter()
            .flatten()
            .chain(spec.globals.iter())
            .chain(spec.root.flags.iter())
            .find(|flag| spelled(flag, spelling))?;
        Some(OptionFacts {
            names: flag.names,
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

/// Options of commands that act, as their manuals list them: a spec need not name what it never calls read-only, but
/// a rule that denies `rm -rf` has to know `--recursive --force`. Those marked `=` take a value.
const SPELLINGS: &[(&str, &str)] = &[
    (
        "rm",
        "-r -R --recursive|-f --force|-v --verbose|-d --dir|-I|-i",
    ),
    (
        "cp",
        "-r -R --recursive|-f --force|-a --archive|-n --no-clobber|-t --target-directory=",
    ),
    (
        "mv",
        "-f --force|-n --no-clobber|-u --update|-t --target-directory=",
    ),
    (
        "ln",
        "-s --symbolic|-f --force|-n --no-dereference|-t --target-directory=",
    ),
    ("mkdir", "-p --parents|-m --mode="),
    ("rmdir", "-p --parents"),
    ("chmod", "-R --recursive|-f --silent --quiet|-v --verbose"),
    (
        "chown",
        "-R --recursive|-f --silent --quiet|-v --verbose|-h --no-dereference",
    ),
    ("chgrp", "-R --recursive|-f --silent --quiet|-v --verbose"),
    ("kill", "-s --signal=|-l --list"),
    (
        "curl",
        "-X --request=|-d --data=|-o --output=|-O --remote-name|-T --upload-file=|-H --header=|-L --location|-k --insecure|-u --user=",
    ),
    ("wget", "-O --output-document=|-q --quiet|-r --recursive"),
    ("npm", "-g --global|-f --force|-D --save-dev"),
    (
        "tar",
        "-x --extract --get|-c --create|-f --file=|-C --directory=|-z --gzip",
    ),
    (
        "git push",
        "-f --force|-d --delete|-u --set-upstream|-n --dry-run|-q --quiet|-v --verbose|-o --push-option=|--repo=|--receive-pack=",
    ),
    (
        "git clean",
        "-f --force|-n --dry-run|-q --quiet|-e --exclude=",
    ),
    (
        "git commit",
        "-a --all|-m --message=|-n --no-verify|-F --file=|-s --signoff|-C --reuse-message=|-c --reedit-message=|--author=",
    ),
    (
        "git add",
        "-A --all|-f --force|-u --update|-n --dry-run|-p --patch",
    ),
    ("git rm", "-r|-f --force|-n --dry-run|-q --quiet"),
    (
        "git branch",
        "-d --delete|-f --force|-m --move|-c --copy|-u --set-upstream-to=",
    ),
    (
        "git tag",
        "-d --delete|-f --force|-a --annotate|-m --message=",
    ),
    ("git checkout", "-f --force|-b=|-B="),
    (
        "git switch",
        "-f --force --discard-changes|-c --create=|-C --force-create=",
    ),
    ("git stash", "-u --include-untracked|-a --all|-m --message="),
    (
        "docker run",
        "-v --volume=|-e --env=|-p --publish=|-it|-d --detach|-u --user=|-w --workdir=",
    ),
    ("docker rm", "-f --force|-v --volumes"),
    ("docker rmi", "-f --force"),
    (
        "kubectl delete",
        "-n --namespace=|-f --filename=|-l --selector=|-A --all-namespaces",
    ),
];

fn listed(words: &[&str], spelling: &str) -> Option<OptionFacts<'static>> {
    let fits = |name: &str| {
        name.split(' ').zip(words).filter(|(a, b)| a == *b).count() == name.split(' ').count()
    };
    SPELLINGS
        .iter()
        .filter(|(name, _)| fits(name))
        .flat_map(|(_, options)| options.split('|'))
        .map(|option| (option.trim_end_matches('='), option.ends_with('=')))
        .find(|(names, _)| names.split(' ').any(|name| name == spelling))
        .map(|(names, takes_value)| OptionFacts { names, takes_value })
}

/// The longest subcommand that the operands begin with, and how many words it has.
fn sub_form<'a>(spec: Spec<'a>, operands: &[&str]) -> Option<(usize, Form<'a>)> {
    spec.subs
        .iter()
        .filter(|sub| {
            let mut given = operands.iter();
            sub.words.split(' ').all(|word| given.next() == Some(&word))
        })
        .map(|sub| (sub.words.split(' ').count(), sub.form()))
        .max_by_key(|(words, _)| *words)
}

fn spelled(flag: &Flag<'_>, name: &str) -> bool {
    flag.is_spelled(name)
}

fn takes_value(flag: Flag<'_>) -> bool {
    !matches!(flag.value, FlagValue::None | FlagValue::OptionalString)
}
