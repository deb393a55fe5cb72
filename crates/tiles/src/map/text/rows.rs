//! Reads rows of symbols, of one layer or several.

use super::capped::Capped;
use super::format::LayerFile;
use super::legend::Palette;
use super::look;
use super::markers::Markers;
use super::parts::{check_layer_names, check_origin, checked_cell_count};
use super::row_list::RowList;
use super::{MapErrorKind, MapLimits, TileId, TileLayer};
use crate::text::Step::{Character, Field, Item};
use crate::text::{Problems, Step};
use std::collections::BTreeMap;

/// Maximum number of reports for one unknown symbol. A symbol that the author intends is used in many cells.
const MAX_REPORTS_PER_SYMBOL: usize = 10;

/// The rows of one layer in the file.
struct Sheet<'t> {
    /// Path to the map or platform that has the layer.
    within: Vec<Step<'static>>,
    /// Index of the layer, if the file has `layers`.
    number: Option<usize>,
    layer: LayerFile<'t>,
    /// Tile of the layer's lower left cell.
    origin: (i32, i32),
}

impl Sheet<'_> {
    /// Returns the layer's name for errors, if the file names the layers.
    fn layer_name(&self) -> Option<String> {
        self.number.map(|_| self.layer.name.clone())
    }

    /// Returns the path in the file to the layer's rows.
    fn path_to_rows(&self) -> Vec<Step<'static>> {
        let mut steps = self.within.clone();
        steps.extend(self.number.into_iter().flat_map(|number| [Field("layers"), Item(number)]));
        steps.push(Field("tiles"));
        steps
    }

    /// Returns the path to a row.
    fn row_path(&self, row: usize) -> Vec<Step<'static>> {
        [self.path_to_rows(), vec![Item(row)]].concat()
    }

    /// Returns the path to a symbol of a row, or to the row's end.
    fn cell_path(&self, row: usize, column: usize) -> Vec<Step<'static>> {
        [self.path_to_rows(), vec![Item(row), Character(column)]].concat()
    }

    /// Returns the row and column of a tile. Meaningless outside the layer.
    fn row_and_column(&self, (x, y): (i32, i32)) -> (usize, usize) {
        let up = i64::from(y) - i64::from(self.origin.1);
        let down = usize::try_from(up).map_or(0, |up| self.layer.tiles.len().saturating_sub(up + 1));
        (down, usize::try_from(i64::from(x) - i64::from(self.origin.0)).unwrap_or(0))
    }
}

/// Reads the rows of a file.
pub(super) struct Rows<'a, 't> {
    sheets: Vec<Sheet<'t>>,
    palette: &'a Palette,
    limits: &'a MapLimits,
    /// For each marker of the palette, the tiles in which rows place it.
    drawn: Vec<Vec<(i32, i32)>>,
    /// Number of those tiles, without those of tile kinds that place a marker. If there are too many, not all are kept.
    pub(super) markers: usize,
    /// Whether the positions of all layers are known.
    pub(super) is_placed: bool,
    /// Number of positions at which each unknown symbol was found.
    unknown: BTreeMap<char, usize>,
}

