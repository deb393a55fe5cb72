//! The map of names of an exported level: the map without its tiles.

use super::scene::Scene;
use super::sheet::{Sheet, name_of_tile};
use crate::error::{ImportError, ImportProblem};
use crate::level::Properties;
use crate::names::{MARKER, PROPERTY};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use surefoot::Map;
use surefoot::area::AttachedTo;
use surefoot::geometry::Position;
use surefoot::map::{TileLayer, Value};

/// Returns the map of names for an exported map. Its legend lists the numbers of the tiles in the tileset, and each of
/// its layers has one empty cell. Positions, and properties that the objects of the level have, are left out.
pub(crate) fn map_of_names(map: &Map, sheet: &Sheet, scene: &Scene) -> Result<Map, ImportError> {
    let origin = map.origin();
    let mut parts = map.clone().into_parts();
    for (layer, grid) in parts.layers.iter_mut().zip(&scene.level.grids) {
        let collides = layer.collides;
        *layer = TileLayer::new(grid.name.clone(), 1, 1);
        (layer.collides, layer.origin) = (collides, origin);
    }
    for &(id, number) in &sheet.own {
        let names = Value::List(vec![Value::Text(name_of_tile(number))]);
        let kind = &mut parts.kinds[usize::from(id.0)];
        kind.properties.insert(PROPERTY.to_owned(), names);
        // The text of a map does not say which kind places a marker without properties, so a property says it.
        if let Some(marker) = kind.things.marker.take_if(|marker| marker.properties.is_empty()) {
            kind.properties.insert(MARKER.to_owned(), Value::Text(marker.name));
        }
    }
    let markers: BTreeSet<String> = parts.markers.into_iter().map(|(name, _)| name).collect();
    parts.markers = markers.into_iter().map(|name| (name, origin)).collect();
    let carriers = parts.platforms.iter().map(|platform| platform.name.clone()).zip(&scene.platforms);
    let carriers: BTreeMap<String, &String> = carriers.filter(|(name, _)| !name.is_empty()).collect();
    let carrier = |name: &str| carriers.get(name).map_or_else(|| name.to_owned(), |name| (*name).clone());
    let names =
        parts.platforms.iter().map(|platform| &platform.name).zip(&scene.platforms).zip(&scene.said_of_platforms);
    parts.platform_properties = properties_missing_in_objects(parts.platform_properties, names);
    let names = parts.areas.iter().map(|area| &area.name).zip(&scene.areas).zip(&scene.said_of_areas);
    parts.area_properties = properties_missing_in_objects(parts.area_properties, names);
    for (platform, name) in parts.platforms.iter_mut().zip(&scene.platforms) {
        (platform.name, platform.position) = (name.clone(), Ok(Position::default()));
        platform.attached_to = carrier(&platform.attached_to);
    }
    for (area, name) in parts.areas.iter_mut().zip(&scene.areas) {
        (area.name, area.position) = (name.clone(), Ok(Position::default()));
        if let AttachedTo::Named(name) = &mut area.attached_to {
            *name = carrier(name);
        }
    }
    for ((body, name), said) in parts.bodies.iter_mut().zip(&scene.bodies).zip(&scene.said) {
        (body.name, body.position) = (name.clone(), Position::default());
        if !said.is_empty() {
            Arc::make_mut(&mut body.thing).properties.retain(|name, _| !said.contains(name));
        }
    }
    parts.properties.retain(|name, _| !scene.said_of_map.contains(name));
    Map::from_parts(parts)
        .map_err(|source| ImportError::new(Path::new(""), "the map of names", ImportProblem::Map { source }))
}

/// Returns the properties that the objects of a level do not store, by the names of the objects. `names`: for each
/// thing, its name in the map, the name of its object, and the names of the properties that the object stores.
fn properties_missing_in_objects<'a>(
    all: BTreeMap<String, Properties>,
    names: impl Iterator<Item = ((&'a String, &'a String), &'a BTreeSet<String>)>,
) -> BTreeMap<String, Properties> {
    let left = names.filter_map(|((own, name), said)| {
        let mut left = all.get(own)?.clone();
        left.retain(|name, _| !said.contains(name));
        Some((name.clone(), left))
    });
    left.collect()
}
