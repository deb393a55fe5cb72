//! Makes a map of a level: decides for each cell of an editor's layer which tile kind of the map it becomes. A *mark*
//! is what the editor says about a tile: its names, class and collision shape.

use crate::error::{ImportError, ImportProblem};
use crate::level::{Flips, Grid, Level, Mark, check_area, quoted};
use crate::names::{Names, OwnNames, meaning};
use crate::outline::{Match, find, flipped};
use crate::report::{Report, Reporter};
use crate::things::place_objects;
use crate::tiled::VARIANT;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use surefoot::catalogue::{Catalogue, VariantId};
use surefoot::map::{Map, MapParts, TileId, TileKind, TileLayer, Value};

/// Name that stands for tiles that are empty on purpose, in place of a variant's name.
const EMPTY: &str = "empty";

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
    pub(crate) fn own(&self, name: &str) -> Option<&TileKind> {
        self.own.and_then(|own| own.names.find(name))
    }

    /// Returns the tile kind of a name that the import knows by itself. `None` if the catalogue lacks the kind's
    /// variant.
    pub(crate) fn usual(&self, name: &str) -> Option<TileKind> {
        let kind = USUAL.find(name)?.clone();
        let Some(variant) = kind.variant else { return Some(kind) };
        let name = Catalogue::builtin().variant_name(variant);
        let variant = self.catalogue.find_variant(&name).ok()?;
        Some(TileKind { variant: Some(variant), ..kind })
    }

    fn of_variant(&self, name: &str) -> Result<TileKind, String> {
        if name.trim() == EMPTY {
            return Ok(TileKind::default());
        }
        if let Some(kind) = self.own(name) {
            return Ok(kind.clone());
        }
        match self.catalogue.find_variant(name) {
            Ok(variant) => Ok(TileKind::new(variant)),
            Err(error) => self.usual(name).ok_or_else(|| error.to_string()),
        }
    }
}

/// Tiles that an error names if no tile is known.
const MAX_NAMED: usize = 3;

/// Meaning of a mark of a tile, for the cells with that tile.
enum Choice {
    Kind(TileKind),
    /// Tile kind of the map of names, with its index in that map.
    Own(TileId, TileKind),
    /// The tile says nothing that the import understands. The text gives the reason.
    Unknown(String),
}

/// Decides what a mark means. The order of the rules is that of docs/guide/editors.md.
fn choose(kinds: &Kinds<'_>, mark: &Mark, default: Option<&TileKind>, report: &mut Reporter) -> Choice {
    let by_name =
        kinds.own.and_then(|own| [&mark.key, &mark.class].into_iter().find_map(|name| own.names.find_id(name)));
    if let Some((id, kind)) = by_name {
        return Choice::Own(id, kind.clone());
    }
    if let Some(name) = &mark.variant {
        return match kinds.of_variant(name) {
            Ok(kind) => Choice::Kind(kind),
            Err(error) => Choice::Unknown(error),
        };
    }
    let mut reason = String::new();
    match &mark.outline {
        Some(Ok(outline)) => match find(&kinds.catalogue, outline) {
            Some(Match::Equal(id)) => return Choice::Kind(TileKind::new(id)),
            Some(Match::Near(id, distance)) => {
                let name = kinds.catalogue.variant_name(id);
                reason = format!("its shape is nearest to `{name}`, {distance:.3} tiles away");
                report.near(mark, &name, distance);
            }
            None => {}
        },
        Some(Err(error)) => reason.clone_from(error),
        None => {}
    }
    if let Some(kind) = kinds.usual(&mark.class) {
        return Choice::Kind(kind);
    }
    match default {
        Some(kind) => Choice::Kind(kind.clone()),
        None => Choice::Unknown(reason),
    }
}

