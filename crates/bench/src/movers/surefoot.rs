//! The engine itself, as a game uses it.

use super::casts::{BALL, velocities};
use super::{Body, Crowd};
use crate::cast::BOUNCE;
use crate::oracle::Form;
use crate::scene::{Scene, input};
use crate::shots::{RADIUS, Shooter, Shot};
use std::hint::black_box;
use surefoot::World;
use surefoot::geometry::{DVec2, Position};
use surefoot::prelude::{Body as GameBody, BodyId, Character, Mover, Settings, Shape, Terrain};

/// Returns the engine's shape of a form.
///
/// # Panics
/// Panics for a capsule, which the engine does not have.
#[must_use]
pub fn shape(form: Form) -> Shape {
    match form {
        Form::Circle { radius } => Shape::circle(radius),
        Form::Box { half } => Shape::aabb(half.x, half.y),
        Form::Capsule { .. } => panic!("surefoot has no capsules"),
    }
}

/// Returns a position in the engine's numbers.
///
/// # Panics
/// Panics if the position is out of range.
#[must_use]
pub fn position(at: DVec2) -> Position {
    Position::new(at.x, at.y).expect("scenes are in range")
}

/// A crowd in a world, which can be saved and loaded.
#[derive(Clone, Debug)]
pub struct InWorld {
    world: World,
    ids: Vec<BodyId>,
    form: Form,
    /// Whether players hold buttons. Without them, characters come down and rest.
    has_input: bool,
}

impl InWorld {
    /// Characters with the default numbers.
    ///
    /// # Panics
    /// Panics if a start is out of range.
    #[must_use]
    pub fn walkers(scene: &Scene, body: Body, starts: &[DVec2]) -> InWorld {
        let form = body.form();
        let character = |&at: &DVec2| GameBody::new(shape(form)).at(position(at)).character(Character::default());
        InWorld { has_input: true, ..InWorld::of(scene, form, starts.iter().map(character)) }
    }

    /// Characters without input.
    ///
    /// # Panics
    /// Panics if a start is out of range.
    #[must_use]
    pub fn at_rest(scene: &Scene, body: Body, starts: &[DVec2]) -> InWorld {
        InWorld { has_input: false, ..InWorld::walkers(scene, body, starts) }
    }

    /// Balls that bounce, without friction.
    ///
    /// # Panics
    /// Panics if a start is out of range.
    #[must_use]
    pub fn balls(scene: &Scene, starts: &[DVec2]) -> InWorld {
        let form = Form::circle(BALL);
        let ball = |(&at, velocity): (&DVec2, DVec2)| {
            GameBody::new(shape(form)).at(position(at)).velocity(velocity).bounce(f64::from(BOUNCE))
        };
        InWorld::of(scene, form, starts.iter().zip(velocities(starts.len())).map(ball))
    }

    fn of(scene: &Scene, form: Form, bodies: impl Iterator<Item = GameBody>) -> InWorld {
        let mut world = World::with_terrain(scene.map.clone(), scene.terrain.clone(), Settings::default());
        let ids = bodies.map(|body| world.spawn(body).expect("a body in order")).collect();
        InWorld { world, ids, form, has_input: false }
    }

    /// Returns the world.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Returns the world, to be changed.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }
}

impl Crowd for InWorld {
    fn tick(&mut self, tick: u64) {
        let inputs = if self.has_input { self.ids.len() } else { 0 };
        for (i, &id) in self.ids[..inputs].iter().enumerate() {
            self.world.set_input(id, input(tick, i).into());
        }
        self.world.step();
    }

    fn place(&self, body: usize) -> DVec2 {
        self.world[self.ids[body]].position().to_dvec2()
    }

    fn bodies(&self) -> usize {
        self.ids.len()
    }

    fn form(&self) -> Form {
        self.form
    }
}

/// Bullets by [`Mover::cast`].
#[derive(Clone, Debug)]
pub struct Shots {
    terrain: Terrain,
    shape: Shape,
}

impl Shots {
    /// Over a scene's terrain.
    #[must_use]
    pub fn new(scene: &Scene) -> Shots {
        Shots { terrain: scene.terrain.clone(), shape: Shape::circle(RADIUS) }
    }
}

impl Shooter for Shots {
    fn shoot(&mut self, shot: &Shot) -> f64 {
        let hit = Mover::new(&self.terrain).cast(self.shape, position(shot.from), shot.motion);
        // The fraction comes from the final position: that is what a game gets, and what the oracle judges.
        hit.map_or(1.0, |hit| fraction(shot, hit.position))
    }
}

/// Returns the part of its path that a shot has made at a position.
fn fraction(shot: &Shot, at: Position) -> f64 {
    (at.to_dvec2() - shot.from).dot(shot.motion) / shot.motion.length_squared()
}

/// The work of [`Shots`] without the casts.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// Whether it hits.
    pub hits: bool,
}

impl Shooter for Aim {
    fn shoot(&mut self, shot: &Shot) -> f64 {
        let from = black_box((position(shot.from), shot.motion)).0;
        if self.hits { fraction(shot, from) } else { 1.0 }
    }
}
