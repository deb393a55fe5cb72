//! Characters that press against the sides of others, which jump: a press lends no speed, and takes no jump.

use crate::body_laws::seeds;
use crate::prelude::*;
use crate::surfaces::{PLAIN, upright};
use crate::table::Run;

/// A corner on the right hand, open ground, and a slope up to a wall.
fn ground(number: usize) -> Vec<&'static str> {
    let above: &[&str] = match number {
        0 => &["............#"; 9],
        1 => &["............."; 9],
        _ => &[&["............#"; 7][..], &["..........12#", "........12###"]].concat(),
    };
    [above, &["#############"]].concat()
}

fn shape(random: &mut Random, half: f64) -> Shape {
    if random.below(2) == 0 { Shape::circle(half) } else { Shape::aabb(half, half) }
}

/// Returns how much bodies block a character at `at` that rises: 0 for none, 1 for a stop. A body does by the share of its side that
/// faces the character from above: where their normal points up by `u`, the character slides along with 1 - u * u of its speed. Two
/// bodies stop it if one is on each hand, and one body if a wall is on the right hand. `margin`: gap in tiles up to which bodies count.
fn blocks((shape, at): (Shape, DVec2), others: &[(Shape, DVec2)], margin: f64, is_at_wall: bool) -> f64 {
    let core = |shape: Shape| if shape.is_circle() { DVec2::ZERO } else { shape.half_extents() };
    let radius = |shape: Shape| shape.half_extents().x - core(shape).x;
    let (mut left, mut right, mut most) = (false, is_at_wall, 0.0_f64);
    for &(other, place) in others {
        let (offset, reach) = (place - at, core(shape) + core(other));
        let apart = offset - offset.clamp(-reach, reach);
        if apart.length() > radius(shape) + radius(other) + margin {
            continue;
        }
        // If both are boxes, `apart` is the offset between their sides. For circles, it goes between the nearest points
        // of their cores.
        left |= apart.y > 0.0 && apart.x < 0.0;
        right |= apart.y > 0.0 && apart.x > 0.0;
        let up = if apart == DVec2::ZERO { f64::from(offset.y > 0.0) } else { (apart.y / apart.length()).max(0.0) };
        most = most.max(if is_facing_up(up) { 1.0 } else { up * up });
    }
    if left && right { 1.0 } else { most }
}

/// Whether a normal of length 1 points up more than sideways.
fn is_facing_up(up: f64) -> bool {
    2.0 * up * up > 1.0
}

