//! Climbing in areas: up, down and sideways, through a one-way tile and back, jumps, and the ends of a climb. Computed
//! by hand.

use crate::nudges::{NEAR, Stage, TICK, body, jump, under};
use crate::scene::position;
use crate::symmetry::{Symmetry, alike};
use surefoot::area::{Area, AreaId, AreaShape, AttachedTo, Effects};
use surefoot::catalogue::PatternKind;
use surefoot::geometry::DVec2;
use surefoot::map::CollisionLayers;
use surefoot::prelude::*;
use surefoot::snapshot::Snapshot;
use surefoot::{Input, Map};

pub fn shapes() -> [Shape; 2] {
    [Shape::aabb(0.375, 0.5), Shape::circle(0.5)]
}

/// Climbs 1/8 tile per tick. Jumps four tiles in 24 ticks: 20 tiles per second, minus 50 per second.
fn climber() -> Character {
    Character { climb_speed: 7.5, ..jump() }
}

/// A floor at 0, and a one-way tile at 4 from x = -2 to 2 that allows dropping through.
fn scene(symmetry: Symmetry) -> Map {
    let mut canvas = under(&[]);
    (-2..2).for_each(|x| canvas.paint((x, 3), "one_way"));
    let mut parts = canvas.map(symmetry).into_parts();
    let is_open = |id| parts.catalogue.variant(id).kind == PatternKind::Open;
    parts.kinds.iter_mut().for_each(|kind| kind.drop_through = kind.variant.is_some_and(is_open));
    Map::from_parts(parts).unwrap()
}

pub fn area(stage: &mut Stage, symmetry: Symmetry, (low, high): ((f64, f64), (f64, f64)), effects: Effects) -> AreaId {
    let half = symmetry.velocity(DVec2::new(high.0 - low.0, high.1 - low.1) / 2.0).abs();
    let at = symmetry.position(position((low.0 + high.0) / 2.0, (low.1 + high.1) / 2.0));
    let area = Area::new(AreaShape::aabb(half.x, half.y).unwrap()).at(at).effects(effects);
    stage.world.spawn_area(area).unwrap()
}

pub fn climbable() -> Effects {
    Effects { climbable: Some(true), ..Effects::default() }
}

/// A ladder from x = -0.5 to 0.5 between two heights, and a character at it.
fn stage(symmetry: Symmetry, hero: Body, at: (f64, f64), (low, high): (f64, f64)) -> Stage {
    let mut stage = Stage::on(scene(symmetry), symmetry, hero, at, 40.0);
    area(&mut stage, symmetry, ((-0.5, low), (0.5, high)), climbable());
    tick(&mut stage, (0, 0), false);
    stage
}

pub fn tick(stage: &mut Stage, (x, y): (i8, i8), jump: bool) {
    let input = Input { up: y > 0, down: y < 0, ..stage.held(127 * x, jump) };
    stage.world.set_input(stage.hero, input);
    stage.world.step();
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
    alike(shapes(), |symmetry, shape, mask| {
        let mut stage = stage(symmetry, body(shape, climber()).collision_mask(mask), (0.0, 0.5), (0.0, 4.0));
        assert_eq!(state(&stage), (false, true));
        let mut seen = Vec::new();
        for made in 1..=32 {
            tick(&mut stage, (0, 1), false);
            let what = format!("{symmetry:?} {shape:?} {mask:?} {made}: {} {:?}", stage.place(), state(&stage));
            assert!(is_at(&stage, 0.0, 0.5 + 0.125 * f64::from(made)), "{what}");
            assert_eq!((stage.velocity(), state(&stage)), (DVec2::new(0.0, 7.5), (true, false)), "{what}");
            seen.push(stage.place());
        }
        for _ in 0..4 {
            tick(&mut stage, (0, 1), false);
            assert!(is_at(&stage, 0.0, 4.5), "{symmetry:?} {shape:?} {mask:?}: {}", stage.place());
            assert_eq!((stage.velocity(), state(&stage)), (DVec2::ZERO, (false, true)));
        }
        // Falls by half of 50 / 60^2 in the first tick.
        tick(&mut stage, (0, -1), false);
        let fallen = 4.5 - 25.0 / 3600.0;
        assert!(
            (stage.place().y - fallen).abs() < NEAR && !stage.world[stage.hero].on_floor(),
            "{symmetry:?} {shape:?} {mask:?} {} {:?}",
            stage.place(),
            state(&stage)
        );
        for made in 1..=31 {
            tick(&mut stage, (0, -1), false);
            assert!(is_near(stage.place(), DVec2::new(0.0, fallen - 0.125 * f64::from(made))), "{}", stage.place());
            assert_eq!((stage.velocity(), state(&stage)), (DVec2::new(0.0, -7.5), (true, false)));
            seen.push(stage.place());
        }
        for _ in 0..3 {
            tick(&mut stage, (0, -1), false);
            assert!(is_near(stage.place(), DVec2::new(0.0, 0.5)), "{}", stage.place());
            assert_eq!(state(&stage), (false, true));
        }
        seen
    });
}

