//! Islands of touching bodies that platforms move. Results are computed by hand, in tiles and tiles per tick.
//!
//! A body that only platforms should move is a character without input. Walls and ceilings give it no velocity, so
//! nothing adds to the platforms' part of the tick. A hovering body stays where this part leaves it.
//!
//! Each scene runs in all ways, and with bodies and platforms spawned in both orders.

use crate::bodies::{ball_at, colliding, crate_at, steps};
use crate::platforms::{floor, path, rows};
use crate::scene::{Canvas, I64Vec2, ONE, often, position};
use crate::table::{Run, Way, all_ways_of, pairs, with_platforms};
use surefoot::World;
use surefoot::map::{TileId, TileLayer};
use surefoot::platform::{OnCrush, Path, PathTiming, Platform, PlatformId, Repeat};
use surefoot::prelude::*;

/// The length of a unit in tiles.
const UNIT: f64 = 1.0 / ONE as f64;

/// A platform of full blocks with its lower left corner.
#[derive(Clone, Copy)]
pub struct Wall {
    at: (f64, f64),
    size: (u32, u32),
    on_crush: OnCrush,
}

/// A platform that stops when it crushes a body.
pub fn wall(x: f64, y: f64, width: u32, height: u32) -> Wall {
    Wall { at: (x, y), size: (width, height), on_crush: OnCrush::Stop }
}

impl Wall {
    fn goes_on(self) -> Wall {
        Wall { on_crush: OnCrush::PassThrough, ..self }
    }
}

/// Content of a scene at its start.
#[derive(Clone)]
pub struct Stage {
    pub canvas: Canvas,
    falls: bool,
    walls: Vec<Wall>,
    bodies: Vec<Body>,
}

/// State after a tick: the centres of the bodies, the lower left corners of the platforms, and which platform crushed
/// which body in that tick.
#[derive(Debug, PartialEq)]
pub struct Found {
    bodies: Vec<I64Vec2>,
    walls: Vec<I64Vec2>,
    crushed: Vec<(usize, usize)>,
}

pub fn found(bodies: &[(f64, f64)], walls: &[(f64, f64)], crushed: &[(usize, usize)]) -> Found {
    let all = |list: &[(f64, f64)]| list.iter().map(|&(x, y)| position(x, y).units()).collect();
    Found { bodies: all(bodies), walls: all(walls), crushed: crushed.to_vec() }
}

impl Stage {
    /// A scene without gravity whose terrain is a few full blocks.
    pub fn floating(blocks: &[(i32, i32)]) -> Stage {
        let mut canvas = Canvas::default();
        // A map needs at least one cell: one that no body reaches.
        canvas.paint((-20, -20), "full_block");
        blocks.iter().for_each(|&tile| canvas.paint(tile, "full_block"));
        Stage { canvas, falls: false, walls: Vec::new(), bodies: Vec::new() }
    }

    /// A scene with gravity.
    pub fn falling(blocks: &[(i32, i32)]) -> Stage {
        Stage { falls: true, ..Stage::floating(blocks) }
    }

    pub fn with(self, walls: &[Wall], bodies: &[Body]) -> Stage {
        Stage { walls: walls.to_vec(), bodies: bodies.to_vec(), ..self }
    }

    fn begin(&self, way: &Way, reversed: bool) -> (Run, Vec<BodyId>, Vec<PlatformId>) {
        let gravity = if self.falls { 40.0 } else { 0.0 };
        let mut world = way.world(&self.canvas, Settings::default().gravity((0.0, -gravity)));
        let order =
            |count: usize| -> Vec<usize> { if reversed { (0..count).rev().collect() } else { (0..count).collect() } };
        let block = world.map().catalogue().find_variant("full_block").unwrap();
        let mut platforms = vec![PlatformId::default(); self.walls.len()];
        for i in order(self.walls.len()) {
            let Wall { at, size: (width, height), on_crush } = self.walls[i];
            let mut layer = TileLayer::new(TileLayer::DEFAULT_NAME, width, height);
            layer.cells.fill(TileId(block.0 + 1));
            platforms[i] = world.spawn_platform(Platform::new(vec![layer]).at(at).on_crush(on_crush)).unwrap();
        }
        let mut ids = vec![BodyId::default(); self.bodies.len()];
        for i in order(self.bodies.len()) {
            ids[i] = world.spawn(self.bodies[i].clone()).unwrap();
        }
        (world, ids, platforms)
    }

