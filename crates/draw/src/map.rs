use crate::canvas::Canvas;
use crate::paint::Paint;
use crate::palette::Palette;
use crate::passes::{self, TerrainPainter};
use crate::region::Region;
use crate::svg::Svg;
use crate::view::{Point, View};
use crate::{areas, bodies, edges, layers, markers, platforms, solids};
use surefoot::Map;
use surefoot::prelude::Terrain;
#[cfg(any(feature = "png", test))]
use {
    crate::art::{self, Art, ArtLayers, CellPicture, picture},
    crate::error::DrawError,
    resvg::tiny_skia::Pixmap,
    surefoot::geometry::DVec2,
};

/// Settings for drawing a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapStyle {
    /// The colours.
    pub palette: Palette,
    /// Size of a tile in pixels.
    pub tile: u32,
    /// Width of the margin around the map, 0 to 1 tile.
    pub margin: f64,
    /// Shows faint lines between tiles.
    pub grid: bool,
    /// Shows the outward normal of each exposed edge.
    pub normals: bool,
    /// Shows markers and their names.
    pub markers: bool,
    /// Tiles to show; `None` shows all. Tiles outside the map are left out. Does not change the scale.
    pub region: Option<Region>,
}

impl Default for MapStyle {
    /// Returns 32 pixels per tile, a margin of half a tile, and all features on.
    fn default() -> MapStyle {
        MapStyle {
            palette: Palette::NIGHT,
            tile: 32,
            margin: 0.5,
            grid: true,
            normals: true,
            markers: true,
            region: None,
        }
    }
}

/// Draws a map: its tiles, markers, platforms, areas and bodies.
///
/// Colliding tiles are those of `terrain`, including later tile edits. Tile layers that do not collide are lighter and
/// show the map's tiles: those before the first colliding layer behind the terrain, the others over it. Platforms,
/// areas and bodies are at their start positions. Paths of platforms are dashed lines, areas are light shades.
///
/// Solids are filled, with a line along exposed edges. One-sided edges have a shade on their passable side, and are
/// dashed if characters may drop through. Thin walls are double lines. Small arrows along an edge show the direction of
/// a belt. Only the first marker of each name shows the name.
///
/// A band of colour behind an edge shows its [`Material`](surefoot::map::Material):
///
/// | colour | material |
/// |---|---|
/// | blue | slippery: friction or traction below 1 |
/// | brown | rough: friction or traction above 1 |
/// | violet | bouncy |
#[must_use]
pub fn draw_map(map: &Map, terrain: &Terrain, style: &MapStyle) -> Svg {
    draw_map_and_overlay(map, terrain, style, |_, _| ())
}

/// Draws a map with the pieces of its art, at the start of their frames. Edges have no lines, and tiles without a piece
/// show their plain shape.
///
/// # Errors
/// Returns [`DrawError`] if the art's picture cannot be decoded, or if the pieces fill more than
/// [`MAX_PIXELS`](crate::MAX_PIXELS).
#[cfg(any(feature = "png", test))]
pub fn draw_map_art(map: &Map, terrain: &Terrain, art: &Art, style: &MapStyle) -> Result<Svg, DrawError> {
    let (view, mut svg) = view_and_empty_picture(map, style, "a surefoot map");
    let (palette, shown) = (&style.palette, shown_region(map, style));
    svg.rect(Point { x: 0.0, y: 0.0 }, svg.width(), svg.height(), &Paint::fill(palette.background));
    let source = picture::decode_art(art)?;
    let cells_of_map = |in_front| {
        let mut cells = Vec::new();
        let layers = ArtLayers { region: shown, in_front, seconds: 0.0 };
        art.show_map(map, terrain, layers, &mut |cell| cells.push(cell));
        cells
    };
    paint_art(&mut svg, &view, palette, (art, &source), shown, &cells_of_map(false))?;
    for (platform, at) in platforms::start_positions(map) {
        let at = at.to_dvec2();
        let moved = View { left: view.left - at.x, top: view.top - at.y, scale: view.scale };
        for layer in &platform.layers {
            let Some(region) = art::region_of_layer(layer) else { continue };
            let mut cells = Vec::new();
            art.show_platform(std::slice::from_ref(layer), DVec2::ZERO, 0.0, &mut |cell| cells.push(cell));
            paint_art(&mut svg, &moved, palette, (art, &source), region, &cells)?;
        }
    }
    areas::paint_some_areas(&mut svg, &view, map, palette, |area| !art.shows_areas(&area.tag));
    bodies::paint_placed_bodies(&mut svg, &view, map, palette);
    paint_art(&mut svg, &view, palette, (art, &source), shown, &cells_of_map(true))?;
    if style.markers {
        paint_markers(&mut svg, &view, map, style);
    }
    Ok(svg)
}

