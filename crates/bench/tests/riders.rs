//! Tests of what the tables of riders rest on: the witness judges by hand geometry, platforms go where the course says,
//! and engines say truly whether a rider stands.

use surefoot::geometry::DVec2;
use surefoot_bench::riders::measure::judge;
use surefoot_bench::riders::witness::{Witness, depth, is_lost};
use surefoot_bench::riders::{AttachedTo, Course, PLATFORM, REST, RIDER, SPEEDS};

/// Rounding of sums of f64, in tiles.
const EXACT: f64 = 1e-12;
/// A few steps of f32 at 150 tiles from the origin, and as much for what a peer adds up in a tick.
const SINGLE: f64 = 1e-4;
/// The skins that peers keep between boxes or let them overlap by, in tiles.
const SKIN: f64 = 0.01;

fn at(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

#[test]
fn boxes_are_measured_by_hand() {
    assert_eq!((PLATFORM, RIDER), (at(2.0, 0.5), at(0.375, 0.4375)));
    let cases = [
        // The rider is flush on top of the platform, above it, a hundredth deep from above, and a hundredth deep from
        // below.
        (at(0.0, 0.9375), 0.0),
        (at(0.0, 0.95), 0.0),
        (at(1.0, 0.9275), 0.01),
        (at(-1.0, -0.9275), 0.01),
        // The rider is flush at the right side, two hundredths deep there, and as deep at the left side.
        (at(2.375, 0.0), 0.0),
        (at(2.355, 0.0), 0.02),
        (at(-2.355, 0.25), 0.02),
        // At the upper right corner, the rider is 0.1 deep sideways and 0.2 upwards, and then the other way round. Then
        // it is beyond one side only.
        (at(2.275, 0.7375), 0.1),
        (at(2.175, 0.8375), 0.1),
        (at(2.5, 0.0), 0.0),
        (at(0.0, 1.5), 0.0),
        // Both centres are at the same position. The way out is shorter upwards than sideways.
        (at(0.0, 0.0), 0.9375),
    ];
    for (place, expected) in cases {
        assert!((depth(place) - expected).abs() < EXACT, "{place}: {} instead of {expected}", depth(place));
    }
}

#[test]
fn a_rider_is_lost_beside_its_platform_and_in_it() {
    for place in [at(0.0, 0.9375), at(2.25, 0.9375), at(-2.25, 0.9375), at(0.0, 40.0), at(0.0, 0.51)] {
        assert!(!is_lost(place), "{place}");
    }
    for place in [at(2.375, 0.9375), at(-3.0, 0.9375), at(0.0, 0.5), at(0.0, -2.0), at(f64::NAN, 0.9375)] {
        assert!(is_lost(place), "{place}");
    }
}

#[test]
fn the_witness_counts_until_a_rider_is_lost() {
    let mut witness = Witness::new([at(-1.0, 0.9375), at(1.0, 0.9375)]);
    // The first rider stays. The second one slides, sinks in by a hundredth while it has no contact, comes back half
    // way, and falls.
    witness.see([(at(-1.0, 0.9375), true), (at(1.5, 0.9375), true)]);
    witness.see([(at(-1.0, 0.9375), true), (at(1.75, 0.9275), false)]);
    assert_eq!((witness.seen, witness.off, witness.deep), (4, 1, 1));
    assert!((witness.deepest - 0.01).abs() < EXACT);
    // The second rider is off by three quarters of a tile sideways, and a hundredth down.
    let expected = (0.75_f64 * 0.75 + 0.01 * 0.01).sqrt();
    assert!((witness.drift - expected).abs() < EXACT && (witness.farthest - expected).abs() < EXACT);
    witness.see([(at(-1.0, 0.9375), true), (at(1.25, 0.9375), true)]);
    assert!((witness.drift - 0.25).abs() < EXACT && (witness.farthest - expected).abs() < EXACT);
    assert_eq!(witness.lost(), 0);
    witness.see([(at(-1.0, 0.9375), true), (at(2.5, 0.0), false)]);
    // A lost rider that is back on top stays lost, and no longer counts.
    witness.see([(at(-1.0, 0.9375), true), (at(0.0, 0.6), false)]);
    assert_eq!((witness.seen, witness.off, witness.deep, witness.lost(), witness.riders()), (8, 1, 1, 1, 2));
    assert_eq!(witness.drift, 0.0);
}

#[test]
fn platforms_go_back_and_forth_at_their_speed() {
    for (speed, leg) in [(3, 120), (12, 30)] {
        let course = Course::new(3, 1, speed);
        // The routes lead up, to the right, and along a slope of 3 to 4. Each is six tiles long.
        for (route, way) in course.routes.iter().zip([at(0.0, 6.0), at(6.0, 0.0), at(3.6, 4.8)]) {
            let is = |ticks: u64, expected: DVec2| {
                let away = route.at(ticks).distance(expected);
                assert!(away < EXACT, "{speed} tiles/s, {ticks} ticks: {}", route.at(ticks));
            };
            is(0, route.start);
            is(REST, route.start);
            is(REST + leg / 2, route.start + way / 2.0);
            is(REST + leg, route.start + way);
            is(REST + leg + 1, route.start + way * (1.0 - 1.0 / leg as f64));
            is(REST + 2 * leg, route.start);
            is(REST + 5 * leg, route.start + way);
            for tick in [REST, REST + leg - 1, REST + leg, REST + 2 * leg - 1, REST + 2 * leg] {
                assert!((route.velocity(tick).length() - f64::from(speed)).abs() < 1e-9, "tick {tick}");
            }
            assert_eq!(route.velocity(REST - 1), DVec2::ZERO);
        }
    }
}

#[test]
fn rooms_are_apart_and_riders_stand_with_all_their_width() {
    let course = Course::new(100, 10, 3);
    assert_eq!((course.routes.len(), course.starts.len()), (100, 1000));
    // `swept` returns the lower left and the upper right corner of the area that a platform and its riders sweep.
    let swept = |i: usize| {
        let route = course.routes[i];
        (route.start - PLATFORM, route.start + route.leg + PLATFORM + at(0.0, 2.0 * RIDER.y))
    };
    let (columns, rows) = course.size();
    for i in 0..100 {
        let (low, high) = swept(i);
        assert!(low.x > 30.0 && low.y > 1.5 && high.x < columns as f64 - 30.0 && high.y < rows as f64);
        for (other_low, other_high) in (0..i).map(swept) {
            let apart = low.cmpge(other_high) | high.cmple(other_low);
            assert!(apart.any(), "{i}");
        }
        let riders: Vec<DVec2> =
            course.starts.iter().filter(|start| start.platform == i).map(|start| start.at).collect();
        assert_eq!(riders.len(), 10);
        for rider in riders {
            let place = rider - course.routes[i].start;
            assert!(place.x.abs() + RIDER.x <= PLATFORM.x && place.y == 0.9375, "{place}");
        }
    }
}

#[test]
fn platforms_of_all_engines_are_where_the_course_has_them() {
    for speed in SPEEDS {
        let course = Course::new(6, 1, speed);
        for &carrier in AttachedTo::ALL {
            let mut riders = carrier.riders(&course);
            let near = if carrier == AttachedTo::Surefoot { 1e-9 } else { SINGLE };
            for tick in 0..REST + 500 {
                riders.tick(tick);
                for (i, route) in course.routes.iter().enumerate() {
                    let away = riders.platform(i).distance(route.at(tick + 1));
                    assert!(away < near, "{} {speed}, tick {tick}, platform {i}: {away}", carrier.key());
                }
            }
        }
    }
}

#[test]
fn engines_say_truly_who_stands() {
    let mut course = Course::new(4, 3, 3);
    // On each platform, the first rider stands on it, the second is two tiles above it, and the third is flush beside
    // it. After five ticks, the second and the third are still falling.
    for (i, start) in course.starts.iter_mut().enumerate() {
        let platform = course.routes[start.platform].start;
        match i % 3 {
            0 => {}
            1 => start.at.y += 2.0,
            _ => start.at = platform + at(2.375, 0.0),
        }
    }
    for &carrier in AttachedTo::ALL {
        let mut riders = carrier.riders(&course);
        (0..5).for_each(|tick| riders.tick(tick));
        for (i, start) in course.starts.iter().enumerate() {
            assert_eq!(riders.stands(i), i % 3 == 0, "{}, rider {i}", carrier.key());
            let fallen = start.at.y - riders.rider(i).y;
            assert!((fallen > SKIN) == (i % 3 != 0), "{}, rider {i} fell by {fallen}", carrier.key());
        }
        (5..REST).for_each(|tick| riders.tick(tick));
        for (i, start) in course.starts.iter().enumerate().filter(|(i, _)| i % 3 != 2) {
            let place = riders.rider(i) - riders.platform(start.platform);
            assert!(riders.stands(i) && (place.y - 0.9375).abs() < SKIN, "{}, rider {i}: {place}", carrier.key());
        }
    }
}

#[test]
fn riders_of_surefoot_keep_their_place_exactly() {
    for speed in SPEEDS {
        let witness = judge(AttachedTo::Surefoot, speed, 1000);
        assert_eq!((witness.seen, witness.off, witness.deep, witness.lost()), (20_000, 0, 0, 0));
        assert_eq!((witness.deepest, witness.drift, witness.farthest), (0.0, 0.0, 0.0));
    }
}

#[test]
fn riders_that_a_game_carries_stay_on() {
    for carrier in AttachedTo::ALL.iter().filter(|carrier| carrier.key().ends_with("carried")) {
        for speed in SPEEDS {
            let witness = judge(*carrier, speed, 1000);
            assert!(witness.lost() == 0 && witness.farthest < SKIN, "{} {speed}: {witness:?}", carrier.key());
        }
    }
}
