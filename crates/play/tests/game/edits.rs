//! Tests building: tiles, things, markers, layers and the size of the map, with undo and redo, and as files.

use super::{FRAME, SIZE, act, mouse, play, view};
use std::collections::BTreeMap;
use std::path::PathBuf;
use surefoot::area::{Area, AreaShape};
use surefoot::map::Map;
use surefoot::prelude::{Body, Character, Shape};
use surefoot_draw::Point;
use surefoot_play::{Action, Controls, Game, Painter, Report, Size, Typed};

const MAP: &str = r####"Map(
    format: 1,
    border: (left: Solid),
    markers: {"here": [(3, 3), (8, 3)]},
    properties: {"wind": 1.5},
    legend: {
        'c': (area: (tag: "coin", shape: Circle(0.4), properties: {"worth": 5})),
        '~': (area: (tag: "water", join: true, effects: (drag: 2.0))),
        'w': (body: (kind: "walker", shape: Aabb(0.35, 0.45), character: (), properties: {"hp": 2})),
        'b': (body: (kind: "bat", shape: Aabb(0.25, 0.125), up: MinusY)),
        't': (marker: (name: "turret", properties: {"speed": -9.0})),
    },
    areas: [(name: "exit", shape: Circle(1.0), at: (9, 3))],
    platforms: [(name: "lift", at: (5, 3), tiles: ["##"], motion: Path(points: [(0, 0), (0, 2)], speed: 1))],
    layers: [
        (name: "back", collides: false, tiles: ["#...........", "............"]),
        (name: "ground", tiles: ["............", "............", "............", "............", ".@...~~~cwt.", ".###########"]),
    ],
)"####;

/// A game on a map in a folder of its own, with the strip for building.
struct Builder {
    game: Game,
    /// Has drawn all earlier frames after a click or a name.
    painter: Painter,
    folder: PathBuf,
}

