//! Which bodies overlap the shape of an area. "Overlap" means that the interiors intersect; touching is not overlap.

use crate::motion::{Bounds, Form, Shape};
use glam::I64Vec2;
use surefoot_geometry::{Aabb, AnyBounded, Capsule, Circle, ConvexPolygon, ONE, Shape as _, to_lengths};

use crate::area::AreaShape;

/// Tests of a body against the shape of an area.
pub(crate) trait BodyOverlap {
    /// Returns whether the interiors of the area and of a body overlap. `at` is the body's centre in units from the
    /// position of the area.
    fn overlaps(&self, body: Shape, at: I64Vec2) -> bool;

    /// Returns whether the interior of the area overlaps the body somewhere on the straight path between two
    /// positions, in units from the position of the area.
    fn overlaps_path(&self, body: Shape, from: I64Vec2, to: I64Vec2) -> bool;
}

impl BodyOverlap for AreaShape {
    fn overlaps(&self, body: Shape, from: I64Vec2) -> bool {
        let at = to_lengths(from);
        // Fast path for two boxes: their interiors overlap if they overlap on both axes.
        if let (AreaShape::Aabb(own), Form::Aabb { half }) = (self, body.0) {
            let half = to_lengths(half.into());
            return (at - half).cmplt(own.max()).all() && (at + half).cmpgt(own.min()).all();
        }
        if let AreaShape::Boxes(boxes) = self {
            let (half, at_units) = (to_lengths(body.half_units()), from);
            return boxes.any_near(at - half, at + half, |own| AreaShape::Aabb(*own).overlaps(body, at_units));
        }
        let overlaps = |body: AnyBounded<'_>| self.pieces().any(|shape| shape.overlaps(&body));
        match body.0 {
            Form::Circle { radius } => {
                Circle::new(at, units_to_tiles(radius)).is_ok_and(|circle| overlaps((&circle).into()))
            }
            Form::Aabb { half } => {
                Aabb::from_center(at, to_lengths(half.into())).is_ok_and(|aabb| overlaps((&aabb).into()))
            }
        }
    }

    /// Returns whether the area overlaps the region that a body sweeps in a straight motion between two positions.
    fn overlaps_path(&self, body: Shape, from: I64Vec2, to: I64Vec2) -> bool {
        if from == to {
            return self.overlaps(body, to);
        }
        if let AreaShape::Boxes(boxes) = self {
            let half = body.half_units();
            let (low, high) = (to_lengths(from.min(to) - half), to_lengths(from.max(to) + half));
            return boxes.any_near(low, high, |own| AreaShape::Aabb(*own).overlaps_path(body, from, to));
        }
        let overlaps = |way: AnyBounded<'_>| self.pieces().any(|shape| shape.overlaps(&way));
        match body.0 {
            Form::Circle { radius } => {
                let swept = Capsule::new(to_lengths(from), to_lengths(to), units_to_tiles(radius));
                swept.is_ok_and(|way| overlaps((&way).into()))
            }
            Form::Aabb { half } => {
                let half = I64Vec2::from(half);
                let (low, high) = (from.min(to), from.max(to));
                if from.x == to.x || from.y == to.y {
                    let swept = Aabb::new(to_lengths(low - half), to_lengths(high + half));
                    return swept.is_ok_and(|way| overlaps((&way).into()));
                }
                // A box that moves diagonally sweeps a hexagon: the bounding box of the motion without two opposite
                // corners.
                let rises = (to.x > from.x) == (to.y > from.y);
                let corners = if rises {
                    [(low, -1, -1), (low, 1, -1), (high, 1, -1), (high, 1, 1), (high, -1, 1), (low, -1, 1)]
                } else {
                    let (left, right) = (I64Vec2::new(low.x, high.y), I64Vec2::new(high.x, low.y));
                    [(left, -1, -1), (right, -1, -1), (right, 1, -1), (right, 1, 1), (left, 1, 1), (left, -1, 1)]
                };
                let corners = corners.map(|(at, x, y)| to_lengths(at + half * I64Vec2::new(x, y)));
                ConvexPolygon::new(&corners).is_ok_and(|way| overlaps((&way).into()))
            }
        }
    }
}

/// Returns a rectangle of centre positions, in units, at each of which the body overlaps the box `within`. It
/// contains `at`, the present centre; `None` if the body does not overlap the box there.
pub(crate) fn centres_overlapping_box(within: &Bounds, body: Shape, at: I64Vec2) -> Option<Bounds> {
    let grown = |by: I64Vec2| Bounds { low: within.low - by, high: within.high + by };
    let holds = |bounds: &Bounds| bounds.low.cmple(at).all() && at.cmple(bounds.high).all();
    // Enlarge the box by one unit less than half the size of the body: at the full half size the two only touch.
    match body.0 {
        Form::Aabb { half } => Some(grown(I64Vec2::from(half) - 1)).filter(holds),
        // Enlarge the box on one axis at a time. A centre outside the box on both axes is near a corner of the box. A
        // circle there may not overlap the box.
        Form::Circle { radius } => {
            let sides = [I64Vec2::new(radius - 1, 0), I64Vec2::new(0, radius - 1)];
            sides.into_iter().map(grown).find(holds)
        }
    }
}