    /// Runs the scene in all ways and both orders. In each tick, each platform is driven by its displacement, and the
    /// state must equal the expected one, to the unit.
    #[track_caller]
    pub fn check(&self, ticks: u32, ways: &[(f64, f64)], expected: impl Fn(u32) -> Found) {
        all_ways_of([false, true], |way, reversed| {
            let (mut world, ids, platforms) = self.begin(way, reversed);
            if self.falls {
                (0..20).for_each(|_| world.step());
                let put: Vec<_> = self.bodies.iter().map(|body| body.position.unwrap().units()).collect();
                assert_eq!(
                    positions_in_world(&world, &ids, &platforms).bodies,
                    put,
                    "nothing moves before the first tick"
                );
            }
            for tick in 1..=ticks {
                for (&platform, &(x, y)) in platforms.iter().zip(ways) {
                    if (x, y) != (0.0, 0.0) {
                        let to = world.platform_at(platform) + position(x, y).units();
                        world.drive_platform(platform, to).unwrap();
                    }
                }
                world.step();
                let (found, expected) = (positions_in_world(&world, &ids, &platforms), expected(tick));
                let tiles = |list: &[I64Vec2]| list.iter().map(|v| v.as_dvec2() * UNIT).collect::<Vec<_>>();
                assert!(
                    found == expected,
                    "reversed: {reversed}, tick {tick}: bodies {:?}, platforms {:?}, crushed {:?}\nand not {:?}, {:?}, {:?}",
                    tiles(&found.bodies),
                    tiles(&found.walls),
                    found.crushed,
                    tiles(&expected.bodies),
                    tiles(&expected.walls),
                    expected.crushed,
                );
            }
        });
    }
}

/// Returns positions and events of the last tick.
fn positions_in_world(world: &Run, ids: &[BodyId], platforms: &[PlatformId]) -> Found {
    let crushed = world.events().iter().filter_map(|event| {
        let EventKind::Crushed { platform } = event.kind else { return None };
        let body = ids.iter().position(|id| *id == event.body)?;
        Some((body, platforms.iter().position(|id| *id == platform)?))
    });
    let mut crushed: Vec<(usize, usize)> = crushed.collect();
    crushed.sort_unstable();
    let bodies = ids.iter().map(|id| world[*id].position().units()).collect();
    Found { bodies, walls: platforms.iter().map(|id| world.platform_at(*id).units()).collect(), crushed }
}

/// A character without input.
pub fn body_at(shape: Shape, x: f64, y: f64) -> Body {
    colliding(shape).character(Character::default()).at((x, y))
}

pub fn block(x: f64, y: f64) -> Body {
    body_at(Shape::aabb(0.5, 0.5), x, y)
}

/// Touching blocks in a row that starts at `left`.
pub fn row(count: usize, left: f64) -> Vec<Body> {
    (0..count).map(|i| block(left + 0.5 + i as f64, 0.5)).collect()
}

/// Returns the centres of such a row.
pub fn row_at(count: usize, left: f64) -> Vec<(f64, f64)> {
    (0..count).map(|i| (left + 0.5 + i as f64, 0.5)).collect()
}

/// Blocks of the ground, with its top at 0.
pub fn ground(from: i32, to: i32) -> Vec<(i32, i32)> {
    (from..=to).map(|x| (x, -1)).collect()
}

/// Three bodies in a row from 0 to 3. The left wall's side starts at -0.5 and touches them after two ticks of 0.25. The
/// right wall's side, at 3.75, is then at 3.25. In the third tick the gap of 0.25 closes by 0.5: after half of the
/// tick, each wall has moved 0.125.
#[test]
fn a_row_between_two_walls_stops_both_flush() {
    let walls = [wall(-1.5, 0.0, 1, 1), wall(3.75, 0.0, 1, 1)];
    Stage::floating(&[]).with(&walls, &row(3, 0.0)).check(8, &[(0.25, 0.0), (-0.25, 0.0)], |tick| match tick {
        1 | 2 => {
            let way = 0.25 * f64::from(tick);
            found(&row_at(3, 0.0), &[(-1.5 + way, 0.0), (3.75 - way, 0.0)], &[])
        }
        _ => {
            let crushed = if tick == 3 { &[(0, 0), (2, 1)][..] } else { &[] };
            found(&row_at(3, 0.125), &[(-0.875, 0.0), (3.125, 0.0)], crushed)
        }
    });
}

