//! Compares a map with the map that an import makes of its level.

use crate::level::quoted;
use crate::report::{Report, Reporter};
use surefoot::Map;
use surefoot::map::MapParts;

/// Returns the parts that an import of the level leaves out or changes: nothing is lost in silence. `report`: report of
/// the import.
pub(crate) fn report_lost_parts(map: &Map, again: &Map, report: Report) -> Report {
    let mut found = Reporter::default();
    let origin = map.origin();
    let first = (i64::from(origin.0), i64::from(origin.1));
    let mut add = |what: String| found.count_part(what, first);
    let (parts, others) = (map.clone().into_parts(), again.clone().into_parts());
    for (layer, other) in parts.layers.iter().zip(&others.layers) {
        if layer.name != other.name {
            add(format!("name of layer {}: it is {} in the level", quoted(&layer.name), quoted(&other.name)));
        }
    }
    report_lost_things(&parts, &others, &mut add);
    for (name, value) in &parts.properties {
        if others.properties.get(name) != Some(value) {
            add(format!("property {} of the map", quoted(name)));
        }
    }
    if parts.pixels_per_tile != others.pixels_per_tile {
        add(format!("`pixels_per_tile` {}: it is {} in the level", parts.pixels_per_tile, others.pixels_per_tile));
    }
    if map.size() != again.size() || origin != again.origin() {
        add("size or origin of the map".to_owned());
    }
    let is_same: Vec<bool> =
        (0..parts.kinds.len()).map(|index| parts.kinds.get(index) == others.kinds.get(index)).collect();
    // Kinds on the map are reported with their cells below.
    let mut is_shown = vec![false; is_same.len()];
    parts.layers.iter().flat_map(|layer| &layer.cells).for_each(|id| is_shown[usize::from(id.0)] = true);
    for (index, symbol) in map.written_letters().into_iter().enumerate() {
        if !is_same[index] && !is_shown[index] {
            add(format!("legend entry {symbol:?}"));
        }
    }
    report_lost_tiles(&parts, &others, &is_same, &mut found);
    let mut all = found.into_report();
    all.left_over.extend(report.left_over);
    all.near.extend(report.near);
    all
}

/// Adds the layers that are missing, and the cells whose tiles have another kind.
fn report_lost_tiles(parts: &MapParts, others: &MapParts, is_same: &[bool], found: &mut Reporter) {
    for (index, layer) in parts.layers.iter().enumerate() {
        let (name, corner) = (quoted(&layer.name), (i64::from(layer.origin.0), i64::from(layer.origin.1)));
        let Some(other) = others.layers.get(index).filter(|other| other.collides == layer.collides) else {
            found.count_part(format!("layer {name}"), corner);
            continue;
        };
        if (layer.origin, layer.size) != (other.origin, other.size) {
            found.count_part(format!("size of layer {name}; it is as large as the level"), corner);
        }
        let mut entry = None;
        let columns = layer.size.0.max(1) as usize;
        for (row, cells) in layer.cells.chunks_exact(columns).enumerate() {
            let y = layer.origin.1 + row as i32;
            let again = other.row(y, layer.origin.0, layer.size.0);
            for (column, (id, other)) in cells.iter().zip(&*again).enumerate() {
                if id != other || is_same.get(usize::from(id.0)) != Some(&true) {
                    let entry = *entry.get_or_insert_with(|| found.find_or_add_entry(format!("tiles of layer {name}")));
                    found.count_in_entry(entry, (corner.0 + column as i64, y.into()));
                }
            }
        }
    }
}

/// Adds the listed things that are missing or changed.
fn report_lost_things(parts: &MapParts, others: &MapParts, add: &mut impl FnMut(String)) {
    for (index, platform) in parts.platforms.iter().enumerate() {
        let [own, other] = [parts, others].map(|parts| parts.platform_properties.get(&platform.name));
        if others.platforms.get(index) != Some(platform) || own != other {
            add(format!("platform {}", quoted(&platform.name)));
        }
    }
    for (index, area) in parts.areas.iter().enumerate() {
        let [own, other] = [parts, others].map(|parts| parts.area_properties.get(&area.name));
        if others.areas.get(index) != Some(area) || own != other {
            add(format!("area {} with the tag {}", quoted(&area.name), quoted(&area.tag)));
        }
    }
    for (index, body) in parts.bodies.iter().enumerate() {
        if others.bodies.get(index) != Some(body) {
            add(format!("body {}", quoted(&body.name)));
        }
    }
    let sorted = |parts: &MapParts| {
        let mut markers = parts.markers.clone();
        markers.sort();
        markers
    };
    let others = sorted(others);
    for (name, cell) in sorted(parts) {
        if others.binary_search(&(name.clone(), cell)).is_err() {
            add(format!("marker {} at {cell:?}", quoted(&name)));
        }
    }
}
