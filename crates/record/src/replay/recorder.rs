//! Recorders of replays: they refuse at once what the text of a replay cannot express.

use super::things::Things;
use super::write::KindNames;
use super::{MapSource, Replay, ToReplayError};
use crate::area::AttachedTo;
use crate::catalogue::Catalogue;
use crate::command::Command;
use crate::map::{Map, TileId};
use crate::record::{Commands, Line, RecordOptions, Recorder, RecorderError, Recording, RecordingStart, Sink};
use crate::world::World;
use std::sync::Arc;

/// A [`Recorder`] whose run becomes a [`Replay`]. [`Recorder::for_replay`] creates one.
pub type ReplayRecorder = Recorder<Commands, ReplayLog>;

/// Destination of a [`ReplayRecorder`]: a recording in memory, whose commands are checked when they are recorded.
#[derive(Clone, Debug)]
pub struct ReplayLog {
    log: Recording,
    map: Arc<Map>,
    source: MapSource,
    check: TextCheck,
}

impl ReplayRecorder {
    /// Creates a recorder in memory whose run becomes a replay. Finish it with [`Recorder::finish_replay`].
    ///
    /// `map` says whether the text of the replay contains the map or names the map's file. The file of the map is not
    /// written.
    ///
    /// [`Recorder::record_tick`] returns [`RecorderError::Replay`] at a command that a replay cannot contain.
    /// `docs/formats/replay.md` in the repository lists these commands. The recorder then stops, and
    /// [`Recorder::finish_replay`] returns a replay of all ticks before.
    ///
    /// # Errors
    /// - Returns [`ToReplayError::NotNew`] if `world` is not a new world, such as one that was stepped.
    /// - Returns [`ToReplayError::MapPath`] if the path of the map leads out of the replay's folder.
    /// - Returns [`ToReplayError::OtherCatalogue`] if the map uses its own catalogue and the replay would have to
    ///   contain it.
    /// - Returns another [`ToReplayError`] if `world` already got a command that a replay cannot contain.
    pub fn for_replay(
        world: &World,
        map: MapSource,
        options: impl Into<RecordOptions>,
    ) -> Result<ReplayRecorder, ToReplayError> {
        let options = options.into();
        let log = options.new_recording(world);
        let check = TextCheck::check_recording_start(&log, world.map(), &map)?;
        let log = ReplayLog { log, map: world.map().clone(), source: map, check };
        Ok(Recorder::with_sink(log, world, options))
    }

    /// Ends the recording and makes a replay on the map of `world`.
    ///
    /// # Errors
    /// - Returns [`ToReplayError::Record`] if the last step of `world` was not recorded: see [`Recorder::finish`].
    /// - Returns [`ToReplayError::Command`] if the recorded commands are not those of one run. For example, the world was
    ///   restored to another state of the same tick.
    pub fn finish_replay(self, world: &World) -> Result<Replay, ToReplayError> {
        let ReplayLog { log, map, source, .. } = self.finish(world)?;
        Replay::new(&log, map, source)
    }
}

impl Sink<Commands> for ReplayLog {
    fn add_line(&mut self, line: Line<Commands>) -> Result<(), RecorderError> {
        let (ticks, input) = match &line {
            Line::Inputs { ticks, input } => (*ticks, &input[..]),
            Line::Same { ticks } => (*ticks, self.log.runs.last().map_or(&[][..], |run| &run.input)),
            _ => (0, &[][..]),
        };
        for tick in self.log.end()..self.log.end() + ticks {
            let checked = input.iter().try_for_each(|command| self.check.check_and_count_command(tick, command));
            checked.map_err(|error| RecorderError::Replay { error: Box::new(error) })?;
        }
        Sink::add_line(&mut self.log, line)
    }

    /// Each tick is checked when it is recorded.
    fn is_flush_due(&self) -> bool {
        true
    }
}

/// Refuses what the text of a replay cannot express, command by command.
#[derive(Clone, Debug)]
pub(super) struct TextCheck {
    /// The platforms and areas in the world.
    things: Things,
    kinds: KindNames,
    bodies: usize,
    commands: usize,
    /// Whether a body that is spawned now belongs to the bodies that exist before the first tick.
    at_first: bool,
}

