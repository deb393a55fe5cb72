//! The bodies of the pair phase, each at the place that its entry has.

use super::actor::Actor;
use std::ops::{Index, IndexMut};

/// Bodies that have others near, at the places of their entries: in the order of the slots, whenever they were taken.
#[derive(Debug, Default)]
#[expect(clippy::vec_box, reason = "an actor is large: it is put in and out without being copied")]
pub(super) struct Actors {
    places: Vec<Option<Box<Actor>>>,
    /// The places that are taken, in order.
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

    /// A body at a place where none is yet; what it was when it was put aside is left in it.
    pub(super) fn put_in(&mut self, place: u32) -> &mut Actor {
        match self.taken.last() {
            Some(last) if *last > place => {
                let at = self.taken.partition_point(|taken| *taken < place);
                self.taken.insert(at, place);
            }
            _ => self.taken.push(place),
        }
        let actor = self.spare.pop().unwrap_or_else(|| Box::new(Actor::empty()));
        self.places[place as usize].insert(actor)
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
