use super::advance::{Approach, Course, truncated};
use super::among::Among;
use super::cast::{Looking, Probe, Scene, Scratch, Single};
use super::memory::{CachedMover, MoverCache};
use super::{
    Contact, Contacts, Frame, Nearby, Obstacles, Path, Platform, Resting, Shape, SlopeLimit, Surfaces, Surroundings,
    Touching, Up,
};
use crate::event::BodyId;
use crate::map::CollisionLayers;
use crate::query::BodyContact;
use crate::terrain::Terrain;
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::{ONE, Position, Vector, to_units};

/// Moves shapes over a terrain without a world: a shape, a place and a motion in; a place and contacts out. Platforms and
/// bodies beside the terrain are met if they are [given](Mover::with_obstacles).
///
/// The bodies of a world are moved by this, and so can be a game that keeps its own entities.
///
/// Motions of more than [`Mover::MAX_MOTION`] tiles on an axis are shortened to that, in their direction.
#[derive(Clone, Copy, Debug)]
pub struct Mover<'a> {
    pub(super) scene: Scene<'a>,
    /// The terrain with all of its tiles, to find its forms.
    whole: &'a Terrain,
    drops: bool,
    pub(super) collision_layers: CollisionLayers,
    /// The bodies that it meets, in order.
    pub(super) bodies: &'a [(BodyId, Resting)],
}

/// Where a move ended and what it met.
#[derive(Clone, Debug)]
pub struct MoveResult<'a> {
    /// Where the shape is now.
    pub position: Position,
    /// Which sides touch something there.
    pub touching: Touching,
    /// The surfaces that the shape ran into on the way, in order; what it touches at the end is in [`MoveResult::contacts`].
    pub hits: SmallVec<[Contact; 4]>,
    /// The bodies of [a list](Mover::with_obstacles) that the shape ran into on the way, in order; where it touched them then.
    pub body_hits: Vec<BodyContact>,
    /// The bodies of the list that it touches at the end, in the order of the list.
    pub body_contacts: Vec<BodyContact>,
    /// The end of each straight part of the way, in order.
    pub path: SmallVec<[Position; 8]>,
    pub(super) scene: Scene<'a>,
    pub(super) shape: Shape,
    pub(super) surfaces: Surfaces,
}

/// What a cast met first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit {
    /// The time of impact as a fraction of the motion, in [0, 1].
    pub toi: f64,
    /// Where the shape is then, in whole units: it overlaps nothing there that it did not before.
    pub position: Position,
    /// What was met. Of several things at once it is a tile, else the first body of [the list](Mover::with_obstacles).
    pub target: HitTarget,
}

/// What a cast met: a tile, or a body of [a list](Mover::with_obstacles).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HitTarget {
    /// The surface of a tile. Of several at once it is a floor, else the surface most opposed to the motion. Of two surfaces
    /// that share the very corner that the corner of a box meets, only the one along which the motion leads away from there
    /// is met.
    Tile(Contact),
    /// A body.
    Body(BodyContact),
}

impl HitTarget {
    /// The contact with a tile, if it is one.
    #[must_use]
    pub fn tile(self) -> Option<Contact> {
        if let HitTarget::Tile(contact) = self { Some(contact) } else { None }
    }

    /// The contact with a body, if it is one.
    #[must_use]
    pub fn body(self) -> Option<BodyContact> {
        if let HitTarget::Body(contact) = self { Some(contact) } else { None }
    }

    /// Where the two touch, see [`Contact::point`].
    #[must_use]
    pub fn point(self) -> Position {
        match self {
            HitTarget::Tile(contact) => contact.point,
            HitTarget::Body(contact) => contact.point,
        }
    }

    /// Unit normal, from what was met to the shape.
    #[must_use]
    pub fn normal(self) -> DVec2 {
        match self {
            HitTarget::Tile(contact) => contact.normal,
            HitTarget::Body(contact) => contact.normal,
        }
    }
}

/// The tile that a cast met first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileHit {
    pub(crate) toi: f64,
    pub(crate) position: Position,
    pub(crate) contact: Contact,
}

impl From<TileHit> for CastHit {
    fn from(TileHit { toi, position, contact }: TileHit) -> CastHit {
        CastHit { toi, position, target: HitTarget::Tile(contact) }
    }
}

impl<'a> Mover<'a> {
    /// The longest motion in one call, in tiles on an axis.
    pub const MAX_MOTION: f64 = 1000.0;

    /// A mover over a terrain, with up towards greater y and 45 degrees as the steepest floor.
    #[must_use]
    pub fn new(terrain: &'a Terrain) -> Mover<'a> {
        let scene = Scene { around: Surroundings::new(terrain, &[]), frame: Frame::default() };
        Mover { scene, whole: terrain, drops: false, collision_layers: CollisionLayers::NONE, bodies: &[] }
    }

    /// A mover in a scene.
    pub(crate) fn within(scene: Scene<'a>, whole: &'a Terrain) -> Mover<'a> {
        Mover { scene, whole, drops: false, collision_layers: CollisionLayers::NONE, bodies: &[] }
    }

