//! Writes projects of LDtk as JSON, in the form of version 1.5.3 and its schema.

use super::rules::{Needs, Rule};
use super::sheet::{COLUMNS, SET, Sheet};
use crate::ldtk::variant_name_of_tag;
use crate::level::{Grid, Level, Object, Properties, REFERENCE};
use crate::names::ldtk_identifier;
use crate::tiled::VARIANT;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use surefoot::map::Value;

/// Version of LDtk whose form the files have.
const VERSION: &str = "1.5.3";
/// Numbers of the definitions. Those of layers, entities and their fields come after these.
const SET_UID: u32 = 1;
const ENUM_UID: u32 = 2;
const NAMES_UID: u32 = 3;
const LEVEL_UID: u32 = 4;
const FIRST_UID: u32 = 5;
/// Colour of the IntGrid value and of entities in LDtk.
const COLOR: &str = "#62C6B4";

/// Returns the instance id (`iid`) of an instance of a kind. Each kind counts its numbers on its own.
fn ldtk_instance_id(kind: u32, number: usize) -> String {
    format!("5c4ef007-{kind:04x}-4000-8000-{number:012x}")
}

/// Kinds of instances.
const PROJECT: u32 = 0;
const WORLD: u32 = 1;
const LEVEL: u32 = 2;
const LAYER: u32 = 3;
const ENTITY: u32 = 4;

/// Returns the file of a project with one level. `names`: file of its map of names.
pub(crate) fn project_text(level: &Level, sheet: &Sheet, picture: &str, names: &str) -> String {
    let pixels = level.tile.0 as u32;
    let mut uids = FIRST_UID..;
    let mut uid = || uids.next().unwrap_or_default();
    let mut properties = level.properties.clone();
    properties.insert(VARIANT.to_owned(), Value::Text(names.to_owned()));
    let level_fields = Fields::from_properties(std::iter::once(&properties), &mut uid);
    let mut classes: BTreeMap<String, Vec<&Object>> = BTreeMap::new();
    for object in &level.objects {
        classes.entry(entity_class(object)).or_default().push(object);
    }
    let mut entities = BTreeMap::new();
    for (class, objects) in classes {
        let all: Vec<Properties> = objects.iter().map(|object| properties_with_name(object)).collect();
        let fields = Fields::from_properties(all.iter(), &mut uid);
        entities.insert(class, (uid(), fields, objects[0].size));
    }
    let things = uid();
    let mut layers = vec![layer_definition_json("Entities", "things", things, pixels, Json::Null, json!([]))];
    let mut instances = vec![entity_layer_json(level, things, &entities, pixels)];
    // LDtk lists layers from front to back.
    for (index, grid) in level.grids.iter().enumerate().rev() {
        let uid = uid();
        layers.push(layer_definition_json("Tiles", &grid.name, uid, pixels, json!(SET_UID), json!([])));
        let tiles = tiles_json(grid, pixels);
        instances.push(tile_layer_json("Tiles", &grid.name, uid, index + 1, level.size, pixels, picture, tiles, &[]));
    }
    let definitions = json!({
        "layers": layers,
        "entities": entities.iter().map(|(class, entity)| entity_definition_json(class, entity)).collect::<Vec<_>>(),
        "tilesets": [tileset_json(sheet, picture, pixels)],
        "enums": [variant_enum_json(sheet)],
        "externalEnums": [],
        "levelFields": level_fields.definitions_json(),
    });
    let fields = level_fields.field_values_json(&properties, level);
    let level = level_json(level.size, pixels, instances, fields);
    project_json(pixels, uid(), &definitions, &level)
}

