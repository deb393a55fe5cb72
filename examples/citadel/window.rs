//! The citadel in a window of its own. R starts again, Backspace goes back in time, Escape ends.

use crate::file;
use crate::race::Race;
use macroquad::prelude::*;
use std::error::Error;
use std::sync::Arc;
use surefoot::Map;
use surefoot::prelude::*;
use surefoot_macroquad::{Controls, Stage, window_conf};

/// Opens the window, and plays until it is closed.
pub(crate) fn open(map: Map) {
    macroquad::Window::from_config(window_conf("Citadel"), async { play(map).await.expect("the game runs") });
}

async fn play(map: Map) -> Result<(), Box<dyn Error>> {
    let best = Recording::<Inputs>::load(file("best.recording"))?;
    let mut race = Race::new(map, Some(Arc::new(best)))?;
    let (mut controls, mut stage) = (Controls::new(), Stage::new(race.run.world()));
    while !is_key_pressed(KeyCode::Escape) {
        controls.read();
        for _ in 0..stage.ticks() {
            race.advance(&Inputs::from(controls.next_input()))?;
            stage.observe(race.run.world());
        }
        if is_key_pressed(KeyCode::R) {
            race.restart()?;
        }
        if is_key_pressed(KeyCode::Backspace) {
            race.rewind(race.run.rewind_ticks().min(180))?; // up to three seconds
        }
        let (world, game) = (race.run.world(), race.run.game());
        stage.follow(world, game.hero);
        stage.draw_behind(world);
        if let Some([_, ghost]) = race.ghost_positions() {
            let (at, half) = (ghost.to_vec2(), world[game.hero].shape().half_extents().as_vec2());
            stage.use_tiles();
            draw_rectangle(at.x - half.x, at.y - half.y, 2.0 * half.x, 2.0 * half.y, Color::new(1.0, 1.0, 1.0, 0.3));
        }
        stage.draw_before(world);
        controls.draw();
        draw_text(race.status(), 10.0, 24.0, 24.0, WHITE);
        next_frame().await;
    }
    Ok(())
}