impl<'a, 't> Rows<'a, 't> {
    /// Creates a reader for the rows of a map or platform, in one layer or several. `within` is the path to it.
    pub(super) fn new<const MAX: usize>(
        within: Vec<Step<'static>>,
        tiles: Option<RowList<'t>>,
        layers: Option<Capped<LayerFile<'t>, MAX>>,
        origin: Option<(i32, i32)>,
        palette: &'a Palette,
        limits: &'a MapLimits,
        problems: &mut Problems<MapErrorKind>,
    ) -> Rows<'a, 't> {
        let (mut is_placed, origin) = (origin.is_some(), origin.unwrap_or_default());
        let list = [&within[..], &[Field("layers")]].concat();
        let layers = match (tiles, layers) {
            (Some(tiles), None) => {
                let layer = LayerFile { name: TileLayer::DEFAULT_NAME.to_owned(), collides: true, origin: None, tiles };
                return Rows::from_sheets(
                    vec![Sheet { within, number: None, layer, origin }],
                    is_placed,
                    palette,
                    limits,
                );
            }
            (None, Some(layers)) => layers,
            (None, None) => {
                problems.add(&within, || MapErrorKind::NoTiles);
                return Rows::from_sheets(Vec::new(), is_placed, palette, limits);
            }
            (Some(_), Some(layers)) => {
                problems.add(&list, || MapErrorKind::TilesAndLayers);
                layers
            }
        };
        let names: Vec<&str> = layers.list.iter().map(|layer| layer.name.as_str()).collect();
        check_layer_names(&names, layers.count, limits.layers, |number, kind| match number {
            Some(number) => problems.add_at(|| ([&list[..], &[Item(number), Field("name")]].concat(), kind.into())),
            None => problems.add(&list, || kind.into()),
        });
        let sheet = |(number, layer): (usize, LayerFile<'t>)| {
            let at = [&list[..], &[Item(number), Field("origin")]].concat();
            let own = layer.origin.map(|(x, y)| problems.ok_or_add(&at, check_origin(x, y)));
            is_placed &= own != Some(None);
            Sheet { within: within.clone(), number: Some(number), layer, origin: own.flatten().unwrap_or(origin) }
        };
        let sheets = layers.list.into_iter().enumerate().map(sheet).collect();
        Rows::from_sheets(sheets, is_placed, palette, limits)
    }

    fn from_sheets(
        sheets: Vec<Sheet<'t>>,
        is_placed: bool,
        palette: &'a Palette,
        limits: &'a MapLimits,
    ) -> Rows<'a, 't> {
        let drawn = vec![Vec::new(); palette.markers.len()];
        Rows { sheets, palette, limits, drawn, markers: 0, is_placed, unknown: BTreeMap::new() }
    }

