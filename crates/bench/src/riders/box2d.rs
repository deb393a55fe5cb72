//! Box2D v3's dynamic bodies on kinematic bodies.

use super::{By, Course, PLATFORM, RIDER, Riders};
use crate::box2d_world::{add, position, step, translation, vector, world};
use crate::oracle::Form;
use crate::scene::TICK;
use crate::walker::{FLOOR, GRAVITY};
use boxdd::{BodyId, BodyType, ContactData, Filter, Rot, ShapeDef, ShapeId, World, WorldTransform};
use surefoot::geometry::DVec2;

/// The category of riders. They do not collide with each other.
const CROWD: u64 = 2;

/// Dynamic bodies that do not rotate.
pub struct Bodies {
    course: Course,
    world: World,
    platforms: Vec<(BodyId, ShapeId)>,
    riders: Vec<(BodyId, ShapeId)>,
    carried: By,
}

impl Bodies {
    /// Puts the riders at their starts.
    ///
    /// # Panics
    /// Panics if Box2D refuses the course.
    #[must_use]
    pub fn new(course: Course, carried: By) -> Bodies {
        let mut world = world(GRAVITY, true);
        let mut add = |kind: BodyType, at: DVec2, half: DVec2, filter: Filter| {
            let shape = ShapeDef::builder().density(1.0).filter(filter).build().expect("numbers in order");
            add(&mut world, kind, (at, DVec2::ZERO), Form::Box { half }, &shape)
        };
        let all = Filter::default();
        let half = course.size().0 as f64 / 2.0;
        add(BodyType::Static, DVec2::new(half, 0.5), DVec2::new(half, 0.5), all);
        let platforms =
            course.routes.iter().map(|route| add(BodyType::Kinematic, route.start, PLATFORM, all)).collect();
        let apart = Filter { category_bits: CROWD, mask_bits: !CROWD, ..all };
        let rider = |start: &super::Start| add(BodyType::Dynamic, start.at, RIDER, apart);
        let riders = course.starts.iter().map(rider).collect();
        Bodies { course, world, platforms, riders, carried }
    }

    /// Returns whether a rider has a contact below it, with the shape `with` if there is one.
    fn has_below(&mut self, rider: usize, with: Option<ShapeId>) -> bool {
        let (id, shape) = self.riders[rider];
        let contacts = self.world.body(id).and_then(|body| body.contact_data()).expect("it stays");
        let is_below = |contact: &ContactData| {
            // The normal of a manifold points from the first shape to the second.
            let (up, other) = if contact.shape_id_a == shape {
                (-contact.manifold.normal.y, contact.shape_id_b)
            } else {
                (contact.manifold.normal.y, contact.shape_id_a)
            };
            up > FLOOR && !contact.manifold.points().is_empty() && with.is_none_or(|with| with == other)
        };
        contacts.iter().any(is_below)
    }
}

impl Riders for Bodies {
    fn tick(&mut self, tick: u64) {
        for (route, &(id, _)) in self.course.routes.iter().zip(&self.platforms) {
            let target =
                WorldTransform::new(position(route.at(tick + 1).as_vec2()), Rot::IDENTITY).expect("a finite place");
            let mut body = self.world.body(id).expect("it stays");
            body.set_target_transform(target, TICK as f32, true).expect("a way in reach");
        }
        if self.carried == By::Game {
            for rider in 0..self.riders.len() {
                let platform = self.course.starts[rider].platform;
                if self.has_below(rider, Some(self.platforms[platform].1)) {
                    let velocity = self.course.routes[platform].velocity(tick).as_vec2();
                    let mut body = self.world.body(self.riders[rider].0).expect("it stays");
                    body.set_linear_velocity(vector(velocity)).expect("a finite velocity");
                }
            }
        }
        step(&mut self.world);
    }

    fn rider(&mut self, rider: usize) -> DVec2 {
        translation(&mut self.world, self.riders[rider].0).as_dvec2()
    }

    fn platform(&mut self, platform: usize) -> DVec2 {
        translation(&mut self.world, self.platforms[platform].0).as_dvec2()
    }

    fn stands(&mut self, rider: usize) -> bool {
        self.has_below(rider, None)
    }
}
