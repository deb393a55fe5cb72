//! Steps, spawns and removals do not allocate memory once the lists of their world have grown.

use crate::prelude::*;

#[test]
fn a_step_allocates_nothing_in_the_steady_state() {
    let mut world = World::new(map(&YARD), Settings::default());
    let mut crowd = Vec::new();
    for i in 0..40 {
        let x = 2.0 + 0.4 * f64::from(i);
        let size = 0.1 + 0.02 * f64::from(i % 10);
        let shape = if i % 2 == 0 { Shape::circle(size) } else { Shape::aabb(size, 0.4) };
        let body = Body::new(shape).at(position(x, 4.6));
        let body = match i % 4 {
            0 | 1 => body.character(Character::default()),
            2 => body.bounce(0.9).velocity((7.0, 3.0)),
            _ => body.friction(0.3).velocity((-9.0, 1.0)),
        };
        crowd.push(world.spawn(body).unwrap());
    }
    // A body as wide as many tiles touches many pieces at once.
    crowd.push(
        world
            .spawn(Body::new(Shape::aabb(7.0, 0.2)).at(position(10.0, 5.5)).friction(0.4).velocity((3.0, 0.0)))
            .unwrap(),
    );
    // These balls cross their pen several times per tick.
    let pen = [(8.0, 3.6), (9.0, 4.0)].map(|at| {
        let ball = Body::new(Shape::circle(0.1)).at(at).velocity((2000.0, 1700.0)).bounce(1.0).gravity_scale(0.0);
        world.spawn(ball).unwrap()
    });
    crowd.extend(pen);
    let mut tick = 0;
    let mut run = |world: &mut World, ticks: i32| drive(world, &crowd, &mut tick, ticks);
    run(&mut world, 3000);
    assert_eq!(count(|| run(&mut world, 3000)), 0);

    // Restore one moment again and again, as a search over moves does.
    let moment = world.clone();
    // After 600 ticks, all bodies get the same commands again.
    for _ in 0..10 {
        run(&mut world, 60);
        world.clone_from(&moment);
    }
    let counted = allocation_counter::measure(|| {
        for _ in 0..20 {
            world.clone_from(&moment);
            run(&mut world, 60);
        }
    });
    assert_eq!(counted.count_total, 0, "copying back: {counted:?}");
}

#[test]
fn areas_that_bodies_enter_and_leave_allocate_nothing_in_the_steady_state() {
    let mut world = World::new(map(&YARD), Settings::default());
    let path = along(6.0, 0.0, 3.0);
    let lift = Platform::from_rows(world.map(), ["##"]).unwrap().at((2.0, 3.0)).path(path).name("lift");
    world.spawn_platform(lift).unwrap();
    let bodies: Vec<BodyId> = (0..24)
        .map(|i| {
            let body = Body::new(Shape::circle(0.2)).at(position(2.0 + 0.6 * f64::from(i), 4.6)).velocity((5.0, 3.0));
            let body = if i % 2 == 0 { body.bounce(1.0) } else { body.character(Character::default()) };
            world.spawn(body).unwrap()
        })
        .collect();
    let wind = Effects { wind: Some((9.0, 45.0).into()), drag: Some(0.5), buoyancy: Some(1.5), ..Effects::default() };
    for (i, body) in bodies.iter().take(12).enumerate() {
        let shape = if i % 2 == 0 { AreaShape::circle(0.75) } else { AreaShape::aabb(1.0, 0.5) };
        let area = Area::new(shape.unwrap()).at((2.0 + 1.5 * i as f64, 2.0 + (i % 4) as f64));
        let area = match i % 4 {
            0 => area.effects(wind),
            1 => area.attached_to(AttachedTo::Named("lift".to_owned())).at((1.0, 1.0)),
            2 => area.attached_to(AttachedTo::Body(*body)).at((0.5, 0.0)),
            _ => area,
        };
        world.spawn_area(area).unwrap();
    }
    let (mut tick, mut told) = (0, 0);
    let mut run = |world: &mut World, ticks: i32| {
        for _ in 0..ticks {
            drive(world, &bodies, &mut tick, 1);
            let is_told =
                |kind: &EventKind| matches!(kind, EventKind::AreaEntered { .. } | EventKind::AreaExited { .. });
            told += world.events().iter().filter(|event| is_told(&event.kind)).count();
        }
    };
    // With all bodies in all areas, and all of them out again, the lists have their largest size.
    let areas: Vec<_> = world.areas().map(|(id, state)| (id, state.area().clone())).collect();
    for (id, area) in &areas {
        world.set_area(*id, Area { shape: AreaShape::aabb(50.0, 50.0).unwrap(), ..area.clone() }).unwrap();
    }
    run(&mut world, 2);
    for (id, area) in areas {
        world.set_area(id, area).unwrap();
    }
    run(&mut world, 6000);
    assert_eq!(count(|| run(&mut world, 3000)), 0);
    let (moment, mut saved) = (world.clone(), world.capture());
    let mut again = |world: &mut World| {
        world.clone_from(&moment);
        run(world, 60);
        world.capture_into(&mut saved);
    };
    (0..100).for_each(|_| again(&mut world));
    assert_eq!(count(|| (0..100).for_each(|_| again(&mut world))), 0, "copying back and saving");
    assert!(told > 1000, "{told}");
}

