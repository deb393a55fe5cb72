//! Answers on small levels whose outcome follows from the jump's height, and the limits of a search.

use serde::{Deserialize, Serialize};
use surefoot::area::{Area, AreaShape};
use surefoot::map::CollisionLayers;
use surefoot::platform::Platform;
use surefoot::prelude::*;
use surefoot::{Input, Map, World};
use surefoot_search::{
    Answer, BeatableError, FoundRun, Goal, Limit, Nearest, NotCovered, Options, Search, SearchError, beatable,
    spawn_hero,
};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Returns a world between walls, in whose map `o` is a coin.
fn world(rows: &[&str]) -> Result<(World, BodyId)> {
    world_for(rows, Character::default())
}

fn world_for(rows: &[&str], character: Character) -> Result<(World, BodyId)> {
    let border = "border: (left: Solid, right: Solid, bottom: Solid)";
    let text = format!("Map(format: 1, {border}, legend: {{'o': (marker: \"coin\")}}, tiles: {rows:?})");
    let mut world = World::from_map(Map::from_ron(&text)?, Settings::default());
    let hero = spawn_hero(&mut world, character)?;
    Ok((world, hero))
}

fn found(answer: Answer) -> Result<FoundRun> {
    match answer {
        Answer::Reachable(run) => Ok(run),
        Answer::NotFound(nearest) => Err(nearest.to_string().into()),
        Answer::Unreachable(proof) => Err(proof.to_string().into()),
    }
}

fn not_found(answer: Answer) -> Result<Nearest> {
    match answer {
        Answer::Reachable(run) => Err(format!("found a run of {} ticks", run.ticks()).into()),
        Answer::NotFound(nearest) => Ok(nearest),
        Answer::Unreachable(proof) => Err(proof.to_string().into()),
    }
}

fn goal<'a, G>() -> Goal<'a, G> {
    Goal::Marker("goal".into())
}

/// A jump of 3.2 tiles reaches a ledge of 3 tiles.
#[test]
fn a_ledge_of_three_tiles_is_reached() -> Result {
    let (world, hero) = world(&["......*.", "....####", "....####", ".@..####", "########"])?;
    let run = found(Search::new(&world, hero).goal(goal()).run()?)?;
    // The walk to the ledge and on to the goal takes half a second at 8 tiles per second. The jump comes on top of it.
    assert!((20..120).contains(&run.ticks()), "{} ticks", run.ticks());
    Ok(())
}

const HIGH_LEDGE: [&str; 6] = ["......*.", "....####", "....####", "....####", ".@..####", "########"];

/// A jump of 3.2 tiles does not reach a ledge of 4 tiles: proven for the physics alone. The bound knows no rules of a
/// game, so there the answer is the nearest approach. The feet stand 4 tiles below the ledge.
#[test]
fn a_ledge_of_four_tiles_is_out_of_reach() -> Result {
    let (world, hero) = world(&HIGH_LEDGE)?;
    let Answer::Unreachable(proof) = Search::new(&world, hero).goal(goal()).run()? else {
        return Err("not proven".into());
    };
    assert_eq!(proof.to_string(), "no motion of the body reaches (6.5, 5.5), whatever its inputs");
    let options = Options { max_states: 20_000, ..Options::default() };
    let rules = Rules { hero, has_key: false };
    let nearest = not_found(Search::with_game(&world, hero, &rules, tick).goal(goal()).options(options).run()?)?;
    let words = nearest.to_string();
    assert!(words.starts_with("4.0 tiles below the ledge at (4, 5); its jump reaches 3.2"), "{words}");
    Ok(())
}

/// The only way down is through the floor, which takes the button down.
#[test]
fn a_floor_is_dropped_through() -> Result {
    let (world, hero) = world(&["#..@...#", "#------#", "#......#", "#....*.#", "########"])?;
    let run = found(Search::new(&world, hero).goal(goal()).run()?)?;
    assert!(run.inputs.iter().any(|part| part.input.down));
    Ok(())
}

