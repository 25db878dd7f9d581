//! Variables, exports, options, names, directories.

use super::*;

#[test]
fn influential_variables_are_hazards() {
    check(&[
        ("x=1; ls", "x=1 ; ls"),
        ("DIR=src; ls $DIR", "DIR=src ; ls src"),
        ("PATH=.; ls", "PATH=. ; ls !EnvPersist"),
        ("PATH=. ls", "PATH=. ls"),
        ("export PATH=.; ls", "export PATH=. ; ls !EnvPersist"),
        ("export LANG=C; ls", "export LANG=C ; ls"),
        ("export FOO=1; ls", "export FOO=1 ; ls !EnvPersist"),
        ("FOO=1; export FOO", "FOO=1 ; export FOO !EnvPersist"),
        (
            "declare PATH=$PWD; ls",
            "declare PATH=/w/app ; ls !EnvPersist",
        ),
        ("declare x=1; echo $x", "declare x=1 ; echo 1"),
        ("declare -x FOO=1", "declare -x FOO=1 !EnvPersist"),
        (
            "read -r PATH <<< \"$PWD\"; ls",
            "read -r PATH ; ls !EnvPersist",
        ),
        ("read -r x; echo \"$x\"", "read -r x ; echo ?"),
        ("for PATH in $PWD; do ls; done", "{} ls !EnvPersist"),
        ("ls ${PATH:=x}", "ls *… !EnvPersist"),
        (
            "PS4='$(touch P)'; set -x; ls",
            "PS4='$(touch P)' ; set -x ; ls !EnvPersist",
        ),
        ("printf -v PATH x", "printf -v PATH x !EnvPersist"),
        ("printf -v x y; echo \"$x\"", "printf -v x y ; echo ?"),
        ("x=a; local x=b; ls $x", "x=a ; local x=b ; ls *…"),
        ("readonly x=a; x=b; ls $x", "readonly x=a ; x=b ; ls *…"),
        (
            "RANDOM='a[$(touch P)]'",
            "RANDOM='a[$(touch P)]' !ArithmeticEval",
        ),
        ("SECONDS=0; echo $SECONDS", "SECONDS=0 ; echo #"),
        ("_=rm; $_ x", "_=rm ; *… x !DynamicCommand"),
        ("printf '%s%n' a IFS", "printf %s%n a IFS !EnvPersist"),
        ("declare -p PATH", "declare -p PATH"),
        ("export GIT_PAGER=cat", "export GIT_PAGER=cat"),
        ("export GIT_PAGER=./x", "export GIT_PAGER=./x !EnvPersist"),
        ("declare -n r=PATH", "declare -n r=PATH !ExpansionEval"),
        ("export \"$x\"", "export ? !EnvPersist"),
        ("local x=$1", "local x=…"),
        ("unset x", "unset x"),
        ("unset PATH", "unset PATH !EnvPersist"),
        (
            "unset 'a[$(touch P)]'",
            "unset 'a[$(touch P)]' !ArithmeticEval",
        ),
        ("mapfile -t lines < f", "mapfile -t lines <f"),
    ]);
}

#[test]
fn values_do_not_leak_out_of_subshells() {
    check(&[
        ("x=1; (x=2); echo $x", "x=1 ; {} x=2 ; echo 1"),
        ("x=1; { x=2; }; echo $x", "x=1 ; {} x=2 ; echo 2"),
        ("x=1; x=2 | ls; echo $x", "x=1 ; x=2 ; ls ; echo 1"),
        ("x=1; x=2 & echo $x", "x=1 ; x=2 ; echo 1"),
        (
            "x=1; if ls; then x=2; fi; echo $x",
            "x=1 ; {} ls ; {} x=2 ; echo 1|2",
        ),
        (
            "x=1; for i in a; do echo $x; x=2; done",
            "x=1 ; {} echo ? ; {} x=2",
        ),
        ("x=1; ls || x=2; echo $x", "x=1 ; ls ; x=2 ; echo 1|2"),
        (
            "x=1; eval 'x=2'; echo $x",
            "x=1 ; eval x=2 ; '' x=2 ; echo 2",
        ),
        (
            "x=1; while read x; do :; done; echo $x",
            "x=1 ; {} read x ; {} : ; echo *…",
        ),
    ]);
}

