//! What an exit code says where 1 is an answer and not a fault.
//!
//! By the last simple command, which is the one whose status a list ends with. After `&&` that command may not
//! have run at all, so a meaning is given only where every command before it would give the same one,
//! or where its status is certainly its own.

use super::{Joint, Step};

/// What an exit code means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExitMeaning {
    /// The command failed.
    pub is_error: bool,
    /// In words, where there is something to say.
    pub note: Option<&'static str>,
}

/// What `code` means at the end of `steps` (`None`: not a plain list).
#[must_use]
pub fn exit_meaning(steps: Option<&[Step]>, code: i32) -> ExitMeaning {
    let plain = ExitMeaning {
        is_error: code != 0,
        note: None,
    };
    if code == 0 {
        return plain;
    }
    // 128 + SIGPIPE: the reader of a pipeline had enough.
    let piped = steps.is_some_and(|steps| {
        // The last list alone gives its status.
        let start = steps.iter().rposition(|step| step.joint == Joint::Sequence);
        let last = steps.get(start.unwrap_or(0)..).unwrap_or_default();
        last.iter().any(|step| step.joint == Joint::Pipe)
    });
    if code == 141 && piped {
        return ExitMeaning {
            is_error: false,
            note: Some("A command of the pipeline was ended because its reader had read enough"),
        };
    }
    let Some(note) = steps.and_then(|steps| answer(steps, code)) else {
        return plain;
    };
    ExitMeaning {
        is_error: false,
        note: Some(note),
    }
}

fn answer(steps: &[Step], code: i32) -> Option<&'static str> {
    if code != 1 {
        return None;
    }
    if steps.iter().any(may_end_early) {
        return None;
    }
    let note = note(steps.last()?)?;
    // `a && grep x f`, `a && b | grep x`: the 1 may be the status of `a`.
    let opener = steps.iter().rposition(|step| step.joint != Joint::Pipe)?;
    let (before, _) = steps.split_at_checked(opener)?;
    let own = steps.get(opener)?.joint != Joint::And
        || before
            .iter()
            .rev()
            .take_while(|step| step.joint != Joint::Sequence)
            .chain(
                before
                    .iter()
                    .rev()
                    .find(|step| step.joint == Joint::Sequence),
            )
            .all(|step| cannot_fail(step) || super::exit_code::note(step) == Some(note));
    own.then_some(note)
}

/// What may end the shell before the last step, or give it another status (`pipefail`).
fn may_end_early(step: &Step) -> bool {
    matches!(
        step.name(),
        None | Some(
            "set"
                | "exit"
                | "return"
                | "exec"
                | "trap"
                | "shopt"
                | "setopt"
                | "source"
                | "."
                | "eval"
        )
    )
}

/// Commands that end with 0 whatever happens, or whose failure is told by another code than 1.
fn cannot_fail(step: &Step) -> bool {
    !step.altered
        && matches!(
            step.name(),
            Some("true" | ":" | "echo" | "printf" | "export")
        )
}

fn note(step: &Step) -> Option<&'static str> {
    if step.altered {
        return None;
    }
    match step.name()? {
        "grep" | "egrep" | "fgrep" | "zgrep" | "rg" | "ag" | "ack" | "pgrep" => {
            Some("No matches found")
        }
        "diff" | "cmp" | "colordiff" => Some("Files differ"),
        // With an action the 1 may be that of what it runs or removes.
        "find" | "fd" if !acts(step) => Some("Some directories were inaccessible"),
        "test" | "[" => Some("Condition is false"),
        "git" => match subcommand(step)? {
            "grep" => Some("No matches found"),
            "diff" => Some("Files differ"),
            _ => None,
        },
        _ => None,
    }
}

fn acts(step: &Step) -> bool {
    step.argv.iter().any(|word| {
        word.as_deref().is_none_or(|word| {
            ["-exec", "-ok", "-delete", "-x", "-X", "--exec"]
                .iter()
                .any(|action| word.starts_with(action))
        })
    })
}

fn subcommand(step: &Step) -> Option<&str> {
    step.argv
        .iter()
        .skip(1)
        .map_while(|word| word.as_deref())
        .find(|word| !word.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::{super::tests::list, *};

    fn meaning(text: &str, code: i32) -> (bool, Option<&'static str>) {
        let meaning = exit_meaning(Some(&list(text)), code);
        (meaning.is_error, meaning.note)
    }

    #[test]
    fn f23_one_is_an_answer_for_some() {
        assert_eq!(meaning("grep x f", 1), (false, Some("No matches found")));
        assert_eq!(
            meaning("cat f | /usr/bin/grep x", 1),
            (false, Some("No matches found"))
        );
        assert_eq!(
            meaning("git --no-pager diff --exit-code", 1),
            (false, Some("Files differ"))
        );
        assert_eq!(meaning("test -f x", 1), (false, Some("Condition is false")));
        assert_eq!(
            meaning("echo a ; [ -f x ]", 1),
            (false, Some("Condition is false"))
        );
        assert_eq!(
            meaning("find / -name x", 1),
            (false, Some("Some directories were inaccessible"))
        );
    }

    #[test]
    fn and_is_an_error_for_others() {
        assert_eq!(meaning("grep x f", 2), (true, None));
        assert_eq!(meaning("cargo test", 1), (true, None));
        assert_eq!(meaning("grep x f | sort", 1), (true, None));
        // It may be `make` that failed.
        assert_eq!(meaning("make && grep x f", 1), (true, None));
        assert_eq!(
            meaning("echo hi && grep x f", 1),
            (false, Some("No matches found"))
        );
        assert_eq!(
            meaning("make ; grep x f", 1),
            (false, Some("No matches found"))
        );
        assert!(exit_meaning(None, 1).is_error);
        assert!(!exit_meaning(None, 0).is_error);
    }

    #[test]
    fn another_command_may_have_ended_the_list() {
        for text in [
            "cd nope && ls | grep x",
            "npm test && cat out | grep x",
            "set -e ; false ; grep x f",
            "set -o pipefail ; npm test | grep -v x",
            "exit 1 ; grep x f",
            "find . -exec false {} +",
        ] {
            assert_eq!(meaning(text, 1), (true, None), "{text}");
        }
        assert_eq!(
            meaning("echo a && cat f | grep x", 1),
            (false, Some("No matches found"))
        );
        assert!(meaning("ls | cat ; kill -PIPE 1", 141).0);
    }

    #[test]
    fn f24_a_closed_pipe_is_no_failure() {
        assert!(!meaning("yes | head -1", 141).0);
        assert!(meaning("yes", 141).0);
    }
}
