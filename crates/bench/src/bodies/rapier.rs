//! rapier2d's dynamic bodies.

use super::{Bodies, Course, Start};
use crate::scene::TICK;
use rapier2d::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, Vector};
use surefoot::geometry::DVec2;

/// Bodies in a world.
pub struct World {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
}

impl World {
    /// At their starts.
    #[must_use]
    pub fn new(course: &Course) -> World {
        let mut world = PhysicsWorld::new();
        world.integration_parameters.dt = TICK as f32;
        world.gravity = Vector::new(0.0, -course.gravity as f32);
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

fn vector(v: DVec2) -> Vector {
    Vector::new(v.x as f32, v.y as f32)
}

impl Bodies for World {
    fn tick(&mut self, _: u64) {
        self.world.step();
    }

    fn position(&mut self, body: usize) -> DVec2 {
        let at = self.world.bodies[self.bodies[body]].translation();
        DVec2::new(f64::from(at.x), f64::from(at.y))
    }
}
