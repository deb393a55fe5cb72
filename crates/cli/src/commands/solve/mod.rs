//! `surefoot solve`: searches for a run through maps.

mod expectation;
mod hero;
mod level;
mod output;

use super::Done;
use super::picture::Target;
use super::record::{map_source, parse_shape};
use crate::commands::import::LevelOptions;
use crate::progress::Bar;
use expectation::Expectation;
use level::Level;
use output::{GoalName, Report};
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use surefoot::prelude::{MapSource, Shape};
use surefoot_search::Options;

/// Search for a run through maps, and write it as a replay
///
/// The physics itself plays the inputs that the search tries. So a found run is a proof: `surefoot replay` verifies
/// it. The hero is the body `hero` of the map, or a character that stands on the floor below a marker.
///
/// Exit code: 0 if all goals are reachable, 1 if a run was not found within the limits, 2 if a goal is proven
/// unreachable, 3 if the command line, a map, a name or another file is wrong. With --expect: 0 if all expectations
/// hold, else 1.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Map files, or levels of Tiled or LDtk; several files give one line of JSON each
    #[arg(required = true, value_name = "MAP")]
    maps: Vec<PathBuf>,
    #[command(flatten)]
    level: LevelOptions,
    /// The goal: a marker, or the name or tag of an area; default is goal
    #[arg(long, value_name = "NAME")]
    goal: Option<String>,
    /// The goal: all markers of a name, or all areas of a name or tag, in any order, such as all coins
    #[arg(long, value_name = "NAME", conflicts_with = "goal")]
    goal_all: Option<String>,
    /// Search for a way to every marker, and to every area with a name or a tag; list cells without a way to the goal
    #[arg(long, conflicts_with = "expect")]
    all: bool,
    /// Expect a result, such as "goal reachable", "coin reachable 12", "all coin reachable" (in one run) or "vault
    /// unreachable"; may be repeated
    #[arg(long, value_name = "LINE", value_parser = expectation::parse)]
    expect: Vec<Expectation>,
    /// The replay of the found run; with several maps, a folder for MAP.replay.ron, which is created
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Copy the map into the replay instead of naming its file
    #[arg(long, requires = "output")]
    inline: bool,
    /// A picture of the run, or of all that was reached: .svg, or .png if the tool was built with the feature png
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Print one line of JSON for each map
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    hero: Hero,
    #[command(flatten)]
    limits: Limits,
}

/// The hero, for a map without a body `hero`.
#[derive(clap::Args)]
struct Hero {
    /// The marker at which the hero starts; default is start
    #[arg(long, value_name = "MARKER")]
    start: Option<String>,
    /// The hero's character: default, precise, floaty, heavy, classic, or a file such as `(walk_speed: 9.0)`
    #[arg(long, value_name = "NAME_OR_FILE")]
    character: Option<String>,
    /// The hero's shape in tiles: box:0.35x0.45 (half width and half height, the default) or circle:0.35 (radius)
    #[arg(long, value_name = "SHAPE", value_parser = parse_shape)]
    hero: Option<Shape>,
}

