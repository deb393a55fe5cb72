//! Converts a Tiled map into a level.

use super::{
    ChunkFile, DataFile, FrameFile, LayerFile, MapFile, ObjectFile, PropertyFile, TemplateFile, TileFile, TilesetFile,
    data, json, types::Types, xml,
};
use crate::art::Frame;
use crate::error::{ImportError, ImportProblem};
use crate::files::Files;
use crate::level::{Cell, Cells, EditorTile, Flips, Grid, Level, Object, ObjectShape, Properties, REFERENCE, quoted};
use crate::names;
use crate::outline::{Outline, STEPS};
use crate::rotation::{cosine_and_sine, ellipse_corners};
use crate::value::property_from_json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use surefoot::map::Value;

type Result<T> = std::result::Result<T, ImportError>;

/// Flags in the highest bits of a tile number.
pub(crate) const HORIZONTAL: u32 = 1 << 31;
pub(crate) const VERTICAL: u32 = 1 << 30;
pub(crate) const DIAGONAL: u32 = 1 << 29;
/// Used only by hexagonal maps, so it is ignored.
const HEXAGONAL: u32 = 1 << 28;

/// Maximum tile number. A table has a place for each number up to the largest one seen.
const MAX_GID: u32 = 1 << 24;

/// Property with the name of a variant, and prefix of such a class: `surefoot:slope_45`. On a map or a level, the
/// property is the file of its map of names.
pub(crate) const VARIANT: &str = "surefoot";

/// Reads a map of Tiled.
pub(crate) fn read_tiled_map(path: &Path, files: &Files<'_>) -> Result<Level> {
    let text = files.read_text(path)?;
    if is_json(path) {
        convert_map(path, files, json::read_map(path, &text)?)
    } else {
        xml::read_map(path, &text, |map| convert_map(path, files, map))
    }
}

fn convert_map(path: &Path, files: &Files<'_>, map: MapFile<'_>) -> Result<Level> {
    let major = map.version.split('.').next().and_then(|major| major.parse::<u64>().ok());
    if major.is_some_and(|major| major > 1) {
        let editor = "Tiled with the format";
        let problem = ImportProblem::Version { editor, version: map.version, expected: "1.x" };
        return Err(ImportError::new(path, "", problem));
    }
    let MapFile { orientation, infinite, width, height, tile_width, tile_height, layers, tilesets, properties, .. } =
        map;
    if orientation != "orthogonal" {
        let (problem, expected) = if orientation.is_empty() {
            ("the map has no orientation".to_owned(), "\"orthogonal\"")
        } else {
            (
                format!("the orientation of the map is {orientation:?}"),
                "\"orthogonal\": see Map > Map Properties in Tiled",
            )
        };
        return Err(ImportError::wrong_value(path, "", problem, expected));
    }
    if tile_width == 0 || tile_height == 0 {
        return Err(ImportError::wrong_value(
            path,
            "",
            "`tilewidth` or `tileheight` of the map is 0",
            "at least one pixel",
        ));
    }
    let mut reader = Reader {
        path,
        files,
        tile: (tile_width.into(), tile_height.into()),
        sets: Vec::new(),
        set_files: BTreeMap::new(),
        editor_tiles_by_number: Vec::new(),
        templates: BTreeMap::new(),
        open_templates: Vec::new(),
        types: Rc::new(Types::read_from_project(files)?),
        inherited_room: MAX_INHERITED_BYTES,
        level: Level { size: (width, height), ..Level::default() },
    };
    reader.level.tile = reader.tile;
    let mut properties = reader.merge_properties(&properties, ("", ""), "the map")?;
    let named = names::take_names_file(&mut properties);
    reader.level.own = files.load_map_of_names(path, "the map", named.as_deref())?;
    reader.level.properties = properties;
    for set in tilesets {
        let first_gid = set.first_gid;
        let file = reader.load_tileset(path, set)?;
        let (width, height) = (file.tile_width, file.tile_height);
        if (width, height) != (tile_width, tile_height) && (width, height) != (0, 0) {
            let set = quoted(&file.name);
            reader.report_ignored_part(
                format!("size of {width} x {height} pixels of the tiles of tileset {set}"),
                (0, 0),
            );
        }
        reader.sets.push(Set { first_gid, file });
    }
    reader.sets.sort_by_key(|set| set.first_gid);
    reader.convert_layers(layers, (0.0, 0.0))?;
    if infinite {
        reader.level.fit_to_tiles();
    }
    Ok(reader.level)
}

