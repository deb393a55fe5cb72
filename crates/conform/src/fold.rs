use surefoot::prelude::*;

/// A hash of everything that was folded into it, in that order.
///
/// Each step takes one word into a bijection of 64 bits, so two runs whose hashes once differ agree again only if another
/// word differs too.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fold(pub(crate) u64);

impl Fold {
    /// Takes one word in.
    pub(crate) fn word(&mut self, word: u64) {
        self.0 = mix((self.0 ^ word).wrapping_add(GOLDEN));
    }

    /// Takes in what can be seen after a tick: the checksum of the state, and what happened.
    pub(crate) fn tick(&mut self, checksum: Checksum, events: &[Event]) {
        self.word(checksum.0);
        self.word(events.len() as u64);
        events.iter().for_each(|event| self.event(event.kind));
    }

    fn event(&mut self, kind: EventKind) {
        match kind {
            EventKind::Landed => self.word(1),
            EventKind::LeftFloor => self.word(2),
            EventKind::LeftMap => self.word(3),
            EventKind::Stuck => self.word(4),
            EventKind::Freed => self.word(5),
            EventKind::Hit { side, speed, normal, tile, place } => {
                self.word(6 + side as u64);
                [speed, normal.x, normal.y].iter().for_each(|number| self.word(number.to_bits()));
                [tile.0, tile.1].iter().for_each(|&number| self.word(number as u64));
                [place.units().x, place.units().y].iter().for_each(|&number| self.word(number as u64));
            }
            _ => unreachable!("an event that is not folded"),
        }
    }
}

/// The odd number next to 2^64 over the golden ratio.
pub(crate) const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The output function of splitmix64, a bijection in which every bit of the input changes about half of the output.
///
/// Source: G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
pub(crate) fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}