/// Limits and choices of the search.
#[derive(clap::Args)]
struct Limits {
    /// Maximum number of states
    #[arg(long, value_name = "N", default_value_t = Options::default().max_states)]
    max_states: usize,
    /// Maximum memory of the states in MiB
    #[arg(long, value_name = "MIB", default_value_t = Options::default().max_memory >> 20)]
    max_memory: usize,
    /// Maximum time in seconds for each map; without it, only states and memory limit the search, and its answer is the
    /// same every time
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    max_time: Option<Duration>,
    /// Seconds for making the found run shorter: by beams of growing width, by searching parts again, and by random
    /// changes
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    improve: Option<Duration>,
    /// Weight of the way to the goal: 1 finds short runs, more finds runs fast
    #[arg(long, value_name = "W", default_value_t = Options::default().weight)]
    weight: f64,
    /// Width of the beam: number of states that the search continues in each 6 ticks; without it, the search continues
    /// all
    #[arg(long, value_name = "N")]
    beam: Option<usize>,
    /// Seed for the order of equal states, and for the parts and the random changes of --improve
    #[arg(long, value_name = "N", default_value_t = Options::default().seed)]
    seed: u64,
    /// Number of threads, 0 for all cores; the answer is the same for any number, except with --improve or --max-time
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

/// Default name of the goal.
const GOAL: &str = "goal";
/// Exit codes: see [`Arguments`].
const NOT_FOUND: u8 = 1;
const UNREACHABLE: u8 = 2;
pub(crate) const MISTAKE: u8 = 3;

pub(crate) fn run(arguments: &Arguments) -> Done {
    if arguments.picture.is_some() && arguments.maps.len() > 1 {
        eprintln!("--picture needs a single map; expected one MAP");
        return Ok(ExitCode::from(MISTAKE));
    }
    if let Some(name) = arguments.goal_all.as_ref().filter(|_| !arguments.expect.is_empty()) {
        eprintln!("--goal-all does not apply to --expect; use --expect \"all {name} reachable\" instead");
        return Ok(ExitCode::from(MISTAKE));
    }
    let mut outputs: Vec<_> = arguments.maps.iter().filter_map(|map| arguments.replay_file_of(map)).collect();
    outputs.sort();
    if let Some(pair) = outputs.windows(2).find(|pair| pair[0] == pair[1]) {
        eprintln!("two maps would be written to {}; expected maps of different names", pair[0].display());
        return Ok(ExitCode::from(MISTAKE));
    }
    if let Some(folder) = arguments.output.as_ref().filter(|_| arguments.maps.len() > 1)
        && let Err(error) = std::fs::create_dir_all(folder)
    {
        eprintln!("{}: {error}; expected a folder for the replays of several maps", folder.display());
        return Ok(ExitCode::from(MISTAKE));
    }
    let mut code = 0;
    for map in &arguments.maps {
        let result = solve(arguments, map);
        code = code.max(result.as_ref().map_or(MISTAKE, |report| report.exit_code()));
        let line = match &result {
            Ok(report) if arguments.writes_json() => Some(report.to_json()),
            Ok(report) => Some(report.to_string()),
            Err(error) => {
                eprintln!("{error}");
                arguments.writes_json().then(|| output::mistake_to_json(map, &error.to_string()))
            }
        };
        if let Some(line) = line
            && let Err(error) = writeln!(io::stdout().lock(), "{line}")
        {
            return super::exit_code_of_output(Err(error), ExitCode::from(code));
        }
    }
    Ok(ExitCode::from(code))
}

/// Solves one map, and writes what the arguments ask for.
fn solve(arguments: &Arguments, map: &Path) -> Result<Report, Box<dyn Error>> {
    let picture = arguments.picture.as_deref().map(Target::new).transpose()?;
    let level = Level::load(arguments, map)?;
    let mut report = {
        let bar = Bar::of_states("solving");
        let name = arguments.goal_all.as_ref().or(arguments.goal.as_ref());
        let goal = |name: &str| GoalName { name: name.to_owned(), is_all: arguments.goal_all.is_some() };
        let default = || level.has_goal(GOAL).then(|| goal(GOAL));
        if arguments.all {
            level.survey_level(name.map(|name| goal(name)).or_else(default).as_ref(), &bar)?
        } else if arguments.expect.is_empty() {
            level.search_run_to(&goal(name.map_or(GOAL, String::as_str)), &bar)?
        } else {
            level.check_expectations(&arguments.expect, &bar)?
        }
    };
    if let (Some(output), Some(run)) = (arguments.replay_file_of(map), report.found_run()) {
        let source = if arguments.inline { MapSource::Inline } else { map_source(map, &output)? };
        let replay = level.record_replay(&run.inputs, &report.run_goal, source)?;
        replay.verify().map_err(|error| format!("{}: {error}", output.display()))?;
        replay.save(&output)?;
        report.run = Some(output);
    }
    if let Some(target) = picture {
        target.write(&level.draw_report(&report)?, super::draw::SCALE)?;
    }
    Ok(report)
}

impl Arguments {
    fn writes_json(&self) -> bool {
        self.json || self.maps.len() > 1
    }

    /// Returns the file for the replay of a map.
    fn replay_file_of(&self, map: &Path) -> Option<PathBuf> {
        let output = self.output.as_ref()?;
        if self.maps.len() == 1 {
            return Some(output.clone());
        }
        let stem = map.file_stem().unwrap_or_default().to_string_lossy();
        Some(output.join(format!("{stem}.replay.ron")))
    }
}

impl Limits {
    fn options(&self) -> Options {
        let Limits { max_states, max_memory, max_time, weight, beam, seed, threads, .. } = *self;
        let max_memory = max_memory.saturating_mul(1 << 20);
        Options { max_states, max_memory, max_time, weight, beam, seed, threads, ..Options::default() }
    }
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| "expected a number".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "expected a number of seconds, at least 0".to_owned())
}
