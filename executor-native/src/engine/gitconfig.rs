//! Reads git's configuration format and tells which keys could make git run something.
//!
//! Text in, entries out ([`parse`]); [`executing`] names a key that runs a program or leads git elsewhere. Written from
//! git-config(1), "Syntax" and "Variables". What cannot be read is never taken for empty: [`parse`] then gives nothing.

/// One `name = value` of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// Lower case.
    pub(super) section: String,
    /// As written; empty when there is none.
    pub(super) subsection: String,
    /// Lower case.
    pub(super) name: String,
    /// `true` for a name without a value, as git takes it.
    pub(super) value: String,
}

/// Every entry, or `None` when git would refuse the file.
pub(super) fn parse(text: &str) -> Option<Vec<Entry>> {
    let mut chars = text
        .strip_prefix('\u{feff}')
        .unwrap_or(text)
        .chars()
        .peekable();
    let mut entries = Vec::new();
    let mut at: Option<(String, String)> = None;
    while let Some(&c) = chars.peek() {
        match c {
            '\n' | '\r' | ' ' | '\t' => {
                chars.next();
            }
            '#' | ';' => while chars.next_if(|c| *c != '\n').is_some() {},
            '[' => {
                chars.next();
                at = Some(header(&mut chars)?);
            }
            c if c.is_ascii_alphabetic() => {
                let mut name = String::new();
                while let Some(c) = chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '-') {
                    name.push(c.to_ascii_lowercase());
                }
                while chars.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
                let value = match chars.peek() {
                    None | Some('\n') => "true".to_owned(),
                    Some('=') => {
                        chars.next();
                        value(&mut chars)?
                    }
                    Some('\r') => "true".to_owned(),
                    Some(_) => return None,
                };
                let (section, subsection) = at.clone()?;
                entries.push(Entry {
                    section,
                    subsection,
                    name,
                    value,
                });
            }
            _ => return None,
        }
    }
    Some(entries)
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// After `[`: `core]`, `diff "name"]`, `diff.name]`.
fn header(chars: &mut Chars<'_>) -> Option<(String, String)> {
    let mut section = String::new();
    while let Some(c) = chars.next_if(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.')) {
        section.push(c.to_ascii_lowercase());
    }
    match chars.next()? {
        ']' => Some(match section.split_once('.') {
            Some((section, subsection)) => (section.to_owned(), subsection.to_owned()),
            None => (section, String::new()),
        }),
        ' ' | '\t' => {
            while chars.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
            if chars.next()? != '"' {
                return None;
            }
            let mut subsection = String::new();
            loop {
                match chars.next()? {
                    '"' => break,
                    '\n' => return None,
                    '\\' => subsection.push(chars.next()?),
                    c => subsection.push(c),
                }
            }
            (chars.next()? == ']').then_some((section, subsection))
        }
        _ => None,
    }
}

/// After `=`, to the end of the line.
fn value(chars: &mut Chars<'_>) -> Option<String> {
    let mut value = String::new();
    let mut quoted = false;
    // Blanks count only when something follows them.
    let mut blanks = String::new();
    loop {
        match chars.next() {
            None | Some('\n') if quoted => return None,
            None | Some('\n') => return Some(value),
            Some('\r') if chars.peek() == Some(&'\n') => {}
            Some(c @ (' ' | '\t')) if !quoted => {
                if !value.is_empty() {
                    blanks.push(c);
                }
            }
            Some('#' | ';') if !quoted => while chars.next_if(|c| *c != '\n').is_some() {},
            Some(c) => {
                value.push_str(&std::mem::take(&mut blanks));
                match c {
                    '"' => quoted = !quoted,
                    '\\' => match chars.next()? {
                        '\n' => {}
                        'n' => value.push('\n'),
                        't' => value.push('\t'),
                        'b' => {
                            value.pop();
                        }
                        c @ ('"' | '\\') => value.push(c),
                        '\r' if chars.next_if_eq(&'\n').is_some() => {}
                        _ => return None,
                    },
                    c => value.push(c),
                }
            }
        }
    }
}

