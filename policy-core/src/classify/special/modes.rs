//! Commands that read in some modes only: an option must be there (or must not), or options must not be glued.
//!
//! The options themselves are listed in the specs; these checks say which of them make the command harmless.
//! Sources: the manuals named in the specs.

use alloc::{format, vec::Vec};

use super::{
    super::{check::CheckInput, model::Why},
    script::touch,
};
use crate::{
    diagnostic::Code,
    effect::{Effect, Touch},
};

type Outcome = Result<Vec<Touch>, Why>;

/// Passes when one of `options` stands there.
fn needs(input: &CheckInput<'_>, options: &str, what: &str) -> Outcome {
    if input.parsed.has(options) {
        return Ok(Vec::new());
    }
    let name = &input.parsed.spec.name;
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

/// The check `needsBatch`: interactive without `-b` (macOS: `-l`), and then a key writes its settings.
pub(super) fn needs_batch(input: &CheckInput<'_>) -> Outcome {
    needs(
        input,
        "-b -l",
        "is interactive without `-b` (on macOS `-l`)",
    )
}

/// The check `unzip`: it extracts unless it lists, tests or prints.
pub(super) fn unzip(input: &CheckInput<'_>) -> Outcome {
    needs(
        input,
        "-l -v -t -p -c -z -Z",
        "extracts files unless it lists, tests or prints",
    )
}

/// The check `sshKeygen`: it shows a fingerprint (`-l`) or looks a host up (`-F`).
pub(super) fn ssh_keygen(input: &CheckInput<'_>) -> Outcome {
    needs(input, "-l -F", "makes or changes keys")
}

/// The check `toOutput`: a compressor that replaces its operands unless it writes to the output, lists or tests.
pub(super) fn to_output(input: &CheckInput<'_>) -> Outcome {
    let harmless = "-c --stdout --to-stdout -l --list -t --test";
    if input.parsed.has(harmless) || input.parsed.operands.is_empty() {
        return Ok(Vec::new());
    }
    let mut touches = Vec::new();
    for (_, value) in input.operands() {
        touches.push(touch(Effect::Write, value.exact()));
        touches.push(touch(Effect::Delete, value.exact()));
    }
    Ok(touches)
}

/// The check `noClusters`: the tool reads `-ab` as `-a`, so what we take for a value would be an operand.
pub(super) fn no_clusters(input: &CheckInput<'_>) -> Outcome {
    let mut before = None;
    for option in &input.parsed.options {
        if before == Some(option.index) {
            return Err(input.refuse(
                Code::CommandFlag,
                option.index,
                "this tool does not know options written together",
            ));
        }
        before = Some(option.index);
    }
    Ok(Vec::new())
}
