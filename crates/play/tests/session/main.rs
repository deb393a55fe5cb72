//! Tests sessions like the game uses them: time in both directions, files, ghosts, and frames of any length.

mod frames;
mod levels;
mod maps;
mod replays;
mod rewind;
mod rules;
mod thrown;
mod watch;

use std::fs;
use std::path::{Path, PathBuf};
use surefoot::catalogue::VariantId;
use surefoot::map::Map;
use surefoot::world::World;
use surefoot_play::{Held, Session};

/// Duration of a tick in seconds.
const TICK: f64 = 1.0 / 60.0;

/// A hall with some of every kind of tile, and free space.
const HALL: &str = "Map(format: 1, border: (left: Solid, right: Solid, bottom: Solid), tiles: [
    r\"#................................#\",
    r\"#................................#\",
    r\"#.......----.........===.........#\",
    r\"#................................#\",
    r\"#..@.........1234.........../\\...#\",
    r\"##################################\",
])";

fn hall() -> Session {
    Session::play(Map::from_ron(HALL).unwrap(), None)
}

/// A temporary folder with a folder `sub`. Deleted on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("surefoot-play-{}-{name}", std::process::id()));
        fs::create_dir_all(path.join("sub")).unwrap();
        Folder(path)
    }

    /// Returns the path of a file in the folder.
    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Copies a shipped map into the folder.
    fn copy(&self, map: &str) -> PathBuf {
        let path = self.at(map);
        fs::copy(shipped(map), &path).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the path of a shipped map file.
fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps").join(name)
}

/// Returns the keys held in a tick of a run: walks back and forth, jumps sometimes, ducks.
fn script(tick: u64) -> Held {
    Held {
        left: tick / 50 % 3 == 2,
        right: tick / 50 % 3 != 2,
        jump: tick % 40 > 33,
        down: tick % 97 > 90,
        up: tick % 31 == 7,
        dash: tick % 71 == 11,
    }
}

/// Steps exactly one tick of a paused session.
fn tick(session: &mut Session, held: Held) {
    let before = session.world().tick();
    session.step_if_paused(held);
    assert_eq!(session.world().tick(), before + 1);
}

fn paused(mut session: Session) -> Session {
    session.toggle_pause();
    session
}

/// Rewinds to a tick.
fn rewind_to(session: &mut Session, tick: u64) {
    session.set_rewinding(true);
    let mut frames = 0;
    while session.world().tick() > tick {
        let before = session.world().tick();
        session.advance(TICK, Held::default());
        assert!(before - session.world().tick() <= 1, "one tick in a tick's time");
        frames += 1;
        assert!(frames <= Session::REWIND + 1, "there is no way back to {tick}");
    }
    session.set_rewinding(false);
}

fn variant(session: &Session, name: &str) -> VariantId {
    session.world().map().catalogue().find_variant(name).unwrap()
}

/// Returns the variant of each tile of a world, layer by layer, and whether it can be dropped through.
fn tiles(world: &World) -> Vec<Option<(String, bool)>> {
    let map = world.map();
    let ((left, bottom), (width, height)) = (map.origin(), map.size());
    let mut tiles = Vec::new();
    for layer in 0..map.layers().len() {
        for y in bottom..bottom + height as i32 {
            for x in left..left + width as i32 {
                let entry = map.kind(world.tile_at(layer, (x, y)).unwrap()).unwrap();
                tiles.push(entry.variant.map(|variant| (map.catalogue().variant_name(variant), entry.drop_through)));
            }
        }
    }
    tiles
}