/// Runs a scene: one or two walk against a hero, which jumps. Returns what is wrong, if anything is.
fn fault(seed: u64, pressed: &mut u32) -> Option<String> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let ground = random.below(3) as usize;
    let way = Way::turned(random.below(8) as usize);
    let ticks = [30.0, 60.0, 60.0, 120.0, 144.0, 240.0][random.below(6) as usize];
    let tick = 1.0 / ticks;
    let mut size = || (random.below(9) + 4) as f64 / 20.0 - (random.below(3) * random.below(40)) as f64 / 1000.0;
    let (own, left, right) = (size(), size(), size());
    let strength = [0.0, 0.0, 3.0][random.below(3) as usize];
    let (by_height, by_time) = (random.below(2) == 0, 0.3 + random.below(3) as f64 / 20.0);
    let character = Character { max_push_mass: strength, ..Character::default() };
    // The jump is given by its height under the world's gravity, or by its height and its time.
    let hero = if by_height { character } else { Character { jump_time: by_time, jump_height: 2.0, ..character } };
    let speed = if by_height { (2.0 * 40.0 * hero.jump_height).sqrt() } else { 2.0 * hero.jump_height / by_time };
    let mut world = way.world(upright(&self::ground(ground), |_| PLAIN), Settings::default().tick(tick));
    let mut spawn = |shape: Shape, x: f64, y: f64, character| {
        let body = Body::new(shape).at((x, y)).character(character);
        world.spawn(body.collision_mask(CollisionLayers::ALL)).unwrap()
    };
    let (shapes, x) =
        ([own, left, right].map(|half| shape(&mut random, half)), if ground == 1 { 6.0 } else { 12.0 - own });
    let over = if ground == 2 { 3.1 + own } else { 1.0 + own };
    let hero = spawn(shapes[0], x, over, hero);
    let mut pressers = vec![(spawn(shapes[1], 3.0, 1.0 + left, character), 127)];
    if ground == 1 {
        pressers.push((spawn(shapes[2], 9.0, 1.0 + right, character), -127));
    }
    let scene = format!("{shapes:?} on ground {ground} at {ticks}, max_push_mass {strength}, {way}");
    let mut before = Vec::new();
    let of = |world: &Run, id: BodyId| (world[id].position().to_dvec2(), world[id].velocity());
    let start = (ticks * 1.5) as u32;
    let (mut floor, mut highest) = (0.0, 0.0_f64);
    // A press that a body overhead blocks stays stored while the button is down.
    let (mut left_floor, mut has_risen) = (false, false);
    let height = if by_height { 3.2 } else { 2.0 };
    // `owed` is the height that the hero still has to reach. Each body in its way makes it less.
    let mut owed: f64 = height;
    for n in 1..=(ticks * 2.0) as u32 {
        for &(id, walk) in &pressers {
            world.set_input(id, Input { walk, ..Input::default() });
        }
        world.set_input(hero, Input { jump: n > start, ..Input::default() });
        if n == start + 1 {
            floor = of(&world, hero).0.y;
            if !world[hero].on_floor() {
                return None;
            }
        }
        world.step();
        let all = pressers.iter().map(|(id, _)| *id).chain([hero]);
        let now: Vec<(DVec2, DVec2)> = all.map(|id| of(&world, id)).collect();
        // A walker moves up a slope at half of its speed, and a body that jumps below it carries it up.
        let most = speed + 8.0 + 1e-6;
        for (i, (at, velocity)) in now.iter().enumerate() {
            let bound = if i == now.len() - 1 && ground < 2 { speed + 1e-6 } else { most };
            let way = before.get(i).map_or(0.0, |(last, _): &(DVec2, DVec2)| at.y - last.y);
            if velocity.y > bound || way > bound * tick + 1.0 / 64.0 {
                return Some(format!("tick {n}, body {i} at {at} with {velocity}, {way} up of {}", bound * tick));
            }
        }
        let had_left = left_floor;
        left_floor |= n > start && !world[hero].on_floor();
        let (at, velocity) = now[pressers.len()];
        if n > start && !has_risen {
            highest = highest.max(at.y - floor);
            let (from, last) = before[pressers.len()];
            let others = |moment: &[(DVec2, DVec2)]| -> Vec<(Shape, DVec2)> {
                (0..pressers.len()).map(|i| (shapes[i + 1], moment[i].0)).collect()
            };
            let moments = [others(&before), others(&now)];
            let raised = |step: i32| from + DVec2::Y * (speed * tick * f64::from(step) / 64.0);
            let is_held =
                |step: i32| moments.iter().any(|others| blocks((shapes[0], raised(step)), others, 1e-6, false) == 1.0);
            if !left_floor && !(0..=64).any(is_held) {
                return Some(format!("the press of tick {n} makes no jump: {scene}, {before:?}"));
            }
            // `path` is the displacement of this tick by the jump alone. The first body on it may have slowed the hero,
            // anywhere on that body's own path or at its end.
            let begins = if had_left { last } else { DVec2::new(last.x, speed) };
            let fall = speed * speed / (4.0 * height);
            let path = (begins - DVec2::Y * (fall * tick)) * tick;
            let blocked = (0..=64).map(|step| {
                let part = f64::from(step) / 64.0;
                let free = from + path * part;
                let is_at_wall = ground != 1 && free.x + own > 12.0 - 1e-6;
                let [first, end] = &moments;
                let between = first.iter().zip(end).map(|(&(shape, first), &(_, end))| (shape, first.lerp(end, part)));
                let between: Vec<(Shape, DVec2)> = between.collect();
                let blocks_it = |others: &[(Shape, DVec2)]| blocks((shapes[0], free), others, -1e-6, is_at_wall);
                blocks_it(end).max(blocks_it(&between))
            });
            let share = 1.0 - blocked.fold(0.0, f64::max);
            if left_floor && share < 1.0 {
                let left = begins.y * share;
                owed = owed.min(from.y - floor + left * left / (4.0 * fall));
            }
            has_risen = left_floor && velocity.y <= 0.0;
            if has_risen && highest < 0.9 * owed && ground < 2 {
                return Some(format!("rises {highest} of {owed} until tick {n}: {scene}"));
            }
        }
        before = now;
    }
    *pressed += 1;
    None
}

#[test]
fn a_press_lends_no_speed_and_takes_no_jump() {
    let mut pressed = 0;
    let seeds = seeds(often(50, 120).into(), 1);
    let broken: Vec<String> = seeds
        .clone()
        .filter_map(|seed| fault(seed, &mut pressed).map(|fault| format!("seed {seed}: {fault}")))
        .collect();
    assert!(broken.is_empty(), "{}:\n{}", broken.len(), broken[..broken.len().min(20)].join("\n"));
    assert!(u64::from(pressed) * 2 > seeds.end - seeds.start, "{pressed}");
}

