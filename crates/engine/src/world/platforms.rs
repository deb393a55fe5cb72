//! The platforms of a world: where each is on its way, and which bodies they pass through.

use super::slots::Slots;
use crate::event::BodyId;
use crate::map::{Map, MapParts, Sides};
use crate::motion::{self, Owner};
use crate::platform::{Course, Motion, OnCrush, Platform, PlatformError, PlatformId};
use crate::terrain::Terrain;
use glam::{DVec2, I64Vec2, Vec2};
use slotmap::Key;
use smallvec::SmallVec;
use std::sync::Arc;
use surefoot_geometry::{Position, to_lengths};

/// A platform in a world.
#[derive(Clone, Debug)]
pub struct PlatformState {
    pub(crate) platform: Arc<Platform>,
    /// Its path, worked out for the world's ticks.
    course: Option<Course>,
    pub(crate) now: Moves,
}

/// What of a platform changes from tick to tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moves {
    /// Where the lower left corner of its tile (0, 0) is, in units.
    pub(crate) origin: I64Vec2,
    /// Where it was a tick before.
    pub(crate) previous: I64Vec2,
    /// By how much it moved in the last tick.
    pub(crate) made: I64Vec2,
    /// How many ticks of its path it has made.
    pub(crate) clock: u64,
    /// Where it is driven in the next tick.
    pub(crate) target: Option<I64Vec2>,
    /// It follows its path.
    pub(crate) playing: bool,
    /// A body has stopped it in the last tick.
    pub(crate) stopped: bool,
}

/// A body and a platform that has crushed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) body: BodyId,
    pub(crate) platform: PlatformId,
    pub(crate) state: Pressed,
}

/// What became of a body that a platform has crushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pressed {
    /// The platform passes through it: until they are apart, as they were at the end of so many ticks in a row.
    Ignored { apart: u8 },
    /// The platform stops at it.
    Stopped,
}

/// Ticks at whose end a body and a platform that passes through it have to be apart, in a row.
pub(crate) const APART: u8 = 2;

/// All platforms of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Platforms {
    pub(crate) slots: Slots,
    /// A state for each slot; `None` in a free one.
    states: Vec<Option<PlatformState>>,
    /// What bodies meet, one for each slot.
    pub(crate) shapes: Vec<motion::Platform>,
    /// In the order of the bodies, then of the platforms.
    pub(crate) pairs: Vec<Pair>,
    /// Where the platforms are.
    blocks: motion::Blocks,
    /// The blocks are of the last tick, in which some platform moved.
    moved: bool,
}

impl Platforms {
    pub(crate) fn is_empty(&self) -> bool {
        self.slots.len() == 0
    }

    /// Puts in a platform, checked and baked for the map of a world with ticks of that length.
    pub(super) fn insert(&mut self, platform: Platform, map: &Map, tick: f64) -> Result<PlatformId, PlatformError> {
        let terrain = bake(&platform, map)?;
        let course = match &platform.motion {
            Motion::Path(path) => Some(Course::new(path, tick)?),
            Motion::Driven => None,
        };
        let start = course.as_ref().map_or(I64Vec2::ZERO, |course| course.at(0));
        let origin = platform.position.units() + start;
        let now = Moves {
            origin,
            previous: origin,
            made: I64Vec2::ZERO,
            clock: 0,
            target: None,
            playing: true,
            stopped: false,
        };
        let state = PlatformState { platform: Arc::new(platform), course, now };
        let (slot, shape) = (self.slots.next_slot(), motion::Platform::new(terrain, origin));
        if slot == self.states.len() {
            self.states.push(Some(state));
            self.shapes.push(shape);
        } else {
            (self.states[slot], self.shapes[slot]) = (Some(state), shape);
        }
        self.blocks.fill(&self.shapes);
        Ok(self.slots.insert())
    }

    /// Where the platforms are, if these are all of them.
    pub(super) fn blocks(&self) -> Option<&motion::Blocks> {
        (!self.is_empty()).then_some(&self.blocks)
    }

