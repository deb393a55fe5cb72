//! Everything that a shape can hit: the terrain of a map, and platforms, each of which is a terrain at a position of
//! its own. Each of them is a *source* of surfaces.
//!
//! A source has its own grid of cells. A surface names its source (its *owner*) and the position of its cell, in
//! units. So casts, contacts and slides accept surfaces of any source without distinction. A body's cache of its
//! surroundings names the sources that it was gathered from, and their positions. The cache is dropped if one of them
//! moves, is edited, or comes near.
//!
//! Sources are not joined when they are baked. Where two sources are flush, the touched surfaces are joined as the
//! bake joins tiles. Where a face ends at a corner and a face of another source goes on in the same direction, there
//! is no corner. Two corners at one point become one corner: the normals that both have in common. So a map that is
//! split into several terrains moves bodies bit for bit as before where the outline is straight at the split, and with
//! a difference of at most one step elsewhere.

use super::blocks::Blocks;
use super::carry::common_velocity;
use super::ledge::ApproachPath;
use super::surface::Surface;
use super::visit::{Bounds, CellRange};
use super::{Obstacles, Resting, Shape, Surfaces};
use crate::ids::BodyId;
use crate::platform::PlatformId;
use crate::terrain::{BakedCell, Piece, Terrain};
use crate::tiles::map::{CollisionLayers, TileId};
use crate::version::Version;
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::{ONE, Position, to_lengths};

/// Terrain or body that a surface belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    /// The map's terrain.
    Terrain,
    /// A platform, by its index.
    Platform(u32),
    /// A body, by its index: in the list of [obstacles](Obstacles), or among the bodies that are moved together.
    Body(u32),
}

/// A terrain at a position of its own, in whole units. The borders of its map are open: it ends where its tiles end.
#[derive(Clone, Debug)]
pub(crate) struct Platform {
    terrain: Terrain,
    /// Bounds of the platform's cells that are not blank, relative to the point (0, 0) of the platform.
    reach: Bounds,
    /// Bounds of the platform's cells on its whole path. `None` if something other than the path moves it.
    known_path_bounds: Option<Bounds>,
    /// Position of the platform's point (0, 0), in units.
    pub(crate) origin: I64Vec2,
    /// Displacement this tick, in units. Zero once the platform has moved.
    pub(crate) step: I64Vec2,
    /// Displacement of the last tick, in units, and the velocity of that motion, in tiles per second.
    pub(crate) last_step: I64Vec2,
    pub(crate) velocity: DVec2,
    /// Whether bodies collide with it. An unused slot holds a platform with which they do not.
    pub(crate) is_there: bool,
    /// Id in the world.
    pub(crate) id: PlatformId,
}

impl Platform {
    /// Maximum length of a path on an axis, in units, for which the path's bounds are used: 64 tiles. A longer path
    /// would fill blocks that the platform is rarely near.
    ///
    /// Affects speed only.
    const MAX_BOUNDED_PATH_UNITS: i64 = 64 * ONE;

    /// Creates a platform at rest.
    pub(crate) fn new(terrain: Terrain, origin: I64Vec2) -> Platform {
        let (step, made, velocity) = (I64Vec2::ZERO, I64Vec2::ZERO, DVec2::ZERO);
        let reach = bounds_of_filled_cells(&terrain);
        Platform {
            terrain,
            reach,
            known_path_bounds: None,
            origin,
            step,
            last_step: made,
            velocity,
            is_there: true,
            id: PlatformId::default(),
        }
    }

    /// Teleports the platform to a position, where it rests.
    pub(crate) fn place_at_rest(&mut self, origin: I64Vec2) {
        (self.origin, self.last_step, self.velocity) = (origin, I64Vec2::ZERO, DVec2::ZERO);
    }

    /// Records the displacement of a tick of `tick` seconds.
    pub(crate) fn record_displacement(&mut self, made: I64Vec2, tick: f64) {
        (self.last_step, self.velocity) = (made, to_lengths(made) / tick);
    }

