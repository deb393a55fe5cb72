//! What a shape can meet: the terrain of a map, and terrains beside it that stand at positions of their own.
//!
//! A source answers in cells of its own; a surface names its source and where its cell stands, in units. So casts,
//! contacts and slides take surfaces of any source, and never ask which it is. What a body keeps of its surroundings
//! names the sources it was gathered from and where they stood. It is forgotten once one of them moves, is painted, or
//! comes near.
//!
//! Sources are not joined when they are baked. Where two meet flush, the surfaces touched are joined as the bake joins
//! tiles: a corner at which a face of another source goes straight on is no corner, and two arcs at one point become
//! the part of the cone that both have. So a map split into several terrains moves bodies by the same bits where the
//! outline is straight at the split, and by at most a step elsewhere.

use super::blocks::Blocks;
use super::ledge::Came;
use super::surface::Surface;
use super::visit::{Bounds, CellRange};
use super::{Shape, Surfaces};
use crate::map::{CollisionLayers, TileId, slower};
use crate::platform::PlatformId;
use crate::terrain::{BakedCell, Piece, Terrain};
use crate::version::Version;
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::{ONE, Position, to_lengths};

/// The terrain that a surface belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    /// The map's terrain.
    Terrain,
    /// A platform, by its index.
    Platform(u32),
}

/// A terrain beside the map's, displaced by whole units. Its map has open sides: it ends where its tiles do.
#[derive(Clone, Debug)]
pub(crate) struct Platform {
    terrain: Terrain,
    /// What its cells reach that are not plainly empty, seen from the point (0, 0) of its map.
    reach: Bounds,
    /// What they reach wherever its path leads it, if nothing else moves it.
    home: Option<Bounds>,
    /// Where that point is, in units.
    pub(crate) origin: I64Vec2,
    /// By how much it moves in the tick under way, in units; zero once it has.
    pub(crate) step: I64Vec2,
    /// By how much it moved in the last tick, in units, and how fast that is, in tiles per second.
    pub(crate) made: I64Vec2,
    pub(crate) velocity: DVec2,
    /// Bodies meet it; a slot without a platform holds one that they do not.
    pub(crate) is_there: bool,
    /// Its name in the world.
    pub(crate) id: PlatformId,
}

impl Platform {
    /// The longest way on an axis on which it counts that a platform never leaves it, in units: 64 tiles. It would fill the
    /// blocks of most of what it never comes to.
    ///
    /// Decides about speed alone.
    const HOME: i64 = 64 * ONE;

    /// A platform at rest.
    pub(crate) fn new(terrain: Terrain, origin: I64Vec2) -> Platform {
        let (step, made, velocity) = (I64Vec2::ZERO, I64Vec2::ZERO, DVec2::ZERO);
        let reach = reach_of(&terrain);
        Platform { terrain, reach, home: None, origin, step, made, velocity, is_there: true, id: PlatformId::default() }
    }

    /// Puts it somewhere else, where it rests.
    pub(crate) fn rest_at(&mut self, origin: I64Vec2) {
        (self.origin, self.made, self.velocity) = (origin, I64Vec2::ZERO, DVec2::ZERO);
    }

    /// Notes what it has made in a tick of so many seconds.
    pub(crate) fn note_made(&mut self, made: I64Vec2, tick: f64) {
        (self.made, self.velocity) = (made, to_lengths(made) / tick);
    }

    /// Its tiles, for movers that meet all of them.
    pub(crate) fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// Becomes one of other tiles.
    pub(crate) fn set_terrain(&mut self, terrain: Terrain) {
        (self.reach, self.terrain) = (reach_of(&terrain), terrain);
    }

    /// Makes ready what bodies of those collision layers meet of it; that is nowhere that it shows nothing.
    pub(crate) fn prepare_layers(&mut self, layers: CollisionLayers) {
        self.terrain.prepare_collision_layers(layers);
    }

    /// A slot without a platform.
    #[cfg(feature = "record")]
    pub(crate) fn gone(terrain: Terrain) -> Platform {
        Platform { is_there: false, ..Platform::new(terrain, I64Vec2::ZERO) }
    }

    /// Notes between which two corners its point (0, 0) stays, if anything holds it there.
    pub(crate) fn stay_within(&mut self, corners: Option<(I64Vec2, I64Vec2)>) {
        let home = |(low, high): (I64Vec2, I64Vec2)| Bounds { low: self.reach.low + low, high: self.reach.high + high };
        let near = corners.filter(|(low, high)| (high - low).max_element() <= Self::HOME);
        self.home = near.map(home);
    }

