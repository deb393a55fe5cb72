//! Shift commands: how far bodies move, what they carry, and who notices. Results are computed by hand.

use crate::bodies::{ball_at, colliding, crate_at, falling, hero_at, positions, spawn, steps};
use crate::body_laws::brought_back;
use crate::prelude::*;

/// Runs each scene without platforms, and with one far away.
fn with_and_without_platforms(mut run: impl FnMut(&dyn Fn(&mut World))) {
    run(&|_| {});
    run(&|world| {
        let far = Platform::from_rows(world.map(), ["#"]).unwrap().at((90.0, 90.0));
        world.spawn_platform(far).unwrap();
    });
}

fn kinds(world: &World) -> Vec<&'static str> {
    world.events().iter().map(|event| event.kind.name()).collect()
}

/// Shifted from 0.5 by 5 tiles, with a wall 2.5 tiles ahead of its side at 1: the body moves by 2 and stops at the
/// wall. In the same tick it falls by g dt^2 / 2. It keeps its speed of 1 tile per second for the next tick.
#[test]
fn a_shift_moves_as_far_as_there_is_room_and_keeps_the_velocity() {
    for (shape, mask) in [(Shape::aabb(0.5, 0.5), CollisionLayers::NONE), (Shape::circle(0.5), CollisionLayers::ALL)] {
        for (way, x) in [(2.0, 2.5), (-0.25, 0.25), (5.0, 3.5 - 1.0 / 60.0)] {
            with_and_without_platforms(|prepare| {
                for symmetry in Symmetry::all() {
                    let mut canvas = Canvas::default();
                    canvas.blocks((4, -4), (4, 8));
                    let settings = symmetry.settings().gravity(symmetry.velocity(DVec2::new(0.0, -30.0)));
                    let mut world = World::new(canvas.map(symmetry), settings);
                    prepare(&mut world);
                    let start = symmetry.position(position(0.5, 4.5));
                    let leaves = if way == 5.0 { -1.0 } else { 0.0 };
                    let body = Body::new(symmetry.shape(shape)).at(start).collision_mask(mask);
                    let body = body.velocity(symmetry.velocity(DVec2::new(leaves, 0.0)));
                    let id = world.spawn(body).unwrap();
                    world.move_by(id, symmetry.velocity(DVec2::new(way, 0.0))).unwrap();
                    assert_eq!(world[id].position(), start, "not before the tick");
                    world.step();
                    let fell = 30.0 / 60.0 / 60.0 / 2.0;
                    let at = symmetry.position(position(x, 4.5 - fell));
                    let off = (world[id].position() - at).abs().max_element();
                    assert!(off <= 4, "{way} {symmetry:?} {off}");
                    let velocity = symmetry.velocity(DVec2::new(leaves, -0.5));
                    assert!((world[id].velocity() - velocity).abs().max_element() < 1e-9, "{way} {symmetry:?}");
                    assert_eq!(world[id].previous_position(), start);
                    let corner = symmetry.position(position(x - leaves / 60.0, 4.5));
                    assert_eq!(world[id].path(), [corner, world[id].position()], "{way} {symmetry:?}");
                }
            });
        }
    }
}

/// A quarter of a tile to the foot of a slope of 1:1. Of the remaining 0.75, the part along the slope counts: half of
/// it to the right, and as much up.
#[test]
fn a_shift_slides_along_slopes() {
    with_and_without_platforms(|prepare| {
        for mask in [CollisionLayers::NONE, CollisionLayers::ALL] {
            let mut canvas = Canvas::default();
            canvas.blocks((-4, -1), (8, -1));
            canvas.paint((2, 0), "slope_45");
            canvas.paint((3, 1), "slope_45");
            let mut world = World::new(canvas.map(Symmetry::all().next().unwrap()), Settings::default());
            prepare(&mut world);
            let body = Body::new(Shape::aabb(0.5, 0.5)).at((1.25, 0.5)).friction(1.0).collision_mask(mask);
            // With another body next to it, the body moves as part of an island.
            world.spawn(body.clone().at((-0.75, 0.5))).unwrap();
            let id = world.spawn(body).unwrap();
            world.move_by(id, (1.0, 0.0)).unwrap();
            world.step();
            let off = world[id].position() - position(1.25 + 0.25 + 0.375, 0.5 + 0.375);
            assert!(off.abs().max_element() <= 16, "{mask:?} {off}");
        }
    });
}

