//! Checks the areas of a map, so that every world on the map can create them.

use super::{Map, MapAreaError, check_mask};
use crate::area::{Area, AreaError, AttachedTo};
use crate::platform::Platform;
use std::collections::BTreeSet;

/// Refuses areas that are invalid in a map with those platforms and collision layers.
pub(super) fn check(areas: &[Area], platforms: &[Platform], layers: &[String]) -> Result<(), MapAreaError> {
    check_count(areas.len())?;
    let mut names = BTreeSet::new();
    for area in areas {
        let name = || area.name.clone();
        if !area.name.is_empty() && !names.insert(&area.name) {
            return Err(MapAreaError::Duplicate { name: name() });
        }
        let refused = |error| MapAreaError::Refused { name: name(), error };
        area.check().map_err(refused)?;
        check_mask(area.collision_mask, layers.len()).map_err(|error| refused(error.into()))?;
        check_carrier(&area.attached_to, |name| platforms.iter().any(|platform| platform.name == name))
            .map_err(refused)?;
    }
    Ok(())
}

/// Refuses more areas than a map may have.
pub(super) fn check_count(count: usize) -> Result<(), MapAreaError> {
    if count > Map::MAX_AREAS { Err(MapAreaError::TooMany { count, limit: Map::MAX_AREAS }) } else { Ok(()) }
}

/// Refuses an invalid carrier of an area, given the names of the platforms.
pub(super) fn check_carrier(on: &AttachedTo, is_platform: impl Fn(&str) -> bool) -> Result<(), AreaError> {
    match on {
        AttachedTo::World => Ok(()),
        AttachedTo::Named(name) if !name.is_empty() && is_platform(name) => Ok(()),
        AttachedTo::Named(name) => Err(AreaError::NoSuchPlatform { name: name.clone() }),
        // Bodies and platforms of a map have no ids yet.
        on => Err(AreaError::NotInWorld { attached_to: on.clone() }),
    }
}
