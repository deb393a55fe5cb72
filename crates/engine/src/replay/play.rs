use super::{Action, Misplaced, NamedBody, Replay};
use crate::checksum::{Checksum, PHYSICS_VERSION};
use crate::command::Command;
use crate::event::BodyId;
use crate::terrain::TileSource;
use crate::world::World;
use slotmap::SecondaryMap;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// Runs a replay on a world of its own, tick by tick, and compares the checksums.
#[derive(Clone, Debug)]
pub struct Player {
    replay: Replay,
    world: World,
    ids: BTreeMap<String, BodyId>,
    /// Which of the replay's inputs are whose.
    inputs: BTreeMap<String, usize>,
    names: SecondaryMap<BodyId, String>,
    /// What the bodies in the world hold down that still have runs to come.
    held: Vec<Held>,
    next_command: usize,
    next_checkpoint: usize,
    /// What was found elsewhere when places were last compared.
    pub(super) misplaced: Vec<Misplaced>,
    /// Why nothing is played, and whether that was told.
    refused: Option<Divergence>,
    told: bool,
}

/// How far a body is in its inputs.
#[derive(Clone, Debug)]
struct Held {
    body: BodyId,
    /// Which of the replay's inputs are the body's.
    inputs: usize,
    run: usize,
    /// Ticks to go before that run.
    wait: u64,
}

/// What comparing a tick has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The replay has no checksums for this tick.
    Unchecked,
    /// They are those of the world.
    Agrees,
    /// They are not.
    Differs(Divergence),
}

/// A tick after which a world is not as it was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{}", told(self))]
pub struct Divergence {
    /// How many ticks had been stepped.
    pub tick: u64,
    /// The recorded checksum.
    pub expected: Checksum,
    /// The checksum of the world.
    pub found: Checksum,
    /// Whether bodies are elsewhere, or only something else is different.
    pub what: Difference,
}

fn told(Divergence { tick, expected, found, what }: &Divergence) -> String {
    match what {
        Difference::NoSource => format!("the tiles come from a source that is not given; expected that of {expected}"),
        Difference::Source => format!("the tiles come from the source of {found}; expected that of {expected}"),
        Difference::Motion | Difference::State => {
            format!("the {what} differs after tick {tick}: checksum {found}, expected {expected}")
        }
        Difference::ChangedMap => format!(
            "the {what} differs after tick {tick}: checksum {found}, expected {expected}; the map has changed since it was \
             recorded"
        ),
    }
}

/// What is different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// The motion: a body's place or velocity.
    Motion,
    /// The motion, on a map that is not as it was when the replay was recorded.
    ChangedMap,
    /// The state but not the motion: a setting, an input, a tile, a contact.
    State,
    /// The replay is of a streamed world, and the player has no source of its tiles; nothing was played. Expected is what
    /// the source has said of itself.
    NoSource,
    /// The player has another source of tiles than the replay was recorded with; nothing was played. What is compared is
    /// what the two say of themselves, 0 for a replay without a source.
    Source,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Difference::Motion | Difference::ChangedMap => "motion",
            Difference::State => "state",
            Difference::NoSource | Difference::Source => "source of the tiles",
        })
    }
}

/// What a replay came to that ran to its end without a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// How many ticks were stepped.
    pub ticks: u64,
    /// The checksum of the whole state at the end.
    pub checksum: Checksum,
    /// How many checkpoints were compared; 0 for a replay without checksums.
    pub compared: usize,
    /// Only the motion was compared, see [`Player::is_motion_only`].
    pub motion_only: bool,
    /// The map is not as it was when the replay was recorded, see [`Replay::map_has_changed`].
    pub map_changed: bool,
}

impl Player {
    /// A player at the beginning of a replay: its first bodies are in the world, and no tick is stepped.
    ///
    /// A replay of a streamed world is not played so: the first step tells of [`Difference::NoSource`] and is the last.
    #[must_use]
    pub fn new(replay: Replay) -> Player {
        let world = World::new(replay.map.clone(), replay.settings);
        let expected = replay.tiles.map(Checksum);
        let refused =
            expected.map(|expected| Divergence { tick: 0, expected, found: Checksum(0), what: Difference::NoSource });
        Player::on(world, replay, refused)
    }

    /// A player of a replay of a streamed world, with the source that its tiles came from.
    ///
    /// A replay of another source, or of a world on a map, is not played: the first step tells of [`Difference::Source`]
    /// and is the last.
    #[must_use]
    pub fn streamed(replay: Replay, source: Arc<dyn TileSource>) -> Player {
        let world = World::streamed(replay.map.clone(), source, replay.settings);
        let (expected, found) = (replay.tiles, world.terrain().source_identity());
        let [told, own] = [expected, found].map(|identity| Checksum(identity.unwrap_or(0)));
        let refused =
            (expected != found).then_some(Divergence { tick: 0, expected: told, found: own, what: Difference::Source });
        Player::on(world, replay, refused)
    }

    fn on(world: World, replay: Replay, refused: Option<Divergence>) -> Player {
        let mut player = Player {
            world,
            ids: BTreeMap::new(),
            inputs: replay.inputs.iter().enumerate().map(|(i, (name, _))| (name.clone(), i)).collect(),
            names: SecondaryMap::new(),
            held: Vec::new(),
            next_command: 0,
            next_checkpoint: 0,
            misplaced: Vec::new(),
            replay,
            refused,
            told: false,
        };
        for i in 0..player.replay.bodies.len() {
            let body = player.replay.bodies[i].clone();
            player.spawn(body);
        }
        player
    }

