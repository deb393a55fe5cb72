//! Materials of tile kinds: the effects of friction, traction and bounce, and that materials change nothing else.

use crate::prelude::*;
use crate::table;
use surefoot::event::LandedOn;

const ICE: Material = Material { friction: 0.1, traction: 0.25, bounce: 0.0, belt_velocity: 0.0, climbable: false };
const GLASS: Material = Material { friction: 0.0, traction: 0.0, bounce: 0.0, belt_velocity: 0.0, climbable: false };
const RUBBER: Material = Material { friction: 2.0, traction: 3.0, bounce: 0.75, belt_velocity: 0.0, climbable: false };
pub const PLAIN: Material =
    Material { friction: 1.0, traction: 1.0, bounce: 0.0, belt_velocity: 0.0, climbable: false };

fn walk(amount: i8) -> Input {
    Input { walk: amount, ..Input::default() }
}

/// Creates a map from rows. `surface` returns the material of each tile, given its position before the symmetry.
pub fn painted(rows: &[&str], symmetry: Symmetry, surface: impl Fn((i32, i32)) -> Material) -> Map {
    let mut parts = Canvas::rows(rows, "").map(symmetry).into_parts();
    let (width, origin) = (parts.layers[0].size.0 as i32, parts.layers[0].origin);
    let back = symmetry.inverse();
    for (i, cell) in (0..).zip(&mut parts.layers[0].cells) {
        let material = surface(back.tile((origin.0 + i % width, origin.1 + i / width)));
        let plain = &parts.kinds[usize::from(cell.0)];
        if plain.variant.is_none() || material == PLAIN {
            continue;
        }
        let kind = TileKind { material, ..plain.clone() };
        let id = parts.kinds.iter().position(|known| *known == kind).unwrap_or_else(|| {
            parts.kinds.push(kind);
            parts.kinds.len() - 1
        });
        *cell = TileId(id as u16);
    }
    Map::from_parts(parts).unwrap()
}

/// Creates a map from rows, for worlds that a way turns.
pub fn upright(rows: &[&str], surface: impl Fn((i32, i32)) -> Material) -> Map {
    painted(rows, Symmetry(Placement::default()), surface)
}

/// A long floor with its top at y = 1, all of one material.
fn floor(surface: Material) -> Map {
    upright(&[&"#".repeat(200)], |_| surface)
}

/// Position, velocity, grounding, contacts and events of all bodies, to the bit, except for tile kinds.
fn seen(world: &World) -> (Vec<String>, Vec<String>) {
    let body = |(id, state): (BodyId, &BodyState)| {
        let contacts: Vec<_> =
            world.contacts(id).iter().map(|contact| (contact.point, contact.exact_normal, contact.tile)).collect();
        let velocity = state.velocity().to_array().map(f64::to_bits);
        format!("{:?} {velocity:?} {:?} {contacts:?}", state.position().units(), state.footing())
    };
    let events = world.events().iter().map(|event| {
        let mut event = *event;
        let (EventKind::HitTile { tile_id, .. } | EventKind::Landed { on: Some(LandedOn::Tile { tile_id, .. }), .. }) =
            &mut event.kind
        else {
            return format!("{event:?}");
        };
        *tile_id = TileId::EMPTY;
        format!("{event:?}")
    });
    let events = events.collect();
    (world.bodies().map(body).collect(), events)
}