/// Shifted by 4 to the right and 2 up, below a ceiling that ends halfway: along the ceiling until its end, then
/// diagonally.
#[test]
fn a_shift_continues_past_the_end_of_an_obstacle() {
    with_and_without_platforms(|prepare| {
        for mask in [CollisionLayers::NONE, CollisionLayers::ALL] {
            for symmetry in Symmetry::all() {
                let mut canvas = Canvas::default();
                canvas.blocks((-2, 1), (2, 1));
                let settings = symmetry.settings().gravity((0.0, 0.0));
                let mut world = World::new(canvas.map(symmetry), settings);
                prepare(&mut world);
                let body = |x: f64| {
                    let body = Body::new(symmetry.shape(Shape::aabb(0.5, 0.5))).collision_mask(mask);
                    body.at(symmetry.position(position(x, 0.5)))
                };
                // With another body next to it, the body moves as part of an island.
                world.spawn(body(0.5)).unwrap();
                let id = world.spawn(body(1.5)).unwrap();
                world.move_by(id, symmetry.velocity(DVec2::new(4.0, 2.0))).unwrap();
                world.step();
                let off = world[id].position() - symmetry.position(position(5.5, 1.5));
                assert!(off.abs().max_element() <= 2, "{symmetry:?} {mask:?} {off}");
                let corner = symmetry.position(position(3.5, 0.5));
                // The ends of ceiling tiles may be parts of the path too.
                let [.., last, _] = world[id].path() else { panic!("{:?}", world[id].path()) };
                assert!((*last - corner).abs().max_element() <= 2, "{last:?}");
            }
        }
    });
}

/// A tower of two crates with a hero on it moves by 2 to the right, or up by 1.25, to the unit. Bodies next to it stay.
#[test]
fn a_shift_carries_bodies_on_top() {
    with_and_without_platforms(|prepare| {
        for way in [(2.0, 0.0), (-0.375, 0.0), (0.0, 1.25), (1.0, 0.5)] {
            let mut world = falling(&[]);
            prepare(&mut world);
            let bodies = [
                crate_at(0.0, 0.5),
                crate_at(0.25, 1.5),
                hero_at(0.25, 2.45),
                ball_at(0.5, 0.25, 3.4),
                crate_at(6.0, 0.5),
            ];
            let ids = spawn(&mut world, bodies);
            steps(&mut world, 120);
            let before = positions(&world, ids);
            world.move_by(ids[0], way).unwrap();
            world.step();
            let fell = if way.1 > 0.0 { 30.0 / 60.0 / 60.0 / 2.0 } else { 0.0 };
            let by = position(way.0, way.1 - fell) - Position::ORIGIN;
            for (i, (id, from)) in ids.into_iter().zip(before).enumerate() {
                let by = if i < 4 { by } else { I64Vec2::ZERO };
                let off = (world[id].position() - from - by).abs().max_element();
                assert!(off <= i64::from(way.1 > 0.0), "{way:?} {i} {off}");
            }
            steps(&mut world, 120);
            for (id, from) in ids.into_iter().zip(before).take(4) {
                let to = from + I64Vec2::new(by.x, 0);
                assert!((world[id].position() - to).abs().max_element() <= 64, "{way:?}: it comes down again");
            }
        }
    });
}

