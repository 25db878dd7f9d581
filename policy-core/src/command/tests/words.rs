//! Words: quoting, braces, tilde, parameters, globs, splitting, substitutions.

use super::*;

#[test]
fn quotes_are_removed() {
    check(&[
        ("ls", "ls"),
        ("'l's -\"l\"a", "ls -la"),
        (r"\ls a\ b", "ls 'a b'"),
        ("$'\\x73ort' -oX", "sort -oX"),
        ("echo \"a b\" ''", "echo 'a b' ''"),
        ("sort --out'put'=X f", "sort --output=X f"),
        ("echo 'a'\"b\"c", "echo abc"),
        ("echo '*' \"{a,b}\" '~'", "echo * {a,b} ~"),
    ]);
}

#[test]
fn braces_make_words() {
    check(&[
        (
            "cat /etc/{hostname,passwd}",
            "cat /etc/hostname /etc/passwd",
        ),
        ("echo {1..3}", "echo 1 2 3"),
        ("echo a{b,c}{d,e}", "echo abd abe acd ace"),
        ("echo {} {a} {a,b", "echo {} {a} {a,b"),
        ("sort {-o,x}", "sort -o x"),
        ("echo x{1..100}", "echo x*…"),
        ("echo {\"a,b\",c}", "echo a,b c"),
        (
            "echo $HOME{a,b} {$x,b}y ${HOME}{a,b}",
            "echo *… *… *… by /home/ua /home/ub",
        ),
        ("echo {a,$}HOME", "echo aHOME $HOME !Opaque"),
        ("echo $x{1..2}", "echo *… *…"),
        ("echo {$HOME,b}", "echo /home/u b"),
        ("echo \"$x\"{a,b}", "echo ? ?"),
        ("x={a,b}; echo $x", "x={a,b} ; echo {a,b}"),
        ("echo {a,b}$(ls)", "echo *… *… ; $() ls"),
    ]);
    check_in(
        Shell::Sh,
        &[("echo x{a,b}", "echo x*…"), ("echo {}", "echo {}")],
    );
}

#[test]
fn a_text_makes_only_so_many_words() {
    use crate::{
        command::model::HazardKind,
        limits::{MAX_BRACE_WORDS, MAX_MADE_WORDS},
    };
    let told = |text: &str| {
        let program = program(text, Shell::Bash);
        let first = program.hazards.first().map(|hazard| hazard.kind);
        let last = program.invocations.last().and_then(|it| it.argv.last());
        (first, last.map(|arg| arg.value.clone()))
    };
    let full = MAX_MADE_WORDS / MAX_BRACE_WORDS;
    let (few, many) = (full * 3 / 4, full * 3 / 2);
    let made = |count: usize, word: &str| told(&alloc::format!("echo{}", word.repeat(count)));
    let too_many = (Some(HazardKind::TooMany), Some(Value::Many(String::new())));
    let last = Some(Value::Exact("64".into()));
    assert_eq!(made(few, " {1..64}"), (None, last));
    assert_eq!(made(many, " {1..64}"), too_many);
    // Braces that make more than is followed cost as much, and so do many words in one variable, and one of many.
    assert_eq!(made(few, " {1..65}").0, None);
    assert_eq!(made(many, " {1..65}"), too_many);
    let split = |count: usize| alloc::format!("a='{}'; ls{}", "x ".repeat(50), " $a".repeat(count));
    assert_eq!(told(&split(20)).0, None);
    assert_eq!(told(&split(60)), too_many);
    let each =
        |count: usize| alloc::format!("for i in {{1..20}}; do ls{}; done", " $i".repeat(count));
    assert_eq!(told(&each(50)).0, None);
    assert_eq!(told(&each(150)), too_many);
    // Words of the text itself are not counted.
    assert_eq!(told(&alloc::format!("ls{}", " a *".repeat(1_200))).0, None);
}

// Expected words as bash 5.2.15 makes them with HOME=/home/u; `*…` where what it makes is not claimed.
#[test]
fn tilde_prefixes_end_where_bash_ends_them() {
    check(&[
        ("ls ~=~ ~:~ ~root:~", "ls *… /home/u:~ /root:~"),
        ("ls ~=x ~==~ ~a=~", "ls ~=x ~==~ *…"),
        ("ls a:~ --x=~ a-b=~ 1=~ =~", "ls a:~ --x=~ a-b=~ 1=~ =~"),
        (
            "ls a=~ a+=~ a[1]=~ a=~:~",
            "ls a=/home/u a+=/home/u a*… a=/home/u:/home/u",
        ),
        ("ls a=b=~ a=x~ a=\"\"~", "ls a=b=~ a=x~ a=~"),
        ("ls a=~=~ a=:~b=~", "ls *… *…"),
        ("ls ~:$x/b ~:*", "ls *… *…"),
        ("ls ~\\:x ~:\"a\" ~\"u\"", "ls ~:x ~:a ~u"),
        ("ls {a=~,b} a={~,b} {a,~}=~", "ls a=~ b a=~ a=b a=~ *…"),
        ("ls ~* ~[ab] ~/*.x", "ls ~*… ~*… /home/u/*…"),
        ("x=~=~; ls $x", "x=~=~ ; ls ~=~"),
        ("x=b=~; ls $x", "x=b=~ ; ls b=~"),
        ("export LANG=~=~", "export LANG=~=~"),
        ("ls ~+x ~-1x ~1", "ls /~+x|~+x /~-1x|~-1x ?"),
    ]);
}

