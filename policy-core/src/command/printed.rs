//! What a pipeline prints, as far as its words tell: object names of git, a path from the root.
//!
//! Only where no output at all can become an option of the command that takes it: hexadecimal names never begin with `-`,
//! branches, subjects and file names may. What a failing command leaves out or repeats of its own words is thought of too.
//! From git-log(1), git-rev-list(1), git-rev-parse(1), git-merge-base(1), realpath(1), readlink(1).

use alloc::{string::String, vec::Vec};

use super::scope::Known;

mod numbers;

/// Options of `git log` and kin, without values or with attached ones, that select and order commits and print nothing.
const SELECT: &[&str] = &[
    "--all",
    "--branches",
    "--tags",
    "--remotes",
    "--merges",
    "--no-merges",
    "--first-parent",
    "--reverse",
    "--date-order",
    "--topo-order",
    "--author-date-order",
    "--follow",
    "--no-patch",
    "-s",
    "--no-color",
    "--no-decorate",
    "--invert-grep",
    "-i",
    "-E",
    "-F",
    "--ancestry-path",
    "--full-history",
];
const SELECT_BY: &[&str] = &[
    "--max-count=",
    "--skip=",
    "--since=",
    "--after=",
    "--until=",
    "--before=",
    "--author=",
    "--committer=",
    "--grep=",
    "--max-parents=",
    "--min-parents=",
    "--diff-filter=",
    "--abbrev=",
];

/// What an output is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Printed {
    /// Nothing is known of it.
    Anything,
    /// Object names and numbers, one or several a line: no sign stands anywhere in it, so that no part of it is an option,
    /// wherever it is cut.
    Hashes,
    /// Numbers of digits alone, one a line.
    Numbers,
    /// Lines of a number, a colon and any text.
    NumberFirst,
    /// Words of which none begins with a sign: names of objects, or what was asked for one and is none.
    Names,
    /// Lines of an object name, a blank and any text.
    NameFirst,
    /// A path from the root, or nothing; blanks may stand in it.
    Rooted,
    /// Paths that begin with a known folder, each with a NUL behind it.
    Paths,
}

impl Printed {
    /// What a substitution of it holds.
    pub(super) fn known(self) -> Known {
        match self {
            Self::Hashes | Self::Names => Known::Names,
            Self::Numbers => Known::Numbers,
            Self::Rooted => Known::Rooted,
            Self::Anything | Self::NameFirst | Self::NumberFirst | Self::Paths => Known::Any,
        }
    }
}

/// What a command prints that reads what was printed `before` it, or stands first. A word that is not known is `None`.
pub(super) fn printed(before: Option<Printed>, words: &[Option<String>]) -> Printed {
    let words: Vec<Option<&str>> = words.iter().map(Option::as_deref).collect();
    match before {
        None => source_of(&words),
        Some(lines) => filtered(lines, &words),
    }
    .unwrap_or(Printed::Anything)
}

fn source_of(words: &[Option<&str>]) -> Option<Printed> {
    let (first, rest) = words.split_first()?;
    match *first {
        Some("git") => {
            let (sub, rest) = rest.split_first()?;
            let known = || rest.iter().copied().collect::<Option<Vec<&str>>>();
            match *sub {
                Some("log" | "show") => log(&known()?, *sub == Some("show")),
                Some("rev-list") => selects(&known()?, &mut |_| false).then_some(Printed::Hashes),
                Some("rev-parse") => rev_parse(&known()?),
                Some("merge-base") => {
                    let plain = |word: &str| {
                        matches!(word, "-a" | "--all" | "--octopus" | "--fork-point")
                            || is_revision(word)
                    };
                    known()?.into_iter().all(plain).then_some(Printed::Hashes)
                }
                _ => None,
            }
        }
        // One path, which may be anything: the answer begins with `/`, or there is none.
        Some("realpath") => match rest {
            [Some("--"), _] => Some(Printed::Rooted),
            [Some(path)] if !path.starts_with('-') => Some(Printed::Rooted),
            _ => None,
        },
        Some("readlink") => match rest {
            [Some("-f" | "-e" | "-m"), Some(path)] if !path.starts_with('-') => {
                Some(Printed::Rooted)
            }
            [Some("-f" | "-e" | "-m"), Some("--"), _] => Some(Printed::Rooted),
            _ => None,
        },
        Some("pwd") if rest.is_empty() => Some(Printed::Rooted),
        Some("find") => found(rest),
        // `-q` prints the identifiers alone, whatever format the configuration names.
        Some("docker" | "podman") => {
            let (sub, rest) = rest.split_first()?;
            let fits = |word: &Option<&str>| {
                matches!(
                    word,
                    Some("-q" | "-a" | "-aq" | "-qa" | "--quiet" | "--all")
                )
            };
            let quiet =
                |word: &Option<&str>| matches!(word, Some("-q" | "-aq" | "-qa" | "--quiet"));
            (matches!(*sub, Some("ps" | "images"))
                && rest.iter().all(fits)
                && rest.iter().any(quiet))
            .then_some(Printed::Hashes)
        }
        Some(name) => numbers::printed(name, rest),
        None => None,
    }
}

