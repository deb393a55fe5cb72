//! A body that an obstacle stops is at rest: it has no velocity into the obstacle, and sends no events. It is grounded
//! only with a floor, or between surfaces that hold it.

use crate::prelude::*;

const SIDE: u32 = 24;
/// Ticks for which an input is held.
const HELD: u32 = 40;
/// Ticks after a change of input in which events are allowed.
const SETTLING: u32 = 3;

/// Largest part of a velocity that may point into a surface by rounding. It exceeds f64's rounding of a projection, and
/// is far below the slowest walk.
const ALONG: f64 = 1e-5;

/// Cells of random variants and blocks.
fn noise(random: &mut Random) -> Map {
    let mut parts = MapParts::new(SIDE, SIDE);
    parts.kinds = TileKind::every_variant(&Catalogue::builtin());
    let variants = parts.kinds.len() as u64 - 1;
    let filled = random.range(0.1, 0.6);
    for cell in &mut parts.layers[0].cells {
        if random.range(0.0, 1.0) < filled {
            *cell = TileId(1 + random.below(variants) as u16);
        }
    }
    Map::from_parts(parts).expect("it is a map")
}

fn shape(random: &mut Random) -> Shape {
    let half = |random: &mut Random| match random.below(4) {
        0 => ONE / 2,
        1 => ONE / 16 * (1 + random.below(12) as i64),
        2 => ONE / 16 * (1 + random.below(12) as i64) + random.below(3) as i64 - 1,
        _ => (random.range(0.05, 0.9) * ONE as f64) as i64,
    };
    if random.below(2) == 0 {
        Shape::circle_units(half(random))
    } else {
        Shape::aabb_units((half(random), half(random)))
    }
}

/// Returns the broken law of a tick, if any. `rested` is the number of ticks without motion under one input.
fn fault(world: &World, hero: BodyId, moved: bool, rested: u32) -> Option<String> {
    let state = &world[hero];
    let velocity = state.velocity();
    let touches = |side: fn(Side) -> bool| world.contacts(hero).iter().filter(|contact| side(contact.side)).count();
    let (floors, steep) = (touches(|s| s == Side::Floor), touches(|s| matches!(s, Side::WallLeft | Side::WallRight)));
    if state.on_floor() && !state.is_stuck() && floors == 0 && steep < 2 {
        return Some("it is on the ground without a floor, or two that hold it".to_owned());
    }
    if moved || state.is_stuck() {
        return None;
    }
    let unit_per_tick = 60.0 / ONE as f64;
    if rested >= SETTLING && !world.events().is_empty() {
        return Some(format!("{:?} after {rested} ticks of rest", kinds(world)));
    }
    if rested >= SETTLING && velocity.length() > 2.0 * unit_per_tick {
        return Some(format!("it stands with velocity {velocity}"));
    }
    let into = world.contacts(hero).iter().find(|contact| contact.normal.dot(velocity) < -ALONG * velocity.length());
    into.filter(|_| velocity.length() > unit_per_tick).map(|contact| format!("{velocity} leads into {contact:?}"))
}

#[test]
fn a_stopped_character_has_no_velocity_and_sends_no_events() {
    let runs = std::env::var("SUREFOOT_RUNS").ok().and_then(|runs| runs.parse::<u64>().ok());
    let steps = runs.map_or(often(300, 800).into(), |runs| runs.max(4000)) * 1000;
    let mut random = Random(0x5741_11ED);
    let (mut made, mut stood, mut faults) = (0, 0, Vec::new());
    while made < steps {
        let map = noise(&mut random);
        let terrain = Terrain::bake(&map);
        let limit = SlopeLimit::new(random.pick(&[1, 1, 2, 20]), random.pick(&[1, 1, 1, 2])).expect("a limit");
        for _ in 0..8 {
            let settings = Settings::default().max_floor_slope(limit);
            let mut world = World::with_terrain(map.clone(), terrain.clone(), settings);
            let shape = shape(&mut random);
            let at = (random.range(0.0, f64::from(SIDE)), random.range(1.0, f64::from(SIDE)));
            let walk_speed = random.pick(&[0.5, 3.0, 8.0, 60.0]);
            let body = Body::new(shape).at(at).character(Character { walk_speed, ..Character::default() });
            let hero = world.spawn(body).expect("it is in order");
            let mut input = Input::default();
            let mut rested = 0;
            for tick in 0..600 {
                if tick % HELD == 0 {
                    let walk = random.pick(&[127, 127, -127, -127, 0, 3, 40]);
                    input = Input { walk, jump: random.below(3) == 0, ..Input::default() };
                    world.set_input(hero, input);
                    rested = 0;
                }
                let before = world[hero].position();
                world.step();
                made += 1;
                let moved = world[hero].position() != before;
                rested = if moved { 0 } else { rested + 1 };
                stood += u64::from(!moved);
                if let Some(what) = fault(&world, hero, moved, rested) {
                    let touched: Vec<_> =
                        world.contacts(hero).iter().map(|contact| (contact.normal, contact.tile)).collect();
                    faults.push(format!("{shape:?} {input:?} {limit:?} at {before:?}: {what} {touched:?}"));
                    break;
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} in {made} steps:\n{}", faults.len(), faults.join("\n"));
    assert!(stood * 10 > made, "too few stood: {stood} of {made}");
}
