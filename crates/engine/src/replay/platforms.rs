//! The platforms of a replay: those of its map, by their names.

use crate::map::Map;
use crate::platform::PlatformId;
use crate::world::Slots;
use std::collections::BTreeMap;

/// What the platforms of a map are called, and which ids they have in a new world on it.
#[derive(Debug, Default)]
pub(super) struct PlatformNames {
    ids: BTreeMap<String, PlatformId>,
    names: BTreeMap<PlatformId, String>,
}

impl PlatformNames {
    pub(super) fn of(map: &Map) -> PlatformNames {
        let (mut known, mut slots) = (PlatformNames::default(), Slots::default());
        for platform in map.platforms() {
            let id = slots.insert();
            if !platform.name.is_empty() {
                known.ids.insert(platform.name.clone(), id);
                known.names.insert(id, platform.name.clone());
            }
        }
        known
    }

    pub(super) fn id(&self, name: &str) -> Option<PlatformId> {
        self.ids.get(name).copied()
    }

    /// The name of a platform, if it has one.
    pub(super) fn name(&self, id: PlatformId) -> Option<&str> {
        self.names.get(&id).map(String::as_str)
    }

    /// All names.
    pub(super) fn all(&self) -> Vec<String> {
        self.ids.keys().cloned().collect()
    }
}