/// Returns the file of a project with the tileset and a level to paint: its IntGrid has the value `solid`, and rules
/// choose the tiles. `solid`: rows of the level from the top, `#` for painted cells.
pub(crate) fn template_project_text(
    sheet: &Sheet,
    picture: &str,
    pixels: u32,
    rules: &[Rule],
    solid: &[&str],
) -> String {
    let size = (solid.first().map_or(0, |row| row.len()) as u32, solid.len() as u32);
    let (layer, group) = (FIRST_UID, FIRST_UID + 1);
    let number_of = |variant: &str| sheet.tiles.iter().position(|tile| tile.variant.as_deref() == Some(variant));
    let mut uids = FIRST_UID + 2..;
    let listed: Vec<Json> = rules
        .iter()
        .filter_map(|rule| Some(rule_definition_json(rule, number_of(rule.variant)?, uids.next().unwrap_or_default())))
        .collect();
    let groups = json!([{
        "uid": group, "name": "slopes", "color": null, "icon": null, "active": true, "isOptional": false,
        "rules": listed, "usesWizard": false, "requiredBiomeValues": [], "biomeRequirementMode": 0, "collapsed": false,
    }]);
    let mut definition = layer_definition_json("IntGrid", "Walls", layer, pixels, json!(SET_UID), groups);
    definition["intGridValues"] =
        json!([{ "value": 1, "identifier": "solid", "color": COLOR, "tile": null, "groupUid": 0 }]);
    let values: Vec<i32> = solid.iter().flat_map(|row| row.bytes().map(|cell| i32::from(cell == b'#'))).collect();
    let chosen = super::rules::choose_variants(rules, solid);
    let tiles = chosen
        .iter()
        .enumerate()
        .filter_map(|(cell, variant)| Some(tile_json(cell, number_of((*variant)?)?, 0, size.0, pixels)));
    let instance = tile_layer_json("IntGrid", "Walls", layer, 1, size, pixels, picture, tiles.collect(), &values);
    let definitions = json!({
        "layers": [definition],
        "entities": [],
        "tilesets": [tileset_json(sheet, picture, pixels)],
        "enums": [variant_enum_json(sheet)],
        "externalEnums": [],
        "levelFields": [],
    });
    let level = level_json(size, pixels, vec![instance], json!([]));
    project_json(pixels, uids.next().unwrap_or_default(), &definitions, &level)
}

fn project_json(pixels: u32, next_uid: u32, definitions: &Json, level: &Json) -> String {
    let project = json!({
        "__header__": { "fileType": "LDtk Project JSON", "app": "LDtk", "doc": "https://ldtk.io/json",
            "schema": "https://ldtk.io/files/JSON_SCHEMA.json", "appAuthor": "", "appVersion": VERSION, "url": "https://ldtk.io" },
        "iid": ldtk_instance_id(PROJECT, 0), "jsonVersion": VERSION, "appBuildId": 473_702, "nextUid": next_uid,
        "identifierStyle": "Free", "toc": [], "worldLayout": "GridVania", "worldGridWidth": 16 * pixels,
        "worldGridHeight": 16 * pixels, "defaultLevelWidth": 32 * pixels, "defaultLevelHeight": 18 * pixels,
        "defaultPivotX": 0, "defaultPivotY": 0, "defaultGridSize": pixels, "defaultEntityWidth": pixels,
        "defaultEntityHeight": pixels, "bgColor": "#171D2B", "defaultLevelBgColor": "#171D2B", "minifyJson": false,
        "externalLevels": false, "exportTiled": false, "simplifiedExport": false, "imageExportMode": "None",
        "exportLevelBg": true, "pngFilePattern": null, "backupOnSave": false, "backupLimit": 10, "backupRelPath": null,
        "levelNamePattern": "Level_%idx", "tutorialDesc": null, "customCommands": [], "flags": [],
        "defs": definitions, "levels": [level], "worlds": [], "dummyWorldIid": ldtk_instance_id(WORLD, 0),
    });
    format!("{project:#}\n")
}

