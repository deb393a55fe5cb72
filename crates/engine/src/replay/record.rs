use super::{Action, Checkpoint, InputRun, MapSource, NamedBody, NamedPlace, RecordError, Replay, TimedAction};
use crate::body::Input;
use crate::catalogue::Catalogue;
use crate::checksum::PHYSICS_VERSION;
use crate::command::Command;
use crate::event::BodyId;
use crate::map::Map;
use crate::world::{Roster, Settings, World};
use std::collections::BTreeMap;
use std::sync::Arc;
use surefoot_geometry::Place;

/// Writes down what is done to a world while a game runs it.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::replay::{MapSource, Player, Recorder};
///
/// let map = Map::from_ron(r##"Map(format: 1, tiles: ["@...", "===="])"##)?;
/// let start = map.marker("start").ok_or("no start")?;
/// let mut world = World::new(map, Settings::default());
/// let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::default()))?;
///
/// let mut recorder = Recorder::new(&world, 60)?;
/// recorder.name(hero, "hero")?;
/// for tick in 0..100 {
///     world.set_input(hero, Input { walk: if tick < 50 { 127 } else { 0 }, ..Input::default() });
///     world.step();
///     recorder.tick(&world);
/// }
/// let replay = recorder.finish(&world, MapSource::Inline)?;
/// assert_eq!(Player::new(replay).run()?.checksum, world.checksum());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    map: Arc<Map>,
    /// What the source of a streamed world said of itself.
    tiles: Option<u64>,
    settings: Settings,
    every: u64,
    ticks: u64,
    /// Spawns and removals give the same keys here as in the world.
    keys: Roster,
    /// Every body that ever was in the world.
    bodies: BTreeMap<BodyId, Track>,
    /// How many bodies go into the replay's list, since they are there before the first tick.
    at_first: usize,
    /// Something was done that shows in the bodies spawned after it, which so must not come before it.
    first_list_ended: bool,
    commands: Vec<(u64, Command, BodyId)>,
    names: BTreeMap<BodyId, String>,
    named: BTreeMap<String, BodyId>,
    checksums: Vec<Checkpoint>,
    /// Where bodies were at each of these, if that is to be written down; names are known at the end.
    places: Option<Vec<Vec<(BodyId, Place)>>>,
    /// How many places there are.
    place_count: usize,
    /// What has gone wrong on the way.
    failure: Option<RecordError>,
}

/// What is kept of a body.
#[derive(Clone, Debug)]
struct Track {
    /// How many bodies were spawned before.
    number: usize,
    /// Its first tick.
    from: u64,
    /// Each change of its input with its tick.
    inputs: Vec<(u64, Input)>,
}

impl Recorder {
    /// A recorder for a world that has not been stepped yet; bodies may be in it already. It takes checksums every that
    /// many ticks and at the end; 0 is at the end only.
    ///
    /// # Errors
    /// [`RecordError::NotFresh`], and [`RecordError::OtherCatalogue`] for a map whose tiles a replay cannot name.
    pub fn new(world: &World, every_n_ticks: u32) -> Result<Recorder, RecordError> {
        if world.tick() != 0 {
            return Err(RecordError::NotFresh { tick: world.tick() });
        }
        let (catalogue, builtin) = (world.map().catalogue(), Catalogue::builtin());
        // A map in a file may name its own catalogue.
        let is_named = world.map().catalogue_file().is_some();
        if !is_named && !Arc::ptr_eq(catalogue, &builtin) && catalogue.patterns() != builtin.patterns() {
            return Err(RecordError::OtherCatalogue);
        }
        Ok(Recorder {
            map: world.map().clone(),
            tiles: world.terrain().source_identity(),
            settings: world.settings(),
            every: u64::from(every_n_ticks),
            ticks: 0,
            keys: Roster::default(),
            bodies: BTreeMap::new(),
            at_first: 0,
            first_list_ended: false,
            commands: Vec::new(),
            names: BTreeMap::new(),
            named: BTreeMap::new(),
            checksums: Vec::new(),
            places: None,
            place_count: 0,
            failure: None,
        })
    }

