//! One-way tiles that let bodies of some collision layers pass. For those bodies the tiles do not exist; for others
//! they are ordinary.

use crate::scene::{Random, map_with, often, position};
use crate::streaming::source_of;
use crate::table::all_ways;
use surefoot::body::PlatformVelocity;
use surefoot::map::{CollisionLayerError, CollisionLayers, MapParts, MapPartsError, TileKind, TileKindError};
use surefoot::platform::{OnCrush, Path, PathTiming, Platform, Repeat};
use surefoot::prelude::*;
use surefoot::record::{Playback, Recorder};
use surefoot::snapshot::Snapshot;
use surefoot::{Command, Input, Map, World};
use surefoot_geometry::ONE;

const HERO: CollisionLayers = CollisionLayers(0b001);
const GHOST: CollisionLayers = CollisionLayers(0b010);
const CRATE: CollisionLayers = CollisionLayers(0b100);

/// The layers that each letter of the random maps lets pass.
const PASSED: [(char, &str, &[&str]); 6] = [
    ('~', "one_way", &["ghost"]),
    ('a', "one_way r1", &["ghost"]),
    ('b', "one_way r2", &["ghost", "crate"]),
    ('c', "one_way r3", &["crate"]),
    ('d', "one_way", &["crate"]),
    ('%', "one_way_slope_45", &["ghost"]),
];

