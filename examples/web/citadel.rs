//! The game `citadel` with its files in the program.

use crate::script::play_script;
use crate::shown::start_against_best_run;
use std::error::Error;
use std::path::Path;
use surefoot::Map;
use surefoot_play::Rules;

/// Name of the map, and its text.
pub(crate) const MAP: &str = "citadel.ron";
pub(crate) const MAP_TEXT: &str = include_str!("../citadel/map.ron");

/// Starts the game on its map.
pub(crate) fn start(_map: &Path) -> Result<Box<dyn Rules>, Box<dyn Error>> {
    let map = Map::from_ron(MAP_TEXT)?;
    // The script is much shorter than the recording, and the page needs no reader of recordings.
    let best = play_script(map.clone(), include_str!("../citadel/best.input"))?.run.recording()?.clone();
    start_against_best_run(map, best)
}
