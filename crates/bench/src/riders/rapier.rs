//! rapier2d's character controller on kinematic bodies.

use super::{By, Course, PLATFORM, RIDER, Riders};
use crate::scene::TICK;
use crate::walker::{FLOOR, GRAVITY};
use rapier2d::control::{CharacterCollision, KinematicCharacterController};
use rapier2d::prelude::{
    ColliderBuilder, ColliderHandle, PhysicsWorld, Pose, QueryFilter, RigidBodyBuilder, RigidBodyHandle, RigidBodySet,
    SharedShape, Vector,
};
use surefoot::geometry::{DVec2, Vec2};

/// What a character wants to go down in a tick, in tiles, whether it stands or not: the artificial gravity of rapier's own
/// example. With gravity that starts from rest in each tick, riders hop on platforms that sink at 3 tiles per second.
const DOWN: f32 = 0.1;

/// A world with a floor for what falls.
pub(super) fn world(course: &Course) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = TICK as f32;
    world.gravity = Vector::new(0.0, -GRAVITY);
    let half = course.size().0 as f32 / 2.0;
    world.insert(RigidBodyBuilder::fixed().translation(Vector::new(half, 0.5)), ColliderBuilder::cuboid(half, 0.5));
    world
}

/// Position-based kinematic bodies.
pub(super) fn platforms(world: &mut PhysicsWorld, course: &Course) -> Vec<(RigidBodyHandle, ColliderHandle)> {
    let shape = ColliderBuilder::cuboid(PLATFORM.x as f32, PLATFORM.y as f32);
    let platform = |route: &super::Route| {
        let body = RigidBodyBuilder::kinematic_position_based().translation(vector(route.start));
        world.insert(body, shape.clone())
    };
    course.routes.iter().map(platform).collect()
}

pub(super) fn vector(v: DVec2) -> Vector {
    Vector::new(v.x as f32, v.y as f32)
}

/// Where a body is.
pub(super) fn translation(world: &PhysicsWorld, body: RigidBodyHandle) -> DVec2 {
    let at = world.bodies[body].translation();
    DVec2::new(f64::from(at.x), f64::from(at.y))
}

/// A shape that the controller moves.
#[derive(Clone, Copy, Debug)]
struct Rider {
    at: Vec2,
    platform: usize,
    /// The controller says that it is on the ground.
    grounded: bool,
    /// The game takes it for one that stands on its platform.
    rides: bool,
}

/// Shapes that are moved by the controller.
pub struct Controlled {
    course: Course,
    world: PhysicsWorld,
    platforms: Vec<(RigidBodyHandle, ColliderHandle)>,
    riders: Vec<Rider>,
    controller: KinematicCharacterController,
    shape: SharedShape,
    carried: By,
    /// Asked with these, the controller finds colliders and no velocities.
    no_bodies: RigidBodySet,
}

impl Controlled {
    /// At their starts.
    #[must_use]
    pub fn new(course: Course, carried: By) -> Controlled {
        let mut world = world(&course);
        let platforms = platforms(&mut world, &course);
        let rider = |start: &super::Start| Rider {
            at: start.at.as_vec2(),
            platform: start.platform,
            grounded: false,
            rides: false,
        };
        let riders = course.starts.iter().map(rider).collect();
        Controlled {
            course,
            world,
            platforms,
            riders,
            controller: KinematicCharacterController::default(),
            shape: SharedShape::cuboid(RIDER.x as f32, RIDER.y as f32),
            carried,
            no_bodies: RigidBodySet::new(),
        }
    }
}

impl Riders for Controlled {
    fn tick(&mut self, tick: u64) {
        for (route, &(body, _)) in self.course.routes.iter().zip(&self.platforms) {
            self.world.bodies[body].set_next_kinematic_translation(vector(route.at(tick + 1)));
        }
        self.world.step();
        let PhysicsWorld { broad_phase, narrow_phase, bodies, colliders, .. } = &self.world;
        let bodies = if self.carried == By::Game { &self.no_bodies } else { bodies };
        let dispatcher = narrow_phase.query_dispatcher();
        let queries = broad_phase.as_query_pipeline(dispatcher, bodies, colliders, QueryFilter::default());
        let wanted = Vector::new(0.0, -DOWN);
        for Rider { at, platform, grounded, rides } in &mut self.riders {
            if self.carried == By::Game && *rides {
                *at += self.course.routes[*platform].step(tick).as_vec2();
            }
            let mut below = None;
            let note = |hit: CharacterCollision| {
                if hit.hit.normal1.y > FLOOR {
                    below = Some(hit.handle);
                }
            };
            let pose = Pose::translation(at.x, at.y);
            let moved = self.controller.move_shape(TICK as f32, &queries, &*self.shape, &pose, wanted, note);
            *at += Vec2::new(moved.translation.x, moved.translation.y);
            *grounded = moved.grounded;
            // Snapping to the ground tells no collider: it stays the one that it was.
            *rides = *grounded && below.map_or(*rides, |below| below == self.platforms[*platform].1);
        }
    }

    fn rider(&mut self, rider: usize) -> DVec2 {
        self.riders[rider].at.as_dvec2()
    }

    fn platform(&mut self, platform: usize) -> DVec2 {
        translation(&self.world, self.platforms[platform].0)
    }

    fn stands(&mut self, rider: usize) -> bool {
        self.riders[rider].grounded
    }
}
