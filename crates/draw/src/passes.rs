//! Paints the terrain in passes, for any rectangle of tiles.

use crate::canvas::Canvas;
use crate::paint::Paint;
use crate::palette::Palette;
use crate::path::PathData;
use crate::region::Region;
use crate::view::View;
use crate::{edges, layers, markers, solids, surfaces};
use surefoot::catalogue::{PatternKind, Variant};
use surefoot::map::TileId;
use surefoot::prelude::Terrain;
use surefoot::{Map, World, geometry::DVec2};

/// A painting pass of a terrain. Later passes cover earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pass {
    /// Faint lines between the tiles of the map.
    Grid,
    /// Tile layers that do not collide and come before the first colliding layer of the map.
    Behind,
    /// The inside of solids.
    Solids,
    /// A band inside solids along their exposed edges.
    Rim,
    /// Shades on the passable side of one-sided edges.
    Shades,
    /// A band behind the edges of tiles that are slippery, rough or bouncy.
    Surfaces,
    /// Small arrows along belts, in their direction.
    Belts,
    /// The exposed edges of solids.
    SolidEdges,
    /// Thin walls as wide lines.
    Walls,
    /// The gaps that make double lines of walls.
    WallMiddles,
    /// One-sided edges.
    OpenEdges,
    /// The outward normals of all exposed edges.
    Normals,
    /// The other tile layers that do not collide; they are in front of the terrain.
    Before,
    /// The markers of the map, without names.
    Markers,
    /// The names of the markers, each at its first marker.
    Names,
}

impl Pass {
    /// All passes in painting order.
    pub const ALL: [Pass; 15] = [
        Pass::Grid,
        Pass::Behind,
        Pass::Solids,
        Pass::Rim,
        Pass::Shades,
        Pass::Surfaces,
        Pass::Belts,
        Pass::SolidEdges,
        Pass::Walls,
        Pass::WallMiddles,
        Pass::OpenEdges,
        Pass::Normals,
        Pass::Before,
        Pass::Markers,
        Pass::Names,
    ];
}

/// Paints a terrain like [`draw_map`](crate::draw_map), but pass by pass, and for any rectangle of tiles.
///
/// Disjoint rectangles that cover a map look like the map painted as a whole, if each pass is painted in all rectangles
/// before the next pass. There are two exceptions:
///
/// - The dashes of slanted drop-through edges start over in each rectangle.
/// - The bands of two edges in different rows of tiles never have a pointed join.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::Map;
/// use surefoot_draw::{Palette, Pass, Region, Svg, TerrainPainter, View};
///
/// let map = Map::from_ron(r#"Map(format: 1, tiles: ["@./=", "===="])"#)?;
/// let terrain = Terrain::bake(&map);
/// let painter = TerrainPainter::new(&map, &terrain, &Palette::NIGHT);
/// let mut svg = Svg::new(128.0, 64.0, "in two halves");
/// let view = View { left: 0.0, top: 2.0, scale: 32.0 };
/// for pass in Pass::ALL {
///     painter.paint(&mut svg, &view, pass, Region::spanning((0, 0), (1, 1)));
///     painter.paint(&mut svg, &view, pass, Region::spanning((2, 0), (3, 1)));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TerrainPainter<'a> {
    pub(crate) map: &'a Map,
    pub(crate) terrain: &'a Terrain,
    pub(crate) palette: &'a Palette,
    /// The source of tile layers that do not collide; `None` for the map.
    world: Option<&'a World>,
}

impl<'a> TerrainPainter<'a> {
    /// Creates a painter of a terrain. Tile layers that do not collide show the map's tiles.
    #[must_use]
    pub fn new(map: &'a Map, terrain: &'a Terrain, palette: &'a Palette) -> TerrainPainter<'a> {
        TerrainPainter { map, terrain, palette, world: None }
    }

    /// Creates a painter of a world's terrain. Tile layers that do not collide show the world's tiles, including edits.
    #[must_use]
    pub fn of_world(world: &'a World, palette: &'a Palette) -> TerrainPainter<'a> {
        TerrainPainter { map: world.map(), terrain: world.terrain(), palette, world: Some(world) }
    }

