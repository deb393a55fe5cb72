//! `surefoot plot`: what one body of a replay did, as curves over time.

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

/// Draw one body of a replay as curves over time: its height, its speed, what it touches and what is held
///
/// The curves stand below each other, over one axis of ticks and of seconds: how high the body's lowest point is, in the
/// tiles of the map; how fast it is to the right and up, in tiles per second; when it is on the floor and touches
/// walls and ceilings; and what its player holds, of a walk how far to the right or left. Lines through all of them show
/// its jumps and landings, and what it hit. All of a tick stands at the number of the tick, as in a trace.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A replay file
    #[arg(value_name = "REPLAY")]
    file: PathBuf,
    /// The picture; its name ends in .svg, or in .png if the tool was built with that feature
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The body, by its name in the replay; the first character if it is left out
    #[arg(long, value_name = "NAME")]
    body: Option<String>,
    /// Draw only these ticks, 0 being the start
    #[arg(long, value_name = "A..B")]
    ticks: Option<TickRange>,
}

pub(crate) fn run(arguments: &Arguments) -> Done {
    let target = Target::new(&arguments.output)?;
    target.write(&draw_curves(&curves(arguments)?, &Palette::NIGHT), SCALE)?;
    Ok(ExitCode::SUCCESS)
}

fn curves(arguments: &Arguments) -> Result<Curves, Box<dyn Error>> {
    let file = arguments.file.display();
    let mut player = Playback::load(&arguments.file)?;
    let ticks = TickRange::of_replay(arguments.ticks, player.recording().ticks(), &arguments.file)?;
    let bar = Bar::ticks(ticks.last, "replaying");
    let mut found: Option<(BodyId, Curves)> = None;
    let mut known: Vec<String> = Vec::new();
    loop {
        if found.is_none() {
            // Bodies may come in any tick.
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
        bar.advance();
    }
    let Some((_, mut curves)) = found else {
        let names = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let missing = match &arguments.body {
            Some(name) => format!("there is no body {name:?} in the replay; expected one of {names}"),
            None => format!("there is no character in the replay; expected --body and one of {names}"),
        };
        return Err(format!("{file}: {missing}").into());
    };
    curves.begin_at(ticks.first);
    Ok(curves)
}
