//! Swimmers in streamed worlds: over hundreds of tiles, they have the bits of a world of the whole map.

use crate::prelude::*;
use crate::streaming::{hash, visible_state, whole_and_streamed_world};

const WIDTH: u32 = 400;
const HEIGHT: u32 = 44;
const TICKS: i32 = 1500;

/// Number of chunks of 32 tiles side by side. The last one is half on the map.
const COLUMNS: i32 = 13;

/// Three waters above each other, between floors. The first is a sea up to y = 19 with some tiles of all variants and
/// air above. The others are two canals without tiles, from y = 27 to 34, crossed by a chunk border, and from 35 to 42.
fn sea() -> Map {
    let mut parts = MapParts::new(WIDTH, HEIGHT);
    parts.kinds = TileKind::every_variant(&parts.catalogue);
    let block = Map::from_parts(parts.clone()).unwrap().find_tile('#').unwrap();
    let entries = parts.kinds.len() as u64;
    for (i, cell) in (0..).zip(&mut parts.layers[0].cells) {
        let (x, y) = (i % WIDTH as i32, i / WIDTH as i32);
        let random = hash(x, y);
        *cell = match y {
            0 | 26 | 34 | 42 => block,
            1..=22 if x > 20 && random.is_multiple_of(20) => TileId((1 + (random >> 32) % (entries - 1)) as u16),
            _ => TileId::EMPTY,
        };
    }
    Map::from_parts(parts).unwrap()
}

fn spawn_area(world: &mut World, (low, high): ((f64, f64), (f64, f64)), effects: Effects) {
    let shape = AreaShape::aabb((high.0 - low.0) / 2.0, (high.1 - low.1) / 2.0).unwrap();
    let area = Area::new(shape).at(((low.0 + high.0) / 2.0, (low.1 + high.1) / 2.0)).effects(effects);
    world.spawn_area(area).unwrap();
}

/// Adds the waters. The sea has three areas side by side, and a wind and a drag in parts. The upper canal has a boat, a
/// platform that moves along its floor at 6 tiles per second, with an area of water on it.
fn fill(world: &mut World) {
    let water = |buoyancy: f64| Effects { buoyancy: Some(buoyancy), ..Effects::default() };
    for (left, buoyancy) in [(0.0, 1.0), (140.0, 2.5), (280.0, 0.5)] {
        spawn_area(world, ((left, 1.0), (left + 140.0, 19.0)), water(buoyancy));
    }
    spawn_area(world, ((0.0, 27.0), (f64::from(WIDTH), 34.0)), water(1.0));
    let current = Effects { wind: Some((30.0, 5.0).into()), ..Effects::default() };
    spawn_area(world, ((60.0, 10.0), (200.0, 22.0)), current);
    spawn_area(world, ((180.0, 3.0), (300.0, 12.0)), Effects { drag: Some(3.0), ..Effects::default() });
    let path = Path {
        points: vec![Position::ORIGIN, Position::new(f64::from(WIDTH) - 20.0, 0.0).unwrap()],
        timing: PathTiming::Speed(6.0),
        ..Path::default()
    };
    let boat = Platform::from_rows(world.map(), ["#"]).unwrap().at((2.0, 35.0)).path(path);
    let boat = world.spawn_platform(boat).unwrap();
    let bubble = Area::new(AreaShape::aabb(4.0, 3.5).unwrap()).at((0.5, 3.5)).effects(water(1.0));
    world.spawn_area(bubble.attached_to(AttachedTo::Platform(boat))).unwrap();
}

/// Input of a swimmer in a tick: mostly to the right.
fn keys(tick: i32, swimmer: i32) -> Input {
    let random = hash(tick / 15, swimmer);
    let walk = if random.is_multiple_of(7) { -127 } else { 127 };
    let [up, down, jump, dash] = [8, 11, 14, 17].map(|shift| (random >> shift).is_multiple_of(3));
    Input { walk, up, down, jump: jump && tick % 15 < 8, dash: dash && tick % 15 < 2 }
}