    /// What it moves over.
    pub(crate) fn scene(&self) -> &Scene<'a> {
        &self.scene
    }

    /// A mover that meets platforms too.
    pub(crate) fn among_platforms(mut self, platforms: &'a [Platform]) -> Mover<'a> {
        self.scene.around = Surroundings::new(self.whole, platforms);
        self.find_form()
    }

    /// This mover, which meets the platforms and bodies of a list too; those of one list only.
    ///
    /// Platforms are met as the terrain is, each where it stands. Bodies are met from all sides, and stop and hold a shape
    /// as solid tiles do: it slides along them, walks on flat tops, also over flush seams, and a body ahead stops a walk. On the
    /// round top of a body a walk slides sideways. A body that the shape overlaps at the start does not stop it; so a game's
    /// entity is not in its own way if it is in the list, where it is.
    ///
    /// # Examples
    /// ```
    /// use surefoot::motion::Obstacles;
    /// use surefoot::prelude::*;
    /// use surefoot::Map;
    ///
    /// let terrain = Terrain::bake(&Map::from_rows(["....", "....", "####"])?);
    /// let mut obstacles = Obstacles::default();
    /// let chest = obstacles.add_body(Shape::aabb(0.5, 0.5), Position::new(2.5, 1.5)?)?;
    /// let (mover, ball) = (Mover::new(&terrain).with_obstacles(&obstacles), Shape::circle(0.25));
    ///
    /// // Its side is at x = 2, its top at y = 2.
    /// let hit = mover.cast(ball, Position::new(0.75, 1.5)?, (4.0, 0.0)).ok_or("no hit")?;
    /// assert_eq!((hit.toi, hit.target.body().map(|body| body.other)), (0.25, Some(chest)));
    /// let moved = mover.slide(ball, Position::new(2.5, 2.5)?, (0.25, -1.0));
    /// assert_eq!((moved.position, moved.touching.floor), (Position::new(2.75, 2.25)?, true));
    /// assert_eq!(moved.body_contacts[0].other, chest);
    /// // Straight over it.
    /// assert!(mover.cast(ball, Position::new(0.75, 2.25)?, (4.0, 0.0)).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_obstacles(mut self, obstacles: &'a Obstacles) -> Mover<'a> {
        self.bodies = obstacles.bodies();
        self.among_platforms(obstacles.platforms())
    }

    /// This mover with another up.
    #[must_use]
    pub fn up(mut self, up: Up) -> Mover<'a> {
        self.scene.frame = self.scene.frame.with_up(up);
        self
    }

    /// This mover with another steepest floor.
    #[must_use]
    pub fn max_floor_slope(mut self, limit: SlopeLimit) -> Mover<'a> {
        self.scene.frame = self.scene.frame.with_limit(limit);
        self
    }

    /// This mover, as if tiles that may be dropped through were not there.
    #[must_use]
    pub fn drop_through(mut self) -> Mover<'a> {
        self.drops = true;
        self.find_form()
    }

    /// This mover for bodies of those collision layers: as if tiles that let one of them pass were not there. A terrain of no
    /// world has to be [prepared](Terrain::prepare_collision_layers) for them; that of a world is, if it has such a body.
    ///
    /// # Examples
    /// ```
    /// use surefoot::motion::CastHit;
    /// use surefoot::prelude::*;
    /// use surefoot::Map;
    ///
    /// let map = Map::from_ron(r#"Map(format: 1, collision_layers: ["hero", "ghost"], tiles: ["...", "~~~", "==="],
    ///     legend: {'~': (tile: "one_way", ignored_by: ["ghost"])})"#)?;
    /// let (hero, ghost) = (map.collision_layers_named(["hero"])?, map.collision_layers_named(["ghost"])?);
    /// let mut terrain = Terrain::bake(&map);
    /// terrain.prepare_collision_layers(ghost);
    /// let (from, shape) = (Position::new(1.5, 2.5)?, Shape::circle(0.25));
    /// let falls = |layers| Mover::new(&terrain).collision_layers(layers).cast(shape, from, (0.0, -2.0));
    /// let tile = |hit: CastHit| hit.target.tile().map(|contact| contact.tile);
    /// assert_eq!(falls(hero).and_then(tile), Some((1, 1)));
    /// assert_eq!(falls(ghost).and_then(tile), Some((1, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn collision_layers(mut self, layers: CollisionLayers) -> Mover<'a> {
        self.collision_layers = layers;
        self.find_form()
    }

    fn find_form(mut self) -> Mover<'a> {
        let around = self.scene.around.of_terrain(self.whole).of_layers(self.collision_layers);
        let around = if around.has_platforms() { around.with_layers(self.collision_layers) } else { around };
        self.scene.around = if self.drops { around.dropped() } else { around };
        self
    }

    /// A mover that keeps for one entity what it has found out, so that the next calls are faster.
    pub fn with_cache<'m>(&self, memory: &'m mut MoverCache) -> CachedMover<'a, 'm> {
        CachedMover::new(*self, memory)
    }

    /// Moves a shape by `motion` tiles, sliding along what it hits.
    ///
    /// It never enters what it did not overlap before; solids that it overlaps at the start let it out. A shape of a size
    /// that [`Shape::check`] refuses, or a motion that is not finite, does not move.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::Map;
    ///
    /// let map = Map::from_ron("Map(format: 1, tiles: [\"...\", \"...\", \"###\"])")?;
    /// let terrain = Terrain::bake(&map);
    /// let mover = Mover::new(&terrain);
    /// let half_tile = Shape::aabb(0.5, 0.5);
    /// // Diagonally down to the floor, whose top is at y = 1, and along it.
    /// let moved = mover.slide(half_tile, Position::new(0.5, 2.0)?, (1.0, -1.0));
    /// assert_eq!(moved.position, Position::new(1.5, 1.5)?);
    /// assert!(moved.touching.floor);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slide(&self, shape: Shape, from: Position, motion: impl Vector) -> MoveResult<'a> {
        self.slide_units(shape, from, units(motion.to_lengths()))
    }

    /// [`Mover::slide`] with a motion in whole units of 2^-32 tile.
    pub fn slide_units(&self, shape: Shape, from: Position, motion: impl Into<I64Vec2>) -> MoveResult<'a> {
        let mut moved = MoveResult::standing(self.scene, shape, from);
        let mut memory = MoverCache::once();
        self.with_cache(&mut memory).slide_to(&mut moved, motion.into());
        memory.give_back();
        moved
    }

    /// What a shape that flies straight by `motion` tiles runs into first; `None` if its way is free.
    ///
    /// Touching at the start and moving in is a hit at once; moving along or away is no hit, and solids that the shape
    /// overlaps at the start let it out. It does not slide, and what it touches at the end of a free way is no hit. A
    /// shape of a size that
    /// [`Shape::check`] refuses, and a motion that is not finite, hits nothing.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::Map;
    ///
    /// let map = Map::from_ron("Map(format: 1, tiles: [\"....\", \"....\", \"###.\"])")?;
    /// let terrain = Terrain::bake(&map);
    /// let (mover, bullet) = (Mover::new(&terrain), Shape::circle(0.25));
    /// // The floor's top is at y = 1: the centre comes to 1.25 after three quarters of the way.
    /// let hit = mover.cast(bullet, Position::new(0.5, 2.0)?, (1.0, -1.0)).ok_or("no hit")?;
    /// assert_eq!((hit.toi, hit.position), (0.75, Position::new(1.25, 1.25)?));
    /// assert_eq!(hit.target.tile().map(|contact| contact.side), Some(Side::Floor));
    /// assert!(mover.cast(bullet, Position::new(0.5, 2.0)?, (1.0, -0.75)).is_none(), "it ends touching the floor");
    /// assert!(mover.cast(bullet, Position::new(3.5, 2.0)?, (0.0, -1.0)).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cast(&self, shape: Shape, from: Position, motion: impl Vector) -> Option<CastHit> {
        shape.check().ok()?;
        let motion = units(motion.to_lengths());
        let tile = self.first_tile(shape, from, motion);
        if self.bodies.is_empty() {
            return tile.map(CastHit::from);
        }
        self.bodies(shape).first_hit(self, from, motion, tile)
    }

    /// The bodies as a shape meets them.
    pub(super) fn bodies(&self, shape: Shape) -> Among<'a> {
        Among::new(self.bodies, shape, self.scene.frame)
    }

    /// The tile that a shape of a size that is in order meets first.
    #[inline]
    pub(crate) fn first_tile(&self, shape: Shape, from: Position, motion: I64Vec2) -> Option<TileHit> {
        let looking = Looking::around(&self.scene, shape, from, motion)?;
        let mut cast = Single::new(&self.scene, shape);
        let toi = cast.cast(from, motion, looking)?;
        let surface = *cast.hits.foremost(&self.scene.frame, from + motion, motion)?;
        let position = from + cast.approach(from, Course::Free(motion), toi);
        Some(TileHit { toi, position, contact: Contact::new(&self.scene, &surface, shape, position) })
    }

    /// Walks a shape along the floor it stands on: `length` tiles along the surface, to the right if positive.
    ///
    /// It keeps to the floor over slopes and crests. Where the floor ends it goes straight on; in front of a wall or a slope
    /// that is too steep it stops. Without a floor it does not move. A way that turns more than 64 times ends there.
    pub fn walk(&self, shape: Shape, from: Position, length: f64) -> MoveResult<'a> {
        let mut moved = MoveResult::standing(self.scene, shape, from);
        let mut memory = MoverCache::once();
        self.with_cache(&mut memory).walk_to(&mut moved, length);
        memory.give_back();
        moved
    }

    /// Where a shape stands that is let down, straight and without sliding, with its underside starting at `feet`.
    ///
    /// `None` if it comes to something that is no floor first, to nothing within [`Mover::MAX_MOTION`], or if it would
    /// overlap a solid where it stands.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::Map;
    ///
    /// let map = Map::from_ron(r#"Map(format: 1, tiles: [".@.", "...", "==="])"#)?;
    /// let terrain = Terrain::bake(&map);
    /// let start = map.marker("start").ok_or("no start")?;
    /// let hero = Shape::aabb(0.35, 0.45);
    /// assert_eq!(Mover::new(&terrain).stand_on_floor(hero, start), Some(Position::new(1.5, 1.45)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stand_on_floor(&self, shape: Shape, feet: Position) -> Option<Position> {
        shape.check().ok()?;
        let frame = self.scene.frame;
        let up = frame.axis();
        let from = feet + up * shape.half_units().dot(up.abs());
        let mut floor = false;
        let down = cut(up * -(Self::MAX_MOTION as i64 * ONE));
        let (mut near, mut scratch) = (Nearby::once(), Scratch::default());
        let mut probe = Probe::new(&self.scene, shape, &mut near, &mut scratch);
        if !self.bodies.is_empty() {
            let at = probe.slide_past(&self.bodies(shape), from, down, &mut Path::new(), |stop, _| {
                floor = stop.has_floor(&frame);
                I64Vec2::ZERO
            });
            return (floor && !self.overlaps(shape, at)).then_some(at);
        }
        let slid = probe.slide(from, down, &mut Path::new(), |impact, _| {
            floor = impact.struck.iter().any(|surface| frame.is_floor_of(surface, impact.position));
            I64Vec2::ZERO
        });
        (floor && !self.overlaps(shape, slid.position)).then_some(slid.position)
    }

    /// What a shape touches where it stands, without moving it.
    #[must_use]
    pub fn touching(&self, shape: Shape, at: Position) -> MoveResult<'a> {
        self.slide_units(shape, at, I64Vec2::ZERO)
    }

    /// Whether a shape overlaps a solid or a body of [a list](Mover::with_obstacles) by as little as one unit; touching is no overlap.
    #[must_use]
    pub fn overlaps(&self, shape: Shape, at: Position) -> bool {
        shape.check().is_ok() && (self.scene.overlaps_solid(shape, at) || self.bodies(shape).is_overlapped_at(at))
    }
}

