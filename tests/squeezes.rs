//! Platforms that leave little room, by geometry computed by hand. Each test fails if one of the rules of carrying is
//! left out.

use crate::prelude::*;

/// A ceiling of one tile whose underside rises by `rise` of the 16 steps, and blocks.
fn catalogue(rise: u32) -> Arc<Catalogue> {
    let text = format!(
        r#"Catalogue(format: 1, patterns: [
            (name: "full_block", kind: Solid, paths: [[(0, 16), (16, 16), (16, 0), (0, 0)]]),
            (name: "wedge", kind: Solid, paths: [[(0, 16), (16, 16), (16, {rise}), (0, 0)]]),
        ])"#
    );
    Arc::new(Catalogue::from_ron(&text).unwrap())
}

fn is_crushed(world: &World) -> bool {
    world.events().iter().any(|event| matches!(event.kind, EventKind::Crushed { .. }))
}

/// A ceiling that comes down by d pushes a box on a floor sideways by d times its run over its rise. Four times d
/// pushes the box. Sixteen times d crushes it: a closing gap moves no body by more than eight times the closing
/// distance.
#[test]
fn a_closing_gap_pushes_bodies_out_and_shoots_none_out() {
    for (rise, pushed) in [(4, true), (1, false)] {
        let text = r##"Map(format: 1, only_this_legend: true,
            legend: {'.': "empty", 'B': "full_block", 'w': "wedge"}, tiles: ["........", "........", "BBBBBBBB"])"##;
        let map = Map::from_ron_with(text, &catalogue(rise)).unwrap();
        let mut world = World::new(map.clone(), Settings::default());
        let body = world.spawn(Body::new(Shape::aabb(0.25, 0.25)).at((3.0, 1.25))).unwrap();
        // The upper left corner of the box touches the underside below its middle.
        let y = 1.5 - f64::from(rise) / 32.0;
        let wedge = Platform::from_rows(&map, ["w"]).unwrap().at((2.25, y));
        let wedge = world.spawn_platform(wedge.path(along(0.0, -1.0, 1.0))).unwrap();
        world.step();
        let moved = (world[body].position() - position(3.0, 1.25)).as_dvec2() / ONE as f64;
        let way = if pushed { 4.0 / 60.0 } else { 0.0 };
        assert!((moved - DVec2::new(way, 0.0)).length() < 1e-8, "{rise}: {moved}");
        assert_eq!(is_crushed(&world), !pushed, "{rise}");
        assert_eq!(world.platform(wedge).unwrap().is_blocked(), !pushed, "{rise}");
        let velocity = world[body].velocity();
        assert!((velocity.x - way * 60.0).abs() < 1e-6, "{rise}: {velocity}");
    }
}

/// A platform carries a rider against a wall of the map. The rider stays there, and the platform moves on below it.
#[test]
fn a_rider_that_is_carried_against_a_wall_stays_at_it() {
    let map = map_with(&["........##", "........##", ".........."], "");
    for body in [Body::new(Shape::aabb(0.25, 0.25)), Body::new(Shape::circle(0.25))] {
        for character in [None, Some(Character::default())] {
            let body = Body { character, ..body.clone() }.at((5.0, 1.25)).friction(1.0);
            let mut world = World::new(map.clone(), Settings::default());
            let lift = Platform::from_rows(&map, ["########"]).unwrap().path(along(6.0, 0.0, 5.0));
            let lift = world.spawn_platform(lift).unwrap();
            let rider = world.spawn(body).unwrap();
            // The rider has 2.75 tiles to the wall, at 5 tiles per second: 33 ticks.
            for tick in 1..=60 {
                world.step();
                assert!(!is_crushed(&world), "{tick}");
                assert_eq!(world.platform_under(rider), Some(lift), "{tick}");
                let x = (5.0 + f64::from(tick) * 5.0 / 60.0).min(7.75);
                let at = world[rider].position().to_dvec2();
                assert!((at - DVec2::new(x, 1.25)).length() < 1e-8, "{tick}: {at}");
            }
            assert_eq!(world.platform(lift).unwrap().position(), position(5.0, 0.0));
        }
    }
}

