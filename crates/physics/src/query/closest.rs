//! Search for the surface nearest to a point.

use super::hit::Key;
use super::ray::length_sq;
use super::{ClosestSurface, OneWay, Queries, Target};
use crate::motion::{Bounds, Form, Source, Surface, lattice_to_units, round_to_units};
use crate::terrain::BakedCell;
use glam::{DVec2, I64Vec2};
use std::ops::ControlFlow;
use surefoot_geometry::exact::tangent;
use surefoot_geometry::{ONE, Position};

/// The nearest side of a tile so far.
#[derive(Clone, Copy)]
struct Best {
    /// Squared distance in units, as a fraction.
    num: i128,
    den: i128,
    key: Key,
    /// Offset from the queried point.
    offset: I64Vec2,
    normal: DVec2,
    surface: Surface,
}

impl Queries<'_> {
    /// Returns the surface nearest to a point, up to a distance in units.
    pub(crate) fn nearest_surface(&self, point: Position, most: i64) -> Option<ClosestSurface> {
        let at = point.units();
        let mut best: Option<Best> = None;
        for source in self.accepted_terrain_and_platforms_near(&Bounds { low: at - most, high: at + most }) {
            self.replace_by_nearer_side(&source, at, most, &mut best);
        }
        let side = best.map(|best| ClosestSurface {
            distance: ((best.num as f64) / (best.den as f64)).sqrt() / ONE as f64,
            point: Position::clamped(at + best.offset),
            normal: best.normal,
            target: self.target_of_surface(&best.surface),
        });
        let body = if self.filter.bodies { self.nearest_body_before_side(at, side, most) } else { None };
        body.or(side)
    }

    /// Returns the nearest body within `max_distance` units, if it is nearer than `side`.
    fn nearest_body_before_side(
        &self,
        at: I64Vec2,
        side: Option<ClosestSurface>,
        max_distance: i64,
    ) -> Option<ClosestSurface> {
        let mut nearest: Option<ClosestSurface> = None;
        for i in self.bodies.find_within(&Bounds { low: at - max_distance, high: at + max_distance }) {
            let entry = self.bodies.entry(i);
            if !entry.is_accepted(self.filter) {
                continue;
            }
            let offset = at - entry.body.center;
            let (distance, foot, normal) = match entry.body.shape.0 {
                Form::Circle { radius } => {
                    let length = (length_sq(offset) as f64).sqrt();
                    let normal = offset.as_dvec2().normalize_or(DVec2::Y);
                    ((length - radius as f64).abs(), round_to_units(normal * radius as f64), normal)
                }
                Form::Aabb { half } => nearest_point_on_box(offset, half.into()),
            };
            let distance = distance / ONE as f64;
            let known = nearest.or(side).map_or(f64::INFINITY, |known| known.distance);
            if distance < known && distance <= max_distance as f64 / ONE as f64 {
                let (point, target) = (Position::clamped(entry.body.center + foot), Target::Body(entry.id));
                nearest = Some(ClosestSurface { distance, point, normal, target });
            }
        }
        nearest
    }

    /// Tests the sides of a source's tiles row by row, the nearest rows first.
    fn replace_by_nearer_side(&self, source: &Source<'_>, at: I64Vec2, max_distance: i64, best: &mut Option<Best>) {
        let point = at - source.origin;
        let middle = point.y >> 32;
        let reach = |best: &Option<Best>| {
            best.map_or(max_distance, |best| {
                (((best.num as f64) / (best.den as f64)).sqrt() as i64 + 2).min(max_distance)
            })
        };
        for step in 0..=(max_distance >> 32) + 1 {
            for row in [middle - step, middle + step] {
                let radius = reach(best);
                // Distance from the point to the row of cells.
                let away = ((row << 32) - point.y).max(point.y - ((row + 1) << 32)).max(0);
                if away > radius || (step == 0 && row != middle) {
                    continue;
                }
                let columns = (((point.x - radius - 1) >> 32) as i32, ((point.x + radius + 1) >> 32) as i32);
                let _ = source.terrain.for_each_cell_on_row(row as i32, columns, true, |tile, baked| {
                    self.replace_by_nearer_side_of_tile(source, point, (tile, baked), max_distance, best);
                    ControlFlow::Continue(())
                });
            }
        }
    }

    /// Replaces `best` by the side of a tile that is nearest to `point`, if that side is nearer than `best`.
    /// `max_distance` is in units.
    fn replace_by_nearer_side_of_tile(
        &self,
        source: &Source<'_>,
        point: I64Vec2,
        (tile, baked): ((i32, i32), &BakedCell),
        max_distance: i64,
        best: &mut Option<Best>,
    ) {
        let corner = I64Vec2::new(i64::from(tile.0), i64::from(tile.1)) * ONE;
        let (faces, solid) = source.terrain.faces_and_solid_count(baked);
        for (i, piece) in faces.iter().enumerate() {
            let (a, b, normal) = (lattice_to_units(piece.a), lattice_to_units(piece.b), piece.normal.as_i64vec2());
            let from = point - corner;
            let height = normal.dot(from - a);
            let mut facing = 1.0;
            if i >= solid {
                let is_open = source.terrain.is_one_way(tile, piece);
                // Skip one-way tiles if the filter ignores them. Skip a piece whose back faces the point, unless it is
                // one-way and the filter finds both of its sides. A thin wall has a piece for each side, so its other
                // piece is found.
                if is_open && self.filter.one_way == OneWay::Ignore
                    || height < 0 && !(is_open && self.filter.one_way == OneWay::Both)
                {
                    continue;
                }
                facing = if height < 0 { -1.0 } else { 1.0 };
            }
            let along = tangent(normal);
            let square = normal.dot(normal);
            let (before, after) = (along.dot(from - a), along.dot(from - b));
            let (num, den, offset, out) = if before <= 0 || after >= 0 {
                // Use the nearer end of the side.
                let end = if before <= 0 { a } else { b };
                let offset = end - from;
                (
                    length_sq(offset),
                    1,
                    offset,
                    (-offset).as_dvec2().normalize_or(normal.as_dvec2().normalize() * facing),
                )
            } else {
                let foot = normal.as_dvec2() * (-(height as f64) / square as f64);
                let out = normal.as_dvec2().normalize() * facing;
                (i128::from(height) * i128::from(height), i128::from(square), round_to_units(foot), out)
            };
            if num > i128::from(max_distance) * i128::from(max_distance) * den {
                continue;
            }
            let surface = Surface { owner: source.owner, at: source.cell_corner(tile), piece: *piece };
            let found = Best { num, den, key: self.sort_key_of_surface(&surface), offset, normal: out, surface };
            let is_nearer = best.is_none_or(|best| {
                (found.num * best.den).cmp(&(best.num * found.den)).then_with(|| found.key.cmp(&best.key)).is_lt()
            });
            if is_nearer {
                *best = Some(found);
            }
        }
    }
}

/// Returns the distance from a point to the outline of a box around the origin, the nearest point, and the outward
/// normal there.
fn nearest_point_on_box(offset: I64Vec2, half: I64Vec2) -> (f64, I64Vec2, DVec2) {
    let foot = offset.clamp(-half, half);
    if foot != offset {
        let out = (offset - foot).as_dvec2();
        return (out.length(), foot, out.normalize());
    }
    let room = half - offset.abs();
    let sign = |at: i64| if at < 0 { -1 } else { 1 };
    let out = if room.x < room.y { I64Vec2::new(sign(offset.x), 0) } else { I64Vec2::new(0, sign(offset.y)) };
    (room.min_element() as f64, I64Vec2::select(out.cmpeq(I64Vec2::ZERO), offset, out * half), out.as_dvec2())
}
