//! Distances to walls and ledges. In the open a search holds its inputs longer, because it has less to decide there.

use crate::distance::fills_tile;
use surefoot::World;
use surefoot::catalogue::PatternKind;
use surefoot::geometry::DVec2;

/// Greatest distance that is stored, in tiles.
const MAX_TILES: u8 = 16;
/// Maximum number of tiles of a map, each a byte.
const MAX_MAP_TILES: usize = 1 << 22;

/// Distance of each tile of a map to the nearest wall, end of a floor, or moving platform.
///
/// It decides for how long inputs are held. Slopes and level floors are no obstacles. Tiles that a game edits later
/// count as they were.
pub(crate) struct Clearance {
    origin: (i32, i32),
    size: (usize, usize),
    /// Distances in tiles, row by row. Diagonal neighbours are 1 tile apart.
    tiles: Vec<u8>,
}

impl Clearance {
    /// Measures the distances. `boxes`: where platforms may be, as corners in tiles. On a map of more than `max_bytes`
    /// tiles, everything counts as near.
    pub(crate) fn new(world: &World, boxes: impl Iterator<Item = (DVec2, DVec2)>, max_bytes: usize) -> Clearance {
        let (origin, size) = (world.map().origin(), world.map().size());
        let size = (size.0 as usize, size.1 as usize);
        if size.0.saturating_mul(size.1) > max_bytes.min(MAX_MAP_TILES) {
            return Clearance { origin, size: (0, 0), tiles: Vec::new() };
        }
        let mut clearance = Clearance { origin, size, tiles: vec![MAX_TILES; size.0 * size.1] };
        clearance.mark_walls(world);
        for (low, high) in boxes {
            clearance.mark_box_as_obstacle(low, high);
        }
        clearance.spread_distances();
        clearance
    }

    /// Returns the memory in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.tiles.len()
    }

    /// Returns the distance from a point to the nearest obstacle, in whole tiles. 0 outside of the map.
    pub(crate) fn distance_at(&self, point: DVec2) -> u8 {
        let (x, y) = (point.x.floor() - f64::from(self.origin.0), point.y.floor() - f64::from(self.origin.1));
        let is_inside = x >= 0.0 && y >= 0.0 && x < self.size.0 as f64 && y < self.size.1 as f64;
        if is_inside { self.tiles[y as usize * self.size.0 + x as usize] } else { 0 }
    }

    /// Marks full blocks, one-way tiles and thin walls next to an empty tile, and the columns at both ends of the map.
    fn mark_walls(&mut self, world: &World) {
        let map = world.map();
        let variants = map.catalogue().variants();
        // `Some(true)`: a full block, a one-way tile or a thin wall. With an empty tile beside it, such a tile is a
        // wall or the end of a floor. `Some(false)`: any other solid, such as a slope. `None`: no collision.
        let kinds = map.kinds().iter().map(|kind| {
            let variant = kind.variant.and_then(|id| variants.get(usize::from(id.0)));
            variant.map(|variant| variant.kind != PatternKind::Solid || fills_tile(variant))
        });
        let kinds: Vec<Option<bool>> = kinds.collect();
        for (layer, _) in map.layers().iter().enumerate().filter(|(_, layer)| layer.collides) {
            let kind = |x: usize, y: usize| {
                let id = world.tile_at(layer, (self.origin.0 + x as i32, self.origin.1 + y as i32))?;
                *kinds.get(usize::from(id.0))?
            };
            for y in 0..self.size.1 {
                for x in 1..self.size.0.saturating_sub(1) {
                    let is_end = kind(x, y) == Some(true) && (kind(x - 1, y).is_none() || kind(x + 1, y).is_none());
                    if is_end {
                        self.tiles[y * self.size.0 + x] = 0;
                    }
                }
            }
        }
        for row in self.tiles.chunks_mut(self.size.0.max(1)) {
            row[0] = 0;
            row[self.size.0 - 1] = 0;
        }
    }

    fn mark_box_as_obstacle(&mut self, low: DVec2, high: DVec2) {
        let clamp = |at: f64, origin: i32, size: usize| (at - f64::from(origin)).clamp(0.0, size as f64) as usize;
        let (left, right) =
            (clamp(low.x.floor(), self.origin.0, self.size.0), clamp(high.x.ceil(), self.origin.0, self.size.0));
        let (bottom, top) =
            (clamp(low.y.floor(), self.origin.1, self.size.1), clamp(high.y.ceil(), self.origin.1, self.size.1));
        for row in self.tiles.chunks_mut(self.size.0.max(1)).take(top).skip(bottom) {
            row[left..right].fill(0);
        }
    }

    /// Gives each tile the distance to the nearest tile of distance 0: once forwards and once backwards over the rows.
    fn spread_distances(&mut self) {
        let (width, height) = self.size;
        for y in 0..height {
            for x in 0..width {
                self.lower_distance_by_neighbours(x, y, [(-1, 0), (-1, -1), (0, -1), (1, -1)]);
            }
        }
        for y in (0..height).rev() {
            for x in (0..width).rev() {
                self.lower_distance_by_neighbours(x, y, [(1, 0), (1, 1), (0, 1), (-1, 1)]);
            }
        }
    }

    fn lower_distance_by_neighbours(&mut self, x: usize, y: usize, neighbours: [(isize, isize); 4]) {
        for (dx, dy) in neighbours {
            let (Some(column), Some(row)) = (x.checked_add_signed(dx), y.checked_add_signed(dy)) else { continue };
            if column < self.size.0 && row < self.size.1 {
                let near = self.tiles[row * self.size.0 + column].saturating_add(1);
                let own = &mut self.tiles[y * self.size.0 + x];
                *own = near.min(*own);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::Map;
    use surefoot::prelude::Settings;

    /// The step at column 20 is a wall. The floor before it has no end but that of the map.
    #[test]
    fn distances_are_those_to_the_nearest_wall() {
        let floor = "#".repeat(40);
        let step = format!("{}{}", ".".repeat(20), "#".repeat(20));
        let air = ".".repeat(40);
        let map = Map::from_rows([&air, &air, &step, &floor].map(String::as_str)).unwrap();
        let world = World::new(map, Settings::default());
        let clearance = Clearance::new(&world, [(DVec2::new(30.0, 3.0), DVec2::new(31.0, 4.0))].into_iter(), 160);
        let at = |x: f64, y: f64| clearance.distance_at(DVec2::new(x, y));
        // Distances count columns: to the wall at x = 20, to the end of the map at x = 0, and to the box at x = 30.
        assert_eq!((at(12.5, 1.5), at(12.5, 3.5), at(4.5, 1.5)), (8, 8, 4));
        assert_eq!((at(26.5, 3.5), at(30.5, 2.5), at(30.5, 3.5)), (4, 1, 0));
        assert_eq!((at(-1.0, 1.5), at(12.5, 9.0)), (0, 0));
    }
}
