//! `surefoot replay`: runs replays and compares their checksums.

use super::{Done, exit_code_of_output};
use crate::progress::Bar;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use surefoot::checksum::PHYSICS_VERSION;

use surefoot::record::{Divergence, Playback, PlaybackSummary, RecordingFile, TickComparison};
use surefoot::replay::{ExpectationCheck, Replay, ReplayLoadError};

/// Run replays and compare their checksums
///
/// Prints one line per file. If a run differs and the replay has positions, a second line names the first body that
/// is elsewhere. The exit code is 1 if a file cannot be read or a run differs. The other files run in any case.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Replays, recordings or saved games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Refuse a map that has changed since the recording, even if all bodies move as before
    #[arg(long)]
    same_map: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Done {
    let mut code = ExitCode::SUCCESS;
    let mut out = io::stdout().lock();
    for file in &arguments.files {
        let (mut player, mut check) = match load(file) {
            Ok(loaded) => loaded,
            Err(error) => {
                eprintln!("{error}");
                code = ExitCode::FAILURE;
                continue;
            }
        };
        let done = play(&mut player, check.as_mut());
        let line = match (done, check.and_then(|check| check.unmet())) {
            (Ok(summary), _) if summary.map_changed && arguments.same_map => {
                code = ExitCode::FAILURE;
                format!("{}: the map has changed since the recording; all bodies move as before", file.display())
            }
            (Ok(_), Some(unmet)) => {
                code = ExitCode::FAILURE;
                format!("{}: {unmet}", file.display())
            }
            (Ok(summary), None) => format!("{}: {}", file.display(), describe(&summary, player.recording().physics())),
            (Err(divergence), _) => {
                code = ExitCode::FAILURE;
                let astray = player.first_mismatch();
                let astray = astray.map(|body| format!("\n{}: {body}", file.display()));
                format!("{}: {divergence}{}", file.display(), astray.unwrap_or_default())
            }
        };
        if let Err(error) = writeln!(out, "{line}").and_then(|()| out.flush()) {
            return exit_code_of_output(Err(error), code);
        }
    }
    Ok(code)
}

/// Loads a replay with its expectations, or a recording, which has none.
fn load(file: &Path) -> Result<(Playback, Option<ExpectationCheck>), ReplayLoadError> {
    if RecordingFile::is_at(file) {
        return Playback::load(file).map(|player| (player, None));
    }
    let replay = Replay::load(file)?;
    Ok((Playback::new(&replay), Some(ExpectationCheck::new(&replay))))
}

/// [`Playback::run`] with a progress bar and expectations.
fn play(player: &mut Playback, mut check: Option<&mut ExpectationCheck>) -> Result<PlaybackSummary, Divergence> {
    let bar = Bar::ticks(player.recording().ticks(), "replaying");
    while let Some(verdict) = player.step() {
        if let TickComparison::Differs(divergence) = verdict {
            return Err(divergence);
        }
        if let Some(check) = &mut check {
            check.observe(player.world());
        }
        bar.advance();
    }
    player.run()
}

fn describe(summary: &PlaybackSummary, physics: u32) -> String {
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