fn units_to_tiles(units: i64) -> f64 {
    units as f64 / ONE as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use surefoot_geometry::{DVec2, Obb, Triangle, dvec2};

    fn sample_area_shapes() -> Vec<AreaShape> {
        vec![
            AreaShape::circle(1.5).unwrap(),
            AreaShape::aabb(2.0, 0.75).unwrap(),
            Obb::new(DVec2::ZERO, dvec2(2.0, 0.5), dvec2(3.0, 4.0)).unwrap().into(),
            Capsule::new(dvec2(-1.0, 0.0), dvec2(1.0, 0.5), 0.5).unwrap().into(),
            Triangle::new([dvec2(-1.5, -1.0), dvec2(1.5, -1.0), dvec2(0.0, 1.0)]).unwrap().into(),
            ConvexPolygon::new(&[dvec2(0.0, -1.0), dvec2(1.0, 0.0), dvec2(0.0, 1.0), dvec2(-2.0, 0.0)]).unwrap().into(),
        ]
    }

    fn random_position(random: &mut Random, reach: i64) -> I64Vec2 {
        let mut one = || (random.below(1 << 20) as i64 - (1 << 19)) * ((reach * ONE) >> 19);
        I64Vec2::new(one(), one())
    }

    #[test]
    fn bodies_within_an_area_overlap_it() {
        let mut random = Random(3);
        let (mut within, mut beyond) = (0, 0);
        for shape in sample_area_shapes() {
            let bounds = shape.bounds();
            for _ in 0..2000 {
                let body = if random.below(2) == 0 { Shape::aabb(0.25, 0.125) } else { Shape::circle(0.25) };
                let at = random_position(&mut random, 4);
                let (low, high) = (at - body.half_units(), at + body.half_units());
                let own_bounds = shape.inner_box().map(|(low, high)| Bounds { low, high });
                if let Some(free) = own_bounds.and_then(|own| centres_overlapping_box(&own, body, at)) {
                    within += 1;
                    let corners = [free.low, free.high, I64Vec2::new(free.low.x, free.high.y)];
                    for at in corners.into_iter().chain([at]) {
                        assert!(shape.overlaps(body, at), "{shape:?} {body:?} {at}");
                    }
                }
                if high.cmple(bounds.0).any() || low.cmpge(bounds.1).any() {
                    beyond += 1;
                    assert!(!shape.overlaps(body, at), "{shape:?} {at}");
                }
            }
        }
        assert!(within > 100 && beyond > 1000, "{within} {beyond}");
    }

    #[test]
    fn touching_is_not_inside() {
        let pond = AreaShape::aabb(2.0, 1.0).unwrap();
        let half = ONE / 2;
        for body in [Shape::aabb_units((half, half)), Shape::circle_units(half)] {
            assert!(!pond.overlaps(body, I64Vec2::new(2 * ONE + half, 0)));
            assert!(pond.overlaps(body, I64Vec2::new(2 * ONE + half - 1, 0)), "one unit further in");
        }
        // Diagonally at the corner of the area, the box body overlaps and the circle does not.
        let corner = I64Vec2::new(2 * ONE + half - 1, ONE + half - 1);
        assert!(pond.overlaps(Shape::aabb_units((half, half)), corner));
        assert!(!pond.overlaps(Shape::circle_units(half), corner));
    }

    /// A path overlaps if a position on it overlaps. If the path overlaps, one of many positions on it nearly
    /// overlaps.
    #[test]
    fn a_path_overlaps_if_a_position_on_it_does() {
        let mut random = Random(5);
        let (mut crossings, mut clear) = (0, 0);
        for shape in sample_area_shapes() {
            for body in [Shape::circle(0.25), Shape::aabb(0.25, 0.125)] {
                for _ in 0..300 {
                    let (from, to) = (random_position(&mut random, 4), random_position(&mut random, 4));
                    let meets = shape.overlaps_path(body, from, to);
                    assert_eq!(meets, shape.overlaps_path(body, to, from), "there and back");
                    let steps = 64;
                    let mut places = (0..=steps).map(|i| from + (to - from) / steps * i);
                    let met = places.any(|at| shape.overlaps(body, at));
                    assert!(meets || !met, "{shape:?} {body:?} {from} {to}");
                    // Conversely, if the path overlaps, a body that is larger by one step overlaps at one of the
                    // positions.
                    let larger = body.half_units() + (to - from).abs() / steps + steps;
                    let mut places = (0..=steps).map(|i| from + (to - from) / steps * i);
                    assert!(!meets || places.any(|at| shape.overlaps(Shape::aabb_units(larger), at)));
                    if meets { crossings += 1 } else { clear += 1 }
                }
            }
        }
        assert!(crossings > 500 && clear > 500, "{crossings} {clear}");
    }
}
