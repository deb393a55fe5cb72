//! Swimming in areas with buoyancy: speeds and times, the surface and jumps out of it, shores, ladders, and the ends of
//! swimming. Computed by hand.

use crate::climbing::{area, climbable, is_at};
use crate::nudges::{body, jump, under};
use crate::prelude::*;

/// Swims 1/8 tile per tick. Jumps four tiles in 24 ticks: 20 tiles per second, minus 50 per second.
fn swimmer() -> Character {
    Character { swim_speed: 7.5, ..jump() }
}

/// Gains half a tile per second per tick, for 15 ticks.
fn sluggish() -> Character {
    Character { swim_time: 0.25, ..swimmer() }
}

/// Water that hardly affects a body that does not swim.
fn thin() -> Effects {
    Effects { buoyancy: Some(1e-12), ..Effects::default() }
}

fn water(buoyancy: f64) -> Effects {
    Effects { buoyancy: Some(buoyancy), drag: Some(5.0), ..Effects::default() }
}

/// A floor at 0 with water 4 tiles high from x = -6 to 6, after the tick in which the character is found in the water.
fn pool(way: &Way, hero: Body, at: (f64, f64), effects: Effects) -> (Stage, AreaId) {
    let mut stage = Stage::new(&under(&[]), way, hero, at, 40.0);
    let area = area(&mut stage, ((-6.0, 0.0), (6.0, 4.0)), effects);
    stage.tick((0, 0), false);
    (stage, area)
}

fn swims(stage: &Stage) -> bool {
    stage.hero().is_swimming()
}

fn stands(stage: &Stage) -> bool {
    stage.hero().on_floor()
}

/// Directions of the keys, and the displacement per tick: diagonals are as fast.
#[test]
fn a_swimmer_is_equally_fast_in_all_directions_and_stays_without_input() {
    let aslant = 0.125 * 0.5_f64.sqrt();
    let ways = [
        ((1, 0), DVec2::new(0.125, 0.0)),
        ((0, 1), DVec2::new(0.0, 0.125)),
        ((-1, 0), DVec2::new(-0.125, 0.0)),
        ((0, -1), DVec2::new(0.0, -0.125)),
        ((1, 1), DVec2::new(aslant, aslant)),
        ((-1, 1), DVec2::new(-aslant, aslant)),
        ((-1, -1), DVec2::new(-aslant, -aslant)),
        ((1, -1), DVec2::new(aslant, -aslant)),
    ];
    all_ways_with(shapes(), |way, shape, mask| {
        let hero = body(shape, swimmer()).collision_mask(mask);
        let (mut stage, _) = pool(way, hero, (0.0, 2.0), water(2.0));
        assert!(!swims(&stage), "it is not found in the water yet");
        for (keys, way) in ways {
            let mut at = stage.place();
            for made in 1..=8 {
                stage.tick(keys, false);
                assert!(swims(&stage) && !stage.hero().is_climbing());
                assert!(is_near(stage.place(), at + way), "{keys:?} {made}: {} from {at}", stage.place());
                assert!(is_near(stage.velocity(), way / TICK), "{}", stage.velocity());
                let is_straight = keys.0 == 0 || keys.1 == 0;
                assert!(!is_straight || stage.velocity().abs().max_element() == 7.5, "{}", stage.velocity());
                at = stage.place();
            }
            for _ in 0..20 {
                stage.tick((0, 0), false);
                assert_eq!((stage.place(), stage.velocity(), swims(&stage)), (at, DVec2::ZERO, true));
            }
        }
        // Holding jump swims up. Half the stick swims sideways at half the speed.
        let at = stage.place();
        stage.tick((0, 0), true);
        assert!(is_near(stage.place(), at + DVec2::new(0.0, 0.125)), "{}", stage.place());
        stage.step(64, false);
        assert!(is_near(stage.place(), at + DVec2::new(0.125 * 64.0 / 127.0, 0.125)), "{}", stage.place());
    });
}

