//! Checks the basis of the comparison: every mover does the work, and the oracle finds faults.

use surefoot::geometry::DVec2;
use surefoot_bench::movers::surefoot::InWorld;
use surefoot_bench::movers::{Body, Crowd, Subject};
use surefoot_bench::oracle::{Faults, Form, Solids};
use surefoot_bench::scene::{Scene, TICK};
use surefoot_bench::shots::{Shot, ShotFaults, split};

fn scene(rows: &[&str]) -> Scene {
    Scene::from_rows(&rows.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>())
}

/// A flat floor, its top at y = 1, with walls far away.
fn floor() -> Scene {
    let line = |fill: &str| format!("#{}#", fill.repeat(60));
    let mut rows = vec![line("."); 7];
    rows.push(line("#"));
    Scene::from_rows(&rows)
}

/// How much less than others a mover may walk in a second on a flat floor, in tiles. rapier's controller makes no
/// way in some ticks, over tiles as over one long edge: where rounding tilts the floor's normal, what should keep it
/// from slipping downhill takes its whole motion away. Over voxels it is also thrown up and stopped by the seams.
fn allowed(subject: Subject) -> f64 {
    match subject {
        #[cfg(feature = "peers")]
        Subject::Rapier | Subject::RapierOutlines => 1.5,
        #[cfg(feature = "peers")]
        Subject::RapierVoxels => 3.0,
        _ => 0.001,
    }
}

/// How deep a ball may be at the end of a tick, in tiles; here they fly at up to 20 tiles per second. Box2D's bodies
/// come as deep as they fly in one of its four parts of a tick; without continuous collision it looks for contacts once
/// a tick.
fn depth_of_balls(subject: Subject) -> f64 {
    match subject {
        #[cfg(feature = "box2d")]
        Subject::Box2dBodies => 20.0 * TICK / 4.0,
        #[cfg(feature = "box2d")]
        Subject::Box2dDiscrete => 20.0 * TICK,
        _ => SKIN,
    }
}

/// The skins that peers keep, and what they may be off by on top.
const SKIN: f64 = 0.03;

#[test]
fn on_a_flat_floor_everybody_walks_as_far() {
    let scene = floor();
    for &subject in Subject::ALL {
        for body in Body::ALL {
            let start = DVec2::new(4.0, 1.0 + body.half().y + 0.01);
            let mut crowd = subject.crowd(&scene, body, &[start]);
            // No walker jumps: jump is held from before the landing to tick 9, and pressed again in tick 90.
            (0..30).for_each(|tick| crowd.tick(tick));
            let from = crowd.place(0);
            (30..90).for_each(|tick| crowd.tick(tick));
            let way = crowd.place(0) - from;
            let expected = 8.0 * 60.0 * TICK;
            let short = expected - way.x;
            assert!(short.abs() < allowed(subject), "{} {}: {way}", subject.key(), body.name());
            let stands = 1.0 + body.half().y;
            let off = crowd.place(0).y - stands;
            assert!(off.abs() < SKIN, "{} {} stands {off} off the floor", subject.key(), body.name());
        }
    }
}

#[test]
fn a_wall_stops_everybody() {
    let scene = floor();
    for &subject in Subject::ALL {
        for body in Body::ALL {
            let start = DVec2::new(56.0, 1.0 + body.half().y + 0.01);
            let mut crowd = subject.crowd(&scene, body, &[start]);
            (0..85).for_each(|tick| crowd.tick(tick));
            let at = crowd.place(0);
            let stop = 61.0 - body.half().x;
            assert!((at.x - stop).abs() < SKIN, "{} {} at {at}, the wall at {stop}", subject.key(), body.name());
        }
    }
}