#[test]
fn platforms_that_carry_push_and_crush_allocate_nothing_in_the_steady_state() {
    let mut world = World::new(map(&YARD), Settings::default());
    for (at, to, speed, on_crush) in [
        ((2.0, 3.0), (6.0, 0.0), 3.0, OnCrush::Stop),
        ((4.0, 7.0), (0.0, -6.0), 9.0, OnCrush::PassThrough),
        ((10.0, 2.0), (3.0, 4.0), 30.0, OnCrush::Stop),
    ] {
        let platform = Platform::from_rows(world.map(), ["##", "/\\"]).unwrap().at(at);
        world.spawn_platform(platform.path(along(to.0, to.1, speed)).on_crush(on_crush)).unwrap();
    }
    for i in 0..20 {
        let body = Body::new(Shape::aabb(0.2, 0.3)).at(position(2.0 + 0.6 * f64::from(i), 5.6));
        world.spawn(if i % 2 == 0 { body.character(Character::default()) } else { body.bounce(0.5) }).unwrap();
    }
    let mut crushed = 0;
    let mut run = |world: &mut World, ticks: u32| {
        for _ in 0..ticks {
            world.step();
            crushed += world.events().iter().filter(|event| matches!(event.kind, EventKind::Crushed { .. })).count();
        }
    };
    run(&mut world, 3000);
    assert_eq!(count(|| run(&mut world, 3000)), 0);
    assert!(crushed > 3, "{crushed}");
}

