use super::area_text::{self, check_area, check_named_carrier};
use super::areas::check_area_count;
use super::body_text::{self, BodyRefs, check_body_thing};
use super::capped::Capped;
use super::drawn_platforms::{DrawnPlatforms, PlatformNames};
use super::format::{Definition, MapFile, MarkerFile, ThingFiles};
use super::layer_mask::check_collision_layer_names;
use super::legend::{self, Meaning, Palette};
use super::look::{self, Looks};
use super::markers::{self, Markers};
use super::parts::{TileRectangle, check_catalogue_path, check_origin, check_tile_pixels};
use super::platform_text;
use super::properties::{check_map_properties, check_properties};
use super::rows::Rows;
use super::scan::{Value, scan_map_fields};
use super::{
    CollisionLayers, Map, MapAreaError, MapBodyError, MapError, MapErrorKind, MapLimits, MapParts, MapPartsError,
    MarkerError, TileId, TileKind, TileLayer, bodies, shared, things,
};
use crate::area::{Area, AreaError, AttachedTo};
use crate::catalogue::Catalogue;
use crate::map::{AreaThing, MarkerThing, PlacedBody, Things};
use crate::text::Step::{Field, Item, Key, Value as EntryValue};
use crate::text::{Diagnosed, Mistakes, Node, Problems, Reader, Shape, Step};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl Map {
    /// Reads a map from the text of a RON file. The map uses the built-in tile shapes.
    ///
    /// `docs/formats/map.md` in the repository lists the fields. A byte order mark before the text is skipped.
    ///
    /// # Errors
    /// Returns [`MapError`] with line and column of the first mistake. Mistakes are found in this order:
    ///
    /// - the form of the text, such as an unknown field;
    /// - the legend, which says what each symbol stands for;
    /// - rows of different lengths;
    /// - symbols that the legend does not have.
    ///
    /// [`check::text`](../check/fn.text.html) finds all mistakes. [`TextError::in_file`](crate::TextError::in_file)
    /// adds the name of a file to the error.
    pub fn from_ron(text: &str) -> Result<Map, MapError> {
        load_map(text, |named| match named {
            None => Ok(Catalogue::builtin()),
            Some(path) => Err(MapErrorKind::NoFolder { path: path.to_owned() }),
        })
    }

    /// Reads a map from the text of a RON file. The map uses the tile shapes of `catalogue`.
    ///
    /// Works like [`Map::from_ron`]. A built-in symbol, such as `#`, can be used only if `catalogue` has its tile.
    ///
    /// # Errors
    /// Returns [`MapError`] under the same conditions as [`Map::from_ron`].
    pub fn from_ron_with(text: &str, catalogue: &Arc<Catalogue>) -> Result<Map, MapError> {
        load_map(text, |_| Ok(catalogue.clone()))
    }
}

fn load_map(
    text: &str,
    find: impl FnOnce(Option<&str>) -> Result<Arc<Catalogue>, MapErrorKind>,
) -> Result<Map, MapError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    read_map_text(text, &MapLimits::default(), 1, find).map_err(|mistakes| mistakes.first_error(text))
}

