//! Runs of a game: rewinds, saves, recordings and playbacks in any order.

use super::*;
use crate::area::{Area, AreaId, AreaShape};
use crate::checksum::Checksum;
use crate::event::{Event, EventKind};
use crate::platform::Platform;
use crate::replay::ReplayLoadError;
use crate::rollback::RollbackError;
use surefoot_tiles::internals::io::write_atomic;

/// The state of a game outside its world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Rules {
    hero: BodyId,
    landings: u32,
    mood: Mood,
    /// Changes in each tick.
    clock: u64,
    scores: Vec<(u64, f64)>,
    plan: Plan,
}

/// Which rules the game has. The default has none of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Plan {
    /// Whether coins are taken, and new ones are spawned.
    coins: bool,
    /// Ticks between two edits of tiles; 0 edits none.
    tiles: u64,
    /// Ticks between two commands for the lift; 0 gives none.
    lift: u64,
    /// Whether a second platform comes and goes.
    rafts: bool,
}

impl Plan {
    fn of_seed(random: &mut crate::random::Random) -> Plan {
        let mut interval = |longest: u64| random.below(3).min(1) * (1 + random.below(longest));
        let (tiles, lift) = (interval(40), interval(60));
        Plan { coins: random.below(2) == 0, tiles, lift, rafts: random.below(2) == 0 }
    }

    /// Gives the commands before the step.
    fn act(self, world: &mut World, clock: u64) {
        if self.tiles > 0 && clock.is_multiple_of(self.tiles) {
            let tile = ((clock / self.tiles % 14) as i32 + 1, 3);
            let block = world.map().find_tile('#').unwrap();
            let is_empty = world.tile_at(0, tile) == Some(TileId::EMPTY);
            world.set_tile(0, tile, if is_empty { block } else { TileId::EMPTY }).unwrap();
        }
        let lift = world.find_platform("lift").unwrap();
        if self.lift > 0 && clock.is_multiple_of(self.lift) {
            let at = world.platform(lift).unwrap().position();
            match clock / self.lift % 5 {
                0 => world.pause_platform(lift).unwrap(),
                1 => world.resume_platform(lift).unwrap(),
                2 => world.drive_platform(lift, at.offset((0.25, 0.0)).unwrap()).unwrap(),
                3 => world.teleport_platform(lift, (4.0, 6.0)).unwrap(),
                _ => world.set_platform_tile(lift, 0, (1, 0), TileId::EMPTY).unwrap_or_default(),
            }
        }
        if self.rafts && clock.is_multiple_of(25) {
            match world.find_platform("raft") {
                Some(raft) => world.despawn_platform(raft).unwrap(),
                None => {
                    let raft = Platform::from_rows(world.map(), ["=="]).unwrap();
                    world.spawn_platform(raft.name("raft").at((9.0, 3.0))).unwrap();
                }
            }
        }
    }

