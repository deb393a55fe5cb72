//! Bodies, commands and inputs of a replay's text. A scenario compiles to a log, and is made from one.

use super::recorder::TextCheck;
use super::things::Namer;
use super::{InputRun, MapSource, Replay, ToReplayError};
use crate::body::{Body, Input, check_velocity};
use crate::command::{Command, CommandError};
use crate::event::BodyId;
use crate::map::Map;
use crate::record::{Commands, Recording, RecordingStart, Run};
use crate::world::{Slots, World};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Bodies, commands and inputs in separate lists.
#[derive(Debug, Default)]
pub(super) struct Scenario {
    /// Bodies in the world before the first tick, in the order of their spawns.
    pub(super) bodies: Vec<(BodyId, Body)>,
    /// All other commands, in the order of ticks.
    pub(super) commands: Vec<Timed>,
    /// Inputs of bodies, in the order of their spawns.
    pub(super) inputs: Vec<Track>,
}

/// A command, and the tick before which it applies.
#[derive(Debug)]
pub(super) struct Timed {
    pub(super) tick: u64,
    /// The body that a spawn creates.
    pub(super) spawned: BodyId,
    pub(super) command: Command,
}

/// Inputs of a body, from its first tick on.
#[derive(Debug)]
pub(super) struct Track {
    pub(super) body: BodyId,
    /// Ticks before which the body is spawned and removed, if it is.
    pub(super) from: u64,
    pub(super) until: Option<u64>,
    pub(super) runs: Vec<InputRun>,
}

/// Input changes of a body, collected while the recording is read.
struct InputHistory {
    body: BodyId,
    from: u64,
    until: Option<u64>,
    /// Each change of its input with its tick.
    changes: Vec<(u64, Input)>,
}

impl Scenario {
    /// Returns the scenario of a log of commands that starts with a new world.
    ///
    /// A body goes into the list of first bodies if only spawns and inputs came before it. A later body can depend on
    /// other commands, such as an edited tile or a freed slot.
    pub(super) fn from_recording(log: &Recording) -> Scenario {
        let mut scenario = Scenario::default();
        let (mut slots, mut tracks) = (Slots::default(), Vec::<InputHistory>::new());
        let mut numbers: BTreeMap<BodyId, usize> = BTreeMap::new();
        let mut at_first = true;
        for (tick, command) in log.commands_without_repeats() {
            at_first &= tick == 0 && matches!(command, Command::Spawn(_) | Command::SetInput(..));
            let mut spawned = BodyId::default();
            match command {
                Command::SetInput(id, input) => {
                    if let Some(&number) = numbers.get(id) {
                        tracks[number].record_input(tick, *input);
                    }
                    continue;
                }
                Command::Spawn(body) => {
                    spawned = slots.insert();
                    numbers.insert(spawned, tracks.len());
                    tracks.push(InputHistory { body: spawned, from: tick, until: None, changes: Vec::new() });
                    if at_first {
                        scenario.bodies.push((spawned, body.as_ref().clone()));
                        continue;
                    }
                }
                Command::Despawn(id) => {
                    slots.remove(*id);
                    if let Some(&number) = numbers.get(id) {
                        tracks[number].until = Some(tick);
                    }
                }
                _ => {}
            }
            scenario.commands.push(Timed { tick, spawned, command: command.clone() });
        }
        scenario.inputs = tracks.iter().map(|track| track.to_track(log.ticks)).collect();
        scenario
    }

