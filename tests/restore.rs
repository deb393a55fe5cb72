//! Restores the recorded runs in each of their ticks, and continues.

use crate::platforms::rows;
use crate::prelude::*;
use surefoot::snapshot::{SnapshotArena, SnapshotErrorKind, SnapshotKey};

/// Ticks to run after each restore.
const ON: usize = 120;

/// The commands of a tick, and its result.
struct Tick {
    before: Snapshot,
    commands: Vec<Command>,
    sums: (Checksum, Checksum),
    events: Vec<Event>,
}

/// Plays a recorded run and saves before every tick.
fn run(name: &str) -> (World, Vec<Tick>) {
    let path = format!("{}/../maps/{name}.replay.ron", env!("CARGO_MANIFEST_DIR"));
    let mut player = Playback::load(path).unwrap();
    // The first bodies have already been spawned, and are in the first snapshot.
    let mut given = player.world().bodies().count();
    let mut ticks = Vec::new();
    loop {
        let before = player.world().capture();
        if player.step().is_none() {
            return (player.world().clone(), ticks);
        }
        let world = player.world();
        let commands = world.commands()[std::mem::take(&mut given)..].to_vec();
        let sums = (world.checksum(), world.motion_checksum());
        ticks.push(Tick { before, commands, sums, events: world.events().to_vec() });
    }
}

fn goes_on_alike_from_every_tick(name: &str) {
    let (mut world, ticks) = run(name);
    assert!(ticks.len() > ON);
    // The everyday run begins at every third tick.
    for (start, tick) in ticks.iter().enumerate().step_by(often(3, 1) as usize) {
        match start % 16 {
            // Some snapshots are written and read back.
            5 => world.restore(&Snapshot::from_bytes(&tick.before.to_bytes()).unwrap()).unwrap(),
            13 => world.restore(&Snapshot::from_ron(&tick.before.to_ron().unwrap()).unwrap()).unwrap(),
            _ => world.restore(&tick.before).unwrap(),
        }
        for (after, tick) in ticks[start..].iter().take(ON).enumerate() {
            for command in &tick.commands {
                world.apply(command.clone()).unwrap();
            }
            world.step();
            let sums = (world.checksum(), world.motion_checksum());
            assert_eq!((sums, world.events()), (tick.sums, &tick.events[..]), "{name}: {after} after tick {start}");
        }
    }
}

#[test]
fn first_steps_continues_alike_from_every_tick() {
    goes_on_alike_from_every_tick("first_steps");
}

#[test]
fn the_zoo_continues_alike_from_every_tick() {
    goes_on_alike_from_every_tick("zoo");
}

#[test]
fn the_highlands_continue_alike_from_every_tick() {
    goes_on_alike_from_every_tick("highlands");
}

/// With areas, belts, ice, one-way tiles and platforms of all kinds.
#[test]
fn the_showcase_continues_alike_from_every_tick() {
    for name in ["areas", "belts", "crush", "driven", "ghosts", "ice", "ledges", "lift", "machines", "platforms"] {
        goes_on_alike_from_every_tick(&format!("showcase/{name}"));
    }
}

/// Branches of a search through one world.
const BRANCHES: usize = 200;

/// A state of a search: its snapshot in an arena, and how it was reached.
struct Branch {
    saved: SnapshotKey,
    from: usize,
    commands: Vec<Command>,
    ticks: u64,
    sums: (Checksum, Checksum),
}

/// Returns commands to a random body: an input, and now and then an edited tile or a teleport.
fn random_commands(random: &mut Random, world: &World) -> Vec<Command> {
    let bodies: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
    let [body, other] = [(); 2].map(|()| random.pick(&bodies));
    let walk = random.pick(&[127, -127, 0]);
    let input = Input { walk, jump: random.one_in(2), down: random.one_in(8), ..Input::default() };
    let mut commands = vec![Command::SetInput(body, input)];
    if random.one_in(12) {
        let (x, y) = world[body].position().cell();
        let tile = (x + random.between(-3, 3) as i32, y + random.between(-3, 1) as i32);
        let is_empty = world.tile_at(0, tile) == Some(TileId::EMPTY);
        let block = world.map().find_tile('#').filter(|_| is_empty);
        commands.push(Command::SetTile { layer: 0, tile, tile_id: block.unwrap_or(TileId::EMPTY) });
    }
    if random.one_in(24) {
        commands.push(Command::Teleport(body, world[other].position()));
    }
    commands
}

