use super::advance::{Approach, Course, truncated_fraction_of};
use super::cast::{Looking, Probe, Scene, Scratch, Single};
use super::memory::{CachedMover, MoverCache};
use super::{
    Contact, Contacts, Frame, Nearby, Obstacles, Path, Platform, Shape, SlopeLimit, Surfaces, Surroundings, Touching,
    Up,
};
use crate::map::CollisionLayers;
use crate::query::BodyContact;
use crate::terrain::Terrain;
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::{ONE, Position, Vector, to_units};

/// Move-and-slide without a world: takes a shape, a position and a displacement (`motion`, in tiles), and returns the
/// new position and the contacts.
///
/// Use a mover for a game that keeps its own entities. The bodies of a world move by the same rules. A mover can also
/// collide with platforms and bodies in addition to the terrain: see [`Mover::with_obstacles`].
///
/// A displacement of more than [`Mover::MAX_MOTION`] tiles on an axis is shortened to that length, in the same
/// direction.
#[derive(Clone, Copy, Debug)]
pub struct Mover<'a> {
    pub(super) scene: Scene<'a>,
    /// The terrain with all of its tiles, from which the view for the layers is taken.
    whole: &'a Terrain,
    drops: bool,
    pub(super) collision_layers: CollisionLayers,
}

/// Result of a move: the new position, the hits on the path, and the contacts at the end.
#[derive(Clone, Debug)]
pub struct MoveResult<'a> {
    /// Position of the shape's centre at the end of the move.
    pub position: Position,
    /// Sides on which the shape touches something at the end of the move.
    pub touching: Touching,
    /// Tile surfaces that the shape hit during the move, in order.
    ///
    /// [`MoveResult::contacts`] returns the tiles that the shape touches at the end.
    pub hits: SmallVec<[Contact; 4]>,
    /// [Obstacle bodies](Mover::with_obstacles) that the shape hit during the move, in order. Each contact is that at
    /// the shape's position when the move stopped at the body.
    pub body_hits: Vec<BodyContact>,
    /// [Obstacle bodies](Mover::with_obstacles) that the shape touches at the end of the move, in the order in which
    /// they were added.
    pub body_contacts: Vec<BodyContact>,
    /// Path of the move: the position of the shape's centre at the end of each straight stretch, in order.
    pub path: SmallVec<[Position; 8]>,
    pub(super) scene: Scene<'a>,
    pub(super) shape: Shape,
    pub(super) surfaces: Surfaces,
}

/// First hit of a shape cast. [`Mover::cast`] returns it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit {
    /// Time of impact as a fraction of the motion, 0 to 1.
    pub toi: f64,
    /// Position of the shape's centre at the hit, in whole units of 2^-32 tile. There the shape overlaps nothing,
    /// except what it overlapped already at the start.
    pub position: Position,
    /// Tile or body that the shape hit.
    ///
    /// If the shape hits several things at the same time, a tile counts first, then the first body in the list of
    /// [obstacles](Mover::with_obstacles).
    pub target: HitTarget,
}

/// Thing that a shape cast hit: a tile, or a body of the [obstacles](Mover::with_obstacles).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HitTarget {
    /// The shape hit this surface of a tile.
    ///
    /// If the shape hits several surfaces at the same time, a floor counts first, then the surface that faces the
    /// motion most directly.
    ///
    /// If the corner of a box hits a corner between two surfaces, only one of the two surfaces counts: the surface
    /// along which the motion leads away from the corner.
    Tile(Contact),
    /// The shape hit this body of the obstacles.
    Body(BodyContact),
}

impl HitTarget {
    /// Returns the contact with the tile, or `None` if the target is a body.
    #[must_use]
    pub fn tile(self) -> Option<Contact> {
        if let HitTarget::Tile(contact) = self { Some(contact) } else { None }
    }

    /// Returns the contact with the body, or `None` if the target is a tile.
    #[must_use]
    pub fn body(self) -> Option<BodyContact> {
        if let HitTarget::Body(contact) = self { Some(contact) } else { None }
    }

    /// Returns the point where the shape and the target touch: see [`Contact::point`].
    #[must_use]
    pub fn point(self) -> Position {
        match self {
            HitTarget::Tile(contact) => contact.point,
            HitTarget::Body(contact) => contact.point,
        }
    }

