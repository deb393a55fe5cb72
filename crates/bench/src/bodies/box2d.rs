//! Box2D v3's dynamic bodies.

use super::{Bodies, Course, Start};
use crate::scene::TICK;
use boxdd::{
    BodyBuilder, BodyId, BodyType, Circle, Foundation, MotionLocks, Position, ShapeDef, SurfaceMaterial, Vec2 as V,
    WorldBuilder,
};
use surefoot::geometry::DVec2;

/// Box2D's own recommendation.
const SUB_STEPS: i32 = 4;

/// Bodies in a world.
pub struct World {
    world: boxdd::World,
    bodies: Vec<BodyId>,
}

impl World {
    /// At their starts.
    ///
    /// # Panics
    /// If Box2D refuses the course.
    #[must_use]
    pub fn new(course: &Course) -> World {
        let foundation = Foundation::initialize_default().expect("the first use");
        let def = WorldBuilder::from(foundation.world_def()).gravity(V::new(0.0, -course.gravity as f32));
        let mut world = foundation.create_world(def.build().expect("numbers in order")).expect("a world");
        let material = SurfaceMaterial::new().with_friction(course.friction as f32);
        let material = material.and_then(|material| material.with_restitution(course.bounce as f32));
        let material = material.expect("numbers in order");
        let mut add = |kind: BodyType, start: &Start| {
            let (at, velocity, half) = (start.at.as_vec2(), start.velocity.as_vec2(), start.half.as_vec2());
            let locks = MotionLocks::new(false, false, true);
            let def = BodyBuilder::from(foundation.body_def()).body_type(kind).motion_locks(locks);
            let def = def.position(Position::new(at.x, at.y)).linear_velocity(V::new(velocity.x, velocity.y));
            let body = world.create_body(def.build().expect("numbers in order")).expect("a body");
            let shape = ShapeDef::builder().density(start.density()).material(material);
            let shape = shape.build().expect("numbers in order");
            let mut owner = world.body(body).expect("it was just made");
            let done = if start.is_round {
                owner.create_circle(&shape, &Circle::new(V::new(0.0, 0.0), half.x).expect("a circle"))
            } else {
                owner.create_box(&shape, half.x, half.y)
            };
            done.expect("a shape on its body");
            body
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
        drop(self.world.step(TICK as f32, SUB_STEPS).expect("a step"));
    }

    fn position(&mut self, body: usize) -> DVec2 {
        let at = self.world.body(self.bodies[body]).and_then(|body| body.position()).expect("it stays");
        DVec2::new(f64::from(at.x), f64::from(at.y))
    }
}
