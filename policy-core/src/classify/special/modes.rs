//! Commands that read in some modes only: an option must be there (or must not), or options must not be glued.
//!
//! The options themselves are listed in the specs; these checks say which of them make the command harmless.
//! Sources: the manuals named in the specs.

use alloc::{format, vec::Vec};

use super::{
    super::{called, check::CheckInput, model::Why},
    script::{texts, touch},
};
use crate::{
    command::model::Value,
    diagnostic::Code,
    effect::{Effect, Touch},
};

type Outcome = Result<Vec<Touch>, Why>;

/// Passes when one of `options` stands there.
fn needs(input: &CheckInput<'_>, options: &str, what: &str) -> Outcome {
    if input.parsed.has(options) {
        return Ok(Vec::new());
    }
    let name = called(input.invocation, input.parsed);
    Err(input.refuse(Code::CommandEffect, 0, format!("`{name}` {what}")))
}

/// The check `needsList`: it only shows with `-l`, `-L`, `-S` or their long forms (`crontab`, `iptables`).
pub(super) fn needs_list(input: &CheckInput<'_>) -> Outcome {
    needs(
        input,
        "-l -L -S --list --list-rules",
        "only shows with its listing option",
    )
}

fn does(effect: Effect) -> Outcome {
    Ok(alloc::vec![Touch {
        effect,
        target: None,
        place: None,
    }])
}

/// The check `dryRun`: a command of git that only shows what it would do (git-clean(1), git-apply(1)).
pub(super) fn dry_run(input: &CheckInput<'_>) -> Outcome {
    let parsed = input.parsed;
    if parsed.has("-n --dry-run --check --stat --numstat --summary") {
        return Ok(Vec::new());
    }
    match parsed.sub {
        Some(sub) if sub.words == "clean" => does(Effect::Delete),
        _ => does(Effect::Write),
    }
}

/// The check `killNone`: `-0` with numbers sends no signal (kill(1)). One unknown word may stand there alone: as an option
/// it would lack its value or a process.
pub(super) fn kill_none(input: &CheckInput<'_>) -> Outcome {
    let mut words = input.words().iter().map(|arg| &arg.value);
    let none = words.next().and_then(Value::exact) == Some("-0");
    let number = |value: &Value| match value {
        Value::Digits => true,
        value => texts(value).is_some_and(|all| {
            let digits = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
            all.iter().all(digits)
        }),
    };
    let rest: Vec<&Value> = words.collect();
    if none
        && (rest.iter().all(|value| number(value)) || matches!(rest.as_slice(), [Value::Unknown]))
    {
        return Ok(Vec::new());
    }
    does(Effect::Process)
}

/// The check `needsBatch`: interactive without `-b` (macOS: `-l`), and then a key writes its settings.
pub(super) fn needs_batch(input: &CheckInput<'_>) -> Outcome {
    needs(
        input,
        "-b -l",
        "is interactive without `-b` (on macOS `-l`)",
    )
}

/// The check `gpgListing`: an option must say what it does, and only listings are listed in the spec; a bare file would be
/// decrypted or verified.
pub(super) fn gpg_listing(input: &CheckInput<'_>) -> Outcome {
    needs(
        input,
        "--list-keys --fingerprint --list-sigs --list-packets --show-keys --list-config --list-gcrypt-config",
        "does what the file asks for unless it lists",
    )
}

/// The check `blkidProbe`: only with `-p` is nothing noted in its cache.
pub(super) fn blkid_probe(input: &CheckInput<'_>) -> Outcome {
    needs(input, "-p", "notes what it found in its cache without `-p`")
}

/// The check `codesignShows`: it signs unless it displays or verifies.
pub(super) fn codesign_shows(input: &CheckInput<'_>) -> Outcome {
    needs(
        input,
        "-d -v -vv -vvv -vvvv",
        "signs unless it displays or verifies",
    )
}

/// The check `spctlShows`: it changes what may run unless it assesses or tells its status.
pub(super) fn spctl_shows(input: &CheckInput<'_>) -> Outcome {
    needs(
        input,
        "-a --status --disable-status",
        "changes what may run unless it assesses",
    )
}

