use super::state::Kind;
use crate::body::{Character, Response};
use std::sync::Arc;

/// The configurations of a world's bodies, each stored once: bodies with equal ones share the entry.
///
/// Entries that no body has any more stay until [`Kinds::is_crowded`] says that they are worth a look at all bodies.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    /// A hash table with linear probing; its length is a power of two or 0, and at most half of it is filled.
    slots: Vec<Option<Arc<Kind>>>,
    len: usize,
    /// With how many entries unused ones are to be dropped.
    limit: usize,
}

/// Entries that are kept whether they are used or not, in any world.
const LEAST: usize = 16;

impl Kinds {
    /// The entry of a configuration that is equal to the bit: both zeros are different.
    pub(super) fn intern(&mut self, kind: Kind) -> Arc<Kind> {
        let words = words(&kind);
        match self.slot(&words).map(|slot| &self.slots[slot]) {
            Some(Some(known)) => known.clone(),
            _ => {
                let made = Arc::new(kind);
                self.put(made.clone(), &words);
                made
            }
        }
    }

    /// Whether there are so many entries that those without a body may be most of them.
    pub(super) fn is_crowded(&self) -> bool {
        self.len > self.limit.max(LEAST)
    }

    /// Drops the entries without a body.
    pub(super) fn retain<'a>(&mut self, of_bodies: impl Iterator<Item = &'a Arc<Kind>>) {
        self.slots.fill(None);
        self.len = 0;
        let mut bodies = 0;
        for kind in of_bodies {
            bodies += 1;
            let words = words(kind);
            if self.slot(&words).is_none_or(|slot| self.slots[slot].is_none()) {
                self.put(kind.clone(), &words);
            }
        }
        // As many new entries come before the next time as there are used ones, and one for each few bodies looked at.
        self.limit = 2 * self.len + bodies / 8;
    }

    /// Where the entry with these words is, or is to be put; `None` in a table without slots.
    fn slot(&self, words: &Words) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = hash(words) as usize & mask;
        while self.slots[slot].as_ref().is_some_and(|kind| self::words(kind) != *words) {
            slot = (slot + 1) & mask;
        }
        Some(slot)
    }

    /// Puts in an entry that is not there yet.
    fn put(&mut self, kind: Arc<Kind>, words: &Words) {
        if 2 * (self.len + 1) > self.slots.len() {
            let room = (2 * self.slots.len()).max(2 * LEAST);
            let before = std::mem::replace(&mut self.slots, vec![None; room]);
            for kind in before.into_iter().flatten() {
                self.fill(kind.clone(), &self::words(&kind));
            }
        }
        self.fill(kind, words);
        self.len += 1;
    }

    fn fill(&mut self, kind: Arc<Kind>, words: &Words) {
        if let Some(slot) = self.slot(words) {
            self.slots[slot] = Some(kind);
        }
    }
}

impl Clone for Kinds {
    fn clone(&self) -> Kinds {
        let Kinds { slots, len, limit } = self;
        Kinds { slots: slots.clone(), len: *len, limit: *limit }
    }

    fn clone_from(&mut self, from: &Kinds) {
        let Kinds { slots, len, limit } = from;
        self.slots.clone_from(slots);
        (self.len, self.limit) = (*len, *limit);
    }
}

/// All bits of a configuration.
type Words = [u64; 15];

fn words(kind: &Kind) -> Words {
    let &Kind { shape, gravity_scale, response, friction, rest_speed, character } = kind;
    let half = shape.half();
    let (response, factor) = match response {
        Response::Slide => (0, 0.0),
        Response::Bounce(factor) => (1, factor),
        Response::Stop => (2, 0.0),
        Response::Pass => (3, 0.0),
    };
    let is_character = u64::from(character.is_some());
    let numbers = |character| {
        let Character { walk_speed, ground_acceleration, ground_braking, air_acceleration, jump_height, fall_speed } =
            character;
        [walk_speed, ground_acceleration, ground_braking, air_acceleration, jump_height, fall_speed].map(f64::to_bits)
    };
    let [a, b, c, d, e, f] = character.map_or([0; 6], numbers);
    let [scale, factor, friction, rest] = [gravity_scale, factor, friction, rest_speed].map(f64::to_bits);
    let shape = [shape.is_circle().into(), half.x as u64, half.y as u64];
    let [circle, x, y] = shape;
    [circle, x, y, scale, response, factor, friction, rest, is_character, a, b, c, d, e, f]
}

/// Only where an entry is stored depends on it.
fn hash(words: &Words) -> u64 {
    let mixed =
        words.iter().fold(0_u64, |hash, &word| (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29));
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Body, Character};
    use crate::motion::Shape;

    fn kind(friction: f64) -> Kind {
        Kind::of(&Body::new(Shape::circle(0.25)).friction(friction))
    }

    #[test]
    fn equal_configurations_share_an_entry_and_others_do_not() {
        let body = Body::new(Shape::circle(0.25));
        let character = Character::default();
        let bodies = [
            body.clone(),
            Body::new(Shape::aabb(0.25, 0.25)),
            Body::new(Shape::circle(0.26)),
            body.clone().gravity_scale(0.0),
            body.clone().gravity_scale(-0.0),
            body.clone().bounce(0.0),
            body.clone().bounce(0.5),
            body.clone().response(Response::Stop),
            body.clone().response(Response::Pass),
            body.clone().friction(0.5),
            body.clone().rest_speed(0.5),
            body.clone().character(character),
            body.clone().character(Character { walk_speed: 0.0, ..character }),
            body.clone().character(Character { ground_acceleration: 0.0, ..character }),
            body.clone().character(Character { ground_braking: 0.0, ..character }),
            body.clone().character(Character { air_acceleration: 0.0, ..character }),
            body.clone().character(Character { jump_height: 0.0, ..character }),
            body.character(Character { fall_speed: 0.0, ..character }),
        ];
        let mut kinds = Kinds::default();
        let first = bodies.each_ref().map(|body| kinds.intern(Kind::of(body)));
        let again = bodies.each_ref().map(|body| kinds.intern(Kind::of(body)));
        for (i, one) in first.iter().enumerate() {
            for (j, other) in again.iter().enumerate() {
                assert_eq!(Arc::ptr_eq(one, other), i == j, "{i} {j}");
            }
        }
    }

    #[test]
    fn entries_without_a_body_are_dropped() {
        let mut kinds = Kinds::default();
        let kept: Vec<_> = (0..10).map(|i| kinds.intern(kind(f64::from(i)))).collect();
        for i in 0..10_000 {
            if kinds.is_crowded() {
                kinds.retain(kept.iter());
            }
            kinds.intern(kind(100.0 + f64::from(i)));
            assert!(kinds.slots.len() <= 128, "{}", kinds.slots.len());
        }
        for (i, kept) in (0..).zip(&kept) {
            assert!(Arc::ptr_eq(kept, &kinds.intern(kind(f64::from(i)))));
        }
    }
}