    /// Returns the platform's tiles, for movers that collide with all of them.
    pub(crate) fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// Replaces the platform's tiles.
    pub(crate) fn set_terrain(&mut self, terrain: Terrain) {
        (self.reach, self.terrain) = (bounds_of_filled_cells(&terrain), terrain);
    }

    /// Prepares the view of its tiles for bodies in `layers`. No such view has pieces outside `reach`.
    pub(crate) fn prepare_for_layers(&mut self, layers: CollisionLayers) {
        self.terrain.prepare_collision_layers(layers);
    }

    /// Creates an unused slot.
    #[cfg(feature = "record")]
    pub(crate) fn new_unused_slot(terrain: Terrain) -> Platform {
        Platform { is_there: false, ..Platform::new(terrain, I64Vec2::ZERO) }
    }

    /// Sets the two corners between which its point (0, 0) stays, if a path keeps it there.
    pub(crate) fn set_path_bounds(&mut self, corners: Option<(I64Vec2, I64Vec2)>) {
        let home = |(low, high): (I64Vec2, I64Vec2)| Bounds { low: self.reach.low + low, high: self.reach.high + high };
        let near = corners.filter(|(low, high)| (high - low).max_element() <= Self::MAX_BOUNDED_PATH_UNITS);
        self.known_path_bounds = near.map(home);
    }

    /// Copies the path bounds of an equal platform.
    pub(crate) fn copy_path_bounds(&mut self, other: &Platform) {
        self.known_path_bounds = other.known_path_bounds;
    }

    /// Returns the bounds of the platform's cells on its whole path, if known.
    pub(super) fn path_bounds(&self) -> Option<Bounds> {
        self.known_path_bounds
    }

    /// Returns whether the platform's path has known bounds.
    #[inline]
    pub(crate) fn has_path_bounds(&self) -> bool {
        self.known_path_bounds.is_some()
    }

    /// Returns the bounds of the platform's whole path if `prefers_path` is set and they are known, else its bounds in
    /// this tick. The flag says whether they are those of the path.
    #[inline]
    fn path_or_tick_bounds(&self, prefers_path: bool) -> (bool, Bounds) {
        self.known_path_bounds.filter(|_| prefers_path).map_or_else(|| (false, self.bounds()), |home| (true, home))
    }

    /// Returns the bounds of the platform's cells during this tick.
    #[inline]
    pub(crate) fn bounds(&self) -> Bounds {
        let from = self.origin.min(self.origin + self.step);
        let to = self.origin.max(self.origin + self.step);
        Bounds { low: self.reach.low + from, high: self.reach.high + to }
    }
}

/// Returns the bounds of a terrain's cells that are not blank, including tiles that bodies drop through. A point if all
/// are blank.
fn bounds_of_filled_cells(terrain: &Terrain) -> Bounds {
    let (origin, size) = (terrain.origin(), terrain.size());
    // The ring of cells around the map is baked too, so it can have pieces.
    let low = (origin.0.saturating_sub(1), origin.1.saturating_sub(1));
    let high = (low.0.saturating_add_unsigned(size.0 + 1), low.1.saturating_add_unsigned(size.1 + 1));
    let mut reach = Bounds::NONE;
    for terrain in [terrain, terrain.without_drop_through()] {
        terrain.for_each_cell(low, high, |(x, y), _| {
            let corner = I64Vec2::new(i64::from(x), i64::from(y)) * ONE;
            reach = reach.union(&Bounds { low: corner, high: corner + ONE });
        });
    }
    if reach == Bounds::NONE { Bounds { low: I64Vec2::ZERO, high: I64Vec2::ZERO } } else { reach }
}

/// The platforms near a body. The inline capacity covers all of them, so that a step does not allocate.
pub(crate) type NearPlatforms = SmallVec<[u32; 32]>;

