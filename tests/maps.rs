//! The shipped maps and the recorded runs through them.

use crate::prelude::*;
use crate::tunnelling::{oracle_shape, paint, tuple};
use std::path::PathBuf;
use surefoot::replay::verify;
use surefoot_oracle as oracle;

const NAMES: [&str; 3] = ["first_steps", "zoo", "highlands"];

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../maps").join(name)
}

fn load(name: &str) -> Map {
    Map::load(file(&format!("{name}.ron"))).unwrap_or_else(|error| panic!("{error}"))
}

fn player(name: &str) -> Playback {
    Playback::load(file(&format!("{name}.replay.ron"))).unwrap_or_else(|error| panic!("{error}"))
}

/// Checks the expectations of a run through a map of one feature, and returns the run at its start.
fn verified(name: &str, ticks: u64) -> Playback {
    let summary = verify(file(&format!("showcase/{name}.replay.ron"))).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(summary.ticks, ticks);
    player(&format!("showcase/{name}"))
}

/// Every cell with its variant, from the lowest row up.
fn tiles(map: &Map) -> impl Iterator<Item = ((i32, i32), VariantId)> {
    let (origin, size) = (map.origin(), map.size());
    let cells = (0..size.1 as i32).flat_map(move |y| (0..size.0 as i32).map(move |x| (origin.0 + x, origin.1 + y)));
    cells.filter_map(|tile| map.variant_at(0, tile).map(|variant| (tile, variant)))
}

/// Returns the exhibits of the zoo: all tiles except the walls, the floors and the gratings, which are seven rows
/// apart.
fn exhibits(zoo: &Map) -> BTreeMap<(i32, i32), VariantId> {
    let last = zoo.size().0 as i32 - 1;
    tiles(zoo).filter(|&((x, y), _)| x > 0 && x < last && y % 7 != 0).collect()
}

#[test]
fn the_maps_have_a_start_and_a_goal_in_free_air() {
    // The maps of a folder each show one feature. Their runs have expectations instead of checksums.
    let shown = "platforms machines ledges belts ice crush lift ghosts driven areas crates porter feel solve_button solve_chasm solve_coins solve_flip solve_patrol".split(' ');
    for name in NAMES.map(str::to_owned).into_iter().chain(shown.map(|name| format!("showcase/{name}"))) {
        let map = load(&name);
        let terrain = Terrain::bake(&map);
        let mover = Mover::new(&terrain);
        for marker in ["start", "goal"] {
            assert_eq!(map.markers(marker).count(), 1, "{name} {marker}");
            let position = map.marker(marker).unwrap();
            assert!(!mover.overlaps(Shape::aabb(0.35, 0.45), position), "{name} {marker}");
            // There must be ground directly below.
            assert!(mover.slide(Shape::aabb(0.35, 0.45), position, (0.0, -0.5)).touching.floor, "{name} {marker}");
        }
    }
}

#[test]
fn the_balls_of_first_steps_start_in_free_air() {
    let map = load("first_steps");
    let terrain = Terrain::bake(&map);
    assert_eq!(map.markers("ball").count(), 3);
    // Check the ball of the embedding program too.
    for position in map.markers("ball").chain(Position::new(4.5, 9.0).ok()) {
        assert!(!Mover::new(&terrain).overlaps(Shape::circle(0.4), position), "{position}");
    }
}

#[test]
fn the_zoo_has_every_variant_once_and_none_next_to_another() {
    let zoo = load("zoo");
    let exhibits = exhibits(&zoo);
    let shown: BTreeSet<VariantId> = exhibits.values().copied().collect();
    let all: BTreeSet<VariantId> = (0..96).map(VariantId).collect();
    assert_eq!(shown, all);
    assert_eq!(exhibits.len(), 96);
    for &(x, y) in exhibits.keys() {
        let beside = [(-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)].map(|(dx, dy)| zoo.variant_at(0, (x + dx, y + dy)));
        assert_eq!(beside, [None; 5], "({x}, {y})");
    }
}

#[test]
fn the_recorded_runs_are_the_same_to_the_bit() {
    for name in NAMES {
        let summary = verify(file(&format!("{name}.replay.ron"))).unwrap_or_else(|error| panic!("{error}"));
        // The replay has a checksum for each second and one at the end.
        assert_eq!(summary.compared as u64, summary.ticks.div_ceil(60), "{name}");
        assert!(!summary.motion_only, "{name}");
    }
}

#[test]
fn the_hero_reaches_the_goal_and_no_body_is_stuck_or_lost() {
    for (name, within) in [("first_steps", 1500), ("zoo", 3000), ("highlands", 6000)] {
        let mut player = player(name);
        let goal = player.world().map().marker("goal").unwrap().to_dvec2();
        let mut reached = None;
        let mut waiting = 0;
        while player.step().is_some() {
            let world = player.world();
            for event in world.events() {
                let lost = matches!(event.kind, EventKind::LeftMap | EventKind::Stuck | EventKind::Unstuck);
                assert!(!lost, "{name} tick {}: {:?} {event:?}", world.tick(), player.name(event.body));
            }
            let hero = &world[player.body("hero").unwrap()];
            let away = (hero.position().to_dvec2() - goal).abs();
            if away.cmple(hero.shape().half_extents()).all() {
                reached.get_or_insert(world.tick());
            }
            // No hero pushes against a wall, or waits, for a second or longer.
            waiting = if hero.path().is_empty() { waiting + 1 } else { 0 };
            assert!(waiting < 60, "{name} tick {}: the hero waits at {}", world.tick(), hero.position());
        }
        let reached = reached.unwrap_or_else(|| panic!("{name}: the goal is not reached"));
        assert!((600..=within).contains(&reached), "{name}: the goal is reached at tick {reached}");
        let hero = &player.world()[player.body("hero").unwrap()];
        assert!(hero.on_floor() && hero.velocity() == DVec2::ZERO, "{name}: the hero has come to rest");
    }
}

/// Checks the run's expectations, and in each tick: the lantern stays above the ferry, the boxes stay on their seats,
/// and the hero falls neither with the bridge nor with the rocks.
#[test]
fn the_run_over_machines_comes_to_what_it_expects() {
    let mut player = verified("machines", 450);
    let named = |player: &Playback, name: &str| player.world().find_platform(name).unwrap();
    let pairs = [("seat 1", "box 1"), ("seat 3", "box 3")].map(|(a, b)| (named(&player, a), player.body(b).unwrap()));
    let [ferry, lantern] = ["ferry", "lantern"].map(|name| named(&player, name));
    let ever_gone = ["plank 1", "plank 2", "plank 3", "rock 1", "rock 2"].map(|name| (named(&player, name), false));
    let (hero, mut ever_gone) = (player.body("hero").unwrap(), ever_gone);
    let offsets = |player: &Playback| {
        let corner = |id| player.world().platform(id).unwrap().position().units();
        let boxes = pairs.map(|(seat, body)| player.world()[body].position().units() - corner(seat));
        (boxes, corner(lantern) - corner(ferry))
    };
    let start = offsets(&player);
    while player.step().is_some() {
        let world = player.world();
        assert_eq!(offsets(&player), start, "tick {}", world.tick());
        assert!(world[hero].position().to_dvec2().y > 4.4, "tick {}", world.tick());
        let crushed = world.events().iter().any(|event| matches!(event.kind, EventKind::Crushed { .. }));
        assert!(!crushed, "tick {}", world.tick());
        for (id, ever_gone) in &mut ever_gone {
            *ever_gone |= !world.platform(*id).unwrap().is_present();
        }
    }
    assert!(ever_gone.iter().all(|(_, ever_gone)| *ever_gone));
    let there = ever_gone.map(|(id, _)| player.world().platform(id).unwrap().is_present());
    assert_eq!(there, [true, true, true, false, false]);
}

/// Checks the run's expectations, and that floating bodies have their centre at the surface of the water.
#[test]
fn the_run_through_areas_comes_to_what_it_expects() {
    let mut player = verified("areas", 480);
    let stone = player.body("stone").unwrap();
    let mut landed = None;
    while player.step().is_some() {
        let world = player.world();
        let lands =
            world.events().iter().any(|event| event.body == stone && matches!(event.kind, EventKind::Landed { .. }));
        landed = landed.or(lands.then(|| world.tick()));
    }
    // The stone falls for one tick in the outer gravity, and for 47 in that of the room.
    assert_eq!(landed, Some(48));
    for name in ["cork", "crate"] {
        let y = player.world()[player.body(name).unwrap()].position().to_dvec2().y;
        assert!((y - 3.75).abs() < 1e-6, "{name} {y}");
    }
}

