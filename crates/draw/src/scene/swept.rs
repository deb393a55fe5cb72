//! Finds the tiles that the last tick's motion swept over.

use surefoot::geometry::{Aabb, Capsule, DVec2, Segment, Shape as _};
use surefoot::prelude::{BodyState, Shape};

/// Returns the tiles that a body covered or touched in its last tick, or at its position if it did not move. Row by
/// row, each tile once.
pub fn swept_tiles_of_body(body: &BodyState) -> Vec<(i32, i32)> {
    let mut stops = vec![previous_position(body)];
    stops.extend(body.path().iter().map(|position| position.to_dvec2()));
    if stops.len() == 1 {
        stops.push(stops[0]);
    }
    let mut tiles: Vec<_> =
        stops.windows(2).flat_map(|leg| tiles_swept_between(body.shape(), leg[0], leg[1])).collect();
    tiles.sort_unstable_by_key(|&(x, y)| (y, x));
    tiles.dedup();
    tiles
}

/// Returns the position of a body before its last tick.
fn previous_position(body: &BodyState) -> DVec2 {
    body.position_at(0.0).as_dvec2()
}

/// Returns the tiles that a shape covers or touches on a straight segment.
fn tiles_swept_between(shape: Shape, from: DVec2, to: DVec2) -> Vec<(i32, i32)> {
    let half = shape.half_extents();
    let (low, high) = ((from.min(to) - half).ceil() - 1.0, (from.max(to) + half).floor());
    let (columns, rows) = (low.x as i32..=high.x as i32, low.y as i32..=high.y as i32);
    let meets = |(x, y): (i32, i32)| {
        let middle = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
        let reach = DVec2::splat(0.5) + if shape.is_circle() { DVec2::ZERO } else { half };
        let Ok(tile) = Aabb::from_center(middle, reach) else { return false };
        if shape.is_circle() {
            Capsule::new(from, to, half.x).is_ok_and(|way| way.distance(&tile) <= 0.0)
        } else {
            Segment::new(from, to).is_ok_and(|way| way.distance(&tile) <= 0.0)
        }
    };
    rows.flat_map(|y| columns.clone().map(move |x| (x, y))).filter(|&tile| meets(tile)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moving_box_sweeps_over_the_tiles_that_it_covers() {
        let shape = Shape::aabb(0.25, 0.25);
        // One box is within a tile, one on the border of two tiles, one on the corner of four.
        assert_eq!(tiles_swept_between(shape, DVec2::new(0.5, 0.5), DVec2::new(0.5, 0.5)), [(0, 0)]);
        assert_eq!(tiles_swept_between(shape, DVec2::new(0.5, 0.25), DVec2::new(0.5, 0.25)), [(0, -1), (0, 0)]);
        let corner = tiles_swept_between(shape, DVec2::new(0.25, 0.25), DVec2::new(0.25, 0.25));
        assert_eq!(corner, [(-1, -1), (0, -1), (-1, 0), (0, 0)]);
        // The box moves two tiles to the right in the middle of the row.
        assert_eq!(tiles_swept_between(shape, DVec2::new(0.5, 0.5), DVec2::new(2.5, 0.5)), [(0, 0), (1, 0), (2, 0)]);
        // The box moves up the diagonal: its corners cover the tiles next to the diagonal, but not those in the far
        // corners.
        let diagonal = tiles_swept_between(shape, DVec2::new(0.5, 0.5), DVec2::new(2.5, 2.5));
        assert_eq!(diagonal, [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (2, 2)]);
    }

    #[test]
    fn a_circle_does_not_sweep_over_tiles_that_only_its_bounds_cover() {
        let shape = Shape::circle(0.4);
        // The centre is 0.45 from two sides of the tile, the corner 0.64 away.
        assert_eq!(tiles_swept_between(shape, DVec2::new(0.55, 0.55), DVec2::new(0.55, 0.55)), [(0, 0)]);
        // At 0.3 from both sides, the circle crosses both; the corner is 0.42 away.
        assert_eq!(tiles_swept_between(shape, DVec2::new(0.7, 0.7), DVec2::new(0.7, 0.7)), [(0, 0), (1, 0), (0, 1)]);
    }
}