fn level_json(size: (u32, u32), pixels: u32, layers: Vec<Json>, fields: Json) -> Json {
    json!({
        "identifier": "Level_0", "iid": ldtk_instance_id(LEVEL, 0), "uid": LEVEL_UID, "worldX": 0, "worldY": 0,
        "worldDepth": 0,
        "pxWid": size.0 * pixels, "pxHei": size.1 * pixels, "__bgColor": "#171D2B", "bgColor": null,
        "useAutoIdentifier": false, "bgRelPath": null, "bgPos": null, "bgPivotX": 0.5, "bgPivotY": 0.5,
        "__smartColor": "#171D2B", "__bgPos": null, "externalRelPath": null, "fieldInstances": fields,
        "layerInstances": layers, "__neighbours": [],
    })
}

fn layer_definition_json(kind: &str, name: &str, uid: u32, pixels: u32, set: Json, groups: Json) -> Json {
    json!({
        "__type": kind, "identifier": name, "type": kind, "uid": uid, "doc": null, "uiColor": null, "gridSize": pixels,
        "guideGridWid": 0, "guideGridHei": 0, "displayOpacity": 1, "inactiveOpacity": 1, "hideInList": false,
        "hideFieldsWhenInactive": false, "canSelectWhenInactive": true, "renderInWorldView": true, "pxOffsetX": 0,
        "pxOffsetY": 0, "parallaxFactorX": 0, "parallaxFactorY": 0, "parallaxScaling": true, "requiredTags": [],
        "excludedTags": [], "autoTilesKilledByOtherLayerUid": null, "uiFilterTags": [], "useAsyncRender": false,
        "intGridValues": [], "intGridValuesGroups": [], "autoRuleGroups": groups, "autoSourceLayerDefUid": null,
        "tilesetDefUid": set, "tilePivotX": 0, "tilePivotY": 0, "biomeFieldUid": null,
    })
}

/// Returns a layer with tiles: the painted ones, or those that rules have chosen for `values`.
#[expect(clippy::too_many_arguments, reason = "the fields of one JSON object")]
fn tile_layer_json(
    kind: &str,
    name: &str,
    uid: u32,
    number: usize,
    size: (u32, u32),
    pixels: u32,
    picture: &str,
    tiles: Vec<Json>,
    values: &[i32],
) -> Json {
    let (painted, chosen) = if kind == "Tiles" { (tiles, Vec::new()) } else { (Vec::new(), tiles) };
    json!({
        "__identifier": name, "__type": kind, "__cWid": size.0, "__cHei": size.1, "__gridSize": pixels, "__opacity": 1,
        "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0, "__tilesetDefUid": SET_UID, "__tilesetRelPath": picture,
        "iid": ldtk_instance_id(LAYER, number), "levelId": LEVEL_UID, "layerDefUid": uid, "pxOffsetX": 0, "pxOffsetY": 0,
        "visible": true, "optionalRules": [], "intGridCsv": values, "autoLayerTiles": chosen, "seed": 1,
        "overrideTilesetUid": null, "gridTiles": painted, "entityInstances": [],
    })
}

/// Returns the tiles of a grid, which is as large as the level.
fn tiles_json(grid: &Grid, pixels: u32) -> Vec<Json> {
    let filled = grid.cells.iter().enumerate().filter_map(|(cell, tile)| Some((cell, tile.editor_tile_and_flips()?)));
    let instances = filled.map(|(cell, (number, flips))| {
        let flip = u32::from(flips.horizontal) | u32::from(flips.vertical) << 1;
        tile_json(cell, number, flip, grid.size.0, pixels)
    });
    instances.collect()
}

fn tile_json(cell: usize, number: usize, flip: u32, columns: u32, pixels: u32) -> Json {
    let at = |index: usize, columns: u32| {
        let (index, columns) = (index as u32, columns.max(1));
        [index % columns * pixels, index / columns * pixels]
    };
    json!({ "px": at(cell, columns), "src": at(number, COLUMNS), "f": flip, "t": number, "d": [cell], "a": 1 })
}