/// Checks the run's expectations. Its characters are the presets of the code, and jump as high as the presets say.
#[test]
fn the_run_of_characters_comes_to_what_it_expects() {
    let mut player = verified("feel", 100);
    let bumped = Character { corner_correction: 0.0, ..Character::precise() };
    let expected = [
        ("precise", Character::precise(), 3.5),
        ("floaty", Character::floaty(), 4.0),
        ("heavy", Character::heavy(), 2.25),
        ("classic", Character::classic(), 4.0),
        ("under", Character::precise(), 3.5),
        // The head stops at the block.
        ("bumped", bumped, 4.0 - 0.9 - 1.0),
    ];
    let mut tops = [0.0_f64; 6];
    while player.step().is_some() {
        for ((name, character, _), top) in expected.iter().zip(&mut tops) {
            let state = &player.world()[player.body(name).unwrap()];
            assert_eq!(state.character(), Some(character), "{name}");
            *top = top.max(state.position().to_dvec2().y - 1.45);
        }
    }
    for ((name, _, height), top) in expected.iter().zip(tops) {
        assert!((top - height).abs() < 1e-6, "{name}: {top}");
    }
}

/// Each tick of a body: its displacement from the start, its velocity, and whether it is grounded.
type Track = Vec<(DVec2, DVec2, bool)>;

/// Returns the bodies of a run by name.
fn tracks(name: &str) -> BTreeMap<String, Track> {
    let mut player = player(name);
    let starts: BTreeMap<_, _> =
        player.names().map(|(body, name)| (name.to_owned(), player.world()[body].position())).collect();
    let mut tracks: BTreeMap<String, Track> = BTreeMap::new();
    loop {
        for (body, name) in player.names() {
            let state = &player.world()[body];
            let way = surefoot_geometry::to_lengths(state.position() - starts[name]);
            tracks.entry(name.to_owned()).or_default().push((way, state.velocity(), state.on_floor()));
        }
        if player.step().is_none() {
            return tracks;
        }
    }
}

/// Checks where bodies end, from their start.
fn assert_ends(tracks: &BTreeMap<String, Track>, ends: &[(&str, DVec2)]) {
    for (name, end) in ends {
        let found = tracks[*name].last().unwrap().0;
        assert!((found - end).abs().max_element() < 1e-5, "{name}: {found}, expected {end}");
    }
}

fn highest_point(track: &Track) -> f64 {
    track.iter().map(|(way, ..)| way.y).fold(f64::NEG_INFINITY, f64::max)
}

/// Returns the tick of the first landing after a tick in the air.
fn landing_tick(track: &Track) -> usize {
    let air = track.iter().position(|(.., floor)| !floor).expect("it is in the air");
    air + track[air..].iter().position(|(.., floor)| *floor).expect("it lands")
}

/// Checks heights of jumps and ticks of landings. Two ticks are allowed if a jump takes a whole number of ticks up to
/// rounding.
#[test]
fn jumps_with_changed_fields_are_as_computed() {
    let tracks = tracks("showcase/feel_jump");
    let expected = [
        ("jump_height 3.2", 3.2, 50..=51),
        ("jump_height 1.8", 1.8, 38..=39),
        ("jump_time 0", 3.2, 50..=51),
        ("jump_time 0.6", 3.2, 74..=75),
        ("min_jump_height 0", 3.2, 50..=51),
        ("min_jump_height 1", 1.0, 28..=28),
        ("fall_gravity_scale 1", 3.2, 50..=51),
        ("fall_gravity_scale 2", 3.2, 43..=43),
        ("max_fall_speed 24", 3.2, 50..=51),
        ("max_fall_speed 6", 3.2, 63..=63),
        ("fast_fall_speed 0", 3.2, 63..=63),
        ("fast_fall_speed 16", 3.2, 50..=51),
    ];
    assert_eq!(tracks.len(), expected.len());
    for (name, height, ticks) in expected {
        let (top, landing) = (highest_point(&tracks[name]), landing_tick(&tracks[name]));
        assert!((top - height).abs() < 1e-6 && ticks.contains(&landing), "{name}: {top}, tick {landing}");
    }
}

/// Checks distances: of bodies on the ground at the end, of bodies in the air after tick 50.
#[test]
fn runs_with_changed_fields_go_as_far_as_computed() {
    let tracks = tracks("showcase/feel_run");
    let expected = [
        ("walk_speed 8", 60, 0.533_333 + 22.0 * 8.0 / 60.0 + 0.4),
        ("walk_speed 4", 60, 0.133_333 + 26.0 * 4.0 / 60.0 + 0.1),
        ("ground_acceleration 60", 60, 0.533_333 + 28.0 * 8.0 / 60.0 + 0.4),
        ("ground_acceleration 10", 60, 1.8 + 0.227_778),
        ("ground_braking 80", 60, 0.8 + 0.4),
        ("ground_braking 10", 60, 0.8 + 3.2),
        ("ground_turning 0", 60, 0.7 + 0.3 - 0.4 - 18.0 * 7.0 / 60.0 - 0.308_333),
        ("ground_turning 22", 60, 0.7 + 1.113_889 - 0.408_333 - 3.0 * 7.0 / 60.0 - 0.308_333),
        ("air_acceleration 40", 50, 0.352_778 + 40.0 * 5.0 / 60.0),
        ("air_acceleration 5", 50, 1.6),
        ("air_braking 0", 50, 50.0 * 5.0 / 60.0),
        ("air_braking 25", 50, 26.0 * 5.0 / 60.0 + 0.5),
        ("air_turning 0", 50, 26.0 * 5.0 / 60.0 - 9.0 * 5.0 / 60.0),
        ("air_turning 10", 50, 26.0 * 5.0 / 60.0 + 24.0 * 3.0 / 60.0),
    ];
    assert_eq!(tracks.len(), expected.len());
    for (name, tick, way) in expected {
        let found = tracks[name][tick].0.x;
        assert!((found - way).abs() < 1e-5, "{name}: {found}, expected {way}");
    }
}

#[test]
fn forgiveness_and_wall_abilities_are_as_computed() {
    let tracks = tracks("showcase/feel_help");
    let top = |name: &str| highest_point(&tracks[name]);
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-6, "{found}, expected {expected}");
    // A jump at most four ticks late starts less than 0.09 tiles lower.
    near(top("coyote_time 0"), 0.0);
    assert!((1.8 - 0.09..1.8).contains(&top("coyote_time 0.1")));
    near(top("jump_buffer 0"), 1.8);
    near(top("jump_buffer 0.1"), 1.8);
    near(top("corner_correction 0"), 3.0 - 0.9);
    near(top("corner_correction 0.5"), 3.2);
    let end = |name: &str| tracks[name].last().unwrap().0.y;
    near(end("ledge_correction 0"), 0.0);
    near(end("ledge_correction 0.25"), 3.0);
    assert_eq!((landing_tick(&tracks["wall_slide_speed 0"]), landing_tick(&tracks["wall_slide_speed 3"])), (26, 73));
    assert_eq!(tracks["wall_slide_speed 3"][40].1, DVec2::new(0.0, -3.0));
    near(top("wall_jump_speed 0"), 0.0);
    near(top("wall_jump_speed 5"), 1.8 - 0.45);
    assert_eq!(tracks["wall_jump_speed 5"][20].1.x, -5.0);
}

