//! Compares a map with the same map split at random into three terrains with different origins.

use super::plain::body;
use super::*;
use crate::body::{Body, Input};
use crate::catalogue::{Catalogue, PatternKind};
use crate::map::{Map, MapParts, TileId, TileKind};
use crate::motion::{Mover, Owner, Platform};
use crate::testing::Random;
use crate::world::Footing;

const WIDTH: i32 = 48;
const HEIGHT: i32 = 24;

/// Tiles of a map: letters of the built-in legend.
type Tiles = Vec<char>;

fn at(x: i32, y: i32) -> usize {
    (y * WIDTH + x) as usize
}

/// Storeys of blocks with gaps, steps, walls and single blocks.
fn blocks(dice: &mut Random) -> Tiles {
    let mut tiles = vec!['.'; (WIDTH * HEIGHT) as usize];
    for base in [0, 7, 14] {
        let mut x = 0;
        while x < WIDTH {
            let (run, height) = (1 + dice.below(7) as i32, dice.pick(&[0, 1, 1, 1, 1, 2]));
            for x in x..(x + run).min(WIDTH) {
                (0..height).for_each(|y| tiles[at(x, base + y)] = '#');
            }
            x += run;
        }
    }
    for _ in 0..20 {
        tiles[at(dice.below(WIDTH as u64) as i32, dice.below(HEIGHT as u64) as i32)] = '#';
    }
    tiles
}

/// Letters of all solid variants.
fn solids() -> Vec<char> {
    let catalogue = Catalogue::builtin();
    let is_solid = |i: &usize| catalogue.variants()[*i].kind == PatternKind::Solid;
    (0..catalogue.variants().len()).filter(is_solid).map(letter).collect()
}

/// Letter of a variant.
fn letter(variant: usize) -> char {
    char::from_u32(0x1000 + variant as u32).unwrap()
}

/// Blocks with slopes on them, and solid tiles of every kind here and there.
fn slopes(dice: &mut Random) -> Tiles {
    let mut tiles = blocks(dice);
    let solids = solids();
    for y in 1..HEIGHT {
        for x in 0..WIDTH - 3 {
            let stands = |i: i32| tiles[at(x + i, y)] == '.' && tiles[at(x + i, y - 1)] == '#';
            if (0..4).all(stands) && dice.one_in(5) {
                let ramp = dice.pick(&["/##\\", "12#\\", "/#34", "1234", "#\\.#", "34#/", "/\\/\\"]);
                ramp.chars().enumerate().for_each(|(i, tile)| tiles[at(x + i as i32, y)] = tile);
            }
        }
    }
    let share = dice.pick(&[4, 20, 60]);
    for tile in &mut tiles {
        if dice.one_in(share) {
            *tile = dice.pick(&solids);
        }
    }
    tiles
}

/// Assigns each cell to one of three terrains: single cells, or whole rectangles.
fn pick_cells(dice: &mut Random) -> Vec<usize> {
    let mut parts = vec![0; (WIDTH * HEIGHT) as usize];
    if dice.one_in(2) {
        parts.iter_mut().for_each(|part| *part = dice.pick(&[0, 0, 0, 1, 2]));
        return parts;
    }
    for _ in 0..12 {
        let (x, y) = (dice.below(WIDTH as u64) as i32, dice.below(HEIGHT as u64) as i32);
        let part = 1 + dice.below(2) as usize;
        let (right, top) = (x + dice.below(10) as i32, y + dice.below(6) as i32);
        for y in y..=top.min(HEIGHT - 1) {
            (x..=right.min(WIDTH - 1)).for_each(|x| parts[at(x, y)] = part);
        }
    }
    parts
}

fn map(tiles: impl Iterator<Item = char>, origin: (i32, i32)) -> Map {
    let mut parts = MapParts::new(WIDTH as u32, HEIGHT as u32);
    for (i, kind) in TileKind::every_variant(&parts.catalogue).into_iter().skip(1).enumerate() {
        parts.symbols.insert(letter(i), TileId(parts.kinds.len() as u16));
        parts.kinds.push(kind);
    }
    let named = Map::from_parts(parts.clone()).unwrap();
    parts.layers[0].cells = tiles.map(|tile| named.find_tile(tile).unwrap()).collect();
    parts.layers[0].origin = origin;
    Map::from_parts(parts).unwrap()
}

/// Returns a world on a map, and one on the same tiles in three terrains.
fn worlds(dice: &mut Random, tiles: &Tiles, parts: &[usize]) -> [World; 2] {
    let origin = (dice.below(100) as i32 - 50, dice.below(100) as i32 - 50);
    let part = |of: usize| tiles.iter().zip(parts).map(move |(tile, is)| if *is == of { *tile } else { '.' });
    let whole = World::new(map(tiles.iter().copied(), origin), Settings::default());
    let mut split = World::new(map(part(0), origin), Settings::default());
    // The order of the terrains must not affect results.
    for of in if dice.one_in(2) { [1, 2] } else { [2, 1] } {
        let shift = (dice.below(2000) as i32 - 1000, dice.below(2000) as i32 - 1000);
        let terrain = Terrain::bake(&map(part(of), (origin.0 - shift.0, origin.1 - shift.1)));
        let at = I64Vec2::new(i64::from(shift.0), i64::from(shift.1)) * ONE;
        split.platforms.shapes.push(Platform::new(terrain, at));
    }
    [whole, split]
}