fn is_json(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    ["tmj", "tsj", "tj", "json"].iter().any(|json| extension.eq_ignore_ascii_case(json))
}

/// A tileset of the map or of a template, and its first tile number there.
#[derive(Clone)]
struct Set {
    first_gid: u32,
    file: Rc<TilesetFile>,
}

impl Set {
    /// Returns what the tileset says about a tile: class, properties, shapes, animation. `None` if it says nothing.
    fn tile_of_number(&self, gid: u32) -> Option<&TileFile> {
        let id = gid.checked_sub(self.first_gid)?;
        let index = self.file.tiles.binary_search_by_key(&id, |tile| tile.id).ok()?;
        Some(&self.file.tiles[index])
    }
}

struct Reader<'a> {
    path: &'a Path,
    files: &'a Files<'a>,
    tile: (f64, f64),
    /// The tilesets of the map, sorted by their first tile numbers.
    sets: Vec<Set>,
    /// Tilesets in files of their own, by their paths.
    set_files: BTreeMap<PathBuf, Rc<TilesetFile>>,
    /// Index of the editor tile plus one for each tile number that was seen.
    editor_tiles_by_number: Vec<u32>,
    templates: BTreeMap<PathBuf, Rc<TemplateFile>>,
    open_templates: Vec<PathBuf>,
    /// Classes of the project.
    types: Rc<Types>,
    /// Bytes that properties from templates, tiles and classes may still take.
    inherited_room: u64,
    level: Level,
}

