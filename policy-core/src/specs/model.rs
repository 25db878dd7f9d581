//! The shape of a command spec: views over its packed form, read as far as one looks.
//!
//! Data only. `raw` reads the TOML document, `compile` checks it, `pack` writes it as bytes; the build script does that
//! for the built-in commands, and a user's own specs go the same way at run time. The views borrow from the bytes and
//! are small enough to be copied. Everything is closed by default: what a spec does not name is not read-only.

use super::packed::{List, Packed, Reader};
use crate::effect::Effect;

/// One command (or family under several names).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spec<'a> {
    /// The name it is called by.
    pub name: &'a str,
    /// Other names with the same grammar.
    pub aliases: List<'a, &'a str>,
    /// The command itself, before any subcommand.
    pub root: Form<'a>,
    /// Options that may stand before the subcommand.
    pub globals: List<'a, Flag<'a>>,
    /// The globals may also stand between and after the words of the subcommand.
    pub globals_anywhere: bool,
    /// Subcommands by their words (`"remote show"`), sorted; the longest match wins. When not empty, the root
    /// form applies only where no operand stands.
    pub subs: List<'a, Sub<'a>>,
}

/// What is said of a command to people and to tests; no verdict needs it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Notes<'a> {
    /// One line: what it does.
    pub summary: &'a str,
    /// Where its behaviour is documented (URL or `man 1 name`).
    pub manual: &'a str,
    /// Examples judged read-only; run as tests.
    pub examples_read_only: List<'a, &'a str>,
    /// Examples that must not be judged read-only; run as tests.
    pub examples_not_read_only: List<'a, &'a str>,
}

/// A subcommand.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sub<'a> {
    /// Its words after the command name, joined by one space. A word may end in `*` (`describe-*`); exact words win.
    pub words: &'a str,
    /// Its form, not read yet: most subcommands are only passed by.
    pub(super) form: Reader<'a>,
}

impl<'a> Sub<'a> {
    /// What it accepts and does.
    #[must_use]
    pub fn form(&self) -> Form<'a> {
        Form::unpack(&mut self.form.clone()).unwrap_or(Form::UNKNOWN)
    }
}

/// What a command or subcommand accepts and does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Form<'a> {
    /// What it is for.
    pub kind: Kind,
    /// Effects of running it at all, whatever the flags. Empty (or only `Read`, or `Network` for a service's own
    /// reading verb) for what can be read-only.
    pub effects: List<'a, Effect>,
    /// Whether it can be read-only when flags and operands are as listed.
    pub read_only: bool,
    /// How its options are written.
    pub grammar: Grammar,
    /// Every option of the tool is harmless, known to us or not: unknown options and unknown words are accepted.
    /// Such a form lists only flags that take a value (so that it is not taken for an operand) or have effects;
    /// others would be dead.
    pub any_flags: bool,
    /// The options, safe ones and those with effects.
    pub flags: List<'a, Flag<'a>>,
    /// What its operands are, in order.
    pub operands: Operands<'a>,
    /// Options (separated by one space) that make it print something and stop when one of them is the only word
    /// (`--version`): read-only whatever `effects` says.
    pub info: &'a str,
    /// It runs another command made of its operands.
    pub wrapper: Option<Wrapper>,
    /// A check in Rust that has the last word, by name (`special::lookup`).
    pub check: Option<&'a str>,
}

impl Form<'_> {
    /// What nothing is known of.
    const UNKNOWN: Self = Self {
        kind: Kind::Unknown,
        effects: List::NONE,
        read_only: false,
        grammar: Grammar::Gnu,
        any_flags: false,
        flags: List::NONE,
        operands: Operands {
            kinds: List::NONE,
            repeat: None,
            min: 0,
            dropped_by: "",
            only_with: "",
        },
        info: "",
        wrapper: None,
        check: None,
    };
}

/// One option with all its spellings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Flag<'a> {
    /// Spellings separated by one space: `-e --regexp`.
    pub names: &'a str,
    /// What value it takes.
    pub value: FlagValue,
    /// What it does; `None` for a safe one.
    pub effect: Option<Effect>,
    /// Values it may have, separated by `|` (empty: any of its type).
    pub allowed: &'a str,
}

/// The type of an option's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlagValue {
    /// It takes none.
    None,
    /// Digits, with an optional sign and size suffix.
    Number,
    /// Any text.
    String,
    /// Any text, only attached (`--color=auto`, `-i.bak`).
    OptionalString,
    /// One character.
    Char,
    /// A path that is read.
    Path,
    /// A path that is written (only on a flag with effect `Write`).
    OutPath,
    /// The name of a variable, which is set.
    Name,
    /// The literal `{}`.
    Braces,
    /// The literal `EOF`.
    Eof,
}