/// `find` with literal folders and `-print0`, and nothing else that prints.
fn found(words: &[Option<&str>]) -> Option<Printed> {
    let words: Vec<&str> = words.iter().copied().collect::<Option<_>>()?;
    let tests = words
        .iter()
        .position(|word| word.starts_with(['-', '(', '!']))?;
    let folders = words.get(..tests).unwrap_or_default();
    let expression = words.get(tests..).unwrap_or_default();
    let harmless = |word: &&str| {
        !matches!(*word, "-D" | "-print" | "-files0-from" | "-ls")
            && !["-exec", "-ok", "-printf", "-fprint", "-fls", "-O"]
                .iter()
                .any(|action| word.starts_with(action))
    };
    (folders.iter().all(|folder| !folder.is_empty())
        && expression.contains(&"-print0")
        && expression.iter().all(harmless))
    .then_some(Printed::Paths)
}

/// `git log` with a format that is nothing but object names.
fn log(words: &[&str], patches: bool) -> Option<Printed> {
    // `git show` prints the text of an annotated tag before its commit, so there only HEAD will do.
    let commit = |word: &&str| {
        word.starts_with("--format=")
            || word.starts_with("--pretty=")
            || matches!(*word, "-s" | "--no-patch" | "--no-color")
            || word.strip_prefix("HEAD").is_some_and(|rest| {
                rest.bytes()
                    .all(|byte| byte.is_ascii_digit() || matches!(byte, b'~' | b'^'))
            })
    };
    if patches && !words.iter().all(commit) {
        return None;
    }
    let quiet = |word: &&str| matches!(*word, "-s" | "--no-patch");
    if patches && !words.iter().any(quiet) {
        return None;
    }
    let mut lines = None;
    let selected = selects(words, &mut |word| {
        if word == "--oneline" {
            lines = Some(Printed::NameFirst);
            return true;
        }
        let format = word
            .strip_prefix("--format=")
            .or_else(|| word.strip_prefix("--pretty="))
            .map(|format| {
                let tagged = format.strip_prefix("tformat:");
                tagged
                    .or_else(|| format.strip_prefix("format:"))
                    .unwrap_or(format)
            });
        match format {
            Some(format) if only_names(format) => lines = Some(Printed::Hashes),
            _ => return false,
        }
        true
    });
    lines.filter(|_| selected)
}

/// `%H`, `%h %p`: placeholders of object names, apart.
fn only_names(format: &str) -> bool {
    let mut rest = format;
    while let Some(after) = rest.strip_prefix('%') {
        if !after.starts_with(['H', 'h', 'T', 't', 'P', 'p', 'n']) {
            return false;
        }
        rest = after.get(1..).unwrap_or_default().trim_start_matches(' ');
    }
    rest.is_empty() && !format.is_empty()
}

/// Whether the words do nothing but select commits, or are taken by `other`.
fn selects(words: &[&str], other: &mut dyn FnMut(&str) -> bool) -> bool {
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let number =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let taken = match *word {
            // What follows are paths.
            "--" => return true,
            "-n" => rest.next().is_some_and(|count| number(count)),
            word if word.starts_with('-') => {
                SELECT.contains(&word)
                    || SELECT_BY.iter().any(|option| word.starts_with(option))
                    || word.strip_prefix("-n").is_some_and(number)
                    || word.strip_prefix('-').is_some_and(number)
                    || other(word)
            }
            // A revision, or a path.
            _ => true,
        };
        if !taken {
            return false;
        }
    }
    true
}

fn rev_parse(words: &[&str]) -> Option<Printed> {
    match words {
        ["--show-toplevel" | "--absolute-git-dir"] => Some(Printed::Rooted),
        words => words
            .iter()
            .all(|word| {
                matches!(*word, "--verify" | "-q" | "--quiet" | "--short")
                    || word.strip_prefix("--short=").is_some_and(|count| count.parse::<u32>().is_ok())
                    // What is no revision is repeated as it is.
                    || is_revision(word)
            })
            .then_some(Printed::Names),
    }
}

/// A word that may be a revision: `HEAD~2`, `origin/main`, `v1.0^{commit}`.
fn is_revision(word: &str) -> bool {
    let special = |c: char| "_./~^@{}-".contains(c);
    !word.is_empty()
        && !word.starts_with('-')
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || special(c))
}

