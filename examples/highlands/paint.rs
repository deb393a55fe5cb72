//! Finds the tile for each cell from the cell's solid area.

use crate::pen::{Point, STEP};
use std::collections::BTreeMap;
use surefoot::catalogue::{Catalogue, PatternKind};
use surefoot::prelude::VariantId;

/// Number of samples along one side of a tile: a cell has 64 bits.
const SAMPLES: i64 = 8;
/// Number of parts of a lattice step, so that samples lie between the lattice's lines and the slopes through its
/// points.
const FINE: i64 = 8;
/// Position of a sample in its part of a tile.
const OFFSET: (i64, i64) = (1, 3);

/// A picture of solid and air.
pub(crate) struct Canvas {
    width: i64,
    height: i64,
    cells: Vec<u64>,
}

impl Canvas {
    pub(crate) fn new(width: i64, height: i64) -> Canvas {
        Canvas { width, height, cells: vec![0; (width * height) as usize] }
    }

    /// Fills a closed outline, or cuts it out.
    pub(crate) fn fill(&mut self, outline: &[Point], solid: bool) {
        let fine: Vec<Point> = outline.iter().map(|&(x, y)| (x * FINE, y * FINE)).collect();
        // Take each side from its lower end up. Otherwise, its crossings would round differently if the outline ran the
        // other way.
        let sides = |i: usize| {
            let (a, b) = (fine[i], fine[(i + 1) % fine.len()]);
            if a.1 <= b.1 { (a, b) } else { (b, a) }
        };
        let part = STEP * FINE / SAMPLES;
        for row in 0..self.height * SAMPLES {
            let y = row * part + OFFSET.1;
            let mut crossings: Vec<i64> = (0..fine.len())
                .map(sides)
                .filter(|(a, b)| a.1 < y && y < b.1)
                .map(|(a, b)| a.0 + ((y - a.1) * (b.0 - a.0)).div_euclid(b.1 - a.1))
                .collect();
            crossings.sort_unstable();
            for pair in crossings.chunks_exact(2) {
                let sample = |x: i64| (x - OFFSET.0).div_euclid(part) + 1;
                for column in sample(pair[0]).max(0)..sample(pair[1]).min(self.width * SAMPLES) {
                    self.set(column, row, solid);
                }
            }
        }
    }

    fn set(&mut self, column: i64, row: i64, solid: bool) {
        let cell = (row / SAMPLES * self.width + column / SAMPLES) as usize;
        let bit = 1 << (row % SAMPLES * SAMPLES + column % SAMPLES);
        self.cells[cell] = if solid { self.cells[cell] | bit } else { self.cells[cell] & !bit };
    }

    /// Returns the solid samples of a cell.
    pub(crate) fn cell(&self, x: i64, y: i64) -> u64 {
        self.cells[(y * self.width + x) as usize]
    }

    /// Returns a cell as eight rows of text, for messages.
    pub(crate) fn show(&self, x: i64, y: i64) -> String {
        let cell = self.cell(x, y);
        let row = |row: i64| (0..SAMPLES).map(move |i| if cell >> (row * SAMPLES + i) & 1 == 1 { '#' } else { '.' });
        (0..SAMPLES).rev().flat_map(|i| row(i).chain(['\n'])).collect()
    }
}

/// Returns every closed solid of the catalogue by its solid samples.
pub(crate) fn solids(catalogue: &Catalogue) -> BTreeMap<u64, VariantId> {
    let mut solids = BTreeMap::new();
    for (id, variant) in catalogue.variants().iter().enumerate() {
        if variant.kind == PatternKind::Solid {
            let mut canvas = Canvas::new(1, 1);
            for path in &variant.paths {
                let outline: Vec<Point> = path.iter().map(|point| (point.x.into(), point.y.into())).collect();
                canvas.fill(&outline, true);
            }
            let before = solids.insert(canvas.cell(0, 0), VariantId(id as u16));
            assert_eq!(before, None, "two variants look alike: {}", catalogue.variant_name(VariantId(id as u16)));
        }
    }
    solids
}