    /// Takes the coins that the hero has entered. Returns their number.
    fn take_coins(self, world: &mut World, hero: BodyId) -> usize {
        let entered = |event: &Event| match event.kind {
            EventKind::AreaEntered { area } if event.body == hero && self.coins => Some(area),
            _ => None,
        };
        let taken: Vec<AreaId> = world.events().iter().filter_map(entered).collect();
        for area in &taken {
            world.despawn_area(*area).unwrap();
            let next = 1.0 + (world.tick() * 7 % 14) as f64;
            world.spawn_area(Area::new(AreaShape::circle(0.5).unwrap()).tag("coin").at((next, 2.5))).unwrap();
        }
        taken.len()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Mood {
    Calm,
    Angry { since: u64 },
}

fn tick(world: &mut World, rules: &mut Rules, inputs: &Inputs) {
    world.set_input(rules.hero, inputs[0]);
    rules.plan.act(world, rules.clock);
    if inputs[0].down && rules.scores.len() < 5 {
        let at = world[rules.hero].position();
        let _ = world.spawn(Body::new(Shape::circle(0.2)).at(at).velocity((3.0, 4.0)));
    }
    world.step();
    rules.clock += 1;
    if world.events().iter().any(|event| event.body == rules.hero && event.kind.name() == "landed") {
        rules.landings += 1;
        rules.scores.push((world.tick(), world[rules.hero].position().to_dvec2().x));
    }
    let taken = rules.plan.take_coins(world, rules.hero);
    rules.scores.extend((0..taken).map(|_| (world.tick(), -1.0)));
    if rules.clock.is_multiple_of(9) && inputs[0].walk < 0 {
        // A spring acts by a command after the step, so the state of this tick already contains its effect.
        world.add_velocity(rules.hero, (0.0, 5.0)).unwrap();
    }
    let is_angry = world[rules.hero].velocity().y > 0.0;
    rules.mood = match rules.mood {
        Mood::Calm if is_angry => Mood::Angry { since: world.tick() },
        Mood::Angry { .. } if !is_angry => Mood::Calm,
        mood => mood,
    };
}

/// The same game with another rule.
fn tick_with_changed_rule(world: &mut World, rules: &mut Rules, inputs: &Inputs) {
    let before = rules.landings;
    tick(world, rules, inputs);
    if rules.landings > before && rules.landings == 2 {
        rules.scores[1].1 += 0.5;
    }
}

fn rules_map() -> Map {
    let rows = ["................", "................", "#....12##34....#", "/###############"];
    // A hero with a plan for the lift starts above the lift. Other heroes start below it.
    let lift = "(name: \"lift\", at: (4, 6), motion: Path(points: [(0, 0), (6, 2)], speed: 3.0), tiles: [\"===\"])";
    let coins =
        "(tag: \"coin\", shape: Circle(0.5), at: (7.0, 3.5)), (tag: \"coin\", shape: Circle(0.5), at: (12.5, 1.5))";
    Map::from_ron(&format!("Map(format: 1, tiles: {rows:?}, platforms: [{lift}], areas: [{coins}])")).unwrap()
}

fn new_game() -> (World, Rules) {
    new_game_of(Plan::default())
}

fn new_game_of(plan: Plan) -> (World, Rules) {
    let mut world = World::new(rules_map(), Settings::default());
    let at = if plan.lift > 0 { (5.5, 7.5) } else { (3.5, 2.5) };
    let hero = Body::new(Shape::aabb(0.3, 0.4)).at(at).character(Character::default());
    let hero = world.spawn(hero).unwrap();
    (world, Rules { hero, landings: 0, mood: Mood::Calm, clock: 0, scores: Vec::new(), plan })
}

fn new_run(options: GameRunOptions) -> GameRun<Rules> {
    new_run_of(Plan::default(), options)
}

fn new_run_of(plan: Plan, options: GameRunOptions) -> GameRun<Rules> {
    let (world, rules) = new_game_of(plan);
    GameRun::with_options(world, rules, tick, options).unwrap()
}

fn input(walk: i8, jump: bool) -> Inputs {
    Input { walk, jump, ..Input::default() }.into()
}

/// Plays the inputs of a recording by hand, from its start, and returns the checksum of the world and the rules.
fn play_by_hand(recording: &Recording<Inputs>) -> (crate::checksum::Checksum, Rules) {
    let mut world = World::new(rules_map(), Settings::default());
    match recording.start() {
        RecordingStart::New { commands, .. } => commands.iter().for_each(|command| {
            world.apply(command.clone()).unwrap();
        }),
        RecordingStart::State(state) => world.restore(state).unwrap(),
    }
    let mut rules: Rules = ron::from_str(&recording.game_states[0].ron).unwrap();
    recording.inputs().for_each(|input| tick(&mut world, &mut rules, input));
    (world.checksum(), rules)
}

fn check_recording(run: &mut GameRun<Rules>) {
    let recording = run.recording().unwrap().clone();
    assert_eq!(play_by_hand(&recording), (run.world().checksum(), run.game().clone()));
    assert_eq!(recording.end(), run.world().tick());
    let summary = GameRun::verify_on(recording.clone(), rules_map(), tick).unwrap();
    assert_eq!((summary.ticks, summary.checksum), (recording.ticks(), run.world().checksum()));
}

#[test]
fn a_rewound_game_continues_as_if_the_ticks_were_not_played() {
    let mut run = new_run(GameRunOptions::default());
    for i in 0..90 {
        run.advance(&input(127, i % 40 == 3)).unwrap();
    }
    let early = run.save().unwrap();
    for _ in 0..50 {
        run.advance(&input(-127, true)).unwrap();
    }
    run.rewind(60).unwrap();
    assert_eq!((run.world().tick(), run.game().clock), (80, 80));
    for _ in 0..10 {
        run.advance(&input(-20, false)).unwrap();
    }
    assert_eq!(run.recording().unwrap().ticks(), 90);
    check_recording(&mut run);
    // The rewind has dropped the ticks of this save, and tick 90 has another state now. So the recording starts again
    // with the save.
    run.load(&early).unwrap();
    assert_eq!((run.recording().unwrap().start().tick(), run.recording().unwrap().ticks()), (90, 0));
    run.advance(&input(0, true)).unwrap();
    check_recording(&mut run);
    let error = run.rewind(2).unwrap_err();
    assert!(matches!(error, GameRunError::Rollback(RollbackError::TooOld { tick: 89, oldest: 90 })), "{error}");
    run.rewind(1).unwrap();
    assert_eq!(run.checksums(), early.sums);
}

#[test]
fn a_loaded_state_that_the_recording_contains_cuts_the_recording() {
    for interval in [1, 60] {
        let record = RecordOptions::from(interval);
        let mut run = new_run(GameRunOptions { rewind_ticks: 5, record });
        let start = run.save().unwrap();
        (0..33).for_each(|_| run.advance(&input(127, false)).unwrap());
        let saved = run.save().unwrap();
        (0..33).for_each(|_| run.advance(&input(-127, true)).unwrap());
        run.load(&saved).unwrap();
        assert_eq!((run.recording().unwrap().ticks(), run.rewind_ticks()), (33, 0));
        run.advance(&input(3, false)).unwrap();
        check_recording(&mut run);
        run.load(&start).unwrap();
        assert_eq!(run.recording().unwrap().ticks(), 0);
        assert!(matches!(run.recording().unwrap().start(), RecordingStart::New { .. }));
        check_recording(&mut run);
    }
}

#[test]
fn a_changed_rule_is_found_in_its_first_tick_and_named() {
    let record = RecordOptions { snapshot_interval: 100, ..RecordOptions::from(1) };
    let mut run = new_run(GameRunOptions { record, ..GameRunOptions::default() });
    let mut second_landing = None;
    for i in 0..200 {
        run.advance(&input(40, i % 60 == 0)).unwrap();
        if run.game().landings == 2 {
            second_landing.get_or_insert(run.world().tick());
        }
    }
    let second_landing = second_landing.unwrap();
    let recording = run.recording().unwrap().clone();
    let error = GameRun::verify_on(recording.clone(), rules_map(), tick_with_changed_rule).unwrap_err();
    let GameRunError::Differs(GameDivergence::Game { tick: first, recorded: Some((at, difference)) }) = &error else {
        panic!("{error}")
    };
    assert_eq!((*first, difference.field.as_str()), (second_landing, "scores[1][1]"));
    assert_eq!(*at, second_landing.next_multiple_of(60), "the state is recorded each second");
    let [recorded, found] = [&difference.first, &difference.second].map(|value| value.parse::<f64>().unwrap());
    assert_eq!(found - recorded, 0.5);
    let text = error.to_string();
    let expected =
        format!("the state of the game outside the world differs after tick {first}; after tick {at}: `scores");
    assert!(text.starts_with(&expected), "{text}");

    // The changed rule moves a body.
    let faster: GameTick<Rules, Inputs> = |world, rules, inputs| {
        tick(world, rules, inputs);
        if world.tick() == 77 {
            world.set_velocity(rules.hero, (9.0, 0.0)).unwrap();
        }
    };
    let error = GameRun::verify_on(recording, rules_map(), faster).unwrap_err();
    let text = error.to_string();
    let GameRunError::Differs(GameDivergence::World { divergence, recorded: Some((100, found)) }) = error else {
        panic!("{error}")
    };
    assert_eq!((divergence.tick, divergence.kind), (77, DivergenceKind::Motion));
    assert_eq!((found.body, found.field.as_str()), (Some(run.game().hero), "footing"));
    assert!(text.contains("; after tick 100: BodyId(1v1): `footing` is Ground, not Air"), "{text}");
}

#[test]
fn a_saved_file_is_a_recording_without_ticks() {
    let file = Temporary::new("save-game");
    let mut run = new_run(GameRunOptions::default());
    (0..50).for_each(|_| run.advance(&input(127, true)).unwrap());
    run.save_file(&file.0).unwrap();
    let read = Recording::<Inputs>::load(&file.0).unwrap();
    assert_eq!((read.ticks(), read.start().tick(), read.is_complete()), (0, 50, true));
    let (checksum, rules) = (run.world().checksum(), run.game().clone());
    (0..9).for_each(|_| run.advance(&input(-127, false)).unwrap());

    let mut other = new_run(GameRunOptions::default());
    other.load_file(&file.0).unwrap();
    assert_eq!((other.world().checksum(), other.game()), (checksum, &rules));
    other.advance(&input(0, false)).unwrap();
    check_recording(&mut other);
    // The first game still has the saved state in its recording. So the recording is cut after that tick, and does not
    // start again.
    run.load_file(&file.0).unwrap();
    assert_eq!((run.recording().unwrap().start().tick(), run.recording().unwrap().ticks()), (0, 50));

    let long = Temporary::new("long-game");
    run.record_to(&long.0).unwrap();
    run.close_recording().unwrap();
    let error = run.load_file(&long.0).unwrap_err();
    assert!(matches!(error, GameRunError::NotASave { ticks: 50 }), "{error}");
    let error = run.record_to(&long.0).unwrap_err();
    assert!(matches!(error, GameRunError::Recorder(RecorderError::Exists { .. })), "{error}");
}

#[test]
fn a_recording_finds_its_map_in_its_folder() {
    let folder = std::env::temp_dir().join(format!("surefoot-verify-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (map, file) = (folder.join("level.ron"), folder.join("a.recording"));
    write_atomic(&map, rules_map().to_ron().as_bytes()).unwrap();
    for (named, is_found) in [(Some("level.ron"), true), (Some("../level.ron"), false), (None, false)] {
        let record = RecordOptions { map_file: named.map(str::to_owned), ..RecordOptions::from(1) };
        let mut run = new_run(GameRunOptions { record, ..GameRunOptions::default() });
        (0..20).for_each(|_| run.advance(&input(127, true)).unwrap());
        run.record_to(&file).unwrap();
        run.close_recording().unwrap();
        match GameRun::verify(&file, tick) {
            Ok(summary) => {
                assert!(is_found && summary.ticks == 20 && summary.compared == 20, "{summary:?}");
                // A playback needs no rules of the game: the recording contains the commands that the game gave.
                let summary = Playback::load(&file).unwrap().run().unwrap();
                assert_eq!((summary.ticks, summary.checksum), (20, run.world().checksum()));
                let save = folder.join("a.save");
                run.save_file(&save).unwrap();
                assert_eq!(Playback::load(&save).unwrap().checksum(), run.world().checksum());
            }
            Err(error) => {
                assert!(!is_found && matches!(error, GameRunError::NoMapFile), "{error}");
                let error = Playback::load(&file).unwrap_err();
                assert!(matches!(error, ReplayLoadError::NoMapFile { .. }), "{error}");
            }
        }
        std::fs::remove_file(&file).unwrap();
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_recording_without_a_game_is_refused() {
    let (world, _) = new_game();
    let recording = RecordOptions::from(60).new_recording::<Inputs>(&world);
    let mut run = new_run(GameRunOptions::default());
    let error = run.play(recording).unwrap_err();
    assert!(matches!(error, GameRunError::NoGame), "{error}");
}

/// Does one of everything, in an order of the seed, and checks the recording again and again.
fn play_in_random_order(seed: u64, steps: usize) {
    let mut random = crate::random::Random(seed);
    let interval = [1, 1, 7, 60][random.index(4)];
    let options = GameRunOptions { rewind_ticks: 1 + random.index(90), record: RecordOptions::from(interval) };
    let plan = Plan::of_seed(&mut random);
    let mut run = new_run_of(plan, options.clone());
    let mut saves = vec![run.save().unwrap()];
    let new_file = |number: usize| Temporary::new(&format!("random-{seed}-{number}"));
    let mut file = new_file(0);
    let save_file = Temporary::new(&format!("random-{seed}-save"));
    run.record_to(&file.0).unwrap();
    for step in 0..steps {
        match random.below(14) {
            0..6 => {
                let input = Inputs::from(Input {
                    walk: (random.below(3) as i8 - 1) * 100,
                    jump: random.below(2) == 0,
                    down: random.below(20) == 0,
                    ..Input::default()
                });
                for _ in 0..1 + random.below(30) {
                    run.advance(&input).unwrap();
                }
            }
            6 => {
                let most = run.rewind_ticks();
                run.rewind(random.below(most + 1)).unwrap();
            }
            7 => saves.push(run.save().unwrap()),
            8 => run.load(&saves[random.index(saves.len())]).unwrap(),
            9 => {
                let recording = run.recording().unwrap().clone();
                let end = (run.world().checksum(), run.game().clone());
                run.play(recording).unwrap();
                if random.below(2) == 0 {
                    while run.is_playing() {
                        run.advance(&Inputs::default()).unwrap();
                    }
                    assert_eq!((run.world().checksum(), run.game().clone()), end);
                } else {
                    for _ in 0..random.below(40) {
                        run.advance(&input(5, false)).unwrap();
                    }
                    run.stop_playing();
                }
            }
            10 => check_recording(&mut run),
            11 => {
                run.save_file(&save_file.0).unwrap();
                let saved = (run.world().checksum(), run.game().clone());
                for _ in 0..random.below(20) {
                    run.advance(&input(-60, false)).unwrap();
                }
                run.load_file(&save_file.0).unwrap();
                assert_eq!((run.world().checksum(), run.game().clone()), saved);
            }
            12 => {
                // A second file ends the first one, which is then a complete recording.
                let next = new_file(1 + step);
                run.record_to(&next.0).unwrap();
                let read = Recording::<Inputs>::load(&file.0).unwrap();
                assert!(read.is_complete());
                GameRun::verify_on(read, rules_map(), tick).unwrap();
                file = next;
            }
            _ => {
                let mut other = new_run_of(plan, options.clone());
                (0..random.below(20)).for_each(|_| other.advance(&input(90, true)).unwrap());
                saves.push(other.save().unwrap());
            }
        }
        saves.drain(..saves.len().saturating_sub(12));
    }
    check_recording(&mut run);
    let recording = run.recording().unwrap().clone();
    run.close_recording().unwrap();
    let read = Recording::<Inputs>::load(&file.0).unwrap();
    assert_eq!((read.ticks(), read.end()), (recording.ticks(), recording.end()));
    assert_eq!(play_by_hand(&read), play_by_hand(&recording));
    GameRun::verify_on(read.clone(), rules_map(), tick).unwrap();
    check_commands(read);
    check_truncated(&file, &mut random);
}

/// The commands of a recording, played without the rules, give the recorded run.
fn check_commands(recording: Recording<Inputs>) {
    let (ticks, sums) = (recording.ticks(), recording.checkpoints().last().cloned());
    let has_later_commands = recording.given.has_commands_after_step(recording.end());
    let world = World::new(rules_map(), recording.start().settings());
    let commands = recording.into_commands().unwrap();
    let summary = Playback::of_commands(commands, world).unwrap().run().unwrap();
    assert!(summary.ticks <= ticks);
    // If commands came after a step, a playback applies them just before the next step. After the last step there is
    // none, so the playback lacks such commands.
    if let Some(sums) = sums.filter(|sums| !has_later_commands && sums.tick == ticks && summary.ticks == ticks) {
        assert_eq!(summary.checksum, sums.state);
    }
}

/// A file that ends anywhere is readable, and is a part of the run that verifies.
fn check_truncated(file: &Temporary, random: &mut crate::random::Random) {
    let bytes = std::fs::read(&file.0).unwrap();
    let start = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0 + 1;
    for _ in 0..3 {
        let end = start + random.index(bytes.len() - start + 1);
        let read = read::read_bytes_for_test::<Inputs>(&bytes[..end]).unwrap();
        // The first line after the start is the game's state.
        if !read.game_states.is_empty() {
            GameRun::verify_on(read.clone(), rules_map(), tick).unwrap();
        }
        if read.ticks() == 0 || read.given.ticks() > 0 {
            check_commands(read);
        }
    }
}

#[test]
fn everything_works_in_any_order() {
    let long = std::env::var("SUREFOOT_GAME_RUNS").ok().map(|runs| runs.parse().unwrap());
    for seed in 0..long.unwrap_or(12) {
        play_in_random_order(seed, 60);
    }
}

/// Returns a run of 200 ticks with jumps, and its recording with the last checksums.
fn jumpy_run(options: GameRunOptions) -> (GameRun<Rules>, Recording<Inputs>) {
    let mut run = new_run(options);
    for i in 0..200 {
        run.advance(&input(if i < 120 { 90 } else { -60 }, i % 50 < 9)).unwrap();
    }
    run.save().unwrap();
    let recording = run.recording().unwrap().clone();
    (run, recording)
}

#[test]
fn a_short_run_is_played_by_a_new_game_and_finds_another_rule() {
    let (mut run, recording) = jumpy_run(GameRunOptions::default());
    let short = recording.clone().with_fewer_checkpoints(60).to_short_ron().unwrap();
    assert!(short.starts_with("(format:1,physics:1,map:"), "{short}");
    let start = new_run(GameRunOptions::default()).recording().unwrap().clone();
    let read = Recording::<Inputs>::from_short_ron(&short, &start).unwrap();
    assert!(read.inputs().eq(recording.inputs()));
    let ticks: Vec<_> = read.checkpoints().iter().map(|at| at.tick).collect();
    assert_eq!(ticks, [60, 120, 180, 200]);
    let summary = GameRun::verify_on(read.clone(), rules_map(), tick).unwrap();
    assert_eq!((summary.ticks, summary.compared, summary.checksum), (200, 4, run.world().checksum()));
    let error = GameRun::verify_on(read, rules_map(), tick_with_changed_rule).unwrap_err();
    assert!(matches!(error, GameRunError::Differs(_)), "{error}");
    // A run that does not begin with a new game has no short form.
    let early = new_run(GameRunOptions::default()).save().unwrap();
    run.load(&early).unwrap();
    run.advance(&input(0, false)).unwrap();
    let later = run.save().unwrap();
    let mut other = new_run(GameRunOptions::default());
    other.load(&later).unwrap();
    let error = other.recording().unwrap().to_short_ron().unwrap_err();
    assert!(matches!(error, RecorderError::NoNewGame { tick: 1 }), "{error}");
}

#[test]
fn wrong_short_runs_are_refused() {
    let start = new_run(GameRunOptions::default()).recording().unwrap().clone();
    let (map, other) = (start.map_checksum(), Checksum(7));
    let text = |format: u32, map: Checksum, inputs: &str, sums: &str| {
        format!("Run(format:{format},physics:1,map:\"{map}\",inputs:[{inputs}],sums:[{sums}])")
    };
    let sum = |tick: u64| format!("({tick},\"{other}\",\"{other}\",None)");
    let sums = |ticks: [u64; 2]| ticks.map(sum).join(",");
    assert!(Recording::<Inputs>::from_short_ron(&text(1, map, "(9,([]))", &sums([4, 9])), &start).is_ok());
    for (wrong, expected) in [
        (text(2, map, "(9,([]))", ""), "the recording has format 2"),
        ("(format:2,other:[1])".to_owned(), "the recording has format 2"),
        (text(1, other, "(9,([]))", ""), "the run was recorded on another map than that of this game"),
        (text(1, map, "(0,([]))", ""), "the run of inputs has 0 ticks"),
        (text(1, map, "(9,([])),(99999999,([]))", ""), "the run of inputs has 99999999 ticks"),
        (text(1, map, "(9,([]))", &sums([4, 10])), "checksum of tick 10; expected a tick after 4 and at most 9,"),
        (text(1, map, "(9,([]))", &sums([4, 4])), "checksum of tick 4; expected a tick after 4 and at most 9,"),
        (text(1, map, "(9,([]))", &sum(0)), "checksum of tick 0; expected a tick after 0 and at most 9,"),
        (text(1, map, "(9,([])", ""), ""),
        ("Map(format: 1)".to_owned(), ""),
    ] {
        let error = Recording::<Inputs>::from_short_ron(&wrong, &start).unwrap_err().to_string();
        assert!(error.starts_with("line 1, column ") && error.contains(expected), "{wrong}: {error}");
    }
}

/// Wherever a played run is set back to, the rest is compared as before, and the recording is that of the run.
#[test]
fn a_played_run_that_was_set_back_is_played_on() {
    let (_, recording) = jumpy_run(GameRunOptions::default());
    let mut run = new_run(GameRunOptions { rewind_ticks: 50, ..GameRunOptions::default() });
    run.play(recording.clone()).unwrap();
    let mut saves = vec![run.save().unwrap()];
    let play_to = |run: &mut GameRun<Rules>, tick: u64| {
        while run.world().tick() < tick {
            assert!(run.is_playing());
            run.advance(&Inputs::default()).unwrap();
        }
    };
    for tick in [70, 140] {
        play_to(&mut run, tick);
        saves.push(run.save().unwrap());
    }
    play_to(&mut run, 200);
    assert!(!run.is_playing());
    run.rewind(33).unwrap();
    run.resume_playing(recording.clone());
    play_to(&mut run, 190);
    for saved in saves.iter().rev() {
        run.load(saved).unwrap();
        assert!(!run.is_playing());
        run.resume_playing(recording.clone());
        play_to(&mut run, saved.tick() + 30);
    }
    play_to(&mut run, 200);
    assert!(!run.is_playing());
    assert!(run.recording().unwrap().inputs().eq(recording.inputs()));
    check_recording(&mut run);
    // After a rewind, a tick with another input changes the world. The resumed recording must find that.
    run.rewind(20).unwrap();
    run.stop_playing();
    run.advance(&input(1, true)).unwrap();
    run.resume_playing(recording);
    let found = (0..19).find_map(|_| run.advance(&Inputs::default()).err());
    assert!(matches!(found, Some(GameRunError::Differs(_))), "{found:?}");
}
