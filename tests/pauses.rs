//! Bodies that wait for some ticks: knockback, which ignores a character's input, and hit stop, which freezes a body.

use crate::nudges::{body, jump, under};
use crate::prelude::*;
use crate::table::{all_ways_of, pairs};
use surefoot::command::MAX_PAUSE_TICKS;

/// Characters with plain jumps, and characters with every timer.
fn characters() -> [Character; 2] {
    let all = Character {
        coyote_time: 0.1,
        jump_buffer: 0.2,
        air_jumps: 1,
        wall_slide_speed: 3.0,
        wall_jump_speed: 6.0,
        wall_coyote_time: 0.1,
        wall_stick_time: 0.1,
        wall_jump_lock_time: 0.2,
        dash_speed: 14.0,
        dash_time: 0.1,
        dash_end_speed_scale: 0.5,
        min_jump_height: 1.0,
        ..jump()
    };
    [jump(), all]
}

fn bodies() -> impl Iterator<Item = Body> {
    let masks = [CollisionLayers::NONE, CollisionLayers::ALL];
    let all = shapes().into_iter().flat_map(move |shape| characters().map(move |character| body(shape, character)));
    all.flat_map(move |body| masks.map(|mask| body.clone().collision_mask(mask)))
}

fn random_input(random: &mut Random) -> Input {
    let mut flag = || random.below(2) == 0;
    let (jump, down, up, dash) = (flag(), flag(), flag(), flag());
    Input { walk: random.pick(&[-127, -60, 0, 127]), jump, down, up, dash }
}

/// In the air without gravity: 3 to the left and 2 up for 20 ticks, whatever is held. In the next tick, input to the
/// right counts, with `air_acceleration` for a tick.
#[test]
fn a_knockback_moves_straight_for_its_ticks() {
    all_ways(|how| {
        for hero in bodies() {
            let character =
                Character { jump_time: 0.0, air_acceleration: 30.0, dash_speed: 0.0, ..hero.character.unwrap() };
            let mut stage = Stage::new(&under(&[]), how, hero.character(character), (0.0, 8.0), 0.0);
            let held = stage.held(127, true);
            stage.world.set_input(stage.hero, held);
            stage.world.knockback(stage.hero, DVec2::new(-3.0, 2.0), 20).unwrap();
            for made in 1..=20 {
                assert_eq!(stage.world.input_lock_left(stage.hero), 21 - made);
                stage.world.step();
                let expected = DVec2::new(0.0, 8.0) + DVec2::new(-3.0, 2.0) * (TICK * f64::from(made));
                assert!(is_near(stage.place(), expected), "{made}: {}", stage.place());
                assert_eq!(stage.hero().input(), held);
            }
            assert_eq!(stage.world.input_lock_left(stage.hero), 0);
            stage.world.step();
            assert!(is_near(stage.velocity(), DVec2::new(-3.0 + 30.0 * TICK, 2.0)), "{}", stage.velocity());
        }
    });
}

/// Input during a knockback has no effect, to the bit: the character moves as one whose player has released everything.
/// In the air, on the ground, against walls, after wall jumps and dashes. It must not move as a character without
/// knockback.
#[test]
fn input_during_a_knockback_does_not_count() {
    let canvas = under(&[((3, 0), (3, 20)), ((-5, 0), (-5, 20)), ((0, 2), (1, 2))]);
    let mut others = 0;
    all_ways_of(pairs((1..).zip(bodies()), 0..2), |how, ((seed, hero), round)| {
        let mut random = Random(100 * seed + round);
        let mut stage = Stage::new(&canvas, how, hero.clone(), (-1.0, 0.5), 40.0);
        for _ in 0..6 {
            for _ in 0..random.below(40) {
                let input = random_input(&mut random);
                stage.input(input);
            }
            let velocity = DVec2::new(random.range(-9.0, 9.0), random.range(-2.0, 12.0));
            let ticks = 1 + random.below(30) as u32;
            stage.world.knockback(stage.hero, velocity, ticks).unwrap();
            let (mut still, mut free) = (stage.world.twin(), stage.world.twin());
            free.knockback(stage.hero, velocity, 0).unwrap();
            for _ in 0..ticks {
                let input = random_input(&mut random);
                stage.world.set_input(stage.hero, input);
                free.set_input(stage.hero, input);
                still.set_input(stage.hero, Input::default());
                stage.world.step();
                free.step();
                still.step();
                let (one, other) = (&stage.world[stage.hero], &still[stage.hero]);
                assert_eq!(one.position(), other.position(), "{seed} {round}");
                assert_eq!(one.velocity().to_array().map(f64::to_bits), other.velocity().to_array().map(f64::to_bits));
                assert_eq!((one.footing(), one.touching()), (other.footing(), other.touching()));
            }
            others += usize::from(free[stage.hero].position() != stage.hero().position());
        }
    });
    assert!(others > 133, "{others}");
}

