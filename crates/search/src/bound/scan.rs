//! The level in the form that the bound needs: which tiles are full, which slopes there are, and where platforms and
//! areas may be.

use super::{MAX_CELLS, NotCovered, round_outwards};
use surefoot::World;
use surefoot::area::{Area, Effects};
use surefoot::catalogue::{PatternKind, Variant};
use surefoot::event::BodyId;
use surefoot::geometry::{DVec2, I64Vec2, ONE};
use surefoot::map::{Border, Material, TileKind};
use surefoot::platform::{CirclePath, Easing, OnRide, Path, PathTiming, PlatformMotion, Repeat};
use surefoot::prelude::SlopeLimit;
use surefoot::terrain::Terrain;
use surefoot::world::PlatformState;

/// A tile in the form that the bound needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tile {
    Empty,
    /// A full solid square.
    Full,
    /// Any other shape. Its edges lie between two heights above the lower side of the tile, in sixteenths of a tile.
    Part(i8, i8),
}

/// A closed box in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) low: I64Vec2,
    pub(super) high: I64Vec2,
}

/// Slopes of all tiles of a level.
#[derive(Clone, Debug, Default)]
pub(super) struct Slopes {
    /// Sine of the steepest slope on which the character stands. 0 without slopes.
    pub(super) floor_sine: f64,
    /// A surface faces up and is too steep for a floor.
    pub(super) is_steep: bool,
    /// A surface faces down and is not level.
    pub(super) has_ceiling: bool,
}

/// Everything that the bound needs to know about a level.
#[derive(Clone, Debug)]
pub(super) struct Scan {
    /// Column and row of the lower left tile of `tiles`.
    pub(super) origin: (i32, i32),
    pub(super) size: (i32, i32),
    tiles: Vec<Tile>,
    borders: [bool; 4],
    pub(super) slopes: Slopes,
    /// Whether a tile has a bounce.
    pub(super) has_bounce: bool,
    /// Boxes in which platforms may be.
    pub(super) platforms: Vec<Region>,
    /// Maximum speed of a platform sideways and up, in tiles per second.
    pub(super) platform_speed: DVec2,
    /// Whether a platform falls once a body rides it. Its speed has no limit.
    pub(super) has_falling_platform: bool,
    /// Boxes of ladders and water in which the character climbs or swims.
    pub(super) holds: Vec<Region>,
    /// Sum over all water with a buoyancy above 1: the buoyancy times the height over which the water lifts the body,
    /// in tiles.
    pub(super) buoyant_height: f64,
    /// Maximum factor of the walk speed.
    pub(super) speed_scale: f64,
}

impl Scan {
    pub(super) fn new(world: &World, body: BodyId) -> Result<Scan, NotCovered> {
        let terrain = world.terrain();
        if terrain.is_streamed() {
            return Err(NotCovered::Streamed);
        }
        if world.tick() > 0 {
            return Err(NotCovered::Stepped { ticks: world.tick() });
        }
        if terrain.size().0 as usize * terrain.size().1 as usize > MAX_CELLS {
            return Err(NotCovered::TooLarge);
        }
        let (origin, size, borders) = (terrain.origin(), terrain.size(), terrain.borders());
        let limit = world.settings().max_floor_slope;
        let mut kinds = Kinds::new(world, limit);
        let solid = |border: Border| border == Border::Solid;
        let mut scan = Scan {
            origin,
            size: (size.0 as i32, size.1 as i32),
            tiles: kinds.tiles_of_terrain(terrain)?,
            borders: [borders.left, borders.right, borders.bottom, borders.top].map(solid),
            slopes: Slopes::default(),
            has_bounce: false,
            platforms: Vec::new(),
            platform_speed: DVec2::ZERO,
            has_falling_platform: false,
            holds: Vec::new(),
            buoyant_height: 0.0,
            speed_scale: 1.0,
        };
        for (_, platform) in world.platforms() {
            let tiles = kinds.tiles_of_terrain(platform.terrain())?;
            scan.add_platform(platform, &tiles, world.settings().tick)?;
        }
        (scan.slopes, scan.has_bounce) = (kinds.slopes, kinds.has_bounce);
        let body_height = world.get(body).map_or(0.0, |state| 2.0 * state.shape().half_extents().y);
        let swims = world.get(body).and_then(|state| state.character()).is_some_and(|one| one.swim_speed > 0.0);
        for (_, state) in world.areas() {
            scan.add_area(state.area(), state.position().to_dvec2(), (swims, body_height))?;
        }
        Ok(scan)
    }