/// Sleeping crates: one shifted off an edge falls, and so does a crate that loses its support. One shifted onto a
/// sleeping crate falls asleep there.
#[test]
fn sleeping_bodies_are_shifted_too() {
    with_and_without_platforms(|prepare| {
        let mut world =
            World::new(map(&["........", "........", "........", "####....", "########"]), Settings::default());
        prepare(&mut world);
        let solid = |x, y| colliding(Shape::aabb(0.5, 0.5)).at((x, y)).friction(0.6);
        let [one, other, far] = spawn(&mut world, [solid(2.5, 2.5), solid(2.5, 3.5), solid(6.5, 1.5)]);
        steps(&mut world, 120);
        world.move_by(one, (2.0, 0.0)).unwrap();
        world.move_by(other, (-1.0, 0.0)).unwrap();
        steps(&mut world, 120);
        // The upper crate has a shift of its own, and is not carried.
        assert_eq!(positions(&world, [one, other, far]), [position(4.5, 1.5), position(1.5, 2.5), position(6.5, 1.5)]);
        world.move_by(other, (5.0, 1.0)).unwrap();
        steps(&mut world, 120);
        assert_eq!(positions(&world, [one, other, far]), [position(4.5, 1.5), position(6.5, 2.5), position(6.5, 1.5)]);
        world.move_by(far, (-1.0, 0.0)).unwrap();
        world.step();
        assert_eq!(positions(&world, [one, other, far]), [position(4.5, 1.5), position(5.5, 2.5), position(5.5, 1.5)]);
    });
}

/// Obstacles stop a shift. A wall in front of a carried body stops only that body, other bodies are not pushed, and a
/// ceiling above the rider stops both.
#[test]
fn a_shift_pushes_nothing() {
    with_and_without_platforms(|prepare| {
        let mut world = falling(&[]);
        prepare(&mut world);
        let [shifted, other] = spawn(&mut world, [crate_at(0.0, 0.5), crate_at(3.0, 0.5)]);
        world.move_by(shifted, (8.0, 0.0)).unwrap();
        world.step();
        assert_eq!(positions(&world, [shifted, other]), [position(2.0, 0.5), position(3.0, 0.5)]);
        let map = map(&[".......", "....#..", ".......", "#######"]);
        let mut world = World::new(map.clone(), Settings::default());
        prepare(&mut world);
        let solid = |x, y| colliding(Shape::aabb(0.5, 0.5)).at((x, y)).friction(0.6);
        let [lower, upper] = spawn(&mut world, [solid(2.5, 1.5), solid(2.5, 2.5)]);
        steps(&mut world, 60);
        world.move_by(lower, (3.0, 0.0)).unwrap();
        world.step();
        assert_eq!(world[lower].position(), position(5.5, 1.5));
        assert_eq!(world[upper].position().units().x, position(3.5, 0.0).units().x, "it slides off below the wall");
        // A body without its support falls: no body sleeps in the air.
        steps(&mut world, 60);
        assert_eq!(world[upper].position().units().y, position(0.0, 1.5).units().y);
        let mut world = World::new(map, Settings::default());
        prepare(&mut world);
        let [lower, upper] = spawn(
            &mut world,
            [colliding(Shape::aabb(0.5, 0.25)).at((4.5, 1.25)), colliding(Shape::aabb(0.25, 0.125)).at((4.5, 1.625))],
        );
        world.move_by(lower, (0.0, 1.0)).unwrap();
        world.step();
        // The ceiling is at 2: 0.25 above the upper body.
        let fell = position(0.0, 40.0 / 60.0 / 60.0 / 2.0).units().y;
        for (id, y) in [(lower, 1.5), (upper, 1.875)] {
            let off = position(0.0, y).units().y - fell - world[id].position().units().y;
            assert!(off.abs() <= 2, "{off}");
        }
    });
}

/// On a platform that moves 0.05 to the right per tick, a shift moves the body by 1.05. Its rider too, and a stopped
/// body too.
#[test]
fn a_shift_adds_to_the_motion_of_a_platform() {
    for stopped in [false, true] {
        let mut world = World::new(map(&["........", "........", "########"]), Settings::default());
        let path = along(3.0, 0.0, 3.0);
        let platform = Platform::from_rows(world.map(), ["##"]).unwrap().at((1.0, 1.0)).path(path);
        world.spawn_platform(platform).unwrap();
        let box_at = |y: f64| colliding(Shape::aabb(0.25, 0.25)).at((1.5, y)).friction(0.6);
        let ids = spawn(&mut world, [box_at(2.25), box_at(2.75)]);
        steps(&mut world, 10);
        let before = positions(&world, ids);
        world.move_by(ids[0], (1.0, 0.0)).unwrap();
        if stopped {
            world.hit_stop(ids[0], 3).unwrap();
        }
        world.step();
        let by = position(1.05, 0.0) - Position::ORIGIN;
        for (id, from) in ids.into_iter().zip(before) {
            let off = (world[id].position() - from - by).abs().max_element();
            assert!(off <= 1, "{off}");
        }
    }
}

