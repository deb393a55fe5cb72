//! Tests whether a shape at rest overlaps a solid. Spawning, shape changes and the stuck flag use it.

use super::cast::Scene;
use super::source::{Owner, Source};
use super::surface::{face, touches};
use super::visit::{Bounds, CellRange};
use super::{Shape, Surfaces, shape::Form};
use crate::terrain::{BakedCell, Piece, Role};
use glam::I64Vec2;
use surefoot_geometry::Position;
use surefoot_geometry::exact::{box_overlaps_segment, circle_overlaps_segment};

impl Scene<'_> {
    /// Returns whether the interiors of a shape and of a solid intersect. Exact: touching is not an overlap.
    ///
    /// If no exposed side of a solid passes through the shape's interior, the interior is either all solid or all air.
    /// Its centre then decides. One-way edges and thin walls have no interior.
    pub(crate) fn overlaps_solid(&self, shape: Shape, position: Position) -> bool {
        self.around.sources().any(|source| source.overlaps(shape, position))
    }
}

impl Scene<'_> {
    /// Returns whether a shape overlaps a solid of the map's terrain, as [`Scene::overlaps_solid`] does for all
    /// sources.
    pub(crate) fn overlaps_terrain(&self, shape: Shape, position: Position) -> bool {
        self.around.terrain().overlaps(shape, position)
    }

    /// Returns whether a side or wall of a source passes through a shape's interior, or the shape's centre is in a
    /// solid of the source. One-way tiles do not count: a shape inside one can leave it.
    pub(crate) fn is_overlapped_by(&self, owner: Owner, shape: Shape, position: Position) -> bool {
        let source = self.around.source(owner);
        let mut meets = false;
        source.for_each_piece(shape, source.cells(&Bounds::of_motion(shape, position, I64Vec2::ZERO)), |surface| {
            meets |= surface.piece.role == Role::Face
                && face_crosses_interior(&surface.piece, shape, surface.relative_position(position))
                && !source.is_one_way_tile(&surface);
        });
        meets || source.terrain.is_solid(Position::clamped(source.relative_position(position)))
    }

    /// Adds the surfaces that a shape touches to a list, for the sources selected by the caller.
    pub(crate) fn add_touched_of_other_sources(
        &self,
        shape: Shape,
        position: Position,
        asks: impl Fn(Owner) -> bool,
        surfaces: &mut Surfaces,
    ) {
        let bounds = Bounds::of_motion(shape, position, I64Vec2::ZERO);
        let platforms = self.around.platforms_within(&bounds);
        for source in std::iter::once(self.around.terrain()).chain(platforms).filter(|source| asks(source.owner)) {
            source.for_each_piece(shape, source.cells(&bounds), |surface| {
                if touches(&surface.piece, shape, surface.relative_position(position)) {
                    surfaces.push(surface);
                }
            });
        }
        self.around.join_touched_surfaces(surfaces);
    }
}

/// Returns whether a face passes through the interior of a shape with its centre there, relative to the face's cell.
fn face_crosses_interior(piece: &Piece, shape: Shape, center: I64Vec2) -> bool {
    let face = face(piece);
    let (a, b) = (face.a - center, face.b - center);
    match shape.0 {
        Form::Aabb { half } => box_overlaps_segment(half.into(), a, b, face.normal),
        Form::Circle { radius } => circle_overlaps_segment(radius, a, b, face.normal),
    }
}

impl Source<'_> {
    fn overlaps(&self, shape: Shape, position: Position) -> bool {
        let CellRange { low, high } = self.cells(&Bounds::of_motion(shape, position, I64Vec2::ZERO));
        let mut cells = (low.1..=high.1).flat_map(|y| (low.0..=high.0).map(move |x| (x, y)));
        cells.any(|cell| self.side_crosses_interior(shape, position, cell))
            || self.terrain.is_solid(Position::clamped(self.relative_position(position)))
    }

    fn side_crosses_interior(&self, shape: Shape, position: Position, cell: (i32, i32)) -> bool {
        let baked: &BakedCell = self.terrain.cell(cell.0, cell.1);
        let center = position.units() - self.cell_corner(cell);
        self.terrain.solid_faces(baked).iter().any(|piece| face_crosses_interior(piece, shape, center))
    }
}
