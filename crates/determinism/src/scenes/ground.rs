//! Scenes of characters that stand, walk and jump on every kind of tile.

use super::Entry;
use crate::scene::{Act, Scene, create_map, down_input, jump_input, round_walker, walk_input, walker};
use surefoot::prelude::*;
use surefoot::{Input, Map, World};

pub(super) const SCENES: &[Entry] = &[
    ("seams_box", || over_seams(walker(1.5, 1.45))),
    ("seams_circle", || over_seams(round_walker(1.5, 1.4))),
    ("slopes_box", || over_slopes(walker(1.5, 1.45))),
    ("slopes_circle", || over_slopes(round_walker(1.5, 1.4))),
    ("steep_slopes", steep_slopes),
    ("walk_at_max_floor_slope", walk_at_max_floor_slope),
    ("gentle_slopes", gentle_slopes),
    ("steps", steps),
    ("curves_box", || over_curves(walker(1.5, 1.45))),
    ("curves_circle", || over_curves(round_walker(1.5, 1.4))),
    ("ledges_box", || jump_through_one_way_tiles(walker(3.5, 1.45))),
    ("ledges_circle", || jump_through_one_way_tiles(round_walker(3.5, 1.4))),
    ("dropping_box", || drop_through(walker(3.5, 7.45))),
    ("dropping_circle", || drop_through(round_walker(3.5, 7.4))),
    ("ceilings", ceilings),
    ("thin_walls", thin_walls),
    ("every_walk_input", every_walk_input),
    ("heavy_and_light", heavy_and_light),
    ("surfaces", surfaces),
];

const LONG_FLOOR: &[&str] = &[
    "#..............................#",
    "#..............................#",
    "#..............................#",
    "################################",
];

/// A walk along thirty blocks and back.
fn over_seams(body: Body) -> Scene {
    Scene::new(600, LONG_FLOOR)
        .with_body(body)
        .with_act(1, Act::Input(0, walk_input(127)))
        .with_act(240, Act::Input(0, walk_input(-101)))
}

fn over_slopes(body: Body) -> Scene {
    let rows = [
        "#............................................#",
        "#............................................#",
        "#........../\\..............1234..............#",
        "#........./##\\...........12####34.....1234/\\.#",
        "##############################################",
    ];
    Scene::new(700, &rows)
        .with_body(body)
        .with_act(1, Act::Input(0, walk_input(127)))
        .with_act(350, Act::Input(0, walk_input(-127)))
}

/// Slopes of 2:1, which are walls for walkers. A walker on one slides down.
fn steep_slopes() -> Scene {
    let rows =
        ["#............#", "#............#", "#.....aB.....#", "#.....A#b....#", "#.....##B....#", "##############"];
    let legend = r#"legend: {'a': "half_slope_high m r3", 'A': "half_slope_low m r3", 'b': "half_slope_high r1",
        'B': "half_slope_low r1"}"#;
    let scene = Scene::with_settings(360, &rows, legend, Settings::default());
    scene
        .with_bodies([walker(2.5, 1.45), round_walker(9.7, 5.6)])
        .with_act(1, Act::Input(0, walk_input(127)))
        .with_act(60, Act::Input(0, jump_input(127)))
        .with_act(200, Act::Input(1, jump_input(-127)))
}

/// A hill of 1:2 with 1:2 as the steepest floor: a slope of 45 degrees blocks a box and a circle.
fn walk_at_max_floor_slope() -> Scene {
    let rows = [
        "#..................#",
        "#..................#",
        "#....1234....../####",
        "#..12####34.../#####",
        "####################",
    ];
    let limit = SlopeLimit::new(1, 2).expect("1:2 is a slope");
    let scene = Scene::with_settings(300, &rows, "", Settings::default().max_floor_slope(limit));
    let scene = scene.with_bodies([walker(1.5, 1.45), round_walker(1.5, 1.4)]);
    scene.with_act(1, Act::Input(0, walk_input(127))).with_act(1, Act::Input(1, walk_input(90)))
}

/// Slopes of 1:4, from the shipped catalogue `assets/gentle.ron`.
fn gentle_slopes() -> Scene {
    let catalogue = Catalogue::from_ron(include_str!("../../../../assets/gentle.ron"));
    let catalogue =
        std::sync::Arc::new(catalogue.unwrap_or_else(|errors| panic!("{}", errors.in_file("assets/gentle.ron"))));
    every_variant(300, &catalogue, |x, y| round_walker(x, y).velocity((0.75, 0.0)))
}

