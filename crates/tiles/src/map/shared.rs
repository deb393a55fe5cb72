//! Checks tiles of several layers that share a cell.

use super::{TileId, TileKind, TileLayer, TileLayerError};
use crate::catalogue::{Catalogue, StackError, VariantId};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Tiles of a cell in the colliding layers, from back to front.
type Tiles = SmallVec<[VariantId; 16]>;

/// Reports each cell whose tiles cannot share it, with the index of the uppermost layer, and the tile.
///
/// Takes time and memory in proportion to the cells of the layers, however far apart they are.
pub(super) fn report_unshareable_cells(
    catalogue: &Catalogue,
    kinds: &[TileKind],
    layers: &[TileLayer],
    mut tell: impl FnMut(usize, (i32, i32), TileLayerError),
) {
    let colliding: Vec<&TileLayer> = layers.iter().filter(|layer| layer.collides).collect();
    let mut stacks = Stacks::new(catalogue, kinds, MAX_TABLE_LENGTH);
    let mut entries = Vec::new();
    for (number, lowest) in colliding.iter().enumerate() {
        // Check each cell only once: together with the lowest layer that covers the cell.
        let (below, above) = (&colliding[..number], &colliding[number + 1..]);
        if below.iter().any(|layer| layer.covers(lowest)) {
            continue;
        }
        let above: SmallVec<[&TileLayer; 16]> = above.iter().copied().filter(|layer| layer.overlaps(lowest)).collect();
        if above.is_empty() {
            continue;
        }
        let (left, right) = (lowest.origin.0, lowest.right_end());
        // The first row of a file is the top row of the map.
        for y in (lowest.origin.1..lowest.top_end()).rev() {
            for begin in (left..right).step_by(BLOCK_CELLS) {
                let count = (right - begin).min(BLOCK_CELLS as i32) as u32;
                // Skip layers whose cells in this block are all empty. At most one block is copied at a time.
                let here = [lowest].into_iter().chain(&above).filter(|layer| layer.overlaps_row(y, begin, count));
                let rows: SmallVec<[_; 4]> = here.map(|layer| layer.row(y, begin, count)).collect();
                let shown: SmallVec<[&[TileId]; 4]> =
                    rows.iter().map(|row| &row[..]).filter(|cells| !are_cells_empty(cells)).collect();
                if shown.len() < 2 || stacks.are_stacks_of_block_known_valid(&shown) {
                    continue;
                }
                for i in 0..count as usize {
                    let tile = (begin + i as i32, y);
                    entries.clear();
                    entries.extend(shown.iter().map(|cells| cells[i]));
                    if !stacks.can_share_cell_by_cache(&entries)
                        && below.iter().all(|layer| layer.cell_index(tile).is_none())
                        && let Err((layer, error)) = check_tiles_share_cell(catalogue, kinds, layers, tile)
                    {
                        tell(layer, tile, error);
                    }
                }
            }
        }
    }
}

/// Number of cells of a row that are checked together.
const BLOCK_CELLS: usize = 64;

fn are_cells_empty(cells: &[TileId]) -> bool {
    cells.iter().fold(0, |bits, entry| bits | entry.0) == 0
}

fn can_share_cell(catalogue: &Catalogue, tiles: &Tiles) -> bool {
    catalogue.check_stack(tiles).is_ok()
}

/// Remembered results: which tiles can share a cell. The table has a row for each stack of tiles and a column for
/// each tile kind that is put on the stack. So a cell is looked up layer by layer.
struct Stacks<'a> {
    catalogue: &'a Catalogue,
    kinds: &'a [TileKind],
    /// Number of columns in a row, as a power of two.
    bits: u32,
    /// Result of putting a tile kind on a stack. The lowest bit ([`FINE`]) tells whether the tiles can share a cell.
    /// The other bits are the row of the new stack, or [`NO_ROW`]. All bits zero: the result is not known yet. A
    /// result without `FINE` and without a row looks the same, and is computed again.
    table: Vec<u16>,
    /// Maximum number of values in the table.
    room: usize,
    /// Results for which the table has no room.
    others: BTreeMap<Tiles, bool>,
}

/// Marks tiles that can share a cell.
const FINE: u16 = 1;

/// Row number of stacks without a row.
const NO_ROW: u16 = 0;

/// Row of the empty stack. The rows of single tile kinds follow.
const NOTHING: u16 = 1;

/// Maximum number of values in the table of a map: 2 MiB.
const MAX_TABLE_LENGTH: usize = 1 << 20;

