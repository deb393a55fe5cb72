//! Ledge grabs: exactly up to the reach, at any falling speed, until the character releases, jumps, or pulls itself up
//! where there is room. Computed by hand.

use crate::climbing::{area, climbable};
use crate::nudges::{NEAR, TICK, Tile, body, jump, under};
use crate::scene::{Canvas, ONE, position};
use crate::table::{MASKS, Stage, Way, all_ways_of, all_ways_with, pairs};
use surefoot::geometry::{DVec2, I64Vec2};
use surefoot::map::{CollisionLayers, TileId};
use surefoot::platform::{Path, PathTiming};
use surefoot::prelude::*;
use surefoot::{Input, World};

const UNIT: f64 = 1.0 / ONE as f64;

/// How far past the corner a centre is after a pull-up: the contact tolerance and one unit.
const PAST: f64 = 17.0 * UNIT;

fn shapes() -> [(Shape, f64); 2] {
    [(Shape::aabb(0.375, 0.5), 0.375), (Shape::circle(0.5), 0.5)]
}

/// A wall from x = 2 to 5 with its top at y = 6.
fn wall(more: &[(Tile, Tile)]) -> Canvas {
    under(&[&[((2, 0), (4, 5))], more].concat())
}

/// A character that falls with 50 tiles per second squared.
fn hanger(ledge_grab: f64) -> Character {
    Character { ledge_grab, ledge_climb_time: 0.2, max_fall_speed: 24.0, ..jump() }
}

/// A character next to the wall, with its top a given distance above the wall's top.
fn stage(
    canvas: &Canvas,
    way: &Way,
    mask: CollisionLayers,
    (shape, half): (Shape, f64),
    above: f64,
    character: Character,
) -> Stage {
    let hero = body(shape, character).collision_mask(mask);
    Stage::new(canvas, way, hero, (2.0 - half, 5.5 + above), 40.0)
}

fn tick(stage: &mut Stage, held: (i8, i8), jump: bool) {
    stage.tick(held, jump);
    assert!(!stage.world.is_in_terrain(stage.hero), "{}", stage.place());
}

fn hangs(stage: &Stage) -> bool {
    stage.hero().is_hanging()
}

/// With its top below the ledge by exactly its reach, the character hangs after one tick and stays. One unit lower, it
/// falls.
#[test]
fn a_character_hangs_within_its_reach_and_not_a_unit_beyond() {
    all_ways_with(shapes(), |way, shape, mask| {
        for (below, reaches) in [(0.0, true), (0.25, true), (0.25 + UNIT, false)] {
            let mut stage = stage(&wall(&[]), way, mask, shape, -below, hanger(0.25));
            tick(&mut stage, (1, 0), false);
            assert_eq!(hangs(&stage), reaches, "{below}");
            if !reaches {
                assert!((stage.velocity().y + 50.0 * TICK).abs() < NEAR, "{}", stage.velocity());
                continue;
            }
            for _ in 0..20 {
                assert_eq!(stage.place(), DVec2::new(2.0 - shape.1, 5.5));
                tick(&mut stage, (0, 0), false);
                assert!(hangs(&stage) && stage.velocity() == DVec2::ZERO && !stage.hero().on_floor());
            }
        }
        // The character does not hang without input towards the wall, without a reach, or while it rises.
        let mut idle = self::stage(&wall(&[]), way, mask, shape, -0.1, hanger(0.25));
        tick(&mut idle, (0, 0), false);
        let mut plain = self::stage(&wall(&[]), way, mask, shape, -0.1, hanger(0.0));
        tick(&mut plain, (1, 0), false);
        let mut rising = self::stage(&wall(&[]), way, mask, shape, -0.1, hanger(0.25));
        rising.world.set_velocity(rising.hero, DVec2::new(0.0, 1.0)).unwrap();
        tick(&mut rising, (1, 0), false);
        assert!(!hangs(&idle) && !hangs(&plain) && !hangs(&rising));
    });
}

