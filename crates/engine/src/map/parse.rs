use super::capped::CappedPairs;
use super::format::{Definition, MAX_NAMES, MapFile};
use super::legend::{self, Meaning, Palette};
use super::look::{self, Looks};
use super::markers::{self, Markers};
use super::parts::{check_origin, check_path, check_pixels};
use super::problem::{MapErrors, Problem, Problems};
use super::properties::{find_large_integers, properties};
use super::rows::{Rows, Tiles};
use super::{LegendEntry, Limits, Map, MapError, MapErrorKind, shared, syntax};
use crate::catalogue::Catalogue;
use crate::text::Step::{Field, Item, Key, Value as EntryValue};
use crate::text::{Step, integer_field};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

impl Map {
    /// Reads a map of the built-in catalogue from the text of a RON file; `docs/map-format.md` lists its fields.
    ///
    /// A byte order mark before the text is skipped.
    ///
    /// # Errors
    /// [`MapError`] with the line and column of what is wrong: the first mistake, where the legend comes before the
    /// rows and rows of different lengths before unknown characters. [`Map::check_ron`] gives all of them.
    pub fn from_ron(text: &str) -> Result<Map, MapError> {
        map_with(text, &Limits::default(), |named, at| match named {
            None => Ok(Catalogue::builtin()),
            Some(path) => Err(at(MapErrorKind::NoFolder { path: path.to_owned() })),
        })
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
        let mut problems = Problems::new(1);
        let map = check(read(text)?, catalogue, &Limits::default(), &mut problems);
        finish(text, &[], map, problems)
    }

    /// As [`Map::from_ron_with`], with all that is wrong in place of the first mistake, up to [`MapErrors::MAX`].
    ///
    /// A text that is no RON of a map's form gives one error: where it stops being that.
    ///
    /// # Errors
    /// [`MapErrors`], in the order of the text.
    pub fn check_ron(text: &str, catalogue: &Arc<Catalogue>) -> Result<Map, MapErrors> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let file = read(text).map_err(|error| MapErrors { list: vec![error], more: 0 })?;
        let mut problems = Problems::new(MapErrors::MAX);
        match check(file, catalogue, &Limits::default(), &mut problems) {
            Some(map) => Ok(map),
            None => Err(MapErrors::new(text, problems)),
        }
    }
}

/// Reads a map within limits; `find` gives the catalogue, from the file that the map names, if it does. It gets a
/// function that puts an error where it is named.
pub(crate) fn map_with<E: From<MapError>>(
    text: &str,
    limits: &Limits,
    find: impl FnOnce(Option<&str>, &dyn Fn(MapErrorKind) -> MapError) -> Result<Arc<Catalogue>, E>,
) -> Result<Map, E> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file = read(text)?;
    let at = |kind| Problem { steps: vec![Field("catalogue")], kind }.place(text, &[]);
    if let Some(path) = &file.catalogue {
        check_path(path).map_err(at)?;
    }
    let catalogue = find(file.catalogue.as_deref(), &at)?;
    let mut problems = Problems::new(1);
    let map = check(file, &catalogue, limits, &mut problems);
    Ok(finish(text, &[], map, problems)?)
}

/// The map, or the first problem at its place.
fn finish(text: &str, within: &[Step<'_>], map: Option<Map>, problems: Problems) -> Result<Map, MapError> {
    match (map, problems.list.into_iter().next()) {
        (_, Some(problem)) => Err(problem.place(text, within)),
        (Some(map), None) => Ok(map),
        // Where there is no map there is a problem.
        (None, None) => Err(Problem { steps: Vec::new(), kind: MapErrorKind::NoTiles }.place(text, within)),
    }
}

/// The file's fields, not yet checked.
fn read(text: &str) -> Result<MapFile<'_>, MapError> {
    let read = ron::from_str::<MapFile<'_>>(text);
    let format = match &read {
        Ok(file) => Some(file.format),
        // A file of a later format may well have fields of other forms; its version is then what matters.
        Err(_) => integer_field(text, "format"),
    };
    if let Some(found) = format.filter(|&found| found != i64::from(Map::FORMAT)) {
        return Err(Problem { steps: vec![Field("format")], kind: MapErrorKind::Format { found } }.place(text, &[]));
    }
    let mut file = read.map_err(|error| syntax::error(text, error))?;
    find_large_integers(text, &[], &mut file.properties);
    Ok(file)
}