/// A jump or dash pressed during the knockback does not happen afterwards, even if the button stays down. A later press
/// works.
#[test]
fn buttons_pressed_during_a_knockback_have_no_later_effect() {
    all_ways(|how| {
        for shape in shapes() {
            for button in [Input { jump: true, ..Input::default() }, Input { dash: true, up: true, ..Input::default() }]
            {
                let character = Character { dash_time: 0.1, dash_speed: 12.0, jump_buffer: 0.5, ..jump() };
                let mut stage = Stage::new(&under(&[]), how, body(shape, character), (0.0, 0.5), 40.0);
                let step = |stage: &mut Stage, input| {
                    stage.input(input);
                };
                step(&mut stage, Input::default());
                stage.world.knockback(stage.hero, (0.0, 0.0), 5).unwrap();
                (0..10).for_each(|_| step(&mut stage, button));
                assert!(stage.hero().on_floor() && stage.velocity() == DVec2::ZERO, "{}", stage.velocity());
                step(&mut stage, Input::default());
                step(&mut stage, button);
                assert!(!stage.hero().on_floor() && stage.velocity().y > 5.0, "{}", stage.velocity());
            }
        }
    });
}

/// A jump buffered in the air happens half a second later on the ground, but not after a knockback.
#[test]
fn a_knockback_drops_a_buffered_jump() {
    all_ways(|how| {
        for (lock, jumps) in [(None, true), (Some(1), false), (Some(0), false)] {
            let character = Character { jump_buffer: 0.5, ..jump() };
            let mut stage = Stage::new(&under(&[]), how, body(shapes()[0], character), (0.0, 0.7), 40.0);
            stage.step(0, true);
            assert!(!stage.hero().on_floor());
            let velocity = stage.velocity();
            lock.into_iter().for_each(|ticks| stage.world.knockback(stage.hero, velocity, ticks).unwrap());
            let mut highest = 0.0_f64;
            for _ in 0..30 {
                stage.step(0, true);
                highest = highest.max(stage.place().y);
            }
            assert_eq!(highest > 2.0, jumps, "{lock:?}: {highest}");
        }
    });
}

/// Worlds saved in the middle, as bytes and as text, and worlds at the start of a log continue alike. The remaining
/// ticks are part of the checksum.
#[test]
fn a_knockback_continues_in_snapshots_and_logs() {
    let level = map(&["............", "............", "............", "############"]);
    let mut world = World::new(level.clone(), Settings::default().tick(TICK));
    let [one, hero] = [2.0, 6.0].map(|x| {
        let hero = body(shapes()[0], characters()[1]).collision_mask(CollisionLayers::ALL);
        world.spawn(hero.at(position(x, 2.5))).unwrap()
    });
    world.set_input(hero, Input::walk(1.0));
    world.knockback(hero, (-3.0, 5.0), 30).unwrap();
    world.knockback(one, (3.0, 5.0), 12).unwrap();
    world.hit_stop(one, 9).unwrap();
    (0..5).for_each(|_| world.step());
    let bytes = world.capture().to_bytes();
    let text = world.capture().to_ron().unwrap();
    assert!(text.contains("pause: Some(") && text.contains("input: 25"), "{text}");
    let mut shorter = world.clone();
    shorter.knockback(hero, world[hero].velocity(), 24).unwrap();
    world.knockback(hero, world[hero].velocity(), 25).unwrap();
    assert_ne!(shorter.checksum(), world.checksum());
    shorter.knockback(hero, world[hero].velocity(), 25).unwrap();
    assert_eq!(shorter.checksum(), world.checksum());
    shorter.hit_stop(one, 5).unwrap();
    assert_ne!(shorter.checksum(), world.checksum());
    assert_eq!((world.hit_stop_left(one), shorter.hit_stop_left(one)), (4, 5));
    let mut recorder: Recorder = Recorder::new(&world, 5);
    let mut again: Vec<World> = [Snapshot::from_bytes(&bytes).unwrap(), Snapshot::from_ron(&text).unwrap()]
        .iter()
        .map(|snapshot| {
            let mut again = World::new(level.clone(), Settings::default());
            again.restore(snapshot).unwrap();
            again
        })
        .collect();
    again.push(world.clone());
    for tick in 0..40 {
        world.step();
        recorder.record_tick(&world).unwrap();
        for other in &mut again {
            other.step();
            assert_eq!(other.checksum(), world.checksum(), "{tick}");
        }
        if tick == 10 {
            [&mut world].into_iter().chain(&mut again).for_each(|world| {
                world.knockback(hero, (1.0, 2.0), 9).unwrap();
                world.hit_stop(hero, 3).unwrap();
            });
        }
    }
    assert!(!world.capture().to_ron().unwrap().contains("pause: Some"));
    let log: Recording = recorder.finish(&world).unwrap();
    let mut player = Playback::of_commands(log, World::new(level, Settings::default())).unwrap();
    assert_eq!(player.run().unwrap().checksum, world.checksum());
}

