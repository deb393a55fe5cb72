//! Worlds of Box2D v3, in which no body rotates, and vectors between both engines.

use crate::oracle::Form;
use crate::scene::TICK;
use boxdd::{
    BodyBuilder, BodyId, BodyType, Capsule, Circle, Foundation, MotionLocks, Position, ShapeDef, ShapeId, Vec2 as V,
    World, WorldBuilder,
};
use surefoot::geometry::{DVec2, Vec2};

/// Number of sub-steps that Box2D recommends.
const SUB_STEPS: i32 = 4;

/// Makes an empty world. Continuous collision is on by default in Box2D.
///
/// # Panics
/// Panics if Box2D refuses the world.
pub(crate) fn world(gravity: f32, is_continuous: bool) -> World {
    let foundation = Foundation::initialize_default().expect("the first use");
    let def = WorldBuilder::from(foundation.world_def()).gravity(V::new(0.0, -gravity));
    let def = def.enable_continuous(is_continuous).build().expect("numbers in order");
    foundation.create_world(def).expect("a world")
}

/// Adds a body with one shape.
///
/// # Panics
/// Panics if Box2D refuses the body.
pub(crate) fn add(
    world: &mut World,
    kind: BodyType,
    (at, velocity): (DVec2, DVec2),
    form: Form,
    shape: &ShapeDef,
) -> (BodyId, ShapeId) {
    let foundation = Foundation::initialize_default().expect("it is there");
    let def =
        BodyBuilder::from(foundation.body_def()).body_type(kind).motion_locks(MotionLocks::new(false, false, true));
    let def = def.position(position(at.as_vec2())).linear_velocity(vector(velocity.as_vec2()));
    let body = world.create_body(def.build().expect("numbers in order")).expect("a body");
    let mut owner = world.body(body).expect("it was just made");
    let shape = match form {
        Form::Capsule { radius, half_line } => {
            let end = V::new(0.0, half_line as f32);
            let capsule = Capsule::new(V::new(0.0, -end.y), end, radius as f32).expect("a capsule");
            owner.create_capsule(shape, &capsule)
        }
        Form::Circle { radius } => {
            let circle = Circle::new(V::new(0.0, 0.0), radius as f32).expect("a circle");
            owner.create_circle(shape, &circle)
        }
        Form::Box { half } => owner.create_box(shape, half.x as f32, half.y as f32),
    };
    (body, shape.expect("a shape on its body"))
}

/// Computes one tick.
pub(crate) fn step(world: &mut World) {
    drop(world.step(TICK as f32, SUB_STEPS).expect("a step"));
}

/// Returns the position of a body.
pub(crate) fn translation(world: &mut World, body: BodyId) -> Vec2 {
    let at = world.body(body).and_then(|body| body.position()).expect("it stays");
    Vec2::new(at.x, at.y)
}

/// Converts a vector.
pub(crate) fn vector(v: Vec2) -> V {
    V::new(v.x, v.y)
}

/// Converts a position.
pub(crate) fn position(at: Vec2) -> Position {
    Position::new(at.x, at.y)
}