/// Reads a map within limits, and reports at most a given number of errors. `find` returns the catalogue, given the
/// file that the map names.
pub fn read_map_text<K: From<MapErrorKind>>(
    text: &str,
    limits: &MapLimits,
    most: usize,
    find: impl FnOnce(Option<&str>) -> Result<Arc<Catalogue>, K>,
) -> Result<Map, Mistakes<K>> {
    let mut reader = Reader::new(text);
    let scanned = reader.tree.root().and_then(|root| scan_map_fields(root.slice()));
    if scanned.is_none() {
        reader.check_syntax();
    }
    let format = match &scanned {
        Some(fields) => fields.iter().find_map(|(key, value)| match value {
            Value::Node(node) if key.field_name() == "format" => ron::from_str(node.slice()).ok(),
            _ => None,
        }),
        None => reader.tree.integer_field("format"),
    };
    let catalogue_at = [Field("catalogue")];
    if let Some(found) = format.filter(|&found| found != i64::from(Map::FORMAT)) {
        let span = reader.tree.find_span(&[Field("format")]).unwrap_or_default();
        return Err(Mistakes::with_form_errors(span, MapErrorKind::Format { found }, reader).map(K::from));
    }
    let mut problems = Problems::new(most);
    let (mut map, mut catalogue, mut is_known) = (None, None, true);
    if let Some(root) = reader.tree.root() {
        let file = MapFile::read(&mut reader, root, scanned);
        let named = file.catalogue.as_deref();
        // A path that is not allowed is reported by the map's own check.
        is_known = named.is_none_or(|path| check_catalogue_path(path).is_ok());
        let found = if is_known { find(named) } else { Ok(Catalogue::builtin()) };
        let patterns = found.as_ref().map_or_else(|_| Catalogue::builtin(), Arc::clone);
        catalogue = found.err();
        map = check_map_file(file, &patterns, limits, &mut problems).filter(|_| catalogue.is_none());
    }
    let span = catalogue.is_some().then(|| reader.tree.find_span(&catalogue_at)).flatten();
    let before = reader.faults.len();
    is_known &= catalogue.is_none();
    let follow_on = OnceCell::new();
    let read = reader.into_result(map, problems, catalogue.is_some(), |reader, _, kind| {
        follow_on.get_or_init(|| FollowOn::find_unknown_parts(reader, &[], !is_known)).is_follow_on(kind)
    });
    read.map_err(|mistakes| {
        let mut mistakes = mistakes.map(K::from);
        // Put the catalogue's error before the other problems.
        if let Some(kind) = catalogue {
            mistakes.list.insert(before, Diagnosed { span: span.unwrap_or_default(), kind });
        }
        mistakes
    })
}

/// Facts about a map that are unknown because of other errors. Errors that depend on them are not reported.
pub struct FollowOn {
    /// Whether the fields of the map are unknown, because the text has errors of form.
    fields: bool,
    /// Whether the symbols of the legend are unknown.
    characters: bool,
    /// Whether the tiles of the catalogue are unknown.
    tiles: bool,
    /// Whether the collision layers are unknown.
    collision_layers: bool,
    /// Whether the platforms are unknown.
    platforms: bool,
}

impl FollowOn {
    /// Finds which facts about a map are unknown. `within` is the path to the map.
    pub fn find_unknown_parts<'t>(reader: &Reader<'t>, within: &[Step<'_>], tiles: bool) -> FollowOn {
        let tree = &reader.tree;
        let Some(map) = tree.find(within) else {
            return FollowOn { fields: true, characters: true, tiles, collision_layers: true, platforms: true };
        };
        let is_wrong = |node| tree.is_wrong(node) || tree.is_broken(node);
        let has = |name, part: &dyn Fn(Node<'t>) -> bool| {
            tree.field(map, name).is_some_and(|value| is_wrong(value) || part(value))
        };
        let wrong_key = |node| tree.pairs(node).any(|(key, _)| tree.is_wrong(key));
        let unknown = |key: Node<'t>| tree.is_wrong(key) && key.shape() != Shape::Text;
        let characters = has("legend", &|legend| tree.pairs(legend).any(|(key, _)| unknown(key)));
        let collision_layers = has("collision_layers", &|table| tree.items(table).any(is_wrong));
        // An unknown field could be a misspelling of any other field. So a field that seems to be absent may be in the
        // file.
        let fields = tree.is_broken(map) || wrong_key(map);
        let platforms = has("platforms", &|list| tree.items(list).any(|item| is_wrong(item) || wrong_key(item)));
        let (collision_layers, platforms) = (collision_layers || fields, platforms || fields);
        FollowOn { fields, characters, tiles, collision_layers, platforms }
    }

    /// Returns whether an error may only result from unknown facts.
    pub fn is_follow_on(&self, kind: &MapErrorKind) -> bool {
        match kind {
            MapErrorKind::UnknownSymbol { .. } => self.characters || self.tiles,
            MapErrorKind::UnknownTile { .. } | MapErrorKind::DropThrough { .. } | MapErrorKind::IgnoredBy { .. } => {
                self.tiles
            }
            MapErrorKind::CollisionLayer { .. } => self.collision_layers,
            MapErrorKind::Parts(MapPartsError::Area(MapAreaError::Refused { error, .. })) => match error {
                AreaError::CollisionLayer(_) => self.collision_layers,
                AreaError::NoSuchPlatform { .. } => self.platforms,
                _ => false,
            },
            MapErrorKind::NoTiles => self.fields,
            _ => false,
        }
    }
}

