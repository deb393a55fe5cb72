//! Chunk storage: all chunks of a map in one array, or the loaded chunks of a streamed world in a hash table.

use super::chunk::Chunk;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Chunks of a terrain by column and row.
#[derive(Clone, Debug)]
pub(super) enum Directory {
    /// Row by row from the lowest.
    Dense {
        columns: usize,
        chunks: Arc<[Chunk]>,
    },
    Sparse(Arc<Sparse>),
}

impl Directory {
    /// Returns a chunk. A chunk that is not loaded is solid and is recorded as missed.
    #[inline]
    pub(super) fn chunk_at(&self, column: usize, row: usize) -> &Chunk {
        match self {
            Directory::Dense { columns, chunks } => &chunks[row * columns + column],
            Directory::Sparse(sparse) => sparse.chunk_at(ChunkKey::new(column, row)),
        }
    }

    /// Returns a chunk to write to. `None` if it is not loaded.
    pub(super) fn chunk_at_mut(&mut self, column: usize, row: usize) -> Option<&mut Chunk> {
        match self {
            Directory::Dense { columns, chunks } => Some(&mut Arc::make_mut(chunks)[row * *columns + column]),
            Directory::Sparse(sparse) => Arc::make_mut(sparse).get_mut(ChunkKey::new(column, row)),
        }
    }
}

/// Column and row of a chunk in one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ChunkKey(u64);

impl ChunkKey {
    /// No chunk: columns and rows stay far below 2^32.
    const NONE: ChunkKey = ChunkKey(u64::MAX);

    #[inline]
    pub(super) fn new(column: usize, row: usize) -> ChunkKey {
        ChunkKey((row as u64) << 32 | column as u64)
    }

    pub(super) fn column(self) -> usize {
        self.0 as u32 as usize
    }

    pub(super) fn row(self) -> usize {
        (self.0 >> 32) as usize
    }
}

/// Loaded chunks of a streamed world: a hash table with linear probing, at most a quarter full.
///
/// The order of its slots depends on earlier loads. Nothing outside may depend on it.
#[derive(Clone, Debug)]
pub(super) struct Sparse {
    /// Slots; their number is a power of two.
    slots: Box<[Slot]>,
    loaded: usize,
    /// Stand-in for every chunk that is not loaded.
    missing: Chunk,
    missed: Missed,
}

#[derive(Clone, Debug)]
struct Slot {
    key: ChunkKey,
    /// Number of areas that hold the chunk.
    holds: u32,
    /// The chunk. In a free slot, the stand-in for a missing chunk.
    chunk: Chunk,
}

/// The first missed chunk since this was last cleared.
///
/// Lookups use shared references, possibly from several threads. This is the only value that they write.
#[derive(Debug)]
struct Missed(AtomicU64);

impl Clone for Missed {
    fn clone(&self) -> Missed {
        Missed(AtomicU64::new(ChunkKey::NONE.0))
    }
}

impl Sparse {
    /// Initial number of slots.
    const INITIAL_SLOTS: usize = 64;

    pub(super) fn new(missing: Chunk) -> Sparse {
        let missed = Missed(AtomicU64::new(ChunkKey::NONE.0));
        Sparse { slots: free_slots(Self::INITIAL_SLOTS, &missing), loaded: 0, missing, missed }
    }

    #[inline]
    fn chunk_at(&self, key: ChunkKey) -> &Chunk {
        let slot = &self.slots[self.find_slot(key)];
        if slot.key != key {
            self.record_missed_chunk(key);
        }
        &slot.chunk
    }

