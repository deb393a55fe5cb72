//! Estimated distance to the goal. It comes from a flood fill that starts at each target and spreads through free
//! cells. With the rules of a game, which may open walls, the fill then also spreads through solid cells, at a high
//! cost.
//!
//! The flood fill ignores gravity, so the estimate only guides the search and proves nothing.

use glam::DVec2;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use surefoot::World;
use surefoot::catalogue::{PatternKind, Variant};
use surefoot::map::Border;
use surefoot::prelude::Shape;

/// Cost of a step to a side neighbour and to a diagonal neighbour, in sixteenths of a cell.
const STRAIGHT: u32 = 16;
const DIAGONAL: u32 = 23;
/// Additional cost of a step into a cell that is solid at present, but that the game may open. It is high, so that the
/// way leads through few of them.
const THROUGH: u32 = 40 * STRAIGHT;
/// Steps to the eight neighbours of a cell.
const NEIGHBOURS: [(i32, i32); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];
/// Number of cells around the map that the flood fill includes, because the way may lead around the upper corners of
/// the map.
const MARGIN: i32 = 8;
/// Maximum number of cells. Larger maps get larger cells.
const MAX_CELLS: i64 = 1 << 22;
/// Memory of a cell during a flood fill, in bytes: its cost, and its entry in the queue.
const CELL_BYTES: usize = 32;
const UNREACHED: u32 = u32::MAX;

/// Bit of a solid cell: the centre of the body cannot be in it.
const SOLID: u8 = 1;
/// Bits of the sides of a cell that a tile covers, such as the lower side of a spike. No body passes these sides.
const LEFT: u8 = 2;
const RIGHT: u8 = 4;
const BOTTOM: u8 = 8;
const TOP: u8 = 16;

/// The cells over a map and its surroundings, each a square of `1 << shift` tiles.
pub(crate) struct Grid {
    low: (i32, i32),
    size: (i32, i32),
    shift: u32,
    /// Bits of each cell: [`SOLID`], and the covered sides.
    walls: Vec<u8>,
    /// Whether the game may open solid tiles. Where no free way leads, a way through them then has a high cost.
    may_open: bool,
}

/// Distance from each cell to the nearest target of a flood fill.
pub(crate) struct Field {
    costs: Vec<u32>,
    /// The first target, a box in tiles.
    target: (DVec2, DVec2),
    /// Whether the flood fill had only this target.
    is_single: bool,
}

impl Grid {
    /// Creates the cells of a world for a body of that shape. A flood fill takes at most about `max_memory` bytes.
    pub(crate) fn new(world: &World, shape: Shape, may_open: bool, max_memory: usize) -> Grid {
        let max_cells = ((max_memory / CELL_BYTES) as i64).clamp(1024, MAX_CELLS);
        let (origin, size) = (world.map().origin(), world.map().size());
        let mut shift = 0;
        let cells = |tiles: u32, shift: u32| (i64::from(tiles) >> shift) + 1 + 2 * i64::from(MARGIN);
        while cells(size.0, shift) * cells(size.1, shift) > max_cells {
            shift += 1;
        }
        let low = ((origin.0 >> shift) - MARGIN, (origin.1 >> shift) - MARGIN);
        let size = (cells(size.0, shift) as i32, cells(size.1, shift) as i32);
        let mut grid = Grid { low, size, shift, walls: vec![0; size.0 as usize * size.1 as usize], may_open };
        if shift == 0 {
            grid.mark_solid_cells(world, shape);
        }
        grid.mark_solid_borders(world);
        // A body that falls out of the map does not come back, so no path leads below the map. With rules of a game, it
        // might.
        if !may_open && is_gravity_down_everywhere(world) {
            grid.walls[..size.0 as usize * MARGIN as usize].fill(SOLID);
        }
        grid
    }