/// As above, but the walls do not stop. In tick 3 they pass into the outer bodies and ignore them from then on: nothing
/// moves.
///
/// - One wall reaches the left side of the middle body, 1, at the end of tick 6. The other wall reaches its right side, 2, at
///   the end of tick 7. In tick 7 the middle body is pushed, and has no room after half of the tick: both walls pass into it
///   too.
/// - The left wall reaches the last body, 2 to 3, at the end of tick 10 and pushes it from tick 11 on. The right wall, at
///   3.75 - 0.25 k, reaches the first body at the end of tick 11 and pushes it from tick 12 on. Neither pair has touched
///   before.
#[test]
fn a_row_between_two_walls_that_do_not_stop_is_passed_once() {
    let walls = [wall(-1.5, 0.0, 1, 1).goes_on(), wall(3.75, 0.0, 1, 1).goes_on()];
    Stage::floating(&[]).with(&walls, &row(3, 0.0)).check(14, &[(0.25, 0.0), (-0.25, 0.0)], |tick| {
        let way = 0.25 * f64::from(tick);
        let pushed = |from: u32| 0.25 * f64::from(tick.saturating_sub(from));
        let bodies = [(0.5 - pushed(11), 0.5), (1.5, 0.5), (2.5 + pushed(10), 0.5)];
        let crushed: &[(usize, usize)] = match tick {
            3 => &[(0, 0), (2, 1)],
            7 => &[(1, 0), (1, 1)],
            _ => &[],
        };
        found(&bodies, &[(-1.5 + way, 0.0), (3.75 - way, 0.0)], crushed)
    });
}

/// The wall's side is 0.125 in front of a row that has room for 0.1875 + 0.125. Tick 1 pushes the row by 0.125. In tick
/// 2 it has room for 0.1875 of 0.25. A wall that moves on reaches the next body 4 ticks later, and does the same to it.
///
/// The scene is shifted by 0.5625, so that the terrain is at a whole tile.
#[test]
fn a_row_before_terrain_is_pushed_to_it() {
    for count in [1, 2] {
        let stage = Stage::floating(&[(1 + count as i32, 0)]);
        let bodies = row(count, 0.6875);
        stage.clone().with(&[wall(-0.4375, 0.0, 1, 1)], &bodies).check(5, &[(0.25, 0.0)], |tick| match tick {
            1 => found(&row_at(count, 0.8125), &[(-0.1875, 0.0)], &[]),
            _ => found(&row_at(count, 1.0), &[(0.0, 0.0)], if tick == 2 { &[(0, 0)] } else { &[] }),
        });
        stage.with(&[wall(-0.4375, 0.0, 1, 1).goes_on()], &bodies).check(18, &[(0.25, 0.0)], |tick| {
            let crushed: Vec<_> = (0..count).filter(|i| tick as usize == 2 + 4 * i).map(|i| (i, 0)).collect();
            found(&row_at(count, 0.8125), &[(-0.4375 + 0.25 * f64::from(tick), 0.0)], &crushed)
        });
    }
}

/// One wall touches the row and moves by 0.5. The other one comes by 0.25 from a gap of 0.25, which closes after a
/// third of the tick. A third of 0.5 is 715827882.67 units, of 0.25 it is 357913941.33.
#[test]
fn two_walls_touch_a_row_after_a_third_of_a_tick() {
    let (fast, slow) = (715_827_883.0 * UNIT, 357_913_941.0 * UNIT);
    for count in [1, 2] {
        let right = count as f64 + 0.25;
        let walls = [wall(-1.0, 0.0, 1, 1), wall(right, 0.0, 1, 1)];
        Stage::floating(&[]).with(&walls, &row(count, 0.0)).check(3, &[(0.5, 0.0), (-0.25, 0.0)], |tick| {
            let crushed = if tick == 1 { &[(0, 0), (count - 1, 1)][..] } else { &[] };
            found(&row_at(count, fast), &[(-1.0 + fast, 0.0), (right - slow, 0.0)], crushed)
        });
    }
}