/// On a slope of 1:1, gravity of 40 pulls by 40 / sqrt(2) along the floor and presses as much. A friction of the feet
/// of 1 on ice of 0.1 slows a slide by a tenth of it. A character stands if the product is at least 1. Its input
/// accelerates by 60 times the traction up to 8 tiles per second, and gravity up to the fall speed.
#[test]
fn a_character_slides_down_a_slope_by_its_friction() {
    let rows: Vec<String> = (0..16).map(|row| format!("{}\\{}", "#".repeat(row), ".".repeat(30 - row))).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let (ice, rough) = (Material { traction: 1.0, ..ICE }, PLAIN);
    let (pull, fall) = (40.0 * 0.5_f64.sqrt(), 24.0);
    // Each case has the material, the friction of the feet, the walk, the fall speed, the acceleration downhill, and
    // the limit of the speed downhill.
    let cases = [
        (ice, 1.0, 0, fall, 0.9 * pull, fall),
        (ice, 9.0, 0, fall, 0.1 * pull, fall),
        (ice, 1.0, 0, 3.0, 0.9 * pull, 3.0),
        (ice, 10.0, 0, fall, 0.0, 0.0),
        (rough, 1.0, 0, fall, 0.0, 0.0),
        (rough, 0.75, 0, fall, 0.25 * pull, fall),
        (ice, 0.0, 0, fall, 0.0, 0.0),
        // The input accelerates by 15 uphill, which is too little.
        (ICE, 1.0, -127, fall, 0.9 * pull - 15.0, fall),
        (ICE, 1.0, 127, 0.0, 15.0, 8.0),
    ];
    for (case, mask) in cases.into_iter().flat_map(|case| table::MASKS.map(|mask| (case, mask))) {
        let (material, slope_friction, input, max_fall_speed, acceleration, most) = case;
        let map = upright(&rows, |_| material);
        all_ways(|way| {
            let mut world = way.world(map.clone(), Settings::default());
            let character = Character { slope_friction, max_fall_speed, ..Character::default() };
            let body = Body::new(Shape::aabb(0.25, 0.25)).character(character).collision_mask(mask);
            // The lower left corner of each is on the slope, 14 tiles above its foot.
            let heroes = [1.5, 2.25].map(|x| world.spawn(body.clone().at((x + 0.25, 16.25 - x))).unwrap());
            let (mut speed, mut made) = (0.0_f64, 0.0);
            for tick in 0..40 {
                heroes.iter().for_each(|hero| world.set_input(*hero, walk(input)));
                world.step();
                let next = (speed + acceleration * TICK).min(most);
                made += TICK * (speed + next) / 2.0;
                speed = next;
                let down = DVec2::new(1.0, -1.0) * 0.5_f64.sqrt();
                for (hero, x) in heroes.iter().zip([1.5, 2.25]) {
                    let at = world[*hero].position().to_dvec2() - DVec2::new(x + 0.25, 16.25 - x);
                    let what = format_args!("{case:?} {mask:?} tick {tick}: {at}, not {made}");
                    assert!((at - down * made).length() < 1e-6, "{what}");
                    assert!((world[*hero].velocity() - down * speed).length() < 1e-6, "{what}");
                    assert!(world[*hero].on_floor(), "{what}");
                }
            }
        });
    }
}

/// 60 tiles per second squared uphill on ice with full traction: 60 - 1.1 * 40 / sqrt(2) until the walk speed.
#[test]
fn input_walks_up_a_slope_that_slides() {
    let rows: Vec<String> = (0..16).map(|row| format!("{}\\{}", "#".repeat(row), ".".repeat(30 - row))).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let map = upright(&rows, |_| Material { traction: 1.0, ..ICE });
    all_ways(|way| {
        let mut world = way.world(map.clone(), Settings::default());
        let character = Character { slope_friction: 1.0, ..Character::default() };
        let hero = Body::new(Shape::aabb(0.25, 0.25)).character(character).at((9.75, 6.75));
        let hero = world.spawn(hero).unwrap();
        for _ in 0..40 {
            world.set_input(hero, walk(-127));
            world.step();
        }
        let up = DVec2::new(-8.0, 8.0) * 0.5_f64.sqrt();
        assert!((world[hero].velocity() - up).length() < 1e-9, "{}", world[hero].velocity());
        // From the foot of a slope on, the character brakes as on every floor.
        world.set_input(hero, walk(0));
        (0..120).for_each(|_| world.step());
        assert!(world[hero].position().to_dvec2().x > 9.0, "{}", world[hero].position().to_dvec2());
    });
}

#[test]
fn a_body_on_ice_slides_v_squared_over_two_mu_g() {
    let map = upright(&[&"#".repeat(120)], |_| ICE);
    all_ways(|way| {
        for (friction, speed) in [(0.5, 10.0), (1.0, 10.0), (3.0, -30.0)] {
            for shape in [Shape::circle(0.25), Shape::aabb(0.25, 0.25)] {
                let mut world = way.world(map.clone(), Settings::default());
                let start = position(60.0, 1.25);
                let body = Body::new(shape).at(start).friction(friction).rest_speed_threshold(0.0);
                let body = world.spawn(body.velocity((speed, 0.0))).unwrap();
                // On ice, friction is a tenth of the body's own.
                let braking = friction * 0.1 * 40.0;
                let ticks = (f64::abs(speed) / braking / TICK).ceil();
                (0..=ticks as u32).for_each(|_| world.step());
                let expected = speed * speed.abs() / (2.0 * braking);
                let made = to_lengths(world[body].position() - start);
                let lost = 1e-9 + ticks / ONE as f64;
                assert!((made - DVec2::new(expected, 0.0)).length() < lost, "{made} {expected}");
                assert_eq!(world[body].velocity(), DVec2::ZERO);
            }
        }
    });
}

