//! sed scripts that only print, and those that act, by what sed does with them.

use super::*;
use alloc::string::String;

fn reads(script: &str) {
    let found = read_script(script);
    assert!(
        found
            .as_ref()
            .is_ok_and(|all| all.iter().all(|one| one.effect == Effect::Read)),
        "{script:?}: {found:?}"
    );
}

fn refuses(script: &str) {
    let found = read_script(script);
    assert!(
        !found
            .as_ref()
            .is_ok_and(|all| all.iter().all(|one| one.effect == Effect::Read)),
        "{script:?}: {found:?}"
    );
}

#[test]
fn everyday_scripts_only_print() {
    for script in [
        "",
        "p",
        "1,10p",
        "$d",
        "$!d",
        "1~2p",
        "/needle/p",
        "/source: \"tool\",/p",
        "/w /d",
        "/start/,/end/d",
        "/a/,+3p",
        "0,/x/s//y/",
        "s/foo/bar/g",
        "s/foo/bar/2p",
        "s|/usr/w|/e|gI",
        "s,a\\,b,c,;s/x/r /",
        "s/a/b/;s/c/d/ ; p",
        "s/w e/ew/",
        "y/abc/xyz/",
        ":a;N;$!ba;s/\\n/ /g",
        ":a\nN\n$!ba\ns/\\n/ /g",
        "/x/{n;p}",
        "/x/{\n  s/a/b/\n  p\n}",
        "$!N;P;D",
        "a hello; w out",
        "i\\\nw out\\\nand more",
        "c\\w out",
        "# w out\np",
        "/x/{s/a/b/;b};d",
        "s/[/]/x/",
        "s/[^/]*$//",
        "\\,w e,p",
        "q5",
        "10q",
        "l 5",
        "=;F;z;x;G;H;h",
        "s/\\(a\\)\\/w/\\1/",
        "s/a/x\\\ny/",
        "/a/I,/b/Mp",
        "s/a/b/w /dev/stdout",
        "w /dev/stderr",
        "s/a/b/#c",
        "2!{p}",
        "tend;p;:end",
    ] {
        reads(script);
    }
}

#[test]
fn what_writes_or_runs_is_seen() {
    for script in [
        "e",
        "1e date",
        "/x/e touch y",
        "s/a/b/e",
        "s/a/b/ge",
        "s/a/touch x/e;p",
        "w out",
        "1w out",
        "1!w out",
        "$!w out",
        "/x/,$w out",
        "1,3!Wout",
        "s/a/b/w out",
        "s/a/b/gpwout",
        "p;w out",
        "{p;w out\n}",
        "/a/{w out\n}",
        "s,a,b,wout",
        "y/a/b/;w out",
        "#n\nw out",
        "a x\nw out",
        "a\\\ntext\nw out",
        "s/[/]/w out/w out",
        "s/[/]/x/;s/b/]/w out",
        "/[/]/w out\n/p",
        "\\xaxw out",
        "1~2w out",
        "1,~2w out",
        "1,+2w out",
        "n;e",
        "}w out",
        "{{e}",
        "b;e",
        ":a\ne",
        "ba}w out",
        "a\\ \nw out",
        "s a b w out",
        "/x/I w out",
        "s/a/b/ w out",
        "1 ! w out",
    ] {
        refuses(script);
    }
}

#[test]
fn what_is_not_valid_or_not_followed_is_refused() {
    for script in [
        "k",
        "s/a/b",
        "s/a",
        "/a",
        "s\\a\\b\\",
        "y/a",
        "p p",
        "s/a/b/k",
        "b a}s/;w out\\\n/x/",
        "1,",
        "1",
        "r",
        "w",
        "a",
        "séaébé",
        ":a;i\\\nw out",
        "dw out",
    ] {
        assert!(read_script(script).is_err(), "{script:?}");
    }
}

#[test]
fn the_fault_says_what_and_where() {
    let fault = read_script("p;s/a/b/e").err();
    let fault = fault.map(|fault| (fault.at, fault.what, fault.acts));
    assert_eq!(
        fault,
        Some((8, String::from("the flag `e` of `s` runs the result"), true))
    );
}

#[test]
fn files_are_named() {
    assert_eq!(
        read_script("1r /etc/shadow\n$w out;p"),
        Ok(alloc::vec![
            touch(Effect::Read, Some("/etc/shadow")),
            touch(Effect::Write, Some("out;p")),
        ])
    );
}