/// Both walls touch the row, which has room for 0.3125. In tick 2, the fast wall has moved 0.0625 when no room is left.
/// In tick 3 the slow wall arrives after 0.0625.
///
/// The scene is shifted by 0.6875, so that the terrain is at a whole tile.
#[test]
fn two_walls_from_one_side_stop_one_after_the_other() {
    for count in [1, 2] {
        let walls = [wall(-0.3125, -0.5, 1, 1), wall(-0.3125, 0.5, 1, 1)];
        let stage = Stage::floating(&[(1 + count as i32, 0)]).with(&walls, &row(count, 0.6875));
        stage.check(5, &[(0.25, 0.0), (0.125, 0.0)], |tick| {
            let (fast, slow, crushed): (f64, f64, &[_]) = match tick {
                1 => (0.25, 0.125, &[]),
                2 => (0.3125, 0.25, &[(0, 0)]),
                3 => (0.3125, 0.3125, &[(0, 1)]),
                _ => (0.3125, 0.3125, &[]),
            };
            found(&row_at(count, 0.6875 + fast), &[(-0.3125 + fast, -0.5), (-0.3125 + slow, 0.5)], crushed)
        });
    }
}

/// The body on top of the first one moves with it. The row reaches the second body at 1.5, and the terrain at 4, in
/// tick 9. Then a crate on top slides on with its own speed.
#[test]
fn a_row_with_one_on_top_is_pushed_to_a_wall() {
    let mut blocks = ground(-4, 5);
    blocks.push((4, 0));
    for (of, ticks) in [(block as fn(f64, f64) -> Body, 12), (crate_at, 8)] {
        let bodies = [of(0.5, 0.5), of(2.0, 0.5), of(0.75, 1.5)];
        Stage::falling(&blocks).with(&[wall(-1.0, -0.25, 1, 1)], &bodies).check(ticks, &[(0.25, 0.0)], |tick| {
            let way = 0.25 * f64::from(tick.min(8));
            let bodies = [(way + 0.5, 0.5), ((way + 1.0).max(1.5) + 0.5, 0.5), (way + 0.75, 1.5)];
            found(&bodies, &[(way - 1.0, -0.25)], if tick == 9 { &[(0, 0)] } else { &[] })
        });
    }
}

/// The side of an overhang is at 2.75, where the top body's side is after 6 ticks. The row moves on below it. The wall
/// is lower than the row, so that the top body does not come to stand on the wall.
///
/// The scene is shifted by 0.25, so that the terrain is at a whole tile.
#[test]
fn a_body_on_a_row_stays_at_an_overhang_and_the_row_moves_on() {
    let mut blocks = ground(-4, 9);
    blocks.extend([(3, 1), (3, 2)]);
    let bodies = [block(0.75, 0.5), block(2.25, 0.5), block(1.0, 1.5)];
    Stage::falling(&blocks).with(&[wall(-0.75, -0.25, 1, 1)], &bodies).check(10, &[(0.25, 0.0)], |tick| {
        let way = 0.25 * f64::from(tick);
        let bodies = [(way + 0.75, 0.5), ((way + 1.0).max(1.5) + 0.75, 0.5), (way.min(1.5) + 1.0, 1.5)];
        found(&bodies, &[(way - 0.75, -0.25)], &[])
    });
}

/// The terrain ends at 0, where the platform starts. A body rides the support nearest to its centre. If both are
/// equally near, it moves by what both have in common. Alone, and with another body on top.
#[test]
fn a_body_on_two_supports_rides_the_nearest() {
    for stacked in [false, true] {
        let bodies = |x: f64| {
            let all = [crate_at(x, 0.5), crate_at(x, 1.5)];
            all[..1 + usize::from(stacked)].to_vec()
        };
        let at = |x: f64, y: f64| [(x, y + 0.5), (x, y + 1.5)][..1 + usize::from(stacked)].to_vec();
        // The left sides of the crates are at -0.625, -0.5 and -0.375.
        for (x, aside) in [(-0.125, 0.0), (0.0, 0.0), (0.125, 0.25)] {
            for (way, moved) in [((0.25, 0.0), (aside, 0.0)), ((0.0, 0.25), (0.0, 0.25)), ((0.0, -0.25), (0.0, 0.0))] {
                let stage = Stage::falling(&ground(-4, -1)).with(&[wall(0.0, -1.0, 4, 1)], &bodies(x));
                stage.check(1, &[way], |_| found(&at(x + moved.0, moved.1), &[(way.0, way.1 - 1.0)], &[]));
            }
        }
        for (second, moved) in [(0.125, 0.125), (-0.25, 0.0)] {
            let walls = [wall(-4.0, -1.0, 4, 1), wall(0.0, -1.0, 4, 1)];
            let stage = Stage::falling(&[]).with(&walls, &bodies(0.0));
            stage.check(1, &[(0.25, 0.0), (second, 0.0)], |_| {
                found(&at(moved, 0.0), &[(-3.75, -1.0), (second, -1.0)], &[])
            });
        }
    }
}

