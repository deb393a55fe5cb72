//! Platforms that are spawned and removed: queries with old ids, and saved and replayed ids of new platforms.

use crate::platforms::{at, floor, path, rows};
use crate::prelude::*;

/// A platform is removed, and another one gets its slot. All queries with the old id return that it does not exist, and
/// all commands are rejected without effect.
#[test]
fn a_removed_platform_gives_no_results() {
    let map = floor();
    let mut world = World::new(map.clone(), Settings::default());
    let one = world.spawn_platform(rows(&map, &["#"], 0.0, 5.0).name("one")).unwrap();
    assert_eq!(world.find_platform("one"), Some(one));
    let hero = world.spawn(hero().at((0.5, 6.45))).unwrap();
    world.step();
    assert_eq!(world.platform_under(hero), Some(one));
    world.despawn_platform(one).unwrap();
    let block = map.find_tile('#').unwrap();
    for is_reused in [false, true] {
        let other = is_reused.then(|| world.spawn_platform(rows(&map, &["#"], 0.0, 5.0).name("two")).unwrap());
        assert_ne!(other, Some(one));
        world.teleport(hero, (0.5, 6.45)).unwrap();
        let before = (world.checksum(), world.commands().len());
        let commands = [
            Command::DespawnPlatform(one),
            Command::DrivePlatform(one, at(0.0, 5.5)),
            Command::TeleportPlatform(one, at(3.0, 5.0)),
            Command::PausePlatform(one),
            Command::ResumePlatform(one),
            Command::SetPlatformTile { platform: one, layer: 0, tile: (0, 0), tile_id: block },
        ];
        for command in commands {
            assert_eq!(world.apply(command.clone()), Err(CommandError::NoSuchPlatform(one)), "{command:?}");
        }
        let answers = [
            world.despawn_platform(one),
            world.drive_platform(one, (0.0, 5.5)),
            world.teleport_platform(one, (3.0, 5.0)),
            world.pause_platform(one),
            world.resume_platform(one),
            world.set_platform_tile(one, 0, (0, 0), TileId::EMPTY),
            // Even with an invalid layer or position, the error is that the platform does not exist.
            world.set_platform_tile(one, 9, (77, 0), TileId(9999)),
            world.drive_platform(one, (1e6, 0.0)),
        ];
        assert_eq!(answers, [(); 8].map(|()| Err(CommandError::NoSuchPlatform(one))));
        assert_eq!((world.checksum(), world.commands().len()), before);
        assert!(world.platform(one).is_none() && world.find_platform("one").is_none());
        assert!(world.platforms().all(|(id, _)| Some(id) == other));
        let lost = world.spawn_platform(rows(&map, &["#"], 0.0, 2.0).attached_to("one")).unwrap_err();
        assert_eq!(
            lost.to_string(),
            "the platform is attached to the unknown platform \"one\"; expected the name of a platform in the world"
        );
        // Riders and contacts use the id of the new platform.
        for _ in 0..3 {
            world.step();
            assert_eq!(world.platform_under(hero), other);
            assert_eq!(world.contacts(hero).len(), usize::from(is_reused));
            assert!(world.contacts(hero).iter().all(|contact| contact.platform == other));
        }
        assert_eq!(world[hero].on_floor(), is_reused);
    }
    // A removed body rides and touches nothing, nor does the body in its slot.
    world.despawn(hero).unwrap();
    let floats = world.spawn(Body::new(Shape::circle(0.25)).at((50.0, 20.0))).unwrap();
    for id in [hero, floats] {
        assert_eq!((world.platform_under(id), world.contacts(id).len()), (None, 0));
    }
    let once = Path { repeat: Repeat::Once, ..path(&[(0.0, 0.0), (1.0, 0.0)], 1.0) };
    assert!(world.spawn_platform(rows(&map, &["."], 0.0, 2.0).path(once)).is_err());
}