/// From rest, 0.1 above the ledge: it falls 50 (n / 60)^2 / 2 in n ticks, 0.0625 in three and more than 0.1 in four. At
/// 24 tiles per second it falls 0.4 per tick; 0.45 above, it hangs after the second tick.
#[test]
fn a_character_hangs_in_the_tick_in_which_it_would_fall_past() {
    all_ways_with(shapes(), |way, shape, mask| {
        let mut slow = stage(&wall(&[]), way, mask, shape, 0.1, hanger(UNIT));
        (0..3).for_each(|_| tick(&mut slow, (1, 0), false));
        assert!(!hangs(&slow) && (slow.place().y - 5.6 + 0.0625).abs() < NEAR, "{}", slow.place());
        tick(&mut slow, (1, 0), false);
        assert!(hangs(&slow), "{}", slow.place());

        let mut fast = stage(&wall(&[]), way, mask, shape, 0.45, hanger(UNIT));
        fast.world.set_velocity(fast.hero, DVec2::new(0.0, -24.0)).unwrap();
        tick(&mut fast, (1, 0), false);
        assert!(!hangs(&fast) && (fast.place().y - 5.55).abs() < NEAR, "{}", fast.place());
        tick(&mut fast, (1, 0), false);
        assert!(hangs(&fast));

        // A tenth of a tile from the wall, at 8 tiles per second, the character reaches the wall within the tick. By
        // then it has fallen by 0.3, and it falls by 0.1 more.
        let comes = |above: f64, reach: f64| {
            let hero = body(shape.0, hanger(reach)).collision_mask(mask).velocity((8.0, -24.0));
            let mut stage = Stage::new(&wall(&[]), way, hero, (1.9 - shape.1, 5.5 + above), 40.0);
            tick(&mut stage, (1, 0), false);
            stage
        };
        let [caught, passed, reached, above] =
            [(0.35, UNIT), (0.29, UNIT), (0.29, 0.02), (0.41, UNIT)].map(|(above, reach)| comes(above, reach));
        assert!(hangs(&caught) && !hangs(&passed) && hangs(&reached) && !hangs(&above));
        for stage in [&slow, &fast, &caught, &reached] {
            assert!(
                (stage.place() - DVec2::new(2.0 - shape.1, 5.5)).abs().max_element() <= 2.0 * UNIT,
                "{}",
                stage.place()
            );
        }
    });
}

/// Down releases the ledge: the character falls at once, past the same ledge, even if input points to its wall. Input
/// away releases it too; afterwards it may hang again.
#[test]
fn a_character_releases_a_ledge() {
    all_ways_with(shapes(), |way, shape, mask| {
        let new = || {
            let mut stage = stage(&wall(&[]), way, mask, shape, 0.0, hanger(0.5));
            (0..5).for_each(|_| tick(&mut stage, (1, 0), false));
            assert!(hangs(&stage));
            stage
        };
        let mut falls = new();
        tick(&mut falls, (1, -1), false);
        for n in 1..=20 {
            let time = f64::from(n) * TICK;
            let fallen = 25.0 * time * time;
            assert!(!hangs(&falls) && (falls.place().y - 5.5 + fallen).abs() < NEAR, "{n}: {}", falls.place());
            tick(&mut falls, (1, 0), false);
        }
        let mut away = new();
        tick(&mut away, (-1, 0), false);
        assert!(!hangs(&away) && (away.velocity().y + 50.0 * TICK).abs() < NEAR);
        let mut ticks = 0;
        while !hangs(&away) {
            tick(&mut away, (1, 0), false);
            ticks += 1;
            assert!(ticks < 10, "{}", away.place());
        }
    });
}

/// A press of jump is a jump of four tiles in 24 ticks, straight up. A button held since before is not a press. In the
/// air, the character has its air jump and its dash again.
#[test]
fn a_character_jumps_off_a_ledge() {
    all_ways_with(shapes(), |way, shape, mask| {
        let character = Character { air_jumps: 1, ..hanger(0.25) };
        let mut stage = stage(&wall(&[]), way, mask, shape, -0.2, character);
        // Use up the air jump, which ends next to the wall.
        tick(&mut stage, (0, 0), true);
        while stage.velocity().y > -50.0 * TICK || stage.place().y > 5.5 {
            tick(&mut stage, (0, 0), true);
        }
        (0..3).for_each(|_| tick(&mut stage, (1, 0), true));
        assert!(hangs(&stage));
        tick(&mut stage, (0, 0), false);
        for n in 1..=24 {
            tick(&mut stage, (0, 0), true);
            let time = f64::from(n) * TICK;
            let height = 20.0 * time - 25.0 * time * time;
            assert!((stage.place().y - 5.5 - height).abs() < NEAR && !hangs(&stage), "{n}: {}", stage.place());
        }
        tick(&mut stage, (0, 0), false);
        tick(&mut stage, (0, 0), true);
        assert!(stage.velocity().y > 15.0, "it has its jump in the air again: {}", stage.velocity());
    });
}