    /// Returns the map.
    #[must_use]
    pub fn map(&self) -> &'a Map {
        self.map
    }

    /// Paints one pass of a region, which may extend beyond the map.
    ///
    /// The names of clip outlines consist of the pass and the region's lower left tile.
    pub fn paint(&self, canvas: &mut impl Canvas, view: &View, pass: Pass, region: Region) {
        let palette = self.palette;
        let edges = |region: Region| edges::exposed_edges(self.map, self.terrain, region);
        match pass {
            Pass::Grid => {
                if let Some(on_map) = region.intersect(Region::of(self.map)) {
                    paint_grid(canvas, view, on_map, palette);
                }
            }
            Pass::Behind => {
                self.paint_layers(canvas, view, ("behind", &layers::layers_behind_and_in_front(self.map).0), region)
            }
            Pass::Before => {
                self.paint_layers(canvas, view, ("before", &layers::layers_behind_and_in_front(self.map).1), region)
            }
            Pass::Solids => {
                canvas.path(&solids::solid_outlines(self.terrain, view, region), &Paint::fill(palette.solid))
            }
            Pass::Rim => {
                let solid = solids::solid_outlines(self.terrain, view, region);
                if !solid.is_empty() {
                    // The bands of edges next to the region extend into the region.
                    let lines = edges::chain_solid_edges_by_row(view, &edges(region.grown_by_one_tile()));
                    let name = unique_clip_name("rim", region);
                    canvas.clipped(&name, &solid, |canvas| edges::paint_rim_of_solids(canvas, view, &lines, palette));
                }
            }
            Pass::Shades => {
                // Shades extend into the next tile. The shapes of those shades depend on a further ring of tiles.
                let (near, around) =
                    (edges(region.grown_by_one_tile()), edges(region.grown_by_one_tile().grown_by_one_tile()));
                if near.iter().any(|edge| edge.kind == PatternKind::Open) {
                    let (name, outline) = (unique_clip_name("shades", region), region_outline(view, region));
                    canvas.clipped(&name, &outline, |canvas| {
                        edges::paint_open_edge_shades(canvas, view, &near, &around, palette);
                    });
                }
            }
            Pass::Surfaces => {
                let around = edges(region.grown_by_one_tile());
                surfaces::paint_material_bands(canvas, view, &edges(region), &around, palette);
            }
            Pass::Belts => surfaces::paint_belt_arrows(canvas, view, &edges(region), palette),
            Pass::SolidEdges => edges::paint_solid_edges(canvas, view, &edges(region), palette),
            Pass::Walls => edges::paint_walls(canvas, view, &edges(region), palette),
            Pass::WallMiddles => edges::paint_wall_middles(canvas, view, &edges(region), palette),
            Pass::OpenEdges => edges::paint_open_edges(canvas, view, &edges(region), palette),
            Pass::Normals => edges::paint_normals(canvas, view, &edges(region), palette),
            Pass::Markers => {
                for (_, tile) in self.map.all_markers().filter(|(_, tile)| region.contains(*tile)) {
                    markers::paint_diamond(canvas, view, tile, palette);
                }
            }
            Pass::Names => markers::paint_first_marker_names(canvas, view, self.map, palette, region),
        }
    }

    /// Paints tile layers that do not collide, clipped to the region: their lines would extend beyond it.
    fn paint_layers(&self, canvas: &mut impl Canvas, view: &View, (name, layers): (&str, &[usize]), region: Region) {
        if !layers.is_empty() {
            canvas.clipped(&unique_clip_name(name, region), &region_outline(view, region), |canvas| {
                layers
                    .iter()
                    .for_each(|&layer| layers::paint_layer(canvas, view, self, layer, region.grown_by_one_tile()));
            });
        }
    }

    /// Returns the tile kind of a cell of a tile layer that does not collide.
    pub(crate) fn kind_at(&self, layer: usize, tile: (i32, i32)) -> Option<TileId> {
        match self.world {
            Some(world) => world.tile_at(layer, tile),
            None => self.map.tile_at(layer, tile),
        }
    }
}

fn unique_clip_name(what: &str, region: Region) -> String {
    format!("{what}_{}_{}", region.low.0, region.low.1)
}

fn region_outline(view: &View, region: Region) -> PathData {
    let ((left, bottom), (columns, rows)) = (region.low, region.size());
    let (low, size) = (DVec2::new(left.into(), bottom.into()), DVec2::new(columns.into(), rows.into()));
    let corners = [low, low.with_x(low.x + size.x), low + size, low.with_y(low.y + size.y)];
    let mut outline = PathData::new();
    outline.polygon(corners.map(|at| view.point(at)));
    outline
}

pub(crate) fn paint_grid(canvas: &mut impl Canvas, view: &View, region: Region, palette: &Palette) {
    let ((left, bottom), (columns, rows)) = (region.low, region.size());
    let (left, bottom) = (f64::from(left), f64::from(bottom));
    let (right, top) = (left + f64::from(columns), bottom + f64::from(rows));
    let mut lines = PathData::new();
    for column in 0..=columns {
        let x = left + f64::from(column);
        lines.run([DVec2::new(x, bottom), DVec2::new(x, top)].map(|at| view.point(at)));
    }
    for row in 0..=rows {
        let y = bottom + f64::from(row);
        lines.run([DVec2::new(left, y), DVec2::new(right, y)].map(|at| view.point(at)));
    }
    canvas.group("grid", "", |canvas| canvas.path(&lines, &Paint::stroke(palette.grid, 1.0)));
}

/// Paints a variant alone in a tile, as in [`draw_tiles`](crate::draw_tiles): its solid part and its edges.
pub fn paint_variant(canvas: &mut impl Canvas, view: &View, variant: &Variant, tile: (i32, i32), palette: &Palette) {
    if variant.kind == PatternKind::Solid {
        let mut outline = PathData::new();
        solids::add_outlines(&mut outline, view, tile, &variant.paths);
        canvas.path(&outline, &Paint::fill(palette.solid));
    }
    edges::paint_edges(canvas, view, &edges::variant_edges(variant, tile), palette);
}

