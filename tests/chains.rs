//! Bodies that a platform pushes through other bodies: a rider's head pushes a hovering body, or a ram pushes a row.
//! Also bodies that stand on a rider's head while lift and rider pass obstacles.
//!
//! The positions of bodies from tick to tick, and the speed of the platform's path, are the witnesses.

use crate::body_laws::seeds;
use crate::scene::{Canvas, I64Vec2, ONE, Random, often, position};
use crate::table::{Run, Way, all_ways_of, pairs};
use surefoot::Map;
use surefoot::geometry::DVec2;
use surefoot::map::CollisionLayers;
use surefoot::platform::{Path, PathTiming, Platform, PlatformId, Repeat};
use surefoot::prelude::*;
use surefoot_random::mix;

/// Relative rounding error of a speed.
const ROUNDED: f64 = 1e-6;

/// Distance at which bodies count as touching, in units.
const CONTACT: i64 = 16;

/// Rounding error of a displacement, in units.
const UNITS: i64 = 2;

/// Distance that lifts and rams move, in tiles.
const LENGTH: f64 = 60.0;

/// Ticks per second. At 64, lifts whose speed is a power of two reach tile borders exactly.
const TICKS: [f64; 5] = [30.0, 60.0, 64.0, 120.0, 240.0];

/// Returns the actual speed of a platform on a path of this length: it takes a whole number of ticks between its
/// points.
fn speed_of_path(length: f64, speed: f64, ticks: f64) -> f64 {
    length * ticks / (length * ticks / speed).round()
}

/// A platform with the cells of a canvas, on a path that it follows once.
fn platform(cells: &Canvas, way: DVec2, speed: f64) -> Platform {
    let points = vec![Position::ORIGIN, position(way.x, way.y)];
    let path = Path { points, timing: PathTiming::Speed(speed), repeat: Repeat::Once, ..Path::default() };
    let platform = Platform::new(Map::from(cells).into_parts().layers).at(Position::ORIGIN);
    if way == DVec2::ZERO { platform } else { platform.path(path) }
}

fn blocks(low: (i32, i32), high: (i32, i32)) -> Canvas {
    let mut canvas = Canvas::default();
    canvas.blocks(low, high);
    canvas
}

/// A map whose tiles no body touches.
fn nothing() -> Canvas {
    blocks((-90, -90), (-90, -90))
}

/// Kind of a body that collides with all others.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Character,
    Crate,
    Ball,
}

const KINDS: [Kind; 3] = [Kind::Character, Kind::Crate, Kind::Ball];

impl Kind {
    fn body(self, half: f64, at: DVec2) -> Body {
        let shape = if self == Kind::Ball { Shape::circle(half) } else { Shape::aabb(half, half) };
        let body = Body::new(shape).at(position(at.x, at.y)).collision_mask(CollisionLayers::ALL);
        if self == Kind::Character { body.character(Character::default()) } else { body }
    }
}

/// Returns which events `body` got in the last tick about the body `about`.
fn count_events(world: &Run, body: BodyId, about: BodyId) -> (usize, usize) {
    let of = |is_it: fn(&EventKind, BodyId) -> bool| {
        world.events().iter().filter(|event| event.body == body && is_it(&event.kind, about)).count()
    };
    (
        of(|kind, about| matches!(kind, EventKind::HitBody { other, .. } if *other == about)),
        of(|kind, about| matches!(kind, EventKind::BodyContactBegan { other } if *other == about)),
    )
}

/// Returns the gap between the facing sides of two bodies, in units.
fn gap(world: &Run, [a, b]: [BodyId; 2]) -> i64 {
    let (a, b) = (&world[a], &world[b]);
    let off = (a.position() - b.position()).abs() - a.shape().half_units() - b.shape().half_units();
    off.max_element()
}

