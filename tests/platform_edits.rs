//! Tiles edited below, in front of and inside platforms, and the effect on their riders.

use crate::platforms::{at, floor, offset, path, rows};
use crate::prelude::*;

/// A belt of 20 tiles with its top at y = 6.5. It moves right at 6 tiles per second: a tenth of a tile per tick.
fn belt(world: &mut World) -> PlatformId {
    let belt = rows(world.map(), &["####################"], 0.0, 5.5).path(along(60.0, 0.0, 6.0));
    world.spawn_platform(belt).unwrap()
}

fn riders() -> [Body; 4] {
    let crate_ = Body::new(Shape::aabb(0.35, 0.45)).friction(1.0);
    let circle = Body::new(Shape::circle(0.45));
    [hero(), circle.clone().character(Character::default()), crate_, circle.friction(1.0)]
}

/// The rider's side is at the block to the unit while the belt moves on below it. Once the block is removed, the rider
/// moves along again.
#[test]
fn a_rider_stops_flush_at_a_block_set_ahead_of_it_and_rides_on() {
    // The block is set near the rider, or far beyond the range that the rider searches.
    for (body, column) in riders().into_iter().flat_map(|body| [13, 14, 21].map(|column| (body.clone(), column))) {
        let mut world = World::new(floor(), Settings::default());
        let belt = belt(&mut world);
        let block = world.map().find_tile('#').unwrap();
        let half = at(body.shape.half_extents().x, 0.0).units().x;
        let rider = world.spawn(body.at((11.0, 6.95))).unwrap();
        (0..10).for_each(|_| world.step());
        // The rider is at x = 12: its side is a little more than half a tile from the nearest block.
        world.set_tile(0, (column, 6), block).unwrap();
        let side = i64::from(column) * ONE;
        let begins = offset(&world, rider, belt);
        let what = format!("{column} {:?}", world[rider].body());
        let mut blocked = 0;
        for tick in 11..=60 + 10 * i64::from(column - 12) {
            world.step();
            let place = world[rider].position().units();
            let free = 12 * ONE + (tick - 10) * ONE / 10 + half;
            if free < side {
                assert_eq!(offset(&world, rider, belt), begins, "{what} tick {tick}");
            } else if free > side + ONE / 20 {
                blocked += 1;
                assert_eq!(place.x + half, side, "{what} tick {tick}");
                assert!(world[rider].touching().wall_right, "{what} tick {tick}");
                // A rider has its platform's velocity, even if a wall blocks it.
                assert!((world[rider].velocity() - DVec2::new(6.0, 0.0)).length() < 1e-7, "{what} tick {tick}");
            }
            assert_eq!(
                (place.y, world.platform_under(rider)),
                (at(0.0, 6.95).units().y, Some(belt)),
                "{what} tick {tick}"
            );
            assert!(kinds(&world).iter().all(|kind| matches!(kind, EventKind::HitTile { .. })), "{:?}", world.events());
            // The belt moves a tenth of a tile per tick, whatever happens to the rider.
            let corner = world.platform(belt).unwrap().position().units();
            assert_eq!(corner, I64Vec2::new((2 * tick * ONE + 10) / 20, at(0.0, 5.5).units().y), "{what}");
        }
        assert!(blocked > 30, "{what}");
        world.set_tile(0, (column, 6), TileId::EMPTY).unwrap();
        // To brake from 6 tiles per second by 40 or 80 takes at most 9 ticks.
        (0..10).for_each(|_| world.step());
        let rides = offset(&world, rider, belt);
        for tick in 0..60 {
            world.step();
            assert_eq!(
                (offset(&world, rider, belt), world.platform_under(rider)),
                (rides, Some(belt)),
                "{what} tick {tick}"
            );
            assert!(world.events().is_empty() && world[rider].on_floor(), "{what} tick {tick}");
        }
        assert!((world[rider].velocity() - DVec2::new(6.0, 0.0)).length() < 1e-7, "{what}");
    }
}

