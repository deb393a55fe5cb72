//! Two players under the sync test of `ggrs`. After each tick, the last seven are rolled back and played again, and
//! must give the same worlds. The test detects a game that depends on data outside its world.

use ggrs::{Config, GgrsError, GgrsRequest, PredictRepeatLast, SessionBuilder};
use surefoot::prelude::*;
use surefoot::snapshot::Snapshot;
use surefoot::{Command, Input, Map, World};

const TICKS: u64 = 5_000;
/// Number of ticks played again after each tick.
const DISTANCE: usize = 7;
/// Held buttons of a player: 0 to 2 is the walking direction, plus these bits.
const JUMP: u8 = 4;
const DIG: u8 = 8;
const THROW: u8 = 16;

/// The types that `ggrs` sends and stores.
struct Session;

impl Config for Session {
    type Input = u8;
    type InputPredictor = PredictRepeatLast;
    type State = Snapshot;
    type Address = ();
}

/// The game: players walk, dig, build and throw balls.
struct Arena {
    world: World,
    players: [BodyId; 2],
    /// Number of advances, including repeated ticks. Not part of the world, so no snapshot restores it.
    advanced: u64,
    /// Whether the game depends on that number, which it must not do.
    broken: bool,
}

impl Arena {
    fn new(broken: bool) -> Result<Arena, Box<dyn std::error::Error>> {
        let rows = [
            "#................#",
            "#..@.--....==.@..#",
            "#........12##34..#",
            "#../##\\12####34..#",
            "##################",
        ];
        let beyond = "(left: Solid, right: Solid, bottom: Solid, top: Solid)";
        let map = Map::from_ron(&format!("Map(format: 1, tiles: {rows:?}, border: {beyond})"))?;
        let starts: Vec<Position> = map.markers("start").collect();
        let mut world = World::new(map, Settings::default());
        let player = |shape| Body::new(shape).character(Character::default());
        let first = world.spawn(player(Shape::circle(0.35)).at(starts[0]))?;
        let second = world.spawn(player(Shape::aabb(0.35, 0.45)).at(starts[1]))?;
        Ok(Arena { world, players: [first, second], advanced: 0, broken })
    }

    /// Runs a tick. Reads only the world and the held buttons.
    fn advance(&mut self, pads: [u8; 2]) {
        let Arena { world, players, advanced, broken } = self;
        let block = world.map().find_tile('#').unwrap_or_default();
        for (&player, pad) in players.iter().zip(pads) {
            let walk = [0, -127, 127, 0][usize::from(pad % 4)];
            world.set_input(player, Input { walk, jump: pad & JUMP != 0, ..Input::default() });
            let at = world[player].position();
            if pad & DIG != 0 {
                let tile = (at.cell().0 + 2 * i32::from(walk.signum()), at.cell().1);
                let there = world.tile_at(0, tile);
                // Outside of the map, the command is rejected.
                let _ = world.set_tile(0, tile, if there == Some(TileId::EMPTY) { block } else { TileId::EMPTY });
            }
            if pad & THROW != 0 {
                let ball = Body::new(Shape::circle(0.2)).at(at).velocity((0.05 * f64::from(walk), 9.0)).bounce(0.8);
                world.spawn(ball).expect("the ball is in order");
            }
        }
        let ball = world.bodies().map(|(id, _)| id).find(|id| !players.contains(id));
        if let Some(ball) = ball.filter(|_| world.bodies().count() > 8) {
            world.despawn(ball).expect("the ball is there");
        }
        *advanced += 1;
        // ggrs runs each tick several times, and `advanced` counts every run. So this changes a single run of a tick.
        // The sync test compares the later runs with the second one: it would miss a change of the first run.
        if *broken && advanced.is_multiple_of(999) {
            world.set_velocity(players[0], (0.0, 10.0)).expect("the player is there");
        }
        world.step();
    }
}

/// Held buttons of a player in a tick, generated from a seed.
fn pad(player: usize, tick: u64) -> u8 {
    let dice = |held_for: u64, sides: u64| {
        let mixed = (2026 + tick / held_for * 64 + held_for * 2 + player as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) % sides
    };
    let bit = |bit, set| if set { bit } else { 0 };
    dice(20, 3) as u8 | bit(JUMP, dice(9, 3) == 0) | bit(DIG, dice(1, 15) == 0) | bit(THROW, dice(3, 20) == 0)
}

/// Plays under the sync test. Returns the number of rollbacks.
fn sync_test(arena: &mut Arena) -> Result<u32, GgrsError> {
    let session = SessionBuilder::<Session>::new().with_num_players(2)?.with_max_prediction_window(DISTANCE + 1);
    let mut session = session.with_check_distance(DISTANCE).start_synctest_session()?;
    let mut rollbacks = 0;
    for tick in 0..TICKS {
        for player in 0..2 {
            session.add_local_input(player, pad(player, tick))?;
        }
        for request in session.advance_frame()? {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    let checksum = u128::from(arena.world.checksum().0);
                    cell.save(frame, Some(arena.world.capture()), Some(checksum));
                }
                GgrsRequest::LoadGameState { cell, .. } => {
                    let saved = cell.data().expect("it was saved");
                    arena.world.restore(&saved).expect("it is of this map");
                    rollbacks += 1;
                }
                GgrsRequest::AdvanceFrame { inputs } => arena.advance([inputs[0].0, inputs[1].0]),
            }
        }
    }
    Ok(rollbacks)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Play without ggrs to get the expected final state, and to check that the run edits tiles, spawns and removes
    // bodies.
    let mut plain = Arena::new(false)?;
    let (mut edits, mut spawns, mut removals) = (0, 0, 0);
    for tick in 0..TICKS {
        plain.advance([pad(0, tick), pad(1, tick)]);
        for command in plain.world.commands() {
            edits += u32::from(matches!(command, Command::SetTile { .. }));
            spawns += u32::from(matches!(command, Command::Spawn(_)));
            removals += u32::from(matches!(command, Command::Despawn(_)));
        }
    }
    assert!(edits > 100 && spawns > 100 && removals > 100, "{edits} edits, {spawns} spawns, {removals} removals");

    let mut arena = Arena::new(false)?;
    let rollbacks = sync_test(&mut arena)?;
    let checksum = arena.world.checksum();
    println!(
        "{TICKS} ticks with {edits} edits, {spawns} spawns, {removals} removals; {rollbacks} rollbacks of {DISTANCE}"
    );
    println!("final checksum {checksum}, as without ggrs");
    assert_eq!(checksum, plain.world.checksum());
    assert!(u64::from(rollbacks) >= TICKS - DISTANCE as u64 - 1);

    // Play the same game with a counter outside the world, which the sync test must notice.
    match sync_test(&mut Arena::new(true)?) {
        Err(GgrsError::MismatchedChecksum { current_frame, mismatched_frames }) => {
            println!("a counter outside of the world: caught at frame {current_frame}, frames {mismatched_frames:?}");
            Ok(())
        }
        Err(other) => Err(other.into()),
        Ok(_) => Err("a counter outside of the world was not caught".into()),
    }
}
