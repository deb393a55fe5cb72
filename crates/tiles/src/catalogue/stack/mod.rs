//! Stacks of tiles in one cell: which parts of each tile remain visible, and which combinations are refused.
//!
//! The solid of a cell is the union of all solids. A side ends where it enters another tile's solid. If two sides lie
//! on each other and face the same way, one remains. If a solid lies against another one's side, neither side
//! remains. One-way edges and thin walls that cross each other or themselves stay whole: each acts on its own.
//!
//! Sides must end at lattice points. So a side that enters a solid between two lattice points continues to the next
//! one inside the solid, where nothing can touch it. In a few cases this is impossible: the next point is on the
//! outline of the solid, and the corner of a box could reach the side there. Such combinations are refused: 52 of the
//! 4,560 pairs of built-in variants.

#![allow(missing_docs)] // Some items are public only for the other crates of the engine.

mod ratio;
#[cfg(test)]
mod tests;

use super::{Catalogue, LatticeEdge, PatternKind, Variant, VariantId};
use crate::told::debug_is_display;
use glam::{I8Vec2, I64Vec2};
use ratio::Ratio;
use thiserror::Error;

debug_is_display!(StackError);

/// Reason why the shapes of tiles in the same cell, each in another tile layer, cannot be combined into one outline.
#[derive(Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum StackError {
    /// The edges of two tiles cross at a point that is not on the lattice (whole sixteenths of a tile), too close to
    /// the end of one of the edges.
    ///
    /// An edge that enters the solid of another tile is extended to the next lattice point inside that solid. Here the
    /// edge ends before the next lattice point.
    #[error(
        "variants {} and {} cannot be in one cell: their outlines cross at ({:.2}, {:.2}), in sixteenths of a tile, and \
         cannot be joined there; expected outlines that cross at whole sixteenths",
        first.0, second.0, at.0, at.1
    )]
    OffLattice {
        /// Shape of the tile whose edge would have to end at the crossing.
        first: VariantId,
        /// Shape of the other tile, whose edge crosses that edge.
        second: VariantId,
        /// Point of the crossing, in lattice steps (1/16 tile) from the tile's lower left corner.
        at: (f64, f64),
    },
    /// The tiles together have more visible edges than one cell can have.
    #[error("the tiles of the cell have {sides} visible sides; expected at most {}", super::Pattern::MAX_EDGES)]
    TooManySides {
        /// Number of visible edges of all tiles in the cell together.
        sides: usize,
    },
}

/// The point is always finite.
impl Eq for StackError {}

impl Catalogue {
    /// Checks that several tiles can be in the same cell, each in another tile layer that bodies collide with.
    ///
    /// `variants` are the shapes of the tiles, without empty cells, in any order. A single tile always passes.
    ///
    /// # Errors
    /// Returns [`StackError`] if the shapes cannot be combined exactly.
    ///
    /// # Panics
    /// Panics if a variant comes from another, larger catalogue.
    ///
    /// # Examples
    /// ```
    /// use surefoot::catalogue::Catalogue;
    ///
    /// let catalogue = Catalogue::builtin();
    /// let both = [catalogue.find_variant("half_slab")?, catalogue.find_variant("one_way")?];
    /// assert_eq!(catalogue.check_stack(&both), Ok(()));
    /// # Ok::<(), surefoot::catalogue::VariantNameError>(())
    /// ```
    pub fn check_stack(&self, variants: &[VariantId]) -> Result<(), StackError> {
        if variants.len() < 2 {
            return Ok(());
        }
        let parts: Vec<_> =
            variants.iter().map(|&id| Part { variant: self.variant(id), drop_through: false }).collect();
        let composed = compose(&parts);
        if let Some(Fault { part, other, at }) = composed.fault {
            return Err(StackError::OffLattice { first: variants[part], second: variants[other], at });
        }
        let sides = composed.sides.len();
        if sides > super::Pattern::MAX_EDGES { Err(StackError::TooManySides { sides }) } else { Ok(()) }
    }
}