#[test]
fn a_walker_on_ice_takes_one_over_traction_times_as_long() {
    for (traction, times) in [(0.25, 4), (0.5, 2), (1.0, 1), (2.0, 0)] {
        let map = floor(Material { traction, ..PLAIN });
        let mut world = World::new(map, Settings::default());
        let hero = Body::new(Shape::aabb(0.25, 0.5)).at((100.0, 1.5)).character(Character::default());
        let hero = world.spawn(hero).unwrap();
        // On plain tiles, the hero speeds up to 8 at 60 per second squared in 8 ticks, and brakes to 0 at 80 in 6.
        for (input, ticks, rate, wanted) in [(127, 8, 60.0, 8.0), (0, 6, -80.0, 0.0)] {
            world.set_input(hero, walk(input));
            let start = world[hero].velocity().x;
            let ticks = if times > 0 { ticks * times } else { ticks / 2 };
            for tick in 1..=ticks {
                assert_ne!(world[hero].velocity().x, wanted, "{traction} {tick}");
                world.step();
                let speed = start + f64::from(tick) * rate * traction * TICK;
                assert!((world[hero].velocity().x - speed).abs() < 1e-9, "{traction} {tick} {speed}");
            }
            // The last step may be off by rounding.
            world.step();
            assert_eq!(world[hero].velocity().x, wanted);
        }
    }
}

/// A body on a material moves as a body with other numbers on a plain floor, to the bit.
#[test]
fn materials_act_as_other_numbers_of_the_body() {
    let character = Character::default();
    let slow = Character { ground_acceleration: 15.0, ground_braking: 20.0, ..character };
    let ball = Body::new(Shape::circle(0.25)).at((100.3, 5.0)).velocity((2.0, 0.0));
    let cases = [
        (ICE, ball.clone().friction(0.5), ball.clone().friction(0.5 * 0.1)),
        (GLASS, ball.clone().friction(0.5), ball.clone().friction(0.0)),
        (RUBBER, ball.clone(), ball.clone().bounce(0.75)),
        (RUBBER, ball.clone().bounce(0.25), ball.clone().bounce(0.75)),
        (RUBBER, ball.clone().bounce(0.875), ball.clone().bounce(0.875)),
        (RUBBER, ball.clone().bounce(0.25).friction(0.25), ball.clone().bounce(0.75).friction(0.5)),
        (RUBBER, ball.clone().response(Response::Stop), ball.clone().response(Response::Stop)),
        (RUBBER, ball.clone().response(Response::Pass), ball.clone().response(Response::Pass)),
        (ICE, ball.clone().character(character), ball.clone().character(slow)),
    ];
    for (surface, on_it, plain) in cases {
        let mut worlds = [(surface, &on_it), (PLAIN, &plain)].map(|(surface, body)| {
            let mut world = World::new(floor(surface), Settings::default());
            let body = world.spawn(body.clone()).unwrap();
            (world, body)
        });
        let mut bounced = false;
        for tick in 0..400 {
            for (world, body) in &mut worlds {
                if plain.character.is_some() {
                    let input = Input { walk: [127, -64, 0][tick / 50 % 3], jump: tick % 90 == 60, ..Input::default() };
                    world.set_input(*body, input);
                }
                world.step();
            }
            assert_eq!(seen(&worlds[0].0), seen(&worlds[1].0), "{surface:?} {on_it:?} {tick}");
            bounced |= worlds[0].0[worlds[0].1].velocity().y > 0.0;
        }
        let bounces = matches!(plain.response, Response::Bounce(_)) || plain.character.is_some();
        assert_eq!(bounced, bounces, "{surface:?} {on_it:?}");
    }
}