/// A lift that does not stop moves a rider against a ceiling and passes through it. The rider then falls from rest, and
/// no longer touches the lift.
#[test]
fn a_rider_crushed_by_its_lift_falls_from_rest() {
    let map = map_with(&["########", "........", "........", "........", "........", "........"], "");
    for body in [Body::new(Shape::aabb(0.25, 0.25)), Body::new(Shape::circle(0.25)).bounce(0.5)] {
        for character in [None, Some(Character::default())] {
            let body = Body { character, ..body.clone() }.at((3.0, 3.25));
            let mut world = World::new(map.clone(), Settings::default());
            let lift = Platform::from_rows(&map, ["####"]).unwrap().at((1.0, 2.0));
            let lift = world.spawn_platform(lift.path(along(0.0, 20.0, 6.0)).on_crush(OnCrush::PassThrough)).unwrap();
            let rider = world.spawn(body).unwrap();
            // The rider has 1.5 tiles to the ceiling, at 6 tiles per second: flush after 15 ticks, crushed in the next
            // one.
            for tick in 1..=15 {
                world.step();
                assert_eq!(world.platform_under(rider), Some(lift), "{tick}");
                assert!(world.events().is_empty(), "{tick}: {:?}", world.events());
            }
            assert_eq!(world[rider].position(), position(3.0, 4.75));
            // The lift has passed the rider after 1.5 more tiles.
            for tick in 1..=15 {
                world.step();
                assert_eq!(is_crushed(&world), tick == 1, "{tick}");
                let fallen = 20.0 * f64::from(tick * tick) / 3600.0;
                let at = world[rider].position().to_dvec2();
                assert!((at - DVec2::new(3.0, 4.75 - fallen)).length() < 1e-8, "{tick}: {at}");
                let velocity = world[rider].velocity();
                assert!((velocity.y + 40.0 * f64::from(tick) / 60.0).abs() < 1e-9, "{tick}: {velocity}");
                assert_eq!(world.platform_under(rider), None);
                assert!(!world[rider].on_floor() && world.contacts(rider).is_empty(), "{tick}");
            }
        }
    }
}

/// A rider that its lift passes through does not stand on the lift, even if the lift stops while they overlap.
#[test]
fn a_body_passed_by_a_platform_does_not_stand_on_it_when_it_stops() {
    let map = map_with(&["########", "........", "........", "........", "........", "........"], "");
    let mut world = World::new(map.clone(), Settings::default());
    let lift = Platform::from_rows(&map, ["####"]).unwrap().at((1.0, 2.0));
    let lift = world.spawn_platform(lift.on_crush(OnCrush::PassThrough)).unwrap();
    let hero = Body::new(Shape::aabb(0.25, 0.25)).at((3.0, 3.25)).character(Character::default());
    let hero = world.spawn(hero).unwrap();
    for up in [0.5, 1.0, 1.5] {
        world.drive_platform(lift, (1.0, 2.0 + up)).unwrap();
        world.step();
        assert_eq!(world.platform_under(hero), Some(lift));
    }
    world.drive_platform(lift, (1.0, 3.51)).unwrap();
    world.step();
    assert!(is_crushed(&world));
    for tick in 2..=20 {
        world.step();
        let fallen = 20.0 * f64::from(tick * tick) / 3600.0;
        let at = world[hero].position().to_dvec2();
        assert!((at.y - (4.75 - fallen)).abs() < 1e-8 && world.contacts(hero).is_empty(), "{tick}: {at}");
    }
}

/// A platform of 40 x 40 tiles that is empty except for one tile at its corner. It covers everything and collides with
/// nothing.
fn hollow(world: &mut World) -> PlatformId {
    let block = world.map().find_tile('#').unwrap();
    let mut layer = TileLayer::new(TileLayer::DEFAULT_NAME, 40, 40);
    layer.origin = (-20, -20);
    layer.cells[0] = block;
    let circle = CirclePath { radius: 3.0, timing: PathTiming::Period(0.5), ..CirclePath::default() };
    world.spawn_platform(Platform::new(vec![layer]).at((5.0, 5.0)).circle(circle)).unwrap()
}

