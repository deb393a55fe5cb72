//! The level can be won: a search that plays the rules finds a run of its own.

use super::*;
use surefoot_search::{Answer, Goal, Search};

#[test]
fn a_search_wins_the_level() {
    let (world, game) = start().unwrap();
    let search = Search::with_game(&world, game.hero, &game, tick).goal(Goal::Area("goal".to_owned()));
    let Answer::Reachable(found) = search.run().unwrap() else { panic!("no run was found") };
    let mut run = new_run().unwrap();
    for part in &found.inputs {
        (0..part.ticks).for_each(|_| run.advance(&Inputs::from(part.input)).unwrap());
    }
    assert_eq!(run.game().goal_tick, Some(found.ticks()));
}
