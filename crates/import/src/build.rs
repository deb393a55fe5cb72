//! Makes a map of a level: decides for each cell of an editor's layer which tile kind of the map it becomes. An
//! *editor tile* is what the editor says about a tile: its names, class and collision shape.

use crate::art::{TileArt, build_tile_art};
use crate::error::{ImportError, ImportProblem};
use crate::level::{Cell, EditorTile, Flips, Grid, Level, check_cell_count, quoted};
use crate::names::{Names, OwnNames, kind_without_names};
use crate::outline::{Match, find_variant_of_outline, flipped_variant};
use crate::report::{Report, Reporter};
use crate::things::place_objects;
use crate::tiled::VARIANT;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use surefoot::catalogue::{Catalogue, VariantId, VariantNameError};
use surefoot::map::{Map, MapParts, TileId, TileKind, TileLayer, Value};

/// Name that stands for tiles that are empty on purpose, in place of a variant's name.
pub(crate) const EMPTY: &str = "empty";

/// Tile kinds by their names, for the maps of all levels of a file.
pub(crate) struct Kinds<'a> {
    pub(crate) catalogue: Arc<Catalogue>,
    /// The map of names, if there is one.
    pub(crate) own: Option<&'a OwnNames>,
}

/// Names that an import understands by itself.
static USUAL: LazyLock<Names> = LazyLock::new(Names::usual);

