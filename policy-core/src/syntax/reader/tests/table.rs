//! Texts bash accepts, with their trees.

use alloc::{format, string::String};

use super::{super::read_text, dump};
use crate::facts::Shell;

/// The tree of a text, or its fault.
pub(super) fn read(text: &str, shell: Shell) -> String {
    let outcome = read_text(text, shell);
    match outcome.problem {
        Some(problem) => format!(
            "! {}{}",
            problem.message,
            if problem.incomplete { " …" } else { "" }
        ),
        None => dump::script(&outcome.script),
    }
}

pub(super) fn check(shell: Shell, table: &[(&str, &str)]) {
    let mut wrong = String::new();
    for (text, expected) in table {
        let seen = read(text, shell);
        if seen != *expected {
            wrong += &format!("{text:?}\n  expected {expected}\n  seen     {seen}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn simple_commands() {
    check(
        Shell::Bash,
        &[
            ("", ""),
            ("ls", "(ls)"),
            ("ls -la /tmp", "(ls -la /tmp)"),
            ("  ls\t-l  ", "(ls -l)"),
            ("a; b; c", "(a) ; (b) ; (c)"),
            ("a & b &", "(a) & ; (b) &"),
            ("a && b || c", "(a) && (b) || (c)"),
            ("a | b |& c", "(a) | (b) |& (c)"),
            ("a\nb\n\n\nc\n", "(a) ; (b) ; (c)"),
            ("a &&\n\nb |\n# note\nc", "(a) && (b) | (c)"),
            ("x=1 y=2 cmd z=3", "(x=1 y=2 cmd z=3)"),
            ("x= y", "(x= y)"),
            ("x=1", "(x=1)"),
        ],
    );
}

#[test]
fn words_and_quotes() {
    check(
        Shell::Bash,
        &[
            (r"echo 'a b'", "(echo 'a b')"),
            (r"echo 'a\' ; touch x", r"(echo 'a\') ; (touch x)"),
            (r#"echo "a b""#, r#"(echo "a b")"#),
            (r#"echo "a\"b\$c\d""#, r#"(echo "a"b$c\d")"#),
            (r#"echo a'b'"c"d"#, r#"(echo a'b'"c"d)"#),
            (r"echo \;", "(echo ';')"),
            ("[[<(x)== a ]]", "([[<((x))== a ]])"),
            (r#"echo "${x%'}'*}" y"#, r#"(echo "{x % '}'*}" y)"#),
            (r"\rm x", "('r'm x)"),
            ("echo ''", "(echo '')"),
            (r#"echo """#, r#"(echo "")"#),
            (r"echo $'a\tb\'c'", "(echo 'a\tb'c')"),
            (r"echo $'\x41\101\u00e9\z'", "(echo 'AAé\\z')"),
            (r"echo $'\xc3\xa9'", "(echo 'é')"),
            (
                r"echo $'\xff'",
                "(echo opaque<ANSI-C quoting with a value that depends on the shell>)",
            ),
            (
                r"echo $'a\0b'",
                "(echo opaque<ANSI-C quoting with a value that depends on the shell>)",
            ),
            (r#"echo $"hi $x""#, r#"(echo "hi $x")"#),
            (r#"echo "$'a'""#, r#"(echo "$'a'")"#),
            (r#"echo "$""#, r#"(echo "$")"#),
            ("echo $ x", "(echo $ x)"),
            ("echo a$", "(echo a$)"),
            ("echo {a,b}{c,d}", "(echo {a,b}{c,d})"),
            ("echo ~/x *.c [ab]?", "(echo ~/x *.c [ab]?)"),
            ("{touch,x}", "({touch,x})"),
            ("{ls}", "({ls})"),
            ("echo a#b #c\nd", "(echo a#b) ; (d)"),
            ("echo#x; touch y", "(echo#x) ; (touch y)"),
            ("echo hi \\ # x; touch y", "(echo hi ' '# x) ; (touch y)"),
            ("echo a\\\n# b; touch y", "(echo a# b) ; (touch y)"),
            ("echo \\\t# b; touch y", "(echo '\t'# b) ; (touch y)"),
            ("echo a\r# b; touch y", "(echo a\r# b) ; (touch y)"),
            ("echo a\u{b}# b; touch y", "(echo a\u{b}# b) ; (touch y)"),
            ("echo a\u{c}# b; touch y", "(echo a\u{c}# b) ; (touch y)"),
            ("echo a \\\r\ntouch y", "(echo a '\r') ; (touch y)"),
            ("ls\ttouch\ry", "(ls touch\ry)"),
            ("ls\u{b}-la", "(ls\u{b}-la)"),
            ("echo # it's\nls", "(echo) ; (ls)"),
            ("# only", ""),
            ("#\\\nls", "(ls)"),
            ("tr\\\nuncate -s0 x", "(truncate -s0 x)"),
            ("ls\n\\touch x", "(ls) ; ('t'ouch x)"),
            ("ls -la\n\n\\touch x", "(ls -la) ; ('t'ouch x)"),
            ("ls\n\\\ntouch x", "(ls) ; (touch x)"),
            ("x=1\n\\touch y", "(x=1) ; ('t'ouch y)"),
            ("test a ==\ntouch y", "(test a ==) ; (touch y)"),
            ("echo ==\ntouch y", "(echo ==) ; (touch y)"),
            ("a &\\\n& b", "(a) && (b)"),
            ("echo 'a\\\nb'", "(echo 'a\\\nb')"),
            ("echo \"a\\\nb\"", "(echo \"ab\")"),
            ("echo é ü", "(echo é ü)"),
            ("echo \\é", "(echo 'é')"),
            (
                "true | cat | cat\ntouch x && :",
                "(true) | (cat) | (cat) ; (touch x) && (:)",
            ),
            (
                "true | cat | cat # c\n\ntouch x || :",
                "(true) | (cat) | (cat) ; (touch x) || (:)",
            ),
            (
                "git log | grep x | head -30\ntouch x && cd .",
                "(git log) | (grep x) | (head -30) ; (touch x) && (cd .)",
            ),
            ("echo a]b }", "(echo a]b })"),
            ("echo if then fi", "(echo if then fi)"),
            ("x=1 if", "(x=1 if)"),
            ("'if' true", "('if' true)"),
            ("i\\\nf true; then a; fi", "if[(true)][(a)]"),
            ("! !a", "! (!a)"),
            ("a! b", "(a! b)"),
            ("echo !", "(echo !)"),
            ("echo -e a\\\\", "(echo -e a'\\')"),
        ],
    );
}

#[test]
fn expansions() {
    check(
        Shell::Bash,
        &[
            (
                "echo $x ${y} $1 $10 $? $$ $! $# $@ $* $- $_",
                "(echo $x $y $1 $10 $? $$ $! $# $@ $* $- $_)",
            ),
            ("touch $sing\\\nlevar", "(touch $singlevar)"),
            ("cmd $x-y $x.z $x/w", "(cmd $x-y $x.z $x/w)"),
            ("echo $(ls)", "(echo $((ls)))"),
            ("echo $( ls ; pwd )", "(echo $((ls) ; (pwd)))"),
            ("echo $()", "(echo $())"),
            ("echo `ls`", "(echo $((ls)))"),
            ("echo `echo \\`pwd\\``", "(echo $((echo $((pwd)))))"),
            ("echo \"`echo \\\"hi\\\"`\"", "(echo \"$((echo \"hi\"))\")"),
            ("echo `echo '\\$x'`", "(echo $((echo '$x')))"),
            (
                "echo `echo hey # comment` there",
                "(echo $((echo hey)) there)",
            ),
            (
                "echo `echo foo`\n\necho ` touch x`",
                "(echo $((echo foo))) ; (echo $((touch x)))",
            ),
            ("echo \"$\\\n(touch x)\"", "(echo \"$((touch x))\")"),
            ("echo $\\\n(touch x)", "(echo $((touch x)))"),
            (
                "echo \"a $(echo \"b $(c)\") d\"",
                "(echo \"a $((echo \"b $((c))\")) d\")",
            ),
            (
                "echo $(case x in x) ls;; esac)",
                "(echo $(case x[x: (ls)]))",
            ),
            ("echo $(echo ')' # )\n)", "(echo $((echo ')')))"),
            ("echo $((1 + 2))", "(echo $((1 + 2)))"),
            ("echo $((a[$(ls)]))", "(echo $((a[$((ls))])))"),
            ("echo $(( (1+2) * (3) ))", "(echo $(( (1+2) * (3) )))"),
            ("echo $((ls); pwd)", "(echo $(sub[(ls)] ; (pwd)))"),
            ("echo $( (ls) )", "(echo $(sub[(ls)]))"),
            ("echo $(( 1 + 2 ) )", "(echo $(sub[(1 + 2)]))"),
            (
                "echo $(( echo a ) ; ( echo b ))",
                "(echo $(sub[(echo a)] ; sub[(echo b)]))",
            ),
            ("echo $[1+2]", "(echo $((1+2)))"),
            ("echo $[a[1]]", "(echo $((a[1])))"),
            ("echo $(($x + ${y}))", "(echo $(($x + $y)))"),
            ("echo $(('$(ls)'))", "(echo $(('$((ls))')))"),
            ("diff <(a) <(b -c)", "(diff <((a)) <((b -c)))"),
            ("tee >(cat)x", "(tee >((cat))x)"),
            ("echo a<(b)", "(echo a<((b)))"),
            ("cat < <(ls)", "(cat <<((ls)))"),
            ("echo \"<(ls)\"", "(echo \"<(ls)\")"),
            ("echo ${x:-`touch y`}", "(echo {x:-$((touch y))})"),
            ("echo ${x:-a`touch y`}", "(echo {x:-a$((touch y))})"),
            (
                "echo \"${x:-a `touch y` b}\"",
                "(echo \"{x:-'a '$((touch y))' b'}\")",
            ),
            ("echo ${x:-a <(touch y)}", "(echo {x:-a <((touch y))})"),
            (
                "foo=a; echo ${foo:+--arg <(touch y)}",
                "(foo=a) ; (echo {foo:+--arg <((touch y))})",
            ),
            ("echo \"${x:-<(ls)}\"", "(echo \"{x:-'<(ls)'}\")"),
            ("echo ${H#$(touch y)}", "(echo {H # $((touch y))})"),
            ("echo ${H##`touch y`}", "(echo {H ## $((touch y))})"),
            ("echo ${H%b$(touch y)}", "(echo {H % b$((touch y))})"),
            ("echo ${H^^$(touch y)}", "(echo {H ^^ $((touch y))})"),
            (
                "echo \"${H#[$(touch y)]}\"",
                "(echo \"{H # [$((touch y))]}\")",
            ),
            ("echo ${0/`touch y`/}", "(echo {0 / $((touch y))/})"),
            ("echo ${x?`touch y`}", "(echo {x?$((touch y))})"),
            ("echo ${x+\"$(touch y)\"}", "(echo {x+\"$((touch y))\"})"),
            (": ${A:=qwer-zxcv}", "(: {A:=qwer-zxcv})"),
            (
                "echo ${FOO: 0 : 1 ? 2 : 3}",
                "(echo {FOO :  0 : 1 ? 2 : 3})",
            ),
            (
                "echo ${#x} ${#} ${##} ${#a[@]}",
                "(echo {#x} $# {##} {#a[@]})",
            ),
            ("echo ${#:-x} ${#%y}", "(echo {#:-x} {# % y})"),
            (
                "echo ${!x} ${!x*} ${!a[@]} ${!}",
                "(echo {!x} {!x} {!a[@]} $!)",
            ),
            ("echo ${!x:-$(ls)}", "(echo {x opaque :-$((ls))})"),
            (
                "echo ${a[1]} ${a[@]:1:2} ${a[$(ls)]}",
                "(echo $a[1] {a[@] : 1:2} $a[$((ls))])",
            ),
            ("echo ${x@P} ${x@Q}", "(echo {x@P} {x@Q})"),
            (
                "echo ${x//a/b} ${x/#a} ${x/%a/b}",
                "(echo {x // a/b} {x /# a} {x /% a/b})",
            ),
            ("echo ${x:-a b;c|d}", "(echo {x:-a b;c|d})"),
            ("echo ${x:-{}}", "(echo {x:-{}})"),
            (
                "echo ${x:-'}'} \"${x:-\\}}\"",
                "(echo {x:-'}'} \"{x:-'}'}\")",
            ),
            ("echo \"${x:-'$(ls)'}\"", "(echo \"{x:-'''$((ls))'''}\")"),
            ("echo \"${x#'$(ls)'}\"", "(echo \"{x # '$(ls)'}\")"),
            ("echo \"${x:-\"a b\"}\"", "(echo \"{x:-\"a b\"}\")"),
            ("echo ${x:-${y:-$(ls)}}", "(echo {x:-{y:-$((ls))}})"),
            ("echo ${x a}", "(echo {x opaque  a})"),
            ("echo \"${\n  echo foo\n}\"", "(echo \"$((echo foo))\")"),
            ("echo ${ ls; }", "(echo $((ls)))"),
        ],
    );
}

#[test]
fn assignments() {
    check(
        Shell::Bash,
        &[
            ("a+=1 a[0]=2 a[i+1]+=3", "(a+=1 a[0]=2 a[i+1]+=3)"),
            ("a=(b c) d", "(a=[b c] d)"),
            ("a=(\n b # c\n d\n)", "(a=[b d])"),
            ("a=([0]=x [k]=y)", "(a=[['0']=x ['k']=y])"),
            ("a=($(ls) \"$x\")", "(a=[$((ls)) \"$x\"])"),
            ("a[$(ls)]=1", "(a[$((ls))]=1)"),
            ("a[1 + 2]=3 b", "(a[1 + 2]=3 b)"),
            ("x=(a )#c; touch y", "(x=[a]#c) ; (touch y)"),
            ("declare -a x=(1 2) y", "(declare -a x=[1 2] y)"),
            ("export a=b", "(export a=b)"),
            ("x=~/y", "(x=~/y)"),
            ("x='a b' y=\"$z\"", "(x='a b' y=\"$z\")"),
            ("1x=2", "(1x=2)"),
            ("x\\=1", "(x'='1)"),
            ("\"x\"=1", "(\"x\"=1)"),
            ("a\\\nb=c", "(ab=c)"),
            ("a[1]", "(a[1])"),
            ("x=a=b", "(x=a=b)"),
            ("cmd x=1", "(cmd x=1)"),
            (">f x=1 c", "(x=1 c >f)"),
            ("x=$(a)", "(x=$((a)))"),
            ("x=<(a)", "(x=<((a)))"),
            ("a=(x)y=(z)", "! `(` cannot stand here"),
        ],
    );
}

#[test]
fn redirects() {
    check(
        Shell::Bash,
        &[
            ("a >f <g >>h", "(a >f <g >>h)"),
            ("a 2>&1 >&2 2>&- <&-", "(a 2>&1 >&2 2>&- <&-)"),
            ("a &>f &>>g >|h <>i", "(a &>f &>>g >|h <>i)"),
            ("a&>f", "(a &>f)"),
            ("a 2 >f", "(a 2 >f)"),
            ("a2>f", "(a2 >f)"),
            ("a {fd}>f {x}<&-", "(a {fd}>f {x}<&-)"),
            ("a 1>&2b", "(a 1>&2b)"),
            ("a >&-b", "(a b >&-)"),
            ("a 1>&2-", "(a 1>&2-)"),
            ("a > f b", "(a b >f)"),
            (
                "find . 2>/dev/null -fprint x",
                "(find . -fprint x 2>/dev/null)",
            ),
            (">&echo touch x", "(touch x >&echo)"),
            ("echo x >&'$(touch y)'", "(echo x >&'$(touch y)')"),
            ("cat <<<x", "(cat <<<x)"),
            ("cat <<<$\ntouch x", "(cat <<<$) ; (touch x)"),
            ("cat > x <<< 'x'", "(cat >x <<<'x')"),
            ("a >$x >\"$(b)\"", "(a >$x >\"$((b))\")"),
            ("2>&1 a", "(a 2>&1)"),
            ("a >\\\nf", "(a >f)"),
            ("a 99999999999>f", "(a 99999999999 >f)"),
            ("ls /x | cat > y", "(ls /x) | (cat >y)"),
            ("{ a; } >f 2>&1", "group[(a)] >f 2>&1"),
            ("(a) <f", "sub[(a)] <f"),
            (">f", "( >f)"),
        ],
    );
}

#[test]
fn here_documents() {
    check(
        Shell::Bash,
        &[
            ("cat <<E\nhi\nE", "(cat <<E«'hi\n'»)"),
            ("cat <<E\nE\nls", "(cat <<E«») ; (ls)"),
            // bash 5.2 ends a body at `E)` inside a substitution (with a warning), and nowhere else.
            ("x $(cat <<E\nhi\nE)", "(x $((cat <<E«'hi\n'»)))"),
            (
                "x \"$(cat <<'E'\n$(y)\nE)\"",
                "(x \"$((cat <<'E'«'$(y)\n'»))\")",
            ),
            ("x <(cat <<-E\n\thi\n\tE)", "(x <((cat <<-E«'hi\n'»)))"),
            ("x $( (cat <<E\nhi\nE) )", "(x $(sub[(cat <<E«'hi\n'»)]))"),
            ("(cat <<E\nhi\nE)\nE\n)", "sub[(cat <<E«'hi\nE)\n'»)]"),
            (
                "cat <<E\n$x $(ls) `pwd` \\$y \"q\"\nE\n",
                "(cat <<E«$x' '$((ls))' '$((pwd))' $y \"q\"\n'»)",
            ),
            ("cat <<'E'\n$x $(ls)\nE\n", "(cat <<'E'«'$x $(ls)\n'»)"),
            ("cat <<\\E\n$x\nE\n", "(cat <<'E'«'$x\n'»)"),
            ("cat <<\"E\"\n$x\nE\n", "(cat <<\"E\"«'$x\n'»)"),
            (
                "cat <<$'EOF'\nhi\nEOF\ntouch x",
                "(cat <<'EOF'«'hi\n'») ; (touch x)",
            ),
            (
                "cat <<''\nhello\n\ntouch x",
                "(cat <<''«'hello\n'») ; (touch x)",
            ),
            ("cat <<-E\n\thi\n\t\tE\nls", "(cat <<-E«'hi\n'») ; (ls)"),
            ("cat <<E\n$\\\n(touch x)\nE", "(cat <<E«$((touch x))'\n'»)"),
            (
                "cat <<E\na\n`touch x`\nb\nE",
                "(cat <<E«'a\n'$((touch x))'\nb\n'»)",
            ),
            (
                "cat <<EOF\nhi\nEO\\\nF\ntouch x",
                "(cat <<EOF«'hi\n'») ; (touch x)",
            ),
            ("cat <<'E'\nE\\\nE\nls", "(cat <<'E'«'E\\\n'») ; (ls)"),
            (
                "cat <<EOF\nhi\nEOF \ntouch x\nEOF",
                "(cat <<EOF«'hi\nEOF \ntouch x\n'»)",
            ),
            (
                "cat <<X\nhi\nX;echo '\nX\ntouch y\n: #'",
                "(cat <<X«'hi\nX;echo '\n'») ; (touch y) ; (:)",
            ),
            (
                "cat <<X\nhi\n\tX\necho '\nX\ntouch y\n: #'",
                "(cat <<X«'hi\n\tX\necho '\n'») ; (touch y) ; (:)",
            ),
            (
                "cat <<-X\nhi\n X\necho '\nX\ntouch y\n: #'",
                "(cat <<-X«'hi\n X\necho '\n'») ; (touch y) ; (:)",
            ),
            (
                "cat <<'X'\nX \necho '\nX\ntouch y\n: #'",
                "(cat <<'X'«'X \necho '\n'») ; (touch y) ; (:)",
            ),
            (
                "cat <<'EOF'; echo done\nhello\nEOF",
                "(cat <<'EOF'«'hello\n'») ; (echo done)",
            ),
            (
                "git add -A . && git commit -F - <<'MSG' 2>&1 | touch x\nmsg\nMSG",
                "(git add -A .) && (git commit -F - <<'MSG'«'msg\n'» 2>&1) | (touch x)",
            ),
            (
                "cat <<'EOF' > f | tail -5\nhello\nEOF",
                "(cat <<'EOF'«'hello\n'» >f) | (tail -5)",
            ),
            ("cat <<A <<B\na\nA\nb\nB", "(cat <<A«'a\n'» <<B«'b\n'»)"),
            (
                "cat <<A && cat <<B\na\nA\nb\nB\ntouch x",
                "(cat <<A«'a\n'») && (cat <<B«'b\n'») ; (touch x)",
            ),
            ("<< 'EOF' > s.ts\nhi\nEOF", "( <<'EOF'«'hi\n'» >s.ts)"),
            (
                "cat <<A>f\nx\nA\ntouch y",
                "(cat <<A«'x\n'» >f) ; (touch y)",
            ),
            (
                "for i in a; do cat <<A; done\nx\nA\ntouch y",
                "for i[a][(cat <<A«'x\n'»)] ; (touch y)",
            ),
            ("sort -o x - <<E\nx\nE", "(sort -o x - <<E«'x\n'»)"),
            (
                "echo $(cat <<E\nhi $(ls)\nE\n) z",
                "(echo $((cat <<E«'hi '$((ls))'\n'»)) z)",
            ),
            (
                "echo \"$(cat <<'E'\nit's \"q\" )\nE\n)\" z",
                "(echo \"$((cat <<'E'«'it's \"q\" )\n'»))\" z)",
            ),
            (
                "cat <<E; echo $(echo a\necho b)\nbody\nE",
                "(cat <<E«'body\n'») ; (echo $((echo a) ; (echo b)))",
            ),
            ("cat <<E \"a\nb\"\nbody\nE", "(cat \"a\nb\" <<E«'body\n'»)"),
            (
                "cat <<E $((1+\n2))\nbody\nE",
                "(cat $((1+\n2)) <<E«'body\n'»)",
            ),
            (
                "cat <<A $(cat <<B\nbb\nB\n)\naa\nA\nls",
                "(cat $((cat <<B«'bb\n'»)) <<A«'aa\n'») ; (ls)",
            ),
            (
                "cat <<E | while read x; do\nhi\nE\necho $x; done",
                "(cat <<E«'hi\n'») | while[(read x)][(echo $x)]",
            ),
            ("(cat <<E\nhi\nE\n)", "sub[(cat <<E«'hi\n'»)]"),
            ("cat <<E # c\nhi\nE", "(cat <<E«'hi\n'»)"),
            ("cat <<E-F\nhi\nE-F", "(cat <<E-F«'hi\n'»)"),
            (
                "cat <<E\n${x:-$(ls)} ${y:-'$(pwd)'}\nE",
                "(cat <<E«{x:-$((ls))}' '{y:-'''$((pwd))'''}'\n'»)",
            ),
            ("cat <<E\n\\\\$x \\n\nE", "(cat <<E«'\\'$x' \\n\n'»)"),
        ],
    );
}

#[test]
fn compound_commands() {
    check(
        Shell::Bash,
        &[
            ("(a; b)", "sub[(a) ; (b)]"),
            ("{ a; b; }", "group[(a) ; (b)]"),
            ("{ a\n}", "group[(a)]"),
            ("{ (a) }", "group[sub[(a)]]"),
            ("((a); b)", "sub[sub[(a)] ; (b)]"),
            ("((touch x); :)", "sub[sub[(touch x)] ; (:)]"),
            ("(( a ) ; ( b ))", "sub[sub[(a)] ; sub[(b)]]"),
            ("((x = 1))", "((x = 1))"),
            ("((a[$(ls)]++)) && b", "((a[$((ls))]++)) && (b)"),
            ("( (a) )", "sub[sub[(a)]]"),
            ("if a; then b; fi", "if[(a)][(b)]"),
            (
                "if a; b; then c; elif d; then e; else f; fi > g",
                "if[(a) ; (b)][(c)][(d)][(e)]else[(f)] >g",
            ),
            ("if (a) then (b) fi", "if[sub[(a)]][sub[(b)]]"),
            ("while a; do b; done", "while[(a)][(b)]"),
            ("until a\ndo b\ndone", "until[(a)][(b)]"),
            ("for i in a b; do c; done", "for i[a b][(c)]"),
            ("for i; do c; done", "for i[@][(c)]"),
            ("for i do c; done", "for i[@][(c)]"),
            ("for i\nin a; do touch x; done", "for i[a][(touch x)]"),
            ("for i in; do c; done", "for i[][(c)]"),
            ("for i in a; { b; }", "for i[a][(b)]"),
            ("for in in in; do c; done", "for in[in][(c)]"),
            ("for i in do; do c; done", "for i[do][(c)]"),
            (
                "for ((i=0; i<3; i++)); do a; done",
                "for((i=0; i<3; i++))[(a)]",
            ),
            ("for ((;;)) { a; }", "for((;;))[(a)]"),
            ("select x in a b; do c; done", "select x[a b][(c)]"),
            ("case x in a) b;; esac", "case x[a: (b)]"),
            (
                "case x in -a) :;; x) touch y;; esac",
                "case x[-a: (:)][x: (touch y)]",
            ),
            (
                "case $x in a|b) c;; (d) e ;& *) f ;;& esac",
                "case $x[a b: (c)][d: (e)][*: (f)]",
            ),
            (
                "case x\nin\na)\nb\n;;\nc) d\nesac",
                "case x[a: (b)][c: (d)]",
            ),
            ("case x in esac", "case x"),
            ("case x in a) ;; b) esac", "case x[a: ][b: ]"),
            (
                "case esac in (esac) echo 3;; esac",
                "case esac[esac: (echo 3)]",
            ),
            ("case in in in) echo 2; esac", "case in[in: (echo 2)]"),
            ("case x in $(ls)) a;; esac", "case x[$((ls)): (a)]"),
            (
                "case x in a) if b; then c; fi;; esac; d",
                "case x[a: if[(b)][(c)]] ; (d)",
            ),
            ("f() { a; }", "fn f group[(a)]"),
            ("f ( ) ( a )", "fn f sub[(a)]"),
            ("function f { a; }; b", "fn f group[(a)] ; (b)"),
            ("function f() { a; }", "fn f group[(a)]"),
            ("function f-g (a)", "fn f-g sub[(a)]"),
            ("f()\n\nif a; then b; fi", "fn f if[(a)][(b)]"),
            ("f() { a; } >x", "fn f group[(a)] >x"),
            ("! a", "! (a)"),
            ("! ! touch x", "! ! (touch x)"),
            ("!", "! "),
            ("time", "time "),
            ("time a", "time (a)"),
            ("time -p touch x | cat", "time (touch x) | (cat)"),
            ("time -p -- a", "time (a)"),
            ("time -- a", "time (a)"),
            ("time -v a", "time (-v a)"),
            ("time ! a", "! time (a)"),
            ("time { a; }", "time group[(a)]"),
            ("a | time b", "(a) | (time b)"),
            ("!(a)", "! sub[(a)]"),
            ("coproc { touch x; }", "coproc group[(touch x)]"),
            ("coproc N { a; }", "coproc group[(a)]"),
            ("coproc a b", "coproc (a b)"),
            ("coproc (a)", "coproc sub[(a)]"),
            (
                "a | while read x; do b; done | c",
                "(a) | while[(read x)][(b)] | (c)",
            ),
            ("a && { b; } || (c)", "(a) && group[(b)] || sub[(c)]"),
            ("{ a & }", "group[(a) &]"),
            ("if a; then b; fi | c", "if[(a)][(b)] | (c)"),
            (
                "while a; do if b; then c; fi done",
                "while[(a)][if[(b)][(c)]]",
            ),
            ("}x", "(}x)"),
            ("{a; b", "({a) ; (b)"),
        ],
    );
}

#[test]
fn conditions() {
    check(
        Shell::Bash,
        &[
            ("[[ -f x ]]", "[[<-f> x]]"),
            ("[[ a == b ]] && c", "[[a <==> b]] && (c)"),
            (
                "[[ ! -f x && ( a < b || c > d ) ]]",
                "[[<!> <-f> x <&&> <(> a <<> b <||> c <>> d <)>]]",
            ),
            ("[[ a =~ (`touch x`) ]]", "[[a <=~> ($((touch x)))]]"),
            ("[[ a =~ ^(a|b c)+$ ]]", "[[a <=~> ^(a|b c)+$]]"),
            ("[[ a =~ a|b ]]", "[[a <=~> a|b]]"),
            ("[[ $x =~ ^[0-9]+$ ]]", "[[$x <=~> ^[0-9]+$]]"),
            ("[[ a = <(touch x) ]]", "[[a <=> <((touch x))]]"),
            (
                "[[ README.md == *.@(md|mkd) ]] && touch x",
                "[[README.md <==> *.glob<@(md|mkd)>]] && (touch x)",
            ),
            ("[[ x ]]", "[[x]]"),
            ("[[ -n $x\n]]", "[[<-n> $x]]"),
            ("[[\n-n $x &&\n\n-z y ]]", "[[<-n> $x <&&> <-z> y]]"),
            ("[[ -v a[$(ls)] ]]", "[[<-v> a[$((ls))]]]"),
            ("[[ $x -eq 1 ]]", "[[$x <-eq> 1]]"),
            ("[[ -f == ]]", "[[<-f> ==]]"),
            ("[[ -f = && ! -n 1 ]]", "[[<-f> = <&&> <!> <-n> 1]]"),
            ("[[ !(-f x) ]]", "[[<!> <(> <-f> x <)>]]"),
            ("[[ \"$x\" == \"]]\" ]]", "[[\"$x\" <==> \"]]\"]]"),
            ("if [[ a ]] then b; fi", "if[[[a]]][(b)]"),
            ("[ a = b ]", "([ a = b ])"),
            ("[[a ]]", "([[a ]])"),
        ],
    );
}

#[test]
fn patterns_with_parentheses() {
    check(
        Shell::Bash,
        &[
            (
                "shopt -s extglob\nls !(*.conf|*.orig)",
                "(shopt -s extglob) ; (ls glob<!(*.conf|*.orig)>)",
            ),
            ("ls *.@(a|$(b)) c", "(ls *.glob<@(a|$((b)))> c)"),
            ("ls ?(a b)x", "(ls glob<?(a b)>x)"),
            ("case x in +(a|b)) c;; esac", "case x[glob<+(a|b)>: (c)]"),
            ("ls @(a|@(b|c))", "(ls glob<@(a|@(b|c))>)"),
        ],
    );
}
