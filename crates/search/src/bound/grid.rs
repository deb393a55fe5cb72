//! Grid of square cells over the positions of a character's centre. It tells which cells are blocked, the lowest free
//! position of each other cell, and the heights at which a cell has a support.

use super::law::Law;
use super::scan::{Region, Scan, Tile};
use super::{NotCovered, round_outwards};
use surefoot::geometry::{DVec2, I64Vec2, ONE};

/// Maximum number of cells of a level.
///
/// A cell takes up to 40 bytes in all floods together, so a bound takes at most 160 MiB.
pub(crate) const MAX_CELLS: usize = 1 << 22;

/// Minimum half of the width and height of a body, in tiles.
pub(super) const MIN_HALF_SIZE: f64 = 1.0 / 16.0;

/// Columns and rows of air around the level, in tiles. A body beyond them reaches no more of the level than a body in
/// them.
const MARGIN: i64 = 2;

/// Length by which supports are enlarged, in units, because bodies that are a few units apart still touch.
const TOUCH: i64 = ONE / 4096;

/// Index of a cell.
pub(super) type Cell = usize;

/// Lowest position of a blocked cell.
const BLOCKED: i64 = i64::MAX;

/// Square cells over the positions of a character's centre in a level.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// Side of a cell in units.
    side: i64,
    /// Lower left corner of the grid in units, a multiple of `side`.
    low: I64Vec2,
    size: (usize, usize),
    /// Lowest free height of each cell.
    lowest: Vec<i64>,
    /// Lowest and highest support of each cell. A cell has no support if the highest is lower than the lowest.
    supports: Vec<(i64, i64)>,
}

impl Grid {
    pub(super) fn new(scan: &Scan, law: &Law, start: I64Vec2) -> Result<Grid, NotCovered> {
        let half = law.half;
        let smallest = half.min_element();
        if (smallest as f64) < MIN_HALF_SIZE * ONE as f64 {
            return Err(NotCovered::TooSmall);
        }
        // The body's boxes at all positions of one cell have a common part only if the cell is smaller than the body.
        // That part decides whether a tile blocks the cell.
        let side = [2, 4, 8, 16].map(|part| ONE / part).into_iter().find(|side| 5 * side <= 8 * smallest);
        let side = side.unwrap_or(ONE / 16);
        let (mut low, mut high) = (I64Vec2::new(scan.origin.0.into(), scan.origin.1.into()) * ONE, start);
        high = high.max(low + I64Vec2::new(scan.size.0.into(), scan.size.1.into()) * ONE);
        low = low.min(start);
        for part in scan.platforms.iter().chain(&scan.holds) {
            (low, high) = (low.min(part.low), high.max(part.high));
        }
        let margin = I64Vec2::splat(MARGIN * ONE) + half;
        let top = I64Vec2::new(0, half.y + law.first_rise.max(law.rise));
        let cell = |units: i64| units.div_euclid(side);
        let (first, last) = (low - margin, high + margin + top);
        let (first, last) = (I64Vec2::new(cell(first.x), cell(first.y)), I64Vec2::new(cell(last.x), cell(last.y)));
        let size = last - first + I64Vec2::ONE;
        if size.x.saturating_mul(size.y) > MAX_CELLS as i64 {
            return Err(NotCovered::TooLarge);
        }
        let count = (size.x * size.y) as usize;
        let mut grid = Grid {
            side,
            low: first * side,
            size: (size.x as usize, size.y as usize),
            lowest: vec![BLOCKED; count],
            supports: vec![(BLOCKED, i64::MIN); count],
        };
        for cell in 0..count {
            grid.lowest[cell] = grid.lowest_free_height(cell, scan, half);
        }
        grid.add_tile_top_supports(scan, half);
        if law.clings {
            grid.add_wall_supports(scan, half);
        }
        let hold = |part: &Region| Region { low: part.low - half, high: part.high + half };
        scan.holds.iter().for_each(|part| grid.add_support_region(hold(part)));
        for part in &scan.platforms {
            grid.add_support_region(if law.clings { hold(part) } else { positions_with_feet_on(*part, half) });
        }
        Ok(grid)
    }

