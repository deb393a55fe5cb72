//! `surefoot plot`: draws one body of a replay as curves over time.

use super::Done;
use super::draw::SCALE;
use super::picture::Target;
use super::range::TickRange;
use crate::progress::Bar;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use surefoot::prelude::BodyId;
use surefoot::record::Playback;
use surefoot_draw::{Curves, Palette, draw_curves};

/// Draw one body of a replay as curves over time: height, speed, contacts and buttons
///
/// The curves stand below each other, over one axis of ticks and seconds:
///
/// - the height of the body's lowest point, in tiles of the map;
/// - the velocity to the right and up, in tiles per second;
/// - when the body touches floors, walls and ceilings;
/// - the player's input, with the amount of the walk input.
///
/// Lines through all curves mark jumps, landings and hits. Values of a tick are drawn at the tick's number, as in a
/// trace.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A replay, a recording or a saved game
    #[arg(value_name = "REPLAY")]
    file: PathBuf,
    /// The picture: .svg, or .png if the tool was built with the feature png
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The body, by its name in the replay; default is the first character
    #[arg(long, value_name = "NAME")]
    body: Option<String>,
    /// Draw only these ticks; 0 is the start
    #[arg(long, value_name = "A..B")]
    ticks: Option<TickRange>,
}

pub(crate) fn run(arguments: &Arguments) -> Done {
    let target = Target::new(&arguments.output)?;
    target.write(&draw_curves(&record_curves(arguments)?, &Palette::NIGHT), SCALE)?;
    Ok(ExitCode::SUCCESS)
}

fn record_curves(arguments: &Arguments) -> Result<Curves, Box<dyn Error>> {
    let file = arguments.file.display();
    let mut player = Playback::load(&arguments.file)?;
    let ticks = TickRange::checked_or_whole_run(arguments.ticks, player.recording(), &arguments.file)?;
    let bar = Bar::of_ticks(ticks.last - player.world().tick(), "replaying");
    let mut found: Option<(BodyId, Curves)> = None;
    let mut known: Vec<String> = Vec::new();
    loop {
        if found.is_none() {
            // The body may appear in any tick.
            let body = match &arguments.body {
                Some(name) => player.body(name),
                None => player.names().map(|(body, _)| body).find(|&body| player.world()[body].character().is_some()),
            };
            found = body.map(|body| (body, Curves::new(player.name(body).unwrap_or_default())));
        }
        match &mut found {
            Some((body, curves)) => curves.observe(player.world(), *body),
            None => {
                let new = player.names().filter(|(_, name)| !known.iter().any(|other| other == name));
                let new: Vec<String> = new.map(|(_, name)| name.to_owned()).collect();
                known.extend(new);
            }
        }
        if player.world().tick() >= ticks.last || player.step().is_none() {
            break;
        }
        bar.advance_by_tick();
    }
    let Some((_, mut curves)) = found else {
        let names = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let missing = match &arguments.body {
            Some(name) => format!("the replay has no body {name:?}; expected one of {names}"),
            None => format!("the replay has no character; expected --body with one of {names}"),
        };
        return Err(format!("{file}: {missing}").into());
    };
    curves.begin_at(ticks.first);
    Ok(curves)
}
