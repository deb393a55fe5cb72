//! Climbing in areas: up, down and sideways, through a one-way tile and back, jumps, and the ends of a climb. Computed
//! by hand.

use crate::nudges::{NEAR, TICK, body, jump, under};
use crate::scene::position;
use crate::table::{Stage, Way, all_ways, all_ways_of, all_ways_with};
use surefoot::area::{Area, AreaId, AreaShape, AttachedTo, Effects};
use surefoot::catalogue::PatternKind;
use surefoot::geometry::DVec2;
use surefoot::prelude::*;
use surefoot::{Input, Map};

pub fn shapes() -> [Shape; 2] {
    [Shape::aabb(0.375, 0.5), Shape::circle(0.5)]
}

/// Climbs 1/8 tile per tick. Jumps four tiles in 24 ticks: 20 tiles per second, minus 50 per second.
fn climber() -> Character {
    Character { climb_speed: 7.5, ..jump() }
}

/// A floor at 0, and a one-way tile at 4 from x = -2 to 2 that allows dropping through.
fn scene() -> Map {
    let mut canvas = under(&[]);
    (-2..2).for_each(|x| canvas.paint((x, 3), "one_way"));
    let mut parts = Map::from(&canvas).into_parts();
    let is_open = |id| parts.catalogue.variant(id).kind == PatternKind::Open;
    parts.kinds.iter_mut().for_each(|kind| kind.drop_through = kind.variant.is_some_and(is_open));
    Map::from_parts(parts).unwrap()
}

pub fn area(stage: &mut Stage, (low, high): ((f64, f64), (f64, f64)), effects: Effects) -> AreaId {
    let half = (DVec2::new(high.0 - low.0, high.1 - low.1) / 2.0).abs();
    let at = position((low.0 + high.0) / 2.0, (low.1 + high.1) / 2.0);
    let area = Area::new(AreaShape::aabb(half.x, half.y).unwrap()).at(at).effects(effects);
    stage.world.spawn_area(area).unwrap()
}

pub fn climbable() -> Effects {
    Effects { climbable: Some(true), ..Effects::default() }
}

/// A ladder from x = -0.5 to 0.5 between two heights, and a character at it.
fn stage(way: &Way, hero: Body, at: (f64, f64), (low, high): (f64, f64)) -> Stage {
    let mut stage = Stage::new(scene(), way, hero, at, 40.0);
    area(&mut stage, ((-0.5, low), (0.5, high)), climbable());
    stage.tick((0, 0), false);
    stage
}

pub fn is_near(one: DVec2, other: DVec2) -> bool {
    (one - other).abs().max_element() < NEAR
}

pub fn is_at(stage: &Stage, x: f64, y: f64) -> bool {
    let at = position(x, y).to_dvec2();
    stage.place() == at
}

fn state(stage: &Stage) -> (bool, bool) {
    let hero = &stage.world[stage.hero];
    (hero.is_climbing(), hero.on_floor())
}

/// The character climbs 4 tiles in 32 ticks, then stands on the one-way tile, whatever is held. Down makes it drop
/// through and hold the ladder below.
#[test]
fn a_ladder_leads_through_a_one_way_tile_both_ways() {
    all_ways_with(shapes(), |way, shape, mask| {
        let mut stage = stage(way, body(shape, climber()).collision_mask(mask), (0.0, 0.5), (0.0, 4.0));
        assert_eq!(state(&stage), (false, true));
        for made in 1..=32 {
            stage.tick((0, 1), false);
            let what = format!("{shape:?} {mask:?} {made}: {} {:?}", stage.place(), state(&stage));
            assert!(is_at(&stage, 0.0, 0.5 + 0.125 * f64::from(made)), "{what}");
            assert_eq!((stage.velocity(), state(&stage)), (DVec2::new(0.0, 7.5), (true, false)), "{what}");
        }
        for _ in 0..4 {
            stage.tick((0, 1), false);
            assert!(is_at(&stage, 0.0, 4.5), "{shape:?} {mask:?}: {}", stage.place());
            assert_eq!((stage.velocity(), state(&stage)), (DVec2::ZERO, (false, true)));
        }
        // The character falls by half of 50 / 60^2 in the first tick.
        stage.tick((0, -1), false);
        let fallen = 4.5 - 25.0 / 3600.0;
        assert!(
            (stage.place().y - fallen).abs() < NEAR && !stage.hero().on_floor(),
            "{shape:?} {mask:?} {} {:?}",
            stage.place(),
            state(&stage)
        );
        for made in 1..=31 {
            stage.tick((0, -1), false);
            assert!(is_near(stage.place(), DVec2::new(0.0, fallen - 0.125 * f64::from(made))), "{}", stage.place());
            assert_eq!((stage.velocity(), state(&stage)), (DVec2::new(0.0, -7.5), (true, false)));
        }
        for _ in 0..3 {
            stage.tick((0, -1), false);
            assert!(is_near(stage.place(), DVec2::new(0.0, 0.5)), "{}", stage.place());
            assert_eq!(state(&stage), (false, true));
        }
    });
}

