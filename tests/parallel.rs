//! Worlds can be sent to any thread, share unchanging data, and give the same bits when stepped in parallel.

use crate::prelude::*;

const fn is_send_and_sync<T: Send + Sync>() {}

/// Compiles only if the types are `Send` and `Sync`.
const _: () = {
    is_send_and_sync::<World>();
    is_send_and_sync::<Terrain>();
    is_send_and_sync::<Map>();
    is_send_and_sync::<Replay>();
    is_send_and_sync::<Playback>();
    is_send_and_sync::<Recorder>();
    is_send_and_sync::<Mover<'static>>();
};

/// Upper bound of the bytes of a world, without its shared map and terrain.
const WORLD_BYTES: u64 = 4096;

/// Returns the checksum after every tenth tick. Commands differ between worlds. Some set tiles, which must not affect
/// other worlds.
fn run(mut world: World, number: usize) -> Vec<Checksum> {
    let block = world.map().find_tile('#').expect("a block");
    let crowd: Vec<BodyId> = (0..6)
        .map(|i| {
            let shape = if i % 2 == 0 { Shape::circle(0.3) } else { Shape::aabb(0.35, 0.45) };
            let body = Body::new(shape).at((2.5 + 2.0 * f64::from(i), 4.6)).velocity((number as f64, 3.0));
            world.spawn(if i < 3 { body.character(Character::default()) } else { body.bounce(0.9) }).unwrap()
        })
        .collect();
    let mut checksums = Vec::new();
    for tick in 0..300 {
        for (i, &body) in crowd.iter().enumerate() {
            let walk = if (tick / 40 + i + number).is_multiple_of(2) { 127 } else { -127 };
            world.set_input(body, Input { walk, jump: (tick + i * number) % 50 < 8, ..Input::default() });
        }
        if tick == 10 * number {
            world.set_tile(0, (5 + number as i32, 1), block).unwrap();
            world.set_tile(0, (8, 0), TileId::EMPTY).unwrap();
        }
        world.step();
        if tick % 10 == 0 {
            checksums.push(world.checksum());
        }
    }
    checksums
}

#[test]
fn worlds_in_threads_move_as_worlds_in_a_row() {
    const WORLDS: usize = 8;
    let map = Arc::new(map(&YARD));
    let start = World::with_terrain(map.clone(), Terrain::bake(&map), Settings::default());
    let in_a_row: Vec<_> = (0..WORLDS).map(|number| run(start.clone(), number)).collect();
    // The worlds must differ, or the test would prove nothing.
    assert!((1..WORLDS).all(|number| in_a_row[number] != in_a_row[number - 1]));
    let in_threads: Vec<_> = std::thread::scope(|scope| {
        let start = &start;
        let threads: Vec<_> = (0..WORLDS).map(|number| scope.spawn(move || run(start.clone(), number))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert_eq!(in_threads, in_a_row);
    assert!(start.terrain().matches_map(&map), "no world has painted the terrain that all of them share");
}

#[test]
fn a_world_queried_from_many_threads_gives_the_same_results() {
    let mut world = World::new(map(&YARD), Settings::default());
    let ball = world.spawn(Body::new(Shape::circle(0.3)).at((5.0, 4.6))).unwrap();
    (0..100).for_each(|_| world.step());
    let look =
        || (world.checksum(), world.mover().slide(Shape::circle(0.3), world[ball].position(), (9.0, 1.0)).position);
    let alone = look();
    let all: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(look)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert_eq!(all, [alone; 4]);
}

#[test]
fn worlds_share_their_map_and_its_terrain() {
    // The map has a million tiles, which take more than a million bytes in any representation.
    let rows: Vec<String> = (0..1000).map(|y| if y % 5 == 0 { "=".repeat(1000) } else { ".".repeat(1000) }).collect();
    let map = Arc::new(map(&rows.iter().map(String::as_str).collect::<Vec<_>>()));
    let terrain = Terrain::bake(&map);
    let first = World::with_terrain(map.clone(), terrain, Settings::default());
    let mut worlds = Vec::with_capacity(100);
    let counted = allocation_counter::measure(|| worlds.extend((0..100).map(|_| first.clone())));
    assert!(worlds.iter().all(|world| Arc::ptr_eq(world.map(), &map)));
    assert!(counted.bytes_total < 100 * WORLD_BYTES, "{counted:?}");
    // A world with an edited tile has its own list of a thousand chunks, and one chunk: not a whole terrain.
    let counted = allocation_counter::measure(|| worlds[0].set_tile(0, (500, 4), TileId::EMPTY).unwrap());
    assert!(counted.bytes_total < 16 * WORLD_BYTES, "{counted:?}");
    assert_ne!(worlds[0].tile_at(0, (500, 4)), worlds[1].tile_at(0, (500, 4)));
}
