//! Floor snapping: walkers leave ground that falls away exactly above their speed limit, in the direction of the floor
//! that they leave.

use crate::hills::Hill;
use crate::nudges::body;
use crate::prelude::*;

const GRAVITY: f64 = 40.0;

fn walker(snap_speed: f64) -> Character {
    Character { max_floor_snap_speed: snap_speed, max_fall_speed: 1e3, air_acceleration: 0.0, ..Character::default() }
}

/// Walks over a hill from its left end. Returns the positions before and after the first tick that ends in the air, and
/// the velocity then; `None` if the walker stays grounded over the whole hill.
fn leaves(hill: &Hill, way: &Way, hero: Body) -> Option<(DVec2, DVec2, DVec2)> {
    let start = (hill.line[0].x + 1.5, hill.line[0].y + 0.5);
    let mut stage = Stage::new(&hill.canvas, way, hero.velocity((8.0, 0.0)), start, GRAVITY);
    let end = hill.line[hill.line.len() - 1].x - 1.0;
    for _ in 0..300 {
        let before = stage.place();
        stage.step(127, false);
        if !stage.hero().on_floor() {
            return Some((before, stage.place(), stage.velocity()));
        }
        if stage.place().x > end {
            return None;
        }
    }
    panic!("it came to a stand at {}", stage.place());
}

/// At the limit, a walker follows the ground. Slightly faster, it moves straight on: along the slope off the top of a
/// ramp, and horizontally off the edge of a downward slope. The positions before and after the tick are a full tick's
/// displacement apart along that direction.
#[test]
fn above_the_limit_a_walker_goes_straight_on_where_the_floor_falls_away() {
    let half = 0.5_f64.sqrt();
    let gentle = DVec2::new(2.0, 1.0).normalize();
    for (text, direction) in [
        ("------//------", DVec2::new(half, half)),
        ("----11----", gentle),
        ("------\\\\------", DVec2::new(1.0, 0.0)),
        ("----44----", DVec2::new(1.0, 0.0)),
        ("-----1\\------", gentle),
        ("----/1---", DVec2::new(half, half)),
    ] {
        let hill = Hill::new(text);
        all_ways_of(pairs(shapes(), [1e9, 8.0, 8.0 - 1e-9, 1.0, 0.0]), |way, (shape, limit)| {
            let what = format!("{text} {shape:?} {limit}");
            let left = leaves(&hill, way, body(shape, walker(limit)));
            assert_eq!(left.is_some(), limit < 8.0, "{what}");
            if let Some((before, after, velocity)) = left {
                assert!((velocity - direction * 8.0).length() < 1e-6, "{what}: {velocity}");
                assert!(after.y >= before.y && (after - before).length() <= 8.0 * TICK + 1e-6, "{what}");
            }
        });
    }
}

/// Off a ramp of two tiles, the walker flies on a parabola from the corner: `x` and `y` are the components of its speed
/// along the slope.
#[test]
fn a_ramp_launches() {
    let hill = Hill::new("------//----------");
    let top = hill.line[8];
    assert_eq!(top, DVec2::new(8.0, 10.0));
    all_ways(|way| {
        let shape = Shape::aabb(0.375, 0.5);
        let mut stage =
            Stage::new(&hill.canvas, way, body(shape, walker(4.0)).velocity((8.0, 0.0)), (1.5, 8.5), GRAVITY);
        let (mut highest, mut lands) = (0.0_f64, 0.0);
        let mut flew = false;
        for _ in 0..120 {
            stage.step(127, false);
            let is_on_floor = stage.hero().on_floor();
            highest = highest.max(stage.place().y - 0.5 - top.y);
            if flew && is_on_floor {
                lands = stage.place().x + 0.375 - top.x;
                break;
            }
            flew |= !is_on_floor;
        }
        // In the tick in which the character leaves the ground, gravity does not act yet. That is part of a tick, at
        // most 0.1 tiles.
        let up = 8.0 * 0.5_f64.sqrt();
        assert!((up * up / (2.0 * GRAVITY)..up * up / (2.0 * GRAVITY) + 0.1).contains(&highest), "{highest}");
        let far = up * 2.0 * up / GRAVITY;
        assert!((far - 0.1..far + 0.2).contains(&lands), "{lands} and not {far}");
    });
}

/// In a valley, on flat ground and up a slope, no floor falls away: a walker without snapping stays grounded too.
#[test]
fn where_no_floor_falls_away_a_walker_stays_grounded() {
    for text in ["----------", "----//////", "\\\\\\\\\\\\", "----1111", "----1/////"] {
        let hill = Hill::new(text);
        for shape in shapes() {
            all_ways(|way| {
                let start = if text.starts_with('\\') { (1.5, 7.5) } else { (1.5, 8.5) };
                let (mut stage, mut ticks) =
                    (Stage::new(&hill.canvas, way, body(shape, walker(0.0)), start, GRAVITY), 0);
                let end = hill.line[hill.line.len() - 1].x - 1.0;
                let mut stood = false;
                while stage.place().x < end && ticks < 200 {
                    stage.step(if stood { 127 } else { 0 }, false);
                    ticks += 1;
                    let on_floor = stage.hero().on_floor();
                    assert!(!stood || on_floor, "{text} {shape:?}: {}", stage.place());
                    stood |= on_floor;
                }
                assert!(ticks < 200, "{text} {shape:?}");
            });
        }
    }
}

/// A walker with a collision mask leaves the ground in the same way.
#[test]
fn a_walker_with_a_mask_leaves_the_ground_too() {
    for (text, direction) in [("------//------", DVec2::splat(0.5_f64.sqrt())), ("------\\\\------", DVec2::X)] {
        all_ways(|way| {
            for shape in shapes() {
                for (limit, is_left) in [(4.0, true), (8.5, false)] {
                    let hero = body(shape, walker(limit)).collision_mask(CollisionLayers::ALL);
                    let left = leaves(&Hill::new(text), way, hero);
                    assert_eq!(left.is_some(), is_left, "{text} {shape:?}");
                    assert!(left.is_none_or(|(_, _, velocity)| (velocity - direction * 8.0).length() < 1e-6));
                }
            }
        });
    }
}
