//! A restore brings back every field of a body, whatever the world did before. The list of the fields is the snapshot's
//! own text: a field that no restore changes here fails the test, so a new field needs a scene in which it changes.
//! Worlds that went to another moment, and bodies in the memory of removed ones, then move as if both were new.

use crate::any_character::Hall;
use crate::prelude::*;
use crate::table::MASKS;

/// Fields in RON by their paths, each with its text.
type Fields = BTreeMap<String, String>;

/// The fields of a value in RON, each with its text. `path`: the names of the fields around it.
fn list_fields(text: &str, path: &str, fields: &mut Fields) {
    let text = text.trim();
    let (name, inner) = match text.split_once('(').filter(|_| !text.starts_with(['[', '"'])) {
        Some((name, rest)) => (name, rest.strip_suffix(')').unwrap()),
        None => (text, ""),
    };
    let items = split(inner);
    if items.iter().any(|item| field(item).is_some()) {
        let named = items.iter().filter_map(|item| field(item));
        named.for_each(|(name, value)| list_fields(value, &format!("{path}.{name}"), fields));
    } else if let ("Some", [one]) = (name, &items[..]) {
        list_fields(one, path, fields);
    } else {
        fields.insert(path.to_owned(), text.to_owned());
    }
}

fn field(item: &str) -> Option<(&str, &str)> {
    let (name, value) = item.split_once(':')?;
    name.trim().chars().all(|c| c.is_alphanumeric() || c == '_').then(|| (name.trim(), value))
}

/// The items between the commas of a list.
fn split(text: &str) -> Vec<&str> {
    let (mut items, mut depth, mut begin) = (Vec::new(), 0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&text[begin..i]);
                begin = i + 1;
            }
            _ => {}
        }
    }
    items.push(&text[begin..]);
    items.retain(|item| !item.trim().is_empty());
    items
}

/// The bodies of a snapshot.
fn bodies(snapshot: &str) -> Vec<Fields> {
    let rest = snapshot.split_once("\n    bodies: [").unwrap().1;
    let (all, _) = rest.split_once("\n    ],").unwrap();
    let of = |body: &&str| {
        let mut fields = Fields::new();
        list_fields(body, "body", &mut fields);
        fields
    };
    split(all).iter().map(of).collect()
}

/// A hall with a lift and a cart that have a ladder and water, a place with another up, and two crates.
fn hall(random: &mut Random) -> Hall {
    let mut hall = Hall::new(random);
    let tile = TileId(hall.world.map().catalogue().find_variant("full_block").unwrap().0 + 1);
    let layer = || {
        let mut layer = TileLayer::new("tiles", 4, 1);
        layer.cells.fill(tile);
        layer
    };
    let lift = Platform::new(vec![layer()]).at((4.0, 2.0)).path(along(0.0, 7.0, 5.0));
    let cart = Platform::new(vec![layer()]).at((12.0, 4.0)).path(along(7.0, 0.0, 6.0));
    let [lift, cart] = [lift, cart].map(|platform| hall.world.spawn_platform(platform).unwrap());
    let effects = [
        Effects { climbable: Some(true), ..Effects::default() },
        Effects { buoyancy: Some(1.0), ..Effects::default() },
    ];
    for (platform, (x, effects)) in
        [(lift, 1.0), (lift, 3.0), (cart, 1.0), (cart, 3.0)].map(|(p, x)| (p, (x, effects[usize::from(x > 2.0)])))
    {
        let shape = AreaShape::aabb(1.0, 2.0).unwrap();
        let area = Area::new(shape).at((x, 2.0)).effects(effects).attached_to(AttachedTo::Platform(platform));
        hall.world.spawn_area(area).unwrap();
    }
    let flip = Effects { up: Some(Up::MinusY), ..Effects::default() };
    hall.world.spawn_area(Area::new(AreaShape::aabb(2.0, 3.0).unwrap()).at((20.0, 6.0)).effects(flip)).unwrap();
    let box_of =
        |x| Body::new(Shape::aabb(0.25, 0.25)).at((x, 12.5)).friction(0.5).collision_mask(CollisionLayers::ALL);
    for x in [6.5, 17.5] {
        hall.world.spawn(box_of(x)).unwrap();
    }
    hall
}

