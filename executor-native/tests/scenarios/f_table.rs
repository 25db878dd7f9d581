//! F, as a table: what a wrapper gets wrong, one command a row, each in a shell of its own and with a fresh folder.

use std::path::PathBuf;

use executor_native::Session;

use crate::common::*;

/// What a command is, what it prints (`None`: not compared), its exit code, and the directory afterwards, below the
/// workspace if it is relative. By bash's manual, and as a shell without us does it.
type Row = (
    &'static str,
    &'static str,
    Option<&'static str>,
    i32,
    &'static str,
);

/// Rows that begin with `f` and a number are that scenario; the others are the kinds that a wrapper gets wrong.
const BASH: &[Row] = &[
    ("f01", "cd /usr; false", Some(""), 1, "/usr"),
    ("f01", "cd /usr; exit 3", Some(""), 3, "/usr"),
    ("f01", "cd /usr && exit", Some(""), 0, "/usr"),
    ("f01", "f(){ cd /usr; return 6; }; f", Some(""), 6, "/usr"),
    (
        "f02",
        "set -e; cd /usr; false; echo no",
        Some(""),
        1,
        "/usr",
    ),
    (
        "f02",
        "set -e\ncd /usr\nfalse || true\n(exit 4)\necho no",
        Some(""),
        4,
        "/usr",
    ),
    (
        "f02",
        "set -eo pipefail; cd /usr; false | true; echo no",
        Some(""),
        1,
        "/usr",
    ),
    (
        "f02",
        "set -e; cd /usr; if false; then :; fi; ! true; echo yes",
        Some("yes"),
        0,
        "/usr",
    ),
    (
        "f02",
        "set -E; trap 'echo err' ERR; cd /usr; false; echo on",
        Some("err\non"),
        0,
        "/usr",
    ),
    (
        "f03",
        "trap 'echo bye' EXIT; cd /usr",
        Some("bye"),
        0,
        "/usr",
    ),
    (
        "f03",
        "trap 'echo bye; exit 7' EXIT; cd /usr",
        Some("bye"),
        7,
        "/usr",
    ),
    ("f03", "trap 'cd /var' EXIT; cd /usr", Some(""), 0, "/var"),
    (
        "f03",
        "trap -- 'echo bye # c' EXIT; cd /usr",
        Some("bye"),
        0,
        "/usr",
    ),
    ("f03", "trap 'echo bye' 0; cd /usr", Some("bye"), 0, "/usr"),
    (
        "f03",
        "trap 'echo bye' SIGEXIT; cd /usr",
        Some("bye"),
        0,
        "/usr",
    ),
    ("f03", "trap '' EXIT; cd /usr", Some(""), 0, "/usr"),
    ("f03", "cd /usr; trap - EXIT", Some(""), 0, "/usr"),
    ("f03", "cd /usr; trap EXIT", Some(""), 0, "/usr"),
    (
        "f03",
        "cd /usr; trap 'echo $?' EXIT; (exit 5)",
        Some("5"),
        5,
        "/usr",
    ),
    (
        "f03",
        "trap 'cat <<E\nbye\nE\n' EXIT; cd /usr",
        Some("bye"),
        0,
        "/usr",
    ),
    (
        "f03",
        "trap x NOSUCH 2>/dev/null; echo $?; cd /usr",
        Some("1"),
        0,
        "/usr",
    ),
    (
        "f03",
        "trap 'echo u' USR1; trap -p USR1; cd /usr",
        Some("trap -- 'echo u' SIGUSR1"),
        0,
        "/usr",
    ),
    (
        "f03",
        "trap 'echo u' USR1; kill -USR1 $$; cd /usr",
        Some("u"),
        0,
        "/usr",
    ),
    (
        "f03",
        "trap 'echo bye' EXIT INT TERM; cd /usr; kill -TERM $$; echo on",
        Some("bye\non\nbye"),
        0,
        "/usr",
    ),
    (
        "f03",
        "trap 'echo r' RETURN; f(){ :; }; f; cd /usr",
        None,
        0,
        "/usr",
    ),
    ("f04", "exec true", Some(""), 0, ""),
    ("f04", "cd /usr; exec bash -c 'exit 4'", Some(""), 4, ""),
    ("f04", "exec 2>&1; cd /usr", Some(""), 0, "/usr"),
    ("f05", "cd /usr; kill -9 $$", Some(""), 137, ""),
    ("f06", "cd /usr # comment", Some(""), 0, "/usr"),
    ("f06", "# nothing but a comment", Some(""), 0, ""),
    ("f06", "echo 'a # b'; cd /usr #", Some("a # b"), 0, "/usr"),
    ("f07", "cd /usr; echo hi \\", None, 0, "/usr"),
    ("f07", "cd /usr; echo a\\\\", Some("a\\"), 0, "/usr"),
    (
        "f08",
        "cd /usr; cat <<EOF\nbody\nEOF",
        Some("body"),
        0,
        "/usr",
    ),
    (
        "f08",
        "cd /usr; cat <<EOF\nbody\nEOF\n",
        Some("body"),
        0,
        "/usr",
    ),
    (
        "f08",
        "cat <<-'E' | tr a-z A-Z; cd /usr\n\tit's $HOME\n\tE",
        Some("IT'S $HOME"),
        0,
        "/usr",
    ),
    (
        "f08",
        "cat <<A; cat <<B; cd /usr\none\nA\ntwo\nB",
        Some("one\ntwo"),
        0,
        "/usr",
    ),
    (
        "f08",
        "cd /usr; cat <<< \"here 'string'\"",
        Some("here 'string'"),
        0,
        "/usr",
    ),
    (
        "f10",
        "pwd(){ echo evil; }; printf(){ echo evil; }; cd /usr",
        Some(""),
        0,
        "/usr",
    ),
    (
        "f10",
        "shopt -s expand_aliases; alias pwd='echo evil' printf='echo evil'; cd /usr",
        Some(""),
        0,
        "/usr",
    ),
    (
        "f10",
        "local(){ echo evil; }; set(){ echo evil; }; return(){ echo evil; }; cd /usr",
        Some(""),
        0,
        "/usr",
    ),
    ("f12", "ulimit -f 0; cd /usr", Some(""), 0, "/usr"),
    ("f13", "umask 777; cd /usr", Some(""), 0, "/usr"),
    ("f13", "set -o noclobber; cd /usr", Some(""), 0, "/usr"),
    ("f13", "PATH=; cd /usr", Some(""), 0, "/usr"),
    ("f13", "unset PATH HOME PWD; cd /usr", Some(""), 0, "/usr"),
    (
        "f13",
        "readonly PWD OLDPWD 2>/dev/null; cd /usr 2>/dev/null; true",
        None,
        0,
        "/usr",
    ),
    ("f13", "IFS=/; cd /usr", Some(""), 0, "/usr"),
    ("f13", "set -o posix; cd /usr", Some(""), 0, "/usr"),
    ("f13", "set -f; cd /usr", Some(""), 0, "/usr"),
    ("f13", "trap ': debug' DEBUG; cd /usr", Some(""), 0, "/usr"),
    (
        "f13",
        "exec >/dev/null; cd /usr; echo no",
        Some(""),
        0,
        "/usr",
    ),
    (
        "f13",
        "for fd in 3 4 5 6 7 8 9; do eval \"exec $fd>&-\"; done; cd /usr",
        Some(""),
        0,
        "/usr",
    ),
    (
        "f13",
        "set -u; cd /usr\n\necho $NOSUCH; echo no",
        Some("bash: line 3: NOSUCH: unbound variable"),
        127,
        "/usr",
    ),
    // One more `+` than at top level: the text is evaluated.
    ("f14", "set -x; cd /usr", Some("++ cd /usr"), 0, "/usr"),
    (
        "f14",
        "set -x; cd /usr; exit 3",
        Some("++ cd /usr\n++ exit 3"),
        3,
        "/usr",
    ),
    (
        "f16",
        "cd d; rmdir ../d; mkdir ../d; cd ../d",
        Some(""),
        0,
        "d",
    ),
    (
        "f20",
        "CDPATH=/usr; cd bin",
        Some("/usr/bin"),
        0,
        "/usr/bin",
    ),
    (
        "f21",
        "cd /usr; cd /var; cd - >/dev/null",
        Some(""),
        0,
        "/usr",
    ),
    (
        "f21",
        "pushd /usr >/dev/null; pushd /var >/dev/null; popd >/dev/null",
        Some(""),
        0,
        "/usr",
    ),
    ("f22", "(cd /usr)", Some(""), 0, ""),
    ("f22", "cd /usr | cat", Some(""), 0, ""),
    ("f22", "cd /usr & wait", Some(""), 0, ""),
    ("f22", "x=$(cd /usr; pwd); echo $x", Some("/usr"), 0, ""),
    (
        "f22",
        "(trap 'echo sub' EXIT; cd /usr); echo $?",
        Some("sub\n0"),
        0,
        "",
    ),
    (
        "f22",
        "shopt -s lastpipe; echo | cd /usr",
        Some(""),
        0,
        "/usr",
    ),
    (
        "f22",
        "cd /usr; (exit 1) || cd bin",
        Some(""),
        0,
        "/usr/bin",
    ),
    (
        "f24",
        "set -o pipefail; cd /usr; yes | head -1",
        Some("y"),
        141,
        "/usr",
    ),
    (
        "f27",
        "shopt -s expand_aliases; alias hi='echo hi'; hi; cd /usr",
        None,
        0,
        "/usr",
    ),
    ("f28", "echo a!b; cd /usr", Some("a!b"), 0, "/usr"),
    (
        "f28",
        "[[ abc == @(abc) ]]; echo $?; cd /usr",
        Some("0"),
        0,
        "/usr",
    ),
    (
        "f29",
        "echo '$HOME `echo pwn`'; cd /usr",
        Some("$HOME `echo pwn`"),
        0,
        "/usr",
    ),
    (
        "f29",
        "echo \"a\\\"b\" 'c\\d' $'e\\tf'; cd /usr",
        Some("a\"b c\\d e\tf"),
        0,
        "/usr",
    ),
    ("other", "echo $0 $#; cd /usr", Some("bash 0"), 0, "/usr"),
    ("other", "return 3; cd /usr", None, 0, "/usr"),
    ("other", "true &&\n\n\ncd /usr", Some(""), 0, "/usr"),
    ("other", "if true; then cd /usr; fi;", Some(""), 0, "/usr"),
    ("other", "case x in x) cd /usr;; esac", Some(""), 0, "/usr"),
    ("other", "{ cd /usr; }", Some(""), 0, "/usr"),
    (
        "other",
        "while :; do cd /usr; break; done",
        Some(""),
        0,
        "/usr",
    ),
    (
        "other",
        "eval 'cd /usr'; eval \"exit 2\"",
        Some(""),
        2,
        "/usr",
    ),
    ("other", "mkdir 'a b'; cd 'a b'", Some(""), 0, "a b"),
    ("other", "mkdir $'n\\nl'; cd $'n\\nl'", Some(""), 0, "n\nl"),
    ("other", "", Some(""), 0, ""),
    ("other", "   \n\t\n", Some(""), 0, ""),
];

