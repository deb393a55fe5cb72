//! A shape cast against the terrain: the earliest contact and every surface that is met at that time.

use super::nearby::{Nearby, Within};
use super::shape::Form;
use super::surface::{Surface, corner, face, relative, touches};
use super::tolerance;
use super::visit::{Bounds, CellRange, visit_path};
use super::{Frame, Shape, Surfaces};
use crate::terrain::{BakedCell, Piece, Role, Terrain};
use glam::{DVec2, I8Vec2, I64Vec2};
use surefoot_geometry::Place;
use surefoot_geometry::exact::{Fraction, MovingBox, MovingCircle};
use surefoot_geometry::tolerance::ARC_LEAD;

/// What bodies move over.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) terrain: &'a Terrain,
    pub(crate) frame: Frame,
}

/// Lists that a probe fills again and again, so that no move allocates once they have grown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    within: Within,
    hits: Hits,
    recheck: Hits,
    pub(super) held: Vec<Surface>,
    pub(super) spare: Vec<Surface>,
}

/// One shape among the terrain: casts it, asks what it touches, moves it.
///
/// The pieces around a short motion are gathered once and then asked as often as needed.
pub(crate) struct Probe<'a> {
    pub(crate) scene: Scene<'a>,
    pub(crate) shape: Shape,
    /// What the body keeps from tick to tick.
    near: Option<&'a mut Nearby>,
    pub(super) scratch: &'a mut Scratch,
}

/// What a cast has met at the earliest time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hits {
    pub(crate) surfaces: Vec<Surface>,
    /// For each of them the neighbour's normal if a box meets it exactly at its end, else zero. Empty for circles.
    ties: Vec<I64Vec2>,
    /// The arcs met, apart from the faces until it is known which count.
    arcs: Vec<Surface>,
}

impl<'a> Probe<'a> {
    /// A probe that gathers what its motions need.
    pub(crate) fn new(scene: Scene<'a>, shape: Shape, scratch: &'a mut Scratch) -> Probe<'a> {
        scratch.within.bounds = Bounds::NONE;
        Probe { scene, shape, near: None, scratch }
    }

    /// One that looks among the pieces that a body keeps; they are of that terrain and that shape.
    #[inline]
    pub(crate) fn near(
        scene: Scene<'a>,
        shape: Shape,
        near: &'a mut Nearby,
        scratch: &'a mut Scratch,
    ) -> Probe<'a> {
        scratch.within.bounds = Bounds::NONE;
        Probe { scene, shape, near: Some(near), scratch }
    }

    /// The time of the earliest contact of the shape moving from a place, as a fraction of the motion in [0, 1]; `None`
    /// if the way is free. What is met then is in [`Probe::hits`]. Exactly 0 for a surface that a box touches at the start.
    #[inline]
    pub(crate) fn cast(&mut self, place: Place, motion: I64Vec2) -> Option<f64> {
        let range = self.look(place, motion);
        let Scratch { within, hits, .. } = &mut *self.scratch;
        cast(&self.scene, self.shape, place, motion, range, &within.surfaces, hits)
    }

    /// The same, with what is met in [`Probe::rechecked`] and the last cast's hits left as they are.
    pub(super) fn recast(&mut self, place: Place, motion: I64Vec2) -> Option<f64> {
        let range = self.look(place, motion);
        let Scratch { within, recheck, .. } = &mut *self.scratch;
        cast(&self.scene, self.shape, place, motion, range, &within.surfaces, recheck)
    }

    /// What the last cast has met, if it has met anything.
    pub(crate) fn hits(&self) -> &[Surface] {
        &self.scratch.hits.surfaces
    }

    pub(super) fn rechecked(&self) -> &[Surface] {
        &self.scratch.recheck.surfaces
    }

    /// Puts every surface that the shape touches at a place into a list.
    pub(crate) fn touching(&mut self, place: Place, surfaces: &mut Surfaces) {
        surfaces.clear();
        let shape = self.shape;
        let look = |cell, piece: &Piece, surfaces: &mut Surfaces| {
            if touches(piece, shape, relative(place, cell)) {
                surfaces.push(Surface { cell, piece: *piece });
            }
        };
        match self.look(place, I64Vec2::ZERO) {
            None => self.scratch.within.surfaces.iter().for_each(|s| look(s.cell, &s.piece, surfaces)),
            Some(range) => self.scene.each_piece(shape, range, |cell, piece| look(cell, piece, surfaces)),
        }
    }

    /// Of some surfaces, those that an acceleration presses a shape into that does not move off them; in a list of the
    /// probe's, until its next move.
    pub(crate) fn pressed(
        &mut self,
        surfaces: &[Surface],
        place: Place,
        acceleration: DVec2,
        velocity: DVec2,
    ) -> &[Surface] {
        self.scratch.spare.clear();
        self.scratch.spare.extend(surfaces.iter().filter(|surface| {
            let normal = surface.normal(place).as_dvec2();
            normal.dot(acceleration) < 0.0 && normal.dot(velocity) <= 0.0
        }));
        &self.scratch.spare
    }

    /// Makes sure that the pieces around a motion are at hand; for a long one answers with its cells instead.
    #[inline]
    fn look(&mut self, place: Place, motion: I64Vec2) -> Option<CellRange> {
        let bounds = Bounds::of(self.shape, place, motion);
        self.scratch.within.look(&self.scene, self.shape, self.near.as_deref_mut(), (bounds, motion))
    }
}