    /// Returns the unit normal of the hit surface, which points from the target to the shape.
    #[must_use]
    pub fn normal(self) -> DVec2 {
        match self {
            HitTarget::Tile(contact) => contact.normal,
            HitTarget::Body(contact) => contact.normal,
        }
    }
}

/// First tile that a cast hit.
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
    /// Maximum displacement in one call, in tiles on each axis: 1000. A longer displacement is shortened to it.
    pub const MAX_MOTION: f64 = 1000.0;

    /// Creates a mover over `terrain`. Up is towards greater y, and slopes up to 45 degrees are floors.
    #[must_use]
    pub fn new(terrain: &'a Terrain) -> Mover<'a> {
        let scene = Scene { around: Surroundings::new(terrain, &[]), frame: Frame::default() };
        Mover { scene, whole: terrain, drops: false, collision_layers: CollisionLayers::NONE }
    }

    /// Creates a mover in a scene.
    pub(crate) fn with_scene(scene: Scene<'a>, whole: &'a Terrain) -> Mover<'a> {
        Mover { scene, whole, drops: false, collision_layers: CollisionLayers::NONE }
    }

    /// Returns the scene in which the mover moves.
    pub(crate) fn scene(&self) -> &Scene<'a> {
        &self.scene
    }

    /// Returns a mover that also collides with platforms.
    pub(crate) fn among_platforms(mut self, platforms: &'a [Platform]) -> Mover<'a> {
        self.scene.around = Surroundings::new(self.whole, platforms);
        self.select_terrain_for_layers()
    }

    /// Sets the platforms and bodies that the mover collides with in addition to its terrain. Replaces an earlier
    /// list.
    ///
    /// - A platform acts like the terrain, at the position given in the list.
    /// - A body is solid from all sides. A shape slides along the body and walks on its flat top. Where the tops of
    ///   two bodies are level, the shape walks from one to the other.
    /// - A body in front of the shape stops a walk. If the body has a round top that the shape stands on, the walk
    ///   slides along the top.
    /// - A body that the shape overlaps at the start does not stop the shape. So an entity whose own body is in the
    ///   list does not block itself.
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
    /// // The left side of the chest is at x = 2, the top at y = 2.
    /// let hit = mover.cast(ball, Position::new(0.75, 1.5)?, (4.0, 0.0)).ok_or("no hit")?;
    /// assert_eq!((hit.toi, hit.target.body().map(|body| body.other)), (0.25, Some(chest)));
    /// let moved = mover.slide(ball, Position::new(2.5, 2.5)?, (0.25, -1.0));
    /// assert_eq!((moved.position, moved.touching.floor), (Position::new(2.75, 2.25)?, true));
    /// assert_eq!(moved.body_contacts[0].other, chest);
    /// // The cast passes over the chest.
    /// assert!(mover.cast(ball, Position::new(0.75, 2.25)?, (4.0, 0.0)).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_obstacles(mut self, obstacles: &'a Obstacles) -> Mover<'a> {
        self.scene.around = Surroundings::with_obstacles(self.whole, obstacles);
        self.select_terrain_for_layers()
    }

    /// Sets the direction that counts as up. Default: [`Up::PlusY`].
    #[must_use]
    pub fn up(mut self, up: Up) -> Mover<'a> {
        self.scene.frame = self.scene.frame.with_up(up);
        self
    }

    /// Sets the steepest slope that counts as floor. A steeper slope is a wall. Default: 45 degrees.
    #[must_use]
    pub fn max_floor_slope(mut self, limit: SlopeLimit) -> Mover<'a> {
        self.scene.frame = self.scene.frame.with_slope_limit(limit);
        self
    }

    /// Makes the mover ignore tiles that a character drops through while its player holds down, such as one-way
    /// tiles.
    #[must_use]
    pub fn drop_through(mut self) -> Mover<'a> {
        self.drops = true;
        self.select_terrain_for_layers()
    }

    /// Sets the collision layers that the moved shapes are in. Default: none. One-way tiles that let bodies of one of
    /// these layers pass do not stop the shapes: see [`TileKind::ignored_by`](crate::map::TileKind::ignored_by).
    ///
    /// If your game has no world, call [`Terrain::prepare_collision_layers`] for the layers first. A world does that
    /// for the layers of its bodies.
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
        self.select_terrain_for_layers()
    }

    fn select_terrain_for_layers(mut self) -> Mover<'a> {
        let around = self.scene.around.with_all_tiles_of(self.whole).for_layers(self.collision_layers);
        let around = if around.has_platforms() { around.with_layers(self.collision_layers) } else { around };
        self.scene.around = if self.drops { around.for_drop_through() } else { around };
        self
    }

    /// Returns this mover with the cache of one entity, for faster calls. Keep one [`MoverCache`] for each entity.
    pub fn with_cache<'m>(&self, memory: &'m mut MoverCache) -> CachedMover<'a, 'm> {
        CachedMover::new(*self, memory)
    }

    /// Moves `shape` from position `from` by `motion` tiles, and slides it along the surfaces that it hits.
    ///
    /// The shape never enters a solid. If it overlaps a solid at the start, it can move out of that solid. The shape
    /// does not move if [`Shape::check`] refuses its size, or if `motion` is not finite.
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
        self.slide_units(shape, from, motion_to_units(motion.to_lengths()))
    }

    /// Moves a shape as [`Mover::slide`] does, with `motion` in whole units of 2^-32 tile.
    pub fn slide_units(&self, shape: Shape, from: Position, motion: impl Into<I64Vec2>) -> MoveResult<'a> {
        let mut moved = MoveResult::not_started(self.scene, shape, from);
        let mut memory = MoverCache::take_temporary_cache();
        self.with_cache(&mut memory).slide_by(&mut moved, motion.into());
        memory.return_temporary_cache();
        moved
    }

    /// Moves `shape` straight from `from` by `motion` tiles and returns the first hit. Returns `None` if the path is
    /// free.
    ///
    /// - A shape that touches a surface at the start and moves into that surface hits the surface at once, with `toi`
    ///   0.
    /// - A motion along a surface or away from a surface does not hit that surface.
    /// - A shape that only touches a surface at the end of the motion does not hit that surface.
    /// - A solid that the shape overlaps at the start does not stop the shape.
    /// - The result is `None` if [`Shape::check`] refuses the size, or if `motion` is not finite.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::Map;
    ///
    /// let map = Map::from_ron("Map(format: 1, tiles: [\"....\", \"....\", \"###.\"])")?;
    /// let terrain = Terrain::bake(&map);
    /// let (mover, bullet) = (Mover::new(&terrain), Shape::circle(0.25));
    /// // The top of the floor is at y = 1. The circle hits it at y = 1.25, after three quarters of the motion.
    /// let hit = mover.cast(bullet, Position::new(0.5, 2.0)?, (1.0, -1.0)).ok_or("no hit")?;
    /// assert_eq!((hit.toi, hit.position), (0.75, Position::new(1.25, 1.25)?));
    /// assert_eq!(hit.target.tile().map(|contact| contact.side), Some(Side::Floor));
    /// assert!(mover.cast(bullet, Position::new(0.5, 2.0)?, (1.0, -0.75)).is_none(), "a motion that ends on the floor is not a hit");
    /// assert!(mover.cast(bullet, Position::new(3.5, 2.0)?, (0.0, -1.0)).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cast(&self, shape: Shape, from: Position, motion: impl Vector) -> Option<CastHit> {
        shape.check().ok()?;
        let motion = motion_to_units(motion.to_lengths());
        let tile = self.first_tile_hit(shape, from, motion);
        let body = self.first_body_hit(shape, from, motion, tile.map(|tile| tile.toi));
        body.or_else(|| tile.map(CastHit::from))
    }

    /// Returns the first tile that a shape of valid size hits.
    #[inline]
    pub(crate) fn first_tile_hit(&self, shape: Shape, from: Position, motion: I64Vec2) -> Option<TileHit> {
        let looking = Looking::cells_near_motion(&self.scene, shape, from, motion)?;
        let mut cast = Single::new(&self.scene, shape);
        let toi = cast.cast(from, motion, looking)?;
        let surface = *cast.hits.most_opposed_surface(&self.scene.frame, from + motion, motion)?;
        let position = from + cast.find_displacement_to_hit(from, Course::Free(motion), toi);
        Some(TileHit { toi, position, contact: Contact::new(&self.scene, &surface, shape, position) })
    }

    /// Walks `shape` from position `from` by `length` tiles along the floor that it stands on: to the right if `length`
    /// is positive, else to the left.
    ///
    /// - The shape follows slopes up and down, and over their tops.
    /// - Where the floor ends, the shape continues straight ahead through the air.
    /// - The shape stops at walls, and at slopes that are too steep.
    /// - The shape does not move if it does not stand on a floor.
    /// - After 64 changes of the floor's slope, the walk ends before its full length.
    pub fn walk(&self, shape: Shape, from: Position, length: f64) -> MoveResult<'a> {
        let mut moved = MoveResult::not_started(self.scene, shape, from);
        let mut memory = MoverCache::take_temporary_cache();
        self.with_cache(&mut memory).walk_by(&mut moved, length);
        memory.return_temporary_cache();
        moved
    }

    /// Returns the centre position at which `shape` stands on the floor below `feet`.
    ///
    /// The shape starts with its lower side at `feet` and moves straight down without sliding. Returns `None` in
    /// these cases:
    ///
    /// - The first surface below is not a floor.
    /// - The distance to the next surface is more than [`Mover::MAX_MOTION`].
    /// - The shape would overlap a solid at the returned position.
    /// - [`Shape::check`] refuses the size.
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
        let up = frame.up_axis();
        let from = feet + up * shape.half_units().dot(up.abs());
        let mut floor = false;
        let down = clamp_motion(up * -(Self::MAX_MOTION as i64 * ONE));
        let (mut near, mut scratch) = (Nearby::new_temporary(), Scratch::default());
        let mut probe = Probe::new(&self.scene, shape, &mut near, &mut scratch);
        let slid = probe.slide(from, down, &mut Path::new(), |impact, _| {
            floor = frame.has_floor(impact.struck, impact.position);
            I64Vec2::ZERO
        });
        (floor && !self.overlaps(shape, slid.position)).then_some(slid.position)
    }

    /// Returns what a shape touches at position `at`. The shape does not move.
    #[must_use]
    pub fn touching(&self, shape: Shape, at: Position) -> MoveResult<'a> {
        self.slide_units(shape, at, I64Vec2::ZERO)
    }

    /// Returns whether a shape at position `at` overlaps a solid or an [obstacle body](Mover::with_obstacles).
    ///
    /// An overlap of one unit of 2^-32 tile counts. Touching is not an overlap. Returns `false` if [`Shape::check`]
    /// refuses the size.
    #[must_use]
    pub fn overlaps(&self, shape: Shape, at: Position) -> bool {
        let is_in_body = || self.scene.around.bodies().iter().any(|(_, body)| body.is_overlapped_by(shape, at.units()));
        shape.check().is_ok() && (self.scene.overlaps_solid(shape, at) || is_in_body())
    }
}

