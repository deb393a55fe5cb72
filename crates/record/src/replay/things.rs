//! Platforms and areas of a replay, by their names: those of its map, and those that commands spawn.

use crate::area::{AreaId, AttachedTo};
use crate::command::Command;
use crate::map::{Map, TileLayer};
use crate::platform::PlatformId;
use crate::world::Slots;
use slotmap::Key;
use std::collections::{BTreeMap, BTreeSet};

/// The platforms or the areas in the world at a point of a replay. Their ids are those of a world with the same
/// history.
#[derive(Clone, Debug)]
pub(super) struct Named<K> {
    slots: Slots,
    names: BTreeMap<K, String>,
    ids: BTreeMap<String, K>,
    removed: BTreeSet<String>,
    /// Things of the map without a name. Only the replay has a name for them.
    unnamed: BTreeSet<K>,
    /// Number of things in the world.
    pub(super) count: usize,
}

impl<K> Default for Named<K> {
    fn default() -> Self {
        Named {
            slots: Slots::default(),
            names: BTreeMap::new(),
            ids: BTreeMap::new(),
            removed: BTreeSet::new(),
            unnamed: BTreeSet::new(),
            count: 0,
        }
    }
}

impl<K: Key> Named<K> {
    /// Creates the things of a map from their names, in the order of the map. A thing without a name gets `word` and
    /// its number.
    fn of_map<'a>(names: impl Iterator<Item = &'a str>, word: &str) -> Self {
        let mut known = Named::default();
        let names: Vec<_> = names.map(|name| (known.add_thing(name), name)).collect();
        for (i, (id, _)) in names.into_iter().enumerate().filter(|(_, (_, name))| name.is_empty()) {
            let mut numbers = (i + 1..).map(|number| numbered_name(word, number));
            let name = numbers.find(|name| known.id(name).is_none()).unwrap_or_default();
            known.rename_thing(id, &name);
            known.unnamed.insert(id);
        }
        known
    }

    /// Adds a thing to the world. Its name may be empty.
    pub(super) fn add_thing(&mut self, name: &str) -> K {
        let id = self.slots.insert();
        self.count += 1;
        self.rename_thing(id, name);
        id
    }

    fn rename_thing(&mut self, id: K, name: &str) {
        self.forget_name(id);
        self.unnamed.remove(&id);
        if !name.is_empty() {
            self.names.insert(id, name.to_owned());
            self.ids.insert(name.to_owned(), id);
        }
    }

    fn remove_thing(&mut self, id: K) {
        if self.slots.remove(id).is_some() {
            self.count -= 1;
            self.forget_name(id);
        }
    }

    fn forget_name(&mut self, id: K) {
        let Some(name) = self.names.remove(&id) else { return };
        if self.ids.get(&name) == Some(&id) {
            self.ids.remove(&name);
        }
        self.removed.insert(name);
    }

    /// Returns the thing in the world with that name.
    pub(super) fn id(&self, name: &str) -> Option<K> {
        self.ids.get(name).copied()
    }

    /// Returns the thing in the world that has the name itself, and not only in replays.
    pub(super) fn id_by_own_name(&self, name: &str) -> Option<K> {
        self.id(name).filter(|id| !self.unnamed.contains(id))
    }

    /// Returns the name of a thing, if it has one and no other thing has the same name.
    pub(super) fn name(&self, id: K) -> Option<&str> {
        self.names.get(&id).filter(|name| self.id(name) == Some(id)).map(String::as_str)
    }

    /// Returns whether a later thing has taken the name that the replay has given to this thing of the map.
    pub(super) fn is_name_reused(&self, id: K) -> bool {
        self.unnamed.contains(&id) && self.name(id).is_none()
    }

    /// Returns whether a thing with that name was in the world and is no longer.
    pub(super) fn is_removed(&self, name: &str) -> bool {
        self.id(name).is_none() && self.removed.contains(name)
    }

    /// Returns the names of all things up to now.
    pub(super) fn all_names(&self) -> Vec<String> {
        self.ids.keys().chain(&self.removed).cloned().collect::<BTreeSet<_>>().into_iter().collect()
    }
}

fn numbered_name(word: &str, number: usize) -> String {
    format!("{word} {number}")
}

/// The platforms and areas in the world at a point of a replay.
#[derive(Clone, Debug, Default)]
pub(super) struct Things {
    pub(super) platforms: Named<PlatformId>,
    pub(super) areas: Named<AreaId>,
    /// Areas that a platform or a body carries.
    carriers: BTreeMap<AreaId, AttachedTo>,
    /// Tile layers of the platforms, without their cells.
    layers: BTreeMap<PlatformId, Vec<TileLayer>>,
}

impl Things {
    /// Returns the platforms and areas of a new world on a map.
    pub(super) fn of_map(map: &Map) -> Things {
        let mut things = Things {
            platforms: Named::of_map(map.platforms().iter().map(|platform| &platform.name[..]), "platform"),
            areas: Named::of_map(map.areas().iter().map(|area| &area.name[..]), "area"),
            ..Things::default()
        };
        // The lists of slots are new, so they give the same ids as a new world.
        let (mut platforms, mut areas) = (Slots::default(), Slots::default());
        for platform in map.platforms() {
            things.layers.insert(platforms.insert(), without_cells(&platform.layers));
        }
        for area in map.areas() {
            things.set_area_carrier(areas.insert(), &area.attached_to);
        }
        things
    }