/// Checks the fields of a map and collects errors, in this order: format, legend, origin, rows, markers, platforms,
/// areas, the rest. Returns the map if there are no errors.
///
/// Each mistake is reported once: values that depend on an error are not checked.
pub fn check_map_file(
    file: MapFile<'_>,
    catalogue: &Arc<Catalogue>,
    limits: &MapLimits,
    problems: &mut Problems<MapErrorKind>,
) -> Option<Map> {
    let limits = &limits.reduced_to_max();
    check_format_and_names(&file, problems)?;
    let (count, limit) = (file.property_value_count(), limits.values);
    let has_properties = count <= limit;
    let collision_layers = file.collision_layers.list;
    let platform_names = file.platforms.platform_names();
    let from = Known { catalogue, collision_layers: &collision_layers, platforms: platform_names.as_ref() };
    let carriers = if platform_names.is_none() { entries_tags_and_carriers(&file.legend.list) } else { Vec::new() };
    let before = problems.list.len();
    let palette = build_palette(file.legend, file.only_this_legend, from, limits, has_properties, problems);
    let is_legend_sound = problems.list.len() == before;
    let origin = problems.ok_or_add(&[Field("origin")], check_origin(file.origin.0, file.origin.1));
    let mut rows = Rows::new(Vec::new(), file.tiles, file.layers, origin, &palette, limits, problems);
    let mut layers = rows.read_layers(problems);
    let placed = layers.as_ref().filter(|_| rows.is_placed);
    let frame = placed.and_then(|layers| find_map_rectangle(layers, &rows, limits, problems));
    layers.take_if(|layers| layers.len() > Map::MAX_LAYERS || palette.kinds.len() > Map::MAX_KINDS);
    let drawn = DrawnPlatforms::take_platform_cells(
        file.platforms.kept_platforms(),
        layers.as_mut(),
        (&palette, is_legend_sound),
        problems,
    );
    layers.take_if(|_| drawn.is_none());
    if let Some(layers) = layers.as_ref() {
        shared::report_unshareable_cells(catalogue, &palette.kinds, layers, |layer, tile, error| {
            problems.add_at(|| (rows.cell_path(layer, tile), error.into()));
        });
    }
    let placed = layers.as_deref().map(|layers| (layers, &palette.kinds[..]));
    let markers = check_markers(&file.markers, placed, frame, limits, &mut rows, problems);
    let known = drawn.as_ref().filter(|drawn| drawn.are_all_kept() && file.platforms.are_all_kept());
    let platform_names =
        platform_names.or_else(|| known.map(|drawn| drawn.platform_names(file.platforms.kept_platforms())));
    check_carriers(carriers, platform_names.as_ref(), problems);
    let value_count = (limits, has_properties.then_some(count));
    let (platforms, platform_properties) =
        platform_text::check_platforms(file.platforms, drawn, catalogue, &palette, value_count, problems);
    let (areas, area_properties) =
        area_text::check_areas(file.areas, platform_names.as_ref(), &collision_layers, has_properties, problems);
    let bodies = body_text::check_bodies(
        file.bodies,
        BodyRefs { collision_layers: &collision_layers, has_properties },
        problems,
    );
    let placed = layers.as_ref().map(|layers| {
        let placed_areas = check_placed_areas(&areas, layers, &palette.kinds, problems);
        (placed_areas, check_placed_bodies(&bodies, layers, &palette.kinds, problems))
    });
    let pixels_per_tile = problems.ok_or_add(&[Field("pixels_per_tile")], check_tile_pixels(file.pixels_per_tile));
    let properties = check_map_properties(file.properties, count, limit, problems);
    if !problems.is_empty() {
        return None;
    }
    let parts = MapParts {
        catalogue: catalogue.clone(),
        kinds: palette.kinds,
        layers: layers?,
        catalogue_file: file.catalogue,
        borders: file.beyond,
        collision_layers,
        markers: Vec::new(),
        platforms,
        areas,
        bodies,
        area_properties,
        platform_properties,
        pixels_per_tile: pixels_per_tile?,
        properties,
        symbols: palette.letters,
    };
    Some(Map::from_checked_parts(parts, frame?, markers, placed?))
}