#[test]
fn a_ball_dropped_on_a_bouncy_tile_rises_by_the_square_of_the_bounce() {
    // The floor's top is at y = 1. The ball falls by 4 tiles and leaves with 3/4 of its speed, so it rises by 9/16 of
    // 4.
    let mut world = World::new(floor(RUBBER), Settings::default());
    let ball = world.spawn(Body::new(Shape::circle(0.25)).at((100.5, 5.25))).unwrap();
    let mut highest = f64::NEG_INFINITY;
    let mut has_risen = false;
    for _ in 0..120 {
        world.step();
        let state = &world[ball];
        has_risen |= state.velocity().y > 0.0;
        if has_risen && state.velocity().y >= 0.0 {
            // The height that the ball will reach is h + v^2 / 2g.
            let speed = state.velocity().y;
            highest = f64::max(highest, state.position().to_dvec2().y - 1.25 + speed * speed / 80.0);
        }
    }
    assert!((highest - 2.25).abs() < 1e-6, "{highest}");
}

/// A walker at full speed moves from one material to another as on a single material, to the bit.
#[test]
fn a_change_of_material_changes_nothing_else() {
    let rows = [
        "....................................................",
        "....................................................",
        ".............../##\\................_................",
        "....12##34..../####\\......____....###........=====..",
        "####################################################",
    ];
    let kinds = [ICE, RUBBER, PLAIN, Material { bounce: 0.0, ..RUBBER }];
    let changing = upright(&rows, |(x, y)| kinds[(x + 2 * y).rem_euclid(4) as usize]);
    let plain = upright(&rows, |_| PLAIN);
    // The walker has its full speed from the first tick on.
    let tuned = Character { ground_acceleration: 1e6, ground_braking: 1e6, ..Character::default() };
    for shape in [Shape::aabb(0.375, 0.5), Shape::circle(0.4), Shape::aabb(1.25, 0.5), Shape::circle(0.05)] {
        let mut worlds = [&changing, &plain].map(|map| World::new(map.clone(), Settings::default()));
        for tick in 0..700_usize {
            for world in &mut worlds {
                if tick == 0 {
                    for x in [2.0, 2.3, 49.0] {
                        world.spawn(Body::new(shape).at((x, 2.5)).character(tuned)).unwrap();
                    }
                }
                let bodies: Vec<_> = world.bodies().map(|(id, _)| id).collect();
                for (i, body) in bodies.into_iter().enumerate() {
                    let walk = if (tick / 200 + i / 2) % 2 == 0 { 127 } else { -127 };
                    world.set_input(body, Input { walk, jump: tick % 61 == 60 && i == 1, ..Input::default() });
                }
                world.step();
            }
            assert_eq!(seen(&worlds[0]), seen(&worlds[1]), "{shape:?} {tick}");
        }
    }
}

/// A dynamic body that slides over joins of plain tiles, ice, bouncy rubber, glass and belts stays at the height of the
/// floor, has the contact normals of a plain floor, and sends no events. Only its speed differs.
#[test]
fn a_body_sliding_over_joins_differs_from_a_plain_floor_only_in_its_speed() {
    let belt = |velocity: f64| Material { belt_velocity: velocity, ..PLAIN };
    let without_belts: &[Material] = &[ICE, RUBBER, PLAIN, GLASS];
    let with_belts: &[Material] = &[ICE, belt(3.0), RUBBER, belt(-2.0), PLAIN, Material { bounce: 1.0, ..ICE }];
    for kinds in [without_belts, with_belts] {
        let [changing, plain] =
            [kinds, &[PLAIN]].map(|kinds| upright(&[&"#".repeat(80)], |(x, _)| kinds[x.max(0) as usize % kinds.len()]));
        let shapes = [Shape::aabb(0.25, 0.25), Shape::aabb(1.25, 0.25), Shape::circle(0.25)];
        let slides = [(0.3, 12.0), (0.0, 9.0), (0.05, -7.0), (4.0, 20.0)];
        all_ways_of(pairs(shapes, slides), |way, (shape, (friction, speed))| {
            let mut worlds = [&changing, &plain].map(|map| way.world(map.clone(), Settings::default()));
            let x = if speed > 0.0 { 3.0 } else { 76.0 };
            let body = Body::new(shape).at((x, 1.25)).friction(friction).velocity((speed, 0.0));
            let ids = worlds.each_mut().map(|world| world.spawn(body.clone()).unwrap());
            let mut differs = false;
            for tick in 0..150 {
                let [one, other] = [0, 1].map(|i| {
                    let world = &mut worlds[i];
                    world.step();
                    let state = &world[ids[i]];
                    let normals: Vec<_> = world.contacts(ids[i]).iter().map(|c| c.exact_normal).collect();
                    let (height, velocity) = (state.position().units().y, state.velocity());
                    let kept = (height, normals[0], velocity.y, state.footing(), world.events().to_vec());
                    (kept, normals, velocity.x)
                });
                let what = format_args!("{shape:?} {friction} {speed} tick {tick}");
                assert_eq!(one.0, other.0, "{what}");
                assert_eq!((one.0.0, one.0.4.len()), (5 * ONE / 4, 0), "{what}");
                assert!(one.1.iter().chain(&other.1).all(|normal| *normal == other.1[0]), "{what}");
                differs |= one.2 != other.2;
            }
            assert_eq!(differs, friction > 0.0, "{shape:?} {friction} {speed}");
        });
    }
}

