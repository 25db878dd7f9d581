//! What a verdict costs by the length and the shape of the text, and a search for the texts that cost most.
//!
//! `cost [--native]` prints time per verdict and per character at four lengths, compiled in and through the embedded module (which
//! `./x build` makes; `--native` leaves it out). `cost search SECONDS [SEED]` makes texts of 9,900 characters from repeated pieces,
//! keeps the slowest and changes them further; `cost file PATH` times one text. A cost that grows faster than the text shows as a rising time per character.

use std::{
    env,
    hint::black_box,
    time::{Duration, Instant},
};

use policy_core::service::{Offsets, Service};
use portcullis_tests::{hosts, oracle::generate::Random};
use serde_json::{Value, json};

const SIZES: [usize; 4] = [100, 1_000, 3_000, 10_000];

/// A name, what stands before, what is repeated (`@` becomes a number), what stands behind.
const SHAPES: &[(&str, &str, &str, &str)] = &[
    ("list", "", "ls -la src; ", "ls"),
    ("and-or", "", "test -f a && ls || cat b && ", "ls"),
    ("pipeline", "cat f", " | grep -v x", ""),
    ("words", "ls", " abc", ""),
    ("one long word", "ls ", "abcdefghij", ""),
    ("quotes", "echo", " 'a b' \"c d\"", ""),
    ("quotes in a word", "echo ", "'a'\"b\"\\c", ""),
    ("substitutions in a row", "echo", " $(ls)", ""),
    ("backticks in a row", "echo", " `ls`", ""),
    (
        "nested substitutions",
        "",
        "echo $(echo $(echo $(ls))); ",
        "ls",
    ),
    ("parameters", "echo", " $x \"${y:-z}\"", ""),
    ("braces", "echo", " {a,b}{c,d}", ""),
    ("open braces", "echo ", "{a,", ""),
    ("arithmetic", "echo", " $((1+2*3))", ""),
    ("nested arithmetic", "echo", " $(( $((1)) ))", ""),
    ("globs", "ls", " *.rs [a-z]?", ""),
    ("brackets", "ls ", "[", "x"),
    ("here-documents", "", "cat <<E\nbody $x\nE\n", "ls"),
    (
        "lines of a here-document",
        "cat <<E\n",
        "some words $x\n",
        "E",
    ),
    ("case", "", "case $x in a) ls;; *) pwd;; esac; ", "ls"),
    ("if", "", "if test -f a; then ls; else pwd; fi; ", "ls"),
    ("loops", "", "for i in a b c; do ls $i; done; ", "ls"),
    ("groups", "", "{ (ls); }; ", "ls"),
    ("bash -c", "", "bash -c 'ls; pwd'; ", "ls"),
    ("wrappers", "", "timeout 5 nice nohup ls; ", "ls"),
    ("assignments", "", "v@=1; ", "ls"),
    ("assignments and uses", "", "v@=$v1; ls $v@; ", "ls"),
    ("arrays", "x=(", "a b ", ")"),
    ("doubling", "a=xxxxxxxxxx; ", "a=$a$a; ", "ls \"$a\""),
    ("exports", "export", " v@=1", ""),
    ("maps", "declare -A", " m@", "; :; :; :"),
    ("cd", "", "cd a@ && ", "ls"),
    ("pushd", "", "pushd a@; ", "ls"),
    ("redirects", "ls", " >/dev/null 2>&1", ""),
    ("comments", "", "ls # words\n", "ls"),
    ("time", "", "time ls; ", "ls"),
    ("conditions", "[[ a", " && b == c", " ]]"),
    ("test", "test a", " -a b = c", ""),
    ("not ASCII", "echo", " é€😀", ""),
    ("hidden", "echo '", "\u{202e}", "'"),
    ("sed", "sed -n '", "s/a/b/g;", "' f"),
    ("awk", "awk '", "{print $1}", "' f"),
    ("jq", "jq '", ".a|", ".' f"),
    ("find", "find .", " -name x -o", " -name y"),
    ("git", "", "git log --oneline; ", "git status"),
    ("xargs", "ls", " | xargs grep x", ""),
    ("unclosed", "echo", " $(ls", ""),
    ("opens", "", "(", ""),
    ("faults", "", "fi; ", ""),
];