impl Reader<'_> {
    fn report_ignored_part(&mut self, words: String, cell: (i64, i64)) {
        self.level.report.count_part(words, cell);
    }

    /// Returns the tileset, with its tiles sorted by their numbers. Reads its file if it has one.
    fn load_tileset(&mut self, from: &Path, set: TilesetFile) -> Result<Rc<TilesetFile>> {
        let sorted = |mut set: TilesetFile| {
            set.tiles.sort_by_key(|tile| tile.id);
            Rc::new(set)
        };
        if set.source.is_empty() {
            return Ok(sorted(set));
        }
        let place = format!("tileset {}", quoted(&set.source));
        let path = self.files.resolve_file(from, &place, &set.source)?;
        if let Some(known) = self.set_files.get(&path) {
            return Ok(known.clone());
        }
        let text = self.files.read_text(&path)?;
        let mut read = if is_json(&path) { json::read_tileset(&path, &text) } else { xml::read_tileset(&path, &text) }?;
        read.path = Some(path.clone());
        let set = sorted(read);
        self.set_files.insert(path, set.clone());
        Ok(set)
    }

    fn convert_layers(&mut self, layers: Vec<LayerFile<'_>>, offset: (f64, f64)) -> Result<()> {
        for layer in layers {
            let offset = (offset.0 + layer.offset_x, offset.1 + layer.offset_y);
            let is_near = |pixels: f64| pixels.abs() <= MAX_PIXELS;
            if !is_near(offset.0) || !is_near(offset.1) {
                let place = format!("layer {}", quoted(&layer.name));
                let problem = format!("the layer is shifted by ({}, {}) pixels", offset.0, offset.1);
                return Err(ImportError::wrong_value(
                    self.path,
                    place,
                    problem,
                    format!("numbers up to {MAX_PIXELS} pixels"),
                ));
            }
            if layer.kind != "tilelayer" && !layer.properties.is_empty() {
                self.report_ignored_part(format!("properties of layer {}", quoted(&layer.name)), (0, 0));
            }
            match &*layer.kind {
                "tilelayer" => self.convert_tile_layer(layer, offset)?,
                "objectgroup" => self.convert_objects(layer, offset)?,
                "group" => self.convert_layers(layer.layers, offset)?,
                kind => {
                    self.report_ignored_part(format!("layer {} of kind {}", quoted(&layer.name), quoted(kind)), (0, 0))
                }
            }
        }
        Ok(())
    }

    fn convert_tile_layer(&mut self, layer: LayerFile<'_>, offset: (f64, f64)) -> Result<()> {
        let place = format!("layer {}", quoted(&layer.name));
        let shift = (offset.0 / self.tile.0, offset.1 / self.tile.1);
        if shift.0.fract() != 0.0 || shift.1.fract() != 0.0 {
            self.report_ignored_part(
                format!("shift of layer {} that is not a whole number of tiles", quoted(&layer.name)),
                (0, 0),
            );
        }
        let whole = |tiles: f64| tiles.floor().clamp(-1e9, 1e9) as i64;
        let shift = (whole(shift.0), whole(shift.1));
        let LayerFile { name, class, width, height, encoding, compression, data, chunks, properties, .. } = layer;
        let chunks = match data {
            Some(data) => vec![ChunkFile { x: 0, y: 0, width, height, data: Some(data) }],
            None => chunks,
        };
        let (origin, size) = self.check_cell_count_and_bounds_of_chunks(&place, &chunks)?;
        let mut cells = Cells::empty(size.0 as usize * size.1 as usize);
        for chunk in chunks {
            let at = (i64::from(chunk.x) - origin.0, i64::from(chunk.y) - origin.1);
            let (columns, count) = (chunk.width as usize, chunk.width as usize * chunk.height as usize);
            let first = at.1 as usize * size.0 as usize + at.0 as usize;
            let mut refused = None;
            let take = |index: usize, number| match self.convert_tile_number(number, &place) {
                Ok(cell) => cells.set(first + index / columns * size.0 as usize + index % columns, cell),
                Err(error) => refused = refused.take().or(Some(error)),
            };
            let data = chunk.data.unwrap_or(DataFile::Numbers(Vec::new()));
            let decoded = data::decode_cells(data, &encoding, &compression, count, take);
            decoded.map_err(|(problem, expected)| ImportError::wrong_value(self.path, &place, problem, expected))?;
            if let Some(error) = refused {
                return Err(error);
            }
        }
        let properties = self.merge_properties(&properties, (&class, "layer"), &place)?;
        let origin = (origin.0 + shift.0, origin.1 + shift.1);
        self.level.grids.push(Grid { name, class, properties, origin, size, cells, looks: Vec::new() });
        Ok(())
    }

    /// Counts the cells of the chunks, and refuses too many. Returns the rectangle around the chunks: its upper left
    /// cell and its size.
    fn check_cell_count_and_bounds_of_chunks(
        &mut self,
        place: &str,
        chunks: &[ChunkFile<'_>],
    ) -> Result<((i64, i64), (u32, u32))> {
        let filled = chunks.iter().filter(|chunk| chunk.width > 0 && chunk.height > 0);
        let sides = filled.map(|chunk| {
            let (x, y) = (i64::from(chunk.x), i64::from(chunk.y));
            (x, y, x + i64::from(chunk.width), y + i64::from(chunk.height))
        });
        let join =
            |a: (i64, i64, i64, i64), b: (i64, i64, i64, i64)| (a.0.min(b.0), a.1.min(b.1), a.2.max(b.2), a.3.max(b.3));
        let Some((left, top, right, bottom)) = sides.reduce(join) else { return Ok(((0, 0), (0, 0))) };
        let (width, height) = ((right - left) as u64, (bottom - top) as u64);
        let area = |chunk: &ChunkFile<'_>| u64::from(chunk.width).saturating_mul(chunk.height.into());
        let written =
            chunks.iter().map(|chunk| area(chunk).min(chunk.data.as_ref().map_or(0, DataFile::max_cell_count)));
        let counted = self.level.count_and_limit_cells(width, height, written.fold(0, u64::saturating_add));
        counted.map_err(|(problem, expected)| ImportError::wrong_value(self.path, place, problem, expected))?;
        Ok(((left, top), (width as u32, height as u32)))
    }

    /// Returns the cell with a tile number.
    fn convert_tile_number(&mut self, number: u32, place: &str) -> Result<Cell> {
        let gid = number & !(HORIZONTAL | VERTICAL | DIAGONAL | HEXAGONAL);
        if gid == 0 {
            return Ok(Cell::EMPTY);
        }
        let index = match self.editor_tiles_by_number.get(gid as usize) {
            Some(&editor_tile) if editor_tile > 0 => editor_tile as usize - 1,
            _ => self.add_editor_tile_of_number(gid, place)?,
        };
        Ok(Cell::new(index, flips_of_number(number)))
    }

    fn add_editor_tile_of_number(&mut self, gid: u32, place: &str) -> Result<usize> {
        let set = self.sets.iter().rev().find(|set| set.first_gid <= gid).filter(|_| gid <= MAX_GID).cloned();
        let set = set.filter(|set| set.file.tile_count == 0 || gid - set.first_gid < set.file.end_of_ids());
        let Some(set) = set else {
            let problem = format!("no tileset has the tile number {gid}");
            return Err(ImportError::wrong_value(self.path, place, problem, "tile numbers of the map's tilesets"));
        };
        let editor_tile = self.create_editor_tile(&set, gid)?;
        let index = self.level.editor_tiles.len();
        self.level.editor_tiles.push(editor_tile);
        if self.editor_tiles_by_number.len() <= gid as usize {
            self.editor_tiles_by_number.resize(gid as usize + 1, 0);
        }
        self.editor_tiles_by_number[gid as usize] = index as u32 + 1;
        Ok(index)
    }

    fn create_editor_tile(&mut self, set: &Set, gid: u32) -> Result<EditorTile> {
        let (id, name) = (gid - set.first_gid, &set.file.name);
        let mut editor_tile =
            EditorTile { label: format!("tile {id} of tileset {}", quoted(name)), ..EditorTile::default() };
        // The map of names (see `names.rs`) refers to a tile by its key. If the name of the tileset is too long, the
        // key stays empty, so that map cannot refer to this tile.
        if name.len() <= MAX_SET_NAME {
            editor_tile.key = format!("{name}/{id}");
        }
        if self.files.options().art {
            editor_tile.frames = self.frames_of_tile(&set.file, id)?;
        }
        let Some(tile) = set.tile_of_number(gid) else { return Ok(editor_tile) };
        let properties = self.merge_properties(&tile.properties, (tile.class(), "tile"), &editor_tile.label)?;
        let by_class = tile.class().strip_prefix(VARIANT).and_then(|rest| rest.strip_prefix(':'));
        editor_tile.variant = properties.get(VARIANT).and_then(Value::as_str).or(by_class).map(str::to_owned);
        editor_tile.class = if by_class.is_some() { String::new() } else { tile.class().to_owned() };
        let shapes = &tile.shapes.objects;
        editor_tile.outline = (!shapes.is_empty()).then(|| outline_of_shapes(&set.file, shapes));
        Ok(editor_tile)
    }

    /// Returns the parts of pictures that show a tile.
    fn frames_of_tile(&self, set: &TilesetFile, id: u32) -> Result<Vec<Frame>> {
        let tile = |id: u32| set.tiles.binary_search_by_key(&id, |tile| tile.id).ok().map(|index| &set.tiles[index]);
        let animation = tile(id).map_or(&[][..], |tile| &tile.animation);
        let still = [FrameFile { tile: id, duration: 0 }];
        let frames = if animation.is_empty() { &still[..] } else { animation };
        let place = format!("tileset {}", quoted(&set.name));
        let mut found = Vec::new();
        for &FrameFile { tile: id, duration } in frames {
            let own = tile(id).filter(|tile| !tile.image.source.is_empty());
            let (image, (corner, size)) = match own {
                Some(tile) => (&tile.image, tile.picture_rectangle()),
                None => (&set.image, set.picture_rectangle(id)),
            };
            if image.source.is_empty() {
                continue;
            }
            let picture = self.files.resolve_file(set.path.as_deref().unwrap_or(self.path), &place, &image.source)?;
            found.push(Frame { picture, corner, size, milliseconds: duration });
        }
        Ok(found)
    }

    fn convert_objects(&mut self, layer: LayerFile<'_>, offset: (f64, f64)) -> Result<()> {
        for file in &layer.objects {
            let label = format!("object {} of layer {}", file.id, quoted(&layer.name));
            let (file, set) = self.fill_from_template(file, &label)?;
            let cell = ((file.x / self.tile.0).floor() as i64, (file.y / self.tile.1).floor() as i64);
            if file.text.is_some() {
                self.report_ignored_part(format!("text object of layer {}", quoted(&layer.name)), cell);
                continue;
            }
            let object = self.convert_object(file, set, offset, label)?;
            self.level.objects.push(object);
        }
        Ok(())
    }

    /// Returns the object with missing fields filled from its template. Also returns the template's tileset if the tile
    /// number comes from the template.
    fn fill_from_template(&mut self, file: &ObjectFile, label: &str) -> Result<(ObjectFile, Option<Set>)> {
        let Some(named) = &file.template else { return Ok((file.clone(), None)) };
        let path = self.path.to_owned();
        let template = self.load_template(&path, named, label)?;
        let base = &template.object;
        let set = template.tileset.as_ref().filter(|_| file.gid.is_none() && base.gid.is_some());
        let file_of_template = path.with_file_name(named);
        let set = match set {
            Some(set) => {
                let named = TilesetFile { source: set.source.clone(), ..TilesetFile::default() };
                Some(Set { first_gid: set.first_gid, file: self.load_tileset(&file_of_template, named)? })
            }
            None => None,
        };
        let has_shape = file.point || file.ellipse || file.capsule || file.polygon.is_some() || file.polyline.is_some();
        let shape = if has_shape { file } else { base };
        // Each object gets a copy of the properties of its template. Count the copies, so that a small file cannot
        // become a large map.
        self.count_inherited_bytes(
            base.properties.iter().map(|property| approximate_bytes(&property.value)).sum(),
            label,
        )?;
        let mut properties = base.properties.clone();
        properties.extend(file.properties.iter().cloned());
        let filled = ObjectFile {
            name: file.name.clone().or(base.name.clone()),
            kind: file.kind.clone().or(base.kind.clone()),
            class: file.class.clone().or(base.class.clone()),
            width: file.width.or(base.width),
            height: file.height.or(base.height),
            rotation: file.rotation.or(base.rotation),
            gid: file.gid.or(base.gid),
            point: shape.point,
            ellipse: shape.ellipse,
            capsule: shape.capsule,
            polygon: shape.polygon.clone(),
            polyline: shape.polyline.clone(),
            text: file.text.clone().or(base.text.clone()),
            template: None,
            properties,
            ..file.clone()
        };
        Ok((filled, set))
    }

    /// Reads a template, with the fields of templates that its own object names.
    fn load_template(&mut self, from: &Path, named: &str, label: &str) -> Result<Rc<TemplateFile>> {
        let path = self.files.resolve_file(from, label, named)?;
        // One file has many paths, such as `a.tx` and `../levels/a.tx`.
        let path = self.files.real_path(path);
        if let Some(template) = self.templates.get(&path) {
            return Ok(template.clone());
        }
        if self.open_templates.contains(&path) {
            return Err(ImportError::new(&path, "", ImportProblem::TemplateCycle));
        }
        self.open_templates.push(path.clone());
        let text = self.files.read_text(&path)?;
        let mut template =
            if is_json(&path) { json::read_template(&path, &text) } else { xml::read_template(&path, &text) }?;
        if let Some(inner) = template.object.template.clone() {
            // Tiled does not make templates of templates, but a file may name one. Read it only to find a cycle.
            self.load_template(&path, &inner, label)?;
            template.object.template = None;
        }
        self.open_templates.pop();
        let template = Rc::new(template);
        self.templates.insert(path, template.clone());
        Ok(template)
    }

    fn convert_object(
        &mut self,
        file: ObjectFile,
        set: Option<Set>,
        offset: (f64, f64),
        label: String,
    ) -> Result<Object> {
        let size = (file.width.unwrap_or(0.0), file.height.unwrap_or(0.0));
        let numbers = [file.x, file.y, size.0, size.1, file.rotation.unwrap_or(0.0)];
        if numbers.iter().any(|number| !number.is_finite() || number.abs() > MAX_PIXELS) {
            let problem = format!("a coordinate or size of {numbers:?} is out of range");
            return Err(ImportError::wrong_value(self.path, label, problem, format!("at most {MAX_PIXELS} pixels")));
        }
        let [x, y, width, height, rotation] = numbers;
        let (mut x, mut y) = (x + offset.0, y + offset.1);
        let gid = file.gid.map(|number| number & !(HORIZONTAL | VERTICAL | DIAGONAL | HEXAGONAL));
        let of_map = || gid.and_then(|gid| self.sets.iter().rev().find(|set| set.first_gid <= gid)).cloned();
        let set = set.or_else(of_map);
        let tile = set.as_ref().zip(gid).and_then(|(set, gid)| set.tile_of_number(gid));
        let shape = shape_of_object(&file, (x, y), (width, height), rotation);
        if gid.is_some() {
            // In Tiled, the position of a tile object is that of its alignment point, by default the lower left
            // corner.
            let alignment = set.as_ref().map_or("", |set| &set.file.alignment);
            let (right, down) = alignment_fractions(alignment);
            (x, y) = (x - right * width, y - down * height);
        }
        let (at, size) = box_around_shape(&shape, (x, y), (width, height));
        // Properties of the object or its template override those of its tile, and these override members of its class.
        let of_tile = tile.map_or(&[][..], |tile| &tile.properties);
        self.count_inherited_bytes(of_tile.iter().map(|property| approximate_bytes(&property.value)).sum(), &label)?;
        let own_class = file.kind.as_deref().or(file.class.as_deref()).filter(|class| !class.is_empty());
        let class = own_class.map(|class| (class, "object"));
        let class = class.or(tile.map(|tile| (tile.class(), "tile"))).unwrap_or_default();
        let mut properties = self.merge_properties(of_tile.iter().chain(&file.properties), class, &label)?;
        if rotation != 0.0 {
            properties.entry("rotation".to_owned()).or_insert(Value::Float(rotation));
        }
        let class = file.kind.or(file.class).filter(|class| !class.is_empty());
        let class = class.unwrap_or_else(|| tile.map(TileFile::class).unwrap_or_default().to_owned());
        let (name, id) = (file.name.unwrap_or_default(), file.id.to_string());
        Ok(Object { name, class, id, label, at, size, shape, properties })
    }

    /// Counts properties that something has from a template, a tile or a class.
    fn count_inherited_bytes(&mut self, bytes: u64, place: &str) -> Result<()> {
        self.inherited_room = self.inherited_room.checked_sub(bytes).ok_or_else(|| self.inherited_size_error(place))?;
        Ok(())
    }

    fn inherited_size_error(&self, place: &str) -> ImportError {
        let problem = "everything up to here has too many properties of templates, tiles and classes";
        ImportError::wrong_value(self.path, place, problem, format!("at most {} MiB", MAX_INHERITED_BYTES >> 20))
    }

    /// Returns the properties of a list, in which later ones count more, and the members of a class that the list
    /// lacks. `class`: the name of the class, and what has it.
    fn merge_properties<'p>(
        &mut self,
        list: impl IntoIterator<Item = &'p PropertyFile>,
        class: (&str, &str),
        place: &str,
    ) -> Result<Properties> {
        let types = self.types.clone();
        let members = types.members_for(class.0, class.1);
        self.count_inherited_bytes(members.iter().map(|member| approximate_bytes(&member.value)).sum(), place)?;
        let mut properties = Properties::new();
        for property in members.iter().chain(list.into_iter().map(|property| -> &PropertyFile { property })) {
            let PropertyFile { name, kind, value, .. } = property;
            let whole;
            let value = if types.has_class(property) {
                let below = members.iter().find(|member| member.name == *name).map(|member| &member.value);
                let completed = types.complete_property(property, below, &mut self.inherited_room);
                whole = completed.ok_or_else(|| self.inherited_size_error(place))?;
                &whole
            } else {
                value
            };
            let value = match (&**kind, value.as_u64()) {
                ("object", Some(0)) => continue,
                ("object", Some(id)) => Some(Value::Text(format!("{REFERENCE}{id}"))),
                ("float", _) => value.as_f64().filter(|value| value.is_finite()).map(Value::Float),
                _ => property_from_json(value),
            };
            let wrong = || {
                ImportError::wrong_value(
                    self.path,
                    place,
                    format!("the property {name:?} has no finite value"),
                    "a value",
                )
            };
            properties.insert(name.clone(), value.ok_or_else(wrong)?);
        }
        Ok(properties)
    }
}