    /// Marks the cells in which the centre of the body cannot be, and the sides that tiles cover.
    fn mark_solid_cells(&mut self, world: &World, shape: Shape) {
        let map = world.map();
        let variants = map.catalogue().variants();
        let fills = |kind: &surefoot::map::TileKind| {
            kind.variant.and_then(|id| variants.get(usize::from(id.0))).is_some_and(fills_tile)
        };
        let full: Vec<bool> = map.kinds().iter().map(fills).collect();
        let covered = |kind: &surefoot::map::TileKind| {
            kind.variant.and_then(|id| variants.get(usize::from(id.0))).map_or(0, covered_side_bits)
        };
        let covered: Vec<u8> = map.kinds().iter().map(covered).collect();
        // The centre of the body cannot be in the cell of a full tile. If half the body's width is more than one tile,
        // its centre cannot be in the cells to the left and right either: from anywhere in them, the body overlaps the
        // tile. The same holds for its height. `dx` and `dy`: number of cells on each side of a full tile that this
        // rules out.
        let half = shape.half_extents();
        let reach = |half: f64| (half.ceil() as i32 - 1).clamp(0, 64);
        let (dx, dy) = (reach(half.x), reach(half.y));
        for (layer, _) in map.layers().iter().enumerate().filter(|(_, layer)| layer.collides) {
            for y in 0..self.size.1 {
                for x in 0..self.size.0 {
                    let tile = world.tile_at(layer, (x + self.low.0, y + self.low.1));
                    let Some(kind) = tile.map(|id| usize::from(id.0)) else { continue };
                    self.walls[(y * self.size.0 + x) as usize] |= covered.get(kind).copied().unwrap_or(0);
                    if full.get(kind) != Some(&true) {
                        continue;
                    }
                    for y in (y - dy).max(0)..=(y + dy).min(self.size.1 - 1) {
                        for x in (x - dx).max(0)..=(x + dx).min(self.size.0 - 1) {
                            self.walls[(y * self.size.0 + x) as usize] |= SOLID;
                        }
                    }
                }
            }
        }
    }

    /// Marks the cells beyond the solid borders of the map.
    fn mark_solid_borders(&mut self, world: &World) {
        let borders = world.terrain().borders();
        let [left, right, bottom, top] =
            [borders.left, borders.right, borders.bottom, borders.top].map(|border| border == Border::Solid);
        let ((x, y), (width, height)) = (world.map().origin(), world.map().size());
        // The first cells beyond the right and the upper border.
        let end = |origin: i32, tiles: u32| ((i64::from(origin) + i64::from(tiles) - 1) >> self.shift) as i32 + 1;
        let end = (end(x, width) - self.low.0, end(y, height) - self.low.1);
        for (row, cells) in self.walls.chunks_mut(self.size.0 as usize).enumerate() {
            if bottom && (row as i32) < MARGIN || top && row as i32 >= end.1 {
                cells.fill(SOLID);
            }
            if left {
                cells[..MARGIN as usize].fill(SOLID);
            }
            if right {
                cells[end.0 as usize..].fill(SOLID);
            }
        }
    }

    /// Returns the memory of the cells and of `floods` flood fills, in bytes. The queue of a flood fill does not count:
    /// it is free before the search begins.
    pub(crate) fn memory_bytes_with(&self, floods: usize) -> usize {
        self.walls.len() * (size_of::<u8>() + floods * size_of::<u32>())
    }

    /// Returns the cell at a point, or the nearest one.
    fn nearest_cell(&self, at: DVec2) -> (i32, i32) {
        let scale = f64::from(1u32 << self.shift);
        let x = (at.x / scale).floor() as i32;
        let y = (at.y / scale).floor() as i32;
        (x.saturating_sub(self.low.0).clamp(0, self.size.0 - 1), y.saturating_sub(self.low.1).clamp(0, self.size.1 - 1))
    }

    fn cell_index(&self, (x, y): (i32, i32)) -> usize {
        y as usize * self.size.0 as usize + x as usize
    }

