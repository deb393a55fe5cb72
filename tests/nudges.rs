//! Corner correction in flight: exactly up to the limit, in all symmetries, alone and while colliding with other
//! bodies.

use crate::prelude::*;

/// Tolerance of a height, in tiles: each tick loses up to half a unit to rounding.
pub const NEAR: f64 = 1e-6;

pub const TICK: f64 = 1.0 / 60.0;

/// One unit in tiles.
pub const UNIT: f64 = 1.0 / ONE as f64;

/// A jump of four tiles in 24 ticks.
pub fn jump() -> Character {
    Character { jump_height: 4.0, jump_time: 0.4, max_fall_speed: 1e3, ..Character::default() }
}

/// Boxes and circles, each with half its width.
fn shapes() -> [(Shape, f64); 2] {
    [(Shape::aabb(0.375, 0.5), 0.375), (Shape::circle(0.5), 0.5)]
}

/// Makes the character jump from the ground, and returns its position at the top. If `is_met`, a ball hits it from the
/// right in every tick.
fn top_of(mut stage: Stage, walk: i8, is_met: bool) -> DVec2 {
    stage.step(0, false);
    assert!(stage.hero().on_floor());
    let (mut top, mut ball) = (stage.place(), None);
    for _ in 0..30 {
        if is_met {
            let (at, velocity) = (stage.place() + DVec2::new(0.75, 0.0), stage.velocity() - DVec2::new(30.0, 0.0));
            let next = Body::new(Shape::circle(0.03125)).bounce(1.0).collision_mask(CollisionLayers::ALL);
            let next = stage.world.spawn(next.at((at.x, at.y)).velocity(velocity)).unwrap();
            ball.replace(next).into_iter().for_each(|last| stage.world.despawn(last).unwrap());
        }
        stage.step(walk, true);
        if stage.place().y > top.y {
            top = stage.place();
        }
    }
    top
}

pub type Tile = (i32, i32);

/// A floor at 0 from x = -8 to 8, and blocks.
pub fn under(blocks: &[(Tile, Tile)]) -> Canvas {
    let mut canvas = Canvas::default();
    canvas.blocks((-8, -1), (7, -1));
    blocks.iter().for_each(|(low, high)| canvas.blocks(*low, *high));
    canvas
}

pub fn body(shape: Shape, character: Character) -> Body {
    Body::new(shape).character(character)
}

/// A block from (2, 3) on is above the right part of the head. Up to the limit the jump passes the block. One unit more
/// ends the jump.
#[test]
fn corner_correction_passes_a_corner_exactly_up_to_the_limit() {
    let canvas = under(&[((2, 3), (6, 3))]);
    let limit = 0.25;
    all_ways_of(pairs(shapes(), [UNIT, 0.1, limit, limit + UNIT]), |way, ((shape, half), over)| {
        // Round to whole units.
        let over = (over / UNIT).round() * UNIT;
        let character = Character { corner_correction: limit, ..jump() };
        let start = (2.0 - half + over, 0.5);
        for is_met in [false, true] {
            let hero = body(shape, character).collision_mask(if is_met {
                CollisionLayers::ALL
            } else {
                CollisionLayers::NONE
            });
            let top = top_of(Stage::new(&canvas, way, hero, start, 40.0), 0, is_met);
            let what = format!("{shape:?} over {over} met {is_met}: {top}");
            if over <= limit {
                // A circle that hardly touches the corner slides off it while the solver plans the tick.
                let slack = if is_met && over <= UNIT { 1e-4 } else { 0.0 };
                assert!((top.x - 2.0 + half).abs() <= slack, "{what}");
                // A body hit within a tick has a velocity that was rounded along its path: 0.002 tiles.
                let near = if is_met { 0.002 } else { NEAR };
                assert!((top.y - 4.5).abs() < near, "{what}");
            } else {
                assert!(top.y < 4.4, "{what}");
                let plain = body(shape, jump());
                let plain = top_of(Stage::new(&canvas, way, plain, start, 40.0), 0, false);
                assert!(is_met || (top - plain).abs().max_element() <= 8.0 * UNIT, "{what} and {plain} without");
            }
        }
    });
}

/// A shaft exactly as wide as the body, which misses the mouth by a tenth of a tile on either side.
#[test]
fn a_body_as_wide_as_a_shaft_is_corrected_into_it() {
    let canvas = under(&[((-6, 3), (-1, 7)), ((1, 3), (6, 7))]);
    all_ways(|way| {
        for (shape, aside) in
            [Shape::aabb(0.5, 0.5), Shape::circle(0.5)].into_iter().flat_map(|s| [(s, 0.125), (s, -0.125)])
        {
            let character = Character { corner_correction: 0.5, ..jump() };
            let top = top_of(Stage::new(&canvas, way, body(shape, character), (0.5 + aside, 0.5), 40.0), 0, false);
            assert!(top.x == 0.5 && (top.y - 4.5).abs() < NEAR, "{shape:?} {aside}: {top}");
        }
    });
}