/// Makes the ticks of a branch. A world refuses the same commands in each run.
fn run_branch(world: &mut World, commands: &[Command], ticks: u64) -> (Checksum, Checksum) {
    for command in commands {
        let _ = world.apply(command.clone());
    }
    (0..ticks).for_each(|_| world.step());
    (world.checksum(), world.motion_checksum())
}

/// Branches from random states of one world, as a search does. Each path must end as in a world that runs it from the
/// start and was never restored.
fn branches_end_as_plain_runs(name: &str, random: &mut Random) {
    let path = format!("{}/../maps/{name}.replay.ron", env!("CARGO_MANIFEST_DIR"));
    let mut player = Playback::load(path).unwrap();
    for _ in 0..random.below(600) {
        player.step();
    }
    let (root, mut world) = (player.world().clone(), player.world().clone());
    let sums = (root.checksum(), root.motion_checksum());
    let (mut arena, mut snapshot) = (SnapshotArena::default(), root.capture());
    let mut branches = vec![Branch { saved: arena.add(&snapshot), from: 0, commands: Vec::new(), ticks: 0, sums }];
    let mut is_leaf = vec![true];
    for _ in 0..BRANCHES {
        // Mostly continue from the last state or one near it, so that paths become long.
        let back = [0, 0, random.index(8), random.index(branches.len())];
        let from = branches.len() - 1 - random.pick(&back).min(branches.len() - 1);
        assert!(arena.copy_to(branches[from].saved, &mut snapshot));
        world.restore(&snapshot).unwrap();
        let (commands, ticks) = (random_commands(random, &world), 1 + random.below(9));
        let sums = run_branch(&mut world, &commands, ticks);
        world.capture_into(&mut snapshot);
        branches.push(Branch { saved: arena.add(&snapshot), from, commands, ticks, sums });
        is_leaf[from] = false;
        is_leaf.push(true);
    }
    for leaf in (1..branches.len()).filter(|n| is_leaf[*n]) {
        let mut path = vec![leaf];
        while let Some(from) = path.last().map(|n| branches[*n].from).filter(|from| *from > 0) {
            path.push(from);
        }
        let mut plain = root.clone();
        for branch in path.iter().rev().map(|n| &branches[*n]) {
            let sums = run_branch(&mut plain, &branch.commands, branch.ticks);
            assert_eq!(sums, branch.sums, "{name}: tick {} on the path to branch {leaf}", plain.tick());
        }
    }
}

#[test]
fn branches_in_any_order_end_as_plain_runs() {
    let mut random = Random(47);
    for _ in 0..often(1, 3) {
        // These bodies are alone with the terrain, and a snapshot keeps their predictions.
        for name in ["first_steps", "highlands", "showcase/ice", "showcase/belts"] {
            branches_end_as_plain_runs(name, &mut random);
        }
    }
    for name in
        ["areas", "balls", "crates", "ghosts", "ladder", "ledges", "lift", "machines", "platforms", "pool", "porter"]
    {
        branches_end_as_plain_runs(&format!("showcase/{name}"), &mut random);
    }
}