/// The distance is the sum over some ticks, each half a tile per second faster. Braking takes as long as starting, and
/// turning twice as long.
#[test]
fn a_swimmer_reaches_its_speed_and_stops_in_its_time() {
    all_ways_with(shapes(), |way, shape, mask| {
        let hero = body(shape, sluggish()).collision_mask(mask);
        let (mut stage, _) = pool(way, hero, (-4.0, 2.0), water(2.0));
        // First the swimmer comes to rest after the fall of one tick.
        (0..30).for_each(|_| stage.tick((0, 0), false));
        assert_eq!((stage.velocity(), swims(&stage)), (DVec2::ZERO, true));
        let mut seen = vec![stage.place()];
        let mut at = stage.place();
        let mut go = |stage: &mut Stage, keys, speeds: &mut dyn Iterator<Item = f64>| {
            for speed in speeds {
                stage.tick(keys, false);
                at += DVec2::new(speed * TICK, 0.0);
                assert!(is_near(stage.velocity(), DVec2::new(speed, 0.0)), "{} not {speed}", stage.velocity());
                assert!(is_near(stage.place(), at), "{} not {at}", stage.place());
                seen.push(stage.place());
            }
        };
        go(&mut stage, (1, 0), &mut (1..=20).map(|n| (0.5 * f64::from(n)).min(7.5)));
        assert_eq!(stage.velocity(), DVec2::new(7.5, 0.0));
        go(&mut stage, (-1, 0), &mut (1..=34).map(|n| (7.5 - 0.5 * f64::from(n)).max(-7.5)));
        assert_eq!(stage.velocity(), DVec2::new(-7.5, 0.0));
        go(&mut stage, (0, 0), &mut (1..=20).map(|n| (0.5 * f64::from(n) - 7.5).min(0.0)));
        assert_eq!(stage.velocity(), DVec2::ZERO);
    });
}

/// The centre rises exactly to the surface and stays there, with and without up held. A floating body does the same,
/// whether it comes from below or falls into the water.
#[test]
fn a_swimmer_rests_at_the_surface_to_the_unit() {
    all_ways_with(shapes(), |way, shape, mask| {
        let floats = Character { float_speed: 1.5, ..sluggish() };
        for character in [swimmer(), sluggish(), Character { float_speed: 1.5, ..swimmer() }, floats] {
            let hero = || body(shape, character).collision_mask(mask);
            let (mut stage, _) = pool(way, hero(), (0.0, 2.0), water(2.0));
            (0..60).for_each(|_| stage.tick((0, 1), false));
            for made in 0..120 {
                assert!(is_at(&stage, 0.0, 4.0) && swims(&stage), "{made}: {}", stage.place());
                assert_eq!(stage.velocity(), DVec2::ZERO, "{made}");
                stage.tick((0, i8::from(made < 60)), false);
            }
            // The swimmer moves along the surface, and back below it.
            stage.tick((1, 1), false);
            assert!(stage.place().x > 0.0 && stage.place().y == 4.0, "{}", stage.place());
            let aside = if character.swim_time == 0.0 { 7.5 } else { 0.5 };
            assert!((stage.velocity() - DVec2::new(aside, 0.0)).length() < 1e-9, "{}", stage.velocity());
            stage.tick((0, -1), false);
            assert!(stage.place().y < 4.0, "{}", stage.place());
            if character.float_speed == 0.0 {
                continue;
            }
            let (mut stage, _) = pool(way, hero(), (0.0, 2.0), water(2.0));
            (0..30).for_each(|_| stage.tick((0, 0), false));
            assert_eq!(stage.velocity(), DVec2::new(0.0, 1.5));
            let before = stage.place();
            stage.tick((0, 0), false);
            assert!(is_near(stage.place(), before + DVec2::new(0.0, 0.025)), "{}", stage.place());
            let (mut falls, _) = pool(way, hero(), (0.0, 7.0), water(2.0));
            for stage in [&mut stage, &mut falls] {
                (0..300).for_each(|_| stage.tick((0, 0), false));
                for _ in 0..60 {
                    assert!(is_at(stage, 0.0, 4.0) && swims(stage), "{}", stage.place());
                    assert_eq!(stage.velocity(), DVec2::ZERO);
                    stage.tick((0, 0), false);
                }
            }
        }
    });
}

