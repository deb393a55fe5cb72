//! Converts LDtk projects into levels.

use super::{EntityInstance, FieldInstance, LayerInstance, LevelFile, Project, TileInstance};
use crate::art::Frame;
use crate::build::EMPTY;
use crate::error::{ImportError, ImportProblem};
use crate::files::Files;
use crate::level::{
    Cell, Cells, EditorTile, Flips, Grid, Level, Object, ObjectShape, Properties, REFERENCE, cell_count_text, quoted,
};
use crate::names;
use crate::tiled::VARIANT;
use crate::value::property_from_json;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot::catalogue::Catalogue;
use surefoot::map::{TileKind, Value};

type Result<T> = std::result::Result<T, ImportError>;

/// Reads a project. The layers of its levels may be in other files.
pub(crate) fn read_project(path: &Path, files: &Files<'_>) -> Result<Project> {
    let project: Project = crate::tiled::read_json(path, &files.read_text(path)?, "a project of LDtk")?;
    if project.json_version.starts_with("1.") {
        return Ok(project);
    }
    let problem = ImportProblem::Version { editor: "LDtk", version: project.json_version, expected: "1.x" };
    Err(ImportError::new(path, "", problem))
}

impl Project {
    /// Returns the levels of all worlds, in the order of the file.
    fn all_levels(&self) -> impl Iterator<Item = &LevelFile> {
        self.levels.iter().chain(self.worlds.iter().flat_map(|world| &world.levels))
    }

    /// Returns the names of all levels.
    pub(crate) fn level_names(&self) -> Vec<String> {
        self.all_levels().map(|level| level.identifier.clone()).collect()
    }
}

/// Reads level number `index` of a project. Takes its layers out of the project: they become the level.
pub(crate) fn read_level(path: &Path, files: &Files<'_>, project: &mut Project, index: usize) -> Result<Level> {
    let mut levels = project.levels.iter_mut().chain(project.worlds.iter_mut().flat_map(|world| &mut world.levels));
    let layers = levels.nth(index).and_then(|level| level.layer_instances.take());
    let project = &*project;
    let Some(level) = project.all_levels().nth(index) else {
        let names = project.level_names();
        return Err(ImportError::new(path, "", ImportProblem::Levels { wanted: None, names }));
    };
    let place = format!("level {:?}", level.identifier);
    let project_path = path;
    let mut external: LevelFile;
    let (path, level, layers) = match (layers, &level.external_rel_path) {
        (None, Some(named)) => {
            let file = files.resolve_file(path, &place, named)?;
            external = crate::tiled::read_json(&file, &files.read_text(&file)?, "a level of LDtk")?;
            let layers = external.layer_instances.take();
            (file, &external, layers)
        }
        (layers, _) => (path.to_owned(), level, layers),
    };
    let layers = layers.unwrap_or_default();
    let grid_size = choose_grid_pixels(&layers);
    let with_art = files.options().art;
    let mut reader = Reader {
        path: &path,
        project,
        grid_size,
        catalogue: Catalogue::builtin(),
        editor_tiles: BTreeMap::new(),
        looks: BTreeMap::new(),
        with_art,
        pictures: if with_art { pictures_of_tilesets(project_path, files, project)? } else { BTreeMap::new() },
        level: Level::default(),
    };
    reader.level.name = level.identifier.clone();
    reader.level.tile = (grid_size as f64, grid_size as f64);
    let cells = |pixels: i64| u32::try_from(pixels.max(0).div_euclid(grid_size)).unwrap_or(u32::MAX);
    reader.level.size = (cells(level.px_wid), cells(level.px_hei));
    let mut properties = reader.read_fields(&level.field_instances, &place, (grid_size, 0, 0))?;
    let named = names::take_names_file(&mut properties);
    // The level field `surefoot` is the path of the map of names: a map file whose legend says which tiles the names in
    // the level mean. The path is relative to the folder of the project, also if the level has a file of its own. The
    // same holds for the pictures of tilesets and for the art file.
    reader.level.own = files.load_map_of_names(project_path, &place, named.as_deref())?;
    reader.level.properties = properties;
    reader.catalogue = reader.level.catalogue();
    let name_of = |iid: &str| project.all_levels().find(|level| level.iid == iid).map(|l| l.identifier.clone());
    let neighbours = level.neighbours.iter();
    reader.level.neighbours =
        neighbours.filter_map(|neighbour| Some((neighbour.dir.clone(), name_of(&neighbour.level_iid)?))).collect();
    if level.bg_rel_path.is_some() {
        reader.level.report.count_part("background picture of the level".to_owned(), (0, 0));
    }
    // In the file, the first layer is in front of all others, so go through the list backwards.
    for layer in layers.into_iter().rev() {
        reader.read_layer(layer)?;
    }
    Ok(reader.level)
}

