//! Games that watch real files, driven frame by frame.

use crate::controls::{Action, Controls};
use crate::game::Game;
use crate::{Report, Size};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use surefoot::map::Map;

const SIZE: Size = Size { width: 1280.0, height: 800.0 };
const FLAT: [&str; 3] = ["........", ".@......", "########"];
const STEP: [&str; 3] = ["........", ".@....##", "########"];
/// Longest wait for a change, for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A game that watches a level in a folder of its own.
struct Watched {
    game: Game,
    folder: PathBuf,
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn text(rows: [&str; 3]) -> String {
    Map::from_rows(rows).expect("a map").to_ron()
}

impl Watched {
    fn new(name: &str, file: &str, text: &str) -> Watched {
        let folder = std::env::temp_dir().join(format!("surefoot-play-watch-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(file), text).expect("a file");
        let mut game = Game::new(&[], Some(folder.clone()));
        game.watch_files();
        game.open(&folder.join(file)).expect("a level");
        Watched { game, folder }
    }

    /// Replaces a file at once, so that no part of it is seen.
    fn write(&self, name: &str, text: &str) {
        let new = self.folder.join("written.new");
        fs::write(&new, text).expect("a file");
        fs::rename(new, self.folder.join(name)).expect("a rename");
    }

    /// Plays a frame in which these keys go down.
    fn act(&mut self, actions: &[Action]) -> Report {
        let controls = Controls { actions: actions.to_vec(), ..Controls::default() };
        self.game.play_frame(1.0 / 60.0, &controls, SIZE);
        Report::of(&self.game, 0.0)
    }

    /// Plays frames until one is as wanted.
    fn play_until(&mut self, what: &str, wanted: impl Fn(&Report) -> bool) -> Report {
        let begin = Instant::now();
        loop {
            let report = self.act(&[]);
            if wanted(&report) {
                return report;
            }
            assert!(begin.elapsed() < PATIENCE, "{what} does not come");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn play_until_loaded(&mut self) -> Report {
        self.play_until("the new level", |report| {
            report.notice.as_deref().is_some_and(|words| words.contains("changed"))
        })
    }

    /// Returns whether the running world has a block in a cell.
    fn is_block(&self, tile: (i32, i32)) -> bool {
        let world = self.game.open.as_ref().expect("a level").session.world();
        world.tile_at(0, tile).is_some_and(|id| world.map().kind(id).is_some_and(|kind| kind.variant.is_some()))
    }
}

#[test]
fn changed_tiles_edit_the_running_level_and_changed_things_keep_the_bodies() {
    let mut watched = Watched::new("tiles", "level.ron", &text(FLAT));
    for _ in 0..20 {
        watched.act(&[]);
    }
    let before = watched.act(&[]);
    watched.write("level.ron", &text(STEP));
    let edited = watched.play_until_loaded();
    assert!(watched.is_block((6, 1)) && watched.is_block((7, 1)) && !watched.is_block((5, 1)));
    assert!(edited.world.tick > before.world.tick, "the run goes on");
    assert_eq!(edited.scene.hero, before.scene.hero);
    // The changed file also places a body. An edit of the running world can only change tiles, so a new run begins. The
    // hero stays at its position.
    let legend = "legend: {'w': (body: (kind: \"walker\", shape: Aabb(0.35, 0.45), character: ()))}";
    watched.write("level.ron", &format!("Map(format: 1, {legend}, tiles: [\"....w...\", \".@....##\", \"########\"])"));
    let rebuilt = watched.play_until("the walker", |report| report.world.bodies > before.world.bodies);
    assert!(rebuilt.world.tick < edited.world.tick && rebuilt.world.bodies == before.world.bodies + 1);
    assert_eq!(rebuilt.scene.hero, before.scene.hero);
}

#[test]
fn a_half_written_file_keeps_the_old_level_and_shows_the_error() {
    let mut watched = Watched::new("half", "level.ron", &text(FLAT));
    let whole = text(STEP);
    watched.write("level.ron", &whole[..whole.len() / 2]);
    let report = watched.play_until("the error", |report| report.broken.is_some());
    let words = "level.ron is not loaded, the level from before goes on: line ";
    assert!(report.broken.expect("an error").starts_with(words));
    assert!(!watched.is_block((6, 1)) && watched.is_block((6, 0)));
    watched.write("level.ron", &whole);
    watched.play_until("the whole file", |report| report.broken.is_none());
    assert!(watched.is_block((6, 1)));
}

/// The title names the saved map, so that map is watched, and no longer the file that was opened.
#[test]
fn a_saved_map_is_watched_in_place_of_the_opened_file() {
    let level = r#"<map orientation="orthogonal" width="8" height="3" tilewidth="16" tileheight="16">
        <tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="1"><tile id="0" type="walls"/></tileset>
        <layer name="ground" width="8" height="3"><data encoding="csv">
        0,0,0,0,0,0,0,0, 0,0,0,0,0,0,0,0, 1,1,1,1,1,1,1,1</data></layer></map>"#;
    for (name, file, text) in [("saved", "level.ron", &*text(FLAT)), ("saved_level", "level.tmx", level)] {
        let mut watched = Watched::new(name, file, text);
        // The error of the opened file must not be shown for the saved map.
        watched.write(file, "<");
        watched.play_until("the error", |report| report.broken.is_some());
        let report = watched.act(&[Action::SaveMap]);
        assert_eq!(report.broken, None, "{file}");
        let saved = report.saved.expect("a saved map");
        assert!(report.notice.expect("a notice").ends_with("; the window watches it from now on"), "{file}");
        // The opened file gets a step in column 3, and the saved one in column 6.
        watched.write(file, &text.replace("........", "...#....").replace("0,0,0,1", "0,1,0,1"));
        let map = fs::read_to_string(&saved).expect("a file");
        let upper = map.find("........").expect("the upper row");
        let name = Path::new(&saved).file_name().expect("a name").to_string_lossy().into_owned();
        watched.write(&name, &[&map[..upper], "......#.", &map[upper + 8..]].concat());
        watched.play_until_loaded();
        assert!(watched.is_block((6, 2)) && !watched.is_block((3, 2)), "{file}");
    }
}
