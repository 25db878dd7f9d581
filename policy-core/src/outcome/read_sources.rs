//! Which files a command showed, so that a host may count them as read.
//!
//! Only shapes that can be told at a glance: `cat FILE`, `head`/`tail -n N FILE`, `sed -n 'N,Mp' FILE`, and one `grep`
//! alone; no pipe, no redirect. `echo`, `printf`, `true` and `:` between them do not matter.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::{Joint, Step};

/// A file that was shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadSource {
    /// As the command names it.
    pub path: String,
    /// Which part.
    pub range: ReadRange,
}

/// A part of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadRange {
    /// All of it (`cat`, and `grep`, which counts as such).
    Whole,
    /// The first lines.
    First(u64),
    /// The last lines.
    Last(u64),
    /// From one line to another, counted from 1, both included.
    Lines(u64, u64),
}

/// The files that `steps` showed, given the exit code of the whole. Empty when that cannot be told.
#[must_use]
pub fn read_sources(steps: &[Step], code: i32) -> Vec<ReadSource> {
    let plain = steps.iter().all(|step| {
        step.joint != Joint::Pipe && step.joint != Joint::Or && !step.redirected && !step.altered
    });
    if !plain || code != 0 {
        return Vec::new();
    }
    let mut sources = Vec::new();
    for step in steps {
        match step.name() {
            Some("echo" | "printf" | "true" | ":") => {}
            Some("grep") if steps.len() == 1 => match grep(step) {
                Some(source) => sources.push(source),
                None => return Vec::new(),
            },
            Some(name) => match shown(name, step) {
                Some(found) => sources.extend(found),
                None => return Vec::new(),
            },
            None => return Vec::new(),
        }
    }
    // With `;` an earlier command may have failed unseen.
    let joined = steps.iter().skip(1).all(|step| step.joint == Joint::And);
    if steps.len() > 1 && !joined {
        Vec::new()
    } else {
        sources
    }
}

fn shown(name: &str, step: &Step) -> Option<Vec<ReadSource>> {
    let args = step.known_args()?;
    match name {
        "cat" => files(
            args.iter().copied().filter(|arg| *arg != "-n"),
            ReadRange::Whole,
        ),
        "head" => lines_of(&args).and_then(|(count, rest)| files(rest, ReadRange::First(count))),
        "tail" => lines_of(&args).and_then(|(count, rest)| files(rest, ReadRange::Last(count))),
        "sed" => {
            let [quiet, script, rest @ ..] = args.as_slice() else {
                return None;
            };
            if *quiet != "-n" {
                return None;
            }
            let (from, to) = print_range(script)?;
            files(rest.iter().copied(), ReadRange::Lines(from, to))
        }
        _ => None,
    }
}

fn files<'a>(args: impl IntoIterator<Item = &'a str>, range: ReadRange) -> Option<Vec<ReadSource>> {
    let mut sources = Vec::new();
    for arg in args {
        if arg.starts_with('-') || arg.is_empty() {
            return None;
        }
        sources.push(ReadSource {
            path: arg.to_owned(),
            range,
        });
    }
    // With several files a range says nothing of any one of them.
    let one = sources.len() == 1 || range == ReadRange::Whole && !sources.is_empty();
    one.then_some(sources)
}

/// `-n N`, `-nN`, `-N`, `--lines=N`, or the default of ten.
fn lines_of<'a>(args: &[&'a str]) -> Option<(u64, Vec<&'a str>)> {
    let number = |text: &str| {
        text.bytes()
            .all(|b| b.is_ascii_digit())
            .then(|| text.parse::<u64>().ok())?
    };
    match args {
        ["-n", count, rest @ ..] => Some((number(count)?, rest.to_vec())),
        [flag, rest @ ..] if flag.starts_with('-') => {
            let count = flag
                .strip_prefix("--lines=")
                .or_else(|| flag.strip_prefix("-n"))
                .or_else(|| flag.strip_prefix('-'))?;
            Some((number(count)?, rest.to_vec()))
        }
        rest => Some((10, rest.to_vec())),
    }
}

/// `Np` or `N,Mp`.
fn print_range(script: &str) -> Option<(u64, u64)> {
    let range = script.strip_suffix('p')?;
    let (from, to) = range.split_once(',').unwrap_or((range, range));
    let (from, to) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
    (from >= 1 && from <= to).then_some((from, to))
}

fn grep(step: &Step) -> Option<ReadSource> {
    let args = step.known_args()?;
    let mut operands = args.iter().filter(|arg| !arg.starts_with('-'));
    let quiet = |arg: &&&str| {
        let short = arg.starts_with('-') && !arg.starts_with("--");
        short && arg.contains(['q', 'c', 'l', 'L', 'r', 'R', 'e', 'f', 'A', 'B', 'C', 'm'])
            || arg.starts_with("--")
    };
    if args.iter().any(|arg| quiet(&arg)) {
        return None;
    }
    let (_pattern, file) = (operands.next()?, operands.next()?);
    operands.next().is_none().then(|| ReadSource {
        path: (*file).to_owned(),
        range: ReadRange::Whole,
    })
}

#[cfg(test)]
mod tests {
    use super::{super::tests::list, *};

    fn sources(text: &str) -> Vec<(String, ReadRange)> {
        read_sources(&list(text), 0)
            .into_iter()
            .map(|source| (source.path, source.range))
            .collect()
    }

    #[test]
    fn the_shapes_that_count() {
        assert_eq!(
            sources("cat -n a b"),
            [
                ("a".into(), ReadRange::Whole),
                ("b".into(), ReadRange::Whole)
            ]
        );
        assert_eq!(sources("head a"), [("a".into(), ReadRange::First(10))]);
        assert_eq!(sources("tail -n 5 a"), [("a".into(), ReadRange::Last(5))]);
        assert_eq!(sources("head -20 a"), [("a".into(), ReadRange::First(20))]);
        assert_eq!(
            sources("sed -n 3,7p a"),
            [("a".into(), ReadRange::Lines(3, 7))]
        );
        assert_eq!(sources("grep -n x a"), [("a".into(), ReadRange::Whole)]);
        assert_eq!(sources("cat a && echo --- && head -n 3 b").len(), 2);
    }

    #[test]
    fn the_shapes_that_do_not() {
        for text in [
            "cat a | head",
            "cat a || cat b",
            "cat a ; cat b",
            "cat $X",
            "cat -A a",
            "tail -f a",
            "tail -n +5 a",
            "head a b",
            "sed s/a/b/ a",
            "sed -n 7,3p a",
            "grep -r x a",
            "grep -q x a",
            "grep x a b",
            "cat a && grep x b",
            "cat a && make",
            "cat",
        ] {
            assert_eq!(sources(text), [], "{text}");
        }
        assert_eq!(read_sources(&list("grep x a"), 1), []);
    }
}
