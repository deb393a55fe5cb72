//! Makes a small map, bodies and commands from bytes, and runs them.

mod bodies;
mod number;
mod terrain;

use crate::checked_world::CheckedWorld;
use arbitrary::{Result, Unstructured};
use surefoot::map::CollisionLayers;
use surefoot::prelude::*;
use surefoot::{Command, Map, World, geometry::I64Vec2};
use terrain::GHOST;

/// Maximum number of commands.
const MAX_COMMANDS: usize = 120;

/// Maximum number of ticks.
const MAX_TICKS: u64 = 300;

/// Maximum number of bodies at once.
const MAX_BODIES: usize = 8;

/// Runs a map, settings, commands and ticks made from bytes, with numbers of all sorts.
///
/// All bytes are valid. After their end, a few more ticks run.
///
/// # Panics
/// If the oracle finds a fault in a path, a refused command changes the world, or a clone diverges.
pub fn check_world(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    // Reading beyond the end returns zeros, so it does not fail for lack of bytes.
    let Ok((map, settings)) =
        terrain::choose_map(&mut bytes).and_then(|map| Ok((map, terrain::choose_settings(&mut bytes)?)))
    else {
        return;
    };
    let mut run = RandomRun { checked: CheckedWorld::new(map, settings), spawned: Vec::new() };
    for _ in 0..MAX_COMMANDS {
        if bytes.is_empty() || run.checked.world().tick() >= MAX_TICKS || run.apply_command_or_step(&mut bytes).is_err()
        {
            break;
        }
    }
    for _ in 0..12 {
        run.checked.step();
    }
}

/// Returns a small world with up to eight bodies, made from bytes. Some bodies are characters with any numbers.
///
/// Returns `None` if there are too few bytes.
#[must_use]
pub fn random_world(bytes: &[u8]) -> Option<World> {
    let mut bytes = Unstructured::new(bytes);
    let map = terrain::choose_map(&mut bytes).ok()?;
    let mut world = World::new(map.clone(), terrain::choose_settings(&mut bytes).ok()?);
    for _ in 0..MAX_BODIES {
        // The world refuses bodies with numbers out of range.
        let _ = world.spawn(bodies::choose_new_body(&mut bytes, &map).ok()?);
    }
    Some(world)
}

/// A world that receives commands made from bytes.
struct RandomRun {
    checked: CheckedWorld,
    /// All bodies that were ever spawned.
    spawned: Vec<BodyId>,
}

impl RandomRun {
    /// Applies the next command or steps some ticks.
    fn apply_command_or_step(&mut self, bytes: &mut Unstructured<'_>) -> Result<()> {
        let map = self.checked.world().map().clone();
        let choice: u8 = bytes.arbitrary()?;
        let command = match choice % 16 {
            0..=2 => {
                let body = bodies::choose_new_body(bytes, &map)?;
                if self.checked.world().bodies().count() >= MAX_BODIES {
                    return Ok(());
                }
                Command::Spawn(Box::new(body))
            }
            3 => Command::Despawn(self.choose_body(bytes)?),
            4 | 5 => Command::SetInput(self.choose_body(bytes)?, bodies::choose_input(bytes)?),
            6 => Command::SetVelocity(self.choose_body(bytes)?, bodies::choose_velocity(bytes)?),
            7 => {
                let body = self.choose_body(bytes)?;
                let half = self.checked.world().get(body).map_or(I64Vec2::ZERO, |state| state.shape().half_units());
                match bodies::choose_position(bytes, &map, half)? {
                    Some(position) => Command::Teleport(body, position),
                    None => {
                        self.checked.teleport(body, (number::any_number(bytes)?, number::any_number(bytes)?));
                        return Ok(());
                    }
                }
            }
            8 | 9 => {
                let layer = terrain::choose_layer(bytes)?;
                Command::SetTile {
                    layer,
                    tile: self.choose_tile_near_body(bytes, &map)?,
                    tile_id: terrain::choose_tile_id(bytes)?,
                }
            }
            10 => {
                let (layer, from, to) = (
                    terrain::choose_layer(bytes)?,
                    self.choose_tile_near_body(bytes, &map)?,
                    self.choose_tile_near_body(bytes, &map)?,
                );
                Command::SetTiles { layer, from, to, tile_id: terrain::choose_tile_id(bytes)? }
            }
            11 => match self.choose_rare_command(choice, bytes, &map)? {
                Some(command) => command,
                None => return self.step_some_ticks(bytes),
            },
            _ => return self.step_some_ticks(bytes),
        };
        self.spawned.extend(self.checked.apply(command));
        Ok(())
    }