    /// Compiles the scenario to a log of `ticks` ticks: the commands before the first tick, and those of each tick.
    pub(super) fn compile_to_commands(self, ticks: u64) -> (Commands, Vec<Run<Commands>>) {
        let mut busy: BTreeMap<u64, Commands> = BTreeMap::new();
        for Timed { tick, command, .. } in self.commands {
            busy.entry(tick).or_default().push(command);
        }
        for Track { body, from, until, runs } in self.inputs {
            let (mut tick, mut held) = (from, Input::default());
            for run in runs {
                if tick >= until.unwrap_or(ticks).min(ticks) {
                    break;
                }
                if run.input != held {
                    busy.entry(tick).or_default().push(Command::SetInput(body, run.input));
                }
                (tick, held) = (tick + run.ticks, run.input);
            }
        }
        let (mut runs, mut next) = (Vec::new(), 0);
        let wait = |runs: &mut Vec<_>, from: u64, to: u64| {
            if to > from {
                runs.push(Run { ticks: to - from, input: Vec::new() });
            }
        };
        for (tick, input) in busy {
            wait(&mut runs, next, tick);
            runs.push(Run { ticks: 1, input });
            next = tick + 1;
        }
        wait(&mut runs, next, ticks);
        (self.bodies.into_iter().map(|(_, body)| Command::Spawn(Box::new(body))).collect(), runs)
    }
}

impl InputHistory {
    /// Records an input. The last one of a tick counts.
    fn record_input(&mut self, tick: u64, input: Input) {
        let input = input.normal();
        if self.changes.last().is_some_and(|&(last, _)| last == tick) {
            self.changes.pop();
        }
        let before = self.changes.last().map(|&(_, input)| input).unwrap_or_default();
        if input != before {
            self.changes.push((tick, input));
        }
    }

    /// Returns the inputs from the body's first tick to the last of all, as runs. Empty for a body without any input.
    fn to_track(&self, end: u64) -> Track {
        let mut runs = Vec::new();
        let (mut from, mut held) = (self.from, Input::default());
        let ends = self.changes.iter().copied().chain(self.changes.last().map(|_| (end, held)));
        for (tick, input) in ends {
            if tick > from {
                runs.push(InputRun { ticks: tick - from, input: held });
            }
            (from, held) = (tick, input);
        }
        Track { body: self.body, from: self.from, until: self.until, runs }
    }
}

impl Replay {
    /// Makes a replay from `log`, a recording of commands, on `map`.
    ///
    /// `source` says whether the text of the replay contains the map or names the map's file. The file of the map is
    /// not written.
    ///
    /// Bodies of the map that [`World::from_map`] spawned have their names of the map. Other bodies without a name get
    /// the names `body_1`, `body_2` and so on, in the order of spawning. Areas and platforms without a name get `area
    /// 1` and `platform 1` and so on, those of the map first. In the played world, those that commands spawn have these
    /// names.
    ///
    /// # Errors
    /// - Returns [`ToReplayError::NotNew`] if the recording starts with a saved state.
    /// - Returns [`ToReplayError::Command`] if a world on `map` refuses a command.
    /// - Returns [`ToReplayError::NamelessTile`] if a command uses a tile kind that the text cannot name.
    /// - Returns [`ToReplayError::NamelessPlatform`] or [`ToReplayError::NamelessArea`] if a command is for a platform
    ///   or an area of the map without a name, and the game has given its name in the replay, such as `area 1`, to
    ///   another one.
    /// - Returns [`ToReplayError::TooManyBodies`] or [`ToReplayError::TooManyCommands`] if a limit is exceeded.
    /// - Returns [`ToReplayError::MapPath`] if the path of the map leads out of the replay's folder.
    /// - Returns [`ToReplayError::OtherCatalogue`] if the map uses its own catalogue and the replay would have to
    ///   contain it.
    pub fn new(log: &Recording, map: impl Into<Arc<Map>>, source: MapSource) -> Result<Replay, ToReplayError> {
        let map = map.into();
        let mut check = TextCheck::check_recording_start(log, &map, &source)?;
        // The commands of the start are already checked.
        let later = log.commands_without_repeats().skip(log.start.commands().len());
        for (tick, command) in later {
            check.check_and_count_command(tick, command)?;
        }
        let settings = log.start.settings();
        let mut world = World::new(map.clone(), settings);
        check_commands(log, &mut world)?;
        let mut scenario = Scenario::from_recording(log);
        let mut namer = Namer::new(&map, scenario.commands.iter().map(|timed| &timed.command));
        scenario.commands.iter_mut().for_each(|timed| namer.name_spawned_things(&mut timed.command));
        let mut names = log.all_names(&world);
        let bodies: BTreeSet<BodyId> = scenario.inputs.iter().map(|track| track.body).collect();
        names.retain_bodies(|body| bodies.contains(&body));
        let (commands, runs) = scenario.compile_to_commands(log.ticks);
        let mut whole =
            Recording::new(log.physics, log.map, log.source, None, RecordingStart::New { settings, commands });
        (whole.runs, whole.ticks, whole.names) = (runs, log.ticks, names);
        whole.checkpoints.clone_from(&log.checkpoints);
        for checkpoint in &mut whole.checkpoints {
            checkpoint.positions.retain(|at| whole.names.name(at.body).is_some());
        }
        // `tiles` serves to report which tiles of a map file have changed since the recording. A map inside the replay
        // needs no such report: an edit of the map is an edit of the replay itself.
        whole.tiles = log.tiles.clone().filter(|_| source != MapSource::Inline);
        Ok(Replay { source, map, recording: Arc::new(whole.marked_complete()), expect: Vec::new() })
    }
}

