use super::format::{Definition, MapFile, Raw};
use super::legend::{self, Meaning, Paint, Palette};
use super::markers::{self, Markers};
use super::parts::{check_origin, check_pixels, check_property, check_size};
use super::{EntryId, Layer, LegendEntry, Map, MapError, MapErrorKind, Value, syntax};
use crate::catalogue::Catalogue;
use crate::text::Step::{Character, Field, Item, Key, Value as EntryValue};
use crate::text::{Pairs, Step, integer_field, is_integer, locate};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl Map {
    /// Reads a map of the built-in catalogue from the text of a RON file; `docs/map-format.md` lists its fields.
    ///
    /// A byte order mark before the text is skipped.
    ///
    /// # Errors
    /// [`MapError`] with the line and column of what is wrong: the first mistake, where rows of different lengths come
    /// before unknown characters.
    pub fn from_ron(text: &str) -> Result<Map, MapError> {
        Map::from_ron_with(text, &Catalogue::builtin())
    }

    /// As [`Map::from_ron`], with the name of the file for errors.
    ///
    /// # Errors
    /// As [`Map::from_ron`].
    pub fn from_ron_named(text: &str, name: &str) -> Result<Map, MapError> {
        Map::from_ron(text).map_err(|error| error.in_file(name))
    }

    /// As [`Map::from_ron`], with another catalogue.
    ///
    /// The built-in legend then holds those of its entries whose tiles the catalogue has.
    ///
    /// # Errors
    /// As [`Map::from_ron`].
    pub fn from_ron_with(text: &str, catalogue: &Arc<Catalogue>) -> Result<Map, MapError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let file = read(text)?;
        Source { text, within: &[], catalogue }.map(file)
    }
}

/// Checks a map that is part of a larger text, at the end of the way `within`; of the built-in catalogue.
pub(crate) fn map_in(text: &str, within: &[Step<'_>], file: MapFile) -> Result<Map, MapError> {
    let source = Source { text, within, catalogue: &Catalogue::builtin() };
    if file.format != i64::from(Map::FORMAT) {
        return Err(source.fail(&[Field("format")])(MapErrorKind::Format { found: file.format }));
    }
    source.map(file)
}

/// The file's fields, not yet checked.
fn read(text: &str) -> Result<MapFile, MapError> {
    let read = ron::from_str::<MapFile>(text);
    let format = match &read {
        Ok(file) => Some(file.format),
        // A file of a later format may well have fields of other forms; its version is then what matters.
        Err(_) => integer_field(text, "format"),
    };
    if let Some(found) = format.filter(|&found| found != i64::from(Map::FORMAT)) {
        return Err(error_at(text, &[Field("format")], MapErrorKind::Format { found }));
    }
    read.map_err(|error| syntax::error(text, error))
}

fn error_at(text: &str, steps: &[Step<'_>], kind: MapErrorKind) -> MapError {
    let (line, column) = locate(text, steps);
    MapError { file: None, line, column, kind }
}

/// The text that a map is read from, and where its variants come from.
struct Source<'a> {
    text: &'a str,
    /// The way from the text's first value to the map.
    within: &'a [Step<'a>],
    catalogue: &'a Arc<Catalogue>,
}