/// Paints cells of a region: plain shapes, then the pieces over them as one picture.
#[cfg(any(feature = "png", test))]
fn paint_art(
    svg: &mut Svg,
    view: &View,
    palette: &Palette,
    (art, source): (&Art, &Pixmap),
    region: Region,
    cells: &[CellPicture],
) -> Result<(), DrawError> {
    for cell in cells {
        if let CellPicture::Plain(tile, variant) = cell {
            passes::paint_variant(svg, view, art.variant(*variant), *tile, palette);
        }
    }
    if let Some(layer) = picture::compose_layer(source, art.pixels(), region, cells)? {
        let (columns, rows) = region.size();
        let corner = view.point(DVec2::new(region.low.0.into(), f64::from(region.low.1) + f64::from(rows)));
        let size = |count: u32| f64::from(count) * view.scale;
        svg.embed_png(corner, size(columns), size(rows), &layer.to_png()?);
    }
    Ok(())
}

/// Draws a map. `over` paints over the terrain, below the front layers and the markers.
pub(crate) fn draw_map_and_overlay(
    map: &Map,
    terrain: &Terrain,
    style: &MapStyle,
    over: impl FnOnce(&mut Svg, &View),
) -> Svg {
    let (view, mut svg) = view_and_empty_picture(map, style, "a surefoot map");
    draw_terrain(&mut svg, &view, map, terrain, style, |svg| {
        platforms::paint_platforms(svg, &view, map, &style.palette);
        areas::paint_areas(svg, &view, map, &style.palette);
        bodies::paint_placed_bodies(svg, &view, map, &style.palette);
        over(svg, &view);
    });
    svg
}

/// Returns the view and an empty picture of the size of a map.
pub(crate) fn view_and_empty_picture(map: &Map, style: &MapStyle, title: &str) -> (View, Svg) {
    let (scale, margin) = (f64::from(style.tile.max(1)), style.margin.clamp(0.0, 1.0));
    let region = shown_region(map, style);
    let ((left, bottom), (columns, rows)) = (region.low, region.size());
    let view = View { left: f64::from(left) - margin, top: f64::from(bottom) + f64::from(rows) + margin, scale };
    let size = |tiles: u32| (f64::from(tiles) + 2.0 * margin) * scale;
    (view, Svg::new(size(columns), size(rows), title))
}

/// Returns the tiles to draw.
fn shown_region(map: &Map, style: &MapStyle) -> Region {
    let all = Region::of(map);
    let Some(Region { low, high }) = style.region else { return all };
    let low = (low.0.clamp(all.low.0, all.high.0), low.1.clamp(all.low.1, all.high.1));
    Region { low, high: (high.0.clamp(low.0, all.high.0), high.1.clamp(low.1, all.high.1)) }
}