    /// Updates the platforms and areas after a command that the world has accepted.
    pub(super) fn update_after_command(&mut self, command: &Command) {
        match command {
            Command::SpawnPlatform(platform) => {
                let id = self.platforms.add_thing(&platform.name);
                self.layers.insert(id, without_cells(&platform.layers));
            }
            Command::DespawnPlatform(id) => {
                self.remove_areas_on(&AttachedTo::Platform(*id));
                self.platforms.remove_thing(*id);
                self.layers.remove(id);
            }
            Command::Despawn(id) => self.remove_areas_on(&AttachedTo::Body(*id)),
            Command::SpawnArea(area) => {
                let id = self.areas.add_thing(&area.name);
                self.set_area_carrier(id, &area.attached_to);
            }
            Command::SetArea(id, area) => {
                self.areas.rename_thing(*id, &area.name);
                self.set_area_carrier(*id, &area.attached_to);
            }
            Command::DespawnArea(id) => {
                self.areas.remove_thing(*id);
                self.carriers.remove(id);
            }
            _ => {}
        }
    }

    fn set_area_carrier(&mut self, area: AreaId, carrier: &AttachedTo) {
        match self.resolve_carrier_name(carrier) {
            AttachedTo::World => drop(self.carriers.remove(&area)),
            carrier => drop(self.carriers.insert(area, carrier)),
        }
    }

    /// Returns the carrier with the id of a platform in place of its name.
    pub(super) fn resolve_carrier_name(&self, carrier: &AttachedTo) -> AttachedTo {
        match carrier {
            AttachedTo::Named(name) => {
                self.platforms.id_by_own_name(name).map_or(AttachedTo::World, AttachedTo::Platform)
            }
            carrier => carrier.clone(),
        }
    }

    /// Removes the areas of a carrier in the order of the world, which decides about the ids of the next areas.
    fn remove_areas_on(&mut self, carrier: &AttachedTo) {
        let areas: Vec<AreaId> =
            self.carriers.iter().rev().filter(|(_, on)| *on == carrier).map(|(id, _)| *id).collect();
        for id in areas {
            self.areas.remove_thing(id);
            self.carriers.remove(&id);
        }
    }

    /// Returns the tile layers of a platform in the world, without their cells.
    pub(super) fn layers(&self, platform: PlatformId) -> &[TileLayer] {
        self.layers.get(&platform).map_or(&[], |layers| layers)
    }
}

fn without_cells(layers: &[TileLayer]) -> Vec<TileLayer> {
    let without = |layer: &TileLayer| TileLayer { name: layer.name.clone(), cells: Vec::new(), ..*layer };
    layers.iter().map(without).collect()
}

/// Gives names to the platforms and areas that a run spawns without one.
pub(super) struct Namer {
    things: Things,
    platforms: Numbers,
    areas: Numbers,
}

/// Names of one kind of things in a whole run.
struct Numbers {
    word: &'static str,
    /// Names that nothing else may get.
    used: BTreeSet<String>,
    /// Names that only the replay has.
    given: BTreeSet<String>,
    /// Number of things up to now.
    count: usize,
}

impl Numbers {
    fn new<K: Key>(word: &'static str, things: &Named<K>) -> Numbers {
        let given = things.unnamed.iter().filter_map(|id| things.name(*id)).map(str::to_owned).collect();
        Numbers { word, used: things.all_names().into_iter().collect(), given, count: things.count }
    }

    /// If a name is empty, sets it: to `before` if only the replay has that name, else to the word for the kind and a
    /// number.
    fn fill_empty_name(&mut self, name: &mut String, before: Option<&str>) {
        if !name.is_empty() {
            return;
        }
        let before = before.filter(|before| self.given.contains(*before)).map(str::to_owned);
        let mut numbers = (self.count..).map(|number| numbered_name(self.word, number));
        let free = before.or_else(|| numbers.find(|name| !self.used.contains(name)));
        *name = free.unwrap_or_default();
        self.used.insert(name.clone());
        self.given.insert(name.clone());
    }
}

impl Namer {
    /// Creates the names of a run that has these commands on that map.
    pub(super) fn new<'a>(map: &Map, commands: impl Iterator<Item = &'a Command>) -> Namer {
        let things = Things::of_map(map);
        let mut platforms = Numbers::new("platform", &things.platforms);
        let mut areas = Numbers::new("area", &things.areas);
        for command in commands {
            match command {
                Command::SpawnPlatform(platform) => drop(platforms.used.insert(platform.name.clone())),
                Command::SpawnArea(area) | Command::SetArea(_, area) => drop(areas.used.insert(area.name.clone())),
                _ => {}
            }
        }
        Namer { things, platforms, areas }
    }

    /// Names what the next command spawns, and refers to the carrier of an area by its id.
    pub(super) fn name_spawned_things(&mut self, command: &mut Command) {
        match command {
            Command::SpawnPlatform(platform) => {
                self.platforms.count += 1;
                self.platforms.fill_empty_name(&mut platform.name, None);
            }
            Command::SpawnArea(area) => {
                self.areas.count += 1;
                self.areas.fill_empty_name(&mut area.name, None);
                area.attached_to = self.things.resolve_carrier_name(&area.attached_to);
            }
            Command::SetArea(id, area) => {
                let before = self.things.areas.name(*id);
                self.areas.fill_empty_name(&mut area.name, before);
                area.attached_to = self.things.resolve_carrier_name(&area.attached_to);
            }
            _ => {}
        }
        self.things.update_after_command(command);
    }
}
