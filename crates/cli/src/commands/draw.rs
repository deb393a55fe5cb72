//! `surefoot draw`: draws maps and replays.

use super::Done;
use super::import::LevelOptions;
use super::picture::{Target, has_extension};
use super::range::{Corners, TickRange};
use super::record::parse_shape;
use crate::progress::Bar;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use surefoot::Map;
use surefoot::prelude::{Character, Shape, Terrain};
use surefoot::record::{Playback, RecordingFile};
use surefoot_draw::{Jumper, MapStyle, Region, Run, RunStyle, Svg, draw_map, draw_reach, draw_run};

/// Draw a map with its exposed edges and normals, or a replay with the path of each body and its contacts
///
/// A file whose name ends in .replay.ron is a replay. A recording or a saved game of a game is drawn as a replay. Every
/// other file is a map. A replay runs on its map as it is now. If the replay has positions, each body that is now
/// elsewhere also has an outline at the recorded position. Platforms are drawn where they are after the last tick, with
/// a faint outline at their start, their paths, and a band along their motion.
///
/// If the tool was built with the feature png, an output name that ends in .gif makes an animation of a replay, in
/// real time, with up to 30 frames per second. The last frame stays for a second.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A map, a replay, a recording or a saved game
    #[arg(value_name = "MAP_OR_REPLAY")]
    file: PathBuf,
    /// The picture: .svg, or .png or .gif if the tool was built with the feature png
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    level: LevelOptions,
    /// Leave out the normals of the map's edges
    #[arg(long)]
    no_normals: bool,
    /// Draw a map with the pieces of the picture that its property `art` names; needs the feature png
    #[arg(long, conflicts_with_all = ["reach", "ticks", "no_normals"])]
    art: bool,
    /// Draw only these tiles, from the lower left to the upper right tile, at the same scale
    #[arg(long, value_name = "X0,Y0..X1,Y1", allow_hyphen_values = true)]
    region: Option<Corners>,
    /// Draw only the paths of these ticks of a replay; the first tick is 1
    #[arg(long, value_name = "A..B")]
    ticks: Option<TickRange>,
    /// Pixels along one side of a tile, 2 to 256; default 32 in an SVG or a GIF, 64 in a PNG
    ///
    /// Below 12, the picture leaves out what would be too small to see: the grid, normals, contacts and the outlines
    /// of bodies along their paths.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=256))]
    tile_pixels: Option<u32>,
    /// Also draw how far a character jumps off both ends of each floor of a map
    ///
    /// The character jumps at full speed away from the floor. The picture shows the path of its centre up to the
    /// first hit, and shades the area that its shape covers. Platforms count where they start, as if they did not
    /// move. With a replay, the first character jumps, with its map and settings.
    #[arg(long)]
    reach: bool,
    /// The character of a replay that jumps, by its name
    #[arg(long, value_name = "NAME", requires = "reach")]
    body: Option<String>,
    /// Another character that jumps: default, precise, floaty, heavy or classic; for a map the default is default
    #[arg(long, value_name = "NAME", value_parser = preset_of_name, requires = "reach")]
    character: Option<Character>,
    /// The character's shape in tiles: box:0.35x0.45 (half width and half height) or circle:0.35 (radius); for a map
    /// the default is the box
    #[arg(long, value_name = "SHAPE", value_parser = parse_shape, requires = "reach")]
    shape: Option<Shape>,
}

/// Returns the preset of that name.
pub(super) fn preset_of_name(name: &str) -> Result<Character, &'static str> {
    match name {
        "default" => Ok(Character::default()),
        "precise" => Ok(Character::precise()),
        "floaty" => Ok(Character::floaty()),
        "heavy" => Ok(Character::heavy()),
        "classic" => Ok(Character::classic()),
        _ => Err("expected default, precise, floaty, heavy or classic"),
    }
}

/// Pixels of a PNG for one pixel of the picture, which gives 64 pixels per tile.
pub(super) const SCALE: f64 = 2.0;

/// Minimum pixels per tile at which details are drawn.
const DETAIL: u32 = 12;

