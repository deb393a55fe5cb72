//! Bodies that stop at what they touch, and bodies that pass through everything, among platforms.

use crate::platforms::{at, floor, offset, path, rows};
use crate::prelude::*;

fn shapes() -> [Shape; 2] {
    [Shape::aabb(0.375, 0.375), Shape::circle(0.375)]
}

fn stops(shape: Shape) -> Body {
    Body::new(shape).response(Response::Stop)
}

/// A world with platforms, and the first of them.
fn world_with(map: &Map, platforms: Vec<Platform>) -> (World, PlatformId) {
    let mut world = World::new(map.clone(), Settings::default());
    let ids: Vec<_> = platforms.into_iter().map(|platform| world.spawn_platform(platform).unwrap()).collect();
    (world, ids.first().copied().unwrap_or_default())
}

const WAYS: [((f64, f64), f64); 4] = [((0.0, 9.0), 3.0), ((0.0, -9.0), 6.0), ((9.0, 0.0), 17.3), ((-6.0, 4.0), 1.0)];

#[test]
fn a_stopping_body_rides() {
    let map = floor();
    for shape in shapes() {
        for (way, speed) in WAYS {
            let lift = rows(&map, &["####"], 20.0, 20.0).path(path(&[(0.0, 0.0), way], speed));
            let (mut world, lift) = world_with(&map, vec![lift]);
            let body = world.spawn(stops(shape).at((22.0, 21.375))).unwrap();
            for tick in 1..=240 {
                world.step();
                assert_eq!(offset(&world, body, lift), at(2.0, 1.375).units(), "{shape:?} {way:?} tick {tick}");
                assert_eq!((world.platform_under(body), world[body].relative_velocity()), (Some(lift), DVec2::ZERO));
                assert!(body_events(&world).is_empty() && world[body].on_floor(), "{shape:?} {way:?} tick {tick}");
            }
        }
    }
}

/// The body falls a little more than half a tile onto a lift. It must stop where it touches the lift, and keep that
/// place on it.
#[test]
fn a_stopping_body_lands_on_a_moving_platform() {
    let map = floor();
    for shape in shapes() {
        for (way, speed) in WAYS {
            let lift = rows(&map, &["########"], 16.0, 20.0).path(path(&[(0.0, 0.0), way], speed));
            let (mut world, lift) = world_with(&map, vec![lift]);
            let body = world.spawn(stops(shape).at((20.0, 21.925))).unwrap();
            let (mut hit, mut hits) = (None, 0);
            // Play no more ticks than the lift needs for its first leg, which is at least 6 tiles.
            for tick in 1..=30 {
                world.step();
                let what = format!("{shape:?} {way:?} tick {tick}");
                let hits_now = world.events().iter().any(|event| matches!(event.kind, EventKind::HitTile { .. }));
                hits += u32::from(hits_now);
                match hit {
                    None if hits_now => {
                        hit = Some((tick, offset(&world, body, lift)));
                        assert_eq!(offset(&world, body, lift).y, ONE + 3 * ONE / 8, "{what}");
                        assert_eq!(world.platform_under(body), Some(lift), "{what}");
                    }
                    Some((at, place)) => {
                        // In the tick of the hit, the body keeps its sideways position in the world. From the next tick
                        // on it moves along.
                        assert_eq!(
                            (offset(&world, body, lift), world.platform_under(body)),
                            (place, Some(lift)),
                            "{what}"
                        );
                        assert!(tick > at && world[body].relative_velocity() == DVec2::ZERO, "{what}");
                    }
                    None => {}
                }
            }
            let (_, place) = hit.unwrap();
            assert_eq!((offset(&world, body, lift), hits), (place, 1), "{shape:?} {way:?}");
        }
    }
}

/// A wall comes from the left at 4 tiles per second, 1/15 per tick, over a gap of 2.15 tiles: more than 32 ticks. From
/// then on the body is flush with the wall, on a floor and in the air. In the air, it has the wall's velocity.
#[test]
fn a_stopping_body_is_pushed() {
    let map = floor();
    for shape in shapes() {
        for (y, gravity_scale) in [(1.375, 1.0), (10.0, 0.0)] {
            let wall = rows(&map, &["#", "#"], 10.0, y - 0.875).path(along(40.0, 0.0, 4.0));
            let (mut world, wall) = world_with(&map, vec![wall]);
            let body = world.spawn(stops(shape).gravity_scale(gravity_scale).at((13.525, y))).unwrap();
            for tick in 1..=300 {
                world.step();
                let place = world[body].position().units();
                let side = world.platform(wall).unwrap().position().units().x + ONE + 3 * ONE / 8;
                let x = if tick <= 32 { at(13.525, 0.0).units().x } else { side };
                // In the air, the body flies on its own after the push. Its velocity is rounded as the platform's
                // displacement per tick is.
                let off = place - I64Vec2::new(x, at(0.0, y).units().y);
                let rounded = if gravity_scale == 0.0 { tick.max(32) - 32 } else { 0 };
                assert!((0..=rounded).contains(&off.x) && off.y == 0, "{shape:?} {gravity_scale} tick {tick}: {off}");
                if tick > 33 && gravity_scale == 0.0 {
                    let velocity = world[body].velocity() - DVec2::new(4.0, 0.0);
                    assert!(velocity.length() < 1e-7, "{shape:?} tick {tick}: {velocity}");
                }
            }
        }
    }
}

