//! Contacts: their points, normals and tiles.

use crate::scene::{I64Vec2, ONE, Random, map, position, units, variants};
use crate::streaming::source_of;
use crate::symmetry::{Square, Symmetry};
use surefoot::map::{MapParts, Material, TileLayer};
use surefoot::prelude::*;
use surefoot::{Map, World, geometry::DVec2};

/// Returns point and exact normal of everything that a shape touches at a position, in order.
fn points(map: &Map, shape: Shape, at: Position) -> Vec<(Position, I64Vec2)> {
    let terrain = Terrain::bake(map);
    let touching = Mover::new(&terrain).touching(shape, at);
    let contacts = touching.contacts();
    assert_eq!(contacts.len(), contacts.iter().count());
    contacts.iter().map(|contact| (contact.point, contact.exact_normal)).collect()
}

fn normal(x: i64, y: i64) -> I64Vec2 {
    I64Vec2::new(x, y)
}

#[test]
fn a_box_on_flat_faces_touches_the_middle_of_the_shared_part() {
    // The room has inner sides at x = 1 and x = 4, its floor at y = 1 and its ceiling at y = 3.
    let room = map(&["#####", "#...#", "#...#", "#####"]);
    let shape = Shape::aabb(0.5, 0.5);
    // The box stands on the floor from x = 1.75 to 2.75: a quarter on one tile and three quarters on the next.
    let floor = [(position(1.875, 1.0), normal(0, 1)), (position(2.375, 1.0), normal(0, 1))];
    assert_eq!(points(&room, shape, position(2.25, 1.5)), floor);
    let ceiling = floor.map(|(at, up)| (position(at.to_dvec2().x, 3.0), -up));
    assert_eq!(points(&room, shape, position(2.25, 2.5)), ceiling);
    // The box touches the walls from y = 1.25 to 2.25.
    for (center, wall, out) in [(1.5, 1.0, 1), (3.5, 4.0, -1)] {
        let walls = [(position(wall, 1.625), normal(out, 0)), (position(wall, 2.125), normal(out, 0))];
        assert_eq!(points(&room, shape, position(center, 1.75)), walls);
    }
}

#[test]
fn the_middle_between_two_units_is_the_one_further_from_the_centre() {
    // The block reaches from x = 1 to x = 2. The shared part is an eighth of a tile and a unit long.
    let block = map(&["...", ".#."]);
    let (shape, unit) = (Shape::aabb(0.25, 0.25), I64Vec2::X);
    let up = normal(0, 1);
    let left = position(0.875, 1.25) + unit;
    assert_eq!(points(&block, shape, left), [(position(1.0625, 1.0) + unit, up)]);
    let right = position(2.125, 1.25) + -unit;
    assert_eq!(points(&block, shape, right), [(position(1.9375, 1.0) + -unit, up)]);
}

#[test]
fn a_box_touches_slopes_with_its_corner() {
    // The slope rises from (1, 0) to (2, 1), and falls from (2, 1) to (3, 0).
    let hill = map(&["....", "./\\."]);
    let shape = Shape::aabb(0.25, 0.125);
    assert_eq!(points(&hill, shape, position(1.25, 0.625)), [(position(1.5, 0.5), normal(-1, 1))]);
    assert_eq!(points(&hill, shape, position(2.75, 0.625)), [(position(2.5, 0.5), normal(1, 1))]);
    // 16 units away, the box still touches. The contact point is the box's corner.
    let away = position(1.25, 0.625) + I64Vec2::new(-16, 16);
    assert_eq!(points(&hill, shape, away), [(position(1.5, 0.5) + I64Vec2::new(-16, 16), normal(-1, 1))]);
}

