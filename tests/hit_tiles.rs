//! The tile that hits and contacts name. The field `tile` of [`EventKind::HitTile`] lists the rules.
//!
//! The witness uses only the squares of the tiles.

use crate::body_laws::seeds;
use crate::scene::{I64Vec2, ONE, Random, map_with, units};
use crate::table::{MASKS, Run, Way, all_symmetries, all_ways_of, pairs};
use std::collections::BTreeMap;
use surefoot::map::{MapParts, Material, TileKind};
use surefoot::prelude::*;
use surefoot::{Input, Map, World, geometry::DVec2};

/// Tiles 2 and 6 of the floor are bouncy, and so is the left one of two blocks in the air.
#[test]
fn the_tile_below_or_above_the_centre_is_named() {
    let legend = "legend: {'s': (tile: \"full_block\", material: (bounce: 1.0)), 'g': \"full_block\"}";
    let rows = ["........", "........", "...sg...", "........", "........", "ggsgggsg"];
    for mask in MASKS {
        let mut world = World::new(map_with(&rows, legend), Settings::default());
        let body = |x: f64, y: f64| Body::new(Shape::aabb(0.4, 0.4)).at((x, y)).collision_mask(mask);
        let a = world.spawn(body(2.1, 2.5)).unwrap();
        let b = world.spawn(body(3.1, 2.5)).unwrap();
        let c = world.spawn(body(4.2, 1.4).character(Character::default())).unwrap();
        let mut named = BTreeMap::new();
        for tick in 0..30 {
            world.set_input(c, Input { jump: tick >= 2, ..Input::default() });
            world.step();
            for event in world.events() {
                if let EventKind::HitTile { tile, .. } = event.kind {
                    named.entry(event.body).or_insert(tile);
                }
            }
        }
        let expected = BTreeMap::from([(a, (2, 0)), (b, (3, 0)), (c, (4, 3))]);
        assert_eq!(named, expected, "{mask:?}");
    }
}

/// A body falls onto the seam of two tiles, or onto the peak between two slopes, with its centre exactly above.
#[test]
fn over_a_seam_the_tile_ahead_wins_then_the_faced_one_then_the_lower_one() {
    let shapes = [Shape::aabb(0.375, 0.375), Shape::circle(0.375)];
    let scenes = [([".......", ".......", "#######"], 1.0), ([".......", "../\\...", "#######"], 2.0)];
    for ((rows, top), shape) in pairs(scenes, shapes) {
        for (sideways, faces, expected) in
            [(0.0, 0, 2), (1.0, 0, 3), (-1.0, 0, 2), (1.0, -1, 3), (-1.0, 1, 2), (0.0, 1, 3), (0.0, -1, 2)]
        {
            let settings = Settings { gravity: DVec2::ZERO, ..Settings::default() }.tick(1.0 / 64.0);
            let mut world = World::new(map_with(&rows, ""), settings);
            // The body falls by half a tile in half a tick, and moves sideways by 1/8.
            let from = (3.0 - sideways / 8.0, top + 0.375 + 0.5);
            let body = Body::new(shape).at(from).velocity((sideways * 16.0, -64.0)).response(Response::Stop);
            let id = world.spawn(body).unwrap();
            world.set_facing(id, crate::facing::facing(faces)).unwrap();
            world.step();
            let tiles = world.events().iter().filter_map(|event| match event.kind {
                EventKind::HitTile { tile, .. } => Some(tile.0),
                _ => None,
            });
            let named: Vec<i32> = tiles.collect();
            assert_eq!(named, [expected], "{rows:?} {shape:?} {sideways} {faces}");
        }
    }
}