/// A hall with nothing but tiles and bodies that do not collide. A snapshot of it contains the predictions of its
/// bodies.
fn plain_hall(random: &mut Random) -> Hall {
    let mut hall = Hall::new(random);
    let mut world = World::new(hall.world.map().clone(), hall.world.settings());
    for (id, state) in hall.world.bodies() {
        let body = state.body().clone().at(state.position()).collision_mask(CollisionLayers::NONE);
        assert_eq!(world.spawn(body), Ok(id));
    }
    hall.world = world;
    hall
}

/// Presses buttons, sometimes changes something from outside, and mostly makes a tick.
fn play(hall: &mut Hall, random: &mut Random, tick: u64) {
    hall.press(random, tick);
    let bodies: Vec<BodyId> = hall.world.bodies().map(|(body, _)| body).collect();
    let one = random.pick(&bodies);
    let is_plain = hall.world.platforms().next().is_none();
    let tile = (random.below(24) as i32, random.below(14) as i32);
    match random.below(60) {
        0 => hall.world.set_facing(one, random.pick(&[Facing::Left, Facing::Right])).unwrap(),
        1 => hall.world.teleport(one, (random.range(-2.0, 26.0), random.range(-2.0, 16.0))).unwrap(),
        4..6 if is_plain => drop(hall.world.carry(one, random.pick(&bodies), (0.0, 1.5))),
        6..8 if is_plain => drop(hall.world.release(one, (random.range(-9.0, 9.0), random.range(-9.0, 9.0)))),
        2 if !is_plain => hall.world.set_collision_mask(one, random.pick(&MASKS)).unwrap(),
        3 => drop(hall.world.set_tile(0, tile, random.pick(&[TileId::EMPTY, TileId(1)]))),
        _ => {}
    }
    if !random.one_in(8) {
        hall.world.step();
    }
}

/// Worlds of a hall at random moments, each with a snapshot of the world that was played.
fn moments(random: &mut Random, mut hall: Hall) -> Vec<(World, Snapshot)> {
    let platforms: Vec<PlatformId> = hall.world.platforms().map(|(platform, _)| platform).collect();
    let mut moments = Vec::new();
    for tick in 0..480 {
        play(&mut hall, random, tick);
        if !platforms.is_empty() {
            let platform = random.pick(&platforms);
            let to = (random.range(2.0, 18.0), random.range(2.0, 9.0));
            match random.below(120) {
                0 => hall.world.teleport_platform(platform, to).unwrap(),
                1 => hall.world.pause_platform(platform).unwrap(),
                2 => hall.world.resume_platform(platform).unwrap(),
                _ => {}
            }
        }
        if random.one_in(10) {
            moments.push((hall.world.clone(), hall.world.capture()));
        }
    }
    moments
}

/// Steps two worlds that must be equal now and in each tick. `what`: the seed and the moment, for the message.
fn check_both_go_on_alike(one: &mut World, other: &mut World, ticks: u64, what: (u32, usize)) {
    assert_eq!(one.capture().to_bytes(), other.capture().to_bytes(), "{what:?}");
    for tick in 0..ticks {
        one.step();
        other.step();
        assert_eq!((one.checksum(), one.events()), (other.checksum(), other.events()), "{what:?}, tick {tick}");
    }
}