/// The limits of states and memory are exact, and any number of threads gives the same answer.
#[test]
fn threads_give_the_same_answer() -> Result {
    let (high, hero) = world(&HIGH_LEDGE)?;
    let rows = ["...........*", ".........###", "......##....", "...##.......", ".@..........", "############"];
    let (low, other) = world(&rows)?;
    let rules = Rules { hero, has_key: false };
    let mut all = Vec::new();
    for threads in [1, 2, 8] {
        let options = Options { max_states: 5000, threads, ..Options::default() };
        let search = Search::with_game(&high, hero, &rules, tick).goal(goal()).options(options.clone());
        let nearest = not_found(search.run()?)?;
        assert_eq!((nearest.limit, nearest.states), (Limit::States, 5000));
        let little = Options { max_memory: 2 << 20, threads, ..Options::default() };
        let by_memory = Search::with_game(&high, hero, &rules, tick).goal(goal()).options(little);
        let by_memory = not_found(by_memory.run()?)?;
        assert_eq!(by_memory.limit, Limit::Memory);
        let run = found(Search::new(&low, other).goal(goal()).options(options).run()?)?;
        all.push((nearest.inputs, nearest.position, run, by_memory.states, by_memory.inputs));
    }
    assert!(all.iter().all(|answer| *answer == all[0]));
    Ok(())
}

#[test]
fn all_markers_are_visited_in_any_order() -> Result {
    let rows = ["o........o", "##......##", "..........", "o...@....o", "##########"];
    let (mut world, hero) = world(&rows)?;
    let coins: Vec<_> = world.map().markers("coin").collect();
    let run = found(Search::new(&world, hero).goal(Goal::Markers(vec!["coin".into()])).run()?)?;
    let mut left = coins;
    for input in run.inputs {
        for _ in 0..input.ticks {
            world.set_input(hero, input.input);
            world.step();
            let at = world[hero].position().to_dvec2();
            left.retain(|coin| !(coin.to_dvec2() - at).abs().cmplt(world[hero].shape().half_extents()).all());
        }
    }
    assert!(left.is_empty(), "{left:?} are left");
    Ok(())
}

/// State of a game whose door opens for the one who has the key.
#[derive(Clone, Serialize, Deserialize)]
struct Rules {
    hero: BodyId,
    has_key: bool,
}

fn tick(world: &mut World, rules: &mut Rules, inputs: &Inputs) {
    world.set_input(rules.hero, inputs[0]);
    world.step();
    let is_at = |world: &World, tag: &str| {
        let mut areas = world.areas_of(rules.hero).filter_map(|area| world.area(area));
        areas.any(|state| state.area().tag == tag)
    };
    let (at_key, at_door) = (is_at(world, "key"), is_at(world, "door"));
    rules.has_key |= at_key;
    let is_shut = world.tile_at(0, (8, 1)) != Some(surefoot::map::TileId::EMPTY);
    if rules.has_key && at_door && is_shut {
        world.set_tile(0, (8, 1), surefoot::map::TileId::EMPTY).expect("the door is in the map");
    }
}

/// The key is away from the goal, and only the game's own state says who has it: finer cells find the run.
#[test]
fn a_game_is_searched_with_its_own_state() -> Result {
    let (mut world, hero) = world(&["###########", "....@...#.*", "###########"])?;
    let area = |tag: &str, x: f64| -> Result<Area> { Ok(Area::new(AreaShape::aabb(0.4, 0.4)?).tag(tag).at((x, 1.5))) };
    world.spawn_area(area("key", 0.5)?)?;
    world.spawn_area(area("door", 7.0)?)?;
    let rules = Rules { hero, has_key: false };
    let search = Search::with_game(&world, hero, &rules, tick).goal(goal());
    let run = found(search.run()?)?;
    let replay = search.replay(&run.inputs, MapSource::Inline)?;
    assert!(replay.verify()?.compared > 0);
    // The path to the key, back to the door and to the goal is 4 + 7 + 3 tiles, at 8 tiles per second.
    assert!(run.ticks() > 90, "{} ticks", run.ticks());
    Ok(())
}

/// Rules that change nothing. The search does not know that, and tries ways through walls that a game may open.
fn play(world: &mut World, hero: &mut BodyId, inputs: &Inputs) {
    world.set_input(*hero, inputs[0]);
    world.step();
}