/// A legend with these letters, whose tiles let layers pass or not.
fn fields(lets_pass: bool) -> String {
    let entry = |&(letter, tile, names): &(char, &str, &[&str])| {
        let names = if lets_pass { names } else { &[] };
        let drops = letter == 'd';
        format!("'{letter}': (tile: {tile:?}, drop_through: {drops}, ignored_by: {names:?})")
    };
    let entries: Vec<_> = PASSED.iter().map(entry).collect();
    format!(r#"collision_layers: ["hero", "ghost", "crate"], legend: {{{}}}"#, entries.join(", "))
}

/// Returns the letter as bodies of `layer` see it: empty if the tile lets them pass.
fn without(letter: char, layer: &str) -> char {
    let passes = PASSED.iter().any(|(known, _, names)| *known == letter && names.contains(&layer));
    if passes { '.' } else { letter }
}

const WIDTH: usize = 34;
const HEIGHT: usize = 18;
const LETTERS: &[u8] = b"..........##=-/\\~~~~aabbccdd%%";

fn random_rows(random: &mut Random) -> Vec<String> {
    let row = |random: &mut Random| (0..WIDTH).map(|_| char::from(random.pick(LETTERS))).collect();
    (0..HEIGHT).map(|_| row(random)).collect()
}

/// A world, the tiles of its letters, and the body to watch.
struct Side {
    world: World,
    layer: Option<&'static str>,
}

impl Side {
    fn new(rows: &[String], layer: Option<&'static str>, settings: Settings, random: &mut Random) -> Side {
        let shown = |letter: char| layer.map_or(letter, |layer| without(letter, layer));
        let rows: Vec<String> = rows.iter().map(|row| row.chars().map(shown).collect()).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let mut world = World::new(map_with(&rows, &fields(layer.is_none())), settings);
        for (at, to, drawn) in
            [((4.0, 5.0), (9.0, 3.0), "~~#b"), ((20.5, 3.0), (0.0, 9.0), "d#~~a"), ((9.0, 14.0), (-7.0, -9.0), "c~#")]
        {
            let drawn: String = drawn.chars().map(shown).collect();
            let platform = Platform::from_rows(world.map(), [drawn.as_str()]).unwrap().at(at);
            let path = Path {
                points: vec![Position::ORIGIN, position(to.0, to.1)],
                timing: PathTiming::Speed(f64::from(1 + random.below(6) as u32)),
                repeat: Repeat::PingPong,
                ..Path::default()
            };
            world.spawn_platform(platform.path(path).on_crush(OnCrush::PassThrough)).unwrap();
        }
        Side { world, layer }
    }

    fn letter(&self, letter: char) -> TileId {
        let shown = self.layer.map_or(letter, |layer| without(letter, layer));
        self.world.map().find_tile(shown).unwrap()
    }
}

/// Everything that can be seen of a body after a tick, to the bit.
fn state_as_text(world: &World, body: BodyId) -> String {
    let state = &world[body];
    let contacts: Vec<_> = world
        .contacts(body)
        .iter()
        .map(|contact| (contact.point, contact.exact_normal, contact.tile, contact.platform))
        .collect();
    let events: Vec<_> = world.events().iter().filter(|event| event.body == body).collect();
    let velocity = state.velocity().to_array().map(f64::to_bits);
    format!(
        "{:?} {velocity:?} {:?} {:?} {contacts:?} {events:?}",
        state.position().units(),
        state.footing(),
        state.path()
    )
}

fn body(random: &mut Random, i: usize) -> Body {
    let shape = if i.is_multiple_of(2) { Shape::aabb(0.3, 0.4) } else { Shape::circle(random.range(0.1, 0.6)) };
    let at = (random.range(1.0, WIDTH as f64 - 1.0), random.range(1.0, HEIGHT as f64 + 2.0));
    let body = Body::new(shape).at(at).velocity((random.range(-9.0, 9.0), 0.0));
    match i % 4 {
        0 | 1 => body.character(Character::default()),
        2 => body.bounce(0.8),
        _ => body.friction(0.3),
    }
}

fn compare(seed: u64) -> u32 {
    let mut random = Random(seed);
    let rows = random_rows(&mut random);
    let (up, gravity) =
        [(Up::PlusY, (0.0, -30.0)), (Up::MinusY, (0.0, 30.0)), (Up::PlusX, (-30.0, 0.0)), (Up::MinusX, (30.0, 0.0))]
            [random.below(4) as usize];
    let settings = Settings::default().up(up).gravity(gravity);
    let paths = Random(random.0);
    let [mut mixed, mut as_hero, mut as_ghost, mut as_crate] = [None, Some("hero"), Some("ghost"), Some("crate")]
        .map(|layer| Side::new(&rows, layer, settings, &mut Random(paths.0)));
    let streamed = (seed % 2 == 1).then(|| {
        let map = mixed.world.map().clone();
        let mut world = World::streamed(map.clone(), source_of(&map), settings);
        for (_, state) in mixed.world.platforms() {
            world.spawn_platform(state.platform().clone()).unwrap();
        }
        world
    });
    let mut streamed = streamed.map(|world| Side { world, layer: None });
    let mut restored = Side { world: mixed.world.clone(), layer: None };
    let mut bodies = Vec::new();
    let mut different = 0;
    for tick in 0..150 {
        let saved = mixed.world.capture();
        let read = if tick % 2 == 0 { saved } else { Snapshot::from_bytes(&saved.to_bytes()).unwrap() };
        restored.world.restore(&read).unwrap();
        let mut commands: Vec<(Command, char)> = Vec::new();
        if tick < 18 {
            // The bodies appear one by one, so that a layer's terrain is prepared while others move.
            let of = [HERO, GHOST, CRATE][tick % 3];
            let new = body(&mut random, tick / 3).collision_layers(of);
            commands.push((Command::Spawn(Box::new(new)), '.'));
        }
        for (id, _) in &bodies {
            if random.below(12) == 0 {
                let input = Input {
                    walk: random.pick(&[127, -127, 60, 0]),
                    jump: random.below(3) == 0,
                    down: random.below(4) == 0,
                    ..Input::default()
                };
                commands.push((Command::SetInput(*id, input), '.'));
            }
        }
        if random.below(3) == 0 {
            let tile = (random.below(WIDTH as u64) as i32, random.below(HEIGHT as u64) as i32);
            let letter = char::from(random.pick(LETTERS));
            commands.push((Command::SetTile { layer: 0, tile, tile_id: TileId::EMPTY }, letter));
        }
        let mut spawned = None;
        let all = [&mut mixed, &mut restored, &mut as_hero, &mut as_ghost, &mut as_crate];
        for side in all.into_iter().chain(&mut streamed) {
            for (command, letter) in &commands {
                if let Command::SetTile { layer, tile, .. } = *command {
                    // Set a block first, so that bodies next to the cell are checked again in all worlds.
                    for letter in ['#', *letter] {
                        let tile_id = side.letter(letter);
                        side.world.apply(Command::SetTile { layer, tile, tile_id }).unwrap();
                    }
                } else {
                    spawned = side.world.apply(command.clone()).unwrap().or(spawned);
                }
            }
            side.world.step();
        }
        if let Some(id) = spawned {
            bodies.push((id, tick % 3));
        }
        assert_eq!(restored.world.checksum(), mixed.world.checksum(), "seed {seed}, tick {tick}");
        assert_eq!(restored.world.events(), mixed.world.events(), "seed {seed}, tick {tick}");
        for &(id, of) in &bodies {
            let now = state_as_text(&mixed.world, id);
            let twins = [&as_hero, &as_ghost, &as_crate].map(|side| state_as_text(&side.world, id));
            assert_eq!(now, twins[of], "seed {seed}, tick {tick}, {id:?} of layer {of}");
            different += u32::from(twins.iter().any(|twin| *twin != now));
            if let Some(streamed) = &streamed {
                assert_eq!(now, state_as_text(&streamed.world, id), "seed {seed}, tick {tick}, {id:?} streamed");
            }
        }
    }
    different
}

/// Bodies of three layers at once, with tiles and moving platforms that let one or two layers pass. The maps are
/// edited, streamed or not, and saved and loaded before every tick. Each body must move as in a world without layers
/// that lacks the tiles that it passes.
#[test]
fn bodies_move_as_if_tiles_that_they_pass_did_not_exist() {
    let mut different = 0;
    for seed in 0..u64::from(often(4, 2000)) {
        different += compare(seed);
    }
    assert!(different > 166, "{different}");
}

/// One-way tiles in five rows. The third row lets no body pass. The top of each is the top of its tile.
const STACK: [&str; 12] = [
    "......", "......", "~~~~~~", "......", "~~~~~~", "======", "~~~~~~", "......", "~~~~~~", "......", "......",
    "######",
];

fn stack() -> (Map, CollisionLayers) {
    let map = map_with(&STACK, &fields(true));
    let ghost = map.collision_layers_named(["ghost"]).unwrap();
    (map, ghost)
}

fn crate_at(x: f64, y: f64) -> Body {
    Body::new(Shape::aabb(0.25, 0.25)).at((x, y))
}

fn run(world: &mut World, ticks: u32) {
    (0..ticks).for_each(|_| world.step());
}

#[test]
fn a_hero_lands_and_a_ghost_falls_to_the_next_tile_that_stops_it() {
    let (map, ghost) = stack();
    let mut world = World::new(map, Settings::default());
    let hero = world.spawn(crate_at(1.5, 11.5)).unwrap();
    let passing = world.spawn(crate_at(3.5, 11.5).collision_layers(ghost)).unwrap();
    run(&mut world, 90);
    assert_eq!(world[hero].position(), position(1.5, 10.25));
    assert_eq!(world[passing].position(), position(3.5, 7.25), "the ledge that lets nothing pass");
    assert!(world[hero].on_floor() && world[passing].on_floor());
    let tile = |id| world.contacts(id).iter().map(|contact| (contact.tile, contact.tile_id)).next().unwrap();
    assert_eq!(tile(hero), ((1, 9), world.map().find_tile('~').unwrap()));
    assert_eq!(tile(passing), ((3, 6), world.map().find_tile('=').unwrap()));
}

#[test]
fn a_new_ghost_falls_and_a_former_ghost_is_caught_by_the_next_tile() {
    let (map, ghost) = stack();
    let mut world = World::new(map.clone(), Settings::default());
    let hero = world.spawn(crate_at(1.5, 10.25)).unwrap();
    // A body that is in the air from the start falls the same way without tiles.
    let open = World::new(
        map_with(&STACK.map(|row| row.replace('~', ".")).each_ref().map(String::as_str), &fields(false)),
        Settings::default(),
    );
    let mut open = open;
    run(&mut world, 3);
    world.set_collision_layers(hero, ghost).unwrap();
    assert!(!world[hero].on_floor() && world.contacts(hero).is_empty());
    let beside = open.spawn(crate_at(1.5, 10.25)).unwrap();
    // The underside of the new ghost is inside the one-way tile's cell, but above the next one-way tile.
    while world[hero].position().to_dvec2().y > 10.0 {
        world.step();
        open.step();
        assert_eq!(world[hero].position(), open[beside].position());
    }
    world.set_collision_layers(hero, CollisionLayers::FIRST).unwrap();
    run(&mut world, 60);
    assert_eq!(world[hero].position(), position(1.5, 8.25), "the next one catches it");
    let kinds: Vec<_> = world.contacts(hero).iter().map(|contact| contact.tile).collect();
    assert_eq!(kinds, [(1, 7)]);
}

/// The state is saved and loaded in every tick of a run in which bodies change their layers.
#[test]
fn changes_of_layers_are_saved_recorded_and_replayed() {
    let (map, ghost) = stack();
    let mut world = World::new(map.clone(), Settings::default());
    let hero = world.spawn(crate_at(1.5, 10.25).character(Character::default())).unwrap();
    let other = world.spawn(crate_at(4.5, 11.25).collision_layers(ghost).collision_mask(HERO)).unwrap();
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 1).unwrap();
    recorder.name_body(hero, "hero").unwrap();
    recorder.name_body(other, "other").unwrap();
    let mut twin = World::new(map, Settings::default());
    for tick in 0..120 {
        match tick {
            3 | 50 => world.set_collision_layers(hero, ghost).unwrap(),
            20 => world.set_collision_layers(hero, HERO.union(CRATE)).unwrap(),
            70 => world.set_collision_layers(other, CollisionLayers::FIRST).unwrap(),
            71 => world.set_collision_mask(other, CollisionLayers::ALL).unwrap(),
            72 => world.set_collision_layers(other, CollisionLayers::NONE).unwrap(),
            _ => {}
        }
        let saved = world.capture();
        let from = if tick % 2 == 0 {
            Snapshot::from_bytes(&saved.to_bytes())
        } else {
            Snapshot::from_ron(&saved.to_ron().unwrap())
        };
        twin.restore(&from.unwrap()).unwrap();
        assert_eq!(twin.capture().first_difference(&saved), None, "tick {tick}");
        world.step();
        twin.step();
        recorder.record_tick(&world).unwrap();
        assert_eq!(twin.checksum(), world.checksum(), "tick {tick}");
    }
    assert_eq!(
        (world[other].body().collision_layers, world[other].body().collision_mask),
        (CollisionLayers::NONE, CollisionLayers::ALL)
    );
    let replay = recorder.finish_replay(&world).unwrap();
    let text = replay.to_ron();
    for written in [
        r#"collision_layers: ["ghost"], collision_mask: ["hero"])"#,
        r#"(tick: 3, do: SetCollisionLayers("hero", ["ghost"]))"#,
        r#"(tick: 20, do: SetCollisionLayers("hero", ["hero", "crate"]))"#,
        r#"(tick: 71, do: SetCollisionMask("other", All))"#,
        r#"(tick: 72, do: SetCollisionLayers("other", []))"#,
    ] {
        assert!(text.contains(written), "{written} in {text}");
    }
    let back = Replay::from_ron(&text).unwrap();
    assert_eq!(back.to_ron(), text);
    let mut player = Playback::new(&back);
    assert_eq!(player.recording(), &**replay.recording());
    assert_eq!(player.run().unwrap().checksum, world.checksum());
    let without: Vec<_> = text.lines().filter(|line| !line.contains("(tick: 50, do: SetCollisionLayers")).collect();
    assert!(Playback::new(&Replay::from_ron(&without.join("\n")).unwrap()).run().is_err());
}