/// The lift rises by 1/20 tile per tick. It stops when its rider is flush with a block set above it. It continues in
/// the tick after the block is removed, as if no time had passed.
#[test]
fn a_lift_stops_at_a_block_set_above_its_rider_and_goes_on() {
    for (body, row) in riders().into_iter().flat_map(|body| [9, 10, 17].map(|row| (body.clone(), row))) {
        let mut world = World::new(floor(), Settings::default());
        let lift = rows(world.map(), &["######"], 8.0, 5.5).path(along(0.0, 30.0, 3.0));
        let lift = world.spawn_platform(lift).unwrap();
        let block = world.map().find_tile('#').unwrap();
        let rider = world.spawn(body.at((11.5, 6.95))).unwrap();
        let begins = offset(&world, rider, lift);
        (0..10).for_each(|_| world.step());
        // The rider's head is at 7.9.
        world.set_tile(0, (11, row), block).unwrap();
        let what = format!("{row} {:?}", world[rider].body());
        let up = |ticks: i64| (2 * ticks * ONE + 20) / 40;
        // The lift has room to rise until the rider's head, which starts at 7.4, is at the block.
        let room = i64::from(row) * ONE - at(0.0, 6.95).units().y - at(0.0, 0.45).units().y;
        // `free` is the last tick of the path with enough room.
        let free = (0..).take_while(|ticks| up(*ticks) <= room).last().unwrap();
        for tick in 11..=240 {
            world.step();
            let made = (world.platform(lift).unwrap().position() - at(8.0, 5.5)).y;
            assert_eq!(
                (offset(&world, rider, lift), world.platform_under(rider)),
                (begins, Some(lift)),
                "{what} tick {tick}"
            );
            if tick <= free {
                assert_eq!(made, up(tick), "{what} tick {tick}");
            } else {
                let head = world[rider].position().units().y + at(0.0, 0.45).units().y;
                assert_eq!(head, i64::from(row) * ONE, "{what} tick {tick}");
                assert!(world.platform(lift).unwrap().is_blocked(), "{what} tick {tick}");
            }
            let told: &[EventKind] = if tick == free + 1 { &[EventKind::Crushed { platform: lift }] } else { &[] };
            assert_eq!(kinds(&world), told, "{what} tick {tick}");
        }
        world.set_tile(0, (11, row), TileId::EMPTY).unwrap();
        for more in 1..=60 {
            world.step();
            let made = (world.platform(lift).unwrap().position() - at(8.0, 5.5)).y;
            // The path has waited since the last tick with enough room.
            assert_eq!(made, up(free + more), "{what} {more}");
            assert_eq!(
                (offset(&world, rider, lift), world.platform_under(rider)),
                (begins, Some(lift)),
                "{what} {more}"
            );
            assert_eq!(world.events(), [], "{what} {more}");
        }
    }
}

