//! Grips of characters on bodies: bodies that they pull, and bodies that they carry.
//!
//! A pulled body moves in the collision phase of a tick, as a pushed one does. A carried body collides with nothing. At
//! the end of each tick it moves to its offset from the character.

use super::apply::update_footing_with_velocity;
use super::character::Mode;
use super::near::try_load_whole_reach;
use super::step::{Extent, find_contacts, passes_through_everything};
use super::{BodyState, TickLog, World};
use crate::body::{BodyError, check_velocity, clamp_velocity};
use crate::command::{Command, CommandError, MAX_OFFSET, check_offset};
use crate::event::{BodyId, Event, EventKind};
use crate::motion::{Touching, motion_to_units};
use crate::query::Filter;
use glam::{DVec2, I64Vec2};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use slotmap::Key;
use surefoot_geometry::exact::flat_gap;
use surefoot_geometry::{ONE, Position, Vector};

/// A body that a character pulls or carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct Held {
    /// The body that is pulled or carried.
    pub body: BodyId,
    /// The character that pulls or carries the body.
    pub by: BodyId,
    /// Whether the character pulls or carries the body.
    pub kind: HeldKind,
}

/// Whether a character pulls or carries a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub enum HeldKind {
    /// The character pulls the body along the floor. See [`World::grab`].
    Pulled,
    /// The character carries the body, which collides with nothing. See [`World::carry`].
    Carried {
        /// Vector from the character's centre to the body's centre, in units of 2^-32 tile.
        offset: I64Vec2,
    },
}

impl HeldKind {
    /// Returns the offset of a carried body.
    pub(crate) fn offset(self) -> Option<I64Vec2> {
        match self {
            HeldKind::Pulled => None,
            HeldKind::Carried { offset } => Some(offset),
        }
    }
}

impl Held {
    /// Sort key: the slot of the body, which has at most one grip.
    pub(crate) fn sort_key(&self) -> u32 {
        self.body.data().as_ffi() as u32
    }

    /// Returns whether the values are valid.
    pub(crate) fn is_valid(&self) -> bool {
        let most = I64Vec2::splat(MAX_OFFSET as i64 * ONE);
        let is_near = |offset: I64Vec2| offset.cmpge(-most).all() && offset.cmple(most).all();
        self.body != self.by && self.kind.offset().is_none_or(is_near)
    }
}

