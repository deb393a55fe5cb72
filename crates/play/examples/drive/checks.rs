//! Scripted user actions in the window, each with checks of the screen.

use crate::Fault;
use crate::screen::Screen;
use crate::window::Window;
use resvg::tiny_skia::Pixmap;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use surefoot::Map;
use surefoot::prelude::Terrain;
use surefoot::record::Playback;
use surefoot_draw::{Color, MapStyle, Palette, draw_map, to_png};

const NIGHT: Palette = Palette::NIGHT;

/// Tolerance in pixels: far below a visible difference, and far above the rounding of sums in another order.
const ROUNDING: f64 = 1e-6;

/// Rows at the top of the window that may contain text over the game.
const TEXT: usize = 36;

pub(crate) fn all(play: &Path, surefoot: &Path, folder: &Path) -> Result<(), Fault> {
    let map = Path::new("maps/first_steps.ron");
    check_no_display(play)?;
    check_wrong_files(play, folder)?;
    choice(play, folder)?;
    said("a game with rules of its own is played", rules(play, folder)?);
    let window = Window::open(play, Some(map), folder)?;
    said("a picture of the map and the window agree", compare_window_with_picture(&window, map)?);
    said("the hero is where the world says", check_drawn_hero(&window)?);
    said("time goes back to where it was", rewinding(&window)?);
    said("a tile is placed and taken away", building(&window)?);
    said("balls and boxes are thrown", throwing(&window)?);
    said("a slider changes how the hero moves", tuning(&window)?);
    let replay = saving(&window, surefoot)?;
    said("a saved run verifies", replay.display().to_string());
    said("the ghost runs beside", ghost(&window)?);
    said("frames are drawn", drawing_times(&window)?);
    drop(window);
    said("a replay is watched to its end", watch_replay(play, &replay, folder)?);
    said("a difference is found and shown", difference(play, &replay, folder)?);
    Ok(())
}

pub(crate) fn said(what: &str, how: String) {
    println!("{what}: {how}");
}

pub(crate) fn check(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err(otherwise().into()) }
}

/// Returns a field of a frame that holds four numbers.
fn bounds(frame: &Value, name: &str) -> Result<[f64; 4], Fault> {
    serde_json::from_value(frame[name].clone()).map_err(|_| format!("no {name} in {frame}").into())
}

fn tick(frame: &Value) -> u64 {
    frame["tick"].as_u64().unwrap_or(u64::MAX)
}

/// Returns the point of the window that shows a world position.
pub(crate) fn window_point(frame: &Value, x: f64, y: f64) -> Result<(f64, f64), Fault> {
    let [left, top, scale]: [f64; 3] = serde_json::from_value(frame["view"].clone())?;
    Ok(((x - left) * scale, (top - y) * scale))
}

/// Without a display, the game prints one line of explanation and exits with code 1.
fn check_no_display(play: &Path) -> Result<(), Fault> {
    for display in [None, Some(":4711")] {
        let mut command = Command::new(play);
        command.env_remove("WAYLAND_DISPLAY").env_remove("DISPLAY").envs(display.map(|display| ("DISPLAY", display)));
        let done = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output()?;
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        let one_line = text.lines().count() == 1 && text.contains("no display") && text.contains("draw");
        check(done.status.code() == Some(1) && one_line && done.stdout.is_empty(), || {
            format!("without a display: {} with {text:?}", done.status)
        })?;
    }
    println!("without a display it says so");
    Ok(())
}

/// An invalid file is reported by name before a window opens.
fn check_wrong_files(play: &Path, folder: &Path) -> Result<(), Fault> {
    let broken = folder.join("broken.ron");
    std::fs::write(&broken, "Map(format: 1, tiles: [\"..q\"])")?;
    for (file, told) in [(broken, "broken.ron:1:27"), (folder.join("missing.ron"), "missing.ron")] {
        let done = Command::new(play).arg(&file).output()?;
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        check(done.status.code() == Some(1) && text.contains(told), || format!("{}: {text:?}", file.display()))?;
    }
    println!("files that are none are refused");
    Ok(())
}

/// In the menu, keys choose a map, and Escape returns to the menu.
fn choice(play: &Path, folder: &Path) -> Result<(), Fault> {
    let window = Window::open(play, None, folder)?;
    window.wait("the choice of maps", |frame| frame["screen"] == "menu")?;
    window.shot("choice")?;
    // In the menu, the game with rules and the first map come before the second map.
    window.key("Down")?;
    window.key("Down")?;
    window.key("Return")?;
    window.wait("the second map", |frame| frame["screen"] == "play")?;
    window.shot("highlands")?;
    window.key("Escape")?;
    window.wait("the choice of maps again", |frame| frame["screen"] == "menu")?;
    println!("maps are chosen by keys");
    Ok(())
}

