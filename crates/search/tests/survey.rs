//! Surveys of small levels whose soft locks follow from the height and the length of a jump.
//!
//! The default character jumps 3.2 tiles high and about 7.2 tiles far on level ground, and is 0.7 tiles wide: its
//! centre may stand up to 0.35 tiles beyond the end of a floor.

use surefoot::geometry::dvec2;
use surefoot::prelude::*;
use surefoot::{Input, Map, World};
use surefoot_random::Random;
use surefoot_search::{Goal, Limit, Options, PlaceKind, Search, Survey, Verdict, spawn_hero, spawn_hero_at};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Returns a world in whose map each `H` is a part of a ladder.
fn world(rows: &[&str], character: Character) -> Result<(World, BodyId)> {
    let ladder = "'H': (area: (shape: Aabb(0.5, 0.5), effects: (climbable: true)))";
    let coin = "'o': (area: (tag: \"coin\", shape: Circle(0.3)))";
    let text = format!("Map(format: 1, legend: {{{ladder}, {coin}}}, tiles: {rows:?})");
    let mut world = World::from_map(Map::from_ron(&text)?, Settings::default());
    let hero = spawn_hero(&mut world, character)?;
    Ok((world, hero))
}

fn survey(rows: &[&str], character: Character, options: Options) -> Result<Survey> {
    let (world, hero) = world(rows, character)?;
    Ok(Search::new(&world, hero).goal(Goal::Marker("goal".into())).options(options).survey()?)
}

/// Returns the cells of the soft locks that are proven, or of the others.
fn locks(survey: &Survey, is_proven: bool) -> Vec<(i32, i32)> {
    let locks = survey.soft_locks.iter().filter(|lock| lock.is_proven == is_proven);
    locks.map(|lock| lock.cell).collect()
}

fn cells(columns: std::ops::RangeInclusive<i32>, row: i32) -> Vec<(i32, i32)> {
    columns.map(|column| (column, row)).collect()
}

/// A pit of 4 tiles with a floor 2 tiles wide, in the columns 4 and 5.
const PIT: [&str; 8] =
    ["##########", "#........#", "#..@....*#", "####..####", "####..####", "####..####", "####..####", "##########"];

#[test]
fn a_pit_deeper_than_the_jump_is_a_proven_soft_lock() -> Result {
    let deep = survey(&PIT, Character::default(), Options::default())?;
    assert!(deep.is_goal_reached && deep.limit.is_none());
    assert_eq!((locks(&deep, true), locks(&deep, false)), (cells(4..=5, 1), vec![]));
    let strong = Character { jump_height: 4.5, ..Character::default() };
    assert_eq!(survey(&PIT, strong, Options::default())?.soft_locks, []);
    Ok(())
}

/// A witness for the proof: a character that plays at random in the pit does not leave it.
#[test]
fn random_inputs_do_not_leave_a_proven_soft_lock() -> Result {
    let (mut world, hero) = world(&PIT, Character::default())?;
    world.teleport(hero, Position::new(5.0, 1.45)?)?;
    let mut random = Random(7);
    for _ in 0..300 {
        let input = Input { jump: random.one_in(2), ..Input::walk(random.between(-1, 1) as f32) };
        for _ in 0..random.between(1, 12) {
            world.set_input(hero, input);
            world.step();
            assert!(world[hero].position().to_dvec2().y < 5.0);
        }
    }
    Ok(())
}

#[test]
fn a_ladder_leads_out_of_the_pit_for_a_character_that_climbs() -> Result {
    let mut rows = PIT;
    rows[3..7].fill("####.H####");
    let climber = Character { climb_speed: 6.0, ..Character::default() };
    assert_eq!(survey(&rows, climber, Options::default())?.soft_locks, []);
    let other = survey(&rows, Character::default(), Options::default())?;
    assert_eq!(other.soft_locks.iter().map(|lock| lock.cell).collect::<Vec<_>>(), cells(4..=5, 1));
    Ok(())
}