    /// Runs a flood fill from some targets, which are boxes in tiles.
    pub(crate) fn flood_from_targets(&self, targets: &[(DVec2, DVec2)]) -> Field {
        let mut costs = vec![UNREACHED; self.walls.len()];
        let mut heap = BinaryHeap::new();
        for target in targets {
            let (low, high) = (self.nearest_cell(target.0), self.nearest_cell(target.1));
            for y in low.1..=high.1 {
                for x in low.0..=high.0 {
                    if std::mem::replace(&mut costs[self.cell_index((x, y))], 0) != 0 {
                        heap.push(Reverse((0, x, y)));
                    }
                }
            }
        }
        self.spread_costs(&mut costs, heap, None);
        if self.may_open {
            // Solid tiles cost only where no free way leads: a free way may be long, and no game may ever open a tile.
            let is_free: Vec<bool> = costs.iter().map(|&cost| cost != UNREACHED).collect();
            let reached = (0..self.size.1).flat_map(|y| (0..self.size.0).map(move |x| (x, y)));
            let at_walls = reached.filter_map(|at| {
                let cost = costs[self.cell_index(at)];
                let near = NEIGHBOURS[..4].iter().map(|by| (at.0 + by.0, at.1 + by.1));
                let is_at_wall = || near.filter(|&to| self.is_inside(to)).any(|to| self.is_wall_between(at, to));
                (cost != UNREACHED && is_at_wall()).then_some(Reverse((cost, at.0, at.1)))
            });
            let heap: BinaryHeap<_> = at_walls.collect();
            self.spread_costs(&mut costs, heap, Some(&is_free));
        }
        let target = targets.first().copied().unwrap_or_default();
        Field { costs, target, is_single: targets.len() == 1 }
    }

    /// Spreads the costs of the cells of the queue to their neighbours. With `is_free`, also through solid cells and
    /// covered sides; the cells in `is_free` keep their cost.
    fn spread_costs(
        &self,
        costs: &mut [u32],
        mut heap: BinaryHeap<Reverse<(u32, i32, i32)>>,
        is_free: Option<&[bool]>,
    ) {
        while let Some(Reverse((cost, x, y))) = heap.pop() {
            if cost > costs[self.cell_index((x, y))] {
                continue;
            }
            for (dx, dy) in NEIGHBOURS {
                let next = (x + dx, y + dy);
                if !self.is_inside(next) || is_free.is_some_and(|is_free| is_free[self.cell_index(next)]) {
                    continue;
                }
                let is_diagonal = dx != 0 && dy != 0;
                // A diagonal step needs both ways along the sides free, because it would cut the corner of a wall.
                // Walls are passed through at their sides only.
                let corners = [(x + dx, y), (x, y + dy)];
                let is_wall = if is_diagonal {
                    corners
                        .iter()
                        .any(|&corner| self.is_wall_between((x, y), corner) || self.is_wall_between(corner, next))
                } else {
                    self.is_wall_between((x, y), next)
                };
                if is_wall && (is_diagonal || is_free.is_none()) {
                    continue;
                }
                let step = if is_diagonal { DIAGONAL } else { STRAIGHT } + if is_wall { THROUGH } else { 0 };
                let (i, cost) = (self.cell_index(next), cost.saturating_add(step));
                if cost < costs[i] {
                    costs[i] = cost;
                    heap.push(Reverse((cost, next.0, next.1)));
                }
            }
        }
    }

    fn is_inside(&self, (x, y): (i32, i32)) -> bool {
        (0..self.size.0).contains(&x) && (0..self.size.1).contains(&y)
    }

    fn is_solid_at(&self, cell: (i32, i32)) -> bool {
        self.is_inside(cell) && self.walls[self.cell_index(cell)] & SOLID != 0
    }