/// The game of the example citadel: its hero runs next to the ghost of the best run, and time can be rewound.
fn rules(play: &Path, folder: &Path) -> Result<String, Fault> {
    let window = Window::open(play, Some(Path::new("citadel")), folder)?;
    let start = window.wait("the ghost", |frame| !frame["ghost"].is_null())?;
    window.press("Right")?;
    let walked = window.wait("a second of the game", |frame| tick(frame) >= tick(&start) + 60)?;
    window.release("Right")?;
    window.shot("citadel")?;
    let status = walked["status"].as_str().unwrap_or_default().to_owned();
    check(status.contains("springs and hills") && status.contains("coins") && status.contains("best"), || {
        format!("the status is {status:?}")
    })?;
    window.press("BackSpace")?;
    window.wait("the beginning", |frame| tick(frame) < tick(&walked) - 30)?;
    window.release("BackSpace")?;
    Ok(status)
}

/// The window shows the picture of the map. Only few pixels may differ by more than anti-aliasing explains, along
/// edges.
fn compare_window_with_picture(window: &Window, map: &Path) -> Result<String, Fault> {
    window.key("p")?;
    let (screen, frame) = window.shot("picture")?;
    let [left, top, scale]: [f64; 3] = serde_json::from_value(frame["view"].clone())?;
    let map = Map::load(map)?;
    let style = MapStyle { tile: scale as u32, margin: 0.5, grid: false, normals: false, ..MapStyle::default() };
    let picture = Pixmap::decode_png(&to_png(&draw_map(&map, &Terrain::bake(&map), &style), 1.0)?)?;
    let ((x, y), (_, rows)) = (map.origin(), map.size());
    let dx = ((left - (f64::from(x) - 0.5)) * scale).round() as i64;
    let dy = ((f64::from(y) + f64::from(rows) + 0.5 - top) * scale).round() as i64;
    let hero = bounds(&frame, "hero")?;
    // The picture shows markers with their names, the window does not. So skip the pixels near markers.
    let named = |(x, y): (i32, i32)| window_point(&frame, f64::from(x) + 0.5, f64::from(y) + 0.6);
    let markers = map.all_markers().map(|(_, tile)| named(tile)).collect::<Result<Vec<_>, Fault>>()?;
    let (mut compared, mut different) = (0, 0);
    for y in TEXT..screen.height {
        for x in 0..screen.width {
            let (at_x, at_y) = (x as i64 + dx, y as i64 + dy);
            let inside =
                (0..i64::from(picture.width())).contains(&at_x) && (0..i64::from(picture.height())).contains(&at_y);
            let behind_hero = (hero[0] - 2.0..hero[2] + 2.0).contains(&(x as f64))
                && (hero[1] - 2.0..hero[3] + 2.0).contains(&(y as f64));
            let at_marker = markers.iter().any(|(middle_x, middle_y)| {
                (x as f64 - middle_x).abs() < 0.9 * scale && (y as f64 - middle_y).abs() < 0.7 * scale
            });
            if inside && !behind_hero && !at_marker {
                let pixel = picture.pixel(at_x as u32, at_y as u32).ok_or("a pixel beyond the picture")?;
                compared += 1;
                different += usize::from(far(screen.at(x, y), Color([pixel.red(), pixel.green(), pixel.blue()])));
            }
        }
    }
    let share = different as f64 / compared as f64;
    // The window takes four samples per pixel, and the picture computes the exact coverage. So a few pixels along
    // slanted edges differ by more than `far` allows.
    check(compared > 500_000 && share < 0.0005, || format!("{different} of {compared} pixels differ"))?;
    window.key("p")?;
    Ok(format!("{different} of {compared} pixels differ, along edges"))
}

/// Returns whether two colours differ by more than two ways of anti-aliasing the same edge.
fn far(Color(a): Color, Color(b): Color) -> bool {
    a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > 96)
}

/// Each side of the hero is drawn within a pixel, at several moments, in the air and on the ground, at two scales.
fn check_drawn_hero(window: &Window) -> Result<String, Fault> {
    let mut worst = 0.0_f64;
    for (i, keys) in [&["Right"][..], &["Right", "space"], &[], &["Left", "space"], &["Left"]].into_iter().enumerate() {
        keys.iter().try_for_each(|key| window.press(key))?;
        let begin = tick(&window.now()?);
        window.wait("some ticks", |frame| tick(frame) > begin + 20)?;
        window.key("p")?;
        keys.iter().try_for_each(|key| window.release(key))?;
        if i == 3 {
            window.key("plus")?;
        }
        let (screen, frame) = window.shot(&format!("hero_{i}"))?;
        worst = worst.max(hero_error(&screen, &frame)?);
        window.key("p")?;
    }
    check(worst <= 1.0, || format!("the hero is {worst:.2} pixels from where the world says"))?;
    Ok(format!("{worst:.2} pixels at the most"))
}

