use std::sync::Arc;

/// Cells along one side of a chunk, as a shift.
pub(super) const SHIFT: u32 = 5;
/// Cells along one side of a chunk.
pub(super) const SIDE: usize = 1 << SHIFT;
/// Cells in a chunk.
pub(super) const CELLS: usize = SIDE * SIDE;

/// The baked cells of 32 by 32 tiles by their ids, row by row; shared until it is written to.
#[derive(Clone, Debug)]
pub(super) enum Chunk {
    Narrow(Arc<[u16; CELLS]>),
    /// For ids that do not fit: only a map with very many different cells has these.
    Wide(Arc<[u32; CELLS]>),
}

impl Chunk {
    pub(super) fn new(ids: &[u32; CELLS]) -> Chunk {
        if ids.iter().all(|&id| id <= u32::from(u16::MAX)) {
            Chunk::Narrow(Arc::new(ids.map(|id| id as u16)))
        } else {
            Chunk::Wide(Arc::new(*ids))
        }
    }

    /// Becomes another chunk, in the same memory if nobody shares it.
    pub(super) fn refill(&mut self, ids: &[u32; CELLS]) {
        if let Chunk::Narrow(own) = self
            && let Some(own) = Arc::get_mut(own)
            && ids.iter().all(|&id| id <= u32::from(u16::MAX))
        {
            own.iter_mut().zip(ids).for_each(|(own, &id)| *own = id as u16);
        } else {
            *self = Chunk::new(ids);
        }
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> u32 {
        match self {
            Chunk::Narrow(ids) => u32::from(ids[index]),
            Chunk::Wide(ids) => ids[index],
        }
    }

    /// Shows the ids of some cells in a row, each with how far it is from the first.
    #[inline]
    pub(super) fn each(&self, cells: std::ops::Range<usize>, mut see: impl FnMut(usize, u32)) {
        match self {
            Chunk::Narrow(ids) => ids[cells].iter().enumerate().for_each(|(i, &id)| see(i, u32::from(id))),
            Chunk::Wide(ids) => ids[cells].iter().enumerate().for_each(|(i, &id)| see(i, id)),
        }
    }

    pub(super) fn set(&mut self, index: usize, id: u32) {
        match self {
            Chunk::Narrow(ids) if id <= u32::from(u16::MAX) => Arc::make_mut(ids)[index] = id as u16,
            Chunk::Narrow(ids) => {
                let mut wide = ids.map(u32::from);
                wide[index] = id;
                *self = Chunk::Wide(Arc::new(wide));
            }
            Chunk::Wide(ids) => Arc::make_mut(ids)[index] = id,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_widens_and_leaves_its_copies_alone() {
        let mut chunk = Chunk::new(&[7; CELLS]);
        let copy = chunk.clone();
        chunk.set(3, 8);
        assert!(matches!(chunk, Chunk::Narrow(_)));
        chunk.set(4, 65_536);
        assert!(matches!(chunk, Chunk::Wide(_)));
        assert_eq!([2, 3, 4, 5].map(|i| chunk.get(i)), [7, 8, 65_536, 7]);
        assert!((0..CELLS).all(|i| copy.get(i) == 7));
        assert!(matches!(Chunk::new(&[65_536; CELLS]), Chunk::Wide(_)));
    }

    #[test]
    fn a_chunk_that_is_filled_again_leaves_its_copies_alone() {
        let mut chunk = Chunk::new(&[7; CELLS]);
        let copy = chunk.clone();
        for id in [8, 65_536, 9] {
            chunk.refill(&[id; CELLS]);
            assert!((0..CELLS).all(|i| chunk.get(i) == id && copy.get(i) == 7));
        }
        assert!(matches!(chunk, Chunk::Narrow(_)));
    }
}
