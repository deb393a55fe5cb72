//! Bodies that the map places: [`World::from_map`] spawns them, and the world knows their names, kinds and
//! properties.
//!
//! They are the first bodies of the world, in the order of the map. So the slot of each body is its index in the map.
//! The names, kinds and properties are not part of the saved state.

use super::kinds::Kind;
use super::tick_log::Commands;
use super::{BodyState, Now, Settings, World, slots};
use crate::body::Body;
use crate::command::{Command, CommandError};
use crate::event::BodyId;
use crate::map::{BodyThing, Map, PlacedBody};
use std::sync::Arc;

/// Version of a slot with its first body.
const FIRST_VERSION: u32 = 1;

impl World {
    /// Creates a world on `map` that is ready to play: with the platforms, the areas and the bodies of the map.
    ///
    /// [`World::find_body`] finds a body by its name in the map, and [`World::placed_body`] returns the kind and the
    /// properties of a body. [`World::new`] leaves the bodies of the map out.
    ///
    /// Restore a snapshot of such a world into a world of this function: a snapshot does not contain the names.
    ///
    /// # Panics
    /// Panics if [`Settings::check`] fails.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let map = Map::from_ron(r##"Map(
    ///     format: 1,
    ///     legend: {
    ///         'g': (body: (kind: "walker", shape: Aabb(0.4, 0.5), properties: {"hp": 2})),
    ///     },
    ///     bodies: [(name: "hero", kind: "hero", at: (0.5, 1.5), shape: Aabb(0.25, 0.5), character: (walk_speed: 6.0))],
    ///     tiles: ["..g.g", "====="],
    /// )"##)?;
    /// let world = World::from_map(map, Settings::default());
    /// let hero = world.find_body("hero").unwrap();
    /// assert_eq!(world[hero].character().unwrap().walk_speed, 6.0);
    /// let walkers: Vec<_> = world.bodies_of_kind("walker").map(|(_, state)| state.position().to_dvec2().x).collect();
    /// assert_eq!(walkers, [2.5, 4.5]);
    /// let walker = world.placed_body(world.find_body("walker 2,1").unwrap()).unwrap();
    /// assert_eq!(walker.properties()["hp"].as_i64(), Some(2));
    /// # Ok::<(), surefoot::map::MapError>(())
    /// ```
    #[must_use]
    pub fn from_map(map: impl Into<Arc<Map>>, settings: Settings) -> World {
        let mut world = World::new(map, settings);
        // This cannot fail: a map contains only bodies that every world on the map accepts.
        let _ = world.spawn_map_bodies();
        world
    }

    /// Spawns the bodies of the map, as [`World::from_map`] does. For worlds of [`World::with_terrain`] and
    /// [`World::streamed`].
    ///
    /// Call the method before the first step and before other spawns. Otherwise the bodies are spawned without their
    /// names.
    ///
    /// # Errors
    /// Returns [`CommandError::TooManyBodies`] if the world has too many bodies already.
    pub fn spawn_map_bodies(&mut self) -> Result<(), CommandError> {
        self.invalidate_world_caches();
        let (map, count) = (self.map.clone(), self.map.body_count());
        if self.bodies.len() + count > World::MAX_BODIES {
            return Err(CommandError::TooManyBodies);
        }
        self.bodies.reserve(count);
        // Most bodies of a map share their fields, which are then read and checked once.
        let mut known: Option<(&Arc<BodyThing>, Body, Arc<Kind>, Now)> = None;
        let (mut index, mut refused) = (0, Ok(()));
        let is_first = self.log.pending.is_empty();
        map.visit_bodies(|position, thing| {
            if refused.is_err() {
                return;
            }
            if known.as_ref().is_none_or(|(last, ..)| !Arc::ptr_eq(last, thing)) {
                let body = Body { position: Ok(position), ..Body::from(&thing.fields) };
                refused = self.check_new_body(&body);
                let kind = self.bodies.intern_kind(&body);
                let now = Now::of_new_body(&kind, &body, position, self.tick);
                known = Some((thing, body, kind, now));
            }
            let Some((_, body, kind, now)) = known.as_ref().filter(|_| refused.is_ok()) else { return };
            match self.add_checked_body(kind.clone(), Now { position, previous: position, ..*now }) {
                Ok(spawned) if self.tick == 0 && spawned == slots::id(index, FIRST_VERSION) => {
                    self.bodies.placed += usize::from(self.bodies.placed == index);
                }
                Ok(_) => {}
                Err(error) => refused = Err(error),
            }
            index += 1;
            if !is_first {
                self.log.pending.push(Command::Spawn(Box::new(Body { position: Ok(position), ..body.clone() })));
            }
        });
        if is_first && count > 0 {
            self.log.pending = Commands::with_spawns_of_map(map.clone());
        }
        if count > 0 {
            self.bodies.renew_version_after_insertions();
        }
        refused
    }

