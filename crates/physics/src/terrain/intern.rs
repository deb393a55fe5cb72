use super::legend::{Legend, StackId};
use super::piece::{Piece, Role};
use std::collections::HashMap;

/// Id of the empty cell, which is interned first.
pub(super) const EMPTY: u32 = 0;

/// A baked cell: its stack, and the pieces that a moving shape can hit. Equal cells are stored once. Pieces are in the
/// order arcs, faces, vertices, so that circles and boxes each read one slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BakedCell {
    /// Index of the cell's first piece. The order is: arcs, then faces, then vertices.
    start: u32,
    arcs: u16,
    faces: u16,
    vertices: u16,
    /// Number of faces, from the first, that are sides of solids.
    solid_faces: u16,
    stack: StackId,
}

impl BakedCell {
    /// Returns the stack of the cell.
    pub(super) fn stack(&self) -> StackId {
        self.stack
    }

    /// Returns how many of its faces are sides of solids.
    pub(super) fn solid_face_count(&self) -> usize {
        usize::from(self.solid_faces)
    }
}

/// All distinct baked cells. [`super::reference_counts::ReferenceCounts`] knows which of them no tile has any longer.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    cells: Vec<BakedCell>,
    pieces: Vec<Piece>,
    /// Number of pieces that belong to no cell any longer.
    lost: usize,
    ids: HashMap<Key, u32>,
}

/// Key that distinguishes baked cells.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) stack: StackId,
    /// Arcs, then faces, then vertices.
    pub(super) pieces: Vec<Piece>,
}

impl Cells {
    /// Creates a list with only the empty cell.
    pub(super) fn with_empty_cell() -> Cells {
        let mut cells = Cells::default();
        let empty = cells.intern(Key { stack: StackId::EMPTY, pieces: Vec::new() }, 0);
        debug_assert_eq!(empty, EMPTY);
        cells
    }

    /// Returns the number of cells.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Returns the key of a cell.
    pub(super) fn key(&self, id: u32) -> Key {
        let cell = self.get(id);
        let count = usize::from(cell.arcs) + usize::from(cell.faces) + usize::from(cell.vertices);
        Key { stack: cell.stack, pieces: self.pieces[cell.start as usize..][..count].to_vec() }
    }

    #[inline]
    pub(super) fn get(&self, id: u32) -> &BakedCell {
        &self.cells[id as usize]
    }

    /// Returns whether nothing can touch a cell: see [`Shape::is_blank`](super::shape::Shape::is_blank).
    pub(super) fn is_blank(&self, id: u32, legend: &Legend) -> bool {
        id == EMPTY || legend.shape(self.get(id).stack).is_blank()
    }

    /// Returns the pieces that a circle can hit: arcs, then faces.
    #[inline]
    pub(super) fn circle_pieces(&self, cell: &BakedCell) -> &[Piece] {
        let start = cell.start as usize;
        &self.pieces[start..start + usize::from(cell.arcs) + usize::from(cell.faces)]
    }

    /// Returns the pieces that a box can hit: faces, then vertices.
    #[inline]
    pub(super) fn box_pieces(&self, cell: &BakedCell) -> &[Piece] {
        let start = cell.start as usize + usize::from(cell.arcs);
        &self.pieces[start..start + usize::from(cell.faces) + usize::from(cell.vertices)]
    }

    /// Returns the faces only.
    pub(super) fn faces(&self, cell: &BakedCell) -> &[Piece] {
        let start = cell.start as usize + usize::from(cell.arcs);
        &self.pieces[start..start + usize::from(cell.faces)]
    }

    /// Returns the faces that are sides of solids.
    pub(super) fn solid_faces(&self, cell: &BakedCell) -> &[Piece] {
        &self.faces(cell)[..usize::from(cell.solid_faces)]
    }

    pub(super) fn find(&self, key: &Key) -> Option<u32> {
        self.ids.get(key).copied()
    }

    /// Returns the id of a cell, old or new. `solid_faces`: how many of its faces are sides of solids.
    pub(super) fn intern(&mut self, key: Key, solid_faces: usize) -> u32 {
        if let Some(id) = self.find(&key) {
            return id;
        }
        let id = self.cells.len() as u32;
        let cell = self.store_pieces(&key, solid_faces);
        self.cells.push(cell);
        self.ids.insert(key, id);
        id
    }

    /// Reuses an id for a new cell. No tile may have the id.
    pub(super) fn reuse_id(&mut self, id: u32, key: Key, solid_faces: usize) -> u32 {
        let before = self.key(id);
        self.lost += before.pieces.len();
        self.ids.remove(&before);
        self.cells[id as usize] = self.store_pieces(&key, solid_faces);
        self.ids.insert(key, id);
        // Moving the used pieces together takes time. It is worthwhile once more than half of the stored pieces are
        // unused.
        if self.lost > self.pieces.len() / 2 {
            self.compact_pieces();
        }
        id
    }

    /// Returns the number of pieces in memory.
    #[cfg(test)]
    pub(super) fn piece_count(&self) -> usize {
        self.pieces.len()
    }

    fn store_pieces(&mut self, key: &Key, solid_faces: usize) -> BakedCell {
        // The counts fit into 16 bits: each of at most 255 sides of a cell has at most 16 faces, with an arc and two
        // vertices at either end.
        let count = |role| key.pieces.iter().filter(|piece| piece.role == role).count() as u16;
        let start = self.pieces.len() as u32;
        self.pieces.extend_from_slice(&key.pieces);
        BakedCell {
            start,
            arcs: count(Role::Arc),
            faces: count(Role::Face),
            vertices: count(Role::Vertex),
            solid_faces: solid_faces as u16,
            stack: key.stack,
        }
    }

    /// Drops the pieces that belong to no cell.
    fn compact_pieces(&mut self) {
        let mut kept = Vec::with_capacity(self.pieces.len() - self.lost);
        for i in 0..self.cells.len() {
            let start = kept.len() as u32;
            kept.extend(self.key(i as u32).pieces);
            self.cells[i].start = start;
        }
        (self.pieces, self.lost) = (kept, 0);
    }
}