/// The ceiling is 0.125 above the tower. A lift that moves on reaches the second body, at 1, after 4 ticks.
///
/// The scene is shifted up by 0.875, so that the ceiling is at a whole tile.
#[test]
fn a_lift_presses_a_tower_against_a_ceiling() {
    let stage = Stage::floating(&[(0, 3)]);
    let bodies = [block(0.5, 1.375), block(0.5, 2.375)];
    stage.clone().with(&[wall(0.0, -0.125, 1, 1)], &bodies).check(3, &[(0.0, 0.25)], |tick| {
        found(&[(0.5, 1.5), (0.5, 2.5)], &[(0.0, 0.0)], if tick == 1 { &[(0, 0)] } else { &[] })
    });
    stage.with(&[wall(0.0, -0.125, 1, 1).goes_on()], &bodies).check(14, &[(0.0, 0.25)], |tick| {
        let crushed: &[(usize, usize)] = match tick {
            1 => &[(0, 0)],
            5 => &[(1, 0)],
            _ => &[],
        };
        found(&[(0.5, 1.375), (0.5, 2.375)], &[(0.0, 0.25 * f64::from(tick) - 0.125)], crushed)
    });
}

/// The second body is 0.125 in front of the first one, which is half a tile wide. A pushed crate gets the wall's
/// velocity, and moves no further than the wall does.
#[test]
fn a_wall_pushes_a_body_into_another_one() {
    for second in [block(1.125, 0.5), crate_at(1.125, 0.5)] {
        let bodies = [body_at(Shape::aabb(0.25, 0.5), 0.25, 0.5), second];
        Stage::floating(&[]).with(&[wall(-1.0, 0.0, 1, 1)], &bodies).check(41, &[(0.25, 0.0)], |tick| {
            let way = 0.25 * f64::from(tick);
            found(&[(way + 0.25, 0.5), (way + 1.0, 0.5)], &[(way - 1.0, 0.0)], &[])
        });
    }
}

/// A lift carries two bodies by 0.125, and a wall pushes the lower one by 0.25.
#[test]
fn a_body_on_a_pushed_body_moves_with_it() {
    let bodies = [block(0.5, 0.5), block(0.5, 1.5)];
    let walls = [wall(-3.0, -1.0, 7, 1), wall(-1.0, -0.25, 1, 1)];
    Stage::falling(&[]).with(&walls, &bodies).check(4, &[(0.125, 0.0), (0.25, 0.0)], |tick| {
        let way = 0.25 * f64::from(tick);
        found(&[(way + 0.5, 0.5), (way + 0.5, 1.5)], &[(way / 2.0 - 3.0, -1.0), (way - 1.0, -0.25)], &[])
    });
}

/// The gap of 0.25 closes by 0.5: they collide in its middle, and neither pushes the other.
#[test]
fn two_bodies_carried_into_each_other_stop_where_they_collide() {
    let bodies = [block(0.5, 0.5), block(1.75, 0.5)];
    let lifts = [wall(-2.0, -1.0, 3, 1), wall(1.25, -1.0, 3, 1)];
    Stage::falling(&[]).with(&lifts, &bodies).check(2, &[(0.25, 0.0), (-0.25, 0.0)], |tick| {
        let way = 0.25 * f64::from(tick);
        found(&[(0.625, 0.5), (1.625, 0.5)], &[(way - 2.0, -1.0), (1.25 - way, -1.0)], &[])
    });
}

