//! A rider keeps its place on its platform: to the unit, at any speed, through turns, and between two ticks when drawn.

use crate::platforms::{at, floor, offset, path, rows};
use crate::prelude::*;

/// A map from x = -100 to 160 and y = 0 to 140, empty except for a row of blocks at the bottom.
fn sky() -> Map {
    let mut parts = MapParts::new(1, 1);
    let block = parts.catalogue.find_variant("full_block").unwrap();
    let block = parts.kinds.iter().position(|kind| kind.variant == Some(block)).unwrap();
    let mut layer = TileLayer::new(TileLayer::DEFAULT_NAME, 260, 140);
    layer.origin = (-100, 0);
    layer.cells[..260].fill(TileId(block as u16));
    parts.layers = vec![layer];
    Map::from_parts(parts).unwrap()
}

/// A body, the tiles of its platform, and the body's position relative to their lower left corner.
struct Case {
    name: &'static str,
    tiles: &'static [&'static str],
    body: Body,
}

fn cases() -> Vec<Case> {
    let aabb = || Body::new(Shape::aabb(0.35, 0.45));
    let walker = |body: Body| body.character(Character::default());
    let case = |name, tiles, body| Case { name, tiles, body };
    let flat: &[_] = &["##"];
    let (slope, gentle, valley): (&[_], &[_], &[_]) = (&["./", "/#"], &["12"], &["\\/"]);
    vec![
        case("a box that walks", flat, walker(aabb()).at((1.0, 1.45))),
        case("a circle that walks", flat, walker(Body::new(Shape::circle(0.4))).at((1.0, 1.4))),
        case("a crate", flat, aabb().at((1.0, 1.45))),
        case("a ball", flat, Body::new(Shape::circle(0.4)).at((1.0, 1.4))),
        // Only 1/20 tile of the box's width of 0.7 is over the platform.
        case("a box over the edge", flat, walker(aabb()).at((2.3, 1.45))),
        case("a crate over the edge", flat, aabb().at((-0.3, 1.45))),
        // The lower right corner of the box is above the slope, and lands on it.
        case("a box on 45 degrees", slope, walker(aabb()).at((0.5, 1.5))),
        case("a circle on 45 degrees", slope, walker(Body::new(Shape::circle(0.4))).at((1.0, 1.75))),
        case("a crate on 45 degrees", slope, aabb().friction(2.0).at((0.5, 1.5))),
        case("a box on 1:2", gentle, walker(aabb()).at((1.0, 1.2))),
        case("a circle on 1:2", gentle, walker(Body::new(Shape::circle(0.4))).at((1.0, 1.0))),
        case("a crate on 1:2", gentle, aabb().friction(1.0).at((1.0, 1.2))),
        // Both lower corners of the box touch, 0.35 above the lowest point.
        case("a box in a V", valley, walker(aabb()).at((1.0, 0.8))),
        case("a crate in a V", valley, aabb().at((1.0, 0.8))),
        case("a ball in a V", valley, Body::new(Shape::circle(0.4)).at((1.0, 0.6))),
    ]
}

/// The path turns every 79 ticks, so 600 ticks contain seven turns. The riders fall asleep while the platforms wait;
/// from then on, the offset is a constant number of units. Two adjacent platforms use other code than one far from all
/// others.
#[test]
fn a_rider_keeps_its_place_at_any_speed() {
    for apart in [9.0, 3.25] {
        for way in [DVec2::Y, DVec2::X, DVec2::new(0.6, 0.8), DVec2::new(0.8, -0.6)] {
            for speed in [0.01, 1.0, 17.3, 60.0] {
                let map = sky();
                let mut world = World::new(map.clone(), Settings::default());
                let length = way * speed * 79.0 * TICK;
                let mut riders = Vec::new();
                for (i, case) in cases().into_iter().enumerate() {
                    let corner = DVec2::new(-95.0 + apart * i as f64, 55.0);
                    let lift = rows(&map, case.tiles, corner.x, corner.y);
                    let lift = world.spawn_platform(lift.path(path(&[(0.0, 0.0), length.into()], speed))).unwrap();
                    world.pause_platform(lift).unwrap();
                    let put = case.body.position.unwrap().units();
                    let body = case.body.at(at(corner.x, corner.y) + put);
                    riders.push((case.name, lift, world.spawn(body).unwrap()));
                }
                (0..60).for_each(|_| world.step());
                let starts: Vec<_> = riders.iter().map(|&(_, lift, body)| offset(&world, body, lift)).collect();
                for &(name, lift, body) in &riders {
                    assert!(world[body].on_floor() && world[body].velocity() == DVec2::ZERO, "{name}");
                    world.resume_platform(lift).unwrap();
                }
                for tick in 1..=600 {
                    world.step();
                    assert_eq!(body_events(&world), [], "{way} {speed} tick {tick}");
                    // The lift moves back and forth between the ends of its path. The turn takes one of 79 ticks.
                    let toward = if (tick - 1) / 79 % 2 == 0 { 1.0 } else { -1.0 };
                    for (&(name, lift, body), start) in riders.iter().zip(&starts) {
                        let what = || format!("{name} {way} {speed} {apart} tick {tick}");
                        assert_eq!(offset(&world, body, lift), *start, "{}", what());
                        assert!(world[body].on_floor() && world.platform_under(body) == Some(lift), "{}", what());
                        assert_eq!(world[body].relative_velocity(), DVec2::ZERO, "{}", what());
                        // At either end of a tick, positions are rounded by up to half a unit.
                        let velocity = world[body].velocity() - way * speed * toward;
                        assert!(velocity.length() < 1e-7, "{}: {velocity}", what());
                    }
                }
            }
        }
    }
}