    /// Returns whether a wall is on the way from a cell to a side neighbour: the neighbour is solid, or a tile covers
    /// the side between the two cells.
    fn is_wall_between(&self, from: (i32, i32), to: (i32, i32)) -> bool {
        let (out, into) = match (to.0 - from.0, to.1 - from.1) {
            (1, _) => (RIGHT, LEFT),
            (-1, _) => (LEFT, RIGHT),
            (_, 1) => (TOP, BOTTOM),
            _ => (BOTTOM, TOP),
        };
        self.walls[self.cell_index(from)] & out != 0 || self.walls[self.cell_index(to)] & (into | SOLID) != 0
    }

    /// Returns the estimated distance from a point to the target of the field, in tiles.
    pub(crate) fn estimate_distance(&self, field: &Field, at: DVec2) -> f64 {
        let nearest = at.clamp(field.target.0, field.target.1);
        let direct = (at - nearest).length();
        match field.costs[self.cell_index(self.nearest_cell(at))] {
            // No path leads through the cell of the point, for example at the corner of a slope or in a closed room.
            UNREACHED => 2.0 * direct + f64::from(MARGIN),
            cost => {
                let way = f64::from(cost) * f64::from(1u32 << self.shift) / f64::from(STRAIGHT);
                if field.is_single { way.max(direct) } else { way }
            }
        }
    }

    /// Returns the first floor on the way from a point to the target that is higher than `feet`: the middle of its
    /// upper side, in tiles. Up is +y.
    pub(crate) fn next_higher_floor(&self, field: &Field, at: DVec2, feet: f64) -> Option<DVec2> {
        let scale = f64::from(1u32 << self.shift);
        let mut here = self.nearest_cell(at);
        loop {
            here = self.next_cell(field, here)?;
            let floor = f64::from(self.low.1 + here.1) * scale;
            let below = (here.0, here.1 - 1);
            if self.is_solid_at(below) && floor > feet + 1e-3 {
                return Some(DVec2::new((f64::from(self.low.0 + here.0) + 0.5) * scale, floor));
            }
        }
    }

    /// Returns the end of the way from a point: the middle of a cell of a target. Without a way, returns the point.
    pub(crate) fn end_of_path(&self, field: &Field, at: DVec2) -> DVec2 {
        let first = self.nearest_cell(at);
        if self.cost_at(field, first) == UNREACHED {
            return at;
        }
        let end = std::iter::successors(Some(first), |&cell| self.next_cell(field, cell)).last().unwrap_or(first);
        let scale = f64::from(1u32 << self.shift);
        DVec2::new(f64::from(self.low.0 + end.0) + 0.5, f64::from(self.low.1 + end.1) + 0.5) * scale
    }

    /// Returns the neighbour of a cell that is nearest to the target. `None` if no neighbour is nearer than the cell.
    fn next_cell(&self, field: &Field, here: (i32, i32)) -> Option<(i32, i32)> {
        let cells = NEIGHBOURS.iter().map(|(dx, dy)| (here.0 + dx, here.1 + dy));
        let inside = cells.filter(|&cell| self.is_inside(cell));
        let next = inside.min_by_key(|&cell| (self.cost_at(field, cell), cell))?;
        (self.cost_at(field, next) < self.cost_at(field, here)).then_some(next)
    }

    fn cost_at(&self, field: &Field, cell: (i32, i32)) -> u32 {
        field.costs[self.cell_index(cell)]
    }
}

/// Returns whether gravity points down everywhere.
fn is_gravity_down_everywhere(world: &World) -> bool {
    let mut areas = world.areas().map(|(_, state)| &state.area().effects);
    world.settings().gravity.y < 0.0 && areas.all(|effects| effects.up.is_none() && effects.gravity.is_none())
}

