//! Scripted user actions on levels that are made here: reach, names, levels of editors, and files that change.

use crate::Fault;
use crate::checks::{check, said, window_point};
use crate::window::Window;
use serde_json::Value;
use std::path::{Path, PathBuf};
use surefoot::Map;
use surefoot_draw::Palette;

const NIGHT: Palette = Palette::NIGHT;

/// A hall with a coin on the floor, one that is too high, and one that is walled in.
const HALL: &str = r#"Map(
    format: 1,
    border: (left: Solid, right: Solid, bottom: Solid),
    legend: {'c': (area: (tag: "coin", shape: Circle(0.4)))},
    tiles: [
        "........................",
        "...c....................",
        "........................",
        "..............####......",
        "..............#..#......",
        "..............#.c#......",
        ".@..c...*.....####......",
        ".#######################",
    ],
)"#;

/// Returns a level of Tiled of 24 x 6 cells. `wall`: column of a wall two cells high. Its tile 2 says nothing.
fn tmx(wall: usize) -> String {
    let rows = (0..6).map(|row| {
        let cell = |column: usize| match (row, column) {
            (5, _) => "1",
            (3 | 4, column) if column == wall => "1",
            (1, 20) => "2",
            _ => "0",
        };
        (0..24).map(cell).collect::<Vec<_>>().join(",")
    });
    format!(
        r#"<map version="1.10" orientation="orthogonal" width="24" height="6" tilewidth="16" tileheight="16">
 <tileset firstgid="1" name="cave" tilewidth="16" tileheight="16" tilecount="2" columns="2">
  <image source="cave.png" width="32" height="16"/>
  <tile id="0" type="walls"/>
 </tileset>
 <layer id="1" name="Ground" width="24" height="6"><data encoding="csv">{}</data></layer>
 <objectgroup id="2" name="things"><object id="1" type="player" x="24" y="72"><point/></object></objectgroup>
</map>"#,
        rows.collect::<Vec<_>>().join(",")
    )
}

pub(crate) fn all(play: &Path, folder: &Path) -> Result<(), Fault> {
    said("the rooms of the citadel are shown", rooms(play, folder)?);
    said("the reach follows each edit", reach(play, folder)?);
    said("a thing gets the typed name", names(play, folder)?);
    said("a level of Tiled is played and saved beside it", level(play, folder)?);
    said("a level that cannot be read says why", broken_level(play, folder)?);
    said("a saved file changes the level that is played", change_watched_level(play, folder)?);
    Ok(())
}

/// Takes a picture in the middle of each room of the citadel: the start of the map is moved to a checkpoint there.
fn rooms(play: &Path, folder: &Path) -> Result<String, Fault> {
    let file = Path::new("examples/citadel/map.ron");
    let (map, text) = (Map::load(file)?, std::fs::read_to_string(file)?);
    let placed = |tag: &'static str| {
        map.areas().iter().filter(move |area| area.tag == tag).filter_map(|area| Some((area, area.position.ok()?)))
    };
    let mut names = Vec::new();
    for (i, (room, corner)) in placed("room").enumerate() {
        let (low, high) = room.shape.bounds_tiles();
        let middle = corner.to_dvec2() + (low + high) / 2.0;
        let checkpoints = placed("checkpoint").map(|(_, at)| at.to_dvec2());
        let nearest = checkpoints.min_by(|a, b| a.distance(middle).total_cmp(&b.distance(middle)));
        let at = nearest.ok_or("the citadel has no checkpoint")?.floor();
        let copy = folder.join(format!("room_{}.ron", i + 1));
        std::fs::write(&copy, move_start_in_text(&text, &map, (at.x as usize, at.y as usize)).ok_or("no such cell")?)?;
        let window = Window::open(play, Some(&copy), folder)?;
        window.key("p")?;
        let (_, frame) = window.shot(&format!("room_{}", i + 1))?;
        let hero: [f64; 4] = serde_json::from_value(frame["hero"].clone())?;
        let expected = window_point(&frame, at.x + 0.5, at.y)?;
        let error = (expected.0 - (hero[0] + hero[2]) / 2.0).abs();
        check(error < 1.0, || format!("{error} pixels from the checkpoint of {}", room.name))?;
        names.push(room.name.clone());
    }
    Ok(names.join("; "))
}

