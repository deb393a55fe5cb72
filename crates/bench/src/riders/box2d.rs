//! Box2D v3's dynamic bodies on kinematic bodies.

use super::{By, Course, PLATFORM, RIDER, Riders};
use crate::scene::TICK;
use crate::walker::{FLOOR, GRAVITY};
use boxdd::{
    BodyBuilder, BodyId, BodyType, ContactData, Filter, Foundation, MotionLocks, Position, Rot, ShapeDef, ShapeId,
    Vec2 as V, World, WorldBuilder, WorldTransform,
};
use surefoot::geometry::DVec2;

/// Box2D's own recommendation.
const SUB_STEPS: i32 = 4;
/// The category of riders, which is not among what they meet.
const CROWD: u64 = 2;

/// Dynamic bodies that do not turn.
pub struct Bodies {
    course: Course,
    world: World,
    platforms: Vec<(BodyId, ShapeId)>,
    riders: Vec<(BodyId, ShapeId)>,
    carried: By,
}

impl Bodies {
    /// At their starts.
    ///
    /// # Panics
    /// If Box2D refuses the course.
    #[must_use]
    pub fn new(course: Course, carried: By) -> Bodies {
        let foundation = Foundation::initialize_default().expect("the first use");
        let def = WorldBuilder::from(foundation.world_def()).gravity(V::new(0.0, -GRAVITY));
        let mut world = foundation.create_world(def.build().expect("numbers in order")).expect("a world");
        let all = Filter::default();
        let half = course.size().0 as f64 / 2.0;
        add(&mut world, BodyType::Static, DVec2::new(half, 0.5), DVec2::new(half, 0.5), all);
        let platform = |route: &super::Route| add(&mut world, BodyType::Kinematic, route.start, PLATFORM, all);
        let platforms = course.routes.iter().map(platform).collect();
        let apart = Filter { category_bits: CROWD, mask_bits: !CROWD, ..all };
        let rider = |start: &super::Start| add(&mut world, BodyType::Dynamic, start.at, RIDER, apart);
        let riders = course.starts.iter().map(rider).collect();
        Bodies { course, world, platforms, riders, carried }
    }

    /// Whether a contact of a rider is below it, with that shape if one is given.
    fn has_below(&mut self, rider: usize, with: Option<ShapeId>) -> bool {
        let (id, shape) = self.riders[rider];
        let contacts = self.world.body(id).and_then(|body| body.contact_data()).expect("it stays");
        let is_below = |contact: &ContactData| {
            // From the first shape to the second.
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

/// A box.
fn add(world: &mut World, kind: BodyType, at: DVec2, half: DVec2, filter: Filter) -> (BodyId, ShapeId) {
    let foundation = Foundation::initialize_default().expect("it is there");
    let locks = MotionLocks::new(false, false, true);
    let def = BodyBuilder::from(foundation.body_def()).body_type(kind).motion_locks(locks).position(position(at));
    let body = world.create_body(def.build().expect("numbers in order")).expect("a body");
    let def = ShapeDef::builder().density(1.0).filter(filter).build().expect("numbers in order");
    let mut owner = world.body(body).expect("it was just made");
    let shape = owner.create_box(&def, half.x as f32, half.y as f32).expect("a shape on its body");
    (body, shape)
}

fn position(at: DVec2) -> Position {
    Position::new(at.x as f32, at.y as f32)
}

fn translation(world: &mut World, body: BodyId) -> DVec2 {
    let at = world.body(body).and_then(|body| body.position()).expect("it stays");
    DVec2::new(f64::from(at.x), f64::from(at.y))
}

impl Riders for Bodies {
    fn tick(&mut self, tick: u64) {
        for (route, &(id, _)) in self.course.routes.iter().zip(&self.platforms) {
            let target = WorldTransform::new(position(route.at(tick + 1)), Rot::IDENTITY).expect("a finite place");
            let mut body = self.world.body(id).expect("it stays");
            body.set_target_transform(target, TICK as f32, true).expect("a way in reach");
        }
        if self.carried == By::Game {
            for rider in 0..self.riders.len() {
                let platform = self.course.starts[rider].platform;
                if self.has_below(rider, Some(self.platforms[platform].1)) {
                    let velocity = self.course.routes[platform].velocity(tick).as_vec2();
                    let mut body = self.world.body(self.riders[rider].0).expect("it stays");
                    body.set_linear_velocity(V::new(velocity.x, velocity.y)).expect("a finite velocity");
                }
            }
        }
        drop(self.world.step(TICK as f32, SUB_STEPS).expect("a step"));
    }

    fn rider(&mut self, rider: usize) -> DVec2 {
        translation(&mut self.world, self.riders[rider].0)
    }

    fn platform(&mut self, platform: usize) -> DVec2 {
        translation(&mut self.world, self.platforms[platform].0)
    }

    fn stands(&mut self, rider: usize) -> bool {
        self.has_below(rider, None)
    }
}