/// A world whose memory and caches come from another moment steps as a clone does, which starts without caches.
#[test]
fn a_used_world_that_goes_to_another_moment_continues_alike() {
    for seed in 0..often(16, 600) {
        let mut random = Random(mix(0x0F1E_1D51 + u64::from(seed)));
        let hall = if seed % 2 == 0 { hall(&mut random) } else { plain_hall(&mut random) };
        let moments = moments(&mut random, hall);
        let mut used = moments[0].0.clone();
        for i in 0..moments.len() {
            for to in [random.index(moments.len()), i] {
                let (world, snapshot) = &moments[to];
                if random.one_in(2) {
                    used.clone_from(world);
                } else {
                    used.restore(snapshot).unwrap();
                }
                let ticks = 1 + random.below(16);
                check_both_go_on_alike(&mut used, &mut world.clone(), ticks, (seed, to));
            }
        }
    }
}

/// Bodies in the memory of removed ones move as those in new memory do: a clone keeps no memory of removed bodies.
#[test]
fn bodies_in_the_memory_of_removed_ones_move_alike() {
    for seed in 0..often(8, 300) {
        let mut random = Random(mix(0x0F1E_1D52 + u64::from(seed)));
        let hall = hall(&mut random);
        for (i, (moment, _)) in moments(&mut random, hall).iter().enumerate() {
            let mut used = moment.clone();
            (0..4).for_each(|_| used.step());
            let bodies: Vec<(BodyId, Body)> = used
                .bodies()
                .map(|(id, state)| (id, state.body().clone().at(state.position()).velocity(state.velocity())))
                .collect();
            bodies.iter().for_each(|(id, _)| used.despawn(*id).unwrap());
            let mut new = used.clone();
            for (_, body) in bodies.iter().filter(|_| !random.one_in(4)) {
                assert_eq!(used.spawn(body.clone()), new.spawn(body.clone()));
            }
            check_both_go_on_alike(&mut used, &mut new, 12, (seed, i));
        }
    }
}

#[test]
fn a_restore_brings_back_every_field_of_a_body() {
    let (mut seen, mut restored) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..often(12, 400) {
        let mut random = Random(mix(0x0F1E_1D50 + u64::from(seed)));
        let mut hall = hall(&mut random);
        let mut kept: Vec<(Snapshot, String, Vec<Fields>)> = Vec::new();
        for tick in 0..480 {
            play(&mut hall, &mut random, tick);
            if random.one_in(8) {
                let snapshot = hall.world.capture();
                let text = snapshot.to_ron().unwrap();
                let bodies = bodies(&text);
                kept.push((snapshot, text, bodies));
            }
        }
        for i in 0..kept.len() {
            let (from, to) = (&kept[random.index(kept.len())], &kept[i]);
            hall.world.restore(&from.0).unwrap();
            hall.world.restore(&to.0).unwrap();
            let text = hall.world.capture().to_ron().unwrap();
            if text != to.1 {
                assert_eq!(bodies(&text), to.2, "seed {seed}, snapshot {i}");
                panic!("seed {seed}, snapshot {i}: the world differs, its bodies do not");
            }
            for (before, expected) in from.2.iter().zip(&to.2) {
                seen.extend(expected.keys().cloned());
                let changed =
                    expected.iter().filter(|(name, value)| before.get(*name).is_some_and(|known| known != *value));
                restored.extend(changed.map(|(name, _)| name.clone()));
                // If only the restored state has a struct, all its fields but those at 0 change. If only the other
                // state has it, the struct itself changes.
                let is_zero = |value: &str| ["0", "false", "None", "(0, 0)"].contains(&value);
                let had = |name: &str| before.keys().any(|known| known.starts_with(&format!("{name}.")));
                let added = expected
                    .iter()
                    .filter(|(name, value)| !before.contains_key(*name) && (!is_zero(value) || had(name)));
                restored.extend(added.map(|(name, _)| name.clone()));
            }
        }
    }
    let constant: Vec<_> = seen.difference(&restored).collect();
    assert!(constant.is_empty(), "no restore changes {constant:?}");
    assert!(seen.len() > 30, "{seen:?}");
}