/// Returns the pictures of the tilesets with the side of a tile in pixels, by the numbers of the tilesets.
fn pictures_of_tilesets(path: &Path, files: &Files<'_>, project: &Project) -> Result<BTreeMap<i64, (PathBuf, u32)>> {
    let mut pictures = BTreeMap::new();
    for set in &project.defs.tilesets {
        if let Some(named) = &set.rel_path {
            let place = format!("tileset {}", quoted(&set.identifier));
            pictures.insert(set.uid, (files.resolve_file(path, &place, named)?, set.tile_grid_size));
        }
    }
    Ok(pictures)
}

/// Returns the grid size of the level's tiles: that of the rearmost layer with an IntGrid, else with tiles, else of the
/// rearmost layer.
fn choose_grid_pixels(layers: &[LayerInstance]) -> i64 {
    let rearmost = |has: fn(&LayerInstance) -> bool| layers.iter().rev().find(|layer| has(layer));
    let with_values = rearmost(|layer| !layer.int_grid_csv.is_empty());
    let with_tiles = rearmost(|layer| layer.grid_tiles.len() + layer.auto_layer_tiles.len() > 0);
    with_values.or(with_tiles).or(layers.last()).map_or(16, |layer| layer.grid_size.max(1))
}

/// Key of an editor tile: whether it is a tile instead of an IntGrid value, the number of its tileset or layer
/// definition, and its own number there.
type EditorTileKey = (bool, i64, i64);

struct Reader<'a> {
    path: &'a Path,
    project: &'a Project,
    grid_size: i64,
    catalogue: Arc<Catalogue>,
    /// Index of each editor tile.
    editor_tiles: BTreeMap<EditorTileKey, usize>,
    /// Index in [`Level::looks`] of each stack of tiles.
    looks: BTreeMap<Vec<Cell>, usize>,
    with_art: bool,
    /// Pictures of the tilesets with the side of a tile in pixels, by the numbers of the tilesets. Empty if no pictures
    /// are wanted.
    pictures: BTreeMap<i64, (PathBuf, u32)>,
    level: Level,
}

