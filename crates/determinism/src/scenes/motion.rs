//! Scenes of bodies without input: falling, bouncing, friction, responses, gravity in every direction, and crowds.

use super::Entry;
use super::ground::every_variant;
use crate::scene::{Act, Scene, ball, crate_box, jump_input, walk_input, walker};
use surefoot::prelude::*;

pub(super) const SCENES: &[Entry] = &[
    ("all_tiles_circles", || every_variant(180, &Catalogue::builtin(), |x, y| ball(0.21875, x, y).bounce(0.5))),
    ("all_tiles_boxes", || every_variant(180, &Catalogue::builtin(), |x, y| crate_box(0.1875, x, y).friction(0.25))),
    ("all_tiles_characters", || every_variant(180, &Catalogue::builtin(), |x, y| walker(x, y).velocity((2.0, 1.0)))),
    ("ball_notches", ball_notches),
    ("wedges", wedges),
    ("bouncing", bouncing),
    ("corner_bounces", corner_bounces),
    ("friction_near_sticking_limit", friction_near_sticking_limit),
    ("slides_without_friction", slides_without_friction),
    ("all_collision_responses", all_collision_responses),
    ("floating", floating),
    ("up_plus_y", || room_with_up(Up::PlusY, (0.0, -40.0))),
    ("up_minus_x", || room_with_up(Up::MinusX, (40.0, 0.0))),
    ("up_minus_y", || room_with_up(Up::MinusY, (0.0, 40.0))),
    ("up_plus_x", || room_with_up(Up::PlusX, (-40.0, 0.0))),
    ("slanted_gravity", slanted_gravity),
    ("leaving_the_map", leaving_the_map),
    ("crowd_of_characters", crowd_of_characters),
    ("crowd_of_balls", crowd_of_balls),
];

/// Balls that roll over gaps narrower than the ball, as wide as it, and wider.
fn ball_notches() -> Scene {
    let rows = [
        "#........................#",
        "#........................#",
        "#####.####.####.####.#####",
        "#####.####.####.####.#####",
        "##########################",
    ];
    let balls = [0.25, 0.49, 0.5, 0.51, 0.75, 1.0];
    Scene::new(500, &rows)
        .with_bodies(balls.map(|radius| ball(radius, 2.0, 3.0 + radius).velocity((5.0 + radius, 0.0)).bounce(0.2)))
}

/// Boxes and circles that fall into notches of slopes.
fn wedges() -> Scene {
    let rows = [
        "#...................#",
        "#...................#",
        "#\\./\\/###(\\.../)L.J##",
        "##############.######",
        "##############.######",
    ];
    let drops = (0..17).map(|i| {
        let (x, y) = (1.5 + f64::from(i) * 1.0625, 4.5);
        if i % 2 == 0 { ball(0.3125, x, y) } else { crate_box(0.28125, x, y) }
    });
    Scene::new(300, &rows).with_bodies(drops)
}

fn bouncing() -> Scene {
    let rows = ["#.........#", "#.........#", "#.........#", "#./\\..o...#", "###########"];
    let factors = [0.0, 0.3, 0.6, 0.9, 0.97, 1.0];
    Scene::new(600, &rows).with_bodies(factors.iter().zip(0..).map(|(&factor, i)| {
        ball(0.2 + 0.01 * f64::from(i), 1.3 + 1.4 * f64::from(i), 3.9)
            .velocity((1.7 - 0.6 * f64::from(i), 0.3))
            .bounce(factor)
    }))
}

/// Bodies without gravity that hit two walls at once in the corners.
fn corner_bounces() -> Scene {
    let rows = ["########", "#......#", "#......#", "#......#", "#......#", "########"];
    let settings = Settings::default().gravity((0.0, 0.0));
    let velocities = [(10.0, 10.0), (-7.3, 5.9), (3.1, -11.7), (-0.01, 0.02)];
    let bodies = velocities.map(|velocity| crate_box(0.5, 4.0, 3.0).velocity(velocity).bounce(1.0));
    Scene::with_settings(600, &rows, "", settings)
        .with_bodies(bodies)
        .with_body(ball(0.5, 4.0, 3.0).velocity((9.0, 9.0)).bounce(0.99))
}

/// Bodies with frictions around the limit at which they stick to a slope, and boxes that slide to rest on a floor.
fn friction_near_sticking_limit() -> Scene {
    let rows =
        ["#.....................#", "#./\\......1234........#", "#/##\\...12####34......#", "#######################"];
    let frictions = [0.0, 0.2, 0.49, 0.5, 0.51, 0.99, 1.0, 1.5];
    let on_hill = frictions.map(|friction| crate_box(0.2, 9.4, 3.3).friction(friction));
    let on_slope = frictions.map(|friction| ball(0.2, 1.8, 3.3).friction(friction));
    let thrown = frictions
        .map(|friction| crate_box(0.25, 16.5, 2.0).velocity((6.0, 0.0)).friction(friction).rest_speed_threshold(0.3));
    Scene::new(360, &rows).with_bodies(on_hill).with_bodies(on_slope).with_bodies(thrown)
}

/// Bodies without friction that slide back and forth forever.
fn slides_without_friction() -> Scene {
    let rows = ["\\........../", "#\\......../#", "##34....12##", "############"];
    Scene::new(600, &rows).with_bodies([
        ball(0.3, 1.5, 3.9),
        crate_box(0.3, 10.4, 3.9),
        ball(0.1, 6.0, 1.1).velocity((11.0, 0.0)),
    ])
}