/// A swimmer faster than its swim speed slows down by the same acceleration per tick with which it starts.
#[test]
fn a_fall_at_full_speed_ends_in_the_water() {
    all_ways_with(shapes(), |way, shape, mask| {
        let character = Character { swim_time: 0.125, max_fall_speed: 24.0, ..swimmer() };
        let hero = body(shape, character).collision_mask(mask).velocity(DVec2::new(0.0, -24.0));
        let (mut stage, _) = pool(way, hero, (0.0, 6.0), thin());
        let (mut seen, mut speed, mut slowed) = (Vec::new(), 24.0_f64, 0);
        for _ in 0..90 {
            let before = stage.place();
            stage.tick((0, 0), false);
            // The character swims in the first tick that starts with its centre in the water.
            assert_eq!(swims(&stage), before.y <= 4.0, "{before}");
            if swims(&stage) {
                speed = (speed - speed.max(7.5) * TICK / 0.125).max(0.0);
                slowed += i32::from(speed > 7.5);
            }
            assert!(is_near(stage.velocity(), DVec2::new(0.0, -speed)), "{} not {speed}", stage.velocity());
            assert!(is_near(stage.place(), before - DVec2::new(0.0, speed * TICK)), "{}", stage.place());
            seen.push(stage.place());
        }
        assert!(slowed > 3 && !stands(&stage) && stage.velocity() == DVec2::ZERO, "{slowed} {}", stage.place());
        assert_eq!(seen[60..], vec![seen[60]; 30]);
    });
}

/// With the top of its body at the surface or above, a press of jump is a jump as high as off the ground. One unit
/// deeper, it swims up. A jump slower than its swim speed leaves the water too.
#[test]
fn a_swimmer_jumps_out_of_the_water() {
    all_ways_with(shapes(), |way, shape, mask| {
        for (below, is_jump) in [(0.0, true), (0.25, true), (0.5, true), (0.625, false)] {
            let hero = body(shape, swimmer()).collision_mask(mask);
            let (mut stage, _) = pool(way, hero, (0.0, 2.0), thin());
            (0..30).for_each(|_| stage.tick((0, 1), false));
            (0..(below / 0.125) as i32).for_each(|_| stage.tick((0, -1), false));
            assert!(is_at(&stage, 0.0, 4.0 - below), "{}", stage.place());
            let start = stage.place();
            if !is_jump {
                stage.tick((0, 0), true);
                assert!(swims(&stage) && is_near(stage.place(), start + DVec2::new(0.0, 0.125)), "{}", stage.place());
                (0..30).for_each(|_| stage.tick((0, 0), true));
                assert!(is_at(&stage, 0.0, 4.0), "a jump that is held takes it to the surface: {}", stage.place());
                continue;
            }
            for made in 1..=24 {
                stage.tick((0, 0), true);
                let time = f64::from(made) * TICK;
                let height = 20.0 * time - 25.0 * time * time;
                assert!(is_near(stage.place(), start + DVec2::new(0.0, height)), "{made}: {}", stage.place());
                assert!(!swims(&stage));
            }
            // The character falls back into the water, where it swims again.
            (0..60).for_each(|_| stage.tick((0, 0), false));
            assert!(swims(&stage) && stage.velocity() == DVec2::ZERO && stage.place().y <= 4.0, "{}", stage.place());
        }
        let low = Character { jump_height: 0.4, jump_time: 0.2, swim_speed: 15.0, ..swimmer() };
        let (mut stage, _) = pool(way, body(shape, low).collision_mask(mask), (0.0, 2.0), thin());
        (0..30).for_each(|_| stage.tick((0, 1), false));
        (0..2).for_each(|_| stage.tick((0, -1), false));
        for made in 1..=12 {
            stage.tick((0, 0), made == 1);
            assert!(!swims(&stage), "{made}");
        }
        assert!(is_near(stage.place(), DVec2::new(0.0, 3.9)), "{}", stage.place());
    });
}

/// Water reaches up to the rim of a block next to it: the character leaves it by a jump, or by `ledge_correction`
/// alone.
#[test]
fn a_swimmer_gets_out_of_the_water_onto_a_shore() {
    let canvas = under(&[((2, 0), (20, 3))]);
    all_ways_with(shapes(), |way, shape, mask| {
        let lifted = Character { ledge_correction: 0.5, ..swimmer() };
        for (character, jumps) in [(swimmer(), true), (swimmer(), false), (lifted, false)] {
            let hero = body(shape, character).collision_mask(mask);
            let mut stage = Stage::new(&canvas, way, hero, (0.0, 3.0), 40.0);
            area(&mut stage, ((-6.0, 0.0), (2.0, 4.0)), water(1.0));
            stage.tick((0, 0), false);
            (0..40).for_each(|_| stage.tick((i8::from(character == swimmer()), 1), false));
            (0..60).for_each(|made| stage.tick((1, 0), jumps && made < 20));
            let gets_out = jumps || character == lifted;
            assert_eq!(stands(&stage), gets_out, "{jumps} {}", stage.place());
            assert_eq!(swims(&stage), !gets_out);
            assert_eq!(stage.place().y, if gets_out { 4.5 } else { 4.0 }, "{jumps}");
        }
    });
}

