//! rapier2d's dynamic bodies on kinematic bodies.

use super::rapier::{platforms, world};
use super::{By, Course, RIDER, Riders};
use crate::rapier_world::{translation, vector};
use crate::walker::FLOOR;
use rapier2d::prelude::{
    ColliderBuilder, ColliderHandle, ContactPair, Group, InteractionGroups, InteractionTestMode, PhysicsWorld,
    RigidBodyBuilder, RigidBodyHandle,
};
use surefoot::geometry::DVec2;

/// Dynamic bodies that do not rotate.
pub struct Bodies {
    course: Course,
    world: PhysicsWorld,
    platforms: Vec<(RigidBodyHandle, ColliderHandle)>,
    riders: Vec<(RigidBodyHandle, ColliderHandle)>,
    carried: By,
}

impl Bodies {
    /// Puts the riders at their starts.
    #[must_use]
    pub fn new(course: Course, carried: By) -> Bodies {
        let mut world = world(&course);
        let platforms = platforms(&mut world, &course);
        let apart = InteractionGroups::new(Group::GROUP_2, !Group::GROUP_2, InteractionTestMode::And);
        let shape = ColliderBuilder::cuboid(RIDER.x as f32, RIDER.y as f32).collision_groups(apart);
        let rider = |start: &super::Start| {
            world.insert(RigidBodyBuilder::dynamic().translation(vector(start.at)).lock_rotations(), shape.clone())
        };
        let riders = course.starts.iter().map(rider).collect();
        Bodies { course, world, platforms, riders, carried }
    }

    fn rides(&self, rider: usize) -> bool {
        let (rider, platform) = (self.riders[rider].1, self.platforms[self.course.starts[rider].platform].1);
        self.world.narrow_phase.contact_pair(rider, platform).is_some_and(|pair| is_below(pair, rider))
    }
}

/// Returns whether a collider of the pair has a contact below it.
fn is_below(pair: &ContactPair, collider: ColliderHandle) -> bool {
    // Normals point from the first collider to the second.
    let up = if pair.collider1 == collider { -1.0 } else { 1.0 };
    pair.solver_manifolds().iter().any(|manifold| {
        let data = &manifold.data;
        !data.solver_contacts.is_empty() && data.normal.y * up > FLOOR
    })
}

impl Riders for Bodies {
    fn tick(&mut self, tick: u64) {
        for (route, &(body, _)) in self.course.routes.iter().zip(&self.platforms) {
            self.world.bodies[body].set_next_kinematic_translation(vector(route.at(tick + 1)));
        }
        if self.carried == By::Game {
            for rider in 0..self.riders.len() {
                if self.rides(rider) {
                    let velocity = self.course.routes[self.course.starts[rider].platform].velocity(tick);
                    self.world.bodies[self.riders[rider].0].set_linvel(vector(velocity), true);
                }
            }
        }
        self.world.step();
    }

    fn rider(&mut self, rider: usize) -> DVec2 {
        translation(&self.world, self.riders[rider].0)
    }

    fn platform(&mut self, platform: usize) -> DVec2 {
        translation(&self.world, self.platforms[platform].0)
    }

    fn stands(&mut self, rider: usize) -> bool {
        let collider = self.riders[rider].1;
        self.world.narrow_phase.contact_pairs_with(collider).any(|pair| is_below(pair, collider))
    }
}
