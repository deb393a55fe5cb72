//! The hero of a search.

use super::Hero;
use crate::commands::draw::preset_of_name;
use std::error::Error;
use std::path::Path;
use surefoot::io::{MAX_FILE_SIZE, read_text};
use surefoot::prelude::*;
use surefoot::{Map, World};
use surefoot_search::{BeatableError, spawn_hero_at};

/// Name of the hero in maps and replays.
pub(super) const NAME: &str = "hero";

/// Creates a world with the bodies of a map and its hero.
pub(super) fn spawn_hero(arguments: &Hero, map: Map, file: &Path) -> Result<(World, BodyId), Box<dyn Error>> {
    let file = file.display();
    let mut world = World::from_map(map, Settings::default());
    if let Some(hero) = world.find_body(NAME).filter(|hero| world[*hero].character().is_some()) {
        if arguments.start.is_some() || arguments.character.is_some() || arguments.hero.is_some() {
            return Err(format!(
                "{file}: the map has a body {NAME:?} of its own; leave out --start, --character and --hero"
            )
            .into());
        }
        return Ok((world, hero));
    }
    let start = arguments.start.as_deref().unwrap_or("start");
    let shape = arguments.hero.unwrap_or(Shape::aabb(0.35, 0.45));
    let character = arguments.character.as_deref().map_or(Ok(Character::default()), load_character)?;
    let hero = spawn_hero_at(&mut world, start, shape, character).map_err(|error| match error {
        BeatableError::NoStart { .. } => format!("{file}: the map has no marker {start:?}; see --start"),
        error => format!("{file}: the hero cannot start at {start:?}: {error}"),
    })?;
    Ok((world, hero))
}

/// Returns a preset, or the character of a file.
fn load_character(name: &str) -> Result<Character, Box<dyn Error>> {
    if let Ok(character) = preset_of_name(name) {
        return Ok(character);
    }
    let text = read_text(name, MAX_FILE_SIZE)?;
    let character: Character = ron::from_str(&text).map_err(|error| format!("{name}:{error}"))?;
    character.check().map_err(|error| format!("{name}: {error}"))?;
    Ok(character)
}