/// A swimmer that leaves the side of water in the air flies on at its swim speed, and falls. It cannot jump there.
#[test]
fn a_swimmer_leaves_the_water_sideways() {
    all_ways_with(shapes(), |way, shape, mask| {
        let half = if shape.is_circle() { 0.5 } else { 0.375 };
        let late = Character { coyote_time: 0.2, ..swimmer() };
        let mut stage = Stage::new(&under(&[]), way, body(shape, late).collision_mask(mask), (0.0, 6.0), 40.0);
        area(&mut stage, ((-1.0, 4.0), (1.0, 8.0)), water(1.0));
        stage.tick((0, 0), false);
        let ticks = ((1.0 + half) / 0.125) as i32;
        for made in 1..=ticks {
            stage.tick((1, 0), false);
            assert!(swims(&stage), "{made} of {ticks}");
        }
        let before = stage.place();
        stage.tick((0, 0), true);
        assert!(!swims(&stage));
        // The character falls by half of 50 / 60^2.
        assert!(is_near(stage.place(), before + DVec2::new(0.125, -25.0 / 3600.0)), "{} {before}", stage.place());
    });
}

/// On the bottom, the character walks and jumps; up makes it swim. In water with strong buoyancy it swims there too,
/// and rests while down is held.
#[test]
fn a_swimmer_on_the_bottom_walks_jumps_and_swims() {
    all_ways_with(shapes(), |way, shape, mask| {
        let hero = || body(shape, Character { ground_acceleration: 1e9, ..swimmer() }).collision_mask(mask);
        let (mut stage, _) = pool(way, hero(), (0.0, 0.5), thin());
        stage.tick((1, -1), false);
        assert!(!swims(&stage) && stands(&stage) && stage.velocity() == DVec2::new(8.0, 0.0), "{}", stage.velocity());
        stage.tick((0, 0), false);
        let start = stage.place();
        for made in 1..=24 {
            stage.tick((0, 0), true);
            let time = f64::from(made) * TICK;
            assert!((stage.place().y - 0.5 - 20.0 * time + 25.0 * time * time).abs() < NEAR, "{}", stage.place());
            assert!(!swims(&stage));
        }
        // The jump leads above the water and back into it. Then the character swims down to the bottom.
        (0..120).for_each(|_| stage.tick((0, 0), false));
        assert!(swims(&stage) && stage.velocity() == DVec2::ZERO, "{}", stage.place());
        (0..60).for_each(|_| stage.tick((0, -1), false));
        assert!(!swims(&stage) && stands(&stage) && stage.place().y == start.y, "{}", stage.place());
        stage.tick((0, 1), false);
        assert!(swims(&stage) && is_near(stage.velocity(), DVec2::new(0.0, 7.5)), "{}", stage.velocity());
        let mut seen = vec![start, stage.place()];

        let (mut stage, _) = pool(way, hero(), (0.0, 0.5), water(2.0));
        (0..3).for_each(|_| stage.tick((0, 0), false));
        let at = stage.place();
        for _ in 0..30 {
            stage.tick((0, 0), false);
            assert_eq!((stage.place(), stage.velocity(), swims(&stage)), (at, DVec2::ZERO, true));
        }
        (0..3).for_each(|_| stage.tick((0, -1), false));
        let at = stage.place();
        assert_eq!(at.y, 0.5);
        for _ in 0..30 {
            stage.tick((0, -1), false);
            assert_eq!((stage.place(), swims(&stage)), (at, true));
        }
        seen.push(at);
    });
}

/// The character does not swim without a `swim_speed`, without buoyancy, above the surface, and where another area
/// removes the buoyancy.
#[test]
fn cases_in_which_a_character_does_not_swim() {
    all_ways(|way| {
        for shape in shapes() {
            let falls = |character, at, effects: Effects, over: Option<Effects>| {
                let mut stage = Stage::new(&under(&[]), way, body(shape, character), (0.0, at), 40.0);
                area(&mut stage, ((-6.0, 0.0), (6.0, 4.0)), effects);
                if let Some(over) = over {
                    let id = area(&mut stage, ((-6.0, 0.0), (6.0, 4.0)), over);
                    let area = stage.world.area(id).unwrap();
                    stage.world.set_area(id, area.priority(1)).unwrap();
                }
                for _ in 0..4 {
                    stage.tick((0, 1), false);
                    assert!(!swims(&stage));
                }
                let fallen = 25.0 * 16.0 / 3600.0;
                assert!((stage.place().y - at + fallen).abs() < NEAR, "{}", stage.place());
            };
            falls(jump(), 3.0, thin(), None);
            falls(swimmer(), 3.0, Effects::default(), None);
            falls(swimmer(), 3.0, Effects { buoyancy: Some(0.0), ..thin() }, None);
            falls(swimmer(), 4.25, thin(), None);
            falls(swimmer(), 3.0, thin(), Some(Effects { buoyancy: Some(0.0), ..thin() }));
        }
    });
}