/// Most bytes of properties that a level has from templates, tiles and classes.
const MAX_INHERITED_BYTES: u64 = 1 << 24;

/// Returns about how many bytes a property takes.
pub(super) fn approximate_bytes(value: &serde_json::Value) -> u64 {
    let inner = match value {
        serde_json::Value::String(text) => text.len() as u64,
        serde_json::Value::Array(list) => list.iter().map(approximate_bytes).sum(),
        serde_json::Value::Object(map) => {
            map.iter().map(|(name, value)| name.len() as u64 + approximate_bytes(value)).sum()
        }
        _ => 0,
    };
    inner + 32
}

/// Longest name of a tileset that a map of names can use, in bytes.
const MAX_SET_NAME: usize = 256;
/// Most points of a collision shape that are compared with outlines.
const MAX_OUTLINE_POINTS: usize = 256;
/// Greatest coordinate of an object, in pixels.
const MAX_PIXELS: f64 = 1e9;

fn flips_of_number(number: u32) -> Flips {
    let has = |flag| number & flag != 0;
    Flips { horizontal: has(HORIZONTAL), vertical: has(VERTICAL), diagonal: has(DIAGONAL) }
}

/// Returns the upper left corner and the size of the box around a shape. `at` and `size`: those of the object.
fn box_around_shape(shape: &ObjectShape, at: (f64, f64), size: (f64, f64)) -> ((f64, f64), (f64, f64)) {
    let (ObjectShape::Polygon(points) | ObjectShape::Polyline(points)) = shape else { return (at, size) };
    let least = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).fold(f64::INFINITY, f64::min);
    let most = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    if points.is_empty() {
        return (at, size);
    }
    let low = (least(|p| p.0), least(|p| p.1));
    (low, (most(|p| p.0) - low.0, most(|p| p.1) - low.1))
}

