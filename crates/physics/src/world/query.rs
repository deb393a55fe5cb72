//! Query methods of a world, and the caches that they share.

use super::World;
use super::step::{can_collide_now, may_collide};
use crate::event::BodyId;
use crate::map::CollisionLayers;
use crate::motion::{self, Frame, Mover, Scene, Shape, Surroundings, motion_to_units};
use crate::query::{
    BodyContact, BodyGrid, ClosestSurface, Filter, GridEntry, MAX_RADIUS, Queries, RayHit, ShapeHit, StraightPath,
    Target,
};
use crate::terrain::{ChunkKey, Terrain};
use crate::version::Version;
use glam::I64Vec2;
use smallvec::SmallVec;
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};
use surefoot_geometry::{AnyBounded, ONE, Position, Vector, to_units};

/// Caches of queries, each for one state of the world. Not part of the saved state.
#[derive(Debug, Default)]
pub(super) struct QueryMemory {
    grid: RwLock<BodyGrid>,
    more: Mutex<Option<Box<More>>>,
}

/// Extended copies for queries beyond what bodies need. The terrain has more chunks loaded, or is prepared for layers
/// that no body is in. The platforms match it.
#[derive(Debug)]
struct More {
    terrain: Terrain,
    platforms: Vec<motion::Platform>,
    /// State of the world that was copied. Chunks that were loaded or dropped since do not matter: queries load what
    /// they need.
    moment: Version,
}

impl QueryMemory {
    /// Releases the extended copy. It shares chunks with the terrain, which a step could not reuse otherwise.
    pub(super) fn release_extended_copy(&mut self) {
        *self.more.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl World {
    /// Returns the first hit of a ray that starts at `from` and goes by `motion` tiles. Returns `None` if the path is
    /// free.
    ///
    /// A ray hits a side of a tile if it crosses the side from outside to inside, or starts on the side and goes in.
    /// The two end points of a side belong to the side. So no ray passes between two tiles that join or touch in a
    /// corner.
    ///
    /// - A ray that starts on a side and moves in hits the side at once, with `toi` 0. A ray that ends on a side does
    ///   not hit that side.
    /// - A ray that starts inside a solid or a body leaves that solid or body without a hit.
    /// - A ray along a side does not hit that side. A ray through a corner of a tile hits the tile if the ray moves
    ///   against at least one of the two sides that meet there.
    /// - A ray that only touches a circle from outside does not hit that circle.
    /// - A ray hits a thin wall from both sides. [`Filter::one_way`] sets from which sides a ray hits a one-way edge.
    /// - A motion that is 0 or not finite hits nothing. A motion of more than [`Mover::MAX_MOTION`] tiles on an
    ///   axis is shortened to that.
    ///
    /// Platforms and bodies count at their current positions. In a [streamed](World::streamed) world, the query loads
    /// the tiles that it needs and keeps them loaded until the world changes. Loading takes time: see
    /// [`World::keep_loaded`].
    ///
    /// If the ray hits several things at the same point, the first in this order counts:
    ///
    /// 1. the surface that the ray hits most directly (at the angle nearest to 90 degrees),
    /// 2. the surface whose normal is nearest to straight up or straight down,
    /// 3. tiles of the map before platforms before bodies, and the lower id of two platforms or two bodies,
    /// 4. the tile in the lowest row, then the leftmost tile in that row.
    ///
    /// Integer arithmetic decides whether a ray hits something, so the decision is exact. The time of a hit on a
    /// circle is computed in f64.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::query::{Filter, Target};
    /// use surefoot::{Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["....", "....", "####"])?, Settings::default());
    /// let ball = world.spawn(Body::new(Shape::circle(0.5)).at((2.5, 2.5)))?;
    /// let (eye, all) = (Position::new(0.5, 2.5)?, Filter::default());
    ///
    /// // The ball's left side is at x = 2: one and a half of three tiles.
    /// let hit = world.cast_ray(eye, (3.0, 0.0), &all).ok_or("no hit")?;
    /// assert_eq!((hit.toi, hit.target), (0.5, Target::Body(ball)));
    /// // Down to the floor, whose top is at y = 1.
    /// let hit = world.cast_ray(eye, (0.0, -2.0), &all).ok_or("no hit")?;
    /// assert_eq!((hit.toi, hit.point), (0.75, Position::new(0.5, 1.0)?));
    ///
    /// assert_eq!(world.cast_ray(eye, (3.0, 0.0), &all.exclude(&[ball])), None);
    /// assert_eq!(world.cast_ray(eye, (0.0, -1.5), &all), None, "it ends on the floor");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cast_ray(&self, from: Position, motion: impl Vector, filter: &Filter<'_>) -> Option<RayHit> {
        let motion = motion_to_units(motion.to_lengths());
        self.run_query(&StraightPath::of_point(from.units(), motion), filter, |queries| {
            queries.first_hit_of_ray(from, motion)
        })
    }

    /// Finds everything that a ray from `from` along `motion` (in tiles) hits, in order. Clears `hits` and stores the
    /// hits there.
    ///
    /// Each hit is the hit that [`World::cast_ray`] would return if the tiles and bodies hit earlier on the path were
    /// not there. A ray that leaves a solid and enters a solid again has one hit for each entry. A straight side over
    /// several tiles has one hit for each tile that the ray hits.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::query::Filter;
    /// use surefoot::{Map, World};
    ///
    /// let world = World::new(Map::from_rows([".#.##."])?, Settings::default());
    /// let mut hits = Vec::new();
    /// world.cast_ray_all(Position::new(0.5, 0.5)?, (5.0, 0.0), &Filter::default(), &mut hits);
    /// // The tiles at x = 3 and x = 4 are one solid.
    /// assert_eq!(hits.iter().map(|hit| hit.point.to_dvec2().x).collect::<Vec<_>>(), [1.0, 3.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cast_ray_all(&self, from: Position, motion: impl Vector, filter: &Filter<'_>, hits: &mut Vec<RayHit>) {
        let motion = motion_to_units(motion.to_lengths());
        hits.clear();
        self.run_query(&StraightPath::of_point(from.units(), motion), filter, |queries| {
            hits.clear();
            queries.all_hits_of_ray(from, motion, hits);
        });
    }