/// Without input, the character stays in place. It climbs sideways at the same speed, and at half speed with half the
/// stick.
#[test]
fn a_climber_stays_in_place_and_climbs_sideways() {
    alike(shapes(), |symmetry, shape, mask| {
        let mut stage = stage(symmetry, body(shape, climber()).collision_mask(mask), (0.0, 2.0), (0.0, 4.0));
        // In the air, it falls for a tick before it holds the ladder.
        tick(&mut stage, (0, -1), false);
        let at = stage.place();
        for _ in 0..90 {
            tick(&mut stage, (0, 0), false);
            assert_eq!((stage.place(), stage.velocity(), state(&stage)), (at, DVec2::ZERO, (true, false)));
        }
        tick(&mut stage, (1, 1), false);
        assert!(is_near(stage.place(), at + DVec2::new(0.125, 0.125)), "{}", stage.place());
        tick(&mut stage, (-1, 0), false);
        assert!(is_near(stage.place(), at + DVec2::new(0.0, 0.125)), "{}", stage.place());
        let before = stage.place();
        stage.world.set_input(stage.hero, stage.held(64, false));
        stage.world.step();
        assert!(is_near(stage.place(), before + DVec2::new(0.125 * 64.0 / 127.0, 0.0)), "{}", stage.place());
        vec![at, stage.place()]
    });
}

/// The character does not climb without a `climb_speed`, in an area that is not climbable, with both buttons or none,
/// and with down on the ground.
#[test]
fn cases_in_which_a_character_does_not_climb() {
    for symmetry in Symmetry::all() {
        for shape in shapes() {
            let falls = |character, keys: (bool, bool), effects| {
                let mut stage = Stage::on(scene(symmetry), symmetry, body(shape, character), (0.0, 3.0), 40.0);
                area(&mut stage, symmetry, ((-0.5, 0.0), (0.5, 4.0)), effects);
                for _ in 0..4 {
                    let input = Input { up: keys.0, down: keys.1, ..Input::default() };
                    stage.world.set_input(stage.hero, input);
                    stage.world.step();
                    assert!(!stage.world[stage.hero].is_climbing());
                }
                // 50 t^2 / 2 after 4 ticks.
                assert!((stage.place().y - 3.0 + 25.0 * 16.0 / 3600.0).abs() < NEAR, "{}", stage.place());
            };
            falls(jump(), (true, false), climbable());
            falls(climber(), (false, false), climbable());
            falls(climber(), (true, true), climbable());
            falls(climber(), (true, false), Effects::default());
            falls(climber(), (true, false), Effects { climbable: Some(false), ..Effects::default() });
            let mut stage = stage(symmetry, body(shape, climber()), (0.0, 0.5), (0.0, 4.0));
            for _ in 0..4 {
                tick(&mut stage, (0, -1), false);
                assert_eq!(state(&stage), (false, true));
            }
        }
    }
}