/// The goal is 4 tiles to the left of the start, behind a wall of one tile. The way to it leads 55 tiles to the right,
/// up a step of 3 tiles, and back on the upper floor.
#[test]
fn a_long_way_around_a_thin_wall_is_found_by_the_rules_of_a_game() -> Result {
    let [air, low] = [62, 58].map(|width| ".".repeat(width));
    let floor = format!("...{}....", "#".repeat(55));
    let rows = [air.clone(), air, floor, format!("...#{low}"), format!(".*.#.@{}", &low[2..]), "#".repeat(62)];
    let (world, hero) = world(&rows.each_ref().map(String::as_str))?;
    let options = Options { max_states: 4000, ..Options::default() };
    let run = found(Search::with_game(&world, hero, &hero, play).goal(goal()).options(options).run()?)?;
    // 55 tiles to the right and back, at 8 tiles per second.
    assert!(run.ticks() > 800, "{} ticks", run.ticks());
    Ok(())
}

/// The lift leaves before the hero is there, and comes back later. On the way up, a jump leads nearer to the goal than
/// the lift, but always back onto it. A search that tries all these jumps first finds three times as many states.
#[test]
fn a_hero_that_waits_for_a_lift_and_stays_on_it_is_found() -> Result {
    let mut rows = vec!["####################", "#..................#", "#.................*#"];
    rows.extend(["#.............######"; 8]);
    rows.extend(["#.@...........######", "####################"]);
    let lift =
        "name: \"lift\", at: (11, 0), tiles: [\"===\"], motion: Path(points: [(0, 0), (0, 9)], speed: 2.0, wait: 0.7)";
    let text = format!("Map(format: 1, tiles: {rows:?}, platforms: [({lift})])");
    let mut world = World::from_map(Map::from_ron(&text)?, Settings::default());
    let hero = spawn_hero(&mut world, Character::default())?;
    let options = Options { max_states: 4000, ..Options::default() };
    let run = found(Search::new(&world, hero).goal(goal()).options(options).run()?)?;
    // The lift rises by 9 tiles at 2 tiles per second.
    assert!(run.ticks() > 240, "{} ticks", run.ticks());
    Ok(())
}

/// Takes coins, and replaces the platform by an equal one in each tick in which the hero is in the area `trap`.
fn take_and_replace(world: &mut World, hero: &mut BodyId, inputs: &Inputs) {
    let coins = world.areas_of(*hero).filter(|&area| world.area(area).is_some_and(|state| state.area().tag == "coin"));
    for coin in coins.collect::<Vec<_>>() {
        world.despawn_area(coin).expect("the coin is there");
    }
    if is_in(world, *hero, "trap") {
        let (id, platform) =
            world.platforms().map(|(id, state)| (id, state.platform().clone())).next().expect("a platform");
        world.despawn_platform(id).expect("the platform is there");
        world.spawn_platform(platform).expect("the platform is valid");
    }
    play(world, hero, inputs);
}

/// The first pass ignores which coins are taken and which id a platform has. So the survey ends, although the hero can
/// jump over each of the 8 coins, and the trap makes new ids without an end.
#[test]
fn taken_coins_and_replaced_platforms_make_no_states_without_end() -> Result {
    let (mut world, hero) =
        world(&["........................", "@......................*", "########################"])?;
    let coins = [("coin", 4.5), ("coin", 6.5), ("coin", 8.5), ("coin", 10.5), ("coin", 12.5), ("coin", 14.5)];
    spawn_areas(&mut world, &coins)?;
    spawn_areas(&mut world, &[("coin", 16.5), ("coin", 18.5), ("trap", 20.5)])?;
    let platform = Platform::from_rows(world.map(), ["=="])?.at((2.0, 8.0));
    world.spawn_platform(platform)?;
    let options = Options { max_states: 20_000, ..Options::default() };
    let search = Search::with_game(&world, hero, &hero, take_and_replace).goal(goal()).options(options);
    let survey = search.survey()?;
    assert_eq!((survey.is_goal_reached, survey.limit), (true, None), "{} states", survey.states);
    Ok(())
}

/// Returns whether the hero is in an area with that tag.
fn is_in(world: &World, hero: BodyId, tag: &str) -> bool {
    world.areas_of(hero).filter_map(|area| world.area(area)).any(|state| state.area().tag == tag)
}

fn spawn_areas(world: &mut World, areas: &[(&str, f64)]) -> Result {
    for &(tag, x) in areas {
        world.spawn_area(Area::new(AreaShape::aabb(0.4, 0.4)?).tag(tag).at((x, 1.5)))?;
    }
    Ok(())
}

/// The hero learns to dash in the area `dash`.
fn learn_to_dash(world: &mut World, hero: &mut BodyId, inputs: &Inputs) {
    if is_in(world, *hero, "dash") && world[*hero].character().is_some_and(|hero| hero.dash_speed == 0.0) {
        let character = Character { dash_speed: 24.0, dash_time: 0.2, ..Character::default() };
        world.set_character(*hero, character).expect("the hero is a character");
    }
    world.set_input(*hero, inputs[0]);
    world.step();
}