    /// Returns the first hit of `shape`, which moves straight from `from` by `motion` tiles. Returns `None` if the
    /// path is free.
    ///
    /// A body with this shape and the filter's [`collision_layers`](Filter::collision_layers) that moves on the same
    /// path hits tiles and platforms at exactly the same time. Bodies in the way count as obstacles at rest.
    ///
    /// - A shape that touches a surface at the start and moves into that surface hits the surface at once. A motion
    ///   along the surface or away from the surface does not hit.
    /// - A shape that overlaps something at the start leaves that thing without a hit.
    /// - A shape that only touches a surface at the end of the motion does not hit that surface.
    /// - The shape hits one-way edges from the front only, as a body does. The query ignores [`Filter::one_way`].
    /// - A shape that [`Shape::check`] refuses hits nothing. A motion that is not finite hits nothing.
    /// - A motion of more than [`Mover::MAX_MOTION`] tiles on an axis is shortened to that.
    ///
    /// If the shape hits several things at the same time, tiles count before bodies. Of several bodies, the body with
    /// the lowest id counts.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::query::{Filter, Target};
    /// use surefoot::{Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["....", "....", "####"])?, Settings::default());
    /// let block = world.spawn(Body::new(Shape::aabb(0.5, 0.5)).at((3.5, 1.5)))?;
    /// let (shape, from, all) = (Shape::circle(0.5), Position::new(0.5, 1.5)?, Filter::default());
    /// // Along the floor, on which it stands, to the block: two of four tiles.
    /// let hit = world.cast_shape(shape, from, (4.0, 0.0), &all).ok_or("no hit")?;
    /// assert_eq!((hit.toi, hit.position, hit.target), (0.5, Position::new(2.5, 1.5)?, Target::Body(block)));
    /// assert_eq!(world.cast_shape(shape, from, (2.0, 0.0), &all), None, "it ends touching the block");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cast_shape(
        &self,
        shape: Shape,
        from: Position,
        motion: impl Vector,
        filter: &Filter<'_>,
    ) -> Option<ShapeHit> {
        shape.check().ok()?;
        let motion = motion_to_units(motion.to_lengths());
        let path = StraightPath::of_box(from.units(), motion, shape.half_units() + ONE);
        self.run_query(&path, filter, |queries| queries.first_hit_of_shape(shape, from, motion))
    }

    /// Finds everything that `shape` hits on its straight path from `from` by `motion` tiles, in order. Clears `hits`
    /// and stores the hits there.
    ///
    /// - Each tile and each body is in the list once, with its first hit. The shape does not hit the sides between
    ///   joined tiles.
    /// - The position of a hit is rounded to whole units of 2^-32 tile. So the shape may overlap the tile by some
    ///   units at that position.
    /// - If a circle hits a side and an end of that side at the same time, `toi` can differ from that of
    ///   [`World::cast_shape`] by the rounding of f64.
    /// - Of hits at the same time, tiles of the map come first, then platforms, then bodies.
    ///
    /// All other rules of [`World::cast_shape`] apply.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::query::{Filter, Target};
    /// use surefoot::{Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["....#."])?, Settings::default());
    /// let crate_ = world.spawn(Body::new(Shape::aabb(0.25, 0.25)).at((2.5, 0.5)))?;
    /// let mut hits = Vec::new();
    /// world.cast_shape_all(Shape::circle(0.25), Position::new(0.5, 0.5)?, (5.0, 0.0), &Filter::default(), &mut hits);
    /// let met: Vec<_> = hits.iter().map(|hit| (hit.position.to_dvec2().x, hit.target.body())).collect();
    /// assert_eq!(met, [(2.0, Some(crate_)), (3.75, None)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cast_shape_all(
        &self,
        shape: Shape,
        from: Position,
        motion: impl Vector,
        filter: &Filter<'_>,
        hits: &mut Vec<ShapeHit>,
    ) {
        hits.clear();
        if shape.check().is_err() {
            return;
        }
        let motion = motion_to_units(motion.to_lengths());
        let path = StraightPath::of_box(from.units(), motion, shape.half_units() + ONE);
        self.run_query(&path, filter, |queries| {
            hits.clear();
            queries.all_hits_of_shape(shape, from, motion, hits);
        });
    }

    /// Finds everything that `shape` overlaps. Clears `found` and stores the results there.
    ///
    /// The coordinates of `shape` are world coordinates, in tiles. The interiors must intersect: touching is not an
    /// overlap.
    ///
    /// The order is: tiles of the map by row from the lowest and from left to right, then platforms, bodies and areas
    /// by ascending id. Each tile is in the list once. The query finds areas only with [`Filter::areas`]. Thin walls
    /// and one-way edges count as line segments. The shape overlaps a one-way edge from either side, unless
    /// [`Filter::one_way`] is [`OneWay::Ignore`](crate::query::OneWay::Ignore).
    ///
    /// - The result is exact. Coordinates of platforms and bodies are rounded to f64, which is exact within 2^20
    ///   tiles of the origin.
    /// - If `shape` is a line segment and the solid of a tile is not convex, the query misses the tile if the segment
    ///   enters it only through corners.
    /// - A shape larger than [`Mover::MAX_MOTION`] tiles on an axis overlaps nothing.
    ///
    /// # Examples
    /// ```
    /// use surefoot::geometry::{Circle, dvec2};
    /// use surefoot::prelude::*;
    /// use surefoot::query::{Filter, Target};
    /// use surefoot::{Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["...", "#.."])?, Settings::default());
    /// let near = world.spawn(Body::new(Shape::circle(0.25)).at((2.0, 1.0)))?;
    /// let mut found = Vec::new();
    /// world.overlap(&Circle::new(dvec2(1.5, 1.0), 0.75)?, &Filter::default(), &mut found);
    /// let block = world.map().find_tile('#').ok_or("no block")?;
    /// assert_eq!(found, [Target::Terrain { tile: (0, 0), tile_id: block }, Target::Body(near)]);
    ///
    /// // It touches both.
    /// world.overlap(&Circle::new(dvec2(1.375, 1.0), 0.375)?, &Filter::default(), &mut found);
    /// assert_eq!(found, []);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap<'s>(&self, shape: impl Into<AnyBounded<'s>>, filter: &Filter<'_>, found: &mut Vec<Target>) {
        let shape = shape.into();
        found.clear();
        let (low, high) = shape.bounds();
        let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0);
        if half.max_element() > Mover::MAX_MOTION / 2.0 {
            return;
        }
        let from = I64Vec2::new(to_units(middle.x), to_units(middle.y));
        let half = I64Vec2::new(to_units(half.x), to_units(half.y)) + ONE;
        self.run_query(&StraightPath::of_box(from, I64Vec2::ZERO, half), filter, |queries| {
            found.clear();
            queries.find_overlaps(shape, found);
        });
        if filter.areas {
            self.areas.find_overlapping_areas(shape, found);
        }
    }

    /// Finds the contacts of `body` with other bodies that it can collide with, by ascending id. Clears `found` and
    /// stores the contacts there.
    ///
    /// The contacts are those at the current positions. `found` stays empty if `body` is not in the world.
    /// [`World::contacts`] returns the contacts with tiles.
    ///
    /// # Examples
    /// ```
    /// use surefoot::map::CollisionLayers;
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["....", "....", "...."])?, Settings::default());
    /// let block = Body::new(Shape::aabb(0.5, 0.5)).collision_mask(CollisionLayers::ALL);
    /// let lower = world.spawn(block.clone().at((1.5, 0.5)))?;
    /// let upper = world.spawn(block.at((2.0, 1.5)))?;
    /// let mut found = Vec::new();
    /// world.body_contacts(upper, &mut found);
    /// assert_eq!((found[0].other, found[0].normal.y), (lower, 1.0));
    /// assert_eq!(found[0].point, Position::new(1.75, 1.0)?, "the middle of what they share");
    /// world.body_contacts(lower, &mut found);
    /// assert_eq!((found.len(), found[0].other, found[0].normal.y), (1, upper, -1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn body_contacts(&self, body: BodyId, found: &mut Vec<BodyContact>) {
        found.clear();
        let Some(state) = self.get(body).filter(|state| may_collide(state)) else { return };
        let meets = |contact: &BodyContact| {
            let other = self.get(contact.other).filter(|other| contact.other != body && may_collide(other));
            other.is_some_and(|other| can_collide_now((state, state.now.position), (other, other.now.position)))
        };
        self.filled_body_grid().find_contacts_of_shape(state.kind.shape, state.now.position, found);
        found.retain(meets);
    }

    /// Returns the surface nearest to `point`, at most `radius` tiles away. A `radius` above 64 counts as 64. Returns
    /// `None` if no surface is that near.
    ///
    /// A point inside a solid or a body also finds the surface of that solid or body. A one-way edge counts from the
    /// front, from both sides or not at all: see [`Filter::one_way`]. Of several equally near surfaces, the first in
    /// the order of [`World::cast_ray`] counts. A radius that is negative or NaN finds nothing.
    ///
    /// Distances to tiles are compared exactly, in integers. Distances to bodies are compared in f64.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::query::Filter;
    /// use surefoot::{Map, World};
    ///
    /// let world = World::new(Map::from_rows(["....", "....", "###."])?, Settings::default());
    /// let nearest = world.closest_surface(Position::new(0.5, 2.5)?, 3.0, &Filter::default()).ok_or("nothing")?;
    /// assert_eq!((nearest.distance, nearest.point), (1.5, Position::new(0.5, 1.0)?));
    /// // Beyond the corner at (3, 1).
    /// let nearest = world.closest_surface(Position::new(3.75, 2.0)?, 3.0, &Filter::default()).ok_or("nothing")?;
    /// assert_eq!((nearest.distance, nearest.point), (1.25, Position::new(3.0, 1.0)?));
    /// assert_eq!(world.closest_surface(Position::new(0.5, 2.5)?, 1.25, &Filter::default()), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn closest_surface(&self, point: Position, radius: f64, filter: &Filter<'_>) -> Option<ClosestSurface> {
        if radius.is_nan() || radius < 0.0 {
            return None;
        }
        let most = to_units(radius.min(MAX_RADIUS));
        let path = StraightPath::of_box(point.units(), I64Vec2::ZERO, I64Vec2::splat(most + ONE));
        self.run_query(&path, filter, |queries| queries.nearest_surface(point, most))
    }

    /// Returns whether the straight path between `a` and `b` is free: a ray hits nothing in either direction.
    ///
    /// The order of the two points does not matter. A point inside a solid sees only what is inside the same solid. A
    /// point on a surface sees what is in front of the surface. Two points more than [`Mover::MAX_MOTION`] tiles
    /// apart on an axis never see each other. [`World::cast_ray`] says what a ray hits at corners and along sides.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::query::Filter;
    /// use surefoot::{Map, World};
    ///
    /// let world = World::new(Map::from_rows(["...", ".#."])?, Settings::default());
    /// let at = |x, y| Position::new(x, y);
    /// assert!(world.line_of_sight(at(0.5, 1.5)?, at(2.5, 1.5)?, &Filter::tiles()));
    /// assert!(!world.line_of_sight(at(0.5, 0.5)?, at(2.5, 0.5)?, &Filter::tiles()));
    /// assert!(world.line_of_sight(at(0.0, 1.0)?, at(3.0, 1.5)?, &Filter::tiles()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn line_of_sight(&self, a: Position, b: Position, filter: &Filter<'_>) -> bool {
        let displacement = b - a;
        let most = Mover::MAX_MOTION as i64 * ONE;
        displacement.abs().max_element() <= most
            && self.run_query(&StraightPath::of_point(a.units(), displacement), filter, |queries| {
                queries.first_hit_of_ray(a, displacement).is_none()
                    && queries.first_hit_of_ray(b, -displacement).is_none()
            })
    }

    /// Returns what is at `point`: a solid, thin wall, one-way edge, body or area. Returns `None` if nothing is
    /// there. The query finds areas only with [`Filter::areas`].
    ///
    /// A point on a boundary counts. Tiles of the map come before platforms, bodies and areas, each by ascending id.
    /// Of several tiles, the tile in the lowest row comes first, then the leftmost tile in that row. The result is
    /// exact.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::query::{Filter, Target};
    /// use surefoot::{Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["...", ".#."])?, Settings::default());
    /// let ball = world.spawn(Body::new(Shape::circle(0.25)).at((0.5, 0.5)))?;
    /// let at = |x, y| Ok::<_, Box<dyn std::error::Error>>(world.query_point(Position::new(x, y)?, &Filter::default()));
    /// assert!(matches!(at(1.5, 1.0)?, Some(Target::Terrain { tile: (1, 0), .. })));
    /// assert_eq!(at(0.75, 0.5)?, Some(Target::Body(ball)));
    /// assert_eq!(at(1.5, 1.5)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn query_point(&self, point: Position, filter: &Filter<'_>) -> Option<Target> {
        let path = StraightPath::of_box(point.units(), I64Vec2::ZERO, I64Vec2::ONE);
        let found = self.run_query(&path, filter, |queries| queries.target_at(point));
        found.or_else(|| self.areas.first_area_at(point).filter(|_| filter.areas).map(Target::Area))
    }

    /// Prepares queries with the collision layers `layers`, so that they are fast: see
    /// [`Filter::collision_layers`](crate::query::Filter::collision_layers).
    ///
    /// Without this call, the first query or spawned body in such layers can be slow: if some tiles let the layers
    /// pass, it takes time in proportion to the loaded map. The call does nothing if layers that pass the same tiles
    /// are prepared already. The call affects speed only, and is not a command.
    pub fn prepare_collision_layers(&mut self, layers: CollisionLayers) {
        self.prepare_for_layers(layers);
    }

    /// Runs a query near a path: on the loaded and prepared terrain, or else on an extended copy.
    #[inline]
    fn run_query<T>(&self, path: &StraightPath, filter: &Filter<'_>, mut ask: impl FnMut(&Queries<'_>) -> T) -> T {
        let guard = if filter.bodies { Some(self.filled_body_grid()) } else { None };
        let bodies = guard.as_deref().unwrap_or(BodyGrid::EMPTY);
        let mut ignored = SmallVec::<[u32; 4]>::new();
        if !filter.exclude_platforms.is_empty() {
            let except = filter.exclude_platforms.iter();
            ignored.extend(except.filter_map(|id| self.platforms.slots.slot(*id)).map(|slot| slot as u32));
            ignored.sort_unstable();
        }
        if self.is_loaded_and_prepared(path, filter.collision_layers) {
            let scene = self.scene().for_layers(filter.collision_layers);
            return ask(&Queries { scene, bodies, filter, ignored });
        }
        self.run_query_on_copy(filter, |scene| ask(&Queries { scene, bodies, filter, ignored: ignored.clone() }))
    }

    /// Returns the grid of the bodies.
    #[inline]
    fn filled_body_grid(&self) -> RwLockReadGuard<'_, BodyGrid> {
        let grid = &self.queries.grid;
        let read = grid.read().unwrap_or_else(PoisonError::into_inner);
        let moment = self.bodies.moment;
        if read.is_filled_for(moment) {
            return read;
        }
        drop(read);
        let mut write = grid.write().unwrap_or_else(PoisonError::into_inner);
        if !write.is_filled_for(moment) {
            write.fill_with(
                moment,
                self.bodies.iter().map(|(id, state)| {
                    GridEntry::new(id, state.kind.shape, state.now.position.units(), state.kind.collision_layers)
                }),
            );
        }
        drop(write);
        grid.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether everything near a path is loaded, and prepared for movers in some layers.
    #[inline]
    fn is_loaded_and_prepared(&self, path: &StraightPath, layers: CollisionLayers) -> bool {
        self.terrain.is_prepared_for_layers(layers)
            && (!self.terrain.is_streamed()
                || path.holds_for_all_chunks(|low, high| self.terrain.first_missing_chunk(low, high).is_none()))
    }

    /// Runs a query on a copy, and loads missing chunks until the query finds all of them.
    #[inline(never)]
    fn run_query_on_copy<T>(&self, filter: &Filter<'_>, mut ask: impl FnMut(Scene<'_>) -> T) -> T {
        let mut more = self.queries.more.lock().unwrap_or_else(PoisonError::into_inner);
        let moment = self.bodies.moment;
        if more.as_ref().is_some_and(|more| more.moment != moment) {
            *more = None;
        }
        let More { terrain, platforms, .. } = &mut **more.get_or_insert_with(|| {
            let (terrain, platforms) = (self.terrain.clone(), self.platforms.shapes.clone());
            Box::new(More { terrain, platforms, moment })
        });
        if !terrain.is_prepared_for_layers(filter.collision_layers) {
            terrain.prepare_collision_layers(filter.collision_layers);
            platforms.iter_mut().for_each(|platform| platform.prepare_for_layers(filter.collision_layers));
        }
        terrain.clear_and_unshare_missed_chunks();
        let mut missed: Option<ChunkKey> = None;
        loop {
            if let Some(missed) = missed {
                terrain.load_chunk(missed);
            }
            let around = Surroundings::new(terrain, platforms).with_platform_grid(self.platforms.blocks());
            let frame = Frame::new(self.settings.up, self.settings.max_floor_slope);
            let answer = ask(Scene { around, frame }.for_layers(filter.collision_layers));
            missed = terrain.take_first_missed_chunk();
            if missed.is_none() {
                return answer;
            }
        }
    }
}