/// A carried body does not push: it stops at a body on the ground, 0.125 ahead. With a wall behind it, both move.
#[test]
fn a_carried_body_stops_at_a_standing_one_and_a_wall_pushes_both() {
    let bodies = [block(0.5, 0.5), block(1.625, 0.5)];
    let lift = wall(-2.0, -1.0, 3, 1);
    Stage::falling(&ground(1, 5)).with(&[lift], &bodies).check(2, &[(0.25, 0.0)], |tick| {
        found(&[(0.625, 0.5), (1.625, 0.5)], &[(0.25 * f64::from(tick) - 2.0, -1.0)], &[])
    });
    let stage = Stage::falling(&ground(1, 5)).with(&[lift, wall(-1.0, 0.25, 1, 1)], &bodies);
    stage.check(2, &[(0.25, 0.0), (0.25, 0.0)], |tick| {
        let way = 0.25 * f64::from(tick);
        found(&[(way + 0.5, 0.5), (way + 1.5, 0.5)], &[(way - 2.0, -1.0), (way - 1.0, 0.25)], &[])
    });
}

/// The middle body, from 0.75 to 2.25 high, hits a block from 1 to 2 after 0.125, and blocks the body on top of it.
#[test]
fn the_middle_of_a_carried_tower_hits_a_wall() {
    let bodies = [
        body_at(Shape::aabb(0.5, 0.375), 1.375, 0.375),
        body_at(Shape::aabb(0.5, 0.75), 1.375, 1.5),
        block(1.375, 2.75),
    ];
    Stage::falling(&[(2, 1)]).with(&[wall(0.0, -1.0, 3, 1)], &bodies).check(2, &[(0.25, 0.0)], |tick| {
        let way = 0.25 * f64::from(tick);
        found(&[(way + 1.375, 0.375), (1.5, 1.5), (1.5, 2.75)], &[(way, -1.0)], &[])
    });
}

/// Each wall moves by one unit, and the gap is one unit. Half a unit is rounded to zero.
#[test]
fn a_gap_of_a_unit_between_two_walls_stays_open() {
    for count in [1, 2] {
        let right = count as f64 + UNIT;
        let walls = [wall(-1.0, 0.0, 1, 1), wall(right, 0.0, 1, 1)];
        Stage::floating(&[]).with(&walls, &row(count, 0.0)).check(3, &[(UNIT, 0.0), (-UNIT, 0.0)], |tick| {
            let crushed = if tick == 1 { &[(0, 0), (count - 1, 1)][..] } else { &[] };
            found(&row_at(count, 0.0), &[(-1.0, 0.0), (right, 0.0)], crushed)
        });
    }
}

/// A lift moves up a tile per tick. It reaches the body on a one-way tile after half of the tick.
#[test]
fn a_fast_lift_picks_up_a_body_above_its_rider() {
    let bodies = [block(0.25, 1.0), block(1.0, 2.5)];
    Stage::falling(&[(1, 1)])
        .with(&[wall(-1.0, -0.5, 2, 1)], &bodies)
        .check(1, &[(0.0, 1.0)], |_| found(&[(0.25, 2.0), (1.0, 3.0)], &[(-1.0, 0.5)], &[]));
}

#[test]
fn a_row_and_a_tower_of_a_hundred_crush_the_first() {
    Stage::floating(&[(100, 0)]).with(&[wall(-1.0, 0.0, 1, 1)], &row(100, 0.0)).check(2, &[(0.25, 0.0)], |tick| {
        found(&row_at(100, 0.0), &[(-1.0, 0.0)], if tick == 1 { &[(0, 0)] } else { &[] })
    });
    let tower: Vec<(f64, f64)> = (0..100).map(|i| (0.5, f64::from(i) + 0.5)).collect();
    let bodies: Vec<Body> = tower.iter().map(|&(x, y)| block(x, y)).collect();
    Stage::floating(&[(0, 100)])
        .with(&[wall(0.0, -1.0, 1, 1)], &bodies)
        .check(2, &[(0.0, 0.25)], |tick| found(&tower, &[(0.0, -1.0)], if tick == 1 { &[(0, 0)] } else { &[] }));
}

