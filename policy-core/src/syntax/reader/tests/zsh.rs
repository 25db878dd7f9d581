//! What zsh reads otherwise.

use super::table::check;
use crate::facts::Shell;

#[test]
fn substitutions_and_patterns() {
    check(
        Shell::Zsh,
        &[
            ("echo =(touch x)", "(echo <((touch x)))"),
            ("=ls x", "(opaque<`=name` is the path of a command>ls x)"),
            ("x==ls", "(x=opaque<`=name` is the path of a command>ls)"),
            ("echo a=b =", "(echo a=b =)"),
            (
                "echo *(e:'touch x':)",
                "(echo *opaque<a glob qualifier may run code>(e:'touch x':))",
            ),
            (
                "echo *(+f)",
                "(echo *opaque<a glob qualifier may run code>(+f))",
            ),
            (
                "echo (a|b)$(c)",
                "(echo opaque<a glob qualifier may run code>(a|b)$((c)))",
            ),
            ("echo ~[x]", "(echo opaque<`~[name]` calls a function>[x])"),
            ("echo <-> a<1-5>b", "(echo <-> a<1-5>b)"),
            (
                "echo ${(e):-'$(touch x)'}",
                "(echo { opaque (e):-'$(touch x)'})",
            ),
            ("echo ${(f)\"$(ls)\"}", "(echo { opaque (f)\"$((ls))\"})"),
            (
                "echo ${x:s/a/$(touch y)/}",
                "(echo {x opaque :s/a/$((touch y))/})",
            ),
            (": ${x::=$(touch y)}", "(: {x opaque ::=$((touch y))})"),
            ("echo ${a[(r)$(touch x)]}", "(echo $a[(r)$((touch x))])"),
            (
                "echo $a[1] $x:h $+commands[ls] $=y",
                "(echo {a opaque }[1] {x opaque }:h {commands opaque }[ls] {y opaque })",
            ),
            ("echo $x $y/z", "(echo $x $y/z)"),
        ],
    );
}

#[test]
fn redirects_and_separators() {
    check(
        Shell::Zsh,
        &[
            ("echo x >! y", "(echo x >y)"),
            ("echo x >>! y", "(echo x >>y)"),
            ("echo x >&! y", "(echo x >&y)"),
            ("echo x >>& y", "(echo x &>>y)"),
            ("ls; touch x &!", "(ls) ; (touch x) &"),
            ("touch x &| ls", "(touch x) & ; (ls)"),
            ("noglob touch x", "(noglob touch x)"),
            ("- touch x", "(- touch x)"),
            ("ls 2>&1 | cat", "(ls 2>&1) | (cat)"),
            ("ls 22>&1", "(ls 22 >&1)"),
            ("a | time b", "(a) | (b)"),
            ("{echo a}", "! zsh may begin a group at this brace"),
            ("{ echo a}", "! zsh may end a group at this brace"),
            ("{ echo ${x}}", "! zsh may end a group at this brace"),
            ("echo {a,b} {c}", "(echo {a,b} {c})"),
        ],
    );
}

#[test]
fn short_forms() {
    check(
        Shell::Zsh,
        &[
            ("f(){ touch x }; echo", "fn f group[(touch x)] ; (echo)"),
            ("f() touch x", "fn f (touch x)"),
            ("{ touch x }", "group[(touch x)]"),
            ("() { touch $1 } y", "for argv[y][group[(touch $1)]]"),
            ("() { touch y }", "group[group[(touch y)]]"),
            ("if (true) touch x", "if[sub[(true)]][(touch x)]"),
            (
                "if [[ a == b ]] { touch x } else { ls }",
                "if[[[a <==> b]]][(touch x)]else[(ls)]",
            ),
            ("if true; then a; fi", "if[(true)][(a)]"),
            ("while (a) { b }", "while[sub[(a)]][(b)]"),
            ("for i in a b; do c; done", "for i[a b][(c)]"),
            ("for i (a b) touch $i", "for i[a b][(touch $i)]"),
            ("foreach i (a b); touch $i; end", "for i[a b][(touch $i)]"),
            ("repeat 3 touch x", "for repeat[3][(touch x)]"),
            ("repeat 3; do a; done", "for repeat[3][(a)]"),
            ("{ a } always { touch x }", "group[(a) ; (touch x)]"),
            (
                "case x in (a|b) touch y;; esac",
                "case x[opaque<a glob qualifier may run code>(a|b): (touch y)]",
            ),
            ("case x in a) b;; esac", "case x[a: (b)]"),
        ],
    );
}
