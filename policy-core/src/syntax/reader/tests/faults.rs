//! Texts bash rejects or would read on from, and what is kept of them.

use alloc::string::{String, ToString};

use super::{super::read_text, dump, table::check, table::read};
use crate::{
    facts::Shell,
    limits::MAX_DEPTH,
    syntax::{self, Status},
};

#[test]
fn rejected_texts() {
    check(
        Shell::Bash,
        &[
            ("echo a=(b); touch x", "! `(` cannot stand here"),
            (
                "echo a && ",
                "! the text ends where a command is expected …",
            ),
            ("a |", "! a pipeline ends without a command …"),
            ("a | ! b", "! `!` cannot stand here"),
            ("&& a", "! `&` cannot stand here"),
            ("a ;; b", "! `;` cannot stand here"),
            ("; a", "! `;` cannot stand here"),
            ("a &; b", "! `;` cannot stand here"),
            ("()", "! `)` cannot stand here"),
            ("( )", "! `)` cannot stand here"),
            ("a )", "! `)` cannot stand here"),
            ("fi", "! `f` cannot stand here"),
            ("if a; then fi", "! `f` cannot stand here"),
            ("then a", "! `t` cannot stand here"),
            ("f() a", "! `a` cannot stand here"),
            ("f(a)", "! `(` cannot stand here"),
            ("a > ", "! a redirect has no target …"),
            ("a > ; b", "! a redirect has no target"),
            ("a > #x", "! a redirect has no target …"),
            ("{ a }", "! `}` is missing …"),
            ("fi a", "! `f` cannot stand here"),
            ("(a) b", "! `b` cannot stand here"),
            ("[[ a b ]]", "! `b` cannot stand here"),
            ("[[ -f == x ]]", "! `x` cannot stand here"),
            ("[[ ]]", "! `]` cannot stand here"),
            ("[[ a\n== b ]]", "! `=` cannot stand here"),
            ("[[ a && ]]", "! `]` cannot stand here"),
            ("case x in a b) c;; esac", "! `b` cannot stand here"),
            ("for i in a b do c; done", "! `do` is missing"),
            // bash 5.2 runs `touch x` in these.
            (
                "echo \"$(cat <<E\nE touch x)\"\nE\n)\"",
                "! the here-document `E` can end in two ways",
            ),
            (
                "cat <(cat <<'E'\na\nEtouch x)\nE\n)",
                "! the here-document `E` can end in two ways",
            ),
            (
                "echo $(cat <<A <<B\nA)\nB\n)",
                "! the here-document `A` can end in two ways",
            ),
            (
                "cat <<$x\nls\n",
                "! a here-document's delimiter holds an expansion",
            ),
            (
                "echo \"${x:-'}'}\"",
                "! a quote inside `\"${…}\"` can be read in two ways",
            ),
            // bash 5.2 assigns `ab}…c` here and runs what follows.
            (
                r#"echo "$(A=${x:-$'a\'b'} ls ${y+$'a\'b'}'c' x)""#,
                "! a quote inside `${…}` can be read in two ways",
            ),
            (
                "echo ${ echo }; touch x; }",
                "! `${ …; }` can be read in two ways",
            ),
            (
                "((c1 \"$(c3 $(cat <<'E'\nc2 $v\nE\n))\"); c4)",
                "! a here-document inside `((` can be read in two ways",
            ),
            ("a=(b; c)", "! `;` cannot stand here"),
        ],
    );
}

/// A plain sh runs `rm y` in the first.
#[test]
fn bash_syntax_is_not_claimed_for_sh() {
    let texts = [
        "[[ x || rm y ]]",
        "((x))",
        "function f { ls; }",
        "echo $'a'",
        "cat <(ls)",
        "ls &>f",
        "ls |& cat",
        "cat <<<x",
        "a=(b)",
        "a+=b",
        "select x in a; do b; done",
        "ls {x}>f",
        "for ((;;)); do a; done",
    ];
    for text in texts {
        assert!(
            read(text, Shell::Sh).ends_with("means something else to a plain sh"),
            "{text}"
        );
    }
    check(
        Shell::Sh,
        &[
            ("for i in a; do b $((i+1)); done", "for i[a][(b $((i+1)))]"),
            ("a=$(ls) b 2>&1 | c", "(a=$((ls)) b 2>&1) | (c)"),
        ],
    );
}

