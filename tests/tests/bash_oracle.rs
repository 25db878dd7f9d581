//! Real bash runs the text; every command it runs must be one that we reported, in every text we call followable.
//!
//! `PORTCULLIS_ORACLE_TEXTS` sets how many texts are generated (default 20,000), `PORTCULLIS_ORACLE_SEED` where they
//! start; with `PORTCULLIS_ORACLE_SHOW` the texts that bash reads and we give up are listed. Without bwrap the suite
//! fails: an oracle that skips is none.

use std::{collections::BTreeMap, env};

use policy_core::{
    command::{
        lower,
        model::{Program, Value},
    },
    facts::{Facts, GitFacts, GitState, Shell},
    specs::SpecSet,
    syntax::{Status, read},
};
use portcullis_tests::{
    corpus,
    oracle::{cover::covers, generate, run},
};

fn facts() -> Facts {
    Facts {
        cwd: Some("/w/app".into()),
        workspace: vec!["/w/app".into()],
        home: Some("/home/u".into()),
        git: GitFacts {
            state: GitState::Trusted,
            executing_keys: Vec::new(),
        },
        ..Facts::default()
    }
}

/// What we say of a text: the reason why it is given up, or its program.
fn ours(text: &str, facts: &Facts, specs: &SpecSet) -> Result<Program, String> {
    let reading = read(text, Shell::Bash);
    if reading.status != Status::Ok {
        return Err(reading.fault.map_or_else(
            || "status".into(),
            |fault| format!("{}: {}", fault.code.slug(), kind_of(&fault.message)),
        ));
    }
    if let Some(hazard) = reading.hazards.first() {
        return Err(format!("{:?}", hazard.kind));
    }
    let program = lower(&reading.script, text, facts, specs);
    match program.hazards.first() {
        Some(hazard) => Err(format!("{:?}", hazard.kind)),
        None => Ok(program),
    }
}

/// Whether a word would hold the byte that parts the trace's records: `$'\x01'`.
fn holds_separator(program: &Program) -> bool {
    let words = program.invocations.iter().flat_map(|ran| &ran.argv);
    words.into_iter().any(|word| match &word.value {
        Value::OneOf(all) => all.iter().any(|text| text.contains('\u{1}')),
        value => value.known_prefix().contains('\u{1}'),
    })
}

/// A message without what it quotes.
fn kind_of(message: &str) -> String {
    let pieces = message.split('`').enumerate();
    let kept = pieces.map(|(at, piece)| if at % 2 == 0 { piece } else { "`…`" });
    kept.collect()
}

/// What became of the texts.
#[derive(Default)]
struct Tally {
    /// All that were looked at.
    texts: usize,
    /// Commands of bash that were looked for among ours.
    commands: usize,
    /// Texts that change the trace itself and were not run.
    disturbing: usize,
    /// What was given up, by reason.
    gave_up: BTreeMap<String, Vec<String>>,
    /// What bash ran unreported.
    faults: Vec<String>,
}

impl Tally {
    /// Prints the counts, and how many of the texts given up bash reads: of each reason at most `most` are asked about.
    fn print(&self, what: &str, most: usize) {
        let given_up: usize = self.gave_up.values().map(Vec::len).sum();
        println!(
            "{what}: {} texts, {} commands compared; {} not run since they change the trace; {given_up} given up:",
            self.texts, self.commands, self.disturbing
        );
        let (mut unread, mut hazards, mut invalid) = (0.0, 0.0, 0.0);
        for (reason, texts) in &self.gave_up {
            let asked = texts.get(..most).unwrap_or(texts);
            let valid: Vec<&String> = run::are_valid(asked)
                .expect("bash reads texts")
                .into_iter()
                .zip(asked)
                .filter_map(|(valid, text)| valid.then_some(text))
                .collect();
            let all = texts.len() as f64;
            let of_all = all * valid.len() as f64 / asked.len() as f64;
            invalid += all - of_all;
            if reason.starts_with("parse.") || reason == "Opaque" {
                unread += of_all;
            } else {
                hazards += of_all;
            }
            println!(
                "  {reason}: {}, of {} asked bash reads {}",
                texts.len(),
                asked.len(),
                valid.len()
            );
            if env::var_os("PORTCULLIS_ORACLE_SHOW").is_some() {
                for text in valid.iter().take(300) {
                    println!("    {text:?}");
                }
            }
        }
        let valid = self.texts as f64 - invalid;
        println!(
            "{what}: of about {valid:.0} texts that bash reads, {:.1} % are not read or not followed, {:.1} % hold a hazard",
            100.0 * unread / valid,
            100.0 * hazards / valid
        );
    }
}

