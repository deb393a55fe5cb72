//! Rows of characters, of one layer or of several.

use super::capped::Capped;
use super::format::LayerFile;
use super::legend::Palette;
use super::look;
use super::markers::Markers;
use super::parts::{check_layer_names, check_origin, check_size};
use super::row_list::RowList;
use super::{MapErrorKind, MapLimits, TileId, TileLayer};
use crate::text::Step::{Character, Field, Item};
use crate::text::{Problems, Step};
use std::collections::BTreeMap;

/// Number of places at which one unknown symbol is reported. A symbol that the author means is used in many.
const PLACES: usize = 10;

/// The rows of one layer as they stand in the file.
struct Sheet<'t> {
    /// The way to what it is a layer of.
    within: Vec<Step<'static>>,
    /// Its number, if the file has `layers`.
    number: Option<usize>,
    layer: LayerFile<'t>,
    /// Which tile its lower left cell is.
    origin: (i32, i32),
}

impl Sheet<'_> {
    /// Its name for errors: only where the file names its layers.
    fn name(&self) -> Option<String> {
        self.number.map(|_| self.layer.name.clone())
    }

    /// The way to its rows.
    fn steps(&self) -> Vec<Step<'static>> {
        let mut steps = self.within.clone();
        steps.extend(self.number.into_iter().flat_map(|number| [Field("layers"), Item(number)]));
        steps.push(Field("tiles"));
        steps
    }

    /// The way to a row.
    fn row(&self, row: usize) -> Vec<Step<'static>> {
        [self.steps(), vec![Item(row)]].concat()
    }

    /// The way to a character of a row, or to the row's end.
    fn cell(&self, row: usize, column: usize) -> Vec<Step<'static>> {
        [self.steps(), vec![Item(row), Character(column)]].concat()
    }

    /// The row and column of a tile; outside the layer some others.
    fn position(&self, (x, y): (i32, i32)) -> (usize, usize) {
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
    /// For each marker of the palette, the tiles in which it is drawn.
    drawn: Vec<Vec<(i32, i32)>>,
    /// How many that are; of too many not all are kept.
    pub(super) markers: usize,
    /// Whether it is known where all layers are.
    pub(super) is_placed: bool,
    /// In how many places each unknown symbol has been found.
    unknown: BTreeMap<char, usize>,
}

