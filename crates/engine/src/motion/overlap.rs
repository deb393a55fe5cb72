//! Whether a resting shape overlaps a solid.

use super::cast::Scene;
use super::source::Source;
use super::surface::face;
use super::visit::{Bounds, CellRange};
use super::{Shape, shape::Form};
use crate::terrain::BakedCell;
use glam::I64Vec2;
use surefoot_geometry::Position;
use surefoot_geometry::exact::{box_meets_segment, circle_meets_segment};

impl Scene<'_> {
    /// Whether the interior of a shape meets the interior of a solid; exact, touching is no overlap.
    ///
    /// If no exposed side of a solid passes through the interior, the whole of it is either solid or air, and its centre
    /// tells which. Open edges and thin walls have no interior.
    pub(crate) fn overlaps_solid(&self, shape: Shape, position: Position) -> bool {
        self.around.sources().any(|source| source.overlaps(shape, position))
    }
}

impl Source<'_> {
    fn overlaps(&self, shape: Shape, position: Position) -> bool {
        let CellRange { low, high } = self.cells(&Bounds::of(shape, position, I64Vec2::ZERO));
        let mut cells = (low.1..=high.1).flat_map(|y| (low.0..=high.0).map(move |x| (x, y)));
        cells.any(|cell| self.side_passes_through(shape, position, cell))
            || self.terrain.is_solid(Position::clamped(self.seen(position)))
    }

    fn side_passes_through(&self, shape: Shape, position: Position, cell: (i32, i32)) -> bool {
        let baked: &BakedCell = self.terrain.cell(cell.0, cell.1);
        let center = position.units() - self.at(cell);
        self.terrain.solid_faces(baked).iter().any(|piece| {
            let face = face(piece);
            let (a, b) = (face.a - center, face.b - center);
            match shape.0 {
                Form::Aabb { half } => box_meets_segment(half.into(), a, b, face.normal),
                Form::Circle { radius } => circle_meets_segment(radius, a, b, face.normal),
            }
        })
    }
}