impl<'a> Kinds<'a> {
    pub(crate) fn new(own: Option<&'a OwnNames>) -> Kinds<'a> {
        let catalogue = own.map_or_else(Catalogue::builtin, |own| own.map.catalogue().clone());
        Kinds { catalogue, own }
    }

    /// Returns the tile kind that the user's map of names gives to a name.
    pub(crate) fn own_kind(&self, name: &str) -> Option<&TileKind> {
        self.own.and_then(|own| own.names.find_and_mark_used(name))
    }

    /// Returns the tile kind of a name that the import knows by itself. `None` if the catalogue lacks the kind's
    /// variant.
    pub(crate) fn usual_kind(&self, name: &str) -> Option<TileKind> {
        let kind = USUAL.find_and_mark_used(name)?.clone();
        let Some(variant) = kind.variant else { return Some(kind) };
        let name = Catalogue::builtin().variant_name(variant);
        let variant = self.catalogue.find_variant(&name).ok()?;
        Some(TileKind { variant: Some(variant), ..kind })
    }

    fn kind_of_name(&self, name: &str) -> Result<TileKind, String> {
        if name.trim() == EMPTY {
            return Ok(TileKind::default());
        }
        if let Some(kind) = self.own_kind(name) {
            return Ok(kind.clone());
        }
        match self.catalogue.find_variant(name) {
            Ok(variant) => Ok(TileKind::new(variant)),
            Err(error) => self.usual_kind(name).ok_or_else(|| match error {
                VariantNameError::UnknownPattern { name } => format!("no tile is named `{name}`"),
                error => error.to_string(),
            }),
        }
    }
}

/// Tiles that an error names if no tile is known.
const MAX_NAMED: usize = 3;

/// Tile of the map for one tile of the editor. All cells with the same tile of the editor get the same one.
enum Choice {
    Kind(TileKind),
    /// Tile kind of the map of names, with its index in that map.
    Own(TileId, TileKind),
    /// The tile says that it means nothing.
    Nothing,
    /// The import does not know what the tile is. The text gives the reason.
    Unknown(String),
}

/// Decides what an editor tile means. The order of the rules is that of docs/guide/editors.md.
fn choose_kind_of_editor_tile(
    kinds: &Kinds<'_>,
    editor_tile: &EditorTile,
    default: Option<&TileKind>,
    report: &mut Reporter,
) -> Choice {
    let by_name = kinds.own.and_then(|own| {
        [&editor_tile.key, &editor_tile.class].into_iter().find_map(|name| own.names.find_id_and_mark_used(name))
    });
    if let Some((id, kind)) = by_name {
        return Choice::Own(id, kind.clone());
    }
    if let Some(name) = &editor_tile.variant {
        return match kinds.kind_of_name(name) {
            Ok(kind) if kind == TileKind::default() => Choice::Nothing,
            Ok(kind) => Choice::Kind(kind),
            Err(error) => Choice::Unknown(error),
        };
    }
    let mut reason = match &*editor_tile.class {
        "" => "nothing says what it is".to_owned(),
        class => format!("the name {} is unknown", quoted(class)),
    };
    match &editor_tile.outline {
        Some(Ok(outline)) => match find_variant_of_outline(&kinds.catalogue, outline) {
            Some(Match::Equal(id)) => return Choice::Kind(TileKind::new(id)),
            Some(Match::Near(id, distance)) => {
                let name = kinds.catalogue.variant_name(id);
                reason = format!("its shape is only nearly `{name}`");
                report.add_near(editor_tile, &name, distance);
            }
            None => {}
        },
        Some(Err(error)) => reason.clone_from(error),
        None => {}
    }
    if let Some(kind) = kinds.usual_kind(&editor_tile.class) {
        return Choice::Kind(kind);
    }
    match default {
        Some(kind) if *kind == TileKind::default() => Choice::Nothing,
        Some(kind) => Choice::Kind(kind.clone()),
        None => Choice::Unknown(reason),
    }
}

/// A level as a map.
pub(crate) struct Built {
    pub(crate) map: Map,
    pub(crate) art: Option<TileArt>,
    pub(crate) report: Report,
}

/// Makes the map of a level.
pub(crate) fn build_map(path: &Path, mut level: Level) -> Result<Built, ImportError> {
    let own = level.own.clone();
    let kinds = &Kinds::new(own.as_deref());
    // Drop each grid once its layer is made, because both take much memory.
    let grids = std::mem::take(&mut level.grids);
    let level = &level;
    let (width, height) = (level.size.0.max(1), level.size.1.max(1));
    check_cell_count(width.into(), height.into(), level.total.1)
        .map_err(|(problem, expected)| ImportError::wrong_value(path, crate::level_label(level), problem, expected))?;
    let mut parts = match kinds.own {
        Some(own) => own.map.clone().into_parts(),
        None => MapParts::new(width, height),
    };
    // `own` is a map of the game that gives tiles and things their names. Its own layers and things are only templates.
    // The level has the real ones, so remove the templates.
    parts.layers.clear();
    parts.markers.clear();
    parts.platforms.clear();
    parts.areas.clear();
    parts.bodies.clear();
    parts.pixels_per_tile = level.tile.0 as u32;
    parts.properties.extend(level.properties.clone());
    for kind in &mut parts.kinds {
        *kind = kind_without_names(kind);
    }
    let mut builder = Builder {
        kinds,
        parts,
        report: level.report.clone().flip_rows(height),
        origin: kinds.own.map_or((0, 0), |own| own.map.origin()),
        rows: height,
        layer_names: BTreeMap::new(),
        has_meaning: false,
        looks: Vec::new(),
        kinds_of_looks: BTreeMap::new(),
    };
    for grid in grids {
        builder.add_layer(path, level, &grid)?;
    }
    if !builder.has_meaning && level.objects.is_empty() {
        let left_out = builder.report.first_descriptions(MAX_NAMED);
        return Err(ImportError::new(path, crate::level_label(level), ImportProblem::NothingKnown { left_out }));
    }
    place_objects(path, level, &mut builder)?;
    // A map is as large as its layers together. If they do not reach all sides of the level, add an empty layer as
    // large as the level.
    let origin = builder.origin;
    if bounds_around(&builder.parts.layers)
        != Some([origin.0, origin.1, origin.0 + width as i32, origin.1 + height as i32])
    {
        let mut name = "level".to_owned();
        while builder.parts.layers.iter().any(|layer| layer.name == name) {
            name.push('_');
        }
        let mut whole = TileLayer::new(name, width, height);
        whole.collides = false;
        whole.origin = origin;
        builder.parts.layers.insert(0, whole);
    }
    let Builder { parts, report, looks, .. } = builder;
    let art = (!looks.is_empty()).then(|| build_tile_art(&level.editor_tiles, &looks, parts.pixels_per_tile));
    let map = Map::from_parts(parts);
    let map = map.map_err(|source| ImportError::new(path, crate::level_label(level), ImportProblem::Map { source }))?;
    Ok(Built { map, art, report: report.into_report() })
}

fn has_cell_with_picture(level: &Level, look: &[Cell]) -> bool {
    look.iter()
        .filter_map(|cell| cell.editor_tile_and_flips())
        .any(|(editor_tile, _)| !level.editor_tiles[editor_tile].frames.is_empty())
}

/// Returns the sides of the rectangle around layers: left, bottom, right, top.
fn bounds_around(layers: &[TileLayer]) -> Option<[i32; 4]> {
    let sides = layers.iter().map(|layer| {
        let ((left, bottom), (columns, rows)) = (layer.origin, layer.size);
        [left, bottom, left.saturating_add_unsigned(columns), bottom.saturating_add_unsigned(rows)]
    });
    sides.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])])
}

