//! How a character is drawn: it leans, stretches in a fall, is squashed by a landing, and its feet swing.

use crate::scene::wave::on_circle;
use surefoot::World;
use surefoot::geometry::DVec2;
use surefoot::prelude::{BodyId, BodyState, Position, Shape};
use surefoot::query::Filter;

/// How a character is drawn in a frame. The world never depends on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Direction of the eyes along the right axis, from -1 to 1.
    pub gaze: f64,
    /// Change of the height as a fraction of it: positive when stretched, negative when squashed.
    stretch: f64,
    /// Shift of the head along the right axis per height.
    lean: f64,
    /// Phase of the feet in turns, and how far they swing, from 0 to 1.
    stride: (f64, f64),
    /// Distance of the ground below the left and the right end of the lower side, in tiles: see [`ground_below`].
    ground: (f64, f64),
}

/// The directions of right and up of a body, as unit vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    /// Right.
    pub right: DVec2,
    /// Up.
    pub up: DVec2,
}

impl Axes {
    /// Returns the axes of a body.
    #[must_use]
    pub fn of_body(body: &BodyState) -> Axes {
        Axes { right: body.right().as_dvec2(), up: body.up().direction().as_dvec2() }
    }
}

/// A character at rest that looks to the right.
impl Default for Pose {
    fn default() -> Pose {
        Pose { gaze: 1.0, stretch: 0.0, lean: 0.0, stride: (0.0, 0.0), ground: (0.0, 0.0) }
    }
}

/// Minimum speed at which the eyes turn to the motion, in tiles per second.
const MIN_GAZE_TILES_PER_SECOND: f64 = 0.5;
/// Rates per second at which the eyes and the height approach their targets.
const GAZE_RATE_PER_SECOND: f64 = 12.0;
const STRETCH_RATE_PER_SECOND: f64 = 14.0;
/// Stretch per speed of a rise or fall, squash per speed of a landing, lean per speed along the ground, in seconds per
/// tile.
const STRETCH_SECONDS: f64 = 0.006;
const SQUASH_SECONDS: f64 = 0.018;
const LEAN_SECONDS: f64 = 0.012;
/// Limits, so that the drawing stays close to the shape that collides.
const MAX_STRETCH: f64 = 0.12;
const MAX_SQUASH: f64 = 0.25;
const MAX_LEAN: f64 = 0.14;
/// Distance of two steps in tiles, and the speed at which the feet swing fully.
const STRIDE_TILES: f64 = 1.1;
const FULL_SWING_TILES_PER_SECOND: f64 = 4.0;

/// Maximum distance of the ground from a foot that stands on it, in tiles.
const MAX_GROUND_TILES: f64 = 0.9;
/// Minimum sine of the angle of a slope.
const MIN_SLOPE_SINE: f64 = 0.05;

/// Returns the distance of the ground below the left and the right end of the lower side of a box that stands on a
/// slope, in tiles. Returns 0 for all other bodies. `centre`: the centre of the body as drawn.
///
/// Boxes do not rotate, so only one end touches a slope. A drawing that ends at the box would hang in the air.
#[must_use]
pub fn ground_below(world: &World, id: BodyId, centre: DVec2) -> (f64, f64) {
    let Some(body) = world.get(id).filter(|body| body.on_floor() && !body.shape().is_circle()) else {
        return (0.0, 0.0);
    };
    let (Axes { right, up }, half) = (Axes::of_body(body), body.shape().half_extents());
    let reach = half.y + MAX_GROUND_TILES;
    let ends = [-1.0, 1.0].map(|side| {
        let (from, down, bodies) = (centre + right * half.x * side, -up * reach, [id]);
        let from = Position::new(from.x, from.y).ok()?;
        world.cast_ray(from, (down.x, down.y), &Filter::default().exclude(&bodies))
    });
    if !ends.iter().flatten().any(|hit| hit.normal.dot(right).abs() > MIN_SLOPE_SINE) {
        return (0.0, 0.0);
    }
    let [left, right] = ends.map(|hit| hit.map_or(0.0, |hit| (hit.toi * reach - half.y).max(0.0)));
    (left, right)
}

impl Pose {
    /// Returns the pose of a character without regard to earlier frames: no landing squashes it.
    pub fn of_body(body: &BodyState, centre: DVec2) -> Pose {
        let Axes { right, up } = Axes::of_body(body);
        let velocity = body.velocity();
        Pose::of_motion((velocity.dot(right), velocity.dot(up)), body.on_floor(), centre.dot(right))
    }