/// Returns the definition of the tileset: enum values tag the variants, and custom data names the other tiles.
fn tileset_json(sheet: &Sheet, picture: &str, pixels: u32) -> Json {
    let (mut tags, mut data) = (Vec::new(), Vec::new());
    for (number, tile) in sheet.tiles.iter().enumerate() {
        match &tile.variant {
            Some(name) if can_import_enum_value(sheet, name) => {
                tags.push(json!({ "enumValueId": ldtk_identifier(name), "tileIds": [number] }));
            }
            _ => {
                let name = tile.shape_name();
                data.extend(name.map(|name| json!({ "tileId": number, "data": format!("{VARIANT} = {name}") })));
            }
        }
    }
    json!({
        "__cWid": COLUMNS, "__cHei": sheet.rows(), "identifier": SET, "uid": SET_UID, "relPath": picture,
        "embedAtlas": null, "pxWid": COLUMNS * pixels, "pxHei": sheet.rows() * pixels, "tileGridSize": pixels,
        "spacing": 0, "padding": 0, "tags": [], "tagsSourceEnumUid": ENUM_UID, "enumTags": tags, "customData": data,
        "savedSelections": [], "cachedPixelData": null,
    })
}

/// Returns whether the import understands the name of a variant as an enum value.
fn can_import_enum_value(sheet: &Sheet, name: &str) -> bool {
    variant_name_of_tag(&sheet.catalogue, &ldtk_identifier(name)).as_deref() == Some(name)
}

fn variant_enum_json(sheet: &Sheet) -> Json {
    let named = sheet.tiles.iter().enumerate().filter_map(|(number, tile)| Some((number, tile.variant.as_ref()?)));
    let values: Vec<Json> = named
        .filter(|(_, name)| can_import_enum_value(sheet, name))
        .map(|(_, name)| json!({ "id": ldtk_identifier(name), "color": 0x62_c6b4, "tileRect": null }))
        .collect();
    json!({
        "identifier": SET, "uid": ENUM_UID, "values": values, "iconTilesetUid": null, "externalRelPath": null,
        "externalFileChecksum": null, "tags": [],
    })
}

fn entity_class(object: &Object) -> String {
    let class = ldtk_identifier(&object.class);
    if class.is_empty() { "object".to_owned() } else { class }
}

/// Returns the properties of an object with its name.
fn properties_with_name(object: &Object) -> Properties {
    let mut properties = object.properties.clone();
    if !object.name.is_empty() {
        properties.insert("name".to_owned(), Value::Text(object.name.clone()));
    }
    properties
}