pub(crate) fn run(arguments: &Arguments) -> Done {
    if has_extension(&arguments.output, "gif") {
        animation::write_gif(arguments)?;
        return Ok(ExitCode::SUCCESS);
    }
    let target = Target::new(&arguments.output)?;
    if arguments.art && is_run_file(&arguments.file) {
        let file = arguments.file.display();
        return Err(format!("{file}: --art draws maps; expected a map instead of a replay").into());
    }
    let svg = if is_run_file(&arguments.file) && arguments.reach {
        draw_reach_of_replay(arguments)?
    } else if is_run_file(&arguments.file) {
        draw_replay(arguments)?
    } else if arguments.body.is_some() {
        let file = arguments.file.display();
        return Err(format!(
            "{file}: --body needs a replay, a recording or a saved game; expected one instead of a map"
        )
        .into());
    } else if arguments.ticks.is_some() {
        let file = arguments.file.display();
        return Err(format!("{file}: --ticks needs a replay or a recording; expected one instead of a map").into());
    } else {
        draw_map_file(arguments)?
    };
    target.write(&svg, if arguments.tile_pixels.is_some() { 1.0 } else { SCALE })?;
    Ok(ExitCode::SUCCESS)
}

/// Returns whether a file is a run: a replay, a recording or a saved game.
fn is_run_file(file: &Path) -> bool {
    let is_named_so = file.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".replay.ron"));
    is_named_so || RecordingFile::is_at(file)
}

fn run_style_from_arguments(arguments: &Arguments, map: &Map) -> Result<RunStyle, Box<dyn Error>> {
    let region = arguments.region.map(|Corners { low, high }| Region::new(map, low, high));
    let region = region.transpose().map_err(|error| format!("{}: {error}", arguments.file.display()))?;
    let style = RunStyle::default();
    let map = MapStyle { normals: !arguments.no_normals, region, ..style.map };
    Ok(match arguments.tile_pixels {
        None => RunStyle { map, ..style },
        Some(tile) if tile >= DETAIL => RunStyle { map: MapStyle { tile, ..map }, ..style },
        Some(tile) => {
            let map = MapStyle { tile, grid: false, normals: false, margin: 0.0, ..map };
            RunStyle { map, outline_every: 0, contacts: false }
        }
    })
}

fn draw_map_file(arguments: &Arguments) -> Result<Svg, Box<dyn Error>> {
    let _bar = Bar::of_unknown_length("drawing");
    let map = arguments.level.load_map(&arguments.file)?;
    let style = run_style_from_arguments(arguments, &map)?.map;
    let terrain = Terrain::bake(&map);
    if arguments.art {
        return with_art::draw_with_art(&arguments.file, &map, &terrain, &style);
    }
    if arguments.reach {
        return Ok(draw_reach(&map, &terrain, &jumper_with_arguments(arguments, Jumper::default()), &style));
    }
    Ok(draw_map(&map, &terrain, &style))
}

/// Returns the jumper with the changes from the arguments.
fn jumper_with_arguments(arguments: &Arguments, default: Jumper) -> Jumper {
    let (character, shape) =
        (arguments.character.unwrap_or(default.character), arguments.shape.unwrap_or(default.shape));
    Jumper { character, shape, ..default }
}

/// Draws the reach of a character of a replay, on the map at the tick in which the character appears.
fn draw_reach_of_replay(arguments: &Arguments) -> Result<Svg, Box<dyn Error>> {
    let file = arguments.file.display();
    if arguments.ticks.is_some() {
        return Err(format!("{file}: --ticks cannot be used with --reach, which does not draw a run").into());
    }
    let mut player = Playback::load(&arguments.file)?;
    let style = run_style_from_arguments(arguments, player.world().map())?.map;
    let found = loop {
        let world = player.world();
        let is_asked = |name: &str| arguments.body.as_deref().is_none_or(|asked| asked == name);
        let found = player.names().filter(|(_, name)| is_asked(name)).find_map(|(body, _)| {
            let state = world.get(body)?;
            Some(Jumper { character: *state.character()?, shape: state.shape(), settings: world.settings() })
        });
        if found.is_some() || player.step().is_none() {
            break found;
        }
    };
    let found = found.ok_or_else(|| match &arguments.body {
        Some(name) => format!("{file}: the replay has no character {name:?}"),
        None => format!("{file}: the replay has no character"),
    })?;
    let world = player.world();
    Ok(draw_reach(world.map(), world.terrain(), &jumper_with_arguments(arguments, found), &style))
}

