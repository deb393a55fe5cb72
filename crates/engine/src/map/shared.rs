//! Tiles of several layers in one cell.

use super::{EntryId, Layer, LegendEntry, MapErrorKind};
use crate::catalogue::{Catalogue, StackError, VariantId};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// The tiles of a cell in the layers that collide, from behind.
type Tiles = SmallVec<[VariantId; 16]>;

/// Tells of each cell whose tiles cannot share it: with the uppermost layer's number, and the cell's column and row from
/// the lower left.
pub(super) fn check(
    catalogue: &Catalogue,
    legend: &[LegendEntry],
    layers: &[Layer],
    (width, height): (u32, u32),
    origin: (i32, i32),
    mut tell: impl FnMut(usize, u32, u32, MapErrorKind),
) {
    let colliding: Vec<&Layer> = layers.iter().filter(|layer| layer.collides).collect();
    if colliding.len() < 2 {
        return;
    }
    let mut known = Known::new(legend.len());
    // The first two tiles of each cell of a row; 0 is the empty cell.
    let mut first = vec![0_u16; width as usize];
    let mut second = first.clone();
    let mut bad: Vec<u32> = Vec::new();
    // The first row of the file is the last of the map.
    for row in (0..height).rev() {
        let start = row as usize * width as usize;
        first.fill(0);
        second.fill(0);
        for layer in &colliding {
            let tiles = first.iter_mut().zip(&mut second).zip(&layer.cells[start..]);
            for (column, ((first, second), &EntryId(entry))) in (0..).zip(tiles) {
                if entry == 0 {
                } else if *first == 0 {
                    *first = entry;
                } else if *second == 0 {
                    *second = entry;
                    let pair =
                        || [*first, entry].into_iter().filter_map(|id| legend[usize::from(id)].variant).collect();
                    if !known.pair(*first, entry, || is_fine(catalogue, &pair())) {
                        bad.push(column);
                    }
                } else {
                    let stack = stack(legend, layers, start + column as usize).map(|(_, id)| id).collect();
                    if !known.stack(stack, |stack| is_fine(catalogue, stack)) {
                        bad.push(column);
                    }
                }
            }
        }
        bad.sort_unstable();
        bad.dedup();
        for column in bad.drain(..) {
            let at = (origin.0 + column as i32, origin.1 + row as i32);
            if let Err((layer, kind)) = cell(catalogue, legend, layers, start + column as usize, at) {
                tell(layer, column, row, kind);
            }
        }
    }
}

fn is_fine(catalogue: &Catalogue, tiles: &Tiles) -> bool {
    catalogue.check_stack(tiles).is_ok()
}

/// Which tiles may share a cell, as far as it was asked.
struct Known {
    entries: usize,
    /// For each pair of legend entries, if there are not too many; `None` if it was not asked.
    pairs: Vec<Option<bool>>,
    more_pairs: BTreeMap<(u16, u16), bool>,
    stacks: BTreeMap<Tiles, bool>,
}

impl Known {
    /// Of a legend of so many entries.
    fn new(entries: usize) -> Known {
        const TABLE: usize = 1 << 10;
        let pairs = if entries <= TABLE { vec![None; entries * entries] } else { Vec::new() };
        Known { entries, pairs, more_pairs: BTreeMap::new(), stacks: BTreeMap::new() }
    }

    fn pair(&mut self, first: u16, second: u16, ask: impl FnOnce() -> bool) -> bool {
        match self.pairs.get_mut(usize::from(first) * self.entries + usize::from(second)) {
            Some(known) => *known.get_or_insert_with(ask),
            None => *self.more_pairs.entry((first, second)).or_insert_with(ask),
        }
    }

    fn stack(&mut self, tiles: Tiles, ask: impl FnOnce(&Tiles) -> bool) -> bool {
        if let Some(&known) = self.stacks.get(&tiles) {
            return known;
        }
        let is_fine = ask(&tiles);
        self.stacks.insert(tiles, is_fine);
        is_fine
    }
}

/// Refuses tiles that cannot share their cell, the one of that index.
pub(super) fn check_cell(
    catalogue: &Catalogue,
    legend: &[LegendEntry],
    layers: &[Layer],
    index: usize,
    at: (i32, i32),
) -> Result<(), MapErrorKind> {
    cell(catalogue, legend, layers, index, at).map_err(|(_, kind)| kind)
}

/// As [`check_cell`], with the uppermost of the layers: the first whose tile cannot be put over those below.
fn cell(
    catalogue: &Catalogue,
    legend: &[LegendEntry],
    layers: &[Layer],
    index: usize,
    (x, y): (i32, i32),
) -> Result<(), (usize, MapErrorKind)> {
    // Above two tiles that cannot share a cell a third may cover the place where their sides cross.
    if is_fine(catalogue, &stack(legend, layers, index).map(|(_, id)| id).collect()) {
        return Ok(());
    }
    let mut below = Tiles::new();
    for (number, id) in stack(legend, layers, index) {
        below.push(id);
        catalogue.check_stack(&below).map_err(|source: StackError| {
            let mut lower: Vec<String> = below.iter().map(|&id| catalogue.name(id)).collect();
            let upper = lower.pop().unwrap_or_default();
            let layer = layers[number].name.clone();
            (number, MapErrorKind::SharedCell { layer, x, y, upper, lower, source: source.into() })
        })?;
    }
    Ok(())
}

/// The tiles of a cell in the layers that collide, with the layers' numbers.
fn stack<'a>(
    legend: &'a [LegendEntry],
    layers: &'a [Layer],
    index: usize,
) -> impl Iterator<Item = (usize, VariantId)> + 'a {
    let colliding = layers.iter().enumerate().filter(|(_, layer)| layer.collides);
    colliding.filter_map(move |(number, layer)| {
        let EntryId(entry) = layer.cells[index];
        legend.get(usize::from(entry)).and_then(|entry| entry.variant).map(|id| (number, id))
    })
}
