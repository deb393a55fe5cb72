//! Pieces of a picture that show the tiles of a map.
//!
//! The property `art` of a map names an art file. It names the picture, and says which piece each tile shows:
//! `docs/formats/art.md`. This module reads both and says what each cell shows. [`Canvas`](crate::Canvas) has no
//! pictures, so [`draw_map_art`](crate::draw_map_art) and a window paint the pieces themselves.

mod error;
mod file;
mod files;
#[cfg(any(feature = "png", test))]
pub(crate) mod picture;

pub use error::{ArtError, ArtProblem};
#[cfg(any(feature = "png", test))]
pub use picture::draw_sprites;

use crate::layers::layers_behind_and_in_front;
use crate::region::Region;
use file::{ArtFile, Shown};
use files::Files;
use glam::I8Vec2;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot::catalogue::{Catalogue, LATTICE, Placement, Variant, VariantId};
use surefoot::geometry::{DVec2, dvec2};
use surefoot::io::read_text_from;
use surefoot::map::{TileId, TileLayer};
use surefoot::prelude::Terrain;
use surefoot::{Map, World};

/// Property of a map that names its art file, from the folder of the map.
const PROPERTY: &str = "art";
/// Words before the tag of an area in the key of a piece.
const AREA: &str = "area ";
/// Maximum size of an art file and of a picture in bytes.
const MAX_TEXT: u64 = 1 << 20;
const MAX_PICTURE: u64 = 1 << 26;
/// Maximum width and height of a picture in pixels.
const MAX_SIDE: u32 = 1 << 13;
/// Pixels along one side of a piece.
const PIXELS: std::ops::RangeInclusive<u32> = 1..=256;
/// Pieces of a joined tile, next to each other in the picture.
const JOINED: u32 = 5;

/// Art of a map: a picture, and the piece of it that each tile kind shows.
#[derive(Clone, Debug)]
pub struct Art {
    /// Bytes of the picture's file in PNG.
    picture: Vec<u8>,
    /// Width and height of the picture in pixels.
    size: (u32, u32),
    pixels: u32,
    frame_seconds: f64,
    shown: Vec<Shown>,
    /// For each tile kind of the map, the index of its pieces, and how they are mirrored and turned.
    kinds: Vec<Option<(usize, Placement)>>,
    /// Variants of the kinds.
    variants: Vec<Option<VariantId>>,
    catalogue: Arc<Catalogue>,
    /// Tags of areas whose cells have pieces.
    areas: BTreeSet<String>,
}

/// A square of a map that shows a square of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprite {
    /// Lower left corner in the map, in tiles.
    pub corner: DVec2,
    /// Side in the map, in tiles: 1, or 0.5 for a quarter of a joined tile.
    pub side: f64,
    /// Points of the picture at the square's corners: lower left, lower right, upper right and upper left. Each point
    /// is in pixels from the upper left corner of the picture, x to the right and y down.
    pub picture: [(u32, u32); 4],
}

/// Picture of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellPicture {
    /// A piece of the picture, or a quarter of one.
    Sprite(Sprite),
    /// The cell has no piece. It shows the plain shape of the variant.
    Plain((i32, i32), VariantId),
}

/// Selects the tiles of a map to show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArtLayers {
    /// Rectangle of tiles to show.
    pub region: Region,
    /// Shows the tile layers in front of bodies: those that do not collide and follow one that does. Otherwise shows
    /// all other layers.
    pub in_front: bool,
    /// Time since the start in seconds, for pieces with several frames.
    pub seconds: f64,
}

/// Neighbours clockwise from the one above, in the order of the bits of [`Terrain::joined_neighbours`].
const NEIGHBOURS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// Cells to show: a region of a layer.
struct Cells<'a> {
    tile_at: &'a dyn Fn((i32, i32)) -> Option<TileId>,
    /// Terrain of the layer, if it collides.
    terrain: Option<&'a Terrain>,
    region: Region,
    /// Position of tile (0, 0).
    at: DVec2,
}

impl Art {
    /// Reads the art of a map: the file that its property `art` names, and the picture. Returns `None` for a map
    /// without this property. `file`: the file of the map.
    ///
    /// # Errors
    /// Returns [`ArtError`]:
    ///
    /// - if the property is not the name of a file in the folder of the map or below it;
    /// - if the art file or the picture cannot be read, is too large, or has another form;
    /// - if a key names no tile, symbol or area, or a piece is not inside the picture.
    pub fn load(file: impl AsRef<Path>, map: &Map) -> Result<Option<Art>, ArtError> {
        Art::read_art(file.as_ref(), map, &Files::Disk)
    }

