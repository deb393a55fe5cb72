//! Paints bodies: characters with their poses, rolling balls, boxes, the ghost, and dust.

use super::backdrop::mixed;
use crate::scene::dust::Dust;
use crate::scene::pose::{Axes, Pose};
use crate::scene::wave::on_circle;
use crate::{Canvas, Color, Paint, Palette, PathData, View, paint_body, paint_front};
use surefoot::geometry::DVec2;
use surefoot::prelude::{BodyState, Shape};

/// Appearance of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// The played character.
    Hero,
    /// Another character.
    Other,
    /// A body without a controller.
    Object,
}

/// Returns the colour of a body.
pub fn color(shape: Shape, look: Look, palette: &Palette) -> Color {
    match (look, shape.is_circle()) {
        (Look::Hero, _) => palette.bodies[0],
        (Look::Other, _) => palette.bodies[3],
        (Look::Object, true) => palette.bodies[1],
        (Look::Object, false) => palette.bodies[2],
    }
}

/// Draws a body with its centre at a point of the world. A character has a pose.
pub fn paint(
    canvas: &mut impl Canvas,
    view: &View,
    body: &BodyState,
    centre: DVec2,
    (look, pose): (Look, &Pose),
    palette: &Palette,
) {
    let (shape, axes) = (body.shape(), Axes::of_body(body));
    let color = color(shape, look, palette);
    if look == Look::Object {
        paint_body(canvas, view, shape, centre, &Paint::fill(color));
        paint_inset_outline(canvas, view, shape, centre, palette);
        if shape.is_circle() {
            paint_spoke(canvas, view, shape.half_extents().x, (centre, axes.right), palette);
        } else {
            paint_planks(canvas, view, shape, centre, palette);
        }
    } else {
        paint_character(canvas, view, shape, (centre, axes), pose, (color, 1.0), palette);
    }
    if body.is_stuck() {
        paint_body(canvas, view, shape, centre, &Paint::stroke(palette.wall, 2.0));
    }
}

/// Opacity of the ghost.
const GHOST_OPACITY: f64 = 0.5;

/// Draws the ghost: the hero, but pale. `axes`: those of the hero.
pub fn ghost(
    canvas: &mut impl Canvas,
    view: &View,
    shape: Shape,
    place: (DVec2, Axes),
    pose: &Pose,
    palette: &Palette,
) {
    let color = mixed(color(shape, Look::Hero, palette), palette.text, 0.35);
    paint_character(canvas, view, shape, place, pose, (color, GHOST_OPACITY), palette);
}

/// Draws a character with feet and eyes.
fn paint_character(
    canvas: &mut impl Canvas,
    view: &View,
    shape: Shape,
    place: (DVec2, Axes),
    pose: &Pose,
    (color, opacity): (Color, f64),
    palette: &Palette,
) {
    let mut outline = PathData::new();
    outline.polygon(pose.outline(shape, place.0, place.1).into_iter().map(|at| view.point(at)));
    canvas.path(&outline, &Paint::fill(color).opacity(opacity));
    paint_feet(canvas, view, shape, place, pose, &Paint::fill(mixed(color, palette.background, 0.45)).opacity(opacity));
    let eyes = [palette.text, palette.background].map(|color| Paint::fill(color).opacity(opacity));
    paint_eyes(canvas, view, shape, place, pose, &eyes);
}

/// Draws a small triangle that shows the [facing](BodyState::facing) of a body, if set.
pub fn front(canvas: &mut impl Canvas, view: &View, body: &BodyState, centre: DVec2, look: Look, palette: &Palette) {
    let color = color(body.shape(), look, palette);
    paint_front(
        canvas,
        view,
        body.shape(),
        centre,
        body.right().as_dvec2() * body.facing().sign(),
        &Paint::fill(color),
    );
}

/// Draws a thin line slightly inside the outline, so that adjacent bodies can be told apart.
fn paint_inset_outline(canvas: &mut impl Canvas, view: &View, shape: Shape, centre: DVec2, palette: &Palette) {
    let inset = (view.scale / 16.0).max(1.5) / view.scale;
    let half = shape.half_extents() - inset;
    if half.min_element() > 0.0 {
        let inner = if shape.is_circle() { Shape::circle(half.x) } else { Shape::aabb(half.x, half.y) };
        paint_body(canvas, view, inner, centre, &Paint::stroke(palette.background, 1.2).opacity(0.55));
    }
}

