//! New bytes from old ones, always the same from the same seed.

/// xorshift64*: the tests' own random numbers, the same on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A length, the shorter ones more often: below 2^most.
    fn length(&mut self, most: usize) -> usize {
        let bits = self.below(most + 1);
        self.below(1 << bits)
    }

    /// In 0..n.
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// Words that mean something where numbers, names and brackets are expected; what a fuzzer reads as its dictionary.
const DICTIONARY: &str = include_str!("../../fuzz/ron.dict");

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
        from[random.below(from.len())].clone()
    };
    for _ in 0..=random.length(3) {
        change(random, &mut bytes, from);
    }
    bytes
}

fn change(random: &mut Random, bytes: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    let at = random.below(bytes.len() + 1);
    match random.below(12) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 if at < bytes.len() => bytes[at] = random.next() as u8,
        // Another byte of the same bytes: in rows of tiles that is another tile.
        8.. if at < bytes.len() => bytes[at] = bytes[random.below(bytes.len())],
        // A word of the formats, between others or in the place of as many bytes.
        2 | 3 => {
            let words = words();
            let word = words[random.below(words.len())].as_bytes();
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
            let other = &seeds[random.below(seeds.len())];
            let from = random.below(other.len() + 1);
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
                drop(bytes.splice(start..start + length, random.pick(&numbers).bytes()));
            }
        }
    }
}

/// A short piece from a place on, within a length.
fn range(random: &mut Random, from: usize, length: usize) -> std::ops::Range<usize> {
    from..(from + random.length(8)).min(length)
}