/// One tile of a cell.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    pub variant: &'a Variant,
    pub drop_through: bool,
}

/// The visible parts of the tiles of a cell.
#[derive(Clone, Debug)]
pub struct Composed {
    /// Sides: those of solids first, then by part and by edge, and along each edge.
    pub sides: Vec<ComposedSide>,
    /// A side without a valid end. `None` for stacks that [`Catalogue::check_stack`] accepts.
    fault: Option<Fault>,
}

/// Part of an edge of a tile shape that the tiles of the other layers in the same cell do not cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComposedSide {
    pub a: I8Vec2,
    pub b: I8Vec2,
    pub kind: PatternKind,
    /// Index of the tile that it comes from.
    pub part: usize,
    /// Index of the edge in that tile's variant.
    pub edge: usize,
    /// Whether it ends inside a solid at `a`, so that nothing can reach that end.
    pub buried_a: bool,
    /// Whether it ends inside a solid at `b`.
    pub buried_b: bool,
}

#[derive(Clone, Copy, Debug)]
struct Fault {
    part: usize,
    other: usize,
    at: (f64, f64),
}

/// Composes the tiles of one cell.
pub fn compose(parts: &[Part<'_>]) -> Composed {
    let mut composed = Composed { sides: Vec::new(), fault: None };
    for solid in [true, false] {
        for (part, tile) in parts.iter().enumerate() {
            if (tile.variant.kind == PatternKind::Solid) == solid {
                for index in 0..tile.variant.edges.len() {
                    Cut::new(parts, part, index).add_visible_edges(&mut composed);
                }
            }
        }
    }
    composed
}

/// One edge of one tile, which is cut where others cover it.
struct Cut<'a> {
    parts: &'a [Part<'a>],
    part: usize,
    index: usize,
    edge: LatticeEdge,
    start: I64Vec2,
    /// One step along the edge, from one lattice point to the next.
    step: I64Vec2,
    steps: i64,
}

/// Visibility of a piece of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Shown,
    /// Another edge lies on it and represents it.
    Covered,
    /// It is inside a solid.
    Buried,
}

/// A point of an edge at which another edge crosses or ends.
#[derive(Clone, Copy, Debug)]
struct Break {
    at: Ratio,
    /// Index of the other edge's part.
    part: usize,
}

/// A visible stretch of an edge without a gap, in steps.
#[derive(Clone, Copy, Debug)]
struct Run {
    from: Break,
    to: Break,
}