impl<'a, 't> Rows<'a, 't> {
    /// The rows of a map or platform that has them as one layer or in several; `within` is the way to it.
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
                return Rows::of(vec![Sheet { within, number: None, layer, origin }], is_placed, palette, limits);
            }
            (None, Some(layers)) => layers,
            (None, None) => {
                problems.add(&within, || MapErrorKind::NoTiles);
                return Rows::of(Vec::new(), is_placed, palette, limits);
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
            let own = layer.origin.map(|(x, y)| problems.check(&at, check_origin(x, y)));
            is_placed &= own != Some(None);
            Sheet { within: within.clone(), number: Some(number), layer, origin: own.flatten().unwrap_or(origin) }
        };
        let sheets = layers.list.into_iter().enumerate().map(sheet).collect();
        Rows::of(sheets, is_placed, palette, limits)
    }

    fn of(sheets: Vec<Sheet<'t>>, is_placed: bool, palette: &'a Palette, limits: &'a MapLimits) -> Rows<'a, 't> {
        let drawn = vec![Vec::new(); palette.markers.len()];
        Rows { sheets, palette, limits, drawn, markers: 0, is_placed, unknown: BTreeMap::new() }
    }

    /// The way to a layer: to its origin, if it has one.
    pub(super) fn layer(&self, number: usize) -> Vec<Step<'static>> {
        let mut steps = vec![Field("layers"), Item(number)];
        steps.extend(self.sheets.get(number).and_then(|sheet| sheet.layer.origin).map(|_| Field("origin")));
        steps
    }

    /// The layers. `None` if the rows of one are not all of one length: its characters are looked at only.
    pub(super) fn read(&mut self, problems: &mut Problems<MapErrorKind>) -> Option<Vec<TileLayer>> {
        let sheets = std::mem::take(&mut self.sheets);
        let mut layers = Some(Vec::new());
        for sheet in &sheets {
            let Some((width, height)) = self.size(sheet, problems) else {
                self.look(sheet, problems);
                layers = None;
                continue;
            };
            let cells = self.cells(sheet, width, width * height, problems);
            if let Some(layers) = &mut layers {
                let LayerFile { name, collides, .. } = &sheet.layer;
                let size = (width as u32, height as u32);
                layers.push(TileLayer { name: name.clone(), collides: *collides, origin: sheet.origin, size, cells });
            }
        }
        self.sheets = sheets;
        layers.filter(|layers| !layers.is_empty())
    }

    /// Columns and rows of a layer, if its rows agree.
    fn size(&self, sheet: &Sheet<'_>, problems: &mut Problems<MapErrorKind>) -> Option<(usize, usize)> {
        let tiles = &sheet.layer.tiles;
        let height = tiles.len();
        let Some(width) = tiles.iter().next().map(|row| tiles.characters(row)) else {
            problems.add(&sheet.steps(), || MapErrorKind::NoRows);
            return None;
        };
        if width == 0 {
            problems.add(&sheet.row(0), || MapErrorKind::EmptyRow);
            return None;
        }
        let mut agree = true;
        for (row, length) in tiles.iter().map(|row| tiles.characters(row)).enumerate() {
            if length != width {
                agree = false;
                // The first character too many, or the end of a row that is too short.
                problems.add_at(|| {
                    let kind = MapErrorKind::RaggedRow { layer: sheet.name(), row: row + 1, length, expected: width };
                    (sheet.cell(row, length.min(width)), kind)
                });
            }
        }
        problems.check(&sheet.steps(), check_size(width as u64, height as u64, self.limits.cells))?;
        agree.then_some((width, height))
    }

    /// The cells of a layer, the lowest row first; drawn markers are kept on the way.
    fn cells(
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
            // Fits: an origin is at most 2^28 out, and a layer has at most so many cells.
            let y = sheet.origin.1 + up as i32;
            palette.paint((text, width), &mut cells, |column, character| {
                let Some(paint) = palette.of(character) else {
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
            self.look(sheet, problems);
        }
        cells
    }

    /// Looks for characters that the legend lacks.
    fn look(&mut self, sheet: &Sheet<'_>, problems: &mut Problems<MapErrorKind>) {
        let palette = self.palette;
        for (row, text) in sheet.layer.tiles.iter().enumerate() {
            let mut before = None;
            for (column, character) in text.chars().enumerate() {
                // One is told of for a run of the same.
                if before != Some(character) && palette.of(character).is_none() {
                    let like = || look::like(character, palette.characters());
                    unknown(&mut self.unknown, sheet, (row, column), character, like, problems);
                }
                before = Some(character);
            }
        }
    }

    /// Adds the markers that are drawn.
    pub(super) fn add_markers(&mut self, markers: &mut Markers) {
        for (name, tiles) in self.palette.markers.iter().zip(std::mem::take(&mut self.drawn)) {
            markers.add(name, tiles);
        }
    }

    /// The way to a tile of a layer.
    pub(super) fn cell(&self, layer: usize, tile: (i32, i32)) -> Vec<Step<'static>> {
        self.sheets.get(layer).map_or_else(Vec::new, |sheet| {
            let (row, column) = sheet.position(tile);
            sheet.cell(row, column)
        })
    }

    /// The name of a marker that is drawn, and the way to a cell that draws it.
    pub(super) fn first_drawn(&self) -> Option<(String, Vec<Step<'static>>)> {
        let mut drawn = self.palette.markers.iter().zip(&self.drawn);
        let (name, tile) = drawn.find_map(|(name, tiles)| Some((name, *tiles.first()?)))?;
        Some((name.clone(), self.last_drawn(name, tile)))
    }

    /// The way to the last of the layers' cells at a tile that draws a marker of that name.
    pub(super) fn last_drawn(&self, name: &str, tile: (i32, i32)) -> Vec<Step<'static>> {
        let draws = |sheet: &&Sheet<'_>| {
            let (row, column) = sheet.position(tile);
            let character = sheet.layer.tiles.iter().nth(row).and_then(|text| text.chars().nth(column));
            let marker = character.and_then(|character| self.palette.of(character)).and_then(|paint| paint.marker);
            marker.is_some_and(|marker| self.palette.markers[usize::from(marker)] == name)
        };
        let number = self.sheets.iter().rposition(|sheet| draws(&sheet));
        number.map_or_else(Vec::new, |number| self.cell(number, tile))
    }
}

/// Tells of a character that the legend lacks, or counts it.
fn unknown(
    found: &mut BTreeMap<char, usize>,
    sheet: &Sheet<'_>,
    (row, column): (usize, usize),
    character: char,
    like: impl FnOnce() -> Option<char>,
    problems: &mut Problems<MapErrorKind>,
) {
    let places = found.entry(character).or_default();
    *places += 1;
    if *places > PLACES {
        problems.more += 1;
        return;
    }
    problems.add_at(|| {
        let kind = MapErrorKind::UnknownSymbol { layer: sheet.name(), symbol: character, row: row + 1, like: like() };
        (sheet.cell(row, column), kind)
    });
}