#[test]
fn a_ghost_passes_a_platform_that_carries_a_hero() {
    let map = map_with(&["......"; 12], &fields(true));
    let ghost = map.collision_layers_named(["ghost"]).unwrap();
    let lift = Platform::from_rows(&map, ["~~~~"]).unwrap().at((1.0, 2.0));
    let path =
        Path { points: vec![Position::ORIGIN, position(0.0, 60.0)], timing: PathTiming::Speed(3.0), ..Path::default() };
    let mut world = World::new(map, Settings::default());
    let lift = world.spawn_platform(lift.path(path)).unwrap();
    let character = Character { platform_velocity: PlatformVelocity::All, ..Character::default() };
    // The one-way tile of the lift is at the top of its cell, at y = 3. It reaches the ghost from below and passes it.
    let hero = world.spawn(crate_at(1.5, 3.25).character(character)).unwrap();
    let floats = world.spawn(crate_at(3.5, 3.75).collision_layers(ghost).gravity_scale(0.0)).unwrap();
    run(&mut world, 20);
    assert_eq!((world.platform_under(hero), world.platform_under(floats)), (Some(lift), None));
    assert_eq!(world[hero].position().units().y - world.platform(lift).unwrap().position().units().y, ONE + ONE / 4);
    assert_eq!(world[floats].position(), position(3.5, 3.75));
    assert!(world.events().is_empty());

    // The former ghost is inside the one-way tile when the tile becomes solid for it, so the tile does not catch it.
    // After that, the rider becomes a ghost and does not ride any longer.
    world.set_collision_layers(floats, CollisionLayers::FIRST).unwrap();
    run(&mut world, 20);
    assert_eq!(world[floats].position(), position(3.5, 3.75));
    let before = world[hero].velocity();
    assert!(before.x == 0.0 && (before.y - 3.0).abs() < 1e-8, "{before}: a platform goes whole units in a tick");
    world.set_collision_layers(hero, ghost).unwrap();
    assert_eq!(
        (world.platform_under(hero), world[hero].velocity()),
        (None, before),
        "it keeps what it was carried with"
    );
    assert_eq!(world[hero].relative_velocity(), before);
    let from = world[hero].position().to_dvec2().y;
    run(&mut world, 30);
    // The hero flies for half a second, with the platform's speed at the start, under a gravity of 40.
    let fell = world[hero].position().to_dvec2().y - from;
    assert!((fell - (0.5 * 3.0 - 0.5 * 40.0 * 0.25)).abs() < 1e-8, "{fell}");
}