impl World {
    /// Makes `character` grab `body`, to pull or push it. `body` must touch a side of the character and be able to
    /// collide with the character.
    ///
    /// Walking away from the body then pulls the body, together with everything on top. Walking towards the body
    /// pushes it. [`Character::max_push_mass`](crate::body::Character) limits the total mass in both cases.
    ///
    /// If the two bodies no longer stand next to each other, the grab ends and [`EventKind::GrabBroken`] is sent.
    ///
    /// # Errors
    /// Returns [`CommandError`] in each of these cases:
    ///
    /// - One of the two is not in the world, or `character` is not a character.
    /// - One of the two is already pulled or carried, or pulls or carries a body itself.
    /// - `body` is a character, does not touch a side of `character`, or does not collide with it.
    ///
    /// # Examples
    /// ```
    /// use surefoot::map::CollisionLayers;
    /// use surefoot::prelude::*;
    /// use surefoot::{Input, Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["........", "........", "========"])?, Settings::default());
    /// let hero = Body::new(Shape::aabb(0.35, 0.45)).at((3.15, 1.45)).collision_mask(CollisionLayers::ALL);
    /// let hero = world.spawn(hero.character(Character { max_push_mass: 2.0, ..Character::default() }))?;
    /// let block = Body::new(Shape::aabb(0.5, 0.5)).at((4.0, 1.5)).friction(0.6).collision_mask(CollisionLayers::ALL);
    /// let block = world.spawn(block)?;
    /// world.grab(hero, block)?;
    /// world.set_input(hero, Input { walk: -127, ..Input::default() });
    /// for _ in 0..30 {
    ///     world.step();
    ///     assert_eq!(world[block].position() - world[hero].position(), (Position::new(0.85, 0.05)? - Position::ORIGIN));
    /// }
    /// assert!(world[block].position().to_vec2().x < 3.0);
    /// world.release(block, (0.0, 0.0))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn grab(&mut self, character: BodyId, body: BodyId) -> Result<(), CommandError> {
        self.apply(Command::Grab(character, body)).map(drop)
    }

    /// Makes `character` carry `body` at `offset`: from the centre of the character to the centre of the body, in
    /// tiles.
    ///
    /// At the end of each tick, `body` moves to `offset` from the character. A carried body collides with neither
    /// tiles nor bodies, but areas detect it. A second call with the same two bodies changes
    /// the offset. A character holds at most one body.
    ///
    /// # Errors
    /// Returns [`CommandError`] in each of these cases:
    ///
    /// - One of the two is not in the world, or `character` is not a character.
    /// - Another character holds (pulls or carries) `body`, or one holds `character`.
    /// - `character` already holds another body, `body` holds one itself, or they are the same body.
    /// - `offset` exceeds 1024 tiles on an axis.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let map = Map::from_rows(["........", "........", "........", "========"])?;
    /// let mut world = World::new(map, Settings::default());
    /// let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at((1.5, 1.45)).character(Character::default()))?;
    /// let ball = world.spawn(Body::new(Shape::circle(0.25)).at((3.0, 1.25)))?;
    /// world.carry(hero, ball, (0.0, 0.75))?;
    /// world.step();
    /// assert_eq!(world[ball].position(), Position::new(1.5, 2.2)?);
    /// // It is thrown.
    /// world.release(ball, (8.0, 0.0))?;
    /// assert_eq!(world[ball].velocity().x, 8.0);
    /// world.step();
    /// assert!(world[ball].position().to_vec2().x > 1.6 && !world[ball].is_carried());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn carry(&mut self, character: BodyId, body: BodyId, offset: impl Vector) -> Result<(), CommandError> {
        self.apply(Command::Carry(character, body, offset.to_lengths())).map(drop)
    }

    /// Releases or throws `body`, which a character pulls or carries.
    ///
    /// The body gets the velocity of the character plus `velocity`, in tiles per second: (0, 0) drops the body, other
    /// values throw it. For a body with a [`time_scale`](crate::body::Body::time_scale) below 1, `velocity` counts in
    /// the body's slower seconds.
    ///
    /// # Errors
    /// - [`CommandError::NotHeld`] if no character pulls or carries `body`.
    /// - [`CommandError::NoRoom`] if a carried body overlaps a solid, or a solid is between the body and the
    ///   character. The character then still carries the body.
    pub fn release(&mut self, body: BodyId, velocity: impl Vector) -> Result<(), CommandError> {
        self.apply(Command::Release(body, velocity.to_lengths())).map(drop)
    }

    /// Returns all bodies that characters pull or carry, in ascending order of the ids of these bodies.
    pub fn held_bodies(&self) -> impl ExactSizeIterator<Item = &Held> {
        self.held_bodies.iter()
    }

    /// Returns which character holds `body`, and whether the character pulls or carries it. Returns `None` if no
    /// character holds the body.
    #[must_use]
    pub fn holder_of(&self, body: BodyId) -> Option<&Held> {
        self.held_bodies.iter().find(|grip| grip.body == body)
    }

    /// Returns the body that `character` pulls or carries, or `None`.
    #[must_use]
    pub fn held_by(&self, character: BodyId) -> Option<&Held> {
        self.held_bodies.iter().find(|grip| grip.by == character)
    }

    /// Makes a character carry a body at an offset, or pull it.
    pub(super) fn add_grip(&mut self, by: BodyId, body: BodyId, offset: Option<DVec2>) -> Result<(), CommandError> {
        offset.map_or(Ok(()), check_offset).map_err(BodyError::from)?;
        let holder = self.bodies.get(by).ok_or(CommandError::NoSuchBody(by))?;
        let state = self.bodies.get(body).ok_or(CommandError::NoSuchBody(body))?;
        if holder.kind.character.is_none() {
            return Err(CommandError::NotACharacter(by));
        }
        if by == body || self.held_bodies.iter().any(|grip| grip.by == by && grip.body != body || grip.by == body) {
            return Err(CommandError::AlreadyCarrying(if by == body {
                by
            } else {
                self.choose_character_that_holds(by, body)
            }));
        }
        let is_held = |grip: &Held| grip.body == by || (grip.body == body && (grip.by != by || offset.is_none()));
        if let Some(grip) = self.held_bodies.iter().find(|grip| is_held(grip)) {
            return Err(CommandError::AlreadyHeld(grip.body));
        }
        if offset.is_none() && (state.kind.character.is_some() || !is_in_grab_reach(holder, state)) {
            return Err(CommandError::OutOfReach(body));
        }
        let kind = offset.map_or(HeldKind::Pulled, |offset| HeldKind::Carried { offset: motion_to_units(offset) });
        let grip = Held { body, by, kind };
        match self.held_bodies.binary_search_by_key(&grip.sort_key(), Held::sort_key) {
            Ok(place) => self.held_bodies[place] = grip,
            Err(place) => self.held_bodies.insert(place, grip),
        }
        if offset.is_some() {
            self.start_carrying(body);
        }
        Ok(())
    }

    /// Returns which of two characters already holds a body.
    fn choose_character_that_holds(&self, by: BodyId, body: BodyId) -> BodyId {
        if self.held_by(body).is_some() { body } else { by }
    }

    /// Marks a body as carried. Removes it from all contacts, and lets it go of what it holds.
    fn start_carrying(&mut self, body: BodyId) {
        self.wake_with_bodies_on_top(body);
        self.platforms.pairs.retain(|pair| pair.body != body);
        let scene = self.platforms.scene(&self.terrain, &self.settings);
        let Some(state) = self.bodies.get_mut(body) else { return };
        let scene = scene.of_kind(&state.kind);
        state.release_ride_hold();
        let (velocity, mode) = (clamp_velocity(state.world_velocity()), Mode::after_placement(&state.kind));
        (state.cold_mut().carried, state.cold_mut().lift) = (DVec2::ZERO, None);
        state.change(|now| {
            (now.velocity, now.held, now.stuck) = (velocity, true, false);
            now.enter_mode(mode);
        });
        find_contacts(&scene, state, &mut self.scratch);
        state.change(|now| now.set_footing(Touching::default(), None, self.tick));
    }

    /// Releases a body with the velocity of the character plus `velocity`.
    pub(super) fn throw_held_body(&mut self, body: BodyId, velocity: DVec2) -> Result<(), CommandError> {
        self.bodies.get(body).ok_or(CommandError::NoSuchBody(body))?;
        let grip = *self.holder_of(body).ok_or(CommandError::NotHeld(body))?;
        let Some(holder) = self.bodies.get(grip.by) else { return Err(CommandError::NoSuchBody(grip.by)) };
        let velocity = holder.world_velocity() / self.bodies[body].kind.time_factor() + velocity;
        check_velocity(velocity).map_err(BodyError::from)?;
        let from = holder.position();
        if grip.kind != HeldKind::Pulled && !self.load_chunks_and_test_if_releasable(body, from) {
            return Err(CommandError::NoRoom(body));
        }
        self.end_grip(grip);
        self.execute(&Command::SetVelocity(body, velocity)).map(drop)
    }

    /// Returns whether a carried body can be released: no solid overlaps it or is between it and the character.
    fn load_chunks_and_test_if_releasable(&mut self, body: BodyId, from: Position) -> bool {
        let is_streamed = self.terrain.is_streamed();
        let World { terrain, settings, bodies, .. } = &mut *self;
        let Some(state) = bodies.get_mut(body) else { return false };
        if is_streamed {
            // Load now the chunks that the body will need once it is no longer carried.
            state.change(|now| now.held = false);
            try_load_whole_reach(terrain, settings, state);
            state.change(|now| now.held = true);
        }
        let (shape, position, layers) = (state.kind.shape, state.now.position, state.kind.collision_layers);
        let scene = self.platforms.scene(&self.terrain, &self.settings).for_layers(layers);
        let filter = Filter { bodies: false, areas: false, collision_layers: layers, ..Filter::default() };
        let has_room = !scene.overlaps_terrain(shape, position) && self.line_of_sight(from, position, &filter);
        let World { terrain, settings, bodies, .. } = self;
        if let Some(state) = bodies.get_mut(body).filter(|_| is_streamed) {
            try_load_whole_reach(terrain, settings, state);
        }
        has_room
    }

    /// Ends a grip. A carried body becomes a normal body again at its position.
    pub(super) fn end_grip(&mut self, grip: Held) {
        self.held_bodies.retain(|other| *other != grip);
        if grip.kind == HeldKind::Pulled {
            return;
        }
        let Some(state) = self.bodies.get_mut(grip.body) else { return };
        state.change(|now| (now.held, now.disturbed) = (false, true));
        if self.terrain.is_streamed() {
            try_load_whole_reach(&mut self.terrain, &self.settings, state);
        }
        let scene = self.platforms.scene(&self.terrain, &self.settings).of_kind(&state.kind);
        find_contacts(&scene, state, &mut self.scratch);
        // While the body was carried, its velocity was that of the character, relative to the world.
        let velocity = state.now.velocity;
        update_footing_with_velocity(&scene, self.tick, velocity, state);
        self.bodies.disturbed = true;
        self.ignore_overlapped_platforms(Some(grip.body), None);
    }

    /// Ends all grips of a body, and all grips on it.
    pub(super) fn end_grips_of(&mut self, body: BodyId) {
        while let Some(grip) = self.held_bodies.iter().find(|grip| grip.by == body || grip.body == body) {
            self.end_grip(*grip);
        }
    }

    #[inline(always)]
    pub(super) fn update_held_bodies(&mut self) {
        if !self.held_bodies.is_empty() {
            self.move_held_bodies();
        }
    }

    /// Moves carried bodies to their offsets, and ends the grips on bodies out of reach.
    #[inline(never)]
    fn move_held_bodies(&mut self) {
        let World { terrain, bodies, scratch, log: TickLog { events, .. }, held_bodies: grips, .. } = self;
        let map = Extent::of_terrain(terrain);
        grips.retain(|grip| {
            let Some(holder) = bodies.get(grip.by) else { return false };
            let (from, velocity) = (holder.position(), clamp_velocity(holder.world_velocity()));
            let HeldKind::Carried { offset } = grip.kind else {
                let reaches = bodies.get(grip.body).is_some_and(|state| is_in_grab_reach(holder, state));
                if !reaches {
                    events.push(Event { body: grip.by, kind: EventKind::GrabBroken { other: grip.body } });
                }
                return reaches;
            };
            let Some(state) = bodies.get_mut(grip.body) else { return false };
            let position = Position::clamped(from.units() + offset);
            let outside = map.is_outside(position, state.kind.shape);
            if outside && !state.now.flags.outside() {
                scratch.left_map.push(grip.body);
            }
            state.change(|now| {
                (now.position, now.velocity) = (position, velocity);
                now.flags.set_outside(outside);
            });
            true
        });
    }
}

/// Returns whether a body touches the side of a character that it collides with, so that the character can pull it.
fn is_in_grab_reach(holder: &BodyState, state: &BodyState) -> bool {
    let up = holder.kind.up.direction();
    let gap = || {
        let offset = holder.position() - state.position();
        flat_gap(holder.kind.shape.collider(), state.kind.shape.collider(), offset)
    };
    holder.kind.can_collide_with(&state.kind)
        && !holder.kind.one_way
        && !state.kind.one_way
        && !passes_through_everything(holder)
        && !passes_through_everything(state)
        && gap().is_some_and(|gap| gap.gap == 0 && gap.normal.dot(up) == 0)
}
