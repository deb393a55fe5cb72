//! Paints platforms by what they do, and caches the meshes of platforms and their paths.
//!
//! A platform on a path or circle has the colour of moving things and shows its path, and a lift of one-way tiles has a
//! deck with arrows. Doors, which the game drives, have panels and a handle. Blocks that crumble or fall have cracks.

use super::backdrop::mixed;
use crate::scene::danger;
use crate::scene::mesh::Mesh;
use crate::{Canvas, Color, Paint, Palette, PathData, PlatformPainter, View};
use std::collections::BTreeMap;
use surefoot::World;
use surefoot::geometry::DVec2;
use surefoot::map::{TileId, TileLayer};
use surefoot::platform::{OnRide, Platform, PlatformId, PlatformMotion};
use surefoot::world::PlatformState;

/// Meshes of the platforms of a world. Call `clear` for another world.
#[derive(Debug, Default)]
pub struct PlatformCache {
    scale: f64,
    kept: BTreeMap<PlatformId, PlatformMeshes>,
}

/// The cached meshes of a platform.
#[derive(Debug)]
struct PlatformMeshes {
    /// The tiles from which the mesh was made.
    layers: Vec<TileLayer>,
    /// Mesh of the tiles; the platform's corner is at the top left.
    tiles: Mesh,
    /// Faint mesh of the path; the origin of the world is at the top left.
    faint_path: Mesh,
    /// Mesh of the path; the origin of the world is at the top left.
    path: Mesh,
}

impl PlatformMeshes {
    fn new(world: &World, platform: &Platform, scale: f64, palette: &Palette) -> PlatformMeshes {
        let (mut tiles, mut faint_path, mut path) = (Mesh::new(), Mesh::new(), Mesh::new());
        let view = View { left: 0.0, top: 0.0, scale };
        if let Some(painter) = PlatformPainter::new(world.map(), platform) {
            let tinted = tinted_palette(platform, palette);
            painter.paint(&mut tiles, &view, "", DVec2::ZERO, &tinted);
            paint_cracks_door_or_deck(&mut tiles, &view, world, platform, &tinted);
            painter.paint_path(&mut path, &view, platform, palette);
            let faint = Palette { marker: mixed(palette.background, palette.marker, 0.5), ..*palette };
            painter.paint_path(&mut faint_path, &view, platform, &faint);
        }
        PlatformMeshes { layers: platform.layers.clone(), tiles, faint_path, path }
    }
}

/// Lines on a full block of a platform, as corners of the unit square.
type Marks = &'static [&'static [(f64, f64)]];

/// The cracks of a block that does not last.
const CRACKS: Marks =
    &[&[(0.2, 1.0), (0.35, 0.7), (0.22, 0.5), (0.5, 0.3), (0.42, 0.0)], &[(1.0, 0.75), (0.72, 0.6), (0.8, 0.4)]];

/// Returns the colours of a platform, by which it differs from terrain.
fn tinted_palette(platform: &Platform, palette: &Palette) -> Palette {
    let (tint, share) = match (&platform.on_ride, &platform.motion) {
        (OnRide::Crumble { .. } | OnRide::Fall { .. }, _) => (palette.wall, 0.42),
        // Most platforms without a path are doors, so they get the brown of wood.
        (_, PlatformMotion::Driven) => (palette.materials.rough, 0.8),
        (_, PlatformMotion::Path(_) | PlatformMotion::Circle(_)) => (palette.normal, 0.42),
    };
    let moves = !matches!(platform.motion, PlatformMotion::Driven);
    Palette {
        solid: mixed(palette.solid, tint, share),
        rim: mixed(palette.rim, tint, share),
        open: if moves { palette.normal } else { palette.open },
        ..*palette
    }
}

/// Paints over the tiles of a platform what it is for. `tinted`: its colours.
fn paint_cracks_door_or_deck(mesh: &mut Mesh, view: &View, world: &World, platform: &Platform, tinted: &Palette) {
    let (map, dark) = (world.map(), mixed(tinted.solid, tinted.background, 0.55));
    match (&platform.on_ride, &platform.motion) {
        (OnRide::Crumble { .. } | OnRide::Fall { .. }, _) => {
            tiles_with_variant_of_name(world, platform, "full_block")
                .for_each(|tile| paint_lines_on_tile(mesh, view, tile, CRACKS, dark));
        }
        (_, PlatformMotion::Driven) => paint_door(mesh, view, world, platform, dark, tinted),
        (_, motion) => {
            let way = if let PlatformMotion::Path(path) = motion { main_direction(path) } else { DVec2::Y };
            tiles_with_variant_of_name(world, platform, "one_way")
                .for_each(|tile| paint_lift_deck_with_arrows(mesh, view, tile, way, tinted));
        }
    }
    let deadly = |id: TileId| map.kind(id).filter(|kind| danger::is_deadly(kind)).and_then(|kind| kind.variant);
    for (tile, variant) in tiles_of_platform(platform).filter_map(|(tile, id)| Some((tile, deadly(id)?))) {
        let corner = DVec2::new(tile.0.into(), tile.1.into());
        danger::paint_tile(mesh, view, map.catalogue().variant(variant), corner, tinted);
    }
}

