//! Paints bodies, their contacts and their paths on any canvas.

use crate::canvas::Canvas;
use crate::paint::Paint;
use crate::palette::{Color, Palette};
use crate::path::PathData;
use crate::view::View;
use surefoot::Map;
use surefoot::geometry::DVec2;
use surefoot::prelude::{Body, Position, Shape};

/// Paints a shape. `at`: position of its centre in tiles.
pub fn paint_body(canvas: &mut impl Canvas, view: &View, shape: Shape, at: DVec2, paint: &Paint) {
    let half = shape.half_extents();
    if shape.is_circle() {
        canvas.circle(view.point(at), half.x * view.scale, paint);
    } else {
        let corner = view.point(at + DVec2::new(-half.x, half.y));
        canvas.rect(corner, 2.0 * half.x * view.scale, 2.0 * half.y * view.scale, paint);
    }
}

/// Paints the bodies that a map places, at their start positions.
pub(crate) fn paint_placed_bodies(canvas: &mut impl Canvas, view: &View, map: &Map, palette: &Palette) {
    let paint = Paint::stroke(palette.background, view.scale / 24.0).filled(palette.bodies[0]);
    for placed in map.bodies() {
        let shape = Body::from(placed).shape;
        canvas.group("body", &placed.name, |canvas| {
            paint_body(canvas, view, shape, placed.position.to_dvec2(), &paint);
        });
    }
}

/// Length and half width of the facing mark of a body, as a fraction of the smaller half size.
const FRONT_MARK_RATIO: f64 = 0.4;

/// Paints the facing of a body as a small triangle that points out of the middle of a side.
///
/// `front`: unit vector along an axis to that side, see [`BodyState::facing`](surefoot::prelude::BodyState::facing).
/// Zero paints nothing.
pub fn paint_front(canvas: &mut impl Canvas, view: &View, shape: Shape, at: DVec2, front: DVec2, paint: &Paint) {
    if front == DVec2::ZERO {
        return;
    }
    let half = shape.half_extents();
    let size = FRONT_MARK_RATIO * half.min_element();
    // On a circle, move the foot of the mark towards the centre, so that both its corners are on the outline.
    let side = if shape.is_circle() { (half.x * half.x - size * size).sqrt() } else { half.dot(front.abs()) };
    let (foot, tip) = (at + front * side, at + front * (half.dot(front.abs()) + size));
    let mut mark = PathData::new();
    mark.polygon([foot + front.perp() * size, tip, foot - front.perp() * size].map(|corner| view.point(corner)));
    canvas.path(&mark, paint);
}

/// Paints a contact: a dot at `point`, in tiles, with a short line along the unit normal.
pub fn paint_contact(canvas: &mut impl Canvas, view: &View, point: DVec2, normal: DVec2, color: Color) {
    let mut tick = PathData::new();
    tick.run([point, point + normal * 0.22].map(|at| view.point(at)));
    canvas.path(&tick, &Paint::stroke(color, view.scale / 32.0).round());
    canvas.circle(view.point(point), view.scale / 18.0, &Paint::fill(color));
}

/// Paints the path of a body: lines through positions in tiles. Use a new line after each teleport.
pub fn paint_way<L>(canvas: &mut impl Canvas, view: &View, lines: impl IntoIterator<Item = L>, color: Color)
where
    L: IntoIterator<Item = DVec2>,
{
    let mut path = PathData::new();
    for line in lines {
        path.run(line.into_iter().map(|position| view.point(position)));
    }
    canvas.path(&path, &Paint::stroke(color, (view.scale / 14.0).max(1.5)).round());
}

/// Returns the point of a shape that touches a tile, in tiles: the point furthest against the unit normal.
///
/// If a whole side touches, returns the point nearest to the middle of the side that is on the touched tile.
#[must_use]
pub fn contact_point(shape: Shape, position: Position, normal: DVec2, tile: (i32, i32)) -> DVec2 {
    let (centre, half) = (position.to_dvec2(), shape.half_extents());
    if shape.is_circle() {
        return centre - normal * half;
    }
    let reach = |centre: f64, half: f64, normal: f64, tile: i32| {
        let side = if normal == 0.0 { f64::from(tile).max(centre).min(f64::from(tile) + 1.0) } else { centre };
        let corner = if normal == 0.0 { 0.0 } else { normal.signum() * half };
        side.clamp(centre - half, centre + half) - corner
    };
    DVec2::new(reach(centre.x, half.x, normal.x, tile.0), reach(centre.y, half.y, normal.y, tile.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::Palette;
    use crate::svg::Svg;

    /// A box of half sizes 5 and 10 pixels around (20, 20), and a circle of radius 5. The mark is 2 pixels long and 4
    /// wide. Its foot on the circle is sqrt(5² - 2²) from the centre.
    #[test]
    fn the_facing_mark_points_out_of_the_front() {
        let view = View { left: 0.0, top: 4.0, scale: 10.0 };
        let of = |shape: Shape, front: DVec2| {
            let mut svg = Svg::new(40.0, 40.0, "a body");
            paint_front(&mut svg, &view, shape, DVec2::splat(2.0), front, &Paint::fill(Palette::NIGHT.text));
            svg.to_string()
        };
        let (hero, ball) = (Shape::aabb(0.5, 1.0), Shape::circle(0.5));
        for (shape, front, expected) in [
            (hero, DVec2::X, "M25 18L27 20L25 22Z"),
            (hero, DVec2::NEG_X, "M15 22L13 20L15 18Z"),
            (hero, DVec2::Y, "M18 10L20 8L22 10Z"),
            (ball, DVec2::X, "M24.5826 18L27 20L24.5826 22Z"),
        ] {
            assert!(of(shape, front).contains(expected), "{}, expected {expected}", of(shape, front));
        }
        assert!(!of(hero, DVec2::ZERO).contains("<path"));
    }

    fn at(x: f64, y: f64) -> Position {
        Position::new(x, y).unwrap()
    }

    #[test]
    fn the_contact_point_is_a_corner_or_the_middle_of_a_side() {
        let position = at(3.0, 5.0);
        let slope = DVec2::new(-0.6, 0.8);
        let (hero, ball) = (Shape::aabb(0.25, 0.5), Shape::circle(0.5));
        assert_eq!(contact_point(hero, position, DVec2::Y, (3, 4)), DVec2::new(3.0, 4.5));
        assert_eq!(contact_point(hero, position, DVec2::Y, (2, 4)), DVec2::new(3.0, 4.5));
        // The tile ends left of the middle of the side, so the contact is at the tile's corner.
        assert_eq!(contact_point(hero, at(3.125, 5.0), DVec2::Y, (2, 4)), DVec2::new(3.0, 4.5));
        assert_eq!(contact_point(hero, position, DVec2::NEG_X, (3, 4)), DVec2::new(3.25, 5.0));
        assert_eq!(contact_point(hero, position, slope, (3, 4)), DVec2::new(3.25, 4.5));
        assert_eq!(contact_point(ball, position, slope, (3, 4)), DVec2::new(3.3, 4.6));
    }
}
