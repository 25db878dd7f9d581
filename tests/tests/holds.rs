//! What must hold of any text, over the corpora and over generated texts: the fuzz targets on the stable toolchain.
//!
//! `PORTCULLIS_HOLDS_TEXTS` sets how many texts are generated (default 20,000), `PORTCULLIS_HOLDS_SEED` where they start.

use std::env;

use portcullis_tests::{corpus, holds, oracle::generate};

fn number(name: &str, default: u64) -> u64 {
    env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

fn lines() -> Vec<String> {
    let cases = corpus::load(&corpus::dir());
    cases.into_iter().map(|case| case.command).collect()
}

/// The corpora and as many generated texts as asked for.
fn texts(share: u64) -> Vec<String> {
    let lines = lines();
    let mut random = generate::Random::new(number("PORTCULLIS_HOLDS_SEED", 1));
    let count = number("PORTCULLIS_HOLDS_TEXTS", 20_000) / share;
    let made: Vec<String> = (0..count)
        .map(|_| generate::text(&mut random, &lines))
        .collect();
    lines.into_iter().chain(made).collect()
}

#[test]
fn any_text_is_read_by_every_shell() {
    for text in texts(1) {
        holds::reading(&text);
    }
}

#[test]
fn strict_allows_no_more_than_deep() {
    let policy = holds::bare_policy();
    let mut allowed = 0;
    for text in texts(1) {
        let request = holds::request(&text);
        let deep = policy.evaluate(&request);
        allowed += usize::from(deep.decision == policy_core::Decision::Allow);
        holds::strict_within_deep(&policy, &request, &deep);
    }
    assert!(allowed > 1_000, "only {allowed} texts were allowed at all");
}

#[test]
fn verdicts_hold() {
    let policy = holds::bare_policy();
    for text in texts(4) {
        holds::verdict(&policy, &text);
    }
}

#[test]
fn rules_move_one_way() {
    let policy = holds::bare_policy();
    let lines = lines();
    let mut random = generate::Random::new(number("PORTCULLIS_HOLDS_SEED", 1));
    for _ in 0..number("PORTCULLIS_HOLDS_TEXTS", 20_000) / 4 {
        let command = generate::text(&mut random, &lines).replace('\n', "; ");
        let of = &lines[random.below(lines.len())];
        let rule = generate::mutate(&mut random, of, ":*").replace('\n', " ");
        let word = command.split_whitespace().next().unwrap_or("ls").to_owned();
        holds::rules(&policy, &format!("{command}\n{rule}\n{word}:*"));
    }
}

#[test]
fn the_json_door_answers() {
    let lines = lines();
    let mut random = generate::Random::new(number("PORTCULLIS_HOLDS_SEED", 1));
    for at in 0..number("PORTCULLIS_HOLDS_TEXTS", 20_000) / 20 {
        let command = generate::text(&mut random, &lines);
        let request = serde_json::json!({"command": command, "cwd": "/w/app"}).to_string();
        let request = match at % 3 {
            0 => request,
            1 => command,
            _ => generate::mutate(&mut random, &request, "{\"rules\": null}"),
        };
        let operation = char::from(b'a' + u8::try_from(at % 6).unwrap_or(0));
        holds::service(&format!("{operation}\0{request}"));
    }
}
