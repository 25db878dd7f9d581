//! Makes shell text: from a grammar, and by mutation of corpus lines. Seeded, so every text can be made again.

/// A small reproducible random source (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts at a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n` (`n` > 0).
    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.bits() % n as u64).unwrap_or(0)
    }

    /// One of these.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// Pieces that a mutation inserts: the characters and words on which readers of shell text differ.
const PIECES: &[&str] = &[
    " ",
    "\t",
    "\n",
    "\\\n",
    "\\",
    "'",
    "\"",
    "`",
    "$",
    "$(",
    ")",
    "(",
    "{",
    "}",
    "${",
    "}",
    "$((",
    "))",
    "[[",
    "]]",
    "[",
    "]",
    "<",
    ">",
    "<<",
    "<<E\n",
    "\nE\n",
    "\nE)",
    "<<-'E'\n",
    "<<<",
    ">&",
    "<&",
    "&",
    "&&",
    "|",
    "||",
    "|&",
    ";",
    ";;",
    "#",
    " #",
    "!",
    "=",
    "==",
    "=~",
    "~",
    "*",
    "?",
    "@",
    "@(",
    "!(",
    "+",
    "%",
    "^",
    ":",
    "-",
    ",",
    "a",
    "x",
    "$x",
    "\"$x\"",
    "${x}",
    "${x:-",
    "${x#",
    "$'",
    "$\"",
    "<(",
    ">(",
    "if ",
    "then ",
    "fi",
    "else ",
    "for i in ",
    "do ",
    "done",
    "case x in ",
    "esac",
    "while ",
    "until ",
    "time ",
    "coproc ",
    "function ",
    "select ",
    "in ",
    "2>&1",
    ">/dev/null",
    "x=1 ",
    "x=(",
    "echo ",
    "frob ",
    "\u{b}",
    "\r",
    "é",
    "\u{a0}",
];

/// A text from the grammar or one of these lines, changed.
pub fn text(random: &mut Random, lines: &[String]) -> String {
    if random.below(2) == 0 {
        return grammar(random, 3);
    }
    let (one, other) = (random.below(lines.len()), random.below(lines.len()));
    mutate(random, &lines[one], &lines[other])
}

/// A corpus line, changed in one to six places.
pub fn mutate(random: &mut Random, line: &str, other: &str) -> String {
    let mut text: Vec<char> = line.chars().collect();
    for _ in 0..=random.below(6) {
        let at = random.below(text.len() + 1);
        match random.below(6) {
            0 if !text.is_empty() => {
                text.remove(at.min(text.len() - 1));
            }
            1 if text.len() > 2 => {
                let to = (at + 1 + random.below(6)).min(text.len());
                text.drain(at.min(to)..to);
            }
            2 if !text.is_empty() => {
                let from = random.below(text.len());
                let to = (from + 1 + random.below(10)).min(text.len());
                let piece: Vec<char> = text[from..to].to_vec();
                text.splice(at..at, piece);
            }
            3 => {
                let other: Vec<char> = other.chars().collect();
                if !other.is_empty() {
                    let from = random.below(other.len());
                    let to = (from + 1 + random.below(20)).min(other.len());
                    text.splice(at..at, other[from..to].iter().copied());
                }
            }
            _ => {
                let piece = random.pick(PIECES);
                text.splice(at..at, piece.chars());
            }
        }
    }
    text.into_iter()
        .filter(|&c| c != '\0' && c != '\u{1}')
        .collect()
}

/// A text from the grammar, `depth` levels at most.
pub fn grammar(random: &mut Random, depth: usize) -> String {
    let mut text = list(random, depth);
    if random.below(4) == 0 {
        let mutated = mutate(random, &text, "");
        text = mutated;
    }
    text
}

fn list(r: &mut Random, depth: usize) -> String {
    let mut text = and_or(r, depth);
    for _ in 0..r.below(3) {
        text += r.pick(&[
            "; ", "\n", " && ", " || ", " | ", " |& ", "\n\n", " ;\n", " & ", "\n# c\n", " # c\n",
        ]);
        text += &and_or(r, depth);
    }
    text
}

fn and_or(r: &mut Random, depth: usize) -> String {
    if depth == 0 || r.below(3) > 0 {
        return simple(r, depth);
    }
    let d = depth - 1;
    match r.below(16) {
        0 => format!("( {} )", list(r, d)),
        1 => format!("{{ {}; }}", list(r, d)),
        2 => format!("if {}; then {}; fi", list(r, d), list(r, d)),
        3 => format!(
            "if {}\nthen {}\nelse {}\nfi",
            list(r, d),
            list(r, d),
            list(r, d)
        ),
        4 => format!(
            "for i in {} {}; do {}; done",
            word(r, d),
            word(r, d),
            list(r, d)
        ),
        5 => format!(
            "case {} in {}) {};; *) {};; esac",
            word(r, d),
            word(r, d),
            list(r, d),
            list(r, d)
        ),
        6 => format!("[[ {} == {} ]]", word(r, d), word(r, d)),
        7 => format!("[[ -f {} && ! -n {} ]]", word(r, d), word(r, d)),
        8 => format!("! {}", and_or(r, d)),
        9 => format!("time {}", and_or(r, d)),
        10 => format!("while false; do {}; done", list(r, d)),
        11 => format!("({})", list(r, d)),
        12 => format!("((1+{}))", r.below(9)),
        13 => format!("{{\n{}\n}} >/dev/null", list(r, d)),
        14 => format!("x={}; {}", word(r, d), list(r, d)),
        _ => format!("x=({} {})", word(r, d), word(r, d)),
    }
}