/// The underside of a crate on a one-way tile is 0.5 above the ball.
#[test]
fn a_ball_on_a_lift_picks_up_a_crate() {
    let wide = colliding(Shape::aabb(1.0, 0.5)).friction(0.6).at((0.75, 2.5));
    let bodies = [ball_at(0.5, 0.0, 1.0).friction(0.6), wide];
    Stage::falling(&[(1, 1)]).with(&[wall(-2.0, -0.5, 3, 1)], &bodies).check(5, &[(0.0, 0.25)], |tick| {
        let way = 0.25 * f64::from(tick);
        found(&[(0.0, 1.0 + way), (0.75, 2.5 + (way - 0.5).max(0.0))], &[(-2.0, way - 0.5)], &[])
    });
}

/// Radii of 1.25, 1.5 sideways and 2 up: 3, 4 and 5 halves.
#[test]
fn a_ball_carries_another_ball_on_its_shoulder() {
    let ball = Shape::circle(1.25);
    let bodies = [body_at(ball, 0.0, 0.0), body_at(ball, 1.5, 2.0)];
    Stage::floating(&[]).with(&[wall(-2.25, -1.5, 1, 3)], &bodies).check(4, &[(0.25, 0.0)], |tick| {
        let way = 0.25 * f64::from(tick);
        found(&[(way, 0.0), (way + 1.5, 2.0)], &[(way - 2.25, -1.5)], &[])
    });
}

/// The slope starts at 2, where the lower body's right side is after 4 ticks. The upper body's top is at the ceiling,
/// at 3, after 4 more.
#[test]
fn a_wall_pushes_a_stack_up_a_slope_to_a_ceiling() {
    let mut stage = Stage::falling(&ground(-4, 1));
    for x in 2..=5 {
        (-1..x - 2).for_each(|y| stage.canvas.paint((x, y), "full_block"));
        stage.canvas.paint((x, x - 2), if x < 5 { "slope_45" } else { "full_block" });
    }
    stage.canvas.blocks((-4, 3), (5, 3));
    let bodies = [block(0.5, 0.5), block(0.75, 1.5)];
    stage.with(&[wall(-1.0, 0.0, 1, 3)], &bodies).check(11, &[(0.25, 0.0)], |tick| {
        let way = 0.25 * f64::from(tick.min(8));
        let rise = (way - 1.0).max(0.0);
        let bodies = [(way + 0.5, rise + 0.5), (way + 0.75, rise + 1.5)];
        found(&bodies, &[(way - 1.0, 0.0)], if tick == 9 { &[(0, 0)] } else { &[] })
    });
}

/// The terrain is above y = x + 2. After 4 ticks, the left body's upper left corner, (0, 1), reaches it.
#[test]
fn a_lift_brings_a_row_up_along_an_overhanging_slope() {
    let mut stage = Stage::falling(&[]);
    for x in -1..=5 {
        stage.canvas.paint((x, x + 2), "slope_45 r2");
        (x + 3..=9).for_each(|y| stage.canvas.paint((x, y), "full_block"));
    }
    stage.with(&[wall(-1.0, -1.0, 6, 1)], &row(2, 0.0)).check(8, &[(0.0, 0.25)], |tick| {
        let way = 0.25 * f64::from(tick);
        let aside = (way - 1.0).max(0.0);
        found(&[(aside + 0.5, way + 0.5), (aside + 1.5, way + 0.5)], &[(-1.0, way - 1.0)], &[])
    });
}

/// The paths of the lifts below, 4 to 8 tiles per leg.
fn ways() -> [Path; 4] {
    let round = |points| Path { repeat: Repeat::Loop, ..path(points, 1.0) };
    [
        path(&[(0.0, 0.0), (0.0, 8.0)], 1.0),
        path(&[(0.0, 0.0), (8.0, 0.0)], 1.0),
        round(&[(0.0, 0.0), (6.0, 0.0), (6.0, 4.0), (0.0, 4.0)]),
        round(&[(0.0, 0.0), (6.0, 0.0), (3.0, 5.0)]),
    ]
}