/// A box rises in a corner past another one that walks against it. A tick begins where its bottom is over or under the
/// other one's top by units alone: it keeps its velocity, and does not land there.
#[test]
fn a_box_that_rises_past_the_top_of_another_one_goes_on() {
    all_ways(|way| {
        for (ticks, below) in
            [30.0, 60.0, 144.0].into_iter().flat_map(|ticks| (-4..=8).map(move |below| (ticks, below)))
        {
            let mut world = way.world(upright(&ground(0), |_| PLAIN), Settings::default().tick(1.0 / ticks));
            let mut spawn = |half: f64, at: Position, speed: f64| {
                let body = Body::new(Shape::aabb(half, half)).at(at).character(Character::default());
                world.spawn(body.velocity((0.0, speed)).collision_mask(CollisionLayers::ALL)).unwrap()
            };
            let presser = spawn(0.375, position(10.625, 1.375), 0.0);
            let hero = spawn(0.5, units(23 * ONE / 2, 9 * ONE / 4 - below), 10.0);
            world.set_input(presser, Input::walk(1.0));
            world.step();
            let speed = world[hero].velocity().y;
            let is_as_alone = (speed - (10.0 - 40.0 / ticks)).abs() < 1e-9 && !world[hero].on_floor();
            assert!(is_as_alone, "at {ticks}, {below} units below: {speed}");
        }
    });
}

/// The reported case: a circle of 0.4 in a corner, and one of 0.35 that walks against it.
#[test]
fn a_circle_in_a_corner_jumps_as_high_as_alone() {
    for up in [false, true] {
        let rows = [&["........#"; 8][..], &["#########"]].concat();
        let mut world = World::new(map(&rows), Settings::default());
        let body = |r: f64, x: f64| Body::new(Shape::circle(r)).at((x, 1.0 + r)).character(Character::default());
        let hero = world.spawn(body(0.4, 7.6).collision_mask(CollisionLayers::ALL)).unwrap();
        let imp = world.spawn(body(if up { 0.399 } else { 0.35 }, 5.0).collision_mask(CollisionLayers::ALL)).unwrap();
        let (mut highest, mut fastest) = (0.0_f64, 0.0_f64);
        for tick in 1..=120 {
            world.set_input(imp, Input { walk: 127, ..Input::default() });
            world.set_input(hero, Input { jump: tick > 60, ..Input::default() });
            world.step();
            highest = highest.max(world[hero].position().to_dvec2().y - 1.4);
            fastest = fastest.max(world[hero].velocity().y);
            assert!(tick > 100 || world[hero].on_floor() == (tick <= 60), "{tick}");
        }
        // A jump of 3.2 tiles starts at 16 tiles per second, and has 40 / 60 less after the first tick. The hero comes
        // down on the other body.
        assert!((highest - 3.2).abs() < 1e-6 && (fastest - (16.0 - 40.0 / 60.0)).abs() < 1e-9, "{highest} {fastest}");
    }
}

/// A character without gravity hangs so little over a hero's head that a jump ends within the tick in which it begins.
/// The press is kept: while the button is down, and after that as long as the buffer keeps one. The jump is made in the
/// tick after the one overhead has gone.
#[test]
fn a_press_that_a_body_overhead_blocks_is_kept() {
    // Each row has the ticks for which the button is held, the ticks after which the body overhead goes, the ticks for
    // which a press is stored, and whether the hero jumps.
    let rows =
        [(20, 10, 0, true), (5, 10, 0, false), (1, 5, 8, true), (1, 10, 8, false), (4, 10, 8, true), (1, 0, 0, true)];
    all_ways_of(pairs([30.0, 60.0, 144.0, 240.0], rows), |way, (ticks, (held, gone, buffer, jumps))| {
        let mut world = way.world(upright(&ground(1), |_| PLAIN), Settings::default().tick(1.0 / ticks));
        let character = Character { jump_buffer: f64::from(buffer) / ticks, ..Character::default() };
        let body = |y: f64| Body::new(Shape::aabb(0.25, 0.5)).at((6.0, y)).collision_mask(CollisionLayers::ALL);
        let hero = world.spawn(body(1.5).character(character)).unwrap();
        let over = body(2.5 + 1.0 / 4096.0).gravity_scale(0.0).character(Character::default());
        let over = world.spawn(over).unwrap();
        world.step();
        let mut made = None;
        for tick in 0..20 {
            if tick == gone {
                world.despawn(over).unwrap();
            }
            world.set_input(hero, Input { jump: tick < held, ..Input::default() });
            world.step();
            made = made.or_else(|| (!world[hero].on_floor()).then_some(tick));
        }
        assert_eq!(made, jumps.then_some(gone), "{ticks}, held for {held}, gone in {gone}, kept for {buffer}");
    });
}
