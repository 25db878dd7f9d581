//! Scripts in strings and code from elsewhere; structure, sites, connectors; zsh.

use super::*;

#[test]
fn scripts_in_strings() {
    check(&[
        ("bash -c 'touch P'", "bash -c 'touch P' ; '' touch P"),
        (
            "bash -lc 'cd sub && ls'",
            "bash -lc 'cd sub && ls' ; '' cd sub ; '' [sub] ls",
        ),
        ("sh -ec 'ls; rm x'", "sh -ec 'ls; rm x' ; '' ls ; '' rm x"),
        ("bash -c \"rm $x\"", "bash -c rm … ; '' rm !EvalUnknown"),
        (
            "bash -c 'echo \"$1\"' _ foo",
            "bash -c 'echo \"$1\"' _ foo ; '' echo foo",
        ),
        ("bash -c '$0 x' rm", "bash -c '$0 x' rm ; '' rm x"),
        (
            "x=rm; bash -c '$x y'",
            "x=rm ; bash -c '$x y' ; '' *… y !DynamicCommand",
        ),
        ("HOME=/x bash -c 'ls ~'", "HOME=/x bash -c 'ls ~' ; '' ls ?"),
        (
            "env -i bash -c 'ls $HOME'",
            "env -i bash -c 'ls $HOME' ; -> bash -c 'ls $HOME' ; '' ls *…",
        ),
        ("x=a; x=b eval 'ls $x'", "x=a ; x=b eval 'ls $x' ; '' ls *…"),
        (
            "x=1; x='a[$(touch P)]' let y=x",
            "x=1 ; x='a[$(touch P)]' let y=x !ArithmeticEval",
        ),
        ("eval 'touch P'", "eval 'touch P' ; '' touch P"),
        ("eval touch P", "eval touch P ; '' touch P"),
        ("eval \"$x\"", "eval ? !EvalUnknown"),
        ("source f", "source f !EvalUnknown"),
        (". ./f", ". ./f !EvalUnknown"),
        (
            "bash -c 'bash -c \"rm x\"'",
            "bash -c 'bash -c \"rm x\"' ; '' bash -c 'rm x' ; '' rm x",
        ),
        ("bash script.sh", "bash script.sh"),
        ("printf x | sh", "printf x ; sh !EvalUnknown"),
        ("curl u | bash -s", "curl u ; bash -s !EvalUnknown"),
        (
            "sh <(echo touch P)",
            "sh /… ; $() echo touch P !EvalUnknown",
        ),
        ("bash <<'EOF'\nrm x\nEOF", "bash ; '' rm x"),
        ("bash <<EOF\nrm $x\nEOF", "bash !EvalUnknown"),
        ("bash <<< 'rm x'", "bash ; '' rm x"),
        ("cat <<'EOF' | sh\ntouch P\nEOF", "cat ; sh !EvalUnknown"),
        ("bash < f", "bash <f !EvalUnknown"),
        ("bash -c 'if'", "bash -c if !EvalUnknown"),
        (
            "timeout 5 bash -c 'rm x'",
            "timeout 5 bash -c 'rm x' ; -> bash -c 'rm x' ; '' rm x",
        ),
        (
            "bash --rcfile x -c ls",
            "bash --rcfile x -c ls ; '' ls !EvalUnknown",
        ),
    ]);
}

#[test]
fn every_branch_is_there() {
    check(&[
        ("a && b || c; d", "a ; b ; c ; d"),
        ("a | b |& c", "a ; b ; c"),
        ("! a", "a"),
        ("time a", "a"),
        ("(a; b)", "{} a ; {} b"),
        (
            "if a; then b; elif c; then d; else e; fi",
            "{} a ; {} b ; {} c ; {} d ; {} e",
        ),
        ("while a; do b; done", "{} a ; {} b"),
        ("until a; do b; done", "{} a ; {} b"),
        ("case x in a) b;; *) c;; esac", "{} b ; {} c"),
        ("select x in a; do b; done", "{} b"),
        ("a=tou;b=ch;$a$b P", "a=tou ; b=ch ; touch P"),
        ("${0/bash/touch} P", "*… P !DynamicCommand"),
        (
            "echo ${a=\"$\"}${b=\"$a(touch P)\"}${b@P}",
            "echo *… !ExpansionEval",
        ),
        ("echo ${!x}", "echo *… !ExpansionEval"),
        ("cat <<EOF && touch P\nhi\nEOF", "cat ; touch P"),
    ]);
}