/// Towers on lifts, rows pushed by rams, and bodies in each other's way between them.
#[test]
fn colliding_bodies_among_platforms_allocate_nothing_in_the_steady_state() {
    let rows = [vec![".".repeat(40); 12], vec!["#".repeat(40)]].concat();
    let mut world = World::new(Map::from_rows(&rows).unwrap(), Settings::default());
    for (rows, at, to, speed, on_crush) in [
        (&["####"][..], (2.0, 1.0), (0.0, 3.0), 2.0, OnCrush::Stop),
        (&["####"], (8.0, 1.0), (5.0, 2.0), 4.0, OnCrush::Stop),
        (&["#", "#"], (18.0, 1.0), (9.0, 0.0), 3.0, OnCrush::Stop),
        (&["/"], (36.0, 1.0), (-5.0, 0.0), 2.0, OnCrush::Stop),
        (&["##"], (22.0, 8.0), (0.0, -7.0), 6.0, OnCrush::PassThrough),
    ] {
        let platform = Platform::from_rows(world.map(), rows).unwrap().at(at);
        world.spawn_platform(platform.path(along(to.0, to.1, speed)).on_crush(on_crush)).unwrap();
    }
    let solid = |shape| Body::new(shape).friction(0.6).collision_mask(CollisionLayers::ALL);
    let heap = (0..12).map(|i| (3.0 + f64::from(i % 3), 2.5 + f64::from(i / 3)));
    let tower = (0..4).map(|i| (10.0, 2.5 + f64::from(i)));
    let row = (0..5).map(|i| (20.5 + 1.5 * f64::from(i), 1.5));
    for (i, at) in heap.chain(tower).chain(row).enumerate() {
        let shape = if i % 3 == 1 { Shape::circle(0.5) } else { Shape::aabb(0.5, 0.5) };
        world.spawn(solid(shape).at(at)).unwrap();
    }
    let heroes: Vec<BodyId> = [(6.5, 1.45), (10.0, 6.45), (23.0, 4.45)]
        .into_iter()
        .map(|at| {
            let hero = Character { max_push_mass: 3.0, ..Character::default() };
            world.spawn(solid(Shape::aabb(0.35, 0.45)).at(at).character(hero)).unwrap()
        })
        .collect();
    // Read the environment variable before allocations are counted: reading it allocates.
    let ticks = often(1200, 3000);
    let (mut carried, mut crushed) = (0, 0);
    let mut run = |world: &mut World| {
        for tick in 0..ticks {
            for (i, &hero) in (0..).zip(&heroes) {
                world.set_input(hero, Input { jump: (tick + 7 * i) % 50 < 8, ..to_and_fro(tick + 40 * i) });
            }
            world.step();
            carried += world.bodies().filter(|(_, state)| state.on_floor() && state.velocity().y != 0.0).count();
            crushed += world.events().iter().filter(|event| matches!(event.kind, EventKind::Crushed { .. })).count();
        }
    };
    // The run is repeated, because rare moments make lists grow for a long time. It starts after two ticks, so that no
    // commands are copied.
    (0..2).for_each(|_| world.step());
    let moment = world.clone();
    let mut again = |world: &mut World| {
        world.clone_from(&moment);
        run(world);
    };
    (0..12).for_each(|_| again(&mut world));
    assert_eq!(count(|| again(&mut world)), 0);
    assert!(carried > 1000 && crushed > 3, "{carried} carried, {crushed} crushed");
}

/// One character climbs a ladder and jumps off. Another one hangs on the wall next to it and pulls itself up. Both get
/// knockback and hit stop now and then.
#[test]
fn climbing_hanging_and_frozen_characters_allocate_nothing_in_the_steady_state() {
    let rows = ["........", "........", "....####", "....####", "....####", "########"];
    let mut world = World::new(Map::from_rows(rows).unwrap(), Settings::default());
    let effects = Effects { climbable: Some(true), ..Effects::default() };
    let ladder = Area { effects, ..Area::new(AreaShape::aabb(0.5, 2.0).unwrap()) };
    world.spawn_area(ladder.at((1.5, 3.0))).unwrap();
    // The head of a jumping hero rises 0.3 tiles above the top of the wall.
    let jumps = Character { jump_height: 2.4, ..Character::precise() };
    let able = Character { climb_speed: 6.0, ledge_grab: 0.5, ledge_climb_time: 0.1, ..jumps };
    let hero =
        |x: f64| Body::new(Shape::aabb(0.35, 0.45)).at((x, 1.45)).character(able).collision_mask(CollisionLayers::ALL);
    let [climber, hanger] = [1.5, 3.5].map(|x| world.spawn(hero(x)).unwrap());
    let ball = |x: f64| Body::new(Shape::circle(0.25)).at((x, 3.5)).bounce(1.0).collision_mask(CollisionLayers::ALL);
    let [slow, still] = [0.5, 2.75].map(|x| world.spawn(ball(x)).unwrap());
    let (mut climbed, mut hung, mut pulled, mut waited) = (0, 0, 0, 0);
    let counted = allocations(&mut world, 12_000, |world, tick| {
        let phase = tick % 200;
        if phase == 0 {
            world.teleport(climber, (1.5, 1.45)).unwrap();
            world.teleport(hanger, (3.5, 1.45)).unwrap();
        }
        if phase == 150 {
            world.hit_stop(climber, 10).unwrap();
            world.knockback(hanger, (-3.0, 5.0), 10).unwrap();
        }
        if tick == 400 {
            // From here on, their time scales are below 1 or 0.
            for (id, scale) in [(climber, 0.75), (slow, 0.5), (still, 0.0)] {
                world.set_body(id, world[id].body().clone().time_scale(scale)).unwrap();
            }
        }
        world.set_input(climber, Input { up: phase < 60, jump: phase == 60, ..Input::default() });
        let walk = if phase < 100 { 1.0 } else { 0.0 };
        world.set_input(hanger, Input { jump: phase < 30, up: phase > 90, ..Input::walk(walk) });
        climbed += u32::from(world[climber].is_climbing());
        hung += u32::from(world[hanger].is_hanging());
        pulled += u32::from(world[hanger].is_climbing_ledge());
        waited += world.input_lock_left(hanger).min(1) + world.hit_stop_left(climber).min(1);
    });
    assert_eq!(counted, 0);
    assert!(climbed > 1000 && hung > 1000 && pulled > 100 && waited > 500, "{climbed} {hung} {pulled} {waited}");
}