// bash 5.2.15: one word `a b$`.
#[test]
fn a_lone_dollar_keeps_words_together() {
    check(&[
        ("x='a b'; ls $x$", "x='a b' ; ls *…"),
        ("x='a b'; ls $x", "x='a b' ; ls a b"),
        ("ls a$ $", "ls a$ $"),
    ]);
}

// bash 5.2.15 runs `echo a echo b` in these.
#[test]
fn commands_behind_a_here_document_run_together() {
    check(&[
        (
            "x \"$(cat <<E\nb\nE\necho a; echo b)\"",
            "x ? ; $() cat ; $() echo a ; $() echo b !Opaque",
        ),
        (
            "x <(cat <<E; echo a; echo b\nb\nE\n)",
            "x /… ; $() cat ; $() echo a ; $() echo b !Opaque",
        ),
        (
            "x $(echo a; cat <<E\nb\nE\n)",
            "x *… ; $() echo a ; $() cat",
        ),
        (
            "x $(cat <<E && echo a\nb\nE\n)",
            "x *… ; $() cat ; $() echo a",
        ),
        (
            "x \"$(y \"$(cat <<E\nb\nE\n)\"; echo b; echo c)\"",
            "x ? ; $() y ? ; $() cat ; $() echo b ; $() echo c",
        ),
        (
            "x `cat <<E\nb\nE\necho a; echo b`",
            "x *… ; $() cat ; $() echo a ; $() echo b",
        ),
    ]);
}

// `$$` is the shell's number, and what follows is text: bash 5.2.15.
#[test]
fn braces_after_the_process_number() {
    check(&[
        ("echo $${a,b}", "echo *…"),
        ("echo {x${y:-{a}b,c}", "echo *…"),
        ("echo $$ {a,b}", "echo # a b"),
        ("echo \"$${x}\"", "echo ?"),
        // ` {},x}` is one word, `a{},x}` two: `a}` and `ax`.
        ("echo \\ {},x} a{},x}", "echo  *… a} ax"),
    ]);
}

#[test]
fn tilde_is_home() {
    check(&[
        ("ls ~", "ls /home/u"),
        ("ls ~/x", "ls /home/u/x"),
        ("ls a~ '~'/x \\~", "ls a~ ~/x ~"),
        ("ls ~\"/x\"", "ls ~/x"),
        ("ls ~root/.ssh", "ls /root/.ssh"),
        ("ls ~bob/.ssh", "ls /~bob/.ssh|~bob/.ssh"),
        ("ls ~# ~$x", "ls ~# *…"),
        ("x=~/a; ls $x", "x=/home/u/a ; ls /home/u/a"),
        ("x=a:~/b; ls $x", "x=a:/home/u/b ; ls a:/home/u/b"),
        ("echo a=~/b", "echo a=/home/u/b"),
        ("echo --a=~/b", "echo --a=~/b"),
        ("ls ~+/x", "ls /w/app/x"),
    ]);
}

#[test]
fn globs_are_any_words_with_a_beginning() {
    check(&[
        ("sort *", "sort *…"),
        ("sort ./*", "sort ./*…"),
        ("wc src/*.rs", "wc src/*…"),
        ("ls a[bc]d", "ls a*…"),
        ("[ -f x ]", "[ -f x ]"),
        ("ls a?c '?'", "ls a*… ?"),
        ("echo 'a b'*", "echo a b*…"),
    ]);
}

#[test]
fn parameters() {
    check(&[
        ("echo $x", "echo *…"),
        ("echo \"$x\"", "echo ?"),
        ("echo a\"$x\"b", "echo a…"),
        ("echo a$x", "echo *…"),
        ("echo \"$HOME\" $PWD", "echo /home/u /w/app"),
        ("echo $? \"$#\" $$", "echo # # #"),
        ("echo code$?", "echo code…"),
        ("echo ${#x}", "echo #"),
        ("echo \"$@\" \"$*\"", "echo *… ?"),
        ("echo \"${a[@]}\" \"${a[0]}\"", "echo *… ?"),
        ("x=1; echo $x \"$x\"a", "x=1 ; echo 1 1a"),
        ("x='a b'; echo $x \"$x\"", "x='a b' ; echo a b 'a b'"),
        ("x=; echo $x \"$x\"", "x='' ; echo ''"),
        ("x='a*'; echo $x", "x=a* ; echo a*…"),
        ("x=; ${x}ls", "x='' ; ls"),
        (
            "V='-exec touch P ;'; find . $V",
            "V='-exec touch P ;' ; find . -exec touch P ; ; -> touch P",
        ),
        ("x=$(ls); echo \"$x\"", "x=? ; $() ls ; echo ?"),
        ("echo ${x:-y} \"${x:-y}\"", "echo *… ?"),
        ("x=a; echo ${x:-$(ls)}", "x=a ; echo a ; $() ls"),
        ("echo \"${HOME#$(touch P)}\"", "echo ? ; $() touch P"),
        ("x=a; x+=b; echo $x", "x=a ; x=? ; echo ab"),
        ("sort${IFS}-o${IFS}P${IFS}f", "*… !DynamicCommand"),
    ]);
    check_in(
        Shell::Zsh,
        &[
            ("x='a b'; echo $x", "x='a b' ; echo 'a b'"),
            ("echo $x", "echo *…"),
        ],
    );
}