/// Values out of range, missing bodies and bodies without a character are rejected: nothing changes and nothing is
/// recorded. A removed or replaced body no longer waits.
#[test]
fn knockbacks_that_are_refused_change_nothing() {
    let mut world = World::new(map(&["....", "....", "####"]), Settings::default().tick(TICK));
    let hero = world.spawn(body(shapes()[0], jump()).at((1.0, 1.5))).unwrap();
    let ball = world.spawn(Body::new(Shape::circle(0.25)).at((3.0, 1.5))).unwrap();
    let gone = world.spawn(Body::new(Shape::circle(0.25)).at((3.0, 2.5))).unwrap();
    world.despawn(gone).unwrap();
    let before = (world.checksum(), world.commands().len());
    let range = |result| matches!(result, Err(CommandError::Body(BodyError::Range(_))));
    assert!(range(world.knockback(hero, (f64::NAN, 0.0), 3)) && range(world.knockback(hero, (0.0, 2e9), 3)));
    let error = world.knockback(hero, (0.0, 0.0), MAX_PAUSE_TICKS + 1).unwrap_err();
    assert_eq!(error.to_string(), "`ticks` is 65537; expected 0 to 65536");
    assert_eq!(world.knockback(ball, (0.0, 0.0), 3), Err(CommandError::NotACharacter(ball)));
    assert_eq!(world.knockback(gone, (0.0, 0.0), 3), Err(CommandError::NoSuchBody(gone)));
    assert_eq!(world.hit_stop(gone, 3), Err(CommandError::NoSuchBody(gone)));
    assert!(range(world.hit_stop(ball, MAX_PAUSE_TICKS + 1)));
    assert_eq!((world.checksum(), world.commands().len()), before);
    world.knockback(hero, (0.0, 0.0), MAX_PAUSE_TICKS).unwrap();
    let mut other = world.clone();
    other.set_body(hero, Body::new(shapes()[0])).unwrap();
    assert_eq!((world.input_lock_left(hero), other.input_lock_left(hero)), (MAX_PAUSE_TICKS, 0));
    world.despawn(hero).unwrap();
    assert_eq!(world.input_lock_left(hero), 0);
    assert!(!world.capture().to_ron().unwrap().contains("pause: Some"));
}