impl<'a> Cut<'a> {
    fn new(parts: &'a [Part<'a>], part: usize, index: usize) -> Cut<'a> {
        let edge = parts[part].variant.edges[index];
        let normal = edge.normal().as_i64vec2();
        let step = I64Vec2::new(normal.y, -normal.x);
        let way = (edge.b - edge.a).as_i64vec2();
        let steps = way.dot(step) / step.length_squared();
        Cut { parts, part, index, edge, start: edge.a.as_i64vec2(), step, steps }
    }

    fn add_visible_edges(&self, composed: &mut Composed) {
        let mut whole: Vec<(i64, i64, Run)> = Vec::new();
        for run in self.visible_stretches() {
            let (low, high) = (run.from.at.floor(), run.to.at.ceil());
            match whole.last_mut() {
                // Join this stretch to the last one: the gap between them is shorter than a lattice step, and inside a
                // solid.
                Some(last) if low <= last.1 && !run.from.at.is_whole() => (last.1, last.2.to) = (high, run.to),
                _ => whole.push((low, high, run)),
            }
        }
        for (low, high, run) in whole {
            for (end, at) in [(low, run.from), (high, run.to)] {
                if !at.at.is_whole() && !self.is_unreachable_at(end) {
                    let place = self.start.as_dvec2() + self.step.as_dvec2() * (at.at.num as f64 / at.at.den as f64);
                    composed.fault.get_or_insert(Fault { part: self.part, other: at.part, at: place.into() });
                }
            }
            composed.sides.push(ComposedSide {
                a: (self.start + self.step * low).as_i8vec2(),
                b: (self.start + self.step * high).as_i8vec2(),
                kind: self.parts[self.part].variant.kind,
                part: self.part,
                edge: self.index,
                buried_a: !run.from.at.is_whole(),
                buried_b: !run.to.at.is_whole(),
            });
        }
    }

    /// Returns the visible stretches, exactly, in order.
    fn visible_stretches(&self) -> Vec<Run> {
        let end = |at| Break { at: Ratio::new(at, 1), part: self.part };
        let mut breaks = vec![end(0), end(self.steps)];
        for (part, tile) in self.other_parts() {
            let points = tile.variant.edges.iter().flat_map(|other| self.crossings_with(*other));
            breaks.extend(points.map(|at| Break { at, part }));
        }
        breaks.retain(|point| point.at >= end(0).at && point.at <= end(self.steps).at);
        breaks.sort_by_key(|point| point.at);
        breaks.dedup_by(|one, other| one.at == other.at);
        let mut runs: Vec<Run> = Vec::new();
        for pair in breaks.windows(2) {
            if self.visibility_at(pair[0].at.middle_with(pair[1].at)) == Fate::Shown {
                match runs.last_mut() {
                    Some(last) if last.to.at == pair[0].at => last.to = pair[1],
                    _ => runs.push(Run { from: pair[0], to: pair[1] }),
                }
            }
        }
        runs
    }

    fn other_parts(&self) -> impl Iterator<Item = (usize, &Part<'a>)> {
        self.parts.iter().enumerate().filter(|(part, _)| *part != self.part)
    }

    /// Returns where another edge meets the line of this edge: a point, or the two ends of an edge on the line.
    fn crossings_with(&self, other: LatticeEdge) -> impl Iterator<Item = Ratio> + use<> {
        let (c, way) = (other.a.as_i64vec2() - self.start, (other.b - other.a).as_i64vec2());
        let cross = self.step.perp_dot(way);
        let on_line = |at: I64Vec2| Ratio::new(at.dot(self.step), self.step.length_squared());
        let points = if cross != 0 {
            // Solve start + u * step = c + v * way, with 0 <= v <= 1.
            let v = Ratio::new(c.perp_dot(self.step), cross);
            let within = v >= Ratio::new(0, 1) && v <= Ratio::new(1, 1);
            [within.then(|| Ratio::new(c.perp_dot(way), cross)), None]
        } else if c.perp_dot(self.step) == 0 {
            [Some(on_line(c)), Some(on_line(c + way))]
        } else {
            [None, None]
        };
        points.into_iter().flatten()
    }

    /// Returns the visibility of the edge at a point where no other edge crosses or ends.
    fn visibility_at(&self, at: Ratio) -> Fate {
        let mut fate = Fate::Shown;
        for (part, tile) in self.other_parts() {
            let solid = tile.variant.kind == PatternKind::Solid;
            let lying = |along: bool| tile.variant.edges.iter().any(|other| self.is_overlaid_by(*other, at, along));
            let (with, against) = (lying(true), lying(false));
            if solid && (against || !with && self.is_inside(tile.variant, at)) {
                return Fate::Buried;
            }
            if with && self.overlap_sort_key(part) < self.overlap_sort_key(self.part) {
                fate = Fate::Covered;
            }
        }
        fate
    }

    /// Returns the sort key of edges that lie on each other and face the same way. The one with the smallest key is
    /// visible: the most closed one.
    fn overlap_sort_key(&self, part: usize) -> (u8, bool, usize) {
        let Part { variant, drop_through } = self.parts[part];
        let openness = match variant.kind {
            PatternKind::Solid => 0,
            PatternKind::Wall => 1,
            PatternKind::Open => 2,
        };
        (openness, drop_through, part)
    }

    /// Returns whether another edge lies on this one at a point, in the same or in the opposite direction.
    fn is_overlaid_by(&self, other: LatticeEdge, at: Ratio, same_direction: bool) -> bool {
        let (c, way) = (other.a.as_i64vec2() - self.start, (other.b - other.a).as_i64vec2());
        let parallel = self.step.perp_dot(way) == 0 && self.step.perp_dot(c) == 0;
        parallel && (self.step.dot(way) > 0) == same_direction && {
            let mut ends = [c, c + way].map(|end| Ratio::new(end.dot(self.step), self.step.length_squared()));
            ends.sort_unstable();
            ends[0] < at && at < ends[1]
        }
    }

    /// Returns whether nothing outside another tile's solid can touch this edge at one of its lattice points. The
    /// point is in that solid or on its outline, and the edge continues inside the solid.
    ///
    /// A circle touches an edge along its whole tangent, and a box touches an axis-aligned side along the side.
    /// Neither is possible there. A box touches a slanted edge with one of its corners, and that corner would have to
    /// be inside the solid.
    fn is_unreachable_at(&self, step: i64) -> bool {
        let normal = self.edge.normal().as_i64vec2();
        if normal.x == 0 || normal.y == 0 {
            return true;
        }
        let point = self.start + self.step * step;
        self.other_parts().any(|(_, tile)| {
            let solid = tile.variant.kind == PatternKind::Solid;
            // A box with its corner at the point would fill the quadrant that contains the normal. The sides that begin
            // at the point, or pass through it, divide the quadrant into parts. If one part is inside the solid, the
            // box would overlap the solid.
            let mut rays = vec![I64Vec2::new(normal.x.signum(), 0), I64Vec2::new(0, normal.y.signum())];
            for edge in tile.variant.edges.iter().filter(|edge| is_on_edge(**edge, point)) {
                let ends = [edge.a, edge.b].map(|end| end.as_i64vec2() - point);
                rays.extend(ends.into_iter().filter(|ray| (*ray * normal).min_element() > 0));
            }
            // Sort from the horizontal axis to the vertical one.
            rays.sort_by(|one, other| (one.y.abs() * other.x.abs()).cmp(&(other.y.abs() * one.x.abs())));
            let near = |pair: &[I64Vec2]| point * FRACTIONS_PER_STEP + pair[0] + pair[1];
            solid && rays.windows(2).any(|pair| is_inside(tile.variant, near(pair), FRACTIONS_PER_STEP))
        })
    }

    /// Returns whether a point of the edge is inside `solid`. The point must not be on the outline of `solid`.
    fn is_inside(&self, solid: &Variant, at: Ratio) -> bool {
        is_inside(solid, self.start * at.den + self.step * at.num, at.den)
    }
}