/// A character swims through a pool, down, up and sideways, jumps out of it, and is thrown back into it.
#[test]
fn swimmers_allocate_nothing_in_the_steady_state() {
    let pool = ["##......##", "##......##", "##......##", "##########"];
    let rows = ["#........#"; 6].into_iter().chain(pool);
    let mut world = World::new(Map::from_rows(rows).unwrap(), Settings::default());
    let effects = Effects { buoyancy: Some(2.0), drag: Some(5.0), ..Effects::default() };
    let water = Area { effects, ..Area::new(AreaShape::aabb(3.0, 1.5).unwrap()) };
    world.spawn_area(water.at((5.0, 2.5))).unwrap();
    let able = Character { swim_speed: 5.0, swim_time: 0.2, float_speed: 1.0, ..Character::precise() };
    let hero = Body::new(Shape::aabb(0.35, 0.45)).character(able).collision_mask(CollisionLayers::ALL);
    let [diver, other] = [3.5, 6.5].map(|x| world.spawn(hero.clone().at((x, 5.0))).unwrap());
    let (mut swum, mut stood) = (0, 0);
    let counted = allocations(&mut world, 12_000, |world, tick| {
        let phase = tick % 300;
        if phase == 290 {
            world.knockback(diver, (-8.0, 3.0), 10).unwrap();
        }
        let (up, down) = ((90..140).contains(&phase), (30..90).contains(&phase));
        let walk = if phase < 200 { 1.0 } else { -1.0 };
        world.set_input(diver, Input { up, down, jump: (150..180).contains(&phase), ..Input::walk(walk) });
        world.set_input(other, Input { up, down, ..Input::walk(-walk) });
        swum += u32::from(world[diver].is_swimming());
        stood += u32::from(world[diver].on_floor());
    });
    assert_eq!(counted, 0);
    assert!(swum > 3000 && stood > 100, "{swum} {stood}");
}

/// Counts the allocations in the second half of `ticks` ticks with input.
fn allocations(world: &mut World, ticks: u32, mut input: impl FnMut(&mut World, u32)) -> u64 {
    let mut run = |from: u32, to: u32| {
        for tick in from..to {
            input(world, tick);
            world.step();
        }
    };
    run(0, ticks / 2);
    count(|| run(ticks / 2, ticks))
}

fn count(run: impl FnOnce()) -> u64 {
    allocation_counter::measure(run).count_total
}

/// Steps with input for all bodies of a crowd: each walks to and fro and jumps, at other times than the others.
fn drive(world: &mut World, crowd: &[BodyId], tick: &mut i32, ticks: i32) {
    for _ in 0..ticks {
        for (i, &body) in (0..).zip(crowd) {
            let walk = if (*tick + 13 * i) / 60 % 2 == 0 { 127 } else { -127 };
            world.set_input(body, Input { walk, jump: (*tick + 7 * i) % 50 < 8, ..Input::default() });
        }
        world.step();
        *tick += 1;
    }
}

/// Walks back and forth, two seconds each way.
fn to_and_fro(tick: u32) -> Input {
    Input { walk: if (tick / 120).is_multiple_of(2) { 127 } else { -127 }, ..Input::default() }
}