    /// Returns a tile of the map or beyond its borders.
    pub(super) fn tile_at(&self, x: i64, y: i64) -> Tile {
        let (left, bottom) = (i64::from(self.origin.0), i64::from(self.origin.1));
        let (column, row) = (x - left, y - bottom);
        let (width, height) = (i64::from(self.size.0), i64::from(self.size.1));
        let beyond = [column < 0, column >= width, row < 0, row >= height];
        if beyond == [false; 4] {
            return self.tiles[(row * width + column) as usize];
        }
        let is_solid = beyond.iter().zip(self.borders).any(|(beyond, solid)| *beyond && solid);
        if is_solid { Tile::Full } else { Tile::Empty }
    }

    fn add_platform(&mut self, state: &PlatformState, tiles: &[Tile], tick: f64) -> Result<(), NotCovered> {
        let platform = state.platform();
        let name = || platform.name.clone();
        if !platform.attached_to.is_empty() || state.attached_to().is_some() {
            return Err(NotCovered::AttachedPlatform { name: name() });
        }
        if platform.start_position(tick).ok() != Some(state.position()) {
            return Err(NotCovered::DrivenPlatform { name: name() });
        }
        let terrain = state.terrain();
        let (origin, width) = (terrain.origin(), terrain.size().0 as usize);
        let base = platform.position.map_err(|_| NotCovered::AttachedPlatform { name: name() })?.units();
        let mut ways = vec![(state.position().units(), state.position().units())];
        let speed = match &platform.motion {
            PlatformMotion::Driven => return Err(NotCovered::DrivenPlatform { name: name() }),
            PlatformMotion::Path(path) => {
                ways.extend(path_sections(path).into_iter().map(|(a, b)| (base + a, base + b)));
                max_path_speed(path, tick)
            }
            PlatformMotion::Circle(circle) => {
                let reach = I64Vec2::splat((circle.radius * ONE as f64).ceil() as i64 + 1);
                ways.push((base - reach, base + reach));
                DVec2::splat(max_circle_speed(circle, tick))
            }
        };
        self.platform_speed = self.platform_speed.max(speed);
        let falls = matches!(platform.on_ride, OnRide::Fall { .. });
        self.has_falling_platform |= falls;
        for (index, tile) in tiles.iter().enumerate() {
            let (bottom, top) = match *tile {
                Tile::Empty => continue,
                Tile::Full => (0, 16),
                Tile::Part(bottom, top) => (bottom, top),
            };
            let (column, row) = (index % width, index / width);
            let corner = I64Vec2::new(i64::from(origin.0) + column as i64, i64::from(origin.1) + row as i64) * ONE;
            let height = |sixteenths: i8| I64Vec2::new(0, i64::from(sixteenths) * (ONE / 16));
            for (a, b) in &ways {
                let mut low = a.min(*b) + corner + height(bottom);
                let high = a.max(*b) + corner + height(top) + I64Vec2::new(ONE, 0);
                if falls {
                    low.y = (i64::from(self.origin.1) - 2).min(low.y / ONE - 2) * ONE;
                }
                self.platforms.push(Region { low, high });
            }
        }
        Ok(())
    }