    /// Takes over where another one that is the same stays.
    pub(crate) fn take_home(&mut self, other: &Platform) {
        self.home = other.home;
    }

    /// What it reaches wherever its path leads it, if that is known.
    pub(super) fn home(&self) -> Option<Bounds> {
        self.home
    }

    /// Whether it is known where it stays.
    #[inline]
    pub(crate) fn has_home(&self) -> bool {
        self.home.is_some()
    }

    /// Where it stays, if that counts and is known, or else what it reaches in the tick under way; and which of the two.
    #[inline]
    fn reach_or_home(&self, homes: bool) -> (bool, Bounds) {
        self.home.filter(|_| homes).map_or_else(|| (false, self.bounds()), |home| (true, home))
    }

    /// What its cells reach on the way that it makes in the tick under way.
    #[inline]
    pub(crate) fn bounds(&self) -> Bounds {
        let from = self.origin.min(self.origin + self.step);
        let to = self.origin.max(self.origin + self.step);
        Bounds { low: self.reach.low + from, high: self.reach.high + to }
    }
}

/// What the cells of a terrain reach that are not plainly empty, for movers that drop through tiles too; a point where there is
/// none.
fn reach_of(terrain: &Terrain) -> Bounds {
    let (origin, size) = (terrain.origin(), terrain.size());
    // A ring of cells around the map may show something too.
    let low = (origin.0.saturating_sub(1), origin.1.saturating_sub(1));
    let high = (low.0.saturating_add_unsigned(size.0 + 1), low.1.saturating_add_unsigned(size.1 + 1));
    let mut reach = Bounds::NONE;
    for terrain in [terrain, terrain.dropped()] {
        terrain.each_cell(low, high, |(x, y), _| {
            let corner = I64Vec2::new(i64::from(x), i64::from(y)) * ONE;
            reach = reach.with(&Bounds { low: corner, high: corner + ONE });
        });
    }
    if reach == Bounds::NONE { Bounds { low: I64Vec2::ZERO, high: I64Vec2::ZERO } } else { reach }
}

/// The platforms near a body: as many as need no memory of their own, so that a step allocates nothing.
pub(crate) type NearPlatforms = SmallVec<[u32; 32]>;

/// Everything that a mover can meet.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    terrain: &'a Terrain,
    platforms: &'a [Platform],
    /// Where the platforms are; `None` for anywhere.
    blocks: Option<&'a Blocks>,
    /// Bounds within which only these platforms are, and they in ascending order.
    near: (Bounds, &'a [u32]),
    /// No platform is within these bounds, and what is kept of the mover's surroundings is of the terrain alone.
    is_alone: bool,
    /// The platforms that the mover passes through, in ascending order.
    ignored: &'a [u32],
    /// How fast the mover's own frame goes, in tiles per second: its velocity is told in that.
    frame_velocity: DVec2,
    /// Where the mover was when its tick began and when its own move did, if platforms may have moved in between.
    came: Option<(Position, Position)>,
    /// Tiles that may be dropped through are as if they were empty.
    drops: bool,
    /// Tiles that let one of these layers pass are as if they were empty.
    layers: CollisionLayers,
}

/// One terrain of the surroundings and where it stands.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) owner: Owner,
    pub(crate) terrain: &'a Terrain,
    pub(crate) origin: I64Vec2,
    /// How the mover came to it since its tick began, if that has moved it there.
    pub(super) came: Option<Came>,
}

