//! Patterns, row by row, as the ECMAScript specification has them.

use super::*;

fn regex(pattern: &str, subject: &str) -> bool {
    Matcher::new(pattern).expect(pattern).matches(subject)
}

/// Each row as the ECMAScript specification has it.
#[test]
fn what_patterns_match() {
    for (pattern, yes, no) in [
        (
            r"^git (status|show\b.*)$",
            &["git status", "git show", "git show HEAD"][..],
            &["git stash", "git shows", "xgit status", "git status -s"][..],
        ),
        (
            r"^git\b",
            &["git", "git log", "git-lfs"],
            &["gitk", "a git"],
        ),
        (
            r"rm\s+-rf",
            &["rm -rf x", "sudo rm  -rf"],
            &["rm -r", "rm-rf"],
        ),
        (
            r"^(npm|yarn) run [a-z:]+$",
            &["npm run a:b", "yarn run x"],
            &["npm run", "npm run A"],
        ),
        (r"(?i)\.PS1", &["x.ps1", "X.Ps1"], &["xps1"]),
        (r"^a{2,3}$", &["aa", "aaa"], &["a", "aaaa"]),
        (r"^a{2}b{0,1}$", &["aa", "aab"], &["ab", "aabb"]),
        (r"^[^;&|]*$", &["ls -la"], &["ls; x", "a && b"]),
        (r"^x{y$", &["x{y"], &["xy"]),
        (r"^[\w.-]+@\d\S\D\W$", &["a.b-c@1xy "], &["@1xy "]),
        (r"^(?:a|b)+?c$", &["abac"], &["c"]),
        (r"^a.b$", &["axb"], &["a\nb"]),
        (r"(?s)^a.b$", &["a\nb"], &["ab"]),
        (r"^$", &[""], &["x"]),
        (r"\Bx", &["ax"], &["x"]),
        (r"^[\s\S]*z[^\S]$", &["a\nz "], &["a\nzb"]),
        (r"^(|a)b$", &["b", "ab"], &["aab"]),
    ] {
        for subject in yes {
            assert!(regex(pattern, subject), "{pattern} on {subject:?}");
        }
        for subject in no {
            assert!(!regex(pattern, subject), "{pattern} on {subject:?}");
        }
    }
}

#[test]
fn what_is_not_read_is_a_fault_with_its_place() {
    for (pattern, at) in [
        ("(?=x)", 0),
        ("a(?<!x)", 1),
        (r"(a)\1", 3),
        (r"\p{L}", 0),
        ("a)", 1),
        ("(a", 0),
        ("[a", 0),
        ("*a", 0),
        ("a**", 2),
        ("[z-a]", 3),
        ("a{900}", 1),
        (r"a\", 2),
    ] {
        assert_eq!(
            Matcher::new(pattern).err().map(|fault| fault.at),
            Some(at),
            "{pattern}"
        );
    }
}

#[test]
fn wildcards_match_the_whole_subject() {
    let glob = |pattern: &str, subject: &str| {
        Matcher::glob(pattern, false)
            .expect(pattern)
            .matches(subject)
    };
    assert!(glob("ls *", "ls") && glob("ls *", "ls -la") && !glob("ls *", "lsof"));
    assert!(
        glob("ls*", "lsof")
            && glob("git * main", "git push origin main")
            && !glob("git * main", "git main")
    );
    assert!(glob("*", "") && glob("*", "a\nb") && !glob("a?c", "abc"));
    assert!(Matcher::glob("a?c", true).expect("short").matches("abc"));
    assert!(glob("a.c", "a.c") && !glob("a.c", "abc"));
}

#[test]
fn unknown_text_is_covered_by_any_text_alone() {
    let glob = Matcher::glob("git push *", false).expect("short");
    assert!(glob.matches("git push \0") && !glob.matches("git \0") && glob.may_match("git \0"));
    assert!(!glob.may_match("svn \0"));
    let class = Matcher::new("^echo [^;]*$").expect("read");
    assert!(!class.matches("echo \0") && class.may_match("echo \0"));
    let inside = Matcher::new(r"rm -rf\b").expect("read");
    assert!(inside.may_match("rm \0") && !inside.may_match("echo \0"));
    let end = Matcher::new("^ls$").expect("read");
    assert!(!end.matches("ls\0") && end.may_match("ls\0") && end.may_match("l\0"));
}

#[test]
fn literal_starts_are_told() {
    let start = |pattern: &str| Matcher::new(pattern).expect(pattern).start().to_owned();
    use alloc::borrow::ToOwned as _;
    assert_eq!(start("^git st.*"), "git st");
    assert_eq!(start("^gi?t"), "g");
    assert_eq!(start("^(a|b)"), "");
    assert_eq!(start("git"), "");
    assert_eq!(start("(?i)^git"), "");
}

#[test]
fn a_lead_is_taken_off() {
    let after = |pattern: &str| Matcher::new(pattern).expect(pattern).after("x:");
    let rest = after(r"x:git(?:[\s]|$)*y|z").map(|rest| rest.start().len());
    assert_eq!(rest, None, "a branch of the whole does not begin so");
    let rest = after("x:git (a|b)+c").expect("it begins so");
    assert_eq!(rest.start(), "git ");
    assert!(
        rest.matches("git abac and more") && !rest.matches("x:git ac") && !rest.matches("git c")
    );
    assert!(after("x:*").is_none() && after("y:x").is_none());
}

#[test]
fn hostile_patterns_end() {
    let subject = "a".repeat(5_000) + "b";
    assert!(!regex("^(a*)*c$", &subject));
    assert!(!regex("^(a|a|aa)+$", &subject));
    assert!(Matcher::new(&"(".repeat(10_000)).is_err());
    assert!(Matcher::new("((a{200}){200}){200}").is_err());
}