/// In two overlapping waters, the character swims to the top of the upper one, whichever counts for the other effects.
#[test]
fn overlapping_waters_act_as_one() {
    for [first, second] in [[(0.0, 2.5), (2.0, 4.0)], [(2.0, 4.0), (0.0, 2.5)]] {
        for shape in shapes() {
            all_ways(|way| {
                let mut stage = Stage::new(&under(&[]), way, body(shape, swimmer()), (0.0, 1.0), 40.0);
                for (low, high) in [first, second] {
                    area(&mut stage, ((-6.0, low), (6.0, high)), water(1.0));
                }
                for made in 0..40 {
                    stage.tick((0, 1), false);
                    assert_eq!(swims(&stage), made > 0, "{made}: {}", stage.place());
                }
                assert!(is_at(&stage, 0.0, 4.0), "{}", stage.place());
            });
        }
    }
}

/// On a ladder, up and down climb, even out of the water. After a jump off the ladder the character swims, and does not
/// climb while up is held.
#[test]
fn climbing_comes_before_swimming() {
    all_ways_with(shapes(), |way, shape, mask| {
        let both = Character { climb_speed: 3.75, ..swimmer() };
        let (mut stage, _) = pool(way, body(shape, both).collision_mask(mask), (0.0, 2.0), thin());
        area(&mut stage, ((-0.5, 0.0), (0.5, 6.0)), climbable());
        (0..2).for_each(|_| stage.tick((0, 0), false));
        let climbs = |stage: &Stage| (stage.hero().is_climbing(), swims(stage));
        assert_eq!(climbs(&stage), (false, true));
        for _ in 0..10 {
            let before = stage.place();
            stage.tick((0, 1), false);
            assert!(is_near(stage.place(), before + DVec2::new(0.0, 0.0625)), "{}", stage.place());
            assert_eq!(climbs(&stage), (true, false));
        }
        stage.tick((0, -1), true);
        for made in 0..10 {
            let before = stage.place();
            stage.tick((0, -1), false);
            assert!(is_near(stage.place(), before - DVec2::new(0.0, 0.125)), "{made}: {} {before}", stage.place());
            assert_eq!(climbs(&stage), (false, true), "it has let go, and swims");
        }
        stage.tick((0, 0), false);
        (0..100).for_each(|_| stage.tick((0, 1), false));
        assert_eq!((climbs(&stage), stage.place().y), ((true, false), 6.5), "up out of the water");
    });
}