/// The pit is 10 tiles wide, and too deep to jump out. A jump is about 7.2 tiles long, and the dash of 4.8 tiles comes
/// on top of it.
#[test]
fn an_ability_that_the_game_gives_is_used() -> Result {
    let mut rows = vec!["..................", "...@............*."];
    rows.extend(["#####..........###"; 9]);
    let (mut world, hero) = world(&rows)?;
    let area = Area::new(AreaShape::aabb(0.4, 0.4)?).tag("dash").at((0.5, 9.5));
    world.spawn_area(area)?;
    let options = Options { max_states: 60_000, ..Options::default() };
    let search = Search::with_game(&world, hero, &hero, learn_to_dash).goal(goal()).options(options.clone());
    let run = found(search.run()?)?;
    assert!(run.inputs.iter().any(|part| part.input.dash));
    assert!(search.replay(&run.inputs, MapSource::Inline)?.verify()?.compared > 0);
    // Without the rules, the hero never dashes.
    not_found(Search::new(&world, hero).goal(goal()).options(options).run()?)?;
    Ok(())
}

/// A lever with two doors: each entry into its area opens the closed one and closes the open one.
#[derive(Clone, Serialize)]
struct Lever {
    hero: BodyId,
    was_at: bool,
}

const DOORS: [(i32, i32); 2] = [(4, 1), (8, 1)];

fn pull_lever(world: &mut World, lever: &mut Lever, inputs: &Inputs) {
    world.set_input(lever.hero, inputs[0]);
    world.step();
    let is_at = is_in(world, lever.hero, "lever");
    if is_at && !lever.was_at {
        let tiles = DOORS.map(|door| world.tile_at(0, door).expect("the door is in the map"));
        for (door, tile) in DOORS.into_iter().zip([tiles[1], tiles[0]]) {
            world.set_tile(0, door, tile).expect("the door is in the map");
        }
    }
    lever.was_at = is_at;
}

/// The lever opens the first door and closes the second. Behind the first one, a second lever does the opposite. A
/// lever that is hit twice leaves the level as it was, so the survey comes to an end.
#[test]
fn a_lever_that_is_hit_twice_leads_back_to_the_same_state() -> Result {
    let (mut world, hero) = world(&["############", "..@.#....*..", "############"])?;
    spawn_areas(&mut world, &[("lever", 0.5), ("lever", 6.5)])?;
    let lever = Lever { hero, was_at: false };
    let options = Options { max_states: 20_000, ..Options::default() };
    let search = Search::with_game(&world, hero, &lever, pull_lever).goal(goal()).options(options);
    let run = found(search.run()?)?;
    // The path to the first lever, back and to the second one, and to the goal is 2 + 6 + 3 tiles, at 8 tiles per
    // second.
    assert!(run.ticks() > 70, "{} ticks", run.ticks());
    let survey = search.survey()?;
    assert_eq!((survey.is_goal_reached, survey.limit), (true, None), "{} states", survey.states);
    Ok(())
}

/// The button turns on a fan: the area gets a wind that is stronger than gravity.
fn turn_on_fan(world: &mut World, hero: &mut BodyId, inputs: &Inputs) {
    if is_in(world, *hero, "button") {
        let fan = world.areas_tagged("fan").map(|(id, state)| (id, state.area().clone())).next();
        let (id, mut fan) = fan.expect("the level has a fan");
        fan.effects.wind = Some(surefoot::geometry::dvec2(0.0, 60.0));
        world.set_area(id, fan).expect("the fan is valid");
    }
    world.set_input(*hero, inputs[0]);
    world.step();
}

/// The ledge is 6 tiles high, and only the wind leads up. The game has no state of its own: only the area differs.
#[test]
fn a_wind_that_the_game_turns_on_is_part_of_the_state() -> Result {
    let rows = [
        "..........",
        "........*.",
        ".......###",
        ".......###",
        ".......###",
        ".......###",
        ".......###",
        ".......###",
        "....@..###",
        "##########",
    ];
    let (mut world, hero) = world(&rows)?;
    spawn_areas(&mut world, &[("button", 0.5)])?;
    world.spawn_area(Area::new(AreaShape::aabb(1.0, 4.0)?).tag("fan").at((6.0, 5.0)))?;
    let options = Options { max_states: 60_000, ..Options::default() };
    let run = found(Search::with_game(&world, hero, &hero, turn_on_fan).goal(goal()).options(options).run()?)?;
    // The path to the button and back to the fan is 4 + 5 tiles, at 8 tiles per second.
    assert!(run.ticks() > 60, "{} ticks", run.ticks());
    Ok(())
}

