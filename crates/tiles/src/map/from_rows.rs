use super::legend::{self, Palette};
use super::parts::checked_cell_count;
use super::{Map, MapParts, MapPartsError, TileId, TileLayer};
use crate::catalogue::Catalogue;
use crate::told::debug_is_display;
use thiserror::Error;

/// Error of [`Map::from_rows`] and [`Map::layer_from_rows`].
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum RowsError {
    /// A row has more or fewer symbols than the first row.
    #[error("row {row} has {length} symbols; expected {expected}, as in row 1")]
    Ragged {
        /// Number of the row, from 1 at the top.
        row: usize,
        /// Number of symbols in this row.
        length: usize,
        /// Number of symbols in the first row.
        expected: usize,
    },
    /// A row has a symbol (a character) that stands for no tile.
    #[error("unknown symbol {symbol:?} in row {row}, column {column}; expected a symbol of the legend")]
    UnknownSymbol {
        /// The unknown symbol.
        symbol: char,
        /// Number of the row, from 1 at the top.
        row: usize,
        /// Number of the symbol in its row, from 1.
        column: usize,
    },
    /// There are no rows, or the rows have no symbols.
    #[error("the map has no cells; expected at least one row of at least one symbol")]
    Empty,
    /// The rows have too many cells or markers for a map, or another part of the map would be invalid.
    #[error(transparent)]
    Parts(#[from] MapPartsError),
}

debug_is_display!(RowsError);

impl Map {
    /// Creates a map from rows of symbols, such as `"#.@.#"`. Each symbol is one cell; the first row is the top.
    ///
    /// The map has one tile layer and uses the built-in tiles. `docs/formats/map.md` in the repository lists the
    /// symbols.
    ///
    /// # Errors
    /// Returns [`RowsError`]:
    ///
    /// - if there are no rows, or the rows are empty or differ in length;
    /// - if a symbol is not one of the built-in symbols;
    /// - if the map is too large.
    ///
    /// # Examples
    /// ```
    /// use surefoot::map::Map;
    ///
    /// let map = Map::from_rows(["@.#", "###"])?;
    /// assert_eq!((map.size(), map.marker_cell("start")), ((3, 2), Some((0, 1))));
    /// assert!(Map::from_rows(["##", "#"]).is_err());
    /// assert!(Map::from_rows(["q"]).is_err());
    /// # Ok::<(), surefoot::map::RowsError>(())
    /// ```
    pub fn from_rows<R: AsRef<str>>(rows: impl IntoIterator<Item = R>) -> Result<Map, RowsError> {
        let catalogue = Catalogue::builtin();
        let palette = Palette::new(&legend::builtin_legend(&catalogue));
        let mut markers = Vec::new();
        let layer = read_layer(TileLayer::DEFAULT_NAME, rows, |character, (x, y)| {
            let paint = palette.paint_of_symbol(character)?;
            let marker = paint.marker.map(|marker| palette.markers[usize::from(marker)].clone());
            markers.extend(marker.map(|name| (name, (x, y))));
            Some(paint.entry)
        })?;
        Ok(Map::from_parts(MapParts { markers, ..MapParts::with_builtin_kinds(catalogue, vec![layer]) })?)
    }

    /// Creates a tile layer for this map from rows of symbols. Each symbol is one cell; the first row is the top.
    ///
    /// The symbols are those of this map: [`Map::find_tile`] returns the tile kind of a symbol. The lower left cell of
    /// the new layer is tile (0, 0). The map does not change.
    ///
    /// # Errors
    /// Returns [`RowsError`]:
    ///
    /// - if there are no rows, or the rows are empty or differ in length;
    /// - if the map has no tile kind for a symbol.
    pub fn layer_from_rows<R: AsRef<str>>(
        &self,
        name: impl Into<String>,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<TileLayer, RowsError> {
        read_layer(name, rows, |character, _| self.find_tile(character))
    }
}

/// Reads a layer from its rows. `kind` returns the tile kind of a symbol, and also receives the tile's cell.
fn read_layer<R: AsRef<str>>(
    name: impl Into<String>,
    rows: impl IntoIterator<Item = R>,
    mut kind: impl FnMut(char, (i32, i32)) -> Option<TileId>,
) -> Result<TileLayer, RowsError> {
    let rows: Vec<R> = rows.into_iter().collect();
    let expected = rows.first().map_or(0, |row| row.as_ref().chars().count());
    if expected == 0 {
        return Err(RowsError::Empty);
    }
    checked_cell_count(expected as u64, rows.len() as u64, Map::MAX_CELLS).map_err(MapPartsError::from)?;
    let mut layer = TileLayer::new(name, expected as u32, rows.len() as u32);
    for (above, text) in rows.iter().enumerate() {
        let (row, y) = (above + 1, rows.len() - 1 - above);
        let length = text.as_ref().chars().count();
        if length != expected {
            return Err(RowsError::Ragged { row, length, expected });
        }
        for (x, character) in text.as_ref().chars().enumerate() {
            let unknown = RowsError::UnknownSymbol { symbol: character, row, column: x + 1 };
            layer.cells[y * expected + x] = kind(character, (x as i32, y as i32)).ok_or(unknown)?;
        }
    }
    Ok(layer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_a_text_reads_them() {
        let legend = r#"@.#/\`'12345678_^v()LJo+|-=* "#;
        let rows = [legend.to_owned(), legend.chars().rev().collect()];
        let text = format!("Map(format: 1, tiles: [r#\"{}\"#, r#\"{}\"#])", rows[0], rows[1]);
        assert_eq!(Map::from_rows(&rows).unwrap(), Map::from_ron(&text).unwrap());
    }

    #[test]
    fn rows_that_are_no_map_are_refused() {
        let refused = |rows: &[&str]| Map::from_rows(rows).unwrap_err().to_string();
        assert_eq!(refused(&["..", "..."]), "row 2 has 3 symbols; expected 2, as in row 1");
        assert_eq!(refused(&["..", ".é"]), "unknown symbol 'é' in row 2, column 2; expected a symbol of the legend");
        for rows in [&[][..], &[""], &["", "."]] {
            assert_eq!(Map::from_rows(rows), Err(RowsError::Empty), "{rows:?}");
        }
        assert_eq!(Map::from_rows(["."]).unwrap().layers()[0].cells, [TileId::EMPTY]);
    }
}