/// Wedges and presses at odd speeds move bodies with the same bits if a fast platform is nearby that they never touch.
#[test]
fn platforms_moving_far_away_change_no_unit() {
    let map = map_with(&["..........", "..../\\....", "...####...", "..........", "##########"], "");
    let play = |with: bool| {
        let mut world = World::new(map.clone(), Settings::default());
        if with {
            hollow(&mut world);
        }
        for (rows, at, way, speed) in [
            (["\\"], (0.0, 1.0), (9.0, 0.0), 3.7),
            (["/"], (9.0, 1.0), (-8.0, 0.0), 2.3),
            (["1"], (8.0, 3.1), (-6.0, 1.3), 5.9),
            (["#"], (4.3, 5.0), (0.1, -2.9), 1.9),
            (["o"], (1.0, 3.0), (2.0, -2.0), 7.1),
        ] {
            let platform = Platform::from_rows(&map, rows).unwrap().at(at);
            let platform = platform.path(along(way.0, way.1, speed)).on_crush(OnCrush::PassThrough);
            world.spawn_platform(platform).unwrap();
        }
        let mut bodies = Vec::new();
        for i in 0..12 {
            let x = 1.3 + f64::from(i) * 0.61;
            let shape = if i % 2 == 0 { Shape::circle(0.11 + 0.03 * f64::from(i)) } else { Shape::aabb(0.21, 0.33) };
            let body = Body::new(shape).at((x, 1.5)).friction(f64::from(i % 3) * 0.4);
            bodies.push(world.spawn(if i % 4 == 3 { body.bounce(0.6) } else { body }).unwrap());
        }
        let ticks = (0..300).map(|_| {
            world.step();
            bodies.iter().map(|body| (world[*body].position(), world[*body].velocity())).collect::<Vec<_>>()
        });
        ticks.collect::<Vec<_>>()
    };
    let (with, without) = (play(true), play(false));
    for (tick, (one, other)) in with.iter().zip(&without).enumerate() {
        assert_eq!(one, other, "{tick}");
    }
    let first = &without[0];
    assert!(first.iter().zip(without.last().unwrap()).all(|(a, b)| a.0 != b.0));
}

/// A body at the limit of positions cannot be pushed further: it is crushed, and the pushing platform stops there or
/// passes through.
#[test]
fn a_body_pushed_at_the_limit_of_positions_is_crushed() {
    let limit = f64::from(1 << 29);
    for on_crush in [OnCrush::Stop, OnCrush::PassThrough] {
        let map = map_with(&["."], "");
        let mut world = World::new(map.clone(), Settings::default().gravity(DVec2::ZERO));
        // A pushed character gets no velocity.
        let body = Body::new(Shape::aabb(0.5, 0.5)).at((limit - 0.75, 0.5)).character(Character::default());
        let body = world.spawn(body).unwrap();
        let wall = Platform::from_rows(&map, ["#"]).unwrap().at((limit - 2.75, 0.0));
        let wall = world.spawn_platform(wall.path(along(2.5, 0.0, 30.0)).on_crush(on_crush)).unwrap();
        // The wall moves half a tile per tick: up to the body, then one push, and then there is no room for a second
        // push.
        for tick in 1..=5 {
            world.step();
            let pushed = if tick == 1 { 0.75 } else { 0.25 };
            assert_eq!(world[body].position(), position(limit - pushed, 0.5), "{on_crush:?} {tick}");
            assert_eq!(is_crushed(&world), tick == 3, "{on_crush:?} {tick}");
            let at = world.platform(wall).unwrap().position();
            let goes = if on_crush == OnCrush::Stop { tick.min(2) } else { tick };
            assert_eq!(at, position(limit - 2.75 + 0.5 * f64::from(goes), 0.0), "{on_crush:?} {tick}");
        }
    }
}

