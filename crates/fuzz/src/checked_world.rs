//! A world whose commands and ticks are all checked.

use crate::tick_checks::TickChecker;
use surefoot::prelude::*;
use surefoot::world::HeldKind;
use surefoot::{Command, Input, Map, World};

pub(crate) struct CheckedWorld {
    world: World,
    checker: TickChecker,
    /// All commands with their ticks, for the report of a failure.
    commands: Vec<(u64, Command)>,
}

impl CheckedWorld {
    pub(crate) fn new(map: Map, settings: Settings) -> CheckedWorld {
        let world = World::new(map, settings);
        CheckedWorld { checker: TickChecker::new(&world), world, commands: Vec::new() }
    }

    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    /// Applies a command. Checks that it has its effect, or that a refused command changes nothing.
    pub(crate) fn apply(&mut self, command: Command) -> Option<BodyId> {
        let bodies = self.world.bodies().count();
        self.commands.push((self.world.tick(), command.clone()));
        let spawned = self.change_if_accepted(|world| world.apply(command.clone()))?;
        if !self.shows_effect_of_command(&command, bodies) {
            self.fail("carried out, and it does not show");
        }
        spawned
    }

    /// Teleports a body to coordinates that may not be a valid position.
    pub(crate) fn teleport(&mut self, body: BodyId, to: (f64, f64)) {
        if let Ok(position) = Position::try_from(to) {
            self.apply(Command::Teleport(body, position));
        } else if self.change_if_accepted(|world| world.teleport(body, to)).is_some() {
            self.fail(&format!("{body:?} is put to {to:?}, which is no place"));
        }
    }

    /// Changes the world. Checks that the world is unchanged if it refuses the change.
    fn change_if_accepted<T>(&mut self, change: impl FnOnce(&mut World) -> Result<T, CommandError>) -> Option<T> {
        let state = |world: &World| (world.checksum(), world.motion_checksum(), world.bodies().count());
        let before = state(&self.world);
        let outcome = change(&mut self.world);
        if let Err(error) = &outcome
            && state(&self.world) != before
        {
            self.fail(&format!("refused with {error:?}, and the world is another one"));
        }
        outcome.ok()
    }

    /// Returns whether the world shows the effect of an applied command.
    fn shows_effect_of_command(&self, command: &Command, bodies_before: usize) -> bool {
        let world = &self.world;
        let bodies_after = world.bodies().count();
        match command {
            Command::Spawn(_) => bodies_after == bodies_before + 1,
            Command::Despawn(id) => bodies_after + 1 == bodies_before && world.get(*id).is_none(),
            Command::SetInput(id, input) => {
                // The world stores a walk of -128 as -127.
                let expected = Input { walk: input.walk.max(-127), ..*input };
                world.get(*id).is_some_and(|state| state.input() == expected)
            }
            Command::SetVelocity(id, velocity) => world.get(*id).is_some_and(|state| {
                // A time scale rounds the velocity.
                let tolerance = if state.body().time_scale == 1.0 { 0.0 } else { 1e-12 * velocity.length() };
                (state.velocity() - *velocity).length() <= tolerance
            }),
            Command::SetFacing(id, side) => world.get(*id).is_some_and(|state| state.facing() == *side),
            Command::SetUp(id, up) => world.get(*id).is_some_and(|state| {
                let is_in_area = world.effects(*id).up.is_some();
                state.body().up == *up && (is_in_area || state.up() == up.unwrap_or(world.settings().up))
            }),
            Command::Teleport(id, position) => world.get(*id).is_some_and(|state| state.position() == *position),
            Command::SetCharacter(id, character) => {
                world.get(*id).is_some_and(|state| state.character() == Some(&**character))
            }
            Command::Grab(by, id) => {
                world.holder_of(*id).is_some_and(|held| held.by == *by && held.kind == HeldKind::Pulled)
            }
            Command::Carry(by, id, _) => world.held_by(*by).is_some_and(|held| held.body == *id),
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
                        facing: Body::default().facing,
                        shape,
                        ..*body.clone()
                    }
            }),
            Command::SetShape(id, shape) | Command::SetShapeFromTop(id, shape) => {
                world.get(*id).is_some_and(|state| state.shape() == *shape)
            }
            Command::SetTile { layer, tile, tile_id: entry } => world.tile_at(*layer, *tile) == Some(*entry),
            Command::SetTiles { layer, from, to, tile_id: entry } => {
                let mut rows = from.1.min(to.1)..=from.1.max(to.1);
                let columns = from.0.min(to.0)..=from.0.max(to.0);
                rows.all(|y| columns.clone().all(|x| world.tile_at(*layer, (x, y)) == Some(*entry)))
            }
            _ => true,
        }
    }

    /// Spawns a body if the world accepts it.
    pub(crate) fn spawn(&mut self, body: Body) -> Option<BodyId> {
        self.apply(Command::Spawn(Box::new(body)))
    }

    /// Sets the input of all bodies.
    pub(crate) fn set_input_of_all(&mut self, input: Input) {
        let bodies: Vec<BodyId> = self.world.bodies().map(|(id, _)| id).collect();
        for id in bodies {
            self.apply(Command::SetInput(id, input));
        }
    }

    /// Steps the world and a clone, and compares them. The clone starts without caches.
    pub(crate) fn step(&mut self) {
        self.checker.record_positions(&self.world);
        let mut clone = self.world.clone();
        clone.step();
        self.world.step();
        let result = |world: &World| (world.checksum(), world.motion_checksum(), world.events().to_vec());
        if result(&clone) != result(&self.world) {
            self.fail(&format!("a clone goes another way: {:?}, {:?}", result(&clone), result(&self.world)));
        }
        if let Err(breach) = self.checker.check_tick(&self.world) {
            self.fail(&breach);
        }
    }

    /// Panics with the settings, the map and all commands, so that the failure can be reproduced.
    fn fail(&self, what: &str) -> ! {
        let world = &self.world;
        let commands: Vec<String> =
            self.commands.iter().map(|(tick, command)| format!("{tick}: {command:?}\n")).collect();
        let settings = world.settings();
        panic!(
            "{what}\nat tick {} with {settings:?} on\n{}given\n{}",
            world.tick(),
            world.map().to_ron(),
            commands.concat()
        )
    }
}