/// A thin area lies between the old and the new position: the shifted body enters and leaves it, once each. A teleport
/// does neither.
#[test]
fn areas_and_drawing_see_the_path_of_a_shift() {
    with_and_without_platforms(|prepare| {
        for mask in [CollisionLayers::NONE, CollisionLayers::ALL] {
            let mut world = World::new(map(&["........", "........", "########"]), Settings::default());
            prepare(&mut world);
            let area = Area::new(AreaShape::aabb(0.125, 1.0).unwrap());
            world.spawn_area(area.at((4.0, 1.5))).unwrap();
            let body = Body::new(Shape::aabb(0.25, 0.5)).at((1.0, 1.5)).collision_mask(mask);
            let id = world.spawn(body).unwrap();
            steps(&mut world, 60);
            let mut other = world.clone();
            world.move_by(id, (6.0, 0.0)).unwrap();
            other.teleport(id, (7.0, 1.5)).unwrap();
            world.step();
            other.step();
            assert_eq!((world[id].position(), other[id].position()), (position(7.0, 1.5), position(7.0, 1.5)));
            assert_eq!(kinds(&world).iter().filter(|kind| ["area_entered", "area_exited"].contains(kind)).count(), 2);
            assert!(!kinds(&other).iter().any(|kind| ["area_entered", "area_exited"].contains(kind)));
            assert_eq!((world[id].position_at(0.5).x, other[id].position_at(0.5).x), (4.0, 7.0));
            world.step();
            assert_eq!((world[id].position(), world[id].path()), (position(7.0, 1.5), &[][..]), "no more of it");
        }
    });
}

/// A walker continues to walk in the tick, at 8 tiles per second. A ball with no body near it flies on as before.
#[test]
fn a_shifted_body_also_has_its_own_motion() {
    with_and_without_platforms(|prepare| {
        let mut world = World::new(map(&[".".repeat(40).as_str(), &"=".repeat(40)]), Settings::default());
        prepare(&mut world);
        let hero = world.spawn(hero_at(1.0, 1.45).collision_mask(CollisionLayers::NONE)).unwrap();
        let ball = Body::new(Shape::circle(0.25)).at((1.0, 9.0)).velocity((6.0, 0.0)).gravity_scale(0.0);
        let ball = world.spawn(ball).unwrap();
        world.set_input(hero, Input { walk: 127, ..Input::default() });
        steps(&mut world, 60);
        let before = positions(&world, [hero, ball]);
        world.move_by(hero, (0.5, 0.0)).unwrap();
        world.move_by(ball, (0.5, 0.25)).unwrap();
        steps(&mut world, 3);
        for ((id, from), by) in [hero, ball].into_iter().zip(before).zip([(0.9, 0.0), (0.8, 0.25)]) {
            let off = world[id].position() - from - (position(by.0, by.1) - Position::ORIGIN);
            assert!(off.abs().max_element() <= 8, "{off}");
        }
    });
}

/// A stuck body stays, a carried body stays with its carrier, and a body with the response `Pass` hits nothing.
#[test]
fn a_stuck_body_stays_and_a_passing_one_hits_nothing() {
    with_and_without_platforms(|prepare| {
        let mut world = World::new(map(&[".....", "..#..", "#####"]), Settings::default());
        prepare(&mut world);
        let stuck = world.spawn(Body::new(Shape::aabb(0.25, 0.25)).at((2.5, 1.5))).unwrap();
        let ghost = Body::new(Shape::aabb(0.25, 0.25)).at((1.5, 1.5)).gravity_scale(0.0).response(Response::Pass);
        let ghost = world.spawn(ghost).unwrap();
        world.step();
        assert!(world[stuck].is_stuck());
        world.move_by(stuck, (1.0, 1.0)).unwrap();
        world.move_by(ghost, (2.0, 0.0)).unwrap();
        world.step();
        assert_eq!(positions(&world, [stuck, ghost]), [position(2.5, 1.5), position(3.5, 1.5)]);
        let mut world = falling(&[]);
        prepare(&mut world);
        let [hero, held] = spawn(&mut world, [hero_at(0.0, 0.45), ball_at(0.25, 0.7, 0.25)]);
        world.carry(hero, held, (0.0, 1.0)).unwrap();
        world.step();
        world.move_by(held, (5.0, 0.0)).unwrap();
        world.step();
        assert_eq!(world[held].position() - world[hero].position(), I64Vec2::new(0, ONE));
        world.move_by(hero, (5.0, 0.0)).unwrap();
        world.step();
        assert_eq!(world[hero].position(), position(5.0, 0.45));
        assert_eq!(world[held].position() - world[hero].position(), I64Vec2::new(0, ONE));
    });
}

