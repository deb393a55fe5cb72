use super::*;
use crate::map::{Map, MapParts, TileId, TileKind};
use crate::motion::{Mover, Platform};
use crate::testing::Random;
use surefoot_geometry::ONE;

/// Where a cast searches affects speed only: gathered pieces, rows of cells and the path give the same hits.
#[test]
fn every_search_for_pieces_gives_a_cast_the_same_hits() {
    let mut random = Random(0xCA57);
    let mut met = 0;
    for _ in 0..60 {
        let mut parts = MapParts::new(8, 8);
        parts.kinds = TileKind::every_variant(&parts.catalogue);
        let entries = parts.kinds.len() as i64;
        for cell in &mut parts.layers[0].cells {
            *cell = TileId(if random.one_in(4) { random.between(0, entries - 1) as u16 } else { 0 });
        }
        let terrain = Terrain::bake(&Map::from_parts(parts).expect("a map"));
        let scene = Scene { around: Surroundings::new(&terrain, &[]), frame: Frame::default() };
        for _ in 0..60 {
            let mut number = |from: i64, to: i64| random.between(from, to - 1);
            let position = Position::from_units(number(0, 8 * ONE), number(0, 8 * ONE)).expect("a place");
            let reach = if number(0, 2) == 0 { ONE } else { 5 * ONE };
            let motion = I64Vec2::new(number(-reach, reach), number(-reach, reach));
            let radius = number(ONE / 20, ONE);
            let shape = if number(0, 2) == 0 {
                Shape::circle_units(radius)
            } else {
                Shape::aabb_units((radius, number(ONE / 20, ONE)))
            };
            let range = CellRange::of_motion(shape, position, motion);
            let (mut rows, mut path, mut kept) = (Hits::default(), Hits::default(), Hits::default());
            let by_rows = cast_at_gathered_or_cells(
                &scene,
                shape,
                position,
                motion,
                Looking::Rows(range, terrain.bits_of_rectangle_with_pieces(range.low, range.high)),
                &mut rows,
                None,
            );
            let by_path =
                cast_at_gathered_or_cells(&scene, shape, position, motion, Looking::Path(range), &mut path, None);
            assert_eq!(by_rows, by_path, "{shape:?} {position} {motion}");
            let sorted = |hits: &Hits| {
                let mut all: Vec<String> = hits.surfaces.iter().map(|s| format!("{s:?}")).collect();
                all.sort_unstable();
                all
            };
            assert_eq!(sorted(&rows), sorted(&path), "{shape:?} {position} {motion}");
            let mut near = Nearby::new();
            if near.try_pick_pieces(&scene, shape, &Bounds::of_motion(shape, position, motion), motion) {
                let by_kept =
                    cast_at_gathered_or_cells(&scene, shape, position, motion, Looking::Picked(&near), &mut kept, None);
                assert_eq!((by_kept, &kept.surfaces), (by_rows, &rows.surfaces), "{shape:?} {position} {motion}");
                let center = near.relative_position(position);
                let may = near.picked_pieces().any(|grown| grown.may_hit(shape, center, motion));
                assert!(may || by_rows.is_none(), "{shape:?} {position} {motion}");
                for grown in near.picked_pieces() {
                    let plainly = touches(&grown.surface.piece, shape, grown.surface.relative_position(position));
                    assert_eq!(grown.is_touched(shape, position, center), plainly, "{shape:?} {position} {grown:?}");
                }
            }
            met += u32::from(by_rows.is_some());
        }
    }
    assert!(met > 600, "{met}");
}