/// Without input, the character stays in place. It climbs sideways at the same speed, and at half speed with half the
/// stick.
#[test]
fn a_climber_stays_in_place_and_climbs_sideways() {
    all_ways_with(shapes(), |way, shape, mask| {
        let mut stage = stage(way, body(shape, climber()).collision_mask(mask), (0.0, 2.0), (0.0, 4.0));
        // In the air, the character falls for a tick before it holds the ladder.
        stage.tick((0, -1), false);
        let at = stage.place();
        for _ in 0..90 {
            stage.tick((0, 0), false);
            assert_eq!((stage.place(), stage.velocity(), state(&stage)), (at, DVec2::ZERO, (true, false)));
        }
        stage.tick((1, 1), false);
        assert!(is_near(stage.place(), at + DVec2::new(0.125, 0.125)), "{}", stage.place());
        stage.tick((-1, 0), false);
        assert!(is_near(stage.place(), at + DVec2::new(0.0, 0.125)), "{}", stage.place());
        let before = stage.place();
        stage.input(stage.held(64, false));
        assert!(is_near(stage.place(), before + DVec2::new(0.125 * 64.0 / 127.0, 0.0)), "{}", stage.place());
    });
}

/// The character does not climb without a `climb_speed`, in an area that is not climbable, with both buttons or none,
/// and with down on the ground.
#[test]
fn cases_in_which_a_character_does_not_climb() {
    all_ways_of(shapes(), |way, shape| {
        let falls = |character, keys: (bool, bool), effects| {
            let mut stage = Stage::new(scene(), way, body(shape, character), (0.0, 3.0), 40.0);
            area(&mut stage, ((-0.5, 0.0), (0.5, 4.0)), effects);
            for _ in 0..4 {
                let input = Input { up: keys.0, down: keys.1, ..Input::default() };
                stage.input(input);
                assert!(!stage.hero().is_climbing());
            }
            // In 4 ticks, the character falls by 50 t^2 / 2.
            assert!((stage.place().y - 3.0 + 25.0 * 16.0 / 3600.0).abs() < NEAR, "{}", stage.place());
        };
        falls(jump(), (true, false), climbable());
        falls(climber(), (false, false), climbable());
        falls(climber(), (true, true), climbable());
        falls(climber(), (true, false), Effects::default());
        falls(climber(), (true, false), Effects { climbable: Some(false), ..Effects::default() });
        let mut stage = stage(way, body(shape, climber()), (0.0, 0.5), (0.0, 4.0));
        for _ in 0..4 {
            stage.tick((0, -1), false);
            assert_eq!(state(&stage), (false, true));
        }
    });
}

/// A jump off a ladder is as high as off the ground, and moves sideways at walking speed. The character does not climb
/// again while up stays held. With down held, jump only releases the ladder.
#[test]
fn a_jump_releases_the_ladder() {
    all_ways_with(shapes(), |way, shape, mask| {
        let mut stage = stage(way, body(shape, climber()).collision_mask(mask), (0.0, 0.5), (0.0, 3.0));
        (0..8).for_each(|_| stage.tick((0, 1), false));
        assert!(is_at(&stage, 0.0, 1.5));
        for made in 1..=24 {
            stage.tick((0, 1), true);
            let time = f64::from(made) * TICK;
            let height = 1.5 + 20.0 * time - 25.0 * time * time;
            assert!(is_near(stage.place(), DVec2::new(0.0, height)), "{made}: {} {height}", stage.place());
            assert!(!stage.hero().is_climbing());
        }
        // The character falls through the ladder to the ground below the one-way tile.
        let mut stage = self::stage(way, body(shape, climber()).collision_mask(mask), (0.0, 0.5), (0.0, 3.0));
        (0..8).for_each(|_| stage.tick((0, 1), false));
        stage.tick((0, -1), true);
        assert!(stage.velocity().y < 0.0 && !stage.hero().is_climbing(), "{}", stage.velocity());
        stage.tick((0, -1), false);
        assert!(!stage.hero().is_climbing(), "down is held since");
        stage.tick((0, 0), false);
        stage.tick((0, 1), false);
        assert!(stage.hero().is_climbing(), "up is pressed anew");
        // The character jumps away from the ladder at walking speed.
        stage.tick((1, 0), true);
        assert!(is_near(stage.velocity(), DVec2::new(8.0, 20.0 - 50.0 * TICK)), "{}", stage.velocity());
    });
}