/// Draws the planks of a crate: a cross, so that it looks like a thing to push and not like a tile.
fn paint_planks(canvas: &mut impl Canvas, view: &View, shape: Shape, centre: DVec2, palette: &Palette) {
    let half = shape.half_extents() * 0.72;
    let mut cross = PathData::new();
    for arm in [half, DVec2::new(half.x, -half.y)] {
        cross.run([centre - arm, centre + arm].map(|at| view.point(at)));
    }
    canvas.path(&cross, &Paint::stroke(palette.background, (view.scale / 24.0).max(1.2)).round().opacity(0.35));
}

/// Draws a line across a ball that turns as the ball rolls: by its way along the right axis.
fn paint_spoke(canvas: &mut impl Canvas, view: &View, radius: f64, (centre, right): (DVec2, DVec2), palette: &Palette) {
    let turns = -centre.dot(right) / (std::f64::consts::TAU * radius);
    let arm = on_circle(turns) * radius * 0.62;
    let mut line = PathData::new();
    line.run([centre - arm, centre + arm].map(|at| view.point(at)));
    canvas.path(&line, &Paint::stroke(palette.background, (view.scale / 24.0).max(1.2)).round().opacity(0.55));
}

/// Draws the feet of a character.
fn paint_feet(
    canvas: &mut impl Canvas,
    view: &View,
    shape: Shape,
    (centre, axes): (DVec2, Axes),
    pose: &Pose,
    paint: &Paint,
) {
    let half = shape.half_extents() * DVec2::new(0.3, 0.16);
    for foot in pose.feet(shape) {
        let corners = [-half, DVec2::new(half.x, -half.y), half, DVec2::new(-half.x, half.y)];
        let mut outline = PathData::new();
        outline.polygon(corners.map(|corner| view.point(pose.place(shape, centre, axes, foot + corner))));
        canvas.path(&outline, paint);
    }
}

/// Draws two eyes. `paints`: of the eye and of its pupil.
fn paint_eyes(
    canvas: &mut impl Canvas,
    view: &View,
    shape: Shape,
    (centre, axes): (DVec2, Axes),
    pose: &Pose,
    paints: &[Paint; 2],
) {
    let (half, gaze) = (shape.half_extents(), pose.gaze);
    let size = half.min_element();
    for side in [-1.0, 1.0] {
        let at = DVec2::new(half.x * (0.38 * side + 0.22 * gaze), half.y * 0.32);
        let eye = pose.place(shape, centre, axes, at);
        canvas.circle(view.point(eye), size * 0.26 * view.scale, &paints[0]);
        let pupil = eye + axes.right * (size * 0.1 * gaze);
        canvas.circle(view.point(pupil), size * 0.14 * view.scale, &paints[1]);
    }
}

/// Draws the dust.
pub fn dust(canvas: &mut impl Canvas, view: &View, dust: &Dust, palette: &Palette) {
    for puff in dust.puffs() {
        let paint = Paint::fill(puff.color.unwrap_or(palette.edge)).opacity(puff.opacity());
        canvas.circle(view.point(puff.at), puff.radius() * view.scale, &paint);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::mesh::Mesh;
    use crate::scene::raster::rasterize;
    use surefoot::prelude::*;
    use surefoot::{Map, World};

    /// A box of half size 0.5 at (2, 1.5), at 10 pixels a tile. The mark extends from its side at x = 25 to 27, or from
    /// 15 to 13.
    #[test]
    fn the_mark_is_on_the_side_that_a_body_faces() {
        let mut world = World::new(Map::from_rows(["....", "....", "===="]).expect("a map"), Settings::default());
        let hero = Body::new(Shape::aabb(0.5, 0.5)).at((2.0, 1.5)).character(Character::default());
        let hero = world.spawn(hero).expect("there is room");
        // With this `top`, the middle of the mark is in the middle of a row of pixels.
        let view = View { left: 0.0, top: 3.05, scale: 10.0 };
        let marked = |world: &World| {
            let mut mesh = Mesh::new();
            front(&mut mesh, &view, &world[hero], DVec2::new(2.0, 1.5), Look::Hero, &Palette::NIGHT);
            let pixels = rasterize(&mesh, (40, 30), 1);
            let color = Palette::NIGHT.bodies[0].0.map(f64::from);
            (0..40).filter(|x| pixels.colors[15 * 40 + x] == color).collect::<Vec<_>>()
        };
        assert!(marked(&world).is_empty());
        for (side, expected) in [(Facing::Right, [25, 26]), (Facing::Left, [13, 14])] {
            world.set_facing(hero, side).expect("it is there");
            assert_eq!(marked(&world), expected);
        }
    }
}
