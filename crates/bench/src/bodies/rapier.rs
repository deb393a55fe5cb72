//! rapier2d's dynamic bodies.

use super::{Bodies, Course, Start};
use crate::rapier_world::{translation, vector, world};
use rapier2d::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle};
use surefoot::geometry::DVec2;

/// Bodies in a world.
pub struct World {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
}

impl World {
    /// Puts the bodies at their starts.
    #[must_use]
    pub fn new(course: &Course) -> World {
        let mut world = world(course.gravity as f32);
        let of =
            |collider: ColliderBuilder| collider.friction(course.friction as f32).restitution(course.bounce as f32);
        for (at, half) in course.walls() {
            let wall = of(ColliderBuilder::cuboid(half.x as f32, half.y as f32));
            world.insert(RigidBodyBuilder::fixed().translation(vector(at)), wall);
        }
        let insert = |start: &Start| {
            let half = start.half.as_vec2();
            let shape =
                if start.is_round { ColliderBuilder::ball(half.x) } else { ColliderBuilder::cuboid(half.x, half.y) };
            let body = RigidBodyBuilder::dynamic().translation(vector(start.at)).linvel(vector(start.velocity));
            world.insert(body.lock_rotations(), of(shape.density(start.density()))).0
        };
        let bodies = course.starts.iter().map(insert).collect();
        World { world, bodies }
    }
}

impl Bodies for World {
    fn tick(&mut self, _: u64) {
        self.world.step();
    }

    fn position(&mut self, body: usize) -> DVec2 {
        translation(&self.world, self.bodies[body])
    }
}