/// Three platforms are spawned and two removed. Snapshots of both forms contain the free slots and the order of their
/// reuse.
#[test]
fn free_slots_of_platforms_are_saved() {
    for removed in [[0, 1], [1, 0], [0, 2], [2, 1]] {
        let map = floor();
        let mut world = World::new(map.clone(), Settings::default());
        let put = |world: &mut World, x: f64| world.spawn_platform(rows(&map, &["##"], x, 5.0)).unwrap();
        let ids = [0.0, 5.0, 10.0].map(|x| put(&mut world, x));
        for i in removed {
            world.despawn_platform(ids[i]).unwrap();
        }
        let saved = world.capture();
        let fresh = || World::new(map.clone(), Settings::default());
        let mut others = [fresh(), fresh(), fresh(), world.clone(), fresh(), world.clone()];
        others[0].restore(&saved).unwrap();
        others[1].restore(&Snapshot::from_bytes(&saved.to_bytes()).unwrap()).unwrap();
        others[2].restore(&Snapshot::from_ron(&saved.to_ron().unwrap()).unwrap()).unwrap();
        // Worlds with other free slots restore the saved ones.
        let also = [0.0, 5.0, 10.0].map(|x| put(&mut others[4], x));
        others[4].despawn_platform(also[removed[1]]).unwrap();
        others[4].despawn_platform(also[removed[0]]).unwrap();
        put(&mut others[5], 40.0);
        for i in [4, 5] {
            others[i].restore(&saved).unwrap();
        }
        let all = |world: &mut World| {
            let new = [20.0, 25.0, 30.0].map(|x| put(world, x));
            world.step();
            (new, world.checksum(), world.platforms().map(|(id, _)| id).collect::<Vec<_>>())
        };
        let expected = all(&mut world);
        for (i, other) in others.iter_mut().enumerate() {
            assert_eq!(all(other), expected, "{removed:?} {i}");
        }
        // No id occurs twice.
        assert!(expected.0.iter().all(|new| !ids.contains(new)));
    }
}

/// A run in which platforms are spawned, driven, edited and removed, written to a log and played back.
#[test]
fn platforms_that_come_and_go_are_in_a_log() {
    let mut world = World::new(floor(), Settings::default());
    let mut recorder = Recorder::new(&world, 1);
    let mut lifts = Vec::new();
    let rider = world.spawn(hero().at((1.0, 4.45))).unwrap();
    let mut rides = 0;
    for tick in 0..240_u32 {
        match tick % 60 {
            0 => {
                let lift = rows(world.map(), &["###"], 0.0, 3.0).path(along(3.0, 2.0, 3.0));
                lifts.push(world.spawn_platform(lift.name(tick.to_string())).unwrap());
                world.teleport(rider, (1.0, 4.45)).unwrap();
            }
            1 => lifts.push(world.spawn_platform(rows(world.map(), &["##"], 10.0, 3.0)).unwrap()),
            10..=20 => {
                let y = 3.0 + 0.1 * f64::from(tick % 60 - 10);
                world.drive_platform(*lifts.last().unwrap(), (10.0, y)).unwrap();
            }
            30 => world.set_platform_tile(*lifts.last().unwrap(), 0, (0, 0), TileId::EMPTY).unwrap(),
            40 => world.pause_platform(lifts[lifts.len() - 2]).unwrap(),
            50 => world.teleport_platform(*lifts.last().unwrap(), (12.0, 9.0)).unwrap(),
            55 => world.despawn_platform(lifts.remove(0)).unwrap(),
            _ => {}
        }
        world.step();
        rides += u32::from(world.platform_under(rider).is_some());
        recorder.record_tick(&world).unwrap();
    }
    let log = recorder.finish(&world).unwrap();
    let is = |wanted: fn(&Command) -> bool| log.commands().filter(|(_, command)| wanted(command)).count();
    assert_eq!(is(|command| matches!(command, Command::SpawnPlatform(_))), 8);
    assert_eq!(is(|command| matches!(command, Command::DespawnPlatform(_))), 4);
    let mut player = Playback::of_commands(log, World::new(floor(), Settings::default())).unwrap();
    let summary = player.run().unwrap();
    assert_eq!((summary.ticks, summary.compared, summary.checksum), (240, 240, world.checksum()));
    let places = |world: &World| world.platforms().map(|(id, state)| (id, state.position())).collect::<Vec<_>>();
    assert_eq!(places(player.world()), places(&world));
    assert!(rides > 100 && places(&world).len() == 4, "{rides}");
}