/// Hanging restores the air jump and the dash, as standing does: both are used up before, and available after the
/// release.
#[test]
fn hanging_restores_air_jumps_and_dash() {
    all_ways_with(shapes(), |way, shape, mask| {
        let character = Character { air_jumps: 1, dash_speed: 6.0, dash_time: 2.0 * TICK, ..hanger(0.5) };
        for dashes in [false, true] {
            let mut stage = stage(&wall(&[]), way, mask, shape, 0.3, character);
            let asks = |stage: &mut Stage| {
                let input = Input { dash: dashes, up: dashes, ..stage.held(0, !dashes) };
                stage.input(input);
                stage.velocity().y
            };
            assert!(asks(&mut stage) > 5.0, "it had it at first");
            while stage.velocity().y > -50.0 * TICK {
                tick(&mut stage, (0, 0), false);
            }
            assert!(asks(&mut stage) < 0.0, "it is used up: {}", stage.velocity());
            // First fall next to the wall: higher up, the character would get onto the top.
            while stage.place().y > 5.9 {
                tick(&mut stage, (0, 0), false);
            }
            let mut ticks = 0;
            while !hangs(&stage) {
                tick(&mut stage, (1, 0), false);
                ticks += 1;
                assert!(ticks < 20, "{dashes}: {}", stage.place());
            }
            tick(&mut stage, (0, -1), false);
            assert!(!hangs(&stage) && stage.velocity().y < 0.0);
            assert!(asks(&mut stage) > 5.0, "{dashes}: {}", stage.velocity());
        }
    });
}

/// A set velocity ends hanging: 6 upwards, minus one tick of gravity.
#[test]
fn a_set_velocity_ends_hanging() {
    all_ways_with(shapes(), |way, shape, mask| {
        let mut stage = stage(&wall(&[]), way, mask, shape, 0.0, hanger(0.25));
        (0..3).for_each(|_| tick(&mut stage, (1, 0), false));
        assert!(hangs(&stage));
        stage.world.set_velocity(stage.hero, DVec2::new(0.0, 6.0)).unwrap();
        tick(&mut stage, (1, 0), false);
        assert!(!hangs(&stage) && (stage.velocity().y - 6.0 + 50.0 * TICK).abs() < NEAR, "{}", stage.velocity());
    });
}

/// Up pulls the character up, first upwards and then onto the ledge, in a fifth of a second. After exactly 12 ticks, it
/// stands with its centre over the end of the wall. A time of 0 takes two ticks. Afterwards it stays there, and input
/// works again.
#[test]
fn a_character_pulls_itself_up() {
    all_ways_with(shapes(), |way, shape, mask| {
        for (ledge_climb_time, ticks) in [(0.2, 12), (0.0, 2), (2.4 * TICK, 2), (2.6 * TICK, 3)] {
            let character = Character { ledge_climb_time, ..hanger(0.25) };
            let mut stage = stage(&wall(&[]), way, mask, shape, 0.0, character);
            tick(&mut stage, (1, 0), false);
            let top = DVec2::new(2.0 + PAST, 6.5);
            for n in 1..=ticks {
                let before = stage.place();
                // The pull-up continues, whatever is held.
                tick(&mut stage, if n == 1 { (0, 1) } else { (-1, -1) }, false);
                let way = stage.place() - before;
                assert!(way.min_element() == 0.0 && way.max_element() > 0.0, "{n}: {way}");
                assert!(way.x == 0.0 || before.y == 6.5, "up, and then onward");
                assert!(!hangs(&stage) && stage.hero().is_climbing_ledge());
                assert_eq!(stage.place() == top, n == ticks, "{n}: {}", stage.place());
            }
            assert!(stage.hero().on_floor());
            tick(&mut stage, (0, 0), false);
            assert_eq!((stage.place(), stage.velocity()), (top, DVec2::ZERO));
            assert!(!stage.hero().is_climbing_ledge() && stage.hero().on_floor());
            tick(&mut stage, (0, 0), true);
            assert!(stage.velocity().y > 15.0);
        }
    });
}