    /// Returns the path to a layer: to its origin, if it has one.
    pub(super) fn layer_path(&self, number: usize) -> Vec<Step<'static>> {
        let mut steps = vec![Field("layers"), Item(number)];
        steps.extend(self.sheets.get(number).and_then(|sheet| sheet.layer.origin).map(|_| Field("origin")));
        steps
    }

    /// Returns the layers. `None` if the rows of a layer have different lengths; then only its symbols are checked.
    pub(super) fn read_layers(&mut self, problems: &mut Problems<MapErrorKind>) -> Option<Vec<TileLayer>> {
        let sheets = std::mem::take(&mut self.sheets);
        let mut layers = Some(Vec::new());
        for sheet in &sheets {
            let Some((width, height)) = self.check_layer_size(sheet, problems) else {
                self.report_unknown_symbols(sheet, problems);
                layers = None;
                continue;
            };
            let cells = self.read_cells(sheet, width, width * height, problems);
            if let Some(layers) = &mut layers {
                let LayerFile { name, collides, .. } = &sheet.layer;
                let size = (width as u32, height as u32);
                layers.push(TileLayer { name: name.clone(), collides: *collides, origin: sheet.origin, size, cells });
            }
        }
        self.sheets = sheets;
        layers.filter(|layers| !layers.is_empty())
    }

    /// Returns the columns and rows of a layer, if its rows agree.
    fn check_layer_size(&self, sheet: &Sheet<'_>, problems: &mut Problems<MapErrorKind>) -> Option<(usize, usize)> {
        let tiles = &sheet.layer.tiles;
        let height = tiles.len();
        let Some(width) = tiles.iter().next().map(|row| tiles.character_count(row)) else {
            problems.add(&sheet.path_to_rows(), || MapErrorKind::NoRows);
            return None;
        };
        if width == 0 {
            problems.add(&sheet.row_path(0), || MapErrorKind::EmptyRow);
            return None;
        }
        let mut agree = true;
        for (row, length) in tiles.iter().map(|row| tiles.character_count(row)).enumerate() {
            if length != width {
                agree = false;
                // Report the first extra symbol, or the end of a row that is too short.
                problems.add_at(|| {
                    let kind =
                        MapErrorKind::RaggedRow { layer: sheet.layer_name(), row: row + 1, length, expected: width };
                    (sheet.cell_path(row, length.min(width)), kind)
                });
            }
        }
        problems
            .ok_or_add(&sheet.path_to_rows(), checked_cell_count(width as u64, height as u64, self.limits.cells))?;
        agree.then_some((width, height))
    }

    /// Returns the cells of a layer, the lowest row first. Records the markers in the rows.
    fn read_cells(
        &mut self,
        sheet: &Sheet<'_>,
        width: usize,
        count: usize,
        problems: &mut Problems<MapErrorKind>,
    ) -> Vec<TileId> {
        let mut cells = Vec::with_capacity(count);
        let palette = self.palette;
        let mut is_known = true;
        // The last row of the file is the lowest of the map.
        for (up, text) in sheet.layer.tiles.upwards().enumerate() {
            // No overflow: an origin is at most 2^28 away, and the number of cells is limited.
            let y = sheet.origin.1 + up as i32;
            palette.add_row_cells((text, width), &mut cells, |column, character| {
                let Some(paint) = palette.paint_of_symbol(character) else {
                    is_known = false;
                    return TileId::EMPTY;
                };
                if let Some(marker) = paint.marker {
                    self.markers += 1;
                    if self.markers <= self.limits.markers {
                        self.drawn[usize::from(marker)].push((sheet.origin.0 + column as i32, y));
                    }
                }
                paint.entry
            });
        }
        if !is_known {
            self.report_unknown_symbols(sheet, problems);
        }
        cells
    }

    /// Searches for symbols that the legend does not have.
    fn report_unknown_symbols(&mut self, sheet: &Sheet<'_>, problems: &mut Problems<MapErrorKind>) {
        let palette = self.palette;
        for (row, text) in sheet.layer.tiles.iter().enumerate() {
            let mut before = None;
            for (column, character) in text.chars().enumerate() {
                // Report one symbol for a run of equal symbols.
                if before != Some(character) && palette.paint_of_symbol(character).is_none() {
                    let places = self.unknown.entry(character).or_default();
                    *places += 1;
                    if *places > MAX_REPORTS_PER_SYMBOL {
                        problems.more += 1;
                    } else {
                        problems.add_at(|| {
                            let (layer, like) =
                                (sheet.layer_name(), look::ascii_lookalike(character, palette.symbols_with_meaning()));
                            let kind = MapErrorKind::UnknownSymbol { layer, symbol: character, row: row + 1, like };
                            (sheet.cell_path(row, column), kind)
                        });
                    }
                }
                before = Some(character);
            }
        }
    }

    /// Adds the markers in the rows, without those that tile kinds place.
    pub(super) fn move_drawn_markers_to(&mut self, markers: &mut Markers) {
        for (name, tiles) in self.palette.markers.iter().zip(std::mem::take(&mut self.drawn)) {
            markers.add_tiles(name, tiles);
        }
    }

    /// Returns the path to a tile of a layer.
    pub(super) fn cell_path(&self, layer: usize, tile: (i32, i32)) -> Vec<Step<'static>> {
        self.sheets.get(layer).map_or_else(Vec::new, |sheet| {
            let (row, column) = sheet.row_and_column(tile);
            sheet.cell_path(row, column)
        })
    }

    /// Returns the name of a marker in the rows, and the path to a cell that places it.
    pub(super) fn first_drawn_marker(&self) -> Option<(String, Vec<Step<'static>>)> {
        let mut drawn = self.palette.markers.iter().zip(&self.drawn);
        let (name, tile) = drawn.find_map(|(name, tiles)| Some((name, *tiles.first()?)))?;
        Some((name.clone(), self.path_to_last_drawn_marker(name, tile)))
    }

    /// Returns the path to the last layer's cell at a tile that places a marker of that name.
    pub(super) fn path_to_last_drawn_marker(&self, name: &str, tile: (i32, i32)) -> Vec<Step<'static>> {
        let draws = |sheet: &&Sheet<'_>| {
            let (row, column) = sheet.row_and_column(tile);
            let character = sheet.layer.tiles.iter().nth(row).and_then(|text| text.chars().nth(column));
            let Some(paint) = character.and_then(|character| self.palette.paint_of_symbol(character)) else {
                return false;
            };
            let of_kind = self.palette.kinds[usize::from(paint.entry.0)].things.marker.as_ref();
            paint.marker.is_some_and(|marker| self.palette.markers[usize::from(marker)] == name)
                || of_kind.is_some_and(|marker| marker.name == name)
        };
        let number = self.sheets.iter().rposition(|sheet| draws(&sheet));
        number.map_or_else(Vec::new, |number| self.cell_path(number, tile))
    }
}
