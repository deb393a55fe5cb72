use super::witness::{Witness, WitnessHit};
use super::{motion, noise, point, tiles, world};
use crate::prelude::*;
use surefoot::query::RayHit;

const WAYS: [OneWay; 3] = [OneWay::Front, OneWay::Both, OneWay::Ignore];

/// The compared parts of a result: time, tile and direction of the normal.
type ComparableHit = (u64, (i32, i32), (i64, i64));

fn comparable(toi: f64, tile: (i32, i32), normal: (f64, f64)) -> ComparableHit {
    let digits = |x: f64| (x * 1e12).round() as i64;
    (toi.to_bits(), tile, (digits(normal.0), digits(normal.1)))
}

fn tile_of(hit: &RayHit) -> (i32, i32) {
    match hit.target {
        Target::Terrain { tile, .. } => tile,
        other => panic!("there is terrain alone: {other:?}"),
    }
}

/// Compares a ray with the witness. Returns whether it hit something.
fn check(world: &World, witness: &Witness, from: Position, motion: I64Vec2, one_way: OneWay) -> bool {
    let filter = Filter { one_way, ..Filter::default() };
    let met = witness.meets(from.units(), motion, one_way);
    let mut hits = Vec::new();
    world.cast_ray_all(from, tiles(motion), &filter, &mut hits);
    let expected: BTreeSet<ComparableHit> =
        met.iter().map(|met| comparable(met.toi(), met.tile, met.normal())).collect();
    let found: BTreeSet<ComparableHit> =
        hits.iter().map(|hit| comparable(hit.toi, tile_of(hit), hit.normal.into())).collect();
    assert_eq!(found, expected, "{from:?} {motion} {one_way:?}: {hits:?}");
    assert!(hits.is_sorted_by(|a, b| a.toi <= b.toi), "{hits:?}");
    assert_eq!(hits.len(), found.len(), "{hits:?}");
    let first = world.cast_ray(from, tiles(motion), &filter);
    assert_eq!(first, hits.first().copied(), "{from:?} {motion} {one_way:?}");
    if let Some(first) = first {
        // Of several first hits, the result must be one that the motion hits most directly.
        let against = |normal: (f64, f64)| -(normal.0 * motion.x as f64 + normal.1 * motion.y as f64);
        let earliest = |met: &&WitnessHit| met.toi() == first.toi;
        let most = met.iter().filter(earliest).map(|met| against(met.normal())).fold(0.0, f64::max);
        assert!(against(first.normal.into()) >= most * (1.0 - 1e-9), "{first:?}");
        let along = tiles(motion) * first.toi;
        let off = (first.point.to_dvec2() - from.to_dvec2() - along).abs().max_element();
        assert!(off <= 1.0 / ONE as f64, "{first:?} is {off} off the ray");
    }
    first.is_some()
}

#[test]
fn rays_agree_with_the_witness() {
    let mut random = Random(0x5EE5);
    let (mut hits, mut count) = (0, 0);
    for round in 0..often(12, 200) {
        let beyond = if round % 2 == 0 { Border::Solid } else { Border::Open };
        let filled = [0.03, 0.15, 0.4, 0.8][round as usize % 4];
        let map = noise(&mut random, (24, 20), filled, beyond);
        let (world, witness) = (world(&map), Witness::new(&map, beyond == Border::Solid));
        for i in 0..500 {
            // Rays start inside a closed map, or inside an open map and around it.
            let room = if beyond == Border::Open { 6 } else { 0 };
            let from = point(&mut random, (-room, -room), (24 + room, 20 + room));
            let mut way = motion(&mut random, 20);
            if beyond == Border::Solid {
                let end = (from.units() + way).clamp(I64Vec2::ZERO, I64Vec2::new(24, 20) * ONE);
                way = end - from.units();
            }
            hits += usize::from(check(&world, &witness, from, way, WAYS[i % 3]));
            count += 1;
        }
    }
    println!("{count} rays, {hits} met something");
    assert!(hits * 3 > count && hits < count, "{hits} of {count}");
}

/// Rays through every corner of a lattice of tiles, in many directions: none passes where two tiles meet.
#[test]
fn no_ray_passes_through_a_shared_corner() {
    let mut random = Random(0xC0A7);
    let mut hits = 0;
    for filled in [0.3, 0.7] {
        let map = noise(&mut random, (7, 7), filled, Border::Open);
        let (world, witness) = (world(&map), Witness::new(&map, false));
        for (x, y) in (0..=7).flat_map(|y| (0..=7).map(move |x| (x, y))) {
            for i in 0..40 {
                let corner = I64Vec2::new(x, y) * ONE;
                // The first directions have small ratios, the others any ratio.
                let direction = if i < 24 {
                    I64Vec2::new(random.between(-4, 5), random.between(-4, 5)) * (ONE / 2)
                } else {
                    I64Vec2::new(random.between(-4 * ONE, 4 * ONE), random.between(-4 * ONE, 4 * ONE))
                };
                let from = corner - direction;
                let way = direction * 2;
                hits += usize::from(check(&world, &witness, units(from.x, from.y), way, WAYS[i % 3]));
            }
        }
    }
    assert!(hits > 1000, "{hits}");
}