/// Makes the map of a level.
pub(crate) fn build(path: &Path, mut level: Level) -> Result<(Map, Report), ImportError> {
    let own = level.own.clone();
    let kinds = &Kinds::new(own.as_deref());
    // Drop each grid once its layer is made, because both take much memory.
    let grids = std::mem::take(&mut level.grids);
    let level = &level;
    let (width, height) = (level.size.0.max(1), level.size.1.max(1));
    check_area(width.into(), height.into(), level.total.1)
        .map_err(|(problem, expected)| ImportError::value(path, crate::place_of(level), problem, expected))?;
    let mut parts = match kinds.own {
        Some(own) => own.map.clone().into_parts(),
        None => MapParts::new(width, height),
    };
    // Layers and things come from the level. In a map of names they only describe those of the same name, so remove
    // them here.
    parts.layers.clear();
    parts.markers.clear();
    parts.platforms.clear();
    parts.areas.clear();
    parts.bodies.clear();
    parts.pixels_per_tile = level.tile.0 as u32;
    parts.properties.extend(level.properties.clone());
    for kind in &mut parts.kinds {
        *kind = meaning(kind);
    }
    let mut builder = Builder {
        kinds,
        parts,
        report: level.report.clone().turn_up(height),
        origin: kinds.own.map_or((0, 0), |own| own.map.origin()),
        rows: height,
        layer_names: BTreeMap::new(),
    };
    for grid in grids {
        builder.layer(path, level, &grid)?;
    }
    if builder.parts.layers.is_empty() && level.objects.is_empty() {
        let left_out = builder.report.first(MAX_NAMED);
        return Err(ImportError::new(path, crate::place_of(level), ImportProblem::NothingKnown { left_out }));
    }
    place_objects(path, level, &mut builder)?;
    // A map is as large as its layers together. If they do not reach all sides of the level, add an empty layer as
    // large as the level.
    let origin = builder.origin;
    if around(&builder.parts.layers) != Some([origin.0, origin.1, origin.0 + width as i32, origin.1 + height as i32]) {
        let mut name = "level".to_owned();
        while builder.parts.layers.iter().any(|layer| layer.name == name) {
            name.push('_');
        }
        let mut whole = TileLayer::new(name, width, height);
        whole.collides = false;
        whole.origin = origin;
        builder.parts.layers.insert(0, whole);
    }
    let Builder { parts, report, .. } = builder;
    let map = Map::from_parts(parts);
    let map = map.map_err(|source| ImportError::new(path, crate::place_of(level), ImportProblem::Map { source }))?;
    Ok((map, report.finish()))
}

/// Returns the sides of the rectangle around layers: left, bottom, right, top.
fn around(layers: &[TileLayer]) -> Option<[i32; 4]> {
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
}

