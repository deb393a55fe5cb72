//! This engine's bodies. All but ghosts have masks of all layers.

use super::{Bodies, Course, Scene, Start};
use crate::movers::surefoot::position;
use surefoot::area::{Area, AreaShape};
use surefoot::geometry::DVec2;
use surefoot::map::CollisionLayers;
use surefoot::prelude::{Body, BodyId, Character, Settings, Shape};
use surefoot::{Input, Map};

/// Ticks until characters turn.
const TURN: u64 = 30;

/// Bodies in a world.
pub struct World {
    world: surefoot::World,
    ids: Vec<BodyId>,
    /// Index of the first character. All bodies from it on are characters.
    walkers: usize,
}

impl World {
    /// Puts the bodies at their starts.
    ///
    /// # Panics
    /// Panics if the engine refuses the scene.
    #[must_use]
    pub fn new(scene: Scene, course: &Course) -> World {
        let &Course { ref starts, size, gravity, bounce, friction } = course;
        let full = "#".repeat(size.0);
        let mut rows = vec![format!("#{}#", ".".repeat(size.0 - 2)); size.1];
        (rows[0], rows[size.1 - 1]) = (full.clone(), full);
        let settings = Settings::default().gravity((0.0, -gravity));
        let mut world = surefoot::World::new(Map::from_rows(&rows).expect("the rows are a map"), settings);
        let walkers = match scene {
            _ if scene.is_of_characters() => 0,
            Scene::Walker => starts.len() - 1,
            _ => starts.len(),
        };
        let mask = if scene.is_without_masks() { CollisionLayers::NONE } else { CollisionLayers::ALL };
        let spawn = |(i, &Start { at, velocity, half, is_round }): (usize, &Start)| {
            let shape = if is_round { Shape::circle(half.x) } else { Shape::aabb(half.x, half.y) };
            let body = Body::new(shape).at(position(at)).velocity(velocity).friction(friction).collision_mask(mask);
            let body = if bounce > 0.0 { body.bounce(bounce) } else { body };
            let character = if scene.is_able() { able() } else { Character::default() };
            let character = Character { walk_speed: 4.0, ..character };
            world.spawn(if i >= walkers { body.character(character) } else { body }).expect("a body")
        };
        let ids = starts.iter().enumerate().map(spawn).collect();
        if scene == Scene::InAreas {
            let area = Area::new(AreaShape::aabb(2.75, 3.0).expect("of a size"));
            for Start { at, .. } in starts {
                world.spawn_area(area.clone().at((at.x, at.y))).expect("an area");
            }
        }
        World { world, ids, walkers }
    }
}

/// Returns a character with every ability. No number has its default. A new field of characters is a compile error here
/// until it has a value.
fn able() -> Character {
    let Character { walk_speed, ground_acceleration, ground_braking, air_acceleration, .. } = Character::default();
    let Character { jump_height, max_fall_speed, platform_velocity, .. } = Character::default();
    Character {
        walk_speed,
        ground_acceleration,
        ground_braking,
        air_acceleration,
        jump_height,
        max_fall_speed,
        platform_velocity,
        platform_velocity_grace: 0.1,
        max_push_mass: 2.0,
        jump_time: 0.4,
        min_jump_height: 1.0,
        fall_gravity_scale: 1.5,
        coyote_time: 0.1,
        jump_buffer: 0.1,
        corner_correction: 0.25,
        ledge_correction: 0.25,
        fast_fall_speed: 30.0,
        ground_turning: 100.0,
        air_braking: 20.0,
        air_turning: 60.0,
        wall_slide_speed: 2.5,
        wall_jump_speed: 8.0,
        air_jumps: 1,
        air_jump_height: 2.0,
        apex_speed_threshold: 2.0,
        apex_gravity_scale: 0.5,
        wall_coyote_time: 0.1,
        wall_stick_time: 0.1,
        wall_jump_lock_time: 0.1,
        dash_speed: 20.0,
        dash_time: 0.15,
        dash_end_speed_scale: 0.5,
        step_height: 0.5,
        uphill_speed_scale: 0.9,
        downhill_speed_scale: 1.1,
        max_floor_snap_speed: 20.0,
        slope_friction: 2.0,
        bounce_scale: 0.5,
        ledge_grab: 0.25,
        ledge_climb_time: 0.2,
        climb_speed: 6.0,
        ladder_center_speed: 4.0,
        swim_speed: 4.0,
        swim_time: 0.1,
        float_speed: 1.0,
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
