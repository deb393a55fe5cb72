//! No body ever enters a solid or crosses a one-sided edge: an exact oracle judges every path part.

use crate::prelude::*;
use surefoot_oracle as oracle;

/// A neighbourhood around the origin, as a terrain of the engine and as a scene of the oracle.
pub struct Arena {
    /// Half the number of tiles along its side.
    pub half: i32,
    pub map: Map,
    pub scene: oracle::Scene,
    /// The set tiles, for a report.
    tiles: Vec<((i32, i32), VariantId)>,
}

impl Arena {
    /// Creates the neighbourhood. The oracle's tiles come from the drawn patterns, with the oracle's own placement
    /// code.
    pub fn new(half: i32, map: Map, tiles: Vec<((i32, i32), VariantId)>) -> Arena {
        let catalogue = map.catalogue();
        let mut scene = oracle::Scene::new();
        for &(tile, id) in &tiles {
            paint(&mut scene, catalogue, tile, id);
        }
        Arena { half, map, scene, tiles }
    }

    pub fn of(square: &Square) -> Arena {
        let cells = (-square.half..square.half).flat_map(|y| (-square.half..square.half).map(move |x| (x, y)));
        let tiles = cells.filter_map(|tile| square.tile(tile).map(|id| (tile, id))).collect();
        Arena::new(square.half, square.map(Symmetry(Placement::default()), (0, 0)), tiles)
    }

    /// Returns the name of the first variant of a cell, for a report.
    fn tile(&self, tile: (i32, i32)) -> Option<String> {
        self.tiles.iter().find(|(at, _)| *at == tile).map(|(_, id)| self.map.catalogue().variant_name(*id))
    }
}

/// Sets one cell in the oracle's scene.
pub fn paint(scene: &mut oracle::Scene, catalogue: &Catalogue, tile: (i32, i32), id: VariantId) {
    let kind = match catalogue.variant(id).kind {
        PatternKind::Solid => oracle::Kind::Solid,
        PatternKind::Open => oracle::Kind::Open,
        PatternKind::Wall => oracle::Kind::Wall,
    };
    paint_as(scene, catalogue, tile, id, kind);
}

/// Sets one cell in the oracle's scene, with another kind of pattern.
pub fn paint_as(scene: &mut oracle::Scene, catalogue: &Catalogue, tile: (i32, i32), id: VariantId, kind: oracle::Kind) {
    let variant = catalogue.variant(id);
    let pattern = catalogue.pattern(variant.pattern);
    let paths: Vec<Vec<(i32, i32)>> =
        pattern.paths.iter().map(|path| path.iter().map(|&(x, y)| (i32::from(x), i32::from(y))).collect()).collect();
    scene.paint(tile, kind, &paths, variant.placement.mirrored(), variant.placement.turns());
}

/// Faults that the oracle found.
#[derive(Debug, Default)]
pub struct Verdict {
    pub steps: u64,
    pub moved: u64,
    pub hits: u64,
    pub faults: Vec<String>,
}

impl Verdict {
    /// Checks that there were no faults, enough steps, and hits in many of them.
    pub fn assert_sound(&self, steps: u64) {
        println!("{} body-steps, {} moved, {} with hits", self.steps, self.moved, self.hits);
        assert!(self.faults.is_empty(), "{} faults:\n{}", self.faults.len(), self.faults.join("\n"));
        assert!(self.hits * 4 > self.steps && self.steps >= steps, "the attack must meet something");
    }
}

pub fn tuple(position: Position) -> (i64, i64) {
    position.units().into()
}

pub fn oracle_shape(shape: Shape) -> oracle::Shape {
    if shape.is_circle() {
        oracle::Shape::Circle { radius: shape.half_units().x }
    } else {
        oracle::Shape::Box { half: shape.half_units().into() }
    }
}

/// Half-extents in tiles, from the smallest to the largest: from a fraction of a tile up to three tiles wide.
pub const SIZES: (f64, f64) = (0.025, 1.5);

/// Up to sixteen tiles wide.
const LARGE: (f64, f64) = (1.5, 8.0);

