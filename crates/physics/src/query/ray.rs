//! Rays against tiles and bodies.
//!
//! A ray hits a side of a tile if it moves against the side's normal, starts in front of the side or on it, and crosses
//! it at any point, both ends included. The test is exact, in integers. So no ray passes where two sides meet, nor
//! between two tiles that touch in one corner.

use super::bodies::time_and_normal_of_ray_hit;
use super::hit::Key;
use super::tolerance::{BANDS, FIRST_PART_TILES, PART_GROWTH};
use super::way::StraightPath;
use super::{OneWay, Queries, RayHit, Target};
use crate::motion::{Bounds, CellRange, Owner, Platform, Source, Surface, lattice_to_units};
use crate::terrain::BakedCell;
use glam::I64Vec2;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::ops::ControlFlow;
use surefoot_geometry::Position;
use surefoot_geometry::exact::{Fraction, wide_dot};

/// Side of a tile in units, as a power of two.
const TILE: u32 = 32;

/// Time at which a ray hits something.
#[derive(Clone, Copy, Debug)]
pub(super) enum Time {
    Exact(Fraction),
    /// Time of a hit on a circle.
    Near(f64),
}

impl Time {
    pub(super) fn to_f64(self) -> f64 {
        match self {
            Time::Exact(fraction) => fraction.to_f64(),
            Time::Near(toi) => toi,
        }
    }

    fn compare_times(self, other: Time) -> Ordering {
        match (self, other) {
            (Time::Exact(a), Time::Exact(b)) => a.cmp(&b),
            _ => self.to_f64().total_cmp(&other.to_f64()),
        }
    }
}

/// A hit of a ray.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    pub(super) time: Time,
    pub(super) key: Key,
    pub(super) met: Met,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Met {
    /// A side of a tile. `true`: the ray hit its front, `false`: its back.
    Side(Surface, bool),
    /// A body, by its index in the grid, and the normal if the ray hit a side of a box.
    Body(u32, Option<I64Vec2>),
}

impl Crossing {
    /// Returns whether another crossing is the same hit. A body can be in several blocks of its grid. A straight side
    /// of a tile can consist of several edges, and the ray crosses the end that two of them share.
    fn is_same_hit(&self, other: &Crossing) -> bool {
        self.time.compare_times(other.time).is_eq()
            && match (&self.met, &other.met) {
                (Met::Body(a, _), Met::Body(b, _)) => a == b,
                (Met::Side(a, _), Met::Side(b, _)) => {
                    (a.owner, a.at) == (b.owner, b.at) && self.met.normal() == other.met.normal()
                }
                _ => false,
            }
    }
}

impl Met {
    /// Returns the normal in integers. `None` for a circle.
    fn normal(&self) -> Option<I64Vec2> {
        match self {
            Met::Side(surface, true) => Some(surface.piece.normal.as_i64vec2()),
            Met::Side(surface, false) => Some(-surface.piece.normal.as_i64vec2()),
            Met::Body(_, normal) => *normal,
        }
    }
}

/// Receives the hits of a ray, in any order.
pub(super) trait Sink {
    /// Time after which hits do not matter.
    fn time_limit(&self) -> Option<f64> {
        None
    }

    fn receive_hit(&mut self, _: &StraightPath, _: I64Vec2, _: Crossing) {}
}

/// Receives no hits, for searches that only visit bodies.
impl Sink for () {}

/// Keeps the first hit.
#[derive(Default)]
pub(super) struct First(Option<Crossing>, Option<f64>);

impl Sink for First {
    #[inline]
    fn time_limit(&self) -> Option<f64> {
        self.1
    }

    #[inline]
    fn receive_hit(&mut self, path: &StraightPath, up: I64Vec2, crossing: Crossing) {
        if self.0.as_ref().is_none_or(|best| compare_crossings(&crossing, best, path.motion, up).is_lt()) {
            self.1 = Some(crossing.time.to_f64());
            self.0 = Some(crossing);
        }
    }
}

struct All<'l>(&'l mut SmallVec<[Crossing; 8]>);

impl Sink for All<'_> {
    fn receive_hit(&mut self, _: &StraightPath, _: I64Vec2, crossing: Crossing) {
        self.0.push(crossing);
    }
}