    /// Returns the lowest free height of a cell, or [`BLOCKED`].
    fn lowest_free_height(&self, cell: Cell, scan: &Scan, half: I64Vec2) -> i64 {
        let (low, high) = self.cell_corners(cell);
        // `columns` contains the columns that the body overlaps at every position of the cell.
        let columns = (high.x - half.x).div_euclid(ONE)..=(low.x + half.x - 1).div_euclid(ONE);
        let is_full = |row: i64| columns.clone().any(|column| scan.tile_at(column, row) == Tile::Full);
        let mut y = low.y;
        loop {
            let rows = (y - half.y).div_euclid(ONE)..=(y + half.y - 1).div_euclid(ONE);
            let Some(row) = rows.rev().find(|row| is_full(*row)) else { return y };
            y = (row + 1) * ONE + half.y;
            if y > high.y {
                return BLOCKED;
            }
        }
    }

    /// Adds the tops of full tiles, and the whole heights of all other tiles, as supports for the feet.
    fn add_tile_top_supports(&mut self, scan: &Scan, half: I64Vec2) {
        let side = self.side;
        let (low, high) = (self.low, self.low + I64Vec2::new(self.size.0 as i64, self.size.1 as i64) * side);
        for row in low.y.div_euclid(ONE)..=high.y.div_euclid(ONE) {
            for column in low.x.div_euclid(ONE)..=high.x.div_euclid(ONE) {
                let corner = I64Vec2::new(column, row) * ONE;
                let strip = |bottom: i8, top: i8| Region {
                    low: corner + I64Vec2::new(0, i64::from(bottom) * (ONE / 16)),
                    high: corner + I64Vec2::new(ONE, i64::from(top) * (ONE / 16)),
                };
                let part = match scan.tile_at(column, row) {
                    Tile::Empty => continue,
                    Tile::Full if scan.tile_at(column, row + 1) == Tile::Full => continue,
                    Tile::Full => strip(16, 16),
                    Tile::Part(bottom, top) => strip(bottom, top),
                };
                self.add_support_region(positions_with_feet_on(part, half));
            }
        }
    }

    /// Adds supports at all positions of the centre inside a box.
    fn add_support_region(&mut self, at: Region) {
        let at = Region { low: at.low - TOUCH, high: at.high + TOUCH };
        let Some((from, to)) = self.cell_range(at) else { return };
        for row in from.1..=to.1 {
            for column in from.0..=to.0 {
                let cell = row * self.size.0 + column;
                let (low, high) = self.cell_corners(cell);
                let (least, most) = (at.low.y.max(self.lowest[cell]).max(low.y), at.high.y.min(high.y));
                if self.lowest[cell] != BLOCKED && least <= most {
                    let known = &mut self.supports[cell];
                    *known = (known.0.min(least), known.1.max(most));
                }
            }
        }
    }

    /// Adds supports wherever the box of the character touches a tile.
    fn add_wall_supports(&mut self, scan: &Scan, half: I64Vec2) {
        for cell in 0..self.len() {
            let (low, high) = self.cell_corners(cell);
            let (low, high) = (low - half - TOUCH, high + half + TOUCH);
            let mut rows = low.y.div_euclid(ONE)..=high.y.div_euclid(ONE);
            let columns = low.x.div_euclid(ONE)..=high.x.div_euclid(ONE);
            let touches = rows.any(|row| columns.clone().any(|column| scan.tile_at(column, row) != Tile::Empty));
            if touches && self.lowest[cell] != BLOCKED {
                self.supports[cell] = (self.lowest[cell], self.cell_corners(cell).1.y);
            }
        }
    }

    /// Returns the first and the last column and row of the cells that touch a box.
    fn cell_range(&self, part: Region) -> Option<((usize, usize), (usize, usize))> {
        let (low, high) = (part.low - self.low, part.high - self.low);
        let clamp = |value: i64, size: usize| value.clamp(0, size as i64 - 1) as usize;
        // A box that ends exactly on the border between two cells touches both.
        let (first, last) =
            ((low - 1).div_euclid(I64Vec2::splat(self.side)), high.div_euclid(I64Vec2::splat(self.side)));
        let is_outside = last.x < 0 || last.y < 0 || first.x >= self.size.0 as i64 || first.y >= self.size.1 as i64;
        let at = |cell: I64Vec2| (clamp(cell.x, self.size.0), clamp(cell.y, self.size.1));
        (!is_outside).then(|| (at(first), at(last)))
    }

