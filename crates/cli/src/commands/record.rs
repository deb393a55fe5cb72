//! `surefoot record`: records a replay from a script of inputs.

use super::import::{LevelOptions, is_editor_file};
use super::{Done, exit_code_of_output};
use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use surefoot::io::{MAX_FILE_SIZE, read_text};
use surefoot::prelude::*;
use surefoot::record::RecordOptions;
use surefoot::replay::{ReplayRecorder, Script, ScriptError, ScriptExpectation, VerifyError};
use surefoot::{Map, World};

/// Record a replay of a map from a script of inputs
///
/// A line of the script is a number of ticks and the buttons held for these ticks: left, right, jump, down, up
/// and dash. `left:64` is about half speed. `repeat N` ... `end` repeats the lines in between N times.
/// `90 right until x > 70` holds right until the hero is beyond x = 70, for at most 90 ticks; `until floor` waits.
/// `at MARKER` expects the hero within a tile of a marker. `expect hero at goal before 1300` adds an
/// expectation to the replay. # begins a comment:
///
///     # run up to the wall
///     60 right
///     12 right jump
///     20
///     at goal
///
/// The hero is a character that stands on the floor below a marker. If the hero is not where the script expects
/// it, nothing is written.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// A map file, or a level of Tiled or LDtk, which is copied into the replay
    map: PathBuf,
    #[command(flatten)]
    level: LevelOptions,
    /// The script of inputs
    #[arg(short, long, value_name = "SCRIPT")]
    input: PathBuf,
    /// The replay; without --inline, the map must be in the replay's folder or below
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
    /// Copy the map into the replay instead of naming its file
    #[arg(long)]
    inline: bool,
    /// The hero's shape in tiles: box:0.35x0.45 (half width and half height) or circle:0.35 (radius)
    #[arg(long, value_name = "SHAPE", default_value = "box:0.35x0.45", value_parser = parse_shape)]
    hero: Shape,
    /// The marker at which the hero starts
    #[arg(long, value_name = "MARKER", default_value = "start")]
    start: String,
    /// The marker to reach; default is `goal`, if the map has it
    #[arg(long, value_name = "MARKER")]
    goal: Option<String>,
    /// The hero's walk speed, in tiles per second, at least 0
    #[arg(long, value_name = "SPEED", default_value_t = Character::default().walk_speed,
        value_parser = parse_walk_speed, allow_negative_numbers = true)]
    walk_speed: f64,
    /// The hero's jump height in tiles, at least 0
    #[arg(long, value_name = "TILES", default_value_t = Character::default().jump_height,
        value_parser = parse_jump_height, allow_negative_numbers = true)]
    jump_height: f64,
    /// Gravity downwards, in tiles per second squared; a negative number pulls upwards
    #[arg(long, value_name = "PULL", default_value_t = -Settings::default().gravity.y,
        value_parser = parse_gravity, allow_negative_numbers = true)]
    gravity: f64,
    /// The length of a tick in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = Settings::default().tick,
        value_parser = parse_tick, allow_negative_numbers = true)]
    tick: f64,
    /// Ticks from one checksum to the next; 0 takes one at the end only
    #[arg(long, value_name = "TICKS", default_value_t = 60)]
    every: u32,
    /// Record the hero's position with each checksum, so that a run that differs can show where the hero should be
    #[arg(long)]
    positions: bool,
}

/// The hero's name in the replay.
const HERO_NAME: &str = "hero";

