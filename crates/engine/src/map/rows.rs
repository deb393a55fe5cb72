//! Rows of characters, of one layer or of several.

use super::capped::Capped;
use super::format::LayerFile;
use super::legend::Palette;
use super::look;
use super::markers::Markers;
use super::parts::{check_layer_names, check_size};
use super::row_list::RowList;
use super::{EntryId, Layer, Limits, MapErrorKind};
use crate::text::Step::{Character, Field, Item};
use crate::text::{Problems, Step};
use std::collections::BTreeMap;

/// In how many places an unknown character is told of; where it is used in earnest, it is so everywhere.
const PLACES: usize = 10;

/// The tiles of a map file, checked.
pub(super) struct Tiles {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) layers: Vec<Layer>,
}

/// The rows of one layer as they stand in the file.
struct Sheet<'t> {
    /// Its number, if the file has `layers`.
    number: Option<usize>,
    layer: LayerFile<'t>,
}

impl Sheet<'_> {
    /// Its name for errors: only where the file names its layers.
    fn name(&self) -> Option<String> {
        self.number.map(|_| self.layer.name.clone())
    }

    /// The way to its rows.
    fn steps(&self) -> Vec<Step<'static>> {
        match self.number {
            Some(number) => vec![Field("layers"), Item(number), Field("tiles")],
            None => vec![Field("tiles")],
        }
    }

    /// The way to a row.
    fn row(&self, row: usize) -> Vec<Step<'static>> {
        [self.steps(), vec![Item(row)]].concat()
    }

    /// The way to a character of a row, or to the row's end.
    fn cell(&self, row: usize, column: usize) -> Vec<Step<'static>> {
        [self.steps(), vec![Item(row), Character(column)]].concat()
    }
}

/// Reads the rows of a file.
pub(super) struct Rows<'a, 't> {
    sheets: Vec<Sheet<'t>>,
    palette: &'a Palette,
    limits: &'a Limits,
    /// For each marker of the palette, the columns and rows in which it is drawn.
    drawn: Vec<Vec<(u32, u32)>>,
    /// How many that are; of too many not all are kept.
    pub(super) markers: usize,
    /// In how many places each unknown character has been found.
    unknown: BTreeMap<char, usize>,
}

impl<'a, 't> Rows<'a, 't> {
    /// The rows of a file that has them as one layer or in several.
    pub(super) fn new<const MAX: usize>(
        tiles: Option<RowList<'t>>,
        layers: Option<Capped<LayerFile<'t>, MAX>>,
        palette: &'a Palette,
        limits: &'a Limits,
        problems: &mut Problems<MapErrorKind>,
    ) -> Rows<'a, 't> {
        let layers = match (tiles, layers) {
            (Some(tiles), None) => {
                let layer = LayerFile { name: Layer::ONLY.to_owned(), collides: true, tiles };
                return Rows::of(vec![Sheet { number: None, layer }], palette, limits);
            }
            (None, Some(layers)) => layers,
            (None, None) => {
                problems.add(&[], || MapErrorKind::NoTiles);
                return Rows::of(Vec::new(), palette, limits);
            }
            (Some(_), Some(layers)) => {
                problems.add(&[Field("layers")], || MapErrorKind::TilesAndLayers);
                layers
            }
        };
        let names: Vec<&str> = layers.list.iter().map(|layer| layer.name.as_str()).collect();
        check_layer_names(&names, layers.count, limits.layers, |number, kind| match number {
            Some(number) => problems.add(&[Field("layers"), Item(number), Field("name")], || kind),
            None => problems.add(&[Field("layers")], || kind),
        });
        let sheet = |(number, layer)| Sheet { number: Some(number), layer };
        Rows::of(layers.list.into_iter().enumerate().map(sheet).collect(), palette, limits)
    }

    fn of(sheets: Vec<Sheet<'t>>, palette: &'a Palette, limits: &'a Limits) -> Rows<'a, 't> {
        let drawn = vec![Vec::new(); palette.markers.len()];
        Rows { sheets, palette, limits, drawn, markers: 0, unknown: BTreeMap::new() }
    }