/// A ball that moves 15 tiles per tick bounces off a platform at 2.75 and hits another one at -8.75. This is further
/// away than the range of the near search: 2.75 + 11.5 + 0.75 tiles.
#[test]
fn a_long_bounce_hits_distant_platforms() {
    let map = map_with(&["."], "");
    for shape in [Shape::circle(0.25), Shape::aabb(0.25, 0.25)] {
        let mut world = World::new(map.clone(), Settings::default().gravity(DVec2::ZERO));
        for x in [3.0, -10.0] {
            world.spawn_platform(Platform::from_rows(&map, ["#"]).unwrap().at((x, 0.0))).unwrap();
        }
        let ball = world.spawn(Body::new(shape).at((0.0, 0.5)).velocity((900.0, 0.0)).bounce(1.0)).unwrap();
        world.step();
        let at = world[ball].position().to_dvec2();
        assert!((at - DVec2::new(-8.0, 0.5)).length() < 1e-6, "{shape:?}: {at}");
        assert_eq!(world[ball].velocity(), DVec2::new(900.0, 0.0));
    }
}

/// Two walls start one tile away on both sides of a hovering body, and approach by 1/8 tile per tick. Both touch it
/// after eight ticks, and both crush it in the ninth: one event each. They stop flush, or pass through the body and
/// each other.
#[test]
fn a_squeeze_between_two_platforms_reports_both() {
    let map = map_with(&["."], "");
    for shape in [Shape::aabb(0.25, 0.25), Shape::circle(0.25)] {
        for character in [None, Some(Character::default())] {
            for (turned, on_crush) in [
                (false, OnCrush::Stop),
                (false, OnCrush::PassThrough),
                (true, OnCrush::Stop),
                (true, OnCrush::PassThrough),
            ] {
                let across = |x: f64, y: f64| if turned { (y, x) } else { (x, y) };
                let mut world = World::new(map.clone(), Settings::default().gravity(DVec2::ZERO));
                let walls = [(-2.25, 3.0), (1.25, -3.0)].map(|(x, way)| {
                    let way = across(way, 0.0);
                    let wall = Platform::from_rows(&map, ["#"]).unwrap().at(across(x, -0.5));
                    world.spawn_platform(wall.path(along(way.0, way.1, 7.5)).on_crush(on_crush)).unwrap()
                });
                let body = world.spawn(Body { character, ..Body::new(shape) }.at((0.0, 0.0))).unwrap();
                for tick in 1..=24 {
                    world.step();
                    let mut told: Vec<_> = world.events().iter().map(|event| (event.body, event.kind)).collect();
                    told.retain(|(_, kind)| matches!(kind, EventKind::Crushed { .. }));
                    told.sort_by_key(|(_, kind)| *kind != EventKind::Crushed { platform: walls[0] });
                    let both = walls.map(|platform| (body, EventKind::Crushed { platform }));
                    let what = format!("{shape:?} {on_crush:?} {turned} tick {tick}");
                    assert_eq!(told, if tick == 9 { both.to_vec() } else { vec![] }, "{what}");
                    assert_eq!(world[body].position(), position(0.0, 0.0), "{what}");
                    let made = if on_crush == OnCrush::Stop { tick.min(8) } else { tick };
                    for (wall, way) in walls.into_iter().zip([1, -1]) {
                        let state = world.platform(wall).unwrap();
                        let begins = if way > 0 { -2.25 } else { 1.25 };
                        let (x, y) = across(begins + f64::from(way * made) / 8.0, -0.5);
                        assert_eq!(state.position(), position(x, y), "{what}");
                        assert_eq!(state.is_blocked(), on_crush == OnCrush::Stop && tick > 8, "{what}");
                    }
                }
            }
        }
    }
}

