//! The game `citadel` with its files in the program.

use crate::shown::start_beside;
use std::error::Error;
use std::path::Path;
use surefoot::Map;
use surefoot::prelude::*;
use surefoot_play::Rules;

/// Name of the map, and its text.
pub(crate) const MAP: &str = "citadel.ron";
pub(crate) const MAP_TEXT: &str = include_str!("../citadel/map.ron");

/// Starts the game on its map.
pub(crate) fn start(_map: &Path) -> Result<Box<dyn Rules>, Box<dyn Error>> {
    let best = Recording::<Inputs>::from_ron(include_str!("../citadel/best.recording"))?;
    start_beside(Map::from_ron(MAP_TEXT)?, best)
}