/// A platform as it stood when pieces were gathered from it: all of it that they depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) platform: u32,
    pub(super) origin: I64Vec2,
    version: Version,
    drops: bool,
    pub(super) came: Option<Came>,
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
            came: None,
            drops: false,
            layers: CollisionLayers::NONE,
        }
    }

    /// The surroundings of a mover of those layers, which some tiles may let pass. To be asked before
    /// [`Surroundings::dropped`].
    #[inline]
    pub(crate) fn of_layers(self, layers: CollisionLayers) -> Surroundings<'a> {
        if !self.terrain.lets_pass().intersects(layers) {
            return self;
        }
        Surroundings { terrain: self.terrain.form(layers), layers, ..self }
    }

    /// The surroundings with another terrain, for a mover that meets all tiles of it.
    pub(super) fn of_terrain(self, terrain: &'a Terrain) -> Surroundings<'a> {
        Surroundings { terrain, drops: false, layers: CollisionLayers::NONE, ..self }
    }

    /// The surroundings with another terrain of the map, for a mover of the same layers.
    pub(crate) fn over(self, terrain: &'a Terrain) -> Surroundings<'a> {
        Surroundings { terrain, ..self }
    }

    /// The surroundings of a mover of those layers, which some tiles of platforms may let pass.
    pub(super) fn with_layers(self, layers: CollisionLayers) -> Surroundings<'a> {
        Surroundings { layers, ..self }
    }

    /// The surroundings of a mover that meets no platforms.
    pub(crate) fn without_platforms(self) -> Surroundings<'a> {
        Surroundings { platforms: &[], blocks: None, near: (Bounds::NONE, &[]), ..self }
    }

    /// The surroundings for a mover that drops through what may be dropped through.
    pub(crate) fn dropped(self) -> Surroundings<'a> {
        Surroundings { terrain: self.terrain.dropped(), drops: true, ..self }
    }

    /// The surroundings with platforms that are where those blocks tell.
    pub(crate) fn with_blocks(self, blocks: Option<&'a Blocks>) -> Surroundings<'a> {
        Surroundings { blocks, ..self }
    }

    /// The surroundings of a mover that knows which platforms are within bounds.
    pub(crate) fn with_near(self, bounds: Bounds, near: &'a [u32]) -> Surroundings<'a> {
        Surroundings { near: (bounds, near), ..self }
    }

    /// The surroundings of a mover that knows that within bounds there is the terrain alone, and keeps nothing else of its
    /// surroundings.
    pub(crate) fn of_terrain_within(self, bounds: Bounds) -> Surroundings<'a> {
        Surroundings { is_alone: true, ..self.with_near(bounds, &[]) }
    }

    /// Within which bounds what is kept of the mover's surroundings may tell what is there.
    #[inline]
    pub(super) fn limit(&self) -> Bounds {
        if self.is_alone { self.near.0 } else { Bounds::ALL }
    }

    /// Whether what is kept of the mover's surroundings is of the terrain alone.
    #[inline]
    pub(super) fn keeps_terrain_alone(&self) -> bool {
        self.is_alone || self.platforms.is_empty()
    }

    /// Finds the platforms that come within bounds in the tick under way; `None` for bounds that are too large, or with more
    /// platforms than a list holds without memory of its own.
    pub(crate) fn find_near(&self, bounds: &Bounds, found: &mut NearPlatforms) -> Option<()> {
        found.clear();
        let mut fits = true;
        self.blocks?.each_near(bounds, |i| {
            if bounds.meets(&self.platforms[i as usize].bounds()) && !found.contains(&i) {
                fits &= found.len() < found.inline_size();
                if fits {
                    found.push(i);
                }
            }
        })?;
        found.sort_unstable();
        fits.then_some(())
    }

    /// The surroundings of a mover that passes through some platforms, in a frame of that velocity.
    pub(crate) fn of_body(self, ignored: &'a [u32], frame_velocity: DVec2) -> Surroundings<'a> {
        Surroundings { ignored, frame_velocity, ..self }
    }

    /// The surroundings of a mover whose tick began at one place and its own move at another.
    pub(crate) fn of_own_move(self, from: Position, to: Position) -> Surroundings<'a> {
        Surroundings { came: Some((from, to)), ..self }
    }

    /// The map's terrain.
    #[inline(always)]
    pub(crate) fn terrain(&self) -> Source<'a> {
        Source { owner: Owner::Terrain, terrain: self.terrain, origin: I64Vec2::ZERO, came: None }
    }

    /// Whether it is known that no platform comes within bounds.
    #[inline(always)]
    pub(crate) fn has_none_within(&self, bounds: &Bounds) -> bool {
        self.near.1.is_empty() && self.near.0.covers(bounds)
    }

    /// Whether there are sources beside the terrain.
    #[inline(always)]
    pub(crate) fn has_platforms(&self) -> bool {
        !self.platforms.is_empty()
    }

    /// What bodies meet of all platforms, one for each slot.
    pub(crate) fn all_platforms(&self) -> &'a [Platform] {
        self.platforms
    }

    /// The sources beside the terrain.
    #[inline(always)]
    pub(super) fn platforms(&self) -> impl Iterator<Item = Source<'a>> + use<'a> {
        let all = *self;
        self.met().map(move |(i, _)| all.source(Owner::Platform(i)))
    }

    /// The platforms that the mover can meet, with their indices.
    #[inline(always)]
    fn met(&self) -> impl Iterator<Item = (u32, &'a Platform)> + use<'a> {
        let ignored = self.ignored;
        let all = (0..).zip(self.platforms);
        all.filter(move |(i, platform)| platform.is_there && ignored.binary_search(i).is_err())
    }

    /// A source, as it stands; the terrain for a platform that is not there.
    #[inline]
    pub(crate) fn source(&self, owner: Owner) -> Source<'a> {
        match self.platform(owner) {
            Some(platform) => {
                let terrain = platform.terrain.form(self.layers);
                let terrain = if self.drops { terrain.dropped() } else { terrain };
                Source { owner, terrain, origin: platform.origin, came: self.came_to(platform) }
            }
            None => self.terrain(),
        }
    }

    /// How the mover came to a platform, if not with it.
    #[inline]
    fn came_to(&self, platform: &Platform) -> Option<Came> {
        let (from, to) = self.came?;
        let came = Came { from: from.units() + platform.made, to: to.units() };
        (came.from != came.to).then_some(came)
    }

    pub(crate) fn platform(&self, owner: Owner) -> Option<&'a Platform> {
        let Owner::Platform(i) = owner else { return None };
        self.platforms.get(i as usize)
    }

    /// Whether the mover passes through a source.
    #[inline]
    pub(super) fn ignores(&self, owner: Owner) -> bool {
        matches!(owner, Owner::Platform(slot) if self.ignored.contains(&slot))
    }

    /// Whether some surface may move, seen from the mover's own frame.
    #[inline]
    pub(crate) fn moves_any(&self, surfaces: &[Surface]) -> bool {
        self.frame_velocity != DVec2::ZERO || surfaces.iter().any(|surface| surface.owner != Owner::Terrain)
    }

    /// How fast goes what rides several sources: on each axis the slowest if they go one way, else not at all.
    pub(crate) fn joint_velocity(&self, rides: &[Owner]) -> DVec2 {
        let all = rides.iter().map(|owner| self.velocity(*owner));
        all.reduce(|a, b| DVec2::new(slower(a.x, b.x), slower(a.y, b.y))).unwrap_or_default()
    }

    /// Where the platforms are, if that is known.
    pub(crate) fn blocks(&self) -> Option<&'a Blocks> {
        self.blocks
    }

    /// How far from bounds the nearest platform is that comes within so many units of them in the tick under way, but for
    /// one, those units if none does, and 0 where that is too much to ask. `see` is shown the platforms, some of them
    /// several times.
    pub(crate) fn gap(&self, bounds: &Bounds, most: i64, except: Option<u32>, mut see: impl FnMut(u32)) -> i64 {
        let mut gap = most;
        let seen = self.blocks.and_then(|blocks| {
            blocks.each_near(&bounds.grown(most), |i| {
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

    /// How far platforms may go, at most half as far as some units, and around bounds those into which none comes meanwhile:
    /// by less than those units larger. Nothing for a platform nearer than `least`, nor for more platforms than a list holds
    /// without memory of its own. `homes` says that those may go anywhere of which it is known where they stay.
    pub(crate) fn room(&self, bounds: &Bounds, most: i64, least: i64, homes: bool) -> Option<(i64, Bounds)> {
        let (mut near, mut gap, mut fits) = (NearPlatforms::new(), most, true);
        self.blocks?.each_near(&bounds.grown(most), |i| {
            if near.last() == Some(&i) || near.contains(&i) {
                return;
            }
            let platform = &self.platforms[i as usize];
            let (is_home, reach) = platform.reach_or_home(homes);
            let away = bounds.gap(&reach);
            if away < most {
                // What stays where it is needs no room to move in.
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
        let way = gap / 3;
        let mut within = bounds.grown(most - way);
        for i in near {
            let (is_home, reach) = self.platforms[i as usize].reach_or_home(homes);
            within = within.without(&if is_home { reach } else { reach.grown(way) }, bounds)?;
        }
        Some((way, within))
    }

    /// Whether a platform may come within bounds in the tick under way.
    #[inline]
    pub(crate) fn may_have_platform_within(&self, bounds: &Bounds) -> bool {
        self.blocks.is_none_or(|blocks| blocks.may_meet(bounds))
    }

    /// Whether a platform comes within bounds in the tick under way.
    pub(crate) fn has_platform_within(&self, bounds: &Bounds) -> bool {
        !self.has_none_within(bounds) && self.met_within(bounds).next().is_some()
    }

    /// Whether a platform that may be gathered comes within bounds but not within others.
    pub(super) fn leads_to_platforms(&self, bounds: &Bounds, but: &Bounds) -> bool {
        self.has_platforms() && !self.is_alone && self.has_platform_within(bounds) && !self.has_platform_within(but)
    }

    /// The platform that a surface belongs to.
    pub(crate) fn platform_of(&self, surface: &Surface) -> Option<PlatformId> {
        self.platform(surface.owner).map(|platform| platform.id)
    }

    /// By how much a source moves in the tick under way, in units.
    pub(super) fn step(&self, owner: Owner) -> I64Vec2 {
        self.platform(owner).map_or(I64Vec2::ZERO, |platform| platform.step)
    }

    /// How fast a source goes, seen from the mover's own frame, in tiles per second.
    #[inline]
    pub(crate) fn velocity(&self, owner: Owner) -> DVec2 {
        self.platform(owner).map_or(DVec2::ZERO, |platform| platform.velocity) - self.frame_velocity
    }

    /// The platforms that come within bounds on the way that they make in the tick under way.
    pub(super) fn on_their_way_within<'s>(&'s self, bounds: &'s Bounds) -> impl Iterator<Item = Owner> + 's {
        self.met_within(bounds).map(|(i, _)| Owner::Platform(i))
    }

    /// What the platforms that come within bounds reach in the tick under way.
    pub(super) fn bounds_within<'s>(&'s self, bounds: &'s Bounds) -> impl Iterator<Item = Bounds> + 's {
        self.met_within(bounds).map(|(_, platform)| platform.bounds())
    }

    /// The sources beside the terrain that come within bounds.
    pub(crate) fn platforms_within<'s>(&'s self, bounds: &'s Bounds) -> impl Iterator<Item = Source<'a>> + 's {
        self.on_their_way_within(bounds).map(|owner| self.source(owner))
    }

    #[inline(always)]
    fn met_within<'s>(&'s self, bounds: &'s Bounds) -> impl Iterator<Item = (u32, &'a Platform)> + 's {
        let (within, near) = self.near;
        let mut found = NearPlatforms::new();
        let (known, all) = if within.covers(bounds) {
            (near, 0)
        } else if self.find_near(bounds, &mut found).is_some() {
            (&[][..], 0)
        } else {
            found.clear();
            (&[][..], self.platforms.len() as u32)
        };
        let (platforms, ignored) = (self.platforms, self.ignored);
        let listed = known.iter().copied().chain(found).chain(0..all).map(move |i| (i, &platforms[i as usize]));
        listed.filter(move |(i, platform)| {
            platform.is_there && bounds.meets(&platform.bounds()) && ignored.binary_search(i).is_err()
        })
    }

    /// Every source, the terrain first.
    pub(super) fn sources(&self) -> impl Iterator<Item = Source<'a>> + use<'a> {
        std::iter::once(self.terrain()).chain(self.platforms())
    }

    /// The source that a surface belongs to.
    pub(crate) fn source_of(&self, surface: &Surface) -> Source<'a> {
        // A surface outlives no source that it is asked about.
        self.source(surface.owner)
    }

    /// The tile of a surface's cell, in its owner's map, and its kind.
    #[inline]
    pub(crate) fn tile_of(&self, surface: &Surface) -> ((i32, i32), TileId) {
        let source = self.source_of(surface);
        let tile = source.tile(surface.at);
        (tile, source.terrain.source_of(tile, &surface.piece).tile_id)
    }

    /// Joins what is touched of several sources as the tiles of one terrain are joined when it is baked: there is no corner
    /// where a face of another source goes straight on, and two corners at one point are one.
    #[inline(always)]
    pub(super) fn join(&self, surfaces: &mut Surfaces) {
        if self.has_platforms() && surfaces.len() > 1 {
            join_sources(surfaces);
        }
    }

    /// The platforms that have cells within bounds, as they stand.
    pub(super) fn held_within<'s>(&'s self, bounds: &'s Bounds) -> impl Iterator<Item = Held> + 's {
        self.met_within(bounds).map(|(i, platform)| self.held(i, platform))
    }

    /// A platform as it stands.
    #[inline]
    fn held(&self, i: u32, platform: &Platform) -> Held {
        let (origin, version) = (platform.origin, platform.terrain.version());
        Held { platform: i, origin, version, drops: self.drops, came: self.came_to(platform) }
    }

    /// Whether it is known that within all those bounds there is one platform at most, and it stands as it did.
    #[inline]
    pub(super) fn holds_alone(&self, held: &Held, bounds: [&Bounds; 2]) -> bool {
        let (within, near) = self.near;
        let stands = |platform: &Platform| self.held(held.platform, platform) == *held;
        near == [held.platform]
            && self.ignored.is_empty()
            && bounds.into_iter().all(|bounds| within.covers(bounds))
            && self.platform(Owner::Platform(held.platform)).is_some_and(stands)
    }
}

#[inline(never)]
fn join_sources(surfaces: &mut Surfaces) {
    let hides = |face: &Surface, corner: &Surface| face.owner != corner.owner && face.goes_on_at_arc(corner);
    // A face stays, so what hides a corner is there whatever was dropped before.
    let mut i = 0;
    while i < surfaces.len() {
        let (before, [surface, ..]) = surfaces.split_at_mut(i) else { return };
        if let Some(joined) = before.iter_mut().find_map(|known| Some((known.joined_with(surface)?, known))) {
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
    /// What a shape can meet in a cell.
    #[inline]
    pub(super) fn pieces(&self, shape: Shape, baked: &BakedCell) -> &'a [Piece] {
        if shape.is_circle() { self.terrain.circle_pieces(baked) } else { self.terrain.box_pieces(baked) }
    }

    /// Shows what a shape can meet in some cells, cell by cell from the lowest row up and from left to right.
    #[inline]
    pub(super) fn each_piece(&self, shape: Shape, range: CellRange, mut see: impl FnMut(Surface)) {
        self.each_shown(shape, range, |owner, at, pieces| {
            pieces.iter().for_each(|piece| see(Surface { owner, at, piece: *piece }));
        });
    }

    /// Shows what a shape can meet in some cells, in the same order but a cell at a time: with its owner, and where the
    /// lower left corner of the cell is, in units.
    #[inline]
    pub(super) fn each_shown(&self, shape: Shape, range: CellRange, mut see: impl FnMut(Owner, I64Vec2, &'a [Piece])) {
        self.terrain.each_cell(range.low, range.high, |cell, baked| {
            let at = self.at(cell);
            self.each_met(shape, at, self.pieces(shape, baked), |pieces| see(self.owner, at, pieces));
        });
    }

    /// Shows the pieces of a cell without those of ledges that the shape passes.
    #[inline(always)]
    pub(super) fn each_met(&self, shape: Shape, at: I64Vec2, pieces: &'a [Piece], mut see: impl FnMut(&'a [Piece])) {
        if self.came.is_none() {
            see(pieces);
        } else {
            pieces.split(|piece| self.is_passed(shape, at, piece)).for_each(see);
        }
    }

    /// Where the point (0, 0) of its map is, in units.
    pub(super) fn origin(&self) -> I64Vec2 {
        self.origin
    }

    /// The source as it is when its point (0, 0) is there.
    pub(super) fn moved_to(self, origin: I64Vec2) -> Source<'a> {
        Source { origin, ..self }
    }

    /// A position seen from the source's own point (0, 0), in units.
    #[inline(always)]
    pub(crate) fn seen(&self, position: Position) -> I64Vec2 {
        position.units() - self.origin
    }

    /// The source's cells that bounds reach.
    #[inline]
    pub(crate) fn cells(&self, bounds: &Bounds) -> CellRange {
        Bounds { low: bounds.low - self.origin, high: bounds.high - self.origin }.cells()
    }

    /// Where the lower left corner of a cell is, in units.
    #[inline(always)]
    pub(crate) fn at(&self, cell: (i32, i32)) -> I64Vec2 {
        self.origin + I64Vec2::new(i64::from(cell.0), i64::from(cell.1)) * ONE
    }

    /// The cell whose lower left corner is there.
    #[inline]
    pub(crate) fn tile(&self, at: I64Vec2) -> (i32, i32) {
        let units = at - self.origin;
        ((units.x >> 32) as i32, (units.y >> 32) as i32)
    }
}
