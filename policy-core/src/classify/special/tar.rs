//! tar's command line: the mode, old-style bundles, and options that run programs or reach other machines.
//!
//! Words in, touches out. Only listing (`t`), comparing (`d`) and extracting to the output (`xO`) are
//! read-only; every option outside a short list is a fault. Sources: GNU tar manual 1.34, bsdtar(1).

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    super::{check::CheckInput, model::Why},
    script::{Fault, touch},
};
use crate::{
    command::model::{Arg, Value},
    diagnostic::Code,
    effect::{Effect, Touch},
};

/// The check `tar`.
pub(super) fn check(input: &CheckInput<'_>) -> Result<Vec<Touch>, Why> {
    read_words(input.words()).map_err(|fault| {
        let index = input.parsed.start + fault.at;
        let code = match input.word(index) {
            Some(word) if word.value.exact().is_none() => Code::CommandUnknownWord,
            _ if fault.acts => Code::CommandFlagEffect,
            _ => Code::CommandFlag,
        };
        input.refuse(code, index, &fault.what)
    })
}

#[derive(Default)]
struct Seen {
    /// The letter of the mode and the word it stands in.
    mode: Option<(char, usize)>,
    to_output: bool,
    /// The folders it is told to go to; `None` is not known.
    into: Vec<Option<String>>,
    touches: Vec<Touch>,
}

/// A fault with the index of the word it is about in `at`.
fn read_words(words: &[Arg]) -> Result<Vec<Touch>, Fault> {
    let mut seen = Seen::default();
    let mut at = 0;
    let mut ended = false;
    while let Some(word) = words.get(at) {
        let index = at;
        at += 1;
        if ended {
            continue;
        }
        let Some(text) = word.value.exact() else {
            if index == 0 || word.value.may_be_option(false) {
                return Err(Fault::unread(index, "a word that may be an option of tar"));
            }
            continue;
        };
        if text == "--" {
            ended = true;
        } else if let Some(long) = text.strip_prefix("--") {
            at = seen.long(long, words, at)?;
        } else if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            at = seen.cluster(letters, words, at)?;
        } else if index == 0 {
            at = seen.bundle(text, words, at)?;
        }
    }
    let Some((mode, index)) = seen.mode else {
        // `--version`, `--help`, or an error of tar.
        return match words.first().and_then(|word| word.value.exact()) {
            Some("--version" | "--help" | "--usage") if words.len() == 1 => Ok(Vec::new()),
            _ => Err(Fault::unread(0, "no mode of tar is given")),
        };
    };
    match mode {
        't' | 'd' => Ok(seen.touches),
        'x' if seen.to_output => Ok(seen.touches),
        // The archive says what is written, some of it perhaps outside of the folder.
        'x' if !seen.into.is_empty() => {
            let folders = seen
                .into
                .iter()
                .map(|to| touch(Effect::Write, to.as_deref()));
            seen.touches.extend(folders);
            seen.touches.push(touch(Effect::Write, None));
            Ok(seen.touches)
        }
        'x' => Err(Fault::acts(index, "tar extracts files")),
        _ => Err(Fault::acts(index, "tar writes an archive")),
    }
}

impl Seen {
    fn mode(&mut self, mode: char, index: usize) -> Result<(), Fault> {
        match self.mode {
            Some((before, _)) if before != mode => Err(Fault::unread(index, "two modes of tar")),
            _ => {
                self.mode = Some((mode, index));
                Ok(())
            }
        }
    }

    /// One letter; true when it takes a value.
    fn letter(&mut self, letter: char, index: usize) -> Result<bool, Fault> {
        match letter {
            't' | 'x' | 'c' | 'r' | 'u' | 'd' | 'A' => self.mode(letter, index).map(|()| false),
            'O' => {
                self.to_output = true;
                Ok(false)
            }
            'v' | 'z' | 'j' | 'J' | 'Z' | 'a' | 'p' | 'k' | 'm' | 'P' | 'h' | 'i' | 'R' | 'n'
            | 'B' | 'o' | 'l' => Ok(false),
            'f' | 'C' | 'b' | 'X' => Ok(true),
            _ => Err(Fault::unread(
                index,
                format!("`{letter}` is not known to be harmless"),
            )),
        }
    }

