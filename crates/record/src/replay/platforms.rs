//! Platforms and areas of a replay: those of its map, by their names.

use crate::area::AreaId;
use crate::map::Map;
use crate::platform::PlatformId;
use crate::world::Slots;
use slotmap::Key;
use std::collections::BTreeMap;

/// Names of the platforms or areas of a map, and their ids in a new world on it.
#[derive(Debug)]
pub(super) struct MapNames<K> {
    ids: BTreeMap<String, K>,
    names: BTreeMap<K, String>,
}

pub(super) type PlatformNames = MapNames<PlatformId>;
pub(super) type AreaNames = MapNames<AreaId>;

impl PlatformNames {
    pub(super) fn of(map: &Map) -> PlatformNames {
        MapNames::new(map.platforms().iter().map(|platform| &platform.name[..]))
    }
}

impl AreaNames {
    pub(super) fn of(map: &Map) -> AreaNames {
        MapNames::new(map.areas().iter().map(|area| &area.name[..]))
    }
}

impl<K> Default for MapNames<K> {
    fn default() -> Self {
        MapNames { ids: BTreeMap::new(), names: BTreeMap::new() }
    }
}

impl<K: Key> MapNames<K> {
    /// Creates the names of things in the order of their slots. Some have no name.
    fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let (mut known, mut slots) = (MapNames::default(), Slots::default());
        for name in names {
            let id: K = slots.insert();
            if !name.is_empty() {
                known.ids.insert(name.to_owned(), id);
                known.names.insert(id, name.to_owned());
            }
        }
        known
    }

    pub(super) fn id(&self, name: &str) -> Option<K> {
        self.ids.get(name).copied()
    }

    /// Returns the name of a thing, if it has one.
    pub(super) fn name(&self, id: K) -> Option<&str> {
        self.names.get(&id).map(String::as_str)
    }

    /// Returns all names.
    pub(super) fn all_names(&self) -> Vec<String> {
        self.ids.keys().cloned().collect()
    }
}