#[test]
fn who_knows_slopes_walks_up_to_the_top() {
    // A slope of 45 degrees leads to a terrace two tiles higher. No walker jumps before tick 90.
    let line = |air: usize| format!("{}/{}", ".".repeat(air), "#".repeat(39 - air));
    let scene = Scene::from_rows(&[".".repeat(40), ".".repeat(40), line(9), line(8), "#".repeat(40)]);
    for subject in Subject::ALL.iter().filter(|subject| !subject.knows_blocks_only()) {
        for body in Body::ALL {
            let start = DVec2::new(4.0, 1.0 + body.half().y + 0.01);
            let mut crowd = subject.crowd(&scene, body, &[start]);
            (0..89).for_each(|tick| crowd.tick(tick));
            let at = crowd.place(0);
            assert!(
                at.x > 10.5 && (at.y - 3.0 - body.half().y).abs() < SKIN,
                "{} {}: {at}",
                subject.key(),
                body.name()
            );
        }
    }
}

#[test]
fn everybody_jumps_as_high() {
    let scene = floor();
    for &subject in Subject::ALL {
        let start = DVec2::new(4.0, 1.46);
        let mut crowd = subject.crowd(&scene, Body::Box, &[start]);
        let mut highest = 0.0_f64;
        for tick in 0..150 {
            crowd.tick(tick);
            highest = highest.max(crowd.place(0).y);
        }
        // The jump is 3.2 tiles high. The highest tick may miss the top by g / 2 (1/120)^2.
        let expected = 1.45 + 3.2;
        assert!((highest - expected).abs() < 0.04, "{} reached {highest}", subject.key());
    }
}

#[test]
fn balls_fall_bounce_and_stay_in() {
    let scene = floor();
    for &subject in Subject::ALL {
        let starts: Vec<DVec2> = (0..20).map(|i| DVec2::new(4.0 + 2.0 * f64::from(i), 4.0)).collect();
        let Some(mut balls) = subject.balls(&scene, &starts) else { continue };
        let mut lowest = f64::INFINITY;
        for tick in 0..40 {
            balls.tick(tick);
            for i in 0..balls.bodies() {
                lowest = lowest.min(balls.place(i).y);
                let depth = scene.judged.depth(balls.form(), balls.place(i));
                assert!(depth < depth_of_balls(subject), "{} {depth} deep at {}", subject.key(), balls.place(i));
            }
        }
        assert!(lowest > 1.25 - depth_of_balls(subject) && lowest < 1.6, "{} came down to {lowest}", subject.key());
    }
}

#[test]
fn casts_stop_at_the_floor() {
    let scene = floor();
    let shot = Shot { from: DVec2::new(10.0, 3.1), motion: DVec2::new(0.0, -4.0) };
    let beside = Shot { from: DVec2::new(10.0, 3.1), motion: DVec2::new(3.0, 0.0) };
    for &subject in Subject::ALL {
        let Some(mut shooter) = subject.shooter(&scene) else { continue };
        // The circle of 0.1 comes down from 3.1 to 1.1.
        assert!((shooter.shoot(&shot) - 0.5).abs() < SKIN / 4.0, "{}", subject.key());
        assert_eq!(shooter.shoot(&beside), 1.0, "{}", subject.key());
    }
}

#[test]
fn shots_are_told_apart_by_what_is_on_their_way() {
    let scene = floor();
    let down = |length: f64| Shot { from: DVec2::new(10.0, 3.1), motion: DVec2::new(0.0, -length) };
    // The circle of 0.1 comes down to the floor at y = 1 after 2 tiles.
    let shots = [down(4.0), down(1.9375), down(2.0625), down(1.0)];
    let (hits, misses) = split(&scene, &shots);
    let lengths = |shots: &[Shot]| shots.iter().map(|shot| -shot.motion.y).collect::<Vec<_>>();
    assert_eq!((lengths(&hits), lengths(&misses)), (vec![4.0, 2.0625], vec![1.9375, 1.0]));
    for &subject in Subject::ALL {
        let Some(mut shooter) = subject.shooter(&scene) else { continue };
        for shot in &hits {
            assert!(shooter.shoot(shot) < 1.0, "{}", subject.key());
        }
    }
}

#[test]
fn a_larger_crowd_begins_as_a_smaller_one() {
    let scene = Scene::generated();
    let starts = scene.starts();
    assert_eq!(scene.starts_of(10), starts[..10]);
    assert_eq!(scene.starts_of(starts.len() + 10)[..starts.len()], starts);
}