/// Returns the greatest distance in pixels between a drawn side of the hero and its position in the world.
fn hero_error(screen: &Screen, frame: &Value) -> Result<f64, Fault> {
    let told = bounds(frame, "hero")?;
    let found = screen.bounds_of(NIGHT.bodies[0], TEXT).ok_or("the hero is not on the screen")?;
    Ok(told.iter().zip(found).map(|(told, found)| (told - found).abs()).fold(0.0, f64::max))
}

/// Steps single ticks, then rewinds: each tick has the recorded state again, also on the screen.
fn rewinding(window: &Window) -> Result<String, Fault> {
    window.key("p")?;
    window.press("Right")?;
    let mut noted = BTreeMap::new();
    for _ in 0..40 {
        window.key("period")?;
        let frame = window.now()?;
        noted.insert(tick(&frame), frame);
    }
    window.release("Right")?;
    let last = tick(&window.settle()?);
    window.press("BackSpace")?;
    window.wait("time to go back", |frame| frame["rewinding"] == true && tick(frame) + 5 < last)?;
    window.release("BackSpace")?;
    window.wait("time to stand still", |frame| frame["rewinding"] == false)?;
    let (screen, frame) = window.shot("rewound")?;
    let back = tick(&frame);
    let before = noted.get(&back).ok_or_else(|| format!("went back to tick {back}, of {:?}", noted.keys()))?;
    for name in ["checksum", "hero"] {
        check(frame[name] == before[name], || format!("{name} at tick {back}: {} and {}", before[name], frame[name]))?;
    }
    let error = hero_error(&screen, &frame)?;
    check(error <= 1.0, || format!("after rewinding the hero is {error:.2} pixels from its place"))?;
    window.key("p")?;
    Ok(format!("from tick {last} to {back}, the same checksum and {error:.2} pixels"))
}

/// Places a full block in the air and removes it again. The pixel in the middle of the tile must have the expected
/// colour.
fn building(window: &Window) -> Result<String, Fault> {
    window.key("b")?;
    let frame = window.settle()?;
    let brushes: Vec<[f64; 2]> = serde_json::from_value(frame["brushes"].clone())?;
    // The first square is the eraser, the second is the first variant of the catalogue.
    window.click("1", brushes[1][0], brushes[1][1])?;
    let frame = window.settle()?;
    check(frame["brush"] == "full_block", || format!("the brush is {}", frame["brush"]))?;
    // The tile (7, 3) is in the air.
    let (x, y) = window_point(&frame, 7.5, 3.5)?;
    let color = |name: &str| -> Result<Color, Fault> {
        window.point(x + 200.0, y)?;
        let (screen, _) = window.shot(name)?;
        Ok(screen.at(x as usize, y as usize))
    };
    let before = color("before_building")?;
    window.click("1", x, y)?;
    let placed = color("built")?;
    window.click("3", x, y)?;
    let removed = color("removed")?;
    window.key("b")?;
    let expected = (NIGHT.background, NIGHT.solid, NIGHT.background);
    check((before, placed, removed) == expected, || format!("{before}, {placed}, {removed}"))?;
    Ok(format!("{before}, then {placed}, then {removed}"))
}

/// A thrown ball and a thrown box are in the world and on the screen.
fn throwing(window: &Window) -> Result<String, Fault> {
    let frame = window.settle()?;
    let [left, top, right, _] = bounds(&frame, "hero")?;
    let before = frame["bodies"].as_u64();
    window.click("1", left - 90.0, top - 160.0)?;
    window.click("3", left - 170.0, top - 100.0)?;
    // A thrown body starts at the hero's centre, where the hero hides it, so wait until both bodies are beside the
    // hero. They are thrown to the left, as the hero may stand at a wall on its right.
    window.wait("both to be beside the hero", |frame| {
        let side = |i: usize, side: usize| frame["others"][i][side].as_f64();
        let is_beside = |i| side(i, 2).is_some_and(|end| end < left) || side(i, 0).is_some_and(|begin| begin > right);
        is_beside(0) && is_beside(1)
    })?;
    window.key("p")?;
    let (screen, frame) = window.shot("thrown")?;
    check(frame["bodies"].as_u64() == before.map(|bodies| bodies + 2), || format!("{} bodies", frame["bodies"]))?;
    for color in [NIGHT.bodies[1], NIGHT.bodies[2]] {
        check(screen.bounds_of(color, TEXT).is_some(), || format!("{color} is not on the screen"))?;
    }
    window.key("p")?;
    Ok(format!("{} bodies", frame["bodies"]))
}