/// Snapshots of several worlds, added to one arena and removed in random order, are equal to their originals.
#[test]
fn an_arena_returns_equal_snapshots() {
    let mut random = Random(300);
    let names = ["areas", "crates", "ladder", "lift", "machines", "pool", "porter"];
    let mut worlds = names.map(|name| {
        let path = format!("{}/../maps/showcase/{name}.replay.ron", env!("CARGO_MANIFEST_DIR"));
        Playback::load(path).unwrap().world().clone()
    });
    let (mut arena, mut copy) = (SnapshotArena::default(), Snapshot::default());
    let mut kept: Vec<(SnapshotKey, Snapshot)> = Vec::new();
    for _ in 0..600 {
        if random.one_in(3) && !kept.is_empty() {
            let (key, saved) = kept.swap_remove(random.index(kept.len()));
            assert!(arena.copy_to(key, &mut copy));
            assert_eq!(copy.to_bytes(), saved.to_bytes());
            assert!(arena.remove(key));
            assert!(!arena.remove(key) && !arena.copy_to(key, &mut copy), "a removed snapshot is gone");
            continue;
        }
        let world = &mut worlds[random.index(names.len())];
        let commands = random_commands(&mut random, world);
        run_branch(world, &commands, random.below(6));
        let mut saved = world.capture();
        if random.one_in(8) {
            saved = Snapshot::from_bytes(&saved.to_bytes()).unwrap();
        }
        kept.push((arena.add(&saved), saved));
    }
    assert_eq!(arena.len(), kept.len());
    let bytes = arena.bytes();
    for (key, saved) in &kept {
        assert!(arena.copy_to(*key, &mut copy) && arena.remove(*key));
        assert_eq!(copy.to_bytes(), saved.to_bytes());
    }
    assert!(arena.is_empty());
    for (_, saved) in &kept {
        arena.add(saved);
    }
    assert!(arena.bytes() <= bytes, "the memory of removed snapshots is used again");
}

/// A source without tiles, with an identity.
struct Empty(u64);

impl TileSource for Empty {
    fn fill(&self, _layer: usize, _chunk: (i32, i32), _cells: &mut [TileId; 1024]) {}

    fn identity(&self) -> u64 {
        self.0
    }
}

/// Snapshots share what is equal in an arena. Each of these differs from another one in a single part that they could
/// share, such as the platforms. Copied over each other in any order, all are equal to their originals.
#[test]
fn an_arena_tells_snapshots_apart_that_differ_in_one_part() {
    let map = Arc::new(Map::from_rows(["......", "======"]).unwrap());
    let mut world = World::new(map.clone(), Settings::default());
    world.spawn(Body::new(Shape::circle(0.25)).at((1.5, 1.5))).unwrap();
    let mut saved = vec![world.capture()];
    for x in [1.0, 4.0] {
        world.spawn_platform(Platform::from_rows(&map, ["=="]).unwrap().at((x, 4.0))).unwrap();
        saved.push(world.capture());
    }
    world.spawn_area(Area::new(AreaShape::circle(0.5).unwrap()).at((4.0, 4.0))).unwrap();
    saved.push(world.capture());
    world.set_tile(0, (5, 0), TileId::EMPTY).unwrap();
    saved.push(world.capture());
    world.spawn(Body::new(Shape::circle(0.25)).at((3.5, 1.5))).unwrap();
    saved.push(world.capture());
    // Three streamed worlds in which nothing was ever spawned or edited: they differ in the source or in the settings.
    for (source, gravity) in [(1, -40.0), (1, -20.0), (2, -20.0)] {
        let settings = Settings { gravity: DVec2::new(0.0, gravity), ..Settings::default() };
        saved.push(World::streamed(map.clone(), Arc::new(Empty(source)), settings).capture());
    }
    let mut arena = SnapshotArena::default();
    let keys: Vec<SnapshotKey> = saved.iter().map(|saved| arena.add(saved)).collect();
    for from in &keys {
        for (key, saved) in keys.iter().zip(&saved) {
            let mut copy = Snapshot::default();
            assert!(arena.copy_to(*from, &mut copy) && arena.copy_to(*key, &mut copy));
            assert_eq!(copy.to_bytes(), saved.to_bytes());
        }
    }
}

/// Returns the height of a jump in tiles, and the tick of its top.
fn play_jump(world: &mut World, hero: BodyId) -> (f64, u32) {
    world.set_input(hero, Input { jump: true, ..Input::default() });
    let height = |world: &World| world[hero].position().to_dvec2().y - 1.5;
    let mut top = (0.0, 0);
    for tick in 1..=60 {
        world.step();
        if height(world) > top.0 {
            top = (height(world), tick);
        }
    }
    world.set_input(hero, Input::default());
    world.step();
    top
}