impl Builder {
    fn new(name: &str) -> Builder {
        let folder = std::env::temp_dir().join(format!("surefoot-play-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("level.ron");
        std::fs::write(&file, MAP).expect("a file");
        let mut game = Game::new(&[], Some(folder.clone()));
        game.open(&file).expect("a map");
        act(&mut game, &[Action::Build]);
        Builder { game, painter: Painter::new(), folder }
    }

    /// Clicks on the brush with that name.
    fn choose(&mut self, name: &str) {
        let brushes = act(&mut self.game, &[]).building.brushes;
        let is_chosen = |[x, y]: &[f64; 2]| {
            play(&mut self.game, &mouse(Point { x: *x, y: *y }, true, false)).building.brush == name
        };
        assert!(brushes.iter().any(is_chosen), "{name}");
        act(&mut self.game, &[]);
    }

    /// Clicks on a cell of the map.
    fn click(&mut self, (x, y): (i32, i32), right: bool) -> Report {
        let report = act(&mut self.game, &[]);
        let at = view(&report).point(surefoot::geometry::DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5));
        play(&mut self.game, &mouse(at, !right, right));
        let report = act(&mut self.game, &[]);
        self.check_cached_meshes();
        report
    }

    /// Cached meshes must look as those of a painter that has drawn nothing before.
    fn check_cached_meshes(&mut self) {
        let kept = self.painter.paint(&mut self.game).clone();
        assert!(kept == *Painter::new().paint(&mut self.game));
    }

    /// Types a name for the next thing.
    fn type_name(&mut self, name: &str) -> Report {
        act(&mut self.game, &[Action::Name]);
        for letter in name.chars() {
            let typed = vec![Typed::Letter(letter)];
            // Keys are letters now: none of them pauses or restarts the game.
            play(&mut self.game, &Controls { typed, actions: vec![Action::Pause], ..Controls::default() });
        }
        let report = act(&mut self.game, &[]);
        play(&mut self.game, &Controls { typed: vec![Typed::Done], ..Controls::default() });
        self.check_cached_meshes();
        report
    }

    /// Clicks on a cell with a brush and a typed name, which must succeed without a word, and saves the map.
    fn place_named(&mut self, brush: &str, name: &str, cell: (i32, i32)) -> Map {
        self.choose(brush);
        self.type_name(name);
        let notice = self.click(cell, false).notice.unwrap_or_default();
        assert!(notice.is_empty() || notice.starts_with("the map is saved"), "{name}: {notice}");
        self.saved()
    }

    /// Saves the map and reads the file.
    fn saved(&mut self) -> Map {
        let report = act(&mut self.game, &[Action::SaveMap]);
        Map::load(report.saved.expect("a saved map")).expect("a map")
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn everything_that_is_built_is_saved_undone_and_redone() {
    let mut builder = Builder::new("built");
    let first = builder.saved();
    assert_eq!(first, Map::from_ron(MAP).expect("a map"));
    type Check = fn(&Map, &Map) -> bool;
    // A step has the brush, the cell, whether the right button is pressed, and a check of the map that is saved then.
    let steps: [(&str, (i32, i32), bool, Check); 11] = [
        ("c: area coin", (2, 3), false, |map, _| map.areas().iter().any(|area| area.name == "coin 2,3 layer 2")),
        ("w: body walker", (3, 4), false, |map, _| map.find_body("walker 3,4 layer 2").is_some()),
        ("t: marker turret", (4, 4), false, |map, _| {
            map.markers_with_properties("turret")
                .any(|(at, own)| at.to_dvec2().x == 4.5 && own["speed"].as_f64() == Some(-9.0))
        }),
        // The pool is joined with the new cell on its left, and cut in two by a removed cell.
        ("~: area water", (4, 1), false, |map, _| map.areas().iter().any(|area| area.name == "water 4,1 layer 2")),
        ("~: area water", (6, 1), true, |map, before| map.areas().len() == before.areas().len() + 1),
        ("marker start", (10, 2), false, |map, _| {
            map.marker_cell("start") == Some((10, 2)) && map.markers("start").count() == 1
        }),
        ("marker goal", (0, 2), false, |map, _| map.marker_cell("goal") == Some((0, 2))),
        ("marker here", (3, 3), true, |map, _| {
            map.all_markers().filter(|(name, _)| *name == "here").eq([("here", (8, 3))])
        }),
        ("full_block", (-3, 2), false, |map, _| (map.origin(), map.size()) == ((-3, 0), (15, 6))),
        ("full_block", (7, 8), false, |map, _| (map.origin(), map.size()) == ((-3, 0), (15, 9))),
        ("full_block", (11, 0), true, |map, _| map.variant_at(1, (11, 0)).is_none()),
    ];
    let mut maps = vec![first];
    for (brush, cell, right, has) in steps {
        builder.choose(brush);
        let report = builder.click(cell, right);
        let notice = report.notice.unwrap_or_default();
        assert!(notice.is_empty() || notice.starts_with("the map is saved"), "{brush}: {notice}");
        let map = builder.saved();
        let before = maps.last().expect("a map");
        assert!(has(&map, before), "{brush} at {cell:?}");
        assert_eq!((map.platforms(), map.borders()), (before.platforms(), before.borders()));
        assert_eq!(map.properties(), before.properties());
        maps.push(map);
    }
    for map in maps.iter().rev().skip(1) {
        act(&mut builder.game, &[Action::Undo]);
        assert_eq!(builder.saved(), *map);
    }
    for map in &maps[1..] {
        act(&mut builder.game, &[Action::Redo]);
        assert_eq!(builder.saved(), *map);
    }
}

#[test]
fn the_layer_to_build_on_is_chosen_by_key_and_click() {
    let mut builder = Builder::new("layers");
    assert_eq!(act(&mut builder.game, &[]).building.layer, "ground");
    assert_eq!(act(&mut builder.game, &[Action::NextLayer]).building.layer, "back");
    builder.choose("full_block");
    builder.click((11, 4), false);
    let map = builder.saved();
    let block = map.find_tile('#');
    assert_eq!((map.tile_at(0, (11, 4)), map.variant_at(1, (11, 4))), (block, None));
    assert_eq!(act(&mut builder.game, &[Action::NextLayer]).building.layer, "ground");
    act(&mut builder.game, &[Action::Undo]);
    assert_eq!(builder.saved(), Map::from_ron(MAP).expect("a map"), "the edit has its own layer");
}

#[test]
fn far_cells_are_refused() {
    let mut builder = Builder::new("far");
    for _ in 0..6 {
        act(&mut builder.game, &[Action::ZoomOut]);
    }
    builder.choose("full_block");
    let report = builder.click((-25, 3), false);
    let notice = report.notice.expect("a notice");
    assert!(notice.starts_with("the cell is 25 tiles beyond the map; the map grows by at most 16"), "{notice}");
    assert_eq!(builder.saved(), Map::from_ron(MAP).expect("a map"));
}

/// The hero stays where it is while things are placed, and a run on the changed map is saved as a replay that verifies.
#[test]
fn a_placed_thing_starts_a_run_with_the_hero_where_it_was() {
    let mut builder = Builder::new("stays");
    let right = Controls { held: surefoot_play::Held { right: true, ..Default::default() }, ..Controls::default() };
    for _ in 0..20 {
        builder.game.play_frame(FRAME, &right, SIZE);
    }
    builder.choose("c: area coin");
    act(&mut builder.game, &[Action::Pause]);
    let before = act(&mut builder.game, &[]);
    let after = builder.click((2, 4), false);
    let tile = |report: &Report| {
        let ([left, ..], view) = (report.scene.hero.expect("a hero"), report.scene.view.expect("a view"));
        left / view[2] + view[0]
    };
    assert_eq!(after.world.tick, 0);
    assert!((tile(&before) - tile(&after)).abs() < 0.5, "{} {}", tile(&before), tile(&after));
    act(&mut builder.game, &[Action::Pause]);
    for _ in 0..30 {
        builder.game.play_frame(FRAME, &right, SIZE);
    }
    let saved = act(&mut builder.game, &[Action::SaveReplay]).saved.expect("a replay");
    let replay = surefoot::prelude::Replay::load(&saved).expect("a replay");
    let areas: Vec<_> = replay.map().areas().iter().map(|area| area.name.as_str()).collect();
    assert!(areas.contains(&"coin 2,4 layer 2"), "{areas:?}");
}

#[test]
fn named_things_are_saved_undone_and_removed() {
    let mut builder = Builder::new("named");
    let first = builder.saved();
    let area = |map: &Map, name: &str| {
        let area = map.areas().iter().find(|area| area.name == name).expect("the area");
        (area.tag.clone(), area.position.expect("a position").to_dvec2().to_array())
    };
    builder.choose("c: area coin");
    let typing = builder.type_name("treasure");
    assert_eq!((typing.building.typed.as_deref(), typing.world.paused), (Some("treasure"), false));
    builder.click((2, 3), false);
    assert_eq!(area(&builder.saved(), "treasure"), ("coin".to_owned(), [2.5, 3.5]));
    // A name is for one thing: the next coin is named by its cell.
    builder.click((4, 4), false);
    assert_eq!(area(&builder.saved(), "coin 4,4 layer 2").1, [4.5, 4.5]);
    builder.type_name("treasure");
    let notice = builder.click((6, 4), false).notice.unwrap_or_default();
    assert!(notice.contains("two areas are named \"treasure\""), "{notice}");

    builder.choose("w: body walker");
    builder.type_name("guard");
    builder.click((7, 4), false);
    let map = builder.saved();
    let guard = &map.bodies()[map.find_body("guard").expect("the guard")];
    let at = guard.position.to_dvec2();
    assert_eq!((guard.kind(), at.x), ("walker", 7.5));
    // The height of a box is rounded to units of a position.
    assert!((at.y - 4.45).abs() < 1e-9, "{at}");

    builder.choose("marker goal");
    builder.type_name("door 1");
    assert_eq!(builder.click((10, 4), false).building.brush, "marker door 1");
    assert_eq!(builder.saved().marker_cell("door 1"), Some((10, 4)));

    builder.choose("area of a name: E types it");
    let notice = builder.click((3, 5), false).notice.unwrap_or_default();
    assert!(notice.contains("press E"), "{notice}");
    builder.type_name("cave");
    builder.click((3, 5), false);
    builder.choose("body of a name: E types it");
    builder.type_name("rock");
    builder.click((8, 5), false);
    let map = builder.saved();
    assert_eq!(area(&map, "cave"), (String::new(), [3.5, 5.5]));
    let rock = &map.bodies()[map.find_body("rock").expect("the rock")];
    assert_eq!(rock.position.to_dvec2().to_array(), [8.5, 5.5]);

    // The right button removes what the brush places, also if it has a name.
    builder.click((8, 5), true);
    assert_eq!(builder.saved().find_body("rock"), None);
    builder.choose("c: area coin");
    builder.click((2, 3), true);
    assert!(builder.saved().areas().iter().all(|area| area.name != "treasure"));
    for _ in 0..8 {
        act(&mut builder.game, &[Action::Undo]);
    }
    assert_eq!(builder.saved(), first);
}

/// An area or a body whose typed name is a tag or a kind of the legend, with or without a number, is like the things
/// that the legend places.
#[test]
fn named_things_are_like_those_of_the_legend() {
    let mut builder = Builder::new("like");
    let first = builder.saved();
    let area_of = |map: &Map, name: &str| {
        let area = map.areas().iter().find(|area| area.name == name).expect("the area").clone();
        (area, map.area_properties(name).clone())
    };
    const AREA: &str = "area of a name: E types it";
    let named = [
        (AREA, "coin", Some("coin")),
        (AREA, "coin 7", Some("coin")),
        (AREA, "coin 2,3", Some("coin")),
        ("c: area coin", "treasure", Some("coin")),
        (AREA, "water 2", Some("water")),
        (AREA, "coins", None),
        (AREA, "7", None),
        (AREA, "walker", None),
    ];
    for (x, (brush, name, like)) in (0..).zip(named) {
        let map = builder.place_named(brush, name, (x, 5));
        let entry = map.kinds().iter().filter_map(|kind| kind.things.area.as_ref());
        let entry = like.map(|tag| entry.clone().find(|thing| thing.area.tag == tag).expect("the entry"));
        let cell = || AreaShape::aabb(0.5, 0.5).expect("a shape");
        let (base, properties) = entry
            .map_or_else(|| (Area::new(cell()), BTreeMap::new()), |own| (own.area.clone(), own.properties.clone()));
        let shape = if like == Some("coin") { base.shape.clone() } else { cell() };
        let expected = Area { shape, ..base }.name(name).at((f64::from(x) + 0.5, 5.5));
        assert_eq!(area_of(&map, name), (expected, properties), "{name}");
    }
    let (coin, properties) = area_of(&builder.saved(), "coin 7");
    assert_eq!((coin.shape, properties["worth"].as_i64()), (AreaShape::circle(0.4).expect("a shape"), Some(5)));
    assert_eq!(area_of(&builder.saved(), "water 2").0.effects.drag, Some(2.0));

    const BODY: &str = "body of a name: E types it";
    let mut place = |name: &str, cell| {
        let map = builder.place_named(BODY, name, cell);
        map.bodies()[map.find_body(name).expect("the body")].clone()
    };
    let walker = place("walker 12", (8, 3));
    assert_eq!((walker.kind(), walker.properties()["hp"].as_i64()), ("walker", Some(2)));
    let body = Body::from(&walker);
    assert_eq!((body.shape, body.character), (Shape::aabb(0.35, 0.45), Some(Character::default())));
    // The walker stands on the lower side of its cell. For a bat, up points down in the world, so a bat stands on the
    // upper side.
    assert!((walker.position.to_dvec2().y - 3.45).abs() < 1e-9, "{:?}", walker.position);
    let bat = place("bat", (9, 4));
    assert_eq!((bat.kind(), bat.position.to_dvec2().to_array()), ("bat", [9.5, 4.875]));
    assert_eq!(place("walkers", (10, 3)).kind(), "body");

    for _ in 0..11 {
        act(&mut builder.game, &[Action::Undo]);
    }
    assert_eq!(builder.saved(), first);
    for _ in 0..11 {
        act(&mut builder.game, &[Action::Redo]);
    }
    let again = builder.saved();
    assert_eq!(
        (area_of(&again, "coin 7").1["worth"].as_i64(), again.bodies().len()),
        (Some(5), first.bodies().len() + 3)
    );
}

#[test]
fn a_name_is_taken_back_by_escape_and_tiles_have_none() {
    let mut builder = Builder::new("nameless");
    builder.choose("c: area coin");
    act(&mut builder.game, &[Action::Name]);
    play(&mut builder.game, &Controls { typed: vec![Typed::Letter('x')], ..Controls::default() });
    let report = act(&mut builder.game, &[Action::Back]);
    assert_eq!((report.building.typed, report.screen, report.building.brushes.is_empty()), (None, "play", false));
    builder.click((2, 3), false);
    assert!(builder.saved().areas().iter().any(|area| area.name == "coin 2,3 layer 2"));
    builder.choose("full_block");
    let report = act(&mut builder.game, &[Action::Name]);
    assert_eq!(report.building.typed, None);
    assert!(report.notice.is_some_and(|notice| notice.contains("a tile has no name")));
}

#[test]
fn another_map_or_window_has_a_strip_of_its_own() {
    let mut builder = Builder::new("strips");
    builder.check_cached_meshes();
    builder.game.play_frame(FRAME, &Controls::default(), Size { width: 700.0, ..SIZE });
    builder.check_cached_meshes();
    act(&mut builder.game, &[]);
    builder.check_cached_meshes();
    // The other map differs only in the name of a layer, which is the text of a button of the strip.
    let other = builder.folder.join("other.ron");
    std::fs::write(&other, MAP.replace("\"back\"", "\"rear\"")).expect("a file");
    builder.game.open(&other).expect("a map");
    assert!(!act(&mut builder.game, &[Action::Build]).building.brushes.is_empty(), "the strip is shown");
    builder.check_cached_meshes();
}