#[test]
fn a_circle_touches_faces_with_the_foot_of_its_centre() {
    let floor = map(&["...", "###"]);
    assert_eq!(points(&floor, Shape::circle(0.25), position(1.375, 1.25)), [(position(1.375, 1.0), normal(0, 1))]);
    // A slope of 1:2 from (0, 0) to (2, 1). The centre is 5 steps of (-1, 2) away from the middle of the first tile's
    // side. The radius is the smallest number of units above 5 times the length of (-1, 2).
    let slope = map(&["...", "12#"]);
    let (foot, step) = (position(0.5, 0.25), ONE / 64);
    let center = foot + I64Vec2::new(-5 * step, 10 * step);
    let radius = (125.0_f64.sqrt() * step as f64).floor() as i64;
    let circle = Shape::circle_units(radius);
    assert_eq!(points(&slope, circle, center), [(foot, normal(-1, 2))]);
    // If the centre moves by a unit to the right, the contact point moves by 4/5 of a unit to the right and 2/5 up.
    // Rounded, that is a unit to the right.
    assert_eq!(points(&slope, circle, center + I64Vec2::X), [(foot + I64Vec2::X, normal(-1, 2))]);
}

#[test]
fn corners_are_touched_where_they_are() {
    // The upper corners of the block are at (1, 1) and (2, 1).
    let block = map(&["...", ".#."]);
    let step = ONE / 16;
    let circle = Shape::circle_units(5 * step);
    for (corner, side) in [(position(1.0, 1.0), -1), (position(2.0, 1.0), 1)] {
        let offset = I64Vec2::new(side * 3 * step, 4 * step);
        assert_eq!(points(&block, circle, corner + offset), [(corner, offset)]);
        let terrain = Terrain::bake(&block);
        let touching = Mover::new(&terrain).touching(circle, corner + offset);
        let unit = touching.contacts().iter().next().expect("it touches").normal;
        assert!((unit - DVec2::new(0.6 * side as f64, 0.8)).length() <= f64::EPSILON, "{unit}");
    }
    // The tip of the spike is at (1.5, 1): the underside of a box rests on it.
    let spike = map(&["...", ".^."]);
    let shape = Shape::aabb(0.25, 0.25);
    for center in [1.375, 1.5, 1.625] {
        assert_eq!(points(&spike, shape, position(center, 1.25)), [(position(1.5, 1.0), normal(0, 1))]);
    }
}

#[test]
fn contacts_at_the_end_of_a_path_name_the_hit_tiles() {
    let floor = map(&["....", "....", "####"]);
    let terrain = Terrain::bake(&floor);
    let mover = Mover::new(&terrain);
    let hit = mover.cast(Shape::circle(0.25), position(0.5, 2.0), (1.0, -1.0)).expect("the floor is below");
    assert_eq!((hit.target.point(), hit.target.tile().unwrap().exact_normal), (position(1.25, 1.0), normal(0, 1)));
    let moved = mover.slide(Shape::aabb(0.25, 0.25), position(0.5, 2.0), (1.0, -1.0));
    // The box hits at (1.25, 1.25) and slides on to (1.5, 1.25). Under its middle, the next tile starts.
    let hits: Vec<_> = moved.hits.iter().map(|contact| contact.point).collect();
    assert_eq!(hits, [position(1.25, 1.0)]);
}

#[test]
fn points_and_normals_keep_to_mirrors_and_turns() {
    let mut random = Random(0x5EED_C0A7);
    let from = variants(&Catalogue::builtin());
    let mut met = 0;
    for scene in 0..200 {
        let half = 4;
        let square = Square::random(&mut random, half, 0.35, &from);
        let shape = if scene % 2 == 0 { Shape::circle(0.4) } else { Shape::aabb(0.3, 0.45) };
        let at = units((random.range(-2.0, 2.0) * ONE as f64) as i64, random.below(ONE as u64) as i64);
        let motion = DVec2::new(random.range(-4.0, 4.0), random.range(-4.0, 4.0));
        let seen = |symmetry: Symmetry| {
            let map = square.map(symmetry, (0, 0));
            let terrain = Terrain::bake(&map);
            let mover = Mover::new(&terrain).up(symmetry.up(Up::PlusY));
            let moved = mover.slide(symmetry.shape(shape), symmetry.position(at), symmetry.velocity(motion));
            let back = symmetry.inverse();
            let told = |contact: Contact| (back.position(contact.point).units(), back.vector(contact.exact_normal));
            let sorted = |contacts: &mut dyn Iterator<Item = Contact>| {
                let mut all: Vec<_> = contacts.map(told).map(|(a, b)| [a.x, a.y, b.x, b.y]).collect();
                all.sort_unstable();
                all
            };
            (sorted(&mut moved.contacts().iter()), sorted(&mut moved.hits.iter().copied()))
        };
        let plain = seen(Symmetry(Placement::default()));
        met += plain.0.len() + plain.1.len();
        for symmetry in Symmetry::all() {
            assert_eq!(seen(symmetry), plain, "scene {scene}, {symmetry:?}");
        }
    }
    assert!(met > 200, "{met}");
}