/// Runs the texts both ways and lists what bash ran unreported; counts what was given up, by reason.
fn compare(texts: &[String], tally: &mut Tally) {
    let (facts, specs) = (facts(), SpecSet::default());
    tally.texts += texts.len();
    let mut followed = Vec::new();
    for text in texts {
        match ours(text, &facts, &specs) {
            Ok(program) if run::disturbs_trace(text) || holds_separator(&program) => {
                tally.disturbing += 1;
            }
            Ok(program) => followed.push((text.clone(), program)),
            Err(reason) => tally.gave_up.entry(reason).or_default().push(text.clone()),
        }
    }
    for batch in followed.chunks(2_000) {
        let texts: Vec<String> = batch.iter().map(|(text, _)| text.clone()).collect();
        for succeed in [true, false] {
            let traces = run::run(&texts, succeed).expect("bash runs the batch");
            for ((text, program), trace) in batch.iter().zip(&traces) {
                tally.commands += trace.len();
                for ran in trace {
                    if !covers(program, ran) {
                        let reported: Vec<_> = program
                            .invocations
                            .iter()
                            .map(|i| {
                                i.argv
                                    .iter()
                                    .map(|a| format!("{:?}", a.value))
                                    .collect::<Vec<_>>()
                                    .join(" ")
                            })
                            .collect();
                        tally.faults.push(format!(
                            "text {text:?}\n   bash ran {ran:?}\n   reported {reported:?}"
                        ));
                    }
                }
            }
        }
    }
}

#[test]
fn bash_runs_nothing_that_is_not_reported() {
    assert!(
        run::available(),
        "the bash oracle needs bash and bwrap (Debian: apt-get install bubblewrap)"
    );
    let number = |name: &str, default: u64| {
        env::var(name)
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(default)
    };
    let (total, seed) = (
        number("PORTCULLIS_ORACLE_TEXTS", 20_000),
        number("PORTCULLIS_ORACLE_SEED", 1),
    );
    let cases = corpus::load(&corpus::dir());
    let lines: Vec<String> = cases
        .iter()
        .map(|case| case.command.clone())
        .filter(|text| !text.contains(['\0', '\u{1}']) && text.len() < 2_000)
        .collect();
    let mut corpora = Tally::default();
    compare(&lines, &mut corpora);
    corpora.print("corpora", usize::MAX);

    let mut random = generate::Random::new(seed);
    let mut made = Tally::default();
    let mut left = usize::try_from(total).unwrap_or(usize::MAX);
    while left > 0 && made.faults.len() < 50 {
        let count = left.min(20_000);
        left -= count;
        let texts: Vec<String> = (0..count)
            .map(|_| generate::text(&mut random, &lines))
            .filter(|text| text.len() < 1_000)
            .collect();
        compare(&texts, &mut made);
    }
    made.print(&format!("generated from seed {seed}"), 200);
    let mut faults = corpora.faults;
    faults.append(&mut made.faults);
    faults.sort_by_key(|fault| (fault.len(), fault.clone()));
    faults.dedup();
    assert!(
        faults.is_empty(),
        "{} commands ran unreported; the shortest:\n{}",
        faults.len(),
        faults
            .iter()
            .take(60)
            .cloned()
            .collect::<Vec<_>>()
            .join("\n")
    );
}