#[test]
fn air_jumps_walls_steps_and_slopes_are_as_computed() {
    let tracks = tracks("showcase/feel_more");
    let near = |found: f64, expected: f64, what: &str| {
        assert!((found - expected).abs() < 1e-5, "{what}: {found}, expected {expected}");
    };
    let jumps = [
        ("air_jumps 0", 1.25, 32..=33),
        ("air_jumps 1", 2.5, 54..=54),
        ("air_jump_height 0", 2.5, 54..=54),
        ("air_jump_height 0.45", 1.7, 44..=44),
        ("apex_speed_threshold 0", 1.25, 32..=33),
        ("apex_speed_threshold 6", 1.25, 44..=45),
        ("apex_gravity_scale 1", 1.25, 32..=33),
        ("apex_gravity_scale 0.2", 1.25, 68..=69),
    ];
    for (name, height, ticks) in jumps {
        near(highest_point(&tracks[name]), height, name);
        let landing = landing_tick(&tracks[name]);
        assert!(ticks.contains(&landing), "{name}: tick {landing}");
    }
    // The gravity changes after 3 ticks up with the full gravity, and changes back before 3 ticks down with it.
    for (name, ticks, way, speed) in
        [("apex_speed_threshold 6", [5, 41], 0.35, 6.0), ("apex_gravity_scale 0.2", [5, 65], 0.25, 4.0)]
    {
        for (tick, speed) in ticks.into_iter().zip([speed, -speed]) {
            near(tracks[name][tick].0.y, way, name);
            near(tracks[name][tick].1.y, speed, name);
        }
    }
    let slope = |way: f64| DVec2::splat(way * 0.5_f64.sqrt());
    let down = DVec2::new(1.0, -1.0);
    let ends = [
        ("step_height 0", DVec2::new(1.95, 0.0)),
        ("step_height 0.5", DVec2::new(66.0 * 4.0 / 60.0 + 0.1, 1.0)),
        ("uphill_speed_scale 1", slope(0.133_333 + 36.0 * 4.0 / 60.0 + 0.1)),
        ("uphill_speed_scale 0.5", slope(0.033_333 + 38.0 * 2.0 / 60.0 + 0.027_778)),
        ("downhill_speed_scale 1", slope(0.133_333 + 26.0 * 4.0 / 60.0 + 0.1) * down),
        ("downhill_speed_scale 1.5", slope(0.3 + 24.0 * 6.0 / 60.0 + 0.227_778) * down),
        ("dash_speed 0", DVec2::new(2.0 / 120.0, 0.0)),
        ("dash_speed 20", DVec2::new(9.0 * 20.0 / 60.0, 0.0)),
        ("dash_time 0", DVec2::new(0.25, 0.0)),
        ("dash_time 0.2", DVec2::new(12.0 * 0.25, 0.0)),
        ("dash_end_speed_scale 0", DVec2::new(6.0 * 16.0 / 60.0, 0.0)),
        ("dash_end_speed_scale 0.5", DVec2::new(6.0 * 16.0 / 60.0 + 0.4, 0.0)),
    ];
    assert_ends(&tracks, &ends);
    near(highest_point(&tracks["wall_coyote_time 0"]), 0.0, "wall_coyote_time 0");
    near(highest_point(&tracks["wall_coyote_time 0.1"]), 1.25 - 0.45, "wall_coyote_time 0.1");
    assert_eq!(tracks["wall_coyote_time 0.1"][20].1.x, -3.0);
    assert_eq!((landing_tick(&tracks["wall_stick_time 0"]), landing_tick(&tracks["wall_stick_time 0.3"])), (28, 42));
    assert_eq!(tracks["wall_stick_time 0.3"][28].1, DVec2::new(0.0, -3.0));
    for (name, way) in [("wall_jump_lock_time 0", 0.311_111), ("wall_jump_lock_time 0.2", 1.0 + 0.311_111)] {
        near(tracks[name].iter().map(|(way, ..)| way.x).fold(0.0, f64::min), -way, name);
        near(highest_point(&tracks[name]), 1.25 - 0.45, name);
    }
    assert_eq!(tracks.len(), 26);
}

#[test]
fn hanging_and_climbing_are_as_computed() {
    let tracks = tracks("showcase/feel_hold");
    let ends = [
        ("max_floor_snap_speed 1000000000", DVec2::new(6.2 - 2.0_f64.sqrt(), -1.0)),
        ("max_floor_snap_speed 0", DVec2::new(5.2, -1.0)),
        ("climb_speed 0", DVec2::ZERO),
        ("climb_speed 6", DVec2::new(0.0, 2.0)),
        ("slope_friction 0", DVec2::ZERO),
        ("slope_friction 0.9", DVec2::new(1.0, -1.0)),
        ("bounce_scale 0", DVec2::new(0.0, -2.0)),
        ("bounce_scale 1", DVec2::new(0.0, 0.596_443 - 2.0)),
        ("ladder_center_speed 0", DVec2::new(-0.2, 2.0)),
        ("ladder_center_speed 3", DVec2::new(-0.25, 2.0)),
        ("ledge_grab 0", DVec2::new(0.0, -1.9)),
        ("ledge_grab 0.25", DVec2::new(0.0, 0.2)),
        ("ledge_climb_time 0", DVec2::new(0.35 + 0.133_333 + 25.0 * 4.0 / 60.0 + 0.1, 1.1)),
        ("ledge_climb_time 0.5", DVec2::new(0.35 + 2.0 / 120.0, 1.1)),
    ];
    assert_ends(&tracks, &ends);
    let on_top = |name: &str| tracks[name].iter().position(|(way, ..)| way.x > 0.349_999);
    assert_eq!((on_top("ledge_climb_time 0"), on_top("ledge_climb_time 0.5")), (Some(3), Some(31)));
    assert_eq!(tracks.len(), ends.len());
}

#[test]
fn swimming_is_as_computed() {
    let tracks = tracks("showcase/feel_swim");
    let ends = [
        ("swim_speed 0", DVec2::ZERO),
        ("swim_speed 6", DVec2::new(0.0, 2.0)),
        ("swim_time 0", DVec2::new(0.0, 2.0)),
        ("swim_time 0.5", DVec2::new(0.0, 0.7 + 0.633_333)),
        ("float_speed 0", DVec2::new(0.0, 2.0)),
        ("float_speed 2", DVec2::new(0.0, 2.5)),
    ];
    assert_ends(&tracks, &ends);
    assert_eq!(tracks.len(), ends.len());
}

/// Checks the end positions, and the facing of bodies with a set facing.
#[test]
fn the_effects_of_commands_are_as_computed() {
    let name = "showcase/feel_told";
    verify(file(&format!("{name}.replay.ron"))).unwrap_or_else(|error| panic!("{error}"));
    let tracks = tracks(name);
    let ends = [
        ("time_scale 1", DVec2::new(0.133_333 + 3.2 + 0.1, 0.0)),
        ("time_scale 0.5", DVec2::new(0.133_333 / 2.0 + 3.2 + 0.1, 0.0)),
        ("time_scale 0", DVec2::ZERO),
        ("face 0", DVec2::ZERO),
        ("face -1", DVec2::new(-3.0, 0.0)),
        ("face 1", DVec2::new(-0.133_333 - 2.4 - 0.1, 0.0)),
        ("hero", DVec2::new(1.65 + 1.175, 1.175)),
        ("raft 1", DVec2::new(4.0, 0.0)),
        ("load 1", DVec2::new(4.0, 0.0)),
        ("raft 2", DVec2::new(4.0, 0.0)),
        ("load 2", DVec2::new(1.6, -1.0)),
        ("lift", DVec2::new(3.0, 1.0)),
        ("load 3", DVec2::new(3.0, 1.0)),
    ];
    assert_ends(&tracks, &ends);
    assert_eq!(tracks.len(), ends.len());
    for name in ["time_scale 1", "time_scale 0.5"] {
        assert!((highest_point(&tracks[name]) - 3.2).abs() < 1e-6, "{name}");
    }
    // Up and down takes a whole number of ticks, so rounding decides in which tick the character lands.
    assert!((50..=51).contains(&landing_tick(&tracks["time_scale 1"])));
    assert!((98..=99).contains(&landing_tick(&tracks["time_scale 0.5"])));

    let mut player = player(name);
    let faces = |player: &Playback| {
        ["face 0", "face -1", "face 1"].map(|name| player.world()[player.body(name).unwrap()].facing().sign())
    };
    for tick in 1..=110 {
        player.step().unwrap();
        assert_eq!(faces(&player), [0.0, -1.0, if tick <= 20 { 1.0 } else { -1.0 }], "tick {tick}");
    }
}

/// Each field of the table on the page has two bodies, named for the field and its value, that are otherwise equal.
#[test]
fn the_runs_of_feel_show_each_number_of_the_page() {
    let mut shown: BTreeMap<String, Vec<Character>> = BTreeMap::new();
    for name in ["jump", "run", "help", "more", "hold", "swim"].map(|name| format!("showcase/feel_{name}")) {
        verify(file(&format!("{name}.replay.ron"))).unwrap_or_else(|error| panic!("{error}"));
        let player = player(&name);
        for (body, name) in player.names() {
            let (field, value) = name.split_once(' ').unwrap();
            let mut character = *player.world()[body].character().unwrap();
            // Take the field's number out, so that the rest can be compared.
            let own = match field {
                "air_jumps" => std::mem::take(&mut character.air_jumps).into(),
                _ => std::mem::take(character.field_mut(field).unwrap_or_else(|| panic!("{name}"))),
            };
            assert_eq!(value.parse(), Ok(own), "{name}");
            shown.entry(field.to_owned()).or_default().push(character);
        }
    }
    let page = std::fs::read_to_string(file("../docs/guide/character.md")).unwrap();
    let rows = page
        .split("\n| field |")
        .skip(1)
        .flat_map(|table| table.lines().skip(2).take_while(|line| line.starts_with('|')));
    let mut listed: BTreeSet<&str> = rows.filter_map(|line| line.split('`').nth(1)).collect();
    // Characters with these fields need a platform or a crate: `showcase/lift` and `showcase/crates` show them.
    assert!(["platform_velocity", "platform_velocity_grace", "max_push_mass"].iter().all(|field| listed.remove(field)));
    assert_eq!(shown.keys().map(String::as_str).collect::<BTreeSet<_>>(), listed);
    for (field, others) in &shown {
        assert!(others.len() == 2 && others[0] == others[1], "{field}: {others:?}");
    }
}