    /// Moves the world on by one tick; `None` at the end of the replay.
    ///
    /// After a tick that differs the player goes on all the same, so that one can look at what comes of it.
    pub fn step(&mut self) -> Option<Verdict> {
        if let Some(divergence) = self.refused {
            return (!std::mem::replace(&mut self.told, true)).then_some(Verdict::Differs(divergence));
        }
        let tick = self.world.tick();
        if tick >= self.replay.ticks {
            return None;
        }
        while self.replay.commands.get(self.next_command).is_some_and(|command| command.tick == tick) {
            let action = self.replay.commands[self.next_command].action.clone();
            self.next_command += 1;
            self.act(action);
        }
        self.set_inputs();
        self.world.step();
        Some(self.compare())
    }

    /// Runs the rest of the replay, at most to the first tick that differs.
    ///
    /// # Errors
    /// [`Divergence`]: that tick and the two checksums.
    pub fn run(&mut self) -> Result<Summary, Divergence> {
        if let Some(divergence) = self.refused {
            return Err(divergence);
        }
        while let Some(verdict) = self.step() {
            if let Verdict::Differs(divergence) = verdict {
                return Err(divergence);
            }
        }
        Ok(Summary {
            ticks: self.world.tick(),
            checksum: self.checksum(),
            compared: self.next_checkpoint,
            motion_only: self.is_motion_only(),
            map_changed: self.replay.map_has_changed(),
        })
    }

    /// The world as it is now.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The replay.
    #[must_use]
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// Whether only the motion is compared: the replay was made by another physics version or on another state of its
    /// map.
    #[must_use]
    pub fn is_motion_only(&self) -> bool {
        self.replay.physics != PHYSICS_VERSION || self.replay.map_has_changed()
    }

    /// The checksum of the world: [`World::checksum`].
    #[must_use]
    pub fn checksum(&self) -> Checksum {
        self.world.checksum()
    }

    /// The bodies in the world with their names, in the order of their slots.
    pub fn names(&self) -> impl Iterator<Item = (BodyId, &str)> {
        self.world.bodies().filter_map(|(id, _)| self.name(id).map(|name| (id, name)))
    }

    /// The name of a body, also of one that has been removed.
    #[must_use]
    pub fn name(&self, body: BodyId) -> Option<&str> {
        self.names.get(body).map(String::as_str)
    }

    /// The body of a name; `None` if there is none, not yet or no longer.
    #[must_use]
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.ids.get(name).copied().filter(|&id| self.world.get(id).is_some())
    }

    fn spawn(&mut self, NamedBody { name, body }: NamedBody) {
        // A replay's bodies are checked, and there are fewer than a world holds.
        let Ok(id) = self.world.spawn(body) else { return };
        if let Some(&inputs) = self.inputs.get(&name) {
            self.held.push(Held { body: id, inputs, run: 0, wait: 0 });
        }
        self.names.insert(id, name.clone());
        self.ids.insert(name, id);
    }

    /// Carries out a command. What a world can refuse was refused when the replay was read or recorded.
    fn act(&mut self, action: Action) {
        let id = |name: &str| self.ids.get(name).copied().unwrap_or_default();
        let command = match action {
            Action::Spawn(body) => return self.spawn(*body),
            Action::Remove(name) => Command::Remove(id(&name)),
            Action::SetVelocity(name, velocity) => Command::SetVelocity(id(&name), velocity),
            Action::Teleport(name, place) => Command::Teleport(id(&name), place),
            Action::SetCharacter(name, character) => Command::SetCharacter(id(&name), character),
            Action::SetTile { layer, tile, entry } => Command::SetTile { layer, tile, entry },
            Action::SetTiles { layer, from, to, entry } => Command::SetTiles { layer, from, to, entry },
        };
        let applied = self.world.apply(command);
        // How far a source's tiles go is not known when a replay is read by hand.
        debug_assert!(applied.is_ok() || self.replay.tiles.is_some(), "{applied:?}");
    }

    fn set_inputs(&mut self) {
        let Player { replay, world, held, .. } = self;
        held.retain_mut(|held| {
            let runs = &replay.inputs[held.inputs].1;
            if held.wait == 0 {
                let Some(run) = runs.get(held.run) else { return false };
                world.set_input(held.body, run.input);
                (held.run, held.wait) = (held.run + 1, run.ticks);
            }
            held.wait -= 1;
            true
        });
    }

    fn compare(&mut self) -> Verdict {
        let tick = self.world.tick();
        let checkpoint = self.replay.checksums.get(self.next_checkpoint);
        let Some(checkpoint) = checkpoint.filter(|checkpoint| checkpoint.tick == tick) else {
            return Verdict::Unchecked;
        };
        self.next_checkpoint += 1;
        let (state, motion) = (checkpoint.state, checkpoint.motion);
        if !checkpoint.places.is_empty() {
            self.misplaced = self.differing(checkpoint);
        }
        let differs = |what, expected, found| Verdict::Differs(Divergence { tick, expected, found, what });
        let found = self.world.motion_checksum();
        if found != motion {
            let changed = self.replay.map_has_changed();
            return differs(if changed { Difference::ChangedMap } else { Difference::Motion }, motion, found);
        }
        if self.is_motion_only() {
            return Verdict::Agrees;
        }
        let found = self.checksum();
        if found == state { Verdict::Agrees } else { differs(Difference::State, state, found) }
    }
}
