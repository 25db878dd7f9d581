//! What a verdict costs by the length and the shape of the text, and a search for the texts that cost most.
//!
//! `cost` prints the time per verdict and per character, compiled in at four lengths and through the embedded module (which
//! `./x build` makes; `--native` leaves it out) at the longest. `cost search SECONDS [SEED]` looks for dear texts, `cost file PATH…` times some.
//! `--with '{"shell": "zsh"}'` adds to every request, `--config FILE` gives the program a configuration. A cost that grows faster than
//! the text shows as a rising time per character.

use std::{
    env,
    hint::black_box,
    time::{Duration, Instant},
};

use policy_core::service::{Offsets, Service};
use serde_json::{Value, json};

mod module;
mod search;
mod shapes;
use module::Module;
use shapes::{NESTS, SHAPES, nested, repeated};

const SIZES: [usize; 4] = [100, 1_000, 3_000, 10_000];

/// What verdicts are timed with.
struct Clock {
    service: Service,
    module: Option<Module>,
    /// What every request holds beside the command.
    facts: Value,
}

impl Clock {
    fn request(&self, command: &str) -> Value {
        let mut request = self.facts.clone();
        request["command"] = command.into();
        request
    }

    /// The least of some calls, in the module if there is one.
    fn time(&mut self, command: &str, calls: usize) -> Duration {
        let request = self.request(command);
        match &mut self.module {
            Some(module) => module.least(&request, calls).0,
            None => self.native(command, calls),
        }
    }

    fn native(&mut self, command: &str, calls: usize) -> Duration {
        let request = self.request(command).to_string();
        let once = |_| {
            let begun = Instant::now();
            let verdict = self
                .service
                .call("evaluate", black_box(&request), Offsets::Utf8);
            black_box(verdict).expect("a verdict");
            begun.elapsed()
        };
        (0..calls).map(once).min().unwrap_or_default()
    }
}

fn table(clock: &mut Clock) {
    println!("{:28} µs by length, and ns a character", "shape");
    let mut dear: Vec<(Duration, String)> = Vec::new();
    let shapes = SHAPES
        .iter()
        .map(|shape| (shape.0.to_owned(), SIZES.map(|size| repeated(shape, size))));
    let nests = NESTS.iter().flat_map(|nest| {
        [5, 12, 35, 5_000].map(|deep| {
            (
                format!("{}, {deep} deep", nest.0),
                SIZES.map(|size| nested(nest, deep, size)),
            )
        })
    });
    for (name, texts) in shapes.chain(nests) {
        let mut row = format!("{name:28}");
        let mut last = Duration::ZERO;
        for text in &texts {
            last = clock.native(text, 5);
            row += &cell(last, text);
        }
        if let Some(text) = texts.last().filter(|_| clock.module.is_some()) {
            last = clock.time(text, 3);
            row += &format!(" wasm{}", cell(last, text));
        }
        dear.push((last, name));
        println!("{row}");
    }
    dear.sort_by(|a, b| b.cmp(a));
    for (time, name) in dear.iter().take(12) {
        println!("dear: {name}, {:.1} ms", time.as_secs_f64() * 1e3);
    }
}

fn cell(time: Duration, text: &str) -> String {
    let micros = time.as_secs_f64() * 1e6;
    let length = text.chars().count().max(1);
    format!("{micros:>9.0} {:>5.0}", micros * 1e3 / length as f64)
}

fn main() {
    let (mut native, mut config) = (false, None);
    let mut facts = json!({"cwd": "/w/app", "workspace": ["/w/app"], "home": "/home/u", "git": "trusted", "platform": "linux",
                           "shell": "bash"});
    let mut rest = Vec::new();
    let mut words = env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--native" => native = true,
            "--config" => config = words.next(),
            "--with" => {
                let more: Value = words
                    .next()
                    .and_then(|word| serde_json::from_str(&word).ok())
                    .expect("JSON");
                for (key, value) in more.as_object().expect("an object") {
                    facts[key] = value.clone();
                }
            }
            _ => rest.push(word),
        }
    }
    let mut clock = Clock {
        service: Service::new("", Offsets::Utf8).expect("no configuration is one"),
        module: (!native).then(|| Module::start(config.as_deref())),
        facts,
    };
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    let number = |word: &str| word.parse().expect("a number");
    match rest.as_slice() {
        ["search", seconds] => search::search(&mut clock, number(seconds), 1),
        ["search", seconds, seed] => search::search(&mut clock, number(seconds), number(seed)),
        ["file", paths @ ..] => {
            for path in paths {
                let text = std::fs::read_to_string(path).expect("a file");
                let least = clock.time(&text, 5);
                println!("{:>9.2} ms  {path}", least.as_secs_f64() * 1e3);
            }
        }
        _ => table(&mut clock),
    }
}
