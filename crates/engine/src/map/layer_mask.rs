use super::CollisionLayerError;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A set of collision layers, which are groups of bodies.
///
/// Bit `i` is the collision layer with the name `i` in the list [`Map::collision_layers`](super::Map::collision_layers).
///
/// | set | meaning |
/// |---|---|
/// | [`Body::collision_layers`](crate::body::Body::collision_layers) | the groups that a body is in |
/// | [`Body::collision_mask`](crate::body::Body::collision_mask) | the groups that a body collides with |
/// | [`TileKind::ignored_by`](super::TileKind::ignored_by) | the groups whose bodies pass a one-way tile |
///
/// [`Body::can_collide_with`](crate::body::Body::can_collide_with) says which bodies collide. Files write collision
/// layers by name; the position of the name in the map's list is the bit.
///
/// # Examples
/// ```
/// use surefoot::map::{CollisionLayers, Map};
///
/// let map = Map::from_ron(r#"Map(format: 1, collision_layers: ["hero", "ghost"], tiles: ["."])"#)?;
/// let ghost = map.collision_layers_named(["ghost"])?;
/// assert_eq!(ghost, CollisionLayers(0b10));
/// assert!(ghost.intersects(CollisionLayers::ALL) && !ghost.intersects(CollisionLayers::FIRST));
/// assert!(map.collision_layers_named(["gost"]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(transparent))]
pub struct CollisionLayers(pub u32);

impl CollisionLayers {
    /// The set without collision layers.
    pub const NONE: CollisionLayers = CollisionLayers(0);

    /// The set with only the first collision layer, bit 0. New bodies are in this layer.
    pub const FIRST: CollisionLayers = CollisionLayers(1);

    /// The set of all 32 collision layers, with or without a name in the map.
    pub const ALL: CollisionLayers = CollisionLayers(u32::MAX);

    /// Returns whether at least one collision layer is in both sets.
    #[must_use]
    #[inline]
    pub const fn intersects(self, other: CollisionLayers) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the collision layers that are in `self`, in `other` or in both.
    #[must_use]
    pub const fn union(self, other: CollisionLayers) -> CollisionLayers {
        CollisionLayers(self.0 | other.0)
    }

    /// Returns the collision layers of `self` that are not in `other`.
    #[must_use]
    pub const fn without(self, other: CollisionLayers) -> CollisionLayers {
        CollisionLayers(self.0 & !other.0)
    }

    /// Returns whether the set has no collision layers.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The first layers, so many of them.
    fn first(count: usize) -> CollisionLayers {
        CollisionLayers((0..count.min(32)).fold(0, |all, layer| all | 1 << layer))
    }

    /// Refuses a layer for which a map has no name, as texts could not tell of it.
    pub(crate) fn check_named(self, names: usize) -> Result<(), CollisionLayerError> {
        let unnamed = self.without(CollisionLayers::first(names));
        let layer = unnamed.0.trailing_zeros();
        if unnamed.is_empty() { Ok(()) } else { Err(CollisionLayerError::Unnamed { layer, names }) }
    }

    /// The names of its layers in a table, in the table's order; a layer without a name has none.
    pub(crate) fn names(self, table: &[String]) -> Vec<&str> {
        let own = table.iter().enumerate().filter(|(layer, _)| self.0.checked_shr(*layer as u32).unwrap_or(0) & 1 != 0);
        own.map(|(_, name)| name.as_str()).collect()
    }

    /// The set of names in a table.
    pub(crate) fn of_names<S: AsRef<str>>(
        names: impl IntoIterator<Item = S>,
        table: &[String],
    ) -> Result<CollisionLayers, CollisionLayerError> {
        names.into_iter().try_fold(CollisionLayers::NONE, |all, name| {
            let name = name.as_ref();
            let layer = table
                .iter()
                .position(|known| known == name)
                .ok_or_else(|| CollisionLayerError::Unknown { name: name.to_owned(), known: table.to_vec() })?;
            Ok(CollisionLayers(all.0 | 1 << layer))
        })
    }
}

/// Tells of what is wrong with a table of names; with the number of the name, if it is one of them. `count` is how many
/// there are if not all of them are in the list.
pub(super) fn check_table(names: &[String], count: usize, mut tell: impl FnMut(Option<usize>, CollisionLayerError)) {
    let limit = super::Map::MAX_COLLISION_LAYERS;
    if count > limit {
        tell(None, CollisionLayerError::TooMany { count, limit });
    }
    let mut seen = BTreeSet::new();
    for (number, name) in names.iter().enumerate() {
        if name.is_empty() {
            tell(Some(number), CollisionLayerError::Nameless);
        } else if !seen.insert(name.as_str()) {
            tell(Some(number), CollisionLayerError::Duplicate { name: name.clone() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_the_layers_that_they_are_of() {
        let table = ["hero", "crate", "ghost"].map(str::to_owned);
        let set = |names: &[&str]| CollisionLayers::of_names(names, &table);
        assert_eq!(set(&[]), Ok(CollisionLayers::NONE));
        assert_eq!(set(&["ghost", "hero", "ghost"]), Ok(CollisionLayers(0b101)));
        assert_eq!(CollisionLayers(0b1101).names(&table), ["hero", "ghost"], "a layer without a name has none");
        assert_eq!(CollisionLayers::ALL.names(&table), ["hero", "crate", "ghost"]);
        assert_eq!(
            set(&["crate", "gost"]),
            Err(CollisionLayerError::Unknown { name: "gost".to_owned(), known: table.to_vec() })
        );
        assert_eq!([0, 1, 3, 32].map(CollisionLayers::first), [0, 1, 7, u32::MAX].map(CollisionLayers));
        assert_eq!(
            CollisionLayers(0b110).without(CollisionLayers(0b011)).union(CollisionLayers(0b1000)),
            CollisionLayers(0b1100)
        );
        assert!(
            !CollisionLayers(0b110).intersects(CollisionLayers(0b1001))
                && CollisionLayers(0b110).intersects(CollisionLayers(0b10))
        );
    }
}