    fn value(&mut self, letter: char, value: Option<&Value>, index: usize) -> Result<(), Fault> {
        let Some(value) = value else {
            return Err(Fault::unread(index, "a value is missing"));
        };
        match letter {
            'f' => {
                // A colon before any slash names another machine.
                let known = value.known_prefix();
                let until_slash = known.split('/').next().unwrap_or("");
                let local = match value {
                    Value::Exact(_) => !until_slash.contains(':'),
                    _ => known.contains('/') && !until_slash.contains(':'),
                };
                if !local {
                    return Err(Fault::acts(index, "the archive may be on another machine"));
                }
                if value.exact() != Some("-") {
                    self.touches.push(touch(Effect::Read, value.exact()));
                }
            }
            'C' => {
                self.into.push(value.exact().map(ToString::to_string));
                self.touches.push(touch(Effect::Read, value.exact()));
            }
            'X' => self.touches.push(touch(Effect::Read, value.exact())),
            _ => {}
        }
        if matches!(value, Value::Many(_)) {
            return Err(Fault::unread(
                index,
                "a word that may be no word or several",
            ));
        }
        Ok(())
    }

    /// `-tvf archive`, `-farchive`
    fn cluster(&mut self, letters: &str, words: &[Arg], next: usize) -> Result<usize, Fault> {
        let index = next - 1;
        for (at, letter) in letters.char_indices() {
            if self.letter(letter, index)? {
                let rest = letters.get(at + letter.len_utf8()..).unwrap_or("");
                if rest.is_empty() {
                    let value = words.get(next).map(|word| &word.value);
                    self.value(letter, value, next)?;
                    return Ok(next + 1);
                }
                self.value(letter, Some(&Value::Exact(rest.to_string())), index)?;
                return Ok(next);
            }
        }
        Ok(next)
    }

    /// `tvf archive`: the values follow in the order of their letters.
    fn bundle(&mut self, letters: &str, words: &[Arg], next: usize) -> Result<usize, Fault> {
        let mut next = next;
        for letter in letters.chars() {
            if self.letter(letter, 0)? {
                let value = words.get(next).map(|word| &word.value);
                self.value(letter, value, next)?;
                next += 1;
            }
        }
        Ok(next)
    }

