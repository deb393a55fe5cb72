//! Edits of a map, and undo and redo of brush strokes.

use std::collections::BTreeMap;
use surefoot::area::Area;
use surefoot::map::{Map, MapParts, PlacedBody, TileId, TileLayer, Value};

/// Lower left cell, and columns and rows of a tile layer.
pub(crate) type Rectangle = ((i32, i32), (u32, u32));

/// A change of the map.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Edit {
    /// A cell of a tile layer gets another tile kind.
    Tile { layer: usize, tile: (i32, i32), before: TileId, after: TileId },
    /// A marker that the map lists is placed on a cell, or removed from the cell.
    Marker { name: String, tile: (i32, i32), is_placed: bool },
    /// Adds an area with its properties to the list of the map, or removes it.
    Area { area: Box<Area>, properties: BTreeMap<String, Value>, is_placed: bool },
    /// Adds a body to the list of the map, or removes it.
    Body { body: Box<PlacedBody>, is_placed: bool },
    /// A tile layer gets another rectangle. New cells are empty.
    Rectangle { layer: usize, before: Rectangle, after: Rectangle },
}

impl Edit {
    /// Returns the edit that takes back this one.
    fn reversed(&self) -> Edit {
        match self.clone() {
            Edit::Tile { layer, tile, before, after } => Edit::Tile { layer, tile, before: after, after: before },
            Edit::Marker { name, tile, is_placed } => Edit::Marker { name, tile, is_placed: !is_placed },
            Edit::Area { area, properties, is_placed } => Edit::Area { area, properties, is_placed: !is_placed },
            Edit::Body { body, is_placed } => Edit::Body { body, is_placed: !is_placed },
            Edit::Rectangle { layer, before, after } => Edit::Rectangle { layer, before: after, after: before },
        }
    }

    /// Returns whether a running world can make the edit, because it only changes a tile. A world reads placed
    /// things, markers and the size of its map only when it starts.
    pub(crate) fn can_edit_running_world(&self, map: &Map) -> bool {
        let is_thing = |id: TileId| map.kind(id).is_some_and(|kind| !kind.things.is_empty());
        matches!(self, Edit::Tile { before, after, .. } if !is_thing(*before) && !is_thing(*after))
    }

    /// Changes a map.
    pub(crate) fn apply_to_map(&self, parts: &mut MapParts) {
        match self {
            Edit::Tile { layer, tile, after, .. } => {
                let whole = parts.layers.iter().map(|layer| (layer.origin, layer.size)).reduce(rectangle_around);
                if let (Some(layer), Some(whole)) = (parts.layers.get_mut(*layer), whole) {
                    if cell_index(layer, *tile).is_none() {
                        *layer = resized_layer(layer, whole);
                    }
                    if let Some(i) = cell_index(layer, *tile) {
                        layer.cells[i] = *after;
                    }
                }
            }
            Edit::Marker { name, tile, is_placed } => {
                add_or_remove(&mut parts.markers, &(name.clone(), *tile), *is_placed);
            }
            Edit::Area { area, properties, is_placed } => {
                add_or_remove(&mut parts.areas, area, *is_placed);
                if *is_placed {
                    parts.area_properties.insert(area.name.clone(), properties.clone());
                } else {
                    parts.area_properties.remove(&area.name);
                }
            }
            Edit::Body { body, is_placed } => add_or_remove(&mut parts.bodies, body, *is_placed),
            Edit::Rectangle { layer, after, .. } => {
                if let Some(layer) = parts.layers.get_mut(*layer) {
                    *layer = resized_layer(layer, *after);
                }
            }
        }
    }
}

/// Adds a thing to a list, or removes it.
fn add_or_remove<T: Clone + PartialEq>(list: &mut Vec<T>, thing: &T, is_placed: bool) {
    if is_placed {
        list.push(thing.clone());
    } else if let Some(i) = list.iter().position(|own| own == thing) {
        list.remove(i);
    }
}

/// Returns the smallest rectangle around two.
pub(crate) fn rectangle_around(one: Rectangle, other: Rectangle) -> Rectangle {
    let side = |low: i32, length: u32, other: i32, other_length: u32| {
        let end = (i64::from(low) + i64::from(length)).max(i64::from(other) + i64::from(other_length));
        (low.min(other), (end - i64::from(low.min(other))) as u32)
    };
    let (left, columns) = side(one.0.0, one.1.0, other.0.0, other.1.0);
    let (bottom, rows) = side(one.0.1, one.1.1, other.0.1, other.1.1);
    ((left, bottom), (columns, rows))
}

/// Returns the index of a cell of a layer.
fn cell_index(layer: &TileLayer, (x, y): (i32, i32)) -> Option<usize> {
    let column = u32::try_from(x.checked_sub(layer.origin.0)?).ok()?;
    let row = u32::try_from(y.checked_sub(layer.origin.1)?).ok()?;
    (column < layer.size.0 && row < layer.size.1).then(|| row as usize * layer.size.0 as usize + column as usize)
}

/// Returns a layer with another rectangle. Cells outside the old one are empty.
fn resized_layer(layer: &TileLayer, (origin, size): Rectangle) -> TileLayer {
    let cells = (0..size.1 as i32).flat_map(|y| (0..size.0 as i32).map(move |x| (origin.0 + x, origin.1 + y)));
    let cell = |tile| cell_index(layer, tile).map_or(TileId::EMPTY, |i| layer.cells[i]);
    TileLayer { origin, size, cells: cells.map(cell).collect(), ..layer.clone() }
}