/// A map with every variant of a catalogue once, two tiles apart, and a body above each.
pub(super) fn every_variant(ticks: u64, catalogue: &std::sync::Arc<Catalogue>, body: fn(f64, f64) -> Body) -> Scene {
    use surefoot::map::{Border, Borders, MapParts, TileKind};
    const COLUMNS: usize = 12;
    let count = catalogue.variants().len();
    let rows = count.div_ceil(COLUMNS);
    let width = 2 * COLUMNS + 1;
    let mut parts = MapParts::new(width as u32, 3 * rows as u32 + 1);
    parts.catalogue = catalogue.clone();
    parts.kinds = TileKind::every_variant(catalogue);
    parts.borders = Borders { left: Border::Solid, right: Border::Solid, bottom: Border::Solid, top: Border::Solid };
    let tile = |i: usize| (2 * (i % COLUMNS) + 1, 3 * (i / COLUMNS));
    for i in 0..count {
        let (x, y) = tile(i);
        parts.layers[0].cells[y * width + x] = TileId(i as u16 + 1);
    }
    let map = Map::from_parts(parts).expect("a map of all variants");
    let bodies = (0..count).map(|i| {
        let (x, y) = tile(i);
        body(x as f64 + 0.53125, y as f64 + 1.5)
    });
    Scene::in_world(ticks, World::new(map, Settings::default())).with_bodies(bodies)
}

fn steps() -> Scene {
    let rows = [
        "#...................#",
        "#...................#",
        "#...................#",
        "#........#..........#",
        "#.....#__#..........#",
        "#..#..####.___......#",
        "#####################",
    ];
    let scene = Scene::new(400, &rows).with_bodies([walker(1.5, 1.45), round_walker(1.5, 1.4)]);
    (0..10).fold(scene, |scene, i| {
        let tick = 40 * i + 1;
        [0, 1].into_iter().fold(scene, |scene, body| {
            scene
                .with_act(tick, Act::Input(body, jump_input(127)))
                .with_act(tick + 5 + 3 * i, Act::Input(body, walk_input(127)))
        })
    })
}

fn over_curves(body: Body) -> Scene {
    let rows = [
        "#...........................#",
        "#...........................#",
        "#...........................#",
        "#.........L....J....o.......#",
        "#...()...L#....#J..+o.(##)..#",
        "#############################",
    ];
    let scene = Scene::new(700, &rows).with_body(body).with_act(1, Act::Input(0, walk_input(100)));
    (1..8).fold(scene, |scene, i| {
        scene.with_act(80 * i, Act::Input(0, jump_input(100))).with_act(80 * i + 30, Act::Input(0, walk_input(100)))
    })
}

const SHELVES: &[&str] = &[
    "#.......#",
    "#.......#",
    "#..--...#",
    "#.......#",
    "#..==...#",
    "#.......#",
    "#.-==-..#",
    "#.......#",
    "#########",
];

/// Jumps from below through three one-way tiles.
fn jump_through_one_way_tiles(body: Body) -> Scene {
    let scene = Scene::new(300, SHELVES).with_body(body);
    (0..4).fold(scene, |scene, i| {
        scene.with_act(60 * i + 5, Act::Input(0, jump_input(0))).with_act(60 * i + 30, Act::Input(0, walk_input(0)))
    })
}

/// Drops through the one-way tiles that allow it, and lands on the others.
fn drop_through(body: Body) -> Scene {
    Scene::new(300, SHELVES)
        .with_body(body)
        .with_act(20, Act::Input(0, down_input()))
        .with_act(90, Act::Input(0, walk_input(-127)))
        .with_act(110, Act::Input(0, Input { down: true, ..walk_input(-127) }))
}

/// Jumps under flat, slanted, hanging and pointed ceilings.
fn ceilings() -> Scene {
    let rows = [
        "#########################",
        "#.....`5678'.......`'.v.#",
        "#.......................#",
        "#.......................#",
        "#########################",
    ];
    let scene = Scene::new(600, &rows).with_bodies([walker(1.5, 1.45), round_walker(2.5, 1.4)]);
    (0..15).fold(scene, |scene, i| {
        let scene =
            scene.with_act(40 * i, Act::Input(0, jump_input(64))).with_act(40 * i + 20, Act::Input(0, walk_input(64)));
        scene.with_act(40 * i, Act::Input(1, jump_input(70))).with_act(40 * i + 20, Act::Input(1, walk_input(70)))
    })
}

