//! Mutates bytes. The same seed gives the same bytes.

use surefoot_random::Random;

/// Returns a random length below 2^`max_bits`; short lengths are more likely.
fn random_length(random: &mut Random, max_bits: u64) -> usize {
    let bits = random.below(max_bits + 1);
    random.index(1 << bits)
}

/// The fuzzer's dictionary: names, numbers and brackets of the file formats.
const DICTIONARY: &str = include_str!("../../cargo-fuzz/ron.dict");

/// Returns the words of the dictionary: the texts between quotes, with `\"` and `\\` unescaped.
fn words() -> Vec<String> {
    let lines = DICTIONARY.lines().filter(|line| line.starts_with('"'));
    lines.map(|line| line[1..line.len() - 1].replace("\\\"", "\"").replace("\\\\", "\\")).collect()
}

/// The inputs that are mutated.
#[derive(Default)]
pub(crate) struct Seeds {
    /// Valid inputs. Most of their mutations are valid too.
    pub(crate) good: Vec<Vec<u8>>,
    /// Invalid inputs.
    pub(crate) bad: Vec<Vec<u8>>,
}

/// Returns a seed with a few changes, or random bytes, always if there are no seeds.
pub(crate) fn mutated(random: &mut Random, seeds: &Seeds) -> Vec<u8> {
    let from = if seeds.bad.is_empty() || random.below(4) > 0 { &seeds.good } else { &seeds.bad };
    let mut bytes = if from.is_empty() || random.below(16) == 0 {
        (0..random.below(1024)).map(|_| random.next() as u8).collect()
    } else {
        from[random.index(from.len())].clone()
    };
    for _ in 0..=random_length(random, 3) {
        change(random, &mut bytes, from);
    }
    bytes
}

fn change(random: &mut Random, bytes: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    let at = random.index(bytes.len() + 1);
    match random.below(12) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 if at < bytes.len() => bytes[at] = random.next() as u8,
        // Copy another byte of the input. In rows of tiles, that changes a tile.
        8.. if at < bytes.len() => bytes[at] = bytes[random.index(bytes.len())],
        // Insert a word of the formats, or overwrite as many bytes with it.
        2 | 3 => {
            let words = words();
            let word = words[random.index(words.len())].as_bytes();
            let end = if random.below(2) == 0 { at } else { (at + word.len()).min(bytes.len()) };
            drop(bytes.splice(at..end, word.iter().copied()));
        }
        // Remove a range or repeat it.
        4 => drop(bytes.drain(range(random, at, bytes.len()))),
        5 => {
            let piece = bytes[range(random, at, bytes.len())].to_vec();
            drop(bytes.splice(at..at, piece));
        }
        // Insert a range of another seed.
        6 if !seeds.is_empty() => {
            let other = &seeds[random.index(seeds.len())];
            let from = random.index(other.len() + 1);
            let piece = other[range(random, from, other.len())].to_vec();
            drop(bytes.splice(at..at, piece));
        }
        // Replace a number.
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

/// Returns a short range that starts at `from` and ends at `end` at the latest.
fn range(random: &mut Random, from: usize, end: usize) -> std::ops::Range<usize> {
    from..(from + random_length(random, 8)).min(end)
}
