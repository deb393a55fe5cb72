//! Cache of a [`Mover`](super::Mover) for one entity of a game: it keeps what was found around a shape from call to
//! call. Affects speed only.
//!
//! A [`MoverCache`] keeps the gathered pieces of terrain and the last contacts. It stores the version of the terrain,
//! which changes with every edit, and starts again if the version differs. A call without a cache borrows a cache
//! that belongs to the thread, and empties it first.

use super::among::WalkPast;
use super::cast::{Probe, Scratch};
use super::mover::{clamp_motion, motion_to_units};
use super::surface::Surface;
use super::touch::Touch;
use super::visit::Bounds;
use super::walk::{FloorBends, Walk, WalkEnd};
use super::{Contact, Frame, MoveResult, Mover, Nearby, Path, Shape, Surfaces, Touching};
use crate::map::CollisionLayers;
use crate::version::Version;
use glam::I64Vec2;
use smallvec::SmallVec;
use std::cell::Cell;
use surefoot_geometry::exact::tolerance::TOUCH;
use surefoot_geometry::{Position, Vector, to_units};

/// Cache that makes repeated calls of a [`Mover`] for the same entity faster. Keep one cache per entity.
///
/// The cache never changes a result. The cache empties itself if the shape, the mover or the terrain changes. A clone
/// of a cache starts empty.
///
/// # Examples
/// ```
/// use surefoot::motion::MoverCache;
/// use surefoot::prelude::*;
/// use surefoot::Map;
///
/// let map = Map::from_ron(r#"Map(format: 1, tiles: ["........", "========"])"#)?;
/// let terrain = Terrain::bake(&map);
/// let (mover, hero) = (Mover::new(&terrain), Shape::aabb(0.5, 0.5));
/// let mut memory = MoverCache::default();
/// let mut place = Position::new(1.0, 1.5)?;
/// for _ in 0..40 {
///     place = mover.with_cache(&mut memory).walk(hero, place, 0.125).position;
/// }
/// assert_eq!(place, Position::new(6.0, 1.5)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct MoverCache {
    near: Nearby,
    scratch: Scratch,
    /// The terrain version, layers, frame and shape that the gathered pieces belong to.
    cache_key: Option<(Version, CollisionLayers, Frame, Shape)>,
    /// Contacts at the end of the last call, and a spare list for the next one.
    touched: Surfaces,
    spare: Surfaces,
    /// Position of the shape when `touched` was found.
    contacts_position: Option<Position>,
}

impl Clone for MoverCache {
    fn clone(&self) -> MoverCache {
        MoverCache::default()
    }
}

/// [`Mover`] that uses the [`MoverCache`] of one entity. [`Mover::with_cache`] returns it.
#[derive(Debug)]
pub struct CachedMover<'a, 'm> {
    mover: Mover<'a>,
    memory: &'m mut MoverCache,
}

thread_local! {
    /// Cache for calls without one of their own. Only the allocated memory of its lists is reused.
    static SPARE: Cell<Option<Box<MoverCache>>> = const { Cell::new(None) };
}

impl MoverCache {
    /// Returns an empty cache for one call. Give it back afterwards.
    #[inline]
    pub(super) fn take_temporary_cache() -> Box<MoverCache> {
        let once = || Box::new(MoverCache { near: Nearby::new_temporary(), ..MoverCache::default() });
        // The thread-local cache is gone while its thread ends. Then use a new one.
        let spare = SPARE.try_with(Cell::take).ok().flatten();
        let mut memory = spare.unwrap_or_else(once);
        memory.cache_key = None;
        memory
    }

    /// Gives back the cache of one call.
    #[inline]
    pub(super) fn return_temporary_cache(self: Box<MoverCache>) {
        let _ = SPARE.try_with(|spare| spare.set(Some(self)));
    }
}

impl<'a, 'm> CachedMover<'a, 'm> {
    pub(super) fn new(mover: Mover<'a>, memory: &'m mut MoverCache) -> CachedMover<'a, 'm> {
        CachedMover { mover, memory }
    }