/// Everything that a mover can hit.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    terrain: &'a Terrain,
    platforms: &'a [Platform],
    /// Grid of the platforms. `None` if they can be anywhere.
    blocks: Option<&'a Blocks>,
    /// Bounds in which only these platforms are, in ascending order.
    near: (Bounds, &'a [u32]),
    /// Whether no platform is within the bounds `near`, and the mover's cache holds pieces of the terrain only.
    is_alone: bool,
    /// Platforms that the mover passes through, in ascending order.
    ignored: &'a [u32],
    /// Velocity of the mover's own frame, in tiles per second. The mover's velocity is relative to it.
    frame_velocity: DVec2,
    /// Positions of the mover at the start of its tick and at the start of its own move. Set if platforms may have
    /// moved in between.
    approach: Option<(Position, Position)>,
    /// Whether tiles that allow dropping through count as empty.
    drops: bool,
    /// Layers of the mover: tiles that let one of them pass count as empty.
    layers: CollisionLayers,
    /// Bodies at rest that the mover collides with, for a mover without a world.
    obstacles: Option<&'a Obstacles>,
}

/// One terrain of the surroundings, at its position.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) owner: Owner,
    pub(crate) terrain: &'a Terrain,
    pub(crate) origin: I64Vec2,
    /// Path of the mover relative to this source since the start of its tick. `None` if the mover moved with the
    /// source.
    pub(super) approach: Option<ApproachPath>,
}

/// State of a platform when pieces were gathered from it: everything that the pieces depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlatformKey {
    pub(super) platform: u32,
    pub(super) origin: I64Vec2,
    version: Version,
    drops: bool,
    pub(super) approach: Option<ApproachPath>,
}

