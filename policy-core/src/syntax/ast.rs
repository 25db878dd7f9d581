//! The tree a text is read into: bash's own grammar, with the bytes every leaf came from.
//!
//! The reader (`reader/`) builds it; tree-sitter's tree is only a witness against it. Quotes and escapes are
//! already removed here, but nothing is expanded: tilde, braces, globs and parameters stay parts of
//! the word, so that `command` can say what is known of each. A construct that the reader does not
//! know is an [`Part::Opaque`] or [`CompoundKind::Opaque`], never dropped.

use alloc::{boxed::Box, string::String, vec::Vec};

use crate::span::Span;

/// A list of commands: a whole text, the body of a group, a loop, a substitution.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Script {
    /// In order.
    pub items: Vec<Item>,
    /// From the first byte of the first item to the end of the last; empty when there is none.
    pub span: Span,
}

/// One and-or list with what ends it.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// The pipelines and what joins them.
    pub and_or: AndOr,
    /// Ends in `&`.
    pub background: bool,
    /// Without the terminator.
    pub span: Span,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Clone, PartialEq, Debug)]
pub struct AndOr {
    /// The first pipeline.
    pub first: Pipeline,
    /// Each later one with the operator before it.
    pub rest: Vec<(AndOrOp, Pipeline)>,
}

/// `&&` or `||`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AndOrOp {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands joined by `|` and `|&`.
#[derive(Clone, PartialEq, Debug)]
pub struct Pipeline {
    /// Number of `!` before it.
    pub bangs: u32,
    /// The reserved word `time` stood before it.
    pub timed: bool,
    /// At least one, unless `bangs` or `timed` stand alone.
    pub stages: Vec<Stage>,
    /// From `!`/`time` to the end.
    pub span: Span,
}

/// One command of a pipeline.
#[derive(Clone, PartialEq, Debug)]
pub struct Stage {
    /// The command.
    pub command: Command,
    /// The operator before it was `|&`: its predecessor's standard error comes along.
    pub stderr_too: bool,
}

/// A command.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Assignments, words and redirects.
    Simple(Simple),
    /// A compound command with the redirects that apply to all of it.
    Compound(Compound),
    /// `name() body` or `function name body`.
    Function(Function),
    /// `coproc [NAME] command`.
    Coproc(Box<Command>, Span),
}

/// A simple command.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Simple {
    /// `NAME=value` before the first word.
    pub assignments: Vec<Assignment>,
    /// The words, command name first; may be empty.
    pub words: Vec<Word>,
    /// In order of appearance, wherever they stood.
    pub redirects: Vec<Redirect>,
    /// All of it.
    pub span: Span,
}

/// A compound command.
#[derive(Clone, PartialEq, Debug)]
pub struct Compound {
    /// Which.
    pub kind: CompoundKind,
    /// Redirects after it.
    pub redirects: Vec<Redirect>,
    /// With its redirects.
    pub span: Span,
}

/// The compound commands of bash.
#[derive(Clone, PartialEq, Debug)]
pub enum CompoundKind {
    /// `( … )`
    Subshell(Script),
    /// `{ …; }`
    Group(Script),
    /// `if …; then …; elif …; else …; fi`: condition and body pairs, then the `else` body.
    If(Vec<(Script, Script)>, Option<Script>),
    /// `while …; do …; done`, or `until` when the flag is set.
    While {
        /// `until`.
        until: bool,
        /// The condition.
        condition: Script,
        /// The body.
        body: Script,
    },
    /// `for name in words; do …; done`; `None` means `"$@"`. Also `select`.
    For {
        /// The variable and where it stands.
        name: String,
        /// The words looped over.
        words: Option<Vec<Word>>,
        /// The body.
        body: Script,
        /// It is `select`, which also reads standard input.
        select: bool,
    },
    /// `for ((a; b; c)); do …; done`.
    ForArith {
        /// The three expressions, as one text with its parts.
        expression: ArithText,
        /// The body.
        body: Script,
    },
    /// `case word in pattern) …;; esac`.
    Case {
        /// What is matched.
        subject: Word,
        /// Patterns with the list they select.
        arms: Vec<(Vec<Word>, Script)>,
    },
    /// `[[ … ]]`.
    Cond(Vec<CondToken>),
    /// `(( … ))`.
    Arith(ArithText),
    /// Something of bash's that the reader cannot give a shape; the reason in words.
    Opaque(&'static str),
}

/// One token inside `[[ … ]]`, in order.
#[derive(Clone, PartialEq, Debug)]
pub enum CondToken {
    /// An operator or parenthesis, not quoted: `-f`, `==`, `=~`, `&&`, `(`, `!`, …
    Op(String, Span),
    /// An operand; patterns and regexes included.
    Word(Word),
}

/// The text of an arithmetic expression.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ArithText {
    /// Literal text and expansions, in order, as inside double quotes.
    pub parts: Vec<Part>,
    /// Without the delimiters.
    pub span: Span,
}

/// A function definition.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its name, as written.
    pub name: String,
    /// Its body, a compound command.
    pub body: Box<Command>,
    /// All of it.
    pub span: Span,
}

