//! Which cells a shape can meet, in an order that lets a long motion stop early.

use super::Shape;
use crate::terrain::{BakedCell, Terrain};
use glam::I64Vec2;
use surefoot_geometry::Place;
use surefoot_geometry::tolerance::TOUCH;

/// Cells of a swept rectangle up to which no order along the path is worth its cost.
const PLAIN: i64 = 12;

/// Room around the swept bounds of one column, in units: more than f64 loses along the longest motion.
const MARGIN: f64 = 16.0;

/// Visits every cell that a resting shape may touch.
pub(crate) fn visit_near(terrain: &Terrain, shape: Shape, place: Place, mut see: impl FnMut((i32, i32), &BakedCell)) {
    let reach = shape.half() + TOUCH;
    let (low, high) = (first_cell(place.units() - reach), last_cell(place.units() + reach));
    for y in low.1..=high.1 {
        for x in low.0..=high.0 {
            see((x, y), terrain.cell(x, y));
        }
    }
}

/// Visits every cell that a moving shape may meet, touching cells among them, up to where it is known to stop.
///
/// `see` answers with the time of the earliest contact known so far; what the shape reaches later is not visited.
pub(crate) fn visit_path(
    terrain: &Terrain,
    shape: Shape,
    place: Place,
    motion: I64Vec2,
    mut see: impl FnMut((i32, i32), &BakedCell) -> Option<f64>,
) {
    let half = shape.half();
    let from = place.units();
    let to = from + motion;
    let (low, high) = (first_cell(from.min(to) - half), last_cell(from.max(to) + half));
    let count = (i64::from(high.0 - low.0) + 1) * (i64::from(high.1 - low.1) + 1);
    if count <= PLAIN {
        for y in low.1..=high.1 {
            for x in low.0..=high.0 {
                see((x, y), terrain.cell(x, y));
            }
        }
        return;
    }
    // Slabs of cells across the longer axis, in the order in which the shape comes to them.
    let steep = motion.y.abs() > motion.x.abs();
    let turn = |v: I64Vec2| if steep { I64Vec2::new(v.y, v.x) } else { v };
    let (from, motion, half) = (turn(from), turn(motion), turn(half));
    let (low, high) = if steep { ((low.1, low.0), (high.1, high.0)) } else { (low, high) };
    let forward = motion.x >= 0;
    let mut known: Option<f64> = None;
    for step in 0..=(high.0 - low.0) {
        let slab = if forward { low.0 + step } else { high.0 - step };
        let (enter, leave) = slab_times(slab, from.x, motion.x, half.x);
        if known.is_some_and(|known| known < enter) {
            return;
        }
        let (a, b) = (motion.y as f64 * enter, motion.y as f64 * leave);
        let room = half.y as f64 + MARGIN;
        let bottom = first(from.y + (a.min(b) - room).floor() as i64).max(low.1);
        let top = last(from.y + (a.max(b) + room).ceil() as i64).min(high.1);
        for across in bottom..=top {
            let cell = if steep { (across, slab) } else { (slab, across) };
            known = see(cell, terrain.cell(cell.0, cell.1));
        }
    }
}

/// When a shape enters and leaves a slab of cells, as fractions of its motion within [0, 1], with some room.
fn slab_times(slab: i32, from: i64, motion: i64, half: i64) -> (f64, f64) {
    let near = ((i64::from(slab) << 32) - from - half) as f64 - MARGIN;
    let far = ((i64::from(slab) + 1) << 32).wrapping_sub(from - half) as f64 + MARGIN;
    if motion == 0 {
        return (0.0, 1.0);
    }
    let (a, b) = (near / motion as f64, far / motion as f64);
    (a.min(b).clamp(0.0, 1.0), a.max(b).clamp(0.0, 1.0))
}

/// The first cell whose closed square reaches up to a coordinate.
fn first(units: i64) -> i32 {
    ((units - 1) >> 32) as i32
}

/// The last cell whose closed square reaches down to a coordinate.
fn last(units: i64) -> i32 {
    (units >> 32) as i32
}

fn first_cell(units: I64Vec2) -> (i32, i32) {
    (first(units.x), first(units.y))
}

fn last_cell(units: I64Vec2) -> (i32, i32) {
    (last(units.x), last(units.y))
}
