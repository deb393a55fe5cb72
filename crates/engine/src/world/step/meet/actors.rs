//! The bodies of the pair phase, each at the place that its entry has.

use super::actor::Actor;
use std::ops::{Index, IndexMut};

/// Bodies that have others near, at the places of their entries.
///
/// Their order is that of their ranks, whenever they were taken and spawned; the place of the entry, which is by slot, decides
/// only between bodies that are alike in all that a rank is made of.
#[derive(Debug, Default)]
#[expect(clippy::vec_box, reason = "an actor is large: it is put in and out without being copied")]
pub(super) struct Actors {
    places: Vec<Option<Box<Actor>>>,
    /// The places that are taken, in the order of the ranks once they are sorted.
    taken: Vec<u32>,
    /// Actors of the last tick, for bodies that come.
    spare: Vec<Box<Actor>>,
}

impl Actors {
    /// Puts all aside.
    pub(super) fn put_aside(&mut self) {
        let Actors { places, taken, spare } = self;
        spare.extend(taken.drain(..).filter_map(|place| places[place as usize].take()));
    }

    /// Has a place for each of so many entries.
    pub(super) fn resize(&mut self, entries: usize) {
        self.places.resize_with(entries, || None);
    }

    /// A body at a place where none is yet, as the last one; what it was when it was put aside is left in it.
    pub(super) fn put_in(&mut self, place: u32) -> &mut Actor {
        self.taken.push(place);
        let actor = self.spare.pop().unwrap_or_else(|| Box::new(Actor::empty()));
        self.places[place as usize].insert(actor)
    }

    /// Brings all into their order.
    pub(super) fn sort(&mut self) {
        let mut taken = std::mem::take(&mut self.taken);
        taken.sort_unstable_by_key(|place| self.key(*place));
        self.taken = taken;
    }

    /// Brings the last one to where the order of the others has it.
    pub(super) fn sort_last(&mut self) {
        let Some(last) = self.taken.pop() else { return };
        let key = self.key(last);
        let at = self.taken.partition_point(|place| self.key(*place) < key);
        self.taken.insert(at, last);
    }

    /// What the order is by.
    #[inline]
    pub(super) fn key(&self, place: u32) -> ((i64, u64), u32) {
        (self[place as usize].rank, place)
    }

    /// Lists a body as near another one.
    pub(super) fn put_near(&mut self, place: u32, other: u32) {
        let key = self.key(other);
        if let Err(at) = self[place as usize].near.binary_search_by_key(&key, |near| self.key(*near)) {
            self[place as usize].near.insert(at, other);
        }
    }

    /// Begins a body's tick anew.
    pub(super) fn begin(&mut self, place: u32) {
        while let Some(other) = self[place as usize].passes.pop() {
            self.put_near(place, other);
        }
        self[place as usize].begin();
    }

    pub(super) fn get(&self, place: u32) -> Option<&Actor> {
        self.places.get(place as usize)?.as_deref()
    }

    /// The places of all, in order.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> {
        self.taken.iter().copied()
    }

    /// The place of one of them by a count that goes up. If one is put in meanwhile another may come twice.
    pub(super) fn step(&self, count: &mut usize) -> Option<u32> {
        let next = self.taken.get(*count).copied();
        *count += 1;
        next
    }

    pub(super) fn is_empty(&self) -> bool {
        self.taken.is_empty()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Actor> {
        self.places.iter_mut().flatten().map(|actor| &mut **actor)
    }
}

impl Index<usize> for Actors {
    type Output = Actor;

    #[inline]
    fn index(&self, place: usize) -> &Actor {
        self.places[place].as_deref().expect("a body that is asked has been taken")
    }
}

impl IndexMut<usize> for Actors {
    #[inline]
    fn index_mut(&mut self, place: usize) -> &mut Actor {
        self.places[place].as_deref_mut().expect("a body that is asked has been taken")
    }
}
