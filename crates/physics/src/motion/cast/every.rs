//! Cast that passes through everything: it reports the hit with each piece of terrain as if that piece were alone.

use super::{BoxCast, Cast, CircleCast, List, Listed, Looking, cast_at_all_sources, earlier_time};
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
    let (way, hits) = ((position, motion), Hits::default());
    match shape.0 {
        Form::Aabb { half } => {
            cast_at_all_sources(
                &mut EveryBox { half: half.into(), motion, hits, see },
                scene,
                shape,
                way,
                looking,
                None,
            );
        }
        Form::Circle { radius } => {
            cast_at_all_sources(&mut EveryCircle { radius, motion, hits, see }, scene, shape, way, looking, None);
        }
    }
}

struct EveryBox<F> {
    half: I64Vec2,
    motion: I64Vec2,
    hits: Hits,
    see: F,
}

struct EveryCircle<F> {
    radius: i64,
    motion: I64Vec2,
    hits: Hits,
    see: F,
}

impl<F: FnMut(f64, &Surface)> Cast for EveryBox<F> {
    fn hittable_pieces<'a>(terrain: &'a Terrain, baked: &BakedCell) -> &'a [Piece] {
        terrain.box_pieces(baked)
    }

    fn record_hits_in_cell<'a>(
        &mut self,
        pieces: &'a [Piece],
        position: Position,
        of: (Owner, I64Vec2),
        list: &mut Option<&mut List<'a>>,
    ) {
        for i in 0..pieces.len() {
            self.hits.clear();
            let mut cast = BoxCast { half: self.half, motion: self.motion, best: None, hits: &mut self.hits };
            cast.record_hits_in_cell(&pieces[i..=i], position, of, list);
            if let (Some(toi), Some(surface)) = (cast.earliest_time(), self.hits.surfaces.first()) {
                (self.see)(toi, surface);
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

impl<F: FnMut(f64, &Surface)> Cast for EveryCircle<F> {
    fn hittable_pieces<'a>(terrain: &'a Terrain, baked: &BakedCell) -> &'a [Piece] {
        terrain.circle_pieces(baked)
    }

    fn record_hits_in_cell<'a>(
        &mut self,
        pieces: &'a [Piece],
        position: Position,
        of: (Owner, I64Vec2),
        list: &mut Option<&mut List<'a>>,
    ) {
        for i in 0..pieces.len() {
            self.hits.clear();
            let (radius, motion) = (self.radius, self.motion);
            let mut cast = CircleCast { radius, motion, face: None, arc: None, hits: &mut self.hits };
            cast.record_hits_in_cell(&pieces[i..=i], position, of, list);
            let toi = earlier_time(cast.face, cast.arc);
            let surface = self.hits.surfaces.first().or(self.hits.arcs.first());
            if let (Some(toi), Some(surface)) = (toi, surface) {
                (self.see)(toi, surface);
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