/// A body whose own bounce exceeds that of all tiles has the same height in each tick as on a plain floor, and hits in
/// the same ticks at the same speed. Friction changes only its motion along the floor.
#[test]
fn a_body_bouncing_over_joins_is_as_high_as_on_a_plain_floor() {
    let kinds = [ICE, RUBBER, Material { belt_velocity: 5.0, ..PLAIN }, GLASS, PLAIN];
    let [changing, plain] = [&kinds[..], &[PLAIN]]
        .map(|kinds| upright(&[&"#".repeat(80)], |(x, _)| kinds[x.max(0) as usize % kinds.len()]));
    all_ways(|way| {
        for shape in [Shape::aabb(0.25, 0.25), Shape::circle(0.25)] {
            for friction in [0.0, 0.4] {
                let mut worlds = [&changing, &plain].map(|map| way.world(map.clone(), Settings::default()));
                let body = Body::new(shape).at((10.0, 4.0)).bounce(0.8).friction(friction).velocity((7.0, 0.0));
                let ids = worlds.each_mut().map(|world| world.spawn(body.clone()).unwrap());
                let (mut hits, mut differs) = (0, false);
                for tick in 0..240 {
                    let [one, other] = [0, 1].map(|i| {
                        let world = &mut worlds[i];
                        world.step();
                        let told = world.events().iter().map(|event| match event.kind {
                            EventKind::HitTile { side, speed, normal, .. } => format!("{side:?} {speed} {normal}"),
                            kind => kind.name().to_owned(),
                        });
                        let told: Vec<_> = told.collect();
                        let state = &world[ids[i]];
                        let (place, velocity) = (state.position().units(), state.velocity());
                        ((place.y, velocity.y, state.footing(), told), place.x, velocity.x)
                    });
                    assert_eq!(one.0, other.0, "{shape:?} {friction} tick {tick}");
                    hits += one.0.3.iter().filter(|told| told.starts_with("Floor")).count();
                    differs |= (one.1, one.2) != (other.1, other.2);
                }
                assert!(hits > 5 && differs == (friction > 0.0), "{shape:?} {friction}: {hits}");
            }
        }
    });
}

#[test]
fn the_tile_under_the_centre_decides_and_of_two_equally_near_the_larger_number() {
    // The tiles are of ice to the left of x = 10, and plain to the right.
    let map = upright(&[&"#".repeat(20)], |(x, _)| if x < 10 { ICE } else { PLAIN });
    for shape in [Shape::aabb(0.375, 0.5), Shape::aabb(1.75, 0.5), Shape::circle(0.5)] {
        for (units, speed) in [(-1, 0.25), (0, 1.0), (1, 1.0)] {
            let mut world = World::new(map.clone(), Settings::default());
            let at = position(10.0, 1.5) + I64Vec2::X * units;
            let hero = world.spawn(Body::new(shape).at(at).character(Character::default())).unwrap();
            world.set_input(hero, walk(127));
            world.step();
            // A circle touches both tiles only at the point where the tiles touch.
            assert!((world[hero].velocity().x - speed).abs() < 1e-12, "{shape:?} {units} {}", world[hero].velocity());
        }
    }
}