/// Two overlapping ladders, in either order, lead to the one-way tile without a stop at the lower one's end.
#[test]
fn overlapping_ladders_act_as_one() {
    all_ways_with(shapes(), |way, shape, mask| {
        // The character passes the end of the lower ladder in the middle of a tick.
        for [one, other] in [[(0.0, 2.0625), (1.5, 4.0)], [(1.5, 4.0), (0.0, 2.0625)]] {
            let hero = body(shape, climber()).collision_mask(mask);
            let mut stage = stage(way, hero, (0.0, 0.5), one);
            area(&mut stage, ((-0.5, other.0), (0.5, other.1)), climbable());
            stage.tick((0, 0), false);
            for made in 1..=32 {
                stage.tick((0, 1), false);
                assert!(is_at(&stage, 0.0, 0.5 + 0.125 * f64::from(made)), "{made}: {}", stage.place());
            }
        }
    });
}

/// Off the side and off the lower end, the character falls. Without a floor at its top, a ladder ends the climb there,
/// and the character can step sideways onto a wall.
#[test]
fn the_ends_of_a_ladder() {
    all_ways_with(shapes(), |way, shape, mask| {
        let half = if shape.is_circle() { 0.5 } else { 0.375 };
        let hero = || body(shape, climber()).collision_mask(mask);
        let mut stage = stage(way, hero(), (0.0, 2.0), (1.0, 3.0));
        // The character's left side leaves the ladder at x = 0.5.
        let ticks = ((0.5 + half) / 0.125) as i32;
        for made in 1..=ticks {
            stage.tick((1, if made == 1 { 1 } else { 0 }), false);
            assert!(stage.hero().is_climbing(), "{made} of {ticks}");
        }
        let before = stage.place();
        stage.tick((1, 0), false);
        assert!(!stage.hero().is_climbing() && stage.place().y < before.y, "{}", stage.place());
        // At the lower end of the ladder, the character's top leaves it.
        let mut stage = self::stage(way, hero(), (0.0, 2.0), (2.0, 3.0));
        for _ in 0..4 {
            stage.tick((0, -1), false);
            assert!(stage.hero().is_climbing(), "{}", stage.place());
        }
        stage.tick((0, -1), false);
        assert!(!stage.hero().is_climbing() && stage.velocity().y < -7.5, "{}", stage.velocity());
        // The character's underside reaches the top of the ladder, and stays there with and without up.
        let mut stage = self::stage(way, hero(), (0.0, 2.0), (1.0, 3.0));
        for made in 1..60 {
            stage.tick((0, i8::from(made < 40)), false);
            assert!(stage.hero().is_climbing(), "{made}");
            assert!(made < 13 || is_at(&stage, 0.0, 3.5), "{made} {}", stage.place());
        }
        stage.tick((0, -1), false);
        assert!(is_at(&stage, 0.0, 3.375) && stage.hero().is_climbing(), "{}", stage.place());
    });
    // This ladder is as high as the block next to it.
    let canvas = under(&[((1, 0), (3, 2))]);
    all_ways_of(shapes(), |way, shape| {
        let mut stage = Stage::new(&canvas, way, body(shape, climber()), (0.5, 0.5), 40.0);
        area(&mut stage, ((0.0, 0.0), (1.0, 3.0)), climbable());
        stage.tick((0, 0), false);
        (0..30).for_each(|_| stage.tick((0, 1), false));
        assert!(is_at(&stage, 0.5, 3.5) && stage.hero().is_climbing(), "{}", stage.place());
        (0..12).for_each(|_| stage.tick((1, 0), false));
        assert!(stage.hero().on_floor() && stage.place().y == 3.5, "{}", stage.place());
        assert!(stage.place().x > 1.5, "{}", stage.place());
    });
}