#[test]
fn a_walk_below_many_platforms_and_over_a_bridge_of_them_allocates_nothing() {
    let rows = [vec![".".repeat(40); 9], vec!["#".repeat(40)]].concat();
    for planks in [0, 16, 40] {
        let map = Map::from_rows(&rows).unwrap();
        let mut world = World::new(map.clone(), Settings::default());
        let plank = Platform::from_rows(&map, ["#"]).unwrap();
        for i in 0..planks {
            // The planks form a bridge. They are flush with each other, and on the floor.
            world.spawn_platform(plank.clone().at((f64::from(i % 36) + 2.0, 1.0))).unwrap();
        }
        for x in [4.0, 8.0, 12.0] {
            // Lifts at rest above, three over the same blocks.
            let lift = Platform::from_rows(&map, ["##"]).unwrap().at((x, 6.0));
            world.spawn_platform(lift).unwrap();
        }
        let ferry = Platform::from_rows(&map, ["##"]).unwrap().at((2.0, 9.0));
        world.spawn_platform(ferry.path(along(20.0, 0.0, 6.0))).unwrap();
        let hero = world.spawn(hero().at((6.0, 2.45)));
        let hero = hero.unwrap();
        let counted = allocations(&mut world, 6000, |world, tick| {
            world.set_input(hero, to_and_fro(tick));
        });
        assert_eq!(counted, 0, "{planks} planks");
    }
}

#[test]
fn a_ball_astride_a_one_way_edge_joined_at_both_ends_allocates_nothing() {
    let fields =
        r#"legend: {'u': (tile: "one_way_slope_45"), 'd': (tile: "one_way_slope_45 r1"), '=': (tile: "one_way")}"#;
    let map = map_with(&YARD, fields);
    let mut world = World::new(map.clone(), Settings::default());
    let path = along(0.0, 2.0, 6.0);
    let zigzag = Platform::from_rows(&map, ["u=d"]).unwrap().at((6.0, 5.0));
    world.spawn_platform(zigzag.path(path)).unwrap();
    let ball = Body::new(Shape::circle(0.45)).at((7.5, 5.9)).gravity_scale(0.0).bounce(1.0);
    world.spawn(ball).unwrap();
    assert_eq!(allocations(&mut world, 2000, |_, _| {}), 0);
}

#[test]
fn a_stuck_body_next_to_a_platform_allocates_nothing() {
    let mut world = World::new(map(&YARD), Settings::default());
    let block = world.map().find_tile('#').unwrap();
    let platform = Platform::from_rows(world.map(), ["#"]).unwrap().at((5.0, 5.0));
    world.spawn_platform(platform).unwrap();
    let body = world.spawn(Body::new(Shape::aabb(0.3, 0.3)).at((5.5, 5.5)).gravity_scale(0.0)).unwrap();
    world.set_tile(0, (5, 5), block).unwrap();
    assert_eq!(allocations(&mut world, 600, |_, _| {}), 0);
    assert!(world[body].is_stuck());
}

/// Bodies of several layers, some of which pass one-way tiles of the map and of platforms. Their world is also
/// restored.
#[test]
fn bodies_that_tiles_let_pass_allocate_nothing_in_the_steady_state() {
    let fields = r#"collision_layers: ["hero", "ghost", "crate"], legend: {'-': (tile: "one_way", drop_through: true,
        ignored_by: ["ghost"]), '=': (tile: "one_way", ignored_by: ["ghost", "crate"])}"#;
    let mut world = World::new(map_with(&YARD, fields), Settings::default());
    let path = along(5.0, 2.0, 3.0);
    let platform = Platform::from_rows(world.map(), ["-=#"]).unwrap().at((4.0, 3.0));
    world.spawn_platform(platform.path(path).on_crush(OnCrush::PassThrough)).unwrap();
    let mut crowd = Vec::new();
    for i in 0..18 {
        let body = Body::new(Shape::aabb(0.2, 0.3)).at(position(2.0 + 0.8 * f64::from(i), 5.6));
        let body = body.collision_layers(CollisionLayers(1 << (i % 3)));
        crowd.push(
            world.spawn(if i % 2 == 0 { body.character(Character::default()) } else { body.bounce(0.5) }).unwrap(),
        );
    }
    let mut tick = 0;
    let mut run = |world: &mut World, ticks: i32| {
        for _ in 0..ticks {
            for (i, &body) in (0..).zip(&crowd) {
                let walk = if (tick + 13 * i) / 60 % 2 == 0 { 127 } else { -127 };
                let (jump, down) = ((tick + 7 * i) % 50 < 8, (tick + 11 * i) % 90 < 9);
                world.set_input(body, Input { walk, jump, down, ..Input::default() });
            }
            world.step();
            tick += 1;
        }
    };
    run(&mut world, 3000);
    assert_eq!(count(|| run(&mut world, 3000)), 0);
    let moment = world.clone();
    let mut back = |world: &mut World| {
        for _ in 0..20 {
            world.clone_from(&moment);
            run(world, 60);
        }
    };
    back(&mut world);
    assert_eq!(count(|| back(&mut world)), 0, "copying back");
}