/// What is left of the lines behind a filter.
fn filtered(lines: Printed, words: &[Option<&str>]) -> Option<Printed> {
    let (name, rest) = words.split_first()?;
    let count = |word: &Option<&str>| {
        word.is_some_and(|word| {
            let word = word.strip_prefix('-').unwrap_or(word);
            let word = word.strip_prefix('n').unwrap_or(word);
            word.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    match *name {
        // By lines, and so through the middle of paths that hold a line end.
        _ if lines == Printed::Paths => match (*name, rest) {
            (Some("sort"), [Some("-z")]) => Some(lines),
            _ => None,
        },
        Some("head" | "tail") => rest.iter().all(count).then_some(lines),
        Some("sort") => rest
            .iter()
            .all(|word| matches!(word, Some("-u" | "-r")))
            .then_some(lines),
        Some("uniq" | "tac" | "cat") => rest.is_empty().then_some(lines),
        Some("awk") if matches!(rest, [Some("{print $1}" | "{ print $1 }")]) => match lines {
            Printed::Hashes | Printed::NameFirst => Some(Printed::Hashes),
            Printed::Names => Some(lines),
            _ => None,
        },
        Some("cut")
            if lines == Printed::NumberFirst
                && matches!(
                    rest,
                    [Some("-d:"), Some("-f1")]
                        | [Some("-d"), Some(":"), Some("-f1" | "-f 1")]
                        | [Some("-f1"), Some("-d:")]
                        | [Some("-d:"), Some("-f"), Some("1")]
                ) =>
        {
            Some(Printed::Numbers)
        }
        Some("cut")
            if matches!(
                rest,
                [Some("-d "), Some("-f1")] | [Some("-d"), Some(" "), Some("-f1")]
            ) =>
        {
            match lines {
                Printed::Hashes | Printed::NameFirst => Some(Printed::Hashes),
                Printed::Names => Some(lines),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through(stages: &[Vec<Option<String>>]) -> Printed {
        let each = |before, words: &Vec<_>| Some(printed(before, words));
        stages.iter().fold(None, each).expect("a stage")
    }

    fn of(text: &str) -> Printed {
        let stages: Vec<Vec<Option<String>>> = text
            .split(" | ")
            .map(|stage| {
                stage
                    .split_whitespace()
                    .map(|word| Some(word.into()))
                    .collect()
            })
            .collect();
        through(&stages)
    }

    #[test]
    fn what_prints_object_names_alone() {
        for text in [
            "git log --format=%H",
            "git log -5 --pretty=format:%h --no-merges main -- src",
            "git log --pretty=tformat:%H%n%P --since=yesterday | head -n 3 | tac",
            "git show -s --format=%H HEAD",
            "git rev-list --max-count=1 HEAD",
            "git show -s --format=%h HEAD~2^",
            "docker ps -aq",
            "git merge-base origin/main HEAD",
        ] {
            assert_eq!(of(text), Printed::Hashes, "{text}");
        }
        for text in [
            "seq 1 20 | tail -n 3",
            "pgrep -f node",
            "lsof -ti :3000",
            "grep -n foo f | head -1 | cut -d: -f1",
        ] {
            assert_eq!(of(text), Printed::Numbers, "{text}");
        }
        for text in ["git rev-parse --short=8 HEAD~2", "git rev-parse my-branch"] {
            assert_eq!(of(text), Printed::Names, "{text}");
        }
        let words = |words: &[&str]| words.iter().map(|word| Some((*word).into())).collect();
        let lines: Vec<Option<String>> = words(&["git", "log", "--oneline", "-n", "20"]);
        let first = words(&["awk", "{print $1}"]);
        let second = words(&["awk", "{print $2}"]);
        assert_eq!(through(&[lines.clone(), first]), Printed::Hashes);
        assert_eq!(through(&[lines, second]), Printed::Anything);
        for text in [
            "git rev-parse --show-toplevel",
            "realpath a",
            "readlink -f a",
            "pwd",
        ] {
            assert_eq!(of(text), Printed::Rooted, "{text}");
        }
        for text in [
            "find . -name *.rs -print0",
            "find src tests -type f -print0 | sort -z",
        ] {
            assert_eq!(of(text), Printed::Paths, "{text}");
        }
    }

    #[test]
    fn what_may_print_an_option() {
        for text in [
            "git log --format=%s",
            "git log --format=%H%d",
            "git log --format=%H-%h",
            "git log --format=%H -p",
            "git log --format=%H --stat",
            "git log --format=%H --graph",
            "git show --format=%H HEAD",
            "git show -s --format=%H v1",
            "git show -s --format=%H --tags",
            "seq 3 -1 -3",
            "seq -f -%g 3",
            "pgrep -l node",
            "pgrep -d - node",
            "lsof -i :3000",
            "grep -n foo f g | cut -d: -f1",
            "grep -n -e foo | cut -d: -f1",
            "grep -rn foo | cut -d: -f1",
            "grep -n foo f | cut -d: -f2",
            "docker ps",
            "docker ps -q --format x",
            "git log --oneline",
            "git log --format=",
            "git rev-list --objects HEAD",
            "git rev-list --format=%s HEAD",
            "git rev-parse --abbrev-ref HEAD",
            "git rev-parse --sq-quote x",
            "git rev-parse -- --output=x",
            "git describe --tags",
            "git branch",
            "git ls-files",
            "git log --format=%H | sort -k2",
            "git log --format=%H | sed s/^/-/",
            "git log --format=%H | head f",
            "realpath --relative-to=. a",
            "readlink a",
            "echo x",
            "find . -name x",
            "find . -print0 | head -n 1",
            "find . -print -print0",
            "find -files0-from f -print0",
            "find . -exec cat {} ; -print0",
        ] {
            assert!(
                matches!(of(text), Printed::Anything | Printed::NameFirst),
                "{text}"
            );
        }
    }
}