/// A ceiling with its underside at 8 moves down at 40 tiles per second onto a body of 0.75 on the floor at 1: (8 -
/// 1.75) / (2 / 3) = 9.4.
#[test]
fn a_stopping_body_is_crushed() {
    let map = floor();
    for shape in shapes() {
        for on_crush in [OnCrush::Stop, OnCrush::PassThrough] {
            let down = Path { repeat: Repeat::Once, ..path(&[(0.0, 0.0), (0.0, -8.0)], 40.0) };
            let press = rows(&map, &["##"], 20.0, 8.0).path(down).on_crush(on_crush);
            let (mut world, press) = world_with(&map, vec![press]);
            let body = world.spawn(stops(shape).at((21.0, 1.375))).unwrap();
            for tick in 1..=30 {
                world.step();
                let told = world.events().iter().filter(|event| event.kind == EventKind::Crushed { platform: press });
                assert_eq!(told.count(), usize::from(tick == 10), "{shape:?} {on_crush:?} tick {tick}");
                assert_eq!(world[body].position(), at(21.0, 1.375), "{shape:?} {on_crush:?} tick {tick}");
            }
            let y = if on_crush == OnCrush::Stop { 1.75 } else { 0.0 };
            assert_eq!(world.platform(press).unwrap().position(), at(20.0, y), "{shape:?} {on_crush:?}");
        }
    }
}

/// A body that passes through everything moves with the bits of a world without platforms, and touches nothing.
#[test]
fn a_passing_body_is_never_moved_and_never_crushed() {
    let map = floor();
    for shape in shapes() {
        let body = Body::new(shape).response(Response::Pass);
        let floats = body.clone().gravity_scale(0.0);
        let bodies = [
            body.clone().at((21.0, 21.375)),
            floats.clone().at((21.0, 21.375)),
            floats.clone().at((28.0, 1.375)),
            floats.velocity((-3.0, 1.0)).at((32.0, 2.0)),
            body.velocity((2.0, 9.0)).at((15.0, 2.0)),
        ];
        for on_crush in [OnCrush::Stop, OnCrush::PassThrough] {
            let lift = rows(&map, &["####"], 20.0, 20.0).path(along(0.0, 8.0, 8.0));
            let press = rows(&map, &["####"], 27.0, 8.0).path(along(0.0, -7.0, 20.0));
            let wall = rows(&map, &["#", "#", "#"], 10.0, 1.0).path(along(30.0, 0.0, 17.3));
            let platforms = [lift, press, wall].map(|platform| platform.on_crush(on_crush));
            let mut worlds = [platforms.into(), vec![]].map(|platforms| world_with(&map, platforms).0);
            for world in &mut worlds {
                for body in &bodies {
                    world.spawn(body.clone()).unwrap();
                }
            }
            for tick in 1..=240 {
                let [with, without] = worlds.each_mut().map(|world| {
                    world.step();
                    let states = world.bodies().map(|(id, body)| {
                        (
                            body.position(),
                            body.velocity(),
                            body.on_floor(),
                            world.platform_under(id),
                            world.contacts(id).len(),
                        )
                    });
                    (states.collect::<Vec<_>>(), body_events(world))
                });
                assert_eq!(with, without, "{shape:?} {on_crush:?} tick {tick}");
                assert!(with.0.iter().all(|body| !body.2 && body.3.is_none() && body.4 == 0), "{shape:?} tick {tick}");
            }
            // The platforms are where they would be without the body, after two rounds of the lift.
            let (mut bare, _) = world_with(&map, vec![]);
            for (_, state) in worlds[0].platforms() {
                bare.spawn_platform(state.platform().clone()).unwrap();
            }
            (0..240).for_each(|_| bare.step());
            assert!(worlds[0].platforms().map(|(_, p)| p.position()).eq(bare.platforms().map(|(_, p)| p.position())));
        }
    }
}
