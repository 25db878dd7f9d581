//! Tools whose operands may be more than files: addresses that are fetched, archives that are unpacked by programs,
//! documents that name further files, words with a sign that reads one.
//!
//! Sources: the manuals named in the specs.

use alloc::{format, vec::Vec};

use super::{
    super::{check::CheckInput, model::Why},
    script::texts,
};
use crate::{
    command::model::{Stdin, Value},
    diagnostic::Code,
    effect::Touch,
};

type Outcome = Result<Vec<Touch>, Why>;

/// Refuses operands whose text (any it can have) does not pass; what is only known when it runs does not.
fn every_operand(input: &CheckInput<'_>, passes: fn(&str) -> bool, what: &str) -> Outcome {
    for (index, value) in input.operands() {
        let Some(all) = texts(value) else {
            // A known beginning that names a path cannot become an address.
            let begins = value.known_prefix();
            if begins.contains('/') && !begins.contains(':') && passes(begins) {
                continue;
            }
            return Err(input.unknown(index));
        };
        if let Some(text) = all.iter().find(|text| !passes(text)) {
            return Err(input.refuse(Code::CommandOperand, index, format!("`{text}` {what}")));
        }
    }
    Ok(Vec::new())
}

/// Whether an operand is spelled like an option: after `--`, which not every tool knows as the end of them.
fn is_dashed(text: &str) -> bool {
    text.len() > 1 && text.starts_with('-')
}

/// The check `plainPaths`: no operand is an address or names a protocol (`http://…`, `concat:a|b`, `subfile,,…:f`), or an
/// option.
pub(super) fn plain_paths(input: &CheckInput<'_>) -> Outcome {
    every_operand(
        input,
        |text| !text.contains(':') && !is_dashed(text),
        "may be an address or an option",
    )
}

/// The check `plainWords`: no word is `@file`, from which binutils and LLVM read options (wherever it stands, after `--`
/// too), and no operand an option.
pub(super) fn plain_words(input: &CheckInput<'_>) -> Outcome {
    for (index, arg) in input.invocation.argv.iter().enumerate().skip(1) {
        let plain = match texts(&arg.value) {
            Some(all) => all.iter().all(|text| !text.starts_with('@')),
            None => match arg.value.known_prefix() {
                "" => arg.value == Value::Digits,
                begins => !begins.starts_with('@'),
            },
        };
        if !plain {
            return Err(input.refuse(
                Code::CommandOperand,
                index,
                "options may be read from a file here",
            ));
        }
    }
    let no_option = |text: &str| !is_dashed(text);
    match input.parsed.end_of_options {
        Some(_) => every_operand(input, no_option, "may be an option"),
        None => Ok(Vec::new()),
    }
}

/// The check `svnPaths`: paths of the working copy; `^/…` and `path@REVISION` are on the server.
pub(super) fn svn_paths(input: &CheckInput<'_>) -> Outcome {
    for (index, value) in input.operands() {
        let local = |text: &&str| !text.contains([':', '@']) && !text.starts_with(['^', '-']);
        if !texts(value).is_some_and(|all| all.iter().all(local)) {
            return Err(input.refuse(
                Code::CommandOperand,
                index,
                "the server may be asked for this",
            ));
        }
    }
    Ok(Vec::new())
}

/// The check `localFile`: what `--file` names is no address (`oci://…`, `git@host:…`), which would be fetched.
pub(super) fn local_file(input: &CheckInput<'_>) -> Outcome {
    local(input, "--file")
}

/// The check `localInputs`: no operand and no file of openssl is an address.
pub(super) fn local_inputs(input: &CheckInput<'_>) -> Outcome {
    local(input, "-in -CAfile -untrusted -trusted -CRLfile -CAstore")?;
    plain_paths(input)
}

fn local(input: &CheckInput<'_>, options: &str) -> Outcome {
    for option in input.parsed.all(options) {
        let index = option.value_index.unwrap_or(option.index);
        let Some(all) = option.value.as_ref().and_then(texts) else {
            return Err(input.unknown(index));
        };
        if let Some(text) = all.iter().find(|text| text.contains(':')) {
            let message = format!("`{text}` may be an address");
            return Err(input.refuse(Code::CommandOperand, index, message));
        }
    }
    Ok(Vec::new())
}

/// Ends of names that `cloc` and the like unpack by a program.
const ARCHIVES: &[&str] = &[
    ".tar", ".tgz", ".tbz", ".tbz2", ".txz", ".gz", ".bz2", ".xz", ".zip", ".jar", ".war", ".ear",
    ".whl", ".z", ".7z", ".rpm", ".deb", ".dmg", ".iso", ".zst", ".lz",
];

/// The check `noArchives`: no operand is an archive, which would be unpacked by a program, or an address.
pub(super) fn no_archives(input: &CheckInput<'_>) -> Outcome {
    let passes = |text: &str| {
        let lower = text.to_ascii_lowercase();
        !ARCHIVES.iter().any(|end| lower.ends_with(end)) && !lower.contains("://")
    };
    every_operand(
        input,
        passes,
        "is an archive or an address, for which a program is started",
    )
}

/// Ends of names whose format, taken from the name, cannot name further files or addresses to read.
const SELF_CONTAINED: &[&str] = &[
    ".md",
    ".markdown",
    ".mkd",
    ".txt",
    ".text",
    ".html",
    ".htm",
    ".xhtml",
    ".docx",
    ".odt",
    ".epub",
    ".ipynb",
    ".json",
    ".csv",
    ".tsv",
    ".rtf",
    ".pptx",
    ".xlsx",
    ".native",
    ".opml",
    ".fb2",
    ".1",
    ".bib",
];