/// Returns the fractions of width and height between the upper left corner of a tile object and its alignment point.
fn alignment_fractions(alignment: &str) -> (f64, f64) {
    let down = match alignment {
        "topleft" | "top" | "topright" => 0.0,
        "left" | "center" | "right" => 0.5,
        _ => 1.0,
    };
    let right = match alignment {
        "top" | "center" | "bottom" => 0.5,
        "topright" | "right" | "bottomright" => 1.0,
        _ => 0.0,
    };
    (right, down)
}

/// Returns the collision shapes of a tile in lattice steps (1/16 of a tile), y up.
fn outline_of_shapes(set: &TilesetFile, shapes: &[ObjectFile]) -> std::result::Result<Outline, String> {
    let (width, height) = (f64::from(set.tile_width), f64::from(set.tile_height));
    if width == 0.0 || height == 0.0 {
        return Err("its tileset has no tile size".to_owned());
    }
    let steps = |(x, y): (f64, f64)| (x / width * STEPS, STEPS - y / height * STEPS);
    let ring = |file: &ObjectFile| {
        let size = (file.width.unwrap_or(0.0), file.height.unwrap_or(0.0));
        match shape_of_object(file, (file.x, file.y), size, file.rotation.unwrap_or(0.0)) {
            ObjectShape::Polygon(points) if points.len() > MAX_OUTLINE_POINTS => {
                Err(format!("one of its collision shapes has more than {MAX_OUTLINE_POINTS} points"))
            }
            ObjectShape::Polygon(points) => Ok(points.into_iter().map(steps).collect()),
            ObjectShape::Rectangle => {
                let (right, down) = (file.x + size.0, file.y + size.1);
                Ok([(file.x, file.y), (right, file.y), (right, down), (file.x, down)].into_iter().map(steps).collect())
            }
            _ => Err("one of its collision shapes is neither a rectangle nor a polygon".to_owned()),
        }
    };
    shapes.iter().map(ring).collect::<std::result::Result<_, _>>().map(Outline)
}