    /// Returns the pose for a motion along right and up, in tiles per second. `place`: position along the right axis.
    #[must_use]
    pub fn of_motion((along, rise): (f64, f64), on_floor: bool, place: f64) -> Pose {
        Pose {
            gaze: (along / 2.0).clamp(-1.0, 1.0),
            stretch: if on_floor { 0.0 } else { (rise.abs() * STRETCH_SECONDS).min(MAX_STRETCH) },
            lean: (along * LEAN_SECONDS).clamp(-MAX_LEAN, MAX_LEAN),
            stride: (
                place / STRIDE_TILES,
                if on_floor { (along.abs() / FULL_SWING_TILES_PER_SECOND).min(1.0) } else { 0.0 },
            ),
            ground: (0.0, 0.0),
        }
    }

    /// Sets the distance of the ground below the left and the right end of the lower side, in tiles.
    #[must_use]
    pub fn on_ground(self, ground: (f64, f64)) -> Pose {
        Pose { ground, ..self }
    }

    /// Moves this pose towards `wanted` in a frame of `seconds`. `along`: speed along the right axis. `landing`: speed
    /// at which the body landed in the frame, or 0. Speeds are in tiles per second.
    pub fn approach(&mut self, wanted: Pose, along: f64, seconds: f64, landing: f64) {
        let near = |rate: f64| rate * seconds / (1.0 + rate * seconds);
        let gaze = if along.abs() > MIN_GAZE_TILES_PER_SECOND { along.signum() } else { self.gaze.signum() };
        self.gaze += (gaze - self.gaze) * near(GAZE_RATE_PER_SECOND);
        self.stretch += (wanted.stretch - self.stretch) * near(STRETCH_RATE_PER_SECOND);
        if landing > 0.0 {
            self.stretch = -(landing * SQUASH_SECONDS).min(MAX_SQUASH);
        }
        (self.lean, self.stride, self.ground) = (wanted.lean, wanted.stride, wanted.ground);
    }

    /// Returns where a point of the body is drawn. `at`: the point relative to the body's centre, along right and up.
    pub fn place(&self, shape: Shape, centre: DVec2, axes: Axes, at: DVec2) -> DVec2 {
        let (foot, height) = (-shape.half_extents().y, 1.0 + self.stretch);
        let above_foot = (at.y - foot) * height;
        // The lower side follows the ground. The upper side moves down half as far as the middle of the lower side.
        let ((left, right), half) = (self.ground, shape.half_extents());
        let below = left + (right - left) * ((at.x / half.x).clamp(-1.0, 1.0) + 1.0) / 2.0;
        let share = (above_foot / (2.0 * half.y)).clamp(0.0, 1.0);
        let drop = below * (1.0 - share) + (left + right) / 4.0 * share;
        centre + axes.right * (at.x / height + self.lean * above_foot) + axes.up * (foot + above_foot - drop)
    }

    /// Returns the outline as drawn.
    pub fn outline(&self, shape: Shape, centre: DVec2, axes: Axes) -> Vec<DVec2> {
        let half = shape.half_extents();
        let corners: Vec<DVec2> = if shape.is_circle() {
            (0..32).map(|i| on_circle(f64::from(i) / 32.0) * half.x).collect()
        } else {
            // The upper corners are round.
            let radius = half.min_element() * 0.4;
            let arc = |i: u32| on_circle(f64::from(i) / 24.0) * radius;
            let (right, left) = (half - radius, DVec2::new(radius - half.x, half.y - radius));
            let top = (0..=6).map(|i| right + arc(i)).chain((6..=12).map(|i| left + arc(i)));
            [-half, DVec2::new(half.x, -half.y)].into_iter().chain(top).collect()
        };
        corners.into_iter().map(|corner| self.place(shape, centre, axes, corner)).collect()
    }

