//! Things with typed names: areas and bodies that the map lists.

use crate::edits::Edit;
use crate::palette::Brush;
use std::collections::BTreeMap;
use std::sync::Arc;
use surefoot::area::{Area, AreaShape, AttachedTo};
use surefoot::geometry::{DVec2, Position};
use surefoot::map::{BodyThing, Map, PlacedBody, TileId, Value};
use surefoot::motion::Shape;

/// Kind of a body that no legend describes.
const BODY_KIND: &str = "body";

/// Returns whether a brush places a thing that can have a typed name.
pub(crate) fn is_nameable(map: &Map, brush: Brush) -> bool {
    matches!(brush, Brush::Marker(_)) || area_of_brush(map, brush).is_some() || body_of_brush(map, brush).is_some()
}

/// Returns the edit that lists a thing with a name at a cell. `None` if the brush places none, or only markers.
pub(super) fn edit_to_place_named(map: &Map, (x, y): (i32, i32), brush: Brush, name: &str) -> Option<Edit> {
    let brush = find_tile_kind_with_similar_name(map, brush, name).map_or(brush, Brush::Kind);
    let center = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
    if let Some((area, properties)) = area_of_brush(map, brush) {
        let position = Position::new(center.x, center.y);
        let area = Box::new(Area { name: name.to_owned(), position, ..area });
        return Some(Edit::Area { area, properties, is_placed: true });
    }
    let thing = body_of_brush(map, brush)?;
    // Place the body as a cell of the legend would: it stands on a side of its cell. Its own `up` says which side is
    // below.
    let up = thing.fields.up.unwrap_or_default().direction().as_dvec2();
    let height = Shape::from(thing.fields.shape).half_extents().dot(up.abs());
    let position = center + up * (height - 0.5);
    let position = Position::new(position.x, position.y).ok()?;
    Some(Edit::Body { body: Box::new(PlacedBody { name: name.to_owned(), position, thing }), is_placed: true })
}

/// Returns the legend entry that a named area or a named body is like: its tag or kind is the name, or the name without
/// the number at its end, as in `coin 7`.
fn find_tile_kind_with_similar_name(map: &Map, brush: Brush, name: &str) -> Option<TileId> {
    let is_like = |id: TileId, word: &str| match brush {
        Brush::Area => area_of_brush(map, Brush::Kind(id)).is_some_and(|(area, _)| area.tag == word),
        Brush::Body => body_of_brush(map, Brush::Kind(id)).is_some_and(|body| body.kind == word),
        _ => false,
    };
    let base = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == ',').trim_end();
    let mut words = [name, base].into_iter().filter(|word| !word.is_empty());
    words.find_map(|word| (0..).map(TileId).take(map.kinds().len()).find(|id| is_like(*id, word)))
}

/// Returns the edits that remove the listed things of a brush at a cell.
pub(super) fn edits_to_remove_listed(map: &Map, tile: (i32, i32), brush: Brush) -> Vec<Edit> {
    let is_there = |position: Position| {
        let at = position.to_dvec2().floor();
        (at.x as i32, at.y as i32) == tile
    };
    let (area, body) = (area_of_brush(map, brush), body_of_brush(map, brush));
    if area.is_none() && body.is_none() {
        return Vec::new();
    }
    let parts = map.clone().into_parts();
    let areas = parts.areas.into_iter().filter(|own| {
        let is_of_brush = brush == Brush::Area || area.as_ref().is_some_and(|(area, _)| area.tag == own.tag);
        is_of_brush && own.attached_to == AttachedTo::World && own.position.as_ref().is_ok_and(|at| is_there(*at))
    });
    let bodies = parts.bodies.into_iter().filter(|own| {
        let is_of_brush = brush == Brush::Body || body.as_ref().is_some_and(|body| body.kind == own.thing.kind);
        is_of_brush && is_there(own.position)
    });
    let areas = areas.map(|area| {
        let properties = map.area_properties(&area.name).clone();
        Edit::Area { area: Box::new(area), properties, is_placed: false }
    });
    areas.chain(bodies.map(|body| Edit::Body { body: Box::new(body), is_placed: false })).collect()
}

/// Returns the area that a brush places, and its properties. An area on a platform has no name of its own.
fn area_of_brush(map: &Map, brush: Brush) -> Option<(Area, BTreeMap<String, Value>)> {
    let cell = || AreaShape::aabb(0.5, 0.5).ok();
    match brush {
        Brush::Area => Some((Area::new(cell()?), BTreeMap::new())),
        Brush::Kind(id) => {
            let thing =
                map.kind(id)?.things.area.as_ref().filter(|thing| thing.area.attached_to == AttachedTo::World)?;
            let shape = if thing.join { cell()? } else { thing.area.shape.clone() };
            Some((Area { shape, ..thing.area.clone() }, thing.properties.clone()))
        }
        _ => None,
    }
}

/// Returns the body that a brush places.
fn body_of_brush(map: &Map, brush: Brush) -> Option<Arc<BodyThing>> {
    match brush {
        Brush::Body => Some(Arc::new(BodyThing { kind: BODY_KIND.to_owned(), ..BodyThing::default() })),
        Brush::Kind(id) => map.kind(id)?.things.body.clone(),
        _ => None,
    }
}