    /// Reads the art of a map as [`Art::load`] does, from `files` in memory: for the browser, archives and assets.
    ///
    /// The keys of `files` are paths with the folder of `file`, without a root, `.` or `..`.
    ///
    /// # Errors
    /// Returns [`ArtError`] as [`Art::load`] does. A file that `files` lacks cannot be read.
    ///
    /// # Examples
    /// ```no_run
    /// use std::collections::BTreeMap;
    /// use surefoot::Map;
    /// use surefoot_draw::Art;
    ///
    /// # let (art_file, picture) = (Vec::new(), Vec::new());
    /// let map = Map::from_ron(r###"Map(format: 1, properties: {"art": "cave.art.ron"}, tiles: ["@.", "##"])"###)?;
    /// // Into the program, with `include_bytes!("cave.art.ron").to_vec()`.
    /// let files = BTreeMap::from([("cave.art.ron".into(), art_file), ("cave.png".into(), picture)]);
    /// let art = Art::from_memory("cave.ron", &map, &files)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_memory(
        file: impl AsRef<Path>,
        map: &Map,
        files: &BTreeMap<PathBuf, Vec<u8>>,
    ) -> Result<Option<Art>, ArtError> {
        Art::read_art(file.as_ref(), map, &Files::Memory(files))
    }

    fn read_art(file: &Path, map: &Map, files: &Files<'_>) -> Result<Option<Art>, ArtError> {
        let Some(value) = map.properties().get(PROPERTY) else { return Ok(None) };
        let named = value.as_str().ok_or_else(|| ArtError::new(file, "", ArtProblem::NoText))?;
        let (path, text) = files.read_named_file(file, named, MAX_TEXT, "a text file")?;
        let art = ArtFile::parse(&path, &read_text_from(&*text, &path.to_string_lossy(), MAX_TEXT)?)?;
        let (picture_path, picture) = files.read_named_file(&path, &art.picture, MAX_PICTURE, "a picture in PNG")?;
        let size = png_size(&picture).filter(|(width, height)| (1..=MAX_SIDE).contains(width.max(height)));
        let size = size.ok_or_else(|| ArtError::new(&picture_path, "", ArtProblem::NoPng))?;
        art.check_numbers(&path, size)?;
        let mut read = Art {
            picture,
            size,
            pixels: art.pixels,
            frame_seconds: art.frame_seconds,
            shown: Vec::new(),
            kinds: Vec::new(),
            variants: map.kinds().iter().map(|kind| kind.variant).collect(),
            catalogue: map.catalogue().clone(),
            areas: BTreeSet::new(),
        };
        let keys = art.tiles.0.into_iter().map(|(key, shown)| {
            read.shown.push(shown);
            (key, read.shown.len() - 1)
        });
        let keys: BTreeMap<String, usize> = keys.collect();
        read.kinds = piece_index_and_placement_of_each_kind(&path, map, &keys)?;
        let with_pieces = map.kinds().iter().zip(&read.kinds).filter(|(_, pieces)| pieces.is_some());
        let areas = with_pieces.filter_map(|(kind, _)| kind.things.area.as_ref());
        read.areas = areas.map(|thing| thing.area.tag.clone()).collect();
        Ok(Some(read))
    }

    /// Returns the bytes of the picture in PNG.
    #[must_use]
    pub fn picture(&self) -> &[u8] {
        &self.picture
    }

    /// Returns the width and height of the picture in pixels.
    #[must_use]
    pub fn picture_size(&self) -> (u32, u32) {
        self.size
    }

    /// Returns the pixels along one side of a piece.
    #[must_use]
    pub fn pixels(&self) -> u32 {
        self.pixels
    }

    /// Returns the shape of a cell without a piece.
    #[must_use]
    pub fn variant(&self, id: VariantId) -> &Variant {
        self.catalogue.variant(id)
    }

    /// Returns whether pieces show the areas with a tag, in the cells that place them. Such areas need no other
    /// picture.
    #[must_use]
    pub fn shows_areas(&self, tag: &str) -> bool {
        self.areas.contains(tag)
    }

    /// Calls `show` with the picture of each tile of a map, from back to front. `terrain`: terrain of the map with all
    /// edits.
    pub fn show_map(&self, map: &Map, terrain: &Terrain, layers: ArtLayers, show: &mut dyn FnMut(CellPicture)) {
        let tile_at = |layer: usize, tile| match map.layers().get(layer) {
            Some(own) if own.collides => terrain.tile_at(layer, tile),
            _ => map.tile_at(layer, tile),
        };
        self.visit_pictures_of_layers(map, terrain, &tile_at, layers, show);
    }

    /// Calls `show` with the picture of each tile of a world on the map, from back to front.
    pub fn show_world(&self, world: &World, layers: ArtLayers, show: &mut dyn FnMut(CellPicture)) {
        let tile_at = |layer, tile| world.tile_at(layer, tile);
        self.visit_pictures_of_layers(world.map(), world.terrain(), &tile_at, layers, show);
    }

    fn visit_pictures_of_layers(
        &self,
        map: &Map,
        terrain: &Terrain,
        tile_at: &dyn Fn(usize, (i32, i32)) -> Option<TileId>,
        ArtLayers { region, in_front, seconds }: ArtLayers,
        show: &mut dyn FnMut(CellPicture),
    ) {
        let (_, front) = layers_behind_and_in_front(map);
        for (index, layer) in map.layers().iter().enumerate() {
            if front.contains(&index) == in_front {
                let terrain = layer.collides.then_some(terrain);
                let tile_at = |tile| tile_at(index, tile);
                self.visit_pictures_of_cells(
                    &Cells { tile_at: &tile_at, terrain, region, at: DVec2::ZERO },
                    seconds,
                    show,
                );
            }
        }
    }

    /// Calls `show` with the picture of each tile of a platform, from back to front.
    ///
    /// `at`: position of the platform's tile (0, 0). `seconds`: time since the start, for pieces with several frames.
    pub fn show_platform(&self, layers: &[TileLayer], at: DVec2, seconds: f64, show: &mut dyn FnMut(CellPicture)) {
        for layer in layers {
            let Some(region) = region_of_layer(layer) else { continue };
            self.visit_pictures_of_cells(
                &Cells { tile_at: &|tile| Some(layer.tile_at(tile)), terrain: None, region, at },
                seconds,
                show,
            );
        }
    }

    fn visit_pictures_of_cells(&self, cells: &Cells<'_>, seconds: f64, show: &mut dyn FnMut(CellPicture)) {
        for tile in cells.region.tiles() {
            let Some(kind) = (cells.tile_at)(tile).map(|id| usize::from(id.0)).filter(|kind| *kind > 0) else {
                continue;
            };
            let corner = cells.at + dvec2(tile.0.into(), tile.1.into());
            let Some(&Some((index, placement))) = self.kinds.get(kind) else {
                if let Some(&Some(variant)) = self.variants.get(kind) {
                    show(CellPicture::Plain(tile, variant));
                }
                continue;
            };
            match &self.shown[index] {
                &Shown::Piece(column, row) => show(self.picture_of_whole_tile(corner, (column, row), placement)),
                Shown::Frames(frames) => {
                    let frame = (seconds.max(0.0) / self.frame_seconds) as u64 % frames.len() as u64;
                    show(self.picture_of_whole_tile(corner, frames[frame as usize], placement));
                }
                &Shown::Joined(column, row) => {
                    let joined = self.bits_of_joined_neighbours(cells, tile, index);
                    self.visit_four_quarters_of_joined_tile(corner, (column, row), joined, show);
                }
            }
        }
    }

    /// Returns the neighbours that a tile joins: tiles with the same pieces, and solid tiles that the terrain joins to
    /// it.
    fn bits_of_joined_neighbours(&self, cells: &Cells<'_>, tile: (i32, i32), index: usize) -> u8 {
        let is_alike = |(x, y): (i32, i32)| {
            let id = (cells.tile_at)((tile.0.saturating_add(x), tile.1.saturating_add(y)));
            let kind = id.map(|id| usize::from(id.0)).filter(|kind| *kind > 0);
            kind.and_then(|kind| *self.kinds.get(kind)?).is_some_and(|(other, _)| other == index)
        };
        let alike = NEIGHBOURS.into_iter().enumerate().map(|(bit, way)| u8::from(is_alike(way)) << bit).sum::<u8>();
        alike | cells.terrain.map_or(0, |terrain| terrain.joined_neighbours(tile))
    }

    /// Shows a joined tile as four quarters. Each is the same quarter of one of five pieces.
    fn visit_four_quarters_of_joined_tile(
        &self,
        corner: DVec2,
        (column, row): (u32, u32),
        joined: u8,
        show: &mut dyn FnMut(CellPicture),
    ) {
        let is_joined = |bit: u8| joined >> bit & 1 == 1;
        let half = self.pixels / 2;
        // A quarter has a column, a row, and the bits of three neighbours: sideways, above or below, and diagonally.
        let quarters = [(0, 0, 6, 4, 5), (1, 0, 2, 4, 3), (1, 1, 2, 0, 1), (0, 1, 6, 0, 7)];
        for (right, up, beside, along, between) in quarters {
            let piece = match (is_joined(beside), is_joined(along), is_joined(between)) {
                (false, false, _) => 0,
                (true, false, _) => 1,
                (false, true, _) => 2,
                (true, true, false) => 3,
                (true, true, true) => 4,
            };
            let left = (column + piece) * self.pixels + right * half;
            let top = row * self.pixels + (1 - up) * half;
            show(CellPicture::Sprite(Sprite {
                corner: corner + dvec2(right.into(), up.into()) / 2.0,
                side: 0.5,
                picture: [(left, top + half), (left + half, top + half), (left + half, top), (left, top)],
            }));
        }
    }

    /// Returns the sprite of a whole tile, mirrored and turned.
    fn picture_of_whole_tile(&self, corner: DVec2, (column, row): (u32, u32), placement: Placement) -> CellPicture {
        let (low, high) = (0, LATTICE);
        let corners = [(low, low), (high, low), (high, high), (low, high)].map(|(x, y)| I8Vec2::new(x, y));
        let picture = corners.map(|corner| {
            // Find the corner of the piece that comes to this corner when the piece is mirrored and turned.
            let from = corners.into_iter().find(|from| placement.apply(*from) == corner).unwrap_or(corner);
            let step = |is_far: bool| if is_far { self.pixels } else { 0 };
            (column * self.pixels + step(from.x == high), row * self.pixels + step(from.y == low))
        });
        CellPicture::Sprite(Sprite { corner, side: 1.0, picture })
    }
}