fn thin_walls() -> Scene {
    let rows = ["#..............#", "#..............#", "#...|..........#", "#...|...|..+...#", "################"];
    let scene = Scene::new(420, &rows).with_bodies([walker(1.5, 1.45), round_walker(13.5, 1.4)]);
    (0..6).fold(scene, |scene, i| {
        let (right, left) = (jump_input(127), jump_input(-127));
        let scene = scene.with_act(70 * i, Act::Input(0, right)).with_act(70 * i + 40, Act::Input(0, walk_input(127)));
        scene.with_act(70 * i + 9, Act::Input(1, left)).with_act(70 * i + 49, Act::Input(1, walk_input(-127)))
    })
}

/// A different walk input in each tick, covering all 256 values.
fn every_walk_input() -> Scene {
    let scene = Scene::new(512, LONG_FLOOR).with_bodies([walker(15.5, 1.45), round_walker(15.5, 1.4)]);
    (0..512).fold(scene, |scene, i| {
        let input = ((i * 37 + i / 256) % 256) as u8 as i8;
        scene.with_act(i, Act::Input(0, walk_input(input))).with_act(i, Act::Input(1, walk_input(input.wrapping_neg())))
    })
}

/// Walkers, boxes and balls on ice, glass and rubber, on floors and on slopes.
fn surfaces() -> Scene {
    let rows = [
        "#......................#",
        "#.........i............#",
        "#......../s\\........12r#",
        "#..s....i##i....r..1#srr",
        "##iii##ssrrr#iisrr######",
    ];
    let legend = r#"legend: {
        'i': (tile: "full_block", material: (friction: 0.1, traction: 0.25)),
        's': (tile: "full_block", material: (friction: 0.0, traction: 0.0, bounce: 0.3)),
        'r': (tile: "full_block", material: (friction: 3.0, traction: 2.5, bounce: 0.9)),
        '1': (tile: "half_slope_low", material: (friction: 0.2))}"#;
    let scene = Scene::with_settings(500, &rows, legend, Settings::default())
        .with_bodies([walker(1.5, 1.45), round_walker(5.5, 1.4)]);
    let ball = |x: f64, speed: f64| Body::new(Shape::circle(0.3)).at((x, 4.6)).velocity((speed, 0.0));
    let crate_ = |x: f64, speed: f64| Body::new(Shape::aabb(0.35, 0.35)).at((x, 4.6)).velocity((speed, 0.0));
    let scene = scene.with_bodies([ball(2.5, 6.0).bounce(0.5), ball(14.2, -3.0).friction(0.7), ball(20.1, 4.0)]);
    let scene = scene.with_bodies([crate_(7.3, 5.0).friction(0.8), crate_(16.6, -7.0).friction(0.4).bounce(0.2)]);
    (0..10).fold(scene, |scene, i| {
        let (first, second) =
            if i % 2 == 0 { (walk_input(127), jump_input(-127)) } else { (jump_input(-127), walk_input(90)) };
        scene.with_act(1 + 50 * i, Act::Input(0, first)).with_act(26 + 50 * i, Act::Input(1, second))
    })
}

/// Characters with different properties on one map.
fn heavy_and_light() -> Scene {
    let base = Character::default();
    let characters = [
        Character { walk_speed: 3.3, jump_height: 1.1, ..base },
        Character { walk_speed: 21.7, ground_acceleration: 7.3, ground_braking: 11.9, ..base },
        Character { air_acceleration: 0.0, jump_height: 7.7, max_fall_speed: 5.5, ..base },
        Character { ground_acceleration: 1e9, ground_braking: 1e9, air_acceleration: 1e9, ..base },
    ];
    let world = World::new(
        create_map(&["#....12##34....#", "################"], "border: (left: Solid, right: Solid)"),
        Settings::default(),
    );
    let bodies = characters.iter().zip(1..).map(|(&character, i)| {
        Body::new(Shape::aabb(0.2 + 0.05 * f64::from(i), 0.45))
            .at((1.0 + f64::from(i) / 2.0, 1.45))
            .character(character)
    });
    let scene = Scene::in_world(300, world).with_bodies(bodies);
    (0..6).fold(scene, |scene, i| {
        (0..4).fold(scene, |scene, body| {
            scene.with_act(50 * i, Act::Input(body, if i % 2 == 0 { jump_input(127) } else { walk_input(-80) }))
        })
    })
}
