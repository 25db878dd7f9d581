//! The few lines that a shell is started with; the command itself is never part of them.
//!
//! They load the snapshot, hide secrets, set the options that the policy assumes, evaluate the script file as a
//! top-level statement (so that `set -e` means what it says), and report the last directory from an EXIT trap
//! that lives beside the command's own traps. What the command does to itself (`exec`, SIGKILL, redefining
//! `builtin`) costs the report and nothing else.

use std::path::Path;

use crate::{
    protocol::REPORT_FD,
    shell::{Kind, quote},
};

/// What goes into the text.
#[derive(Clone, Debug, Default)]
pub struct Parts<'a> {
    /// The snapshot to load, if there is one.
    pub snapshot: Option<&'a Path>,
    /// The file that holds the command.
    pub script: &'a [u8],
    /// Patterns of variable names to take out after start-up files ran.
    pub unset: &'a [String],
    /// For a login shell, whose start-up files may have left it anywhere and with any options: where to be.
    pub cwd: Option<&'a [u8]>,
    /// Tools that the host brings: name and program.
    pub shims: &'a [(String, String)],
}

/// The text for `-c`.
pub fn wrapper(kind: Kind, parts: &Parts<'_>) -> Vec<u8> {
    match kind {
        Kind::Bash => reporting(&BASH, parts),
        Kind::Zsh => reporting(&ZSH, parts),
        Kind::Sh => sh(parts),
    }
}

/// What differs between the shells that report: the same steps, each in its own words.
struct Dialect {
    /// How a builtin is called, whatever functions of that name there are.
    builtin: &'static str,
    /// After start-up files, which may have left any options and traps: those that the rest depends on, as they should be.
    sober: &'static str,
    /// The options that the policy assumes.
    options: &'static str,
    /// Lists the names of exported variables.
    exported: &'static str,
    /// Succeeds if the user's PATH has a program of the name that follows.
    finds: &'static str,
    /// Reports the last directory at the end; `FD` stands for the descriptor.
    report: &'static str,
}

const BASH: Dialect = Dialect {
    builtin: "\\builtin",
    sober: "{ \\builtin set +euxv; \\builtin set +o noclobber; \\builtin trap - EXIT DEBUG ERR RETURN; } 2>/dev/null",
    options: "\\builtin shopt -u extglob expand_aliases 2>/dev/null",
    exported: "$(\\builtin compgen -e)",
    finds: "\\builtin type -P",
    report: BASH_REPORT,
};

const ZSH: Dialect = Dialect {
    builtin: "builtin",
    sober: "{ builtin set +eux; builtin setopt clobber; builtin trap - EXIT DEBUG ERR; } 2>/dev/null",
    options: "setopt NO_EXTENDED_GLOB NO_ALIASES 2>/dev/null",
    exported: "${(k)parameters[(R)*export*]}",
    finds: "whence -p",
    report: ZSH_REPORT,
};

