//! Tests games with rules of their own.

use crate::TICK;
use std::error::Error;
use std::sync::Arc;
use surefoot::geometry::DVec2;
use surefoot::map::Map;
use surefoot::prelude::*;
use surefoot::{Input, World};
use surefoot_play::{Held, PlayError, Rules, Session, Sound};

const LEVEL: &str = r#######"Map(format: 1, legend: {'c': (area: (tag: "coin", shape: Circle(0.3)))},
    tiles: [".......", ".......", ".......", ".......", ".@.c...", ".######"])"#######;

/// A game that counts coins, and fails after the tick 500. The last part is the watched run.
#[derive(Debug)]
struct Coins(GameRun<u32>, Option<Arc<Recording<Inputs>>>);

fn new_game() -> GameRun<u32> {
    let mut world = World::from_map(Map::from_ron(LEVEL).unwrap(), Settings::default());
    let at = world.map().marker("start").unwrap();
    world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at(at).character(Character::default())).unwrap();
    GameRun::new(world, 0, play).unwrap()
}

fn play(world: &mut World, coins: &mut u32, inputs: &Inputs) {
    let (hero, _) = world.bodies().next().unwrap();
    world.set_input(hero, inputs[0]);
    world.step();
    for event in world.events().to_vec() {
        if let EventKind::AreaEntered { area } = event.kind {
            *coins += 1;
            world.despawn_area(area).unwrap();
        }
    }
}

impl Rules for Coins {
    fn world(&self) -> &World {
        self.0.world()
    }

    fn hero(&self) -> Option<BodyId> {
        self.world().bodies().next().map(|(id, _)| id)
    }

    fn advance(&mut self, input: Input) -> Result<(), Box<dyn Error>> {
        if self.world().tick() == 500 {
            return Err("the candle has burnt down".into());
        }
        Ok(self.0.advance(&Inputs::from(input))?)
    }

    fn rewind_ticks(&self) -> u64 {
        self.0.rewind_ticks()
    }

    fn rewind(&mut self, ticks: u64) -> Result<(), Box<dyn Error>> {
        self.0.rewind(ticks)?;
        self.1.iter().for_each(|run| self.0.resume_playing(Arc::clone(run)));
        Ok(())
    }

    fn restart(&mut self) -> Result<(), Box<dyn Error>> {
        self.0 = new_game();
        self.1.clone().map_or(Ok(()), |run| self.watch(run))
    }

    fn recording(&mut self) -> Result<Recording<Inputs>, Box<dyn Error>> {
        self.0.save()?;
        Ok(self.0.recording()?.clone())
    }

    fn watch(&mut self, run: Arc<Recording<Inputs>>) -> Result<(), Box<dyn Error>> {
        self.0 = new_game();
        self.0.play(Arc::clone(&run))?;
        self.1 = Some(run);
        Ok(())
    }

    fn watched(&self) -> Option<&Recording<Inputs>> {
        self.1.as_deref()
    }

    fn go_back_to(&mut self, _tick: u64) -> Result<(), Box<dyn Error>> {
        self.restart()
    }

    fn stop_watching(&mut self) {
        self.0.stop_playing();
        self.1 = None;
    }

    fn status(&self) -> String {
        format!("coins {}", self.0.game())
    }

    fn coins(&self) -> u32 {
        *self.0.game()
    }

    fn ghost_at(&self, _: f64) -> Option<(Shape, DVec2)> {
        None
    }
}

/// Plays a frame of the length of a tick.
fn tick(session: &mut Session, held: Held) {
    session.advance(TICK, held);
}

fn coins() -> Session {
    Session::with_rules(Box::new(Coins(new_game(), None)), "level.ron".into())
}

#[test]
fn a_game_with_rules_is_played_heard_rewound_and_restarted() {
    let mut session = coins();
    let status = |session: &Session| session.status().unwrap();
    assert_eq!((status(&session), session.has_rules(), session.has_ghost()), ("coins 0".to_owned(), true, false));
    let before = session.world().checksum();
    (0..40).for_each(|_| tick(&mut session, Held { right: true, ..Held::default() }));
    assert_eq!((status(&session), session.take_sounds()), ("coins 1".to_owned(), vec![Sound::Coin]));
    assert_eq!(session.take_sounds(), []);
    // Let the hero come to rest before it jumps.
    (0..20).for_each(|_| tick(&mut session, Held::default()));
    (0..90).for_each(|i| tick(&mut session, Held { jump: i < 20, ..Held::default() }));
    assert_eq!(session.take_sounds(), [Sound::Jump, Sound::Land]);
    let ticks = session.world().tick();
    assert_eq!(session.rewindable_ticks(), ticks);
    session.set_rewinding(true);
    (0..2 * ticks).for_each(|_| tick(&mut session, Held::default()));
    assert_eq!((status(&session), session.world().checksum()), ("coins 0".to_owned(), before));
    session.set_rewinding(false);
    (0..40).for_each(|_| tick(&mut session, Held { right: true, ..Held::default() }));
    assert_eq!(status(&session), "coins 1");
    session.restart();
    assert_eq!((status(&session), session.world().checksum()), ("coins 0".to_owned(), before));
}