/// The check `sipsShows`: it writes pictures unless it only gets properties.
pub(super) fn sips_shows(input: &CheckInput<'_>) -> Outcome {
    needs(input, "-g", "changes pictures unless it gets a property")
}

/// The check `qpdfShows`: it writes unless it is told what to show, and reads options from a file named with `@`.
pub(super) fn qpdf_shows(input: &CheckInput<'_>) -> Outcome {
    let shows = "--check --show-npages --show-pages --show-xref --show-encryption --show-linearization \
        --check-linearization --list-attachments --is-encrypted --requires-password --show-object --show-attachment";
    needs(input, shows, "writes a document unless it shows something")?;
    for (index, value) in input.operands() {
        if texts(value).is_none_or(|all| all.iter().any(|text| text.starts_with(['@', '-']))) {
            return Err(input.refuse(
                Code::CommandOperand,
                index,
                "options may be read from a file here",
            ));
        }
    }
    Ok(Vec::new())
}

/// The check `straceExpression`: an expression only chooses what is shown.
pub(super) fn strace_expression(input: &CheckInput<'_>) -> Outcome {
    for option in input.parsed.all("-e") {
        let value = option.value.as_ref();
        let known = value.and_then(Value::exact).unwrap_or("inject");
        if ["inject", "fault", "kvm"]
            .iter()
            .any(|word| known.contains(word))
        {
            return Err(input.refuse(
                Code::CommandFlagValue,
                option.index,
                "this expression may change what the command does",
            ));
        }
    }
    Ok(Vec::new())
}

/// The check `unzip`: it extracts unless it lists, tests or prints.
pub(super) fn unzip(input: &CheckInput<'_>) -> Outcome {
    needs(
        input,
        "-l -v -t -p -c -z -Z",
        "extracts files unless it lists, tests or prints",
    )
}

/// The check `tmuxCapture`: without `-p` it makes a buffer.
pub(super) fn tmux_capture(input: &CheckInput<'_>) -> Outcome {
    needs(input, "-p", "makes a buffer without `-p`")
}

/// The check `sshKeygen`: it shows a fingerprint (`-l`) or looks a host up (`-F`) with few options beside.
pub(super) fn ssh_keygen(input: &CheckInput<'_>) -> Outcome {
    let start = input.parsed.start;
    let mut words = input.words().iter().enumerate();
    let mut touches = Vec::new();
    let mut shows = false;
    while let Some((offset, word)) = words.next() {
        let text = word.value.exact().unwrap_or("");
        let letters = text.strip_prefix('-').unwrap_or("");
        let flags = letters.trim_end_matches(['f', 'E', 'F']);
        let valued = letters.len() - flags.len();
        if letters.is_empty() || valued > 1 || !flags.chars().all(|c| "lvq".contains(c)) {
            return Err(input.refuse(
                Code::CommandFlag,
                start + offset,
                "a word that is not known to only show",
            ));
        }
        shows |= flags.contains('l') || letters.ends_with('F');
        if valued == 1 {
            match words.next() {
                None => {}
                Some((_, value)) if letters.ends_with('f') => {
                    touches.push(touch(Effect::Read, value.value.exact()));
                }
                Some((offset, value)) if matches!(value.value, Value::Many(_)) => {
                    return Err(input.unknown(start + offset));
                }
                Some(_) => {}
            }
        }
    }
    if shows {
        Ok(touches)
    } else {
        Err(input.refuse(Code::CommandEffect, 0, "`ssh-keygen` makes or changes keys"))
    }
}

/// The check `lessValues`: a text in an option ends at `$`, and what follows it is read as options again.
pub(super) fn less_values(input: &CheckInput<'_>) -> Outcome {
    for option in input.parsed.all("-p -P -D") {
        let whole = |text: &&str| !text.trim_end_matches('$').contains('$');
        let known = option.value.as_ref().and_then(texts);
        // As a word of its own an unknown one is the text.
        let unknown = option.value_index != Some(option.index);
        if !known.map_or(unknown, |all| all.iter().all(whole)) {
            return Err(input.refuse(
                Code::CommandFlagValue,
                option.index,
                "what follows `$` in this value is read as options",
            ));
        }
    }
    Ok(Vec::new())
}