    /// Also writes down with all checksums where each body is, so that a player that runs otherwise can name the body that
    /// went astray and show where it should have been: see [`Player::misplaced`](super::Player::misplaced).
    ///
    /// A body takes some 40 bytes of the file each time. Once the bodies of a tick would be more than
    /// [`Replay::MAX_PLACES`] in all, that tick and those after it have none.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    ///
    /// let map = Map::from_ron(r#"Map(format: 1, tiles: ["....", "===="])"#)?;
    /// let mut world = World::new(map, Settings::default());
    /// let mut recorder = Recorder::new(&world, 32)?.with_places();
    /// // A 64th of a tile in each tick.
    /// let ball = world.spawn(Body::new(Shape::circle(0.25)).at((1.5, 1.25)).moving((60.0 / 64.0, 0.0)))?;
    /// recorder.name(ball, "ball")?;
    /// for _ in 0..64 {
    ///     world.step();
    ///     recorder.tick(&world);
    /// }
    /// let mut player = Player::new(recorder.finish(&world, MapSource::Inline)?);
    /// player.run()?;
    /// assert!(player.misplaced().is_empty());
    /// let [ball] = player.expected_places(32) else { return Err("one body".into()) };
    /// assert_eq!((ball.name.as_str(), ball.place), ("ball", Place::new(2.0, 1.25)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_places(self) -> Recorder {
        let places = self.places.unwrap_or_else(|| vec![Vec::new(); self.checksums.len()]);
        Recorder { places: Some(places), ..self }
    }

    /// Names a body; at any time, before its first tick or after it was removed. Bodies without a name get one of their
    /// number, `body_1` and so on.
    ///
    /// # Errors
    /// [`RecordError`] for an empty name and for one that another body has.
    pub fn name(&mut self, body: BodyId, name: impl Into<String>) -> Result<(), RecordError> {
        let name = name.into();
        if name.is_empty() {
            return Err(RecordError::NamelessBody);
        }
        if self.named.get(&name).is_some_and(|&other| other != body) {
            return Err(RecordError::DuplicateName { name });
        }
        self.named.insert(name.clone(), body);
        if let Some(before) = self.names.insert(body, name.clone()).filter(|before| *before != name) {
            self.named.remove(&before);
        }
        Ok(())
    }

    /// Writes down the tick that the world has just stepped. To be called after each step; what is wrong with that is
    /// told by [`Recorder::finish`].
    pub fn tick(&mut self, world: &World) {
        let tick = self.ticks;
        self.ticks += 1;
        if self.failure.is_some() {
            return;
        }
        if world.tick() != self.ticks {
            self.failure = Some(RecordError::MissedTick { expected: self.ticks, found: world.tick() });
            return;
        }
        for command in world.commands() {
            self.command(tick, command);
        }
        if self.every > 0 && self.ticks.is_multiple_of(self.every) {
            self.checkpoint(world);
        }
    }

    /// The replay of everything up to the last step, with the map in a file or in the replay itself; the map's file is
    /// not written.
    ///
    /// It ends in a checksum, unless commands have been given since the last step: then it ends in the last one before.
    ///
    /// # Errors
    /// [`RecordError`] for a map of another catalogue that no file names or that is to be put into the replay, ticks that
    /// were not shown, names of bodies that never were there, a path that leads out of the replay's folder, and more
    /// ticks or bodies than a replay may have.
    pub fn finish(mut self, world: &World, map: MapSource) -> Result<Replay, RecordError> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        if world.tick() != self.ticks {
            return Err(RecordError::MissedTick { expected: self.ticks, found: world.tick() });
        }
        if self.ticks > Replay::MAX_TICKS {
            return Err(RecordError::TooManyTicks);
        }
        if self.bodies.len() > Replay::MAX_BODIES {
            return Err(RecordError::TooManyBodies);
        }
        if map == MapSource::Inline && self.map.catalogue_file().is_some() {
            return Err(RecordError::OtherCatalogue);
        }
        if let MapSource::File(path) = &map
            && super::inside(path).is_none()
        {
            return Err(RecordError::MapPath { path: path.clone() });
        }
        if let Some((&id, _)) = self.names.iter().find(|(id, _)| !self.bodies.contains_key(id)) {
            return Err(RecordError::NoSuchBody(id));
        }
        let taken = self.checksums.last().is_some_and(|last| last.tick == self.ticks);
        // Commands given since the last step are no part of the recording, but may have changed the world already.
        if self.ticks > 0 && !taken && world.pending.is_empty() {
            self.checkpoint(world);
        }
        self.name_the_rest();
        let checksums = self.checkpoints();
        let (mut bodies, mut commands) = (Vec::new(), Vec::new());
        for (tick, command, id) in &self.commands {
            let name = || self.names.get(id).cloned().unwrap_or_default();
            let action = match command {
                Command::Spawn(body) => {
                    let body = NamedBody { name: name(), body: body.as_ref().clone() };
                    if bodies.len() < self.at_first {
                        bodies.push(body);
                        continue;
                    }
                    Action::Spawn(Box::new(body))
                }
                Command::Remove(_) => Action::Remove(name()),
                Command::SetVelocity(_, velocity) => Action::SetVelocity(name(), *velocity),
                Command::Teleport(_, place) => Action::Teleport(name(), *place),
                Command::SetCharacter(_, character) => Action::SetCharacter(name(), *character),
                Command::SetTile { layer, tile, entry } => {
                    Action::SetTile { layer: *layer, tile: *tile, entry: *entry }
                }
                Command::SetTiles { layer, from, to, entry } => {
                    Action::SetTiles { layer: *layer, from: *from, to: *to, entry: *entry }
                }
                Command::SetInput(..) => continue,
            };
            commands.push(TimedAction { tick: *tick, action });
        }
        let mut tracks: Vec<_> = self.bodies.iter().filter(|(_, track)| !track.inputs.is_empty()).collect();
        tracks.sort_unstable_by_key(|(_, track)| track.number);
        let inputs = tracks.iter().map(|(id, track)| (self.names[id].clone(), track.runs(self.ticks))).collect();
        Ok(Replay {
            physics: PHYSICS_VERSION,
            source: map,
            recorded_on: self.map.checksum(),
            map: self.map,
            tiles: self.tiles,
            settings: self.settings,
            bodies,
            inputs,
            commands,
            ticks: self.ticks,
            checksums,
        })
    }

    fn command(&mut self, tick: u64, command: &Command) {
        let id = match command {
            Command::Spawn(_) => {
                let id = self.keys.insert();
                let number = self.bodies.len();
                self.bodies.insert(id, Track { number, from: tick, inputs: Vec::new() });
                if tick == 0 && !self.first_list_ended {
                    self.at_first += 1;
                }
                id
            }
            Command::Remove(id) => {
                self.keys.remove(*id);
                // The next spawn fills its slot.
                self.first_list_ended = true;
                *id
            }
            Command::SetInput(id, input) => {
                if let Some(track) = self.bodies.get_mut(id) {
                    track.set(tick, *input);
                }
                return;
            }
            // Bodies do not act on each other: this is nothing to one that is spawned later.
            Command::SetVelocity(id, _) | Command::Teleport(id, _) | Command::SetCharacter(id, _) => *id,
            Command::SetTile { .. } | Command::SetTiles { .. } => {
                // A spawn looks at what the body touches and whether it stands; a body that is there already only learns
                // in the next step that tiles have changed.
                self.first_list_ended = true;
                BodyId::default()
            }
        };
        self.commands.push((tick, command.clone(), id));
    }

    fn checkpoint(&mut self, world: &World) {
        let (state, motion) = (world.checksum(), world.motion_checksum());
        self.checksums.push(Checkpoint { tick: world.tick(), state, motion, places: Vec::new() });
        let Some(places) = &mut self.places else { return };
        self.place_count = self.place_count.saturating_add(world.bodies().count());
        let fits = self.place_count <= Replay::MAX_PLACES;
        let bodies = world.bodies().filter(|_| fits);
        places.push(bodies.map(|(id, state)| (id, state.place())).collect());
    }

    /// The checkpoints, with places by name.
    fn checkpoints(&mut self) -> Vec<Checkpoint> {
        let mut checkpoints = std::mem::take(&mut self.checksums);
        for (checkpoint, places) in checkpoints.iter_mut().zip(self.places.take().into_iter().flatten()) {
            let named = |(id, place)| Some(NamedPlace { name: self.names.get(&id)?.clone(), place });
            checkpoint.places = places.into_iter().filter_map(named).collect();
        }
        checkpoints
    }

    /// Gives bodies without a name one of their number, or of the next that is free.
    fn name_the_rest(&mut self) {
        let unnamed = self.bodies.iter().filter(|(id, _)| !self.names.contains_key(id));
        let mut unnamed: Vec<_> = unnamed.map(|(&id, track)| (track.number, id)).collect();
        unnamed.sort_unstable();
        for (number, id) in unnamed {
            let mut names = (number + 1..).map(|number| format!("body_{number}"));
            if let Some(name) = names.find(|name| !self.named.contains_key(name)) {
                self.named.insert(name.clone(), id);
                self.names.insert(id, name);
            }
        }
    }
}

impl Track {
    /// Takes down an input; the last of a tick counts.
    fn set(&mut self, tick: u64, input: Input) {
        let input = Input { walk: input.walk.max(-127), ..input };
        if self.inputs.last().is_some_and(|&(last, _)| last == tick) {
            self.inputs.pop();
        }
        let before = self.inputs.last().map(|&(_, input)| input).unwrap_or_default();
        if input != before {
            self.inputs.push((tick, input));
        }
    }

    /// The inputs from the body's first tick to the last of the replay, run by run.
    fn runs(&self, end: u64) -> Vec<InputRun> {
        let mut runs = Vec::new();
        let mut run = |from: u64, to: u64, input| {
            if to > from {
                runs.push(InputRun { ticks: to - from, input });
            }
        };
        let (mut from, mut held) = (self.from, Input::default());
        for &(tick, input) in &self.inputs {
            run(from, tick, held);
            (from, held) = (tick, input);
        }
        run(from, end, held);
        runs
    }
}