/// The coin in the air is the only one that is left: 3 tiles above the top of a jump of 3.2 tiles from the floor, whose
/// centre is in the row of y = 4.
#[test]
fn the_nearest_approach_names_the_target_that_is_left() -> Result {
    let high = [
        "....o.....",
        "..........",
        "..........",
        "..........",
        "..........",
        "..........",
        "o...@....o",
        "##########",
    ];
    let (level, hero) = world(&high)?;
    let rules = Rules { hero, has_key: false };
    let options = Options { max_states: 20_000, ..Options::default() };
    let coins = Goal::Markers(vec!["coin".into()]);
    let search = Search::with_game(&level, hero, &rules, tick).goal(coins).options(options.clone());
    let words = not_found(search.run()?)?.to_string();
    assert!(words.starts_with("2 of 3 markers visited; 3.0 tiles from the marker at (4.5, 7.5), "), "{words}");
    // Of two goals with one name, the text names the nearer one: here the one at the right side, in row 7.
    let two = [
        "o.........",
        "..........",
        ".........o",
        "..........",
        "..........",
        "..........",
        "..........",
        "..........",
        "....@.....",
        "##########",
    ];
    let (level, hero) = world(&two)?;
    let search = Search::with_game(&level, hero, &rules, tick).goal(Goal::Marker("coin".into())).options(options);
    let words = not_found(search.run()?)?.to_string();
    assert!(words.starts_with("3.0 tiles from the goal at (9.5, 7.5), "), "{words}");
    Ok(())
}

/// The coins are areas. With the rules, the hero takes them away. The way to the nearer coin, back and to the other one
/// is 4 + 9 tiles less half a hero and half a coin at each, at 8 tiles per second.
#[test]
fn all_areas_are_visited_in_any_order() -> Result {
    fn take(world: &mut World, hero: &mut BodyId, inputs: &Inputs) {
        world.set_input(*hero, inputs[0]);
        world.step();
        let coins: Vec<_> = world.areas_of(*hero).collect();
        coins.into_iter().for_each(|coin| world.despawn_area(coin).expect("the coin is there"));
    }
    let (mut world, hero) = world(&[".....@....", "##########"])?;
    spawn_areas(&mut world, &[("coin", 0.5), ("coin", 9.5)])?;
    for run in [
        found(Search::new(&world, hero).goal(Goal::Areas("coin".into())).run()?)?,
        found(Search::with_game(&world, hero, &hero, take).goal(Goal::Areas("coin".into())).run()?)?,
    ] {
        assert!((75..140).contains(&run.ticks()), "{} ticks", run.ticks());
    }
    let none = Search::new(&world, hero).goal(Goal::Areas("gem".into())).run().map(|_| ());
    assert_eq!(none, Err(SearchError::NoArea { name: "gem".into() }));
    Ok(())
}

/// An area is 6 tiles away and reached in less than 6 tiles at 8 tiles per second. A function sees the game, too.
#[test]
fn areas_and_functions_are_goals() -> Result {
    let (mut world, hero) = world(&["@.........", "##########"])?;
    spawn_areas(&mut world, &[("key", 6.5)])?;
    let run = found(Search::new(&world, hero).goal(Goal::Area("key".into())).run()?)?;
    assert!((38..=60).contains(&run.ticks()), "{} ticks", run.ticks());
    let rules = Rules { hero, has_key: false };
    let has_key = |_: &World, rules: &Rules| rules.has_key;
    let run = found(Search::with_game(&world, hero, &rules, tick).goal(Goal::Reached(&has_key)).run()?)?;
    assert!((38..=60).contains(&run.ticks()), "{} ticks", run.ticks());
    Ok(())
}