/// Checks the run's expectations, and the climbed height in each tick.
#[test]
fn the_run_on_a_ladder_comes_to_what_it_expects() {
    let mut player = verified("ladder", 220);
    while player.step().is_some() {
        let tick = player.world().tick();
        let [climber, jumper] = positions(&player, ["climber", "jumper"]);
        if (16..=35).contains(&tick) {
            assert_near(jumper, (8.5, 1.45 + 0.1 * (tick - 16) as f64), "jumper", tick);
        }
        match tick {
            2..=50 => assert_near(climber, (8.5, 1.45 + 0.1 * (tick.min(41) - 1) as f64), "climber", tick),
            180.. => assert_eq!(climber.y, Position::new(0.0, 5.45).unwrap().to_dvec2().y, "on the wall"),
            _ => {}
        }
        assert_eq!(
            player.world()[player.body("climber").unwrap()].is_climbing(),
            (2..=41).contains(&tick) || (131..=170).contains(&tick),
            "{tick}"
        );
    }
}

/// Checks the run's expectations, and that a swimmer at the surface is there to the unit.
#[test]
fn the_run_in_a_pool_comes_to_what_it_expects() {
    let mut player = verified("pool", 340);
    while player.step().is_some() {
        let tick = player.world().tick();
        let [swimmer, diver, floater] = positions(&player, ["swimmer", "diver", "floater"]);
        let swims =
            ["swimmer", "diver", "floater"].map(|name| player.world()[player.body(name).unwrap()].is_swimming());
        match tick {
            10 => assert_eq!(swims, [false, false, true]),
            240 => assert_eq!(
                (swims, swimmer.x),
                ([true; 3], Position::new(18.65, 0.0).unwrap().to_dvec2().x),
                "at the wall"
            ),
            340 => {
                assert_eq!((diver.y, floater.y, swims), (4.5, 4.5, [false, true, true]));
                assert_eq!(swimmer.y, Position::new(0.0, 5.45).unwrap().to_dvec2().y, "on the shore");
            }
            _ => {}
        }
    }
}

/// Checks the run's expectations, and that pulled and carried bodies keep their offset to the unit.
#[test]
fn the_run_with_full_hands_comes_to_what_it_expects() {
    let mut player = verified("porter", 200);
    let offset = |player: &Playback, one: &str, other: &str| {
        let at = |name| player.world()[player.body(name).unwrap()].position().units();
        at(one) - at(other)
    };
    let pulled = offset(&player, "crate", "porter");
    let carried = Position::new(0.0, 0.7).unwrap().units();
    while player.step().is_some() {
        let tick = player.world().tick();
        if tick <= 60 {
            assert_eq!(offset(&player, "crate", "porter"), pulled, "tick {tick}");
        }
        if (3..=30).contains(&tick) {
            assert_eq!(offset(&player, "ball", "thrower"), carried, "tick {tick}");
        }
        let [crate_, ball, jumper] = positions(&player, ["crate", "ball", "jumper"]);
        let (steps, after) = (tick.saturating_sub(5).min(30), tick.saturating_sub(35));
        assert_near(crate_, (4.5 + walked(steps, after), 1.5), "crate", tick);
        if tick >= 100 {
            assert_near(ball, (21.75, 1.25), "ball", tick);
        }
        if (100..=150).contains(&tick) {
            assert_near(jumper, (26.5, 3.95), "jumper", tick);
        }
    }
}

/// Checks the run's expectations, that carried bodies keep their places to the unit, and that crates end where they are
/// pushed and fall to.
#[test]
fn the_run_among_crates_comes_to_what_it_expects() {
    let mut player = verified("crates", 320);
    let loads = [("top", "a"), ("rider", "b"), ("acrobat", "carrier")];
    let offsets = |player: &Playback| {
        let at = |name| player.world()[player.body(name).unwrap()].position().units();
        loads.map(|(load, base)| at(load) - at(base))
    };
    let (mut start, mut on_sled, mut events) = (None, None, Vec::new());
    while player.step().is_some() {
        let tick = player.world().tick();
        // In units, twice 0.45 plus 1.45 is one less than 2.35, so the acrobat falls by a unit in the first tick.
        let offsets = offsets(&player);
        assert_eq!(offsets, *start.get_or_insert(offsets), "tick {tick}");
        record_events(&player, &mut events);
        let [pusher, a, b, c, carrier, sled, hero] =
            positions(&player, ["pusher", "a", "b", "c", "carrier", "sled", "hero"]);
        // The pusher's right side reaches `a` after 0.65 tiles, and `b` reaches `c` after 3.65.
        let pushed = walked(tick.saturating_sub(10), 0).min(3.65);
        assert_near(pusher, (2.0 + pushed, 1.45), "pusher", tick);
        for (found, x) in [(a, 3.5), (b, 4.5)] {
            assert_near(found, (x + (pushed - 0.65).max(0.0), 1.5), "row", tick);
        }
        assert_near(c, (8.5, 1.5), "c", tick);
        let (steps, after) = (tick.saturating_sub(10).min(30), tick.saturating_sub(40));
        assert_near(carrier, (15.5 + walked(steps, after), 1.45), "carrier", tick);
        let slid = tick.saturating_sub(60).min(200) as f64 * 0.05;
        assert_near(sled, (25.0 + slid, 1.5), "sled", tick);
        // After three ticks, the hero has the sled's speed.
        if (63..260).contains(&tick) {
            let offset = hero - sled;
            let first = *on_sled.get_or_insert(offset);
            assert!((offset - first).abs().max_element() < 1e-12, "tick {tick}: {offset} and not {first}");
        }
        // The three crates above the third one fall by its height after tick 120.
        let down = fallen(tick.saturating_sub(120)).min(1.0);
        for (name, x, y) in [("tower 4", 12.5, 4.5), ("tower 5", 12.5, 5.5), ("tower 6", 12.75, 6.5)] {
            assert_near(positions(&player, [name])[0], (x, y - down), name, tick);
        }
    }
    let told = |name: &str, kind: &str| -> Vec<u64> {
        let of = events.iter().filter(|(_, body, what)| body == name && what.name() == kind);
        of.map(|(tick, ..)| *tick).collect()
    };
    // The push is refused from the tick in which the row is too heavy to the last tick in which the pusher wants to
    // move on.
    assert!(told("pusher", "push_refused").into_iter().eq(42..=90));
    for name in ["tower 4", "tower 5", "tower 6"] {
        assert_eq!(told(name, "woke_up"), [121], "{name}");
        assert_eq!(told(name, "fell_asleep").len(), 2, "{name}: at first and after the fall");
    }
    assert_eq!(told("tower 4", "hit_body"), [134]);
}

/// Returns the distance of a body with the given speeds, each from its tick on, in tiles per second.
fn distance_at_speeds(speeds: &[(f64, f64)], tick: f64) -> f64 {
    let ends = speeds.iter().skip(1).map(|(from, _)| *from).chain([f64::INFINITY]);
    speeds.iter().zip(ends).map(|((from, speed), end)| (tick.min(end) - from).max(0.0) * speed / 60.0).sum()
}