/// Returns the contacts that a world reports for a body.
fn reported_contacts(world: &World, body: BodyId) -> Vec<Contact> {
    let contacts = world.contacts(body);
    assert_eq!((contacts.len(), contacts.is_empty()), (contacts.iter().count(), contacts.iter().next().is_none()));
    contacts.iter().collect()
}

/// Returns the contacts of a body's shape in the terrain as it is now.
fn now(world: &World, body: BodyId) -> Vec<Contact> {
    world.mover().touching(world[body].shape(), world[body].position()).contacts().iter().collect()
}

fn agrees(world: &World, body: BodyId, what: &str) {
    assert_eq!(reported_contacts(world, body), now(world, body), "{what}");
    for contact in reported_contacts(world, body) {
        assert_eq!(Some(contact.tile_id), world.tile_at(contact.layer, contact.tile), "{what}: {contact:?}");
        let variant = world.map().kind(contact.tile_id).and_then(|kind| kind.variant);
        assert_eq!(contact.variant, variant, "{what}: {contact:?}");
        let edges = world.map().catalogue().variant(variant.expect("empty cells are not touched")).edges.len();
        assert!(usize::from(contact.edge) < edges, "{what}: {contact:?}");
    }
}

const ROWS: [&str; 5] = ["........", "........", "........", "########", "########"];

fn standing(shape: Shape) -> Body {
    Body::new(shape).at((3.5, 2.0 + shape.half_extents().y)).character(Character::default())
}

#[test]
fn contacts_are_of_the_tiles_as_they_are_painted() {
    for shape in [Shape::aabb(0.375, 0.5), Shape::circle(0.375)] {
        let mut world = World::new(map(&ROWS), Settings::default());
        let body = world.spawn(standing(shape)).expect("it is in order");
        world.step();
        let entry = |world: &World, character| world.map().find_tile(character).expect("it is in the legend");
        let floor = reported_contacts(&world, body);
        assert_eq!(floor.len(), 1, "{shape:?}");
        // The floor is removed, so nothing is touched.
        world.set_tile(0, (3, 1), TileId::EMPTY).expect("it is on the map");
        assert_eq!(reported_contacts(&world, body), [], "{shape:?}");
        // The new tile is one-way: it has one edge instead of four.
        let ledge = entry(&world, '=');
        world.set_tile(0, (3, 1), ledge).expect("it is on the map");
        let [on_ledge] = reported_contacts(&world, body)[..] else { panic!("it stands on one tile") };
        assert_eq!((on_ledge.tile_id, on_ledge.edge, on_ledge.normal), (ledge, 0, DVec2::Y), "{shape:?}");
        agrees(&world, body, "one_way");
        for character in "#/\\12^v()LJo+|_.#".chars() {
            world.set_tile(0, (3, 1), entry(&world, character)).expect("it is on the map");
            agrees(&world, body, &format!("{shape:?} on {character}"));
            // The tiles overlap the body on one side, then completely: the body is stuck.
            for (from, to) in [((4, 2), (4, 2)), ((2, 2), (4, 2))] {
                let mut other = world.clone();
                other.set_tiles(0, from, to, entry(&world, character)).expect("it is on the map");
                agrees(&other, body, &format!("{shape:?} in {character}"));
                other.step();
                agrees(&other, body, &format!("{shape:?} in {character} after a step"));
                other.set_tiles(0, from, to, TileId::EMPTY).expect("it is on the map");
                agrees(&other, body, &format!("{shape:?} free of {character}"));
            }
        }
        // The tiles are restored, and so are the contacts.
        assert_eq!(reported_contacts(&world, body), floor, "{shape:?}");
    }
}