/// A set velocity, a teleport and the end of the area end a climb.
#[test]
fn commands_and_removed_areas_end_a_climb() {
    all_ways(|way| {
        let climbing = || {
            let mut stage = Stage::new(scene(), way, body(shapes()[0], climber()), (0.0, 2.0), 40.0);
            let ladder = area(&mut stage, ((-0.5, 0.0), (0.5, 4.0)), climbable());
            stage.tick((0, 0), false);
            stage.tick((0, 1), false);
            assert!(stage.hero().is_climbing());
            (stage, ladder)
        };
        let (mut stage, _) = climbing();
        stage.world.set_velocity(stage.hero, DVec2::new(3.0, 0.0)).unwrap();
        stage.tick((0, 1), false);
        assert!(!stage.hero().is_climbing() && stage.velocity().y < 0.0, "{}", stage.velocity());
        let (mut stage, ladder) = climbing();
        stage.world.despawn_area(ladder).unwrap();
        stage.tick((0, 1), false);
        stage.tick((0, 1), false);
        assert!(!stage.hero().is_climbing() && stage.velocity().y < 0.0, "{}", stage.velocity());
        let (mut stage, _) = climbing();
        stage.world.teleport(stage.hero, position(4.0, 2.0)).unwrap();
        (0..2).for_each(|_| stage.tick((0, 1), false));
        assert!(!stage.hero().is_climbing() && stage.velocity().y < 0.0, "{}", stage.velocity());
    });
}

/// Drag, wind, gravity and buoyancy of the area do not move a climber.
#[test]
fn other_effects_do_not_move_a_climber() {
    let wild = Effects {
        drag: Some(5.0),
        wind: Some(DVec2::new(3.0, 90.0)),
        buoyancy: Some(2.0),
        speed_scale: Some(0.5),
        ..climbable()
    };
    all_ways_of(shapes(), |way, shape| {
        let mut stage = Stage::new(scene(), way, body(shape, climber()), (0.0, 2.0), 40.0);
        area(&mut stage, ((-0.5, 0.0), (0.5, 4.0)), wild);
        stage.tick((0, 0), false);
        let at = stage.place();
        for made in 1..=8 {
            stage.tick((0, 1), false);
            assert!(is_near(stage.place(), at + DVec2::new(0.0, 0.125 * f64::from(made))), "{}", stage.place());
        }
    });
}

/// An area attached to a body carries a climber, one tick behind.
#[test]
fn a_moving_ladder_carries_a_climber() {
    all_ways_with(shapes(), |way, shape, mask| {
        let mut stage = Stage::new(scene(), way, body(shape, climber()).collision_mask(mask), (0.0, 2.0), 40.0);
        let velocity = DVec2::new(-1.5, 0.75);
        let kite = Body { gravity_scale: 0.0, ..Body::new(Shape::circle(0.25)) }.velocity(velocity);
        let kite = stage.world.spawn(kite.at(position(20.0, 2.0))).unwrap();
        let half = DVec2::new(0.5, 2.0).abs();
        let ladder = Area::new(AreaShape::aabb(half.x, half.y).unwrap()).at(position(-20.0, 0.0));
        stage.world.spawn_area(ladder.effects(climbable()).attached_to(AttachedTo::Body(kite))).unwrap();
        stage.tick((0, 0), false);
        stage.tick((0, 1), false);
        let mut at = stage.place();
        for made in 1..=60 {
            stage.tick((0, 0), false);
            assert!(stage.hero().is_climbing() && is_near(stage.velocity(), velocity), "{made}");
            assert!(is_near(stage.place(), at + velocity * TICK), "{made}: {}", stage.place());
            at = stage.place();
        }
    });
}