/// A replay text has the command, reads back as written, and plays as the code does.
#[test]
fn knockback_and_hit_stop_are_written_in_replays() {
    let text = r#"Replay(format: 1, ticks: 60, map: Inline(Map(format: 1, tiles: ["........", "........", "========"])),
        bodies: [(name: "hero", shape: Aabb(0.25, 0.5), at: At(2.0, 1.5), character: ())],
        inputs: {"hero": [(ticks: 60, walk: 127)]},
        commands: [
            (tick: 3, do: Knockback("hero", (-3.0, 5.5), 20)),
            (tick: 5, do: HitStop("hero", 6)),
        ])"#;
    let replay = Replay::from_ron(text).unwrap();
    let written = replay.to_ron();
    assert_eq!(Replay::from_ron(&written).unwrap(), replay, "{written}");
    for command in [r#"Knockback("hero", (-3.0, 5.5), 20)"#, r#"HitStop("hero", 6)"#] {
        assert!(written.contains(command), "{written}");
    }
    let mut world = World::new(replay.map().clone(), replay.settings());
    let hero = world.spawn(Body::new(Shape::aabb(0.25, 0.5)).at((2.0, 1.5)).character(Character::default())).unwrap();
    for tick in 0..60 {
        world.set_input(hero, Input::walk(1.0));
        if tick == 3 {
            world.knockback(hero, (-3.0, 5.5), 20).unwrap();
        }
        if tick == 5 {
            world.hit_stop(hero, 6).unwrap();
        }
        world.step();
    }
    let mut player = Playback::new(&replay);
    player.run().unwrap();
    assert_eq!(player.world().checksum(), world.checksum());
}

/// Everything that a body's next ticks depend on. The time in the air is relative to now.
fn state_of(world: &World, id: BodyId) -> String {
    let state = &world[id];
    let footing = match state.footing() {
        Footing::Air { since } => format!("in the air for {}", world.tick() - since),
        ground => format!("{ground:?}"),
    };
    let velocity = state.velocity().to_array().map(f64::to_bits);
    format!("{:?} {velocity:?} {footing} {:?}", state.position(), state.touching())
}

/// Characters with every ability, and bodies that bounce, slide with friction and stop.
fn all_bodies() -> Vec<Body> {
    let thrown = shapes().map(Body::new).into_iter().flat_map(|body| {
        [body.clone().bounce(0.7), body.clone().friction(0.4), body.response(Response::Stop).gravity_scale(0.5)]
    });
    bodies().chain(thrown).collect()
}

/// A body stopped now and then moves, in its moving ticks, as a body that was never stopped, to the bit. In all other
/// ticks it keeps its position. Both get the same input in their moving ticks.
#[test]
fn a_stopped_body_continues_as_if_it_had_not_been_stopped() {
    let canvas = under(&[((3, 0), (3, 20)), ((-5, 0), (-5, 20)), ((0, 2), (1, 2))]);
    all_ways_of((1..).zip(all_bodies()), |how, (seed, hero)| {
        let mut random = Random(seed);
        let hero = hero.velocity((3.0, 4.0));
        let mut free = Stage::new(&canvas, how, hero.clone(), (-1.0, 1.5), 40.0);
        let mut stage = Stage::new(&canvas, how, hero, (-1.0, 1.5), 40.0);
        let mut stopped = 0;
        for tick in 0..200 {
            let input = random_input(&mut random);
            if random.below(8) == 0 {
                let ticks = 1 + random.below(9) as u32;
                stage.world.hit_stop(stage.hero, ticks).unwrap();
                let before = (stage.hero().position(), stage.hero().velocity());
                for left in (0..ticks).rev() {
                    stage.input(if random.below(2) == 0 { input } else { Input::default() });
                    assert_eq!(stage.world.hit_stop_left(stage.hero), left);
                    assert_eq!((stage.hero().position(), stage.hero().velocity()), before);
                    assert!(stage.hero().path().is_empty() && !stage.hero().is_stuck());
                }
                stopped += u64::from(ticks);
            }
            for stage in [&mut stage, &mut free] {
                stage.input(input);
            }
            assert_eq!(stage.world.events(), free.world.events(), "{seed} {tick}");
            assert_eq!(state_of(&stage.world, stage.hero), state_of(&free.world, free.hero), "{seed} {tick}");
        }
        assert!(stopped > 50 && stage.world.tick() == 200 + stopped, "{stopped}");
    });
}