/// A jump off a ladder is as high as off the ground, and moves sideways at walking speed. The character does not climb
/// again while up stays held. With down held, jump only releases the ladder.
#[test]
fn a_jump_releases_the_ladder() {
    alike(shapes(), |symmetry, shape, mask| {
        let mut stage = stage(symmetry, body(shape, climber()).collision_mask(mask), (0.0, 0.5), (0.0, 3.0));
        (0..8).for_each(|_| tick(&mut stage, (0, 1), false));
        assert!(is_at(&stage, 0.0, 1.5));
        let mut seen = Vec::new();
        for made in 1..=24 {
            tick(&mut stage, (0, 1), true);
            let time = f64::from(made) * TICK;
            let height = 1.5 + 20.0 * time - 25.0 * time * time;
            assert!(is_near(stage.place(), DVec2::new(0.0, height)), "{made}: {} {height}", stage.place());
            assert!(!stage.world[stage.hero].is_climbing());
            seen.push(stage.place());
        }
        // Falls through the ladder to the ground below the one-way tile.
        let mut stage = self::stage(symmetry, body(shape, climber()).collision_mask(mask), (0.0, 0.5), (0.0, 3.0));
        (0..8).for_each(|_| tick(&mut stage, (0, 1), false));
        tick(&mut stage, (0, -1), true);
        assert!(stage.velocity().y < 0.0 && !stage.world[stage.hero].is_climbing(), "{}", stage.velocity());
        tick(&mut stage, (0, -1), false);
        assert!(!stage.world[stage.hero].is_climbing(), "down is held since");
        tick(&mut stage, (0, 0), false);
        tick(&mut stage, (0, 1), false);
        assert!(stage.world[stage.hero].is_climbing(), "up is pressed anew");
        // Away from the ladder at walking speed.
        tick(&mut stage, (1, 0), true);
        assert!(is_near(stage.velocity(), DVec2::new(8.0, 20.0 - 50.0 * TICK)), "{}", stage.velocity());
        seen.push(stage.place());
        seen
    });
}

/// Two overlapping ladders, in either order, lead to the one-way tile without a stop at the lower one's end.
#[test]
fn overlapping_ladders_act_as_one() {
    alike(shapes(), |symmetry, shape, mask| {
        let mut seen = Vec::new();
        // The lower ladder ends half a tick away from where the character is at a tick's end.
        for [one, other] in [[(0.0, 2.0625), (1.5, 4.0)], [(1.5, 4.0), (0.0, 2.0625)]] {
            let hero = body(shape, climber()).collision_mask(mask);
            let mut stage = stage(symmetry, hero, (0.0, 0.5), one);
            area(&mut stage, symmetry, ((-0.5, other.0), (0.5, other.1)), climbable());
            tick(&mut stage, (0, 0), false);
            for made in 1..=32 {
                tick(&mut stage, (0, 1), false);
                assert!(is_at(&stage, 0.0, 0.5 + 0.125 * f64::from(made)), "{made}: {}", stage.place());
            }
            seen.push(stage.place());
        }
        seen
    });
}

