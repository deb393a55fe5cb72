use slotmap::{Key, KeyData};

/// The slots of bodies and the order of the free ones, which together determine the ids of new bodies.
///
/// The ids equal those of a `slotmap::SlotMap` for the same spawns and removals. A `SlotMap` hides the order of its
/// free slots, which must be saved and hashed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slots {
    /// How often each slot was filled and emptied: odd while it is filled.
    versions: Vec<u32>,
    /// Free slots, from 0. The last one is filled next.
    free: Vec<u32>,
}

impl Slots {
    /// Creates slots from saved parts. `None` unless exactly the slots with an even version are free, each listed once.
    pub(crate) fn from_parts(versions: Vec<u32>, free: Vec<u32>) -> Option<Slots> {
        let mut is_free: Vec<bool> = versions.iter().map(|version| version % 2 == 0).collect();
        let all = is_free.iter().filter(|free| **free).count();
        // Clear the flag of each listed slot, so that no slot is accepted twice.
        let known =
            free.iter().all(|&slot| is_free.get_mut(slot as usize).is_some_and(|free| std::mem::replace(free, false)));
        (known && all == free.len()).then_some(Slots { versions, free })
    }

    /// Returns the slot of the next body.
    pub(crate) fn next_slot(&self) -> usize {
        self.free.last().map_or(self.versions.len(), |&slot| slot as usize)
    }

    /// Reserves memory for `count` more slots.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.versions.reserve_exact(count);
    }

    /// Fills the next slot.
    pub fn insert<K: Key>(&mut self) -> K {
        let slot = self.next_slot();
        if self.free.pop().is_some() {
            self.versions[slot] = self.versions[slot].wrapping_add(1);
        } else {
            self.versions.push(1);
        }
        self.id(slot)
    }

    /// Empties the slot of a body and returns its index.
    pub fn remove(&mut self, body: impl Key) -> Option<usize> {
        let slot = self.slot(body)?;
        self.versions[slot] = self.versions[slot].wrapping_add(1);
        self.free.push(slot as u32);
        Some(slot)
    }

    /// Returns the slot of an existing body.
    #[inline]
    pub(crate) fn slot(&self, body: impl Key) -> Option<usize> {
        let data = body.data().as_ffi();
        let slot = (data as u32 as usize).wrapping_sub(1);
        let version = *self.versions.get(slot)?;
        (version % 2 == 1 && version == (data >> 32) as u32).then_some(slot)
    }

    /// Returns the id of the body in a filled slot.
    #[inline]
    pub(crate) fn id<K: Key>(&self, slot: usize) -> K {
        id(slot, self.versions[slot])
    }

    /// The ids of all bodies, in the order of their slots.
    #[cfg(feature = "record")]
    pub(crate) fn filled_ids<K: Key>(&self) -> impl Iterator<Item = K> {
        let filled = self.versions.iter().enumerate().filter(|(_, version)| **version % 2 == 1);
        filled.map(|(slot, version)| id(slot, *version))
    }

    /// Returns the number of filled slots.
    pub(crate) fn len(&self) -> usize {
        self.versions.len() - self.free.len()
    }

    /// Returns the version of each slot.
    pub(crate) fn versions(&self) -> &[u32] {
        &self.versions
    }

    /// Returns the free slots. The last one is filled next.
    pub(crate) fn free_slots(&self) -> &[u32] {
        &self.free
    }

    /// Copies other slots into this memory.
    pub(crate) fn copy(&mut self, other: &Slots) {
        self.versions.clone_from(&other.versions);
        self.free.clone_from(&other.free);
    }
}

/// Returns the id of a slot, counted from 0, in a version.
#[inline]
pub(crate) fn id<K: Key>(slot: usize, version: u32) -> K {
    KeyData::from_ffi(u64::from(version) << 32 | (slot as u64 + 1)).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::BodyId;
    use crate::testing::Random;
    use slotmap::SlotMap;

    #[test]
    fn ids_are_those_of_a_slot_map() {
        let (mut slots, mut known) = (Slots::default(), SlotMap::<BodyId, ()>::with_key());
        let (mut held, mut random) = (Vec::new(), Random(7));
        for _ in 0..10_000 {
            if held.is_empty() || random.below(97) < 50 {
                held.push(slots.insert());
                assert_eq!(held.last().copied(), Some(known.insert(())));
            } else {
                let id = held.swap_remove(random.index(held.len()));
                assert!(slots.remove(id).is_some() && known.remove(id).is_some());
                assert_eq!((slots.remove(id), slots.slot(id)), (None, None));
            }
            assert_eq!(slots.len(), known.len());
        }
        assert!(known.keys().all(|id| slots.slot(id).map(|slot| slots.id(slot)) == Some(id)));
        let parts = Slots::from_parts(slots.versions.clone(), slots.free.clone());
        assert_eq!(parts, Some(slots));
    }

    #[test]
    fn inconsistent_slot_parts_are_rejected() {
        assert!(Slots::from_parts(vec![1, 2, 3, 4], vec![3, 1]).is_some());
        for free in [vec![], vec![1], vec![1, 1], vec![1, 2], vec![1, 3, 1], vec![1, 4]] {
            assert_eq!(Slots::from_parts(vec![1, 2, 3, 4], free), None);
        }
    }
}
