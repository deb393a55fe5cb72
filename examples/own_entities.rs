//! Move-and-slide without a world, for a game that keeps its own entities.

use surefoot::Map;
use surefoot::motion::{MoverCache, Obstacles};
use surefoot::prelude::*;

/// An enemy of the game: walks back and forth, and turns at walls and at obstacles.
struct Crawler {
    position: Position,
    shape: Shape,
    /// Tiles per tick, to the right if positive.
    speed: f64,
    falling: f64,
    /// Cache of the enemy's surroundings: makes calls faster. Does not affect results.
    memory: MoverCache,
}

impl Crawler {
    fn tick(&mut self, mover: &Mover<'_>) {
        let mut mover = mover.with_cache(&mut self.memory);
        if mover.touching(self.shape, self.position).touching.floor {
            self.falling = 0.0;
            let walked = mover.walk(self.shape, self.position, self.speed);
            let ahead = if self.speed > 0.0 { walked.touching.wall_right } else { walked.touching.wall_left };
            if ahead {
                self.speed = -self.speed;
            }
            self.position = walked.position;
        } else {
            self.falling += 0.01;
            self.position = mover.slide(self.shape, self.position, (0.0, -self.falling)).position;
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rows = ["#............#", "#............#", "#....1234....#", "##############"];
    let rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    let map = Map::from_ron(&format!("Map(format: 1, tiles: [{}])", rows.join(", ")))?;
    let terrain = Terrain::bake(&map);
    // The game owns two chests: one on the floor before the right wall, and one in the air.
    let mut obstacles = Obstacles::default();
    let chest = obstacles.add_body(Shape::aabb(0.4, 0.4), Position::new(11.5, 1.4)?)?;
    obstacles.add_body(Shape::aabb(0.4, 0.4), Position::new(6.5, 3.5)?)?;
    let (position, shape, memory) = (Position::new(3.0, 2.5)?, Shape::circle(0.3), MoverCache::default());
    let mut crawler = Crawler { position, shape, speed: 0.08, falling: 0.0, memory };

    let (mut turns, mut airborne, mut furthest) = (0, 0, 0.0_f64);
    for tick in 0..1200 {
        if tick == 600 {
            // The player removes the chest.
            obstacles.remove_body(chest);
        }
        let mover = Mover::new(&terrain).with_obstacles(&obstacles);
        let before = crawler.speed;
        crawler.tick(&mover);
        furthest = furthest.max(crawler.position.to_dvec2().x);
        assert!(tick >= 600 || furthest < 10.9, "it turns at the chest, whose side is at 11.1");
        turns += u32::from(before * crawler.speed < 0.0);
        airborne += u32::from(tick > 60 && !mover.touching(crawler.shape, crawler.position).touching.floor);
    }
    println!("{turns} turns at walls, {airborne} ticks off the floor, now at {}", crawler.position);
    assert!(turns >= 4 && airborne == 0, "it keeps to the floor over the hill and turns at walls and at the chest");
    assert!(furthest > 12.0, "without the chest it comes to the wall");
    Ok(())
}