/// Fields of the entities of a class, or of levels.
struct Fields(BTreeMap<String, (u32, &'static str)>);

impl Fields {
    fn from_properties<'a>(all: impl Iterator<Item = &'a Properties>, uid: &mut impl FnMut() -> u32) -> Fields {
        let mut fields = BTreeMap::new();
        for (name, value) in all.flatten() {
            fields.entry(name.clone()).or_insert_with(|| {
                let number = if name == VARIANT { NAMES_UID } else { uid() };
                (number, ldtk_field_type(value))
            });
        }
        Fields(fields)
    }

    fn definitions_json(&self) -> Json {
        let definition = |(name, (uid, kind)): (&String, &(u32, &str))| {
            let is_array = *kind == "Point";
            let shown = if is_array { "PointPath" } else { "NameAndValue" };
            let whole = if is_array { format!("Array<{kind}>") } else { (*kind).to_owned() };
            json!({
                "identifier": name, "doc": null, "__type": whole, "uid": uid, "type": format!("F_{kind}"),
                "isArray": is_array, "canBeNull": true, "arrayMinLength": null, "arrayMaxLength": null,
                "editorDisplayMode": shown, "editorDisplayScale": 1, "editorDisplayPos": "Above",
                "editorLinkStyle": "StraightArrow", "editorDisplayColor": null, "editorAlwaysShow": false,
                "editorShowInWorld": true, "editorCutLongValues": true, "editorTextSuffix": null,
                "editorTextPrefix": null, "useForSmartColor": false, "exportToToc": false, "searchable": false,
                "min": null, "max": null, "regex": null, "acceptFileTypes": null, "defaultOverride": null,
                "textLanguageMode": null, "symmetricalRef": false, "autoChainRef": true, "allowOutOfLevelRef": true,
                "allowedRefs": "Any", "allowedRefsEntityUid": null, "allowedRefTags": [], "tilesetUid": null,
            })
        };
        self.0.iter().map(definition).collect()
    }

    /// Returns the field values of an object or a level. A field that it lacks has the value null.
    fn field_values_json(&self, properties: &Properties, level: &Level) -> Json {
        let instance = |(name, (uid, kind)): (&String, &(u32, &str))| {
            let (value, stored) = match properties.get(name) {
                Some(value) => value_for_readers_and_editor(value, level),
                None => (Json::Null, Json::Null),
            };
            let whole = if *kind == "Point" { format!("Array<{kind}>") } else { (*kind).to_owned() };
            json!({
                "__identifier": name, "__type": whole, "__value": value, "__tile": null, "defUid": uid,
                "realEditorValues": editor_values_json(&stored, kind),
            })
        };
        self.0.iter().map(instance).collect()
    }
}

/// Returns the value of a field in the form that the editor itself reads.
fn editor_values_json(stored: &Json, kind: &str) -> Json {
    let id = match kind {
        "Bool" => "V_Bool",
        "Int" => "V_Int",
        "Float" => "V_Float",
        _ => "V_String",
    };
    match stored {
        Json::Null => json!([]),
        Json::Array(list) => list.iter().map(|value| json!({ "id": id, "params": [value] })).collect(),
        _ => json!([{ "id": id, "params": [stored] }]),
    }
}

fn ldtk_field_type(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "Bool",
        Value::Integer(_) => "Int",
        Value::Float(_) => "Float",
        Value::Text(text) if text.starts_with(REFERENCE) => "EntityRef",
        Value::Text(_) => "String",
        Value::List(_) | Value::Map(_) => "Point",
    }
}

/// Returns a value in two forms: for programs that read the file, and for the editor.
fn value_for_readers_and_editor(value: &Value, level: &Level) -> (Json, Json) {
    match value {
        Value::Text(text) => match text.strip_prefix(REFERENCE) {
            Some(id) => {
                let entity = ldtk_instance_id(ENTITY, id.parse().unwrap_or(0));
                let reference = json!({
                    "entityIid": entity, "layerIid": ldtk_instance_id(LAYER, 0), "levelIid": ldtk_instance_id(LEVEL, 0),
                    "worldIid": ldtk_instance_id(WORLD, 0),
                });
                (reference, json!(entity))
            }
            None => (json!(text), json!(text)),
        },
        Value::Bool(value) => (json!(value), json!(value)),
        Value::Integer(value) => (json!(value), json!(value)),
        Value::Float(value) => (json!(value), json!(value)),
        // A list becomes points of LDtk. Such a point is a cell of the layer, and rows count from the top.
        Value::List(points) => {
            let (left, bottom) = level.own.as_ref().map_or((0, 0), |own| own.map.origin());
            let cells = points.iter().filter_map(|point| {
                let [x, y] = point.as_list()? else { return None };
                let cx = (x.as_f64()? - f64::from(left)).floor() as i64;
                let cy = i64::from(level.size.1) - 1 - (y.as_f64()? - f64::from(bottom)).floor() as i64;
                Some((json!({ "cx": cx, "cy": cy }), json!(format!("{cx},{cy}"))))
            });
            let (cells, stored): (Vec<Json>, Vec<Json>) = cells.unzip();
            (Json::Array(cells), Json::Array(stored))
        }
        Value::Map(_) => (Json::Null, Json::Null),
    }
}

/// Number of an entity's definition, its fields and its usual size in pixels.
type Entity = (u32, Fields, (f64, f64));

