use crate::run::Play;
use surefoot::prelude::*;
use surefoot::{Input, Map, World};

/// A world with a script: what is done to it before which tick. Bodies are named by the order in which they were spawned.
pub(crate) struct Scene {
    world: World,
    cast: Vec<BodyId>,
    acts: Vec<(u64, Act)>,
    next: usize,
    ticks: u64,
}

/// Something that is done to a world from outside.
pub(crate) enum Act {
    Spawn(Body),
    Remove(usize),
    Input(usize, Input),
    Velocity(usize, (f64, f64)),
    Teleport(usize, (f64, f64)),
    Character(usize, Character),
    /// All cells of a rectangle of a layer become what the character stands for.
    Paint(usize, (i32, i32), (i32, i32), char),
}

impl Scene {
    /// An empty world on rows of characters, which runs for so many ticks.
    pub(crate) fn new(ticks: u64, rows: &[&str]) -> Scene {
        Scene::with(ticks, rows, "", Settings::default())
    }

    /// A scene with more fields of the map, as they are written in its file, and other settings.
    pub(crate) fn with(ticks: u64, rows: &[&str], fields: &str, settings: Settings) -> Scene {
        Scene::on(ticks, World::new(map(rows, fields), settings))
    }

    pub(crate) fn on(ticks: u64, world: World) -> Scene {
        Scene { world, cast: Vec::new(), acts: Vec::new(), next: 0, ticks }
    }

    /// With a body from the beginning.
    pub(crate) fn body(self, body: Body) -> Scene {
        self.at(0, Act::Spawn(body))
    }

    /// With bodies from the beginning.
    pub(crate) fn bodies(self, bodies: impl IntoIterator<Item = Body>) -> Scene {
        bodies.into_iter().fold(self, Scene::body)
    }

    /// With something done before the tick of that number. What has the same number is done in the order given.
    pub(crate) fn at(mut self, tick: u64, act: Act) -> Scene {
        let after = self.acts.partition_point(|&(other, _)| other <= tick);
        self.acts.insert(after, (tick, act));
        self
    }

    fn act(&mut self, act: usize) {
        let (_, act) = &self.acts[act];
        let body = |i: usize| self.cast[i];
        let done = match *act {
            Act::Spawn(ref body) => self.world.spawn(body.clone()).map(|id| self.cast.push(id)),
            Act::Remove(i) => self.world.despawn(body(i)),
            Act::Input(i, input) => {
                self.world.set_input(body(i), input);
                Ok(())
            }
            Act::Velocity(i, velocity) => self.world.set_velocity(body(i), velocity),
            Act::Teleport(i, to) => self.world.teleport(body(i), to),
            Act::Character(i, character) => self.world.set_character(body(i), character),
            Act::Paint(layer, from, to, character) => {
                let entry = self.world.map().find_tile(character).expect("scenes paint what the legend has");
                self.world.set_tiles(layer, from, to, entry)
            }
        };
        done.unwrap_or_else(|error| panic!("{error}"));
    }
}

impl Play for Scene {
    fn step(&mut self) -> bool {
        let tick = self.world.tick();
        if tick >= self.ticks {
            return false;
        }
        while self.acts.get(self.next).is_some_and(|&(at, _)| at == tick) {
            self.act(self.next);
            self.next += 1;
        }
        self.world.step();
        true
    }

    fn world(&self) -> &World {
        &self.world
    }
}

/// A map from rows and more fields, as they are written in its file.
pub(crate) fn map(rows: &[&str], fields: &str) -> Map {
    let rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    let text = format!("Map(format: 1, tiles: [{}], {fields})", rows.join(", "));
    Map::from_ron(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A box as high as a player's character is.
pub(crate) fn walker(x: f64, y: f64) -> Body {
    Body::new(Shape::aabb(0.35, 0.45)).at((x, y)).character(Character::default())
}

/// A character that is a circle.
pub(crate) fn round_walker(x: f64, y: f64) -> Body {
    Body::new(Shape::circle(0.4)).at((x, y)).character(Character::default())
}

pub(crate) fn ball(radius: f64, x: f64, y: f64) -> Body {
    Body::new(Shape::circle(radius)).at((x, y))
}

pub(crate) fn crate_box(half: f64, x: f64, y: f64) -> Body {
    Body::new(Shape::aabb(half, half)).at((x, y))
}

/// To hold a direction down.
pub(crate) fn walk(walk: i8) -> Input {
    Input { walk, ..Input::default() }
}

/// To hold a direction and jump down.
pub(crate) fn jump(walk: i8) -> Input {
    Input { walk, jump: true, ..Input::default() }
}

/// To hold the button that drops through ledges.
pub(crate) fn down() -> Input {
    Input { down: true, ..Input::default() }
}
