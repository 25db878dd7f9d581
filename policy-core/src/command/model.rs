//! What would run: the invocations of a text, each with words whose values are known as far as they can be.
//!
//! `lower` (in `mod.rs`) makes these from the tree. It resolves quoting, braces, tilde, known variables,
//! wrappers and scripts in strings; it does not judge. What it cannot follow becomes a [`Hazard`], and a
//! text with a hazard is not permission-safe.

use alloc::{string::String, vec::Vec};

use crate::span::Span;

/// Everything that would run, and what stands in the way of knowing it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Program {
    /// In the order of the text; an invocation comes before those nested in it.
    pub invocations: Vec<Invocation>,
    /// What makes the whole text not permission-safe.
    pub hazards: Vec<Hazard>,
    /// Constructs that the strict analysis does not follow, as slugs (`subshell`, `for`, …), deduplicated
    /// in order. In strict each makes the text not permission-safe; in deep only hazards do.
    pub unsupported: Vec<&'static str>,
    /// A word, assignment, redirect target or here-document body somewhere is not static.
    pub dynamic: bool,
    /// Reads, writes and connections made by redirects of compound commands, by `$(<file)` and by bare
    /// redirects, which belong to no invocation.
    pub redirects: Vec<Redirection>,
}

/// One command that would run.
#[derive(Clone, PartialEq, Debug)]
pub struct Invocation {
    /// The words after expansion, command name first. A bare assignment (`x=1`) has none and is reported only
    /// through `assignments`.
    pub argv: Vec<Arg>,
    /// Its source, redirects and assignments included. Nested commands made from strings
    /// (`bash -c '…'`) point at the string.
    pub span: Span,
    /// The source text (for strings: the script's own text).
    pub text: String,
    /// Assignments before the command, in order.
    pub assignments: Vec<Assign>,
    /// Redirects that apply to it.
    pub redirects: Vec<Redirection>,
    /// What stands before it.
    pub connector: Connector,
    /// Where in the structure it stands.
    pub site: Site,
    /// The invocation it is nested in (substitution in its words, wrapped command, script in a string):
    /// an index into [`Program::invocations`].
    pub parent: Option<usize>,
    /// Wrappers that were looked through to reach it, outermost first (`["timeout", "nice"]`).
    pub wrappers: Vec<String>,
    /// The working directory it starts in.
    pub cwd: Cwd,
    /// Its standard input is a pipe, a here-document or a file: for programs that execute what they read.
    pub stdin: Stdin,
    /// Its standard output may be a terminal (not piped, not redirected, not captured).
    pub stdout_terminal: bool,
}

/// A word after expansion: zero or more arguments.
#[derive(Clone, PartialEq, Debug)]
pub struct Arg {
    /// What is known of it.
    pub value: Value,
    /// Its source.
    pub span: Span,
    /// The known text of a value that is not exact, with `*` for each piece that is unknown: `"$d/.ssh/id"` is
    /// `*/.ssh/id`; several when it may be one of several. Only for suspicion: they may name what must not be
    /// read, never what may be.
    pub shapes: Vec<String>,
    /// Though its value is not known, no argument that it becomes begins with `-` or `+`: object names of git, a path
    /// from the root.
    pub no_option: bool,
    /// Of a value that is not exact because of the numbers in it: every argument that it becomes is one of these but for the
    /// digits (`"${n},+2p"` with a number in `n` is `1,+2p`). Empty where something else is open too.
    pub samples: Vec<String>,
    /// It is a match of a pattern of which this much is known, or the pattern itself: no hidden name where the pattern has none.
    pub matched: bool,
}

impl Arg {
    /// A word of which nothing is known but its value.
    #[must_use]
    pub fn new(value: Value, span: Span) -> Self {
        Self {
            value,
            span,
            shapes: Vec::new(),
            no_option: false,
            samples: Vec::new(),
            matched: false,
        }
    }

    /// Whether some argument of it could begin with `-` (or, with `plus`, with `+`).
    #[must_use]
    pub fn may_be_option(&self, plus: bool) -> bool {
        !self.no_option && self.value.may_be_option(plus)
    }
}

/// What is known of a word's value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Exactly this one argument.
    Exact(String),
    /// One argument, one of these (a loop variable over literals); at least two.
    OneOf(Vec<String>),
    /// One argument that begins with this text (not empty) and goes on in an unknown way.
    Prefix(String),
    /// One argument of one or more ASCII digits (`$?`, `$#`, `${#x}`).
    Digits,
    /// One argument, nothing known (a quoted expansion). It may be empty and may begin with `-`.
    Unknown,
    /// Any number of arguments, each beginning with this text (empty: nothing known): an unquoted
    /// expansion, a glob.
    Many(String),
}

impl Value {
    /// The value when it is one exact argument.
    #[must_use]
    pub fn exact(&self) -> Option<&str> {
        match self {
            Self::Exact(text) => Some(text),
            _ => None,
        }
    }

