//! Tests the game like a window drives it: controls in, the world and a drawing out.

mod edits;
mod memory;

use std::path::{Path, PathBuf};
use surefoot::{Map, geometry::DVec2};
use surefoot_draw::{Point, View};
use surefoot_play::{Action, Button, Controls, Game, Held, NO_PICTURE, Painter, Pointer, Report, Size, Vertex};
use surefoot_random::Random;

const SIZE: Size = Size { width: 1280.0, height: 800.0 };
const FRAME: f64 = 1.0 / 60.0;

fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps").join(name)
}

fn opened(name: &str) -> Game {
    let mut game = Game::new(&[], None);
    game.open(&shipped(name)).unwrap();
    game
}

/// Plays a frame in which these keys go down.
fn act(game: &mut Game, actions: &[Action]) -> Report {
    play(game, &Controls { actions: actions.to_vec(), ..Controls::default() })
}

fn play(game: &mut Game, controls: &Controls) -> Report {
    game.play_frame(FRAME, controls, SIZE);
    Report::of(game, 0.0)
}

fn view(report: &Report) -> View {
    let [left, top, scale] = report.scene.view.unwrap();
    View { left, top, scale }
}

/// Controls with the mouse at a point of the window and buttons that went down in this frame.
fn mouse(at: Point, left: bool, right: bool) -> Controls {
    let button = |down| Button { pressed: down, down };
    Controls { pointer: Pointer { at, left: button(left), right: button(right), wheel: 0.0 }, ..Controls::default() }
}

/// Draws the game with a new painter, which has nothing cached.
fn fresh(game: &mut Game) -> surefoot_play::Mesh {
    Painter::new().paint(game).clone()
}

#[test]
fn cached_terrain_looks_like_fresh_terrain() {
    let mut game = opened("first_steps.ron");
    let mut painter = Painter::new();
    act(&mut game, &[Action::Normals, Action::Build]);
    let mut numbers = Random(7);
    let mut random = |below: u64| numbers.below(below);
    for round in 0..60_u32 {
        let at = Point { x: random(1280) as f64, y: 40.0 + random(500) as f64 };
        let report = act(&mut game, &[]);
        // Choose a brush and paint a tile. Sometimes clear a tile or rewind over painted ones.
        let [x, y] = report.building.brushes[random(97) as usize];
        play(&mut game, &mouse(Point { x, y }, true, false));
        play(&mut game, &Controls::default());
        play(&mut game, &mouse(at, !round.is_multiple_of(3), round.is_multiple_of(3)));
        let rewind = round % 10 > 6;
        for _ in 0..random(20) {
            play(&mut game, &Controls { rewind, ..Controls::default() });
        }
        if round % 20 == 13 {
            act(&mut game, &[if random(2) == 0 { Action::ZoomIn } else { Action::ZoomOut }]);
        }
        if round == 45 {
            act(&mut game, &[Action::Restart]);
        }
        act(&mut game, &[]);
        let kept = painter.paint(&mut game).clone();
        assert!(kept == fresh(&mut game), "round {round}");
    }
    // If the rounds had not changed the picture, the comparisons above would prove nothing.
    let untouched = fresh(&mut opened("first_steps.ron"));
    assert!(painter.paint(&mut game) != &untouched);
}

