//! Plays a script of inputs through the game.

use crate::race::Race;
use std::error::Error;
use surefoot::Map;
use surefoot::prelude::*;
use surefoot::replay::Script;

/// Returns the game after the script, recorded.
pub(crate) fn play_script(map: Map, script: &str) -> Result<Race, Box<dyn Error>> {
    let mut race = Race::new(map, None)?;
    let mut player = Script::parse(script)?.player();
    while let Some(input) = player.next_input(race.run.world(), race.run.game().hero)? {
        race.advance(&Inputs::from(input))?;
    }
    Ok(race)
}