/// Draws the static part of a map. `platforms` paints over the terrain, below the front layers and the markers.
pub(crate) fn draw_terrain(
    svg: &mut Svg,
    view: &View,
    map: &Map,
    terrain: &Terrain,
    style: &MapStyle,
    platforms: impl FnOnce(&mut Svg),
) {
    let (palette, shown) = (&style.palette, shown_region(map, style));
    svg.rect(Point { x: 0.0, y: 0.0 }, svg.width(), svg.height(), &Paint::fill(palette.background));
    if style.grid {
        passes::paint_grid(svg, view, shown, palette);
    }
    let (region, painter) = (shown.grown_by_one_tile(), TerrainPainter::new(map, terrain, palette));
    let (behind, in_front) = layers::layers_behind_and_in_front(map);
    behind.into_iter().for_each(|layer| layers::paint_layer(svg, view, &painter, layer, region));
    let edges = edges::exposed_edges(map, terrain, region);
    let solid = solids::solid_outlines(terrain, view, region);
    svg.group("solids", "", |svg| svg.path(&solid, &Paint::fill(palette.solid)));
    if !solid.is_empty() {
        let lines = edges::chain_solid_edges(view, &edges);
        svg.clipped("inside", &solid, |svg| edges::paint_rim_of_solids(svg, view, &lines, palette));
    }
    edges::paint_edges(svg, view, &edges, palette);
    if style.normals {
        edges::paint_normals(svg, view, &edges, palette);
    }
    platforms(svg);
    in_front.into_iter().for_each(|layer| layers::paint_layer(svg, view, &painter, layer, region));
    if style.markers {
        paint_markers(svg, view, map, style);
    }
}