#[test]
fn ledges_in_all_turns_let_ghosts_pass_and_stop_heroes() {
    let map = map_with(&["....", "....", ".~~.", "....", "####"], &fields(true));
    all_ways(|way| {
        let mut world = way.world(map.clone(), Settings::default());
        let [hero, ghost] = [(1.5, HERO), (2.5, GHOST)].map(|(x, layers)| {
            let body = Body::new(Shape::aabb(0.25, 0.375)).at((x, 4.0));
            world.spawn(body.collision_layers(layers)).unwrap()
        });
        (0..60).for_each(|_| world.step());
        assert_eq!(world[hero].position(), position(1.5, 3.375));
        assert_eq!(world[ghost].position(), position(2.5, 1.375));
    });
}

#[test]
fn a_ghost_that_is_spawned_on_a_ledge_does_not_stand_on_it() {
    let (map, ghost) = stack();
    let mut world = World::new(map, Settings::default());
    let [hero, passing] = [HERO, ghost].map(|of| world.spawn(crate_at(1.5, 10.25).collision_layers(of)).unwrap());
    assert_eq!(
        [hero, passing].map(|id| (world[id].on_floor(), world[id].touching().floor)),
        [(true, true), (false, false)]
    );
    world.step();
    assert_eq!(world.events(), []);
    assert!(world[passing].position().to_dvec2().y < 10.25);
}

