//! Box2D v3: dynamic bodies over chains, set up as cheaply as a game sets up a crowd.
//!
//! Bodies do not rotate, are not bullets, and collide only with the ground. Continuous collision is Box2D's default: it
//! sweeps fast bodies against the ground. Without it, bodies are cheaper and get into the ground. A walker sets its
//! velocity before the step and reads its contacts after it. It has no friction, because its own input stops it. The
//! box is a capsule, as for the mover. Box2D alone moves the balls, which have a restitution.
//!
//! All calls go through the safe wrapper `boxdd`, which makes a new list of contacts for each body.

use super::box2d::chains;
use super::casts::{BALL, velocities};
use super::{Body, Crowd};
use crate::box2d_world::{add, step, translation, vector, world};
use crate::cast::BOUNCE;
use crate::oracle::Form;
use crate::scene::{Scene, TICK, input};
use crate::walker::{FLOOR, GRAVITY, Walker};
use boxdd::{BodyId, BodyType, Filter, ShapeDef, ShapeId, SurfaceMaterial, World};
use surefoot::geometry::{DVec2, Vec2};

/// The category of dynamic bodies. They do not collide with each other.
const CROWD: u64 = 2;

/// The method of finding collisions with the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collision {
    /// At the positions at the end of each sub-step.
    Discrete,
    /// Also on the paths of fast bodies.
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
        // The velocity of a walker already includes gravity, so the world has none.
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
        let mut world = world(gravity, collision == Collision::Continuous);
        chains(&mut world, scene);
        Bodies { world, ids: Vec::new(), positions: Vec::new(), walkers: Vec::new(), form }
    }

    fn add(&mut self, at: DVec2, velocity: DVec2, restitution: f32) {
        let material = SurfaceMaterial::new().with_friction(0.0);
        let material = material.and_then(|material| material.with_restitution(restitution)).expect("numbers in order");
        let filter = Filter { category_bits: CROWD, mask_bits: !CROWD, ..Filter::default() };
        let shape = ShapeDef::builder().density(1.0).material(material).filter(filter);
        let shape = shape.build().expect("numbers in order");
        self.positions.push(at.as_vec2());
        self.ids.push(add(&mut self.world, BodyType::Dynamic, (at, velocity), self.form, &shape));
    }

    fn walk(&mut self, tick: u64) {
        for (i, (walker, &(id, _))) in self.walkers.iter_mut().zip(&self.ids).enumerate() {
            let velocity = walker.steer(input(tick, i)) / TICK as f32;
            self.world.body(id).expect("it stays").set_linear_velocity(vector(velocity)).expect("a finite velocity");
        }
    }

    /// Reads the positions of the bodies, and which walkers stand.
    fn read(&mut self) {
        for (at, &(id, _)) in self.positions.iter_mut().zip(&self.ids) {
            *at = translation(&mut self.world, id);
        }
        for (walker, &(id, shape)) in self.walkers.iter_mut().zip(&self.ids) {
            let body = self.world.body(id).expect("it stays");
            // The end of a chain can give a contact without a direction. Then the wrapper refuses the whole list, and
            // the walker keeps its state.
            let Ok(contacts) = body.contact_data() else { continue };
            let mut floor = false;
            for contact in contacts {
                let manifold = &contact.manifold;
                // Box2D makes contacts before shapes touch.
                if manifold.points().iter().all(|point| point.total_normal_impulse == 0.0) {
                    continue;
                }
                // The normal points from the first shape to the second.
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

impl Crowd for Bodies {
    fn tick(&mut self, tick: u64) {
        self.walk(tick);
        step(&mut self.world);
        self.read();
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
