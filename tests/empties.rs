//! Legend entries without a variant: for bodies they are empty cells, for the game they are coins and zones.

use crate::scene::{map_with, position};
use std::sync::Arc;
use surefoot::map::{MapParts, MapPartsError, TileKind, TileKindError, TileLayer};
use surefoot::prelude::*;
use surefoot::record::Playback;
use surefoot::snapshot::Snapshot;
use surefoot::terrain::{CHUNK_CELLS, CHUNK_SIDE};
use surefoot::{Event, Input, Map, World};

/// Two kinds of empty entries in the air, next to a marker, over a floor.
const ROWS: [&str; 5] = ["..........", "...cc.~~..", "@..c..~~.*", "..c../\\c..", "##########"];
const LEGEND: &str = "legend: {'c': \"empty\", '~': (tile: \"empty\")}";

fn find(map: &Map, character: char) -> TileId {
    map.find_tile(character).unwrap_or_else(|| panic!("{character} is in the legend"))
}

fn read_back(map: &Map) -> String {
    let text = map.to_ron();
    let back = Map::from_ron_with(&text, map.catalogue()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(back, *map, "{text}");
    assert_eq!(back.to_ron(), text);
    text
}

#[test]
fn an_empty_tile_of_the_maps_own_legend_is_an_entry() {
    let map = map_with(&ROWS, LEGEND);
    let (coin, zone) = (find(&map, 'c'), find(&map, '~'));
    assert!(coin != TileId::EMPTY && zone != TileId::EMPTY && coin != zone);
    for (row, characters) in (0..).zip(ROWS.iter().rev()) {
        for (column, character) in (0..).zip(characters.chars()) {
            // The map reports a marker by name. Its cell is the plain empty one.
            let expected = if ".@*".contains(character) { TileId::EMPTY } else { find(&map, character) };
            assert_eq!(map.tile_at(0, (column, row)), Some(expected), "{character}");
            let is_solid = "#/\\".contains(character);
            assert_eq!(map.variant_at(0, (column, row)).is_some(), is_solid, "{character}");
        }
    }
    assert_eq!(map.kind(coin), Some(&TileKind::default()));
    assert_eq!(map.marker_cell("start"), Some((0, 2)));
    let text = read_back(&map);
    assert!(text.contains("'c': \"empty\"") && text.contains("...cc.~~.."), "{text}");
}

#[test]
fn the_plain_empty_cell_is_entry_0() {
    let legend = |fields: &str, rows: &[&str]| {
        let map = map_with(rows, fields);
        read_back(&map);
        let entries: Vec<_> = rows[0].chars().zip(map.layers()[0].cells.iter().map(|entry| entry.0)).collect();
        (map.kinds().len(), entries)
    };
    let (builtin, _) = legend("", &[". "]);
    // Naming the built-in empty cells changes nothing.
    assert_eq!(legend("legend: {'.': \"empty\", ' ': \"empty\"}", &[". "]), (builtin, vec![('.', 0), (' ', 0)]));
    // Without a built-in legend, the first empty entry is the plain one.
    let own = "only_this_legend: true, legend: {'#': \"full_block\", '~': \"empty\", '.': \"empty\", ' ': \"empty\"}";
    assert_eq!(legend(own, &["~. #"]), (4, vec![('~', 0), ('.', 2), (' ', 3), ('#', 1)]));
    // The letter of a marker becomes that of a tile, and the other way round.
    let other = "legend: {'@': \"empty\", '#': \"empty\", '=': (marker: \"bridge\")}";
    let (count, entries) = legend(other, &[".@#=*"]);
    assert_eq!(count, builtin, "one more, and one less");
    assert!(entries[1].1 != 0 && entries[2].1 != 0 && entries[1].1 != entries[2].1, "{entries:?}");
    assert_eq!([entries[0].1, entries[3].1, entries[4].1], [0; 3]);
    // Both built-in letters become other tiles.
    let taken = "legend: {'.': \"stud\", ' ': \"disc\", ',': \"empty\", ';': \"empty\"}";
    let (_, entries) = legend(taken, &[",;"]);
    assert!(entries[0].1 == 0 && entries[1].1 != 0, "{entries:?}");
}

#[test]
fn legends_made_by_code_have_empty_entries_too() {
    let mut parts = MapParts::new(3, 1);
    let first = parts.kinds.len() as u16;
    // The space is one of the built-in empty cells. Here it gets its own entry.
    parts.kinds.extend([TileKind::default(), TileKind::default()]);
    parts.symbols = [('c', TileId(first)), (' ', TileId(first + 1))].into();
    parts.layers[0].cells = vec![TileId(first), TileId::EMPTY, TileId(first + 1)];
    read_back(&Map::from_parts(parts.clone()).expect("it is in order"));
    parts.kinds.push(TileKind::default());
    parts.symbols.extend([('x', TileId::EMPTY), ('.', TileId(first + 2))]);
    parts.layers[0].cells[1] = TileId(first + 2);
    read_back(&Map::from_parts(parts.clone()).expect("it is in order"));
    // The first entry stays the plain empty cell, and empty entries have no drop-through.
    parts.kinds[usize::from(first)].drop_through = true;
    let refused = Map::from_parts(parts.clone()).expect_err("there is nothing to drop through");
    assert!(
        matches!(refused, MapPartsError::Kind(TileKindError::DropThrough { kind, .. }) if kind.0 == first),
        "{refused}"
    );
    parts.kinds[0] = TileKind::new(VariantId(0));
    assert_eq!(Map::from_parts(parts), Err(TileKindError::NoEmpty.into()));
}

/// Returns the map's rows without the coins and zones.
fn rows_without_empties(rows: &[&str]) -> Vec<String> {
    rows.iter().map(|row| row.replace(['c', '~'], ".")).collect()
}

#[test]
fn the_terrain_is_that_of_empty_cells() {
    let rows = rows_without_empties(&ROWS);
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let (map, plain) = (map_with(&ROWS, LEGEND), map_with(&rows, ""));
    assert_eq!(map.checksum(), plain.checksum());
    let coin = find(&map, 'c');
    let mut terrain = Terrain::bake(&map);
    let expected = Terrain::bake(&plain);
    let faces = |terrain: &Terrain| {
        terrain.exposed_faces().map(|face| (face.tile, face.edge, face.a, face.b)).collect::<Vec<_>>()
    };
    assert_eq!(faces(&terrain), faces(&expected));
    assert_eq!((terrain.tile_at(0, (3, 2)), terrain.variant_at(0, (3, 2))), (Some(coin), None));
    for (tile, entry) in [((3, 2), TileId::EMPTY), ((4, 1), coin), ((0, 4), coin), ((4, 1), find(&map, '~'))] {
        terrain.set_tile(0, tile, entry).expect("it is on the map");
        assert_eq!(terrain.tile_at(0, tile), Some(entry));
        assert_eq!(faces(&terrain), faces(&expected), "{tile:?}");
    }
    // A coin in the ground removes the ground there. Then the ground is set again.
    terrain.set_tile(0, (4, 0), coin).expect("it is on the map");
    let mut dug = expected.clone();
    dug.set_tile(0, (4, 0), TileId::EMPTY).expect("it is on the map");
    assert_eq!(faces(&terrain), faces(&dug));
    terrain.set_tile(0, (4, 0), find(&map, '#')).expect("it is on the map");
    assert_eq!(faces(&terrain), faces(&expected));
}

/// Returns the checksums, events and contacts after a tick.
fn visible_state(world: &World) -> (Checksum, Checksum, Vec<Event>, Vec<Contact>) {
    let contacts = world.bodies().flat_map(|(id, _)| world.contacts(id).iter().collect::<Vec<_>>()).collect();
    (world.checksum(), world.motion_checksum(), world.events().to_vec(), contacts)
}

/// Bodies of every kind among the coins.
fn crowd(world: &mut World) -> Vec<BodyId> {
    let hero = Body::new(Shape::aabb(0.35, 0.45)).at((0.5, 1.45)).character(Character::default());
    let wheel = Body::new(Shape::circle(0.4)).at((1.5, 1.4)).character(Character::default());
    let ball = Body::new(Shape::circle(0.3)).at((4.5, 3.5)).velocity((5.0, 3.0)).bounce(0.8);
    let crate_ = Body::new(Shape::aabb(0.3, 0.3)).at((6.5, 3.5)).friction(0.5);
    [hero, wheel, ball, crate_].map(|body| world.spawn(body).expect("it is in order")).to_vec()
}

fn drive(world: &mut World, crowd: &[BodyId], tick: u32) {
    for body in crowd {
        let input = Input {
            walk: if (tick / 40).is_multiple_of(2) { 127 } else { -127 },
            jump: tick % 25 < 6,
            ..Input::default()
        };
        world.set_input(*body, input);
    }
}

/// Returns the cell that changes in a tick, and its new tile: a coin is taken or put.
fn change(map: &Map, tick: u32) -> ((i32, i32), TileId) {
    let tile = ((tick * 7 % 10) as i32, 2 + (tick * 3 % 3) as i32);
    (tile, [TileId::EMPTY, find(map, 'c'), find(map, '~')][tick as usize % 3])
}

#[test]
fn no_body_notices_a_coin() {
    let map = map_with(&ROWS, LEGEND);
    let mut world = World::new(map.clone(), Settings::default());
    let mut still = world.clone();
    let (bodies, same) = (crowd(&mut world), crowd(&mut still));
    assert_eq!(bodies, same);
    for tick in 0..300 {
        drive(&mut world, &bodies, tick);
        drive(&mut still, &same, tick);
        let (tile, entry) = change(&map, tick);
        let before = world.checksum();
        world.set_tile(0, tile, entry).expect("it is on the map");
        // A body must not even notice the change: the state stays the same.
        assert_eq!(world.checksum(), before, "tick {tick}");
        assert_eq!(world.tile_at(0, tile), Some(entry));
        world.step();
        still.step();
        assert_eq!(visible_state(&world), visible_state(&still), "tick {tick}");
    }
    // A rectangle of coins and ground affects bodies where the ground was.
    let hero = bodies[0];
    world.teleport(hero, (0.5, 1.45)).expect("it is on the map");
    world.step();
    assert!(world[hero].on_floor());
    world.set_tiles(0, (0, 0), (1, 3), find(&map, 'c')).expect("it is on the map");
    world.step();
    assert!(!world[hero].on_floor());
}

#[test]
fn coins_are_saved_loaded_and_replayed() {
    let map = map_with(&ROWS, LEGEND);
    let mut world = World::new(map.clone(), Settings::default());
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 10).unwrap();
    let bodies = crowd(&mut world);
    for tick in 0..60 {
        drive(&mut world, &bodies, tick);
        let (tile, entry) = change(&map, tick);
        world.set_tile(0, tile, entry).expect("it is on the map");
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    let tiles = || (0..5).flat_map(|y| (0..10).map(move |x| (x, y)));
    let cells = |world: &World| tiles().map(|tile| world.tile_at(0, tile)).collect::<Vec<_>>();
    let expected = cells(&world);
    assert_ne!(expected, tiles().map(|tile| map.tile_at(0, tile)).collect::<Vec<_>>(), "something was painted");

    let saved = world.capture();
    let from_bytes = Snapshot::from_bytes(&saved.to_bytes()).expect("it was just written");
    let from_text = Snapshot::from_ron(&saved.to_ron().expect("it can be told")).expect("it was just written");
    for snapshot in [&saved, &from_bytes, &from_text] {
        let mut other = World::new(map.clone(), Settings::default());
        other.restore(snapshot).expect("it is of this map");
        assert_eq!((cells(&other), other.checksum()), (expected.clone(), world.checksum()));
    }
    let replay = recorder.finish_replay(&world).expect("it is whole");
    let read = Replay::from_ron(&replay.to_ron()).expect("it was just written");
    assert_eq!(read, replay);
    let mut player = Playback::new(&read);
    player.run().expect("it runs as recorded");
    assert_eq!(cells(player.world()), expected);
}

#[test]
fn layers_have_coins_before_and_behind_tiles() {
    let mut parts = MapParts::new(6, 3);
    let block = find(&Map::from_parts(parts.clone()).expect("it is empty"), '#');
    let coin = TileId(parts.kinds.len() as u16);
    parts.kinds.push(TileKind::default());
    let ground: Vec<_> = (0..18).map(|i| if i < 6 { block } else { TileId::EMPTY }).collect();
    let layer = |name, cells| TileLayer { cells, ..TileLayer::new(name, 6, 3) };
    parts.layers = vec![
        layer("ground", ground),
        layer("things", vec![coin; 18]),
        TileLayer { collides: false, ..layer("seen", vec![coin; 18]) },
    ];
    let map = Arc::new(Map::from_parts(parts).expect("it is in order"));
    read_back(&map);
    let mut world = World::new(map, Settings::default());
    let ball = world.spawn(Body::new(Shape::circle(0.25)).at((2.5, 1.25)).friction(1.0)).expect("it is in order");
    world.step();
    let rests = (world[ball].position(), world.checksum());
    for (layer, tile) in [(1, (2, 1)), (1, (2, 0)), (2, (2, 1)), (0, (2, 1))] {
        let entry = if layer == 0 { coin } else { TileId::EMPTY };
        world.set_tile(layer, tile, entry).expect("empty cells share");
        assert_eq!((world.tile_at(layer, tile), world.checksum()), (Some(entry), rests.1));
        let contacts: Vec<_> = world.contacts(ball).iter().map(|contact| (contact.layer, contact.tile_id)).collect();
        assert_eq!(contacts, [(0, block)]);
    }
    world.set_tile(0, (2, 0), coin).expect("empty cells share");
    assert!(world.contacts(ball).is_empty());
    world.step();
    assert!(world[ball].position().units().y < rests.0.units().y);
}

/// A floor with a coin in every cell above it.
struct Coins {
    block: TileId,
    coin: TileId,
}

impl TileSource for Coins {
    fn fill(&self, _layer: usize, chunk: (i32, i32), cells: &mut [TileId; CHUNK_CELLS]) {
        for (i, cell) in (0..).zip(cells) {
            *cell = if chunk.1 * CHUNK_SIDE as i32 + i / CHUNK_SIDE as i32 >= 0 { self.coin } else { self.block };
        }
    }
}

#[test]
fn a_source_gives_coins() {
    let map = map_with(&["."], LEGEND);
    let (block, coin) = (find(&map, '#'), find(&map, 'c'));
    let mut world = World::streamed(map, Arc::new(Coins { block, coin }), Settings::default());
    let hero = Body::new(Shape::aabb(0.35, 0.45)).at((0.5, 0.45)).character(Character::default());
    let hero = world.spawn(hero).expect("it is in order");
    // A body for which no chunks are loaded must not notice the coins either.
    let ghost = Body::new(Shape::circle(0.25)).at((5_000.5, 0.5)).response(Response::Pass).gravity_scale(0.0);
    let ghost = world.spawn(ghost).expect("it is in order");
    world.set_input(hero, Input { walk: 127, ..Input::default() });
    for _ in 0..30 {
        world.step();
        let (before, position) = (world.checksum(), world[hero].position());
        let tile = position.cell();
        for tile in [tile, (tile.0 + 1, tile.1), world[ghost].position().cell()] {
            world.set_tile(0, tile, TileId::EMPTY).expect("it has no bounds");
            assert_eq!((world.tile_at(0, tile), world.checksum()), (Some(TileId::EMPTY), before));
        }
    }
    assert!(world[hero].on_floor() && world[hero].position() > position(2.0, 0.45));
    assert_eq!(world.tile_at(0, world[hero].position().cell()), Some(TileId::EMPTY));
    let (x, y) = world[hero].position().cell();
    assert_eq!(world.tile_at(0, (x + 3, y)), Some(coin));
}