/// Of the sides in a cell that exist for the body, the touched one gives the tile of a contact.
#[test]
fn contacts_of_ghosts_name_only_tiles_that_exist_for_them() {
    let map = Map::from_ron(
        r#"Map(format: 1, collision_layers: ["hero", "ghost"], layers: [(name: "a", tiles: ["u"]), (name: "b", tiles: ["="])],
            legend: {'u': (tile: "one_way r1", ignored_by: ["ghost"])})"#,
    );
    let map = map.unwrap();
    let mut world = World::new(map, Settings::default());
    let ghost = world.spawn(crate_at(0.5, 1.25).collision_layers(GHOST)).unwrap();
    world.step();
    let told: Vec<_> = world.contacts(ghost).iter().map(|contact| (contact.layer, contact.tile_id)).collect();
    assert_eq!(told, [(1, world.map().find_tile('=').unwrap())]);
}

#[test]
fn a_world_copied_into_has_the_layers_of_its_bodies() {
    let map = map_with(&["......"; 12], &fields(true));
    let lift = Platform::from_rows(&map, ["~~~~"]).unwrap().at((1.0, 2.0));
    let mut world = World::new(map, Settings::default());
    world.spawn_platform(lift).unwrap();
    let mut copy = world.clone();
    let ghost = world.spawn(crate_at(2.5, 4.0).collision_layers(GHOST)).unwrap();
    copy.clone_from(&world);
    for _ in 0..30 {
        world.step();
        copy.step();
        assert_eq!(copy.checksum(), world.checksum());
    }
    assert!(world[ghost].position().to_dvec2().y < 2.0);
}