/// Checks the fields of a map and gathers what is wrong, in this order: format, legend, origin, rows, markers, the
/// rest. There is a map if nothing is.
///
/// One mistake is told of once: what depends on something wrong is not checked.
pub(crate) fn check(
    file: MapFile<'_>,
    catalogue: &Arc<Catalogue>,
    limits: &Limits,
    problems: &mut Problems,
) -> Option<Map> {
    let limits = &limits.within_reach();
    if file.format != i64::from(Map::FORMAT) {
        problems.add(&[Field("format")], || MapErrorKind::Format { found: file.format });
        return None;
    }
    if let Some(path) = &file.catalogue {
        problems.check(&[Field("catalogue")], check_path(path));
    }
    let palette = palette(&file.legend, file.only_this_legend, catalogue, limits, problems);
    let origin = problems.check(&[Field("origin")], check_origin(file.origin.0, file.origin.1));
    let mut rows = Rows::new(file.tiles, file.layers, &palette, limits, problems);
    let tiles = rows.read(problems);
    let frame = origin.zip(tiles.as_ref().map(|tiles| (tiles.width, tiles.height)));
    let in_bounds = |tiles: &&Tiles| tiles.layers.len() <= Map::MAX_LAYERS && palette.legend.len() <= Map::MAX_ENTRIES;
    if let Some(tiles) = tiles.as_ref().filter(in_bounds) {
        let (size, origin) = ((tiles.width, tiles.height), origin.unwrap_or_default());
        shared::check(catalogue, &palette.legend, &tiles.layers, size, origin, |layer, column, row, kind| {
            problems.add_at(|| (rows.cell(layer, column, tiles.height - 1 - row), kind));
        });
    }
    let markers = markers(&file.markers, frame, limits, &mut rows, problems);
    let pixels_per_tile = problems.check(&[Field("pixels_per_tile")], check_pixels(file.pixels_per_tile));
    let properties = properties(file.properties, limits, problems);
    if !problems.is_empty() {
        return None;
    }
    let Tiles { width, height, layers } = tiles?;
    Some(Map {
        catalogue: catalogue.clone(),
        catalogue_file: file.catalogue,
        legend: palette.legend,
        width,
        height,
        origin: origin?,
        layers,
        sides: file.beyond,
        markers,
        pixels_per_tile: pixels_per_tile?,
        properties,
        checksum: OnceLock::new(),
    })
}

/// The built-in legend, unless it is not wanted, with what the file says added or put in its place.
fn palette(
    legend: &CappedPairs<char, Definition, { Map::MAX_ENTRIES }>,
    only_this: bool,
    catalogue: &Catalogue,
    limits: &Limits,
    problems: &mut Problems,
) -> Palette {
    let mut meanings = if only_this { Vec::new() } else { legend::builtin(catalogue) };
    let known: BTreeMap<char, usize> =
        meanings.iter().enumerate().map(|(i, meaning)| (meaning.entry.character, i)).collect();
    // ASCII comes first: what is told of is another character that looks like it.
    let mut looks = legend.list.iter().any(|(character, _)| !character.is_ascii()).then(Looks::default);
    if let Some(looks) = &mut looks {
        let builtin = meanings.iter().map(|meaning| meaning.entry.character);
        let own = legend.list.iter().map(|&(character, _)| character);
        for character in builtin.chain(own.filter(char::is_ascii)) {
            // All ASCII may stay.
            let _ = looks.add(character);
        }
    }
    let mut seen = BTreeSet::new();
    for (i, (character, definition)) in legend.list.iter().enumerate() {
        let character = *character;
        let is_new = seen.insert(character);
        if !is_new {
            problems.add(&[Field("legend"), Key(i)], || MapErrorKind::DuplicateCharacter { character });
        }
        problems.check(&[Field("legend"), Key(i)], look::check_visible(character));
        if let Some(looks) = &mut looks
            && let Err(other) = looks.add(character)
        {
            problems.add(&[Field("legend"), Key(i)], || MapErrorKind::ConfusableCharacter { character, other });
        }
        let meaning = meaning(i, character, definition, catalogue, problems);
        match known.get(&character) {
            _ if !is_new => {}
            Some(&at) => meanings[at].replace(meaning),
            None => meanings.push(meaning),
        }
    }
    let palette = Palette::new(&meanings);
    let unread = legend.count - legend.list.len();
    let count = palette.legend.len() + unread;
    let marking = meanings.iter().filter(|meaning| meaning.marker.is_some()).count();
    let (count, limit) = (count.max(marking), limits.entries);
    if count > limit {
        problems.add(&[Field("legend")], || MapErrorKind::TooManyEntries { count, limit });
    }
    palette
}