/// A rider overlapped by new tiles does not move. The belt moves on below it and the lift through it, without a crush.
/// Once free, it stands on the belt, which it only touches, and falls through the lift, which overlaps it.
#[test]
fn a_platform_passes_a_rider_overlapped_by_new_tiles() {
    for body in riders() {
        for rises in [false, true] {
            let mut world = World::new(floor(), Settings::default());
            let lift = if rises {
                let lift = rows(world.map(), &["######"], 8.0, 5.5).path(along(0.0, 20.0, 3.0));
                world.spawn_platform(lift).unwrap()
            } else {
                belt(&mut world)
            };
            let block = world.map().find_tile('#').unwrap();
            let rider = world.spawn(body.clone().at((11.0, 6.95))).unwrap();
            (0..5).for_each(|_| world.step());
            let before = world[rider].position();
            let (x, y) = before.cell();
            let start = world.platform(lift).unwrap().position();
            world.set_tiles(0, (x - 1, y - 1), (x + 1, y + 1), block).unwrap();
            let what = format!("{rises} {:?}", world[rider].body());
            for tick in 1..=10 {
                world.step();
                let told: &[EventKind] = if tick == 1 { &[EventKind::Stuck] } else { &[] };
                let told_now: Vec<_> = kinds(&world).into_iter().filter(|kind| *kind != EventKind::LeftFloor).collect();
                assert_eq!(told_now, told, "{what} tick {tick}");
                assert!(world[rider].is_stuck(), "{what} tick {tick}");
                assert_eq!(world[rider].position(), before, "{what} tick {tick}");
                assert_eq!(world[rider].velocity(), DVec2::ZERO, "{what} tick {tick}");
                let way = world.platform(lift).unwrap().position() - start;
                let made = way.x.max(way.y) as f64 / ONE as f64 - f64::from(tick) * if rises { 0.05 } else { 0.1 };
                assert!(made.abs() < 1e-9, "{what} tick {tick}");
            }
            world.set_tiles(0, (x - 1, y - 1), (x + 1, y + 1), TileId::EMPTY).unwrap();
            for tick in 0..90 {
                world.step();
                let crushed = kinds(&world).iter().any(|kind| matches!(kind, EventKind::Crushed { .. }));
                assert!(!world[rider].is_stuck() && !crushed, "{what} tick {tick}");
                assert!(
                    rises || tick > 5 || world[rider].position().units().y == before.units().y,
                    "{what} tick {tick}"
                );
            }
            let height = if rises { at(0.0, 1.45).units().y } else { before.units().y };
            assert_eq!(world[rider].position().units().y, height, "{what}");
            assert!(world[rider].on_floor() && (rises || world.platform_under(rider) == Some(lift)), "{what}");
        }
    }
}

/// Blocks in the cells of a platform, in its path and below it never affect its riders.
#[test]
fn terrain_in_a_platform_changes_nothing_for_its_riders() {
    for (way, speed) in [((20.0, 0.0), 6.0), ((0.0, 12.0), 3.0), ((9.0, 4.0), 5.0)] {
        let mut worlds = [(); 2].map(|()| World::new(floor(), Settings::default()));
        let block = worlds[0].map().find_tile('#').unwrap();
        let mut ids = Vec::new();
        for world in &mut worlds {
            // The platform has three rows. The riders touch the highest one.
            let deep = rows(world.map(), &["########"; 3], 10.0, 4.0).path(path(&[(0.0, 0.0), way], speed));
            world.spawn_platform(deep).unwrap();
            let spawn = |(i, body): (usize, Body)| world.spawn(body.at((11.0 + 1.5 * i as f64, 7.45))).unwrap();
            ids = riders().into_iter().enumerate().map(spawn).collect();
        }
        let platform = worlds[0].platforms().next().unwrap().0;
        for tick in 0..240 {
            if tick % 7 == 3 {
                // Edit cells of the lowest two rows and below them, but never as high as the top.
                let corner = worlds[1].platform(platform).unwrap().position().cell();
                let (x, y) = (corner.0 + tick / 7 % 9 - 1, corner.1 - 1 + tick / 3 % 3);
                let tile_id = if tick % 2 == 0 { TileId::EMPTY } else { block };
                worlds[1].set_tile(0, (x, y), tile_id).unwrap();
            }
            // Edited tiles must not stick out of the platform as it moves on.
            let bottom = worlds[1].platform(platform).unwrap().position().cell().1;
            if tick % 2 == 1 && way.1 > 0.0 {
                worlds[1].set_tiles(0, (5, bottom + 2), (45, bottom + 5), TileId::EMPTY).unwrap();
            }
            for world in &mut worlds {
                world.step();
                assert!(body_events(world).is_empty(), "{way:?} tick {tick} {:?}", body_events(world));
            }
            let [one, other] = [0, 1].map(|i| {
                let state = |&id: &BodyId| {
                    let body = &worlds[i][id];
                    (body.position(), body.velocity(), body.on_floor(), worlds[i].platform_under(id))
                };
                ids.iter().map(state).collect::<Vec<_>>()
            });
            assert_eq!(one, other, "{way:?} tick {tick}");
            assert!(one.iter().all(|(.., ride)| *ride == Some(platform)), "{way:?} tick {tick}");
        }
    }
}

