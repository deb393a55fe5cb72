//! Queries: filters and results for rays, shape casts, overlaps, nearest surfaces and points.
//!
//! The methods of [`World`](crate::World) make the queries, such as [`World::cast_ray`](crate::World::cast_ray) and
//! [`World::overlap`](crate::World::overlap). A query reads the world as it is after the last step or command, and
//! changes nothing. A [`Filter`] selects what a query can find.
//!
//! Rays and shape casts pass through areas. Overlap and point queries find areas if [`Filter::areas`] is set.

// - `filter` selects what a query can find; `hit` has the results.
// - `way` cuts a straight path into rows of cells, in whole units. `ray` walks the tiles of the terrain and of platforms
//   along that path, and decides in integers which sides of tiles a ray passes.
// - `grid` finds bodies by their positions. A world fills the grid in the first query of a tick that needs bodies, and
//   keeps it until a step or a command. Cache: does not affect results.
// - `bodies` tests a ray or a moving shape against a body at rest. `cast` tests a moving shape against everything, with
//   the casts that move bodies.
// - `overlap`, `closest` and `point` test shapes and points at rest.
//
// A world adds areas to the results of overlap and point queries. A further kind of target needs a variant of `Target`,
// a grid, a field of `Filter`, and a rule for rays.

mod bodies;
mod cast;
mod closest;
mod filter;
mod grid;
mod hit;
mod overlap;
mod point;
mod ray;
mod tolerance;
mod way;

pub use filter::{Filter, OneWay};
pub(crate) use grid::{BodyGrid, Entry as GridEntry};
pub use hit::{BodyContact, ClosestSurface, RayHit, ShapeHit, Target};
pub(crate) use tolerance::MAX_RADIUS;
pub(crate) use way::StraightPath;

use crate::map::TileId;
use crate::motion::{Bounds, Mover, Owner, Scene, Source, Surface};
use crate::platform::PlatformId;
use glam::I64Vec2;
use hit::Key;
use smallvec::SmallVec;

/// Everything in a world that queries read, for one filter.
pub(crate) struct Queries<'a> {
    /// The terrain and platforms that movers in the filter's layers can hit.
    pub(crate) scene: Scene<'a>,
    pub(crate) bodies: &'a BodyGrid,
    pub(crate) filter: &'a Filter<'a>,
    /// Slots of the platforms that the filter excludes, in ascending order.
    pub(crate) ignored: SmallVec<[u32; 4]>,
}

impl<'a> Queries<'a> {
    /// Returns a mover for shape casts, without bodies.
    fn mover<'s>(&'s self) -> Option<Mover<'s>> {
        let scene: Scene<'s> = self.scene;
        let around = scene.around.ignoring_platforms(&self.ignored, glam::DVec2::ZERO);
        let around = if self.filter.platforms { around } else { around.without_platforms() };
        let terrain = if self.filter.terrain {
            scene.around.terrain().terrain
        } else if self.filter.platforms && around.has_platforms() {
            cast::empty_terrain()
        } else {
            return None;
        };
        Some(Mover::with_scene(Scene { around: around.with_terrain(terrain), ..scene }, terrain))
    }

    /// Returns the slots of the accepted platforms that come within `bounds`, each once.
    fn accepted_platforms_within(&self, bounds: &Bounds) -> SmallVec<[u32; 8]> {
        let mut slots = SmallVec::new();
        if self.filter.platforms && self.scene.around.has_platforms() {
            slots.extend(self.scene.around.platforms_within(bounds).filter_map(|source| match source.owner {
                Owner::Platform(slot) if self.ignored.binary_search(&slot).is_err() => Some(slot),
                _ => None,
            }));
            slots.sort_unstable();
        }
        slots
    }

    /// Returns the accepted terrain, and the accepted platforms near `bounds`.
    fn accepted_terrain_and_platforms_near(&self, bounds: &Bounds) -> impl Iterator<Item = Source<'a>> {
        let around = self.scene.around;
        let terrain = self.filter.terrain.then(|| around.terrain());
        let platforms =
            self.accepted_platforms_within(bounds).into_iter().map(move |slot| around.source(Owner::Platform(slot)));
        terrain.into_iter().chain(platforms)
    }

    /// Returns the target that a surface belongs to.
    fn target_of_surface(&self, surface: &Surface) -> Target {
        self.target_of_tile_or_body(surface.owner, self.scene.around.tile_of(surface))
    }

    /// Returns a tile of the map or of a platform, or a body, as a target.
    fn target_of_tile_or_body(&self, owner: Owner, (tile, tile_id): ((i32, i32), TileId)) -> Target {
        match owner {
            Owner::Terrain => Target::Terrain { tile, tile_id },
            Owner::Platform(_) => {
                let platform = self.scene.around.platform(owner).map_or_else(PlatformId::default, |found| found.id);
                Target::Platform { platform, tile, tile_id }
            }
            Owner::Body(entry) => Target::Body(self.bodies.entry(entry).id),
        }
    }

    /// Returns the sort key of a tile's surface.
    fn sort_key_of_surface(&self, surface: &Surface) -> Key {
        let platform = self.scene.around.platform(surface.owner);
        let tile = surface.cell_in_source_at(platform.map_or(I64Vec2::ZERO, |platform| platform.origin));
        Key::of_tile_side(surface.owner, tile, surface.piece.edge)
    }
}