#[test]
fn texts_that_go_on() {
    check(
        Shell::Bash,
        &[
            ("echo 'open", "! a single quote is not closed …"),
            ("echo \"open $(ls)", "! a double quote is not closed …"),
            ("echo $(ls", "! a substitution is not closed …"),
            ("echo `ls", "! a backtick is not closed …"),
            ("echo ${x", "! `${` is not closed …"),
            ("echo $((1", "! `$((` is not closed …"),
            ("(a", "! a subshell is not closed …"),
            ("((a", "! `((` is not closed …"),
            ("{ a;", "! `}` is missing …"),
            ("if a; then b", "! `fi` is missing …"),
            ("while a", "! `do` is missing …"),
            ("for i in a; do b", "! `done` is missing …"),
            ("case x in a) b", "! `esac` is missing …"),
            ("[[ a", "! `[[` is not closed …"),
            ("cat <<E\nhi", "! the here-document `E` is not closed …"),
            ("cat <<E", "! the here-document `E` has no body …"),
            ("a=(b", "! an array is not closed …"),
            ("a &&", "! the text ends where a command is expected …"),
            ("echo a\\", "! the text ends in a backslash …"),
        ],
    );
}

/// What deny rules see of a text that is not read whole.
fn kept(text: &str) -> String {
    dump::script(&read_text(text, Shell::Bash).script)
}

#[test]
fn faults_keep_what_was_read() {
    assert_eq!(kept("rm a; echo 'open"), "(rm a) ; (echo 'open')");
    assert_eq!(kept("echo $(rm a; b"), "(echo $((rm a) ; (b))) ; (b)");
    assert_eq!(kept("if rm a; then ("), "if[(rm a)][sub[]]");
    assert_eq!(kept("a ) ; rm b"), "(a) ; (rm b)");
    assert_eq!(kept("fi\nrm b\n"), "(rm b)");
    assert_eq!(kept("echo a=(b); rm c"), "(echo a=) ; (rm c)");
}

#[test]
fn limits_hold() {
    let deep =
        |open: &str, close: &str, times: usize| open.repeat(times) + "a" + &close.repeat(times);
    assert_eq!(
        syntax::read(&deep("( ", ")", MAX_DEPTH + 2), Shell::Bash).status,
        Status::TooComplex
    );
    assert_eq!(
        syntax::read(&deep("$(", ")", MAX_DEPTH + 2), Shell::Bash).status,
        Status::TooComplex
    );
    assert_ne!(
        syntax::read(&deep("( ", ")", 10), Shell::Bash).status,
        Status::TooComplex
    );
    let long = "echo aaaaaaaa; ".repeat(1000);
    let reading = syntax::read(&long, Shell::Bash);
    assert_eq!(reading.status, Status::TooLong);
    assert!(reading.script.items.len() > 500);
}

#[test]
fn hostile_repetition_ends_soon() {
    for unit in [
        "(",
        "((",
        "$(",
        "$((",
        "`",
        "<<A ",
        "<<A\n",
        "${",
        "\"",
        "'",
        "\\",
        "\\\n",
        "[[ ",
        "{ ",
        "if ",
        "case x in ",
        "a=(",
        "a[",
        "$[",
        "<(",
        "!(",
        "@(",
        "! ",
        "time ",
        "coproc ",
        "f() ",
        "function f ",
        "\"$(",
        "\"${x:-",
        "${x:-",
        "((\n",
        "$((\n",
        "(( a ) ",
        "$(( a ) ",
        "((a$((",
        "`\\`",
        "a=([",
        "for ((",
        "for i in ",
        "&",
        "|",
        ";",
        ">",
        "<",
        "\n",
        "<<'A'\n",
        "<<-A\n\t",
        "=(",
        "=",
        "~[",
        "*(",
        "${(",
        "=(",
        "repeat ",
        "$+",
        "<1-",
        "if (",
        "foreach x (",
        "() ",
        "[[ a =~ (",
        "[[ (",
        "[[ ! ",
        "a[b[",
    ] {
        let text: String = unit.chars().cycle().take(10_000).collect();
        for shell in [Shell::Bash, Shell::Zsh] {
            let outcome = read_text(&text, shell);
            let _ = (outcome, read(&text, shell).to_string());
        }
    }
}