    pub(super) fn remove(&mut self, platform: PlatformId) -> Option<PlatformState> {
        let slot = self.slots.remove(platform)?;
        self.shapes[slot].is_there = false;
        self.pairs.retain(|pair| pair.platform != platform);
        self.states[slot].take()
    }

    pub(crate) fn get(&self, platform: PlatformId) -> Option<&PlatformState> {
        self.slots.slot(platform).and_then(|slot| self.states[slot].as_ref())
    }

    pub(crate) fn get_mut(&mut self, platform: PlatformId) -> Option<&mut PlatformState> {
        self.slots.slot(platform).and_then(|slot| self.states[slot].as_mut())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (PlatformId, &PlatformState)> {
        let states = self.states.iter().enumerate();
        states.filter_map(|(slot, state)| state.as_ref().map(|state| (self.slots.id(slot), state)))
    }

    /// The platform that a surface belongs to.
    pub(crate) fn of(&self, owner: Owner) -> Option<PlatformId> {
        let Owner::Platform(slot) = owner else { return None };
        self.states.get(slot as usize)?.as_ref().map(|_| self.slots.id(slot as usize))
    }

    /// How surfaces name a platform that is there.
    pub(crate) fn owner(&self, platform: PlatformId) -> Option<Owner> {
        self.slots.slot(platform).map(|slot| Owner::Platform(slot as u32))
    }

    /// The slot of a platform that is there, or was the last one there.
    pub(crate) fn slot_of(&self, platform: PlatformId) -> Option<u32> {
        ((platform.data().as_ffi() as u32) as usize).checked_sub(1).map(|slot| slot as u32)
    }

    /// Puts a platform somewhere else, where it begins its path again from where it is on it.
    pub(super) fn teleport(&mut self, platform: PlatformId, to: I64Vec2) -> Option<()> {
        let slot = self.slots.slot(platform)?;
        let state = self.states[slot].as_mut()?;
        let moved = to - state.now.origin;
        let mut put = Platform::clone(&state.platform);
        put.position = Position::clamped(put.position.units() + moved);
        state.platform = Arc::new(put);
        (state.now.origin, state.now.previous, state.now.made) = (to, to, I64Vec2::ZERO);
        (self.shapes[slot].origin, self.shapes[slot].velocity) = (to, DVec2::ZERO);
        self.blocks.fill(&self.shapes);
        Some(())
    }

    /// Works out where each platform goes in the tick under way.
    pub(super) fn set_out(&mut self) {
        let mut moves = false;
        for (state, shape) in self.states.iter_mut().zip(&mut self.shapes) {
            let Some(state) = state else { continue };
            let goal = match (&state.course, state.now.target.take()) {
                (_, Some(target)) => target,
                (Some(course), None) if state.now.playing => {
                    state.platform.position.units() + course.at(state.now.clock + 1)
                }
                _ => state.now.origin,
            };
            shape.step = goal - state.now.origin;
            moves |= shape.step != I64Vec2::ZERO;
            (state.now.previous, state.now.stopped) = (state.now.origin, false);
        }
        if moves || self.moved {
            self.blocks.fill(&self.shapes);
        }
        self.moved = moves;
    }

    /// Moves each platform by what is left of its step.
    pub(super) fn arrive(&mut self, tick: f64) {
        for (state, shape) in self.states.iter_mut().zip(&mut self.shapes) {
            let Some(state) = state else { continue };
            shape.origin += shape.step;
            shape.velocity = to_lengths(shape.step) / tick;
            (state.now.origin, state.now.made) = (shape.origin, shape.step);
            if state.course.is_some() && state.now.playing && !state.now.stopped {
                state.now.clock += 1;
            }
            shape.step = I64Vec2::ZERO;
        }
    }

    /// The platform of a slot stops at bodies, each time on each axis after the shorter of the ways that it has made.
    pub(super) fn stop(&mut self, slot: u32, made: I64Vec2) {
        let slot = slot as usize;
        if let Some(Some(state)) = self.states.get_mut(slot) {
            state.now.stopped = true;
            self.shapes[slot].step = made;
        }
    }

    pub(super) fn on_crush(&self, slot: u32) -> OnCrush {
        let state = self.states.get(slot as usize).and_then(Option::as_ref);
        state.map_or(OnCrush::GoOn, |state| state.platform.on_crush)
    }

    pub(super) fn id(&self, slot: u32) -> PlatformId {
        self.slots.id(slot as usize)
    }

    /// By how much a source moved in the last tick.
    pub(super) fn made(&self, owner: Owner) -> I64Vec2 {
        let Owner::Platform(slot) = owner else { return I64Vec2::ZERO };
        self.states.get(slot as usize).and_then(Option::as_ref).map_or(I64Vec2::ZERO, |state| state.now.made)
    }

    /// The slots of the platforms that pass through a body, in ascending order.
    pub(super) fn ignored_by(&self, body: BodyId) -> SmallVec<[u32; 4]> {
        let ignored = self.pairs.iter().filter(|pair| pair.body == body && pair.state != Pressed::Stopped);
        let mut slots: SmallVec<[u32; 4]> =
            ignored.filter_map(|pair| self.slots.slot(pair.platform)).map(|slot| slot as u32).collect();
        slots.sort_unstable();
        slots
    }

    /// Sets what became of a pair. Answers whether nothing was between them before.
    pub(super) fn press(&mut self, body: BodyId, platform: PlatformId, state: Pressed) -> bool {
        let known = self.pairs.iter_mut().find(|pair| pair.body == body && pair.platform == platform);
        match known {
            Some(pair) => {
                pair.state = state;
                false
            }
            None => {
                let pair = Pair { body, platform, state };
                let at = self.pairs.partition_point(|other| (other.body, other.platform) < (body, platform));
                self.pairs.insert(at, pair);
                true
            }
        }
    }
}

/// The terrain of a platform.
fn bake(platform: &Platform, map: &Map) -> Result<Terrain, PlatformError> {
    let mut parts = MapParts::new(1, 1);
    parts.catalogue = map.catalogue().clone();
    parts.kinds = map.kinds().to_vec();
    parts.letters.clear();
    parts.layers = platform.layers.clone();
    parts.sides = Sides::default();
    let tiles = Map::from_parts(parts).map_err(Box::new)?;
    let meets = |layer: &crate::map::Layer| {
        layer.collides && layer.cells.iter().any(|id| tiles.kind(*id).is_some_and(|kind| kind.variant.is_some()))
    };
    if tiles.layers().iter().any(meets) { Ok(Terrain::bake(&tiles)) } else { Err(PlatformError::Empty) }
}

impl PlatformState {
    /// Where the lower left corner of its tile (0, 0) is.
    #[must_use]
    pub fn position(&self) -> Position {
        Position::clamped(self.now.origin)
    }

    /// Where that corner was at the beginning of the last tick.
    #[must_use]
    pub fn previous_position(&self) -> Position {
        Position::clamped(self.now.previous)
    }

    /// Where that corner is to be drawn at a moment between ticks: `fraction` 0 is the last tick, 1 is this one.
    #[must_use]
    pub fn position_at(&self, fraction: f32) -> Vec2 {
        let (from, to) = (to_lengths(self.now.previous), to_lengths(self.now.origin));
        (from + (to - from) * f64::from(fraction)).as_vec2()
    }

    /// By how much it moved in the last tick, in tiles.
    #[must_use]
    pub fn displacement(&self) -> DVec2 {
        to_lengths(self.now.made)
    }

    /// Whether a body that it would have crushed stopped it in the last tick.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.now.stopped
    }

    /// Whether it follows its path.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.now.playing
    }

    /// What it is.
    #[must_use]
    pub fn platform(&self) -> &Platform {
        &self.platform
    }
}
