//! The kept run is played by the rules of the game, and single rules are played with inputs of their own.

use super::*;
use rules::{start, tick};
use surefoot::Input;
use surefoot_search::{Answer, Goal, Options, Search};

fn map() -> Map {
    Map::load(file("map.ron")).unwrap()
}

fn kept() -> Recording<Inputs> {
    Recording::load(file("best.recording")).unwrap()
}

/// The five rooms, in the order of the way through the citadel.
const ROOMS: [&str; 5] = [
    "springs and hills",
    "lifts, crushers and belts",
    "crates, buttons and doors",
    "water, ladders and ledges",
    "the chase",
];

#[test]
fn the_kept_run_is_equal_tick_by_tick() {
    let summary = GameRun::verify(file("best.recording"), tick).unwrap();
    assert!(!summary.map_changed && summary.ticks > 5000, "{summary:?}");
}

/// The recording is not needed here: the script holds its inputs until the hero is where it should be.
#[test]
fn the_script_wins_a_new_game() {
    let coins = start(map()).unwrap().0.areas_tagged("coin").count();
    let race = play_script(map(), &std::fs::read_to_string(file("best.input")).unwrap()).unwrap();
    let (world, game) = (race.run.world(), race.run.game());
    assert_eq!(game.rooms, ROOMS);
    assert_eq!((game.coins as usize, game.stomps, game.deaths), (coins, 3, 0));
    assert_eq!(world.areas_tagged("coin").count(), 0);
    let seconds = game.goal_tick.expect("the goal is reached") as f64 * world.settings().tick;
    assert!(seconds < 140.0, "{seconds}");
}

#[test]
fn the_map_is_large_enough_and_has_the_things_of_its_rooms() {
    let map = map();
    assert!(map.size().0 >= 256 && map.size().1 >= 96, "{:?}", map.size());
    for room in ROOMS {
        assert!(map.areas().iter().any(|area| area.tag == "room" && area.name == room), "{room}");
    }
    let (world, _) = start(map).unwrap();
    for (tag, least) in [("coin", 70), ("spring", 5), ("checkpoint", 15), ("ladder", 2)] {
        assert!(world.areas_tagged(tag).count() >= least, "{tag}");
    }
    assert_eq!(world.map().markers("turret").count(), 1);
    assert_eq!(["walker", "crate"].map(|kind| world.bodies_of_kind(kind).count()), [3, 3]);
}

/// In the flip of the last room the hero stands below a ceiling, and out of it on the ground again.
#[test]
fn the_hero_falls_up_in_the_flip() {
    let (mut world, mut game) = start(map()).unwrap();
    world.teleport(game.hero, (63.0, 62.0)).unwrap();
    play(&mut world, &mut game, Input::default(), 60, |_| false);
    assert_eq!(world[game.hero].position(), Position::new(63.0, 67.55).unwrap());
    assert!(world[game.hero].on_floor());
    world.teleport(game.hero, (20.0, 67.0)).unwrap();
    play(&mut world, &mut game, Input::default(), 60, |_| false);
    assert_eq!(world[game.hero].position(), Position::new(20.0, 60.45).unwrap());
    assert_eq!(game.deaths, 0);
}

/// The second player waits, and the ghost does not.
#[test]
fn the_best_run_is_the_ghost_of_the_next_race() {
    let hero = |race: &Race| race.run.world()[race.run.game().hero].position();
    let ghost = |race: &Race| race.ghost_positions().map(|[_, at]| at);
    let mut race = Race::new(map(), None).unwrap();
    assert_eq!(ghost(&race), None);
    let mut heroes = Vec::new();
    for inputs in kept().inputs() {
        race.advance(inputs).unwrap();
        heroes.push(hero(&race));
    }
    race.restart().unwrap();
    for expected in &heroes[..240] {
        race.advance(&Inputs::default()).unwrap();
        assert_eq!(ghost(&race), Some(*expected));
    }
    assert_ne!(hero(&race), heroes[239]);
    // An unfinished run does not become the next ghost.
    race.restart().unwrap();
    race.advance(&Inputs::default()).unwrap();
    assert_eq!(ghost(&race), Some(heroes[0]));
}