fn paint_markers(svg: &mut Svg, view: &View, map: &Map, style: &MapStyle) {
    let (shown, width) = (shown_region(map, style), svg.width());
    let shown = markers::Shown { tiles: shown, named: shown, width: Some(width) };
    markers::paint_marker_groups(svg, view, map, &style.palette, &shown);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::Color;
    use crate::png::{color_at, render_pixels};
    use crate::svg::tests::groups;
    use surefoot::map::TileId;

    fn map_of_rows(rows: &[&str], fields: &str) -> Map {
        Map::from_ron(&format!("Map(format: 1, tiles: {rows:?}, {fields})")).unwrap()
    }

    fn draw_rows(rows: &[&str], fields: &str, style: &MapStyle) -> Svg {
        let map = map_of_rows(rows, fields);
        draw_map(&map, &Terrain::bake(&map), style)
    }

    /// Returns the colour of a picture at a point, rendered at a scale of 4.
    fn pixel_color(svg: &Svg, x: u32, y: u32) -> Color {
        color_at(&render_pixels(svg, 4.0).unwrap(), 4 * x, 4 * y)
    }

    /// Counts the runs of all paths in all groups of a class.
    fn count_path_runs_of_class(svg: &Svg, class: &str) -> usize {
        groups(svg, class).iter().map(|group| group.data.matches('M').count()).sum()
    }

    #[test]
    fn a_region_is_drawn_at_the_same_scale() {
        let map = map_of_rows(&["@....", "#..*#", "#####"], "");
        let region = Region::new(&map, (1, 0), (3, 1)).ok();
        let svg = draw_map(&map, &Terrain::bake(&map), &MapStyle { region, ..MapStyle::default() });
        // The picture has 3 x 2 tiles of 32 pixels, and half a tile of margin on each side.
        assert_eq!((svg.width(), svg.height()), (4.0 * 32.0, 3.0 * 32.0));
        // The picture's top is y = 2.5 and its left edge x = 0.5. In pixels, the floor is at y = 48, and the inner side
        // of the left wall at x = 16.
        assert_eq!(pixel_color(&svg, 64, 48), Palette::NIGHT.edge);
        assert_eq!(pixel_color(&svg, 16, 24), Palette::NIGHT.edge);
        let markers: Vec<_> = groups(&svg, "marker").into_iter().map(|group| group.title).collect();
        assert_eq!(markers, ["goal"]);
        // Edges far from the region are left out.
        let region = Region::new(&map, (0, 0), (0, 0)).ok();
        let corner = draw_map(&map, &Terrain::bake(&map), &MapStyle { region, ..MapStyle::default() });
        // The edges of tile (0, 0) and of the ring of tiles around it are drawn. These are the top and both sides of
        // the block at (0, 1), the undersides of (0, 0) and (1, 0), the left side of (0, 0) and the top of (1, 0).
        assert_eq!(count_path_runs_of_class(&corner, "normals"), 3 + 2 + 1 + 1);
    }

    #[test]
    fn layers_that_do_not_collide_are_drawn_lighter() {
        let layers = r#"[(name: "ground", tiles: [".#."]), (name: "near", tiles: ["=.|"], collides: false)]"#;
        let blocks = layers.replace('=', "#");
        let map = Map::from_ron(&format!("Map(format: 1, layers: {blocks})")).unwrap();
        let svg = draw_map(&map, &Terrain::bake(&map), &MapStyle::default());
        let layers: Vec<_> = groups(&svg, "layer").into_iter().map(|group| group.title).collect();
        assert_eq!(layers, ["near"]);
        let text = svg.to_string();
        assert!(text.find("class=\"solids\"").unwrap() < text.find("<title>near</title>").unwrap());
        let [over_air, over_block, air] =
            [24, 64, 104].map(|x| pixel_color(&svg, x, 32).0.map(u32::from).iter().sum::<u32>());
        assert!(over_air != over_block && over_air > air && over_block > air, "{over_air} {over_block} {air}");
        assert_eq!(count_path_runs_of_class(&svg, "normals"), 4);
    }

    #[test]
    fn each_exposed_edge_has_its_normal() {
        // A bar of three blocks has three normals above, three below, and one at each end. The one-way tile has one
        // normal, the wall two.
        let svg = draw_rows(&["......", ".###.=", ".....|"], "", &MapStyle::default());
        assert_eq!(count_path_runs_of_class(&svg, "normals"), 8 + 1 + 2);
        assert_eq!((count_path_runs_of_class(&svg, "edges open"), count_path_runs_of_class(&svg, "shades")), (1, 1));
        // Two blocks stand on a solid bottom border, with a pit between them. The bottoms of the blocks are covered, so
        // they have no normals. Normals: 2 tops of blocks, 2 tops of the border left and right of the map, 1 floor of
        // the pit, 2 sides of the pit, 2 outer sides.
        let svg = draw_rows(&["#.#"], "border: (bottom: Solid)", &MapStyle::default());
        assert_eq!(count_path_runs_of_class(&svg, "normals"), 2 + 2 + 1 + 2 + 2);
        let bare = MapStyle { normals: false, grid: false, markers: false, ..MapStyle::default() };
        let svg = draw_rows(&["@.#"], "", &bare);
        assert_eq!(
            (
                count_path_runs_of_class(&svg, "normals"),
                count_path_runs_of_class(&svg, "grid"),
                groups(&svg, "marker").len()
            ),
            (0, 0, 0)
        );
    }

    #[test]
    fn full_blocks_are_joined_and_other_tiles_are_added() {
        // The slope has full blocks on its left and below it.
        let svg = draw_rows(&["##.", "##/", "###"], "", &MapStyle::default());
        let solids = groups(&svg, "solids").remove(0).data;
        // The outlines are the slope, the 2 x 2 blocks above, and the lowest row of three, at 32 pixels a tile with
        // half a tile of margin.
        assert_eq!(solids, "M80 80L112 48V80ZM16 16H80V80H16ZM16 80H112V112H16Z");
    }

    #[test]
    fn blocks_air_and_normals_have_their_colours() {
        let (svg, palette) = (draw_rows(&["...", ".#.", "..."], "", &MapStyle::default()), Palette::NIGHT);
        assert_eq!((svg.width(), svg.height()), (128.0, 128.0));
        // The block spans 48 to 80 along both axes.
        assert_eq!(pixel_color(&svg, 64, 64), palette.solid);
        assert_eq!(pixel_color(&svg, 48, 56), palette.edge);
        for (air, inside) in [((64, 44), (64, 51)), ((64, 84), (64, 77)), ((44, 64), (51, 64)), ((84, 64), (77, 64))] {
            assert_eq!(pixel_color(&svg, air.0, air.1), palette.normal);
            assert_eq!(pixel_color(&svg, inside.0, inside.1), palette.rim);
        }
        for (x, y) in [(32, 32), (32, 96), (8, 8), (120, 64)] {
            assert_eq!(pixel_color(&svg, x, y), palette.background);
        }
        assert_eq!(pixel_color(&svg, 16, 24), palette.grid);
    }

    #[test]
    fn up_in_the_world_is_up_in_the_picture() {
        // The slope is solid at the lower right, air at the upper left. The shade of the one-way tile is below its
        // edge.
        let svg = draw_rows(&["/="], "origin: (-7, 100)", &MapStyle::default());
        assert_eq!(pixel_color(&svg, 39, 39), Palette::NIGHT.solid);
        assert_eq!(pixel_color(&svg, 24, 24), Palette::NIGHT.background);
        assert_eq!(pixel_color(&svg, 56, 12), Palette::NIGHT.background);
        assert_ne!(pixel_color(&svg, 56, 19), Palette::NIGHT.background);
    }

    #[test]
    fn neighbouring_solids_show_no_seam_at_any_scale() {
        let svg = draw_rows(&["(#)", "/#_"], "", &MapStyle { grid: false, ..MapStyle::default() });
        for scale in [0.73, 1.0, 1.37, 3.3] {
            let pixels = render_pixels(&svg, scale).unwrap();
            let at = |tiles: f64| ((tiles + 0.5) * 32.0 * scale) as u32;
            // Check the middle of the upper row and the middle column.
            let row = (at(0.6)..at(2.4)).map(|x| (x, at(0.5)));
            let column = (at(0.4)..at(1.6)).map(|y| (at(1.5), y));
            for (x, y) in row.chain(column) {
                assert_eq!(color_at(&pixels, x, y), Palette::NIGHT.solid, "({x}, {y}) at {scale}");
            }
        }
    }

    #[test]
    fn the_margin_beyond_a_solid_border_is_filled() {
        let svg = draw_rows(&["..", ".."], "border: (right: Solid)", &MapStyle { margin: 1.0, ..Default::default() });
        assert_eq!(pixel_color(&svg, 112, 48), Palette::NIGHT.solid);
        assert_eq!(pixel_color(&svg, 16, 48), Palette::NIGHT.background);
    }

    #[test]
    fn each_marker_name_is_written_once() {
        let svg = draw_rows(&["@.c", "..c"], r#"legend: {'c': (marker: "<coin>")}"#, &MapStyle::default());
        let titles: Vec<_> = groups(&svg, "marker").into_iter().map(|group| group.title).collect();
        assert_eq!(titles, ["<coin>", "<coin>", "start"]);
        let labels: Vec<_> = groups(&svg, "label").into_iter().map(|group| group.title).collect();
        assert_eq!(labels, ["<coin>", "start"]);
    }

    #[test]
    fn drawing_shows_the_current_terrain_and_is_repeatable() {
        let map = map_of_rows(&["...", "###"], "");
        let mut terrain = Terrain::bake(&map);
        let before = draw_map(&map, &terrain, &MapStyle::default());
        terrain.set_tile(0, (1, 0), TileId::EMPTY).unwrap();
        let after = draw_map(&map, &terrain, &MapStyle::default());
        assert_eq!(pixel_color(&after, 64, 64), Palette::NIGHT.background);
        terrain.set_tile(0, (1, 0), map.find_tile('#').unwrap()).unwrap();
        assert_eq!(draw_map(&map, &terrain, &MapStyle::default()).to_string(), before.to_string());
    }
}
