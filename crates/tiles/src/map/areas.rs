//! Checks the areas of a map, so that every world on the map can create them.

use super::things::AreaCounts;
use super::{Map, MapAreaError, MapParts, check_mask, things};
use crate::area::{Area, AreaError, AreaShape, AttachedTo};
use std::collections::BTreeSet;
use surefoot_geometry::Position;

/// Refuses areas of a map that are invalid, whether it lists them or its tile kinds place them. Returns how many areas
/// the cells place.
pub(super) fn check_areas(parts: &MapParts) -> Result<usize, MapAreaError> {
    let MapParts { areas, layers, kinds, .. } = parts;
    let placed = things::count_placed_areas(layers, kinds);
    check_area_count(areas.len(), placed)?;
    let platforms: BTreeSet<&str> = parts.platforms.iter().map(|platform| &platform.name[..]).collect();
    let check = |name: &str, area: &Area| {
        let refused = |error| MapAreaError::Refused { name: name.to_owned(), error };
        area.check().map_err(refused)?;
        check_mask(area.collision_mask, parts.collision_layers.len()).map_err(|error| refused(error.into()))?;
        check_carrier(&area.attached_to, |name| platforms.contains(name)).map_err(refused)
    };
    let mut names = BTreeSet::new();
    for area in areas {
        if !area.name.is_empty() && (!names.insert(&area.name) || things::places_named_area(layers, kinds, &area.name))
        {
            return Err(MapAreaError::Duplicate { name: area.name.clone() });
        }
        check(&area.name, area)?;
    }
    let mut things = kinds.iter().filter_map(|kind| kind.things.area.as_ref());
    things.try_for_each(|thing| check(&thing.area.tag, &thing.area))?;
    Ok(placed.areas)
}

/// Removes names, positions and shapes of areas that tile kinds place, where the map sets them for each cell.
pub(super) fn clear_ignored_area_fields(parts: &mut MapParts) {
    for thing in parts.kinds.iter_mut().filter_map(|kind| kind.things.area.as_mut()) {
        thing.area.name.clear();
        thing.area.position = Ok(Position::ORIGIN);
        if thing.join
            && let Ok(cell) = AreaShape::aabb(0.5, 0.5)
        {
            thing.area.shape = cell;
        }
    }
}

/// Refuses more areas than a map may have, in its list or in all, and more boxes of joined areas.
pub(super) fn check_area_count(listed: usize, placed: AreaCounts) -> Result<(), MapAreaError> {
    let refuse = |count, limit| if count > limit { Err(MapAreaError::TooMany { count, limit }) } else { Ok(()) };
    refuse(listed, Map::MAX_LISTED_AREAS)?;
    refuse(listed + placed.areas, Map::MAX_AREAS)?;
    let (count, limit) = (placed.boxes, Map::MAX_JOINED_BOXES);
    if count > limit { Err(MapAreaError::TooManyBoxes { count, limit }) } else { Ok(()) }
}

/// Refuses an invalid carrier of an area, given the names of the platforms.
pub(super) fn check_carrier(on: &AttachedTo, is_platform: impl Fn(&str) -> bool) -> Result<(), AreaError> {
    match on {
        AttachedTo::World => Ok(()),
        AttachedTo::Named(name) if !name.is_empty() && is_platform(name) => Ok(()),
        AttachedTo::Named(name) => Err(AreaError::NoSuchPlatform { name: name.clone() }),
        // Ids of bodies and platforms exist only in a world. So an area of a map cannot be attached by an id.
        on => Err(AreaError::NotInWorld { attached_to: on.clone() }),
    }
}