/// `NAME=value`, `NAME+=value`, `NAME[subscript]=value`, `NAME=(…)`.
#[derive(Clone, PartialEq, Debug)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// `+=`.
    pub append: bool,
    /// The subscript between the brackets, if any.
    pub subscript: Option<ArithText>,
    /// What is assigned.
    pub value: AssignValue,
    /// All of it.
    pub span: Span,
}

/// The right-hand side of an assignment.
#[derive(Clone, PartialEq, Debug)]
pub enum AssignValue {
    /// One word (no splitting, no globbing); empty for `NAME=`.
    Word(Word),
    /// An array literal: its elements; `[k]=v` elements are words beginning with that text.
    Array(Vec<Word>),
}

/// A redirection.
#[derive(Clone, PartialEq, Debug)]
pub struct Redirect {
    /// The descriptor before the operator: `2>`, `{fd}>`.
    pub descriptor: Option<Descriptor>,
    /// The operator.
    pub op: RedirectOp,
    /// Its target: a file, a descriptor, a here-string; for a here-document the delimiter.
    pub target: Word,
    /// The body of a here-document.
    pub heredoc: Option<HereDoc>,
    /// Operator and target, without the body.
    pub span: Span,
}

/// The descriptor a redirection opens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Descriptor {
    /// A number.
    Number(u32),
    /// `{name}`: bash picks a descriptor and assigns it to the variable.
    Variable(String),
}

/// The redirection operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RedirectOp {
    /// `<`
    Read,
    /// `>`
    Write,
    /// `>>`
    Append,
    /// `>|` (zsh: also `>!`)
    Clobber,
    /// `<>`
    ReadWrite,
    /// `<&`
    DupInput,
    /// `>&`
    DupOutput,
    /// `&>`
    WriteBoth,
    /// `&>>`
    AppendBoth,
    /// `<<`
    HereDoc,
    /// `<<-`
    HereDocTabs,
    /// `<<<`
    HereString,
}

/// The body of a here-document.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HereDoc {
    /// Its text; one quoted part when the delimiter was quoted, else text and expansions.
    pub parts: Vec<Part>,
    /// The delimiter was quoted: nothing in the body is expanded.
    pub literal: bool,
    /// The body without the terminator line.
    pub span: Span,
}

/// A word: parts that are concatenated.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Word {
    /// At least one, but for an empty right-hand side.
    pub parts: Vec<Part>,
    /// All of it.
    pub span: Span,
}

/// A part of a word.
#[derive(Clone, PartialEq, Debug)]
pub enum Part {
    /// Unquoted text without expansions: its `~`, `{,}`, `*`, `?` and `[` are active.
    Literal(String, Span),
    /// Text that means itself: from quotes, a backslash, `$'…'`, or inside double quotes. Bytes that are
    /// not UTF-8 (`$'\xff'`) make an [`Part::Opaque`] instead.
    Quoted(String, Span),
    /// `"…"` (and `$"…"`): parts inside, each `Quoted` or an expansion.
    Double(Vec<Part>, Span),
    /// `$name`, `${…}`.
    Param(Param),
    /// `$(…)`, `` `…` `` and bash 5.3's `${ …; }`.
    CommandSub(Script, Span),
    /// `<(…)`; output (`>(…)`) when the flag is set; zsh's `=(…)` counts as input.
    ProcessSub {
        /// `>(…)`.
        output: bool,
        /// What runs.
        script: Script,
        /// All of it.
        span: Span,
    },
    /// `$((…))`, `$[…]`.
    Arith(ArithText, Span),
    /// `@(…)`, `!(…)` and kin: a pattern.
    ExtGlob(Vec<Part>, Span),
    /// `(…)` after `name=` in a word of `declare` and kin: an array's elements.
    Array(Vec<Word>, Span),
    /// Something that expands in a way that is not modelled; the reason in words.
    Opaque(&'static str, Span),
}

/// A parameter expansion.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// The parameter: a name, a digit string or one of `@*#?-$!`.
    pub name: String,
    /// `${name[subscript]}`: its parts; `@` and `*` alone are one `Quoted` part.
    pub subscript: Option<ArithText>,
    /// What is done to the value.
    pub op: ParamOp,
    /// All of it.
    pub span: Span,
}

/// What a parameter expansion does.
#[derive(Clone, PartialEq, Debug)]
pub enum ParamOp {
    /// `$name`, `${name}`.
    None,
    /// `${#name}`.
    Length,
    /// `${!name}`, `${!prefix*}`: the value names another variable.
    Indirect,
    /// `${name-word}`, `:-`, `=`, `:=`, `?`, `:?`, `+`, `:+`: the operator and its word (parts).
    Default(&'static str, Vec<Part>),
    /// `${name#pattern}`, `##`, `%`, `%%`, `/`, `//`, `/#`, `/%`, `^`, `^^`, `,`, `,,`: operator and operands.
    Pattern(&'static str, Vec<Part>),
    /// `${name:offset:length}`: arithmetic.
    Slice(ArithText),
    /// `${name@P}` and kin.
    Transform(char),
    /// Anything else, zsh flags included; the parts inside that could be read.
    Opaque(Vec<Part>),
}
