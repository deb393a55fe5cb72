//! `surefoot draw`: maps and replays as pictures.

use super::Done;
use super::picture::Target;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use surefoot::prelude::{Map, Terrain};
use surefoot::replay::Player;
use surefoot_draw::{MapStyle, Run, RunStyle, Svg, draw_map, draw_run};

/// Draw a map with its exposed edges and normals, or a replay with the path of each body and its contacts
///
/// A file whose name ends in .replay.ron is a replay, any other a map.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A map or a replay file
    #[arg(value_name = "MAP_OR_REPLAY")]
    file: PathBuf,
    /// The picture; its name ends in .svg or .png
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Leave the normals of the map's edges out
    #[arg(long)]
    no_normals: bool,
}

/// Pixels of a PNG for one of the picture: 64 for a tile.
const SCALE: f64 = 2.0;

pub(crate) fn run(arguments: &Arguments) -> Done {
    let target = Target::new(&arguments.output)?;
    let style = MapStyle { normals: !arguments.no_normals, ..MapStyle::default() };
    let svg = if is_replay(&arguments.file) { replay(&arguments.file, style)? } else { map(&arguments.file, style)? };
    target.write(&svg, SCALE)?;
    Ok(ExitCode::SUCCESS)
}

fn is_replay(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".replay.ron"))
}

fn map(file: &Path, style: MapStyle) -> Result<Svg, Box<dyn Error>> {
    let map = Map::load(file)?;
    Ok(draw_map(&map, &Terrain::bake(&map), &style))
}

fn replay(file: &Path, map: MapStyle) -> Result<Svg, Box<dyn Error>> {
    let mut player = Player::load(file)?;
    let mut run = Run::new();
    observe(&mut run, &player);
    while player.step().is_some() {
        observe(&mut run, &player);
    }
    let world = player.world();
    Ok(draw_run(world.map(), world.terrain(), &run, &RunStyle { map, ..RunStyle::default() }))
}

/// Takes a tick down, with the names of bodies, which may come in any tick.
fn observe(run: &mut Run, player: &Player) {
    run.observe(player.world());
    player.names().for_each(|(body, name)| run.name(body, name));
}
