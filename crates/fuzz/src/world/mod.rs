//! Bytes as a small map, bodies on it, and what is done to them.

mod bodies;
mod ground;
mod number;

use crate::watched::Watched;
use arbitrary::{Result, Unstructured};
use ground::GHOST;
use surefoot::map::CollisionLayers;
use surefoot::prelude::*;
use surefoot::{Command, Map, geometry::I64Vec2};

/// The most commands.
const COMMANDS: usize = 120;

/// The most ticks.
const TICKS: u64 = 300;

/// The most bodies at once.
const BODIES: usize = 8;

/// Takes bytes as a map, settings and a course of commands and ticks, with numbers of all sorts.
///
/// Whatever the bytes, they are something: where they end, everything goes on with zeros for a few ticks.
///
/// # Panics
/// If a sub-move does not stand before the oracle, a command that is refused changes something, or a clone goes another way.
pub fn world(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    // There are zeros behind the end, so nothing fails for want of bytes.
    let Ok((map, settings)) = ground::map(&mut bytes).and_then(|map| Ok((map, ground::settings(&mut bytes)?))) else {
        return;
    };
    let mut course = Course { watched: Watched::new(map, settings), spawned: Vec::new() };
    for _ in 0..COMMANDS {
        if bytes.is_empty() || course.watched.world().tick() >= TICKS || course.go_on(&mut bytes).is_err() {
            break;
        }
    }
    for _ in 0..12 {
        course.watched.step();
    }
}

/// What happens to a world.
struct Course {
    watched: Watched,
    /// All bodies that ever were in it.
    spawned: Vec<BodyId>,
}

impl Course {
    /// The next command, or some ticks.
    fn go_on(&mut self, bytes: &mut Unstructured<'_>) -> Result<()> {
        let map = self.watched.world().map().clone();
        let choice: u8 = bytes.arbitrary()?;
        let command = match choice % 16 {
            0..=2 => {
                let body = bodies::body(bytes, &map)?;
                if self.watched.world().bodies().count() >= BODIES {
                    return Ok(());
                }
                Command::Spawn(Box::new(body))
            }
            3 => Command::Despawn(self.body(bytes)?),
            4 | 5 => Command::SetInput(self.body(bytes)?, bodies::input(bytes)?),
            6 => Command::SetVelocity(self.body(bytes)?, bodies::velocity(bytes)?),
            7 => {
                let body = self.body(bytes)?;
                let half = self.watched.world().get(body).map_or(I64Vec2::ZERO, |state| state.shape().half_units());
                match bodies::place(bytes, &map, half)? {
                    Some(position) => Command::Teleport(body, position),
                    None => {
                        self.watched.teleport(body, (number::any(bytes)?, number::any(bytes)?));
                        return Ok(());
                    }
                }
            }
            8 | 9 => {
                let layer = ground::layer(bytes)?;
                Command::SetTile { layer, tile: self.tile(bytes, &map)?, tile_id: ground::entry(bytes)? }
            }
            10 => {
                let (layer, from, to) = (ground::layer(bytes)?, self.tile(bytes, &map)?, self.tile(bytes, &map)?);
                Command::SetTiles { layer, from, to, tile_id: ground::entry(bytes)? }
            }
            // One in four, so that what is kept of older inputs is mostly what it was.
            11 if choice >= 192 => Command::SetCharacter(self.body(bytes)?, Box::new(bodies::character(bytes)?)),
            // To a ghost and back, and now and then to what there is not.
            11 if choice >= 112 => {
                let layers = *bytes.choose(&[
                    CollisionLayers::FIRST,
                    GHOST,
                    GHOST,
                    CollisionLayers::NONE,
                    CollisionLayers::ALL,
                ])?;
                Command::SetCollisionLayers(self.body(bytes)?, layers)
            }
            11 if choice >= 96 => {
                let (by, body) = (self.body(bytes)?, self.body(bytes)?);
                match bytes.int_in_range(0..=2)? {
                    0 => Command::Grab(by, body),
                    1 => Command::Carry(by, body, (number::any(bytes)?, number::any(bytes)?).into()),
                    _ => Command::Release(body, bodies::velocity(bytes)?),
                }
            }
            11 if choice >= 89 => Command::SetBody(self.body(bytes)?, Box::new(bodies::body(bytes, &map)?)),
            11 if choice >= 86 => {
                Command::Knockback(self.body(bytes)?, bodies::velocity(bytes)?, bytes.int_in_range(0..=9)?)
            }
            11 if choice >= 85 => Command::HitStop(self.body(bytes)?, bytes.int_in_range(0..=9)?),
            11 if choice >= 84 => Command::SetFacing(
                self.body(bytes)?,
                [Facing::Left, Facing::Unset, Facing::Right][bytes.int_in_range(0..=2)?],
            ),
            11 if choice >= 83 => Command::AddVelocity(self.body(bytes)?, bodies::velocity(bytes)?),
            11 if choice >= 82 => Command::MoveBy(self.body(bytes)?, (number::any(bytes)?, number::any(bytes)?).into()),
            11 if choice >= 80 => Command::SetShape(self.body(bytes)?, bodies::shape(bytes)?),
            11 if choice >= 64 => {
                let mask = *bytes.choose(&[
                    CollisionLayers::ALL,
                    CollisionLayers::ALL,
                    CollisionLayers::FIRST,
                    CollisionLayers::NONE,
                ])?;
                Command::SetCollisionMask(self.body(bytes)?, mask)
            }
            _ => {
                let ticks = 1 + bytes.int_in_range(0..=15)?;
                (0..ticks).for_each(|_| self.watched.step());
                return Ok(());
            }
        };
        self.spawned.extend(self.watched.give(command));
        Ok(())
    }

    /// A body that is or was in the world, or one that never was.
    fn body(&self, bytes: &mut Unstructured<'_>) -> Result<BodyId> {
        let which = usize::from(bytes.arbitrary::<u8>()?);
        Ok(self.spawned.get(which % (self.spawned.len() + 1)).copied().unwrap_or_default())
    }

    /// A tile around a body, often the one that it stands on, or one of the map.
    fn tile(&self, bytes: &mut Unstructured<'_>, map: &Map) -> Result<(i32, i32)> {
        if bytes.arbitrary()? {
            return ground::tile(bytes, map);
        }
        let (x, y) = self.watched.world().get(self.body(bytes)?).map_or((0, 0), |state| state.position().cell());
        Ok((x.saturating_add(bytes.int_in_range(-2..=2)?), y.saturating_add(bytes.int_in_range(-2..=1)?)))
    }
}
