//! Platforms that are drawn in the rows of a map. Their cells are taken out of the tile layers of the map.

use super::legend::Palette;
use super::platform_text::PlatformFile;
use super::{Map, MapErrorKind, TileId, TileLayer};
use crate::text::Step::{Field, Item};
use crate::text::{Problems, Step, name_hint};
use crate::told::named_variants;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, VecDeque};
use thiserror::Error;

/// The cells of the map that are platforms of one entry.
pub(super) struct DrawnPlatform {
    pub(super) symbol: char,
    /// Name of the only tile layer with its cells. `None` for all that collide.
    pub(super) layer: Option<String>,
    /// Field of the entry that excludes `cells`: `tiles`, `layers` or `at`.
    pub(super) other: Option<&'static str>,
    /// Whether `cells` is a single character.
    pub(super) is_symbol_valid: bool,
}

/// Problem with the field `cells` of a platform, which is drawn in the rows of the map.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum DrawnPlatformError {
    /// The platform has `cells` and a field that its cells decide: `tiles`, `layers` or `at`.
    #[error(
        "`cells` and `{field}` are both given; expected one of them: the drawn cells already give the tiles and the position"
    )]
    OtherField {
        /// Name of the other field.
        field: &'static str,
    },
    /// The legend (the list of what each symbol stands for) does not have the symbol.
    #[error("the legend has no symbol {symbol:?}; {}", symbol_suggestion(*symbol, like))]
    UnknownSymbol {
        /// The unknown symbol.
        symbol: char,
        /// Suggestion: a symbol of the legend that the author may have meant.
        like: Option<char>,
    },
    /// The symbol stands for an empty cell.
    #[error("the symbol {symbol:?} is an empty cell; expected a symbol with a tile")]
    Empty {
        /// The symbol in `cells`.
        symbol: char,
    },
    /// The symbol places a marker (a named tile) or other [things](crate::map::Things), which cannot move with a
    /// platform.
    #[error(
        "the symbol {symbol:?} places things, which cannot move with a platform; expected a symbol for a tile only"
    )]
    Things {
        /// The symbol in `cells`.
        symbol: char,
    },
    /// The map has no tile layer with the name in the field `layer`.
    #[error("no tile layer is named {layer:?}{}", name_hint(layer, known))]
    UnknownLayer {
        /// The unknown name.
        layer: String,
        /// Names of the map's tile layers.
        known: Vec<String>,
    },
    /// Bodies do not collide with the tile layer in the field `layer`.
    #[error("the tile layer {layer:?} has `collides: false`; expected a tile layer that collides")]
    NoCollision {
        /// Name of the tile layer.
        layer: String,
    },
    /// No cell has the symbol.
    #[error(
        "no cell{} has the symbol {symbol:?}; expected at least one{}",
        layer_name_suffix(layer),
        other_layer_hint(others)
    )]
    NoCells {
        /// The symbol in `cells`.
        symbol: char,
        /// Name of the searched tile layer. `None` for all that collide.
        layer: Option<String>,
        /// Names of other tile layers that have the symbol.
        others: Vec<String>,
    },
    /// An earlier platform has the same cells.
    #[error("an earlier platform already uses the cells of {symbol:?}; expected a different symbol or tile layer")]
    Taken {
        /// The symbol in `cells`.
        symbol: char,
    },
    /// The rectangles around all drawn platforms have too many cells.
    #[error("the rectangles around all drawn platforms have {cells} cells or more; expected at most {limit}")]
    TooLarge {
        /// Number of cells in the rectangles up to this platform.
        cells: u64,
        /// Maximum number of cells.
        limit: u64,
    },
    /// A name belongs to several drawn platforms, and something is attached to one of them.
    #[error(
        "the map has {count} platforms drawn as {name:?}; expected one of the names \"{name} 1\" to \"{name} {count}\""
    )]
    Several {
        /// Name of the entry in `platforms`.
        name: String,
        /// Number of platforms that the entry draws.
        count: usize,
    },
}

named_variants! {
    DrawnPlatformError: OtherField UnknownSymbol Empty Things UnknownLayer NoCollision NoCells Taken TooLarge Several
}