/// Two tiles in a row or in a column. A side of each lies on the border between them, and the two sides face away from
/// each other.
struct BackToBack {
    rows: [&'static str; 4],
    /// The end of both sides that a body hits.
    end: DVec2,
    /// Direction of the motion towards the end.
    towards: DVec2,
    /// Direction across the sides. The side of the first tile faces in this direction, that of the second one against
    /// it.
    across: DVec2,
    tiles: [(i32, i32); 2],
}

/// Two one-way sides lie back to back, and a body hits the end that they share. A side stops only bodies in front of
/// it, so the hit names the tile of the side that the body is in front of. If the body's centre is exactly in line with
/// both sides, the hit names the tile ahead, then the faced one, then the lower one.
#[test]
fn at_the_end_of_sides_back_to_back_the_side_that_faces_the_body_is_named() {
    // The one-way side of 'r' faces right, that of 'l' left, that of '=' up, and that of 'u' down. 'p' has one to the
    // left and one to the right.
    let legend = "legend: {'r': \"one_way r1\", 'l': \"one_way r3\", 'p': \"one_way_pair r1\", 'u': \"one_way r2\"}";
    let in_row = |row: &'static str, end: DVec2, towards: DVec2| BackToBack {
        rows: ["......", "......", row, "......"],
        end,
        towards,
        across: DVec2::X,
        tiles: [(2, 1), (3, 1)],
    };
    let in_column = |end: DVec2, towards: DVec2| BackToBack {
        rows: ["......", "..u...", "..=...", "......"],
        end,
        towards,
        across: DVec2::Y,
        tiles: [(2, 1), (2, 2)],
    };
    let (top, bottom) = (DVec2::new(3.0, 2.0), DVec2::new(3.0, 1.0));
    let scenes = [
        in_row("..rl..", top, DVec2::NEG_Y),
        in_row("..rl..", bottom, DVec2::Y),
        in_row("..rp..", top, DVec2::NEG_Y),
        in_row("..pl..", bottom, DVec2::Y),
        in_column(DVec2::new(2.0, 2.0), DVec2::X),
        in_column(DVec2::new(3.0, 2.0), DVec2::NEG_X),
    ];
    // The centre at the hit, in quarter tiles across the sides. The motion across the sides. The side that the body
    // faces. The index of the named tile; `None` if the lower coordinates decide.
    let cases = [
        (1, 0, 0, Some(0)),
        (1, 1, 1, Some(0)),
        (1, -1, -1, Some(0)),
        (-1, 0, 0, Some(1)),
        (-1, 1, 1, Some(1)),
        (-1, -1, -1, Some(1)),
        (0, 1, -1, Some(1)),
        (0, -1, 1, Some(0)),
        (0, 0, 1, Some(1)),
        (0, 0, -1, Some(0)),
        (0, 0, 0, None),
    ];
    let shapes = [Shape::aabb(0.375, 0.375), Shape::circle(0.375)];
    all_ways_of(pairs(shapes, [false, true]), |way, (shape, on_platform)| {
        for (scene, &(off, sideways, faces, expected)) in pairs(&scenes, &cases) {
            let settings = Settings { gravity: DVec2::ZERO, ..Settings::default() }.tick(1.0 / 64.0);
            let map = map_with(&scene.rows, legend);
            let mut world = if on_platform { way.world_on_platform(map, settings) } else { way.world(map, settings) };
            // The body is half a tile before the end, makes a tile in the tick, and a quarter tile across.
            let from = scene.end - scene.towards * (0.375 + 0.5)
                + scene.across * (f64::from(off) / 4.0 - f64::from(sideways) / 8.0);
            let velocity = scene.towards * 64.0 + scene.across * f64::from(sideways) * 16.0;
            let id = world.spawn(Body::new(shape).at(from).velocity(velocity).response(Response::Stop)).unwrap();
            world.set_facing(id, crate::facing::facing(faces)).unwrap();
            world.step();
            let hits = world.events().iter().filter_map(|event| match event.kind {
                EventKind::HitTile { tile, .. } => Some(tile),
                _ => None,
            });
            let named: Vec<(i32, i32)> = hits.collect();
            // No facing decides at a wall.
            let decided = expected.filter(|_| off != 0 || sideways != 0 || scene.across == DVec2::X);
            let lower = scene.tiles.into_iter().min_by_key(|tile| way.tile(*tile));
            let expected = decided.map(|index| scene.tiles[index]).or(lower).unwrap();
            let what = format!("{way} {:?} {} {off} {sideways} {faces}", scene.rows, scene.end);
            assert_eq!(named, [expected], "{what} {shape:?} {on_platform}");
        }
    });
}