    /// Remembers a spawned body if it is the next body of the map. So a world that plays back the commands of another
    /// world knows these bodies too.
    pub(super) fn record_placed_body(&mut self, spawned: BodyId, body: &Body) {
        let next = self.bodies.placed;
        if next < self.map.body_count()
            && spawned == slots::id(next, FIRST_VERSION)
            && self.map.bodies().get(next).is_some_and(|placed| *body == Body::from(placed))
        {
            self.bodies.placed += 1;
        }
    }

    /// Returns the body that the map calls `name`. `None` if the map has no such body, or if the body was removed.
    #[must_use]
    pub fn find_body(&self, name: &str) -> Option<BodyId> {
        let index = self.map.find_body(name).filter(|&index| index < self.bodies.placed)?;
        let id = slots::id(index, FIRST_VERSION);
        self.bodies.get(id).map(|_| id)
    }

    /// Returns name, kind and properties that the map gives to `body`. `None` for a body that the game spawned, and for
    /// one that is not in the world.
    #[must_use]
    pub fn placed_body(&self, body: BodyId) -> Option<&PlacedBody> {
        let slot = self.bodies.slots.slot(body).filter(|&slot| slot < self.bodies.placed)?;
        if slots::id::<BodyId>(slot, FIRST_VERSION) == body { self.map.bodies().get(slot) } else { None }
    }

    /// Returns the bodies whose kind in the map is `kind`, in the order of their slots.
    ///
    /// Takes time in proportion to the number of bodies that the map places.
    pub fn bodies_of_kind(&self, kind: &str) -> impl Iterator<Item = (BodyId, &BodyState)> {
        let placed = self.map.bodies().iter().take(self.bodies.placed).enumerate();
        placed.filter(move |(_, placed)| placed.kind() == kind).filter_map(|(slot, _)| {
            let id = slots::id(slot, FIRST_VERSION);
            self.bodies.get(id).map(|state| (id, state))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaError, AttachedTo};
    use crate::body::{Character, Input};
    use crate::motion::Shape;

    const MAP: &str = r#"Map(
        format: 1,
        legend: {
            'g': (body: (kind: "walker", shape: Aabb(0.4, 0.5), character: (walk_speed: 2.0), properties: {"hp": 2})),
            'b': (body: (kind: "ball", shape: Circle(0.25), velocity: (1.0, 0.0), response: Bounce(0.5))),
        },
        bodies: [(name: "hero", kind: "hero", at: (1.5, 1.5), shape: Aabb(0.3, 0.5), character: ())],
        tiles: ["......b.", "....g..g", "========"],
    )"#;

    fn world_of_level() -> World {
        World::from_map(Map::from_ron(MAP).unwrap(), Settings::default())
    }

    fn walk_hero_right(world: &mut World, ticks: u32) {
        for _ in 0..ticks {
            let hero = world.find_body("hero").unwrap();
            world.set_input(hero, Input::walk(1.0));
            world.step();
        }
    }

    #[test]
    fn maps_name_the_presets_of_characters_and_keep_the_names() {
        let map = r#"Map(format: 1, legend: {'g': (body: (kind: "walker", shape: Circle(0.5), character: Heavy))},
            bodies: [(name: "a", kind: "a", at: (1.5, 1.5), shape: Circle(0.5), character: Floaty(air_jumps: 2, walk_speed: 3.0)),
                (name: "b", kind: "b", at: (3.5, 1.5), shape: Circle(0.5), character: Character(walk_speed: 3.0))],
            tiles: ["...g", "===="])"#;
        let map = Map::from_ron(map).unwrap();
        let text = map.to_ron();
        for character in
            ["character: Heavy", "character: Floaty(walk_speed: 3.0, air_jumps: 2)", "character: (walk_speed: 3.0)"]
        {
            assert!(text.contains(character), "{character} in {text}");
        }
        assert_eq!(Map::from_ron(&text).unwrap(), map);
        let world = World::from_map(map, Settings::default());
        let expected = [
            Character { air_jumps: 2, walk_speed: 3.0, ..Character::floaty() },
            Character { walk_speed: 3.0, ..Character::default() },
            Character::heavy(),
        ];
        assert_eq!(world.bodies().map(|(_, state)| *state.character().unwrap()).collect::<Vec<_>>(), expected);
    }