/// A ceiling at 8 leaves two tiles above the ledge: enough for a box of that height. A box one unit higher keeps
/// hanging.
#[test]
fn a_pull_up_needs_room() {
    for from in [1, 2] {
        let canvas = wall(&[((from, 8), (5, 8))]);
        all_ways_of(pairs(MASKS, [0, 1]), |way, (mask, higher)| {
            let shape = Shape::aabb_units(I64Vec2::new(ONE / 4, ONE + higher));
            let hero = body(shape, hanger(0.25)).collision_mask(mask);
            let at = (1.75, 5.0 - higher as f64 * UNIT);
            let mut stage = Stage::new(&canvas, way, hero, at, 40.0);
            tick(&mut stage, (1, 0), false);
            assert!(hangs(&stage));
            (0..30).for_each(|_| tick(&mut stage, (0, 1), false));
            assert_eq!(stage.place().y > 6.0, higher == 0, "{from} {higher}: {}", stage.place());
            assert_eq!(hangs(&stage), higher == 1);
        });
    }
}

/// A covered corner is not a ledge. If the tile under the hands is removed, the character falls to the next wall
/// corner.
#[test]
fn a_ledge_is_a_free_corner() {
    all_ways_with(shapes(), |way, shape, mask| {
        let mut covered = stage(&wall(&[((2, 6), (2, 6))]), way, mask, shape, 0.0, hanger(0.25));
        tick(&mut covered, (1, 0), false);
        assert!(!hangs(&covered));

        let mut painted = stage(&wall(&[]), way, mask, shape, 0.0, hanger(0.25));
        (0..3).for_each(|_| tick(&mut painted, (1, 0), false));
        assert!(hangs(&painted));
        painted.world.set_tile(0, (2, 5), TileId::EMPTY).unwrap();
        tick(&mut painted, (0, 0), false);
        assert!(!hangs(&painted) && (painted.velocity().y + 50.0 * TICK).abs() < NEAR, "{}", painted.velocity());
        (0..8).for_each(|_| tick(&mut painted, (0, 0), false));
        (0..14).for_each(|_| tick(&mut painted, (1, 0), false));
        assert!(hangs(&painted) && (painted.place().y - 4.5).abs() <= UNIT, "{}", painted.place());
    });
}

/// The floor at the wall's corner may rise or fall by 45 degrees. A steeper one is not a ledge.
#[test]
fn a_ledge_of_a_slope() {
    let ends = [("slope_45", 5.0, true), ("slope_45 r1", 6.0, true), ("half_slope_high m r3", 5.0, false)];
    for (name, end, is_ledge) in ends {
        let mut canvas = under(&[((2, 0), (4, 4))]);
        canvas.paint((2, 5), name);
        all_ways_with(shapes(), |way, shape, mask| {
            let mut stage = stage(&canvas, way, mask, shape, end - 6.1, hanger(0.25));
            tick(&mut stage, (1, 0), false);
            assert_eq!(hangs(&stage), is_ledge, "{name}: {}", stage.place());
            (0..13).for_each(|_| tick(&mut stage, (0, 1), false));
            assert_eq!(stage.hero().on_floor(), is_ledge, "{name}: {}", stage.place());
            // A box that stands with a corner on the slope is half of its width above or below the wall's corner.
            let (half, x) = (shape.1, 2.0 + PAST);
            let round = 0.5 * 2.0_f64.sqrt() - 0.5;
            let expected = match (name, shape.0.is_circle()) {
                ("slope_45", false) => 5.0 + half + PAST,
                ("slope_45", true) => 5.0 + PAST + round,
                // The box rests on the wall's corner.
                ("slope_45 r1", false) => 6.0,
                ("slope_45 r1", true) => 6.0,
                _ => return,
            };
            assert!(
                (stage.place() - DVec2::new(x, expected + 0.5)).abs().max_element() < NEAR,
                "{name}: {}",
                stage.place()
            );
        });
    }
}