#[test]
fn substitutions_are_invocations() {
    check(&[
        ("echo $(touch P)", "echo *… ; $() touch P"),
        ("echo `touch P`", "echo *… ; $() touch P"),
        (
            "echo \"$(git log \"$(ls)\")\"",
            "echo ? ; $() git log ? ; $() ls",
        ),
        ("cat <(touch P)", "cat /… ; $() touch P"),
        ("ls > >(touch P)", "ls ; $() touch P"),
        (
            "X=`touch${IFS}P` npm -v",
            "X=? npm -v ; $() *… !DynamicCommand",
        ),
        ("echo $(( $(ls) + 1 ))", "echo ? ; $() ls !ArithmeticEval"),
        ("cat <<EOF\n$(touch P)\nEOF", "cat ; $() touch P"),
        ("cat <<'EOF'\n$(touch P)\nEOF", "cat"),
        ("cat <<< \"$(touch P)\"", "cat ; $() touch P"),
        ("a=(x $(touch P))", "a=? ; $() touch P"),
        ("case $(ls) in $(pwd)) ;; esac", "$() ls ; $() pwd"),
        ("[[ -n $(ls) ]]", "$() ls"),
        ("echo ${x:=$(ls)}", "echo *… ; $() ls"),
        (
            "git commit -m \"$(cat <<'EOF'\nit's done\nEOF\n)\"",
            "git commit -m 'it's done' ; $() cat",
        ),
        ("cd $(pwd)", "cd /w/app ; $() pwd"),
        ("x=$(<f)", "x=? ; <f"),
        ("cat ./\"$(ls)\"", "cat ./… ; $() ls"),
    ]);
}

#[test]
fn arithmetic_evaluates_values() {
    check(&[
        ("echo $((1+1))", "echo 2"),
        ("echo $(( $((1+1)) ))", "echo 2"),
        ("echo $((2*(3-5)))", "echo -4"),
        (
            "x='a[$(touch P)]'; echo $((x))",
            "x='a[$(touch P)]' ; echo ? !ArithmeticEval",
        ),
        ("echo $((x))", "echo ? !ArithmeticEval"),
        ("x=3; echo $((x+1)) $(($x*2))", "x=3 ; echo 4 6"),
        ("i=0; ((i++)); echo $i", "i=0 ; echo ?"),
        ("show $x $((x=4))", "show *… ?"),
        ("((i=0)); echo $((i+1))", "echo ?"),
        ("echo $((a[1]))", "echo ? !ArithmeticEval"),
        (
            "x='a[$(touch P)]'; echo ${HOME:x}",
            "x='a[$(touch P)]' ; echo *… !ArithmeticEval",
        ),
        ("echo ${HOME:1:3}", "echo *…"),
        ("echo $[$(ls)+1]", "echo ? ; $() ls !ArithmeticEval"),
        ("for ((i=0;i<3;i++)); do echo $i; done", "{} echo ?"),
        (
            "n=$(ls | wc -l); echo $((n+1))",
            "n=? ; $() ls ; $() wc -l ; echo ?",
        ),
        (
            "let 'a[$(touch P)]=1'",
            "let 'a[$(touch P)]=1' !ArithmeticEval",
        ),
        ("let x=1", "let x=1"),
        (
            "declare -i y='a[$(touch P)]'",
            "declare -i 'y=a[$(touch P)]' !ArithmeticEval",
        ),
        ("a[$(ls)]=1", "a=? ; $() ls !ArithmeticEval"),
        ("a[0]=1", "a=?"),
        ("echo ${a[i]}", "echo *… !ArithmeticEval"),
        (
            "declare -A m; m[k]=1; echo ${m[k]}",
            "declare -A m ; m=? ; echo *…",
        ),
    ]);
}

#[test]
fn substitutions_in_braces_do_not_multiply() {
    let mut text = String::from("x");
    for _ in 0..30 {
        text = format!("$(echo {{a,b}}{text})");
    }
    let program = super::program(&text, Shell::Bash);
    assert!(program.invocations.len() <= 31);
}