/// The strokes that can be undone, and those that can be redone, the latest last.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Edits {
    done: Vec<Vec<Edit>>,
    undone: Vec<Vec<Edit>>,
}

/// Maximum number of strokes that can be undone.
const MAX_STROKES: usize = 1000;

impl Edits {
    /// Begins a stroke. Strokes that were undone can no longer be redone.
    pub(crate) fn begin_stroke(&mut self) {
        self.undone.clear();
        // Drop the last stroke if it changed nothing, so that each undo changes something.
        self.done.pop_if(|stroke| stroke.is_empty());
        if self.done.len() == MAX_STROKES {
            self.done.remove(0);
        }
        self.done.push(Vec::new());
    }

    /// Adds edits to the current stroke.
    pub(crate) fn add_to_stroke(&mut self, edits: Vec<Edit>) {
        if let Some(stroke) = self.done.last_mut() {
            stroke.extend(edits);
        }
    }

    /// Returns the edits that take back the last stroke, in the order in which to make them.
    pub(crate) fn take_undo_edits(&mut self) -> Vec<Edit> {
        self.done.pop_if(|stroke| stroke.is_empty());
        let Some(stroke) = self.done.pop() else { return Vec::new() };
        let edits = stroke.iter().rev().map(Edit::reversed).collect();
        self.undone.push(stroke);
        edits
    }

    /// Returns the edits of the last undone stroke.
    pub(crate) fn take_redo_edits(&mut self) -> Vec<Edit> {
        let Some(stroke) = self.undone.pop() else { return Vec::new() };
        self.done.push(stroke.clone());
        stroke
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(x: i32, before: u16, after: u16) -> Edit {
        Edit::Tile { layer: 0, tile: (x, 0), before: TileId(before), after: TileId(after) }
    }

    #[test]
    fn strokes_are_undone_and_redone_in_order() {
        let mut edits = Edits::default();
        assert_eq!((edits.take_undo_edits(), edits.take_redo_edits()), (vec![], vec![]));
        edits.begin_stroke();
        edits.add_to_stroke(vec![edit(1, 0, 5)]);
        edits.add_to_stroke(vec![edit(1, 5, 6)]);
        edits.begin_stroke();
        edits.begin_stroke();
        edits.add_to_stroke(vec![edit(2, 0, 7)]);
        edits.begin_stroke();
        assert_eq!(edits.take_undo_edits(), [edit(2, 7, 0)]);
        assert_eq!(edits.take_undo_edits(), [edit(1, 6, 5), edit(1, 5, 0)], "the last change first");
        assert_eq!(edits.take_redo_edits(), [edit(1, 0, 5), edit(1, 5, 6)]);
        edits.begin_stroke();
        assert_eq!(edits.take_redo_edits(), [], "a new stroke ends what can be redone");
        assert_eq!(edits.take_undo_edits(), [edit(1, 6, 5), edit(1, 5, 0)]);
    }

    /// Each edit and its reverse give the same map again.
    #[test]
    fn a_reversed_edit_restores_the_map() {
        let text = r##"Map(format: 1, markers: {"here": [(1, 0)]}, areas: [(name: "exit", shape: Circle(1), properties: {"to": 2})], layers: [(name: "back", collides: false, tiles: [".."]),
            (name: "ground", origin: (1, 0), tiles: ["#=", "=="])])"##;
        let map = Map::from_ron(text).expect("a map");
        let full = map.find_tile('#').expect("a tile");
        let edits = [
            Edit::Tile { layer: 1, tile: (2, 0), before: map.find_tile('=').expect("a tile"), after: full },
            Edit::Marker { name: "here".to_owned(), tile: (1, 0), is_placed: false },
            Edit::Marker { name: "there".to_owned(), tile: (0, 0), is_placed: true },
            Edit::Rectangle { layer: 1, before: ((1, 0), (2, 2)), after: ((-3, 0), (6, 4)) },
            Edit::Area {
                area: Box::new(map.areas()[0].clone()),
                properties: map.area_properties("exit").clone(),
                is_placed: false,
            },
        ];
        for edit in &edits {
            let mut parts = map.clone().into_parts();
            edit.apply_to_map(&mut parts);
            let changed = Map::from_parts(parts.clone()).expect("a map");
            assert_ne!(changed, map, "{edit:?}");
            edit.reversed().apply_to_map(&mut parts);
            assert_eq!(Map::from_parts(parts).expect("a map"), map, "{edit:?}");
        }
        // The tile is inside the map but outside the rectangle of its layer, so the rectangle has to grow.
        let mut parts = map.clone().into_parts();
        Edit::Tile { layer: 0, tile: (2, 1), before: TileId::EMPTY, after: full }.apply_to_map(&mut parts);
        let grown = Map::from_parts(parts).expect("a map");
        assert_eq!((grown.tile_at(0, (2, 1)), grown.tile_at(0, (2, 0))), (Some(full), Some(TileId::EMPTY)));
        assert_eq!(rectangle_around(((1, 0), (2, 2)), ((-1, 5), (1, 1))), ((-1, 0), (4, 6)));
    }
}