fn random_position(dice: &mut Random, world: &World) -> (f64, f64) {
    let (x, y) = world.terrain.origin();
    let at = (f64::from(x) + dice.range(0.0, WIDTH.into()), f64::from(y) + dice.range(0.0, HEIGHT.into()));
    if dice.one_in(2) { at } else { ((at.0 * 4.0).round() / 4.0, (at.1 * 4.0).round() / 4.0) }
}

/// Spawns bodies in both worlds at positions without overlap.
fn populate(dice: &mut Random, [whole, split]: &mut [World; 2], count: usize) -> Vec<BodyId> {
    let mut ids = Vec::new();
    while ids.len() < count {
        let at = random_position(dice, whole);
        let body: Body = body(dice, at);
        let position = Position::new(at.0, at.1).unwrap();
        if Mover::new(&whole.terrain).overlaps(body.shape, position) {
            continue;
        }
        let id = whole.spawn(body.clone()).unwrap();
        assert_eq!(split.spawn(body), Ok(id));
        ids.push(id);
    }
    ids
}

/// Gives both worlds the same random input in a tick.
fn play(dice: &mut Random, worlds: &mut [World; 2], ids: &[BodyId]) {
    for &id in ids {
        let lost = worlds[0].bodies[id].now.flags.outside() && dice.one_in(8);
        if lost || dice.one_in(300) {
            let at = random_position(dice, &worlds[0]);
            let position = Position::new(at.0, at.1).unwrap();
            if !Mover::new(&worlds[0].terrain).overlaps(worlds[0].bodies[id].kind.shape, position) {
                worlds.iter_mut().for_each(|world| world.teleport(id, (at.0, at.1)).unwrap());
            }
        }
        if dice.one_in(25) {
            let walk = dice.pick(&[127, -127, 127, -127, 127, -127, 0, 60, -3, 1]);
            let input = Input { walk, jump: dice.one_in(4), ..Input::default() };
            worlds.iter_mut().for_each(|world| world.set_input(id, input));
        }
    }
}

/// Returns an event without its tile, because a tile belongs to the map of its terrain.
fn event_without_tile(event: &Event) -> (BodyId, String) {
    let kind = match event.kind {
        EventKind::HitTile { side, speed, normal, position, .. } => {
            format!("hit {side:?} {:x} {normal:?} {position:?}", speed.to_bits())
        }
        // Leave out the tile: in the split world, the terrains are platforms with tiles of their own.
        EventKind::Landed { speed, .. } => format!("landed {:x}", speed.to_bits()),
        kind => format!("{kind:?}"),
    };
    (event.body, kind)
}

fn moves(world: &World, id: BodyId) -> (Position, [u64; 2], Touching, Footing) {
    let now = &world.bodies[id].now;
    (now.position, now.velocity.to_array().map(f64::to_bits), now.touching, now.footing)
}

/// Draws a body and the tiles around it, with the number of each tile's terrain.
fn drawn(tiles: &Tiles, parts: &[usize], world: &World, id: BodyId) -> String {
    use std::fmt::Write;
    let state = &world.bodies[id];
    let origin = world.terrain.origin();
    let local = |position: Position| position.to_dvec2() - DVec2::new(origin.0.into(), origin.1.into());
    let middle = local(state.now.previous).as_ivec2();
    let mut text = format!("\n{:?} {:?}\n", state.kind, state.now.footing);
    writeln!(text, "from {} to {}", local(state.now.previous), local(state.now.position)).unwrap();
    for y in (middle.y - 4..=middle.y + 4).rev() {
        write!(text, "{y:4} ").unwrap();
        for x in middle.x - 5..=middle.x + 5 {
            let is_inside = (0..WIDTH).contains(&x) && (0..HEIGHT).contains(&y);
            let tile = if is_inside { tiles[at(x, y)] } else { ' ' };
            let mark = if is_inside && tile != '.' { ['0', '1', '2'][parts[at(x, y)]] } else { ' ' };
            text.extend([mark, tile]);
        }
        text.push('\n');
    }
    writeln!(text, "first column {}", middle.x - 5).unwrap();
    text
}

fn seeds() -> u64 {
    std::env::var("SUREFOOT_SPLIT").ok().and_then(|n| n.parse().ok()).unwrap_or(40)
}

