//! Margins of presses against hand geometry, and against the plain definition: each shifted run is played from the
//! start.

use surefoot::prelude::*;
use surefoot::{Input, Map, World};
use surefoot_search::{Answer, Button, Goal, Margin, Search, margins};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

const TICKS: usize = 100;

fn world(rows: &[&str], character: Character) -> Result<(World, BodyId)> {
    let mut world = World::new(Map::from_rows(rows)?, Settings::default());
    let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at((0.5, 1.45)).character(character))?;
    Ok((world, hero))
}

/// Runs to the right and holds jump from tick `press` on.
fn run(press: usize) -> Vec<Input> {
    (0..TICKS).map(|tick| Input { jump: tick >= press, ..Input::walk(1.0) }).collect()
}

fn is_beyond_the_pit(world: &World, hero: BodyId) -> bool {
    world[hero].position().to_dvec2().x > 6.5 && world[hero].on_floor()
}

/// Returns whether the run reaches the goal, with its last input for `more` ticks.
fn reaches(start: &World, hero: BodyId, inputs: &[Input], more: usize) -> bool {
    let mut world = start.clone();
    let last = std::iter::repeat_n(inputs[inputs.len() - 1], more);
    inputs.iter().copied().chain(last).any(|input| {
        world.set_input(hero, input);
        world.step();
        is_beyond_the_pit(&world, hero)
    })
}

fn margin_of(found: &[Margin], button: Button) -> Result<Margin> {
    Ok(*found.iter().find(|margin| margin.button == button && margin.is_press).ok_or("no such press")?)
}

/// A pit of 2 tiles, from x = 4 to 6.
const PIT: [&str; 3] = ["..............", "@.............", "####..########"];

#[test]
fn margins_are_the_shifts_that_still_reach_the_goal() -> Result {
    let (start, hero) = world(&PIT, Character::default())?;
    let good: Vec<usize> = (0..TICKS - 1).filter(|&press| reaches(&start, hero, &run(press), TICKS)).collect();
    let (first, last) = (good[0], good[good.len() - 1]);
    assert_eq!(good, (first..=last).collect::<Vec<_>>());
    for press in good {
        let found = margins(&start, hero, &run(press), &is_beyond_the_pit, TICKS as u32);
        let jump = margin_of(&found, Button::Jump)?;
        assert_eq!((jump.tick, jump.early, jump.late), (press, (press - first) as u32, (last - press) as u32));
        assert_eq!(jump.window() as usize, last - first + 1);
    }
    Ok(())
}

/// The latest press is the last tick that begins on the floor, and with coyote time the given ticks later.
#[test]
fn the_latest_jump_is_at_the_end_of_the_floor_and_coyote_time_moves_it() -> Result {
    for ticks in [0, 3] {
        let character = Character { coyote_time: f64::from(ticks) / 60.0, ..Character::default() };
        let (start, hero) = world(&PIT, character)?;
        // The floor ends at x = 4, and half the body is 0.35 wide.
        let mut walked = start.clone();
        let steps = (0..TICKS).take_while(|_| {
            walked.set_input(hero, Input::walk(1.0));
            walked.step();
            walked[hero].position().to_dvec2().x - 0.35 < 4.0
        });
        let last_on_floor = steps.count() as u32;
        let press = 20;
        let found = margins(&start, hero, &run(press), &is_beyond_the_pit, 30);
        let jump = margin_of(&found, Button::Jump)?;
        assert_eq!(press as u32 + jump.late, last_on_floor + ticks, "{ticks} ticks of coyote time");
    }
    Ok(())
}

/// On a floor without a pit, no press of jump matters: only the limit and the start of the run end its margin.
#[test]
fn a_press_that_does_not_matter_has_the_largest_margin() -> Result {
    let (start, hero) = world(&["..............", "@.............", "##############"], Character::default())?;
    for (limit, early) in [(5, 5), (20, 12)] {
        let found = margins(&start, hero, &run(12), &is_beyond_the_pit, limit);
        let jump = margin_of(&found, Button::Jump)?;
        assert_eq!((jump.early, jump.late), (early, limit));
    }
    Ok(())
}

#[test]
fn a_run_that_does_not_reach_the_goal_has_no_margins() -> Result {
    let (start, hero) = world(&PIT, Character::default())?;
    assert_eq!(margins(&start, hero, &run(TICKS - 1), &is_beyond_the_pit, 10), []);
    Ok(())
}

/// A game that steps the world and nothing else.
fn tick(world: &mut World, hero: &mut BodyId, inputs: &Inputs) {
    world.set_input(*hero, inputs[0]);
    world.step();
}

/// The margins of a search are those of its run and its goal, with and without the rules of a game.
#[test]
fn a_search_returns_the_margins_of_its_run() -> Result {
    let rows = ["..............", "@..........*..", "####..########"];
    let (start, hero) = world(&rows, Character::default())?;
    let goal = || Goal::Marker("goal".into());
    let search = Search::new(&start, hero).goal(goal());
    let Answer::Reachable(run) = search.run()? else { return Err("not found".into()) };
    let at = start.map().marker("goal").ok_or("no goal")?.to_dvec2();
    let is_there = |world: &World, hero: BodyId| {
        (world[hero].position().to_dvec2() - at).abs().cmplt(world[hero].shape().half_extents()).all()
    };
    let inputs: Vec<Input> = run.inputs.iter().flat_map(|run| (0..run.ticks).map(|_| run.input)).collect();
    let expected = margins(&start, hero, &inputs, &is_there, 10);
    assert!(expected.iter().any(|margin| margin.button == Button::Jump && margin.is_press));
    assert_eq!(search.margins(&run, 10)?, expected);
    let game = Search::with_game(&start, hero, &hero, tick).goal(Goal::Marker("goal".into()));
    assert_eq!(game.margins(&run, 10)?, expected);
    Ok(())
}
