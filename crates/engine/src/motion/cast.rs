//! A shape cast against the terrain: the earliest contact and every surface that is met at that time.

use super::shape::Form;
use super::surface::{Surface, corner, face, relative, touches};
use super::tolerance;
use super::visit::{visit_near, visit_path};
use super::{Frame, Shape};
use crate::terrain::{BakedCell, Piece, Role, Terrain};
use glam::{I8Vec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::Place;
use surefoot_geometry::exact::{Fraction, MovingBox, MovingCircle};

/// Surfaces met or held at one time; more than eight spill to the heap, which only contrived maps reach.
pub(crate) type Surfaces = SmallVec<[Surface; 8]>;

/// What a cast or a touch test looks at.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) terrain: &'a Terrain,
    pub(crate) frame: Frame,
    /// Whether tiles that may be dropped through are not there.
    pub(crate) dropping: bool,
}

/// The earliest contact of a cast.
#[derive(Clone, Debug)]
pub(crate) struct Struck {
    /// As a fraction of the motion, in [0, 1]; exactly 0 for a surface that was touched at the start by a box.
    pub(crate) toi: f64,
    pub(crate) surfaces: Surfaces,
}

impl Scene<'_> {
    /// The earliest contact of a shape that moves from a place; `None` if the way is free.
    pub(crate) fn cast(&self, shape: Shape, place: Place, motion: I64Vec2) -> Option<Struck> {
        match shape.0 {
            Form::Aabb { half } => self.cast_box(half.into(), shape, place, motion),
            Form::Circle { radius } => self.cast_circle(radius, shape, place, motion),
        }
    }

    /// Every surface that a shape touches at a place.
    pub(crate) fn touching(&self, shape: Shape, place: Place) -> Surfaces {
        let mut surfaces = Surfaces::new();
        visit_near(self.terrain, shape, place, |cell, baked| {
            if self.skips(baked.drop_through()) {
                return;
            }
            let center = relative(place, cell);
            for piece in self.pieces(shape, baked) {
                if touches(piece, shape, center, 0.0) {
                    surfaces.push(Surface { cell, piece: *piece });
                }
            }
        });
        surfaces
    }

    fn cast_box(&self, half: I64Vec2, shape: Shape, place: Place, motion: I64Vec2) -> Option<Struck> {
        let mut best: Option<Fraction> = None;
        let mut ties: SmallVec<[I64Vec2; 8]> = SmallVec::new();
        let mut surfaces = Surfaces::new();
        visit_path(self.terrain, shape, place, motion, |cell, baked| {
            if self.skips(baked.drop_through()) {
                return best.map(Fraction::to_f64);
            }
            let mover = MovingBox { center: relative(place, cell), half, motion };
            for piece in self.terrain.box_pieces(baked) {
                let Some(hit) = mover.against_face(&face(piece)) else { continue };
                if best.is_some_and(|best| hit.toi > best)
                    || gated(piece, motion, || {
                        let partner = piece.partner.as_i64vec2();
                        let start = partner.dot(mover.center - face(piece).a) - half.dot(partner.abs());
                        (start as f64, hit.toi.to_f64())
                    })
                {
                    continue;
                }
                if best.is_none_or(|best| hit.toi < best) {
                    best = Some(hit.toi);
                    surfaces.clear();
                    ties.clear();
                }
                surfaces.push(Surface { cell, piece: *piece });
                ties.push(hit.tie);
            }
            best.map(Fraction::to_f64)
        });
        let toi = best?.to_f64();
        if surfaces.len() > 1 {
            self.settle_ties(motion, &mut surfaces, &ties);
        }
        Some(Struck { toi, surfaces })
    }

    fn cast_circle(&self, radius: i64, shape: Shape, place: Place, motion: I64Vec2) -> Option<Struck> {
        let mut faces = Earliest::default();
        let mut arcs = Earliest::default();
        visit_path(self.terrain, shape, place, motion, |cell, baked| {
            if self.skips(baked.drop_through()) {
                return faces.toi_or(arcs.toi);
            }
            let mover = MovingCircle { center: relative(place, cell), radius, motion };
            for piece in self.terrain.circle_pieces(baked) {
                if piece.role == Role::Face {
                    if let Some(toi) = mover.against_face(&face(piece)) {
                        faces.offer(toi, cell, piece);
                    }
                } else if let Some(toi) = mover.against_corner(&corner(piece)) {
                    let start = || {
                        let partner = piece.partner.as_i64vec2().as_dvec2();
                        let offset = (mover.center - corner(piece).at).as_dvec2();
                        (partner.dot(offset) - radius as f64 * partner.length(), toi)
                    };
                    if !gated(piece, motion, start) {
                        arcs.offer(toi, cell, piece);
                    }
                }
            }
            faces.toi_or(arcs.toi)
        });
        let winner = match (faces.toi, arcs.toi) {
            (Some(face), Some(arc)) if arc < face - surefoot_geometry::tolerance::ARC_LEAD => arcs,
            (None, _) => arcs,
            _ => faces,
        };
        winner.toi.map(|toi| Struck { toi, surfaces: winner.surfaces })
    }

    pub(crate) fn skips(&self, drop_through: bool) -> bool {
        self.dropping && drop_through
    }

    pub(crate) fn pieces<'b>(&'b self, shape: Shape, baked: &'b BakedCell) -> &'b [Piece] {
        if shape.is_circle() { self.terrain.circle_pieces(baked) } else { self.terrain.box_pieces(baked) }
    }

    /// At an exact meeting of two corners both faces are met; the one that loses is dropped, if the winner is there.
    fn settle_ties(&self, motion: I64Vec2, surfaces: &mut Surfaces, ties: &[I64Vec2]) {
        if ties.iter().all(|tie| *tie == I64Vec2::ZERO) {
            return;
        }
        let normals: SmallVec<[I64Vec2; 8]> = surfaces.iter().map(|s| s.piece.normal.as_i64vec2()).collect();
        let mut index = 0;
        surfaces.retain(|_| {
            let (own, tie) = (normals[index], ties[index]);
            index += 1;
            tie == I64Vec2::ZERO || !normals.contains(&tie) || !self.beats(tie, own, motion)
        });
    }

    /// Whether a face wins over another at a corner that both share: floor first, then the one more opposed to the
    /// motion, then the one that stops motion along up.
    fn beats(&self, normal: I64Vec2, other: I64Vec2, motion: I64Vec2) -> bool {
        let floors = (self.frame.is_floor(normal), self.frame.is_floor(other));
        if floors.0 != floors.1 {
            return floors.0;
        }
        // (n . v)^2 / |n|^2 against the same of the other, without division.
        let opposed = |n: I64Vec2, m: I64Vec2, v: I64Vec2| {
            let dot = i128::from(n.dot(v));
            dot * dot * i128::from(m.dot(m))
        };
        let up = self.frame.up.direction();
        let order = opposed(normal, other, motion)
            .cmp(&opposed(other, normal, motion))
            .then(opposed(normal, other, up).cmp(&opposed(other, normal, up)));
        order.is_gt()
    }
}

/// The earliest of the hits offered, with all that share its time.
#[derive(Default)]
struct Earliest {
    toi: Option<f64>,
    surfaces: Surfaces,
}

impl Earliest {
    fn offer(&mut self, toi: f64, cell: (i32, i32), piece: &Piece) {
        if self.toi.is_some_and(|best| toi > best) {
            return;
        }
        if self.toi != Some(toi) {
            self.toi = Some(toi);
            self.surfaces.clear();
        }
        self.surfaces.push(Surface { cell, piece: *piece });
    }

    /// The earlier of this time and another.
    fn toi_or(&self, other: Option<f64>) -> Option<f64> {
        match (self.toi, other) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
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
