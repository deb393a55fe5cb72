//! Which tile kind a name in an editor stands for.
//!
//! A map of names is an ordinary map. Some of its legend entries have the property `import`: a list of names that
//! stand for the entry's tile. So a name can stand for everything that a legend can describe: materials, areas,
//! bodies, markers. No other file format is needed, and mistakes are reported like those of every map.

use crate::error::{ImportError, ImportProblem};
use std::collections::{BTreeMap, BTreeSet};
use surefoot::Map;
use surefoot::map::{MarkerThing, TileKind, Value};

/// Name of the property that lists the names of a legend entry.
pub(crate) const PROPERTY: &str = "import";

/// Property with the name of the marker that a legend entry stands for. It is needed because a map does not keep
/// which entry has a marker without properties.
const MARKER: &str = "marker";

/// Tile kinds by names.
pub(crate) struct Names {
    kinds: BTreeMap<String, TileKind>,
}

impl Names {
    /// Returns the names that an import understands by itself.
    pub(crate) fn usual() -> Names {
        let map = Map::from_ron(include_str!("usual.ron")).ok();
        map.and_then(|map| Names::of_map(&map).ok()).unwrap_or(Names { kinds: BTreeMap::new() })
    }

    /// Returns the names in the legend of `map`.
    ///
    /// # Errors
    /// Returns [`ImportError`] if the property `import` is not a list of texts, or a name stands in two entries.
    pub(crate) fn of_map(map: &Map) -> Result<Names, ImportError> {
        let mut kinds = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for kind in map.kinds() {
            let Some(list) = kind.properties.get(PROPERTY) else { continue };
            let names = list.as_list().and_then(|list| list.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
            let names = names.ok_or_else(|| ImportError::of_names(ImportProblem::NamesNotTexts))?;
            let mut kind = kind.clone();
            kind.properties.remove(PROPERTY);
            if let Some(marker) = kind.properties.remove(MARKER) {
                let name = marker.as_str().unwrap_or_default().to_owned();
                kind.things.marker = Some(Box::new(MarkerThing { name, ..MarkerThing::default() }));
            }
            for name in names {
                let plain = plain(name);
                if !seen.insert(plain.clone()) {
                    return Err(ImportError::of_names(ImportProblem::NameTwice { name: name.to_owned() }));
                }
                kinds.insert(plain, kind.clone());
            }
        }
        Ok(Names { kinds })
    }

    /// Returns the tile kind that `name` stands for.
    pub(crate) fn find(&self, name: &str) -> Option<&TileKind> {
        if name.is_empty() { None } else { self.kinds.get(&plain(name)) }
    }
}

/// Returns the name in the form in which names are compared: lower case, with `_` in place of spaces and hyphens.
fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-'], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_names_load() {
        let names = Names::usual();
        let full = names.find("Walls").unwrap();
        assert!(full.variant.is_some() && full.properties.is_empty());
        assert!(names.find("water").unwrap().things.area.as_ref().unwrap().join);
        let start = names.find("Player-Start").unwrap().things.marker.clone();
        assert_eq!(start.map(|marker| marker.name), Some("start".to_owned()));
        assert!(names.find("nothing of the kind").is_none() && names.find("").is_none());
    }

    #[test]
    fn a_name_in_two_entries_is_refused() {
        let map = Map::from_ron(
            r#"Map(format: 1, tiles: ["."], legend: {
                'a': (tile: "spike", properties: {"import": ["mud"]}), 'b': (tile: "half_slab", properties: {"import": ["Mud"]})})"#,
        );
        let error = Names::of_map(&map.unwrap()).err().unwrap();
        assert!(error.to_string().contains("\"Mud\""), "{error}");
    }
}