/// Moves bodies in one neighbourhood and lets the oracle judge every path part.
pub fn attack(random: &mut Random, arena: &Arena, sizes: (f64, f64), tries: u32, verdict: &mut Verdict) {
    let terrain = Terrain::bake(&arena.map);
    let mover = Mover::new(&terrain);
    let scene = &arena.scene;
    for _ in 0..tries {
        let aligned = random.below(2) == 0;
        let size = |random: &mut Random| {
            #[allow(
                clippy::disallowed_methods,
                reason = "sizes of all orders; the case follows from the size it comes to"
            )]
            let size = sizes.0 * (sizes.1 / sizes.0).powf(random.range(0.0, 1.0));
            let half = (size * ONE as f64) as i64;
            if aligned { ((half >> 28) + 1) << 28 } else { half }
        };
        let shape = if random.below(2) == 0 {
            Shape::circle_units(size(random))
        } else {
            Shape::aabb_units(I64Vec2::new(size(random), size(random)))
        };
        let oracle_shape = oracle_shape(shape);
        let mut at = start(random, arena.half, shape, aligned);
        if scene.overlap(&oracle_shape, tuple(at)).is_some() != mover.overlaps(shape, at) {
            verdict.faults.push(format!("overlap of {shape:?} at {at:?}: the oracle says otherwise"));
        }
        // A body inside a thin wall is already on both of its sides, so nothing is guaranteed for the body.
        if mover.overlaps(shape, at) || scene.straddles_wall(&oracle_shape, tuple(at)) {
            continue;
        }
        for _ in 0..12 {
            let motion = motion(random, arena.half, shape, at);
            let moved = mover.slide_units(shape, at, motion);
            verdict.steps += 1;
            verdict.hits += u64::from(!moved.hits.is_empty());
            verdict.moved += u64::from(moved.position != at);
            let how = format_args!("{shape:?} by {motion:?}");
            let from = watch(scene, &oracle_shape, &|tile| arena.tile(tile), at, &moved.path, &how, verdict);
            if from != moved.position {
                verdict.faults.push(format!("the way ends at {from:?}, the move at {:?}", moved.position));
            }
            at = moved.position;
            if at.units().abs().max_element() > i64::from(arena.half + 9) * ONE {
                break;
            }
        }
    }
}

/// Lets the oracle judge every part of a path. Returns the end of the path.
pub fn watch(
    scene: &oracle::Scene,
    shape: &oracle::Shape,
    tile: &dyn Fn((i32, i32)) -> Option<String>,
    start: Position,
    path: &[Position],
    how: &dyn std::fmt::Display,
    verdict: &mut Verdict,
) -> Position {
    let mut from = start;
    for &to in path {
        let mut fault = |what: String| {
            let part = (from.units(), to.units());
            verdict.faults.push(format!("{what}: {how}, from {:?}, in the part {part:?}", start.units()));
        };
        if let Some(overlap) = scene.overlap(shape, tuple(to)) {
            fault(format!("{overlap:?}"));
        }
        match *shape {
            oracle::Shape::Box { half } => {
                if let Some(overlap) = scene.path_overlap(half, tuple(from), tuple(to)) {
                    fault(format!("on the way {overlap:?}"));
                }
            }
            oracle::Shape::Circle { radius } => {
                let depth = scene.circle_path_depth(radius, tuple(from), tuple(to));
                if depth > 64.0 {
                    fault(format!("{depth} units deep on the way"));
                }
            }
        }
        if let Some(crossing) = scene.find_crossing(shape, tuple(from), tuple(to)) {
            fault(format!("{crossing:?}{}", around(tile, crossing.cell)));
        }
        from = to;
    }
    from
}

/// Returns the variants around a cell, for a report.
fn around(tile: &dyn Fn((i32, i32)) -> Option<String>, cell: (i32, i32)) -> String {
    let mut text = String::new();
    for at in (-1..=1).flat_map(|y| (-1..=1).map(move |x| (cell.0 + x, cell.1 + y))) {
        if let Some(name) = tile(at) {
            text += &format!(" {at:?} {name}");
        }
    }
    text
}