fn text(shape: &(&str, &str, &str, &str), length: usize) -> String {
    let (_, before, piece, after) = shape;
    let mut text = String::from(*before);
    let room = length.saturating_sub(after.chars().count());
    let mut count = text.chars().count();
    for number in 1.. {
        let next = piece.replace('@', &number.to_string());
        count += next.chars().count();
        if count > room {
            break;
        }
        text.push_str(&next);
    }
    text + after
}

fn request(command: &str) -> Value {
    json!({"command": command, "cwd": "/w/app", "workspace": ["/w/app"], "home": "/home/u", "git": "trusted",
           "platform": "linux", "shell": "bash"})
}

fn service() -> Service {
    Service::new("", Offsets::Utf8).expect("no configuration is one")
}

/// The fastest of some calls: what the text costs, not what the machine does besides.
fn native(service: &mut Service, command: &str, calls: usize) -> Duration {
    let request = request(command).to_string();
    let once = |service: &mut Service| {
        let begun = Instant::now();
        black_box(service.call("evaluate", black_box(&request), Offsets::Utf8)).expect("a verdict");
        begun.elapsed()
    };
    (0..calls).map(|_| once(service)).min().unwrap_or_default()
}

/// A verdict in the program's module, as part of a batch; `start` is what an empty batch takes.
fn module(command: &str, start: Duration) -> Duration {
    let count = 20;
    let many = vec![request(command); count];
    let batch = || {
        let begun = Instant::now();
        drop(hosts::program_verdicts("wasm", &many));
        begun.elapsed()
    };
    let fastest = (0..3).map(|_| batch()).min().unwrap_or_default();
    fastest.saturating_sub(start) / u32::try_from(count).unwrap_or(1)
}

fn table(with_module: bool) {
    let mut service = service();
    let start = if with_module {
        let batch = || {
            let begun = Instant::now();
            drop(hosts::program_verdicts("wasm", &[request("ls")]));
            begun.elapsed()
        };
        (0..5).map(|_| batch()).min().unwrap_or_default()
    } else {
        Duration::ZERO
    };
    println!("{:26} µs by length, and ns a character", "shape");
    let mut worst = (Duration::ZERO, "");
    for shape in SHAPES {
        let mut row = format!("{:26}", shape.0);
        for size in SIZES {
            let text = text(shape, size);
            let length = text.chars().count().max(1);
            let time = native(&mut service, &text, 5);
            row += &cell(time, length);
            if with_module && size >= 3_000 {
                let time = module(&text, start);
                row += &format!(" wasm{}", cell(time, length));
                worst = worst.max((time, shape.0));
            } else {
                worst = worst.max((time, shape.0));
            }
        }
        println!("{row}");
    }
    println!(
        "slowest: {}, {:.1} ms",
        worst.1,
        worst.0.as_secs_f64() * 1e3
    );
}

fn cell(time: Duration, length: usize) -> String {
    let micros = time.as_secs_f64() * 1e6;
    format!("{micros:>9.0} {:>5.0}", micros * 1e3 / length as f64)
}

/// Pieces of the search, beside those of the shapes.
const PIECES: &[&str] = &[
    "$(",
    ")",
    "`",
    "\"",
    "'",
    "${x:-",
    "}",
    "{",
    "{a,b}",
    "[",
    "]",
    "a[",
    "((",
    "$((",
    "))",
    "(",
    "<(",
    "<<E\n",
    "\nE\n",
    "E)\n",
    "<<-E\n",
    "\t",
    " ",
    "\n",
    ";",
    "&",
    "|",
    "&&",
    "||",
    "!",
    "! ",
    "time ",
    "~",
    "~:",
    "=~",
    "a=",
    "b@=$a",
    "a+=x",
    "$a",
    "\"$a\"",
    "x",
    "-",
    "\\",
    "\\\n",
    "#",
    "*",
    "?",
    "@(",
    "é",
    "if ",
    "then ",
    "fi;",
    "for a in ",
    "do ",
    "done;",
    "case a in ",
    "esac;",
    "a)",
    ";;",
    "while ",
    "[[ ",
    " ]] ",
    " == ",
    " =~ ",
    "f() ",
    "coproc ",
    "bash -c '",
    "bash -c \"",
    "eval ",
    "xargs ",
    "timeout 5 ",
    "env A=1 ",
    "sudo ",
    "find . -exec ",
    "\\; ",
    "cd a;",
    "export a;",
    "declare -A m;",
    "set -e;",
    "read a;",
    "let a=1;",
    "printf -v a ",
    "trap a b;",
    "alias a=b;",
    "ls ",
    "git log ",
    "sed -n ",
    "awk ",
    "jq ",
    "1..9",
    "..",
    ",",
    ">/dev/null ",
    "2>&1 ",
    "<<<",
    ">a ",
    "exec ",
    "command ",
    "test ",
    "-o ",
    "-name ",
    "\u{202e}",
    "$'\\x41'",
    "$\"",
    "${a[",
    "${!a}",
    "${#a}",
    "${a//b/",
    "${a:1:",
    "a@b",
];