impl Scene<'_> {
    #[inline]
    pub(super) fn each_piece(&self, shape: Shape, range: CellRange, mut see: impl FnMut((i32, i32), &Piece)) {
        self.terrain.each_cell(range.low, range.high, |cell, baked| {
            self.pieces(shape, baked).iter().for_each(|piece| see(cell, piece));
        });
    }

    fn pieces<'b>(&'b self, shape: Shape, baked: &'b BakedCell) -> &'b [Piece] {
        if shape.is_circle() { self.terrain.circle_pieces(baked) } else { self.terrain.box_pieces(baked) }
    }
}

/// Casts against gathered pieces, or along the path of a long motion.
fn cast(
    scene: &Scene<'_>,
    shape: Shape,
    place: Place,
    motion: I64Vec2,
    range: Option<CellRange>,
    near: &[Surface],
    hits: &mut Hits,
) -> Option<f64> {
    hits.clear();
    match shape.0 {
        Form::Aabb { half } => {
            let mut cast = BoxCast { half: half.into(), motion, best: None, hits };
            match range {
                None => near.iter().for_each(|s| cast.see(relative(place, s.cell), s.cell, &s.piece)),
                Some(range) => visit_path(scene.terrain, shape, place, motion, range, |cell, baked| {
                    let center = relative(place, cell);
                    scene.terrain.box_pieces(baked).iter().for_each(|piece| cast.see(center, cell, piece));
                    cast.best.map(Fraction::to_f64)
                }),
            }
            let toi = cast.best?.to_f64();
            hits.settle_ties(&scene.frame, motion);
            Some(toi)
        }
        Form::Circle { radius } => {
            let mut cast = CircleCast { radius, motion, face: None, arc: None, hits };
            match range {
                None => near.iter().for_each(|s| cast.see(relative(place, s.cell), s.cell, &s.piece)),
                Some(range) => visit_path(scene.terrain, shape, place, motion, range, |cell, baked| {
                    let center = relative(place, cell);
                    scene.terrain.circle_pieces(baked).iter().for_each(|piece| cast.see(center, cell, piece));
                    earlier(cast.face, cast.arc)
                }),
            }
            match (cast.face, cast.arc) {
                (face, Some(arc)) if face.is_none_or(|face| arc < face - ARC_LEAD) => {
                    std::mem::swap(&mut hits.surfaces, &mut hits.arcs);
                    Some(arc)
                }
                (face, _) => face,
            }
        }
    }
}

/// A box on its way past pieces.
struct BoxCast<'h> {
    half: I64Vec2,
    motion: I64Vec2,
    best: Option<Fraction>,
    hits: &'h mut Hits,
}

impl BoxCast<'_> {
    #[inline]
    fn see(&mut self, center: I64Vec2, cell: (i32, i32), piece: &Piece) {
        if piece.normal.as_i64vec2().dot(self.motion) >= 0 {
            return;
        }
        let face = face(piece);
        let mover = MovingBox { center, half: self.half, motion: self.motion };
        let Some(hit) = mover.against_face(&face) else { return };
        if self.best.is_some_and(|best| hit.toi > best) {
            return;
        }
        let approach = || {
            let partner = piece.partner.as_i64vec2();
            let start = partner.dot(center - face.a) - self.half.dot(partner.abs());
            (start as f64, hit.toi.to_f64())
        };
        if gated(piece, self.motion, approach) {
            return;
        }
        if self.best.is_none_or(|best| hit.toi < best) {
            self.best = Some(hit.toi);
            self.hits.surfaces.clear();
            self.hits.ties.clear();
        }
        self.hits.surfaces.push(Surface { cell, piece: *piece });
        self.hits.ties.push(hit.tie);
    }
}

