//! The pieces around a shape: gathered once, asked often, and kept by a body from tick to tick while it stays near them.
//!
//! Nothing here decides what a shape meets, only what is looked at: always every piece that the shape's bounds reach.

use super::cast::Scene;
use super::surface::Surface;
use super::visit::{Bounds, CellRange};
use super::{Shape, tolerance};
use crate::catalogue::LATTICE;
use crate::terrain::Piece;
use glam::I64Vec2;
use surefoot_geometry::ONE;

/// The pieces of a rectangle of cells around a body, with their bounds packed for a quick look.
#[derive(Debug)]
pub(crate) struct Nearby {
    /// What the rectangle covers, in units; nothing at all before the first look.
    covered: Bounds,
    /// The rectangle holds more pieces than are kept.
    crowded: bool,
    /// Where the packed bounds count from: the lower left corner of the rectangle.
    corner: I64Vec2,
    keys: Vec<Key>,
    surfaces: Vec<Surface>,
}

/// Pieces that a motion may meet, and the bounds within which they are all.
#[derive(Clone, Debug)]
pub(crate) struct Within {
    pub(super) bounds: Bounds,
    pub(super) surfaces: Vec<Surface>,
}

impl Nearby {
    /// Nothing yet; room for as many pieces as are ever kept, so that no step allocates.
    pub(crate) fn new() -> Nearby {
        Nearby {
            covered: Bounds::NONE,
            crowded: false,
            corner: I64Vec2::ZERO,
            keys: Vec::with_capacity(tolerance::KEPT),
            surfaces: Vec::with_capacity(tolerance::KEPT),
        }
    }

    /// Forgets the pieces if a cell or one of its neighbours is among theirs: it was painted.
    pub(crate) fn forget(&mut self, low: (i32, i32), high: (i32, i32)) {
        let edge = |cell: (i32, i32), past: i64| {
            I64Vec2::new((i64::from(cell.0) + past) * ONE, (i64::from(cell.1) + past) * ONE)
        };
        if self.covered.meets(&Bounds { low: edge(low, -1), high: edge(high, 2) }) {
            self.covered = Bounds::NONE;
        }
    }

    /// Makes sure that a motion within these bounds is covered; `false` if there are too many pieces to keep.
    #[inline]
    fn cover(&mut self, scene: &Scene<'_>, shape: Shape, bounds: &Bounds, range: CellRange, motion: I64Vec2) -> bool {
        if !self.covered.covers(bounds) {
            self.gather(scene, shape, range.ahead(motion));
        }
        !self.crowded
    }

    #[inline(never)]
    fn gather(&mut self, scene: &Scene<'_>, shape: Shape, range: CellRange) {
        self.covered = range.bounds();
        self.corner = self.covered.low;
        self.keys.clear();
        self.surfaces.clear();
        let mut crowded = false;
        scene.each_piece(shape, range, |cell, piece| {
            if self.surfaces.len() == tolerance::KEPT {
                crowded = true;
                return;
            }
            self.keys.push(Key::of(piece, (cell.0 - range.low.0, cell.1 - range.low.1)));
            self.surfaces.push(Surface { cell, piece: *piece });
        });
        self.crowded = crowded;
    }
}

/// A copy starts with nothing: what is near is found again, and is the same.
impl Clone for Nearby {
    fn clone(&self) -> Nearby {
        Nearby::new()
    }
}

impl Default for Within {
    fn default() -> Within {
        Within { bounds: Bounds::NONE, surfaces: Vec::new() }
    }
}

impl Within {
    /// Makes these the pieces that a motion can meet, from what a body keeps if that will do, else from the terrain; for a
    /// long motion answers with its cells instead.
    #[inline]
    pub(super) fn look(
        &mut self,
        scene: &Scene<'_>,
        shape: Shape,
        near: Option<&mut Nearby>,
        (bounds, motion): (Bounds, I64Vec2),
    ) -> Option<CellRange> {
        if self.bounds.covers(&bounds) {
            return None;
        }
        if let Some(near) = near {
            if !near.covered.covers(&bounds) || near.crowded {
                let range = bounds.cells();
                if range.count() > tolerance::GATHERED {
                    return Some(range);
                }
                if !near.cover(scene, shape, &bounds, range, motion) {
                    self.gather(scene, shape, range);
                    return None;
                }
            }
            self.pick(near, bounds);
            return None;
        }
        let range = bounds.cells();
        if range.count() > tolerance::GATHERED {
            return Some(range);
        }
        self.gather(scene, shape, range);
        None
    }

    /// All pieces of a rectangle of cells.
    fn gather(&mut self, scene: &Scene<'_>, shape: Shape, range: CellRange) {
        self.bounds = range.bounds();
        self.surfaces.clear();
        scene.each_piece(shape, range, |cell, piece| self.surfaces.push(Surface { cell, piece: *piece }));
    }

