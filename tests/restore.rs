//! The recorded runs, gone on with from every tick of theirs.

use surefoot::checksum::Checksum;
use surefoot::snapshot::Snapshot;
use surefoot::{Command, Event, Player, World};

/// Ticks that are run on from each restored one.
const ON: usize = 120;

/// What was given for a tick, and what came of it.
struct Tick {
    before: Snapshot,
    commands: Vec<Command>,
    sums: (Checksum, Checksum),
    events: Vec<Event>,
}

/// Saves before every tick of a recorded run.
fn run(name: &str) -> (World, Vec<Tick>) {
    let path = format!("{}/../maps/{name}.replay.ron", env!("CARGO_MANIFEST_DIR"));
    let mut player = Player::load(path).unwrap();
    // The first bodies have been put in by then, and are in the first snapshot.
    let mut given = player.world().bodies().count();
    let mut ticks = Vec::new();
    loop {
        let before = player.world().snapshot();
        if player.step().is_none() {
            return (player.world().clone(), ticks);
        }
        let world = player.world();
        let commands = world.commands()[std::mem::take(&mut given)..].to_vec();
        let sums = (world.checksum(), world.motion_checksum());
        ticks.push(Tick { before, commands, sums, events: world.events().to_vec() });
    }
}

fn goes_on_alike_from_every_tick(name: &str) {
    let (mut world, ticks) = run(name);
    assert!(ticks.len() > ON);
    for (start, tick) in ticks.iter().enumerate() {
        match start % 16 {
            // What was written is what was kept.
            5 => world.load(&Snapshot::from_bytes(&tick.before.to_bytes()).unwrap()).unwrap(),
            13 => world.load(&Snapshot::from_ron(&tick.before.to_ron().unwrap()).unwrap()).unwrap(),
            _ => world.load(&tick.before).unwrap(),
        }
        for (after, tick) in ticks[start..].iter().take(ON).enumerate() {
            for command in &tick.commands {
                world.apply(command.clone()).unwrap();
            }
            world.step();
            let sums = (world.checksum(), world.motion_checksum());
            assert_eq!((sums, world.events()), (tick.sums, &tick.events[..]), "{name}: {after} after tick {start}");
        }
    }
}

#[test]
fn first_steps_goes_on_alike_from_every_tick() {
    goes_on_alike_from_every_tick("first_steps");
}

#[test]
fn the_zoo_goes_on_alike_from_every_tick() {
    goes_on_alike_from_every_tick("zoo");
}

#[test]
fn the_highlands_go_on_alike_from_every_tick() {
    goes_on_alike_from_every_tick("highlands");
}

/// With areas, belts, ice, ledges and platforms of all kinds.
#[test]
fn the_showcase_goes_on_alike_from_every_tick() {
    for name in ["areas", "belts", "crush", "driven", "ghosts", "ice", "ledges", "lift", "machines", "platforms"] {
        goes_on_alike_from_every_tick(&format!("showcase/{name}"));
    }
}