/// The same where zsh has the same meaning; what differs is zsh's own.
const ZSH: &[Row] = &[
    ("f01", "cd /usr; false", Some(""), 1, "/usr"),
    ("f01", "cd /usr; exit 3", Some(""), 3, "/usr"),
    (
        "f31",
        "set -e; cd /usr; false; echo no",
        Some(""),
        1,
        "/usr",
    ),
    (
        "f31",
        "trap 'echo bye' EXIT; cd /usr",
        Some("bye"),
        0,
        "/usr",
    ),
    (
        "other",
        "TRAPUSR1(){ echo u }; kill -USR1 $$; cd /usr",
        Some("u"),
        0,
        "/usr",
    ),
    ("f05", "cd /usr; kill -9 $$", Some(""), 137, ""),
    ("f04", "cd /usr; exec sh -c 'exit 4'", Some(""), 4, ""),
    ("f07", "cd /usr; echo a\\\\\\\\", Some("a\\"), 0, "/usr"),
    (
        "f08",
        "cat <<EOF\nbody\nEOF\ncd /usr",
        Some("body"),
        0,
        "/usr",
    ),
    (
        "f08",
        "cd /usr; cat <<EOF\nbody\nEOF",
        Some("body"),
        0,
        "/usr",
    ),
    ("f22", "(cd /usr)", Some(""), 0, ""),
    ("f22", "cd /usr & wait", Some(""), 0, ""),
    ("f22", "x=$(cd /usr; pwd); echo $x", Some("/usr"), 0, ""),
    // The last part of a pipeline is the shell itself.
    ("f32", "echo | cd /usr", Some(""), 0, "/usr"),
    ("f32", "a=(x y); echo $a[1]; cd /usr", Some("x"), 0, "/usr"),
    (
        "f32",
        "v='a b'; printf '<%s>' $v; cd /usr",
        Some("<a b>"),
        0,
        "/usr",
    ),
    ("f32", "cd /usr; echo *.nomatch", None, 1, "/usr"),
    (
        "f29",
        "echo '$HOME `echo pwn`'; cd /usr",
        Some("$HOME `echo pwn`"),
        0,
        "/usr",
    ),
    ("other", "f(){ cd /usr }; f", Some(""), 0, "/usr"),
    (
        "other",
        "setopt noclobber; umask 777; cd /usr",
        Some(""),
        0,
        "/usr",
    ),
    ("other", "mkdir $'n\\nl'; cd $'n\\nl'", Some(""), 0, "n\nl"),
    ("other", "", Some(""), 0, ""),
];

