//! The bodies of the pair phase, each at the place that its entry has.

use super::solver_body::SolverBody;
use std::ops::{Index, IndexMut};

/// Bodies that have others near, at the places of their entries, which are in the order of the slots.
///
/// Which of two comes first where that shows is by their ranks, whenever they were taken and spawned; the place decides only
/// between bodies that are alike in all that a rank is made of.
#[derive(Debug, Default)]
#[expect(clippy::vec_box, reason = "a body is large: it is put in and out without being copied")]
pub(super) struct SolverBodies {
    places: Vec<Option<Box<SolverBody>>>,
    /// The places that are taken, in order.
    taken: Vec<u32>,
    /// SolverBodies of the last tick, for bodies that come.
    spare: Vec<Box<SolverBody>>,
}

impl SolverBodies {
    /// Puts all aside.
    pub(super) fn put_aside(&mut self) {
        let SolverBodies { places, taken, spare } = self;
        spare.extend(taken.drain(..).filter_map(|place| places[place as usize].take()));
    }

    /// Has a place for each of so many entries.
    pub(super) fn resize(&mut self, entries: usize) {
        self.places.resize_with(entries, || None);
    }

    /// A body at a place where none is yet; what it was when it was put aside is left in it.
    pub(super) fn put_in(&mut self, place: u32) -> &mut SolverBody {
        match self.taken.last() {
            Some(last) if *last > place => {
                let at = self.taken.partition_point(|taken| *taken < place);
                self.taken.insert(at, place);
            }
            _ => self.taken.push(place),
        }
        let body = self.spare.pop().unwrap_or_else(|| Box::new(SolverBody::empty()));
        self.places[place as usize].insert(body)
    }

    /// Brings some into the order in which they are to be asked.
    pub(super) fn sort(&self, places: &mut [u32]) {
        places.sort_unstable_by_key(|place| self.key(*place));
    }

    /// What the order is by.
    #[inline]
    pub(super) fn key(&self, place: u32) -> ((i64, u64), u32) {
        (self[place as usize].given.rank, place)
    }

    /// Lists a body as near another one.
    pub(super) fn put_near(&mut self, place: u32, other: u32) {
        let key = self.key(other);
        if let Err(at) = self[place as usize].stage.near.binary_search_by_key(&key, |near| self.key(*near)) {
            self[place as usize].stage.near.insert(at, other);
        }
    }

    /// Begins a body's tick anew.
    pub(super) fn begin(&mut self, place: u32) {
        while let Some(other) = self[place as usize].stage.passes.pop() {
            self.put_near(place, other);
        }
        self[place as usize].begin();
    }

    pub(super) fn get(&self, place: u32) -> Option<&SolverBody> {
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

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut SolverBody> {
        self.places.iter_mut().flatten().map(|body| &mut **body)
    }
}

impl Index<usize> for SolverBodies {
    type Output = SolverBody;

    #[inline]
    fn index(&self, place: usize) -> &SolverBody {
        self.places[place].as_deref().expect("a body that is asked has been taken")
    }
}

impl IndexMut<usize> for SolverBodies {
    #[inline]
    fn index_mut(&mut self, place: usize) -> &mut SolverBody {
        self.places[place].as_deref_mut().expect("a body that is asked has been taken")
    }
}