#[test]
fn hits_report_the_kind_and_platform_of_the_tile() {
    let map = map_with(
        &["........", "....#...", "....#..."],
        r#"legend: {'#': (tile: "full_block", properties: {"tag": "spikes"})}"#,
    );
    let door = Platform::from_rows(&map, ["+", "#"]).unwrap().at((1.0, 0.0));
    let mut world = World::new(map, Settings::default());
    let door = world.spawn_platform(door).unwrap();
    let [left, right] = [-20.0, 20.0].map(|speed| {
        world
            .spawn(Body::new(Shape::aabb(0.25, 0.25)).at((3.0, 0.5)).velocity((speed, 0.0)).gravity_scale(0.0))
            .unwrap()
    });
    let mut hits = Vec::new();
    for _ in 0..10 {
        world.step();
        let map = world.map().clone();
        hits.extend(world.events().iter().filter_map(|event| match event.kind {
            EventKind::HitTile { tile, tile_id, platform, .. } => {
                let tag = map.kind(tile_id).and_then(|kind| kind.properties.get("tag")).cloned();
                Some((
                    event.body,
                    tile,
                    map.symbols().iter().find(|(_, id)| **id == tile_id).map(|(c, _)| *c),
                    platform,
                    tag,
                ))
            }
            _ => None,
        }));
    }
    let spikes = Some("spikes".into());
    hits.sort_by_key(|(body, ..)| *body == right);
    assert_eq!(hits, [(left, (0, 0), Some('#'), Some(door), spikes.clone()), (right, (4, 0), Some('#'), None, spikes)]);
}