#[test]
fn a_walker_that_keeps_its_speed_on_glass_brakes_where_the_glass_ends() {
    // The floor is of glass from x = 12 to x = 40: there, speeds do not change, whatever the input.
    let map = upright(&[&"#".repeat(60)], |(x, _)| if (12..40).contains(&x) { GLASS } else { PLAIN });
    all_ways(|way| {
        let mut world = way.world(map.clone(), Settings::default());
        let hero = Body::new(Shape::aabb(0.375, 0.5)).at((5.0, 1.5)).character(Character::default());
        let hero = world.spawn(hero).unwrap();
        for _ in 0..600 {
            let (before, was) = (world[hero].position().to_dvec2().x, world[hero].velocity().x);
            // The player releases the stick in the middle of the glass.
            world.set_input(hero, walk(if before < 25.0 { 127 } else { 0 }));
            world.step();
            let expected = match before {
                ..12.0 => f64::min(was + 60.0 * TICK, 8.0),
                12.0..40.0 => 8.0,
                _ => f64::max(was - 80.0 * TICK, 0.0),
            };
            assert!((world[hero].velocity().x - expected).abs() < 1e-9, "{before} {was}");
            assert_eq!(world.events(), []);
        }
        assert_eq!(world[hero].velocity().x, 0.0);
    });
}

/// A map with everything, and random materials, by a seed; and its bodies.
fn busy(seed: u64, surfaces: bool) -> (Map, Vec<Body>) {
    let rows = [
        "#..........................#",
        "#....--....==......_.......#",
        "#...........12##34.....(#).#",
        "#../##\\...12####34..^......#",
        "############################",
    ];
    let pick = |(x, y): (i32, i32)| {
        let number = Random(0x5EED ^ seed ^ (x as u64) << 32 ^ (y as u64) << 8).below(4);
        if surfaces { [ICE, RUBBER, PLAIN, GLASS][number as usize] } else { PLAIN }
    };
    let mut random = Random(0x5EED ^ seed);
    let bodies = (0..12).map(|i| {
        let shape = if i % 2 == 0 { Shape::aabb(0.375, 0.25) } else { Shape::circle(0.3) };
        let at = position(random.range(2.0, 26.0), random.range(5.0, 9.0));
        let velocity = DVec2::new(random.range(-9.0, 9.0), random.range(-9.0, 9.0));
        let body = Body::new(shape).at(at).velocity(velocity);
        let body = match i % 4 {
            0 => body.character(Character::default()),
            1 => body.bounce(0.5).friction(0.5),
            _ => body.friction(random.pick(&[0.0, 0.5, 1.0])),
        };
        if i % 3 == 0 { body.character(Character::default()) } else { body }
    });
    let bodies = bodies.collect();
    (upright(&rows, pick), bodies)
}

/// Makes a tick, with other input for all bodies now and then.
fn play(world: &mut table::Run, random: &mut Random) {
    if world.tick().is_multiple_of(20) {
        let bodies: Vec<_> = world.bodies().map(|(id, _)| id).collect();
        for body in bodies {
            let walk = random.pick(&[127_i8, -127, 40, 0]);
            let (jump, down) = (random.below(3) == 0, random.below(5) == 0);
            world.set_input(body, Input { walk, jump, down, up: false, dash: false });
        }
    }
    world.step();
}

#[test]
fn scenes_with_materials_move_by_the_same_bits_in_all_ways() {
    all_ways_of(0..u64::from(often(6, 60)), |way, seed| {
        let (map, bodies) = busy(seed, true);
        let (mut world, mut random) = (way.world(map, Settings::default()), Random(0x5EED ^ seed));
        bodies.iter().for_each(|body| _ = world.spawn(body.clone()).unwrap());
        (0..600).for_each(|_| play(&mut world, &mut random));
    });
}

#[test]
fn untouched_materials_change_nothing() {
    for seed in 0..4 {
        let (plain, bodies) = busy(seed, false);
        // The map has one block, plain or of rubber, in a corner that no body reaches.
        let with_block = |material: Material| {
            let mut parts = plain.clone().into_parts();
            let block = parts.catalogue.find_variant("full_block").unwrap();
            parts.kinds.push(TileKind { material, ..TileKind::new(block) });
            *parts.layers[0].cells.last_mut().unwrap() = TileId((parts.kinds.len() - 1) as u16);
            Map::from_parts(parts).unwrap()
        };
        let maps = [with_block(RUBBER), with_block(PLAIN), plain.clone()];
        assert_ne!(maps[0].checksum(), maps[1].checksum());
        let mut worlds = maps.map(|map| {
            let mut world = Way::turned(0).world(map, Settings::default());
            bodies.iter().for_each(|body| _ = world.spawn(body.clone()).unwrap());
            (world, Random(0x5EED ^ seed))
        });
        for tick in 0..400 {
            worlds.iter_mut().for_each(|(world, random)| play(world, random));
            let [rubber, block, none] = worlds.each_ref().map(|(world, _)| seen(world));
            assert_eq!(rubber, block, "{seed} {tick}");
            assert_eq!(rubber, none, "{seed} {tick}");
        }
    }
}

