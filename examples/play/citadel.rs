//! The game `citadel` with its files on the disk.

use crate::shown::start_against_best_run;
use std::error::Error;
use std::path::{Path, PathBuf};
use surefoot::Map;
use surefoot::prelude::*;
use surefoot_play::Rules;

/// Returns the file of the map, in the working directory or in the clone from which the program was built.
pub(crate) fn map_file() -> PathBuf {
    let here = PathBuf::from("examples/citadel/map.ron");
    if here.exists() { here } else { Path::new(env!("CARGO_MANIFEST_DIR")).join("citadel/map.ron") }
}

/// Starts the game on a map, against the run in its folder.
pub(crate) fn start(map: &Path) -> Result<Box<dyn Rules>, Box<dyn Error>> {
    let best = Recording::<Inputs>::load(map.with_file_name("best.recording"))?;
    start_against_best_run(Map::load(map)?, best)
}
