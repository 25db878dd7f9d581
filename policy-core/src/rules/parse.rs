//! One rule text to a pattern.
//!
//! `git status` is exact, `npm test:*` a prefix at a word boundary, any other `*` a wildcard over the whole subject,
//! `\*` a star, `prompt: words` a question for a classifier; `Bash(…)` may stand around it. A rule for
//! another tool (`Read(/etc/passwd)`) is kept, and has no effect on commands. What the pattern is
//! matched against is decided in `subjects`.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::glob::Glob;
use crate::span::Span;

/// What a rule says about a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// These words and no more.
    Exact(Vec<String>),
    /// These words first.
    Prefix(Vec<String>),
    /// The whole normalised text.
    Wildcard(Glob),
    /// Words for a classifier of the host.
    Prompt(String),
    /// A rule about another tool, by its name: no effect here.
    Foreign(String),
}

/// A rule text, understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// Without `Bash(…)` around it and `\*` made a star: equal to a whole command, it always matches.
    pub content: String,
    /// The same with its backslashes.
    pub raw: String,
    /// What it says.
    pub pattern: Pattern,
}

/// Why a rule text cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleFault {
    /// One line, lower case, input in backticks.
    pub message: String,
    /// What to write instead.
    pub help: Option<&'static str>,
    /// Where in the rule text.
    pub span: Span,
}

/// Tools of agents that a rule may name without parentheses.
const OTHER_TOOLS: &[&str] = &[
    "Read",
    "Edit",
    "MultiEdit",
    "Write",
    "NotebookEdit",
    "Glob",
    "Grep",
    "LS",
    "WebFetch",
    "WebSearch",
    "Task",
    "Agent",
    "Skill",
];

/// Reads one rule.
///
/// # Errors
/// When the text is empty, not closed, or holds a character that no rule can.
pub fn parse(text: &str) -> Result<Parsed, RuleFault> {
    let all = Span::new(0, text.len());
    let fault = |message: String, help, span| {
        Err(RuleFault {
            message,
            help,
            span,
        })
    };
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return fault(
            "the rule is empty".into(),
            Some("write a command, `command:*` or `*`"),
            all,
        );
    }
    if let Some(at) = text.find('\0') {
        return fault("a rule cannot hold NUL".into(), None, Span::new(at, at + 1));
    }
    let inner = match tool_call(trimmed) {
        Call::None => trimmed,
        Call::Open(tool) => {
            return fault(
                format!("`{tool}(` is not closed"),
                Some("end the rule with `)`"),
                all,
            );
        }
        Call::Tool("Bash", inner) => {
            if inner.trim().is_empty() {
                return fault(
                    "there is nothing between the parentheses of `Bash()`".into(),
                    Some("write `*` to match every command"),
                    all,
                );
            }
            inner.trim()
        }
        Call::Tool(tool, _) => return Ok(foreign(trimmed, tool)),
    };
    if inner == "Bash" {
        return parse("*");
    }
    if OTHER_TOOLS.contains(&inner) || inner.starts_with("mcp__") {
        return Ok(foreign(trimmed, inner));
    }
    if let Some(words) = inner.strip_prefix("prompt:").map(str::trim) {
        if words.is_empty() {
            return fault(
                "the prompt rule has no words".into(),
                Some("write `prompt: what the command does`"),
                all,
            );
        }
        return Ok(Parsed {
            content: inner.into(),
            raw: inner.into(),
            pattern: Pattern::Prompt(words.into()),
        });
    }
    let content = unescape(inner);
    let pattern = if let Some(prefix) = inner.strip_suffix(":*").filter(|prefix| !has_star(prefix))
    {
        let words = split(&unescape(prefix));
        if words.is_empty() {
            return fault(
                "the prefix before `:*` is empty".into(),
                Some("write `*` to match every command"),
                all,
            );
        }
        Pattern::Prefix(words)
    } else if has_star(inner) {
        Pattern::Wildcard(Glob::new(inner))
    } else {
        Pattern::Exact(split(&content))
    };
    Ok(Parsed {
        content,
        raw: inner.into(),
        pattern,
    })
}

fn foreign(text: &str, tool: &str) -> Parsed {
    Parsed {
        content: text.into(),
        raw: text.into(),
        pattern: Pattern::Foreign(tool.into()),
    }
}

enum Call<'a> {
    None,
    Open(&'a str),
    Tool(&'a str, &'a str),
}

/// `Name(inner)`: a name that begins with a capital letter, as the tools of agents do, or `mcp__…`.
fn tool_call(text: &str) -> Call<'_> {
    let Some((name, rest)) = text.split_once('(') else {
        return Call::None;
    };
    let named =
        name.starts_with(|first: char| first.is_ascii_uppercase()) || name.starts_with("mcp__");
    let plain = name
        .chars()
        .all(|each| each.is_ascii_alphanumeric() || each == '_');
    if !named || !plain {
        return Call::None;
    }
    match rest.strip_suffix(')') {
        Some(inner) => Call::Tool(name, inner),
        None => Call::Open(name),
    }
}

