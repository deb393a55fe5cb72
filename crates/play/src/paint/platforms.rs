//! Platforms, each a mesh that is kept and moved.

use crate::mesh::Mesh;
use std::collections::BTreeMap;
use surefoot::World;
use surefoot::geometry::DVec2;
use surefoot::map::Layer;
use surefoot::platform::PlatformId;
use surefoot_draw::{Palette, PlatformPainter, View};

/// The platforms of a world as meshes, with their corner at the top left. It has to be told of another world.
#[derive(Debug, Default)]
pub(super) struct PlatformCache {
    scale: f64,
    /// With the tiles that they show.
    meshes: BTreeMap<PlatformId, (Vec<Layer>, Mesh)>,
}

impl PlatformCache {
    /// Drops everything.
    pub(super) fn clear(&mut self) {
        self.meshes.clear();
    }

    /// Adds the platforms of a world to a mesh, each where it is between the last tick and this one.
    pub(super) fn append_to(&mut self, mesh: &mut Mesh, world: &World, view: &View, fraction: f32, palette: &Palette) {
        if self.scale != view.scale {
            self.scale = view.scale;
            self.clear();
        }
        for (id, state) in world.platforms().filter(|(_, state)| state.is_there()) {
            // Its tiles may have been painted since.
            if self.meshes.get(&id).is_some_and(|(layers, _)| *layers != state.platform().layers) {
                self.meshes.remove(&id);
            }
            let (_, made) = self.meshes.entry(id).or_insert_with(|| {
                let mut made = Mesh::new();
                let view = View { left: 0.0, top: 0.0, scale: view.scale };
                if let Some(painter) = PlatformPainter::new(world.map(), state.platform()) {
                    painter.paint(&mut made, &view, "", DVec2::ZERO, palette);
                }
                (state.platform().layers.clone(), made)
            });
            let corner = view.point(state.position_at(fraction).as_dvec2());
            mesh.append(made, corner.x, corner.y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::painted;
    use surefoot::Map;
    use surefoot::prelude::Settings;

    /// A block of one tile that goes one tile a tick to the right, at 10 pixels a tile.
    #[test]
    fn a_platform_is_painted_between_two_ticks() {
        let map = Map::from_ron(
            r###"Map(format: 1, tiles: ["....."], platforms: [
                (tiles: ["#"], motion: Path(points: [(0, 0), (4, 0)], speed: 60))])"###,
        )
        .expect("a map");
        let mut world = World::new(map, Settings::default());
        world.step();
        world.step();
        let view = View { left: 0.0, top: 1.0, scale: 10.0 };
        let mut cache = PlatformCache::default();
        for (fraction, left) in [(0.0, 10), (0.5, 15), (1.0, 20), (0.5, 15)] {
            let mut mesh = Mesh::new();
            cache.append_to(&mut mesh, &world, &view, fraction, &Palette::NIGHT);
            let row = painted(&mesh, (50, 10), 1);
            // The lines of its outline reach half their width over it.
            let middle: Vec<usize> = (0..50).filter(|x| row.colors[5 * 50 + x] != [0.0; 3]).collect();
            assert!(middle[0].abs_diff(left) <= 2, "{fraction}: {middle:?}");
            assert!(middle[middle.len() - 1].abs_diff(left + 9) <= 2, "{fraction}: {middle:?}");
        }
        assert_eq!(cache.meshes.len(), 1);
    }
}
