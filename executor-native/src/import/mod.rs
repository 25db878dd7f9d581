//! Rules that users already have in other tools, read from their files into rule sets.
//!
//! One file a vendor. Each turns a text into a [`RuleSet`] with that vendor's own order, patterns and words, and into notes: what is
//! not about shell commands, what cannot be kept and why, what is dangerous elsewhere. A deny or ask rule that cannot be kept is never dropped
//! in silence: it is *lost*, and a file with a lost rule is imported only when the user says so. Nothing here judges a command.

mod claude;
mod codex;
mod gemini;
pub(crate) mod json;
mod opencode;
mod places;
mod regex;
mod starlark;
mod vscode;

use std::{fmt, path::Path};

use policy_core::{
    Assignments, Decision, Layer, Policy, PolicyConfig, Resolution, RuleSet, SetMatch, SetRule,
};

pub use places::{Found, discover};

/// A tool whose rules are read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Vendor {
    /// Claude Code: `settings.json`.
    Claude,
    /// Codex: `*.rules`.
    Codex,
    /// Gemini CLI: policies in TOML, and the older `settings.json`.
    Gemini,
    /// OpenCode: `opencode.json`, `opencode.jsonc`.
    OpenCode,
    /// VS Code: `settings.json`.
    VsCode,
}

impl Vendor {
    /// Every vendor.
    pub const ALL: [Self; 5] = [
        Self::Claude,
        Self::Codex,
        Self::Gemini,
        Self::OpenCode,
        Self::VsCode,
    ];

    /// The word for it.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::OpenCode => "opencode",
            Self::VsCode => "vscode",
        }
    }

    /// The vendor of a file, by its place and name; `None` when several have files of that name.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let within = |folder: &str| path.components().any(|part| part.as_os_str() == folder);
        if name.ends_with(".rules") || name.ends_with(".codexpolicy") {
            Some(Self::Codex)
        } else if name.starts_with("opencode.json") {
            Some(Self::OpenCode)
        } else if within(".claude")
            || name == "managed-settings.json"
            || name == "settings.local.json"
        {
            Some(Self::Claude)
        } else if within(".gemini") || within("gemini-cli") || within("GeminiCli") {
            Some(Self::Gemini)
        } else if within(".vscode")
            || (within("User") && name == "settings.json")
            || name.ends_with(".code-workspace")
        {
            Some(Self::VsCode)
        } else if name.ends_with(".toml") {
            Some(Self::Gemini)
        } else {
            None
        }
    }
}

impl fmt::Display for Vendor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.key())
    }
}

/// A place in a text, from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Spot {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl Spot {
    /// The place of a byte of `text`.
    #[must_use]
    pub fn of(text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let count = |number: usize| u32::try_from(number + 1).unwrap_or(u32::MAX);
        Self {
            line: count(before.matches('\n').count()),
            column: count(
                before
                    .rsplit('\n')
                    .next()
                    .unwrap_or_default()
                    .chars()
                    .count(),
            ),
        }
    }
}

/// How much a note matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Grade {
    /// It is not about shell commands, or counts elsewhere.
    Aside,
    /// It is kept, but is wider than it looks or means something else here.
    Warning,
    /// It allowed something and is left out.
    LeftOut,
    /// It denied or asked and cannot be kept.
    Lost,
}

impl Grade {
    /// The word for it.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Aside => "aside",
            Self::Warning => "warning",
            Self::LeftOut => "left out",
            Self::Lost => "lost",
        }
    }
}

/// Something to know about a file that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// How much it matters.
    pub grade: Grade,
    /// Where.
    pub at: Spot,
    /// The rule or setting as written.
    pub what: String,
    /// One line, lower case.
    pub message: String,
}

/// A file that cannot be read at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportFault {
    /// Where.
    pub at: Spot,
    /// One line, lower case.
    pub message: String,
}

/// A file, read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// Its rules.
    pub set: RuleSet,
    /// What to know about it, by place.
    pub notes: Vec<Note>,
}

impl Import {
    /// The deny and ask rules that cannot be kept.
    pub fn lost(&self) -> impl Iterator<Item = &Note> {
        self.notes.iter().filter(|note| note.grade == Grade::Lost)
    }
}

/// Where a file is, for rules that name places.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// The file, as verdicts will name it.
    pub file: &'a str,
    /// The home folder.
    pub home: Option<&'a str>,
    /// The layer its rules will be in.
    pub layer: Layer,
}

/// Reads the text of a vendor's file.
///
/// # Errors
/// When it is not valid, by the rules of the vendor.
pub fn read(vendor: Vendor, text: &str, around: Around<'_>) -> Result<Import, ImportFault> {
    let mut draft = Draft::new(vendor, around);
    match vendor {
        Vendor::Claude => claude::read(text, &mut draft)?,
        Vendor::Codex => codex::read(text, &mut draft)?,
        Vendor::Gemini => gemini::read(text, &mut draft)?,
        Vendor::OpenCode => opencode::read(text, &mut draft)?,
        Vendor::VsCode => vscode::read(text, &mut draft)?,
    }
    Ok(draft.finish())
}

/// An import in the making.
struct Draft<'a> {
    set: RuleSet,
    notes: Vec<Note>,
    around: Around<'a>,
}

impl<'a> Draft<'a> {
    fn new(vendor: Vendor, around: Around<'a>) -> Self {
        Self {
            set: RuleSet {
                vendor: vendor.key().to_owned(),
                file: around.file.to_owned(),
                layer: around.layer,
                resolution: Resolution::Strictest,
                assignments: Assignments::Strip,
                plain_only: false,
                whole_text: false,
                tighten_only: false,
                exact_only: Vec::new(),
                executables: std::collections::BTreeMap::new(),
                rules: Vec::new(),
            },
            notes: Vec::new(),
            around,
        }
    }