/// Returns the covered sides of a tile with this variant. 0 if the variant fills the tile: the whole cell is then
/// solid.
fn covered_side_bits(variant: &Variant) -> u8 {
    let is_part = variant.kind == PatternKind::Solid && !fills_tile(variant);
    let sides = variant.edges.iter().filter(|_| is_part).map(|edge| {
        let (low, high) = (edge.a.min(edge.b), edge.a.max(edge.b));
        match (low.x, low.y, high.x, high.y) {
            (0, 0, 0, 16) => LEFT,
            (16, 0, 16, 16) => RIGHT,
            (0, 0, 16, 0) => BOTTOM,
            (0, 16, 16, 16) => TOP,
            _ => 0,
        }
    });
    sides.fold(0, |all, side| all | side)
}

/// Returns whether the variant fills its tile.
pub(crate) fn fills_tile(variant: &Variant) -> bool {
    let [path] = &variant.paths[..] else { return false };
    let is_corner = |point: &glam::I8Vec2| (point.x == 0 || point.x == 16) && (point.y == 0 || point.y == 16);
    variant.kind == PatternKind::Solid && path.len() == 4 && path.iter().all(is_corner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::Map;
    use surefoot::prelude::Settings;

    /// The wall in column 5 is 30 tiles high. With rules of a game, it might open, but the free way over it counts: 26
    /// steps up and down, 2 to the right and 8 diagonal ones. No free way leads to the room at the right end, because
    /// the borders are solid. There a way through the wall in column 11 counts.
    #[test]
    fn a_free_way_counts_before_a_way_through_a_wall() {
        let mut rows = vec!["...........#.."];
        rows.extend([".....#.....#.."; 29]);
        rows.push("@....#....*#..");
        let text = format!("Map(format: 1, border: (top: Solid, right: Solid, bottom: Solid), tiles: {rows:?})");
        let world = World::new(Map::from_ron(&text).unwrap(), Settings::default());
        let goal = DVec2::new(10.5, 0.5);
        let estimate = |may_open: bool, at: (f64, f64)| {
            let grid = Grid::new(&world, Shape::aabb(0.35, 0.45), may_open, 1 << 20);
            grid.estimate_distance(&grid.flood_from_targets(&[(goal, goal)]), DVec2::from(at))
        };
        assert_eq!([false, true].map(|may_open| estimate(may_open, (0.5, 0.5))), [65.5; 2]);
        // Without rules, the estimate in the closed room is twice the straight line and 8 tiles.
        assert_eq!([false, true].map(|may_open| estimate(may_open, (12.5, 0.5))), [12.0, 42.0]);
    }

    /// No body passes the lower side of a spike. So the way leads around the right end of the spikes: 4 straight steps
    /// and a diagonal one.
    #[test]
    fn no_way_leads_through_spikes() {
        let map = Map::from_rows(["....@.", "..^^^^", "....*.", "######"]).unwrap();
        let grid = Grid::new(&World::new(map, Settings::default()), Shape::aabb(0.35, 0.45), false, 1 << 20);
        let goal = DVec2::new(4.5, 1.5);
        let field = grid.flood_from_targets(&[(goal, goal)]);
        assert_eq!(grid.estimate_distance(&field, DVec2::new(4.5, 3.5)), 4.0 + 23.0 / 16.0);
    }

    /// The goal is 10 tiles to the right of the start. A body that has fallen through the gap is farther away, wherever
    /// it is below the floor.
    #[test]
    fn no_way_leads_under_the_map() {
        let map = Map::from_rows(["@.........*", "####...####"]).unwrap();
        let world = World::new(map, Settings::default());
        let grid = Grid::new(&world, Shape::aabb(0.35, 0.45), false, 1 << 20);
        let goal = DVec2::new(10.5, 1.5);
        let field = grid.flood_from_targets(&[(goal, goal)]);
        assert_eq!(grid.estimate_distance(&field, DVec2::new(0.5, 1.5)), 10.0);
        for x in 0..11 {
            let fallen = grid.estimate_distance(&field, DVec2::new(f64::from(x) + 0.5, -1.5));
            assert!(fallen > 10.0, "{fallen} from column {x}");
        }
    }
}