/// The check `pandoc`: documents are files, and of a format that names no further ones (reStructuredText, LaTeX, Org and
/// others include files and addresses), by option or by the ends of their names.
pub(super) fn pandoc(input: &CheckInput<'_>) -> Outcome {
    plain_paths(input)?;
    // The values of the option are limited by its table.
    if input.parsed.has("-f") {
        return Ok(Vec::new());
    }
    let passes = |text: &str| {
        let lower = text.to_ascii_lowercase();
        text == "-" || SELF_CONTAINED.iter().any(|end| lower.ends_with(end))
    };
    every_operand(input, passes, "is of a format that may read further files")
}

/// The check `joWords`: a value that begins with `@`, `:` or `%` is the content of a file.
pub(super) fn jo_words(input: &CheckInput<'_>) -> Outcome {
    for (index, value) in input.operands() {
        let reads = |text: &str| {
            let value = text
                .split_once('=')
                .or_else(|| text.split_once(":="))
                .map_or(text, |(_, value)| value);
            text.starts_with(['@', ':', '%']) || value.starts_with(['@', ':', '%'])
        };
        let known = match value {
            Value::Exact(text) => !reads(text),
            Value::OneOf(all) => all.iter().all(|text| !reads(text)),
            // Something of the value is known, so that it begins otherwise.
            Value::Prefix(text) => {
                text.split_once('=')
                    .is_some_and(|(_, value)| !value.is_empty())
                    && !reads(text)
            }
            _ => false,
        };
        if !known {
            return Err(input.refuse(
                Code::CommandOperand,
                index,
                "a value here may be the content of a file",
            ));
        }
    }
    Ok(Vec::new())
}

/// The check `fzfFilter`: with `--filter` it prints what matches of an input that the text gives; otherwise it waits for a
/// person, or starts a program for its input.
pub(super) fn fzf_filter(input: &CheckInput<'_>) -> Outcome {
    if input.parsed.has("--filter") && input.invocation.stdin != Stdin::Inherited {
        return Ok(Vec::new());
    }
    Err(input.refuse(
        Code::CommandEffect,
        0,
        "without `--filter` and an input it waits for a person and starts programs",
    ))
}

/// The check `patchelf`: an option that prints must stand there; without one the operand is written anew.
pub(super) fn patchelf(input: &CheckInput<'_>) -> Outcome {
    let prints = input
        .parsed
        .options
        .iter()
        .any(|option| option.name.trim_start_matches('-').starts_with("print-"));
    if prints {
        return Ok(Vec::new());
    }
    Err(input.refuse(
        Code::CommandEffect,
        0,
        "it writes the program anew unless it only prints",
    ))
}

/// Miller's verbs that only compute.
const MILLER: &[&str] = &[
    "altkv",
    "bar",
    "bootstrap",
    "bottom",
    "cat",
    "count",
    "count-distinct",
    "count-similar",
    "count-values",
    "cut",
    "decimate",
    "fill-down",
    "fill-empty",
    "format-values",
    "fraction",
    "gap",
    "grep",
    "group-by",
    "group-like",
    "gsub",
    "having-fields",
    "head",
    "histogram",
    "join",
    "json-parse",
    "json-stringify",
    "label",
    "least-frequent",
    "merge-fields",
    "most-frequent",
    "nest",
    "nothing",
    "regularize",
    "rename",
    "reorder",
    "repeat",
    "reshape",
    "sample",
    "sec2gmt",
    "sec2gmtdate",
    "seqgen",
    "shuffle",
    "skip-trivial-records",
    "sort",
    "sort-within-records",
    "sparsify",
    "stats1",
    "stats2",
    "step",
    "sub",
    "summary",
    "tac",
    "tail",
    "template",
    "top",
    "unfill",
    "uniq",
    "unsparsify",
    "utf8-to-latin1",
];

/// Verbs that write, or run a program in Miller's language.
const MILLER_ACTING: &[&str] = &["case", "filter", "put", "split", "tee", "exec"];

/// The environment in which Miller reads no `.mlrrc`: one in the folder may hold `-I` (`mlr help mlrrc`).
pub(in crate::classify) const NO_MLRRC: &[(&str, &str)] = &[("MLRRC", "__none__")];

/// The check `mlrVerbs`: every verb is known and only computes, nothing is an address, and no `.mlrrc` can be read; `-s` as
/// the first word reads options from a file.
pub(super) fn mlr_verbs(input: &CheckInput<'_>) -> Outcome {
    if !input.facts.can_apply_conditions {
        return Err(input.refuse(
            Code::CommandEffect,
            0,
            "a `.mlrrc` of the folder may make it write",
        ));
    }
    let mut verbs = 0;
    let mut after_then = false;
    for (index, arg) in input.invocation.argv.iter().enumerate().skip(1) {
        let Some(word) = arg.value.exact() else {
            // Only a path of data is no verb and no option.
            if arg.value.known_prefix().contains('/') && !after_then {
                continue;
            }
            return Err(input.unknown(index));
        };
        let known = MILLER.contains(&word);
        if word.contains("://") {
            return Err(input.refuse(Code::CommandOperand, index, "an address is fetched"));
        }
        if MILLER_ACTING.contains(&word) || (after_then && !known) || (index == 1 && word == "-s") {
            return Err(input.refuse(
                Code::CommandScript,
                index,
                format!("`{word}` may write or run something"),
            ));
        }
        verbs += usize::from(known);
        after_then = word == "then";
    }
    if verbs == 0 {
        return Err(input.refuse(Code::CommandScript, 0, "no verb of it is known"));
    }
    Ok(Vec::new())
}