/// Runs the rows, each in a fresh session and folder; gives the ones that came out otherwise.
async fn otherwise(world: &World, shell: Option<Session>, rows: &[Row]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (at, (id, command, output, code, directory)) in rows.iter().enumerate() {
        let work = world.work().join(format!("row{at}"));
        std::fs::create_dir_all(work.join("d")).unwrap();
        let mut options = world.options();
        options.workspace = vec![PathBuf::from("/")];
        options.cwd = Some(work.clone());
        if let Some(shell) = &shell {
            options.shell = Some(shell.shell().clone());
        }
        let session = world.executor().session(options).unwrap();
        let done = run(&session, command).await;
        let expected = match *directory {
            "" => work,
            below => work.join(below),
        };
        let fine = output.is_none_or(|output| output == done.stdout)
            && done.exit_code == Some(*code)
            && session.cwd() == expected;
        // Nothing of ours shows, whatever happens.
        if !fine || done.stdout.contains("__p") || done.stdout.contains("builtin") {
            wrong.push(format!(
                "{id} {command:?}: {:?} {:?} {:?}",
                done.stdout,
                done.exit_code,
                session.cwd()
            ));
        }
    }
    wrong
}

#[test]
fn f_the_directory_is_known_after_all_of_these() {
    within(std::time::Duration::from_secs(60), async {
        let world = World::new();
        let wrong = otherwise(&world, None, BASH).await;
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

#[test]
fn f31_f32_so_it_is_in_zsh() {
    if !std::path::Path::new("/usr/bin/zsh").exists() {
        println!("not tried: there is no zsh");
        return;
    }
    within(std::time::Duration::from_secs(60), async {
        let world = World::new();
        let wrong = otherwise(&world, Some(world.zsh()), ZSH).await;
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        let broken = run(&world.zsh(), "echo one\necho \"x").await;
        assert_ne!(broken.exit_code, Some(0));
    });
}
