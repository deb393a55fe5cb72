//! Which entity a body, a platform or an area has.

use bevy_ecs::entity::{Entity, EntityHashMap};
use slotmap::Key;
use std::collections::BTreeMap;

/// Links between the ids of one kind of things and their entities.
#[derive(Debug)]
pub(crate) struct Links<K: Key> {
    /// In the order of slots, which is the same in every run. After a restore, a slot may have an id that is older than
    /// that of an entity which is not removed yet. Both are here.
    entities: BTreeMap<K, Entity>,
    ids: EntityHashMap<K>,
    /// Things that were removed since the last step. Events of that step still name their entities.
    removed: Vec<(K, Entity)>,
}

impl<K: Key> Default for Links<K> {
    fn default() -> Links<K> {
        Links { entities: BTreeMap::new(), ids: EntityHashMap::default(), removed: Vec::new() }
    }
}

impl<K: Key> Links<K> {
    pub(crate) fn link(&mut self, id: K, entity: Entity) {
        self.unlink(entity);
        if let Some(before) = self.entities.insert(id, entity) {
            self.ids.remove(&before);
        }
        self.ids.insert(entity, id);
    }

    /// Removes the link of an entity and returns the id that the entity had.
    pub(crate) fn unlink(&mut self, entity: Entity) -> Option<K> {
        let id = self.ids.remove(&entity)?;
        self.entities.remove(&id);
        self.removed.push((id, entity));
        Some(id)
    }

    pub(crate) fn id(&self, entity: Entity) -> Option<K> {
        self.ids.get(&entity).copied()
    }

    pub(crate) fn entity(&self, id: K) -> Option<Entity> {
        self.entities.get(&id).copied()
    }

    /// Returns the entity of a thing that may have been removed since the last step.
    pub(crate) fn entity_even_if_removed(&self, id: K) -> Option<Entity> {
        let removed = || self.removed.iter().find(|(removed, _)| *removed == id).map(|&(_, entity)| entity);
        self.entity(id).or_else(removed)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (K, Entity)> {
        self.entities.iter().map(|(&id, &entity)| (id, entity))
    }

    pub(crate) fn forget_removed(&mut self) {
        self.removed.clear();
    }
}