/// A crate on the ledge is in the way: it is pushed or not, and never overlapped. The pull-up ends after its time.
#[test]
fn a_pull_up_does_not_overlap_a_body_on_the_ledge() {
    all_ways_of([0.01, 1.0, 1e6], |way, mass| {
        let mut stage = stage(&wall(&[]), way, CollisionLayers::ALL, shapes()[0], 0.0, hanger(0.25));
        let other = Body::new(Shape::aabb(0.5, 0.5)).mass(mass).collision_mask(CollisionLayers::ALL);
        let other = stage.world.spawn(other.at(position(2.625, 6.5))).unwrap();
        tick(&mut stage, (1, 0), false);
        assert!(hangs(&stage));
        for n in 1..=40 {
            tick(&mut stage, if n == 1 { (0, 1) } else { (0, 0) }, false);
            let off = stage.place() - stage.world[other].position().to_dvec2();
            assert!(off.x.abs() >= 0.875 || off.y.abs() >= 1.0, "{mass} {n}: {off}");
            assert!(n <= 12 || !stage.hero().is_climbing_ledge());
        }
    });
}

/// A platform comes down on the head of a character hanging on a wall and pushes it out of its reach: the character
/// falls.
#[test]
fn a_platform_pushes_a_hanging_character_off() {
    let rows = ["............"; 4].into_iter().chain([".....#######"; 5]).chain(["############"]);
    let map = surefoot::Map::from_rows(rows).unwrap();
    let block = crate::platforms::rows(&map, &["##"], 3.0, 7.0);
    let points = [(0.0, 0.0), (0.0, -2.0)].map(|(x, y)| position(x, y)).to_vec();
    let mut world = World::new(map, Settings::default());
    world.spawn_platform(block.path(Path { points, timing: PathTiming::Speed(2.0), ..Path::default() })).unwrap();
    let hero = world.spawn(body(Shape::aabb(0.375, 0.5), hanger(0.25)).at((5.0 - 0.375, 5.5))).unwrap();
    let mut hung = 0;
    for _ in 0..60 {
        world.set_input(hero, Input::walk(1.0));
        world.step();
        hung += usize::from(world[hero].is_hanging());
        assert!(!world.mover().overlaps(world[hero].shape(), world[hero].position()), "{}", world[hero].position());
    }
    // The platform starts one tile above, and moves two tiles per second. After 28 ticks it leaves less than the 1/16
    // tile that must be free above the ledge.
    assert!((28..=30).contains(&hung) && world[hero].position().to_dvec2().y < 5.0, "{hung} {:?}", world[hero]);
}

/// Up a tile in 8 ticks, then to the wall by a jump of four tiles. At the top of the jump, the hands are level with the
/// ledge, and the character pulls itself up in 12 ticks.
#[test]
fn a_character_climbs_jumps_hangs_and_pulls_itself_up() {
    all_ways_with(shapes(), |way, (shape, _), mask| {
        let character = Character { climb_speed: 7.5, ..hanger(0.25) };
        let mut stage = Stage::new(&wall(&[]), way, body(shape, character).collision_mask(mask), (0.0, 0.5), 40.0);
        area(&mut stage, ((-0.5, 0.0), (0.5, 4.0)), climbable());
        let mut did = [0; 3];
        for tick in 0..80 {
            stage.input(match tick {
                0 => Input::default(),
                9..50 => Input { jump: true, ..Input::walk(1.0) },
                _ => Input { up: true, ..Input::default() },
            });
            let state = stage.hero();
            let holds = [state.is_climbing(), state.is_hanging(), state.is_climbing_ledge()];
            did.iter_mut().zip(holds).for_each(|(did, holds)| *did += usize::from(holds));
        }
        assert_eq!((did[0], did[2]), (8, 12), "{shape:?} {mask:?} {did:?}");
        assert!(did[1] > 10 && stage.hero().on_floor(), "{shape:?} {mask:?} {did:?}");
    });
}
