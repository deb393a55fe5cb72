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
    /// Pixels along one side of a tile, 2 to 256, in place of 32 in an SVG and 64 in a PNG
    ///
    /// With less than 12, for large levels from afar, what would be too small to see is left out: the grid, normals,
    /// contacts and outlines of bodies on their way.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=256))]
    tile_pixels: Option<u32>,
}

/// Pixels of a PNG for one of the picture: 64 for a tile.
const SCALE: f64 = 2.0;

/// With fewer pixels to a tile only the large things are drawn.
const DETAIL: u32 = 12;

pub(crate) fn run(arguments: &Arguments) -> Done {
    let target = Target::new(&arguments.output)?;
    let style = style(arguments);
    let file = &arguments.file;
    let svg = if is_replay(file) { replay(file, style)? } else { map(file, style.map)? };
    target.write(&svg, if arguments.tile_pixels.is_some() { 1.0 } else { SCALE })?;
    Ok(ExitCode::SUCCESS)
}

fn style(arguments: &Arguments) -> RunStyle {
    let style = RunStyle::default();
    let map = MapStyle { normals: !arguments.no_normals, ..style.map };
    match arguments.tile_pixels {
        None => RunStyle { map, ..style },
        Some(tile) if tile >= DETAIL => RunStyle { map: MapStyle { tile, ..map }, ..style },
        Some(tile) => {
            let map = MapStyle { tile, grid: false, normals: false, margin: 0.0, ..map };
            RunStyle { map, outline_every: 0, contacts: false }
        }
    }
}

fn is_replay(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".replay.ron"))
}

fn map(file: &Path, style: MapStyle) -> Result<Svg, Box<dyn Error>> {
    let map = Map::load(file)?;
    Ok(draw_map(&map, &Terrain::bake(&map), &style))
}

fn replay(file: &Path, style: RunStyle) -> Result<Svg, Box<dyn Error>> {
    let mut player = Player::load(file)?;
    let mut run = Run::new();
    observe(&mut run, &player);
    while player.step().is_some() {
        observe(&mut run, &player);
    }
    let world = player.world();
    Ok(draw_run(world.map(), world.terrain(), &run, &style))
}

/// Takes a tick down, with the names of bodies, which may come in any tick.
fn observe(run: &mut Run, player: &Player) {
    run.observe(player.world());
    player.names().for_each(|(body, name)| run.name(body, name));
}