/// A map in the making.
pub(crate) struct Builder<'a> {
    pub(crate) kinds: &'a Kinds<'a>,
    pub(crate) parts: MapParts,
    pub(crate) report: Reporter,
    /// Names of the layers, each with the number of layers that have asked for that name.
    layer_names: BTreeMap<String, usize>,
    /// Column and row of the lower left cell of the level in the map: those of the map of names.
    pub(crate) origin: (i32, i32),
    /// Rows of the level: y counts up from the lowest one.
    pub(crate) rows: u32,
    /// Whether a layer has a tile with a meaning, or is known from the map of names.
    has_meaning: bool,
    /// Tile kinds with pictures: the tiles on top of each other that each shows.
    looks: Vec<(TileId, Vec<Cell>)>,
    /// Tile kinds of each look: the kind without a look, and the one with it.
    kinds_of_looks: BTreeMap<Vec<Cell>, Vec<(TileKind, TileId)>>,
}

/// Tile of the map for a cell of the editor.
#[derive(Clone, Copy)]
struct Meant {
    id: TileId,
    /// Whether the tile means something to bodies or the game.
    is_known: bool,
    /// Entry of the report in which the cell is counted as left out.
    entry: Option<usize>,
}

impl Builder<'_> {
    /// Returns the id of a kind, and adds the kind to the map if it is new.
    pub(crate) fn find_or_add_kind(&mut self, kind: TileKind) -> TileId {
        match self.parts.kinds.iter().position(|known| *known == kind) {
            Some(known) => TileId(known as u16),
            None => self.add_kind(kind),
        }
    }

    /// Adds a kind to the map that no other cell has.
    pub(crate) fn add_kind(&mut self, kind: TileKind) -> TileId {
        self.parts.kinds.push(kind);
        TileId((self.parts.kinds.len() - 1) as u16)
    }

    /// Adds a layer for the tiles of `grid` that have a meaning. Adds no layer if there are none.
    fn add_layer(&mut self, path: &Path, level: &Level, grid: &Grid) -> Result<(), ImportError> {
        let default = self.default_kind_of_layer(path, level, grid)?;
        let mut layer = TileLayer::new(self.choose_unique_layer_name(&grid.name), grid.size.0, grid.size.1);
        let own = self.kinds.own.and_then(|own| own.layer(&grid.name));
        let collides = grid.properties.get("collides").and_then(Value::as_bool);
        layer.collides = collides.or(own.map(|own| own.collides)).unwrap_or(true);
        let bottom = i64::from(self.rows) - grid.origin.1 - i64::from(grid.size.1);
        let (left, bottom) = (grid.origin.0 + i64::from(self.origin.0), bottom + i64::from(self.origin.1));
        layer.origin = (clamp_to_map_range(left), clamp_to_map_range(bottom));
        // Equal cells have equal results, so find each result only once. `plain`: for cells that show their own tile,
        // by editor tile and flips. `other`: for cells with a look (a stack of tiles), by cell and look.
        let mut plain: Vec<Option<Meant>> = vec![None; level.editor_tiles.len() * 8];
        let mut other: BTreeMap<(Cell, u32), Option<Meant>> = BTreeMap::new();
        let columns = grid.size.0 as usize;
        let (mut is_known, mut has_pictures) = (false, false);
        for (row, line) in layer.cells.chunks_exact_mut(columns.max(1)).rev().enumerate() {
            for (column, tile) in line.iter_mut().enumerate() {
                let index = row * columns + column;
                let cell = grid.cells.get(index);
                let look = grid.looks.get(index).copied();
                let slot = match (cell.editor_tile_and_flips(), look) {
                    // Look 0 is that of cells without tiles.
                    (None, None | Some(0)) => continue,
                    (Some((editor_tile, flips)), None) => &mut plain[editor_tile * 8 + flips_as_bits(flips)],
                    (_, Some(look)) => other.entry((cell, look)).or_default(),
                };
                let meant = match *slot {
                    Some(meant) => meant,
                    None => {
                        let look = look.map_or(std::slice::from_ref(&cell), |look| &level.looks[look as usize]);
                        let meant = match cell.editor_tile_and_flips() {
                            Some(marked) => self.choose_tile_of_cell(level, marked, look, default.as_ref(), &grid.name),
                            // The cell has tiles that only decorate, and no value.
                            None if has_cell_with_picture(level, look) => Meant {
                                id: self.find_or_add_kind_with_pictures(TileKind::default(), look),
                                is_known: false,
                                entry: None,
                            },
                            None => Meant { id: TileId::EMPTY, is_known: false, entry: None },
                        };
                        *slot = Some(meant);
                        meant
                    }
                };
                *tile = meant.id;
                is_known |= meant.is_known;
                has_pictures |= meant.id != TileId::EMPTY;
                if let Some(entry) = meant.entry {
                    let at = (grid.origin.0 + column as i64, grid.origin.1 + row as i64);
                    self.report.count_in_entry(entry, (at.0, i64::from(self.rows) - 1 - at.1));
                }
            }
        }
        // Keep a layer without tiles if the map of names has a layer of that name.
        let is_named = own.is_some();
        self.has_meaning |= is_known || is_named;
        if is_known || is_named || has_pictures {
            // A layer with pictures only stops no body. It must not count as colliding, because only a layer that does
            // not collide may be drawn in front of the bodies.
            layer.collides &= is_known || is_named;
            self.parts.layers.push(layer);
        }
        Ok(())
    }

    /// Decides which tile of the map a cell becomes, from its editor tile and the flips. `look`: all tiles that the
    /// cell shows, from back to front.
    fn choose_tile_of_cell(
        &mut self,
        level: &Level,
        (editor_tile, flips): (usize, Flips),
        look: &[Cell],
        default: Option<&TileKind>,
        layer: &str,
    ) -> Meant {
        let editor_tile = &level.editor_tiles[editor_tile];
        let look = Some(look).filter(|look| has_cell_with_picture(level, look));
        let (kind, entry) = match choose_kind_of_editor_tile(self.kinds, editor_tile, default, &mut self.report) {
            Choice::Nothing => return Meant { id: TileId::EMPTY, is_known: false, entry: None },
            // Return this kind itself. `find_or_add_kind` would return the first of several equal kinds, which may have
            // another symbol.
            Choice::Own(id, kind)
                if flips == Flips::default()
                    && look.is_none()
                    && self.parts.kinds.get(usize::from(id.0)) == Some(&kind) =>
            {
                return Meant { id, is_known: id != TileId::EMPTY, entry: None };
            }
            Choice::Kind(mut kind) | Choice::Own(_, mut kind) => {
                kind.variant = kind.variant.map(|variant| self.flip_variant(variant, flips));
                (kind, None)
            }
            Choice::Unknown(reason) => {
                let layer = quoted(layer);
                // The label of a value of an IntGrid already names its layer.
                let of_layer =
                    if editor_tile.label.ends_with(&layer) { String::new() } else { format!(" in layer {layer}") };
                (
                    TileKind::default(),
                    Some(self.report.find_or_add_entry(format!("{}{of_layer}: {reason}", editor_tile.label))),
                )
            }
        };
        let is_known = kind != TileKind::default();
        let id = match look {
            Some(look) => self.find_or_add_kind_with_pictures(kind, look),
            None if is_known => self.find_or_add_kind(kind),
            None => TileId::EMPTY,
        };
        Meant { id, is_known, entry }
    }

    /// Returns the id of a kind that shows a look, and adds the kind to the map if it is new.
    fn find_or_add_kind_with_pictures(&mut self, kind: TileKind, look: &[Cell]) -> TileId {
        let known = self.kinds_of_looks.get(look).into_iter().flatten().find(|(known, _)| *known == kind);
        if let Some((_, id)) = known {
            return *id;
        }
        let mut shown = kind.clone();
        // Kinds of water that differ only in their look form one pool: the first kind has the area, and the others are
        // inside that area.
        if kind.things.area.as_ref().is_some_and(|thing| thing.join)
            && let Some(first) = self.parts.kinds.iter().position(|known| *known == kind)
        {
            shown.things.area = None;
            shown.things.inside = Some(TileId(first as u16));
        }
        let id = self.add_kind(shown);
        self.kinds_of_looks.entry(look.to_vec()).or_default().push((kind, id));
        self.looks.push((id, look.to_vec()));
        id
    }

    fn flip_variant(&self, variant: VariantId, flips: Flips) -> VariantId {
        flipped_variant(&self.kinds.catalogue, variant, flips)
    }

    /// Returns the kind of tiles without a meaning of their own: from the property or class `surefoot` of the layer,
    /// or from the layer's name in the map of names.
    fn default_kind_of_layer(&self, path: &Path, level: &Level, grid: &Grid) -> Result<Option<TileKind>, ImportError> {
        let by_class = grid.class.strip_prefix(VARIANT).and_then(|rest| rest.strip_prefix(':'));
        let named = grid.properties.get(VARIANT).and_then(Value::as_str).or(by_class);
        if let Some(name) = named {
            let kind = self.kinds.kind_of_name(name);
            return kind.map(Some).map_err(|error| {
                let place = format!("layer {:?}{}", grid.name, describe_level(level));
                ImportError::wrong_value(path, place, error, "the name of a tile, or \"empty\"")
            });
        }
        Ok(self.kinds.own_kind(&format!("layer {}", grid.name)).cloned())
    }

    /// Returns the layer's name, or a similar name if that one is taken.
    fn choose_unique_layer_name(&mut self, name: &str) -> String {
        let base = if name.is_empty() { "layer" } else { name };
        let mut number = self.layer_names.get(base).copied().unwrap_or(0);
        loop {
            number += 1;
            let name = if number == 1 { base.to_owned() } else { format!("{base} {number}") };
            if number == 1 && !self.layer_names.contains_key(base) || !self.layer_names.contains_key(&name) {
                self.layer_names.insert(base.to_owned(), number);
                self.layer_names.entry(name.clone()).or_insert(1);
                return name;
            }
        }
    }
}

fn describe_level(level: &Level) -> String {
    if level.name.is_empty() { String::new() } else { format!(" of level {:?}", level.name) }
}

/// Returns the coordinate. If it is out of the range of a map, returns one that a map refuses.
pub(crate) fn clamp_to_map_range(value: i64) -> i32 {
    value.clamp(i64::from(i32::MIN / 2), i64::from(i32::MAX / 2)) as i32
}

fn flips_as_bits(flips: Flips) -> usize {
    usize::from(flips.horizontal) | usize::from(flips.vertical) << 1 | usize::from(flips.diagonal) << 2
}