/// A single cast reads the terrain once: its list has every piece that a sub-move can hit, up to the maximum stray.
#[test]
fn a_list_has_every_piece_that_a_sub_move_hits() {
    let mut random = Random(0x5AB5);
    let (mut met, mut listed) = (0, 0);
    for _ in 0..60 {
        let mut parts = MapParts::new(8, 8);
        parts.kinds = TileKind::every_variant(&parts.catalogue);
        let entries = parts.kinds.len() as i64;
        for cell in &mut parts.layers[0].cells {
            *cell = TileId(if random.one_in(4) { random.between(0, entries - 1) as u16 } else { 0 });
        }
        let terrain = Terrain::bake(&Map::from_parts(parts).expect("a map"));
        let scene = Scene { around: Surroundings::new(&terrain, &[]), frame: Frame::default() };
        for round in 0..300 {
            let mut number = |from: i64, to: i64| random.between(from, to - 1);
            // On lattice coordinates, shapes touch or miss by exactly 0, so even the smallest error changes the result.
            let grid = if round % 3 == 0 { 1 } else { ONE / 16 };
            let mut point = |from: i64, to: i64| number(from / grid, to / grid) * grid;
            let position = Position::from_units(point(0, 8 * ONE), point(0, 8 * ONE)).expect("a place");
            let motion = I64Vec2::new(point(-3 * ONE, 3 * ONE), point(-3 * ONE, 3 * ONE));
            let radius = point(ONE / 8, ONE);
            let shape = if round % 2 == 0 {
                Shape::circle_units(radius)
            } else {
                Shape::aabb_units((radius, point(ONE / 8, ONE)))
            };
            let Some(looking) = Looking::cells_near_motion(&scene, shape, position, motion) else { continue };
            let mut single = Single::new(&scene, shape);
            if single.cast(position, motion, looking).is_none() {
                continue;
            }
            listed += single.listed.len();
            for _ in 0..20 {
                let stray = tolerance::MAX_STRAY_UNITS - 1;
                let off = I64Vec2::new(number(-stray, stray + 1), number(-stray, stray + 1));
                let part =
                    super::super::advance::truncated_fraction_of(motion, number(0, ONE) as f64 / ONE as f64) + off;
                let (mut near, mut plain) = (Nearby::new(), Hits::default());
                if near.try_pick_pieces(&scene, shape, &Bounds::of_motion(shape, position, part), part) {
                    let plainly = cast_at_gathered_or_cells(
                        &scene,
                        shape,
                        position,
                        part,
                        Looking::Picked(&near),
                        &mut plain,
                        None,
                    );
                    let again = single.cast_again(position, part);
                    assert_eq!(
                        (again, single.last_sub_move_hits()),
                        (plainly, &plain.surfaces[..]),
                        "{shape:?} {position} {part}"
                    );
                    met += u32::from(again.is_some());
                }
            }
        }
    }
    assert!(met > 10_000 && listed > 5_000, "{met} {listed}");
}

/// A random terrain with cells of any variant.
fn noise(random: &mut Random, size: u32, origin: (i32, i32)) -> Terrain {
    let mut parts = MapParts::new(size, size);
    parts.kinds = TileKind::every_variant(&parts.catalogue);
    parts.layers[0].origin = origin;
    let entries = parts.kinds.len() as i64;
    for cell in &mut parts.layers[0].cells {
        *cell = TileId(if random.one_in(4) { random.between(0, entries - 1) as u16 } else { 0 });
    }
    Terrain::bake(&Map::from_parts(parts).expect("a map"))
}

/// Result of a probe: the time of impact, and the hit and the touched surfaces of one owner, seen from an origin.
type Met = (Option<f64>, Vec<String>, Vec<String>);

fn meet(probe: &mut Probe<'_>, position: Position, motion: I64Vec2, origin: I64Vec2, owner: Owner) -> Met {
    let toi = probe.cast(position, motion);
    let part =
        toi.map(|toi| probe.find_displacement_to_hit(position, super::super::advance::Course::Free(motion), toi));
    let mut touched = Surfaces::new();
    probe.find_touching(position + part.unwrap_or(motion), &mut touched);
    let told = |surfaces: &[Surface]| {
        let of = surfaces.iter().filter(|surface| surface.owner == owner);
        let mut told: Vec<String> = of.map(|surface| format!("{} {:?}", surface.at - origin, surface.piece)).collect();
        told.sort_unstable();
        told
    };
    (toi, told(probe.hits()), told(&touched))
}