/// The short text of a link has no start: a new game begins the run. The race goes back in it and plays on by hand.
#[test]
fn the_kept_run_is_watched_as_in_a_link() {
    let text = kept().with_fewer_checkpoints(600).to_short_ron().unwrap();
    let mut race = Race::new(map(), None).unwrap();
    let run = Arc::new(Recording::from_short_ron(&text, &race.recording().unwrap()).unwrap());
    race.watch(Arc::clone(&run)).unwrap();
    let state = |race: &Race| (race.run.world().tick(), race.run.world().checksum());
    let mut states = vec![state(&race)];
    while race.run.is_playing() {
        race.advance(&Inputs::default()).unwrap();
        states.push(state(&race));
    }
    assert_eq!((states.len() as u64 - 1, race.run.game().goal_tick.is_some()), (kept().ticks(), true));
    for at in kept().checkpoints() {
        assert_eq!(states[at.tick as usize], (at.tick, at.state));
    }
    for tick in [5000, 4999, 301, 299, 0] {
        race.go_back_to(tick).unwrap();
        assert!(race.run.world().tick() <= tick && tick - race.run.world().tick() < 300);
        while race.run.world().tick() < tick {
            race.advance(&Inputs::default()).unwrap();
        }
        assert_eq!(state(&race), states[tick as usize], "{tick}");
    }
    (0..90).for_each(|_| race.advance(&Inputs::default()).unwrap());
    race.rewind(30).unwrap();
    race.advance(&Inputs::default()).unwrap();
    assert_eq!(state(&race), states[61]);
    race.stop_watching();
    race.advance(&Inputs::from(Input::walk(-1.0))).unwrap();
    assert!(race.watched().is_none() && state(&race) != states[62]);
    let mine = race.recording().unwrap();
    assert_eq!((mine.start().tick(), mine.ticks()), (0, 62));
    GameRun::verify_on(mine, map(), tick).unwrap();
}

#[test]
fn the_play_window_opens_the_map() {
    let session = surefoot_play::Session::open(file("map.ron")).unwrap();
    assert_eq!(session.world().map().size(), (256, 96));
}

/// Plays an input for a number of ticks, or until the condition holds.
fn play(world: &mut World, game: &mut Game, input: Input, ticks: u32, is_over: impl Fn(&Game) -> bool) -> bool {
    (0..ticks).any(|_| {
        tick(world, game, &Inputs::from(input));
        is_over(game)
    })
}

#[test]
fn a_walker_at_the_side_spikes_shots_presses_and_the_ram_end_a_life() {
    let (stay, run) = (Input::default(), Input::walk(1.0));
    // The five places: on a walker's floor, before spikes, before the turret, under a press, and behind the alarm of
    // the ram.
    let places =
        [((59.6, 16.5), stay), ((16.0, 27.5), run), ((205.0, 4.5), stay), ((155.5, 36.5), stay), ((121.5, 60.5), stay)];
    for (at, input) in places {
        let (mut world, mut game) = start(map()).unwrap();
        world.teleport(game.hero, at).unwrap();
        let checkpoint = game.respawn_at;
        let died = play(&mut world, &mut game, input, 600, |game| game.deaths == 1);
        assert!(died, "{at:?}");
        assert_eq!(world[game.hero].position(), checkpoint);
    }
}

/// The search plays the rules from the state in which the kept run enters a room, to the next room or to the goal. The
/// rooms of the lifts and of the crates need more states than a test should take.
#[test]
fn a_search_gets_through_the_first_and_the_last_two_rooms() {
    for (room, goal) in [(1, ROOMS[1]), (4, ROOMS[4]), (5, "goal")] {
        let (mut world, mut game) = start(map()).unwrap();
        for inputs in kept().inputs() {
            tick(&mut world, &mut game, inputs);
            if game.rooms.len() == room {
                break;
            }
        }
        let options = Options { max_states: 10_000, ..Options::default() };
        let search = Search::with_game(&world, game.hero, &game, tick).goal(Goal::Area(goal.to_owned()));
        let Answer::Reachable(run) = search.options(options).run().unwrap() else {
            panic!("room {room} was not found")
        };
        for part in &run.inputs {
            play(&mut world, &mut game, part.input, part.ticks as u32, |_| false);
        }
        let is_there = if room == 5 { game.goal_tick == Some(world.tick()) } else { game.rooms.len() == room + 1 };
        assert!(is_there && game.deaths == 0, "room {room}: {game:?}");
    }
}
