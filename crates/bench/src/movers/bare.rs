//! The engine's mover without a world, as a game uses it that keeps its own entities.

use super::surefoot::{position, shape};
use super::{Body, Crowd};
use crate::oracle::Form;
use crate::scene::{Scene, input};
use crate::walker::Walker;
use surefoot::geometry::{DVec2, Position};
use surefoot::motion::{MoveResult, Mover, MoverCache};
use surefoot::prelude::{Shape, Terrain};

/// The calls of a game to the mover, and the data that the game keeps for an entity between two calls.
pub trait Calls: Default {
    /// Walks an entity along the floor it stands on.
    fn walk<'a>(&mut self, mover: &Mover<'a>, shape: Shape, from: Position, length: f64) -> MoveResult<'a>;
    /// Moves an entity through the air.
    fn slide<'a>(&mut self, mover: &Mover<'a>, shape: Shape, from: Position, motion: DVec2) -> MoveResult<'a>;
}

/// Keeps no data: each call searches the terrain again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Anew;

impl Calls for Anew {
    fn walk<'a>(&mut self, mover: &Mover<'a>, shape: Shape, from: Position, length: f64) -> MoveResult<'a> {
        mover.walk(shape, from, length)
    }

    fn slide<'a>(&mut self, mover: &Mover<'a>, shape: Shape, from: Position, motion: DVec2) -> MoveResult<'a> {
        mover.slide(shape, from, motion)
    }
}

impl Calls for MoverCache {
    fn walk<'a>(&mut self, mover: &Mover<'a>, shape: Shape, from: Position, length: f64) -> MoveResult<'a> {
        mover.with_cache(self).walk(shape, from, length)
    }

    fn slide<'a>(&mut self, mover: &Mover<'a>, shape: Shape, from: Position, motion: DVec2) -> MoveResult<'a> {
        mover.with_cache(self).slide(shape, from, motion)
    }
}

/// A body of the bench: its exact position, the simulated player that steers it, and the cache for calls of the mover.
#[derive(Clone, Debug)]
struct Entity<C> {
    position: Position,
    walker: Walker,
    calls: C,
}

/// A crowd of entities.
#[derive(Clone, Debug)]
pub struct Bare<C> {
    terrain: Terrain,
    shape: Shape,
    form: Form,
    entities: Vec<Entity<C>>,
}

impl<C: Calls> Bare<C> {
    /// Makes entities at rest in the air.
    ///
    /// # Panics
    /// Panics if a start is out of range.
    #[must_use]
    pub fn new(scene: &Scene, body: Body, starts: &[DVec2]) -> Bare<C> {
        let form = body.form();
        let entity =
            |&at: &DVec2| Entity { position: position(at), walker: Walker::new(at.as_vec2()), calls: C::default() };
        let entities = starts.iter().map(entity).collect();
        Bare { terrain: scene.terrain.clone(), shape: shape(form), form, entities }
    }
}

impl<C: Calls> Crowd for Bare<C> {
    fn tick(&mut self, tick: u64) {
        let mover = Mover::new(&self.terrain);
        for (i, Entity { position, walker, calls }) in self.entities.iter_mut().enumerate() {
            let motion = walker.steer(input(tick, i)).as_dvec2();
            let moved = if walker.on_floor {
                calls.walk(&mover, self.shape, *position, motion.x)
            } else {
                calls.slide(&mover, self.shape, *position, motion)
            };
            *position = moved.position;
            moved.hits.iter().for_each(|hit| walker.meet(hit.normal.as_vec2()));
            walker.on_floor = moved.touching.floor && walker.velocity.y <= 0.0;
            if walker.on_floor {
                walker.velocity.y = 0.0;
            }
        }
    }

    fn place(&self, body: usize) -> DVec2 {
        self.entities[body].position.to_dvec2()
    }

    fn bodies(&self) -> usize {
        self.entities.len()
    }

    fn form(&self) -> Form {
        self.form
    }
}