/// At the right end of the upper floor, the character drops 5 tiles. The lower floor leads nowhere.
#[test]
fn a_drop_without_a_way_back_locks_the_whole_lower_floor() -> Result {
    let rows = [
        "##########",
        "#........#",
        "#.@.*....#",
        "######...#",
        "#........#",
        "#........#",
        "#........#",
        "#........#",
        "##########",
    ];
    let found = survey(&rows, Character::default(), Options::default())?;
    assert_eq!((locks(&found, true), locks(&found, false)), (cells(1..=8, 1), vec![]));
    Ok(())
}

/// A bridge leads over a chasm to the goal on the right. On the left, the character drops 4 tiles to an island, which
/// is 9 tiles away from the goal: too far for the jump of 7.2 tiles. The bound does not limit the length of a jump, so
/// the island is only suspected. The floor of the chasm is 4 tiles below both, which the bound proves.
const CHASM: [&str; 12] = [
    "##################",
    "#................#",
    "#....@...........#",
    "#...########.....#",
    "#................#",
    "#................#",
    "#..............*.#",
    "####.........#####",
    "####.........#####",
    "####.........#####",
    "####.........#####",
    "##################",
];

#[test]
fn an_island_too_far_from_the_goal_is_suspected() -> Result {
    let found = survey(&CHASM, Character::default(), Options::default())?;
    assert_eq!(locks(&found, true), cells(4..=12, 1));
    // The island ends with column 3. At its end, the centre of a character may be up to 0.35 tiles beyond, in column 4.
    assert_eq!(locks(&found, false), cells(1..=4, 5));
    Ok(())
}

#[test]
fn a_limit_makes_no_cell_suspect() -> Result {
    let all = survey(&CHASM, Character::default(), Options::default())?;
    for max_states in [1, all.states / 2, all.states - 1] {
        let found = survey(&CHASM, Character::default(), Options { max_states, ..Options::default() })?;
        assert_eq!((found.states, found.limit), (max_states, Some(Limit::States)));
        assert!(found.reached.is_subset(&all.reached));
        assert!(locks(&found, false).iter().all(|cell| locks(&all, false).contains(cell)));
    }
    let little = Options { max_memory: 1 << 18, ..Options::default() };
    assert_eq!(survey(&CHASM, Character::default(), little)?.limit, Some(Limit::Memory));
    Ok(())
}

/// The first coin is on the way. The lower end of the second one is 4.2 tiles above the floor: a body of 0.9 tiles that
/// jumps 3.2 tiles does not reach it.
#[test]
fn places_are_reached_or_proven_unreachable() -> Result {
    let rows = ["........", "........", "......o.", "........", "........", "........", "@..o...*", "########"];
    let found = survey(&rows, Character::default(), Options::default())?;
    let verdicts = |is_it: &dyn Fn(&PlaceKind) -> bool| {
        let places = found.places.iter().filter(|place| is_it(&place.kind));
        places.map(|place| place.verdict).collect::<Vec<_>>()
    };
    let mut coins = verdicts(&|kind| matches!(kind, PlaceKind::Area(_, tag) if tag == "coin"));
    coins.sort_by_key(|verdict| *verdict == Verdict::Unreachable);
    assert_eq!(coins, [Verdict::Reachable, Verdict::Unreachable]);
    assert_eq!(verdicts(&|kind| *kind == PlaceKind::Marker("goal".into())), [Verdict::Reachable]);
    assert_eq!(verdicts(&|kind| *kind == PlaceKind::StandingCell), [Verdict::Reachable; 8]);
    // The feet get 3.2 tiles above the floor, and the head is 0.9 tiles higher. So the hero reaches rows 1 to 5.
    assert!(found.reached.contains(&(3, 5)) && !found.reached.contains(&(3, 6)));
    assert!(!found.reached.contains(&(3, 0)), "the floor is touched, and not overlapped");
    Ok(())
}

