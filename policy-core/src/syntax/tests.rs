//! Both readers together: texts they agree on, texts they part on, and hidden characters.

use alloc::{format, string::String, vec::Vec};

use super::{Status, read};
use crate::{diagnostic::Code, facts::Shell};

fn code(text: &str) -> Option<Code> {
    read(text, Shell::Bash).fault.map(|fault| fault.code)
}

/// Ordinary text must not be a disagreement, however the witness's grammar models it.
#[test]
fn everyday_text_is_agreed_on() {
    let texts = [
        "ls -la",
        "git log --oneline | head -20",
        "cat <<E\n  indented\nE\n",
        "cat <<E\n\n\nx\nE\n",
        "x=$(cat <<E\n  $(ls) indented\nE\n)",
        "git commit -m \"$(cat <<'EOF'\n  x `a` y\n\nEOF\n)\"",
        "git commit -F - <<'EOF'\nsome text\nEOF",
        "cat <<-EOF\n\thello\nEOF",
        "cat <<E\n`ls` x\nE\n",
        "time (ls)",
        "time -p ls -l",
        "! time ls",
        "time ! ls",
        "for i in *.c; do time ls $i; done",
        "echo $\"hi\"",
        "exec 3>f",
        "exec {fd}>f",
        "a[1]=2 ls",
        "cat <<E | time cat\nx\nE\n",
        "[[ $x =~ ^a[[:space:]]+b$ ]]",
        "case $x in [a-z]*) ls;; esac",
        "echo \"${a[@]}\" ${#a[@]}",
        "if ! grep -q x f; then ls; fi",
        "while read -r l; do echo \"$l\"; done < f",
        "find . -name a -o \\( -name b \\)",
        "x=$(ls | wc -l); echo $x",
        "echo {1..3}",
        "echo a 2>&1 >/dev/null | cat",
        "find . 2>/dev/null -name x",
        "awk '{print $1}' f",
        "[ -f x ] && ls",
        "export A=1 B=2; declare -a x=(1 2); unset x",
        "echo $((x+1)) $((x++)) $(( $((1+1)) ))",
        "((i++)); ((i<3)) && ls",
        "for ((i=0;i<3;i++)); do ls; done",
        "f() { ls; }; f",
        "function g { ls; }",
        "ls | tee >(cat) | sort",
        "diff <(ls a) <(ls b)",
        "echo \"a\nb\" \\\n  --foo \\\n  -x",
        "cat ./no\\\ntes.txt",
        "cat << \"E\" > f\nx\nE\necho done",
        "x=${y:-z}; echo ${x%%.*} ${x##*/} ${x//a/b} ${x:0:2}",
        "(cd a && ls)",
        "{ ls; pwd; } | cat",
        "ls; # comment\npwd",
        "ls &\nwait %1",
        "[[ -n \"$x\" && ( $y == a* || ! -f z ) ]]",
        "true | cat | cat\ntouch x && :",
        "echo hi \\ # x; touch y",
        "echo \\\t# b; touch y",
        "ls a \\ b \"c\"\\#",
        "! ! touch x",
        "! ! ! time ls",
        "cat <<-EOF\n\tbody\n\tEOF",
        "if ls; then\n\tcat <<-EOF\n\t\tbody\n\tEOF\nfi",
        "cat @<(touch x) $x\\# ==\"a\"",
        "x=\"${y%'}'}\"",
    ];
    let wrong: Vec<String> = texts
        .iter()
        .filter_map(|text| {
            read(text, Shell::Bash)
                .fault
                .map(|fault| format!("{text:?}: {} at {:?}", fault.message, fault.span))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Where the witness is sure of another reading, nothing is claimed, even though ours is right.
#[test]
fn a_disagreement_is_a_fault() {
    let texts = [
        "ls\ttouch\ry",
        "ls\u{b}-la",
        "cat <<EOF\nhi\nEOF \ntouch y\nEOF",
        "coproc { touch x; }",
    ];
    for text in texts {
        let reading = read(text, Shell::Bash);
        assert_eq!(code(text), Some(Code::ParseReadersDisagree), "{text:?}");
        assert_eq!(reading.status, Status::Error);
        assert!(!reading.script.items.is_empty());
    }
    let fault = read("a; ls\ttouch\ry", Shell::Bash).fault;
    assert_eq!(
        fault.map(|fault| (fault.message, fault.span.start)),
        Some(("the second reader sees an argument here".into(), 12))
    );
}

/// Where the witness fails on valid text our reading stands.
#[test]
fn text_the_witness_cannot_read_is_read_all_the_same() {
    for text in [
        "cat <<'EOF'; echo done\nhello\nEOF",
        "cat <<$'EOF'\nhi\nEOF\ntouch x",
        "cat > x <<< 'x'",
        "for i\nin a; do touch x; done",
        "((touch x); :)",
        "{touch,x}",
    ] {
        assert_eq!(code(text), None, "{text:?}");
    }
}

fn hidden(text: &str) -> Vec<String> {
    read(text, Shell::Bash)
        .hazards
        .into_iter()
        .map(|hazard| format!("{}@{}", hazard.what, hazard.span.start))
        .collect()
}

#[test]
fn hidden_characters_are_found() {
    assert_eq!(hidden("ls \0; touch x"), ["U+0000@3"]);
    assert_eq!(hidden("ls\r"), ["U+000D@2"]);
    assert_eq!(hidden("echo '\u{1b}[2J'"), ["U+001B@6"]);
    assert_eq!(hidden("echo \"a\u{202e}b\""), ["U+202E@7"]);
    assert_eq!(hidden("echo a\u{200b}b"), ["U+200B@6"]);
    assert_eq!(hidden("ls\u{a0}-la"), ["U+00A0@2"]);
    assert_eq!(hidden("ls \u{3000}x"), ["U+3000@3"]);
    assert_eq!(hidden("echo 'a\u{a0}b' \"\u{3000}\" é 👩\u{fe0e}").len(), 1);
    assert!(hidden("echo 'née' \"日本\" 👍 ü\n\tx").is_empty());
    assert!(hidden("echo '👩\u{200d}👧'").is_empty());
    assert_eq!(hidden("ls # \u{202e}x"), ["U+202E@5"]);
}

#[test]
fn limits_have_their_codes() {
    assert_eq!(code(&"x".repeat(10_001)), Some(Code::ParseTooLong));
    assert_eq!(code(&"é".repeat(10_000)), None);
    assert_eq!(code(&"( ".repeat(60)), Some(Code::ParseTooComplex));
    // Short of a command each, but more than are reported.
    assert_eq!(code(&".a|a+=x".repeat(700)), Some(Code::ParseTooComplex));
    let redirects = |count: usize| code(&format!("ls \"$x\"{}", " 2>&1".repeat(count)));
    assert_eq!(redirects(600), Some(Code::ParseTooComplex));
    assert_eq!(redirects(300), None);
    let reading = read("echo 'open", Shell::Bash);
    assert!(reading.incomplete);
    assert_eq!(code("echo 'open"), Some(Code::ParseError));
    assert!(!read("fi", Shell::Bash).incomplete);
}

/// A text inside a text that has failed already is still read to its end, whatever stands in it.
#[test]
fn what_stands_in_a_faulty_text_is_read_to_its_end() {
    for text in [
        "''`e[''",
        "`e['']",
        "`$((''",
        "`${x:-''",
        "`\"${x:-''}",
        "`\"${x:-'a'}",
        "`$'' $[''",
        "`[[ '' =~ ('' ",
    ] {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Sh] {
            assert_eq!(read(text, shell).status, Status::Error, "{text:?}");
        }
    }
}

/// Every span of a fault lies on character boundaries.
#[test]
fn faults_point_into_the_text() {
    for text in [
        "é'",
        "é )é",
        "é `é",
        "é \"$(é",
        "é <<é\nx",
        "`é \\`é",
        "é ${é",
        "[[ é é ]]",
    ] {
        let fault = read(text, Shell::Bash).fault;
        let span = fault.map(|fault| fault.span);
        let inside = span.and_then(|span| text.get(span.start as usize..span.end as usize));
        assert!(inside.is_some(), "{text:?} {span:?}");
    }
}
