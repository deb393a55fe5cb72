//! Plays the games of the tutorial without their windows.

#![allow(dead_code)] // only a window uses the rest of a game

/// Plays a step of the tutorial by an input script, and checks the result. With a fifth part, the name of a test, a
/// search finds a run to the goal by the rules of the step.
macro_rules! step {
    ($name:ident, $file:literal, $script:expr, $check:expr $(, $search:ident)?) => {
        mod $name {
            include!($file);

            #[test]
            fn it_can_be_played() {
                let (mut world, mut game) = Game::new().unwrap();
                let mut player = surefoot::replay::Script::parse($script).unwrap().player();
                while let Some(input) = player.next_input(&world, game.hero).unwrap() {
                    game.tick(&mut world, input);
                }
                let (check, at): (fn(&World, &Game) -> bool, _) = ($check, world[game.hero].position());
                assert!(check(&world, &game), "the hero is at {at}");
            }

            $(#[test]
            fn $search() {
                use surefoot_search::{Answer, Goal, Search};
                fn tick(world: &mut World, state: &mut (BodyId, u32, bool), inputs: &Inputs) {
                    let mut game = Game { hero: state.0, coins: state.1, won: state.2 };
                    game.tick(world, inputs[0]);
                    *state = (game.hero, game.coins, game.won);
                }
                let (mut world, game) = Game::new().unwrap();
                let mut state = (game.hero, game.coins, game.won);
                let search = Search::with_game(&world, game.hero, &state, tick).goal(Goal::Area("goal".to_owned()));
                let Answer::Reachable(run) = search.run().unwrap() else { panic!("no run was found") };
                for part in &run.inputs {
                    (0..part.ticks).for_each(|_| tick(&mut world, &mut state, &Inputs::from(part.input)));
                }
                assert!(state.2, "the run of {} ticks does not win", run.ticks());
            })?
        }
    };
}

/// Over the hill to the pit.
const RUN: &str = "30\n60 right\n30 right jump\n60 right";
/// Through the first level: a coin, a jump over the pit, onto the walker and off it, and the goal.
const FIRST: &str = "90\n45 right\n22 right jump\n75 right\n20 right jump\n12 right\n5\n22 jump\n2\n\
    22 right jump\n30 right\n24 right jump\n60 right";
/// Through the second level: a crate into the pit, a coin, onto the walker, and the lift.
const SECOND: &str = "10\n8 right\n8 right jump\n12 right\n20\n78 right\n10\n22 right jump\n2 right\n\
    22 right jump\n20 right\n30\n34 right\n90\n12 right\n170\n50 right";

fn is_at_the_pit(world: &surefoot::World, hero: surefoot::prelude::BodyId) -> bool {
    (15.0..23.0).contains(&world[hero].position().to_vec2().x)
}

step!(step_2, "../src/step_2.rs", super::RUN, |world, game| super::is_at_the_pit(world, game.hero));
step!(step_3, "../src/step_3.rs", super::RUN, |world, game| super::is_at_the_pit(world, game.hero));
step!(step_4, "../src/step_4.rs", super::RUN, |world, game| super::is_at_the_pit(world, game.hero));
step!(step_5, "../src/step_5.rs", super::RUN, |world, game| super::is_at_the_pit(world, game.hero));
step!(step_6, "../src/step_6.rs", super::FIRST, |_, game| game.won && game.coins == 3);
step!(
    step_7,
    "../src/step_7.rs",
    super::FIRST,
    |world, game| game.won && game.coins == 3 && world.bodies().count() == 1,
    a_search_wins_the_first_level
);
step!(step_8, "../src/step_8.rs", super::SECOND, |_, game| game.won && game.coins == 3, a_search_wins_the_second_level);

mod step_10 {
    include!("../src/step_10.rs");
}

mod step_9 {
    include!("../src/step_9.rs");

    /// The run that this step's test plays is recorded from a script. `SUREFOOT_WRITE_TUTORIAL=1` writes it again.
    #[test]
    fn the_kept_run_is_that_of_the_script() {
        let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/won.recording");
        let path = std::env::temp_dir().join(format!("surefoot-tutorial-{}.recording", std::process::id()));
        let (world, game) = Game::new().unwrap();
        let record = RecordOptions { map_file: Some("src/level_2.ron".to_owned()), ..RecordOptions::from(1) };
        let options = GameRunOptions { record, ..GameRunOptions::default() };
        let rules = |world: &mut World, game: &mut Game, input: &Input| game.tick(world, *input);
        let mut run = GameRun::with_options(world, game, rules, options).unwrap();
        run.name_body(run.game().hero, "hero").unwrap();
        run.record_to(&path).unwrap();
        for part in surefoot::replay::Script::parse(super::SECOND).unwrap().runs() {
            (0..part.ticks).for_each(|_| run.advance(&part.input).unwrap());
        }
        run.close_recording().unwrap();
        let recorded = std::fs::read(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        if std::env::var_os("SUREFOOT_WRITE_TUTORIAL").is_some() {
            std::fs::write(kept, &recorded).unwrap();
        }
        assert!(std::fs::read(kept).unwrap() == recorded, "run with SUREFOOT_WRITE_TUTORIAL=1, then again");
    }
}
