//! A mover with a cache returns the same results as one without, whatever was moved, edited or exchanged in between.

use crate::noise::noise;
use crate::prelude::*;
use surefoot::motion::{MoveResult, MoverCache};

type ComparableMove = (Position, Touching, Vec<Contact>, Vec<Position>, Vec<Contact>);

fn comparable(moved: &MoveResult<'_>) -> ComparableMove {
    let contacts = moved.contacts().iter().collect();
    (moved.position, moved.touching, moved.hits.to_vec(), moved.path.to_vec(), contacts)
}

fn shape(random: &mut Random) -> Shape {
    match random.below(3) {
        0 => Shape::circle(random.range(0.05, 0.9)),
        1 => Shape::aabb(0.35, 0.45),
        _ => Shape::aabb(random.range(0.05, 0.9), random.range(0.05, 2.0)),
    }
}

/// A floor with steps and slopes, over noise, so that entities walk far and hit many tiles.
fn ground(random: &mut Random) -> Map {
    if random.below(2) == 0 {
        return noise(random, 24);
    }
    let row = |random: &mut Random| -> String {
        let parts = ["....", "/##\\", "12##34", "#", "..........", "=====", "---"];
        let mut row = String::new();
        while row.len() < 96 {
            row += parts[random.below(7) as usize];
        }
        row.truncate(96);
        row
    };
    let rows =
        [".".repeat(96), ".".repeat(96), row(random), "#".repeat(96), ".".repeat(96), row(random), "#".repeat(96)];
    let quoted: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    Map::from_ron(&format!("Map(format: 1, tiles: [{}])", quoted.join(", "))).unwrap()
}

#[test]
fn a_cache_changes_no_result() {
    let mut random = Random(0x3E30);
    let (mut walked, mut hit, mut edits) = (0_u32, 0_u32, 0_u32);
    for _ in 0..often(60, 4000) {
        let map = ground(&mut random);
        let (width, height) = (f64::from(map.size().0), f64::from(map.size().1));
        let mut terrain = Terrain::bake(&map);
        let entries = map.kinds().len() as u64;
        let mut memory = MoverCache::default();
        let mut body = shape(&mut random);
        let mut at = position(random.range(0.0, width), random.range(0.0, height));
        let (mut speed, mut way) = (8.0, 1.0);
        for _ in 0..400 {
            if random.below(60) == 0 {
                at = position(random.range(0.0, width), random.range(0.0, height));
            }
            if random.below(80) == 0 {
                body = shape(&mut random);
            }
            if random.below(30) == 0 {
                let near = DVec2::new(random.range(-2.0, 2.0), random.range(-2.0, 2.0)) + at.to_dvec2();
                let entry = if random.below(2) == 0 { TileId::EMPTY } else { TileId(random.below(entries) as u16) };
                edits += u32::from(terrain.set_tile(0, (near.x.floor() as i32, near.y.floor() as i32), entry).is_ok());
            }
            if random.below(40) == 0 {
                (speed, way) = (random.pick(&[8.0, 0.01, 30.0, 3.3, 200.0]), -way);
            }
            let mut mover = Mover::new(&terrain);
            if random.below(50) == 0 {
                mover = mover.up(random.pick(&[Up::PlusX, Up::MinusX, Up::MinusY]));
            }
            if random.below(50) == 0 {
                mover = mover.drop_through();
            }
            let (new, plain) = match random.below(8) {
                0 => {
                    let motion = (random.range(-0.4, 0.4), random.range(-0.6, 0.6));
                    (mover.with_cache(&mut memory).slide(body, at, motion), mover.slide(body, at, motion))
                }
                1 => (mover.with_cache(&mut memory).touching(body, at), mover.touching(body, at)),
                2 => {
                    let down = (way * speed / 60.0, -0.5);
                    (mover.with_cache(&mut memory).slide(body, at, down), mover.slide(body, at, down))
                }
                _ => {
                    let length = way * speed / 60.0;
                    walked += 1;
                    (mover.with_cache(&mut memory).walk(body, at, length), mover.walk(body, at, length))
                }
            };
            assert_eq!(comparable(&new), comparable(&plain), "{body:?} from {at}");
            hit += u32::from(!plain.hits.is_empty());
            at = plain.position;
        }
    }
    assert!(walked > 10_000 && hit > 500 && edits > 300, "{walked} {hit} {edits}");
}

/// One cache for calls in different collision layers: bodies in one of the layers fall through a one-way tile.
#[test]
fn a_cache_changes_no_result_for_other_collision_layers() {
    let text = r##"Map(format: 1, collision_layers: ["solid", "ghost"], tiles: ["......", "..~...", "======"],
        legend: {'~': (tile: "one_way", ignored_by: ["ghost"])})"##;
    let mut terrain = Terrain::bake(&Map::from_ron(text).unwrap());
    terrain.prepare_collision_layers(CollisionLayers(2));
    let (mut memory, body, at) = (MoverCache::default(), Shape::aabb(0.25, 0.25), position(2.5, 2.5));
    for layers in [1, 2, 1, 2, 2, 1, 1].map(CollisionLayers) {
        let mover = Mover::new(&terrain).collision_layers(layers);
        let end = mover.with_cache(&mut memory).slide(body, at, (0.0, -1.0));
        assert_eq!(comparable(&end), comparable(&mover.slide(body, at, (0.0, -1.0))), "{layers:?}");
        let expected = if layers == CollisionLayers(1) { 2.25 } else { 1.5 };
        assert_eq!(end.position, position(2.5, expected), "{layers:?}");
    }
}
