use super::*;
use crate::map::{EntryId, LegendEntry, Map, MapParts};
use surefoot_geometry::ONE;

/// xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, n: i64) -> i64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((u128::from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)) * n as u128) >> 64) as i64
    }
}

/// Where to look decides about speed alone: the pieces kept, rows of cells and the path give the same hits.
#[test]
fn however_pieces_are_looked_up_a_cast_meets_the_same() {
    let mut random = Random(0xCA57);
    let mut met = 0;
    for _ in 0..60 {
        let mut parts = MapParts::new(8, 8);
        parts.legend = LegendEntry::every_variant(&parts.catalogue);
        let entries = parts.legend.len() as i64;
        for cell in &mut parts.cells {
            *cell = EntryId(if random.below(4) == 0 { random.below(entries) as u16 } else { 0 });
        }
        let terrain = Terrain::bake(&Map::from_cells(parts).expect("a map"));
        let scene = Scene { around: Surroundings::new(&terrain, &[]), frame: Frame::default() };
        for _ in 0..60 {
            let mut number = |from: i64, to: i64| from + random.below(to - from);
            let place = Place::from_units(number(0, 8 * ONE), number(0, 8 * ONE)).expect("a place");
            let reach = if number(0, 2) == 0 { ONE } else { 5 * ONE };
            let motion = I64Vec2::new(number(-reach, reach), number(-reach, reach));
            let radius = number(ONE / 20, ONE);
            let shape = if number(0, 2) == 0 {
                Shape::circle_units(radius)
            } else {
                Shape::aabb_units((radius, number(ONE / 20, ONE)))
            };
            let range = CellRange::of(shape, place, motion);
            let (mut rows, mut path, mut kept) = (Hits::default(), Hits::default(), Hits::default());
            let by_rows = sweep(
                &scene,
                shape,
                place,
                motion,
                Looking::Rows(range, terrain.shown(range.low, range.high)),
                &mut rows,
                None,
            );
            let by_path = sweep(&scene, shape, place, motion, Looking::Path(range), &mut path, None);
            assert_eq!(by_rows, by_path, "{shape:?} {place} {motion}");
            let sorted = |hits: &Hits| {
                let mut all: Vec<String> = hits.surfaces.iter().map(|s| format!("{s:?}")).collect();
                all.sort_unstable();
                all
            };
            assert_eq!(sorted(&rows), sorted(&path), "{shape:?} {place} {motion}");
            let mut near = Nearby::new();
            if near.reaches(&scene, shape, &Bounds::of(shape, place, motion), motion) {
                let by_kept = sweep(&scene, shape, place, motion, Looking::Picked(&near), &mut kept, None);
                assert_eq!((by_kept, &kept.surfaces), (by_rows, &rows.surfaces), "{shape:?} {place} {motion}");
                let center = near.seen(place);
                let may = near.picked().any(|grown| grown.may_meet(shape, center, motion));
                assert!(may || by_rows.is_none(), "{shape:?} {place} {motion}");
                for grown in near.picked() {
                    let plainly = touches(&grown.surface.piece, shape, grown.surface.seen(place));
                    assert_eq!(grown.is_touched(shape, place, center), plainly, "{shape:?} {place} {grown:?}");
                }
            }
            met += u32::from(by_rows.is_some());
        }
    }
    assert!(met > 600, "{met}");
}

/// A single cast looks at the terrain once: its list has what its sub-moves meet, as far off the straight way as may be.
#[test]
fn what_is_listed_is_all_that_a_sub_move_meets() {
    let mut random = Random(0x5AB5);
    let (mut met, mut listed) = (0, 0);
    for _ in 0..60 {
        let mut parts = MapParts::new(8, 8);
        parts.legend = LegendEntry::every_variant(&parts.catalogue);
        let entries = parts.legend.len() as i64;
        for cell in &mut parts.cells {
            *cell = EntryId(if random.below(4) == 0 { random.below(entries) as u16 } else { 0 });
        }
        let terrain = Terrain::bake(&Map::from_cells(parts).expect("a map"));
        let scene = Scene { around: Surroundings::new(&terrain, &[]), frame: Frame::default() };
        for round in 0..300 {
            let mut number = |from: i64, to: i64| from + random.below(to - from);
            // On the lattice shapes touch and miss by nothing: there the least stray decides.
            let grid = if round % 3 == 0 { 1 } else { ONE / 16 };
            let mut point = |from: i64, to: i64| number(from / grid, to / grid) * grid;
            let place = Place::from_units(point(0, 8 * ONE), point(0, 8 * ONE)).expect("a place");
            let motion = I64Vec2::new(point(-3 * ONE, 3 * ONE), point(-3 * ONE, 3 * ONE));
            let radius = point(ONE / 8, ONE);
            let shape = if round % 2 == 0 {
                Shape::circle_units(radius)
            } else {
                Shape::aabb_units((radius, point(ONE / 8, ONE)))
            };
            let Some(looking) = Looking::around(&scene, shape, place, motion) else { continue };
            let mut single = Single::new(&scene, shape);
            if single.cast(place, motion, looking).is_none() {
                continue;
            }
            listed += single.listed.len();
            for _ in 0..20 {
                let stray = tolerance::STRAY - 1;
                let off = I64Vec2::new(number(-stray, stray + 1), number(-stray, stray + 1));
                let part = super::super::advance::truncated(motion, number(0, ONE) as f64 / ONE as f64) + off;
                let (mut near, mut plain) = (Nearby::new(), Hits::default());
                if near.reaches(&scene, shape, &Bounds::of(shape, place, part), part) {
                    let plainly = sweep(&scene, shape, place, part, Looking::Picked(&near), &mut plain, None);
                    let again = single.recast(place, part);
                    assert_eq!((again, single.rechecked()), (plainly, &plain.surfaces[..]), "{shape:?} {place} {part}");
                    met += u32::from(again.is_some());
                }
            }
        }
    }
    assert!(met > 10_000 && listed > 5_000, "{met} {listed}");
}
