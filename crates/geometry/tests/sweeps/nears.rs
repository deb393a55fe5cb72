//! A motion that the fast filter rules out hits nothing: neither the whole motion nor a part of it that strays.

use crate::scene::Scenes;
use crate::scenes;
use surefoot_geometry::exact::{Corner, Face, MovingBox, MovingCircle};
use surefoot_geometry::{I64Vec2, ONE};
use surefoot_random::Random;

fn vector(random: &mut Scenes, reach: i64) -> I64Vec2 {
    I64Vec2::new(random.range(-reach, reach), random.range(-reach, reach))
}

/// A part of a motion that strays from it by at most `stray` units on each axis.
fn part(random: &mut Scenes, motion: I64Vec2, stray: i64) -> I64Vec2 {
    let share = i128::from(random.range(0, ONE));
    let scaled = |v: i64| (i128::from(v) * share / i128::from(ONE)) as i64;
    // Truncation uses up to one unit of `stray`.
    I64Vec2::new(scaled(motion.x), scaled(motion.y)) + vector(random, (stray - 1).max(0))
}

#[test]
fn a_face_hit_by_a_part_of_a_motion_is_never_ruled_out() {
    let mut random = Scenes(Random(77));
    let (mut met, mut out) = ([0; 2], [0; 2]);
    for _ in 0..scenes(300_000) {
        let normal = [(0, 1), (1, 0), (-1, 0), (1, 1), (-1, 2), (3, -4), (0, -1)][random.range(0, 6) as usize];
        let normal = I64Vec2::from(normal);
        let along = I64Vec2::new(normal.y, -normal.x) * (ONE / 16) * random.range(1, 8);
        let a = vector(&mut random, 3 * 16) * (ONE / 16);
        let half = I64Vec2::new(random.range(1, ONE), random.range(1, ONE));
        let stray = [0, 128, 128][random.range(0, 2) as usize];
        let motion = [
            vector(&mut random, 4 * ONE),
            vector(&mut random, 300),
            along * random.range(-3, 3),
            along + vector(&mut random, 2),
        ][random.range(0, 3) as usize];
        let none = I64Vec2::ZERO;
        let face = Face { a, b: a + along, normal, before: none, after: none };
        // Place the shape next to the face or on it, a little away from where its side touches the line.
        let foot = a + along / 16 * random.range(-4, 20);
        let near = [0, 3, 200, 2 * ONE][random.range(0, 3) as usize];
        let mut center = foot + normal.signum() * half + vector(&mut random, near);
        let part = if stray == 0 { motion } else { part(&mut random, motion, stray) };
        let (whole, sub) = (MovingBox { center, half, motion }, MovingBox { center, half, motion: part });
        let (seen, hit) = (whole.nears_face(&face, stray), sub.against_face(&face));
        assert!(seen.is_some() || hit.is_none(), "{whole:?} {part} {face:?}");
        assert!(seen.is_none_or(|seen| seen == whole.offsets(&face)));
        met[0] += u32::from(hit.is_some());
        out[0] += u32::from(seen.is_none());

        let radius = half.x;
        let length = normal.as_dvec2().length();
        center = foot + (normal.as_dvec2() / length * radius as f64).as_i64vec2() + vector(&mut random, near);
        let (whole, sub) = (MovingCircle { center, radius, motion }, MovingCircle { center, radius, motion: part });
        let (seen, hit) = (whole.nears_face(&face, stray), sub.against_face(&face));
        assert!(seen.is_some() || hit.is_none(), "{whole:?} {part} {face:?}");
        met[1] += u32::from(hit.is_some());
        out[1] += u32::from(seen.is_none());
    }
    let enough = scenes(300_000) / 30;
    assert!(met.into_iter().chain(out).all(|count| u64::from(count) > enough), "{met:?} met, {out:?} ruled out");
}