/// A post narrower than the body, directly above its middle. The input decides. Without input, the post stops the jump.
#[test]
fn input_decides_between_two_equal_corrections() {
    let canvas = under(&[((0, 3), (0, 3))]);
    all_ways(|way| {
        for walk in [0, 127, -127] {
            let character = Character { corner_correction: 2.0, air_acceleration: 0.0, walk_speed: 0.0, ..jump() };
            let hero = body(Shape::aabb(0.75, 0.5), character);
            let top = top_of(Stage::new(&canvas, way, hero, (0.5, 0.5), 40.0), walk, false);
            let expected = 0.5 + 1.25 * f64::from(walk.signum());
            let height = if walk == 0 { 2.5 } else { 4.5 };
            assert!(top.x == expected && (top.y - height).abs() < NEAR, "{walk}: {top}");
        }
    });
}

/// The character comes to the block from the left at full speed: a correction to the left would be against its motion.
#[test]
fn no_corner_is_passed_against_the_motion() {
    let canvas = under(&[((2, 3), (6, 3))]);
    all_ways(|way| {
        // The character's head is a quarter of a tile below the ceiling, and an eighth of a tile of its width is under
        // the ceiling.
        let character = Character { corner_correction: 0.5, air_acceleration: 0.0, ..jump() };
        let hero = |aside: f64| body(Shape::aabb(0.375, 0.5), character).velocity((aside, 24.0));
        for (aside, passes) in [(1.0, false), (-1.0, true)] {
            let mut stage = Stage::new(&canvas, way, hero(aside), (2.0 - 0.375 + 0.125, 2.25), 40.0);
            stage.step(0, false);
            let (place, velocity) = (stage.place(), stage.velocity());
            assert_eq!(velocity.y > 20.0, passes, "{aside}: {velocity} at {place}");
            assert_eq!(velocity.x, aside, "it keeps its speed aside");
            assert!(!passes || place.x < 2.0 - 0.375, "{place}");
        }
    });
}

/// A block with its top at 2 and its left side at 4. Without gravity, a character flies against it at 6 tiles/s. Its
/// underside may be below the top up to the limit. One unit more stops it.
#[test]
fn ledge_correction_lifts_a_flight_exactly_up_to_the_limit() {
    let canvas = under(&[((4, 0), (6, 1))]);
    let limit = 0.25;
    all_ways(|way| {
        for below in [UNIT, 0.125, limit, limit + UNIT] {
            let character = Character { ledge_correction: limit, ..jump() };
            let hero = |gravity: f64| {
                let body = body(Shape::aabb(0.375, 0.5), Character { jump_time: gravity, ..character });
                body.velocity((6.0, 0.0))
            };
            let mut stage = Stage::new(&canvas, way, hero(0.0), (3.5625, 2.5 - below), 0.0);
            stage.step(127, false);
            let (place, velocity) = (stage.place(), stage.velocity());
            let what = format!("below {below}: {place} {velocity}");
            if below <= limit {
                // The character accelerates towards 8 by 40 / 60 in the tick, and moves at the mean speed.
                let way = (6.0 + 6.0 + 40.0 * TICK) / 2.0 * TICK;
                assert!((place.x - 3.5625 - way).abs() < NEAR && place.y == 2.5, "{what}");
                assert!((velocity.x - 6.0 - 40.0 * TICK).abs() < 1e-9, "{what}");
            } else {
                assert!(place == DVec2::new(3.625, 2.5 - below) && velocity.x == 0.0, "{what}");
            }
            // With gravity, the character stands on the block, and has not lost speed.
            let mut stage = Stage::new(&canvas, way, hero(0.4), (3.5625, 2.5 - below + 0.0078125), 0.0);
            stage.step(127, false);
            stage.step(127, false);
            let stands = stage.hero().on_floor() && stage.place().y >= 2.5 && stage.velocity().x >= 6.0;
            assert!(stands || below > 0.2, "{what} then {} {}", stage.place(), stage.velocity());
        }
    });
}

/// A platform of five blocks with its underside at 4, at rest and moving down. A jump passes its corner as that of
/// terrain: 0.25 of the head are under it.
#[test]
fn the_end_of_a_platform_is_passed_too() {
    let rows = ["............"; 9].into_iter().chain(["############"]);
    let map = surefoot::Map::from_rows(rows).unwrap();
    for moves in [false, true] {
        for (correction, passes) in [(0.25, true), (0.25 - UNIT, false)] {
            let mut world = World::new(map.clone(), Settings::default());
            let block = crate::platforms::rows(&map, &["#####"], 3.0, 4.0);
            let points = [(0.0, 0.0), (0.0, -0.25)].map(|(x, y)| position(x, y)).to_vec();
            let path = Path { points, timing: PathTiming::Speed(0.25), ..Path::default() };
            world.spawn_platform(if moves { block.path(path) } else { block }).unwrap();
            let hero = body(Shape::aabb(0.375, 0.5), Character { corner_correction: correction, ..jump() });
            let hero = world.spawn(hero.at((3.0 - 0.375 + 0.25, 1.5))).unwrap();
            world.step();
            world.set_input(hero, Input { jump: true, ..Input::default() });
            let mut top: f64 = 0.0;
            for _ in 0..30 {
                world.step();
                top = top.max(world[hero].position().to_dvec2().y);
            }
            assert_eq!((top - 5.5).abs() < NEAR, passes, "moves {moves}, {correction}: {top}");
            let x = world[hero].position().to_dvec2().x;
            assert_eq!(x == 3.0 - 0.375, passes, "moves {moves}, {correction}: {x} {top}");
        }
    }
}