#[test]
fn bodies_at_rest_stay_where_they_are() {
    let scene = floor();
    for body in Body::ALL {
        let start = DVec2::new(4.0, 1.0 + body.half().y + 0.01);
        let mut crowd = InWorld::at_rest(&scene, body, &[start]);
        (0..30).for_each(|tick| crowd.tick(tick));
        let at = crowd.place(0);
        assert!(at.x == 4.0 && (at.y - 1.0 - body.half().y).abs() < SKIN, "{at}");
        (30..300).for_each(|tick| crowd.tick(tick));
        assert_eq!(crowd.place(0), at);
    }
}

#[test]
fn the_judge_finds_a_penetration_made_on_purpose() {
    let scene = scene(&["....", "./..", "####"]);
    let found = |form, x, y| {
        let mut faults = Faults::default();
        faults.see(&scene.judged, form, DVec2::new(x, y));
        (faults.fine, faults.coarse, faults.deepest)
    };
    let is = |found: (u64, u64, f64), fine, coarse, deepest: f64| {
        assert_eq!((found.0, found.1), (fine, coarse));
        assert!((found.2 - deepest).abs() < 2e-6, "{} instead of {deepest}", found.2);
    };
    // The box is on the floor, a hundredth of a tile deep, and a tenth deep.
    let half = Form::aabb(0.25, 0.25);
    is(found(half, 0.5, 1.25), 0, 0, 0.0);
    is(found(half, 0.5, 1.24), 1, 0, 0.01);
    is(found(half, 0.5, 1.15), 1, 1, 0.1);
    // The corner of the box is 0.2 inside the slope through (1, 1) and (2, 2), along both axes. Shrunk by 0.1, the box
    // only touches the slope.
    is(found(half, 1.35, 1.65), 1, 1, 0.1);
    // The circle is above the slope's middle (1.5, 1.5). Its distance is its radius less 0.05.
    let away = (0.25 - 0.05) / f64::sqrt(2.0);
    is(found(Form::circle(0.25), 1.5 - away, 1.5 + away), 1, 1, 0.05);
    // A capsule stands on its lower circle.
    let capsule = Form::Capsule { radius: 0.25, half_line: 0.1 };
    is(found(capsule, 0.5, 1.35), 0, 0, 0.0);
    is(found(capsule, 0.5, 1.33), 1, 1, 0.02);
}

#[test]
fn the_judge_counts_who_is_lost() {
    let scene = scene(&["....", "./..", "####"]);
    let lost = |solids: &Solids, x, y| {
        let mut faults = Faults::default();
        faults.count_lost(solids, scene.size(), DVec2::new(x, y));
        faults.lost
    };
    assert_eq!(lost(&scene.judged, 0.5, 1.5), 0);
    assert_eq!(lost(&scene.judged, 0.5, 0.5), 1);
    assert_eq!(lost(&scene.judged, 0.5, -0.5), 1);
    assert_eq!(lost(&scene.judged, f64::NAN, 1.0), 1);
    // The position is above the drawn slope. It is solid in the map in which slopes are blocks.
    assert_eq!((lost(&scene.judged, 1.2, 1.8), lost(&scene.judged_blocks, 1.2, 1.8)), (0, 1));
}

#[test]
fn the_judge_finds_casts_that_miss_and_that_stop_at_nothing() {
    let scene = floor();
    let shot = Shot { from: DVec2::new(10.0, 3.1), motion: DVec2::new(0.0, -4.0) };
    let see = |fraction| {
        let mut faults = ShotFaults::default();
        faults.see(&scene, &shot, fraction);
        (faults.hits, faults.late, faults.early)
    };
    assert_eq!(see(0.5), (1, 0, 0));
    assert_eq!(see(1.0), (0, 1, 0));
    assert_eq!(see(0.501), (1, 1, 0));
    assert_eq!(see(0.45), (1, 0, 1));
}