/// A shape hits a moving platform exactly as it would hit the same terrain at rest while moving the other way. Next to
/// another terrain, the earlier hit counts. Pieces cached from tick to tick change nothing.
#[test]
fn a_shape_hits_a_moving_platform_where_it_is() {
    let mut random = Random(0x50C);
    let (mut met, mut touched, mut both) = (0, 0, 0);
    for _ in 0..400 {
        let terrain = noise(&mut random, 8, (0, 0));
        let empty = Terrain::bake(&Map::from_parts(MapParts::new(1, 1)).expect("a map"));
        let mut number = |from: i64, to: i64| random.between(from, to - 1);
        let alone = noise(&mut Random(number(1, 1 << 40) as u64), 6, (number(-9, 9) as i32, number(-9, 9) as i32));
        let corner = alone.origin();
        let corner = I64Vec2::new(i64::from(corner.0), i64::from(corner.1)) * ONE;
        let mut platforms = [Platform::new(alone.clone(), -corner)];
        // Speeds per tick, in units: from one unit to more than the width of the map.
        let speed = [1, 1000, ONE / 60, ONE, 9 * ONE][number(0, 5) as usize];
        let radius = number(ONE / 20, ONE);
        let shape = if number(0, 2) == 0 {
            Shape::circle_units(radius)
        } else {
            Shape::aabb_units((radius, number(ONE / 20, ONE)))
        };
        let (mut near, mut near_both) = (Nearby::new(), Nearby::new());
        let mut scratch = Scratch::default();
        let frame = Frame::default();
        let mut position = Position::from_units(number(0, 8 * ONE), number(0, 8 * ONE)).expect("a place");
        for tick in 0..40 {
            platforms[0].origin += I64Vec2::new(number(-speed, speed + 1), number(-speed, speed + 1));
            if number(0, 10) == 0 {
                platforms[0].origin = -corner + I64Vec2::new(number(-4, 5), number(-4, 5)) * ONE;
            }
            if number(0, 8) == 0 {
                platforms[0].set_terrain(noise(&mut Random(number(1, 1 << 40) as u64), 6, alone.origin()));
            }
            if number(0, 5) == 0 {
                position = Position::from_units(number(0, 8 * ONE), number(0, 8 * ONE)).expect("a place");
            }
            let reach = if number(0, 3) == 0 { 5 * ONE } else { ONE / 4 };
            let motion = I64Vec2::new(number(-reach, reach), number(-reach, reach));
            let origin = platforms[0].origin;
            let owner = Owner::Platform(0);
            let what = format!("tick {tick} {shape:?} {position} {motion} {origin}");

            // First test the platform alone: compare its hits with those of the same terrain at rest.
            let still = Scene { around: Surroundings::new(platforms[0].terrain(), &[]), frame };
            let seen = Position::clamped(position.units() - origin);
            let mut fresh = Nearby::new();
            let expected = meet(
                &mut Probe::new(&still, shape, &mut fresh, &mut scratch),
                seen,
                motion,
                I64Vec2::ZERO,
                Owner::Terrain,
            );
            let moved = Scene { around: Surroundings::new(&empty, &platforms), frame };
            let mut probe = Probe::new(&moved, shape, &mut near, &mut scratch);
            assert_eq!(meet(&mut probe, position, motion, origin, owner), expected, "{what}");
            let mover = Mover::new(&empty).among_platforms(&platforms);
            let single = mover.first_tile_hit(shape, position, motion);
            let plainly = Mover::new(platforms[0].terrain()).first_tile_hit(shape, seen, motion);
            let told = |hit: &super::super::mover::TileHit, origin: I64Vec2| {
                (hit.toi, hit.position.units() - origin, hit.contact.tile)
            };
            assert_eq!(single.map(|hit| told(&hit, origin)), plainly.map(|hit| told(&hit, I64Vec2::ZERO)), "{what}");
            assert_eq!(
                mover.overlaps(shape, position),
                Mover::new(platforms[0].terrain()).overlaps(shape, seen),
                "{what}"
            );
            (met, touched) = (met + u32::from(single.is_some()), touched + expected.2.len());
            let slid = |scene: &Scene<'_>, near: &mut Nearby, scratch: &mut Scratch, from: Position| {
                let mut way = super::super::Path::new();
                let slid = Probe::new(scene, shape, near, scratch).slide(from, motion, &mut way, |_, rest| rest);
                slid.position.units()
            };
            let still_slid = slid(&still, &mut Nearby::new(), &mut scratch, seen);
            assert_eq!(slid(&moved, &mut near, &mut scratch, position) - origin, still_slid, "{what}");

            // Then test the platform next to a terrain. The probe must find the earlier of their two hits, or both.
            let map = Scene { around: Surroundings::new(&terrain, &[]), frame };
            let mut fresh = Nearby::new();
            let mut probe = Probe::new(&map, shape, &mut fresh, &mut scratch);
            let of_map = meet(&mut probe, position, motion, I64Vec2::ZERO, Owner::Terrain);
            let all = Scene { around: Surroundings::new(&terrain, &platforms), frame };
            let mut probe = Probe::new(&all, shape, &mut near_both, &mut scratch);
            let first = meet(&mut probe, position, motion, origin, owner);
            // A face wins over a corner whose time is earlier by at most `ARC_LEAD`. So the times may differ by that
            // much.
            let earliest = earlier_time(of_map.0, expected.0);
            let near_enough = |a: f64, b: f64| (a - b).abs() <= ARC_LEAD;
            assert!(
                first.0 == earliest || first.0.zip(earliest).is_some_and(|(a, b)| near_enough(a, b)),
                "{what}: {first:?} and not {earliest:?}"
            );
            let mut again = Nearby::new_without_gathering();
            let mut probe = Probe::new(&all, shape, &mut again, &mut scratch);
            assert_eq!(meet(&mut probe, position, motion, origin, owner), first, "{what}");
            both += u32::from(of_map.0.is_some() && expected.0.is_some());
        }
    }
    assert!(met > 1000 && touched > 300 && both > 500, "{met} {touched} {both}");
}