    fn add_area(&mut self, area: &Area, position: DVec2, (swims, body_height): (bool, f64)) -> Result<(), NotCovered> {
        let Effects { gravity, gravity_scale, drag: _, buoyancy, wind, speed_scale, climbable, ground_wind, up } =
            area.effects;
        let effects = [
            ("gravity", gravity.is_some()),
            ("gravity_scale", gravity_scale.is_some()),
            ("wind", wind.is_some()),
            ("ground_wind", ground_wind.is_some()),
            ("up", up.is_some()),
            ("buoyancy", buoyancy.is_some() && !swims),
        ];
        if let Some((effect, _)) = effects.into_iter().find(|(_, is_set)| *is_set) {
            return Err(NotCovered::Area { name: area.name.clone(), tag: area.tag.clone(), effect });
        }
        self.speed_scale = self.speed_scale.max(speed_scale.unwrap_or(1.0));
        let buoyancy = buoyancy.unwrap_or(0.0);
        if climbable != Some(true) && buoyancy == 0.0 {
            return Ok(());
        }
        if area.attached_to != surefoot::area::AttachedTo::World {
            return Err(NotCovered::Area { name: area.name.clone(), tag: area.tag.clone(), effect: "attached_to" });
        }
        let (low, high) = area.shape.bounds_tiles();
        if buoyancy > 1.0 {
            // The water lifts the body from its first overlap at the bottom until it is clear of the top.
            self.buoyant_height += buoyancy * (high.y - low.y + body_height);
        }
        let (low, high) = round_outwards(low + position, high + position);
        self.holds.push(Region { low, high });
        Ok(())
    }
}

/// Ways of a platform from point to point, relative to its position.
fn path_sections(path: &Path) -> Vec<(I64Vec2, I64Vec2)> {
    let mut points: Vec<I64Vec2> = path.points.iter().map(|point| point.units()).collect();
    if path.repeat == Repeat::Loop {
        points.extend(path.points.first().map(|point| point.units()));
    }
    points.windows(2).map(|ends| (ends[0], ends[1])).collect()
}

/// Returns an upper bound of the speed of a platform along a path, sideways and vertically.
fn max_path_speed(path: &Path, tick: f64) -> DVec2 {
    let ways: Vec<DVec2> = path_sections(path).into_iter().map(|(a, b)| (b - a).as_dvec2() / ONE as f64).collect();
    let way: f64 = ways.iter().map(|way| way.length()).sum();
    let stops = path.points.len() as f64;
    let speed = match path.timing {
        PathTiming::Speed(speed) => speed,
        PathTiming::Period(period) if path.repeat == Repeat::PingPong => {
            2.0 * way / (period - (2.0 * stops - 2.0) * path.wait)
        }
        PathTiming::Period(period) => way / (period - stops * path.wait),
    };
    let easing = if path.easing == Easing::Smooth { 1.5 } else { 1.0 };
    ways.into_iter().filter(|way| *way != DVec2::ZERO).fold(DVec2::ZERO, |most, way| {
        // The number of ticks of a leg is rounded to a whole number, at least 1. Each step is rounded to a unit. Both
        // can make the platform faster.
        let ticks = ((way.length() / speed / tick) - 0.5).max(1.0);
        most.max(way.abs() * easing / ticks / tick + f64::from(way.x != 0.0 || way.y != 0.0) * 1e-6)
    })
}

fn max_circle_speed(circle: &CirclePath, tick: f64) -> f64 {
    let round = std::f64::consts::TAU * circle.radius;
    let period = match circle.timing {
        PathTiming::Speed(speed) => round / speed,
        PathTiming::Period(period) => period,
    };
    round / (period / tick - 0.5).max(1.0) / tick + 1e-6
}

/// The tile kinds of a map, and the slopes of the tiles seen so far.
struct Kinds<'a> {
    kinds: Vec<Tile>,
    variants: Vec<Option<&'a Variant>>,
    materials: Vec<Material>,
    limit: SlopeLimit,
    slopes: Slopes,
    has_bounce: bool,
    used: Vec<bool>,
}