/// What the legend's entry number `i` says; an empty cell in place of a tile that is wrong.
fn meaning(
    i: usize,
    character: char,
    definition: &Definition,
    catalogue: &Catalogue,
    problems: &mut Problems,
) -> Meaning {
    let whole = [Field("legend"), EntryValue(i)];
    let field = |name| [Field("legend"), EntryValue(i), Field(name)];
    let tile = definition.tile.as_ref().map_or(Ok(None), |name| legend::tile_variant(catalogue, name));
    let mut entry = LegendEntry::empty(character);
    match tile {
        Ok(variant) => {
            entry = LegendEntry { character, variant, drop_through: definition.drop_through };
            problems.check(&field("drop_through"), legend::check_variant(catalogue, &entry));
        }
        Err(source) => {
            let in_field = field("tile");
            problems.add(if definition.has_fields { &in_field } else { &whole }, || {
                let known = legend::known_tiles(catalogue, &source);
                MapErrorKind::UnknownTile { character, source, known }
            });
        }
    }
    if definition.marker.as_ref().is_some_and(String::is_empty) {
        problems.add(&field("marker"), || MapErrorKind::NamelessMarker);
    }
    Meaning::own(entry, definition.marker.clone())
}

/// The markers that are drawn and those that are listed by their tiles, which are looked at only if it is known where
/// the map is.
fn markers(
    listed: &CappedPairs<String, Vec<(i64, i64)>, MAX_NAMES>,
    frame: Option<((i32, i32), (u32, u32))>,
    limits: &Limits,
    rows: &mut Rows<'_, '_>,
    problems: &mut Problems,
) -> Markers {
    let mut markers = Markers::default();
    let mut seen = BTreeMap::new();
    for (i, (name, _)) in listed.list.iter().enumerate() {
        if name.is_empty() {
            problems.add(&[Field("markers"), Key(i)], || MapErrorKind::NamelessMarker);
        } else if seen.contains_key(name.as_str()) {
            problems.add(&[Field("markers"), Key(i)], || MapErrorKind::DuplicateMarker { name: name.clone() });
        } else {
            seen.insert(name.as_str(), i);
        }
    }
    let tiles: usize = listed.list.iter().map(|(_, tiles)| tiles.len()).sum();
    let (count, limit) = (rows.markers + tiles + listed.count - listed.list.len(), limits.markers);
    if count > limit || listed.count > listed.list.len() {
        let limit = if count > limit { limit } else { MAX_NAMES };
        problems.add(&[Field("markers")], || MapErrorKind::TooManyMarkers { count: count.max(listed.count), limit });
        return markers;
    }
    let Some((origin, size)) = frame else { return markers };
    rows.add_markers(origin, size.1, &mut markers);
    for (name, i) in &seen {
        for (j, &tile) in listed.list[*i].1.iter().enumerate() {
            let steps = [Field("markers"), EntryValue(*i), Item(j)];
            markers.add(name, problems.check(&steps, markers::check(name, tile, origin, size)));
        }
    }
    for (name, (x, y)) in markers.sort() {
        problems.add_at(|| {
            // At the last place where the list has it: it is drawn, or it stands there before.
            let tile = (i64::from(x), i64::from(y));
            let at = |&i: &usize| Some((i, listed.list[i].1.iter().rposition(|&at| at == tile)?));
            let steps = match seen.get(name).and_then(at) {
                Some((i, j)) => vec![Field("markers"), EntryValue(i), Item(j)],
                None => {
                    let (column, row) = (x.abs_diff(origin.0), size.1 - 1 - y.abs_diff(origin.1));
                    rows.last_drawn(name, column, row)
                }
            };
            (steps, MapErrorKind::RepeatedMarker { name: name.to_owned(), x, y })
        });
    }
    markers
}