fn entity_definition_json(class: &str, (uid, fields, size): &Entity) -> Json {
    json!({
        "identifier": class, "uid": uid, "tags": [], "exportToToc": false, "allowOutOfBounds": true, "doc": null,
        "width": size.0 as i64, "height": size.1 as i64, "resizableX": true, "resizableY": true, "minWidth": null,
        "maxWidth": null, "minHeight": null, "maxHeight": null, "keepAspectRatio": false, "tileOpacity": 1,
        "fillOpacity": 0.3, "lineOpacity": 1, "hollow": false, "color": COLOR, "renderMode": "Rectangle",
        "showName": true, "tilesetId": null, "tileRenderMode": "FitInside", "tileRect": null, "uiTileRect": null,
        "nineSliceBorders": [], "maxCount": 0, "limitScope": "PerLevel", "limitBehavior": "MoveLastOne", "pivotX": 0,
        "pivotY": 0, "fieldDefs": fields.definitions_json(),
    })
}

fn entity_layer_json(level: &Level, uid: u32, entities: &BTreeMap<String, Entity>, pixels: u32) -> Json {
    let instance = |(index, object): (usize, &Object)| {
        let class = entity_class(object);
        let (definition, fields, _) = entities.get(&class)?;
        let (x, y) = (object.at.0 as i64, object.at.1 as i64);
        let side = i64::from(pixels);
        Some(json!({
            "__identifier": class, "__grid": [x.div_euclid(side), y.div_euclid(side)], "__pivot": [0, 0], "__tags": [],
            "__tile": null, "__smartColor": COLOR, "__worldX": x, "__worldY": y, "iid": ldtk_instance_id(ENTITY, index + 1),
            "width": object.size.0 as i64, "height": object.size.1 as i64, "defUid": definition, "px": [x, y],
            "fieldInstances": fields.field_values_json(&properties_with_name(object), level),
        }))
    };
    let instances: Vec<Json> = level.objects.iter().enumerate().filter_map(instance).collect();
    let mut layer = tile_layer_json("Entities", "things", uid, 0, level.size, pixels, "", Vec::new(), &[]);
    for absent in ["__tilesetDefUid", "__tilesetRelPath"] {
        layer[absent] = Json::Null;
    }
    layer["entityInstances"] = Json::Array(instances);
    layer
}

/// Returns the JSON of a rule. The rule tests the cells around a cell. If it fits, LDtk tries no further rule for the
/// cell.
fn rule_definition_json(rule: &Rule, number: usize, uid: u32) -> Json {
    let side = rule.side_in_cells();
    let pattern: Vec<i32> = rule.cells().map(Needs::ldtk_number).collect();
    let mut json = json!({ "uid": uid });
    for (name, value) in [
        ("active", json!(true)),
        ("size", json!(side)),
        ("tileRectsIds", json!([[number]])),
        ("alpha", json!(1)),
        ("chance", json!(1)),
        ("breakOnMatch", json!(true)),
        ("pattern", json!(pattern)),
        ("flipX", json!(false)),
        ("flipY", json!(false)),
        ("xModulo", json!(1)),
        ("yModulo", json!(1)),
        ("checker", json!("None")),
        ("tileMode", json!("Single")),
        // Beyond the level, everything counts as painted.
        ("outOfBoundsValue", json!(1)),
        ("invalidated", json!(false)),
        ("perlinActive", json!(false)),
        ("perlinScale", json!(0.2)),
        ("perlinOctaves", json!(2)),
    ] {
        json[name] = value;
    }
    for zero in [
        "xOffset",
        "yOffset",
        "tileXOffset",
        "tileYOffset",
        "tileRandomXMin",
        "tileRandomXMax",
        "tileRandomYMin",
        "tileRandomYMax",
        "pivotX",
        "pivotY",
        "perlinSeed",
    ] {
        json[zero] = json!(0);
    }
    json
}