/// Refuses a command that no world accepts. This needs no steps, so commands that depend on motion, such as a grab
/// out of reach, are not refused here. Neither are edits of tiles that come from a tile source.
///
/// If a world accepts the commands of a run of equal ticks in two of its ticks, it accepts them in every tick of the
/// run: an edited tile stays as the tick before left it, and a removed body never returns. Only spawned bodies become
/// more, and later runs may name them.
fn check_commands(log: &Recording, world: &mut World) -> Result<(), ToReplayError> {
    check_commands_of_tick(log, world, 0, log.start.commands())?;
    let mut tick = log.start.tick();
    for Run { ticks, input } in log.runs.iter() {
        for tick in tick..tick + ticks.min(&2) {
            check_commands_of_tick(log, world, tick, input)?;
        }
        let spawns: Commands = input.iter().filter(|command| is_spawn(command)).cloned().collect();
        if !spawns.is_empty() {
            for tick in tick + ticks.min(&2)..tick + ticks {
                check_commands_of_tick(log, world, tick, &spawns)?;
            }
        }
        tick += ticks;
    }
    Ok(())
}

/// Returns whether a world might accept the command if its bodies and platforms were at other positions.
fn may_be_due_to_positions(error: &CommandError) -> bool {
    matches!(
        error,
        CommandError::TooFar(_)
            | CommandError::AttachedOutOfRange(_)
            | CommandError::AlreadyCarrying(_)
            | CommandError::AlreadyHeld(_)
            | CommandError::NotHeld(_)
            | CommandError::OutOfReach(_)
            | CommandError::NoRoom(_)
            | CommandError::NoRoomForShape(_)
    )
}

fn is_spawn(command: &Command) -> bool {
    matches!(command, Command::Spawn(_) | Command::SpawnPlatform(_) | Command::SpawnArea(_))
}

/// Refuses a command of a tick that the world does not accept.
fn check_commands_of_tick(
    log: &Recording,
    world: &mut World,
    tick: u64,
    commands: &[Command],
) -> Result<(), ToReplayError> {
    for command in commands {
        let Err(error) = world.apply(command.clone()) else { continue };
        let is_possible = match command {
            Command::SetTile { layer, tile_id, .. } | Command::SetTiles { layer, tile_id, .. } => {
                log.source.is_some()
                    && matches!(error, CommandError::Tile(_))
                    && *layer < world.map().layers().len()
                    && world.map().kind(*tile_id).is_some()
            }
            // These worlds are not stepped, so the bodies have other velocities than in the run. Check the velocity of
            // the command alone.
            Command::AddVelocity(_, velocity) | Command::Release(_, velocity)
                if matches!(error, CommandError::Body(_)) =>
            {
                check_velocity(*velocity).is_ok()
            }
            _ => may_be_due_to_positions(&error),
        };
        if !is_possible {
            return Err(ToReplayError::Command { tick, error });
        }
    }
    // Drop the commands, as a step would do. The checks need no motion, so no step is made.
    world.clear_pending();
    Ok(())
}