/// Off the side and off the lower end, the character falls. Without a floor at its top, a ladder ends the climb there,
/// and the character can step sideways onto a wall.
#[test]
fn the_ends_of_a_ladder() {
    alike(shapes(), |symmetry, shape, mask| {
        let half = if shape.is_circle() { 0.5 } else { 0.375 };
        let hero = || body(shape, climber()).collision_mask(mask);
        let mut stage = stage(symmetry, hero(), (0.0, 2.0), (1.0, 3.0));
        let mut seen = Vec::new();
        // Its left side leaves the ladder at 0.5.
        let ticks = ((0.5 + half) / 0.125) as i32;
        for made in 1..=ticks {
            tick(&mut stage, (1, if made == 1 { 1 } else { 0 }), false);
            assert!(stage.world[stage.hero].is_climbing(), "{made} of {ticks}");
            seen.push(stage.place());
        }
        let before = stage.place();
        tick(&mut stage, (1, 0), false);
        assert!(!stage.world[stage.hero].is_climbing() && stage.place().y < before.y, "{}", stage.place());
        // At the lower end, its top leaves the ladder.
        let mut stage = self::stage(symmetry, hero(), (0.0, 2.0), (2.0, 3.0));
        for _ in 0..4 {
            tick(&mut stage, (0, -1), false);
            assert!(stage.world[stage.hero].is_climbing(), "{}", stage.place());
        }
        tick(&mut stage, (0, -1), false);
        assert!(!stage.world[stage.hero].is_climbing() && stage.velocity().y < -7.5, "{}", stage.velocity());
        // Its underside reaches the top, and stays there with and without up.
        let mut stage = self::stage(symmetry, hero(), (0.0, 2.0), (1.0, 3.0));
        for made in 1..60 {
            tick(&mut stage, (0, i8::from(made < 40)), false);
            assert!(stage.world[stage.hero].is_climbing(), "{made}");
            assert!(made < 13 || is_at(&stage, 0.0, 3.5), "{made} {}", stage.place());
        }
        tick(&mut stage, (0, -1), false);
        assert!(is_at(&stage, 0.0, 3.375) && stage.world[stage.hero].is_climbing(), "{}", stage.place());
        seen
    });
    // A ladder as high as the block next to it.
    let canvas = under(&[((1, 0), (3, 2))]);
    for symmetry in Symmetry::all() {
        for shape in shapes() {
            let mut stage = Stage::new(&canvas, symmetry, body(shape, climber()), (0.5, 0.5), 40.0);
            area(&mut stage, symmetry, ((0.0, 0.0), (1.0, 3.0)), climbable());
            tick(&mut stage, (0, 0), false);
            (0..30).for_each(|_| tick(&mut stage, (0, 1), false));
            assert!(is_at(&stage, 0.5, 3.5) && stage.world[stage.hero].is_climbing(), "{}", stage.place());
            (0..12).for_each(|_| tick(&mut stage, (1, 0), false));
            assert!(stage.world[stage.hero].on_floor() && stage.place().y == 3.5, "{}", stage.place());
            assert!(stage.place().x > 1.5, "{}", stage.place());
        }
    }
}

/// A set velocity, a teleport and the end of the area end a climb.
#[test]
fn commands_and_removed_areas_end_a_climb() {
    for symmetry in Symmetry::all() {
        let climbing = || {
            let mut stage = Stage::on(scene(symmetry), symmetry, body(shapes()[0], climber()), (0.0, 2.0), 40.0);
            let ladder = area(&mut stage, symmetry, ((-0.5, 0.0), (0.5, 4.0)), climbable());
            tick(&mut stage, (0, 0), false);
            tick(&mut stage, (0, 1), false);
            assert!(stage.world[stage.hero].is_climbing());
            (stage, ladder)
        };
        let (mut stage, _) = climbing();
        stage.world.set_velocity(stage.hero, symmetry.velocity(DVec2::new(3.0, 0.0))).unwrap();
        tick(&mut stage, (0, 1), false);
        assert!(!stage.world[stage.hero].is_climbing() && stage.velocity().y < 0.0, "{}", stage.velocity());
        let (mut stage, ladder) = climbing();
        stage.world.despawn_area(ladder).unwrap();
        tick(&mut stage, (0, 1), false);
        tick(&mut stage, (0, 1), false);
        assert!(!stage.world[stage.hero].is_climbing() && stage.velocity().y < 0.0, "{}", stage.velocity());
        let (mut stage, _) = climbing();
        stage.world.teleport(stage.hero, symmetry.position(position(4.0, 2.0))).unwrap();
        (0..2).for_each(|_| tick(&mut stage, (0, 1), false));
        assert!(!stage.world[stage.hero].is_climbing() && stage.velocity().y < 0.0, "{}", stage.velocity());
    }
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
    for shape in shapes() {
        let symmetry = Symmetry::all().next().unwrap();
        let mut stage = Stage::on(scene(symmetry), symmetry, body(shape, climber()), (0.0, 2.0), 40.0);
        area(&mut stage, symmetry, ((-0.5, 0.0), (0.5, 4.0)), wild);
        tick(&mut stage, (0, 0), false);
        let at = stage.place();
        for made in 1..=8 {
            tick(&mut stage, (0, 1), false);
            assert!(is_near(stage.place(), at + DVec2::new(0.0, 0.125 * f64::from(made))), "{}", stage.place());
        }
    }
}