/// Returns the text of a map whose start is in another cell.
fn move_start_in_text(text: &str, map: &Map, (x, y): (usize, usize)) -> Option<String> {
    let (before, rows) = text.split_once("tiles: [\n")?;
    let mut rows: Vec<Vec<char>> = rows.replace('@', ".").lines().map(|line| line.chars().collect()).collect();
    let row = rows.get_mut((map.size().1 as usize).checked_sub(y + 1)?)?;
    let first = row.iter().position(|&symbol| symbol == '"')? + 1;
    *row.get_mut(first + x)? = '@';
    let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
    Some(format!("{before}tiles: [\n{}\n", rows.join("\n")))
}

fn words(frame: &Value) -> &str {
    frame["reach"].as_str().unwrap_or_default()
}

/// Chooses a brush by its name.
fn choose(window: &Window, name: &str) -> Result<(), Fault> {
    let brushes: Vec<[f64; 2]> = serde_json::from_value(window.settle()?["brushes"].clone())?;
    // The eraser and the 96 shapes come first. Try the eraser, the full block, and then all things.
    let shapes = 97;
    let order = brushes.iter().take(2).chain(brushes.iter().skip(shapes));
    for [x, y] in order {
        window.click("1", *x, *y)?;
        if window.settle()?["brush"] == name {
            return Ok(());
        }
    }
    Err(format!("no brush is named {name:?}").into())
}

fn place(window: &Window, button: &str, x: f64, y: f64) -> Result<(), Fault> {
    let (x, y) = window_point(&window.settle()?, x, y)?;
    window.click(button, x, y)
}

fn reach(play: &Path, folder: &Path) -> Result<String, Fault> {
    let file = folder.join("hall.ron");
    std::fs::write(&file, HALL)?;
    let window = Window::open(play, Some(&file), folder)?;
    window.key("p")?;
    let (before, frame) = window.shot("before_reach")?;
    // `free` is the middle of a cell that the hero reaches, `walled` that of the cell between walls.
    let (free, walled) = (window_point(&frame, 11.5, 1.5)?, window_point(&frame, 15.5, 2.5)?);
    window.key("f")?;
    let found = |frame: &Value, text: &str| words(frame).contains(text) && !words(frame).contains("searching");
    let frame = window.wait("a run to the goal", |frame| found(frame, "goal reachable"))?;
    check(words(&frame).contains("coin 1 of 3, 2 unreachable"), || words(&frame).to_owned())?;
    let (shown, _) = window.shot("reach")?;
    let at = |screen: &crate::screen::Screen, (x, y): (f64, f64)| screen.at(x as usize, y as usize);
    check(at(&before, free) != at(&shown, free), || "a reached cell is not shaded".to_owned())?;
    check(at(&before, walled) == at(&shown, walled), || "a walled cell is shaded".to_owned())?;
    check(shown.bounds_of(NIGHT.unreachable, 36).is_some(), || "no cross is on the screen".to_owned())?;
    window.key("b")?;
    choose(&window, "full_block")?;
    for (x, y) in [(7.5, 1.5), (7.5, 2.5), (8.5, 2.5), (9.5, 2.5), (9.5, 1.5)] {
        place(&window, "1", x, y)?;
    }
    let frame = window.wait("no way to the goal", |frame| found(frame, "goal unreachable"))?;
    window.shot("goal_unreachable")?;
    let after = words(&frame).to_owned();
    place(&window, "3", 9.5, 1.5)?;
    window.wait("the run again", |frame| found(frame, "goal reachable"))?;
    Ok(after)
}

