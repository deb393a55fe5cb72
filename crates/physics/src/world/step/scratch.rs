//! Memory that every step reuses. None of it is part of the saved state.

use super::trial::Before;
use super::{pairs, platforms};
use crate::body::Keys;
use crate::event::BodyId;
use crate::motion::{Nearby, Path, Scratch, SpareLists, Surfaces, Up};
use crate::movement::Hit;
use crate::platform::PlatformId;
use crate::terrain::ChunkKey;
use crate::version::Version;
use glam::I64Vec2;

/// Lists that every step fills again.
#[derive(Debug, Default)]
pub(in crate::world) struct StepScratch {
    pub(super) probe: Scratch,
    /// Terrain pieces for bodies that drop through tiles. Their terrain is one without these tiles.
    pub(super) near: Nearby,
    /// Memory for the terrain pieces around the current body.
    pub(super) spare_lists: SpareLists,
    /// Surfaces that touch the current body during its tick.
    pub(super) touched: Surfaces,
    /// Straight parts of the current body's path.
    pub(super) path: Path,
    pub(super) hits: Vec<Hit>,
    /// State of the current body before its tick, if the tick may be made again.
    pub(in crate::world) before: Before,
    pub(super) carries: platforms::Carries,
    pub(in crate::world) pairs: pairs::Pairs,
    pub(super) sleep: Sleep,
    pub(in crate::world) overrides: Overrides,
    /// Terrain pieces around a character that searches for a ledge.
    pub(super) ledge: Nearby,
    /// Bodies that overlap platforms.
    pub(in crate::world) overlapping: Vec<(BodyId, PlatformId)>,
    /// Chunks that were loaded on the path of a body.
    pub(in crate::world) loaded: Vec<ChunkKey>,
    /// Bodies that have left the map in this tick.
    pub(in crate::world) left_map: Vec<BodyId>,
}

/// Whether the last tick left anything to do.
#[derive(Debug, Default)]
pub(super) struct Sleep {
    /// Whether all bodies slept in the last tick and nothing else moves.
    pub(super) is_complete: bool,
    /// State of the world for which [`is_complete`](Sleep::is_complete) and the cache of sleeping bodies hold.
    pub(super) moment: Version,
}

/// Inputs, jumps, stops and shifts that replace a part of a body's own tick.
#[derive(Debug, Default)]
pub(in crate::world) struct Overrides {
    /// Slots of characters whose input in this tick is not that of the player, with the player's input. If a slot is
    /// there twice, the first entry counts.
    pub(in crate::world) steered: Vec<(usize, Keys)>,
    /// Slots of characters that jump off the ground in this tick, and for how many ticks the press is stored if other
    /// bodies block the jump.
    pub(in crate::world) asked: Vec<(usize, u8)>,
    /// Slots of bodies that make no own move in this tick.
    pub(in crate::world) stopped: Vec<usize>,
    /// Displacement by which the game shifts bodies in this tick, in units.
    pub(in crate::world) shifts: Vec<(BodyId, I64Vec2)>,
    /// Bodies for which areas have another up than before.
    pub(in crate::world) turned: Vec<(BodyId, Option<Up>)>,
}

impl StepScratch {
    /// Returns how platforms moved bodies in this tick.
    pub(super) fn carries(&self) -> &platforms::Carries {
        &self.carries
    }

    /// Returns memory for terrain queries at one moment.
    pub(in crate::world) fn query_memory(&mut self) -> (&mut Nearby, &mut Scratch) {
        (&mut self.ledge, &mut self.probe)
    }

    /// Drops the cache of sleeping bodies if it does not hold for the state of the world.
    pub(super) fn clear_sleep_grid_if_outdated(&mut self, moment: Version) {
        if std::mem::replace(&mut self.sleep.moment, moment) != moment {
            self.pairs.clear_sleep_grid();
        }
    }
}
