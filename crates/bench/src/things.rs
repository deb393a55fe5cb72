//! Measures loading of maps with many placed things, next to the same rows without them.

use crate::load::best;
use crate::memory::Spent;
use crate::random::Random;
use crate::scene::Scene;

/// Number of things in each map, except in the maps with joined areas.
pub const THINGS: usize = 100_000;

/// Columns and rows.
pub const SIDE: usize = 1024;

/// Largest time of loading things, as a multiple of the time for the tiles alone.
const LIMIT: f64 = 2.0;

/// Maximum time of loading areas of 10^6 joined cells, in seconds.
const JOINED_SECONDS: f64 = 1.0;

/// The measured cost of a map with things.
#[derive(Clone, Debug)]
pub struct Placed {
    /// A description of the things.
    pub name: &'static str,
    /// Cost of reading the map from its text.
    pub map: Spent,
    /// Cost of reading the map and making a world with its things, which includes baking.
    pub world: Spent,
    /// Both costs for the same rows without the things.
    pub tiles: [Spent; 2],
    /// Whether the things are the cells of joined areas.
    pub is_joined: bool,
}

impl Placed {
    /// Returns both times as multiples of those of the tiles alone.
    #[must_use]
    pub fn times(&self) -> [f64; 2] {
        let seconds = |spent: Spent| spent.time.as_secs_f64();
        [seconds(self.map) / seconds(self.tiles[0]), seconds(self.world) / seconds(self.tiles[1])]
    }

    /// Returns the measured times if they exceed the promised limit.
    #[must_use]
    pub fn wrong(&self) -> Option<String> {
        let is_fine = match self.is_joined {
            true => self.world.time.as_secs_f64() <= JOINED_SECONDS,
            false => self.times()[1] <= LIMIT,
        };
        (!is_fine)
            .then(|| format!("things: {} take {:?}, {:.2} times the tiles", self.name, self.world, self.times()[1]))
    }
}

/// Loads maps of [`THINGS`] of each sort, and of 10^6 joined cells; `None` where this program cannot be run again.
#[must_use]
pub fn things(scene: &Scene) -> Option<Vec<Placed>> {
    let mut random = Random(1);
    let mut rows: Vec<Vec<char>> =
        (0..SIDE).map(|y| scene.rows[y % scene.rows.len()].chars().cycle().take(SIDE).collect()).collect();
    let mut free: Vec<(usize, usize)> =
        (0..SIDE * SIDE).map(|i| (i % SIDE, i / SIDE)).filter(|&(x, y)| rows[y][x] == '.').collect();
    for _ in 0..THINGS {
        let (x, y) = free.swap_remove(random.below(free.len() as u64) as usize);
        rows[y][x] = 'c';
    }
    // A side of 1000 makes 10^6 cells.
    let cells = |is_joined: &mut dyn FnMut(usize, usize) -> bool| -> Vec<Vec<char>> {
        (0..1000).map(|y| (0..1000).map(|x| if is_joined(x, y) { 'c' } else { '.' }).collect()).collect()
    };
    let joined = "(area: (tag: \"water\", join: true))";
    let maps = [
        ("areas", "(area: (tag: \"coin\", shape: Circle(0.35)))", false, rows.clone()),
        ("bodies", "(body: (kind: \"walker\", shape: Aabb(0.35, 0.45)))", false, rows.clone()),
        ("markers with properties", "(marker: (name: \"turret\", properties: {\"speed\": 6.0}))", false, rows),
        ("10^6 joined cells in one pool", joined, true, cells(&mut |_, _| true)),
        ("joined cells like a chessboard", joined, true, cells(&mut |x, y| (x + y) % 2 == 0)),
        ("joined cells, noise of 60 %", joined, true, cells(&mut |_, _| random.below(10) < 6)),
    ];
    maps.into_iter().map(|(name, thing, is_joined, rows)| measure(name, thing, is_joined, &rows)).collect()
}

fn measure(name: &'static str, thing: &str, is_joined: bool, rows: &[Vec<char>]) -> Option<Placed> {
    let lines: Vec<String> = rows.iter().map(|row| format!("r\"{}\"", row.iter().collect::<String>())).collect();
    let tiles = lines.join(",\n");
    let text = |legend: &str, tiles: &str| format!("Map(format: 1, legend: {{{legend}}}, tiles: [{tiles}])");
    let texts = [text("", &tiles.replace('c', ".")), text(&format!("'c': {thing}"), &tiles)];
    let file = std::env::temp_dir().join(format!("surefoot-bench-things-{}.ron", std::process::id()));
    let mut spent = Vec::new();
    for text in texts {
        std::fs::write(&file, text).ok()?;
        spent.push(best(["map", "world"], &file));
    }
    let _ = std::fs::remove_file(&file);
    let [tiles, [map, world]] = [spent[0]?, spent[1]?];
    Some(Placed { name, map, world, tiles, is_joined })
}
