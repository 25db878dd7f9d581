//! Commands that print numbers and nothing else, or a number first on each line.

use super::Printed;

/// What `name` prints with these words; `None` when nothing is known of it.
pub(super) fn printed(name: &str, rest: &[Option<&str>]) -> Option<Printed> {
    match name {
        // Down to a negative number it would count with a negative step only.
        "seq" => {
            let number = |word: &Option<&str>| {
                word.is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
            };
            rest.iter().all(number).then_some(Printed::Numbers)
        }
        // `-l`, `-a` and `-d` put other things between the numbers.
        "pgrep" => {
            let plain = |word: &Option<&str>| {
                word.is_none_or(|word| {
                    !word.starts_with('-')
                        || matches!(word, "-f" | "-x" | "-n" | "-o" | "-u" | "-P" | "-i")
                })
            };
            // A name that is not known may be an option.
            (rest.iter().all(Option::is_some) && rest.iter().all(plain)).then_some(Printed::Numbers)
        }
        // All numbers are on one line; none is printed for a name that is not found.
        "pidof" => {
            let plain = |word: &Option<&str>| {
                word.is_some_and(|word| !word.starts_with('-') || word == "-s")
            };
            rest.iter().all(plain).then_some(Printed::Hashes)
        }
        "lsof" => {
            let plain = |word: &Option<&str>| {
                word.is_some_and(|word| {
                    matches!(
                        word,
                        "-t" | "-i" | "-ti" | "-nP" | "-n" | "-P" | "-sTCP:LISTEN"
                    ) || ["-i:", "-ti:", "-iTCP:", "-tiTCP:", ":"]
                        .iter()
                        .any(|start| word.starts_with(start))
                })
            };
            let terse = |word: &Option<&str>| {
                word.is_some_and(|word| word == "-t" || word.starts_with("-ti"))
            };
            (rest.iter().all(plain) && rest.iter().any(terse)).then_some(Printed::Numbers)
        }
        // One file, so that no name stands before the number.
        "grep" => match rest {
            [
                Some("-n" | "-nE" | "-nF" | "-ni" | "-nw"),
                Some(pattern),
                Some(_),
            ] if !pattern.starts_with('-') => Some(Printed::NumberFirst),
            [
                Some("-n"),
                Some("-m1" | "-F" | "-E" | "-i" | "-w"),
                Some(pattern),
                Some(_),
            ] if !pattern.starts_with('-') => Some(Printed::NumberFirst),
            _ => None,
        },
        _ => None,
    }
}