/// Paints the outward normals of a variant alone in a tile.
pub fn paint_variant_normals(
    canvas: &mut impl Canvas,
    view: &View,
    variant: &Variant,
    tile: (i32, i32),
    palette: &Palette,
) {
    edges::paint_normals(canvas, view, &edges::variant_edges(variant, tile), palette);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{MapStyle, draw_map};
    use crate::png::render_pixels;
    use crate::svg::Svg;
    use crate::view::Point;

    const NIGHT: &Palette = &Palette::NIGHT;

    fn map() -> Map {
        let layers = r####"[
            (name: "far", tiles: ["#.|=/.", "==##.|"], collides: false),
            (name: "ground", tiles: ["@l|./=", "#>.*ib"]),
            (name: "near", tiles: ["..=#|.", ".|=.#."], collides: false),
        ]"####;
        let legend = r##"{
            'l': (tile: "one_way", material: (belt_velocity: -2.0, friction: 0.5)),
            '>': (tile: "full_block", material: (belt_velocity: 2.0)),
            'i': (tile: "full_block", material: (traction: 0.5)),
            'b': (tile: "full_block", material: (bounce: 0.5)),
        }"##;
        Map::from_ron(&format!("Map(format: 1, layers: {layers}, legend: {legend})")).unwrap()
    }

    /// Draws all passes, each in all regions before the next pass.
    fn draw_in_regions(map: &Map, regions: &[Region]) -> Svg {
        let terrain = Terrain::bake(map);
        let painter = TerrainPainter::new(map, &terrain, NIGHT);
        let view = View { left: -0.5, top: 2.5, scale: 32.0 };
        let mut svg = Svg::new(7.0 * 32.0, 3.0 * 32.0, "");
        svg.rect(Point { x: 0.0, y: 0.0 }, svg.width(), svg.height(), &Paint::fill(NIGHT.background));
        for pass in Pass::ALL {
            regions.iter().for_each(|&region| painter.paint(&mut svg, &view, pass, region));
        }
        svg
    }

    /// Maximum difference of a colour channel that anti-aliasing causes. Two overlapping round ends replace a round
    /// join, and each is anti-aliased, which changes up to a sixth of the range. All colours of the palette differ by
    /// more.
    const MAX_SMOOTHING: u8 = 40;

    /// Counts the pixels that differ by more than anti-aliasing.
    fn count_differences(one: &Svg, other: &Svg) -> usize {
        let (one, other) = (render_pixels(one, 2.0).unwrap(), render_pixels(other, 2.0).unwrap());
        let differs = |a: u8, b: u8| a.abs_diff(b) > MAX_SMOOTHING;
        let pairs = one.pixels().iter().zip(other.pixels());
        pairs
            .filter(|(a, b)| differs(a.red(), b.red()) || differs(a.green(), b.green()) || differs(a.blue(), b.blue()))
            .count()
    }

    #[test]
    fn adjacent_regions_look_like_the_whole_map() {
        let map = map();
        let whole = draw_map(&map, &Terrain::bake(&map), &MapStyle::default());
        let halves = [Region::spanning((-1, -1), (2, 2)), Region::spanning((3, -1), (6, 2))];
        let tiles: Vec<_> =
            Region::of(&map).grown_by_one_tile().tiles().map(|tile| Region::spanning(tile, tile)).collect();
        assert_eq!(count_differences(&draw_in_regions(&map, &[Region::of(&map).grown_by_one_tile()]), &whole), 0);
        assert_eq!(count_differences(&draw_in_regions(&map, &halves), &whole), 0);
        assert_eq!(count_differences(&draw_in_regions(&map, &tiles), &whole), 0);
        // The comparison fails if tiles are missing.
        assert!(count_differences(&draw_in_regions(&map, &tiles[1..tiles.len() / 2]), &whole) > 100);
    }

    #[test]
    fn clip_outlines_have_unique_names() {
        let map = map();
        let tiles: Vec<_> = Region::of(&map).tiles().map(|tile| Region::spanning(tile, tile)).collect();
        let text = draw_in_regions(&map, &tiles).to_string();
        let document = resvg::usvg::roxmltree::Document::parse(&text).unwrap();
        let mut names: Vec<_> = document.descendants().filter_map(|node| node.attribute("id")).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert!(count > 30 && names.len() == count, "{count} names, {} different", names.len());
    }

    #[test]
    fn edited_tiles_of_a_world_are_shown_in_layers_that_do_not_collide() {
        let mut world = World::new(map(), surefoot::prelude::Settings::default());
        let painted = |world: &World| {
            let painter = TerrainPainter::of_world(world, NIGHT);
            let mut svg = Svg::new(32.0, 32.0, "");
            let view = View { left: 0.0, top: 2.0, scale: 32.0 };
            painter.paint(&mut svg, &view, Pass::Before, Region::spanning((0, 1), (0, 1)));
            svg.to_string().matches("<path d=\"M0 0H32V32H0Z\" fill").count()
        };
        assert_eq!(painted(&world), 0);
        let block = world.map().find_tile('#').unwrap();
        world.set_tile(2, (0, 1), block).unwrap();
        assert_eq!(painted(&world), 1);
    }
}