#[test]
fn loops_over_literals() {
    check(&[
        ("for f in a b; do echo $f; done", "{} echo a|b"),
        ("for f in *.txt; do wc \"$f\"; done", "{} wc ?"),
        ("for f in src/*; do wc \"$f\"; done", "{} wc src/…"),
        ("for f in a -b; do sort $f; done", "{} sort a|-b"),
        ("for f; do echo $f; done", "{} echo *…"),
        ("for c in ls rm; do $c x; done", "{} [?] ls x ; {} [?] rm x"),
    ]);
}

#[test]
fn options_and_names() {
    check(&[
        ("set -e; ls", "set -e ; ls"),
        ("set -euo pipefail", "set -euo pipefail"),
        ("set -a; X=1", "set -a ; X=1 !ShellOption"),
        ("set -o posix", "set -o posix !ShellOption"),
        ("shopt -s nullglob", "shopt -s nullglob"),
        (
            "shopt -s expand_aliases",
            "shopt -s expand_aliases !ShellOption",
        ),
        ("shopt -s extglob", "shopt -s extglob !ShellOption"),
        (
            "alias ls='touch P'",
            "alias 'ls=touch P' ; '' touch P !Shadowing",
        ),
        ("alias", "alias"),
        ("hash -p ./p ls; ls", "hash -p ./p ls ; ls !Shadowing"),
        ("hash -r", "hash -r"),
        ("enable -f ./x.so ls", "enable -f ./x.so ls !Shadowing"),
        (
            "trap 'touch P' EXIT; ls",
            "trap 'touch P' EXIT ; '' touch P ; ls !DeferredExec",
        ),
        ("trap - EXIT", "trap - EXIT"),
        ("trap '' INT", "trap '' INT"),
        (
            "mapfile -C 'touch P #' -c 1 a <<< x",
            "mapfile -C 'touch P #' -c 1 a !DeferredExec",
        ),
        (
            "compgen -C 'touch P' x",
            "compgen -C 'touch P' x !DeferredExec",
        ),
        ("compgen -c x", "compgen -c x"),
        (
            "complete -C 'touch P' x",
            "complete -C 'touch P' x !DeferredExec",
        ),
        (
            "f() { touch P; }; f",
            "{} [?] touch P ; f !FunctionDefinition",
        ),
        ("coproc touch P", "{} touch P !Coproc"),
        (
            "wait -n -p 'a[$(touch P)]'",
            "wait -n -p 'a[$(touch P)]' !ArithmeticEval",
        ),
    ]);
}

#[test]
fn tests_and_conditions() {
    check(&[
        ("[ -f f ]", "[ -f f ]"),
        ("[ \"$x\" = y ]", "[ ? = y ]"),
        ("[ $? -eq 0 ]", "[ # -eq 0 ]"),
        ("[ $x = y ]", "[ *… = y ] !ArithmeticEval"),
        (
            "test -v 'a[$(touch P)]'",
            "test -v 'a[$(touch P)]' !ArithmeticEval",
        ),
        ("test -v x", "test -v x"),
        ("[[ -v 'a[$(touch P)]' ]]", " !ArithmeticEval"),
        ("[[ -v x ]]", ""),
        ("[[ -f $x && $y == z* ]]", ""),
        ("[[ $x -gt 0 ]]", " !ArithmeticEval"),
        ("[[ $# -gt 0 ]]", ""),
        ("n=3; [[ $n -gt 0 ]]", "n=3"),
        ("[[ 'a[$(x)]' -eq 0 ]]", " !ArithmeticEval"),
        ("[[ $(ls | wc -l) -gt 3 ]]", "$() ls ; $() wc -l"),
        ("[[ -v $x ]]", " !ArithmeticEval"),
    ]);
}

