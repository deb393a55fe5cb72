//! Paints tile layers that do not collide. They are scenery and are drawn lighter than the terrain.

use crate::canvas::Canvas;
use crate::paint::Paint;
use crate::passes::TerrainPainter;
use crate::path::PathData;
use crate::region::Region;
use crate::view::View;
use crate::{edges, solids};
use surefoot::Map;

/// Opacity of a tile layer that does not collide.
const NON_COLLIDING_OPACITY: f64 = 0.35;

/// Returns the indices of the tile layers that do not collide: those behind the first colliding layer, and those in
/// front of it, each from back to front.
pub(crate) fn layers_behind_and_in_front(map: &Map) -> (Vec<usize>, Vec<usize>) {
    let layers = map.layers();
    let first = layers.iter().position(|layer| layer.collides).unwrap_or(layers.len());
    (0..layers.len()).filter(|&i| !layers[i].collides).partition(|&i| i < first)
}

/// Paints the tiles of a layer in a region, without joining neighbours.
pub(crate) fn paint_layer(
    canvas: &mut impl Canvas,
    view: &View,
    painter: &TerrainPainter<'_>,
    layer: usize,
    region: Region,
) {
    let (map, palette) = (painter.map, painter.palette);
    let (mut fills, mut lines) = (PathData::new(), Vec::new());
    for tile in region.tiles() {
        let Some(id) = painter.kind_at(layer, tile).and_then(|entry| map.kind(entry)).and_then(|kind| kind.variant)
        else {
            continue;
        };
        let variant = map.catalogue().variant(id);
        if variant.kind == surefoot::catalogue::PatternKind::Solid {
            solids::add_outlines(&mut fills, view, tile, &variant.paths);
        } else {
            lines.extend(edges::variant_edges(variant, tile));
        }
    }
    canvas.group("layer", &map.layers()[layer].name, |canvas| {
        canvas.path(&fills, &Paint::fill(palette.rim).opacity(NON_COLLIDING_OPACITY));
        let runs = edges::chain_edges(view, lines.iter());
        canvas.path(
            &runs,
            &Paint::stroke(palette.rim, (view.scale / 16.0).max(1.0)).round().opacity(NON_COLLIDING_OPACITY),
        );
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_that_do_not_collide_are_behind_or_in_front_of_the_terrain() {
        let layer = |name: char, collides: bool| format!("(name: \"{name}\", tiles: [\".\"], collides: {collides})");
        let order = |collides: &[bool]| {
            let layers: Vec<String> = ('a'..).zip(collides).map(|(name, &collides)| layer(name, collides)).collect();
            let map = Map::from_ron(&format!("Map(format: 1, layers: [{}])", layers.join(", "))).unwrap();
            layers_behind_and_in_front(&map)
        };
        assert_eq!(order(&[true]), (vec![], vec![]));
        assert_eq!(order(&[false, false, true, true, false]), (vec![0, 1], vec![4]));
        assert_eq!(order(&[true, false, true]), (vec![], vec![1]));
        assert_eq!(order(&[false, false]), (vec![0, 1], vec![]));
    }
}