/// Compares two hits: by time, then by how directly the motion hits the side, then by how far the side faces up or
/// down, and last by the order of targets.
fn compare_crossings(a: &Crossing, b: &Crossing, motion: I64Vec2, up: I64Vec2) -> Ordering {
    let squarely = || match (a.met.normal(), b.met.normal()) {
        (Some(n), Some(m)) => compare_directness(m, n, motion).then_with(|| compare_directness(m, n, up)),
        _ => Ordering::Equal,
    };
    a.time.compare_times(b.time).then_with(squarely).then_with(|| a.key.cmp(&b.key))
}

/// Compares how directly a vector hits two sides with the given normals: the one nearer to a right angle counts as
/// less. Normals have at most 6 bits and the vector 43, so the products have fewer than 127.
pub(super) fn compare_directness(n: I64Vec2, m: I64Vec2, v: I64Vec2) -> Ordering {
    let share = |n: I64Vec2, m: I64Vec2| {
        let dot = i128::from(n.dot(v));
        dot * dot * i128::from(m.dot(m))
    };
    share(n, m).cmp(&share(m, n))
}

/// Returns when a ray crosses a side from `a` to `b` from front to back.
#[inline(always)]
pub(super) fn time_of_crossing(path: &StraightPath, a: I64Vec2, b: I64Vec2, normal: I64Vec2) -> Option<Fraction> {
    let approach = -normal.dot(path.motion);
    if approach <= 0 {
        return None;
    }
    let gap = normal.dot(path.from - a);
    if gap < 0 || gap >= approach {
        return None;
    }
    let aside = |end: I64Vec2| {
        let to = end - path.from;
        i128::from(path.motion.x) * i128::from(to.y) - i128::from(path.motion.y) * i128::from(to.x)
    };
    let (a, b) = (aside(a), aside(b));
    let apart = (a > 0 && b > 0) || (a < 0 && b < 0);
    (!apart).then_some(Fraction { num: gap, den: approach })
}

/// A ray over the tiles of a source.
struct Walk<'s, 'a> {
    queries: &'s Queries<'a>,
    source: &'s Source<'a>,
    path: &'s StraightPath,
    /// The path in the source's own coordinates.
    own: StraightPath,
    /// All cells on the path that may have pieces, if known.
    within: Option<CellRange>,
}

impl Walk<'_, '_> {
    /// Limits columns to those that may have pieces.
    #[inline]
    fn clamp_columns(&self, (left, right): (i64, i64)) -> Option<(i32, i32)> {
        let (left, right) = match self.within {
            Some(within) => (left.max(i64::from(within.low.0)), right.min(i64::from(within.high.0))),
            None => (left, right),
        };
        (left <= right).then_some((left as i32, right as i32))
    }

    /// Passes the sides of the tiles of one row that a ray crosses to a sink. Returns whether the ray may hit something
    /// further on.
    #[inline]
    fn visit_sides_on_row(&self, row: i64, sink: &mut impl Sink) -> bool {
        let path_in_source = &self.own;
        let span = path_in_source.columns_within_rows((row, row), TILE);
        if sink.time_limit().is_some_and(|known| known < span.enter) {
            return false;
        }
        if let Some(columns) = self.clamp_columns(span.columns) {
            let _ = self.source.terrain.for_each_cell_on_row(
                row as i32,
                columns,
                path_in_source.is_forward(),
                |cell, baked| {
                    if sink
                        .time_limit()
                        .is_some_and(|known| known < path_in_source.column_entry_time(i64::from(cell.0), TILE))
                    {
                        return ControlFlow::Break(());
                    }
                    self.visit_sides_of_tile(cell, baked, sink);
                    ControlFlow::Continue(())
                },
            );
        }
        true
    }

