//! Tiles of a generated tileset: each variant, the tiles with usual names, and the other kinds of a map.

use crate::build::Kinds;
use crate::level::{Cell, EditorTile, Flips};
use crate::outline::flipped_variant;
use std::sync::Arc;
use surefoot::Map;
use surefoot::catalogue::{Catalogue, Placement, VariantId};
use surefoot::map::{TileId, TileKind};

/// Tiles in a row of the picture.
pub(crate) const COLUMNS: u32 = 16;
/// Name of the tileset. In LDtk it is an identifier, and so begins with a capital.
pub(crate) const SET: &str = "Surefoot";
/// Tiles with usual names. None of them is the name of a variant.
const USUAL: [&str; 10] = ["platform", "spikes", "ice", "water", "ladder", "lava", "coin", "start", "goal", PAINT];
/// Tile that means nothing: rules read it, and choose the tiles of another layer.
pub(crate) const PAINT: &str = "empty";

/// A tile of the sheet.
pub(crate) struct SheetTile {
    /// Tile kind that the tile becomes when a level is imported.
    pub(crate) kind: TileKind,
    /// Name of the variant, if the tile means a variant and nothing else.
    pub(crate) variant: Option<String>,
    /// Class: a usual name, or a word for people.
    pub(crate) class: String,
    /// Usual name of the tile, such as `spikes`, if it is not the name of a variant. Empty if there is none.
    pub(crate) usual: &'static str,
}

impl SheetTile {
    /// Returns the value of the property `surefoot` of the tile, if it has one.
    pub(crate) fn shape_name(&self) -> Option<&str> {
        self.variant.as_deref().or(Some(self.usual)).filter(|name| !name.is_empty())
    }
}

/// Tiles of a tileset, and the tile that shows each tile kind of a map.
pub(crate) struct Sheet {
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) tiles: Vec<SheetTile>,
    /// For each tile kind of the map, the number of its tile. `None` for plain variants.
    numbers: Vec<Option<usize>>,
    variants: Vec<Option<VariantId>>,
    /// Tile kinds of the map that have a tile of their own, each with the number of that tile.
    pub(crate) own: Vec<(TileId, usize)>,
}

impl Sheet {
    /// Returns the tiles of a new project: the variants and the tiles with usual names.
    pub(crate) fn with_usual_tiles() -> Sheet {
        Sheet::from_kinds(Catalogue::builtin(), &[])
    }

    /// Returns the tiles for a map.
    pub(crate) fn of_map(map: &Map) -> Sheet {
        Sheet::from_kinds(map.catalogue().clone(), map.kinds())
    }

    fn from_kinds(catalogue: Arc<Catalogue>, kinds: &[TileKind]) -> Sheet {
        let ids = (0..catalogue.variants().len()).map(|i| VariantId(i as u16));
        let mut tiles: Vec<SheetTile> = ids
            .map(|id| SheetTile {
                kind: TileKind::new(id),
                variant: Some(catalogue.variant_name(id)),
                class: String::new(),
                usual: "",
            })
            .collect();
        let names = Kinds { catalogue: catalogue.clone(), own: None };
        let usual = USUAL.iter().filter_map(|&name| {
            let kind = names.usual_kind(name).filter(|_| catalogue.find_variant(name).is_err())?;
            Some(SheetTile { kind, variant: None, class: name.to_owned(), usual: name })
        });
        let first_usual = tiles.len();
        tiles.extend(usual);
        let (mut numbers, mut own) = (Vec::new(), Vec::new());
        let mut seen = vec![false; catalogue.variants().len()];
        for (index, kind) in kinds.iter().enumerate() {
            let is_plain = kind.variant.is_some_and(|variant| *kind == TileKind::new(variant));
            // Several legend entries may be the same plain shape. An import turns a plain tile of that shape into the
            // first of these entries. So each other entry needs a tile of its own.
            let mut is_first = |variant: VariantId| !std::mem::replace(&mut seen[usize::from(variant.0)], true);
            if index == 0 || (is_plain && kind.variant.is_some_and(&mut is_first)) {
                numbers.push(None);
                continue;
            }
            let known = tiles[first_usual..].iter().position(|tile| !tile.usual.is_empty() && tile.kind == *kind);
            let known = known.filter(|_| kinds.iter().position(|other| other == kind) == Some(index));
            let number = known.map_or(tiles.len(), |known| first_usual + known);
            if known.is_none() {
                own.push((TileId(index as u16), number));
                tiles.push(SheetTile { kind: kind.clone(), variant: None, class: describe_kind(kind), usual: "" });
            }
            numbers.push(Some(number));
        }
        let variants = kinds.iter().map(|kind| kind.variant).collect();
        Sheet { catalogue, tiles, numbers, variants, own }
    }

    /// Returns the tile and the flips that show a kind of the map. `None` for the empty kind.
    ///
    /// `can_turn`: whether the editor can turn tiles. Turned variants are then flips of the first variant of their
    /// pattern.
    pub(crate) fn tile_of_kind(&self, id: TileId, can_turn: bool) -> Option<(usize, Flips)> {
        let index = usize::from(id.0);
        if let Some(number) = self.numbers[index] {
            return Some((number, Flips::default()));
        }
        let variant = self.variants[index]?;
        let base = self.catalogue.place(self.catalogue.variant(variant).pattern, Placement::default());
        let flips = (0..8).map(|i| Flips { horizontal: i & 1 != 0, vertical: i & 2 != 0, diagonal: i & 4 != 0 });
        let mut flips = flips.filter(|_| can_turn);
        let found = flips.find(|&flips| flipped_variant(&self.catalogue, base, flips) == variant);
        Some(found.map_or((usize::from(variant.0), Flips::default()), |flips| (usize::from(base.0), flips)))
    }

    /// Returns the cell with the first tile that fits. An empty cell if none does.
    pub(crate) fn cell_of_first_tile(&self, fits: impl Fn(&SheetTile) -> bool) -> Cell {
        self.tiles.iter().position(fits).map_or(Cell::EMPTY, |number| Cell::new(number, Flips::default()))
    }

    /// Returns the kinds of all tiles.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = TileKind> {
        self.tiles.iter().map(|tile| tile.kind.clone())
    }

    /// Returns what an import reads of each tile.
    pub(crate) fn editor_tiles(&self) -> Vec<EditorTile> {
        let editor_tile = |(number, tile): (usize, &SheetTile)| EditorTile {
            label: format!("tile {number} of tileset {SET:?}"),
            key: name_of_tile(number),
            variant: tile.shape_name().map(str::to_owned),
            class: tile.class.clone(),
            outline: None,
            frames: Vec::new(),
        };
        self.tiles.iter().enumerate().map(editor_tile).collect()
    }

    /// Returns the rows of the picture.
    pub(crate) fn rows(&self) -> u32 {
        (self.tiles.len() as u32).div_ceil(COLUMNS)
    }
}

/// Returns the name under which the map of names lists a tile of the tileset.
pub(crate) fn name_of_tile(number: usize) -> String {
    format!("{SET}/{number}")
}

/// Returns a word that tells people what a kind is: the first of its names that is not empty.
fn describe_kind(kind: &TileKind) -> String {
    let things = &kind.things;
    let tag = kind.properties.get("tag").and_then(|tag| tag.as_str());
    let words = [
        things.marker.as_ref().map(|marker| &*marker.name),
        things.body.as_ref().map(|body| &*body.kind),
        things.area.as_ref().map(|area| &*area.area.tag),
        tag,
    ];
    words.into_iter().flatten().find(|word| !word.is_empty()).unwrap_or_default().to_owned()
}
