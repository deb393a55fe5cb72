//! The list of all bodies in the pair phase.

use super::solver_body::SolverBody;
use std::ops::{Index, IndexMut};

/// Bodies that have others near. A body has the index of its entry, and entries are in the order of the slots.
///
/// Where the order of two bodies shows in a result, their ranks decide, not the spawn order. The index decides only
/// between bodies with equal ranks.
#[derive(Debug, Default)]
#[expect(clippy::vec_box, reason = "a body is large: it is put in and out without being copied")]
pub(super) struct SolverBodies {
    places: Vec<Option<Box<SolverBody>>>,
    /// Indices in use, in order.
    taken: Vec<u32>,
    /// Bodies of the last tick, reused for new ones.
    spare: Vec<Box<SolverBody>>,
}

impl SolverBodies {
    /// Releases all bodies for reuse.
    pub(super) fn put_aside(&mut self) {
        let SolverBodies { places, taken, spare } = self;
        spare.extend(taken.drain(..).filter_map(|place| places[place as usize].take()));
    }

    /// Makes room for `entries` indices.
    pub(super) fn resize(&mut self, entries: usize) {
        self.places.resize_with(entries, || None);
    }

    /// Takes a body for the unused index `place`. The fields still hold the data of the body's last use.
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

    /// Sorts bodies by rank.
    pub(super) fn sort(&self, places: &mut [u32]) {
        places.sort_unstable_by_key(|place| self.key(*place));
    }

    /// Sort key of a body: its rank, then its index.
    #[inline]
    pub(super) fn key(&self, place: u32) -> ((i64, u64), u32) {
        (self[place as usize].given.rank, place)
    }

    /// Adds `other` to the near bodies of `place`.
    pub(super) fn put_near(&mut self, place: u32, other: u32) {
        let key = self.key(other);
        if let Err(at) = self[place as usize].stage.near.binary_search_by_key(&key, |near| self.key(*near)) {
            self[place as usize].stage.near.insert(at, other);
        }
    }

    /// Resets a body to the beginning of the tick, and makes the bodies that it passed through solid again.
    pub(super) fn begin(&mut self, place: u32) {
        while let Some(other) = self[place as usize].stage.passes.pop() {
            self.put_near(place, other);
        }
        self[place as usize].begin();
    }

    pub(super) fn get(&self, place: u32) -> Option<&SolverBody> {
        self.places.get(place as usize)?.as_deref()
    }

    /// Returns the indices of all bodies, in order.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> {
        self.taken.iter().copied()
    }

    /// Returns the next index for a loop that may add bodies; `count` is the loop's counter. After an addition, an
    /// index may come twice.
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