/// Runs characters, balls and sliding bodies in one neighbourhood, and lets the oracle judge every part of every tick.
pub fn inhabit(random: &mut Random, arena: &Arena, ticks: u32, verdict: &mut Verdict) {
    let scene = &arena.scene;
    let settings = Settings::default().max_floor_slope(random.pick(&[
        SlopeLimit::ONE_TO_ONE,
        SlopeLimit::new(1, 2).expect("a limit"),
        SlopeLimit::new(3, 1).expect("a limit"),
    ]));
    let mut world = World::new(arena.map.clone(), settings);
    let mut bodies = Vec::new();
    for _ in 0..12 {
        let size = |random: &mut Random| {
            let size = random.range(0.03, 0.6);
            if random.below(2) == 0 { (size * 16.0).ceil() / 16.0 } else { size }
        };
        let shape =
            if random.below(2) == 0 { Shape::circle(size(random)) } else { Shape::aabb(size(random), size(random)) };
        let oracle_shape = oracle_shape(shape);
        let aligned = random.below(2) == 0;
        let at = start(random, arena.half, shape, aligned);
        if scene.overlap(&oracle_shape, tuple(at)).is_some() || scene.straddles_wall(&oracle_shape, tuple(at)) {
            continue;
        }
        let body = Body::new(shape).at(at).velocity((random.range(-30.0, 30.0), random.range(-30.0, 30.0)));
        let body = match random.below(4) {
            0 => body.bounce(random.pick(&[0.5, 0.9, 1.0])),
            1 => body.friction(random.pick(&[0.0, 0.3, 1.0])),
            _ => body.character(Character { walk_speed: random.pick(&[0.5, 8.0, 60.0]), ..Character::default() }),
        };
        bodies.push((world.spawn(body).expect("it is in order"), oracle_shape, format!("{shape:?}")));
    }
    for _ in 0..ticks {
        for (id, ..) in &bodies {
            if random.below(20) == 0 {
                let walk = random.pick(&[-127, -127, -40, 0, 40, 127, 127]);
                world.set_input(*id, Input { walk, jump: random.below(3) == 0, ..Input::default() });
            }
        }
        let before: Vec<Position> = bodies.iter().map(|(id, ..)| world[*id].position()).collect();
        world.step();
        for ((id, shape, how), at) in bodies.iter().zip(before) {
            let state = &world[*id];
            verdict.steps += 1;
            verdict.moved += u64::from(state.position() != at);
            verdict.hits += u64::from(!world.contacts(*id).is_empty());
            let end = watch(scene, shape, &|tile| arena.tile(tile), at, state.path(), how, verdict);
            if end != state.position() {
                verdict.faults.push(format!("the way of {how} ends at {end:?}, the body at {:?}", state.position()));
            }
            if state.position().units().abs().max_element() > 6 * ONE {
                // A body that has fallen out of the neighbourhood comes back from above.
                let top = units(random.below(6 << 32) as i64 - 3 * ONE, 5 * ONE);
                world.teleport(*id, top).expect("near the map");
            }
        }
    }
}

/// Returns a start in or near the neighbourhood: anywhere, on the lattice, or in line with a lattice corner up to one
/// unit.
pub fn start(random: &mut Random, half: i32, shape: Shape, aligned: bool) -> Position {
    let span = f64::from(half) + (shape.half_units().max_element() as f64 / ONE as f64).max(1.5);
    let x = (random.range(-span, span) * ONE as f64) as i64;
    let y = (random.range(-span, span) * ONE as f64) as i64;
    if aligned {
        let snap = |v: i64| (v >> 28) << 28;
        return units(snap(x), snap(y));
    }
    if random.below(2) == 0 {
        let corner = lattice_point(random, half);
        let sign = |random: &mut Random| [-1, 1][random.below(2) as usize];
        let nudge = random.below(3) as i64 - 1;
        let x = corner.x + sign(random) * shape.half_units().x + nudge;
        return units(x, y);
    }
    units(x, y)
}

fn lattice_point(random: &mut Random, half: i32) -> I64Vec2 {
    let coordinate = |random: &mut Random| {
        let cell = random.below(2 * half as u64) as i64 - i64::from(half);
        let step = random.pick(&[0, 2, 4, 5, 8, 9, 12, 13, 14, 15]);
        cell * ONE + (step << 28)
    };
    I64Vec2::new(coordinate(random), coordinate(random))
}