    /// The text that every argument of it begins with: all of an exact value, empty when nothing is known.
    #[must_use]
    pub fn known_prefix(&self) -> &str {
        match self {
            Self::Exact(text) | Self::Prefix(text) | Self::Many(text) => text,
            Self::OneOf(_) | Self::Digits | Self::Unknown => "",
        }
    }

    /// Whether some argument of it could begin with `-` (or, with `plus`, with `+`).
    #[must_use]
    pub fn may_be_option(&self, plus: bool) -> bool {
        let starts = |text: &str| text.starts_with('-') || (plus && text.starts_with('+'));
        match self {
            Self::Exact(text) => starts(text),
            Self::OneOf(all) => all.iter().any(|text| starts(text)),
            Self::Prefix(text) | Self::Many(text) => text.is_empty() || starts(text),
            Self::Digits => false,
            Self::Unknown => true,
        }
    }
}

/// An assignment before a command or on its own.
#[derive(Clone, PartialEq, Debug)]
pub struct Assign {
    /// The variable.
    pub name: String,
    /// What is assigned; arrays are [`Value::Unknown`].
    pub value: Value,
    /// All of it.
    pub span: Span,
}

/// A redirect, resolved.
#[derive(Clone, PartialEq, Debug)]
pub struct Redirection {
    /// What it does.
    pub kind: RedirectKind,
    /// Operator and target.
    pub span: Span,
    /// The working directory it is resolved against.
    pub cwd: Cwd,
}

/// What a redirect does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RedirectKind {
    /// Opens a file for reading.
    Read(Value),
    /// Creates, truncates or appends to a file (`>`, `>>`, `>|`, `<>`, `&>`, `&>>`).
    Write(Value),
    /// `/dev/null`, descriptor duplication and closing, here-documents and here-strings.
    Nothing,
    /// `/dev/tcp/host/port`, `/dev/udp/…`: the host and port text.
    Network(Value),
}

/// What stands before an invocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Connector {
    /// Nothing: it is the first.
    Start,
    /// `;` or a newline.
    Sequence,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|`
    Pipe,
    /// `|&`
    PipeBoth,
    /// `&`
    Background,
}

/// Where in the structure an invocation stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// A list, an and-or list or a pipeline at the top.
    Top,
    /// Inside a compound command (subshell, group, if, loop, case).
    Compound,
    /// Inside a command substitution or process substitution.
    Substitution,
    /// The command that a wrapper starts.
    Wrapped,
    /// In a script given as a string (`bash -c`).
    Script,
}

/// The working directory at a point of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cwd {
    /// As it was at the start.
    Initial,
    /// Changed by `cd` to this text, relative to the start unless absolute; normalised.
    Moved(String),
    /// Changed to somewhere unknown.
    Unknown,
    /// As unknown, but these, each as in [`Cwd::Moved`] and `.` for the start, are likely: `cd x; ls` where `cd` may fail.
    /// Only for suspicion: what is read there may be sensitive, what is written protected.
    Among(Vec<String>),
}

/// What feeds a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stdin {
    /// Whatever the text as a whole is given.
    Inherited,
    /// The output of another command.
    Pipe,
    /// A here-document, a here-string or a file.
    Redirected,
}

/// Why a text cannot be followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hazard {
    /// Which kind.
    pub kind: HazardKind,
    /// Where.
    pub span: Span,
    /// The offending text, short; for the message.
    pub what: String,
}

/// The kinds of hazard; each has a reason code of the same slug under `shell.`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HazardKind {
    /// The command word is not known: `$cmd x`.
    DynamicCommand,
    /// `eval`, `source`, a shell or interpreter fed by something unknown.
    EvalUnknown,
    /// Arithmetic that may run a substitution held in a value.
    ArithmeticEval,
    /// `${x@P}`, `${!x}`, a zsh flag.
    ExpansionEval,
    /// A function is defined (its name or any later word may mean something else).
    FunctionDefinition,
    /// `alias`, `hash`, `enable`, `command_not_found_handle`: a later name may mean something else.
    Shadowing,
    /// An assignment changes which code later commands run (PATH, IFS, LD_*, GIT_*, …).
    EnvPersist,
    /// `set`/`shopt`/`setopt` options that change how later text is read or run.
    ShellOption,
    /// `trap`, `PROMPT_COMMAND`, `mapfile -C`, `complete -C`: code that runs later.
    DeferredExec,
    /// `coproc`.
    Coproc,
    /// A redirect whose target is not known, or `>&word`, which bash expands twice.
    DynamicRedirect,
    /// Syntax of the shell that the analysis does not follow.
    Opaque,
    /// Control, bidirectional or invisible characters.
    HiddenCharacter,
    /// Wrappers or scripts nested too deep.
    TooDeep,
    /// More words or invocations than the limits permit.
    TooMany,
}