/// Runs bodies on a platform of ten tiles whose top is at 21, along all paths at several speeds: none may move by a
/// unit relative to the platform. `exact` tells whether they must keep their start position while the platform waits.
fn check_ride(bodies: &[Body], exact: bool) {
    let map = floor();
    for (way, speed) in pairs(ways(), [0.01, 0.1, 1.0, 6.0, 17.3, 60.0]) {
        let pace = PathTiming::Speed(speed);
        let lift = rows(&map, &["##########"], 20.0, 20.0).path(Path { timing: pace, ..way.clone() });
        let mut world = World::new(map.clone(), Settings::default());
        let lift = world.spawn_platform(lift).unwrap();
        world.pause_platform(lift).unwrap();
        let ids: Vec<BodyId> = bodies.iter().map(|body| world.spawn(body.clone()).unwrap()).collect();
        steps(&mut world, 60);
        let off =
            |world: &World, id: BodyId| world[id].position().units() - world.platform(lift).unwrap().position().units();
        let begun: Vec<I64Vec2> = ids.iter().map(|id| off(&world, *id)).collect();
        for (i, body) in bodies.iter().enumerate() {
            let put = body.position.unwrap().units() - position(20.0, 20.0).units();
            let error = (begun[i] - put).abs().max_element();
            assert!(error <= if exact { 0 } else { 64 }, "body {i} has moved by {error} units before the platform did");
        }
        world.resume_platform(lift).unwrap();
        for tick in 1..=often(300, 6000) {
            world.step();
            for (i, id) in ids.iter().enumerate() {
                assert_eq!(off(&world, *id), begun[i], "{:?} at {speed}: body {i} in tick {tick}", way.points);
            }
        }
    }
}

/// Two touching towers of eight, a plank across them with a character on it, and a stack that leans over the edge.
#[test]
fn towers_on_a_platform_keep_their_places_at_any_speed() {
    let mut bodies: Vec<Body> = Vec::new();
    for i in 0..8 {
        bodies.extend([21.0, 22.0].map(|x| crate_at(x, 21.5 + f64::from(i))));
    }
    bodies.push(colliding(Shape::aabb(1.0, 0.25)).friction(0.6).at((21.5, 29.25)));
    bodies.push(body_at(Shape::aabb(0.375, 0.4375), 21.5, 29.9375));
    for i in 0..5 {
        bodies.push(crate_at(29.25 + 0.25 * f64::from(i), 21.5 + f64::from(i)));
    }
    check_ride(&bodies, true);
}

/// Balls of radius 1.25 in a notch: 1.5 sideways and 2 up, so that they touch to the unit. Also a ball on a crate.
#[test]
fn balls_on_a_platform_keep_their_places_at_any_speed() {
    let ball = |x, y| ball_at(1.25, x, y).friction(0.6);
    let bodies = [
        ball(22.0, 22.25),
        ball(25.0, 22.25),
        ball(23.5, 24.25),
        crate_at(28.0, 21.5),
        ball_at(0.5, 28.0, 22.5).friction(0.6),
    ];
    check_ride(&bodies, false);
}

/// A lift moves up by a quarter of a tile under a tower, then sideways and down: each crate moves exactly that. The
/// depth of recursion must not grow with the tower. Spawned from the lowest crate, and a lower tower from the highest.
#[test]
fn a_tower_of_thousands_rides_to_the_unit() {
    for (count, downwards) in [(10_000, false), (100, true)] {
        let (mut world, [lift]) =
            with_platforms(World::new(floor(), Settings::default()), |map| [rows(map, &["###"], 20.0, 20.0)]);
        let place = |i: i64| if downwards { count - 1 - i } else { i };
        let tower: Vec<BodyId> =
            (0..count).map(|i| world.spawn(crate_at(21.5, 21.5 + place(i) as f64)).unwrap()).collect();
        let mut at = position(20.0, 20.0);
        for (tick, way) in [(0.0, 0.0), (0.0, 0.0), (0.0, 0.25), (0.25, -0.25)].into_iter().enumerate() {
            at = at + position(way.0, way.1).units();
            if way != (0.0, 0.0) {
                world.drive_platform(lift, at).unwrap();
            }
            world.step();
            for (i, id) in (0..).zip(&tower) {
                let off = world[*id].position().units() - at.units();
                let expected = I64Vec2::new(3 * ONE / 2, (2 * place(i) + 3) * ONE / 2);
                assert_eq!(off, expected, "crate {i} of {count} in tick {tick}");
            }
        }
    }
}