/// Whether a star stands in the text that no backslash precedes.
fn has_star(text: &str) -> bool {
    let mut escaped = false;
    for each in text.chars() {
        match each {
            '*' if !escaped => return true,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    false
}

/// `\*` becomes `*`; every other backslash stays as the shell would read it.
fn unescape(text: &str) -> String {
    text.replace("\\*", "*")
}

/// The words of a rule: blanks separate, quotes and backslashes as in the shell. Quotes that do not close are
/// ordinary characters.
#[must_use]
pub fn split(text: &str) -> Vec<String> {
    split_quoted(text).unwrap_or_else(|| text.split_whitespace().map(ToString::to_string).collect())
}

/// Words as a POSIX shell would part them, without any expansion; `None` when a quote or a backslash at the end is open.
#[must_use]
pub fn split_quoted(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = text.chars();
    while let Some(each) = rest.next() {
        match each {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next()? {
                        '\'' => break,
                        other => word.push(other),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next()? {
                        '"' => break,
                        '\\' => match rest.next()? {
                            quoted @ ('"' | '\\' | '$' | '`') => word.push(quoted),
                            other => word.extend(['\\', other]),
                        },
                        other => word.push(other),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(rest.next()?),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

/// A rule text that matches exactly these words, or `None` when none can (a word with a newline).
#[must_use]
pub fn render(words: &[String]) -> Option<String> {
    let mut out = String::new();
    for (index, word) in words.iter().enumerate() {
        if word.contains(['\n', '\0']) {
            return None;
        }
        if index > 0 {
            out.push(' ');
        }
        out.push_str(&quote(word).replace('*', "\\*"));
    }
    Some(out)
}

/// The word as a shell would need it: bare where it can be.
#[must_use]
pub fn quote(word: &str) -> String {
    let bare = |each: char| each.is_alphanumeric() || "-_./:=@%+,^~*?[]{}!#&;<>()|".contains(each);
    if !word.is_empty() && word.chars().all(bare) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> Pattern {
        parse(text)
            .map(|parsed| parsed.pattern)
            .unwrap_or(Pattern::Foreign("fault".into()))
    }
    fn words(text: &[&str]) -> Vec<String> {
        text.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_forms() {
        assert_eq!(
            pattern("git status"),
            Pattern::Exact(words(&["git", "status"]))
        );
        assert_eq!(
            pattern("npm test:*"),
            Pattern::Prefix(words(&["npm", "test"]))
        );
        assert_eq!(
            pattern("Bash(npm test:*)"),
            Pattern::Prefix(words(&["npm", "test"]))
        );
        assert_eq!(
            pattern("Bash(git  log)"),
            Pattern::Exact(words(&["git", "log"]))
        );
        assert!(matches!(pattern("git * main"), Pattern::Wildcard(_)));
        assert!(matches!(pattern("git:* push"), Pattern::Wildcard(_)));
        assert!(matches!(pattern("Bash"), Pattern::Wildcard(_)));
        assert_eq!(pattern("ls \\*"), Pattern::Exact(words(&["ls", "*"])));
        assert_eq!(
            pattern("find . -name \\*.rs:*"),
            Pattern::Prefix(words(&["find", ".", "-name", "*.rs"]))
        );
        assert_eq!(
            pattern("prompt: deletes data"),
            Pattern::Prompt("deletes data".into())
        );
        assert_eq!(
            pattern("Read(/etc/passwd)"),
            Pattern::Foreign("Read".into())
        );
        assert_eq!(
            pattern("mcp__files__read"),
            Pattern::Foreign("mcp__files__read".into())
        );
        assert_eq!(
            pattern("echo 'a b'"),
            Pattern::Exact(words(&["echo", "a b"]))
        );
    }

    #[test]
    fn faults_say_what_to_write() {
        let fault = |text: &str| parse(text).err().map(|fault| (fault.message, fault.help));
        assert_eq!(
            fault("  "),
            Some((
                "the rule is empty".into(),
                Some("write a command, `command:*` or `*`")
            ))
        );
        assert_eq!(
            fault("Bash(git status"),
            Some((
                "`Bash(` is not closed".into(),
                Some("end the rule with `)`")
            ))
        );
        assert_eq!(
            fault(":*"),
            Some((
                "the prefix before `:*` is empty".into(),
                Some("write `*` to match every command")
            ))
        );
        assert_eq!(
            fault("prompt:"),
            Some((
                "the prompt rule has no words".into(),
                Some("write `prompt: what the command does`")
            ))
        );
        assert!(fault("Bash()").is_some() && fault("a\0b").is_some());
    }

    #[test]
    fn rendered_rules_read_back_as_the_same_words() {
        for argv in [
            &["echo", "a b", "*", ""][..],
            &["git", "commit", "-m", "it's"],
            &["x", "a\\b"],
        ] {
            let argv = words(argv);
            let text = render(&argv).unwrap_or_default();
            assert_eq!(pattern(&text), Pattern::Exact(argv), "{text}");
        }
    }
}
