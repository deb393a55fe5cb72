//! Box2D v3: dynamic bodies over chains, as cheap as a game makes those of a crowd.
//!
//! Bodies do not turn, are no bullets, and meet the ground alone. With continuous collision, which is Box2D's default, they
//! are also swept against the ground where they are fast; without it they are cheaper, and get into the ground. A walker sets its
//! velocity before the step, reads its contacts after it, and has no friction: its own will stops it. The box
//! is a capsule, as it is for the mover. A ball has a restitution and is moved by Box2D alone.
//!
//! All calls go through the safe wrapper `boxdd`, whose list of a body's contacts is a new one each time.

use super::box2d::{chains, vector};
use super::casts::{BALL, velocities};
use super::{Body, Crowd};
use crate::cast::BOUNCE;
use crate::oracle::Form;
use crate::scene::{Scene, TICK, input};
use crate::walker::{FLOOR, GRAVITY, Walker};
use boxdd::{
    BodyBuilder, BodyId, BodyType, Capsule, Circle, Filter, Foundation, MotionLocks, Position, ShapeDef, ShapeId,
    SurfaceMaterial, Vec2 as V, World, WorldBuilder,
};
use surefoot::geometry::{DVec2, Vec2};

/// Box2D's own recommendation.
const SUB_STEPS: i32 = 4;
/// The category of dynamic bodies, which is not among what they meet.
const CROWD: u64 = 2;

/// The method of finding collisions with the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collision {
    /// Positions of bodies at the end of each part of a tick.
    Discrete,
    /// On their way too, where they are fast.
    Continuous,
}

/// Dynamic bodies in a world.
pub struct Bodies {
    world: World,
    ids: Vec<(BodyId, ShapeId)>,
    /// Positions of the bodies.
    positions: Vec<Vec2>,
    /// One for each body that walks; none for balls.
    walkers: Vec<Walker>,
    form: Form,
}

impl Bodies {
    /// A crowd that walks and jumps.
    #[must_use]
    pub fn walkers(scene: &Scene, body: Body, starts: &[DVec2], collision: Collision) -> Bodies {
        let half = body.half();
        let form = match body {
            Body::Circle => body.form(),
            Body::Box => Form::Capsule { radius: half.x, half_line: half.y - half.x },
        };
        // The walker's will includes gravity.
        let mut bodies = Bodies::over(scene, 0.0, form, collision);
        starts.iter().for_each(|&at| bodies.add(at, DVec2::ZERO, 0.0));
        bodies.walkers = starts.iter().map(|at| Walker::new(at.as_vec2())).collect();
        bodies
    }

    /// Balls that bounce.
    #[must_use]
    pub fn balls(scene: &Scene, starts: &[DVec2], collision: Collision) -> Bodies {
        let mut bodies = Bodies::over(scene, GRAVITY, Form::circle(BALL), collision);
        starts.iter().zip(velocities(starts.len())).for_each(|(&at, velocity)| bodies.add(at, velocity, BOUNCE));
        bodies
    }

    fn over(scene: &Scene, gravity: f32, form: Form, collision: Collision) -> Bodies {
        let foundation = Foundation::initialize_default().expect("the first use");
        let def = WorldBuilder::from(foundation.world_def()).gravity(V::new(0.0, -gravity));
        let def = def.enable_continuous(collision == Collision::Continuous);
        let mut world = foundation.create_world(def.build().expect("numbers in order")).expect("a world");
        chains(foundation, &mut world, scene);
        Bodies { world, ids: Vec::new(), positions: Vec::new(), walkers: Vec::new(), form }
    }

    fn add(&mut self, at: DVec2, velocity: DVec2, restitution: f32) {
        let foundation = Foundation::initialize_default().expect("it is there");
        let locks = MotionLocks::new(false, false, true);
        let def = BodyBuilder::from(foundation.body_def()).body_type(BodyType::Dynamic).motion_locks(locks);
        let def = def.position(position(at.as_vec2())).linear_velocity(vector(velocity.as_vec2())).bullet(false);
        let body = self.world.create_body(def.build().expect("numbers in order")).expect("a body");
        let material =
            SurfaceMaterial::new().with_friction(0.0).and_then(|material| material.with_restitution(restitution));
        let material = material.expect("numbers in order");
        let filter = Filter { category_bits: CROWD, mask_bits: !CROWD, ..Filter::default() };
        let shape =
            ShapeDef::builder().density(1.0).material(material).filter(filter).build().expect("numbers in order");
        let mut owner = self.world.body(body).expect("it was just made");
        let shape = match self.form {
            Form::Capsule { radius, half_line } => {
                let end = V::new(0.0, half_line as f32);
                let capsule = Capsule::new(V::new(0.0, -end.y), end, radius as f32).expect("a capsule");
                owner.create_capsule(&shape, &capsule)
            }
            Form::Circle { radius } => {
                let circle = Circle::new(V::new(0.0, 0.0), radius as f32).expect("a circle");
                owner.create_circle(&shape, &circle)
            }
            Form::Box { half } => owner.create_box(&shape, half.x as f32, half.y as f32),
        };
        self.positions.push(at.as_vec2());
        self.ids.push((body, shape.expect("a shape on its body")));
    }

    fn walk(&mut self, tick: u64) {
        for (i, (walker, &(id, _))) in self.walkers.iter_mut().zip(&self.ids).enumerate() {
            let velocity = walker.steer(input(tick, i)) / TICK as f32;
            self.world.body(id).expect("it stays").set_linear_velocity(vector(velocity)).expect("a finite velocity");
        }
    }

    /// Takes down where the bodies are, and which walkers stand.
    fn look(&mut self) {
        for (at, &(id, _)) in self.positions.iter_mut().zip(&self.ids) {
            let position = self.world.body(id).and_then(|body| body.position()).expect("it stays");
            *at = Vec2::new(position.x, position.y);
        }
        for (walker, &(id, shape)) in self.walkers.iter_mut().zip(&self.ids) {
            let body = self.world.body(id).expect("it stays");
            // Where an end of a chain gives a contact without a direction, the wrapper refuses the whole list: what was, is.
            let Ok(contacts) = body.contact_data() else { continue };
            let mut floor = false;
            for contact in contacts {
                let manifold = &contact.manifold;
                // Contacts are made before shapes touch.
                if manifold.points().iter().all(|point| point.total_normal_impulse == 0.0) {
                    continue;
                }
                // From the first shape to the second.
                let normal = Vec2::new(manifold.normal.x, manifold.normal.y);
                let normal = if contact.shape_id_a == shape { -normal } else { normal };
                floor |= normal.y > FLOOR;
                walker.meet(normal);
            }
            walker.on_floor = floor && walker.velocity.y <= 0.0;
            if walker.on_floor {
                walker.velocity.y = 0.0;
            }
        }
    }
}

fn position(at: Vec2) -> Position {
    Position::new(at.x, at.y)
}

impl Crowd for Bodies {
    fn tick(&mut self, tick: u64) {
        self.walk(tick);
        drop(self.world.step(TICK as f32, SUB_STEPS).expect("a step"));
        self.look();
    }

    fn place(&self, body: usize) -> DVec2 {
        self.positions[body].as_dvec2()
    }

    fn bodies(&self) -> usize {
        self.ids.len()
    }

    fn form(&self) -> Form {
        self.form
    }
}