fn names(play: &Path, folder: &Path) -> Result<String, Fault> {
    let file = folder.join("hall.ron");
    let window = Window::open(play, Some(&file), folder)?;
    window.key("b")?;
    choose(&window, "c: area coin")?;
    window.type_key("e")?;
    for letter in ["k", "e", "y", "space", "x", "BackSpace", "1"] {
        window.type_key(letter)?;
    }
    let typed = window.settle()?["typed"].clone();
    window.shot("typed_name")?;
    check(typed == "key 1", || format!("typed: {typed}"))?;
    window.key("Return")?;
    place(&window, "1", 6.5, 3.5)?;
    choose(&window, "area of a name: E types it")?;
    window.type_key("e")?;
    for letter in ["c", "a", "v", "e", "Return"] {
        window.type_key(letter)?;
    }
    place(&window, "1", 11.5, 2.5)?;
    window.key("F6")?;
    let frame = window.wait("a saved map", |frame| frame["saved"].is_string())?;
    window.shot("named")?;
    let saved = PathBuf::from(frame["saved"].as_str().unwrap_or_default());
    let map = Map::load(&saved)?;
    for name in ["key 1", "cave"] {
        check(map.areas().iter().any(|area| area.name == name), || format!("no area {name:?} in {}", saved.display()))?;
    }
    Ok("key 1, cave".to_owned())
}

fn level(play: &Path, folder: &Path) -> Result<String, Fault> {
    let file = folder.join("cave.tmx");
    std::fs::write(&file, tmx(12))?;
    let window = Window::open(play, Some(&file), folder)?;
    let frame = window.wait("the list of what is left out", |frame| !frame["notes"][0].is_null())?;
    let note = frame["notes"][0].as_str().unwrap_or_default().to_owned();
    check(note.contains("left out 1 time") && note.contains("column 20, row 4 "), || note.clone())?;
    window.shot("left_out")?;
    window.key("Escape")?;
    window.wait("the level", |frame| frame["notes"][0].is_null() && frame["screen"] == "play")?;
    window.shot("level")?;
    window.key("F6")?;
    let frame = window.wait("a saved map", |frame| frame["saved"].is_string())?;
    let saved = frame["saved"].as_str().unwrap_or_default().to_owned();
    check(saved.ends_with("cave-1.ron") && std::fs::read_to_string(&file)? == tmx(12), || saved.clone())?;
    Ok(note)
}

fn broken_level(play: &Path, folder: &Path) -> Result<String, Fault> {
    let file = folder.join("broken.tmx");
    std::fs::write(&file, &tmx(12)[..400])?;
    let window = Window::open(play, Some(&file), folder)?;
    let frame = window.wait("the error", |frame| frame["notice"].is_string())?;
    window.shot("broken_level")?;
    let notice = frame["notice"].as_str().unwrap_or_default().to_owned();
    check(notice.contains("broken.tmx cannot be opened: line 1") && frame["screen"] == "menu", || notice.clone())?;
    Ok(notice)
}

fn change_watched_level(play: &Path, folder: &Path) -> Result<String, Fault> {
    let file = folder.join("watched.tmx");
    std::fs::write(&file, tmx(12))?;
    let window = Window::open_with(play, Some(&file), &["--watch"], folder)?;
    window.key("Escape")?;
    let frame = window.settle()?;
    let color = |window: &Window, name: &str, at: (f64, f64)| -> Result<_, Fault> {
        let (screen, _) = window.shot(name)?;
        Ok(screen.at(at.0 as usize, at.1 as usize))
    };
    let (old, new) = (window_point(&frame, 12.5, 2.5)?, window_point(&frame, 16.5, 2.5)?);
    check(color(&window, "before_change", old)? == NIGHT.solid, || "no wall".to_owned())?;
    // Many editors write a new file and rename it, so do the same.
    std::fs::write(folder.join("watched.new"), tmx(16))?;
    std::fs::rename(folder.join("watched.new"), &file)?;
    window.wait("the change", |frame| frame["notice"].as_str().is_some_and(|notice| notice.contains("has changed")))?;
    let changed = (color(&window, "changed", old)?, color(&window, "changed", new)?);
    check(changed.1 == NIGHT.solid && changed.0 != NIGHT.solid, || format!("{}, {}", changed.0, changed.1))?;
    std::fs::write(&file, &tmx(8)[..500])?;
    let frame = window.wait("the error of half a file", |frame| frame["broken"].is_string())?;
    check(color(&window, "half_written", new)? == NIGHT.solid, || "the old level is gone".to_owned())?;
    let error = frame["broken"].as_str().unwrap_or_default().to_owned();
    std::fs::write(&file, tmx(8))?;
    window.wait("the whole file", |frame| frame["broken"].is_null())?;
    Ok(error)
}
