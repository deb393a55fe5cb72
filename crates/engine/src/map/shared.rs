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
    // What tiles there are in each cell of a row: the first, the second, the bits of all others; 0 is the empty cell.
    let mut first = vec![0_u16; width as usize];
    let (mut second, mut others) = (first.clone(), first.clone());
    let mut bad: Vec<u32> = Vec::new();
    // The first row of the file is the last of the map.
    for row in (0..height).rev() {
        let start = row as usize * width as usize;
        first.fill(0);
        second.fill(0);
        others.fill(0);
        for layer in &colliding {
            // Without branches, so that the compiler does many cells at a time.
            let cells = &layer.cells[start..start + width as usize];
            let tiles = first.iter_mut().zip(&mut second).zip(&mut others).zip(cells);
            for (((first, second), others), &EntryId(entry)) in tiles {
                *others |= if *second == 0 { 0 } else { entry };
                *second = if (*first != 0) & (*second == 0) { entry } else { *second };
                *first = if *first == 0 { entry } else { *first };
            }
        }
        let blocks = first.chunks(BLOCK).zip(second.chunks(BLOCK)).zip(others.chunks(BLOCK));
        for (block, ((first, second), others)) in (0..).step_by(BLOCK).zip(blocks) {
            if any(second) == 0 || any(others) == 0 && known.are_fine(first, second) {
                continue;
            }
            for (column, ((&first, &second), &others)) in (block..).zip(first.iter().zip(second).zip(others)) {
                let is_known_fine = if second == 0 {
                    true
                } else if others == 0 {
                    let pair =
                        || [first, second].into_iter().filter_map(|id| legend[usize::from(id)].variant).collect();
                    known.pair(first, second, || is_fine(catalogue, &pair()))
                } else {
                    let stack = stack(legend, layers, start + column as usize).map(|(_, id)| id).collect();
                    known.stack(stack, |stack| is_fine(catalogue, stack))
                };
                if !is_known_fine {
                    bad.push(column);
                }
            }
        }
        for column in bad.drain(..) {
            let at = (origin.0 + column as i32, origin.1 + row as i32);
            if let Err((layer, kind)) = cell(catalogue, legend, layers, start + column as usize, at) {
                tell(layer, column, row, kind);
            }
        }
    }
}

/// How many cells of a row are looked at together.
const BLOCK: usize = 64;

/// The bits of all entries.
fn any(entries: &[u16]) -> u16 {
    entries.iter().fold(0, |bits, entry| bits | entry)
}

fn is_fine(catalogue: &Catalogue, tiles: &Tiles) -> bool {
    catalogue.check_stack(tiles).is_ok()
}

/// Which tiles may share a cell, as far as it was asked.
struct Known {
    entries: usize,
    /// For each pair of legend entries, if there are not too many, one of [`FINE`], [`BAD`] and [`UNKNOWN`]; of the empty
    /// cell [`FINE`].
    pairs: Vec<u8>,
    more_pairs: BTreeMap<(u16, u16), bool>,
    stacks: BTreeMap<Tiles, bool>,
}

const FINE: u8 = 0;
const BAD: u8 = 1;
const UNKNOWN: u8 = 2;

impl Known {
    /// Of a legend of so many entries.
    fn new(entries: usize) -> Known {
        const TABLE: usize = 1 << 10;
        let mut pairs = if entries <= TABLE { vec![UNKNOWN; entries * entries] } else { Vec::new() };
        pairs.iter_mut().step_by(entries.max(1)).for_each(|with_empty| *with_empty = FINE);
        Known { entries, pairs, more_pairs: BTreeMap::new(), stacks: BTreeMap::new() }
    }

    /// Whether all pairs are known to be fine; second ones may be the empty cell.
    fn are_fine(&self, first: &[u16], second: &[u16]) -> bool {
        let known = |(&first, &second): (&u16, &u16)| {
            self.pairs.get(usize::from(first) * self.entries + usize::from(second)).copied().unwrap_or(UNKNOWN)
        };
        first.iter().zip(second).map(known).fold(FINE, |all, known| all | known) == FINE
    }

    fn pair(&mut self, first: u16, second: u16, ask: impl FnOnce() -> bool) -> bool {
        match self.pairs.get_mut(usize::from(first) * self.entries + usize::from(second)) {
            Some(known) => {
                if *known == UNKNOWN {
                    *known = if ask() { FINE } else { BAD };
                }
                *known == FINE
            }
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