    /// Moves a shape as [`Mover::slide`] does, but uses the cache to be faster.
    pub fn slide(&mut self, shape: Shape, from: Position, motion: impl Vector) -> MoveResult<'a> {
        self.slide_units(shape, from, motion_to_units(motion.to_lengths()))
    }

    /// Moves a shape as [`Mover::slide_units`] does, but uses the cache to be faster.
    pub fn slide_units(&mut self, shape: Shape, from: Position, motion: impl Into<I64Vec2>) -> MoveResult<'a> {
        let mut moved = MoveResult::not_started(self.mover.scene, shape, from);
        self.slide_by(&mut moved, motion.into());
        moved
    }

    /// Slides the shape from the position in `moved`, and records the result there.
    pub(super) fn slide_by(&mut self, moved: &mut MoveResult<'a>, motion: I64Vec2) {
        let shape = moved.shape;
        if shape.check().is_err() {
            return;
        }
        self.clear_if_outdated(shape);
        let MoverCache { near, scratch, touched, .. } = &mut *self.memory;
        let mut probe = Probe::new(&self.mover.scene, shape, near, scratch);
        slide_and_record(&mut probe, moved, clamp_motion(motion), touched);
        self.store_contacts(moved, &[]);
    }

    /// Walks a shape along the floor as [`Mover::walk`] does, but uses the cache to be faster.
    pub fn walk(&mut self, shape: Shape, from: Position, length: f64) -> MoveResult<'a> {
        let mut moved = MoveResult::not_started(self.mover.scene, shape, from);
        self.walk_by(&mut moved, length);
        moved
    }

    /// Walks the shape from the position in `moved`, and records the result there.
    pub(super) fn walk_by(&mut self, moved: &mut MoveResult<'a>, length: f64) {
        let (shape, from) = (moved.shape, moved.position);
        if shape.check().is_err() {
            return;
        }
        self.clear_if_outdated(shape);
        let length = if length.is_finite() { length.clamp(-Mover::MAX_MOTION, Mover::MAX_MOTION) } else { 0.0 };
        if self.mover.scene.around.has_bodies() {
            return self.walk_among_obstacle_bodies(moved, length);
        }
        let scene = &self.mover.scene;
        let MoverCache { near, scratch, touched, spare, contacts_position: at, .. } = &mut *self.memory;
        if *at != Some(from) {
            // The shape is not where the last call left it. Its floor may then lead in any direction, so gather pieces
            // all around.
            let reach = I64Vec2::splat(to_units(length.abs()));
            near.gather_pieces_within(
                scene,
                shape,
                &Bounds::around_motion(from, I64Vec2::ZERO, shape.half_units() + TOUCH + reach),
            );
            Probe::new(scene, shape, near, scratch).find_touching(from, touched);
        }
        let mut probe = Probe::new(scene, shape, near, scratch);
        let mut touch = Touch::start_from(touched, spare);
        let (position, end) = walk_on_tiles(&mut probe, from, length, &mut touch, (&mut moved.path, &mut moved.hits));
        moved.position = position;
        let is_refreshed = touch.is_refreshed();
        if is_refreshed {
            std::mem::swap(touched, spare);
        }
        if let WalkEnd::InAir { rest, .. } = end {
            slide_and_record(&mut probe, moved, rest, touched);
        }
        self.store_contacts(moved, &[]);
        if end == WalkEnd::Blocked && is_refreshed {
            // Do not reuse these contacts: a blocked walk may add surfaces that stopped the shape although they are
            // too far away to touch it. The next call must search as a call without cache does, which does not find
            // them.
            self.memory.contacts_position = None;
        }
    }

    /// Walks past obstacle bodies.
    #[inline(never)]
    fn walk_among_obstacle_bodies(&mut self, moved: &mut MoveResult<'a>, length: f64) {
        let (scene, shape) = (&self.mover.scene, moved.shape);
        let MoverCache { near, scratch, touched, spare, .. } = &mut *self.memory;
        let reach = I64Vec2::splat(to_units(length.abs()));
        near.gather_pieces_within(
            scene,
            shape,
            &Bounds::around_motion(moved.position, I64Vec2::ZERO, shape.half_units() + TOUCH + reach),
        );
        let probe = Probe::new(scene, shape, near, scratch);
        let stopped = WalkPast::new(probe, moved, [touched, spare], length).walk();
        self.store_contacts(moved, &stopped);
        // Do not reuse these contacts: a blocked walk may add surfaces that stopped the shape although they are too far
        // away to touch it. The next call must search as a call without cache does, which does not find them.
        self.memory.contacts_position = None;
    }

    /// Returns what a shape at position `at` touches as [`Mover::touching`] does, but uses the cache to be faster.
    #[must_use]
    pub fn touching(&mut self, shape: Shape, at: Position) -> MoveResult<'a> {
        self.slide_units(shape, at, I64Vec2::ZERO)
    }

    /// Empties the cache if it belongs to another shape or terrain, or to the terrain before an edit.
    fn clear_if_outdated(&mut self, shape: Shape) {
        let scene = &self.mover.scene;
        let of = Some((scene.around.terrain().terrain.version(), self.mover.collision_layers, scene.frame, shape));
        if self.memory.cache_key != of {
            (self.memory.cache_key, self.memory.contacts_position) = (of, None);
            self.memory.near.clear();
        }
        if scene.around.has_platforms() {
            // Platforms may have moved since the last call, so search the contacts again.
            self.memory.contacts_position = None;
        }
    }

    /// Records the contacts at the end of a move. `stopped`: bodies that stopped it there.
    fn store_contacts(&mut self, moved: &mut MoveResult<'a>, stopped: &[Surface]) {
        // If there are platforms, store no position: a touched platform may move before the next call.
        self.memory.contacts_position = (!self.mover.scene.around.has_platforms()).then_some(moved.position);
        for surface in &self.memory.touched {
            moved.surfaces.push(*surface);
        }
        let (scene, shape, position) = (&self.mover.scene, moved.shape, moved.position);
        if !scene.around.has_bodies() {
            moved.touching = Touching::from_surfaces(&self.memory.touched, position, &scene.frame);
            return;
        }
        let MoverCache { touched, spare: all, .. } = &mut *self.memory;
        all.clear();
        all.extend(scene.touched_surfaces_of_bodies(shape, position));
        for body in stopped {
            if all.iter().all(|known| known.owner != body.owner) {
                all.push(*body);
            }
        }
        moved.body_contacts.extend(all.iter().filter_map(|body| scene.contact_with_body_of(body, shape, position)));
        all.extend_from_slice(touched);
        moved.touching = Touching::from_surfaces(all, position, &scene.frame);
    }
}