impl Reader<'_> {
    fn read_layer(&mut self, mut layer: LayerInstance) -> Result<()> {
        let values = std::mem::take(&mut layer.int_grid_csv);
        let place = format!("layer {} of level {}", quoted(&layer.identifier), quoted(&self.level.name));
        if layer.offset_x.unsigned_abs().max(layer.offset_y.unsigned_abs()) > MAX_PIXELS as u64 {
            let problem = format!("the layer is shifted by ({}, {}) pixels", layer.offset_x, layer.offset_y);
            return Err(ImportError::wrong_value(self.path, place, problem, format!("at most {MAX_PIXELS} pixels")));
        }
        for entity in &layer.entity_instances {
            let object = self.read_entity(entity, &layer, &place)?;
            self.level.objects.push(object);
        }
        let has_tiles = layer.grid_tiles.len() + layer.auto_layer_tiles.len() > 0;
        let is_named = self.level.own.as_ref().is_some_and(|own| own.layer(&layer.identifier).is_some());
        if values.is_empty() && !has_tiles && !is_named {
            return Ok(());
        }
        if layer.grid_size != self.grid_size {
            let words = format!("layer {} with a grid of {} pixels", quoted(&layer.identifier), layer.grid_size);
            self.level.report.count_part(words, (0, 0));
            return Ok(());
        }
        let side = |length: i64| u64::try_from(length).unwrap_or(0);
        let (columns, rows) = (side(layer.columns), side(layer.rows));
        let written = values.len().max(layer.grid_tiles.len() + layer.auto_layer_tiles.len());
        self.level
            .count_and_limit_cells(columns, rows, written as u64)
            .map_err(|(problem, expected)| ImportError::wrong_value(self.path, &place, problem, expected))?;
        let count = columns * rows;
        let has_values = !values.is_empty();
        if has_values && values.len() as u64 != count {
            let problem = format!("the IntGrid has {}", cell_count_text(values.len() as u64));
            return Err(ImportError::wrong_value(self.path, place, problem, cell_count_text(count)));
        }
        let mut cells =
            if has_values { self.convert_values_to_cells(&layer, values) } else { Cells::empty(count as usize) };
        let is_known = |uid: &i64| self.project.defs.tilesets.iter().any(|set| set.uid == *uid);
        if let Some(uid) = layer.tileset.filter(|uid| has_tiles && !is_known(uid)) {
            let problem = format!("no tileset has the number {uid}");
            let expected = "a tileset of the project: choose the tileset of the layer again in LDtk";
            return Err(ImportError::wrong_value(self.path, place, problem, expected));
        }
        let looks = self.put_tiles_and_number_picture_stacks(&layer, has_values, &mut cells);
        let origin = (layer.offset_x.div_euclid(self.grid_size), layer.offset_y.div_euclid(self.grid_size));
        let aligned = |offset: i64| offset.rem_euclid(self.grid_size) == 0;
        if !aligned(layer.offset_x) || !aligned(layer.offset_y) {
            let words = format!("shift of layer {} that is not a whole number of tiles", quoted(&layer.identifier));
            self.level.report.count_part(words, (0, 0));
        }
        let size = (layer.columns as u32, layer.rows as u32);
        let (name, class, properties) = (layer.identifier.clone(), String::new(), Properties::new());
        self.level.grids.push(Grid { name, class, properties, origin, size, cells, looks });
        Ok(())
    }

    /// Puts the tiles of a layer into its cells. The foremost tile with a meaning counts, so one behind it is reported.
    /// Tiles without a meaning only decorate a cell with a value or another tile. Returns for each cell the number of
    /// its look, if pictures are wanted.
    fn put_tiles_and_number_picture_stacks(
        &mut self,
        layer: &LayerInstance,
        has_values: bool,
        cells: &mut Cells,
    ) -> Vec<u32> {
        let mut outside = None;
        let mut has_meant_tile = vec![false; cells.len()];
        let mut stacks: BTreeMap<usize, Vec<Cell>> = BTreeMap::new();
        for tile in layer.grid_tiles.iter().chain(&layer.auto_layer_tiles) {
            let at = (tile.px.0.div_euclid(self.grid_size), tile.px.1.div_euclid(self.grid_size));
            if !(0..layer.columns).contains(&at.0) || !(0..layer.rows).contains(&at.1) {
                let report = &mut self.level.report;
                let words = || format!("tile of layer {} outside the layer", quoted(&layer.identifier));
                let entry = *outside.get_or_insert_with(|| report.find_or_add_entry(words()));
                report.count_in_entry(entry, at);
                continue;
            }
            let Some(set) = layer.tileset else {
                self.level
                    .report
                    .count_part(format!("tile of layer {} without a tileset", quoted(&layer.identifier)), at);
                continue;
            };
            let index = self.find_or_add_editor_tile_of_instance(set, tile);
            let editor_tile = &self.level.editor_tiles[index];
            let named = self.level.own.as_ref().and_then(|own| own.names.find_and_mark_used(&editor_tile.key));
            let decorates = editor_tile.variant.is_none() && named.is_none();
            let is_empty = match named {
                Some(kind) => *kind == TileKind::default(),
                None => editor_tile.variant.as_deref() == Some(EMPTY),
            };
            let number = (at.1 * layer.columns + at.0) as usize;
            let flips = Flips { horizontal: tile.f & 1 != 0, vertical: tile.f & 2 != 0, diagonal: false };
            if self.with_art {
                stacks.entry(number).or_default().push(Cell::new(index, flips));
            }
            let (cell, behind) = (Cell::new(index, flips), cells.get(number));
            if decorates && (has_values || behind != Cell::EMPTY) {
                continue;
            }
            if has_meant_tile[number] && behind != cell {
                let words = format!("tile of layer {} behind another tile with a meaning", quoted(&layer.identifier));
                self.level.report.count_part(words, at);
            }
            has_meant_tile[number] = !decorates && !is_empty;
            cells.set(number, cell);
        }
        if stacks.is_empty() {
            return Vec::new();
        }
        // Look 0 belongs to cells without tiles.
        if self.level.looks.is_empty() {
            self.level.looks.push(Vec::new());
        }
        let mut looks = vec![0; cells.len()];
        for (cell, stack) in stacks {
            let number = *self.looks.entry(stack).or_insert_with_key(|stack| {
                self.level.looks.push(stack.clone());
                self.level.looks.len() - 1
            });
            looks[cell] = number as u32;
        }
        looks
    }

    fn find_or_add_editor_tile(&mut self, key: EditorTileKey, editor_tile: impl FnOnce() -> EditorTile) -> usize {
        *self.editor_tiles.entry(key).or_insert_with(|| {
            self.level.editor_tiles.push(editor_tile());
            self.level.editor_tiles.len() - 1
        })
    }

    /// Returns the cells of an IntGrid.
    fn convert_values_to_cells(&mut self, layer: &LayerInstance, values: Vec<i32>) -> Cells {
        // Most cells have the value of the cell before them, so keep the last result. Affects speed only.
        let mut last = (0, Cell::EMPTY);
        let cell = |value: i32| {
            if value != last.0 {
                let is_empty = value == 0;
                last = (
                    value,
                    if is_empty {
                        Cell::EMPTY
                    } else {
                        Cell::new(self.find_or_add_editor_tile_of_value(layer, value.into()), Flips::default())
                    },
                );
            }
            last.1
        };
        // This `collect` reuses the allocation of `values`.
        Cells::Wide(values.into_iter().map(cell).collect())
    }

    fn find_or_add_editor_tile_of_value(&mut self, layer: &LayerInstance, value: i64) -> usize {
        let project = self.project;
        self.find_or_add_editor_tile((false, layer.layer_def_uid, value), || {
            let definition = project.defs.layers.iter().find(|definition| definition.uid == layer.layer_def_uid);
            let values = definition.map_or(&[][..], |definition| &definition.int_grid_values);
            let name = values.iter().find(|known| known.value == value).and_then(|known| known.identifier.clone());
            let name = name.unwrap_or_default();
            let words = if name.is_empty() { String::new() } else { format!(" ({name})") };
            EditorTile {
                label: format!("value {value}{words} of layer {}", quoted(&layer.identifier)),
                key: format!("{}/{value}", layer.identifier),
                class: name,
                ..EditorTile::default()
            }
        })
    }

    /// Returns the index of the editor tile for a tile instance. Adds the editor tile if the tile is new.
    fn find_or_add_editor_tile_of_instance(&mut self, set: i64, instance: &TileInstance) -> usize {
        let (project, catalogue, pictures) = (self.project, self.catalogue.clone(), &self.pictures);
        let (tile, picture) = (instance.t, pictures.get(&set).cloned());
        self.find_or_add_editor_tile((true, set, tile), || {
            let set = project.defs.tilesets.iter().find(|definition| definition.uid == set);
            let name = set.map_or("", |set| &set.identifier);
            let tags = set.into_iter().flat_map(|set| &set.enum_tags);
            let tags = tags.filter(|tag| tag.tile_ids.contains(&tile)).map(|tag| &*tag.enum_value_id);
            let data = set.into_iter().flat_map(|set| &set.custom_data).find(|data| data.tile_id == tile);
            let by_data = data.and_then(|data| data.data.lines().find_map(|line| line.trim().strip_prefix(VARIANT)));
            let by_data = by_data.map(|rest| rest.trim_start_matches([':', '=', ' ']).to_owned());
            // Of all tags, only those that name a variant count.
            let mut by_tag = tags.filter_map(|tag| variant_name_of_tag(&catalogue, tag));
            let variant = by_data.or_else(|| by_tag.next());
            EditorTile {
                label: format!("tile {tile} of tileset {}", quoted(name)),
                key: format!("{name}/{tile}"),
                variant,
                frames: picture
                    .map(|(picture, side)| Frame { picture, corner: instance.src, size: (side, side), milliseconds: 0 })
                    .into_iter()
                    .collect(),
                ..EditorTile::default()
            }
        })
    }

    fn read_entity(&self, entity: &EntityInstance, layer: &LayerInstance, place: &str) -> Result<Object> {
        let label = format!("entity {} of {place}", quoted(&entity.identifier));
        let size = (entity.width as f64, entity.height as f64);
        let corner = |pixels: i64, offset: i64, pivot: f64, size: f64| pixels as f64 + offset as f64 - pivot * size;
        let at = (
            corner(entity.px.0, layer.offset_x, entity.pivot.0, size.0),
            corner(entity.px.1, layer.offset_y, entity.pivot.1, size.1),
        );
        if !(at.0.abs() < MAX_PIXELS && at.1.abs() < MAX_PIXELS && size.0 < MAX_PIXELS && size.1 < MAX_PIXELS) {
            let problem = format!("the position {at:?} or the size {size:?} is out of range");
            return Err(ImportError::wrong_value(self.path, label, problem, format!("at most {MAX_PIXELS} pixels")));
        }
        let shape = if size.0 > 0.0 && size.1 > 0.0 { ObjectShape::Rectangle } else { ObjectShape::Point };
        let properties =
            self.read_fields(&entity.field_instances, &label, (layer.grid_size, layer.offset_x, layer.offset_y))?;
        let name = properties.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        Ok(Object {
            name,
            class: entity.identifier.clone(),
            id: entity.iid.clone(),
            label,
            at,
            size,
            shape,
            properties,
        })
    }

    /// Returns the fields that have a value.
    ///
    /// `grid`: size of a cell in pixels, and the layer's offset in pixels.
    fn read_fields(&self, fields: &[FieldInstance], place: &str, grid: (i64, i64, i64)) -> Result<Properties> {
        let mut properties = Properties::new();
        for field in fields.iter().filter(|field| !field.value.is_null()) {
            let kind = field.kind.strip_prefix("Array<").and_then(|kind| kind.strip_suffix('>'));
            let value = match (kind, &field.value) {
                (Some(kind), Json::Array(list)) => {
                    let list = list.iter().filter(|value| !value.is_null());
                    list.map(|value| self.read_field_value(kind, value, grid)).collect::<Option<_>>().map(Value::List)
                }
                _ => self.read_field_value(&field.kind, &field.value, grid),
            };
            let wrong = || {
                let problem = format!("the field {:?} is {}", field.identifier, field.value);
                ImportError::wrong_value(self.path, place, problem, format!("a value of type {}", field.kind))
            };
            properties.insert(field.identifier.clone(), value.ok_or_else(wrong)?);
        }
        Ok(properties)
    }

    fn read_field_value(&self, kind: &str, value: &Json, (side, left, top): (i64, i64, i64)) -> Option<Value> {
        match kind {
            "Float" => value.as_f64().filter(|value| value.is_finite()).map(Value::Float),
            // The file stores the cell in the layer. Convert it to its centre in the map, in tiles.
            "Point" => {
                let tiles = |name, offset: i64| {
                    let cell = value.get(name)?.as_i64()?;
                    Some((cell as f64 * side as f64 + offset as f64 + side as f64 / 2.0) / self.grid_size as f64)
                };
                let origin = self.level.own.as_ref().map_or((0, 0), |own| own.map.origin());
                let x = tiles("cx", left)? + f64::from(origin.0);
                let y = f64::from(self.level.size.1) - tiles("cy", top)? + f64::from(origin.1);
                Some(Value::List(vec![x.into(), y.into()]))
            }
            "EntityRef" => Some(Value::Text(format!("{REFERENCE}{}", value.get("entityIid")?.as_str()?))),
            _ => property_from_json(value),
        }
    }
}

/// Returns the name of the variant that an enum value means. Enum values have no spaces and may have capitals: the
/// value `Slope_45_m_r1` means `slope_45 m r1`.
pub(crate) fn variant_name_of_tag(catalogue: &Catalogue, tag: &str) -> Option<String> {
    let mut name = tag.to_lowercase();
    let mut placement = String::new();
    for word in ["r1", "r2", "r3", "m"] {
        if let Some(rest) = name.strip_suffix(word).and_then(|rest| rest.strip_suffix('_')) {
            placement = format!(" {word}{placement}");
            name.truncate(rest.len());
        }
    }
    let name = name + &placement;
    catalogue.find_variant(&name).is_ok().then_some(name)
}

/// Greatest coordinate of an entity, in pixels.
const MAX_PIXELS: f64 = 1e9;