#[test]
fn a_character_falls_by_the_settings_of_the_world_that_was_loaded() {
    let map = Map::from_rows(["........"; 8].into_iter().chain(["########"])).unwrap();
    // The length of a tick rounds its gravity: the time to the top is a whole number of ticks.
    let springy = Character { jump_height: 3.0, jump_time: 0.31, max_fall_speed: 100.0, ..Character::default() };
    let world = |tick: f64| {
        let mut world = World::new(map.clone(), Settings::default().tick(tick));
        let hero = world.spawn(Body::new(Shape::aabb(0.5, 0.5)).at((4.0, 1.5)).character(springy)).unwrap();
        world.step();
        (world, hero)
    };
    let ((mut fine, hero), (coarse, _)) = (world(1.0 / 60.0), world(1.0 / 10.0));
    let before = fine.capture();
    let is_jump = |(height, after): (f64, u32), ticks| (height - 3.0).abs() < 1e-6 && after == ticks;
    let first = play_jump(&mut fine, hero);
    assert!(is_jump(first, 19), "0.31 seconds are 18.6 ticks: {first:?}");
    let coarse = coarse.capture();
    assert!(fine.restore(&coarse).is_err(), "the ticks of the snapshot are longer");
    let mut loaded = World::new(map.clone(), coarse.settings());
    loaded.restore(&coarse).unwrap();
    let second = play_jump(&mut loaded, hero);
    assert!(is_jump(second, 3), "and 3.1 of a tenth of a second: {second:?}");
    fine.restore(&before).unwrap();
    assert_eq!(play_jump(&mut fine, hero), first);
}

/// A playback creates its world as at the start of the log, including the settings.
#[test]
fn a_player_takes_over_the_settings_of_its_log() {
    let map = Map::from_rows(["........"; 8].into_iter().chain(["########"])).unwrap();
    let springy = Character { jump_height: 3.0, jump_time: 0.31, max_fall_speed: 100.0, ..Character::default() };
    let hero = Body::new(Shape::aabb(0.5, 0.5)).at((4.0, 1.5)).character(springy);
    let mut coarse = World::new(map.clone(), Settings::default().tick(0.1));
    let id = coarse.spawn(hero.clone()).unwrap();
    coarse.step();
    let mut recorder = Recorder::new(&coarse, 1);
    for tick in 0..20 {
        coarse.set_input(id, Input { jump: tick > 0, ..Input::default() });
        coarse.step();
        recorder.record_tick(&coarse).unwrap();
    }
    let log: Recording = recorder.finish(&coarse).unwrap();
    let mut fine = World::new(map, Settings::default());
    fine.spawn(hero).unwrap();
    let mut player = Playback::of_commands(log, fine).unwrap();
    player.run().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(player.world().settings(), coarse.settings());
}