/// A lift at 3 tiles per second carries its rider against a hovering body, whose underside is a quarter of a tile above
/// the rider's head. The body then moves at 3 tiles per second. Both get one hit and one contact event, and they stay
/// in contact.
#[test]
fn a_hovering_body_moves_with_the_rider_that_hits_it() {
    all_ways_of(pairs(KINDS, TICKS), |way, (kind, ticks)| {
        let mut world = way.world(&nothing(), Settings::default().tick(1.0 / ticks));
        let lift = platform(&blocks((0, 0), (1, 0)), DVec2::new(0.0, 20.0), 3.0);
        world.spawn_platform(lift).unwrap();
        let hero = kind.body(0.375, DVec2::new(1.0, 1.375));
        let bat = Kind::Crate.body(0.375, DVec2::new(1.0, 2.375)).gravity_scale(0.0);
        let ids = [hero, bat].map(|body| world.spawn(body).unwrap());
        let [hero, bat] = ids;
        let root = speed_of_path(20.0, 3.0, ticks);
        let (mut hits, mut began, mut was_met) = ([0; 2], [0; 2], false);
        for tick in 0..ticks as u32 {
            world.step();
            for (i, (of, about)) in [(hero, bat), (bat, hero)].into_iter().enumerate() {
                let (hit, begun) = count_events(&world, of, about);
                (hits[i], began[i]) = (hits[i] + hit, began[i] + begun);
            }
            let (speed, is_met) = (world[bat].velocity().y, hits[0] > 0);
            // If a tick ends exactly when the head reaches the body, the body is not pushed yet.
            let expected = if is_met && (was_met || speed != 0.0) { root } else { 0.0 };
            let what = format!("{kind:?} {ticks} ticks a second, tick {tick}");
            assert!((speed - expected).abs() <= 3.0 * ROUNDED, "{what}: {speed}");
            was_met = is_met;
            assert!(!is_met || gap(&world, ids) <= UNITS, "{what}: {} units apart", gap(&world, ids));
        }
        assert_eq!((hits, began), ([1, 1], [1, 1]), "{kind:?} {ticks}");
    });
}

/// A lift or a ram, and a chain of bodies in front of it.
#[derive(Debug)]
struct Chain {
    /// Number of a symmetry.
    way: usize,
    ticks: f64,
    speed: f64,
    /// Whether a lift carries the first body up. Otherwise, a ram pushes it sideways.
    is_lift: bool,
    /// The bodies in order: kind, half-extent, distance of the middle from the platform's side, and mass.
    links: Vec<(Kind, f64, f64, f64)>,
    /// Whether the bodies after the first one fall.
    falls: bool,
}

impl Chain {
    fn of_seed(seed: u64) -> Chain {
        let mut random = Random(mix(seed));
        let way = random.below(8) as usize;
        let is_lift = random.below(3) > 0;
        let mut side = 0.0;
        let mut links = Vec::new();
        for link in 0..2 + random.below(4) {
            // Sums of these sizes are exact, so that no body starts inside another.
            let half = random.pick(&[0.25, 0.375, 0.4375, 0.625]);
            if link > 0 {
                let any = (random.range(0.0, 1.5) * 1024.0).round() / 1024.0;
                side += random.pick(&[0.0, 0.25, any]);
            }
            links.push((random.pick(&KINDS), half, side + half, random.pick(&[0.25, 1.0, 8.0])));
            side += 2.0 * half;
        }
        let any = random.range(0.5, 40.0);
        Chain {
            way,
            ticks: random.pick(&TICKS),
            speed: random.pick(&[0.5, 1.0, 3.0, 8.0, 40.0, any]),
            is_lift,
            links,
            falls: is_lift && random.one_in(2),
        }
    }

    fn along(&self) -> DVec2 {
        if self.is_lift { DVec2::Y } else { DVec2::X }
    }

    fn build(&self) -> (Run, Vec<BodyId>) {
        let along = self.along();
        let mut world = Way::turned(self.way).world(&nothing(), Settings::default().tick(1.0 / self.ticks));
        // The top or right side of the platform is at 0. Along the other axis, its middle is at 0.
        let cells = if self.is_lift { blocks((-2, -1), (1, -1)) } else { blocks((-1, -2), (-1, 1)) };
        world.spawn_platform(platform(&cells, along * LENGTH, self.speed)).unwrap();
        let ids = self.links.iter().enumerate().map(|(link, &(kind, half, away, mass))| {
            let body = kind.body(half, along * away).mass(mass);
            let falls = self.is_lift && (link == 0 || self.falls);
            world.spawn(if falls { body } else { body.gravity_scale(0.0) }).unwrap()
        });
        let ids = ids.collect();
        (world, ids)
    }