pub(crate) fn run(arguments: &Arguments) -> Done {
    let output = &arguments.output;
    if !arguments.force && output.try_exists().unwrap_or(true) {
        return Err(format!("{}: the file exists already; --force overwrites it", output.display()).into());
    }
    let map = arguments.level.load_map(&arguments.map)?;
    if (arguments.inline || is_editor_file(&arguments.map)) && map.catalogue_file().is_some() {
        let map = arguments.map.display();
        return Err(
            format!("{map}: a map with its own catalogue cannot be copied into a replay; leave out --inline").into()
        );
    }
    let text = read_text(&arguments.input, MAX_FILE_SIZE)?;
    let in_file = |error: ScriptError| error.in_file(arguments.input.display().to_string());
    let script = Script::parse(&text).map_err(in_file)?;
    if script.ticks() == 0 {
        return Err(format!(
            "{}: the script has no ticks; expected lines such as `60 right`",
            arguments.input.display()
        )
        .into());
    }
    let source = if arguments.inline { MapSource::Inline } else { map_source(&arguments.map, output)? };
    let settings = Settings::default().tick(arguments.tick).gravity((0.0, -arguments.gravity));

    let mut recording = Recording::new(map, settings, arguments, source)?;
    script.check_markers(recording.world.map()).map_err(in_file)?;
    let mut player = script.player();
    while let Some(input) = player.next_input(&recording.world, recording.hero).map_err(in_file)? {
        recording.world.set_input(recording.hero, input);
        recording.step_and_record()?;
    }
    let (end, reached) = (recording.hero_position()?, recording.reached);
    let mut replay = recording.recorder.finish_replay(&recording.world)?;
    let lines = player.script().expectations();
    let at = |line: &ScriptExpectation, told: &dyn Display| {
        format!("{}:{}:{}: {told}", arguments.input.display(), line.line, line.column)
    };
    for (i, line) in lines.iter().enumerate() {
        let so_far = lines[..=i].iter().map(|line| line.text.as_str());
        replay = replay.with_expectations(so_far).map_err(|error| at(line, &error))?;
    }
    if let Err(VerifyError::Unmet { unmet, .. }) = replay.verify()
        && let Some(line) = lines.iter().find(|line| line.text == unmet.expectation)
    {
        return Err(at(line, &unmet).into());
    }
    replay.save(output)?;
    let goal = match reached {
        Some(tick) => format!("{} reached at tick {tick}", arguments.goal_name()),
        None => format!("{} not reached", arguments.goal_name()),
    };
    let line = format!("{}: {} ticks, {goal}, the hero ends at {end}", output.display(), replay.ticks());
    exit_code_of_output(writeln!(io::stdout().lock(), "{line}"), ExitCode::SUCCESS)
}

impl Arguments {
    /// Returns the name of the goal marker.
    fn goal_name(&self) -> &str {
        self.goal.as_deref().unwrap_or("goal")
    }
}

/// A world with a hero, and the recorder of its run.
struct Recording {
    world: World,
    hero: BodyId,
    recorder: ReplayRecorder,
    goals: Vec<Position>,
    reached: Option<u64>,
}

impl Recording {
    fn new(
        map: Map,
        settings: Settings,
        arguments: &Arguments,
        source: MapSource,
    ) -> Result<Recording, Box<dyn Error>> {
        let Arguments { map: file, hero: shape, start, walk_speed, jump_height, every, positions, .. } = arguments;
        let file = file.display();
        let position =
            map.marker(start).ok_or_else(|| format!("{file}: the map has no marker {start:?}; see --start"))?;
        let goals: Vec<Position> = map.markers(arguments.goal_name()).collect();
        if let Some(goal) = arguments.goal.as_ref().filter(|_| goals.is_empty()) {
            return Err(format!("{file}: the map has no marker {goal:?}; see --goal").into());
        }
        let mut world = World::new(map, settings);
        shape.check()?;
        let stands = Mover::new(world.terrain()).stand_on_floor(*shape, position);
        let position = stands.ok_or_else(|| format!("{file}: the hero cannot stand below the marker {start:?}"))?;
        let character = Character { walk_speed: *walk_speed, jump_height: *jump_height, ..Character::default() };
        let options = RecordOptions { checksum_interval: *every, positions: *positions, ..RecordOptions::default() };
        let mut recorder = Recorder::for_replay(&world, source, options)?;
        let hero = world.spawn(Body::new(*shape).at(position).character(character))?;
        recorder.name_body(hero, HERO_NAME)?;
        Ok(Recording { world, hero, recorder, goals, reached: None })
    }