    fn step_some_ticks(&mut self, bytes: &mut Unstructured<'_>) -> Result<()> {
        let ticks = 1 + bytes.int_in_range(0..=15)?;
        (0..ticks).for_each(|_| self.checked.step());
        Ok(())
    }

    /// Returns the command of a choice whose remainder by 16 is 11. `None` if the choice steps the world.
    fn choose_rare_command(&self, choice: u8, bytes: &mut Unstructured<'_>, map: &Map) -> Result<Option<Command>> {
        Ok(Some(match choice {
            // Only a quarter of the choices set a character, so that most of the older corpus inputs keep their
            // meaning.
            192.. => Command::SetCharacter(self.choose_body(bytes)?, Box::new(bodies::choose_character(bytes)?)),
            // Mostly switch between ghost and body layer, sometimes to no layer or all layers.
            112..192 => {
                let layers = *bytes.choose(&[
                    CollisionLayers::FIRST,
                    GHOST,
                    GHOST,
                    CollisionLayers::NONE,
                    CollisionLayers::ALL,
                ])?;
                Command::SetCollisionLayers(self.choose_body(bytes)?, layers)
            }
            96..112 => {
                let (by, body) = (self.choose_body(bytes)?, self.choose_body(bytes)?);
                match bytes.int_in_range(0..=2)? {
                    0 => Command::Grab(by, body),
                    1 => Command::Carry(by, body, (number::any_number(bytes)?, number::any_number(bytes)?).into()),
                    _ => Command::Release(body, bodies::choose_velocity(bytes)?),
                }
            }
            89..96 => Command::SetBody(self.choose_body(bytes)?, Box::new(bodies::choose_new_body(bytes, map)?)),
            // These choices did nothing before they were used here, so most of the older corpus inputs keep their
            // meaning.
            43 => self.choose_command_for_body(bytes)?,
            59 => {
                let ups =
                    [None, Some(Up::PlusY), Some(Up::MinusX), Some(Up::MinusY), Some(Up::MinusY), Some(Up::PlusX)];
                Command::SetUp(self.choose_body(bytes)?, *bytes.choose(&ups)?)
            }
            64..89 => {
                let mask = *bytes.choose(&[
                    CollisionLayers::ALL,
                    CollisionLayers::ALL,
                    CollisionLayers::FIRST,
                    CollisionLayers::NONE,
                ])?;
                Command::SetCollisionMask(self.choose_body(bytes)?, mask)
            }
            _ => return Ok(None),
        }))
    }

    /// Returns a command that changes the motion or the shape of a body.
    fn choose_command_for_body(&self, bytes: &mut Unstructured<'_>) -> Result<Command> {
        let body = self.choose_body(bytes)?;
        Ok(match bytes.int_in_range(0..=5)? {
            0 => Command::Knockback(body, bodies::choose_velocity(bytes)?, bytes.int_in_range(0..=9)?),
            1 => Command::HitStop(body, bytes.int_in_range(0..=9)?),
            2 => Command::SetFacing(body, *bytes.choose(&[Facing::Left, Facing::Unset, Facing::Right])?),
            3 => Command::AddVelocity(body, bodies::choose_velocity(bytes)?),
            4 => Command::MoveBy(body, (number::any_number(bytes)?, number::any_number(bytes)?).into()),
            _ => Command::SetShape(body, bodies::choose_shape(bytes)?),
        })
    }

    /// Returns the id of a body that is or was in the world, or an id that never existed.
    fn choose_body(&self, bytes: &mut Unstructured<'_>) -> Result<BodyId> {
        let index = usize::from(bytes.arbitrary::<u8>()?);
        Ok(self.spawned.get(index % (self.spawned.len() + 1)).copied().unwrap_or_default())
    }

    /// Returns a tile near a body, often the tile below it, or a tile of the map.
    fn choose_tile_near_body(&self, bytes: &mut Unstructured<'_>, map: &Map) -> Result<(i32, i32)> {
        if bytes.arbitrary()? {
            return terrain::choose_tile(bytes, map);
        }
        let (x, y) = self.checked.world().get(self.choose_body(bytes)?).map_or((0, 0), |state| state.position().cell());
        Ok((x.saturating_add(bytes.int_in_range(-2..=2)?), y.saturating_add(bytes.int_in_range(-2..=1)?)))
    }
}