/// Each field of the settings counts, even if only the last bit differs.
#[test]
fn a_world_with_other_settings_refuses_a_snapshot_and_stays_as_it_is() {
    let map = Map::from_rows(["........"; 8].into_iter().chain(["########"])).unwrap();
    let world = |settings: Settings| {
        let mut world = World::new(map.clone(), settings);
        let hero = Body::new(Shape::aabb(0.5, 0.5)).at((4.0, 4.5)).character(Character::default());
        world.spawn(hero).unwrap();
        (0..10).for_each(|_| world.step());
        world
    };
    let plain = Settings::default();
    let next = |number: f64| f64::from_bits(number.to_bits() + 1);
    let steep = SlopeLimit::new(2, 1).unwrap();
    let flat = SlopeLimit::new(2, 2).unwrap();
    let cases = [
        ("tick", plain.tick(0.1)),
        ("tick", plain.tick(next(plain.tick))),
        ("gravity", plain.gravity((0.0, -30.0))),
        ("gravity", plain.gravity((0.0, next(-40.0)))),
        ("gravity", plain.gravity((-0.0, -40.0))),
        ("up", plain.up(Up::PlusX)),
        ("up", plain.up(Up::MinusX)),
        ("up", plain.up(Up::MinusY)),
        ("max_floor_slope", plain.max_floor_slope(steep)),
        ("max_floor_slope", plain.max_floor_slope(flat)),
        // The error names the first of several differences.
        ("gravity", plain.gravity((0.0, 40.0)).up(Up::MinusY).max_floor_slope(steep)),
    ];
    for (setting, other) in cases {
        for (from, into) in [(other, plain), (plain, other)] {
            let mut of = world(from);
            of.step();
            let saved = of.capture();
            let read = [
                saved.clone(),
                Snapshot::from_bytes(&saved.to_bytes()).unwrap(),
                Snapshot::from_ron(&saved.to_ron().unwrap()).unwrap(),
            ];
            for snapshot in &read {
                let bits = snapshot.settings().gravity.to_array().map(f64::to_bits);
                assert_eq!(bits, from.gravity.to_array().map(f64::to_bits));
                assert_eq!(snapshot.settings(), from);
                let (mut refuses, twin) = (world(into), world(into));
                let before = refuses.checksum();
                let error = refuses.restore(snapshot).unwrap_err();
                let SnapshotErrorKind::OtherSettings { setting: named, found, expected } = &error.kind else {
                    panic!("{setting}: {error}")
                };
                assert_eq!((*named, **found, **expected), (setting, from, into), "{error}");
                assert!(error.to_string().contains(&format!("`{setting}`")), "{error}");
                assert_eq!((refuses.checksum(), refuses.settings()), (before, into), "{setting}");
                assert_eq!(refuses.capture().first_difference(&twin.capture()), None, "{setting}");
                let mut takes = World::new(map.clone(), snapshot.settings());
                takes.restore(snapshot).unwrap_or_else(|error| panic!("{setting}: {error}"));
                assert_eq!(takes.checksum(), of.checksum(), "{setting}");
            }
        }
    }
    let mut turned = world(plain);
    let error = turned.restore(&world(plain.up(Up::MinusX)).capture()).unwrap_err();
    let text = "the snapshot's setting `up` is MinusX; expected PlusY, as in the world";
    assert_eq!(error.to_string(), text);
}