impl TextCheck {
    /// Checks the start of a recording on that map.
    pub(super) fn check_recording_start(
        log: &Recording,
        map: &Arc<Map>,
        source: &MapSource,
    ) -> Result<TextCheck, ToReplayError> {
        let RecordingStart::New { commands, .. } = &log.start else {
            return Err(ToReplayError::NotNew { tick: log.start.tick() });
        };
        let (catalogue, builtin) = (map.catalogue(), Catalogue::builtin());
        // A replay cannot contain a catalogue. So only a map in a file may have another catalogue than the built-in
        // one, and the map must name the file of that catalogue.
        let (is_named, is_inline) = (map.catalogue_file().is_some(), *source == MapSource::Inline);
        let is_known = Arc::ptr_eq(catalogue, &builtin) || catalogue.patterns() == builtin.patterns();
        if (is_named && is_inline) || (!is_named && !is_known) {
            return Err(ToReplayError::OtherCatalogue);
        }
        if let MapSource::File(path) = source
            && super::parts_inside_folder(path).is_none()
        {
            return Err(ToReplayError::MapPath { path: path.clone() });
        }
        let (things, kinds) = (Things::of_map(map), KindNames::new(map, source));
        let mut check = TextCheck { things, kinds, bodies: 0, commands: 0, at_first: true };
        commands.iter().try_for_each(|command| check.check_and_count_command(0, command))?;
        Ok(check)
    }

    /// Checks the next command of the run.
    pub(super) fn check_and_count_command(&mut self, tick: u64, command: &Command) -> Result<(), ToReplayError> {
        let is_body = matches!(command, Command::Spawn(_));
        let is_input = matches!(command, Command::SetInput(..));
        self.at_first &= tick == 0 && (is_body || is_input);
        self.bodies += usize::from(is_body);
        self.commands += usize::from(!(is_input || is_body && self.at_first));
        if self.bodies > Replay::MAX_BODIES {
            return Err(ToReplayError::TooManyBodies);
        }
        if self.commands > Replay::MAX_COMMANDS {
            return Err(ToReplayError::TooManyCommands);
        }
        if let Some(tile_id) = self.first_nameless_kind(command) {
            return Err(ToReplayError::NamelessTile { tick, tile_id });
        }
        self.check_names(tick, command)?;
        self.things.update_after_command(command);
        Ok(())
    }

    /// Returns the first tile kind of a command that the text cannot name.
    fn first_nameless_kind(&self, command: &Command) -> Option<TileId> {
        match command {
            Command::SetTile { tile_id, .. }
            | Command::SetTiles { tile_id, .. }
            | Command::SetPlatformTile { tile_id, .. } => {
                Some(*tile_id).filter(|tile_id| self.kinds.has_kind(*tile_id) && self.kinds.name(*tile_id).is_none())
            }
            Command::SpawnPlatform(platform) => {
                let mut cells = platform.layers.iter().flat_map(|layer| &layer.cells);
                cells.find(|tile_id| self.kinds.has_kind(**tile_id) && !self.kinds.has_letter(**tile_id)).copied()
            }
            _ => None,
        }
    }

    /// Refuses commands for platforms and areas of the map whose names another one has taken.
    fn check_names(&self, tick: u64, command: &Command) -> Result<(), ToReplayError> {
        let things = &self.things;
        let platform = match command {
            Command::DespawnPlatform(id)
            | Command::DrivePlatform(id, _)
            | Command::TeleportPlatform(id, _)
            | Command::PausePlatform(id)
            | Command::ResumePlatform(id)
            | Command::SetPlatformTile { platform: id, .. } => Some(*id),
            Command::SpawnArea(area) | Command::SetArea(_, area) => {
                match things.resolve_carrier_name(&area.attached_to) {
                    AttachedTo::Platform(id) => Some(id),
                    _ => None,
                }
            }
            _ => None,
        };
        if platform.is_some_and(|id| things.platforms.is_name_reused(id)) {
            return Err(ToReplayError::NamelessPlatform { tick });
        }
        match command {
            Command::DespawnArea(id) | Command::MoveArea(id, _) | Command::SetArea(id, _)
                if things.areas.is_name_reused(*id) =>
            {
                Err(ToReplayError::NamelessArea { tick })
            }
            _ => Ok(()),
        }
    }
}
