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
//! outline is straight at the split, and by at most a step elsewhere. A world has only one terrain yet, but for tests.

use super::surface::Surface;
use super::visit::{Bounds, CellRange};
use super::{Shape, Surfaces};
use crate::terrain::{BakedCell, Piece, Terrain};
use crate::version::Version;
use glam::I64Vec2;
use surefoot_geometry::{ONE, Position};

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
    pub(crate) terrain: Terrain,
    /// Where the point (0, 0) of its map is, in units.
    pub(crate) origin: I64Vec2,
}

/// Everything that a mover can meet.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    terrain: &'a Terrain,
    platforms: &'a [Platform],
    /// Tiles that may be dropped through are as if they were empty.
    drops: bool,
}

/// One terrain of the surroundings and where it stands.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) owner: Owner,
    pub(crate) terrain: &'a Terrain,
    origin: I64Vec2,
}

/// A platform as it stood when pieces were gathered from it: all of it that they depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    platform: u32,
    origin: I64Vec2,
    version: Version,
    drops: bool,
}

impl<'a> Surroundings<'a> {
    pub(crate) fn new(terrain: &'a Terrain, platforms: &'a [Platform]) -> Surroundings<'a> {
        Surroundings { terrain, platforms, drops: false }
    }

    /// The surroundings for a mover that drops through what may be dropped through.
    pub(crate) fn dropped(self) -> Surroundings<'a> {
        Surroundings { terrain: self.terrain.dropped(), drops: true, ..self }
    }

    /// The map's terrain.
    #[inline(always)]
    pub(crate) fn terrain(&self) -> Source<'a> {
        Source { owner: Owner::Terrain, terrain: self.terrain, origin: I64Vec2::ZERO }
    }

    /// Whether there are sources beside the terrain.
    #[inline(always)]
    pub(crate) fn has_platforms(&self) -> bool {
        !self.platforms.is_empty()
    }

    /// The sources beside the terrain.
    #[inline(always)]
    pub(super) fn platforms(&self) -> impl Iterator<Item = Source<'a>> + use<'a> {
        let drops = self.drops;
        (0..).zip(self.platforms).map(move |(i, platform)| {
            let terrain = if drops { platform.terrain.dropped() } else { &platform.terrain };
            Source { owner: Owner::Platform(i), terrain, origin: platform.origin }
        })
    }

    /// Every source, the terrain first.
    pub(super) fn sources(&self) -> impl Iterator<Item = Source<'a>> + use<'a> {
        std::iter::once(self.terrain()).chain(self.platforms())
    }

    /// The source that a surface belongs to.
    pub(crate) fn source_of(&self, surface: &Surface) -> Source<'a> {
        match surface.owner {
            Owner::Terrain => self.terrain(),
            // A surface outlives no source that it is asked about.
            Owner::Platform(i) => self.platforms().nth(i as usize).unwrap_or_else(|| self.terrain()),
        }
    }

    /// The tile of a surface's cell, in its owner's map.
    #[inline]
    pub(crate) fn tile_of(&self, surface: &Surface) -> (i32, i32) {
        self.source_of(surface).tile(surface.at)
    }

    /// Joins what is touched of several sources as the tiles of one terrain are joined when it is baked: there is no corner
    /// where a face of another source goes straight on, and two corners at one point are one.
    #[inline(always)]
    pub(super) fn join(&self, surfaces: &mut Surfaces) {
        if self.has_platforms() {
            join_sources(surfaces);
        }
    }

    /// The platforms that have cells within bounds, as they stand.
    pub(super) fn held_within<'s>(&'s self, bounds: &'s Bounds) -> impl Iterator<Item = Held> + 's {
        let near = (0..).zip(self.platforms).filter(|(_, platform)| {
            let (low, size) = (platform.terrain.origin(), platform.terrain.size());
            // A ring of cells around the map may show something too.
            let corner = |x: i64, y: i64| platform.origin + I64Vec2::new(x, y) * ONE;
            let (x, y) = (i64::from(low.0), i64::from(low.1));
            let low = corner(x - 1, y - 1);
            let high = corner(x + i64::from(size.0) + 1, y + i64::from(size.1) + 1);
            bounds.meets(&Bounds { low, high })
        });
        near.map(|(i, platform)| Held {
            platform: i,
            origin: platform.origin,
            version: platform.terrain.version(),
            drops: self.drops,
        })
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
            see(self.owner, self.at(cell), self.pieces(shape, baked));
        });
    }

    /// A position seen from the source's own point (0, 0), in units.
    #[inline(always)]
    pub(super) fn seen(&self, position: Position) -> I64Vec2 {
        position.units() - self.origin
    }

    /// The source's cells that bounds reach.
    #[inline]
    pub(super) fn cells(&self, bounds: &Bounds) -> CellRange {
        Bounds { low: bounds.low - self.origin, high: bounds.high - self.origin }.cells()
    }

    /// Where the lower left corner of a cell is, in units.
    #[inline(always)]
    pub(super) fn at(&self, cell: (i32, i32)) -> I64Vec2 {
        self.origin + I64Vec2::new(i64::from(cell.0), i64::from(cell.1)) * ONE
    }

    /// The cell whose lower left corner is there.
    #[inline]
    pub(crate) fn tile(&self, at: I64Vec2) -> (i32, i32) {
        let units = at - self.origin;
        ((units.x >> 32) as i32, (units.y >> 32) as i32)
    }
}
