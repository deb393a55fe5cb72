//! Caches the meshes of platforms and their paths.

use crate::mesh::Mesh;
use std::collections::BTreeMap;
use surefoot::World;
use surefoot::geometry::DVec2;
use surefoot::map::TileLayer;
use surefoot::platform::{Platform, PlatformId};
use surefoot::world::PlatformState;
use surefoot_draw::{Palette, PlatformPainter, View};

/// Meshes of the platforms of a world. Call `clear` for another world.
#[derive(Debug, Default)]
pub(super) struct PlatformCache {
    scale: f64,
    kept: BTreeMap<PlatformId, Kept>,
}

/// The cached meshes of a platform.
#[derive(Debug)]
struct Kept {
    /// The tiles from which the mesh was made.
    layers: Vec<TileLayer>,
    /// Mesh of the tiles; the platform's corner is at the top left.
    tiles: Mesh,
    /// Mesh of the path; the origin of the world is at the top left.
    path: Mesh,
}

impl Kept {
    fn new(world: &World, platform: &Platform, scale: f64, palette: &Palette) -> Kept {
        let (mut tiles, mut path) = (Mesh::new(), Mesh::new());
        let view = View { left: 0.0, top: 0.0, scale };
        if let Some(painter) = PlatformPainter::new(world.map(), platform) {
            painter.paint(&mut tiles, &view, "", DVec2::ZERO, palette);
            painter.paint_path(&mut path, &view, platform, palette);
        }
        Kept { layers: platform.layers.clone(), tiles, path }
    }
}

impl PlatformCache {
    /// Removes all meshes.
    pub(super) fn clear(&mut self) {
        self.kept.clear();
    }

    /// Adds the platforms of a world to a mesh, at their interpolated positions.
    pub(super) fn append_to(&mut self, mesh: &mut Mesh, world: &World, view: &View, fraction: f32, palette: &Palette) {
        for (id, state) in world.platforms().filter(|(_, state)| state.is_present()) {
            let corner = view.point(state.position_at(fraction).as_dvec2());
            mesh.append(&self.kept(world, id, state, view.scale, palette).tiles, corner.x, corner.y);
        }
    }

    /// Adds the paths and circles of the platforms of a world to a mesh.
    pub(super) fn append_paths_to(&mut self, mesh: &mut Mesh, world: &World, view: &View, palette: &Palette) {
        let origin = view.point(DVec2::ZERO);
        for (id, state) in world.platforms().filter(|(_, state)| state.is_present()) {
            mesh.append(&self.kept(world, id, state, view.scale, palette).path, origin.x, origin.y);
        }
    }

    fn kept(&mut self, world: &World, id: PlatformId, state: &PlatformState, scale: f64, palette: &Palette) -> &Kept {
        if self.scale != scale {
            self.scale = scale;
            self.clear();
        }
        // The tiles may have been edited since the last frame.
        if self.kept.get(&id).is_some_and(|kept| kept.layers != state.platform().layers) {
            self.kept.remove(&id);
        }
        self.kept.entry(id).or_insert_with(|| Kept::new(world, state.platform(), scale, palette))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::painted;
    use surefoot::Map;
    use surefoot::prelude::Settings;

    /// A block of one tile that moves one tile per tick to the right, at 10 pixels a tile.
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
            // The lines of the outline extend beyond it by half their width.
            let middle: Vec<usize> = (0..50).filter(|x| row.colors[5 * 50 + x] != [0.0; 3]).collect();
            assert!(middle[0].abs_diff(left) <= 2, "{fraction}: {middle:?}");
            assert!(middle[middle.len() - 1].abs_diff(left + 9) <= 2, "{fraction}: {middle:?}");
        }
        assert_eq!(cache.kept.len(), 1);
    }

    /// A path to the right and up through the middle of a tile of 28 pixels. Its points are dots 4 pixels wide.
    #[test]
    fn the_points_of_a_path_are_painted() {
        let map = Map::from_ron(
            r###"Map(format: 1, tiles: ["......", "......"], platforms: [
                (tiles: ["#"], at: (1, 0), motion: Path(points: [(0, 0), (3, 0), (3, 1)], speed: 60))])"###,
        )
        .expect("a map");
        let mut world = World::new(map, Settings::default());
        let view = View { left: 0.0, top: 2.0, scale: 28.0 };
        let (mut cache, palette) = (PlatformCache::default(), Palette::NIGHT);
        // Independent of the platform's position.
        for tick in 0..4 {
            let mut mesh = Mesh::new();
            cache.append_paths_to(&mut mesh, &world, &view, &palette);
            let pixels = painted(&mesh, (168, 56), 1);
            let at = |x: f64, y: f64| pixels.colors[(28.0 * (2.0 - y)) as usize * 168 + (28.0 * x) as usize];
            let marker = palette.marker.0.map(f64::from);
            for (x, y) in [(1.5, 0.5), (4.5, 0.5), (4.5, 1.5)] {
                assert_eq!(at(x, y), marker, "tick {tick}: ({x}, {y})");
            }
            for (x, y) in [(0.5, 0.5), (5.5, 0.5), (1.5, 1.5), (3.5, 0.25), (4.25, 1.0)] {
                assert_eq!(at(x, y), [0.0; 3], "tick {tick}: ({x}, {y})");
            }
            world.step();
        }
    }
}