/// A crate above a floor, in a world with another one that lies there: the world before the crate falls, and the
/// crate.
fn falling_crate() -> (World, BodyId) {
    let rows = ["........", "........", "........", "........", "========"];
    let mut world = World::new(map_with(&rows, r#"collision_layers: ["crate"]"#), Settings::default());
    let solid = Body::new(Shape::aabb(0.5, 0.5)).collision_mask(CollisionLayers(1));
    world.spawn(solid.clone().at((6.0, 1.5))).unwrap();
    let falls = world.spawn(solid.at((2.0, 4.5))).unwrap();
    world.step();
    (world, falls)
}

/// Ways in which a world becomes an earlier one.
const RETURNS: [fn(&mut World, &World); 2] = [
    |world, early| world.clone_from(early),
    |world, early| {
        world.restore(&early.capture()).unwrap();
    },
];

#[test]
fn a_sleeping_world_that_goes_back_to_a_fall_falls() {
    for go_back in RETURNS {
        let (early, falls) = falling_crate();
        let mut world = early.clone();
        (0..300).for_each(|_| world.step());
        assert_eq!(world[falls].position(), position(2.0, 1.5));
        go_back(&mut world, &early);
        let mut twin = early.clone();
        for _ in 0..10 {
            let before = world[falls].position();
            world.step();
            twin.step();
            assert_eq!(world.checksum(), twin.checksum());
            assert!(world[falls].position().to_dvec2().y < before.to_dvec2().y);
        }
    }
}

#[test]
fn after_a_restore_queries_find_bodies_at_their_restored_places() {
    let (high, low) = (position(2.0, 4.25), position(2.0, 1.5));
    for go_back in RETURNS {
        let (early, falls) = falling_crate();
        let mut world = early.clone();
        let at = |world: &World, point| world.query_point(point, &Filter::default());
        assert_eq!((at(&world, high), at(&world, low)), (Some(Target::Body(falls)), None));
        (0..300).for_each(|_| world.step());
        assert_eq!((at(&world, high), at(&world, low)), (None, Some(Target::Body(falls))));
        go_back(&mut world, &early);
        assert_eq!((at(&world, high), at(&world, low)), (Some(Target::Body(falls)), None));
    }
}

/// A crate on a bridge stands, and falls once the tile below it is gone, whatever the world showed before.
#[test]
fn after_a_restore_a_platform_has_the_tiles_of_the_snapshot() {
    for go_back in RETURNS {
        let mut whole = World::new(map(&["....", "....", "....", "...."]), Settings::default());
        let bridge = whole.spawn_platform(rows(whole.map(), &["##"], 1.0, 0.0)).unwrap();
        let crate_ = whole.spawn(Body::new(Shape::aabb(0.25, 0.25)).at((1.5, 1.25))).unwrap();
        whole.step();
        let mut broken = whole.clone();
        broken.set_platform_tile(bridge, 0, (0, 0), TileId::EMPTY).unwrap();
        let mut used = broken.clone();
        for (moment, support) in [(&whole, Some(bridge)), (&broken, None), (&whole, Some(bridge))] {
            go_back(&mut used, moment);
            assert_eq!(used.checksum(), moment.checksum());
            used.step();
            assert_eq!(used.platform_under(crate_), support);
        }
    }
}

#[test]
fn queries_find_the_bodies_of_a_map_once_they_are_spawned() {
    let ball = r#"(name: "ball", kind: "ball", at: (2.0, 1.0), shape: Circle(0.5))"#;
    let map = format!(r#"Map(format: 1, bodies: [{ball}], tiles: ["....", "....", "...."])"#);
    let mut world = World::new(Map::from_ron(&map).unwrap(), Settings::default());
    let found = |world: &World| world.query_point(position(2.25, 1.0), &Filter::default());
    assert_eq!(found(&world), None);
    world.spawn_map_bodies().unwrap();
    assert_eq!(found(&world), world.find_body("ball").map(Target::Body));
    assert!(found(&world).is_some());
}

/// A character stands, and its next ticks are predicted to change nothing. Then a wind begins that blows to the right.
#[test]
fn a_restore_to_the_beginning_of_a_wind_lets_it_blow() {
    for go_back in RETURNS {
        let mut begins = World::new(map(&["....", "....", "===="]), Settings::default());
        let hero = Body::new(Shape::aabb(0.25, 0.5)).at((1.0, 1.5)).character(Character::default());
        let hero = begins.spawn(hero).unwrap();
        (0..30).for_each(|_| begins.step());
        let wind = Effects { ground_wind: Some(DVec2::new(3.0, 0.0)), ..Effects::default() };
        begins.spawn_area(Area::new(AreaShape::aabb(2.0, 2.0).unwrap()).at((2.0, 2.0)).effects(wind)).unwrap();
        // At the end of this tick the character is found in the area, which acts on it from the next one on.
        begins.step();
        let mut world = begins.clone();
        for _ in 0..3 {
            (0..6).for_each(|_| world.step());
            assert!(world[hero].position().to_dvec2().x > 1.05);
            go_back(&mut world, &begins);
            assert_eq!(world[hero].position(), position(1.0, 1.5));
        }
    }
}

/// A character walks towards a gap, which is filled after the snapshot. Its next steps on the floor are predicted, and
/// the floor that it has found since then has no gap.
#[test]
fn a_restore_takes_back_a_floor_that_was_built_ahead_of_a_walk() {
    let (air, floor) = (".".repeat(40), format!("{}.{}", "=".repeat(20), "=".repeat(19)));
    let mut world = World::new(map(&[&air, &air, &air, &floor, &air, &air]), Settings::default());
    let hero = Body::new(Shape::aabb(0.25, 0.5)).at((2.0, 3.5)).character(Character::default());
    let hero = world.spawn(hero).unwrap();
    world.set_input(hero, Input { walk: 127, ..Input::default() });
    while world[hero].position().to_dvec2().x < 18.0 {
        world.step();
    }
    let (block, snapshot, twin) = (world.map().find_tile('=').unwrap(), world.capture(), world.clone());
    for ticks in 1..20 {
        world.set_tile(0, (20, 2), block).unwrap();
        (0..ticks).for_each(|_| world.step());
        world.restore(&snapshot).unwrap();
        let mut twin = twin.clone();
        for tick in 0..40 {
            world.step();
            twin.step();
            assert_eq!(world.checksum(), twin.checksum(), "{ticks} ticks on the floor, {tick} after the restore");
        }
        assert!(!twin[hero].on_floor());
        world.restore(&snapshot).unwrap();
    }
}