/// Circles in front of a slanted face, or touching it, that f64 would place behind it. Found by a search over radii.
#[test]
fn a_circle_that_is_hardly_in_front_of_a_face_is_not_ruled_out() {
    for (x, y, radius) in [(10, 13, 268_153_616_473), (1, 34, 258_596_788_099), (11, 13, 258_262_155_246_i64)] {
        let normal: I64Vec2 = I64Vec2::new(x, y);
        let square = normal.dot(normal);
        let length = (square as f64).sqrt();
        // `find` returns the smallest height that is not below radius times length.
        let is_in_front = |height: i64| {
            i128::from(height) * i128::from(height) >= i128::from(radius) * i128::from(radius) * i128::from(square)
        };
        let near = (radius as f64 * length) as i64;
        let height = (near - 3..near + 3).find(|height| is_in_front(*height)).expect("f64 is off by less than that");
        assert!((height as f64) < radius as f64 * length, "f64 takes it for behind");
        // Use the position at that height that is nearest to the face's middle.
        let first = (0..y).find(|first| (height - x * first) % y == 0).expect("the normal is primitive");
        let place = I64Vec2::new(first, (height - x * first) / y);
        let along = I64Vec2::new(y, -x);
        let center = place - along * (along.dot(place) / square);
        let face = Face { a: -along * ONE, b: along * ONE, normal, before: I64Vec2::ZERO, after: I64Vec2::ZERO };
        let circle = MovingCircle { center, radius, motion: -normal * 1000 };
        assert!(circle.against_face(&face).is_some(), "{circle:?}");
        assert!(circle.nears_face(&face, 0).is_some(), "{circle:?}");
    }
}

/// Long motions that graze a corner by far less than a unit, where f64 cannot tell a graze from a miss.
#[test]
fn a_corner_hit_by_a_part_of_a_motion_is_never_ruled_out() {
    let mut random = Scenes(Random(78));
    let (mut met, mut out) = (0, 0);
    for _ in 0..scenes(60_000) {
        let stray = [0, 0, 128][random.range(0, 2) as usize];
        let motion = vector(&mut random, 1 << 42);
        let long = motion.as_dvec2().length();
        let direction = motion.as_dvec2() / long;
        let side = random.range(0, 1) * 2 - 1;
        let aside = direction.perp() * side as f64;
        let back = long * random.range(0, ONE) as f64 / ONE as f64;
        let first = (aside * random.range(ONE, 64 * ONE) as f64 - direction * back).as_i64vec2();
        // The radius is just above the distance at which the motion passes the corner. Use the offset with the smallest
        // excess.
        let passed = |offset: I64Vec2| {
            let cross = i128::from(offset.x) * i128::from(motion.y) - i128::from(offset.y) * i128::from(motion.x);
            cross.unsigned_abs() as f64 / long
        };
        let over = |offset: &I64Vec2| passed(*offset).ceil() - passed(*offset);
        let offsets = (0..64).map(|i| first + I64Vec2::new(i, 0));
        let offset = offsets.min_by(|a, b| over(a).total_cmp(&over(b))).unwrap_or(first);
        let radius = passed(offset).ceil() as i64;
        let out_of_it = (aside * 16.0).as_i64vec2();
        let corner = Corner { vertex: I64Vec2::ZERO, first: out_of_it, second: out_of_it };
        let part = if stray == 0 { motion } else { part(&mut random, motion, stray) };
        let whole = MovingCircle { center: offset, radius, motion };
        let seen = whole.may_hit_corner(&corner, stray);
        let hit = MovingCircle { motion: part, ..whole }.against_corner(&corner);
        assert!(seen || hit.is_none(), "{whole:?} {part} {corner:?}");
        met += u64::from(hit.is_some());
        let wide = MovingCircle { center: offset + (aside * ONE as f64).as_i64vec2(), ..whole };
        out += u64::from(!wide.may_hit_corner(&corner, stray));
    }
    let enough = scenes(60_000) / 6;
    assert!(met > enough && out > enough, "{met} met, {out} ruled out");
}
