use super::changes::tiles_set_by;
use super::hero::create_hero;
use super::record::Record;
use super::throwable::{Pile, Throwable};
use super::watch::first_character;
use crate::error::PlayError;
use crate::legend;
use crate::stopwatch::Stopwatch;
use std::sync::Arc;
use surefoot::body::{BodyError, Character, Input};
use surefoot::command::{Command, CommandError};
use surefoot::event::BodyId;
use surefoot::geometry::{DVec2, Position};
use surefoot::map::Map;
use surefoot::record::{Playback, RecordingStart};
use surefoot::rollback::Rollback;
use surefoot::terrain::Terrain;
use surefoot::world::{Settings, World};
use surefoot_import::MapChange;

/// Distance below the map at which the hero is put back to its start, in tiles.
const MAX_FALL_TILES: f64 = 8.0;

/// A played world and its record since the last restart.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) world: World,
    /// The terrain of the run's map at its beginning.
    pub(super) terrain: Terrain,
    pub(super) record: Record,
    pub(super) pile: Pile,
    pub(super) hero: Option<BodyId>,
    rollback: Rollback<()>,
}

impl Run {
    /// Starts a run on a map and its terrain.
    pub(super) fn new(
        map: impl Into<Arc<Map>>,
        terrain: Terrain,
        settings: Settings,
        character: Character,
        rewindable_ticks: u64,
    ) -> Run {
        let mut run = Run::without_bodies(map, terrain, settings, rewindable_ticks);
        let body = create_hero(&run.world, character);
        // A map has fewer bodies than a world may have, so this does not fail.
        let _ = run.world.spawn_map_bodies();
        for command in run.world.pending().to_vec() {
            run.record.record_between_ticks(0, command);
        }
        run.hero = run.apply_and_record(Command::Spawn(Box::new(body))).ok().flatten();
        run
    }

    fn without_bodies(map: impl Into<Arc<Map>>, terrain: Terrain, settings: Settings, rewindable_ticks: u64) -> Run {
        Run {
            world: World::with_terrain(map, terrain.clone(), settings),
            terrain,
            record: Record::default(),
            pile: Pile::default(),
            hero: None,
            rollback: Rollback::new(rewindable_ticks as usize),
        }
    }

    /// Plays the commands of a watched replay again up to its present tick, on a map with all variants to paint. The
    /// run then has them in its record, as if the player had given them.
    pub(super) fn continue_watched(player: &Playback, rewindable_ticks: u64) -> Run {
        let (watched, recording) = (player.world(), player.recording());
        let map = legend::with_all_variants(watched.map());
        let terrain = Terrain::bake(&map);
        let mut run = Run::without_bodies(map, terrain, watched.settings(), rewindable_ticks);
        let start = match recording.start() {
            RecordingStart::New { commands, .. } => commands.as_slice(),
            RecordingStart::State(_) => &[],
        };
        for command in start {
            // A replay that does not fit its map has commands that are refused. The playback skips them too.
            let _ = run.apply_and_record(command.clone());
        }
        let mut later = recording.commands().skip(start.len()).peekable();
        for tick in 0..watched.tick() {
            let Run { world, rollback, record, .. } = &mut run;
            rollback.advance(world, (), |world, ()| {
                while let Some((_, command)) = later.next_if(|(given, _)| *given == tick) {
                    if world.apply(command.clone()).is_ok() {
                        record.record_input(tick, command.clone());
                    }
                }
            });
        }
        run.hero = first_character(&run.world);
        run
    }

    /// Starts a new run with the same character, on the map with its edited tiles.
    pub(super) fn restarted(&self, rewindable_ticks: u64) -> Run {
        let character = self.character();
        let map = self.world.map();
        if self.record.has_edited_tiles()
            && let Ok(map) = legend::map_with_edits(map, &self.world)
        {
            let terrain = Terrain::bake(&map);
            return Run::new(map, terrain, self.world.settings(), character, rewindable_ticks);
        }
        Run::new(map.clone(), self.terrain.clone(), self.world.settings(), character, rewindable_ticks)
    }

    /// Starts a new run on another map, with the same character at the same position, if there is room.
    pub(super) fn restarted_on_map(&self, map: Map, rewindable_ticks: u64) -> Run {
        let terrain = Terrain::bake(&map);
        let mut run = Run::new(map, terrain, self.world.settings(), self.character(), rewindable_ticks);
        let before = self.hero.and_then(|hero| self.world.get(hero));
        if let (Some(hero), Some(before)) = (run.hero, before)
            && !run.world.mover().overlaps(run.world[hero].shape(), before.position())
        {
            // The hero exists, so these do not fail.
            let _ = run.apply_and_record(Command::Teleport(hero, before.position()));
            let _ = run.apply_and_record(Command::SetVelocity(hero, before.velocity()));
        }
        run
    }