/// Checks the run's expectations and the positions of balls that fly to and fro. Nothing on the heap may move in the
/// last second.
#[test]
fn the_run_among_balls_comes_to_what_it_expects() {
    let mut player = verified("balls", 330);
    let heap: Vec<BodyId> = player.names().filter(|(_, name)| name.contains(' ')).map(|(id, _)| id).collect();
    assert_eq!(heap.len(), 14);
    let mut last = Vec::new();
    while player.step().is_some() {
        let (tick, time) = (player.world().tick(), player.world().tick() as f64);
        let names = ["one", "two", "three", "four", "five", "light", "heavy"];
        let [one, two, three, four, five, light, heavy] = positions(&player, names);
        for (found, x) in [(two, 7.0), (three, 8.0), (four, 9.0)] {
            assert_near(found, (x, 7.5), "row", tick);
        }
        // An outer body moves to its wall and back, 4.5 tiles each way, in 90 ticks: first `five`, then `one`, and
        // again.
        let away = |since: f64| {
            let phase = (time - since).rem_euclid(180.0);
            if time < since || phase > 90.0 { 0.0 } else { 4.5 - (phase - 45.0).abs() / 10.0 }
        };
        assert_near(one, (6.0 - (3.0 - time / 10.0).max(0.0) - away(120.0), 7.5), "one", tick);
        assert_near(five, (10.0 + away(30.0), 7.5), "five", tick);
        // The light body and the heavy one collide after 22.5, 195 and 300 ticks. The light one hits walls after 90 and
        // 247.5 ticks, the heavy one after 127.5.
        let per_tick = [(0.0, 8.0), (22.5, -4.0), (90.0, 4.0), (195.0, -8.0), (247.5, 8.0), (300.0, -4.0)];
        assert_near(light, (3.0 + distance_at_speeds(&per_tick, time), 3.5), "light", tick);
        let per_tick = [(22.5, 4.0), (127.5, -4.0), (195.0, 0.0), (300.0, 4.0)];
        assert_near(heavy, (7.25 + distance_at_speeds(&per_tick, time), 3.5), "heavy", tick);
        let at: Vec<Position> = heap.iter().map(|&id| player.world()[id].position()).collect();
        if tick > 270 {
            assert_eq!(at, last, "tick {tick}");
        }
        last = at;
    }
}

/// Checks the run's expectations and where each body comes to rest by the drawing. The ghost becomes solid around a
/// one-way tile.
#[test]
fn the_run_over_ledges_comes_to_what_it_expects() {
    let mut player = verified("ledges", 480);
    let bodies =
        ["crate", "ghost", "spirit", "to the right", "to the left", "up"].map(|name| player.body(name).unwrap());
    let ghost = bodies[1];
    while player.step().is_some() {
        let state = &player.world()[ghost];
        if player.world().tick() == 31 {
            // The upper one-way tile, at y = 7, is inside the body.
            let y = state.position().to_dvec2().y;
            assert!(y - 0.4 < 7.0 && 7.0 < y + 0.4, "{y}");
        }
    }
    let at = bodies.map(|body| player.world()[body].position().to_dvec2());
    let drawn = [(18.0, 7.4), (19.5, 5.4), (21.0, 1.4), (20.7, 9.0), (18.3, 8.4), (25.0, 7.7)];
    for (at, (x, y)) in at.into_iter().zip(drawn) {
        assert!((at - DVec2::new(x, y)).abs().max_element() < 1e-9, "{at} instead of {x}, {y}");
    }
}

/// Returns the positions of bodies, in tiles.
fn positions<const N: usize>(player: &Playback, names: [&str; N]) -> [DVec2; N] {
    names.map(|name| player.world()[player.body(name).unwrap()].position().to_dvec2())
}

/// Length added by the slopes of the hill of belts, compared with their width.
const SLOPES: f64 = 6.0 * std::f64::consts::SQRT_2 - 6.0;

/// Checks the run's expectations. Each body's distance follows from the speed of its belt and the time, and its speed
/// does too.
#[test]
fn the_run_over_belts_comes_to_what_it_expects() {
    let mut player = verified("belts", 480);
    let near = |found: DVec2, x: f64, y: f64, what: &str| {
        assert!((found - DVec2::new(x, y)).abs().max_element() < 1e-6, "{what}: {found} instead of {x}, {y}");
    };
    let mut hero_at = Vec::new();
    while player.step().is_some() {
        let tick = player.world().tick();
        let time = tick as f64 / 60.0;
        let [hero, rider, parcel, runner, left, right, balloon, up, down, crate_] = positions(
            &player,
            ["hero", "rider", "parcel", "runner", "left", "right", "balloon", "up", "down", "crate"],
        );
        hero_at.push(hero);
        // The runner is as fast as its belt, which moves in the opposite direction.
        near(runner, 37.5, 2.45, "runner");
        // The rider and the parcel move along the ground to the foot of the hill, over the hill, and on to the end of
        // the belt. They pass the end when it is below their centres, at x = 29.
        for (body, start, half, height) in [(rider, 16.0, 0.35, 2.45), (parcel, 14.6, 0.3, 2.3)] {
            let (way, slope) = (3.0 * time, 3.0 * std::f64::consts::SQRT_2);
            let (foot, top) = (17.0 - half - start, 3.0 + 2.0 * half);
            let climbed = (way - foot).clamp(0.0, slope);
            let sunk = (way - foot - slope - top).clamp(0.0, slope);
            let x = start + way - (climbed + sunk) * (1.0 - 0.5_f64.sqrt());
            if way < 29.0 - start + SLOPES {
                near(body, x, height + (climbed - sunk) * 0.5_f64.sqrt(), "over the hill");
            }
        }
        // The belts accelerate each body over 9 ticks and 0.225 tiles. Then each moves 0.05 tiles per tick.
        let carried = |ticks: f64| 0.225 + 0.05 * (ticks - 9.0);
        if tick >= 9 {
            near(left, (5.5 - carried(tick as f64)).max(1.4), 9.4, "left");
            near(balloon, (23.5 - carried(tick as f64)).max(17.3), 11.7, "balloon");
            if tick <= 90 {
                near(right, 7.75 + carried(tick as f64), 9.4, "right");
            }
        }
        // By tick 41, `up` and `down` have moved 2.7 tiles at 4 per second. Then they move 2 per second.
        if tick >= 41 {
            let climbed = (tick - 41) as f64 / 30.0;
            near(up, 28.7, (9.6 + climbed).min(12.7), "up");
            near(down, 30.3, (12.4 - climbed).max(9.3), "down");
        }
        // The ferry moves 6 tiles in the opposite direction at its belt's speed, and stops. Then 1.4 tiles remain to
        // the crate's left side.
        if tick <= 148 {
            near(crate_, 39.0 + 0.05 * tick.saturating_sub(120) as f64, 10.4, "crate");
        }
    }
    // The hero jumps with 16 tiles per second up, which gives 3.2 tiles in 24 ticks and as many back. It moves with 3
    // sideways all the time.
    near(hero_at[153] - hero_at[129], 1.2, 3.2, "hero");
    near(hero_at[177] - hero_at[129], 2.4, 0.0, "hero");
    let [rider, parcel, right, crate_] = positions(&player, ["rider", "parcel", "right", "crate"]);
    // From tick 100 on, the body `right` slides. It starts 0.025 behind the end of the belt.
    near(right, 12.0 + 0.025 + 0.225, 9.4, "right");
    // Rider and parcel pass the end at 29 in their 310th and 338th tick. From the next tick on they slow down by 80 per
    // second: 9 / 160 tiles by friction, and for a walker the mean speeds of three ticks.
    let beyond = 0.05 * 310.0 - (29.0 - 16.0 + SLOPES);
    near(rider, 29.0 + beyond + (3.0 + 2.0 * (5.0 / 3.0 + 1.0 / 3.0)) / 120.0, 2.45, "rider");
    let beyond = 0.05 * 338.0 - (29.0 - 14.6 + SLOPES);
    near(parcel, 29.0 + beyond + 9.0 / 160.0, 2.3, "parcel");
    // The crate falls 8 tiles from x = 40.4 on, with 3 sideways, and stops in the tick in which it lands.
    let fallen = 40.4 + 3.0 * (2.0 * 8.0 / 40.0_f64).sqrt();
    assert!((fallen..fallen + 0.05).contains(&crate_.x) && (crate_.y - 2.4).abs() < 1e-6, "{crate_}");
}