    /// Passes the sides of one tile that a ray crosses to a sink.
    #[inline]
    fn visit_sides_of_tile(&self, cell: (i32, i32), baked: &BakedCell, sink: &mut impl Sink) {
        let (source, queries) = (self.source, self.queries);
        let corner = I64Vec2::new(i64::from(cell.0), i64::from(cell.1)) << TILE;
        let path_in_cell = self.own.relative_to(corner);
        let (faces, solid) = source.terrain.faces_and_solid_count(baked);
        for (i, piece) in faces.iter().enumerate() {
            let (a, b, normal) = (lattice_to_units(piece.a), lattice_to_units(piece.b), piece.normal.as_i64vec2());
            let mut front = true;
            let mut time = time_of_crossing(&path_in_cell, a, b, normal);
            if i >= solid && queries.filter.one_way != OneWay::Front {
                let both = queries.filter.one_way == OneWay::Both;
                if time.is_none() && both {
                    (front, time) = (false, time_of_crossing(&path_in_cell, a, b, -normal));
                }
                // `OneWay::Ignore` skips one-way tiles. `OneWay::Both` also hits their backs, but not the backs of thin
                // walls: a wall has a piece for each of its two sides, and the other piece is hit.
                if time.is_some() && (!front || !both) && source.terrain.is_one_way(cell, piece) != both {
                    continue;
                }
            }
            if let Some(time) = time {
                let surface = Surface { owner: source.owner, at: source.cell_corner(cell), piece: *piece };
                let key = Key::of_tile_side(source.owner, cell, piece.edge);
                let met = Met::Side(surface, front);
                sink.receive_hit(self.path, queries.up(), Crossing { time: Time::Exact(time), key, met });
            }
        }
    }
}