#[test]
fn a_game_with_rules_cannot_be_changed() {
    let mut session = coins();
    tick(&mut session, Held::default());
    let refused = [
        session.paint((1, 1), None).err(),
        session.tune(Character::default()).err(),
        session.save_replay("never.replay.ron").err(),
    ];
    assert!(refused.iter().all(|error| matches!(error, Some(PlayError::HasRules))), "{refused:?}");
}

#[test]
fn an_error_of_the_rules_is_shown_and_ends_with_a_restart() {
    let mut session = coins();
    (0..600).for_each(|_| tick(&mut session, Held::default()));
    assert_eq!((session.world().tick(), session.status().unwrap().as_str()), (500, "the candle has burnt down"));
    session.restart();
    tick(&mut session, Held::default());
    assert_eq!(session.status().unwrap(), "coins 0");
}

/// Returns a run of 130 ticks in which the hero takes the coin, as text, and the checksum of the world after each tick.
fn run() -> (String, Vec<surefoot::checksum::Checksum>) {
    let mut game = Coins(new_game(), None);
    let mut checksums = vec![game.world().checksum()];
    for tick in 0..130 {
        let walk = if tick < 60 { 1.0 } else { -0.5 };
        game.advance(Input { jump: tick % 40 > 30, ..Input::walk(walk) }).unwrap();
        checksums.push(game.world().checksum());
    }
    (game.recording().unwrap().with_fewer_checkpoints(60).to_short_ron().unwrap(), checksums)
}

#[test]
fn a_run_of_a_game_is_watched_and_played_on_from_any_tick() {
    let (text, checksums) = run();
    let watch = |text: &str| Session::watch_rules(Box::new(Coins(new_game(), None)), "level.ron".into(), text);
    let mut session = watch(&text).unwrap();
    let state = |session: &Session| (session.world().tick(), session.world().checksum());
    let expected = |tick: usize| (tick as u64, checksums[tick]);
    let watched = session.watched().unwrap();
    assert_eq!((watched.ticks, watched.divergence), (130, None));
    // Keys have no effect. The run stays at its end.
    (0..150).for_each(|_| tick(&mut session, Held { left: true, ..Held::default() }));
    assert_eq!((state(&session), session.status().unwrap().as_str()), (expected(130), "coins 1"));
    // A slow frame has more ticks than the run has left.
    session.seek(127);
    tick(&mut session, Held::default());
    session.advance(0.25, Held { right: true, ..Held::default() });
    assert_eq!(state(&session), expected(130));
    for target in [10, 130, 77, 0, 129, 1] {
        session.seek(target as u64);
        tick(&mut session, Held::default());
        assert_eq!(state(&session), expected(target), "{target}");
    }
    session.seek(100);
    tick(&mut session, Held::default());
    session.set_rewinding(true);
    (0..40).for_each(|_| tick(&mut session, Held::default()));
    session.set_rewinding(false);
    let back = session.world().tick();
    assert_eq!(state(&session), expected(back as usize));
    assert!((59..=61).contains(&back), "{back}");
    session.restart();
    assert_eq!((state(&session), session.watched().is_some()), (expected(0), true));

    // The player goes on from tick 90, where the run walks to the left.
    session.seek(90);
    tick(&mut session, Held::default());
    session.stop_watching();
    assert!(session.watched().is_none() && state(&session) == expected(90));
    let before = session.world()[session.hero().unwrap()].position().to_dvec2().x;
    (0..30).for_each(|_| tick(&mut session, Held { right: true, ..Held::default() }));
    assert!(session.world()[session.hero().unwrap()].position().to_dvec2().x > before);
    assert_ne!(session.world().checksum(), checksums[session.world().tick() as usize]);

    // A run whose inputs were changed ends at the first checksum, which is that of tick 60.
    let other = text.replacen("walk:127", "walk:60", 1);
    assert_ne!(other, text);
    let mut session = watch(&other).unwrap();
    (0..150).for_each(|_| tick(&mut session, Held::default()));
    assert_eq!(session.world().tick(), 60);
    assert!(session.status().unwrap().contains("differs after tick 60"), "{:?}", session.status());
    let error = watch("Run(format: 1)").unwrap_err().to_string();
    assert!(error.starts_with("line 1, column "), "{error}");
}