/// A beam that drops nothing has tried everything. A narrow one has not.
#[test]
fn only_a_beam_that_drops_states_ends_a_search() -> Result {
    let (world, hero) = world(&HIGH_LEDGE)?;
    let rules = Rules { hero, has_key: false };
    let beam = |beam| Options { beam: Some(beam), max_states: 30_000, ..Options::default() };
    let search = |options| Search::with_game(&world, hero, &rules, tick).goal(goal()).options(options).run();
    assert_eq!(not_found(search(beam(1))?)?.limit, Limit::Beam);
    assert_eq!(not_found(search(beam(1_000_000))?)?.limit, Limit::States);
    let (low, hero) = self::world(&["......*.", "....####", ".@..####", "########"])?;
    found(Search::new(&low, hero).goal(goal()).options(beam(64)).run()?)?;
    Ok(())
}

/// A state that postcard refuses, because it does not say its length, is an error and not one state for all.
#[test]
fn a_game_that_cannot_be_serialized_is_refused() -> Result {
    #[derive(Clone)]
    struct Endless(BodyId);
    impl Serialize for Endless {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
            serializer.collect_seq((0..3).filter(|number| number % 2 == 0))
        }
    }
    fn tick(world: &mut World, game: &mut Endless, inputs: &Inputs) {
        world.set_input(game.0, inputs[0]);
        world.step();
    }
    let (world, hero) = world(&HIGH_LEDGE)?;
    let search = Search::with_game(&world, hero, &Endless(hero), tick).goal(goal());
    assert!(matches!(search.run(), Err(SearchError::GameState { .. })));
    assert!(matches!(search.survey(), Err(SearchError::GameState { .. })));
    Ok(())
}

#[test]
fn a_level_of_a_file_is_beatable_or_not() -> Result {
    let maps = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps/showcase");
    assert!(beatable(maps.join("lift.ron"))?.ticks() > 0);
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("beatable");
    std::fs::create_dir_all(&folder)?;
    let write = |name: &str, rows: &[&str]| -> Result<std::path::PathBuf> {
        let file = folder.join(name);
        let border = "border: (left: Solid, right: Solid)";
        std::fs::write(&file, format!("Map(format: 1, {border}, tiles: {rows:?})"))?;
        Ok(file)
    };
    assert!(matches!(beatable(write("high.ron", &HIGH_LEDGE)?), Err(BeatableError::Unreachable(_))));
    assert!(matches!(beatable(write("empty.ron", &["....", "####"])?), Err(BeatableError::NoStart { .. })));
    assert!(matches!(beatable(folder.join("none.ron")), Err(BeatableError::Map(_))));
    Ok(())
}

/// The reason why nothing is proven comes with the answer.
#[test]
fn an_answer_says_why_nothing_is_proven() -> Result {
    let (world, hero) = world(&HIGH_LEDGE)?;
    let rules = Rules { hero, has_key: false };
    let options = Options { max_states: 2000, ..Options::default() };
    let game = Search::with_game(&world, hero, &rules, tick).options(options.clone());
    assert_eq!(not_found(game.goal(goal()).run()?)?.not_covered, Some(NotCovered::Rules));
    let few = Options { max_memory: 100 << 20, ..options };
    let little = Search::new(&world, hero).goal(goal()).options(few);
    assert_eq!(not_found(little.run()?)?.not_covered, Some(NotCovered::Memory));
    assert_eq!(little.survey()?.not_covered, Some(NotCovered::Memory));
    let start = Search::new(&world, hero).goal(Goal::Marker("start".into()));
    assert_eq!(found(start.run()?)?.not_covered, None);
    let any = Search::new(&world, hero).goal(Goal::Reached(&|world: &World, ()| world.tick() > 3));
    assert_eq!(found(any.run()?)?.not_covered, Some(NotCovered::Goal));
    Ok(())
}

/// The button down pulls the crate that the hero touches.
fn pull(world: &mut World, hero: &mut BodyId, inputs: &Inputs) {
    let pulled = world.held_by(*hero).map(|held| held.body);
    match pulled {
        Some(crate_) if !inputs[0].down => world.release(crate_, (0.0, 0.0)).expect("it is held"),
        None if inputs[0].down => {
            let mut contacts = Vec::new();
            world.body_contacts(*hero, &mut contacts);
            for contact in contacts.iter().filter(|contact| contact.normal.x != 0.0) {
                // A crate under the feet or in the air is refused.
                let _ = world.grab(*hero, contact.other);
            }
        }
        _ => {}
    }
    world.set_input(*hero, inputs[0]);
    world.step();
}