#[test]
fn no_ray_passes_a_line_of_joined_or_touching_tiles() {
    // The rows have an endless floor, a slope of two tiles on it, and a stair of blocks that touch at their corners.
    let rows = ["..........", "...../\\...", "#./\\./##\\.", ".#........", "..#.......", "##########"];
    let world = World::new(crate::scene::map(&rows), Settings::default());
    for i in 0..=160 {
        // Each ray goes from above the floor to below it, through a lattice point of its top, at each slant.
        let x = f64::from(i) / 16.0;
        for j in -32..=32 {
            let slant = f64::from(j) / 8.0;
            let from = position(x - slant, 1.5);
            let through = (2.0 * slant, -1.0);
            let down = Filter { platforms: false, ..Filter::tiles() };
            if (0.0..=10.0).contains(&(x - slant)) && world.query_point(from, &down).is_none() {
                assert!(world.cast_ray(from, through, &down).is_some(), "{x} {slant}");
            }
        }
    }
    // The rays aim between the blocks of the stair, through their corners at (1, 3) and (2, 2).
    for (corner, direction) in [((1.0, 3.0), (1.0, 1.0)), ((2.0, 2.0), (1.0, 1.0)), ((1.0, 3.0), (0.5, 1.0))] {
        for sign in [1.0, -1.0] {
            let from = position(corner.0 - sign * direction.0 / 4.0, corner.1 - sign * direction.1 / 4.0);
            let way = (sign * direction.0 / 2.0, sign * direction.1 / 2.0);
            let hit = world.cast_ray(from, way, &Filter::default());
            assert_eq!(hit.map(|hit| hit.toi), Some(0.5), "{corner:?} {way:?}");
        }
    }
}

/// A long ray is processed in bands of rows, also beyond the map.
#[test]
fn long_rays_agree_with_the_witness() {
    let mut random = Random(0x10C6);
    let map = noise(&mut random, (300, 280), 0.004, Border::Open);
    let (world, witness) = (world(&map), Witness::new(&map, false));
    let mut hits = 0;
    for i in 0..often(300, 5000) {
        let from = point(&mut random, (-20, -20), (320, 300));
        let to = point(&mut random, (-20, -20), (320, 300));
        hits += u32::from(check(&world, &witness, from, shortest(to - from), WAYS[i as usize % 3]));
    }
    assert!(hits > 100, "{hits}");
}

/// Shortens a motion to steps of 2^-16 tile, for which f64 can compare the times.
fn shortest(way: I64Vec2) -> I64Vec2 {
    way >> 16 << 16
}

#[test]
fn rays_of_layers_without_bodies_see_platforms_where_they_are_now() {
    let rows = ["......", "......", "......", "......", "~~~~~~"];
    let fields = r#"collision_layers: ["hero", "ghost"], legend: {'~': (tile: "one_way", ignored_by: ["ghost"])}"#;
    let mut world = World::new(map_with(&rows, fields), Settings::default());
    let lift = Platform::from_rows(world.map(), ["##"]).unwrap().at((2.0, 1.0));
    let lift = world.spawn_platform(lift).unwrap();
    // No body is in this layer, so these rays read a copy of the terrain and of the platforms.
    let ghosts = Filter { collision_layers: CollisionLayers(0b10), ..Filter::default() };
    let cast = |world: &World| world.cast_ray(position(3.0, 4.75), (0.0, -4.0), &ghosts);
    let top = |world: &World| {
        let hit = cast(world).unwrap();
        assert!(matches!(hit.target, Target::Platform { platform, .. } if platform == lift));
        hit.point
    };
    assert_eq!(top(&world), position(3.0, 2.0));
    world.teleport_platform(lift, (2.0, 2.5)).unwrap();
    assert_eq!(top(&world), position(3.0, 3.5));
    world.drive_platform(lift, (2.0, 2.0)).unwrap();
    assert_eq!(top(&world), position(3.0, 3.5));
    world.step();
    assert_eq!(top(&world), position(3.0, 3.0));
    world.restart_platforms();
    assert_eq!(cast(&world), None, "the map has no platform");
}