/// Keys without a subsection that run a program, redirect git or load code, spelt as documented. Those that only commands
/// which write obey (merge tools, mail, templates) are left out: such a command asks anyway.
const PLAIN: &[&str] = &[
    "core.alternateRefsCommand",
    "core.askPass",
    "core.editor",
    "core.gitProxy",
    "core.hooksPath",
    "core.pager",
    "core.sshCommand",
    "core.worktree",
    "credential.helper",
    "diff.external",
    "gpg.program",
    "interactive.diffFilter",
    "protocol.allow",
    "uploadpack.packObjectsHook",
];

/// Keys with a subsection of any name: section and last name.
const NAMED: &[(&str, &str)] = &[
    ("credential", "helper"),
    ("diff", "command"),
    ("diff", "textconv"),
    ("filter", "clean"),
    ("filter", "process"),
    ("filter", "smudge"),
    ("gpg", "defaultKeyCommand"),
    ("gpg", "program"),
    ("hook", "command"),
    ("merge", "driver"),
    ("protocol", "allow"),
    ("remote", "receivepack"),
    ("remote", "uploadpack"),
    ("remote", "vcs"),
    ("tar", "command"),
    ("trailer", "cmd"),
    ("trailer", "command"),
];

/// The key's name as documented when it can run something or lead git elsewhere.
pub(super) fn executing(entry: &Entry) -> Option<String> {
    let Entry {
        section,
        subsection,
        name,
        value,
    } = entry;
    let full = if subsection.is_empty() {
        format!("{section}.{name}")
    } else {
        format!("{section}.{subsection}.{name}")
    };
    if value.is_empty() && section != "core" {
        return None;
    }
    match (section.as_str(), name.as_str()) {
        // A path of a hook, or true: git's own daemon is started.
        ("core", "fsmonitor") => (!falsy(value)).then(|| "core.fsmonitor".to_owned()),
        ("alias", _) => Some(full),
        ("pager", _) => (!falsy(value) && !truthy(value)).then_some(full),
        // The signature of every commit that is shown is checked by a program.
        ("log", "showsignature") => (!falsy(value)).then(|| "log.showSignature".to_owned()),
        // What is missing is fetched when a reading command needs it, by the transport and programs of the remote.
        ("extensions", "partialclone") => Some("extensions.partialClone".to_owned()),
        ("remote", "promisor") => (!falsy(value)).then_some(full),
        // `git diff` then starts git in every submodule that changed, and not with the options it was given.
        ("diff", "submodule") => (value == "diff").then(|| "diff.submodule".to_owned()),
        // Formats and orders by signature start gpg.
        ("format", "pretty") | ("pretty", _) => value.contains("%G").then_some(full),
        ("branch" | "tag", "sort") => value.contains("signature").then_some(full),
        ("remote", "url" | "pushurl") => value.starts_with("ext::").then_some(full),
        ("url", "insteadof" | "pushinsteadof") => subsection.starts_with("ext::").then_some(full),
        _ if subsection.is_empty() => PLAIN
            .iter()
            .find(|key| key.eq_ignore_ascii_case(&full))
            .map(|key| (*key).to_owned()),
        _ => NAMED
            .iter()
            .find(|(of, last)| of == section && last.eq_ignore_ascii_case(name))
            .map(|(_, last)| format!("{section}.{subsection}.{last}")),
    }
}

/// Whether the key asks for another file: its path.
pub(super) fn included(entry: &Entry) -> Option<&str> {
    (matches!(entry.section.as_str(), "include" | "includeif") && entry.name == "path")
        .then_some(entry.value.as_str())
}

fn falsy(value: &str) -> bool {
    ["", "false", "no", "off", "0"]
        .iter()
        .any(|word| word.eq_ignore_ascii_case(value))
}