/// A ball with a bounce of 1 bounces off a stopped body of any mass as off a wall. Afterwards, the body continues as
/// before.
#[test]
fn a_stopped_body_acts_as_a_wall_for_other_bodies() {
    all_ways(|how| {
        for shape in shapes() {
            for mass in [0.01, 1.0, 100.0] {
                let hero = Body::new(shape).mass(mass).collision_mask(CollisionLayers::ALL).velocity((1.0, 2.0));
                let mut stage = Stage::new(&under(&[]), how, hero, (0.0, 8.0), 0.0);
                let ball = Body::new(Shape::circle(0.25)).bounce(1.0).collision_mask(CollisionLayers::ALL);
                let ball = stage.world.spawn(ball.at(position(3.0, 8.0)).velocity(DVec2::new(-6.0, 0.0))).unwrap();
                stage.world.hit_stop(stage.hero, 60).unwrap();
                (0..60).for_each(|_| stage.world.step());
                assert_eq!(stage.place(), DVec2::new(0.0, 8.0));
                assert!(is_near(stage.velocity(), DVec2::new(1.0, 2.0)));
                let velocity = stage.world[ball].velocity();
                assert!(is_near(velocity, DVec2::new(6.0, 0.0)), "{mass}: {velocity}");
                stage.world.step();
                assert!(is_near(stage.place(), DVec2::new(0.0, 8.0) + DVec2::new(1.0, 2.0) * TICK));
            }
        }
    });
}

/// A stopped walker on a lift at 3 tiles per second rides along, and walks on at its speed afterwards. A wall at 3
/// tiles per second pushes a stopped body, which keeps its own velocity.
#[test]
fn platforms_carry_and_push_a_stopped_body() {
    for mask in [CollisionLayers::NONE, CollisionLayers::ALL] {
        for shape in shapes() {
            let mut world = World::new(map(&[".........."; 9]), Settings::default().tick(TICK));
            let lift = Platform::from_rows(world.map(), ["########"]).unwrap().at((0.0, 0.0));
            let lift = world.spawn_platform(lift).unwrap();
            let hero = world.spawn(body(shape, jump()).collision_mask(mask).at((1.0, 1.5))).unwrap();
            world.set_input(hero, Input::walk(0.5));
            let mut height = 0.0;
            let mut step = |world: &mut World| {
                height += 3.0 * TICK;
                world.drive_platform(lift, position(0.0, height)).unwrap();
                world.step();
                height
            };
            for _ in 0..20 {
                step(&mut world);
            }
            let (x, relative) = (world[hero].position().to_dvec2().x, world[hero].relative_velocity());
            assert!(relative.x > 1.0);
            world.hit_stop(hero, 15).unwrap();
            for _ in 0..15 {
                let height = step(&mut world);
                let at = world[hero].position().to_dvec2();
                assert!(is_near(at, DVec2::new(x, height + 1.5)), "{mask:?} {at}");
                assert_eq!(world[hero].relative_velocity(), relative);
                assert!(is_near(world[hero].velocity(), relative + DVec2::new(0.0, 3.0)), "{}", world[hero].velocity());
                assert!(world.platform_under(hero).is_some());
                let bytes = world.capture().to_bytes();
                let mut again = World::new(map(&[".........."; 9]), Settings::default());
                again.restore(&Snapshot::from_bytes(&bytes).unwrap()).unwrap();
                assert_eq!(again.checksum(), world.checksum());
                assert_eq!(again.capture().to_bytes(), bytes);
            }
            let height = step(&mut world);
            let at = world[hero].position().to_dvec2();
            assert!(is_near(at, DVec2::new(x + relative.x * TICK, height + 1.5)), "{at}");
            assert!(is_near(world[hero].relative_velocity(), relative));

            let mut world = World::new(map(&[".........."; 9]), Settings::default().tick(TICK).gravity((0.0, 0.0)));
            let wall = Platform::from_rows(world.map(), ["##", "##"]).unwrap().at((0.0, 3.0));
            let wall = world.spawn_platform(wall).unwrap();
            let half = if shape.is_circle() { 0.5 } else { 0.375 };
            let pushed = Body::new(shape).collision_mask(mask).velocity((-1.0, 0.5)).at((2.0 + half, 4.0));
            let pushed = world.spawn(pushed).unwrap();
            world.hit_stop(pushed, 20).unwrap();
            for tick in 1..=20 {
                let x = 3.0 * TICK * f64::from(tick);
                world.drive_platform(wall, position(x, 3.0)).unwrap();
                world.step();
                let at = world[pushed].position().to_dvec2();
                assert!(is_near(at, DVec2::new(2.0 + half + x, 4.0)), "{mask:?} {tick}: {at}");
                assert_eq!(world[pushed].velocity(), DVec2::new(-1.0, 0.5));
            }
        }
    }
}