/// A body that rests on a peak between two slopes touches the corner. The contact names the same tile as a hit.
#[test]
fn a_contact_with_a_corner_names_the_faced_tile() {
    for (shape, (faces, expected)) in pairs([Shape::aabb(0.25, 0.25), Shape::circle(0.25)], [(0, 2), (1, 3), (-1, 2)]) {
        let mut world = World::new(map_with(&[".......", "../\\...", "#######"], ""), Settings::default());
        let id = world.spawn(Body::new(shape).at((3.0, 2.25)).character(Character::default())).unwrap();
        world.set_facing(id, crate::facing::facing(faces)).unwrap();
        world.step();
        let tiles: Vec<_> = world.contacts(id).iter().map(|contact| contact.tile).collect();
        assert_eq!(tiles, [(expected, 1)], "{shape:?} {faces}");
    }
}

/// Half the width of the room.
const ROOM: i32 = 6;

/// A room of full blocks and slopes of 45 degrees. Each tile has its own material.
struct Room {
    /// Tiles of the map: `None` is a block, a number is a slope with that many quarter turns.
    cells: BTreeMap<(i32, i32), Option<u8>>,
    on_platform: bool,
}

impl Room {
    fn of(random: &mut Random) -> Room {
        let mut cells = BTreeMap::new();
        for (y, x) in pairs(-ROOM..ROOM, -ROOM..ROOM) {
            let is_wall = x == -ROOM || y == -ROOM || x == ROOM - 1 || y == ROOM - 1;
            if is_wall || random.one_in(7) {
                let turns = if is_wall || random.one_in(2) { None } else { Some(random.below(4) as u8) };
                cells.insert((x, y), turns);
            }
        }
        Room { cells, on_platform: random.one_in(4) }
    }

    /// The bounce of a tile, different for each.
    fn bounce((x, y): (i32, i32)) -> f64 {
        f64::from((y + ROOM) * 2 * ROOM + x + ROOM) / 256.0
    }

    fn map(&self) -> Map {
        let catalogue = Catalogue::builtin();
        let width = 2 * ROOM;
        let mut parts = MapParts::new(width as u32, width as u32);
        parts.layers[0].origin = (-ROOM, -ROOM);
        parts.kinds = vec![TileKind::default()];
        for (&(x, y), turns) in &self.cells {
            let name = turns.map_or("full_block".to_owned(), |turns| format!("slope_45 r{turns}").replace(" r0", ""));
            let material = Material { bounce: Room::bounce((x, y)), ..Material::default() };
            parts.layers[0].cells[((y + ROOM) * width + x + ROOM) as usize] = TileId(parts.kinds.len() as u16);
            parts.kinds.push(TileKind { material, ..TileKind::new(catalogue.find_variant(&name).unwrap()) });
        }
        Map::from_parts(parts).unwrap()
    }

    fn world(&self, way: &Way, gravity: f64) -> Run {
        let settings = Settings::default().gravity((0.0, -gravity));
        if self.on_platform { way.world_on_platform(self.map(), settings) } else { way.world(self.map(), settings) }
    }

    /// Returns the full blocks that a shape may have hit with its centre at `at`: their side with that normal must be
    /// on the line at which the shape ends. Each comes with its distance from the line through the centre along `up`,
    /// and how far ahead it is in the direction `along`.
    fn candidates(&self, at: I64Vec2, half: I64Vec2, round: bool, normal: I64Vec2) -> Vec<((i32, i32), i64)> {
        let mut found = Vec::new();
        for (&(x, y), turns) in &self.cells {
            let next = (x + normal.x as i32, y + normal.y as i32);
            if turns.is_some() || self.cells.get(&next) == Some(&None) {
                continue;
            }
            let (low, high) =
                (I64Vec2::new(x.into(), y.into()) * ONE, I64Vec2::new((x + 1).into(), (y + 1).into()) * ONE);
            let side = if normal.x + normal.y > 0 { high } else { low };
            // Distance of the shape from the side's line.
            let gap = (normal * (at - side)).element_sum() - (normal.abs() * half).element_sum();
            let across = I64Vec2::new(normal.y.abs(), normal.x.abs());
            let [low, high, at, half] = [low, high, at, half].map(|v| (across * v).element_sum());
            let reach = if round { 0 } else { half - 1 };
            if gap.abs() <= 64 && at + reach >= low && at - reach <= high {
                // The wall tiles at a box are all equally far from the line along `up`.
                let apart = if normal.x == 0 { (low - at).max(at - high).max(0) } else { 0 };
                found.push(((x, y), apart));
            }
        }
        found
    }
}