#[test]
fn contacts_are_of_the_layer_that_is_painted() {
    let mut parts = MapParts::new(8, 5);
    let legend = Map::from_parts(parts.clone()).expect("it is empty");
    let rows = |character: char| {
        let entry = legend.find_tile(character).expect("it is in the legend");
        (0..40).map(|i| if i < 16 { entry } else { TileId::EMPTY }).collect::<Vec<_>>()
    };
    let layer = |name, character| TileLayer { cells: rows(character), ..TileLayer::new(name, 8, 5) };
    parts.layers = vec![layer("back", '_'), layer("front", '=')];
    let mut world = World::new(Map::from_parts(parts).expect("they share cells"), Settings::default());
    let body = world.spawn(standing(Shape::aabb(0.375, 0.5))).expect("it is in order");
    world.step();
    assert_eq!(reported_contacts(&world, body)[0].layer, 1);
    for (layer, character, expected) in [(0, '#', None), (1, '.', Some(0)), (1, '-', None), (0, '.', Some(1))] {
        let entry = world.map().find_tile(character).expect("it is in the legend");
        world.set_tile(layer, (3, 1), entry).expect("they share cells");
        agrees(&world, body, &format!("{character} in layer {layer}"));
        if let Some(layer) = expected {
            assert!(reported_contacts(&world, body).iter().all(|contact| contact.layer == layer), "{character}");
        }
    }
}

#[test]
fn contacts_of_a_streamed_world_are_those_of_a_map() {
    let map = map(&ROWS);
    let streamed = World::streamed(map.clone(), source_of(&map), Settings::default());
    let worlds = [World::new(map.clone(), Settings::default()), streamed];
    let seen = worlds.map(|mut world| {
        let body = world.spawn(standing(Shape::circle(0.375))).expect("it is in order");
        let ghost = Body::new(Shape::circle(0.375)).at((3.5, 2.375)).response(Response::Pass);
        let ghost = world.spawn(ghost).expect("it is in order");
        world.step();
        let mut seen = vec![reported_contacts(&world, body)];
        for character in "=./^#".chars() {
            world.set_tile(0, (3, 1), map.find_tile(character).expect("it is in the legend")).expect("it is there");
            agrees(&world, body, &character.to_string());
            assert_eq!(reported_contacts(&world, ghost), [], "it passes through everything");
            seen.push(reported_contacts(&world, body));
        }
        seen
    });
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn a_contact_reports_the_material_of_its_tile() {
    let text = r#"Map(format: 1, tiles: ["....", "i#i-"], border: (bottom: Solid), legend: {
        'i': (tile: "full_block", material: (friction: 0.1, traction: 0.25, bounce: 0.5, climbable: true))})"#;
    let map = Map::from_ron(text).unwrap();
    let terrain = Terrain::bake(&map);
    let touching = Mover::new(&terrain).touching(Shape::aabb(1.0, 0.5), position(1.5, 1.5));
    let told: Vec<_> = touching.contacts().iter().map(|contact| (contact.tile.0, contact.material)).collect();
    let ice = Material { friction: 0.1, traction: 0.25, bounce: 0.5, belt_velocity: 0.0, climbable: true };
    assert_eq!(told, [(0, ice), (1, Material::default()), (2, ice)]);
    // Beyond the map, tiles have no kind.
    let beyond = Mover::new(&terrain).touching(Shape::circle(0.5), position(9.5, 0.5));
    assert_eq!(beyond.contacts().iter().map(|contact| contact.material).collect::<Vec<_>>(), [Material::default()]);
}