fn truthy(value: &str) -> bool {
    ["true", "yes", "on", "1"]
        .iter()
        .any(|word| word.eq_ignore_ascii_case(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Option<Vec<String>> {
        Some(parse(text)?.iter().filter_map(executing).collect())
    }

    #[test]
    fn an_ordinary_repository_runs_nothing() {
        let text = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\
            [remote \"origin\"]\n\turl = git@example.com:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\
            [branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\tname = A; B\n";
        assert_eq!(keys(text), Some(vec![]));
    }

    #[test]
    fn keys_that_run_programs_are_named() {
        for (text, key) in [
            ("[core]\nfsmonitor = ./x", "core.fsmonitor"),
            ("[core] fsmonitor", "core.fsmonitor"),
            ("[CORE]\nHooksPath = x", "core.hooksPath"),
            ("[diff \"a\\\"b\"]\ntextconv = x", "diff.a\"b.textconv"),
            ("[filter.lfs]\nclean=x", "filter.lfs.clean"),
            ("[alias]\nst = !rm x", "alias.st"),
            ("[pager]\nlog = ./x", "pager.log"),
            ("[core]\npager = \"./a b\" # c", "core.pager"),
            ("[core]\neditor = a\\\n b", "core.editor"),
            ("[log]\nshowSignature = true", "log.showSignature"),
            ("[core]\n\tworktree = /tmp", "core.worktree"),
            ("[remote \"o\"]\nurl = ext::sh -c x", "remote.o.url"),
            ("[remote \"o\"]\npromisor = true", "remote.o.promisor"),
            ("[extensions]\npartialClone = o", "extensions.partialClone"),
            ("[format]\npretty = %h %G?", "format.pretty"),
            ("[pretty]\nx = %GK", "pretty.x"),
            ("[diff]\nsubmodule = diff", "diff.submodule"),
            ("[tag]\nsort = -signature:key", "tag.sort"),
        ] {
            assert_eq!(keys(text), Some(vec![key.to_owned()]), "{text}");
        }
    }

    #[test]
    fn harmless_values_of_such_keys_are_not() {
        for text in [
            "[core]\nfsmonitor = false",
            "[pager]\nlog = false",
            "[pager]\nlog",
            "[format]\npretty = oneline",
            "[diff]\nsubmodule = log",
            "[branch]\nsort = -committerdate",
            "[remote \"o\"]\npromisor = false",
            "# [core]\n#fsmonitor = x",
            "[user]\nname = \"[core]\\nfsmonitor = x\"",
        ] {
            assert_eq!(keys(text), Some(vec![]), "{text}");
        }
    }

    #[test]
    fn what_git_refuses_is_not_taken_for_empty() {
        for text in [
            "[core",
            "x = 1",
            "[a]\nx = \"open",
            "[a]\nx = \\q",
            "[a \"b]\nx=1",
            "[a]\n=1",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn values_are_read_as_git_reads_them() {
        let value = |text: &str| parse(text).and_then(|e| e.first().map(|e| e.value.clone()));
        assert_eq!(value("[a]\nx = one  two ; c").as_deref(), Some("one  two"));
        assert_eq!(
            value("[a]\nx = \"a # b\" c\r\n").as_deref(),
            Some("a # b c")
        );
        assert_eq!(value("[a]\nx = a\\tb").as_deref(), Some("a\tb"));
        assert_eq!(value("[a]\nx").as_deref(), Some("true"));
        assert_eq!(value("[a]\nx =").as_deref(), Some(""));
    }

    #[test]
    fn includes_are_seen() {
        let entries = parse("[include]\npath = a\n[includeIf \"gitdir:/x/\"]\npath = b\n");
        let paths: Vec<_> = entries.iter().flatten().filter_map(included).collect();
        assert_eq!(paths, ["a", "b"]);
    }
}