    fn note(
        &mut self,
        grade: Grade,
        at: Spot,
        what: impl Into<String>,
        message: impl Into<String>,
    ) {
        self.notes.push(Note {
            grade,
            at,
            what: what.into(),
            message: message.into(),
        });
    }

    /// A rule that cannot be kept: an allow rule is left out, one that denies or asks is lost.
    fn cannot(
        &mut self,
        decision: Decision,
        at: Spot,
        what: impl Into<String>,
        message: impl Into<String>,
    ) {
        let grade = if decision == Decision::Allow {
            Grade::LeftOut
        } else {
            Grade::Lost
        };
        self.note(grade, at, what, message);
    }

    /// Adds a rule; one whose pattern is not read is noted instead.
    fn rule(
        &mut self,
        at: Spot,
        written: impl Into<String>,
        decision: Decision,
        matches: SetMatch,
    ) -> Option<&mut SetRule> {
        let written = written.into();
        if let Some(fault) = unreadable(&self.set, &matches) {
            self.cannot(decision, at, written, fault);
            return None;
        }
        if decision == Decision::Allow
            && let Some(why) = danger(&matches)
        {
            self.note(Grade::Warning, at, written.clone(), why);
        }
        self.set.rules.push(SetRule {
            rule: written,
            decision,
            matches,
            line: at.line,
            column: at.column,
            priority: 0,
            justification: None,
            modes: Vec::new(),
            whole_line: false,
        });
        self.set.rules.last_mut()
    }

    fn finish(mut self) -> Import {
        self.notes.sort_by_key(|note| note.at);
        Import {
            set: self.set,
            notes: self.notes,
        }
    }
}

/// Why the core would not take this pattern.
fn unreadable(set: &RuleSet, matches: &SetMatch) -> Option<String> {
    let rule = SetRule {
        rule: String::new(),
        decision: Decision::Allow,
        matches: matches.clone(),
        line: 0,
        column: 0,
        priority: 0,
        justification: None,
        modes: Vec::new(),
        whole_line: false,
    };
    let config = PolicyConfig {
        rule_sets: vec![RuleSet {
            rules: vec![rule],
            ..set.clone()
        }],
        ..PolicyConfig::default()
    };
    Policy::new(config)
        .err()
        .and_then(|faults| faults.into_iter().next())
        .map(|fault| fault.message)
}

/// Why an allow rule is more than it looks.
fn danger(matches: &SetMatch) -> Option<&'static str> {
    const RUNNERS: &[&str] = &[
        "sh", "bash", "zsh", "dash", "fish", "eval", "exec", "sudo", "doas", "env", "xargs", "npx",
        "bunx", "uvx", "pipx", "python", "python3", "node", "ruby", "perl", "php", "deno", "bun",
        "ssh", "docker", "podman", "kubectl", "make", "watch", "awk", "find",
    ];
    const WHOLE: &str = "it allows whatever command it is";
    const RUNNER: &str = "it allows whatever that command is told to run";
    let of_text = |text: &str| {
        let mut words = text.split([' ', '*']).filter(|word| !word.is_empty());
        match (words.next(), words.next()) {
            _ if text.starts_with('*') => Some(WHOLE),
            (Some(first), None) if text.ends_with('*') && RUNNERS.contains(&first) => Some(RUNNER),
            _ => None,
        }
    };
    match matches {
        SetMatch::Glob(text) | SetMatch::Wild(text) => of_text(text),
        SetMatch::Words(words) => match words.as_slice() {
            [names] if names.iter().any(|name| RUNNERS.contains(&name.as_str())) => Some(RUNNER),
            _ => None,
        },
        SetMatch::Regex(text) => {
            let body = text.trim_start_matches("(?i)");
            if !body.starts_with('^') {
                return Some("it is not bound to the start of a command");
            }
            let rest = body.trim_start_matches('^');
            if rest.starts_with('.') || rest.is_empty() {
                return Some(WHOLE);
            }
            RUNNERS
                .iter()
                .any(|name| rest == format!("{name}\\b"))
                .then_some(RUNNER)
        }
        SetMatch::Json(text) => {
            let rest = text.strip_prefix("\"command\":\"")?;
            if rest.starts_with('.') {
                return Some(WHOLE);
            }
            RUNNERS
                .iter()
                .any(|name| rest == gemini::prefix(name))
                .then_some(RUNNER)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_its_place() {
        for (path, vendor) in [
            ("/h/.claude/settings.json", Some(Vendor::Claude)),
            (
                "/etc/claude-code/managed-settings.json",
                Some(Vendor::Claude),
            ),
            ("/h/.codex/rules/default.rules", Some(Vendor::Codex)),
            ("/h/.gemini/settings.json", Some(Vendor::Gemini)),
            ("/h/.gemini/policies/a.toml", Some(Vendor::Gemini)),
            ("/w/opencode.jsonc", Some(Vendor::OpenCode)),
            ("/w/.vscode/settings.json", Some(Vendor::VsCode)),
            ("/h/.config/Code/User/settings.json", Some(Vendor::VsCode)),
            ("/w/settings.json", None),
        ] {
            assert_eq!(Vendor::of(Path::new(path)), vendor, "{path}");
        }
    }

    #[test]
    fn places_count_characters() {
        assert_eq!(Spot::of("aé\nbü x", 8), Spot { line: 2, column: 4 });
        assert_eq!(Spot::of("", 0), Spot { line: 1, column: 1 });
    }
}
