//! The search: texts of repeated pieces, of which the dearest are kept and changed further.

use std::time::{Duration, Instant};

use portcullis_tests::oracle::generate::Random;

use super::{
    Clock,
    shapes::{NESTS, PIECES, SHAPES, nested, numbered},
};

/// Characters of a text.
const LENGTH: usize = 9_990;
/// How many are kept.
const KEPT: usize = 24;

/// Two stretches of repeated pieces, and the length of the first.
type Recipe = (Vec<String>, Vec<String>, usize);

/// Looks for so many seconds, and prints the dearest.
pub(crate) fn search(clock: &mut Clock, seconds: u64, seed: u64) {
    let mut random = Random::new(seed);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut dearest: Vec<(Duration, Recipe)> = Vec::new();
    let mut tried = 0usize;
    while Instant::now() < end {
        let recipe = next(&mut random, &dearest);
        let text = text(&recipe);
        let first = clock.time(&text, 1);
        tried += 1;
        let bar = dearest.get(KEPT - 1).map_or(Duration::ZERO, |kept| kept.0);
        if first > bar {
            dearest.push((clock.time(&text, 2).min(first), recipe));
            dearest.sort_by(|a, b| b.cmp(a));
            dearest.dedup_by(|a, b| a.1 == b.1);
            dearest.truncate(KEPT);
        }
    }
    println!("{tried} texts; the dearest:");
    for (time, (one, two, split)) in &dearest {
        println!(
            "{:>8.2} ms  {split} of {one:?}, then {two:?}",
            time.as_secs_f64() * 1e3
        );
    }
}

fn text((one, two, split): &Recipe) -> String {
    made(one, *split) + &made(two, LENGTH - split)
}

fn made(pieces: &[String], length: usize) -> String {
    let mut text = String::new();
    let mut count = 0;
    for number in 1.. {
        for piece in pieces {
            let next = numbered(piece, number);
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

/// A new recipe, or a dear one with one piece changed.
fn next(random: &mut Random, dearest: &[(Duration, Recipe)]) -> Recipe {
    let mut fresh = recipe(random);
    if dearest.is_empty() || random.below(3) == 0 {
        return fresh;
    }
    let (one, two, split) = &dearest[random.below(dearest.len())].1;
    let mut changed = (one.clone(), two.clone(), *split);
    let piece = fresh.0.swap_remove(0);
    let side = if random.below(2) == 0 {
        &mut changed.0
    } else {
        &mut changed.1
    };
    match random.below(5) {
        0 => side.push(piece),
        1 if side.len() > 1 => drop(side.remove(random.below(side.len()))),
        2 => changed.2 = fresh.2,
        3 => side.insert(random.below(side.len() + 1), piece),
        _ => {
            let place = random.below(side.len());
            side[place] = piece;
        }
    }
    changed
}

fn recipe(random: &mut Random) -> Recipe {
    let pick = |random: &mut Random| match random.below(8) {
        0 | 1 => SHAPES[random.below(SHAPES.len())].2.to_owned(),
        2 => {
            let nest = NESTS[random.below(NESTS.len())];
            let deep = [1, 5, 12, 30][random.below(4)];
            nested(
                &nest,
                deep,
                (nest.1.len() + nest.3.len()) * deep + nest.2.len(),
            )
        }
        3 => {
            let shape = SHAPES[random.below(SHAPES.len())];
            [shape.1, shape.3][random.below(2)].to_owned()
        }
        4 => {
            let nest = NESTS[random.below(NESTS.len())];
            [nest.1, nest.3][random.below(2)].to_owned()
        }
        _ => random.pick(PIECES).to_owned(),
    };
    let mut pieces = |most: usize| -> Vec<String> {
        let count = 1 + random.below(most);
        (0..count).map(|_| pick(random)).collect()
    };
    let (one, two) = (pieces(4), pieces(4));
    (
        one,
        two,
        [0, 40, 1_000, 3_000, 5_000, 8_000][random.below(6)],
    )
}
