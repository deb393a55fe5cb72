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
    let has_tile: Vec<bool> = legend.iter().map(|entry| entry.variant.is_some()).collect();
    let mut known: BTreeMap<Tiles, bool> = BTreeMap::new();
    let mut tiles = vec![0_u8; width as usize];
    // The first row of the file is the last of the map.
    for row in (0..height).rev() {
        let start = row as usize * width as usize;
        tiles.fill(0);
        for layer in &colliding {
            for (count, cell) in tiles.iter_mut().zip(&layer.cells[start..]) {
                *count += u8::from(has_tile[usize::from(cell.0)]);
            }
        }
        for (column, _) in (0..).zip(&tiles).filter(|&(_, &count)| count > 1) {
            let index = start + column as usize;
            let stack = stack(legend, layers, index).map(|(_, id)| id).collect();
            let fine = |stack: &Tiles| catalogue.check_stack(stack).is_ok();
            let is_fine = match known.get(&stack) {
                Some(&is_fine) => is_fine,
                None => {
                    let is_fine = fine(&stack);
                    known.insert(stack, is_fine);
                    is_fine
                }
            };
            if is_fine {
                continue;
            }
            let at = (origin.0 + column as i32, origin.1 + row as i32);
            if let Err((layer, kind)) = cell(catalogue, legend, layers, index, at) {
                tell(layer, column, row, kind);
            }
        }
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
    let mut below = Tiles::new();
    for (number, id) in stack(legend, layers, index) {
        below.push(id);
        catalogue.check_stack(&below).map_err(|source: StackError| {
            let mut lower: Vec<String> = below.iter().map(|&id| catalogue.name(id)).collect();
            let upper = lower.pop().unwrap_or_default();
            let layer = layers[number].name.clone();
            (number, MapErrorKind::SharedCell { layer, x, y, upper, lower, source })
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