struct Hitter {
    body: Body,
    faces: i8,
    /// Sticks and buttons, each held for a number of ticks.
    keys: Vec<(i8, bool)>,
}

fn hitters(random: &mut Random) -> Vec<Hitter> {
    let mask = random.pick(&MASKS);
    (0..4)
        .map(|_| {
            let grid = random.one_in(2);
            let mut size = |most: f64| {
                let units = random.between(ONE / 8, (most * ONE as f64) as i64);
                if grid { (units / (ONE / 8)).max(1) * (ONE / 8) } else { units }
            };
            let (half, radius) = (I64Vec2::new(size(1.5), size(1.0)), size(0.75));
            let shape = if random.one_in(3) { Shape::circle_units(radius) } else { Shape::aabb_units(half) };
            let step = if grid { ONE / 8 } else { 1 };
            let at = [0; 2].map(|_| random.between(-4 * ONE, 4 * ONE) / step * step);
            let axis = random.one_in(4);
            let velocity = DVec2::new(if axis { 0.0 } else { random.range(-20.0, 20.0) }, random.range(-20.0, 20.0));
            let body = Body::new(shape).at(units(at[0], at[1])).velocity(velocity).collision_mask(mask);
            let body = match random.below(4) {
                0 => body.character(Character::default()),
                1 => body.response(Response::Stop),
                _ => body,
            };
            let keys = (0..4).map(|_| (random.pick(&[0, 127, -127]), random.one_in(2))).collect();
            Hitter { body, faces: random.pick(&[0, 0, 1, -1]), keys }
        })
        .collect()
}

const TICKS: usize = 40;

#[derive(Debug, Default)]
struct Coverage {
    floors: u32,
    walls: u32,
    slopes: u32,
    ties: u32,
    bounced: u32,
}