/// The body's centre is over a block of terrain, one end over a platform flush with it. The block is removed: the body
/// stays on the platform, at rest relative to it.
#[test]
fn a_body_on_terrain_and_a_platform_stays_on_the_platform_when_the_terrain_is_removed() {
    for body in riders().into_iter().filter(|body| !body.shape.is_circle()) {
        for speed in [0.0, 3.0] {
            let mut world = World::new(floor(), Settings::default());
            let block = world.map().find_tile('#').unwrap();
            world.set_tile(0, (20, 5), block).unwrap();
            let lift = rows(world.map(), &["###"], 21.0, 5.0);
            let lift = world.spawn_platform(lift.path(along(0.0, 10.0, f64::max(speed, 1.0)))).unwrap();
            world.pause_platform(lift).unwrap();
            let rider = world.spawn(body.clone().at((20.8, 6.45))).unwrap();
            (0..30).for_each(|_| world.step());
            assert_eq!((world.platform_under(rider), world.contacts(rider).len()), (None, 2));
            world.set_tile(0, (20, 5), TileId::EMPTY).unwrap();
            let start = offset(&world, rider, lift);
            for tick in 1..=90 {
                // From the tick after the edit on, the lift moves.
                if speed > 0.0 && tick > 1 {
                    world.resume_platform(lift).unwrap();
                }
                world.step();
                let what = format!("{speed} tick {tick} {:?}", world[rider].body());
                assert_eq!((offset(&world, rider, lift), world.platform_under(rider)), (start, Some(lift)), "{what}");
                assert_eq!((world.events(), world[rider].on_floor()), (&[][..], true), "{what}");
            }
            let up = world[rider].position().to_dvec2().y - 6.45;
            assert!((up - speed * 89.0 / 60.0).abs() < 1e-6, "{speed}: {up}");
        }
    }
}

/// A block is set into a rider, which is stuck then, while its platform goes on sideways, up or down. Each contact of
/// the rider with the platform is at the platform's top as long as there is one, and the saved world can be loaded.
#[test]
fn a_stuck_rider_touches_its_platform_only_where_the_platform_is() {
    for (body, (x, y)) in
        riders().into_iter().flat_map(|body| [(60.0, 0.0), (0.0, 30.0), (0.0, -3.0)].map(|to| (body.clone(), to)))
    {
        let mut world = World::new(floor(), Settings::default());
        let platform = rows(world.map(), &["####################"], 0.0, 5.5).path(along(x, y, 1.5));
        let platform = world.spawn_platform(platform).unwrap();
        let block = world.map().find_tile('#').unwrap();
        let rider = world.spawn(body.at((11.0, 6.95))).unwrap();
        (0..10).for_each(|_| world.step());
        let what = format!("{:?} {x} {y}", world[rider].body());
        let row = world[rider].position().to_dvec2().y.floor() as i32;
        world.set_tile(0, (10, row), block).unwrap();
        world.set_tile(0, (11, row), block).unwrap();
        let mut ticks_with_contact = 0;
        for tick in 11..60 {
            world.step();
            assert!(world[rider].is_stuck(), "{what}");
            let top = world.platform(platform).unwrap().position().units().y + ONE;
            let contacts = world.contacts(rider);
            let on_platform = contacts.iter().filter(|contact| contact.platform.is_some());
            let tops: Vec<_> = on_platform.map(|contact| contact.point.units().y).collect();
            assert!(tops.iter().all(|at| *at == top), "{what}, tick {tick}: {tops:?}, {top}");
            ticks_with_contact += u32::from(!tops.is_empty());
            let saved = Snapshot::from_bytes(&world.capture().to_bytes()).unwrap();
            world.clone().restore(&saved).unwrap_or_else(|error| panic!("{what}, tick {tick}: {error}"));
        }
        // Sideways, the platform slides along below the rider. It leaves a rider up or down at once.
        assert_eq!(ticks_with_contact, if y == 0.0 { 49 } else { 0 }, "{what}");
    }
}
