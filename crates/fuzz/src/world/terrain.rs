//! Makes maps, tiles and settings from bytes.

use super::number;
use arbitrary::{Result, Unstructured};
use std::sync::OnceLock;
use surefoot::Map;
use surefoot::catalogue::PatternKind;
use surefoot::map::{Border, Borders, CollisionLayers, MapParts, Material, TileKind, TileLayer};
use surefoot::prelude::*;

/// The collision layer that some tiles let pass. Bodies are in the first layer by default.
pub(super) const GHOST: CollisionLayers = CollisionLayers(0b10);

/// Returns the tile kinds, in this order:
///
/// - every variant,
/// - every open variant as a tile to drop through,
/// - a third of the variants with another material,
/// - every open variant as a tile that ghosts pass through.
fn legend() -> &'static [TileKind] {
    static LEGEND: OnceLock<Vec<TileKind>> = OnceLock::new();
    LEGEND.get_or_init(|| {
        let catalogue = Catalogue::builtin();
        let mut legend = TileKind::every_variant(&catalogue);
        let ids = (0..catalogue.variants().len() as u16).map(VariantId);
        let open = ids.filter(|&id| catalogue.variant(id).kind == PatternKind::Open);
        legend.extend(open.clone().map(|id| TileKind { drop_through: true, ..TileKind::new(id) }));
        let materials = [(0.0, 0.0, 0.0), (1000.0, 1000.0, 1.0), (0.1, 0.25, 0.9)];
        for (i, (friction, traction, bounce)) in
            (1..).zip(materials.into_iter().cycle()).take(catalogue.variants().len() / 3)
        {
            let material = Material { friction, traction, bounce, ..Material::default() };
            legend.push(TileKind { material, ..legend[3 * i].clone() });
        }
        let drops = [false, true].into_iter().cycle();
        let ghost_tile = |(id, drop_through)| TileKind { drop_through, ignored_by: GHOST, ..TileKind::new(id) };
        legend.extend(open.zip(drops).map(ghost_tile));
        legend
    })
}

/// Returns a map of up to 10 by 8 cells in one or two tile layers. The second layer collides or not.
pub(super) fn choose_map(bytes: &mut Unstructured<'_>) -> Result<Map> {
    let (width, height) = (bytes.int_in_range(1..=10)?, bytes.int_in_range(1..=8)?);
    let mut parts = MapParts::new(width, height);
    parts.kinds = legend().to_vec();
    parts.collision_layers = vec!["body".to_owned(), "ghost".to_owned()];
    let open: u8 = bytes.arbitrary()?;
    let side = |bit: u8| if open & bit == 0 { Border::Solid } else { Border::Open };
    parts.borders = Borders { left: side(1), right: side(2), bottom: side(4), top: side(8) };
    let far = Map::MAX_ORIGIN;
    parts.layers[0].origin = *bytes.choose(&[(0, 0), (0, 0), (-4, -3), (100_000, -7), (far, far), (-far, far)])?;
    let behind = choose_cells(bytes, (width, height))?;
    if open & 0xc0 == 0xc0 {
        let mut front = choose_cells(bytes, (width, height))?;
        let collides = open & 0x20 == 0;
        if collides {
            for (front, behind) in front.iter_mut().zip(&behind) {
                let both = [behind, front].map(|entry| legend()[usize::from(entry.0)].variant);
                if let [Some(behind), Some(over)] = both
                    && parts.catalogue.check_stack(&[behind, over]).is_err()
                {
                    *front = TileId::EMPTY;
                }
            }
        }
        parts.layers.push(TileLayer { name: "front".to_owned(), collides, cells: front, ..parts.layers[0].clone() });
    }
    parts.layers[0].cells = behind;
    Ok(Map::from_parts(parts).expect("every part of it is in order"))
}

/// Returns cells row by row. Each row begins with bits that select its tiles, about a quarter or a half of the cells. A
/// byte for each tile follows.
fn choose_cells(bytes: &mut Unstructured<'_>, (width, height): (u32, u32)) -> Result<Vec<TileId>> {
    let dense: bool = bytes.arbitrary()?;
    let mut cells = Vec::new();
    for _ in 0..height {
        let [bits, more_bits]: [u16; 2] = bytes.arbitrary()?;
        let row = if dense { bits } else { bits & more_bits };
        for column in 0..width {
            cells.push(if row >> column & 1 == 0 { TileId::EMPTY } else { non_empty_tile_id(bytes.arbitrary()?) });
        }
    }
    Ok(cells)
}

/// Returns an entry of the legend that is not the empty tile.
fn non_empty_tile_id(byte: u8) -> TileId {
    TileId(1 + u16::from(byte) % (legend().len() - 1) as u16)
}

/// Returns an entry of the legend, often the empty tile, sometimes an id that the legend lacks.
pub(super) fn choose_tile_id(bytes: &mut Unstructured<'_>) -> Result<TileId> {
    Ok(match bytes.int_in_range(0..=15)? {
        0..=5 => TileId::EMPTY,
        15 => TileId(bytes.arbitrary()?),
        _ => non_empty_tile_id(bytes.arbitrary()?),
    })
}

/// Returns the index of a tile layer. No map has more than two layers, so some indices are invalid.
pub(super) fn choose_layer(bytes: &mut Unstructured<'_>) -> Result<usize> {
    Ok(*bytes.choose(&[0, 0, 0, 0, 1, 1, 2, usize::MAX])?)
}

/// Returns a tile on the map or next to it, sometimes a tile anywhere.
pub(super) fn choose_tile(bytes: &mut Unstructured<'_>, map: &Map) -> Result<(i32, i32)> {
    if bytes.ratio(1, 16)? {
        return bytes.arbitrary();
    }
    let (origin, size) = (map.origin(), map.size());
    Ok((
        origin.0 + bytes.int_in_range(-1..=size.0 as i32)?.min(size.0 as i32),
        origin.1 + bytes.int_in_range(-1..=size.1 as i32)?.min(size.1 as i32),
    ))
}

/// Returns settings. An invalid value keeps the default.
pub(super) fn choose_settings(bytes: &mut Unstructured<'_>) -> Result<Settings> {
    let mut settings = Settings::default();
    let choice: u8 = bytes.arbitrary()?;
    if choice & 3 == 3 {
        let any = number::any_number(bytes)?;
        let seconds = *bytes.choose(&[1.0, 0.25, 1.0 / 30.0, 1e-6, any])?;
        let changed = settings.tick(seconds);
        settings = if changed.check().is_ok() { changed } else { settings };
    }
    if choice & 12 == 12 {
        let changed = settings.gravity((number::any_number(bytes)?, number::any_number(bytes)?));
        settings = if changed.check().is_ok() { changed } else { settings };
    }
    if choice & 48 == 48 {
        settings = settings.up(*bytes.choose(&[Up::PlusY, Up::MinusX, Up::MinusY, Up::PlusX])?);
    }
    if choice & 192 == 192 {
        let (rise, run) = (u16::from(bytes.arbitrary::<u8>()?), u16::from(bytes.arbitrary::<u8>()?));
        settings = settings.max_floor_slope(SlopeLimit::new(rise, run).unwrap_or_default());
    }
    Ok(settings)
}