    /// Those kept pieces whose bounds meet these.
    #[inline]
    fn pick(&mut self, near: &Nearby, bounds: Bounds) {
        self.bounds = bounds;
        self.surfaces.clear();
        let query = Query::of(&bounds, near.corner);
        for (key, surface) in near.keys.iter().zip(&near.surfaces) {
            if query.meets(*key) {
                self.surfaces.push(*surface);
            }
        }
    }
}

/// The bounds of a piece in lattice steps from a corner, four numbers of 16 bits: the upper ends of x and y as they are,
/// the lower ends negated, each with an offset that keeps it positive.
#[derive(Clone, Copy, Debug)]
struct Key(u64);

/// Bounds to compare with: added to a key, each of its numbers has its highest bit set exactly if that end is met.
#[derive(Clone, Copy, Debug)]
struct Query(u64);

const OFFSET: i64 = 0x2000;
const MET: u64 = 0x8000_8000_8000_8000;

impl Key {
    fn of(piece: &Piece, cell: (i32, i32)) -> Key {
        let (low, high) = (piece.a.min(piece.b), piece.a.max(piece.b));
        let (x, y) = (i64::from(cell.0) * i64::from(LATTICE), i64::from(cell.1) * i64::from(LATTICE));
        Key(packed([
            x + i64::from(high.x) + OFFSET,
            y + i64::from(high.y) + OFFSET,
            OFFSET - x - i64::from(low.x),
            OFFSET - y - i64::from(low.y),
        ]))
    }
}

impl Query {
    /// Bounds in units, rounded outwards to lattice steps.
    #[inline]
    fn of(bounds: &Bounds, corner: I64Vec2) -> Query {
        const STEP_BITS: u32 = crate::terrain::STEP.trailing_zeros();
        let (low, high) = (bounds.low - corner, bounds.high - corner);
        let rest = 0x8000 - OFFSET;
        Query(packed([
            rest - (low.x >> STEP_BITS),
            rest - (low.y >> STEP_BITS),
            rest + (high.x >> STEP_BITS) + 1,
            rest + (high.y >> STEP_BITS) + 1,
        ]))
    }

    #[inline]
    fn meets(self, key: Key) -> bool {
        (self.0 + key.0) & MET == MET
    }
}

/// Four numbers of 16 bits in one of 64. A rectangle of cells is far smaller than the offset, so none spills over.
#[inline]
fn packed(numbers: [i64; 4]) -> u64 {
    let [a, b, c, d] = numbers.map(|n| n as u64);
    a | b << 16 | c << 32 | d << 48
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::Role;
    use glam::I8Vec2;

    #[test]
    fn packed_bounds_meet_as_plain_ones_do() {
        let step = crate::terrain::STEP;
        let point = |x: i64, y: i64| I8Vec2::new(x as i8, y as i8);
        let corner = I64Vec2::new(-3 * ONE, 5 * ONE);
        for n in 0..4096_i64 {
            // A walk through small numbers with strides that share no factor.
            let pick = |stride: i64, below: i64| (n * stride + n / 7) % below;
            let (a, b) = (point(pick(5, 17), pick(7, 17)), point(pick(11, 17), pick(3, 17)));
            let cell = (pick(13, 6) as i32, pick(17, 6) as i32);
            let none = I8Vec2::ZERO;
            let piece = Piece {
                role: Role::Face,
                edge: 0,
                a,
                b,
                normal: none,
                before: none,
                after: none,
                gate: none,
                partner: none,
            };
            let low = corner + I64Vec2::new(pick(19, 96), pick(23, 96)) * step - I64Vec2::splat(pick(29, 3));
            let bounds = Bounds { low, high: low + I64Vec2::new(pick(31, 40), pick(37, 40)) * step };
            let at = |p: I8Vec2| {
                corner + I64Vec2::new(i64::from(cell.0), i64::from(cell.1)) * ONE + p.as_i64vec2() * step
            };
            let (first, second) = (at(a.min(b)), at(a.max(b)));
            let meets = second.cmpge(bounds.low).all() && first.cmple(bounds.high).all();
            let quick = Query::of(&bounds, corner).meets(Key::of(&piece, cell));
            assert!(quick || !meets, "{bounds:?} {piece:?} {cell:?}");
            // Rounded outwards by less than two steps.
            let wide = Bounds { low: bounds.low - 2 * step, high: bounds.high + 2 * step };
            let near = second.cmpge(wide.low).all() && first.cmple(wide.high).all();
            assert!(near || !quick, "{bounds:?} {piece:?} {cell:?}");
        }
    }
}
