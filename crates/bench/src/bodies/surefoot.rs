//! This engine's bodies, with masks of all layers except for those that are ghosts.

use super::{Bodies, Course, Scene, Start};
use crate::movers::surefoot::position;
use surefoot::geometry::DVec2;
use surefoot::map::LayerMask;
use surefoot::prelude::{Body, BodyId, Character, Settings, Shape};
use surefoot::{Input, Map};

/// Ticks until characters turn.
const TURN: u64 = 30;

/// Bodies in a world.
pub struct World {
    world: surefoot::World,
    ids: Vec<BodyId>,
    /// From which body on all are characters.
    walkers: usize,
}

impl World {
    /// At their starts.
    ///
    /// # Panics
    /// If the engine refuses the scene.
    #[must_use]
    pub fn new(scene: Scene, course: &Course) -> World {
        let &Course { ref starts, size, gravity, bounce, friction } = course;
        let full = "#".repeat(size.0);
        let mut rows = vec![format!("#{}#", ".".repeat(size.0 - 2)); size.1];
        (rows[0], rows[size.1 - 1]) = (full.clone(), full);
        let settings = Settings::default().gravity((0.0, -gravity));
        let mut world = surefoot::World::new(Map::from_rows(&rows).expect("the rows are a map"), settings);
        let walkers = match scene {
            Scene::Ghosts | Scene::Crowd => 0,
            Scene::Walker => starts.len() - 1,
            _ => starts.len(),
        };
        let mask = if scene == Scene::Ghosts { LayerMask::NONE } else { LayerMask::ALL };
        let spawn = |(i, &Start { at, velocity, half, is_round }): (usize, &Start)| {
            let shape = if is_round { Shape::circle(half.x) } else { Shape::aabb(half.x, half.y) };
            let body = Body::new(shape).at(position(at)).moving(velocity).friction(friction).collision_mask(mask);
            let body = if bounce > 0.0 { body.bounce(bounce) } else { body };
            let character = Character { walk_speed: 4.0, ..Character::default() };
            world.spawn(if i >= walkers { body.character(character) } else { body }).expect("a body")
        };
        let ids = starts.iter().enumerate().map(spawn).collect();
        World { world, ids, walkers }
    }
}

impl Bodies for World {
    fn tick(&mut self, tick: u64) {
        if tick.is_multiple_of(TURN) {
            for (i, &id) in (0..).zip(&self.ids[self.walkers..]) {
                let walk = if (tick / TURN + i).is_multiple_of(2) { 127 } else { -127 };
                self.world.set_input(id, Input { walk, ..Input::default() });
            }
        }
        self.world.step();
    }

    fn position(&mut self, body: usize) -> DVec2 {
        self.world[self.ids[body]].position().to_dvec2()
    }
}
