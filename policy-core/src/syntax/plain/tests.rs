//! What is plain, and that the witness has nothing to say of it.

use alloc::{string::String, vec, vec::Vec};

use super::is_plain;
use crate::{
    facts::Shell,
    syntax::{
        agree::{Agreement, hear_all},
        reader,
    },
};

#[test]
fn plain_is_what_holds_nothing_to_read_twice() {
    for text in [
        "ls",
        "git log --oneline -20",
        "cat a.txt | head -5 | sort",
        "cd app && cargo test; ls",
        "grep if src/main.rs",
        "a || b; c",
    ] {
        assert!(is_plain(text), "{text}");
    }
    for text in [
        "",
        " ls",
        "ls ",
        "ls  -l",
        "ls;",
        "ls;pwd",
        "ls |",
        "| ls",
        "ls | | wc",
        "ls | && wc",
        "ls &",
        "ls & pwd",
        "A=1 ls",
        "ls a=b",
        "ls 'a'",
        "ls $x",
        "ls > f",
        "ls 2>&1",
        "ls # x",
        "ls *.rs",
        "ls ~",
        "time ls",
        "ls | time wc",
        "ls; if x",
        "! ls",
        "repeat 3 ls",
        "ls\npwd",
        "ls\tx",
        "ls é",
    ] {
        assert!(!is_plain(text), "{text}");
    }
}

/// Whether the witness, asked about all of a plain text, agrees with our reading.
fn holds(text: &str) -> bool {
    [Shell::Bash, Shell::Zsh, Shell::Sh]
        .into_iter()
        .all(|shell| {
            let outcome = reader::read_text(text, shell);
            outcome.problem.is_none()
                && hear_all(text, &outcome.script, &outcome.pieces) == Agreement::Whole
        })
}

#[test]
fn the_witness_agrees_with_every_plain_statement_of_the_corpora() {
    let corpora = [
        include_str!("../../../../tests/corpora/bypass.txt"),
        include_str!("../../../../tests/corpora/everyday-acting.txt"),
        include_str!("../../../../tests/corpora/everyday-reading.txt"),
        include_str!("../../../../tests/corpora/grammar.txt"),
        include_str!("../../../../tests/corpora/needless.txt"),
        include_str!("../../../../tests/corpora/rules.txt"),
    ];
    let mut plain = 0;
    for text in corpora
        .iter()
        .flat_map(|corpus| corpus.lines())
        .flat_map(|line| line.split(" | ").skip(1).chain(Some(line)))
        .flat_map(|text| {
            [
                text,
                text.trim_start_matches(|letter| letter != '|')
                    .trim_start_matches("| "),
            ]
        })
        .filter(|text| is_plain(text))
    {
        plain += 1;
        assert!(holds(text), "{text}");
    }
    assert!(plain > 300, "{plain}");
}

/// Words that mean something to one shell or grammar or another, or look as if they did.
const WORDS: &[&str] = &[
    "ls",
    "git",
    "cd",
    "export",
    "declare",
    "typeset",
    "local",
    "readonly",
    "unset",
    "unsetenv",
    "test",
    "eval",
    "exec",
    "source",
    ".",
    "..",
    "-",
    "--",
    "-n",
    "-rf",
    "--color",
    "1",
    "0",
    "12",
    "3.14",
    "a.b/c",
    "/bin/ls",
    "./x",
    "%1",
    "%",
    "%%",
    "+x",
    "+",
    "@",
    "@1",
    "a@b:c",
    ":",
    ",",
    "a,b",
    "_",
    "_x",
    "-1",
    "-e",
    "if",
    "then",
    "else",
    "elif",
    "fi",
    "for",
    "in",
    "do",
    "done",
    "case",
    "esac",
    "while",
    "until",
    "select",
    "function",
    "time",
    "coproc",
    "repeat",
    "foreach",
    "end",
    "always",
    "nocorrect",
    "noglob",
    "command",
    "builtin",
    "let",
    "read",
    "printf",
    "echo",
    "true",
    "false",
    "return",
    "break",
    "continue",
    "shift",
    "trap",
    "set",
    "alias",
    "type",
    "EOF",
    "x1",
    "1x",
    "0x1f",
    "16",
    "-eq",
    "-f",
    "a-b",
    "A_B",
    "C:/x",
    "http://a.b/c",
    "a..b",
    "1..3",
    "e",
    "i",
    "E",
    "I",
    "10e5",
    "-gt",
    "--x:y",
    "u+x",
    "a%b",
    "..a",
    "/",
    "//",
    "-/",
    "_.",
];

fn generated(count: usize) -> Vec<String> {
    let mut state = 2_463_534_242_u32;
    let mut below = move |limit: usize| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as usize % limit
    };
    let letters = "abzAZ019_./:,+@%-";
    (0..count)
        .map(|_| {
            let mut text = String::new();
            for at in 0..=below(9) {
                if at > 0 {
                    text.push_str([" ", " ", " ", " | ", " && ", " || ", "; "][below(7)]);
                }
                if below(4) == 0 {
                    for _ in 0..=below(6) {
                        text.extend(letters.chars().nth(below(letters.len())));
                    }
                } else {
                    text.push_str(WORDS[below(WORDS.len())]);
                }
            }
            text
        })
        .collect()
}

#[test]
fn the_witness_agrees_with_generated_plain_statements() {
    let mut plain = 0;
    for text in generated(80_000).iter().filter(|text| is_plain(text)) {
        plain += 1;
        assert!(holds(text), "{text}");
    }
    assert!(plain > 40_000, "{plain}");
}

/// As long as a text may be, so that the bound on the witness's work is not what told the ways apart.
#[test]
fn the_witness_agrees_with_the_longest_plain_texts() {
    for joint in [" ", " | ", " && ", "; "] {
        // Of more commands than there may be the witness is not asked.
        let most = if joint == " " {
            usize::MAX
        } else {
            crate::limits::MAX_INVOCATIONS
        };
        let count = (crate::limits::MAX_CHARS / (joint.len() + 1)).min(most);
        let text = vec!["a"; count].join(joint);
        assert!(is_plain(&text) && holds(&text), "{joint}");
    }
}