/// Both are drawn on the straight line between two ticks, so their distance stays constant, even in the tick of a turn.
/// Coordinates below 64 are rounded to 2^-18 of a tile.
#[test]
fn a_rider_drawn_between_two_ticks_keeps_its_distance() {
    let circle = CirclePath { radius: 3.0, timing: PathTiming::Period(1.5), ..CirclePath::default() };
    let up_and_down = path(&[(0.0, 0.0), (0.0, 4.0)], 8.0);
    let slanted = path(&[(0.0, 0.0), (3.0, 4.0), (-2.0, 1.0)], 17.3);
    let motions: [&dyn Fn(Platform) -> Platform; 3] =
        [&|lift| lift.path(up_and_down.clone()), &|lift| lift.path(slanted.clone()), &|lift| lift.circle(circle)];
    for (i, motion) in motions.into_iter().enumerate() {
        let map = floor();
        let lift = motion(rows(&map, &["####"], 20.0, 20.0));
        let corner = lift.start_position(TICK).unwrap();
        let mut world = World::new(map, Settings::default());
        let lift = world.spawn_platform(lift).unwrap();
        let ball = Body::new(Shape::circle(0.25));
        let riders = [(1.0, 1.45, hero()), (2.0, 1.25, ball), (3.0, 1.45, hero())];
        let riders =
            riders.map(|(x, y, body)| (DVec2::new(x, y), world.spawn(body.at(corner + at(x, y).units())).unwrap()));
        for tick in 1..=200 {
            // The first leg takes 30 ticks: at its end the platform is at the path's point, and between ticks on its
            // way there.
            world.step();
            let state = world.platform(lift).unwrap();
            let (from, to) = (state.previous_position().to_dvec2(), state.position().to_dvec2());
            for part in [0.0, 0.25, 0.5, 1.0] {
                let drawn = state.position_at(part).as_dvec2();
                assert!((drawn - (from + (to - from) * f64::from(part))).length() < 3e-6, "{i} tick {tick} at {part}");
                for &(place, body) in &riders {
                    let apart = world[body].position_at(part).as_dvec2() - drawn;
                    assert!((apart - place).length() < 6e-6, "{i} tick {tick} at {part}: {apart} and not {place}");
                }
            }
            if i == 0 && tick % 30 == 0 {
                let y = if tick % 60 == 0 { 20.0 } else { 24.0 };
                assert_eq!(state.position_at(1.0).y, y as f32, "tick {tick}");
                assert!((f64::from(state.position_at(0.0).y) - y).abs() > 0.13, "tick {tick}");
            }
        }
    }
}

/// Three layers, of which the lowest, a row of blocks above everything else, does not collide. One walker stands on the
/// plank of the top layer, another one on the blocks of the middle layer. When the plank is removed, its walker falls
/// half a tile onto the middle layer.
#[test]
fn a_platform_of_three_layers_carries_on_those_that_collide() {
    let map = floor();
    let mut layers = ["back", "middle", "front"].map(|name| TileLayer::new(name, 4, 3));
    let block = map.find_tile('#').unwrap();
    let slab = map.find_tile('_').unwrap();
    layers[0].collides = false;
    layers[0].cells[8..].fill(block);
    layers[1].cells[..4].fill(block);
    // On the left there is a slab, so the top is half a tile deeper.
    layers[2].cells[4..6].fill(slab);
    let lift = Platform::new(layers.into()).at((20.0, 10.0));
    let mut world = World::new(map, Settings::default());
    let lift = world.spawn_platform(lift.path(along(6.0, 4.5, 5.0))).unwrap();
    let high = world.spawn(hero().at((21.0, 11.95))).unwrap();
    let low = world.spawn(hero().at((23.0, 11.45))).unwrap();
    let starts = [high, low].map(|body| offset(&world, body, lift));
    for tick in 1..=200 {
        world.step();
        assert_eq!([high, low].map(|body| offset(&world, body, lift)), starts, "tick {tick}");
        assert!(body_events(&world).is_empty() && world[high].on_floor() && world[low].on_floor(), "tick {tick}");
        assert!(world.contacts(high).iter().all(|contact| contact.layer == 2));
        assert!(world.contacts(low).iter().all(|contact| contact.layer == 1));
    }
    // Edits in a layer that does not collide have no effect, even at the walkers.
    for x in 0..4 {
        world.set_platform_tile(lift, 0, (x, 1), block).unwrap();
    }
    for _ in 0..20 {
        world.step();
        assert_eq!([high, low].map(|body| offset(&world, body, lift)), starts);
        assert_eq!(world.events(), []);
    }
    for x in 0..2 {
        world.set_platform_tile(lift, 2, (x, 1), TileId::EMPTY).unwrap();
    }
    // The upper hero keeps the lift's velocity and falls half a tile relative to the lift: 20 t^2, in 9.5 ticks.
    world.step();
    assert_eq!(world.platform_under(high), None);
    for tick in 2..=30 {
        world.step();
        let below = (starts[0] - offset(&world, high, lift)).as_dvec2() / ONE as f64;
        let fallen = (20.0 * f64::from(tick * tick) / 3600.0).min(0.5);
        assert!((below - DVec2::new(0.0, fallen)).length() < 1e-6, "tick {tick}: {below} and not {fallen}");
        assert_eq!((offset(&world, low, lift), world.platform_under(low)), (starts[1], Some(lift)));
    }
    assert_eq!((starts[0] - offset(&world, high, lift)).y, ONE / 2);
    assert_eq!(world.platform_under(high), Some(lift));
}
