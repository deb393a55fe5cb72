//! Box2D v3's dynamic bodies.

use super::{Bodies, Course, Start};
use crate::box2d_world::{add, step, translation, world};
use crate::oracle::Form;
use boxdd::{BodyId, BodyType, ShapeDef, SurfaceMaterial};
use surefoot::geometry::DVec2;

/// Bodies in a world.
pub struct World {
    world: boxdd::World,
    bodies: Vec<BodyId>,
}

impl World {
    /// Puts the bodies at their starts.
    ///
    /// # Panics
    /// Panics if Box2D refuses the course.
    #[must_use]
    pub fn new(course: &Course) -> World {
        let mut world = world(course.gravity as f32, true);
        let material = SurfaceMaterial::new().with_friction(course.friction as f32);
        let material = material.and_then(|material| material.with_restitution(course.bounce as f32));
        let material = material.expect("numbers in order");
        let mut add = |kind: BodyType, start: &Start| {
            let form = if start.is_round { Form::circle(start.half.x) } else { Form::Box { half: start.half } };
            let shape = ShapeDef::builder().density(start.density()).material(material);
            let shape = shape.build().expect("numbers in order");
            add(&mut world, kind, (start.at, start.velocity), form, &shape).0
        };
        for (at, half) in course.walls() {
            add(BodyType::Static, &Start { at, velocity: DVec2::ZERO, half, is_round: false });
        }
        let bodies = course.starts.iter().map(|start| add(BodyType::Dynamic, start)).collect();
        World { world, bodies }
    }
}

impl Bodies for World {
    fn tick(&mut self, _: u64) {
        step(&mut self.world);
    }

    fn position(&mut self, body: usize) -> DVec2 {
        translation(&mut self.world, self.bodies[body]).as_dvec2()
    }
}