    /// Runs the chain and returns the first broken law.
    fn fault(&self) -> Option<String> {
        let (mut world, ids) = self.build();
        let along = self.along();
        let root = speed_of_path(LENGTH, self.speed, self.ticks);
        let most = (root / self.ticks * ONE as f64) as i64 + UNITS;
        let gaps: Vec<i64> = ids.windows(2).map(|pair| gap(&world, [pair[0], pair[1]])).collect();
        let mut touched: Vec<bool> = gaps.iter().map(|gap| *gap <= CONTACT).collect();
        let mut were_told: Vec<bool> = gaps.iter().map(|gap| *gap <= CONTACT).collect();
        for tick in 0..((8.0 / self.speed + 0.5) * self.ticks).min(1500.0) as u32 {
            let before: Vec<Position> = ids.iter().map(|id| world[*id].position()).collect();
            world.step();
            for (link, (id, before)) in ids.iter().zip(before).enumerate() {
                let way = (world[*id].position() - before).as_dvec2().dot(along);
                let speed = world[*id].velocity().dot(along);
                if way > most as f64 || speed > root * (1.0 + ROUNDED) + ROUNDED {
                    let way = way / ONE as f64 * self.ticks;
                    return Some(format!("tick {tick}: body {link} has the speed {speed} and went at {way}"));
                }
            }
            for link in 0..touched.len() {
                let [a, b] = [ids[link], ids[link + 1]];
                let both = [count_events(&world, a, b), count_events(&world, b, a)];
                were_told[link] |= both.iter().all(|(hits, _)| *hits > 0);
                let gap = gap(&world, [a, b]);
                let begins = gap == 0 && !touched[link];
                // A body that reaches another one exactly at the end of the tick, by its own motion, has not hit it
                // yet.
                let closing = [a, b].map(|id| world[id].velocity().dot(along));
                let is_hit = closing[0] - closing[1] <= ROUNDED;
                let all_began = both.iter().all(|(_, began)| *began == 1);
                if begins && !(all_began && (were_told[link] || !is_hit)) {
                    return Some(format!("tick {tick}: {link} and the next one touch, and are told {both:?}"));
                }
                touched[link] = gap <= CONTACT;
                // A body this close counts as touching when the next tick starts, so it gets no hit event.
                were_told[link] |= gap <= CONTACT;
            }
        }
        None
    }
}

/// No body is faster than the platform, by velocity or by position. Both bodies get events whenever two start to touch.
#[test]
fn no_chain_moves_faster_than_its_platform() {
    for seed in seeds(often(20, 50).into(), 71_001) {
        let chain = Chain::of_seed(seed);
        if let Some(fault) = chain.fault() {
            panic!("seed {seed}: {fault}\n{chain:?}");
        }
    }
}

/// A lift whose rider has bodies on its head, and the obstacles that they pass.
#[derive(Debug)]
struct Tower {
    /// Number of a symmetry.
    turned: usize,
    ticks: f64,
    speed: f64,
    way: DVec2,
    kinds: Vec<Kind>,
    half: f64,
    /// Rows of one-way tiles.
    rows: Vec<i32>,
    /// Width of the rows, from the middle.
    width: i32,
    /// Direction of a platform that has the rows, and its speed as a fraction of the lift's. `None` if the map has the
    /// rows.
    platform: Option<(DVec2, f64)>,
    /// Whether a thin wall is directly next to the tower.
    is_beside_wall: bool,
}