/// In bash's own words, without a fork (there may be none to be had, and it costs more than all the rest): `$?` is kept, subshells stay silent, options of the command do not disturb it.
const BASH_REPORT: &str = r#"__portcullis_report(){ \builtin local s=$?; \builtin local - 2>/dev/null; \builtin set +xeu; [[ ${BASHPID:-$$} == "$$" ]] || \builtin return "$s"; { \builtin printf C; \builtin pwd -P; \builtin printf '\0E%s\0' "$s"; } 2>/dev/null >&FD; \builtin return "$s"; }
trap(){ { \builtin local __pc_a __pc_x=0 __pc_r=0; case $- in *x*) __pc_x=1; \builtin set +x;; esac; } 2>/dev/null
if [[ ${1-} == -- ]]; then \builtin shift; fi
if (( $# == 1 )) && [[ $1 == [Ee][Xx][Ii][Tt] || $1 == [Ss][Ii][Gg][Ee][Xx][Ii][Tt] || $1 == 0 ]]; then \builtin set -- - EXIT; fi
if (( $# >= 2 )) && [[ $1 != -[lpP]* ]]; then for __pc_a in "${@:2}"; do case $__pc_a in
[Ee][Xx][Ii][Tt]|[Ss][Ii][Gg][Ee][Xx][Ii][Tt]|0) if [[ $1 == - || -z $1 ]]; then \builtin trap '{ __portcullis_report; } 2>/dev/null' EXIT; else \builtin trap -- '{ __portcullis_report; } 2>/dev/null'$'\n'"$1"$'\n''{ __portcullis_report; } 2>/dev/null' EXIT; fi;;
*) \builtin trap -- "$1" "$__pc_a" || __pc_r=$?;; esac; done
else \builtin trap "$@" || __pc_r=$?; fi
{ (( __pc_x )) && \builtin set -x; } 2>/dev/null; return $__pc_r; }
\builtin trap '{ __portcullis_report; } 2>/dev/null' EXIT
"#;

/// zsh 5.9 runs `zshexit` hooks for all ends but ERR_EXIT, and a top-level EXIT trap for that one: both are set.
const ZSH_REPORT: &str = r#"__portcullis_report(){ local s=$?; (( ZSH_SUBSHELL )) && return $s; { builtin printf C; builtin pwd -P; builtin printf '\0E%s\0' "$s"; } 2>/dev/null >&FD; return $s; }
zshexit_functions+=(__portcullis_report)
trap __portcullis_report EXIT
"#;

fn reporting(shell: &Dialect, parts: &Parts<'_>) -> Vec<u8> {
    let mut text = Vec::new();
    let mut line = |pieces: &[&[u8]]| {
        text.extend(pieces.concat());
        text.push(b'\n');
    };
    let builtin = shell.builtin.as_bytes();
    if let Some(snapshot) = parts.snapshot {
        let file = quote(snapshot);
        line(&[builtin, b" source ", &file, b" </dev/null >/dev/null 2>&1"]);
    }
    if let Some(cwd) = parts.cwd {
        line(&[shell.sober.as_bytes()]);
        line(&[builtin, b" cd -- ", cwd, b" >/dev/null 2>&1"]);
    }
    line(&[shell.options.as_bytes()]);
    if !parts.unset.is_empty() {
        let Dialect {
            builtin, exported, ..
        } = shell;
        let patterns = parts.unset.join("|");
        line(&[format!(
            "for __pc_v in {exported}; do case $__pc_v in {patterns}) {builtin} unset \"$__pc_v\";; esac; done; {builtin} unset __pc_v"
        )
        .as_bytes()]);
    }
    for (name, program) in parts.shims {
        let program = quote(program);
        line(&[
            format!("{} {name} >/dev/null 2>&1 || {name}(){{ ", shell.finds).as_bytes(),
            &program,
            b" \"$@\"; }",
        ]);
    }
    line(&[shell
        .report
        .replace("FD", &REPORT_FD.to_string())
        .as_bytes()]);
    one_line(builtin, &text, parts.script)
}

/// All of the prelude on the first line: `eval` counts lines from where it stands, and messages then name the lines
/// of the command.
fn one_line(builtin: &[u8], prelude: &[u8], script: &[u8]) -> Vec<u8> {
    let mut text = [builtin, b" eval $'"].concat();
    for byte in prelude {
        match byte {
            b'\\' => text.extend(b"\\\\"),
            b'\'' => text.extend(b"\\'"),
            b'\n' => text.extend(b"\\n"),
            other => text.push(*other),
        }
    }
    text.extend(b"'; ");
    text.extend(builtin);
    // A text may begin with a dash, and `eval` would take it for an option.
    text.extend(b" eval \" $(<");
    text.extend(script);
    text.extend(b")\"\n");
    text
}

/// A plain POSIX shell: descriptors above 9 cannot be named, so there is no report and the directory stays.
fn sh(parts: &Parts<'_>) -> Vec<u8> {
    [b"eval \" $(cat ", parts.script, b")\"\n"].concat()
}