/// Returns the cells of a layer. `None` for a layer without cells.
pub(crate) fn region_of_layer(layer: &TileLayer) -> Option<Region> {
    let far = |from: i32, count: u32| count.checked_sub(1).map(|last| from.saturating_add_unsigned(last));
    let high = (far(layer.origin.0, layer.size.0)?, far(layer.origin.1, layer.size.1)?);
    Some(Region::spanning(layer.origin, high))
}

/// Returns for each tile kind the index of its pieces, and how to mirror and turn them. Searches for the symbol of the
/// kind, then for the area that the kind places, its tile, and its pattern without mirroring and turning.
fn piece_index_and_placement_of_each_kind(
    path: &Path,
    map: &Map,
    keys: &BTreeMap<String, usize>,
) -> Result<Vec<Option<(usize, Placement)>>, ArtError> {
    let catalogue = map.catalogue();
    let (mut of_kinds, mut of_variants) = (vec![None; map.kinds().len()], BTreeMap::new());
    let plain = Placement::default();
    for (key, &index) in keys {
        let mut characters = key.chars();
        match (characters.next(), characters.next()) {
            (Some(symbol), None) => {
                if let Some(id) = map.find_tile(symbol) {
                    of_kinds[usize::from(id.0)] = Some((index, plain));
                }
            }
            _ if key.starts_with(AREA) => {}
            _ => {
                let variant = catalogue.find_variant(key);
                let variant = variant.map_err(|error| ArtError::new(path, key, ArtProblem::Key { error }))?;
                of_variants.insert(variant, index);
            }
        }
    }
    for (kind, found) in map.kinds().iter().zip(&mut of_kinds).filter(|(_, found)| found.is_none()) {
        let area = kind.things.area.as_ref().and_then(|thing| keys.get(&format!("{AREA}{}", thing.area.tag)));
        let Some(variant) = kind.variant else {
            *found = area.map(|&index| (index, plain));
            continue;
        };
        let exact = area.or_else(|| of_variants.get(&variant)).map(|&index| (index, plain));
        let placed = || {
            let shape = catalogue.variant(variant);
            Some((*of_variants.get(&catalogue.place(shape.pattern, plain))?, shape.placement))
        };
        *found = exact.or_else(placed);
    }
    Ok(of_kinds)
}

/// Returns the width and height in the header of a PNG.
fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let header = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")?;
    let number = |at: usize| Some(u32::from_be_bytes(header.get(at..at + 4)?.try_into().ok()?));
    let (width, height) = (number(0)?, number(4)?);
    (width > 0 && height > 0).then_some((width, height))
}

#[cfg(test)]
mod tests;