/// Checks the run's expectations, and that bodies stop after v^2 / 2a. Joins must change neither the height nor the
/// speed of bodies that walk over them.
#[test]
fn the_run_over_ice_comes_to_what_it_expects() {
    let mut player = verified("ice", 360);
    let hero = player.body("hero").unwrap();
    let runners = ["runner 1", "runner 2", "runner 3"].map(|name| player.body(name).unwrap());
    let height = player.world()[hero].position().units().y;
    let held = player.world()[player.body("holds").unwrap()].position();
    let mut under = BTreeSet::new();
    let mut highest = 0.0_f64;
    while player.step().is_some() {
        let world = player.world();
        let (tick, state) = (world.tick(), &world[hero]);
        let x = state.position().to_dvec2().x;
        // Before the hill and behind it, measured at the hero's corners, the hero's height stays the same.
        if !(19.6..26.4).contains(&x) {
            assert_eq!(state.position().units().y, height, "tick {tick} at {x}");
        }
        let speed = state.velocity().length();
        assert!(!(8..=351).contains(&tick) || (speed - 8.0).abs() < 1e-9, "tick {tick}: {speed} at {x}");
        under.extend(world.contacts(hero).iter().map(|contact| contact.tile_id.0));
        assert_eq!(world[player.body("holds").unwrap()].position(), held, "tick {tick}");
        // A runner speeds up to 8 at 60 per second and brakes at 80. Traction makes that a quarter, or twice as much.
        for (runner, traction) in runners.into_iter().zip([1.0, 0.25, 2.0]) {
            let (gone, left) = (tick.min(40) as f64 / 60.0, tick.saturating_sub(40) as f64 / 60.0);
            let wanted = (8.0_f64.min(60.0 * traction * gone) - 80.0 * traction * left).max(0.0);
            let speed = world[runner].velocity().x;
            assert!((speed - wanted).abs() < 1e-9, "tick {tick} on {traction}: {speed} instead of {wanted}");
        }
        // Between its first two impacts, at 27 and 68 ticks, the ball will reach the height h + v^2 / 2g.
        if (30..60).contains(&tick) {
            let [ball] = positions(&player, ["ball"]);
            let speed = player.world()[player.body("ball").unwrap()].velocity().y;
            highest = ball.y + speed * speed / 80.0;
            assert!((highest - (2.3 + 4.0 * 0.5625)).abs() < 1e-6, "tick {tick}: {highest}");
        }
    }
    assert!(highest > 0.0);
    // The six kinds of tiles are plain, ice, rubber, the trampoline and both slopes.
    assert_eq!(under.len(), 6, "{under:?}");
    let names = ["runner 1", "runner 2", "runner 3", "crate 1", "crate 2", "crate 3", "sled", "stone", "slips"];
    let [rest @ .., slips] = positions(&player, names);
    let walked = |traction: f64| {
        let (up, down) = (64.0 / (120.0 * traction), 64.0 / (160.0 * traction));
        2.0 + up + 8.0 * (40.0 / 60.0 - 8.0 / (60.0 * traction)) + down
    };
    let slid = |friction: f64| 19.5 + 64.0 / (2.0 * friction * 40.0);
    // The sled slides from the ice onto the rubber at a speed of 6, half a tick before its 60th tick ends.
    let sled = 12.05 + 36.0 / (2.0 * 1.0 * 40.0);
    let expected = [walked(1.0), walked(0.25), walked(2.0), slid(0.5), slid(0.05), slid(1.0), sled, 37.5];
    for (found, (x, name)) in rest.into_iter().zip(expected.into_iter().zip(names)) {
        assert!((found.x - x).abs() < 1e-6, "{name}: {found} instead of {x}");
    }
    // The body slides down 1.25 roots of 2 with 0.94 of the gravity along a slope of 45 degrees. The floor removes the
    // downward speed, and friction takes 0.6 of that from the sideways speed. Then friction brakes the body until it
    // rests. In the tick in which it reaches the floor, its speed does not change.
    let speed = (2.0 * 40.0 * 0.94 * 1.25_f64).sqrt() * 0.5_f64.sqrt();
    let left = speed - 0.6 * speed;
    let x = 26.25 + left * left / (2.0 * 0.6 * 40.0);
    assert!((x..x + speed / 60.0).contains(&slips.x) && (slips.y - 2.25).abs() < 1e-6, "{slips} instead of {x}");
}

/// Checks the run's expectations. In each tick, the belt has no gaps, its rider keeps its place, and no body on a
/// platform is stuck or lost.
#[test]
fn the_run_over_platforms_comes_to_what_it_expects() {
    let mut player = verified("platforms", 840);
    assert_eq!(player.world().platforms().count(), 6);
    let [hero, rider] = ["hero", "rider"].map(|name| player.body(name).unwrap());
    let belt = ["belt 1", "belt 2", "belt 3"].map(|name| player.world().find_platform(name).unwrap());
    let places = |world: &World| {
        let corners = belt.map(|id| world.platform(id).unwrap().position().units());
        let rider = world[rider].position().units();
        [corners[1] - corners[0], corners[2] - corners[1], rider - corners[0]]
    };
    let start = places(player.world());
    let mut ridden = BTreeSet::new();
    while player.step().is_some() {
        let world = player.world();
        assert_eq!((places(world), world.platform_under(rider)), (start, Some(belt[0])), "tick {}", world.tick());
        ridden.extend(world.platform_under(hero).map(|id| world.platform(id).unwrap().platform().name.clone()));
        for event in world.events() {
            let lost = matches!(event.kind, EventKind::LeftMap | EventKind::Stuck);
            assert!(!lost, "tick {}: {:?} {event:?}", world.tick(), player.name(event.body));
        }
    }
    assert!(ridden.iter().eq(&["belt 1", "belt 2", "belt 3", "ledge", "lift"]), "{ridden:?}");
}

/// Tolerance of a position: rounding to units adds up over some hundred ticks.
const ROUNDING: f64 = 1e-6;

#[track_caller]
fn assert_near(found: DVec2, (x, y): (f64, f64), what: &str, tick: u64) {
    let expected = DVec2::new(x, y);
    assert!((found - expected).abs().max_element() < ROUNDING, "tick {tick}, {what}: {found} instead of {expected}");
}

/// Returns the distance that a hero has walked from rest: 8 ticks to reach 8 tiles per second, then at that speed for
/// the rest of `walked` ticks, then 6 ticks of braking.
fn walked(walked: u64, after: u64) -> f64 {
    let (speeding, braking) = (walked.min(8) as f64, after.min(6) as f64);
    let steady = walked.saturating_sub(8) as f64;
    speeding * speeding / 120.0 + steady * 8.0 / 60.0 + braking * 8.0 / 60.0 - braking * braking * 80.0 / 7200.0
}

/// Returns the distance that a body has fallen from rest: g t^2 / 2.
fn fallen(ticks: u64) -> f64 {
    let time = ticks as f64 / 60.0;
    20.0 * time * time
}

/// Returns the fraction of 60 ticks that has passed since tick `begin`.
fn fraction_since(tick: u64, begin: u64) -> f64 {
    tick.saturating_sub(begin).min(60) as f64 / 60.0
}

/// Returns the positions of platforms, in tiles.
fn corners<const N: usize>(world: &World, names: [&str; N]) -> [DVec2; N] {
    names.map(|name| world.platform(world.find_platform(name).unwrap()).unwrap().position().to_dvec2())
}

/// Records events of some kinds: the tick, the name of the body, and the kind.
fn record_events(player: &Playback, events: &mut Vec<(u64, String, EventKind)>) {
    let world = player.world();
    let named = |event: &Event| (world.tick(), player.name(event.body).unwrap().to_string(), event.kind);
    events.extend(body_events(world).iter().map(named));
}

/// Checks the run's expectations; the positions of both presses, the hero and the crates in each tick; and which press
/// crushed which body when.
#[test]
fn the_run_over_presses_comes_to_what_it_expects() {
    let mut player = verified("crush", 150);
    let [stopper, crusher] = ["stopper", "crusher"].map(|name| player.world().find_platform(name).unwrap());
    let mut events = Vec::new();
    while player.step().is_some() {
        record_events(&player, &mut events);
        let (world, tick) = (player.world(), player.world().tick());
        let [stopped_at, crusher_at] = corners(world, ["stopper", "crusher"]);
        // The path leads down in 60 ticks, up in 60, and down again.
        let height = |ticks: u64| {
            5.0 - 4.0 * (fraction_since(ticks, 0) - fraction_since(ticks, 60) + fraction_since(ticks, 120))
        };
        assert_near(stopped_at, (5.0, height(tick.min(45) + tick.saturating_sub(75))), "stopper", tick);
        assert_near(crusher_at, (10.0, height(tick)), "crusher", tick);
        assert_eq!(world.platform(stopper).unwrap().is_blocked(), (46..=75).contains(&tick), "tick {tick}");
        assert!(!world.platform(crusher).unwrap().is_blocked(), "tick {tick}");
        let [hero, first, second] = positions(&player, ["hero", "crate 1", "crate 2"]);
        assert_near(
            hero,
            (1.5 + walked(tick.saturating_sub(22).min(107), tick.saturating_sub(129)), 1.45),
            "hero",
            tick,
        );
        assert_near(first, (if tick <= 75 { 6.0 } else { 8.5 }, 1.5), "crate 1", tick);
        assert_near(second, (11.0, 1.5), "crate 2", tick);
        for body in ["crate 1", "crate 2"] {
            assert_eq!(world[player.body(body).unwrap()].velocity(), DVec2::ZERO, "tick {tick}, {body}");
        }
    }
    events.retain(|(_, _, kind)| matches!(kind, EventKind::Crushed { .. }));
    let crushed = |body: &str, platform| (46, body.to_string(), EventKind::Crushed { platform });
    assert_eq!(events, [crushed("crate 1", stopper), crushed("crate 2", crusher)]);
}