impl<'a> Stacks<'a> {
    fn new(catalogue: &'a Catalogue, kinds: &'a [TileKind], room: usize) -> Stacks<'a> {
        let bits = kinds.len().next_power_of_two().trailing_zeros();
        let mut stacks = Stacks { catalogue, kinds, bits, table: Vec::new(), room, others: BTreeMap::new() };
        let rows = usize::from(NOTHING) + kinds.len();
        if rows << bits <= room {
            stacks.table = vec![0; rows << bits];
            for entry in (0..kinds.len() as u16).map(TileId) {
                let single = Stacks::table_entry_of_single_tile(entry);
                for place in [
                    stacks.table_index_of_stack_and_kind(NOTHING, entry),
                    stacks.table_index_of_stack_and_kind(single >> 1, TileId::EMPTY),
                ] {
                    stacks.table[place] = single;
                }
            }
        }
        stacks
    }

    /// Returns the result for a single tile kind.
    fn table_entry_of_single_tile(TileId(entry): TileId) -> u16 {
        (entry + NOTHING) << 1 | FINE
    }

    /// Returns the index of the result for a tile kind on the stack of a row.
    fn table_index_of_stack_and_kind(&self, row: u16, TileId(entry): TileId) -> usize {
        (u32::from(row) << self.bits | u32::from(entry)) as usize
    }

    /// Returns whether all cells of a block are known to be fine. `layers` has the block's cells in each layer.
    fn are_stacks_of_block_known_valid(&self, layers: &[&[TileId]]) -> bool {
        let [first, above @ ..] = layers else { return true };
        let table = self.table.as_slice();
        if table.is_empty() {
            return false;
        }
        let mut stacks = [FINE; BLOCK_CELLS];
        let stacks = &mut stacks[..first.len()];
        stacks.iter_mut().zip(*first).for_each(|(stack, &entry)| *stack = Stacks::table_entry_of_single_tile(entry));
        for cells in above {
            // Compute all indices first, because the compiler vectorises that.
            let mut places = [0; BLOCK_CELLS];
            let entries = stacks.iter().zip(*cells);
            places.iter_mut().zip(entries).for_each(|(place, (stack, entry))| {
                *place = u32::from(stack >> 1) << self.bits | u32::from(entry.0);
            });
            for (stack, &place) in stacks.iter_mut().zip(&places) {
                *stack = table[place as usize];
            }
        }
        stacks.iter().fold(FINE, |all, stack| all & stack) == FINE
    }

    /// Returns whether tiles can share a cell, and stores the result if the table has room.
    fn can_share_cell_by_cache(&mut self, entries: &[TileId]) -> bool {
        let mut last = None;
        for (i, &entry) in entries.iter().enumerate() {
            let row = last.map_or(NOTHING, |below| self.find_or_add_row(below));
            let place = self.table_index_of_stack_and_kind(row, entry);
            if row == NO_ROW || self.table.is_empty() {
                let (tiles, catalogue) = (self.variants_of_kinds(entries), self.catalogue);
                return *self.others.entry(tiles).or_insert_with_key(|tiles| can_share_cell(catalogue, tiles));
            }
            if self.table[place] == 0 {
                self.table[place] = u16::from(can_share_cell(self.catalogue, &self.variants_of_kinds(&entries[..=i])));
            }
            last = Some(place);
        }
        last.is_none_or(|place| self.table[place] & FINE == FINE)
    }

    /// Returns the row of the stack at an index. Adds a row if there is none and there is room.
    fn find_or_add_row(&mut self, place: usize) -> u16 {
        let row = self.table[place] >> 1;
        let end = self.table.len();
        let new = end >> self.bits;
        if row != NO_ROW || new > usize::from(u16::MAX >> 1) || end + (1 << self.bits) > self.room {
            return row;
        }
        let stack = (new as u16) << 1 | self.table[place] & FINE;
        self.table[place] = stack;
        self.table.resize(end + (1 << self.bits), 0);
        self.table[end + usize::from(TileId::EMPTY.0)] = stack;
        new as u16
    }

    /// Returns the tiles of tile kinds.
    fn variants_of_kinds(&self, entries: &[TileId]) -> Tiles {
        entries.iter().filter_map(|id| self.kinds.get(usize::from(id.0)).and_then(|kind| kind.variant)).collect()
    }
}

/// Refuses tiles that cannot share a cell, after the tile of one layer was changed.
pub(super) fn check_cell(
    catalogue: &Catalogue,
    kinds: &[TileKind],
    layers: &[TileLayer],
    tile: (i32, i32),
    (changed, kind): (usize, TileId),
) -> Result<(), StackError> {
    let own = |(number, layer): (usize, &TileLayer)| {
        let id = if number == changed { kind } else { layer.tile_at(tile) };
        kinds.get(usize::from(id.0)).filter(|_| layer.collides).and_then(|kind| kind.variant)
    };
    catalogue.check_stack(&layers.iter().enumerate().filter_map(own).collect::<Tiles>())
}

