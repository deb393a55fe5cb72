//! Answers on small levels whose outcome follows from the jump's height, and the limits of a search.

use serde::{Deserialize, Serialize};
use surefoot::area::{Area, AreaShape};
use surefoot::map::CollisionLayers;
use surefoot::prelude::*;
use surefoot::{Input, Map, World};
use surefoot_search::{Answer, FoundRun, Goal, Limit, Nearest, Options, Search, SearchError, spawn_hero};

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

/// A jump of 3.2 tiles does not reach a ledge of 4 tiles: proven for the physics alone. The bound knows no rules of a game,
/// so there the answer is the nearest approach. The feet stand 4 tiles below the ledge.
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
    // The way to the key, back to the door and to the goal is 4 + 7 + 3 tiles, at 8 tiles per second.
    assert!(run.ticks() > 90, "{} ticks", run.ticks());
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

/// The ledge is 4 tiles above the floor, and the jump 3.2 tiles high. The crate is too far from the ledge for a jump from one
/// to the other. It touches the wall, so it cannot be pushed to the ledge: it must be pulled.
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
