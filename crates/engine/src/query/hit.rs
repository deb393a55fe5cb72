use crate::area::AreaId;
use crate::event::BodyId;
use crate::map::TileId;
use crate::motion::Owner;
use crate::platform::PlatformId;
use glam::DVec2;
use surefoot_geometry::Position;

/// What a query has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// A tile of the map.
    Terrain {
        /// The tile.
        tile: (i32, i32),
        /// Its kind; [`OUTSIDE`](crate::terrain::OUTSIDE) beyond a solid side of the map.
        tile_id: TileId,
    },
    /// A tile of a platform.
    Platform {
        /// The platform.
        platform: PlatformId,
        /// The tile among the platform's own.
        tile: (i32, i32),
        /// Its kind.
        tile_id: TileId,
    },
    /// A body.
    Body(BodyId),
    /// An area.
    Area(AreaId),
}

impl Target {
    /// The body, if it is one.
    #[must_use]
    pub fn body(self) -> Option<BodyId> {
        if let Target::Body(body) = self { Some(body) } else { None }
    }
}

/// What a ray has met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The time of impact as a fraction of the motion, in [0, 1).
    pub toi: f64,
    /// Where the ray meets it, to the nearest unit of 2^-32 tile; halves are rounded along the motion.
    pub point: Position,
    /// The outward normal of what was met, of unit length and against the motion.
    pub normal: DVec2,
    /// What was met.
    pub target: Target,
}

/// What a shape that was cast has met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeHit {
    /// The time of impact as a fraction of the motion, in [0, 1].
    pub toi: f64,
    /// Where the shape is then, in whole units.
    pub position: Position,
    /// Where the two touch, see [`Contact::point`](crate::motion::Contact::point).
    pub point: Position,
    /// Unit normal, from what was met to the shape.
    pub normal: DVec2,
    /// What was met.
    pub target: Target,
}

/// A place where a body touches another one that it meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyContact {
    /// The other body.
    pub other: BodyId,
    /// Where the two touch, see [`Contact::point`](crate::motion::Contact::point).
    pub point: Position,
    /// Unit normal, from the other body to the body.
    pub normal: DVec2,
}

/// The surface that is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestSurface {
    /// How far it is, in tiles.
    pub distance: f64,
    /// The nearest point of it, to the nearest unit of 2^-32 tile.
    pub point: Position,
    /// The outward normal there, of unit length; at a corner the direction from the corner to the point that was asked for.
    pub normal: DVec2,
    /// What it belongs to.
    pub target: Target,
}

/// How targets are ordered that are met at one time: the terrain, then platforms and bodies, each by its slot; tiles by row from
/// the lowest and then from the left; the sides of a tile as the tile counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    source: u8,
    slot: u32,
    row: i32,
    column: i32,
    edge: u8,
}

impl Key {
    pub(super) fn tile(owner: Owner, (column, row): (i32, i32), edge: u8) -> Key {
        match owner {
            Owner::Terrain => Key { source: 0, slot: 0, row, column, edge },
            Owner::Platform(slot) => Key { source: 1, slot, row, column, edge },
        }
    }

    /// What all sides of a tile have in common.
    pub(super) fn whole(self) -> Key {
        Key { edge: 0, ..self }
    }

    pub(super) fn body(entry: u32) -> Key {
        Key { source: 2, slot: entry, row: 0, column: 0, edge: 0 }
    }
}
