//! Projects of LDtk 1.x: levels in the project's file or in files of their own.

mod convert;

pub(crate) use convert::{read_level, read_project, variant_name_of_tag};

use serde::Deserialize;
use serde_json::Value;

/// A project file: the fields that an import needs.
#[derive(Debug, Deserialize)]
pub(crate) struct Project {
    #[serde(rename = "jsonVersion")]
    pub(super) json_version: String,
    pub(super) defs: Definitions,
    #[serde(default)]
    pub(super) levels: Vec<LevelFile>,
    /// Worlds with levels of their own, in projects with several worlds.
    #[serde(default)]
    pub(super) worlds: Vec<WorldFile>,
}

#[derive(Debug, Deserialize)]
pub(super) struct WorldFile {
    pub(super) levels: Vec<LevelFile>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Definitions {
    pub(super) layers: Vec<LayerDefinition>,
    pub(super) tilesets: Vec<TilesetDefinition>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LayerDefinition {
    pub(super) uid: i64,
    #[serde(default)]
    pub(super) int_grid_values: Vec<IntGridValue>,
}

#[derive(Debug, Deserialize)]
pub(super) struct IntGridValue {
    pub(super) value: i64,
    pub(super) identifier: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TilesetDefinition {
    pub(super) uid: i64,
    #[serde(default)]
    pub(super) identifier: String,
    /// Path of the picture from the folder of the project. `None` for icons that come with LDtk.
    pub(super) rel_path: Option<String>,
    #[serde(default)]
    pub(super) tile_grid_size: u32,
    #[serde(default)]
    pub(super) enum_tags: Vec<EnumTag>,
    #[serde(default)]
    pub(super) custom_data: Vec<CustomData>,
}

/// Tiles that an enum value tags.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EnumTag {
    pub(super) enum_value_id: String,
    pub(super) tile_ids: Vec<i64>,
}

/// Text that a tile carries.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CustomData {
    pub(super) tile_id: i64,
    pub(super) data: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LevelFile {
    pub(super) identifier: String,
    #[serde(default)]
    pub(super) iid: String,
    pub(super) px_wid: i64,
    pub(super) px_hei: i64,
    /// `None` if the layers are in a file of their own.
    pub(super) layer_instances: Option<Vec<LayerInstance>>,
    pub(super) external_rel_path: Option<String>,
    /// Background picture.
    pub(super) bg_rel_path: Option<String>,
    #[serde(default)]
    pub(super) field_instances: Vec<FieldInstance>,
    #[serde(default, rename = "__neighbours")]
    pub(super) neighbours: Vec<Neighbour>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Neighbour {
    pub(super) level_iid: String,
    /// Direction of the neighbour level: `n`, `s`, `w` or `e`; two letters for a corner; `<` or `>` for a depth; `o`
    /// for an overlap.
    pub(super) dir: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LayerInstance {
    #[serde(rename = "__identifier")]
    pub(super) identifier: String,
    #[serde(rename = "__cWid")]
    pub(super) columns: i64,
    #[serde(rename = "__cHei")]
    pub(super) rows: i64,
    #[serde(rename = "__gridSize")]
    pub(super) grid_size: i64,
    #[serde(default, rename = "__pxTotalOffsetX")]
    pub(super) offset_x: i64,
    #[serde(default, rename = "__pxTotalOffsetY")]
    pub(super) offset_y: i64,
    #[serde(rename = "__tilesetDefUid")]
    pub(super) tileset: Option<i64>,
    pub(super) layer_def_uid: i64,
    #[serde(default)]
    pub(super) int_grid_csv: Vec<i32>,
    #[serde(default)]
    pub(super) grid_tiles: Vec<TileInstance>,
    #[serde(default)]
    pub(super) auto_layer_tiles: Vec<TileInstance>,
    #[serde(default)]
    pub(super) entity_instances: Vec<EntityInstance>,
}

/// A tile of a layer: pixels from the layer's upper left corner, pixels in the tileset's picture, number in the
/// tileset, and flips (1 for x, 2 for y).
#[derive(Debug, Deserialize)]
pub(super) struct TileInstance {
    pub(super) px: (i64, i64),
    #[serde(default)]
    pub(super) src: (u32, u32),
    pub(super) t: i64,
    pub(super) f: u8,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EntityInstance {
    #[serde(rename = "__identifier")]
    pub(super) identifier: String,
    #[serde(default)]
    pub(super) iid: String,
    /// Pixels of the pivot from the layer's upper left corner.
    pub(super) px: (i64, i64),
    /// Pivot as parts of width and height.
    #[serde(default, rename = "__pivot")]
    pub(super) pivot: (f64, f64),
    pub(super) width: i64,
    pub(super) height: i64,
    #[serde(default)]
    pub(super) field_instances: Vec<FieldInstance>,
}

#[derive(Debug, Deserialize)]
pub(super) struct FieldInstance {
    #[serde(rename = "__identifier")]
    pub(super) identifier: String,
    /// Such as `Int`, `Point`, `EntityRef` or `Array<Point>`.
    #[serde(rename = "__type")]
    pub(super) kind: String,
    #[serde(default, rename = "__value")]
    pub(super) value: Value,
}