impl<'a> MoveResult<'a> {
    /// Returns a move that has not started. The caller owns the memory and the move fills it in place, since it is
    /// expensive to copy.
    #[inline(always)]
    pub(super) fn not_started(scene: Scene<'a>, shape: Shape, position: Position) -> MoveResult<'a> {
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
    /// Returns the contacts with tiles at the end of the move.
    ///
    /// Unlike [`MoveResult::hits`], they include tiles that the shape touches without having hit them, such as the
    /// floor under a shape that slides along.
    #[must_use]
    pub fn contacts(&self) -> Contacts<'_> {
        Contacts::new(self.scene, &self.surfaces, self.shape, self.position)
    }
}

/// Converts a length in tiles to whole units, rounded towards zero.
pub(crate) fn tiles_to_units(tiles: f64) -> i64 {
    (tiles * ONE as f64) as i64
}

/// Converts a motion in tiles to whole units. A motion that is not finite becomes zero.
#[inline(always)]
pub(crate) fn motion_to_units(motion: DVec2) -> I64Vec2 {
    if motion.x.abs() <= Mover::MAX_MOTION && motion.y.abs() <= Mover::MAX_MOTION {
        return I64Vec2::new(to_units(motion.x), to_units(motion.y));
    }
    if !motion.is_finite() {
        return I64Vec2::ZERO;
    }
    let most = motion.abs().max_element();
    let motion = motion * (Mover::MAX_MOTION / most);
    clamp_motion(I64Vec2::new(to_units(motion.x), to_units(motion.y)))
}

/// Shortens a motion to the longest that one call allows, in the same direction.
pub(super) fn clamp_motion(motion: I64Vec2) -> I64Vec2 {
    let most = Mover::MAX_MOTION as i64 * ONE;
    // `abs()` would overflow for the smallest integer.
    let longest = motion.x.unsigned_abs().max(motion.y.unsigned_abs());
    if longest <= most as u64 { motion } else { truncated_fraction_of(motion, most as f64 / longest as f64) }
}