impl<'a> MoveResult<'a> {
    /// A move that is still to be made. It is filled where the caller has it: there is much of it to copy.
    #[inline(always)]
    pub(super) fn standing(scene: Scene<'a>, shape: Shape, position: Position) -> MoveResult<'a> {
        MoveResult {
            position,
            touching: Touching::default(),
            hits: SmallVec::new(),
            body_hits: Vec::new(),
            body_contacts: Vec::new(),
            path: Path::new(),
            scene,
            shape,
            surfaces: Surfaces::new(),
        }
    }
}

impl MoveResult<'_> {
    /// The tiles that the shape touches at the end, pushed against or not.
    #[must_use]
    pub fn contacts(&self) -> Contacts<'_> {
        Contacts::new(self.scene, &self.surfaces, self.shape, self.position)
    }
}

/// A motion in tiles as whole units. A motion that is not finite is no motion.
#[inline(always)]
pub(crate) fn units(motion: DVec2) -> I64Vec2 {
    if motion.x.abs() <= Mover::MAX_MOTION && motion.y.abs() <= Mover::MAX_MOTION {
        return I64Vec2::new(to_units(motion.x), to_units(motion.y));
    }
    if !motion.is_finite() {
        return I64Vec2::ZERO;
    }
    let most = motion.abs().max_element();
    let motion = motion * (Mover::MAX_MOTION / most);
    cut(I64Vec2::new(to_units(motion.x), to_units(motion.y)))
}

/// A motion shortened to the longest that one move makes, in its own direction.
pub(super) fn cut(motion: I64Vec2) -> I64Vec2 {
    let most = Mover::MAX_MOTION as i64 * ONE;
    // Not abs(): it overflows for the least of all integers.
    let longest = motion.x.unsigned_abs().max(motion.y.unsigned_abs());
    if longest <= most as u64 { motion } else { truncated(motion, most as f64 / longest as f64) }
}