impl<'a> Kinds<'a> {
    fn new(world: &'a World, limit: SlopeLimit) -> Kinds<'a> {
        let map = world.map();
        let variant = |kind: &TileKind| kind.variant.map(|variant| map.catalogue().variant(variant));
        let variants: Vec<_> = map.kinds().iter().map(variant).collect();
        let kinds = variants.iter().map(|variant| variant.map_or(Tile::Empty, tile_of_variant)).collect();
        let materials = map.kinds().iter().map(|kind| kind.material).collect();
        let used = vec![false; variants.len()];
        Kinds { kinds, variants, materials, limit, slopes: Slopes::default(), has_bounce: false, used }
    }

    /// Returns all tiles of a terrain, row by row from the bottom up.
    fn tiles_of_terrain(&mut self, terrain: &Terrain) -> Result<Vec<Tile>, NotCovered> {
        let (origin, size) = (terrain.origin(), terrain.size());
        let mut tiles = vec![Tile::Empty; size.0 as usize * size.1 as usize];
        for layer in terrain.layers() {
            for (index, tile) in tiles.iter_mut().enumerate() {
                let (column, row) = (index % size.0 as usize, index / size.0 as usize);
                let at = (origin.0 + column as i32, origin.1 + row as i32);
                let Some(id) = terrain.tile_at(*layer, at) else { continue };
                let kind = usize::from(id.0);
                if !self.used[kind] {
                    self.used[kind] = true;
                    self.record_slopes_and_material(kind)?;
                }
                *tile = tile_that_covers_both(*tile, self.kinds[kind]);
            }
        }
        Ok(tiles)
    }

    /// Notes the slopes and the material of a tile kind. Refuses belts.
    fn record_slopes_and_material(&mut self, kind: usize) -> Result<(), NotCovered> {
        let Some(variant) = self.variants[kind] else { return Ok(()) };
        if self.materials[kind].belt_velocity != 0.0 {
            return Err(NotCovered::Belts);
        }
        self.has_bounce |= self.materials[kind].bounce > 0.0;
        let (rise, run) = self.limit.into();
        for normal in variant.edges.iter().map(|edge| edge.normal().as_dvec2()) {
            if normal.x == 0.0 || normal.y == 0.0 {
                continue;
            }
            if normal.y < 0.0 {
                self.slopes.has_ceiling = true;
            } else if normal.x.abs() * f64::from(run) <= normal.y * f64::from(rise) {
                self.slopes.floor_sine = self.slopes.floor_sine.max(normal.x.abs() / normal.length());
            } else {
                self.slopes.is_steep = true;
            }
        }
        Ok(())
    }
}

fn tile_that_covers_both(a: Tile, b: Tile) -> Tile {
    match (a, b) {
        (Tile::Full, _) | (_, Tile::Full) => Tile::Full,
        (Tile::Empty, other) | (other, Tile::Empty) => other,
        (Tile::Part(low, high), Tile::Part(lower, higher)) => Tile::Part(low.min(lower), high.max(higher)),
    }
}

fn tile_of_variant(variant: &Variant) -> Tile {
    let heights = || variant.paths.iter().flatten().map(|point| point.y);
    let (Some(low), Some(high)) = (heights().min(), heights().max()) else { return Tile::Empty };
    let doubled_area = || {
        let points = variant.paths.iter().flatten().map(|point| (i32::from(point.x), i32::from(point.y)));
        let next = points.clone().cycle().skip(1);
        points.zip(next).map(|(a, b)| b.0 * a.1 - a.0 * b.1).sum::<i32>()
    };
    let is_full = variant.kind == PatternKind::Solid && variant.paths.len() == 1 && doubled_area().abs() == 2 * 16 * 16;
    if is_full { Tile::Full } else { Tile::Part(low, high) }
}