/// If the correction would be too long, nothing changes: at a wide ceiling, a high wall, and a floor.
#[test]
fn a_correction_that_would_be_too_long_changes_nothing() {
    let canvas = under(&[((-8, 3), (7, 3)), ((3, 0), (3, 2))]);
    all_ways(|way| {
        for (shape, _) in shapes() {
            let run = |nudge: f64| {
                let character = Character { corner_correction: nudge, ledge_correction: nudge, ..jump() };
                let mut stage = Stage::new(&canvas, way, body(shape, character), (0.5, 0.5), 40.0);
                (0..240)
                    .map(|tick| {
                        stage.step(if tick % 90 < 60 { 127 } else { -127 }, tick % 50 < 25);
                        (stage.place(), stage.velocity())
                    })
                    .collect::<Vec<_>>()
            };
            for (tick, (plain, with)) in run(0.0).into_iter().zip(run(0.5)).enumerate() {
                let off = (plain.0 - with.0).abs().max((plain.1 - with.1).abs() * TICK).max_element();
                assert!(off <= 1e-6, "{shape:?} tick {tick}: {plain:?} and {with:?}");
            }
        }
    });
}

/// Down gives a fall a higher speed limit, and never slows it down. After the release, gravity's 50 per second slow it
/// to the normal limit.
#[test]
fn a_fast_fall_has_a_limit_of_its_own() {
    all_ways(|way| {
        for (held, fast_fall_speed, expected) in
            [(false, 20.0, 12.0), (true, 20.0, 20.0), (true, 4.0, 12.0), (true, 0.0, 12.0)]
        {
            let character = Character { max_fall_speed: 12.0, fast_fall_speed, ..jump() };
            let hero = body(Shape::circle(0.5), character);
            let mut stage = Stage::new(&under(&[]), way, hero, (0.5, 60.0), 0.0);
            let input = Input { down: held, ..Input::default() };
            (0..60).for_each(|_| stage.input(input));
            assert_eq!(stage.velocity().y, -expected, "{held} {fast_fall_speed}");
            stage.step(0, false);
            let slowed = if expected > 12.0 { expected - 50.0 * TICK } else { 12.0 };
            assert!((stage.velocity().y + slowed).abs() < 1e-9, "{held} {fast_fall_speed}");
            (0..20).for_each(|_| stage.step(0, false));
            assert_eq!(stage.velocity().y, -12.0, "{held} {fast_fall_speed}");
        }
    });
}

/// A sleeping crate stands next to the head, under the end of the block, where the correction would move the hero. It
/// is in the way and must not be overlapped, although the hero was alone until then. At 240 ticks per second, the hero
/// moves less in a tick than the correction.
#[test]
fn a_correction_does_not_overlap_a_body_in_its_way() {
    let canvas = under(&[((2, 3), (6, 3)), ((-1, 0), (0, 1))]);
    all_ways(|way| {
        for has_crate in [false, true] {
            let character = Character { corner_correction: 0.75, ..jump() };
            let over = 0.6875;
            let hero = body(Shape::aabb(0.375, 0.5), character).collision_mask(CollisionLayers::ALL);
            let mut stage = Stage::at_rate(&canvas, way, hero, (2.0 - 0.375 + over, 0.5), (40.0, 240.0));
            let crate_ = has_crate.then(|| {
                // The crate is further from the hero than the hero moves in a tick, but where the correction would move
                // the hero.
                let body = Body::new(Shape::aabb(0.125, 0.5)).friction(0.5).collision_mask(CollisionLayers::ALL);
                let body = body.gravity_scale(0.0);
                stage.world.spawn(body.at(position(1.4375, 2.5))).unwrap()
            });
            (0..40).for_each(|_| stage.step(0, false));
            let mut top: f64 = 0.0;
            for _ in 0..120 {
                stage.step(0, true);
                top = top.max(stage.place().y);
                if let Some(other) = crate_ {
                    let off = to_lengths(stage.world[other].position() - stage.hero().position()).abs();
                    assert!(off.x >= 0.5 || off.y >= 1.0, "{off}");
                }
            }
            assert_eq!(top > 4.0, !has_crate, "{has_crate}: {top}");
        }
    });
}