/// Checks the run's expectations and each body's position in each tick: on the lift, in the air with the inherited
/// velocity, and where it comes to rest.
#[test]
fn the_run_on_a_lift_comes_to_what_it_expects() {
    let mut player = verified("lift", 240);
    // Each row has the name of a body, its start, the tick of its jump, its inherited velocity, and the number of whole
    // ticks in the air.
    let jumps = [
        ("all", 6.5, 61, (4.0, 3.0), 51),
        ("upward", 8.0, 61, (0.0, 3.0), 51),
        ("none", 9.5, 61, (0.0, 0.0), 41),
        ("in time", 11.0, 102, (4.0, 3.0), 56),
        ("late", 12.5, 103, (0.0, 0.0), 47),
        ("without", 14.0, 91, (0.0, 0.0), 47),
    ];
    let mut events = Vec::new();
    while player.step().is_some() {
        record_events(&player, &mut events);
        let (world, tick) = (player.world(), player.world().tick());
        let shift = |tick: u64| (4.0 * fraction_since(tick, 30), 3.0 * fraction_since(tick, 30));
        let [lift] = corners(world, ["lift"]);
        assert_near(lift, (3.0 + shift(tick).0, 1.0 + shift(tick).1), "lift", tick);
        let [hero] = positions(&player, ["hero"]);
        let way = walked(tick.min(28), tick.saturating_sub(28))
            + walked(tick.saturating_sub(120).min(104), tick.saturating_sub(224));
        assert_near(hero, (1.5 + way + shift(tick).0, 2.45 + shift(tick).1), "hero", tick);
        for (name, x, jump, (sideways, up), in_air) in jumps {
            let ([found], ride) = (positions(&player, [name]), world.platform_under(player.body(name).unwrap()));
            // In the tick of the jump, the lift still carries the body. The inherited velocity counts from the next
            // tick on.
            let flown = tick.saturating_sub(jump - 1);
            let (from, time, taken) =
                (shift(tick.min(jump)), flown as f64 / 60.0, flown.saturating_sub(1) as f64 / 60.0);
            if flown <= in_air {
                let height = 2.45 + from.1 + up * taken + 16.0 * time - fallen(flown);
                assert_near(found, (x + from.0 + sideways * taken, height), name, tick);
                assert_eq!(ride.is_some(), flown == 0, "tick {tick}, {name}");
            } else if flown > in_air + 5 {
                // The body falls for one more tick. Then it brakes from 4 tiles per second, over the distance of 4 /
                // 160 seconds at that speed.
                let slid = found.x - (x + from.0 + sideways * (in_air as f64 - 1.0) / 60.0 + sideways * 4.0 / 160.0);
                assert!((-ROUNDING..=sideways / 60.0 + ROUNDING).contains(&slid), "tick {tick}, {name}: {found}");
                assert!((found.y - 5.45).abs() < ROUNDING && ride.is_some(), "tick {tick}, {name}: {found}");
            }
        }
    }
    events.retain(|(_, _, kind)| *kind == EventKind::LeftFloor);
    let mut expected = jumps.map(|(name, _, jump, ..)| (jump, name.to_string(), EventKind::LeftFloor));
    expected.sort_by_key(|(tick, ..)| *tick);
    assert_eq!(events, expected);
}

/// Checks the run's expectations and each body's position in each tick: heroes on the platforms that carry them, ghosts
/// as if the platforms did not exist.
#[test]
fn the_run_of_ghosts_comes_to_what_it_expects() {
    let mut player = verified("ghosts", 300);
    while player.step().is_some() {
        let (world, tick) = (player.world(), player.world().tick());
        let (ferried, lifted) = (3.0 * fraction_since(tick, 30), 3.0 * fraction_since(tick, 150));
        let [ferry, lift] = corners(world, ["ferry", "lift"]);
        assert_near(ferry, (9.0 + ferried, 2.0), "ferry", tick);
        assert_near(lift, (16.0, lifted), "lift", tick);
        let [hero, ghost, crate_1, ghost_1, crate_2, ghost_2, turncoat] =
            positions(&player, ["hero", "ghost", "crate 1", "ghost 1", "crate 2", "ghost 2", "turncoat"]);
        let on = walked(tick.saturating_sub(220).min(42), tick.saturating_sub(262));
        let x = 1.5 + walked(tick.min(121), tick.saturating_sub(121)) + on;
        assert_near(hero, (x, 1.45 + lifted), "hero", tick);
        assert_near(ghost, ((x - 1.0).min(19.0 - 0.35), 1.45), "ghost", tick);
        let falls = |from: f64, ticks: u64, floor: f64| (from - fallen(ticks)).max(floor);
        assert_near(crate_1, (4.9, falls(6.4, tick, 4.4)), "crate 1", tick);
        assert_near(ghost_1, (6.1, falls(6.4, tick, 1.4)), "ghost 1", tick);
        assert_near(crate_2, (10.0 + ferried, falls(4.4, tick, 3.4)), "crate 2", tick);
        assert_near(ghost_2, (11.2, falls(4.4, tick, 1.4)), "ghost 2", tick);
        assert_near(turncoat, (16.6, falls(1.4 + lifted, tick.saturating_sub(230), 1.4)), "turncoat", tick);
        let ridden = ["hero", "ghost", "crate 2", "ghost 2", "turncoat"].map(|name| {
            let ride = world.platform_under(player.body(name).unwrap());
            ride.map(|id| world.platform(id).unwrap().platform().name.as_str())
        });
        // Until the lift starts, the floor is as near as the lift, so no body rides the lift. The hero leaves the lift
        // when the hero's middle is next to the lift.
        let (rises, hero_on) = (tick > 150, (16.0..19.0).contains(&hero.x));
        let on_ferry = (tick > 13).then_some("ferry");
        let on_lift = [hero_on && rises, rises && tick <= 230].map(|rides| rides.then_some("lift"));
        let expected = [on_lift[0], None, on_ferry, None, on_lift[1]];
        assert_eq!(ridden, expected, "tick {tick}, the hero at {hero}");
    }
}

/// Checks the run's expectations, and in each tick the position of the cart and the hero. The crate keeps its place on
/// the cart until it is teleported, and the sleeper does not move.
#[test]
fn the_run_with_a_driven_cart_comes_to_what_it_expects() {
    let mut player = verified("driven", 270);
    let cart = player.world().find_platform("cart").unwrap();
    let sleeps = player.world()[player.body("sleeper").unwrap()].position();
    while player.step().is_some() {
        let (world, tick) = (player.world(), player.world().tick());
        let driven = |begin: u64| tick.saturating_sub(begin).min(16) as f64 / 8.0;
        let (right, up) = (driven(30), driven(60));
        let corner = if tick <= 90 { (4.0 + right, 2.0 + up) } else { (10.0, 1.0 + driven(230)) };
        assert_near(corners(world, ["cart"])[0], corner, "cart", tick);
        let [hero, crate_] = positions(&player, ["hero", "crate"]);
        assert_near(crate_, (5.5 + right, (3.4 + up - fallen(tick.saturating_sub(90))).max(2.4)), "crate", tick);
        assert_eq!(world.platform_under(player.body("crate").unwrap()), (tick <= 90).then_some(cart), "tick {tick}");
        assert_near(
            hero,
            (1.5 + walked(tick.saturating_sub(95).min(109), tick.saturating_sub(204)), 2.45),
            "hero",
            tick,
        );
        let rides = (10.0..13.0).contains(&hero.x).then_some(cart);
        assert_eq!(world.platform_under(player.body("hero").unwrap()), rides, "tick {tick}, the hero at {hero}");
        assert_eq!(world[player.body("sleeper").unwrap()].position(), sleeps, "tick {tick}");
    }
}

