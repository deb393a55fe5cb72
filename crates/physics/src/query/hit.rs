use crate::area::AreaId;
use crate::ids::BodyId;
use crate::map::TileId;
use crate::motion::Owner;
use crate::platform::PlatformId;
use glam::DVec2;
use surefoot_geometry::Position;

/// Tile, body or area that a query found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// The query found a tile of the map.
    Terrain {
        /// Column and row of the tile in the map.
        tile: (i32, i32),
        /// Kind of the tile. [`OUTSIDE`](crate::terrain::OUTSIDE) beyond a solid side of the map.
        tile_id: TileId,
    },
    /// The query found a tile of a platform.
    Platform {
        /// Platform that the tile belongs to.
        platform: PlatformId,
        /// Column and row of the tile in the platform's own tile layers.
        tile: (i32, i32),
        /// Kind of the tile.
        tile_id: TileId,
    },
    /// The query found a body.
    Body(BodyId),
    /// The query found an area.
    Area(AreaId),
}

impl Target {
    /// Returns the body, or `None` for a target that is not a body.
    #[must_use]
    pub fn body(self) -> Option<BodyId> {
        if let Target::Body(body) = self { Some(body) } else { None }
    }
}

/// Hit of a ray. [`World::cast_ray`](crate::World::cast_ray) returns it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Time of impact as a fraction of the motion, at least 0 and below 1.
    pub toi: f64,
    /// Point where the ray hits, rounded to the nearest unit of 2^-32 tile. Half units are rounded in the direction
    /// of the motion.
    pub point: Position,
    /// Unit normal of the surface: points out of the tile or body, towards the side from which the ray comes.
    pub normal: DVec2,
    /// Tile or body that the ray hit.
    pub target: Target,
}

/// Hit of a shape cast. [`World::cast_shape`](crate::World::cast_shape) returns it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeHit {
    /// Time of impact as a fraction of the motion, 0 to 1.
    pub toi: f64,
    /// Position of the shape's centre at the hit, in whole units of 2^-32 tile.
    pub position: Position,
    /// Point where the shape and the target touch, see [`Contact::point`](crate::motion::Contact::point).
    pub point: Position,
    /// Unit normal that points from the target to the shape.
    pub normal: DVec2,
    /// Tile or body that the shape hit.
    pub target: Target,
}

/// Contact of a body with another body. [`World::body_contacts`](crate::World::body_contacts) and
/// [`Mover`](crate::motion::Mover) return it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyContact {
    /// The body that touches the queried body or shape.
    pub other: BodyId,
    /// Point where the two bodies touch, see [`Contact::point`](crate::motion::Contact::point).
    pub point: Position,
    /// Unit normal that points from the other body to the queried body or shape.
    pub normal: DVec2,
}

/// Surface nearest to a point, the result of [`World::closest_surface`](crate::World::closest_surface).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestSurface {
    /// Distance from the queried point to the surface, in tiles.
    pub distance: f64,
    /// Nearest point of the surface, rounded to the nearest unit of 2^-32 tile.
    pub point: Position,
    /// Unit normal at the nearest point, which points out of the solid or body. At a corner, the direction from the
    /// corner to the queried point.
    pub normal: DVec2,
    /// Tile or body that the surface belongs to.
    pub target: Target,
}

/// Order of targets that are hit at the same time:
///
/// 1. the terrain, then platforms and bodies, each by its slot
/// 2. tiles by row from the lowest, then from the left
/// 3. the sides of a tile by their index
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    owner: Owner,
    row: i32,
    column: i32,
    edge: u8,
}

impl Key {
    pub(super) fn of_tile_side(owner: Owner, (column, row): (i32, i32), edge: u8) -> Key {
        Key { owner, row, column, edge }
    }

    /// Returns the part of the key that all sides of a tile share.
    pub(super) fn of_whole_tile(self) -> Key {
        Key { edge: 0, ..self }
    }

    pub(super) fn of_body(entry: u32) -> Key {
        Key::of_tile_side(Owner::Body(entry), (0, 0), 0)
    }
}
