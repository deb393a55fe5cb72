//! Measures one room with its bodies, alone and in the middle of larger and larger maps.

use crate::measure::medians;
use crate::random::Random;
use crate::scene::{Scene, input};
use surefoot::World;
use surefoot::geometry::I64Vec2;
use surefoot::prelude::{Body, BodyId, Character, ONE, Position, Settings, Shape};

/// Columns and rows of a room.
const ROOM: usize = 32;
/// Bodies in the one room that has any.
const BODIES: usize = 200;

/// The result for one size of map.
#[derive(Clone, Copy, Debug)]
pub struct Scaled {
    /// Number of tiles of the map.
    pub tiles: usize,
    /// Nanoseconds of a body-step: the median of the rounds.
    pub nanos: f64,
}

/// A world of rooms with bodies in the middle one.
struct House {
    tiles: usize,
    world: World,
    ids: Vec<BodyId>,
    /// Lower left corner of the middle room.
    corner: I64Vec2,
}

/// Measures square maps with a number of rooms along each side, in turn.
///
/// # Panics
/// Panics if the bodies of one map do not move exactly like those of another.
#[must_use]
pub fn scale(rooms: &[usize], rounds: usize, ticks: u64) -> Vec<Scaled> {
    let mut houses: Vec<House> = rooms.iter().map(|&rooms| House::new(rooms)).collect();
    let nanos = medians(&mut houses, rounds, |house, _, round| {
        (round * ticks..(round + 1) * ticks).for_each(|tick| house.tick(tick));
        ticks * BODIES as u64
    });
    let first = houses[0].positions();
    assert!(
        houses.iter().all(|house| house.positions() == first),
        "the size of the map changes the motion in the room"
    );
    houses.iter().zip(nanos).map(|(house, nanos)| Scaled { tiles: house.tiles, nanos }).collect()
}

impl House {
    fn new(rooms: usize) -> House {
        let room = room();
        let row = |y: usize| room[y % ROOM].repeat(rooms);
        let scene = Scene::unjudged(&(0..rooms * ROOM).map(row).collect::<Vec<_>>());
        let corner = I64Vec2::splat((rooms / 2 * ROOM) as i64 * ONE);
        let mut world = World::with_terrain(scene.map, scene.terrain, Settings::default());
        let mut random = Random(0x0F_F1CE);
        let mut ids = Vec::new();
        let shape = Shape::aabb(0.35, 0.45);
        while ids.len() < BODIES {
            let at = I64Vec2::new(16 + random.below(30 * 16) as i64, 16 + random.below(30 * 16) as i64) * (ONE / 16);
            let at = corner + at;
            let at = Position::from_units(at.x, at.y).expect("a place in the map");
            if !world.mover().overlaps(shape, at) {
                let body = Body::new(shape).at(at).character(Character::default());
                ids.push(world.spawn(body).expect("a body in order"));
            }
        }
        House { tiles: (rooms * ROOM).pow(2), world, ids, corner }
    }

    fn tick(&mut self, tick: u64) {
        for (i, &id) in self.ids.iter().enumerate() {
            self.world.set_input(id, input(tick, i).into());
        }
        self.world.step();
    }

    fn positions(&self) -> Vec<I64Vec2> {
        self.ids.iter().map(|&id| self.world[id].position().units() - self.corner).collect()
    }
}

/// Returns the rows of a closed room of four storeys, each with a hill of 45 degrees, one of 1:2, a block and a gap.
#[must_use]
pub fn room() -> Vec<String> {
    let storeys = [
        "....../##\\.......#.....12##34.",
        "..12##34......./####\\.......#.",
        ".....#..../##\\......12##34....",
        "..../##\\.....12##34......#....",
    ];
    let line = |fill: &str| format!("#{fill:.<30}#");
    let mut rows = Vec::new();
    for storey in storeys {
        rows.extend(std::iter::repeat_n(line(""), 6));
        rows.push(line(storey));
        rows.push(format!("#{}...{}#", "#".repeat(10), "#".repeat(17)));
    }
    rows[ROOM - 1] = "#".repeat(ROOM);
    rows[0] = "#".repeat(ROOM);
    rows
}