fn all_collision_responses() -> Scene {
    let rows = ["#.......#", "#.......#", "#..#.o..#", "#########"];
    let responses = [Response::Stop, Response::Pass, Response::Slide, Response::Bounce(0.7)];
    let thrown = |response| crate_box(0.2, 1.5, 3.5).velocity((4.0, 1.5)).response(response);
    Scene::new(240, &rows).with_bodies(responses.map(thrown))
}

/// Bodies with zero, negative and thousandfold gravity scale.
fn floating() -> Scene {
    let rows = ["##########", "#..'..`..#", "#........#", "#.+......#", "##########"];
    let scales = [0.0, -1.0, 1e-3, 1000.0, -0.37];
    let body = |scale| ball(0.3, 4.5, 2.5).velocity((2.3, 0.7)).gravity_scale(scale).bounce(0.5);
    Scene::new(400, &rows).with_bodies(scales.map(body))
}

/// The same room and bodies for each up direction.
fn room_with_up(up: Up, gravity: (f64, f64)) -> Scene {
    let rows = [
        "###########",
        "#\\..o../#'#",
        "#.....=...#",
        "#.L....\\..#",
        "#...+.....#",
        "#..._..J..#",
        "#./.....|.#",
        "#)...^...(#",
        "###########",
    ];
    let settings = Settings::default().up(up).gravity(gravity);
    let bodies =
        [walker(5.5, 3.0), walker(3.5, 5.5), crate_box(0.3, 5.5, 5.5).friction(0.3), ball(0.25, 3.5, 3.3).bounce(0.8)];
    let scene = Scene::with_settings(480, &rows, "", settings).with_bodies(bodies);
    (0..8).fold(scene, |scene, i| {
        let direction = if i % 3 == 0 { -127 } else { 127 };
        let scene = scene
            .with_act(60 * i, Act::Input(0, jump_input(direction)))
            .with_act(60 * i + 25, Act::Input(0, walk_input(direction)));
        scene
            .with_act(60 * i + 7, Act::Input(1, jump_input(-direction)))
            .with_act(60 * i + 32, Act::Input(1, walk_input(-direction)))
    })
}

/// Gravity that is not parallel to the up direction.
fn slanted_gravity() -> Scene {
    let rows = ["#########", "#.......#", "#..o..\\.#", "#./..._.#", "#########"];
    let settings = Settings::default().gravity((13.7, -31.3));
    let scene = Scene::with_settings(300, &rows, "", settings).with_bodies([
        walker(1.5, 1.45),
        ball(0.3, 2.5, 3.2).bounce(0.6),
        crate_box(0.3, 1.5, 3.2),
    ]);
    scene
        .with_act(30, Act::Input(0, jump_input(127)))
        .with_act(100, Act::Input(0, walk_input(-127)))
        .with_act(200, Act::Input(0, jump_input(-127)))
}

/// Bodies that leave a map with open borders and fall below it.
fn leaving_the_map() -> Scene {
    let scene = Scene::new(300, &["......", "...##.", "##....", "####.."]);
    let scene = scene.with_bodies([
        walker(0.5, 2.45),
        ball(0.3, 0.5, 3.5).velocity((3.0, 1.0)).bounce(0.9),
        crate_box(0.25, 5.5, 3.5),
    ]);
    scene.with_act(1, Act::Input(0, walk_input(127)))
}

fn crowd_of_characters() -> Scene {
    let rows = [
        "#..............................#",
        "#......--....1234.....()....o..#",
        "#...../\\...12####34../##\\..+...#",
        "################################",
    ];
    let bodies = (0..40).map(|i| {
        let (x, y) = (2.0 + 0.7 * f64::from(i), 5.0);
        let shape = if i % 2 == 0 { Shape::aabb(0.3, 0.45) } else { Shape::circle(0.35) };
        Body::new(shape).at((x, y)).character(Character::default())
    });
    let scene = Scene::new(240, &rows).with_bodies(bodies);
    (0..6).fold(scene, |scene, i| {
        (0..40).fold(scene, |scene, body| {
            let direction = if (body + i as usize).is_multiple_of(3) { -127 } else { 90 + body as i8 % 38 };
            let input = if (body + 2 * i as usize) % 5 < 2 { jump_input(direction) } else { walk_input(direction) };
            scene.with_act(40 * i + body as u64 % 7, Act::Input(body, input))
        })
    })
}

fn crowd_of_balls() -> Scene {
    let rows = [
        "#................#",
        "#................#",
        "#..o..\\..../..+..#",
        "#..../L....J\\....#",
        "#.^.........._.^.#",
        "##################",
    ];
    let bodies = (0..60).map(|i| {
        let column = f64::from(i % 12);
        let body = ball(0.1 + 0.004 * f64::from(i), 2.0 + 1.2 * column, 6.0 + f64::from(i / 12));
        body.velocity((column - 5.0, 0.3 * f64::from(i % 7)))
            .bounce(f64::from(i % 10) / 10.0)
            .friction(f64::from(i % 4) / 4.0)
    });
    Scene::new(300, &rows).with_bodies(bodies)
}