#[test]
fn tiles_are_placed_at_the_mouse_and_strokes_have_no_gaps() {
    let folder = std::env::temp_dir().join(format!("surefoot-play-game-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut game = Game::new(&[], Some(folder.clone()));
    game.open(&shipped("first_steps.ron")).unwrap();
    let report = act(&mut game, &[Action::Build]);
    assert_eq!(report.building.brush, "full_block");
    let view = view(&report);
    let at = |x: f64, y: f64| view.point(DVec2::new(x, y));
    // Move the mouse from (7, 4) to (15, 2) within a frame, with the button held.
    play(&mut game, &mouse(at(7.5, 4.5), true, false));
    let mut held = mouse(at(15.5, 2.5), true, false);
    held.pointer.left.pressed = false;
    play(&mut game, &held);
    let report = act(&mut game, &[Action::SaveMap]);
    let saved = Map::load(report.saved.as_ref().unwrap()).unwrap();
    let before = Map::load(shipped("first_steps.ron")).unwrap();
    let full = before.catalogue().find_variant("full_block").unwrap();
    let painted: Vec<(i32, i32)> = (0..40)
        .flat_map(|x| (-3..19).map(move |y| (x, y)))
        .filter(|&tile| saved.variant_at(0, tile) != before.variant_at(0, tile))
        .collect();
    assert!(painted.iter().all(|&tile| saved.variant_at(0, tile) == Some(full)), "{painted:?}");
    // The stroke has one tile in each column. Each tile is next to the previous one or at its corner.
    assert_eq!(painted.iter().map(|tile| tile.0).collect::<Vec<_>>(), (7..=15).collect::<Vec<_>>());
    assert!(painted.windows(2).all(|pair| (pair[0].1 - pair[1].1).abs() <= 1), "{painted:?}");
    assert_eq!((painted[0], painted[8]), ((7, 4), (15, 2)));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_throw_passes_through_the_clicked_point() {
    for (dx, dy) in [(4.0, 1.0), (7.0, 3.0), (-1.2, 2.5), (2.0, 4.0)] {
        let mut game = opened("first_steps.ron");
        for _ in 0..30 {
            act(&mut game, &[]);
        }
        let report = act(&mut game, &[]);
        let view = view(&report);
        let [left, top, right, bottom] = report.scene.hero.unwrap();
        let aim = Point { x: (left + right) / 2.0 + dx * view.scale, y: (top + bottom) / 2.0 - dy * view.scale };
        let mut nearest = f64::MAX;
        play(&mut game, &mouse(aim, true, false));
        for _ in 0..60 {
            let report = act(&mut game, &[]);
            assert_eq!(report.world.bodies, 2);
            // The ball is the last of the other bodies. The camera does not move, because the hero does not.
            let ball = report.scene.others.last().unwrap();
            let at = ((ball[0] + ball[2]) / 2.0, (ball[1] + ball[3]) / 2.0);
            nearest = nearest.min(DVec2::new(at.0 - aim.x, at.1 - aim.y).length());
        }
        // At 30 tiles per second, the positions of two ticks are half a tile apart. One of them is at most a quarter of
        // a tile from the point.
        assert!(nearest < 0.35 * view.scale, "({dx}, {dy}): {} tiles away", nearest / view.scale);
    }
}

#[test]
fn escape_closes_open_elements_one_after_the_other() {
    let mut game = opened("zoo.ron");
    act(&mut game, &[Action::Build, Action::Tune, Action::Help]);
    assert!(!act(&mut game, &[]).building.brushes.is_empty());
    assert!(act(&mut game, &[Action::Back]).panels.slider.is_some(), "the help is closed");
    assert!(act(&mut game, &[Action::Back]).panels.slider.is_none());
    assert!(!act(&mut game, &[]).building.brushes.is_empty());
    assert!(act(&mut game, &[Action::Back]).building.brushes.is_empty());
    assert_eq!(act(&mut game, &[]).screen, "play");
    assert_eq!(act(&mut game, &[Action::Back]).screen, "menu");
}

#[test]
fn impossible_actions_show_a_notice() {
    let mut game = opened("first_steps.replay.ron");
    for action in [Action::Build, Action::Tune, Action::SaveReplay, Action::Ghost] {
        let notice = act(&mut game, &[action]).notice.unwrap();
        assert!(notice.contains("replay"), "{notice}");
    }
    let report = play(&mut game, &mouse(Point { x: 500.0, y: 400.0 }, true, false));
    assert!(report.notice.unwrap().contains("replay"));
    // A notice disappears after a while.
    for _ in 0..400 {
        act(&mut game, &[]);
    }
    assert_eq!(act(&mut game, &[]).notice, None);
    assert!(Game::new(&[shipped("nowhere.ron")], None).open(&shipped("nowhere.ron")).is_err());
}

#[test]
fn single_ticks_and_pauses() {
    let mut game = opened("first_steps.ron");
    let right = Controls { held: Held { right: true, ..Held::default() }, ..Controls::default() };
    let report = play(&mut game, &Controls { actions: vec![Action::SingleTick], ..right.clone() });
    assert!(report.world.paused, "a single tick stops time");
    let before = report.world.tick;
    for _ in 0..10 {
        assert_eq!(play(&mut game, &right).world.tick, before);
    }
    let report = play(&mut game, &Controls { actions: vec![Action::SingleTick; 3], ..right.clone() });
    assert_eq!(report.world.tick, before + 3);
    act(&mut game, &[Action::Pause]);
    assert!(play(&mut game, &right).world.tick > before + 3);
}

#[test]
fn the_ghost_of_the_shipped_run_is_beside_the_map() {
    let mut game = opened("first_steps.ron");
    assert_eq!(act(&mut game, &[]).scene.ghost, None);
    let report = act(&mut game, &[Action::Ghost]);
    assert!(report.scene.ghost.is_some(), "{:?}", report.notice);
}

#[test]
fn frames_of_any_length_and_windows_of_any_size_are_drawn() {
    let mut game = opened("zoo.ron");
    let mut painter = Painter::new();
    act(&mut game, &[Action::Build, Action::Tune, Action::Help, Action::Normals, Action::Contacts, Action::Swept]);
    for (width, height) in [(1.0, 1.0), (0.0, 0.0), (320.0, 200.0), (5000.0, 3000.0)] {
        for seconds in [0.0, 1e-9, 0.3, 1e9, f64::NAN, f64::INFINITY, -1.0] {
            game.play_frame(seconds, &Controls::default(), Size { width, height });
            let mesh = painter.paint(&mut game);
            assert!(mesh.vertices().iter().all(|v| v.x.is_finite() && v.y.is_finite()));
        }
    }
}

/// The same controls with buttons that have been down since an earlier frame.
fn held(controls: Controls) -> Controls {
    let still = |button: Button| Button { pressed: false, ..button };
    let pointer =
        Pointer { left: still(controls.pointer.left), right: still(controls.pointer.right), ..controls.pointer };
    Controls { pointer, ..controls }
}

/// Returns the map with its edited tiles.
fn painted(game: &mut Game) -> Map {
    let report = act(game, &[Action::SaveMap]);
    let file = report.saved.unwrap();
    let map = Map::load(&file).unwrap();
    std::fs::remove_file(file).unwrap();
    map
}

#[test]
fn a_stroke_begins_on_the_map_and_ends_with_a_restart() {
    let folder = std::env::temp_dir().join(format!("surefoot-play-stroke-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut game = Game::new(&[], Some(folder.clone()));
    game.open(&shipped("first_steps.ron")).unwrap();
    let report = act(&mut game, &[Action::Build, Action::Tune, Action::Help]);
    let before = Map::load(shipped("first_steps.ron")).unwrap();
    let same = |map: &Map| (0..40).all(|x| (-3..19).all(|y| map.variant_at(0, (x, y)) == before.variant_at(0, (x, y))));
    let [left, top, ..] = report.panels.slider.unwrap();
    let [x, y] = report.building.brushes[1];
    let free = Point { x: 300.0, y: 320.0 };
    for (what, start) in [
        ("a slider", Point { x: left + 20.0, y: top + 4.0 }),
        ("the strip", Point { x, y }),
        ("the panel", Point { x: left - 10.0, y: top - 40.0 }),
        ("the help", Point { x: 640.0, y: 300.0 }),
    ] {
        play(&mut game, &mouse(start, true, false));
        for _ in 0..3 {
            play(&mut game, &held(mouse(free, true, false)));
        }
        act(&mut game, &[]);
        assert!(same(&painted(&mut game)), "{what}");
    }
    // A stroke that begins on the map paints. A restart ends the stroke, although the button is still held.
    play(&mut game, &mouse(free, true, false));
    assert!(!same(&painted(&mut game)));
    let now = painted(&mut game);
    play(&mut game, &mouse(free, true, false));
    play(&mut game, &Controls { actions: vec![Action::Restart], ..held(mouse(free, true, false)) });
    play(&mut game, &held(mouse(Point { x: 380.0, y: 320.0 }, true, false)));
    let after = painted(&mut game);
    assert!((0..40).all(|x| (-3..19).all(|y| after.variant_at(0, (x, y)) == now.variant_at(0, (x, y)))));
    std::fs::remove_dir_all(folder).unwrap();
}

/// A stroke of three tiles and one of a tile are undone and redone one after the other, and each is part of the saved
/// map.
#[test]
fn strokes_are_undone_and_redone() {
    let folder = std::env::temp_dir().join(format!("surefoot-play-undo-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut game = Game::new(&[], Some(folder.clone()));
    game.open(&shipped("first_steps.ron")).unwrap();
    act(&mut game, &[Action::Build]);
    let tiles = |map: &Map| {
        (0..40).flat_map(|x| (0..20).map(move |y| (x, y))).map(|tile| map.variant_at(0, tile)).collect::<Vec<_>>()
    };
    let mut states = vec![tiles(&painted(&mut game))];
    let row = [300.0, 340.0, 380.0].map(|x| Point { x, y: 260.0 });
    for strokes in [&row[..], &[Point { x: 340.0, y: 220.0 }]] {
        for (i, at) in strokes.iter().enumerate() {
            let controls = mouse(*at, true, false);
            play(&mut game, &if i == 0 { controls } else { held(controls) });
        }
        act(&mut game, &[]);
        states.push(tiles(&painted(&mut game)));
    }
    let changed = |a: usize, b: usize| states[a].iter().zip(&states[b]).filter(|(a, b)| a != b).count();
    assert_eq!([changed(0, 1), changed(1, 2)], [3, 1]);
    for (action, expected) in [
        (Action::Redo, 2),
        (Action::Undo, 1),
        (Action::Undo, 0),
        (Action::Undo, 0),
        (Action::Redo, 1),
        (Action::Redo, 2),
        (Action::Redo, 2),
    ] {
        act(&mut game, &[action]);
        assert_eq!(tiles(&painted(&mut game)), states[expected], "{action:?}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// The menu shows the replay beside a map, from its beginning again after its end.
#[test]
fn a_run_is_shown_behind_the_menu() {
    let mut game = Game::new(&[shipped("zoo.ron")], None);
    let mut painter = Painter::new();
    let mut meshes = Vec::new();
    for _ in 0..3 {
        (0..30).for_each(|_| drop(act(&mut game, &[])));
        meshes.push(painter.paint(&mut game).clone());
    }
    assert!(meshes[0] != meshes[1] && meshes[1] != meshes[2], "the run goes on");
    // The painter has just painted the menu. It must not reuse that picture for the game, nor that of the game for the
    // menu.
    game.open(&shipped("first_steps.ron")).unwrap();
    act(&mut game, &[]);
    assert!(painter.paint(&mut game).clone() == fresh(&mut game));
    act(&mut game, &[Action::Back]);
    assert!(painter.paint(&mut game).clone() == fresh(&mut game));
}

/// Squares of the picture lie where their tiles are.
#[test]
fn tiles_show_pieces_of_the_picture_of_the_map() {
    let mut game = Game::new(&[], None);
    assert!(game.art().is_none());
    game.open(&shipped("../assets/art/cave.ron")).unwrap();
    let corners_of = |game: &mut Game, tile: (f64, f64)| {
        let view = view(&act(game, &[]));
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let corners = corners.map(|(x, y)| view.point(DVec2::new(tile.0 + x, tile.1 + y)));
        let mesh = fresh(game);
        let textured: Vec<_> = mesh.vertices().iter().filter(|vertex| vertex.picture != NO_PICTURE).collect();
        let is_there = |vertices: &&[&Vertex]| {
            let is_near =
                |(v, at): (&&Vertex, Point)| (f64::from(v.x) - at.x).abs() + (f64::from(v.y) - at.y).abs() < 0.01;
            vertices.iter().zip(corners).all(is_near)
        };
        let found = textured.chunks_exact(4).find(is_there).unwrap_or_else(|| panic!("{tile:?}"));
        found.iter().map(|vertex| vertex.picture).collect::<Vec<_>>()
    };
    // A coin has four frames of 0.15 seconds.
    assert_eq!(corners_of(&mut game, (4.0, 5.0))[0], [32, 32]);
    (0..10).for_each(|_| drop(act(&mut game, &[])));
    assert_eq!(corners_of(&mut game, (4.0, 5.0))[0], [48, 32]);
    assert_eq!(game.art().unwrap().picture_size(), (128, 48));
    // The slope is in column 5 of the picture's first row. The second slope is the same piece after a quarter turn.
    assert_eq!(corners_of(&mut game, (16.0, 3.0)), [[80, 16], [96, 16], [96, 0], [80, 0]]);
    assert_eq!(corners_of(&mut game, (20.0, 3.0)), [[96, 16], [96, 0], [80, 0], [80, 16]]);
    assert_eq!(corners_of(&mut game, (26.0, 1.0)), [[16, 32], [32, 32], [32, 16], [16, 16]]);
}

#[test]
fn closing_the_panel_releases_the_dragged_slider() {
    let mut game = opened("first_steps.ron");
    let [left, top, right, _] = act(&mut game, &[Action::Tune]).panels.slider.unwrap();
    let at = |x: f64| Point { x, y: top + 4.0 };
    let tuned = play(&mut game, &mouse(at(left + 30.0), true, false)).world.walk_speed;
    play(&mut game, &Controls { actions: vec![Action::Back], ..held(mouse(at(left + 30.0), true, false)) });
    play(&mut game, &Controls { actions: vec![Action::Tune], ..held(mouse(at(right), true, false)) });
    let report = play(&mut game, &held(mouse(at(right), true, false)));
    assert_eq!((report.world.walk_speed, report.panels.slider.is_some()), (tuned, true));
}

#[test]
fn clicks_on_the_help_do_not_reach_the_game() {
    let mut game = opened("first_steps.ron");
    act(&mut game, &[Action::Help]);
    assert_eq!(play(&mut game, &mouse(Point { x: 640.0, y: 300.0 }, true, false)).world.bodies, 1);
    assert_eq!(play(&mut game, &mouse(Point { x: 1000.0, y: 300.0 }, true, false)).world.bodies, 2);
}

#[test]
fn the_key_that_opens_a_map_does_not_jump() {
    let jump = Controls { held: Held { jump: true, ..Held::default() }, ..Controls::default() };
    let top = |game: &mut Game, frames: u32, controls: &Controls| {
        (0..frames).map(|_| play(game, controls).scene.hero.unwrap()[1]).fold(f64::MAX, f64::min)
    };
    let mut game = Game::new(&[shipped("first_steps.ron")], None);
    let report = play(&mut game, &Controls { actions: vec![Action::Choose], ..jump.clone() });
    assert_eq!(report.screen, "play");
    let standing = top(&mut game, 1, &jump);
    let still = top(&mut game, 20, &jump);
    // If the hero had jumped, it would have moved by 3 tiles instead of less than a pixel.
    assert!((standing - still).abs() < 1.0, "{standing} {still}");
    act(&mut game, &[]);
    assert!(top(&mut game, 20, &jump) < standing - 40.0, "pressed again it is one");
}

#[test]
fn the_tile_strip_does_not_cover_the_hero() {
    let mut game = opened("first_steps.ron");
    let right = Controls { held: Held { right: true, ..Held::default() }, ..Controls::default() };
    for _ in 0..60 {
        play(&mut game, &right);
    }
    for _ in 0..180 {
        act(&mut game, &[]);
    }
    let report = act(&mut game, &[Action::Build]);
    let strip = report.building.brushes[0][1];
    for _ in 0..60 {
        assert_eq!(act(&mut game, &[]).scene.view, report.scene.view, "what is aimed at stays under the mouse");
    }
    assert!(report.scene.hero.unwrap()[3] < strip, "{:?} {strip}", report.scene.hero);
}

#[test]
fn the_menu_adapts_to_the_window() {
    let files = ["first_steps.ron", "zoo.ron", "highlands.ron"].map(shipped);
    let mut game = Game::new(&files, None);
    let mut painter = Painter::new();
    for (width, height) in [(1280.0, 800.0), (900.0, 640.0), (1280.0, 800.0), (1920.0, 1080.0)] {
        game.play_frame(FRAME, &Controls::default(), Size { width, height });
        let kept = painter.paint(&mut game).clone();
        assert!(kept == fresh(&mut game), "{width} x {height}");
    }
}

#[test]
fn only_error_notices_are_red() {
    let red = |game: &mut Game| {
        let [r, g, b] = surefoot_draw::Palette::NIGHT.wall.0;
        let mesh = fresh(game);
        mesh.vertices().iter().filter(|vertex| vertex.color[..3] == [r, g, b]).count()
    };
    let folder = std::env::temp_dir().join(format!("surefoot-play-news-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut game = Game::new(&[], Some(folder.clone()));
    game.open(&shipped("first_steps.ron")).unwrap();
    // Neither the map nor the text over it is red.
    act(&mut game, &[]);
    assert_eq!(red(&mut game), 0);
    let report = act(&mut game, &[Action::SaveMap]);
    assert!(report.notice.is_some_and(|notice| notice.contains("saved")));
    assert_eq!(red(&mut game), 0);
    // The notice is also shown in the menu.
    let report = act(&mut game, &[Action::Back]);
    assert_eq!((report.screen, report.notice.is_some()), ("menu", true));
    assert_eq!(red(&mut game), 0);
    game.open(&shipped("first_steps.replay.ron")).unwrap();
    assert!(act(&mut game, &[Action::Build]).notice.is_some());
    assert!(red(&mut game) > 0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_first_frame_of_a_map_shows_the_hero_where_the_next_ones_do() {
    for name in ["highlands.ron", "first_steps.replay.ron"] {
        let mut game = Game::new(&[shipped(name)], None);
        act(&mut game, &[]);
        let first = act(&mut game, &[Action::Choose]);
        let next = act(&mut game, &[]);
        let [left, top, right, bottom] = first.scene.hero.unwrap();
        assert!(left > 0.0 && top > 0.0 && right < SIZE.width && bottom < SIZE.height, "{:?}", first.scene.hero);
        let [first, next] = [view(&first), view(&next)];
        assert!((first.left - next.left).abs() < 0.5 && (first.top - next.top).abs() < 0.5, "{first:?} {next:?}");
    }
}

#[test]
fn the_mouse_and_keys_pause_a_watched_run_seek_in_it_and_play_on() {
    let middle = |[left, top, right, bottom]: [f64; 4]| Point { x: (left + right) / 2.0, y: (top + bottom) / 2.0 };
    let click = |game: &mut Game, at: Point| {
        play(game, &mouse(at, true, false));
        play(game, &mouse(at, false, false))
    };
    let mut game = opened("first_steps.replay.ron");
    let ticks = surefoot::replay::Replay::load(shipped("first_steps.replay.ron")).unwrap().ticks();
    let [line, pause, play_on] = act(&mut game, &[]).watch.bar.unwrap();
    assert!(click(&mut game, middle(pause)).world.paused);
    assert!(!act(&mut game, &[Action::Choose]).world.paused, "the space bar resumes");
    // Press at the start of the line and drag to its middle. The run stays there while the button is held.
    play(&mut game, &mouse(Point { x: line[0], y: line[1] }, true, false));
    let mut held = mouse(middle(line), true, false);
    held.pointer.left.pressed = false;
    let mut report = Report::default();
    (0..30).for_each(|_| report = play(&mut game, &held));
    assert!(report.world.tick.abs_diff(ticks / 2) <= 1, "{} of {ticks}", report.world.tick);
    let report = play(&mut game, &mouse(middle(line), false, false));
    assert!(report.world.tick <= ticks / 2 + 3 && report.screen == "watch");
    // A key to walk seeks by five seconds.
    let before = act(&mut game, &[Action::Pause]).world.tick;
    let left = Controls { held: Held { left: true, ..Held::default() }, ..Controls::default() };
    (0..9).for_each(|_| drop(play(&mut game, &left)));
    assert_eq!(act(&mut game, &[]).world.tick, before.saturating_sub(300));
    let report = click(&mut game, middle(play_on));
    assert_eq!((report.screen, report.watch.bar, report.world.paused), ("play", None, false));

    let mut game = opened("first_steps.replay.ron");
    (0..30).for_each(|_| drop(act(&mut game, &[])));
    let report = act(&mut game, &[Action::PlayOn]);
    assert_eq!(report.screen, "play");
    assert!(report.notice.unwrap().contains("you play on"));
}