/// If the outline is straight along an axis at each split, bodies move bit for bit as over one terrain.
#[test]
fn splitting_a_map_along_straight_outlines_keeps_every_bit() {
    let seeds = seeds();
    let mut held = 0_u64;
    for seed in 0..seeds {
        let mut dice = Random(0x59117 + seed);
        let tiles = blocks(&mut dice);
        let parts = pick_cells(&mut dice);
        let mut worlds = worlds(&mut dice, &tiles, &parts);
        let ids = populate(&mut dice, &mut worlds, 20);
        for tick in 0..200 {
            play(&mut dice, &mut worlds, &ids);
            worlds.iter_mut().for_each(World::step);
            for &id in &ids {
                let [whole, split] = [0, 1].map(|i| moves(&worlds[i], id));
                if split != whole {
                    let seen = drawn(&tiles, &parts, &worlds[0], id);
                    panic!("seed {seed} tick {tick}: {split:?} and not {whole:?}{seen}");
                }
                let mut touched = worlds[1].bodies[id].touched().iter();
                held += u64::from(touched.any(|surface| surface.owner != Owner::Terrain));
            }
            let [whole, split] =
                [0, 1].map(|i| worlds[i].log.events.iter().map(event_without_tile).collect::<Vec<_>>());
            if split != whole {
                let of = split.iter().chain(&whole).find(|event| !(split.contains(event) && whole.contains(event)));
                let seen = of.map(|event| drawn(&tiles, &parts, &worlds[0], event.0));
                panic!("seed {seed} tick {tick}: {split:?} and not {whole:?}{}", seen.unwrap_or_default());
            }
        }
    }
    assert!(held > seeds * 200, "bodies touched the other terrains only {held} times");
}

/// Outward normals of the surfaces that touch a body, in any order.
fn touched(world: &World, id: BodyId) -> Vec<[i64; 2]> {
    let state = &world.bodies[id];
    let normals = state.touched().iter().map(|surface| surface.normal(state.now.position).to_array());
    let mut normals: Vec<_> = normals.collect();
    normals.sort_unstable();
    normals.dedup();
    normals
}

/// Copies the state of a body from the whole world to the split one, and finds its contacts there.
fn copy_body_to_split_world(whole: &World, split: &mut World, id: BodyId) {
    let now = whole.bodies[id].now;
    let scene = split.platforms.scene(&split.terrain, &split.settings);
    let Some(state) = split.bodies.get_mut(id) else { return };
    if state.now != now {
        state.now = now;
        find_contacts(&scene, state, &mut split.scratch);
        (state.now.touching, state.now.footing) = (now.touching, now.footing);
    }
}

/// Longest step along an edge of the catalogue, in units on an axis. A walk ends after a whole number of steps.
const STEP: i64 = 5;

/// At any split, a tick of a body ends at most two units from its end over one terrain, or a step of a steep edge if
/// that is longer. It ends without overlap.
///
/// About one tick in a million is an exception: a corner of the shape is exactly at a corner that the other terrain
/// hides.
#[test]
fn splitting_a_map_anywhere_moves_bodies_by_at_most_a_step() {
    let seeds = seeds();
    let (mut alike, mut near, mut further, mut skipped) = (0, 0, 0, 0);
    for seed in 0..seeds {
        let mut dice = Random(0xB51_1700 + seed);
        let tiles = slopes(&mut dice);
        let parts = pick_cells(&mut dice);
        let mut worlds = worlds(&mut dice, &tiles, &parts);
        let ids = populate(&mut dice, &mut worlds, 20);
        for tick in 0..200 {
            play(&mut dice, &mut worlds, &ids);
            let starts: Vec<_> = ids.iter().map(|&id| [0, 1].map(|i| touched(&worlds[i], id))).collect();
            worlds.iter_mut().for_each(World::step);
            for (&id, start) in ids.iter().zip(&starts) {
                let [whole, split] = [0, 1].map(|i| worlds[i].bodies[id].now.position);
                let far = (split - whole).abs().max_element();
                if start[0] != start[1] {
                    // By rounding, the body touches its support in only one of the two worlds, so its tick begins
                    // differently.
                    skipped += 1;
                } else if far <= STEP {
                    (alike, near) = (alike + u64::from(far == 0), near + u64::from(far > 2));
                } else {
                    let seen = drawn(&tiles, &parts, &worlds[0], id);
                    eprintln!("seed {seed} tick {tick}: {} units apart, from {start:?}{seen}", split - whole);
                    further += 1;
                }
                let shape = worlds[0].bodies[id].kind.shape;
                let overlaps = |position| {
                    !worlds[0].bodies[id].now.stuck && Mover::new(&worlds[0].terrain).overlaps(shape, position)
                };
                assert!(!overlaps(split), "seed {seed} tick {tick}");
                let [whole, split] = &mut worlds;
                copy_body_to_split_world(whole, split, id);
            }
        }
    }
    let all = seeds * 200 * 20;
    eprintln!("of {all} alike {alike}, more than 2 units apart {near}, further {further}, skipped {skipped}");
    assert!(alike * 1000 > all * 995 && skipped * 1000 < all, "too few ticks begin and end alike");
    assert!(near * 10_000 <= all && further * 100_000 <= all, "too many ticks end apart");
}
