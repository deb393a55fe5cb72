//! Which tile kind a name in an editor stands for.
//!
//! A map of names is an ordinary map. Some of its legend entries have the property `import`: a list of names that
//! stand for the entry's tile. So a name can stand for everything that a legend can describe: materials, areas,
//! bodies, markers. No other file format is needed, and mistakes are reported like those of every map. Its layers and
//! things describe layers and objects of the same names: see [`OwnNames`].

use crate::error::{ImportError, ImportProblem};
use crate::level::Properties;
use crate::tiled::VARIANT;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use surefoot::Map;
use surefoot::area::Area;
use surefoot::map::{MarkerThing, PlacedBody, TileId, TileKind, TileLayer, Value};
use surefoot::platform::Platform;

/// Name of the property that lists the names of a legend entry.
pub(crate) const PROPERTY: &str = "import";

/// Property with the name of the marker that a legend entry stands for. It is needed because a map does not keep
/// which entry has a marker without properties.
pub(crate) const MARKER: &str = "marker";

/// Tile kinds by names.
#[derive(Debug)]
pub(crate) struct Names {
    kinds: BTreeMap<String, Named>,
}

/// Tile kind that a name stands for.
#[derive(Debug)]
struct Named {
    id: TileId,
    kind: TileKind,
    /// Whether anything was found by the name.
    is_used: AtomicBool,
}

/// A map of names, and what it says about layers and objects.
#[derive(Debug)]
pub(crate) struct OwnNames {
    pub(crate) map: Map,
    pub(crate) names: Names,
    /// Names of the listed markers, by themselves and as classes of objects.
    markers: BTreeMap<String, String>,
    /// Indices of the bodies, areas and platforms.
    bodies: Things,
    areas: Things,
    platforms: Things,
}

/// Indices of things: by class and name, and the first one of each class. Classes are in the form of
/// [`comparable_class`].
#[derive(Debug, Default)]
struct Things {
    by_name: BTreeMap<(String, String), usize>,
    first: BTreeMap<String, usize>,
}

impl Things {
    /// Indexes things by class and name, and by class alone if a user wrote the class: the third value says so.
    fn index_by_class_and_name<'a>(things: impl Iterator<Item = (&'a str, &'a str, bool)>) -> Things {
        let mut found = Things::default();
        for (index, (class, name, is_word)) in things.enumerate() {
            if is_word {
                found.first.entry(comparable_class(class)).or_insert(index);
            }
            found.by_name.entry((comparable_class(class), name.to_owned())).or_insert(index);
        }
        found
    }

    fn index_of_thing_named(&self, class: &str, name: &str) -> Option<usize> {
        if name.is_empty() { None } else { self.by_name.get(&(comparable_class(class), name.to_owned())).copied() }
    }

    fn index_of_first_of_class(&self, class: &str) -> Option<usize> {
        self.first.get(&comparable_class(class)).copied()
    }
}

impl OwnNames {
    /// Reads a map of names. `path`: its file, or the empty path for a map that a program passed.
    ///
    /// # Errors
    /// Returns [`ImportError`] for a mistake in the properties `import`.
    pub(crate) fn new(path: &Path, map: &Map) -> Result<OwnNames, ImportError> {
        let names = Names::of_map(map).map_err(|error| ImportError { path: path.to_owned(), ..error })?;
        let mut markers = BTreeMap::new();
        for (name, _) in map.all_markers() {
            markers.entry(comparable_class(name)).or_insert(name.to_owned());
            markers.insert(name.to_owned(), name.to_owned());
        }
        let bodies = Things::index_by_class_and_name(map.bodies().iter().map(|body| (body.kind(), &*body.name, true)));
        let areas = Things::index_by_class_and_name(
            map.areas().iter().map(|area| (class_of_area(area), &*area.name, !area.tag.is_empty())),
        );
        let platforms =
            Things::index_by_class_and_name(map.platforms().iter().map(|platform| ("", &*platform.name, false)));
        Ok(OwnNames { map: map.clone(), names, markers, bodies, areas, platforms })
    }

    /// Returns the layer with a name.
    pub(crate) fn layer(&self, name: &str) -> Option<&TileLayer> {
        self.map.layers().iter().find(|layer| layer.name == name)
    }

    /// Returns the name of the markers of a class.
    pub(crate) fn marker_name_of_class(&self, class: &str) -> Option<&str> {
        self.markers.get(class).or_else(|| self.markers.get(&comparable_class(class))).map(String::as_str)
    }

    /// Returns the body of a class and name.
    pub(crate) fn named_body(&self, class: &str, name: &str) -> Option<&PlacedBody> {
        self.bodies.index_of_thing_named(class, name).map(|index| &self.map.bodies()[index])
    }

    /// Returns the first body of a class.
    pub(crate) fn first_body_of_class(&self, class: &str) -> Option<&PlacedBody> {
        self.bodies.index_of_first_of_class(class).map(|index| &self.map.bodies()[index])
    }