fn symbol_suggestion(symbol: char, like: &Option<char>) -> String {
    like.map_or_else(
        || format!("expected a symbol of the legend; add {symbol:?} to `legend`"),
        |like| format!("did you mean {like:?}?"),
    )
}

fn layer_name_suffix(layer: &Option<String>) -> String {
    layer.as_ref().map_or_else(String::new, |layer| format!(" of tile layer {layer:?}"))
}

fn other_layer_hint(others: &[String]) -> String {
    others.first().map_or_else(String::new, |layer| format!("; did you mean `layer: {layer:?}`, which has some?"))
}

/// Returns the name of a drawn platform. `number`: its number among the `count` platforms of its entry, from 0.
pub(super) fn name_of_drawn_platform(name: &str, number: usize, count: usize) -> Cow<'_, str> {
    if name.is_empty() || count == 1 { Cow::Borrowed(name) } else { format!("{name} {}", number + 1).into() }
}

/// Names of platforms, each with 1, and names of entries that draw several platforms, with their number.
pub(super) type PlatformNames = BTreeMap<String, usize>;

/// Returns the error for something that is attached to an entry that draws several platforms.
pub(super) fn check_draws_one_platform(name: &str, names: &PlatformNames) -> Result<(), MapErrorKind> {
    let count = names.get(name).copied().unwrap_or_default();
    let name = || name.to_owned();
    let error = || DrawnPlatformError::Several { name: name(), count };
    if count > 1 { Err(MapErrorKind::DrawnPlatform { name: name(), error: error() }) } else { Ok(()) }
}

/// Maximum number of cells in the rectangles around all drawn platforms: 2^22. They take memory that the file does not.
const MAX_DRAWN_CELLS: u64 = Map::MAX_BOUNDING_CELLS;

/// Marks the cells of the group that is being taken out. No tile kind has this index.
const TAKEN: TileId = TileId(u16::MAX);

/// Drawn platforms of a map.
#[derive(Default)]
pub(super) struct DrawnPlatforms {
    /// For each entry of `platforms`, its groups of cells in the map. Empty if no entry is drawn.
    groups: Vec<Vec<TileLayer>>,
    /// Number of groups. If there are too many, not all are kept.
    pub(super) count: usize,
    /// For each entry of `platforms`, whether any cell is one of its groups, kept or not.
    has_cells: Vec<bool>,
}