fn made(pieces: &[String], length: usize) -> String {
    let mut text = String::new();
    let mut count = 0;
    for number in 1.. {
        for piece in pieces {
            let next = piece.replace('@', &number.to_string());
            count += next.chars().count();
            if count > length {
                return text;
            }
            text.push_str(&next);
        }
        if pieces.iter().all(String::is_empty) {
            break;
        }
    }
    text
}

/// Two stretches of repeated pieces, and the length of the first.
type Recipe = (Vec<String>, Vec<String>, usize);

/// A random one.
fn recipe(random: &mut Random) -> Recipe {
    let pick = |random: &mut Random| {
        if random.below(4) == 0 {
            SHAPES[random.below(SHAPES.len())].2.to_owned()
        } else {
            random.pick(PIECES).to_owned()
        }
    };
    let mut pieces = |most: usize| -> Vec<String> {
        let count = 1 + random.below(most);
        (0..count).map(|_| pick(random)).collect()
    };
    let (one, two) = (pieces(4), pieces(4));
    (one, two, [0, 1_000, 3_000, 5_000, 8_000][random.below(5)])
}

fn search(seconds: u64, seed: u64) {
    let mut random = Random::new(seed);
    let mut service = service();
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut slowest: Vec<(Duration, Recipe)> = Vec::new();
    let mut tried = 0usize;
    while Instant::now() < end {
        let mut recipe = recipe(&mut random);
        if !slowest.is_empty() && random.below(2) == 0 {
            // A slow one, with one piece changed.
            let at = random.below(slowest.len());
            let fresh = recipe.0.swap_remove(0);
            recipe = slowest[at].1.clone();
            let side = if random.below(2) == 0 {
                &mut recipe.0
            } else {
                &mut recipe.1
            };
            match random.below(3) {
                0 => side.push(fresh),
                1 if side.len() > 1 => drop(side.swap_remove(0)),
                _ => {
                    let place = random.below(side.len());
                    side[place] = fresh;
                }
            }
        }
        let text = made(&recipe.0, recipe.2) + &made(&recipe.1, 9_900 - recipe.2);
        let first = native(&mut service, &text, 1);
        tried += 1;
        let bar = slowest.get(19).map_or(Duration::ZERO, |(time, _)| *time);
        if first > bar {
            let time = native(&mut service, &text, 2).min(first);
            slowest.push((time, recipe));
            slowest.sort_by(|a, b| b.cmp(a));
            slowest.dedup_by(|a, b| a.1 == b.1);
            slowest.truncate(20);
        }
    }
    println!("{tried} texts; the slowest, compiled in:");
    for (time, (one, two, split)) in &slowest {
        println!(
            "{:>8.2} ms  {split} of {one:?}, then {two:?}",
            time.as_secs_f64() * 1e3
        );
    }
}

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["search", seconds] => search(seconds.parse().expect("seconds"), 1),
        ["search", seconds, seed] => {
            search(
                seconds.parse().expect("seconds"),
                seed.parse().expect("a seed"),
            );
        }
        ["file", path] => {
            let text = std::fs::read_to_string(path).expect("a file");
            let time = native(&mut service(), &text, 9);
            println!("{:.2} ms", time.as_secs_f64() * 1e3);
        }
        ["--native"] => table(false),
        _ => table(true),
    }
}
