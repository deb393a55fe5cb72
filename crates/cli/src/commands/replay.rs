//! `surefoot replay`: runs replays and compares their checksums.

use super::link::find_link;
use super::{Done, exit_code_of_output};
use crate::progress::Bar;
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use surefoot::Map;
use surefoot::checksum::PHYSICS_VERSION;
use surefoot::record::{Divergence, Playback, PlaybackSummary, RecordingFile, TickComparison};
use surefoot::replay::{ExpectationCheck, Replay};

/// Run replays and compare their checksums
///
/// Prints one line per file. If a run differs and the replay has positions, a second line names the first body that
/// is elsewhere. The exit code is 1 if a file cannot be read or a run differs. The other files run in any case.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Replays, recordings, saved games, links to a run, or files with such a link
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Refuse a map that has changed since the recording, even if all bodies move as before
    #[arg(long)]
    same_map: bool,
    /// Folder of the maps that links name [default: the folder of the file with the link, or else the current folder]
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Done {
    let mut code = ExitCode::SUCCESS;
    let mut out = io::stdout().lock();
    for file in &arguments.files {
        let (name, mut player, mut check) = match load_with_expectations(file, arguments.maps.as_deref()) {
            Ok(loaded) => loaded,
            Err(error) => {
                eprintln!("{error}");
                code = ExitCode::FAILURE;
                continue;
            }
        };
        let done = play_with_progress(&mut player, check.as_mut());
        let line = match (done, check.and_then(|check| check.unmet())) {
            (Ok(summary), _) if summary.map_changed && arguments.same_map => {
                code = ExitCode::FAILURE;
                format!("{}: the map has changed since the recording; all bodies move as before", name)
            }
            (Ok(_), Some(unmet)) => {
                code = ExitCode::FAILURE;
                format!("{}: {unmet}", name)
            }
            (Ok(summary), None) => format!("{}: {}", name, describe_result(&summary, player.recording().physics())),
            (Err(divergence), _) => {
                code = ExitCode::FAILURE;
                let astray = player.first_mismatch();
                let astray = astray.map(|body| format!("\n{}: {body}", name));
                format!("{}: {divergence}{}", name, astray.unwrap_or_default())
            }
        };
        if let Err(error) = writeln!(out, "{line}").and_then(|()| out.flush()) {
            return exit_code_of_output(Err(error), code);
        }
    }
    Ok(code)
}

/// Loads a replay with its expectations, or a recording, which has none. Returns the name to print: that of the file,
/// or for a link, which is long, the name in it.
fn load_with_expectations(
    file: &Path,
    maps: Option<&Path>,
) -> Result<(String, Playback, Option<ExpectationCheck>), Box<dyn Error>> {
    if let Some(link) = find_link(file) {
        let link = link?;
        let beside = if file.exists() { file.parent() } else { None };
        let maps = maps.or(beside).unwrap_or(Path::new(""));
        let replay = link.replay(|map| Map::load(maps.join(map)))?;
        return Ok((link.name().to_owned(), Playback::new(&replay), Some(ExpectationCheck::new(&replay))));
    }
    let name = file.display().to_string();
    if RecordingFile::is_at(file) {
        return Ok((name, Playback::load(file)?, None));
    }
    let replay = Replay::load(file)?;
    Ok((name, Playback::new(&replay), Some(ExpectationCheck::new(&replay))))
}

/// [`Playback::run`] with a progress bar and expectations.
fn play_with_progress(
    player: &mut Playback,
    mut check: Option<&mut ExpectationCheck>,
) -> Result<PlaybackSummary, Divergence> {
    let bar = Bar::of_ticks(player.recording().ticks(), "replaying");
    while let Some(verdict) = player.step() {
        if let TickComparison::Differs(divergence) = verdict {
            return Err(divergence);
        }
        if let Some(check) = &mut check {
            check.observe(player.world());
        }
        bar.advance_by_tick();
    }
    player.run()
}

fn describe_result(summary: &PlaybackSummary, physics: u32) -> String {
    let PlaybackSummary { ticks, checksum, compared, motion_only, map_changed } = summary;
    let verdict = match (compared, motion_only) {
        (0, _) => "nothing to compare".to_owned(),
        (_, false) => "ok".to_owned(),
        (_, true) if *map_changed => "ok (motion only: the map has changed since the recording)".to_owned(),
        (_, true) => {
            format!("ok (motion only: recorded with physics version {physics}, this is version {PHYSICS_VERSION})")
        }
    };
    format!("{ticks} ticks, checksum {checksum}, {verdict}")
}