impl Builder<'_> {
    /// Returns the id of a kind, and adds the kind to the map if it is new.
    pub(crate) fn id_of(&mut self, kind: TileKind) -> TileId {
        match self.parts.kinds.iter().position(|known| *known == kind) {
            Some(known) => TileId(known as u16),
            None => self.new_id(kind),
        }
    }

    /// Adds a kind to the map that no other cell has.
    pub(crate) fn new_id(&mut self, kind: TileKind) -> TileId {
        self.parts.kinds.push(kind);
        TileId((self.parts.kinds.len() - 1) as u16)
    }

    /// Adds a layer for the tiles of `grid` that have a meaning. Adds no layer if there are none.
    fn layer(&mut self, path: &Path, level: &Level, grid: &Grid) -> Result<(), ImportError> {
        let default = self.default_of(path, level, grid)?;
        let mut layer = TileLayer::new(self.layer_name(&grid.name), grid.size.0, grid.size.1);
        let own = self.kinds.own.and_then(|own| own.layer(&grid.name));
        let collides = grid.properties.get("collides").and_then(Value::as_bool);
        layer.collides = collides.or(own.map(|own| own.collides)).unwrap_or(true);
        let bottom = i64::from(self.rows) - grid.origin.1 - i64::from(grid.size.1);
        let (left, bottom) = (grid.origin.0 + i64::from(self.origin.0), bottom + i64::from(self.origin.1));
        layer.origin = (clamp(left), clamp(bottom));
        // Results for each mark with each of the 8 flips. A result is found when the first such cell is read.
        let mut ids: Vec<Option<Result<TileId, usize>>> = vec![None; level.marks.len() * 8];
        let columns = grid.size.0 as usize;
        // A layer that the map of names has too is kept, even if it is empty.
        let mut is_known = own.is_some();
        for (row, (cells, line)) in
            grid.cells.chunks_exact(columns.max(1)).zip(layer.cells.chunks_exact_mut(columns.max(1)).rev()).enumerate()
        {
            for (column, (cell, tile)) in cells.iter().zip(line).enumerate() {
                let Some((mark, flips)) = cell.get() else { continue };
                let slot = mark * 8 + flips_index(flips);
                let id = match ids[slot] {
                    Some(id) => id,
                    None => {
                        let id = self.tile(&level.marks[mark], flips, default.as_ref(), &grid.name);
                        ids[slot] = Some(id);
                        id
                    }
                };
                match id {
                    Ok(id) => {
                        *tile = id;
                        is_known |= id != TileId::EMPTY;
                    }
                    Err(entry) => {
                        let at = (grid.origin.0 + column as i64, grid.origin.1 + row as i64);
                        self.report.count(entry, (at.0, i64::from(self.rows) - 1 - at.1));
                    }
                }
            }
        }
        if is_known {
            self.parts.layers.push(layer);
        }
        Ok(())
    }

    /// Returns the tile kind of a flipped mark. If the mark has no meaning, returns the entry of the report in which
    /// such tiles are counted.
    fn tile(&mut self, mark: &Mark, flips: Flips, default: Option<&TileKind>, layer: &str) -> Result<TileId, usize> {
        match choose(self.kinds, mark, default, &mut self.report) {
            // Return this kind itself. `id_of` would return the first of several equal kinds, which may have another
            // symbol.
            Choice::Own(id, kind)
                if flips == Flips::default() && self.parts.kinds.get(usize::from(id.0)) == Some(&kind) =>
            {
                Ok(id)
            }
            Choice::Kind(mut kind) | Choice::Own(_, mut kind) => {
                kind.variant = kind.variant.map(|variant| self.flipped(variant, flips));
                Ok(if kind == TileKind::default() { TileId::EMPTY } else { self.id_of(kind) })
            }
            Choice::Unknown(reason) => {
                let reason = if reason.is_empty() { reason } else { format!(": {reason}") };
                let layer = quoted(layer);
                // The label of a value of an IntGrid already names its layer.
                let of_layer = if mark.label.ends_with(&layer) { String::new() } else { format!(" in layer {layer}") };
                Err(self.report.entry(format!("{}{of_layer}{reason}", mark.label)))
            }
        }
    }

    fn flipped(&self, variant: VariantId, flips: Flips) -> VariantId {
        flipped(&self.kinds.catalogue, variant, flips)
    }

    /// Returns the kind of tiles without a meaning of their own: from the property or class `surefoot` of the layer,
    /// or from the layer's name in the map of names.
    fn default_of(&self, path: &Path, level: &Level, grid: &Grid) -> Result<Option<TileKind>, ImportError> {
        let by_class = grid.class.strip_prefix(VARIANT).and_then(|rest| rest.strip_prefix(':'));
        let named = grid.properties.get(VARIANT).and_then(Value::as_str).or(by_class);
        if let Some(name) = named {
            let kind = self.kinds.of_variant(name);
            return kind.map(Some).map_err(|error| {
                let place = format!("layer {:?}{}", grid.name, of_level(level));
                ImportError::value(path, place, error, "the name of a tile, or \"empty\"")
            });
        }
        Ok(self.kinds.own(&format!("layer {}", grid.name)).cloned())
    }

    /// Returns the layer's name, or a similar name if that one is taken.
    fn layer_name(&mut self, name: &str) -> String {
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

fn of_level(level: &Level) -> String {
    if level.name.is_empty() { String::new() } else { format!(" of level {:?}", level.name) }
}

/// Returns the coordinate. If it is out of the range of a map, returns one that a map refuses.
pub(crate) fn clamp(value: i64) -> i32 {
    value.clamp(i64::from(i32::MIN / 2), i64::from(i32::MAX / 2)) as i32
}

fn flips_index(flips: Flips) -> usize {
    usize::from(flips.horizontal) | usize::from(flips.vertical) << 1 | usize::from(flips.diagonal) << 2
}