#[test]
fn the_highlands_are_a_level_in_full_size() {
    let map = load("highlands");
    assert!(map.size().0 >= 512 && map.size().1 >= 96, "{:?}", map.size());
    let mut used: BTreeMap<VariantId, usize> = BTreeMap::new();
    tiles(&map).for_each(|(_, variant)| *used.entry(variant).or_default() += 1);
    let names: Vec<String> = used.keys().map(|&id| map.catalogue().variant_name(id)).collect();
    // Hills and caves need floors and ceilings of every steepness in both directions, and all eight quarter curves.
    for name in ["full_block", "disc", "one_way", "one_way_slope_45", "one_way_slope_45 r1", "spike"] {
        assert!(names.iter().any(|used| used == name), "{name}: {names:?}");
    }
    for pattern in ["slope_45", "half_slope_low", "half_slope_high", "quarter_pipe", "quarter_moon"] {
        let id = map.catalogue().find_pattern(pattern).unwrap();
        for placement in Placement::all() {
            let variant = map.catalogue().place(id, placement);
            assert!(used.contains_key(&variant), "{}", map.catalogue().variant_name(variant));
        }
    }
    assert!(used.len() >= 40, "{}: {names:?}", used.len());
    // A gem lies in free air, with room to stand below it.
    let terrain = Terrain::bake(&map);
    assert!(map.markers("gem").count() >= 20);
    for gem in map.markers("gem") {
        assert!(Mover::new(&terrain).stand_on_floor(Shape::aabb(0.35, 0.45), gem).is_some(), "{gem}");
    }
}

#[test]
fn the_run_through_the_highlands_sees_most_of_them() {
    // Each part of the level is a box, in the order of the path: left, bottom, right, top.
    let mut parts = [
        ("the meadow", 60, 38, 80, 50),
        ("the great cave", 120, 20, 160, 40),
        ("the foot of the shaft", 186, 20, 196, 24),
        ("the plateau", 196, 58, 205, 62),
        ("the islands", 214, 54, 262, 64),
        ("the hall", 296, 60, 309, 66),
        ("the top", 317, 85, 324, 90),
        ("the ramp", 382, 51, 387, 56),
        ("the half pipe", 407, 37, 415, 39),
        ("the upper gallery", 392, 20, 430, 26),
        ("the lower gallery", 384, 8, 390, 12),
        ("the pavilion", 481, 15, 487, 17),
    ]
    .into_iter()
    .peekable();
    let mut player = player("highlands");
    let mut dropped = 0;
    while player.step().is_some() {
        let world = player.world();
        let hero = &world[player.body("hero").unwrap()];
        let (x, y) = hero.position().cell();
        parts.next_if(|&(_, left, bottom, right, top)| (left..right).contains(&x) && (bottom..top).contains(&y));
        dropped += usize::from(hero.input().down && world.events().iter().any(|e| e.kind == EventKind::LeftFloor));
    }
    assert_eq!(parts.next(), None);
    assert_eq!(dropped, 2, "gratings");
    assert!(player.world().tick() >= 3000);
}

#[test]
fn no_hero_stumbles_on_the_way_through_the_highlands() {
    let mut player = player("highlands");
    let full = Character::default().walk_speed;
    // `steady` counts the ticks for which the hero has walked in the same direction on the floor. After 20 it has its
    // full speed.
    let (mut steady, mut before) = (0, Input::default());
    let mut walked = 0;
    while player.step().is_some() {
        let world = player.world();
        let hero = &world[player.body("hero").unwrap()];
        steady = if hero.on_floor() && hero.input() == before { steady + 1 } else { 0 };
        before = hero.input();
        if steady > 20 {
            let wanted = full * f64::from(before.walk) / 127.0;
            let speed = hero.velocity().length();
            assert!((speed - wanted.abs()).abs() < 1e-6, "tick {}: {speed} at {}", world.tick(), hero.position());
            let struck = world
                .events()
                .iter()
                .find(|e| matches!(e.kind, EventKind::HitTile { side, .. } if side != Side::Floor));
            assert_eq!(struck, None, "tick {} at {}", world.tick(), hero.position());
            walked += 1;
        }
    }
    assert!(walked > 1500, "{walked}");
}

#[test]
fn every_variant_of_the_zoo_is_touched_and_contacts_name_what_is_touched() {
    let mut player = player("zoo");
    let zoo = player.world().map().clone();
    let exhibits = exhibits(&zoo);
    let mut touched = BTreeSet::new();
    while player.step().is_some() {
        let world = player.world();
        for (id, body) in world.bodies() {
            for contact in world.contacts(id).iter() {
                let tile = contact.tile;
                let what = format_args!("tick {} {:?}: {contact:?}", world.tick(), player.name(id));
                assert_eq!(contact.variant, zoo.variant_at(0, tile), "{what}");
                assert_eq!(Some(contact.tile_id), zoo.tile_at(0, tile), "{what}");
                let variant = contact.variant.expect("all that is touched is in the map");
                assert!(usize::from(contact.edge) < zoo.catalogue().variant(variant).edges.len(), "{what}");
                // The body's bounds reach the tile.
                let away = body.position().to_dvec2() - (DVec2::new(tile.0.into(), tile.1.into()) + 0.5);
                let reach = body.shape().half_extents() + 0.5 + 1e-8;
                assert!(away.abs().cmple(reach).all(), "{what}");
                assert!((contact.normal.length() - 1.0).abs() < 1e-12, "{what}");
                if exhibits.contains_key(&tile) {
                    touched.insert(variant);
                }
            }
        }
    }
    let missing: Vec<String> =
        (0..96).map(VariantId).filter(|id| !touched.contains(id)).map(|id| zoo.catalogue().variant_name(id)).collect();
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn no_body_of_the_runs_enters_a_solid_or_passes_an_edge_from_its_front() {
    for name in NAMES {
        let mut player = player(name);
        let map = player.world().map().clone();
        let scene = judged(&map);
        let mut before: BTreeMap<BodyId, Position> =
            player.world().bodies().map(|(id, s)| (id, s.position())).collect();
        while player.step().is_some() {
            let world = player.world();
            for (id, body) in world.bodies() {
                let mut from = before.insert(id, body.position()).unwrap();
                for &to in body.path() {
                    let way = format_args!("{name} tick {} {:?}: {from} to {to}", world.tick(), player.name(id));
                    judge_path(&scene, &map, body, from, to).unwrap_or_else(|fault| panic!("{way}: {fault}"));
                    from = to;
                }
                assert_eq!(from, body.position(), "{name} tick {} {:?}", world.tick(), player.name(id));
            }
        }
    }
}

/// Lets the oracle judge one straight part of a body's path. A body may drop through tiles that allow it.
fn judge_path(scene: &oracle::Scene, map: &Map, body: &BodyState, from: Position, to: Position) -> Result<(), String> {
    let (shape, from, to) = (oracle_shape(body.shape()), tuple(from), tuple(to));
    let on_the_way = match shape {
        oracle::Shape::Circle { radius } => {
            let depth = scene.circle_path_depth(radius, from, to);
            (depth > 64.0).then(|| format!("{depth} units deep"))
        }
        oracle::Shape::Box { half } => {
            scene.path_overlap(half, from, to).map(|overlap| format!("{overlap:?} on the way"))
        }
    };
    let crossing = scene.find_crossing(&shape, from, to);
    let crossing = crossing.filter(|crossing| !(body.input().down && drops_through(map, crossing.cell)));
    let overlap = scene.overlap(&shape, to).map(|overlap| format!("{overlap:?}"));
    on_the_way.or(overlap).or(crossing.map(|crossing| format!("{crossing:?}"))).map_or(Ok(()), Err)
}

fn drops_through(map: &Map, tile: (i32, i32)) -> bool {
    map.tile_at(0, tile).and_then(|id| map.kind(id)).is_some_and(|kind| kind.drop_through)
}

/// Returns the set cells as an oracle scene: from the drawn patterns, with the oracle's own placement code.
fn judged(map: &Map) -> oracle::Scene {
    let mut scene = oracle::Scene::new();
    tiles(map).for_each(|(tile, id)| paint(&mut scene, map.catalogue(), tile, id));
    let (origin, size, beyond) = (map.origin(), map.size(), map.borders());
    let (right, top) = (origin.0 + size.0 as i32, origin.1 + size.1 as i32);
    for (what, side, tile) in [
        (beyond.left, oracle::Side::Left, origin.0),
        (beyond.right, oracle::Side::Right, right),
        (beyond.bottom, oracle::Side::Bottom, origin.1),
        (beyond.top, oracle::Side::Top, top),
    ] {
        if what == Border::Solid {
            scene.add_solid_beyond(side, tile);
        }
    }
    scene
}
