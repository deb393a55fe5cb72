//! Cast that passes through everything: it reports the hit with each piece of terrain as if that piece were alone.

use super::{BoxCast, Cast, CircleCast, List, Listed, Looking, cast_at_all_sources};
use crate::motion::hits::Hits;
use crate::motion::shape::Form;
use crate::motion::surface::Surface;
use crate::motion::{Owner, Scene, Shape};
use crate::terrain::{BakedCell, Piece, Terrain};
use glam::I64Vec2;
use surefoot_geometry::Position;
use surefoot_geometry::exact::FaceOffsets;

/// Calls `see` with every surface that a shape would hit if nothing stopped the shape, and with the time of impact.
/// The order is arbitrary.
pub(crate) fn for_each_hit(
    scene: &Scene<'_>,
    shape: Shape,
    position: Position,
    motion: I64Vec2,
    see: impl FnMut(f64, &Surface),
) {
    let Some(looking) = Looking::cells_near_motion(scene, shape, position, motion) else { return };
    let mut every = EveryHit { form: shape.0, motion, hits: Hits::default(), see };
    cast_at_all_sources(&mut every, scene, shape, (position, motion), looking, None);
}

struct EveryHit<F> {
    form: Form,
    motion: I64Vec2,
    /// Hits with the current piece; cleared for each piece.
    hits: Hits,
    see: F,
}

impl<F: FnMut(f64, &Surface)> Cast for EveryHit<F> {
    fn hittable_pieces<'a>(&self, terrain: &'a Terrain, baked: &BakedCell) -> &'a [Piece] {
        match self.form {
            Form::Aabb { .. } => terrain.box_pieces(baked),
            Form::Circle { .. } => terrain.circle_pieces(baked),
        }
    }

    fn record_hits_in_cell<'a>(
        &mut self,
        pieces: &'a [Piece],
        position: Position,
        of: (Owner, I64Vec2),
        list: &mut Option<&mut List<'a>>,
    ) {
        let EveryHit { form, motion, ref mut hits, ref mut see } = *self;
        for piece in pieces.chunks(1) {
            hits.clear();
            let toi = match form {
                Form::Aabb { half } => {
                    let mut cast = BoxCast { half: half.into(), motion, best: None, hits };
                    cast.record_hits_in_cell(piece, position, of, list);
                    cast.earliest_time()
                }
                Form::Circle { radius } => {
                    let mut cast = CircleCast { radius, motion, face: None, arc: None, hits };
                    cast.record_hits_in_cell(piece, position, of, list);
                    cast.earliest_time()
                }
            };
            // A box hits no arcs.
            if let (Some(toi), Some(surface)) = (toi, hits.surfaces.first().or(hits.arcs.first())) {
                see(toi, surface);
            }
        }
    }

    fn face_offsets(&self, _: I64Vec2, _: &Piece) -> FaceOffsets {
        FaceOffsets::NONE
    }

    fn record_hit_on_piece(&mut self, _: Position, _: &Listed<'_>) {}

    fn earliest_time(&self) -> Option<f64> {
        None
    }
}
