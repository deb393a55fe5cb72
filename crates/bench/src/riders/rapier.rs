//! rapier2d's character controller on kinematic bodies.

use super::{By, Course, PLATFORM, RIDER, Riders};
use crate::rapier_world::{self, translation, vector};
use crate::scene::TICK;
use crate::walker::{FLOOR, GRAVITY};
use rapier2d::control::{CharacterCollision, KinematicCharacterController};
use rapier2d::prelude::{
    ColliderBuilder, ColliderHandle, PhysicsWorld, Pose, QueryFilter, RigidBodyBuilder, RigidBodyHandle, RigidBodySet,
    SharedShape, Vector,
};
use surefoot::geometry::{DVec2, Vec2};

/// Downward displacement in tiles that a character requests in each tick: the artificial gravity of rapier's own
/// example. With a gravity that starts from rest in each tick, riders hop on platforms that sink at 3 tiles per second.
const DOWN: f32 = 0.1;

/// Makes a world with a floor for riders that fall.
pub(super) fn world(course: &Course) -> PhysicsWorld {
    let mut world = rapier_world::world(GRAVITY);
    let half = course.size().0 as f32 / 2.0;
    world.insert(RigidBodyBuilder::fixed().translation(Vector::new(half, 0.5)), ColliderBuilder::cuboid(half, 0.5));
    world
}

/// Adds the platforms: position-based kinematic bodies.
pub(super) fn platforms(world: &mut PhysicsWorld, course: &Course) -> Vec<(RigidBodyHandle, ColliderHandle)> {
    let shape = ColliderBuilder::cuboid(PLATFORM.x as f32, PLATFORM.y as f32);
    let platform = |route: &super::Route| {
        let body = RigidBodyBuilder::kinematic_position_based().translation(vector(route.start));
        world.insert(body, shape.clone())
    };
    course.routes.iter().map(platform).collect()
}

/// A shape that the controller moves.
#[derive(Clone, Copy, Debug)]
struct Rider {
    at: Vec2,
    platform: usize,
    /// Whether the controller reports the ground.
    grounded: bool,
    /// Whether the game carries the rider with its platform.
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
    /// An empty set. With it, the controller finds colliders without velocities.
    no_bodies: RigidBodySet,
}

impl Controlled {
    /// Puts the riders at their starts.
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
            // Snapping to the ground reports no collider. Then the rider stays on the collider of the tick before.
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