/// Runs a scene and checks each hit against the rule.
fn run(way: &Way, room: &Room, hitters: &[Hitter], gravity: f64, seen: &mut Coverage, what: &str) {
    let mut world = room.world(way, gravity);
    let spawn = |hitter: &Hitter| {
        let id = world.spawn(hitter.body.clone()).unwrap();
        world.set_facing(id, crate::facing::facing(hitter.faces)).unwrap();
        id
    };
    let ids: Vec<BodyId> = hitters.iter().map(spawn).collect();
    for tick in 0..TICKS {
        for (id, hitter) in ids.iter().zip(hitters) {
            let (walk, jump) = hitter.keys[tick / 5 % hitter.keys.len()];
            if hitter.body.character.is_some() {
                world.set_input(*id, Input { walk, jump, ..Input::default() });
            }
        }
        let before: Vec<DVec2> = ids.iter().map(|id| world[*id].velocity()).collect();
        world.step();
        for event in world.events() {
            let EventKind::HitTile { tile, tile_id, normal, position, speed, platform, .. } = event.kind else {
                continue;
            };
            let body = ids.iter().position(|id| *id == event.body).unwrap();
            let state = &world[event.body];
            let at = position.units();
            let what = format!("{what} tick {tick} body {body} {:?} at {at} {normal} {tile:?}", state.shape());
            assert_eq!(platform.is_some(), room.on_platform, "{what}");
            let map = world.map();
            assert_eq!(map.kind(tile_id).unwrap().material.bounce, Room::bounce(tile), "{what}");
            let half = hitters[body].body.shape.half_extents();
            let half = units((half.x * ONE as f64) as i64, (half.y * ONE as f64) as i64).units();
            let round = state.shape().is_circle();
            let is_straight = normal.x == 0.0 || normal.y == 0.0;
            let candidates =
                if is_straight { room.candidates(at, half, round, normal.as_i64vec2()) } else { Vec::new() };
            if is_straight && room.cells[&tile].is_none() && candidates.iter().any(|(other, _)| *other == tile) {
                let least = candidates.iter().map(|(_, apart)| *apart).min().unwrap();
                let nearest: Vec<(i32, i32)> =
                    candidates.iter().filter(|(_, apart)| *apart == least).map(|(tile, _)| *tile).collect();
                assert!(nearest.contains(&tile), "{what}: the nearest are {nearest:?}");
                let count = if normal.x == 0.0 { &mut seen.floors } else { &mut seen.walls };
                *count += u32::from(candidates.len() > 1);
                // If both ends of the tick agree on the direction along the surface, the tile furthest in that
                // direction must be named.
                let along = |tile: &(i32, i32)| if normal.x == 0.0 { tile.0 } else { tile.1 };
                let part = |v: DVec2| if normal.x == 0.0 { v.x } else { v.y };
                let (early, late) = (part(before[body]), part(state.velocity()));
                let falls = if normal.x == 0.0 { 0.0 } else { gravity / 60.0 };
                let faces = if normal.x == 0.0 { hitters[body].faces } else { 0 };
                let is_player = hitters[body].body.character.is_some();
                if nearest.len() > 1 {
                    let expected = if early > falls && late > 0.0 {
                        seen.ties += 1;
                        nearest.iter().max_by_key(|tile| along(tile))
                    } else if early < 0.0 && late < 0.0 {
                        seen.ties += 1;
                        nearest.iter().min_by_key(|tile| along(tile))
                    } else if early == 0.0 && late == 0.0 && falls == 0.0 && !is_player {
                        match faces {
                            1 => nearest.iter().max_by_key(|tile| along(tile)),
                            -1 => nearest.iter().min_by_key(|tile| along(tile)),
                            // Without a facing, the tile with the lower coordinate in the turned scene counts.
                            _ => nearest.iter().min_by_key(|tile| way.tile(**tile)),
                        }
                    } else {
                        Some(&tile)
                    };
                    assert_eq!(Some(&tile), expected, "{what}: of {nearest:?} from {early} to {late}");
                }
                // The material of the named tile acts, or the bounciest of equally near tiles.
                let alone = world.events().iter().filter(|other| other.body == event.body).count() == 1;
                let slides = hitters[body].body.response == Response::Slide && !is_player;
                if gravity == 0.0 && slides && alone && speed > state.body().rest_speed_threshold {
                    let bounce = nearest.iter().map(|tile| Room::bounce(*tile)).fold(0.0, f64::max);
                    let after = state.velocity().dot(normal);
                    // A squeezed body slides, so it has no velocity away from the surface.
                    let is_same = (after - bounce * speed).abs() < 1e-6;
                    assert!(is_same || after == 0.0, "{what}: {after} and not {bounce} of {speed}");
                    seen.bounced += u32::from(is_same);
                }
            } else if !is_straight && !round {
                // The corner of a box touches a slope.
                let corner = at - normal.signum().as_i64vec2() * half;
                let (x, y) = tile;
                let low = I64Vec2::new(x.into(), y.into()) * ONE;
                let is_in = (corner - low).min_element() >= -64 && (corner - low).max_element() <= ONE + 64;
                assert!(is_in && room.cells[&tile].is_some(), "{what}");
                seen.slopes += 1;
            }
        }
    }
}

/// Four bodies in a room whose tiles all bounce differently. `SUREFOOT_BODIES` and `SUREFOOT_BODIES_SEED` make the test
/// longer.
#[test]
fn a_hit_names_the_tile_nearest_to_the_centre_line_also_mirrored_and_turned() {
    let mut seen = Coverage::default();
    let seeds = seeds(60, 0);
    for seed in seeds.clone() {
        let mut random = Random(seed ^ 0x717E_5000);
        let room = Room::of(&mut random);
        let gravity = random.pick(&[0.0, 40.0]);
        let hitters = hitters(&mut random);
        let what = format!("seed {seed}");
        all_symmetries(|way| run(way, &room, &hitters, gravity, &mut seen, &what));
    }
    println!("{seen:?}");
    if seeds.end - seeds.start >= 60 {
        assert!(seen.floors > 40 && seen.walls > 40 && seen.ties > 20 && seen.bounced > 20, "{seen:?}");
    }
}