    fn long(&mut self, long: &str, words: &[Arg], next: usize) -> Result<usize, Fault> {
        let index = next - 1;
        let (name, attached) = match long.split_once('=') {
            Some((name, value)) => (name, Some(Value::Exact(value.to_string()))),
            None => (long, None),
        };
        let valued = match name {
            "list" => return self.mode('t', index).map(|()| next),
            "diff" | "compare" => return self.mode('d', index).map(|()| next),
            "extract" | "get" => return self.mode('x', index).map(|()| next),
            "create" => return self.mode('c', index).map(|()| next),
            "append" | "update" | "catenate" | "concatenate" | "delete" => {
                return self.mode('r', index).map(|()| next);
            }
            "to-stdout" => {
                self.to_output = true;
                return Ok(next);
            }
            "verbose"
            | "gzip"
            | "gunzip"
            | "bzip2"
            | "xz"
            | "zstd"
            | "lzma"
            | "lzip"
            | "lzop"
            | "compress"
            | "auto-compress"
            | "no-auto-compress"
            | "wildcards"
            | "no-wildcards"
            | "numeric-owner"
            | "full-time"
            | "block-number"
            | "show-stored-names"
            | "show-transformed-names"
            | "utc"
            | "totals"
            | "ignore-case"
            | "no-ignore-case"
            | "anchored"
            | "no-anchored"
            | "wildcards-match-slash"
            | "no-wildcards-match-slash"
            | "absolute-names"
            | "ignore-zeros"
            | "occurrence"
            | "no-recursion"
            | "dereference"
            | "ignore-failed-read"
            | "seek"
            | "no-seek"
            | "one-file-system"
            | "verbatim-files-from"
            | "version"
            | "help" => return Ok(next),
            "file" => 'f',
            "directory" => 'C',
            "exclude-from" => 'X',
            "exclude" | "strip-components" | "quoting-style" | "quote-chars"
            | "blocking-factor" | "record-size" | "starting-file" | "warning" => 'b',
            "checkpoint-action"
            | "to-command"
            | "use-compress-program"
            | "rsh-command"
            | "rmt-command"
            | "info-script"
            | "new-volume-script" => {
                return Err(Fault::acts(index, format!("`--{name}` runs a program")));
            }
            _ => {
                return Err(Fault::unread(
                    index,
                    format!("`--{name}` is not known to be harmless"),
                ));
            }
        };
        match attached {
            Some(value) => {
                self.value(valued, Some(&value), index)?;
                Ok(next)
            }
            None => {
                self.value(valued, words.get(next).map(|word| &word.value), next)?;
                Ok(next + 1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    fn judge(line: &str) -> Result<Vec<Touch>, Fault> {
        let words: Vec<Arg> = line
            .split(' ')
            .map(|word| {
                Arg::new(
                    match word {
                        "$x" => Value::Many("".into()),
                        "\"$x\"" => Value::Unknown,
                        "./\"$x\"" => Value::Prefix("./".into()),
                        word => Value::Exact(word.to_string()),
                    },
                    Span::default(),
                )
            })
            .collect();
        read_words(&words)
    }

    #[test]
    fn listing_reads() {
        for line in [
            "tf a.tar",
            "tvf a.tar",
            "-tf a.tar x",
            "-tzvf a.tgz",
            "-t -f a.tar -v",
            "--list --file=a.tar",
            "--list --file a.tar --exclude=x",
            "-ftest.tar -t",
            "-xOf a.tar member",
            "xOzf a.tgz member",
            "--extract --to-stdout --file=a.tar m",
            "-df a.tar",
            "-tf ./\"$x\"",
            "-tf a.tar -- \"$x\"",
            "-tf -",
            "-tf ./a:b.tar",
            "-C dir -tf a.tar",
            "--version",
            "tfb a.tar 20",
        ] {
            assert!(judge(line).is_ok(), "{line}: {:?}", judge(line));
        }
    }

    #[test]
    fn what_writes_or_runs_is_refused() {
        for line in [
            "xf a.tar",
            "-xf a.tar",
            "--extract -f a.tar",
            "-czf a.tgz d",
            "cf a.tar d",
            "-rf a.tar d",
            "-uf a.tar d",
            "-Af a.tar b.tar",
            "--delete -f a.tar m",
            "-tcf a.tar",
            "-tf a.tar --checkpoint=1 --checkpoint-action=exec=x",
            "-tf a.tar --checkpoint-action exec=x",
            "-xf a.tar --to-command=cat",
            "-xOf a.tar --to-command cat",
            "-tf a.tar -I ./x",
            "-tf a.tar --use-compress-program=./x",
            "-tf a.tar --use-comp=./x",
            "-tf host:a.tar",
            "tf host:/a.tar",
            "--list --file=host:x",
            "-tf \"$x\"",
            "-tf a.tar \"$x\"",
            "-tf a.tar $x",
            "$x",
            "-tF ./x a.tar",
            "-tf a.tar -T list",
            "-tf a.tar --files-from=list",
            "-tMf a.tar",
            "-tf",
            "-v",
            "tIf ./x a.tar",
            "-tgf s a.tar",
        ] {
            assert!(judge(line).is_err(), "{line}");
        }
    }
}