/// Checks the format, the path of the catalogue and the names of the collision layers. `None` if the format is unknown:
/// then nothing else can be read.
fn check_format_and_names(file: &MapFile<'_>, problems: &mut Problems<MapErrorKind>) -> Option<()> {
    if file.format != i64::from(Map::FORMAT) {
        problems.add(&[Field("format")], || MapErrorKind::Format { found: file.format });
        return None;
    }
    if let Some(path) = &file.catalogue {
        problems.ok_or_add(&[Field("catalogue")], check_catalogue_path(path));
    }
    let Capped { list, count } = &file.collision_layers;
    check_collision_layer_names(list, *count, |number, error| {
        let at = [Field("collision_layers"), Item(number.unwrap_or_default())];
        problems.add(&at[..if number.is_some() { 2 } else { 1 }], || error.into());
    });
    Some(())
}

/// Refuses more areas than a map may have, in the list and placed by cells together, and areas of the list with the
/// name of a placed one. Returns how many areas the cells place.
fn check_placed_areas(
    areas: &[Area],
    layers: &[TileLayer],
    kinds: &[TileKind],
    problems: &mut Problems<MapErrorKind>,
) -> usize {
    let placed = things::count_placed_areas(layers, kinds);
    if placed.areas == 0 {
        return 0;
    }
    problems.ok_or_add(&[Field("legend")], check_area_count(areas.len(), placed));
    // If an area was refused for another reason, the later ones have other indices here. That does not matter: the
    // text has an error anyway.
    for (i, area) in areas.iter().enumerate().filter(|(_, area)| things::places_named_area(layers, kinds, &area.name)) {
        let duplicate = || MapAreaError::Duplicate { name: area.name.clone() }.into();
        problems.add(&[Field("areas"), Item(i), Field("name")], duplicate);
    }
    placed.areas
}

/// Does [`check_placed_areas`] for bodies.
fn check_placed_bodies(
    bodies: &[PlacedBody],
    layers: &[TileLayer],
    kinds: &[TileKind],
    problems: &mut Problems<MapErrorKind>,
) -> usize {
    let placed = things::count_placed_bodies(layers, kinds);
    if placed == 0 {
        return 0;
    }
    problems.ok_or_add(&[Field("legend")], bodies::check_body_count(bodies.len(), placed));
    for (i, body) in bodies.iter().enumerate().filter(|(_, body)| things::places_named_body(layers, kinds, &body.name))
    {
        let duplicate = || MapBodyError::Duplicate { name: body.name.clone() }.into();
        problems.add(&[Field("bodies"), Item(i), Field("name")], duplicate);
    }
    placed
}

/// Returns the rectangle around layers whose positions are known.
fn find_map_rectangle(
    layers: &[TileLayer],
    rows: &Rows<'_, '_>,
    limits: &MapLimits,
    problems: &mut Problems<MapErrorKind>,
) -> Option<TileRectangle> {
    match TileRectangle::around_layers(layers, limits.cells) {
        Ok(frame) => Some(frame),
        Err(error) => {
            // Find the first layer that is too far from the layers before it.
            let number =
                (2..layers.len()).find(|&count| TileRectangle::around_layers(&layers[..count], limits.cells).is_err());
            problems.add_at(|| (rows.layer_path(number.unwrap_or(layers.len()) - 1), error.into()));
            None
        }
    }
}

/// Refuses carriers of the legend's areas that are not platforms, if the names of all platforms are known.
fn check_carriers(
    carriers: Vec<(usize, String, AttachedTo)>,
    platforms: Option<&PlatformNames>,
    problems: &mut Problems<MapErrorKind>,
) {
    let Some(platforms) = platforms else { return };
    for (i, tag, carrier) in carriers {
        let steps = [Field("legend"), EntryValue(i), Field("area"), Field("attached_to")];
        problems.ok_or_add(&steps, check_named_carrier(&carrier, &tag, platforms));
    }
}

/// Returns the carriers of the legend's areas, each with the number of its entry and the tag of the area.
fn entries_tags_and_carriers(legend: &[(char, Definition)]) -> Vec<(usize, String, AttachedTo)> {
    let areas =
        legend.iter().enumerate().filter_map(|(i, (_, entry))| Some((i, entry.things.as_ref()?.area.as_ref()?)));
    areas.map(|(i, area)| (i, area.tag.clone(), area.on.clone())).collect()
}

/// Parts of a map that its legend refers to.
#[derive(Clone, Copy)]
struct Known<'a> {
    catalogue: &'a Catalogue,
    collision_layers: &'a [String],
    /// `None` if the names are not all known.
    platforms: Option<&'a PlatformNames>,
}