/// Returns a motion of any length from a millionth to a thousand tiles. Half of the motions move a corner, a side or
/// the centre of the shape through a lattice point.
pub fn motion(random: &mut Random, half: i32, shape: Shape, at: Position) -> I64Vec2 {
    let length = match random.below(8) {
        0 => random.range(1e-6, 1e-4),
        1 => 1000.0 * random.range(0.01, 1.0),
        _ => random.range(0.0, 3.0),
    };
    if random.below(2) == 0 {
        let corner = lattice_point(random, half);
        let offset = shape.half_units() * I64Vec2::new(random.below(3) as i64 - 1, random.below(3) as i64 - 1);
        let aim = corner + offset - at.units();
        return if random.below(2) == 0 {
            aim
        } else {
            (aim * 2).clamp(I64Vec2::splat(-900 * ONE), I64Vec2::splat(900 * ONE))
        };
    }
    if random.below(4) == 0 {
        let axis = random.pick(&[I64Vec2::X, I64Vec2::Y, I64Vec2::new(1, 1), I64Vec2::new(1, -1), I64Vec2::new(2, 1)]);
        return axis * (random.range(-length, length) * ONE as f64 / 2.0) as i64;
    }
    let scale = length * ONE as f64;
    I64Vec2::new((random.range(-1.0, 1.0) * scale) as i64, (random.range(-1.0, 1.0) * scale) as i64)
}

fn run(seed: u64, neighbourhoods: u32, catalogue: &Arc<Catalogue>, variants: &[VariantId]) -> Verdict {
    let mut random = Random(seed);
    let mut verdict = Verdict::default();
    // Test every variant on its own, with nothing around it.
    for &variant in variants {
        let mut cells = vec![None; 16];
        cells[10] = Some(variant);
        attack(&mut random, &Arena::of(&Square::new(2, cells).of(catalogue)), SIZES, 4, &mut verdict);
    }
    for _ in 0..neighbourhoods {
        let filled = random.range(0.1, 0.8);
        let square = Square::random(&mut random, 3, filled, variants).of(catalogue);
        attack(&mut random, &Arena::of(&square), SIZES, 20, &mut verdict);
        if verdict.faults.len() > 20 {
            break;
        }
    }
    verdict
}

fn check(seed: u64, neighbourhoods: u32, catalogue: &Arc<Catalogue>, variants: &[VariantId]) {
    let verdict = run(seed, neighbourhoods, catalogue, variants);
    verdict.assert_sound(1);
}

pub fn count(everyday: u32) -> u32 {
    std::env::var("SUREFOOT_RUNS").map_or(everyday, |runs| runs.parse().expect("a number of runs"))
}

/// Returns the shipped catalogues with their number of neighbourhoods: more for the longer list of variants.
fn shares(everyday: u32) -> impl Iterator<Item = (Arc<Catalogue>, u32)> {
    catalogues().into_iter().zip([count(everyday), count(everyday / 3)])
}

#[test]
fn nothing_enters_closed_solids() {
    for (catalogue, count) in shares(often(250, 700)) {
        let mut solids = variants(&catalogue);
        solids.retain(|&v| catalogue.variant(v).kind == PatternKind::Solid);
        check(0x5EED_0101, count, &catalogue, &solids);
    }
}

#[test]
fn no_body_enters_a_solid_or_crosses_an_edge() {
    for (catalogue, count) in shares(often(250, 700)) {
        check(0x5EED_0102, count, &catalogue, &variants(&catalogue));
    }
}

#[test]
fn large_shapes_enter_and_cross_nothing() {
    for (catalogue, count) in shares(25) {
        let all = variants(&catalogue);
        let mut random = Random(0x5EED_0104);
        let mut verdict = Verdict::default();
        for _ in 0..count {
            let filled = random.range(0.005, 0.06);
            let square = Square::random(&mut random, 12, filled, &all).of(&catalogue);
            attack(&mut random, &Arena::of(&square), LARGE, 12, &mut verdict);
            if verdict.faults.len() > 20 {
                break;
            }
        }
        verdict.assert_sound(20 * u64::from(count));
    }
}

#[test]
fn characters_and_bodies_enter_and_cross_nothing() {
    for (catalogue, count) in shares(60) {
        let all = variants(&catalogue);
        let mut random = Random(0x5EED_0103);
        let mut verdict = Verdict::default();
        for _ in 0..count {
            let filled = random.range(0.1, 0.7);
            let square = Square::random(&mut random, 3, filled, &all).of(&catalogue);
            inhabit(&mut random, &Arena::of(&square), 120, &mut verdict);
            if verdict.faults.len() > 20 {
                break;
            }
        }
        verdict.assert_sound(1);
    }
}