#[test]
fn a_default_material_changes_nothing() {
    let rows = ["........", "..@.....", "#######/"];
    let said = "legend: {'#': (tile: \"full_block\", material: (friction: 1.0, traction: 1, bounce: 0.0))}";
    let maps = [map_with(&rows, ""), map_with(&rows, said)];
    assert_eq!(maps[0].checksum(), maps[1].checksum());
    let mut worlds = maps.map(|map| {
        let mut world = World::new(map, Settings::default());
        world.spawn(Body::new(Shape::circle(0.25)).at((3.5, 2.5)).velocity((3.0, 0.0)).bounce(0.5)).unwrap();
        let hero = Body::new(Shape::aabb(0.25, 0.5)).at((1.5, 1.5)).character(Character::default());
        let hero = world.spawn(hero).unwrap();
        world.set_input(hero, walk(100));
        world
    });
    for _ in 0..200 {
        worlds.iter_mut().for_each(World::step);
        assert_eq!(worlds[0].checksum(), worlds[1].checksum());
    }
}

#[test]
fn a_body_at_rest_slips_when_ice_is_painted_under_it() {
    let text = r#"Map(format: 1, tiles: ["......", "...1..", "...##."], legend: {
        'i': (tile: "half_slope_low", material: (friction: 0.1)), '1': "half_slope_low"})"#;
    let map = Map::from_ron(text).unwrap();
    let ice = map.find_tile('i').unwrap();
    let mut world = World::new(map, Settings::default());
    let rests = world.spawn(Body::new(Shape::aabb(0.125, 0.125)).at((3.5, 1.75)).friction(0.8)).unwrap();
    (0..120).for_each(|_| world.step());
    let at = world[rests].position();
    (0..60).for_each(|_| world.step());
    assert_eq!((world[rests].position(), world[rests].on_floor()), (at, true));
    // The slope is 1:2: a friction of 0.8 holds the body, one of 0.08 does not.
    world.set_tile(0, (3, 1), ice).unwrap();
    (0..30).for_each(|_| world.step());
    assert!((world[rests].position() - at).x < -ONE / 8, "{}", world[rests].position());
}

#[test]
fn platforms_have_the_materials_of_their_tiles() {
    let text = r##"Map(format: 1, tiles: ["..........", "=========="], legend: {
        'i': (tile: "full_block", material: (traction: 0.25)), 'r': (tile: "full_block", material: (bounce: 0.75))})"##;
    let map = Map::from_ron(text).unwrap();
    let ice = Platform::from_rows(&map, ["iiiiiiii"]).unwrap().at((0.0, 20.0));
    let mut world = World::new(map.clone(), Settings::default());
    world.spawn_platform(ice).unwrap();
    let hero = world.spawn(Body::new(Shape::aabb(0.25, 0.5)).at((2.0, 21.5)).character(Character::default())).unwrap();
    world.set_input(hero, walk(127));
    for tick in 1..=10 {
        world.step();
        let speed = 15.0 * f64::from(tick) * TICK;
        assert!((world[hero].velocity().x - speed).abs() < 1e-9, "{tick}");
    }
    // A wall of rubber at 5 tiles per second pushes a hovering body ahead. Its bounce makes the body 3/4 faster than
    // the wall.
    let path = along(20.0, 0.0, 5.0);
    let wall = Platform::from_rows(&map, ["r"]).unwrap().at((10.0, 5.0)).path(path);
    world.spawn_platform(wall).unwrap();
    let floats = Body::new(Shape::circle(0.25)).at((11.75, 5.5)).gravity_scale(0.0);
    let thrown = world.spawn(floats).unwrap();
    (0..30).for_each(|_| world.step());
    let velocity = world[thrown].velocity();
    assert!((velocity - DVec2::new(5.0 * 1.75, 0.0)).length() < 1e-7, "{velocity}");
}
