//! The engine itself, as a game uses it.

use super::casts::{BALL, velocities};
use super::{Body, Crowd};
use crate::cast::BOUNCE;
use crate::oracle::Form;
use crate::scene::{Scene, input};
use crate::shots::{RADIUS, Shooter, Shot};
use std::hint::black_box;
use surefoot::geometry::{DVec2, Position};
use surefoot::prelude::{Body as GameBody, BodyId, Character, Mover, Settings, Shape, Terrain};
use surefoot::{Input, World};

/// The engine's shape of a form.
///
/// # Panics
/// For a capsule, which it does not have.
#[must_use]
pub fn shape(form: Form) -> Shape {
    match form {
        Form::Circle { radius } => Shape::circle(radius),
        Form::Box { half } => Shape::aabb(half.x, half.y),
        Form::Capsule { .. } => panic!("surefoot has no capsules"),
    }
}

/// A place of the engine.
///
/// # Panics
/// For one that is out of its range.
#[must_use]
pub fn position(at: DVec2) -> Position {
    Position::new(at.x, at.y).expect("scenes are in range")
}

/// A crowd in a world, which can be saved and loaded.
pub trait InWorld: Crowd {
    /// The world.
    fn world(&self) -> &World;
    /// The world, to be changed.
    fn world_mut(&mut self) -> &mut World;
}

/// A crowd of characters in a world.
#[derive(Clone, Debug)]
pub struct Walkers {
    world: World,
    ids: Vec<BodyId>,
    form: Form,
    /// No input is given: characters come down and rest.
    still: bool,
}

impl Walkers {
    /// Characters with the default numbers.
    ///
    /// # Panics
    /// If a place is out of range.
    #[must_use]
    pub fn new(scene: &Scene, body: Body, starts: &[DVec2]) -> Walkers {
        let mut world = World::with_terrain(scene.map.clone(), scene.terrain.clone(), Settings::default());
        let form = body.form();
        let spawn = |&at: &DVec2| {
            let body = GameBody::new(shape(form)).at(position(at)).character(Character::default());
            world.spawn(body).expect("a body in order")
        };
        let ids = starts.iter().map(spawn).collect();
        Walkers { world, ids, form, still: false }
    }

    /// Characters without input.
    ///
    /// # Panics
    /// If a place is out of range.
    #[must_use]
    pub fn at_rest(scene: &Scene, body: Body, starts: &[DVec2]) -> Walkers {
        Walkers { still: true, ..Walkers::new(scene, body, starts) }
    }
}

impl Crowd for Walkers {
    fn tick(&mut self, tick: u64) {
        let inputs = if self.still { 0 } else { self.ids.len() };
        for (i, &id) in self.ids[..inputs].iter().enumerate() {
            let input = input(tick, i);
            self.world.set_input(id, Input { walk: input.walk * 127, jump: input.jump, ..Input::default() });
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

impl InWorld for Walkers {
    fn world(&self) -> &World {
        &self.world
    }

    fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }
}

/// Bodies that bounce, in a world.
#[derive(Clone, Debug)]
pub struct Balls {
    world: World,
    ids: Vec<BodyId>,
}

impl Balls {
    /// Balls without friction.
    ///
    /// # Panics
    /// If a place is out of range.
    #[must_use]
    pub fn new(scene: &Scene, starts: &[DVec2]) -> Balls {
        let mut world = World::with_terrain(scene.map.clone(), scene.terrain.clone(), Settings::default());
        let spawn = |(&at, velocity): (&DVec2, DVec2)| {
            let body = GameBody::new(Shape::circle(BALL)).at(position(at)).velocity(velocity).bounce(f64::from(BOUNCE));
            world.spawn(body).expect("a body in order")
        };
        let ids = starts.iter().zip(velocities(starts.len())).map(spawn).collect();
        Balls { world, ids }
    }
}

impl Crowd for Balls {
    fn tick(&mut self, _tick: u64) {
        self.world.step();
    }

    fn place(&self, body: usize) -> DVec2 {
        self.world[self.ids[body]].position().to_dvec2()
    }

    fn bodies(&self) -> usize {
        self.ids.len()
    }

    fn form(&self) -> Form {
        Form::circle(BALL)
    }
}

impl InWorld for Balls {
    fn world(&self) -> &World {
        &self.world
    }

    fn world_mut(&mut self) -> &mut World {
        &mut self.world
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
        // By the place where it ends, so that what is judged is what a game gets.
        hit.map_or(1.0, |hit| fraction(shot, hit.position))
    }
}

/// Which part of its way a shot has made at a place.
fn fraction(shot: &Shot, at: Position) -> f64 {
    (at.to_dvec2() - shot.from).dot(shot.motion) / shot.motion.length_squared()
}

/// What [`Shots`] does besides the casts.
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