    /// Starts a new run on a changed map, in which the bodies stay.
    pub(super) fn rebuilt(&self, change: &MapChange, rewindable_ticks: u64) -> Result<Run, CommandError> {
        let (world, ids) = change.rebuilt(&self.world)?;
        let mut record = Record::default();
        for command in world.pending() {
            record.record_between_ticks(0, command.clone());
        }
        Ok(Run {
            terrain: Terrain::bake(&change.after),
            record,
            pile: self.pile.with_new_ids(&ids),
            hero: self.hero.and_then(|hero| ids.get(&hero).copied()),
            rollback: Rollback::new(rewindable_ticks as usize),
            world,
        })
    }

    /// Returns the hero's character.
    pub(super) fn character(&self) -> Character {
        let hero = self.hero.and_then(|hero| self.world.get(hero));
        hero.and_then(|state| state.character().copied()).unwrap_or_default()
    }

    /// Steps a tick. Returns its duration in microseconds.
    pub(super) fn step(&mut self, input: Input) -> f64 {
        let Run { world, rollback, record, hero, .. } = self;
        let mut watch = Stopwatch::start();
        rollback.advance(world, (), |world, ()| {
            if let Some(hero) = *hero
                && world.get(hero).is_some_and(|state| state.input() != input)
            {
                let command = Command::SetInput(hero, input);
                if world.apply(command.clone()).is_ok() {
                    record.record_input(world.tick(), command);
                }
            }
            watch = Stopwatch::start();
        });
        watch.micros()
    }

    /// Puts the hero back to its start if it has fallen far below the map.
    pub(super) fn put_fallen_hero_back(&mut self) {
        let Some((id, state)) = self.hero.and_then(|hero| Some((hero, self.world.get(hero)?))) else { return };
        let ((left, bottom), (width, height)) = (self.world.map().origin(), self.world.map().size());
        let low = DVec2::new(left.into(), bottom.into());
        let up = self.world.settings().up.direction().as_dvec2();
        let lowest = low.dot(up).min((low + DVec2::new(width.into(), height.into())).dot(up));
        if state.position().to_dvec2().dot(up) > lowest - MAX_FALL_TILES {
            return;
        }
        let start = create_hero(&self.world, self.character()).position;
        if let Ok(start) = start {
            // The hero exists and its start is in the map, so these do not fail.
            let _ = self.apply_and_record(Command::Teleport(id, start));
            let _ = self.apply_and_record(Command::SetVelocity(id, DVec2::ZERO));
        }
    }

    /// Returns how many ticks can be rewound.
    pub(super) fn rewindable(&self) -> u64 {
        let ticks = self.rollback.ticks();
        ticks.end - ticks.start
    }

    /// Rewinds up to `ticks` ticks. Returns the tiles whose edits were undone.
    pub(super) fn rewind_by(&mut self, ticks: u64) -> Vec<(i32, i32)> {
        let tick = self.world.tick() - ticks.min(self.rewindable());
        // The rollback history has all these ticks, so this does not fail.
        if self.rollback.rewind_to(&mut self.world, tick).is_err() {
            return Vec::new();
        }
        self.pile.forget_bodies_after(tick);
        self.record.drop_entries_after(tick).iter().flat_map(|entry| tiles_set_by(&entry.command)).collect()
    }

    /// Applies a command between two ticks and records it.
    pub(super) fn apply_and_record(&mut self, command: Command) -> Result<Option<BodyId>, CommandError> {
        let spawned = self.world.apply(command.clone())?;
        self.record.record_between_ticks(self.world.tick(), command);
        Ok(spawned)
    }

    pub(super) fn tune(&mut self, character: Character) -> Result<(), CommandError> {
        match self.hero {
            Some(hero) if character != self.character() => {
                self.apply_and_record(Command::SetCharacter(hero, Box::new(character))).map(drop)
            }
            _ => Ok(()),
        }
    }

    pub(super) fn throw(&mut self, kind: Throwable, at: DVec2, velocity: DVec2) -> Result<BodyId, PlayError> {
        let position = Position::try_from(at).map_err(BodyError::from).map_err(CommandError::from)?;
        if self.world.mover().overlaps(kind.shape(), position) {
            return Err(PlayError::InSolid { kind, x: at.x, y: at.y });
        }
        let body = kind.body().at(position).velocity(velocity);
        body.check().map_err(CommandError::from)?;
        if let Some(oldest) = self.pile.oldest_if_full() {
            self.apply_and_record(Command::Despawn(oldest))?;
        }
        let id = self.apply_and_record(Command::Spawn(Box::new(body)))?.unwrap_or_default();
        self.pile.add(self.world.tick(), kind, id);
        Ok(id)
    }
}