impl Source<'_> {
    fn fail<'s>(&self, steps: &'s [Step<'s>]) -> impl FnOnce(MapErrorKind) -> MapError + use<'_, 's> {
        move |kind| error_at(self.text, &[self.within, steps].concat(), kind)
    }

    fn map(&self, file: MapFile) -> Result<Map, MapError> {
        let palette = self.palette(&file.legend, file.only_this_legend)?;
        let origin = check_origin(file.origin.0, file.origin.1).map_err(self.fail(&[Field("origin")]))?;
        let mut markers = Markers::default();
        let (size, cells) = self.cells(&file.tiles, &palette, origin, &mut markers)?;
        self.listed_markers(file.markers, origin, size, &mut markers)?;
        let pixels_per_tile = check_pixels(file.pixels_per_tile).map_err(self.fail(&[Field("pixels_per_tile")]))?;
        let properties = self.properties(file.properties)?;
        Ok(Map {
            catalogue: self.catalogue.clone(),
            legend: palette.legend,
            width: size.0,
            height: size.1,
            origin,
            layers: vec![Layer::only(cells)],
            sides: file.beyond,
            markers,
            pixels_per_tile,
            properties,
        })
    }

    /// The built-in legend, unless it is not wanted, with what the file says added or put in its place.
    fn palette(&self, legend: &Pairs<char, Definition>, only_this: bool) -> Result<Palette, MapError> {
        let mut meanings = if only_this { Vec::new() } else { legend::builtin(self.catalogue) };
        let known: BTreeMap<char, usize> =
            meanings.iter().enumerate().map(|(i, meaning)| (meaning.entry.character, i)).collect();
        let mut seen = BTreeSet::new();
        for (i, (character, definition)) in legend.0.iter().enumerate() {
            let character = *character;
            if !seen.insert(character) {
                let kind = MapErrorKind::DuplicateCharacter { character };
                return Err(self.fail(&[Field("legend"), Key(i)])(kind));
            }
            let meaning = self.meaning(i, character, definition)?;
            match known.get(&character) {
                Some(&at) => meanings[at] = meaning,
                None => meanings.push(meaning),
            }
        }
        // One for the empty cell, which may have no character of its own.
        let count = 1 + meanings.iter().filter(|meaning| meaning.entry.variant.is_some()).count();
        let marking = meanings.iter().filter(|meaning| meaning.marker.is_some()).count();
        if count.max(marking) > Map::MAX_ENTRIES {
            let kind = MapErrorKind::TooManyEntries { count: count.max(marking) };
            return Err(self.fail(&[Field("legend")])(kind));
        }
        Ok(Palette::new(&meanings))
    }

    /// What the legend's entry number `i` says.
    fn meaning(&self, i: usize, character: char, definition: &Definition) -> Result<Meaning, MapError> {
        let whole = [Field("legend"), EntryValue(i)];
        let field = |name| [Field("legend"), EntryValue(i), Field(name)];
        let in_field = field("tile");
        let tile_steps = if definition.has_fields { &in_field[..] } else { &whole[..] };
        let variant = match &definition.tile {
            None => None,
            Some(name) => legend::tile_variant(self.catalogue, name).map_err(|source| {
                let known = legend::known_tiles(self.catalogue, &source);
                self.fail(tile_steps)(MapErrorKind::UnknownTile { character, source, known })
            })?,
        };
        let entry = LegendEntry { character, variant, drop_through: definition.drop_through };
        legend::check_entry(self.catalogue, &entry).map_err(|kind| match kind {
            MapErrorKind::ControlCharacter { .. } => self.fail(&[Field("legend"), Key(i)])(kind),
            _ => self.fail(&field("drop_through"))(kind),
        })?;
        if definition.marker.as_ref().is_some_and(String::is_empty) {
            return Err(self.fail(&field("marker"))(MapErrorKind::NamelessMarker));
        }
        Ok(Meaning { entry, marker: definition.marker.clone() })
    }

    /// The width and the number of cells of rows that are all of one length.
    fn size(&self, rows: &[String]) -> Result<(usize, usize), MapError> {
        let length = |row: &String| if row.is_ascii() { row.len() } else { row.chars().count() };
        let expected = rows.first().map(length).ok_or_else(|| self.fail(&[Field("tiles")])(MapErrorKind::NoRows))?;
        if expected == 0 {
            return Err(self.fail(&[Field("tiles"), Item(0)])(MapErrorKind::EmptyRow));
        }
        for (row, length) in rows.iter().map(length).enumerate() {
            if length != expected {
                let kind = MapErrorKind::RaggedRow { row: row + 1, length, expected };
                // The first character too many, or the end of a row that is too short.
                return Err(self.fail(&[Field("tiles"), Item(row), Character(length.min(expected))])(kind));
            }
        }
        let count = check_size(expected as u64, rows.len() as u64).map_err(self.fail(&[Field("tiles")]))?;
        Ok((expected, count))
    }

    /// The size and the cells, the lowest row first; markers that are drawn are added on the way.
    fn cells(
        &self,
        rows: &[String],
        palette: &Palette,
        origin: (i32, i32),
        markers: &mut Markers,
    ) -> Result<((u32, u32), Vec<EntryId>), MapError> {
        let (width, count) = self.size(rows)?;
        let mut cells = vec![EntryId::EMPTY; count];
        let mut drawn: Vec<Vec<(i32, i32)>> = vec![Vec::new(); palette.markers.len()];
        // The last row of the file is the lowest of the map.
        for (row, (text, cells)) in rows.iter().zip(cells.chunks_exact_mut(width).rev()).enumerate() {
            let y = origin.1 + (rows.len() - 1 - row) as i32;
            let paint = |x: usize, paint: Paint| {
                if let Some(marker) = paint.marker {
                    drawn[usize::from(marker)].push((origin.0 + x as i32, y));
                }
            };
            self.row(row, text, palette, cells, paint)?;
        }
        for (name, tiles) in palette.markers.iter().zip(drawn) {
            markers.add(name, tiles);
        }
        Ok(((width as u32, rows.len() as u32), cells))
    }

    /// Fills one row of cells from a text of the same length; `visit` gets each cell's column and paint.
    fn row(
        &self,
        row: usize,
        text: &str,
        palette: &Palette,
        cells: &mut [EntryId],
        mut visit: impl FnMut(usize, Paint),
    ) -> Result<(), MapError> {
        let mut fill = |x: usize, paint: Option<Paint>, cell: &mut EntryId| {
            let paint = paint.ok_or(x)?;
            *cell = paint.entry;
            visit(x, paint);
            Ok(())
        };
        let cells = cells.iter_mut().enumerate();
        let filled: Result<(), usize> = if text.is_ascii() {
            cells.zip(text.bytes()).try_for_each(|((x, cell), byte)| fill(x, palette.of_ascii(byte), cell))
        } else {
            cells.zip(text.chars()).try_for_each(|((x, cell), c)| fill(x, palette.of(c), cell))
        };
        filled.map_err(|x| {
            let character = text.chars().nth(x).unwrap_or_default();
            let kind = MapErrorKind::UnknownCharacter { character, row: row + 1 };
            self.fail(&[Field("tiles"), Item(row), Character(x)])(kind)
        })
    }

    /// Adds the markers that are listed by their tiles.
    fn listed_markers(
        &self,
        listed: Pairs<String, Vec<(i64, i64)>>,
        origin: (i32, i32),
        size: (u32, u32),
        markers: &mut Markers,
    ) -> Result<(), MapError> {
        let mut seen = BTreeSet::new();
        for (i, (name, tiles)) in listed.0.iter().enumerate() {
            if name.is_empty() {
                return Err(self.fail(&[Field("markers"), Key(i)])(MapErrorKind::NamelessMarker));
            }
            if !seen.insert(name) {
                let kind = MapErrorKind::DuplicateMarker { name: name.clone() };
                return Err(self.fail(&[Field("markers"), Key(i)])(kind));
            }
            for (j, &tile) in tiles.iter().enumerate() {
                let steps = [Field("markers"), EntryValue(i), Item(j)];
                let tile = markers::check(name, tile, origin, size).map_err(self.fail(&steps))?;
                markers.add(name, [tile]);
            }
        }
        let repeated = markers.sort().map_err(|(name, tile)| (name.to_owned(), tile));
        repeated.map_err(|(name, (x, y))| {
            // At the last place where the list has it: it is drawn, or it stands there before.
            let tile = (i64::from(x), i64::from(y));
            let i = listed.0.iter().position(|(listed, _)| *listed == name).unwrap_or(0);
            let j = listed.0.get(i).and_then(|(_, tiles)| tiles.iter().rposition(|&at| at == tile)).unwrap_or(0);
            let steps = [Field("markers"), EntryValue(i), Item(j)];
            self.fail(&steps)(MapErrorKind::RepeatedMarker { name, x, y })
        })
    }

    fn properties(&self, properties: Pairs<String, Raw>) -> Result<BTreeMap<String, Value>, MapError> {
        let mut steps = vec![Field("properties")];
        self.value_map(properties.0, &mut steps, None)
    }

    /// The values of a map of properties; `top` is the name of the property they are part of.
    fn value_map<'s>(
        &self,
        pairs: Vec<(String, Raw)>,
        steps: &mut Vec<Step<'s>>,
        top: Option<&str>,
    ) -> Result<BTreeMap<String, Value>, MapError> {
        let mut values = BTreeMap::new();
        for (i, (name, raw)) in pairs.into_iter().enumerate() {
            if values.contains_key(&name) {
                steps.push(Key(i));
                return Err(self.fail(steps)(MapErrorKind::DuplicateProperty { name }));
            }
            steps.push(EntryValue(i));
            let value = self.value(raw, steps, top.unwrap_or(&name))?;
            if top.is_none() {
                check_property(&name, &value).map_err(self.fail(steps))?;
            }
            steps.pop();
            values.insert(name, value);
        }
        Ok(values)
    }

    fn value(&self, raw: Raw, steps: &mut Vec<Step<'_>>, top: &str) -> Result<Value, MapError> {
        Ok(match raw {
            Raw::Bool(value) => Value::Bool(value),
            Raw::Integer(value) => Value::Integer(value),
            Raw::LargeInteger => return Err(self.fail(steps)(MapErrorKind::LargeInteger { name: top.to_owned() })),
            // Looked up only where an integer would not have been one for the RON reader.
            Raw::Float(value)
                if value.abs() >= -(i64::MIN as f64) && is_integer(self.text, &[self.within, steps].concat()) =>
            {
                return Err(self.fail(steps)(MapErrorKind::LargeInteger { name: top.to_owned() }));
            }
            Raw::Float(value) if value.is_finite() => Value::Float(value),
            Raw::Float(_) => return Err(self.fail(steps)(MapErrorKind::NotFinite { name: top.to_owned() })),
            Raw::Text(value) => Value::Text(value),
            Raw::List(raws) => {
                let mut values = Vec::with_capacity(raws.len());
                for (i, raw) in raws.into_iter().enumerate() {
                    steps.push(Item(i));
                    values.push(self.value(raw, steps, top)?);
                    steps.pop();
                }
                Value::List(values)
            }
            Raw::Map(pairs) => Value::Map(self.value_map(pairs, steps, Some(top))?),
        })
    }
}