impl<'a> Surroundings<'a> {
    pub(crate) fn new(terrain: &'a Terrain, platforms: &'a [Platform]) -> Surroundings<'a> {
        Surroundings {
            terrain,
            platforms,
            blocks: None,
            near: (Bounds::NONE, &[]),
            is_alone: false,
            ignored: &[],
            frame_velocity: DVec2::ZERO,
            approach: None,
            drops: false,
            layers: CollisionLayers::NONE,
            obstacles: None,
        }
    }

    /// Returns the surroundings of a mover that collides with platforms and bodies.
    pub(super) fn with_obstacles(terrain: &'a Terrain, obstacles: &'a Obstacles) -> Surroundings<'a> {
        Surroundings { obstacles: Some(obstacles), ..Surroundings::new(terrain, obstacles.platforms()) }
    }

    /// Bodies at rest that the mover collides with, in order.
    pub(super) fn bodies(&self) -> &'a [(BodyId, Resting)] {
        self.obstacles.map_or(&[], Obstacles::bodies)
    }

    /// Returns whether the mover collides with bodies at rest.
    #[inline(always)]
    pub(super) fn has_bodies(&self) -> bool {
        self.obstacles.is_some_and(|obstacles| !obstacles.bodies().is_empty())
    }

    /// Returns a body at rest.
    pub(super) fn body(&self, owner: Owner) -> Option<&'a (BodyId, Resting)> {
        let Owner::Body(i) = owner else { return None };
        self.bodies().get(i as usize)
    }

    /// Returns the surroundings of a mover in those layers, which some tiles may let pass. Call this before
    /// [`Surroundings::for_drop_through`].
    #[inline]
    pub(crate) fn for_layers(self, layers: CollisionLayers) -> Surroundings<'a> {
        if !self.terrain.layers_let_through().intersects(layers) {
            return self;
        }
        Surroundings { terrain: self.terrain.form_for_layers(layers), layers, ..self }
    }

    /// Returns the surroundings with another terrain, for a mover that collides with all of its tiles.
    pub(super) fn with_all_tiles_of(self, terrain: &'a Terrain) -> Surroundings<'a> {
        Surroundings { terrain, drops: false, layers: CollisionLayers::NONE, ..self }
    }

    /// Returns the surroundings with another terrain of the map, for a mover in the same layers.
    pub(crate) fn with_terrain(self, terrain: &'a Terrain) -> Surroundings<'a> {
        Surroundings { terrain, ..self }
    }

    /// Returns the surroundings of a mover in those layers, which some tiles of platforms may let pass.
    pub(super) fn with_layers(self, layers: CollisionLayers) -> Surroundings<'a> {
        Surroundings { layers, ..self }
    }

    /// Returns the surroundings of a mover that collides with no platforms.
    pub(crate) fn without_platforms(self) -> Surroundings<'a> {
        Surroundings { platforms: &[], blocks: None, near: (Bounds::NONE, &[]), ..self }
    }

    /// Returns the surroundings of a mover that drops through one-way tiles.
    pub(crate) fn for_drop_through(self) -> Surroundings<'a> {
        Surroundings { terrain: self.terrain.without_drop_through(), drops: true, ..self }
    }

    /// Returns the surroundings with a grid of the platforms.
    pub(crate) fn with_platform_grid(self, blocks: Option<&'a Blocks>) -> Surroundings<'a> {
        Surroundings { blocks, ..self }
    }

    /// Returns the surroundings of a mover that knows which platforms are within `bounds`.
    pub(crate) fn with_near_platforms(self, bounds: Bounds, near: &'a [u32]) -> Surroundings<'a> {
        Surroundings { near: (bounds, near), ..self }
    }

    /// Returns the surroundings of a mover that knows that only terrain is within `bounds`, and caches only terrain.
    pub(crate) fn with_only_terrain_within(self, bounds: Bounds) -> Surroundings<'a> {
        Surroundings { is_alone: true, ..self.with_near_platforms(bounds, &[]) }
    }

    /// Returns the bounds for which the mover's cache may be used.
    #[inline]
    pub(super) fn cache_limit(&self) -> Bounds {
        if self.is_alone { self.near.0 } else { Bounds::ALL }
    }

    /// Returns whether the mover's cache holds pieces of the terrain only.
    #[inline]
    pub(super) fn caches_only_terrain(&self) -> bool {
        self.is_alone || self.platforms.is_empty()
    }

    /// Finds the platforms that come within `bounds` this tick. `None` if `bounds` is too large, or if there are more
    /// platforms than the inline capacity of the list.
    pub(crate) fn find_near_platforms(&self, bounds: &Bounds, found: &mut NearPlatforms) -> Option<()> {
        found.clear();
        let mut fits = true;
        self.blocks?.try_for_each_near_platform(bounds, |i| {
            if bounds.intersects(&self.platforms[i as usize].bounds()) && !found.contains(&i) {
                fits &= found.len() < found.inline_size();
                if fits {
                    found.push(i);
                }
            }
        })?;
        found.sort_unstable();
        fits.then_some(())
    }

    /// Returns the surroundings of a mover that passes through the platforms `ignored`, in a frame with that velocity.
    pub(crate) fn ignoring_platforms(self, ignored: &'a [u32], frame_velocity: DVec2) -> Surroundings<'a> {
        Surroundings { ignored, frame_velocity, ..self }
    }

    /// Returns the surroundings of a mover whose tick began at `from` and whose own move begins at `to`.
    pub(crate) fn with_approach(self, from: Position, to: Position) -> Surroundings<'a> {
        Surroundings { approach: Some((from, to)), ..self }
    }

    /// Returns the map's terrain as a source.
    #[inline(always)]
    pub(crate) fn terrain(&self) -> Source<'a> {
        Source { owner: Owner::Terrain, terrain: self.terrain, origin: I64Vec2::ZERO, approach: None }
    }

    /// Returns the version of the terrain's tiles.
    #[inline(always)]
    pub(super) fn tile_version(&self) -> Version {
        self.terrain.tile_versions().0
    }

    /// Returns whether it is known that no platform comes within `bounds`.
    #[inline(always)]
    pub(crate) fn is_free_of_platforms(&self, bounds: &Bounds) -> bool {
        self.near.1.is_empty() && self.near.0.covers(bounds)
    }

    /// Returns whether there are sources in addition to the terrain.
    #[inline(always)]
    pub(crate) fn has_platforms(&self) -> bool {
        !self.platforms.is_empty()
    }

    /// Returns all platforms, one for each slot.
    pub(crate) fn all_platforms(&self) -> &'a [Platform] {
        self.platforms
    }

    /// Returns the sources in addition to the terrain.
    #[inline(always)]
    pub(super) fn platforms(&self) -> impl Iterator<Item = Source<'a>> + use<'a> {
        let all = *self;
        self.hittable_platforms().map(move |(i, _)| all.source(Owner::Platform(i)))
    }

    /// Returns the platforms that the mover can hit, with their indices.
    #[inline(always)]
    fn hittable_platforms(&self) -> impl Iterator<Item = (u32, &'a Platform)> + use<'a> {
        let ignored = self.ignored;
        let all = (0..).zip(self.platforms);
        all.filter(move |(i, platform)| platform.is_there && ignored.binary_search(i).is_err())
    }

    /// Returns a source at its present position. Returns the terrain for a platform that does not exist.
    #[inline]
    pub(crate) fn source(&self, owner: Owner) -> Source<'a> {
        match self.platform(owner) {
            Some(platform) => {
                let terrain = platform.terrain.form_for_layers(self.layers);
                let terrain = if self.drops { terrain.without_drop_through() } else { terrain };
                Source { owner, terrain, origin: platform.origin, approach: self.path_relative_to(platform) }
            }
            None => self.terrain(),
        }
    }

    /// Returns the mover's path relative to a platform, if it did not move with the platform.
    #[inline]
    fn path_relative_to(&self, platform: &Platform) -> Option<ApproachPath> {
        let (from, to) = self.approach?;
        let approach = ApproachPath { from: from.units() + platform.last_step, to: to.units() };
        (approach.from != approach.to).then_some(approach)
    }

    pub(crate) fn platform(&self, owner: Owner) -> Option<&'a Platform> {
        let Owner::Platform(i) = owner else { return None };
        self.platforms.get(i as usize)
    }

    /// Returns whether the mover passes through a source.
    #[inline]
    pub(super) fn ignores(&self, owner: Owner) -> bool {
        matches!(owner, Owner::Platform(slot) if self.ignored.contains(&slot))
    }

    /// Returns whether one of the surfaces may move, seen from the mover's own frame.
    #[inline]
    pub(crate) fn may_any_surface_move(&self, surfaces: &[Surface]) -> bool {
        self.frame_velocity != DVec2::ZERO || surfaces.iter().any(|surface| surface.owner != Owner::Terrain)
    }

    /// Returns the velocity of a body that rides several sources. On each axis: the slowest if all have one direction,
    /// else 0.
    pub(crate) fn combined_velocity(&self, rides: impl Iterator<Item = Owner>) -> DVec2 {
        rides.map(|owner| self.velocity(owner)).reduce(common_velocity).unwrap_or_default()
    }

    /// Returns the grid of the platforms, if there is one.
    pub(crate) fn blocks(&self) -> Option<&'a Blocks> {
        self.blocks
    }

    /// Returns the distance from `bounds` to the nearest platform this tick, except `except`, at most `most`. Returns 0
    /// if the search would be too expensive. Calls `see` with each platform nearer than `most`, some of them several
    /// times.
    pub(crate) fn gap_to_platforms(
        &self,
        bounds: &Bounds,
        most: i64,
        except: Option<u32>,
        mut see: impl FnMut(u32),
    ) -> i64 {
        let mut gap = most;
        let seen = self.blocks.and_then(|blocks| {
            blocks.try_for_each_near_platform(&bounds.grown(most), |i| {
                if Some(i) != except {
                    let platform = self.platforms[i as usize].bounds();
                    let away = bounds.gap(&platform);
                    if away < most {
                        gap = gap.min(away);
                        see(i);
                    }
                }
            })
        });
        if seen.is_some() { gap.max(0) } else { 0 }
    }

    /// Returns how far platforms may travel, and bounds around `bounds` that no platform enters meanwhile. The bounds
    /// grow by less than `most` units.
    ///
    /// `None` if a platform is nearer than `least`, or if more platforms are near than the inline capacity of a list.
    /// If `prefers_path` is set, a platform with known path bounds may move anywhere within them.
    pub(crate) fn room_without_platforms(
        &self,
        bounds: &Bounds,
        most: i64,
        least: i64,
        prefers_path: bool,
    ) -> Option<(i64, Bounds)> {
        let (mut near, mut gap, mut fits) = (NearPlatforms::new(), most, true);
        self.blocks?.try_for_each_near_platform(&bounds.grown(most), |i| {
            if near.last() == Some(&i) || near.contains(&i) {
                return;
            }
            let platform = &self.platforms[i as usize];
            let (is_home, reach) = platform.path_or_tick_bounds(prefers_path);
            let away = bounds.gap(&reach);
            if away < most {
                // A platform with known path bounds (`is_home`) stays within them, so its distance does not limit how
                // far other platforms may travel.
                gap = if is_home && away >= least { gap } else { gap.min(away) };
                fits &= near.len() < near.inline_size();
                if fits {
                    near.push(i);
                }
            }
        })?;
        if gap < least || !fits {
            return None;
        }
        let travel = gap / 3;
        let mut within = bounds.grown(most - travel);
        for i in near {
            let (is_home, reach) = self.platforms[i as usize].path_or_tick_bounds(prefers_path);
            within = within.part_without(&if is_home { reach } else { reach.grown(travel) }, bounds)?;
        }
        Some((travel, within))
    }

    /// Returns whether a platform may come within `bounds` this tick.
    #[inline]
    pub(crate) fn may_have_platform_within(&self, bounds: &Bounds) -> bool {
        self.blocks.is_none_or(|blocks| blocks.may_reach_platforms(bounds))
    }

    /// Returns whether a platform comes within `bounds` this tick.
    pub(crate) fn has_platform_within(&self, bounds: &Bounds) -> bool {
        !self.is_free_of_platforms(bounds) && self.hittable_platforms_within(bounds).next().is_some()
    }

    /// Returns whether a platform that may be gathered comes within `bounds` but not within `but`.
    pub(super) fn reaches_more_platforms(&self, bounds: &Bounds, but: &Bounds) -> bool {
        self.has_platforms() && !self.is_alone && self.has_platform_within(bounds) && !self.has_platform_within(but)
    }

    /// Returns the platform that a surface belongs to.
    pub(crate) fn platform_of(&self, surface: &Surface) -> Option<PlatformId> {
        self.platform(surface.owner).map(|platform| platform.id)
    }

    /// Returns the displacement of a source this tick, in units.
    pub(super) fn tick_displacement(&self, owner: Owner) -> I64Vec2 {
        self.platform(owner).map_or(I64Vec2::ZERO, |platform| platform.step)
    }

    /// Returns the velocity of a source relative to the mover's own frame, in tiles per second.
    #[inline]
    pub(crate) fn velocity(&self, owner: Owner) -> DVec2 {
        self.platform(owner).map_or(DVec2::ZERO, |platform| platform.velocity) - self.frame_velocity
    }

    /// Returns the platforms that come within `bounds` during this tick.
    pub(super) fn platform_owners_within<'s>(&'s self, bounds: &'s Bounds) -> impl Iterator<Item = Owner> + 's {
        self.hittable_platforms_within(bounds).map(|(i, _)| Owner::Platform(i))
    }

    /// Returns the bounds during this tick of the platforms that come within `bounds`.
    pub(super) fn platform_bounds_within<'s>(&'s self, bounds: &'s Bounds) -> impl Iterator<Item = Bounds> + 's {
        self.hittable_platforms_within(bounds).map(|(_, platform)| platform.bounds())
    }

    /// Returns the sources in addition to the terrain that come within `bounds`.
    pub(crate) fn platforms_within<'s>(&'s self, bounds: &'s Bounds) -> impl Iterator<Item = Source<'a>> + 's {
        self.platform_owners_within(bounds).map(|owner| self.source(owner))
    }

    #[inline(always)]
    fn hittable_platforms_within<'s>(&'s self, bounds: &'s Bounds) -> impl Iterator<Item = (u32, &'a Platform)> + 's {
        let (within, near) = self.near;
        let mut found = NearPlatforms::new();
        let (known, all) = if within.covers(bounds) || !self.has_platforms() {
            (near, 0)
        } else if self.find_near_platforms(bounds, &mut found).is_some() {
            (&[][..], 0)
        } else {
            found.clear();
            (&[][..], self.platforms.len() as u32)
        };
        let (platforms, ignored) = (self.platforms, self.ignored);
        let listed = known.iter().copied().chain(found).chain(0..all).map(move |i| (i, &platforms[i as usize]));
        listed.filter(move |(i, platform)| {
            platform.is_there && bounds.intersects(&platform.bounds()) && ignored.binary_search(i).is_err()
        })
    }

    /// Returns every source, the terrain first.
    pub(super) fn sources(&self) -> impl Iterator<Item = Source<'a>> + use<'a> {
        std::iter::once(self.terrain()).chain(self.platforms())
    }

    /// Returns the source that a surface belongs to.
    pub(crate) fn source_of(&self, surface: &Surface) -> Source<'a> {
        self.source(surface.owner)
    }

    /// Returns the tile of a surface's cell, in its owner's map, and the kind of the tile.
    #[inline]
    pub(crate) fn tile_of(&self, surface: &Surface) -> ((i32, i32), TileId) {
        let source = self.source_of(surface);
        let tile = source.tile_at_offset(surface.at);
        (tile, source.terrain.source_of(tile, &surface.piece).tile_id)
    }

    /// Joins touched surfaces of several sources as the bake joins the tiles of one terrain. A corner at which a face
    /// of another source continues straight on is dropped. Two corners at one point become one.
    #[inline(always)]
    pub(super) fn join_touched_surfaces(&self, surfaces: &mut Surfaces) {
        if self.has_platforms() && surfaces.len() > 1 {
            join_surfaces_at_shared_corners(surfaces);
        }
    }

    /// Returns the platforms that have cells within `bounds`, with their present state.
    pub(super) fn platform_keys_within<'s>(&'s self, bounds: &'s Bounds) -> impl Iterator<Item = PlatformKey> + 's {
        self.hittable_platforms_within(bounds).map(|(i, platform)| self.platform_key(i, platform))
    }

    /// Returns the present state of a platform.
    #[inline]
    fn platform_key(&self, i: u32, platform: &Platform) -> PlatformKey {
        let (origin, version) = (platform.origin, platform.terrain.version());
        PlatformKey { platform: i, origin, version, drops: self.drops, approach: self.path_relative_to(platform) }
    }

    /// Returns whether all `bounds` are known to contain at most this one platform, in the same state as before.
    #[inline]
    pub(super) fn contains_only_platform(&self, held: &PlatformKey, bounds: [&Bounds; 2]) -> bool {
        let (within, near) = self.near;
        let stands = |platform: &Platform| self.platform_key(held.platform, platform) == *held;
        near == [held.platform]
            && self.ignored.is_empty()
            && bounds.into_iter().all(|bounds| within.covers(bounds))
            && self.platform(Owner::Platform(held.platform)).is_some_and(stands)
    }
}