/// Returns the built-in legend, unless the file excludes it, with the file's entries added or replaced. Checks tiles
/// against the catalogue and collision layers against their names.
fn build_palette(
    legend: Capped<(char, Definition), { Map::MAX_KINDS }>,
    only_this: bool,
    from: Known<'_>,
    limits: &MapLimits,
    has_properties: bool,
    problems: &mut Problems<MapErrorKind>,
) -> Palette {
    let before = problems.list.len();
    let mut meanings = if only_this { Vec::new() } else { legend::builtin_legend(from.catalogue) };
    meanings.reserve_exact(legend.list.len());
    let known: BTreeMap<char, usize> = meanings.iter().enumerate().map(|(i, meaning)| (meaning.character, i)).collect();
    // Add ASCII symbols first, so that an error about two symbols that look alike is about the one that is not ASCII.
    let mut looks = legend.list.iter().any(|(character, _)| !character.is_ascii()).then(Looks::default);
    if let Some(looks) = &mut looks {
        let builtin = meanings.iter().map(|meaning| meaning.character);
        let own = legend.list.iter().map(|&(character, _)| character);
        for character in builtin.chain(own.filter(char::is_ascii)) {
            // Cannot fail: all symbols here are ASCII, and two ASCII symbols never count as alike.
            let _ = looks.add_unless_alike(character);
        }
    }
    let (mut seen, mut insides) = (BTreeSet::new(), Vec::new());
    let unread = legend.count - legend.list.len();
    for (i, (character, definition)) in legend.list.into_iter().enumerate() {
        let is_new = seen.insert(character);
        if !is_new {
            problems.add(&[Field("legend"), Key(i)], || MapErrorKind::DuplicateSymbol { symbol: character });
        }
        problems.ok_or_add(&[Field("legend"), Key(i)], look::check_visible(character));
        if let Some(looks) = &mut looks
            && let Err(other) = looks.add_unless_alike(character)
        {
            problems.add(&[Field("legend"), Key(i)], || MapErrorKind::ConfusableSymbol { symbol: character, other });
        }
        let inside = definition.things.as_ref().and_then(|things| things.inside);
        insides.extend(inside.filter(|_| is_new).map(|inside| (i, character, inside)));
        let meaning = read_symbol_meaning(i, character, definition, from, has_properties, problems);
        match known.get(&character) {
            _ if !is_new => {}
            Some(&at) => meanings[at].replace_if_different(meaning),
            None => meanings.push(meaning),
        }
    }
    let mut palette = Palette::new(&meanings);
    // `inside` names a symbol that has an area. If the legend has problems, that area may be missing because it was
    // refused: then do not report a second mistake here.
    for (i, symbol, inside) in if problems.list.len() == before { insides } else { Vec::new() } {
        let steps = [Field("legend"), EntryValue(i), Field("inside")];
        problems.ok_or_add(&steps, make_symbol_cells_part_of_joined_area(&mut palette, symbol, inside));
    }
    let count = palette.kinds.len() + unread;
    let marking = meanings.iter().filter(|meaning| meaning.has_marker()).count();
    let (count, limit) = (count.max(marking), limits.kinds);
    if count > limit {
        problems.add(&[Field("legend")], || MapErrorKind::TooManyEntries { count, limit });
    }
    palette
}

/// Puts the cells of a symbol into the joined area of another one.
fn make_symbol_cells_part_of_joined_area(
    palette: &mut Palette,
    symbol: char,
    inside: char,
) -> Result<(), MapErrorKind> {
    let joins = |palette: &Palette, symbol| {
        let id = palette.paint_of_symbol(symbol)?.entry;
        let area = palette.kinds[usize::from(id.0)].things.area.as_ref();
        area.is_some_and(|area| area.join).then_some(id)
    };
    let outer = joins(palette, inside);
    let (Some(outer), None) = (outer, joins(palette, symbol)) else {
        let joined =
            palette.symbols_with_meaning().filter(|other| *other != symbol && joins(palette, *other).is_some());
        let joined = if outer.is_some() { Vec::new() } else { joined.collect() };
        return Err(MapErrorKind::Inside { symbol, inside, joined });
    };
    if let Some(own) = palette.paint_of_symbol(symbol) {
        let area = |id: TileId| palette.kinds[usize::from(id.0)].things.area.as_deref();
        if let Some(word) = things::shared_first_name_word(area(own.entry), area(outer)) {
            return Err(MapErrorKind::InsideName { symbol, inside, name: word.to_owned() });
        }
        palette.kinds[usize::from(own.entry.0)].things.inside = Some(outer);
    }
    Ok(())
}