    fn step_and_record(&mut self) -> Result<(), Box<dyn Error>> {
        self.world.step();
        self.recorder.record_tick(&self.world)?;
        let Some(hero) = self.world.get(self.hero) else { return Ok(()) };
        let (at, half) = (hero.position().to_dvec2(), hero.shape().half_extents());
        if self.goals.iter().any(|goal| (goal.to_dvec2() - at).abs().cmple(half).all()) {
            self.reached.get_or_insert(self.world.tick());
        }
        Ok(())
    }

    fn hero_position(&self) -> Result<Position, Box<dyn Error>> {
        Ok(self.world.get(self.hero).ok_or("the hero no longer exists")?.position())
    }
}

/// Returns the map's path relative to the replay's folder, with `/` as the separator. A replay cannot name a level of
/// an editor, so it contains the map of the level.
pub(super) fn map_source(map: &Path, output: &Path) -> Result<MapSource, Box<dyn Error>> {
    if is_editor_file(map) {
        return Ok(MapSource::Inline);
    }
    let folder = match output.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let whole = |path: &Path| path.canonicalize().map_err(|error| format!("{}: {error}", path.display()));
    let (whole_map, whole_folder) = (whole(map)?, whole(folder)?);
    let below = whole_map.strip_prefix(&whole_folder).map_err(|_| {
        let (map, output) = (map.display(), output.display());
        format!("{output}: the map {map} is outside the replay's folder; --inline copies the map into the replay")
    })?;
    let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
    let parts = parts.ok_or_else(|| {
        format!("{}: the path of the map is not UTF-8; --inline copies the map into the replay", map.display())
    })?;
    Ok(MapSource::File(parts.join("/")))
}

fn parse_number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "expected a number".to_owned())
}

/// Parses a number that is valid for a character.
fn parse_number_and_check_character(text: &str, character: impl FnOnce(f64) -> Character) -> Result<f64, String> {
    let number = parse_number(text)?;
    character(number).check().map_err(|error| expected_part_of_error(&error.to_string()))?;
    Ok(number)
}

fn parse_walk_speed(text: &str) -> Result<f64, String> {
    parse_number_and_check_character(text, |walk_speed| Character { walk_speed, ..Character::default() })
}

fn parse_jump_height(text: &str) -> Result<f64, String> {
    parse_number_and_check_character(text, |jump_height| Character { jump_height, ..Character::default() })
}

fn parse_gravity(text: &str) -> Result<f64, String> {
    let pull = parse_number(text)?;
    Settings::default().gravity((0.0, -pull)).check().map_err(|error| expected_part_of_error(&error.to_string()))?;
    Ok(pull)
}

fn parse_tick(text: &str) -> Result<f64, String> {
    let tick = parse_number(text)?;
    Settings::default().tick(tick).check().map_err(|error| expected_part_of_error(&error.to_string()))?;
    Ok(tick)
}

/// Returns the part of an error after the names of the field and its value.
fn expected_part_of_error(error: &str) -> String {
    error.find("expected ").map_or(error, |at| &error[at..]).to_owned()
}

/// Parses a shape from its half sizes or its radius.
pub(super) fn parse_shape(text: &str) -> Result<Shape, String> {
    let number = |word: &str| word.parse::<f64>().ok();
    let shape = match text.split_once(':') {
        Some(("circle", radius)) => number(radius).map(Shape::circle),
        Some(("box", halves)) => halves.split_once('x').and_then(|(x, y)| Some(Shape::aabb(number(x)?, number(y)?))),
        _ => None,
    };
    let shape = shape.ok_or("expected box:0.35x0.45, half width and half height, or circle:0.35, in tiles")?;
    shape.check().map_err(|error| error.to_string())?;
    Ok(shape)
}
