//! Paints tiles that hurt in red, over the terrain.

use super::backdrop::mixed;
use crate::{Canvas, Paint, Palette, PathData, View};
use surefoot::World;
use surefoot::catalogue::Variant;
use surefoot::geometry::DVec2;
use surefoot::map::{TileKind, Value};

/// Lattice steps along the side of a tile.
const STEPS_PER_TILE: f64 = 16.0;

/// Paints the solid tiles between two cells whose kind has the property `deadly: true`, or the tag `spikes` as in
/// levels of editors.
pub fn paint(
    canvas: &mut impl Canvas,
    view: &View,
    world: &World,
    (low, high): ((i32, i32), (i32, i32)),
    palette: &Palette,
) {
    let map = world.map();
    let kinds: Vec<bool> = map.kinds().iter().map(is_deadly).collect();
    if !kinds.contains(&true) {
        return;
    }
    for tile in (low.1..=high.1).flat_map(|y| (low.0..=high.0).map(move |x| (x, y))) {
        for layer in 0..map.layers().len() {
            let deadly = world.tile_at(layer, tile).filter(|id| kinds.get(usize::from(id.0)) == Some(&true));
            let Some(variant) = deadly.and_then(|id| map.kind(id)?.variant) else { continue };
            let corner = DVec2::new(tile.0.into(), tile.1.into());
            paint_rim_of_blocks_under_tile(canvas, view, world, tile, palette);
            paint_tile(canvas, view, map.catalogue().variant(variant), corner, palette);
        }
    }
}

/// Paints a tile that hurts: red, so that it stands out from pink walls and from blue ground.
pub fn paint_tile(canvas: &mut impl Canvas, view: &View, variant: &Variant, corner: DVec2, palette: &Palette) {
    let fill = Paint::fill(mixed(palette.background, palette.unreachable, 0.9));
    for triangle in variant.triangles() {
        let mut path = PathData::new();
        path.polygon(triangle.map(|at| view.point(corner + at.as_dvec2() / STEPS_PER_TILE)));
        canvas.path(&path, &fill);
    }
}

/// Depth of the rim of solids, and of the part of a full block that the rims of the tile above it can reach, in tiles.
const RIM_TILES: f64 = 0.13;
const REACH_TILES: f64 = 0.3;

/// Paints the rim of the full blocks on which a tile stands, as if the tile were not there. The terrain's own rim has
/// points there, between each two spikes.
fn paint_rim_of_blocks_under_tile(
    canvas: &mut impl Canvas,
    view: &View,
    world: &World,
    tile: (i32, i32),
    palette: &Palette,
) {
    let joined = world.terrain().joined_neighbours(tile);
    let middle = DVec2::new(f64::from(tile.0) + 0.5, f64::from(tile.1) + 0.5);
    for (i, out) in [DVec2::Y, DVec2::X, DVec2::NEG_Y, DVec2::NEG_X].into_iter().enumerate() {
        let next = (tile.0 + out.x as i32, tile.1 + out.y as i32);
        let is_corner = |at: [i8; 2]| at.iter().all(|number| [0, STEPS_PER_TILE as i8].contains(number));
        let outlines = world.terrain().solid_outlines(next);
        let is_full =
            matches!(outlines, [outline] if outline.len() == 4 && outline.iter().all(|at| is_corner(at.to_array())));
        if joined & 1 << (2 * i) == 0 || !is_full {
            continue;
        }
        for (depth, color) in [(REACH_TILES, palette.solid), (RIM_TILES, palette.rim)] {
            let (along, near) = (out.perp() * 0.5, middle + out * 0.5);
            let corners = [near - along, near + along, near + along + out * depth, near - along + out * depth];
            let mut path = PathData::new();
            path.polygon(corners.map(|at| view.point(at)));
            canvas.path(&path, &Paint::fill(color));
        }
    }
}

/// Returns whether a tile kind hurts.
#[must_use]
pub fn is_deadly(kind: &TileKind) -> bool {
    let property = |name: &str| kind.properties.get(name);
    property("deadly").and_then(Value::as_bool) == Some(true)
        || property("tag").and_then(Value::as_str) == Some("spikes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::mesh::Mesh;
    use surefoot::Map;
    use surefoot::prelude::Settings;

    /// A spike in the middle of a floor: its ground is a rectangle as wide as a tile, as deep as what it covers.
    #[test]
    fn the_ground_of_a_spike_is_painted_in_full_blocks_only() {
        let rows = |floor: &str| format!(r##"Map(format: 1, tiles: [".^.", r"{floor}"], legend: {{'^': "spike"}})"##);
        for (floor, depth) in [("###", Some(REACH_TILES)), ("#\\#", None), ("#.#", None)] {
            let map = Map::from_ron(&rows(floor)).expect("a map");
            let world = World::new(map, Settings::default());
            let view = View { left: 0.0, top: 2.0, scale: 10.0 };
            let mut mesh = Mesh::new();
            paint_rim_of_blocks_under_tile(&mut mesh, &view, &world, (1, 1), &Palette::NIGHT);
            let all =
                |number: fn(&crate::scene::mesh::Vertex) -> f32| mesh.vertices().iter().map(number).collect::<Vec<_>>();
            let low = all(|vertex| vertex.y).into_iter().fold(0.0, f32::max);
            assert_eq!(low, depth.map_or(0.0, |depth| 10.0 + 10.0 * depth as f32), "{floor}");
            assert!(all(|vertex| vertex.x).iter().all(|x| (10.0..=20.0).contains(x)), "{floor}");
        }
    }

    #[test]
    fn only_deadly_tiles_in_view_are_painted() {
        let map = Map::from_ron(
            r##"Map(format: 1, tiles: ["^#^s"], legend: {
                '^': (tile: "spike", properties: {"deadly": true}),
                's': (tile: "spike", properties: {"deadly": false, "tag": "spikes"}),
            })"##,
        )
        .expect("a map");
        let world = World::new(map, Settings::default());
        let view = View { left: 0.0, top: 1.0, scale: 10.0 };
        let columns = |low: i32, high: i32| {
            let mut mesh = Mesh::new();
            paint(&mut mesh, &view, &world, ((low, 0), (high, 0)), &Palette::NIGHT);
            let mut columns: Vec<i32> = mesh
                .indices()
                .chunks(3)
                .map(|corners| corners.iter().map(|&i| mesh.vertices()[i as usize].x).sum::<f32>() as i32 / 30)
                .collect();
            columns.dedup();
            columns
        };
        assert_eq!(columns(-1, 9), [0, 2, 3]);
        assert_eq!(columns(1, 2), [2]);
    }
}
