//! The small languages against their own tools: random sed scripts and awk programs that are judged read-only.
//!
//! `sed --sandbox` refuses a script that runs or touches files before it reads anything, and `mawk -W dump` shows a
//! program's instructions without running it: both know what acts without sharing our reading. A tool that is not
//! there (or is another sed or awk) is named, not passed in silence.

use std::process::{Command, Stdio};

use policy_core::{Decision, Policy, PolicyConfig, Request};
use portcullis_tests::oracle::generate::Random;

/// Pieces that scripts are made of: everything that changes how the rest is read.
const SED: &[&str] = &[
    "s/",
    "/",
    "\\",
    "[",
    "]",
    "[^",
    "w x",
    "W x",
    "e",
    ";",
    "\n",
    "{",
    "}",
    "a",
    "i",
    "c",
    "a\\\n",
    "a\\",
    "y/",
    "p",
    "d",
    "n",
    "N",
    "1",
    "$",
    "!",
    ",",
    "+",
    "~",
    "b",
    "t",
    ":",
    " ",
    "\t",
    "#",
    "#n",
    "g",
    "M",
    "I",
    "s,",
    "s|",
    "|",
    "\\n",
    "\\/",
    "/e",
    "/w x",
    "q",
    "Q5",
    "l",
    "=",
    "x",
    "D",
    "F",
    "z",
    "v",
    "\\,",
    "[[:alpha:]]",
    "[:",
    ".]",
    "=]",
    "[/]",
    "[]/]",
    "[a\\]/]",
    "0",
    "b}",
    "T",
    "s@",
    "@",
    "&",
    "s/a/b/",
    "/x/",
    "/x/,/y/",
    "1~2",
    "$!N",
];

/// The same for awk.
const AWK: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    "\n",
    "print ",
    "print",
    "printf ",
    "\"a\"",
    "\"f\"",
    "$1",
    "x",
    "y",
    "1",
    " > ",
    " >> ",
    ">",
    "|",
    "| ",
    "getline",
    "getline ",
    "system",
    "system(\"z\")",
    "/",
    "/re/",
    "/[/]/",
    "/[^/]/",
    "+",
    "-",
    "*",
    "%",
    "=",
    "==",
    "~",
    "!",
    "? ",
    ": ",
    "&&",
    "||",
    " in ",
    "a[1]",
    "if (x) ",
    "if(1)",
    "while(0)",
    "else ",
    "for(;;)",
    "BEGIN",
    "END",
    "BEGIN{",
    "length",
    "length ",
    "length(x)",
    "++",
    "--",
    "NR",
    "return ",
    "f(1)",
    ",",
    "#c\n",
    "\\\n",
    "\\",
    "\"",
    "\"x",
    "< ",
    "<\"g\"",
    "1e5",
    "0x1f",
    ".5",
    "/=",
    "close(\"f\")",
    "\"/\"",
    "\"\\\"\"",
    "exit ",
    "next",
    "$",
    "^",
    "do ",
    "/\"/",
];

fn piece(random: &mut Random, pieces: &[&str]) -> String {
    (0..=random.below(8))
        .map(|_| pieces[random.below(pieces.len())])
        .collect()
}

/// Whether `program script f` is allowed.
fn is_allowed(policy: &Policy, program: &str, script: &str) -> bool {
    let quoted = script.replace('\'', "'\\''");
    let verdict = policy.evaluate(&Request {
        command: format!("{program} '{quoted}' f"),
        ..Request::default()
    });
    verdict.decision == Decision::Allow
}

/// Standard output and error of a tool that gets nothing to read; `None` when it cannot be started.
fn ask(program: &str, args: &[&str]) -> Option<(String, String)> {
    let output = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some((text(&output.stdout), text(&output.stderr)))
}

#[test]
fn sed_scripts_judged_read_only_pass_the_sandbox() {
    let gnu = ask("sed", &["--version"]).is_some_and(|(out, _)| out.contains("GNU sed"));
    if !gnu {
        eprintln!("not tried: sed (needs GNU sed for `--sandbox`)");
        return;
    }
    let policy = Policy::new(PolicyConfig::default()).expect("no rules");
    let mut random = Random::new(11);
    let (mut tried, mut wrong) = (0, Vec::new());
    for _ in 0..6000 {
        let script = piece(&mut random, SED);
        if !is_allowed(&policy, "sed -n -e", &script) {
            continue;
        }
        tried += 1;
        let (_, errors) =
            ask("sed", &["--sandbox", "-n", "-e", &script, "/dev/null"]).expect("sed is there");
        if errors.contains("sandbox") {
            wrong.push(script);
        }
    }
    assert!(tried > 300, "only {tried} scripts were judged read-only");
    assert!(wrong.is_empty(), "these act: {wrong:#?}");
}

#[test]
fn awk_programs_judged_read_only_have_no_acting_instruction() {
    let mawk =
        ask("mawk", &["-W", "dump", "BEGIN{}"]).is_some_and(|(out, _)| out.contains("BEGIN"));
    if !mawk {
        eprintln!("not tried: awk (needs mawk for `-W dump`)");
        return;
    }
    let policy = Policy::new(PolicyConfig::default()).expect("no rules");
    let mut random = Random::new(12);
    let (mut valid, mut wrong) = (0, Vec::new());
    for round in 0..6000 {
        let inner = piece(&mut random, AWK);
        let program = match round % 4 {
            0 => format!("BEGIN{{{inner}}}"),
            1 => format!("{{x=1;{inner};y=2}}"),
            2 => format!("{{if({inner})print}}"),
            _ => inner,
        };
        if program.starts_with('-') || !is_allowed(&policy, "awk", &program) {
            continue;
        }
        let (listing, errors) = ask("mawk", &["-W", "dump", &program]).expect("mawk is there");
        if !errors.is_empty() {
            continue;
        }
        valid += 1;
        if acts(&listing) {
            wrong.push(program);
        }
    }
    assert!(
        valid > 100,
        "only {valid} valid programs were judged read-only"
    );
    assert!(wrong.is_empty(), "these act: {wrong:#?}");
}

/// Whether a listing of mawk calls `system`, prints to a file or a pipe (-1, -2, -3) or reads from a pipe (-4).
fn acts(listing: &str) -> bool {
    let instructions: Vec<Vec<&str>> = listing
        .lines()
        .map(|line| {
            line.split_whitespace()
                .filter(|word| *word != "." && !(word.len() == 3 && word.parse::<u32>().is_ok()))
                .collect()
        })
        .collect();
    instructions.windows(2).any(|pair| {
        let before = match pair[0].as_slice() {
            ["pushint", number] => number.parse::<i32>().unwrap_or(0),
            _ => 0,
        };
        match pair[1].as_slice() {
            ["system"] => true,
            ["print" | "printf"] => (-3..0).contains(&before),
            ["getline"] => before == -4,
            _ => false,
        }
    })
}

#[test]
fn the_listing_shows_what_acts() {
    let Some((out, _)) = ask("mawk", &["-W", "dump", "BEGIN{print 1}"]) else {
        eprintln!("not tried: mawk");
        return;
    };
    assert!(!acts(&out));
    for program in [
        "BEGIN{system(\"x\")}",
        "BEGIN{print 1 > \"f\"}",
        "BEGIN{print 1 | \"f\"}",
        "BEGIN{\"f\" | getline}",
    ] {
        let (out, _) = ask("mawk", &["-W", "dump", program]).expect("mawk is there");
        assert!(acts(&out), "{program}: {out}");
    }
}