/// Drags the first slider of the panel to its end. The hero then walks at the greatest speed.
fn tuning(window: &Window) -> Result<String, Fault> {
    window.key("Tab")?;
    let frame = window.settle()?;
    let slider: [f64; 4] = bounds(&frame, "slider")?;
    window.click("1", slider[2] - 1.0, (slider[1] + slider[3]) / 2.0)?;
    let frame = window.settle()?;
    window.shot("tuned")?;
    window.key("Tab")?;
    check(frame["walk_speed"] == 20.0, || format!("walks at {}", frame["walk_speed"]))?;
    Ok("walk_speed is 20".to_owned())
}

fn saving(window: &Window, surefoot: &Path) -> Result<PathBuf, Fault> {
    window.key("F5")?;
    let frame = window.wait("a saved run", |frame| frame["saved"].is_string())?;
    let file = PathBuf::from(frame["saved"].as_str().unwrap_or_default());
    let verified = Command::new(surefoot).arg("replay").arg(&file).output()?;
    check(verified.status.success(), || format!("{}: {}", file.display(), String::from_utf8_lossy(&verified.stdout)))?;
    Ok(file)
}

/// After a restart, the ghost of the saved run walks and the hero stays.
fn ghost(window: &Window) -> Result<String, Fault> {
    window.key("r")?;
    window.key("g")?;
    let frame = window.wait("the ghost to leave the hero", |frame| {
        let (Ok(ghost), Ok(hero)) = (bounds(frame, "ghost"), bounds(frame, "hero")) else { return false };
        (ghost[0] - hero[0]).abs() > 40.0
    })?;
    window.key("p")?;
    window.shot("ghost")?;
    window.key("p")?;
    Ok(format!("at tick {}", tick(&frame)))
}

fn drawing_times(window: &Window) -> Result<String, Fault> {
    let mut times: Vec<f64> = window.frames()?.iter().filter_map(|frame| frame["drawing_micros"].as_f64()).collect();
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    Ok(format!("{} of them, half within {:.0} us, all but 1 % within {:.0} us", times.len(), at(0.5), at(0.99)))
}

fn watch_replay(play: &Path, replay: &Path, folder: &Path) -> Result<String, Fault> {
    let window = Window::open(play, Some(replay), folder)?;
    let ticks = surefoot::replay::Replay::load(replay)?.ticks();
    let frame = window.wait("the end of the replay", |frame| frame["screen"] == "watch" && tick(frame) == ticks)?;
    check(frame["differs"].is_null(), || format!("it differs: {}", frame["differs"]))?;
    Ok(format!("{ticks} ticks"))
}

/// A replay with a slowed hero reports a divergence and outlines the expected position.
fn difference(play: &Path, replay: &Path, folder: &Path) -> Result<String, Fault> {
    let text = std::fs::read_to_string(replay)?;
    let damaged = folder.join("damaged.replay.ron");
    let slower = text.replacen("character: (", "character: (walk_speed: 7.0, ", 1);
    check(slower != text, || "no character in the replay".to_owned())?;
    std::fs::write(&damaged, slower)?;
    let window = Window::open(play, Some(&damaged), folder)?;
    let told =
        |frame: &Value| frame["differs"].is_u64() && frame["expected"].as_array().is_some_and(|all| !all.is_empty());
    window.wait("a difference", told)?;
    window.key("p")?;
    let (screen, frame) = window.shot("difference")?;
    let shown: Vec<[f64; 4]> = serde_json::from_value(frame["expected"].clone())?;
    let shown = *shown.first().ok_or("no body is outlined where it should be")?;

    // The replay has a checkpoint once a second, and the window compares the bodies with it. Get the expected state
    // from the undamaged run at the last checkpoint.
    let mut player = Playback::load(replay)?;
    let compared = tick(&frame) / 60 * 60;
    while player.world().tick() < compared && player.step().is_some() {}
    let hero = player.body("hero").and_then(|hero| player.world().get(hero)).ok_or("the run has no hero")?;
    let (at, half) = (hero.position().to_dvec2(), hero.shape().half_extents());
    let ((left, top), (right, bottom)) =
        (window_point(&frame, at.x - half.x, at.y + half.y)?, window_point(&frame, at.x + half.x, at.y - half.y)?);
    let error = shown.iter().zip([left, top, right, bottom]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    check(error < ROUNDING, || format!("outlined at {shown:?}; expected {left} {top} {right} {bottom}"))?;
    // The outline is dashed, so look for any pixel of its colour.
    let (columns, rows) = (left as usize..right as usize, top as usize - 2..bottom as usize + 2);
    let dashes = rows.flat_map(|y| columns.clone().map(move |x| (x, y))).any(|(x, y)| screen.at(x, y) == NIGHT.wall);
    check(dashes, || "the outline is not on the screen".to_owned())?;
    Ok(format!("after tick {}, outlined as at tick {compared}", frame["differs"]))
}
