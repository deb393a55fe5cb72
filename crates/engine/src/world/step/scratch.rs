//! Memory that one step uses and the next one uses again. Nothing in it is part of the saved state.

use super::trial::Before;
use super::{pairs, platforms};
use crate::body::Keys;
use crate::event::BodyId;
use crate::motion::{Nearby, Path, Room, Scratch, Surfaces};
use crate::movement::Hit;
use crate::platform::PlatformId;
use crate::terrain::ChunkKey;
use glam::I64Vec2;

/// The lists that every step fills again.
#[derive(Debug, Default)]
pub(in crate::world) struct StepScratch {
    pub(in crate::world::step) probe: Scratch,
    /// The pieces for bodies that drop through tiles: they are of another terrain.
    pub(in crate::world::step) near: Nearby,
    /// Room for the pieces around whatever is looked at.
    pub(in crate::world::step) room: Room,
    /// What a body touches in the course of its tick.
    pub(in crate::world::step) touched: Surfaces,
    /// The straight parts of its way.
    pub(in crate::world::step) path: Path,
    pub(in crate::world::step) hits: Vec<Hit>,
    /// A body before its tick, if that may be made again.
    pub(in crate::world) before: Before,
    pub(in crate::world::step) carries: platforms::Carries,
    pub(in crate::world) pairs: pairs::Pairs,
    /// All bodies were at rest in the last tick, and nothing else is there that moves.
    pub(in crate::world::step) sleeps: bool,
    /// The slots of characters that are asked for something else in the tick under way than by their players, and what these hold down. One may
    /// be there twice: then the first one counts.
    pub(in crate::world) steered: Vec<(usize, Keys)>,
    /// Slots of characters that are to jump off the ground, and for how many ticks the press is kept if others block the jump.
    pub(in crate::world) asked: Vec<(usize, u8)>,
    /// The slots of bodies that do not move of themselves in the tick under way.
    pub(in crate::world) stopped: Vec<usize>,
    /// The pieces around a character that looks for a ledge.
    pub(in crate::world::step) ledge: Nearby,
    /// Bodies that are found to overlap platforms.
    pub(in crate::world) overlapping: Vec<(BodyId, PlatformId)>,
    /// By how much the game shifts bodies in the tick under way, in units.
    pub(in crate::world) shifts: Vec<(BodyId, I64Vec2)>,
    /// Chunks that were loaded on the way of a body.
    pub(in crate::world) loaded: Vec<ChunkKey>,
    /// Bodies that have left the map in this tick.
    pub(in crate::world) left: Vec<BodyId>,
}

impl StepScratch {
    /// What platforms have done to bodies in the tick under way.
    pub(in crate::world::step) fn carries(&self) -> &platforms::Carries {
        &self.carries
    }

    /// For looks around at one moment.
    pub(in crate::world) fn for_looks(&mut self) -> (&mut Nearby, &mut Scratch) {
        (&mut self.ledge, &mut self.probe)
    }

    /// Has platforms ask all bodies as they move next.
    pub(in crate::world) fn ask_platforms(&mut self) {
        self.carries.ask_all();
    }

    /// Has all be asked anew in the next tick.
    pub(in crate::world) fn ask_all(&mut self) {
        self.carries.ask_all();
        self.pairs.forget_sleeping();
        self.sleeps = false;
    }
}