/// How options are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grammar {
    /// GNU: clusters of short options, `--long`, `--long=value`, options anywhere, `--` ends them.
    Gnu,
    /// As GNU, but the first operand ends the options (POSIX; wrappers).
    Posix,
    /// As GNU, and `-20` means a count (head, tail).
    GnuCount,
    /// Long options with one dash (`-name value`, `-name=value`), no clusters (java, go, terraform).
    SingleDash,
    /// No options at all: every word is an operand.
    None,
}

/// The operands of a form.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Operands<'a> {
    /// The kind of each operand in order.
    pub kinds: List<'a, Operand<'a>>,
    /// Index of the kind that repeats (none or more times); the kinds after it count from the end (`cp a b dir`).
    pub repeat: Option<u8>,
    /// Fewest.
    pub min: u8,
    /// Options (separated by one space) that take the place of the first operand that does not repeat:
    /// with `grep -e x` no operand is the pattern.
    pub dropped_by: &'a str,
    /// Options (separated by one space) without which there may be no operands at all: `git branch --list x`
    /// lists, `git branch x` creates. Empty: operands need none.
    pub only_with: &'a str,
}

impl<'a> Operands<'a> {
    /// What the operand at `position` of `count` is; `None` when there is no room for it. `dropped`: an option
    /// of `dropped_by` stands there.
    #[must_use]
    pub fn kind_at(&self, position: usize, count: usize, dropped: bool) -> Option<Operand<'a>> {
        let repeat = self.repeat.map(usize::from);
        let all = self.kinds.len();
        let gone = if dropped {
            (0..all).find(|&index| Some(index) != repeat)
        } else {
            None
        };
        let shift = |index: usize| match gone {
            Some(gone) if index >= gone => index + 1,
            _ => index,
        };
        let room = all.saturating_sub(usize::from(gone.is_some()));
        // Where the repeating kind stands once the dropped one is gone.
        let repeat = repeat
            .map(|index| index.saturating_sub(usize::from(gone.is_some_and(|gone| gone < index))));
        let index = match repeat {
            None => (position < room).then_some(position)?,
            Some(repeat) => {
                let tail = room.saturating_sub(repeat + 1);
                let from_end = count.saturating_sub(position);
                if position < repeat {
                    position
                } else if from_end <= tail {
                    room.saturating_sub(from_end)
                } else {
                    repeat
                }
            }
        };
        self.kinds.iter().nth(shift(index))
    }
}

/// What one operand is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand<'a> {
    /// Text without further meaning: a pattern, a number, a message, a revision.
    Text,
    /// A path that is read.
    Read,
    /// A path that is created or changed.
    Write,
    /// A path that is removed.
    Delete,
    /// A host or URL that is contacted.
    Host,
    /// `NAME=VALUE` or a name; judged as an assignment.
    Assignment,
    /// Only one of these words, separated by `|`.
    OneOf(&'a str),
}

/// How a wrapper finds the command it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wrapper {
    /// Operands of its own before the command (`timeout 5 ls`: 1).
    pub skip: u8,
    /// `NAME=VALUE` operands come before the command (`env`).
    pub assignments: bool,
    /// The command line that follows.
    pub runs: Runs,
    /// Never read-only, however harmless the command (`sudo`).
    pub privileged: bool,
}

/// What the operands of a wrapper are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runs {
    /// A command and its arguments, as they are.
    Argv,
    /// A command and its arguments, to which unknown arguments are appended (`xargs`).
    ArgvAndMore,
    /// One string or the words joined by blanks, read by a shell (`watch`, `bash -c`).
    ShellText,
}

/// What a command is for; also gives the display class.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// Finds things: find, grep, rg, fd, which.
    Search,
    /// Shows contents: cat, head, jq.
    Read,
    /// Lists: ls, tree, du.
    List,
    /// No effect worth a word: echo, true, cd.
    Neutral,
    /// Makes, moves or removes files: mv, cp, rm, mkdir.
    FileOp,
    /// Version control.
    Vcs,
    /// Builds, tests, formats.
    Build,
    /// Package managers.
    Package,
    /// Talks to other machines.
    Network,
    /// Processes: ps, kill.
    Process,
    /// The machine: systemctl, uname, mount.
    System,
    /// Containers and clusters.
    Container,
    /// Cloud services and code hosts.
    Cloud,
    /// Databases.
    Database,
    /// Interpreters and shells.
    Interpreter,
    /// Starts another command.
    Wrapper,
    /// Not known.
    Unknown,
}