/// The ledge is 4 tiles above the floor, and the jump 3.2 tiles high. The crate is too far from the ledge for a jump
/// from one to the other. It touches the wall, so it cannot be pushed to the ledge: it must be pulled.
#[test]
fn a_crate_is_pulled_with_an_extra_input() -> Result {
    let character = Character { max_push_mass: 2.0, ..Character::default() };
    let rows = ["*.........", "##........", "##........", "##........", "##..@.....", "##########"];
    let (mut world, hero) = world_for(&rows, character)?;
    let crate_ = Body::new(Shape::aabb(0.5, 0.5)).at((9.5, 1.5)).collision_mask(CollisionLayers::ALL);
    world.spawn(crate_)?;
    let search = || Search::with_game(&world, hero, &hero, pull).goal(goal());
    let options = Options { max_states: 6000, ..Options::default() };
    not_found(search().options(options.clone()).run()?)?;
    let extra_inputs = vec![Input { down: true, ..Input::walk(-1.0) }];
    let search = search().options(Options { extra_inputs, ..options });
    let run = found(search.run()?)?;
    let replay = search.replay(&run.inputs, MapSource::Inline)?;
    assert!(replay.verify()?.compared > 0);
    assert!(run.inputs.iter().any(|part| part.input.down));
    Ok(())
}

#[test]
fn improving_makes_no_run_longer() -> Result {
    let rows = ["...........*", ".........###", "......##....", "...##.......", ".@..........", "############"];
    let (world, hero) = world(&rows)?;
    let search = Search::new(&world, hero).goal(goal());
    let first = found(search.run()?)?;
    let better = search.improve(&first, std::time::Duration::from_millis(500))?;
    assert!(better.ticks() <= first.ticks());
    assert!(search.replay(&better.inputs, MapSource::Inline)?.verify()?.compared > 0);
    // The goal is 10 tiles to the right, at 8 tiles per second.
    assert!((75..=110).contains(&better.ticks()), "{} ticks after {}", better.ticks(), first.ticks());
    Ok(())
}

#[test]
fn wrong_searches_are_refused() -> Result {
    let (mut world, hero) = world(&[".@..", "####"])?;
    let error = |search: Search<'_>| search.run().map(|_| ()).unwrap_err();
    assert_eq!(error(Search::new(&world, hero)), SearchError::NoGoal);
    assert_eq!(error(Search::new(&world, hero).goal(goal())), SearchError::NoMarker { name: "goal".into() });
    let area = Goal::Area("goal".into());
    assert_eq!(error(Search::new(&world, hero).goal(area)), SearchError::NoArea { name: "goal".into() });
    assert_eq!(error(Search::new(&world, hero).goal(Goal::Markers(Vec::new()))), SearchError::NoMarkers);
    let options = Options { weight: f64::NAN, ..Options::default() };
    let start = Search::new(&world, hero).goal(Goal::Marker("start".into()));
    assert!(matches!(error(start.options(options)), SearchError::Weight { .. }));
    let options = Options { extra_inputs: vec![Input::default(); 17], ..Options::default() };
    let start = Search::new(&world, hero).goal(Goal::Marker("start".into()));
    assert_eq!(error(start.options(options)), SearchError::TooManyInputs { count: 17 });
    let stone = world.spawn(Body::new(Shape::circle(0.2)).at((3.0, 1.5)))?;
    assert_eq!(error(Search::new(&world, stone).goal(goal())), SearchError::NotACharacter);
    world.despawn(stone)?;
    assert_eq!(error(Search::new(&world, stone).goal(goal())), SearchError::NoSuchBody);
    Ok(())
}

/// The memory that a search counts covers what it allocates.
#[test]
fn memory_stays_within_the_limit() -> Result {
    let (world, hero) = world(&HIGH_LEDGE)?;
    let rules = Rules { hero, has_key: false };
    let max_memory = 2 << 20;
    let options = Options { max_memory, ..Options::default() };
    let mut limit = None;
    let used = allocation_counter::measure(|| {
        let answer = Search::with_game(&world, hero, &rules, tick).goal(goal()).options(options).run();
        limit = answer.ok().and_then(|answer| not_found(answer).ok()).map(|nearest| nearest.limit);
    });
    assert_eq!(limit, Some(Limit::Memory));
    // Besides the states, the search needs two copies of the world, and the first chunks of the lists.
    assert!(used.bytes_max < max_memory as u64 + (1 << 20), "{} bytes", used.bytes_max);
    Ok(())
}