#[test]
fn bodies_that_come_and_go_allocate_nothing_in_the_steady_state() {
    let mut world = World::new(map(&YARD), Settings::default());
    let kinds = [0.1, 0.2, 0.3].map(|size| Body::new(Shape::circle(size)).bounce(0.5).velocity((3.0, 1.0)));
    let mut there = std::collections::VecDeque::with_capacity(64);
    let mut run = |world: &mut World, ticks: usize| {
        for tick in 0..ticks {
            let body = kinds[tick % kinds.len()].clone().at(position(2.0 + 0.25 * (tick % 60) as f64, 4.6));
            there.push_back(world.spawn(body).unwrap());
            if there.len() > 20 {
                world.despawn(there.pop_front().unwrap()).unwrap();
            }
            world.step();
        }
    };
    run(&mut world, 2000);
    assert_eq!(count(|| run(&mut world, 2000)), 0);
}

/// All bodies at once, into a world that is empty in between.
#[test]
fn waves_of_bodies_allocate_nothing_in_the_steady_state() {
    let mut world = World::new(map(&YARD), Settings::default());
    let kind = Body::new(Shape::circle(0.2)).bounce(0.5).velocity((3.0, 1.0));
    let mut there = Vec::with_capacity(20);
    let mut run = |world: &mut World| {
        for i in 0..20 {
            there.push(world.spawn(kind.clone().at(position(2.0 + 0.5 * f64::from(i), 4.6))).unwrap());
        }
        world.step();
        there.drain(..).for_each(|body| world.despawn(body).unwrap());
        world.step();
    };
    (0..200).for_each(|_| run(&mut world));
    assert_eq!(count(|| (0..200).for_each(|_| run(&mut world))), 0);
}

/// A pile that a character pushes, balls thrown into it again and again, and a crowd on top.
#[test]
fn colliding_bodies_allocate_nothing_in_the_steady_state() {
    let mut world = World::new(map(&YARD), Settings::default());
    let hero = Character { max_push_mass: 5.0, ..Character::default() };
    let mut bodies = Vec::new();
    for i in 0..30 {
        let (x, y) = (2.0 + 1.2 * f64::from(i % 12), 3.0 + 0.7 * f64::from(i / 12));
        let body = match i % 3 {
            0 => Body::new(Shape::aabb(0.3, 0.3)).friction(0.5),
            1 => Body::new(Shape::circle(0.25)).bounce(0.6).friction(0.2),
            _ => Body::new(Shape::aabb(0.25, 0.35)).character(hero),
        };
        bodies.push(world.spawn(body.at(position(x, y)).collision_mask(CollisionLayers::ALL)).unwrap());
    }
    let mut tick = 0;
    let mut run = |world: &mut World, ticks: i32| {
        for _ in 0..ticks {
            for (i, &body) in (0..).zip(&bodies) {
                let walk = if (tick + 13 * i) / 60 % 2 == 0 { 127 } else { -127 };
                world.set_input(body, Input { walk, jump: (tick + 7 * i) % 50 < 8, ..Input::default() });
                if i % 3 == 1 && (tick + 31 * i) % 100 == 0 {
                    world.set_velocity(body, (f64::from(tick % 17) - 8.0, 12.0)).unwrap();
                }
            }
            world.step();
            tick += 1;
        }
    };
    // Each list must reach its largest size once.
    run(&mut world, 30_000);
    assert_eq!(count(|| run(&mut world, 3000)), 0);
}