/// Number of fractions of a lattice step. A point that is one fraction, times a lattice vector, away from a vertex is
/// next to no edge except those at the vertex.
const FRACTIONS_PER_STEP: i64 = 1 << 16;

/// Returns whether a point that is on no outline is inside a solid. The point is in fractions of a lattice step.
fn is_inside(solid: &Variant, point: I64Vec2, parts: i64) -> bool {
    solid.paths.iter().any(|path| {
        let crosses = |(i, end): (usize, &I8Vec2)| {
            let a = path[(i + path.len() - 1) % path.len()].as_i64vec2() * parts - point;
            let b = end.as_i64vec2() * parts - point;
            // Cast a ray to the right: the lower end of an edge counts, the upper one does not.
            (a.y <= 0) != (b.y <= 0) && (a.perp_dot(b) > 0) == (b.y > a.y)
        };
        path.iter().enumerate().filter(|&edge| crosses(edge)).count() % 2 == 1
    })
}

/// Returns whether a lattice point is on an edge, ends included.
fn is_on_edge(edge: LatticeEdge, point: I64Vec2) -> bool {
    let (a, b) = (edge.a.as_i64vec2() - point, edge.b.as_i64vec2() - point);
    a.perp_dot(b) == 0 && a.dot(b) <= 0
}