/// The slab in column 5 is half a tile high, so its floor is inside its own cell. A hero of 0.3 tiles stands on it
/// without overlapping the cell above. The upright wall in column 7 has no floor.
#[test]
fn a_low_floor_is_stood_on_and_an_upright_wall_is_no_floor() -> Result {
    let map = Map::from_rows(["........", ".@..._.|", "########"])?;
    let mut world = World::from_map(map, Settings::default());
    let hero = spawn_hero_at(&mut world, "start", Shape::aabb(0.15, 0.15), Character::default())?;
    let found = Search::new(&world, hero).survey()?;
    let floors: Vec<_> = found.places.iter().filter(|place| place.kind == PlaceKind::StandingCell).collect();
    let expected: Vec<_> = cells(0..=4, 1).into_iter().chain([(6, 1), (5, 2)]).collect();
    assert_eq!(floors.iter().map(|floor| floor.cell()).collect::<Vec<_>>(), expected);
    assert!(floors.iter().all(|floor| floor.verdict == Verdict::Reachable));
    assert_eq!((floors[6].low, floors[6].high), (dvec2(5.0, 1.5), dvec2(6.0, 2.5)));
    Ok(())
}

/// From nowhere is there a way to a goal that is out of reach: that is no news about any cell.
#[test]
fn no_soft_locks_are_listed_if_the_goal_is_out_of_reach() -> Result {
    let rows = ["......*.", "....####", "....####", "....####", "....####", ".@..####", "########"];
    let found = survey(&rows, Character::default(), Options::default())?;
    assert!(!found.is_goal_reached && found.soft_locks.is_empty());
    Ok(())
}

/// A coin on the upper floor, and one below a drop of 5 tiles, at the left end of a long floor.
const TWO_COINS: [&str; 9] = [
    "#############################",
    "#......######################",
    "#o..@..######################",
    "#####..######################",
    "#####......................##",
    "#####......................##",
    "#####......................##",
    "#####o.....................##",
    "#############################",
];

/// From everywhere on the lower floor, the hero wins if it took the upper coin before. A survey that ends early has
/// seen some of these cells only without that coin: no proof may follow from that.
#[test]
fn a_cell_that_leads_to_the_last_coin_is_never_a_proven_soft_lock() -> Result {
    // A hero that does not jump has few states.
    let (world, hero) = world(&TWO_COINS, Character { jump_height: 0.0, ..Character::default() })?;
    let survey = |max_states| {
        let options = Options { max_states, ..Options::default() };
        Search::new(&world, hero).goal(Goal::Areas("coin".into())).options(options).survey()
    };
    let mut max_states = 200;
    let early = loop {
        let found = survey(max_states)?;
        if found.is_goal_reached {
            break found;
        }
        max_states += max_states / 4;
    };
    assert_eq!(early.limit, Some(Limit::States));
    // The survey that ended early has seen the middle of the lower floor.
    assert!(early.reached.contains(&(15, 1)), "{max_states} states");
    assert_eq!(locks(&early, true), []);
    Ok(())
}

/// Surveys with the limits of states and of memory, and one without a limit, with 1, 2 and 8 threads.
#[test]
fn any_number_of_threads_makes_the_same_survey() -> Result {
    let (world, hero) = world(&TWO_COINS, Character::default())?;
    let unlimited = Options::default();
    let of_limits = [
        (Options { max_states: 3000, ..unlimited.clone() }, Some(Limit::States)),
        (Options { max_memory: 2 << 20, ..unlimited.clone() }, Some(Limit::Memory)),
        (unlimited, None),
    ];
    for (options, limit) in of_limits {
        let [one, two, eight] = [1, 2, 8].map(|threads| {
            let options = Options { threads, ..options.clone() };
            Search::new(&world, hero).goal(Goal::Areas("coin".into())).options(options).survey()
        });
        let (one, two, eight) = (one?, two?, eight?);
        assert_eq!(one.limit, limit);
        for other in [two, eight] {
            assert_eq!((&other.places, &other.reached), (&one.places, &one.reached));
            assert_eq!((&other.soft_locks, other.states, other.limit), (&one.soft_locks, one.states, limit));
        }
    }
    Ok(())
}
