use std::sync::Arc;

/// Cells along one side of a chunk, as a power of two.
pub(super) const SHIFT: u32 = SIDE.trailing_zeros();
/// Cells along one side of a chunk.
pub(super) const SIDE: usize = crate::tiles::map::CHUNK_SIDE;
/// Cells in a chunk.
pub(super) const CELLS: usize = SIDE * SIDE;

/// Ids of the baked cells of 32 by 32 tiles, row by row. Shared until it is written to.
#[derive(Clone, Debug)]
pub(super) enum Chunk {
    Narrow(Arc<Ids<u16>>),
    /// Ids that do not fit into 16 bits. Only a map with very many distinct cells has such ids.
    Wide(Arc<Ids<u32>>),
}

/// Ids, and one bit per cell that is not blank: one number per row, with the lowest bit on the left.
#[derive(Clone, Debug)]
pub(super) struct Ids<T> {
    shown: [u32; SIDE],
    ids: [T; CELLS],
}

impl<T> Ids<T> {
    fn set(&mut self, index: usize, id: T, is_blank: bool) {
        let (row, bit) = (index >> SHIFT, 1 << (index & (SIDE - 1)));
        self.shown[row] = if is_blank { self.shown[row] & !bit } else { self.shown[row] | bit };
        self.ids[index] = id;
    }
}

impl Chunk {
    /// `is_blank`: whether the cell with an id has no edges and is not solid, so that nothing can touch it.
    pub(super) fn new(ids: &[u32; CELLS], is_blank: impl Fn(u32) -> bool) -> Chunk {
        let shown = bits_of_cells(ids, is_blank);
        match ids_in_16_bits_if_small(ids) {
            Some(ids) => Chunk::Narrow(Arc::new(Ids { shown, ids })),
            None => Chunk::Wide(Arc::new(Ids { shown, ids: *ids })),
        }
    }

    /// Becomes another chunk, in the same memory if it is not shared.
    pub(super) fn refill(&mut self, ids: &[u32; CELLS], is_blank: impl Fn(u32) -> bool) {
        if let Chunk::Narrow(own) = self
            && let Some(own) = Arc::get_mut(own)
            && let Some(narrow) = ids_in_16_bits_if_small(ids)
        {
            *own = Ids { shown: bits_of_cells(ids, is_blank), ids: narrow };
        } else {
            *self = Chunk::new(ids, is_blank);
        }
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> u32 {
        match self {
            Chunk::Narrow(ids) => u32::from(ids.ids[index]),
            Chunk::Wide(ids) => ids.ids[index],
        }
    }

    /// Returns which cells are not blank: one number per row, with the lowest bit on the left.
    #[inline]
    pub(super) fn bits_of_cells_with_pieces(&self) -> &[u32; SIDE] {
        match self {
            Chunk::Narrow(ids) => &ids.shown,
            Chunk::Wide(ids) => &ids.shown,
        }
    }

    /// Calls `see` with the index and the id of each cell.
    pub(super) fn for_each(&self, mut see: impl FnMut(usize, u32)) {
        match self {
            Chunk::Narrow(ids) => ids.ids.iter().enumerate().for_each(|(i, &id)| see(i, u32::from(id))),
            Chunk::Wide(ids) => ids.ids.iter().enumerate().for_each(|(i, &id)| see(i, id)),
        }
    }

    pub(super) fn set(&mut self, index: usize, id: u32, is_blank: bool) {
        match self {
            Chunk::Narrow(ids) if id <= u32::from(u16::MAX) => Arc::make_mut(ids).set(index, id as u16, is_blank),
            Chunk::Narrow(ids) => {
                let mut wide = Ids { shown: ids.shown, ids: ids.ids.map(u32::from) };
                wide.set(index, id, is_blank);
                *self = Chunk::Wide(Arc::new(wide));
            }
            Chunk::Wide(ids) => Arc::make_mut(ids).set(index, id, is_blank),
        }
    }
}

/// Returns a bit for each cell that is not blank: one number per row, with the lowest bit on the left.
fn bits_of_cells(ids: &[u32; CELLS], is_blank: impl Fn(u32) -> bool) -> [u32; SIDE] {
    std::array::from_fn(|row| {
        let row = &ids[row << SHIFT..(row + 1) << SHIFT];
        row.iter().rev().fold(0, |bits, id| bits << 1 | u32::from(!is_blank(*id)))
    })
}

/// Returns the ids in 16 bits, if all of them fit.
fn ids_in_16_bits_if_small(ids: &[u32; CELLS]) -> Option<[u16; CELLS]> {
    ids.iter().all(|&id| id <= u32::from(u16::MAX)).then(|| ids.map(|id| id as u16))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::intern::EMPTY;

    /// A cell that is not empty, but blank.
    const COIN: u32 = 4;

    fn is_blank(id: u32) -> bool {
        id == EMPTY || id == COIN
    }

    #[test]
    fn a_chunk_widens_and_leaves_its_copies_alone() {
        let mut chunk = Chunk::new(&[7; CELLS], is_blank);
        let copy = chunk.clone();
        chunk.set(3, 8, false);
        assert!(matches!(chunk, Chunk::Narrow(_)));
        chunk.set(4, 65_536, false);
        assert!(matches!(chunk, Chunk::Wide(_)));
        assert_eq!([2, 3, 4, 5].map(|i| chunk.get(i)), [7, 8, 65_536, 7]);
        assert!((0..CELLS).all(|i| copy.get(i) == 7));
        assert!(matches!(Chunk::new(&[65_536; CELLS], is_blank), Chunk::Wide(_)));
    }

    #[test]
    fn bits_of_cells_with_pieces_follow_edits() {
        let mut ids = [EMPTY; CELLS];
        ids[SIDE..SIDE + 3].copy_from_slice(&[5, COIN, 7]);
        let mut chunk = Chunk::new(&ids, is_blank);
        let check = |chunk: &Chunk| {
            for index in 0..CELLS {
                let bit = chunk.bits_of_cells_with_pieces()[index >> SHIFT] >> (index & (SIDE - 1)) & 1;
                assert_eq!(bit == 1, !is_blank(chunk.get(index)), "{index}");
            }
        };
        check(&chunk);
        for (index, id) in [(SIDE, EMPTY), (SIDE + 2, COIN), (2 * SIDE - 1, 9), (0, 70_000), (0, EMPTY), (CELLS - 1, 1)]
        {
            chunk.set(index, id, is_blank(id));
            check(&chunk);
        }
        chunk.refill(&ids, is_blank);
        check(&chunk);
    }

    #[test]
    fn a_chunk_that_is_filled_again_leaves_its_copies_alone() {
        let mut chunk = Chunk::new(&[7; CELLS], is_blank);
        let copy = chunk.clone();
        for id in [8, 65_536, 9] {
            chunk.refill(&[id; CELLS], is_blank);
            assert!((0..CELLS).all(|i| chunk.get(i) == id && copy.get(i) == 7));
        }
        assert!(matches!(chunk, Chunk::Narrow(_)));
    }
}