/// Returns the meaning of legend entry number `i`. An invalid tile becomes an empty cell.
fn read_symbol_meaning(
    i: usize,
    character: char,
    definition: Definition,
    from @ Known { catalogue, collision_layers, .. }: Known<'_>,
    has_properties: bool,
    problems: &mut Problems<MapErrorKind>,
) -> Meaning {
    let whole = [Field("legend"), EntryValue(i)];
    let field = |name| [Field("legend"), EntryValue(i), Field(name)];
    let tile = definition.tile.as_ref().map_or(Ok(None), |name| legend::find_tile_variant(catalogue, name));
    let mut lets_pass = CollisionLayers::NONE;
    for (item, name) in definition.lets_pass.iter().enumerate() {
        let steps = [Field("legend"), EntryValue(i), Field("ignored_by"), Item(item)];
        let known = CollisionLayers::of_names([name], collision_layers);
        let known = known.map_err(|source| MapErrorKind::CollisionLayer { symbol: character, source });
        lets_pass = lets_pass.union(problems.ok_or_add(&steps, known).unwrap_or_default());
    }
    let mut kind = TileKind::default();
    match tile {
        Ok(variant) => {
            let Definition { drop_through, surface, .. } = definition;
            kind = TileKind { variant, drop_through, ignored_by: lets_pass, material: surface, ..kind };
            let tile = || variant.map_or_else(|| legend::EMPTY.to_owned(), |id| catalogue.variant_name(id));
            if !kind.is_drop_through_valid(catalogue) {
                problems.add(&field("drop_through"), || MapErrorKind::DropThrough { symbol: character, tile: tile() });
            }
            if !kind.is_ignored_by_valid(catalogue) {
                problems.add(&field("ignored_by"), || MapErrorKind::IgnoredBy { symbol: character, tile: tile() });
            }
        }
        Err(source) => {
            let in_field = field("tile");
            problems.add(if definition.has_fields { &in_field } else { &whole }, || {
                let known = legend::tile_names_to_suggest(catalogue, &source);
                MapErrorKind::UnknownTile { symbol: character, source, known }
            });
        }
    }
    for number in definition.surface.clone().numbers_mut() {
        let steps = [Field("legend"), EntryValue(i), Field("material"), Field(number.name)];
        problems
            .ok_or_add(&steps, number.check().map_err(|source| MapErrorKind::Material { symbol: character, source }));
    }
    if has_properties {
        kind.properties = check_properties(definition.properties, field("properties").to_vec(), problems);
    }
    let placed = (definition.marker, definition.things.map(|things| *things));
    let (things, marker) = read_things(i, placed, from, has_properties, problems);
    kind.things = things;
    Meaning::of_own_legend(character, kind, marker)
}