/// Returns the shape of an object at `at`. A turned rectangle or ellipse is a polygon.
fn shape_of_object(file: &ObjectFile, at: (f64, f64), (width, height): (f64, f64), rotation: f64) -> ObjectShape {
    let (cosine, sine) = cosine_and_sine(rotation);
    let turned = |(x, y): (f64, f64)| (at.0 + x * cosine - y * sine, at.1 + x * sine + y * cosine);
    let points = |list: &[super::PointFile]| list.iter().map(|point| turned((point.x, point.y))).collect();
    if let Some(polygon) = &file.polygon {
        return ObjectShape::Polygon(points(polygon));
    }
    if let Some(polyline) = &file.polyline {
        return ObjectShape::Polyline(points(polyline));
    }
    if file.point || (width == 0.0 && height == 0.0) {
        return ObjectShape::Point;
    }
    if file.capsule {
        let radius = width.min(height) / 2.0;
        let ends = [(radius, radius), (width - radius, height - radius)];
        return ObjectShape::Capsule { ends: ends.map(turned), radius };
    }
    let is_turned = rotation != 0.0 && file.gid.is_none();
    match (file.ellipse, is_turned) {
        (true, false) => ObjectShape::Ellipse,
        (true, true) => {
            let (half_width, half_height) = (width / 2.0, height / 2.0);
            let corners =
                ellipse_corners((half_width, half_height)).map(|(x, y)| turned((x + half_width, y + half_height)));
            ObjectShape::Polygon(corners.collect())
        }
        (false, false) => ObjectShape::Rectangle,
        (false, true) => {
            let corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
            ObjectShape::Polygon(corners.into_iter().map(turned).collect())
        }
    }
}
