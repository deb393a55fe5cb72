//! parry2d's `cast_shapes` over a compound of the tiles that show, with a slide loop as such loops are written.
//!
//! Four casts a move, each stopping short of what it hits by [`SKIN`]; what is left is projected on the surface, and
//! a little nudge away from it added, without which the next cast stops where it starts. A body that stood on a floor
//! is brought down to it again by one cast more.

use super::{Slide, parts};
use crate::cast::{Cast, Hit};
use crate::oracle::Form;
use crate::scene::Scene;
use crate::tolerance::NUDGE;
use crate::walker::{FLOOR, Walker};
use parry2d::math::{Pose, Vector};
use parry2d::query::cast_shapes;
use parry2d::shape::{Compound, SharedShape};
use surefoot::geometry::Vec2;

/// Distance that the loop keeps from surfaces, in tiles. rapier's controller keeps it for the larger body.
const SKIN: f32 = 0.009;
/// Distance of the search for a floor below a body that stood on one, as in rapier's controller.
const SNAP: f32 = 0.18;
const CASTS: usize = 4;

/// A compound and one shape.
#[derive(Clone, Debug)]
pub struct Parry {
    compound: Compound,
    shape: SharedShape,
    form: Form,
}

/// Returns parry's shape of a form.
#[must_use]
pub(super) fn shape(form: Form) -> SharedShape {
    match form {
        Form::Circle { radius } => SharedShape::ball(radius as f32),
        Form::Box { half } => SharedShape::cuboid(half.x as f32, half.y as f32),
        Form::Capsule { radius, half_line } => SharedShape::capsule_y(half_line as f32, radius as f32),
    }
}

impl Parry {
    /// Makes a mover over the tiles of a scene.
    #[must_use]
    pub fn new(scene: &Scene, form: Form) -> Parry {
        Parry { compound: parts::compound(scene), shape: shape(form), form }
    }
}

impl Cast for Parry {
    fn cast(&mut self, from: Vec2, motion: Vec2, skin: f32) -> Option<Hit> {
        let (pose, direction, length, options) = parts::way(from, motion, skin)?;
        let (here, still) = (Pose::IDENTITY, Vector::ZERO);
        let hit = cast_shapes(&pose, direction, &*self.shape, &here, still, &self.compound, options);
        let hit = hit.expect("parry casts these shapes")?;
        Some(Hit { time: hit.time_of_impact / length, normal: Vec2::new(hit.normal2.x, hit.normal2.y) })
    }
}

impl Slide for Parry {
    fn slide(&mut self, walker: &mut Walker, motion: Vec2) {
        let stood = walker.on_floor;
        walker.on_floor = false;
        let mut rest = motion;
        for _ in 0..CASTS {
            let Some(hit) = self.cast(walker.at, rest, SKIN) else {
                walker.at += rest;
                break;
            };
            walker.at += rest * hit.time;
            walker.on_floor |= hit.normal.y > FLOOR;
            walker.meet(hit.normal);
            rest *= 1.0 - hit.time;
            rest += hit.normal * (NUDGE - rest.dot(hit.normal).min(0.0));
        }
        if stood && !walker.on_floor && walker.velocity.y <= 0.0 {
            let down = Vec2::new(0.0, -SNAP);
            if let Some(hit) = self.cast(walker.at, down, SKIN).filter(|hit| hit.normal.y > FLOOR) {
                walker.at += down * hit.time;
                walker.on_floor = true;
                walker.meet(hit.normal);
            }
        }
    }

    fn form(&self) -> Form {
        self.form
    }
}