    /// Returns the middles of the feet, relative to the body's centre, the far one first.
    pub fn feet(&self, shape: Shape) -> [DVec2; 2] {
        let (half, (phase, swing)) = (shape.half_extents(), self.stride);
        [0.5, 0.0].map(|later| {
            let circle = on_circle(phase + later);
            let rest = if later == 0.0 { 0.42 } else { -0.42 };
            let x = half.x * (rest * (1.0 - 0.7 * swing) - 0.75 * swing * circle.x);
            DVec2::new(x, half.y * (-0.84 + 0.22 * swing * circle.y.max(0.0)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::prelude::*;
    use surefoot::{Map, World};

    fn world_with_hero(at: (f64, f64)) -> (World, BodyId) {
        let rows = ["....", "....", "....", "===="];
        let mut world = World::new(Map::from_rows(rows).expect("a map"), Settings::default());
        let body = Body::new(Shape::aabb(0.35, 0.45)).at(at).character(Character::default());
        let hero = world.spawn(body).expect("there is room");
        (world, hero)
    }

    /// On the floor at y = 1, the box of half size (0.35, 0.45) is drawn with its own corners. Upside down it is, too.
    #[test]
    fn a_character_at_rest_is_drawn_as_its_shape() {
        let (mut world, hero) = world_with_hero((2.0, 1.45));
        world.step();
        let (body, centre) = (&world[hero], DVec2::new(2.0, 1.45));
        for up in [DVec2::Y, -DVec2::Y] {
            let axes = Axes { right: DVec2::X, up };
            let corners = Pose::of_body(body, centre).outline(body.shape(), centre, axes);
            let (low, high) =
                corners.iter().fold((corners[0], corners[0]), |(low, high), at| (low.min(*at), high.max(*at)));
            assert!((low - DVec2::new(1.65, 1.0)).length() < 1e-9, "{corners:?}");
            assert!((high - DVec2::new(2.35, 1.9)).length() < 1e-9, "{corners:?}");
        }
    }

    /// On a slope that rises by one tile per tile, the right end of a box touches it, and the left end is as far above
    /// it as the box is wide. The lower side is drawn along the slope.
    #[test]
    fn the_lower_side_of_a_box_on_a_slope_is_drawn_along_it() {
        let map = Map::from_rows(["....", "../#", "./##", "/###"]).expect("a map");
        let mut world = World::new(map, Settings::default());
        // The right lower corner at x = 1.35 is on the slope at y = 1.35.
        let body = Body::new(Shape::aabb(0.35, 0.45)).at((1.0, 1.9)).character(Character::default());
        let hero = world.spawn(body).expect("there is room");
        for _ in 0..60 {
            world.step();
        }
        let (body, centre) = (&world[hero], world[hero].position().to_dvec2());
        let ground = ground_below(&world, hero, centre);
        assert!((ground.0 - 0.7).abs() < 1e-3 && ground.1.abs() < 1e-3, "{ground:?}");
        let pose = Pose::of_body(body, centre).on_ground(ground);
        for x in [-0.35, 0.0, 0.35] {
            let foot = pose.place(body.shape(), centre, Axes::of_body(body), DVec2::new(x, -0.45));
            assert!((foot.y - foot.x).abs() < 1e-3, "{foot}");
        }
    }

    /// The feet stay on the floor while a landing at 10 tiles per second makes the body 0.18 lower, and it is high
    /// again soon.
    #[test]
    fn a_landing_squashes_for_a_moment() {
        let (mut world, hero) = world_with_hero((2.0, 1.45));
        world.step();
        let (body, centre) = (&world[hero], DVec2::new(2.0, 1.45));
        let rest = Pose::of_body(body, centre);
        let mut pose = rest;
        pose.approach(rest, 0.0, 1.0 / 60.0, 10.0);
        let top = |pose: &Pose| pose.place(body.shape(), centre, Axes::of_body(body), DVec2::new(0.0, 0.45)).y - 1.0;
        assert!((top(&pose) - 0.9 * 0.82).abs() < 1e-9, "{}", top(&pose));
        let foot = pose.place(body.shape(), centre, Axes::of_body(body), DVec2::new(0.0, -0.45));
        assert!((foot.y - 1.0).abs() < 1e-9, "{foot}");
        (0..60).for_each(|_| pose.approach(rest, 0.0, 1.0 / 60.0, 0.0));
        assert!((top(&pose) - 0.9).abs() < 0.001, "{}", top(&pose));
    }

    #[test]
    fn a_runner_leans_forward_and_its_feet_swing_against_each_other() {
        let (mut world, hero) = world_with_hero((0.5, 1.45));
        world.set_input(hero, surefoot::body::Input::walk(1.0));
        for _ in 0..12 {
            world.step();
        }
        let body = &world[hero];
        let centre = body.position().to_dvec2();
        let pose = Pose::of_body(body, centre);
        let head = pose.place(body.shape(), centre, Axes::of_body(body), DVec2::new(0.0, 0.45));
        assert!(head.x > centre.x + 0.02 && head.x < centre.x + 0.15, "{head} {centre}");
        let feet: Vec<_> =
            (0..20).map(|i| Pose::of_body(body, centre + DVec2::X * f64::from(i) * 0.055).feet(body.shape())).collect();
        let reach = |i: usize| {
            feet.iter().fold((1.0_f64, -1.0_f64), |(low, high), pair| (low.min(pair[i].x), high.max(pair[i].x)))
        };
        for (low, high) in [reach(0), reach(1)] {
            assert!(low < -0.1 && high > 0.1, "{low} {high}");
        }
    }
}