/// A circle on its way past pieces.
struct CircleCast<'h> {
    radius: i64,
    motion: I64Vec2,
    face: Option<f64>,
    arc: Option<f64>,
    hits: &'h mut Hits,
}

impl CircleCast<'_> {
    #[inline]
    fn see(&mut self, center: I64Vec2, cell: (i32, i32), piece: &Piece) {
        let mover = MovingCircle { center, radius: self.radius, motion: self.motion };
        if piece.role == Role::Face {
            if piece.normal.as_i64vec2().dot(self.motion) < 0
                && let Some(toi) = mover.against_face(&face(piece))
            {
                offer(toi, &mut self.face, &mut self.hits.surfaces, cell, piece);
            }
            return;
        }
        let corner = corner(piece);
        let Some(toi) = mover.against_corner(&corner) else { return };
        let approach = || {
            let partner = piece.partner.as_i64vec2().as_dvec2();
            (partner.dot((center - corner.at).as_dvec2()) - self.radius as f64 * partner.length(), toi)
        };
        if !gated(piece, self.motion, approach) {
            offer(toi, &mut self.arc, &mut self.hits.arcs, cell, piece);
        }
    }
}

/// Keeps a hit if it is the earliest, with all that share its time.
fn offer(toi: f64, best: &mut Option<f64>, surfaces: &mut Vec<Surface>, cell: (i32, i32), piece: &Piece) {
    if best.is_some_and(|best| toi > best) {
        return;
    }
    if *best != Some(toi) {
        *best = Some(toi);
        surfaces.clear();
    }
    surfaces.push(Surface { cell, piece: *piece });
}

/// The earlier of two times.
fn earlier(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

impl Hits {
    fn clear(&mut self) {
        self.surfaces.clear();
        self.ties.clear();
        self.arcs.clear();
    }

    /// At an exact meeting of two corners both faces are met; the one that loses is dropped, if the winner is there.
    fn settle_ties(&mut self, frame: &Frame, motion: I64Vec2) {
        if self.surfaces.len() < 2 || self.ties.iter().all(|tie| *tie == I64Vec2::ZERO) {
            return;
        }
        let normal = |surface: &Surface| surface.piece.normal.as_i64vec2();
        // The arcs' list is free while a box is cast: what stays goes there first.
        for (surface, tie) in self.surfaces.iter().zip(&self.ties) {
            let there = self.surfaces.iter().any(|other| normal(other) == *tie);
            if !(there && beats(frame, *tie, normal(surface), motion)) {
                self.arcs.push(*surface);
            }
        }
        std::mem::swap(&mut self.surfaces, &mut self.arcs);
    }
}

/// Whether a face wins over another at a corner that both share: floor first, then the one more opposed to the motion,
/// then the one that stops motion along up.
fn beats(frame: &Frame, normal: I64Vec2, other: I64Vec2, motion: I64Vec2) -> bool {
    let floors = (frame.is_floor(normal), frame.is_floor(other));
    if floors.0 != floors.1 {
        return floors.0;
    }
    // (n . v)^2 / |n|^2 against the same of the other, without division.
    let opposed = |n: I64Vec2, m: I64Vec2, v: I64Vec2| {
        let dot = i128::from(n.dot(v));
        dot * dot * i128::from(m.dot(m))
    };
    let up = frame.axis();
    let order = opposed(normal, other, motion)
        .cmp(&opposed(other, normal, motion))
        .then(opposed(normal, other, up).cmp(&opposed(other, normal, up)));
    order.is_gt()
}

/// Whether a piece at a one-way free end is to be passed over: the motion does not go against its edge, or the body
/// started in front of the edge that meets it in a concave join and is about to reach that edge's line.
///
/// `approach` gives the gap to the partner's line at the start, in units times the length of its normal, and the time of
/// impact.
fn gated(piece: &Piece, motion: I64Vec2, approach: impl FnOnce() -> (f64, f64)) -> bool {
    if piece.gate == I8Vec2::ZERO {
        return false;
    }
    if piece.gate.as_i64vec2().dot(motion) >= 0 {
        return true;
    }
    if piece.partner == I8Vec2::ZERO {
        return false;
    }
    let partner = piece.partner.as_i64vec2().as_dvec2();
    let (start, toi) = approach();
    let gap = start + partner.dot(motion.as_dvec2()) * toi;
    // A start behind by rounding is not behind.
    start >= -partner.length() && gap.abs() <= tolerance::PARTNER * partner.length()
}
