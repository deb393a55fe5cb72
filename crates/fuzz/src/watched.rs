//! A world with its witnesses: every command and every tick is looked at.

use crate::witness::Witness;
use surefoot::prelude::*;
use surefoot::world::HeldKind;
use surefoot::{Command, Input, Map, World};

pub(crate) struct Watched {
    world: World,
    witness: Witness,
    /// Everything that was given, with the tick before which it was, for a report.
    given: Vec<(u64, Command)>,
}

impl Watched {
    pub(crate) fn new(map: Map, settings: Settings) -> Watched {
        let world = World::new(map, settings);
        Watched { witness: Witness::new(&world), world, given: Vec::new() }
    }

    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    /// Gives the world a command: carried out it shows, refused it has changed nothing.
    pub(crate) fn give(&mut self, command: Command) -> Option<BodyId> {
        let bodies = self.world.bodies().count();
        self.given.push((self.world.tick(), command.clone()));
        let spawned = self.unless_refused(|world| world.apply(command.clone()))?;
        if !self.shows(&command, bodies) {
            self.breach("carried out, and it does not show");
        }
        spawned
    }

    /// Puts a body to coordinates that need not be a place.
    pub(crate) fn teleport(&mut self, body: BodyId, to: (f64, f64)) {
        if let Ok(position) = Position::try_from(to) {
            self.give(Command::Teleport(body, position));
        } else if self.unless_refused(|world| world.teleport(body, to)).is_some() {
            self.breach(&format!("{body:?} is put to {to:?}, which is no place"));
        }
    }

    /// Does something to the world that it may refuse: then nothing has changed.
    fn unless_refused<T>(&mut self, act: impl FnOnce(&mut World) -> Result<T, CommandError>) -> Option<T> {
        let state = |world: &World| (world.checksum(), world.motion_checksum(), world.bodies().count());
        let before = state(&self.world);
        let outcome = act(&mut self.world);
        if let Err(error) = &outcome
            && state(&self.world) != before
        {
            self.breach(&format!("refused with {error:?}, and the world is another one"));
        }
        outcome.ok()
    }

    /// Whether the world is as a command that was carried out should leave it.
    fn shows(&self, command: &Command, bodies_before: usize) -> bool {
        let world = &self.world;
        let bodies_after = world.bodies().count();
        match command {
            Command::Spawn(_) => bodies_after == bodies_before + 1,
            Command::Despawn(id) => bodies_after + 1 == bodies_before && world.get(*id).is_none(),
            Command::SetInput(id, input) => {
                // -128 counts as -127.
                let expected = Input { walk: input.walk.max(-127), ..*input };
                world.get(*id).is_some_and(|state| state.input() == expected)
            }
            Command::SetVelocity(id, velocity) => world.get(*id).is_some_and(|state| {
                // In slow time it is rounded.
                let near = if state.body().time_scale == 1.0 { 0.0 } else { 1e-12 * velocity.length() };
                (state.velocity() - *velocity).length() <= near
            }),
            Command::SetFacing(id, side) => world.get(*id).is_some_and(|state| state.facing() == *side),
            Command::Teleport(id, position) => world.get(*id).is_some_and(|state| state.position() == *position),
            Command::SetCharacter(id, character) => {
                world.get(*id).is_some_and(|state| state.character() == Some(&**character))
            }
            Command::Grab(by, id) => {
                world.holder_of(*id).is_some_and(|grip| grip.by == *by && grip.kind == HeldKind::Pulled)
            }
            Command::Carry(by, id, _) => world.held_by(*by).is_some_and(|grip| grip.body == *id),
            Command::Release(id, _) => world.holder_of(*id).is_none() && !world[*id].is_carried(),
            Command::SetCollisionLayers(id, layers) => {
                world.get(*id).is_some_and(|state| state.body().collision_layers == *layers)
            }
            Command::SetBody(id, body) => world.get(*id).is_some_and(|state| {
                let shape = state.shape();
                *state.body()
                    == Body {
                        position: Body::default().position,
                        velocity: Body::default().velocity,
                        shape,
                        ..*body.clone()
                    }
            }),
            Command::SetShape(id, shape) => world.get(*id).is_some_and(|state| state.shape() == *shape),
            Command::SetTile { layer, tile, tile_id: entry } => world.tile_at(*layer, *tile) == Some(*entry),
            Command::SetTiles { layer, from, to, tile_id: entry } => {
                let mut rows = from.1.min(to.1)..=from.1.max(to.1);
                let columns = from.0.min(to.0)..=from.0.max(to.0);
                rows.all(|y| columns.clone().all(|x| world.tile_at(*layer, (x, y)) == Some(*entry)))
            }
            _ => true,
        }
    }

    /// Puts a body into the world if the world takes it.
    pub(crate) fn spawn(&mut self, body: Body) -> Option<BodyId> {
        self.give(Command::Spawn(Box::new(body)))
    }

    /// Every body's player holds the same.
    pub(crate) fn input_all(&mut self, input: Input) {
        let bodies: Vec<BodyId> = self.world.bodies().map(|(id, _)| id).collect();
        for id in bodies {
            self.give(Command::SetInput(id, input));
        }
    }

    /// One tick, beside a clone that knows nothing of what was kept for speed.
    pub(crate) fn step(&mut self) {
        self.witness.look(&self.world);
        let mut clone = self.world.clone();
        clone.step();
        self.world.step();
        let seen = |world: &World| (world.checksum(), world.motion_checksum(), world.events().to_vec());
        if seen(&clone) != seen(&self.world) {
            self.breach(&format!("a clone goes another way: {:?}, {:?}", seen(&clone), seen(&self.world)));
        }
        if let Err(breach) = self.witness.tick(&self.world) {
            self.breach(&breach);
        }
    }

    fn breach(&self, what: &str) -> ! {
        let world = &self.world;
        let given: Vec<String> = self.given.iter().map(|(tick, command)| format!("{tick}: {command:?}\n")).collect();
        let settings = world.settings();
        panic!(
            "{what}\nat tick {} with {settings:?} on\n{}given\n{}",
            world.tick(),
            world.map().to_ron(),
            given.concat()
        )
    }
}