impl DrawnPlatforms {
    /// Takes the cells of drawn platforms out of the tile layers, and reports errors in the fields `cells` and
    /// `layer` of their entries. `None` if an error makes the layers unknown.
    ///
    /// The cells of one platform are connected by their sides: a group. The groups of an entry are sorted by tile
    /// layer, then by their uppermost cell, and among several of these by the leftmost one.
    pub(super) fn take_platform_cells(
        files: &[PlatformFile<'_>],
        layers: Option<&mut Vec<TileLayer>>,
        (palette, is_legend_sound): (&Palette, bool),
        problems: &mut Problems<MapErrorKind>,
    ) -> Option<DrawnPlatforms> {
        let mut drawn = DrawnPlatforms::default();
        if files.iter().all(|file| file.cells.is_none()) {
            return Some(drawn);
        }
        let layers = layers?;
        drawn.groups.resize_with(files.len(), Vec::new);
        drawn.has_cells.resize(files.len(), false);
        let mut owners = BTreeMap::new();
        for (i, file) in files.iter().enumerate() {
            let Some(cells) = file.cells.as_ref().filter(|cells| cells.is_symbol_valid) else { continue };
            let symbol = cells.symbol;
            let mut add = |field, error| problems.add(&field_path(i, field), || drawn_platform_error(file, error));
            if let Some(field) = cells.other {
                add(field, DrawnPlatformError::OtherField { field });
            }
            let id = match find_drawn_tile_kind(symbol, palette) {
                Ok(id) => id,
                Err(error) => {
                    // If the legend has an error, its symbols are uncertain. Then do not report errors about them.
                    if is_legend_sound {
                        add("cells", error);
                    }
                    continue;
                }
            };
            let own: Vec<usize> = match find_layer(cells, layers) {
                Ok(Some(number)) => vec![number],
                Ok(None) => (0..layers.len()).filter(|number| layers[*number].collides).collect(),
                Err(error) => {
                    add("layer", error);
                    continue;
                }
            };
            if own.iter().any(|number| owners.contains_key(&(*number, id))) {
                add("cells", DrawnPlatformError::Taken { symbol });
                continue;
            }
            owners.extend(own.into_iter().map(|number| ((number, id), i)));
        }
        let mut cells = 0;
        for (number, layer) in layers.iter_mut().enumerate() {
            let own = owners.range((number, TileId(0))..=(number, TAKEN)).map(|(&(_, id), &i)| (id, i));
            if let Err(i) = drawn.move_drawn_platforms_out_of_layer(layer, &own.collect(), &mut cells) {
                let error = DrawnPlatformError::TooLarge { cells, limit: MAX_DRAWN_CELLS };
                problems.add(&field_path(i, "cells"), || drawn_platform_error(&files[i], error));
                return None;
            }
        }
        let with_symbol: BTreeMap<usize, TileId> = owners.into_iter().map(|((_, id), i)| (i, id)).collect();
        let missing = with_symbol.into_iter().filter(|(i, _)| !drawn.has_cells[*i]);
        report_entries_without_cells(missing, files, (layers, palette.kinds.len()), problems);
        Some(drawn)
    }

    /// Returns whether all groups of cells were kept.
    pub(super) fn are_all_kept(&self) -> bool {
        self.count <= Map::MAX_PLATFORMS
    }

    /// Returns the groups of cells of an entry.
    pub(super) fn take_groups_of_entry(&mut self, entry: usize) -> Vec<TileLayer> {
        self.groups.get_mut(entry).map(std::mem::take).unwrap_or_default()
    }

    /// Returns the number of platforms of an entry.
    pub(super) fn platform_count_of_entry(&self, entry: usize, file: &PlatformFile<'_>) -> usize {
        if file.cells.is_some() { self.groups.get(entry).map_or(0, Vec::len) } else { 1 }
    }

    /// Returns the names of all platforms, and those of entries that draw several.
    pub(super) fn platform_names(&self, files: &[PlatformFile<'_>]) -> PlatformNames {
        let mut names = PlatformNames::new();
        for (i, file) in files.iter().enumerate() {
            let count = self.platform_count_of_entry(i, file);
            names.entry(file.name.clone()).or_insert(count);
            names.extend((0..count).map(|number| (name_of_drawn_platform(&file.name, number, count).into_owned(), 1)));
        }
        names
    }

    /// Moves the drawn groups out of `layer`. `entries`: the entry in `platforms` of each drawn tile kind. Returns the
    /// entry at which the limit of cells is exceeded.
    fn move_drawn_platforms_out_of_layer(
        &mut self,
        layer: &mut TileLayer,
        entries: &BTreeMap<TileId, usize>,
        cells: &mut u64,
    ) -> Result<(), usize> {
        if entries.is_empty() {
            return Ok(());
        }
        let (width, height) = (layer.size.0 as usize, layer.size.1 as usize);
        let mut border = VecDeque::new();
        for row in (0..height).rev() {
            for column in 0..width {
                let id = layer.cells[row * width + column];
                let Some(&entry) = entries.get(&id) else { continue };
                let (low, high) = mark_connected_cells(layer, (column, row), &mut border);
                let size = (high.0 - low.0 + 1, high.1 - low.1 + 1);
                *cells += (size.0 * size.1) as u64;
                if *cells > MAX_DRAWN_CELLS {
                    return Err(entry);
                }
                let group = move_marked_cells_to_new_layer(layer, low, size, id);
                self.count += 1;
                self.has_cells[entry] = true;
                if self.are_all_kept() {
                    self.groups[entry].push(group);
                }
            }
        }
        Ok(())
    }
}

/// Reports entries without cells, each with its tile kind. `kinds`: the number of tile kinds.
fn report_entries_without_cells(
    missing: impl Iterator<Item = (usize, TileId)>,
    files: &[PlatformFile<'_>],
    (layers, kinds): (&[TileLayer], usize),
    problems: &mut Problems<MapErrorKind>,
) {
    let present = OnceCell::new();
    let find_present = || -> Vec<Vec<bool>> {
        let of_layer = |layer: &TileLayer| {
            let mut present = vec![false; kinds];
            layer.cells.iter().for_each(|id| present[usize::from(id.0)] = true);
            present
        };
        layers.iter().map(of_layer).collect()
    };
    for (i, id) in missing {
        let Some(DrawnPlatform { symbol, layer, .. }) = files[i].cells.as_deref() else { continue };
        problems.add(&field_path(i, "cells"), || {
            let present = present.get_or_init(find_present).iter().zip(layers);
            let others = present.filter(|(present, _)| present[usize::from(id.0)]).map(|(_, layer)| layer.name.clone());
            let error = DrawnPlatformError::NoCells { symbol: *symbol, layer: layer.clone(), others: others.collect() };
            drawn_platform_error(&files[i], error)
        });
    }
}

/// Returns the path to a field of an entry.
fn field_path(entry: usize, field: &'static str) -> [Step<'static>; 3] {
    [Field("platforms"), Item(entry), Field(field)]
}

fn drawn_platform_error(file: &PlatformFile<'_>, error: DrawnPlatformError) -> MapErrorKind {
    MapErrorKind::DrawnPlatform { name: file.name.clone(), error }
}

/// Returns the tile kind of a symbol.
fn find_drawn_tile_kind(symbol: char, palette: &Palette) -> Result<TileId, DrawnPlatformError> {
    let Some(paint) = palette.paint_of_symbol(symbol) else {
        let of_other_case = |other: &char| *other != symbol && other.to_lowercase().eq(symbol.to_lowercase());
        let like = palette.symbols_with_meaning().find(of_other_case);
        let like = like.or_else(|| super::look::ascii_lookalike(symbol, palette.symbols_with_meaning()));
        return Err(DrawnPlatformError::UnknownSymbol { symbol, like });
    };
    let kind = &palette.kinds[usize::from(paint.entry.0)];
    if paint.marker.is_some() || !kind.things.is_empty() {
        Err(DrawnPlatformError::Things { symbol })
    } else if kind.variant.is_none() {
        Err(DrawnPlatformError::Empty { symbol })
    } else {
        Ok(paint.entry)
    }
}

/// Returns the index of the tile layer that an entry names.
fn find_layer(cells: &DrawnPlatform, layers: &[TileLayer]) -> Result<Option<usize>, DrawnPlatformError> {
    let Some(name) = &cells.layer else { return Ok(None) };
    let found = layers.iter().position(|layer| layer.name == *name).ok_or_else(|| {
        let known = layers.iter().map(|layer| layer.name.clone()).collect();
        DrawnPlatformError::UnknownLayer { layer: name.clone(), known }
    })?;
    if layers[found].collides { Ok(Some(found)) } else { Err(DrawnPlatformError::NoCollision { layer: name.clone() }) }
}

/// Marks all cells of the group at a cell. Returns the first and the last column and row of the rectangle around it.
fn mark_connected_cells(
    layer: &mut TileLayer,
    start: (usize, usize),
    border: &mut VecDeque<(usize, usize)>,
) -> ((usize, usize), (usize, usize)) {
    let (width, height) = (layer.size.0 as usize, layer.size.1 as usize);
    let id = std::mem::replace(&mut layer.cells[start.1 * width + start.0], TAKEN);
    let (mut low, mut high) = (start, start);
    border.push_back(start);
    while let Some((x, y)) = border.pop_front() {
        (low, high) = ((low.0.min(x), low.1.min(y)), (high.0.max(x), high.1.max(y)));
        for (x, y) in [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)] {
            if x < width && y < height && layer.cells[y * width + x] == id {
                layer.cells[y * width + x] = TAKEN;
                border.push_back((x, y));
            }
        }
    }
    (low, high)
}

/// Takes the marked cells out of the layer. Returns them as a layer of their own, with cells of kind `id`.
fn move_marked_cells_to_new_layer(
    layer: &mut TileLayer,
    low: (usize, usize),
    size: (usize, usize),
    id: TileId,
) -> TileLayer {
    let mut cells = Vec::with_capacity(size.0 * size.1);
    for row in low.1..low.1 + size.1 {
        let start = row * layer.size.0 as usize + low.0;
        let taken = layer.cells[start..start + size.0].iter_mut().map(|cell| {
            let is_taken = *cell == TAKEN;
            if is_taken {
                *cell = TileId::EMPTY;
            }
            if is_taken { id } else { TileId::EMPTY }
        });
        cells.extend(taken);
    }
    let origin = (layer.origin.0 + low.0 as i32, layer.origin.1 + low.1 as i32);
    let size = (size.0 as u32, size.1 as u32);
    TileLayer { name: TileLayer::DEFAULT_NAME.to_owned(), collides: true, origin, size, cells }
}

#[cfg(test)]
mod tests {
    use crate::map::Map;
    use surefoot::check::{FileKind, text_as};

    /// Reads a map whose rows, legend and platforms are given.
    fn read_map_with_test_legend(rest: &str) -> Map {
        let legend = "{'P': \"full_block\", 'Q': \"one_way\"}";
        Map::from_ron(&format!("Map(format: 1, legend: {legend}, {rest})")).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Each drawn map equals the map on which the same platforms are listed with rows of their own.
    #[test]
    fn drawn_platforms_equal_platforms_listed_with_rows() {
        let path = "motion: Path(points: [(0, 0), (0, 3)], speed: 2.0)";
        let cases = [
            // The cells of `P` are two groups, so the platforms get numbers. The symbol `Q` stays in the terrain.
            (
                format!("origin: (-2, 5), tiles: [\"..PP\", \"PP.P\", \"QQ##\"], platforms: [(cells: 'P', name: \"a\", layer: \"tiles\", {path})]"),
                format!(
                    "origin: (-2, 5), tiles: [\"....\", \"....\", \"QQ##\"], platforms: [
                    (name: \"a 1\", at: (0, 6), {path}, tiles: [\"PP\", \".P\"]), (name: \"a 2\", at: (-2, 6), {path}, tiles: [\"PP\"])]"
                ),
            ),
            (
                "tiles: [\"QPQ\"], platforms: [(cells: 'P', name: \"a\"), (cells: 'Q', on_ride: Start)]".to_owned(),
                "tiles: [\"...\"], platforms: [(name: \"a\", at: (1, 0), tiles: [\"P\"]),
                    (at: (0, 0), on_ride: Start, tiles: [\"Q\"]), (at: (2, 0), on_ride: Start, tiles: [\"Q\"])]"
                    .to_owned(),
            ),
            // Cells that share only a corner do not connect. A ring around another group is a group.
            (
                "tiles: [\"PPP.\", \"PQP.\", \"PPPQ\"], platforms: [(cells: 'Q', name: \"q\"), (cells: 'P', name: \"p\", attached_to: \"q 1\")]".to_owned(),
                "tiles: [\"....\", \"....\", \"....\"], platforms: [(name: \"q 1\", at: (1, 1), tiles: [\"Q\"]), (name: \"q 2\", at: (3, 0), tiles: [\"Q\"]),
                    (name: \"p\", at: (0, 0), attached_to: \"q 1\", tiles: [\"PPP\", \"P.P\", \"PPP\"])]"
                    .to_owned(),
            ),
            // Only cells of the named layer become platforms. All other layers keep their cells.
            (
                "layers: [(name: \"a\", tiles: [\"P.P\"]), (name: \"b\", origin: (1, 1), tiles: [\"PP\"]), (name: \"c\", collides: false, tiles: [\"PP\"])],
                    platforms: [(cells: 'P', name: \"p\", layer: \"b\")]"
                    .to_owned(),
                "layers: [(name: \"a\", tiles: [\"P.P\"]), (name: \"b\", origin: (1, 1), tiles: [\"..\"]), (name: \"c\", collides: false, tiles: [\"PP\"])],
                    platforms: [(name: \"p\", at: (1, 1), tiles: [\"PP\"])]"
                    .to_owned(),
            ),
            (
                "layers: [(name: \"a\", tiles: [\"P.P\"]), (name: \"b\", origin: (1, 1), tiles: [\"PP\"]), (name: \"c\", collides: false, tiles: [\"PP\"])],
                    platforms: [(cells: 'P', name: \"p\")]"
                    .to_owned(),
                "layers: [(name: \"a\", tiles: [\"...\"]), (name: \"b\", origin: (1, 1), tiles: [\"..\"]), (name: \"c\", collides: false, tiles: [\"PP\"])],
                    platforms: [(name: \"p 1\", at: (0, 0), tiles: [\"P\"]), (name: \"p 2\", at: (2, 0), tiles: [\"P\"]), (name: \"p 3\", at: (1, 1), tiles: [\"PP\"])]"
                    .to_owned(),
            ),
        ];
        for (drawn, listed) in cases {
            let (drawn, listed) = (read_map_with_test_legend(&drawn), read_map_with_test_legend(&listed));
            assert_eq!(drawn, listed);
            assert_eq!(drawn.checksum(), listed.checksum());
            assert_eq!(Map::from_ron(&drawn.to_ron()).unwrap(), drawn, "{}", drawn.to_ron());
        }
    }

    /// Areas that are attached to a drawn platform start where they are drawn.
    #[test]
    fn areas_of_the_legend_ride_drawn_platforms() {
        let map = Map::from_ron(
            r#"Map(format: 1, legend: {'P': "full_block", 'c': (area: (tag: "coin", shape: Circle(0.3), attached_to: "lift"))},
                tiles: ["..c.", ".PP."], platforms: [(cells: 'P', name: "lift")], areas: [(shape: Circle(1), attached_to: "lift")])"#,
        )
        .unwrap();
        // The centre of the coin is at (2.5, 1.5), and the lower left corner of the lift at (1, 0). The area's position
        // is relative to the lift.
        assert_eq!(map.areas()[1].position.unwrap().to_dvec2().to_array(), [1.5, 1.5]);
    }

    /// A report has an entry for each of 5000 platforms without cells, or counts it.
    #[test]
    fn every_platform_without_cells_is_refused() {
        let rows = format!("\"{}\",", ".".repeat(1000)).repeat(400);
        let symbols: Vec<char> = ('가'..).take(5000).collect();
        let legend: String = symbols.iter().map(|symbol| format!("{symbol:?}: \"stud\",")).collect();
        let platforms: String = symbols.iter().map(|symbol| format!("(cells: {symbol:?}),")).collect();
        let text = format!("Map(format: 1, legend: {{{legend}}}, platforms: [{platforms}], tiles: [{rows}])");
        let report = text_as(FileKind::Map, &text);
        assert_eq!(report.diagnostics.len() + report.more, symbols.len());
        assert_eq!(report.diagnostics[0].to_string().matches("no cell has the symbol '가'").count(), 1);
    }

    /// An entry whose groups are all beyond the maximum number of platforms has cells, too.
    #[test]
    fn platforms_beyond_the_limit_are_only_too_many() {
        let head = r#"Map(format: 1, legend: {'P': "full_block", 'Q': "stud", 'c': (area: (shape: Circle(0.3), attached_to: "q"))},
            platforms: [(cells: 'P'), (cells: 'Q', name: "q")]"#;
        let width = Map::MAX_PLATFORMS / 256;
        let pairs = format!("\"{}\",\"{}\",", "P.".repeat(width / 2), ".".repeat(width)).repeat(512);
        let text = format!("{head}, tiles: [{pairs}\"c{}Q\"])", ".".repeat(width - 2));
        let report = text_as(FileKind::Map, &text);
        let messages: Vec<String> = report.diagnostics.iter().map(|diagnostic| diagnostic.to_string()).collect();
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].contains("the map has 131073 platforms; expected at most 131072"), "{messages:?}");
    }

    #[test]
    fn rectangles_around_drawn_platforms_are_limited() {
        // The cells of this group lie along two sides of 2049 x 2049 cells. The rectangle around them has more than
        // 2^22 cells.
        let side = 2049;
        let mut rows = vec![format!("\"P{}\",", ".".repeat(side - 1)); side - 1];
        rows.push(format!("\"{}\",", "P".repeat(side)));
        let text = |rows: &[String]| {
            let rows = rows.concat();
            format!("Map(format: 1, legend: {{'P': \"full_block\"}}, platforms: [(cells: 'P')], tiles: [{rows}])")
        };
        let error = Map::from_ron(&text(&rows)).unwrap_err().to_string();
        assert!(error.contains("drawn platforms have 4198401 cells or more; expected at most 4194304"), "{error}");
        assert_eq!(Map::from_ron(&text(&rows[2..])).unwrap().platforms()[0].layers[0].size, (2049, 2047));
    }
}