#[test]
fn directories_are_followed() {
    check(&[
        ("cd sub && ls", "cd sub ; [sub] ls"),
        ("cd sub; ls", "cd sub ; [?] ls"),
        ("cd sub || exit 1; ls", "cd sub ; exit 1 ; [sub] ls"),
        ("cd sub || exit 1 2; ls", "cd sub ; exit 1 2 ; [?] ls"),
        ("cd sub || exit --help; ls", "cd sub ; exit --help ; [?] ls"),
        ("set -e; cd sub; ls", "set -e ; cd sub ; [sub] ls"),
        ("cd sub && cd .. && ls", "cd sub ; [sub] cd .. ; ls"),
        ("(cd sub && ls); ls", "{} cd sub ; {} [sub] ls ; ls"),
        ("{ cd sub && ls; }; ls", "{} cd sub ; {} [sub] ls ; [?] ls"),
        ("cd sub && ls || pwd", "cd sub ; [sub] ls ; [?] pwd"),
        (
            "if true; then cd sub; fi; ls",
            "{} true ; {} cd sub ; [?] ls",
        ),
        ("cd \"$PWD\" && ls", "cd /w/app ; ls"),
        ("cd /tmp && ls", "cd /tmp ; [/tmp] ls"),
        ("cd && ls", "cd ; [/home/u] ls"),
        ("cd - && ls", "cd - ; [?] ls"),
        ("cd $x && ls", "cd *… ; [?] ls"),
        (
            "CDPATH=sub; cd x && ls",
            "CDPATH=sub ; cd x ; [?] ls !EnvPersist",
        ),
        ("CDPATH=sub cd x && ls", "CDPATH=sub cd x ; [?] ls"),
        ("pushd sub && popd && ls", "pushd sub ; [sub] popd ; ls"),
        ("pushd sub >/dev/null && cat f", "pushd sub ; [sub] cat f"),
        ("cd sub && $x", "cd sub ; [sub] *… !DynamicCommand"),
        ("cd a | ls; ls", "cd a ; ls ; ls"),
        (
            "for d in a b; do cd $d; ls; done; ls",
            "{} [?] cd a|b ; {} [?] ls ; [?] ls",
        ),
        (
            "command cd sub && ls",
            "command cd sub ; -> cd sub ; [sub] ls",
        ),
        ("command cd sub; ls", "command cd sub ; -> cd sub ; [?] ls"),
    ]);
}

#[test]
fn redirects() {
    check(&[
        ("ls > out", "ls >out"),
        ("ls >> a 2> b", "ls >a >b"),
        ("ls &> a", "ls >a"),
        ("ls >& a", "ls >a"),
        ("ls 2>&1 >/dev/null", "ls"),
        ("ls 3>&1 1>&2 2>&3 3>&-", "ls"),
        ("ls <> a", "ls >a"),
        ("echo x {fd}> a", "echo x >a"),
        ("wc < f", "wc <f"),
        ("echo x > $HOME/P", "echo x >/home/u/P"),
        ("echo x > $f", "echo x !DynamicRedirect"),
        ("echo x > a*", "echo x !DynamicRedirect"),
        ("echo x > /dev/tcp/h/80", "echo x net:h/80"),
        ("echo x >&'$(touch P)'", "echo x !DynamicRedirect"),
        ("echo x >&$fd", "echo x !DynamicRedirect"),
        (">&echo touch P", "touch P >echo"),
        ("{ ls; } > out", "{} ls ; >out"),
        ("> out", ">out"),
        ("for f in a b; do ls > $f; done", "{} ls >a >b"),
        ("cd sub && ls > out", "cd sub ; [sub] ls >out"),
        (
            "while read l; do echo; done < f",
            "{} read l ; {} echo ; <f",
        ),
        ("exec > out", "exec >out"),
    ]);
}