/// Shifts that are not finite, too long, or for a missing body are rejected: nothing changes and nothing is recorded.
/// Several shifts add up.
#[test]
fn shifts_that_are_refused_change_nothing() {
    let mut world = World::new(map(&["....", "....", "####"]), Settings::default());
    let id = world.spawn(Body::new(Shape::aabb(0.25, 0.5)).at((1.0, 1.5))).unwrap();
    let gone = world.spawn(Body::new(Shape::circle(0.25)).at((3.0, 2.5))).unwrap();
    world.despawn(gone).unwrap();
    let before = (world.checksum(), world.commands().len());
    assert_eq!(world.move_by(gone, (1.0, 0.0)), Err(CommandError::NoSuchBody(gone)));
    for (way, error) in [
        ((f64::NAN, 0.0), "`displacement.x` is NaN; expected -250 to 250"),
        ((0.0, -250.5), "`displacement.y` is -250.5; expected -250 to 250"),
    ] {
        assert_eq!(world.move_by(id, way).unwrap_err().to_string(), error);
    }
    assert_eq!((world.checksum(), world.commands().len()), before);
    for way in [(1.0, 0.0), (0.0, 0.5), (0.25, -0.5)] {
        world.move_by(id, way).unwrap();
    }
    world.step();
    assert_eq!(world[id].position(), position(2.25, 1.5));
}

/// A world restored between the command and its tick, a log and a replay text shift the body as the original world did.
#[test]
fn shifts_are_saved_recorded_and_written() {
    let text = r#"Replay(format: 1, ticks: 20, map: Inline(Map(format: 1, tiles: ["........", "........", "========"])),
        bodies: [(name: "hero", shape: Aabb(0.25, 0.5), at: At(2.0, 1.5), character: ())],
        inputs: {"hero": [(ticks: 20, walk: 127)]},
        commands: [(tick: 3, do: MoveBy("hero", (1.5, 0.25)))])"#;
    let replay = Replay::from_ron(text).unwrap();
    let written = replay.to_ron();
    assert_eq!(Replay::from_ron(&written).unwrap(), replay, "{written}");
    assert!(written.contains(r#"MoveBy("hero", (1.5, 0.25))"#), "{written}");
    let mut player = Playback::new(&replay);
    player.run().unwrap();
    for way in 0..4 {
        let mut world = World::new(replay.map().clone(), replay.settings());
        let hero = Body::new(Shape::aabb(0.25, 0.5)).at((2.0, 1.5)).character(Character::default());
        let hero = world.spawn(hero).unwrap();
        let mut recorder: Recorder = Recorder::new(&world, 5);
        for tick in 0..20 {
            world.set_input(hero, Input::walk(1.0));
            if tick == 3 {
                world.move_by(hero, (1.5, 0.25)).unwrap();
                if way < 3 {
                    world = brought_back(world, way);
                }
            }
            world.step();
            if way == 3 {
                recorder.record_tick(&world).unwrap();
            }
        }
        assert_eq!(player.world().checksum(), world.checksum(), "{way}");
        if way == 3 {
            let log: Recording = recorder.finish(&world).unwrap();
            let begun = World::new(replay.map().clone(), replay.settings());
            let mut again = Playback::of_commands(log, begun).unwrap();
            assert_eq!(again.run().unwrap().checksum, world.checksum());
        }
    }
}