    #[cold]
    fn record_missed_chunk(&self, key: ChunkKey) {
        let _ = self.missed.0.compare_exchange(ChunkKey::NONE.0, key.0, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Returns and clears the chunk that was missed first, if any.
    pub(super) fn take_first_missed_chunk(&self) -> Option<ChunkKey> {
        if self.missed.0.load(Ordering::Relaxed) == ChunkKey::NONE.0 {
            return None;
        }
        Some(ChunkKey(self.missed.0.swap(ChunkKey::NONE.0, Ordering::Relaxed)))
    }

    pub(super) fn len(&self) -> usize {
        self.loaded
    }

    pub(super) fn contains(&self, key: ChunkKey) -> bool {
        self.slots[self.find_slot(key)].key == key
    }

    fn get_mut(&mut self, key: ChunkKey) -> Option<&mut Chunk> {
        let slot = self.find_slot(key);
        let slot = &mut self.slots[slot];
        (slot.key == key).then_some(&mut slot.chunk)
    }

    /// Inserts a chunk that is not loaded yet. Nothing holds it.
    pub(super) fn insert(&mut self, key: ChunkKey, chunk: Chunk) {
        if self.loaded * 4 >= self.slots.len() {
            let more = free_slots(self.slots.len() * 2, &self.missing);
            for slot in std::mem::replace(&mut self.slots, more) {
                if slot.key != ChunkKey::NONE {
                    let at = self.find_slot(slot.key);
                    self.slots[at] = slot;
                }
            }
        }
        let at = self.find_slot(key);
        debug_assert!(self.slots[at].key == ChunkKey::NONE, "it is there already");
        self.slots[at] = Slot { key, holds: 0, chunk };
        self.loaded += 1;
    }

    /// Removes a chunk, if it is loaded.
    pub(super) fn remove(&mut self, key: ChunkKey) -> Option<Chunk> {
        let mut free = self.find_slot(key);
        if self.slots[free].key != key {
            return None;
        }
        let none = Slot { key: ChunkKey::NONE, holds: 0, chunk: self.missing.clone() };
        let removed = std::mem::replace(&mut self.slots[free], none);
        self.loaded -= 1;
        // Close the hole in the hash table: move later entries of the run into it, but never an entry before the slot
        // where its search starts.
        let mask = self.slots.len() - 1;
        let mut next = (free + 1) & mask;
        while self.slots[next].key != ChunkKey::NONE {
            let from_home = next.wrapping_sub(self.first_slot_to_search(self.slots[next].key)) & mask;
            if from_home >= (next.wrapping_sub(free) & mask) {
                self.slots.swap(free, next);
                free = next;
            }
            next = (next + 1) & mask;
        }
        Some(removed.chunk)
    }

    /// Changes how often a loaded chunk is held. Returns the new number.
    pub(super) fn change_hold_count(&mut self, key: ChunkKey, by: i32) -> u32 {
        let slot = self.find_slot(key);
        let slot = &mut self.slots[slot];
        if slot.key == key {
            slot.holds = slot.holds.saturating_add_signed(by);
        }
        slot.holds
    }

    /// Returns how often a chunk is held.
    pub(super) fn hold_count(&self, key: ChunkKey) -> u32 {
        self.slots[self.find_slot(key)].holds
    }

    /// Returns the keys of all loaded chunks, from the lowest row up and from left to right.
    pub(super) fn keys(&self) -> Vec<ChunkKey> {
        let mut keys: Vec<_> = self.slots.iter().map(|slot| slot.key).filter(|key| *key != ChunkKey::NONE).collect();
        keys.sort_unstable();
        keys
    }

    /// Returns every loaded chunk, in no order.
    pub(super) fn chunks_mut(&mut self) -> impl Iterator<Item = &mut Chunk> {
        self.slots.iter_mut().filter(|slot| slot.key != ChunkKey::NONE).map(|slot| &mut slot.chunk)
    }

    /// Returns the slot of a chunk, or the free slot for it.
    #[inline]
    fn find_slot(&self, key: ChunkKey) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = self.first_slot_to_search(key);
        while self.slots[at].key != key && self.slots[at].key != ChunkKey::NONE {
            at = (at + 1) & mask;
        }
        at
    }

    /// Returns the slot at which the search for a chunk starts. Chunks of one row are adjacent, rows are apart.
    #[inline]
    fn first_slot_to_search(&self, key: ChunkKey) -> usize {
        let spread = (key.0 >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        (key.0 ^ spread) as usize & (self.slots.len() - 1)
    }
}

fn free_slots(count: usize, missing: &Chunk) -> Box<[Slot]> {
    vec![Slot { key: ChunkKey::NONE, holds: 0, chunk: missing.clone() }; count].into()
}

#[cfg(test)]
mod tests {
    use super::super::chunk::CELLS;
    use super::*;
    use crate::testing::Random;
    use std::collections::BTreeMap;

    fn chunk_of_cell(id: u32) -> Chunk {
        Chunk::new(&[id; CELLS], |_| false)
    }

    #[test]
    fn chunk_table_agrees_with_a_tree_map() {
        let mut table = Sparse::new(chunk_of_cell(9_999));
        let mut tree = BTreeMap::new();
        let mut random = Random(1);
        for round in 0..20_000_u32 {
            let (column, row) = (random.index(40), random.index(12));
            let key = ChunkKey::new((1 << 25) + column, (1 << 25) + row);
            assert_eq!((key.column(), key.row()), ((1 << 25) + column, (1 << 25) + row));
            // Fill the table with most of the 480 keys, then empty it again, several times.
            let fills = (round / 1500).is_multiple_of(2);
            if tree.contains_key(&key) && !fills {
                assert_eq!(table.remove(key).map(|chunk| chunk.get(0)), tree.remove(&key));
            } else if !tree.contains_key(&key) && fills {
                table.insert(key, chunk_of_cell(round));
                tree.insert(key, round);
            } else {
                assert!(fills || table.remove(key).is_none());
            }
            assert_eq!(table.len(), tree.len());
            if round % 97 == 0 {
                assert_eq!(table.keys(), tree.keys().copied().collect::<Vec<_>>());
                assert!(tree.iter().all(|(key, id)| table.chunk_at(*key).get(0) == *id));
                assert_eq!(table.take_first_missed_chunk(), None);
            }
        }
    }

    #[test]
    fn missing_chunks_are_reported() {
        let mut table = Sparse::new(chunk_of_cell(7));
        let [here, there, beyond] = [1, 2, 3].map(|i| ChunkKey::new(i, i));
        table.insert(here, chunk_of_cell(1));
        assert_eq!([here, there, beyond].map(|key| table.chunk_at(key).get(5)), [1, 7, 7]);
        assert_eq!(table.take_first_missed_chunk(), Some(there));
        assert_eq!(table.take_first_missed_chunk(), None);
        assert_eq!(
            (
                table.change_hold_count(here, 1),
                table.change_hold_count(here, 1),
                table.change_hold_count(here, -1),
                table.hold_count(here)
            ),
            (1, 2, 1, 1)
        );
    }
}
