//! The list of all bodies in the pair phase.

use super::solver_body::SolverBody;
use std::ops::{Index, IndexMut};

/// Index of a body in [`SolverBodies`].
pub(super) type BodyIndex = u32;

/// The bodies that have others near. The index of a body is that of its entry in the broad phase. So indices are in
/// the order of the slots.
///
/// If the order of two bodies can affect a result, their ranks decide, not the order in which they were spawned. The
/// index decides only between bodies with equal ranks.
#[derive(Debug, Default)]
#[expect(clippy::vec_box, reason = "a body is large: it is put in and out without being copied")]
pub(super) struct SolverBodies {
    slots: Vec<Option<Box<SolverBody>>>,
    /// Indices in use, in order.
    used: Vec<BodyIndex>,
    /// Bodies of the last tick, reused for new ones.
    spare: Vec<Box<SolverBody>>,
}

impl SolverBodies {
    /// Releases all bodies for reuse.
    pub(super) fn release_all(&mut self) {
        let SolverBodies { slots, used, spare } = self;
        spare.extend(used.drain(..).filter_map(|index| slots[index as usize].take()));
    }

    /// Makes room for `entries` indices.
    pub(super) fn resize(&mut self, entries: usize) {
        self.slots.resize_with(entries, || None);
    }

    /// Takes a body for the unused index `index`. Its fields still hold the data of the last use.
    pub(super) fn insert(&mut self, index: BodyIndex) -> &mut SolverBody {
        match self.used.last() {
            Some(last) if *last > index => {
                let at = self.used.partition_point(|used| *used < index);
                self.used.insert(at, index);
            }
            _ => self.used.push(index),
        }
        let body = self.spare.pop().unwrap_or_else(|| Box::new(SolverBody::empty()));
        self.slots[index as usize].insert(body)
    }

    /// Sorts bodies by rank.
    pub(super) fn sort_by_rank(&self, bodies: &mut [BodyIndex]) {
        bodies.sort_unstable_by_key(|index| self.sort_key(*index));
    }

    /// Sort key of a body: its rank, then its index.
    #[inline]
    pub(super) fn sort_key(&self, index: BodyIndex) -> ((i64, u64), BodyIndex) {
        (self[index as usize].given.rank, index)
    }

    /// Adds `other` to the near bodies of `index`.
    pub(super) fn add_near_body(&mut self, index: BodyIndex, other: BodyIndex) {
        let key = self.sort_key(other);
        if let Err(at) = self[index as usize].stage.near.binary_search_by_key(&key, |near| self.sort_key(*near)) {
            self[index as usize].stage.near.insert(at, other);
        }
    }

    /// Resets a body to the beginning of the tick. Bodies that passed through it can collide with it again.
    pub(super) fn reset_to_tick_start(&mut self, index: BodyIndex) {
        while let Some(other) = self[index as usize].stage.passes.pop() {
            self.add_near_body(index, other);
        }
        self[index as usize].reset_to_tick_start();
    }

    pub(super) fn get(&self, index: BodyIndex) -> Option<&SolverBody> {
        self.slots.get(index as usize)?.as_deref()
    }

    /// Returns the indices of all bodies, in order.
    pub(super) fn all_indices(&self) -> impl Iterator<Item = u32> {
        self.used.iter().copied()
    }

    /// Returns the next index, for a loop that may add bodies. `count` is the counter of the loop. After an addition,
    /// the loop may see an index twice.
    pub(super) fn next_index(&self, count: &mut usize) -> Option<u32> {
        let next = self.used.get(*count).copied();
        *count += 1;
        next
    }

    pub(super) fn is_empty(&self) -> bool {
        self.used.is_empty()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut SolverBody> {
        self.slots.iter_mut().flatten().map(|body| &mut **body)
    }
}

impl Index<usize> for SolverBodies {
    type Output = SolverBody;

    #[inline]
    fn index(&self, index: usize) -> &SolverBody {
        self.slots[index].as_deref().expect("a body that is asked has been used")
    }
}

impl IndexMut<usize> for SolverBodies {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut SolverBody {
        self.slots[index].as_deref_mut().expect("a body that is asked has been used")
    }
}
