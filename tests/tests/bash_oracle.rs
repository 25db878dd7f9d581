//! Real bash runs the text; every command it runs must be one that we reported, in every text we call followable.
//!
//! `PORTCULLIS_ORACLE_TEXTS` sets how many texts are generated (default 20,000), `PORTCULLIS_ORACLE_SEED` where they
//! start. Without bwrap the suite fails: an oracle that skips is none.

use std::{collections::BTreeMap, env};

use policy_core::{
    command::lower,
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
fn ours(
    text: &str,
    facts: &Facts,
    specs: &SpecSet,
) -> Result<policy_core::command::model::Program, String> {
    let reading = read(text, Shell::Bash);
    if reading.status != Status::Ok {
        return Err(reading
            .fault
            .map_or_else(|| "status".into(), |fault| fault.code.slug().into()));
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

/// Runs the texts both ways and lists what bash ran unreported; counts what was given up, by reason.
fn compare(
    texts: &[String],
    gave_up: &mut BTreeMap<String, usize>,
    faults: &mut Vec<String>,
) -> usize {
    let (facts, specs) = (facts(), SpecSet::default());
    let mut compared = 0;
    let followed: Vec<_> = texts
        .iter()
        .filter_map(|text| match ours(text, &facts, &specs) {
            Ok(program) => Some((text.clone(), program)),
            Err(reason) => {
                *gave_up.entry(reason).or_default() += 1;
                None
            }
        })
        .collect();
    for batch in followed.chunks(2_000) {
        let texts: Vec<String> = batch.iter().map(|(text, _)| text.clone()).collect();
        for succeed in [true, false] {
            let traces = run::run(&texts, succeed).expect("bash runs the batch");
            for ((text, program), trace) in batch.iter().zip(&traces) {
                compared += trace.len();
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
                        faults.push(format!(
                            "text {text:?}\n   bash ran {ran:?}\n   reported {reported:?}"
                        ));
                    }
                }
            }
        }
    }
    compared
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
    let mut faults = Vec::new();
    let mut gave_up = BTreeMap::new();
    let ran = compare(&lines, &mut gave_up, &mut faults);
    println!(
        "corpora: {} texts, {ran} commands compared; given up: {gave_up:?}",
        lines.len()
    );

    let mut random = generate::Random::new(seed);
    let mut gave_up = BTreeMap::new();
    let mut compared = 0;
    let mut left = usize::try_from(total).unwrap_or(usize::MAX);
    while left > 0 && faults.len() < 50 {
        let count = left.min(20_000);
        left -= count;
        let texts: Vec<String> = (0..count)
            .map(|_| {
                if random.below(2) == 0 {
                    generate::grammar(&mut random, 3)
                } else {
                    let (a, b) = (random.below(lines.len()), random.below(lines.len()));
                    generate::mutate(&mut random, &lines[a], &lines[b])
                }
            })
            .filter(|text| text.len() < 1_000)
            .collect();
        compared += compare(&texts, &mut gave_up, &mut faults);
    }
    println!(
        "generated: {total} texts from seed {seed}, {compared} commands compared; given up: {gave_up:?}"
    );
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