/// A set velocity, a teleport, and water that is drained, lowered or removed. A dash passes through water, and swimming
/// continues afterwards.
#[test]
fn commands_and_dashes_of_a_swimmer() {
    all_ways(|way| {
        let swimming = |character| {
            let (mut stage, area) = pool(way, body(shapes()[0], character), (0.0, 2.0), thin());
            (0..40).for_each(|_| stage.tick((0, 1), false));
            assert!(is_at(&stage, 0.0, 4.0) && swims(&stage), "{}", stage.place());
            (stage, area)
        };
        let (mut stage, _) = swimming(sluggish());
        stage.world.set_velocity(stage.hero, DVec2::new(-15.0, 0.0)).unwrap();
        stage.tick((0, 0), false);
        // Swimming brakes by 15 in a quarter of a second, so by 1 in a tick.
        assert!(swims(&stage) && is_near(stage.velocity(), DVec2::new(-14.0, 0.0)), "{}", stage.velocity());
        let (mut stage, _) = swimming(sluggish());
        stage.world.knockback(stage.hero, DVec2::new(0.0, 10.0), 20).unwrap();
        stage.tick((0, -1), false);
        assert!(!swims(&stage) && stage.place().y > 4.1, "thrown up it flies: {}", stage.place());
        let (mut stage, water) = swimming(swimmer());
        stage.world.despawn_area(water).unwrap();
        (0..3).for_each(|_| stage.tick((0, 1), false));
        assert!(!swims(&stage) && stage.velocity().y < 0.0, "{}", stage.velocity());
        let (mut stage, water) = swimming(swimmer());
        stage.world.move_area(water, position(0.0, 1.0)).unwrap();
        (0..60).for_each(|_| stage.tick((0, 1), false));
        assert!(is_at(&stage, 0.0, 3.0) && swims(&stage), "it follows the surface: {}", stage.place());
        stage.world.move_area(water, position(0.0, 2.0)).unwrap();
        (0..60).for_each(|_| stage.tick((0, 1), false));
        assert!(is_at(&stage, 0.0, 4.0) && swims(&stage), "{}", stage.place());
        let (mut stage, _) = swimming(swimmer());
        stage.world.teleport(stage.hero, position(7.0, 2.0)).unwrap();
        // The water acts until the tick in which the character is found outside.
        (0..2).for_each(|_| stage.tick((0, 0), false));
        assert!(!swims(&stage) && stage.velocity().y < 0.0, "{}", stage.velocity());
        let (mut stage, _) = swimming(swimmer());
        stage.world.set_character(stage.hero, Character::default()).unwrap();
        stage.tick((0, 1), false);
        assert!(!swims(&stage) && stage.velocity().y < 0.0, "{}", stage.velocity());

        let (mut stage, _) = swimming(Character { dash_speed: 15.0, dash_time: 4.0 * TICK, ..swimmer() });
        for made in 1..=8 {
            let input = Input { down: made < 8, dash: made < 4, ..Input::default() };
            stage.input(input);
            let way = if made < 5 { 0.25 * f64::from(made) } else { 1.0 + 0.125 * f64::from((made - 4).min(3)) };
            assert!(is_near(stage.place(), DVec2::new(0.0, 4.0 - way)), "{made}: {}", stage.place());
            assert_eq!(swims(&stage), made > 4, "{made}");
        }
    });
}

/// An area attached to a body carries a swimmer, one tick behind.
#[test]
fn moving_water_carries_a_swimmer() {
    all_ways_with(shapes(), |way, shape, mask| {
        for character in [swimmer(), sluggish()] {
            let hero = body(shape, character).collision_mask(mask);
            let mut stage = Stage::new(&under(&[]), way, hero, (0.0, 4.0), 40.0);
            let velocity = DVec2::new(-1.5, 0.75);
            let kite = Body { gravity_scale: 0.0, ..Body::new(Shape::circle(0.25)) }.velocity(velocity);
            let kite = stage.world.spawn(kite.at(position(20.0, 2.0))).unwrap();
            let half = DVec2::new(2.0, 2.0).abs();
            let water = Area::new(AreaShape::aabb(half.x, half.y).unwrap()).at(position(-20.0, 2.0));
            stage.world.spawn_area(water.effects(thin()).attached_to(AttachedTo::Body(kite))).unwrap();
            (0..40).for_each(|_| stage.tick((0, 0), false));
            for made in 0..40 {
                let at = stage.place();
                stage.tick((0, 0), false);
                assert!(swims(&stage) && is_near(stage.velocity(), velocity), "{made}: {}", stage.velocity());
                assert!(is_near(stage.place(), at + velocity * TICK), "{made}: {}", stage.place());
            }
        }
    });
}

/// A restored world continues as the original, at every point of a swim.
#[test]
fn snapshots_contain_a_swim() {
    let keys = |made: i32| match made {
        0..20 => ((0, 1), false),
        20..40 => ((1, 0), false),
        // The character jumps off the ladder with up held, and swims.
        40..60 => ((0, 1), made < 42),
        60..80 => ((-1, 1), false),
        80..110 => ((-1, 0), made < 82),
        _ => ((0, -1), false),
    };
    for (mask, shape) in [(CollisionLayers::NONE, shapes()[0]), (CollisionLayers::ALL, shapes()[1])] {
        all_ways(|way| {
            let both = Character { climb_speed: 3.75, float_speed: 1.0, ..sluggish() };
            let (mut stage, _) = pool(way, body(shape, both).collision_mask(mask), (0.0, 1.5), water(1.5));
            area(&mut stage, ((-0.5, 0.0), (0.5, 3.0)), climbable());
            let (mut swum, mut climbed) = (0, 0);
            for made in 0..150 {
                let (held, jump) = keys(made);
                stage.tick(held, jump);
                swum += usize::from(swims(&stage));
                climbed += usize::from(stage.hero().is_climbing());
            }
            assert!((60..140).contains(&swum) && climbed > 10, "{swum} {climbed}");
        });
    }
}
