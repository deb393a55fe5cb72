//! Witness of queries: the sides of a map's tiles from their drawn patterns, and rays against them in fractions. It
//! shares no code with the engine, checks every side of every tile, and joins no sides.

use crate::prelude::*;
use surefoot_oracle::mirror_and_turn;

const STEP: i128 = 1 << 28;

type Vector = (i128, i128);

/// A side of a tile in units, or the visible part of a solid's side. The air is on the left when looking from `a` to
/// `b`.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    pub tile: (i32, i32),
    pub kind: PatternKind,
    pub a: Vector,
    pub b: Vector,
}

/// A hit of a ray. Its time is `num / den` of the motion.
#[derive(Clone, Copy, Debug)]
pub struct WitnessHit {
    pub num: i128,
    pub den: i128,
    pub tile: (i32, i32),
    /// Outward normal, of any length.
    pub normal: Vector,
}

pub struct Witness {
    pub sides: Vec<Side>,
}

fn cross(v: Vector, w: Vector) -> i128 {
    v.0 * w.1 - v.1 * w.0
}

fn minus(v: Vector, w: Vector) -> Vector {
    (v.0 - w.0, v.1 - w.1)
}

/// Returns all sides of a tile as drawn, in lattice steps of the map.
fn drawn(map: &Map, tile: (i32, i32), solid_beyond: bool) -> Vec<(PatternKind, Vector, Vector)> {
    let (origin, size) = (map.origin(), map.size());
    let inside = (origin.0..origin.0 + size.0 as i32).contains(&tile.0)
        && (origin.1..origin.1 + size.1 as i32).contains(&tile.1);
    let lattice = |(x, y): (i32, i32)| (i128::from(16 * tile.0 + x), i128::from(16 * tile.1 + y));
    if !inside {
        let block = [(0, 0), (0, 16), (16, 16), (16, 0)];
        let sides = (0..4).map(|i| (PatternKind::Solid, lattice(block[i]), lattice(block[(i + 1) % 4])));
        return if solid_beyond { sides.collect() } else { Vec::new() };
    }
    let Some(id) = map.variant_at(0, tile) else { return Vec::new() };
    let variant = map.catalogue().variant(id);
    let pattern = map.catalogue().pattern(variant.pattern);
    let mut sides = Vec::new();
    for path in &pattern.paths {
        let path: Vec<_> = path.iter().map(|&(x, y)| (i32::from(x), i32::from(y))).collect();
        let mut path = mirror_and_turn(&path, variant.placement.mirrored(), variant.placement.turns());
        if variant.placement.mirrored() {
            path.reverse();
        }
        let count = if pattern.kind == PatternKind::Solid { path.len() } else { path.len() - 1 };
        for i in 0..count {
            let (a, b) = (lattice(path[i]), lattice(path[(i + 1) % path.len()]));
            sides.push((pattern.kind, a, b));
            if pattern.kind == PatternKind::Wall {
                sides.push((pattern.kind, b, a));
            }
        }
    }
    sides
}

impl Witness {
    /// Collects the sides of a map's tiles; with a solid border also those of three rings of full blocks around the
    /// map.
    pub fn new(map: &Map, solid_beyond: bool) -> Witness {
        let (origin, size) = (map.origin(), map.size());
        let columns = origin.0 - 3..origin.0 + size.0 as i32 + 3;
        let rows = origin.1 - 3..origin.1 + size.1 as i32 + 3;
        let tiles: Vec<_> = rows.flat_map(|y| columns.clone().map(move |x| (x, y))).collect();
        let mut sides = Vec::new();
        for &tile in &tiles {
            let around = [(1, 0), (-1, 0), (0, 1), (0, -1)];
            let neighbours: Vec<_> =
                around.iter().flat_map(|(x, y)| drawn(map, (tile.0 + x, tile.1 + y), solid_beyond)).collect();
            for (kind, a, b) in drawn(map, tile, solid_beyond) {
                let level = a.0 == b.0 || a.1 == b.1;
                if kind != PatternKind::Solid || !level {
                    sides.push(Side { tile, kind, a: scaled(a), b: scaled(b) });
                    continue;
                }
                // Step by step, keep the parts that no neighbouring solid covers.
                let (dx, dy) = ((b.0 - a.0).signum(), (b.1 - a.1).signum());
                let (mut from, mut open) = (a, None);
                while from != b {
                    let to = (from.0 + dx, from.1 + dy);
                    let covered = neighbours.iter().any(|&(kind, c, d)| {
                        kind == PatternKind::Solid
                            && on(c, d, from)
                            && on(c, d, to)
                            && (c.0 - d.0).signum() == dx
                            && (c.1 - d.1).signum() == dy
                    });
                    match (covered, open) {
                        (false, None) => open = Some(from),
                        (true, Some(start)) => {
                            sides.push(Side { tile, kind, a: scaled(start), b: scaled(from) });
                            open = None;
                        }
                        _ => {}
                    }
                    from = to;
                }
                if let Some(start) = open {
                    sides.push(Side { tile, kind, a: scaled(start), b: scaled(b) });
                }
            }
        }
        Witness { sides }
    }