/// Refuses the tiles of a cell that cannot share it. Reports the lowest layer whose tile conflicts with the tiles
/// behind it.
fn check_tiles_share_cell(
    catalogue: &Catalogue,
    kinds: &[TileKind],
    layers: &[TileLayer],
    tile: (i32, i32),
) -> Result<(), (usize, TileLayerError)> {
    // Check all tiles together first: a third tile may cover the point where the sides of two conflicting tiles
    // cross.
    if can_share_cell(catalogue, &tiles_of_cell(kinds, layers, tile).map(|(_, id)| id).collect()) {
        return Ok(());
    }
    let mut below = Tiles::new();
    for (number, id) in tiles_of_cell(kinds, layers, tile) {
        below.push(id);
        catalogue.check_stack(&below).map_err(|source: StackError| {
            let mut lower: Vec<String> = below.iter().map(|&id| catalogue.variant_name(id)).collect();
            let upper = lower.pop().unwrap_or_default();
            let (layer, (x, y)) = (layers[number].name.clone(), tile);
            (number, TileLayerError::SharedCell { layer, x, y, upper, lower, source: source.into() })
        })?;
    }
    Ok(())
}

/// Returns the tiles of a cell in the colliding layers, with the indices of the layers.
fn tiles_of_cell<'a>(
    kinds: &'a [TileKind],
    layers: &'a [TileLayer],
    tile: (i32, i32),
) -> impl Iterator<Item = (usize, VariantId)> + 'a {
    let colliding = layers.iter().enumerate().filter(|(_, layer)| layer.collides);
    colliding.filter_map(move |(number, layer)| {
        let kind = kinds.get(usize::from(layer.tile_at(tile).0));
        kind.and_then(|kind| kind.variant).map(|id| (number, id))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Map;
    use crate::testing::Random;

    /// Compares the table with the catalogue, cell by cell. The cases vary in three ways:
    /// - all tiles can share a cell, or some cannot;
    /// - the legend is small or too large for the table, and the table has room for all, some or no stacks;
    /// - the layers are dense, sparse or empty.
    #[test]
    fn the_table_agrees_with_the_catalogue() {
        const LENGTH: usize = 3 * BLOCK_CELLS / 2;
        let catalogue = Catalogue::builtin();
        let every = TileKind::every_variant(&catalogue);
        let many: Vec<TileKind> = every.iter().cycle().take(Map::MAX_KINDS.min(1100)).cloned().collect();
        let mut random = Random(1);
        let (mut fine, mut refused, mut blocks) = (0, 0, 0);
        for (legend, room) in
            [(&every, MAX_TABLE_LENGTH), (&every, 1 << 14), (&every, 129 << 7), (&every, 0), (&many, MAX_TABLE_LENGTH)]
        {
            let mut stacks = Stacks::new(&catalogue, legend, room);
            assert_eq!(stacks.table.is_empty(), room < 1 << 14 || legend.len() >= 1024);
            for round in 0..48 {
                let mut cell = |layer: usize| match [1, 1, 2, 9][(layer + round) % 4] {
                    9 => TileId::EMPTY,
                    thin if random.index(thin) > 0 => TileId::EMPTY,
                    _ => TileId(random.index(if round % 2 == 0 { legend.len() } else { 40 }) as u16),
                };
                let layers: Vec<Vec<TileId>> =
                    (0..2 + round % 3).map(|layer| (0..LENGTH).map(|_| cell(layer)).collect()).collect();
                for begin in [0, BLOCK_CELLS] {
                    let block: Vec<&[TileId]> =
                        layers.iter().map(|cells| &cells[begin..LENGTH.min(begin + BLOCK_CELLS)]).collect();
                    let mut all_fine = true;
                    for i in 0..block[0].len() {
                        let entries: Vec<TileId> = block.iter().map(|cells| cells[i]).collect();
                        let tiles = entries.iter().filter_map(|id| legend[usize::from(id.0)].variant).collect();
                        let is_fine = can_share_cell(&catalogue, &tiles);
                        for _ in 0..2 {
                            assert_eq!(stacks.can_share_cell_by_cache(&entries), is_fine, "{entries:?}, room {room}");
                        }
                        let alone: Vec<&[TileId]> = block.iter().map(|cells| &cells[i..=i]).collect();
                        assert!(is_fine || !stacks.are_stacks_of_block_known_valid(&alone), "{entries:?}, room {room}");
                        assert!(
                            !is_fine
                                || room < MAX_TABLE_LENGTH
                                || legend.len() >= 1024
                                || stacks.are_stacks_of_block_known_valid(&alone)
                        );
                        (fine, refused) = (fine + usize::from(is_fine), refused + usize::from(!is_fine));
                        all_fine &= is_fine;
                    }
                    let known = stacks.are_stacks_of_block_known_valid(&block);
                    assert!(all_fine || !known);
                    blocks += usize::from(known);
                }
            }
        }
        assert!(fine > 1000 && refused > 100 && blocks > 10, "{fine} {refused} {blocks}");
    }
}