#[test]
fn swimmers_move_alike_in_streamed_worlds() {
    let map = sea();
    let mut worlds = whole_and_streamed_world(&map);
    worlds.iter_mut().for_each(fill);
    let mut random = Random(77);
    let mut spawn = |body: Body| {
        let [one, other] = worlds.each_mut().map(|world| world.spawn(body.clone()).unwrap());
        assert_eq!(one, other);
        one
    };
    // Half of the crowd collide with each other.
    let crowd: Vec<BodyId> = (0..16)
        .map(|i| {
            let half = random.range(0.2, 0.5);
            let shape = if i % 2 == 0 { Shape::circle(half) } else { Shape::aabb(half, random.range(0.2, 0.6)) };
            let character = Character {
                swim_speed: random.range(6.0, 20.0),
                swim_time: random.pick(&[0.0, 0.25]),
                float_speed: random.pick(&[0.0, 2.0]),
                dash_speed: 20.0,
                dash_time: 0.1,
                ..Character::default()
            };
            let at = position(random.range(2.0, 18.0), random.range(2.0, 17.0));
            let mask = if i % 4 < 2 { CollisionLayers::NONE } else { CollisionLayers::ALL };
            spawn(Body::new(shape).at(at).character(character).collision_mask(mask))
        })
        .collect();
    let swimmer = Character { swim_speed: 12.0, ..Character::default() };
    let [express, guest] =
        [(1.5, 30.0), (2.5, 38.0)].map(|at| spawn(Body::new(Shape::aabb(0.4, 0.5)).at(at).character(swimmer)));

    let (mut swum, mut flown, mut ever_loaded) = (0, 0, BTreeSet::new());
    for tick in 0..TICKS {
        for world in &mut worlds {
            for (i, id) in (0..).zip(&crowd) {
                world.set_input(*id, keys(tick, i));
            }
            world.set_input(express, Input::walk(1.0));
            world.step();
        }
        let [whole, streamed] = &worlds;
        assert_eq!(visible_state(streamed), visible_state(whole), "tick {tick}");
        for id in crowd.iter().chain([&express, &guest]) {
            let told = |world: &World| {
                let body = &world[*id];
                (body.is_swimming(), body.on_floor(), body.velocity(), body.touching())
            };
            assert_eq!(told(streamed), told(whole), "tick {tick}");
            swum += u32::from(whole[*id].is_swimming());
            flown += u32::from(!whole[*id].is_swimming() && !whole[*id].on_floor());
        }
        let loaded = (0..COLUMNS).filter(|column| streamed.terrain().is_loaded((32 * column + 16, 16)));
        let loaded: BTreeSet<i32> = loaded.collect();
        assert!((1..COLUMNS as usize).contains(&loaded.len()), "tick {tick}: {loaded:?}");
        ever_loaded.extend(loaded);

        // Both are found in the water in the first tick. From then on, one swims 1/5 tile per tick. The other one moves
        // along by 1/10, the boat's displacement of the previous tick.
        if tick > 0 {
            let way = to_lengths(whole[express].position() - whole[express].previous_position());
            assert!((way - DVec2::new(0.2, 0.0)).abs().max_element() < NEAR, "tick {tick}: {way}");
            let at = whole[guest].position().to_dvec2().x;
            assert!((at - 2.5 - 0.1 * f64::from(tick)).abs() < NEAR, "tick {tick}: {at}");
        }
    }
    assert!(swum > 15_000 && flown > 3_000, "{swum} ticks in the water, {flown} in the air");
    assert!(ever_loaded.len() >= 9, "{ever_loaded:?}");
    let far: Vec<f64> = crowd.iter().map(|id| worlds[0][*id].position().to_dvec2().x).collect();
    assert!(far.iter().all(|x| *x > 100.0), "{far:?}");
}
