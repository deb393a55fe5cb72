//! Compares the oracle with brute force on random scenes. Vertices, sizes and motions are small multiples of a quarter
//! step.

use crate::brute_force::{OUTLINES, box_overlaps_outline, box_overlaps_segment};
use crate::{Scene, Shape, Time, mirror_and_turn};
use surefoot_random::Random;

/// A quarter of a lattice step, in units. Random positions are multiples of it, so that exact touches are common.
const QUARTER_STEP_UNITS: i64 = 1 << 26;

struct Case {
    scene: Scene,
    /// Outlines in quarter steps, shifted to their cells.
    outlines: Vec<Vec<(i32, i32)>>,
    half: (i64, i64),
    from: (i64, i64),
    motion: (i64, i64),
}

/// Converts quarter steps to units.
fn units((x, y): (i64, i64)) -> (i64, i64) {
    (x * QUARTER_STEP_UNITS, y * QUARTER_STEP_UNITS)
}

/// Returns a time in lowest terms, so that the products of brute force do not overflow.
fn as_reduced_fraction(time: Time) -> (i128, i128) {
    let (mut a, mut b) = (time.num, time.den);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (time.num / a, time.den / a)
}

fn sum(p: (i64, i64), q: (i64, i64)) -> (i64, i64) {
    (p.0 + q.0, p.1 + q.1)
}

fn random_case(dice: &mut Random) -> Case {
    let mut scene = Scene::new();
    let mut outlines = Vec::new();
    for cell in [(-1, 0), (0, 0), (0, -1)] {
        let outline = OUTLINES[dice.between(0, OUTLINES.len() as i64 - 1) as usize];
        let outline = mirror_and_turn(outline, dice.between(0, 1) == 1, dice.between(0, 3) as u8);
        scene.add_solid(cell, &outline);
        outlines.push(outline.iter().map(|&(x, y)| (4 * (x + 16 * cell.0), 4 * (y + 16 * cell.1))).collect());
    }
    let spread = if dice.between(0, 1) == 0 { 12 } else { 160 };
    Case {
        scene,
        outlines,
        half: (dice.between(1, 24), dice.between(1, 24)),
        from: (dice.between(-100, 100), dice.between(-100, 100)),
        motion: (dice.between(-spread, spread), dice.between(-spread, spread)),
    }
}

impl Case {
    /// Returns whether the box overlaps a solid at the time `num / den`. All lengths are multiplied by `den`.
    fn overlaps_at(&self, num: i128, den: i128) -> bool {
        let at = |from: i64, motion: i64| i128::from(from) * den + i128::from(motion) * num;
        let c = (at(self.from.0, self.motion.0), at(self.from.1, self.motion.1));
        let half = (i128::from(self.half.0) * den, i128::from(self.half.1) * den);
        self.outlines.iter().any(|outline| box_overlaps_outline(c, half, outline, den))
    }

    fn report(&self) -> String {
        format!("{:?} half {:?} from {:?} motion {:?}", self.outlines, self.half, self.from, self.motion)
    }
}

#[test]
fn the_entry_time_is_when_brute_force_first_finds_an_overlap() {
    let mut dice = Random(1);
    let mut hits = 0;
    for _ in 0..4000 {
        let case = random_case(&mut dice);
        let (half, from, motion) = (units(case.half), units(case.from), units(case.motion));
        let to = sum(from, motion);
        let standing = case.scene.overlap(&Shape::Box { half }, from).is_some();
        assert_eq!(standing, case.overlaps_at(0, 1), "{}", case.report());
        let entry = case.scene.entry_time(half, from, motion);
        assert_eq!(entry.is_some(), case.scene.path_overlap(half, from, to).is_some(), "{}", case.report());
        // Brute force finds no overlap at 41 times up to and including the entry time.
        let (num, den) = as_reduced_fraction(entry.unwrap_or(Time::ONE));
        if !standing {
            for k in 0..=40 {
                assert!(!case.overlaps_at(num * k, den * 40), "{} at {k}/40 of {entry:?}", case.report());
            }
        }
        if entry.is_some() {
            hits += 1;
            // A millionth of the motion later the box overlaps.
            assert!(case.overlaps_at(num * 1_000_000 + den, den * 1_000_000), "{} after {entry:?}", case.report());
        }
    }
    assert!((1000..3500).contains(&hits), "{hits} of 4000 hit");
}