/// Returns the tiles of a platform.
fn tiles_of_platform(platform: &Platform) -> impl Iterator<Item = ((i32, i32), TileId)> {
    platform.layers.iter().flat_map(move |layer| {
        let ((left, bottom), columns) = (layer.origin, layer.size.0 as usize);
        let cells = layer.cells.iter().enumerate();
        cells.map(move |(i, id)| ((left + (i % columns) as i32, bottom + (i / columns) as i32), *id))
    })
}

/// Returns the tiles of a platform that have a variant of that name.
fn tiles_with_variant_of_name(
    world: &World,
    platform: &Platform,
    name: &'static str,
) -> impl Iterator<Item = (i32, i32)> {
    let map = world.map();
    let is_it = move |id: TileId| {
        let variant = map.kind(id).and_then(|kind| kind.variant);
        variant.is_some_and(|variant| map.catalogue().variant_name(variant) == name)
    };
    tiles_of_platform(platform).filter(move |(_, id)| is_it(*id)).map(|(tile, _)| tile)
}

/// Height of a panel of a door and distance of panels from its sides, in tiles; radius of its handle.
const PANEL_TILES: f64 = 1.5;
const PANEL_INSET_TILES: f64 = 0.22;
const HANDLE_TILES: f64 = 0.13;

/// Paints the panels and the handle of a door, if it has blocks.
fn paint_door(mesh: &mut Mesh, view: &View, world: &World, platform: &Platform, dark: Color, tinted: &Palette) {
    let corners =
        tiles_with_variant_of_name(world, platform, "full_block").map(|(x, y)| DVec2::new(x.into(), y.into()));
    let Some((low, high)) = corners.map(|at| (at, at + 1.0)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else {
        return;
    };
    let line = Paint::stroke(dark, (view.scale / 20.0).max(1.0));
    let count = ((high.y - low.y) / PANEL_TILES).round().max(1.0);
    let height = (high.y - low.y) / count;
    for i in 0..count as u32 {
        let top = low.y + height * (f64::from(i) + 1.0) - PANEL_INSET_TILES;
        let corner = view.point(DVec2::new(low.x + PANEL_INSET_TILES, top));
        let size = DVec2::new(high.x - low.x, height) - 2.0 * PANEL_INSET_TILES;
        mesh.rect(corner, size.x * view.scale, size.y * view.scale, &line);
    }
    let handle = view.point(DVec2::new(high.x - PANEL_INSET_TILES, (low.y + high.y) / 2.0));
    mesh.circle(handle, HANDLE_TILES * view.scale, &line.filled(tinted.marker));
}

/// Returns the axis and direction of the first part of a path.
fn main_direction(path: &surefoot::platform::Path) -> DVec2 {
    let points: Vec<DVec2> = path.points.iter().map(|point| point.to_dvec2()).collect();
    let first = points.windows(2).map(|ends| ends[1] - ends[0]).find(|way| *way != DVec2::ZERO).unwrap_or(DVec2::Y);
    if first.x.abs() > first.y.abs() { DVec2::X } else { DVec2::Y }
}

/// Thickness of the deck of a lift, and half the size of the arrows on it, in tiles.
const DECK_TILES: f64 = 0.34;
const ARROW_TILES: f64 = 0.1;

/// Paints the deck of a lift below a one-way tile, with arrows along its way. Without the deck, it looked like a
/// trapdoor.
fn paint_lift_deck_with_arrows(mesh: &mut Mesh, view: &View, (x, y): (i32, i32), way: DVec2, tinted: &Palette) {
    let top = DVec2::new(x.into(), f64::from(y) + 1.0);
    mesh.rect(view.point(top), view.scale, DECK_TILES * view.scale, &Paint::fill(tinted.solid));
    for (right, along) in [(0.3, way), (0.7, -way)] {
        let middle = top + DVec2::new(right, -DECK_TILES * 0.55);
        let (tip, side) = (along * ARROW_TILES, along.perp() * ARROW_TILES);
        let mut arrow = PathData::new();
        arrow.polygon([middle + tip, middle - tip + side, middle - tip - side].map(|at| view.point(at)));
        mesh.path(&arrow, &Paint::fill(tinted.edge));
    }
}

fn paint_lines_on_tile(mesh: &mut Mesh, view: &View, (x, y): (i32, i32), marks: Marks, color: Color) {
    let mut lines = PathData::new();
    for mark in marks {
        lines.run(mark.iter().map(|&(right, up)| view.point(DVec2::new(f64::from(x) + right, f64::from(y) + up))));
    }
    mesh.path(&lines, &Paint::stroke(color, (view.scale / 20.0).max(1.0)).round());
}

impl PlatformCache {
    /// Removes all meshes.
    pub fn clear(&mut self) {
        self.kept.clear();
    }

    /// Adds the faint paths of the platforms of a world to a mesh.
    pub fn append_faint_paths_to(&mut self, mesh: &mut Mesh, world: &World, view: &View, palette: &Palette) {
        let origin = view.point(DVec2::ZERO);
        for (id, state) in world.platforms().filter(|(_, state)| state.is_present()) {
            mesh.append(
                &self.find_or_paint_meshes(world, id, state, view.scale, palette).faint_path,
                origin.x,
                origin.y,
            );
        }
    }

    /// Adds the platforms of a world to a mesh, at their interpolated positions.
    pub fn append_to(&mut self, mesh: &mut Mesh, world: &World, view: &View, fraction: f32, palette: &Palette) {
        for (id, state) in world.platforms().filter(|(_, state)| state.is_present()) {
            let corner = view.point(state.position_at(fraction).as_dvec2());
            mesh.append(&self.find_or_paint_meshes(world, id, state, view.scale, palette).tiles, corner.x, corner.y);
        }
    }

    /// Adds the paths and circles of the platforms of a world to a mesh.
    pub fn append_paths_to(&mut self, mesh: &mut Mesh, world: &World, view: &View, palette: &Palette) {
        let origin = view.point(DVec2::ZERO);
        for (id, state) in world.platforms().filter(|(_, state)| state.is_present()) {
            mesh.append(&self.find_or_paint_meshes(world, id, state, view.scale, palette).path, origin.x, origin.y);
        }
    }

    fn find_or_paint_meshes(
        &mut self,
        world: &World,
        id: PlatformId,
        state: &PlatformState,
        scale: f64,
        palette: &Palette,
    ) -> &PlatformMeshes {
        if self.scale != scale {
            self.scale = scale;
            self.clear();
        }
        // The tiles may have been edited since the last frame.
        if self.kept.get(&id).is_some_and(|kept| kept.layers != state.platform().layers) {
            self.kept.remove(&id);
        }
        self.kept.entry(id).or_insert_with(|| PlatformMeshes::new(world, state.platform(), scale, palette))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::raster::rasterize;
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
            let row = rasterize(&mesh, (50, 10), 1);
            // The outline's lines extend beyond the outline by half their width. Look at a row above the path, which
            // goes through the middle.
            let middle: Vec<usize> = (0..50).filter(|x| row.colors[3 * 50 + x] != [0.0; 3]).collect();
            assert!(middle[0].abs_diff(left) <= 2, "{fraction}: {middle:?}");
            assert!(middle[middle.len() - 1].abs_diff(left + 9) <= 2, "{fraction}: {middle:?}");
        }
        assert_eq!(cache.kept.len(), 1);
    }

    /// A lift, a door and a block that crumbles have different colours, and the latter two have marks.
    #[test]
    fn platforms_are_told_apart_from_terrain_and_each_other() {
        let platform = |at: u32, rest: &str| format!("(tiles: [\"#\"], at: ({at}, 0){rest})");
        let path = ", motion: Path(points: [(0, 0), (0, 1)], speed: 1)";
        let crumbles = ", on_ride: Crumble(delay: 1)";
        let platforms = [platform(0, path), platform(2, ""), platform(4, crumbles)].join(", ");
        let map = Map::from_ron(&format!("Map(format: 1, tiles: [\"......\"], platforms: [{platforms}])"));
        let world = World::new(map.expect("a map"), Settings::default());
        let view = View { left: 0.0, top: 1.0, scale: 20.0 };
        let mut mesh = Mesh::new();
        PlatformCache::default().append_to(&mut mesh, &world, &view, 0.0, &Palette::NIGHT);
        let pixels = rasterize(&mesh, (120, 20), 1);
        let colors = [0, 40, 80].map(|left| {
            // Look at all pixels except the outline and the path of the lift.
            let inside = (4..8).flat_map(|y| (4..16).map(move |x| y * 120 + left + x));
            let mut colors: Vec<_> = inside.map(|i| pixels.colors[i].map(f64::to_bits)).collect();
            colors.sort_unstable();
            colors.dedup();
            colors
        });
        let solid = Palette::NIGHT.solid.0.map(|part| f64::from(part).to_bits());
        assert!(colors.iter().all(|own| !own.contains(&solid)));
        assert_eq!(colors[0].len(), 1, "a lift has no marks");
        assert!(colors[1].len() > 1 && colors[2].len() > 1);
        assert!(colors[1..].iter().all(|own| !own.contains(&colors[0][0])) && colors[1] != colors[2]);
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
        // The painted paths are the same in each tick, wherever the platform is.
        for tick in 0..4 {
            let mut mesh = Mesh::new();
            cache.append_paths_to(&mut mesh, &world, &view, &palette);
            let pixels = rasterize(&mesh, (168, 56), 1);
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
