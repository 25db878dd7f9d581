//! Commands that start commands.

use super::*;

#[test]
fn wrappers_are_looked_through() {
    check(&[
        ("env touch P", "env touch P ; -> touch P"),
        ("nice -n 5 touch P", "nice -n 5 touch P ; -> touch P"),
        ("nohup touch P", "nohup touch P ; -> touch P"),
        (
            "timeout -s KILL 5 touch P",
            "timeout -s KILL 5 touch P ; -> touch P",
        ),
        (
            "timeout 5 nice ls",
            "timeout 5 nice ls ; -> nice ls ; -> ls",
        ),
        ("stdbuf -o0 touch P", "stdbuf -o0 touch P ; -> touch P"),
        ("exec touch P", "exec touch P ; -> touch P"),
        ("exec -a x touch P", "exec -a x touch P ; -> touch P"),
        ("command touch P", "command touch P ; -> touch P"),
        ("command -v touch", "command -v touch"),
        ("command -p touch P", "command -p touch P ; -> touch P"),
        ("builtin cd x && ls", "builtin cd x ; -> cd x ; [x] ls"),
        ("flock . touch P", "flock . touch P ; -> touch P"),
        ("chroot / touch P", "chroot / touch P ; -> [?] touch P"),
        ("unshare touch P", "unshare touch P ; -> [?] touch P"),
        (
            "strace -f -o log touch P",
            "strace -f -o log touch P ; -> touch P",
        ),
        ("sudo -u root rm x", "sudo -u root rm x ; -> rm x"),
        (
            "timeout $x rm y",
            "timeout *… rm y ; -> rm y !DynamicCommand",
        ),
        ("timeout 5 $x", "timeout 5 *… ; -> *… !DynamicCommand"),
        ("/usr/bin/env rm x", "/usr/bin/env rm x ; -> rm x"),
        ("./env rm x", "./env rm x"),
        (
            "watch -n 1 'ls; rm x'",
            "watch -n 1 'ls; rm x' ; '' ls ; '' rm x",
        ),
        ("su root -c 'rm x'", "su root -c 'rm x' ; '' rm x"),
        (
            "nice nice nice nice nice nice nice nice nice ls",
            "nice nice nice nice nice nice nice nice nice ls ; -> nice nice nice nice nice nice nice nice ls ; -> nice nice nice nice nice nice nice ls ; -> nice nice nice nice nice nice ls ; -> nice nice nice nice nice ls ; -> nice nice nice nice ls ; -> nice nice nice ls ; -> nice nice ls ; -> nice ls !TooDeep",
        ),
    ]);
}

#[test]
fn env_splits_strings() {
    check(&[
        ("env A=1 ls", "env A=1 ls ; -> A=1 ls"),
        (
            "env -u B A=\"$x\" C= ls A=2",
            "env -u B A=… C= ls A=2 ; -> A=? C='' ls A=2",
        ),
        ("env -i ls", "env -i ls ; -> ls"),
        ("env -S 'rm x'", "env -S 'rm x' ; -> rm x"),
        ("env -S'rm x' y", "env '-Srm x' y ; -> rm x y"),
        ("env -iS 'A=1 rm' x", "env -iS 'A=1 rm' x ; -> A=1 rm x"),
        (
            "env --split-string='rm x'",
            "env '--split-string=rm x' ; -> rm x",
        ),
        ("env -S 'rm ${X}'", "env -S 'rm ${X}' !EvalUnknown"),
        ("env -C sub ls", "env -C sub ls ; -> [sub] ls"),
        ("env \"$x\" ls", "env ? ls ; -> ? ls !DynamicCommand"),
    ]);
}

#[test]
fn xargs_appends_and_replaces() {
    check(&[
        ("ls | xargs rm", "ls ; xargs rm ; -> rm *…"),
        (
            "ls | xargs -n 1 rm -f",
            "ls ; xargs -n 1 rm -f ; -> rm -f *…",
        ),
        (
            "ls | xargs -I{} cp {} d/{}",
            "ls ; xargs -I{} cp {} d/{} ; -> cp ? d/…",
        ),
        (
            "ls | xargs -I % mv % x",
            "ls ; xargs -I % mv % x ; -> mv ? x",
        ),
        ("ls | xargs", "ls ; xargs"),
        (
            "ls | xargs -I{} {} x",
            "ls ; xargs -I{} {} x ; -> ? x !DynamicCommand",
        ),
        (
            "ls | xargs -I{} sh -c 'rm {}'",
            "ls ; xargs -I{} sh -c 'rm {}' ; -> sh -c rm … ; '' rm !EvalUnknown",
        ),
        (
            "ls | xargs sh -c 'rm \"$@\"' _",
            "ls ; xargs sh -c 'rm \"$@\"' _ ; -> sh -c 'rm \"$@\"' _ *… ; '' rm *…",
        ),
        ("ls | xargs sh", "ls ; xargs sh ; -> sh *… !EvalUnknown"),
    ]);
}

#[test]
fn find_and_fd() {
    check(&[
        (
            "find . -name x -exec rm {} \\;",
            "find . -name x -exec rm {} ; ; -> rm .…",
        ),
        (
            "find src -exec grep -l y {} +",
            "find src -exec grep -l y {} + ; -> grep -l y src*…",
        ),
        (
            "find a b -exec rm {} \\;",
            "find a b -exec rm {} ; ; -> rm ?",
        ),
        (
            "find . -execdir rm {} \\;",
            "find . -execdir rm {} ; ; -> [?] rm ?",
        ),
        (
            "find . -ok rm x{} ';' -exec ls \\;",
            "find . -ok rm x{} ; -exec ls ; ; -> rm x.… ; -> ls",
        ),
        (
            "find . -exec sh -c 'rm {}' \\;",
            "find . -exec sh -c 'rm {}' ; ; -> sh -c rm .… ; '' rm !EvalUnknown",
        ),
        (
            "find . -exec $c \\;",
            "find . -exec *… ; ; -> *… !DynamicCommand",
        ),
        (
            "find . -exec grep \"$x\" {} \\;",
            "find . -exec grep ? {} ; ; -> grep ? .…",
        ),
        (
            "find . -exec grep \"$x\" -delete \\;",
            "find . -exec grep ? -delete ; ; -> grep ? -delete !DynamicCommand",
        ),
        ("fd -e rs -x rm", "fd -e rs -x rm ; -> rm *…"),
        (
            "fd x --exec-batch wc {}",
            "fd x --exec-batch wc {} ; -> wc *…",
        ),
        ("fd -Hx rm {}", "fd -Hx rm {} ; -> rm ?"),
    ]);
}

#[test]
fn words_behind_many_wrappers_are_not_read_again_without_end() {
    let long = |wrappers: usize| {
        let mut text = "timeout 5 ".repeat(wrappers);
        text.push_str("ls");
        text.push_str(&" a".repeat(2_000));
        dump_in(&text, Shell::Bash)
    };
    assert!(!long(4).contains("TooMany"));
    assert!(long(7).contains("TooMany"));
}
