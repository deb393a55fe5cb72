//! Tests in one line that a level can be beaten.

use crate::{Answer, FoundRun, Goal, Nearest, Proof, Search, SearchError};
use std::path::Path;
use surefoot::map::CollisionLayers;
use surefoot::prelude::*;
use surefoot::{Map, World};
use thiserror::Error;

/// Error for a level that [`beatable`] cannot beat.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BeatableError {
    /// The map cannot be loaded.
    #[error(transparent)]
    Map(Box<dyn std::error::Error + Send + Sync>),
    /// The map has no body `hero` that is a character, and no marker for its start.
    #[error("the map has no marker {name:?}; expected a marker at which the hero starts")]
    NoStart {
        /// Name of the marker.
        name: String,
    },
    /// The map's bodies or the hero cannot be spawned.
    #[error(transparent)]
    Spawn(#[from] CommandError),
    /// The search failed.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The search found no run.
    #[error("no run to the goal was found: {0}")]
    NotFound(Box<Nearest>),
    /// No run can reach the goal.
    #[error("the goal is out of reach: {0}")]
    Unreachable(Proof),
}

/// Returns a run from the marker `start` of a map to the marker `goal`, for the test of a level.
///
/// The hero is that of [`spawn_hero`]. The search has the default [`Options`](crate::Options).
///
/// # Errors
/// Returns [`BeatableError`] if the map cannot be loaded, has no start or goal, or if no run was found.
pub fn beatable(path: impl AsRef<Path>) -> Result<FoundRun, BeatableError> {
    let map = Map::load(path).map_err(|error| BeatableError::Map(error.into()))?;
    let mut world = World::from_map(map, Settings::default());
    let hero = spawn_hero(&mut world, Character::default())?;
    match Search::new(&world, hero).goal(Goal::Marker("goal".to_owned())).run()? {
        Answer::Reachable(run) => Ok(run),
        Answer::NotFound(nearest) => Err(BeatableError::NotFound(Box::new(nearest))),
        Answer::Unreachable(proof) => Err(BeatableError::Unreachable(proof)),
    }
}

/// Returns the body that plays a map: the map's body `hero` if it is a character, or else a new body at the marker
/// `start`, 0.7 tiles wide and 0.9 tiles high, with that character. See [`spawn_hero_at`].
///
/// # Errors
/// Returns [`BeatableError::NoStart`] if the map has neither, and [`BeatableError::Spawn`] if the body cannot be
/// spawned.
pub fn spawn_hero(world: &mut World, character: Character) -> Result<BodyId, BeatableError> {
    if let Some(hero) = world.find_body("hero").filter(|&hero| world[hero].character().is_some()) {
        return Ok(hero);
    }
    spawn_hero_at(world, "start", Shape::aabb(0.35, 0.45), character)
}

/// Spawns a character that collides with all bodies, on the floor below a marker. Without a floor, it starts at the
/// marker and falls.
///
/// # Errors
/// Returns [`BeatableError::NoStart`] if the map has no such marker, and [`BeatableError::Spawn`] if the body cannot be
/// spawned.
pub fn spawn_hero_at(
    world: &mut World,
    start: &str,
    shape: Shape,
    character: Character,
) -> Result<BodyId, BeatableError> {
    let marker = world.map().marker(start).ok_or_else(|| BeatableError::NoStart { name: start.to_owned() })?;
    let at = Mover::new(world.terrain()).stand_on_floor(shape, marker).unwrap_or(marker);
    Ok(world.spawn(Body::new(shape).at(at).character(character).collision_mask(CollisionLayers::ALL))?)
}