#[inline(never)]
fn join_surfaces_at_shared_corners(surfaces: &mut Surfaces) {
    let hides = |face: &Surface, corner: &Surface| face.owner != corner.owner && face.continues_at_arc(corner);
    // Only corners are dropped, and only because of faces, which all stay. So the order of the drops does not matter.
    let mut i = 0;
    while i < surfaces.len() {
        let (before, [surface, ..]) = surfaces.split_at_mut(i) else { return };
        if let Some(joined) = before.iter_mut().find_map(|known| Some((known.join_arcs(surface)?, known))) {
            *joined.1 = joined.0;
            surfaces.remove(i);
        } else if surfaces.iter().any(|face| hides(face, &surfaces[i])) {
            surfaces.remove(i);
        } else {
            i += 1;
        }
    }
}

impl<'a> Source<'a> {
    /// Returns the pieces of a cell that a shape can hit.
    #[inline]
    pub(super) fn pieces(&self, shape: Shape, baked: &BakedCell) -> &'a [Piece] {
        if shape.is_circle() { self.terrain.circle_pieces(baked) } else { self.terrain.box_pieces(baked) }
    }

    /// Calls `see` with each piece that a shape can hit in some cells: from the lowest row up, from left to right.
    #[inline]
    pub(super) fn for_each_piece(&self, shape: Shape, range: CellRange, mut see: impl FnMut(Surface)) {
        self.visit_pieces_by_cell(shape, range, |owner, at, pieces| {
            pieces.iter().for_each(|piece| see(Surface { owner, at, piece: *piece }));
        });
    }

    /// Calls `see` with the pieces that a shape can hit, one cell at a time: with their owner and the lower left corner
    /// of the cell, in units.
    #[inline]
    pub(super) fn visit_pieces_by_cell(
        &self,
        shape: Shape,
        range: CellRange,
        mut see: impl FnMut(Owner, I64Vec2, &'a [Piece]),
    ) {
        self.terrain.for_each_cell(range.low, range.high, |cell, baked| {
            let at = self.cell_corner(cell);
            self.visit_blocking_pieces(shape, at, self.pieces(shape, baked), |pieces| see(self.owner, at, pieces));
        });
    }

    /// Calls `see` with the pieces of a cell, without the one-way lines that the shape passes.
    #[inline(always)]
    pub(super) fn visit_blocking_pieces(
        &self,
        shape: Shape,
        at: I64Vec2,
        pieces: &'a [Piece],
        mut see: impl FnMut(&'a [Piece]),
    ) {
        if self.approach.is_none() {
            see(pieces);
        } else {
            pieces.split(|piece| self.belongs_to_passed_line(shape, at, piece)).for_each(see);
        }
    }

    /// Returns the position of the source's point (0, 0), in units.
    pub(super) fn origin(&self) -> I64Vec2 {
        self.origin
    }

    /// Returns the source with its point (0, 0) at `origin`.
    pub(super) fn moved_to(self, origin: I64Vec2) -> Source<'a> {
        Source { origin, ..self }
    }

    /// Returns a position relative to the source's point (0, 0), in units.
    #[inline(always)]
    pub(crate) fn relative_position(&self, position: Position) -> I64Vec2 {
        position.units() - self.origin
    }

    /// Returns the source's cells that `bounds` reaches.
    #[inline]
    pub(crate) fn cells(&self, bounds: &Bounds) -> CellRange {
        Bounds { low: bounds.low - self.origin, high: bounds.high - self.origin }.cells()
    }

    /// Returns the lower left corner of a cell, in units.
    #[inline(always)]
    pub(crate) fn cell_corner(&self, cell: (i32, i32)) -> I64Vec2 {
        self.origin + I64Vec2::new(i64::from(cell.0), i64::from(cell.1)) * ONE
    }

    /// Returns the cell whose lower left corner is at `at`.
    #[inline]
    pub(crate) fn tile_at_offset(&self, at: I64Vec2) -> (i32, i32) {
        let units = at - self.origin;
        ((units.x >> 32) as i32, (units.y >> 32) as i32)
    }
}
