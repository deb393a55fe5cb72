use crate::run::Simulation;
use surefoot::prelude::*;
use surefoot::{Input, Map, World};

/// A world with a script of actions, each before a given tick. Actions refer to bodies by the order of their spawns.
pub(crate) struct Scene {
    world: World,
    /// The bodies in the order of their spawns.
    bodies: Vec<BodyId>,
    /// Actions with their ticks, sorted by tick.
    acts: Vec<(u64, Act)>,
    /// Index of the next action.
    next: usize,
    ticks: u64,
}

/// A scripted change of the world.
pub(crate) enum Act {
    Spawn(Body),
    Despawn(usize),
    Input(usize, Input),
    Velocity(usize, (f64, f64)),
    Teleport(usize, (f64, f64)),
    Character(usize, Character),
    /// Sets all cells of a rectangle of a tile layer to the tile of a symbol.
    SetTiles(usize, (i32, i32), (i32, i32), char),
}

impl Scene {
    /// Creates a scene that runs for `ticks` ticks, with a map of `rows` and no bodies.
    pub(crate) fn new(ticks: u64, rows: &[&str]) -> Scene {
        Scene::with_settings(ticks, rows, "", Settings::default())
    }

    /// Creates a scene with settings and with further `fields` of the map, written as in a map file.
    pub(crate) fn with_settings(ticks: u64, rows: &[&str], fields: &str, settings: Settings) -> Scene {
        Scene::in_world(ticks, World::new(create_map(rows, fields), settings))
    }

    pub(crate) fn in_world(ticks: u64, world: World) -> Scene {
        Scene { world, bodies: Vec::new(), acts: Vec::new(), next: 0, ticks }
    }

    /// Spawns a body before the first tick.
    pub(crate) fn with_body(self, body: Body) -> Scene {
        self.with_act(0, Act::Spawn(body))
    }

    /// Spawns bodies before the first tick.
    pub(crate) fn with_bodies(self, bodies: impl IntoIterator<Item = Body>) -> Scene {
        bodies.into_iter().fold(self, Scene::with_body)
    }

    /// Adds an action before the tick of that number. Actions before the same tick run in the order of the calls.
    pub(crate) fn with_act(mut self, tick: u64, act: Act) -> Scene {
        let after = self.acts.partition_point(|&(other, _)| other <= tick);
        self.acts.insert(after, (tick, act));
        self
    }

    fn apply_scripted_act(&mut self, index: usize) {
        let (_, act) = &self.acts[index];
        let body = |i: usize| self.bodies[i];
        let result = match *act {
            Act::Spawn(ref body) => self.world.spawn(body.clone()).map(|id| self.bodies.push(id)),
            Act::Despawn(i) => self.world.despawn(body(i)),
            Act::Input(i, input) => {
                self.world.set_input(body(i), input);
                Ok(())
            }
            Act::Velocity(i, velocity) => self.world.set_velocity(body(i), velocity),
            Act::Teleport(i, to) => self.world.teleport(body(i), to),
            Act::Character(i, character) => self.world.set_character(body(i), character),
            Act::SetTiles(layer, from, to, symbol) => {
                let entry = self.world.map().find_tile(symbol).expect("scenes paint what the legend has");
                self.world.set_tiles(layer, from, to, entry)
            }
        };
        result.unwrap_or_else(|error| panic!("{error}"));
    }
}

impl Simulation for Scene {
    fn step_unless_finished(&mut self) -> bool {
        let tick = self.world.tick();
        if tick >= self.ticks {
            return false;
        }
        while self.acts.get(self.next).is_some_and(|&(at, _)| at == tick) {
            self.apply_scripted_act(self.next);
            self.next += 1;
        }
        self.world.step();
        true
    }

    fn world(&self) -> &World {
        &self.world
    }
}

/// Creates a map from rows and further `fields`, written as in a map file.
pub(crate) fn create_map(rows: &[&str], fields: &str) -> Map {
    let rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    let text = format!("Map(format: 1, tiles: [{}], {fields})", rows.join(", "));
    Map::from_ron(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A character with a box of ordinary size.
pub(crate) fn walker(x: f64, y: f64) -> Body {
    Body::new(Shape::aabb(0.35, 0.45)).at((x, y)).character(Character::default())
}

/// A character with a circle.
pub(crate) fn round_walker(x: f64, y: f64) -> Body {
    Body::new(Shape::circle(0.4)).at((x, y)).character(Character::default())
}

pub(crate) fn ball(radius: f64, x: f64, y: f64) -> Body {
    Body::new(Shape::circle(radius)).at((x, y))
}

pub(crate) fn crate_box(half: f64, x: f64, y: f64) -> Body {
    Body::new(Shape::aabb(half, half)).at((x, y))
}

/// Holds a walk direction.
pub(crate) fn walk_input(walk: i8) -> Input {
    Input { walk, ..Input::default() }
}

/// Holds a walk direction and the jump button.
pub(crate) fn jump_input(walk: i8) -> Input {
    Input { walk, jump: true, ..Input::default() }
}

/// Holds the down button, which drops through one-way tiles.
pub(crate) fn down_input() -> Input {
    Input { down: true, ..Input::default() }
}