#[test]
fn discs_overlap_if_an_outline_is_nearer_than_the_radius() {
    let mut dice = Random(2);
    let mut hits = 0;
    for _ in 0..4000 {
        let case = random_case(&mut dice);
        let radius = case.half.0;
        let distance_at = |(x, y): (f64, f64)| {
            let mut nearest = f64::INFINITY;
            for outline in &case.outlines {
                for i in 0..outline.len() {
                    let (a, b) = (outline[i], outline[(i + 1) % outline.len()]);
                    let (ax, ay, bx, by) = (f64::from(a.0), f64::from(a.1), f64::from(b.0), f64::from(b.1));
                    let length_sq = (bx - ax).powi(2) + (by - ay).powi(2);
                    let t = (((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length_sq).clamp(0.0, 1.0);
                    let apart = ((x - ax - t * (bx - ax)).powi(2) + (y - ay - t * (by - ay)).powi(2)).sqrt();
                    nearest = nearest.min(apart);
                }
                let fine = ((x * 4096.0).round() as i128, (y * 4096.0).round() as i128);
                if crate::brute_force::is_inside(outline, fine, 4096) {
                    return 0.0;
                }
            }
            nearest
        };
        let at = (case.from.0 as f64, case.from.1 as f64);
        let exact = case.scene.overlap(&Shape::Circle { radius: units(case.half).0 }, units(case.from)).is_some();
        let distance = distance_at(at);
        // In f64, the distance of a circle that only touches may round to either side. In exact arithmetic, a touch is
        // not an overlap.
        let touching = (distance - radius as f64).abs() < 1e-9;
        assert_eq!(exact, !touching && distance < radius as f64, "{}", case.report());
        hits += usize::from(exact);

        let deep = case.scene.circle_path_depth(
            radius * QUARTER_STEP_UNITS,
            units(case.from),
            sum(units(case.from), units(case.motion)),
        ) / QUARTER_STEP_UNITS as f64;
        let steps = 400.0;
        let motion = (case.motion.0 as f64, case.motion.1 as f64);
        let sampled = (0..=400)
            .map(|k| distance_at((at.0 + motion.0 * f64::from(k) / steps, at.1 + motion.1 * f64::from(k) / steps)))
            .fold(f64::INFINITY, f64::min);
        let sampled = (radius as f64 - sampled).max(0.0);
        // The nearest sample is at most half a sample spacing away, so the distance differs by no more than that.
        let slack = motion.0.hypot(motion.1) / steps / 2.0 + 1e-3;
        assert!((-1e-3..=slack).contains(&(deep - sampled)), "{} {deep} {sampled}", case.report());
    }
    assert!((1000..3500).contains(&hits), "{hits} of 4000 hit");
}

/// Samples the path: the box is in front of the edge at the start, and overlaps it at a later sample.
/// Sampling misses a crossing that is shorter than the time between two samples; this seed has none.
#[test]
fn crossings_are_where_brute_force_finds_the_box_on_the_edge() {
    let mut dice = Random(0xC705);
    let (mut hits, mut around) = (0, 0);
    for _ in 0..6000 {
        let ends = [0; 2].map(|_| (dice.between(0, 16) as i32, dice.between(0, 16) as i32));
        let [a, b] = ends;
        if a == b {
            continue;
        }
        let mut scene = Scene::new();
        scene.add_one_sided_edge((0, 0), a, b);
        let half = (dice.between(1, 24), dice.between(1, 24));
        let from = (dice.between(-40, 100), dice.between(-40, 100));
        let motion = (dice.between(-100, 100), dice.between(-100, 100));
        let to = (from.0 + motion.0, from.1 + motion.1);
        let found = scene.find_crossing(&Shape::Box { half: units(half) }, units(from), units(to));

        let wide = |p: (i64, i64)| (i128::from(p.0), i128::from(p.1));
        let point = |p: (i32, i32)| (i128::from(p.0) * 4, i128::from(p.1) * 4);
        let (a, b) = (point(a), point(b));
        // The box is in front if all four corners are on the left of a -> b.
        let left = |p: (i128, i128)| (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0) >= 0;
        let corners =
            [(1, 1), (1, -1), (-1, 1), (-1, -1)].map(|(x, y)| wide((from.0 + x * half.0, from.1 + y * half.1)));
        let in_front = corners.into_iter().all(left);
        let times = 2000;
        let times_as_large = |p: (i128, i128)| (p.0 * times, p.1 * times);
        let overlaps = (0..=times).any(|k| {
            let c = (wide(from).0 * times + wide(motion).0 * k, wide(from).1 * times + wide(motion).1 * k);
            box_overlaps_segment(c, times_as_large(wide(half)), times_as_large(a), times_as_large(b))
        });
        let case = format!("{ends:?} half {half:?} from {from:?} motion {motion:?}: {found:?}");
        assert!(found.is_none() || in_front && overlaps, "{case}");
        hits += usize::from(found.is_some());
        // If the box starts in front and overlaps the edge without a crossing, it passed the line beyond an end of the
        // edge.
        if in_front && overlaps && found.is_none() {
            around += 1;
            let edge = (b.0 - a.0, b.1 - a.1);
            let along = |p: (i128, i128)| edge.0 * (p.0 - a.0) + edge.1 * (p.1 - a.1);
            let straddles = (0..=times).find(|&k| {
                let moved = corners.map(|p| (p.0 * times + wide(motion).0 * k, p.1 * times + wide(motion).1 * k));
                moved.iter().any(|&p| (edge.0 * (p.1 - a.1 * times) - edge.1 * (p.0 - a.0 * times)) < 0)
            });
            assert!(
                straddles.is_some_and(|k| {
                    let c = (wide(from).0 * times + wide(motion).0 * k, wide(from).1 * times + wide(motion).1 * k);
                    let offset = along((c.0 / times, c.1 / times));
                    !box_overlaps_segment(c, times_as_large(wide(half)), times_as_large(a), times_as_large(b))
                        && (offset < 0 || offset > along(b))
                }),
                "{case}"
            );
        }
    }
    assert!(hits > 300 && around > 10, "{hits} crossings, {around} round an end");
}

#[test]
fn mirrored_and_turned_scenes_have_the_same_entry_times() {
    let mut dice = Random(4);
    for _ in 0..1500 {
        let seed = dice.between(1, i64::MAX / 2) as u64;
        let original = random_case(&mut Random(seed));
        let (mirrored, turns) = (dice.between(0, 1) == 1, dice.between(0, 3) as u8);
        // Turn cells, points and motions about the centre of cell (0, 0).
        let vector = |(x, y): (i64, i64)| {
            let x = if mirrored { -x } else { x };
            [(x, y), (y, -x), (-x, -y), (-y, x)][usize::from(turns)]
        };
        let point = |p: (i64, i64)| sum(vector((p.0 - 32, p.1 - 32)), (32, 32));
        let mut scene = Scene::new();
        for (outline, cell) in original.outlines.iter().zip([(-1, 0), (0, 0), (0, -1)]) {
            let steps: Vec<_> = outline.iter().map(|p| (p.0 / 4 - 16 * cell.0, p.1 / 4 - 16 * cell.1)).collect();
            let moved = vector((cell.0.into(), cell.1.into()));
            scene.add_solid((moved.0 as i32, moved.1 as i32), &mirror_and_turn(&steps, mirrored, turns));
        }
        let size = vector(original.half);
        let half = units((size.0.abs(), size.1.abs()));
        assert_eq!(
            scene.entry_time(half, units(point(original.from)), units(vector(original.motion))),
            original.scene.entry_time(units(original.half), units(original.from), units(original.motion)),
            "{} mirrored {mirrored} turned {turns}",
            original.report()
        );
    }
}

/// A disc crosses an edge if it starts in front and is nearer than its radius at a sample where its centre is still in
/// front.
#[test]
fn discs_cross_while_their_centre_is_in_front() {
    let mut dice = Random(5);
    let mut hits = 0;
    for _ in 0..9000 {
        let ends = [0; 2].map(|_| (dice.between(0, 16) as i32, dice.between(0, 16) as i32));
        if ends[0] == ends[1] {
            continue;
        }
        let mut scene = Scene::new();
        scene.add_one_sided_edge((0, 0), ends[0], ends[1]);
        let radius = dice.between(1, 24);
        let (from, motion) =
            ((dice.between(-40, 100), dice.between(-40, 100)), (dice.between(-100, 100), dice.between(-100, 100)));
        let found = scene.find_crossing(
            &Shape::Circle { radius: radius * QUARTER_STEP_UNITS },
            units(from),
            units(sum(from, motion)),
        );

        let [(ax, ay), (bx, by)] = ends.map(|(x, y)| (f64::from(4 * x), f64::from(4 * y)));
        let length = (bx - ax).hypot(by - ay);
        let mut nearest = f64::INFINITY;
        let mut starts_in_front = false;
        for k in 0..=1000 {
            let t = f64::from(k) / 1000.0;
            let (x, y) = (from.0 as f64 + t * motion.0 as f64 - ax, from.1 as f64 + t * motion.1 as f64 - ay);
            let height = ((bx - ax) * y - (by - ay) * x) / length;
            if k == 0 {
                starts_in_front = height >= radius as f64 - 1e-9;
            }
            if height >= 0.0 {
                let foot = (((bx - ax) * x + (by - ay) * y) / length).clamp(0.0, length);
                let apart = (x - foot * (bx - ax) / length).hypot(y - foot * (by - ay) / length);
                nearest = nearest.min(apart);
            }
        }
        let slack = (motion.0 as f64).hypot(motion.1 as f64) / 1000.0 + 1e-6;
        let case = format!("{ends:?} radius {radius} from {from:?} motion {motion:?}: {found:?}, sampled {nearest}");
        assert!(found.is_none() || starts_in_front && nearest < radius as f64 + slack, "{case}");
        assert!(found.is_some() || !starts_in_front || nearest > radius as f64 - 1e-5, "{case}");
        hits += usize::from(found.is_some());
    }
    assert!(hits > 300, "{hits} crossings");
}