/// A press from the side moves 1/8 tile per tick. It touches the body after four ticks, pushes it along the floor to a
/// wall for four more, and has no room in the ninth.
#[test]
fn a_press_from_the_side_crushes_at_a_wall() {
    let map = map_with(&["........##", "........##", "##########"], "");
    for shape in [Shape::aabb(0.25, 0.25), Shape::circle(0.25)] {
        for character in [None, Some(Character::default())] {
            for on_crush in [OnCrush::Stop, OnCrush::PassThrough] {
                let mut world = World::new(map.clone(), Settings::default());
                let press = Platform::from_rows(&map, ["#", "#"]).unwrap().at((5.5, 1.0));
                let press = world.spawn_platform(press.path(along(3.0, 0.0, 7.5)).on_crush(on_crush)).unwrap();
                let body = world.spawn(Body { character, ..Body::new(shape) }.at((7.25, 1.25))).unwrap();
                for tick in 1..=24 {
                    world.step();
                    let what = format!("{shape:?} {on_crush:?} tick {tick}");
                    assert_eq!(is_crushed(&world), tick == 9, "{what}");
                    // The press moves the body in whole units.
                    let made = if on_crush == OnCrush::Stop { tick.min(8) } else { tick };
                    assert_eq!(world.platform(press).unwrap().position(), position(5.5 + f64::from(made) / 8.0, 1.0));
                    let at = world[body].position();
                    if character.is_some() || tick >= 8 {
                        let pushed = f64::from((tick - 4).clamp(0, 4)) / 8.0;
                        assert_eq!(at, position(7.25 + pushed, 1.25), "{what}");
                    }
                    assert!(!world[body].is_stuck() && world[body].on_floor(), "{what}");
                }
            }
        }
    }
}

/// A crush event is sent when a crush starts, and again only after it has ended. For a platform that stops, it ends
/// after a tick in which it did not stop at the body. For one that moves on, it ends after two ticks in a row that end
/// without contact.
#[test]
fn a_body_that_was_free_in_between_is_crushed_again() {
    let map = map_with(&["......", "......", "......", "######"], "");
    // Each row is a tick: where the underside of the press is driven, `None` for no command, and whether a crush is
    // reported. The body's head is at 1.5.
    let stops = [
        (Some(1.4), true),
        (Some(1.4), false),
        (Some(1.2), false),
        (None, false),
        (Some(1.4), true),
        (Some(1.4), false),
        (Some(1.6), false),
        (Some(1.5), false),
        (Some(1.4), true),
    ];
    let goes_on = [
        (Some(1.4), true),
        (Some(1.3), false),
        (None, false),
        (Some(1.6), false),
        // The press is back within two ticks, so no crush is reported.
        (Some(1.4), false),
        (Some(1.6), false),
        (None, false),
        (Some(1.4), true),
        (Some(1.2), false),
    ];
    for shape in [Shape::aabb(0.25, 0.25), Shape::circle(0.25)] {
        for character in [None, Some(Character::default())] {
            for (on_crush, script) in [(OnCrush::Stop, &stops), (OnCrush::PassThrough, &goes_on)] {
                let mut world = World::new(map.clone(), Settings::default());
                let press = Platform::from_rows(&map, ["##"]).unwrap().at((2.0, 2.0));
                let press = world.spawn_platform(press.on_crush(on_crush)).unwrap();
                let body = world.spawn(Body { character, ..Body::new(shape) }.at((3.0, 1.25))).unwrap();
                for (tick, &(to, told)) in script.iter().enumerate() {
                    if let Some(to) = to {
                        world.drive_platform(press, (2.0, to)).unwrap();
                    }
                    world.step();
                    let what = format!("{shape:?} {on_crush:?} tick {tick}");
                    assert_eq!(is_crushed(&world), told, "{what}");
                    assert_eq!(world[body].position(), position(3.0, 1.25), "{what}");
                    let state = world.platform(press).unwrap();
                    if on_crush == OnCrush::Stop {
                        let is_at_the_body = to.is_some_and(|to| to < 1.5);
                        assert_eq!(state.is_blocked(), is_at_the_body, "{what}");
                        assert!(
                            !is_at_the_body || state.position() == position(2.0, 1.5),
                            "{what}: {}",
                            state.position()
                        );
                    } else if let Some(to) = to {
                        assert_eq!(state.position(), position(2.0, to), "{what}");
                    }
                }
            }
        }
    }
}
