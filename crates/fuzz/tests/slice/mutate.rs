//! New bytes from old ones, always the same from the same seed.

use surefoot_random::Random;

/// A length, the shorter ones more often: below 2^most.
fn length(random: &mut Random, most: u64) -> usize {
    let bits = random.below(most + 1);
    random.index(1 << bits)
}

/// Words that mean something where numbers, names and brackets are expected; what a fuzzer reads as its dictionary.
const DICTIONARY: &str = include_str!("../../cargo-fuzz/ron.dict");

/// The words of the dictionary: what stands between quotes, with `\"` and `\\` as they are meant.
fn words() -> Vec<String> {
    let lines = DICTIONARY.lines().filter(|line| line.starts_with('"'));
    lines.map(|line| line[1..line.len() - 1].replace("\\\"", "\"").replace("\\\\", "\\")).collect()
}

/// What bytes are made from.
#[derive(Default)]
pub(crate) struct Seeds {
    /// What is accepted, so that most of what a few changes make of it is too.
    pub(crate) good: Vec<Vec<u8>>,
    /// What is refused.
    pub(crate) bad: Vec<Vec<u8>>,
}

/// One of the seeds with a few changes, in most cases one; without seeds, and now and then with them, bytes at random.
pub(crate) fn mutated(random: &mut Random, seeds: &Seeds) -> Vec<u8> {
    let from = if seeds.bad.is_empty() || random.below(4) > 0 { &seeds.good } else { &seeds.bad };
    let mut bytes = if from.is_empty() || random.below(16) == 0 {
        (0..random.below(1024)).map(|_| random.next() as u8).collect()
    } else {
        from[random.index(from.len())].clone()
    };
    for _ in 0..=length(random, 3) {
        change(random, &mut bytes, from);
    }
    bytes
}

fn change(random: &mut Random, bytes: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    let at = random.index(bytes.len() + 1);
    match random.below(12) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 if at < bytes.len() => bytes[at] = random.next() as u8,
        // Another byte of the same bytes: in rows of tiles that is another tile.
        8.. if at < bytes.len() => bytes[at] = bytes[random.index(bytes.len())],
        // A word of the formats, between others or in the place of as many bytes.
        2 | 3 => {
            let words = words();
            let word = words[random.index(words.len())].as_bytes();
            let end = if random.below(2) == 0 { at } else { (at + word.len()).min(bytes.len()) };
            drop(bytes.splice(at..end, word.iter().copied()));
        }
        // A piece gone, or there twice.
        4 => drop(bytes.drain(range(random, at, bytes.len()))),
        5 => {
            let piece = bytes[range(random, at, bytes.len())].to_vec();
            drop(bytes.splice(at..at, piece));
        }
        // A piece of another seed.
        6 if !seeds.is_empty() => {
            let other = &seeds[random.index(seeds.len())];
            let from = random.index(other.len() + 1);
            let piece = other[range(random, from, other.len())].to_vec();
            drop(bytes.splice(at..at, piece));
        }
        // A number in the place of another one.
        _ => {
            let is_digit = |byte: &u8| byte.is_ascii_digit();
            if let Some(start) = bytes[at..].iter().position(is_digit).map(|i| at + i) {
                let length = bytes[start..].iter().take_while(|byte| is_digit(byte)).count();
                let numbers =
                    ["0", "1", "16", "255", "65535", "268435456", "9223372036854775807", "1e308", "0.5", "-1"];
                drop(bytes.splice(start..start + length, random.pick::<&str>(&numbers).bytes()));
            }
        }
    }
}

/// A short piece from a place on, up to an end at the most.
fn range(random: &mut Random, from: usize, end: usize) -> std::ops::Range<usize> {
    from..(from + length(random, 8)).min(end)
}