/// Walks over the floor of tiles that a shape touches. Returns the end position and the kind of end.
pub(super) fn walk_on_tiles(
    probe: &mut Probe<'_>,
    position: Position,
    length: f64,
    touch: &mut Touch<'_>,
    (path, hits): (&mut Path, &mut SmallVec<[Contact; 4]>),
) -> (Position, WalkEnd) {
    let (scene, shape) = (probe.scene, probe.shape);
    let mut struck = |position, _, surface: &Surface| hits.push(Contact::new(scene, surface, shape, position));
    let (struck, bends) = (&mut struck, FloorBends::Followed);
    let mut walk = Walk { position, touch, path, struck, step: 0, bends, run_off: None };
    let end = probe.walk(&mut walk, length);
    (walk.position, end)
}

/// Slides from the position in `moved`, and records the path and the hits there.
pub(super) fn slide_and_record(
    probe: &mut Probe<'_>,
    moved: &mut MoveResult<'_>,
    motion: I64Vec2,
    touched: &mut Surfaces,
) {
    let (scene, shape, at) = (probe.scene, moved.shape, moved.position);
    let MoveResult { hits, body_hits, path, .. } = &mut *moved;
    let slid = probe.slide(at, motion, path, |impact, rest| {
        for surface in impact.struck {
            match scene.contact_with_body_of(surface, shape, impact.position) {
                Some(contact) => body_hits.push(contact),
                None => hits.push(Contact::new(scene, surface, shape, impact.position)),
            }
        }
        rest
    });
    moved.position = slid.position;
    probe.find_touching_at_end(slid, touched);
}
