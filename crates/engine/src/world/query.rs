//! Queries of a world: what is prepared for them, and their methods.

use super::World;
use super::step::{may_meet, meet_now};
use crate::event::BodyId;
use crate::map::CollisionLayers;
use crate::motion::{self, Frame, Mover, Scene, Shape, Surroundings, units};
use crate::query::{
    BodyContact, BodyGrid, ClosestSurface, Filter, GridEntry, MAX_RADIUS, Queries, RayHit, ShapeHit, Target, Way,
};
use crate::terrain::{ChunkKey, Terrain};
use crate::version::Version;
use glam::I64Vec2;
use smallvec::SmallVec;
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};
use surefoot_geometry::{AnyBounded, ONE, Position, Vector, to_units};

/// What queries prepare, and keep until the world changes. It is no state.
#[derive(Debug, Default)]
pub(super) struct QueryMemory {
    grid: RwLock<BodyGrid>,
    more: Mutex<Option<Box<More>>>,
}

/// What a query looks at besides what bodies need: a copy of the terrain with more chunks loaded, or prepared for layers that
/// no body is in, and the platforms with it.
#[derive(Debug)]
struct More {
    terrain: Terrain,
    platforms: Vec<motion::Platform>,
    /// The version of the terrain that it is a copy of.
    of: Version,
}

impl QueryMemory {
    /// The world has changed, or is about to.
    pub(super) fn invalidate(&mut self) {
        self.grid.get_mut().unwrap_or_else(PoisonError::into_inner).invalidate();
        *self.more.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl World {
    /// What a ray meets first that goes straight from a point by `motion` tiles; `None` if its way is free.
    ///
    /// A ray meets a side of a tile if it goes against the side's outward normal and comes from in front of it, or from on
    /// it, to behind it, through any point of the side, its two ends included. So no ray passes between two tiles that join,
    /// or that touch in one corner.
    ///
    /// - One that starts on a side and goes in meets it at 0; one that only ends on a side does not meet it.
    /// - One that starts inside of a solid or a body leaves it without a hit.
    /// - One that goes along a side does not meet that side. One that passes a corner meets it there, as far as it goes
    ///   against one of the two sides; a round body that it touches in passing it does not meet.
    /// - A thin wall is met from both sides, a one-way edge as [`Filter::one_way`] says.
    /// - A motion of length 0 or one that is not finite meets nothing. One of more than [`Mover::MAX_MOTION`] tiles on an
    ///   axis is shortened to that, in its direction.
    ///
    /// Platforms and bodies are where the last step or command has left them. In a streamed world the answer is as if all
    /// of it were loaded. What is not is loaded for the query and kept until the world changes, which takes time: see
    /// [`World::keep_loaded`].
    ///
    /// Of several things at one time it is the one that the motion meets most squarely, then the one that faces most along
    /// up or down; then the terrain comes before platforms and bodies, in the order of their slots, and the lowest tile
    /// before others, then the leftmost. What is met is decided in integers; of a round body the time is f64.
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
        let motion = units(motion.to_lengths());
        self.ask(&Way::of_point(from.units(), motion), filter, |queries| queries.first_on_ray(from, motion))
    }

    /// Fills a list with all that a ray meets, in the order in which it meets them; what the list held is dropped.
    ///
    /// Each is what [`World::cast_ray`] would have met without what comes before it. A ray that leaves a solid and comes
    /// into another one, or into the same one again, has a hit for each time; a side that goes on over several tiles has a
    /// hit for each tile that the ray meets.
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
        let motion = units(motion.to_lengths());
        hits.clear();
        self.ask(&Way::of_point(from.units(), motion), filter, |queries| {
            hits.clear();
            queries.all_on_ray(from, motion, hits);
        });
    }