    /// The cells of all layers. Without any, if rows are not all of one length, their characters are looked at only.
    pub(super) fn read(&mut self, problems: &mut Problems<MapErrorKind>) -> Option<Tiles> {
        let size = self.size(problems);
        let mut layers = Vec::new();
        let sheets = std::mem::take(&mut self.sheets);
        for sheet in &sheets {
            let cells = match size {
                Some((width, height)) => self.cells(sheet, width, width * height, problems),
                None => {
                    self.look(sheet, problems);
                    Vec::new()
                }
            };
            layers.push(Layer { name: sheet.layer.name.clone(), collides: sheet.layer.collides, cells });
        }
        self.sheets = sheets;
        let (width, height) = size?;
        Some(Tiles { width: width as u32, height: height as u32, layers })
    }

    /// Columns and rows of all layers, if they agree.
    fn size(&self, problems: &mut Problems<MapErrorKind>) -> Option<(usize, usize)> {
        let first = self.sheets.first()?;
        let height = first.layer.tiles.len();
        let Some(width) = first.layer.tiles.iter().next().map(|row| first.layer.tiles.characters(row)) else {
            problems.add(&first.steps(), || MapErrorKind::NoRows);
            return None;
        };
        if width == 0 {
            problems.add(&first.row(0), || MapErrorKind::EmptyRow);
            return None;
        }
        let mut agree = true;
        for sheet in &self.sheets {
            let rows = sheet.layer.tiles.len();
            if rows != height {
                agree = false;
                let layer = || sheet.layer.name.clone();
                problems.add(&sheet.steps(), || MapErrorKind::LayerRows { layer: layer(), rows, expected: height });
            }
            let lengths = sheet.layer.tiles.iter().map(|row| sheet.layer.tiles.characters(row));
            for (row, length) in lengths.enumerate() {
                if length != width {
                    agree = false;
                    // The first character too many, or the end of a row that is too short.
                    problems.add_at(|| {
                        let kind =
                            MapErrorKind::RaggedRow { layer: sheet.name(), row: row + 1, length, expected: width };
                        (sheet.cell(row, length.min(width)), kind)
                    });
                }
            }
        }
        problems.check(&first.steps(), check_size(width as u64, height as u64, self.limits.cells))?;
        agree.then_some((width, height))
    }

    /// The cells of a layer, the lowest row first; drawn markers are kept on the way.
    fn cells(
        &mut self,
        sheet: &Sheet<'_>,
        width: usize,
        count: usize,
        problems: &mut Problems<MapErrorKind>,
    ) -> Vec<EntryId> {
        let mut cells = Vec::with_capacity(count);
        let palette = self.palette;
        let mut is_known = true;
        // The last row of the file is the lowest of the map.
        for (up, text) in sheet.layer.tiles.upwards().enumerate() {
            let row = (count / width - 1 - up) as u32;
            palette.paint((text, width), &mut cells, |column, character| {
                let Some(paint) = palette.of(character) else {
                    is_known = false;
                    return EntryId::EMPTY;
                };
                if let Some(marker) = paint.marker {
                    self.markers += 1;
                    if self.markers <= self.limits.markers {
                        self.drawn[usize::from(marker)].push((column as u32, row));
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
    pub(super) fn add_markers(&mut self, origin: (i32, i32), height: u32, markers: &mut Markers) {
        for (name, tiles) in self.palette.markers.iter().zip(std::mem::take(&mut self.drawn)) {
            let tile = |(column, row)| (origin.0 + column as i32, origin.1 + (height - 1 - row) as i32);
            markers.add(name, tiles.into_iter().map(tile));
        }
    }

    /// The way to a character of a layer.
    pub(super) fn cell(&self, layer: usize, column: u32, row: u32) -> Vec<Step<'static>> {
        self.sheets.get(layer).map_or_else(Vec::new, |sheet| sheet.cell(row as usize, column as usize))
    }

    /// The way to the last of the layers' cells in that column and row that draws a marker of that name.
    pub(super) fn last_drawn(&self, name: &str, column: u32, row: u32) -> Vec<Step<'static>> {
        let (column, row) = (column as usize, row as usize);
        let draws = |sheet: &&Sheet<'_>| {
            let character = sheet.layer.tiles.iter().nth(row).and_then(|text| text.chars().nth(column));
            let marker = character.and_then(|character| self.palette.of(character)).and_then(|paint| paint.marker);
            marker.is_some_and(|marker| self.palette.markers[usize::from(marker)] == name)
        };
        self.sheets.iter().rfind(draws).map_or_else(Vec::new, |sheet| sheet.cell(row, column))
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
        let kind = MapErrorKind::UnknownCharacter { layer: sheet.name(), character, row: row + 1, like: like() };
        (sheet.cell(row, column), kind)
    });
}