    fn cells_in(&self, part: Region) -> impl Iterator<Item = Cell> + use<> {
        let width = self.size.0;
        let range = self.cell_range(part);
        range.into_iter().flat_map(move |(from, to)| {
            (from.1..=to.1).flat_map(move |row| (from.0..=to.0).map(move |column| row * width + column))
        })
    }

    /// Returns the cells that contain a position. On the border between cells, these are two or four.
    pub(super) fn cells_containing(&self, at: I64Vec2) -> impl Iterator<Item = Cell> + use<> {
        self.cells_in(Region { low: at, high: at })
    }

    /// Returns the cells of the positions at which a box of half size `half` may touch a rectangle in tiles.
    pub(super) fn cells_touching_rectangle(
        &self,
        low: DVec2,
        high: DVec2,
        half: I64Vec2,
    ) -> impl Iterator<Item = Cell> + use<> {
        let (low, high) = round_outwards(low, high);
        self.cells_in(Region { low: low - half - 1, high: high + half + 1 })
    }

    /// Returns whether the grid contains the whole rectangle from `low` to `high`, in tiles.
    pub(super) fn contains_rectangle(&self, low: DVec2, high: DVec2) -> bool {
        let (low, high) = round_outwards(low, high);
        let end = self.low + I64Vec2::new(self.size.0 as i64, self.size.1 as i64) * self.side;
        self.low.cmple(low).all() && high.cmple(end).all()
    }

    /// Returns whether a position is outside of all cells.
    pub(super) fn is_outside(&self, at: I64Vec2) -> bool {
        self.cell_range(Region { low: at, high: at }).is_none()
    }

    pub(super) fn len(&self) -> usize {
        self.lowest.len()
    }

    pub(super) fn is_blocked(&self, cell: Cell) -> bool {
        self.lowest[cell] == BLOCKED
    }

    pub(super) fn lowest_height(&self, cell: Cell) -> i64 {
        self.lowest[cell]
    }

    /// Returns the lowest and the highest support of a cell.
    pub(super) fn support_heights(&self, cell: Cell) -> Option<(i64, i64)> {
        let support = self.supports[cell];
        (support.0 <= support.1).then_some(support)
    }

    /// Returns the lower left and the upper right corner of a cell in units.
    pub(super) fn cell_corners(&self, cell: Cell) -> (I64Vec2, I64Vec2) {
        let at = I64Vec2::new((cell % self.size.0) as i64, (cell / self.size.0) as i64);
        let low = self.low + at * self.side;
        (low, low + self.side)
    }

    pub(super) fn cell_size_in_tiles(&self) -> f64 {
        self.side as f64 / ONE as f64
    }

    /// Returns the cells to the left, right, below and above.
    pub(super) fn neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        self.cells_inside_at_offsets(cell, [(-1, 0), (1, 0), (0, -1), (0, 1)])
    }

    /// Returns the eight cells around a cell.
    pub(super) fn all_neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        self.cells_inside_at_offsets(cell, [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)])
    }

    fn cells_inside_at_offsets<const COUNT: usize>(
        &self,
        cell: Cell,
        ways: [(isize, isize); COUNT],
    ) -> impl Iterator<Item = Cell> + use<COUNT> {
        let (size, column, row) = (self.size, cell % self.size.0, cell / self.size.0);
        ways.into_iter().filter_map(move |(x, y)| {
            let column = column.checked_add_signed(x).filter(|&column| column < size.0)?;
            let row = row.checked_add_signed(y).filter(|&row| row < size.1)?;
            Some(row * size.0 + column)
        })
    }
}

/// Returns the positions of the centre at which the lower side of the character is inside a box.
fn positions_with_feet_on(part: Region, half: I64Vec2) -> Region {
    Region { low: part.low + I64Vec2::new(-half.x, half.y), high: part.high + half }
}
