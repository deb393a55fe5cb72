//! Paints tiles that hurt in a warning colour, over the terrain.

use super::backdrop::mixed;
use surefoot::World;
use surefoot::geometry::DVec2;
use surefoot::map::{TileKind, Value};
use surefoot_draw::{Canvas, Paint, Palette, PathData, View};

/// Lattice steps along the side of a tile.
const STEPS_PER_TILE: f64 = 16.0;

/// Paints the solid tiles between two cells whose kind has the property `deadly: true`, or the tag `spikes` as in levels of
/// editors.
pub(crate) fn paint(
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
    let paint = Paint::fill(mixed(palette.solid, palette.wall, 0.75));
    for tile in (low.1..=high.1).flat_map(|y| (low.0..=high.0).map(move |x| (x, y))) {
        for layer in 0..map.layers().len() {
            let deadly = world.tile_at(layer, tile).filter(|id| kinds.get(usize::from(id.0)) == Some(&true));
            let Some(variant) = deadly.and_then(|id| map.kind(id)?.variant) else { continue };
            let corner = DVec2::new(tile.0.into(), tile.1.into());
            for triangle in map.catalogue().variant(variant).triangles() {
                let mut path = PathData::new();
                path.polygon(triangle.map(|at| view.point(corner + at.as_dvec2() / STEPS_PER_TILE)));
                canvas.path(&path, &paint);
            }
        }
    }
}

fn is_deadly(kind: &TileKind) -> bool {
    let property = |name: &str| kind.properties.get(name);
    property("deadly").and_then(Value::as_bool) == Some(true)
        || property("tag").and_then(Value::as_str) == Some("spikes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;
    use surefoot::Map;
    use surefoot::prelude::Settings;

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
