//! Layers that do not collide: there to be seen, drawn lighter than what bodies meet.

use crate::canvas::Canvas;
use crate::paint::Paint;
use crate::passes::TerrainPainter;
use crate::path::PathData;
use crate::region::Region;
use crate::view::View;
use crate::{edges, solids};
use surefoot::Map;

/// How much of what lies below a layer that does not collide is hidden.
const OPACITY: f64 = 0.35;

/// The layers that do not collide, by number: those behind the first that does, and those before it; the hindmost first.
pub(crate) fn around_terrain(map: &Map) -> (Vec<usize>, Vec<usize>) {
    let layers = map.layers();
    let first = layers.iter().position(|layer| layer.collides).unwrap_or(layers.len());
    (0..layers.len()).filter(|&i| !layers[i].collides).partition(|&i| i < first)
}

/// Paints the tiles of a layer in a region as they are, each for itself.
pub(crate) fn paint(canvas: &mut impl Canvas, view: &View, painter: &TerrainPainter<'_>, layer: usize, region: Region) {
    let (map, palette) = (painter.map, painter.palette);
    let (mut fills, mut lines) = (PathData::new(), Vec::new());
    for tile in region.tiles() {
        let Some(id) = painter.entry(layer, tile).and_then(|entry| map.kind(entry)).and_then(|kind| kind.variant)
        else {
            continue;
        };
        let variant = map.catalogue().variant(id);
        if variant.kind == surefoot::catalogue::PatternKind::Solid {
            solids::add_outlines(&mut fills, view, tile, &variant.paths);
        } else {
            lines.extend(edges::of_variant(variant, tile));
        }
    }
    canvas.group("layer", &map.layers()[layer].name, |canvas| {
        canvas.path(&fills, &Paint::fill(palette.rim).opacity(OPACITY));
        let runs = edges::chained(view, lines.iter());
        canvas.path(&runs, &Paint::stroke(palette.rim, (view.scale / 16.0).max(1.0)).round().opacity(OPACITY));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_collide_is_behind_the_terrain_or_before_it() {
        let layer = |name: char, collides: bool| format!("(name: \"{name}\", tiles: [\".\"], collides: {collides})");
        let order = |collides: &[bool]| {
            let layers: Vec<String> = ('a'..).zip(collides).map(|(name, &collides)| layer(name, collides)).collect();
            let map = Map::from_ron(&format!("Map(format: 1, layers: [{}])", layers.join(", "))).unwrap();
            around_terrain(&map)
        };
        assert_eq!(order(&[true]), (vec![], vec![]));
        assert_eq!(order(&[false, false, true, true, false]), (vec![0, 1], vec![4]));
        assert_eq!(order(&[true, false, true]), (vec![], vec![1]));
        assert_eq!(order(&[false, false]), (vec![0, 1], vec![]));
    }
}