    /// A world that spawns the same bodies one by one in code moves to the same bits.
    #[test]
    fn a_level_is_the_world_of_its_map_with_its_bodies() {
        let (mut level, mut other) = (world_of_level(), World::new(Map::from_ron(MAP).unwrap(), Settings::default()));
        let hero = Body::new(Shape::aabb(0.3, 0.5)).at((1.5, 1.5)).character(Character::default());
        let ball = Body::new(Shape::circle(0.25)).at((6.5, 2.25)).velocity((1.0, 0.0)).bounce(0.5);
        let walker = Body::new(Shape::aabb(0.4, 0.5)).character(Character { walk_speed: 2.0, ..Character::default() });
        for body in [hero, ball, walker.clone().at((4.5, 1.5)), walker.at((7.5, 1.5))] {
            other.spawn(body).unwrap();
        }
        assert_eq!(level.checksum(), other.checksum());
        walk_hero_right(&mut level, 60);
        walk_hero_right(&mut other, 60);
        assert_eq!(level.checksum(), other.checksum());
        assert!(level[level.find_body("hero").unwrap()].position().to_dvec2().x > 7.0);
    }

    #[test]
    fn a_world_knows_the_bodies_of_its_map_until_they_are_removed() {
        let mut world = world_of_level();
        let name = |world: &World, id| world.placed_body(id).map(|placed| placed.name.clone());
        let walkers =
            |world: &World| world.bodies_of_kind("walker").map(|(id, _)| name(world, id).unwrap()).collect::<Vec<_>>();
        assert_eq!(walkers(&world), ["walker 4,1", "walker 7,1"]);
        let walker = world.find_body("walker 4,1").unwrap();
        assert_eq!(world.placed_body(walker).unwrap().properties()["hp"].as_i64(), Some(2));
        let own = world.spawn(Body::new(Shape::circle(0.1))).unwrap();
        assert_eq!((name(&world, own), world.find_body("walker 5,1")), (None, None));
        world.despawn(walker).unwrap();
        let again = world.spawn(Body::new(Shape::circle(0.1))).unwrap();
        assert_eq!(world.find_body("walker 4,1"), None);
        assert_eq!((name(&world, walker), name(&world, again)), (None, None), "the slot has another body now");
        assert_eq!(walkers(&world), ["walker 7,1"]);
    }

    /// The commands of a level are listed when they are first read. The lists must be those of a world that spawned the
    /// bodies one by one.
    #[test]
    fn the_commands_of_a_level_are_the_spawns_of_its_bodies_and_then_the_others() {
        let spawns: Vec<Command> =
            Map::from_ron(MAP).unwrap().bodies().iter().map(|body| Command::Spawn(Box::new(body.into()))).collect();
        assert_eq!(world_of_level().pending(), spawns);
        for asks in [false, true] {
            let mut world = world_of_level();
            let hero = world.find_body("hero").unwrap();
            assert!(!asks || world.pending().len() == spawns.len());
            world.set_velocity(hero, (1.0, 0.0)).unwrap();
            let all = [&spawns[..], &[Command::SetVelocity(hero, (1.0, 0.0).into())]].concat();
            assert_eq!(world.pending(), all, "asks: {asks}");
            let copy = world.clone();
            world.step();
            assert_eq!((world.pending(), world.commands()), (&[][..], &all[..]));
            assert_eq!(copy.pending(), all);
            world.step();
            assert_eq!(world.commands(), []);
        }
        let mut late = World::new(Map::from_ron(MAP).unwrap(), Settings::default());
        let spawned = late.spawn(Body::new(Shape::circle(0.1)).at((0.5, 2.5))).unwrap();
        late.spawn_map_bodies().unwrap();
        assert_eq!((late.pending().len(), &late.pending()[1..]), (spawns.len() + 1, &spawns[..]));
        assert_eq!((late.find_body("hero"), late.placed_body(spawned)), (None, None), "the first slot is taken");
    }