/// A restored world continues as the original, at every point of a climb. A world shifted by whole tiles does the same.
#[test]
fn snapshots_contain_a_climb() {
    let keys = |made: i32| match made {
        0..20 => (0, 1),
        20..24 => (0, 0),
        24..26 => (1, 1),
        // Jumps off and lands on the one-way tile.
        26..60 => (0, 1),
        60..75 => (0, 0),
        _ => (0, -1),
    };
    for (mask, shape) in [(CollisionLayers::NONE, shapes()[0]), (CollisionLayers::ALL, shapes()[1])] {
        let symmetry = Symmetry::all().next().unwrap();
        let mut stage = stage(symmetry, body(shape, climber()).collision_mask(mask), (0.0, 0.5), (0.0, 4.0));
        let (mut climbed, mut saved) = (0, Vec::new());
        for made in 0..110 {
            saved.push(Snapshot::from_bytes(&stage.world.capture().to_bytes()).unwrap());
            tick(&mut stage, keys(made), (26..28).contains(&made));
            climbed += usize::from(stage.world[stage.hero].is_climbing());
        }
        assert!((40..100).contains(&climbed), "{climbed}");
        let last = stage.world.checksum();
        for (from, snapshot) in saved.iter().enumerate() {
            stage.world.restore(snapshot).unwrap();
            (from as i32..110).for_each(|made| tick(&mut stage, keys(made), (26..28).contains(&made)));
            assert_eq!(stage.world.checksum(), last, "from {from}");
        }
    }
}

/// An area attached to a body carries a climber, one tick behind.
#[test]
fn a_moving_ladder_carries_a_climber() {
    alike(shapes(), |symmetry, shape, mask| {
        let mut stage =
            Stage::on(scene(symmetry), symmetry, body(shape, climber()).collision_mask(mask), (0.0, 2.0), 40.0);
        let velocity = DVec2::new(-1.5, 0.75);
        let kite = Body { gravity_scale: 0.0, ..Body::new(Shape::circle(0.25)) }.velocity(symmetry.velocity(velocity));
        let kite = stage.world.spawn(kite.at(symmetry.position(position(20.0, 2.0)))).unwrap();
        let half = symmetry.velocity(DVec2::new(0.5, 2.0)).abs();
        let ladder = Area::new(AreaShape::aabb(half.x, half.y).unwrap()).at(symmetry.position(position(-20.0, 0.0)));
        stage.world.spawn_area(ladder.effects(climbable()).attached_to(AttachedTo::Body(kite))).unwrap();
        tick(&mut stage, (0, 0), false);
        tick(&mut stage, (0, 1), false);
        let mut at = stage.place();
        for made in 1..=60 {
            tick(&mut stage, (0, 0), false);
            assert!(stage.world[stage.hero].is_climbing() && is_near(stage.velocity(), velocity), "{made}");
            assert!(is_near(stage.place(), at + velocity * TICK), "{made}: {}", stage.place());
            at = stage.place();
        }
        vec![at]
    });
}