/// The check `toOutput`: a compressor that replaces its operands unless it writes to the output, lists or tests. With most
/// the last of several modes counts, so that a mode to compress or expand may undo the listing; gzip lists all the same.
pub(super) fn to_output(input: &CheckInput<'_>) -> Outcome {
    let parsed = input.parsed;
    let shows = parsed.has("-l --list -t --test")
        && (parsed.spec.name == "gzip" || !parsed.has("-d --decompress -z --compress"));
    if shows || parsed.has("-c --stdout") || parsed.operands.is_empty() {
        return Ok(Vec::new());
    }
    let mut touches = Vec::new();
    for (_, value) in input.operands() {
        touches.push(touch(Effect::Write, value.exact()));
        touches.push(touch(Effect::Delete, value.exact()));
        // Expanding makes the name without its ending.
        let made = value.exact().and_then(|name| name.rsplit_once('.'));
        if let Some((made, _)) = made.filter(|(_, ending)| !ending.contains('/')) {
            touches.push(touch(Effect::Write, Some(made)));
        }
    }
    if parsed.has("-N --name -S --suffix") {
        // Another name, from the archive or with another ending.
        touches.push(touch(Effect::Write, None));
    }
    Ok(touches)
}

/// The check `xxd`: its options go by their first letters, and the second operand is written.
pub(super) fn xxd(input: &CheckInput<'_>) -> Outcome {
    const VALUED: &[&str] = &[
        "-c",
        "-cols",
        "-g",
        "-groupsize",
        "-l",
        "-len",
        "-o",
        "-s",
        "-seek",
        "-n",
        "-name",
    ];
    const PLAIN: &[&str] = &[
        "-a",
        "-autoskip",
        "-b",
        "-bits",
        "-C",
        "-capitalize",
        "-d",
        "-e",
        "-E",
        "-EBCDIC",
        "-i",
        "-include",
        "-p",
        "-ps",
        "-plain",
        "-postscript",
        "-r",
        "-revert",
        "-t",
        "-u",
        "-upper",
        "-v",
    ];
    let start = input.parsed.start;
    let mut words = input.words().iter().enumerate();
    let mut touches = Vec::new();
    let mut options = true;
    let mut operands = 0;
    while let Some((offset, word)) = words.next() {
        let index = start + offset;
        if matches!(word.value, Value::Many(_))
            || (options && word.value.may_be_option(true) && word.value.exact().is_none())
        {
            return Err(input.unknown(index));
        }
        let text = word.value.known_prefix();
        if options && text == "--" {
            options = false;
        } else if options && PLAIN.contains(&text) {
        } else if options && VALUED.contains(&text) {
            if words
                .next()
                .is_some_and(|(_, value)| matches!(value.value, Value::Many(_)))
            {
                return Err(input.unknown(index + 1));
            }
        } else if options && text.len() > 1 && text.starts_with('-') {
            // `-c16`, `-s-8`
            let attached = text.get(2..).unwrap_or("");
            let number = attached.trim_start_matches(['+', '-']);
            let fine = VALUED
                .iter()
                .any(|name| name.len() == 2 && text.starts_with(name))
                && number.starts_with(|c: char| c.is_ascii_digit())
                && number.chars().all(|c| c.is_ascii_alphanumeric());
            if !fine {
                return Err(input.refuse(
                    Code::CommandFlag,
                    index,
                    format!("`{text}` is not known to be harmless"),
                ));
            }
        } else {
            options = false;
            operands += 1;
            let effect = if operands == 1 {
                Effect::Read
            } else {
                Effect::Write
            };
            if text != "-" {
                touches.push(touch(effect, word.value.exact()));
            }
        }
    }
    Ok(touches)
}