#[test]
fn places_of_invocations() {
    let program = program("cat f | head && x=$(ls) &", Shell::Bash);
    let seen: Vec<_> = program
        .invocations
        .iter()
        .map(|it| {
            (
                it.text.as_str(),
                it.connector,
                it.stdin,
                it.stdout_terminal,
                it.parent,
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("cat f", Connector::Start, Stdin::Inherited, false, None),
            ("head", Connector::Pipe, Stdin::Pipe, true, None),
            ("x=$(ls)", Connector::And, Stdin::Inherited, true, None),
            ("ls", Connector::Start, Stdin::Inherited, false, Some(2)),
        ]
    );
}

#[test]
fn nested_texts_and_wrappers() {
    let program = program("timeout 5 nice ls -l > out", Shell::Bash);
    let last = program.invocations.last().map(|it| {
        (
            it.text.clone(),
            it.wrappers.join(" "),
            it.parent,
            it.stdout_terminal,
        )
    });
    assert_eq!(
        last,
        Some(("ls -l".into(), "timeout nice".into(), Some(1), false))
    );
}

#[test]
fn strict_lists_what_it_does_not_follow() {
    let unsupported = |text: &str| {
        (
            program(text, Shell::Bash).unsupported.join(" "),
            program(text, Shell::Bash).dynamic,
        )
    };
    for (text, slugs, dynamic) in [
        ("a && b | c; ! d", "", false),
        ("a 'b' \"c\" ~/x ~", "", false),
        ("a ~root", "", true),
        ("(a)", "subshell", false),
        ("{ a; }", "group", false),
        ("a &", "background", false),
        ("for i in 1; do a; done", "for", false),
        ("[[ -f x ]]", "cond", false),
        ("f() { a; }", "function group", false),
        ("a $x", "", true),
        ("a \"$x\"", "", true),
        ("a *", "", true),
        ("a {b,c}", "", true),
        ("a {}", "", false),
        ("a <<E\n$x\nE", "", true),
        ("a <<E\nx\nE", "", false),
        ("a > $x", "", true),
        ("x=$(b) a", "", true),
    ] {
        assert_eq!(unsupported(text), (slugs.into(), dynamic), "{text}");
    }
}

#[test]
fn limits_end_in_hazards() {
    let many = program(&"ls;".repeat(600), Shell::Bash);
    assert_eq!(many.invocations.len(), crate::limits::MAX_INVOCATIONS);
    assert!(
        many.hazards
            .iter()
            .any(|hazard| hazard.kind == HazardKind::TooMany)
    );
    let mut text = String::from("x");
    for _ in 0..crate::limits::MAX_SCRIPT_DEPTH + 1 {
        text = format!("eval {}", quote(&text));
    }
    let deep = program(&text, Shell::Bash);
    assert!(
        deep.hazards
            .iter()
            .any(|hazard| hazard.kind == HazardKind::TooDeep)
    );
    // Doubling a value stops being followed.
    let doubled = format!("x=aaaaaaaaaaaaaaaa;{}", "x=$x$x$x$x;".repeat(200));
    program(&doubled, Shell::Bash);
}

fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[test]
fn zsh_has_its_own_traps() {
    let hazards = |text: &str| {
        let facts = facts(Shell::Zsh);
        let reading = read(text, Shell::Zsh);
        let program = lower(&reading.script, text, &facts, &SpecSet::default());
        reading.status != crate::syntax::Status::Ok || !program.hazards.is_empty()
    };
    for text in [
        "echo =ls",
        "echo *(e:'touch P':)",
        "echo ~[x]",
        "NULLCMD=touch; >P",
        "echo ${(e)x}",
        "setopt promptsubst",
        "print -P '$(touch P)'",
        "print -v 'a[$(touch P)]' x",
        "[ 'a[$(touch P)]' -eq 0 ]",
        "printf %d 'a[$(touch P)]'",
        "export 'a[$(touch P)]=1'",
        "alias -g Z=x",
        "chpwd() { ls }; cd .",
        ": ${x::=$(touch P)}",
        "functions[ls]='touch P'",
    ] {
        assert!(hazards(text), "{text}");
    }
    for text in [
        "ls",
        "echo a=b",
        "x=1; echo $x",
        "echo '=ls'",
        "printf '%s' x",
        "noglob ls",
    ] {
        assert!(!hazards(text), "{text}");
    }
}