    /// Returns the area of a class and name.
    pub(crate) fn named_area(&self, class: &str, name: &str) -> Option<&Area> {
        self.areas.index_of_thing_named(class, name).map(|index| &self.map.areas()[index])
    }

    /// Returns the first area of a class.
    pub(crate) fn first_area_of_class(&self, class: &str) -> Option<&Area> {
        self.areas.index_of_first_of_class(class).map(|index| &self.map.areas()[index])
    }

    /// Returns the properties of an area.
    pub(crate) fn area_properties(&self, name: &str) -> Properties {
        self.map.area_properties(name).clone()
    }

    /// Returns the properties of a platform.
    pub(crate) fn platform_properties(&self, name: &str) -> Properties {
        self.map.platform_properties(name).clone()
    }

    /// Returns the platform of a name.
    pub(crate) fn named_platform(&self, name: &str) -> Option<&Platform> {
        self.platforms.index_of_thing_named("", name).map(|index| &self.map.platforms()[index])
    }
}

/// Returns the class of an object that stands for an area.
pub(crate) fn class_of_area(area: &Area) -> &str {
    if area.tag.is_empty() { "area" } else { &area.tag }
}

/// Returns the form in which classes of objects are compared: identifiers of LDtk have letters, digits and `_` only.
fn comparable_class(class: &str) -> String {
    ldtk_identifier(class).to_ascii_lowercase()
}

/// Returns a word as an identifier of LDtk: letters, digits and `_`.
pub(crate) fn ldtk_identifier(word: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    word.chars().map(safe).collect()
}

/// Takes the property of a level that names its map of names.
pub(crate) fn take_names_file(properties: &mut BTreeMap<String, Value>) -> Option<String> {
    match properties.get(VARIANT)? {
        Value::Text(_) => properties.remove(VARIANT).and_then(|value| value.as_str().map(str::to_owned)),
        _ => None,
    }
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
        for (index, kind) in map.kinds().iter().enumerate() {
            let Some(list) = kind.properties.get(PROPERTY) else { continue };
            let names = list.as_list().and_then(|list| list.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
            let names = names.ok_or_else(|| ImportError::in_map_of_names(ImportProblem::NamesNotTexts))?;
            let kind = kind_without_names(kind);
            for name in names {
                let plain = comparable_name(name);
                if !seen.insert(plain.clone()) {
                    return Err(ImportError::in_map_of_names(ImportProblem::NameTwice { name: name.to_owned() }));
                }
                let (id, kind) = (TileId(index as u16), kind.clone());
                kinds.insert(plain, Named { id, kind, is_used: AtomicBool::new(false) });
            }
        }
        Ok(Names { kinds })
    }

    /// Returns the tile kind that `name` stands for.
    pub(crate) fn find_and_mark_used(&self, name: &str) -> Option<&TileKind> {
        self.find_id_and_mark_used(name).map(|(_, kind)| kind)
    }

    /// Returns the tile kind that `name` stands for, and its number in the map of names.
    pub(crate) fn find_id_and_mark_used(&self, name: &str) -> Option<(TileId, &TileKind)> {
        let found = self.kinds.get(&comparable_name(name)).filter(|_| !name.is_empty())?;
        found.is_used.store(true, Ordering::Relaxed);
        Some((found.id, &found.kind))
    }

    /// Returns the names by which nothing was found so far.
    pub(crate) fn unused(&self) -> impl Iterator<Item = &str> {
        self.kinds.iter().filter(|(_, named)| !named.is_used.load(Ordering::Relaxed)).map(|(name, _)| &**name)
    }
}

/// Returns the tile kind that an entry of a map of names stands for: without the properties that are about its names.
pub(crate) fn kind_without_names(kind: &TileKind) -> TileKind {
    let mut kind = kind.clone();
    if kind.properties.remove(PROPERTY).is_some()
        && let Some(marker) = kind.properties.remove(MARKER)
    {
        let name = marker.as_str().unwrap_or_default().to_owned();
        kind.things.marker = Some(Box::new(MarkerThing { name, ..MarkerThing::default() }));
    }
    kind
}

/// Returns the name in the form in which names are compared: lower case, with `_` in place of spaces and hyphens.
fn comparable_name(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-'], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_names_load() {
        let names = Names::usual();
        let full = names.find_and_mark_used("Walls").unwrap();
        assert!(full.variant.is_some() && full.properties.is_empty());
        assert!(names.find_and_mark_used("water").unwrap().things.area.as_ref().unwrap().join);
        let start = names.find_and_mark_used("Player-Start").unwrap().things.marker.clone();
        assert_eq!(start.map(|marker| marker.name), Some("start".to_owned()));
        assert!(names.find_and_mark_used("nothing of the kind").is_none() && names.find_and_mark_used("").is_none());
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