fn simple(r: &mut Random, depth: usize) -> String {
    let mut text = String::new();
    if r.below(8) == 0 {
        text += &format!("A={} ", word(r, depth));
    }
    text += r.pick(&[
        "echo", "frob", "cat", "ls", "touch", "\\ls", "'ls'", "l\"s\"", "ec\\\nho", "printf", ":",
        "true", "false", "test", "cd", "grep",
    ]);
    for _ in 0..r.below(4) {
        text += r.pick(&[" ", " ", " ", "\t", "  ", " \\\n"]);
        text += &word(r, depth);
    }
    match r.below(14) {
        0 => text += " >/dev/null",
        1 => text += " 2>&1",
        2 => text += &format!(" <<<{}", word(r, depth)),
        3 => {
            text = format!(
                "{text} <<E\n{}\nE",
                r.pick(&[
                    "body",
                    "$x",
                    "$(frob a)",
                    "`frob b`",
                    "a\\\nb",
                    "\\$(frob)",
                    "'$(frob c)'"
                ])
            )
        }
        4 => {
            text = format!(
                "{text} <<'E'\n{}\nE",
                r.pick(&["body", "$(frob no)", "`frob no`", "E ", " E", "\tE"])
            )
        }
        5 => text = format!("{text} <<-E\n\t{}\n\tE", r.pick(&["body", "$(frob t)"])),
        6 => text += " 2>/dev/null x",
        7 => text = format!("</dev/null {text}"),
        _ => {}
    }
    text
}

fn word(r: &mut Random, depth: usize) -> String {
    let mut text = String::new();
    for _ in 0..=r.below(2) {
        text += &part(r, depth);
    }
    text
}

fn part(r: &mut Random, depth: usize) -> String {
    let simple = [
        "a",
        "-n",
        "x.txt",
        "'b c'",
        "\"d e\"",
        "\\ ",
        "\\#",
        "#",
        "$x",
        "\"$x\"",
        "${x}",
        "${#x}",
        "*",
        "*.txt",
        "src/*",
        "{a,b}",
        "{1..3}",
        "a{,b}",
        "~",
        "~/q",
        "$'\\x41'",
        "$'a\\'b'",
        "\"\\\"\"",
        "''",
        "==",
        "=",
        "@",
        "%",
        "$",
        "\\\n",
        "$HOME",
        "?",
        "[a-f].txt",
        "a=b",
        "\\$x",
        "'$x'",
        "!",
        "1",
        "--",
        "\"a'b\"",
        "'a\"b'",
        "é",
    ];
    if depth == 0 || r.below(3) > 0 {
        return r.pick(&simple).to_owned();
    }
    let d = depth - 1;
    match r.below(11) {
        0 => format!("$({})", list(r, d)),
        8 => {
            let open = r.pick(&["$(", "\"$(", "<("]);
            let close = if open.starts_with('"') { "\"" } else { "" };
            let body = r.pick(&["body", "$x", "E x", "Ex", "$(frob a)"]);
            let end = r.pick(&["\nE)", "\nE\n)", "\nE frob x)", "\nE\nfrob y\n)"]);
            format!(
                "{open}cat <<{}E\n{body}{end}{close}",
                r.pick(&["", "\\", "-"])
            )
        }
        9 => r
            .pick(&[
                "{a}b,c}",
                "{a{b}c,d}",
                "{},x}",
                "{a..}x,y}",
                "$${a,b}",
                "~=~",
                "a=~:~",
                "{a=~,b}",
                "~:$x",
                "a[1]=~",
            ])
            .to_owned(),
        1 => format!(
            "`{}`",
            r.pick(&[
                "frob a",
                "frob 'b c'",
                "echo \\`frob\\`",
                "ls # c",
                "frob \\\\x"
            ])
        ),
        2 => format!("\"$({})\"", list(r, d)),
        3 => format!(
            "\"p {} q\"",
            r.pick(&[
                "$x",
                "`frob dq`",
                "$(frob dq)",
                "\\`no\\`",
                "\\$(no)",
                "'$x'"
            ])
        ),
        4 => format!("<({})", list(r, d)),
        5 => format!("${{x:-{}}}", word(r, d)),
        6 => format!("${{x#{}}}", word(r, d)),
        7 => format!("${{y+{}}}", word(r, d)),
        _ => format!("$((1+$(frob {})))", r.below(9)),
    }
}