fn draw_replay(arguments: &Arguments) -> Result<Svg, Box<dyn Error>> {
    let mut player = Playback::load(&arguments.file)?;
    let style = run_style_from_arguments(arguments, player.world().map())?;
    let ticks = TickRange::checked_or_whole_run(arguments.ticks, player.recording(), &arguments.file)?;
    let mut run = Run::new();
    let mut astray = Vec::new();
    let bar = Bar::of_ticks(ticks.last - player.world().tick(), "replaying");
    loop {
        let tick = player.world().tick();
        if tick >= ticks.first {
            run.observe(player.world());
        } else if tick + 1 == ticks.first {
            run.begin(player.world());
        }
        // Bodies, and their names, may appear in any tick.
        player.names().for_each(|(body, name)| run.name(body, name));
        if tick >= ticks.last || player.step().is_none() {
            break;
        }
        if astray.is_empty() {
            astray.extend_from_slice(player.mismatches());
        }
        bar.advance_by_tick();
    }
    drop(bar);
    let _bar = Bar::of_unknown_length("drawing");
    let world = player.world();
    for body in &astray {
        eprintln!("{}: {body}", arguments.file.display());
        if let Some(state) = world.get(body.body) {
            run.expect(state.shape(), body.expected);
        }
    }
    Ok(draw_run(world.map(), world.terrain(), &run, &style))
}

#[cfg(not(feature = "png"))]
mod with_art {
    use super::{Error, Map, MapStyle, Path, Svg, Terrain};

    pub(super) fn draw_with_art(file: &Path, _: &Map, _: &Terrain, _: &MapStyle) -> Result<Svg, Box<dyn Error>> {
        let file = file.display();
        Err(format!("{file}: this tool was built without pictures of tiles; build it with `--features png`").into())
    }
}

#[cfg(feature = "png")]
mod with_art {
    use super::{Error, Map, MapStyle, Path, Svg, Terrain};
    use surefoot_draw::{Art, draw_map_art};

    pub(super) fn draw_with_art(
        file: &Path,
        map: &Map,
        terrain: &Terrain,
        style: &MapStyle,
    ) -> Result<Svg, Box<dyn Error>> {
        let name = file.display();
        let art = Art::load(file, map)?;
        let art = art.ok_or_else(|| format!("{name}: the map has no art; expected the property `art`"))?;
        Ok(draw_map_art(map, terrain, &art, style).map_err(|error| format!("{name}: {error}"))?)
    }
}

#[cfg(not(feature = "png"))]
mod animation {
    use super::{Arguments, Error};

    pub(super) fn write_gif(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
        let path = arguments.output.display();
        Err(format!("{path}: this tool was built without GIF; build it with `--features png`, or draw an SVG").into())
    }
}

#[cfg(feature = "png")]
mod animation {
    use super::{Arguments, Bar, Error, MapStyle, Playback, TickRange, is_run_file, run_style_from_arguments};
    use surefoot::io::write_atomic;
    use surefoot_draw::{Gif, draw_world};

    /// Minimum duration of a frame in seconds.
    const FRAME: f64 = 1.0 / 30.0;
    /// Duration of the last frame in hundredths of a second.
    const LAST_FRAME_DELAY: u16 = 100;

    pub(super) fn write_gif(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
        let (file, output) = (arguments.file.display(), arguments.output.display());
        if !is_run_file(&arguments.file) {
            return Err(
                format!("{file}: an animation needs a replay or a recording; expected one instead of a map").into()
            );
        }
        if arguments.reach {
            return Err(format!(
                "{output}: --reach cannot be animated; expected a file name that ends in .svg or .png"
            )
            .into());
        }
        let mut player = Playback::load(&arguments.file)?;
        let style = MapStyle { normals: false, ..run_style_from_arguments(arguments, player.world().map())?.map };
        let ticks = TickRange::checked_or_whole_run(arguments.ticks, player.recording(), &arguments.file)?;
        let tick = player.world().settings().tick;
        // With 60 ticks per second, `FRAME / tick` is 2 up to a rounding error, so round it.
        let every = ((FRAME / tick).round() as u64).max(1);
        let hundredths = |ticks: u64| (ticks as f64 * tick * 100.0).round() as u64;
        let mut gif = Gif::new(1.0);
        let bar = Bar::of_ticks(ticks.last - player.world().tick(), "replaying");
        loop {
            let now = player.world().tick();
            let (since, is_last) = (now.saturating_sub(ticks.first), now >= ticks.last);
            if now >= ticks.first && (since.is_multiple_of(every) || is_last) {
                let until = hundredths(since + every) - hundredths(since);
                let delay = if is_last { LAST_FRAME_DELAY } else { u16::try_from(until).unwrap_or(u16::MAX) };
                gif.push(&draw_world(player.world(), &style), delay).map_err(|error| format!("{output}: {error}"))?;
            }
            if is_last || player.step().is_none() {
                break;
            }
            bar.advance_by_tick();
        }
        drop(bar);
        let _bar = Bar::of_unknown_length("encoding");
        let bytes = gif.finish().map_err(|error| format!("{output}: {error}"))?;
        Ok(write_atomic(&arguments.output, &bytes)?)
    }
}