#[test]
fn layers_that_the_map_does_not_name_are_refused() {
    let (map, _) = stack();
    let mut world = World::new(map, Settings::default());
    let hero = world.spawn(crate_at(1.5, 10.25)).unwrap();
    let before = world.checksum();
    let unnamed = CommandError::CollisionLayer(CollisionLayerError::Unnamed { layer: 3, names: 3 });
    let wide = CollisionLayers(0b1010);
    assert_eq!(world.spawn(crate_at(0.5, 0.5).collision_layers(wide)), Err(unnamed.clone()));
    assert_eq!(world.spawn(crate_at(0.5, 0.5).collision_mask(wide)), Err(unnamed.clone()));
    assert_eq!(world.set_collision_layers(hero, wide), Err(unnamed.clone()));
    assert_eq!(world.set_collision_mask(hero, wide), Err(unnamed.clone()));
    assert_eq!(unnamed.to_string(), "collision layer 3 has no name; number of named layers in the map: 3");
    let gone = BodyId::default();
    assert_eq!(world.set_collision_layers(gone, GHOST), Err(CommandError::NoSuchBody(gone)));
    assert_eq!(world.set_collision_mask(gone, GHOST), Err(CommandError::NoSuchBody(gone)));
    assert_eq!((world.checksum(), world.commands().len()), (before, 0));
    // A kind without `ignored_by` is valid everywhere.
    let mut plain = World::new(map_with(&["."], ""), Settings::default());
    let body = plain.spawn(crate_at(0.5, 0.5)).unwrap();
    plain.set_collision_layers(body, CollisionLayers::FIRST).unwrap();
    plain.set_collision_mask(body, CollisionLayers::ALL).unwrap();
    assert!(plain.set_collision_layers(body, GHOST).is_err());
}

#[test]
fn parts_with_wrong_layers_are_refused() {
    let refused = |change: fn(&mut MapParts)| {
        let mut parts = MapParts::new(1, 1);
        let ledge = TileKind::new(parts.catalogue.find_variant("one_way").unwrap());
        parts.kinds = vec![TileKind::default(), ledge];
        change(&mut parts);
        Map::from_parts(parts).unwrap_err()
    };
    let is_it = |error: MapPartsError, expected: CollisionLayerError| {
        assert_eq!(error, MapPartsError::CollisionLayer(expected))
    };
    is_it(refused(|parts| parts.collision_layers = vec![String::new()]), CollisionLayerError::Nameless);
    let twice = CollisionLayerError::Duplicate { name: "a".to_owned() };
    is_it(refused(|parts| parts.collision_layers = ["a", "b", "a"].map(str::to_owned).to_vec()), twice);
    let many = CollisionLayerError::TooMany { count: 33, limit: 32 };
    is_it(refused(|parts| parts.collision_layers = (0..33).map(|i| i.to_string()).collect()), many);
    let error = refused(|parts| parts.kinds[1].ignored_by = CollisionLayers(1));
    assert!(matches!(error, MapPartsError::Kind(TileKindError::CollisionLayer { kind: TileId(1), .. })), "{error}");
    let error = refused(|parts| {
        parts.collision_layers = vec!["a".to_owned()];
        parts.kinds[1].ignored_by = CollisionLayers(1);
        parts.kinds[1].variant = parts.catalogue.find_variant("full_block").ok();
    });
    assert!(matches!(error, MapPartsError::Kind(TileKindError::IgnoredBy { kind: TileId(1), .. })), "{error}");
    let most: Vec<String> = (0..32).map(|i| i.to_string()).collect();
    let map = Map::from_parts(MapParts { collision_layers: most.clone(), ..MapParts::new(1, 1) }).unwrap();
    assert_eq!(map.collision_layers_named(&most), Ok(CollisionLayers::ALL));
    assert_eq!(map.collision_layers_named(["31"]), Ok(CollisionLayers(1 << 31)));
    assert_eq!(Map::from_ron(&map.to_ron()).unwrap(), map);
}