    /// Returns all hits of a ray, in any order.
    pub fn meets(&self, from: I64Vec2, motion: I64Vec2, one_way: OneWay) -> Vec<WitnessHit> {
        let from = (i128::from(from.x), i128::from(from.y));
        let motion = (i128::from(motion.x), i128::from(motion.y));
        let mut met = Vec::new();
        for side in &self.sides {
            if side.kind == PatternKind::Open && one_way == OneWay::Ignore {
                continue;
            }
            met.extend(against(side, (side.a, side.b), from, motion));
            if side.kind == PatternKind::Open && one_way == OneWay::Both {
                met.extend(against(side, (side.b, side.a), from, motion));
            }
        }
        met
    }
}

fn scaled(v: Vector) -> Vector {
    (v.0 * STEP, v.1 * STEP)
}

/// Returns whether a point is on a segment along an axis.
fn on(a: Vector, b: Vector, at: Vector) -> bool {
    let between = |a: i128, b: i128, at: i128| a.min(b) <= at && at <= a.max(b);
    (a.0 == b.0 || a.1 == b.1) && between(a.0, b.0, at.0) && between(a.1, b.1, at.1)
}

/// Returns where a ray crosses a side from its front, or from its line, to its back; with the point on the side's line.
fn against(side: &Side, (a, b): (Vector, Vector), from: Vector, motion: Vector) -> Option<WitnessHit> {
    // `before` and `after` are distances to the left of the line from a to b, times the length of the line.
    let along = minus(b, a);
    let before = cross(along, minus(from, a));
    let after = before + cross(along, motion);
    if before < 0 || after >= 0 {
        return None;
    }
    let (num, den) = (before, before - after);
    // The point where the ray crosses the line, measured from `a` and multiplied by the denominator, must be between
    // the two ends of the side.
    let at = minus(from, a);
    let at = (at.0 * den + motion.0 * num, at.1 * den + motion.1 * num);
    let reach = |at: i128, along: i128| at * along.signum() >= 0 && at.abs() <= along.abs() * den;
    let is_there = reach(at.0, along.0) && reach(at.1, along.1);
    is_there.then_some(WitnessHit { num, den, tile: side.tile, normal: (-along.1, along.0) })
}

impl WitnessHit {
    /// Returns the nearest f64 of the time. Both numbers have fewer than 107 bits, so common factors are removed first.
    pub fn toi(&self) -> f64 {
        let (mut a, mut b) = (self.num, self.den);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let (num, den) = (self.num / a.max(1), self.den / a.max(1));
        assert!(den.unsigned_abs() < 1 << 53, "a test asks for times that f64 can tell");
        num as f64 / den as f64
    }

    pub fn normal(&self) -> (f64, f64) {
        let (x, y) = ((self.normal.0 / STEP) as f64, (self.normal.1 / STEP) as f64);
        let length = (x * x + y * y).sqrt();
        (x / length, y / length)
    }
}

/// Returns the squared distance from a point to a side in units: to a foot on the side, otherwise to an end.
pub fn distance_sq(side: &Side, at: I64Vec2) -> f64 {
    let at = (i128::from(at.x), i128::from(at.y));
    let along = minus(side.b, side.a);
    let to = minus(at, side.a);
    let dot = |v: Vector, w: Vector| v.0 * w.0 + v.1 * w.1;
    let (passed, length) = (dot(along, to), dot(along, along));
    if passed <= 0 {
        return dot(to, to) as f64;
    }
    if passed >= length {
        let to = minus(at, side.b);
        return dot(to, to) as f64;
    }
    let height = cross(along, to) as f64;
    height / length as f64 * height
}

/// Returns how far a point is in front of a side, times the length of the side.
pub fn height(side: &Side, at: I64Vec2) -> i128 {
    cross(minus(side.b, side.a), minus((i128::from(at.x), i128::from(at.y)), side.a))
}

const _: () = assert!(STEP * 16 == ONE as i128);