impl Tower {
    fn of_seed(seed: u64) -> Tower {
        let mut random = Random(mix(seed));
        let turned = random.below(8) as usize;
        let any = random.range(0.5, 40.0);
        let speed = random.pick(&[0.5, 1.0, 2.0, 3.0, 4.0, 8.0, 16.0, 32.0, 40.0, any]);
        let way = random.pick(&[DVec2::Y, DVec2::Y, DVec2::new(1.0, 1.0), DVec2::new(-0.5, 1.0)]);
        let kinds = (0..2 + random.below(3)).map(|_| random.pick(&KINDS)).collect();
        let sideways = random.pick(&[DVec2::ZERO, DVec2::X, -DVec2::X, DVec2::Y, -DVec2::Y]);
        Tower {
            turned,
            ticks: random.pick(&TICKS),
            speed,
            way: way * 24.0,
            kinds,
            half: random.pick(&[0.25, 0.375, 0.4375, 0.5]),
            rows: (4..24).filter(|_| random.one_in(3)).collect(),
            width: 40,
            platform: random.one_in(3).then(|| (sideways, random.pick(&[0.25, 0.5]))),
            is_beside_wall: way == DVec2::Y && random.one_in(4),
        }
    }

    fn build(&self) -> (Run, PlatformId, Vec<BodyId>) {
        let mut tiles = nothing();
        let mut rows = Canvas::default();
        for &y in &self.rows {
            (-self.width..self.width).for_each(|x| rows.paint((x, y), "one_way"));
        }
        if self.platform.is_none() {
            for &y in &self.rows {
                (-self.width..self.width).for_each(|x| tiles.paint((x, y), "one_way"));
            }
        }
        if self.is_beside_wall {
            // The wall is in the middle of its tiles.
            (0..30).filter(|y| !self.rows.contains(y)).for_each(|y| tiles.paint((1, y), "mid_wall"));
        }
        let mut world = Way::turned(self.turned).world(&tiles, Settings::default().tick(1.0 / self.ticks));
        let lift = platform(&blocks((-2, -1), (1, -1)), self.way, self.speed);
        let lift = world.spawn_platform(lift).unwrap();
        if let Some((way, part)) = self.platform.filter(|_| !self.rows.is_empty()) {
            let other = platform(&rows, way * 12.0, (self.speed * part).max(0.25));
            world.spawn_platform(other).unwrap();
        }
        let x = if self.is_beside_wall { 1.5 - self.half } else { 0.0 };
        let at = |level: usize| DVec2::new(x, (2 * level + 1) as f64 * self.half);
        let bodies = self.kinds.iter().enumerate().map(|(level, kind)| kind.body(self.half, at(level)));
        let ids = bodies.map(|body| world.spawn(body).unwrap()).collect();
        (world, lift, ids)
    }

    fn fault(&self) -> Option<String> {
        let (mut world, lift, ids) = self.build();
        let ticks = (24.0 / self.speed * self.ticks) as u32;
        let mut expected: Option<Vec<I64Vec2>> = None;
        for tick in 0..ticks.min(3000) {
            world.step();
            let origin = world.platform_at(lift);
            let off: Vec<I64Vec2> = ids.iter().map(|id| world[*id].position() - origin).collect();
            let first = expected.get_or_insert_with(|| off.clone());
            if *first != off {
                return Some(format!("tick {tick}: they are at {off:?} of the lift, and not at {first:?}"));
            }
        }
        None
    }
}

/// The bodies keep their places on the lift to the unit. One-way tiles from below, thin walls at the side and other
/// platforms stop none of them.
#[test]
fn a_body_on_a_rider_stays_there_whatever_they_pass() {
    for seed in seeds(30, 72_001) {
        let tower = Tower::of_seed(seed);
        if let Some(fault) = tower.fault() {
            panic!("seed {seed}: {fault}\n{tower:?}");
        }
    }
}

/// A character stands on a rider. Feet and head of the rider reach one-way tiles exactly at the ends of ticks, at 1/16
/// tile per tick. The character stays on the head all the way.
#[test]
fn a_one_way_tile_level_with_a_rider_leaves_the_body_on_its_head() {
    for (turned, kind) in pairs(0..8, KINDS) {
        let tower = Tower {
            turned,
            ticks: 64.0,
            speed: 4.0,
            way: DVec2::new(0.0, 24.0),
            kinds: vec![kind, Kind::Character, kind],
            half: 0.5,
            rows: vec![6, 8, 9, 13],
            width: 3,
            platform: None,
            is_beside_wall: false,
        };
        assert_eq!(tower.fault(), None, "{turned} {kind:?}");
    }
}