    /// Placed areas share their fields. Each still is the area of the map, with its own name and position.
    #[test]
    fn each_area_of_a_level_is_that_of_its_map() {
        let map = r#"Map(format: 1, tiles: ["c.c~~", "w.c~."], legend: {
            'c': (area: (tag: "coin", shape: Circle(0.35), properties: {"worth": 5})),
            'w': (area: (shape: Aabb(0.5, 0.5), attached_to: "lift")),
            '~': (area: (tag: "water", join: true)),
        }, areas: [(name: "goal", shape: Circle(1.0), at: (1, 3))], platforms: [(name: "lift", at: (0.5, 2.5), tiles: ["="])])"#;
        let map = Map::from_ron(map).unwrap();
        let mut world = World::from_map(map.clone(), Settings::default());
        let (lift, _) = world.platforms().next().unwrap();
        assert_eq!(world.areas().count(), 6);
        for ((id, state), expected) in world.areas().zip(map.areas()) {
            let expected = match &expected.attached_to {
                AttachedTo::Named(_) => expected.clone().attached_to(AttachedTo::Platform(lift)),
                _ => expected.clone(),
            };
            assert_eq!(*state.area(), expected);
            assert_eq!(world.find_area(&expected.name), Some(id));
            assert_eq!(world.area_properties(id).len(), usize::from(expected.tag == "coin"));
        }
        assert_eq!(["coin 1,1", "coin 0,1 layer 2", "coin", ""].map(|name| world.find_area(name)), [None; 4]);
        let coin = world.find_area("coin 2,0").unwrap();
        world.move_area(coin, (4.5, 1.5)).unwrap();
        let area = world.area(coin).unwrap().area();
        assert_eq!((&area.name[..], area.position.unwrap().to_dvec2().to_array()), ("coin 2,0", [4.5, 1.5]));
        assert_eq!(world.find_area("coin 2,0"), Some(coin));
        let repeated = world.spawn_area(world.area(coin).unwrap().area().clone());
        assert!(matches!(repeated, Err(CommandError::Area(AreaError::Duplicate { .. }))));
    }

    #[test]
    fn edited_tiles_of_a_running_world_leave_its_things() {
        let map = r#"Map(format: 1, tiles: ["cg", "=="], legend: {
            'c': (area: (tag: "coin", shape: Circle(0.35))), 'g': (body: (kind: "walker", shape: Aabb(0.4, 0.5)))})"#;
        let mut world = World::from_map(Map::from_ron(map).unwrap(), Settings::default());
        let [coin, walker] = ['c', 'g'].map(|symbol| world.map().find_tile(symbol).unwrap());
        for (cell, kind) in [((0, 1), walker), ((1, 1), coin)] {
            world.set_tile(0, cell, kind).unwrap();
            world.step();
        }
        assert!(world.find_area("coin 0,1").is_some() && world.find_body("walker 1,1").is_some());
        assert_eq!((world.areas().count(), world.bodies().count()), (1, 1));
    }

    #[test]
    fn clones_restored_worlds_and_worlds_with_the_same_spawns_know_the_bodies() {
        let mut world = world_of_level();
        let mut played = World::new(Map::from_ron(MAP).unwrap(), Settings::default());
        assert_eq!(played.find_body("hero"), None);
        for command in world.pending().to_vec() {
            played.apply(command).unwrap();
        }
        assert_eq!(played.find_body("ball 6,2"), world.find_body("ball 6,2"));
        walk_hero_right(&mut world, 5);
        let saved = world.capture();
        let hero = world.find_body("hero").unwrap();
        let mut copy = World::new(Map::from_rows(["."]).unwrap(), Settings::default());
        copy.clone_from(&world);
        world.despawn(hero).unwrap();
        assert_eq!(world.find_body("hero"), None);
        world.restore(&saved).unwrap();
        for world in [&world, &copy, &world.clone()] {
            assert_eq!(world.find_body("hero"), Some(hero));
        }
        let mut other = world_of_level();
        other.spawn(Body::new(Shape::circle(0.2))).unwrap();
        other.restore(&saved).unwrap();
        assert_eq!(other.find_body("hero"), Some(hero));
    }
}