/// Returns the things that legend entry number `i` places. `name`: the name of a marker without fields. Such a marker
/// is returned separately if it has no properties and is the only thing: its cells then need no tile kind of their
/// own.
fn read_things(
    i: usize,
    (name, files): (Option<String>, Option<ThingFiles>),
    from: Known<'_>,
    has_properties: bool,
    problems: &mut Problems<MapErrorKind>,
) -> (Things, Option<String>) {
    let field = |name| vec![Field("legend"), EntryValue(i), Field(name)];
    let in_marker = |name| [field("marker"), vec![Field(name)]].concat();
    if name.as_ref().is_some_and(String::is_empty) {
        problems.add(&field("marker"), || MarkerError::Nameless.into());
    }
    let Some(ThingFiles { marker, area, body, inside }) = files else { return (Things::default(), name) };
    // `EMPTY` is a placeholder. The number of the tile kind is set later, when all kinds have numbers.
    let inside = inside.map(|_| TileId::EMPTY);
    let area = area.and_then(|mut file| {
        let (tag, join) = (file.tag.clone(), file.join);
        let properties = Some(std::mem::take(&mut file.properties)).filter(|_| has_properties).unwrap_or_default();
        let steps = [field("area"), vec![Field("properties")]].concat();
        let properties = check_properties(properties, steps, problems);
        if join && file.replace_shape_by_joined_cell() {
            problems.add(&[field("area"), vec![Field("shape")]].concat(), || MapErrorKind::ShapeAndJoin);
        }
        let area = check_area(file, &tag, &field("area"), from.platforms, from.collision_layers, problems)?;
        Some(Box::new(AreaThing { area, join, properties }))
    });
    let refs = BodyRefs { collision_layers: from.collision_layers, has_properties };
    let body = body.map(|file| {
        let kind = file.kind().to_owned();
        check_body_thing(file, &kind, &field("body"), refs, problems)
    });
    let of_name = name.map(|name| MarkerThing { name, properties: BTreeMap::new() });
    let marker = of_name.or_else(|| {
        let MarkerFile { name, properties } = marker?;
        if name.is_empty() {
            problems.add(&in_marker("name"), || MarkerError::Nameless.into());
        }
        let properties = Some(properties).filter(|_| has_properties).unwrap_or_default();
        Some(MarkerThing { name, properties: check_properties(properties, in_marker("properties"), problems) })
    });
    match marker {
        Some(marker) if marker.properties.is_empty() && area.is_none() && body.is_none() && inside.is_none() => {
            (Things::default(), Some(marker.name))
        }
        marker => (Things { marker: marker.map(Box::new), area, body, inside }, None),
    }
}

/// Returns the markers in rows and in lists, without those that tile kinds place. Listed markers are only checked if
/// the rectangle of the map is known. `placed`: the layers with their tile kinds, if they are known.
fn check_markers(
    listed: &Capped<(String, Vec<(i64, i64)>), { Map::MAX_MARKER_NAMES }>,
    placed: Option<(&[TileLayer], &[TileKind])>,
    frame: Option<TileRectangle>,
    limits: &MapLimits,
    rows: &mut Rows<'_, '_>,
    problems: &mut Problems<MapErrorKind>,
) -> Markers {
    let mut markers = Markers::default();
    let mut seen = BTreeMap::new();
    for (i, (name, _)) in listed.list.iter().enumerate() {
        if name.is_empty() {
            problems.add(&[Field("markers"), Key(i)], || MarkerError::Nameless.into());
        } else if seen.contains_key(name.as_str()) {
            problems.add(&[Field("markers"), Key(i)], || MapErrorKind::DuplicateMarker { name: name.clone() });
        } else {
            seen.insert(name.as_str(), i);
        }
    }
    let tiles: usize = listed.list.iter().map(|(_, tiles)| tiles.len()).sum();
    let of_kinds = placed.map_or(0, |(layers, kinds)| things::count_placed_markers(layers, kinds));
    let (count, limit) = (rows.markers + of_kinds + tiles + listed.count - listed.list.len(), limits.markers);
    if count > limit || listed.count > listed.list.len() {
        let limit = if count > limit { limit } else { Map::MAX_MARKER_NAMES };
        problems.add(&[Field("markers")], || MarkerError::TooMany { count: count.max(listed.count), limit }.into());
        return markers;
    }
    let Some(frame) = frame else { return markers };
    rows.move_drawn_markers_to(&mut markers);
    for (name, i) in &seen {
        for (j, &tile) in listed.list[*i].1.iter().enumerate() {
            let steps = [Field("markers"), EntryValue(*i), Item(j)];
            markers.add_tiles(name, problems.ok_or_add(&steps, markers::check_marker(name, tile, frame)));
        }
    }
    markers.sort();
    let of_kinds =
        placed.map_or_else(Vec::new, |(layers, kinds)| things::find_repeated_markers(layers, kinds, &markers));
    for (name, (x, y)) in markers.repeated_tiles().chain(of_kinds) {
        problems.add_at(|| {
            // Report the last position in the list that has the tile: the same marker is in a row too, or earlier in
            // the list.
            let tile = (i64::from(x), i64::from(y));
            let at = |&i: &usize| Some((i, listed.list[i].1.iter().rposition(|&at| at == tile)?));
            let steps = match seen.get(name).and_then(at) {
                Some((i, j)) => vec![Field("markers"), EntryValue(i), Item(j)],
                None => rows.path_to_last_drawn_marker(name, (x, y)),
            };
            (steps, MarkerError::Repeated { name: name.to_owned(), x, y }.into())
        });
    }
    markers
}