    /// What a shape meets first that flies straight by `motion` tiles; `None` if its way is free.
    ///
    /// Of terrain and platforms it is, bit for bit, what a body of the filter's layers meets that is sent the same way, and
    /// what [`Mover::cast`] of [`World::mover`] answers. Bodies are obstacles at rest. Touching at the start and moving in
    /// is a hit at once; moving along or away is no hit, and what the shape overlaps at the start lets it out. What it
    /// touches at the end of a free way is no hit.
    ///
    /// One-way edges count from the front, whatever [`Filter::one_way`] says. A shape of a size that
    /// [`Shape::check`] refuses, and a motion that is not finite, meets nothing; a long motion is shortened as that of a ray.
    /// Tiles come before bodies that are met at the same time, and bodies in the order of their slots.
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
        let motion = units(motion.to_lengths());
        let way = Way::of_box(from.units(), motion, shape.half_units() + ONE);
        self.ask(&way, filter, |queries| queries.first_of_shape(shape, from, motion))
    }

    /// Fills a list with everything that a shape meets which flies straight by `motion` tiles and is stopped by nothing, in the
    /// order in which it meets it; what the list held is dropped.
    ///
    /// Each tile and each body is there once, where the shape meets it first; of a tile that is joined to others only what
    /// shows. A position is the motion up to the time of impact, cut to whole units: by rounding it may overlap a tile by
    /// some units. Where a circle meets a side and its corner at once, the time is that of [`World::cast_shape`] but for
    /// rounding. Of what is met at one time the terrain comes first, then platforms and
    /// bodies, each in order. All else is as for [`World::cast_shape`].
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
        let motion = units(motion.to_lengths());
        let way = Way::of_box(from.units(), motion, shape.half_units() + ONE);
        self.ask(&way, filter, |queries| {
            hits.clear();
            queries.all_of_shape(shape, from, motion, hits);
        });
    }

    /// Fills a list with everything that a shape overlaps, at its coordinates in tiles; what the list held is dropped.
    ///
    /// Interiors have to meet: touching is no overlap. Tiles come first, by row from the lowest and from left to right, then
    /// platforms, bodies and, if [`Filter::areas`] asks for them, areas, each in the order of their slots. A tile is there once, whatever of it the shape overlaps. Thin walls
    /// and one-way edges are segments; a one-way edge is overlapped from either side, unless the filter ignores it.
    ///
    /// It is decided exactly. Coordinates of platforms and bodies are rounded to f64, which changes nothing within 2^20 tiles
    /// of the origin. Where a tile's solid is not convex, a segment that comes into it only through its corners is not seen.
    /// A shape of more than [`Mover::MAX_MOTION`] tiles on an axis overlaps nothing.
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
        self.ask(&Way::of_box(from, I64Vec2::ZERO, half), filter, |queries| {
            found.clear();
            queries.overlaps(shape, found);
        });
        if filter.areas {
            self.areas.overlapping(shape, found);
        }
    }

    /// How a body touches others that it meets, in the order of their slots; nothing for a body that is not there. The list is
    /// cleared first.
    ///
    /// Where bodies are now counts. [`World::contacts`] lists tiles.
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
        let Some(state) = self.get(body).filter(|state| may_meet(state)) else { return };
        let up = self.settings.up.direction();
        let meets = |contact: &BodyContact| {
            let other = self.get(contact.other).filter(|other| contact.other != body && may_meet(other));
            other.is_some_and(|other| meet_now(up, (state, state.now.position), (other, other.now.position)))
        };
        self.grid().contacts(state.kind.shape, state.now.position, found);
        found.retain(meets);
    }

    /// The surface that is nearest to a point, at most `radius` tiles away; `None` if there is none.
    ///
    /// Surfaces of solids and of bodies count from inside too. A one-way edge counts for points in front of it or on it, or
    /// from both sides, or not at all, as [`Filter::one_way`] says. Of several that are as near it is the first in the order
    /// that [`World::cast_ray`] tells. A radius of more than 64 tiles is taken as 64; with a negative one or one that is not a
    /// number there is none.
    ///
    /// Which tile's surface is nearest is decided in integers; bodies are compared in f64.
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
        let way = Way::of_box(point.units(), I64Vec2::ZERO, I64Vec2::splat(most + ONE));
        self.ask(&way, filter, |queries| queries.nearest(point, most))
    }

    /// Whether nothing is between two points: a ray from either of them to the other meets nothing.
    ///
    /// It does not matter which of the two is asked first. A point inside of a solid sees nothing but what is inside with it;
    /// one on a surface sees what is in front of that. Points that are more than [`Mover::MAX_MOTION`] tiles from each other
    /// on an axis do not see each other. Boundaries are those of [`World::cast_ray`].
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
        let way = b - a;
        let most = Mover::MAX_MOTION as i64 * ONE;
        way.abs().max_element() <= most
            && self.ask(&Way::of_point(a.units(), way), filter, |queries| {
                queries.first_on_ray(a, way).is_none() && queries.first_on_ray(b, -way).is_none()
            })
    }

    /// What is at a point: the first solid, thin wall, one-way edge or body that the point is in or on.
    ///
    /// Boundaries belong to what they bound. Terrain comes before platforms, bodies and areas, in the order of their slots, and the
    /// lowest tile before others, then the leftmost. Exact.
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
        let way = Way::of_box(point.units(), I64Vec2::ZERO, I64Vec2::ONE);
        let found = self.ask(&way, filter, |queries| queries.at(point));
        found.or_else(|| self.areas.at(point).filter(|_| filter.areas).map(Target::Area))
    }

    /// Makes ready what a query of those collision layers meets, see [`Filter::collision_layers`](crate::query::Filter::collision_layers): as a body
    /// of those layers does that is spawned.
    ///
    /// It takes time in proportion to the map, or to what is loaded; none for layers that meet the same tiles as others before. It
    /// changes nothing in a result, and is no command.
    pub fn prepare_collision_layers(&mut self, layers: CollisionLayers) {
        self.queries.invalidate();
        self.prepare(layers);
    }

    /// Answers a question about what is near a way, from what is loaded and prepared or else from a copy with more.
    #[inline]
    fn ask<T>(&self, way: &Way, filter: &Filter<'_>, mut ask: impl FnMut(&Queries<'_>) -> T) -> T {
        let guard = if filter.bodies { Some(self.grid()) } else { None };
        let bodies = guard.as_deref().unwrap_or(BodyGrid::EMPTY);
        let mut ignored = SmallVec::<[u32; 4]>::new();
        if !filter.exclude_platforms.is_empty() {
            let except = filter.exclude_platforms.iter();
            ignored.extend(except.filter_map(|id| self.platforms.slots.slot(*id)).map(|slot| slot as u32));
            ignored.sort_unstable();
        }
        if self.has_all(way, filter.collision_layers) {
            let scene = self.scene().of_layers(filter.collision_layers);
            return ask(&Queries { scene, bodies, filter, ignored });
        }
        self.ask_more(filter, |scene| ask(&Queries { scene, bodies, filter, ignored: ignored.clone() }))
    }

    /// Where the bodies are.
    #[inline]
    fn grid(&self) -> RwLockReadGuard<'_, BodyGrid> {
        let grid = &self.queries.grid;
        let read = grid.read().unwrap_or_else(PoisonError::into_inner);
        if read.is_filled() {
            return read;
        }
        drop(read);
        let mut write = grid.write().unwrap_or_else(PoisonError::into_inner);
        if !write.is_filled() {
            write.fill(self.bodies.iter().map(|(id, state)| {
                GridEntry::new(id, state.kind.shape, state.now.position.units(), state.kind.collision_layers)
            }));
        }
        drop(write);
        grid.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether everything near a way is loaded, and prepared for movers of some layers.
    #[inline]
    fn has_all(&self, way: &Way, layers: CollisionLayers) -> bool {
        self.terrain.is_prepared(layers)
            && (!self.terrain.is_streamed()
                || way.each_chunk(|low, high| self.terrain.first_missing(low, high).is_none()))
    }

    /// Answers a question from a copy, and loads what it looks for and does not find until it finds all.
    #[inline(never)]
    fn ask_more<T>(&self, filter: &Filter<'_>, mut ask: impl FnMut(Scene<'_>) -> T) -> T {
        let mut more = self.queries.more.lock().unwrap_or_else(PoisonError::into_inner);
        if more.as_ref().is_some_and(|more| more.of != self.terrain.version()) {
            *more = None;
        }
        let More { terrain, platforms, .. } = &mut **more.get_or_insert_with(|| {
            let (terrain, platforms) = (self.terrain.clone(), self.platforms.shapes.clone());
            Box::new(More { terrain, platforms, of: self.terrain.version() })
        });
        if !terrain.is_prepared(filter.collision_layers) {
            terrain.prepare_collision_layers(filter.collision_layers);
            platforms.iter_mut().for_each(|platform| platform.prepare_layers(filter.collision_layers));
        }
        terrain.watch_missed();
        let mut missed: Option<ChunkKey> = None;
        loop {
            if let Some(missed) = missed {
                terrain.load_chunk(missed);
            }
            let around = Surroundings::new(terrain, platforms).with_blocks(self.platforms.blocks());
            let frame = Frame::new(self.settings.up, self.settings.max_floor_slope);
            let answer = ask(Scene { around, frame }.of_layers(filter.collision_layers));
            missed = terrain.take_missed();
            if missed.is_none() {
                return answer;
            }
        }
    }
}
