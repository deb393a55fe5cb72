use super::CollisionLayerError;
use crate::ids::CollisionLayers;
use std::collections::BTreeSet;

impl CollisionLayers {
    /// Returns the first `count` layers.
    fn first_layers(count: usize) -> CollisionLayers {
        CollisionLayers((0..count.min(32)).fold(0, |all, layer| all | 1 << layer))
    }

    /// Refuses a layer without a name in the map, because texts refer to layers by name.
    #[doc(hidden)]
    pub fn check_named(self, names: usize) -> Result<(), CollisionLayerError> {
        let unnamed = self.without(CollisionLayers::first_layers(names));
        let layer = unnamed.0.trailing_zeros();
        if unnamed.is_empty() { Ok(()) } else { Err(CollisionLayerError::Unnamed { layer, names }) }
    }

    /// Returns the names of the set's layers in a table, in the table's order. Skips layers without a name.
    #[doc(hidden)]
    pub fn names(self, table: &[String]) -> Vec<&str> {
        let own = table.iter().enumerate().filter(|(layer, _)| self.0.checked_shr(*layer as u32).unwrap_or(0) & 1 != 0);
        own.map(|(_, name)| name.as_str()).collect()
    }

    /// Returns the set of layers with the given names in a table.
    #[doc(hidden)]
    pub fn of_names<S: AsRef<str>>(
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

/// Refuses layers of a body that have no name in a map with `names` names.
pub fn check_layers(layers: CollisionLayers, names: usize) -> Result<(), CollisionLayerError> {
    if layers == CollisionLayers::FIRST { Ok(()) } else { layers.check_named(names) }
}

/// Refuses a collision mask with layers that have no name in a map with `names` names. The full mask needs no names.
pub fn check_mask(mask: CollisionLayers, names: usize) -> Result<(), CollisionLayerError> {
    if mask == CollisionLayers::ALL { Ok(()) } else { check_layers(mask, names) }
}

/// Reports each error in a table of names, with the index of the name if the error has one. `count` is the
/// full number of names if the list was cut.
pub(super) fn check_collision_layer_names(
    names: &[String],
    count: usize,
    mut tell: impl FnMut(Option<usize>, CollisionLayerError),
) {
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
    fn sets_contain_exactly_their_layers() {
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
        assert_eq!([0, 1, 3, 32].map(CollisionLayers::first_layers), [0, 1, 7, u32::MAX].map(CollisionLayers));
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