/// A lift carries a stopped body and a wall pushes it. Without the wall, the body
/// moves exactly as the lift does.
#[test]
fn a_lift_carries_and_a_wall_pushes_a_stopped_body() {
    all_ways_with(shapes(), |how, shape, mask| {
        let hero = body(shape, characters()[1]).collision_mask(mask);
        let mut stage = Stage::new(&under(&[]), how, hero, (0.0, 3.5), 40.0);
        // `spawn` adds a platform of blocks, from a lower left tile to an upper right tile.
        let mut spawn = |low: (i32, i32), high: (i32, i32)| {
            let rows = vec!["#".repeat((1 + high.0 - low.0) as usize); (1 + high.1 - low.1) as usize];
            let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
            let at = position(f64::from(low.0), f64::from(low.1));
            let platform = Platform::from_rows(stage.world.map(), rows).unwrap().at(at);
            (stage.world.spawn_platform(platform).unwrap(), at)
        };
        let (lift, wall) = (spawn((-4, 2), (3, 2)), spawn((4, 3), (4, 7)));
        let mut stopped = [0; 2];
        for tick in 1..=90 {
            let lifted = DVec2::new(0.015625, 0.03125);
            for ((id, at), each) in [(lift, lifted), (wall, DVec2::new(-0.0625, 0.03125))] {
                let way = each * f64::from(tick) + at.to_dvec2();
                stage.world.drive_platform(id, position(way.x, way.y)).unwrap();
            }
            if tick == 10 || tick == 50 {
                stage.world.hit_stop(stage.hero, 20).unwrap();
            }
            let before = stage.place();
            stage.step(if tick < 40 { 60 } else { 0 }, tick == 75);
            let way = stage.place() - before;
            if (10..30).contains(&tick) {
                assert!(is_near(way, lifted), "{mask:?} {tick}: {way}");
                stopped[0] += 1;
            } else if (50..70).contains(&tick) && way.x < 0.0 {
                assert!(is_near(way, DVec2::new(-0.0625, 0.03125)), "{mask:?} {tick}: {way}");
                stopped[1] += 1;
            }
        }
        assert!(stopped[0] == 20 && stopped[1] >= 10, "{stopped:?}");
    });
}

/// In an area that halves its speed within a second, a stopped body keeps its velocity. The area slows it from the
/// first moving tick on.
#[test]
fn areas_do_nothing_to_a_stopped_body() {
    let mut world = World::new(map(&["........"; 6]), Settings::default().tick(TICK).gravity((0.0, 0.0)));
    let drag = Effects { drag: Some(1.0), ..Effects::default() };
    let water = AreaShape::circle(8.0).unwrap();
    world.spawn_area(Area::new(water).at((4.0, 3.0)).effects(drag)).unwrap();
    let ball = world.spawn(Body::new(Shape::circle(0.25)).at((2.0, 3.0)).velocity((1.0, 0.5))).unwrap();
    (0..3).for_each(|_| world.step());
    let before = world[ball].velocity();
    assert!(before.x < 1.0);
    world.hit_stop(ball, 10).unwrap();
    (0..10).for_each(|_| world.step());
    assert_eq!(world[ball].velocity(), before);
    world.step();
    assert!(is_near(world[ball].velocity(), before / (1.0 + TICK)));
}

/// The only body that can move sleeps, and is stopped for 30 ticks.
#[test]
fn a_hit_stop_of_a_sleeping_crate_ends() {
    let mut world = World::new(map(&["....", "....", "===="]), Settings::default());
    let crate_ = Body::new(Shape::aabb(0.5, 0.5)).at((2.0, 1.5)).collision_mask(CollisionLayers::ALL);
    let crate_ = world.spawn(crate_).unwrap();
    let mut sleeps = false;
    for _ in 0..60 {
        world.step();
        sleeps |= world.events().iter().any(|event| event.kind == EventKind::FellAsleep);
    }
    assert!(sleeps);
    world.hit_stop(crate_, 30).unwrap();
    for made in 1..=60 {
        world.step();
        assert_eq!(world.hit_stop_left(crate_), 30_u32.saturating_sub(made));
    }
}