/// A ladder with `ladder_center_speed` draws the character to its middle by 1/16 tile per tick, and the last tick by
/// the rest. Left and right do not move it, except on the top, where it walks off by 1/8 tile per tick. A jump takes it
/// off at walking speed.
#[test]
fn a_ladder_holds_a_character_in_its_middle() {
    let held = Character { ladder_center_speed: 3.75, ..climber() };
    all_ways_of(shapes(), |way, shape| {
        for (x, ticks) in [(0.25, 4), (-0.3, 5), (0.01, 1), (0.0, 0)] {
            let mut stage = stage(way, body(shape, held), (x, 2.0), (1.0, 4.0));
            stage.tick((0, 1), false);
            for made in 2..=12 {
                stage.tick((if x > 0.0 { 1 } else { -1 }, 0), false);
                let left = (f64::abs(x) - 0.0625 * f64::from(made)).max(0.0).copysign(x);
                assert!(is_near(stage.place() * DVec2::X, DVec2::new(left, 0.0)), "{x} {made}: {}", stage.place());
                assert!(stage.hero().is_climbing() && (made < ticks || stage.place().x == 0.0), "{x} {made}");
            }
            // The jump leaves the ladder at 20 tiles per second, minus gravity of a tick.
            stage.tick((1, 0), true);
            assert!(is_near(stage.velocity(), DVec2::new(8.0, 20.0 - 50.0 * TICK)), "{}", stage.velocity());
        }
        // After 13 ticks, the character's feet are on the top at 3. Its centre has moved from 2 to 3.5, by less than
        // 1/8 in the last tick.
        let mut stage = stage(way, body(shape, held), (0.0, 2.0), (1.0, 3.0));
        (0..14).for_each(|_| stage.tick((1, 1), false));
        let before = stage.place();
        assert!(before.y == 3.5 && stage.hero().is_climbing(), "{before}");
        stage.tick((1, 0), false);
        assert!(is_near(stage.place(), before + DVec2::new(0.125, 0.0)), "{}", stage.place());
        // Without input, the character comes back to the middle by 1/16 per tick.
        stage.tick((0, 0), false);
        assert!(is_near(stage.place(), before + DVec2::new(0.0625, 0.0)), "{}", stage.place());
    });
}

/// A ladder of three tiles has columns at -1, 0 and 1, one of two tiles has columns at -0.5 and 0.5. Two ladders of one
/// tile are as one of two. Between two columns at the same distance of two ladders, the character stays.
#[test]
fn a_wide_ladder_draws_to_its_nearest_column() {
    let held = Character { ladder_center_speed: 60.0, ..climber() };
    let ladders: [&[(f64, f64)]; 3] = [&[(-1.5, 1.5)], &[(-1.0, 1.0)], &[(-1.0, 0.0), (0.0, 1.0)]];
    let cases = [
        (ladders[0], 0.25, 0.0),
        (ladders[0], 0.75, 1.0),
        (ladders[0], 1.75, 1.0),
        (ladders[0], -0.75, -1.0),
        (ladders[1], 0.25, 0.5),
        (ladders[1], -1.25, -0.5),
        (ladders[1], 0.0, 0.0),
        (ladders[2], 0.25, 0.5),
        (ladders[2], 0.0, 0.0),
    ];
    all_ways_of(cases, |way, (ladders, from, to)| {
        let mut stage = Stage::new(scene(), way, body(shapes()[0], held), (from, 2.0), 40.0);
        for (left, right) in ladders {
            area(&mut stage, ((*left, 0.0), (*right, 4.0)), climbable());
        }
        stage.tick((0, 0), false);
        (0..3).for_each(|_| stage.tick((0, 1), false));
        assert!(stage.hero().is_climbing() && stage.place().x == to, "{ladders:?} {from}: {}", stage.place());
    });
}

/// A ladder that moves keeps the character in its middle: the character follows one tick behind, and is drawn to the
/// middle of where the ladder is now.
#[test]
fn a_moving_ladder_holds_a_climber_in_its_middle() {
    let held = Character { ladder_center_speed: 3.75, ..climber() };
    all_ways_of(shapes(), |way, shape| {
        let mut stage = Stage::new(scene(), way, body(shape, held), (0.25, 2.0), 40.0);
        let kite = Body { gravity_scale: 0.0, ..Body::new(Shape::circle(0.25)) }.velocity(DVec2::new(1.5, 0.0));
        let kite = stage.world.spawn(kite.at(position(20.0, 2.0))).unwrap();
        let ladder = Area::new(AreaShape::aabb(0.5, 2.0).unwrap()).at(position(-20.0, 0.0));
        stage.world.spawn_area(ladder.effects(climbable()).attached_to(AttachedTo::Body(kite))).unwrap();
        stage.tick((0, 0), false);
        stage.tick((0, 1), false);
        for made in 0..60 {
            stage.tick((-1, 0), false);
            let middle = stage.world[kite].position().to_dvec2().x - 20.0;
            assert!(stage.hero().is_climbing(), "{made}");
            assert!(made < 6 || (stage.place().x - middle).abs() < NEAR, "{made}: {} {middle}", stage.place());
        }
    });
}