impl Queries<'_> {
    pub(super) fn up(&self) -> I64Vec2 {
        self.scene.frame.up_axis()
    }

    /// Passes the hits on accepted terrain and bodies to a sink, in any order. Skips hits after the time that the sink
    /// knows.
    #[inline]
    fn visit_crossings(&self, path: &StraightPath, sink: &mut impl Sink) {
        if self.filter.terrain {
            self.visit_crossed_sides(&self.scene.around.terrain(), path, None, sink);
        }
        if self.filter.bodies {
            let up = self.up();
            self.bodies.for_each_on_path(path, sink, |sink, i, entry| {
                if entry.is_accepted(self.filter)
                    && let Some((time, normal)) = time_and_normal_of_ray_hit(path, up, entry)
                {
                    sink.receive_hit(path, up, Crossing { time, key: Key::of_body(i), met: Met::Body(i, normal) });
                }
            });
        }
    }

    /// Passes the hits on accepted platforms to a sink.
    #[inline]
    fn visit_hits_on_platforms(&self, path: &StraightPath, sink: &mut impl Sink) {
        for slot in self.accepted_platforms_within(&path.bounds()) {
            let source = self.scene.around.source(Owner::Platform(slot));
            let bounds = self.scene.around.platform(source.owner).map_or(Bounds::ALL, Platform::bounds);
            self.visit_crossed_sides(&source, path, Some(source.cells(&bounds)), sink);
        }
    }

    /// Passes the sides of a source's tiles that a ray crosses to a sink.
    #[inline]
    fn visit_crossed_sides(
        &self,
        source: &Source<'_>,
        path: &StraightPath,
        within: Option<CellRange>,
        sink: &mut impl Sink,
    ) {
        let path_in_source = path.relative_to(source.origin);
        let ((mut bottom, mut top), upwards) = (path_in_source.rows(TILE), path.motion.y >= 0);
        let within = within.or_else(|| source.terrain.visible_cell_range().map(|(low, high)| CellRange { low, high }));
        if let Some(within) = within {
            (bottom, top) = (bottom.max(i64::from(within.low.1)), top.min(i64::from(within.high.1)));
        }
        let slant = path.motion.x.unsigned_abs() / path.motion.y.unsigned_abs().max(1);
        let (walk, base) =
            (Walk { queries: self, source, path, own: path_in_source, within }, source.terrain.first_tile_row());
        let mut row = if upwards { bottom } else { top };
        let mut size = if slant < BANDS[0].1 { 0 } else { 1 };
        while (bottom..=top).contains(&row) {
            // Returns the largest band of rows that may start here. A band is a group of rows that is skipped at once
            // if it is empty. It ends at the end of a row of chunks, so that it needs only that row of chunks.
            let band = |rows: i64| {
                let at = row - base;
                let last = base + if upwards { at | (rows - 1) } else { at & !(rows - 1) };
                (row.min(last.max(bottom)), row.max(last.min(top)))
            };
            if size < BANDS.len() && slant < BANDS[size].1 {
                let rows = band(BANDS[size].0);
                let span = path_in_source.columns_within_rows(rows, TILE);
                if sink.time_limit().is_some_and(|known| known < span.enter) {
                    return;
                }
                let shows = walk.clamp_columns(span.columns).is_some_and(|(left, right)| {
                    source.terrain.may_have_pieces_within((left, rows.0 as i32), (right, rows.1 as i32))
                });
                if shows {
                    size += 1;
                    continue;
                }
                row = if upwards { rows.1 + 1 } else { rows.0 - 1 };
            } else {
                let rows = band(BANDS[BANDS.len() - 1].0);
                for step in 0..=rows.1 - rows.0 {
                    let row = if upwards { rows.0 + step } else { rows.1 - step };
                    if !walk.visit_sides_on_row(row, sink) {
                        return;
                    }
                }
                row = if upwards { rows.1 + 1 } else { rows.0 - 1 };
            }
            // Try the largest band (`size` 0), which is as high as a chunk, only where a steep ray enters the next row
            // of chunks. In the middle of a row of chunks, that band has been tried already and was not empty.
            let first = if upwards { row - base } else { row + 1 - base };
            size = usize::from(first % BANDS[0].0 != 0 || slant >= BANDS[0].1);
        }
    }

    /// Returns the first hit of a ray.
    pub(crate) fn first_hit_of_ray(&self, from: Position, motion: I64Vec2) -> Option<RayHit> {
        let path = StraightPath::of_point(from.units(), motion);
        let mut first = First::default();
        self.visit_hits_on_platforms(&path, &mut first);
        // Search the ray in growing parts. An early hit on a body saves the search of the tiles behind it. An early hit
        // on a tile saves the search of the bodies behind it.
        let length = (motion.abs().max_element() >> TILE) as f64;
        let (mut from, mut to) = (0.0, FIRST_PART_TILES / length.max(1.0));
        while from < 1.0 && first.1.is_none_or(|known| known >= from) {
            self.visit_crossings(&StraightPath { part: (from, to.min(1.0)), ..path }, &mut first);
            (from, to) = (to, to * PART_GROWTH);
        }
        first.0.map(|crossing| self.ray_hit(&path, &crossing))
    }

    /// Adds all hits of a ray to a list, in the order of their times.
    pub(crate) fn all_hits_of_ray(&self, from: Position, motion: I64Vec2, hits: &mut Vec<RayHit>) {
        let path = StraightPath::of_point(from.units(), motion);
        let (mut found, up) = (SmallVec::new(), self.up());
        self.visit_hits_on_platforms(&path, &mut All(&mut found));
        self.visit_crossings(&path, &mut All(&mut found));
        found.sort_unstable_by(|a, b| compare_crossings(a, b, motion, up));
        found.dedup_by(|a, b| a.is_same_hit(b));
        hits.extend(found.iter().map(|crossing| self.ray_hit(&path, crossing)));
    }

    /// Converts a crossing to the hit that a query returns.
    fn ray_hit(&self, path: &StraightPath, crossing: &Crossing) -> RayHit {
        let toi = crossing.time.to_f64();
        let along = match crossing.time {
            Time::Exact(time) => round_fraction(path.motion, time),
            Time::Near(toi) => {
                let along = path.motion.as_dvec2() * toi;
                I64Vec2::new(along.x.round() as i64, along.y.round() as i64)
            }
        };
        let point = Position::clamped(path.from + along);
        let (target, normal) = match crossing.met {
            Met::Side(surface, _) => (self.target_of_surface(&surface), crossing.met.normal().unwrap_or_default()),
            Met::Body(entry, normal) => {
                let entry = self.bodies.entry(entry);
                (Target::Body(entry.id), normal.unwrap_or(point.units() - entry.body.center))
            }
        };
        let normal = normal.as_dvec2();
        RayHit { toi, point, normal: normal.normalize_or(-path.motion.as_dvec2().normalize_or_zero()), target }
    }
}

/// Returns a fraction of a motion, rounded to the nearest unit, halves away from zero.
fn round_fraction(motion: I64Vec2, time: Fraction) -> I64Vec2 {
    let axis = |motion: i64| {
        let (product, den) = (i128::from(motion) * i128::from(time.num), i128::from(time.den));
        let nearest = (2 * product.abs() + den) / (2 * den);
        nearest as i64 * motion.signum()
    };
    I64Vec2::new(axis(motion.x), axis(motion.y))
}

/// Returns the squared length in units.
pub(super) fn length_sq(v: I64Vec2) -> i128 {
    wide_dot(v, v)
}
