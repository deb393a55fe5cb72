//! Worlds of rapier2d, and vectors between both engines.

use crate::scene::TICK;
use rapier2d::prelude::{PhysicsWorld, RigidBodyHandle, Vector};
use surefoot::geometry::DVec2;

/// Makes an empty world.
pub(crate) fn world(gravity: f32) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = TICK as f32;
    world.gravity = Vector::new(0.0, -gravity);
    world
}

/// Returns the position of a body.
pub(crate) fn translation(world: &PhysicsWorld, body: RigidBodyHandle) -> DVec2 {
    let at = world.bodies[body].translation();
    DVec2::new(f64::from(at.x), f64::from(at.y))
}

/// Converts a vector.
pub(crate) fn vector(v: DVec2) -> Vector {
    Vector::new(v.x as f32, v.y as f32)
}
