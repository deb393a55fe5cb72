use super::legend::StackId;
use super::piece::{Piece, Role};
use std::collections::HashMap;

/// The id of the empty cell: it is interned first.
pub(super) const EMPTY: u32 = 0;

/// What a cell is and what of it a moving shape can meet; equal cells are stored once. Its pieces are in the order
/// arcs, faces, vertices, so that a circle and a box each read one slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BakedCell {
    /// Where its pieces begin: arcs, then faces, then vertices.
    start: u32,
    arcs: u16,
    faces: u16,
    vertices: u16,
    /// How many of the faces, from the first, are sides of solids.
    solid_faces: u16,
    stack: StackId,
}

impl BakedCell {
    /// What the cell is.
    pub(super) fn stack(&self) -> StackId {
        self.stack
    }

    /// How many of its faces are sides of solids.
    pub(super) fn solid_faces(&self) -> usize {
        usize::from(self.solid_faces)
    }
}

/// All distinct baked cells. Which of them no tile shows any more is known to [`super::reference_counts::ReferenceCounts`].
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    cells: Vec<BakedCell>,
    pieces: Vec<Piece>,
    /// How many of the pieces belong to no cell any more.
    lost: usize,
    ids: HashMap<Key, u32>,
}

/// What tells baked cells apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) stack: StackId,
    /// Arcs, then faces, then vertices.
    pub(super) pieces: Vec<Piece>,
}

impl Cells {
    /// The empty cell alone.
    pub(super) fn with_empty() -> Cells {
        let mut cells = Cells::default();
        let empty = cells.intern(Key { stack: StackId::EMPTY, pieces: Vec::new() }, 0);
        debug_assert_eq!(empty, EMPTY);
        cells
    }

    /// How many cells there are.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// What tells a cell from the others.
    pub(super) fn key(&self, id: u32) -> Key {
        let cell = self.get(id);
        let count = usize::from(cell.arcs) + usize::from(cell.faces) + usize::from(cell.vertices);
        Key { stack: cell.stack, pieces: self.pieces[cell.start as usize..][..count].to_vec() }
    }

    #[inline]
    pub(super) fn get(&self, id: u32) -> &BakedCell {
        &self.cells[id as usize]
    }

    /// What a circle can meet: arcs, then faces.
    #[inline]
    pub(super) fn circle_pieces(&self, cell: &BakedCell) -> &[Piece] {
        let start = cell.start as usize;
        &self.pieces[start..start + usize::from(cell.arcs) + usize::from(cell.faces)]
    }

    /// What a box can meet: faces, then vertices.
    #[inline]
    pub(super) fn box_pieces(&self, cell: &BakedCell) -> &[Piece] {
        let start = cell.start as usize + usize::from(cell.arcs);
        &self.pieces[start..start + usize::from(cell.faces) + usize::from(cell.vertices)]
    }

    /// The faces alone.
    pub(super) fn faces(&self, cell: &BakedCell) -> &[Piece] {
        let start = cell.start as usize + usize::from(cell.arcs);
        &self.pieces[start..start + usize::from(cell.faces)]
    }

    /// The faces that are sides of solids.
    pub(super) fn solid_faces(&self, cell: &BakedCell) -> &[Piece] {
        &self.faces(cell)[..usize::from(cell.solid_faces)]
    }

    pub(super) fn find(&self, key: &Key) -> Option<u32> {
        self.ids.get(key).copied()
    }

    /// The id of a cell, old or new; the key says how many of its faces are sides of solids.
    pub(super) fn intern(&mut self, key: Key, solid_faces: usize) -> u32 {
        if let Some(id) = self.find(&key) {
            return id;
        }
        let id = self.cells.len() as u32;
        let cell = self.store(&key, solid_faces);
        self.cells.push(cell);
        self.ids.insert(key, id);
        id
    }

    /// Gives an id to another cell, which is new. No tile may show the id.
    pub(super) fn replace(&mut self, id: u32, key: Key, solid_faces: usize) -> u32 {
        let before = self.key(id);
        self.lost += before.pieces.len();
        self.ids.remove(&before);
        self.cells[id as usize] = self.store(&key, solid_faces);
        self.ids.insert(key, id);
        // So much was given up since the last time that moving what is left is paid for.
        if self.lost > self.pieces.len() / 2 {
            self.tidy();
        }
        id
    }

    /// How many pieces there are in memory.
    #[cfg(test)]
    pub(super) fn pieces_len(&self) -> usize {
        self.pieces.len()
    }

    fn store(&mut self, key: &Key, solid_faces: usize) -> BakedCell {
        // Of the at most 255 sides of a cell each is at most 16 faces, with an arc and two vertices at either end: it fits.
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
    fn tidy(&mut self) {
        let mut kept = Vec::with_capacity(self.pieces.len() - self.lost);
        for i in 0..self.cells.len() {
            let start = kept.len() as u32;
            kept.extend(self.key(i as u32).pieces);
            self.cells[i].start = start;
        }
        (self.pieces, self.lost) = (kept, 0);
    }
}
